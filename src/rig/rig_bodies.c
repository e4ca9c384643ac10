// What each bone hangs on. Its node's parent is right for most; but feet, hands and eyes that inverse kinematics moves
// hang on the root, and deforming bones hang on chains of control bones. There the skin tells, and where bones end.
//
// A bone with weight is *heavy*, and becomes a body. It is *loose* where no heavy bone is above it, or where the one
// above shares no skin with it while another does. What hangs on a loose bone by nodes goes along, as its *piece*.
// Pieces are joined from the root outwards. A loose bone i claims a bone q that is joined already by
//
//   a_iq / (sum of a_ij over all bones j)  +  1 where i begins at an end of q, or hangs by nodes on a bone
//                                                         without weight in the place of q,
//
// a_ij the skin that two bones share (skin.h). It is the next one's turn whose best claim on all is most nearly met by
// what is joined. A piece that touches none goes to what is nearest. docs/math/bodies.md.
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "rig/build.h"
#include "rig/skin.h"

static const double same_vertex = 1e-5;  // of the extent
static const double same_place = 1e-3;   // of the extent, between heads
static const double same_end = 5e-3;     // of the extent, between a head and an end: solvers leave a gap
static const double no_contact = 0.01;   // of what a bone shares with others
static const double stray_weight = 1e-3; // of its tree's mass
static const double near_tie = 0.5;      // of the best claim: then the bone has it that it begins nearest to
static const double root_tie = 0.1;      // likewise for the root's own bone, which nodes speak for
static const double plain = 1.0 / 3.0;   // of the most that it shares: what hangs on the root by nodes stays there
static const double not_far = 2.0;       // times as far as what is nearest, between skins that do not touch
static const double on_ground = 0.02;    // of the height
static const double better_root = 0.5;   // by how much claims must gain
static const double light_in_hand = 0.5; // of the hand's mass: fingers have less
static const double small_tree = 0.05;   // of the mass of the tree that it goes to
enum { MOST_ROOTS = 64, MOST_ISLANDS = 1000 };

static const double of_a_side = 0.5; // of its share counts for a bone of one side: trunks carry limbs

typedef struct claim {
    er_link link; // to -1 where there is none
    double worth; // of the claim
    double met;   // [0, 1], beside the best on any bone, joined or not
} claim;

typedef struct claim_reader {
    builder *b;
    er_arena *scratch;
    int n;
    bool *heavy;
    int *above; // the nearest heavy bone above, by nodes
    int *root;  // of a bone's tree
    double *tree_mass;
    bool *loose;
    int loose_count;
    int *piece; // the loose bone at or above a heavy one
    int *end;   // of a loose bone: the bone at whose end it begins, or -1
    int *place; // of a loose bone: the bone in the place of one without weight above it, or -1
    int top;    // the loose bone that is grown from
    int surface_count;
    eri_skin_surface *surface; // at the bind pose
    eri_skin_graph skin;
    double *sum;   // [n], zero between uses
    bool *sided;   // bones of the left or the right, by name
    bool *joined;  // pieces, by their loose bone
    claim *claims; // of loose bones, where `known`
    bool *known;
    er_link *link; // of loose bones
} claim_reader;

// --- what nodes say

static bool stands_on_ground(const builder *b, int bone)
{
    return er_v3_dot(b->rest[bone].translation, b->scene->up) < b->low + on_ground * b->height;
}

static void look_at_trees(claim_reader *r)
{
    const builder *b = r->b;
    double least = eri_rig_least_mass(b);
    for (int i = 0; i < r->n; ++i) {
        int p = b->parent[i];
        r->heavy[i] = b->bone[i] && b->mass[i].mass > least;
        r->root[i] = p < 0 ? i : r->root[p];
        r->tree_mass[r->root[i]] += b->mass[i].mass;
    }
    // a root on the ground with hardly any weight, above others that have some, is a handle
    for (int i = 0; i < r->n; ++i) {
        int top = r->root[i];
        if (i != top && r->heavy[i] && stands_on_ground(b, top))
            b->stray[top] |= b->mass[top].mass < stray_weight * r->tree_mass[top];
    }
    for (int i = 0; i < r->n; ++i) {
        int p = b->parent[i];
        r->heavy[i] &= !b->stray[i];
        r->above[i] = p < 0 ? -1 : r->heavy[p] ? p : r->above[p];
    }
}

