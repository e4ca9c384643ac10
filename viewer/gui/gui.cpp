// The handle, events, frames, places of widgets, and free drawing.
#include "viewer/gui/inside.hpp"

#include <backends/imgui_impl_opengl3.h>
#include <cmath>
#include <cstring>
#include <ctime>
#include <new>

#include "base/platform.h"

// Keys that ImGui knows by name, as GLFW numbers them.
static void map_keys(ImGuiIO &io)
{
    static const struct {
        ImGuiKey here;
        int glfw;
    } keys[] = {
        {ImGuiKey_Tab, 258},       {ImGuiKey_LeftArrow, 263}, {ImGuiKey_RightArrow, 262}, {ImGuiKey_UpArrow, 265},
        {ImGuiKey_DownArrow, 264}, {ImGuiKey_PageUp, 266},    {ImGuiKey_PageDown, 267},   {ImGuiKey_Home, 268},
        {ImGuiKey_End, 269},       {ImGuiKey_Insert, 260},    {ImGuiKey_Delete, 261},     {ImGuiKey_Backspace, 259},
        {ImGuiKey_Space, 32},      {ImGuiKey_Enter, 257},     {ImGuiKey_Escape, 256},     {ImGuiKey_KeyPadEnter, 335},
        {ImGuiKey_A, 'A'},         {ImGuiKey_C, 'C'},         {ImGuiKey_V, 'V'},          {ImGuiKey_X, 'X'},
        {ImGuiKey_Y, 'Y'},         {ImGuiKey_Z, 'Z'}};
    for (const auto &key : keys)
        io.KeyMap[key.here] = key.glfw;
}

// ImGui's backend prints and gives up without libGL, so this is checked first.
static bool has_opengl()
{
    void *library = eri_library_load("libGL.so.1", false);
    if (library != nullptr) eri_library_unload(library);
    return library != nullptr;
}

gui *gui_create(double scale, bool dark)
{
    if (!has_opengl()) return nullptr;
    gui *g = new (std::nothrow) gui();
    if (g == nullptr) return nullptr;
    ImGuiContext *before = ImGui::GetCurrentContext();
    g->context = ImGui::CreateContext();
    ImGui::SetCurrentContext(g->context);
    g->scale = scale;
    g->dark = dark;
    g->font_is_old = true;
    ImGuiIO &io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.LogFilename = nullptr;
    io.ConfigInputTextCursorBlink = false; // pictures repeat
    io.ConfigMemoryCompactTimer = FLT_MAX; // frames allocate nothing; below 0 ImGui frees memory at once
    map_keys(io);
    set_theme(dark);
    if (!ImGui_ImplOpenGL3_Init("#version 330 core")) {
        ImGui::DestroyContext(g->context);
        ImGui::SetCurrentContext(before);
        delete g;
        return nullptr;
    }
    return g;
}

void gui_destroy(gui *g)
{
    if (g == nullptr) return;
    ImGui::SetCurrentContext(g->context);
    if (g->began) ImGui::EndFrame();
    ImGui_ImplOpenGL3_Shutdown();
    ImGui::DestroyContext(g->context);
    delete g;
}

void gui_set_theme(gui *g, bool dark)
{
    if (g->dark == dark) return;
    ImGui::SetCurrentContext(g->context);
    g->dark = dark;
    set_theme(dark);
}

void gui_set_scale(gui *g, double scale)
{
    if (g->scale == scale) return;
    g->scale = scale;
    g->font_is_old = true;
}

void gui_set_clipboard(gui *g, const char *(*get)(void *user), void (*set)(void *user, const char *text), void *user)
{
    ImGui::SetCurrentContext(g->context);
    ImGuiIO &io = ImGui::GetIO();
    io.GetClipboardTextFn = get;
    io.SetClipboardTextFn = set;
    io.ClipboardUserData = user;
}

void gui_feed(gui *g, const gui_event *event)
{
    ImGui::SetCurrentContext(g->context);
    ImGuiIO &io = ImGui::GetIO();
    switch (event->kind) {
    case GUI_MOUSE_MOVE:
        io.MousePos = point(event->x, event->y);
        break;
    case GUI_MOUSE_BUTTON:
        if (event->button >= 0 && event->button < 3) io.MouseDown[event->button] = event->down;
        break;
    case GUI_SCROLL:
        io.MouseWheelH += (float)event->x;
        io.MouseWheel += (float)event->y;
        break;
    case GUI_KEY:
        if (event->key >= 0 && event->key < 512) io.KeysDown[event->key] = event->down;
        break;
    case GUI_CHARACTER:
        io.AddInputCharacter(event->character);
        break;
    }
    if (event->kind != GUI_KEY && event->kind != GUI_MOUSE_BUTTON) return;
    io.KeyShift = (event->modifiers & GUI_SHIFT) != 0;
    io.KeyCtrl = (event->modifiers & GUI_CONTROL) != 0;
    io.KeyAlt = (event->modifiers & GUI_ALT) != 0;
}

void gui_forget_keys(gui *g)
{
    ImGui::SetCurrentContext(g->context);
    ImGuiIO &io = ImGui::GetIO();
    memset(io.KeysDown, 0, sizeof io.KeysDown);
    memset(io.MouseDown, 0, sizeof io.MouseDown);
    io.KeyShift = io.KeyCtrl = io.KeyAlt = false;
}

