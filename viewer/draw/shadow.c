// The sun's map: depths as the sun sees what casts shadows, for meshes; and from it, for the floor, how much of the sun
// is hidden and how far away what hides it is, with mipmaps, so that shadows blur with distance.
#include <epoxy/gl.h>

#include "viewer/draw/forms.h"

enum { FINE_SIDE = 2048, DRAFT_SIDE = 512, DEPTHS = 4 }; // texels; depths along a side of a texel of the floor's map

static unsigned make_map(GLenum format, GLenum parts, GLenum type, int side, const float border[4])
{
    GLuint map = 0;
    glGenTextures(1, &map);
    glBindTexture(GL_TEXTURE_2D, map);
    glTexImage2D(GL_TEXTURE_2D, 0, (GLint)format, side, side, 0, parts, type, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_BORDER);
    glTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, border);
    return map;
}

static unsigned make_frame(GLenum place, unsigned map)
{
    GLuint frame = 0;
    glGenFramebuffers(1, &frame);
    glBindFramebuffer(GL_FRAMEBUFFER, frame);
    glFramebufferTexture2D(GL_FRAMEBUFFER, place, GL_TEXTURE_2D, map, 0);
    return frame;
}

static bool make_maps(sun_maps *s, int side)
{
    static const float lit[4] = {1, 1, 1, 1}, open[4] = {0, 0, 0, 0};
    s->side = side;
    s->depth = make_map(GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, side, lit);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    s->depth_frame = make_frame(GL_DEPTH_ATTACHMENT, s->depth);
    glDrawBuffer(GL_NONE);
    glReadBuffer(GL_NONE);
    bool whole = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    s->hidden = make_map(GL_RG16F, GL_RG, GL_HALF_FLOAT, side / DEPTHS, open);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    s->hidden_frame = make_frame(GL_COLOR_ATTACHMENT0, s->hidden);
    return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE && whole;
}

bool shadow_create(painter *p)
{
    GLint bound = 0;
    glGetIntegerv(GL_FRAMEBUFFER_BINDING, &bound);
    bool whole = make_maps(&p->sun_maps[false], FINE_SIDE) && make_maps(&p->sun_maps[true], DRAFT_SIDE);
    glBindTexture(GL_TEXTURE_2D, 0);
    glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)bound);
    return whole;
}

void shadow_destroy(painter *p)
{
    for (int i = 0; i < 2; ++i) {
        const sun_maps *s = &p->sun_maps[i];
        const GLuint maps[2] = {s->depth, s->hidden}, frames[2] = {s->depth_frame, s->hidden_frame};
        glDeleteTextures(2, maps);
        glDeleteFramebuffers(2, frames);
    }
}

static const sun_maps *maps_of(const painter *p)
{
    return &p->sun_maps[p->style.draft];
}

// Depth in the map, of the floor, at its corner and a step along its sides: depths are linear in the map. Nothing where
// the sun shines along the floor or from below.
static void set_floor_depth(const painter *p, const double scale[3], const double centre[3], float plane[4])
{
    double rise = er_v3_dot(p->camera.up, p->sun[2]), tilt = er_v3_dot(p->camera.up, p->sun[1]);
    if (rise < 0.05) return; // sun[0] lies level
    double level = p->floor - er_v3_dot(p->origin, p->camera.up);
    double low = centre[1] - 0.5 / scale[1]; // along sun[1], where the map begins
    plane[0] = (float)(0.5 + scale[2] * ((level - low * tilt) / rise - centre[2]));
    plane[1] = (float)(-scale[2] * tilt / (rise * scale[1]));
    plane[2] = (float)(-1.0 / scale[2]);
    plane[3] = 1.0f;
}

// The map is fitted round what casts, in steps, so that it does not creep as figures move; blurs need a margin.
bool shadow_fit(const painter *p, frame_block *f)
{
    if (!p->style.shadow || !(p->cast[0].x <= p->cast[1].x)) return false;
    if (solids_active(p)) return solids_fit_sun(p, maps_of(p)->side, f);
    double deep = 1.02 * (p->cast[1].z - p->cast[0].z) + 1e-6 * p->radius;
    int across = maps_of(p)->side;
    double wide = fmax(p->cast[1].x - p->cast[0].x, p->cast[1].y - p->cast[0].y);
    double side = exp2(ceil(4.0 * log2(1.2 * wide + 1e-6 * p->radius)) / 4.0), texel = side / across;
    er_vec3 middle = er_v3_scale(0.5, er_v3_add(p->cast[0], p->cast[1]));
    const double centre[3] = {texel * round(middle.x / texel), texel * round(middle.y / texel), middle.z};
    const double scale[3] = {1.0 / side, 1.0 / side, -1.0 / deep};
    f->shadow[0] = 1.0f / (float)across;
    f->shadow[1] = (float)texel;
    f->shadow[2] = (float)(across / DEPTHS / side);
    set_floor_depth(p, scale, centre, f->floor_depth);
    for (int k = 0; k < 4; ++k) // columns
        for (int i = 0; i < 3; ++i) {
            const double axis[3] = {p->sun[i].x, p->sun[i].y, p->sun[i].z};
            f->sun_clip[4 * k + i] = (float)(k < 3 ? scale[i] * axis[k] : 0.5 - scale[i] * centre[i]);
        }
    f->sun_clip[15] = 1.0f;
    return true;
}

static void draw_depths(painter *p, const sun_maps *s)
{
    glBindFramebuffer(GL_FRAMEBUFFER, s->depth_frame);
    glViewport(0, 0, s->side, s->side);
    glClear(GL_DEPTH_BUFFER_BIT);
    glEnable(GL_DEPTH_CLAMP);
    glEnable(GL_POLYGON_OFFSET_FILL);
    glPolygonOffset(1.5f, 3.0f);
    if (p->style.mesh)
        meshes_draw_depth(p, 1u << RUN_SOLID | 1u << RUN_TRANSLUCENT, MESH_ALL, true);
    else
        shapes_draw(p, LAYER_SOLID, PROGRAM_CAST, true);
    if (solids_active(p)) solids_draw_depth(p);
    glDisable(GL_POLYGON_OFFSET_FILL);
    glDisable(GL_DEPTH_CLAMP);
}

static void draw_hidden(painter *p, const sun_maps *s)
{
    glBindFramebuffer(GL_FRAMEBUFFER, s->hidden_frame);
    glViewport(0, 0, s->side / DEPTHS, s->side / DEPTHS);
    glDisable(GL_DEPTH_TEST);
    glActiveTexture(GL_TEXTURE0 + UNIT_SHADOW);
    glBindTexture(GL_TEXTURE_2D, s->depth);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_NONE);
    painter_strip(p, p->program[PROGRAM_HIDDEN], 3);
    glActiveTexture(GL_TEXTURE0 + UNIT_HIDDEN);
    glBindTexture(GL_TEXTURE_2D, s->hidden);
    glGenerateMipmap(GL_TEXTURE_2D);
    glEnable(GL_DEPTH_TEST);
}

void shadow_draw(painter *p)
{
    const sun_maps *s = maps_of(p);
    draw_depths(p, s);
    if (p->style.floor) draw_hidden(p, s);
    glActiveTexture(GL_TEXTURE0 + UNIT_SHADOW);
    glBindTexture(GL_TEXTURE_2D, s->depth);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
}
