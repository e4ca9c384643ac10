// Bodies of boxes on spherical joints: a biped, a quadruped, a fish.
#include <stdio.h>
#include <string.h>

#include "walkers.h"

const walker_def usual = {.scale = 1.0, .mirror = 1.0, .heavy = 1.0};

void refused(er_result r, er_result code, const void *out, const char *named)
{
    void *made;
    memcpy(&made, out, sizeof made);
    assert_null(made);
    assert_refusal(context, r, code, named);
}

void ok(er_result r)
{
    if (r != ER_OK) fail_msg("%s: %s", er_result_name(r), er_context_error(context));
}

int walker_box(walker_maker *m, const char *name, int parent, er_vec3 at, er_vec3 low, er_vec3 high, double heavy)
{
    double s = m->def.scale, flip = m->def.mirror;
    er_vec3 size = er_v3_scale(s, er_v3_sub(high, low)), middle = er_v3_scale(0.5 * s, er_v3_add(low, high));
    middle.x *= flip;
    er_vec3 head = er_v3_scale(s, at);
    head.x *= flip;
    double mass = 1000.0 * heavy * size.x * size.y * size.z, k = mass / 12.0;
    int i = m->count++;
    snprintf(m->name[i], sizeof m->name[i], "%s", name);
    m->body[i] = (er_body){.name = m->name[i],
                           .mass = mass,
                           .com = er_v3_sub(middle, head),
                           .inertia = {{{k * (size.y * size.y + size.z * size.z), 0, 0},
                                        {0, k * (size.x * size.x + size.z * size.z), 0},
                                        {0, 0, k * (size.x * size.x + size.y * size.y)}}},
                           .pose = {er_q_identity(), head}};
    if (parent >= 0)
        m->joint[i - 1] = (er_joint){
            .name = m->name[i], .parent = parent, .child = i, .type = ER_JOINT_SPHERICAL, .frame = m->body[i].pose};
    for (int a = 0; a < 3 && parent >= 0; ++a) {
        m->joint[i - 1].limit[a][0] = -HUGE_VAL;
        m->joint[i - 1].limit[a][1] = HUGE_VAL;
    }
    return i;
}

void walker_pair(walker_maker *m, const char *pattern, int up[2], er_vec3 at, er_vec3 low, er_vec3 high)
{
    for (int k = 0; k < 2; ++k) {
        char name[32];
        double s = k == 0 ? 1.0 : -1.0;
        snprintf(name, sizeof name, pattern, k == 0 ? 'L' : 'R');
        up[k] =
            walker_box(m, name, up[k], er_v3(s * at.x, at.y, at.z), er_v3(fmin(s * low.x, s * high.x), low.y, low.z),
                       er_v3(fmax(s * low.x, s * high.x), high.y, high.z), 1.0);
    }
}

int walker_rod(walker_maker *m, const char *name, int parent, er_vec3 from, er_vec3 to)
{
    const double h = 0.02;
    er_vec3 low = er_v3(fmin(from.x, to.x) - h, fmin(from.y, to.y), fmin(from.z, to.z) - h),
            high = er_v3(fmax(from.x, to.x) + h, fmax(from.y, to.y) + 1e-3, fmax(from.z, to.z) + h);
    return walker_box(m, name, parent, from, low, high, 1.0);
}

int walker_trunk(walker_maker *m, const char *name, er_vec3 at, double long_, double wide)
{
    *m = (walker_maker){.def = usual};
    return walker_box(m, name, -1, at, er_v3(at.x - wide, at.y - 0.05, at.z - long_),
                      er_v3(at.x + wide, at.y + 0.05, at.z + long_), 1.0);
}

// A limb segment from `from` down to `to`.
static int rod(walker_maker *m, const char *side, const char *part, int parent, er_vec3 from, er_vec3 to, double thick,
               double heavy)
{
    char name[32];
    snprintf(name, sizeof name, "%s_%s", side, part);
    double h = 0.5 * thick;
    er_vec3 low = er_v3(fmin(from.x, to.x) - h, fmin(from.y, to.y), fmin(from.z, to.z) - h),
            high = er_v3(fmax(from.x, to.x) + h, fmax(from.y, to.y), fmax(from.z, to.z) + h);
    return walker_box(m, name, parent, from, low, high, heavy);
}

static void destroy_model(void *model)
{
    er_model_destroy(model);
}

static void destroy_modes(void *modes)
{
    er_modes_destroy(modes);
}

static void destroy_body(void *body)
{
    er_gait_body_destroy(body);
}

