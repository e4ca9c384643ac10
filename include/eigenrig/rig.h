/// @file
/// Makes a rig of a scene: decides which nodes are bodies, and finds their mass, joints and stiffness.
#ifndef EIGENRIG_RIG_H
#define EIGENRIG_RIG_H

#include <eigenrig/collide.h>
#include <eigenrig/model.h>
#include <eigenrig/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How a rig's roots are held.
typedef enum er_root {
    ER_ROOT_FREE, ///< roots float: six rigid modes per tree
    ER_ROOT_FIXED ///< the root of every tree is fixed to the world
} er_root;

/// The joints that bones get.
typedef enum er_joint_rule {
    ER_JOINTS_AUTO,      ///< spherical. In a BVH the number of rotation channels decides: three: spherical, two:
                         ///< universal, one: revolute, none: the bodies are welded
    ER_JOINTS_SPHERICAL, ///< all spherical
    ER_JOINTS_REVOLUTE   ///< all revolute, about the axis perpendicular to parent and child bone
} er_joint_rule;

/// A law that gives every joint one stiffness for all its rotations, and one for all its translations.
/// Uniform: k_j = k. Graded: k_j = (2 pi hz)^2 I_max^(1 - alpha) I_j^alpha, with I_max the largest I_j.
///
/// I_j is the effective inertia of joint j. With all other joints locked, joint j splits the rig into two rigid halves;
/// if the root is fixed, one of them is the world. I_j is the largest effective inertia over the free rotations of the
/// joint (for translations, the largest effective mass). A joint that closes a loop splits nothing: its I_j is that of
/// its two bodies alone.
typedef struct er_stiffness {
    bool uniform; ///< true: k is used; false: hz and alpha
    double k;     ///< N m/rad (N/m for translations), >= 0
    double hz;    ///< > 0
    double alpha; ///< 0 (uniform) to 1 (every joint alone oscillates at hz)
} er_stiffness;

/// Reads "uniform:K" or "graded:HZ[:ALPHA]". ALPHA is 0.5 by default.
/// @param text  K, HZ and ALPHA as in er_stiffness
/// @param out   written on ER_OK, untouched otherwise
/// Errors   ER_ERROR_ARGUMENT.   Memory: none.   Threads: one call per context at a time.
ER_API er_result er_stiffness_parse(er_context *context, const char *text, er_stiffness *out);

/// The equilibrium pose.
typedef enum er_pose_source {
    ER_POSE_REST, ///< the nodes as in the file, as a viewer shows them
    ER_POSE_BIND, ///< the skins' bind pose; joints without a skin keep their local rest transform
    ER_POSE_CLIP, ///< a clip at a time
    ER_POSE_GIVEN ///< local transforms of all nodes
} er_pose_source;

struct er_rig_change;

/// The parent of a bone, given by the caller. It replaces the one that was found.
typedef struct er_hang {
    const char *bone; ///< the name of a node (`node N` if it has none); refused if several bones have this name
    const char *on;   ///< the name of the parent; NULL: none, the bone is a root
    bool optional;    ///< true: skipped if there is no bone of one of these names; false: an error
} er_hang;

