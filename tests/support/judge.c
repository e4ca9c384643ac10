// Rigs for tests, and the judge: M, K, G and R from their definitions, the pencil by elimination and Jacobi.
#include "judge.h"

#include <complex.h>
#include <float.h>
#include <stdio.h>
#include <string.h>

typedef long double _Complex cplx;

// Long double carries the judge: its pencil loses digits as the square of the frequencies' spread.
_Static_assert(LDBL_MANT_DIG >= 64, "the judge needs a long double of 64 bits or more");

static void *allocate(int count, size_t size)
{
    void *memory = calloc((size_t)count + 1, size);
    assert_non_null(memory);
    return memory;
}

// ---- measured values

static struct {
    const char *what;
    double value, limit;
} measured[64];
static int measured_count;

void measure_at_most(const char *what, double value, double limit)
{
    int i = 0;
    while (i < measured_count && strcmp(measured[i].what, what) != 0)
        ++i;
    if (i == measured_count) {
        assert_true(measured_count < 64);
        measured[measured_count].what = what;
        measured[measured_count].value = 0.0;
        measured[measured_count++].limit = limit;
    }
    measured[i].value = fmax(measured[i].value, value);
    if (!(value <= limit)) fail_msg("%s: %.3e is above %.0e", what, value, limit);
}

void measured_report(void)
{
    for (int i = 0; i < measured_count; ++i)
        printf("# measured %s: %.1e of %.0e\n", measured[i].what, measured[i].value, measured[i].limit);
    measured_count = 0;
}

double relative_error(double a, double b)
{
    return fabs(a - b) / fabs(b);
}

// ---- rigs

int rig_add_body(rig *r, double mass, er_vec3 principal, er_quat axes, er_vec3 com, er_pose pose)
{
    assert_true(r->body_count < RIG_MAX);
    // J in body axes: B diag B', B taking the principal axes to the body's
    er_mat3 b = er_m3_from_q(er_q_mul(er_q_conj(pose.q), axes));
    er_mat3 diagonal = {{{principal.x, 0, 0}, {0, principal.y, 0}, {0, 0, principal.z}}};
    er_body body = {"body", mass, er_pose_point_inverse(pose, com),
                    er_m3_mul(b, er_m3_mul(diagonal, er_m3_transpose(b))), pose};
    r->body[r->body_count] = body;
    return r->body_count++;
}

er_joint *rig_add_joint(rig *r, er_joint_type type, int parent, int child, er_pose frame)
{
    assert_true(r->joint_count < RIG_MAX);
    er_joint *j = &r->joint[r->joint_count++];
    *j = er_default_joint();
    j->name = "joint";
    j->parent = parent;
    j->child = child;
    j->type = type;
    j->frame = frame;
    if (type == ER_JOINT_SCREW) j->pitch = 0.5;
    return j;
}

er_model_def rig_def(const rig *r)
{
    er_model_def def = er_default_model_def();
    def.body_count = r->body_count;
    def.body = r->body;
    def.joint_count = r->joint_count;
    def.joint = r->joint;
    def.damping_ratio = r->damping_ratio;
    def.rayleigh_mass = r->rayleigh_mass;
    def.rayleigh_stiffness = r->rayleigh_stiffness;
    return def;
}

er_model *rig_model(er_context *context, const rig *r)
{
    er_model_def def = rig_def(r);
    er_model *model = NULL;
    if (er_model_create(context, &def, &model) != ER_OK) fail_msg("model: %s", er_context_error(context));
    return model;
}

er_modes *rig_modes(er_context *context, const er_model *model, er_modal_method method)
{
    er_modal_def def = er_default_modal_def();
    def.method = method;
    er_modes *modes = NULL;
    if (er_modal_solve(context, model, &def, &modes) != ER_OK) fail_msg("modes: %s", er_context_error(context));
    return modes;
}

long solve_starved(const rig *r, const er_modal_def *def)
{
    er_result result = ER_ERROR_MEMORY;
    long k = 0;
    for (; result != ER_OK; ++k) {
        ledger l = {.left = LEDGER_ALL};
        er_context *own = ledger_context(&l);
        er_model *model = rig_model(own, r);
        er_modes *modes = (er_modes *)&l; // not NULL
        l.left = k;
        result = er_modal_solve(own, model, def, &modes);
        assert_true(result == ER_OK ||
                    (result == ER_ERROR_MEMORY && modes == NULL && er_context_error(own)[0] != '\0'));
        er_modes_destroy(modes);
        er_model_destroy(model);
        ledger_end(&l, own);
    }
    return k;
}

void rig_move(rig *r, er_pose motion)
{
    for (int i = 0; i < r->body_count; ++i)
        r->body[i].pose = er_pose_mul(motion, r->body[i].pose);
    for (int i = 0; i < r->joint_count; ++i)
        r->joint[i].frame = er_pose_mul(motion, r->joint[i].frame);
}

