/// @file
/// Shapes of solids: hulls of points, balls, boxes and surfaces of triangles; the closest features, the distance and
/// the touches of two of them, rays, and which of many come near each other.
///
/// A shape has a frame of its own; er_pose arguments say where that frame stands in the world. Queries take shapes and
/// poses, never velocities: how fast a distance can shrink is for who knows the twists to say, from er_hull.radius.
/// Queries take no memory and may run in any number of threads at once, each with caches of its own. Derived in
/// docs/math/collide.md.
#ifndef EIGENRIG_COLLIDE_H
#define EIGENRIG_COLLIDE_H

#include <eigenrig/math.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- Hulls

/// The plane of a face: normal . x <= offset holds in the whole hull.
typedef struct er_hull_plane {
    er_vec3 normal; ///< unit, outward
    double offset;  ///< m
} er_hull_plane;

/// An edge, and the faces on both sides of it.
typedef struct er_hull_edge {
    int vertex[2]; ///< from, to: counter-clockwise around face[0] as seen from outside
    int face[2];   ///< left, right
} er_hull_edge;

/// A convex polyhedron, solid, of density 1. Facets that rounding alone tells from one plane are one face.
typedef struct er_hull {
    int vertex_count;           ///< >= 4
    const er_vec3 *vertex;      ///< [vertex_count], m, of those given, exactly and in their order
    const int *source;          ///< [vertex_count], the index each had among those given, ascending
    int face_count;             ///< >= 4
    const er_hull_plane *plane; ///< [face_count]
    const int *face_start;      ///< [face_count + 1]; corners of face f: face_start[f] to face_start[f + 1]
    const int *face_vertex;     ///< [2 edge_count], by corner, counter-clockwise from outside, the least first
    const int *face_edge;       ///< [2 edge_count], by corner: the edge from it to the next
    int edge_count;             ///< vertex_count + face_count - 2
    const er_hull_edge *edge;   ///< [edge_count]
    const int *vertex_start;    ///< [vertex_count + 1]; spokes of vertex v: vertex_start[v] to vertex_start[v + 1]
    const int *vertex_edge;     ///< [2 edge_count], by spoke, clockwise from outside
    const int *neighbour;       ///< [2 edge_count], by spoke: the vertex at its other end
    er_vec3 low, high;          ///< m, the box around all vertices
    double radius;              ///< m, of the farthest vertex from the frame's origin
    double volume;              ///< m^3, > 0
    er_vec3 centre;             ///< m, of mass
    er_mat3 inertia;            ///< m^5, about the centre: times density it is kg m^2
    struct er_arena *arena;     ///< private
} er_hull;

/// The convex hull of points.
/// @param count  >= 4
/// @param point  [count], m, finite, not all in one plane; any of them may lie inside
/// @param out    ER_OK: a new object for er_hull_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT (too few, not finite, beyond 1e50 m, flat), ER_ERROR_MEMORY
/// Memory   allocates the result; scratch, Qhull's too, which takes its from malloc().
/// Threads  one call per context at a time.
/// Source   Barber, Dobkin, Huhdanpaa, The Quickhull algorithm for convex hulls, 1996; volume and inertia in closed
///          form.
ER_API er_result er_hull_create(er_context *context, int count, const er_vec3 *point, er_hull **out);

/// The hull of a convex solid whose faces are known: the surface must close, wind one way, and be convex to 1e-6 of its
/// size, for numbers in files are rounded. The hull has faces of its own, of the same solid.
/// @param vertex_count    >= 4
/// @param vertex          [vertex_count], m, finite
/// @param triangle_count  >= 4
/// @param index           [3 triangle_count], in [0, vertex_count), all counter-clockwise from outside, or all from
///                        inside
/// @param out             ER_OK: a new object for er_hull_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT (as er_hull_create(); a surface that is open, winds both ways or is not convex: names an
///          edge or a vertex of it), ER_ERROR_MEMORY
/// Memory   as er_hull_create().   Threads: one call per context at a time.
ER_API er_result er_hull_create_faces(er_context *context, int vertex_count, const er_vec3 *vertex, int triangle_count,
                                      const int *index, er_hull **out);

