// A world written as a Bacin set, and what a set cannot say.
#include <math.h>
#include <string.h>

#include "base/buffer.h"
#include "base/names.h"
#include "base/side_files.h"
#include "formats/bacin/bacin_set.h"
#include "formats/world/world_file.h"

typedef struct writer {
    er_context *context;
    er_arena *arena;
    const er_world_file *file;
    const er_model *model;
    const char *path, *stem;
    eri_beside beside;
} writer;

// ---- what cannot be said

static er_result refuse(const writer *w, const char *what, const char *name)
{
    return er_fail(w->context, ER_ERROR_ARGUMENT, "%s: a Bacin set cannot say this: %s%s%s%s; write a .json", w->path,
                   what, name[0] != '\0' ? " \"" : "", name, name[0] != '\0' ? "\"" : "");
}

static bool is_word(const char *name)
{
    return name != NULL && name[0] != '\0' && strpbrk(name, " \t\r\n\v\f<>()#=\\") == NULL;
}

static er_result check_bodies(const writer *w)
{
    er_result r = ER_OK;
    eri_names names = {.arena = w->arena};
    for (int b = 0; b < w->model->body_count; ++b) {
        const er_body *body = &w->model->body[b];
        bool diagonal = true;
        for (int i = 0; i < 3; ++i)
            for (int k = 0; k < 3; ++k)
                diagonal &= i == k || body->inertia.m[i][k] == 0.0;
        if (!is_word(body->name) || strcmp(body->name, ERI_BACIN_WORLD) == 0)
            return refuse(w, "a body whose name is not one word", body->name);
        if (eri_names_find(&names, body->name) != NULL) return refuse(w, "two bodies of one name", body->name);
        ERI_TRY(eri_names_add(&names, body->name));
        if (er_v3_norm(body->com) != 0.0 || !diagonal)
            return refuse(w, "a body with its frame off its centre of mass or principal axes", body->name);
    }
done:
    return r;
}

static er_result check_joints(const writer *w)
{
    for (int k = 0; k < w->model->joint_count; ++k) {
        const er_joint *j = &w->model->joint[k];
        bool bare = true;
        for (int c = 0; c < er_joint_type_freedom(j->type, NULL); ++c)
            bare &= j->stiffness[c] == 0.0 && j->damping[c] == 0.0 && j->limit[c][0] == -HUGE_VAL &&
                    j->limit[c][1] == HUGE_VAL;
        if (!is_word(j->name)) return refuse(w, "a joint whose name is not one word", j->name);
        bare &= j->swing == HUGE_VAL && j->twist[0] == -HUGE_VAL && j->twist[1] == HUGE_VAL;
        if (!bare) return refuse(w, "springs, dampers and limits of the joint", j->name);
        if (j->type == ER_JOINT_UNIVERSAL || j->type == ER_JOINT_PLANAR || j->type == ER_JOINT_FREE ||
            j->type == ER_JOINT_SCREW)
            return refuse(w, "the type of the joint", j->name);
    }
    return ER_OK;
}

static er_result check_forces(const writer *w)
{
    for (int i = 0; i < w->file->def.force_count; ++i) {
        const er_force *f = &w->file->def.force[i];
        const char *name = f->name != NULL ? f->name : "";
        bool spring = f->kind == ER_FORCE_SPRING && f->damping == 0.0,
             interpolated = f->kind == ER_FORCE_SCHEDULE && !f->body_axes;
        if (!is_word(name)) return refuse(w, "a force whose name is not one word", name);
        if (!spring && !interpolated)
            return refuse(w, "a force that is neither a spring without damping nor a schedule along the world's axes",
                          name);
    }
    return ER_OK;
}

