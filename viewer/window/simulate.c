// The tab of the simulation: run, pull, replay, export.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/project/project_simulate.h"
#include "viewer/window/parts.h"

#define FRAME (1.0 / SIMULATION_FPS)
#define MOST_GRAVITY 30.0 // m/s^2, of the slider

static const char *const energy_name[] = {"kinetic", "potential", "elastic"};
static const float energy_colour[2][3][3] = { // on light ground, and on dark
    {{0.74f, 0.40f, 0.05f}, {0.10f, 0.42f, 0.74f}, {0.16f, 0.52f, 0.18f}},
    {{0.95f, 0.62f, 0.25f}, {0.36f, 0.68f, 0.95f}, {0.48f, 0.80f, 0.45f}}};

static simulation_def def_of(const app *a)
{
    const simulate_state *s = &a->simulate;
    return (simulation_def){.gravity = s->falls ? s->gravity : 0.0,
                            .limits = s->limits,
                            .held = s->held,
                            .follow = s->follow,
                            .ground = ground_def(a)};
}

void simulate_create(app *a)
{
    a->simulate = (simulate_state){.falls = true,
                                   .gravity = simulation_default_def().gravity,
                                   .ground = project_default_ground_def(),
                                   .contacts = true,
                                   .grabbed = -1};
}

void simulate_leave(app *a)
{
    simulate_state *s = &a->simulate;
    a->gait.shown = -1;
    if (s->run != NULL) simulation_release(s->run);
    s->shown = s->playing = false;
    s->owed = 0.0;
    s->grabbed = -1;
}

void simulate_reset(app *a)
{
    simulate_leave(a);
    ground_end(a);
    simulation_destroy(a->simulate.run);
    a->simulate.run = NULL;
}

void simulate_destroy(app *a)
{
    simulate_reset(a);
    ground_forget(a);
    free(a->simulate.held);
    a->simulate.held = NULL;
}

// Shows the simulation; starts one from the pose on screen if there is none.
static bool show(app *a)
{
    simulate_state *s = &a->simulate;
    if (a->model == NULL) return false;
    if (s->run == NULL) {
        const simulation_def def = def_of(a);
        if (!check(a, simulation_create(a->session, &def, a->clock.time, &s->run))) return false;
    }
    a->view.gizmo = false;
    return s->shown = true;
}

void simulate_play(app *a)
{
    simulate_state *s = &a->simulate;
    bool playing = s->shown && s->playing;
    if (!show(a)) return;
    if (!playing && simulation_is_over(s->run) && simulation_time(s->run) >= simulation_length(s->run))
        simulation_show(s->run, 0.0); // it is over: show it again
    s->playing = !playing;
    s->owed = 0.0;
}

bool simulate_run(app *a, simulation *run)
{
    if (run == NULL) return false;
    simulate_reset(a);
    a->simulate.run = run;
    a->simulate.playing = show(a);
    return true;
}

void simulate_step(app *a, int frames)
{
    simulate_state *s = &a->simulate;
    if (!show(a)) return;
    s->playing = false;
    if (frames > 0)
        s->owed += frames * FRAME;
    else
        simulation_show(s->run, simulation_time(s->run) + frames * FRAME);
}

void simulate_go(app *a, double time)
{
    simulate_state *s = &a->simulate;
    s->playing = false;
    s->owed = 0.0;
    simulation_show(s->run, time);
}

// ---- with the session

static void change(app *a)
{
    simulate_state *s = &a->simulate;
    const simulation_def def = def_of(a);
    if (s->run != NULL) check(a, simulation_change(s->run, a->session, &def));
}

// Other bodies end the simulation; other springs act from now on.
void simulate_follow(app *a, bool other_bodies, bool other_places)
{
    simulate_state *s = &a->simulate;
    if (other_bodies || other_places) ground_forget(a);
    if (other_bodies || s->held == NULL) {
        free(s->held);
        s->held = calloc((size_t)session_model(a->session)->body_count, sizeof *s->held);
    }
    if (s->run == NULL) return;
    const simulation_def def = def_of(a);
    if (!other_bodies && !other_places && simulation_change(s->run, a->session, &def) == ER_OK) return;
    simulate_reset(a);
    if (a->opened) message_add(a, MESSAGE_NOTE, "the rig is another one now: its simulation has ended");
}

// ---- time

// Pulls the grabbed point to the pointer, in the plane through it that faces the camera.
static void pull(app *a)
{
    simulate_state *s = &a->simulate;
    er_vec3 axis[3], origin, direction;
    if (s->grabbed < 0) return;
    view_ray(a, a->view.pointer, &origin, &direction);
    draw_camera_axes(&a->view.camera, axis);
    double away = s->depth - er_v3_dot(origin, axis[2]), along = er_v3_dot(direction, axis[2]);
    if (fabs(along) > 1e-9)
        simulation_pull(s->run, s->grabbed, s->grab_point, er_v3_madd(origin, away / along, direction));
}

