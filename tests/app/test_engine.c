// Living scenes without a script: what actors do against closed forms, what is told of their touches, what is recorded.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/engine/engine.h"
#include "app/engine/engine_recording.h"
#include "living.h"
#include "support/context.h"
#include "support/hand.h"

static er_shape sphere(double radius)
{
    return (er_shape){.kind = ER_SHAPE_SPHERE, .radius = radius};
}

static er_shape box(double x, double y, double z)
{
    return (er_shape){.kind = ER_SHAPE_BOX, .half = {x, y, z}};
}

// ---- motion

// Steps of a constant force: the velocity is exact, the place off by less than what the force does in a step.
static void what_flies_goes_as_a_stone(void **state)
{
    engine *e = begin(10.0);
    int id = add(e, "stone", ENGINE_DYNAMIC, box(0.1, 0.2, 0.3), er_v3(1, 2, 3)), count = 50;
    const er_vec3 velocity = {1, 4, -2}, spin = {0, 3, 0};
    assert_true(fabs(engine_find_actor(e, id)->mass - 1000.0 * 8.0 * 0.1 * 0.2 * 0.3) < 1e-9);
    fine(engine_move(e, id, NULL, &velocity, &spin));
    steps(e, count);
    const engine_actor *a = engine_find_actor(e, id);
    double t = engine_time(e);
    assert_true(engine_steps(e) == count && fabs(t - 0.5) < 1e-12);
    assert_true(er_v3_distance(a->velocity, er_v3(1, 4 - 10 * t, -2)) < 1e-9);
    assert_true(er_v3_distance(a->pose.p, er_v3(1 + t, 2 + 4 * t - 5 * t * t, 3 - 2 * t)) < 10.0 * 0.01 * t);
    assert_true(er_v3_distance(er_q_log(a->pose.q), er_v3(0, 3 * t, 0)) < 1e-6); // about a principal axis
    er_pose between = engine_interpolate(a, 0.25);
    er_vec3 quarter = er_v3_add(er_v3_scale(0.75, a->before.p), er_v3_scale(0.25, a->pose.p));
    assert_true(er_v3_distance(between.p, quarter) < 1e-12);
    engine_destroy(e);
}

// A force is for one step, a blow at once, both off the centre as well as on it: J = dp, r x J = dL.
static void forces_and_blows_change_the_momentum(void **state)
{
    engine *e = begin(0.0);
    int id = add(e, "box", ENGINE_DYNAMIC, box(0.5, 0.5, 0.5), er_v3(0, 0, 0));
    const er_vec3 up = {0, 20, 0}, side = {0.5, 0, 0}, none = {0, 0, 0};
    double mass = 1000.0, inertia = mass / 6.0;
    fine(engine_apply_impulse(e, id, up, &side));
    assert_true(er_v3_distance(engine_find_actor(e, id)->velocity, er_v3(0, 20 / mass, 0)) < 1e-12);
    assert_true(er_v3_distance(engine_find_actor(e, id)->spin, er_v3(0, 0, 0.5 * 20 / inertia)) < 1e-12);
    fine(engine_apply_impulse(e, id, er_v3_scale(-1.0, up), &side));
    fine(engine_apply_force(e, id, er_v3(300, 0, 0), er_v3(0, 200, 0), NULL));
    for (int i = 0; i < 3; ++i) {
        fine(engine_step(e));
        assert_true(er_v3_distance(engine_find_actor(e, id)->velocity, er_v3(300 * 0.01 / mass, 0, 0)) < 1e-9);
        assert_true(er_v3_distance(engine_find_actor(e, id)->spin, er_v3(0, 200 * 0.01 / inertia, 0)) < 1e-9);
    }
    assert_int_equal(engine_apply_force(e, id + 1, none, none, NULL), ER_ERROR_ARGUMENT);
    assert_int_equal(engine_apply_impulse(e, id, er_v3(NAN, 0, 0), NULL), ER_ERROR_ARGUMENT);
    engine_destroy(e);
}

