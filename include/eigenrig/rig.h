/// @file
/// From a scene to a rig: which nodes are bodies, what they weigh, how they are joined, and how stiffly.
#ifndef EIGENRIG_RIG_H
#define EIGENRIG_RIG_H

#include <eigenrig/model.h>
#include <eigenrig/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How a rig's root meets the world.
typedef enum er_root {
    ER_ROOT_FREE, ///< it floats: six rigid modes a tree
    ER_ROOT_FIXED ///< it is held, that of every tree
} er_root;

/// Which joints bones get.
typedef enum er_joint_rule {
    ER_JOINTS_AUTO,      ///< spherical; in a BVH the rotation channels decide: three spherical, two universal, one
                         ///< revolute, none welds
    ER_JOINTS_SPHERICAL, ///< all spherical
    ER_JOINTS_REVOLUTE   ///< all revolute, about the axis across parent and child bone
} er_joint_rule;

/// A law that gives every joint one stiffness for all its rotations (and one for all its shifts).
/// Lock all joints but j, so that it parts the rig into two rigid halves (one is the world when the root is fixed), and
/// let I_j be the largest effective inertia about it, over its free rotations (effective mass, over its free shifts).
/// Graded: k_j = (2 pi hz)^2 I_max^(1 - alpha) I_j^alpha, I_max the largest I_j. Uniform: k_j = k.
/// A loop-closing joint parts nothing: its I_j is that of its two bodies alone.
typedef struct er_stiffness {
    bool uniform; ///< true: k counts; false: hz and alpha count
    double k;     ///< N m/rad (N/m for shifts), >= 0
    double hz;    ///< > 0
    double alpha; ///< 0 (uniform) to 1 (every joint alone swings at hz)
} er_stiffness;

/// Reads "uniform:K" or "graded:HZ[:ALPHA]" (ALPHA 0.5 when left out).
/// @param text  K as in er_stiffness.k, HZ as in hz, ALPHA as in alpha
/// @param out   written on ER_OK, untouched otherwise
/// Errors   ER_ERROR_ARGUMENT.   Memory: none.   Threads: one call per context at a time.
ER_API er_result er_stiffness_parse(er_context *context, const char *text, er_stiffness *out);

/// The equilibrium pose.
typedef enum er_pose_source {
    ER_POSE_REST, ///< the nodes as the file has them: what a viewer shows
    ER_POSE_BIND, ///< the skins' bind pose, joints without a skin keeping their local rest transform
    ER_POSE_CLIP, ///< a clip at a time
    ER_POSE_GIVEN ///< local transforms of all nodes
} er_pose_source;

/// Options for er_rig_build(). Take er_default_rig_def(), then change fields.
typedef struct er_rig_def {
    er_root root;                ///< see er_root                                                       [ER_ROOT_FREE]
    er_joint_rule joints;        ///< see er_joint_rule                                                 [ER_JOINTS_AUTO]
    er_stiffness stiffness;      ///< see er_stiffness                                     [graded, 2 Hz, alpha 0.5]
    double damping_ratio;        ///< of every elastic mode, >= 0                                       [0]
    double rayleigh_mass;        ///< alpha of er_model, 1/s, >= 0                                      [0]
    double rayleigh_stiffness;   ///< beta of er_model, s, >= 0                                         [0]
    double density;              ///< kg/m^3, > 0                                                       [1000]
    double mass;                 ///< kg of the whole rig, > 0 scales what density gives; 0 leaves it   [0]
    double height;               ///< m along `up`, > 0 rescales the rig; 0 leaves it                   [0]
    er_pose_source pose;         ///< see er_pose_source                                                [ER_POSE_REST]
    const char *pose_clip;       ///< for ER_POSE_CLIP: a clip's name, or its index in digits           [NULL]
    double pose_time;            ///< for ER_POSE_CLIP: seconds, from 0 to the clip's duration          [0]
    const er_affine *pose_local; ///< for ER_POSE_GIVEN: [node_count of the scene], local transforms, file units [NULL]
    const char *skeleton;        ///< only the nodes of this name, or of the skin of this name, and below [NULL: all]
    bool infer_parents;          ///< join bones that are all siblings by distance                      [false]
    uint32_t tag;                ///< set by er_default_rig_def(); leave alone
} er_rig_def;

/// The defaults in brackets above.   Errors none.   Threads: any.
ER_API er_rig_def er_default_rig_def(void);

/// What became of a node.
typedef enum er_fate {
    ER_FATE_BODY,    ///< it is a body
    ER_FATE_WELDED,  ///< part of the skeleton, but without mass or freedom of its own: it is one with a body
    ER_FATE_CARRIED, ///< not part of the skeleton, but below a node that is: it goes along
    ER_FATE_OUTSIDE  ///< no part of the rig, or of a tree of bones that weighs nothing
} er_fate;