void simulate_advance(app *a, double seconds)
{
    simulate_state *s = &a->simulate;
    double wait = app_wait_limit(a, fmin(fmax(0.5 * seconds, 0.008), 0.25));
    if (s->run == NULL) return;
    pull(a);
    if (s->playing) simulation_play(s->run, a->clock.speed * fmin(seconds, 0.5), wait);
    if (!s->playing) s->owed = fmax(s->owed - simulation_play(s->run, s->owed, wait), 0.0);
    if (s->owed < 1e-9) s->owed = 0.0;
    const char *said = simulation_error(s->run);
    if (said[0] != '\0') message_add(a, MESSAGE_ERROR, said);
    if (!simulation_is_over(s->run) || simulation_time(s->run) < simulation_length(s->run)) return;
    s->playing = false;
    s->owed = 0.0;
}

bool simulate_is_free(const app *a)
{
    const simulate_state *s = &a->simulate;
    const er_model *model = session_model(a->session);
    bool is_free = s->shown;
    for (int b = 0; is_free && b < model->body_count; ++b)
        is_free = !s->held[b];
    return is_free && session_get(a->session)->root == ER_ROOT_FREE;
}

// ---- the mouse

bool simulate_grab(app *a)
{
    simulate_state *s = &a->simulate;
    er_vec3 point, axis[3];
    bool now = s->shown && s->playing && simulation_time(s->run) > simulation_length(s->run) - 2.0 * FRAME;
    int body = now ? view_pick_point(a, a->view.pointer, &point) : -1;
    if (body < 0 || s->held[body]) return false;
    draw_camera_axes(&a->view.camera, axis);
    s->grabbed = body;
    s->grab_point = er_pose_point_inverse(a->pose[body], point);
    s->depth = er_v3_dot(point, axis[2]);
    return true;
}

void simulate_release(app *a)
{
    a->simulate.grabbed = -1;
    if (a->simulate.run != NULL) simulation_release(a->simulate.run);
}

// ---- texts and curves

int simulate_curves(app *a, gui_curve curve[3])
{
    simulate_state *s = &a->simulate;
    float *row[3] = {s->curve[0], s->curve[1], s->curve[2]};
    simulation_curves(s->run, SIMULATE_POINTS, row); // or they stay as in the previous frame
    for (int k = 0; k < 3; ++k) {
        curve[k].value = row[k];
        memcpy(curve[k].rgb, energy_colour[a->dark][k], sizeof curve[k].rgb);
    }
    return 3;
}

void simulate_write_time(const app *a, char *text, size_t size)
{
    const simulate_state *s = &a->simulate;
    snprintf(text, size, "%.2f of %.2f s", simulation_time(s->run), simulation_length(s->run));
}

bool simulate_write_pace(const app *a, char *text, size_t size)
{
    const simulate_state *s = &a->simulate;
    double share = simulation_pace(s->run);
    if (!s->playing || share > 0.9) return false;
    snprintf(text, size, "the machine cannot keep up: %.2g of real time", share * a->clock.speed);
    return true;
}

// ---- the tab

static void transport(app *a)
{
    gui *g = a->gui;
    simulate_state *s = &a->simulate;
    char text[96];
    gui_width(g, 92.0);
    if (gui_main_button(g, s->shown && s->playing ? "Pause##simulate" : "Run##simulate")) simulate_play(a);
    gui_tooltip(g, "P: lets go of what is on screen, with the speed it has");
    gui_same_line(g);
    if (gui_button(g, "Step##simulation")) simulate_step(a, 1);
    gui_tooltip(g, "a sixtieth of a second");
    gui_same_line(g);
    gui_disable_begin(g, s->run == NULL);
    if (gui_button(g, "Reset##simulation")) simulate_reset(a);
    gui_tooltip(g, "forgets what is recorded: the next run begins with the mix on screen");
    gui_disable_end(g);
    if (s->run == NULL) {
        gui_text_wrapped(
            g, "Run lets go of the pose or the mix on screen, with the speed it has. Then drag the body: it is "
               "pulled, and thrown when you let go.");
        return;
    }
    if (gui_button(g, s->shown ? "Back to the mix" : "Show it")) s->shown ? simulate_leave(a) : (void)show(a);
    gui_same_line(g);
    if (gui_button(g, "Export ...##simulation")) export_show_simulation(a);
    simulate_write_time(a, text, sizeof text);
    gui_text(g, text);
    if (s->run != NULL && simulate_write_pace(a, text, sizeof text)) gui_text_wrapped(g, text);
}

