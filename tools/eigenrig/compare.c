// `eigenrig compare`: which mode of one version of a rig became which of another, and what was changed.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <eigenrig/plots.h>

#include "base/failure.h"
#include "tools/eigenrig/cli.h"

enum { SHOWN = 3 }; // changes of a kind that are listed

#define ROUNDING 1e-9 // the least tolerance: what solving the same rig again may change

// Two versions of a rig, and their modes.
typedef struct versions {
    const er_model *was, *now;
    er_modes *before, *after;
    er_mode_match *match; // [before->count]
    bool *differs;        // [before->count], by more than --tolerance
    int differing;        // with the modes that came
    er_edit *edit;        // [edit_count]
    int edit_count;
} versions;

// ---- Changes of the rig

static int find_body(const er_model *m, const char *name)
{
    for (int b = 0; b < m->body_count; ++b)
        if (strcmp(m->body[b].name, name) == 0) return b;
    return -1;
}

static int find_joint(const er_model *m, const char *name)
{
    for (int k = 0; k < m->joint_count; ++k)
        if (strcmp(m->joint[k].name, name) == 0) return k;
    return -1;
}

static bool differ(const double *was, const double *now, int count, double scale)
{
    const double told = 1e-6;
    for (int i = 0; i < count; ++i)
        if (!(fabs(now[i] - was[i]) <= told * (scale > 0.0 ? scale : fmax(fabs(was[i]), fabs(now[i]))))) return true;
    return false;
}

static void add_numbers(versions *v, const char *what, const char *name, const double *was, const double *now,
                        int count, double scale)
{
    if (differ(was, now, count, scale))
        v->edit[v->edit_count++] =
            (er_edit){.what = what, .name = name, .was = was, .now = now, .was_count = count, .now_count = count};
}

static void add_words(versions *v, const char *what, const char *name, const char *was, const char *now)
{
    v->edit[v->edit_count++] = (er_edit){.what = what, .name = name, .was_word = was, .now_word = now};
}

static void find_body_edits(versions *v)
{
    for (int b = 0; b < v->now->body_count; ++b)
        if (find_body(v->was, v->now->body[b].name) < 0) add_words(v, "body", v->now->body[b].name, NULL, "there");
    for (int b = 0; b < v->was->body_count; ++b) {
        const er_body *was = &v->was->body[b];
        int other = find_body(v->now, was->name);
        if (other < 0) {
            add_words(v, "body", was->name, "there", NULL);
            continue;
        }
        const er_body *now = &v->now->body[other];
        add_numbers(v, "mass", was->name, &was->mass, &now->mass, 1, 0.0);
        add_numbers(v, "place", was->name, &was->pose.p.x, &now->pose.p.x, 3, v->was->size);
    }
}

static void find_joint_edits(versions *v)
{
    for (int k = 0; k < v->was->joint_count; ++k) {
        const er_joint *was = &v->was->joint[k];
        int other = find_joint(v->now, was->name);
        if (other < 0) continue;
        const er_joint *now = &v->now->joint[other];
        int count = er_joint_type_freedom(was->type, NULL);
        if (now->type != was->type)
            add_words(v, "type", was->name, er_joint_type_name(was->type), er_joint_type_name(now->type));
        if (now->type != was->type) continue;
        add_numbers(v, "stiffness", was->name, was->stiffness, now->stiffness, count, 0.0);
        add_numbers(v, "damping", was->name, was->damping, now->damping, count, 0.0);
    }
}

static er_result find_edits(er_context *context, versions *v)
{
    size_t most = (size_t)v->now->body_count + 2 * (size_t)v->was->body_count + 2 * (size_t)v->was->joint_count;
    v->edit = calloc(most + 1, sizeof *v->edit);
    if (v->edit == NULL) return eri_no_memory(context);
    find_body_edits(v);
    find_joint_edits(v);
    return ER_OK;
}

static double sum(const double *x, int count)
{
    double all = 0.0;
    for (int i = 0; i < count; ++i)
        all += x[i];
    return all;
}

