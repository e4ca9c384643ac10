// Clips in the files of er_fbx_write(): curves read as all readers read them, lines between keys, are the clips; and
// there are no more keys than that takes.
#include <stdio.h>
#include <string.h>

#include <eigenrig/formats.h>

#include "formats/fbx/fbx_euler.h"
#include "made.h"
#include "scene/trs.h"
#include "support/hand.h"
#include "support/place.h"
#include "tree.h"

static const er_export_def only_new = {.drop_clips = true, .tag = ER_DEF_TAG};

#define SECOND 46186158000.0 // ticks

static const char *const properties[3] = {"Lcl Translation", "Lcl Rotation", "Lcl Scaling"};

static int open_place(void **state)
{
    return place_open(state, "out.fbx", "again.fbx", "");
}

static fbx_file written(place *p, const er_scene *scene, int clip_count, const er_clip *clip)
{
    if (er_fbx_write(p->own, scene, clip_count, clip, NULL, p->out) != ER_OK) fail_msg("%s", er_context_error(p->own));
    return fbx_read(p->arena, p->out);
}

// The three curves of a property: in ticks, and in the scene's unit or radians.
typedef struct curves {
    int count;
    const int64_t *tick; // [count]
    er_vec3 *value;      // [count]
} curves;

static void expect_sound_curve(const fbx_record *curve, const fbx_value *tick, const fbx_value *value)
{
    const fbx_record *first = fbx_one(curve, "Default");
    assert_string_equal(fbx_type(curve), "");
    assert_true(first->value[0].kind == 'D' && first->value[0].number == value->of[0]);
    assert_int_equal(fbx_int(curve, "KeyVer"), 4008);
    const fbx_value *flags = fbx_array(curve, "KeyAttrFlags"), *data = fbx_array(curve, "KeyAttrDataFloat"),
                    *uses = fbx_array(curve, "KeyAttrRefCount");
    assert_true(tick->kind == 'l' && value->kind == 'f' && tick->count == value->count && tick->count >= 2);
    assert_true(flags->kind == 'i' && flags->count == 1 && flags->whole[0] == 4); // linear, for all
    assert_true(uses->kind == 'i' && uses->count == 1 && uses->whole[0] == (int64_t)tick->count);
    assert_true(data->kind == 'f' && data->count == 4);
    for (int i = 0; i < 4; ++i)
        assert_true(data->of[i] == 0.0);
    assert_int_equal(tick->whole[0], 0);
    for (size_t k = 1; k < tick->count; ++k)
        assert_true(tick->whole[k] > tick->whole[k - 1]);
}

// The layer of the n-th stack.
static const fbx_record *layer_of(const fbx_file *file, int n)
{
    const fbx_record *stack = fbx_nth(file, "AnimationStack", n);
    assert_non_null(stack);
    const fbx_record *layer = fbx_child(file, fbx_id(stack), NULL, "AnimationLayer", 0);
    assert_non_null(layer);
    return layer;
}

// The curves of a node in a layer; `value` is NULL where it has none.
static curves find_curves(place *p, const fbx_file *file, const fbx_record *layer, int node, er_path path, double unit)
{
    static const char *const axes[3] = {"d|X", "d|Y", "d|Z"}, *const names[3] = {"T", "R", "S"};
    const fbx_record *model = fbx_nth(file, "Model", node), *found = NULL;
    for (int i = 0; i < file->link_count; ++i) {
        const fbx_link *link = &file->link[i];
        if (link->parent != fbx_id(layer)) continue;
        for (int k = i; k < file->link_count; ++k) {
            const fbx_link *at = &file->link[k];
            if (at->child != link->child || at->parent != fbx_id(model) || at->property == NULL) continue;
            if (strcmp(at->property, properties[path]) != 0) continue;
            assert_null(found);
            found = fbx_object(file, link->child);
        }
    }
    if (found == NULL) return (curves){0};
    assert_string_equal(found->name, "AnimationCurveNode");
    assert_string_equal(found->value[1].text, names[path]);
    double scale = path == ER_PATH_ROTATION ? ER_PI / 180.0 : path == ER_PATH_TRANSLATION ? 1.0 / unit : 1.0;
    curves c = {0};
    for (int axis = 0; axis < 3; ++axis) {
        const fbx_record *curve = fbx_child(file, fbx_id(found), axes[axis], "AnimationCurve", 0);
        assert_non_null(curve);
        const fbx_value *tick = fbx_array(curve, "KeyTime"), *value = fbx_array(curve, "KeyValueFloat");
        expect_sound_curve(curve, tick, value);
        if (axis == 0) c = (curves){(int)tick->count, tick->whole, ERI_NEW(p->arena, er_vec3, tick->count)};
        assert_int_equal(c.count, tick->count);
        assert_memory_equal(c.tick, tick->whole, tick->count * sizeof *tick->whole); // as three.js takes for granted
        assert_true((float)fbx_number(found, axes[axis]) == (float)value->of[0]);
        for (int k = 0; k < c.count; ++k)
            ((double *)&c.value[k])[axis] = scale * value->of[k];
    }
    return c;
}

