// Shared by the tests of model, constraint, nullspace and modal: rigs built by hand or at random, and a judge that
// rebuilds M, K, G and R from their definitions and solves the pencil by a slow route of its own (Gauss-Jordan
// elimination, Cholesky, cyclic Jacobi), all in long double. Nothing here calls the code that it judges.
#ifndef TESTS_SUPPORT_JUDGE_H
#define TESTS_SUPPORT_JUDGE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include <eigenrig/modal.h>

#include "ledger.h"

typedef long double real;

// ---- measured values

/// Fails unless value <= limit (NaN fails), and keeps the largest value seen under this name.
void measure_at_most(const char *what, double value, double limit);

/// Prints what was measured since the last call, one TAP comment a name.
void measured_report(void);

/// |a - b| / |b|.
double relative_error(double a, double b);

// ---- rigs

enum { RIG_MAX = 256 };

/// Bodies and joints under construction.
typedef struct rig {
    er_body body[RIG_MAX];
    er_joint joint[RIG_MAX];
    int body_count, joint_count;
    double damping_ratio, rayleigh_mass, rayleigh_stiffness;
} rig;

/// A body of principal inertia (about its centre of mass, along the axes of `axes`, given in the world) and centre of
/// mass `com` (world). Its frame is `pose`. Returns its index.
int rig_add_body(rig *r, double mass, er_vec3 principal, er_quat axes, er_vec3 com, er_pose pose);

/// A joint without springs, dampers or limits. Borrowed until the next one is added.
er_joint *rig_add_joint(rig *r, er_joint_type type, int parent, int child, er_pose frame);

/// The definition of a model; the rig is borrowed.
er_model_def rig_def(const rig *r);

/// The validated model; fails the test when it is refused.
er_model *rig_model(er_context *context, const rig *r);

/// The modes of a rig; fails the test when it is refused.
er_modes *rig_modes(er_context *context, const er_model *model, er_modal_method method);

/// Solves with the k-th allocation failing, k = 0, 1, ..., until none does: each failure is one sentence, makes no
/// modes and leaks nothing.
/// @return the number of solves
long solve_starved(const rig *r, const er_modal_def *def);

/// Moves the whole rig by a rigid motion of the world.
void rig_move(rig *r, er_pose motion);

/// Scales all lengths by s: positions by s, inertias by s^2; masses and springs stay.
void rig_scale(rig *r, double s);

/// A closed planar loop of n bodies and n parallel hinges through `corner` [n], normal to the plane of axes x, y of
/// `plane`; the last joint closes it. Links are slender rods of 1 kg/m.
void rig_loop(rig *r, int n, double corner[][2], er_pose plane, double stiffness);

// ---- random things, the same for the same seed, whatever the compiler: one throw a statement, since C leaves the
// order of arguments, operands and initialisers open

typedef struct dice {
    unsigned long long state;
} dice;

double dice_uniform(dice *d, double low, double high);
int dice_below(dice *d, int count);
er_vec3 dice_vec3(dice *d);
er_quat dice_quat(dice *d);
er_pose dice_pose(dice *d);
er_twist dice_twist(dice *d);
er_pose dice_motion(dice *d, double turn, double shift); // by up to so much about, and along, each axis

/// A body that lies anywhere, its frame and its principal axes turned anyhow. Returns its index.
int rig_throw_body(rig *r, dice *d, double mass, er_vec3 principal);

/// A rig of 2 to 9 bodies in general position: mixed joint types, some crossed from child to parent, several roots,
/// free or held, masses over six decades, a fifth of the springs left out, and, where `loops`, joints that close loops,
/// copies of joints among them (redundant constraints).
void rig_random(rig *r, dice *d, bool loops);

// ---- the judge

/// Row-major matrices from the definitions.
typedef struct judge {
    int n; // 6 bodies
    int rows, coordinates, dof;
    real *G;                    // [rows x n]
    real *R;                    // [coordinates x n]
    real *M;                    // [n x n]
    real *k, *c;                // [coordinates]
    real *N;                    // [n x dof], M-orthonormal
    real *lambda;               // [dof], ascending
    real stiffest;              // the largest eigenvalue that one spring has between bodies that nothing else holds
    bool *row_is_linear;        // [rows]
    bool *coordinate_is_linear; // [coordinates]
    int rank, rigid, mechanism;
    double gap; // the largest pivot taken as zero over the smallest kept, in any of the rank decisions
    const er_model *model;
} judge;

judge *judge_create(const er_model *model);
void judge_destroy(judge *j);

double judge_constraint(const judge *j, const er_modes *modes); // max |G eta| / |eta|, lengths in the rig's size
double judge_gram(const judge *j, const er_modes *modes);       // max |eta' M eta - I|
double judge_pencil(const judge *j, const er_modes *modes);     // max |N'(K eta - lambda M eta)| / (largest lambda)
double judge_joint(const judge *j, const er_modes *modes);      // max |joint - R eta| / |eta|, likewise
double judge_rayleigh(const judge *j, const er_modes *modes);   // max |eta'K eta - lambda| / lambda
double judge_frequency(const judge *j, const er_modes *modes);  // max |Hz - judge's Hz| / Hz over elastic modes

/// The two roots mu of a mode, as complex numbers: modes->damped, damped_hz put together.
void damped_roots(const er_modes *modes, int k, long double _Complex mu[2]);

/// max |T'(mu^2 M + mu C + K) eta| over the sum of its terms, over all roots and their shapes; T is N, or the modes
/// held where some were left out.
double judge_damped(const judge *j, const er_modes *modes);

/// |sum mu + tr C| / |C| and |sum mu^2 - |C|^2 + 2 tr K| / (|C|^2 + 2 tr K), in the coordinates of the modes held: with
/// the residuals they say that no root is missing or there twice.
double judge_damped_sum(const judge *j, const er_modes *modes);
double judge_damped_squares(const judge *j, const er_modes *modes);

/// sin of the largest angle between the spans of the orthonormal, column-major [n x k] matrices a and b (an upper
/// bound: the Frobenius norm of b - a a'b).
double subspace_angle(int n, int k, const double *a, const double *b);

#endif