/// Options for er_rig_build(). Take er_default_rig_def(), then change fields.
typedef struct er_rig_def {
    er_root root;                ///< see er_root                                                       [ER_ROOT_FREE]
    er_joint_rule joints;        ///< see er_joint_rule                                                 [ER_JOINTS_AUTO]
    er_stiffness stiffness;      ///< see er_stiffness                                     [graded, 2 Hz, alpha 0.5]
    double damping_ratio;        ///< of every elastic mode, >= 0                                       [0]
    double rayleigh_mass;        ///< alpha of er_model, 1/s, >= 0                                      [0]
    double rayleigh_stiffness;   ///< beta of er_model, s, >= 0                                         [0]
    double density;              ///< kg/m^3, > 0                                                       [1000]
    double mass;                 ///< kg of the whole rig, > 0; 0: by density                           [0]
    double height;               ///< m along `up`, > 0; 0: by the file's units                         [0]
    er_pose_source pose;         ///< see er_pose_source                                                [ER_POSE_REST]
    const char *pose_clip;       ///< for ER_POSE_CLIP: a clip's name, or its index in digits           [NULL]
    double pose_time;            ///< for ER_POSE_CLIP: s, from 0 to the clip's duration                [0]
    const er_affine *pose_local; ///< for ER_POSE_GIVEN: [node_count of the scene], local transforms, file units [NULL]
    const char *skeleton;        ///< only nodes at or below the node or skin of this name              [NULL: all]
    /// One of several characters: its number in the order of the bodies, from 1, or the name of its first bone or of a
    /// node above that. The sizes and `height` stay those of the whole scene                          [NULL: all]
    const char *character;
    bool symmetrize;    ///< as er_rig_change.symmetrize, with the scene's up axis             [false]
    bool infer_parents; ///< if all bones are siblings, connect them by distance               [false]
    /// Props are carried things. They are light, and rigid with the body that carries them. If several are in one
    /// place, one has mass. "auto": meshes that are rigid on a hand, on a bone named as a socket, or beside a bone's
    /// own skin. "none": no props. Otherwise: name patterns of mesh nodes and bones, separated by commas [NULL: "auto"]
    const char *props;
    int hang_count;      ///< >= 0                                                                      [0]
    const er_hang *hang; ///< [hang_count], borrowed for the call: parents that replace those found     [NULL]
    /// Changes of single joints and bodies, and loops; borrowed for the call. Its fields stiffness, damping_ratio,
    /// rayleigh_*, mass, fix_root and symmetrize are ignored: those here apply. Its density multiplies the one here
    /// [NULL]
    const struct er_rig_change *change;
    /// A rig of the same scene, borrowed for the call. Its bone masses are reused if density, height, skeleton and
    /// parents are the same. This saves most of the time and changes no number                          [NULL]
    const struct er_rig *like;
    uint32_t tag; ///< set by er_default_rig_def(); leave alone
} er_rig_def;

/// The defaults in brackets above.
ER_API er_rig_def er_default_rig_def(void);

/// The part that a node plays in a rig.
typedef enum er_role {
    ER_ROLE_BODY,    ///< a body
    ER_ROLE_WELDED,  ///< part of the skeleton, welded to a body: it has no mass or freedom of its own
    ER_ROLE_CARRIED, ///< not part of the skeleton; moves with a node of the skeleton above it
    ER_ROLE_OUTSIDE  ///< not part of the rig, or part of a tree of bones without mass
} er_role;

/// Why a bone has its parent.
typedef enum er_evidence {
    ER_EVIDENCE_NONE,     ///< it has no parent: a root, or no bone
    ER_EVIDENCE_NODE,     ///< it is a child of the parent in the file
    ER_EVIDENCE_END,      ///< it begins at an end of the parent
    ER_EVIDENCE_SKIN,     ///< it shares more skin with the parent than with any other candidate
    ER_EVIDENCE_NEAR,     ///< its skin touches no other; the parent's skin is nearest
    ER_EVIDENCE_PLACE,    ///< it has no mass, and its head is at the parent's head
    ER_EVIDENCE_DISTANCE, ///< all bones were siblings and were connected by distance
    ER_EVIDENCE_GIVEN     ///< er_rig_def.hang
} er_evidence;

/// The parent of a bone: a joint connects their bodies, or they are one body.
typedef struct er_attachment {
    int parent;           ///< a bone; -1 for none
    er_evidence evidence; ///< why it is the parent
    double share;         ///< [0, 1], skin shared with the parent over skin shared with all bones but descendants
} er_attachment;

