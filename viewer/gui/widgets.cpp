// Widgets.
#include "viewer/gui/inside.hpp"

#include <cmath>
#include <cstdio>
#include <cstring>

// Begins a widget with its label in a column at the left. `id` is the name for ImGui.
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

static ImVec2 button_size(gui *g)
{
    ImVec2 size((float)g->next_width, 0.0f);
    g->next_width = 0.0;
    return size;
}

void gui_text(gui *g, const char *text)
{
    ImGui::TextUnformatted(text);
    record_item(g, text);
}

void gui_text_wrapped(gui *g, const char *text)
{
    ImGui::PushTextWrapPos(0.0f);
    ImGui::TextUnformatted(text);
    ImGui::PopTextWrapPos();
    record_item(g, text);
}

void gui_text_dim(gui *g, const char *text)
{
    gui_text_coloured(g, &ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled).x, text);
}

void gui_text_coloured(gui *g, const float rgb[3], const char *text)
{
    ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(rgb[0], rgb[1], rgb[2], 1.0f));
    ImGui::TextUnformatted(text);
    ImGui::PopStyleColor();
    record_item(g, text);
}

bool gui_button(gui *g, const char *label)
{
    return record_widget(g, label, ImGui::Button(label, button_size(g)));
}

// A button in the accent's colour.
bool gui_main_button(gui *g, const char *label)
{
    ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetStyleColorVec4(ImGuiCol_SliderGrab));
    ImGui::PushStyleColor(ImGuiCol_ButtonHovered, ImGui::GetStyleColorVec4(ImGuiCol_SliderGrabActive));
    ImGui::PushStyleColor(ImGuiCol_ButtonActive, ImGui::GetStyleColorVec4(ImGuiCol_SliderGrabActive));
    ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(1.0f, 1.0f, 1.0f, 1.0f));
    bool pressed = ImGui::Button(label, button_size(g));
    ImGui::PopStyleColor(4);
    return record_widget(g, label, pressed);
}

bool gui_toggle(gui *g, const char *label, bool *on)
{
    bool pressed = *on ? gui_main_button(g, label) : gui_button(g, label);
    if (pressed) *on = !*on;
    return pressed;
}

bool gui_checkbox(gui *g, const char *label, bool *on)
{
    return record_widget(g, label, ImGui::Checkbox(label, on));
}

bool gui_selectable(gui *g, const char *label, bool selected)
{
    ImVec2 size = button_size(g);
    size.y = ImGui::GetFrameHeight();
    return record_widget(g, label, ImGui::Selectable(label, selected, ImGuiSelectableFlags_DontClosePopups, size));
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
    record_rectangle(g, label, low, high, seen);
    if (!open) return false;
    record_unfolded(g);
    for (int i = 0; i < count; ++i) {
        ImGui::PushID(i);
        if (record_widget(g, name[i], ImGui::Selectable(name[i], i == *chosen))) {
            changed = i != *chosen;
            *chosen = i;
        }
        ImGui::PopID();
    }
    ImGui::EndCombo();
    return changed;
}

// A slider is a bar filled up to its value. ImGui's own grab would hide the number.
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
    return record_widget(g, label, ImGui::SliderScalar(f.id, ImGuiDataType_Double, value, &low, &high, format, flags));
}

void gui_slider_mark(gui *g, const char *label, double share, const float rgb[3])
{
    ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    low.x += 1.5f + (float)share * (high.x - low.x - 3.0f); // the middle of the bar's end
    low = point((double)low.x - 1.0, (double)low.y);
    high = point((double)low.x + 2.0, (double)high.y);
    bool seen = ImGui::IsItemVisible();
    ImGui::GetWindowDrawList()->AddRectFilled(low, high,
                                              ImGui::ColorConvertFloat4ToU32(ImVec4(rgb[0], rgb[1], rgb[2], 1.0f)));
    record_rectangle(g, label, low, high, seen);
}

bool gui_slider_int(gui *g, const char *label, int *value, int low, int high)
{
    field f(g, label);
    bar b((double)(*value - low) / (high > low ? high - low : 1));
    return record_widget(g, label, ImGui::SliderInt(f.id, value, low, high, "%d", ImGuiSliderFlags_AlwaysClamp));
}

