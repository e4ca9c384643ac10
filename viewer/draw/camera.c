// Cameras: framing, projecting, rays, and the matrix that clips.
#include "viewer/draw/camera.h"

static const double parallel_fov = 0.6; // rad, the height that a parallel projection shows

// Half the height of the picture, m: at unit depth (perspective), or at any depth (parallel).
static double half_height(const draw_camera *c)
{
    return c->fov > 0.0 ? tan(0.5 * c->fov) : c->distance * tan(0.5 * parallel_fov);
}

// Level directions: that of yaw 0, and a quarter turn further.
static void level_axes(er_vec3 up, er_vec3 *front, er_vec3 *side)
{
    *front = er_q_rotate(er_q_conj(er_q_upright(up)), er_v3(0, 0, 1));
    *side = er_v3_cross(up, *front);
}

void draw_camera_axes(const draw_camera *c, er_vec3 axis[3])
{
    er_vec3 front, side;
    level_axes(c->up, &front, &side);
    double cy = cos(c->yaw), sy = sin(c->yaw);
    er_vec3 level = er_v3_madd(er_v3_scale(cy, front), sy, side);
    axis[0] = er_v3_madd(er_v3_scale(cy, side), -sy, front);
    axis[2] = er_v3_madd(er_v3_scale(cos(c->pitch), level), sin(c->pitch), c->up);
    axis[1] = er_v3_cross(axis[2], axis[0]);
}

er_vec3 draw_camera_eye(const draw_camera *c)
{
    er_vec3 axis[3];
    draw_camera_axes(c, axis);
    return er_v3_madd(c->target, c->distance, axis[2]);
}

draw_camera draw_camera_frame(const draw_bounds *bounds, er_vec3 up, double aspect)
{
    draw_camera c = {.up = up, .target = bounds->centre, .yaw = 0.6, .pitch = 0.16, .fov = 0.5};
    double across = atan(tan(0.5 * c.fov) * fmin(aspect, 1.0)); // half the narrower angle
    c.distance = 1.08 * bounds->radius / sin(across);
    return c;
}

draw_camera draw_camera_look(er_vec3 eye, er_vec3 target, er_vec3 up, double fov)
{
    er_vec3 front, side, away = er_v3_sub(eye, target);
    level_axes(up, &front, &side);
    double distance = er_v3_norm(away), x = er_v3_dot(away, side), z = er_v3_dot(away, front);
    return (draw_camera){.up = up,
                         .target = target,
                         .distance = distance > 0.0 ? distance : 1.0,
                         .yaw = atan2(x, z),
                         .pitch = atan2(er_v3_dot(away, up), hypot(x, z)),
                         .fov = fov};
}

double draw_camera_pixel(const draw_camera *c, int height, er_vec3 point)
{
    er_vec3 axis[3];
    draw_camera_axes(c, axis);
    double depth = c->distance - er_v3_dot(er_v3_sub(point, c->target), axis[2]);
    double unit = 2.0 * half_height(c) / height;
    return c->fov > 0.0 ? unit * fmax(depth, 1e-6 * c->distance) : unit;
}

bool draw_camera_project(const draw_camera *c, int width, int height, er_vec3 point, double pixel[2])
{
    er_vec3 axis[3];
    draw_camera_axes(c, axis);
    er_vec3 from = er_v3_sub(point, c->target);
    double depth = c->distance - er_v3_dot(from, axis[2]);
    if (c->fov > 0.0 && depth <= 1e-6 * c->distance) return false;
    double scale = 0.5 * height / (half_height(c) * (c->fov > 0.0 ? depth : 1.0));
    pixel[0] = 0.5 * width + scale * er_v3_dot(from, axis[0]);
    pixel[1] = 0.5 * height - scale * er_v3_dot(from, axis[1]);
    return true;
}

void draw_camera_ray(const draw_camera *c, int width, int height, double x, double y, er_vec3 *origin,
                     er_vec3 *direction)
{
    er_vec3 axis[3];
    draw_camera_axes(c, axis);
    double unit = 2.0 * half_height(c) / height;
    double right = (x - 0.5 * width) * unit, up = (0.5 * height - y) * unit;
    er_vec3 across = er_v3_madd(er_v3_scale(right, axis[0]), up, axis[1]);
    er_vec3 eye = er_v3_madd(c->target, c->distance, axis[2]), ahead = er_v3_scale(-1.0, axis[2]);
    *origin = c->fov > 0.0 ? eye : er_v3_add(eye, across);
    *direction = c->fov > 0.0 ? er_v3_unit(er_v3_add(ahead, across), ahead) : ahead;
}

void draw_camera_clip(const draw_camera *c, double aspect, er_vec3 origin, double near_depth, double far_depth,
                      float clip[16])
{
    er_vec3 axis[3];
    draw_camera_axes(c, axis);
    er_vec3 eye = er_v3_sub(er_v3_madd(c->target, c->distance, axis[2]), origin);
    double h = half_height(c), depth = far_depth - near_depth;
    bool flat = c->fov <= 0.0;
    for (int k = 0; k < 4; ++k) { // columns: what a step along x, y, z and the origin itself give
        er_vec3 v = k == 3 ? er_v3_scale(-1.0, eye) : er_v3(k == 0, k == 1, k == 2);
        double point = k == 3, ahead = -er_v3_dot(v, axis[2]);
        clip[4 * k + 0] = (float)(er_v3_dot(v, axis[0]) / (h * aspect));
        clip[4 * k + 1] = (float)(er_v3_dot(v, axis[1]) / h);
        clip[4 * k + 2] =
            flat ? (float)((2.0 * ahead - point * (far_depth + near_depth)) / depth)
                 : (float)((ahead * (far_depth + near_depth) - point * 2.0 * far_depth * near_depth) / depth);
        clip[4 * k + 3] = (float)(flat ? point : ahead);
    }
}
