// Gaits: the table, clips on the spot and travelling, mixes, drawings.
#include <errno.h>

#include <eigenrig/formats.h>
#include <eigenrig/plots.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/failure.h"
#include "base/platform.h"
#include "tools/eigenrig/cli.h"

typedef struct walking {
    er_context *context;
    const options *o;
    loaded l;
    project_target s;
    er_modes *modes;
    er_gaits *gaits;
    er_gait_motion **motion;  // [gaits->count]
    project_walk *walk;       // [gaits->count], of --simulate
    er_recording **recording; // [CLIPS gaits->count], on the spot, travelling, as it went, its loop on the spot and
                              // travelling; NULL where there is none
    bool made;                // o->mixes_folder, by this run
} walking;

enum { CLIPS = 5 }; // of a gait

static const char travelling[] = " travels"; // what the clips with root motion end in
static const char simulated[] = " simulated", looping[] = " simulated loop";

// ---- finding

static void searched(void *bar, int done, int all)
{
    progress_step(bar, done, all);
}

static void print_body(const options *o, const er_gaits *gaits, const er_model *model)
{
    const er_gait_body *body = gaits->body;
    for (int i = 0; i < body->note_count; ++i)
        if (body->note[i].kind == ER_NOTE_WARNING)
            print_warning(o, "%s", body->note[i].text);
        else if (o->verbose && !o->quiet)
            print_note("%s", body->note[i].text);
    if (!o->verbose || o->quiet) return;
    print_note(
        "up (%.3g, %.3g, %.3g), forward (%.3g, %.3g, %.3g), sure by %.0f %%; mirror images off by %.2g %% of the size",
        body->up.x, body->up.y, body->up.z, body->forward.x, body->forward.y, body->forward.z, 100.0 * body->facing,
        100.0 * body->symmetry);
    for (int i = 0; i < body->foot_count; ++i) {
        const er_gait_foot *foot = &body->foot[i];
        print_note("foot %s is \"%s\", a leg of %d joint%s on \"%s\", %.3g m", foot->name, model->body[foot->sole].name,
                   foot->joint_count, foot->joint_count == 1 ? "" : "s", model->body[foot->trunk].name, foot->reach);
    }
    for (int i = 0; i < body->wing_count; ++i) {
        const er_gait_wing *wing = &body->wing[i];
        print_note("wing \"%s\", on \"%s\", %.3g m", model->body[wing->body].name, model->body[wing->trunk].name,
                   wing->span);
    }
    if (body->foot_count == 0 && body->wing_count == 0)
        print_note("there are no feet: the body %s", body->lies ? "lies on the ground" : "is taken to swim");
}

// Reports a rig without elastic modes, for which the search would give another reason.
static er_result check_modes(er_context *context, const er_modes *modes)
{
    for (int k = 0; k < modes->count; ++k)
        if (modes->mode[k].kind == ER_MODE_ELASTIC) return ER_OK;
    if (modes->count == modes->dof) return ER_OK; // no mode at all, which the search reports itself
    return er_fail(context, ER_ERROR_ARGUMENT,
                   "none of the %d modes of up to --max-hz is elastic; give a higher frequency", modes->count);
}

er_gait_def gait_def_of(const options *o)
{
    er_gait_def def = o->gait;
    def.fps = o->recording.fps;
    if (o->stride_frames > 0.0) def.hz = o->recording.fps / o->stride_frames;
    if (o->count > 0) def.mode_count = o->count < 64 ? o->count : 64;
    return def;
}

