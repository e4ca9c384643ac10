/// @file
/// Room `model`, forest: a spanning forest of a rig as flat arrays, and what O(n) sweeps over it compute, eight vectors
/// at once.
///
/// The sweeps work about a pose: the equilibrium, or any other (eri_forest_set_pose()).
///
/// Links (model/tree.h) are in preorder, the heaviest branch last, so that whatever a sweep hands from link to link
/// lives in a few slots (about log2 n of them). All is in world axes; a link's twists and wrenches refer to its own
/// reference point: the joint's origin, as its child carries it, or the tree's centre of mass for a root that floats. A
/// joint's coordinates split in *springs* (stiffness > 0) and *unsprung* ones (0; and the six of a root that floats).
/// Source: docs/theory.md 4 and 5; docs/math/tree.md; Featherstone, Rigid Body Dynamics Algorithms, 7 and 9;
/// docs/math/kinematics.md.
#ifndef ERI_MODEL_FOREST_FOREST_H
#define ERI_MODEL_FOREST_FOREST_H

#include <eigenrig/model.h>

#include "base/arena.h"
#include "base/lanes.h"
#include "model/joint/joint.h"
#include "model/tree.h"

enum { ERI_TREE_SLOTS = 40 }; ///< no tree needs more: the heaviest branch last, they are 1 + log2 n at most

typedef struct eri_forest_link {
    int slot, up_slot;    ///< where a sweep keeps what this link and its parent hand on; -1: no child, no parent
    bool last;            ///< the parent's last child, so the first one that a sweep towards the root meets
    bool turns;           ///< its directions are turns about axes through the reference point
    int freedom;          ///< columns, springs first, then unsprung
    int spring_count;     ///< of those with a spring
    int spring, unsprung; ///< the first of each among the tree's
    int coordinate[6];    ///< of the model, a column; -1 where the root floats
    double S[6][6];       ///< S[c]: the twist (w; v) of column c at unit rate of its model coordinate, as R tells it
    double point[3];      ///< the reference point, m
    double r[3];          ///< from the parent's reference point to this one's
    double mass;          ///< kg
    double c[3];          ///< from the reference point to the body's centre of mass, m
    double inertia[6];    ///< about the centre of mass: xx yy zz xy xz yz, kg m^2
} eri_forest_link;

typedef struct eri_forest {
    const er_model *model;
    eri_tree tree;
    int link_count;        ///< the model's bodies
    eri_forest_link *link; ///< [link_count], what sweeps need of each link of the tree
    int slot_count;
    int loop_count;
    int *loop;                         ///< [loop_count], joints that close loops on the tree, ascending
    eri_joint_frame *loop_frame;       ///< [loop_count], where they stand
    int spring_count;                  ///< N, coordinates with springs
    int unsprung_count;                ///< coordinates without
    double *stiffness;                 ///< [N], their springs
    double *scale;                     ///< [N], stiffness^-1/2
    int rigid_count;                   ///< of those, roots that float or hang on the world by a free joint
    struct eri_forest_builder *forest; ///< private: work space of eri_forest_fill()
} eri_forest;

/// The place of a link's column among the tree's coordinates: springs, then unsprung.
static inline int eri_forest_column(const eri_forest *tree, const eri_forest_link *link, int column)
{
    return column < link->spring_count ? link->spring + column
                                       : tree->spring_count + link->unsprung + column - link->spring_count;
}

/// Whether the unsprung columns of a link move its whole tree against the world, no joint but a free one to the world
/// taking part: as its rigid modes do.
bool eri_forest_link_roots(const eri_forest *tree, int link);

/// Finds the forest: the model's tree first, then joints marked as closing a loop where they tie what is not tied yet.
/// A floating tree's root is the body whose heaviest branch is the lightest. It is at the equilibrium.
/// Errors  ER_ERROR_MEMORY. Memory: in the arena, with room for every coordinate to be of either kind.
er_result eri_forest_create(er_arena *arena, const er_model *model, eri_forest **out);

/// How large a model is.
typedef struct eri_forest_extent {
    int bodies, joints, coordinates;
} eri_forest_extent;

/// The same in two steps: memory for models of at most so many bodies, joints and coordinates, what only the search
/// needs in `scratch`; then the forest of one such model after the other. Filling allocates nothing.
er_result eri_forest_reserve(er_arena *arena, er_arena *scratch, const eri_forest_extent *most, eri_forest **out);
void eri_forest_fill(eri_forest *tree, const er_model *model);

