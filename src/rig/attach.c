// The parent of each bone. Its node's parent is right for most. But feet, hands and eyes that inverse kinematics moves
// are children of the root, and deform bones are children of control bones. There the skin and the ends of bones
// decide.
//
// A bone with mass is a *deform bone* and becomes a body. It is *detached* if it has no deform bone above it, or if it
// shares no skin with that one but does with others. A detached bone and the deform bones below it are a *segment*.
// Segments are attached from the root outwards. An attached bone q is a candidate for the parent of a detached bone i,
// with the score
//
//   a_iq / (sum of a_ij over all bones j),  and 1 more if i begins at an end of q, or is a child of a bone without mass
//                                           in the place of q,
//
// a_ij the skin that two bones share (skin.h). The next segment is the one whose best attached candidate comes closest
// to its best candidate of all. A segment that touches none goes to the nearest bone. docs/math/bodies.md.
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "rig/build.h"
#include "rig/skin.h"

static const double same_vertex = 1e-5;  // of the extent
static const double same_place = 1e-3;   // of the extent, between heads
static const double same_end = 5e-3;     // of the extent, between a head and an end: solvers leave a gap
static const double no_contact = 0.01;   // of the skin shared with others
static const double stray_weight = 1e-3; // of its tree's mass
static const double near_tie = 0.5;      // of the best score: above it the nearest candidate wins
static const double root_tie = 0.1;      // likewise for the seed, which the nodes support
static const double root_preference =
    1.0 / 3.0;                           // of the most shared skin: enough for a child of the root to stay there
static const double not_far = 2.0;       // times the nearest distance, between skins that do not touch
static const double on_ground = 0.02;    // of the height
static const double better_root = 0.5;   // of a score: the gain that another seed needs
static const double light_in_hand = 0.5; // of the hand's mass: fingers have less
static const double small_tree = 0.05;   // of the mass of the tree that it goes to
static const double side_share = 0.5;    // of its shared skin counts for a bone of one side: trunks carry limbs
enum { MOST_ROOTS = 64, MOST_ISLANDS = 1000 };

typedef struct parent_candidate {
    er_attachment attachment; // parent -1: none
    double score;
    double confidence; // [0, 1], shared skin over the most shared with any bone, attached or not
} parent_candidate;

typedef struct attachment_search {
    builder *b;
    er_arena *scratch;
    int n;
    bool *deform;
    int *ancestor; // the nearest deform bone above, by nodes
    int *root;     // of a bone's tree
    double *tree_mass;
    bool *detached;
    int detached_count;
    int *segment; // the detached bone at or above a deform bone
    int *end;     // of a detached bone: the bone at whose end it begins, or -1
    int *place;   // of a detached bone: the deform bone in the place of a control bone above it, or -1
    int seed;     // the detached bone that the tree grows from
    int surface_count;
    eri_skin_surface *surface; // at the bind pose
    eri_skin_graph skin;
    double *sum;                  // [n], zero between uses
    bool *sided;                  // bones of the left or the right, by name
    bool *attached;               // segments, by their detached bone
    parent_candidate *candidates; // the best of each detached bone, where `known`
    bool *known;
    er_attachment *attachment; // of detached bones
} attachment_search;

// --- trees of nodes

static bool stands_on_ground(const builder *b, int bone)
{
    return er_v3_dot(b->rest[bone].translation, b->scene->up) < b->low + on_ground * b->height;
}

static void classify_bones(attachment_search *r)
{
    const builder *b = r->b;
    double least = eri_rig_least_mass(b);
    for (int i = 0; i < r->n; ++i) {
        int p = b->parent[i];
        r->deform[i] = b->bone[i] && b->mass[i].mass > least;
        r->root[i] = p < 0 ? i : r->root[p];
        r->tree_mass[r->root[i]] += b->mass[i].mass;
    }
    // a root on the ground with hardly any mass, above bones with mass, is a handle
    for (int i = 0; i < r->n; ++i) {
        int top = r->root[i];
        if (i != top && r->deform[i] && stands_on_ground(b, top))
            b->stray[top] |= b->mass[top].mass < stray_weight * r->tree_mass[top];
    }
    for (int i = 0; i < r->n; ++i) {
        int p = b->parent[i];
        r->deform[i] &= !b->stray[i];
        r->ancestor[i] = p < 0 ? -1 : r->deform[p] ? p : r->ancestor[p];
    }
}

