// What Bacin's simulator writes: the faces of all bodies once, and a frame's vertices with their velocities.
#include <math.h>

#include "base/buffer.h"
#include "formats/world/world_file.h"

static void put_numbers(eri_buffer *out, er_vec3 v)
{
    const double x[3] = {v.x, v.y, v.z};
    for (int i = 0; i < 3; ++i) {
        eri_buffer_text(out, " ");
        eri_buffer_number(out, x[i]);
    }
}

static er_result finish(er_context *context, eri_buffer *out, const char *path)
{
    er_result r = out->failure;
    if (r == ER_OK) r = er_file_write(context, path, out->bytes, out->size);
    eri_arena_destroy(out->arena);
    return r;
}

er_result er_world_file_write_surface(er_context *context, const er_world_file *file, const char *path)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (file == NULL || path == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "er_world_file_write_surface needs a world and a path");
    eri_buffer out = {0};
    er_result r = eri_arena_create(context, &out.arena);
    if (r != ER_OK) return r;
    int faces = 0, first = 0;
    for (int i = 0; i < file->solid_count; ++i)
        faces += file->solid[i].triangle_count;
    eri_buffer_printf(&out, "begin surface (format of 95-09-14)\nfaces = %d\n", faces);
    for (int i = 0; i < file->solid_count; ++i) {
        const er_solid *s = &file->solid[i];
        for (int t = 0; t < 3 * s->triangle_count; t += 3)
            eri_buffer_printf(&out, "%d %d %d\n", first + s->triangle[t], first + s->triangle[t + 1],
                              first + s->triangle[t + 2]);
        first += s->vertex_count;
    }
    return finish(context, &out, path);
}

// A vertex x of a body moves at R (v + omega x x).
static bool put_vertex(eri_buffer *out, int number, er_pose pose, er_twist twist, er_vec3 x)
{
    er_vec3 at = er_pose_point(pose, x),
            rate = er_q_rotate(pose.q, er_v3_add(twist.linear, er_v3_cross(twist.angular, x)));
    eri_buffer_printf(out, "%d:", number);
    put_numbers(out, at);
    put_numbers(out, rate);
    eri_buffer_text(out, "\n");
    return er_v3_finite(at) && er_v3_finite(rate);
}

er_result er_world_file_write_frame(er_context *context, const er_world_file *file, double time, const er_pose *pose,
                                    const er_twist *twist, const char *path)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (file == NULL || pose == NULL || twist == NULL || path == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "er_world_file_write_frame needs a world, its state and a path");
    const er_twist still = {{0, 0, 0}, {0, 0, 0}};
    eri_buffer out = {0};
    er_result r = eri_arena_create(context, &out.arena);
    if (r != ER_OK) return r;
    int vertices = 0, next = 0;
    bool finite = isfinite(time);
    for (int i = 0; i < file->solid_count; ++i)
        vertices += file->solid[i].vertex_count;
    eri_buffer_printf(&out, "begin state (format of 95-06-03)\nvertices = %d\nt = ", vertices);
    eri_buffer_number(&out, time);
    eri_buffer_text(&out, "\n");
    for (int i = 0; i < file->solid_count; ++i) {
        const er_solid *s = &file->solid[i];
        er_pose at = s->body < 0 ? er_pose_identity() : pose[s->body];
        for (int v = 0; v < s->vertex_count; ++v)
            finite &= put_vertex(&out, next++, at, s->body < 0 ? still : twist[s->body],
                                 er_pose_point(s->pose, s->vertex[v]));
    }
    if (!finite && out.failure == ER_OK)
        out.failure = er_fail(context, ER_ERROR_ARGUMENT, "%s: cannot be written: a number is not finite", path);
    return finish(context, &out, path);
}
