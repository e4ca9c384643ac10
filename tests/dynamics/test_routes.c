// The two routes to accelerations and reactions, judged by each other and by plain Newton-Euler: forces on each body
// against what it does, joints that hold, and no work in free directions.
#include <eigenrig/dynamics.h>
#include <eigenrig/formats.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/context.h"
#include "support/forest.h"
#include "support/linkages.h"

static er_world *make(const er_model *model, er_vec3 gravity)
{
    er_world *w = NULL;
    er_world_def def = er_default_world_def();
    def.model = model;
    def.gravity = gravity;
    if (er_world_create(context, &def, &w) != ER_OK) fail_msg("%s", er_context_error(context));
    return w;
}

typedef struct answer {
    er_twist rate[RIG_MAX];
    er_wrench reaction[RIG_MAX];
} answer;

static void ask(er_world *w, er_dynamics_route route, answer *a)
{
    if (er_world_accelerations(w, route, a->rate, a->reaction) != ER_OK) fail_msg("%s", er_context_error(context));
}

static double span(er_vec3 a, er_vec3 b)
{
    return er_v3_norm(er_v3_sub(a, b));
}

// The largest difference of accelerations over the largest acceleration; sizes for shifts.
static double rate_difference(const er_model *m, const answer *a, const answer *b)
{
    double worst = 0.0, most = 1e-300;
    for (int i = 0; i < m->body_count; ++i) {
        worst = fmax(worst, span(a->rate[i].angular, b->rate[i].angular));
        worst = fmax(worst, span(a->rate[i].linear, b->rate[i].linear) / m->size);
        most = fmax(most, fmax(er_v3_norm(a->rate[i].angular), er_v3_norm(a->rate[i].linear) / m->size));
    }
    return worst / most;
}

static double reaction_difference(const er_model *m, const answer *a, const answer *b)
{
    double worst = 0.0, most = 0.0;
    for (int i = 0; i < m->body_count; ++i)
        most = fmax(most, m->body[i].mass); // of forces: a meter per second squared
    for (int k = 0; k < m->joint_count; ++k) {
        worst = fmax(worst, span(a->reaction[k].force, b->reaction[k].force));
        worst = fmax(worst, span(a->reaction[k].torque, b->reaction[k].torque) / m->size);
        most = fmax(most, fmax(er_v3_norm(a->reaction[k].force), er_v3_norm(a->reaction[k].torque) / m->size));
    }
    return worst / most;
}

// Newton and Euler for each body: its acceleration needs the wrenches of gravity and its joints. About the centre of
// mass, over the largest.
static double newton_euler_error(const er_model *m, const er_world *w, er_vec3 gravity, const answer *a)
{
    static er_vec3 force[RIG_MAX], torque[RIG_MAX], com[RIG_MAX];
    const er_pose *pose = er_world_pose(w);
    const er_twist *twist = er_world_twist(w);
    double worst = 0.0, most = 1e-300;
    for (int b = 0; b < m->body_count; ++b) {
        const er_body *body = &m->body[b];
        er_vec3 W = twist[b].angular, A = a->rate[b].angular, c = body->com;
        er_vec3 acceleration = er_v3_add(a->rate[b].linear, er_v3_cross(W, twist[b].linear)); // of the origin
        acceleration = er_v3_add(acceleration, er_v3_add(er_v3_cross(A, c), er_v3_cross(W, er_v3_cross(W, c))));
        er_vec3 f = er_q_rotate(pose[b].q, er_v3_scale(body->mass, acceleration));
        er_vec3 t = er_v3_add(er_m3_mul_v(body->inertia, A), er_v3_cross(W, er_m3_mul_v(body->inertia, W)));
        com[b] = er_pose_point(pose[b], c);
        force[b] = er_v3_madd(f, -body->mass, gravity);
        torque[b] = er_q_rotate(pose[b].q, t);
        most = fmax(most, fmax(er_v3_norm(f), er_v3_norm(t) / m->size));
    }
    for (int k = 0; k < m->joint_count; ++k) {
        const er_joint *j = &m->joint[k];
        er_vec3 at = er_pose_point(pose[j->child], er_pose_point_inverse(m->body[j->child].pose, j->frame.p));
        const int body[2] = {j->child, j->parent};
        for (int e = 0; e < 2; ++e) {
            int b = body[e];
            double sign = e == 0 ? -1.0 : 1.0;
            if (b < 0) continue;
            er_vec3 arm = er_v3_cross(er_v3_sub(at, com[b]), a->reaction[k].force);
            force[b] = er_v3_madd(force[b], sign, a->reaction[k].force);
            torque[b] = er_v3_madd(torque[b], sign, er_v3_add(a->reaction[k].torque, arm));
        }
        most = fmax(most, fmax(er_v3_norm(a->reaction[k].force), er_v3_norm(a->reaction[k].torque) / m->size));
    }
    for (int b = 0; b < m->body_count; ++b)
        worst = fmax(worst, fmax(er_v3_norm(force[b]), er_v3_norm(torque[b]) / m->size));
    return worst / most;
}

