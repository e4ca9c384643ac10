/// @file
/// From a scene to a rig: which nodes are bodies, what they weigh, how they are joined, and how stiffly.
#ifndef EIGENRIG_RIG_H
#define EIGENRIG_RIG_H

#include <eigenrig/collide.h>
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

struct er_rig_change;

/// What a bone hangs on, because somebody says so. Names are those of nodes (`node N` for one without), of one bone
/// each.
typedef struct er_hang {
    const char *bone;
    const char *on; ///< NULL: on none, it is a root
    bool optional;  ///< it is left out where one of the names is no bone's
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
    double mass;                 ///< kg of the whole rig, > 0 scales what density gives; 0 leaves it   [0]
    double height;               ///< m along `up`, > 0 rescales the rig; 0 leaves it                   [0]
    er_pose_source pose;         ///< see er_pose_source                                                [ER_POSE_REST]
    const char *pose_clip;       ///< for ER_POSE_CLIP: a clip's name, or its index in digits           [NULL]
    double pose_time;            ///< for ER_POSE_CLIP: seconds, from 0 to the clip's duration          [0]
    const er_affine *pose_local; ///< for ER_POSE_GIVEN: [node_count of the scene], local transforms, file units [NULL]
    const char *skeleton;        ///< only the nodes of this name, or of the skin of this name, and below [NULL: all]
    bool infer_parents;          ///< join bones that are all siblings by distance                      [false]
    /// Props are what is carried: light, one with the body that carries them, one at a time where several share a
    /// place. "auto": what is rigid on a hand, on a socket by its name, or beside a bone's own skin; "none": nothing;
    /// else patterns, separated by commas, of the names of meshes' nodes and bones that are                [NULL:
    /// "auto"]
    const char *props;
    int hang_count;      ///< >= 0                                                                          [0]
    const er_hang *hang; ///< [hang_count], borrowed for the call: corrections of what bones hang on        [NULL]
    /// Changes of single joints and bodies, loops; borrowed for the call. Of its fields stiffness, damping_ratio, the
    /// two rayleigh_*, mass and fix_root are not read: those here stand; its density is a factor on the one here [NULL]
    const struct er_rig_change *change;
    /// A rig of the same scene, borrowed for the call: bones weigh what they weigh there, where density, height,
    /// skeleton and parents are the same. It saves the measuring, which takes nearly all of the time, and changes no
    /// number [NULL]
    const struct er_rig *like;
    uint32_t tag; ///< set by er_default_rig_def(); leave alone
} er_rig_def;

/// The defaults in brackets above.
ER_API er_rig_def er_default_rig_def(void);

/// What became of a node.
typedef enum er_fate {
    ER_FATE_BODY,    ///< it is a body
    ER_FATE_WELDED,  ///< part of the skeleton, but without mass or freedom of its own: it is one with a body
    ER_FATE_CARRIED, ///< not part of the skeleton, but below a node that is: it goes along
    ER_FATE_OUTSIDE  ///< no part of the rig, or of a tree of bones that weighs nothing
} er_fate;

/// Why a bone hangs on another.
typedef enum er_evidence {
    ER_EVIDENCE_NONE,     ///< it hangs on none: a root, or no bone
    ER_EVIDENCE_NODE,     ///< its node's parent
    ER_EVIDENCE_END,      ///< where the other ends it begins
    ER_EVIDENCE_SKIN,     ///< of all that it could hang on, it shares most skin with the other
    ER_EVIDENCE_NEAR,     ///< its skin touches no other; the other's encloses it or is nearest
    ER_EVIDENCE_PLACE,    ///< it has no weight, and begins where the other begins
    ER_EVIDENCE_DISTANCE, ///< bones that were all siblings were joined by distance
    ER_EVIDENCE_SAID      ///< somebody said so: er_rig_def.hang
} er_evidence;

/// What a bone hangs on: its body is joined to the other's, or the two are one.
typedef struct er_link {
    int to; ///< a bone; -1 for none
    er_evidence by;
    double share; ///< [0, 1], of the skin it shares with bones that do not hang on it, the part shared with `to`
} er_link;

