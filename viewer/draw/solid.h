/// @file
/// Solids in a picture: shapes at poses, lit by points by Phong's formula, before a background that they may mirror.
///
/// They join what a painter gathers: painter_begin(), painter_stage(), then solids, joints and figures in any order,
/// painter_end(). Solids and figures hide each other, and cast shadows on each other where look.shadow says so. Threads
/// and units as in draw.h. Colours are linear here, as light adds up, and are shown as those of figures: what is bright
/// is pressed under white rather than cut off.
#ifndef ERI_VIEWER_DRAW_SOLID_H
#define ERI_VIEWER_DRAW_SOLID_H

#include <eigenrig/collide.h>

#include "viewer/draw/draw.h"

/// How a surface reflects light. With N its normal, L towards a light, R the mirrored L and V towards the eye:
///   ambient (scene's + lights' ambient) + sum over lights (diffuse light.diffuse (N . L) + specular light.specular
///   (R . V)^shine)
/// Source   Phong, Illumination for computer generated pictures, 1975.
typedef struct draw_material {
    float ambient[3], diffuse[3], specular[3]; ///<                                              [0.3, 0.7, 0.2]
    float shine;      ///< >= 0, Phong's exponent: how small highlights are                            [20]
    float opacity;    ///< in [0, 1]; below 1 what is behind shines through, but not through highlights    [1]
    float reflection; ///< in [0, 1], share of the background that is mirrored at right angles; more at grazing angles
                      ///< (Schlick 1994); 0: none. Plain colours are not mirrored                         [0]
} draw_material;
draw_material draw_default_material(void);

/// A point light whose brightness does not fall off with distance.
typedef struct draw_light {
    er_vec3 position;                          ///< m
    float ambient[3], diffuse[3], specular[3]; ///< [0, 0.8, 0.5]
} draw_light;
draw_light draw_default_light(void);

enum { DRAW_MOST_LIGHTS = 8 };

/// A picture on the graphics card, for backgrounds.
typedef struct draw_image draw_image;
/// @param bytes  [size], a whole PNG or JPEG
/// @param out    ER_OK: for draw_image_destroy(), before the painter; otherwise NULL
/// Errors   ER_ERROR_FORMAT (neither, or beyond 8192 pixels), ER_ERROR_MEMORY
er_result draw_image_create(painter *p, size_t size, const uint8_t *bytes, draw_image **out);
void draw_image_destroy(draw_image *image);

typedef enum draw_background {
    DRAW_COLOURS,     ///< look.background
    DRAW_BITMAP,      ///< an image that fills the picture; surfaces mirror it by the direction they are seen in
    DRAW_SURROUNDING, ///< an image of all directions: longitude across, the front in its middle; latitude down
    DRAW_SKY          ///< a sky with clouds, and the sun where the first light stands
} draw_background;

/// Where light is computed: at each point; at corners, blended between them; at one corner of each facet; nowhere, so
/// that only edges are drawn, in the material's colour.
typedef enum draw_shading { DRAW_PHONG, DRAW_GOURAUD, DRAW_FLAT, DRAW_WIRE, DRAW_SHADINGS } draw_shading;
/// The parts of facets that are drawn.
typedef enum draw_facets { DRAW_FILL, DRAW_LINE, DRAW_POINT, DRAW_FACETS } draw_facets;
/// The parts of a scene that are drawn.
typedef enum draw_visible { DRAW_ACTORS, DRAW_JOINTS, DRAW_ACTORS_AND_JOINTS, DRAW_SHOWN } draw_visible;

/// How a scene is shown.
typedef struct draw_stage {
    draw_shading shading;
    draw_facets facets;
    draw_visible shown;
    float ambient[3];                   ///< light of the scene itself                    [0.25]
    int light_count;                    ///< in [0, DRAW_MOST_LIGHTS]                     [0]
    draw_light light[DRAW_MOST_LIGHTS]; ///< the first one casts the shadows
    draw_background background;         ///< [DRAW_COLOURS]
    const draw_image *image; ///< of DRAW_BITMAP and DRAW_SURROUNDING, borrowed until painter_end(); NULL: colours
} draw_stage;
draw_stage draw_default_stage(void);

/// A hull or a surface of triangles, on the graphics card.
typedef struct draw_form draw_form;
/// @param shape  a HULL or a MESH; read at once
/// @param out    ER_OK: for draw_form_destroy(), before the painter and not between painter_begin() and painter_end();
///               otherwise NULL
/// Errors   ER_ERROR_ARGUMENT (another kind), ER_ERROR_MEMORY
er_result draw_form_create(painter *p, const er_shape *shape, draw_form **out);
void draw_form_destroy(draw_form *form);

/// A shape, placed.
typedef struct draw_solid {
    const er_shape *shape; ///< checked by er_shape_check()
    er_pose pose;          ///< of the shape's frame
    const draw_material *material;
    float tint[3];   ///< multiplies ambient and diffuse
    draw_form *form; ///< of the shape, where it is a HULL or a MESH
    double reach;    ///< m, > 0: how far from its origin a PLANE is drawn, where it has faded
} draw_solid;

/// A joint, seen through everything: its anchor as a small ball, lines from it to what it joins, and its axis.
typedef struct draw_joint {
    er_vec3 anchor;
    int end_count;  ///< in [0, 2]
    er_vec3 end[2]; ///< m: the bodies' centres
    er_vec3 axis;   ///< unit; zero: none is drawn
} draw_joint;

/// Says how solids are shown in the picture that was begun. The grid of a floor is not drawn then, and figures are
/// drawn as lines or points where solids are, or not at all.
/// @param stage  read at once
/// Errors   of the first call: ER_ERROR_SYSTEM (a shader does not build), ER_ERROR_MEMORY; solids are left out then
er_result painter_stage(painter *p, const draw_stage *stage);
/// One more solid, read at once. Solids with an opacity below 1 are drawn last, the farthest first. One that memory has
/// no room for, or that lies beyond 500 times the camera's distance, is left out.
void painter_solid(painter *p, const draw_solid *solid);
/// One more joint.
void painter_joint(painter *p, const draw_joint *joint);

#endif
