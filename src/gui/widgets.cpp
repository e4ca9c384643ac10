// Panels, menus and widgets.
#include "gui/inside.hpp"

#include <cmath>
#include <cstdio>
#include <cstring>

// The part of a label that is shown.
static const char *shown_end(const char *label)
{
    const char *mark = strstr(label, "##");
    return mark != nullptr ? mark : label + strlen(label);
}

static bool is_shown(const char *label)
{
    return shown_end(label) != label;
}

// Begins a widget with its label in a column at the left; the name that ImGui shall know it by.
struct field {
    char id[512];
    field(gui *g, const char *label)
    {
        snprintf(id, sizeof id, "##%s", label);
        if (is_shown(label)) {
            const float left = ImGui::GetCursorPosX();
            ImGui::AlignTextToFramePadding();
            ImGui::TextUnformatted(label, shown_end(label));
            ImGui::SameLine(left + 0.36f * ImGui::GetContentRegionAvail().x);
        }
        ImGui::SetNextItemWidth(g->next_width != 0.0 ? (float)g->next_width : -FLT_MIN);
        g->next_width = 0.0;
    }
};

static bool noted(gui *g, const char *label, bool result)
{
    note_widget(g, label);
    return result;
}

static ImVec2 button_size(gui *g)
{
    ImVec2 size((float)g->next_width, 0.0f);
    g->next_width = 0.0;
    return size;
}

// Esc closes what has unfolded, and nothing else.
static void note_unfolded(gui *g)
{
    g->now.unfolded = true;
    if (ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape), false)) ImGui::CloseCurrentPopup();
}

// --- layout

void gui_panel_begin(gui *, const char *label, double x, double y, double width, double height)
{
    ImGuiWindowFlags flags = ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoCollapse |
                             ImGuiWindowFlags_NoBringToFrontOnFocus;
    if (!is_shown(label)) flags |= ImGuiWindowFlags_NoTitleBar;
    ImGui::SetNextWindowPos(point(x, y));
    ImGui::SetNextWindowSize(point(width < 1.0 ? 1.0 : width, height < 1.0 ? 1.0 : height));
    ImGui::Begin(label, nullptr, flags);
}

void gui_panel_end(gui *)
{
    ImGui::End();
}

bool gui_dialog_begin(gui *, const char *label, bool *open, double width)
{
    if (*open && !ImGui::IsPopupOpen(label)) ImGui::OpenPopup(label);
    if (!*open && !ImGui::IsPopupOpen(label)) return false;
    ImVec2 whole = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos(point(0.5 * whole.x, 0.45 * whole.y), ImGuiCond_Always, ImVec2(0.5f, 0.5f));
    ImGui::SetNextWindowSize(ImVec2((float)width, 0.0f));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 8.0f);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(18.0f, 14.0f));
    bool there = ImGui::BeginPopupModal(label, open, ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize);
    ImGui::PopStyleVar(2);
    return there;
}

void gui_dialog_end(gui *)
{
    ImGui::EndPopup();
}

bool gui_child_begin(gui *, const char *label, double width, double height)
{
    return ImGui::BeginChild(label, point(width, height));
}

void gui_child_end(gui *)
{
    ImGui::EndChild();
}

bool gui_tabs_begin(gui *, const char *label)
{
    return ImGui::BeginTabBar(label, ImGuiTabBarFlags_FittingPolicyResizeDown);
}

void gui_tabs_end(gui *)
{
    ImGui::EndTabBar();
}

bool gui_tab(gui *g, const char *label)
{
    bool wanted = g->shown_tab == label;
    return noted(g, label, ImGui::BeginTabItem(label, nullptr, wanted ? ImGuiTabItemFlags_SetSelected : 0));
}

void gui_tab_end(gui *)
{
    ImGui::EndTabItem();
}

void gui_show_tab(gui *g, const char *label)
{
    g->shown_tab = label;
}

bool gui_fold(gui *g, const char *label, bool open_at_first)
{
    ImGui::PushStyleColor(ImGuiCol_Header, ImGui::GetStyleColorVec4(ImGuiCol_FrameBg));
    bool open = ImGui::CollapsingHeader(label, open_at_first ? ImGuiTreeNodeFlags_DefaultOpen : 0);
    ImGui::PopStyleColor();
    return noted(g, label, open);
}

