// Feet and their legs. Feet are bodies named so, the ends of limbs named leg, or else the lowest ends of limbs.
#include <stdio.h>
#include <string.h>

#include "base/platform.h"
#include "gait/body/body.h"

enum { DIRECTIONS = 8 }; // in which a sole's corners are looked for

static double height_of(const eri_body_reader *b, er_vec3 x)
{
    return er_v3_dot(x, b->out->up) - b->out->ground;
}

static bool is_above(const er_model *model, int above, int below)
{
    for (int i = below; i >= 0; i = model->tree_parent[i])
        if (i == above) return true;
    return false;
}

// --- which bodies are feet

static bool is_low(const eri_body_reader *b, int body)
{
    return b->low[body] <= 0.05 * b->out->height;
}

// Whether a body is low and no body above it would be a better foot, one whose joint is low too.
static bool begins_foot(const eri_body_reader *b, int body)
{
    int up = b->model->tree_parent[body];
    if (!is_low(b, body) || (b->named[body].parts & ERI_PART_NO_FOOT) != 0) return false;
    return up < 0 || !is_low(b, up) || height_of(b, eri_body_origin(b, up)) > 0.2 * b->out->height;
}

static void read_limbs(eri_body_reader *b)
{
    const er_model *m = b->model;
    for (int i = 0; i < m->body_count; ++i)
        b->limb[i] = (eri_body_limb){.low = b->low[i]};
    for (int k = m->body_count - 1; k >= 0; --k) {
        int i = m->order[k], up = m->tree_parent[i];
        if (up < 0) continue;
        eri_body_limb *of = &b->limb[up];
        of->low = fmin(of->low, b->limb[i].low);
        of->chain = fmax(of->chain, b->limb[i].chain + er_v3_distance(eri_body_origin(b, i), eri_body_origin(b, up)));
        of->below |= b->limb[i].below | b->named[i].parts;
    }
    for (int k = 0; k < m->body_count; ++k) {
        int i = m->order[k], up = m->tree_parent[i];
        if (up >= 0) b->limb[i].above = b->limb[up].above | b->named[up].parts;
    }
}

// The most specific word for a foot in a limb, by which its bodies count as foot or leg; 0 for none.
static unsigned word_of(const eri_body_reader *b, int body)
{
    const unsigned word[] = {ERI_PART_FOOT, ERI_PART_ANKLE, ERI_PART_TOE, ERI_PART_LEG},
                   other = ERI_PART_HAND | ERI_PART_FINGER | ERI_PART_WING | ERI_PART_FIN;
    unsigned parts = b->named[body].parts, rest = b->limb[body].below | b->limb[body].above;
    if (b->twin[body] < 0 || (parts & ERI_PART_NO_FOOT) != 0) return 0;
    for (size_t i = 0; i < ERI_COUNT(word); ++i) {
        if ((parts & word[i]) != 0) return word[i] == ERI_PART_LEG && (rest & other) != 0 ? 0 : word[i];
        if ((rest & word[i]) != 0) return 0;
    }
    return 0;
}

// Whether a child of a limb's body may be its foot: it has the limb's word, or it ends a leg, under any name.
static bool continues(const eri_body_reader *b, unsigned word, int body)
{
    unsigned parts = b->named[body].parts;
    return word == ERI_PART_LEG ? (parts & ERI_PART_NO_FOOT) == 0 : (parts & word) != 0;
}

// Searches a limb from the top. Feet are the highest bodies with a joint near the limb's lowest point, because all
// bodies of a leg may have the word; otherwise the last bodies.
static int collect_feet(const eri_body_reader *b, unsigned word, int top, int body, int *root, int count)
{
    const eri_body_limb *of = &b->limb[body];
    double near = 0.2 * b->out->height, raised = 0.25 * b->out->height;
    int before = count;
    if (of->low > b->limb[top].low + raised) return count;
    bool ends = height_of(b, eri_body_origin(b, body)) - of->low <= near &&
                (word != ERI_PART_LEG || of->chain < 0.5 * b->limb[top].chain);
    for (int i = 0; i < b->model->body_count && !ends; ++i)
        if (b->model->tree_parent[i] == body && continues(b, word, i))
            count = collect_feet(b, word, top, i, root, count);
    if (count == before) root[count++] = body;
    return count;
}