static int order_of(const fbx_file *file, int node)
{
    const fbx_record *order = fbx_property(fbx_nth(file, "Model", node), "RotationOrder");
    return order != NULL ? (int)order->value[4].integer : 0;
}

// The sine of the second of three angles is the entry of the rotation from the first axis to the last.
static void nodes_turn_in_the_order_that_stays_away_from_gimbal_lock(void **state)
{
    place *p = *state;
    const er_scene *scene = made_scene(p->arena, "tumble");
    fbx_file file = written(p, scene, 0, NULL);
    int other = 0;
    for (int node = 0; node < scene->node_count; ++node) {
        double steepest[ERI_FBX_ORDERS] = {0};
        const er_channel *c = &scene->clip[0].channel[node];
        int best = 0;
        assert_int_equal(c->node, node);
        for (int k = 0; k < c->key_count; ++k) {
            const double *v = c->value + 4 * k;
            er_mat3 r = er_m3_from_q(er_q_unit(er_q(v[3], v[0], v[1], v[2])));
            for (int order = 0; order < ERI_FBX_ORDERS; ++order)
                steepest[order] = fmax(steepest[order], fabs(r.m[eri_fbx_axes[order][2]][eri_fbx_axes[order][0]]));
        }
        for (int order = 1; order < ERI_FBX_ORDERS && steepest[0] > 0.9; ++order)
            if (steepest[order] < steepest[best] - 1e-12) best = order;
        assert_int_equal(order_of(&file, node), best);
        other += best != 0;
    }
    assert_true(other >= 3);
}

// --- one node

static const er_channel *one_channel(place *p, er_path path, er_interpolation interpolation, int keys,
                                     const double *time, const double *value)
{
    er_channel *c = ERI_NEW(p->arena, er_channel, 1);
    *c = (er_channel){0, path, interpolation, keys, time, value};
    return c;
}

static curves curves_of(place *p, const er_channel *channel, double duration)
{
    hand h;
    hand_init(&h);
    hand_node(&h, "one", -1, hand_at(0, 0, 0));
    const er_clip clip = {"clip", duration, 1, channel};
    fbx_file file = written(p, &h.scene, 1, &clip);
    return find_curves(p, &file, layer_of(&file, 0), 0, channel->path, 100.0);
}

static void expect_keys(const curves *c, int count, const double *time, const double *x)
{
    assert_int_equal(c->count, count);
    for (int k = 0; k < count; ++k) {
        assert_int_equal(c->tick[k], llround(time[k] * SECOND));
        assert_true(fabs(c->value[k].x - x[k]) < 1e-6 * fmax(1.0, fabs(x[k])));
    }
}

// Lines need the clip's keys, and what holds the first and the last of them to the clip's ends.
static void lines_have_the_keys_of_the_clip_and_both_ends(void **state)
{
    place *p = *state;
    static const double time[] = {0.25, 0.5, 1.25}, x[] = {1, 0, 0, 3, 1, 0, 2, 0, 7};
    const er_channel *c = one_channel(p, ER_PATH_TRANSLATION, ER_LINEAR, 3, time, x);
    curves got = curves_of(p, c, 2.0);
    expect_keys(&got, 5, (const double[]){0, 0.25, 0.5, 1.25, 2.0}, (const double[]){1, 1, 3, 2, 2});
    assert_true(er_v3_distance(got.value[4], er_v3(2, 0, 7)) < 1e-6);
    got = curves_of(p, c, 1.25);
    expect_keys(&got, 4, (const double[]){0, 0.25, 0.5, 1.25}, (const double[]){1, 1, 3, 2});
    static const double early[] = {-0.5, 0.0, 0.75};
    got = curves_of(p, one_channel(p, ER_PATH_SCALE, ER_LINEAR, 3, early, x), 0.75);
    expect_keys(&got, 3, (const double[]){0, 0.5, 1.25}, (const double[]){1, 3, 2});
}

// A step is a line of 20 microseconds, or of half the way where keys are nearer than that.
static void steps_are_short_lines(void **state)
{
    place *p = *state;
    static const double time[] = {0.0, 0.5, 0.50001, 1.0}, x[] = {1, 0, 0, 3, 0, 0, 2, 0, 0, 5, 0, 0};
    curves got = curves_of(p, one_channel(p, ER_PATH_TRANSLATION, ER_STEP, 4, time, x), 1.0);
    expect_keys(&got, 7, (const double[]){0, 0.5 - 2e-5, 0.5, 0.500005, 0.50001, 1.0 - 2e-5, 1.0},
                (const double[]){1, 1, 3, 3, 2, 2, 5});
}