static bool is_below(const claim_reader *r, int bone, int top)
{
    while (bone >= 0 && bone != top)
        bone = r->b->parent[bone];
    return bone == top;
}

// The heavy bone that a bone is part of by nodes, or -1.
static int host(const claim_reader *r, int bone)
{
    return r->heavy[bone] ? bone : r->above[bone];
}

static double head_distance(const claim_reader *r, int i, int j)
{
    const builder *b = r->b;
    return fmin(er_v3_distance(b->rest[i].translation, b->rest[j].translation),
                er_v3_distance(b->bind[i].translation, b->bind[j].translation));
}

static bool has_heavy_below(const claim_reader *r, int bone)
{
    for (int i = bone + 1; i < r->n; ++i)
        if (r->heavy[i] && is_below(r, i, bone)) return true;
    return false;
}

// --- props

// Whether a bone is something held: one at the end of a chain that is a socket, or touches nothing and is on a hand.
static bool is_held(const claim_reader *r, int bone)
{
    const builder *b = r->b;
    int up = r->above[bone];
    eri_prop_rule rule = eri_rig_prop_rule(b);
    if (!r->heavy[bone] || up < 0 || rule == PROPS_NONE) return false;
    bool alone = r->skin.start[bone] == r->skin.start[bone + 1];
    bool in_hand = alone && eri_rig_names_hand(b->name[b->parent[bone]]) && !eri_rig_names_hand(b->name[bone]) &&
                   b->mass[bone].mass > light_in_hand * b->mass[up].mass;
    bool held =
        rule == PROPS_LISTED ? eri_rig_lists_prop(b, b->name[bone]) : eri_rig_names_socket(b->name[bone]) || in_hand;
    return held && !has_heavy_below(r, bone);
}

static void find_held(claim_reader *r)
{
    for (int i = 0; i < r->n; ++i)
        r->b->prop[i] |= is_held(r, i);
    for (int i = 0; i < r->n; ++i)
        r->heavy[i] &= !r->b->prop[i];
}

// --- ends

// The bone that ends at a node: at its end site, at a bone without weight that nothing follows, or where a bone that
// hangs on it begins.
static int ending_at(const claim_reader *r, int node)
{
    const builder *b = r->b;
    if ((b->scene->node[node].flags & ER_NODE_END_SITE) != 0) return b->owner[node] >= 0 ? host(r, b->owner[node]) : -1;
    if (!b->bone[node]) return -1;
    if (r->heavy[node]) return r->loose[node] ? -1 : r->above[node];
    return has_heavy_below(r, node) ? -1 : r->above[node];
}

// The bone at whose end another begins, or -1.
static int begins_at_end_of(const claim_reader *r, int bone)
{
    double nearest = same_end * r->b->extent;
    int of = -1;
    for (int i = 0; i < r->n; ++i) {
        double d = i != bone ? head_distance(r, i, bone) : HUGE_VAL;
        if (!(d <= nearest)) continue;
        int ending = ending_at(r, i);
        if (ending < 0 || is_below(r, ending, bone)) continue;
        nearest = d;
        of = ending;
    }
    return of;
}

// --- places

