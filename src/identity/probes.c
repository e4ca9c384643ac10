// Places at which the motions of two rigs are compared: limbs and trunks by their regions, and feet.
#include "identity/probes.h"

#include <math.h>
#include <string.h>

enum {
    LIMB_PROBES = 3, // shift of its end, shift of its middle, turn of its end
    STATIONS = 6     // of a trunk, from its hind end to its front
};

// ---- reading

static er_vec3 turn_of(const er_model *model, const er_mode *mode, int body)
{
    const double *v = mode->body + 6 * (ptrdiff_t)body;
    return er_q_rotate(model->body[body].pose.q, er_v3(v[0], v[1], v[2]));
}

static er_vec3 shift_at(const er_model *model, const er_mode *mode, int body, er_vec3 at)
{
    const double *v = mode->body + 6 * (ptrdiff_t)body;
    er_pose pose = model->body[body].pose;
    er_vec3 shift = er_q_rotate(pose.q, er_v3(v[3], v[4], v[5]));
    return er_v3_add(shift, er_v3_cross(turn_of(model, mode, body), er_v3_sub(at, pose.p)));
}

static er_vec3 read_probe(const er_model *model, const eri_probe *p, const er_mode *mode)
{
    if (!p->turns) {
        er_vec3 shift = shift_at(model, mode, p->body, p->at);
        return p->anchor < 0 ? shift : er_v3_sub(shift, shift_at(model, mode, p->anchor, p->at));
    }
    er_vec3 turn = er_v3_scale(1.0 - p->blend, turn_of(model, mode, p->body));
    if (p->blend > 0.0) turn = er_v3_madd(turn, p->blend, turn_of(model, mode, p->other));
    return p->anchor < 0 ? turn : er_v3_sub(turn, turn_of(model, mode, p->anchor));
}

void eri_probes_read(const er_carry_side *side, int count, const eri_probe *probe, const er_mode *mode, double *value)
{
    const er_gait_body *body = side->regions->body;
    memset(value, 0, 3 * (size_t)count * sizeof *value);
    for (int i = 0; i < count; ++i) {
        if (probe[i].body < 0) continue;
        er_vec3 v = read_probe(side->model, &probe[i], mode);
        value[3 * i] = probe[i].weight.x * er_v3_dot(v, body->forward);
        value[3 * i + 1] = probe[i].weight.y * er_v3_dot(v, body->left);
        value[3 * i + 2] = probe[i].weight.z * er_v3_dot(v, body->up);
    }
}

// ---- regions that correspond

static int groups_of(const er_regions *regions, er_region_kind kind)
{
    int count = 0;
    for (int g = 0; g < regions->group_count; ++g)
        count += regions->group[g].kind == kind && regions->group[g].region_count > 1;
    return count;
}

// The place of a group among the pairs of its kind, and the pair at a place; -1: none.
static int place_of(const er_regions *regions, int group)
{
    int place = 0;
    for (int g = 0; g < group; ++g)
        place += regions->group[g].kind == regions->group[group].kind && regions->group[g].region_count > 1;
    return place;
}

static int pair_at(const er_regions *regions, er_region_kind kind, int place)
{
    for (int g = 0; g < regions->group_count && place >= 0; ++g)
        if (regions->group[g].kind == kind && regions->group[g].region_count > 1 && place-- == 0) return g;
    return -1;
}

// Pairs of legs correspond from the hindmost on; the foremost to the foremost.
static int legs_of(const er_regions *from, int group, const er_regions *to)
{
    er_region_kind kind = from->group[group].kind;
    int pairs = groups_of(from, kind), others = groups_of(to, kind), place = place_of(from, group);
    int at = place == 0 && pairs > 1 && others > 1 ? 0 : others - (pairs - place);
    if (at >= 0) return pair_at(to, kind, at);
    return place == 0 ? pair_at(to, kind == ER_REGION_LEG ? ER_REGION_ARM : ER_REGION_HAND, 0) : -1;
}

static int forelimbs_of(const er_regions *to, er_region_kind kind)
{
    static const er_region_kind order[] = {ER_REGION_ARM, ER_REGION_WING, ER_REGION_FIN};
    int found = pair_at(to, kind, 0);
    for (int i = 0; i < 3 && found < 0; ++i)
        found = pair_at(to, order[i], 0);
    return found < 0 && groups_of(to, ER_REGION_LEG) > 1 ? pair_at(to, ER_REGION_LEG, 0) : found;
}

static int group_called(const er_regions *to, const char *name)
{
    for (int g = 0; g < to->group_count; ++g)
        if (strcmp(to->group[g].name, name) == 0) return g;
    return -1;
}

static int group_of_kind(const er_regions *to, er_region_kind kind, bool pair)
{
    for (int g = 0; g < to->group_count; ++g)
        if (to->group[g].kind == kind && (to->group[g].region_count > 1) == pair) return g;
    return -1;
}

