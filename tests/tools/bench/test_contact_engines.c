// Every installed engine moves the contact scenes as nature would: things that fall come to rest, roll and hang.
#include <stdlib.h>
#include <string.h>

#include "support/context.h"
#include "tools/bench/contacts.h"

enum { STEPS_A_SECOND = 60 };

// The result of an engine on a scene.
typedef struct stage {
    const bench_engine *engine;
    void *self;
    bench_contact_scene scene;
    bench_gauge *gauge;
    er_pose *pose;
    double penetration, separation;
    double low, mean, high; // centres of bodies
} stage;

// Bullet, whose module lies beside the program, is judged there.
static const bench_engine *const engines[] = {&bench_contacts_ours, &bench_contacts_ode, &bench_contacts_mujoco};
enum { ENGINES = sizeof engines / sizeof *engines };

static void begin(stage *s, bench_scene_kind kind, int count)
{
    *s = (stage){0};
    assert_int_equal(bench_scene_begin(context, kind, count, &s->scene), ER_OK);
    s->scene.threads = 1;
    s->gauge = bench_gauge_create(context, &s->scene);
    s->pose = calloc((size_t)s->scene.model->body_count, sizeof *s->pose);
    assert_non_null(s->gauge);
    assert_non_null(s->pose);
}

static void end(stage *s)
{
    bench_gauge_destroy(s->gauge);
    bench_scene_end(&s->scene);
    free(s->pose);
}

// False where the engine is not installed.
static bool enter(stage *s, const bench_engine *engine)
{
    char why[512] = "";
    s->engine = engine;
    s->self = engine->create(context, &s->scene, 1.0 / STEPS_A_SECOND, why, sizeof why);
    if (s->self != NULL) return true;
    print_message("%s: %s\n", engine->name, why);
    assert_memory_equal(why, "not installed", strlen("not installed"));
    return false;
}

static void leave(stage *s)
{
    s->engine->destroy(s->self);
}

static void run(stage *s, int seconds)
{
    int count = s->scene.model->body_count;
    for (int step = 0; step < seconds * STEPS_A_SECOND; ++step)
        assert_true(s->engine->advance(s->self));
    s->engine->poses(s->self, s->pose);
    assert_int_equal(bench_gauge_read(s->gauge, s->pose, &s->penetration, &s->separation), ER_OK);
    s->low = HUGE_VAL;
    s->high = -HUGE_VAL;
    s->mean = 0.0;
    for (int b = 0; b < count; ++b) {
        s->low = fmin(s->low, s->pose[b].p.z);
        s->high = fmax(s->high, s->pose[b].p.z);
        s->mean += s->pose[b].p.z / count;
    }
}

// Three layers are 0.7 m apart at the closest, a pyramid's, and 1 m at the widest, one upon the other.
static void spheres_come_to_lie_in_their_box(void **state)
{
    const double off = 0.01;
    stage s;
    begin(&s, BENCH_SPHERES, 27);
    for (int e = 0; e < ENGINES; ++e) {
        if (!enter(&s, engines[e])) continue;
        run(&s, 10);
        assert_true(s.penetration < off && s.low > 0.5 - off && s.high < 2.5 + off);
        assert_true(s.mean > 1.2 && s.mean < 1.5);
        leave(&s);
    }
    end(&s);
}

// By 5/7 of what would let them slide, where friction holds; and friction of 0.05 does not hold them on a slope of 0.5:
// that would take 0.5 * 2/7.
static void spheres_roll_or_slide_down_a_slope(void **state)
{
    enum { WALLS = 4 };
    static const double slope[2] = {0.1, 0.5}, friction[2] = {0.5, 0.05}, share[2] = {5.0 / 7.0, 0.9};
    for (int i = 0; i < 2; ++i) {
        stage s;
        begin(&s, BENCH_SPHERES, 2);
        s.scene.shape_count -= WALLS;
        s.scene.gravity.y = -slope[i] * s.scene.gravity.z;
        for (int k = 0; k < s.scene.shape_count; ++k)
            s.scene.shape[k].friction = friction[i];
        for (int e = 0; e < ENGINES; ++e) {
            double y[3];
            if (!enter(&s, engines[e])) continue;
            run(&s, 6);
            for (int second = 0; second < 3; ++second) {
                run(&s, 1);
                y[second] = s.pose[0].p.y;
            }
            double found = (y[2] - 2.0 * y[1] + y[0]) / s.scene.gravity.y;
            assert_true(fabs(found - share[i]) < 1e-3);
            assert_true(fabs(s.low - 0.5) < 1e-3);
            leave(&s);
        }
        end(&s);
    }
}

static void the_bridge_hangs_on(void **state)
{
    enum { PLANKS = 10 };
    stage s;
    begin(&s, BENCH_BRIDGE, PLANKS);
    for (int e = 0; e < ENGINES; ++e) {
        if (!enter(&s, engines[e])) continue;
        run(&s, 10);
        assert_true(s.separation < 0.1);
        assert_true(fabs(s.pose[PLANKS].p.z + 4.5) < 0.4); // where it began: planks in a V
        leave(&s);
    }
    end(&s);
}

static void people_lie(void **state)
{
    stage s;
    begin(&s, BENCH_RAGDOLLS, 4);
    for (int e = 0; e < ENGINES; ++e) {
        if (!enter(&s, engines[e])) continue;
        run(&s, 10);
        assert_true(s.low > 0.0 && s.high < 0.4);
        assert_true(s.penetration < 0.02 && s.separation < 0.02);
        leave(&s);
    }
    end(&s);
}

// Its arrays are as long as what an int counts.
static void mujoco_says_what_it_cannot_hold(void **state)
{
    char why[512] = "";
    stage s;
    begin(&s, BENCH_SPHERES, 4000);
    assert_null(bench_contacts_mujoco.create(context, &s.scene, 1.0 / STEPS_A_SECOND, why, sizeof why));
    assert_true(strncmp(why, "not tried: ", 11) == 0 || strncmp(why, "not installed", 13) == 0);
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres_come_to_lie_in_their_box),
        cmocka_unit_test(spheres_roll_or_slide_down_a_slope),
        cmocka_unit_test(the_bridge_hangs_on),
        cmocka_unit_test(people_lie),
        cmocka_unit_test(mujoco_says_what_it_cannot_hold),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
