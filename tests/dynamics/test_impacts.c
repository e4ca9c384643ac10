// Impacts: judged by momenta and energies worked out from masses and motion, and by falls in closed form.
#include <eigenrig/dynamics.h>

#include <math.h>
#include <string.h>

#include "support/context.h"
#include "support/forest.h"
#include "support/ledger.h"

static rig r;
static const double g = 9.81;

static er_hull *box(er_context *c, double x, double y, double z)
{
    er_vec3 corner[8];
    er_hull *hull = NULL;
    for (int i = 0; i < 8; ++i)
        corner[i] = er_v3(i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z);
    assert_int_equal(er_hull_create(c, 8, corner, &hull), ER_OK);
    return hull;
}

static er_world *make(const er_world_def *def)
{
    er_world *w = NULL;
    if (er_world_create(context, def, &w) != ER_OK) fail_msg("%s", er_context_error(context));
    return w;
}

static void set(er_world *w, const er_twist *twist)
{
    if (er_world_set_state(w, 0.0, NULL, twist) != ER_OK) fail_msg("%s", er_context_error(context));
}

static void advance(er_world *w, double until)
{
    if (er_world_advance(w, until, NULL) != ER_OK) fail_msg("%s", er_context_error(context));
}

static void body_at(double mass, er_vec3 at)
{
    rig_add_body(&r, mass, er_v3(0.1 * mass, 0.15 * mass, 0.2 * mass), er_q_identity(), at,
                 (er_pose){er_q_identity(), at});
}

static er_world_shape shape_of(const char *name, const er_hull *hull, int body, double z, double e)
{
    return (er_world_shape){.tag = ER_DEF_TAG,
                            .name = name,
                            .shape = {.kind = ER_SHAPE_HULL, .hull = hull},
                            .body = body,
                            .pose = {er_q_identity(), {0, 0, z}},
                            .restitution = e};
}

static er_world_def define(const er_model *m, int count, const er_world_shape *shape)
{
    er_world_def def = er_default_world_def();
    def.integrator = ER_INTEGRATE_FEHLBERG;
    def.model = m;
    def.shape_count = count;
    def.shape = shape;
    def.tolerance = 1e-10;
    return def;
}

// A cube falls h flat on a slab: it hits at t = sqrt(2 h / g), and goes up e^2 as high.
static void a_cube_rebounds_as_e_says(void **state)
{
    const double h = 1.0, mass = 2.0, t = sqrt(2.0 * h / g);
    er_hull *cube = box(context, 0.5, 0.5, 0.5), *slab = box(context, 50.0, 50.0, 1.0);
    memset(&r, 0, sizeof r);
    body_at(mass, er_v3(0, 0, h + 0.5));
    er_model *m = rig_model(context, &r);
    for (int route = 0; route < 2; ++route)
        for (int k = 0; k < 3; ++k) {
            double e = 0.5 * k, v = sqrt(2.0 * g * h), after = 0.5 * e * v / g;
            const er_world_shape shape[] = {shape_of("cube", cube, 0, 0, e), shape_of("slab", slab, -1, -1.0, 1.0)};
            er_world_def def = define(m, 2, shape);
            def.gravity = er_v3(0, 0, -g);
            def.route = (er_dynamics_route)route;
            er_world *w = make(&def);
            double start = er_world_measure_energy(w).mechanical;
            er_impact hit;
            if (e > 0.0) {
                advance(w, t + after);
            } else { // dead: it would lie there, so it is looked at where it hits
                def.most_impacts = 1;
                er_world_destroy(w);
                w = make(&def);
                er_world_report report;
                assert_int_equal(er_world_advance(w, t + 0.1, &report), ER_ERROR_NO_CONVERGENCE);
                assert_non_null(strstr(er_context_error(context), "cube"));
                assert_non_null(strstr(er_context_error(context), "let the integrator be contact"));
            }
            assert_true(er_world_impact(w, 0, &hit));
            measure_at_most("time of a cube's impact", fabs(hit.time - t), 1e-8);
            measure_at_most("impulse of a cube", fabs(hit.impulse - (1.0 + e) * mass * v), 1e-7);
            assert_true(hit.shape[0] == 0 && hit.shape[1] == 1 && hit.normal.z < -0.999999 && hit.before < 0.0);
            if (e > 0.0) {
                er_world_energy at = er_world_measure_energy(w);
                double z = h + 0.5 - h + e * v * after - 0.5 * g * after * after;
                assert_true(er_world_impact_count(w) == 1);
                measure_at_most("height of a rebound", fabs(er_world_pose(w)->p.z - z), 1e-7);
                measure_at_most("heat of an impact", fabs(at.heat - (1.0 - e * e) * mass * g * h), 1e-7);
                measure_at_most("energy lost but for heat", fabs(at.mechanical + at.heat - start), 1e-10);
            }
            er_world_destroy(w);
        }
    er_model_destroy(m);
    er_hull_destroy(cube);
    er_hull_destroy(slab);
}

