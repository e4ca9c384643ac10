// The ground's forces: non-negative least squares over the edges of friction pyramids.
#include "gait/control/walker.h"

#include "gait/control/walker_algebra.h"

enum { MOST_ROUNDS = 40, MOST_SEARCH = 30 };

#define SETTLED 1e-10 // slope over the tasks without forces
#define CHEAP 1e-4    // weight of the forces themselves
#define TOUCHES 0.08  // legs: corners of a sole so far above its lowest one do not bear

// Weights of the tasks: centre of mass ahead, aside, up, in g; turns of the trunk about them.
static void weigh_tasks(const er_walker *w, double weight[6])
{
    double turn = 0.5 * w->leg_length;
    const double by[6] = {0.2, 0.2, 1.0, turn, turn, 0.3 * turn};
    for (int i = 0; i < 6; ++i)
        weight[i] = by[i] / w->g;
}

// Task accelerations by a root's: along ahead, aside, up.
static void tasks_of(const er_walker *w, const double root[6], const double wrench[6], double out[6])
{
    er_vec3 shift, turn, force, torque;
    eri_split(root, &shift, &turn);
    eri_split(wrench, &force, &torque);
    eri_join(er_v3(er_v3_dot(force, w->ahead) / w->mass, er_v3_dot(force, w->aside) / w->mass,
                   er_v3_dot(force, w->up) / w->mass),
             er_v3(er_v3_dot(turn, w->ahead), er_v3_dot(turn, w->aside), er_v3_dot(turn, w->up)), out);
}

static void multiply(double a[6][6], const double x[6], double out[6])
{
    for (int i = 0; i < 6; ++i) {
        out[i] = 0.0;
        for (int j = 0; j < 6; ++j)
            out[i] += a[i][j] * x[j];
    }
}

// Finds the corners of a sole that touch the ground, as far as its tilt tells.
static void find_touching(const er_walker *w, const eri_walk_leg *leg, bool touches[ERI_WALK_POINTS])
{
    double height[ERI_WALK_POINTS], low = HUGE_VAL;
    for (int k = 0; k < leg->point_count; ++k) {
        height[k] = er_v3_dot(er_pose_point(w->body[leg->point_body[k]].pose, leg->point[k]), leg->normal);
        low = fmin(low, height[k]);
    }
    for (int k = 0; k < leg->point_count; ++k)
        touches[k] = height[k] < low + TOUCHES * w->leg_length;
}

static int list_edges(er_walker *w, double inverse[6][6], const double weight[6], eri_walk_edge *out)
{
    int count = 0;
    for (int i = 0; i < w->leg_count; ++i) {
        eri_walk_leg *leg = &w->leg[i];
        eri_walk_step *step = &w->memory_step[i];
        bool touches[ERI_WALK_POINTS] = {false};
        if (step->stands) find_touching(w, leg, touches);
        for (int k = 0; k < ERI_WALK_PUSHES; ++k)
            if (!touches[k / ERI_WALK_EDGES]) step->push[k] = 0.0;
        er_vec3 across[2] = {er_v3_unit(er_v3_cross(w->aside, leg->normal), w->ahead)};
        across[1] = er_v3_cross(leg->normal, across[0]);
        for (int k = 0; k < leg->point_count * ERI_WALK_EDGES; ++k) {
            int point = k / ERI_WALK_EDGES, e = k % ERI_WALK_EDGES;
            if (!touches[point]) continue;
            eri_walk_edge *g = &out[count++];
            double root[6];
            g->body = leg->point_body[point];
            g->push = &step->push[k];
            g->at = er_pose_point(w->body[g->body].pose, leg->point[point]);
            g->force = er_v3_madd(leg->normal, e & 1 ? -w->def.friction : w->def.friction, across[e / 2]);
            g->force = er_v3_scale(w->mass * w->g, g->force);
            eri_join(g->force, er_v3_cross(er_v3_sub(g->at, w->centre), g->force), g->wrench);
            multiply(inverse, g->wrench, root);
            tasks_of(w, root, g->wrench, g->effect);
            for (int a = 0; a < 6; ++a)
                g->effect[a] *= weight[a];
        }
    }
    return count;
}

// ---- The least squares' problem: |start + E push|^2 + CHEAP |push|^2, push >= 0
//
// With r = start + E push, an edge pushes by max(0, -e r) / CHEAP, so r minimises the smooth convex function
// |r - start|^2 / 2 + sum min(0, e r)^2 / (2 CHEAP) of six numbers. Newton's method ends at its minimum exactly.

static double dot6(const double a[6], const double b[6])
{
    double sum = 0.0;
    for (int i = 0; i < 6; ++i)
        sum += a[i] * b[i];
    return sum;
}

