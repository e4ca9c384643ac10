// The product with the reduced operator A of docs/theory.md 5, with or without loops.
#include "modal/reduced.h"

void eri_reduced_apply(eri_reduced *s, const eri_lanes *y, const eri_lanes *force, eri_lanes *Ay, eri_lanes *unsprung,
                       eri_lanes *twist)
{
    if (s->pencil != NULL)
        eri_loop_pencil_apply(s->pencil, s->tree, s->condensed, y, force, Ay, unsprung, twist);
    else
        eri_condensed_apply(s->condensed, s->tree, y, force, Ay, unsprung, twist);
}
