// MuJoCo as a peer: the rig as its XML. Contacts and constraints are off because a rig without loops has none.
#include "tools/bench/peer.h"

#include <stdio.h>

#ifdef BENCH_HAS_MUJOCO

#include <stdlib.h>
#include <string.h>

#include "tools/bench/mujoco_library.h"

typedef struct mujoco {
    const bench_scene *scene;
    bench_mujoco_world m;
} mujoco;

static void destroy(void *self)
{
    mujoco *p = self;
    bench_mujoco_end(&p->m);
    free(p);
}

static void *create(const bench_scene *scene, char *why, size_t size)
{
    const bench_mujoco_def def = {.model = scene->model,
                                  .gravity = scene->gravity,
                                  .head = "<option><flag contact='disable' constraint='disable'/></option>"};
    mujoco *p = calloc(1, sizeof *p);
    snprintf(why, size, "there is no memory");
    if (p == NULL) return NULL;
    p->scene = scene;
    if (bench_mujoco_begin(&def, &p->m, why, size)) return p;
    destroy(p);
    return NULL;
}

// A ball joint turns about the child's axes, a hinge about its own.
static void start(void *self)
{
    mujoco *p = self;
    const er_model *m = p->scene->model;
    mj.mj_resetData(p->m.model, p->m.data);
    for (int b = 0; b < m->body_count; ++b) {
        int joint = m->tree_joint[b], up = joint >= 0 ? m->joint[joint].parent : -1;
        double *u = p->m.data->qvel + p->m.model->body_dofadr[p->m.id[b]];
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
    p->m.model->opt.integrator = method == 0 ? mjINT_EULER : mjINT_RK4;
    p->m.model->opt.timestep = step;
    for (int i = 0; i < count; ++i)
        mj.mj_step(p->m.model, p->m.data);
}

static void evaluate(void *self)
{
    mujoco *p = self;
    mj.mj_forward(p->m.model, p->m.data);
}

static void places(void *self, er_vec3 *centre)
{
    mujoco *p = self;
    bool lost = !bench_mujoco_place(&p->m);
    for (int b = 0; b < p->scene->model->body_count; ++b) {
        const double *at = p->m.data->xipos + 3 * p->m.id[b];
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
