// MuJoCo's library and its functions; our models as its XML.
#ifdef BENCH_HAS_MUJOCO

#include "tools/bench/mujoco_library.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/platform.h"

struct bench_mujoco_functions mj;

// MuJoCo's error handler, which must not return.
static void (**on_error)(const char *);
static jmp_buf escape;
static char error[256];

// Warnings are counted too; by default MuJoCo would write them to a file.
static void keep_quiet(const char *words)
{
    (void)words;
}

static void leave(const char *words)
{
    snprintf(error, sizeof error, "%s", words);
    *on_error = NULL;
    longjmp(escape, 1);
}

// Loads the library once; false, with the reason, if it is not installed.
static bool load(char *why, size_t size)
{
    static void *library;
    if (library != NULL) return true;
    void *found = eri_library_load("libmujoco.so", true);
    if (found == NULL) {
        snprintf(why, size, "not installed");
        return false;
    }
    void (**on_warning)(const char *) = (void (**)(const char *))eri_library_symbol(found, "mju_user_warning");
    on_error = (void (**)(const char *))eri_library_symbol(found, "mju_user_error");
    bool whole = on_warning != NULL && on_error != NULL;
#define FIND(name) *(void **)&mj.name = eri_library_symbol(found, #name), whole = whole && mj.name != NULL;
    MUJOCO_FUNCTIONS(FIND)
    if (whole && mj.mj_version() == mjVERSION_HEADER) {
        *on_warning = keep_quiet;
        library = found;
        return true;
    }
    snprintf(why, size, "installed in another version than this program was built for, %d", mjVERSION_HEADER);
    eri_library_unload(found);
    return false;
}

// ---- The model as XML

// Lists of bodies and of shapes, for the world first and then for each body.
typedef struct writer {
    FILE *out;
    const bench_mujoco_def *def;
    int *joint, *above;  // [body_count], the joint and body that each body hangs on; -1: none
    int *below, *beside; // [body_count + 1] and [body_count]: a list of the bodies that hang on each
    int *first, *next;   // [body_count + 1] and [shape_count]: a list of the shapes on each
    int *level;          // [body_count + 1], joints away from the world or from a free body; -1: not reached
    int *id, count;      // bodies so far
} writer;

// Breadth first, so that bodies are nested as little as possible: MuJoCo's parser has a limit of a hundred.
static void reach_bodies(writer *w)
{
    const er_model *m = w->def->model;
    bool more = true;
    for (int b = 0; b < m->body_count; ++b)
        w->level[b + 1] = m->tree_joint[b] < 0 ? 0 : -1;
    for (int level = 0; more; ++level) {
        more = false;
        for (int k = 0; k < m->joint_count; ++k)
            for (int turn = 0; turn < 2; ++turn) {
                int from = turn == 0 ? m->joint[k].parent : m->joint[k].child;
                int to = turn == 0 ? m->joint[k].child : m->joint[k].parent;
                if (w->level[from + 1] != level || w->level[to + 1] >= 0) continue;
                w->level[to + 1] = level + 1;
                w->joint[to] = k;
                w->above[to] = from;
                more = true;
            }
    }
}

static void list(int *first, int *next, int of, int i)
{
    next[i] = first[of + 1];
    first[of + 1] = i;
}

static bool prepare(writer *w)
{
    size_t bodies = (size_t)w->def->model->body_count + 1, shapes = (size_t)w->def->shape_count;
    int **array[] = {&w->joint, &w->above, &w->beside, &w->below, &w->first, &w->level};
    for (int i = 0; i < 6; ++i) {
        *array[i] = malloc(bodies * sizeof(int));
        if (*array[i] == NULL) return false;
        memset(*array[i], 0xff, bodies * sizeof(int)); // -1
    }
    w->next = malloc((shapes + 1) * sizeof *w->next);
    if (w->next == NULL) return false;
    w->level[0] = 0;
    reach_bodies(w);
    for (int b = w->def->model->body_count - 1; b >= 0; --b)
        list(w->below, w->beside, w->above[b], b);
    for (int s = w->def->shape_count - 1; s >= 0; --s)
        list(w->first, w->next, w->def->shape[s].body, s);
    return true;
}