// The slope of the function, and its curvature.
static void slope_of(const eri_walk_edge *g, int count, const double start[6], const double r[6], double slope[6],
                     double curve[6][6])
{
    for (int i = 0; i < 6; ++i) {
        slope[i] = r[i] - start[i];
        for (int k = 0; k < 6; ++k)
            curve[i][k] = i == k;
    }
    for (int j = 0; j < count; ++j) {
        double along = dot6(g[j].effect, r);
        for (int i = 0; i < 6 && along < 0.0; ++i) {
            slope[i] += along / CHEAP * g[j].effect[i];
            for (int k = 0; k <= i; ++k)
                curve[i][k] += g[j].effect[i] * g[j].effect[k] / CHEAP;
        }
    }
}

// The slope along a step.
static double slope_along(const eri_walk_edge *g, int count, const double start[6], const double r[6],
                          const double step[6], double t)
{
    double at[6], sum = 0.0;
    for (int i = 0; i < 6; ++i) {
        at[i] = r[i] + t * step[i];
        sum += (at[i] - start[i]) * step[i];
    }
    for (int j = 0; j < count; ++j) {
        double along = dot6(g[j].effect, at);
        if (along < 0.0) sum += along / CHEAP * dot6(g[j].effect, step);
    }
    return sum;
}

// The share of a step that minimises the function, to a tenth of its slope at the beginning.
static double share_of(const eri_walk_edge *g, int count, const double start[6], const double r[6],
                       const double step[6])
{
    double low = 0.0, high = 1.0, at_low = slope_along(g, count, start, r, step, 0.0), enough = 0.1 * fabs(at_low);
    double at_high = slope_along(g, count, start, r, step, 1.0), t = 1.0;
    if (at_high <= enough) return 1.0;
    for (int k = 0; k < MOST_SEARCH; ++k) {
        t = low + (high - low) * eri_clamp(at_low / (at_low - at_high), 0.05, 0.95);
        double now = slope_along(g, count, start, r, step, t);
        if (fabs(now) <= enough) break;
        if (now < 0.0)
            low = t, at_low = now;
        else
            high = t, at_high = now;
    }
    return t;
}

static void minimise(eri_walk_edge *g, int count, const double start[6])
{
    double r[6], step[6], curve[6][6], size = sqrt(dot6(start, start));
    for (int i = 0; i < 6; ++i)
        r[i] = start[i];
    for (int j = 0; j < count; ++j)
        for (int i = 0; i < 6; ++i)
            r[i] += *g[j].push * g[j].effect[i];
    for (int round = 0; round < MOST_ROUNDS; ++round) {
        slope_of(g, count, start, r, step, curve);
        if (dot6(step, step) <= SETTLED * SETTLED * size * size) break;
        eri_cholesky(curve, 6);
        for (int i = 0; i < 6; ++i)
            step[i] = -step[i];
        eri_cholesky_solve(curve, 6, step);
        double share = share_of(g, count, start, r, step);
        for (int i = 0; i < 6; ++i)
            r[i] += share * step[i];
    }
    for (int j = 0; j < count; ++j) {
        double along = dot6(g[j].effect, r);
        *g[j].push = along < 0.0 ? -along / CHEAP : 0.0;
    }
}

// The tasks' accelerations without a force of the ground: it falls, and its joints turn the trunk.
static void fall_freely(const er_walker *w, double inverse[6][6], double out[6])
{
    const double none[6] = {0};
    double root[6];
    multiply(inverse, w->bias, root);
    for (int i = 0; i < 6; ++i)
        root[i] = -root[i];
    tasks_of(w, root, none, out);
    out[2] -= w->g;
    out[3] += er_v3_dot(w->trunk_rate, w->ahead);
    out[4] += er_v3_dot(w->trunk_rate, w->aside);
    out[5] += er_v3_dot(w->trunk_rate, w->up);
}

void eri_walk_push(er_walker *w, double root[6])
{
    eri_walk_edge *g = w->edge;
    double inverse[6][6], weight[6], off[6], wrench[6];
    eri_invert6(w->inertia, inverse);
    weigh_tasks(w, weight);
    fall_freely(w, inverse, off);
    for (int i = 0; i < 6; ++i)
        off[i] = weight[i] * (off[i] - w->wanted[i]);
    int count = list_edges(w, inverse, weight, g);
    minimise(g, count, off);
    for (int i = 0; i < 6; ++i)
        wrench[i] = -w->bias[i];
    for (int i = 0; i < w->body_count; ++i)
        w->ground[w->order[i]] = (er_wrench){{0, 0, 0}, {0, 0, 0}};
    for (int j = 0; j < count; ++j) {
        er_wrench *on = &w->ground[g[j].body];
        er_vec3 force = er_v3_scale(*g[j].push, g[j].force);
        on->force = er_v3_add(on->force, force);
        on->torque = er_v3_add(on->torque, er_v3_cross(er_v3_sub(g[j].at, w->body[g[j].body].centre), force));
        for (int a = 0; a < 6; ++a)
            wrench[a] += *g[j].push * g[j].wrench[a];
    }
    multiply(inverse, wrench, root);
}
