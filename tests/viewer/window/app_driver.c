// Events for the app, and frames between them.
#include "app_driver.h"

#include <math.h>
#include <stdio.h>

#include "support/sample.h"
#include "viewer/window/keys.h"

static hands open_hands;

hands *hands_open(void **state, const char *model, int width, int height, const char *script)
{
    hands *h = &open_hands;
    if (h->a != NULL) app_destroy(h->a);
    *h = (hands){.s = need_stage(state), .def = viewer_default_def(), .width = width, .height = height};
    bool whole = model != NULL && model[0] == '/';
    snprintf(h->path, sizeof h->path, "%s%s%s", whole ? "" : getenv("EIGENRIG_SOURCE"), whole ? "" : "/models/",
             model != NULL ? model : "");
    h->def.model = model != NULL ? h->path : NULL;
    h->def.script = script;
    h->def.frames = script == NULL;                                  // nothing is remembered
    assert_int_equal(draw_target_resize(h->s->target, 8, 8), ER_OK); // a corner, since nobody looks at most frames
    if (app_create(h->s->context, &h->def, 1.0, &(app_host){0}, &h->a) != ER_OK)
        fail_msg("%s", er_context_error(h->s->context));
    return h;
}

hands *hands_begin(void **state, const char *model, int width, int height)
{
    hands *h = hands_open(state, model, width, height, NULL);
    h->a->clock.playing = h->a->view.style.floor = h->a->view.style.mesh = false;
    h->a->view.style.skeleton = true;
    frames(h, 2);
    return h;
}

int hands_end(void **state)
{
    if (open_hands.a != NULL) app_destroy(open_hands.a);
    open_hands.a = NULL;
    sample_remove_folder();
    return stage_end(state);
}

er_result try_frame(hands *h)
{
    draw_target_bind(h->s->target);
    return app_frame(h->a, h->width, h->height, 1.0, 1.0 / 60.0);
}

void frames(hands *h, int count)
{
    for (int i = 0; i < count; ++i)
        if (try_frame(h) != ER_OK) fail_msg("%s", er_context_error(h->s->context));
}

void move_to(hands *h, double x, double y)
{
    app_event(h->a, &(gui_event){.kind = GUI_MOUSE_MOVE, .x = x, .y = y});
    frames(h, 1);
}

void press_at(hands *h, int button, int modifiers, bool down)
{
    app_event(h->a, &(gui_event){.kind = GUI_MOUSE_BUTTON, .button = button, .modifiers = modifiers, .down = down});
    frames(h, 1);
}

void drag_from(hands *h, int button, int modifiers, double x, double y, double dx, double dy)
{
    move_to(h, x, y);
    press_at(h, button, modifiers, true);
    move_to(h, x + dx, y + dy);
    press_at(h, button, 0, false);
}

void key(hands *h, const char *name)
{
    int code, modifiers;
    assert_true(key_read(name, &code, &modifiers));
    for (int down = 1; down >= 0; --down) {
        app_event(h->a, &(gui_event){.kind = GUI_KEY, .key = code, .modifiers = modifiers, .down = down == 1});
        frames(h, 1);
    }
}

void type_text(hands *h, const char *text)
{
    app_event(h->a, &(gui_event){.kind = GUI_KEY, .key = -1}); // Ctrl is up
    for (const char *c = text; *c != '\0'; ++c)
        app_event(h->a, &(gui_event){.kind = GUI_CHARACTER, .character = (unsigned char)*c});
    frames(h, 1);
}

bool is_there(hands *h, const char *label)
{
    double at[2];
    return gui_find(h->a->gui, label, at);
}

static void go_to(hands *h, const char *label)
{
    double at[2];
    for (int i = 0; !gui_find(h->a->gui, label, at); ++i) {
        if (i == 3) fail_msg("\"%s\" is not seen; there are:\n%s", label, gui_widgets(h->a->gui));
        frames(h, 1);
    }
    move_to(h, at[0], at[1]);
}

void click_with(hands *h, const char *label, int modifiers)
{
    go_to(h, label);
    for (int down = 1; down >= 0; --down)
        press_at(h, 0, modifiers, down == 1);
}

void click(hands *h, const char *label)
{
    click_with(h, label, 0);
    frames(h, 1);
}

void drag_widget(hands *h, const char *label, double dx)
{
    double at[2];
    go_to(h, label);
    assert_true(gui_find(h->a->gui, label, at));
    press_at(h, 0, 0, true);
    move_to(h, at[0] + dx, at[1]);
    press_at(h, 0, 0, false);
    frames(h, 1);
}

void choose(hands *h, const char *choice, const char *item)
{
    click(h, choice);
    click(h, item);
}

void fold(hands *h, const char *label)
{
    click(h, label);
}

bool is_said(const hands *h, const char *part)
{
    for (int i = 0; i < h->a->messages.count; ++i)
        if (strstr(h->a->messages.list[i].text, part) != NULL) return true;
    return false;
}
