// Structures that only contacts hold stand for a minute: an arch without mortar, a house of cards, dominoes; dominoes
// that topple come to rest; a top goes round as its closed form says.
#include <math.h>
#include <string.h>

#include "dynamics/scenes.h"
#include "support/context.h"

static scene s;
static er_hull *hull;

static er_pose at(double x, double y, double z)
{
    return (er_pose){er_q_identity(), er_v3(x, y, z)};
}

// Half a ring of nine wedges, each along its own radius.
static void build_arch(void)
{
    const int count = 9;
    const double inner = 1.0, outer = 1.4, middle = 1.2, wide = 0.2, half = 0.5 * ER_PI / count;
    er_vec3 corner[8];
    for (int k = 0; k < 8; ++k) {
        double radius = k & 1 ? outer : inner;
        corner[k] = er_v3((k & 2 ? 1.0 : -1.0) * radius * sin(half), k & 4 ? wide : -wide, radius * cos(half) - middle);
    }
    if (er_hull_create(context, 8, corner, &hull) != ER_OK) fail_msg("%s", er_context_error(context));
    for (int i = 0; i < count; ++i) {
        er_quat turn = er_q_exp(er_v3(0, (2 * i + 1 - count) * half, 0));
        scene_add(&s, (er_shape){.kind = ER_SHAPE_HULL, .hull = hull}, 1.0,
                  (er_pose){turn, er_q_rotate(turn, er_v3(0, 0, middle))}, 0.8, 0.0);
    }
}

// Two pairs of cards that lean on each other, a card over both, and a pair on that.
static void build_cards(void)
{
    const double tall = 0.5, thin = 0.01, wide = 0.3, lean = 0.35, mass = 0.1;
    double height = tall * cos(lean), run = tall * sin(lean), edge = 2.0 * thin * sin(lean);
    for (int floor = 0; floor < 2; ++floor) {
        double z = floor * (height + edge + 2.0 * thin + 1e-3) + 0.5 * edge + 0.5 * height;
        for (int pair = 0; pair < 2 - floor; ++pair)
            for (int side = -1; side <= 1; side += 2) {
                double x = (2 * pair - 1 + floor) * (run + 2.0 * thin * cos(lean));
                x += side * (0.5 * run + thin / cos(lean));
                scene_add(&s, scene_brick(thin, wide, 0.5 * tall), mass,
                          (er_pose){er_q_exp(er_v3(0, -side * lean, 0)), er_v3(x, 0, z)}, 0.7, 0.0);
            }
    }
    scene_add(&s, scene_brick(tall, wide, thin), mass, at(0, 0, height + edge + thin), 0.7, 0.0);
}

static void build_dominoes(void)
{
    for (int i = 0; i < 10; ++i)
        scene_add(&s, scene_brick(0.05, 0.25, 0.5), 1.0, at(0.5 * i, 0, 0.5), 0.5, 0.0);
}

static double weight(void)
{
    double sum = 0.0;
    for (int b = 0; b < s.rig.body_count; ++b)
        sum += s.rig.body[b].mass * g;
    return sum;
}

// The load of the ground, N: its shape is the last.
static double carried(const er_world *w, double h)
{
    double sum = 0.0;
    for (int i = 0; i < er_world_contact_count(w); ++i) {
        er_contact c = er_world_contact(w, i);
        if (c.shape[1] == s.shape_count - 1) sum -= c.impulse.z / h;
    }
    return sum;
}

static const struct {
    const char *name;
    void (*build)(void);
    double yields; // m: what they set down by, and lean
} standing[] = {{"arch", build_arch, 0.01}, {"cards", build_cards, 0.01}, {"dominoes", build_dominoes, 1e-3}};

static void they_stand_for_a_minute(void **state)
{
    for (int k = 0; k < 6; ++k) {
        scene_clear(&s);
        s.def.route = k < 3 ? ER_ROUTE_REDUCED : ER_ROUTE_MULTIPLIERS;
        s.def.reference.iterations = 50, s.def.reference.accuracy = 0.0; // whatever is left of a residual
        standing[k % 3].build();
        scene_add_plane(&s, er_v3(0, 0, 0), er_q_identity(), 0.8);
        er_world *w = scene_begin(&s);
        scene_advance(w, 60.0);
        double way = 0.0;
        for (int b = 0; b < s.rig.body_count; ++b)
            way = fmax(way, er_v3_distance(er_world_pose(w)[b].p, s.rig.body[b].pose.p));
        measure_at_most(standing[k % 3].name, way, standing[k % 3].yields);
        // Newton's method stops at 1e-6 of the speed that gravity gives in a sub-step, 4e-8 m/s, at each contact; the
        // reference solver, 50 sweeps a step, is not there yet
        measure_at_most(k < 3 ? "speed of what stands" : "speed of what stands, by sweeps", scene_fastest(&s, w),
                        k < 3 ? 4e-7 : 1e-6);
        measure_at_most(k < 3 ? "weight that the ground does not carry" : "the same, by sweeps",
                        fabs(carried(w, 1.0 / hz) / weight() - 1.0), k < 3 ? 1e-6 : 1e-4);
        scene_end(&s, w);
        er_hull_destroy(hull);
        hull = NULL;
    }
}