// The same scene goes the same way to the bit, and another one does not.
static void a_hash_knows_scenes_apart(void **state)
{
    uint64_t hash[3];
    for (int i = 0; i < 3; ++i) {
        engine *e = begin(9.81);
        add(e, "ground", ENGINE_STATIC, (er_shape){.kind = ER_SHAPE_PLANE}, er_v3(0, -5, 0));
        add(e, "ball", ENGINE_DYNAMIC, sphere(0.5), er_v3(i == 2 ? 1e-9 : 0.0, 1, 0));
        for (int k = 0; k < 20; ++k)
            fine(engine_step(e));
        hash[i] = engine_hash(e);
        fine(engine_step(e));
        assert_true(engine_hash(e) != hash[i]);
        engine_destroy(e);
    }
    assert_true(hash[0] == hash[1] && hash[0] != hash[2]);
}

// ---- touches

// The contact event of two actors in the last step: 1 if they began to touch, -1 if they ceased, otherwise 0.
static int told(const engine *e, int a, int b)
{
    int found = 0;
    for (int i = 0; i < engine_contact_event_count(e); ++i) {
        const engine_contact_event *t = engine_contact_event_at(e, i);
        assert_true(t->actor[0] < t->actor[1]);
        if (t->actor[0] != a || t->actor[1] != b) continue;
        assert_int_equal(found, 0);
        found = t->begins ? 1 : -1;
        if (!t->begins) assert_true(t->impulse == 0.0 && er_v3_norm(t->point) == 0.0);
    }
    return found;
}

static bool are_partners(const engine *e, int a, int b)
{
    int found = 0;
    for (int way = 0; way < 2; ++way)
        for (int i = 0, id; (id = engine_contact_partner(e, way == 0 ? a : b, i)) != 0; ++i)
            found += id == (way == 0 ? b : a);
    assert_true(found == 0 || found == 2);
    return found == 2;
}

// Two balls above ground, the second dropped later and lifted again.
static void touches_begin_and_end_once(void **state)
{
    engine *e = begin(10.0);
    const er_pose floor_pose = {er_q_exp(er_v3(-0.5 * ER_PI, 0, 0)), {0, 0, 0}}; // its z goes up
    int ground = add(e, "ground", ENGINE_STATIC, (er_shape){.kind = ER_SHAPE_PLANE}, er_v3(0, 0, 0)),
        first = add(e, "first", ENGINE_DYNAMIC, sphere(0.5), er_v3(0, 0.6, 0)),
        second = add(e, "second", ENGINE_DYNAMIC, sphere(0.5), er_v3(3, 1.2, 0)), begun[2] = {0, 0}, ended[2] = {0, 0};
    fine(engine_move(e, ground, &floor_pose, NULL, NULL));
    for (int k = 0; k < 100; ++k) {
        const er_pose above = {er_q_identity(), {3, 2, 0}};
        if (k == 80) fine(engine_move(e, second, &above, &(er_vec3){0, 5, 0}, NULL));
        fine(engine_step(e));
        for (int i = 0; i < 2; ++i) {
            int what = told(e, ground, i == 0 ? first : second);
            if (what > 0) {
                const engine_actor *a = engine_find_actor(e, i == 0 ? first : second);
                const engine_contact_event *t = engine_contact_event_at(e, 0);
                assert_int_equal(engine_contact_event_count(e), 1);
                assert_true(t->impulse > 0.0 && fabs(t->point.x - a->pose.p.x) < 0.01 && fabs(t->point.y) < 0.05);
                begun[i] = begun[i] == 0 ? k + 1 : -1;
            }
            if (what < 0) ended[i] = ended[i] == 0 ? k + 1 : -1;
            assert_true(are_partners(e, ground, i == 0 ? first : second) == (begun[i] != 0 && ended[i] == 0));
        }
        assert_false(are_partners(e, first, second));
    }
    // t = sqrt(2 h / g): 0.14 and 0.37 s
    assert_in_range(begun[0], 13, 17);
    assert_in_range(begun[1], 35, 40);
    assert_true(ended[0] == 0 && ended[1] == 81);
    engine_destroy(e);
}

