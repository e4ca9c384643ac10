// The spanning forest: roots chosen, links in preorder, columns of joints at a pose, twists of coordinates' rates.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "model/forest/forest_sweep.h"
#include "model/joint_graph.h"

// The search for the forest works on nodes: the bodies, then the world.
typedef struct eri_forest_builder {
    const er_model *model;
    double *mass, *branch; // of a node's subtree, of its heaviest child's
    int nodes;
    int *set;               // union-find
    int *start, *edge;      // joints at each node: compressed rows
    bool *used;             // joints of the tree
    int *parent, *by;       // node and joint it is reached from; parent -1 for a root
    int *order;             // nodes, parents first
    int *size, *heavy, *at; // links in the subtree, the child with the most, place in preorder
    int count;              // nodes in order so far
    double *stiffness;      // [coordinate_count]
} forest;

static int find_set(int *set, int i)
{
    while (set[i] != i)
        i = set[i] = set[set[i]];
    return i;
}

// The model's tree joints first; then those that close loops by name but tie what is not tied yet.
static void choose_joints(forest *f)
{
    int *set = f->set;
    for (int i = 0; i < f->nodes; ++i)
        set[i] = i;
    for (int pass = 0; pass < 2; ++pass)
        for (int k = 0; k < f->model->joint_count; ++k) {
            const er_joint *j = &f->model->joint[k];
            if (j->closes_loop != (pass == 1)) continue;
            int a = find_set(set, j->child), b = find_set(set, j->parent < 0 ? f->model->body_count : j->parent);
            f->used[k] = a != b;
            set[a] = b;
        }
}

// Breadth first from `root`, appended to the order.
static void walk(forest *f, int root)
{
    int head = f->count;
    f->parent[root] = f->by[root] = -1;
    f->order[f->count++] = root;
    while (head < f->count) {
        int node = f->order[head++];
        for (int e = f->start[node]; e < f->start[node + 1]; ++e) {
            int k = f->edge[e], other = eri_joint_far_node(f->model, k, node);
            if (k == f->by[node]) continue;
            f->parent[other] = node;
            f->by[other] = k;
            f->order[f->count++] = other;
        }
    }
}

static void weigh_branches(forest *f, int first)
{
    for (int i = first; i < f->count; ++i) {
        f->size[f->order[i]] = 1;
        f->heavy[f->order[i]] = -1;
    }
    for (int i = f->count - 1; i > first; --i) {
        int node = f->order[i], parent = f->parent[node];
        if (parent < 0) continue;
        f->size[parent] += f->size[node];
        if (f->heavy[parent] < 0 || f->size[node] >= f->size[f->heavy[parent]]) f->heavy[parent] = node;
    }
}

// The node of the tree just walked that leaves the lightest heaviest branch: a light root would lose its own inertia in
// the rounding of what it carries.
static int centre(const forest *f, int first)
{
    int root = f->order[first], best = root;
    double least = HUGE_VAL;
    for (int i = first; i < f->count; ++i) {
        f->mass[f->order[i]] = f->model->body[f->order[i]].mass;
        f->branch[f->order[i]] = 0.0;
    }
    for (int i = f->count - 1; i > first; --i) {
        int node = f->order[i], parent = f->parent[node];
        f->mass[parent] += f->mass[node];
        f->branch[parent] = fmax(f->branch[parent], f->mass[node]);
    }
    for (int i = first; i < f->count; ++i) {
        int node = f->order[i];
        double branch = fmax(f->branch[node], f->mass[root] - f->mass[node]);
        if (branch < least) {
            least = branch;
            best = node;
        }
    }
    return best;
}

// Walks every tree from its root: the world, then the centres of those that float.
static void walk_all(forest *f)
{
    int world = f->nodes - 1;
    f->count = 0;
    for (int i = 0; i < f->nodes; ++i)
        f->parent[i] = -2; // not met
    walk(f, world);
    weigh_branches(f, 0);
    for (int i = 0; i < world; ++i) {
        if (f->parent[i] != -2) continue;
        int first = f->count;
        walk(f, i);
        weigh_branches(f, first);
        int root = centre(f, first);
        f->count = first;
        walk(f, root);
        weigh_branches(f, first);
    }
}

