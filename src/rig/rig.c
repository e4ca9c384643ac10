// From a scene to a rig: the steps in order, and what is handed out at the end.
#include <eigenrig/rig.h>

#include <string.h>

#include "base/names.h"
#include "base/text.h"
#include "rig/build.h"

er_rig_def er_default_rig_def(void)
{
    er_rig_def def = {.stiffness = {.hz = 2.0, .alpha = 0.5}, .density = 1000.0, .tag = ER_DEF_TAG};
    return def;
}

static er_result check_def(er_context *context, const er_rig_def *d)
{
    if ((unsigned)d->root > ER_ROOT_FIXED || (unsigned)d->joints > ER_JOINTS_REVOLUTE ||
        (unsigned)d->pose > ER_POSE_GIVEN)
        return er_fail(context, ER_ERROR_ARGUMENT, "root %d, joint rule %d or pose %d is unknown", (int)d->root,
                       (int)d->joints, (int)d->pose);
    if (!(d->density > 0.0) || !isfinite(d->density))
        return er_fail(context, ER_ERROR_ARGUMENT, "density %g is not a positive number", d->density);
    if (!(d->mass >= 0.0) || !isfinite(d->mass))
        return er_fail(context, ER_ERROR_ARGUMENT, "mass %g is not a positive number", d->mass);
    if (!(d->height >= 0.0) || !isfinite(d->height))
        return er_fail(context, ER_ERROR_ARGUMENT, "height %g is not a positive number", d->height);
    if (!(d->damping_ratio >= 0.0) || !isfinite(d->damping_ratio))
        return er_fail(context, ER_ERROR_ARGUMENT, "damping ratio %g is not a number of 0 or more", d->damping_ratio);
    if (!(d->rayleigh_mass >= 0.0 && d->rayleigh_stiffness >= 0.0) || !isfinite(d->rayleigh_mass) ||
        !isfinite(d->rayleigh_stiffness))
        return er_fail(context, ER_ERROR_ARGUMENT, "Rayleigh factors %g and %g are not both numbers of 0 or more",
                       d->rayleigh_mass, d->rayleigh_stiffness);
    if (d->hang_count < 0 || (d->hang_count > 0 && d->hang == NULL))
        return er_fail(context, ER_ERROR_ARGUMENT, "%d bones that hang on others were not given", d->hang_count);
    for (int i = 0; i < d->hang_count; ++i)
        if (d->hang[i].bone == NULL) return er_fail(context, ER_ERROR_ARGUMENT, "hang: entry %d names no bone", i);
    if (d->pose == ER_POSE_CLIP && !isfinite(d->pose_time))
        return er_fail(context, ER_ERROR_ARGUMENT, "the pose's time is not a number");
    if (d->pose == ER_POSE_GIVEN && d->pose_local == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "a given pose needs the nodes' local transforms");
    return ER_OK;
}

static er_result check_given_pose(er_context *context, const er_scene *scene, const er_rig_def *d)
{
    for (int i = 0; d->pose == ER_POSE_GIVEN && i < scene->node_count; ++i)
        if (!er_v3_finite(d->pose_local[i].translation) || !(fabs(er_m3_det(d->pose_local[i].linear)) < HUGE_VAL))
            return er_fail(context, ER_ERROR_ARGUMENT, "the given pose of node %d, \"%s\", is not finite", i,
                           scene->node[i].name);
    return ER_OK;
}