// The first one pushed, all fall, one over the other, and lie still.
static void dominoes_topple(void **state)
{
    for (int k = 0; k < 2; ++k) {
        scene_clear(&s);
        s.def.route = k == 0 ? ER_ROUTE_REDUCED : ER_ROUTE_MULTIPLIERS;
        s.def.reference.iterations = 50, s.def.reference.accuracy = 0.0; // whatever is left of a residual
        build_dominoes();
        scene_add_plane(&s, er_v3(0, 0, 0), er_q_identity(), 0.5);
        er_world *w = scene_begin(&s);
        double most = scene_energy(w);
        if (er_world_push(w, 0, er_v3(0, 0, 0.4), er_v3(1.5, 0, 0)) != ER_OK) fail_msg("%s", er_context_error(context));
        most = scene_energy(w);
        for (int step = 1; step <= 600; ++step) {
            scene_advance(w, step / hz);
            double now = scene_energy(w);
            measure_at_most("energy that toppling adds, J", now - most, 0.15); // of 50
            most = fmin(now, most);
        }
        for (int b = 0; b < s.rig.body_count; ++b) {
            er_vec3 up = er_q_rotate(er_world_pose(w)[b].q, er_v3(0, 0, 1));
            measure_at_most("uprightness of a domino that fell", up.z, b + 1 < s.rig.body_count ? 0.6 : 0.3);
            measure_at_most("way aside of a domino", fabs(er_world_pose(w)[b].p.y), 0.02);
        }
        measure_at_most("speed of dominoes that lie", scene_fastest(&s, w), 1e-4);
        scene_end(&s, w);
    }
}

// A top on its tip, of spin n about its axis, goes round at the slower root of I cos W^2 - J n W + m g l = 0, I about
// the tip, and leans as it did.
static void a_top_goes_round(void **state)
{
    const double mass = 1.0, across = 0.02, about = 0.01, l = 0.3, n = 200.0, lean = 0.3, tip = 1e-4;
    for (int k = 0; k < 4; ++k) {
        double rate = k % 2 == 0 ? 240.0 : 960.0;
        er_quat tilt = er_q_exp(er_v3(lean, 0, 0));
        scene_clear(&s);
        s.def.max_step = 1.0 / rate;
        s.def.route = k < 2 ? ER_ROUTE_REDUCED : ER_ROUTE_MULTIPLIERS;
        s.def.reference.iterations = 50, s.def.reference.accuracy = 0.0; // whatever is left of a residual
        er_pose pose = {tilt, er_v3(0, 0, tip)};
        rig_add_body(&s.rig, mass, er_v3(across, across, about), tilt, er_pose_point(pose, er_v3(0, 0, l)), pose);
        scene_add_plane(&s, er_v3(0, 0, 0), er_q_identity(), 10.0);
        s.shape[s.shape_count++] = (er_world_shape){
            .tag = ER_DEF_TAG, .shape = scene_ball(tip), .body = 0, .pose = er_pose_identity(), .friction = 10.0};
        er_world *w = scene_begin(&s);
        double a = (across + mass * l * l) * cos(lean), b = about * n;
        double round = (b - sqrt(b * b - 4.0 * a * mass * g * l)) / (2.0 * a), turned = 0.0;
        er_vec3 spin = er_q_rotate(er_q_conj(tilt), er_v3(0, 0, round));
        er_twist twist = {er_v3(spin.x, spin.y, n), {0, 0, 0}};
        if (er_world_set_state(w, 0.0, NULL, &twist) != ER_OK) fail_msg("%s", er_context_error(context));
        er_vec3 was = er_q_rotate(tilt, er_v3(0, 0, 1));
        for (int step = 1; step <= rate; ++step) {
            scene_advance(w, step / rate);
            er_vec3 is = er_q_rotate(er_world_pose(w)->q, er_v3(0, 0, 1));
            turned += atan2(was.x * is.y - was.y * is.x, was.x * is.x + was.y * is.y);
            measure_at_most("lean of a top", fabs(acos(is.z) - lean), 0.03);
            was = is;
        }
        measure_at_most(rate < 500.0 ? "rate of a top at 240 Hz" : "rate of a top at 960 Hz",
                        fabs(turned / round - 1.0), rate < 500.0 ? 0.03 : 0.01);
        scene_end(&s, w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_stand_for_a_minute),
        cmocka_unit_test(dominoes_topple),
        cmocka_unit_test(a_top_goes_round),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