// Places in preorder, the heaviest child last. The world takes no place.
static void place(forest *f)
{
    int world = f->nodes - 1, next = 0;
    for (int i = 0; i < f->count; ++i) {
        int node = f->order[i];
        if (f->parent[node] < 0) {
            f->at[node] = node == world ? -1 : next;
            next += f->size[node] - (node == world);
        }
        int place = f->at[node] + 1;
        for (int e = f->start[node]; e < f->start[node + 1]; ++e) {
            int child = eri_joint_far_node(f->model, f->edge[e], node);
            if (f->edge[e] == f->by[node] || child == f->heavy[node]) continue;
            f->at[child] = place;
            place += f->size[child];
        }
        if (f->heavy[node] >= 0) f->at[f->heavy[node]] = place;
    }
}

// The columns of a joint, or of a root that floats, in the order of its coordinates.
static void set_columns(const er_model *model, eri_tree_link *l)
{
    int axis[6] = {0, 1, 2, 3, 4, 5};
    l->turns = l->joint >= 0;
    l->freedom = l->joint >= 0 ? er_joint_type_freedom(model->joint[l->joint].type, axis) : 6;
    for (int c = 0; c < l->freedom; ++c) {
        l->coordinate[c] = l->joint >= 0 ? model->coordinate[l->joint] + c : -1;
        l->turns = l->turns && axis[c] < 3 && model->joint[l->joint].pitch == 0.0;
        if (l->joint < 0) l->S[c][c] = 1.0;
    }
}

static void set_point(eri_tree_link *l, er_vec3 p)
{
    l->point[0] = p.x;
    l->point[1] = p.y;
    l->point[2] = p.z;
}

static er_vec3 link_point(const eri_tree_link *l)
{
    return er_v3(l->point[0], l->point[1], l->point[2]);
}

// Free turns about their axes, shifts along those of the frame, through its origin. The tree may run from the child to
// the parent, which moves the other way.
static void set_directions(const er_model *model, eri_tree_link *l, const er_pose *pose)
{
    const er_joint *j = &model->joint[l->joint];
    eri_joint_frame frame = eri_joint_frame_at(model, l->joint, pose);
    er_mat3 R = er_m3_from_q(frame.at.q), turn = er_m3_mul(R, frame.axis);
    double sign = j->child == l->body ? 1.0 : -1.0;
    int axis[6];
    er_joint_type_freedom(j->type, axis);
    for (int c = 0; c < l->freedom; ++c) {
        int k = axis[l->coordinate[c] - model->coordinate[l->joint]];
        for (int i = 0; i < 3; ++i)
            l->S[c][i + (k < 3 ? 0 : 3)] = sign * (k < 3 ? turn.m[i][k] : R.m[i][k - 3]);
        double lead = k == 2 && j->pitch != 0.0 ? er_v3_dot(frame.lead, er_m3_column(frame.axis, 2)) : 0.0;
        for (int i = 0; i < 3 && lead != 0.0; ++i)
            l->S[c][i + 3] = sign * lead * R.m[i][2];
    }
    set_point(l, frame.at.p);
}

static er_pose body_pose(const er_body *body, const er_pose *pose, int index)
{
    return pose != NULL ? pose[index] : body[index].pose;
}

static er_vec3 centre_of_mass(const eri_forest *t, const eri_tree_link *root, const er_body *body, const er_pose *pose)
{
    er_vec3 moment = er_v3(0, 0, 0);
    double mass = 0.0;
    for (const eri_tree_link *l = root; l < t->link + root->end; ++l) {
        const er_body *b = &body[l->body];
        moment = er_v3_madd(moment, b->mass, er_pose_point(body_pose(body, pose, l->body), b->com));
        mass += b->mass;
    }
    assert(mass > 0.0);
    return er_v3_scale(1.0 / mass, moment);
}

static void set_inertias(eri_forest *t, const er_body *body, const er_pose *pose)
{
    for (int i = 0; i < t->link_count; ++i) {
        eri_tree_link *l = &t->link[i];
        const er_body *b = &body[l->body];
        er_pose at = body_pose(body, pose, l->body);
        er_mat3 R = er_m3_from_q(at.q), J = er_m3_mul(er_m3_mul(R, b->inertia), er_m3_transpose(R));
        er_vec3 c = er_v3_sub(er_pose_point(at, b->com), link_point(l));
        const double inertia[6] = {J.m[0][0], J.m[1][1], J.m[2][2], J.m[0][1], J.m[0][2], J.m[1][2]};
        memcpy(l->inertia, inertia, sizeof inertia);
        l->mass = b->mass;
        l->c[0] = c.x;
        l->c[1] = c.y;
        l->c[2] = c.z;
    }
}