static er_result allocate(builder *b)
{
    er_result r = ER_OK;
    size_t n = (size_t)b->scene->node_count;
    er_affine *local;
    ERI_TRY_NEW(b->rig, b->notes.arena, er_rig, 1);
    ERI_TRY_NEW(b->rest, b->scratch, er_affine, n);
    ERI_TRY_NEW(b->bind, b->scratch, er_affine, n);
    ERI_TRY_NEW(b->world, b->notes.arena, er_affine, n);
    ERI_TRY_NEW(b->bone, b->scratch, bool, n);
    ERI_TRY_NEW(b->parent, b->notes.arena, int, n);
    ERI_TRY_NEW(b->owner, b->scratch, int, n);
    ERI_TRY_NEW(b->rest_pose, b->scratch, er_pose, n);
    ERI_TRY_NEW(b->pose, b->scratch, er_pose, n);
    ERI_TRY_NEW(b->mass, b->scratch, eri_mass, n + 1);
    ERI_TRY_NEW(b->carried, b->notes.arena, eri_mass, n + 1);
    ERI_TRY_NEW(b->prop, b->notes.arena, bool, n);
    ERI_TRY_NEW(b->stray, b->notes.arena, bool, n);
    ERI_TRY_NEW(b->attachment, b->notes.arena, er_attachment, n);
    ERI_TRY_NEW(b->body, b->scratch, int, n);
    ERI_TRY_NEW(local, b->scratch, er_affine, n);
    ERI_TRY_NEW(b->name, b->scratch, const char *, n);
    for (int i = 0; i < b->scene->node_count; ++i) {
        const char *given = b->scene->node[i].name;
        b->name[i] = *given != '\0' ? given : eri_arena_printf(b->notes.arena, "node %d", i);
        if (b->name[i] == NULL) return ER_ERROR_MEMORY;
    }
    er_scene_sample(b->scene, NULL, 0.0, local);
    er_scene_world(b->scene, local, b->rest);
done:
    return r;
}

// The frame is the bone's at equilibrium; the mass was measured at rest and is carried along with the frame.
static er_body body_of_bone(const builder *b, int node)
{
    er_vec3 centre;
    er_mat3 inertia, turn = er_m3_from_q(er_q_conj(b->rest_pose[node].q));
    eri_mass_centre(&b->mass[node], &centre, &inertia);
    er_body body = {.name = b->name[node],
                    .mass = b->mass[node].mass,
                    .com = er_pose_point_inverse(b->rest_pose[node], centre),
                    .inertia = er_m3_mul(er_m3_mul(turn, inertia), er_m3_transpose(turn)),
                    .pose = b->pose[node]};
    return body;
}

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

// The model with the law's stiffness, the root held where asked, and the damping.
static er_result make_model(builder *b, const int *body_index)
{
    er_result r = ER_OK;
    er_body *body;
    er_joint *joint;
    er_model *springless = NULL;
    er_symmetry symmetry;
    char told[1024];
    er_model_def def = er_default_model_def();
    ERI_TRY_NEW(body, b->scratch, er_body, b->body_count);
    ERI_TRY_NEW(joint, b->scratch, er_joint, b->body_count);
    for (int i = 0; i < b->scene->node_count; ++i)
        if (b->body[i] == i) body[body_index[i]] = body_of_bone(b, i);
    ERI_TRY(eri_rig_join(b, body_index, joint, &def.joint_count));
    def.name = def.source = eri_utf8_repair(b->scratch, file_name(b->scene->path)); // a path may be any bytes
    ERI_TRY(def.name != NULL ? ER_OK : ER_ERROR_MEMORY);
    def.body_count = b->body_count;
    def.body = body;
    def.joint = joint;
    ERI_TRY(er_model_create(b->context, &def, &springless));
    er_rig_change change = b->def.change != NULL ? *b->def.change : er_default_rig_change();
    change.mass = b->def.mass;
    change.stiffness = &b->def.stiffness;
    change.damping_ratio = b->def.damping_ratio;
    change.rayleigh_mass = b->def.rayleigh_mass;
    change.rayleigh_stiffness = b->def.rayleigh_stiffness;
    change.fix_root = b->def.root == ER_ROOT_FIXED;
    change.symmetrize = b->def.symmetrize;
    change.up = b->scene->up;
    change.symmetry = &symmetry;
    ERI_TRY(er_rig_change_model(b->context, springless, &change, &b->rig->model));
    if (change.symmetrize) {
        er_symmetry_tell(b->rig->model, &symmetry, told, sizeof told);
        ERI_TRY(eri_notes_add(&b->notes, ER_NOTE_FACT, "%s", told));
    }
    for (int i = 0; i < b->body_count; ++i)
        b->rig->total_mass += b->rig->model->body[i].mass;
done:
    er_model_destroy(springless);
    return r;
}

