// Keys and mouse: for the prompt first, then for handlers of the scene, then for shortcuts and the camera.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "viewer/play/player.h"
#include "viewer/window/keys.h"

void player_event(player *p, const gui_event *event)
{
    p->quiet = 0.0;
    gui_event *last = p->event_count > 0 ? &p->event[p->event_count - 1] : NULL;
    if (last != NULL && event->kind == GUI_MOUSE_MOVE && last->kind == GUI_MOUSE_MOVE)
        *last = *event; // successive moves need one entry
    else if (p->event_count < PLAYER_EVENTS)
        p->event[p->event_count++] = *event;
}

void player_focus(player *p, bool focused)
{
    if (focused) return;
    gui_forget_keys(p->gui);
    p->modifiers = p->held = 0;
}

// ---- events for the scene

static int modifiers_of(int of)
{
    return ((of & GUI_ALT) != 0 ? SCRIPT_ALT : 0) | ((of & GUI_CONTROL) != 0 ? SCRIPT_CONTROL : 0) |
           ((of & GUI_SHIFT) != 0 ? SCRIPT_SHIFT : 0);
}

static const char *button_name(int button)
{
    static const char *const name[] = {"left", "right", "middle"};
    return button >= 0 && button < 3 ? name[button] : "none";
}

static int held_button(const player *p)
{
    for (int i = 0; i < 3; ++i)
        if ((p->held >> i & 1) != 0) return i;
    return -1;
}

// The direction from the camera's eye to the pointer.
static er_vec3 pointer_direction(const player *p)
{
    draw_camera c = play_renderer_camera(p->scene);
    er_vec3 eye, way;
    draw_camera_ray(&c, p->width, p->height > 0 ? p->height : 1, p->x * p->scale, p->y * p->scale, &eye, &way);
    return way;
}

static void post(player *p, scene_event e)
{
    if (strncmp(e.name, "mouse", 5) == 0) e.way = pointer_direction(p);
    e.modifiers = p->modifiers;
    e.x = p->x * p->scale;
    e.y = p->y * p->scale;
    if (p->posted_count < PLAYER_EVENTS && !p->paused) p->posted[p->posted_count++] = e;
}

static void post_mouse(player *p, const char *name, int button)
{
    scene_event e = {.clicks = p->clicks};
    snprintf(e.name, sizeof e.name, "%s", name);
    snprintf(e.button, sizeof e.button, "%s", button_name(button));
    post(p, e);
}

static void post_key(player *p, const char *name, const char *key, int code)
{
    scene_event e = {.code = code};
    snprintf(e.name, sizeof e.name, "%s", name);
    snprintf(e.key, sizeof e.key, "%s", key);
    post(p, e);
}

// ---- shortcuts

static void cycle_shading(player *p)
{
    engine_view *v = engine_get_view(p->scene);
    v->shading = (v->shading + 1) % ENGINE_SHADINGS;
}

static void cycle_polygons(player *p)
{
    engine_view *v = engine_get_view(p->scene);
    v->polygons = (v->polygons + 1) % ENGINE_POLYGONS;
}

static void cycle_shown(player *p)
{
    engine_view *v = engine_get_view(p->scene);
    v->shown = (v->shown + 1) % ENGINE_SHOWN;
}

static void pause(player *p)
{
    p->paused = !p->paused;
}

static void step_once(player *p)
{
    p->paused = p->single = true;
}

static void slower(player *p)
{
    p->speed = fmax(0.5 * p->speed, 1.0 / 64.0);
}

static void faster(player *p)
{
    p->speed = fmin(2.0 * p->speed, 16.0);
}

static void cycle_pace(player *p)
{
    engine_view *v = engine_get_view(p->scene);
    v->pace = (v->pace + 1) % ENGINE_PACES;
    p->time_debt = 0.0;
}

static void request_reload(player *p)
{
    p->reloads = true;
}

static const struct {
    const char *key;
    void (*act)(player *p);
} shortcuts[] = {{"v", cycle_shading}, {"b", cycle_polygons}, {"j", cycle_shown}, {"p", pause},
                 {"n", step_once},     {"-", slower},         {"=", faster},      {"+", faster},
                 {"t", cycle_pace},    {"r", request_reload}};

// Shortcuts work if no handler of the scene listens to keys, or with Control.
static bool run_shortcut(player *p, const char *key)
{
    bool heard = scene_player_listens(p->play, "key_down") || scene_player_listens(p->play, "key_press") ||
                 scene_player_listens(p->play, "key_up");
    for (size_t i = 0; i < sizeof shortcuts / sizeof *shortcuts; ++i)
        if (strcmp(key, shortcuts[i].key) == 0 && (!heard || (p->modifiers & SCRIPT_CONTROL) != 0)) {
            shortcuts[i].act(p);
            return true;
        }
    return false;
}

static void open_prompt(player *p, bool open)
{
    p->prompts = open;
    if (open) player_focus_prompt(p);
    if (!open) gui_forget_keys(p->gui);
}

// ---- keys

static void name_key(int key, char *name, size_t size)
{
    key_write(key, 0, name, size);
    for (char *c = name; *c != '\0'; ++c)
        *c = (char)tolower((unsigned char)*c);
}

