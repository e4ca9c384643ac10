/// @file
/// Worlds in files: a rig with shapes, forces, motors, the initial state, duration and accuracy. Our own format is one
/// JSON file. Sets of text files of Bacin's simulator are read and written too (docs/formats.md).
#ifndef EIGENRIG_WORLDS_H
#define EIGENRIG_WORLDS_H

#include <eigenrig/collide.h>
#include <eigenrig/dynamics.h>
#include <eigenrig/model.h>
#include <eigenrig/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A solid of a body: a closed surface of triangles with its convex hull, or a sphere, capsule, cylinder, box or plane.
typedef struct er_solid {
    const char *name;      ///< UTF-8, "" if there is none
    int body;              ///< the body that carries it, -1 for the world
    er_pose pose;          ///< of the solid's frame in the body's frame, or in the world
    double restitution;    ///< [0, 1]; 1: no energy is lost
    double friction;       ///< coefficient, >= 0
    double rolling;        ///< m, >= 0: as in er_world_shape
    double spinning;       ///< m, >= 0: as in er_world_shape
    er_vec3 grain;         ///< as in er_world_shape
    double grain_friction; ///< >= 0: as in er_world_shape
    er_twist surface;      ///< as in er_world_shape
    uint32_t groups;       ///< as in er_world_shape
    uint32_t ignores;      ///< as in er_world_shape
    er_shape shape;        ///< for a HULL only `kind` is set; the fields below have the rest. Never a MESH
    int vertex_count;      ///< >= 4 for a HULL, otherwise 0
    const er_vec3 *vertex; ///< [vertex_count], m, the solid's frame
    int triangle_count;    ///< >= 4 for a HULL, otherwise 0
    const int *triangle;   ///< [3 triangle_count], all counter-clockwise as seen from outside, or all as from inside
    const er_hull *hull;   ///< owned; NULL if solids do not collide, and for other kinds. Writers ignore it
} er_solid;

/// A world as a file describes it. Read-only; made by er_world_file_read(), freed by er_world_file_destroy().
typedef struct er_world_file {
    const char *name;       ///< UTF-8, "" if there is none
    const er_model *model;  ///< owned
    er_world_def def;       ///< for er_world_create(); its functions are NULL, its shapes are the solids if they
                            ///< collide. For a Bacin set `contact`, `apart`, most_impacts and impact_tolerance are the
                            ///< defaults
    double time;            ///< s, of the initial state
    const er_pose *pose;    ///< [body_count], initial world poses of body frames; for er_world_set_state()
    const er_twist *twist;  ///< [body_count], initial, body axes, of the frame's origin
    double duration;        ///< s, > 0
    int frame_count;        ///< >= 1: frame k is at time + k duration / frame_count, 0 <= k <= frame_count
    int solid_count;        ///< >= 0
    const er_solid *solid;  ///< [solid_count]
    bool collide;           ///< solids collide
    int note_count;         ///< >= 0
    const er_note *note;    ///< [note_count], misspelled keys of the rig, as in er_rig_file_read()
    struct er_arena *arena; ///< private
} er_world_file;

/// Whether a file should be read as a world: its name ends in .cfg, or it is a regular file of JSON that names the
/// format.
/// Errors   none, but the context's message may change.   Memory: scratch.   Threads: one call per context at a time.
ER_API bool er_file_is_world(er_context *context, const char *path);

/// Reads a world: a Bacin set if the path ends in .cfg, otherwise JSON. er_file_open_reference() opens the files of a
/// set.
///
/// For a Bacin set:
///   - the initial state becomes the equilibrium of the model, so joints have the places of that state;
///   - Euler parameters are normalised;
///   - bodies that share three points or more, not in one line, are joined by one fixed joint;
///   - gravity is 9.81 m/s^2 along -z, restitution is 1.
/// @param path  "-" reads JSON from standard input
/// @param out   ER_OK: a new object for er_world_file_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_FILE (one of the files cannot be read), ER_ERROR_FORMAT (names the file and the
///          line, or the place in JSON), ER_ERROR_RIG (as er_model_create()), ER_ERROR_MEMORY
/// Memory   allocates the result.   Threads: one call per context at a time.
/// Source   Bacin, Animacao Dinamica de Corpos Rigidos Articulados, Unicamp 1999, appendix A.
ER_API er_result er_world_file_read(er_context *context, const char *path, er_world_file **out);

/// Frees a world file. NULL is fine.   Threads: the context's.
ER_API void er_world_file_destroy(er_world_file *file);

/// Writes a world: a Bacin set if the path ends in .cfg, otherwise JSON. JSON reads back to the bit, a set to rounding.
/// The files of a set are written beside it: STEM.bds, .ste, .ctr, .for, and a STEM-K.shp for each body. They never
/// replace files that belong to something else.
/// @param file  the functions of its def are ignored, and for a set `contact` too
/// @param path  "-" writes JSON to standard output; written whole or not at all; an existing file is replaced
/// Errors   ER_ERROR_ARGUMENT (a number that is not finite, a name that is not UTF-8; for a set, something that it
///          cannot express, which the message names), ER_ERROR_FILE (cannot be written; another file in the way),
///          ER_ERROR_MEMORY
/// Memory   scratch.   Threads: one call per context at a time.
ER_API er_result er_world_file_write(er_context *context, const er_world_file *file, const char *path);

/// The up axis of a world: unit, against gravity; z without gravity.   Threads: any.
ER_API er_vec3 er_world_file_up(const er_world_file *file);

/// Makes a scene that draws a world, in metres, at equilibrium: node i is body model->order[i], for i < body_count; the
/// others are one per solid, below the node of its body. Bodies
/// without solids are drawn as bones, as in er_rig_bone_scene(). Up is er_world_file_up().
/// A plane is drawn as a square, twice as wide to each side as the box around all other solids.
/// @param file       borrowed as long as the result lives, because names point into it
/// @param node_body  NULL, or written: [node_count], owned by the scene: the body that a node moves with; -1 for solids
///                   of the world, and of bodies that are held or fixed to the world. NULL on failure
/// @param out        ER_OK: a new object for er_scene_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_MEMORY
/// Memory   allocates the result.   Threads: one call per context at a time.
ER_API er_result er_world_file_scene(er_context *context, const er_world_file *file, er_scene **out,
                                     const int **node_body);

/// Writes the triangles of all solids as a Bacin .sur file. Vertices are numbered as in er_world_file_write_frame().
/// @param path  "-" writes to standard output; written whole or not at all; an existing file is replaced
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_FILE, ER_ERROR_MEMORY
/// Memory   scratch.   Threads: one call per context at a time.   Source: Bacin 1999, A.2.1.
ER_API er_result er_world_file_write_surface(er_context *context, const er_world_file *file, const char *path);

/// Writes the vertices of all solids and their velocities at one time as a Bacin frame; his simulator names these files
/// STEM<number>.ste.
/// @param pose   [body_count], world poses, as er_world_pose()
/// @param twist  [body_count], as er_world_twist()
/// @param path   "-" writes to standard output; written whole or not at all; an existing file is replaced
/// Errors   ER_ERROR_ARGUMENT (NULL, or a number that is not finite), ER_ERROR_FILE, ER_ERROR_MEMORY
/// Memory   scratch.   Threads: one call per context at a time.   Source: Bacin 1999, A.2.2.
ER_API er_result er_world_file_write_frame(er_context *context, const er_world_file *file, double time,
                                           const er_pose *pose, const er_twist *twist, const char *path);

#ifdef __cplusplus
}
#endif
#endif
