// A set becomes a world's file: bodies and joints a model whose equilibrium is the initial state, shapes solids.
#include "formats/bacin/bacin_set.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "formats/world/world_file.h"

static const double g = 9.81; // m/s^2, against z

static er_result make_model(const eri_bacin_set *set, er_world_file *file)
{
    er_result r = ER_OK;
    er_context *context = eri_arena_context(set->arena);
    er_model_def def = er_default_model_def();
    er_model *model;
    er_body *body;
    ERI_TRY_NEW(body, set->arena, er_body, set->body_count);
    for (int b = 0; b < set->body_count; ++b) {
        const eri_bacin_body *from = &set->body[b];
        er_vec3 J = from->moments;
        body[b] = (er_body){.name = from->name,
                            .mass = from->mass,
                            .inertia = {{{J.x, 0, 0}, {0, J.y, 0}, {0, 0, J.z}}},
                            .pose = from->pose};
    }
    def.name = file->name;
    def.body_count = set->body_count;
    def.body = body;
    def.joint_count = set->joint_count;
    def.joint = set->joint;
    r = er_model_create(context, &def, &model);
    file->model = model;
    if (r != ER_ERROR_RIG) goto done;
    char *why = eri_arena_string(set->arena, er_context_error(context));
    if (why != NULL) er_fail(context, r, "%s: %s", set->path, why);
done:
    return r;
}

static er_result make_solids(const eri_bacin_set *set, er_world_file *file)
{
    er_result r = ER_OK;
    er_context *context = eri_arena_context(set->arena);
    er_solid *solid;
    ERI_TRY_NEW(solid, file->arena, er_solid, set->body_count);
    file->solid = solid;
    for (int b = 0; b < set->body_count; ++b) {
        const eri_bacin_body *from = &set->body[b];
        if (from->vertex_count == 0 && from->triangle_count == 0) continue;
        er_solid *s = &solid[file->solid_count++];
        *s = (er_solid){.name = from->name,
                        .body = b,
                        .pose = er_pose_identity(),
                        .restitution = 1.0,
                        .shape = {.kind = ER_SHAPE_HULL},
                        .vertex_count = from->vertex_count,
                        .vertex = from->vertex,
                        .triangle_count = from->triangle_count,
                        .triangle = from->triangle};
        r = eri_solid_complete(file->arena, set->collisions, s);
        char *why = r == ER_ERROR_ARGUMENT ? eri_arena_string(set->arena, er_context_error(context)) : NULL;
        if (why != NULL)
            return er_fail(context, ER_ERROR_FORMAT, "%s:%d: the shape of body \"%s\": %s", from->path, from->line,
                           from->name, why);
        ERI_TRY(r);
    }
done:
    return r;
}

static er_result make_state(const eri_bacin_set *set, er_world_file *file)
{
    er_result r = ER_OK;
    er_pose *pose;
    er_twist *twist;
    ERI_TRY_NEW(pose, file->arena, er_pose, set->body_count);
    ERI_TRY_NEW(twist, file->arena, er_twist, set->body_count);
    for (int b = 0; b < set->body_count; ++b) {
        const eri_bacin_body *from = &set->body[b];
        er_quat to_body = er_q_conj(from->pose.q);
        pose[b] = file->model->body[b].pose;
        twist[b] = (er_twist){er_q_rotate(to_body, from->omega), er_q_rotate(to_body, from->velocity)};
    }
    file->time = set->time;
    file->pose = pose;
    file->twist = twist;
done:
    return r;
}

static void set_options(const eri_bacin_set *set, er_world_file *file)
{
    file->def.model = file->model;
    file->def.gravity = er_v3(0, 0, set->gravity ? -g : 0.0);
    file->def.force_count = set->force_count;
    file->def.force = set->force;
    file->def.tolerance = set->tolerance;
    file->def.min_step = set->min_step;
    file->def.max_step = set->max_step;
    if (!set->correct_drift) file->def.drift_tolerance = HUGE_VAL;
    file->duration = set->duration;
    file->frame_count = set->frame_count;
    file->collide = set->collisions;
}

er_result eri_bacin_read(er_context *context, const char *path, er_world_file **out)
{
    er_result r = ER_OK;
    ERI_TRY(eri_world_file_begin(context, out));
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    eri_bacin_set set = {.arena = (*out)->arena, .path = path};
    set.stem = eri_arena_printf(set.arena, "%.*s", (int)strlen(name) - 4, name);
    if (set.stem == NULL) return ER_ERROR_MEMORY;
    if (eri_utf8_valid(set.stem)) (*out)->name = set.stem;
    ERI_TRY(eri_bacin_read_animation(&set));
    ERI_TRY(eri_bacin_read_bodies(&set));
    ERI_TRY(eri_bacin_read_state(&set));
    ERI_TRY(eri_bacin_read_joints(&set));
    ERI_TRY(eri_bacin_read_forces(&set));
    ERI_TRY(make_model(&set, *out));
    ERI_TRY(make_solids(&set, *out));
    ERI_TRY(make_state(&set, *out));
    set_options(&set, *out);
done:
    return r;
}
