/// @file
/// Private to the rig room: the state of er_rig_build(). Its steps run in the order of the functions here.
/// A *bone* is a node of the skeleton; arrays are indexed by node unless they say otherwise.
#ifndef ERI_RIG_BUILD_H
#define ERI_RIG_BUILD_H

#include <eigenrig/rig.h>

#include "base/arena.h"
#include "rig/mass/mass.h"

/// The rule of --props.
typedef enum eri_prop_rule { PROPS_AUTO, PROPS_NONE, PROPS_LISTED } eri_prop_rule;

/// Masses of bones, kept for er_rig_def.like, and the settings that they depend on.
typedef struct er_weights {
    double density, unit;
    bool infer_parents;
    const char *props;               ///< or NULL
    const bool *prop;                ///< [node_count]
    const eri_mass *carried;         ///< [node_count + 1]
    const bool *bone;                ///< [node_count]
    const eri_mass *mass;            ///< [node_count + 1], before welding
    const int *parent;               ///< [node_count], as found, before er_rig_def.hang; the next two likewise
    const bool *stray;               ///< [node_count]
    const er_attachment *attachment; ///< [node_count]
    int note_first, note_count;      ///< the rig's notes of it
} er_weights;

typedef struct builder {
    er_context *context;
    const er_scene *scene;
    er_rig_def def;
    er_rig *rig; // the result being filled
    er_arena *scratch;
    eri_notes notes; // in the result's arena

    const char **name;     // of nodes: "node N" for one that the file leaves nameless
    er_affine *rest;       // world transforms of the rest pose, file units
    er_affine *bind;       // of the skins' bind pose
    er_affine *world;      // of the equilibrium, file units
    double height, extent; // of the model at rest, file units
    double low;            // where it begins along `up`, file units
    er_vec3 box[2];        // of the model at rest, low and high corner, file units
    double unit;           // metres per file unit, after --height

    bool *bone;         // is part of the skeleton
    int *parent;        // the bone above a bone, -1 for a root; in the result's arena
    bool inferred;      // parents, by distance
    bool hands;         // a bone has the name of a hand
    int *owner;         // the nearest bone at or above a node, -1 for none
    er_pose *rest_pose; // rigid frames of bones at rest, metres
    er_pose *pose;      // at equilibrium

    er_weights *weights;            // the result's
    const er_weights *weighed_like; // those of a rig like this one, NULL without
    eri_mass *mass;                 // [node_count + 1], world axes at rest; the last takes what belongs to no bone
    eri_mass *carried;              // [node_count + 1], what of it is of props that are meshes; in the result's arena
    bool *prop;                     // meshes and bones that are props; in the result's arena
    bool *control;             // bones that move others, by their names, in a scene without a mesh; NULL without any
    bool *stray;               // a root with too little mass for a body; in the result's arena
    er_attachment *attachment; // [node_count], in the result's arena
    int *body;                 // the bone whose body a bone is part of, -1 where its whole tree weighs nothing
    int body_count;
} builder;

/// bone, parent, owner: joints of skins, their ancestors up to the common root, animated nodes.
er_result eri_rig_choose_bones(builder *b);

/// Nodes that only group characters, from the roots of the scene down: they are no bones, and their children are roots.
/// @param candidate  [node_count], joints and animated nodes   @param group  [node_count], written
er_result eri_rig_find_groups(builder *b, const bool *candidate, bool *group);

/// Nodes with two characters of rigid parts or more among their children, none of which touches another at rest.
/// @param parts   [node_count], moving parts at or below a node   @param fewest  of a character
/// @param apart   [node_count], written
er_result eri_rig_find_branches_apart(builder *b, const int *parts, int fewest, bool *apart);

/// body: leaves out all characters but er_rig_def.character.   Errors: ER_ERROR_ARGUMENT: not exactly one has that
/// name.
er_result eri_rig_keep_character(builder *b);

