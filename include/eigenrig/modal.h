/// @file
/// Natural modes of a rig about its equilibrium, undamped and damped: of one rig, of many rigs in one call, or again
/// and again while a rig is edited.
///
/// Units are those of model.h; frequencies are Hz, omega = 2 pi hz is rad/s. Source: docs/theory.md 3 to 5.
#ifndef EIGENRIG_MODAL_H
#define EIGENRIG_MODAL_H

#include <eigenrig/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The largest number of bodies for routes qr and svd, and for tree if joints close loops. Their dense matrices of 6 n
/// rows then take some 10 GB.
enum { ER_MODAL_MAX_BODIES = 2000 };

/// The largest number of coordinates for route tree, with six per floating root. Their matrices then take some 2 GB.
enum { ER_MODAL_MAX_COORDINATES = 8000 };

/// The kind of a mode.
typedef enum er_mode_kind {
    ER_MODE_RIGID,     ///< eigenvalue 0; only free joints to the world move, so the rig moves as one body
    ER_MODE_MECHANISM, ///< eigenvalue 0; joints without stiffness move
    ER_MODE_ELASTIC    ///< eigenvalue > 0
} er_mode_kind;

/// The name of a kind: "rigid", "mechanism" or "elastic"; "unknown" for other values.   Memory: static.
ER_API const char *er_mode_kind_name(er_mode_kind kind);

/// Routes to the modes. All are exact: frequencies agree to 1e-9, unless masses or stiffnesses are too far apart for
/// doubles. Then residuals grow, and a route that loses too much fails with ER_ERROR_NO_CONVERGENCE.
typedef enum er_modal_method {
    ER_MODAL_AUTO,  ///< the fastest route for the rig's size, its loops and the number of modes. If that one fails, or
                    ///< violates M-orthonormality or constraints by more than 1e-9: the most accurate route
    ER_MODAL_QR,    ///< null space by rank-revealing QR of G', dense
    ER_MODAL_SVD,   ///< null space by singular values of G, dense; the slowest, to check the others
    ER_MODAL_TREE,  ///< coordinates of a spanning tree, dense; loops are closed by QR of their rows; for small rigs
    ER_MODAL_SPARSE ///< spectrum slicing by shift-invert Lanczos; for the lowest modes, or those of a window, of rigs
                    ///< of any size. Operators cost O(n) and the square of the number of rows that close loops. Inertia
                    ///< counts prove that no mode is missing; otherwise it fails
} er_modal_method;

enum { ER_MODAL_METHOD_COUNT = 5 };

/// The name of a route: "auto", "qr", "svd", "tree" or "sparse"; "unknown" for other values.   Memory: static.
ER_API const char *er_modal_method_name(er_modal_method method);

/// One mode. Its shape satisfies eta' M eta = 1; er_mode_amplitude() scales it to a visible size. The sign makes its
/// largest joint entry positive (lengths over er_model.size), or its largest body entry if no joint moves. n is the
/// body_count.
typedef struct er_mode {
    er_mode_kind kind;
    double eigenvalue;   ///< lambda = omega^2, s^-2, >= 0; exactly 0 for rigid modes and mechanisms
    double frequency_hz; ///< sqrt(lambda) / 2 pi
    /// Damping ratio of the roots mu that belong to this mode (er_damped_mode). Complex pair: -Re mu / |mu|, below 1.
    /// Two real roots: their mean over their geometric mean, >= 1. 0 if omega is 0.
    double damping_ratio;
    double damped_hz; ///< |Im mu| / 2 pi: frequency_hz without damping, 0 if both roots are real
    const double
        *body; ///< [6 n], eta: (omega; v) per body at the body frame's origin, body axes; rad/s, m/s up to scale
    const double *joint; ///< [coordinate_count], R eta: free coordinates, joint frames. Exactly 0 if a loop locks the
                         ///< coordinate, and in rigid modes except for free joints to the world
} er_mode;