void rig_scale(rig *r, double s)
{
    for (int i = 0; i < r->body_count; ++i) {
        er_body *b = &r->body[i];
        b->pose.p = er_v3_scale(s, b->pose.p);
        b->com = er_v3_scale(s, b->com);
        b->inertia = er_m3_madd((er_mat3){0}, s * s, b->inertia);
    }
    for (int i = 0; i < r->joint_count; ++i) {
        r->joint[i].frame.p = er_v3_scale(s, r->joint[i].frame.p);
        r->joint[i].pitch *= s;
    }
}

void rig_loop(rig *r, int n, double corner[][2], er_pose plane, double stiffness)
{
    for (int i = 0; i < n; ++i) {
        const double *a = corner[i], *b = corner[(i + 1) % n];
        double dx = b[0] - a[0], dy = b[1] - a[1], length = hypot(dx, dy), inertia = length * length * length / 12.0;
        er_pose along = {er_q_exp(er_v3(0, 0, atan2(dy, dx))), er_v3(a[0], a[1], 0)};
        er_pose pose = er_pose_mul(plane, along);
        // a slender rod, given a radius of gyration of a tenth of its length about its own axis
        er_vec3 principal = er_v3(0.01 * length * length * length, inertia, inertia);
        rig_add_body(r, length, principal, pose.q, er_pose_point(pose, er_v3(0.5 * length, 0, 0)), pose);
    }
    for (int i = 0; i < n; ++i) {
        er_pose corner_pose = {er_q_identity(), er_v3(corner[(i + 1) % n][0], corner[(i + 1) % n][1], 0)};
        er_joint *j = rig_add_joint(r, ER_JOINT_REVOLUTE, i, (i + 1) % n, er_pose_mul(plane, corner_pose));
        j->stiffness[0] = stiffness;
        j->closes_loop = i == n - 1;
    }
}

// ---- random things

