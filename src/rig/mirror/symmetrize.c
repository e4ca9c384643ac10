// A rig made symmetric: twins become each other's mirror images, halfway between what they were.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/failure.h"
#include "rig/change.h"

static const double most_unpaired = 0.5; // of the mass, or of the joints: with more there is no mirror

typedef struct symmetrizer {
    const er_model *model;
    const er_mirror *mirror;
    er_body *body;   // [body_count]
    er_joint *joint; // [joint_count]
    er_symmetry *told;
} symmetrizer;

// ---- How far things move

static double importance(const symmetrizer *s, const er_symmetry_move *m)
{
    return m->kind == ER_SYMMETRY_PLACE || m->kind == ER_SYMMETRY_JOINT ? m->by / s->model->size : m->by;
}

// Keeps the largest, in order.
static void tell(symmetrizer *s, er_symmetry_kind kind, int index, double by)
{
    er_symmetry *told = s->told;
    er_symmetry_move move = {kind, index, by};
    double size = importance(s, &move);
    if (!(size > 1e-9)) return;
    ++told->moved;
    int at = told->count < ER_SYMMETRY_MOVES ? told->count++ : ER_SYMMETRY_MOVES;
    while (at > 0 && importance(s, &told->move[at - 1]) < size) {
        if (at < ER_SYMMETRY_MOVES) told->move[at] = told->move[at - 1];
        --at;
    }
    if (at < ER_SYMMETRY_MOVES) told->move[at] = move;
}

static double change_of(double was, double now)
{
    double most = fmax(fabs(was), fabs(now));
    return most > 0.0 ? fabs(now - was) / most : 0.0;
}

// ---- Reflections

static er_vec3 reflected(const symmetrizer *s, er_vec3 x)
{
    er_vec3 n = s->mirror->normal;
    return er_v3_madd(x, -2.0 * (er_v3_dot(n, x) - s->mirror->offset), n);
}

static er_mat3 reflection(const symmetrizer *s)
{
    er_mat3 R = er_m3_identity();
    const double n[3] = {s->mirror->normal.x, s->mirror->normal.y, s->mirror->normal.z};
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            R.m[i][k] -= 2.0 * n[i] * n[k];
    return R;
}

static er_mat3 conjugated(er_mat3 R, er_mat3 a)
{
    return er_m3_mul(er_m3_mul(R, a), er_m3_transpose(R));
}

static er_vec3 half_way(er_vec3 a, er_vec3 b)
{
    return er_v3_scale(0.5, er_v3_add(a, b));
}

// ---- Bodies

static void set_body(symmetrizer *s, int index, double mass, er_vec3 middle, er_mat3 inertia)
{
    er_body *b = &s->body[index];
    er_mat3 to_body = er_m3_transpose(er_m3_from_q(b->pose.q)), own = conjugated(to_body, inertia);
    er_vec3 was = er_pose_point(b->pose, b->com);
    double largest = 0.0, change = 0.0;
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) {
            largest = fmax(largest, fmax(fabs(own.m[i][k]), fabs(b->inertia.m[i][k])));
            change = fmax(change, fabs(own.m[i][k] - b->inertia.m[i][k]));
        }
    tell(s, ER_SYMMETRY_MASS, index, change_of(b->mass, mass));
    tell(s, ER_SYMMETRY_PLACE, index, er_v3_distance(was, middle));
    tell(s, ER_SYMMETRY_INERTIA, index, change / largest);
    b->mass = mass;
    b->com = er_m3_mul_v(to_body, er_v3_sub(middle, b->pose.p));
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            b->inertia.m[i][k] = 0.5 * (own.m[i][k] + own.m[k][i]);
}

static void join_bodies(symmetrizer *s, int a, int b)
{
    const er_body *x = &s->model->body[a], *y = &s->model->body[b];
    er_mat3 R = reflection(s), J = conjugated(er_m3_from_q(x->pose.q), x->inertia),
            other = conjugated(R, conjugated(er_m3_from_q(y->pose.q), y->inertia)), mean;
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            mean.m[i][k] = 0.5 * (J.m[i][k] + other.m[i][k]);
    double mass = 0.5 * (x->mass + y->mass);
    er_vec3 middle = half_way(er_pose_point(x->pose, x->com), reflected(s, er_pose_point(y->pose, y->com)));
    set_body(s, a, mass, middle, mean);
    if (a != b) set_body(s, b, mass, reflected(s, middle), conjugated(R, mean));
}