double gui_menu_bar_height(gui *g)
{
    ImGui::SetCurrentContext(g->context);
    return (double)ImGui::GetFrameHeight();
}

bool gui_menu_bar_begin(gui *)
{
    return ImGui::BeginMainMenuBar();
}

void gui_menu_bar_end(gui *)
{
    ImGui::EndMainMenuBar();
}

bool gui_menu_begin(gui *g, const char *label)
{
    ImVec2 low = ImGui::GetCursorScreenPos(), size = ImGui::CalcTextSize(label);
    bool open = ImGui::BeginMenu(label); // which is no item once it is open
    note_rectangle(g, label, low, point((double)(low.x + size.x), (double)(low.y + ImGui::GetFrameHeight())), true);
    if (open) note_unfolded(g);
    return open;
}

void gui_menu_end(gui *)
{
    ImGui::EndMenu();
}

bool gui_menu_item(gui *g, const char *label, const char *keys, bool checked, bool enabled)
{
    return noted(g, label, ImGui::MenuItem(label, keys, checked, enabled));
}

void gui_same_line(gui *)
{
    ImGui::SameLine();
}

void gui_same_line_at(gui *, double x)
{
    ImGui::SameLine((float)x);
}

void gui_space(gui *)
{
    ImGui::Dummy(ImVec2(0.0f, 4.0f));
}

void gui_separator(gui *)
{
    ImGui::Separator();
}

void gui_width(gui *g, double width)
{
    g->next_width = width;
}

void gui_disable_begin(gui *, bool disabled)
{
    ImGui::BeginDisabled(disabled);
}

void gui_disable_end(gui *)
{
    ImGui::EndDisabled();
}

void gui_push(gui *, int id)
{
    ImGui::PushID(id);
}

void gui_pop(gui *)
{
    ImGui::PopID();
}

void gui_skip(gui *, double height)
{
    ImGui::Dummy(point(1.0, height));
}

void gui_scroll_here(gui *)
{
    ImGui::SetScrollHereY(0.35f);
}

double gui_available_width(const gui *)
{
    return (double)ImGui::GetContentRegionAvail().x;
}

double gui_available_height(const gui *)
{
    return (double)ImGui::GetContentRegionAvail().y;
}

double gui_cursor_y(const gui *)
{
    return (double)ImGui::GetCursorPosY();
}

bool gui_is_visible(const gui *, double width, double height)
{
    return ImGui::IsRectVisible(point(width, height));
}

// --- widgets

void gui_text(gui *g, const char *text)
{
    ImGui::TextUnformatted(text);
    note_widget(g, text);
}

void gui_text_wrapped(gui *g, const char *text)
{
    ImGui::PushTextWrapPos(0.0f);
    ImGui::TextUnformatted(text);
    ImGui::PopTextWrapPos();
    note_widget(g, text);
}

void gui_text_dim(gui *g, const char *text)
{
    ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
    ImGui::TextUnformatted(text);
    ImGui::PopStyleColor();
    note_widget(g, text);
}

void gui_text_coloured(gui *g, const float rgb[3], const char *text)
{
    ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(rgb[0], rgb[1], rgb[2], 1.0f));
    ImGui::TextUnformatted(text);
    ImGui::PopStyleColor();
    note_widget(g, text);
}

bool gui_button(gui *g, const char *label)
{
    return noted(g, label, ImGui::Button(label, button_size(g)));
}

// A button in the accent's colour.
static bool accent_button(gui *g, const char *label)
{
    ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetStyleColorVec4(ImGuiCol_SliderGrab));
    ImGui::PushStyleColor(ImGuiCol_ButtonHovered, ImGui::GetStyleColorVec4(ImGuiCol_SliderGrabActive));
    ImGui::PushStyleColor(ImGuiCol_ButtonActive, ImGui::GetStyleColorVec4(ImGuiCol_SliderGrabActive));
    ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(1.0f, 1.0f, 1.0f, 1.0f));
    bool pressed = ImGui::Button(label, button_size(g));
    ImGui::PopStyleColor(4);
    return noted(g, label, pressed);
}

bool gui_main_button(gui *g, const char *label)
{
    return accent_button(g, label);
}