// The heavy bone in the place of another: `self` where that is one, else the one that shares most skin with self; for
// no self (-1) one below that other first. -1 without one.
static int in_place_of(const claim_reader *r, int bone, int self)
{
    double most = -1.0;
    int best = -1;
    for (int i = 0; i < r->n; ++i) {
        if (!r->heavy[i] || head_distance(r, i, bone) > same_place * r->b->extent) continue;
        if (i == self) return self;
        if (self >= 0 && is_below(r, i, self)) continue;
        double shared = self >= 0 ? eri_skin_shared(&r->skin, self, i) : is_below(r, i, bone);
        if (shared <= most) continue;
        most = shared;
        best = i;
    }
    return best;
}

// The bone that the first bone without weight above a loose one, in the place of any, stands for; -1 without one.
static int stands_for(const claim_reader *r, int bone)
{
    for (int up = r->b->parent[bone]; up >= 0 && !r->heavy[up]; up = r->b->parent[up]) {
        int place = in_place_of(r, up, bone);
        if (place >= 0 && place != bone) return place;
    }
    return -1;
}

// --- loose bones

// How much a bone shares with those that do not hang on it; of them, the one that it shares most with.
static double shared_outside(const claim_reader *r, int bone, int *most)
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

// Whether a bone shares nothing with the heavy one above, but begins at the end of another, or hangs, in a rig
// without a mesh, on one without weight in the place of another; or, where the one above is the first of its tree,
// shares most of its skin with one further away than a sibling.
static bool is_torn_off(const claim_reader *r, int bone)
{
    int up = r->above[bone], most;
    double all = shared_outside(r, bone, &most), share = eri_skin_shared(&r->skin, bone, up);
    if (share > no_contact * all) return false;
    int end = begins_at_end_of(r, bone);
    if (end >= 0) return end != up;
    int place = r->b->control != NULL ? stands_for(r, bone) : -1; // skin tells more
    if (place >= 0) return place != up;
    int to = most >= 0 ? host(r, most) : -1;
    return r->above[up] < 0 && to >= 0 && to != up && r->above[to] != up &&
           eri_skin_shared(&r->skin, bone, most) >= 0.5 * all;
}

static void find_loose(claim_reader *r)
{
    for (int i = 0; i < r->n; ++i)
        r->loose_count += r->loose[i] = r->heavy[i] && r->above[i] < 0;
    for (int i = 0; i < r->n; ++i)
        if (r->heavy[i] && r->above[i] >= 0 && is_torn_off(r, i)) {
            r->loose[i] = true;
            ++r->loose_count;
        }
    for (int i = 0; i < r->n; ++i)
        r->piece[i] = r->loose[i] ? i : r->above[i] >= 0 ? r->piece[r->above[i]] : -1;
    for (int i = 0; i < r->n; ++i) {
        r->end[i] = r->loose[i] ? begins_at_end_of(r, i) : -1;
        r->place[i] = r->loose[i] ? stands_for(r, i) : -1;
    }
}

// --- claims

static bool is_joined(const claim_reader *r, int bone)
{
    return bone >= 0 && r->joined[r->piece[bone]];
}

static double counted(const claim_reader *r, int bone)
{
    return r->sided[bone] ? of_a_side : 1.0;
}

// Sums what a loose bone shares with each heavy bone of other pieces, as it counts, or takes the sums away again. All
// that it shares.
static double sum_shares(claim_reader *r, int bone, bool away)
{
    double all = 0.0;
    for (int k = r->skin.start[bone]; k < r->skin.start[bone + 1]; ++k) {
        int to = host(r, r->skin.contact[k].bone);
        if (to < 0 || r->piece[to] == bone) continue;
        all += r->skin.contact[k].area;
        r->sum[to] = away ? 0.0 : r->sum[to] + counted(r, to) * r->skin.contact[k].area;
    }
    return all;
}

