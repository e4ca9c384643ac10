// `eigenrig validate`: up to which amplitude modes hold in full dynamics.
#include <math.h>
#include <string.h>

#include "tools/eigenrig/cli.h"

static const double shown[] = {1.0, 5.0, 20.0}; // degrees, of the table's columns
enum { SHOWN = (int)(sizeof shown / sizeof shown[0]) };

static bool mode_done(void *bar, int done, int all)
{
    progress_step(bar, done, all);
    return !interrupts_came();
}

// ---- the table

static const er_trial *trial_at(const er_mode_validity *v, double degrees)
{
    for (int i = 0; i < v->trial_count; ++i)
        if (v->trial[i].degrees == degrees) return &v->trial[i];
    return NULL;
}

static void print_share(bool there, double share, bool sign)
{
    if (!there)
        printf("  %8s", "-");
    else
        printf(sign ? "  %+7.2g%%" : "  %7.2g%%", 100.0 * share);
}

static void print_mode(const er_modes *modes, const er_mode_validity *v)
{
    char far[32];
    snprintf(far, sizeof far, "%s%.3g", v->at_least ? ">= " : "", v->true_to_degrees);
    printf("%5d  %9.4f  %9s", v->mode, er_modes_find(modes, v->mode)->frequency_hz, far);
    const er_trial *trial;
    for (int i = 0; i < SHOWN; ++i) {
        trial = trial_at(v, shown[i]);
        print_share(trial != NULL, trial != NULL ? trial->shift : 0.0, true);
    }
    for (int i = 0; i < SHOWN; ++i) {
        trial = trial_at(v, shown[i]);
        print_share(trial != NULL, trial != NULL ? trial->leakage : 0.0, false);
    }
    printf("\n");
}

// The smallest amplitude at which a mode is valid but loses half of its energy; 0 for none.
static double leaks_from(const er_mode_validity *v)
{
    for (int i = 0; i < v->trial_count; ++i)
        if (v->trial[i].degrees <= v->true_to_degrees && v->trial[i].leakage > 0.5) return v->trial[i].degrees;
    return 0.0;
}

// A mode can keep its frequency but not its shape.
static void print_leaks(const er_validity *validity)
{
    int count = 0;
    for (int k = 0; k < validity->count; ++k) {
        double from = leaks_from(&validity->mode[k]);
        if (from == 0.0) continue;
        printf(count++ == 0
                   ? "in time, but not in shape, for half of the energy is in other modes: mode %d from %.3g degrees"
                   : ", %d from %.3g",
               validity->mode[k].mode, from);
    }
    if (count > 0) printf("\n");
}

static void print_table(const options *o, const er_modes *modes, const er_validity *validity)
{
    char head[32];
    printf("%5s  %9s  %9s", "mode", "Hz", "true to");
    for (int i = 0; i < 2 * SHOWN; ++i) {
        snprintf(head, sizeof head, "%s %g", i < SHOWN ? "shift" : "leak", shown[i % SHOWN]);
        printf("  %8s", head);
    }
    printf("\n");
    for (int k = 0; k < validity->count; ++k)
        print_mode(modes, &validity->mode[k]);
    if (o->quiet) return;
    printf("degrees of the joint that turns most, let go at the end where the mode's largest entry is positive;\n"
           "true to: so far its frequency shifts by less than %g %% over ten periods;\n"
           "leak: share of its energy that other modes have then, of which the frequency says nothing\n",
           100.0 * validity->shift);
    print_leaks(validity);
    if (o->verbose) printf("energy of a swing, which is constant, off by %.1g of it at most\n", validity->energy_drift);
    if (validity->count < project_elastic_count(modes))
        printf("stopped after %d of %d modes\n", validity->count, project_elastic_count(modes));
}

// ---- files

static int check_words(er_context *context, const options *o)
{
    const char *const path[] = {o->output, o->palette, o->plot};
    static const char *const ending[] = {".csv", ".json", ".svg"}, *const option[] = {"-o", "--palette", "--plot"};
    for (int i = 0; i < 3; ++i) {
        if (path[i] == NULL) continue;
        if (!er_path_ends_in(path[i], ending[i]) && strcmp(path[i], "-") != 0)
            return fail_usage("validate", "%s \"%s\" does not end in %s", option[i], path[i], ending[i]);
        for (int k = 0; k < i; ++k)
            if (path[k] != NULL && strcmp(path[i], path[k]) == 0)
                return fail_usage("validate", "\"%s\" would be written twice; give each output its own file", path[i]);
        er_result r = er_file_check_place(context, path[i]); // checked before the work, which may take long
        if (r != ER_OK) return fail_work(context, r, NULL);
    }
    return EXIT_DONE;
}

static er_result write_files(er_context *context, const options *o, const loaded *l, const er_modes *modes,
                             const er_validity *validity)
{
    er_result r = ER_OK;
    if (o->output != NULL) r = er_validity_write_csv(context, validity, o->output);
    if (r == ER_OK && o->palette != NULL) r = write_palette_file(context, o, l, modes, validity, o->palette);
    if (r == ER_OK && o->plot != NULL) r = er_validity_plot(context, validity, l->model->name, o->plot);
    if (r == ER_OK && o->json) r = er_validity_write_json(context, validity, modes, l->model->name, "-");
    return r;
}

// Whether to print the table: not if a file goes to standard output, nor with --quiet beside files.
static bool shows_table(const options *o)
{
    const char *const path[] = {o->output, o->palette, o->plot};
    bool written = false;
    for (int i = 0; i < 3; ++i) {
        if (path[i] != NULL && strcmp(path[i], "-") == 0) return false;
        written |= path[i] != NULL;
    }
    return !o->json && shows_results(o, written);
}

// Writes and shows the modes finished before an interruption, too.
static int work(er_context *context, const options *o, const loaded *l, const er_modes *modes)
{
    er_validity *validity = NULL;
    er_validity_def def = er_default_validity_def();
    progress bar = progress_begin(o, "modes");
    def.progress = mode_done;
    def.user = &bar;
    er_result r = er_modes_validate(context, l->model, modes, &def, &validity);
    progress_end(&bar);
    int status = r == ER_OK ? EXIT_DONE : fail_work(context, r, o->model);
    if (r == ER_OK && project_elastic_count(modes) == 0) print_warning(o, "none of the modes is elastic");
    if (r == ER_OK) {
        r = write_files(context, o, l, modes, validity);
        if (r != ER_OK) status = fail_work(context, r, NULL);
    }
    if (status == EXIT_DONE && shows_table(o)) {
        print_table(o, modes, validity);
        fflush(stdout); // before the signal is raised again
    }
    er_validity_destroy(validity);
    return status;
}

int run_validate(er_context *context, options *o)
{
    loaded l = {0};
    er_modes *modes = NULL;
    int status = check_words(context, o);
    if (status == EXIT_DONE) status = check_json("validate", o);
    if (status != EXIT_DONE) return status;
    status = load(context, o, &l);
    if (status == EXIT_DONE) status = solve(context, o, l.model, &modes);
    if (status == EXIT_DONE) {
        interrupts_begin();
        status = work(context, o, &l, modes);
        interrupts_end();
    }
    er_modes_destroy(modes);
    unload(&l);
    return status;
}
