// `eigenrig modes`: the natural modes as a table and in files of every kind, and the matrices behind them.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/project/moving_joints.h"
#include "base/failure.h"
#include "tools/eigenrig/cli.h"

static void print_movers(const er_model *model, const er_mode *mode, double *travel)
{
    int joint[3], count = project_moving_joints(model, mode, travel, 3, joint);
    for (int i = 0; i < count; ++i)
        printf("%s%s %.2f", i > 0 ? ", " : "", plain(model->joint[joint[i]].name), travel[joint[i]] / travel[joint[0]]);
}

// Formats a number for a column of nine characters.
static void print_hz(double hz)
{
    if (hz == 0.0 || (hz >= 1e-3 && hz < 1e4))
        printf("%9.4f", hz);
    else
        printf("%9.3g", hz);
}

// The width of the column of names; no name of a rigid mode is shown.
static int longest_name(const er_mode_names *names)
{
    size_t most = strlen("name");
    for (int k = 0; names != NULL && k < names->count; ++k)
        if (names->mode[k].group >= 0 && strlen(names->mode[k].name) > most) most = strlen(names->mode[k].name);
    return (int)most;
}

// Rigid modes are all alike, so one line has them all.   @return their number
static int print_rigid(const er_modes *modes, bool damped)
{
    int count = 0;
    char indices[32];
    while (count < modes->count && modes->mode[count].kind == ER_MODE_RIGID)
        ++count;
    if (count == 0) return 0;
    snprintf(indices, sizeof indices, "0-%d", count - 1);
    printf("%5s  %9d  %-9s  %s%s\n", count == 1 ? "0" : indices, 0, er_mode_kind_name(ER_MODE_RIGID),
           damped ? "        -          -  " : "",
           count > 6 ? "its parts drift or turn, each as a whole" : "the rig drifts or turns as a whole");
    return count;
}

static int print_table(er_context *context, const options *o, const er_model *model, const er_modes *modes,
                       const er_mode_names *names)
{
    double *travel = malloc(((size_t)model->joint_count + 1) * sizeof *travel);
    if (travel == NULL) {
        return fail_work(context, eri_no_memory(context), NULL);
    }
    bool damped = modes->damped_count > 0;
    int width = longest_name(names);
    printf("%5s  %9s  %-9s  %s", "mode", "Hz", "kind", damped ? "damped Hz    damping  " : "");
    if (names != NULL) printf("%-*s  parity  ", width, "name");
    printf("joints that move most\n");
    for (int k = print_rigid(modes, damped); k < modes->count; ++k) {
        const er_mode *mode = &modes->mode[k];
        if (o->only == ONLY_WHOLE_BODY && names != NULL && !names->mode[k].whole_body) continue;
        printf("%5d  ", er_modes_index(modes, mode));
        print_hz(mode->frequency_hz);
        printf("  %-9s  ", er_mode_kind_name(mode->kind));
        if (damped && mode->kind != ER_MODE_ELASTIC) printf("%9s  %9s  ", "-", "-");
        if (damped && mode->kind == ER_MODE_ELASTIC)
            printf(mode->damping_ratio < 1e3 ? "%9.4f  %9.4f  " : "%9.4f  %9.3g  ", mode->damped_hz,
                   mode->damping_ratio);
        if (names != NULL) printf("%-*s  %6.2f  ", width, plain(names->mode[k].name), names->mode[k].parity + 0.0);
        print_movers(model, mode, travel);
        printf("\n");
    }
    free(travel);
    const er_modal_def *d = &o->modal;
    int above = modes->dof - modes->first - modes->count, elastic = project_elastic_count(modes);
    if (o->quiet || modes->count == modes->dof) return EXIT_DONE;
    printf("%d of %d elastic modes", elastic, modes->dof - modes->rigid_count - modes->mechanism_count);
    if (d->min_hz > 0.0) printf(", from %g Hz on", d->min_hz);
    if (d->max_hz < HUGE_VAL) printf(", up to %g Hz", d->max_hz);
    int wanted = modes_wanted(o, model); // 0: all
    bool cut = above > 0 && wanted > 0 && elastic == wanted;
    printf(cut ? "; --count N shows more\n" : "\n");
    return EXIT_DONE;
}

// ---- Regions and effective masses

// The regions with the largest shares.
static void print_regions(const er_mode_names *names, const double *share, int width)
{
    enum { SHOWN = 3 };
    char text[128] = "";
    double last = HUGE_VAL;
    for (int row = 0, before = -1; row < SHOWN; ++row) {
        int most = -1;
        for (int g = 0; g < names->group_count; ++g)
            if ((share[g] < last || (share[g] == last && g > before)) && (most < 0 || share[g] > share[most])) most = g;
        if (most < 0 || share[most] < 0.05) break;
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%.30s %.0f %%", row > 0 ? ", " : "",
                 plain(names->group_name[most]), 100.0 * share[most]);
        last = share[most];
        before = most;
    }
    printf("%-*s", width, text);
}

