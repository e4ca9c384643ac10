// The text of all programs. Colours are linear until tone(); results are premultiplied by their opacity. World
// coordinates are metres from the camera's target.
#include "viewer/draw/glsl.h"

const char *const shader_head =
    "#version 330 core\n"
    "layout(std140) uniform Frame {\n"
    "    mat4 clip;\n"
    "    mat4 sun_clip;\n" // into the shadow map, 0 to 1, over w
    "    vec4 eye;\n"      // w 1: a place, 0: a direction
    "    vec4 sun;\n"      // towards it; w: how dark shadows are
    "    vec4 fill;\n"     // towards the fill light
    "    vec4 up;\n"       // w: exposure
    "    vec4 part;\n"     // of the framebuffer, pixels: lower left corner, size
    "    vec4 shadow;\n"   // a texel of the map: share of it, metres; penumbra on the floor, texels
    "    vec4 top, bottom, grid, marked;\n"
    "    vec4 floor_centre;\n"     // w: where it has faded, metres
    "    vec4 floor_x, floor_z;\n" // w: the centre's coordinates in cells
    "    vec4 floor_cell;\n"       // metres; how much is seen of it
    "    vec4 floor_depth;\n"      // in the sun's map: at y 0, a step to y 1; metres of its depth; 0: not lit at all
    "};\n"
    "vec3 encode(vec3 c) {\n"
    "    c = clamp(c, 0.0, 1.0);\n"
    "    return mix(12.92 * c, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c));\n"
    "}\n"
    "vec3 tone(vec3 c) {\n" // straight up to a knee, then a shoulder, so that colours stay what they are
    "    c *= up.w;\n"
    "    const float knee = 0.62;\n"
    "    vec3 above = max(c - knee, 0.0) / (1.0 - knee);\n"
    "    return encode(min(c, knee) + (1.0 - knee) * (1.0 - exp(-above)));\n"
    "}\n"
    "float grain(vec2 pixel) {\n" // half a step of 8 bits to and fro: plain surfaces would show them
    "    return (fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715)))) - 0.5) / 255.0;\n"
    "}\n"
    "vec4 seen_by_sun(vec3 at) {\n"
    "    vec4 p = sun_clip * vec4(at, 1.0);\n"
    "    return vec4(2.0 * p.xyz - p.w, p.w);\n"
    "}\n"
    "vec3 towards_eye(vec3 at) {\n"
    "    return normalize(eye.xyz - eye.w * at);\n"
    "}\n";

// ---- light, shared by meshes, bones and the floor

#define LIGHT                                                                                                          \
    "vec3 light(vec3 albedo, float metallic, float rough, vec3 n, vec3 v, float lit) {\n"                              \
    "    const vec3 sky = vec3(0.43, 0.47, 0.53), ground = vec3(0.23, 0.205, 0.185), warm = vec3(0.75, 0.71, 0.64);\n" \
    "    vec3 h = normalize(sun.xyz + v), f0 = mix(vec3(0.04), albedo, metallic), r = reflect(-v, n);\n"               \
    "    float nl = dot(n, sun.xyz), nv = abs(dot(n, v)), nh = max(dot(n, h), 0.0), vh = max(dot(v, h), 0.0);\n"       \
    "    float direct = clamp((nl + 0.1) / 1.1, 0.0, 1.0) * lit;\n"                                                    \
    "    vec3 around = mix(ground, sky, 0.5 + 0.5 * dot(n, up.xyz));\n"                                                \
    "    vec3 side = vec3(0.15, 0.165, 0.19) * max(dot(n, fill.xyz), 0.0);\n"                                          \
    "    vec3 c = albedo * (1.0 - metallic) * (around + side + warm * direct);\n"                                      \
    "    float a = rough * rough, a2 = a * a, d = nh * nh * (a2 - 1.0) + 1.0;\n"                                       \
    "    c += f0 * warm * direct * min(a2 / (d * d * max(vh * vh, 0.1) * (4.0 * rough + 2.0)), 6.0);\n"                \
    "    float graze = pow(1.0 - nv, 5.0) * (1.0 - 0.75 * rough);\n"                                                   \
    "    vec3 mirror = mix(ground, 1.25 * sky, smoothstep(-0.4, 0.7, dot(r, up.xyz)));\n"                              \
    "    c += (f0 + (1.0 - f0) * graze) * mirror * (1.0 - 0.5 * rough);\n"                                             \
    "    return c + 0.07 * pow(1.0 - nv, 3.0) * (0.6 + 0.4 * dot(n, up.xyz)) * (0.25 + albedo);\n"                     \
    "}\n"

