/// @file
/// Shared by the files of this room: the gui behind its handle, with Dear ImGui's types.
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
    mutable std::string lines;         // of gui_widgets()
    double track_scale, track_seconds; // of the block whose edge is dragged: points a second, and its length before
    double next_width;                 // of the next widget; 0: default
    ImGuiID typed_in;                  // the field that had the keyboard last
    std::string typed;                 // its text at that time
};

inline ImVec2 point(double x, double y)
{
    return ImVec2((float)x, (float)y);
}

inline ImTextureID texture_id(unsigned texture)
{
    return (ImTextureID)(intptr_t)texture;
}

/// Notes the place of the previous widget, or of any rectangle.
void record_item(gui *g, const char *label);
/// Notes that a choice or a menu is open. Esc then closes it and nothing else.
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

/// Notes the place of the previous widget, and passes its result on.
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