/// A rig and how it was read off a scene. Read-only; freed by er_rig_destroy(). The scene must outlive it.
typedef struct er_rig {
    er_model *model;       ///< owned
    const er_scene *scene; ///< borrowed
    const er_fate *fate;   ///< [node_count of the scene]
    const int *node_body;  ///< [node_count], the body a node moves with, -1 outside
    const bool *bone;     ///< [node_count], its fate is BODY or WELDED, or it is a joint of a skin: what clips must key
    const int *body_node; ///< [body_count], the node whose frame a body has
    const er_affine *world;  ///< [node_count], world transforms at equilibrium, file units
    double metres_per_unit;  ///< after `height`
    double height;           ///< m, extent of meshes (of joints, where there is no mesh) along `up`
    double extent;           ///< m, the largest side of their box
    double total_mass;       ///< kg
    double volume;           ///< m^3 that meshes gave, 0 for a rig of capsules or plates
    const char *mass_source; ///< for people: "meshes, closed", "capsules along the bones", ...
    double bind_turn;        ///< rad, the largest turn between rest and bind pose over joints; 0 without a skin
    double bind_shift;       ///< the largest shift between them, relative to `extent`; 0 without a skin
    int note_count;
    const er_note *note;    ///< [note_count], assumptions and losses; the import's own are the scene's notes
    struct er_arena *arena; ///< private
} er_rig;

/// Makes a rig of a scene.
/// Bodies: joints of skins, their ancestors up to the common root, animated nodes. Each gets the mass of the space that
/// its skin encloses at the rest pose; capsules along the bones where there is no mesh. Those left without mass are
/// welded to their parent, a root to its heaviest child.
/// @param scene  validated; borrowed as long as the rig lives
/// @param def    made by er_default_rig_def(), or NULL for the defaults
/// @param out    ER_OK: a new object for er_rig_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT (def; no such clip, time, skeleton or bind pose; a given pose that is not finite;
///          no height to rescale), ER_ERROR_RIG
///          (nothing to rig, no extent, no mass), ER_ERROR_MEMORY, and as er_stiffness_apply()
/// Memory   allocates the result.   Threads: one call per context at a time.
/// Source   docs/math/mass.md, docs/math/stiffness.md; docs/theory.md 1 to 3.
ER_API er_result er_rig_build(er_context *context, const er_scene *scene, const er_rig_def *def, er_rig **out);

/// Frees a rig and its model, not the scene. NULL is fine.   Threads: the context's.
ER_API void er_rig_destroy(er_rig *rig);

/// Whether a name matches a pattern: * stands for any bytes, ? for one character, all else for itself.
/// @param pattern,name  UTF-8
/// Errors none.   Memory none.   Threads: any.
ER_API bool er_name_matches(const char *pattern, const char *name);

/// A change of some joints and of the bodies below them (their children). Take er_default_joint_change(), then change
/// fields; what is left alone stays as the model has it.
/// A type keeps the frame, and what the joint has along coordinates that stay free; others get its largest stiffness
/// and damping of the kind (rotations, shifts), no limits. Arrays are as er_joint's: one value holds for all free
/// coordinates, else there is one each.
typedef struct er_joint_change {
    const char *pattern;  ///< er_name_matches() of joint names                                       [NULL: none]
    int joint;            ///< one joint by its index, in place of a pattern                          [-1]
    int type;             ///< er_joint_type; ER_JOINT_FIXED welds                                    [-1: stays]
    er_vec3 axis;         ///< world, at equilibrium: the frame turns the shortest way so that z is on it  [0: stays]
    double hz;            ///< > 0: stiffness at which the joint alone (er_stiffness with alpha 1) swings  [0: stays]
    int stiffness_count;  ///< values below                                                           [0: stays]
    double stiffness[6];  ///< N m/rad, N/m, >= 0; wins over hz
    double damping_ratio; ///< >= 0: dampers of which the joint alone has this ratio: 2 zeta sqrt(k I_j)   [-1: stays]
    int damping_count;    ///< values below                                                           [0: stays]
    double damping[6];    ///< N m s/rad, N s/m, >= 0; wins over damping_ratio
    double limit[6][2];   ///< lowest and highest of tx ty tz x y z, rad or m, -HUGE_VAL and HUGE_VAL for none; those of
                          ///< coordinates that are not free are not read                             [NAN: stays]
    double density;       ///< > 0: factor on mass and inertia of the bodies below                    [1]
    double mass;          ///< kg, > 0: of each body below, its inertia in proportion                 [0: stays]
    uint32_t tag;         ///< set by er_default_joint_change(); leave alone
} er_joint_change;

/// The defaults in brackets above.   Errors none.   Threads: any.
ER_API er_joint_change er_default_joint_change(void);

/// A change of some bodies, roots too, which no joint is above of. Take er_default_body_change(), then change fields.
typedef struct er_body_change {
    const char *pattern; ///< er_name_matches() of body names                      [NULL: none]
    int body;            ///< one body by its index, in place of a pattern         [-1]
    double density;      ///< > 0: factor on mass and inertia                      [1]
    double mass;         ///< kg, > 0: of each, its inertia in proportion; wins over density   [0: stays]
    uint32_t tag;        ///< set by er_default_body_change(); leave alone
} er_body_change;

