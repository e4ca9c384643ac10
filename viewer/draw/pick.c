// Picking: the body, the point or the ring of the gizmo under a pixel.
#include "viewer/draw/camera.h"
#include "viewer/draw/gizmo.h"
#include "viewer/draw/model.h"
#include "viewer/draw/painter.h"

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

// How far along a ray a triangle lies; HUGE_VAL where it misses. Moeller and Trumbore, Fast, minimum storage
// ray-triangle intersection, 1997.
static double ray_triangle(er_vec3 origin, er_vec3 direction, const er_vec3 corner[3])
{
    er_vec3 a = er_v3_sub(corner[1], corner[0]), b = er_v3_sub(corner[2], corner[0]);
    er_vec3 p = er_v3_cross(direction, b), from = er_v3_sub(origin, corner[0]), q = er_v3_cross(from, a);
    double volume = er_v3_dot(a, p);
    if (volume == 0.0) return HUGE_VAL;
    double u = er_v3_dot(from, p) / volume, v = er_v3_dot(direction, q) / volume, away = er_v3_dot(b, q) / volume;
    return u >= 0.0 && v >= 0.0 && u + v <= 1.0 && away > 0.0 ? away : HUGE_VAL;
}

// The body that carries most of the corner that is nearest to a point.
static int carrier(const draw_model *m, const uint32_t *index, const er_vec3 corner[3], er_vec3 point)
{
    int best = 0;
    for (int k = 1; k < 3; ++k)
        if (er_v3_distance(corner[k], point) < er_v3_distance(corner[best], point)) best = k;
    int body = m->slot[m->vertex[index[best]].slot[0]].body;
    return body < m->model->body_count ? body : -1;
}

// @param faded  scenery is faded, so rays pass through it
static int pick_mesh(const draw_model *m, er_vec3 origin, er_vec3 direction, const er_pose *pose, bool faded,
                     er_vec3 *point)
{
    er_pose *displacement = m->painter->displacement;
    double nearest = HUGE_VAL;
    int best = -1;
    for (int b = 0; b < m->model->body_count; ++b)
        displacement[b] = model_displacement(m, pose, b);
    for (const batch *b = m->batch; b < m->batch + m->batch_count; ++b)
        for (int i = b->start; !(faded && b->scenery) && i < b->start + b->count; i += 3) {
            er_vec3 corner[3];
            for (int k = 0; k < 3; ++k)
                corner[k] = model_posed_point(m, displacement, &m->vertex[m->index[i + k]]);
            double away = ray_triangle(origin, direction, corner);
            if (away >= nearest) continue;
            nearest = away;
            *point = er_v3_madd(origin, away, direction);
            best = carrier(m, &m->index[i], corner, *point);
        }
    return best;
}

// The point of a bone that is nearest to a ray.
static er_vec3 point_of_bone(er_vec3 head, er_vec3 tip, er_vec3 origin, er_vec3 direction)
{
    er_vec3 bone = er_v3_sub(tip, head), across = er_v3_cross(bone, direction);
    er_vec3 normal = er_v3_cross(across, direction); // of the plane through the ray that holds what is across
    double along = er_v3_dot(bone, normal);
    double t = along != 0.0 ? er_v3_dot(er_v3_sub(origin, head), normal) / along : 0.0;
    return er_v3_madd(head, fmin(fmax(t, 0.0), 1.0), bone);
}

int draw_pick_point(const draw_model *m, const draw_camera *c, int width, int height, double x, double y,
                    const er_pose *pose, const draw_style *style, er_vec3 *point)
{
    er_vec3 origin, direction;
    draw_camera_ray(c, width, height, x, y, &origin, &direction);
    if (style->mesh && m->index_count > 0) return pick_mesh(m, origin, direction, pose, style->scenery < 1.0f, point);
    int body = draw_pick_body(m, c, width, height, x, y, pose);
    if (body < 0) return -1;
    er_pose frame = model_frame(m, pose, body);
    *point = point_of_bone(er_pose_point(frame, m->head[body]), er_pose_point(frame, m->tip[body]), origin, direction);
    return body;
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
