// The rotation gizmo: its rings drawn, and a drag along one of them as an angle.
#include "viewer/draw/gizmo.h"

#include "viewer/draw/camera.h"
#include "viewer/draw/painter.h"

double gizmo_radius(const draw_camera *c, int height, er_vec3 place)
{
    return 0.13 * height * draw_camera_pixel(c, height, place);
}

er_vec3 gizmo_point(const er_pose *frame, double radius, int ring, int step)
{
    double angle = 2.0 * ER_PI * step / GIZMO_STEPS, a = radius * cos(angle), b = radius * sin(angle);
    er_vec3 x = ring == 0 ? er_v3(0, a, b) : ring == 1 ? er_v3(b, 0, a) : er_v3(a, b, 0);
    return er_pose_point(*frame, x);
}

static er_vec3 towards_eye(const draw_camera *c, er_vec3 from)
{
    er_vec3 axis[3];
    draw_camera_axes(c, axis);
    return c->fov > 0.0 ? er_v3_sub(draw_camera_eye(c), from) : axis[2];
}

void painter_gizmo(painter *p, const er_pose *frame, int hot)
{
    static const float colour[3][3] = {{0.90f, 0.25f, 0.25f}, {0.35f, 0.75f, 0.25f}, {0.30f, 0.50f, 1.00f}};
    double radius = gizmo_radius(&p->camera, p->part[3], frame->p);
    er_vec3 to_eye = towards_eye(&p->camera, frame->p);
    for (int ring = 0; ring < 3; ++ring)
        for (int i = 0; i < GIZMO_STEPS; ++i) {
            er_vec3 a = gizmo_point(frame, radius, ring, i), b = gizmo_point(frame, radius, ring, i + 1);
            bool behind = er_v3_dot(er_v3_sub(er_v3_scale(0.5, er_v3_add(a, b)), frame->p), to_eye) < 0.0;
            bool bright = ring == hot;
            float rgba[4] = {colour[ring][0], colour[ring][1], colour[ring][2], behind ? 0.25f : 0.95f};
            if (bright) rgba[0] = 1.0f, rgba[1] = 0.85f, rgba[2] = 0.25f;
            add_line(p, a, b, rgba, bright ? 4.0 : 2.5, 0.0);
        }
}

// The angle about the axis at which the ray through a pixel meets the ring's plane; false if the two are near parallel.
static bool angle_at(const draw_camera *c, int width, int height, const er_pose *frame, int axis, const double at[2],
                     double *angle)
{
    er_vec3 origin, way;
    draw_camera_ray(c, width, height, at[0], at[1], &origin, &way);
    er_vec3 o = er_pose_point_inverse(*frame, origin), d = er_q_rotate(er_q_conj(frame->q), way);
    const double from[3] = {o.x, o.y, o.z}, along[3] = {d.x, d.y, d.z};
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    if (fabs(along[axis]) < 0.12) return false;
    double t = -from[axis] / along[axis];
    if (t < 0.0 && c->fov > 0.0) return false;
    *angle = atan2(from[v] + t * along[v], from[u] + t * along[u]);
    return true;
}

// The angle of a ring that is seen edge on: its nearest point follows the drag.
static double edge_angle(const draw_camera *c, int width, int height, const er_pose *frame, int axis,
                         const double from[2], const double to[2])
{
    double centre[2], side[2], radius = gizmo_radius(c, height, frame->p);
    er_vec3 about = er_q_rotate(frame->q, er_v3(axis == 0, axis == 1, axis == 2));
    er_vec3 near = towards_eye(c, frame->p);
    near = er_v3_unit(er_v3_madd(near, -er_v3_dot(near, about), about), er_v3_perpendicular(about));
    er_vec3 ahead = er_v3_cross(about, near);
    if (!draw_camera_project(c, width, height, frame->p, centre) ||
        !draw_camera_project(c, width, height, er_v3_madd(frame->p, radius, ahead), side))
        return 0.0;
    double x = side[0] - centre[0], y = side[1] - centre[1], size2 = x * x + y * y;
    return size2 > 0.0 ? ((to[0] - from[0]) * x + (to[1] - from[1]) * y) / size2 : 0.0;
}

double draw_gizmo_angle(const draw_camera *c, int width, int height, const er_pose *frame, int axis,
                        const double from[2], const double to[2])
{
    double a, b;
    if (!angle_at(c, width, height, frame, axis, from, &a) || !angle_at(c, width, height, frame, axis, to, &b))
        return edge_angle(c, width, height, frame, axis, from, to);
    return remainder(b - a, 2.0 * ER_PI);
}
