// Colours, spacing and fonts.
#include "viewer/gui/inside.hpp"

#include <cstdio>

static ImVec4 rgb(unsigned hex, float opacity = 1.0f)
{
    return ImVec4((float)(hex >> 16 & 255) / 255.0f, (float)(hex >> 8 & 255) / 255.0f, (float)(hex & 255) / 255.0f,
                  opacity);
}

// The few colours from which all others are made.
struct palette {
    unsigned panel, raised, field, hover, press, line, text, dim, accent, accent_hover, accent_press;
};
static const palette dark_palette = {0x1b1e24, 0x23272f, 0x2b303a, 0x363d4a, 0x414958, 0x30353f,
                                     0xe3e6eb, 0x8b93a1, 0x3d7dd8, 0x5091ea, 0x2f6bc2};
static const palette light_palette = {0xf6f7f9, 0xffffff, 0xe6e9ee, 0xd9dee6, 0xcbd2dd, 0xd5d9e0,
                                      0x22262d, 0x727a87, 0x2f6fd6, 0x4584e6, 0x255cb8};

static void set_sizes(ImGuiStyle &s)
{
    s.WindowRounding = 0.0f;
    s.ChildRounding = s.PopupRounding = s.ScrollbarRounding = 6.0f;
    s.FrameRounding = s.GrabRounding = s.TabRounding = 5.0f;
    s.WindowBorderSize = s.FrameBorderSize = s.TabBorderSize = 0.0f;
    s.PopupBorderSize = 1.0f;
    s.ChildBorderSize = 0.0f;
    s.WindowPadding = ImVec2(12.0f, 10.0f);
    s.FramePadding = ImVec2(8.0f, 4.0f);
    s.ItemSpacing = ImVec2(8.0f, 6.0f);
    s.ItemInnerSpacing = ImVec2(6.0f, 4.0f);
    s.ScrollbarSize = 11.0f;
    s.GrabMinSize = 12.0f;
    s.IndentSpacing = 14.0f;
    s.SelectableTextAlign = ImVec2(0.0f, 0.5f);
    s.WindowTitleAlign = ImVec2(0.0f, 0.5f);
    s.WindowMenuButtonPosition = ImGuiDir_None;
    s.DisabledAlpha = 0.45f;
}

void set_theme(bool dark)
{
    const palette &p = dark ? dark_palette : light_palette;
    ImGuiStyle &s = ImGui::GetStyle();
    s = ImGuiStyle();
    if (dark)
        ImGui::StyleColorsDark(&s);
    else
        ImGui::StyleColorsLight(&s);
    set_sizes(s);
    ImVec4 *c = s.Colors;
    c[ImGuiCol_Text] = rgb(p.text);
    c[ImGuiCol_TextDisabled] = rgb(p.dim);
    c[ImGuiCol_WindowBg] = c[ImGuiCol_MenuBarBg] = rgb(p.panel);
    c[ImGuiCol_PopupBg] = rgb(p.raised);
    c[ImGuiCol_ChildBg] = rgb(p.panel, 0.0f);
    c[ImGuiCol_TitleBg] = c[ImGuiCol_TitleBgActive] = c[ImGuiCol_TitleBgCollapsed] = rgb(p.raised);
    c[ImGuiCol_Border] = c[ImGuiCol_Separator] = rgb(p.line);
    c[ImGuiCol_FrameBg] = c[ImGuiCol_Button] = rgb(p.field);
    c[ImGuiCol_FrameBgHovered] = c[ImGuiCol_ButtonHovered] = rgb(p.hover);
    c[ImGuiCol_FrameBgActive] = c[ImGuiCol_ButtonActive] = rgb(p.press);
    c[ImGuiCol_Header] = rgb(p.accent, 0.30f);
    c[ImGuiCol_HeaderHovered] = rgb(p.accent, 0.22f);
    c[ImGuiCol_HeaderActive] = rgb(p.accent, 0.45f);
    c[ImGuiCol_SliderGrab] = c[ImGuiCol_PlotLines] = c[ImGuiCol_PlotHistogram] = rgb(p.accent);
    c[ImGuiCol_SliderGrabActive] = c[ImGuiCol_CheckMark] = rgb(p.accent_hover);
    c[ImGuiCol_Tab] = c[ImGuiCol_TabUnfocused] = rgb(p.panel);
    c[ImGuiCol_TabHovered] = rgb(p.accent, 0.35f);
    c[ImGuiCol_TabActive] = c[ImGuiCol_TabUnfocusedActive] = rgb(p.accent, 0.55f);
    c[ImGuiCol_TextSelectedBg] = rgb(p.accent, 0.40f);
    c[ImGuiCol_ScrollbarBg] = rgb(p.panel, 0.0f);
    c[ImGuiCol_ScrollbarGrab] = rgb(p.hover);
    c[ImGuiCol_ScrollbarGrabHovered] = rgb(p.press);
    c[ImGuiCol_ScrollbarGrabActive] = rgb(p.accent);
    c[ImGuiCol_ModalWindowDimBg] = rgb(0x000000, dark ? 0.45f : 0.25f);
    c[ImGuiCol_NavHighlight] = rgb(p.accent);
}

void load_fonts(gui *g)
{
    static const char *const dejavu = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf";
    // Latin, Greek, Cyrillic, punctuation, arrows, mathematics, shapes, signs, the sign of a missing letter.
    static const ImWchar ranges[] = {0x20,   0x24f,  0x370,  0x52f,  0x1e00, 0x1eff, 0x2000, 0x206f, 0x2190,
                                     0x22ff, 0x25a0, 0x26ff, 0x2700, 0x27bf, 0xfffd, 0xfffd, 0};
    ImGuiIO &io = ImGui::GetIO();
    io.Fonts->Clear();
    g->small = g->large = nullptr;
    if (FILE *there = fopen(dejavu, "rb")) { // ImGui asserts on a file that is missing
        fclose(there);
        ImFontConfig config;
        config.OversampleH = 2;
        g->small = io.Fonts->AddFontFromFileTTF(dejavu, (float)(14.5 * g->scale), &config, ranges);
        config.OversampleH = 1;
        g->large = io.Fonts->AddFontFromFileTTF(dejavu, (float)(29.0 * g->scale), &config, ranges);
    }
    if (g->small == nullptr || g->large == nullptr) {
        io.Fonts->Clear();
        g->small = g->large = io.Fonts->AddFontDefault();
        io.FontGlobalScale = 1.0f;
        return;
    }
    io.FontGlobalScale = (float)(1.0 / g->scale); // widgets are sized in points, glyphs are rendered in pixels
}