static void release(writer *w)
{
    int *array[] = {w->joint, w->above, w->beside, w->below, w->first, w->level, w->next};
    for (int i = 0; i < 7; ++i)
        free(array[i]);
}

static void put_pose(const writer *w, er_pose X)
{
    fprintf(w->out, " pos='%.17g %.17g %.17g' quat='%.17g %.17g %.17g %.17g'", X.p.x, X.p.y, X.p.z, X.q.w, X.q.x, X.q.y,
            X.q.z);
}

// MuJoCo collides two shapes if one's contype shares a bit with the other's conaffinity, so shapes without a group get
// a bit of their own. It uses the greater friction of the two.
static void put_shape(const writer *w, const er_world_shape *s)
{
    const uint32_t none = 1u << 30;
    fprintf(w->out, "<geom contype='%u' conaffinity='%d' friction='%.17g'", s->groups != 0 ? s->groups : none,
            (int)~s->ignores, s->friction);
    put_pose(w, s->pose);
    if (s->shape.kind == ER_SHAPE_PLANE) fprintf(w->out, " type='plane' size='0 0 1'/>\n");
    if (s->shape.kind == ER_SHAPE_SPHERE) fprintf(w->out, " type='sphere' size='%.17g'/>\n", s->shape.radius);
    if (s->shape.kind == ER_SHAPE_CAPSULE)
        fprintf(w->out, " type='capsule' size='%.17g %.17g'/>\n", s->shape.radius, 0.5 * s->shape.length);
}

static void put_shapes(const writer *w, int body)
{
    for (int s = w->first[body + 1]; s >= 0; s = w->next[s])
        put_shape(w, &w->def->shape[s]);
}

// A joint in the frame of a body that it ties.
static er_pose frame_of(const writer *w, int joint, int body)
{
    const er_model *m = w->def->model;
    return er_pose_mul(er_pose_inverse(m->body[body].pose), m->joint[joint].frame);
}

static void put_joint(const writer *w, int joint, int body)
{
    const er_joint *j = &w->def->model->joint[joint];
    er_pose frame = frame_of(w, joint, body);
    er_vec3 at = frame.p, axis = er_q_rotate(frame.q, er_v3(0, 0, 1));
    fprintf(w->out,
            "<joint type='%s' pos='%.17g %.17g %.17g' axis='%.17g %.17g %.17g' stiffness='%.17g' damping='%.17g'/>\n",
            j->type == ER_JOINT_SPHERICAL ? "ball" : "hinge", at.x, at.y, at.z, axis.x, axis.y, axis.z, j->stiffness[0],
            j->damping[0]);
}

static void put_body(writer *w, int body)
{
    const er_model *m = w->def->model;
    const er_body *b = &m->body[body];
    const double(*I)[3] = b->inertia.m;
    int joint = w->joint[body], up = w->above[body];
    w->id[body] = ++w->count; // the world is 0
    fprintf(w->out, "<body name='%d'", body);
    put_pose(w, up >= 0 ? er_pose_mul(er_pose_inverse(m->body[up].pose), b->pose) : b->pose);
    fprintf(w->out, ">\n<inertial pos='%.17g %.17g %.17g' mass='%.17g' ", b->com.x, b->com.y, b->com.z, b->mass);
    fprintf(w->out, "fullinertia='%.17g %.17g %.17g %.17g %.17g %.17g'/>\n", I[0][0], I[1][1], I[2][2], I[0][1],
            I[0][2], I[1][2]);
    if (joint >= 0)
        put_joint(w, joint, body);
    else
        fprintf(w->out, "<freejoint/>\n");
    put_shapes(w, body);
    for (int k = w->below[body + 1]; k >= 0; k = w->beside[k])
        put_body(w, k);
    fprintf(w->out, "</body>\n");
}

// The points that stay together: one of a ball joint, two on the axis of a hinge.
static void put_loop(const writer *w, int joint)
{
    const er_joint *j = &w->def->model->joint[joint];
    bool ball = j->type == ER_JOINT_SPHERICAL;
    er_pose frame = frame_of(w, joint, j->child);
    for (int i = 0; i < (ball ? 1 : 2); ++i) {
        er_vec3 at = er_pose_point(frame, er_v3(0, 0, ball ? 0.0 : i - 0.5));
        fprintf(w->out, "<connect body1='%d' anchor='%.17g %.17g %.17g'", j->child, at.x, at.y, at.z);
        if (j->parent >= 0) fprintf(w->out, " body2='%d'", j->parent);
        fprintf(w->out, "/>\n");
    }
}

