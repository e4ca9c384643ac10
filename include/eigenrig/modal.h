/// @file
/// Natural modes of a rig about its equilibrium: undamped and damped, of many rigs in one call, and solved again while
/// one rig is edited.
///
/// Units are those of model.h; frequencies are Hz, omega = 2 pi hz is rad/s. Source: docs/theory.md 3 to 5.
#ifndef EIGENRIG_MODAL_H
#define EIGENRIG_MODAL_H

#include <eigenrig/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The most bodies that the routes qr and svd take, and tree where joints close loops: their dense matrices of 6 n rows
/// then fill some 10 GB.
enum { ER_MODAL_MAX_BODIES = 2000 };

/// The most coordinates (of joints, and six a floating root) that route tree takes: some 2 GB.
enum { ER_MODAL_MAX_COORDINATES = 8000 };

/// What a mode is.
typedef enum er_mode_kind {
    ER_MODE_RIGID,     ///< eigenvalue 0, and no joint moves but a free one to the world: the rig travels as one
    ER_MODE_MECHANISM, ///< eigenvalue 0, and joints without stiffness move
    ER_MODE_ELASTIC    ///< eigenvalue > 0
} er_mode_kind;

/// "rigid", "mechanism" or "elastic"; "unknown" for another value.   Memory: static.
ER_API const char *er_mode_kind_name(er_mode_kind kind);

/// Which route finds the modes. All are exact: they agree to 1e-9 in frequency, unless masses or stiffnesses lie so far
/// apart that doubles cannot tell; then residuals show it, and ER_ERROR_NO_CONVERGENCE where nothing is left.
typedef enum er_modal_method {
    ER_MODAL_AUTO,  ///< the fastest of them for the rig's size, its loops and the modes wanted; the best of all where
                    ///< that one refuses numbers, or violates M-orthonormality or constraints by more than 1e-9
    ER_MODAL_QR,    ///< rank-revealing QR of G', dense
    ER_MODAL_SVD,   ///< singular value decomposition of G, dense: the slowest, for checking the others
    ER_MODAL_TREE,  ///< coordinates of a spanning tree, dense; loops closed by a QR of their few rows: for small rigs
    ER_MODAL_SPARSE ///< slices of the spectrum, each by Lanczos on shifted operators of O(n), and of the square of the
                    ///< rows that close loops: for the lowest modes, or those of a window, of rigs of any size. Counts
                    ///< prove that none is missed; it fails rather
} er_modal_method;

enum { ER_MODAL_METHOD_COUNT = 5 };

/// "auto", "qr", "svd", "tree" or "sparse"; "unknown" for another value.   Memory: static.
ER_API const char *er_modal_method_name(er_modal_method method);

/// One mode shape, scaled so that eta' M eta = 1 (er_mode_amplitude() makes it visible), its largest joint entry
/// (lengths in units of the rig's size; its largest body entry, where no joint moves) positive. The rig's size is
/// er_model.size throughout, and n its body_count.
typedef struct er_mode {
    er_mode_kind kind;
    double eigenvalue;   ///< lambda = omega^2, s^-2, >= 0; exactly 0 for rigid modes and mechanisms
    double frequency_hz; ///< sqrt(lambda) / 2 pi
    /// Of the roots mu that grow out of this mode (er_damped_mode): -Re mu / |mu| of a pair, below 1; the mean of two
    /// real roots over their geometric mean, 1 and above; 0 where omega is 0.
    double damping_ratio;
    double damped_hz;   ///< |Im mu| / 2 pi: frequency_hz where nothing is damped, 0 where both roots are real
    const double *body; ///< [6 n], eta: (omega; v) per body, body axes, body frame's origin; rad/s, m/s up to the scale
    const double *joint; ///< [coordinate_count], R eta: free coordinates, joint frames; exactly 0 where a loop locks
                         ///< the coordinate, and in a rigid mode but for free joints to the world
} er_mode;