/// Frees a hull. NULL is fine.   Threads: the context's.
ER_API void er_hull_destroy(er_hull *hull);

/// The box around a hull at a pose, in the world's axes.
/// @param low, high  written, m
ER_API void er_hull_box(const er_hull *hull, er_pose pose, er_vec3 *low, er_vec3 *high);

// ---- Closest features

/// Parts of a hull's surface; the value is their dimension.
typedef enum er_feature_kind { ER_FEATURE_VERTEX, ER_FEATURE_EDGE, ER_FEATURE_FACE } er_feature_kind;

/// A vertex, an edge or a face of a hull.
typedef struct er_feature {
    er_feature_kind kind;
    int index; ///< among the hull's vertices, edges or faces
} er_feature;

/// Where two hulls A (0) and B (1) are closest, in the world.
///
/// Apart (distance > 0): the features are all that each hull has at this distance from the plane between, so that a
/// face that lies flat before a face is one, whatever query came before. Where many points are closest the two are in
/// the middle of where the features face each other.
///
/// Touching or overlapping (distance <= 0): -distance is the depth, the shortest way that B moves along the normal to
/// be free, and the features those that meet then.
typedef struct er_closest {
    double distance;       ///< m; normal . (point[1] - point[0])
    er_vec3 point[2];      ///< m, on A and on B
    er_vec3 normal;        ///< unit, from A to B
    er_feature feature[2]; ///< of A and of B
} er_closest;

/// Where the last query of two hulls ended; all zero where there was none. The next one begins there.
typedef struct er_closest_cache {
    int count;        ///< [0, 4]
    int vertex[2][4]; ///< of A and of B
} er_closest_cache;

/// Finds the closest points of two hulls, exact to some roundings (1e-15) of their sizes and of the offset between
/// them.
/// @param cache    for the same two hulls, read and written, or NULL; time alone depends on it
/// @param closest  written
/// Time     of the steps between the cache's features and the closest ones; where hulls overlap or touch, of their
/// faces,
///          and of the pairs of edges that are no farther apart than the overlap is deep.
/// Source   Gilbert, Johnson, Keerthi 1988 for where; features as Lin 1993 has them (docs/math/collide.md).
ER_API void er_hull_closest(const er_hull *a, er_pose pose_a, const er_hull *b, er_pose pose_b, er_closest_cache *cache,
                            er_closest *closest);

/// The plane at which two hulls that are near each other will meet. Closest features whose dimensions do not sum to 2
/// have none of their own (two vertices), or have it by many pairs (two faces). This finds a vertex and a face, or two
/// edges, among those around the closest features, with the plane between the hulls that parts them widest.
/// @param closest  as er_hull_closest() wrote it for the same hulls and poses
/// @param contact  written: distance is the width of the gap along the plane's normal, at most closest->distance, and 0
///                 or more where that is; the points are those of the pair that are closest
/// Source   Bacin, Animacao Dinamica de Corpos Rigidos Articulados, Unicamp 1999, algorithm 7.1.
ER_API void er_hull_contact(const er_hull *a, er_pose pose_a, const er_hull *b, er_pose pose_b,
                            const er_closest *closest, er_closest *contact);

// ---- Surfaces

/// Triangles that stand still: a mesh or a field of heights to fall on. Both sides of a triangle are solid; a surface
/// has no inside, so what is deeper in it than its own middle is pushed out on the other side.
typedef struct er_surface er_surface;

/// A surface of triangles. Those without area, to rounding, are left out.
/// @param vertex_count    >= 3
/// @param vertex          [vertex_count], m, finite; copied
/// @param triangle_count  >= 1
/// @param index           [3 triangle_count], in [0, vertex_count); triangles that share an edge by index are smooth
///                        across it
/// @param out             ER_OK: a new object for er_surface_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT (none, not finite, beyond 1e50 m, an index out of range, no triangle with an area),
///          ER_ERROR_MEMORY
/// Memory   allocates the result.   Threads: one call per context at a time.
ER_API er_result er_surface_create(er_context *context, int vertex_count, const er_vec3 *vertex, int triangle_count,
                                   const int *index, er_surface **out);

