/// @file
/// The state of the renderer: permanent parts, and those of the picture that is being gathered.
#ifndef ERI_VIEWER_DRAW_PAINTER_H
#define ERI_VIEWER_DRAW_PAINTER_H

#include <math.h>

#include "viewer/draw/draw.h"
#include "viewer/draw/model.h"
#include "viewer/draw/program.h"
#include "viewer/draw/stream.h"

/// The block `Frame` of all programs (shaders.c), std140.
typedef struct frame_block {
    float clip[16], sun_clip[16];
    float eye[4], sun[4], fill[4], up[4], part[4], shadow[4];
    float top[4], bottom[4], grid[4], marked[4];
    float floor_centre[4], floor_x[4], floor_z[4], floor_cell[4], floor_depth[4];
} frame_block;

/// Maps of the sun's shadows.
typedef struct sun_maps {
    unsigned depth, depth_frame;   // a map of depths, and its framebuffer
    unsigned hidden, hidden_frame; // the map for the floor, a quarter as wide
    int side;                      // texels, of the depths
} sun_maps;

/// How a run of figures is drawn: solid; see-through to show the bones inside; as ghosts without shadow.
typedef enum run_kind { RUN_SOLID, RUN_TRANSLUCENT, RUN_GHOST } run_kind;

/// Figures of one model whose matrices are adjacent.
typedef struct run {
    draw_model *model;
    run_kind kind;
    int page, first, count; // texels before it; figures
} run;

/// Matrices in one texture buffer: for each figure its tint and opacity, then four texels for each slot.
typedef struct page {
    stream texels;
    unsigned texture;
} page;

typedef enum shape_kind { SHAPE_BONE, SHAPE_BALL, SHAPE_MASS, SHAPE_COUNT } shape_kind;
typedef enum layer { LAYER_SOLID, LAYER_GHOST, LAYER_OVER, LAYER_COUNT } layer;

/// A unit shape, placed.
typedef struct shape {
    float row[3][4];
    float colour[4]; // linear
} shape;

/// A line, placed.
typedef struct line {
    float from[3], to[3], colour[4]; // sRGB
    float width, dash;               // pixels; 0: no dashes
} line;

/// Uniforms of the programs that draw meshes.
typedef struct mesh_places {
    int figures, from_sun, point_size, base_colour, finish, emissive, bumpy, unlit, plain, fade;
} mesh_places;

struct painter {
    er_context *context;
    unsigned program[PROGRAM_COUNT];
    mesh_places mesh[PROGRAM_COUNT];
    int shape_from_sun[PROGRAM_COUNT];
    unsigned frame_buffer; // of the block
    unsigned empty_array;  // for vertices that shaders compute
    unsigned white;        // a texture
    sun_maps sun_maps[2];  // fine, and for drafts
    unsigned shape_array, shape_buffer;
    int shape_first[SHAPE_COUNT], shape_size[SHAPE_COUNT]; // vertices
    unsigned line_array;
    int most_texels; // of a texture buffer
    bool software;
    double gl_seconds;
    unsigned models;       // serial numbers given so far, to forms and images too
    struct solids *solids; // NULL until a picture has a stage
    draw_uploads uploads;

    // work space, [body_room]
    int body_room;
    er_pose *displacement;
    er_affine *moved; // the same as matrices

    // the picture that is being gathered
    draw_target *target;
    int part[4]; // x, y, width, height, pixels from the top left
    draw_camera camera;
    draw_style style;
    er_vec3 origin, axis[3]; // of the camera: its target and axes
    er_vec3 sun[3];          // across, up, towards it
    int page_count, page_room, run_count, run_room;
    page *page;
    run *run;
    stream shapes[LAYER_COUNT][SHAPE_COUNT], lines;
    double depth[2]; // m towards the viewer from the target: farthest and nearest of all figures
    er_vec3 cast[2]; // box of what casts shadows, along `sun`, from the origin
    er_vec3 foot[2]; // box of the figures' centres
    int figure_count;
    double floor, radius; // m along up; of the largest figure with its distance from the target
};