static bool is_below(const attachment_search *r, int bone, int top)
{
    while (bone >= 0 && bone != top)
        bone = r->b->parent[bone];
    return bone == top;
}

// The deform bone at or above a bone by nodes, or -1.
static int deform_at_or_above(const attachment_search *r, int bone)
{
    return r->deform[bone] ? bone : r->ancestor[bone];
}

static double head_distance(const attachment_search *r, int i, int j)
{
    const builder *b = r->b;
    return fmin(er_v3_distance(b->rest[i].translation, b->rest[j].translation),
                er_v3_distance(b->bind[i].translation, b->bind[j].translation));
}

static bool has_deform_below(const attachment_search *r, int bone)
{
    for (int i = bone + 1; i < r->n; ++i)
        if (r->deform[i] && is_below(r, i, bone)) return true;
    return false;
}

// --- props

// Whether a bone is a held prop: without deform bones below, and a socket, or on a hand without shared skin.
// @param up  the deform bone that carries it, or -1
static bool is_held(const attachment_search *r, int bone, int up)
{
    const builder *b = r->b;
    eri_prop_rule rule = eri_rig_prop_rule(b);
    if (!r->deform[bone] || up < 0 || rule == PROPS_NONE) return false;
    bool alone = r->skin.start[bone] == r->skin.start[bone + 1];
    bool in_hand = alone && eri_rig_names_hand(b->name[b->parent[bone]]) && !eri_rig_names_hand(b->name[bone]) &&
                   b->mass[bone].mass > light_in_hand * b->mass[up].mass;
    bool held = rule == PROPS_LISTED ? eri_rig_lists_prop(b, b->name[bone])
                                     : eri_rig_names_socket(b->name[bone], b->hands) || in_hand;
    return held && !has_deform_below(r, bone);
}

static void find_held(attachment_search *r)
{
    for (int i = 0; i < r->n; ++i)
        r->b->prop[i] |= is_held(r, i, r->ancestor[i]);
    for (int i = 0; i < r->n; ++i)
        r->deform[i] &= !r->b->prop[i];
}

// Props on control bones without a deform bone above: which hand carries them is known once all is attached.
static void find_held_on_controls(const attachment_search *r)
{
    for (int i = 0; i < r->n; ++i)
        r->b->prop[i] |= r->deform[i] && r->ancestor[i] < 0 && is_held(r, i, r->b->parent[i]);
}

// --- ends

// The deform bone whose head is at a bone's head: `self` if it is there, otherwise the one that shares most skin with
// `self`. Without self (-1) one below the bone comes first. -1 if there is none.
static int deform_in_place_of(const attachment_search *r, int bone, int self)
{
    double most = -1.0;
    int best = -1;
    for (int i = 0; i < r->n; ++i) {
        if (!r->deform[i] || head_distance(r, i, bone) > same_place * r->b->extent) continue;
        if (i == self) return self;
        if (self >= 0 && is_below(r, i, self)) continue;
        double shared = self >= 0 ? eri_skin_shared(&r->skin, self, i) : is_below(r, i, bone);
        if (shared <= most) continue;
        most = shared;
        best = i;
    }
    return best;
}

// The deform bone that a control bone above a bone stands for, being in the same place; -1 without one.
static int deform_for_control(const attachment_search *r, int bone, int self)
{
    for (int up = r->b->parent[bone]; up >= 0 && !r->deform[up]; up = r->b->parent[up]) {
        int place = deform_in_place_of(r, up, self);
        if (place >= 0 && place != self) return place;
    }
    return -1;
}

// --- ends

