/// @file
/// Rows of rolling and spinning friction: torques between two touching shapes, bounded by a length times the normal
/// force (docs/math/contact.md, Rolling and spinning friction).
#include <math.h>

#include "dynamics/contact/bounded_rows.h"

static void add_row(const er_world *w, eri_manifold *m, const eri_contact_point *c, er_vec3 axis, eri_row_law law,
                    double bound)
{
    eri_contacts *s = w->contacts;
    eri_bounded_row *row = &s->rows.row[s->rows.count++];
    *row = (eri_bounded_row){.law = law, .manifold = m, .side_count = 2, .axis = axis, .bound = bound};
    for (int k = 0; k < 2; ++k) {
        er_vec3 turn = er_v3_scale(k == 0 ? -1.0 : 1.0, axis);
        row->side[k].body = s->broad.shape[c->shape[k]].body;
        row->side[k].limb = s->bodies.limb[c->shape[k]];
        row->side[k].J = (eri_lanes){turn.x, turn.y, turn.z};
    }
    row->impulse = er_v3_dot(axis, m->turn);
}

void eri_rolling_rows_list(er_world *w)
{
    eri_contacts *s = w->contacts;
    for (int i = 0; i < s->narrow.now.manifold_count && s->rows.rolls; ++i) {
        eri_manifold *m = &s->narrow.now.manifold[i];
        const eri_contact_point *c = &s->narrow.now.point[m->first];
        const er_world_shape *a = &s->broad.shape[c->shape[0]], *b = &s->broad.shape[c->shape[1]];
        double roll = fmax(a->rolling, b->rolling), spin = fmax(a->spinning, b->spinning), load = 0.0;
        if (eri_contact_is_asleep(s, c)) continue;
        for (int k = 0; k < m->count; ++k)
            load += c[k].impulse[0]; // of the last sub-step: the present one is not known before it is solved
        const eri_contact_frame frame = eri_contact_frame_of(c);
        for (int d = 1; d < 3 && roll > 0.0; ++d)
            add_row(w, m, c, frame.axis[d], ERI_LAW_ROLL, roll * load);
        if (spin > 0.0) add_row(w, m, c, frame.axis[0], ERI_LAW_SPIN, spin * load);
        m->turn = er_v3(0, 0, 0);
    }
}
