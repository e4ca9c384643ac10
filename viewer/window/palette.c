// The tab Modes: every mode as a card with a moving picture.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/letters.h"
#include "viewer/window/parts.h"

enum { THUMBNAIL_WIDTH = 112, THUMBNAIL_HEIGHT = 84, REFRESHED = 3 }; // points; pictures drawn a frame

static void write_text(app *a, const er_mode *mode, int index, mode_text *t)
{
    const er_mode_name *name = er_mode_names_at(session_names(a->session), index);
    snprintf(t->title, sizeof t->title, "%02d   %.2f Hz", index, mode->frequency_hz);
    snprintf(t->name, sizeof t->name, "%s", name != NULL ? name->name : "");
    snprintf(t->kind, sizeof t->kind, "%s", er_mode_kind_name(mode->kind));
    if (mode->damping_ratio > 0.0) snprintf(t->kind, sizeof t->kind, "damping %.2g", mode->damping_ratio);
    session_moving_joints(a->session, index, 3, t->movers, sizeof t->movers);
}

void palette_refresh(app *a)
{
    palette_state *p = &a->palette;
    const er_modes *modes = session_modes(a->session);
    if (modes->count > p->text_count || p->text == NULL) {
        mode_text *text = realloc(p->text, ((size_t)modes->count + 1) * sizeof *text);
        if (text == NULL) {
            p->text_count = 0;
            message_add(a, MESSAGE_ERROR, "out of memory");
            return;
        }
        p->text = text;
    }
    p->text_count = modes->count;
    p->first_mode = modes->first;
    for (int k = 0; k < modes->count; ++k)
        write_text(a, &modes->mode[k], er_modes_index(modes, &modes->mode[k]), &p->text[k]);
    for (int i = 0; i < MOST_THUMBNAILS; ++i)
        p->thumbnail[i].mode = -1;
    // Components follow their modes by shape. A single component takes the selected mode with it.
    const session_setup *s = session_get(a->session);
    if (s->component_count == 1) p->mode = s->component[0].mode;
    if (p->mode >= modes->first + modes->count) p->mode = -1;
}

er_result palette_create(app *a)
{
    return validity_create(a->context, &a->palette.judge);
}

void palette_destroy(app *a)
{
    validity_destroy(a->palette.judge);
    for (int i = 0; i < MOST_THUMBNAILS; ++i)
        draw_target_destroy(a->palette.thumbnail[i].target);
    free(a->palette.text);
}

static int component_of(const app *a, int mode)
{
    const session_setup *s = session_get(a->session);
    for (int i = 0; i < s->component_count; ++i)
        if (s->component[i].mode == mode) return i;
    return -1;
}

void palette_play(app *a, int mode)
{
    if (!check_change(a, session_play(a->session, mode))) return;
    simulate_leave(a);
    a->palette.mode = mode;
    a->component = component_of(a, mode);
    a->clock.time = 0.0;
}

void palette_add(app *a, int mode)
{
    if (!check_change(a, session_toggle(a->session, mode))) return;
    simulate_leave(a);
    a->palette.mode = mode;
    a->component = component_of(a, mode);
}

void palette_tune(app *a, int mode, double hz, bool done)
{
    palette_state *p = &a->palette;
    if (check(a, session_tune_mode(a->session, mode, hz, false))) simulate_leave(a);
    a->timeline.stale = true;
    p->tuned = mode;
    if (!done) return;
    const char *told = session_message(a->session);
    if (told[0] != '\0') message_add(a, MESSAGE_NOTE, told);
    session_commit(a->session);
    p->tuned = -1;
}

// A frequency is dragged: 80 points double it.
static void drag_frequency(app *a, int mode, bool done)
{
    palette_state *p = &a->palette;
    const er_mode *m = session_mode(a->session, mode);
    if (p->tuned < 0 && (m == NULL || done)) return;
    if (p->tuned < 0) {
        p->tuned = mode;
        p->tuned_from = m->frequency_hz;
    }
    palette_tune(a, p->tuned, p->tuned_from * pow(2.0, gui_card_way(a->gui) / 80.0), done);
}

// Whether a part of a text cuts one of its numbers, as 1 does in 1.08 and 10, but not in 01.
static bool cuts_number(const char *text, const char *from, size_t size)
{
    const char *end = from + size, *first = from;
    if (eri_is_digit(end[-1]) && (eri_is_digit(*end) || (*end == '.' && eri_is_digit(end[1])))) return true;
    if (!eri_is_digit(*from) && *from != '.') return false;
    while (first > text && first[-1] == '0')
        --first;
    return first > text &&
           (eri_is_digit(first[-1]) || (first[-1] == '.' && first > text + 1 && eri_is_digit(first[-2])));
}

