// Undo and redo: steps as they were, so that what is undone is what was, to the bit.
#include <stdlib.h>
#include <string.h>

#include "studio/inside.h"

static step *step_copy(const step *from)
{
    step *copy = malloc(sizeof *copy);
    if (copy == NULL) return NULL;
    *copy = *from;
    studio_pose_share(copy->pose);
    return copy;
}

static void step_free(step *p)
{
    if (p == NULL) return;
    studio_pose_drop(p->pose);
    free(p);
}

static void clear_future(history *h)
{
    while (h->future_count > 0)
        step_free(h->future[--h->future_count]);
}

void studio_clear_history(history *h)
{
    clear_future(h);
    while (h->past_count > 0)
        step_free(h->past[--h->past_count]);
    h->open = false;
}

// Takes ownership; the oldest is forgotten when there are too many.
static void push(step **pile, int *count, step *p)
{
    if (*count == MOST_STEPS) {
        step_free(pile[0]);
        memmove(pile, pile + 1, (MOST_STEPS - 1) * sizeof *pile);
        --*count;
    }
    pile[(*count)++] = p;
}

static bool same_step(const step *a, const step *b)
{
    return studio_same_rig(a, b) && studio_same_voices(&a->setup, &b->setup);
}

er_result studio_change(studio *s, const step *next, bool end)
{
    history *h = &s->history;
    er_result r = ER_OK;
    if (!same_step(&s->now, next)) {
        step *before = h->open ? NULL : step_copy(&s->now);
        if (before == NULL && !h->open) return er_no_memory(s->context);
        r = studio_apply(s, next, true, end);
        if (r != ER_OK) {
            step_free(before);
            return r;
        }
        if (before != NULL) push(h->past, &h->past_count, before);
        h->open = true;
    }
    if (end) studio_step(s);
    return r;
}

// What a drag left to be measured. Without memory the sound stays as it is.
static void settle(studio *s)
{
    sound *measured = NULL;
    if (!studio_is_open(s) || s->in.sound->measured) return;
    if (studio_make_sound(s->context, &s->in, &s->now.setup, true, &measured) != ER_OK) return;
    studio_sound_destroy(s->in.sound);
    s->in.sound = measured;
}

void studio_step(studio *s)
{
    history *h = &s->history;
    settle(s);
    if (!h->open) return;
    h->open = false;
    if (same_step(h->past[h->past_count - 1], &s->now))
        step_free(h->past[--h->past_count]); // moved and back
    else
        clear_future(h);
}

bool studio_can_undo(const studio *s)
{
    return s->history.past_count > 0;
}

bool studio_can_redo(const studio *s)
{
    return s->history.future_count > 0 && !s->history.open;
}

// From one pile to the other, by way of what is in place.
static er_result travel(studio *s, step **from, int *from_count, step **to, int *to_count)
{
    if (*from_count == 0) return ER_OK;
    step *here = step_copy(&s->now), *there = from[*from_count - 1];
    if (here == NULL) return er_no_memory(s->context);
    er_result r = studio_apply(s, there, false, true);
    if (r != ER_OK) {
        step_free(here);
        return r;
    }
    --*from_count;
    step_free(there);
    push(to, to_count, here);
    return ER_OK;
}

er_result studio_undo(studio *s)
{
    history *h = &s->history;
    studio_step(s);
    return travel(s, h->past, &h->past_count, h->future, &h->future_count);
}

er_result studio_redo(studio *s)
{
    history *h = &s->history;
    studio_step(s);
    return travel(s, h->future, &h->future_count, h->past, &h->past_count);
}