static void a_sensor_tells_who_comes_and_goes(void **state)
{
    engine *e = begin(0.0);
    const engine_part part = {.shape = box(0.5, 0.5, 0.5), .pose = er_pose_identity()};
    engine_actor_def def = engine_default_actor();
    int gate = 0, came = 0, went = 0;
    def.motion = ENGINE_STATIC;
    def.sensor = true;
    def.part_count = 1;
    def.part = &part;
    fine(engine_add_actor(e, &def, &gate));
    int visitor = add(e, "visitor", ENGINE_DYNAMIC, sphere(0.1), er_v3(-1, 0, 0));
    add(e, "stander", ENGINE_STATIC, sphere(0.1), er_v3(0, 0.35, 0)); // was there from the first
    fine(engine_move(e, visitor, NULL, &(er_vec3){4, 0, 0}, NULL));
    for (int k = 1; k <= 60; ++k) {
        fine(engine_step(e));
        int what = told(e, gate, visitor);
        assert_int_equal(engine_contact_event_count(e), what != 0);
        if (what > 0) came = k;
        if (what < 0) went = k;
    }
    assert_in_range(came, 10, 12); // after 0.4 m, and 1.6 m
    assert_in_range(went, 40, 42);
    assert_true(fabs(engine_find_actor(e, visitor)->velocity.x - 4.0) < 1e-12); // it met nothing
    assert_true(engine_remove_actor(e, visitor) && !engine_remove_actor(e, visitor));
    assert_null(engine_find_actor(e, visitor));
    engine_destroy(e);
}

// ---- recordings

enum { SEEN = 8 };
static struct {
    int frames, actors;
    char name[SEEN][16];
    double size[SEEN][SEEN]; // of an actor's node in a frame, along each axis; 1 where it has no keys of it
    er_vec3 place[SEEN][SEEN];
    bool moves[SEEN];
} seen;

// In a writer's place: what the clip does with the nodes of actors.
static er_result look(er_context *own, const er_scene *scene, int clip_count, const er_clip *clip,
                      const er_export_def *def, const char *path)
{
    (void)def;
    (void)own;
    (void)path;
    memset(&seen, 0, sizeof seen);
    assert_int_equal(clip_count, 1);
    assert_string_equal(clip->name, "take");
    for (int i = 0; i < scene->node_count; ++i) {
        if (scene->node[i].parent >= 0 || scene->node[i].name[0] == '\0' || seen.actors == SEEN) continue;
        int at = seen.actors++;
        snprintf(seen.name[at], sizeof seen.name[at], "%s", scene->node[i].name);
        for (int f = 0; f < SEEN; ++f) {
            seen.size[at][f] = 1.0;
            seen.place[at][f] = scene->node[i].local.translation;
        }
        for (int c = 0; c < clip->channel_count; ++c) {
            const er_channel *keys = &clip->channel[c];
            if (keys->node != i) continue;
            assert_true(keys->key_count <= SEEN);
            seen.frames = keys->key_count;
            for (int f = 0; f < keys->key_count; ++f) {
                const double *v = &keys->value[3 * f];
                if (keys->path == ER_PATH_SCALE) {
                    assert_true(v[0] == v[1] && v[0] == v[2] && keys->interpolation == ER_STEP);
                    seen.size[at][f] = v[0];
                } else if (keys->path == ER_PATH_TRANSLATION) {
                    seen.place[at][f] = er_v3(v[0], v[1], v[2]);
                    seen.moves[at] = true;
                }
            }
        }
    }
    return ER_OK;
}

// Six frames. One actor is in all of them, one is added in the third, one is removed after the fourth, one is only in
// the third, and one is static.
static void what_was_not_there_is_small(void **state)
{
    static const struct {
        const char *name;
        int first, end;
    } actors[] = {{"all", 0, 6}, {"goes", 0, 4}, {"wall", 0, 6}, {"comes", 2, 6}, {"guest", 2, 3}};
    enum { ALL = 5, FRAMES = 6 };
    engine *e = begin(0.0);
    engine_recording *recording = NULL;
    int id[ALL] = {0};
    fine(engine_recording_create(e, &recording));
    for (int f = 0; f < FRAMES; ++f) {
        for (int i = 0; i < ALL; ++i) {
            if (actors[i].first == f) {
                id[i] = add(e, actors[i].name, i == 2 ? ENGINE_STATIC : ENGINE_DYNAMIC, sphere(0.1), er_v3(0, i, 0));
                if (i != 2) fine(engine_move(e, id[i], NULL, &(er_vec3){1, 0, 0}, NULL));
            }
            if (actors[i].end == f) assert_true(engine_remove_actor(e, id[i]));
        }
        fine(engine_step(e));
        fine(engine_recording_take(recording));
        fine(engine_recording_take(recording)); // no time has passed: not a frame more
    }
    fine(engine_recording_write(context, recording, look, "take", "nowhere"));
    assert_true(seen.frames == FRAMES && seen.actors == ALL);
    for (int i = 0; i < ALL; ++i) {
        assert_string_equal(seen.name[i], actors[i].name);
        assert_int_equal(seen.moves[i], i != 2 && i != 4);
        for (int f = 0; f < FRAMES; ++f) {
            bool there = f >= actors[i].first && f < actors[i].end;
            int went = (f < actors[i].first ? actors[i].first : f >= actors[i].end ? actors[i].end - 1 : f) + 1;
            assert_true(there ? seen.size[i][f] == 1.0 : seen.size[i][f] > 0.0 && seen.size[i][f] < 1e-3);
            double x = i == 2 ? 0.0 : 0.01 * (went - actors[i].first); // before it came as at first, then as at last
            assert_true(er_v3_distance(seen.place[i][f], er_v3(x, i, 0)) < 1e-9);
        }
    }
    engine_recording_destroy(recording);
    engine_destroy(e);
}

