// Impulses of contacts, summed from step to step: a frame's forces are means over all its steps, so that they give the
// change of momentum at any frame rate.
#include "app/project/contact_sums.h"

#include <math.h>
#include <stdlib.h>

#include "base/failure.h"

static const double near = 0.05; // of the rig's size: so far a point moves in a step and is the same

static int compare(const int a[2], const int b[2])
{
    return a[0] != b[0] ? (a[0] > b[0]) - (a[0] < b[0]) : (a[1] > b[1]) - (a[1] < b[1]);
}

static er_result reserve(er_context *context, project_contact_sums *s, int room)
{
    if (room <= s->room) return ER_OK;
    for (int i = 0; i < 2; ++i) {
        project_contact_sum **list = i == 0 ? &s->sum : &s->next;
        void *more = realloc(*list, 2 * (size_t)room * sizeof **list);
        if (more == NULL) return eri_no_memory(context);
        *list = more;
    }
    s->room = 2 * room;
    return ER_OK;
}

// Adds the impulse of the nearest earlier point of these shapes that no other has taken.
static void take_earlier(project_contact_sum *now, project_contact_sum *from, const project_contact_sum *to,
                         double most)
{
    project_contact_sum *best = NULL;
    for (project_contact_sum *old = from; old < to; ++old) {
        double apart = er_v3_distance(old->contact.point, now->contact.point);
        if (!old->taken && apart <= most) best = old, most = apart;
    }
    if (best == NULL) return;
    best->taken = true;
    now->contact.force = er_v3_add(now->contact.force, best->contact.force);
}

static project_contact_sum sum_of(const er_contact *c, const er_world_shape *shape)
{
    return (project_contact_sum){.contact = {.body = {shape[c->shape[0]].body, shape[c->shape[1]].body},
                                             .point = c->point,
                                             .normal = c->normal,
                                             .distance = c->distance,
                                             .force = c->impulse},
                                 .shape = {c->shape[0], c->shape[1]}};
}

// Copies the earlier points before some shapes that none has taken.   @return the first of the others
static int keep_earlier(project_contact_sums *s, int from, const int *before, int *count)
{
    for (; from < s->count && (before == NULL || compare(s->sum[from].shape, before) < 0); ++from)
        if (!s->sum[from].taken) s->next[(*count)++] = s->sum[from];
    return from;
}

// Both lists are sorted by shapes, so one pass merges them.
er_result project_contact_sums_add(er_context *context, const er_world *world, const er_model *model,
                                   const er_world_shape *shape, double seconds, project_contact_sums *s)
{
    int all = er_world_contact_count(world), count = 0, old = 0;
    er_result r = reserve(context, s, s->count + all);
    if (r != ER_OK) return r;
    for (int k = 0; k < all; ++k) {
        er_contact c = er_world_contact(world, k);
        if (c.distance > 0.0 && er_v3_norm(c.impulse) == 0.0) continue;
        project_contact_sum now = sum_of(&c, shape);
        old = keep_earlier(s, old, now.shape, &count);
        int end = old;
        while (end < s->count && compare(s->sum[end].shape, now.shape) == 0)
            ++end;
        take_earlier(&now, s->sum + old, s->sum + end, near * model->size);
        s->next[count++] = now;
    }
    keep_earlier(s, old, NULL, &count);
    project_contact_sum *was = s->sum;
    s->sum = s->next;
    s->next = was;
    s->count = count;
    s->seconds += seconds;
    return ER_OK;
}

er_result project_contact_sums_advance(er_context *context, er_world *world, const er_model *model,
                                       const er_world_shape *shape, double longest, double until,
                                       er_world_report *report, project_contact_sums *s)
{
    er_result r = ER_OK;
    double from = er_world_time(world), parts = fmax(ceil((until - from) / longest * (1.0 - 1e-9)), 1.0);
    if (!(until - (until - from) / parts < until)) parts = 1.0; // steps too short for the numbers: the world says so
    for (double k = 1.0; k <= parts && r == ER_OK; ++k) {
        er_world_report part = {0};
        r = er_world_advance(world, k < parts ? from + k / parts * (until - from) : until, &part);
        if (report != NULL) {
            report->steps += part.steps;
            report->rejected += part.rejected;
            report->evaluations += part.evaluations;
            report->corrections += part.corrections;
            report->gap = fmax(report->gap, part.gap);
        }
        if (r == ER_OK) r = project_contact_sums_add(context, world, model, shape, (until - from) / parts, s);
    }
    return r;
}

void project_contact_sums_restart(project_contact_sums *s)
{
    s->count = 0;
    s->seconds = 0.0;
}

void project_contact_sums_clear(project_contact_sums *s)
{
    free(s->sum);
    free(s->next);
    *s = (project_contact_sums){0};
}
