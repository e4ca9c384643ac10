// Default styles and figures.
#include <math.h>

#include "viewer/draw/draw.h"

draw_style draw_default_style(bool dark)
{
    draw_style style = {.surface = DRAW_SHADED,
                        .mesh = true,
                        .loops = true,
                        .floor = true,
                        .lines = true,
                        .shadow = true,
                        .scenery = 0.25f,
                        .textures = true,
                        .light_yaw = 0.6f,
                        .light_pitch = 0.9f,
                        .exposure = 1.0f,
                        .floor_height = NAN,
                        .clay = {0.80f, 0.74f, 0.67f},
                        .background = {{0.80f, 0.84f, 0.88f}, {0.94f, 0.94f, 0.93f}},
                        .grid = {0.42f, 0.46f, 0.52f},
                        .wire = {0.13f, 0.18f, 0.26f},
                        .bone = {0.95f, 0.70f, 0.30f},
                        .selected = {0.98f, 0.36f, 0.12f}};
    static const float background[2][3] = {{0.115f, 0.130f, 0.155f}, {0.235f, 0.250f, 0.275f}};
    static const float grid[3] = {0.62f, 0.67f, 0.74f};
    static const float wire[3] = {0.72f, 0.80f, 0.90f};
    static const float bone[3] = {0.95f, 0.84f, 0.58f};
    for (int k = 0; k < 3 && dark; ++k) {
        style.background[0][k] = background[0][k];
        style.background[1][k] = background[1][k];
        style.grid[k] = grid[k];
        style.wire[k] = wire[k];
        style.bone[k] = bone[k];
    }
    return style;
}

draw_figure draw_default_figure(void)
{
    draw_figure f = {.tint = {1.0f, 1.0f, 1.0f}, .opacity = 1.0f, .selected = -1, .scale = 1.0};
    return f;
}