// How far a bone begins from another: from the line between where that begins and where what hangs on it by nodes does.
static double bone_distance(const claim_reader *r, int bone, int other)
{
    const builder *b = r->b;
    er_vec3 at = b->bind[bone].translation, head = b->bind[other].translation, end = head;
    int count = 0;
    for (int i = other + 1; i < r->n; ++i)
        if (r->heavy[i] && r->above[i] == other && !r->loose[i]) {
            end = er_v3_madd(end, 1.0 / ++count, er_v3_sub(b->bind[i].translation, end));
        }
    er_vec3 along = er_v3_sub(end, head);
    double length2 = er_v3_dot(along, along), t = er_v3_dot(er_v3_sub(at, head), along);
    t = length2 > 0.0 ? fmin(fmax(t / length2, 0.0), 1.0) : 0.0;
    return er_v3_distance(at, er_v3_madd(head, t, along));
}

// Of the joined bones that a loose one shares most with, give or take, the nearest, of trunks before that of limbs.
// The root's own where that is enough: by nodes it hangs there.
static int best_by_skin(const claim_reader *r, int bone, double *most, double *most_joined)
{
    int best = -1, top = r->top;
    bool by_nodes = r->above[bone] < 0 && r->root[bone] == r->root[top];
    double nearest = HUGE_VAL;
    *most = *most_joined = 0.0;
    for (int k = r->skin.start[bone]; k < r->skin.start[bone + 1]; ++k) {
        int to = host(r, r->skin.contact[k].bone);
        if (to < 0) continue;
        *most = fmax(*most, r->sum[to]);
        if (is_joined(r, to)) *most_joined = fmax(*most_joined, r->sum[to]);
    }
    if (by_nodes && r->sum[top] > plain * *most) {
        *most_joined = *most;
        return top;
    }
    for (int k = r->skin.start[bone]; k < r->skin.start[bone + 1]; ++k) {
        int to = host(r, r->skin.contact[k].bone);
        double least = to == top && by_nodes ? root_tie : near_tie;
        if (!is_joined(r, to) || !(r->sum[to] > 0.0) || r->sum[to] < least * *most_joined) continue;
        double away = bone_distance(r, bone, to) + (r->sided[to] ? r->b->extent : 0.0); // trunks first
        if (!(away < nearest)) continue;
        nearest = away;
        best = to;
    }
    return best;
}

// All that a bone shares, with its own piece too; above 0.
static double whole_share(const claim_reader *r, int bone)
{
    double whole = 1e-300;
    for (int k = r->skin.start[bone]; k < r->skin.start[bone + 1]; ++k)
        whole += r->skin.contact[k].area;
    return whole;
}

static claim best_claim(claim_reader *r, int bone)
{
    double all = sum_shares(r, bone, false), most, joined;
    int to = best_by_skin(r, bone, &most, &joined), end = r->end[bone], place = r->place[bone];
    er_evidence by = to == r->top && r->above[bone] < 0 ? ER_EVIDENCE_NODE : ER_EVIDENCE_SKIN;
    bool told = end >= 0 || place >= 0, is_told = false;
    if (is_joined(r, end)) {
        to = end;
        by = ER_EVIDENCE_END;
        is_told = true;
    } else if (is_joined(r, place)) {
        to = place;
        by = ER_EVIDENCE_PLACE;
        is_told = true;
    }
    double share = to >= 0 && all > 0.0 ? r->sum[to] / (counted(r, to) * all) : 0.0;
    sum_shares(r, bone, true);
    if (to < 0) return (claim){.link = {-1, ER_EVIDENCE_NONE, 0.0}};
    return (claim){{to, by, share},
                   share * all / whole_share(r, bone) + is_told,
                   is_told                 ? 1.0
                   : told || !(most > 0.0) ? 0.5 * joined / most
                                           : joined / most};
}

// --- what touches nothing

static int lead_of(const claim_reader *r, const eri_skin_surface *s, int vertex)
{
    int lead = -1;
    double most = 0.0;
    for (int k = s->influence_start[vertex]; k < s->influence_start[vertex + 1]; ++k)
        if (s->influence_weight[k] > most && s->influence_body[k] < r->n) {
            most = s->influence_weight[k];
            lead = host(r, s->influence_body[k]);
        }
    return lead;
}