// Finds the gaits of a loaded model, or makes one of a mix if there is a text; prints the assumptions on the body.
static er_result find_gaits(er_context *context, const options *o, const loaded *l, const er_modes *modes,
                            const char *text, er_gaits **out)
{
    er_gait_def def = gait_def_of(o);
    er_result r = check_modes(context, modes);
    if (r != ER_OK) return r;
    progress bar = progress_begin(o, "gaits");
    clock_t began = clock();
    def.progress = searched;
    def.user = &bar;
    if (text != NULL) {
        er_mix *mix = NULL;
        r = project_read_mix(context, text, &mix);
        if (r == ER_OK) r = er_gait_of_mix(context, l->model, l->rig, modes, mix, &def, out);
        er_mix_destroy(mix);
    } else {
        r = er_gaits_find(context, l->model, l->rig, modes, &def, out);
    }
    progress_end(&bar);
    if (r == ER_OK && (*out)->count == 0) r = explain_tempo(context, l, modes, &def, *out, NULL);
    if (r == ER_OK) print_body(o, *out, l->model);
    if (r == ER_OK && o->gait_name == NULL) print_tempo(o, &def, *out);
    if (r == ER_OK && o->verbose && !o->quiet)
        print_note("%lld mixes were tried, %lld of them posed, in %.1f s of processor time", (*out)->tried,
                   (*out)->posed, (double)(clock() - began) / CLOCKS_PER_SEC);
    return r;
}

er_result find_gait(er_context *context, const options *o, const loaded *l, const er_modes *modes, er_gaits **gaits,
                    const er_gait **out, bool *travels)
{
    char names[512] = "", name[64];
    er_result r = find_gaits(context, o, l, modes, NULL, gaits);
    if (r != ER_OK) return r;
    size_t length = strlen(o->gait_name), tail = strlen(travelling);
    bool ends = length > tail && strcmp(o->gait_name + length - tail, travelling) == 0;
    if (travels != NULL) *travels = ends;
    if (ends) length -= tail;
    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : 0), o->gait_name);
    *out = er_gaits_named(*gaits, name);
    if (*out != NULL) return r;
    const er_gait_def def = gait_def_of(o);
    r = explain_tempo(context, l, modes, &def, *gaits, name);
    if (r != ER_OK) return r;
    size_t end = strlen(name), last = strlen(simulated), longer = strlen(looping);
    if ((end > last && strcmp(name + end - last, simulated) == 0) ||
        (end > longer && strcmp(name + end - longer, looping) == 0))
        return er_fail(context, ER_ERROR_ARGUMENT,
                       "\"%s\" is the simulation of a gait; write it with eigenrig gait MODEL --simulate -o OUT.glb",
                       name);
    suggestion closest = {.word = name};
    for (int i = 0; i < (*gaits)->count; ++i)
        suggestion_try(&closest, (*gaits)->gait[i].name);
    if (closest.best != NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "the rig has no gait \"%s\"; did you mean \"%s\"", o->gait_name,
                       closest.best);
    for (int i = 0; i < (*gaits)->count; ++i)
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i > 0 ? ", " : "",
                 (*gaits)->gait[i].name);
    return er_fail(context, ER_ERROR_ARGUMENT, "the rig has no gait \"%s\"; it has %s", o->gait_name,
                   *names != '\0' ? names : "none at all");
}

// ---- the table

static void print_mix(const er_mix *mix)
{
    for (int v = 0; v < mix->component_count; ++v) {
        const er_mix_component *component = &mix->component[v];
        printf("%s%d:%.3g@%dx%+.0f", v > 0 ? "," : "", component->mode, component->degrees, component->harmonic,
               round(component->phase * 180.0 / ER_PI) + 0.0); // no -0
    }
    printf("\n");
}

static void print_table(const walking *w)
{
    const er_gaits *gaits = w->gaits;
    if (gaits->count == 0) {
        printf(
            "no gait: nothing in these modes carries the body along; -v tells how the body was read, and --symmetrize "
            "makes left and right alike\n");
        return;
    }
    printf("%-12s %5s %5s %6s %6s %7s %5s %7s %6s %6s %5s  %s\n", "gait", "score", "Hz", "m/s", "Froude", "stride m",
           "slip", "clear m", "flight", "duty", "cost", "mode:degrees@cycles+phase");
    for (int i = 0; i < gaits->count; ++i) {
        const er_gait *g = &gaits->gait[i];
        printf("%-12s %5.2f %5.2f %6.3g %6.2f %8.3g %4.0f%% %7.2g %5.0f%% %5.0f%% %5.3f  ", g->name, g->score, g->hz,
               g->speed, g->froude, g->stride, 100.0 * g->slip, g->clearance, 100.0 * g->flight, 100.0 * g->duty,
               g->cost);
        print_mix(g->mix);
    }
}