static void forces(app *a)
{
    gui *g = a->gui;
    simulate_state *s = &a->simulate;
    bool changed = gui_checkbox(g, "Gravity", &s->falls);
    gui_disable_begin(g, !s->falls);
    changed |= gui_slider(g, "g", &s->gravity, 0.0, MOST_GRAVITY, "%.2f m/s²", false);
    gui_disable_end(g);
    const project_ground_def ground = ground_def(a);
    bool meets = project_has_contacts(&ground), act = s->limits || meets;
    gui_disable_begin(g, meets);
    if (gui_checkbox(g, "Limits of joints", &act)) {
        s->limits = act;
        changed = true;
    }
    gui_disable_end(g);
    gui_tooltip(g,
                "as the model gives them; past one a spring and a damper push back; where it meets something they act");
    gui_text_wrapped(g,
                     session_get(a->session)->damping_ratio > 0.0
                         ? "Springs and dampers are those of the modes: Tuning changes them, while it runs too."
                     : project_damping(session_model(a->session), &ground) > 0.0
                         ? "Springs are those of the modes; where something is met, each joint has a damper of ratio "
                           "1, or what Tuning says."
                         : "Springs are those of the modes, and nothing damps them: Tuning, Damping.");
    if (changed) change(a);
}

// Holds regions and bodies by their names.   @return whether any was added
static bool hold_named(app *a)
{
    gui *g = a->gui;
    simulate_state *s = &a->simulate;
    int count = session_model(a->session)->body_count;
    bool entered = gui_input_text(g, "Hold", s->names, sizeof s->names);
    gui_tooltip(g, "regions as in trunk, left hind leg; or names of bodies with * and ?, with commas between; Enter");
    if (!entered || s->names[0] == '\0') return false;
    bool *found = calloc((size_t)count, sizeof *found);
    bool ok = found != NULL && check(a, session_find_parts(a->session, "hold", s->names, found));
    for (int b = 0; ok && b < count; ++b)
        s->held[b] |= found[b];
    if (ok) s->names[0] = '\0';
    free(found);
    return ok;
}

static void held_bodies(app *a)
{
    gui *g = a->gui;
    simulate_state *s = &a->simulate;
    const er_model *model = session_model(a->session);
    bool changed = hold_named(a);
    choose_body(a, "Body##to hold");
    gui_disable_begin(g, a->view.selected < 0);
    bool held = a->view.selected >= 0 && s->held[a->view.selected];
    if (gui_checkbox(g, "is held", &held)) {
        s->held[a->view.selected] = held;
        changed = true;
    }
    gui_tooltip(g, "no force moves it; what hangs on it swings");
    gui_disable_end(g);
    for (int b = 0; b < model->body_count; ++b) {
        if (!s->held[b]) continue;
        char label[160];
        snprintf(label, sizeof label, "✕  %.120s##held %d", model->body[b].name, b);
        if (!gui_button(g, label)) continue;
        s->held[b] = false;
        changed = true;
    }
    gui_checkbox(g, "Held ones follow the mix", &s->follow);
    gui_tooltip(g, "from the start on, in a new run; those that are held later stay where they are");
    if (changed) change(a);
}

static void energies(app *a)
{
    gui *g = a->gui;
    gui_curve curve[3];
    char text[64];
    const er_world_energy e = simulation_energy(a->simulate.run);
    const double joule[] = {e.kinetic, e.potential, e.elastic};
    double length = simulation_length(a->simulate.run);
    simulate_curves(a, curve);
    gui_plot(g, "##energies", curve, 3, SIMULATE_POINTS, 84.0,
             length > 0.0 ? simulation_time(a->simulate.run) / length : 0.0);
    for (int k = 0; k < 3; ++k) {
        snprintf(text, sizeof text, "%s %.4g J", energy_name[k], joule[k]);
        gui_text_coloured(g, curve[k].rgb, text);
    }
    snprintf(text, sizeof text, "together %.4g J", e.mechanical);
    gui_text_dim(g, text);
}

void simulate_tab(app *a)
{
    gui *g = a->gui;
    if (a->model == NULL || a->simulate.held == NULL) return;
    transport(a);
    if (gui_fold(g, "Forces", true)) forces(a);
    if (gui_fold(g, "What it meets", true) && ground_fold(a)) change(a);
    if (gui_fold(g, "Held bodies", true)) held_bodies(a);
    if (a->simulate.run != NULL && gui_fold(g, "Energy", true)) energies(a);
}
