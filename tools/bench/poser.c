// The rival of er_motion_frames(): poses as one would program them by hand, in single precision.
#include "tools/bench/poser.h"

#include <eigenrig/motion.h>

#include <stdlib.h>

#include <cblas.h>

// Compiled for FMA too, as for one's own machine (wider vectors make it slower), except under sanitizers, whose runtime
// is not ready when the version is chosen.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) &&               \
    !defined(__SANITIZE_THREAD__)
#define FOR_MACHINE __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define FOR_MACHINE
#endif
#define INLINE static inline __attribute__((always_inline)) // into each of the kinds

enum { BLOCK = 128 }; // frames a product: the result stays in the cache

typedef struct vector {
    float x, y, z;
} vector;

typedef struct quaternion {
    float w, x, y, z;
} quaternion;

typedef struct place {
    quaternion q;
    vector p;
} place;

// A body and the joint that carries it.
typedef struct bone {
    int body, up, first; // first: of its coordinates in x
    er_joint_type type;
    bool turned_before, after_is_identity;
    place before, after;
    vector com;
    float share; // of the body in the whole mass
} bone;

struct bench_poser {
    int body_count, width, component_count;
    bool floats;
    vector centre; // of mass, at equilibrium
    bone *bone;
    const er_motion_component *component;
    float *column; // [width x component_count], column-major
    float *signal; // [component_count x BLOCK]
    float *x;      // [width x BLOCK]
};

// ---- set-up

static place short_place(er_pose p)
{
    return (place){{(float)p.q.w, (float)p.q.x, (float)p.q.y, (float)p.q.z},
                   {(float)p.p.x, (float)p.p.y, (float)p.p.z}};
}

static bool is_turned(er_quat q)
{
    return fabs(q.x) + fabs(q.y) + fabs(q.z) > 1e-7;
}

static void set_bones(const er_model *model, bench_poser *p)
{
    double mass = 0.0;
    er_vec3 moment = {0, 0, 0};
    for (int b = 0; b < model->body_count; ++b) {
        const er_body *body = &model->body[b];
        mass += body->mass;
        moment = er_v3_madd(moment, body->mass, er_pose_point(body->pose, body->com));
    }
    p->centre = short_place((er_pose){er_q_identity(), er_v3_scale(1.0 / mass, moment)}).p;
    p->floats = model->tree_joint[model->order[0]] < 0;
    for (int i = 0; i < model->body_count; ++i) {
        int b = model->order[i], t = model->tree_joint[b], up = model->tree_parent[b];
        const er_body *body = &model->body[b];
        er_pose frame = t >= 0 ? model->joint[t].frame : body->pose, after;
        er_pose before = up >= 0 ? er_pose_mul(er_pose_inverse(model->body[up].pose), frame) : frame;
        after = er_pose_mul(er_pose_inverse(frame), body->pose);
        p->bone[i] = (bone){.body = b,
                            .up = up,
                            .first = t >= 0 ? model->coordinate[t] : model->coordinate_count,
                            .type = t >= 0 ? model->joint[t].type : ER_JOINT_FREE,
                            .turned_before = is_turned(before.q),
                            .after_is_identity = !is_turned(after.q) && er_v3_norm(after.p) < 1e-7 * model->size,
                            .before = short_place(before),
                            .after = short_place(after),
                            .com = {(float)body->com.x, (float)body->com.y, (float)body->com.z},
                            .share = (float)(body->mass / mass)};
    }
}

static er_result set_columns(er_context *context, const er_modes *modes, const er_motion *motion, bench_poser *p)
{
    er_kinematics *k = NULL;
    double *x = malloc((size_t)p->width * sizeof *x);
    er_result r = x != NULL ? er_kinematics_create(context, motion->model, &k) : ER_ERROR_MEMORY;
    for (int v = 0; r == ER_OK && v < p->component_count; ++v) {
        er_kinematics_mode(k, &modes->mode[motion->component[v].mode - modes->first], x);
        for (int c = 0; c < p->width; ++c)
            p->column[(size_t)v * (size_t)p->width + (size_t)c] = (float)(motion->component[v].factor * x[c]);
    }
    er_kinematics_destroy(k);
    free(x);
    return r;
}