static void put_model(writer *w)
{
    const er_model *m = w->def->model;
    er_vec3 gravity = w->def->gravity;
    fprintf(w->out, "<mujoco>\n<option gravity='%.17g %.17g %.17g'/>\n%s\n<worldbody>\n", gravity.x, gravity.y,
            gravity.z, w->def->head);
    put_shapes(w, -1);
    for (int b = w->below[0]; b >= 0; b = w->beside[b])
        put_body(w, b);
    fprintf(w->out, "</worldbody>\n<equality>\n");
    for (int k = 0; k < m->joint_count; ++k) {
        int up = m->joint[k].parent;
        if (w->joint[m->joint[k].child] != k && (up < 0 || w->joint[up] != k)) put_loop(w, k);
    }
    fprintf(w->out, "</equality>\n</mujoco>\n");
}

static char *describe(const bench_mujoco_def *def, int *id, size_t *size)
{
    char *text = NULL;
    writer w = {.def = def, .id = id};
    w.out = prepare(&w) ? eri_platform_text_stream(&text, size) : NULL;
    if (w.out != NULL) {
        put_model(&w);
        eri_platform_text_end(w.out, &text, size);
    }
    release(&w);
    return text;
}

static mjModel *parse(const char *text, size_t size, char *why, size_t why_size)
{
    mjModel *model = NULL;
    mjVFS *files = malloc(sizeof *files);
    if (files == NULL) return NULL;
    mj.mj_defaultVFS(files);
    if (mj.mj_makeEmptyFileVFS(files, "rig.xml", (int)size) == 0) {
        memcpy(files->filedata[0], text, size);
        model = mj.mj_loadXML("rig.xml", files, why, (int)why_size);
    }
    for (char *c = why; model == NULL && *c != '\0'; ++c)
        if (*c == '\n') *c = ' ';
    mj.mj_deleteVFS(files);
    free(files);
    return model;
}

// ---- A model and its state

static mjData *make_data(const mjModel *model, char *why, size_t size)
{
    if (setjmp(escape) != 0) {
        snprintf(why, size, "%s", error);
        return NULL;
    }
    *on_error = leave;
    mjData *data = mj.mj_makeData(model);
    *on_error = NULL;
    return data;
}

bool bench_mujoco_begin(const bench_mujoco_def *def, bench_mujoco_world *out, char *why, size_t size)
{
    size_t length = 0;
    *out = (bench_mujoco_world){0};
    if (!load(why, size)) return false;
    snprintf(why, size, "there is no memory");
    out->id = calloc((size_t)def->model->body_count + 1, sizeof *out->id);
    char *text = out->id != NULL ? describe(def, out->id, &length) : NULL;
    out->model = text != NULL ? parse(text, length, why, size) : NULL;
    out->data = out->model != NULL ? make_data(out->model, why, size) : NULL;
    free(text);
    return out->data != NULL;
}

void bench_mujoco_end(bench_mujoco_world *m)
{
    if (m->data != NULL) mj.mj_deleteData(m->data);
    if (m->model != NULL) mj.mj_deleteModel(m->model);
    free(m->id);
}

bool bench_mujoco_step(bench_mujoco_world *m, char *why, size_t size)
{
    if (setjmp(escape) != 0) {
        snprintf(why, size, "%s", error);
        return false;
    }
    *on_error = leave;
    mj.mj_step(m->model, m->data);
    *on_error = NULL;
    return true;
}

bool bench_mujoco_place(bench_mujoco_world *m)
{
    const mjWarningStat *warning = m->data->warning;
    mj.mj_kinematics(m->model, m->data);
    return warning[mjWARN_BADQPOS].number + warning[mjWARN_BADQVEL].number + warning[mjWARN_BADQACC].number == 0;
}

#else

typedef int nothing; // a source file must not be empty

#endif