// ---- clips

// The simulated walk as a stride that loops.
static er_result record_loop(walking *w, int i)
{
    char name[96];
    const char *gait = w->gaits->gait[i].name;
    er_recording_def def = w->o->recording;
    er_gait_motion *loop = NULL;
    er_result r = project_walk_loop(w->context, w->l.model, w->gaits->body, &w->walk[i], w->o->recording.fps, &loop);
    if (loop != NULL && w->o->verbose && !w->o->quiet)
        print_note("%s%s: standing feet off by %.2g %% of the stride", gait, looping,
                   100.0 * loop->slide / er_v3_norm(loop->travel[loop->frame_count - 1]));
    for (int travels = 0; travels < 2 && r == ER_OK && loop != NULL; ++travels) {
        snprintf(name, sizeof name, "%s%s%s", gait, looping, travels != 0 ? travelling : "");
        def.name = name;
        r = er_gait_record(w->context, loop, travels != 0, &w->s.target, &def, &w->recording[CLIPS * i + 3 + travels]);
    }
    er_gait_motion_destroy(loop);
    return r;
}

static er_result record(walking *w, int i)
{
    char name[80];
    const er_gait *gait = &w->gaits->gait[i];
    er_recording_def def = w->o->recording;
    er_result r = ER_OK;
    for (int travels = 0; travels < 2 && r == ER_OK; ++travels) {
        snprintf(name, sizeof name, "%s%s", gait->name, travels != 0 ? travelling : "");
        def.name = name;
        r = er_gait_record(w->context, w->motion[i], travels != 0, &w->s.target, &def,
                           &w->recording[CLIPS * i + travels]);
    }
    if (r == ER_OK && w->o->walks)
        r = record_walk(w->context, gait, &w->walk[i], &w->s.target, &w->recording[CLIPS * i + 2]);
    return r == ER_OK && w->o->walks ? record_loop(w, i) : r;
}

// Packs the recordings.   @return their number
static int without_gaps(er_recording **recording, int count)
{
    int kept = 0;
    for (int i = 0; i < count; ++i) {
        er_recording *one = recording[i];
        recording[i] = NULL;
        if (one != NULL) recording[kept++] = one;
    }
    return kept;
}

static er_result write_clips(walking *w, const char *path)
{
    int count = CLIPS * w->gaits->count;
    const project_format *format = project_find_format(path);
    er_result r = project_target_set(w->context, w->l.model, w->l.rig, w->l.world, &w->s);
    if (r == ER_OK && format != NULL && format->single)
        return project_write_simulated(w->context, &w->walk[0].simulation, w->l.scene, &w->s.target, path);
    w->recording = calloc((size_t)count + 1, sizeof *w->recording);
    if (r == ER_OK && w->recording == NULL) r = ER_ERROR_MEMORY;
    for (int i = 0; i < w->gaits->count && r == ER_OK; ++i)
        r = record(w, i);
    if (r != ER_OK) return r;
    return project_write_takes(w->context, &w->s.target, without_gaps(w->recording, count), w->recording,
                               w->o->only_new, path);
}

static er_result simulate(walking *w)
{
    w->walk = calloc((size_t)w->gaits->count + 1, sizeof *w->walk);
    if (w->walk == NULL) return ER_ERROR_MEMORY;
    return try_walks(w->context, w->o, &w->l, w->modes, w->gaits, w->walk);
}