er_model *make_model(int body_count, const er_body *body, int joint_count, const er_joint *joint)
{
    er_model *model = NULL;
    er_model_def def = er_default_model_def();
    def.body_count = body_count;
    def.body = body;
    def.joint_count = joint_count;
    def.joint = joint;
    ok(er_model_create(context, &def, &model));
    at_end(destroy_model, model);
    return model;
}

er_model *walker_finish(walker_maker *m)
{
    er_model *model = make_model(m->count, m->body, m->count - 1, m->joint), *graded = NULL;
    er_stiffness law = {false, 0.0, 2.0, 0.5};
    er_rig_change change = er_default_rig_change();
    change.stiffness = &law;
    ok(er_rig_change_model(context, model, &change, &graded));
    at_end(destroy_model, graded);
    return graded;
}

er_model *make_biped(walker_def def)
{
    static walker_maker m;
    m = (walker_maker){.def = def};
    int hips = walker_box(&m, "hips", -1, er_v3(0, 0.95, 0), er_v3(-0.16, 0.88, -0.09), er_v3(0.16, 1.08, 0.09), 1.0);
    int chest = walker_box(&m, "chest", hips, er_v3(0, 1.08, 0), er_v3(-0.18, 1.08, -0.1), er_v3(0.18, 1.45, 0.1), 1.0);
    walker_box(&m, "head", chest, er_v3(0, 1.47, 0), er_v3(-0.09, 1.47, -0.08), er_v3(0.09, 1.7, 0.12), 1.0);
    for (int s = 1; s >= -1; s -= 2) {
        const char *side = s * def.mirror > 0.0 ? "left" : "right";
        double heavy = s > 0 ? def.heavy : 1.0;
        er_vec3 hip = {0.1 * s, 0.9, 0}, knee = {0.1 * s, 0.49, 0.01}, ankle = {0.1 * s, 0.08, 0};
        er_vec3 shoulder = {0.24 * s, 1.4, 0}, elbow = {0.24 * s, 1.12, 0}, hand = {0.24 * s, 0.75, 0};
        int upper = rod(&m, side, "upper_arm", chest, shoulder, elbow, 0.08, heavy);
        rod(&m, side, "fore_arm", upper, elbow, hand, 0.07, heavy);
        if (def.one_leg && s < 0) continue;
        int thigh = rod(&m, side, "thigh", hips, hip, knee, 0.13, heavy);
        int shin = rod(&m, side, "shin", thigh, knee, ankle, 0.1, heavy);
        char name[32];
        snprintf(name, sizeof name, "%s_foot", side);
        walker_box(&m, name, shin, ankle, er_v3(0.1 * s - 0.045, 0.0, -0.06), er_v3(0.1 * s + 0.045, 0.06, 0.17),
                   heavy);
    }
    return walker_finish(&m);
}

er_model *make_quadruped(walker_def def)
{
    static walker_maker m;
    m = (walker_maker){.def = def};
    int rump = walker_box(&m, "rump", -1, er_v3(0, 0.85, -0.1), er_v3(-0.16, 0.7, -0.5), er_v3(0.16, 1.0, 0.0), 1.0);
    int chest = walker_box(&m, "chest", rump, er_v3(0, 0.85, 0), er_v3(-0.16, 0.68, 0.0), er_v3(0.16, 1.02, 0.5), 1.0);
    int neck =
        walker_box(&m, "neck", chest, er_v3(0, 0.95, 0.5), er_v3(-0.07, 0.95, 0.48), er_v3(0.07, 1.25, 0.66), 1.0);
    walker_box(&m, "head", neck, er_v3(0, 1.2, 0.62), er_v3(-0.07, 1.13, 0.62), er_v3(0.07, 1.3, 0.95), 1.0);
    for (int i = 0, at = rump; i < def.tail; ++i) {
        char name[32];
        double step = 0.6 / def.tail, z = -0.5 - step * i;
        snprintf(name, sizeof name, "tail_%d", i);
        at = walker_box(&m, name, at, er_v3(0, 0.95, z), er_v3(-0.04, 0.91, z - step), er_v3(0.04, 0.99, z), 1.0);
    }
    for (int s = 1; s >= -1; s -= 2)
        for (int fore = 1; fore >= 0; --fore) {
            const char *side = s * def.mirror > 0.0 ? "left" : "right";
            double z = fore != 0 ? 0.38 : -0.4, heavy = s > 0 ? def.heavy : 1.0;
            er_vec3 hip = {0.13 * s, 0.75, z}, knee = {0.13 * s, 0.42, z + 0.03}, ankle = {0.13 * s, 0.08, z};
            int upper =
                rod(&m, side, fore != 0 ? "fore_upper" : "hind_upper", fore != 0 ? chest : rump, hip, knee, 0.1, heavy);
            int lower = rod(&m, side, fore != 0 ? "fore_lower" : "hind_lower", upper, knee, ankle, 0.07, heavy);
            char name[32];
            snprintf(name, sizeof name, "%s_%s_hoof", side, fore != 0 ? "fore" : "hind");
            walker_box(&m, name, lower, ankle, er_v3(0.13 * s - 0.045, 0.0, z - 0.05),
                       er_v3(0.13 * s + 0.045, 0.08, z + 0.07), heavy);
        }
    return walker_finish(&m);
}