static er_result check_solids(const writer *w)
{
    er_result r = ER_OK;
    bool *seen;
    ERI_TRY_NEW(seen, w->arena, bool, w->model->body_count);
    for (int i = 0; i < w->file->solid_count; ++i) {
        const er_solid *s = &w->file->solid[i];
        if (s->shape.kind != ER_SHAPE_HULL) return refuse(w, "a shape that is no surface of triangles", s->name);
        if (s->restitution != 1.0) return refuse(w, "a restitution that is not 1", "");
        if (s->friction != 0.0 || s->rolling != 0.0 || s->spinning != 0.0 || er_v3_norm(s->grain) > 0.0 ||
            er_v3_norm(s->surface.linear) + er_v3_norm(s->surface.angular) > 0.0 || s->groups != 0 || s->ignores != 0)
            return refuse(w, "friction, a surface that runs, or groups of shapes, of", s->name);
        if (s->body < 0 || seen[s->body]) return refuse(w, "a body with several shapes, or a shape without a body", "");
        seen[s->body] = true;
    }
done:
    return r;
}

static er_result check_settings(const writer *w)
{
    const er_world_def *def = &w->file->def, usual = er_default_world_def();
    er_vec3 g = def->gravity;
    bool is_usual =
        def->integrator == ER_INTEGRATE_FEHLBERG || (def->integrator == ER_INTEGRATE_AUTO && def->shape_count == 0);
    bool held = false;
    for (int b = 0; def->held != NULL && b < w->model->body_count; ++b)
        held |= def->held[b];
    if (!(g.x == 0.0 && g.y == 0.0 && (g.z == 0.0 || g.z == -9.81)))
        return refuse(w, "gravity other than none or 9.81 m/s^2 against z", "");
    if (def->motor_count > 0) return refuse(w, "motors", "");
    if (def->tie_count > 0) return refuse(w, "ties", "");
    if (def->joint_break != NULL) return refuse(w, "joints that break", "");
    if (def->rest != NULL || def->enforce_limits || held)
        return refuse(w, "rest coordinates, limits or held bodies", "");
    if (w->model->damping_ratio != 0.0 || w->model->rayleigh_mass != 0.0 || w->model->rayleigh_stiffness != 0.0)
        return refuse(w, "damping of the rig", "");
    if (def->route != usual.route || def->rotation_state != usual.rotation_state || !is_usual)
        return refuse(w, "a route, a state of rotations or an integrator", "");
    if (def->collide_connected || def->apart_count > 0 || def->restitution_rule != usual.restitution_rule)
        return refuse(w, "which bodies meet, or a restitution_rule", "");
    if (def->most_impacts != usual.most_impacts || def->impact_tolerance != usual.impact_tolerance)
        return refuse(w, "most_impacts, or an impact_tolerance", "");
    if (def->drift_tolerance != usual.drift_tolerance && def->drift_tolerance < HUGE_VAL)
        return refuse(w, "a tolerance of drift", "");
    return is_word(w->stem) ? ER_OK : refuse(w, "a set whose name is not one word", w->stem);
}

// ---- texts

static void put_numbers(eri_buffer *out, const double *x, int count)
{
    for (int i = 0; i < count; ++i) {
        eri_buffer_text(out, " ");
        eri_buffer_number(out, x[i]);
        if (!isfinite(x[i]) && out->failure == ER_OK)
            out->failure = er_fail(eri_arena_context(out->arena), ER_ERROR_ARGUMENT,
                                   "a world cannot be written: a number is not finite");
    }
}

static void put_vec3(eri_buffer *out, er_vec3 v)
{
    const double x[3] = {v.x, v.y, v.z};
    put_numbers(out, x, 3);
}

static void put_quat(eri_buffer *out, er_quat q)
{
    const double x[4] = {q.w, q.x, q.y, q.z};
    put_numbers(out, x, 4);
}

static void put_key(eri_buffer *out, const char *key, double value)
{
    eri_buffer_printf(out, "%s =", key);
    put_numbers(out, &value, 1);
    eri_buffer_text(out, "\n");
}

