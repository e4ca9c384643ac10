// The 3D view: camera, picking of joints, the gizmo, and what is drawn.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "viewer/render/aim.h"
#include "viewer/window/parts.h"

static bool is_inside(const rectangle *r, const double point[2])
{
    return point[0] >= r->x && point[1] >= r->y && point[0] < r->x + r->width && point[1] < r->y + r->height;
}

void view_reset(app *a)
{
    a->view.framed = false;
    a->view.was_seen = a->view.was_followed = false;
    a->view.selected = -1;
    a->view.gizmo = false;
    a->view.drag = DRAG_NONE;
    a->view.hot = -1;
}

void view_frame_all(app *a)
{
    view *v = &a->view;
    if (a->model == NULL || v->place.width < 1.0 || v->place.height < 1.0) return;
    draw_bounds bounds = draw_model_bounds(a->model, v->framed ? a->pose : NULL);
    const er_scene *scene = session_target(a->session)->scene;
    draw_camera camera = draw_camera_frame(&bounds, scene->up, v->place.width / v->place.height);
    camera.yaw += aim_front(scene->up, scene->forward);
    if (v->framed) { // the user has chosen the direction
        camera.yaw = v->camera.yaw;
        camera.pitch = v->camera.pitch;
        camera.fov = v->camera.fov;
    }
    v->camera = camera;
    v->framed = true;
}

// The frame of the gizmo: that of the selected body at equilibrium.   @return false: there is no gizmo
static bool gizmo_frame(const app *a, er_pose *frame)
{
    if (!a->view.gizmo || a->view.selected < 0) return false;
    *frame = session_model(a->session)->body[a->view.selected].pose;
    return true;
}

static void orbit(view *v, double dx, double dy)
{
    v->camera.yaw -= 0.008 * dx;
    v->camera.pitch += 0.008 * dy;
    v->camera.pitch = fmin(fmax(v->camera.pitch, -0.499 * ER_PI), 0.499 * ER_PI);
}

// Length of a point of the screen at the target, m.
static double point_size(const view *v)
{
    double fov = v->camera.fov > 0.0 ? v->camera.fov : 0.6;
    return 2.0 * v->camera.distance * tan(0.5 * fov) / fmax(v->place.height, 1.0);
}

static void pan(view *v, double dx, double dy)
{
    er_vec3 axis[3];
    draw_camera_axes(&v->camera, axis);
    double s = point_size(v);
    v->camera.target = er_v3_madd(er_v3_madd(v->camera.target, -s * dx, axis[0]), s * dy, axis[1]);
}

// Moves nearer or farther; the point under the pointer stays there.
static void zoom(view *v, double steps)
{
    double factor = pow(0.9, steps);
    er_vec3 axis[3];
    draw_camera_axes(&v->camera, axis);
    double s = point_size(v) * (1.0 - factor);
    double x = v->pointer[0] - (v->place.x + 0.5 * v->place.width);
    double y = v->pointer[1] - (v->place.y + 0.5 * v->place.height);
    double nearer = v->camera.distance * factor;
    if (!(nearer > 1e-6 && nearer < 1e9)) return;
    v->camera.distance = nearer;
    v->camera.target = er_v3_madd(er_v3_madd(v->camera.target, s * x, axis[0]), -s * y, axis[1]);
}

static void turn_joint(app *a, const double to[2])
{
    view *v = &a->view;
    er_pose frame;
    double before[2], after[2];
    if (!gizmo_frame(a, &frame) || v->hot < 0) return;
    view_pointer(a, v->pointer, before);
    view_pointer(a, to, after);
    int width = view_pixels(a, v->place.width), height = view_pixels(a, v->place.height);
    double angle = draw_gizmo_angle(&v->camera, width, height, &frame, v->hot, before, after);
    er_vec3 axis = er_q_rotate(frame.q, er_v3(v->hot == 0, v->hot == 1, v->hot == 2));
    check(a, session_rotate(a->session, v->selected, er_v3_scale(angle, axis), false));
}

static void pointer_moved(app *a, const double to[2])
{
    view *v = &a->view;
    double dx = to[0] - v->pointer[0], dy = to[1] - v->pointer[1];
    if (fabs(to[0] - v->pressed[0]) + fabs(to[1] - v->pressed[1]) > 4.0) v->moved = true;
    if (v->drag == DRAG_ORBIT && v->moved) orbit(v, dx, dy);
    if (v->drag == DRAG_PAN) pan(v, dx, dy);
    if (v->drag == DRAG_GIZMO) turn_joint(a, to);
    if (v->drag == DRAG_ZOOM) {
        double nearer = v->camera.distance * pow(0.99, -dy);
        if (nearer > 1e-6 && nearer < 1e9) v->camera.distance = nearer;
    }
    memcpy(v->pointer, to, sizeof v->pointer);
}

static void select_joint(app *a)
{
    view *v = &a->view;
    if (a->model == NULL) return;
    double pixel[2];
    view_pointer(a, v->pressed, pixel);
    v->selected = draw_pick_body(a->model, &v->camera, view_pixels(a, v->place.width), view_pixels(a, v->place.height),
                                 pixel[0], pixel[1], v->gizmo ? NULL : a->pose);
}