/// A rig, and the decisions made in reading it from a scene. Read-only; freed by er_rig_destroy(). The scene must
/// outlive it.
typedef struct er_rig {
    er_model *model;                 ///< owned
    const er_scene *scene;           ///< borrowed
    const er_role *role;             ///< [node_count of the scene]
    const int *node_body;            ///< [node_count], the body a node moves with, -1 outside
    const bool *bone;                ///< [node_count], nodes that clips must key: BODY, WELDED and joints of skins
    const int *body_node;            ///< [body_count], the node that gives a body its frame
    const er_attachment *attachment; ///< [node_count], the parents of bones
    const bool *prop;                ///< [node_count], bones and mesh nodes that are props (er_rig_def.props)
    const er_affine *world;          ///< [node_count], world transforms at equilibrium, file units
    er_pose_source pose;             ///< the equilibrium pose
    const char *pose_clip;           ///< for ER_POSE_CLIP: its name; otherwise NULL
    double metres_per_unit;          ///< m per file unit, after scaling to `height`
    double height;                   ///< m, extent of the meshes (without a mesh, of the joints) along `up`
    double extent;                   ///< m, the longest side of their box
    double total_mass;               ///< kg
    double volume;                   ///< m^3 enclosed by meshes, 0 for a rig of capsules or plates
    const char *mass_source;         ///< for people: "meshes, closed", "capsules along the bones", ...
    double bind_turn;                ///< rad, the largest turn of a joint between rest and bind pose; 0 without a skin
    double bind_shift;               ///< the largest shift of a joint between these, over `extent`; 0 without a skin
    int note_count;
    const er_note *note; ///< [note_count], assumptions and losses; those of the import are the scene's notes
    const struct er_weights *weights; ///< private
    struct er_arena *arena;           ///< private
} er_rig;

/// Makes a rig of a scene.
/// Bodies are joints of skins, their ancestors up to the common root, and animated nodes. Each gets the mass of the
/// space that its skin encloses in the rest pose; without a mesh, the mass of capsules along its bones. A bone without
/// mass is welded to its parent; a root without mass is welded to its heaviest child.
/// @param scene  validated; borrowed as long as the rig lives
/// @param def    made by er_default_rig_def(), or NULL for the defaults
/// @param out    ER_OK: a new object for er_rig_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT: def; no such clip, time, skeleton, character, bind pose or bone; parents that form a
/// cycle; a
///          given pose that is not finite; no height to rescale.
///          ER_ERROR_RIG: nothing to rig, no extent, no mass. Others as er_rig_change_model()
/// Memory   allocates the result.   Threads: one call per context at a time.
/// Source   docs/math/bodies.md, mass.md, stiffness.md; docs/theory.md 1 to 3.
ER_API er_result er_rig_build(er_context *context, const er_scene *scene, const er_rig_def *def, er_rig **out);

/// Frees a rig and its model, not the scene. NULL is fine.   Threads: the context's.
ER_API void er_rig_destroy(er_rig *rig);