// Three cubes in a row, equal: the last one leaves as the first one came. Momentum stays, whatever e.
static void a_cradle_hands_its_velocity_on(void **state)
{
    er_hull *cube = box(context, 0.5, 0.5, 0.5);
    memset(&r, 0, sizeof r);
    for (int b = 0; b < 3; ++b)
        body_at(1.5, er_v3(1.5 * b, 0, 0));
    er_model *m = rig_model(context, &r);
    for (int k = 0; k < 2; ++k) {
        er_world_shape shape[3];
        for (int b = 0; b < 3; ++b)
            shape[b] = shape_of("cube", cube, b, 0, k == 0 ? 1.0 : 0.3);
        er_world_def def = define(m, 3, shape);
        er_world *w = make(&def);
        er_twist twist[3] = {{{0, 0, 0}, {2.0, 0, 0}}};
        set(w, twist);
        er_vec3 P, L, P0, L0;
        er_world_measure_momentum(w, &P0, &L0);
        double before = er_world_measure_energy(w).mechanical;
        advance(w, 0.8);
        er_world_measure_momentum(w, &P, &L);
        er_world_energy after = er_world_measure_energy(w);
        er_impact first, second;
        assert_true(er_world_impact(w, 0, &first) && er_world_impact(w, 1, &second) && first.time < second.time);
        assert_true(first.shape[0] == 0 && second.shape[0] == 1 && second.shape[1] == 2);
        measure_at_most("momentum of cubes", er_v3_norm(er_v3_sub(P, P0)), 1e-13);
        measure_at_most("angular momentum of cubes", er_v3_norm(er_v3_sub(L, L0)), 1e-8); // the touch is 1e-9 wide
        measure_at_most("energy of cubes", fabs(after.mechanical + after.heat - before), 1e-11);
        assert_true(k == 0 ? after.heat < 1e-12 : after.heat > 0.1);
        if (k == 0) measure_at_most("the cradle's last", fabs(er_world_twist(w)[2].linear.x - 2.0), 1e-12);
        er_world_destroy(w);
    }
    er_model_destroy(m);
    er_hull_destroy(cube);
}

// Two bars joined by a ball fall on a slab without loss: joints hold, the energy stays, and both routes go alike.
// kappa_sup = -2 u'Theta / (Theta' M^-1 Theta) is what keeps the energy, so where it does, it is 2 kappa_inf.
static void joined_bars_rebound_whole(void **state)
{
    er_hull *bar = box(context, 1.0, 0.2, 0.2), *slab = box(context, 50.0, 50.0, 1.0);
    er_pose end[2][2];
    memset(&r, 0, sizeof r);
    rig_add_body(&r, 2.0, er_v3(0.05, 0.7, 0.7), er_q_identity(), er_v3(-1, 0, 2),
                 (er_pose){er_q_identity(), {-1, 0, 2}});
    rig_add_body(&r, 3.0, er_v3(0.08, 1.0, 1.0), er_q_exp(er_v3(0.1, 0.4, 0)), er_v3(1, 0, 1.6),
                 (er_pose){er_q_exp(er_v3(0.1, 0.4, 0)), {1, 0, 1.6}});
    rig_add_joint(&r, ER_JOINT_SPHERICAL, 0, 1, (er_pose){er_q_identity(), {0, 0, 2}});
    er_model *m = rig_model(context, &r);
    for (int route = 0; route < 2; ++route) {
        const er_world_shape shape[] = {shape_of("one", bar, 0, 0, 1.0), shape_of("two", bar, 1, 0, 1.0),
                                        shape_of("slab", slab, -1, -1.0, 1.0)};
        er_world_def def = define(m, 3, shape);
        def.gravity = er_v3(0, 0, -g);
        def.route = (er_dynamics_route)route;
        er_world *w = make(&def);
        double start = er_world_measure_energy(w).mechanical;
        er_impact hit;
        advance(w, 0.7);
        assert_true(er_world_impact_count(w) >= 1 && er_world_impact(w, 0, &hit) && hit.shape[1] == 2);
        er_world_energy after = er_world_measure_energy(w);
        measure_at_most("energy of joined bars", fabs(after.mechanical - start) / start, 1e-9);
        measure_at_most("heat of joined bars", fabs(after.heat), 1e-12);
        measure_at_most("gap of joined bars", er_world_measure_gap(w), 1e-9);
        memcpy(end[route], er_world_pose(w), sizeof end[route]);
        er_world_destroy(w);
    }
    for (int b = 0; b < 2; ++b)
        measure_at_most("routes after impacts", er_v3_norm(er_v3_sub(end[0][b].p, end[1][b].p)), 1e-6);
    er_model_destroy(m);
    er_hull_destroy(bar);
    er_hull_destroy(slab);
}

