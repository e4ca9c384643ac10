// Both tables of curves begin here: arguments are checked and coordinates named.
#include "formats/curves/curve_names.h"

#include <math.h>
#include <string.h>

#include "base/names.h"
#include "base/text.h"

static const double most = 1e50; // as er_model's numbers, so that products and differences stay doubles

const char *eri_path_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard output" : path;
}

const char *eri_coordinate_name(int coordinate)
{
    static const char *const names[] = {"tx", "ty", "tz", "x", "y", "z"};
    return names[coordinate];
}

// --- arguments

static er_result refuse_coordinate(er_context *context, const er_curves *c, const char *path, int frame, int index)
{
    const er_model *m = c->model;
    int joint = 0, axis[6];
    while (m->coordinate[joint + 1] <= index)
        ++joint;
    er_joint_type_freedom(m->joint[joint].type, axis);
    return er_fail(context, ER_ERROR_ARGUMENT,
                   "%s: cannot be written: %s of joint %d \"%s\" is %g in frame %d; it must be finite, at most 1e50",
                   eri_path_name(path), eri_coordinate_name(axis[index - m->coordinate[joint]]), joint,
                   m->joint[joint].name, c->q[(size_t)frame * (size_t)m->coordinate_count + (size_t)index], frame);
}

static bool pose_is_finite(er_pose p)
{
    const double x[] = {p.q.w, p.q.x, p.q.y, p.q.z, p.p.x, p.p.y, p.p.z};
    for (size_t i = 0; i < ERI_COUNT(x); ++i)
        if (!(fabs(x[i]) <= most)) return false;
    return true;
}

static er_result check_frame(er_context *context, const er_curves *c, const char *path, int frame)
{
    const er_model *m = c->model;
    if (!(fabs(c->time[frame]) <= most) || (frame > 0 && !(c->time[frame] > c->time[frame - 1])))
        return er_fail(context, ER_ERROR_ARGUMENT,
                       "%s: cannot be written: frame %d is at %g s; times must be finite and ascend",
                       eri_path_name(path), frame, c->time[frame]);
    for (int i = 0; i < m->coordinate_count; ++i)
        if (!(fabs(c->q[(size_t)frame * (size_t)m->coordinate_count + (size_t)i]) <= most))
            return refuse_coordinate(context, c, path, frame, i);
    for (int b = 0; c->pose != NULL && b < m->body_count; ++b)
        if (!pose_is_finite(c->pose[(size_t)frame * (size_t)m->body_count + (size_t)b]))
            return er_fail(context, ER_ERROR_ARGUMENT,
                           "%s: cannot be written: the pose of body %d \"%s\" in frame %d is not finite",
                           eri_path_name(path), b, m->body[b].name, frame);
    return ER_OK;
}

er_result eri_curves_check(er_context *context, const er_curves *curves, const char *path, const char *what)
{
    if (curves == NULL || path == NULL || curves->model == NULL || curves->frame_count < 1 || curves->time == NULL ||
        (curves->q == NULL && curves->model->coordinate_count > 0))
        return er_fail(context, ER_ERROR_ARGUMENT, "%s needs a model, its times and coordinates, and a path", what);
    er_result r = ER_OK;
    for (int f = 0; f < curves->frame_count && r == ER_OK; ++f)
        r = check_frame(context, curves, path, f);
    return r;
}

// --- names

// Makes names unique; the first of equal ones keeps its name.
static bool tell_apart(er_arena *arena, int count, const char **name)
{
    eri_names taken = {.arena = arena};
    bool *again = ERI_NEW(arena, bool, count);
    if (again == NULL) return false;
    for (int i = 0; i < count; ++i) {
        again[i] = eri_names_find(&taken, name[i]) != NULL;
        if (!again[i] && eri_names_add(&taken, name[i]) != ER_OK) return false;
    }
    for (int i = 0; i < count; ++i)
        if (again[i] && (name[i] = eri_names_take(&taken, name[i])) == NULL) return false;
    return true;
}

static const char *readable(er_arena *arena, const char *name, const char *kind, int index)
{
    return name[0] != '\0' ? eri_utf8_repair(arena, name) : eri_arena_printf(arena, "%s %d", kind, index);
}

const char **eri_joint_names(er_arena *arena, const er_model *model)
{
    const char **name = ERI_NEW(arena, const char *, model->joint_count);
    for (int k = 0; name != NULL && k < model->joint_count; ++k)
        if ((name[k] = readable(arena, model->joint[k].name, "joint", k)) == NULL) return NULL;
    return name != NULL && tell_apart(arena, model->joint_count, name) ? name : NULL;
}

const char **eri_body_names(er_arena *arena, const er_model *model)
{
    const char **name = ERI_NEW(arena, const char *, model->body_count);
    for (int b = 0; name != NULL && b < model->body_count; ++b)
        if ((name[b] = readable(arena, model->body[b].name, "body", b)) == NULL) return NULL;
    return name != NULL && tell_apart(arena, model->body_count, name) ? name : NULL;
}