bool gui_toggle(gui *g, const char *label, bool *on)
{
    bool pressed = *on ? accent_button(g, label) : gui_button(g, label);
    if (pressed) *on = !*on;
    return pressed;
}

bool gui_checkbox(gui *g, const char *label, bool *on)
{
    return noted(g, label, ImGui::Checkbox(label, on));
}

bool gui_selectable(gui *g, const char *label, bool selected)
{
    ImVec2 size = button_size(g);
    size.y = ImGui::GetFrameHeight();
    return noted(g, label, ImGui::Selectable(label, selected, ImGuiSelectableFlags_DontClosePopups, size));
}

bool gui_choice(gui *g, const char *label, const char *const *name, int count, int *chosen)
{
    field f(g, label);
    bool changed = false;
    ImVec2 low = ImGui::GetCursorScreenPos();
    ImVec2 high = point((double)(low.x + ImGui::CalcItemWidth()), (double)(low.y + ImGui::GetFrameHeight()));
    bool seen = ImGui::IsRectVisible(low, high);
    bool open =
        ImGui::BeginCombo(f.id, *chosen >= 0 && *chosen < count ? name[*chosen] : "", ImGuiComboFlags_HeightLarge);
    note_rectangle(g, label, low, high, seen);
    if (!open) return false;
    note_unfolded(g);
    for (int i = 0; i < count; ++i) {
        ImGui::PushID(i);
        if (noted(g, name[i], ImGui::Selectable(name[i], i == *chosen))) {
            changed = i != *chosen;
            *chosen = i;
        }
        ImGui::PopID();
    }
    ImGui::EndCombo();
    return changed;
}

// A slider is a bar that its value fills; ImGui's own grab would lie over the number.
struct bar {
    explicit bar(double share)
    {
        ImVec2 low = ImGui::GetCursorScreenPos();
        ImVec2 size(ImGui::CalcItemWidth(), ImGui::GetFrameHeight());
        bool over = ImGui::IsMouseHoveringRect(low, ImVec2(low.x + size.x, low.y + size.y));
        float rounding = ImGui::GetStyle().FrameRounding;
        share = share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share;
        float end = low.x + 3.0f + (float)share * (size.x - 3.0f);
        ImVec4 fill = ImGui::GetStyleColorVec4(ImGuiCol_SliderGrab);
        fill.w = 0.5f * ImGui::GetStyle().Alpha;
        ImDrawList *list = ImGui::GetWindowDrawList();
        ImVec2 bottom(low.x + size.x, low.y + size.y);
        list->AddRectFilled(low, bottom, ImGui::GetColorU32(over ? ImGuiCol_FrameBgHovered : ImGuiCol_FrameBg),
                            rounding);
        list->PushClipRect(low, ImVec2(end, bottom.y), true);
        list->AddRectFilled(low, bottom, ImGui::ColorConvertFloat4ToU32(fill), rounding);
        list->AddRectFilled(ImVec2(end - 3.0f, low.y), bottom, ImGui::GetColorU32(ImGuiCol_SliderGrabActive),
                            end >= bottom.x - rounding ? rounding : 0.0f);
        list->PopClipRect();
        for (ImGuiCol part : {ImGuiCol_FrameBg, ImGuiCol_FrameBgHovered, ImGuiCol_FrameBgActive, ImGuiCol_SliderGrab,
                              ImGuiCol_SliderGrabActive})
            ImGui::PushStyleColor(part, ImVec4(0.0f, 0.0f, 0.0f, 0.0f));
    }
    ~bar()
    {
        ImGui::PopStyleColor(5);
    }
};

bool gui_slider(gui *g, const char *label, double *value, double low, double high, const char *format, bool logarithmic)
{
    field f(g, label);
    bool ratio = logarithmic && low > 0.0 && *value > 0.0;
    bar b(ratio ? std::log(*value / low) / std::log(high / low) : (*value - low) / (high > low ? high - low : 1.0));
    ImGuiSliderFlags flags = ImGuiSliderFlags_AlwaysClamp | (logarithmic ? ImGuiSliderFlags_Logarithmic : 0);
    return noted(g, label, ImGui::SliderScalar(f.id, ImGuiDataType_Double, value, &low, &high, format, flags));
}

