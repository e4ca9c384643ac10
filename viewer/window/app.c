// The viewer apart from its window: the steps of a frame.
#include "viewer/window/app.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/platform.h"
#include "viewer/window/events.h"
#include "viewer/window/parts.h"

enum { PALETTE_WIDTH = 316, TABS_WIDTH = 348, TIMELINE_HEIGHT = 132, PALETTE_LEAST = 252, TABS_LEAST = 280 };

static er_result create_parts(app *a, double scale)
{
    er_result r = session_create(a->context, &a->session);
    if (r == ER_OK && a->def->script != NULL) r = event_create(a->context, a->def->script, &a->script);
    if (r == ER_OK) r = painter_create(a->context, &a->painter);
    if (r != ER_OK) return r;
    a->gui = gui_create(scale, true);
    if (a->gui == NULL)
        return er_fail(a->context, ER_ERROR_SYSTEM, "widgets cannot be drawn: there is no libGL.so.1, or no memory");
    if (a->host.get_clipboard != NULL)
        gui_set_clipboard(a->gui, a->host.get_clipboard, a->host.set_clipboard, a->host.user);
    return ER_OK;
}

er_result app_create(er_context *context, const viewer_def *def, double scale, const app_host *host, app **out)
{
    *out = NULL;
    app *a = calloc(1, sizeof *a);
    if (a == NULL) return er_fail(context, ER_ERROR_MEMORY, "out of memory");
    a->context = context;
    a->def = def;
    a->host = *host;
    a->scale = scale;
    er_result r = create_parts(a, scale);
    if (r != ER_OK) {
        app_destroy(a);
        return r;
    }
    a->panels = true;
    a->clock = (clock_state){.speed = 1.0, .playing = true, .loop = true};
    a->export.def = session_default_export();
    a->files.keeps_recent = def->script == NULL && def->frames == 0;
    a->timeline.piece = a->palette.mode = a->palette.tuned = a->component = a->gait.shown = -1;
    simulate_create(a);
    set_window_theme(a, true);
    view_reset(a);
    if (r == ER_OK) r = palette_create(a);
    snprintf(a->title, sizeof a->title, "eigenrig");
    if (r == ER_OK && def->model != NULL) r = open_as(a, def->model, &def->asked);
    if (r != ER_OK && (def->script != NULL || def->frames > 0)) { // no user to read a message
        app_destroy(a);
        return r;
    }
    *out = a;
    return ER_OK;
}

void app_destroy(app *a)
{
    if (a == NULL) return;
    files_destroy(a);
    simulate_destroy(a);
    palette_destroy(a);
    view_destroy(a);
    draw_model_destroy(a->model);
    event_destroy(a->script);
    gui_destroy(a->gui);
    painter_destroy(a->painter);
    session_destroy(a->session);
    free(a->pose);
    free(a->ghost);
    free(a);
}

// ---- the open model

static void warn_smaller_textures(app *a)
{
    char text[160];
    int side = a->model != NULL ? draw_model_texture_side(a->model) : 0;
    snprintf(text, sizeof text, DRAW_SMALLER_TEXTURES, side);
    if (side > 0) message_add(a, MESSAGE_NOTE, text);
}

// Uploads the model anew, after its scene or its bodies have changed.
static void renew_model(app *a)
{
    size_t n = (size_t)session_model(a->session)->body_count;
    draw_model_destroy(a->model);
    a->model = NULL;
    free(a->pose);
    free(a->ghost);
    a->pose = malloc(n * sizeof *a->pose);
    a->ghost = malloc(n * sizeof *a->ghost);
    if (a->pose == NULL || a->ghost == NULL) {
        message_add(a, MESSAGE_ERROR, "out of memory");
        return;
    }
    check(a, draw_model_create(a->painter, session_target(a->session), session_model(a->session), &a->model));
    warn_smaller_textures(a);
}

static void rest(app *a)
{
    const er_model *model = session_model(a->session);
    for (int i = 0; a->pose != NULL && i < model->body_count; ++i)
        a->pose[i] = model->body[i].pose;
}

