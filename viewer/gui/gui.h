/// @file
/// Widgets and text over OpenGL: the one door to Dear ImGui, whose types stay behind it.
///
/// Immediate mode: between gui_begin() and gui_end() each call draws a widget and returns what happened to it. A label
/// names its widget; text after "##" is not shown, but makes the name unique. Sizes are in points: pixels over the
/// scale. All functions run on the thread of the OpenGL context.
#ifndef ERI_VIEWER_GUI_GUI_H
#define ERI_VIEWER_GUI_GUI_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gui gui;

/// @param scale  pixels a point, 0.5 to 4
/// @return NULL: no OpenGL, or no memory. The font is DejaVu Sans if it is installed, else ImGui's own.
gui *gui_create(double scale, bool dark);
void gui_destroy(gui *g);
void gui_set_theme(gui *g, bool dark);
void gui_set_scale(gui *g, double scale);

/// Keys as GLFW numbers them (GLFW_KEY_*), so that windows and scripts speak alike.
typedef enum gui_event_kind { GUI_MOUSE_MOVE, GUI_MOUSE_BUTTON, GUI_SCROLL, GUI_KEY, GUI_CHARACTER } gui_event_kind;
enum { GUI_SHIFT = 1, GUI_CONTROL = 2, GUI_ALT = 4 };
typedef struct gui_event {
    gui_event_kind kind;
    double x, y;        ///< MOVE: points from the top left; SCROLL: steps
    int button;         ///< MOUSE_BUTTON: 0 left, 1 right, 2 middle
    int key;            ///< KEY: GLFW_KEY_*
    int modifiers;      ///< GUI_SHIFT ...
    bool down;          ///< MOUSE_BUTTON, KEY
    unsigned character; ///< CHARACTER: Unicode
} gui_event;
/// Adds an event for the next frame. Give at most one press or release of a button a frame; earlier ones are lost.
void gui_feed(gui *g, const gui_event *event);
void gui_forget_keys(gui *g); ///< releases all keys and buttons, as when the window loses the focus
/// Sets the clipboard; without one, copied text stays in the gui's own memory. `get` may return NULL.
void gui_set_clipboard(gui *g, const char *(*get)(void *user), void (*set)(void *user, const char *text), void *user);
bool gui_wants_mouse(const gui *g);    ///< the pointer is over a widget, or drags one
bool gui_wants_keyboard(const gui *g); ///< a text field has the focus
bool gui_is_unfolded(const gui *g);    ///< a choice or a menu was open in the last frame; Esc closes it

/// @param width,height  of the framebuffer, pixels   @param seconds  since the last frame, > 0
void gui_begin(gui *g, int width, int height, double seconds);
/// Ends the frame.
void gui_end(gui *g);
/// Draws the widgets onto the bound framebuffer; call once after each gui_end().
void gui_paint(gui *g);

/// Finds a widget of the last frame by its label, and gives its centre in points. The whole label is compared first,
/// then the part that is shown, then the part after "##". The first of several matches counts.
/// @return false: no such widget was drawn, or it is scrolled out of sight
bool gui_find(const gui *g, const char *label, double centre[2]);
/// Labels of all widgets and texts of the last frame, one a line. Owned by the gui, valid until the next call.
const char *gui_widgets(const gui *g);

// ---- layout

/// A panel at a fixed place. It has no title if its label begins with "##".
void gui_panel_begin(gui *g, const char *label, double x, double y, double width, double height);
void gui_panel_end(gui *g);
/// A dialog over everything else while *open. Call gui_dialog_end() only if true is returned.
bool gui_dialog_begin(gui *g, const char *label, bool *open, double width);
void gui_dialog_end(gui *g);
bool gui_child_begin(gui *g, const char *label, double width, double height); ///< scrolls; size 0: all that is left
void gui_child_end(gui *g);
bool gui_tabs_begin(gui *g, const char *label);
void gui_tabs_end(gui *g);
/// @param to_front  chooses it, from the next frame on
/// @return whether it is in front; then call gui_tab_end()
bool gui_tab(gui *g, const char *label, bool to_front);
void gui_tab_end(gui *g);
bool gui_fold(gui *g, const char *label, bool open_at_first); ///< a heading that folds what is below it
double gui_menu_bar_height(gui *g);
bool gui_menu_bar_begin(gui *g);
void gui_menu_bar_end(gui *g);
bool gui_menu_begin(gui *g, const char *label);
void gui_menu_end(gui *g);
bool gui_menu_item(gui *g, const char *label, const char *keys, bool checked, bool enabled);
void gui_same_line(gui *g);
void gui_same_line_at(gui *g, double x); ///< at this distance from the left edge
void gui_space(gui *g);
void gui_separator(gui *g);
void gui_width(gui *g, double width); ///< of the next widget without its label; negative: distance from the right edge
void gui_disable_begin(gui *g, bool disabled);
void gui_disable_end(gui *g);
void gui_push(gui *g, int id); ///< makes labels up to gui_pop() unique
void gui_pop(gui *g);
void gui_skip(gui *g, double height); ///< leaves empty room
void gui_scroll_here(gui *g);         ///< scrolls the next widget into sight
double gui_available_width(const gui *g);
double gui_available_height(const gui *g);
bool gui_is_visible(const gui *g, double width, double height); ///< whether a widget of this size would be seen here

