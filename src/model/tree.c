// Spanning trees, grown from roots along joints.
#include "model/tree.h"

#include <assert.h>
#include <string.h>

er_result eri_tree_reserve(er_arena *arena, er_arena *scratch, int bodies, int joints, eri_tree *out)
{
    er_result r = ER_OK;
    *out = (eri_tree){.cycle = -1};
    ERI_TRY_RESERVE(out->link, arena, eri_link, bodies);
    ERI_TRY_RESERVE(out->link_of_body, arena, int, bodies);
    ERI_TRY_RESERVE(out->has_joint, arena, bool, joints);
    ERI_TRY_RESERVE(out->start, scratch, int, (size_t)bodies + 2);
    ERI_TRY_RESERVE(out->joint, scratch, int, 2 * (size_t)joints);
    ERI_TRY_RESERVE(out->next, scratch, int, (size_t)bodies + 1);
done:
    return r;
}

static bool is_ground(const eri_tree *t, int body)
{
    return body < 0 || (t->held != NULL && t->held[body]);
}

static int node_of(const eri_tree *t, int body)
{
    return is_ground(t, body) ? t->model->body_count : body;
}

void eri_tree_begin(eri_tree *t, const er_model *m, const bool *held, const bool *used)
{
    const int n = m->body_count;
    t->model = m;
    t->held = held;
    t->link_count = 0;
    t->cycle = -1;
    memset(t->link_of_body, -1, (size_t)n * sizeof *t->link_of_body);
    for (int k = 0; k < m->joint_count; ++k)
        t->has_joint[k] = false;
    memset(t->start, 0, ((size_t)n + 2) * sizeof *t->start);
    for (int pass = 0; pass < 2; ++pass) { // count, then fill backwards so that rows stay in joint order
        for (int k = m->joint_count - 1; k >= 0; --k) {
            const er_joint *j = &m->joint[k];
            int ends[2] = {node_of(t, j->child), node_of(t, j->parent)};
            if (ends[0] == ends[1] || (used != NULL ? !used[k] : j->closes_loop)) continue;
            for (int e = 0; e < 2; ++e)
                if (pass == 0)
                    t->start[ends[e]]++;
                else
                    t->joint[--t->start[ends[e]]] = k;
        }
        for (int i = 0; i <= n && pass == 0; ++i)
            t->start[i + 1] += t->start[i];
    }
    memcpy(t->next, t->start, ((size_t)n + 1) * sizeof *t->next);
}

static void add_link(eri_tree *t, int body, int joint, int above)
{
    const er_joint *j = joint >= 0 ? &t->model->joint[joint] : NULL;
    t->link[t->link_count] = (eri_link){.body = body,
                                        .joint = joint,
                                        .parent = is_ground(t, above) ? -1 : t->link_of_body[above],
                                        .above = above,
                                        .size = 1,
                                        .type = j != NULL ? j->type : ER_JOINT_FREE,
                                        .pitch = j != NULL ? j->pitch : 0.0,
                                        .coordinate = j != NULL ? t->model->coordinate[joint] : -1,
                                        .inverse = j != NULL && j->child != body};
    t->link_of_body[body] = t->link_count++;
    if (j != NULL) t->has_joint[joint] = true;
}

// Adds the next body that a joint of this node leads to; false if there is none.
static bool add_child(eri_tree *t, int node)
{
    while (t->next[node] < t->start[node + 1]) {
        int k = t->joint[t->next[node]++];
        const er_joint *j = &t->model->joint[k];
        bool down = node_of(t, j->parent) == node;
        int far = down ? j->child : j->parent;
        if (t->has_joint[k]) continue;
        if (!is_ground(t, far) && t->link_of_body[far] < 0) {
            add_link(t, far, k, down ? j->parent : j->child);
            return true;
        }
        if (t->cycle < 0) t->cycle = k;
    }
    return false;
}

void eri_tree_grow(eri_tree *t, int root, eri_tree_order order)
{
    const int first = t->link_count, top = root >= 0 ? first : -1;
    assert(root >= 0 || first == 0);
    if (root >= 0) add_link(t, root, -1, -1);
    for (int at = top;;) {
        bool added = add_child(t, at >= 0 ? t->link[at].body : t->model->body_count);
        if (order == ERI_DEPTH_FIRST) {
            if (!added && at == top) break;
            at = added ? t->link_count - 1 : t->link[at].parent;
        } else if (!added && ++at == t->link_count) {
            break;
        }
    }
    for (int i = t->link_count - 1; i >= first; --i)
        if (t->link[i].parent >= 0) t->link[t->link[i].parent].size += t->link[i].size;
}