static void print_region_shares(const er_model *model, const er_modes *modes, const er_mode_names *names)
{
    double whole = 0.0, mass[6];
    for (int b = 0; b < model->body_count; ++b)
        whole += model->body[b].mass;
    bool held = modes->rigid_count == 0; // the others have all of the mass in their rigid modes
    printf("%5s  %9s  ", "mode", "Hz");
    if (held) printf("%6s %6s %6s  ", "% x", "% y", "% z");
    if (names != NULL) printf("%-46s", "strain");
    printf(names != NULL ? "  motion\n" : "\n");
    for (int k = 0; k < modes->count; ++k) {
        const er_mode *mode = &modes->mode[k];
        if (mode->kind == ER_MODE_RIGID) continue;
        er_mode_effective_mass(model, mode, mass);
        printf("%5d  ", er_modes_index(modes, mode));
        print_hz(mode->frequency_hz);
        printf("  ");
        if (held)
            printf("%6.1f %6.1f %6.1f  ", 100.0 * mass[3] / whole, 100.0 * mass[4] / whole, 100.0 * mass[5] / whole);
        if (names != NULL) print_regions(names, names->mode[k].share, 46);
        printf("  ");
        if (names != NULL) print_regions(names, names->mode[k].motion, 0);
        printf("\n");
    }
}

static void print_degrees(double degrees)
{
    if (degrees < HUGE_VAL)
        printf("  %7.3g", degrees);
    else
        printf("  %7s", "-");
}

static void print_bounds(const er_modes *modes, const er_mode_names *names, const er_mode_bound *bound)
{
    printf("%5s  %9s  %7s  %7s  %7s  %7s  %-7s  name\n", "mode", "Hz", "degrees", "limit", "contact", "linear", "by");
    for (int k = 0; k < modes->count; ++k) {
        const er_mode *mode = &modes->mode[k];
        if (mode->kind != ER_MODE_ELASTIC) continue;
        printf("%5d  ", er_modes_index(modes, mode));
        print_hz(mode->frequency_hz);
        print_degrees(bound[k].degrees);
        print_degrees(bound[k].limit);
        print_degrees(bound[k].contact);
        print_degrees(bound[k].linear);
        printf("  %-7s  %s\n", er_bound_name(bound[k].by), names != NULL ? names->mode[k].name : "");
    }
}

// ---- A clip in modes

// The modes with the largest shares, until almost all is told.
static void print_shares(const er_model *model, const er_modes *modes, double *share, double *travel, bool quiet)
{
    enum { ROWS = 20 };
    double sum = 0.0;
    printf("%5s  %9s  %7s  %7s  joints that move most\n", "mode", "Hz", "share", "sum");
    for (int row = 0; row < ROWS && sum < 0.995; ++row) {
        int most = 0;
        for (int k = 1; k < modes->count; ++k)
            if (share[k] > share[most]) most = k;
        if (!(share[most] > 0.0)) break;
        sum += share[most];
        printf("%5d  ", er_modes_index(modes, &modes->mode[most]));
        print_hz(modes->mode[most].frequency_hz);
        printf("  %5.1f %%  %5.1f %%  ", 100.0 * share[most], 100.0 * sum);
        print_movers(model, &modes->mode[most], travel);
        printf("\n");
        share[most] = 0.0;
    }
    if (sum == 0.0) printf("nothing moves in the clip, or no mode that was solved for\n");
    int left = 0;
    double rest = 0.0;
    for (int k = 0; k < modes->count; ++k)
        left += share[k] > 0.0, rest += share[k];
    if (left > 0 && !quiet) print_note("%d more modes have %.2g %% of the motion together", left, 100.0 * rest);
}

static int explain(er_context *context, const options *o, const loaded *l, const er_modes *modes)
{
    double *share = calloc((size_t)modes->count + 1, sizeof *share);
    double *travel = calloc((size_t)l->model->joint_count + 1, sizeof *travel);
    er_result r = share != NULL && travel != NULL ? ER_OK : eri_no_memory(context);
    if (r == ER_OK) r = project_explain_clip(context, modes, l->rig, o->explain, share);
    if (r == ER_OK) print_shares(l->model, modes, share, travel, o->quiet);
    free(share);
    free(travel);
    return r == ER_OK ? EXIT_DONE : fail_work(context, r, o->model);
}

static er_result write_figure(er_context *context, const options *o, const loaded *l, const er_modes *modes)
{
    int shapes = o->count > 0 ? o->count : PROJECT_FIGURE_SHAPES;
    if (shapes > PROJECT_MOST_SHAPES) shapes = PROJECT_MOST_SHAPES;
    return project_plot_modes(context, l->model, modes, l->scene, shapes, o->plot);
}