static er_vec3 vertex_of(const eri_skin_surface *s, int vertex)
{
    const double *p = s->position + 3 * (size_t)vertex;
    return er_v3(p[0], p[1], p[2]);
}

// What is nearest to a place of all that is joined, and how far away; likewise the root's own bone.
typedef struct nearby {
    int bone;
    double distance, top_distance;
} nearby;

static nearby look_around(const claim_reader *r, er_vec3 at)
{
    nearby found = {-1, HUGE_VAL, HUGE_VAL}; // distances count double where a bone is of one side
    for (int i = 0; i < r->surface_count; ++i)
        for (int v = 0; v < r->surface[i].vertex_count; ++v) {
            double d = er_v3_distance(vertex_of(&r->surface[i], v), at);
            if (!(d < found.top_distance)) continue;
            int lead = lead_of(r, &r->surface[i], v);
            if (!is_joined(r, lead)) continue;
            if (lead == r->top) found.top_distance = d;
            if (!(d / counted(r, lead) < found.distance)) continue;
            found.distance = d / counted(r, lead);
            found.bone = lead;
        }
    return found;
}

// The bone whose skin is nearest to where a loose one begins; -1 without any. What hangs on the root by nodes stays
// there where that is not much further, and where it is no skin: parts of toys touch nothing.
static int nearest_to(const claim_reader *r, int bone)
{
    bool by_nodes = r->root[bone] == r->root[r->top], skinned = (r->b->scene->node[bone].flags & ER_NODE_JOINT) != 0;
    if (by_nodes && (!skinned || r->loose_count > MOST_ISLANDS)) return r->top;
    nearby found = look_around(r, r->b->bind[bone].translation);
    return by_nodes && found.top_distance <= not_far * found.distance ? r->top : found.bone;
}

// --- growing

// The first heavy bone of a tree that has some, down the branches whose heavy bones weigh most.
static int heaviest_top(const claim_reader *r, int root)
{
    double *below = r->sum;
    int at = root;
    for (int i = r->n - 1; i >= 0; --i) {
        if (r->heavy[i]) below[i] += r->b->mass[i].mass;
        if (r->b->parent[i] >= 0) below[r->b->parent[i]] += below[i];
    }
    while (!r->heavy[at]) {
        int best = -1;
        for (int i = at + 1; i < r->n; ++i)
            if (r->b->bone[i] && r->b->parent[i] == at && (best < 0 || below[i] > below[best])) best = i;
        assert(best >= 0);
        at = best;
    }
    memset(r->sum, 0, (size_t)r->n * sizeof *r->sum);
    return at;
}

// Claims change with what is joined: those of bones that share skin with it, or begin or stand where it does.
static void forget_claims_on(claim_reader *r, int piece)
{
    for (int i = 0; i < r->n; ++i) {
        if (!r->heavy[i]) continue;
        if (r->loose[i] &&
            ((r->end[i] >= 0 && r->piece[r->end[i]] == piece) || (r->place[i] >= 0 && r->piece[r->place[i]] == piece)))
            r->known[i] = false;
        if (r->piece[i] != piece) continue;
        for (int k = r->skin.start[i]; k < r->skin.start[i + 1]; ++k) {
            int other = host(r, r->skin.contact[k].bone);
            if (other >= 0) r->known[r->piece[other]] = false;
        }
    }
}