// The bone that ends at a massless bone without deform bones below. In a copy of a chain (IK, FK) it is the bone that
// the copy's parent stands for; a copy ends nothing else.
static int ending_at_massless(const attachment_search *r, int node, int self)
{
    int up = r->b->parent[node];
    if (up < 0 || r->deform[up]) return up;
    return deform_for_control(r, node, self);
}

// The bone that ends at a node: at its end site, at a massless bone without deform bones below, or where its child
// begins.   @param self  begins there
static int ending_at(const attachment_search *r, int node, int self)
{
    const builder *b = r->b;
    if ((b->scene->node[node].flags & ER_NODE_END_SITE) != 0)
        return b->owner[node] >= 0 ? deform_at_or_above(r, b->owner[node]) : -1;
    if (!b->bone[node]) return -1;
    if (r->deform[node]) return r->detached[node] ? -1 : r->ancestor[node];
    return has_deform_below(r, node) ? -1 : ending_at_massless(r, node, self);
}

// The bone at whose end another begins, or -1.
static int begins_at_end_of(const attachment_search *r, int bone)
{
    double nearest = same_end * r->b->extent;
    int of = -1;
    for (int i = 0; i < r->n; ++i) {
        double d = i != bone ? head_distance(r, i, bone) : HUGE_VAL;
        if (!(d <= nearest)) continue;
        int ending = ending_at(r, i, bone);
        if (ending < 0 || is_below(r, ending, bone)) continue;
        nearest = d;
        of = ending;
    }
    return of;
}

// --- detached bones

// The skin that a bone shares with all but its descendants, and the bone that it shares most with.
static double shared_outside(const attachment_search *r, int bone, int *most)
{
    double all = 0.0, best = 0.0;
    *most = -1;
    for (int k = r->skin.start[bone]; k < r->skin.start[bone + 1]; ++k) {
        const eri_skin_contact *c = &r->skin.contact[k];
        if (is_below(r, c->bone, bone)) continue;
        all += c->area;
        if (c->area <= best) continue;
        best = c->area;
        *most = c->bone;
    }
    return all;
}

static int heaviest_deform(const attachment_search *r, const eri_skin_surface *s, int vertex)
{
    int lead = -1;
    double most = 0.0;
    for (int k = s->influence_start[vertex]; k < s->influence_start[vertex + 1]; ++k)
        if (s->influence_weight[k] > most && s->influence_body[k] < r->n) {
            most = s->influence_weight[k];
            lead = deform_at_or_above(r, s->influence_body[k]);
        }
    return lead;
}

// Whether a bone's head is nearer to the skin of one bone than to that of another.
static bool is_nearer(const attachment_search *r, int bone, int one, int other)
{
    er_vec3 at = r->b->bind[bone].translation;
    double to_one = HUGE_VAL, to_other = HUGE_VAL;
    for (int i = 0; i < r->surface_count; ++i)
        for (int v = 0; v < r->surface[i].vertex_count; ++v) {
            int lead = heaviest_deform(r, &r->surface[i], v);
            double d = er_v3_distance(eri_surface_point(&r->surface[i], v), at);
            if (lead == one) to_one = fmin(to_one, d);
            if (lead == other) to_other = fmin(to_other, d);
        }
    return to_one < to_other;
}

// Whether a bone belongs rather to the bone that a control bone above it stands for: it shares more skin with that one
// or, without any skin to share, is nearer to it. Names of controls decide where there is no mesh.
static bool follows_control(const attachment_search *r, int bone, int place, double all)
{
    int up = r->ancestor[bone];
    if (r->b->control != NULL) return true;
    if (all > 0.0) return eri_skin_shared(&r->skin, bone, place) > eri_skin_shared(&r->skin, bone, up);
    return r->surface_count > 0 && r->detached_count <= MOST_ISLANDS && is_nearer(r, bone, place, up);
}