double dice_uniform(dice *d, double low, double high)
{
    // splitmix64 (Steele, Lea, Flood 2014)
    unsigned long long z = (d->state += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return low + (high - low) * (double)((z ^ (z >> 31)) >> 11) / 9007199254740992.0;
}

int dice_below(dice *d, int count)
{
    return (int)dice_uniform(d, 0.0, count);
}

er_vec3 dice_vec3(dice *d)
{
    double x = dice_uniform(d, -1, 1), y = dice_uniform(d, -1, 1), z = dice_uniform(d, -1, 1);
    return er_v3(x, y, z);
}

er_quat dice_quat(dice *d)
{
    double w = dice_uniform(d, -1, 1);
    er_vec3 v = dice_vec3(d);
    return er_q_unit(er_q(w, v.x, v.y, v.z));
}

er_pose dice_pose(dice *d)
{
    er_quat q = dice_quat(d);
    er_pose p = {q, dice_vec3(d)};
    return p;
}

er_twist dice_twist(dice *d)
{
    er_vec3 angular = dice_vec3(d), linear = dice_vec3(d);
    return (er_twist){angular, linear};
}

er_pose dice_motion(dice *d, double turn, double shift)
{
    er_twist by = dice_twist(d);
    return (er_pose){er_q_exp(er_v3_scale(turn, by.angular)), er_v3_scale(shift, by.linear)};
}

int rig_throw_body(rig *r, dice *d, double mass, er_vec3 principal)
{
    er_quat axes = dice_quat(d);
    er_vec3 com = dice_vec3(d);
    return rig_add_body(r, mass, principal, axes, com, dice_pose(d));
}

static void random_springs(er_joint *j, dice *d)
{
    for (int i = 0; i < er_joint_type_freedom(j->type, NULL); ++i) {
        j->stiffness[i] = dice_below(d, 5) == 0 ? 0.0 : pow(10.0, dice_uniform(d, 0, 2));
        j->damping[i] = dice_uniform(d, 0, 1e-3);
    }
}

void rig_random(rig *r, dice *d, bool loops)
{
    static const er_joint_type tree_types[] = {
        ER_JOINT_REVOLUTE, ER_JOINT_SCREW,       ER_JOINT_SPHERICAL, ER_JOINT_SPHERICAL,      ER_JOINT_UNIVERSAL,
        ER_JOINT_FIXED,    ER_JOINT_CYLINDRICAL, ER_JOINT_PLANAR,    ER_JOINT_POINT_ON_PLANE, ER_JOINT_PRISMATIC};
    static const er_joint_type loop_types[] = {ER_JOINT_POINT_ON_PLANE, ER_JOINT_SPHERICAL, ER_JOINT_PLANAR,
                                               ER_JOINT_POINT_ON_PLANE, ER_JOINT_FREE};
    memset(r, 0, sizeof *r);
    int n = 2 + dice_below(d, 8);
    for (int i = 0; i < n; ++i) {
        er_pose pose = dice_pose(d);
        double mass = pow(10.0, dice_uniform(d, -3, 3)), s[3];
        for (int k = 0; k < 3; ++k) { // second moments of a solid some decimetres across
            double extent = dice_uniform(d, 0.05, 0.4);
            s[k] = mass * extent * extent;
        }
        er_vec3 com = er_v3_madd(pose.p, 0.3, dice_vec3(d));
        rig_add_body(r, mass, er_v3(s[1] + s[2], s[2] + s[0], s[0] + s[1]), dice_quat(d), com, pose);
        int other = i > 0 && dice_below(d, 8) > 0 ? dice_below(d, i) : -1; // now and then a root of its own
        if (other < 0 && dice_below(d, 2) == 0) continue;                  // a free one
        er_joint_type type = other < 0 && dice_below(d, 4) == 0 ? ER_JOINT_FREE : tree_types[dice_below(d, 10)];
        bool reversed = other >= 0 && dice_below(d, 3) == 0;
        random_springs(rig_add_joint(r, type, reversed ? i : other, reversed ? other : i, dice_pose(d)), d);
    }
    for (int i = loops ? 1 + dice_below(d, 3) : 0; i > 0; --i) {
        int a = dice_below(d, n), b = (a + 1 + dice_below(d, n - 1)) % n;
        er_joint *j;
        if (r->joint_count > 0 && dice_below(d, 3) == 0) {
            er_joint copy = r->joint[dice_below(d, r->joint_count)];
            j = rig_add_joint(r, copy.type, copy.parent, copy.child, copy.frame);
        } else {
            er_joint_type type = loop_types[dice_below(d, 5)];
            int parent = dice_below(d, 4) == 0 ? -1 : a;
            j = rig_add_joint(r, type, parent, b, dice_pose(d));
        }
        random_springs(j, d);
        j->closes_loop = true;
    }
}

// ---- small linear algebra in long double, row-major

static real *matrix(int rows, int cols)
{
    return allocate(rows * cols, sizeof(real));
}

static real *product(int m, int k, int n, const real *a, const real *b) // a [m x k] b [k x n]
{
    real *c = matrix(m, n);
    for (int i = 0; i < m; ++i)
        for (int l = 0; l < k; ++l)
            for (int j = 0; j < n; ++j)
                c[i * n + j] += a[i * k + l] * b[l * n + j];
    return c;
}

static real *product_t(int m, int k, int n, const real *a, const real *b) // a' [m x k] b [k x n], a being [k x m]
{
    real *c = matrix(m, n);
    for (int l = 0; l < k; ++l)
        for (int i = 0; i < m; ++i)
            for (int j = 0; j < n; ++j)
                c[i * n + j] += a[l * m + i] * b[l * n + j];
    return c;
}

// Gauss-Jordan elimination with complete pivoting of a copy of A, rows first scaled to unit norm: the rank, and a basis
// [n x (n - rank)] of the null space with a unit matrix in the rows of the columns that hold no pivot.
static int eliminate(int m, int n, const real *A, real **basis, double *gap)
{
    real *a = matrix(m, n), smallest = 1.0L, largest = 0.0L;
    int *column = allocate(n, sizeof(int)), rank = 0;
    for (int i = 0; i < m; ++i) {
        real norm = 0.0L;
        for (int j = 0; j < n; ++j)
            norm += A[i * n + j] * A[i * n + j];
        for (int j = 0; j < n && norm > 0.0L; ++j)
            a[i * n + j] = A[i * n + j] / sqrtl(norm);
    }
    for (int j = 0; j < n; ++j)
        column[j] = j;
    for (; rank < m && rank < n; ++rank) {
        int pi = rank, pj = rank;
        for (int i = rank; i < m; ++i)
            for (int j = rank; j < n; ++j)
                if (fabsl(a[i * n + column[j]]) > fabsl(a[pi * n + column[pj]])) {
                    pi = i;
                    pj = j;
                }
        real pivot = a[pi * n + column[pj]];
        if (fabsl(pivot) < 1e-11L) {
            largest = fabsl(pivot);
            break;
        }
        smallest = fminl(smallest, fabsl(pivot));
        int swap = column[rank];
        column[rank] = column[pj];
        column[pj] = swap;
        for (int j = 0; j < n; ++j) {
            real x = a[pi * n + j];
            a[pi * n + j] = a[rank * n + j];
            a[rank * n + j] = x / pivot;
        }
        for (int i = 0; i < m; ++i) {
            real factor = a[i * n + column[rank]];
            for (int j = 0; i != rank && j < n; ++j)
                a[i * n + j] -= factor * a[rank * n + j];
        }
    }
    *gap = fmax(*gap, (double)(largest / smallest));
    if (basis != NULL) {
        int k = n - rank;
        *basis = matrix(n, k);
        for (int j = 0; j < k; ++j) {
            (*basis)[column[rank + j] * k + j] = 1.0L;
            for (int i = 0; i < rank; ++i)
                (*basis)[column[i] * k + j] = -a[i * n + column[rank + j]];
        }
    }
    free(a);
    free(column);
    return rank;
}

// A [n x n] = L L', L over the lower triangle of A.
static void cholesky(int n, real *a)
{
    for (int j = 0; j < n; ++j)
        for (int i = j; i < n; ++i) {
            real sum = a[i * n + j];
            for (int k = 0; k < j; ++k)
                sum -= a[i * n + k] * a[j * n + k];
            if (i == j) assert_true(sum > 0.0L);
            a[i * n + j] = i == j ? sqrtl(sum) : sum / a[j * n + j];
        }
}

// X <- X L'^-1, X [m x n]
static void divide_by_factor(int m, int n, const real *l, real *x)
{
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) {
            for (int k = 0; k < j; ++k)
                x[i * n + j] -= x[i * n + k] * l[j * n + k];
            x[i * n + j] /= l[j * n + j];
        }
}

