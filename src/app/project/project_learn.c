// Joints learnt from clips: second moments of their turns give hinges, spreads give stiffness, extremes give limits.
#include "app/project/project_learn.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <eigenrig/formats.h>
#include <eigenrig/scene.h>

#include "app/project/clip_poser.h"
#include "app/settings/setting.h"
#include "base/failure.h"
#include "base/platform.h"

enum { LEARN_FPS = 30, MOST_FRAMES = 3000, POWER_STEPS = 60 };

#define DEGREE (ER_PI / 180.0)
#define HINGE 0.15           // of the turns about the axis, those beside it
#define STILL (3.0 * DEGREE) // a joint that turns less may be anything
#define MARGIN 0.1           // of the range of a limit
#define MOST_RANGE (330.0 * DEGREE)
#define MOST_FACTOR 3.0 // of the frequency alone
#define LEAST_SPREAD (0.1 * DEGREE)

// The turns of one joint: rotation vectors from the equilibrium, world axes at equilibrium.
typedef struct turns {
    int count, room;
    er_vec3 *turn;
    er_vec3 sum;
    double moment[3][3];
} turns;

typedef struct learner {
    er_context *context;
    const er_model *model; // learns
    turns *joint;          // [joint_count] of it
    int clips, frames;
} learner;

// ---- Samples

static er_result add_turn(learner *l, turns *t, er_vec3 v)
{
    if (t->count == t->room) {
        int room = 2 * t->room + 256;
        er_vec3 *more = realloc(t->turn, (size_t)room * sizeof *more);
        if (more == NULL) return eri_no_memory(l->context);
        t->turn = more;
        t->room = room;
    }
    t->turn[t->count++] = v;
    t->sum = er_v3_add(t->sum, v);
    const double x[3] = {v.x, v.y, v.z};
    for (int i = 0; i < 9; ++i)
        t->moment[i / 3][i % 3] += x[i / 3] * x[i % 3];
    return ER_OK;
}

// The only tree joint of a name; -1 if there is none, or more than one.
static int joint_called(const er_model *m, const char *name)
{
    int found = -1, count = 0;
    for (int k = 0; k < m->joint_count; ++k)
        if (strcmp(m->joint[k].name, name) == 0) found = k, ++count;
    return count == 1 ? found : -1;
}

static bool is_ball(const er_model *m, int joint)
{
    return joint >= 0 && m->joint[joint].type == ER_JOINT_SPHERICAL && !m->joint[joint].closes_loop;
}

// @param to  [joint_count of the poser's model], the joints that learn; -1: none
static er_result add_clip(learner *l, clip_poser *poser, const int *to)
{
    const er_model *m = poser->model;
    double *x = calloc((size_t)poser->width + 1, sizeof *x);
    int frames = (int)fmin(ceil(poser->clip->duration * LEARN_FPS) + 1.0, MOST_FRAMES);
    er_result r = x != NULL ? ER_OK : eri_no_memory(l->context);
    for (int f = 0; f < frames && r == ER_OK; ++f) {
        double last = (1.0 - 1e-12) * poser->clip->duration; // a clip begins anew at its end
        r = clip_poser_displacement(poser, fmin((double)f / LEARN_FPS, last), x);
        for (int k = 0; k < m->joint_count && r == ER_OK; ++k) {
            if (to[k] < 0) continue;
            const double *q = x + m->coordinate[k];
            r = add_turn(l, &l->joint[to[k]], er_q_rotate(m->joint[k].frame.q, er_v3(q[0], q[1], q[2])));
        }
    }
    free(x);
    ++l->clips;
    l->frames += frames;
    return r;
}

// Whether a clip is among the names; NULL: all are.
static bool is_chosen(er_context *context, const er_scene *scene, int clip, const char *names)
{
    char word[256];
    if (names == NULL) return true;
    while (setting_next_word(&names, word, sizeof word) != NULL) {
        const er_clip *found = NULL;
        if (er_scene_find_clip(context, scene, word, &found) == ER_OK && found == &scene->clip[clip]) return true;
    }
    return false;
}