static er_result move(walking *w)
{
    er_result r = ER_OK;
    w->motion = calloc((size_t)w->gaits->count + 1, sizeof *w->motion);
    if (w->motion == NULL) return ER_ERROR_MEMORY;
    for (int i = 0; i < w->gaits->count && r == ER_OK; ++i) {
        const er_gait *gait = &w->gaits->gait[i];
        r = er_gait_move(w->context, w->l.model, w->modes, w->gaits, gait, w->o->recording.fps, &w->motion[i]);
        if (r != ER_OK || !w->o->verbose || w->o->quiet || w->gaits->body->foot_count == 0) continue;
        print_note(
            "%s: standing feet off by %.2g %% of the stride, soles %.2g %% of the height below the ground, joints "
            "changed by %.3g degrees at most",
            gait->name, 100.0 * w->motion[i]->slide / gait->stride, 100.0 * w->motion[i]->sink / w->gaits->body->height,
            w->motion[i]->correction * 180.0 / ER_PI);
    }
    return r;
}

// ---- what else is written

static er_result make_folder(walking *w)
{
    const char *folder = w->o->mixes_folder;
    w->made = eri_platform_make_folder(folder) == 0;
    if (w->made || errno == EEXIST) return ER_OK;
    return er_fail(w->context, ER_ERROR_FILE, "%s: cannot be made: %s", folder, strerror(errno));
}

// Removes the folder of mixes again if it stayed empty.
static void leave_folder(walking *w)
{
    if (w->made) eri_platform_remove_folder(w->o->mixes_folder);
    w->made = false;
}

// Makes the folder before the search, which may be interrupted.
static er_result check_folder(walking *w)
{
    if (w->o->mixes_folder == NULL) return ER_OK;
    char path[4096];
    snprintf(path, sizeof path, "%s/mix.json", w->o->mixes_folder); // a path that is too long is refused anyway, cut or
                                                                    // not
    interrupts_begin();
    er_result r = make_folder(w);
    if (r == ER_OK) r = er_file_check_place(w->context, path);
    leave_folder(w);
    interrupts_end();
    return r;
}

static er_result write_mixes(walking *w)
{
    const char *folder = w->o->mixes_folder;
    char path[4096];
    interrupts_begin();
    er_result r = make_folder(w);
    for (int i = 0; i < w->gaits->count && r == ER_OK; ++i) {
        int length = snprintf(path, sizeof path, "%s/%s.json", folder, w->gaits->gait[i].name);
        for (char *c = path + strlen(folder); *c != '\0'; ++c)
            if (*c == ' ') *c = '_';
        r = length < (int)sizeof path ? er_mix_file_write(w->context, w->gaits->gait[i].mix, path)
                                      : er_fail(w->context, ER_ERROR_FILE, "%s: the path is too long", folder);
    }
    leave_folder(w);
    interrupts_end();
    return r;
}

static bool is_drawn(const options *o)
{
    return o->strip != NULL && er_path_ends_in(o->strip, ".png");
}

// Checked before the search, which may take long.
static int check_drawing(er_context *context, const options *o)
{
    if (!is_drawn(o) || render_check(context) == ER_OK) return EXIT_DONE;
    er_fail(context, ER_ERROR_SYSTEM, "%s; a --strip of stick figures, which ends in .svg, needs none",
            er_context_error(context));
    return fail_work(context, ER_ERROR_SYSTEM, NULL);
}

static er_result write_strip(const walking *w)
{
    const er_gait_motion *const *motion = (const er_gait_motion *const *)w->motion;
    const options *o = w->o;
    if (!is_drawn(o)) return er_gaits_plot_strides(w->context, w->gaits, motion, w->l.model->name, o->strip);
    render_def def = o->picture;
    def.what = RENDER_STRIP;
    def.gaits = w->gaits;
    def.motion = motion;
    return draw_picture(w->context, &w->l, w->modes, &def, o->strip, NULL);
}