static er_result write_files(er_context *context, const options *o, const loaded *l, const er_modes *modes,
                             const er_mode_names *names, const er_mode_bound *bound)
{
    er_result r = ER_OK;
    for (int i = 0; i < o->output_count && r == ER_OK; ++i)
        r = project_write_modes(context, l->model, modes, names, bound, o->outputs[i]);
    if (r == ER_OK && o->matrices != NULL) r = project_write_matrices(context, l->model, NULL, o->matrices);
    if (r == ER_OK && o->plot != NULL) r = write_figure(context, o, l, modes);
    return r;
}

// The files to write.   @return their number
static int list_files(const options *o, const char *path[MOST_OUTPUTS + 2])
{
    int count = 0;
    for (int i = 0; i < o->output_count; ++i)
        path[count++] = o->outputs[i];
    if (o->matrices != NULL) path[count++] = o->matrices;
    if (o->plot != NULL) path[count++] = o->plot;
    return count;
}

static int check_outputs(const options *o)
{
    if (o->explain != NULL && (o->json || o->output_count > 0 || o->plot != NULL || o->matrices != NULL))
        return fail_usage("modes", "--explain prints a table; write files without it");
    if (o->shares && (o->explain != NULL || o->track.pattern != NULL))
        return fail_usage("modes", "--shares is a table of its own; leave out --explain or --track");
    if (o->bounds && (o->shares || o->explain != NULL || o->track.pattern != NULL))
        return fail_usage("modes", "--bounds is a table of its own; leave out --shares, --explain or --track");
    if (o->explain != NULL && o->track.pattern != NULL)
        return fail_usage("modes", "--explain and --track exclude each other");
    if (o->track.pattern != NULL) return check_track(o);
    int status = check_output_ending("modes", project_modes_ends, o);
    if (status != EXIT_DONE) return status;
    if (o->matrices != NULL && strcmp(o->matrices, "-") != 0 && !er_path_ends_in(o->matrices, ".npz"))
        return fail_usage("modes", "--matrices writes .npz, but \"%s\" has another ending", o->matrices);
    if (o->plot != NULL && strcmp(o->plot, "-") != 0 && !er_path_ends_in(o->plot, ".svg") &&
        !er_path_ends_in(o->plot, ".pdf"))
        return fail_usage("modes", "--plot writes .svg or .pdf, but \"%s\" has another ending", o->plot);
    const char *path[MOST_OUTPUTS + 2];
    int count = list_files(o, path);
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < i; ++k)
            if (strcmp(path[i], path[k]) == 0)
                return fail_usage("modes", "\"%s\" would be written twice; give each output its own file", path[i]);
    return EXIT_DONE;
}

static bool is_piped(const options *o)
{
    const char *path[MOST_OUTPUTS + 2];
    bool piped = o->json;
    for (int i = list_files(o, path) - 1; i >= 0; --i)
        piped |= strcmp(path[i], "-") == 0;
    return piped;
}

int run_modes(er_context *context, options *o)
{
    loaded l;
    er_modes *modes = NULL;
    er_mode_names *names = NULL;
    er_mode_bound *bound = NULL;
    er_result r = ER_OK;
    int status = check_outputs(o);
    if (status == EXIT_DONE) status = check_json("modes", o);
    if (status != EXIT_DONE) return status;
    status = load(context, o, &l);
    if (status == EXIT_DONE) status = solve(context, o, l.model, &modes);
    if (status == EXIT_DONE) status = name_modes(context, o, &l, modes, &names);
    // a table would mix with the data there
    bool piped = is_piped(o);
    bool writes = o->output != NULL || o->matrices != NULL || o->plot != NULL, tracks = o->track.pattern != NULL;
    if (status == EXIT_DONE && tracks) status = run_track(context, o, &l, modes, !piped && shows_results(o, writes));
    if (status == EXIT_DONE && o->explain != NULL) status = explain(context, o, &l, modes);
    bool table = status == EXIT_DONE && !tracks && o->explain == NULL && !piped && shows_results(o, writes);
    if (status == EXIT_DONE && o->bounds) r = project_bound_modes(context, l.model, l.rig, modes, &bound);
    // files come first: a reader may close standard output, which ends the program
    if (status == EXIT_DONE && r == ER_OK && !tracks) r = write_files(context, o, &l, modes, names, bound);
    table &= r == ER_OK;
    if (table && o->shares) print_region_shares(l.model, modes, names);
    if (table && bound != NULL) print_bounds(modes, names, bound);
    if (table && !o->shares && !o->bounds) status = print_table(context, o, l.model, modes, names);
    if (status == EXIT_DONE && r == ER_OK && o->json)
        r = er_palette_file_write(context, l.model, modes, names, NULL, bound, "-");
    if (r != ER_OK) status = fail_work(context, r, NULL);
    free(bound);
    er_mode_names_destroy(names);
    er_modes_destroy(modes);
    unload(&l);
    return status;
}
