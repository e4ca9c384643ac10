/// @file
/// Pairs of bodies that do not collide, as a sorted list; combined friction and restitution.
#include "dynamics/pair_filter.h"

#include <math.h>
#include <stdlib.h>

static int compare(const void *first, const void *second)
{
    const er_body_pair *p = first, *q = second;
    return p->a != q->a ? (p->a > q->a) - (p->a < q->a) : (p->b > q->b) - (p->b < q->b);
}

static er_body_pair ascending(int a, int b)
{
    return a < b ? (er_body_pair){a, b} : (er_body_pair){b, a};
}

er_result eri_pair_filter_create(er_arena *arena, const er_world_def *def, eri_pair_filter *out)
{
    er_result r = ER_OK;
    *out = (eri_pair_filter){0};
    const er_model *model = def->model;
    ERI_TRY_NEW(out->pair, arena, er_body_pair, model->joint_count + def->apart_count);
    for (int k = 0; k < model->joint_count && !def->collide_connected; ++k) {
        const er_joint *j = &model->joint[k];
        if (j->parent < 0 && j->type != ER_JOINT_FIXED) continue;
        out->pair[out->count++] = ascending(j->parent, j->child);
    }
    for (int k = 0; k < def->apart_count; ++k)
        out->pair[out->count++] = ascending(def->apart[k].a, def->apart[k].b);
    qsort(out->pair, (size_t)out->count, sizeof *out->pair, compare);
done:
    return r;
}

bool eri_pair_filter_excludes(const eri_pair_filter *filter, int a, int b)
{
    const er_body_pair key = ascending(a, b);
    return bsearch(&key, filter->pair, (size_t)filter->count, sizeof key, compare) != NULL;
}

double eri_combine(er_combination rule, double a, double b)
{
    switch (rule) {
    case ER_COMBINE_AVERAGE:
        return 0.5 * (a + b);
    case ER_COMBINE_GEOMETRIC_MEAN:
        return sqrt(a * b);
    case ER_COMBINE_MINIMUM:
        return fmin(a, b);
    case ER_COMBINE_MAXIMUM:
        return fmax(a, b);
    case ER_COMBINE_MULTIPLY:
        break;
    }
    return a * b;
}