// A grain at 1000 m/s, which goes 33 m in a step, and a plate of a millimetre.
static void nothing_tunnels(void **state)
{
    er_hull *grain = box(context, 0.01, 0.01, 0.01), *plate = box(context, 1.0, 1.0, 0.0005);
    memset(&r, 0, sizeof r);
    body_at(0.1, er_v3(0, 0, 7.0));
    er_model *m = rig_model(context, &r);
    const er_world_shape shape[] = {shape_of("plate", plate, -1, 0, 1.0), shape_of("grain", grain, 0, 0, 1.0)};
    er_world_def def = define(m, 2, shape);
    er_world *w = make(&def);
    er_twist twist = {{3.0, 2.0, 1.0}, {0, 0, -1000.0}};
    set(w, &twist);
    advance(w, 1.0);
    assert_true(er_world_impact_count(w) >= 1 && er_world_pose(w)->p.z > 0.0);
    er_world_destroy(w);
    er_model_destroy(m);
    er_hull_destroy(grain);
    er_hull_destroy(plate);
}

// At a billion seconds neighbouring times lie 0.12 us apart, so a fiftieth of the way to a touch may be no time at
// all: a cube that begins some of those before a slab rebounds as from anywhere.
static void late_touches_rebound(void **state)
{
    const double late = 1e9, speed = 1.0, span = 0.1, e = 0.5, apart = nextafter(late, HUGE_VAL) - late;
    er_hull *cube = box(context, 0.5, 0.5, 0.5), *slab = box(context, 50.0, 50.0, 1.0);
    for (int k = 1; k <= 60; ++k) {
        double gap = k * apart * speed;
        memset(&r, 0, sizeof r);
        body_at(1.0, er_v3(0, 0, 0.5 + gap));
        er_model *m = rig_model(context, &r);
        const er_world_shape shape[] = {shape_of("cube", cube, 0, 0, e), shape_of("slab", slab, -1, -1.0, e)};
        er_world_def def = define(m, 2, shape);
        er_world *w = make(&def);
        const er_twist fall = {{0, 0, 0}, {0, 0, -speed}};
        assert_int_equal(er_world_set_state(w, late, NULL, &fall), ER_OK);
        advance(w, late + span);
        assert_true(er_world_impact_count(w) == 1);
        measure_at_most("speed after a late touch", fabs(er_world_twist(w)->linear.z - e * speed), 1e-12);
        measure_at_most("height after a late touch", fabs(er_world_pose(w)->p.z - (0.5 + e * (speed * span - gap))),
                        4.0 * apart * speed);
        er_world_destroy(w);
        er_model_destroy(m);
    }
    er_hull_destroy(cube);
    er_hull_destroy(slab);
}

// Two pairs far apart that meet within one step hit in the order of time, though not of index.
static void impacts_come_in_order(void **state)
{
    ledger l = {.left = LEDGER_ALL};
    er_context *own = ledger_context(&l);
    er_hull *cube = box(own, 0.5, 0.5, 0.5);
    memset(&r, 0, sizeof r);
    for (int b = 0; b < 4; ++b)
        body_at(1.0, er_v3(2.0 * (b % 2), 9.0 * (b / 2), 0));
    er_model *m = rig_model(own, &r);
    er_world_shape shape[4];
    for (int b = 0; b < 4; ++b)
        shape[b] = shape_of("cube", cube, b, 0, 1.0);
    er_world_def def = define(m, 4, shape);
    er_world *w = NULL;
    assert_int_equal(er_world_create(own, &def, &w), ER_OK);
    er_twist twist[4] = {{{0, 0, 0}, {100.0, 0, 0}}, {{0, 0, 0}, {0, 0, 0}}, {{0, 0, 0}, {200.0, 0, 0}}};
    assert_int_equal(er_world_set_state(w, 0.0, NULL, twist), ER_OK);
    assert_int_equal(er_world_advance(w, 0.03, NULL), ER_OK); // the most pairs that come near
    assert_int_equal(er_world_set_state(w, 0.0, NULL, twist), ER_OK);
    long asked = l.asked;
    assert_int_equal(er_world_advance(w, 0.03, NULL), ER_OK);
    assert_int_equal(l.asked, asked); // no memory is taken
    er_impact first, second;
    assert_true(er_world_impact_count(w) == 2 && er_world_impact(w, 0, &first) && er_world_impact(w, 1, &second));
    assert_true(first.shape[0] == 2 && second.shape[0] == 0);
    measure_at_most("times of two impacts", fmax(fabs(first.time - 0.005), fabs(second.time - 0.01)), 1e-9);
    assert_false(er_world_impact(w, 2, &first));
    er_world_destroy(w);
    er_model_destroy(m);
    er_hull_destroy(cube);
    ledger_end(&l, own);
}

