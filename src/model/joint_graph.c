// The joints at each body and at the world.
#include "model/joint_graph.h"

#include <string.h>

void eri_joint_graph(const er_model *m, const bool *used, int *start, int *joint)
{
    memset(start, 0, ((size_t)m->body_count + 2) * sizeof *start);
    for (int pass = 0; pass < 2; ++pass) { // count, then fill backwards so that rows stay in joint order
        for (int k = m->joint_count - 1; k >= 0; --k) {
            if (used != NULL ? !used[k] : m->joint[k].closes_loop) continue;
            int child = m->joint[k].child, ends[2] = {child, eri_joint_far_node(m, k, child)};
            for (int e = 0; e < 2; ++e)
                if (pass == 0)
                    start[ends[e]]++;
                else
                    joint[--start[ends[e]]] = k;
        }
        for (int i = 0; i <= m->body_count && pass == 0; ++i)
            start[i + 1] += start[i];
    }
}
