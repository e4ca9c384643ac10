/// @file
/// Bacin's set of files as plain arrays, before it becomes a model. Private to formats.
///
/// Source: Bacin, Animacao Dinamica de Corpos Rigidos Articulados, Unicamp 1999, appendix A.
#ifndef ERI_FORMATS_BACIN_BACIN_SET_H
#define ERI_FORMATS_BACIN_BACIN_SET_H

#include <eigenrig/dynamics.h>

#include "formats/bacin/bacin_text.h"

#define ERI_BACIN_DATE "95-01-09"

/// A body at the state the set begins in.
typedef struct eri_bacin_body {
    const char *name;
    double mass;           ///< kg
    er_vec3 moments;       ///< kg m^2, about its axes through the centre of mass, which is its origin
    int vertex_count;      ///< 0 for a body without a shape
    const er_vec3 *vertex; ///< [vertex_count], m
    int triangle_count;    ///<
    const int *triangle;   ///< [3 triangle_count]
    const char *path;      ///< of its shape, and the line that counts the faces: for messages
    int line;
    er_pose pose;            ///< unit
    er_vec3 velocity, omega; ///< m/s, rad/s: world axes
} eri_bacin_body;

/// All files of a set.
typedef struct eri_bacin_set {
    er_arena *arena;  ///< owns all that the set points to; borrowed
    const char *path; ///< of the configuration file
    const char *stem; ///< its name without folder and ending: that of the files beside it
    double duration;  ///< s, > 0
    int frame_count;  ///< >= 1
    double tolerance, min_step, max_step;
    bool collisions, gravity, correct_drift;
    double time;           ///< s
    int body_count;        ///< >= 1
    eri_bacin_body *body;  ///< [body_count]
    eri_bacin_names names; ///< of the bodies, and the world
    int joint_count;
    er_joint *joint; ///< [joint_count], with closes_loop; frames where the bodies stand
    int force_count;
    er_force *force; ///< [force_count]
} eri_bacin_set;

/// The word for space in place of a body's name, and its index.
#define ERI_BACIN_WORLD "World"
enum { ERI_BACIN_WORLD_INDEX = -1 };

/// Opens a file that the set names, from the folder of the configuration file on.   @param flags  ER_REFERENCE_*
er_result eri_bacin_open(const eri_bacin_set *set, const char *name, unsigned flags, eri_bacin_text *out);

/// Puts the place that names a file before the message of its failure.   @param line  0 for none   @return failure
er_result eri_bacin_prefix_failure(const eri_bacin_set *set, const char *path, int line, er_result failure);

/// Opens the set's own file with an ending.   @param missing  set where it is not there; NULL: that is an error
er_result eri_bacin_open_beside(const eri_bacin_set *set, const char *ending, bool *missing, eri_bacin_text *out);

/// Each reads one file; call them in this order.
er_result eri_bacin_read_animation(eri_bacin_set *set);
er_result eri_bacin_read_bodies(eri_bacin_set *set);
er_result eri_bacin_read_state(eri_bacin_set *set);
er_result eri_bacin_read_joints(eri_bacin_set *set);
er_result eri_bacin_read_forces(eri_bacin_set *set);

/// A body's name; "World" is -1 where no body has it.
er_result eri_bacin_body_named(eri_bacin_text *text, const eri_bacin_set *set, int *out);

/// The pose of a body, and the twist in world axes of what moves with it at a point of the world.
er_pose eri_bacin_pose(const eri_bacin_set *set, int body);
er_twist eri_bacin_motion(const eri_bacin_set *set, int body, er_vec3 at);

#endif
