// Modes as displacements, and modes beside modes: amplitudes of shapes made by hand, likeness in rigs of another size.
#include <eigenrig/motion.h>

#include <string.h>

#include "base/arena.h"
#include "motion/signal.h"
#include "support/context.h"
#include "support/judge.h"

// A spherical joint, a planar one and a hinge, in a row.
static er_model *make_rig(void)
{
    dice d = {1};
    rig r = {0};
    const er_joint_type types[] = {ER_JOINT_SPHERICAL, ER_JOINT_PLANAR, ER_JOINT_REVOLUTE};
    for (int b = 0; b < 4; ++b) {
        rig_throw_body(&r, &d, 1.0 + b, er_v3(0.2, 0.3, 0.4));
        if (b == 0) continue; // floats
        er_joint *j = rig_add_joint(&r, types[b - 1], b - 1, b, dice_pose(&d));
        for (int i = 0; i < er_joint_type_freedom(j->type, NULL); ++i)
            j->stiffness[i] = 1.0 + i;
    }
    return rig_model(context, &r);
}

enum { COORDINATES = 7, BODIES = 4 };

static void amplitudes_go_by_the_norms_of_turns_and_shifts(void **state)
{
    er_model *m = make_rig();
    const double degrees = 18.0, turn = degrees * ER_PI / 180.0, shift = degrees / 20.0 * 0.1 * m->size;
    const struct {
        double joint[COORDINATES], root[6], factor; // spherical, planar (tz x y), hinge
    } rows[] = {{{0.3, 0.4, 1.2, 0, 0, 0, 0.1}, {9, 9, 9, 9, 9, 9}, turn / 1.3},
                {{0.3, -0.4, 0, 0, 0, 0, 0}, {0}, turn / 0.5},
                {{0.1, 0, 0, 0, 0, 0, -0.7}, {0}, turn / 0.7},
                {{0, 0, 0, 0.2, 0, 0, 0}, {0}, turn / 0.2},
                {{0, 0, 0, 0, 3, -4, 0}, {0}, shift / 5},
                {{1e-9, 0, 0, 0, 3, 4, 0}, {0}, shift / 5},
                {{5, 0, 0, 0, 1e-9, 0, 0}, {0}, turn / 5},
                {{0}, {0, 3, 4, 0, 0, 0}, turn / 5},
                {{0}, {0, 0, 0, 6, 0, -8}, shift / 10},
                {{0}, {0}, 0}};
    for (size_t i = 0; i < ERI_COUNT(rows); ++i) {
        double body[6 * BODIES] = {0};
        memcpy(body, rows[i].root, sizeof rows[i].root);
        body[6] = 100.0; // of bodies that hang on a joint no twist is asked for
        const er_mode mode = {.joint = rows[i].joint, .body = body};
        double factor = er_mode_amplitude(m, &mode, degrees);
        measure_at_most("amplitude", fabs(factor - rows[i].factor) / (1.0 + rows[i].factor), 1e-14);
        assert_true(er_mode_amplitude(m, &mode, 0.0) == 0.0);
    }
    er_model_destroy(m);
}

static void displacements_are_joints_then_roots(void **state)
{
    er_model *m = make_rig();
    er_kinematics *k = NULL;
    double joint[COORDINATES], body[6 * BODIES], x[COORDINATES + 6];
    assert_int_equal(er_kinematics_create(context, m, &k), ER_OK);
    assert_int_equal(er_kinematics_width(k), COORDINATES + 6);
    for (int i = 0; i < COORDINATES; ++i)
        joint[i] = 1.0 + i;
    for (int i = 0; i < 6 * BODIES; ++i)
        body[i] = -1.0 - i;
    er_kinematics_mode(k, &(er_mode){.joint = joint, .body = body}, x);
    assert_memory_equal(x, joint, sizeof joint);
    assert_memory_equal(x + COORDINATES, body, 6 * sizeof *body); // body 0 is the root
    er_kinematics_destroy(k);
    er_model_destroy(m);
}

// The shape as a rig that is so many times smaller has it: the same turns, shorter shifts.
static void shrink(const double *shape, double times, double *out)
{
    for (int i = 0; i < 6 * BODIES; ++i)
        out[i] = i % 6 < 3 ? shape[i] : shape[i] / times;
}

