// The tab Look: parts that are drawn, light, colours.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "viewer/window/parts.h"

void set_window_theme(app *a, bool dark)
{
    draw_style fresh = draw_default_style(dark), *style = &a->view.style;
    a->dark = dark;
    gui_set_theme(a->gui, dark);
    if (a->frame == 0) *style = fresh;
    memcpy(style->background, fresh.background, sizeof fresh.background);
    memcpy(style->grid, fresh.grid, sizeof fresh.grid);
    memcpy(style->wire, fresh.wire, sizeof fresh.wire);
    memcpy(style->bone, fresh.bone, sizeof fresh.bone);
    memcpy(style->selected, fresh.selected, sizeof fresh.selected);
    memcpy(style->clay, fresh.clay, sizeof fresh.clay);
}

static void angle(app *a, const char *label, float *radians, double low, double high)
{
    double degrees = (double)*radians * 180.0 / ER_PI;
    if (gui_slider(a->gui, label, &degrees, low, high, "%.0f°", false)) *radians = (float)(degrees * ER_PI / 180.0);
}

// Meshes that no body moves are faded, left out, or drawn like others.
static void scenery(app *a)
{
    double percent = 100.0 * (double)a->view.style.scenery;
    if (gui_slider(a->gui, "Scenery", &percent, 0.0, 100.0, "%.0f %%", false))
        a->view.style.scenery = (float)(percent / 100.0);
    gui_tooltip(a->gui, "meshes that no bone moves: how solid they are");
}

static void shown(app *a)
{
    static const char *const surfaces[] = {"shaded", "wireframe", "points"};
    gui *g = a->gui;
    draw_style *l = &a->view.style;
    int surface = (int)l->surface;
    if (gui_choice(g, "Surface", surfaces, 3, &surface)) l->surface = (draw_surface)surface;
    gui_checkbox(g, "Mesh", &l->mesh);
    if (a->model != NULL && draw_model_has_scenery(a->model)) scenery(a);
    gui_checkbox(g, "Skeleton", &l->skeleton);
    gui_checkbox(g, "Joint axes", &l->axes);
    gui_checkbox(g, "Loops", &l->loops);
    gui_checkbox(g, "Centre of mass", &l->mass_centre);
    gui_checkbox(g, "Extremes as ghosts", &a->view.ghosts);
    gui_checkbox(g, "Floor", &l->floor);
    gui_checkbox(g, "Shadow", &l->shadow);
}

static void camera(app *a)
{
    gui *g = a->gui;
    double degrees = a->view.camera.fov * 180.0 / ER_PI;
    if (gui_slider(g, "Field of view", &degrees, 0.0, 90.0, degrees > 0.0 ? "%.0f°" : "parallel", false)) {
        // Keep the size of the model in the picture.
        double old = a->view.camera.fov > 0.0 ? a->view.camera.fov : 0.6;
        double fov = degrees < 1.0 ? 0.0 : degrees * ER_PI / 180.0;
        a->view.camera.distance *= tan(0.5 * old) / tan(0.5 * (fov > 0.0 ? fov : 0.6));
        a->view.camera.fov = fov;
    }
    gui_checkbox(g, "Follow the centre of mass", &a->view.follow);
    if (gui_button(g, "Frame all")) view_frame_all(a);
}

static void material(app *a)
{
    gui *g = a->gui;
    draw_style *l = &a->view.style;
    bool clay = !l->textures;
    if (gui_checkbox(g, "Clay", &clay)) l->textures = !clay;
    gui_colour(g, "Clay colour", l->clay);
    gui_colour(g, "Wires", l->wire);
    gui_colour(g, "Bones", l->bone);
    gui_colour(g, "Sky", l->background[0]);
    gui_colour(g, "Ground", l->background[1]);
    gui_colour(g, "Grid", l->grid);
}

static void light(app *a)
{
    draw_style *l = &a->view.style;
    double exposure = (double)l->exposure;
    angle(a, "Sun, round", &l->light_yaw, -180.0, 180.0);
    angle(a, "Sun, height", &l->light_pitch, 5.0, 90.0);
    if (gui_slider(a->gui, "Exposure", &exposure, 0.2, 4.0, "%.2f", true)) l->exposure = (float)exposure;
}

void display_tab(app *a)
{
    gui *g = a->gui;
    bool light_theme = !a->dark;
    if (gui_checkbox(g, "Light theme", &light_theme)) set_window_theme(a, !light_theme);
    if (gui_fold(g, "Shown", true)) shown(a);
    if (gui_fold(g, "Light", true)) light(a);
    if (gui_fold(g, "Material and colours", true)) material(a);
    if (gui_fold(g, "Camera", true)) camera(a);
}
