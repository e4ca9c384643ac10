/// @file
/// Reactions where constraints are redundant: the least ones.
#include "dynamics/world.h"

double eri_world_reaction_dot(const er_world *w, const er_wrench *a, const er_wrench *b)
{
    double turns = 0.0, shifts = 0.0, size = w->model->size;
    for (int j = 0; j < w->model->joint_count; ++j) {
        turns += er_v3_dot(a[j].torque, b[j].torque);
        shifts += er_v3_dot(a[j].force, b[j].force);
    }
    return turns / (size * size) + shifts;
}

static void add_wrench(er_wrench *sum, double factor, er_wrench f)
{
    sum->torque = er_v3_madd(sum->torque, factor, f.torque);
    sum->force = er_v3_madd(sum->force, factor, f.force);
}

void eri_world_least_reactions(const er_world *w, int count, er_wrench *null, er_wrench *reaction)
{
    int n = w->model->joint_count;
    for (int k = 0; k <= count; ++k) { // Gram and Schmidt; last the reactions themselves
        er_wrench *v = k < count ? null + (size_t)k * (size_t)n : reaction;
        for (int twice = 0; twice < 2; ++twice)
            for (int i = 0; i < k; ++i) {
                const er_wrench *e = null + (size_t)i * (size_t)n;
                double part = eri_world_reaction_dot(w, e, v);
                for (int j = 0; j < n; ++j)
                    add_wrench(&v[j], -part, e[j]);
            }
        if (k == count) return;
        double norm = sqrt(eri_world_reaction_dot(w, v, v));
        for (int j = 0; j < n; ++j) {
            v[j].torque = er_v3_scale(1.0 / norm, v[j].torque);
            v[j].force = er_v3_scale(1.0 / norm, v[j].force);
        }
    }
}