bool gui_slider_int(gui *g, const char *label, int *value, int low, int high)
{
    field f(g, label);
    bar b((double)(*value - low) / (high > low ? high - low : 1));
    return noted(g, label, ImGui::SliderInt(f.id, value, low, high, "%d", ImGuiSliderFlags_AlwaysClamp));
}

bool gui_number(gui *g, const char *label, double *value, double step, const char *format)
{
    field f(g, label);
    return noted(g, label,
                 ImGui::InputScalar(f.id, ImGuiDataType_Double, value, step > 0.0 ? &step : nullptr, nullptr, format));
}

bool gui_input_text(gui *g, const char *label, char *text, size_t size)
{
    field f(g, label);
    bool entered =
        ImGui::InputText(f.id, text, size, ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
    return noted(g, label, entered);
}

bool gui_colour(gui *g, const char *label, float rgb[3])
{
    field f(g, label);
    return noted(g, label, ImGui::ColorEdit3(f.id, rgb, ImGuiColorEditFlags_NoInputs));
}

static ImTextureID texture_id(unsigned texture)
{
    return (ImTextureID)(intptr_t)texture;
}

bool gui_image_button(gui *g, const char *label, unsigned texture, double width, double height, bool selected)
{
    ImVec2 low = ImGui::GetCursorScreenPos();
    bool pressed = ImGui::InvisibleButton(label, point(width, height));
    ImVec2 high = point((double)low.x + width, (double)low.y + height);
    ImDrawList *list = ImGui::GetWindowDrawList();
    list->AddImageRounded(texture_id(texture), low, high, ImVec2(0.0f, 1.0f), ImVec2(1.0f, 0.0f), IM_COL32_WHITE, 6.0f);
    if (selected || ImGui::IsItemHovered()) {
        ImVec4 edge = ImGui::GetStyleColorVec4(ImGuiCol_SliderGrabActive);
        if (!selected) edge.w = 0.5f;
        list->AddRect(low, high, ImGui::ColorConvertFloat4ToU32(edge), 6.0f, 0, 2.0f);
    }
    return noted(g, label, pressed);
}

void gui_image(gui *, unsigned texture, double width, double height)
{
    ImGui::Image(texture_id(texture), point(width, height), ImVec2(0.0f, 1.0f), ImVec2(1.0f, 0.0f));
}

void gui_tooltip(gui *g, const char *text)
{
    if (!ImGui::IsItemHovered() || ImGui::IsItemActive()) return; // whose hand is on it knows what it is
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(26.0f * (float)((double)g->small->FontSize / g->scale));
    ImGui::TextUnformatted(text);
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

bool gui_item_released(const gui *)
{
    return ImGui::IsItemDeactivatedAfterEdit();
}

bool gui_item_hovered(const gui *)
{
    return ImGui::IsItemHovered();
}

bool gui_item_double_clicked(const gui *)
{
    return ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
}

void gui_progress(gui *, double share, const char *text)
{
    ImGui::ProgressBar((float)share, ImVec2(-FLT_MIN, 0.0f), text);
}

double gui_plot(gui *g, const char *label, const float *value, int count, double height, double mark)
{
    ImVec2 low = ImGui::GetCursorScreenPos();
    double width = g->next_width > 0.0 ? g->next_width : gui_available_width(g);
    g->next_width = 0.0;
    ImGui::InvisibleButton(label, point(width < 1.0 ? 1.0 : width, height));
    ImVec2 high = point((double)low.x + width, (double)low.y + height);
    ImDrawList *list = ImGui::GetWindowDrawList();
    list->AddRectFilled(low, high, ImGui::GetColorU32(ImGuiCol_FrameBg), 5.0f);
    float least = 0.0f, most = 0.0f;
    for (int i = 0; i < count; ++i) {
        least = value[i] < least ? value[i] : least;
        most = value[i] > most ? value[i] : most;
    }
    double span = most > least ? (double)(most - least) : 1.0, room = height - 8.0;
    list->PushClipRect(low, high, true);
    list->PathClear();
    for (int i = 0; i < count; ++i)
        list->PathLineTo(point((double)low.x + 4.0 + (width - 8.0) * i / (count > 1 ? count - 1 : 1),
                               (double)high.y - 4.0 - room * (double)(value[i] - least) / span));
    list->PathStroke(ImGui::GetColorU32(ImGuiCol_PlotLines), 0, 1.5f);
    list->PopClipRect();
    if (mark >= 0.0) {
        double x = (double)low.x + 4.0 + (width - 8.0) * mark;
        list->AddLine(point(x, (double)low.y + 2.0), point(x, (double)high.y - 2.0), ImGui::GetColorU32(ImGuiCol_Text),
                      1.5f);
    }
    note_rectangle(g, label, low, high, true);
    if (!ImGui::IsItemActive()) return -1.0;
    double share = ((double)(ImGui::GetIO().MousePos.x - low.x) - 4.0) / (width > 9.0 ? width - 8.0 : 1.0);
    return share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share;
}

// The corner of a card with its sign; true while the pointer is over it.
static bool card_corner(ImDrawList *list, ImVec2 low, ImVec2 high, bool shown, bool added)
{
    bool over = ImGui::IsMouseHoveringRect(low, high) && ImGui::IsItemHovered();
    if (!shown && !added) return over;
    ImU32 back = ImGui::GetColorU32(over || added ? ImGuiCol_SliderGrab : ImGuiCol_ButtonHovered);
    ImU32 ink = over || added ? IM_COL32_WHITE : ImGui::GetColorU32(ImGuiCol_Text);
    list->AddRectFilled(low, high, back, 5.0f);
    ImVec2 c((low.x + high.x) * 0.5f, (low.y + high.y) * 0.5f);
    list->AddLine(ImVec2(c.x - 4.0f, c.y), ImVec2(c.x + 4.0f, c.y), ink, 1.5f);
    if (!added) list->AddLine(ImVec2(c.x, c.y - 4.0f), ImVec2(c.x, c.y + 4.0f), ink, 1.5f);
    return over;
}

gui_card_part gui_card(gui *g, const char *label, const gui_card_def *def)
{
    ImVec2 low = ImGui::GetCursorScreenPos();
    ImVec2 high(low.x + ImGui::GetContentRegionAvail().x, low.y + (float)def->height + 12.0f);
    bool pressed = ImGui::InvisibleButton(label, ImVec2(high.x - low.x < 1.0f ? 1.0f : high.x - low.x, high.y - low.y));
    bool hovered = ImGui::IsItemHovered();
    ImDrawList *list = ImGui::GetWindowDrawList();
    if (def->selected || hovered)
        list->AddRectFilled(low, high, ImGui::GetColorU32(def->selected ? ImGuiCol_Header : ImGuiCol_FrameBg), 7.0f);
    ImVec2 corner_low(high.x - 28.0f, low.y + 6.0f), corner_high(high.x - 6.0f, low.y + 28.0f);
    ImVec2 picture(low.x + 6.0f, low.y + 6.0f);
    ImVec2 picture_end = point((double)picture.x + def->width, (double)picture.y + def->height);
    list->AddRectFilled(picture, picture_end, ImGui::GetColorU32(ImGuiCol_FrameBg), 5.0f);
    if (def->texture != 0)
        list->AddImageRounded(texture_id(def->texture), picture, picture_end, ImVec2(0.0f, 1.0f), ImVec2(1.0f, 0.0f),
                              IM_COL32_WHITE, 5.0f);
    float x = picture_end.x + 10.0f, size = ImGui::GetFontSize();
    list->PushClipRect(low, high, true);
    list->AddText(ImVec2(x, low.y + 8.0f), ImGui::GetColorU32(ImGuiCol_Text), def->title);
    ImU32 dim = ImGui::GetColorU32(ImGuiCol_TextDisabled);
    list->AddText(ImGui::GetFont(), 0.9f * size, ImVec2(x, low.y + 28.0f), dim, def->line);
    list->AddText(ImGui::GetFont(), 0.9f * size, ImVec2(x, low.y + 46.0f), dim, def->more, nullptr, high.x - x - 8.0f);
    list->PopClipRect();
    bool corner = card_corner(list, corner_low, corner_high, hovered, def->added);
    note_widget(g, label);
    bool seen = g->now.list.back().seen;
    char plus[160];
    snprintf(plus, sizeof plus, "+%s", label);
    note_rectangle(g, plus, corner_low, corner_high, seen);
    return !pressed ? GUI_CARD_NOTHING : corner ? GUI_CARD_PLUS : GUI_CARD_BODY;
}