// ---- Joints

// Whether turns of the frame change nothing: a ball joint with equal springs and dampers about all axes.
static bool is_round(const er_joint *j)
{
    if (j->type != ER_JOINT_SPHERICAL) return j->type == ER_JOINT_FIXED || j->type == ER_JOINT_FREE;
    for (int c = 1; c < 3; ++c)
        if (change_of(j->stiffness[c], j->stiffness[0]) > 1e-12 || change_of(j->damping[c], j->damping[0]) > 1e-12)
            return false;
    return true;
}

// The mirror image of a frame, with the axes `turned` so that it is a rotation again.
static er_quat image_of(const symmetrizer *s, er_quat q, const double turned[3])
{
    er_mat3 F = er_m3_mul(reflection(s), er_m3_from_q(q));
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            F.m[i][k] *= turned[k];
    return er_q_unit(er_q_from_m3(F));
}

// The frame halfway between a joint's and the image of its twin's; axes of twins may run against each other.
static void join_frames(symmetrizer *s, int a, int b)
{
    const double turned[4][3] = {{-1, 1, 1}, {1, -1, 1}, {1, 1, -1}, {-1, -1, -1}};
    er_quat own = s->model->joint[a].frame.q, twin = s->model->joint[b].frame.q, image = own;
    double most = -1.0;
    int best = 0;
    for (int k = 0; k < 4; ++k) {
        er_quat q = image_of(s, twin, turned[k]);
        double like = fabs(own.w * q.w + own.x * q.x + own.y * q.y + own.z * q.z);
        if (like <= most + 1e-12) continue;
        most = like;
        best = k;
        image = q;
    }
    double sign = own.w * image.w + own.x * image.x + own.y * image.y + own.z * image.z < 0.0 ? -1.0 : 1.0;
    er_quat mean = er_q_unit(
        (er_quat){own.w + sign * image.w, own.x + sign * image.x, own.y + sign * image.y, own.z + sign * image.z});
    double angle = 2.0 * acos(fmin(1.0, fabs(own.w * mean.w + own.x * mean.x + own.y * mean.y + own.z * mean.z)));
    if (angle > 1e-7) tell(s, ER_SYMMETRY_AXES, a, angle);
    s->joint[a].frame.q = mean;
    if (a == b) return;
    if (angle > 1e-7) tell(s, ER_SYMMETRY_AXES, b, angle);
    s->joint[b].frame.q = image_of(s, mean, turned[best]);
}

static void join_joints(symmetrizer *s, int a, int b)
{
    const er_joint *x = &s->model->joint[a], *y = &s->model->joint[b];
    if (x->type != y->type) return;
    er_vec3 at = half_way(x->frame.p, reflected(s, y->frame.p)), there = reflected(s, at);
    double softer = 0.0;
    tell(s, ER_SYMMETRY_JOINT, a, er_v3_distance(x->frame.p, at));
    if (a != b) tell(s, ER_SYMMETRY_JOINT, b, er_v3_distance(y->frame.p, there));
    s->joint[a].frame.p = at;
    s->joint[b].frame.p = a == b ? at : there;
    for (int c = 0; c < er_joint_type_freedom(x->type, NULL); ++c) {
        softer = fmax(softer, change_of(x->stiffness[c], 0.5 * (x->stiffness[c] + y->stiffness[c])));
        s->joint[a].stiffness[c] = s->joint[b].stiffness[c] = 0.5 * (x->stiffness[c] + y->stiffness[c]);
        s->joint[a].damping[c] = s->joint[b].damping[c] = 0.5 * (x->damping[c] + y->damping[c]);
    }
    tell(s, ER_SYMMETRY_STIFFNESS, a, softer);
    if (!is_round(x) || !is_round(y)) join_frames(s, a, b);
}

// ---- All

// The share of joints whose bodies' twins no joint connects.
static double unlike_joints(const er_model *model, const er_mirror *mirror)
{
    int unlike = 0;
    for (int j = 0; j < model->joint_count; ++j)
        unlike += mirror->joint[j] < 0;
    return model->joint_count > 0 ? (double)unlike / model->joint_count : 0.0;
}

