// Spring bones that swing as loose parts do, by the rule of VRM. Source: docs/math/follow.md.
#include <complex.h>
#include <string.h>

#include "base/arena.h"
#include "motion/loose_part.h"

#define STILL 0.01       // a joint at the base of a part that bends less, over the one that bends most, is left out
#define RIGID 100.0      // dt stiffness over a joint's length: it hardly bends
#define SHORT 1e-6       // of er_model.size: a bone without length does not turn
#define VRM_0_TAIL 0.07  // m: bones without children end so far on in VRM 0
#define HIT 0.1          // radius of a tail over its bone's length
#define MOST_GRAVITY 1e3 // of what a rule is given, file units per second

// ---- The rule of one joint

// The two roots of c z^2 - (1 + r) z + r = 0, as rates of decay times the frame.
static void find_decay(double c, double r, complex double decay[2])
{
    complex double root = csqrt((1.0 + r) * (1.0 + r) - 4.0 * c * r);
    decay[0] = -clog((1.0 + r + root) / (2.0 * c));
    decay[1] = r > 0.0 ? -clog((1.0 + r - root) / (2.0 * c)) : HUGE_VAL;
}

static void find_swing(double c, double r, double fps, double *hz, double *zeta)
{
    complex double decay[2];
    find_decay(c, r, decay);
    double w = sqrt(cabs(decay[0]) * cabs(decay[1]));
    *hz = w * fps / (2.0 * ER_PI);
    *zeta = w > 0.0 && w < HUGE_VAL ? 0.5 * creal(decay[0] + decay[1]) / w : 1.0;
}

void er_spring_joint_swing(const er_spring_joint *joint, double length, double fps, double *hz, double *zeta)
{
    find_swing(1.0 + joint->stiffness / (fps * length), 1.0 - joint->drag, fps, hz, zeta);
}

// c and r of a joint that swings at w with the damping ratio zeta: the product of the roots is r / c, their sum
// (1 + r) / c. Without any drag frames damp by themselves; then only the frequency can be had.
static void fit_rule(double w, double zeta, double dt, double *c, double *r)
{
    double still = zeta < 1.0 ? w * sqrt(1.0 - zeta * zeta) * dt : 0.0;
    double spread = zeta > 1.0 ? w * sqrt(zeta * zeta - 1.0) * dt : 0.0, fade = exp(-zeta * w * dt);
    double product = fade * fade, sum = 2.0 * fade * (zeta > 1.0 ? cosh(spread) : cos(still));
    *c = 1.0 / (sum - product);
    *r = product * *c;
    if (sum > product && *r <= 1.0) return;
    *r = 1.0;
    *c = 1.0 + pow(tan(fmin(still, 1.5)), 2.0);
}

// ---- The bones of a part

typedef struct spring_bone {
    int body, above, main;   // of the whole model, the bone above in the part and the next one of its chain, or -1
    er_vec3 head, tail, way; // world, m; from head to tail, unit
    double length;           // m; 0: it does not turn
    er_vec3 bend;            // by which the way turns against the bone above, in the first mode
    er_vec3 swing;           // of the tail, across the way
    double stiffness;        // dt stiffness, m
    bool first, left_out;
} spring_bone;

typedef struct spring_fitter {
    er_arena *arena;
    const er_model *model;
    const er_rig *rig;
    const er_follow_def *def;
    double dt;
    er_bones *bones;
    bool *loose;
    er_spring_bones *out;
    er_spring_chain *chain; // [body_count]
    er_spring_fit *fit;     // [body_count]
    // of one part
    const er_modes *modes;
    const int *body;
    int count;
    spring_bone *bone; // [count]
    double w, zeta, c, r;
} spring_fitter;

static er_vec3 velocity(const spring_fitter *s, int mode, int i, er_vec3 at)
{
    const double *x = s->modes->mode[mode].body + (ptrdiff_t)6 * i;
    er_pose pose = s->model->body[s->body[i]].pose;
    er_vec3 inside = er_pose_point_inverse(pose, at);
    return er_q_rotate(pose.q, er_v3_add(er_v3(x[3], x[4], x[5]), er_v3_cross(er_v3(x[0], x[1], x[2]), inside)));
}

