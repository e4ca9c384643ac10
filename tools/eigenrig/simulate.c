// Full dynamics of a model or a world: into a folder of tables, or as a clip or curves.
#include <math.h>
#include <string.h>

#include "tools/eigenrig/cli.h"

typedef struct simulation {
    er_context *context;
    const options *o;
    project_listener listener;
    project_simulation done;
    progress bar;
} simulation;

// Whether a name ends in a point and a letter, like a file's: "run.xyz", but not "9.4" or "here.d/out".
static bool ends_like_file(const char *path)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    return dot != NULL && (slash == NULL || dot > slash) && ((dot[1] | 0x20) >= 'a' && (dot[1] | 0x20) <= 'z');
}

static int check_words(const options *o, bool world)
{
    if (o->output_count == 0)
        return fail_usage("simulate", "no output was named: -o OUT.glb, or -o FOLDER for tables and drawings");
    for (int i = 0; i < o->output_count; ++i) {
        bool of_world = project_find_world_format(o->outputs[i]) != PROJECT_WORLD_NONE;
        if (of_world && !world)
            return fail_usage("simulate", "\"%s\" needs a world file; \"%s\" is none", o->outputs[i], o->model);
        if (ends_like_file(o->outputs[i]) && project_find_format(o->outputs[i]) == NULL && !of_world &&
            !project_is_folder(o->outputs[i]))
            return fail_usage("simulate", "\"%s\" must end in %s, or be a folder", o->outputs[i],
                              project_format_endings(false));
        if (of_world && same_file(o->outputs[i], o->model))
            return fail_usage("simulate", "\"%s\" is the world itself", o->outputs[i]);
    }
    for (int i = 0; i < o->output_count; ++i)
        for (int k = 0; k < i; ++k)
            if (same_file(o->outputs[i], o->outputs[k]))
                return fail_usage("simulate", "\"%s\" would be written twice; give each output its own file",
                                  o->outputs[i]);
    return check_terminal("simulate", o);
}

// Whether a path names a table that is only written as part of the folder.
static bool is_table(const char *path)
{
    static const char *const names[] = {"energy.csv", "momentum.csv", "bodies.csv", "reactions.csv", "contacts.csv"};
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    bool table = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        table |= strcmp(name, names[i]) == 0;
    return table;
}

static const char *what_is_in(const char *path)
{
    static const char *const of_world[] = {[PROJECT_WORLD_FILE] = "the world at its beginning",
                                           [PROJECT_WORLD_SURFACE] = "surfaces of solids",
                                           [PROJECT_WORLD_FRAMES] = "a file for each frame"};
    const project_format *format = project_find_format(path);
    project_world_format world = project_find_world_format(path);
    if (world != PROJECT_WORLD_NONE) return of_world[world];
    if (format == NULL) return "tables, arrays and a drawing";
    if (!format->curves) return "a clip";
    return er_path_ends_in(path, ".csv")   ? "coordinates of joints"
           : er_path_ends_in(path, ".npz") ? "arrays of all that is known"
                                           : "a drawing of energies";
}

static bool frame_done(void *user, int done, int all)
{
    progress_step(&((simulation *)user)->bar, done, all);
    return !interrupts_came();
}

static er_result write_outputs(const simulation *s, const er_world_file *world, const er_scene *source,
                               const er_recording_target *target)
{
    er_result r = ER_OK;
    for (int i = 0; i < s->o->output_count && r == ER_OK; ++i) {
        const char *path = s->o->outputs[i];
        if (world != NULL && project_find_world_format(path) != PROJECT_WORLD_NONE)
            r = project_write_world(s->context, world, &s->o->simulation, &s->done, path);
        else
            r = project_find_format(path) != NULL ? project_write_simulated(s->context, &s->done, source, target, path)
                                                  : project_write_simulation(s->context, &s->done, path);
    }
    return r;
}

static void print_outputs(const simulation *s)
{
    for (int i = 0; i < s->o->output_count && !s->o->quiet; ++i) {
        const char *path = s->o->outputs[i];
        print_note("%s: %s", strcmp(path, "-") == 0 ? "standard output" : path, what_is_in(path));
        if (is_table(path))
            print_warning(s->o, "%s has the coordinates of joints; -o FOLDER writes a table of that name", path);
    }
}