// Keys ascend even where ticks do not tell them apart; what never changes has two.
static void keys_ascend_and_what_stays_has_two(void **state)
{
    place *p = *state;
    static const double time[] = {0.0, 0.5, 0.5 + 1e-13, 0.5 + 2e-13, 1.0},
                        x[] = {1, 0, 0, 3, 0, 0, 2, 0, 0, 4, 0, 0, 5, 0, 0};
    curves got = curves_of(p, one_channel(p, ER_PATH_TRANSLATION, ER_LINEAR, 5, time, x), 1.0);
    assert_int_equal(got.count, 5);
    assert_true(got.tick[2] == got.tick[1] + 1 && got.tick[3] == got.tick[1] + 2);
    double same[15], last[15];
    for (int i = 0; i < 15; ++i)
        last[i] = same[i] = x[i % 3];
    got = curves_of(p, one_channel(p, ER_PATH_TRANSLATION, ER_LINEAR, 5, time, same), 1.5);
    expect_keys(&got, 2, (const double[]){0, 1.5}, (const double[]){1, 1});
    last[14] = 1.0; // the last number of all
    got = curves_of(p, one_channel(p, ER_PATH_TRANSLATION, ER_LINEAR, 5, time, last), 1.0);
    assert_int_equal(got.count, 5);
    static const double once[] = {0.0};
    got = curves_of(p, one_channel(p, ER_PATH_TRANSLATION, ER_LINEAR, 1, once, x), 0.0);
    assert_true(got.count == 2 && got.tick[1] == 1); // which Assimp would drop without a length
}

// x = c + t^2 as a spline of one piece, whose chord over h seconds is h^2/4 off in its middle: it may leave the clip by
// 1e-5 of its range and 1e-7 of its size, and is halved until it does not.
static void splines_have_as_many_lines_as_their_tolerance_takes(void **state)
{
    place *p = *state;
    static const struct {
        double offset, reach;
    } cases[] = {{0, 1}, {1000, 1}, {-1000, 1}, {0, 30}, {429, 1}}; // its quarters are near enough, its middle is not
    for (size_t i = 0; i < ERI_COUNT(cases); ++i)
        for (int axis = 0; axis < 3; ++axis) {
            double time[2] = {0.0, 1.0}, value[18] = {0}, c = cases[i].offset, tolerance, h = 1.0;
            value[3 + axis] = c; // slopes 0 and 2
            value[12 + axis] = c + 1.0;
            value[9 + axis] = value[15 + axis] = 2.0;
            double range = 1.0;
            if (cases[i].reach > 1.0) { // another axis goes farther, by a line
                int other = (axis + 1) % 3;
                value[12 + other] = cases[i].reach;
                value[6 + other] = value[9 + other] = cases[i].reach;
                value[0 + other] = value[15 + other] = cases[i].reach;
                range = cases[i].reach;
            }
            tolerance = 1e-5 * range + 1e-7 * fmax(fabs(c), fmax(fabs(c + 1.0), range));
            int pieces = 1;
            for (; h * h / 4.0 > tolerance; h /= 2.0)
                pieces *= 2;
            curves got = curves_of(p, one_channel(p, ER_PATH_TRANSLATION, ER_CUBIC, 2, time, value), 1.0);
            assert_int_equal(got.count, pieces + 1);
        }
}

// A turn at one rate about one axis is a line of angles; but of quaternions it is a chord, which runs ahead of the
// circle and behind: as many equal parts as keep it to 3 microradians at their quarters.
static void turns_have_as_many_lines_as_their_tolerance_takes(void **state)
{
    place *p = *state;
    static const double whole[] = {0.1, 0.5, 1.5, 3.0};
    for (size_t i = 0; i < ERI_COUNT(whole); ++i)
        for (int axis = 0; axis < 3; ++axis) {
            double time[2] = {0.0, 1.0}, value[8] = {[3] = 1.0, [7] = cos(0.5 * whole[i])};
            value[4 + axis] = sin(0.5 * whole[i]);
            int pieces = 1;
            for (double angle = whole[i];; angle /= 2.0, pieces *= 2) {
                double s = 0.25, x = (1.0 - s) + s * cos(0.5 * angle), y = s * sin(0.5 * angle);
                if (fabs(2.0 * atan2(y, x) - s * angle) <= 3e-6) break;
            }
            curves got = curves_of(p, one_channel(p, ER_PATH_ROTATION, ER_LINEAR, 2, time, value), 1.0);
            assert_int_equal(got.count, pieces + 1);
        }
}

