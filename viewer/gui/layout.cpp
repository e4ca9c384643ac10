// Panels, dialogs, tabs, menus, and the place of the next widget.
#include "viewer/gui/inside.hpp"

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

// Tabs have less padding than buttons, so that six fit.
struct narrow {
    narrow()
    {
        ImVec2 padding = ImGui::GetStyle().FramePadding;
        ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(0.6f * padding.x, padding.y));
    }
    ~narrow()
    {
        ImGui::PopStyleVar();
    }
};

bool gui_tabs_begin(gui *, const char *label)
{
    narrow n;
    return ImGui::BeginTabBar(label, ImGuiTabBarFlags_FittingPolicyResizeDown);
}

void gui_tabs_end(gui *)
{
    ImGui::EndTabBar();
}

bool gui_tab(gui *g, const char *label, bool to_front)
{
    narrow n;
    return record_widget(g, label, ImGui::BeginTabItem(label, nullptr, to_front ? ImGuiTabItemFlags_SetSelected : 0));
}

void gui_tab_end(gui *)
{
    ImGui::EndTabItem();
}

bool gui_fold(gui *g, const char *label, bool open_at_first)
{
    ImGui::PushStyleColor(ImGuiCol_Header, ImGui::GetStyleColorVec4(ImGuiCol_FrameBg));
    bool open = ImGui::CollapsingHeader(label, open_at_first ? ImGuiTreeNodeFlags_DefaultOpen : 0);
    ImGui::PopStyleColor();
    return record_widget(g, label, open);
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

void record_unfolded(gui *g)
{
    g->now.unfolded = true;
    if (ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape), false)) ImGui::CloseCurrentPopup();
}

bool gui_menu_begin(gui *g, const char *label)
{
    ImVec2 low = ImGui::GetCursorScreenPos(), size = ImGui::CalcTextSize(label);
    bool open = ImGui::BeginMenu(label); // an open menu is no item
    record_rectangle(g, label, low, point((double)(low.x + size.x), (double)(low.y + ImGui::GetFrameHeight())), true);
    if (open) record_unfolded(g);
    return open;
}

void gui_menu_end(gui *)
{
    ImGui::EndMenu();
}

bool gui_menu_item(gui *g, const char *label, const char *keys, bool checked, bool enabled)
{
    return record_widget(g, label, ImGui::MenuItem(label, keys, checked, enabled));
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

bool gui_is_visible(const gui *, double width, double height)
{
    return ImGui::IsRectVisible(point(width, height));
}