/// A surface over a grid in the plane of x and y, its first corner at the origin.
/// @param columns, rows  >= 2, along x and along y
/// @param dx, dy         m, > 0: of a cell
/// @param height         [rows x columns], m, along z; row after row
/// Errors, memory, threads   as er_surface_create().
ER_API er_result er_surface_create_heights(er_context *context, int columns, int rows, double dx, double dy,
                                           const double *height, er_surface **out);

/// Frees a surface. NULL is fine.   Threads: the context's.
ER_API void er_surface_destroy(er_surface *surface);

/// What a surface is made of, for pictures and files: its triangles in an order of its own, those without area left
/// out.
/// @param vertex  set: all vertices as they were given; the surface's
/// @param index   [3 triangles], written, or NULL; corners as they were given
/// @return how many triangles
ER_API int er_surface_triangles(const er_surface *surface, const er_vec3 **vertex, int *index);

// ---- Shapes

/// The kinds of shapes. A plane and a mesh stand still: they touch what can move, not each other.
typedef enum er_shape_kind {
    ER_SHAPE_SPHERE,
    ER_SHAPE_CAPSULE,
    ER_SHAPE_BOX,
    ER_SHAPE_CYLINDER,
    ER_SHAPE_HULL,
    ER_SHAPE_PLANE, ///< the half space z <= 0
    ER_SHAPE_MESH
} er_shape_kind;

/// A solid in a frame of its own. A value: what it points to is borrowed.
typedef struct er_shape {
    er_shape_kind kind;
    double radius;       ///< SPHERE, CAPSULE, CYLINDER: m, > 0
    double length;       ///< m, along z, its middle at the origin. CAPSULE: between the centres of its caps, >= 0;
                         ///< CYLINDER: > 0
    er_vec3 half;        ///< BOX: m, half the edges' lengths, > 0
    const er_hull *hull; ///< HULL
    const er_surface *surface; ///< MESH
} er_shape;

/// Whether a shape is one. Every other function takes shapes that are.
/// Errors   ER_ERROR_ARGUMENT: says which number is wrong, or what is missing; lengths are of 1e-50 to 1e50 m.
ER_API er_result er_shape_check(er_context *context, const er_shape *shape);

/// The box around a shape at a pose, in the world's axes. PLANE: all of space.
/// @param low, high  written, m
ER_API void er_shape_box(const er_shape *shape, er_pose pose, er_vec3 *low, er_vec3 *high);

/// Mass properties of a solid of one density.
/// @param density  kg/m^3, > 0
/// @param mass     written, kg
/// @param centre   written, m, of mass, in the shape's frame
/// @param inertia  written, kg m^2, about the centre, in the shape's axes
/// Errors   ER_ERROR_ARGUMENT (the shape or the density is none; a PLANE or a MESH has no mass)
ER_API er_result er_shape_mass(er_context *context, const er_shape *shape, double density, double *mass,
                               er_vec3 *centre, er_mat3 *inertia);

/// A point at which two shapes A (0) and B (1) touch, or are near to.
typedef struct er_touch {
    er_vec3 point[2]; ///< m, world, on A and on B
    er_vec3 normal;   ///< unit, world, from A to B
    double distance;  ///< m, normal . (point[1] - point[0]); < 0: overlap
    uint64_t feature; ///< what meets there: the same from call to call while the same features touch, as long as A is
                      ///< A and B is B; distinct within one call
} er_touch;

enum { ER_TOUCH_MOST = 32 };

/// Finds the points at which two shapes are within a margin of each other. A convex pair has at most four, with one
/// normal, that of er_shape_closest(): the deepest one, and those that spread widest; corners of faces that face each
/// other, not every point between them. A MESH has up to ER_TOUCH_MOST. What lies within 1e-5 of the smaller face's
/// size is alike, so that rounding does not choose among touches: the deepest one is right to that.
/// @param margin  m, >= 0; may be infinite
/// @param cache   for the same two shapes, read and written, or NULL; time alone depends on it
/// @param touch   [ER_TOUCH_MOST], written
/// @return how many; 0 where they are farther apart, and of two that stand still
/// Time     some 10 ns of spheres, planes and capsules, 1 us of boxes and of hulls of 20 vertices, 10 us of cylinders
///          with boxes, 20 us with each other, 50 us of hulls of 500 vertices that overlap, 2 us a triangle that is
///          near
ER_API int er_shape_touches(const er_shape *a, er_pose pose_a, const er_shape *b, er_pose pose_b, double margin,
                            er_closest_cache *cache, er_touch *touch);

