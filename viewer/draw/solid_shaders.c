// The text of the programs that draw solids and what surrounds them. Materials are linear; bodies of light are kept
// apart from glosses, which lie upon what is seen through, and what the first light gives from all else, since it alone
// casts shadows.
#include "viewer/draw/forms.h"
#include "viewer/draw/glsl.h"

#define STAGE                                                                                                          \
    "layout(std140) uniform Stage {\n"                                                                                 \
    "    vec4 view_x, view_y, view_z;\n"    /* the camera's axes; w: half a picture's width, height; 1: parallel */    \
    "    vec4 world_x, world_y, world_z;\n" /* of surroundings, y up; w of x: 0 none, 1 bitmap, 2 all around, 3 sky */ \
    "    vec4 image;\n"                     /* a bitmap's share that is seen, across and down; texels across */        \
    "    vec4 around;\n"                    /* the scene's own light; w: lights */                                     \
    "    vec4 place[8], spread[8], body[8], shiny[8];\n" /* of lights: ambient, diffuse, specular */                   \
    "};\n"

#define SURROUNDING                                                                                                    \
    "uniform sampler2D surrounding_image;\n"                                                                           \
    "vec3 brighten(vec3 c) {\n" /* what tone() makes c, so that pictures look as they are */                           \
    "    const float knee = 0.62;\n"                                                                                   \
    "    vec3 above = -log(1.0 - min(max(c - knee, 0.0) / (1.0 - knee), 0.995));\n"                                    \
    "    return min(c, knee) + (1.0 - knee) * above;\n"                                                                \
    "}\n"                                                                                                              \
    "vec3 surrounding(vec3 d, float spread) {\n" /* towards d; spread: radians that a pixel sees */                    \
    "    float level = log2(max(spread * image.z, 1.0));\n"                                                            \
    "    if (world_x.w == 1.0) {\n"                                                                                    \
    "        vec2 p = 0.5 + 0.5 * vec2(dot(d, view_x.xyz), -dot(d, view_y.xyz));\n"                                    \
    "        return brighten(textureLod(surrounding_image, p, level).rgb);\n"                                          \
    "    }\n"                                                                                                          \
    "    vec3 w = vec3(dot(d, world_x.xyz), dot(d, world_y.xyz), dot(d, world_z.xyz));\n"                              \
    "    vec2 p = vec2(0.5 + atan(w.x, -w.z) / 6.2831853, acos(clamp(w.y, -1.0, 1.0)) / 3.1415927);\n"                 \
    "    vec3 c = brighten(textureLod(surrounding_image, p, level).rgb);\n"                                            \
    "    if (world_x.w < 3.0 || around.w < 1.0) return c;\n"                                                           \
    "    float s = max(dot(d, normalize(place[0].xyz)), 0.0);\n" /* the sun and its glow */                            \
    "    return c + vec3(1.0, 0.86, 0.62) * (0.25 * pow(s, 24.0) + 0.6 * pow(s, 400.0) + 6.0 * smoothstep(0.9994, "    \
    "0.9998, s));\n"                                                                                                   \
    "}\n"

#define MATERIAL                                                                                                       \
    "struct material { vec3 ambient, diffuse, specular; float opacity, reflection, shine; };\n"                        \
    "struct light { vec3 body, gloss; };\n"                                                                            \
    "void phong(material m, vec3 at, vec3 n, vec3 v, out light first, out light others) {\n"                           \
    "    first = light(vec3(0.0), vec3(0.0));\n"                                                                       \
    "    others = light(m.ambient * around.rgb, vec3(0.0));\n"                                                         \
    "    for (int i = 0; i < int(around.w); ++i) {\n"                                                                  \
    "        vec3 l = normalize(place[i].xyz - at);\n"                                                                 \
    "        float nl = dot(n, l), rv = dot(reflect(-l, n), v);\n"                                                     \
    "        vec3 b = m.diffuse * body[i].rgb * max(nl, 0.0);\n"                                                       \
    "        vec3 g = nl > 0.0 ? m.specular * shiny[i].rgb * pow(max(rv, 1e-6), m.shine) : vec3(0.0);\n"               \
    "        others.body += m.ambient * spread[i].rgb;\n"                                                              \
    "        if (i == 0) first = light(b, g);\n"                                                                       \
    "        else { others.body += b; others.gloss += g; }\n"                                                          \
    "    }\n"                                                                                                          \
    "}\n"

