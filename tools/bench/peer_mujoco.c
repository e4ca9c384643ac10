/// @file
/// MuJoCo as a peer: the rig as its XML, contacts and constraints switched off, for a rig without loops has none.
#include "tools/bench/peer.h"

#include <stdio.h>

#ifdef BENCH_HAS_MUJOCO

#include <dlfcn.h>
#include <mujoco/mujoco.h>
#include <stdlib.h>
#include <string.h>

#define FUNCTIONS(USE)                                                                                                 \
    USE(mj_version)                                                                                                    \
    USE(mj_defaultVFS)                                                                                                 \
    USE(mj_makeEmptyFileVFS)                                                                                           \
    USE(mj_deleteVFS)                                                                                                  \
    USE(mj_loadXML)                                                                                                    \
    USE(mj_deleteModel)                                                                                                \
    USE(mj_makeData)                                                                                                   \
    USE(mj_deleteData)                                                                                                 \
    USE(mj_resetData)                                                                                                  \
    USE(mj_kinematics)                                                                                                 \
    USE(mj_forward)                                                                                                    \
    USE(mj_step)

#define MEMBER(name) __typeof__(&name) name;
static struct {
    FUNCTIONS(MEMBER)
} mj;

typedef struct mujoco {
    const bench_scene *scene;
    mjModel *model;
    mjData *data;
    int *id; // [body_count], its bodies
} mujoco;

// Warnings are counted too; words would go to a file.
static void keep_quiet(const char *words)
{
    (void)words;
}

// The library that the headers are of; false, with why, where there is none.
static bool load(char *why, size_t size)
{
    static void *library;
    if (library != NULL) return true;
    void *found = dlopen("libmujoco.so", RTLD_NOW | RTLD_LOCAL);
    if (found == NULL) {
        snprintf(why, size, "not installed");
        return false;
    }
    bool whole = true;
#define FIND(name) *(void **)&mj.name = dlsym(found, #name), whole = whole && mj.name != NULL;
    FUNCTIONS(FIND)
    if (whole && mj.mj_version() == mjVERSION_HEADER) {
        void (**warn)(const char *) = (void (**)(const char *))dlsym(found, "mju_user_warning");
        if (warn != NULL) *warn = keep_quiet;
        library = found;
        return true;
    }
    snprintf(why, size, "installed in another version than this program was built for, %d", mjVERSION_HEADER);
    dlclose(found);
    return false;
}

// ---- The model

typedef struct writer {
    FILE *out;
    const er_model *model;
    int *first, *next; // joints below a body, [body_count] and [joint_count]
    int *id, count;    // bodies so far
} writer;

static void put_joint(const writer *w, int joint)
{
    const er_joint *j = &w->model->joint[joint];
    er_pose frame = er_pose_mul(er_pose_inverse(w->model->body[j->child].pose), j->frame);
    er_vec3 at = frame.p, axis = er_q_rotate(frame.q, er_v3(0, 0, 1));
    fprintf(w->out,
            "<joint type='%s' pos='%.17g %.17g %.17g' axis='%.17g %.17g %.17g' stiffness='%.17g' damping='%.17g'/>\n",
            j->type == ER_JOINT_SPHERICAL ? "ball" : "hinge", at.x, at.y, at.z, axis.x, axis.y, axis.z, j->stiffness[0],
            j->damping[0]);
}

static void put_body(writer *w, int body)
{
    const er_body *b = &w->model->body[body];
    const double(*I)[3] = b->inertia.m;
    int joint = w->model->tree_joint[body], up = joint >= 0 ? w->model->joint[joint].parent : -1;
    er_pose above = up >= 0 ? w->model->body[up].pose : er_pose_identity();
    er_pose X = er_pose_mul(er_pose_inverse(above), b->pose);
    w->id[body] = ++w->count; // the world is 0
    fprintf(w->out, "<body pos='%.17g %.17g %.17g' quat='%.17g %.17g %.17g %.17g'>\n", X.p.x, X.p.y, X.p.z, X.q.w,
            X.q.x, X.q.y, X.q.z);
    fprintf(w->out,
            "<inertial pos='%.17g %.17g %.17g' mass='%.17g' fullinertia='%.17g %.17g %.17g %.17g %.17g %.17g'/>\n",
            b->com.x, b->com.y, b->com.z, b->mass, I[0][0], I[1][1], I[2][2], I[0][1], I[0][2], I[1][2]);
    if (joint >= 0)
        put_joint(w, joint);
    else
        fprintf(w->out, "<freejoint/>\n");
    for (int k = w->first[body]; k >= 0; k = w->next[k])
        put_body(w, w->model->joint[k].child);
    fprintf(w->out, "</body>\n");
}

