/// @file
/// The renderer's state: what lasts, and what one picture gathers.
#ifndef ERI_VIEWER_DRAW_PAINTER_H
#define ERI_VIEWER_DRAW_PAINTER_H

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

/// What the sun sees.
typedef struct sun_maps {
    unsigned depth, depth_frame;   // a map of depths, and what draws it
    unsigned hidden, hidden_frame; // of the floor, a quarter as wide
    int side;                      // texels, of the depths
} sun_maps;

/// How a run of figures is drawn: solid; see-through, for the bones inside; as ghosts, without shadow.
typedef enum run_kind { RUN_SOLID, RUN_TRANSLUCENT, RUN_GHOST } run_kind;

/// Figures of one model whose matrices follow each other.
typedef struct run {
    draw_model *model;
    run_kind kind;
    int page, first, count; // texels before it; figures
} run;

/// As many matrices as a texture buffer takes: for each figure its tint and opacity, then four texels a slot.
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
    unsigned empty_array;  // for vertices that shaders make
    unsigned white;        // a texture
    sun_maps sun_maps[2];  // fine, and of drafts
    unsigned shape_array, shape_buffer;
    int shape_first[SHAPE_COUNT], shape_size[SHAPE_COUNT]; // vertices
    unsigned line_array;
    int most_texels; // of a texture buffer
    bool software;
    double gl_seconds;
    unsigned models;       // and forms and images made so far
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

/// Widens the boxes that the camera, and where it casts the sun, must have in view by a ball.
/// @param x  from `origin`
void painter_reach(painter *p, er_vec3 x, double radius, bool casts);

/// A point as shaders have it.
static inline er_vec3 painter_place(const painter *p, er_vec3 x)
{
    return er_v3_sub(x, p->origin);
}

/// Whether OpenGL has anything to complain of since the last call; forgets it.
bool painter_has_failed(void);

/// sRGB to linear, one number.
float linear_of(float srgb);

/// Shapes and lines of a picture (world coordinates). Those that memory has no room for are left out.
void add_bone(painter *p, layer l, er_vec3 head, er_vec3 tip, er_vec3 side, double half_width, const float rgb[3],
              float opacity);
void add_ball(painter *p, layer l, shape_kind kind, er_pose frame, double radius, const float rgb[3], float opacity);
void add_line(painter *p, er_vec3 from, er_vec3 to, const float rgba[4], double width, double dash);

/// Unit shapes and the arrays that place them.
void shapes_create(painter *p);
/// Draws a layer's shapes with a program of theirs.
void shapes_draw(painter *p, layer l, int program, bool from_sun);
void lines_create(painter *p);
void lines_draw(painter *p);

/// The skeleton and signs of a figure.
void skeleton_add(painter *p, const draw_model *m, const draw_figure *f);

/// What of a mesh is drawn: of some materials, or all but scenery that is faded; or that alone.
typedef enum mesh_part { MESH_OPAQUE, MESH_BLENDED, MESH_ALL, MESH_FADED } mesh_part;
/// Meshes of runs of some kinds (bits, 1 << run_kind), in the look's surface.
void meshes_draw(painter *p, unsigned kinds, mesh_part part);
/// Their depth alone.
void meshes_draw_depth(painter *p, unsigned kinds, mesh_part part, bool from_sun);
void meshes_find_places(painter *p);

bool shadow_create(painter *p); ///< false: the graphics card has no room
void shadow_destroy(painter *p);
/// Sets the map to what casts shadows.   @return false: nothing does
bool shadow_fit(const painter *p, frame_block *f);
void shadow_draw(painter *p);

/// A strip of corners that a program makes by itself.
void painter_strip(const painter *p, int program, int corners);

/// A digest of everything gathered: pictures of one digest are the same.
uint64_t painter_digest(const painter *p);

/// Everything gathered, drawn upon the framebuffer that is bound; of which `y` is the part's lower edge.
void passes_draw(painter *p, unsigned frame, int x, int y);

/// The framebuffer that is drawn upon, OpenGL's name; what was read before is out of date then.
/// @param height  pixels, written
unsigned target_frame(draw_target *t, int *height);
/// Whether what it shows was drawn last from a picture of this digest, which is noted.
bool target_shows(draw_target *t, uint64_t digest);

#endif
