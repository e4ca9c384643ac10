/// @file
/// Regions of a body, and modes by name: "hind legs swing, alternating".
///
/// A region is a part of the body that people have a word for: trunk, tail, left hind leg. Regions that are twins form
/// a group, "hind legs". A mode is named by the group that it strains most, by how this moves in the body's own frame,
/// and by whether its sides move together. Other groups that strain nearly as much are named too, two at most.
/// Source: docs/math/identity.md.
#ifndef EIGENRIG_IDENTITY_H
#define EIGENRIG_IDENTITY_H

#include <eigenrig/gait.h>
#include <eigenrig/modal.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The kind of a region.
typedef enum er_region_kind {
    ER_REGION_TRUNK, ///< what limbs are attached to; "body" where there are none
    ER_REGION_NECK,
    ER_REGION_HEAD,
    ER_REGION_TAIL,
    ER_REGION_LEG,
    ER_REGION_ARM,
    ER_REGION_WING,
    ER_REGION_FIN,
    ER_REGION_FOOT, ///< what is below the ankle, if the leg has one
    ER_REGION_HAND,
    ER_REGION_FINGER, ///< all fingers of a hand
    ER_REGION_JAW,
    ER_REGION_TONGUE,
    ER_REGION_FACE, ///< eyes, nose, brows, lips
    ER_REGION_EAR,
    ER_REGION_HAIR,
    ER_REGION_FEELER, ///< antennae, whiskers, tentacles, horns, by their own names
    ER_REGION_CLOTH,  ///< skirts, capes, belts
    ER_REGION_PROP,   ///< what the body carries, by its own name
    ER_REGION_PART    ///< anything else, by what the names of its bodies share; fingers of a hand without a body
} er_region_kind;

enum { ER_REGION_KIND_COUNT = 20 };

/// The name of a kind: "trunk", "neck", ...; "unknown" for other values.   Memory: static.
ER_API const char *er_region_kind_name(er_region_kind kind);

/// Whether a region of this kind is part of the whole body's motion. Feet, hands, fingers, faces, ears, hair, cloth,
/// props and the like are not.
ER_API bool er_region_kind_is_main(er_region_kind kind);

/// A region.
typedef struct er_region {
    const char *name; ///< "left hind leg", "tail"; unique
    er_region_kind kind;
    int group;       ///< index of its er_region_group
    int side;        ///< 1 left, -1 right, 0 in the middle
    int twin;        ///< the region of the other side, -1 for none
    int body_count;  ///< >= 1
    const int *body; ///< [body_count], parents first
    double mass;     ///< kg
    er_vec3 along;   ///< unit, model's axes: from where it is attached to its far end; of a trunk from back to front
    double sure;     ///< 0 to 1: 1 by a foot, a humanoid map or a word; less by shape alone
} er_region;

/// Twins, or a region alone.
typedef struct er_region_group {
    const char *name; ///< "hind legs", "tail"; unique
    er_region_kind kind;
    bool plural;
    int region_count;
    const int *region; ///< [region_count], left, then middle, then right
} er_region_group;

/// The regions of a rig. Read-only; freed by er_regions_destroy().
typedef struct er_regions {
    const er_gait_body *body; ///< owned: the frame, feet and wings
    const er_mirror *mirror;  ///< owned
    int count;
    const er_region *region; ///< [count]
    int group_count;
    const er_region_group *group; ///< [group_count]
    const int *of_body;           ///< [body_count], the region of each body
    const int *anchor;            ///< [body_count], the nearest body above it in another region; -1: none
    int body_count;
    struct er_arena *arena; ///< private
} er_regions;