#define PLACED                                                                                                         \
    "layout(location = 0) in vec4 position;\n" /* w: its end */                                                        \
    "layout(location = 1) in vec3 normal;\n"                                                                           \
    "layout(location = 2) in vec4 row_x;\n"                                                                            \
    "layout(location = 3) in vec4 row_y;\n"                                                                            \
    "layout(location = 4) in vec4 row_z;\n"                                                                            \
    "layout(location = 5) in vec4 stretch;\n"                                                                          \
    "layout(location = 6) in vec4 ambient;\n"                                                                          \
    "layout(location = 7) in vec4 diffuse;\n"                                                                          \
    "layout(location = 8) in vec4 specular;\n"                                                                         \
    "invariant gl_Position;\n"                                                                                         \
    "vec3 placed() {\n"                                                                                                \
    "    vec4 x = vec4(position.xyz, 1.0);\n"                                                                          \
    "    return vec3(dot(row_x, x), dot(row_y, x), dot(row_z, x)) + position.w * stretch.xyz;\n"                       \
    "}\n"                                                                                                              \
    "vec3 turned() {\n"                                                                                                \
    "    vec3 a = row_x.xyz, b = row_y.xyz, c = row_z.xyz;\n"                                                          \
    "    float size = inversesqrt(max(dot(a, a) + dot(b, b) + dot(c, c), 1e-30));\n"                                   \
    "    a *= size; b *= size; c *= size;\n"                                                                           \
    "    vec3 n = vec3(dot(cross(b, c), normal), dot(cross(c, a), normal), dot(cross(a, b), normal));\n"               \
    "    return n * inversesqrt(max(dot(n, n), 1e-30));\n"                                                             \
    "}\n"

static const char solid_vertex[] =
    STAGE MATERIAL PLACED "uniform float point_size;\n"
                          "out vec3 at, across;\n"
                          "out vec2 away;\n"
                          "flat out vec4 a, d, s;\n"
                          "BETWEEN out vec3 first_body, first_gloss, others_body, others_gloss;\n"
                          "void main() {\n"
                          "    at = placed();\n"
                          "    across = turned();\n"
                          "    away = stretch.w * position.xy;\n"
                          "    a = ambient; d = diffuse; s = specular;\n"
                          "    first_body = first_gloss = others_body = others_gloss = vec3(0.0);\n"
                          "#if defined(FLAT) || defined(GOURAUD)\n"
                          "    light first, others;\n"
                          "    material m = material(a.rgb, d.rgb, s.rgb, a.w, d.w, s.w);\n"
                          "    phong(m, at, across, towards_eye(at), first, others);\n"
                          "    first_body = first.body; first_gloss = first.gloss;\n"
                          "    others_body = others.body; others_gloss = others.gloss;\n"
                          "#endif\n"
                          "    gl_PointSize = point_size;\n"
                          "    gl_Position = clip * vec4(at, 1.0);\n"
                          "}\n";

