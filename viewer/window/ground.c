// Contacts of the simulation: options in the tab; contact points, forces and solids in the view.
#include <stdio.h>
#include <string.h>

#include "app/project/target.h"
#include "viewer/window/parts.h"

enum { ROUND = 16 }; // lines to a circle

#define MOST_FRICTION 2.0
#define MOST_HEIGHTS 3.0  // largest drop, over the model's size
#define POINT_SIZE 0.008  // of the model's size: half of the cross at a point
#define NORMAL_SIZE 0.05  // of the model's size
#define WEIGHT_SIZE 0.5   // of the model's size: length of a force equal to its weight
#define LONGEST_FORCE 1.0 // of the model's size

static const float colour_of_normal[4] = {0.25f, 0.70f, 0.95f, 0.9f};
static const float colour_of_force[4] = {0.98f, 0.62f, 0.12f, 0.95f};
static const float colour_of_island[][4] = { // in turn
    {0.35f, 0.85f, 0.45f, 0.55f}, {0.80f, 0.50f, 0.95f, 0.55f}, {0.95f, 0.55f, 0.40f, 0.55f},
    {0.30f, 0.80f, 0.85f, 0.55f}, {0.90f, 0.85f, 0.35f, 0.55f}, {0.95f, 0.50f, 0.75f, 0.55f}};
static const float colour_of_chosen[4] = {0.98f, 0.80f, 0.25f, 0.95f};

project_ground_def ground_def(const app *a)
{
    project_ground_def def = a->simulate.ground;
    def.statics = a->simulate.statics[0] != '\0' ? a->simulate.statics : NULL;
    return def;
}

bool ground_holds(const app *a)
{
    const project_ground_def def = ground_def(a);
    return project_has_floor(&def) || def.statics != NULL;
}

void ground_forget(app *a)
{
    er_rig_shapes_destroy(a->simulate.shapes);
    a->simulate.shapes = NULL;
}

void ground_end(app *a)
{
    draw_model_destroy(a->simulate.scenery);
    er_model_destroy(a->simulate.still);
    a->simulate.scenery = NULL;
    a->simulate.still = NULL;
}

// ---- the tab

static void scene(app *a)
{
    gui *g = a->gui;
    simulate_state *s = &a->simulate;
    const char *slash = strrchr(s->statics, '/');
    char label[160];
    if (s->statics[0] == '\0') {
        if (gui_button(g, "Scene to fall on ...")) files_show(a, DIALOG_STATIC_OPEN);
        gui_tooltip(g, "a file whose meshes stand still, from the start on; --static of simulate");
        return;
    }
    snprintf(label, sizeof label, "✕  %.120s##static", slash != NULL ? slash + 1 : s->statics);
    if (gui_button(g, label)) s->statics[0] = '\0';
}

static double total_mass(const er_model *model)
{
    double sum = 0.0;
    for (int b = 0; b < model->body_count; ++b)
        sum += model->body[b].mass;
    return sum;
}

static void contacts_text(app *a)
{
    const er_frame_contact *contact;
    int count = simulation_contacts(a->simulate.run, &contact);
    double sum = 0.0;
    char text[96];
    for (int k = 0; k < count; ++k)
        sum += fabs(er_v3_dot(contact[k].force, contact[k].normal));
    snprintf(text, sizeof text, "%d point%s with %.4g N; it weighs %.4g N", count, count == 1 ? " presses" : "s press",
             sum, a->simulate.gravity * total_mass(session_model(a->session)));
    gui_text_dim(a->gui, text);
}

// The number of islands, and of those that sleep.
static void islands_text(app *a)
{
    int count = session_model(a->session)->body_count, islands = 0, asleep = 0, seen = -1;
    char text[96];
    for (int b = 0; b < count; ++b) { // numbers ascend with bodies
        bool sleeps;
        int island = simulation_island(a->simulate.run, b, &sleeps);
        if (island <= seen) continue;
        seen = island;
        ++islands;
        asleep += sleeps;
    }
    if (islands == 0) return;
    if (islands == 1)
        snprintf(text, sizeof text, "%s", asleep ? "it is asleep" : "it is awake");
    else
        snprintf(text, sizeof text, "%d islands, %d of them asleep", islands, asleep);
    gui_text_dim(a->gui, text);
}