// @param names  NULL: all clips
static er_result add_clips(learner *l, const er_rig *rig, const char *names)
{
    const er_model *m = rig->model;
    clip_poser poser;
    int *to = calloc((size_t)m->joint_count + 1, sizeof *to);
    er_result r = clip_poser_create(l->context, m, rig, &poser);
    if (r == ER_OK && to == NULL) r = eri_no_memory(l->context);
    for (int k = 0; k < m->joint_count && r == ER_OK; ++k) {
        int mine = joint_called(l->model, m->joint[k].name);
        bool same = is_ball(m, k) && is_ball(l->model, mine) && joint_called(m, m->joint[k].name) == k;
        to[k] = same ? mine : -1;
    }
    for (int c = 0; c < rig->scene->clip_count && r == ER_OK; ++c) {
        if (!is_chosen(l->context, rig->scene, c, names)) continue;
        poser.clip = &rig->scene->clip[c];
        r = add_clip(l, &poser, to);
    }
    clip_poser_clear(&poser);
    free(to);
    return r;
}

static er_result add_file(learner *l, const char *path, const project_listener *listener)
{
    er_scene *scene = NULL;
    er_rig *rig = NULL;
    int before = l->frames;
    er_result r = er_import_file(l->context, path, NULL, &scene);
    if (r == ER_OK) r = er_rig_build(l->context, scene, NULL, &rig);
    if (r == ER_OK) r = add_clips(l, rig, NULL);
    if (r != ER_OK && r != ER_ERROR_MEMORY) {
        project_notify(listener, ER_NOTE_WARNING, "%s is left out: %s", path, er_context_error(l->context));
        r = ER_OK;
    } else if (r == ER_OK && l->frames == before)
        project_notify(listener, ER_NOTE_WARNING, "%s is left out: it has no clips", path);
    er_rig_destroy(rig);
    er_scene_destroy(scene);
    return r;
}

static int compare_paths(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_model(const char *name)
{
    static const char *const ends[] = {".bvh", ".fbx", ".glb", ".gltf", ".dae"};
    bool any = false;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; ++i)
        any |= er_path_ends_in(name, ends[i]);
    return any && *name != '.';
}

// In the order of their names, so that sums have the same bits.
static er_result add_folder(learner *l, const char *folder, const project_listener *listener)
{
    eri_listing *listing = eri_listing_open(folder);
    char **path = NULL;
    int count = 0;
    er_result r = listing != NULL ? ER_OK : er_fail(l->context, ER_ERROR_FILE, "%s: cannot be read", folder);
    for (const char *name; r == ER_OK && (name = eri_listing_next(listing)) != NULL;) {
        char text[ER_FILE_NAME_MAX];
        if (!is_model(name)) continue;
        snprintf(text, sizeof text, "%s/%s", folder, name);
        char **more = realloc(path, ((size_t)count + 1) * sizeof *path);
        if (more != NULL) path = more;
        if (more == NULL || (path[count] = strdup(text)) == NULL)
            r = eri_no_memory(l->context);
        else
            ++count;
    }
    eri_listing_close(listing);
    if (count > 0) qsort(path, (size_t)count, sizeof *path, compare_paths);
    for (int i = 0; i < count; ++i) {
        if (r == ER_OK) r = add_file(l, path[i], listener);
        free(path[i]);
    }
    free(path);
    return r;
}

// @param clips  "all", or names
static er_result add_named(learner *l, const er_rig *rig, const char *clips)
{
    const char *rest = strcmp(clips, "all") == 0 ? NULL : clips;
    char word[256];
    er_result r = ER_OK;
    while (r == ER_OK && setting_next_word(&rest, word, sizeof word) != NULL) {
        const er_clip *clip;
        r = er_scene_find_clip(l->context, rig->scene, word, &clip);
    }
    return r == ER_OK ? add_clips(l, rig, strcmp(clips, "all") == 0 ? NULL : clips) : r;
}

// ---- Conclusions from the turns

// The axis of most turning, by power iteration, which is fast for a hinge.
static er_vec3 main_axis(const turns *t, double *about, double *beside)
{
    const double(*m)[3] = t->moment;
    int most = m[0][0] >= m[1][1] && m[0][0] >= m[2][2] ? 0 : m[1][1] >= m[2][2] ? 1 : 2;
    er_vec3 axis = er_v3(m[0][most], m[1][most], m[2][most]);
    double length = 0.0;
    for (int i = 0; i < POWER_STEPS; ++i) {
        axis = er_v3_unit(axis, er_v3(0, 0, 1));
        er_vec3 next = er_v3(m[0][0] * axis.x + m[0][1] * axis.y + m[0][2] * axis.z,
                             m[1][0] * axis.x + m[1][1] * axis.y + m[1][2] * axis.z,
                             m[2][0] * axis.x + m[2][1] * axis.y + m[2][2] * axis.z);
        length = er_v3_norm(next);
        axis = next;
    }
    *about = sqrt(length / t->count);
    *beside = sqrt(fmax(0.0, m[0][0] + m[1][1] + m[2][2] - length) / t->count);
    return er_v3_unit(axis, er_v3(0, 0, 1));
}