static er_result check(er_context *context, const er_model *model, const er_mirror *mirror)
{
    double unlike = unlike_joints(model, mirror);
    if (mirror->unpaired <= most_unpaired && unlike <= most_unpaired) return ER_OK;
    return er_fail(context, ER_ERROR_RIG,
                   "the rig has no mirror: %.0f %% of its mass and %.0f %% of its joints have "
                   "no twin",
                   100.0 * mirror->unpaired, 100.0 * unlike);
}

static er_result symmetrize(er_arena *scratch, const er_model *model, const er_mirror *mirror, er_symmetry *told,
                            er_model **out)
{
    er_result r = ER_OK;
    er_model_def def = er_default_model_def();
    symmetrizer s = {.model = model, .mirror = mirror, .told = told};
    ERI_TRY_NEW(s.body, scratch, er_body, model->body_count);
    ERI_TRY_NEW(s.joint, scratch, er_joint, model->joint_count);
    memcpy(s.body, model->body, (size_t)model->body_count * sizeof *s.body);
    if (model->joint_count > 0) memcpy(s.joint, model->joint, (size_t)model->joint_count * sizeof *s.joint);
    for (int b = 0; b < model->body_count; ++b) {
        told->pairs += mirror->body[b] > b;
        told->middle += mirror->body[b] == b;
        told->unpaired += mirror->body[b] < 0;
    }
    ERI_TRY(check(eri_arena_context(scratch), model, mirror));
    for (int b = 0; b < model->body_count; ++b)
        if (mirror->body[b] >= b) join_bodies(&s, b, mirror->body[b]);
    for (int j = 0; j < model->joint_count; ++j) {
        int twin = mirror->joint[j];
        if (twin >= j && mirror->joint[twin] == j) join_joints(&s, j, twin);
    }
    def.name = model->name;
    def.source = model->source;
    def.body_count = model->body_count;
    def.body = s.body;
    def.joint_count = model->joint_count;
    def.joint = s.joint;
    def.damping_ratio = model->damping_ratio;
    def.rayleigh_mass = model->rayleigh_mass;
    def.rayleigh_stiffness = model->rayleigh_stiffness;
    r = er_model_create(eri_arena_context(scratch), &def, out);
done:
    return r;
}

er_result eri_rig_symmetrize(er_arena *scratch, const er_rig_change *change, er_model **model)
{
    er_result r = ER_OK;
    er_mirror *mirror = NULL;
    er_model *symmetric = NULL;
    er_symmetry told = {0};
    ERI_TRY(er_mirror_find(eri_arena_context(scratch), *model, NULL, change->up, &mirror));
    ERI_TRY(symmetrize(scratch, *model, mirror, &told, &symmetric));
    er_model_destroy(*model);
    *model = symmetric;
    if (change->symmetry != NULL) *change->symmetry = told;
done:
    er_mirror_destroy(mirror);
    return r;
}

// ---- Words

void er_symmetry_tell(const er_model *model, const er_symmetry *symmetry, char *out, size_t size)
{
    static const struct {
        const char *what, *unit;
        double factor;
        bool joint;
    } kinds[] = {{"mass of", " %", 100.0, false},
                 {"place of", " m", 1.0, false},
                 {"inertia of", " %", 100.0, false},
                 {"place of", " m", 1.0, true},
                 {"axes of", " degrees", 180.0 / ER_PI, true},
                 {"stiffness of", " %", 100.0, true}};
    size_t at = 0;
    int put = snprintf(out, size, "made symmetric: %d pairs of bodies, %d in the middle, %d without twin",
                       symmetry->pairs, symmetry->middle, symmetry->unpaired);
    for (int i = 0; i < symmetry->count && put >= 0 && at + (size_t)put < size; ++i) {
        const er_symmetry_move *m = &symmetry->move[i];
        const char *name = kinds[m->kind].joint ? model->joint[m->index].name : model->body[m->index].name;
        at += (size_t)put;
        put = snprintf(out + at, size - at, "%s %s %s \"%s\" by %.3g%s", i == 0 ? "; largest changes:" : ",",
                       kinds[m->kind].what, kinds[m->kind].joint ? "joint" : "body", name,
                       m->by * kinds[m->kind].factor, kinds[m->kind].unit);
    }
}
