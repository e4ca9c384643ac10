// The reduced operator A of docs/theory.md 5, of a rig with its loops closed or without any.
#include "modal/solver.h"

void er_reduced_apply(er_reduced *s, const er_lanes *y, const er_lanes *force, er_lanes *Ay, er_lanes *unsprung,
                      er_lanes *twist)
{
    if (s->closed != NULL)
        er_closed_apply(s->closed, s->tree, s->condensed, y, force, Ay, unsprung, twist);
    else
        er_condensed_apply(s->condensed, s->tree, y, force, Ay, unsprung, twist);
}