// Whether a bone shares no skin with its deform ancestor and belongs to another bone: it begins at the end of one; or
// is below a control bone that stands for one; or, where the ancestor is the first of its tree, shares most of its skin
// with a bone further away than a sibling.
static bool is_detached(const attachment_search *r, int bone)
{
    int up = r->ancestor[bone], most;
    double all = shared_outside(r, bone, &most), share = eri_skin_shared(&r->skin, bone, up);
    if (share > no_contact * all) return false;
    int end = begins_at_end_of(r, bone);
    if (end >= 0) return end != up;
    int place = deform_for_control(r, bone, bone);
    if (place >= 0 && (place == up || follows_control(r, bone, place, all))) return place != up;
    int to = most >= 0 ? deform_at_or_above(r, most) : -1;
    return r->ancestor[up] < 0 && to >= 0 && to != up && r->ancestor[to] != up &&
           eri_skin_shared(&r->skin, bone, most) >= 0.5 * all;
}

static void find_detached(attachment_search *r)
{
    for (int i = 0; i < r->n; ++i)
        r->detached_count += r->detached[i] = r->deform[i] && r->ancestor[i] < 0;
    for (int i = 0; i < r->n; ++i)
        if (r->deform[i] && r->ancestor[i] >= 0 && is_detached(r, i)) {
            r->detached[i] = true;
            ++r->detached_count;
        }
    for (int i = 0; i < r->n; ++i)
        r->segment[i] = r->detached[i] ? i : r->ancestor[i] >= 0 ? r->segment[r->ancestor[i]] : -1;
    for (int i = 0; i < r->n; ++i) {
        r->end[i] = r->detached[i] ? begins_at_end_of(r, i) : -1;
        r->place[i] = r->detached[i] ? deform_for_control(r, i, i) : -1;
    }
}

// --- candidates

static bool is_attached(const attachment_search *r, int bone)
{
    return bone >= 0 && r->attached[r->segment[bone]];
}

static double side_factor(const attachment_search *r, int bone)
{
    return r->sided[bone] ? side_share : 1.0;
}

// Adds up the skin that a detached bone shares with each deform bone of other segments, as it counts, or clears the
// sums.
// @return all of that skin
static double sum_shared(attachment_search *r, int bone, bool away)
{
    double all = 0.0;
    for (int k = r->skin.start[bone]; k < r->skin.start[bone + 1]; ++k) {
        int to = deform_at_or_above(r, r->skin.contact[k].bone);
        if (to < 0 || r->segment[to] == bone) continue;
        all += r->skin.contact[k].area;
        r->sum[to] = away ? 0.0 : r->sum[to] + side_factor(r, to) * r->skin.contact[k].area;
    }
    return all;
}

// From the head of a bone to another bone: the line between that one's head and the mean of its children's heads.
static double bone_distance(const attachment_search *r, int bone, int other)
{
    const builder *b = r->b;
    er_vec3 at = b->bind[bone].translation, head = b->bind[other].translation, end = head;
    int count = 0;
    for (int i = other + 1; i < r->n; ++i)
        if (r->deform[i] && r->ancestor[i] == other && !r->detached[i]) {
            end = er_v3_madd(end, 1.0 / ++count, er_v3_sub(b->bind[i].translation, end));
        }
    er_vec3 along = er_v3_sub(end, head);
    double length2 = er_v3_dot(along, along), t = er_v3_dot(er_v3_sub(at, head), along);
    t = length2 > 0.0 ? fmin(fmax(t / length2, 0.0), 1.0) : 0.0;
    return er_v3_distance(at, er_v3_madd(head, t, along));
}