static er_vec3 across(er_vec3 way, er_vec3 v)
{
    return er_v3_madd(v, -er_v3_dot(v, way), way);
}

// Which bones hang on which; the next of a chain is the child below which most bones follow one another.
static er_result link_bones(spring_fitter *s)
{
    er_result r = ER_OK;
    int *place, *depth;
    ERI_TRY_NEW(s->bone, s->arena, spring_bone, s->count);
    ERI_TRY_NEW(place, s->arena, int, s->model->body_count);
    ERI_TRY_NEW(depth, s->arena, int, s->count);
    for (int i = 0; i < s->count; ++i) {
        place[s->body[i]] = i;
        s->bone[i] = (spring_bone){.body = s->body[i], .above = -1, .main = -1};
        if (i > 0) s->bone[i].above = place[s->model->tree_parent[s->body[i]]];
        s->bone[i].head = s->bones->head[s->body[i]];
    }
    for (int i = s->count - 1; i > 0; --i) {
        spring_bone *above = &s->bone[s->bone[i].above];
        int *deepest = &depth[s->bone[i].above];
        if (above->main < 0 || depth[i] + 1 >= *deepest) above->main = i;
        if (depth[i] + 1 > *deepest) *deepest = depth[i] + 1;
    }
    for (int i = 0; i < s->count; ++i) {
        spring_bone *b = &s->bone[i];
        b->first = b->above < 0 || s->bone[b->above].main != i;
        b->tail = b->main >= 0 ? s->bone[b->main].head : s->bones->end[s->bones->start[b->body]];
        b->length = er_v3_distance(b->tail, b->head);
        if (b->length <= SHORT * s->model->size) b->length = 0.0;
        b->way = er_v3_unit(er_v3_sub(b->tail, b->head), er_v3(0, 0, 0));
    }
done:
    return r;
}

// How the first mode bends the chain, as the rule can: without twist.
static er_result bend_bones(spring_fitter *s)
{
    er_result r = ER_OK;
    er_vec3 *turn, *move;
    double most = 0.0;
    ERI_TRY_NEW(turn, s->arena, er_vec3, s->count);
    ERI_TRY_NEW(move, s->arena, er_vec3, s->count);
    for (int i = 0; i < s->count; ++i) {
        spring_bone *b = &s->bone[i];
        if (b->above >= 0) {
            er_vec3 arm = er_v3_sub(b->head, s->bone[b->above].head);
            turn[i] = turn[b->above];
            move[i] = er_v3_add(move[b->above], er_v3_cross(turn[b->above], arm));
        }
        if (b->length == 0.0) continue;
        er_vec3 moved = er_v3_sub(velocity(s, 0, i, b->tail), velocity(s, 0, i, b->head));
        er_vec3 turned = er_v3_scale(1.0 / b->length, across(b->way, moved));
        b->bend = er_v3_sub(turned, er_v3_cross(turn[i], b->way));
        b->swing = er_v3_madd(across(b->way, move[i]), b->length, turned);
        turn[i] = er_v3_add(turn[i], er_v3_cross(b->way, b->bend));
        most = fmax(most, er_v3_norm(b->bend));
    }
    for (int i = 0; i < s->count; ++i) {
        spring_bone *b = &s->bone[i];
        bool base = b->above < 0 || s->bone[b->above].left_out;
        b->left_out = b->length == 0.0 || (base && er_v3_norm(b->bend) < STILL * most);
    }
done:
    return r;
}

// dt stiffness times the bend is (c - 1) times the swing of the tail.
static double fit_stiffness(spring_fitter *s)
{
    double off = 0.0, all = 0.0;
    for (int i = 0; i < s->count; ++i) {
        spring_bone *b = &s->bone[i];
        if (b->left_out) continue;
        double bend = er_v3_dot(b->bend, b->bend), most = RIGID * b->length;
        b->stiffness = (s->c - 1.0) * er_v3_dot(b->swing, b->bend) / bend;
        if (!(b->stiffness >= 0.0 && b->stiffness <= most)) b->stiffness = most;
        if (b->above < 0 || s->bone[b->above].left_out) b->stiffness = (s->c - 1.0) * b->length;
        er_vec3 wanted = er_v3_scale(s->c - 1.0, b->swing);
        er_vec3 missed = er_v3_madd(wanted, -b->stiffness, b->bend);
        off += er_v3_dot(missed, missed);
        all += er_v3_dot(wanted, wanted);
    }
    return all > 0.0 ? sqrt(off / all) : 0.0;
}