static int find_called(const eri_body_reader *b, int *root)
{
    int count = 0;
    for (int i = 0; i < b->model->body_count; ++i) {
        unsigned word = word_of(b, i);
        int up = b->model->tree_parent[i];
        if (word == 0 || (up >= 0 && word_of(b, up) == word) || !(b->limb[i].low < HUGE_VAL)) continue;
        count = collect_feet(b, word, i, i, root, count);
    }
    return count;
}

// --- one foot a leg

static bool is_of_side(const eri_body_reader *b, int body)
{
    return b->twin[body] >= 0 || (b->out->mirror[body] >= 0 && b->out->mirror[body] != body);
}

// The lowest body that two others hang on, or -1.
static int find_common(const er_model *model, int one, int other)
{
    while (one >= 0 && !is_above(model, one, other))
        one = model->tree_parent[one];
    return one;
}

// The way along the bones from a body's joint down to another's.
static double way_down(const eri_body_reader *b, int from, int to)
{
    double way = 0.0;
    for (int i = to; i != from; i = b->model->tree_parent[i])
        way += er_v3_distance(eri_body_origin(b, i), eri_body_origin(b, b->model->tree_parent[i]));
    return way;
}

// The length of a branch of a body, down to the end of a limb on it.
static double reach_of(const eri_body_reader *b, int from, int limb)
{
    double down = height_of(b, eri_body_origin(b, limb)) - b->limb[limb].low;
    int first = limb;
    while (b->model->tree_parent[first] != from)
        first = b->model->tree_parent[first];
    return way_down(b, first, limb) + fmax(b->limb[limb].chain, down);
}

static double mass_of_limb(const eri_body_reader *b, int limb)
{
    double mass = 0.0;
    for (int i = 0; i < b->model->body_count; ++i)
        if (is_above(b->model, limb, i)) mass += b->model->body[i].mass;
    return mass;
}

// Whether two ends belong to one leg: what carries both is the lower part of a limb; or they hang in one place; or one
// is short beside the other. Legs that hang on a rail of their side begin there, apart, and are about as long.
static bool are_of_one_leg(const eri_body_reader *b, int one, int other)
{
    const double short_part = 0.5, raised_part = 0.8, same_place = 0.1, level = 0.05 * b->out->height;
    int on = find_common(b->model, one, other), top = on;
    if (on < 0 || on == one || on == other || b->model->tree_parent[on] < 0 || !is_of_side(b, on)) return false;
    for (int up = b->model->tree_parent[on]; up >= 0 && b->model->tree_parent[up] >= 0 && is_of_side(b, up);
         up = b->model->tree_parent[up])
        top = up;
    double reach = reach_of(b, on, one), other_reach = reach_of(b, on, other);
    bool longer = reach > other_reach;
    double longest = longer ? reach : other_reach, shortest = longer ? other_reach : reach,
           raised = (longer ? -1.0 : 1.0) * (b->limb[one].low - b->limb[other].low);
    er_vec3 apart = er_v3_sub(eri_body_origin(b, one), eri_body_origin(b, other));
    apart = er_v3_madd(apart, -er_v3_dot(apart, b->out->up), b->out->up);
    return way_down(b, top, on) >= 0.5 * longest || er_v3_norm(apart) < same_place * b->out->height ||
           shortest < (raised > level ? raised_part : short_part) * longest;
}