/// How the mode of the same index decays: two roots mu of (mu^2 M + mu D + R'KR) eta = 0 in the space of the modes
/// held, motion e^(mu t) eta, D all the damping there is:
///   D = R'CR + alpha M + beta R'KR + sum over elastic modes of 2 zeta omega M eta eta'M, C the joints' dampers.
/// Roots of a mode with omega > 0 are a complex pair or two real ones. One with omega = 0 has the roots 0, where it
/// stays, and that at which a push decays: alpha for a rigid mode (M counts every motion, drift in space too).
/// Where dampers of joints couple the modes, roots go to the modes that hold most of their kinetic energy, one to one.
typedef struct er_damped_mode {
    double decay[2];        ///< -Re mu of both, 1/s, >= 0, ascending; equal for a pair, mu = -decay +- 2 pi i damped_hz
    const double *shape[2]; ///< [count of er_modes], coefficients u over the modes, eta = sum_k u_k eta_k, sum |u_k|^2
                            ///< = 1, the largest real and positive: real and imaginary part of a pair's (mu with Im >
                            ///< 0), or those of the two real roots. Both NULL where the mode keeps its own shape
} er_damped_mode;

/// How far the modes are from what they should obey, all relative; measured after the solve. Gram and pencil measure
/// energy: what bodies do that are lighter than others by more than some 1e6, in modes of those, may keep fewer digits.
typedef struct er_modal_residuals {
    double constraint; ///< max |G eta|_inf / |eta|_inf over modes, lengths in units of the rig's size
    double gram;       ///< max |eta_i' M eta_j - delta_ij|
    double pencil; ///< over elastic modes, by qr, svd and tree with loops max |N'(K eta - lambda M eta)| / |N' K eta|,
                   ///< N an M-orthonormal basis; by tree and sparse max |y - lambda A y| / |y|, the same in coordinates
                   ///< y = K^1/2 q of the springs (docs/math/sparse.md)
    double damped; ///< max |(mu^2 + mu C + K) u| / (|mu^2 u| + |mu C u| + |K u|) over roots of coupled modes, in
                   ///< their coordinates; a drift slower than 1e-10 of their highest omega is measured by that
} er_modal_residuals;

/// The modes of a rig. Read-only; freed by er_modes_destroy().
typedef struct er_modes {
    int count;                    ///< modes held; 0 where none lies in the window
    int first;                    ///< modes there are below the first one held, where min_hz left some out: its index
    int dof;                      ///< dim null(G): modes there are
    int rigid_count;              ///< of those there are
    int mechanism_count;          ///< of those there are
    const er_mode *mode;          ///< [count], eigenvalues ascending: rigid, mechanisms, elastic
    int damped_count;             ///< count, or 0 when nothing damps the rig
    const er_damped_mode *damped; ///< [damped_count], of the mode of the same index
    er_modal_method method;       ///< the route taken, never ER_MODAL_AUTO
    int constraint_count;         ///< rows of G
    int rank;                     ///< of G
    int redundant_count;          ///< er_redundancy's: constraint_count - rank, where the gap is clear; 0 without names
    const er_redundant_row *redundant; ///< [redundant_count], which constraints these are; the same by every route
    double rank_smallest_kept;         ///< the gap that the rank was decided by: er_nullspace's smallest_kept
    double rank_largest_zero;          ///< and its largest_zero
    er_modal_residuals residuals;
    struct er_arena *arena; ///< private
} er_modes;

/// Options for er_modal_solve(). Take er_default_modal_def(), then change fields.
typedef struct er_modal_def {
    er_modal_method method; ///< see er_modal_method                                          [ER_MODAL_AUTO]
    int mode_count;         ///< lowest modes wanted, rigid ones counted; 0 for all; more than exist is clamped   [0]
    double min_hz;          ///< modes below are left out, >= 0                                [0]
    double max_hz;          ///< modes above are left out, > 0; HUGE_VAL keeps all            [HUGE_VAL]
    double rank_tol;        ///< relative tolerance for rank(G), in (0, 1)                    [1e-10]
    /// Called by route sparse after each pass of its search: `found` modes, 0 to `wanted`. It runs in the caller's
    /// thread, within the call, and may use neither the context nor the solver; NULL for nobody          [NULL]
    void (*progress)(void *user, int found, int wanted);
    void *user;   ///< handed to it                                                 [NULL]
    uint32_t tag; ///< set by er_default_modal_def(); leave alone
} er_modal_def;

/// The defaults in brackets above.
ER_API er_modal_def er_default_modal_def(void);