static bool sleep_switch(gui *g, project_ground_def *d)
{
    bool sleeps = d->sleep > 0.0, changed = gui_checkbox(g, "Falls asleep", &sleeps);
    gui_tooltip(
        g, "what hangs together and has been slow for a while stays where it is until something stirs it; --sleep of "
           "simulate");
    if (changed) d->sleep = sleeps ? project_default_ground_def().sleep : 0.0;
    return changed;
}

bool ground_fold(app *a)
{
    gui *g = a->gui;
    simulate_state *s = &a->simulate;
    project_ground_def *d = &s->ground;
    bool changed = gui_checkbox(g, "Ground", &d->floor);
    gui_tooltip(g, "a floor at the lowest point of where it begins; what touches it stays in touch, with friction");
    gui_slider(g, "Drop", &d->drop, 0.0, MOST_HEIGHTS * session_model(a->session)->size, "%.2f m", false);
    gui_tooltip(g, "the next run begins so much higher, above the floor");
    scene(a);
    changed |= gui_checkbox(g, "Its parts meet each other", &d->self_collision);
    changed |= gui_slider(g, "Friction", &d->friction, 0.0, MOST_FRICTION, "%.2f", false);
    changed |= gui_slider(g, "Restitution", &d->restitution, 0.0, 1.0, "%.2f", false);
    gui_tooltip(g, "parting over approaching speed");
    changed |= sleep_switch(g, d);
    gui_checkbox(g, "Contacts shown", &s->contacts);
    gui_tooltip(
        g, "points that touch, their normals in blue, forces in orange: half the model long where one bears all of it");
    gui_checkbox(g, "Solids shown", &s->solids);
    gui_tooltip(
        g, "the hulls and capsules that its parts meet others as; what hangs together has one colour, what sleeps a "
           "pale one");
    if (s->shown) contacts_text(a);
    if (s->shown) islands_text(a);
    return changed;
}

// ---- the view

void ground_style(const app *a, draw_style *style)
{
    double height;
    if (a->simulate.shown && simulation_floor(a->simulate.run, &height)) style->floor_height = height;
}

// The colour of a body's island; that of the first if it has none.
static void island_colour(const app *a, int body, float rgba[4])
{
    const size_t colours = sizeof colour_of_island / sizeof *colour_of_island;
    bool asleep = false;
    int island = a->simulate.shown && body >= 0 ? simulation_island(a->simulate.run, body, &asleep) : -1;
    memcpy(rgba, colour_of_island[island > 0 ? (size_t)island % colours : 0], sizeof *colour_of_island);
    if (asleep) rgba[3] *= 0.35f;
}

static void add_contact(app *a, const er_frame_contact *c, double weight)
{
    double size = session_model(a->session)->size;
    bool turned = c->body[1] < 0; // the static side pushes
    er_vec3 normal = er_v3_scale(turned ? -1.0 : 1.0, c->normal), force = er_v3_scale(turned ? -1.0 : 1.0, c->force);
    double length = fmin(WEIGHT_SIZE * er_v3_norm(force) / weight, LONGEST_FORCE) * size;
    float cross[4];
    er_vec3 ends[6], line[2] = {c->point, er_v3_madd(c->point, NORMAL_SIZE * size, normal)};
    for (int i = 0; i < 6; ++i)
        ends[i] = er_v3_madd(c->point, (i % 2 == 0 ? -POINT_SIZE : POINT_SIZE) * size,
                             er_v3(i / 2 == 0, i / 2 == 1, i / 2 == 2));
    painter_lines(a->painter, 1, line, colour_of_normal, (float)(1.5 * a->scale));
    island_colour(a, c->body[turned ? 0 : 1], cross);
    painter_lines(a->painter, 3, ends, cross, (float)(2.0 * a->scale));
    line[1] = er_v3_madd(c->point, length, er_v3_unit(force, normal));
    painter_lines(a->painter, 1, line, colour_of_force, (float)(3.0 * a->scale));
}

static void add_contacts(app *a)
{
    const er_frame_contact *contact;
    int count = simulation_contacts(a->simulate.run, &contact);
    double weight = simulation_default_def().gravity * total_mass(session_model(a->session));
    for (int k = 0; k < count; ++k)
        add_contact(a, &contact[k], weight);
}