// Whether one end of a leg is its foot rather than another: it stands lower, is called a foot, or is heavier.
static bool is_rather_foot(const eri_body_reader *b, int one, int other)
{
    const unsigned foot = ERI_PART_FOOT | ERI_PART_ANKLE | ERI_PART_TOE;
    double above = b->limb[one].low - b->limb[other].low, level = 0.05 * b->out->height;
    bool called = (b->named[one].parts & foot) != 0, other_called = (b->named[other].parts & foot) != 0;
    if (fabs(above) > level) return above < 0.0;
    if (called != other_called) return called;
    return mass_of_limb(b, one) >= mass_of_limb(b, other);
}

// Keeps one end of each leg: ropes, plates and helpers are part of the leg that they hang on.
static int keep_one_a_leg(const eri_body_reader *b, int *root, int count)
{
    for (int i = 0; i < count; ++i)
        for (int k = i + 1; k < count; ++k) {
            if (!are_of_one_leg(b, root[i], root[k])) continue;
            if (!is_rather_foot(b, root[i], root[k])) root[i] = root[k];
            for (int later = k + 1; later < count; ++later)
                root[later - 1] = root[later];
            --count;
            k = i; // all others again, beside the end that is kept
        }
    return count;
}

// --- feet that nobody calls so

// The first body of a limb: the highest ancestor with a twin.
static er_vec3 limb_top(const eri_body_reader *b, int body)
{
    int up = b->model->tree_parent[body];
    for (; up >= 0 && b->twin[up] >= 0; up = b->model->tree_parent[up])
        body = up;
    return eri_body_origin(b, body);
}

// Whether an unnamed limb stands like a foreleg beside named legs: in front of them or behind, not above.
static bool is_beside(const eri_body_reader *b, int body, const int *leg, int count)
{
    er_vec3 hips = {0, 0, 0};
    for (int i = 0; i < count; ++i)
        hips = er_v3_madd(hips, 1.0 / count, limb_top(b, leg[i]));
    er_vec3 d = er_v3_sub(limb_top(b, body), hips);
    double rise = er_v3_dot(d, b->out->up);
    return b->twin[body] >= 0 && 2.0 * rise * rise < er_v3_dot(d, d);
}

static bool shares_limb(const er_model *model, int body, const int *leg, int count)
{
    for (int i = 0; i < count; ++i)
        if (is_above(model, body, leg[i]) || is_above(model, leg[i], body)) return true;
    return false;
}

// Whether a called foot is on the limb of a body and stands higher, as a helper at a thigh does.
static bool replaces_called(const eri_body_reader *b, int body, const int *leg, int count)
{
    for (int i = 0; i < count; ++i) {
        int on = find_common(b->model, body, leg[i]);
        if (on >= 0 && b->model->tree_parent[on] >= 0 && is_of_side(b, on) &&
            b->limb[leg[i]].low > b->limb[body].low + 0.05 * b->out->height)
            return true;
    }
    return false;
}

// Adds bodies that stand without being named a foot; all of them if no body is named so.
static int find_standing(const eri_body_reader *b, int *root, int called)
{
    int count = called;
    bool stands = called == 0;
    for (int i = 0; i < called; ++i)
        stands |= b->limb[root[i]].low <= 0.2 * b->out->height;
    for (int i = 0; i < b->model->body_count; ++i) {
        int body = b->model->order[i];
        if (!begins_foot(b, body) || shares_limb(b->model, body, root, called)) continue;
        if (called == 0 || !stands || is_beside(b, body, root, called) || replaces_called(b, body, root, called))
            root[count++] = body;
    }
    return count;
}

static int count_joints(const eri_body_reader *b, int body, int trunk)
{
    int count = 0;
    for (int i = body; i != trunk && i >= 0; i = b->model->tree_parent[i])
        count += b->model->tree_joint[i] >= 0;
    return count;
}