// How large a change is: of the logarithm of a quantity, or the distance that a body has moved.
static double size_of(const er_edit *e)
{
    if (e->was == NULL) return 0.0;
    if (strcmp(e->what, "place") == 0)
        return hypot(hypot(e->now[0] - e->was[0], e->now[1] - e->was[1]), e->now[2] - e->was[2]);
    return fabs(log(sum(e->now, e->now_count) / sum(e->was, e->was_count)));
}

static void print_edit(const er_edit *e)
{
    printf(" %s", plain(e->name));
    if (e->was_word != NULL && e->now_word != NULL) {
        printf(" %s, was %s", e->now_word, e->was_word);
    } else if (e->was != NULL && strcmp(e->what, "place") == 0) {
        printf(" moved by %.3g cm", 100.0 * size_of(e));
    } else if (e->was != NULL) {
        double was = sum(e->was, e->was_count), now = sum(e->now, e->now_count);
        if (was != 0.0)
            printf(" %+.3g %%", 100.0 * (now / was - 1.0));
        else
            printf(" %.3g, was 0", now);
    }
}

// Prints the changes of a kind, the largest first.
static void print_edits(const versions *v, const char *title, const char *what, bool gone)
{
    const er_edit *list[SHOWN];
    int listed = 0, all = 0;
    for (int i = 0; i < v->edit_count; ++i) {
        const er_edit *e = &v->edit[i];
        if (strcmp(e->what, what) != 0 || (strcmp(what, "body") == 0 && (e->now_word == NULL) != gone)) continue;
        ++all;
        int at = listed < SHOWN ? listed++ : SHOWN;
        for (; at > 0 && size_of(list[at - 1]) < size_of(e); --at)
            if (at < SHOWN) list[at] = list[at - 1];
        if (at < SHOWN) list[at] = e;
    }
    if (all == 0) return;
    printf("  %-10s", title);
    for (int i = 0; i < listed; ++i) {
        if (i > 0) printf(",");
        print_edit(list[i]);
    }
    printf(all > listed ? " and %d more\n" : "\n", all - listed);
}

static double mass_of(const er_model *m)
{
    double all = 0.0;
    for (int b = 0; b < m->body_count; ++b)
        all += m->body[b].mass;
    return all;
}

static void print_rig_changes(const versions *v)
{
    double was = mass_of(v->was), now = mass_of(v->now);
    if (differ(&was, &now, 1, 0.0)) printf("  %-10s %.4g kg, was %.4g kg\n", "mass", now, was);
    print_edits(v, "new", "body", false);
    print_edits(v, "gone", "body", true);
    print_edits(v, "masses", "mass", false);
    print_edits(v, "types", "type", false);
    print_edits(v, "stiffness", "stiffness", false);
    print_edits(v, "damping", "damping", false);
    print_edits(v, "places", "place", false);
}

// ---- Modes

static double shift_of(const versions *v, int k)
{
    double was = v->before->mode[k].frequency_hz;
    return was > 0.0 ? v->after->mode[v->match[k].now].frequency_hz / was - 1.0 : 0.0;
}

static void print_match(const versions *v, int k)
{
    const er_mode_match *m = &v->match[k];
    printf("%5d  %9.4f  ", er_modes_index(v->before, &v->before->mode[k]), v->before->mode[k].frequency_hz);
    const char *mark = v->differs != NULL && v->differs[k] ? "  differs" : "";
    if (m->now < 0) {
        printf("%5s%s\n", "gone", mark);
        return;
    }
    printf("%5d  %9.4f  %+8.2f %%  %6.1f %%", er_modes_index(v->after, &v->after->mode[m->now]),
           v->after->mode[m->now].frequency_hz, 100.0 * shift_of(v, k), 100.0 * m->group_likeness);
    if (m->other >= 0 && fabs(m->other_likeness) > 0.3)
        printf("  mixes with mode %d (%.0f %%)", er_modes_index(v->after, &v->after->mode[m->other]),
               100.0 * fabs(m->other_likeness));
    printf("%s\n", mark);
}

static bool is_matched(const versions *v, int now)
{
    for (int k = 0; k < v->before->count; ++k)
        if (v->match[k].now == now) return true;
    return false;
}