/// Work space for models of so many bodies.   Errors ER_ERROR_MEMORY
er_result painter_make_body_room(painter *p, int bodies);

/// Extends what the camera must see by a ball.
/// @param x      its centre, from `origin`
/// @param casts  the sun must see it too
void painter_reach(painter *p, er_vec3 x, double radius, bool casts);

/// A world point in the coordinates of shaders.
static inline er_vec3 painter_place(const painter *p, er_vec3 x)
{
    return er_v3_sub(x, p->origin);
}

/// Numbers as shaders take them: a vector and a fourth number.
static inline void put_vector(float to[4], er_vec3 x, double w)
{
    to[0] = (float)x.x;
    to[1] = (float)x.y;
    to[2] = (float)x.z;
    to[3] = (float)w;
}

/// Three rows of a placement: the linear part and the translation.
static inline void put_rows(float row[3][4], const er_mat3 *linear, er_vec3 x)
{
    const double shift[3] = {x.x, x.y, x.z};
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k)
            row[i][k] = (float)linear->m[i][k];
        row[i][3] = (float)shift[i];
    }
}

/// Leaves out back faces from now on, or draws them.
void painter_cull(bool backs);

/// Whether OpenGL has failed since the last call; clears its errors.
bool painter_has_failed(void);

/// From sRGB to linear, one number.
static inline float linear_of(float srgb)
{
    return srgb <= 0.04045f ? srgb / 12.92f : powf((srgb + 0.055f) / 1.055f, 2.4f);
}

/// Shapes and lines of a picture (world coordinates). They are left out if memory runs out.
void add_bone(painter *p, layer l, er_vec3 head, er_vec3 tip, er_vec3 side, double half_width, const float rgb[3],
              float opacity);
void add_ball(painter *p, layer l, shape_kind kind, er_pose frame, double radius, const float rgb[3], float opacity);
void add_line(painter *p, er_vec3 from, er_vec3 to, const float rgba[4], double width, double dash);

/// Creates the unit shapes and the arrays that place them.
void shapes_create(painter *p);
/// Draws the shapes of a layer with a program for shapes.
void shapes_draw(painter *p, layer l, int program, bool from_sun);
void lines_create(painter *p);
void lines_draw(painter *p);

/// Adds skeleton, joint axes, loops and centre of mass of a figure, as the style says.
void skeleton_add(painter *p, const draw_model *m, const draw_figure *f);

/// The batches of a mesh that are drawn: opaque, blended, both, or faded scenery. The first three leave that out.
typedef enum mesh_part { MESH_OPAQUE, MESH_BLENDED, MESH_ALL, MESH_FADED } mesh_part;
/// Draws the meshes of runs of some kinds (bits, 1 << run_kind) as style.surface says.
void meshes_draw(painter *p, unsigned kinds, mesh_part part);
/// Draws only their depth.
void meshes_draw_depth(painter *p, unsigned kinds, mesh_part part, bool from_sun);
void meshes_find_places(painter *p);

bool shadow_create(painter *p); ///< false: the graphics card has no room
void shadow_destroy(painter *p);
/// Fits the map to the figures that cast shadows.   @return false: none does
bool shadow_fit(const painter *p, frame_block *f);
void shadow_draw(painter *p);

/// Draws a strip of corners that a program computes by itself.
/// @param program  OpenGL's name
void painter_strip(const painter *p, unsigned program, int corners);

/// A digest of everything gathered: pictures with the same digest are equal.
uint64_t painter_digest(const painter *p);

/// Draws everything gathered onto a framebuffer; `y` is the lower edge of the part.
void passes_draw(painter *p, unsigned frame, int x, int y);

/// OpenGL's name of the framebuffer to draw onto; the resolved picture is out of date then.
/// @param height  pixels, written
unsigned target_frame(draw_target *t, int *height);
/// Whether the target shows the picture of this digest; the digest is noted.
bool target_shows(draw_target *t, uint64_t digest);

#endif
