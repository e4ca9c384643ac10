/// @file
/// Parts of shaders' texts that several have.
#ifndef ERI_VIEWER_DRAW_GLSL_H
#define ERI_VIEWER_DRAW_GLSL_H

#include "viewer/draw/program.h"

/// How much of the sun reaches a place: sunlit(), by texels SHADOW_STEP apart.
#define SHADOW                                                                                                         \
    "#ifndef SHADOW_STEP\n#define SHADOW_STEP 1.5\n#endif\n"                                                           \
    "uniform sampler2DShadow shadow_map;\n"                                                                            \
    "float sunlit(vec3 at, vec3 n) {\n"                                                                                \
    "    if (sun.w == 0.0) return 1.0;\n"                                                                              \
    "    float slope = 1.0 - clamp(dot(n, sun.xyz), 0.0, 1.0), sum = 0.0;\n"                                           \
    "    vec4 q = sun_clip * vec4(at + n * shadow.y * (1.0 + 2.5 * slope), 1.0);\n"                                    \
    "    if (q.w <= 0.0) return 1.0;\n" /* behind it */                                                                \
    "    vec3 p = q.xyz / q.w;\n"                                                                                      \
    "#ifdef DRAFT\n"                                                                                                   \
    "    return texture(shadow_map, p);\n"                                                                             \
    "#else\n"                                                                                                          \
    "    for (int i = -1; i < 2; ++i)\n"                                                                               \
    "        for (int k = -1; k < 2; ++k)\n"                                                                           \
    "            sum += texture(shadow_map, p + vec3(vec2(i, k) * SHADOW_STEP * shadow.x, 0.0));\n"                    \
    "    return sum / 9.0;\n"                                                                                          \
    "#endif\n"                                                                                                         \
    "}\n"

#endif