static int ascending(const void *a, const void *b)
{
    real x = *(const real *)a, y = *(const real *)b;
    return (x > y) - (x < y);
}

// Eigenvalues of the symmetric a [n x n] (destroyed) by cyclic Jacobi rotations (Golub & Van Loan 8.5), ascending.
static void jacobi(int n, real *a, real *values)
{
    for (int sweep = 0; sweep < 60; ++sweep) {
        bool rotated = false;
        for (int p = 0; p < n; ++p)
            for (int q = p + 1; q < n; ++q) {
                real x = a[p * n + q];
                if (fabsl(x) <= 1e-19L * sqrtl(fabsl(a[p * n + p] * a[q * n + q]))) continue;
                rotated = true;
                real theta = (a[q * n + q] - a[p * n + p]) / (2.0L * x);
                real t = (theta < 0.0L ? -1.0L : 1.0L) / (fabsl(theta) + sqrtl(theta * theta + 1.0L));
                real c = 1.0L / sqrtl(t * t + 1.0L), s = t * c;
                for (int k = 0; k < n; ++k) {
                    real u = a[k * n + p], v = a[k * n + q];
                    a[k * n + p] = c * u - s * v;
                    a[k * n + q] = s * u + c * v;
                }
                for (int k = 0; k < n; ++k) {
                    real u = a[p * n + k], v = a[q * n + k];
                    a[p * n + k] = c * u - s * v;
                    a[q * n + k] = s * u + c * v;
                }
            }
        if (!rotated) break;
    }
    for (int i = 0; i < n; ++i)
        values[i] = a[i * n + i];
    qsort(values, (size_t)n, sizeof(real), ascending);
}

// ---- the judge

typedef struct rvec {
    real x[3];
} rvec;

static rvec wide(er_vec3 v)
{
    return (rvec){{v.x, v.y, v.z}};
}

static rvec cross(rvec a, rvec b)
{
    return (rvec){
        {a.x[1] * b.x[2] - a.x[2] * b.x[1], a.x[2] * b.x[0] - a.x[0] * b.x[2], a.x[0] * b.x[1] - a.x[1] * b.x[0]}};
}

static rvec add(rvec a, real s, rvec b)
{
    return (rvec){{a.x[0] + s * b.x[0], a.x[1] + s * b.x[1], a.x[2] + s * b.x[2]}};
}

static real dot(rvec a, rvec b)
{
    return a.x[0] * b.x[0] + a.x[1] * b.x[1] + a.x[2] * b.x[2];
}

// Column k of the rotation matrix of q: the frame's axis k in the world.
static rvec axis(er_quat q, int k)
{
    real w = q.w, x = q.x, y = q.y, z = q.z, s = w * w + x * x + y * y + z * z;
    rvec columns[3] = {{{w * w + x * x - y * y - z * z, 2 * (x * y + w * z), 2 * (x * z - w * y)}},
                       {{2 * (x * y - w * z), w * w - x * x + y * y - z * z, 2 * (y * z + w * x)}},
                       {{2 * (x * z + w * y), 2 * (y * z - w * x), w * w - x * x - y * y + z * z}}};
    return (rvec){{columns[k].x[0] / s, columns[k].x[1] / s, columns[k].x[2] / s}};
}