// The nearest ancestor that another foot hangs on too, or the root.
static int find_trunk(const eri_body_reader *b, const int *root, int count, int foot)
{
    int at = b->model->tree_parent[root[foot]], last = root[foot];
    for (; at >= 0; last = at, at = b->model->tree_parent[at])
        for (int i = 0; i < count; ++i)
            if (i != foot && is_above(b->model, at, root[i])) return at;
    return last;
}

// Whether a name matches one of the comma-separated patterns.
static bool is_named(const char *patterns, const char *name)
{
    char one[256];
    for (const char *at = patterns; *at != '\0'; at += *at == ',') {
        size_t length = strcspn(at, ",");
        snprintf(one, sizeof one, "%.*s", (int)length, at);
        if (eri_platform_match(one, name)) return true;
        at += length;
    }
    return false;
}

static double low_share(const eri_body_reader *b)
{
    double low = 0.0, all = 0.0;
    for (int i = 0; i < b->model->body_count; ++i) {
        all += b->model->body[i].mass;
        if (b->low[i] <= 0.15 * b->out->height) low += b->model->body[i].mass;
    }
    return low / all;
}

bool eri_gait_no_feet(const eri_body_reader *b)
{
    return b->def.feet != NULL && strcmp(b->def.feet, "none") == 0;
}

static int find_roots(const eri_body_reader *b, int *root)
{
    int count = 0, n = b->model->body_count, called = 0;
    if (eri_gait_no_feet(b)) return 0;
    for (int i = 0; i < n && b->def.feet != NULL; ++i)
        if (is_named(b->def.feet, b->model->body[b->model->order[i]].name)) root[count++] = b->model->order[i];
    if (b->def.feet == NULL) {
        called = b->on_side ? 0 : find_called(b, root);
        bool more = called > 0 ? !b->mapped : low_share(b) <= 0.6; // what lies flat has no feet that nobody calls so
        count = more ? find_standing(b, root, called) : called;
    }
    int kept = 0;
    for (int i = 0; i < count; ++i) {
        bool above = false; // a named foot has named toes; what is merely low is a foot where nothing below is
        for (int k = 0; k < count; ++k)
            above |= k != i && (b->def.feet != NULL || k < called ? is_above(b->model, root[k], root[i])
                                                                  : is_above(b->model, root[i], root[k]));
        bool floating = b->model->tree_parent[root[i]] < 0;
        if (!above && !floating) root[kept++] = root[i];
    }
    return b->def.feet != NULL ? kept : keep_one_a_leg(b, root, kept);
}

// --- soles

static bool is_of_foot(const eri_body_reader *b, const er_gait_foot *foot, int point)
{
    int body = b->cloud.body[point];
    return is_above(b->model, foot->sole, body);
}

// The corners of a sole: the extreme points of the foot's lowest part in each direction.
static er_result read_sole(eri_body_reader *b, er_gait_foot *foot, er_vec3 *centre)
{
    er_result r = ER_OK;
    er_vec3 *point, u = b->out->left, v = er_v3_cross(b->out->up, u);
    int *body, best[DIRECTIONS + 1], count = 0;
    double lowest = HUGE_VAL, thick = 0.02 * b->out->height;
    for (int i = 0; i < b->cloud.count; ++i)
        if (is_of_foot(b, foot, i)) lowest = fmin(lowest, height_of(b, b->cloud.point[i]));
    for (int d = 0; d <= DIRECTIONS; ++d) {
        double angle = 2.0 * ER_PI * d / DIRECTIONS, most = -HUGE_VAL;
        er_vec3 way = er_v3_add(er_v3_scale(cos(angle), u), er_v3_scale(sin(angle), v));
        if (d == DIRECTIONS) way = er_v3_scale(-1.0, b->out->up); // and the lowest of all
        best[d] = -1;
        for (int i = 0; i < b->cloud.count; ++i) {
            double far = er_v3_dot(b->cloud.point[i], way);
            if (far <= most || height_of(b, b->cloud.point[i]) > lowest + thick || !is_of_foot(b, foot, i)) continue;
            most = far;
            best[d] = i;
        }
        for (int k = 0; k < d; ++k)
            if (best[k] == best[d]) best[d] = -1;
        count += best[d] >= 0;
    }
    ERI_TRY_NEW(point, b->arena, er_vec3, count);
    ERI_TRY_NEW(body, b->arena, int, count);
    *centre = er_v3(0, 0, 0);
    for (int d = 0, k = 0; d <= DIRECTIONS; ++d) {
        if (best[d] < 0) continue;
        point[k] = b->cloud.point[best[d]];
        body[k] = b->cloud.body[best[d]];
        *centre = er_v3_madd(*centre, 1.0 / count, point[k++]);
    }
    *centre = er_v3_madd(*centre, lowest - height_of(b, *centre), b->out->up);
    foot->point = point;
    foot->point_body = body;
    foot->point_count = count;
done:
    return r;
}