/// A forest of some links of a forest without loops, for sweeps alone: columns are copied, and the caller changes them
/// and sets `spring`, `unsprung`, the counts, `stiffness` and `scale`.
/// @param kept  [link_count], with each link its parent
/// @param link  [link_count], written: the links kept, by their place in the new forest
/// Errors  ER_ERROR_MEMORY
er_result eri_forest_select(er_arena *arena, const eri_forest *whole, const bool *kept, int *link, eri_forest **out);

/// Splits the coordinates in springs and unsprung ones anew, by stiffnesses [model's coordinate_count].   No
/// allocation.
void eri_forest_set_stiffness(eri_forest *tree, const double *stiffness);

/// Takes the masses, centres and inertias of bodies [model's body_count] in place of the model's, at the equilibrium.
/// No allocation.
void eri_forest_set_bodies(eri_forest *tree, const er_body *body);

/// Goes to another pose: axes, reference points and inertias are taken anew, coordinates and their order stay. Results
/// made from the tree before are for the old pose: call eri_condensed_factor(), eri_shifted_prepare() and
/// eri_loops_set_pose() again. Joints may stand apart: columns obey G of the pose all the same, but for loops.   No
/// allocation.
/// @param body  [model's body_count], whose masses, centres and inertias hold: the model's, or others
/// @param pose  [model's body_count], world poses; NULL for the equilibrium
void eri_forest_set_pose(eri_forest *tree, const er_body *body, const er_pose *pose);

/// The twists that rates of springs (K^-1/2 y, as everywhere) and of unsprung coordinates give the bodies.
/// @param twist  [6 link_count], written: (w; v) at the links' reference points
void eri_forest_twists(const eri_forest *tree, const eri_lanes *y, const eri_lanes *unsprung, eri_lanes *twist);

/// The product A y of docs/theory.md 5, A = K^-1/2 (M_ss - M_sz M_zz^-1 M_zs) K^-1/2, s the springs and z the
/// unsprung coordinates: spring rates K^-1/2 y, unsprung ones free of force (as roots float).
typedef struct eri_condensed eri_condensed;

/// Memory for any stiffness of the tree; of any tree of at most so many links, and columns of them together.
er_result eri_condensed_create(er_arena *arena, const eri_forest *tree, eri_condensed **out);
er_result eri_condensed_reserve(er_arena *arena, int links, int columns, eri_condensed **out);

/// Composite and articulated inertias for the tree's present stiffness and masses.   No allocation.
/// Errors  ER_ERROR_NOT_POSDEF: an unsprung motion carries no inertia, to rounding.
er_result eri_condensed_factor(eri_condensed *c, const eri_forest *tree, er_context *context);

/// One product of a panel.
/// @param y         [N]
/// @param force     [unsprung_count], forces on unsprung coordinates, or NULL for none
/// @param Ay        [N], written
/// @param unsprung  [unsprung_count], written: unsprung rates
/// @param twist     [6 link_count], written: (w; v) at the links' reference points; NULL where not wanted
void eri_condensed_apply(const eri_condensed *c, const eri_forest *tree, const eri_lanes *y, const eri_lanes *force,
                         eri_lanes *Ay, eri_lanes *unsprung, eri_lanes *twist);

/// K - sigma M in tree coordinates, factored by articulated bodies for eight shifts sigma at once, one a lane.
typedef struct eri_shifted eri_shifted;

/// Memory for any stiffness of the tree.
er_result eri_shifted_create(er_arena *arena, const eri_forest *tree, eri_shifted **out);

/// Takes the tree's present stiffness and masses; before the first eri_shifted_factor() and after each change.   No
/// allocation.
void eri_shifted_prepare(eri_shifted *f, const eri_forest *tree);

/// Factors. By Sylvester's law the negative pivots count the eigenvalues of the pencil below each shift (of the tree,
/// its loops left open).
/// @param sigma   [8], s^-2, not 0
/// @param below   [8], written: negative pivots, zero modes (all unsprung coordinates) included where sigma > 0
/// @param growth  [8], written: how much larger than a pivot were the terms that it is the sum of. Rounding is
///                magnified as much: above 1e8 another shift is wiser
void eri_shifted_factor(eri_shifted *f, const eri_forest *tree, const double sigma[8], int below[8], double growth[8]);

/// (1 - sigma A)^-1 y = K^1/2 (K - sigma M)^-1 K^1/2 y, unsprung coordinates free of force or as given. Its eigenvalues
/// are lambda / (lambda - sigma). In place is fine.
/// @param y             [N]
/// @param force         [unsprung_count], or NULL for none
/// @param out           [N], written
/// @param unsprung_out  [unsprung_count], written: unsprung rates; NULL where not wanted
void eri_shifted_solve(const eri_shifted *f, const eri_forest *tree, const eri_lanes *y, const eri_lanes *force,
                       eri_lanes *out, eri_lanes *unsprung_out);

#endif