bool gui_wants_mouse(const gui *g)
{
    ImGui::SetCurrentContext(g->context);
    return ImGui::GetIO().WantCaptureMouse;
}

bool gui_wants_keyboard(const gui *g)
{
    ImGui::SetCurrentContext(g->context);
    return ImGui::GetIO().WantTextInput;
}

bool gui_is_unfolded(const gui *g)
{
    return g->last.unfolded;
}

void gui_begin(gui *g, int width, int height, double seconds)
{
    ImGui::SetCurrentContext(g->context);
    ImGuiIO &io = ImGui::GetIO();
    if (g->font_is_old) {
        load_fonts(g);
        ImGui_ImplOpenGL3_DestroyFontsTexture();
        ImGui_ImplOpenGL3_CreateDeviceObjects();
        ImGui_ImplOpenGL3_DestroyFontsTexture(); // the line above may have made it
        ImGui_ImplOpenGL3_CreateFontsTexture();
        g->font_is_old = false;
    }
    io.DisplaySize = point(std::fmax(width, 0) / g->scale, std::fmax(height, 0) / g->scale);
    io.DisplayFramebufferScale = point(g->scale, g->scale);
    io.DeltaTime = seconds > 1e-5 ? (float)seconds : 1e-5f;
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
    g->now.list.clear();
    g->now.text.clear();
    g->now.unfolded = false;
    g->next_width = 0.0;
    g->began = true;
}

void gui_end(gui *g)
{
    ImGui::SetCurrentContext(g->context);
    ImGui::Render();
    std::swap(g->now, g->last);
    g->began = false;
}

void gui_paint(gui *g)
{
    ImGui::SetCurrentContext(g->context);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

void record_rectangle(gui *g, const char *label, ImVec2 low, ImVec2 high, bool seen)
{
    widget w = {g->now.text.size(), low, high, seen};
    g->now.text.append(label, strlen(label) + 1);
    g->now.list.push_back(w);
}

void record_item(gui *g, const char *label)
{
    ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    ImVec2 middle = point(0.5 * (double)(low.x + high.x), 0.5 * (double)(low.y + high.y));
    bool seen = ImGui::IsItemVisible() && ImGui::IsRectVisible(middle, ImVec2(middle.x + 1.0f, middle.y + 1.0f));
    record_rectangle(g, label, low, high, seen);
}

// 3: the whole label matches; 2: the part that is shown; 1: the part after "##"; 0: nothing.
static int match_score(const char *label, const char *asked)
{
    if (strcmp(label, asked) == 0) return 3;
    const char *mark = strstr(label, "##");
    if (mark == nullptr) return 0;
    size_t shown = (size_t)(mark - label);
    if (shown > 0 && strlen(asked) == shown && strncmp(label, asked, shown) == 0) return 2;
    return strcmp(mark + 2, asked) == 0 ? 1 : 0;
}

bool gui_find(const gui *g, const char *label, double centre[2])
{
    int best = 0;
    for (const widget &w : g->last.list) {
        int met = w.seen ? match_score(&g->last.text[w.label], label) : 0;
        if (met <= best) continue;
        best = met;
        centre[0] = 0.5 * (double)(w.low.x + w.high.x);
        centre[1] = 0.5 * (double)(w.low.y + w.high.y);
    }
    return best > 0;
}

const char *gui_widgets(const gui *g)
{
    g->lines.clear();
    for (const widget &w : g->last.list)
        g->lines.append(&g->last.text[w.label]).append("\n");
    return g->lines.c_str();
}

static ImU32 colour(const float rgba[4])
{
    return ImGui::ColorConvertFloat4ToU32(ImVec4(rgba[0], rgba[1], rgba[2], rgba[3]));
}

// The font whose size is nearest.
static ImFont *font_of(const gui *g, double size)
{
    return size > 1.25 * (double)g->small->FontSize / g->scale ? g->large : g->small;
}

void gui_draw_text(gui *g, double x, double y, double size, const float rgba[4], const char *text)
{
    ImGui::GetBackgroundDrawList()->AddText(font_of(g, size), (float)size, point(x, y), colour(rgba), text);
}

void gui_draw_line(gui *, const double from[2], const double to[2], double width, const float rgba[4])
{
    ImGui::GetBackgroundDrawList()->AddLine(point(from[0], from[1]), point(to[0], to[1]), colour(rgba), (float)width);
}

void gui_draw_image(gui *, unsigned texture, double x, double y, double width, double height)
{
    ImGui::GetBackgroundDrawList()->AddImage(texture_id(texture), point(x, y), point(x + width, y + height),
                                             ImVec2(0.0f, 1.0f), ImVec2(1.0f, 0.0f));
}

void gui_draw_box(gui *, double x, double y, double width, double height, const float rgba[4], double rounding)
{
    ImGui::GetBackgroundDrawList()->AddRectFilled(point(x, y), point(x + width, y + height), colour(rgba),
                                                  (float)rounding);
}

double gui_text_width(gui *g, double size, const char *text)
{
    return (double)font_of(g, size)->CalcTextSizeA((float)size, FLT_MAX, 0.0f, text).x;
}