// G v at a time h later, by the accelerations, is 0 but for terms in h^2: the rate of G v by central differences, over
// what the accelerations alone would change it by.
static double tear(const er_model *m, const er_world *w, const answer *a)
{
    static er_pose pose[RIG_MAX];
    static double v[6 * RIG_MAX], change[2][6 * RIG_MAX];
    const er_twist *twist = er_world_twist(w);
    double fastest = 1e-300, most = 1e-300, worst = 0.0;
    for (int b = 0; b < m->body_count; ++b)
        fastest = fmax(fastest, fmax(sqrt(er_v3_norm(a->rate[b].angular)),
                                     fmax(er_v3_norm(twist[b].angular), er_v3_norm(twist[b].linear) / m->size)));
    double h = 1e-4 / fastest;
    int rows = 0;
    for (int side = 0; side < 2; ++side) {
        double t = side == 0 ? -h : h;
        for (int b = 0; b < m->body_count; ++b) {
            er_twist V = twist[b], A = a->rate[b], path = {er_v3_scale(t, V.angular), er_v3_scale(t, V.linear)};
            path.angular = er_v3_madd(path.angular, 0.5 * t * t, A.angular);
            path.linear = er_v3_madd(path.linear, 0.5 * t * t, A.linear);
            pose[b] = er_pose_mul(er_world_pose(w)[b], er_pose_exp(path));
            const double now[6] = {V.angular.x + t * A.angular.x, V.angular.y + t * A.angular.y,
                                   V.angular.z + t * A.angular.z, V.linear.x + t * A.linear.x,
                                   V.linear.y + t * A.linear.y,   V.linear.z + t * A.linear.z};
            memcpy(v + 6 * b, now, sizeof now);
            most = fmax(most, fmax(er_v3_norm(A.angular), er_v3_norm(A.linear) / m->size));
        }
        er_constraints *c = NULL;
        assert_int_equal(er_constraints_at(context, m, pose, &c), ER_OK);
        rows = c->constraint_count;
        for (int i = 0; i < rows; ++i) {
            double sum = 0.0, unit = c->constraint_axis[i] < 3 ? 1.0 : m->size;
            for (int k = 0; k < c->column_count; ++k)
                sum += c->G[(size_t)i + (size_t)k * (size_t)rows] * v[k];
            change[side][i] = sum / unit;
        }
        er_constraints_destroy(c);
    }
    for (int i = 0; i < rows; ++i)
        worst = fmax(worst, fabs(change[1][i] - change[0][i]) / (2.0 * h));
    return worst / fmax(most, fastest * fastest);
}

// In free directions a joint does what its spring and damper say, of these joints springs of plain coordinates alone.
static double free_work(const er_model *m, const er_world *w, const answer *a)
{
    static double q[6 * RIG_MAX], rate[6 * RIG_MAX];
    const er_pose *pose = er_world_pose(w);
    double worst = 0.0, most = 0.0;
    for (int i = 0; i < m->body_count; ++i)
        most = fmax(most, m->body[i].mass);
    er_world_coordinates(w, q, rate);
    for (int k = 0; k < m->joint_count; ++k) {
        const er_joint *j = &m->joint[k];
        int axis[6], count = er_joint_type_freedom(j->type, axis);
        er_quat P = j->frame.q;
        if (j->parent >= 0) P = er_q_mul(er_q_mul(pose[j->parent].q, er_q_conj(m->body[j->parent].pose.q)), P);
        er_mat3 R = er_m3_from_q(P);
        for (int c = 0; c < count; ++c) {
            int at = m->coordinate[k] + c;
            most = fmax(most, fmax(er_v3_norm(a->reaction[k].force), er_v3_norm(a->reaction[k].torque) / m->size));
            if (axis[c] < 3 && !(axis[c] == 2 && axis[0] == 2)) continue; // turns about one axis, and shifts
            er_vec3 e = er_m3_column(R, axis[c] % 3);
            double does = er_v3_dot(e, axis[c] < 3 ? a->reaction[k].torque : a->reaction[k].force);
            if (j->type == ER_JOINT_SCREW) does += j->pitch * er_v3_dot(e, a->reaction[k].force);
            double wanted = -j->stiffness[c] * q[at] - j->damping[c] * rate[at];
            worst = fmax(worst, fabs(does - wanted) / (axis[c] < 3 ? m->size : 1.0));
        }
    }
    return worst / most;
}