static void button_down(app *a, const gui_event *event)
{
    view *v = &a->view;
    if (!v->inside || v->drag != DRAG_NONE || a->model == NULL) return;
    bool shift = (event->modifiers & GUI_SHIFT) != 0;
    memcpy(v->pressed, v->pointer, sizeof v->pressed);
    v->moved = false;
    if (event->button == 0)
        v->drag = v->hot >= 0 ? DRAG_GIZMO : shift ? DRAG_PAN : simulate_grab(a) ? DRAG_PULL : DRAG_ORBIT;
    if (event->button == 1) v->drag = DRAG_ZOOM;
    if (event->button == 2) v->drag = DRAG_PAN;
}

void view_release(app *a)
{
    if (a->view.drag == DRAG_GIZMO) session_commit(a->session);
    if (a->view.drag == DRAG_PULL) simulate_release(a);
    a->view.drag = DRAG_NONE;
}

static void button_up(app *a)
{
    if ((a->view.drag == DRAG_ORBIT || a->view.drag == DRAG_PULL) && !a->view.moved) select_joint(a);
    view_release(a);
}

void view_event(app *a, const gui_event *event)
{
    view *v = &a->view;
    double to[2] = {event->x, event->y};
    switch (event->kind) {
    case GUI_MOUSE_MOVE:
        pointer_moved(a, to);
        break;
    case GUI_MOUSE_BUTTON:
        if (event->down)
            button_down(a, event);
        else
            button_up(a);
        break;
    case GUI_SCROLL:
        if (v->inside && v->framed) zoom(v, event->y);
        break;
    default:
        break;
    }
}

// Finds the ring under the pointer.
static void find_hot_ring(app *a)
{
    view *v = &a->view;
    er_pose frame;
    double pixel[2];
    v->inside = !gui_wants_mouse(a->gui) && is_inside(&v->place, v->pointer);
    if (v->drag == DRAG_GIZMO) return;
    v->hot = -1;
    if (!v->inside || !gizmo_frame(a, &frame)) return;
    view_pointer(a, v->pointer, pixel);
    v->hot = draw_pick_gizmo(&v->camera, view_pixels(a, v->place.width), view_pixels(a, v->place.height), pixel[0],
                             pixel[1], &frame);
}

bool app_select_joint(app *a, int body, double point[2])
{
    view *v = &a->view;
    er_pose frame;
    double pixel[2];
    int width = view_pixels(a, v->place.width), height = view_pixels(a, v->place.height);
    if (a->model == NULL || body < 0 || body >= session_model(a->session)->body_count) return false;
    v->gizmo = true;
    v->selected = body;
    if (!gizmo_frame(a, &frame) || !draw_camera_project(&v->camera, width, height, frame.p, pixel)) return false;
    for (int up = height; up > 0; --up) // the outermost ring above the joint
        if (draw_pick_gizmo(&v->camera, width, height, pixel[0], pixel[1] - up, &frame) >= 0) {
            point[0] = v->place.x + pixel[0] / a->scale;
            point[1] = v->place.y + (pixel[1] - up) / a->scale;
            return true;
        }
    return false;
}

// The camera goes with the centre of mass.
static void follow(app *a, bool follows)
{
    view *v = &a->view;
    const er_model *model = session_model(a->session);
    er_vec3 sum = er_v3(0, 0, 0);
    double mass = 0.0;
    for (int i = 0; i < model->body_count; ++i) {
        er_vec3 at = er_v3_add(er_q_rotate(a->pose[i].q, model->body[i].com), a->pose[i].p);
        sum = er_v3_madd(sum, model->body[i].mass, at);
        mass += model->body[i].mass;
    }
    er_vec3 centre = er_v3_scale(1.0 / mass, sum);
    if (follows && v->was_seen) v->camera.target = er_v3_add(v->camera.target, er_v3_sub(centre, v->followed));
    v->followed = centre;
    v->was_seen = true;
}

// A line from the pulled point to the pointer.
static void add_pull(app *a)
{
    static const float rgba[4] = {0.95f, 0.45f, 0.30f, 0.9f};
    er_vec3 ends[2];
    if (a->simulate.shown && simulation_get_pull(a->simulate.run, &ends[0], &ends[1]))
        painter_lines(a->painter, 1, ends, rgba, (float)(2.5 * a->scale));
}

static void add_ghosts(app *a)
{
    if (!a->view.ghosts || a->simulate.shown || a->gait.shown >= 0 || a->palette.mode < 0) return;
    for (int side = -1; side <= 1; side += 2) {
        draw_figure ghost = draw_default_figure();
        if (session_mode_pose(a->session, a->palette.mode, 20.0, side * 0.5 * ER_PI, a->ghost) != ER_OK) return;
        ghost.pose = a->ghost;
        ghost.opacity = 0.22f;
        painter_add(a->painter, a->model, &ghost);
    }
}