static void print_matches(const versions *v)
{
    printf("%5s  %9s  %5s  %9s  %10s  %8s\n", "old", "Hz", "new", "Hz", "change", "alike");
    for (int k = 0; k < v->before->count; ++k)
        if (v->before->mode[k].kind != ER_MODE_RIGID) print_match(v, k);
    for (int j = 0; j < v->after->count; ++j)
        if (v->after->mode[j].kind != ER_MODE_RIGID && !is_matched(v, j))
            printf("%5s  %9s  %5d  %9.4f%s\n", "-", "", er_modes_index(v->after, &v->after->mode[j]),
                   v->after->mode[j].frequency_hz, v->differs != NULL ? "  differs" : "");
}

// Rigid modes have no shape of their own. The highest modes may be known in one rig alone where both were cut.
static er_result find_differing(er_context *context, versions *v, double tolerance)
{
    double most = fmax(tolerance, ROUNDING);
    v->differs = calloc((size_t)v->before->count + 1, sizeof *v->differs);
    if (v->differs == NULL) return eri_no_memory(context);
    for (int k = 0; k < v->before->count; ++k) {
        const er_mode_match *m = &v->match[k];
        if (v->before->mode[k].kind == ER_MODE_RIGID) continue;
        v->differs[k] = m->now < 0 || fabs(shift_of(v, k)) > most || m->group_likeness < 1.0 - most;
        v->differing += v->differs[k];
    }
    for (int j = 0; j < v->after->count; ++j)
        v->differing += v->after->mode[j].kind != ER_MODE_RIGID && !is_matched(v, j);
    return ER_OK;
}

static int judge(const options *o, const versions *v)
{
    if (v->differing == 0) return EXIT_DONE;
    char text[1024];
    snprintf(text, sizeof text, "%d mode%s differ%s from those of \"%.800s\" by more than %g %%", v->differing,
             eri_plural(v->differing), v->differing == 1 ? "s" : "", o->old_model, 100.0 * o->change);
    write_message(&(message){"error", "error: ", o->model, "differs", EXIT_DIFFERS}, text);
    return EXIT_DIFFERS;
}

static int match_modes(er_context *context, const options *o, versions *v)
{
    v->match = calloc((size_t)v->before->count + 1, sizeof *v->match);
    er_result r = v->match == NULL ? eri_no_memory(context)
                                   : er_modes_match(context, v->was, v->before, v->now, v->after, v->match);
    if (r == ER_OK) r = find_edits(context, v);
    if (r == ER_OK && o->change >= 0.0) r = find_differing(context, v, o->change);
    const er_comparison told = {o->model,  v->before,         v->after,      v->match, v->differs,
                                o->change, v->differing == 0, v->edit_count, v->edit};
    const char *const path[] = {o->output, o->json ? "-" : NULL};
    for (int i = 0; i < 2 && r == ER_OK; ++i)
        if (path[i] != NULL) r = er_mode_matches_write_json(context, &told, path[i]);
    return r == ER_OK ? EXIT_DONE : fail_work(context, r, NULL);
}

int run_compare(er_context *context, options *o)
{
    static const char *const ends[] = {".json", NULL};
    options old = *o; // a description changes the options of its own model
    old.model = o->old_model;
    old.output_count = 0;
    loaded was = {0}, now = {0};
    versions v = {0};
    int status = check_output_ending("compare", ends, o);
    if (status == EXIT_DONE) status = check_json("compare", o);
    if (status == EXIT_DONE) status = load(context, &old, &was);
    if (status == EXIT_DONE) status = load(context, o, &now);
    if (status == EXIT_DONE) status = solve(context, &old, was.model, &v.before);
    if (status == EXIT_DONE) status = solve(context, o, now.model, &v.after);
    v.was = was.model;
    v.now = now.model;
    if (status == EXIT_DONE) status = match_modes(context, o, &v);
    bool piped = o->json || (o->output != NULL && strcmp(o->output, "-") == 0);
    if (status == EXIT_DONE && !piped && shows_results(o, o->output != NULL)) {
        print_matches(&v);
        print_rig_changes(&v);
    }
    if (status == EXIT_DONE) status = judge(o, &v);
    free(v.edit);
    free(v.differs);
    free(v.match);
    er_modes_destroy(v.before);
    er_modes_destroy(v.after);
    unload(&was);
    unload(&now);
    return status;
}
