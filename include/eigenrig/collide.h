/// @file
/// Collision geometry: convex hulls, spheres, capsules, boxes, cylinders, planes and meshes; closest features and
/// distances, contact manifolds, rays, and the broad phase.
///
/// Each shape has its own frame; er_pose arguments place that frame in the world. Queries take shapes and poses, not
/// velocities. They allocate no memory. Any number of threads may run them at once, each with its own caches. Source:
/// docs/math/collide.md.
#ifndef EIGENRIG_COLLIDE_H
#define EIGENRIG_COLLIDE_H

#include <eigenrig/math.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- Hulls

/// The plane of a face: normal . x <= offset for all points of the hull.
typedef struct er_hull_plane {
    er_vec3 normal; ///< unit, outward
    double offset;  ///< m
} er_hull_plane;

/// An edge and its two faces.
typedef struct er_hull_edge {
    int vertex[2]; ///< from, to: counter-clockwise around face[0] as seen from outside
    int face[2];   ///< left, right
} er_hull_edge;

/// A convex polyhedron of density 1. Facets that lie in one plane to rounding are one face. Read-only; freed by
/// er_hull_destroy().
typedef struct er_hull {
    int vertex_count;           ///< >= 4
    const er_vec3 *vertex;      ///< [vertex_count], m: given points, unchanged, in their order
    const int *source;          ///< [vertex_count], ascending: their indices among the given points
    int face_count;             ///< >= 4
    const er_hull_plane *plane; ///< [face_count]
    const int *face_start;      ///< [face_count + 1]; corners of face f: face_start[f] to face_start[f + 1]
    const int *face_vertex;     ///< [2 edge_count], by corner, counter-clockwise from outside, the least index first
    const int *face_edge;       ///< [2 edge_count], by corner: the edge to the next corner
    int edge_count;             ///< vertex_count + face_count - 2
    const er_hull_edge *edge;   ///< [edge_count]
    const int *vertex_start;    ///< [vertex_count + 1]; spokes of vertex v: vertex_start[v] to vertex_start[v + 1]
    const int *vertex_edge;     ///< [2 edge_count], by spoke, clockwise from outside
    const int *neighbour;       ///< [2 edge_count], by spoke: the vertex at its other end
    er_vec3 low, high;          ///< m, the box around all vertices
    double radius;              ///< m, of the farthest vertex from the frame's origin
    double volume;              ///< m^3, > 0
    er_vec3 centre;             ///< m, the centre of mass
    er_mat3 inertia;            ///< m^5, about the centre: times density it is kg m^2
    struct er_arena *arena;     ///< private
} er_hull;

/// Creates the convex hull of points.
/// @param count  >= 4
/// @param point  [count], m, finite, not all in one plane; any of them may lie inside
/// @param out    ER_OK: a new object for er_hull_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT (too few, not finite, beyond 1e50 m, flat), ER_ERROR_MEMORY
/// Memory   allocates the result and scratch; Qhull takes its scratch from malloc().
/// Threads  one call per context at a time.
/// Source   Barber, Dobkin, Huhdanpaa, The Quickhull algorithm for convex hulls, 1996; volume and inertia in closed
///          form.
ER_API er_result er_hull_create(er_context *context, int count, const er_vec3 *point, er_hull **out);

/// Creates the hull of a convex solid from its faces. The surface must be closed, have one orientation, and be convex
/// to 1e-6 of its size. Faces in one plane are merged, so faces are renumbered.
/// @param vertex_count    >= 4
/// @param vertex          [vertex_count], m, finite
/// @param triangle_count  >= 4
/// @param index           [3 triangle_count], in [0, vertex_count), all counter-clockwise as seen from outside, or
///                        all as seen from inside
/// @param out             ER_OK: a new object for er_hull_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT (as er_hull_create(); an open surface, mixed orientations or not convex: names an edge or
///          vertex), ER_ERROR_MEMORY
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