// Coordinate `row` of the velocity, in a joint's frame, of the point of a body that lies at the joint's origin, when
// the body's twist is the unit twist `column`: found in the world.
static real end_velocity(const er_body *b, er_pose frame, int row, int column)
{
    rvec direction = axis(b->pose.q, column % 3), turn = {{0}}, velocity = {{0}};
    if (column < 3) {
        turn = direction;
        velocity = cross(turn, add(wide(frame.p), -1.0L, wide(b->pose.p)));
    } else {
        velocity = direction;
    }
    return dot(axis(frame.q, row % 3), row < 3 ? turn : velocity);
}

// a' M_b b for unit twists, from the kinetic energy: m v_a . v_b + w_a . J w_b with v the centre of mass's velocity.
static real inertia_between(const er_body *body, int a, int b)
{
    rvec w[2], v[2];
    for (int k = 0; k < 2; ++k) {
        int at = k == 0 ? a : b;
        w[k] = v[k] = (rvec){{0}};
        (at < 3 ? &w[k] : &v[k])->x[at % 3] = 1.0L;
        v[k] = add(v[k], 1.0L, cross(w[k], wide(body->com)));
    }
    real sum = (real)body->mass * dot(v[0], v[1]);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            sum += w[0].x[i] * (real)body->inertia.m[i][j] * w[1].x[j];
    return sum;
}

// A screw's shift has its turn times the pitch subtracted.
static real rate_at(const er_body *b, const er_joint *j, int row, int column)
{
    real rate = end_velocity(b, j->frame, row, column);
    if (row == 5 && j->type == ER_JOINT_SCREW) rate -= j->pitch * end_velocity(b, j->frame, 2, column);
    return rate;
}

static void assemble(judge *j, const er_model *model)
{
    int row = 0;
    for (int k = 0; k < model->joint_count; ++k) {
        const er_joint *joint = &model->joint[k];
        int freedom[6], count = er_joint_type_freedom(joint->type, freedom);
        for (int i = 0, next = 0; i < 6; ++i) {
            bool is_free = next < count && freedom[next] == i;
            int at = is_free ? model->coordinate[k] + next : row;
            real *into = (is_free ? j->R : j->G) + at * j->n;
            for (int c = 0; c < 6; ++c) {
                into[6 * joint->child + c] += rate_at(&model->body[joint->child], joint, i, c);
                if (joint->parent >= 0)
                    into[6 * joint->parent + c] -= rate_at(&model->body[joint->parent], joint, i, c);
            }
            if (is_free) {
                j->k[at] = joint->stiffness[next];
                j->c[at] = joint->damping[next];
                j->coordinate_is_linear[at] = i >= 3;
                ++next;
            } else {
                j->row_is_linear[row++] = i >= 3;
            }
        }
    }
    for (int b = 0; b < model->body_count; ++b)
        for (int i = 0; i < 6; ++i)
            for (int c = 0; c < 6; ++c)
                j->M[(6 * b + i) * j->n + 6 * b + c] = inertia_between(&model->body[b], i, c);
}

// The rank of G with those rows of R below it that `held` names, lengths in units of the rig's size.
static int stacked_rank(judge *j, const bool *held, real **basis)
{
    int rows = j->rows;
    real *a = matrix(j->rows + j->coordinates, j->n), size = j->model->size;
    memcpy(a, j->G, (size_t)j->rows * (size_t)j->n * sizeof(real));
    for (int i = 0; i < j->coordinates; ++i)
        if (held[i]) memcpy(a + rows++ * j->n, j->R + i * j->n, (size_t)j->n * sizeof(real));
    for (int i = 0; i < rows * j->n; ++i)
        a[i] *= i % 6 < 3 ? 1.0L : size;
    int rank = eliminate(rows, j->n, a, basis, &j->gap);
    for (int i = 0; basis != NULL && i < j->n; ++i)
        for (int c = 0; c < j->n - rank; ++c)
            (*basis)[i * (j->n - rank) + c] *= i % 6 < 3 ? 1.0L : size;
    free(a);
    return rank;
}

// A motion of eigenvalue 0 keeps every spring at rest; it is rigid when it moves no joint at all but a spring-free
// joint of six freedoms to the world, which is the world's way to say "free root".
static void count_kinds(judge *j)
{
    bool *held = allocate(j->coordinates, sizeof(bool));
    j->rank = stacked_rank(j, held, &j->N);
    j->dof = j->n - j->rank;
    for (int i = 0; i < j->coordinates; ++i)
        held[i] = j->k[i] > 0.0L;
    int zero = j->n - stacked_rank(j, held, NULL);
    for (int k = 0; k < j->model->joint_count; ++k)
        for (int i = j->model->coordinate[k]; i < j->model->coordinate[k + 1]; ++i)
            held[i] = held[i] || j->model->joint[k].type != ER_JOINT_FREE || j->model->joint[k].parent >= 0;
    j->rigid = j->n - stacked_rank(j, held, NULL);
    j->mechanism = zero - j->rigid;
    free(held);
}

