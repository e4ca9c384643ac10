/// @file
/// What the three files of the room share: the gui behind its handle, and Dear ImGui's types.
#ifndef ER_GUI_INSIDE_HPP
#define ER_GUI_INSIDE_HPP

#include "gui/gui.h"

#include <imgui.h>
#include <string>
#include <vector>

/// A widget as it was drawn: its label in `gui_record.text`, and its rectangle in points.
struct widget {
    size_t label;
    ImVec2 low, high;
    bool seen;
};

/// The widgets of a frame.
struct record {
    std::vector<widget> list;
    std::string text; // labels, each with its NUL
    bool unfolded;    // a choice or a menu is open
};

struct gui {
    ImGuiContext *context;
    ImFont *small, *large; // of text, and of captions
    double scale;
    bool dark, font_is_old, began;
    record now, last;
    mutable std::string lines; // of gui_widgets()
    std::string shown_tab;     // to be brought to the front
    double next_width;         // of the next widget; 0: as it comes
    double gl_seconds;
};

inline ImVec2 point(double x, double y)
{
    return ImVec2((float)x, (float)y);
}

/// Keeps where a widget lies: the one before, or any.
void note_widget(gui *g, const char *label);
void note_rectangle(gui *g, const char *label, ImVec2 low, ImVec2 high, bool seen);

/// Colours, rounding and spacing, in points.
void set_theme(bool dark);

/// DejaVu Sans in two sizes, or ImGui's own font.
void load_fonts(gui *g);

#endif