bool gui_input_text(gui *g, const char *label, char *text, size_t size)
{
    field f(g, label);
    const std::string given = text;
    const ImGuiID id = ImGui::GetID(f.id);
    bool entered =
        ImGui::InputText(f.id, text, size, ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
    if (ImGui::IsItemActive()) {
        g->typed_in = id;
        g->typed = text;
    } else if (ImGui::IsItemDeactivatedAfterEdit() && ImGui::IsMouseClicked(ImGuiMouseButton_Left) &&
               g->typed_in == id && given == text) {
        snprintf(text, size, "%s", g->typed.c_str()); // another widget took the click first, and ImGui dropped the text
    }
    return record_widget(g, label, entered);
}

void gui_focus_here(gui *g)
{
    (void)g;
    ImGui::SetKeyboardFocusHere();
}

bool gui_colour(gui *g, const char *label, float rgb[3])
{
    field f(g, label);
    return record_widget(g, label, ImGui::ColorEdit3(f.id, rgb, ImGuiColorEditFlags_NoInputs));
}

// A tooltip in a panel stands beside the panel, so that it hides no line of it. In a bar as wide as the window it
// stands at the pointer.
static void place_beside()
{
    const float gap = 8.0f;
    const ImVec2 screen = ImGui::GetIO().DisplaySize, from = ImGui::GetItemRectMin(), to = ImGui::GetItemRectMax();
    const ImVec2 panel = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    if (size.x > 0.6f * screen.x) return;
    const bool right = panel.x + 0.5f * size.x > 0.5f * screen.x, low = from.y > 0.5f * screen.y;
    ImGui::SetNextWindowPos(ImVec2(right ? panel.x - gap : panel.x + size.x + gap, low ? to.y : from.y),
                            ImGuiCond_Always, ImVec2(right ? 1.0f : 0.0f, low ? 1.0f : 0.0f));
}

void gui_tooltip(gui *g, const char *text)
{
    if (!ImGui::IsItemHovered() || ImGui::IsItemActive()) return; // not while it is used
    place_beside();
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

bool gui_is_held(const gui *g)
{
    ImGui::SetCurrentContext(g->context);
    return ImGui::IsAnyItemActive();
}

bool gui_item_double_clicked(const gui *)
{
    return ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
}

double gui_plot(gui *g, const char *label, const gui_curve *curve, int curves, int count, double height, double mark)
{
    ImVec2 low = ImGui::GetCursorScreenPos();
    double width = g->next_width > 0.0 ? g->next_width : gui_available_width(g);
    g->next_width = 0.0;
    ImGui::InvisibleButton(label, point(width < 1.0 ? 1.0 : width, height));
    ImVec2 high = point((double)low.x + width, (double)low.y + height);
    ImDrawList *list = ImGui::GetWindowDrawList();
    list->AddRectFilled(low, high, ImGui::GetColorU32(ImGuiCol_FrameBg), 5.0f);
    float least = 0.0f, most = 0.0f;
    for (int k = 0; k < curves; ++k)
        for (int i = 0; i < count; ++i) {
            least = curve[k].value[i] < least ? curve[k].value[i] : least;
            most = curve[k].value[i] > most ? curve[k].value[i] : most;
        }
    double span = most > least ? (double)(most - least) : 1.0, room = height - 8.0;
    list->PushClipRect(low, high, true);
    for (int k = 0; k < curves; ++k) {
        const float *rgb = curve[k].rgb;
        list->PathClear();
        for (int i = 0; i < count; ++i)
            list->PathLineTo(point((double)low.x + 4.0 + (width - 8.0) * i / (count > 1 ? count - 1 : 1),
                                   (double)high.y - 4.0 - room * (double)(curve[k].value[i] - least) / span));
        list->PathStroke(ImGui::ColorConvertFloat4ToU32(ImVec4(rgb[0], rgb[1], rgb[2], 1.0f)), 0, 1.5f);
    }
    list->PopClipRect();
    if (mark >= 0.0) {
        double x = (double)low.x + 4.0 + (width - 8.0) * mark;
        list->AddLine(point(x, (double)low.y + 2.0), point(x, (double)high.y - 2.0), ImGui::GetColorU32(ImGuiCol_Text),
                      1.5f);
    }
    record_rectangle(g, label, low, high, true);
    if (!ImGui::IsItemActive()) return -1.0;
    double share = ((double)(ImGui::GetIO().MousePos.x - low.x) - 4.0) / (width > 9.0 ? width - 8.0 : 1.0);
    return share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share;
}

static void draw_block(ImVec2 low, ImVec2 high, const char *text, bool chosen, bool hovered)
{
    ImDrawList *list = ImGui::GetWindowDrawList();
    ImVec2 inner(high.x - 2.0f, high.y);
    list->AddRectFilled(low, inner,
                        ImGui::GetColorU32(chosen    ? ImGuiCol_SliderGrab
                                           : hovered ? ImGuiCol_ButtonHovered
                                                     : ImGuiCol_Button),
                        5.0f);
    list->PushClipRect(low, inner, true);
    list->AddText(ImVec2(low.x + 8.0f, low.y + 0.5f * (high.y - low.y - ImGui::GetFontSize())),
                  chosen ? IM_COL32_WHITE : ImGui::GetColorU32(ImGuiCol_Text), text);
    list->PopClipRect();
}

// The edge of a block, and the rest of it, as two buttons.
static gui_track_change block_change(gui *g, const gui_block *block, int k, ImVec2 low, ImVec2 high, double scale,
                                     double *seconds)
{
    const float edge = 7.0f, least = 4.0f; // points
    const ImGuiIO &io = ImGui::GetIO();
    char label[32];
    gui_track_change change = GUI_TRACK_NOTHING;
    ImGui::SetCursorScreenPos(low);
    snprintf(label, sizeof label, "piece %d", k + 1);
    ImGui::InvisibleButton(label, ImVec2(fmaxf(high.x - low.x - edge, 1.0f), high.y - low.y));
    bool hovered = ImGui::IsItemHovered();
    if (ImGui::IsItemActivated()) change = GUI_TRACK_CHOSEN;
    if (ImGui::IsItemDeactivated() && io.MouseDragMaxDistanceSqr[0] > least * least) change = GUI_TRACK_MOVED;
    record_item(g, label);
    ImGui::SetCursorScreenPos(ImVec2(high.x - edge, low.y));
    snprintf(label, sizeof label, "end %d", k + 1);
    ImGui::InvisibleButton(label, ImVec2(edge, high.y - low.y));
    record_item(g, label);
    if (ImGui::IsItemActivated()) {
        g->track_scale = scale;
        g->track_seconds = block[k].seconds;
    }
    if (ImGui::IsItemActive() || ImGui::IsItemDeactivated()) {
        double way = (double)(io.MousePos.x - io.MouseClickedPos[0].x) / g->track_scale;
        *seconds = floor(20.0 * (g->track_seconds + way) + 0.5) / 20.0;
        if (*seconds < 0.1) *seconds = 0.1;
        change = ImGui::IsItemDeactivated() ? GUI_TRACK_SIZED_TO : GUI_TRACK_SIZED;
    }
    draw_block(low, high, block[k].text, false, hovered);
    return change;
}

gui_track_change gui_track(gui *g, const gui_block *block, int count, double height, double mark, int *chosen,
                           double *seconds, int *to)
{
    ImVec2 from = ImGui::GetCursorScreenPos();
    double width = gui_available_width(g), all = 0.0, at = (double)from.x;
    gui_track_change change = GUI_TRACK_NOTHING;
    for (int k = 0; k < count; ++k)
        all += block[k].seconds;
    double scale = width / (all > 10.0 ? all : 10.0);
    ImGui::GetWindowDrawList()->AddRectFilled(from, point((double)from.x + width, (double)from.y + height),
                                              ImGui::GetColorU32(ImGuiCol_FrameBg), 5.0f);
    int changed = -1;
    float pointer = ImGui::GetIO().MousePos.x;
    *to = count - 1;
    for (int k = count - 1; k >= 0; --k) {
        double end = (double)from.x;
        for (int i = 0; i <= k; ++i)
            end += scale * block[i].seconds;
        if ((double)pointer < end) *to = k;
    }
    for (int k = 0; k < count; ++k, at += scale * block[k - 1].seconds) {
        ImVec2 low = point(at, (double)from.y), high = point(at + scale * block[k].seconds, (double)from.y + height);
        gui_track_change now = block_change(g, block, k, low, high, scale, seconds);
        if (k == *chosen) draw_block(low, high, block[k].text, true, false);
        if (now == GUI_TRACK_NOTHING) continue;
        change = now;
        changed = k;
    }
    if (mark >= 0.0 && mark <= all) {
        float x = from.x + (float)(scale * mark);
        ImGui::GetWindowDrawList()->AddLine(ImVec2(x, from.y), point((double)x, (double)from.y + height),
                                            ImGui::GetColorU32(ImGuiCol_Text), 1.5f);
    }
    ImGui::SetCursorScreenPos(from);
    ImGui::Dummy(point(width, height));
    if (changed >= 0) *chosen = changed;
    if (change == GUI_TRACK_MOVED && *to == changed) change = GUI_TRACK_CHOSEN;
    return change;
}

const float *gui_curve_colour(const gui *)
{
    return &ImGui::GetStyle().Colors[ImGuiCol_PlotLines].x;
}

// Draws the corner of a card with its sign.   @return whether the pointer is over it
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

double gui_card_way(const gui *)
{
    return (double)(ImGui::GetIO().MousePos.x - ImGui::GetIO().MouseClickedPos[0].x);
}

static bool holds(ImVec2 low, ImVec2 high, ImVec2 at)
{
    return at.x >= low.x && at.x < high.x && at.y >= low.y && at.y < high.y;
}

// The part of the title in a drag or a drop; the card is the previous item.
static gui_card_part title_part(ImVec2 low, ImVec2 high)
{
    const float least = 4.0f; // points, or it is a click
    const ImGuiIO &io = ImGui::GetIO();
    if (!holds(low, high, io.MouseClickedPos[0]) || io.MouseDragMaxDistanceSqr[0] < least * least)
        return GUI_CARD_NOTHING;
    return ImGui::IsItemActive() ? GUI_CARD_DRAGGED : ImGui::IsItemDeactivated() ? GUI_CARD_DROPPED : GUI_CARD_NOTHING;
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
    ImVec2 title_low(x - 4.0f, low.y + 4.0f);
    ImVec2 title_high(x + ImGui::CalcTextSize(def->title).x + 4.0f, low.y + 26.0f);
    gui_card_part titled = title_part(title_low, title_high);
    if (titled == GUI_CARD_DRAGGED || (hovered && holds(title_low, title_high, ImGui::GetIO().MousePos)))
        list->AddRectFilled(title_low, title_high, ImGui::GetColorU32(ImGuiCol_ButtonHovered), 4.0f);
    list->AddText(ImVec2(x, low.y + 8.0f), ImGui::GetColorU32(def->marked ? ImGuiCol_SliderGrabActive : ImGuiCol_Text),
                  def->title);
    ImU32 dim = ImGui::GetColorU32(ImGuiCol_TextDisabled);
    list->AddText(ImGui::GetFont(), 0.9f * size, ImVec2(x, low.y + 28.0f), dim, def->line);
    list->AddText(ImGui::GetFont(), 0.9f * size, ImVec2(x, low.y + 46.0f), dim, def->more, nullptr, high.x - x - 8.0f);
    list->PopClipRect();
    bool corner = card_corner(list, corner_low, corner_high, hovered, def->added);
    record_item(g, def->line);
    record_item(g, label);
    bool seen = g->now.list.back().seen;
    char plus[160];
    snprintf(plus, sizeof plus, "+%s", label);
    record_rectangle(g, plus, corner_low, corner_high, seen);
    plus[0] = '~';
    record_rectangle(g, plus, title_low, title_high, seen);
    if (titled != GUI_CARD_NOTHING) return titled;
    return !pressed ? GUI_CARD_NOTHING : corner ? GUI_CARD_PLUS : GUI_CARD_BODY;
}