static void begin(eri_buffer *out, const char *word)
{
    eri_buffer_printf(out, "begin %s (format of " ERI_BACIN_DATE ")\n", word);
}

static void put_bodies(const writer *w, eri_buffer *out)
{
    begin(out, "bodies");
    eri_buffer_printf(out, "bodies = %d\n", w->model->body_count);
    for (int b = 0; b < w->model->body_count; ++b)
        eri_buffer_printf(out, "%s %s-%d\n  1 1 1 1\n", w->model->body[b].name, w->stem, b + 1);
    eri_buffer_text(out, "end bodies\n");
}

static void put_shape(const writer *w, int body, eri_buffer *out)
{
    const er_solid none = {0}, *s = &none;
    const er_body *b = &w->model->body[body];
    for (int i = 0; i < w->file->solid_count; ++i)
        if (w->file->solid[i].body == body) s = &w->file->solid[i];
    begin(out, "shape");
    put_key(out, "mass", b->mass);
    eri_buffer_text(out, "moments =");
    put_vec3(out, er_v3(b->inertia.m[0][0], b->inertia.m[1][1], b->inertia.m[2][2]));
    eri_buffer_printf(out, "\nvertices = %d\nfaces = %d\n", s->vertex_count, s->triangle_count);
    for (int i = 0; i < s->vertex_count; ++i) {
        eri_buffer_printf(out, "v%d", i + 1);
        put_vec3(out, er_pose_point(s->pose, s->vertex[i]));
        eri_buffer_text(out, "\n");
    }
    for (int i = 0; i < s->triangle_count; ++i)
        eri_buffer_printf(out, "f%d v%d v%d v%d\n", i + 1, s->triangle[3 * i] + 1, s->triangle[3 * i + 1] + 1,
                          s->triangle[3 * i + 2] + 1);
    eri_buffer_text(out, "end shape\n");
}

// theta' = (0, omega) theta / 2
static void put_state(const writer *w, eri_buffer *out)
{
    begin(out, "state");
    eri_buffer_printf(out, "bodies = %d\n", w->model->body_count);
    put_key(out, "time", w->file->time);
    for (int b = 0; b < w->model->body_count; ++b) {
        er_pose pose = w->file->pose[b];
        er_vec3 o = w->file->twist[b].angular, v = er_q_rotate(pose.q, w->file->twist[b].linear);
        er_quat rate = er_q_mul(pose.q, er_q(0, 0.5 * o.x, 0.5 * o.y, 0.5 * o.z)); // omega of the body: on the right
        eri_buffer_text(out, w->model->body[b].name);
        put_vec3(out, pose.p);
        put_quat(out, pose.q);
        eri_buffer_text(out, "\n ");
        put_vec3(out, v);
        put_quat(out, rate);
        eri_buffer_text(out, "\n");
    }
    eri_buffer_text(out, "end state\n");
}

// ---- joints

static const char *name_of(const writer *w, int body)
{
    return body < 0 ? ERI_BACIN_WORLD : w->model->body[body].name;
}

static er_pose frame_in(const writer *w, int body, er_pose frame)
{
    return body < 0 ? frame : er_pose_mul(er_pose_inverse(w->model->body[body].pose), frame);
}

// A point held at (x, 0, 0) or so of the joint's frame.
static void put_point(const writer *w, eri_buffer *out, const er_joint *j, const char *suffix, er_vec3 at)
{
    eri_buffer_printf(out, "%s%s %s\n  %s", j->name, suffix, j->parent < 0 ? "Fixed" : "Universal",
                      name_of(w, j->parent < 0 ? j->child : j->parent));
    if (j->parent >= 0) {
        put_vec3(out, er_pose_point(frame_in(w, j->parent, j->frame), at));
        eri_buffer_printf(out, "\n  %s", name_of(w, j->child));
    }
    put_vec3(out, er_pose_point(frame_in(w, j->child, j->frame), at));
    eri_buffer_text(out, "\n");
}

