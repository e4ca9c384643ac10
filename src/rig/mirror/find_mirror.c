// The mirror of a rig: its plane and twins, and how far the two sides differ.
#include <eigenrig/rig.h>

#include "rig/mirror/mirror.h"

static er_result find_middles(eri_mirror_search *m)
{
    er_result r = ER_OK;
    double mass = 0.0;
    m->centre = er_v3(0, 0, 0);
    ERI_TRY_NEW(m->middle, m->arena, er_vec3, m->model->body_count);
    for (int i = 0; i < m->model->body_count; ++i) {
        const er_body *body = &m->model->body[i];
        m->middle[i] = er_pose_point(body->pose, body->com);
        m->centre = er_v3_madd(m->centre, body->mass, m->middle[i]);
        mass += body->mass;
    }
    m->centre = er_v3_scale(1.0 / mass, m->centre);
done:
    return r;
}

er_result eri_mirror_search_run(eri_mirror_search *m)
{
    er_result r = ER_OK;
    ERI_TRY(find_middles(m));
    ERI_TRY(eri_mirror_read_names(m));
    ERI_TRY(eri_mirror_read_sides(m));
done:
    return r;
}

// --- how far off

static double apart(double a, double b)
{
    double more = fmax(fabs(a), fabs(b));
    return more > 0.0 ? fabs(a - b) / more : 0.0;
}

static double stiffness_of(const er_joint *j)
{
    double sum = 0.0;
    for (int i = 0; i < er_joint_type_freedom(j->type, NULL); ++i)
        sum += j->stiffness[i];
    return sum;
}

// The joint that connects the images of a joint's bodies, in whichever direction; -1 for none.
static int image_joint(const er_model *model, const er_mirror *mirror, int joint)
{
    const er_joint *j = &model->joint[joint];
    int child = mirror->body[j->child], parent = j->parent >= 0 ? mirror->body[j->parent] : -1;
    if (child < 0 || (j->parent >= 0 && parent < 0)) return -1;
    int tree = model->tree_joint[child];
    if (!j->closes_loop && tree >= 0 && model->joint[tree].parent == parent) return tree;
    for (int i = 0; i < model->joint_count; ++i) {
        const er_joint *other = &model->joint[i];
        bool same = other->parent == parent && other->child == child,
             turned = other->parent == child && other->child == parent;
        if (same || turned) return i;
    }
    return -1;
}

static void measure(const er_model *model, const er_vec3 *middle, er_mirror *out, int *joint)
{
    double mass = 0.0, without = 0.0;
    for (int i = 0; i < model->body_count; ++i) {
        int image = out->body[i];
        mass += model->body[i].mass;
        if (image < 0) {
            without += model->body[i].mass;
            continue;
        }
        double across = er_v3_dot(middle[i], out->normal) - out->offset;
        er_vec3 there = er_v3_madd(middle[i], -2.0 * across, out->normal);
        out->distance = fmax(out->distance, er_v3_distance(there, middle[image]) / model->size);
        out->mass = fmax(out->mass, apart(model->body[i].mass, model->body[image].mass));
    }
    for (int i = 0; i < model->joint_count; ++i) {
        joint[i] = image_joint(model, out, i);
        if (joint[i] < 0) continue;
        double off = apart(stiffness_of(&model->joint[i]), stiffness_of(&model->joint[joint[i]]));
        out->stiffness = fmax(out->stiffness, off);
    }
    out->unpaired = without / mass;
}

er_result eri_mirror_create(er_context *context, const eri_mirror_search *m, er_mirror **out)
{
    er_result r = ER_OK;
    const er_model *model = m->model;
    er_arena *arena = NULL;
    er_mirror *mirror;
    int *body, *joint;
    *out = NULL;
    ERI_TRY(eri_arena_create(context, &arena));
    ERI_TRY_NEW(mirror, arena, er_mirror, 1);
    ERI_TRY_NEW(body, arena, int, model->body_count);
    ERI_TRY_NEW(joint, arena, int, model->joint_count);
    for (int i = 0; i < model->body_count; ++i)
        body[i] = m->image[i];
    *mirror = (er_mirror){.normal = m->left, .offset = m->offset, .body = body, .joint = joint, .arena = arena};
    measure(model, m->middle, mirror, joint);
    *out = mirror;
    arena = NULL;
done:
    eri_arena_destroy(arena);
    return r;
}

er_result eri_mirror_check_size(er_context *context, const er_model *model)
{
    if (model->body_count <= ER_MIRROR_MAX_BODIES) return ER_OK;
    return er_fail(context, ER_ERROR_RIG, "%d bodies are too many for a search of the mirror, which takes up to %d",
                   model->body_count, ER_MIRROR_MAX_BODIES);
}

er_result er_mirror_find(er_context *context, const er_model *model, const er_rig *rig, er_vec3 up, er_mirror **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (model == NULL) return er_fail(context, ER_ERROR_ARGUMENT, "a mirror needs a model");
    if (rig != NULL && rig->model->body_count != model->body_count)
        return er_fail(context, ER_ERROR_ARGUMENT, "the model is not that of the rig beside it");
    er_result r = eri_mirror_check_size(context, model);
    er_arena *scratch = NULL;
    if (r != ER_OK) return r;
    ERI_TRY(eri_arena_create(context, &scratch));
    eri_mirror_search m = {.model = model, .rig = rig, .arena = scratch};
    m.up = er_v3_unit(up, rig != NULL ? rig->scene->up : er_v3(0, 1, 0));
    ERI_TRY(eri_mirror_search_run(&m));
    ERI_TRY(eri_mirror_create(context, &m, out));
done:
    eri_arena_destroy(scratch);
    return r;
}