// One JSON document on standard output.
static er_result write_json(const walking *w)
{
    size_t count = (size_t)w->gaits->count + 1;
    er_gait_walk *walk = w->walk != NULL ? calloc(count, sizeof *walk) : NULL;
    char(*text)[2][256] = w->walk != NULL ? calloc(count, sizeof *text) : NULL;
    bool lacks = w->walk != NULL && (walk == NULL || text == NULL);
    for (int i = 0; i < w->gaits->count && walk != NULL && text != NULL; ++i) {
        const project_walk *of = &w->walk[i];
        if (of->simulation.frames.frame_count == 0) continue;
        project_walk_explain_end(of, text[i][0], sizeof text[i][0]);
        project_walk_write_style(&of->style, text[i][1], sizeof text[i][1]);
        walk[i] = (er_gait_walk){.seconds = of->time,
                                 .distance = of->distance,
                                 .lengths = of->distance / of->length,
                                 .fell = of->fell != ER_WALKER_UPRIGHT,
                                 .until = text[i][0],
                                 .pushes = of->pushes,
                                 .survived = of->survived,
                                 .slip = of->slip,
                                 .cost = of->cost,
                                 .animal = of->animal,
                                 .style = text[i][1]};
    }
    er_result r = lacks ? eri_no_memory(w->context) : er_gaits_write_json(w->context, w->l.model, w->gaits, walk, "-");
    free(walk);
    free(text);
    return r;
}

static er_result work(walking *w)
{
    const options *o = w->o;
    const char *name = w->l.model->name;
    er_result r = check_folder(w);
    if (r == ER_OK) r = find_gaits(w->context, o, &w->l, w->modes, o->mix_count > 0 ? o->mixes[0] : NULL, &w->gaits);
    bool moves = o->output != NULL || o->strip != NULL, piped = false;
    bool writes = moves || o->mixes_folder != NULL || o->footfalls != NULL;
    if (r == ER_OK && writes && w->gaits->count == 0)
        return er_fail(w->context, ER_ERROR_RIG,
                       "no gait was found, because no mix of these modes moves the body forward; nothing is written. "
                       "-v tells how the body was read, and --feet, --forward and --pose change that");
    if (r == ER_OK && moves) r = move(w);
    if (r == ER_OK && o->walks) r = simulate(w);
    if (r == ER_OK && o->output != NULL) r = write_clips(w, o->output);
    if (r == ER_OK && o->mixes_folder != NULL) r = write_mixes(w);
    if (r == ER_OK && o->footfalls != NULL) r = er_gaits_plot_footfalls(w->context, w->gaits, name, o->footfalls);
    if (r == ER_OK && o->strip != NULL) r = write_strip(w);
    const char *const path[] = {o->output, o->footfalls, o->strip};
    for (int i = 0; i < 3; ++i)
        piped |= path[i] != NULL && strcmp(path[i], "-") == 0;
    if (r == ER_OK && o->json) return write_json(w);
    if (r != ER_OK || piped || !shows_results(o, writes)) return r;
    print_table(w);
    if (o->walks && w->gaits->count > 0) print_walks(w->gaits, w->walk);
    return r;
}

// Loads nothing but the model and its modes.
static void clear(walking *w)
{
    int count = w->gaits != NULL ? w->gaits->count : 0;
    for (int i = 0; i < CLIPS * count && w->recording != NULL; ++i)
        er_recording_destroy(w->recording[i]);
    for (int i = 0; i < count && w->walk != NULL; ++i)
        project_walk_clear(&w->walk[i]);
    free(w->walk);
    for (int i = 0; i < count && w->motion != NULL; ++i)
        er_gait_motion_destroy(w->motion[i]);
    free(w->recording);
    free(w->motion);
    project_target_clear(&w->s);
    er_gaits_destroy(w->gaits);
}

