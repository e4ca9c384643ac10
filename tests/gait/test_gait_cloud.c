// Points of a body's surface: vertices with the body that weighs most on them, or corners of boxes; and what reading a
// body refuses.
#include <string.h>

#include "base/arena.h"
#include "gait/body/body.h"
#include "support/hand.h"
#include "support/judge.h"
#include "walkers.h"

static er_arena *arena;

static int set_up_cloud(void **state)
{
    return set_up(state) == 0 && eri_arena_create(context, &arena) == ER_OK ? 0 : 1;
}

static int tear_down_cloud(void **state)
{
    eri_arena_destroy(arena);
    return tear_down(state);
}

static eri_cloud read_cloud(const er_model *model, const er_rig *made)
{
    eri_body_reader b = {.context = context, .model = model, .rig = made, .arena = arena, .scratch = arena};
    ok(eri_gait_read_cloud(&b));
    return b.cloud;
}

// A chain of which every vertex is weighed by two joints, one of them more, and some by none; a box on one link's node
// and one on a node of no body.
static void vertices_go_with_the_body_that_weighs_most(void **state)
{
    static hand h;
    static int start[HAND_VERTICES + 1], joint[2 * HAND_VERTICES];
    static float weight[2 * HAND_VERTICES];
    for (int scaled = 0; scaled < 2; ++scaled) {
        hand_chain(&h);
        int count = h.mesh[0].vertex_count, used = 0, known[HAND_VERTICES];
        for (int v = 0; v < count; ++v) {
            int link = v / 8, other = (link + 1) % HAND_LINKS;
            known[v] = v % 3 == 0 ? link : other;
            if (v % 8 == 7) known[v] = -1; // that of no joint
            for (int k = 0; k < 2 && known[v] >= 0; ++k) {
                joint[used] = (k == 0) == (v % 2 == 0) ? link : other;
                weight[used] = joint[used] == known[v] ? 0.625f : 0.375f;
                ++used;
            }
            start[v + 1] = used;
        }
        h.mesh[0].influence_start = start;
        h.mesh[0].influence_joint = joint;
        h.mesh[0].influence_weight = weight;
        for (int k = 0; k < 2; ++k) {
            int mesh = hand_mesh(&h);
            h.mesh[mesh].influence_start = NULL;
            hand_box(&h, er_v3(-0.1, -0.2, -0.3), er_v3(0.1, 0.2 + k, 0.3), -1);
            hand_draw(&h, k == 0 ? 2 : 4, mesh, -1);
        }
        er_rig_def def = er_default_rig_def();
        def.height = scaled == 1 ? 9.0 : 0.0;
        er_rig *made = hand_rig(context, &h.scene, &def);
        eri_cloud cloud = read_cloud(made->model, made);
        int at = 0;
        for (int i = 0; i < h.scene.instance_count; ++i) {
            static double position[3 * HAND_VERTICES];
            er_scene_skin(&h.scene, i, made->world, position);
            for (int v = 0; v < h.mesh[h.instance[i].mesh].vertex_count; ++v) {
                int node = i > 0 ? h.instance[i].node : known[v];
                if (node < 0 || made->node_body[node] < 0) continue;
                assert_true(at < cloud.count);
                assert_int_equal(cloud.body[at], made->node_body[node]);
                const double *p = position + 3 * (ptrdiff_t)v;
                er_vec3 point = er_v3_scale(made->metres_per_unit, er_v3(p[0], p[1], p[2]));
                assert_true(er_v3_distance(cloud.point[at++], point) < 1e-12);
            }
        }
        assert_true(cloud.count == at && at > 8 && (scaled == 0) == (made->metres_per_unit == 1.0));
        er_rig_destroy(made);
    }
}