// max k R M^-1 R' over springs.
static real stiffest_spring(const judge *j)
{
    int size = j->n * j->n, springs = j->coordinates * j->n;
    real *L = matrix(j->n, j->n), *RL = matrix(j->coordinates, j->n), stiffest = 0.0L;
    memcpy(L, j->M, (size_t)size * sizeof(real));
    memcpy(RL, j->R, (size_t)springs * sizeof(real));
    cholesky(j->n, L);
    divide_by_factor(j->coordinates, j->n, L, RL);
    for (int i = 0; i < j->coordinates; ++i) {
        real square = 0.0L;
        for (int c = 0; c < j->n; ++c)
            square += RL[i * j->n + c] * RL[i * j->n + c];
        stiffest = fmaxl(stiffest, j->k[i] * square);
    }
    free(L);
    free(RL);
    return stiffest;
}

judge *judge_create(const er_model *model)
{
    judge *j = allocate(1, sizeof *j);
    j->model = model;
    j->n = 6 * model->body_count;
    j->coordinates = model->coordinate_count;
    j->rows = 6 * model->joint_count - j->coordinates;
    j->G = matrix(j->rows, j->n);
    j->R = matrix(j->coordinates, j->n);
    j->M = matrix(j->n, j->n);
    j->k = matrix(j->coordinates, 1);
    j->c = matrix(j->coordinates, 1);
    j->row_is_linear = allocate(j->rows, sizeof(bool));
    j->coordinate_is_linear = allocate(j->coordinates, sizeof(bool));
    assemble(j, model);
    count_kinds(j);
    j->stiffest = stiffest_spring(j);

    // N <- N L'^-1 with N'MN = L L', then the eigenvalues of N'R'KRN
    real *MN = product(j->n, j->n, j->dof, j->M, j->N), *L = product_t(j->dof, j->n, j->dof, j->N, MN);
    cholesky(j->dof, L);
    divide_by_factor(j->n, j->dof, L, j->N);
    real *RN = product(j->coordinates, j->n, j->dof, j->R, j->N);
    for (int i = 0; i < j->coordinates * j->dof; ++i)
        RN[i] *= sqrtl(j->k[i / j->dof]);
    real *K = product_t(j->dof, j->coordinates, j->dof, RN, RN);
    j->lambda = matrix(j->dof, 1);
    jacobi(j->dof, K, j->lambda);
    free(MN);
    free(L);
    free(RN);
    free(K);
    return j;
}

void judge_destroy(judge *j)
{
    real *owned[] = {j->G, j->R, j->M, j->k, j->c, j->N, j->lambda};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; ++i)
        free(owned[i]);
    free(j->row_is_linear);
    free(j->coordinate_is_linear);
    free(j);
}

// Mode shapes as the columns of a row-major [n x count] matrix.
static real *shapes(const judge *j, const er_modes *modes)
{
    real *eta = matrix(j->n, modes->count);
    for (int i = 0; i < j->n; ++i)
        for (int k = 0; k < modes->count; ++k)
            eta[i * modes->count + k] = modes->mode[k].body[i];
    return eta;
}

// |eta_k|, lengths in units of the rig's size.
static real largest_motion(const judge *j, const real *eta, int count, int k)
{
    real largest = 0.0L;
    for (int i = 0; i < j->n; ++i)
        largest = fmaxl(largest, fabsl(eta[i * count + k]) / (i % 6 < 3 ? 1.0L : (real)j->model->size));
    return largest;
}

double judge_constraint(const judge *j, const er_modes *modes)
{
    int count = modes->count;
    real *eta = shapes(j, modes), *leak = product(j->rows, j->n, count, j->G, eta), worst = 0.0L;
    for (int k = 0; k < count; ++k) {
        real largest = largest_motion(j, eta, count, k);
        for (int i = 0; i < j->rows; ++i) {
            real unit = j->row_is_linear[i] ? j->model->size : 1.0L;
            worst = fmaxl(worst, fabsl(leak[i * count + k]) / (largest * unit));
        }
    }
    free(eta);
    free(leak);
    return (double)worst;
}

double judge_gram(const judge *j, const er_modes *modes)
{
    int count = modes->count;
    real *eta = shapes(j, modes), *Meta = product(j->n, j->n, count, j->M, eta);
    real *gram = product_t(count, j->n, count, eta, Meta), worst = 0.0L;
    for (int i = 0; i < count * count; ++i)
        worst = fmaxl(worst, fabsl(gram[i] - (i / count == i % count ? 1.0L : 0.0L)));
    free(eta);
    free(Meta);
    free(gram);
    return (double)worst;
}