/// The defaults in brackets above.   Errors none.   Threads: any.
ER_API er_body_change er_default_body_change(void);

/// A joint that closes a loop. Its frame is at the point, its z on the axis.
typedef struct er_loop_joint {
    const char *name;    ///< UTF-8; NULL: "CHILD to PARENT"
    const char *parent;  ///< a body's name; NULL: the world
    const char *child;   ///< a body's name
    er_joint_type type;  ///< not ER_JOINT_FREE
    const char *at_body; ///< where: the frame of the body of this name; NULL: at `at`
    er_vec3 at;          ///< m, world, at equilibrium
    er_vec3 axis;        ///< world, at equilibrium; 0: +Z
    double stiffness;    ///< of every free coordinate, >= 0; no law changes it
} er_loop_joint;

/// Two endings, beginnings or middles of names that tell twins apart: "_L" and "_R".
typedef struct er_name_pair {
    const char *left, *right; ///< not empty, not equal
} er_name_pair;

/// Changes that can be made to any rig, one read from a rig file too.
/// Take er_default_rig_change(), then change fields; what is left alone stays as the model has it.
///
/// In order: densities, masses of bodies, then `mass`, which scales the bodies whose own mass was not named; types and
/// axes; loops; the root; the law; then stiffness, damping and limits of joints. Where several changes speak of one
/// thing the last one counts.
typedef struct er_rig_change {
    const er_stiffness *stiffness; ///< a law for all joints; borrowed for the call   [NULL: stays]
    double damping_ratio;          ///< >= 0; negative stays                          [-1]
    double rayleigh_mass;          ///< 1/s, >= 0; negative stays                     [-1]
    double rayleigh_stiffness;     ///< s, >= 0; negative stays                       [-1]
    double mass;                   ///< kg of the whole rig, > 0; 0 stays             [0]
    bool fix_root;                 ///< hold every root that floats                   [false]
    int joint_count;               ///< these, borrowed for the call                  [0]
    const er_joint_change *joint;  ///< [joint_count]                                 [NULL]
    int body_count;                ///< these, borrowed likewise; they count after what joints say of bodies   [0]
    const er_body_change *body;    ///< [body_count]                                  [NULL]
    int loop_count;                ///< joints to be added                            [0]
    const er_loop_joint *loop;     ///< [loop_count], borrowed likewise               [NULL]
    int pair_count;                ///< a change of a joint or a body is one of its twin too   [0]
    /// [pair_count], borrowed likewise. A twin is named alike but for the first `left` in its name, which is
    /// `right`, or the other way round. A joint that matches by its twin's name alone has the axis mirrored in the
    /// plane between the two, as a rotation is, so that limits mean the same on both sides   [NULL]
    const er_name_pair *pair;
    uint32_t tag; ///< set by er_default_rig_change(); leave alone
} er_rig_change;

/// The defaults in brackets above.   Errors none.   Threads: any.
ER_API er_rig_change er_default_rig_change(void);

/// A changed copy of a model. Bodies, and the joints it had, keep their indices.
/// @param out  ER_OK: a new object for er_model_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT (a pattern that no joint matches, a body that is not there or not the only one of its
/// name,
///          values: named), ER_ERROR_RIG (as er_model_create()), ER_ERROR_MEMORY, and as er_stiffness_apply()
/// Memory   allocates the result.   Threads: one call per context at a time.
ER_API er_result er_rig_change_model(er_context *context, const er_model *model, const er_rig_change *change,
                                     er_model **out);

/// The stiffness that a law gives each free coordinate.
/// @param stiffness  [coordinate_count], written; a free joint to the world, which is no spring, gets 0
/// Errors   ER_ERROR_ARGUMENT (the law too), ER_ERROR_NOT_POSDEF or ER_ERROR_NO_CONVERGENCE (inertias too far apart in
///          size for doubles), ER_ERROR_MEMORY
/// Memory   scratch.   Threads: one call per context at a time.
/// Source   docs/math/stiffness.md.
ER_API er_result er_stiffness_apply(er_context *context, const er_model *model, const er_stiffness *law,
                                    double *stiffness);

/// A scene to draw a rig that has no mesh: an octahedron along every bone.
/// A rig of a scene keeps that scene's nodes and clips, as ER_FORMAT_OTHER, so that er_gltf_write() writes it whole; a
/// model alone becomes a scene of its own, one node a body, metres.
/// @param model      borrowed as long as the result lives: names are its own
/// @param rig        NULL, or the rig whose model it is; its scene too is borrowed as long as the result lives
/// @param node_body  NULL, or written: the new scene's [node_count] bodies, owned by it; NULL on failure
/// @param out        ER_OK: a new object for er_scene_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_MEMORY
/// Memory   allocates the result.   Threads: one call per context at a time.
ER_API er_result er_rig_bone_scene(er_context *context, const er_model *model, const er_rig *rig, er_scene **out,
                                   const int **node_body);

#ifdef __cplusplus
}
#endif
#endif