/// A change of the joints whose names match a pattern. Take er_default_joint_change(), then change fields; fields left
/// alone change nothing. If two changes set the same field of a joint, the later one wins.
/// A root's free joint to the world has no springs and matches nothing.
typedef struct er_joint_change {
    const char *pattern;  ///< of joint names, as in a shell: *, ?, [a-z], \ before one of these   [NULL: `joint`]
    int joint;            ///< if `pattern` is NULL: a joint's index                                  [-1: refused]
    int type;             ///< er_joint_type; -1: unchanged. The frame stays. Coordinates that are free in both types
                          ///< keep their spring, damper and limits. New ones get no damper, no limits, and a spring by
                          ///< er_rig_change.stiffness. If that is NULL, they get the spring of the joint's other
                          ///< coordinates of the same kind, or one of the graded law (2 Hz, alpha 0.5). ER_JOINT_FREE
                          ///< only between two bodies                                                    [-1]
    double hz;            ///< > 0, at most 1e6: frequency of the joint alone, each k = (2 pi hz)^2 I_j with I_j as in
                          ///< er_stiffness; 0: unchanged                                                 [0]
    double stiffness;     ///< of each of its springs, N m/rad or N/m, >= 0, instead of hz; negative: unchanged [-1]
    double damping_ratio; ///< >= 0, of the joint alone: each damper c = 2 ratio sqrt(k I_j); negative: unchanged [-1]
    double density;       ///< factor on mass and inertia of the joint's child in the tree, > 0           [1]
    double mass;          ///< kg of that body, > 0, instead of density; inertia scales with it; 0: unchanged [0]
    er_vec3 axis;         ///< world, at equilibrium: the frame is turned the shortest way until its z has this
                          ///< direction; 0: unchanged                                                    [0]
    double spring[6];     ///< of tx ty tz x y z, N m/rad or N/m, >= 0, set after stiffness and hz; NAN: unchanged.
                          ///< In these three arrays, entries of coordinates that are not free are ignored [NAN]
    double damper[6];     ///< N m s/rad or N s/m, >= 0, set after damping_ratio; NAN: unchanged          [NAN]
    double limit[6][2];   ///< lowest and highest, rad or m; -HUGE_VAL and HUGE_VAL: none; NAN: unchanged [NAN]
    double swing;         ///< er_joint.swing, rad, >= 0; HUGE_VAL: none; NAN: unchanged                  [NAN]
    double twist[2];      ///< er_joint.twist, rad; -HUGE_VAL and HUGE_VAL: none; NAN: unchanged          [NAN]
    double pitch;         ///< of screws, m per radian; NAN: unchanged                                    [NAN]
    bool optional;        ///< true: no error if nothing matches                                          [false]
    uint32_t tag;         ///< set by er_default_joint_change(); leave alone
} er_joint_change;

/// The defaults in brackets above.
ER_API er_joint_change er_default_joint_change(void);

/// A change of the bodies whose names match a pattern. Take er_default_body_change(), then change fields; the later
/// change wins, as for joints.
typedef struct er_body_change {
    const char *pattern; ///< of body names, as in er_joint_change                          [NULL: `body`]
    int body;            ///< if `pattern` is NULL: a body's index                          [-1: refused]
    double density;      ///< factor on mass and inertia, > 0                               [1]
    double mass;         ///< kg of each, > 0, instead of density; inertia scales with it; 0: unchanged [0]
    bool optional;       ///< true: no error if nothing matches                             [false]
    uint32_t tag;        ///< set by er_default_body_change(); leave alone
} er_body_change;

/// The defaults in brackets above.
ER_API er_body_change er_default_body_change(void);

/// A new joint that closes a loop. Take er_default_loop_joint(), then change fields.
typedef struct er_loop_joint {
    const char *name;    ///< UTF-8                                                         [NULL: "CHILD to PARENT"]
    const char *parent;  ///< the name of one body                                          [NULL: the world]
    const char *child;   ///< the name of the other body                                    [NULL: refused]
    er_joint_type type;  ///< all but ER_JOINT_FREE                                         [ER_JOINT_REVOLUTE]
    const char *at_body; ///< the name of a body: the joint is at that body's frame         [NULL: at `at`]
    er_vec3 at;          ///< m, world, at equilibrium                                      [0]
    er_vec3 axis;        ///< world, at equilibrium: z of its frame; 0 is +Z                [0]
    double stiffness;    ///< of each of its springs, N m/rad or N/m, >= 0; stiffness laws do not change it [0]
    double pitch;        ///< of a screw, m per radian, not 0                               [0]
    bool optional;       ///< true: skipped if there is no body of one of these names       [false]
    uint32_t tag;        ///< set by er_default_loop_joint(); leave alone
} er_loop_joint;

/// The defaults in brackets above.
ER_API er_loop_joint er_default_loop_joint(void);

/// Two parts of names that tell left from right, such as "_L" and "_R".
typedef struct er_name_pair {
    const char *left, *right; ///< not empty, not equal
} er_name_pair;

