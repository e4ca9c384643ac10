/// @file
/// Private: the steps of reading a body.
#ifndef ERI_GAIT_BODY_BODY_H
#define ERI_GAIT_BODY_BODY_H

#include <eigenrig/gait.h>

#include "base/arena.h"
#include "rig/mirror/mirror.h"

/// Points of the surface: vertices of skins and of what bodies carry; corners of boxes where there is no mesh.
typedef struct eri_cloud {
    int count;
    er_vec3 *point; ///< [count], m, at equilibrium in the model's axes
    int *body;      ///< [count], the one that a point goes with most
} eri_cloud;

/// The limb of a body: the body and all below it, and its ancestors.
typedef struct eri_body_limb {
    double low;            ///< height of the lowest point above the ground, m; HUGE_VAL without points
    double chain;          ///< the longest way down, joint by joint, m
    unsigned below, above; ///< ERI_PART_* of those below and those above, without its own
} eri_body_limb;

typedef struct eri_body_reader {
    er_context *context;
    const er_model *model;
    const er_rig *rig; ///< or NULL
    er_gait_def def;
    er_arena *arena, *scratch;
    eri_notes notes;
    eri_cloud cloud;
    er_gait_body *out;
    er_mirror **mirror;  ///< wanted by the caller, or NULL
    er_vec3 centre;      ///< of mass
    double offset;       ///< of the plane of symmetry along `left`, m
    double *low;         ///< [body_count], height of a body's lowest point above the ground; HUGE_VAL without points
    eri_body_limb *limb; ///< [body_count]
    er_vec3 *middle;     ///< [body_count], centres of mass
    eri_named *named;    ///< [body_count], what names say, or a humanoid map in their place
    bool on_side;        ///< pairs by names lie one above the other
    bool mapped;         ///< a humanoid map says which bones are the feet
    int *twin; ///< [body_count], the body of the other side by names or by how the rig is put together, -1 for none
} eri_body_reader;

/// er_gait_body_read() and er_mirror_find() with one search.
/// @param mirror  ER_OK: a new object for er_mirror_destroy(); otherwise NULL
/// Errors: as these two.
er_result eri_gait_body_and_mirror(er_context *context, const er_model *model, const er_rig *rig,
                                   const er_gait_def *def, er_gait_body **out, er_mirror **mirror);

/// cloud: all points.   Errors: ER_ERROR_NO_CONVERGENCE, ER_ERROR_MEMORY.
er_result eri_gait_read_cloud(eri_body_reader *b);

/// Sets what the search for the mirror finds: left, mirror, symmetry, offset, middle, centre, named, twin, on_side and
/// mapped.   Errors: ER_ERROR_MEMORY.
er_result eri_gait_read_sides(eri_body_reader *b);

/// Finds the feet, before the front is known.   Errors: ER_ERROR_MEMORY.
er_result eri_gait_read_feet(eri_body_reader *b);

/// Whether the caller said that there are none.
bool eri_gait_no_feet(const eri_body_reader *b);

/// Sets forward and facing, then the order and the names of feet.   Errors: ER_ERROR_MEMORY.
er_result eri_gait_read_facing(eri_body_reader *b);

/// Finds the wings: limbs that are named so.   Errors: ER_ERROR_MEMORY.
er_result eri_gait_read_wings(eri_body_reader *b);

/// Sets waves: to the sides if the tail is flat from side to side, as a fish's; up and down if it is flat from above,
/// as a dolphin's; both if it is neither.
void eri_gait_read_waves(eri_body_reader *b);

/// How well a body can stand in its pose, 0 to 1.
double eri_gait_stance_of(const eri_body_reader *b);

/// Side of a foot by its hip, since feet may cross: 1 left, -1 right, 0 middle.   @param mirror  NULL for none
int eri_gait_side_of_foot(const eri_body_reader *b, const er_gait_foot *foot, const er_gait_foot *mirror);

/// Origin of a body's frame at equilibrium.
static inline er_vec3 eri_body_origin(const eri_body_reader *b, int body)
{
    return b->model->body[body].pose.p;
}

#endif
