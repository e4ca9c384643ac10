// The spanning forest: roots chosen, links in preorder, columns of joints at a pose, twists of coordinates' rates.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/disjoint.h"
#include "model/forest/forest_sweep.h"

// Work space of the search for the forest.
typedef struct eri_forest_builder {
    int *set;              // [body_count + 1], union-find of bodies, and of the world
    bool *used;            // [joint_count], joints of the tree
    double *mass, *branch; // [body_count], of a link's subtree, of its heaviest child's
    int *root;             // [body_count], bodies that float
    int *heavy;            // [body_count + 1], of a node the joint to its largest branch, the world last; -1: none
    double *stiffness;     // [coordinate_count]
} forest;

// The model's tree joints first; then those that close loops by name but tie what is not tied yet.
static void choose_joints(forest *f, const er_model *model)
{
    int *set = f->set;
    for (int i = 0; i <= model->body_count; ++i)
        set[i] = i;
    for (int pass = 0; pass < 2; ++pass)
        for (int k = 0; k < model->joint_count; ++k) {
            const er_joint *j = &model->joint[k];
            if (j->closes_loop != (pass == 1)) continue;
            int a = eri_set_find(set, j->child), b = eri_set_find(set, j->parent < 0 ? model->body_count : j->parent);
            f->used[k] = a != b;
            set[a] = b;
        }
}

// The body of a tree, grown from its first link on, that leaves the lightest heaviest branch: a light root would lose
// its own inertia in the rounding of what it carries.
static int centre(const forest *f, const eri_tree *t, int first)
{
    int best = first;
    double least = HUGE_VAL;
    for (int i = first; i < t->link_count; ++i) {
        f->mass[i] = t->model->body[t->link[i].body].mass;
        f->branch[i] = 0.0;
    }
    for (int i = t->link_count - 1; i > first; --i) {
        int parent = t->link[i].parent;
        f->mass[parent] += f->mass[i];
        f->branch[parent] = fmax(f->branch[parent], f->mass[i]);
    }
    for (int i = first; i < t->link_count; ++i) {
        double branch = fmax(f->branch[i], f->mass[first] - f->mass[i]);
        if (branch < least) {
            least = branch;
            best = i;
        }
    }
    return t->link[best].body;
}

// The roots of trees that float: their centres.   @return how many
static int find_roots(forest *f, eri_tree *t)
{
    int count = 0;
    eri_tree_grow(t, -1, ERI_BREADTH_FIRST);
    for (int i = 0; i < t->model->body_count; ++i) {
        int first = t->link_count;
        if (t->link_of_body[i] >= 0) continue;
        eri_tree_grow(t, i, ERI_BREADTH_FIRST);
        f->root[count++] = centre(f, t, first);
    }
    return count;
}

static void grow_all(const forest *f, eri_tree *t, int roots)
{
    eri_tree_grow(t, -1, ERI_DEPTH_FIRST);
    for (int i = 0; i < roots; ++i)
        eri_tree_grow(t, f->root[i], ERI_DEPTH_FIRST);
}

// The largest branch of each node, of equal ones the first.
static void find_heavy(forest *f, const eri_tree *t)
{
    const int n = t->model->body_count;
    int *heavy = f->heavy;
    for (int i = 0; i <= n; ++i)
        heavy[i] = -1;
    for (int i = t->link_count - 1; i >= 0; --i) {
        const eri_link *l = &t->link[i];
        int node = l->above >= 0 ? l->above : n;
        if (l->joint >= 0 && (heavy[node] < 0 || l->size >= t->link[heavy[node]].size)) heavy[node] = i;
    }
    for (int i = 0; i <= n; ++i)
        if (heavy[i] >= 0) heavy[i] = t->link[heavy[i]].joint;
}

static void put_last(eri_tree *t, int node, int joint)
{
    int at = t->start[node], last = t->start[node + 1] - 1;
    while (t->joint[at] != joint)
        ++at;
    for (; at < last; ++at)
        t->joint[at] = t->joint[at + 1];
    t->joint[last] = joint;
}

// Links in preorder, the heaviest child last.
static void find_tree(forest *f, eri_tree *t, const er_model *model)
{
    eri_tree_begin(t, model, NULL, f->used);
    int roots = find_roots(f, t);
    eri_tree_begin(t, model, NULL, f->used);
    grow_all(f, t, roots);
    find_heavy(f, t);
    eri_tree_begin(t, model, NULL, f->used);
    for (int i = 0; i <= model->body_count; ++i)
        if (f->heavy[i] >= 0) put_last(t, i, f->heavy[i]);
    grow_all(f, t, roots);
}

// The columns of a joint, or of a root that floats, in the order of its coordinates.
static void set_columns(const eri_link *link, eri_forest_link *l)
{
    int axis[6];
    l->turns = true;
    l->freedom = er_joint_type_freedom(link->type, axis);
    for (int c = 0; c < l->freedom; ++c) {
        l->coordinate[c] = link->joint >= 0 ? link->coordinate + c : -1;
        l->turns = l->turns && axis[c] < 3 && link->pitch == 0.0;
        if (link->joint < 0) l->S[c][c] = 1.0;
    }
}