// Bodies without meshes are boxes of their masses and inertias, whichever way these lie.
static void bodies_without_meshes_are_boxes(void **state)
{
    dice d = {4501};
    for (int turn = 0; turn < 20; ++turn) {
        rig r = {0};
        er_vec3 half[3], com[3];
        er_quat axes[3];
        for (int b = 0; b < 3; ++b) {
            double mass = 1.0 + b;
            half[b] = er_v3(dice_uniform(&d, 0.1, 0.3), dice_uniform(&d, 0.4, 0.6), dice_uniform(&d, 0.8, 1.2));
            com[b] = dice_vec3(&d);
            axes[b] = dice_quat(&d);
            er_vec3 s = er_v3(half[b].x * half[b].x, half[b].y * half[b].y, half[b].z * half[b].z);
            rig_add_body(&r, mass, er_v3_scale(mass / 3.0, er_v3(s.y + s.z, s.x + s.z, s.x + s.y)), axes[b], com[b],
                         dice_pose(&d));
        }
        er_model *model = rig_model(context, &r);
        eri_cloud cloud = read_cloud(model, NULL);
        assert_int_equal(cloud.count, 24);
        for (int i = 0; i < 24; ++i) {
            int found = 0, b = i / 8;
            er_vec3 corner = {(i & 1) != 0 ? half[b].x : -half[b].x, (i & 2) != 0 ? half[b].y : -half[b].y,
                              (i & 4) != 0 ? half[b].z : -half[b].z};
            er_vec3 at = er_v3_add(com[b], er_q_rotate(axes[b], corner));
            for (int k = 0; k < 24; ++k)
                found += cloud.body[k] == b && er_v3_distance(cloud.point[k], at) < 1e-9;
            assert_int_equal(found, 1);
        }
        er_model_destroy(model);
    }
}

static void what_cannot_be_read_is_refused(void **state)
{
    static hand h;
    hand_chain(&h);
    er_rig *made = hand_rig(context, &h.scene, NULL);
    er_model *model = make_biped(usual);
    er_gait_body *body = (er_gait_body *)&h; // not NULL
    assert_refusal(context, er_gait_body_read(context, model, made, NULL, &body), ER_ERROR_ARGUMENT,
                   "the model is not that of the rig beside it");
    assert_null(body);

    assert_refusal(context, er_gait_body_read(context, NULL, NULL, NULL, &body), ER_ERROR_ARGUMENT,
                   "a gait's body needs a model");

    er_gait_def def = {0};
    assert_refusal(context, er_gait_body_read(context, model, NULL, &def, &body), ER_ERROR_ARGUMENT,
                   "er_default_gait_def()");

    assert_int_equal(er_gait_body_read(context, model, NULL, NULL, NULL), ER_ERROR_ARGUMENT);
    body = (er_gait_body *)&h;
    assert_int_equal(er_gait_body_read(NULL, model, NULL, NULL, &body), ER_ERROR_ARGUMENT);
    assert_null(body);
    def = er_default_gait_def();
    static const er_vec3 wrong[] = {{NAN, 0, 0}, {0, HUGE_VAL, 0}, {0, 0, NAN}};
    for (int i = 0; i < 3; ++i) {
        def.up = wrong[i];
        assert_refusal(context, er_gait_body_read(context, model, NULL, &def, &body), ER_ERROR_ARGUMENT, "up (");
    }
    def = er_default_gait_def();
    def.feet = "none"; // and nothing is said of feet that lack
    ok(er_gait_body_read(context, model, NULL, &def, &body));
    assert_int_equal(body->foot_count, 0);
    for (int i = 0; i < body->note_count; ++i)
        assert_null(strstr(body->note[i].text, "no feet"));
    er_gait_body_destroy(body);
    er_gait_body_destroy(NULL);
    // poses to stand in
    er_gait_stand stand = {.rig = made, .stance = 7.0};
    assert_int_equal(er_gait_find_stand(context, NULL, NULL, NULL, &stand), ER_ERROR_ARGUMENT);
    assert_true(stand.rig == NULL && stand.stance == 0.0 && stand.pose == ER_POSE_REST && stand.clip == NULL);
    assert_non_null(strstr(er_context_error(context), "er_gait_find_stand needs a rig at rest"));
    assert_int_equal(er_gait_find_stand(NULL, made, NULL, NULL, &stand), ER_ERROR_ARGUMENT);
    assert_int_equal(er_gait_find_stand(context, made, NULL, NULL, NULL), ER_ERROR_ARGUMENT);
    def.gravity = -1.0;
    stand.rig = made;
    assert_int_equal(er_gait_find_stand(context, made, NULL, &def, &stand), ER_ERROR_ARGUMENT);
    assert_true(stand.rig == NULL && stand.pose == ER_POSE_REST);
    er_model_destroy(model);
    er_rig_destroy(made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vertices_go_with_the_body_that_weighs_most),
        cmocka_unit_test(bodies_without_meshes_are_boxes),
        cmocka_unit_test(what_cannot_be_read_is_refused),
    };
    return cmocka_run_group_tests(tests, set_up_cloud, tear_down_cloud);
}