// Bounds for a kind of rig. Accelerations of light bodies between heavy ones, masses six decades apart, are known
// to so many digits less.
typedef struct bounds {
    const char *rates, *reactions; // names of what is measured
    double most_rates, most_reactions;
} bounds;

static void judge_state(bounds held, const er_model *m, er_world *w, er_vec3 gravity)
{
    static answer reduced, multipliers;
    ask(w, ER_ROUTE_REDUCED, &reduced);
    ask(w, ER_ROUTE_MULTIPLIERS, &multipliers);
    measure_at_most(held.rates, rate_difference(m, &reduced, &multipliers), held.most_rates);
    measure_at_most(held.reactions, reaction_difference(m, &reduced, &multipliers), held.most_reactions);
    measure_at_most("Newton-Euler, reduced", newton_euler_error(m, w, gravity, &reduced), held.most_reactions);
    measure_at_most("Newton-Euler, multipliers", newton_euler_error(m, w, gravity, &multipliers), 1e-11);
    measure_at_most("joints torn", tear(m, w, &reduced), 1e-7); // differences over 2e-4 turns, squared
    measure_at_most("forces in free directions", free_work(m, w, &reduced), held.most_reactions);
}

static void throw_state(er_world *w, const er_model *m, dice *d, double turn, double rate)
{
    static double x[12 * RIG_MAX], v[12 * RIG_MAX];
    int width = m->coordinate_count;
    for (int b = 0; b < m->body_count; ++b)
        width += m->tree_joint[b] < 0 ? 6 : 0;
    for (int c = 0; c < width; ++c) {
        x[c] = dice_uniform(d, -turn, turn);
        v[c] = dice_uniform(d, -rate, rate);
    }
    if (er_world_set_displacement(w, 0.5, x, v) != ER_OK) fail_msg("%s", er_context_error(context));
}

static void judge_model(bounds held, const er_model *m, dice *d, double turn)
{
    er_vec3 gravity = er_v3(0.5, -9.81, 0.2);
    er_world *w = make(m, gravity);
    for (int n = 0; n < 3; ++n) {
        throw_state(w, m, d, n == 0 ? 0.0 : turn, n == 1 ? 0.0 : 2.0);
        judge_state(held, m, w, gravity);
    }
    er_world_destroy(w);
}

static void judge_rig(bounds held, const rig *r, dice *d, double turn)
{
    er_model *m = rig_model(context, r);
    judge_model(held, m, d, turn);
    er_model_destroy(m);
}

static void trees_of_all_joints(void **state)
{
    static rig r;
    for (unsigned seed = 1; seed <= 20; ++seed) {
        dice d = {seed};
        memset(&r, 0, sizeof r);
        rig_forest(&r, &d, 1 + 2 * (int)seed, false);
        judge_rig((bounds){"trees: accelerations", "trees: reactions", 1e-9, 1e-7}, &r, &d, 1.0);
    }
}

static void loops_of_linkages(void **state)
{
    static rig r;
    for (int i = 0; i < LINKAGE_COUNT; ++i)
        for (unsigned seed = 1; seed <= 2; ++seed) {
            dice d = {seed};
            memset(&r, 0, sizeof r);
            linkages[i].build(&r, &d);
            judge_rig((bounds){"linkages: accelerations", "linkages: reactions", 1e-11, 1e-11}, &r, &d, 0.05);
        }
}

static void random_loops(void **state)
{
    static rig r;
    for (unsigned seed = 1; seed <= 20; ++seed) {
        dice d = {seed};
        memset(&r, 0, sizeof r);
        rig_random(&r, &d, true);
        judge_rig((bounds){"loops: accelerations", "loops: reactions", 1e-9, 1e-8}, &r, &d, 0.02);
    }
}

static void sample_models(void **state)
{
    static const char *const file[] = {"chain_20", "four_bar", "loop_4", "loop_16", "loop_8_asymmetric", "loop_9"};
    const char *source = getenv("EIGENRIG_SOURCE");
    for (int i = 0; i < 6; ++i) {
        char path[4096];
        er_model *m = NULL;
        dice d = {(unsigned)i + 1};
        snprintf(path, sizeof path, "%s/models/%s.json", source != NULL ? source : ".", file[i]);
        if (er_rig_file_read(context, path, NULL, NULL, &m) != ER_OK) fail_msg("%s", er_context_error(context));
        judge_model((bounds){"models: accelerations", "models: reactions", 1e-10, 1e-9}, m, &d, 0.1);
        er_model_destroy(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_of_all_joints),
        cmocka_unit_test(loops_of_linkages),
        cmocka_unit_test(random_loops),
        cmocka_unit_test(sample_models),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