static void follow_session(app *a)
{
    if (!session_is_open(a->session)) return;
    unsigned scene = session_scene_version(a->session), shape = session_shape_version(a->session),
             modes = session_modes_version(a->session);
    const er_rig *rig = session_rig(a->session);
    if (a->opened && shape == a->shape_version && modes == a->modes_version) {
        a->view.node = rig != NULL && a->view.selected >= 0 ? rig->body_node[a->view.selected] : -1;
        return;
    }
    bool same_scene = a->opened && scene == a->scene_version && a->model != NULL;
    bool moved = !a->opened || shape != a->shape_version;
    const er_recording_target *places = moved ? session_target(a->session) : NULL;
    bool renewed = !same_scene || !draw_model_follow(a->model, places, session_model(a->session));
    if (renewed) renew_model(a);
    if (renewed || moved) rest(a);
    simulate_follow(a, renewed, moved);
    if (a->opened && a->view.node >= 0 && rig != NULL) a->view.selected = rig->node_body[a->view.node];
    if (a->view.selected >= session_model(a->session)->body_count) a->view.selected = -1;
    palette_refresh(a);
    a->timeline.stale = true;
    a->opened = true;
    a->scene_version = scene;
    a->shape_version = shape;
    a->modes_version = modes;
}

// ---- events

static void handle_event(app *a, const gui_event *event)
{
    bool theirs = gui_wants_mouse(a->gui), typing = gui_wants_keyboard(a->gui);
    if (event->kind == GUI_KEY || event->kind == GUI_MOUSE_BUTTON) a->modifiers = event->modifiers;
    gui_feed(a->gui, event);
    if (event->kind == GUI_KEY || event->kind == GUI_CHARACTER) {
        if (!typing || a->dialog != DIALOG_NONE) commands_key(a, event); // dialogs take Esc alone
        return;
    }
    if (event->kind == GUI_MOUSE_MOVE || !theirs || (event->kind == GUI_MOUSE_BUTTON && !event->down))
        view_event(a, event);
}

// A press counts only after a frame has seen the pointer there, and one press a frame, so that none is lost.
static void handle_events(app *a)
{
    bool moved = false;
    while (a->event_count > 0) {
        gui_event event = a->event[a->event_first];
        bool press = event.kind == GUI_MOUSE_BUTTON;
        if (press && moved) return;
        a->event_first = (a->event_first + 1) % MOST_EVENTS;
        --a->event_count;
        handle_event(a, &event);
        follow_session(a); // after a turned joint the next event needs the new model
        moved |= event.kind == GUI_MOUSE_MOVE;
        if (press || (event.kind == GUI_KEY && event.down)) return;
    }
}

// ---- frames

static void dialogs(app *a)
{
    files_dialog(a);
    export_dialog(a);
    messages_dialog(a);
    commands_dialog(a);
}

static void tabs(app *a, rectangle place)
{
    gui_panel_begin(a->gui, "##tabs", place.x, place.y, place.width, place.height);
    if (gui_tabs_begin(a->gui, "##tab bar")) {
        static void (*const draw[])(app *) = {mix_tab, tuning_tab, simulate_tab, walk_tab,
                                              rig_tab, pose_tab,   display_tab};
        static const char *const name[] = {"Mix", "Tuning", "Simulate", "Walk", "Rig", "Pose", "Look"};
        for (int i = 0; i < 7; ++i) {
            if (!gui_tab(a->gui, name[i], a->doubted && draw[i] == rig_tab)) continue;
            if (gui_child_begin(a->gui, name[i], 0.0, 0.0)) draw[i](a);
            gui_child_end(a->gui);
            gui_tab_end(a->gui);
        }
        gui_tabs_end(a->gui);
        a->doubted = false;
    }
    gui_panel_end(a->gui);
}

// In a narrow window the side panels shrink, as far as they stay legible.
static void share_width(const app *a, double *left, double *right)
{
    double share = 0.6 * a->width / (PALETTE_WIDTH + TABS_WIDTH);
    *left = fmin(fmax(floor(share * PALETTE_WIDTH), PALETTE_LEAST), PALETTE_WIDTH);
    *right = fmin(fmax(floor(share * TABS_WIDTH), TABS_LEAST), TABS_WIDTH);
}