/// A rig and how it was read off a scene. Read-only; freed by er_rig_destroy(). The scene must outlive it.
typedef struct er_rig {
    er_model *model;       ///< owned
    const er_scene *scene; ///< borrowed
    const er_fate *fate;   ///< [node_count of the scene]
    const int *node_body;  ///< [node_count], the body a node moves with, -1 outside
    const bool *bone;     ///< [node_count], its fate is BODY or WELDED, or it is a joint of a skin: what clips must key
    const int *body_node; ///< [body_count], the node whose frame a body has
    const er_link *link;  ///< [node_count], what each bone hangs on, and why
    const bool *prop;     ///< [node_count], whether a bone, or what is drawn at a node, is a prop (er_rig_def.props)
    const er_affine *world;  ///< [node_count], world transforms at equilibrium, file units
    er_pose_source pose;     ///< which pose the equilibrium is
    const char *pose_clip;   ///< of ER_POSE_CLIP: its name; else NULL
    double metres_per_unit;  ///< m per file unit, after `height`
    double height;           ///< m, extent of meshes (of joints, where there is no mesh) along `up`
    double extent;           ///< m, the largest side of their box
    double total_mass;       ///< kg
    double volume;           ///< m^3 that meshes gave, 0 for a rig of capsules or plates
    const char *mass_source; ///< for people: "meshes, closed", "capsules along the bones", ...
    double bind_turn;        ///< rad, the largest turn between rest and bind pose over joints; 0 without a skin
    double bind_shift;       ///< the largest shift between them, relative to `extent`; 0 without a skin
    int note_count;
    const er_note *note;              ///< [note_count], assumptions and losses; the import's own are the scene's notes
    const struct er_weights *weights; ///< private
    struct er_arena *arena;           ///< private
} er_rig;

/// Makes a rig of a scene.
/// Bodies: joints of skins, their ancestors up to the common root, animated nodes. Each gets the mass of the space that
/// its skin encloses at the rest pose; capsules along the bones where there is no mesh (docs/math/mass.md). Those left
/// without mass are welded to their parent, a root to its heaviest child.
/// @param scene  validated; borrowed as long as the rig lives
/// @param def    made by er_default_rig_def(), or NULL for the defaults
/// @param out    ER_OK: a new object for er_rig_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT (def; no such clip, time, skeleton, bind pose or bone; bones that hang in a circle; a
/// given pose that is not finite; no
///          height to rescale), ER_ERROR_RIG (nothing to rig, no extent, no mass), and as er_rig_change_model()
/// Memory   allocates the result.   Threads: one call per context at a time.
/// Source   docs/math/mass.md, docs/math/stiffness.md; docs/theory.md 1 to 3.
ER_API er_result er_rig_build(er_context *context, const er_scene *scene, const er_rig_def *def, er_rig **out);

/// Frees a rig and its model, not the scene. NULL is fine.   Threads: the context's.
ER_API void er_rig_destroy(er_rig *rig);

/// A change of the joints whose names match a pattern. Take er_default_joint_change(), then change fields; what is left
/// alone stays. Of two that match a joint, the later one counts in each field that it sets.
/// A free joint to the world, by which a root floats, is no spring and matches nothing.
typedef struct er_joint_change {
    const char *pattern;  ///< of joint names, as in a shell: *, ?, [a-z], \ before one of these   [NULL: `joint` tells]
    int joint;            ///< where there is no pattern: one joint by its index                      [-1: refused]
    int type;             ///< er_joint_type; -1 stays. The frame stays; coordinates that both types let free keep
                          ///< spring, damper and limits. New ones get no damper, no limits, and the spring that the law
                          ///< says (er_rig_change.stiffness; where that stays, the one that the joint has for others of
                          ///< their kind, else graded at 2 Hz, alpha 0.5). ER_JOINT_FREE between two bodies alone  [-1]
    double hz;            ///< > 0, at most 1e6: the joint's springs alone swing at this, each k = (2 pi hz)^2 I_j, I_j
                          ///< as in er_stiffness; 0 stays                                               [0]
    double stiffness;     ///< of each of its springs, N m/rad or N/m, >= 0, in place of hz; negative stays   [-1]
    double damping_ratio; ///< >= 0, of the joint alone: each damper c = 2 ratio sqrt(k I_j); negative stays  [-1]
    double density;       ///< factor on mass and inertia of the body that the tree reaches by the joint, > 0 [1]
    double mass;          ///< kg of that body, > 0, its inertia in proportion, in place of density; 0 stays  [0]
    er_vec3 axis;         ///< world, at equilibrium: the frame turns the shortest way to have its z there; 0 stays  [0]
    double spring[6];     ///< of tx ty tz x y z, N m/rad or N/m, >= 0, after stiffness and hz; NAN stays. In these
                          ///< three, coordinates that are not free are not looked at                 [NAN]
    double damper[6];     ///< likewise, N m s/rad or N s/m, >= 0, after damping_ratio                [NAN]
    double limit[6][2];   ///< likewise, lowest and highest, rad or m; -HUGE_VAL and HUGE_VAL are none   [NAN]
    double pitch;         ///< of screws, m per radian; NAN stays                                     [NAN]
    bool optional;        ///< a pattern that matches no joint is no error                                [false]
    uint32_t tag;         ///< set by er_default_joint_change(); leave alone
} er_joint_change;

/// The defaults in brackets above.
ER_API er_joint_change er_default_joint_change(void);

