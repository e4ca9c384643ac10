// Shared by the tests of living scenes.
#include "living.h"

#include "support/context.h"

void fine(er_result r)
{
    if (r != ER_OK) fail_msg("%s", er_context_error(context));
}

void refused(er_result r, const char *named)
{
    assert_refusal(context, r, ER_ERROR_ARGUMENT, named);
}

engine *begin(double gravity)
{
    engine *e = NULL;
    fine(engine_create(context, &e));
    engine_settings settings = engine_default_settings();
    settings.gravity = er_v3(0, -gravity, 0);
    settings.step = 0.01;
    settings.sleep_time = 0.0;
    fine(engine_set_settings(e, &settings));
    return e;
}

const er_shape ball = {.kind = ER_SHAPE_SPHERE, .radius = 0.5}, cube = {.kind = ER_SHAPE_BOX, .half = {0.5, 0.5, 0.5}};

engine_actor_def defined(const char *name, engine_motion motion, er_shape shape, er_vec3 at)
{
    static engine_part part[8];
    static int next;
    engine_part *p = &part[next++ % 8];
    *p = (engine_part){.shape = shape, .pose = er_pose_identity(), .face = 20.0};
    engine_actor_def def = engine_default_actor();
    def.name = name;
    def.motion = motion;
    def.pose.p = at;
    def.part_count = 1;
    def.part = p;
    return def;
}

int add(engine *e, const char *name, engine_motion motion, er_shape shape, er_vec3 at)
{
    int id = 0;
    const engine_actor_def def = defined(name, motion, shape, at);
    fine(engine_add_actor(e, &def, &id));
    return id;
}

int hinge(engine *e, int on, int hangs, er_vec3 at, double stiffness, double rest)
{
    int id = 0;
    engine_joint_def def = engine_default_joint();
    def.type = ER_JOINT_REVOLUTE;
    def.actor[0] = on;
    def.actor[1] = hangs;
    def.frame.p = at;
    def.stiffness[0] = stiffness;
    def.rest[0] = rest;
    fine(engine_add_joint(e, &def, &id));
    return id;
}

void steps(engine *e, int count)
{
    for (int i = 0; i < count; ++i)
        fine(engine_step(e));
}