/// height, extent, world: the sizes, the equilibrium, and how far rest and bind pose are apart.
er_result eri_rig_choose_pose(builder *b);

/// unit, rest_pose, pose: measured before masses.
er_result eri_rig_measure(builder *b);

/// Closes seams that quantization opened: points of two rims that run side by side move to their middle.
/// @param surface  [count]; the positions of those that change are new   @param closed  written: edges of seams
er_result eri_rig_close_seams(builder *b, int count, eri_skin_surface *surface, int *closed);

/// The meshes of bones, one surface a node, at a pose. Influences are bones; node_count is none.
/// @param world  [node_count], file units   @param node  NULL, or written: [count], that they are drawn at
er_result eri_rig_surfaces(builder *b, const er_affine *world, eri_skin_surface **out, int *count, int **node);

/// prop: takes the surfaces of props out of a list; `held` gets those with mass.
/// @param meshes  how many nodes draw them   @param node  [meshes]   @param place  [meshes], the surface of a node
er_result eri_rig_split_props(builder *b, int meshes, const int *node, const int *place, int *count,
                              eri_skin_surface *surface, eri_skin_surface **held, int *held_count);

/// Adds a surface's area to the bones that it is skinned to.   @param area  [node_count], or NULL   @return the area
double eri_rig_add_area(const builder *b, const eri_skin_surface *s, double *area);

/// Makes one surface of those that share edges of their boundaries, so that masses do not depend on how a mesh is cut.
/// @param count  surfaces, changed   @param surface  [*count], changed
/// @param place  [*count], written: where each is now
er_result eri_rig_join_seams(builder *b, int *count, eri_skin_surface *surface, int *place);

/// carried, and into mass: the mass of props, before the scaling to metres.
er_result eri_rig_weigh_props(builder *b, int count, const eri_skin_surface *held);

/// Reduces the mass of a bone, without the meshes it carries, to that of a prop.
void eri_rig_lighten(builder *b, int bone);

/// The rule of er_rig_def.props, and whether it lists a name.
eri_prop_rule eri_rig_prop_rule(const builder *b);
bool eri_rig_lists_prop(const builder *b, const char *name);

/// Whether a name is that of a socket, where words such as "prop" count only in a rig with hands; of a hand, or part of
/// one; of the left or the right.
bool eri_rig_names_socket(const char *name, bool hands);
bool eri_rig_names_hand(const char *name);
bool eri_rig_names_side(const char *name);

/// Whether a name is that of a control bone; of a deform bone, which makes all others controls.
bool eri_rig_names_control(const char *name);
bool eri_rig_names_deforming(const char *name);

/// Whether a mesh is below a bone, or skinned to one.
bool eri_rig_drawn_on_bones(const builder *b, const er_instance *instance);

/// Bones, each after its parent: inferred parents may be later in the file.
er_result eri_rig_parents_first(builder *b, int **order, int *count);

/// mass: of bones without a mesh.
er_result eri_rig_weigh_rods(builder *b);

/// mass: of each bone.
er_result eri_rig_weigh(builder *b);

/// parent, stray, attachment: the parent of each bone, by nodes, skin and places.
er_result eri_rig_attach(builder *b);

/// parent, attachment: corrected by er_rig_def.hang; what was found is kept in `weights`.
er_result eri_rig_apply_hangs(builder *b);

/// body: which bones are welded.   @param dropped  written: trees without mass
er_result eri_rig_find_bodies(builder *b, int *dropped);

/// body, and the mass of welded bones.
er_result eri_rig_weld(builder *b);

/// kg: a bone with less is no body.
double eri_rig_least_mass(const builder *b);

/// Joints of all bodies, without stiffness.   @param body_index  [node_count], the model's index of a bone's body
/// @param joint  [body_count], written;   @param count  written
er_result eri_rig_join(builder *b, const int *body_index, er_joint *joint, int *count);

#endif