/// The closest points of two hulls A (0) and B (1), in the world.
///
/// Separated (distance > 0): each feature is the largest part of its hull at the closest plane. For a face that lies
/// flat it is the face, independent of earlier queries. If many points are closest, the two are in the middle of the
/// region where the features face each other.
///
/// Touching or overlapping (distance <= 0): -distance is the penetration depth, the length of the shortest translation
/// of B along the normal that separates the hulls. The features are those that touch after this translation.
typedef struct er_closest {
    double distance;       ///< m; normal . (point[1] - point[0])
    er_vec3 point[2];      ///< m, on A and on B
    er_vec3 normal;        ///< unit, from A to B
    er_feature feature[2]; ///< of A and of B
} er_closest;

/// A cache that speeds up repeated queries of one pair. Zero it before the first query.
typedef struct er_closest_cache {
    int count;        ///< [0, 4]
    int vertex[2][4]; ///< of A and of B
} er_closest_cache;

/// Finds the closest points of two hulls, to about 1e-15 of their sizes and of the distance between their frames.
/// @param cache    of the same two hulls, read and written, or NULL; it affects only the time
/// @param closest  written
/// Time     grows with the steps from the cache's features to the closest ones. For hulls that overlap or touch, it
///          grows with their faces and with the pairs of edges within the penetration depth.
/// Source   Gilbert, Johnson, Keerthi 1988; features as in Lin 1993 (docs/math/collide.md).
ER_API void er_hull_closest(const er_hull *a, er_pose pose_a, const er_hull *b, er_pose pose_b, er_closest_cache *cache,
                            er_closest *closest);

/// Finds the contact plane of two hulls that are near each other. The closest features may not define one: two vertices
/// have no plane, and two faces have many pairs. Among the features around them, this finds the vertex and face, or the
/// two edges, whose plane separates the hulls widest.
/// @param closest  as er_hull_closest() wrote it for the same hulls and poses
/// @param contact  written: the closest points of that pair of features. `distance` is the gap along the plane's
///                 normal, at most closest->distance, and >= 0 if closest->distance is
/// Source   Bacin, Animacao Dinamica de Corpos Rigidos Articulados, Unicamp 1999, algorithm 7.1.
ER_API void er_hull_contact(const er_hull *a, er_pose pose_a, const er_hull *b, er_pose pose_b,
                            const er_closest *closest, er_closest *contact);

// ---- Surfaces

/// A static surface of triangles: a mesh or a height field. Both sides of a triangle collide. A surface has no inside,
/// so a shape whose middle has passed the surface is pushed out on the other side.
typedef struct er_surface er_surface;

/// Creates a surface of triangles. Triangles without area, to rounding, are left out.
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

/// Creates a surface from heights on a grid in the x-y plane. The first corner is at the origin.
/// @param columns, rows  >= 2, along x and along y
/// @param dx, dy         m, > 0: of a cell
/// @param height         [rows x columns], m, along z, row by row
/// Errors, memory, threads   as er_surface_create().
ER_API er_result er_surface_create_heights(er_context *context, int columns, int rows, double dx, double dy,
                                           const double *height, er_surface **out);

/// Frees a surface. NULL is fine.   Threads: the context's.
ER_API void er_surface_destroy(er_surface *surface);

/// Gives the triangles of a surface, in its own order, for drawing and files.
/// @param vertex  set: all given vertices; owned by the surface
/// @param index   [3 triangles], written, or NULL: indices of vertices
/// @return the number of triangles
ER_API int er_surface_triangles(const er_surface *surface, const er_vec3 **vertex, int *index);

// ---- Shapes

/// Kinds of shapes. Planes and meshes are static: they do not collide with each other.
typedef enum er_shape_kind {
    ER_SHAPE_SPHERE,
    ER_SHAPE_CAPSULE,
    ER_SHAPE_BOX,
    ER_SHAPE_CYLINDER,
    ER_SHAPE_HULL,
    ER_SHAPE_PLANE, ///< the half space z <= 0
    ER_SHAPE_MESH
} er_shape_kind;

