/// @file
/// Vectors, unit quaternions, rigid poses and twists; null spaces of dense matrices.
///
/// Conventions (docs/theory.md 1): right-handed frames; quaternions (w, x, y, z); a pose (q, p) takes the point x of a
/// frame to R(q) x + p in its parent; a twist is (omega, v), angular part first; matrices are row-major,
/// `m[row][column]`. Inline functions are pure: no memory, no errors, any thread. "Unit" means norm 1 to rounding.
#ifndef EIGENRIG_MATH_H
#define EIGENRIG_MATH_H

#include <eigenrig/base.h>

#include <math.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- Vectors, rotations and poses

#define ER_PI 3.14159265358979323846

/// A vector or a point.
typedef struct er_vec3 {
    double x, y, z;
} er_vec3;

/// A quaternion; a rotation if its norm is 1.
typedef struct er_quat {
    double w, x, y, z;
} er_quat;

/// A 3x3 matrix, row-major.
typedef struct er_mat3 {
    double m[3][3];
} er_mat3;

/// A rigid transform: x goes to R(q) x + p.
typedef struct er_pose {
    er_quat q; ///< unit
    er_vec3 p; ///< m
} er_pose;

/// A velocity or a small displacement of a frame, in some axes at some origin.
typedef struct er_twist {
    er_vec3 angular; ///< rad/s, or rad
    er_vec3 linear;  ///< m/s, or m
} er_twist;

/// A torque and a force, in some axes about some point.
typedef struct er_wrench {
    er_vec3 torque; ///< N m
    er_vec3 force;  ///< N
} er_wrench;

/// An affine transform, the first three rows of a 4x4 matrix: x goes to linear x + translation.
typedef struct er_affine {
    er_mat3 linear;
    er_vec3 translation;
} er_affine;

static inline er_vec3 er_v3(double x, double y, double z)
{
    er_vec3 v = {x, y, z};
    return v;
}