/// What `er_rig_change.symmetrize` changes of a body or a joint.
typedef enum er_symmetry_kind {
    ER_SYMMETRY_MASS,      ///< of a body
    ER_SYMMETRY_PLACE,     ///< a body's centre of mass
    ER_SYMMETRY_INERTIA,   ///< of a body
    ER_SYMMETRY_JOINT,     ///< a joint's place
    ER_SYMMETRY_AXES,      ///< a joint's axes
    ER_SYMMETRY_STIFFNESS, ///< a joint's springs, of twins together
} er_symmetry_kind;

/// One of these changes.
typedef struct er_symmetry_move {
    er_symmetry_kind kind;
    int index; ///< of the body or joint
    double by; ///< m for places, rad for axes; otherwise relative, 0 to 1
} er_symmetry_move;

enum { ER_SYMMETRY_MOVES = 8 };

/// How much `er_rig_change.symmetrize` changed.
typedef struct er_symmetry {
    int pairs;                                ///< of bodies that are twins
    int middle;                               ///< bodies that are their own mirror image
    int unpaired;                             ///< bodies without twin, which stay as they are
    int moved;                                ///< changes by more than 1e-9 (places: over the size)
    int count;                                ///< of them in `move`
    er_symmetry_move move[ER_SYMMETRY_MOVES]; ///< [count], the largest; places count over er_model.size
} er_symmetry;

/// The changes in words: how many bodies were paired, and the largest changes, each with its body or joint.
/// @param model  one of the same bodies and joints
/// @param out    written, UTF-8, cut where it is full
ER_API void er_symmetry_tell(const er_model *model, const er_symmetry *symmetry, char *out, size_t size);

/// Changes of any rig, also one read from a rig file.
/// Take er_default_rig_change(), then change fields; fields left alone change nothing. Changes are made in this order:
/// masses, types and axes of joints, loops, roots, springs, dampers, symmetry, factors of stiffness. Each starts from
/// the result of the ones before. The mass of the whole rig scales the bodies whose own mass is not given.
typedef struct er_rig_change {
    const er_stiffness *stiffness; ///< a law for all joints; borrowed for the call   [NULL: unchanged]
    double damping_ratio;          ///< >= 0; negative: unchanged                     [-1]
    double rayleigh_mass;          ///< 1/s, >= 0; negative: unchanged                [-1]
    double rayleigh_stiffness;     ///< s, >= 0; negative: unchanged                  [-1]
    double density;                ///< factor on all masses and inertias, > 0        [1]
    double mass;                   ///< kg of the whole rig, > 0; 0: unchanged        [0]
    bool fix_root;                 ///< fix every floating root to the world          [false]
    int joint_count;               ///< >= 0                                          [0]
    const er_joint_change *joint;  ///< [joint_count], borrowed for the call          [NULL]
    int body_count;                ///< >= 0; applied after `joint`                   [0]
    const er_body_change *body;    ///< [body_count], borrowed for the call           [NULL]
    int loop_count;                ///< >= 0                                          [0]
    const er_loop_joint *loop;     ///< [loop_count], borrowed for the call           [NULL]
    int pair_count;                ///< >= 0                                          [0]
    /// [pair_count], borrowed for the call. Two names are twins if replacing the first `left` in one by `right` gives
    /// the other. A change also applies to the twins of the joints and bodies that match. Its axis is mirrored in the
    /// plane between the two joints, as an axis of rotation, so limits mean the same on both sides [NULL]
    const er_name_pair *pair;
    /// Make twins (er_mirror_find()) each other's mirror images, each the mean of both: masses, centres of mass,
    /// inertias, places and axes of joints, springs, dampers. Bodies in the middle become their own image. Frames of
    /// bodies and limits stay, and so do bodies without twin                                [false]
    bool symmetrize;
    er_vec3 up;            ///< the up axis for `symmetrize`, of any length; zero: y. er_rig_create() takes the scene's
    er_symmetry *symmetry; ///< written if `symmetrize` succeeds                          [NULL]
    int factor_count;      ///< 0, or the number of joints of the changed model           [0]
    const double *factor;  ///< [factor_count], > 0: of the stiffness of each joint, as er_tuning.factor; borrowed for
                           ///< the call                                                  [NULL]
    uint32_t tag;          ///< set by er_default_rig_change(); leave alone
} er_rig_change;