static void put_model(writer *w, er_vec3 gravity)
{
    const er_model *m = w->model;
    for (int b = 0; b < m->body_count; ++b)
        w->first[b] = -1;
    for (int k = m->joint_count - 1; k >= 0; --k) {
        int up = m->joint[k].parent;
        if (up < 0) continue;
        w->next[k] = w->first[up];
        w->first[up] = k;
    }
    fprintf(w->out,
            "<mujoco>\n<option gravity='%.17g %.17g %.17g'><flag contact='disable' constraint='disable'/></option>\n"
            "<worldbody>\n",
            gravity.x, gravity.y, gravity.z);
    for (int b = 0; b < m->body_count; ++b)
        if (m->tree_joint[b] < 0 || m->joint[m->tree_joint[b]].parent < 0) put_body(w, b);
    fprintf(w->out, "</worldbody>\n</mujoco>\n");
}

static char *describe(const bench_scene *scene, int *id, size_t *size)
{
    size_t bodies = (size_t)scene->model->body_count, joints = (size_t)scene->model->joint_count;
    char *text = NULL;
    writer w = {.model = scene->model, .id = id};
    w.first = calloc(bodies + 1, sizeof *w.first);
    w.next = calloc(joints + 1, sizeof *w.next);
    w.out = w.first != NULL && w.next != NULL ? open_memstream(&text, size) : NULL;
    if (w.out != NULL) {
        put_model(&w, scene->gravity);
        fclose(w.out);
    }
    free(w.first);
    free(w.next);
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

// ---- What a peer does

static void destroy(void *self)
{
    mujoco *p = self;
    if (p->data != NULL) mj.mj_deleteData(p->data);
    if (p->model != NULL) mj.mj_deleteModel(p->model);
    free(p->id);
    free(p);
}

static void *create(const bench_scene *scene, char *why, size_t size)
{
    if (!load(why, size)) return NULL;
    snprintf(why, size, "there is no memory");
    mujoco *p = calloc(1, sizeof *p);
    if (p == NULL) return NULL;
    size_t length = 0;
    p->scene = scene;
    p->id = calloc((size_t)scene->model->body_count, sizeof *p->id);
    char *text = p->id != NULL ? describe(scene, p->id, &length) : NULL;
    p->model = text != NULL ? parse(text, length, why, size) : NULL;
    p->data = p->model != NULL ? mj.mj_makeData(p->model) : NULL;
    free(text);
    if (p->data != NULL) return p;
    destroy(p);
    return NULL;
}

// Turns of a joint are along the child's axes, of a hinge about its own.
static void start(void *self)
{
    mujoco *p = self;
    const er_model *m = p->scene->model;
    mj.mj_resetData(p->model, p->data);
    for (int b = 0; b < m->body_count; ++b) {
        int joint = m->tree_joint[b], up = joint >= 0 ? m->joint[joint].parent : -1;
        double *u = p->data->qvel + p->model->body_dofadr[p->id[b]];
        er_vec3 turn = p->scene->twist[b].angular, slide = er_q_rotate(m->body[b].pose.q, p->scene->twist[b].linear);
        if (joint < 0) {
            memcpy(u, (const double[6]){slide.x, slide.y, slide.z, turn.x, turn.y, turn.z}, 6 * sizeof *u);
            continue;
        }
        er_vec3 above = up >= 0 ? er_q_rotate(m->body[up].pose.q, p->scene->twist[up].angular) : er_v3(0, 0, 0);
        turn = er_v3_sub(turn, er_q_rotate(er_q_conj(m->body[b].pose.q), above));
        er_vec3 axis = er_q_rotate(er_q_mul(er_q_conj(m->body[b].pose.q), m->joint[joint].frame.q), er_v3(0, 0, 1));
        if (m->joint[joint].type == ER_JOINT_SPHERICAL)
            memcpy(u, (const double[3]){turn.x, turn.y, turn.z}, 3 * sizeof *u);
        else
            u[0] = er_v3_dot(axis, turn);
    }
}

static void advance(void *self, int method, double step, int count)
{
    mujoco *p = self;
    p->model->opt.integrator = method == 0 ? mjINT_EULER : mjINT_RK4;
    p->model->opt.timestep = step;
    for (int i = 0; i < count; ++i)
        mj.mj_step(p->model, p->data);
}

static void evaluate(void *self)
{
    mujoco *p = self;
    mj.mj_forward(p->model, p->data);
}

static void places(void *self, er_vec3 *centre)
{
    mujoco *p = self;
    const mjWarningStat *warning = p->data->warning; // it begins anew where numbers leave their range
    bool lost = warning[mjWARN_BADQPOS].number + warning[mjWARN_BADQVEL].number + warning[mjWARN_BADQACC].number > 0;
    mj.mj_kinematics(p->model, p->data);
    for (int b = 0; b < p->scene->model->body_count; ++b) {
        const double *at = p->data->xipos + 3 * p->id[b];
        centre[b] = lost ? er_v3(NAN, NAN, NAN) : er_v3(at[0], at[1], at[2]);
    }
}

const bench_peer bench_mujoco = {"MuJoCo", {"semi-implicit Euler", "RK4"}, create, destroy, start, advance, evaluate,
                                 places};

#else

static void *create(const bench_scene *scene, char *why, size_t size)
{
    (void)scene;
    snprintf(why, size, "not installed when this program was built (libmujoco-dev)");
    return NULL;
}

const bench_peer bench_mujoco = {.name = "MuJoCo", .method = {"semi-implicit Euler", "RK4"}, .create = create};

#endif