/// A shape in its own frame. The hull and the surface are borrowed.
typedef struct er_shape {
    er_shape_kind kind;
    double radius;       ///< SPHERE, CAPSULE, CYLINDER: m, > 0
    double length;       ///< m, along z, its middle at the origin. CAPSULE: between the centres of its caps, >= 0;
                         ///< CYLINDER: > 0
    er_vec3 half;        ///< BOX: m, half the edge lengths, > 0
    const er_hull *hull; ///< HULL
    const er_surface *surface; ///< MESH
} er_shape;

/// Checks a shape. All other functions need valid shapes.
/// Errors   ER_ERROR_ARGUMENT: names the wrong or missing field; lengths are from 1e-50 to 1e50 m.
ER_API er_result er_shape_check(er_context *context, const er_shape *shape);

/// The box around a shape at a pose, in the world's axes. PLANE: all of space.
/// @param low, high  written, m
ER_API void er_shape_box(const er_shape *shape, er_pose pose, er_vec3 *low, er_vec3 *high);

/// The mass properties of a shape of uniform density.
/// @param density  kg/m^3, > 0
/// @param mass     written, kg
/// @param centre   written, m, of mass, in the shape's frame
/// @param inertia  written, kg m^2, about the centre, in the shape's axes
/// Errors   ER_ERROR_ARGUMENT (shape or density not valid; a PLANE and a MESH have no mass)
ER_API er_result er_shape_mass(er_context *context, const er_shape *shape, double density, double *mass,
                               er_vec3 *centre, er_mat3 *inertia);

/// The surface of a shape as triangles, in its frame. Read-only; freed by er_triangles_destroy().
typedef struct er_triangles {
    int vertex_count, triangle_count;
    float *position, *normal; ///< [3 vertex_count], m, and unit; a corner of several faces has a vertex for each
    int *index;               ///< [3 triangle_count], counter-clockwise as seen from outside
    struct er_arena *arena;   ///< private
} er_triangles;

/// Makes the triangles of a shape, for drawing and files. Circles become polygons of 32 sides.
/// @param face  m, > 0: half the side of the square that stands for a PLANE; other kinds ignore it
/// @param out   ER_OK: a new object for er_triangles_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT (as er_shape_check()), ER_ERROR_MEMORY
/// Memory   allocates the result.   Threads: one call per context at a time.
ER_API er_result er_shape_triangulate(er_context *context, const er_shape *shape, double face, er_triangles **out);

/// Frees triangles. NULL is fine.   Threads: the context's.
ER_API void er_triangles_destroy(er_triangles *triangles);

/// A contact point of two shapes A (0) and B (1).
typedef struct er_manifold_point {
    er_vec3 point[2]; ///< m, world, on A and on B
    er_vec3 normal;   ///< unit, world, from A to B
    double distance;  ///< m, normal . (point[1] - point[0]); < 0: overlap
    uint64_t feature; ///< id of the touching features, unique within a call. It stays the same from call to call while
                      ///< the same features touch and the order of A and B is the same
} er_manifold_point;

enum { ER_MANIFOLD_MAX = 32 };

/// Finds the contact manifold of two shapes: the points at which they are within a margin of each other.
///
/// A convex pair has at most four points with one normal, that of er_shape_closest(). They are chosen among the corners
/// of the overlap of facing faces: the deepest point, and those that spread widest. A MESH has up to ER_MANIFOLD_MAX
/// points. So that rounding does not affect the choice, differences below 1e-5 of the smaller face's size do not count;
/// the deepest point is accurate to that.
/// @param margin  m, >= 0; may be infinite
/// @param cache   of the same two shapes, read and written, or NULL; it affects only the time
/// @param point   [ER_MANIFOLD_MAX], written
/// @return the number of points; 0 if the shapes are farther apart than the margin, or both are static
/// Time     about 10 ns for spheres, planes and capsules; 1 us for boxes and hulls of 20 vertices; 10 us for a cylinder
///          and a box; 20 us for two cylinders; 50 us for overlapping hulls of 500 vertices; 2 us per triangle nearby
ER_API int er_shape_manifold(const er_shape *a, er_pose pose_a, const er_shape *b, er_pose pose_b, double margin,
                             er_closest_cache *cache, er_manifold_point *point);