// ---- meshes

#define SKINNED                                                                                                        \
    "layout(location = 0) in vec3 position;\n"                                                                         \
    "layout(location = 1) in vec3 normal;\n"                                                                           \
    "layout(location = 2) in vec2 uv;\n"                                                                               \
    "layout(location = 3) in vec4 colour;\n"                                                                           \
    "layout(location = 4) in uvec4 slot_a;\n"                                                                          \
    "layout(location = 5) in uvec4 slot_b;\n"                                                                          \
    "layout(location = 6) in vec4 weight_a;\n"                                                                         \
    "layout(location = 7) in vec4 weight_b;\n"                                                                         \
    "uniform samplerBuffer palette;\n"                                                                                 \
    "uniform ivec2 figures;\n" /* first texel, texels a figure */                                                      \
    "uniform int from_sun;\n"                                                                                          \
    "uniform float point_size;\n"                                                                                      \
    "out vec3 at;\n"                                                                                                   \
    "out vec3 across;\n" /* the normal, 0 where there is none */                                                       \
    "out vec2 texel;\n"                                                                                                \
    "out vec4 paint;\n"                                                                                                \
    "out float mark;\n"                                                                                                \
    "flat out vec4 tint;\n"                                                                                            \
    "invariant gl_Position;\n"                                                                                         \
    "vec4 row[4];\n"                                                                                                   \
    "void blend(int first, uint slot, float weight) {\n"                                                               \
    "    int t = first + 1 + 4 * int(slot);\n"                                                                         \
    "    for (int k = 0; k < 4; ++k) row[k] += weight * texelFetch(palette, t + k);\n"                                 \
    "}\n"                                                                                                              \
    "void main() {\n"                                                                                                  \
    "    int first = figures.x + gl_InstanceID * figures.y;\n"                                                         \
    "    row[0] = row[1] = row[2] = row[3] = vec4(0.0);\n"                                                             \
    "    for (int i = 0; i < 4 && weight_a[i] > 0.0; ++i) blend(first, slot_a[i], weight_a[i]);\n"                     \
    "    for (int i = 0; i < 4 && weight_b[i] > 0.0; ++i) blend(first, slot_b[i], weight_b[i]);\n"                     \
    "    float sum = dot(weight_a, vec4(1.0)) + dot(weight_b, vec4(1.0));\n"                                           \
    "    vec4 x = vec4(position, 1.0);\n"                                                                              \
    "    at = vec3(dot(row[0], x), dot(row[1], x), dot(row[2], x)) / sum;\n"                                           \
    "    mark = row[3].x / sum;\n"                                                                                     \
    "    vec3 a = row[0].xyz, b = row[1].xyz, c = row[2].xyz;\n"                                                       \
    "    float size = inversesqrt(max(dot(a, a) + dot(b, b) + dot(c, c), 1e-30));\n"                                   \
    "    a *= size; b *= size; c *= size;\n"                                                                           \
    "    across = vec3(dot(cross(b, c), normal), dot(cross(c, a), normal), dot(cross(a, b), normal));\n"               \
    "    if (dot(a, cross(b, c)) < 0.0) across = -across;\n"                                                           \
    "    float length2 = dot(across, across);\n"                                                                       \
    "    across *= length2 > 1e-24 ? inversesqrt(length2) : 0.0;\n"                                                    \
    "    texel = uv;\n"                                                                                                \
    "    paint = colour;\n"                                                                                            \
    "    tint = texelFetch(palette, first);\n"                                                                         \
    "    gl_PointSize = point_size;\n"                                                                                 \
    "    gl_Position = from_sun != 0 ? seen_by_sun(at) : clip * vec4(at, 1.0);\n"                                      \
    "}\n"