static void print_results(const simulation *s)
{
    const er_world_frames *f = &s->done.frames;
    const er_world_report *report = &s->done.report;
    if (s->o->quiet || f->frame_count == 0) return;
    const er_world_energy *first = &f->energy[0], *last = &f->energy[f->frame_count - 1];
    double most = 0.0, off = 0.0, start = first->mechanical - first->work + first->heat;
    for (int k = 0; k < f->frame_count; ++k) {
        const er_world_energy *e = &f->energy[k];
        most = fmax(most, fmax(e->kinetic, e->elastic));
        off = fmax(off, fabs(e->mechanical - e->work + e->heat - start));
    }
    print_note("%.4g s in %d frame%s%s: %ld step%s, %ld tried in vain, %ld evaluation%s",
               f->time[f->frame_count - 1] - f->time[0], f->frame_count, eri_plural(f->frame_count),
               s->done.stopped || s->done.failure != ER_OK ? ", stopped before the end" : "", report->steps,
               eri_plural(report->steps), report->rejected, report->evaluations, eri_plural(report->evaluations));
    print_note(
        "mechanical energy %.6g J, then %.6g J; up to %.4g J moving or sprung; work and heat account for all but %.2g "
        "J",
        first->mechanical, last->mechanical, most, off);
    if (s->done.periodic) print_note("it repeats after %d cycles: its end is its beginning", s->done.cycles);
    if (s->o->simulation.from != NULL && !s->o->simulation.loop && first->elastic > first->kinetic)
        print_note(
            "springs begin with %.3g J, since they rest in the equilibrium pose and not where %s has the joints; "
            "%.3g J move. With --rest clip they rest where the clip has them",
            first->elastic, s->o->simulation.from, first->kinetic);
    print_outputs(s);
    if (s->o->verbose)
        print_note("joints stood apart by up to %.2g, and were put together %ld times", report->gap,
                   report->corrections);
}

// Runs until it is interrupted or fails, and writes the frames so far.
static er_result run(simulation *s, const er_world_file *world, const loaded *l)
{
    const project_progress reporter = {frame_done, s};
    project_simulation_def def = s->o->simulation;
    def.keeps_part = true;
    s->bar = progress_begin(s->o, "frames");
    er_result r = world != NULL
                      ? project_simulate_world(s->context, world, &def, &s->listener, &reporter, &s->done)
                      : project_simulate(s->context, l->model, l->rig, &def, &s->listener, &reporter, &s->done);
    progress_end(&s->bar);
    project_target target = {0};
    if (r == ER_OK) r = project_target_set(s->context, s->done.frames.model, l->rig, world, &target);
    if (r == ER_OK) r = write_outputs(s, world, l->scene, &target.target);
    if (r == ER_OK) print_results(s);
    if (r == ER_OK && s->done.failure != ER_OK) r = er_fail(s->context, s->done.failure, "%s", s->done.reason);
    project_target_clear(&target);
    project_simulation_clear(&s->done);
    return r;
}

// Whether an output needs the run of a world, and not only the world.
static bool needs_run(const options *o)
{
    bool needs = false;
    for (int i = 0; i < o->output_count; ++i) {
        project_world_format format = project_find_world_format(o->outputs[i]);
        needs |= format == PROJECT_WORLD_NONE || format == PROJECT_WORLD_FRAMES;
    }
    return needs;
}

static er_result convert(const simulation *s, const er_world_file *world)
{
    er_result r = write_outputs(s, world, NULL, NULL);
    if (r == ER_OK) print_outputs(s);
    return r;
}

static int simulate_world(simulation *s)
{
    er_world_file *world = NULL;
    const loaded none = {0};
    er_result r = er_world_file_read(s->context, s->o->model, &world);
    if (r != ER_OK) return fail_work(s->context, r, NULL);
    for (int i = 0; i < world->note_count; ++i)
        print_warning(s->o, "%s", world->note[i].text);
    int status = strict_status(s->o, EXIT_DONE);
    if (status == EXIT_DONE) {
        r = needs_run(s->o) ? run(s, world, &none) : convert(s, world);
        if (r != ER_OK) status = fail_work(s->context, r, s->o->model);
    }
    er_world_file_destroy(world);
    return status;
}

static int simulate_model(simulation *s, options *o)
{
    loaded l;
    int status = load(s->context, o, &l);
    if (status == EXIT_DONE) {
        er_result r = run(s, NULL, &l);
        if (r != ER_OK) status = fail_work(s->context, r, o->model);
    }
    unload(&l);
    return status;
}

int run_simulate(er_context *context, options *o)
{
    simulation s = {.context = context, .o = o, .listener = listener_of(o)};
    bool world = er_file_is_world(context, o->model);
    int status = check_words(o, world);
    if (status == EXIT_DONE && world && o->simulation.push_count > 0 && !needs_run(o))
        status = fail_usage("simulate", "--push needs a run; a world file cannot hold it, so leave it out");
    if (status != EXIT_DONE) return status;
    interrupts_begin();
    status = world ? simulate_world(&s) : simulate_model(&s, o);
    interrupts_end();
    return status;
}