// Returns the nearest of the attached bones that share nearly the most skin with a detached one, trunks before limbs.
// Returns the seed if it shares enough and the bone is below it by nodes.
static int best_parent_by_skin(const attachment_search *r, int bone, double *most, double *most_attached)
{
    int best = -1, seed = r->seed;
    bool by_nodes = r->ancestor[bone] < 0 && r->root[bone] == r->root[seed];
    double nearest = HUGE_VAL;
    *most = *most_attached = 0.0;
    for (int k = r->skin.start[bone]; k < r->skin.start[bone + 1]; ++k) {
        int to = deform_at_or_above(r, r->skin.contact[k].bone);
        if (to < 0) continue;
        *most = fmax(*most, r->sum[to]);
        if (is_attached(r, to)) *most_attached = fmax(*most_attached, r->sum[to]);
    }
    if (by_nodes && r->sum[seed] > root_preference * *most) {
        *most_attached = *most;
        return seed;
    }
    for (int k = r->skin.start[bone]; k < r->skin.start[bone + 1]; ++k) {
        int to = deform_at_or_above(r, r->skin.contact[k].bone);
        double least = to == seed && by_nodes ? root_tie : near_tie;
        if (!is_attached(r, to) || !(r->sum[to] > 0.0) || r->sum[to] < least * *most_attached) continue;
        double away = bone_distance(r, bone, to) + (r->sided[to] ? r->b->extent : 0.0); // trunks first
        if (!(away < nearest)) continue;
        nearest = away;
        best = to;
    }
    return best;
}

// All skin that a bone shares, with its own segment too; above 0.
static double all_shared(const attachment_search *r, int bone)
{
    double whole = 1e-300;
    for (int k = r->skin.start[bone]; k < r->skin.start[bone + 1]; ++k)
        whole += r->skin.contact[k].area;
    return whole;
}

static parent_candidate best_candidate(attachment_search *r, int bone)
{
    double all = sum_shared(r, bone, false), most, attached;
    int to = best_parent_by_skin(r, bone, &most, &attached), end = r->end[bone], place = r->place[bone];
    er_evidence by = to == r->seed && r->ancestor[bone] < 0 ? ER_EVIDENCE_NODE : ER_EVIDENCE_SKIN;
    bool has_target = end >= 0 || place >= 0, is_found = false;
    if (is_attached(r, end)) {
        to = end;
        by = ER_EVIDENCE_END;
        is_found = true;
    } else if (is_attached(r, place)) {
        to = place;
        by = ER_EVIDENCE_PLACE;
        is_found = true;
    }
    double share = to >= 0 && all > 0.0 ? r->sum[to] / (side_factor(r, to) * all) : 0.0;
    sum_shared(r, bone, true);
    if (to < 0) return (parent_candidate){.attachment = {-1, ER_EVIDENCE_NONE, 0.0}};
    return (parent_candidate){{to, by, share},
                              share * all / all_shared(r, bone) + is_found,
                              is_found                      ? 1.0
                              : has_target || !(most > 0.0) ? 0.5 * attached / most
                                                            : attached / most};
}

// --- segments that touch nothing

// The attached bone nearest to a point, and its distance; likewise the distance of the seed.
typedef struct nearby {
    int bone;
    double distance, seed_distance;
} nearby;

static nearby nearest_attached(const attachment_search *r, er_vec3 at)
{
    nearby found = {-1, HUGE_VAL, HUGE_VAL}; // distances to a bone of one side count double
    for (int i = 0; i < r->surface_count; ++i)
        for (int v = 0; v < r->surface[i].vertex_count; ++v) {
            double d = er_v3_distance(eri_surface_point(&r->surface[i], v), at);
            if (!(d < found.seed_distance)) continue;
            int lead = heaviest_deform(r, &r->surface[i], v);
            if (!is_attached(r, lead)) continue;
            if (lead == r->seed) found.seed_distance = d;
            if (!(d / side_factor(r, lead) < found.distance)) continue;
            found.distance = d / side_factor(r, lead);
            found.bone = lead;
        }
    return found;
}

// The attached bone whose skin is nearest to the head of a detached one; -1 without any. The seed if the bone is below
// it by nodes and it is not much further, or if the bone has no skin: parts of toys touch nothing.
static int nearest_parent(const attachment_search *r, int bone)
{
    bool by_nodes = r->root[bone] == r->root[r->seed], skinned = (r->b->scene->node[bone].flags & ER_NODE_JOINT) != 0;
    if (by_nodes && (!skinned || r->detached_count > MOST_ISLANDS)) return r->seed;
    nearby found = nearest_attached(r, r->b->bind[bone].translation);
    return by_nodes && found.seed_distance <= not_far * found.distance ? r->seed : found.bone;
}

