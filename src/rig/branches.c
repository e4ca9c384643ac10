// Branches of rigid parts that are characters of their own: what is drawn of them stands apart at rest.
#include "base/disjoint.h"
#include "rig/build.h"

enum { MOST_BRANCHES = 300 }; // below one node; more are parts of one thing

#define FLAT 0.02 // of a box's longest side: a floor

typedef struct drawn_box {
    er_vec3 low, high; // of what is drawn; low > high of nothing
    bool character, moves, scenery;
} drawn_box;

static void widen(drawn_box *a, er_vec3 low, er_vec3 high)
{
    a->low = er_v3(fmin(a->low.x, low.x), fmin(a->low.y, low.y), fmin(a->low.z, low.z));
    a->high = er_v3(fmax(a->high.x, high.x), fmax(a->high.y, high.y), fmax(a->high.z, high.z));
}

static bool is_flat(const drawn_box *a)
{
    er_vec3 size = er_v3_sub(a->high, a->low);
    return fmin(fmin(size.x, size.y), size.z) < FLAT * fmax(fmax(size.x, size.y), size.z);
}

static bool contains(const drawn_box *a, const drawn_box *b)
{
    return a->low.x <= b->low.x && a->low.y <= b->low.y && a->low.z <= b->low.z && a->high.x >= b->high.x &&
           a->high.y >= b->high.y && a->high.z >= b->high.z;
}

static bool touch(const drawn_box *a, const drawn_box *b)
{
    return a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y && b->low.y <= a->high.y &&
           a->low.z <= b->high.z && b->low.z <= a->high.z;
}

// Measures the boxes of what is drawn at each node, and at or below it.
static void measure_drawn(const builder *b, drawn_box *at, drawn_box *below)
{
    const er_scene *s = b->scene;
    const drawn_box nothing = {.low = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, .high = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    for (int i = 0; i < s->node_count; ++i)
        at[i] = nothing;
    for (int k = 0; k < s->instance_count; ++k) {
        const er_instance *instance = &s->instance[k];
        const er_mesh *mesh = &s->mesh[instance->mesh];
        for (int v = 0; instance->skin < 0 && v < mesh->vertex_count; ++v) {
            const float *p = mesh->position + 3 * (size_t)v;
            er_vec3 point = er_affine_point(b->rest[instance->node], er_v3(p[0], p[1], p[2]));
            widen(&at[instance->node], point, point);
        }
    }
    for (int i = 0; i < s->node_count; ++i)
        below[i] = at[i];
    for (int i = s->node_count - 1; i >= 0; --i) {
        int p = s->node[i].parent;
        if (p >= 0) widen(&below[p], below[i].low, below[i].high);
    }
}

// Marks floors, and what a whole character is inside of: characters do not hang together by them.
static void mark_scenery(int count, drawn_box *all)
{
    for (int i = 0; i < count; ++i) {
        bool around = is_flat(&all[i]);
        for (int k = 0; k < count && !around; ++k)
            around = all[k].character && contains(&all[i], &all[k]);
        all[i].scenery = around && !all[i].moves;
    }
}

// Whether no two characters touch, or hang together by what is between them.
static bool stand_apart(int count, drawn_box *all)
{
    int set[MOST_BRANCHES + 1];
    bool seen[MOST_BRANCHES + 1] = {false}, apart = true;
    mark_scenery(count, all);
    for (int i = 0; i < count; ++i) {
        set[i] = i;
        for (int k = 0; k < i && !all[i].scenery; ++k)
            if (!all[k].scenery && touch(&all[i], &all[k])) set[eri_set_find(set, i)] = eri_set_find(set, k);
    }
    for (int i = 0; i < count; ++i) {
        bool *met = &seen[eri_set_find(set, i)];
        apart &= !(all[i].character && *met);
        *met |= all[i].character;
    }
    return apart;
}

er_result eri_rig_find_branches_apart(builder *b, const int *parts, int fewest, bool *apart)
{
    er_result r = ER_OK;
    const er_node *node = b->scene->node;
    int n = b->scene->node_count, *first, *next;
    drawn_box *at, *below;
    ERI_TRY_NEW(at, b->scratch, drawn_box, n);
    ERI_TRY_NEW(below, b->scratch, drawn_box, n);
    ERI_TRY_NEW(first, b->scratch, int, n); // child, from 1
    ERI_TRY_NEW(next, b->scratch, int, n);  // sibling, from 1
    measure_drawn(b, at, below);
    for (int i = n - 1; i >= 0; --i) {
        if (node[i].parent < 0) continue;
        next[i] = first[node[i].parent];
        first[node[i].parent] = i + 1;
    }
    for (int i = 0; i < n; ++i) {
        drawn_box all[MOST_BRANCHES + 1] = {at[i]};
        int count = 1, characters = 0, child = first[i];
        for (; child > 0 && count <= MOST_BRANCHES; child = next[child - 1]) {
            all[count] = below[child - 1];
            all[count].moves = parts[child - 1] > 0;
            all[count].character = parts[child - 1] >= fewest;
            characters += all[count++].character;
        }
        apart[i] = characters >= 2 && child == 0 && stand_apart(count, all);
    }
done:
    return r;
}