static int group_like(const er_regions *from, int group, const er_regions *to)
{
    const er_region_group *g = &from->group[group];
    bool pair = g->region_count > 1;
    if (pair && (g->kind == ER_REGION_LEG || g->kind == ER_REGION_FOOT)) return legs_of(from, group, to);
    if (pair && (g->kind == ER_REGION_ARM || g->kind == ER_REGION_WING || g->kind == ER_REGION_FIN))
        return forelimbs_of(to, g->kind);
    int found = group_called(to, g->name);
    if (found >= 0 || g->kind == ER_REGION_PART || g->kind == ER_REGION_PROP) return found;
    found = group_of_kind(to, g->kind, pair);
    if (found < 0 && g->kind == ER_REGION_NECK) found = group_of_kind(to, ER_REGION_HEAD, false);
    if (found < 0 && g->kind == ER_REGION_HEAD) found = group_of_kind(to, ER_REGION_NECK, false);
    return found;
}

static int region_like(const er_regions *from, int region, const er_regions *to)
{
    const er_region *r = &from->region[region];
    int group = group_like(from, r->group, to);
    if (group < 0) return -1;
    for (int i = 0; i < to->group[group].region_count; ++i)
        if (to->region[to->group[group].region[i]].side == r->side) return to->group[group].region[i];
    return -1;
}

// ---- probes of a region

static er_vec3 joint_of(const er_model *model, int body)
{
    int joint = model->tree_joint[body];
    return joint >= 0 ? model->joint[joint].frame.p : model->body[body].pose.p;
}

// A limb from its first joint to its far end: of a body as far behind its centre of mass as that is from its joint.
static void probe_limb(const er_carry_side *side, const er_region *region, eri_probe probe[LIMB_PROBES], double *length)
{
    const er_model *model = side->model;
    er_vec3 root = joint_of(model, region->body[0]), end = root, middle = root;
    int tip = region->body[0], half = tip;
    for (int i = 0; i < region->body_count; ++i) {
        int b = region->body[i];
        er_vec3 com = er_pose_point(model->body[b].pose, model->body[b].com),
                far = er_v3_add(com, er_v3_sub(com, joint_of(model, b)));
        if (er_v3_norm(er_v3_sub(far, root)) <= er_v3_norm(er_v3_sub(end, root)) * (1.0 + 1e-9)) continue;
        end = far;
        tip = b;
    }
    *length = er_v3_norm(er_v3_sub(end, root));
    double best = HUGE_VAL;
    for (int i = 0; i < region->body_count; ++i) {
        int b = region->body[i];
        er_vec3 com = er_pose_point(model->body[b].pose, model->body[b].com);
        double off = fabs(er_v3_norm(er_v3_sub(com, root)) - 0.5 * *length);
        if (off >= best * (1.0 - 1e-9)) continue;
        best = off;
        half = b;
        middle = com;
    }
    int anchor = side->regions->anchor[region->body[0]];
    probe[0] = (eri_probe){.body = tip, .anchor = anchor, .at = end};
    probe[1] = (eri_probe){.body = half, .anchor = anchor, .at = middle};
    probe[2] = (eri_probe){.body = tip, .anchor = anchor, .turns = true};
}

// A trunk's turns at stations along it, against its hind end; between two bodies they are interpolated.
static void probe_trunk(const er_carry_side *side, const er_region *region, eri_probe probe[STATIONS], double *length)
{
    const er_model *model = side->model;
    double low = HUGE_VAL, high = -HUGE_VAL;
    int hind = region->body[0];
    for (int i = 0; i < region->body_count; ++i) {
        const er_body *b = &model->body[region->body[i]];
        double at = er_v3_dot(er_pose_point(b->pose, b->com), region->along);
        if (at < low) hind = region->body[i];
        low = fmin(low, at);
        high = fmax(high, at);
    }
    *length = high - low;
    for (int k = 0; k < STATIONS; ++k) {
        double at = low + (high - low) * (k + 1) / STATIONS, before = -HUGE_VAL, after = HUGE_VAL;
        int body = hind, other = hind;
        for (int i = 0; i < region->body_count; ++i) {
            const er_body *b = &model->body[region->body[i]];
            double place = er_v3_dot(er_pose_point(b->pose, b->com), region->along);
            if (place <= at && place > before) {
                before = place;
                body = region->body[i];
            }
            if (place >= at && place < after) {
                after = place;
                other = region->body[i];
            }
        }
        double gap = after - before;
        bool between = gap > 0.0 && gap < HUGE_VAL;
        probe[k] = (eri_probe){
            .body = body, .other = other, .anchor = hind, .turns = true, .blend = between ? (at - before) / gap : 0.0};
    }
}