// --- legs

static double length_of(const eri_body_reader *b, const er_gait_foot *foot, er_vec3 end)
{
    double length = 0.0;
    for (int k = 0; k < foot->joint_count; ++k) {
        er_vec3 from = b->model->joint[foot->joint[k]].frame.p,
                to = k + 1 < foot->joint_count ? b->model->joint[foot->joint[k + 1]].frame.p : end;
        length += er_v3_distance(from, to);
    }
    return length;
}

static er_result read_leg(eri_body_reader *b, er_gait_foot *foot)
{
    er_result r = ER_OK;
    const er_model *model = b->model;
    int *joint, at = foot->joint_count = count_joints(b, foot->body, foot->trunk);
    er_vec3 centre;
    ERI_TRY_NEW(joint, b->arena, int, at);
    for (int i = foot->body; at > 0; i = model->tree_parent[i])
        if (model->tree_joint[i] >= 0) joint[--at] = model->tree_joint[i];
    foot->joint = joint;
    ERI_TRY(read_sole(b, foot, &centre));
    er_vec3 ankle = eri_body_origin(b, foot->sole);
    foot->flat = (foot->joint_count >= 2 || foot->sole != foot->body) && height_of(b, ankle) <= 0.2 * b->out->height;
    er_vec3 end = foot->flat ? ankle : centre;
    foot->heel = er_pose_point_inverse(model->body[foot->body].pose, end);
    foot->rest = er_v3_dot(er_v3_sub(end, centre), b->out->up);
    foot->reach = length_of(b, foot, end);
    foot->side = eri_gait_side_of_foot(b, foot, NULL);
done:
    return r;
}

// Merges two feet at one place: keeps the longer leg, with the other body as its sole.
static int join_soles(eri_body_reader *b, er_gait_foot *foot, int count)
{
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < count; ++k) {
            er_vec3 leg = er_pose_point(b->model->body[foot[i].body].pose, foot[i].heel),
                    sole = eri_body_origin(b, foot[k].body);
            er_vec3 apart = er_v3_sub(leg, sole);
            apart = er_v3_madd(apart, -er_v3_dot(apart, b->out->up), b->out->up);
            if (i == k || foot[i].joint_count < 0 || foot[k].joint_count < 0 || foot[k].reach > 0.6 * foot[i].reach ||
                er_v3_norm(apart) > 0.1 * b->out->height)
                continue;
            foot[i].sole = foot[k].body;
            foot[k].joint_count = -1;
        }
    int kept = 0;
    for (int i = 0; i < count; ++i)
        if (foot[i].joint_count >= 0) foot[kept++] = foot[i];
    return kept;
}

// Whether two legs are twins: some body of one is the twin of a body of the other.
static bool are_twins(const eri_body_reader *b, const er_gait_foot *foot, const er_gait_foot *other)
{
    for (int i = foot->body; i >= 0 && i != foot->trunk; i = b->model->tree_parent[i])
        if (b->twin[i] >= 0 && b->twin[i] != other->trunk && is_above(b->model, b->twin[i], other->body)) return true;
    return false;
}