/// The defaults in brackets above.
ER_API er_rig_change er_default_rig_change(void);

/// A changed copy of a model. Bodies and joints keep their indices; new joints come last.
/// @param change  made by er_default_rig_change()
/// @param out     ER_OK: a new object for er_model_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT: a value; a pattern that matches nothing, unless optional; a joint to the world made
///          free; a name of no body, or of several; another number of factors; the message names them.
///          ER_ERROR_RIG (as er_model_create(); to symmetrize: half of the mass or of the joints has no twin, or there
///          are too many bodies), ER_ERROR_MEMORY, and as er_stiffness_apply()
/// Memory   allocates the result.   Threads: one call per context at a time.
ER_API er_result er_rig_change_model(er_context *context, const er_model *model, const er_rig_change *change,
                                     er_model **out);

/// Finds the joints, or bodies, to which one entry of a change applies, twins included.
/// @param model  before the change; in the changed model patterns also match joints that the change added or fixed
/// @param which  0 to change->joint_count - 1, or body_count - 1
/// @param out    [joint_count], or [body_count] of the model, written
/// Errors   ER_ERROR_ARGUMENT (no such entry, or one not made by its default; an invalid pair), ER_ERROR_MEMORY
/// Memory   scratch.   Threads: one call per context at a time.
ER_API er_result er_joint_change_find(er_context *context, const er_model *model, const er_rig_change *change,
                                      int which, bool *out);
ER_API er_result er_body_change_find(er_context *context, const er_model *model, const er_rig_change *change, int which,
                                     bool *out);

/// The stiffness that a law gives each free coordinate.
/// @param stiffness  [coordinate_count], written; 0 for a free joint to the world, which has no springs
/// Errors   ER_ERROR_ARGUMENT (the law too), ER_ERROR_NOT_POSDEF or ER_ERROR_NO_CONVERGENCE (inertias too far apart in
///          size for doubles), ER_ERROR_MEMORY
/// Memory   scratch.   Threads: one call per context at a time.
/// Source   docs/math/stiffness.md.
ER_API er_result er_stiffness_apply(er_context *context, const er_model *model, const er_stiffness *law,
                                    double *stiffness);

/// Where bones begin and end, at equilibrium: world, m. Read-only; freed by er_bones_destroy().
typedef struct er_bones {
    const er_vec3 *head; ///< [body_count], the joint to the parent; without one, the body's frame
    const er_vec3 *tip;  ///< [body_count], the mean of its ends; if that is its head, as if it had no children
    const int *start;    ///< [body_count + 1], body b's ends are end[start[b]] to end[start[b + 1] - 1]: one at least
    const er_vec3 *end;  ///< [start[body_count]], the joints to children, except those at the head. If there are none:
                         ///< joints that close loops. If there are none: a point twice as far as its centre of mass, or
                         ///< a little further on from its parent
    struct er_arena *arena; ///< private
} er_bones;

/// Finds where bones begin and end.
/// @param out  ER_OK: a new object for er_bones_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_MEMORY
/// Memory   allocates the result.   Threads: one call per context at a time.
ER_API er_result er_bones_create(er_context *context, const er_model *model, er_bones **out);

/// Frees bones. NULL is fine.   Threads: the context's.
ER_API void er_bones_destroy(er_bones *bones);

/// A shape fixed to a body.
typedef struct er_body_shape {
    int body;
    er_shape shape;
    er_pose pose; ///< of the shape's frame in the body's
} er_body_shape;