static void add_solid_line(app *a, er_pose at, er_vec3 from, er_vec3 to, const float rgba[4])
{
    er_vec3 line[2] = {er_pose_point(at, from), er_pose_point(at, to)};
    painter_lines(a->painter, 1, line, rgba, (float)(1.2 * a->scale));
}

// Draws the edges that are visible from the eye.
static void add_hull(app *a, const er_hull *hull, er_pose at, er_vec3 eye, const float rgba[4])
{
    er_vec3 from = er_pose_point_inverse(at, eye);
    for (int e = 0; e < hull->edge_count; ++e) {
        const er_hull_edge *edge = &hull->edge[e];
        bool seen = false;
        for (int side = 0; side < 2; ++side) {
            const er_hull_plane *plane = &hull->plane[edge->face[side]];
            seen |= er_v3_dot(plane->normal, from) > plane->offset;
        }
        if (seen) add_solid_line(a, at, hull->vertex[edge->vertex[0]], hull->vertex[edge->vertex[1]], rgba);
    }
}

// A point of a capsule whose ends are round: circles about z at both ends, and two along z.
static er_vec3 on_capsule(const er_shape *shape, int circle, double angle)
{
    double x = shape->radius * cos(angle), y = shape->radius * sin(angle), half = 0.5 * shape->length;
    if (circle < 2) return er_v3(x, y, circle == 0 ? half : -half);
    double z = y + (y >= 0.0 ? half : -half);
    return circle == 2 ? er_v3(x, 0.0, z) : er_v3(0.0, x, z);
}

static void add_capsule(app *a, const er_shape *shape, er_pose at, const float rgba[4])
{
    for (int circle = 0; circle < 4; ++circle)
        for (int k = 0; k < ROUND; ++k) {
            double from = 2.0 * ER_PI * (k - 0.5) / ROUND, to = 2.0 * ER_PI * (k + 0.5) / ROUND;
            add_solid_line(a, at, on_capsule(shape, circle, from), on_capsule(shape, circle, to), rgba);
        }
}

static void add_solids(app *a)
{
    simulate_state *s = &a->simulate;
    const draw_camera *camera = &a->view.camera;
    er_vec3 axis[3];
    if (s->shapes == NULL &&
        !check(a, er_rig_shapes_create(a->context, session_model(a->session), session_rig(a->session), &s->shapes))) {
        s->solids = false;
        return;
    }
    draw_camera_axes(camera, axis);
    er_vec3 eye = er_v3_madd(camera->target, camera->distance, axis[2]);
    for (int i = 0; i < s->shapes->count; ++i) {
        const er_body_shape *b = &s->shapes->shape[i];
        er_pose at = er_pose_mul(a->pose[b->body], b->pose);
        float rgba[4];
        island_colour(a, b->body, rgba);
        if (b->body == a->view.selected) memcpy(rgba, colour_of_chosen, sizeof rgba);
        if (b->shape.kind == ER_SHAPE_HULL)
            add_hull(a, b->shape.hull, at, eye, rgba);
        else
            add_capsule(a, &b->shape, at, rgba);
    }
}

// The whole scene belongs to one body, which does not move.
static er_result make_scenery(app *a, const er_scene *scene)
{
    simulate_state *s = &a->simulate;
    project_target target = {0};
    const er_body body = {.pose = er_pose_identity(), .mass = 1.0, .inertia = er_m3_identity()};
    er_model_def def = er_default_model_def();
    def.body_count = 1;
    def.body = &body;
    er_result r = er_model_create(a->context, &def, &s->still);
    if (r == ER_OK) r = project_target_set_static(a->context, scene, &target);
    if (r == ER_OK) r = draw_model_create(a->painter, &target.target, s->still, &s->scenery);
    project_target_clear(&target);
    return r;
}

static void add_scenery(app *a)
{
    simulate_state *s = &a->simulate;
    er_pose turn = er_pose_identity();
    const er_scene *scene = simulation_scene(s->run, &turn.q);
    if (scene == NULL || (s->still == NULL && !check(a, make_scenery(a, scene))) || s->scenery == NULL) return;
    draw_figure figure = draw_default_figure();
    figure.pose = &turn;
    painter_add(a->painter, s->scenery, &figure);
}

void ground_draw(app *a)
{
    const simulate_state *s = &a->simulate;
    if (s->shown) add_scenery(a);
    if (s->solids) add_solids(a);
    if (s->contacts && s->shown) add_contacts(a);
}