static void layout_and_draw(app *a)
{
    double top = floor(gui_menu_bar_height(a->gui)), left = 0.0, right = 0.0, bottom = 0.0;
    bool panels = a->panels && session_is_open(a->session);
    if (panels) {
        share_width(a, &left, &right);
        bottom = TIMELINE_HEIGHT + sequence_height(a);
    }
    double width = fmax(a->width - left - right, 1.0), height = fmax(a->height - top - bottom, 1.0);
    a->view.place = (rectangle){left, top, width, height};
    view_draw(a);
    if (panels) palette_pictures(a);
    commands_menu(a);
    follow_session(a); // undo may have changed bodies
    if (panels) {
        playback_panel(a, (rectangle){0.0, top, left, a->height - top});
        timeline_panel(a, (rectangle){left, top + height, width, bottom});
        tabs(a, (rectangle){left + width, top, right, a->height - top});
    }
    if (!session_is_open(a->session)) files_welcome(a);
}

// Advances what is shown: the simulation, a gait, or the mix.
static void move(app *a, double seconds)
{
    if (a->model == NULL) return;
    simulate_advance(a, seconds);
    palette_validate(a);
    gait_advance(a);
    sequence_advance(a);
    if (a->simulate.shown) {
        memcpy(a->pose, simulation_pose(a->simulate.run),
               (size_t)session_model(a->session)->body_count * sizeof *a->pose);
        return;
    }
    timeline_advance(a, seconds);
    const gait_state *w = &a->gait;
    er_result r = w->shown < 0 ? session_pose(a->session, a->clock.time, a->pose)
                               : session_gait_pose(a->session, w->shown, w->travels, a->clock.time, a->pose);
    if (r == ER_OK) return;
    a->clock.playing = false; // stop, so that the error is reported once
    check(a, r);
}

static bool is_pictured(const app *a)
{
    const viewer_def *def = a->def;
    bool last = def->screenshot != NULL && (def->frames == 0 || a->frame >= (unsigned)def->frames);
    return last || (a->script != NULL && a->script->shot != NULL);
}

er_result app_frame(app *a, int width, int height, double scale, double seconds)
{
    ++a->frame;
    a->seconds = seconds;
    a->scale = scale;
    a->width = width / scale;
    a->height = height / scale;
    gui_set_scale(a->gui, scale);
    er_result r = a->script != NULL ? event_before(a) : ER_OK;
    if (r != ER_OK) return r;
    a->pictured = is_pictured(a);
    follow_session(a);
    handle_events(a);
    export_advance(a);
    move(a, seconds);
    if (width > 0 && height > 0) {
        gui_begin(a->gui, width, height, seconds);
        layout_and_draw(a);
        dialogs(a);
        messages_show(a, seconds);
        if (!gui_is_held(a->gui) && a->view.drag != DRAG_GIZMO) {
            session_commit(a->session); // a slider that vanished with its panel was never released
            a->palette.tuned = -1;
        }
        gui_end(a->gui);
        double start = eri_thread_seconds();
        gui_paint(a->gui);
        a->widget_seconds += eri_thread_seconds() - start;
    }
    return a->script != NULL ? event_after(a, width, height) : ER_OK;
}

bool app_is_moving(const app *a)
{
    return (a->clock.playing && a->model != NULL) || a->simulate.playing || a->simulate.owed > 0.0 ||
           a->palette.judges || session_is_searching_gaits(a->session, &(double){0}) ||
           session_is_making_sequence(a->session) || a->event_count > 0 || a->messages.shown || a->script != NULL;
}

bool app_script_ended(const app *a)
{
    return a->script == NULL || event_ended(a->script);
}

bool app_wants_end(const app *a)
{
    return a->ended;
}

const char *app_title(const app *a)
{
    return a->title;
}

double app_gl_seconds(const app *a)
{
    return painter_gl_seconds(a->painter) + a->widget_seconds;
}