// @return whether it is a shortcut of the window, and goes to nobody else
static bool handle_key(player *p, const gui_event *e)
{
    char name[32];
    name_key(e->key, name, sizeof name);
    p->modifiers = modifiers_of(e->modifiers);
    bool toggles = strcmp(name, "tab") == 0 || strcmp(name, "`") == 0;
    if (toggles || (p->prompts && strcmp(name, "esc") == 0)) {
        if (e->down) open_prompt(p, toggles && !p->prompts);
        return true;
    }
    if (strcmp(name, "q") == 0 && (p->modifiers & SCRIPT_CONTROL) != 0) {
        p->wants_close |= e->down;
        return true;
    }
    if (p->prompts && gui_wants_keyboard(p->gui)) return false;
    if (e->down && run_shortcut(p, name)) return true;
    if (e->down) snprintf(p->key, sizeof p->key, "%s", name);
    if (name[0] != '\0') post_key(p, e->down ? "key_down" : "key_up", name, name[1] == '\0' ? name[0] : 0);
    return false;
}

static void handle_character(player *p, const gui_event *e)
{
    if (!gui_wants_keyboard(p->gui)) post_key(p, "key_press", p->key, (int)e->character);
}

// ---- the camera

static void set_camera(player *p, const draw_camera *c)
{
    engine_view *v = engine_get_view(p->scene);
    er_vec3 axis[3];
    draw_camera_axes(c, axis);
    v->target = c->target;
    v->eye = er_v3_madd(c->target, c->distance, axis[2]);
}

// A drag across the whole window is half a turn.
static void orbit(player *p, double dx, double dy)
{
    draw_camera c = play_renderer_camera(p->scene);
    c.yaw -= dx * p->scale / fmax(p->width, 1) * ER_PI;
    c.pitch = fmin(fmax(c.pitch + dy * p->scale / fmax(p->height, 1) * ER_PI, -1.55), 1.55);
    set_camera(p, &c);
}

// Points at the depth of the target stay under the pointer.
static void pan(player *p, double dx, double dy)
{
    draw_camera c = play_renderer_camera(p->scene);
    er_vec3 axis[3];
    double pixel = 2.0 * c.distance * tan(0.5 * c.fov) / fmax(p->height, 1) * p->scale;
    draw_camera_axes(&c, axis);
    c.target = er_v3_madd(er_v3_madd(c.target, -dx * pixel, axis[0]), dy * pixel, axis[1]);
    set_camera(p, &c);
}

static void zoom(player *p, double notches)
{
    draw_camera c = play_renderer_camera(p->scene);
    c.distance = fmin(fmax(c.distance * pow(0.88, notches), 1e-3), 1e5);
    set_camera(p, &c);
}

// ---- the mouse

// Whether the scene gets an event; with Control the camera does.
static bool scene_listens(const player *p, const char *name)
{
    return scene_player_listens(p->play, name) && (p->modifiers & SCRIPT_CONTROL) == 0;
}

static void handle_move(player *p, const gui_event *e)
{
    double dx = e->x - p->x, dy = e->y - p->y;
    int button = held_button(p);
    p->x = e->x;
    p->y = e->y;
    if (button < 0 && !gui_wants_mouse(p->gui)) post_mouse(p, "mouse_move", -1);
    if (button < 0) return;
    if (scene_listens(p, "mouse_drag"))
        post_mouse(p, "mouse_drag", button);
    else if (button == 0)
        orbit(p, dx, dy);
    else
        pan(p, dx, dy);
}

static bool is_click(const player *p)
{
    return hypot(p->x - p->pressed[0], p->y - p->pressed[1]) < 4.0;
}

static void handle_button(player *p, const gui_event *e)
{
    if (e->button < 0 || e->button > 2) return;
    if (e->down && gui_wants_mouse(p->gui)) return;
    bool held = (p->held >> e->button & 1) != 0;
    p->modifiers = modifiers_of(e->modifiers);
    if (e->down) {
        bool again = is_click(p) && p->click_age < 0.4;
        p->clicks = again ? p->clicks + 1 : 1;
        p->click_age = 0.0;
        p->pressed[0] = p->x;
        p->pressed[1] = p->y;
        p->held |= 1 << e->button;
        post_mouse(p, "mouse_down", e->button);
    } else if (held) {
        p->held &= ~(1 << e->button);
        post_mouse(p, "mouse_up", e->button);
        if (is_click(p))
            post_mouse(p, "mouse_click", e->button);
        else
            p->clicks = 0; // a drag ends a row of clicks
    }
}

static void handle_wheel(player *p, const gui_event *e)
{
    if (gui_wants_mouse(p->gui)) return;
    if (!scene_listens(p, "mouse_wheel")) {
        zoom(p, e->y);
        return;
    }
    scene_event w = {.name = "mouse_wheel", .button = "none", .delta = e->y};
    post(p, w);
}

// ---- all events

// @return whether the gui may have it too
static bool handle_event(player *p, const gui_event *e)
{
    switch (e->kind) {
    case GUI_MOUSE_MOVE:
        handle_move(p, e);
        return true;
    case GUI_MOUSE_BUTTON:
        handle_button(p, e);
        return true;
    case GUI_SCROLL:
        handle_wheel(p, e);
        return true;
    case GUI_KEY:
        return !handle_key(p, e);
    default:
        handle_character(p, e);
        return p->prompts;
    }
}

// The gui sees only one press or release a frame, so later ones wait.
void player_handle_events(player *p)
{
    int taken = 0, presses = 0;
    if (p->wait_frames > 0) {
        --p->wait_frames;
        return;
    }
    for (; taken < p->event_count; ++taken) {
        const gui_event *e = &p->event[taken];
        bool pressed = e->kind == GUI_MOUSE_BUTTON || (e->kind == GUI_KEY && p->prompts);
        if (pressed && presses++ > 0) break;
        if (handle_event(p, e)) gui_feed(p->gui, e);
    }
    p->event_count -= taken;
    memmove(p->event, p->event + taken, (size_t)p->event_count * sizeof *p->event);
}