/// Finds the regions of a rig: feet and wings as er_gait_body_read() finds them; humanoid maps; names of bones in
/// several languages; for other bodies their place in the tree. They do not depend on stiffness or modes, so
/// keep them while a rig is solved again: naming its modes then takes about a tenth of the solve.
/// @param rig  the rig from which the model was built; NULL: names and masses of the bodies alone
/// @param def  as for er_gait_body_read()
/// @param out  ER_OK: a new object for er_regions_destroy(); otherwise NULL
/// Errors   as er_gait_body_read() and er_mirror_find(); ER_ERROR_RIG: more than ER_MIRROR_MAX_BODIES bodies
/// Memory   allocates the result.   Threads: one call per context at a time. Any number of threads may read the result,
///          each with a context of its own.
ER_API er_result er_regions_create(er_context *context, const er_model *model, const er_rig *rig,
                                   const er_gait_def *def, er_regions **out);

/// Frees regions. NULL is fine.   Threads: the context's.
ER_API void er_regions_destroy(er_regions *regions);

/// The name of a mode.
typedef struct er_mode_name {
    const char *name;     ///< plain words, unique among the modes: "hind legs swing, alternating"
    const char *brief;    ///< the same for lists, at most ER_MODE_BRIEF bytes, unique too: "hind legs alt"
    double parity;        ///< er_mode_parity(), -1 to 1
    double sure;          ///< 0 to 1: the chance that an observer calls the motion so
    bool whole_body;      ///< false: it moves an ear, a prop, fingers or the like
    int group;            ///< the er_region_group that it is named by; -1: rigid modes, which move none
    const double *share;  ///< [group_count], of each group's joints in the energy of the springs (without
                          ///< strain: of its motion); sums to 1, all 0 in rigid modes
    const double *motion; ///< [group_count], of each group's bodies in the kinetic energy; sums to 1
} er_mode_name;

enum { ER_MODE_BRIEF = 23 }; ///< most bytes of er_mode_name.brief, without the zero

/// Names of modes. Read-only; freed by er_mode_names_destroy().
typedef struct er_mode_names {
    int count;                     ///< of the er_modes
    int first;                     ///< index of the first mode, as er_modes.first
    const er_mode_name *mode;      ///< [count]
    int group_count;               ///< of the er_regions
    const char *const *group_name; ///< [group_count], names of their groups, copied
    struct er_arena *arena;        ///< private
} er_mode_names;

/// Names modes. Names do not depend on the order of bodies or the route. A mode has the plain
/// name unless other groups move nearly as much, or a mode before it has that name; then it says which groups move with
/// it, or is numbered. So names do not change if more modes are solved for.
/// @param regions  of this model
/// @param modes    of this model
/// @param out      ER_OK: a new object for er_mode_names_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT (NULL, or regions of another number of bodies), ER_ERROR_MEMORY
/// Memory   allocates the result.   Threads: one call per context at a time.
ER_API er_result er_mode_names_create(er_context *context, const er_model *model, const er_regions *regions,
                                      const er_modes *modes, er_mode_names **out);

/// Frees names. NULL is fine.   Threads: the context's.
ER_API void er_mode_names_destroy(er_mode_names *names);

/// The name of a mode by its index.   @return NULL if it is not among them
ER_API const er_mode_name *er_mode_names_at(const er_mode_names *names, int index);

/// Finds a mode by its name, ignoring the case of ASCII letters. The first of these that there is:
/// - the mode of this name;
/// - the mode of this brief name;
/// - the lowest mode whose name begins with it, up to a word's end: "tail";
/// - if a group is called so, the mode with the largest share of it.
/// @return  its index; -1 for none
ER_API int er_mode_names_find(const er_mode_names *names, const char *name);

/// Replaces names of modes in the text of a mix by their indices: "hind legs swing, alternating:14@2, tail:5" becomes
/// "13:14@2,9:5".
/// @param out  written: a text that lives as long as `names`; NULL on failure
/// Errors   ER_ERROR_ARGUMENT (NULL; a name that no mode has, for which the message suggests another), ER_ERROR_MEMORY
/// Memory   the text, in `names`.   Threads: the context's.
ER_API er_result er_mode_names_in_mix(er_context *context, er_mode_names *names, const char *text, const char **out);