/// A change of the bodies whose names match a pattern, those too that no joint leads to. Take
/// er_default_body_change(), then change fields; the later one counts, as of joints.
typedef struct er_body_change {
    const char *pattern; ///< of body names, as in er_joint_change                  [NULL: `body` tells]
    int body;            ///< where there is no pattern: one body by its index      [-1: refused]
    double density;      ///< factor on mass and inertia, > 0                       [1]
    double mass;         ///< kg of each, > 0, its inertia in proportion, in place of density; 0 stays   [0]
    bool optional;       ///< a pattern that matches no body is no error          [false]
    uint32_t tag;        ///< set by er_default_body_change(); leave alone
} er_body_change;

/// The defaults in brackets above.
ER_API er_body_change er_default_body_change(void);

/// A joint to be added, that closes a loop. Take er_default_loop_joint(), then change fields.
typedef struct er_loop_joint {
    const char *name;    ///< UTF-8                                                 [NULL: "CHILD to PARENT"]
    const char *parent;  ///< the name of one body alone                            [NULL: the world]
    const char *child;   ///< likewise                                              [NULL: refused]
    er_joint_type type;  ///< all but ER_JOINT_FREE                                 [ER_JOINT_REVOLUTE]
    const char *at_body; ///< where: the frame of the body of this name             [NULL: at `at`]
    er_vec3 at;          ///< m, world, at equilibrium                              [0]
    er_vec3 axis;        ///< world, at equilibrium: z of its frame; 0 is +Z        [0]
    double stiffness;    ///< of each of its springs, N m/rad or N/m, >= 0: no law changes it   [0]
    double pitch;        ///< of a screw, m per radian, not 0                       [0]
    bool optional;       ///< it is left out where one of the names is no body's    [false]
    uint32_t tag;        ///< set by er_default_loop_joint(); leave alone
} er_loop_joint;

/// The defaults in brackets above.
ER_API er_loop_joint er_default_loop_joint(void);

/// Two parts of names that tell twins apart, such as "_L" and "_R" or "left" and "right".
typedef struct er_name_pair {
    const char *left, *right; ///< not empty, not equal
} er_name_pair;

/// Changes that can be made to any rig, one read from a rig file too.
/// Take er_default_rig_change(), then change fields; what is left alone stays as the model has it. They come in the
/// order of masses, types and axes of joints, loops, roots, springs, dampers, each as the ones before leave the rig.
/// The mass of the whole rig scales the bodies whose own mass is not said.
typedef struct er_rig_change {
    const er_stiffness *stiffness; ///< a law for all joints; borrowed for the call   [NULL: stays]
    double damping_ratio;          ///< >= 0; negative stays                          [-1]
    double rayleigh_mass;          ///< 1/s, >= 0; negative stays                     [-1]
    double rayleigh_stiffness;     ///< s, >= 0; negative stays                       [-1]
    double density;                ///< factor on all masses and inertias, > 0        [1]
    double mass;                   ///< kg of the whole rig, > 0; 0 stays             [0]
    bool fix_root;                 ///< hold every root that floats                   [false]
    int joint_count;               ///< >= 0                                          [0]
    const er_joint_change *joint;  ///< [joint_count], borrowed for the call          [NULL]
    int body_count;                ///< >= 0; after what joints say of bodies         [0]
    const er_body_change *body;    ///< [body_count], borrowed likewise               [NULL]
    int loop_count;                ///< >= 0                                          [0]
    const er_loop_joint *loop;     ///< [loop_count], borrowed likewise               [NULL]
    int pair_count;                ///< >= 0                                          [0]
    /// [pair_count], borrowed likewise. A twin is named alike but for the first `left` in the name, which is `right`,
    /// or the other way round. What matches by its twin's name gets the same change, its axis mirrored as a rotation's
    /// in the plane between the two joints, so that limits mean the same on both sides  [NULL]
    const er_name_pair *pair;
    uint32_t tag; ///< set by er_default_rig_change(); leave alone
} er_rig_change;

/// The defaults in brackets above.
ER_API er_rig_change er_default_rig_change(void);

/// A changed copy of a model. Bodies, and the joints there were, keep their indices; new joints come behind them.
/// @param change  made by er_default_rig_change()
/// @param out     ER_OK: a new object for er_model_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT (a value; a pattern that matches no joint or no body, unless optional; a joint to the
/// world made
///          free; a name of no body, or of several; the message names them), ER_ERROR_RIG (as er_model_create()),
///          ER_ERROR_MEMORY, and as er_stiffness_apply()
/// Memory   allocates the result.   Threads: one call per context at a time.
ER_API er_result er_rig_change_model(er_context *context, const er_model *model, const er_rig_change *change,
                                     er_model **out);