// ---- widgets
//
// Sliders, choices and fields have their label in a column at the left.

void gui_text(gui *g, const char *text);
void gui_text_wrapped(gui *g, const char *text);
void gui_text_dim(gui *g, const char *text);
void gui_text_coloured(gui *g, const float rgb[3], const char *text);
bool gui_button(gui *g, const char *label);
bool gui_main_button(gui *g, const char *label);      ///< the main action of a dialog
bool gui_toggle(gui *g, const char *label, bool *on); ///< a button that stays down
bool gui_checkbox(gui *g, const char *label, bool *on);
bool gui_selectable(gui *g, const char *label, bool selected);
bool gui_choice(gui *g, const char *label, const char *const *name, int count, int *chosen);
/// Sliders: Ctrl+click types a number. True while the value changes.
bool gui_slider(gui *g, const char *label, double *value, double low, double high, const char *format,
                bool logarithmic);
/// A mark on the previous slider, at a share of its length. gui_find() knows it by its label, which is not shown.
void gui_slider_mark(gui *g, const char *label, double share, const float rgb[3]);
bool gui_slider_int(gui *g, const char *label, int *value, int low, int high);
bool gui_input_text(gui *g, const char *label, char *text, size_t size); ///< true when Enter is pressed
void gui_focus_here(gui *g);                                             ///< gives the keyboard to the next widget
bool gui_colour(gui *g, const char *label, float rgb[3]);
void gui_tooltip(gui *g, const char *text); ///< of the previous widget
bool gui_item_released(const gui *g);       ///< the previous widget was released after a change: time for an undo step
bool gui_is_held(const gui *g);             ///< a slider is dragged, or a text is typed
bool gui_item_double_clicked(const gui *g);
/// A picture with three texts at its right and a "+" in the corner, whose label is "+" and `label`; the title's is "~"
/// and `label`. gui_card() returns the part that is pressed, or whose title is dragged or was let go.
typedef enum gui_card_part {
    GUI_CARD_NOTHING,
    GUI_CARD_BODY,
    GUI_CARD_PLUS,
    GUI_CARD_DRAGGED, ///< the title, to the left or right: gui_card_way()
    GUI_CARD_DROPPED  ///< after that
} gui_card_part;
double gui_card_way(const gui *g); ///< points to the right since the title was pressed
typedef struct gui_card_def {
    unsigned texture;                ///< 0: none yet
    double width, height;            ///< of the picture
    const char *title, *line, *more; ///< `more` is wrapped
    bool selected;                   ///< the card is marked
    bool added;                      ///< the "+" is a "-"
    bool marked;                     ///< the title has the accent's colour
} gui_card_def;
gui_card_part gui_card(gui *g, const char *label, const gui_card_def *def);
/// A curve of a plot.
typedef struct gui_curve {
    const float *value; ///< [count]
    float rgb[3];
} gui_curve;
/// Curves in a box, on one scale that includes 0. `mark` in [0, 1] draws a vertical line; negative: none.
/// @return the share of the width at which the pointer holds it; -1: it is not held
double gui_plot(gui *g, const char *label, const gui_curve *curve, int curves, int count, double height, double mark);
/// Blocks in a row, as long as their time. Their labels are "piece N", from 1; "end N" is the edge that resizes one.
typedef struct gui_block {
    const char *text;
    double seconds;
} gui_block;
typedef enum gui_track_change {
    GUI_TRACK_NOTHING,
    GUI_TRACK_CHOSEN,   ///< a block was pressed
    GUI_TRACK_SIZED,    ///< its edge is dragged: *seconds is its new length
    GUI_TRACK_SIZED_TO, ///< after that
    GUI_TRACK_MOVED     ///< it was dropped on block *to
} gui_track_change;
/// @param chosen   in and out: block that is marked, -1
/// @param mark     s, of a vertical line; negative: none
gui_track_change gui_track(gui *g, const gui_block *block, int count, double height, double mark, int *chosen,
                           double *seconds, int *to);
const float *gui_curve_colour(const gui *g); ///< the theme's colour for a single curve

// ---- free drawing over the picture, under all panels: points, colours with opacity

void gui_draw_text(gui *g, double x, double y, double size, const float rgba[4], const char *text);
void gui_draw_line(gui *g, const double from[2], const double to[2], double width, const float rgba[4]);
void gui_draw_image(gui *g, unsigned texture, double x, double y, double width, double height);
void gui_draw_box(gui *g, double x, double y, double width, double height, const float rgba[4], double rounding);
double gui_text_width(gui *g, double size, const char *text);

#ifdef __cplusplus
}
#endif
#endif
