/// @file
/// What the three files of the room share: the gui behind its handle, and Dear ImGui's types.
#ifndef ERI_VIEWER_GUI_INSIDE_HPP
#define ERI_VIEWER_GUI_INSIDE_HPP

#include "viewer/gui/gui.h"

#include <cstring>
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
    double next_width;         // of the next widget; 0: as it comes
    ImGuiID typed_in;          // the field that last had the keyboard
    std::string typed;         // what stood in it then
};

inline ImVec2 point(double x, double y)
{
    return ImVec2((float)x, (float)y);
}

/// Keeps where a widget lies: the one before, or any.
void record_item(gui *g, const char *label);
/// Of what has unfolded: Esc closes it, and nothing else.
void record_unfolded(gui *g);
void record_rectangle(gui *g, const char *label, ImVec2 low, ImVec2 high, bool seen);

/// The part of a label that is shown.
inline const char *shown_end(const char *label)
{
    const char *mark = strstr(label, "##");
    return mark != nullptr ? mark : label + strlen(label);
}

inline bool is_shown(const char *label)
{
    return shown_end(label) != label;
}

/// Keeps where the widget before lies; what became of it.
inline bool record_widget(gui *g, const char *label, bool result)
{
    record_item(g, label);
    return result;
}

/// Colours, rounding and spacing, in points.
void set_theme(bool dark);

/// DejaVu Sans in two sizes, or ImGui's own font.
void load_fonts(gui *g);

#endif
