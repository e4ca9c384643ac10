// Samples the motion of feet and trunk over a stride of a mix: all frames at once, in single precision.
#include <stdlib.h>
#include <string.h>

#include <eigenrig/motion.h>

#include "base/lanes.h"
#include "gait/stride.h"

enum { LOWEST = 64 }; // modes that may take part

// --- setting up

// How a mode goes with the mirror: sum m v'(image) S v over sum m v'v, v the velocities of centres of mass.
static double parity_of(const eri_mix_sampler *w, const er_mode *mode)
{
    const er_model *model = w->model;
    double same = 0.0, all = 0.0;
    for (int pass = 0; pass < 2; ++pass)
        for (int i = 0; i < model->body_count; ++i) {
            int image = pass == 0 ? w->body->mirror[i] : i;
            if (image < 0) continue;
            er_vec3 v[2];
            for (int k = 0; k < 2; ++k) {
                const er_body *body = &model->body[k == 0 ? i : image];
                const double *e = mode->body + 6 * (ptrdiff_t)(k == 0 ? i : image);
                er_vec3 turn = er_v3(e[0], e[1], e[2]), shift = er_v3(e[3], e[4], e[5]);
                v[k] = er_q_rotate(body->pose.q, er_v3_add(shift, er_v3_cross(turn, body->com)));
            }
            if (pass == 0) v[0] = er_v3_madd(v[0], -2.0 * er_v3_dot(v[0], w->body->left), w->body->left);
            *(pass == 0 ? &same : &all) += model->body[i].mass * er_v3_dot(v[0], v[1]);
        }
    return all > 0.0 ? same / all : 0.0;
}

// How a body's point moves in a mode, per unit of it.
static er_vec3 velocity_of(const er_model *model, const er_mode *mode, int body, er_vec3 point)
{
    const double *e = mode->body + 6 * (ptrdiff_t)body;
    er_pose at = model->body[body].pose;
    er_vec3 local = er_pose_point_inverse(at, point);
    return er_q_rotate(at.q, er_v3_add(er_v3(e[3], e[4], e[5]), er_v3_cross(er_v3(e[0], e[1], e[2]), local)));
}

typedef struct choice {
    const er_mode *mode;
    double factor, reach; // of its shape at 1 rad; m per rad
} choice;

// How far modes move the wing's tip that they move most up and down, seen from the wing's trunk: root of squares.
static double beat_of(const eri_mix_sampler *w, int count, const choice *modes)
{
    double most = 0.0;
    for (int k = 0; k < w->body->wing_count; ++k) {
        const er_gait_wing *wing = &w->body->wing[k];
        er_vec3 end = er_pose_point(w->model->body[wing->tip].pose, wing->end);
        double sum = 0.0;
        for (int i = 0; i < count; ++i) {
            er_vec3 moved = er_v3_sub(velocity_of(w->model, modes[i].mode, wing->tip, end),
                                      velocity_of(w->model, modes[i].mode, wing->trunk, end));
            sum = hypot(sum, er_v3_dot(moved, w->body->up));
        }
        most = fmax(most, sum);
    }
    return most;
}

// How far modes move the foot that they move most, seen from its leg's trunk, likewise.
static double reach_of(const eri_mix_sampler *w, int count, const choice *modes)
{
    double most = 0.0;
    for (int f = 0; f < w->body->foot_count; ++f) {
        const er_gait_foot *foot = &w->body->foot[f];
        er_vec3 heel = er_pose_point(w->model->body[foot->body].pose, foot->heel);
        double sum = 0.0;
        for (int i = 0; i < count; ++i)
            sum = hypot(sum, er_v3_distance(velocity_of(w->model, modes[i].mode, foot->body, heel),
                                            velocity_of(w->model, modes[i].mode, foot->trunk, heel)));
        most = fmax(most, sum);
    }
    return most;
}

static int by_reach(const void *a, const void *b)
{
    const choice *x = a, *y = b;
    if (x->reach != y->reach) return (x->reach < y->reach) - (x->reach > y->reach);
    return (x->mode > y->mode) - (x->mode < y->mode);
}

static int by_mode(const void *a, const void *b)
{
    const choice *x = a, *y = b;
    return (x->mode > y->mode) - (x->mode < y->mode);
}

// Modes of one frequency are taken or left together, as any mixes of them are modes too.
static void set_reach(const eri_mix_sampler *w, bool wings, int count, choice *group)
{
    double turn = 0.0;
    for (int i = 0; i < count; ++i)
        turn = hypot(turn, 1.0 / group[i].factor);
    for (int i = 0; i < count; ++i)
        group[i].reach = (wings ? beat_of(w, count, group) : reach_of(w, count, group)) / turn;
}