/// Collision shapes of a rig's bodies. Read-only; freed by er_rig_shapes_destroy().
typedef struct er_rig_shapes {
    int count;
    const er_body_shape *shape; ///< [count], by body, its props last; a body has none, one or several. Owns their hulls
    int pair_count;
    const er_body_pair *pair; ///< [pair_count], the lesser body first, ascending: pairs that must not collide, because
                              ///< their shapes overlap at equilibrium although no joint connects them
    struct er_arena *arena;   ///< private
} er_rig_shapes;

/// Fits collision shapes to the skin at equilibrium.
/// - Each vertex belongs to the body with the largest weight on it. A body gets a shape around its vertices: a capsule
///   (or sphere) if its volume is at most 1.4 times that of their hull, otherwise a hull of at most 64 of them.
/// - Shapes are at least 1/200 of the rig's size thick. Each prop has its own shape. A body without vertices has none.
/// - In a rig without a mesh, or without a scene, bodies get capsules along their bones. Their thickness gives them the
///   body's mass at the density of water.
/// @param rig  the rig of `model`, or of the model that it is a changed copy of; NULL: the model has no scene
/// @param out  ER_OK: a new object for er_rig_shapes_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_MEMORY
/// Memory   allocates the result.   Threads: one call per context at a time. Deterministic.
ER_API er_result er_rig_shapes_create(er_context *context, const er_model *model, const er_rig *rig,
                                      er_rig_shapes **out);

/// Frees shapes. NULL is fine.   Threads: the context's.
ER_API void er_rig_shapes_destroy(er_rig_shapes *shapes);

/// The height of the lowest point of shapes.
/// @param pose  [body_count], world poses of the body frames
/// @param up    world, unit
/// @return m, along `up`; 0 without shapes
ER_API double er_rig_shapes_lowest(const er_rig_shapes *shapes, const er_pose *pose, er_vec3 up);

/// Makes a scene that draws a rig without a mesh: an octahedron from every bone's head to each of its ends (er_bones).
/// With a rig, the scene has the nodes and clips of the rig's scene. A glTF source keeps its format, so er_gltf_write()
/// adds the bones to it. Other formats become ER_FORMAT_OTHER and are written whole. A model alone becomes a scene with
/// one node per body, in metres.
/// @param model      borrowed as long as the result lives, because names point into it
/// @param rig        the rig of `model`, or NULL; its scene is borrowed as long as the result lives
/// @param node_body  NULL, or written: [node_count] bodies of the new scene, owned by it; NULL on failure
/// @param out        ER_OK: a new object for er_scene_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_MEMORY
/// Memory   allocates the result.   Threads: one call per context at a time.
ER_API er_result er_rig_bone_scene(er_context *context, const er_model *model, const er_rig *rig, er_scene **out,
                                   const int **node_body);

/// The most bodies that er_mirror_find() takes: its time grows with their square.
enum { ER_MIRROR_MAX_BODIES = 2000 };

/// Finds the mirror of a rig. Twins are paired by the names of their bones (left, right, .L, .R, links, rechts ...), by
/// a humanoid map, by limbs that are made alike, or by their places. The plane lies across hips and shoulders if there
/// are pairs; otherwise it is the upright plane of best symmetry.
/// @param rig  the rig from which the model was built, for names and the up axis; NULL: names of the bodies alone
/// @param up   model's axes, of any length; zero: as the scene says, or y
/// @param out  ER_OK: a new object for er_mirror_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT (a rig with another number of bodies), ER_ERROR_RIG (too many bodies), ER_ERROR_MEMORY
/// Memory   allocates the result.   Threads: one call per context at a time.   Source: docs/math/identity.md.
ER_API er_result er_mirror_find(er_context *context, const er_model *model, const er_rig *rig, er_vec3 up,
                                er_mirror **out);

#ifdef __cplusplus
}
#endif
#endif