// Joins what can claim a bone that is joined already. How much all claims are worth.
static double join_claims(claim_reader *r)
{
    double total = 0.0;
    memset(r->known, 0, (size_t)r->n * sizeof *r->known);
    for (;;) {
        int next = -1;
        claim best = {.met = 0.0};
        for (int i = 0; i < r->n; ++i) {
            if (!r->loose[i] || r->joined[i]) continue;
            if (!r->known[i]) r->claims[i] = best_claim(r, i);
            r->known[i] = true;
            claim c = r->claims[i];
            if (c.link.to < 0 || c.met < best.met || (c.met == best.met && c.worth <= best.worth)) continue;
            next = i;
            best = c;
        }
        if (next < 0) return total;
        r->joined[next] = true;
        r->link[next] = best.link;
        total += best.worth;
        forget_claims_on(r, next);
    }
}

static double grow_from(claim_reader *r, int top)
{
    memset(r->joined, 0, (size_t)r->n * sizeof *r->joined);
    r->joined[top] = true;
    r->top = top;
    r->link[top] = (er_link){-1, ER_EVIDENCE_NONE, 0.0};
    return join_claims(r);
}

// The loose bone of a tree that it grows from: the usual one, unless from another clearly more of them find their
// place.
static int choose_top(claim_reader *r, int root)
{
    int usual = heaviest_top(r, root), best = usual;
    if (r->loose_count > MOST_ROOTS) return usual;
    double most = grow_from(r, usual) + better_root;
    for (int i = 0; i < r->n; ++i) {
        if (!r->loose[i] || r->root[i] != root || i == usual || r->above[i] >= 0) continue;
        double total = grow_from(r, i);
        if (total <= most) continue;
        most = total;
        best = i;
    }
    return best;
}

// Whether any bone of a loose bone's tree is joined, or the tree is so small beside what is joined that it is a part.
static bool belongs_to_joined(const claim_reader *r, int bone, double joined_mass)
{
    for (int i = 0; i < r->n; ++i)
        if (r->loose[i] && r->joined[i] && r->root[i] == r->root[bone]) return true;
    return r->tree_mass[r->root[bone]] < small_tree * joined_mass;
}

// Joins every loose bone, or makes it a root.
static void join_all(claim_reader *r)
{
    int heaviest = -1;
    for (int i = 0; i < r->n; ++i)
        if (r->loose[i] && (heaviest < 0 || r->tree_mass[r->root[i]] > r->tree_mass[heaviest])) heaviest = r->root[i];
    grow_from(r, choose_top(r, heaviest));
    double joined_mass = r->tree_mass[heaviest];
    for (int i = 0; i < r->n; ++i) {
        if (!r->loose[i] || r->joined[i]) continue;
        if (belongs_to_joined(r, i, joined_mass)) {
            int to = nearest_to(r, i);
            r->joined[i] = true;
            r->link[i] = (er_link){to,
                                   to < 0                                      ? ER_EVIDENCE_NONE
                                   : to == r->top && r->root[i] == r->root[to] ? ER_EVIDENCE_NODE
                                                                               : ER_EVIDENCE_NEAR,
                                   0.0};
        } else {
            int top = heaviest_top(r, r->root[i]);
            r->joined[top] = true;
            r->link[top] = (er_link){-1, ER_EVIDENCE_NONE, 0.0};
        }
        join_claims(r);
    }
}

// --- what comes of it

static bool is_above_root(const claim_reader *r, int bone)
{
    for (int i = 0; i < r->n; ++i)
        if (r->loose[i] && r->link[i].to < 0 && is_below(r, i, bone)) return true;
    return false;
}

static void place_controls(claim_reader *r)
{
    for (int i = 0; i < r->n; ++i) {
        if (!r->b->bone[i] || r->heavy[i] || r->above[i] >= 0 || is_above_root(r, i)) continue;
        int to = in_place_of(r, i, -1);
        if (to < 0 && r->b->parent[i] < 0) // the root of a tree that goes to another
            for (int k = 0; k < r->n && to < 0; ++k)
                to = r->loose[k] && r->root[k] == i ? k : -1;
        if (to >= 0) r->link[i] = (er_link){to, ER_EVIDENCE_PLACE, 0.0};
    }
}

