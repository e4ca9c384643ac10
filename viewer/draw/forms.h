/// @file
/// Solids as the renderer holds them: forms on the graphics card, each placed many times, and what lights them.
#ifndef ERI_VIEWER_DRAW_FORMS_H
#define ERI_VIEWER_DRAW_FORMS_H

#include "viewer/draw/painter.h"
#include "viewer/draw/solid.h"

/// A corner of a form.
typedef struct form_corner {
    float position[4]; // w: to which end of a capsule it belongs, -1 or 1; 0: neither
    float normal[3];
} form_corner;

/// A form, placed.
typedef struct placed {
    float row[3][4];   // of the world - origin
    float stretch[4];  // what an end is moved by; w 1: fades towards the edges of its square
    float ambient[4];  // linear, as the next; w: opacity
    float diffuse[4];  // w: reflection
    float specular[4]; // w: shine
} placed;

struct draw_form {
    unsigned serial;                                  // of what its painter was given
    unsigned array, corners, triangles, lines;        // of OpenGL: names
    int corner_count, triangle_corners, line_corners; // how many
    double radius;                                    // m, of the farthest corner from the origin
    bool open;                                        // both sides are seen
    stream placed;                                    // in this picture, those that hide what is behind them
    draw_form *next;                                  // that this picture shows
    draw_form *coarse;                                // what casts its shadow; NULL: itself
    bool shown;
};

struct draw_image {
    unsigned serial; // of what its painter was given
    unsigned texture;
    int width, height; // pixels
};

/// A form that is seen through.
typedef struct translucent {
    double away; // m from the eye
    draw_form *form;
    placed placed;
} translucent;

/// Round forms have 8, 16, 32, 64 or 128 facets around.
enum { LEVELS = 5, COARSE = 8, LEVEL_OF_FACETS = 1, KINDS = ER_SHAPE_MESH + 1 };

typedef enum solid_program {
    SOLID_PHONG,
    SOLID_GOURAUD,
    SOLID_FLAT,
    SOLID_WIRE,
    SOLID_DRAFT, ///< from here the first three again
    SOLID_CAST = SOLID_DRAFT + 3,
    SOLID_SURROUNDING,
    SOLID_SKY,
    SOLID_PROGRAMS
} solid_program;
extern const shader_text solid_texts[SOLID_PROGRAMS];

struct solids {
    unsigned program[SOLID_PROGRAMS]; // 0: not needed yet
    unsigned block;                   // of uniforms
    draw_form *form[KINDS][LEVELS];   // unit shapes; of boxes and planes the first level alone
    unsigned sky;                     // texture, 0 until it is needed

    // the picture that is being gathered
    bool active;
    draw_stage stage;
    double pixel;       // m that a pixel covers, at the distance of 1 m, or anywhere in parallel projection
    draw_form *first;   // of those shown
    stream translucent; // of glass
    stream sorted;      // of placed, the farthest first
};

/// A unit form: a ball, what a capsule is made of, a cylinder, a cube or a square with 1 from their middle to their
/// sides.   @return NULL: no memory
draw_form *form_of_kind(painter *p, er_shape_kind kind, int level);

/// Builds what the stage needs that was not needed before.   Errors ER_ERROR_SYSTEM, ER_ERROR_MEMORY
er_result solids_prepare(painter *p);
void solids_destroy(painter *p);
void solids_forget(painter *p); ///< what was gathered: forms and images may go then
/// Sorts what is seen through; before the digest.
void solids_sort(painter *p);

/// Whether the picture that is being gathered has a stage.
static inline bool solids_active(const painter *p)
{
    return p->solids != NULL && p->solids->active;
}

/// The map of the first light, of what casts.
/// @param side  texels
/// @return false: nothing shines
bool solids_fit_sun(const painter *p, int side, frame_block *f);

/// Sends the stage to the graphics card; before all others.
void solids_send(painter *p);
/// The sky's texture; its program is built.
er_result sky_create(painter *p);
/// The size of the image behind everything, pixels.   @return what it is, as the block `Stage` tells it; 0: none
int environment_size(const painter *p, int *width, int *height);
void environment_bind(const painter *p);
/// @return false: the background is of plain colours
bool solids_draw_background(const painter *p);
void solids_draw_depth(const painter *p);
void solids_draw_opaque(const painter *p);
/// Planes, which fade, and what is seen through.
void solids_draw_translucent(const painter *p);

#endif
