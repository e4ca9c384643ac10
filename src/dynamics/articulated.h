/// @file
/// Articulated bodies: the equations of motion of a tree in O(n) (Featherstone 2008, 7; docs/math/dynamics.md), in
/// joint coordinates and world axes, for one world or for eight side by side.
///
/// With H the tree's inertia in joint coordinates: eri_limbs_move() goes to a state and finds what forces would be
/// needed were no rate to change, eri_limbs_factor() factors H, eri_limbs_solve() divides by it. A limb's twists and
/// wrenches (angular part first) are in world axes about its reference point, the limb's frame's origin.
#ifndef ERI_DYNAMICS_ARTICULATED_H
#define ERI_DYNAMICS_ARTICULATED_H

#include "base/lanes.h"
#include "dynamics/forces.h"
#include "dynamics/multibody.h"

/// How a part of the ground moves: its body frame in the world, rates of its origin.
typedef struct eri_ground_state {
    er_mat3 axes;
    er_vec3 origin, angular, linear, angular_rate, linear_rate; ///< world axes; the last less gravity
} eri_ground_state;

/// A limb's motion.
typedef struct eri_limb_motion {
    er_mat3 axes;   ///< of its frame
    er_vec3 origin; ///< its reference point
    er_vec3 angular, linear;
    er_vec3 angular_rate, linear_rate; ///< of its twist, no rate of the tree changing, less gravity
    er_vec3 com;                       ///< from the reference point
} eri_limb_motion;

#define ERI_ARTICULATED(KIND, REAL)                                                                                    \
    typedef struct KIND KIND;                                                                                          \
    er_result KIND##_create(er_arena *arena, const eri_multibody *multibody, KIND **out);                              \
    void KIND##_move(KIND *limbs, const REAL *q, const REAL *u, const eri_ground_state *ground, REAL *wrench);         \
    void KIND##_place(KIND *limbs, const REAL *q, const eri_ground_state *ground);                                     \
    void KIND##_set_products(KIND *limbs, const double *products);                                                     \
    void KIND##_factor(KIND *limbs, const double *armature);                                                           \
    void KIND##_solve(KIND *limbs, const REAL *force, REAL *wrench, REAL *rate, REAL *twist);                          \
    void KIND##_factor_and_solve(KIND *limbs, const double *armature, const REAL *force, REAL *wrench, REAL *rate,     \
                                 REAL *twist);                                                                         \
    void KIND##_force(const KIND *limbs, REAL *wrench, REAL *force);

/// One world, and eight: a lane each.
///
/// KIND_create()  Errors: ER_ERROR_MEMORY
/// KIND_move()    @param ground  [body_count + 1], the held bodies' and, last, the world's
///                @param wrench  [6 limb_count], written: what each limb would need from outside for `*_rate`
/// KIND_place()   Their places alone: what else is known of them is that of before, or lost.
/// KIND_set_products()  @param products  [3 limb_count]: xy, xz and yz of the armature of ball joints, from now on;
/// borrowed KIND_factor()  @param armature  [velocity_count], >= 0, inertia on top of each joint rate's; NULL: none
/// KIND_solve()   H rate = force - what `wrench` on the limbs needs.
///                @param force   [velocity_count]
///                @param wrench  [6 limb_count], as of KIND_move(), less what acts; overwritten
///                @param rate    [velocity_count], written
///                @param twist   [6 limb_count], written: what `rate` gives the limbs
/// KIND_factor_and_solve()  Both, in one sweep less.
/// KIND_force()   The joints' forces that hold wrenches in balance: the transpose of what rates give.
///                @param wrench  [6 limb_count]; overwritten with what each joint hands to its limb
///                @param force   [velocity_count], written
ERI_ARTICULATED(eri_limbs, double)
ERI_ARTICULATED(eri_limbs8, eri_lanes)

/// The motion of a limb of one world, after eri_limbs_move().
eri_limb_motion eri_limbs_motion(const eri_limbs *limbs, int limb);
er_vec3 eri_limbs_origin(const eri_limbs *limbs, int limb);
er_vec3 eri_limbs_com(const eri_limbs *limbs, int limb); ///< in the world
eri_limb_motion eri_limbs8_motion(const eri_limbs8 *limbs, int limb, int lane);