// K R eta, [coordinates x count].
static real *spring_forces(const judge *j, const real *eta, int count)
{
    real *f = product(j->coordinates, j->n, count, j->R, eta);
    for (int i = 0; i < j->coordinates * count; ++i)
        f[i] *= j->k[i / count];
    return f;
}

double judge_pencil(const judge *j, const er_modes *modes)
{
    int count = modes->count;
    real *eta = shapes(j, modes), *f = spring_forces(j, eta, count);
    real *forces = product_t(j->n, j->coordinates, count, j->R, f), *Meta = product(j->n, j->n, count, j->M, eta);
    for (int i = 0; i < j->n * count; ++i)
        forces[i] -= (real)modes->mode[i % count].eigenvalue * Meta[i];
    real *residual = product_t(j->dof, j->n, count, j->N, forces), worst = 0.0L;
    for (int k = 0; k < count; ++k) {
        real sum = 0.0L;
        for (int i = 0; i < j->dof; ++i)
            sum += residual[i * count + k] * residual[i * count + k];
        worst = fmaxl(worst, sqrtl(sum));
    }
    free(eta);
    free(f);
    free(forces);
    free(Meta);
    free(residual);
    return j->dof > j->rigid + j->mechanism ? (double)(worst / j->lambda[j->dof - 1]) : 0.0;
}

double judge_joint(const judge *j, const er_modes *modes)
{
    int count = modes->count;
    real *eta = shapes(j, modes), *q = product(j->coordinates, j->n, count, j->R, eta), worst = 0.0L;
    for (int k = 0; k < count; ++k) {
        real largest = largest_motion(j, eta, count, k);
        for (int i = 0; i < j->coordinates; ++i) {
            real unit = j->coordinate_is_linear[i] ? j->model->size : 1.0L;
            worst = fmaxl(worst, fabsl(q[i * count + k] - (real)modes->mode[k].joint[i]) / (largest * unit));
        }
    }
    free(eta);
    free(q);
    return (double)worst;
}

double judge_rayleigh(const judge *j, const er_modes *modes)
{
    int count = modes->count;
    real *eta = shapes(j, modes), *q = product(j->coordinates, j->n, count, j->R, eta), worst = 0.0L;
    for (int k = 0; k < count; ++k) {
        real energy = 0.0L, lambda = modes->mode[k].eigenvalue;
        for (int i = 0; i < j->coordinates; ++i)
            energy += j->k[i] * q[i * count + k] * q[i * count + k];
        if (modes->mode[k].kind == ER_MODE_ELASTIC) worst = fmaxl(worst, fabsl(energy - lambda) / lambda);
    }
    free(eta);
    free(q);
    return (double)worst;
}

double judge_frequency(const judge *j, const er_modes *modes)
{
    double worst = 0.0;
    for (int k = 0; k < modes->count; ++k) {
        if (modes->mode[k].kind != ER_MODE_ELASTIC) continue;
        double hz = (double)(sqrtl(j->lambda[k]) / (2.0L * 3.14159265358979323846L));
        worst = fmax(worst, relative_error(modes->mode[k].frequency_hz, hz));
    }
    return worst;
}

// ---- damping

void damped_roots(const er_modes *modes, int k, cplx mu[2])
{
    const double *decay = modes->damped[k].decay;
    real turn = 2.0L * 3.14159265358979323846L * (real)modes->mode[k].damped_hz;
    mu[0] = -(real)decay[0] + turn * _Complex_I;
    mu[1] = -(real)decay[1] - turn * _Complex_I;
}

// T' A eta for the inertial, the damping and the elastic matrix, each row-major [rows x count].
typedef struct damped_pencil {
    int rows;
    real *M, *C, *K;
} damped_pencil;

static damped_pencil damped_pencil_create(const judge *j, const er_modes *modes, const real *T, int rows)
{
    int count = modes->count;
    real *eta = shapes(j, modes), *Meta = product(j->n, j->n, count, j->M, eta);
    real *q = product(j->coordinates, j->n, count, j->R, eta), *f = matrix(j->coordinates, count);
    damped_pencil p = {rows, product_t(rows, j->n, count, T, Meta), NULL, NULL};
    real *forces[2];
    for (int which = 0; which < 2; ++which) {
        for (int i = 0; i < j->coordinates * count; ++i)
            f[i] = (which == 0 ? j->c : j->k)[i / count] * q[i];
        forces[which] = product_t(j->n, j->coordinates, count, j->R, f);
    }
    p.C = product_t(rows, j->n, count, T, forces[0]);
    p.K = product_t(rows, j->n, count, T, forces[1]);
    for (int i = 0; i < rows * count; ++i) {
        // eta_k' M eta_l is 1 or 0, so that the ratio's matrix takes eta_k to 2 zeta omega_k M eta_k
        real omega = sqrtl((real)modes->mode[i % count].eigenvalue);
        p.C[i] += ((real)j->model->rayleigh_mass + 2.0L * (real)j->model->damping_ratio * omega) * p.M[i] +
                  (real)j->model->rayleigh_stiffness * p.K[i];
    }
    free(eta);
    free(Meta);
    free(q);
    free(f);
    free(forces[0]);
    free(forces[1]);
    return p;
}