// The root mean square of the turns about their mean.
static double spread_of(const turns *t)
{
    double square = t->moment[0][0] + t->moment[1][1] + t->moment[2][2];
    return sqrt(fmax(0.0, square / t->count - er_v3_dot(t->sum, t->sum) / t->count / t->count));
}

static void widen(double range[2])
{
    double more = MARGIN * (range[1] - range[0]);
    range[0] = fmax(range[0] - more, -ER_PI);
    range[1] = fmin(range[1] + more, ER_PI);
}

static void learn_hinge(const turns *t, er_vec3 axis, er_joint_change *out)
{
    enum { TURN_Z = 2 };
    double range[2] = {0.0, 0.0};
    for (int f = 0; f < t->count; ++f) {
        double angle = er_v3_dot(axis, t->turn[f]);
        range[0] = fmin(range[0], angle);
        range[1] = fmax(range[1], angle);
    }
    widen(range);
    out->type = ER_JOINT_REVOLUTE;
    out->axis = axis;
    if (range[1] - range[0] > MOST_RANGE) return; // it may go round
    out->limit[TURN_Z][0] = range[0];
    out->limit[TURN_Z][1] = range[1];
}

static void learn_ball(const turns *t, er_vec3 bone, er_joint_change *out)
{
    double swing = 0.0, twist[2] = {0.0, 0.0};
    for (int f = 0; f < t->count; ++f) {
        er_quat q = er_q_exp(t->turn[f]);
        double cosine = er_v3_dot(bone, er_q_rotate(q, bone));
        double turn = 2.0 * atan2(er_v3_dot(er_v3(q.x, q.y, q.z), bone), q.w);
        if (turn > ER_PI) turn -= 2.0 * ER_PI;
        if (turn < -ER_PI) turn += 2.0 * ER_PI;
        swing = fmax(swing, acos(fmin(1.0, fmax(-1.0, cosine))));
        twist[0] = fmin(twist[0], turn);
        twist[1] = fmax(twist[1], turn);
    }
    widen(twist);
    out->axis = bone;
    out->swing = fmin(swing * (1.0 + MARGIN), ER_PI);
    if (twist[1] - twist[0] > MOST_RANGE) return;
    out->twist[0] = twist[0];
    out->twist[1] = twist[1];
}

// From the joint to the middle of what it carries.
static er_vec3 bone_of(const er_model *m, const er_joint *joint)
{
    const er_body *child = &m->body[joint->child];
    er_vec3 middle = er_pose_point(child->pose, child->com);
    return er_v3_unit(er_v3_sub(middle, joint->frame.p), er_q_rotate(joint->frame.q, er_v3(0, 0, 1)));
}

static char *pattern_of(const char *name)
{
    char *text = malloc(2 * strlen(name) + 1), *to = text;
    for (; text != NULL && *name != '\0'; ++name) {
        if (strchr("*?[\\", *name) != NULL) *to++ = '\\';
        *to++ = *name;
    }
    if (text != NULL) *to = '\0';
    return text;
}

// @param usual  the mean spread of all joints   @param alone  Hz, of the joint alone by the law
static er_result learn_joint(learner *l, int k, double usual, double alone, project_learnt *out)
{
    const turns *t = &l->joint[k];
    double about, beside, spread = fmax(spread_of(t), LEAST_SPREAD);
    er_vec3 axis = main_axis(t, &about, &beside);
    er_joint_change *change = &out->joint[out->count];
    char *pattern = pattern_of(l->model->joint[k].name);
    if (pattern == NULL) return eri_no_memory(l->context);
    *change = er_default_joint_change();
    out->pattern[out->count] = pattern;
    change->pattern = pattern;
    double largest = 0.0, factor = fmin(MOST_FACTOR, fmax(1.0 / MOST_FACTOR, usual / spread));
    for (int f = 0; f < t->count; ++f)
        largest = fmax(largest, er_v3_norm(t->turn[f]));
    bool moves = largest >= STILL, hinge = moves && beside <= HINGE * about;
    if (hinge)
        learn_hinge(t, axis, change);
    else if (moves)
        learn_ball(t, bone_of(l->model, &l->model->joint[k]), change);
    if (alone > 0.0) change->hz = alone * factor;
    snprintf(out->remark[out->count], PROJECT_REMARK,
             "%s: turns by up to %.3g degrees, %.2g beside its main axis (rms %.3g about it); %.3g times as stiff",
             hinge   ? "a hinge"
             : moves ? "a ball"
                     : "hardly moves, so its type and limits stay",
             largest / DEGREE, beside / DEGREE, about / DEGREE, factor * factor);
    ++out->count;
    return ER_OK;
}