// A cube goes to and fro between slabs, 0.1 m a way: of all its impacts since the call the last 256 are told.
static void the_last_impacts_are_told(void **state)
{
    const double v = 50.0;
    er_hull *cube = box(context, 0.5, 0.5, 0.5);
    memset(&r, 0, sizeof r);
    body_at(2.0, er_v3(0, 0, 0));
    er_model *m = rig_model(context, &r);
    const er_world_shape shape[3] = {shape_of("low", cube, -1, -1.05, 1.0), shape_of("cube", cube, 0, 0, 1.0),
                                     shape_of("high", cube, -1, 1.05, 1.0)};
    er_world_def def = define(m, 3, shape);
    er_world *w = make(&def);
    er_twist twist = {{0, 0, 0}, {0, 0, v}};
    set(w, &twist);
    advance(w, 0.53);
    assert_int_equal(er_world_impact_count(w), 265);
    er_impact hit;
    for (int k = -1; k <= 265; ++k) {
        bool told = er_world_impact(w, k, &hit);
        assert_true(told == (k >= 9 && k < 265));
        if (!told) continue;
        bool high = k % 2 == 0;
        measure_at_most("time of an impact of many", fabs(hit.time - 0.001 - 0.002 * k),
                        1e-8); // each touch is 1e-9 wide
        measure_at_most("impulse of an impact of many", fabs(hit.impulse - 4.0 * v), 1e-9);
        measure_at_most("speeds of an impact of many", fabs(hit.before + v) + fabs(hit.after - v), 1e-9);
        measure_at_most("place of an impact of many",
                        er_v3_distance(hit.point, er_v3(0, 0, high ? 0.55 : -0.55)) +
                            er_v3_distance(hit.normal, er_v3(0, 0, 1)),
                        1e-8);
        assert_true(hit.shape[0] == (high ? 1 : 0) && hit.shape[1] == (high ? 2 : 1));
    }
    advance(w, 0.54);
    assert_int_equal(er_world_impact_count(w), 5);
    assert_true(er_world_impact(w, 0, &hit) && hit.time > 0.53 && !er_world_impact(w, 5, &hit));
    er_world_destroy(w);
    def.shape_count = 0;
    w = make(&def);
    assert_true(er_world_impact_count(w) == 0 && !er_world_impact(w, 0, &hit));
    er_world_destroy(w);
    er_model_destroy(m);
    er_hull_destroy(cube);
}

// A cube that bounces ever lower has ever less time between impacts.
static void what_comes_to_rest_is_told(void **state)
{
    er_hull *cube = box(context, 0.5, 0.5, 0.5), *slab = box(context, 50.0, 50.0, 1.0);
    memset(&r, 0, sizeof r);
    body_at(1.0, er_v3(0, 0, 1.0));
    er_model *m = rig_model(context, &r);
    const er_world_shape shape[] = {shape_of("cube", cube, 0, 0, 0.5), shape_of("slab", slab, -1, -1.0, 1.0)};
    er_world_def def = define(m, 2, shape);
    def.gravity = er_v3(0, 0, -g);
    def.most_impacts = 1000;
    er_world *w = make(&def);
    assert_int_equal(er_world_advance(w, 5.0, NULL), ER_ERROR_NO_CONVERGENCE);
    assert_non_null(strstr(er_context_error(context), "\"cube\" and \"slab\""));
    double fall = sqrt(2.0 * 0.5 / g); // then 2 e fall, 2 e^2 fall, ...
    measure_at_most("when bouncing ends", fabs(er_world_time(w) - 3.0 * fall), 1e-3);
    er_world_destroy(w);
    er_model_destroy(m);
    er_hull_destroy(cube);
    er_hull_destroy(slab);
}