static void damped_pencil_destroy(damped_pencil p)
{
    free(p.M);
    free(p.C);
    free(p.K);
}

static real damped_residual(damped_pencil p, int count, cplx mu, const cplx *u, real stiffest)
{
    real norm[4] = {0};
    for (int i = 0; i < p.rows; ++i) {
        cplx term[4] = {0};
        for (int k = 0; k < count; ++k) {
            term[0] += mu * mu * p.M[i * count + k] * u[k];
            term[1] += mu * p.C[i * count + k] * u[k];
            term[2] += p.K[i * count + k] * u[k];
        }
        term[3] = term[0] + term[1] + term[2];
        for (int t = 0; t < 4; ++t)
            norm[t] = hypotl(norm[t], cabsl(term[t]));
    }
    // K eta of doubles is rounded by eps times what the stiffest spring makes of it, also where it should be 0: in
    // mechanisms, and where loops lock all springs there are
    return norm[3] / (norm[0] + norm[1] + fmaxl(norm[2], 1e-4L * stiffest));
}

double judge_damped(const judge *j, const er_modes *modes)
{
    int count = modes->count;
    bool whole = count == j->dof;
    real *eta = shapes(j, modes), worst = 0.0L;
    damped_pencil p = damped_pencil_create(j, modes, whole ? j->N : eta, whole ? j->dof : count);
    cplx *u = allocate(count, sizeof *u);
    for (int k = 0; k < modes->damped_count; ++k) {
        const double *const *shape = modes->damped[k].shape;
        cplx mu[2];
        damped_roots(modes, k, mu);
        bool pair = modes->mode[k].damped_hz > 0.0;
        for (int side = 0; side < (pair ? 1 : 2); ++side) {
            real norm = 0.0L;
            for (int i = 0; i < count; ++i) {
                u[i] = shape[0] == NULL ? i == k : pair ? shape[0][i] + shape[1][i] * _Complex_I : shape[side][i];
                norm = hypotl(norm, cabsl(u[i]));
            }
            assert_true(fabsl(norm - 1.0L) < 1e-14L);
            worst = fmaxl(worst, damped_residual(p, count, mu[side], u, j->stiffest));
        }
    }
    damped_pencil_destroy(p);
    free(eta);
    free(u);
    return (double)worst;
}

double judge_damped_sum(const judge *j, const er_modes *modes)
{
    int count = modes->count;
    real *eta = shapes(j, modes), trace = 0.0L;
    damped_pencil p = damped_pencil_create(j, modes, eta, count);
    cplx sum = 0.0L, mu[2];
    for (int k = 0; k < count; ++k) {
        damped_roots(modes, k, mu);
        sum += mu[0] + mu[1];
        trace += p.C[k * count + k];
    }
    damped_pencil_destroy(p);
    free(eta);
    return (double)(cabsl(sum + trace) / (trace + 1e-9L * sqrtl(j->lambda[j->dof - 1])));
}

double judge_damped_squares(const judge *j, const er_modes *modes)
{
    int count = modes->count;
    real *eta = shapes(j, modes), squares = 0.0L, springs = 0.0L;
    damped_pencil p = damped_pencil_create(j, modes, eta, count);
    cplx sum = 0.0L, mu[2];
    for (int k = 0; k < count; ++k) {
        damped_roots(modes, k, mu);
        sum += mu[0] * mu[0] + mu[1] * mu[1];
        springs += 2.0L * p.K[k * count + k];
    }
    for (int i = 0; i < count * count; ++i)
        squares += p.C[i] * p.C[i];
    damped_pencil_destroy(p);
    free(eta);
    return squares + springs > 0.0L ? (double)(cabsl(sum - squares + springs) / (squares + springs)) : 0.0;
}

double subspace_angle(int n, int k, const double *a, const double *b)
{
    real sum = 0.0L;
    for (int c = 0; c < k; ++c) {
        real *rest = matrix(n, 1);
        for (int i = 0; i < n; ++i)
            rest[i] = b[i + c * n];
        for (int d = 0; d < k; ++d) {
            real overlap = 0.0L;
            for (int i = 0; i < n; ++i)
                overlap += (real)a[i + d * n] * (real)b[i + c * n];
            for (int i = 0; i < n; ++i)
                rest[i] -= overlap * (real)a[i + d * n];
        }
        for (int i = 0; i < n; ++i)
            sum += rest[i] * rest[i];
        free(rest);
    }
    return (double)sqrtl(sum);
}