bench_poser *bench_poser_create(er_context *context, const er_modes *modes, const er_motion *motion)
{
    const er_model *model = motion->model;
    bench_poser *p = calloc(1, sizeof *p);
    if (p == NULL) return NULL;
    p->body_count = model->body_count;
    p->width = motion->width;
    p->component_count = motion->component_count;
    p->component = motion->component;
    p->bone = calloc((size_t)p->body_count, sizeof *p->bone);
    p->column = calloc((size_t)p->width * (size_t)p->component_count, sizeof *p->column);
    p->signal = calloc((size_t)p->component_count * BLOCK, sizeof *p->signal);
    p->x = calloc((size_t)p->width * BLOCK, sizeof *p->x);
    bool complete = p->bone != NULL && p->column != NULL && p->signal != NULL && p->x != NULL;
    if (complete) set_bones(model, p);
    if (complete && set_columns(context, modes, motion, p) == ER_OK) return p;
    bench_poser_destroy(p);
    return NULL;
}

void bench_poser_destroy(bench_poser *p)
{
    if (p == NULL) return;
    free(p->bone);
    free(p->column);
    free(p->signal);
    free(p->x);
    free(p);
}

// ---- poses

INLINE quaternion multiply(quaternion a, quaternion b)
{
    return (quaternion){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                        a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

// The world position of a point v in a frame.
INLINE vector point(place at, vector v)
{
    quaternion q = at.q;
    vector t = {2 * (q.y * v.z - q.z * v.y), 2 * (q.z * v.x - q.x * v.z), 2 * (q.x * v.y - q.y * v.x)};
    return (vector){at.p.x + v.x + q.w * t.x + (q.y * t.z - q.z * t.y),
                    at.p.y + v.y + q.w * t.y + (q.z * t.x - q.x * t.z),
                    at.p.z + v.z + q.w * t.z + (q.x * t.y - q.y * t.x)};
}

INLINE quaternion exponential(const float r[3])
{
    float angle = sqrtf(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
    float s = angle > 1e-4f ? sinf(0.5f * angle) / angle : 0.5f;
    return (quaternion){cosf(0.5f * angle), s * r[0], s * r[1], s * r[2]};
}

INLINE quaternion turn_by_z(quaternion q, float angle)
{
    float c = cosf(0.5f * angle), s = sinf(0.5f * angle);
    return (quaternion){q.w * c - q.z * s, q.x * c + q.y * s, q.y * c - q.x * s, q.z * c + q.w * s};
}

INLINE void pose_frame(const bench_poser *p, const float *x, place *pose)
{
    vector drift = {-p->centre.x, -p->centre.y, -p->centre.z};
    for (int i = 0; i < p->body_count; ++i) {
        const bone *b = &p->bone[i];
        const float *turn = x + b->first;
        place at = b->before;
        if (b->up >= 0) {
            at = pose[b->up];
            at.p = point(at, b->before.p);
            if (b->turned_before) at.q = multiply(at.q, b->before.q);
        }
        if (b->type == ER_JOINT_FREE) at.p = point(at, (vector){turn[3], turn[4], turn[5]});
        at.q = b->type == ER_JOINT_REVOLUTE ? turn_by_z(at.q, *turn) : multiply(at.q, exponential(turn));
        if (!b->after_is_identity) at = (place){multiply(at.q, b->after.q), point(at, b->after.p)};
        vector c = point(at, b->com);
        drift.x += b->share * c.x;
        drift.y += b->share * c.y;
        drift.z += b->share * c.z;
        pose[b->body] = at;
    }
    for (int b = 0; p->floats && b < p->body_count; ++b) {
        pose[b].p.x -= drift.x;
        pose[b].p.y -= drift.y;
        pose[b].p.z -= drift.z;
    }
}

FOR_MACHINE static void set_signals(const bench_poser *p, int count, const double *time)
{
    for (int f = 0; f < count; ++f)
        for (int v = 0; v < p->component_count; ++v) {
            double cycles = p->component[v].hz * time[f] + p->component[v].phase / (2.0 * ER_PI);
            p->signal[f * p->component_count + v] = sinf((float)(2.0 * ER_PI * (cycles - floor(cycles))));
        }
}

FOR_MACHINE static void pose_frames(const bench_poser *p, int count, place *pose)
{
    for (int f = 0; f < count; ++f)
        pose_frame(p, p->x + (size_t)f * (size_t)p->width, pose + (size_t)f * (size_t)p->body_count);
}

void bench_poser_pose(bench_poser *p, int count, const double *time, float *pose)
{
    for (int first = 0, n; first < count; first += n) {
        n = count - first < BLOCK ? count - first : BLOCK;
        set_signals(p, n, time + first);
        cblas_sgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, p->width, n, p->component_count, 1.0f, p->column,
                    p->width, p->signal, p->component_count, 0.0f, p->x, p->width);
        pose_frames(p, n, (place *)pose + (size_t)first * (size_t)p->body_count);
    }
}