static bool same_frequency(const choice *a, const choice *b)
{
    static const double SAME_EIGENVALUE = 1e-9; // relative, as of modal's canonical basis
    return fabs(a->mode->eigenvalue - b->mode->eigenvalue) <= SAME_EIGENVALUE * fabs(a->mode->eigenvalue);
}

// Chooses, among the lowest elastic modes, those that move legs (or wings) most, ascending. The lowest alone may be a
// tail's. There are more than `most` if it would cut through modes of one frequency.
static int choose_modes(const eri_mix_sampler *w, const er_modes *modes, int most, bool wings, choice *out)
{
    int count = 0;
    for (int k = 0; k < modes->count && count < LOWEST; ++k) {
        const er_mode *mode = &modes->mode[k];
        double factor = er_mode_amplitude(w->model, mode, 180.0 / ER_PI);
        if (mode->kind == ER_MODE_ELASTIC && factor != 0.0) out[count++] = (choice){.mode = mode, .factor = factor};
    }
    if (count <= most) return count;
    for (int first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && same_frequency(&out[first], &out[end]);)
            ++end;
        set_reach(w, wings, end - first, &out[first]);
    }
    if (wings || w->body->foot_count > 0) qsort(out, (size_t)count, sizeof *out, by_reach);
    while (most < count && same_frequency(&out[most - 1], &out[most]))
        ++most;
    qsort(out, (size_t)most, sizeof *out, by_mode);
    return most;
}

static er_result take_modes(er_arena *arena, eri_mix_sampler *w, const er_modes *modes, int most, bool wings)
{
    er_result r = ER_OK;
    choice chosen[LOWEST];
    double *x;
    w->mode_count = choose_modes(w, modes, most, wings, chosen);
    size_t count = (size_t)w->mode_count;
    ERI_TRY_NEW(w->index, arena, int, count);
    ERI_TRY_NEW(w->factor, arena, double, count);
    ERI_TRY_NEW(w->eigenvalue, arena, double, count);
    ERI_TRY_NEW(w->parity, arena, double, count);
    ERI_TRY_NEW(w->column, arena, float, count *(size_t)w->rows);
    ERI_TRY_NEW(x, arena, double, w->rows);
    for (int m = 0; m < w->mode_count; ++m) {
        const er_mode *mode = chosen[m].mode;
        w->index[m] = er_modes_index(modes, mode);
        w->factor[m] = chosen[m].factor;
        w->eigenvalue[m] = mode->eigenvalue;
        w->parity[m] = parity_of(w, mode);
        er_kinematics_mode(w->kinematics, mode, x);
        for (int i = 0; i < w->rows; ++i)
            w->column[(size_t)m * (size_t)w->rows + (size_t)i] = (float)(chosen[m].factor * x[i]);
    }
done:
    return r;
}

static void add_trunk(eri_mix_sampler *w, int body)
{
    for (int i = 0; i < w->trunk_count; ++i)
        if (w->trunk[i] == body) return;
    if (w->trunk_count < ERI_GAIT_MOST_TRUNKS) w->trunk[w->trunk_count++] = body;
}

static er_vec3 middle_of(const er_body *body)
{
    return er_pose_point(body->pose, body->com);
}

int eri_wing_of(const er_model *model, const er_gait_body *body, int of)
{
    for (; of >= 0; of = model->tree_parent[of])
        for (int k = 0; k < body->wing_count; ++k)
            if (body->wing[k].body == of) return k;
    return -1;
}

// Trunks are the bodies that legs hang on, the heaviest one but of wings, and the highest in the middle: a head.
static void choose_trunks(eri_mix_sampler *w)
{
    int heaviest = -1, highest = -1;
    const er_body *body = w->model->body;
    for (int i = 0; i < w->model->body_count; ++i) {
        double high = er_v3_dot(middle_of(&body[i]), w->body->up);
        if (eri_wing_of(w->model, w->body, i) < 0 && (heaviest < 0 || body[i].mass > body[heaviest].mass)) heaviest = i;
        if (w->body->mirror[i] == i && (highest < 0 || high > er_v3_dot(middle_of(&body[highest]), w->body->up)))
            highest = i;
    }
    if (heaviest >= 0) add_trunk(w, heaviest);
    if (highest >= 0) add_trunk(w, highest);
    for (int i = 0; i < w->body->foot_count; ++i)
        add_trunk(w, w->body->foot[i].trunk);
}