static void set_point(eri_forest_link *l, er_vec3 p)
{
    l->point[0] = p.x;
    l->point[1] = p.y;
    l->point[2] = p.z;
}

static er_vec3 link_point(const eri_forest_link *l)
{
    return er_v3(l->point[0], l->point[1], l->point[2]);
}

// Free turns about their axes, shifts along those of the frame, through its origin. The tree may run from the child to
// the parent, which moves the other way.
static void set_directions(const er_model *model, const eri_link *link, eri_forest_link *l, const er_pose *pose)
{
    eri_joint_frame frame = eri_joint_frame_at(model, link->joint, pose);
    er_mat3 R = er_m3_from_q(frame.at.q), turn = er_m3_mul(R, frame.axis);
    double sign = link->inverse ? -1.0 : 1.0;
    int axis[6];
    er_joint_type_freedom(link->type, axis);
    for (int c = 0; c < l->freedom; ++c) {
        int k = axis[l->coordinate[c] - link->coordinate];
        for (int i = 0; i < 3; ++i)
            l->S[c][i + (k < 3 ? 0 : 3)] = sign * (k < 3 ? turn.m[i][k] : R.m[i][k - 3]);
        double lead = k == 2 && link->pitch != 0.0 ? er_v3_dot(frame.lead, er_m3_column(frame.axis, 2)) : 0.0;
        for (int i = 0; i < 3 && lead != 0.0; ++i)
            l->S[c][i + 3] = sign * lead * R.m[i][2];
    }
    set_point(l, frame.at.p);
}

static er_pose body_pose(const er_body *body, const er_pose *pose, int index)
{
    return pose != NULL ? pose[index] : body[index].pose;
}

static er_vec3 centre_of_mass(const eri_tree *t, int root, const er_body *body, const er_pose *pose)
{
    er_vec3 moment = er_v3(0, 0, 0);
    double mass = 0.0;
    for (int i = root; i < eri_tree_end(t, root); ++i) {
        int index = t->link[i].body;
        const er_body *b = &body[index];
        moment = er_v3_madd(moment, b->mass, er_pose_point(body_pose(body, pose, index), b->com));
        mass += b->mass;
    }
    assert(mass > 0.0);
    return er_v3_scale(1.0 / mass, moment);
}

static void set_inertias(eri_forest *t, const er_body *body, const er_pose *pose)
{
    for (int i = 0; i < t->link_count; ++i) {
        eri_forest_link *l = &t->link[i];
        const er_body *b = &body[t->tree.link[i].body];
        er_pose at = body_pose(body, pose, t->tree.link[i].body);
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
        const eri_link *link = &t->tree.link[i];
        eri_forest_link *l = &t->link[i];
        if (link->joint >= 0)
            set_directions(t->model, link, l, pose);
        else
            set_point(l, centre_of_mass(&t->tree, i, body, pose));
        for (int k = 0; k < 3; ++k)
            l->r[k] = link->parent < 0 ? 0.0 : l->point[k] - t->link[link->parent].point[k];
    }
    for (int k = 0; k < t->loop_count; ++k)
        t->loop_frame[k] = eri_joint_frame_at(t->model, t->loop[k], pose);
    set_inertias(t, body, pose);
}

static void swap_columns(eri_forest_link *l, int a, int b)
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

static bool is_unsprung(const eri_forest_link *l, int column, const double *stiffness)
{
    return l->coordinate[column] < 0 || stiffness[l->coordinate[column]] == 0.0;
}

// Springs first, either kind in the order of the model's coordinates.
static void order_columns(eri_forest_link *l, const double *stiffness)
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
        eri_forest_link *l = &t->link[i];
        order_columns(l, stiffness);
        l->spring = t->spring_count;
        l->unsprung = t->unsprung_count;
        t->spring_count += l->spring_count;
        t->unsprung_count += l->freedom - l->spring_count;
        if (eri_forest_link_roots(t, i)) t->rigid_count += l->freedom - l->spring_count;
        for (int c = 0; c < l->spring_count; ++c) {
            assert(l->coordinate[c] >= 0 && l->coordinate[c] < t->model->coordinate_count);
            t->stiffness[l->spring + c] = stiffness[l->coordinate[c]];
            t->scale[l->spring + c] = 1.0 / sqrt(stiffness[l->coordinate[c]]);
        }
    }
}

bool eri_forest_link_roots(const eri_forest *t, int link)
{
    return t->tree.link[link].parent < 0 && t->tree.link[link].type == ER_JOINT_FREE;
}

