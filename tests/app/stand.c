// Shared by the tests of the session: models opened, modes kept, and two sets of modes compared.
#include "stand.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "support/hand.h"
#include "support/judge.h"
#include "support/sample.h"

const char *stand_path(const char *file)
{
    static char path[4][1000];
    static int next;
    const char *source = getenv("EIGENRIG_SOURCE");
    next = (next + 1) % 4;
    snprintf(path[next], sizeof path[next], "%s/models/%s", source != NULL ? source : ".", file);
    return path[next];
}

void stand_ok(er_context *context, er_result r)
{
    if (r != ER_OK) fail_msg("%s", er_context_error(context));
}

session *stand_open(er_context *context, const char *file)
{
    session *s = NULL;
    stand_ok(context, session_create(context, &s));
    stand_ok(context, session_open(s, stand_path(file), NULL));
    return s;
}

static char *add_leg(char *to, const char *side, int pair, int out)
{
    static const char *const name[] = {"UpLeg", "Leg", "Foot"};
    static const int down[] = {-4, -42, -40};
    for (int i = 0; i < 3; ++i)
        to += sprintf(to, "JOINT %s%s%d\n{\nOFFSET %d %d %d\nCHANNELS 3 Zrotation Xrotation Yrotation\n", side, name[i],
                      pair, i == 0 ? out : 0, down[i], i == 0 ? -60 * pair : 0);
    return to + sprintf(to, "End Site\n{\nOFFSET 0 -4 16\n}\n}\n}\n}\n");
}

const char *stand_write_walker(int pairs)
{
    static char text[8000];
    assert_in_range(pairs, 1, 4);
    char *to = text + sprintf(text, "HIERARCHY\nROOT Hips\n{\nOFFSET 0 90 0\nCHANNELS 6 Xposition Yposition Zposition "
                                    "Zrotation Xrotation Yrotation\n");
    for (int i = 0; i < pairs; ++i) {
        to = add_leg(to, "Left", i, 10);
        to = add_leg(to, "Right", i, -10);
    }
    to += sprintf(to, "JOINT Spine\n{\nOFFSET 0 30 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\n"
                      "OFFSET 0 40 0\n}\n}\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n0 90 0");
    for (int i = 0; i < 6 + 18 * pairs; ++i)
        to += sprintf(to, " 0");
    to += sprintf(to, "\n");
    return sample_write("walker.bvh", text, (size_t)(to - text));
}

session *stand_open_walker(er_context *context, int pairs)
{
    session *s = NULL;
    stand_ok(context, session_create(context, &s));
    stand_ok(context, session_open(s, stand_write_walker(pairs), NULL));
    return s;
}

int stand_first_elastic(const session *s)
{
    return session_modes(s)->rigid_count + session_modes(s)->mechanism_count;
}

double stand_apart(const er_model *model, const er_pose *a, const er_pose *b)
{
    double most = 0.0;
    for (int i = 0; i < model->body_count; ++i) {
        most = fmax(most, er_v3_distance(a[i].p, b[i].p) / model->size);
        most = fmax(most, er_v3_norm(er_q_log(er_q_mul(er_q_conj(a[i].q), b[i].q))));
    }
    return most;
}

stand_modes stand_keep(const session *s)
{
    const er_modes *modes = session_modes(s);
    stand_modes kept = {modes->count, session_model(s)->body_count, session_model(s)->coordinate_count, NULL,
                        *session_get(s)};
    size_t bodies = 6 * (size_t)kept.bodies, coordinates = (size_t)kept.coordinates, width = 2 + bodies + coordinates;
    kept.number = malloc((size_t)kept.count * width * sizeof *kept.number);
    assert_non_null(kept.number);
    for (int k = 0; k < kept.count; ++k) {
        double *at = kept.number + (size_t)k * width;
        at[0] = modes->mode[k].eigenvalue;
        at[1] = modes->mode[k].damping_ratio;
        memcpy(at + 2, modes->mode[k].body, bodies * sizeof *at);
        memcpy(at + 2 + bodies, modes->mode[k].joint, coordinates * sizeof *at);
    }
    return kept;
}

void stand_free(stand_modes *kept)
{
    free(kept->number);
    kept->number = NULL;
}