void eri_forest_set_bodies(eri_forest *t, const er_body *body)
{
    set_inertias(t, body, NULL);
}

void eri_forest_set_pose(eri_forest *t, const er_body *body, const er_pose *pose)
{
    for (int i = 0; i < t->link_count; ++i) {
        eri_tree_link *l = &t->link[i];
        if (l->joint >= 0)
            set_directions(t->model, l, pose);
        else
            set_point(l, centre_of_mass(t, l, body, pose));
        for (int k = 0; k < 3; ++k)
            l->r[k] = l->parent < 0 ? 0.0 : l->point[k] - t->link[l->parent].point[k];
    }
    for (int k = 0; k < t->loop_count; ++k)
        t->loop_frame[k] = eri_joint_frame_at(t->model, t->loop[k], pose);
    set_inertias(t, body, pose);
}

static void swap_columns(eri_tree_link *l, int a, int b)
{
    int coordinate = l->coordinate[a];
    l->coordinate[a] = l->coordinate[b];
    l->coordinate[b] = coordinate;
    for (int i = 0; i < 6; ++i) {
        double s = l->S[a][i];
        l->S[a][i] = l->S[b][i];
        l->S[b][i] = s;
    }
}

static bool is_unsprung(const eri_tree_link *l, int column, const double *stiffness)
{
    return l->coordinate[column] < 0 || stiffness[l->coordinate[column]] == 0.0;
}

// Springs first, either kind in the order of the model's coordinates.
static void order_columns(eri_tree_link *l, const double *stiffness)
{
    for (int i = 1; i < l->freedom; ++i)
        for (int c = i; c > 0; --c) {
            int before = is_unsprung(l, c - 1, stiffness), after = is_unsprung(l, c, stiffness);
            if (before > after || (before == after && l->coordinate[c - 1] > l->coordinate[c]))
                swap_columns(l, c - 1, c);
        }
    l->spring_count = 0;
    while (l->spring_count < l->freedom && !is_unsprung(l, l->spring_count, stiffness))
        ++l->spring_count;
}

void eri_forest_set_stiffness(eri_forest *t, const double *stiffness)
{
    t->spring_count = t->unsprung_count = t->rigid_count = 0;
    for (int i = 0; i < t->link_count; ++i) {
        eri_tree_link *l = &t->link[i];
        order_columns(l, stiffness);
        l->spring = t->spring_count;
        l->unsprung = t->unsprung_count;
        t->spring_count += l->spring_count;
        t->unsprung_count += l->freedom - l->spring_count;
        if (eri_tree_link_roots(t, l)) t->rigid_count += l->freedom - l->spring_count;
        for (int c = 0; c < l->spring_count; ++c) {
            assert(l->coordinate[c] >= 0 && l->coordinate[c] < t->model->coordinate_count);
            t->stiffness[l->spring + c] = stiffness[l->coordinate[c]];
            t->scale[l->spring + c] = 1.0 / sqrt(stiffness[l->coordinate[c]]);
        }
    }
}

bool eri_tree_link_roots(const eri_forest *t, const eri_tree_link *l)
{
    return l->parent < 0 && (l->joint < 0 || t->model->joint[l->joint].type == ER_JOINT_FREE);
}

static void make_links(eri_forest *t, const forest *f)
{
    int world = f->nodes - 1;
    for (int n = 0; n < world; ++n) {
        eri_tree_link *l = &t->link[f->at[n]];
        int parent = f->parent[n];
        l->body = n;
        l->joint = f->by[n];
        l->parent = parent < 0 || parent == world ? -1 : f->at[parent];
        l->end = f->at[n] + f->size[n];
        l->last = parent >= 0 && parent != world && f->heavy[parent] == n;
        t->link_of_body[n] = f->at[n];
        set_columns(t->model, l);
    }
    for (int i = 0; i < t->link_count; ++i) { // the last child takes over its parent's slot
        eri_tree_link *l = &t->link[i];
        int slot = l->parent < 0 ? 0 : t->link[l->parent].slot + !l->last;
        l->up_slot = l->parent < 0 ? -1 : t->link[l->parent].slot;
        l->slot = l->end > i + 1 ? slot : -1;
        if (slot >= t->slot_count) t->slot_count = slot + 1;
        assert(l->parent < i && l->end > i && l->end <= (l->parent < 0 ? t->link_count : t->link[l->parent].end));
    }
}

