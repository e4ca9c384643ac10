// What lies under a pixel.
#include "viewer/draw/camera.h"
#include "viewer/draw/gizmo.h"
#include "viewer/draw/model.h"

static const double reach = 12.0, ring_reach = 9.0, as_near = 3.0; // pixels

// Pixels from a point to a segment.
static double distance_to(const double at[2], const double a[2], const double b[2])
{
    double x = b[0] - a[0], y = b[1] - a[1], size2 = x * x + y * y;
    double t = size2 > 0.0 ? ((at[0] - a[0]) * x + (at[1] - a[1]) * y) / size2 : 0.0;
    t = fmin(fmax(t, 0.0), 1.0);
    return hypot(at[0] - a[0] - t * x, at[1] - a[1] - t * y);
}

// A camera with the size of its picture, and a pixel in it.
typedef struct look_at {
    const draw_camera *camera;
    int width, height;
    double pixel[2];
} look_at;

static double segment_distance(const look_at *l, er_vec3 from, er_vec3 to)
{
    double a[2], b[2];
    if (!draw_camera_project(l->camera, l->width, l->height, from, a) ||
        !draw_camera_project(l->camera, l->width, l->height, to, b))
        return HUGE_VAL;
    return distance_to(l->pixel, a, b);
}

static double bone_distance(const look_at *l, const draw_model *m, const er_pose *pose, int body, double *height)
{
    er_vec3 axis[3];
    er_pose frame = model_frame(m, pose, body);
    er_vec3 head = er_pose_point(frame, m->head[body]), tip = er_pose_point(frame, m->tip[body]);
    draw_camera_axes(l->camera, axis);
    *height = 0.5 * er_v3_dot(er_v3_add(head, tip), axis[2]);
    return segment_distance(l, head, tip);
}

int draw_pick_body(const draw_model *m, const draw_camera *c, int width, int height, double x, double y,
                   const er_pose *pose)
{
    look_at l = {c, width, height, {x, y}};
    double nearest = reach, front = -HUGE_VAL, depth;
    int best = -1;
    for (int b = 0; b < m->model->body_count; ++b)
        nearest = fmin(nearest, bone_distance(&l, m, pose, b, &depth));
    for (int b = 0; b < m->model->body_count; ++b) {
        double away = bone_distance(&l, m, pose, b, &depth);
        if (away > fmin(nearest + as_near, reach) || depth <= front) continue;
        front = depth;
        best = b;
    }
    return best;
}

int draw_pick_gizmo(const draw_camera *c, int width, int height, double x, double y, const er_pose *frame)
{
    look_at l = {c, width, height, {x, y}};
    double radius = gizmo_radius(c, height, frame->p), nearest = ring_reach;
    int best = -1;
    for (int ring = 0; ring < 3; ++ring)
        for (int i = 0; i < GIZMO_STEPS; ++i) {
            double away =
                segment_distance(&l, gizmo_point(frame, radius, ring, i), gizmo_point(frame, radius, ring, i + 1));
            if (away >= nearest) continue;
            nearest = away;
            best = ring;
        }
    return best;
}