static inline er_vec3 er_v3_add(er_vec3 a, er_vec3 b)
{
    return er_v3(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline er_vec3 er_v3_sub(er_vec3 a, er_vec3 b)
{
    return er_v3(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline er_vec3 er_v3_scale(double s, er_vec3 a)
{
    return er_v3(s * a.x, s * a.y, s * a.z);
}

/// a + s b
static inline er_vec3 er_v3_madd(er_vec3 a, double s, er_vec3 b)
{
    return er_v3(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

static inline double er_v3_dot(er_vec3 a, er_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline er_vec3 er_v3_cross(er_vec3 a, er_vec3 b)
{
    return er_v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline double er_v3_norm(er_vec3 a)
{
    return sqrt(er_v3_dot(a, a));
}

static inline double er_v3_distance(er_vec3 a, er_vec3 b)
{
    return er_v3_norm(er_v3_sub(a, b));
}

/// a / |a|; `fallback` if the sum of squares of a is zero or not finite.
static inline er_vec3 er_v3_unit(er_vec3 a, er_vec3 fallback)
{
    double n = er_v3_norm(a);
    return n > 0.0 && n < HUGE_VAL ? er_v3_scale(1.0 / n, a) : fallback;
}

/// A unit vector orthogonal to the unit vector `a`; equal inputs give equal results.
static inline er_vec3 er_v3_perpendicular(er_vec3 a)
{
    er_vec3 axis = fabs(a.x) <= fabs(a.y) && fabs(a.x) <= fabs(a.z) ? er_v3(1, 0, 0)
                   : fabs(a.y) <= fabs(a.z)                         ? er_v3(0, 1, 0)
                                                                    : er_v3(0, 0, 1);
    return er_v3_unit(er_v3_cross(a, axis), er_v3(1, 0, 0));
}

static inline bool er_v3_finite(er_vec3 a)
{
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

static inline er_quat er_q(double w, double x, double y, double z)
{
    er_quat q = {w, x, y, z};
    return q;
}

static inline er_quat er_q_identity(void)
{
    return er_q(1, 0, 0, 0);
}

/// The rotation a after b: R(a b) = R(a) R(b).
static inline er_quat er_q_mul(er_quat a, er_quat b)
{
    return er_q(a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w);
}

/// The inverse of a unit quaternion.
static inline er_quat er_q_conj(er_quat a)
{
    return er_q(a.w, -a.x, -a.y, -a.z);
}

static inline double er_q_dot(er_quat a, er_quat b)
{
    return a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
}

/// q / |q|, or the identity if |q| is zero or not finite.
static inline er_quat er_q_unit(er_quat q)
{
    double n = sqrt(er_q_dot(q, q));
    return n > 0.0 && n < HUGE_VAL ? er_q(q.w / n, q.x / n, q.y / n, q.z / n) : er_q_identity();
}

/// R(q) v for a unit q: v + 2 w (u x v) + 2 u x (u x v), u the vector part.
static inline er_vec3 er_q_rotate(er_quat q, er_vec3 v)
{
    er_vec3 u = er_v3(q.x, q.y, q.z);
    er_vec3 t = er_v3_scale(2.0, er_v3_cross(u, v));
    return er_v3_add(er_v3_madd(v, q.w, t), er_v3_cross(u, t));
}

/// The rotation by |r| radians about r: exp(r / 2).
static inline er_quat er_q_exp(er_vec3 r)
{
    double angle = er_v3_norm(r);
    double half = 0.5 * angle;
    double s = half < 1e-4 ? 0.5 - angle * angle / 48.0 : sin(half) / angle; // sin(a/2)/a, series where it cancels
    return er_q(cos(half), s * r.x, s * r.y, s * r.z);
}

/// The rotation vector of a unit quaternion, of norm at most pi: the inverse of er_q_exp().
static inline er_vec3 er_q_log(er_quat q)
{
    er_vec3 u = er_v3(q.x, q.y, q.z);
    double s = er_v3_norm(u);
    double sign = q.w < 0.0 ? -1.0 : 1.0;
    double scale = s < 1e-8 ? 2.0 : 2.0 * atan2(s, fabs(q.w)) / s;
    return er_v3_scale(sign * scale, u);
}

/// The smallest rotation from the unit vector `up` to +Y; about X if `up` is -Y.
static inline er_quat er_q_upright(er_vec3 up)
{
    if (up.y < -1.0 + 1e-9) return er_q(0, 1, 0, 0); // close to -Y the axis is only rounding error
    er_vec3 axis = er_v3_cross(up, er_v3(0, 1, 0));
    return er_q_unit(er_q(1.0 + up.y, axis.x, axis.y, axis.z));
}

/// Interpolates between a (t = 0) and b (t = 1) at constant speed along the shorter arc; unit inputs, unit result.
static inline er_quat er_q_slerp(er_quat a, er_quat b, double t)
{
    er_quat d = er_q_mul(er_q_conj(a), b);
    return er_q_unit(er_q_mul(a, er_q_exp(er_v3_scale(t, er_q_log(d)))));
}

static inline er_mat3 er_m3_identity(void)
{
    er_mat3 r = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    return r;
}

static inline er_vec3 er_m3_mul_v(er_mat3 a, er_vec3 v)
{
    return er_v3(a.m[0][0] * v.x + a.m[0][1] * v.y + a.m[0][2] * v.z,
                 a.m[1][0] * v.x + a.m[1][1] * v.y + a.m[1][2] * v.z,
                 a.m[2][0] * v.x + a.m[2][1] * v.y + a.m[2][2] * v.z);
}

static inline er_mat3 er_m3_mul(er_mat3 a, er_mat3 b)
{
    er_mat3 r;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            r.m[i][j] = a.m[i][0] * b.m[0][j] + a.m[i][1] * b.m[1][j] + a.m[i][2] * b.m[2][j];
    return r;
}

static inline er_mat3 er_m3_transpose(er_mat3 a)
{
    er_mat3 r;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            r.m[i][j] = a.m[j][i];
    return r;
}

/// a + s b
static inline er_mat3 er_m3_madd(er_mat3 a, double s, er_mat3 b)
{
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            a.m[i][j] += s * b.m[i][j];
    return a;
}

static inline er_vec3 er_m3_column(er_mat3 a, int j)
{
    return er_v3(a.m[0][j], a.m[1][j], a.m[2][j]);
}

static inline double er_m3_det(er_mat3 a)
{
    return er_v3_dot(er_m3_column(a, 0), er_v3_cross(er_m3_column(a, 1), er_m3_column(a, 2)));
}

/// The inverse by cofactors; not finite if the determinant is zero.
static inline er_mat3 er_m3_inverse(er_mat3 a)
{
    er_vec3 c0 = er_m3_column(a, 0), c1 = er_m3_column(a, 1), c2 = er_m3_column(a, 2);
    double s = 1.0 / er_m3_det(a);
    er_vec3 r0 = er_v3_scale(s, er_v3_cross(c1, c2)), r1 = er_v3_scale(s, er_v3_cross(c2, c0)),
            r2 = er_v3_scale(s, er_v3_cross(c0, c1));
    er_mat3 r = {{{r0.x, r0.y, r0.z}, {r1.x, r1.y, r1.z}, {r2.x, r2.y, r2.z}}};
    return r;
}

/// The cross-product matrix: er_m3_skew(a) b = a x b.
static inline er_mat3 er_m3_skew(er_vec3 a)
{
    er_mat3 r = {{{0, -a.z, a.y}, {a.z, 0, -a.x}, {-a.y, a.x, 0}}};
    return r;
}

/// a b'
static inline er_mat3 er_m3_outer(er_vec3 a, er_vec3 b)
{
    er_mat3 r = {
        {{a.x * b.x, a.x * b.y, a.x * b.z}, {a.y * b.x, a.y * b.y, a.y * b.z}, {a.z * b.x, a.z * b.y, a.z * b.z}}};
    return r;
}

/// The rotation matrix of a unit quaternion.
static inline er_mat3 er_m3_from_q(er_quat q)
{
    er_mat3 r = {{{1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y - q.w * q.z), 2 * (q.x * q.z + q.w * q.y)},
                  {2 * (q.x * q.y + q.w * q.z), 1 - 2 * (q.x * q.x + q.z * q.z), 2 * (q.y * q.z - q.w * q.x)},
                  {2 * (q.x * q.z - q.w * q.y), 2 * (q.y * q.z + q.w * q.x), 1 - 2 * (q.x * q.x + q.y * q.y)}}};
    return r;
}

/// The unit quaternion with w >= 0 of a rotation matrix (Shepperd 1978: the largest of four candidates avoids
/// cancellation).
static inline er_quat er_q_from_m3(er_mat3 a)
{
    double xx = a.m[0][0], yy = a.m[1][1], zz = a.m[2][2], trace = xx + yy + zz;
    er_quat q;
    if (trace >= xx && trace >= yy && trace >= zz)
        q = er_q(1 + trace, a.m[2][1] - a.m[1][2], a.m[0][2] - a.m[2][0], a.m[1][0] - a.m[0][1]);
    else if (xx >= yy && xx >= zz)
        q = er_q(a.m[2][1] - a.m[1][2], 1 + xx - yy - zz, a.m[0][1] + a.m[1][0], a.m[0][2] + a.m[2][0]);
    else if (yy >= zz)
        q = er_q(a.m[0][2] - a.m[2][0], a.m[0][1] + a.m[1][0], 1 - xx + yy - zz, a.m[1][2] + a.m[2][1]);
    else
        q = er_q(a.m[1][0] - a.m[0][1], a.m[0][2] + a.m[2][0], a.m[1][2] + a.m[2][1], 1 - xx - yy + zz);
    q = er_q_unit(q);
    return q.w < 0.0 ? er_q(-q.w, -q.x, -q.y, -q.z) : q;
}

static inline er_pose er_pose_identity(void)
{
    er_pose r = {er_q_identity(), {0, 0, 0}};
    return r;
}

/// a after b: the frame b, given in frame a, as a pose in a's parent.
static inline er_pose er_pose_mul(er_pose a, er_pose b)
{
    er_pose r = {er_q_mul(a.q, b.q), er_v3_add(er_q_rotate(a.q, b.p), a.p)};
    return r;
}

static inline er_pose er_pose_inverse(er_pose a)
{
    er_quat q = er_q_conj(a.q);
    er_pose r = {q, er_v3_scale(-1.0, er_q_rotate(q, a.p))};
    return r;
}

/// The displacement of a body from one pose to another, D = to from^-1: it moves the world point x to D x.
static inline er_pose er_pose_displacement(er_pose from, er_pose to)
{
    return er_pose_mul(to, er_pose_inverse(from));
}

static inline er_vec3 er_pose_point(er_pose a, er_vec3 x)
{
    return er_v3_add(er_q_rotate(a.q, x), a.p);
}

/// The point of frame a at the parent's point x: the inverse of er_pose_point().
static inline er_vec3 er_pose_point_inverse(er_pose a, er_vec3 x)
{
    return er_q_rotate(er_q_conj(a.q), er_v3_sub(x, a.p));
}

/// Ad(chi) v: the same motion seen from frame j, for chi: x_j = R(chi.q) x_b + chi.p (docs/theory.md 1, (4-11)).
/// omega_j = R omega_b, v_j = R v_b + p x R omega_b.
static inline er_twist er_twist_transform(er_pose chi, er_twist v)
{
    er_vec3 angular = er_q_rotate(chi.q, v.angular);
    er_twist r = {angular, er_v3_add(er_q_rotate(chi.q, v.linear), er_v3_cross(chi.p, angular))};
    return r;
}

/// The pose reached from the identity in unit time at the constant body twist v: exp on SE(3) (Murray, Li, Sastry 1994,
/// prop. 2.9).
static inline er_pose er_pose_exp(er_twist v)
{
    er_vec3 w = v.angular;
    double t2 = er_v3_dot(w, w), t = sqrt(t2);
    // a = (1 - cos t) / t^2, b = (t - sin t) / t^3, by series where they cancel
    double a = t < 1e-3 ? 0.5 - t2 / 24.0 : (1.0 - cos(t)) / t2;
    double b = t < 1e-3 ? 1.0 / 6.0 - t2 / 120.0 : (t - sin(t)) / (t2 * t);
    er_vec3 wv = er_v3_cross(w, v.linear);
    er_pose r = {er_q_exp(w), er_v3_madd(er_v3_madd(v.linear, a, wv), b, er_v3_cross(w, wv))};
    return r;
}

static inline er_affine er_affine_identity(void)
{
    er_affine r = {er_m3_identity(), {0, 0, 0}};
    return r;
}

/// a after b.
static inline er_affine er_affine_mul(er_affine a, er_affine b)
{
    er_affine r = {er_m3_mul(a.linear, b.linear), er_v3_add(er_m3_mul_v(a.linear, b.translation), a.translation)};
    return r;
}

static inline er_vec3 er_affine_point(er_affine a, er_vec3 x)
{
    return er_v3_add(er_m3_mul_v(a.linear, x), a.translation);
}

/// The inverse; not finite if the linear part is singular.
static inline er_affine er_affine_inverse(er_affine a)
{
    er_mat3 inverse = er_m3_inverse(a.linear);
    er_affine r = {inverse, er_v3_scale(-1.0, er_m3_mul_v(inverse, a.translation))};
    return r;
}

static inline er_affine er_affine_from_pose(er_pose a)
{
    er_affine r = {er_m3_from_q(a.q), a.p};
    return r;
}

/// x goes to translation + R(rotation) (scale x), component by component.
static inline er_affine er_affine_from_trs(er_vec3 translation, er_quat rotation, er_vec3 scale)
{
    er_affine r = {er_m3_from_q(rotation), translation};
    for (int i = 0; i < 3; ++i) {
        r.linear.m[i][0] *= scale.x;
        r.linear.m[i][1] *= scale.y;
        r.linear.m[i][2] *= scale.z;
    }
    return r;
}

// ---- Null spaces

/// How to compute the basis of a null space.
typedef enum er_nullspace_method {
    ER_NULLSPACE_QR, ///< A' P = Q T with column pivoting, columns of Q beyond the rank: faster
    ER_NULLSPACE_SVD ///< right singular vectors of A beyond the rank: the most reliable rank
} er_nullspace_method;

/// null(A) of an m x n matrix A.
typedef struct er_nullspace {
    int column_count; ///< n
    int nullity;      ///< n - rank: columns of the basis
    int rank;
    int zero_diagonals;   ///< min(m, n) - rank: zeros on the diagonal of T, or zero singular values
    double smallest_kept; ///< smallest pivot (singular value) counted in the rank, relative to the largest; 1 if rank 0
    double largest_zero;  ///< largest one treated as zero, relative to the largest; 0 if there is none
    const double *basis;  ///< [n x nullity], column-major, orthonormal
    struct er_arena *arena; ///< private
} er_nullspace;

/// Computes a null space. Rows of A are first scaled to unit norm, so that the tolerance means the same for rows in rad
/// and in m; rows whose squares sum to 0 are left out. The rank is the number of pivots, or singular values, above tol
/// times the largest.
/// @param m    >= 0
/// @param n    >= 0
/// @param A    [m x n], column-major, finite; not NULL even if empty
/// @param tol  relative, in (0, 1). 1e-10 suits rigs: rounding puts dependent rows near 1e-15
/// @param out  ER_OK: a new object for er_nullspace_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT (also a row that is not finite or has no norm in doubles), ER_ERROR_NO_CONVERGENCE,
///          ER_ERROR_MEMORY
/// Memory   allocates the result; scratch of order n^2 + m n doubles.   Threads: one call per context at a time.
/// Source   docs/theory.md 4; Golub & Van Loan, Matrix Computations, 4th ed., 5.4 and 5.5.
ER_API er_result er_nullspace_create(er_context *context, er_nullspace_method method, int m, int n, const double *A,
                                     double tol, er_nullspace **out);

/// Frees the basis. NULL is fine.   Threads: the context's.
ER_API void er_nullspace_destroy(er_nullspace *nullspace);

#ifdef __cplusplus
}
#endif
#endif
