// `eigenrig compare`: which mode of one version of a rig became which of another, and what was changed.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <eigenrig/plots.h>

#include "base/failure.h"
#include "tools/eigenrig/cli.h"

enum { SHOWN = 3 }; // changes of a kind that are listed

// Two versions of a rig, and their modes.
typedef struct versions {
    const er_model *was, *now;
    er_modes *before, *after;
    er_mode_match *match; // [before->count]
} versions;

// ---- Changes of the rig

// A quantity of a body or joint that has another value now.
typedef struct change {
    const char *name;
    double ratio; // new over old
} change;

static double size_of(const change *c)
{
    return fabs(log(c->ratio));
}

// Keeps the largest changes, the largest first.
static void keep_change(change *list, int *count, change c)
{
    int at = *count < SHOWN ? (*count)++ : SHOWN - 1;
    if (at == SHOWN - 1 && *count == SHOWN && list[at].name != NULL && size_of(&list[at]) >= size_of(&c)) return;
    for (; at > 0 && size_of(&list[at - 1]) < size_of(&c); --at)
        list[at] = list[at - 1];
    list[at] = c;
}

static void print_changes(const char *what, const change *list, int listed, int all)
{
    if (all == 0) return;
    printf("  %-10s", what);
    for (int i = 0; i < listed; ++i)
        printf("%s%s %+.3g %%", i > 0 ? ", " : " ", plain(list[i].name), 100.0 * (list[i].ratio - 1.0));
    printf(all > listed ? " and %d more\n" : "\n", all - listed);
}

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

static bool differs(double ratio)
{
    return !(fabs(ratio - 1.0) < 1e-6);
}

static void print_missing(const char *what, const er_model *of, const er_model *in)
{
    int listed = 0, all = 0;
    for (int b = 0; b < of->body_count; ++b) {
        if (find_body(in, of->body[b].name) >= 0) continue;
        if (all++ == 0) printf("  %-10s", what);
        if (listed < SHOWN) printf("%s%s", listed++ > 0 ? ", " : " ", plain(of->body[b].name));
    }
    if (all > 0) printf(all > listed ? " and %d more\n" : "\n", all - listed);
}

static double mass_of(const er_model *m)
{
    double sum = 0.0;
    for (int b = 0; b < m->body_count; ++b)
        sum += m->body[b].mass;
    return sum;
}

// The stiffness of a joint as one number: the sum over its coordinates.
static double stiffness_of(const er_joint *j)
{
    double sum = 0.0;
    for (int c = 0; c < er_joint_type_freedom(j->type, NULL); ++c)
        sum += j->stiffness[c];
    return sum;
}

static void print_masses(const versions *v)
{
    change list[SHOWN];
    int listed = 0, all = 0;
    for (int b = 0; b < v->was->body_count; ++b) {
        int other = find_body(v->now, v->was->body[b].name);
        double ratio = other >= 0 ? v->now->body[other].mass / v->was->body[b].mass : 1.0;
        if (!differs(ratio)) continue;
        ++all;
        keep_change(list, &listed, (change){v->was->body[b].name, ratio});
    }
    print_changes("masses", list, listed, all);
}

static void print_springs(const versions *v)
{
    change list[SHOWN];
    int listed = 0, all = 0;
    for (int k = 0; k < v->was->joint_count; ++k) {
        const er_joint *was = &v->was->joint[k];
        int other = find_joint(v->now, was->name);
        if (other < 0 || v->now->joint[other].type != was->type) continue;
        double ratio = stiffness_of(&v->now->joint[other]) / stiffness_of(was);
        if (!differs(ratio) || isnan(ratio)) continue;
        ++all;
        keep_change(list, &listed, (change){was->name, ratio});
    }
    print_changes("stiffness", list, listed, all);
}

static void print_places(const versions *v)
{
    int all = 0, farthest = 0;
    double most = 0.0;
    for (int b = 0; b < v->was->body_count; ++b) {
        int other = find_body(v->now, v->was->body[b].name);
        if (other < 0) continue;
        double far = er_v3_norm(er_v3_sub(v->now->body[other].pose.p, v->was->body[b].pose.p));
        if (far < 1e-6 * v->was->size) continue;
        ++all;
        if (far > most) farthest = b;
        most = fmax(most, far);
    }
    if (all > 0)
        printf("  %-10s %d bodies have moved, %s most: %.3g cm\n", "places", all, plain(v->was->body[farthest].name),
               100.0 * most);
}

static void print_rig_changes(const versions *v)
{
    double was = mass_of(v->was), now = mass_of(v->now);
    if (differs(now / was)) printf("  %-10s %.4g kg, was %.4g kg\n", "mass", now, was);
    print_missing("new", v->now, v->was);
    print_missing("gone", v->was, v->now);
    print_masses(v);
    print_springs(v);
    print_places(v);
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
    if (m->now < 0) {
        printf("%5s\n", "gone");
        return;
    }
    printf("%5d  %9.4f  %+8.2f %%  %6.1f %%", er_modes_index(v->after, &v->after->mode[m->now]),
           v->after->mode[m->now].frequency_hz, 100.0 * shift_of(v, k), 100.0 * m->group_likeness);
    if (m->other >= 0 && fabs(m->other_likeness) > 0.3)
        printf("  mixes with mode %d (%.0f %%)", er_modes_index(v->after, &v->after->mode[m->other]),
               100.0 * fabs(m->other_likeness));
    printf("\n");
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
            printf("%5s  %9s  %5d  %9.4f\n", "-", "", er_modes_index(v->after, &v->after->mode[j]),
                   v->after->mode[j].frequency_hz);
}

// Rigid modes have no shape of their own. The highest modes may be known in one rig alone where both were cut.
static int count_changed(const versions *v, double most)
{
    int changed = 0;
    for (int k = 0; k < v->before->count; ++k) {
        const er_mode_match *m = &v->match[k];
        if (v->before->mode[k].kind == ER_MODE_RIGID) continue;
        changed += m->now < 0 || fabs(shift_of(v, k)) > most || m->group_likeness < 1.0 - most;
    }
    for (int j = 0; j < v->after->count; ++j)
        changed += v->after->mode[j].kind != ER_MODE_RIGID && !is_matched(v, j);
    return changed;
}

static int judge(er_context *context, const options *o, const versions *v)
{
    int changed = o->change > 0.0 ? count_changed(v, o->change) : 0;
    if (changed == 0) return EXIT_DONE;
    er_fail(context, ER_ERROR_RIG, "%d modes differ from those of \"%s\" by more than %g %%", changed, o->old_model,
            100.0 * o->change);
    return fail_work(context, ER_ERROR_RIG, o->model);
}

static int match_modes(er_context *context, const options *o, versions *v)
{
    v->match = calloc((size_t)v->before->count + 1, sizeof *v->match);
    er_result r = v->match == NULL ? eri_no_memory(context)
                                   : er_modes_match(context, v->was, v->before, v->now, v->after, v->match);
    const char *path = o->json ? "-" : o->output;
    if (r == ER_OK && path != NULL)
        r = er_mode_matches_write_json(context, v->before, v->after, v->match, o->model, path);
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
    if (status == EXIT_DONE) status = judge(context, o, &v);
    free(v.match);
    er_modes_destroy(v.before);
    er_modes_destroy(v.after);
    unload(&was);
    unload(&now);
    return status;
}