#define MATERIAL                                                                                                       \
    "in vec3 at;\n"                                                                                                    \
    "in vec3 across;\n"                                                                                                \
    "in vec2 texel;\n"                                                                                                 \
    "in vec4 paint;\n"                                                                                                 \
    "in float mark;\n"                                                                                                 \
    "flat in vec4 tint;\n"                                                                                             \
    "uniform sampler2D base_image;\n"                                                                                  \
    "uniform float plain;\n" /* 1: vertices have no colour */                                                          \
    "uniform vec4 base_colour;\n"                                                                                      \
    "uniform float fade;\n"                                                                                            \
    "uniform vec4 finish;\n" /* metallic, roughness, cutoff or negative, 1: keeps opacity */                           \
    "out vec4 result;\n"                                                                                               \
    "vec4 base() {\n"                                                                                                  \
    "    vec4 c = base_colour * mix(paint, vec4(1.0), plain) * texture(base_image, texel);\n"                          \
    "    if (finish.z >= 0.0 && c.a < finish.z) discard;\n"                                                            \
    "    return vec4(c.rgb, finish.w > 0.0 ? fade * c.a : fade);\n"                                                    \
    "}\n"

static const char surface_fragment[] =
    MATERIAL SHADOW LIGHT "uniform sampler2D emissive_image, normal_image;\n"
                          "uniform vec3 emissive;\n"
                          "uniform int bumpy;\n"   // a normal map is there
                          "uniform float unlit;\n" // opacity of what takes no light, as lines do; 0: it does
                          "vec3 face() {\n"
                          "    vec3 n = cross(dFdx(at), dFdy(at));\n"
                          "    float length2 = dot(n, n);\n"
                          "    n = length2 > 0.0 ? n * inversesqrt(length2) : vec3(0.0, 1.0, 0.0);\n"
                          "    return dot(n, towards_eye(at)) < 0.0 ? -n : n;\n"
                          "}\n"
                          "vec3 bumped(vec3 n) {\n" // tangents from how the picture lies on the screen
                          "    vec3 px = dFdx(at), py = dFdy(at), x = cross(py, n), y = cross(n, px);\n"
                          "    vec2 ux = dFdx(texel), uy = dFdy(texel);\n"
                          "    vec3 t = x * ux.x + y * uy.x, b = x * ux.y + y * uy.y;\n"
                          "    float size = max(dot(t, t), dot(b, b));\n"
                          "    if (size <= 0.0) return n;\n"
                          "    vec3 m = 2.0 * texture(normal_image, texel).xyz - 1.0;\n"
                          "    return normalize((t * m.x - b * m.y) * inversesqrt(size) + n * max(m.z, 0.1));\n"
                          "}\n"
                          "void main() {\n"
                          "    vec4 colour = base();\n"
                          "    vec3 flat_normal = face(), v = towards_eye(at);\n"
                          "    float length2 = dot(across, across);\n"
                          "    vec3 n = length2 > 0.01 ? across * inversesqrt(length2) : flat_normal;\n"
                          "    if (dot(n, flat_normal) < 0.0) n = -n;\n" // the back of a face
                          "    if (bumpy != 0) n = bumped(n);\n"
                          "    vec3 albedo = mix(colour.rgb, marked.rgb, 0.75 * mark) * tint.rgb;\n"
                          "    float lit = dot(n, sun.xyz) > -0.1 ? mix(1.0, sunlit(at, flat_normal), sun.w) : 0.0;\n"
                          "    vec3 c = light(albedo, finish.x, finish.y, n, v, lit);\n"
                          "    c += emissive * texture(emissive_image, texel).rgb;\n"
                          "    float alpha = colour.a * tint.a * (unlit > 0.0 ? unlit : 1.0);\n"
                          "    result = vec4(unlit > 0.0 ? encode(albedo) : tone(c), 1.0) * alpha;\n"
                          "}\n";

static const char point_fragment[] =
    MATERIAL LIGHT "void main() {\n"
                   "    vec2 d = 2.0 * gl_PointCoord - 1.0;\n"
                   "    if (dot(d, d) > 1.0) discard;\n"
                   "    vec4 colour = base();\n"
                   "    vec3 v = towards_eye(at), n = dot(across, across) > 0.01 ? normalize(across) : v;\n"
                   "    vec3 albedo = mix(colour.rgb, marked.rgb, 0.75 * mark) * tint.rgb;\n"
                   "    result = vec4(tone(light(albedo, 0.0, 1.0, n, v, 0.8)), 1.0) * (colour.a * tint.a);\n"
                   "}\n";