// Frequencies of joints alone by the springs that they have.
static er_result frequencies_alone(const learner *l, double *alone)
{
    const er_stiffness one = {.hz = 1.0, .alpha = 1.0};
    const er_model *m = l->model;
    double *k = calloc((size_t)m->coordinate_count + 1, sizeof *k);
    if (k == NULL) return eri_no_memory(l->context);
    er_result r = er_stiffness_apply(l->context, m, &one, k);
    for (int j = 0; j < m->joint_count && r == ER_OK; ++j) {
        double at_1_hz = is_ball(m, j) ? k[m->coordinate[j]] : 0.0;
        alone[j] = at_1_hz > 0.0 ? sqrt(m->joint[j].stiffness[0] / at_1_hz) : 0.0;
    }
    free(k);
    return r;
}

static er_result conclude(learner *l, project_learnt *out)
{
    const er_model *m = l->model;
    size_t joints = (size_t)m->joint_count + 1;
    double *alone = calloc(joints, sizeof *alone), logs = 0.0;
    int moving = 0, hinges = 0;
    out->joint = calloc(joints, sizeof *out->joint);
    out->remark = calloc(joints, sizeof *out->remark);
    out->pattern = calloc(joints, sizeof *out->pattern);
    bool whole = alone != NULL && out->joint != NULL && out->remark != NULL && out->pattern != NULL;
    er_result r = whole ? frequencies_alone(l, alone) : eri_no_memory(l->context);
    for (int k = 0; k < m->joint_count && r == ER_OK; ++k) {
        double spread = l->joint[k].count > 0 ? spread_of(&l->joint[k]) : 0.0;
        if (spread > LEAST_SPREAD) logs += log(spread), ++moving;
    }
    if (r == ER_OK && moving == 0)
        r = er_fail(l->context, ER_ERROR_ARGUMENT, "nothing can be learnt: no ball joint of the rig moves in %d clip%s",
                    l->clips, l->clips == 1 ? "" : "s");
    for (int k = 0; k < m->joint_count && r == ER_OK; ++k)
        if (l->joint[k].count > 0) r = learn_joint(l, k, exp(logs / moving), alone[k], out);
    for (int i = 0; i < out->count; ++i)
        hinges += out->joint[i].type == ER_JOINT_REVOLUTE;
    snprintf(
        out->head, sizeof out->head,
        "Joints are learnt from %d clip%s, %d frames: %d of %d are hinges. Assumed: a joint is a hinge if its turns "
        "beside one axis are below %g %% of those about it; limits are a tenth wider than what was seen; the less a "
        "joint moves, the stiffer it is, by at most %g times, so that all springs hold like energy.",
        l->clips, l->clips == 1 ? "" : "s", l->frames, hinges, out->count, 100.0 * HINGE, MOST_FACTOR * MOST_FACTOR);
    free(alone);
    return r;
}

er_result project_learn(er_context *context, const er_rig *rig, const char *clips, const project_listener *listener,
                        project_learnt *out)
{
    *out = (project_learnt){0};
    learner l = {.context = context, .model = rig->model};
    l.joint = calloc((size_t)l.model->joint_count + 1, sizeof *l.joint);
    if (l.joint == NULL) return eri_no_memory(context);
    eri_file_info info;
    bool file = eri_platform_stat(clips, &info) == 0 && info.kind == ERI_FILE_REGULAR;
    er_result r = project_is_folder(clips) ? add_folder(&l, clips, listener)
                  : file                   ? add_file(&l, clips, listener)
                                           : add_named(&l, rig, clips);
    if (r == ER_OK) r = conclude(&l, out);
    for (int k = 0; k < l.model->joint_count; ++k)
        free(l.joint[k].turn);
    free(l.joint);
    return r;
}

void project_learnt_clear(project_learnt *learnt)
{
    for (int i = 0; i < learnt->count; ++i)
        free(learnt->pattern[i]);
    free(learnt->pattern);
    free(learnt->remark);
    free(learnt->joint);
    *learnt = (project_learnt){0};
}