// Where sweeps keep what links hand on: the last child takes over its parent's slot.
static void set_slots(eri_forest *t)
{
    const eri_tree *tree = &t->tree;
    t->slot_count = 0;
    for (int i = 0; i < t->link_count; ++i) {
        eri_forest_link *l = &t->link[i];
        int parent = tree->link[i].parent, end = eri_tree_end(tree, i);
        l->last = parent >= 0 && end == eri_tree_end(tree, parent);
        int slot = parent < 0 ? 0 : t->link[parent].slot + !l->last;
        l->up_slot = parent < 0 ? -1 : t->link[parent].slot;
        l->slot = tree->link[i].size > 1 ? slot : -1;
        if (slot >= t->slot_count) t->slot_count = slot + 1;
        assert(parent < i && end > i && end <= (parent < 0 ? t->link_count : eri_tree_end(tree, parent)));
    }
}

static void make_links(eri_forest *t)
{
    memset(t->link, 0, (size_t)t->link_count * sizeof *t->link);
    for (int i = 0; i < t->link_count; ++i)
        set_columns(&t->tree.link[i], &t->link[i]);
    set_slots(t);
}

er_result eri_forest_reserve(er_arena *arena, er_arena *scratch, const eri_forest_extent *most, eri_forest **out)
{
    er_result r = ER_OK;
    eri_forest *t;
    forest *f;
    ERI_TRY_NEW(t, arena, eri_forest, 1);
    ERI_TRY_RESERVE(t->link, arena, eri_forest_link, most->bodies);
    ERI_TRY(eri_tree_reserve(arena, scratch, most->bodies, most->joints, &t->tree));
    ERI_TRY_RESERVE(t->loop, arena, int, most->joints);
    ERI_TRY_RESERVE(t->loop_frame, arena, eri_joint_frame, most->joints);
    ERI_TRY_RESERVE(t->stiffness, arena, double, most->coordinates);
    ERI_TRY_RESERVE(t->scale, arena, double, most->coordinates);
    ERI_TRY_NEW(f, scratch, forest, 1);
    ERI_TRY_RESERVE(f->used, scratch, bool, most->joints);
    ERI_TRY_RESERVE(f->set, scratch, int, (size_t)most->bodies + 1);
    ERI_TRY_RESERVE(f->root, scratch, int, most->bodies);
    ERI_TRY_RESERVE(f->heavy, scratch, int, (size_t)most->bodies + 1);
    ERI_TRY_RESERVE(f->mass, scratch, double, most->bodies);
    ERI_TRY_RESERVE(f->branch, scratch, double, most->bodies);
    ERI_TRY_RESERVE(f->stiffness, scratch, double, most->coordinates);
    t->forest = f;
    *out = t;
done:
    return r;
}

void eri_forest_fill(eri_forest *t, const er_model *model)
{
    forest *f = t->forest;
    t->model = model;
    choose_joints(f, model);
    find_tree(f, &t->tree, model);
    t->link_count = t->tree.link_count;
    assert(t->link_count == model->body_count);
    t->slot_count = t->loop_count = 0;
    for (int k = 0; k < model->joint_count; ++k) {
        if (!f->used[k]) t->loop[t->loop_count++] = k;
        for (int c = model->coordinate[k]; c < model->coordinate[k + 1]; ++c)
            f->stiffness[c] = model->joint[k].stiffness[c - model->coordinate[k]];
    }
    make_links(t);
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

er_result eri_forest_select(er_arena *arena, const eri_forest *whole, const bool *kept, int *link, eri_forest **out)
{
    er_result r = ER_OK;
    eri_forest *t;
    int *place, columns = whole->spring_count + whole->unsprung_count;
    ERI_TRY_NEW(t, arena, eri_forest, 1);
    ERI_TRY_RESERVE(t->link, arena, eri_forest_link, whole->link_count);
    ERI_TRY_RESERVE(t->tree.link, arena, eri_link, whole->link_count);
    ERI_TRY_NEW(t->stiffness, arena, double, columns);
    ERI_TRY_NEW(t->scale, arena, double, columns);
    ERI_TRY_RESERVE(place, arena, int, whole->link_count);
    t->model = whole->model;
    for (int i = 0; i < whole->link_count; ++i) {
        if (!kept[i]) continue;
        int at = place[i] = t->link_count++, parent = whole->tree.link[i].parent;
        link[at] = i;
        t->link[at] = whole->link[i];
        t->tree.link[at] = whole->tree.link[i];
        t->tree.link[at].parent = parent < 0 ? -1 : place[parent];
        t->tree.link[at].size = 1;
    }
    t->tree.link_count = t->link_count;
    for (int i = t->link_count - 1; i >= 0; --i)
        if (t->tree.link[i].parent >= 0) t->tree.link[t->tree.link[i].parent].size += t->tree.link[i].size;
    set_slots(t);
    *out = t;
done:
    return r;
}

ERI_LANES_DO(twists, (const eri_forest *t, const eri_lanes *y, const eri_lanes *unsprung, eri_lanes *twist),
             (t, y, unsprung, twist))
{
    for (int i = 0; i < t->link_count; ++i) {
        const eri_forest_link *l = &t->link[i];
        eri_spatial a = {{{0}}};
        int parent = t->tree.link[i].parent;
        if (parent >= 0) {
            memcpy(a.x, twist + 6 * (size_t)parent, sizeof a);
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