er_result eri_paths_create(er_arena *arena, int feet, int trunks, int count, eri_paths *out)
{
    er_result r = ER_OK;
    *out = (eri_paths){.count = count, .feet = feet, .trunks = trunks};
    ERI_TRY_NEW(out->ahead, arena, double, (size_t)feet *(size_t)count);
    ERI_TRY_NEW(out->left, arena, double, (size_t)feet *(size_t)count);
    ERI_TRY_NEW(out->up, arena, double, (size_t)feet *(size_t)count);
    ERI_TRY_NEW(out->tilt, arena, double, 3 * (size_t)trunks * (size_t)count);
done:
    return r;
}

er_result eri_mix_sampler_create(er_context *context, er_arena *arena, const er_model *model, const er_gait_body *body,
                                 const er_modes *modes, int mode_count, bool wings, eri_mix_sampler **out)
{
    er_result r = ER_OK;
    eri_mix_sampler *w;
    *out = NULL;
    er_kinematics *kinematics = NULL;
    ERI_TRY_NEW(w, arena, eri_mix_sampler, 1);
    ERI_TRY(er_kinematics_create(context, model, &kinematics));
    *w = (eri_mix_sampler){
        .model = model, .body = body, .kinematics = kinematics, .rows = er_kinematics_width(kinematics)};
    for (int i = 0; i < model->body_count; ++i)
        w->mass += model->body[i].mass;
    ERI_TRY(take_modes(arena, w, modes, mode_count, wings));
    choose_trunks(w);
    ERI_TRY_NEW(w->x, arena, eri_vec32, 2 * (size_t)w->rows);
    ERI_TRY_NEW(w->pose, arena, float, 7 * ERI_GAIT_FRAMES * (size_t)model->body_count);
    ERI_TRY_NEW(w->halvings, arena, int, model->body_count);
    for (int i = 0; i < model->body_count; ++i)
        w->halvings[i] = body->foot_count < ERI_GAIT_MANY_FEET ? 1 : 2; // 3 or 8 components of at most 1.6 radians
    for (int k = 0; k < 2 * ERI_GAIT_FRAMES; ++k) {
        int h = k / ERI_GAIT_FRAMES, i = k % ERI_GAIT_FRAMES;
        double turn = 2.0 * ER_PI * (h + 1) * i / ERI_GAIT_FRAMES;
        w->wave[h][0][i / 16][i % 16] = (float)sin(turn);
        w->wave[h][1][i / 16][i % 16] = (float)cos(turn);
    }
    ERI_TRY(eri_frames32_create(arena, kinematics, &w->frames));
    ERI_TRY(eri_paths_create(arena, body->foot_count, w->trunk_count, ERI_GAIT_FRAMES, &w->paths));
    *out = w;
    kinematics = NULL;
done:
    er_kinematics_destroy(kinematics);
    return r;
}

er_result eri_mix_sampler_share(er_arena *arena, const eri_mix_sampler *w, eri_mix_sampler *out)
{
    er_result r = ER_OK;
    *out = *w;
    ERI_TRY_NEW(out->x, arena, eri_vec32, 2 * (size_t)w->rows);
    ERI_TRY_NEW(out->pose, arena, float, 7 * ERI_GAIT_FRAMES * (size_t)w->model->body_count);
    ERI_TRY(eri_frames32_create(arena, w->kinematics, &out->frames));
    ERI_TRY(eri_paths_create(arena, w->body->foot_count, w->trunk_count, ERI_GAIT_FRAMES, &out->paths));
done:
    return r;
}

void eri_mix_sampler_destroy(eri_mix_sampler *w)
{
    if (w != NULL) er_kinematics_destroy(w->kinematics);
}

// --- posing

void eri_paths_tilt(const eri_paths *p, double *tilt)
{
    for (int k = 0; k < 3 * p->trunks; ++k)
        for (int i = 0; i < p->count; ++i) {
            double x = fabs(p->tilt[k * p->count + i]);
            if (x > tilt[k % 3]) tilt[k % 3] = x;
        }
}

er_vec3 eri_trunk_turn(const er_gait_body *body, er_quat now, er_quat rest)
{
    er_quat d = er_q_mul(now, er_q_conj(rest));
    double sign = d.w < 0.0 ? -2.0 : 2.0; // of a small turn, twice the vector part is the rotation vector
    er_vec3 turn = er_v3(sign * d.x, sign * d.y, sign * d.z);
    return er_v3(er_v3_dot(turn, body->forward), er_v3_dot(turn, body->left), er_v3_dot(turn, body->up));
}

