// Points of the window as pixels and rays of the view, and the point of the model there.
#include <math.h>

#include "viewer/window/parts.h"

int view_pixels(const app *a, double points)
{
    double pixels = floor(points * a->scale + 0.5);
    return pixels < 1.0 ? 1 : pixels > 16384.0 ? 16384 : (int)pixels;
}

void view_pointer(const app *a, const double point[2], double pixel[2])
{
    pixel[0] = (point[0] - a->view.place.x) * a->scale;
    pixel[1] = (point[1] - a->view.place.y) * a->scale;
}

void view_ray(const app *a, const double place[2], er_vec3 *origin, er_vec3 *direction)
{
    const view *v = &a->view;
    double pixel[2];
    view_pointer(a, place, pixel);
    draw_camera_ray(&v->camera, view_pixels(a, v->place.width), view_pixels(a, v->place.height), pixel[0], pixel[1],
                    origin, direction);
}

int view_pick_point(const app *a, const double place[2], er_vec3 *point)
{
    const view *v = &a->view;
    double pixel[2];
    view_pointer(a, place, pixel);
    return draw_pick_point(a->model, &v->camera, view_pixels(a, v->place.width), view_pixels(a, v->place.height),
                           pixel[0], pixel[1], a->pose, &v->style, point);
}