static bool holds(const char *text, const char *part)
{
    for (const char *at = text; *at != '\0'; ++at) {
        size_t i = 0;
        while (part[i] != '\0' && eri_lower(at[i]) == eri_lower(part[i]))
            ++i;
        if (part[i] == '\0' && (i == 0 || !cuts_number(text, at, i))) return true;
    }
    return *part == '\0';
}

static bool is_found(const palette_state *p, int k)
{
    return holds(p->text[k].movers, p->search) || holds(p->text[k].name, p->search) ||
           holds(p->text[k].title, p->search) || holds(p->text[k].kind, p->search);
}

void palette_walk(app *a, int step)
{
    palette_state *p = &a->palette;
    int k = p->mode < 0 ? (step > 0 ? -1 : p->text_count) : p->mode - p->first_mode;
    for (k += step; k >= 0 && k < p->text_count; k += step) {
        if (!is_found(p, k)) continue;
        palette_play(a, p->first_mode + k);
        p->scroll = true;
        return;
    }
}

// ---- validity

void palette_validate(app *a)
{
    palette_state *p = &a->palette;
    check(a, validity_work(p->judge, a->session, p->judges, p->mode, p->judges ? app_wait_limit(a, 0.0) : 0.0));
    p->judges &= validity_done(p->judge) < validity_all(p->judge);
}

static void validate_widgets(app *a)
{
    gui *g = a->gui;
    palette_state *p = &a->palette;
    char text[64];
    int done = validity_done(p->judge), all = validity_all(p->judge);
    gui_disable_begin(g, done >= all);
    gui_toggle(g, "How far true?", &p->judges);
    gui_disable_end(g);
    gui_tooltip(
        g, "swings modes in full dynamics, the chosen one first: the amplitude up to which each keeps its frequency to "
           "2 %. Seconds a mode; a press ends it");
    if (done == 0 && !p->judges) return;
    snprintf(text, sizeof text, "%d of %d mode%s", done, all, eri_plural(all));
    gui_same_line(g);
    gui_text_dim(g, text);
}

// The kind of a mode, and the amplitude up to which it is valid.
static void write_line(const app *a, int k, char *text, size_t size)
{
    const palette_state *p = &a->palette;
    double degrees;
    bool at_least;
    int mode = p->first_mode + k;
    if (validity_find(p->judge, mode, &degrees, &at_least))
        snprintf(text, size, "%s, true %s %.3g°", p->text[k].kind, at_least ? "beyond" : "to", degrees);
    else
        snprintf(text, size, "%s%s", p->text[k].kind, mode == validity_judged(p->judge) ? ", swings ..." : "");
}

// ---- pictures

// The thumbnail of a mode. A new one takes the place of the one out of sight for longest.
static thumbnail *thumbnail_of(app *a, int mode)
{
    palette_state *p = &a->palette;
    thumbnail *oldest = &p->thumbnail[0];
    for (int i = 0; i < MOST_THUMBNAILS; ++i) {
        thumbnail *t = &p->thumbnail[i];
        if (t->mode == mode) return t;
        if (t->mode < 0 || (oldest->mode >= 0 && t->seen < oldest->seen)) oldest = t;
    }
    oldest->mode = mode;
    oldest->drawn = 0;
    return oldest;
}

// The share of the camera's distance that suffices: low models leave room above and below.
static double closeness(const draw_bounds *b, er_vec3 up)
{
    er_vec3 size = er_v3_sub(b->high, b->low);
    double height = fabs(up.x) * size.x + fabs(up.y) * size.y + fabs(up.z) * size.z;
    return fmax(0.78, 0.95 * 0.5 * height / b->radius);
}