static const char solid_fragment[] = STAGE SURROUNDING MATERIAL
    "#define SHADOW_STEP 1.0\n" SHADOW "in vec3 at, across;\n"
    "in vec2 away;\n"
    "flat in vec4 a, d, s;\n"
    "BETWEEN in vec3 first_body, first_gloss, others_body, others_gloss;\n"
    "uniform float point_size;\n" // 0: facets or edges
    "out vec4 result;\n"
    "void main() {\n"
    "    if (point_size > 0.0 && distance(gl_PointCoord, vec2(0.5)) > 0.5) discard;\n"
    "    float fade = 1.0 - smoothstep(0.6, 1.0, length(away));\n"
    "    material m = material(a.rgb, d.rgb, s.rgb, a.w, d.w, s.w);\n"
    "#ifdef WIRE\n"
    "    result = vec4(encode(m.diffuse), 1.0) * fade;\n"
    "#else\n"
    "    vec3 v = towards_eye(at), n = normalize(across);\n"
    "    if (!gl_FrontFacing) n = -n;\n" // surfaces are seen from both sides
    "#if defined(FLAT) || defined(GOURAUD)\n"
    "    light first = light(first_body, first_gloss), others = light(others_body, others_gloss);\n"
    "#else\n"
    "    light first, others;\n"
    "    phong(m, at, n, v, first, others);\n"
    "#endif\n"
    "    float lit = sun.w > 0.0 ? sunlit(at, n) : 1.0;\n"
    "    vec3 body = others.body + first.body * lit, gloss = others.gloss + first.gloss * lit;\n"
    "    float mirror = 0.0;\n"
    "    vec3 seen = vec3(0.0), r = reflect(-v, n);\n"
    "    float spread = length(fwidth(r));\n"
    "    if (m.reflection > 0.0 && world_x.w > 0.0) {\n"
    "        mirror = m.reflection + (1.0 - m.reflection) * pow(1.0 - clamp(dot(n, v), 0.0, 1.0), 5.0);\n"
    "        seen = surrounding(r, spread);\n"
    "    }\n"
    "    float glare = min(max(gloss.r, max(gloss.g, gloss.b)), 1.0);\n"
    "    float cover = 1.0 - (1.0 - m.opacity) * (1.0 - mirror) * (1.0 - glare);\n"
    "    vec3 c = (m.opacity * (1.0 - mirror) * body + mirror * seen + gloss) / max(cover, 1e-4);\n"
    "    c = tone(c) + (dot(away, away) > 0.0 ? grain(gl_FragCoord.xy) : 0.0);\n"
    "    result = vec4(c, 1.0) * (cover * fade);\n"
    "#endif\n"
    "}\n";

// As dark as it is opaque: that many texels of nine, which sunlit() takes the mean of.
static const char cast_vertex[] = PLACED "flat out float opacity;\n"
                                         "void main() {\n"
                                         "    opacity = ambient.w;\n"
                                         "    gl_Position = seen_by_sun(placed());\n"
                                         "}\n";

static const char cast_fragment[] = "flat in float opacity;\n"
                                    "void main() {\n"
                                    "    const float order[9] = float[](0.0, 5.0, 1.0, 7.0, 3.0, 8.0, 2.0, 6.0, 4.0);\n"
                                    "    ivec2 p = ivec2(gl_FragCoord.xy) % 3;\n"
                                    "    if (9.0 * opacity < order[3 * p.y + p.x] + 0.5) discard;\n"
                                    "}\n";

static const char environment_fragment[] =
    STAGE SURROUNDING "out vec4 result;\n"
                      "void main() {\n"
                      "    vec2 p = (gl_FragCoord.xy - part.xy) / part.zw;\n"
                      "    if (world_x.w == 1.0) {\n"
                      "        vec2 q = 0.5 + image.xy * vec2(p.x - 0.5, 0.5 - p.y);\n"
                      "        result = vec4(encode(texture(surrounding_image, q).rgb), 1.0);\n"
                      "        return;\n"
                      "    }\n"
                      "    vec2 x = (2.0 * p - 1.0) * vec2(view_x.w, view_y.w);\n"
                      "    vec3 d = normalize(x.x * view_x.xyz + x.y * view_y.xyz - view_z.xyz);\n"
                      "    result = vec4(tone(surrounding(d, 2.0 * view_y.w / part.w)), 1.0);\n"
                      "}\n";

