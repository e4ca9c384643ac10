/// @file
/// Which bodies joints tie, as a sorted list.
#include "dynamics/tied.h"

#include <stdlib.h>

static int compare(const void *first, const void *second)
{
    const er_tied_pair *p = first, *q = second;
    return p->a != q->a ? (p->a > q->a) - (p->a < q->a) : (p->b > q->b) - (p->b < q->b);
}

static er_tied_pair ascending(int a, int b)
{
    return a < b ? (er_tied_pair){a, b} : (er_tied_pair){b, a};
}

er_result er_tied_create(er_arena *arena, const er_model *model, er_tied *out)
{
    er_result r = ER_OK;
    *out = (er_tied){0};
    ER_TRY_NEW(out->pair, arena, er_tied_pair, model->joint_count);
    for (int k = 0; k < model->joint_count; ++k) {
        const er_joint *j = &model->joint[k];
        if (j->parent < 0 && j->type != ER_JOINT_FIXED) continue;
        out->pair[out->count++] = ascending(j->parent, j->child);
    }
    qsort(out->pair, (size_t)out->count, sizeof *out->pair, compare);
done:
    return r;
}

bool er_tied_has(const er_tied *tied, int a, int b)
{
    const er_tied_pair key = ascending(a, b);
    return bsearch(&key, tied->pair, (size_t)tied->count, sizeof key, compare) != NULL;
}