/// What a pattern stands for in a model: the joints, or bodies, that a change of them is for, twins by the change's
/// pairs among them.
/// @param model  that was changed; in one that came of it, patterns stand for joints that it added or made fixed too
/// @param which  0 to change->joint_count - 1, or body_count - 1
/// @param out    [joint_count], or [body_count] of the model, written
/// Errors   ER_ERROR_ARGUMENT (no such entry, or one not made by its default; pairs that are none), ER_ERROR_MEMORY
/// Memory   scratch.   Threads: one call per context at a time.
ER_API er_result er_joint_change_find(er_context *context, const er_model *model, const er_rig_change *change,
                                      int which, bool *out);
ER_API er_result er_body_change_find(er_context *context, const er_model *model, const er_rig_change *change, int which,
                                     bool *out);

/// The stiffness that a law gives each free coordinate.
/// @param stiffness  [coordinate_count], written; a free joint to the world, which is no spring, gets 0
/// Errors   ER_ERROR_ARGUMENT (the law too), ER_ERROR_NOT_POSDEF or ER_ERROR_NO_CONVERGENCE (inertias too far apart in
///          size for doubles), ER_ERROR_MEMORY
/// Memory   scratch.   Threads: one call per context at a time.
/// Source   docs/math/stiffness.md.
ER_API er_result er_stiffness_apply(er_context *context, const er_model *model, const er_stiffness *law,
                                    double *stiffness);

/// Where bones begin and lead, at equilibrium: world, m. Read-only; freed by er_bones_destroy().
typedef struct er_bones {
    const er_vec3 *head; ///< [body_count], the joint that holds the body; without one, its frame
    const er_vec3
        *tip;         ///< [body_count], the middle of its ends, or where it would lead without any if that is its head
    const int *start; ///< [body_count + 1], body b's ends are end[start[b]] to end[start[b + 1] - 1]: one at least
    const er_vec3 *end; ///< [start[body_count]], the joints away from its head that other bodies hang on; where there
                        ///< is none, those that close loops; without any, twice as far as its mass, or a little on
                        ///< from its parent
    struct er_arena *arena; ///< private
} er_bones;

/// Finds where bones lead.
/// @param out  ER_OK: a new object for er_bones_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_MEMORY
/// Memory   allocates the result.   Threads: one call per context at a time.
ER_API er_result er_bones_create(er_context *context, const er_model *model, er_bones **out);

/// Frees them. NULL is fine.   Threads: the context's.
ER_API void er_bones_destroy(er_bones *bones);

/// A solid that goes with a body.
typedef struct er_body_shape {
    int body;
    er_shape shape;
    er_pose pose; ///< of the shape's frame in the body's
} er_body_shape;

/// Solids that stand for a rig's bodies where they meet others. Read-only; freed by er_rig_shapes_destroy().
typedef struct er_rig_shapes {
    int count;
    const er_body_shape *shape; ///< [count], by body, what it carries last; of a body none, one or several. Their hulls
                                ///< are the result's
    int pair_count;
    const er_body_pair *pair; ///< [pair_count], bodies, the lesser first, ascending: no joint ties them, and yet shapes
                              ///< of theirs overlap at equilibrium, so they cannot both be solid to each other
    struct er_arena *arena;   ///< private
} er_rig_shapes;

/// Gives the bodies of a rig shapes by its skin at equilibrium: each has the vertices of which its weight is the
/// largest, and gets a capsule (a ball) around them where that takes at most 1.4 times the room of their hull, else the
/// hull of at most 64 of them. What is thinner than 1/200 of the rig becomes as thick. A prop has a shape of its own.
/// A body without such vertices has none. In a rig without a mesh, or without a scene, bodies get capsules along their
/// bones, as thick as what they weigh of water.
/// @param rig  whose model it is, or is a change of; NULL: of no scene
/// @param out  ER_OK: a new object for er_rig_shapes_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_MEMORY
/// Memory   allocates the result.   Threads: one call per context at a time. Deterministic.
ER_API er_result er_rig_shapes_create(er_context *context, const er_model *model, const er_rig *rig,
                                      er_rig_shapes **out);

/// Frees them. NULL is fine.   Threads: the context's.
ER_API void er_rig_shapes_destroy(er_rig_shapes *shapes);

/// The lowest point of shapes.
/// @param pose  [body_count], world poses of the body frames
/// @param up    world, unit
/// @return m, along `up`; 0 without shapes
ER_API double er_rig_shapes_lowest(const er_rig_shapes *shapes, const er_pose *pose, er_vec3 up);

/// A scene to draw a rig that has no mesh: an octahedron from every bone's head to each of its ends (er_bones).
/// A rig of a scene keeps that scene's nodes and clips, and a glTF source stays one, to which er_gltf_write() adds the
/// bones; other formats become ER_FORMAT_OTHER, so that it writes them whole. A model alone becomes a scene of its own,
/// one node a body, metres.
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