static const char depth_fragment[] = MATERIAL "void main() { result = base(); }\n";

// ---- bones and balls

#define SHAPE                                                                                                          \
    "layout(location = 0) in vec3 position;\n"                                                                         \
    "layout(location = 1) in vec4 normal;\n" /* w: share of the colour */                                              \
    "layout(location = 2) in vec4 row_x;\n"                                                                            \
    "layout(location = 3) in vec4 row_y;\n"                                                                            \
    "layout(location = 4) in vec4 row_z;\n"                                                                            \
    "layout(location = 5) in vec4 colour;\n"                                                                           \
    "uniform int from_sun;\n"                                                                                          \
    "out vec3 at;\n"                                                                                                   \
    "out vec3 across;\n"                                                                                               \
    "out vec4 paint;\n"                                                                                                \
    "invariant gl_Position;\n"                                                                                         \
    "void main() {\n"                                                                                                  \
    "    vec4 x = vec4(position, 1.0);\n"                                                                              \
    "    at = vec3(dot(row_x, x), dot(row_y, x), dot(row_z, x));\n"                                                    \
    "    vec3 a = row_x.xyz, b = row_y.xyz, c = row_z.xyz;\n"                                                          \
    "    float size = inversesqrt(max(dot(a, a) + dot(b, b) + dot(c, c), 1e-30));\n"                                   \
    "    a *= size; b *= size; c *= size;\n"                                                                           \
    "    across = vec3(dot(cross(b, c), normal.xyz), dot(cross(c, a), normal.xyz), dot(cross(a, b), normal.xyz));\n"   \
    "    paint = vec4(colour.rgb * normal.w, colour.a);\n"                                                             \
    "    gl_Position = from_sun != 0 ? seen_by_sun(at) : clip * vec4(at, 1.0);\n"                                      \
    "}\n"

static const char shape_fragment[] =
    LIGHT "in vec3 at;\n"
          "in vec3 across;\n"
          "in vec4 paint;\n"
          "out vec4 result;\n"
          "void main() {\n"
          "    float length2 = dot(across, across);\n"
          "    vec3 v = towards_eye(at), n = length2 > 0.0 ? across * inversesqrt(length2) : v;\n"
          "    result = vec4(tone(light(paint.rgb, 0.0, 0.5, n, v, 1.0)), 1.0) * paint.a;\n"
          "}\n";

static const char cast_fragment[] = "void main() {}\n";

// ---- lines: a strip of four corners each

static const char line_vertex[] =
    "layout(location = 0) in vec3 from;\n"
    "layout(location = 1) in vec3 to;\n"
    "layout(location = 2) in vec4 colour;\n"
    "layout(location = 3) in vec2 style;\n" // width and dash, pixels
    "out vec2 place;\n"                     // along and across, pixels
    "flat out vec4 paint;\n"
    "flat out vec2 form;\n"
    "void main() {\n"
    "    vec4 p = clip * vec4(from, 1.0), q = clip * vec4(to, 1.0);\n"
    "    float dp = p.z + p.w, dq = q.z + q.w;\n" // what lies before the near plane goes
    "    if (dp <= 0.0 && dq <= 0.0) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }\n"
    "    if (dp < 0.0) p = mix(p, q, dp / (dp - dq));\n"
    "    if (dq < 0.0) q = mix(q, p, dq / (dq - dp));\n"
    "    vec3 a = p.xyz / p.w, b = q.xyz / q.w;\n"
    "    vec2 way = (b.xy - a.xy) * 0.5 * part.zw;\n"
    "    float size = length(way), half_width = 0.5 * style.x + 1.0;\n"
    "    vec2 ahead = size > 1e-4 ? way / size : vec2(1.0, 0.0);\n"
    "    float end = float(gl_VertexID & 1), side = float(gl_VertexID >> 1) * 2.0 - 1.0;\n"
    "    vec2 shift = half_width * (side * vec2(-ahead.y, ahead.x)) + (end * 2.0 - 1.0) * 0.5 * style.x * ahead;\n"
    "    vec3 x = mix(a, b, end);\n"
    "    place = vec2(end * size, side * half_width);\n"
    "    paint = colour;\n"
    "    form = style;\n"
    "    gl_Position = vec4(x.xy + 2.0 * shift / part.zw, x.z - 2e-5, 1.0);\n"
    "}\n";