// ---- From one rig to another

/// A rig of er_mix_carry().
typedef struct er_carry_side {
    const er_model *model;
    const er_regions *regions; ///< of `model`
    const er_modes *modes;     ///< of `model`
} er_carry_side;

/// Options for er_mix_carry(). Take er_default_carry_def(), then change fields.
typedef struct er_carry_def {
    double least; ///< least share of a component's motion to carry it, 0 to 1                                  [0.25]
    double pace;  ///< factor of all frequencies, 0 to 1000; 0: equal Froude numbers, so that a rig with legs of
                  ///< quarter the length moves twice as fast                                                   [0]
    uint32_t tag; ///< set by er_default_carry_def(); leave alone
} er_carry_def;

/// The defaults in brackets above.
ER_API er_carry_def er_default_carry_def(void);

/// How well a component was carried.
typedef struct er_carry_match {
    double share; ///< 0 to 1: how much of its motion the other rig's modes make
    bool carried; ///< false: it has no counterpart and was left out
} er_carry_match;

/// Carries a mix from one rig to another, which may have other bones. For each component it takes the modes, at most
/// three, that together move the same regions in the same way in the body's frame. The region that moves most swings by
/// the same angle. Regions correspond by kind, place and side; arms take the part of fore legs, and fore legs of arms.
/// @param from   the rig of the mix; all its modes that the mix needs
/// @param mix    as for er_mix_fit()
/// @param to     the other rig; the 64 lowest elastic ones of its modes are used
/// @param def    made by er_default_carry_def(), or NULL for the defaults
/// @param match  [component_count of the mix], written on ER_OK; NULL: not wanted
/// @param out    ER_OK: a new object for er_mix_destroy(), of the other rig; otherwise NULL
/// Errors   ER_ERROR_ARGUMENT (NULL, def), ER_ERROR_RIG (no component has a counterpart), ER_ERROR_MEMORY, as
/// er_mix_fit() Memory   allocates the result; scratch.   Threads: one call per context at a time. Source
/// docs/math/identity.md.
ER_API er_result er_mix_carry(er_context *context, const er_carry_side *from, const er_mix *mix,
                              const er_carry_side *to, const er_carry_def *def, er_carry_match *match, er_mix **out);

/// Carries a gait from one rig to another: a mix of at most three components with the same footfalls. Phases and duties
/// of the feet, and the family on rigs with as many feet, are the gait's. Speed, stride and amplitudes suit the other
/// body. Feet correspond by their names; the two feet of a biped to the hind feet of a quadruped. If the rigs have no
/// feet in common, and for gaits that swim, slither or fly, the motion of all regions takes the place of that of feet.
/// @param from   the rig of the gait, and all its modes that the gait needs
/// @param gait   one of its gaits
/// @param to     the other rig; 24 of its 64 lowest elastic modes are used, those that move the feet most
/// @param rig    the rig from which the other model was built, or NULL, as for er_gait_of_mix()
/// @param paces  as for er_gait_of_mix(), or NULL for the defaults
/// @param def    made by er_default_carry_def(), or NULL for the defaults
/// @param share  written: 0 to 1, how much of the motion of the feet was carried; NULL: not wanted
/// @param out    ER_OK: a new object of one gait for er_gaits_destroy(); otherwise NULL. It may have another family
/// Errors   ER_ERROR_ARGUMENT (NULL, def), ER_ERROR_RIG (no mix moves the other rig alike and forward),
///          ER_ERROR_MEMORY, as er_gait_of_mix()
/// Memory   allocates the result; scratch.   Threads: one call per context at a time.
/// Source   docs/math/identity.md.
ER_API er_result er_gait_carry(er_context *context, const er_carry_side *from, const er_gait *gait,
                               const er_carry_side *to, const er_rig *rig, const er_gait_def *paces,
                               const er_carry_def *def, double *share, er_gaits **out);

#ifdef __cplusplus
}
#endif
#endif