// A cube that bounces without loss four times a second, where three are too many: saved after two of them and restored
// elsewhere, it is counted on.
static void a_restored_world_counts_its_impacts_on(void **state)
{
    const double fall = 0.125;
    er_hull *cube = box(context, 0.01, 0.01, 0.01), *slab = box(context, 50.0, 50.0, 1.0);
    memset(&r, 0, sizeof r);
    body_at(1.0, er_v3(0, 0, 0.01 + 0.5 * g * fall * fall));
    er_model *m = rig_model(context, &r);
    const er_world_shape shape[] = {shape_of("cube", cube, 0, 0, 1.0), shape_of("slab", slab, -1, -1.0, 1.0)};
    er_world_def def = define(m, 2, shape);
    def.gravity = er_v3(0, 0, -g);
    def.most_impacts = 3;
    er_world *w = make(&def), *other = make(&def);
    unsigned char bytes[1024];
    assert_true(er_world_state_size(w) <= sizeof bytes);
    advance(w, 0.5); // at 0.125 and 0.375 s
    er_world_save(w, bytes);
    assert_int_equal(er_world_restore(other, bytes), ER_OK);
    for (int k = 0; k < 2; ++k) {
        er_world *which = k == 0 ? w : other;
        assert_int_equal(er_world_advance(which, 0.99, NULL), ER_ERROR_NO_CONVERGENCE); // at 0.625 and 0.875 s
        measure_at_most("time of the impact too many", fabs(er_world_time(which) - 0.875), 0.1);
        assert_true(er_world_time(which) > 0.625);
    }
    assert_true(er_world_hash(w) == er_world_hash(other));
    er_world_destroy(w);
    er_world_destroy(other);
    er_model_destroy(m);
    er_hull_destroy(cube);
    er_hull_destroy(slab);
}

// A motor driven between two calls, after a step within which accelerations were asked for, acts from then on: to the
// bit as in a world that is given the state then.
static void a_motor_driven_is_felt_at_once(void **state)
{
    er_hull *cube = box(context, 0.5, 0.5, 0.5), *slab = box(context, 50.0, 50.0, 1.0);
    memset(&r, 0, sizeof r);
    body_at(1.0, er_v3(0, 0, 1.0));
    rig_add_joint(&r, ER_JOINT_PRISMATIC, -1, 0, er_pose_identity());
    er_model *m = rig_model(context, &r);
    const er_world_shape shape[] = {shape_of("cube", cube, 0, 0, 0.0), shape_of("slab", slab, -1, -1.0, 0.0)};
    er_world_def def = define(m, 2, shape);
    er_motor motor = er_default_motor();
    motor.stiffness = 400.0;
    def.motor = &motor;
    def.motor_count = 1;
    er_world *w = make(&def), *other = make(&def);
    unsigned char bytes[1024];
    assert_true(er_world_state_size(w) <= sizeof bytes);
    advance(w, 0.1);
    er_world_save(w, bytes);
    assert_int_equal(er_world_drive(w, 0, 0.5, 0.0), ER_OK);
    assert_int_equal(er_world_drive(other, 0, 0.5, 0.0), ER_OK);
    assert_int_equal(er_world_restore(other, bytes), ER_OK);
    advance(w, 0.15);
    advance(other, 0.15);
    assert_true(er_world_hash(w) == er_world_hash(other));
    er_world_destroy(w);
    er_world_destroy(other);
    er_model_destroy(m);
    er_hull_destroy(cube);
    er_hull_destroy(slab);
}

// A cube that loses all of its fall slides on: that no impact ends it may not keep the world at it for ever.
static void what_slides_is_told(void **state)
{
    er_hull *cube = box(context, 0.5, 0.5, 0.5), *slab = box(context, 50.0, 50.0, 1.0);
    memset(&r, 0, sizeof r);
    body_at(1.0, er_v3(0, 0, 1.0));
    er_model *m = rig_model(context, &r);
    const er_world_shape shape[] = {shape_of("cube", cube, 0, 0, 0.0), shape_of("slab", slab, -1, -1.0, 0.0)};
    er_world_def def = define(m, 2, shape);
    er_world *w = make(&def);
    const er_twist fall = {{0, 0, 0}, {3, 0, -1}};
    set(w, &fall);
    assert_int_equal(er_world_advance(w, 2.0, NULL), ER_ERROR_NO_CONVERGENCE);
    assert_non_null(strstr(er_context_error(context), "slide"));
    measure_at_most("when sliding begins", fabs(er_world_time(w) - 0.5), 0.1);
    er_world_destroy(w);
    er_model_destroy(m);
    er_hull_destroy(cube);
    er_hull_destroy(slab);
}