static const char line_fragment[] = "in vec2 place;\n"
                                    "flat in vec4 paint;\n"
                                    "flat in vec2 form;\n"
                                    "out vec4 result;\n"
                                    "void main() {\n"
                                    "    float alpha = clamp(0.5 * form.x + 0.5 - abs(place.y), 0.0, 1.0);\n"
                                    "    if (form.y > 0.0) {\n"
                                    "        float d = abs(fract(place.x / (2.0 * form.y)) - 0.5) * 2.0 * form.y;\n"
                                    "        alpha *= clamp(0.5 * form.y + 0.5 - d, 0.0, 1.0);\n"
                                    "    }\n"
                                    "    result = vec4(paint.rgb, 1.0) * (paint.a * alpha);\n"
                                    "}\n";

// ---- floor: a square round the figures, that fades

static const char floor_vertex[] = "out vec3 at;\n"
                                   "out vec2 cell;\n"
                                   "void main() {\n"
                                   "    vec2 c = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;\n"
                                   "    c *= floor_centre.w;\n"
                                   "    at = floor_centre.xyz + c.x * floor_x.xyz + c.y * floor_z.xyz;\n"
                                   "    cell = vec2(floor_x.w, floor_z.w) + c / floor_cell.x;\n"
                                   "    gl_Position = clip * vec4(at, 1.0);\n"
                                   "}\n";

static const char floor_fragment[] =
    "in vec3 at;\n"
    "in vec2 cell;\n"
    "out vec4 result;\n"
    "uniform sampler2D hidden_map;\n"
    "float lines(vec2 c, float width) {\n"
    "    vec2 w = max(fwidth(c), 1e-6), d = abs(fract(c - 0.5) - 0.5) / w;\n"
    "    vec2 a = clamp(0.5 * width + 0.5 - d, 0.0, 1.0) * clamp(1.4 - 4.0 * w, 0.0, 1.0);\n"
    "    return max(a.x, a.y);\n"
    "}\n"
    "float level(vec2 h) {\n" // of the mipmap whose texels are as wide as the penumbra of what hides the sun
    "    return log2(max(0.05 * h.y / max(h.x, 1e-3) * shadow.z, 0.7));\n"
    "}\n"
    "vec2 round_about(vec2 p, float l) {\n" // as far as blurs of that level reach, and without edges
    "    vec2 sum = vec2(0.0);\n"
    "    float texel = exp2(l) / float(textureSize(hidden_map, 0).x);\n"
    "    for (int i = 0; i < 4; ++i)\n"
    "        sum += textureLod(hidden_map, p + 0.8 * texel * (2.0 * vec2(i & 1, i >> 1) - 1.0), l).xy;\n"
    "    return 0.25 * sum;\n"
    "}\n"
    "float hidden() {\n"
    "    if (sun.w == 0.0 || floor_depth.w == 0.0) return 0.0;\n"
    "    vec2 p = (sun_clip * vec4(at, 1.0)).xy, edge = min(p, 1.0 - p);\n"
    "    if (min(edge.x, edge.y) <= 0.0) return 0.0;\n"
    "#ifdef DRAFT\n"
    "    vec2 wide = textureLod(hidden_map, p, 4.0).xy;\n"
    "    return textureLod(hidden_map, p, clamp(level(wide), 0.0, 5.0)).x * min(30.0 * wide.x, 1.0);\n"
    "#else\n"
    "    vec2 wide = round_about(p, 4.0), near = round_about(p, clamp(level(wide), 0.0, 5.0));\n"
    "    float l = clamp(level(near), 0.0, 5.0), sum = 0.0;\n"
    "    float texel = exp2(l) / float(textureSize(hidden_map, 0).x);\n"
    "    for (int i = -1; i < 2; ++i)\n"
    "        for (int k = -1; k < 2; ++k)\n"
    "            sum += (2 - abs(i)) * (2 - abs(k)) * textureLod(hidden_map, p + 0.8 * texel * vec2(i, k), l).x;\n"
    "    return sum / 16.0 * min(30.0 * wide.x, 1.0) * min(30.0 * near.x, 1.0);\n" // nothing ends where a texel does
    "#endif\n"
    "}\n"
    "void main() {\n"
    "    float away = distance(at, floor_centre.xyz) / floor_centre.w;\n"
    "    float fade = 1.0 - smoothstep(0.1, 1.0, away);\n"
    "    float grazing = clamp(8.0 * abs(dot(towards_eye(at), up.xyz)), 0.0, 1.0);\n"
    "    float line = max(0.30 * lines(cell, 1.0), 0.55 * lines(cell / 5.0, 1.2)) * fade * fade * grazing * grid.w;\n"
    "    float dark = 0.5 * hidden() * sun.w;\n"
    "    vec3 under = vec3(0.02, 0.02, 0.03);\n"
    "    float alpha = line + dark * (1.0 - line);\n"
    "    vec3 c = grid.rgb * line * (1.0 - 0.5 * dark) + under * dark * (1.0 - line);\n"
    "    result = vec4(c, alpha) * floor_cell.y;\n"
    "}\n";

