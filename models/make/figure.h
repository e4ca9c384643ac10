/// @file
/// A character as an artist describes it: bones, and solid shapes round them that melt into one skin.
///
/// Metres; Y up, facing +Z, so the character's left is +X. A figure is made by one of the design functions below and
/// read by the stages that follow: field.h (its solid as a function), surface.h, paint.h, skin.h and glb.h.
#ifndef ERI_MAKE_FIGURE_H
#define ERI_MAKE_FIGURE_H

#include <stdbool.h>
#include <stddef.h>

#include <eigenrig/math.h>

enum { MAX_BONES = 96, MAX_PARTS = 64, MAX_REGIONS = 16, MAX_SHAPES = 512, MAX_CLIPS = 4 };

/// A joint of the skeleton, from its head to its tail. Its frame sits at the head, y towards the tail.
typedef struct bone_def {
    char name[32];
    int parent; ///< smaller than its own index; -1 for the root
    er_vec3 head, tail;
} bone_def;

/// A kind of surface, with a material of its own. Regions meet in a sharp line.
typedef struct region_def {
    const char *name;
    double color[3]; ///< linear RGB in [0, 1]
    double roughness;
} region_def;

/// Shapes that melt into each other. A part melts into its parent, not into its sisters: fingers stay apart.
typedef struct part_def {
    int parent;   ///< smaller than its own index; -1 for the first
    double blend; ///< m, width of the seam with the parent
} part_def;

typedef enum shape_use {
    SHAPE_JOIN,  ///< adds to its part
    SHAPE_CARVE, ///< takes away from its part
    SHAPE_PAINT, ///< no solid: what lies inside it, of region `over`, becomes of its region
    SHAPE_TINT   ///< no solid: multiplies the colour of what lies inside it, fading over `blend`
} shape_use;

/// A round cone (the hull of two balls) or a ring, seen through a linear map.
typedef struct shape {
    shape_use use;
    int part, region, over;    ///< over: region that SHAPE_PAINT and SHAPE_TINT act on; -1 for any
    double blend;              ///< m, width of the seam with the shapes of the part before it
    double detail;             ///< factor on the figure's edge_min
    double tint[3];            ///< factor on the region's colour, in [0, 1]
    int first_bone, last_bone; ///< the bones that carry it: the nearest of these moves a point of it
    bool ring;                 ///< round the circle of radius `rb` about `a`, normal to the map's y, with thickness ra
    er_vec3 a, b;              ///< ends; a is also the centre of the map
    double ra, rb;             ///< radii at the ends, in mapped metres
    er_mat3 map;               ///< world to mapped: the shape is { x : map (x - a) in the round cone }
    er_vec3 axis;              ///< by figure_finish(): map (b - a)
    er_vec3 middle;            ///< by figure_finish(): with `reach`, a ball that holds the shape
    double reach;
} shape;

typedef struct figure figure;

/// How a figure stands: each bone turned about its head against its parent, in the world's axes at rest.
typedef struct stance {
    er_quat turn[MAX_BONES]; ///< unit; the identity at rest
    er_vec3 shift;           ///< m, of the root
} stance;

/// A motion that loops.
typedef struct clip_def {
    const char *name;
    double seconds;
    int keys; ///< the last is as the first
    /// @param time  in loops, [0, 1)   @param s  comes in at rest
    void (*pose)(const figure *f, double time, stance *s);
} clip_def;

struct figure {
    const char *name;
    double cell;               ///< m, grid on which the skin is found; finer than its finest detail
    double edge_min, edge_max; ///< m, bounds on the final edge length
    double edge_border;        ///< m, upper bound where regions meet
    double edge_angle;         ///< rad, how far the normal may turn along an edge between those bounds
    double shade;              ///< m, reach of the baked ambient shading
    int bone_count, part_count, region_count, shape_count, clip_count;
    bone_def bones[MAX_BONES];
    part_def parts[MAX_PARTS];
    region_def regions[MAX_REGIONS];
    shape shapes[MAX_SHAPES];
    clip_def clips[MAX_CLIPS];
    shape pen; ///< what new shapes start from
};

/// The designs. Each fills the figure from nothing.
void design_hand(figure *f);
void design_horse(figure *f);
void design_gnome(figure *f);
void design_fox(figure *f);

// Building blocks for designs. Shapes come back for further changes; they start from f->pen.
// The program ends with a message where a table is full or a name is unknown: a mistake in a design.

/// Before a design: empties the figure and sets the pen.   After it: what the shapes' distances need.
void figure_start(figure *f, const char *name);
void figure_finish(figure *f);
int add_bone(figure *f, const char *name, const char *parent, er_vec3 head, er_vec3 tail);
int find_bone(const figure *f, const char *name);
int add_region(figure *f, const char *name, unsigned srgb, double roughness);
int add_part(figure *f, int parent, double blend);

/// An ellipsoid with semi-axes along the world's.
shape *ball(figure *f, const char *bone, er_vec3 centre, double rx, double ry, double rz);

/// The hull of two balls.
shape *limb(figure *f, const char *bone, er_vec3 a, double ra, er_vec3 b, double rb);

/// A torus about the y axis.
shape *ring(figure *f, const char *bone, er_vec3 centre, double radius, double thickness);

/// Scales a shape along a direction through its centre.
shape *stretch(shape *s, er_vec3 direction, double factor);

/// Turns a shape about an axis through its centre.
shape *tilt(shape *s, er_vec3 axis, double degrees);

/// The rotation by an angle about a unit axis, the same bits on every machine.
er_quat rotation(er_vec3 axis, double degrees);

/// A vector turned about a unit axis.
er_vec3 turned(er_vec3 v, er_vec3 axis, double degrees);

/// Lets all bones from `first` to `last`, in index order, carry the shape.
shape *carried_by(figure *f, shape *s, const char *first, const char *last);

void add_clip(figure *f, clip_def clip);

/// Turns a bone of a stance further, and all that hangs on it.   @param axis in the world at rest, unit
void turn_bone(const figure *f, stance *s, const char *bone, er_vec3 axis, double degrees);

/// Repeats bones, parts and shapes from these indices on, mirrored in x, with left_ in place of right_ or the reverse
/// in names.
void mirror(figure *f, int first_bone, int first_part, int first_shape);

#endif
