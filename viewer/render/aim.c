// The camera of a picture: fitted to the model, from the given view or the one that shows most motion.
#include "viewer/render/aim.h"

#include <math.h>

#define MARGIN 0.04 // of a picture, left free at each side
#define LEVEL 0.10  // rad: views from the side look down a little, so that the floor is seen

const char *render_view_name(render_view view)
{
    static const char *const name[RENDER_VIEW_COUNT] = {"best", "three-quarter", "side", "front", "top", "given"};
    return name[view];
}

// The direction of a view; fit_camera() sets the distance. All views but RENDER_VIEW_GIVEN turn with the front.
static draw_camera camera_from(er_vec3 up, double front, double aspect, render_view view, double yaw, double pitch)
{
    const draw_bounds somewhere = {.radius = 1.0};
    draw_camera c = draw_camera_frame(&somewhere, up, aspect); // three-quarter
    if (view == RENDER_VIEW_GIVEN) {
        c.yaw = yaw;
        c.pitch = pitch;
        return c;
    }
    if (view == RENDER_VIEW_SIDE) c.yaw = 0.5 * ER_PI;
    if (view == RENDER_VIEW_FRONT || view == RENDER_VIEW_TOP) c.yaw = 0.0;
    if (view == RENDER_VIEW_SIDE || view == RENDER_VIEW_FRONT) c.pitch = LEVEL;
    if (view == RENDER_VIEW_TOP) c.pitch = 0.5 * ER_PI;
    c.yaw += front;
    return c;
}

static er_vec3 seen(const er_vec3 axis[3], er_vec3 point)
{
    return er_v3(er_v3_dot(point, axis[0]), er_v3_dot(point, axis[1]), er_v3_dot(point, axis[2]));
}

// Moves the camera as near as all points allow. Near points take more of the picture, so its middle shifts with
// distance.
static void fit_camera(draw_camera *c, const outline *shown, double aspect)
{
    enum { ROUNDS = 8 };
    er_vec3 axis[3], low = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    draw_camera_axes(c, axis);
    for (size_t i = 0; i < shown->count; ++i)
        outline_widen(axis, shown->point[i], &low, &high);
    er_vec3 middle = er_v3_scale(0.5, er_v3_add(low, high));
    if (!er_v3_finite(er_v3_sub(high, low))) return; // no points, or infinite ones
    double size = er_v3_distance(low, high), up = tan(0.5 * c->fov) * (1.0 - 2.0 * MARGIN), right = up * aspect;
    double distance = fmax(size, 1e-9) / up;
    for (int round = 0; round < ROUNDS; ++round) {
        double edge[4] = {HUGE_VAL, -HUGE_VAL, HUGE_VAL, -HUGE_VAL}, needed = 0.0;
        for (size_t i = 0; i < shown->count; ++i) {
            er_vec3 p = er_v3_sub(seen(axis, shown->point[i]), middle);
            double depth = fmax(distance - p.z, 1e-3 * distance);
            edge[0] = fmin(edge[0], p.x / depth), edge[1] = fmax(edge[1], p.x / depth);
            edge[2] = fmin(edge[2], p.y / depth), edge[3] = fmax(edge[3], p.y / depth);
            needed = fmax(needed, p.z + fmax(fabs(p.x) / right, fabs(p.y) / up));
        }
        distance = fmax(needed, 1e-3 * size + 1e-9);
        if (round + 1 == ROUNDS) break; // the last distance belongs to this middle
        middle.x += 0.5 * (edge[0] + edge[1]) * distance;
        middle.y += 0.5 * (edge[2] + edge[3]) * distance;
    }
    c->target = er_v3_madd(er_v3_madd(er_v3_scale(middle.x, axis[0]), middle.y, axis[1]), middle.z, axis[2]);
    c->distance = distance;
}

draw_camera aim_camera(const outline *shown, er_vec3 up, double front, double aspect, render_view view, double yaw,
                       double pitch)
{
    draw_camera c = camera_from(up, front, aspect, view, yaw, pitch);
    fit_camera(&c, shown, aspect);
    return c;
}

double aim_yaw(er_vec3 up, er_vec3 forward)
{
    er_vec3 axis[3];
    draw_camera c = {.up = up};
    draw_camera_axes(&c, axis);
    return atan2(-er_v3_dot(forward, axis[2]), er_v3_dot(forward, axis[0]));
}

double aim_front(er_vec3 up, er_vec3 forward)
{
    return er_v3_norm(forward) > 0.0 ? aim_yaw(up, forward) + 0.5 * ER_PI : 0.0;
}

// The area that bones sweep on the picture: parallelograms of each bone and the paths of its ends.
static double sweep_of(const draw_camera *c, const outline *bones)
{
    er_vec3 axis[3];
    double sum = 0.0;
    size_t n = bones->count / 4; // heads and tips of one pose, then of the other
    draw_camera_axes(c, axis);
    for (size_t i = 0; i < 2 * n; ++i) {
        er_vec3 way = seen(axis, er_v3_sub(bones->point[i], bones->point[2 * n + i]));
        er_vec3 bone = seen(axis, er_v3_sub(bones->point[i % n], bones->point[n + i % n]));
        sum += fabs(way.x * bone.y - way.y * bone.x);
    }
    return sum;
}

render_view aim_best(er_vec3 up, double front, const outline *bones)
{
    // Shapes are harder to recognize from above.
    static const struct {
        render_view view;
        double favour;
    } views[] = {
        {RENDER_VIEW_SIDE, 1.0}, {RENDER_VIEW_FRONT, 1.0}, {RENDER_VIEW_THREE_QUARTER, 1.0}, {RENDER_VIEW_TOP, 0.6}};
    render_view best = RENDER_VIEW_THREE_QUARTER;
    double largest = 0.0;
    for (size_t i = 0; i < sizeof views / sizeof views[0]; ++i) {
        draw_camera c = camera_from(up, front, 1.0, views[i].view, 0.0, 0.0);
        double sweep = views[i].favour * sweep_of(&c, bones);
        if (sweep <= largest * 1.0001) continue; // the first of two that are equal
        largest = sweep;
        best = views[i].view;
    }
    return best;
}
