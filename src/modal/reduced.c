// The reduced operator A of docs/theory.md 5, of a rig with its loops closed or without any.
#include "modal/modal_solver.h"

void eri_reduced_apply(eri_reduced *s, const eri_lanes *y, const eri_lanes *force, eri_lanes *Ay, eri_lanes *unsprung,
                       eri_lanes *twist)
{
    if (s->closed != NULL)
        eri_closed_apply(s->closed, s->tree, s->condensed, y, force, Ay, unsprung, twist);
    else
        eri_condensed_apply(s->condensed, s->tree, y, force, Ay, unsprung, twist);
}