// Past a half turn and a whole one angles go on; none jumps.
static void angles_go_on_past_half_turns(void **state)
{
    place *p = *state;
    enum { KEYS = 13 };
    for (int axis = 0; axis < 3; ++axis) {
        double time[KEYS], value[4 * KEYS] = {0};
        for (int k = 0; k < KEYS; ++k) {
            double sign = k % 3 == 1 ? -1.0 : 1.0;
            time[k] = 0.25 * k;
            value[4 * k + axis] = sign * sin(0.3 * k);
            value[4 * k + 3] = sign * cos(0.3 * k);
        }
        const er_channel *c = one_channel(p, ER_PATH_ROTATION, ER_LINEAR, KEYS, time, value);
        curves got = curves_of(p, c, time[KEYS - 1]);
        const double *last = (const double *)&got.value[got.count - 1];
        double total = 0.0;
        for (int k = 1; k < got.count; ++k)
            total += er_v3_distance(got.value[k], got.value[k - 1]);
        assert_true(total < 0.6 * (KEYS - 1) * 1.0001);
        if (axis == 0) assert_true(fabs(last[0] - 0.6 * (KEYS - 1)) < 1e-5);
    }
}

// --- names

static void expect_names(const fbx_file *file, int count, const char *const *names)
{
    assert_int_equal(fbx_count(file, "AnimationStack"), count);
    for (int i = 0; i < count; ++i) {
        const fbx_record *stack = fbx_nth(file, "AnimationStack", i);
        assert_string_equal(stack->value[1].text, names[i]);
        assert_memory_equal(stack->value[1].text + strlen(names[i]) + 1, "\1AnimStack", 11);
        assert_int_equal(stack->value[1].count, strlen(names[i]) + 11);
    }
}

// New clips come first; but the scene's own keep their names. Those without one go by their index in their list.
static void clips_of_one_name_get_numbers_and_own_ones_choose_first(void **state)
{
    place *p = *state;
    static const double time[] = {0, 1}, shift[] = {0, 0, 0, 0, 1, 0};
    static const er_channel move = {0, ER_PATH_TRANSLATION, ER_LINEAR, 2, time, shift},
                            hold = {0, ER_PATH_MORPH, ER_LINEAR, 1, time, NULL};
    const er_clip own[] = {{"walk", 1, 1, &move}, {"", 1, 1, &move}, {"hold", 1, 1, &hold}},
                  added[] = {{"run", 1, 1, &move}, {"walk", 1, 1, &move}, {"hold", 1, 1, &hold}, {"", 1, 1, &move}};
    hand h;
    hand_init(&h);
    hand_node(&h, "one", -1, hand_at(0, 0, 0));
    h.scene.clip = own;
    h.scene.clip_count = 3;
    fbx_file file = written(p, &h.scene, 4, added);
    expect_names(&file, 5, (const char *const[]){"run", "walk (2)", "clip 3", "walk", "clip 1"});
    assert_string_equal(fbx_text(fbx_one(&file.root, "Takes"), "Current"), "run");
    assert_int_equal(er_fbx_write(p->own, &h.scene, 2, added, &only_new, p->out), ER_OK); // without the scene's own
    file = fbx_read(p->arena, p->out);
    expect_names(&file, 2, (const char *const[]){"run", "walk"});
    file = written(p, &h.scene, 0, NULL);
    expect_names(&file, 2, (const char *const[]){"walk", "clip 1"});
    assert_int_equal(er_fbx_write(p->own, &h.scene, 0, NULL, &only_new, p->out), ER_OK);
    file = fbx_read(p->arena, p->out);
    expect_names(&file, 0, NULL);
}

// Clips last 1e8 s at most: ticks are counted in 64 bits.
static void the_longest_clip_is_written(void **state)
{
    place *p = *state;
    static const double shift[] = {0, 0, 0, 0, 1, 0};
    const double time[] = {-1, 1e8 - 1};
    curves got = curves_of(p, one_channel(p, ER_PATH_TRANSLATION, ER_LINEAR, 2, time, shift), 1e8 - 1);
    assert_true(got.count == 2 && got.tick[1] == (int64_t)(1e8 * SECOND));
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, open_place, place_close)
    const struct CMUnitTest tests[] = {
        TEST(nodes_turn_in_the_order_that_stays_away_from_gimbal_lock),
        TEST(lines_have_the_keys_of_the_clip_and_both_ends),
        TEST(steps_are_short_lines),
        TEST(keys_ascend_and_what_stays_has_two),
        TEST(splines_have_as_many_lines_as_their_tolerance_takes),
        TEST(turns_have_as_many_lines_as_their_tolerance_takes),
        TEST(angles_go_on_past_half_turns),
        TEST(clips_of_one_name_get_numbers_and_own_ones_choose_first),
        TEST(the_longest_clip_is_written),
    };
    return cmocka_run_group_tests_name("fbx_curves", tests, NULL, NULL);
}