// The foot of the other side: the twin's, or the one nearest to the mirrored place.
static void pair_feet(eri_body_reader *b, er_gait_foot *foot, int count)
{
    for (int i = 0; i < count; ++i) {
        er_vec3 here = eri_body_origin(b, foot[i].body);
        double nearest = 0.1 * b->model->size, across = er_v3_dot(here, b->out->left) - b->offset;
        er_vec3 image = er_v3_madd(here, -2.0 * across, b->out->left);
        foot[i].mirror = -1;
        for (int k = 0; k < count; ++k) {
            double d = er_v3_distance(image, eri_body_origin(b, foot[k].body));
            bool images = b->out->mirror[foot[i].body] == foot[k].body,
                 twins = images && b->twin[foot[i].body] == foot[k].body;
            if (images) d = 0.0;
            if (k == i || (!twins && (foot[k].side != -foot[i].side || foot[i].side == 0)) || d >= nearest) continue;
            nearest = d;
            foot[i].mirror = k;
        }
        for (int k = 0; k < count && foot[i].mirror < 0; ++k)
            if (k != i && are_twins(b, &foot[i], &foot[k])) foot[i].mirror = k;
    }
    for (int i = 0; i < count; ++i)
        if (foot[i].mirror >= 0 && foot[foot[i].mirror].mirror != i) foot[i].mirror = -1;
}

// The side by the hips, since feet may cross: 1, -1, or 0 in the middle.
int eri_gait_side_of_foot(const eri_body_reader *b, const er_gait_foot *foot, const er_gait_foot *mirror)
{
    er_vec3 hip = b->model->joint[foot->joint[0]].frame.p, sole = {0, 0, 0};
    for (int k = 0; k < foot->point_count; ++k)
        sole = er_v3_madd(sole, 1.0 / foot->point_count, foot->point[k]);
    double least = 0.01 * b->model->size, middle = b->offset;
    if (mirror != NULL) {
        er_vec3 other = b->model->joint[mirror->joint[0]].frame.p;
        middle = 0.5 * er_v3_dot(er_v3_add(hip, other), b->out->left);
    }
    double across = er_v3_dot(hip, b->out->left) - middle;
    if (fabs(across) < least) across = er_v3_dot(sole, b->out->left) - b->offset;
    return fabs(across) < least ? 0 : across > 0.0 ? 1 : -1;
}

// Removes tails that touch the ground, and single feet.
static int drop_single(eri_body_reader *b, er_gait_foot *foot, int count)
{
    int kept = 0;
    for (int i = 0; i < count; ++i)
        if (foot[i].mirror >= 0) foot[kept++] = foot[i];
    pair_feet(b, foot, kept);
    return kept;
}

static double lowest_of(const eri_body_reader *b, const er_gait_foot *foot)
{
    double low = HUGE_VAL;
    for (int k = 0; k < foot->point_count; ++k)
        low = fmin(low, height_of(b, foot->point[k]));
    return low;
}

// Removes pairs in the air while others stand: these are arms, whatever their names. Legs of insects hang as they like.
static int drop_hanging(eri_body_reader *b, er_gait_foot *foot, int count)
{
    const double high = 0.2 * b->out->height;
    double least = HUGE_VAL;
    int kept = 0;
    for (int i = 0; i < count; ++i)
        least = fmin(least, lowest_of(b, &foot[i]));
    for (int i = 0; i < count; ++i) {
        int k = foot[i].mirror;
        if (count >= 6 && (b->named[foot[i].body].parts & (ERI_PART_LEG | ERI_PART_FOOT)) != 0) continue;
        if (i < k && fmin(lowest_of(b, &foot[i]), lowest_of(b, &foot[k])) > least + high)
            foot[i].joint_count = foot[k].joint_count = -1;
    }
    for (int i = 0; i < count; ++i)
        if (foot[i].joint_count >= 0) foot[kept++] = foot[i];
    if (kept < count) pair_feet(b, foot, kept);
    return kept;
}