/// The decay of the mode of the same index: two roots mu of (mu^2 M + mu D + R'KR) eta = 0, solved in the space of the
/// modes held. The motion is eta e^(mu t). D is the sum of all damping:
///   D = R'CR + alpha M + beta R'KR + sum over elastic modes of 2 zeta omega M eta eta'M, C the joints' dampers.
/// A mode with omega > 0 has a complex pair or two real roots. A mode with omega = 0 has the root 0 and the decay rate
/// of a push: alpha for a rigid mode, because alpha M damps every motion, also drift in space. If dampers couple the
/// modes, roots are assigned to modes by their shares of kinetic energy.
typedef struct er_damped_mode {
    double decay[2];        ///< -Re mu of both, 1/s, >= 0, ascending; equal for a pair, mu = -decay +- 2 pi i damped_hz
    const double *shape[2]; ///< [count of er_modes], coefficients u over the modes: eta = sum_k u_k eta_k, with sum
                            ///< |u_k|^2 = 1 and the largest u_k real and positive. For a pair: real and imaginary part
                            ///< of u (mu with Im > 0). For two real roots: one u each. Both NULL if the mode keeps its
                            ///< own shape
} er_damped_mode;

/// Relative residuals of the modes, measured after the solve. `gram` and `pencil` are measured in energy, so the motion
/// of bodies lighter than others by more than some 1e6 may have fewer digits.
typedef struct er_modal_residuals {
    double constraint; ///< max |G eta|_inf / |eta|_inf over modes, lengths in units of the rig's size
    double gram;       ///< max |eta_i' M eta_j - delta_ij|
    double pencil; ///< over elastic modes. qr, svd, and tree with loops: max |N'(K eta - lambda M eta)| / |N' K eta|
                   ///< with N an M-orthonormal basis. Otherwise tree, and sparse: max |y - lambda A y| / |y|, the same
                   ///< in coordinates y = K^1/2 q of the springs (docs/math/sparse.md)
    double damped; ///< over roots of coupled modes: max |(mu^2 + mu C + K) u| / (|mu^2 u| + |mu C u| + |K u|) in their
                   ///< coordinates; for a drift slower than 1e-10 of their highest omega, relative to that omega
} er_modal_residuals;

/// The modes of a rig. Read-only; freed by er_modes_destroy().
typedef struct er_modes {
    int count;                    ///< modes held; 0 if none lies in the window
    int first;                    ///< index of the first mode held; modes below min_hz are left out
    int dof;                      ///< dim null(G), the number of all modes
    int rigid_count;              ///< of all modes
    int mechanism_count;          ///< of all modes
    const er_mode *mode;          ///< [count], eigenvalues ascending: rigid, mechanisms, elastic
    int damped_count;             ///< count, or 0 if nothing damps the rig
    const er_damped_mode *damped; ///< [damped_count], of the mode of the same index
    er_modal_method method;       ///< the route taken, never ER_MODAL_AUTO
    bool halves;                  ///< the rig was solved in its symmetric and antisymmetric halves
    int constraint_count;         ///< rows of G
    int rank;                     ///< of G
    int redundant_count;          ///< as in er_redundancy: constraint_count - rank if the gap is clear; otherwise 0
    const er_redundant_row *redundant; ///< [redundant_count], the redundant constraints; the same by every route
    double rank_smallest_kept;         ///< upper side of the gap that decided the rank (er_nullspace.smallest_kept)
    double rank_largest_zero;          ///< its lower side (er_nullspace.largest_zero)
    er_modal_residuals residuals;
    struct er_arena *arena; ///< private
} er_modes;