// A sky of latitude and longitude: haze at the horizon, clouds in a layer above, plain ground below.
static const char sky_fragment[] =
    "uniform vec2 size;\n"
    "out vec4 result;\n"
    "float hash(vec3 p) {\n"
    "    p = fract(p * 0.1031);\n"
    "    p += dot(p, p.zyx + 31.32);\n"
    "    return fract((p.x + p.y) * p.z);\n"
    "}\n"
    "float noise(vec3 p) {\n"
    "    vec3 i = floor(p), f = fract(p);\n"
    "    f = f * f * (3.0 - 2.0 * f);\n"
    "    vec4 low = vec4(hash(i), hash(i + vec3(1, 0, 0)), hash(i + vec3(0, 1, 0)), hash(i + vec3(1, 1, 0)));\n"
    "    i.z += 1.0;\n"
    "    vec4 high = vec4(hash(i), hash(i + vec3(1, 0, 0)), hash(i + vec3(0, 1, 0)), hash(i + vec3(1, 1, 0)));\n"
    "    vec4 m = mix(low, high, f.z);\n"
    "    return mix(mix(m.x, m.y, f.x), mix(m.z, m.w, f.x), f.y);\n"
    "}\n"
    "float clouds(vec3 p) {\n"
    "    float sum = 0.0, share = 0.5;\n"
    "    for (int i = 0; i < 6; ++i) {\n"
    "        sum += share * noise(p);\n"
    "        p = 2.03 * p + vec3(17.1, 3.7, 9.2);\n"
    "        share *= 0.5;\n"
    "    }\n"
    "    return sum;\n"
    "}\n"
    "void main() {\n"
    "    vec2 p = gl_FragCoord.xy / size;\n"
    "    float turn = 6.2831853 * (p.x - 0.5), down = 3.1415927 * p.y;\n"
    "    vec3 d = vec3(sin(down) * sin(turn), cos(down), -sin(down) * cos(turn));\n"
    "    float h = max(d.y, 0.0);\n"
    "    vec3 c = mix(vec3(0.66, 0.80, 0.90), vec3(0.06, 0.19, 0.50), 1.0 - exp(-4.5 * h));\n"
    "    vec3 at = vec3(d.xz / (h + 0.12), 0.4) * 1.1;\n"
    "    float thick = clouds(at + 0.6 * noise(1.7 * at));\n"
    "    float veil = smoothstep(0.47, 0.72, thick) * smoothstep(0.0, 0.16, h);\n"
    "    vec3 cloud = mix(vec3(0.95, 0.95, 0.94), vec3(0.62, 0.67, 0.74), smoothstep(0.58, 0.85, thick));\n"
    "    c = mix(c, cloud, 0.92 * veil);\n"
    "    vec3 ground = mix(vec3(0.66, 0.75, 0.80), vec3(0.27, 0.29, 0.29), 1.0 - exp(5.0 * min(d.y, 0.0)));\n"
    "    c = mix(ground, c, smoothstep(-0.02, 0.0, d.y));\n"
    "    result = vec4(encode(c), 1.0);\n"
    "}\n";

#define WITH(name) "#define " name "\n"
#define POINTWISE WITH("BETWEEN")
#define CORNERWISE WITH("BETWEEN") WITH("GOURAUD")
#define FACETWISE WITH("BETWEEN flat") WITH("FLAT")

// Light by corner and by facet is worked out at corners, and goes to the points between.
const shader_text solid_texts[SOLID_PROGRAMS] = {
    [SOLID_PHONG] = {"solid by point", solid_vertex, solid_fragment, POINTWISE},
    [SOLID_GOURAUD] = {"solid by corner", solid_vertex, solid_fragment, CORNERWISE},
    [SOLID_FLAT] = {"solid by facet", solid_vertex, solid_fragment, FACETWISE},
    [SOLID_WIRE] = {"solid's edges", solid_vertex, solid_fragment, POINTWISE WITH("WIRE")},
    [SOLID_DRAFT + SOLID_PHONG] = {"draft by point", solid_vertex, solid_fragment, POINTWISE WITH("DRAFT")},
    [SOLID_DRAFT + SOLID_GOURAUD] = {"draft by corner", solid_vertex, solid_fragment, CORNERWISE WITH("DRAFT")},
    [SOLID_DRAFT + SOLID_FLAT] = {"draft by facet", solid_vertex, solid_fragment, FACETWISE WITH("DRAFT")},
    [SOLID_CAST] = {"solid's shadow", cast_vertex, cast_fragment, ""},
    [SOLID_SURROUNDING] = {"surrounding", background_vertex, environment_fragment, ""},
    [SOLID_SKY] = {"sky", background_vertex, sky_fragment, ""},
};