/// Finds the closest points of two shapes, as accurate as er_hull_closest(). For a MESH it finds the nearest triangle,
/// or the deepest of overlapping ones.
/// @param cache    of the same two shapes, read and written, or NULL; it affects only the time
/// @param closest  written. HULLs have features, and so do BOXes (numbered as by er_hull_create(); corners in binary:
///                 x, y, z from the lowest bit) and CAPSULEs (ends 0 and 1, or the edge between). Other kinds have 0.
///                 The distance of two static shapes is infinite
ER_API void er_shape_closest(const er_shape *a, er_pose pose_a, const er_shape *b, er_pose pose_b,
                             er_closest_cache *cache, er_closest *closest);

/// Finds the first intersection of a ray with a shape.
/// @param from       m, world
/// @param direction  unit, world
/// @param most       m, >= 0: the longest distance; may be infinite
/// @param distance   written if the ray hits, m; 0 if it begins inside
/// @param normal     written if the ray hits: unit, world, the surface normal against the ray; the negated direction if
///                   the ray begins inside
/// @return whether the ray hits
ER_API bool er_shape_ray(const er_shape *shape, er_pose pose, er_vec3 from, er_vec3 direction, double most,
                         double *distance, er_vec3 *normal);

// ---- Broad phase

/// Moving boxes and the pairs of them that overlap.
typedef struct er_sweep er_sweep;

/// Two boxes that overlap.
typedef struct er_sweep_pair {
    int a, b; ///< a < b
} er_sweep_pair;

/// Creates a broad phase for a number of boxes.
/// @param count   [0, 1e8]
/// @param out     ER_OK: a new object for er_sweep_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_MEMORY
/// Memory   allocates the result.   Threads: one call per context at a time.
ER_API er_result er_sweep_create(er_context *context, int count, er_sweep **out);

/// Frees a sweep. NULL is fine.   Threads: the context's.
ER_API void er_sweep_destroy(er_sweep *sweep);

/// Finds the pairs of boxes that overlap after each is grown by half the margin on every side.
/// @param low, high   [count], m, low <= high, component by component
/// @param margin      m, >= 0
/// @param pairs       set: [pair_count], by a, then by b; borrowed until the next update
/// @param pair_count  set
/// Errors   ER_ERROR_ARGUMENT (a box that is not finite or has low > high; a negative margin: the sweep is unchanged),
///          ER_ERROR_MEMORY (the next update starts afresh)
/// Memory   allocates only if more pairs overlap than ever before.   Threads: one call per context at a time.
/// Time     linear in the boxes and in the pairs that nearly overlap, if most boxes have about the same size. A box
///          takes some 50 ns while no box has moved by more than a twentieth of its size, otherwise some 300 ns. A
///          large box costs as much as the number of cells it covers.
/// Source   a grid of rows, with a sweep along each (Baraff 1992); docs/math/collide.md.
ER_API er_result er_sweep_update(er_sweep *sweep, const er_vec3 *low, const er_vec3 *high, double margin,
                                 const er_sweep_pair **pairs, int *pair_count);

/// Finds the boxes that overlap a given one. Boxes are those of the last update, grown by half its margin.
/// @param low, high  m, low <= high, component by component; may be infinite
/// @param box        [count], written: indices, ascending
/// @return the number of boxes; 0 before the first update
/// Threads  any number at once, but not during an update.
ER_API int er_sweep_over(const er_sweep *sweep, er_vec3 low, er_vec3 high, int *box);

#ifdef __cplusplus
}
#endif
#endif