// The frequency of the first mode that moves the tip across the way of the first.
static double find_across(const spring_fitter *s)
{
    int tip = 0;
    while (s->bone[tip].main >= 0)
        tip = s->bone[tip].main;
    er_vec3 at = s->bone[tip].tail, none = er_v3(0, 0, 0);
    er_vec3 first = er_v3_unit(velocity(s, 0, tip, at), none);
    for (int k = 1; k < s->modes->count; ++k) {
        er_vec3 way = er_v3_unit(velocity(s, k, tip, at), none);
        if (fabs(er_v3_dot(way, first)) < 0.5 && er_v3_norm(way) > 0.0)
            return s->w / (2.0 * ER_PI) * s->modes->mode[k].frequency_hz / s->modes->mode[0].frequency_hz;
    }
    return 0.0;
}

// ---- Chains

static er_spring_joint joint_of(const spring_fitter *s, int node, er_vec3 tail, double length)
{
    double unit = s->rig->metres_per_unit, g = er_v3_norm(s->def->gravity);
    er_affine back = er_affine_inverse(s->rig->world[node]);
    return (er_spring_joint){.node = node,
                             .tail = er_affine_point(back, er_v3_scale(1.0 / unit, tail)),
                             .drag = 1.0 - s->r,
                             .gravity_power = fmin(s->def->weight * g * s->dt / unit, MOST_GRAVITY),
                             .gravity_direction = er_v3_unit(s->def->gravity, er_v3(0, -1, 0)),
                             .hit_radius = HIT * length / unit};
}

static er_result add_chain(spring_fitter *s, const char *name, int count, const er_spring_joint *joint)
{
    er_spring_chain *chain = &s->chain[s->out->chain_count++];
    *chain = (er_spring_chain){.joint_count = count, .joint = joint, .center = -1};
    chain->name = eri_arena_string(s->arena, name);
    return chain->name != NULL ? ER_OK : ER_ERROR_MEMORY;
}

static er_result add_line(spring_fitter *s, int from)
{
    er_result r = ER_OK;
    er_spring_joint *joint;
    int count = 0;
    ERI_TRY_NEW(joint, s->arena, er_spring_joint, s->count);
    for (int i = from; i >= 0; i = s->bone[i].main) {
        const spring_bone *b = &s->bone[i];
        if (b->left_out) continue;
        joint[count] = joint_of(s, s->rig->body_node[b->body], b->tail, b->length);
        joint[count++].stiffness = b->stiffness / (s->dt * s->rig->metres_per_unit);
    }
    if (count > 0) r = add_chain(s, s->model->body[s->bone[from].body].name, count, joint);
done:
    return r;
}

static bool is_below(const er_scene *scene, int node, int root)
{
    while (node >= 0 && node != root)
        node = scene->node[node].parent;
    return node == root;
}

// A tree of VRM 0: all nodes below the root, with one stiffness. A tail is the first child.
static er_result add_tree(spring_fitter *s, int root)
{
    er_result r = ER_OK;
    const er_scene *scene = s->rig->scene;
    double unit = s->rig->metres_per_unit, stiffness = 0.0;
    er_spring_joint *joint;
    int count = 0;
    ERI_TRY_NEW(joint, s->arena, er_spring_joint, scene->node_count);
    for (int n = root; n < scene->node_count; ++n) {
        if (!is_below(scene, n, root)) continue;
        int child = -1;
        for (int k = n + 1; k < scene->node_count && child < 0; ++k)
            if (scene->node[k].parent == n) child = k;
        er_vec3 head = er_v3_scale(unit, s->rig->world[n].translation), tail;
        if (child >= 0)
            tail = er_v3_scale(unit, s->rig->world[child].translation);
        else
            tail = er_v3_scale(
                unit,
                er_affine_point(s->rig->world[n],
                                er_v3_scale(VRM_0_TAIL, er_v3_unit(scene->node[n].local.translation, er_v3(0, 0, 0)))));
        double length = er_v3_distance(head, tail);
        if (count == 0) stiffness = (s->c - 1.0) * length / (s->dt * unit);
        joint[count] = joint_of(s, n, tail, length);
        joint[count++].stiffness = stiffness;
    }
    r = add_chain(s, s->model->body[s->body[0]].name, count, joint);
done:
    return r;
}