static void draw_thumbnail(app *a, thumbnail *t)
{
    palette_state *p = &a->palette;
    int width = (int)(THUMBNAIL_WIDTH * a->scale), height = (int)(THUMBNAIL_HEIGHT * a->scale);
    er_result r = t->target == NULL ? draw_target_create(a->painter, width, height, 4, &t->target)
                                    : draw_target_resize(t->target, width, height);
    t->drawn = a->frame;
    if (r != ER_OK) return;
    draw_style style = a->view.style;
    style.floor = style.axes = style.mass_centre = false;
    style.draft = true; // shadows' edges are too small to be seen
    style.shadow &= !painter_is_software(a->painter);
    style.surface = DRAW_SHADED;
    style.scenery = 0.0f;
    style.skeleton = !style.mesh;
    draw_bounds bounds = draw_model_bounds(a->model, NULL);
    er_vec3 up = session_target(a->session)->scene->up;
    draw_camera camera = draw_camera_frame(&bounds, up, (double)width / height);
    camera.yaw = a->view.camera.yaw;
    camera.pitch = a->view.camera.pitch;
    camera.distance *= closeness(&bounds, up);
    draw_figure figure = draw_default_figure();
    if (session_mode_pose(a->session, t->mode, 20.0, p->shown_phase, a->ghost) == ER_OK) figure.pose = a->ghost;
    painter_begin(a->painter, t->target, 0, 0, width, height, &camera, &style);
    painter_add(a->painter, a->model, &figure);
    painter_end(a->painter);
}

// Draws the few visible thumbnails that were drawn longest ago.
void palette_pictures(app *a)
{
    palette_state *p = &a->palette;
    if (a->model == NULL) return;
    if (a->clock.playing)
        p->shown_phase = fmod(p->shown_phase + 2.0 * ER_PI * 0.8 * fmin(a->seconds, 0.1), 2.0 * ER_PI);
    bool slow = a->seconds > 0.04 || painter_is_software(a->painter);
    int count = slow ? 1 : REFRESHED; // the view comes first
    for (int n = 0; n < count; ++n) {
        thumbnail *next = NULL;
        for (int i = 0; i < MOST_THUMBNAILS; ++i) {
            thumbnail *t = &p->thumbnail[i];
            if (t->mode < 0 || t->seen + 1 < a->frame || t->drawn == a->frame) continue;
            if (!a->clock.playing && t->drawn > 0) continue;
            if (next == NULL || t->drawn < next->drawn) next = t;
        }
        if (next == NULL) return;
        draw_thumbnail(a, next);
    }
}

// ---- the panel

static void card(app *a, int k)
{
    palette_state *p = &a->palette;
    int mode = p->first_mode + k;
    char label[32], line[112];
    if (mode == p->mode && p->scroll) {
        gui_scroll_here(a->gui);
        p->scroll = false;
    }
    if (!gui_is_visible(a->gui, 1.0, THUMBNAIL_HEIGHT + 12.0)) {
        gui_skip(a->gui, THUMBNAIL_HEIGHT + 12.0);
        return;
    }
    thumbnail *t = thumbnail_of(a, mode);
    t->seen = a->frame;
    snprintf(label, sizeof label, "mode %d", mode);
    write_line(a, k, line, sizeof line);
    gui_card_def def = {.texture = t->drawn > 0 && t->target != NULL ? draw_target_texture(t->target) : 0,
                        .width = THUMBNAIL_WIDTH,
                        .height = THUMBNAIL_HEIGHT,
                        .title = p->text[k].title,
                        .line = line,
                        .more = *p->text[k].name != '\0' ? p->text[k].name : p->text[k].movers,
                        .selected = mode == p->mode,
                        .added = component_of(a, mode) >= 0,
                        .marked = session_find_aim(a->session, mode) >= 0};
    gui_card_part part = gui_card(a->gui, label, &def);
    if (part == GUI_CARD_DRAGGED || part == GUI_CARD_DROPPED)
        drag_frequency(a, mode, part == GUI_CARD_DROPPED);
    else if (part == GUI_CARD_PLUS || (part == GUI_CARD_BODY && (a->modifiers & GUI_CONTROL) != 0))
        palette_add(a, mode);
    else if (part == GUI_CARD_BODY)
        palette_play(a, mode);
}

void palette_modes(app *a)
{
    gui *g = a->gui;
    palette_state *p = &a->palette;
    gui_input_text(g, "Find", p->search, sizeof p->search);
    gui_tooltip(g, "a name, a joint, a number or a kind: the modes that it is in");
    validate_widgets(a);
    if (gui_child_begin(g, "##cards", 0.0, 0.0)) {
        int found = 0;
        bool other = strcmp(p->search, p->searched) != 0;
        memcpy(p->searched, p->search, sizeof p->searched);
        for (int k = 0; k < p->text_count; ++k) {
            if (!is_found(p, k)) continue;
            if (other && found == 0) gui_scroll_here(g);
            ++found;
            card(a, k);
        }
        if (found == 0) gui_text_dim(g, "no mode is like that");
    }
    gui_child_end(g);
}