static er_result report_names(builder *b)
{
    er_result r = ER_OK;
    eri_names names = {.arena = b->scratch};
    for (int i = 0; i < b->scene->node_count; ++i) {
        if (b->body[i] != i) continue;
        if (eri_names_find(&names, b->name[i]) != NULL)
            return eri_notes_add(&b->notes, ER_NOTE_FACT,
                                 "several bones share a name (\"%s\" first); they are told apart by their index",
                                 b->name[i]);
        ERI_TRY(eri_names_add(&names, b->name[i]));
    }
done:
    return r;
}

static er_result hand_out(builder *b)
{
    er_result r = ER_OK;
    int n = b->scene->node_count, *body_index, *node_body, *body_node, next = 0;
    er_role *role;
    bool *bone;
    ERI_TRY_NEW(bone, b->notes.arena, bool, n);
    ERI_TRY_NEW(body_index, b->scratch, int, n);
    ERI_TRY_NEW(node_body, b->notes.arena, int, n);
    ERI_TRY_NEW(body_node, b->notes.arena, int, b->body_count);
    ERI_TRY_NEW(role, b->notes.arena, er_role, n);
    for (int i = 0; i < n; ++i)
        if (b->body[i] == i) {
            body_index[i] = next;
            body_node[next++] = i;
        }
    for (int i = 0; i < n; ++i) {
        int body = b->owner[i] >= 0 ? b->body[b->owner[i]] : -1;
        node_body[i] = body >= 0 ? body_index[body] : -1;
        role[i] = body < 0      ? ER_ROLE_OUTSIDE
                  : !b->bone[i] ? ER_ROLE_CARRIED
                  : body == i   ? ER_ROLE_BODY
                                : ER_ROLE_WELDED;
        bone[i] =
            role[i] == ER_ROLE_BODY || role[i] == ER_ROLE_WELDED || (b->scene->node[i].flags & ER_NODE_JOINT) != 0;
    }
    b->rig->scene = b->scene;
    b->rig->role = role;
    b->rig->node_body = node_body;
    b->rig->bone = bone;
    b->rig->body_node = body_node;
    b->rig->attachment = b->attachment;
    b->rig->prop = b->prop;
    b->rig->world = b->world;
    ERI_TRY(report_names(b));
    ERI_TRY(make_model(b, body_index));
    b->rig->note = b->notes.items;
    b->rig->note_count = b->notes.count;
done:
    return r;
}

er_result er_rig_build(er_context *context, const er_scene *scene, const er_rig_def *def, er_rig **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    builder b = {.context = context, .scene = scene, .def = def != NULL ? *def : er_default_rig_def()};
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (scene == NULL || b.def.tag != ER_DEF_TAG)
        return er_fail(context, ER_ERROR_ARGUMENT,
                       "er_rig_build needs a scene, and NULL or a def made by er_default_rig_def()");
    er_result r = check_def(context, &b.def);
    if (r == ER_OK) r = check_given_pose(context, scene, &b.def);
    if (r != ER_OK) return r;
    er_arena *arena = NULL;
    ERI_TRY(eri_arena_create(context, &arena));
    ERI_TRY(eri_arena_create(context, &b.scratch));
    b.notes.arena = arena;
    ERI_TRY(allocate(&b));
    ERI_TRY(eri_rig_choose_bones(&b));
    ERI_TRY(eri_rig_choose_pose(&b));
    ERI_TRY(eri_rig_measure(&b));
    ERI_TRY(eri_rig_weigh(&b));
    ERI_TRY(eri_rig_attach(&b));
    ERI_TRY(eri_rig_weld(&b));
    ERI_TRY(hand_out(&b));
    b.rig->arena = arena;
    *out = b.rig;
    arena = NULL;
done:
    eri_arena_destroy(b.scratch);
    eri_arena_destroy(arena);
    return r;
}

void er_rig_destroy(er_rig *rig)
{
    if (rig == NULL) return;
    er_model_destroy(rig->model);
    eri_arena_destroy(rig->arena);
}