/// Options for er_modal_solve(). Take er_default_modal_def(), then change fields.
typedef struct er_modal_def {
    er_modal_method method; ///< see er_modal_method                                          [ER_MODAL_AUTO]
    int mode_count;         ///< number of modes from the first at or above min_hz on (with min_hz 0 rigid ones count
                            ///< too), clamped to all; 0 for all                               [0]
    double min_hz;          ///< leave out modes below, >= 0; any value > 0 leaves out rigid ones    [0]
    double max_hz;          ///< leave out modes above, > 0; HUGE_VAL keeps all                [HUGE_VAL]
    double rank_tol;        ///< relative tolerance for rank(G), in (0, 1)                    [1e-10]
    /// Solve a mirror symmetric rig as a whole. By default routes tree and sparse solve a rig without loops whose sides
    /// differ by at most 1e-11 in its symmetric and antisymmetric halves, if that is faster. The modes are the same to
    /// rounding, and each is symmetric or antisymmetric                                     [false]
    bool whole;
    /// Called by route sparse after each pass with the modes found so far, 0 to `wanted`. It runs in the caller's
    /// thread during the call and must not use the context or the solver. NULL: not called                      [NULL]
    void (*progress)(void *user, int found, int wanted);
    void *user;   ///< passed to it                                                 [NULL]
    uint32_t tag; ///< set by er_default_modal_def(); leave alone
} er_modal_def;

/// The defaults in brackets above.
ER_API er_modal_def er_default_modal_def(void);

/// Finds the natural modes about the equilibrium pose: eta = N u with N'R'KRN u = lambda N'MN u and N a basis of
/// null(G). Damping is solved in the space of the modes held, which is an approximation if dampers couple these to
/// modes left out. Coupled dampers cost a non-symmetric problem of twice the number of modes.
/// @param def    made by er_default_modal_def(), or NULL for the defaults
/// @param out    ER_OK: a new object for er_modes_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_RIG (the joints leave no motion; too many bodies, coordinates or loops),
///          ER_ERROR_NOT_POSDEF or ER_ERROR_NO_CONVERGENCE (masses, springs or dampers too far apart in size for
///          doubles), ER_ERROR_MEMORY
/// Memory   allocates the result; scratch of order (6 n)^2 doubles by qr, svd and tree with loops, N^2 by tree,
///          some 5 KB a body by sparse.   Threads: one call per context at a time.
/// Source   docs/theory.md 3 to 5; docs/math/modal.md (factored form), docs/math/sparse.md (slicing), docs/math/tree.md
///          (loops), docs/math/damping.md.
ER_API er_result er_modal_solve(er_context *context, const er_model *model, const er_modal_def *def, er_modes **out);