/// The motion of limbs that have been placed, except of whole floating trees. Their factors stay, `*_rate` is lost.
void eri_limbs_ride(eri_limbs *limbs, const double *q, const double *u, const eri_ground_state *ground);

/// How all bodies that are limbs move.   @param motion  [body_count], their entries written
void eri_limbs_bodies(const eri_limbs *limbs, eri_body_motion *motion);

/// Rates of the twists' numbers of all bodies that are limbs.
/// @param twist    [6 limb_count], of eri_limbs_solve()
/// @param gravity  as it was taken off the ground's rates
/// @param out      [body_count]; of eight worlds [8 body_count], lane by lane. Their entries written
void eri_limbs_rates(const eri_limbs *limbs, const double *twist, er_vec3 gravity, er_twist *out);
void eri_limbs8_rates(const eri_limbs8 *limbs, const eri_lanes *twist, er_vec3 gravity, er_twist *out);

/// The limbs' momenta and energies of motion where their twists change.
/// @param change    [6 limb_count], by so much
/// @param momentum  [limb_count], written: about their centres of mass, world axes
/// @param energy    [limb_count], written
void eri_limbs_momenta(const eri_limbs *limbs, const double *change, er_wrench *momentum, double *energy);

/// How fast a limb swings on its joint by what it bears, a load on a string by its tension: the fastest, rad/s.
/// Without contacts.
/// @param looped [limb_count]: limbs of trees that loops close are not looked at, since what pulls those together
/// counts
/// @param flies  [limb_count]: nor are these
/// @param twist  [6 limb_count], what the rates' change gives
/// @param force  [limb_count], work space: what the joints hand to their limbs
/// @param pull   [limb_count], work space: N m/rad, what draws a limb back
double eri_limbs_swing(const eri_limbs *limbs, const bool *looped, const bool *flies, const double *twist,
                       er_vec3 *force, double *pull);

/// Limbs as one body: its mass, where its centre is, and its inertia about that, world axes.
typedef struct eri_lump {
    double mass;
    er_vec3 centre;
    er_mat3 inertia;
} eri_lump;

/// @param with_inertia  else it is 0
eri_lump eri_limbs_lump(const eri_limbs *limbs, int first, int last, bool with_inertia);

/// From now on the limbs [first, end), whole trees, are all that there are. The functions above take `first` for 0,
/// except those of ERI_ARTICULATED().
void eri_limbs_focus(eri_limbs *limbs, int first, int end);

/// How blows pass a limb's joint; the limbs are factored. Lanes 6 and 7 are 0.
/// @param across  [6 of the limb's twist], written: by lanes, of what twist of the limb above (none of the ground)
/// @param own     [6 of the limb's twist], written: by lanes, of what wrench on the limb, were the limb above held
void eri_limbs_link(const eri_limbs *limbs, int limb, eri_lanes *across, eri_lanes *own);

/// Blows on a limb, eight side by side, on their way to its root; the limbs are factored.
/// @param wrench  [6], about the limb's reference point, N s
/// @param feel    [velocity_count], added to: what their coordinates feel
/// @param left    [velocity_count], added to: for eri_limbs_respond()
void eri_limbs_strike(const eri_limbs *limbs, int struck, const eri_lanes *wrench, eri_lanes *feel, eri_lanes *left);

/// The changes by impulses that were passed on.
/// @param rate   [velocity_count], what is left of them; written: what rates change by
/// @param twist  [6 limb_count], written: what that gives the limbs
void eri_limbs_respond(const eri_limbs *limbs, eri_lanes *rate, eri_lanes *twist);

/// The limbs' own twists.   @param twist  [6 limb_count], written
void eri_limbs_own_twists(const eri_limbs *limbs, double *twist);

/// The limbs' twists that rates give, ground at rest.
void eri_limbs_twists(const eri_limbs *limbs, const double *rate, double *twist);

/// The same of eight side by side.
void eri_limbs_twists8(const eri_limbs *limbs, const eri_lanes *rate, eri_lanes *twist);

#endif