void stand_expect(const session *s, const stand_modes *kept)
{
    stand_modes now = stand_keep(s);
    assert_int_equal(now.count, kept->count);
    assert_int_equal(now.bodies, kept->bodies);
    assert_int_equal(now.coordinates, kept->coordinates);
    size_t width = 2 + 6 * (size_t)now.bodies + (size_t)now.coordinates;
    assert_memory_equal(now.number, kept->number, (size_t)now.count * width * sizeof *now.number);
    assert_int_equal(now.setup.component_count, kept->setup.component_count);
    for (int i = 0; i < now.setup.component_count; ++i) {
        const session_component *a = &now.setup.component[i], *b = &kept->setup.component[i];
        assert_int_equal(a->mode, b->mode);
        assert_true(a->phase == b->phase && a->degrees == b->degrees && a->hz == b->hz);
    }
    stand_free(&now);
}

void stand_hear(void *user, er_note_kind kind, const char *text)
{
    stand_heard *heard = user;
    assert_true(heard->count < 8);
    snprintf(heard->text[heard->count], sizeof heard->text[0], "%s", text);
    heard->kind[heard->count++] = kind;
}

void stand_expect_heard(const stand_heard *heard, er_note_kind kind, const char *named)
{
    for (int i = 0; i < heard->count; ++i)
        if (heard->kind[i] == kind && strstr(heard->text[i], named) != NULL) return;
    fail_msg("nothing that names %s was told; the first of %d is \"%s\"", named, heard->count,
             heard->count > 0 ? heard->text[0] : "");
}

er_rig *stand_chain(er_context *context, hand *h)
{
    static const char *const names[] = {"hips", "belly", "chest", "neck", "head", "hat"};
    hand_init(h);
    int joints[6];
    for (int i = 0; i < 6; ++i)
        joints[i] = hand_node(h, names[i], i - 1, hand_at(i > 0, 0, 0));
    int mesh = hand_mesh(h);
    for (int i = 0; i < 6; ++i)
        hand_box(h, er_v3(i + 0.1, -0.1, -0.1), er_v3(i + 0.9, 0.1, 0.1), i);
    hand_draw(h, hand_node(h, "mesh", -1, hand_at(0, 0, 0)), mesh, hand_skin(h, "s", 6, joints));
    hand_node(h, "lamp", 3, hand_at(0, 1, 0)); // goes with the neck
    hand_node(h, "rock", -1, hand_at(0, 9, 0));
    return hand_rig(context, &h->scene, NULL);
}

const char *stand_write_presets(const char *text)
{
    static char path[1000];
    assert_int_equal(setenv("XDG_CONFIG_HOME", sample_folder(), 1), 0);
    snprintf(path, sizeof path, "%s/eigenrig", sample_folder());
    mkdir(path, 0700);
    strcat(path, "/presets");
    remove(path);
    if (text != NULL) sample_write("eigenrig/presets", text, strlen(text));
    return path;
}

er_model *stand_pendulum(er_context *context, double hz)
{
    static rig r;
    memset(&r, 0, sizeof r);
    rig_add_body(&r, 2.0, er_v3(0.1, 0.1, 0.1), er_q_identity(), er_v3(1, 0, 0), er_pose_identity());
    rig_add_joint(&r, ER_JOINT_REVOLUTE, -1, 0, er_pose_identity())->stiffness[0] = 2.1 * pow(2.0 * ER_PI * hz, 2.0);
    return rig_model(context, &r);
}

static double product(const er_model *model, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < model->body_count; ++i) {
        const er_body *body = &model->body[i];
        const double *x = a + 6 * (size_t)i, *y = b + 6 * (size_t)i;
        er_vec3 wx = er_v3(x[0], x[1], x[2]), wy = er_v3(y[0], y[1], y[2]);
        er_vec3 vx = er_v3_add(er_v3(x[3], x[4], x[5]), er_v3_cross(wx, body->com)),
                vy = er_v3_add(er_v3(y[3], y[4], y[5]), er_v3_cross(wy, body->com));
        sum += body->mass * er_v3_dot(vx, vy) + er_v3_dot(wx, er_m3_mul_v(body->inertia, wy));
    }
    return sum;
}

double stand_likeness(const er_model *model, const double *a, const double *b)
{
    return fabs(product(model, a, b)) / sqrt(product(model, a, a) * product(model, b, b));
}