er_model *make_fish(int count)
{
    static walker_maker m;
    m = (walker_maker){.def = usual};
    double length = 1.0 / count;
    for (int i = 0; i < count; ++i) {
        char name[32];
        double z = -i * length, thick = 0.1 * (1.0 - 0.8 * i / count);
        snprintf(name, sizeof name, "rod_%02d", i);
        walker_box(&m, name, i - 1, er_v3(0, 0, z), er_v3(-0.3 * thick, -thick, z - length),
                   er_v3(0.3 * thick, thick, z), 1.0);
    }
    return walker_finish(&m);
}

er_model *make_bird(bool legs)
{
    static walker_maker m;
    int hull = walker_trunk(&m, "body", er_v3(0, 0.5, 0), 0.25, 0.08);
    walker_rod(&m, "head", hull, er_v3(0, 0.52, 0.25), er_v3(0, 0.56, 0.4));
    for (int s = 1; s >= -1; s -= 2) {
        const char side = s > 0 ? 'L' : 'R';
        char name[3][32];
        snprintf(name[0], sizeof name[0], "wing_1_%c", side);
        snprintf(name[1], sizeof name[1], "wing_2_%c", side);
        int inner = walker_rod(&m, name[0], hull, er_v3(0.08 * s, 0.52, 0.05), er_v3(0.4 * s, 0.53, 0.05));
        walker_rod(&m, name[1], inner, er_v3(0.4 * s, 0.53, 0.05), er_v3(0.8 * s, 0.54, 0.0));
        for (int part = 0, up = hull; legs && part < 3; ++part) {
            static const char *const words[] = {"thigh_%c", "shin_%c", "foot_%c"};
            static const double y[] = {0.46, 0.25, 0.02, 0.0}, z[] = {0, 0.02, 0, 0.12};
            snprintf(name[2], sizeof name[2], words[part], side);
            up = walker_rod(&m, name[2], up, er_v3(0.05 * s, y[part], z[part]),
                            er_v3(0.05 * s, y[part + 1], z[part + 1]));
        }
    }
    return walker_finish(&m);
}

er_model *make_stool(void)
{
    static walker_maker m;
    static const char *const names[] = {"left_a", "right_a", "left_b", "right_b"};
    m = (walker_maker){.def = usual};
    walker_box(&m, "seat", -1, er_v3(0, 0.6, 0), er_v3(-0.12, 0.5, -0.3), er_v3(0.12, 0.7, 0.3), 1.0);
    for (int i = 0; i < 4; ++i) {
        double x = i % 2 == 0 ? 0.1 : -0.1, z = i < 2 ? 0.25 : -0.25;
        walker_box(&m, names[i], 0, er_v3(x, 0.5, z), er_v3(x - 0.02, 0, z - 0.03), er_v3(x + 0.02, 0.5, z + 0.03),
                   1.0);
    }
    return walker_finish(&m);
}

er_modes *modes_of(const er_model *model)
{
    er_modes *modes = NULL;
    ok(er_modal_solve(context, model, NULL, &modes));
    at_end(destroy_modes, modes);
    return modes;
}

er_gait_body *read_body(const er_model *model, const er_gait_def *def)
{
    er_gait_body *body = NULL;
    ok(er_gait_body_read(context, model, NULL, def, &body));
    at_end(destroy_body, body);
    return body;
}

int body_named(const er_model *model, const char *name)
{
    for (int i = 0; i < model->body_count; ++i)
        if (strcmp(model->body[i].name, name) == 0) return i;
    fail_msg("no body \"%s\"", name);
    return -1;
}

er_gait_def few_modes(int modes)
{
    er_gait_def def = er_default_gait_def();
    def.mode_count = modes;
    return def;
}

gait_search find(er_model *model, int modes)
{
    er_gait_def def = few_modes(modes);
    gait_search f = {.model = model, .modes = modes_of(model)};
    ok(er_gaits_find(context, model, NULL, f.modes, &def, &f.gaits));
    return f;
}

void lose(gait_search *f)
{
    er_gaits_destroy(f->gaits);
}