static void go_sideways(void *user, double time, int body, er_pose *pose, er_twist *twist, er_twist *rate)
{
    (void)user, (void)body;
    *pose = (er_pose){er_q_identity(), {time - 2.0, 0, 0}};
    *twist = (er_twist){{0, 0, 0}, {1, 0, 0}};
    *rate = (er_twist){{0, 0, 0}, {0, 0, 0}};
}

// A cube that is led meets one whose slide goes across its way.
static void what_cannot_give_way_is_told(void **state)
{
    er_hull *cube = box(context, 0.5, 0.5, 0.5);
    memset(&r, 0, sizeof r);
    body_at(1.0, er_v3(0, 0, 0));
    body_at(1.0, er_v3(-2.0, 0, 0));
    rig_add_joint(&r, ER_JOINT_PRISMATIC, -1, 0, er_pose_identity());
    er_model *m = rig_model(context, &r);
    const er_world_shape shape[] = {shape_of("slide", cube, 0, 0, 0.5), shape_of("ram", cube, 1, 0, 0.5)};
    const bool held[] = {false, true};
    er_world_def def = define(m, 2, shape);
    def.held = held;
    def.guide = go_sideways;
    er_world *w = make(&def);
    assert_int_equal(er_world_advance(w, 2.0, NULL), ER_ERROR_NO_CONVERGENCE);
    const char *said = er_context_error(context);
    if (strstr(said, "\"slide\" and \"ram\" meet where joints let neither give way") == NULL) fail_msg("%s", said);
    measure_at_most("when they meet", fabs(er_world_time(w) - 1.0), 0.1);
    er_world_destroy(w);
    er_model_destroy(m);
    er_hull_destroy(cube);
}

static void shapes_are_refused(void **state)
{
    er_hull *cube = box(context, 0.5, 0.5, 0.5);
    memset(&r, 0, sizeof r);
    body_at(1.0, er_v3(0, 0, 0.4));
    er_model *m = rig_model(context, &r);
    for (int k = 0; k < 11; ++k) {
        static const char *const named[] = {"\"this\"",         "hull",        "body",
                                            "pose.q",           "restitution", "most_impacts",
                                            "impact_tolerance", "shape_count", "er_default_world_shape",
                                            "shape.kind",       "pose.p"};
        er_world_shape shape[] = {shape_of("this", cube, 0, 0, 1.0), shape_of("that", cube, -1, 0, 1.0)};
        er_world_def def = define(m, 2, shape);
        er_world *w = NULL;
        if (k == 1) shape[1].shape.hull = NULL;
        if (k == 2) shape[1].body = 1;
        if (k == 3) shape[1].pose.q = (er_quat){0, 0, 0, 0};
        if (k == 4) shape[1].restitution = nan("");
        if (k == 5) def.most_impacts = 0;
        if (k == 6) def.impact_tolerance = nan("");
        if (k == 7) def.shape = NULL;
        if (k == 8) shape[1].tag = 0;
        if (k == 9) shape[1].shape = (er_shape){.kind = ER_SHAPE_SPHERE, .radius = 1.0};
        if (k == 10) shape[1].pose.p.y = INFINITY;
        assert_refusal(context, er_world_create(context, &def, &w), ER_ERROR_ARGUMENT, named[k]);
        assert_null(w);
    }
    er_model_destroy(m);
    er_hull_destroy(cube);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cube_rebounds_as_e_says),    cmocka_unit_test(a_cradle_hands_its_velocity_on),
        cmocka_unit_test(joined_bars_rebound_whole),    cmocka_unit_test(nothing_tunnels),
        cmocka_unit_test(late_touches_rebound),         cmocka_unit_test(impacts_come_in_order),
        cmocka_unit_test(what_comes_to_rest_is_told),   cmocka_unit_test(a_motor_driven_is_felt_at_once),
        cmocka_unit_test(the_last_impacts_are_told),    cmocka_unit_test(what_slides_is_told),
        cmocka_unit_test(what_cannot_give_way_is_told), cmocka_unit_test(a_restored_world_counts_its_impacts_on),
        cmocka_unit_test(shapes_are_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