static int check_words(const options *o)
{
    const project_format *format = o->output != NULL ? project_find_format(o->output) : NULL;
    const char *const drawing[] = {o->footfalls, o->strip};
    bool one = o->walks && (o->gait.best == 1 || o->mix_count == 1);
    if (format != NULL && format->single && !one)
        return fail_usage("gait", "\"%s\" holds one motion; eigenrig animate MODEL --gait NAME -o %s writes one gait%s",
                          o->output, o->output, o->walks ? ", and --best 1 simulates one" : "");
    if (o->output != NULL && format == NULL)
        return fail_usage("gait", "\"%s\" must end in %s, or be - for a .glb on standard output", o->output,
                          project_format_endings(true));
    if (o->list && (o->output != NULL || o->mixes_folder != NULL || o->footfalls != NULL || o->strip != NULL))
        return fail_usage("gait", "--list prints the table and writes nothing else");
    const project_walk_def usual = project_default_walk_def();
    bool ground = o->walk.friction != usual.friction || o->walk.slope != usual.slope || o->terrain != NULL;
    if (!o->walks &&
        (o->walk.gain != usual.gain || o->walk.push != usual.push || o->walk.lengths != usual.lengths || ground))
        return fail_usage("gait", "--lengths, --push, --gain, --friction, --slope and --terrain need --simulate");
    if (!o->walks && (o->walk_style != NULL || o->tune_walk > 0.0))
        return fail_usage("gait", "--walk and --tune-walk need --simulate");
    bool picture = o->terrain != NULL && er_path_ends_in(o->terrain, ".png");
    if (o->terrain != NULL && o->walk.slope != 0.0)
        return fail_usage("gait", "--slope and --terrain cannot both be the ground; give one of them");
    if (o->terrain_length > 0.0 && !picture)
        return fail_usage("gait", "--terrain-size is for a --terrain that is a picture, .png");
    if (o->mix_count > 1) return fail_usage("gait", "give only one --mix, not %d", o->mix_count);
    for (int i = 0; i < 2; ++i)
        if (drawing[i] != NULL && !er_path_ends_in(drawing[i], ".svg") && strcmp(drawing[i], "-") != 0 &&
            !(i == 1 && er_path_ends_in(drawing[i], ".png")))
            return fail_usage("gait", "\"%s\" does not end in .svg%s", drawing[i],
                              i == 1 ? ", for stick figures, or .png, for the model itself" : "");
    const char *const path[] = {o->output, o->footfalls, o->strip};
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < i; ++k)
            if (path[i] != NULL && path[k] != NULL && strcmp(path[i], path[k]) == 0)
                return fail_usage("gait", "\"%s\" would be written twice; give each output its own file", path[i]);
    return check_terminal("gait", o);
}

int run_gait(er_context *context, options *o)
{
    walking w = {.context = context, .o = o};
    int status = check_words(o);
    if (status == EXIT_DONE) status = check_drawing(context, o);
    if (status != EXIT_DONE) return status;
    o->asked.walks = true;
    status = load(context, o, &w.l);
    if (status == EXIT_DONE && options_name_modes(o)) status = take_mode_names(context, "gait", o, &w.l);
    if (status == EXIT_DONE) status = solve(context, o, w.l.model, &w.modes);
    if (status == EXIT_DONE) {
        er_result r = work(&w);
        if (r != ER_OK) status = fail_work(context, r, o->model);
    }
    clear(&w);
    er_modes_destroy(w.modes);
    unload(&w.l);
    fflush(stdout);
    interrupts_end(); // that tune_walks() began
    return status;
}

er_result write_gait_clips(er_context *context, const options *o, const loaded *l, const er_modes *modes,
                           const char *path, void (*name)(void *user, const char *gait), void *user)
{
    walking w = {.context = context, .o = o, .l = *l, .modes = (er_modes *)(uintptr_t)modes};
    er_result r = find_gaits(context, o, l, modes, NULL, &w.gaits);
    bool none = r == ER_ERROR_RIG || (r == ER_OK && w.gaits->count == 0);
    if (none)
        print_warning(o, "no gait: %s",
                      r == ER_OK ? "nothing in these modes carries the body along" : er_context_error(context));
    if (none) r = ER_OK;
    if (r == ER_OK && !none) r = move(&w);
    if (r == ER_OK && !none) r = write_clips(&w, path);
    for (int i = 0; r == ER_OK && !none && i < w.gaits->count; ++i)
        name(user, w.gaits->gait[i].name);
    clear(&w);
    return r;
}