static er_result add_part(spring_fitter *s, int root)
{
    er_result r = ER_OK;
    eri_loose_part *part = NULL;
    er_spring_fit *fit = &s->fit[s->out->fit_count];
    ERI_TRY(eri_loose_part_create(s->arena, s->model, root, s->loose, s->def, &part));
    s->modes = eri_loose_part_modes(part, &s->count, &s->body, &s->w, &s->zeta);
    ERI_TRY(link_bones(s));
    ERI_TRY(bend_bones(s));
    fit_rule(s->w, s->zeta, s->dt, &s->c, &s->r);
    *fit = (er_spring_fit){.body = root, .hz = s->w / (2.0 * ER_PI), .zeta = s->zeta};
    find_swing(s->c, s->r, 1.0 / s->dt, &fit->rule_hz, &fit->rule_zeta);
    fit->shape = fit_stiffness(s);
    fit->across_hz = find_across(s);
    ++s->out->fit_count;
    if (s->out->version == 0)
        r = add_tree(s, s->rig->body_node[root]);
    else
        for (int i = 0; i < s->count && r == ER_OK; ++i)
            if (s->bone[i].first) r = add_line(s, i);
done:
    eri_loose_part_destroy(part);
    return r;
}

static er_result check(er_context *context, const er_model *model, const er_rig *rig, const er_follow_def *def,
                       double fps, int version)
{
    if (model == NULL || rig == NULL || rig->model->body_count != model->body_count)
        return er_fail(context, ER_ERROR_ARGUMENT, "er_spring_bones_fit needs a model and its rig");
    if (!(fps >= 10.0 && fps <= 1000.0))
        return er_fail(context, ER_ERROR_ARGUMENT, "a frame rate of %g is not between 10 and 1000", fps);
    if (version != 0 && version != 1)
        return er_fail(context, ER_ERROR_ARGUMENT, "version %d is neither 0 nor 1", version);
    return eri_follow_check(context, model, def);
}

er_result er_spring_bones_fit(er_context *context, const er_model *model, const er_rig *rig, const er_follow_def *def,
                              double fps, int version, er_spring_bones **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    spring_fitter s = {.model = model, .rig = rig, .def = def, .dt = 1.0 / fps};
    er_result r = check(context, model, rig, def, fps, version);
    if (r != ER_OK) return r;
    ERI_TRY(eri_arena_create(context, &s.arena));
    ERI_TRY(er_bones_create(context, model, &s.bones));
    ERI_TRY_NEW(s.out, s.arena, er_spring_bones, 1);
    ERI_TRY_NEW(s.chain, s.arena, er_spring_chain, model->body_count);
    ERI_TRY_NEW(s.fit, s.arena, er_spring_fit, model->body_count);
    ERI_TRY_NEW(s.loose, s.arena, bool, model->body_count);
    memcpy(s.loose, def->loose, (size_t)model->body_count * sizeof *s.loose);
    *s.out = (er_spring_bones){.version = version, .chain = s.chain, .fit = s.fit, .arena = s.arena};
    for (int b = 0; b < model->body_count; ++b)
        if (s.loose[b] && !s.loose[model->tree_parent[b]]) ERI_TRY(add_part(&s, b));
    *out = s.out;
    s.arena = NULL;
done:
    er_bones_destroy(s.bones);
    eri_arena_destroy(s.arena);
    return r;
}

void er_spring_bones_destroy(er_spring_bones *bones)
{
    if (bones != NULL) eri_arena_destroy(bones->arena);
}