er_result eri_forest_reserve(er_arena *arena, er_arena *scratch, const eri_forest_extent *most, eri_forest **out)
{
    er_result r = ER_OK;
    eri_forest *t;
    forest *f;
    ERI_TRY_NEW(t, arena, eri_forest, 1);
    ERI_TRY_RESERVE(t->link, arena, eri_tree_link, most->bodies);
    ERI_TRY_RESERVE(t->link_of_body, arena, int, most->bodies);
    ERI_TRY_RESERVE(t->loop, arena, int, most->joints);
    ERI_TRY_RESERVE(t->loop_frame, arena, eri_joint_frame, most->joints);
    ERI_TRY_RESERVE(t->stiffness, arena, double, most->coordinates);
    ERI_TRY_RESERVE(t->scale, arena, double, most->coordinates);
    ERI_TRY_NEW(f, scratch, forest, 1);
    ERI_TRY_RESERVE(f->used, scratch, bool, most->joints);
    ERI_TRY_RESERVE(f->edge, scratch, int, 2 * (size_t)most->joints);
    ERI_TRY_RESERVE(f->start, scratch, int, (size_t)most->bodies + 2);
    int **const lists[] = {&f->set, &f->parent, &f->by, &f->order, &f->size, &f->heavy, &f->at};
    for (size_t i = 0; i < ERI_COUNT(lists); ++i)
        ERI_TRY_RESERVE(*lists[i], scratch, int, (size_t)most->bodies + 1);
    ERI_TRY_RESERVE(f->mass, scratch, double, (size_t)most->bodies + 1);
    ERI_TRY_RESERVE(f->branch, scratch, double, (size_t)most->bodies + 1);
    ERI_TRY_RESERVE(f->stiffness, scratch, double, most->coordinates);
    t->forest = f;
    *out = t;
done:
    return r;
}

void eri_forest_fill(eri_forest *t, const er_model *model)
{
    forest *f = t->forest;
    f->model = t->model = model;
    f->nodes = model->body_count + 1;
    choose_joints(f);
    eri_joint_graph(model, f->used, f->start, f->edge);
    walk_all(f);
    place(f);
    assert(f->count == f->nodes); // every body is met once
    t->link_count = model->body_count;
    t->slot_count = t->loop_count = 0;
    memset(t->link, 0, (size_t)t->link_count * sizeof *t->link);
    for (int k = 0; k < model->joint_count; ++k) {
        if (!f->used[k]) t->loop[t->loop_count++] = k;
        for (int c = model->coordinate[k]; c < model->coordinate[k + 1]; ++c)
            f->stiffness[c] = model->joint[k].stiffness[c - model->coordinate[k]];
    }
    make_links(t, f);
    assert(t->slot_count <= ERI_TREE_SLOTS);
    eri_forest_set_pose(t, model->body, NULL);
    eri_forest_set_stiffness(t, f->stiffness);
}

er_result eri_forest_create(er_arena *arena, const er_model *model, eri_forest **out)
{
    er_result r = ER_OK;
    er_arena *scratch = NULL;
    eri_forest_extent most = {model->body_count, model->joint_count, model->coordinate_count};
    ERI_TRY(eri_arena_create(eri_arena_context(arena), &scratch));
    ERI_TRY(eri_forest_reserve(arena, scratch, &most, out));
    eri_forest_fill(*out, model);
    (*out)->forest = NULL;
done:
    eri_arena_destroy(scratch);
    return r;
}

ERI_LANES static void twists(const eri_forest *t, const eri_lanes *y, const eri_lanes *unsprung, eri_lanes *twist)
{
    for (int i = 0; i < t->link_count; ++i) {
        const eri_tree_link *l = &t->link[i];
        eri_spatial a = {{{0}}};
        if (l->parent >= 0) {
            memcpy(a.x, twist + 6 * (size_t)l->parent, sizeof a);
            eri_twist_to_child(&a, l->r);
        }
        for (int c = 0; c < l->freedom; ++c) {
            bool spring = c < l->spring_count;
            eri_lanes rate =
                spring ? y[l->spring + c] * t->scale[l->spring + c] : unsprung[l->unsprung + c - l->spring_count];
            for (int k = 0; k < 6; ++k)
                a.x[k] += l->S[c][k] * rate;
        }
        memcpy(twist + 6 * (size_t)i, a.x, sizeof a);
    }
}

void eri_forest_twists(const eri_forest *t, const eri_lanes *y, const eri_lanes *unsprung, eri_lanes *twist)
{
    twists(t, y, unsprung, twist);
}