// ---- characters

static struct {
    int vertices;
    double rest[3 * HAND_VERTICES]; // of the character's own mesh, as its file has it
    double size;
    er_vec3 place;
    bool seen;
} cast;

// In a writer's place: a sound scene, in which the skin stands where the character does, in every frame.
static er_result look_at_cast(er_context *own, const er_scene *scene, int clip_count, const er_clip *clip,
                              const er_export_def *def, const char *path)
{
    (void)def;
    (void)path;
    assert_int_equal(clip_count, 1);
    fine(er_scene_validate(own, scene));
    assert_true(scene->skin_count == 1 && scene->material_count >= 1);
    er_affine local[4 * HAND_NODES], world[4 * HAND_NODES];
    static double at[3 * HAND_VERTICES];
    assert_true(scene->node_count <= 4 * HAND_NODES);
    for (int k = 0; k < 3; ++k) {
        er_scene_sample(scene, clip, 0.5 * k * clip->duration, local);
        er_scene_world(scene, local, world);
        for (int i = 0; i < scene->instance_count; ++i) {
            if (scene->instance[i].skin < 0) continue;
            assert_int_equal(scene->mesh[scene->instance[i].mesh].vertex_count, cast.vertices);
            er_scene_skin(scene, i, world, at);
            for (int v = 0; v < cast.vertices; ++v) {
                er_vec3 own_place = er_v3(cast.rest[3 * v], cast.rest[3 * v + 1], cast.rest[3 * v + 2]);
                er_vec3 want = er_v3_madd(cast.place, cast.size, own_place);
                assert_true(er_v3_distance(er_v3(at[3 * v], at[3 * v + 1], at[3 * v + 2]), want) < 1e-6);
            }
            cast.seen = true;
        }
    }
    return ER_OK;
}

// A chain of links with one skin, twice its size, that hangs in the air without weight.
static void a_character_is_recorded_with_its_skin(void **state)
{
    static hand h;
    hand_chain(&h);
    er_rig *built = hand_rig(context, &h.scene, NULL);
    const er_recording_target target = er_rig_target(built);
    er_affine world[HAND_NODES];
    hand_world(&h.scene, world);
    cast.vertices = h.scene.mesh[0].vertex_count;
    er_scene_skin(&h.scene, 0, world, cast.rest);
    cast.size = 2.0;
    cast.place = er_v3(0, 5, 1);
    engine *e = begin(0.0);
    engine_recording *recording = NULL;
    engine_character_def def = engine_default_character();
    int id = 0;
    def.name = "chain";
    def.model = built->model;
    def.target = &target;
    def.scale = cast.size;
    def.place.p = cast.place;
    fine(engine_recording_create(e, &recording));
    fine(engine_add_character(e, &def, &id));
    for (int f = 0; f < 4; ++f) {
        fine(engine_step(e));
        fine(engine_recording_take(recording));
    }
    fine(engine_recording_write(context, recording, look_at_cast, "take", "nowhere"));
    assert_true(cast.seen);
    engine_recording_destroy(recording);
    engine_destroy(e);
    er_rig_destroy(built);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_flies_goes_as_a_stone),
        cmocka_unit_test(forces_and_blows_change_the_momentum),
        cmocka_unit_test(a_hash_knows_scenes_apart),
        cmocka_unit_test(touches_begin_and_end_once),
        cmocka_unit_test(a_sensor_tells_who_comes_and_goes),
        cmocka_unit_test(what_was_not_there_is_small),
        cmocka_unit_test(a_character_is_recorded_with_its_skin),
    };
    return cmocka_run_group_tests_name("engine", tests, set_up, tear_down);
}