/// Natural modes about the equilibrium pose: eta = N u with N'R'KRN u = lambda N'MN u and N a basis of null(G).
/// Damping is solved among the modes held: with dampers on joints and modes left out, that is a projection, exact only
/// as far as the dampers do not couple the two. It then costs a non-symmetric problem of twice their number.
/// @param def    made by er_default_modal_def(), or NULL for the defaults
/// @param out    ER_OK: a new object for er_modes_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_RIG (the joints leave no motion; too many bodies, coordinates or loops),
///          ER_ERROR_NOT_POSDEF or ER_ERROR_NO_CONVERGENCE (masses, springs or dampers too far apart in size for
///          doubles), ER_ERROR_MEMORY
/// Memory   allocates the result; scratch of order (6 n)^2 doubles by qr, svd and tree with loops, N^2 by tree,
///          some 5 KB a body by sparse.   Threads: one call per context at a time.
/// Source   docs/theory.md 3 to 5; docs/math/modal.md derives the factored form that is solved, docs/math/sparse.md the
///          slices, docs/math/tree.md loops, docs/math/damping.md the damped one.
ER_API er_result er_modal_solve(er_context *context, const er_model *model, const er_modal_def *def, er_modes **out);

/// How many modes lie below a frequency, those of eigenvalue 0 included: the negative pivots of K - omega^2 M, in O(n)
/// and the cube of the rows that close loops.
/// @param hz     > 0; a mode that close to it that rounding decides may count or not
/// @param count  written
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_RIG (too many loops), ER_ERROR_NOT_POSDEF (masses too far apart in size for
///          doubles), ER_ERROR_MEMORY
/// Memory   scratch.   Threads: one call per context at a time.
/// Source   Sylvester's law of inertia; docs/math/sparse.md, docs/math/tree.md.
ER_API er_result er_modal_count(er_context *context, const er_model *model, double hz, int *count);

/// The modes of many rigs. Small ones without loops (methods auto and tree) are solved eight side by side and on
/// several threads: docs/bench.md measures what that saves, most on processors with vectors of eight doubles. All
/// others are solved as by er_modal_solve(), one after the other. Modes agree with er_modal_solve()'s to 1e-9 in
/// frequency, do not depend on the number of threads, and keep their residuals.
/// @param count   rigs, >= 0
/// @param model   [count], of any sizes, the same one twice too
/// @param def     as for er_modal_solve(), for all of them
/// @param out     [count], written: where `result` says ER_OK a new object for er_modes_destroy(); otherwise NULL
/// @param result  [count], written: what each rig came to. One that fails does not stop the others, and the call is
///                ER_OK all the same; the context keeps the sentence of the first of them, "rig 3: ..." of model[3]
/// Errors   ER_ERROR_ARGUMENT (of the call; a model that is NULL is that rig's), ER_ERROR_MEMORY: nothing is made then,
///          and `result` is of no use
/// Memory   allocates the results; scratch for eight rigs a thread. The context's allocator is called by this thread
///          alone.   Threads: one call per context at a time; starts up to er_modal_set_threads() of its own, 8 at
///          most, and ends them.
ER_API er_result er_modal_solve_batch(er_context *context, int count, const er_model *const *model,
                                      const er_modal_def *def, er_modes **out, er_result *result);

/// Modes of one rig again and again, while its stiffness, damping or masses are edited: what an edit leaves valid is
/// kept, and all memory is taken when it is made, so that a slider can be dragged with the modes following.
typedef struct er_modal_solver er_modal_solver;

/// A solver of a model as it stands.
/// @param model  must outlive the solver, which works on a copy of its numbers
/// @param def    as for er_modal_solve(); methods tree (without loops) and sparse, and auto, which falls back on
///               er_modal_solve() where its route refuses the rig or loses digits
/// @param out    ER_OK: a new object for er_modal_solver_destroy(); otherwise NULL
/// Errors   as er_modal_solve(); ER_ERROR_ARGUMENT for other methods
/// Memory   allocates for the most modes that any stiffness can ask for.   Threads: the context's.
ER_API er_result er_modal_solver_create(er_context *context, const er_model *model, const er_modal_def *def,
                                        er_modal_solver **out);

/// Stiffnesses from the next solve on.
/// @param stiffness  [coordinate_count], as er_joint's in the order of er_model.coordinate; >= 0, N m/rad or N/m
/// Errors   ER_ERROR_ARGUMENT (NULL), ER_ERROR_RIG (a value that a model may not have): nothing is changed then
/// Memory   none.   Threads: the context's.
ER_API er_result er_modal_solver_set_stiffness(er_modal_solver *solver, const double *stiffness);

/// Damping from the next solve on.
/// @param damping  [coordinate_count], of the joints in the same order; >= 0, N m s/rad or N s/m
/// @param damping_ratio,rayleigh_mass,rayleigh_stiffness  as in er_model, >= 0
/// Errors, memory, threads   as er_modal_solver_set_stiffness().
ER_API er_result er_modal_solver_set_damping(er_modal_solver *solver, const double *damping, double damping_ratio,
                                             double rayleigh_mass, double rayleigh_stiffness);

/// Masses, centres of mass and inertias from the next solve on; names and poses are not read, er_model.size stays.
/// @param body  [body_count]
/// Errors, memory, threads   as er_modal_solver_set_stiffness().
ER_API er_result er_modal_solver_set_bodies(er_modal_solver *solver, const er_body *body);

/// All of a model from the next solve on: numbers, and where bodies and joints are at equilibrium.
/// @param model  ties as many bodies by joints of the same types as the solver's own did, in the same order; copied
/// Errors   ER_ERROR_ARGUMENT (NULL, other ties): nothing is changed then. Where places of a rig with loops are others,
///          which rows close them is decided anew, and as er_modal_solver_create(): then there is nothing to solve
///          until a model is set
/// Memory   none without loops, or where nothing but numbers differs.   Threads: the context's.
ER_API er_result er_modal_solver_set_model(er_modal_solver *solver, const er_model *model);

/// The modes as things stand. By method auto they are er_modal_solve()'s where the solver's own route refuses or
/// violates M-orthonormality or constraints by more than 1e-9: that takes its time and its memory.
/// @param out  ER_OK: the solver's own, valid until its next solve or its end; otherwise NULL
/// Errors   as er_modal_solve(); the solver can go on with other numbers
/// Memory   none after the first call, but for coupled dampers (er_damped_mode), whose work space grows with the modes
///          they couple, for loops where stiffnesses turn 0 or are 0 no longer, and where method auto falls back.
///          Threads: the context's.
ER_API er_result er_modal_solver_solve(er_modal_solver *solver, const er_modes **out);

/// Frees a solver and its modes. NULL is fine.   Threads: the context's.
ER_API void er_modal_solver_destroy(er_modal_solver *solver);

/// The mode of an index. Indices count all the modes there are, from 0, whether they are held or not: they are what
/// components, tables and files tell modes apart by.
/// @param modes  or NULL, which holds none
/// @return       one of modes->mode; NULL where no mode of this index is held
ER_API const er_mode *er_modes_find(const er_modes *modes, int index);

/// The index of a mode.
/// @param mode  one of modes->mode
ER_API int er_modes_index(const er_modes *modes, const er_mode *mode);

/// Frees the modes. NULL is fine.   Threads: the context's.
ER_API void er_modes_destroy(er_modes *modes);

/// How much of a mode's potential energy each joint holds: k q^2 summed over its coordinates, over the whole. For modes
/// without stiffness, the share of the sum of squared coordinates (lengths in units of the rig's size).
/// @param mode   of this model
/// @param share  [joint_count], written; sums to 1 unless no joint moves, then all 0
ER_API void er_mode_joint_shares(const er_model *model, const er_mode *mode, double *share);

/// How far each joint moves in a mode at the scale it has, rad: the norm of its rotations; of its shifts over the rig's
/// size where it has no rotations.
/// @param mode    of this model
/// @param travel  [joint_count], written
ER_API void er_mode_joint_travel(const er_model *model, const er_mode *mode, double *travel);

// ---- The matrices
//
// What modes are the eigenvectors of, as sparse matrices, for studies of one's own.

/// A sparse matrix: entry k is `value[k]` in row `row[k]` and column `column[k]`, from 0, in no order, none of them
/// twice; all others are 0.
typedef struct er_triplets {
    int row_count, column_count;
    int count;           ///< entries
    const int *row;      ///< [count]
    const int *column;   ///< [count]
    const double *value; ///< [count], finite, not 0
} er_triplets;

/// What a column of N moves. Columns are in this order: roots that float, by body; then joints, by index; then loops.
typedef struct er_admissible {
    int joint; ///< one of whose coordinates changes at unit rate, rad/s or m/s, those of loop joints aside, and with it
               ///< all that hangs on it; -1 in the others
    int body;  ///< a root that floats, and all of its tree with it, at 1 rad/s about an axis of the world through the
               ///< tree's centre of mass, or at 1 m/s along one; -1 in the others. Both -1: joints of loops move
               ///< together, |q'| = 1, shifts in units of the rig's size
    int axis;  ///< 0 to 5: tx ty tz x y z; -1 where both are -1
} er_admissible;

/// The matrices of docs/theory.md 3 and 4 of a rig of n bodies about a pose: velocities v (the stacked body twists
/// (omega; v) of body frames' origins, body axes, [6 n]) obey G v = 0, so v = N p'; free coordinates of joints
/// change at the rates R v. Modes eta = N u solve N'R'KRN u = lambda N'MN u. Read-only; freed by
/// er_modal_matrices_destroy().
typedef struct er_modal_matrices {
    er_triplets M; ///< [6n x 6n], symmetric positive definite, blocks of bodies: their spatial inertia at the frame's
                   ///< origin, body axes; kg m^2, kg m, kg
    er_triplets K; ///< [coordinate_count square], diagonal: springs of joints, N m/rad and N/m
    er_triplets C; ///< likewise: dampers of joints, N m s/rad and N s/m. A rig's damping is R'CR + alpha M + beta R'KR
                   ///< and what er_model.damping_ratio gives each elastic mode
    er_triplets G; ///< [constraint_count x 6n], as er_constraints has it at the pose; m, 1
    er_triplets R; ///< [coordinate_count x 6n], likewise
    er_triplets N; ///< [6n x dof], of full column rank, G N = 0: the motions that joints allow, rad/s and m/s by a
                   ///< column's unit rate; dof is its column_count
    const int *constraint_joint;     ///< [rows of G], the index of its joint
    const int *constraint_axis;      ///< [rows of G], which of (tx ty tz x y z) it holds, 0 to 5
    const int *coordinate_joint;     ///< [coordinate_count], of rows of R, rows and columns of K and C: its joint
    const int *coordinate_axis;      ///< [coordinate_count], which of (tx ty tz x y z) it lets free
    const er_admissible *admissible; ///< [dof], columns of N
    const er_pose *pose;             ///< [n], world poses of the body frames: where all this holds
    struct er_arena *arena;          ///< private
} er_modal_matrices;

/// The matrices of a rig. Springs are at rest at any pose that is asked for, as though it were the equilibrium.
/// @param pose  [body_count], world poses of the body frames, joints together to 1e-6 of the size; NULL: the
/// equilibrium
/// @param out   ER_OK: a new object for er_modal_matrices_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT (a pose that is not finite, or not unit, or parts joints), ER_ERROR_RIG (N of more than
/// 100,000,000 entries; loops and more than
///          ER_MODAL_MAX_COORDINATES coordinates; too many loops), ER_ERROR_MEMORY
/// Memory   allocates the result: of N 96 bytes a body and each coordinate above it, a floating root's six too; where
///          loops move several together, 96 a body of the rig for each such column, and scratch of the square of the
///          coordinates.   Threads: one call per context at a time.
/// Source   docs/theory.md 3 and 4; docs/math/tree.md for the rank that loops leave, decided at 1e-10.
ER_API er_result er_modal_matrices_create(er_context *context, const er_model *model, const er_pose *pose,
                                          er_modal_matrices **out);

/// Frees them. NULL is fine.   Threads: the context's.
ER_API void er_modal_matrices_destroy(er_modal_matrices *matrices);

// ---- Threads

/// Threads the linear algebra may use, for the whole process (it is OpenBLAS's setting); < 1 changes nothing. Small
/// rigs are solved with one whatever is set, since threads would wait for each other longer than they work. It is also
/// the number of threads of er_modal_solve_batch(), up to 8; by default the processor's cores. Nothing changes either
/// where a limit on addresses has no room for the space that OpenBLAS maps for each, 128 MiB.
/// Threads  call before others solve.
ER_API void er_modal_set_threads(int threads);

#ifdef __cplusplus
}
#endif
#endif
