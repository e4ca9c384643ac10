// Undo and redo. Whole steps are kept, so that undo restores them to the bit.
#include <stdlib.h>
#include <string.h>

#include "app/session/session_inside.h"

static step *step_copy(const step *from)
{
    step *copy = malloc(sizeof *copy);
    if (copy == NULL) return NULL;
    *copy = *from;
    session_step_share(copy);
    return copy;
}

static void step_free(step *p)
{
    if (p == NULL) return;
    session_step_drop(p);
    free(p);
}

static void clear_future(session_history *h)
{
    while (h->future_count > 0)
        step_free(h->future[--h->future_count]);
}

void session_clear_history(session_history *h)
{
    clear_future(h);
    while (h->past_count > 0)
        step_free(h->past[--h->past_count]);
    h->open = false;
}

// Takes ownership. The oldest step is dropped when there are too many.
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
    return session_same_rig(a, b) && session_same_components(&a->setup, &b->setup) &&
           session_same_sequence(&a->setup, &b->setup);
}

er_result session_change(session *s, const step *next, bool end)
{
    session_history *h = &s->history;
    er_result r = ER_OK;
    if (!same_step(&s->now, next)) {
        step *before = h->open ? NULL : step_copy(&s->now);
        if (before == NULL && !h->open) return eri_no_memory(s->context);
        r = session_apply(s, next, true, end);
        if (r != ER_OK) {
            step_free(before);
            return r;
        }
        if (before != NULL) push(h->past, &h->past_count, before);
        h->open = true;
    }
    if (end) session_commit(s);
    return r;
}

// Measures the playback that a drag left unmeasured; without memory it stays so.
static void measure_playback(session *s)
{
    playback *measured = NULL;
    if (!session_is_open(s) || s->in.playback->measured) return;
    if (session_make_playback(s->context, &s->in, &s->now.setup, true, &measured) != ER_OK) return;
    session_playback_destroy(s->in.playback);
    s->in.playback = measured;
}

void session_commit(session *s)
{
    session_history *h = &s->history;
    measure_playback(s);
    session_drop_tune_start(s->tune_from);
    s->tune_from = NULL;
    if (!h->open) return;
    h->open = false;
    if (same_step(h->past[h->past_count - 1], &s->now))
        step_free(h->past[--h->past_count]); // nothing changed in the end
    else
        clear_future(h);
}

bool session_can_undo(const session *s)
{
    return s->history.past_count > 0;
}

bool session_can_redo(const session *s)
{
    return s->history.future_count > 0 && !s->history.open;
}

// Takes the top step of one pile and puts the present one on the other.
static er_result exchange(session *s, step **from, int *from_count, step **to, int *to_count)
{
    if (*from_count == 0) return ER_OK;
    step *here = step_copy(&s->now), *there = from[*from_count - 1];
    if (here == NULL) return eri_no_memory(s->context);
    er_result r = session_apply(s, there, false, true);
    if (r != ER_OK) {
        step_free(here);
        return r;
    }
    --*from_count;
    step_free(there);
    push(to, to_count, here);
    return ER_OK;
}

er_result session_undo(session *s)
{
    session_history *h = &s->history;
    session_commit(s);
    return exchange(s, h->past, &h->past_count, h->future, &h->future_count);
}

er_result session_redo(session *s)
{
    session_history *h = &s->history;
    session_commit(s);
    return exchange(s, h->future, &h->future_count, h->past, &h->past_count);
}