static void put_axes(const writer *w, eri_buffer *out, const er_joint *j, int body)
{
    er_pose frame = frame_in(w, body, j->frame);
    eri_buffer_printf(out, "  %s", name_of(w, body));
    put_vec3(out, frame.p);
    put_vec3(out, er_q_rotate(frame.q, er_v3(0, 0, 1)));
    if (j->type == ER_JOINT_PRISMATIC) put_vec3(out, er_q_rotate(frame.q, er_v3(1, 0, 0)));
    eri_buffer_text(out, "\n");
}

static void put_plane(const writer *w, eri_buffer *out, const er_joint *j)
{
    er_pose plane = frame_in(w, j->parent, j->frame);
    er_vec3 n = er_q_rotate(plane.q, er_v3(0, 0, 1));
    const double abcd[4] = {n.x, n.y, n.z, -er_v3_dot(n, plane.p)};
    eri_buffer_printf(out, "  %s", name_of(w, j->child));
    put_vec3(out, frame_in(w, j->child, j->frame).p);
    eri_buffer_printf(out, "\n  %s", name_of(w, j->parent));
    put_numbers(out, abcd, 4);
    eri_buffer_text(out, "\n");
}

static void put_joint(const writer *w, eri_buffer *out, const er_joint *j)
{
    static const char *const words[ER_JOINT_TYPE_COUNT] = {[ER_JOINT_REVOLUTE] = "Revolution",
                                                           [ER_JOINT_PRISMATIC] = "Prismatic",
                                                           [ER_JOINT_CYLINDRICAL] = "Cylindrical",
                                                           [ER_JOINT_POINT_ON_PLANE] = "Plane"};
    if (j->type == ER_JOINT_SPHERICAL || j->type == ER_JOINT_FIXED) put_point(w, out, j, "", er_v3(0, 0, 0));
    if (j->type == ER_JOINT_FIXED) {
        put_point(w, out, j, "_x", er_v3(1, 0, 0));
        put_point(w, out, j, "_y", er_v3(0, 1, 0));
    }
    if (words[j->type] == NULL) return;
    eri_buffer_printf(out, "%s %s\n", j->name, words[j->type]);
    if (j->type == ER_JOINT_POINT_ON_PLANE) {
        put_plane(w, out, j);
        return;
    }
    put_axes(w, out, j, j->parent);
    put_axes(w, out, j, j->child);
}

static void put_joints(const writer *w, eri_buffer *out)
{
    int count = 0;
    for (int k = 0; k < w->model->joint_count; ++k)
        count += w->model->joint[k].type == ER_JOINT_FIXED ? 3 : 1;
    begin(out, "constraints");
    eri_buffer_printf(out, "constraints = %d\n", count);
    for (int k = 0; k < w->model->joint_count; ++k)
        put_joint(w, out, &w->model->joint[k]);
    eri_buffer_text(out, "end constraints\n");
}

static void put_force(const writer *w, eri_buffer *out, const er_force *f)
{
    const double spring[2] = {f->stiffness, f->rest};
    if (f->kind == ER_FORCE_SPRING) {
        eri_buffer_printf(out, "%s Spring\n ", f->name);
        put_numbers(out, spring, 2);
        eri_buffer_printf(out, "\n  %s", name_of(w, f->body));
        put_vec3(out, f->point);
        eri_buffer_printf(out, "\n  %s", name_of(w, f->other));
        put_vec3(out, f->other_point);
        eri_buffer_text(out, "\n");
        return;
    }
    eri_buffer_printf(out, "%s Interpolated\n  %s", f->name, name_of(w, f->body));
    put_vec3(out, f->point);
    eri_buffer_printf(out, "\n  %d\n", f->sample_count);
    for (int i = 0; i < f->sample_count; ++i) {
        eri_buffer_text(out, " ");
        put_numbers(out, &f->sample[i].time, 1);
        put_vec3(out, f->sample[i].force);
        put_vec3(out, f->sample[i].torque);
        eri_buffer_text(out, "\n");
    }
}

