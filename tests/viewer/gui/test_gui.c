// Widgets without a window: fed with events, looked at in the picture that they draw.
#include "viewer/draw/draw.h"
#include "viewer/gui/gui.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { WIDTH = 480, HEIGHT = 320 };

typedef struct bench {
    er_context *context;
    draw_offscreen *offscreen;
    painter *painter;
    draw_target *target;
    gui *gui;
    bool on, dialog, later;
    double value;
    char text[64], rule[64];
    int pressed, chosen, card;
} bench;

static void close_bench(bench *b)
{
    if (b->gui == NULL) return;
    gui_destroy(b->gui);
    draw_target_destroy(b->target);
    painter_destroy(b->painter);
    draw_offscreen_destroy(b->offscreen);
    er_context_destroy(b->context);
    b->gui = NULL;
}

// The one bench, made anew.
static bench *open_bench(void)
{
    static bench only;
    bench *b = &only;
    close_bench(b);
    *b = (bench){.value = 1.0, .text = ""};
    assert_int_equal(er_context_create(NULL, &b->context), ER_OK);
    if (draw_offscreen_create(b->context, &b->offscreen) != ER_OK) {
        print_message("no OpenGL here: %s\n", er_context_error(b->context));
        er_context_destroy(b->context);
        skip();
    }
    assert_int_equal(painter_create(b->context, &b->painter), ER_OK);
    assert_int_equal(draw_target_create(b->painter, WIDTH, HEIGHT, 4, &b->target), ER_OK);
    b->gui = gui_create(1.0, true);
    assert_non_null(b->gui);
    return b;
}

static void frame(bench *b)
{
    static const char *const names[] = {"first", "second", "third"};
    static const float white[4] = {1, 1, 1, 1};
    gui *g = b->gui;
    draw_target_bind(b->target);
    gui_begin(g, WIDTH, HEIGHT, 1.0 / 60.0);
    gui_draw_box(g, 0, 0, WIDTH, HEIGHT, (const float[4]){0, 0, 0, 1}, 0.0);
    gui_draw_text(g, 300, 20, 24.0, white, "Ωmega жизнь");
    gui_panel_begin(g, "##panel", 10, 10, 260, 300);
    if (gui_button(g, "Press")) ++b->pressed;
    gui_toggle(g, "Toggle", &b->on);
    gui_slider(g, "Value", &b->value, 0.0, 10.0, "%.2f", false);
    gui_input_text(g, "Name", b->text, sizeof b->text);
    gui_choice(g, "Choice", names, 3, &b->chosen);
    gui_card_def card = {.width = 40, .height = 40, .title = "title", .line = "line", .more = "more"};
    gui_card_part part = gui_card(g, "card", &card);
    if (part != GUI_CARD_NOTHING) b->card = (int)part;
    if (gui_child_begin(g, "##list", 0.0, 60.0)) {
        gui_text(g, "above");
        gui_skip(g, 500.0);
        gui_button(g, "far below");
    }
    gui_child_end(g);
    gui_panel_end(g);
    if (b->later) { // a field whose text is kept elsewhere, and taken over when it is done
        char rule[sizeof b->rule];
        memcpy(rule, b->rule, sizeof rule);
        gui_panel_begin(g, "##later", 280, 60, 190, 100);
        if (gui_input_text(g, "Rule", rule, sizeof rule) || gui_item_released(g)) memcpy(b->rule, rule, sizeof rule);
        gui_panel_end(g);
    }
    if (gui_dialog_begin(g, "Dialog", &b->dialog, 200.0)) {
        if (gui_main_button(g, "Close it")) b->dialog = false;
        gui_dialog_end(g);
    }
    gui_end(g);
    gui_paint(g);
}

static void move(bench *b, double x, double y)
{
    gui_feed(b->gui, &(gui_event){.kind = GUI_MOUSE_MOVE, .x = x, .y = y});
    frame(b);
}

static void button(bench *b, bool down)
{
    gui_feed(b->gui, &(gui_event){.kind = GUI_MOUSE_BUTTON, .down = down});
    frame(b);
}

static void click(bench *b, const char *label)
{
    double at[2];
    frame(b);
    assert_true(gui_find(b->gui, label, at));
    move(b, at[0], at[1]);
    button(b, true);
    button(b, false);
}

static void widgets_are_found_by_label_and_pressed(void **state)
{
    bench *b = open_bench();
    click(b, "Press");
    click(b, "Toggle");
    click(b, "card");
    assert_int_equal(b->card, GUI_CARD_BODY);
    click(b, "+card");
    assert_int_equal(b->card, GUI_CARD_PLUS);
    assert_int_equal(b->pressed, 1);
    assert_true(b->on);
}

static void what_is_scrolled_out_of_sight_is_listed_but_not_found(void **state)
{
    double at[2];
    bench *b = open_bench();
    frame(b);
    frame(b);
    assert_false(gui_find(b->gui, "far below", at));
    assert_false(gui_find(b->gui, "nowhere", at));
    assert_non_null(strstr(gui_widgets(b->gui), "far below\n"));
}

