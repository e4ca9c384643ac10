// The sample scenes as their files say: in Bacin's experiments the mechanical energy stays as steady
// as it did for him, and the hovercraft goes where its equations in the plane take it.
#include "set.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

// Kinetic energy and that of gravity, from masses, moments and motion alone: frames are at centres of mass.
static double energy_of(const er_world_file *w, const er_pose *pose, const er_twist *twist)
{
    double sum = 0.0;
    for (int b = 0; b < w->model->body_count; ++b) {
        const er_body *body = &w->model->body[b];
        if (body->mass == 1.0) continue; // the slab, which stands still
        er_vec3 v = twist[b].linear, o = twist[b].angular;
        sum += 0.5 * body->mass * er_v3_dot(v, v) + 0.5 * er_v3_dot(o, er_m3_mul_v(body->inertia, o)) -
               body->mass * er_v3_dot(w->def.gravity, pose[b].p);
    }
    return sum;
}

static double energy_deviation(const char *name, er_dynamics_route route, double tolerance, int frames)
{
    char path[4096];
    er_world *world = NULL;
    snprintf(path, sizeof path, "%s/models/bacin/%s.cfg", getenv("EIGENRIG_SOURCE"), name);
    er_world_file *w = read_world(path);
    er_world_def def = w->def;
    def.route = route;
    def.tolerance = tolerance > 0.0 ? tolerance : def.tolerance;
    if (er_world_create(context, &def, &world) != ER_OK ||
        er_world_set_state(world, w->time, w->pose, w->twist) != ER_OK)
        fail_msg("%s", er_context_error(context));
    double sum = 0.0, squares = 0.0, first = energy_of(w, w->pose, w->twist);
    for (int k = 0; k <= frames; ++k) {
        if (er_world_advance(world, w->time + k * w->duration / w->frame_count, NULL) != ER_OK)
            fail_msg("%s", er_context_error(context));
        double e = energy_of(w, er_world_pose(world), er_world_twist(world)) - first;
        sum += e;
        squares += e * e;
    }
    int count = frames + 1;
    double mean = sum / count, deviation = sqrt(fmax(squares / count - mean * mean, 0.0));
    er_world_destroy(world);
    er_world_file_destroy(w);
    return deviation;
}

// The figures are those he prints, at his tolerance; and the mechanical energy, J, whose tenth digit rounding may reach
// where steps are a hundred times as many.
static const struct {
    const char *name;
    int frames;
    double deviation, energy;
} experiments[] = {{"9.2", 300, 2.03e-7, 0.69},
                   {"9.3", 300, 2.23e-7, 3.03},
                   {"9.4", 450, 1.32e-4, 3139.0},
                   {"9.5", 100, 7.81e-7, 58.9},
                   {"9.6", 300, 1.41e-3, 1962.0}};

static void expect_steady(er_dynamics_route route)
{
    for (size_t i = 0; i < ERI_COUNT(experiments); ++i) {
        double found = energy_deviation(experiments[i].name, route, 0.0, experiments[i].frames);
        double finer = energy_deviation(experiments[i].name, route, 1e-11, experiments[i].frames);
        if (!(found <= experiments[i].deviation && finer <= 0.1 * found + 1e-10 * experiments[i].energy))
            fail_msg("%s: %g J, and %g J at a tolerance of 1e-11; printed are %g J", experiments[i].name, found, finer,
                     experiments[i].deviation);
    }
}

static void energy_is_as_steady_as_printed(void **state)
{
    expect_steady(ER_ROUTE_REDUCED);
}

static void energy_is_as_steady_by_multipliers(void **state)
{
    expect_steady(ER_ROUTE_MULTIPLIERS);
}

// ---- the hovercraft

// The point of the samples' Bezier curve at u, by de Casteljau: time, and force in the plane.
static er_vec3 curve(const er_force *f, double u)
{
    er_vec3 p[16];
    for (int i = 0; i < f->sample_count; ++i)
        p[i] = er_v3(f->sample[i].time, f->sample[i].force.x, f->sample[i].force.y);
    for (int n = f->sample_count; n > 1; --n)
        for (int i = 0; i + 1 < n; ++i)
            p[i] = er_v3_add(er_v3_scale(1.0 - u, p[i]), er_v3_scale(u, p[i + 1]));
    return p[0];
}

// Nothing outside of the samples' times.
static er_vec3 thrust(const er_force *f, double time)
{
    double low = 0.0, high = 1.0;
    if (time < f->sample[0].time || time > f->sample[f->sample_count - 1].time) return er_v3(0, 0, 0);
    for (int i = 0; i < 50; ++i)
        *(curve(f, 0.5 * (low + high)).x < time ? &low : &high) = 0.5 * (low + high);
    er_vec3 at = curve(f, low);
    return er_v3(at.y, at.z, 0.0);
}