static void put_forces(const writer *w, eri_buffer *out)
{
    begin(out, "forces");
    eri_buffer_printf(out, "forces = %d\n", w->file->def.force_count);
    for (int i = 0; i < w->file->def.force_count; ++i)
        put_force(w, out, &w->file->def.force[i]);
    eri_buffer_text(out, "end forces\n");
}

static void put_animation(const writer *w, eri_buffer *out)
{
    const er_world_def *def = &w->file->def;
    begin(out, "animation");
    put_key(out, "  duration", w->file->duration);
    eri_buffer_printf(out, "  frames = %d\n", w->file->frame_count);
    put_key(out, "  tolerance", def->tolerance);
    put_key(out, "  min_step", def->min_step);
    put_key(out, "  max_step", def->max_step);
    eri_buffer_printf(out, "  collision_test = %s\n  gravity = %s\n  correct_link_violation = %s\nend animation\n",
                      w->file->collide ? "on" : "off", def->gravity.z != 0.0 ? "on" : "off",
                      def->drift_tolerance < HUGE_VAL ? "on" : "off");
}

// ---- files

static er_result put_beside(writer *w, const char *name, eri_buffer *text)
{
    char *to = eri_beside_path(w->arena, w->path, name);
    if (to == NULL) return ER_ERROR_MEMORY;
    if (text->failure != ER_OK) return text->failure;
    return eri_beside_put(&w->beside, to, text->bytes, text->size, "a file of the set");
}

static er_result put_files(writer *w)
{
    static const struct {
        const char *ending;
        void (*put)(const writer *, eri_buffer *);
    } parts[] = {{".bds", put_bodies}, {".ste", put_state}, {".ctr", put_joints}, {".for", put_forces}};
    er_result r = ER_OK;
    for (size_t i = 0; i < ERI_COUNT(parts); ++i) {
        eri_buffer text = {.arena = w->arena};
        char *name = eri_arena_printf(w->arena, "%s%s", w->stem, parts[i].ending);
        if (name == NULL) return ER_ERROR_MEMORY;
        parts[i].put(w, &text);
        ERI_TRY(put_beside(w, name, &text));
    }
    for (int b = 0; b < w->model->body_count; ++b) {
        eri_buffer text = {.arena = w->arena};
        char *name = eri_arena_printf(w->arena, "%s-%d.shp", w->stem, b + 1);
        if (name == NULL) return ER_ERROR_MEMORY;
        put_shape(w, b, &text);
        ERI_TRY(put_beside(w, name, &text));
    }
    eri_buffer text = {.arena = w->arena};
    put_animation(w, &text);
    ERI_TRY(text.failure);
    r = er_file_write(w->context, w->path, text.bytes, text.size);
done:
    return r;
}

er_result eri_bacin_write(er_context *context, const er_world_file *file, const char *path)
{
    er_result r = ER_OK;
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    writer w = {.context = context, .file = file, .model = file->model, .path = path};
    ERI_TRY(eri_arena_create(context, &w.arena));
    w.beside = (eri_beside){.arena = w.arena, .path = path};
    w.stem = eri_arena_printf(w.arena, "%.*s", (int)strlen(name) - 4, name);
    if (w.stem == NULL) r = ER_ERROR_MEMORY;
    if (r == ER_OK) r = check_settings(&w);
    if (r == ER_OK) r = check_bodies(&w);
    if (r == ER_OK) r = check_joints(&w);
    if (r == ER_OK) r = check_forces(&w);
    if (r == ER_OK) r = check_solids(&w);
    if (r == ER_OK) r = put_files(&w);
    if (r == ER_OK) eri_beside_keep(&w.beside);
    eri_beside_remove(&w.beside);
done:
    eri_arena_destroy(w.arena);
    return r;
}