static void link_by_nodes(claim_reader *r)
{
    for (int i = 0; i < r->n; ++i) {
        int to = r->b->parent[i];
        r->link[i] = (er_link){to,
                               to < 0           ? ER_EVIDENCE_NONE
                               : r->b->inferred ? ER_EVIDENCE_DISTANCE
                                                : ER_EVIDENCE_NODE,
                               0.0};
    }
}

static void note_shares(claim_reader *r)
{
    for (int i = 0; i < r->n; ++i) {
        int most;
        double all = r->heavy[i] && !r->loose[i] ? shared_outside(r, i, &most) : 0.0;
        if (all > 0.0) r->link[i].share = eri_skin_shared(&r->skin, i, r->above[i]) / all;
    }
}

static er_result begin(claim_reader *d)
{
    er_result r = ER_OK;
    size_t n = (size_t)d->n;
    ERI_TRY_NEW(d->heavy, d->scratch, bool, n);
    ERI_TRY_NEW(d->above, d->scratch, int, n);
    ERI_TRY_NEW(d->root, d->scratch, int, n);
    ERI_TRY_NEW(d->tree_mass, d->scratch, double, n);
    ERI_TRY_NEW(d->loose, d->scratch, bool, n);
    ERI_TRY_NEW(d->piece, d->scratch, int, n);
    ERI_TRY_NEW(d->end, d->scratch, int, n);
    ERI_TRY_NEW(d->place, d->scratch, int, n);
    ERI_TRY_NEW(d->sum, d->scratch, double, n);
    ERI_TRY_NEW(d->joined, d->scratch, bool, n);
    ERI_TRY_NEW(d->claims, d->scratch, claim, n);
    ERI_TRY_NEW(d->known, d->scratch, bool, n);
    ERI_TRY_NEW(d->sided, d->scratch, bool, n);
    for (int i = 0; i < d->n; ++i)
        d->sided[i] = eri_rig_names_side(d->b->name[i]);
    look_at_trees(d);
    ERI_TRY(eri_rig_surfaces(d->b, d->b->bind, &d->surface, &d->surface_count, NULL));
    ERI_TRY(eri_skin_graph_make(d->scratch, d->surface_count, d->surface, d->n, same_vertex * d->b->extent, &d->skin));
done:
    return r;
}

static er_result read_anew(builder *b)
{
    er_result r = ER_OK;
    claim_reader d = {.b = b, .scratch = b->scratch, .n = b->scene->node_count, .link = b->link};
    link_by_nodes(&d);
    if (b->inferred) return ER_OK; // somebody said how it is
    ERI_TRY(begin(&d));
    if (d.surface_count == 0 && b->control == NULL) return ER_OK;
    find_held(&d);
    find_loose(&d);
    note_shares(&d);
    if (d.loose_count > 0) join_all(&d);
    place_controls(&d);
    for (int i = 0; i < d.n; ++i)
        if (b->link[i].to >= 0) b->parent[i] = b->link[i].to;
done:
    return r;
}

// --- what somebody says

static er_result find_bone(const builder *b, const char *name, int *out)
{
    int found = 0;
    char text[SUGGESTION_TEXT];
    suggestion meant = {.word = name};
    for (int i = 0; i < b->scene->node_count; ++i) {
        if (!b->bone[i]) continue;
        suggestion_try(&meant, b->name[i]);
        if (strcmp(b->name[i], name) != 0) continue;
        *out = i;
        ++found;
    }
    if (found == 1) return ER_OK;
    return er_fail(b->context, ER_ERROR_ARGUMENT, "hang: %s called \"%s\"%s",
                   found == 0 ? "no bone is" : "several bones are", name,
                   found == 0 ? suggestion_text(&meant, text) : "");
}

// The bone of the body that a bone's body hangs on, or -1.
static int hangs_on(const builder *b, int bone)
{
    int up = b->weights->parent[bone]; // as it was read
    while (up >= 0 && b->body[up] == bone)
        up = b->weights->parent[up];
    return up >= 0 ? b->body[up] : -1;
}