// The lowest corner of a sole that turns with the leg.
static double lowest_corner(const er_gait_body *body, const er_model *model, const er_gait_foot *foot, er_pose pose)
{
    er_pose moved = er_pose_displacement(model->body[foot->body].pose, pose);
    double lowest = HUGE_VAL;
    for (int i = 0; i < foot->point_count; ++i)
        lowest = fmin(lowest, er_v3_dot(er_pose_point(moved, foot->point[i]), body->up));
    return lowest - body->ground;
}

static void set_foot(eri_paths *p, const er_gait_body *body, const er_model *model, int f, int frame, er_pose pose)
{
    const er_gait_foot *foot = &body->foot[f];
    er_vec3 now = er_pose_point(pose, foot->heel), rest = er_pose_point(model->body[foot->body].pose, foot->heel);
    er_vec3 moved = er_v3_sub(now, rest);
    int at = f * p->count + frame;
    p->ahead[at] = er_v3_dot(moved, body->forward);
    p->left[at] = er_v3_dot(moved, body->left);
    p->up[at] =
        foot->flat ? er_v3_dot(now, body->up) - body->ground - foot->rest : lowest_corner(body, model, foot, pose);
}

static void set_trunk(eri_paths *p, const er_gait_body *body, const er_model *model, int trunk, int k, int frame,
                      er_pose pose)
{
    er_vec3 turn = eri_trunk_turn(body, pose.q, model->body[trunk].pose.q);
    double *tilt = p->tilt + 3 * k * p->count + frame;
    tilt[0] = turn.x;
    tilt[p->count] = turn.y;
    tilt[2 * p->count] = turn.z;
}

void eri_paths_set(eri_paths *p, const er_gait_body *body, const er_model *model, const int *trunk, int frame,
                   const er_pose *pose)
{
    for (int f = 0; f < p->feet; ++f)
        set_foot(p, body, model, f, frame, pose[body->foot[f].body]);
    for (int k = 0; k < p->trunks; ++k)
        set_trunk(p, body, model, trunk[k], k, frame, pose[trunk[k]]);
}

// x = sum of columns times signals, a vector of 32 frames a row.
ERI_LANES_DO(mix_columns,
             (int rows, int components, const float *const *column, const eri_vec32 (*signal)[2], eri_vec32 *x),
             (rows, components, column, signal, x))
{
    for (int i = 0; i < rows; ++i) {
        eri_vec32 a = {0}, b = {0};
        for (int v = 0; v < components; ++v) {
            a += column[v][i] * signal[v][0];
            b += column[v][i] * signal[v][1];
        }
        x[2 * i] = a;
        x[2 * i + 1] = b;
    }
}

er_pose eri_mix_sampler_lane(const eri_mix_sampler *w, int body, int frame)
{
    const float *p = w->pose + 7 * ERI_GAIT_FRAMES * (ptrdiff_t)body + frame;
    enum { N = ERI_GAIT_FRAMES };
    return (er_pose){{p[0], p[N], p[2 * N], p[3 * N]}, {p[4 * N], p[5 * N], p[6 * N]}};
}

void eri_mix_sampler_pose_signals(eri_mix_sampler *w, int count, const int *mode, const eri_vec32 (*signal)[2])
{
    const float *column[ERI_GAIT_MAX_COMPONENTS];
    for (int v = 0; v < count; ++v)
        column[v] = w->column + (size_t)mode[v] * (size_t)w->rows;
    mix_columns(w->rows, count, column, signal, w->x);
    eri_frames32_pose(w->frames, w->halvings, w->x, ERI_GAIT_FRAMES, w->pose);
}

// --- what eri_paths_set() reads, of sixteen frames at once

typedef float loose32 __attribute__((vector_size(64), aligned(4)));

ERI_LANES_INLINE eri_vec32 row_at(const eri_mix_sampler *w, int body, int row, int half)
{
    return *(const loose32 *)(w->pose + (7 * (ptrdiff_t)body + row) * ERI_GAIT_FRAMES + 16 * half);
}

// Where a body's point is: v + 2 u x (w v + u x v) + p, u the quaternion's vector part.
ERI_LANES_INLINE void follow_point(const eri_mix_sampler *w, int body, er_vec3 local, int half, eri_vec32 at[3])
{
    eri_vec32 q = row_at(w, body, 0, half), u[3], t[3];
    const float v[3] = {(float)local.x, (float)local.y, (float)local.z};
    for (int k = 0; k < 3; ++k)
        u[k] = row_at(w, body, 1 + k, half);
    for (int k = 0; k < 3; ++k)
        t[k] = 2.0f * (u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3]);
    for (int k = 0; k < 3; ++k)
        at[k] = row_at(w, body, 4 + k, half) + v[k] + q * t[k] + u[(k + 1) % 3] * t[(k + 2) % 3] -
                u[(k + 2) % 3] * t[(k + 1) % 3];
}