// Three bodies in a row touch the ground. Bodies that swim or fly touch it with their lowest point alone.
static bool lies(const eri_body_reader *b)
{
    for (int i = 0; i < b->model->body_count; ++i) {
        int up = b->model->tree_parent[i], above = up >= 0 ? b->model->tree_parent[up] : -1;
        if (above >= 0 && b->low[i] <= 0.08 * b->out->height && b->low[up] <= 0.08 * b->out->height &&
            b->low[above] <= 0.08 * b->out->height)
            return true;
    }
    return false;
}

// Whether the caller names the foot, or a word for a foot or leg stands in its limb.
static bool is_called(const eri_body_reader *b, int body)
{
    const unsigned words = ERI_PART_FOOT | ERI_PART_ANKLE | ERI_PART_TOE | ERI_PART_LEG;
    const eri_body_limb *limb = &b->limb[body];
    return b->def.feet != NULL || ((b->named[body].parts | limb->above | limb->below) & words) != 0;
}

static er_result check_named(const eri_body_reader *b, int count)
{
    const char *feet = b->def.feet;
    if (feet == NULL || count > 1 || eri_gait_no_feet(b)) return ER_OK;
    if (count == 1)
        return er_fail(b->context, ER_ERROR_ARGUMENT, "a gait needs two feet or more, and there is only \"%s\"", feet);
    for (int i = 0; i < b->model->body_count; ++i)
        if (is_named(feet, b->model->body[i].name))
            return er_fail(b->context, ER_ERROR_ARGUMENT, "\"%s\" is the root of the body and cannot be a foot",
                           b->model->body[i].name);
    return er_fail(b->context, ER_ERROR_ARGUMENT, "no body is named like \"%s\"; eigenrig info lists them", feet);
}

er_result eri_gait_read_feet(eri_body_reader *b)
{
    er_result r = ER_OK;
    const er_model *model = b->model;
    int *root, count;
    er_gait_foot *foot;
    ERI_TRY_NEW(b->low, b->scratch, double, model->body_count);
    for (int i = 0; i < model->body_count; ++i)
        b->low[i] = HUGE_VAL;
    for (int i = 0; i < b->cloud.count; ++i)
        b->low[b->cloud.body[i]] = fmin(b->low[b->cloud.body[i]], height_of(b, b->cloud.point[i]));
    ERI_TRY_NEW(b->limb, b->scratch, eri_body_limb, model->body_count);
    read_limbs(b);
    ERI_TRY_NEW(root, b->scratch, int, model->body_count);
    count = find_roots(b, root);
    ERI_TRY(check_named(b, count));
    ERI_TRY_NEW(foot, b->arena, er_gait_foot, count);
    for (int i = 0; i < count; ++i) {
        foot[i] = (er_gait_foot){.name = "", .body = root[i], .sole = root[i], .trunk = find_trunk(b, root, count, i)};
        foot[i].named = is_called(b, root[i]);
        ERI_TRY(read_leg(b, &foot[i]));
    }
    if (b->def.feet == NULL) {
        count = join_soles(b, foot, count);
        for (int i = 0; i < count; ++i)
            if (foot[i].sole != foot[i].body) ERI_TRY(read_leg(b, &foot[i]));
    }
    pair_feet(b, foot, count);
    if (b->def.feet == NULL) count = drop_hanging(b, foot, drop_single(b, foot, count));
    b->out->foot = foot;
    b->out->foot_count = count;
    b->out->lies = count == 0 && lies(b);
    double sunk = HUGE_VAL; // what hangs lower than feet, as a gun does, is not on the ground
    for (int i = 0; i < count; ++i)
        sunk = fmin(sunk, lowest_of(b, &foot[i]));
    if (count > 0) b->out->ground += sunk, b->out->height -= sunk;
done:
    return r;
}