// Samples four depths: the share that lies between the floor and the sun, and their mean height above the floor,
// metres.
static const char hidden_fragment[] =
    "uniform sampler2D shadow_map;\n"
    "out vec2 result;\n"
    "void main() {\n"
    "    vec2 sum = vec2(0.0);\n"
    "    vec2 share = 1.0 / vec2(textureSize(shadow_map, 0));\n"
    "    ivec2 first = 4 * ivec2(gl_FragCoord.xy);\n"
    "    for (int i = 0; i < 4; ++i) {\n"
    "        ivec2 at = first + 2 * ivec2(i & 1, i >> 1) + ivec2(i >> 1, 1 - (i & 1));\n"
    "        float depth = texelFetch(shadow_map, at, 0).x, below = floor_depth.x + floor_depth.y * (float(at.y) + "
    "0.5) * share.y;\n"
    "        float above = (below - depth) * floor_depth.z;\n"
    "        if (depth < 1.0 && above > 0.0) sum += vec2(1.0, above);\n"
    "    }\n"
    "    result = sum / 4.0;\n"
    "}\n";

// ---- background

const char background_vertex[] =
    "void main() {\n"
    "    gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 1.0, 1.0);\n"
    "}\n";

static const char background_fragment[] = "out vec4 result;\n"
                                          "void main() {\n"
                                          "    vec2 p = (gl_FragCoord.xy - part.xy) / part.zw;\n"
                                          "    vec3 c = mix(bottom.rgb, top.rgb, smoothstep(0.0, 1.0, p.y));\n"
                                          "    c *= 1.0 - 0.10 * dot(p - 0.5, p - 0.5);\n"
                                          "    result = vec4(c + grain(gl_FragCoord.xy), 1.0);\n"
                                          "}\n";

static const char draft[] = "#define DRAFT\n";

const shader_text shader_texts[PROGRAM_COUNT] = {
    [PROGRAM_BACKGROUND] = {"background", background_vertex, background_fragment, ""},
    [PROGRAM_SURFACE] = {"surface", SKINNED, surface_fragment, ""},
    [PROGRAM_SURFACE_DRAFT] = {"surface's draft", SKINNED, surface_fragment, draft},
    [PROGRAM_POINTS] = {"points", SKINNED, point_fragment, ""},
    [PROGRAM_DEPTH] = {"depth", SKINNED, depth_fragment, ""},
    [PROGRAM_SHAPE] = {"shape", SHAPE, shape_fragment, ""},
    [PROGRAM_CAST] = {"cast", SHAPE, cast_fragment, ""},
    [PROGRAM_HIDDEN] = {"hidden", background_vertex, hidden_fragment, ""},
    [PROGRAM_LINE] = {"line", line_vertex, line_fragment, ""},
    [PROGRAM_FLOOR] = {"floor", floor_vertex, floor_fragment, ""},
    [PROGRAM_FLOOR_DRAFT] = {"floor's draft", floor_vertex, floor_fragment, draft},
};