static bool has_bone(const builder *b, const char *name)
{
    int i = 0;
    while (i < b->scene->node_count && !(b->bone[i] && strcmp(b->name[i], name) == 0))
        ++i;
    return i < b->scene->node_count;
}

static er_result hang_as_said(builder *b, const er_hang *said)
{
    er_result r = ER_OK;
    int bone = -1, on = -1;
    if (said->optional && !(has_bone(b, said->bone) && (said->on == NULL || has_bone(b, said->on)))) return ER_OK;
    ERI_TRY(find_bone(b, said->bone, &bone));
    if (said->on != NULL) ERI_TRY(find_bone(b, said->on, &on));
    if (hangs_on(b, bone) == on) return ER_OK;
    b->parent[bone] = on;
    b->link[bone] = (er_link){on, ER_EVIDENCE_SAID, 0.0};
done:
    return r;
}

// Ways up end where an earlier one went, so all of them together are no longer than the tree.
static er_result refuse_circles(builder *b)
{
    er_result r = ER_OK;
    int *way;
    ERI_TRY_NEW(way, b->scratch, int, b->scene->node_count);
    for (int i = 0; i < b->scene->node_count; ++i) {
        int at = i;
        for (; at >= 0 && way[at] == 0; at = b->parent[at])
            way[at] = i + 1;
        if (at >= 0 && way[at] == i + 1)
            ERI_TRY(er_fail(b->context, ER_ERROR_ARGUMENT, "hang: \"%s\" hangs in a circle", b->name[i]));
    }
done:
    return r;
}

// Corrections of what was read, which is kept for rigs like this one.
static er_result hang_all(builder *b)
{
    er_result r = ER_OK;
    size_t n = (size_t)b->scene->node_count;
    int *parent, dropped;
    er_link *link;
    ERI_TRY_NEW(parent, b->notes.arena, int, n);
    ERI_TRY_NEW(link, b->notes.arena, er_link, n);
    memcpy(parent, b->parent, n * sizeof *parent);
    memcpy(link, b->link, n * sizeof *link);
    b->weights->parent = parent;
    b->weights->link = link;
    if (b->def.hang_count > 0) ERI_TRY(eri_rig_find_bodies(b, &dropped));
    for (int i = 0; i < b->def.hang_count; ++i)
        ERI_TRY(hang_as_said(b, &b->def.hang[i]));
    ERI_TRY(refuse_circles(b));
done:
    return r;
}

// --- all of it

// Props that are bones weigh as props, and are one with what carries them.
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
        moved +=
            b->link[i].by == ER_EVIDENCE_END || b->link[i].by == ER_EVIDENCE_SKIN || b->link[i].by == ER_EVIDENCE_NEAR;
    if (moved == 0) return ER_OK;
    return eri_notes_add(
        &b->notes, ER_NOTE_FACT,
        moved == 1
            ? "%d bone hangs on another than its node does: where that ends, by skin that they share, or nearest"
            : "%d bones hang on others than their nodes do: where those end, by skin that they share, or nearest",
        moved);
}

er_result eri_rig_read_bodies(builder *b)
{
    er_result r = ER_OK;
    size_t n = (size_t)b->scene->node_count;
    const er_weights *like = b->weighed_like;
    if (like != NULL) {
        memcpy(b->parent, like->parent, n * sizeof *b->parent);
        memcpy(b->stray, like->stray, n * sizeof *b->stray);
        memcpy(b->link, like->link, n * sizeof *b->link);
    } else {
        ERI_TRY(read_anew(b));
    }
    b->weights->stray = b->stray;
    lighten_props(b);
    ERI_TRY(hang_all(b));
    ERI_TRY(report(b));
    ERI_TRY(report_props(b));
done:
    return r;
}