// @return whether the target was drawn anew
static bool draw_scene(app *a, draw_target *target, int width, int height, bool draft)
{
    view *v = &a->view;
    er_pose frame;
    draw_style style = v->style;
    style.draft = draft;
    style.skeleton |= v->gizmo;
    ground_style(a, &style);
    style.shadow &= !simulate_is_free(a) || ground_holds(a); // else it falls through the floor
    painter_begin(a->painter, target, 0, 0, width, height, &v->camera, &style);
    if (a->model != NULL) {
        draw_figure figure = draw_default_figure();
        figure.pose = v->gizmo ? NULL : a->pose;
        figure.selected = v->selected;
        painter_add(a->painter, a->model, &figure);
        add_ghosts(a);
        ground_draw(a);
        add_pull(a);
        if (gizmo_frame(a, &frame)) painter_gizmo(a->painter, &frame, v->hot);
    }
    return painter_end(a->painter);
}

// @param y  points below the upper edge of the view
static void draw_caption(app *a, double y, bool large, const char *text)
{
    static const float bright[4] = {0.92f, 0.94f, 0.97f, 0.95f}, faint[4] = {0.92f, 0.94f, 0.97f, 0.6f};
    static const float ink[4] = {0.12f, 0.14f, 0.18f, 0.95f}, pale[4] = {0.12f, 0.14f, 0.18f, 0.6f};
    const rectangle *place = &a->view.place;
    gui_draw_text(a->gui, place->x + 18.0, place->y + y, large ? 22.0 : 13.0,
                  large ? (a->dark ? bright : ink) : (a->dark ? faint : pale), text);
}

static void draw_captions(app *a)
{
    const view *v = &a->view;
    const palette_state *p = &a->palette;
    const session_setup *setup = session_get(a->session);
    double top = 14.0, below = 44.0, bottom = v->place.height - 28.0;
    char text[320];
    if (a->simulate.shown) {
        draw_caption(a, top, true, "simulation");
        if (!simulate_write_pace(a, text, sizeof text)) simulate_write_time(a, text, sizeof text);
        draw_caption(a, below, false, text);
    } else if (a->gait.shown >= 0) {
        draw_caption(a, top, true, session_gait_name(a->session, a->gait.shown));
    } else if (setup->over[0] != '\0') {
        snprintf(text, sizeof text, setup->component_count > 0 ? "mix over %.200s" : "%.200s", setup->over);
        draw_caption(a, top, true, text);
    } else if (setup->component_count == 1 && p->mode >= 0 && setup->component[0].mode == p->mode &&
               p->mode < p->first_mode + p->text_count) {
        draw_caption(a, top, true, p->text[p->mode - p->first_mode].title);
        draw_caption(a, below, false, p->text[p->mode - p->first_mode].movers);
    } else if (setup->component_count > 1) {
        snprintf(text, sizeof text, "mix of %d modes", setup->component_count);
        draw_caption(a, top, true, setup->mix_name[0] != '\0' ? setup->mix_name : text);
    }
    if (v->selected >= 0) {
        snprintf(text, sizeof text, "%s%s", session_model(a->session)->body[v->selected].name,
                 v->gizmo ? "   drag a ring to turn it" : "   R turns it, Tuning tunes it");
        draw_caption(a, bottom, false, text);
    } else if (v->gizmo) {
        draw_caption(a, bottom, false, "click a joint to turn it");
    }
}

static bool make_target(app *a, draw_target **target, int width, int height, int samples)
{
    return check(a, *target == NULL ? draw_target_create(a->painter, width, height, samples, target)
                                    : draw_target_resize(*target, width, height));
}

// If the processor draws, moving pictures are drafts of half the size. A picture that has not changed for some frames
// is drawn once in full.   @return whether the draft is shown
static bool draw_draft(app *a, int width, int height)
{
    enum { STILL = 3 };
    view *v = &a->view;
    width = (width + 1) / 2;
    height = (height + 1) / 2;
    if (!make_target(a, &v->draft, width, height, 1)) return false;
    v->still = draw_scene(a, v->draft, width, height, true) ? 0 : v->still + 1;
    return v->still < STILL || v->drag != DRAG_NONE;
}

void view_draw(app *a)
{
    view *v = &a->view;
    int width = view_pixels(a, v->place.width), height = view_pixels(a, v->place.height);
    if (!make_target(a, &v->target, width, height, 4)) return;
    if (!v->framed) view_frame_all(a);
    find_hot_ring(a);
    bool follows = a->model != NULL && (v->follow || simulate_is_free(a) || (a->gait.shown >= 0 && a->gait.travels));
    if (a->model != NULL) follow(a, follows || v->was_followed); // once more at the end, back to the mix
    v->was_followed = follows;
    bool draft = painter_is_software(a->painter) && !a->pictured && draw_draft(a, width, height);
    if (!draft) draw_scene(a, v->target, width, height, false);
    gui_draw_image(a->gui, draw_target_texture(draft ? v->draft : v->target), v->place.x, v->place.y, v->place.width,
                   v->place.height);
    if (a->model != NULL) draw_captions(a);
}

void view_destroy(app *a)
{
    draw_target_destroy(a->view.target);
    draw_target_destroy(a->view.draft);
}