/// Finds the closest points of two shapes, as er_hull_closest() does of hulls: exact to some roundings of their sizes.
/// Of a MESH it is the nearest triangle; where some overlap, the deepest of these alone.
/// @param cache    for the same two shapes, read and written, or NULL; time alone depends on it
/// @param closest  written; features are those of HULLs, of BOXes (as er_hull_create() numbers them, of corners in
///                 binary: x, y, z from the lowest bit) and of CAPSULEs (ends 0 and 1, or the edge between), else 0.
///                 Of two that stand still the distance is infinite
ER_API void er_shape_closest(const er_shape *a, er_pose pose_a, const er_shape *b, er_pose pose_b,
                             er_closest_cache *cache, er_closest *closest);

/// Finds where a ray meets a shape first.
/// @param from       m, world
/// @param direction  unit, world
/// @param most       m, >= 0: no farther; may be infinite
/// @param distance   written where it does, m; 0 where the ray begins inside
/// @param normal     written where it does: unit, world, of the surface, against the ray; the ray's own, negated, where
///                   it begins inside
/// @return whether it does
ER_API bool er_shape_ray(const er_shape *shape, er_pose pose, er_vec3 from, er_vec3 direction, double most,
                         double *distance, er_vec3 *normal);

// ---- Which come near each other

/// Boxes that move, and the pairs of them that meet.
typedef struct er_sweep er_sweep;

/// Two boxes that meet.
typedef struct er_sweep_pair {
    int a, b; ///< a < b
} er_sweep_pair;

/// A sweep over a number of boxes.
/// @param count   [0, 1e8]
/// @param out     ER_OK: a new object for er_sweep_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_MEMORY
/// Memory   allocates the result.   Threads: one call per context at a time.
ER_API er_result er_sweep_create(er_context *context, int count, er_sweep **out);

/// Frees a sweep. NULL is fine.   Threads: the context's.
ER_API void er_sweep_destroy(er_sweep *sweep);

/// Finds the pairs of boxes that meet: those whose boxes, grown by half the margin on every side, share a point.
/// @param low, high   [count], m, low <= high, component by component
/// @param margin      m, >= 0: boxes as close as that meet
/// @param pairs       set: [pair_count], by a, then by b; the sweep's, until its next update
/// @param pair_count  set
/// Errors   ER_ERROR_ARGUMENT (a box that is not finite, or inside out; a margin that is none: the sweep stays as it
///          was), ER_ERROR_MEMORY (the next update begins anew)
/// Memory   allocates only where more pairs meet than ever before.   Threads: one call per context at a time.
/// Time     linear in the boxes and in the pairs that nearly meet, where most boxes are of about one size; some 50 ns a
///          box while none has moved by more than a twentieth of that, else some 300. Boxes that are larger than most
///          cost as many as they reach.
/// Source   rows of a grid, each swept along (Baraff 1992); docs/math/collide.md.
ER_API er_result er_sweep_update(er_sweep *sweep, const er_vec3 *low, const er_vec3 *high, double margin,
                                 const er_sweep_pair **pairs, int *pair_count);

/// The boxes, as they were at the last update and grown by half its margin, that share a point with a box: what a shape
/// or a ray may meet.
/// @param low, high  m, low <= high, component by component; may be infinite
/// @param box        [the sweep's count], written: the first so many, ascending
/// @return how many; 0 before the first update
/// Threads  any number at once, while no update runs.
ER_API int er_sweep_over(const er_sweep *sweep, er_vec3 low, er_vec3 high, int *box);

#ifdef __cplusplus
}
#endif
#endif