// --- growing

// The first deform bone of a tree, down the branches with the most mass. If that is a limb of one side, which is no
// root of a trunk, the bone in the middle with the most mass below it, where there is one.
static int heaviest_seed(const attachment_search *r, int root)
{
    double *below = r->sum;
    int at = root, middle = -1;
    for (int i = r->n - 1; i >= 0; --i) {
        if (r->deform[i]) below[i] += r->b->mass[i].mass;
        if (r->b->parent[i] >= 0) below[r->b->parent[i]] += below[i];
        if (r->detached[i] && r->root[i] == root && r->ancestor[i] < 0 && !r->sided[i] &&
            (middle < 0 || below[i] >= below[middle]))
            middle = i;
    }
    while (!r->deform[at]) {
        int best = -1;
        for (int i = at + 1; i < r->n; ++i)
            if (r->b->bone[i] && r->b->parent[i] == at && (best < 0 || below[i] > below[best])) best = i;
        assert(best >= 0);
        at = best;
    }
    memset(r->sum, 0, (size_t)r->n * sizeof *r->sum);
    return r->sided[at] && middle >= 0 ? middle : at;
}

// A segment was attached: forgets the candidates of bones that share skin with it, begin at its ends or are in its
// place.
static void forget_candidates_on(attachment_search *r, int segment)
{
    for (int i = 0; i < r->n; ++i) {
        if (!r->deform[i]) continue;
        if (r->detached[i] && ((r->end[i] >= 0 && r->segment[r->end[i]] == segment) ||
                               (r->place[i] >= 0 && r->segment[r->place[i]] == segment)))
            r->known[i] = false;
        if (r->segment[i] != segment) continue;
        for (int k = r->skin.start[i]; k < r->skin.start[i + 1]; ++k) {
            int other = deform_at_or_above(r, r->skin.contact[k].bone);
            if (other >= 0) r->known[r->segment[other]] = false;
        }
    }
}

// Attaches segments until none has a candidate.   @return the sum of their scores
static double attach_by_candidates(attachment_search *r)
{
    double total = 0.0;
    memset(r->known, 0, (size_t)r->n * sizeof *r->known);
    for (;;) {
        int next = -1;
        parent_candidate best = {.confidence = 0.0};
        for (int i = 0; i < r->n; ++i) {
            if (!r->detached[i] || r->attached[i]) continue;
            if (!r->known[i]) r->candidates[i] = best_candidate(r, i);
            r->known[i] = true;
            parent_candidate c = r->candidates[i];
            if (c.attachment.parent < 0 || c.confidence < best.confidence ||
                (c.confidence == best.confidence && c.score <= best.score))
                continue;
            next = i;
            best = c;
        }
        if (next < 0) return total;
        r->attached[next] = true;
        r->attachment[next] = best.attachment;
        total += best.score;
        forget_candidates_on(r, next);
    }
}

static double grow_from(attachment_search *r, int seed)
{
    memset(r->attached, 0, (size_t)r->n * sizeof *r->attached);
    r->attached[seed] = true;
    r->seed = seed;
    r->attachment[seed] = (er_attachment){-1, ER_EVIDENCE_NONE, 0.0};
    return attach_by_candidates(r);
}

// The detached bone of a tree to grow from: the usual one, unless the scores from another are clearly better. A limb of
// one side is no root of a trunk.
static int choose_seed(attachment_search *r, int root)
{
    int usual = heaviest_seed(r, root), best = usual;
    if (r->detached_count > MOST_ROOTS) return usual;
    double most = grow_from(r, usual) + better_root;
    for (int i = 0; i < r->n; ++i) {
        if (!r->detached[i] || r->root[i] != root || i == usual || r->ancestor[i] >= 0) continue;
        if (r->sided[i] && !r->sided[usual]) continue;
        double total = grow_from(r, i);
        if (total <= most) continue;
        most = total;
        best = i;
    }
    return best;
}