ERI_LANES_INLINE eri_vec32 along(const eri_vec32 v[3], er_vec3 way)
{
    return v[0] * (float)way.x + v[1] * (float)way.y + v[2] * (float)way.z;
}

ERI_LANES_INLINE void put(eri_vec32 x, double less, double *out)
{
    float plain[16];
    memcpy(plain, &x, sizeof plain);
    for (int i = 0; i < 16; ++i)
        out[i] = (double)plain[i] - less;
}

ERI_LANES_INLINE eri_vec32 smaller(eri_vec32 a, eri_vec32 b)
{
    eri_vec32 out;
    for (int i = 0; i < 16; ++i)
        out[i] = a[i] < b[i] ? a[i] : b[i];
    return out;
}

ERI_LANES_INLINE void set_foot_frames(eri_mix_sampler *w, int f, int half)
{
    const er_gait_body *body = w->body;
    const er_gait_foot *foot = &body->foot[f];
    er_pose rest = w->model->body[foot->body].pose;
    er_vec3 heel = er_pose_point(rest, foot->heel);
    int to = f * ERI_GAIT_FRAMES + 16 * half;
    eri_vec32 at[3], low;
    follow_point(w, foot->body, foot->heel, half, at);
    put(along(at, body->forward), er_v3_dot(heel, body->forward), w->paths.ahead + to);
    put(along(at, body->left), er_v3_dot(heel, body->left), w->paths.left + to);
    low = along(at, body->up);
    for (int i = 0; i < foot->point_count && !foot->flat; ++i) { // a sole that turns with the leg
        follow_point(w, foot->body, er_pose_point_inverse(rest, foot->point[i]), half, at);
        eri_vec32 corner = along(at, body->up);
        low = i == 0 ? corner : smaller(low, corner);
    }
    put(low, foot->flat ? body->ground + foot->rest : body->ground, w->paths.up + to);
}

// As eri_trunk_turn().
ERI_LANES_INLINE void set_trunk_frames(eri_mix_sampler *w, int k, int half)
{
    int trunk = w->trunk[k];
    er_quat rest = w->model->body[trunk].pose.q;
    const float v[3] = {(float)rest.x, (float)rest.y, (float)rest.z}, real = (float)rest.w;
    eri_vec32 q = row_at(w, trunk, 0, half), u[3], turn[3], sign = q * real;
    for (int a = 0; a < 3; ++a) {
        u[a] = row_at(w, trunk, 1 + a, half);
        sign += u[a] * v[a];
    }
    for (int i = 0; i < 16; ++i)
        sign[i] = sign[i] < 0.0f ? -2.0f : 2.0f;
    for (int a = 0; a < 3; ++a)
        turn[a] = sign * (real * u[a] - q * v[a] + u[(a + 2) % 3] * v[(a + 1) % 3] - u[(a + 1) % 3] * v[(a + 2) % 3]);
    double *tilt = w->paths.tilt + 3 * k * ERI_GAIT_FRAMES + 16 * half;
    put(along(turn, w->body->forward), 0.0, tilt);
    put(along(turn, w->body->left), 0.0, tilt + ERI_GAIT_FRAMES);
    put(along(turn, w->body->up), 0.0, tilt + 2 * ERI_GAIT_FRAMES);
}

ERI_LANES_DO(read_paths, (eri_mix_sampler * w), (w))
{
    for (int half = 0; half < 2; ++half) {
        for (int f = 0; f < w->body->foot_count; ++f)
            set_foot_frames(w, f, half);
        for (int k = 0; k < w->trunk_count; ++k)
            set_trunk_frames(w, k, half);
    }
}

void eri_mix_sampler_pose(eri_mix_sampler *w, const eri_gait_mix *t)
{
    eri_vec32 signal[ERI_GAIT_MAX_COMPONENTS][2];
    int mode[ERI_GAIT_MAX_COMPONENTS];
    for (int v = 0; v < t->count; ++v) {
        const eri_gait_component *component = &t->component[v];
        float a = (float)(component->angle * cos(component->phase)),
              b = (float)(component->angle * sin(component->phase));
        mode[v] = component->mode;
        for (int half = 0; half < 2; ++half)
            signal[v][half] =
                a * w->wave[component->harmonic - 1][0][half] + b * w->wave[component->harmonic - 1][1][half];
    }
    eri_mix_sampler_pose_signals(w, t->count, mode, (const eri_vec32(*)[2])signal);
    read_paths(w);
}