static void sliders_follow_the_pointer(void **state)
{
    double at[2];
    bench *b = open_bench();
    frame(b);
    assert_true(gui_find(b->gui, "Value", at));
    move(b, at[0], at[1]);
    button(b, true);
    assert_true(gui_wants_mouse(b->gui));
    assert_in_range((int)(10.0 * b->value), 45, 55);
    move(b, at[0] + 1000.0, at[1]);
    button(b, false);
    assert_true(b->value == 10.0);
}

static void text_is_typed_into_the_field_that_was_clicked(void **state)
{
    bench *b = open_bench();
    assert_false(gui_wants_keyboard(b->gui));
    click(b, "Name");
    frame(b);
    assert_true(gui_wants_keyboard(b->gui));
    for (const char *c = "fox"; *c != '\0'; ++c)
        gui_feed(b->gui, &(gui_event){.kind = GUI_CHARACTER, .character = (unsigned char)*c});
    gui_feed(b->gui, &(gui_event){.kind = GUI_CHARACTER, .character = 0x3a9});
    frame(b);
    assert_string_equal(b->text, "fox\xce\xa9");
}

static void a_text_is_kept_when_a_panel_drawn_before_takes_the_click(void **state)
{
    bench *b = open_bench();
    b->later = true;
    click(b, "Rule");
    for (const char *c = "leg"; *c != '\0'; ++c)
        gui_feed(b->gui, &(gui_event){.kind = GUI_CHARACTER, .character = (unsigned)*c});
    frame(b);
    click(b, "Press");
    assert_int_equal(b->pressed, 1);
    assert_string_equal(b->rule, "leg");
}

static void choices_open_and_choose(void **state)
{
    bench *b = open_bench();
    click(b, "Choice");
    click(b, "third");
    assert_int_equal(b->chosen, 2);
}

static void dialogs_stand_before_all_else(void **state)
{
    bench *b = open_bench();
    b->dialog = true;
    frame(b);
    click(b, "Press");
    assert_int_equal(b->pressed, 0);
    click(b, "Close it");
    frame(b);
    assert_false(b->dialog);
    click(b, "Press");
    assert_int_equal(b->pressed, 1);
}

static void the_same_frame_is_the_same_picture_and_themes_differ(void **state)
{
    bench *b = open_bench();
    size_t size = 4 * WIDTH * HEIGHT;
    uint8_t *one = malloc(size), *two = malloc(size);
    for (int i = 0; i < 3; ++i)
        frame(b);
    draw_target_read(b->target, one);
    frame(b);
    draw_target_read(b->target, two);
    assert_memory_equal(one, two, size);
    gui_set_theme(b->gui, false);
    frame(b);
    draw_target_read(b->target, two);
    assert_true(memcmp(one, two, size) != 0);
    free(one);
    free(two);
}

static void any_scale_keeps_places_in_points(void **state)
{
    double at[2], scaled[2];
    bench *b = open_bench();
    frame(b);
    assert_true(gui_find(b->gui, "Press", at));
    gui_set_scale(b->gui, 2.0);
    assert_int_equal(draw_target_resize(b->target, 2 * WIDTH, 2 * HEIGHT), ER_OK);
    draw_target_bind(b->target);
    gui_begin(b->gui, 2 * WIDTH, 2 * HEIGHT, 0.01);
    gui_panel_begin(b->gui, "##panel", 10, 10, 260, 300);
    gui_button(b->gui, "Press");
    gui_panel_end(b->gui);
    gui_end(b->gui);
    gui_paint(b->gui);
    assert_true(gui_find(b->gui, "Press", scaled));
    assert_true(at[0] - scaled[0] < 2.0 && scaled[0] - at[0] < 2.0);
    assert_true(at[1] - scaled[1] < 2.0 && scaled[1] - at[1] < 2.0);
}

static void nothing_is_written_beside_the_program(void **state)
{
    bench *b = open_bench();
    frame(b);
    close_bench(b);
    assert_int_not_equal(access("imgui.ini", F_OK), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(widgets_are_found_by_label_and_pressed),
        cmocka_unit_test(what_is_scrolled_out_of_sight_is_listed_but_not_found),
        cmocka_unit_test(sliders_follow_the_pointer),
        cmocka_unit_test(text_is_typed_into_the_field_that_was_clicked),
        cmocka_unit_test(a_text_is_kept_when_a_panel_drawn_before_takes_the_click),
        cmocka_unit_test(choices_open_and_choose),
        cmocka_unit_test(dialogs_stand_before_all_else),
        cmocka_unit_test(the_same_frame_is_the_same_picture_and_themes_differ),
        cmocka_unit_test(any_scale_keeps_places_in_points),
        cmocka_unit_test(nothing_is_written_beside_the_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