// In the plane: y = (x, y, angle) and their rates; M = r x F about the centre, F turned into the world.
static void plane_rates(const er_world_file *w, double time, const double y[6], double rate[6])
{
    const er_body *hull = &w->model->body[0];
    double c = cos(y[2]), s = sin(y[2]), speed = hypot(y[3], y[4]), force[2] = {0}, moment = 0.0;
    for (int i = 0; i < w->def.force_count; ++i) {
        const er_force *f = &w->def.force[i];
        if (f->kind == ER_FORCE_DRAG) {
            double k = f->linear_drag + f->quadratic_drag * speed;
            force[0] -= k * y[3];
            force[1] -= k * y[4];
            moment -= f->angular_drag * y[5];
        } else {
            er_vec3 t = thrust(f, time);
            force[0] += c * t.x - s * t.y;
            force[1] += s * t.x + c * t.y;
            moment += f->point.x * t.y - f->point.y * t.x;
        }
    }
    const double out[6] = {
        y[3], y[4], y[5], force[0] / hull->mass, force[1] / hull->mass, moment / hull->inertia.m[2][2]};
    memcpy(rate, out, sizeof out);
}

static void runge_kutta_step(const er_world_file *w, double time, double h, double y[6])
{
    double k[4][6], z[6];
    plane_rates(w, time, y, k[0]);
    for (int stage = 1; stage < 4; ++stage) {
        double part = stage < 3 ? 0.5 * h : h;
        for (int i = 0; i < 6; ++i)
            z[i] = y[i] + part * k[stage - 1][i];
        plane_rates(w, time + part, z, k[stage]);
    }
    for (int i = 0; i < 6; ++i)
        y[i] += h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
}

static void the_hovercraft_goes_as_its_equations_in_the_plane(void **state)
{
    char path[4096];
    er_world *world = NULL;
    double y[6] = {0}, h = 2e-3;
    snprintf(path, sizeof path, "%s/models/scenes/hovercraft.json", getenv("EIGENRIG_SOURCE"));
    er_world_file *w = read_world(path);
    if (er_world_create(context, &w->def, &world) != ER_OK ||
        er_world_set_state(world, w->time, w->pose, w->twist) != ER_OK)
        fail_msg("%s", er_context_error(context));
    double length = 0.0;
    for (int k = 0; k < 6000; ++k) {
        runge_kutta_step(w, k * h, h, y);
        length += h * hypot(y[3], y[4]);
        if (k % 500 != 499) continue;
        if (er_world_advance(world, (k + 1) * h, NULL) != ER_OK) fail_msg("%s", er_context_error(context));
        const er_pose *at = er_world_pose(world);
        double off = fmax(fabs(at->p.x - y[0]), fabs(at->p.y - y[1])), lift = fabs(at->p.z - 0.15);
        double turn = fabs(er_q_rotate(at->q, er_v3(1, 0, 0)).y - sin(y[2]));
        if (!(off < 1e-5 && turn < 1e-5 && lift < 1e-12)) // measured: 1e-6, the tolerance of its steps
            fail_msg("at %d s it is %g m off, %g rad, %g m too high", (k + 1) / 500, off, turn, lift);
    }
    assert_true(length > 20.0 && fabs(y[2]) > 0.1); // it went somewhere, and turned
    er_world_destroy(world);
    er_world_file_destroy(w);
}

// ---- the ragdoll

// Free fall: the centre of mass goes by a parabola, momenta and energy stay.
static void the_ragdoll_falls_freely(void **state)
{
    char path[4096];
    er_world *world = NULL;
    snprintf(path, sizeof path, "%s/models/scenes/ragdoll.json", getenv("EIGENRIG_SOURCE"));
    er_world_file *w = read_world(path);
    if (er_world_create(context, &w->def, &world) != ER_OK ||
        er_world_set_state(world, w->time, w->pose, w->twist) != ER_OK)
        fail_msg("%s", er_context_error(context));
    double mass = 0.0;
    er_vec3 linear, start = {0, 0, 0}, end = {0, 0, 0}, fallen;
    er_world_measure_momentum(world, &linear, NULL);
    double before = er_world_measure_energy(world).mechanical;
    for (int b = 0; b < w->model->body_count; ++b) {
        mass += w->model->body[b].mass;
        start = er_v3_madd(start, w->model->body[b].mass, er_pose_point(w->pose[b], w->model->body[b].com));
    }
    if (er_world_advance(world, w->duration, NULL) != ER_OK) fail_msg("%s", er_context_error(context));
    for (int b = 0; b < w->model->body_count; ++b)
        end = er_v3_madd(end, w->model->body[b].mass, er_pose_point(er_world_pose(world)[b], w->model->body[b].com));
    double t = w->duration;
    fallen = er_v3_add(er_v3_madd(start, t, linear), er_v3(0, 0, -0.5 * mass * 9.81 * t * t));
    assert_true(er_v3_distance(end, fallen) < 1e-6 * mass); // m: the tolerance of its steps
    er_vec3 later;
    er_world_measure_momentum(world, &later, NULL);
    assert_true(er_v3_distance(later, er_v3_madd(linear, t * mass, w->def.gravity)) < 1e-6 * mass);
    er_world_energy energy = er_world_measure_energy(world);
    assert_true(energy.elastic > 1.0); // it swings, with joules in its springs
    assert_true(fabs(energy.mechanical - before) < 1e-3 * energy.elastic);
    er_world_destroy(world);
    er_world_file_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(energy_is_as_steady_as_printed),
                                       cmocka_unit_test(energy_is_as_steady_by_multipliers),
                                       cmocka_unit_test(the_hovercraft_goes_as_its_equations_in_the_plane),
                                       cmocka_unit_test(the_ragdoll_falls_freely)};
    return cmocka_run_group_tests(tests, open_set, close_set);
}