static void a_rig_of_another_size_has_the_same_modes(void **state)
{
    er_model *m = make_rig();
    er_modes *modes = rig_modes(context, m, ER_MODAL_AUTO);
    const double times[] = {0.01, 0.5, 1.0, 3.0, 1000.0};
    for (size_t i = 0; i < ERI_COUNT(times); ++i)
        for (int k = 0; k < modes->count; ++k) {
            double small[6 * BODIES];
            shrink(modes->mode[k].body, times[i], small);
            for (int l = 0; l < modes->count; ++l) {
                double like = er_mode_likeness(m, times[i], small, modes->mode[l].body);
                measure_at_most("likeness at another size", fabs(like - (k == l)), 1e-9);
            }
            er_mix_component component = er_default_mix_component();
            component.mode = (k + 1) % modes->count; // the shape tells
            component.shape = small;
            const er_mix given = {
                .body_count = BODIES, .size = m->size / times[i], .component_count = 1, .component = &component};
            er_mix *mix = NULL;
            er_mix_match match;
            assert_int_equal(er_mix_fit(context, m, modes, &given, &match, &mix), ER_OK);
            assert_int_equal(match.now, k);
            assert_true(mix->size == m->size); // its shapes are of this rig now
            assert_true(fabs(match.likeness - 1.0) < 1e-9);
            er_mix_destroy(mix);
        }
    er_modes_destroy(modes);
    er_model_destroy(m);
}

// At a quarter of its cycle a mode of a small amplitude has moved the point by it, and the farthest of all.
static void metres_are_the_way_of_a_point(void **state)
{
    er_model *m = make_rig();
    er_modes *modes = rig_modes(context, m, ER_MODAL_AUTO);
    for (int k = 0; k < modes->count; ++k) {
        if (modes->mode[k].kind != ER_MODE_ELASTIC) continue;
        for (int at = -1; at < 1; ++at) { // bodies have no names: the first is the one called ""
            double far = er_mode_excursion(m, &modes->mode[k], at), farthest = 0.0;
            if (!(far > 0.1 * er_mode_excursion(m, &modes->mode[k], -1))) continue; // else others move far
            er_mix_component component = er_default_mix_component();
            component.mode = er_modes_index(modes, &modes->mode[k]);
            component.hz = 1.0;
            component.metres = 1e-4 * m->size;
            component.at = at >= 0 ? m->body[at].name : NULL;
            const er_mix mix = {.component_count = 1, .component = &component};
            er_mix *fitted = NULL;
            er_motion *motion = NULL, *same = NULL;
            er_pose pose[BODIES];
            assert_int_equal(er_motion_create(context, m, modes, &mix, NULL, &motion), ER_OK);
            assert_int_equal(er_motion_poses(motion, 1, &(double){0.25}, NULL, pose), ER_OK);
            for (int b = 0; b < BODIES; ++b)
                for (int tip = 0; tip < 2 && (at < 0 || b == at); ++tip) {
                    er_vec3 point = er_v3_scale(2.0 * tip, m->body[b].com);
                    farthest = fmax(
                        farthest, er_v3_distance(er_pose_point(pose[b], point), er_pose_point(m->body[b].pose, point)));
                }
            measure_at_most("way of a point in metres", fabs(farthest / component.metres - 1.0), 0.02); // first order
            assert_int_equal(er_mix_fit(context, m, modes, &mix, NULL, &fitted), ER_OK);
            component.degrees = fitted->component->degrees;
            component.metres = 0.0;
            component.at = NULL;
            assert_int_equal(er_motion_create(context, m, modes, &mix, NULL, &same), ER_OK);
            measure_at_most("factors of metres and of degrees",
                            fabs(same->component->factor / motion->component->factor - 1.0), 1e-12);
            er_motion_destroy(same);
            er_motion_destroy(motion);
            er_mix_destroy(fitted);
        }
    }
    er_mix_component nowhere = er_default_mix_component();
    nowhere.metres = 0.1;
    nowhere.at = "nobody";
    er_motion *motion = NULL;
    assert_int_equal(
        er_motion_create(context, m, modes, &(er_mix){.component_count = 1, .component = &nowhere}, NULL, &motion),
        ER_ERROR_ARGUMENT);
    assert_non_null(strstr(er_context_error(context), "nobody"));
    er_modes_destroy(modes);
    er_model_destroy(m);
}

// ---- lengths at bodies