/// Counts the modes below a frequency, those of eigenvalue 0 included: the negative pivots of K - omega^2 M, in O(n)
/// and the cube of the rows that close loops.
/// @param hz     > 0; a mode within rounding of it may count or not
/// @param count  written
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_RIG (too many loops), ER_ERROR_NOT_POSDEF (masses too far apart in size for
///          doubles), ER_ERROR_MEMORY
/// Memory   scratch.   Threads: one call per context at a time.
/// Source   Sylvester's law of inertia; docs/math/sparse.md, docs/math/tree.md.
ER_API er_result er_modal_count(er_context *context, const er_model *model, double hz, int *count);

/// Solves many rigs. Small rigs without loops (methods auto and tree) are solved eight side by side and on several
/// threads; docs/bench.md measures the gain. All others are solved one after the other, as by er_modal_solve().
/// Frequencies agree with er_modal_solve()'s to 1e-9 and do not depend on the number of threads.
/// @param count   rigs, >= 0
/// @param model   [count], of any sizes; the same one may occur twice
/// @param def     as for er_modal_solve(), for all of them
/// @param out     [count], written: a new object for er_modes_destroy() if `result` is ER_OK; otherwise NULL
/// @param result  [count], written: the result of each rig. The call is ER_OK even if some rigs fail. The context keeps
///                the message of the first failure, "rig 3: ..." for model[3]
/// Errors   ER_ERROR_ARGUMENT (of the call; a NULL model fails for that rig alone), ER_ERROR_MEMORY: nothing is made,
///          and `result` is undefined
/// Memory   allocates the results; scratch for eight rigs a thread. Only this thread calls the context's allocator.
/// Threads  one call per context at a time. Starts up to er_modal_set_threads() threads, at most 8, and ends them.
ER_API er_result er_modal_solve_batch(er_context *context, int count, const er_model *const *model,
                                      const er_modal_def *def, er_modes **out, er_result *result);

/// Solves one rig again and again while its stiffness, damping or masses are edited. It reuses results that an edit
/// leaves valid and allocates its memory at the start, so modes can follow a slider while it is dragged. Symmetric rigs
/// are solved as a whole, because edits need not be symmetric.
typedef struct er_modal_solver er_modal_solver;

/// Makes a solver of a model.
/// @param model  must outlive the solver, which works on a copy of its numbers
/// @param def    as for er_modal_solve(). Methods: sparse; tree (without loops); auto, which falls back on
///               er_modal_solve() if its route refuses the rig or loses digits
/// @param out    ER_OK: a new object for er_modal_solver_destroy(); otherwise NULL
/// Errors   as er_modal_solve(); ER_ERROR_ARGUMENT for other methods
/// Memory   allocates for the most modes that any stiffness can ask for.   Threads: the context's.
ER_API er_result er_modal_solver_create(er_context *context, const er_model *model, const er_modal_def *def,
                                        er_modal_solver **out);

/// Sets the stiffnesses for the next solves.
/// @param stiffness  [coordinate_count], as in er_joint, in the order of er_model.coordinate; >= 0, N m/rad or N/m
/// Errors   ER_ERROR_ARGUMENT (NULL), ER_ERROR_RIG (a value that a model may not have); nothing is changed then
/// Memory   none.   Threads: the context's.
ER_API er_result er_modal_solver_set_stiffness(er_modal_solver *solver, const double *stiffness);

/// Sets the damping for the next solves.
/// @param damping  [coordinate_count], of the joints in the same order; >= 0, N m s/rad or N s/m
/// @param damping_ratio,rayleigh_mass,rayleigh_stiffness  as in er_model, >= 0
/// Errors, memory, threads   as er_modal_solver_set_stiffness().
ER_API er_result er_modal_solver_set_damping(er_modal_solver *solver, const double *damping, double damping_ratio,
                                             double rayleigh_mass, double rayleigh_stiffness);

/// Sets masses, centres of mass and inertias for the next solves. Names and poses are ignored; er_model.size stays.
/// @param body  [body_count]
/// Errors, memory, threads   as er_modal_solver_set_stiffness().
ER_API er_result er_modal_solver_set_bodies(er_modal_solver *solver, const er_body *body);

/// Sets a whole model for the next solves: numbers, and equilibrium poses of bodies and joints.
/// @param model  the same bodies, connected by joints of the same types, in the same order, as the solver's; copied
/// Errors   ER_ERROR_ARGUMENT (NULL, other connections): nothing is changed then.
///          If the poses of a rig with loops differ, the rows that close them are chosen again. Errors as
///          er_modal_solver_create() then leave the solver without a model until one is set
/// Memory   none without loops, or if only numbers differ.   Threads: the context's.
ER_API er_result er_modal_solver_set_model(er_modal_solver *solver, const er_model *model);

/// Solves with the present numbers. Method auto falls back on er_modal_solve(), with its time and memory, if the
/// solver's own route fails or violates M-orthonormality or constraints by more than 1e-9.
/// @param out  ER_OK: owned by the solver, valid until its next solve or its end; otherwise NULL
/// Errors   as er_modal_solve(); the solver remains usable
/// Memory   none after the first call, except in three cases: coupled dampers (er_damped_mode); loops, if stiffnesses
///          become 0 or nonzero; method auto, if it falls back.   Threads: the context's.
ER_API er_result er_modal_solver_solve(er_modal_solver *solver, const er_modes **out);

/// Frees a solver and its modes. NULL is fine.   Threads: the context's.
ER_API void er_modal_solver_destroy(er_modal_solver *solver);

/// Finds a mode by its index. Indices count all modes from 0, held or not. Mixes, tables and files use these indices.
/// @param modes  or NULL, which holds none
/// @return       one of modes->mode; NULL if that mode is not held
ER_API const er_mode *er_modes_find(const er_modes *modes, int index);

/// The index of a mode.
/// @param mode  one of modes->mode
ER_API int er_modes_index(const er_modes *modes, const er_mode *mode);

/// Frees the modes. NULL is fine.   Threads: the context's.
ER_API void er_modes_destroy(er_modes *modes);

/// The share of each joint in a mode's potential energy: k q^2 summed over its coordinates, over the total. If the mode
/// strains no spring: its share in the sum of squared coordinates (lengths over the rig's size).
/// @param mode   of this model
/// @param share  [joint_count], written; sums to 1, or all 0 if no joint moves
ER_API void er_mode_joint_shares(const er_model *model, const er_mode *mode, double *share);

/// How far each joint moves in a mode at its scale, rad: the norm of its rotations, or of its shifts over the rig's
/// size if it has no rotations. All are 0 in a rigid mode.
/// @param mode    of this model
/// @param travel  [joint_count], written
ER_API void er_mode_joint_travel(const er_model *model, const er_mode *mode, double *travel);

/// How symmetric a mode is: the product of its shape with its mirror image in the mass norm, over the larger of the
/// squares of both. Modes of an exactly symmetric rig have 1 or -1, to rounding, also if frequencies are equal.
/// @param mirror  of this model (er_mirror_find())
/// @param mode    of this model
/// @param image   [6 body_count], overwritten by the mirror image of the mode
/// @return  1: both sides move alike; -1: each side moves against the other; between: neither
/// Source   docs/math/identity.md.
ER_API double er_mode_parity(const er_model *model, const er_mirror *mirror, const er_mode *mode, double *image);

/// The share of each body in a mode's kinetic energy.
/// @param mode   of this model
/// @param share  [body_count], written; sums to 1
ER_API void er_mode_body_shares(const er_model *model, const er_mode *mode, double *share);

/// The effective masses of a mode: how much of the rig moves with it along each axis of the world, and turns with it
/// about each axis through the centre of mass: (eta' M r)^2 for a rigid motion r of the whole at unit rate. Over all
/// modes of a rig that floats they add up to its mass and moments of inertia, all of them of rigid modes. If the rig is
/// held, they add up to the part that its joints let follow such a motion.
/// @param mode  of this model
/// @param mass  written: about x, y, z, kg m^2; along x, y, z, kg
/// Source   Wijker, Mechanical Vibrations in Spacecraft Design (2004), 6.
ER_API void er_mode_effective_mass(const er_model *model, const er_mode *mode, double mass[6]);

/// Projects a motion on modes: each frame's joint displacements less their mean, as a linear motion of the bodies, is a
/// sum of modes in the mass norm. Motion of the whole is left out, as are rigid modes.
/// @param modes        of this model, from mode 0 on if it has rigid ones
/// @param frame_count  >= 1
/// @param x            [frame_count x er_kinematics_width()], displacements from the equilibrium, rad and m; only
///                     joint coordinates are read
/// @param coefficient  [frame_count x count of modes], written: how much of each mode there is in a frame; 0 of rigid
///                     ones
/// @param share        [count of modes], written: 0 to 1, the sum of a coefficient's squares over that of the motion.
///                     Over all modes they sum to 1, unless the motion opens loops; all 0 if nothing moves
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_MEMORY; as er_kinematics_create()
/// Memory   scratch.   Threads: one call per context at a time.
ER_API er_result er_modes_project(er_context *context, const er_model *model, const er_modes *modes, int frame_count,
                                  const double *x, double *coefficient, double *share);

// ---- Modes through edits

/// Where a mode is after an edit of its rig.
typedef struct er_mode_match {
    int now; ///< its place in er_modes.mode of the edited rig, from 0; -1: that has fewer modes, and none for it
    double likeness; ///< -1 to 1: the cosine between both shapes in the mass norm of the edited rig; negative: the mode
                     ///< has turned its sign; 0 if `now` is -1
    double group_likeness; ///< 0 to 1: the cosine between the shape and the space of all modes of now's frequency (to
                           ///< 1e-6). Shapes of one frequency are known up to a turn among them, so this is what tells
                           ///< whether such a mode was kept. Without such company it is |likeness|
    int other; ///< place of the mode of another frequency that is most like it; -1: none with a cosine above 0.1
    double other_likeness; ///< its cosine, -1 to 1. Where two modes mix, as when their frequencies nearly meet, it is
                           ///< as large as `likeness`; 0 if `other` is -1
} er_mode_match;

/// Finds the modes of a rig again after an edit of its stiffness, damping, masses, pose or bodies: the pairs whose
/// squared cosines have the largest sum. Bodies are matched by name, and those of one name in their order; bodies that
/// are in one rig alone count as still in the other. Lengths are taken relative to er_model.size.
/// @param was_model,was  the rig before, and its modes; was->count rows
/// @param now_model,now  the edited rig, and its modes
/// @param match          [was->count], written on ER_OK
/// Errors   ER_ERROR_ARGUMENT (NULL), ER_ERROR_MEMORY
/// Memory   scratch: 48 bytes per body of either rig and mode, 8 per pair of modes.   Time: the cube of the modes at
///          worst.   Threads: one call per context at a time.
/// Source   the modal assurance criterion (Allemang 2003), with the mass matrix; assignment by Kuhn 1955, Munkres 1957.
ER_API er_result er_modes_match(er_context *context, const er_model *was_model, const er_modes *was,
                                const er_model *now_model, const er_modes *now, er_mode_match *match);

/// Solves as er_modal_solver_solve(), and finds the modes of the solve before among the new ones.
/// @param out    ER_OK: owned by the solver, valid until its next solve or its end; otherwise NULL
/// @param match  ER_OK: [count], for each mode of the solve before, valid as long; otherwise NULL
/// @param count  written: 0 if there was no solve before, or it failed
/// Errors   as er_modal_solver_solve() and er_modes_match()
/// Memory   48 bytes per body and mode, kept; scratch as er_modes_match().
/// Threads  the context's.
ER_API er_result er_modal_solver_follow(er_modal_solver *solver, const er_modes **out, const er_mode_match **match,
                                        int *count);

enum { ER_MODE_TRACKS_MAX_POINTS = 10000 };

/// A change of springs over which modes are followed.
typedef struct er_mode_tracks_def {
    double from, to; ///< factors of the stiffness of the chosen joints, 0 < from < to; 1 is the rig as it is
    int point_count; ///< 2 to ER_MODE_TRACKS_MAX_POINTS, in equal ratios from `from` to `to`
    int mode_count;  ///< >= 1: how many modes, the lowest that are not rigid; fewer if the rig has fewer
} er_mode_tracks_def;

/// Frequencies of modes over a change of springs. Read-only; freed by er_mode_tracks_destroy().
typedef struct er_mode_tracks {
    int point_count;
    const double *factor;   ///< [point_count], ascending
    int count;              ///< modes followed
    const int *mode;        ///< [count], their indices in the rig as it is
    double *hz;             ///< [point_count x count], a row per point, Hz; NAN where a mode is not among the lowest
                            ///< any more
    double *certainty;      ///< [point_count x count], 0 to 1: the least er_mode_match.group_likeness on the way there
                            ///< from the point before. Below 0.8 modes mixed faster than steps could be divided
    struct er_arena *arena; ///< private
} er_mode_tracks;

/// Follows modes from the rig as it is to each point. A step in which a mode keeps less than a cosine of 0.8 of its
/// shape is divided, up to six times, so that modes keep their names where frequencies cross.
/// @param joint  [joint_count], whose stiffness changes; at least one
/// @param out    ER_OK: a new object for er_mode_tracks_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT (a value out of range; no joint), as er_modal_solve()
/// Memory   allocates the result; scratch of two solves.   Threads: one call per context at a time.
/// Source   er_modes_match().
ER_API er_result er_mode_tracks_create(er_context *context, const er_model *model, const bool *joint,
                                       const er_mode_tracks_def *def, er_mode_tracks **out);

/// Frees the tracks. NULL is fine.   Threads: the context's.
ER_API void er_mode_tracks_destroy(er_mode_tracks *tracks);

// ---- Stiffness by result

/// A frequency that a mode is to have.
typedef struct er_tune_aim {
    int mode;      ///< index in er_tune_def.modes, of an elastic mode, each once
    double hz;     ///< > 0, at most 1e6
    bool at_least; ///< a higher frequency will do too
} er_tune_aim;

/// Options for er_tuning_create(). All fields must be set; NULL where it says so.
typedef struct er_tune_def {
    const er_modes *modes;  ///< of the model as it is; the modes aimed at are known by their shapes
    int count;              ///< 1 to ER_TUNE_MAX_AIMS
    const er_tune_aim *aim; ///< [count]
    const bool *joint;      ///< [joint_count], whose stiffness may change; NULL: all
} er_tune_def;

enum { ER_TUNE_MAX_AIMS = 1000 };

/// A mode after tuning.
typedef struct er_tuned_mode {
    int now;         ///< its index in the tuned rig
    double hz;       ///< its frequency there
    double likeness; ///< 0 to 1: er_mode_match.group_likeness of its shape before and now
} er_tuned_mode;

/// Springs that give modes the frequencies asked for. Read-only; freed by er_tuning_destroy().
typedef struct er_tuning {
    const double *factor;      ///< [joint_count], > 0: of the stiffness of each joint, all its coordinates
    const er_tuned_mode *mode; ///< [count of aims]
    double miss;               ///< the largest relative difference of a frequency from its aim; 0 below 1e-10
    int solves;                ///< eigenproblems that it took
    struct er_arena *arena;    ///< private
} er_tuning;

/// Finds factors of the joints' stiffness, as near to 1 as can be (the least sum of squares of their logarithms), that
/// give modes their frequencies. A mode's share of strain in a joint is the derivative of log(hz^2) by the logarithm of
/// the joint's factor, so it is Newton's method; modes are found again after each step by er_modes_match()
/// with the shapes that they had. Aims that
/// contradict each other, or that the joints cannot reach, are met as nearly as can be in the sum of squares.
/// @param out  ER_OK: a new object for er_tuning_destroy(), also if `miss` is not 0; otherwise NULL
/// Errors   ER_ERROR_ARGUMENT (NULL; a value; a mode that is not elastic or not held, or twice; no joint), and as
///          er_modal_solve()
/// Memory   allocates the result; scratch of some solves.   Threads: one call per context at a time.
/// Source   docs/math/modal.md (tuning).
ER_API er_result er_tuning_create(er_context *context, const er_model *model, const er_tune_def *def, er_tuning **out);

/// Frees the result. NULL is fine.   Threads: the context's.
ER_API void er_tuning_destroy(er_tuning *tuning);

// ---- Sparse matrices, for studies of your own

/// A sparse matrix: entry k is `value[k]` in row `row[k]` and column `column[k]`, from 0, unordered, without
/// duplicates.
typedef struct er_triplets {
    int row_count, column_count;
    int count;           ///< entries
    const int *row;      ///< [count]
    const int *column;   ///< [count]
    const double *value; ///< [count], finite, not 0
} er_triplets;

/// The motion of a column of N. Columns are ordered: floating roots by body; then joints by index; then loops.
typedef struct er_admissible {
    int joint; ///< a joint of the tree. One of its coordinates changes at unit rate, rad/s or m/s, and moves everything
               ///< below the joint. -1 in other columns
    int body;  ///< a floating root, which moves with its whole tree: at 1 rad/s about an axis of the world through the
               ///< tree's centre of mass, or at 1 m/s along an axis. -1 in other columns. If joint and body are both
               ///< -1, joints of loops move together: |q'| = 1, shifts over the rig's size
    int axis;  ///< 0 to 5: tx ty tz x y z; -1 if both are -1
} er_admissible;

/// The matrices of docs/theory.md 3 and 4 of a rig of n bodies about a pose. Velocities v are the stacked body twists
/// (omega; v) at body frames' origins, body axes, [6 n]. They obey G v = 0, so v = N p'. Free coordinates of joints
/// change at the rates R v. Modes eta = N u solve N'R'KRN u = lambda N'MN u. Read-only; freed by
/// er_modal_matrices_destroy().
typedef struct er_modal_matrices {
    er_triplets M; ///< [6n x 6n], symmetric positive definite: a block per body, its spatial inertia at the frame's
                   ///< origin, body axes; kg m^2, kg m, kg
    er_triplets K; ///< [coordinate_count square], diagonal: springs of joints, N m/rad and N/m
    er_triplets C; ///< [coordinate_count square], diagonal: dampers of joints, N m s/rad and N s/m. All damping is R'CR
                   ///< + alpha M + beta R'KR plus er_model.damping_ratio of each elastic mode
    er_triplets G; ///< [constraint_count x 6n], as in er_constraints at the pose; m, 1
    er_triplets R; ///< [coordinate_count x 6n], as in er_constraints at the pose
    er_triplets N; ///< [6n x dof], of full column rank, G N = 0: the motions that joints allow, rad/s and m/s at a
                   ///< column's unit rate; dof is its column_count
    const int *constraint_joint;     ///< [rows of G], index of the joint
    const int *constraint_axis;      ///< [rows of G], the axis constrained, 0 to 5: tx ty tz x y z
    const int *coordinate_joint;     ///< [coordinate_count], the joint of a row of R, K and C
    const int *coordinate_axis;      ///< [coordinate_count], the free axis, 0 to 5
    const er_admissible *admissible; ///< [dof], columns of N
    const er_pose *pose;             ///< [n], world poses of the body frames at which all this holds
    struct er_arena *arena;          ///< private
} er_modal_matrices;

/// Makes the matrices of a rig. Springs are at rest in the given pose, as if it were the equilibrium.
/// @param pose  [body_count], world poses of the body frames, with joints together to 1e-6 of the size; NULL: the
///              equilibrium
/// @param out   ER_OK: a new object for er_modal_matrices_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT (a pose that is not finite, not unit, or separates joints), ER_ERROR_RIG (N of more than
///          100,000,000 entries; loops and more than ER_MODAL_MAX_COORDINATES coordinates; too many loops),
///          ER_ERROR_MEMORY
/// Memory   allocates the result. N takes 96 bytes per body and coordinate above it (a floating root has six). Columns
///          in which loops move several joints take 96 bytes per body of the rig, and scratch of the square of the
///          coordinates.   Threads: one call per context at a time.
/// Source   docs/theory.md 3 and 4; docs/math/tree.md for the rank of loops, decided at 1e-10.
ER_API er_result er_modal_matrices_create(er_context *context, const er_model *model, const er_pose *pose,
                                          er_modal_matrices **out);

/// Frees the matrices. NULL is fine.   Threads: the context's.
ER_API void er_modal_matrices_destroy(er_modal_matrices *matrices);

// ---- Threads

/// Sets the number of threads of linear algebra (OpenBLAS) for the whole process, and of er_modal_solve_batch() (up to
/// 8). The default is the number of cores. Small rigs are always solved with one thread.
/// @param threads  < 1 changes nothing. Nothing changes either if a limit on address space leaves no room for the
///                 128 MiB that OpenBLAS maps per thread
/// Threads  call it before any thread solves.
ER_API void er_modal_set_threads(int threads);

#ifdef __cplusplus
}
#endif
#endif
