/// @file
/// Private: the steps of finding the mirror of a rig, and what they leave for the reading of its body.
#ifndef ERI_RIG_MIRROR_MIRROR_H
#define ERI_RIG_MIRROR_MIRROR_H

#include <eigenrig/rig.h>

#include "base/arena.h"
#include "rig/mirror/bone_names.h"

typedef struct eri_mirror_search {
    const er_model *model;
    const er_rig *rig; ///< or NULL
    er_vec3 up;        ///< unit
    er_arena *arena;   ///< of all arrays here
    er_vec3 *middle;   ///< [body_count], centres of mass, m, model's axes
    er_vec3 centre;    ///< of mass of the rig
    eri_named *named;  ///< [body_count], what names say, or a humanoid map in their place
    bool mapped;       ///< a humanoid map says which bones are the feet
    int *twin;         ///< [body_count], the body of the other side by names or by how the rig is put together, or -1
    bool on_side;      ///< pairs by names lie one above the other
    er_vec3 left;      ///< unit: the normal of the plane, towards either side
    double offset;     ///< of the plane along `left`, m
    double cost;       ///< mean distance of bodies from their mirror images, over the size
    int *image;        ///< [body_count], the mirror image of each body: itself in the middle, -1 for none
} eri_mirror_search;

/// Finds all of it. The caller sets model, rig, up and arena.   Errors: ER_ERROR_MEMORY.
er_result eri_mirror_search_run(eri_mirror_search *m);

/// The mirror that a search found, with how far the two sides differ.
/// @param out  ER_OK: a new object for er_mirror_destroy(); otherwise NULL
/// Errors: ER_ERROR_MEMORY.
er_result eri_mirror_create(er_context *context, const eri_mirror_search *m, er_mirror **out);

/// Errors: ER_ERROR_RIG: more than ER_MIRROR_MAX_BODIES bodies.
er_result eri_mirror_check_size(er_context *context, const er_model *model);

/// named, and twin by names.   Errors: ER_ERROR_MEMORY.
er_result eri_mirror_read_names(eri_mirror_search *m);

/// Pairs limbs without names: sets `twin` of limbs made alike on the two sides, once the sides are known.   Errors:
/// ER_ERROR_MEMORY.
er_result eri_mirror_pair_limbs(eri_mirror_search *m);

/// Sets left, offset, cost and image: across hips and shoulders, or else by the plane of best symmetry.   Errors:
/// ER_ERROR_MEMORY.
er_result eri_mirror_read_sides(eri_mirror_search *m);

/// Origin of a body's frame at equilibrium.
static inline er_vec3 eri_mirror_origin(const eri_mirror_search *m, int body)
{
    return m->model->body[body].pose.p;
}

/// Whether a paired body is the first of its limb: its parent is in the middle.
static inline bool eri_tops_limb(const er_model *model, const int *twin, int body)
{
    int up = model->tree_parent[body];
    return twin[body] >= 0 && (up < 0 || twin[up] < 0);
}

#endif