// Four bodies without joints, of shapes that are known.
static const char *const names[BODIES] = {"arm.L", "arm.R", "leg[1]", "leg1"};
static const double shape[6 * BODIES] = {0, 0, 2, 0.5, 0, 0, 0, 0, 0, 0, 3, 4, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0.25};

static er_model *make_loose_bodies(void)
{
    rig r = {0};
    for (int b = 0; b < BODIES; ++b)
        rig_add_body(&r, 1.0, er_v3(1, 1, 1), er_q_identity(), er_v3(b, 0.1 * b, 0.3),
                     (er_pose){er_q_identity(), {b, 0, 0}});
    for (int b = 0; b < BODIES; ++b)
        r.body[b].name = names[b];
    return rig_model(context, &r);
}

// The farther of a body's origin and of the point twice as far as its centre of mass.
static double way_of(const er_model *m, int b)
{
    const double *v = shape + 6 * b;
    er_vec3 at = er_v3_scale(2.0, m->body[b].com), linear = er_v3(v[3], v[4], v[5]);
    er_vec3 tip = er_v3(linear.x + v[1] * at.z - v[2] * at.y, linear.y + v[2] * at.x - v[0] * at.z,
                        linear.z + v[0] * at.y - v[1] * at.x);
    return fmax(er_v3_norm(linear), er_v3_norm(tip));
}

static void lengths_are_of_the_body_called_so_or_of_those_like_it(void **state)
{
    er_model *m = make_loose_bodies();
    const er_mode mode = {.joint = shape, .body = shape};
    double way[BODIES], most = 0.0;
    for (int b = 0; b < BODIES; ++b) {
        way[b] = way_of(m, b);
        most = fmax(most, way[b]);
        measure_at_most("excursion", fabs(er_mode_excursion(m, &mode, b) - way[b]), 1e-15);
    }
    assert_true(er_mode_excursion(m, &mode, -1) == most && way[1] == 5.0 && way[2] == 0.0 && way[0] < way[1]);
    const struct {
        const char *at;
        double way;
        const char *words;
    } cases[] = {
        {NULL, most, NULL},
        {"arm.L", way[0], NULL},
        {"arm.?", way[1], NULL}, // the one that moves most
        {"*", most, NULL},
        {"leg1", way[3], NULL},
        {"leg?", way[3], NULL},
        {"leg[1]", 0.0, "mode 7 does not move leg[1], so it has no amplitude there"}, // a name before a pattern
        {"arm.X", 0.0, "\"arm.L\""},
        {"tail*", 0.0, "\"tail*\""}};
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        er_mix_component component = er_default_mix_component();
        component.mode = 7;
        component.metres = 0.3;
        component.at = cases[i].at;
        double factor = 0.0;
        er_result r = eri_component_factor(context, m, &mode, &component, &factor);
        assert_int_equal(r, cases[i].words == NULL ? ER_OK : ER_ERROR_ARGUMENT);
        if (r == ER_OK)
            measure_at_most("factor of a length", fabs(factor * cases[i].way / 0.3 - 1.0), 1e-14);
        else
            assert_non_null(strstr(er_context_error(context), cases[i].words));
    }
    static const double still[6 * BODIES] = {0};
    const er_mode rest = {.joint = still, .body = still};
    er_mix_component component = er_default_mix_component();
    component.metres = 0.3;
    double factor;
    assert_int_equal(eri_component_factor(context, m, &rest, &component, &factor), ER_ERROR_ARGUMENT);
    assert_string_equal(er_context_error(context), "mode 0 does not move anything, so it has no amplitude there");
    component.metres = 0.0; // degrees then, of which nothing has any
    assert_int_equal(eri_component_factor(context, m, &rest, &component, &factor), ER_OK);
    assert_true(factor == 0.0 && eri_factor_degrees(m, &rest, 2.0) == 0.0);
    double by_degrees = er_mode_amplitude(m, &mode, 12.0);
    measure_at_most("degrees of a factor", fabs(eri_factor_degrees(m, &mode, by_degrees) - 12.0), 1e-13);
    er_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(amplitudes_go_by_the_norms_of_turns_and_shifts),
        cmocka_unit_test(displacements_are_joints_then_roots),
        cmocka_unit_test(a_rig_of_another_size_has_the_same_modes),
        cmocka_unit_test(metres_are_the_way_of_a_point),
        cmocka_unit_test(lengths_are_of_the_body_called_so_or_of_those_like_it),
    };
    return cmocka_run_group_tests_name("mode", tests, set_up, tear_down);
}