// Whether a bone of a detached bone's tree is attached, or the tree is small beside what is attached.
static bool belongs_to_attached(const attachment_search *r, int bone, double attached_mass)
{
    for (int i = 0; i < r->n; ++i)
        if (r->detached[i] && r->attached[i] && r->root[i] == r->root[bone]) return true;
    return r->tree_mass[r->root[bone]] < small_tree * attached_mass;
}

// Attaches every detached bone, or makes it a root.
static void attach_all(attachment_search *r)
{
    int heaviest = -1;
    for (int i = 0; i < r->n; ++i)
        if (r->detached[i] && (heaviest < 0 || r->tree_mass[r->root[i]] > r->tree_mass[heaviest]))
            heaviest = r->root[i];
    grow_from(r, choose_seed(r, heaviest));
    double attached_mass = r->tree_mass[heaviest];
    for (int i = 0; i < r->n; ++i) {
        if (!r->detached[i] || r->attached[i]) continue;
        if (belongs_to_attached(r, i, attached_mass)) {
            int to = nearest_parent(r, i);
            r->attached[i] = true;
            r->attachment[i] = (er_attachment){to,
                                               to < 0                                       ? ER_EVIDENCE_NONE
                                               : to == r->seed && r->root[i] == r->root[to] ? ER_EVIDENCE_NODE
                                                                                            : ER_EVIDENCE_NEAR,
                                               0.0};
        } else {
            int seed = heaviest_seed(r, r->root[i]);
            r->attached[seed] = true;
            r->attachment[seed] = (er_attachment){-1, ER_EVIDENCE_NONE, 0.0};
        }
        attach_by_candidates(r);
    }
}

// --- results

static bool is_above_root(const attachment_search *r, int bone)
{
    for (int i = 0; i < r->n; ++i)
        if (r->detached[i] && r->attachment[i].parent < 0 && is_below(r, i, bone)) return true;
    return false;
}

static void attach_controls(attachment_search *r)
{
    for (int i = 0; i < r->n; ++i) {
        if (!r->b->bone[i] || r->deform[i] || r->ancestor[i] >= 0 || is_above_root(r, i)) continue;
        int to = deform_in_place_of(r, i, -1);
        if (to < 0 && r->b->parent[i] < 0) // the root of a tree that is attached to another
            for (int k = 0; k < r->n && to < 0; ++k)
                to = r->detached[k] && r->root[k] == i ? k : -1;
        if (to >= 0) r->attachment[i] = (er_attachment){to, ER_EVIDENCE_PLACE, 0.0};
    }
}

static void attach_by_nodes(attachment_search *r)
{
    for (int i = 0; i < r->n; ++i) {
        int to = r->b->parent[i];
        r->attachment[i] = (er_attachment){to,
                                           to < 0           ? ER_EVIDENCE_NONE
                                           : r->b->inferred ? ER_EVIDENCE_DISTANCE
                                                            : ER_EVIDENCE_NODE,
                                           0.0};
    }
}

static void set_shares(attachment_search *r)
{
    for (int i = 0; i < r->n; ++i) {
        int most;
        double all = r->deform[i] && !r->detached[i] ? shared_outside(r, i, &most) : 0.0;
        if (all > 0.0) r->attachment[i].share = eri_skin_shared(&r->skin, i, r->ancestor[i]) / all;
    }
}

