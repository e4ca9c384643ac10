// MuJoCo as a contact engine. Its defaults are Newton's method, friction pyramids and semi-implicit Euler. A heap of
// free bodies takes conjugate gradients, because Newton's matrix fills up, and cones, which have fewer rows. People
// take RK4, because Euler's method diverges as they land.
#include "tools/bench/contacts.h"

#include <stdio.h>

#ifdef BENCH_HAS_MUJOCO

#include <limits.h>
#include <stdlib.h>

#include "tools/bench/mujoco_library.h"

enum { ITERATIONS = 10, CONTACTS_A_SOLID = 3 };

typedef struct mujoco {
    er_context *context;
    int body_count, contacts; // its room for contacts
    bench_mujoco_world m;
} mujoco;

// The sizes that MuJoCo allocates for a scene.
typedef struct plan {
    bool heap, limbs; // of free bodies; of people
    int solids, loops, freedoms;
    double contacts, rows, stack; // the room that MuJoCo allocates at once
} plan;

static void count_parts(const bench_contact_scene *scene, plan *p)
{
    const er_model *m = scene->model;
    for (int s = 0; s < scene->shape_count; ++s)
        p->solids += scene->shape[s].body >= 0;
    for (int b = 0; b < m->body_count; ++b)
        p->freedoms += m->tree_joint[b] < 0 ? 6 : m->joint[m->tree_joint[b]].type == ER_JOINT_SPHERICAL ? 3 : 1;
    for (int k = 0; k < m->joint_count; ++k)
        p->loops += m->joint[k].closes_loop;
}

// Keeps (rows x freedoms x 2 + rows x rows) entries within the range of int, with some room for the rest. A contact has
// 4 rows with pyramids and 3 with cones; a loop has 6.
static bool make_plan(const bench_contact_scene *scene, plan *p)
{
    const double most = 2.1e9, entry = sizeof(double) + sizeof(int);
    count_parts(scene, p);
    double n = p->freedoms, bodies = scene->model->body_count;
    p->heap = scene->model->joint_count == 0;
    p->limbs = !p->heap && p->solids > 0;
    double each = p->heap ? 3.0 : 4.0, fixed = 6.0 * p->loops;
    double fit = sqrt(n * n + most / entry) - n; // entry (2 n rows + rows^2) = most
    p->contacts = fmin(CONTACTS_A_SOLID * (double)p->solids, floor((fit - fixed) / each));
    p->rows = fixed + each * p->contacts;
    p->stack = (p->heap ? 0.0 : 6.0 * n * n) + 0.5 * bodies * bodies + 64.0 * (n + p->rows) + 1e5;
    return p->contacts >= p->solids && p->stack < INT_MAX;
}

static void destroy(void *self)
{
    mujoco *p = self;
    bench_mujoco_end(&p->m);
    free(p);
}

static void *create(er_context *context, const bench_contact_scene *scene, double step, char *why, size_t size)
{
    char head[512];
    const bench_mujoco_def def = {scene->model, scene->gravity, head, scene->shape, scene->shape_count};
    plan room = {0};
    if (!make_plan(scene, &room)) {
        snprintf(why, size, "not tried: its arrays of %d degrees of freedom would not hold a contact of each solid",
                 room.freedoms);
        return NULL;
    }
    mujoco *p = calloc(1, sizeof *p);
    snprintf(why, size, "there is no memory");
    if (p == NULL) return NULL;
    p->context = context;
    p->body_count = scene->model->body_count;
    p->contacts = (int)room.contacts;
    snprintf(head, sizeof head,
             "<option timestep='%.17g' iterations='%d' solver='%s' cone='%s' integrator='%s'/>"
             "<size nconmax='%.0f' njmax='%.0f' nstack='%.0f'/>",
             step, ITERATIONS, room.heap ? "CG" : "Newton", room.heap ? "elliptic" : "pyramidal",
             room.limbs ? "RK4" : "Euler", room.contacts + 1, room.rows + 1, room.stack);
    if (bench_mujoco_begin(&def, &p->m, why, size)) return p;
    destroy(p);
    return NULL;
}

static bool advance(void *self)
{
    mujoco *p = self;
    const mjWarningStat *warning = p->m.data->warning;
    char why[256];
    if (!bench_mujoco_step(&p->m, why, sizeof why)) {
        er_fail(p->context, ER_ERROR_MEMORY, "%s", why);
        return false;
    }
    if (warning[mjWARN_CONTACTFULL].number + warning[mjWARN_CNSTRFULL].number == 0) return true;
    er_fail(p->context, ER_ERROR_MEMORY, "more contacts than the %d that it has room for", p->contacts);
    return false;
}

static void poses(void *self, er_pose *pose)
{
    mujoco *p = self;
    bool lost = !bench_mujoco_place(&p->m);
    for (int b = 0; b < p->body_count; ++b) {
        const double *at = p->m.data->xpos + 3 * p->m.id[b], *q = p->m.data->xquat + 4 * p->m.id[b];
        pose[b] = (er_pose){er_q(q[0], q[1], q[2], q[3]), er_v3(lost ? NAN : at[0], at[1], at[2])};
    }
}

const bench_engine bench_contacts_mujoco = {"mujoco", create, destroy, advance, poses, NULL};

#else

static void *create(er_context *context, const bench_contact_scene *scene, double step, char *why, size_t size)
{
    (void)context, (void)scene, (void)step;
    snprintf(why, size, "not installed when this program was built (libmujoco-dev)");
    return NULL;
}

const bench_engine bench_contacts_mujoco = {.name = "mujoco", .create = create};

#endif