static int probe_region(const er_carry_side *side, int index, eri_probe *probe, double *length)
{
    const er_region *region = &side->regions->region[index];
    bool trunk = region->kind == ER_REGION_TRUNK;
    if (trunk)
        probe_trunk(side, region, probe, length);
    else
        probe_limb(side, region, probe, length);
    return trunk ? STATIONS : LIMB_PROBES;
}

// ---- both rigs

static void weigh(eri_probe *probe, int count, double length, double weight)
{
    for (int i = 0; i < count; ++i) {
        double w = probe[i].turns ? 0.5 * weight : length > 0.0 ? weight / length : 0.0;
        probe[i].weight = er_v3(w, w, w);
    }
}

static void add_pair(const er_carry_side *from, int a, const er_carry_side *to, int b, eri_probes *out)
{
    double length[2] = {0}, reach = 0.0;
    eri_probe *at[2] = {out->from + out->count, out->to + out->count};
    const er_region *region = a >= 0 ? &from->regions->region[a] : &to->regions->region[b];
    int count = 0;
    if (a >= 0) count = probe_region(from, a, at[0], &length[0]);
    if (b >= 0) count = probe_region(to, b, at[1], &length[1]);
    for (int i = 0; i < count; ++i) {
        if (a < 0) at[0][i] = (eri_probe){.body = -1};
        if (b < 0) at[1][i] = (eri_probe){.body = -1};
        out->part[out->count + i] = out->part_count;
    }
    reach = length[0] / from->model->size + length[1] / to->model->size;
    if (a >= 0 && b >= 0) reach *= 0.5;
    if (!er_region_kind_is_main(region->kind)) reach *= 0.3;
    weigh(at[0], count, length[0], reach);
    weigh(at[1], count, length[1], reach);
    out->count += count;
    ++out->part_count;
}

static er_result reserve(er_arena *arena, int parts, eri_probes *out)
{
    er_result r = ER_OK;
    *out = (eri_probes){0};
    ERI_TRY_NEW(out->from, arena, eri_probe, parts * STATIONS);
    ERI_TRY_NEW(out->to, arena, eri_probe, parts * STATIONS);
    ERI_TRY_NEW(out->part, arena, int, parts *STATIONS);
done:
    return r;
}

er_result eri_probe_regions(er_arena *arena, const er_carry_side *from, const er_carry_side *to, eri_probes *out)
{
    er_result r = ER_OK;
    bool *taken;
    ERI_TRY(reserve(arena, from->regions->count + to->regions->count, out));
    ERI_TRY_NEW(taken, arena, bool, to->regions->count);
    for (int a = 0; a < from->regions->count; ++a) {
        int b = region_like(from->regions, a, to->regions);
        if (b >= 0 && (taken[b] || (from->regions->region[a].kind == ER_REGION_TRUNK) !=
                                       (to->regions->region[b].kind == ER_REGION_TRUNK)))
            b = -1;
        if (b >= 0) taken[b] = true;
        add_pair(from, a, to, b, out);
    }
    for (int b = 0; b < to->regions->count; ++b)
        if (!taken[b]) add_pair(from, -1, to, b, out);
done:
    return r;
}

int eri_foot_like(const er_gait_body *from, int foot, const er_gait_body *to)
{
    const er_gait_foot *f = &from->foot[foot];
    for (int i = 0; i < to->foot_count; ++i)
        if (strcmp(to->foot[i].name, f->name) == 0) return i;
    bool two = from->foot_count == 2 && to->foot_count == 4, four = from->foot_count == 4 && to->foot_count == 2;
    for (int i = 0; i < to->foot_count && (two || four); ++i)
        if (to->foot[i].side == f->side && (two ? i : foot) >= 2) return i;
    return -1;
}

static eri_probe probe_foot(const er_carry_side *side, int foot)
{
    const er_gait_body *body = side->regions->body;
    const er_gait_foot *f = &body->foot[foot];
    double w = 1.0 / body->leg;
    return (eri_probe){.body = f->body,
                       .anchor = -1,
                       .at = er_pose_point(side->model->body[f->body].pose, f->heel),
                       .weight = er_v3(w, 0.2 * w, w)};
}

er_result eri_probe_feet(er_arena *arena, const er_carry_side *from, const er_carry_side *to, eri_probes *out)
{
    er_result r = ER_OK;
    ERI_TRY(reserve(arena, from->regions->body->foot_count + 1, out));
    for (int a = 0; a < from->regions->body->foot_count; ++a) {
        int b = eri_foot_like(from->regions->body, a, to->regions->body);
        if (b < 0) continue;
        out->from[out->count] = probe_foot(from, a);
        out->to[out->count] = probe_foot(to, b);
        out->part[out->count] = out->part_count++;
        ++out->count;
    }
done:
    return r;
}