static er_result begin(attachment_search *d)
{
    er_result r = ER_OK;
    size_t n = (size_t)d->n;
    int closed;
    ERI_TRY_NEW(d->deform, d->scratch, bool, n);
    ERI_TRY_NEW(d->ancestor, d->scratch, int, n);
    ERI_TRY_NEW(d->root, d->scratch, int, n);
    ERI_TRY_NEW(d->tree_mass, d->scratch, double, n);
    ERI_TRY_NEW(d->detached, d->scratch, bool, n);
    ERI_TRY_NEW(d->segment, d->scratch, int, n);
    ERI_TRY_NEW(d->end, d->scratch, int, n);
    ERI_TRY_NEW(d->place, d->scratch, int, n);
    ERI_TRY_NEW(d->sum, d->scratch, double, n);
    ERI_TRY_NEW(d->attached, d->scratch, bool, n);
    ERI_TRY_NEW(d->candidates, d->scratch, parent_candidate, n);
    ERI_TRY_NEW(d->known, d->scratch, bool, n);
    ERI_TRY_NEW(d->sided, d->scratch, bool, n);
    for (int i = 0; i < d->n; ++i)
        d->sided[i] = eri_rig_names_side(d->b->name[i]);
    classify_bones(d);
    ERI_TRY(eri_rig_surfaces(d->b, d->b->bind, &d->surface, &d->surface_count, NULL));
    ERI_TRY(eri_rig_close_seams(d->b, d->surface_count, d->surface, &closed));
    ERI_TRY(eri_skin_graph_make(d->scratch, d->surface_count, d->surface, d->n, same_vertex * d->b->extent, &d->skin));
done:
    return r;
}

static er_result attach_bones(builder *b)
{
    er_result r = ER_OK;
    attachment_search d = {.b = b, .scratch = b->scratch, .n = b->scene->node_count, .attachment = b->attachment};
    attach_by_nodes(&d);
    if (b->inferred) return ER_OK; // the caller chose
    ERI_TRY(begin(&d));
    if (d.surface_count == 0 && b->control == NULL) return ER_OK;
    find_held(&d);
    find_detached(&d);
    set_shares(&d);
    if (d.detached_count > 0) attach_all(&d);
    attach_controls(&d);
    for (int i = 0; i < d.n; ++i)
        if (b->attachment[i].parent >= 0) b->parent[i] = b->attachment[i].parent;
    find_held_on_controls(&d);
done:
    return r;
}

// --- in order

// Props that are bones get the mass of props, and are welded to the bone that carries them.
static void lighten_props(builder *b)
{
    for (int i = 0; i < b->scene->node_count; ++i)
        if (b->prop[i] && b->bone[i]) eri_rig_lighten(b, i);
}

static er_result report_props(builder *b)
{
    int count = 0;
    char names[200] = "";
    for (int i = 0; i < b->scene->node_count; ++i) {
        size_t used = strlen(names);
        if (!b->prop[i]) continue;
        if (++count <= 4 && used < sizeof names - 50)
            snprintf(names + used, sizeof names - used, "%s\"%.40s\"", used > 0 ? ", " : "", b->name[i]);
    }
    if (count == 0) return ER_OK;
    return eri_notes_add(
        &b->notes, ER_NOTE_FACT,
        "%d parts are props (%s%s): light, one at a time where they share a place; --props says otherwise", count,
        names, count > 4 ? ", ..." : "");
}

static er_result report(builder *b)
{
    int moved = 0;
    for (int i = 0; i < b->scene->node_count; ++i)
        moved += b->attachment[i].evidence == ER_EVIDENCE_END || b->attachment[i].evidence == ER_EVIDENCE_SKIN ||
                 b->attachment[i].evidence == ER_EVIDENCE_NEAR;
    if (moved == 0) return ER_OK;
    return eri_notes_add(
        &b->notes, ER_NOTE_FACT,
        moved == 1
            ? "%d bone has another parent than its node: one that ends there, shares its skin, or is nearest"
            : "%d bones have other parents than their nodes: bones that end there, share their skin, or are nearest",
        moved);
}

er_result eri_rig_attach(builder *b)
{
    er_result r = ER_OK;
    size_t n = (size_t)b->scene->node_count;
    const er_weights *like = b->weighed_like;
    if (like != NULL) {
        memcpy(b->parent, like->parent, n * sizeof *b->parent);
        memcpy(b->stray, like->stray, n * sizeof *b->stray);
        memcpy(b->attachment, like->attachment, n * sizeof *b->attachment);
    } else {
        ERI_TRY(attach_bones(b));
    }
    b->weights->stray = b->stray;
    lighten_props(b);
    ERI_TRY(eri_rig_apply_hangs(b));
    ERI_TRY(report(b));
    ERI_TRY(report_props(b));
done:
    return r;
}
