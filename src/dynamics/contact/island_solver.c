/// @file
/// Solves the contacts of small islands to convergence (docs/math/contact.md): a few sweeps settle neither a tower nor
/// a box that lands flat. The velocities that solve a sub-step minimise a convex function, and Newton's method finds
/// them.
#include <math.h>
#include <string.h>

#include "dynamics/contact/contact_solver.h"

enum { MAX_ROUNDS = 8, MAX_STEPS = 12, MAX_SEARCH = 20, MAX_BODIES = 200, MIN_CONTACTS = 3 };

static const double max_island_work = 5e5,
                    max_step_work = 2e6;                // multiplications of one factorization, of all in a step
static const double tolerated = 1e-5, converged = 1e-6; // of the speed that gravity gives in a sub-step
static const double least_rigidity = 10.0, rigidity = 1e3, most_rigidity = 1e4; // of a contact's effective mass

// How a contact takes part in the equations.
typedef enum contact_state { CONTACT_OPEN, CONTACT_SLIDES, CONTACT_STICKS } contact_state;

struct eri_island_contact {
    eri_contact_point *point;
    int slot[2], row[2]; // in V, and in the island's matrix; -1: static
    er_vec3 n, arm[2];
    const eri_contact_grain *grain;             // NULL: none
    double normal_mass, tangent_mass, friction; // kg: effective masses; the larger coefficient
    er_vec3 impulse, total;                     // N s, on the second body
    er_vec3 driven;                             // m/s: eri_contact_drive of the sub-step
    double distance, bias;                      // m, m/s
    double normal_stiff, tangent_stiff;         // kg
    er_vec3 base;                               // N s: the impulse at which a solution starts
    double load;                                // N s: it bounds friction
    er_vec3 w, dw;                              // m/s: relative velocity of the trial, and its change along the step
    er_vec3 force;                              // N s: what the trial asks for
    contact_state state;                        // in the factored matrix
};

struct eri_contact_island {
    eri_island_contact *contact;
    int contact_count, body_count;
    int *slot;        // [body_count], in the order of the matrix
    int *first;       // [body_count]: the first block of each row of blocks
    double **row;     // [6 body_count]: rows of the factor, from column 6 first[r / 6] on
    er_mat3 *inertia; // [body_count], world axes
    double *x;        // [6 body_count]: a step
    double *change;   // [6 body_count]: of the trial's velocities
    double factored;  // the rigidity of the factor; 0: none
    double work;      // of a factorization
};

// ---- Velocities

static double *velocity(const eri_contacts *s, int slot)
{
    return s->state.V + ERI_LANE_COUNT * (size_t)slot;
}

static er_vec3 get(const double *x)
{
    return er_v3(x[0], x[1], x[2]);
}

static er_vec3 point_velocity(const double *x, er_vec3 arm)
{
    return er_v3_add(get(x + 3), er_v3_cross(get(x), arm));
}

static er_vec3 relative_velocity(const eri_contacts *s, const eri_island_contact *c)
{
    er_vec3 second = er_v3_add(point_velocity(velocity(s, c->slot[1]), c->arm[1]), c->driven);
    return er_v3_sub(second, point_velocity(velocity(s, c->slot[0]), c->arm[0]));
}

static void apply(eri_contacts *s, eri_island_contact *c, er_vec3 impulse)
{
    er_vec3 change = er_v3_sub(impulse, c->impulse);
    c->impulse = impulse;
    for (int k = 0; k < 2; ++k) {
        if (c->row[k] < 0) continue;
        const eri_solver_body *b = &s->bodies.body[c->slot[k]];
        const double *I = b->inverse_inertia, sign = k == 0 ? -1.0 : 1.0;
        double *x = velocity(s, c->slot[k]);
        er_vec3 t = er_v3_scale(sign, er_v3_cross(c->arm[k], change)), p = er_v3_scale(sign * b->inverse_mass, change);
        x[0] += I[0] * t.x + I[3] * t.y + I[4] * t.z;
        x[1] += I[3] * t.x + I[1] * t.y + I[5] * t.z;
        x[2] += I[4] * t.x + I[5] * t.y + I[2] * t.z;
        x[3] += p.x, x[4] += p.y, x[5] += p.z;
    }
}

// ---- Sweeps

static er_vec3 in_cone(double normal, er_vec3 slip, const eri_island_contact *c, double load)
{
    double size = er_v3_norm(slip), most = c->friction * load;
    if (c->grain != NULL) return er_v3_madd(eri_grain_clamp_vector(c->grain, c->n, load, slip), normal, c->n);
    return er_v3_madd(er_v3_scale(normal, c->n), size > most ? most / size : 1.0, slip);
}

// The impulse that suits one contact if no other changes.
static er_vec3 own_solution(const eri_island_contact *c, er_vec3 w)
{
    double load = er_v3_dot(c->n, c->impulse), speed = er_v3_dot(c->n, w);
    double normal = fmax(load - (speed + c->bias) * c->normal_mass, 0.0);
    er_vec3 slip = er_v3_madd(c->impulse, -load, c->n), across = er_v3_madd(w, -speed, c->n);
    return in_cone(normal, er_v3_madd(slip, -c->tangent_mass, across), c, normal);
}

// How far the contacts are from their solutions, m/s.
static double residual(const eri_contacts *s, const eri_contact_island *g)
{
    double most = 0.0;
    for (int i = 0; i < g->contact_count; ++i) {
        const eri_island_contact *c = &g->contact[i];
        er_vec3 change = er_v3_sub(own_solution(c, relative_velocity(s, c)), c->impulse);
        most = fmax(most, er_v3_norm(change) / fmax(c->normal_mass, c->tangent_mass));
    }
    return most;
}

static void sweep(eri_contacts *s, eri_contact_island *g)
{
    for (int i = 0; i < g->contact_count; ++i) {
        eri_island_contact *c = &g->contact[i];
        er_vec3 slip = er_v3_madd(c->impulse, -er_v3_dot(c->n, c->impulse), c->n);
        double normal = er_v3_dot(c->n, own_solution(c, relative_velocity(s, c)));
        apply(s, c, er_v3_madd(slip, normal, c->n));
        er_vec3 w = relative_velocity(s, c), across = er_v3_madd(w, -er_v3_dot(c->n, w), c->n);
        apply(s, c, in_cone(normal, er_v3_madd(slip, -c->tangent_mass, across), c, normal));
    }
}

// ---- Equations

static double inner(const double *a, const double *b, int n)
{
    double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        s0 += a[i] * b[i];
        s1 += a[i + 1] * b[i + 1];
        s2 += a[i + 2] * b[i + 2];
        s3 += a[i + 3] * b[i + 3];
    }
    for (; i < n; ++i)
        s0 += a[i] * b[i];
    return (s0 + s1) + (s2 + s3);
}

// A contact's law: the impulse that it asks for at a relative velocity. @param slip  set: friction before its bound
static double law_of(const eri_island_contact *c, er_vec3 w, er_vec3 *slip)
{
    double w_n = er_v3_dot(c->n, w), b_n = er_v3_dot(c->n, c->base);
    er_vec3 across = er_v3_madd(w, -w_n, c->n);
    *slip = er_v3_madd(er_v3_madd(c->base, -b_n, c->n), -c->tangent_stiff, across);
    return fmax(b_n - c->normal_stiff * (w_n + c->bias), 0.0);
}

static er_vec3 force_at(const eri_island_contact *c, er_vec3 w)
{
    er_vec3 slip;
    double normal = law_of(c, w, &slip);
    return in_cone(normal, slip, c, c->load);
}

static contact_state state_at(const eri_island_contact *c)
{
    er_vec3 slip;
    if (!(law_of(c, c->w, &slip) > 0.0)) return CONTACT_OPEN;
    bool slides = er_v3_norm(slip) > c->friction * c->load;
    if (c->grain != NULL) eri_grain_derivative(c->grain, c->n, c->load, slip, &slides);
    return slides ? CONTACT_SLIDES : CONTACT_STICKS;
}

// The derivative of the law, with the opposite sign, kg.
static er_mat3 stiffness_of(const eri_island_contact *c)
{
    er_vec3 slip;
    double n = law_of(c, c->w, &slip) > 0.0 ? c->normal_stiff : 0.0, t = c->tangent_stiff, along = t;
    double size = er_v3_norm(slip), most = c->friction * c->load;
    if (size > most) t *= most / size, along = 0.0;
    er_vec3 s = size > 0.0 ? er_v3_scale(1.0 / size, slip) : slip;
    const double x[3] = {c->n.x, c->n.y, c->n.z}, y[3] = {s.x, s.y, s.z};
    er_mat3 W;
    bool slides;
    if (c->grain != NULL) W = eri_grain_derivative(c->grain, c->n, c->load, slip, &slides);
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            W.m[i][k] = c->grain != NULL ? c->tangent_stiff * W.m[i][k] + n * x[i] * x[k]
                                         : (n - t) * x[i] * x[k] + (along - t) * y[i] * y[k] + (i == k ? t : 0.0);
    return W;
}

// The velocity of a point by a body's: J = (-[arm]x, 1).
static void jacobian(er_vec3 r, double J[3][6])
{
    const double rows[3][6] = {{0, r.z, -r.y, 1, 0, 0}, {-r.z, 0, r.x, 0, 1, 0}, {r.y, -r.x, 0, 0, 0, 1}};
    memcpy(J, rows, sizeof rows);
}

static void add_block(eri_contact_island *g, int a, int b, double J[3][6], double WK[3][6], double sign)
{
    int first = 6 * g->first[a];
    for (int i = 0; i < 6; ++i)
        for (int k = 0; k < 6; ++k)
            g->row[6 * a + i][6 * b + k - first] +=
                sign * (J[0][i] * WK[0][k] + J[1][i] * WK[1][k] + J[2][i] * WK[2][k]);
}

static void add_contact(eri_contact_island *g, const eri_island_contact *c)
{
    er_mat3 W = stiffness_of(c);
    double J[2][3][6], WJ[2][3][6];
    for (int e = 0; e < 2; ++e) {
        jacobian(c->arm[e], J[e]);
        for (int i = 0; i < 3; ++i)
            for (int k = 0; k < 6; ++k)
                WJ[e][i][k] = W.m[i][0] * J[e][0][k] + W.m[i][1] * J[e][1][k] + W.m[i][2] * J[e][2][k];
    }
    for (int e = 0; e < 2; ++e) {
        int a = c->row[e], b = c->row[1 - e];
        if (a < 0) continue;
        add_block(g, a, a, J[e], WJ[e], 1.0);
        if (b >= 0 && b < a) add_block(g, a, b, J[e], WJ[1 - e], -1.0);
    }
}

// The momentum of a change of velocity.
static void momentum_of(const eri_contacts *s, const eri_contact_island *g, int b, const double *change, double *out)
{
    double mass = 1.0 / s->bodies.body[g->slot[b]].inverse_mass;
    er_vec3 L = er_m3_mul_v(g->inertia[b], get(change));
    out[0] = L.x, out[1] = L.y, out[2] = L.z;
    for (int i = 3; i < 6; ++i)
        out[i] = mass * change[i];
}

static void set_matrix(const eri_contacts *s, eri_contact_island *g)
{
    for (int b = 0; b < g->body_count; ++b) {
        int at = 6 * (b - g->first[b]);
        for (int i = 0; i < 6; ++i) {
            double *row = g->row[6 * b + i];
            memset(row, 0, (size_t)(at + 6) * sizeof *row);
            for (int k = 0; k < 3 && i < 3; ++k)
                row[at + k] = g->inertia[b].m[i][k];
            if (i >= 3) row[at + i] = 1.0 / s->bodies.body[g->slot[b]].inverse_mass;
        }
    }
    for (int i = 0; i < g->contact_count; ++i)
        if (g->contact[i].state != CONTACT_OPEN) add_contact(g, &g->contact[i]);
}

static void factor(eri_contact_island *g)
{
    for (int r = 0; r < 6 * g->body_count; ++r) {
        int first = 6 * g->first[r / 6];
        double *row = g->row[r];
        for (int c = first; c <= r; ++c) {
            int other = 6 * g->first[c / 6], from = first > other ? first : other;
            double sum = row[c - first] - inner(row + from - first, g->row[c] + from - other, c - from);
            row[c - first] = c < r ? sum / g->row[c][c - other] : sqrt(sum);
        }
    }
}

// Factors the matrix of the contacts' states, unless it is the one that is factored.
static void prepare_factor(eri_contacts *s, eri_contact_island *g, double rigid)
{
    bool is_same = g->factored == rigid;
    for (int i = 0; i < g->contact_count; ++i) {
        eri_island_contact *c = &g->contact[i];
        contact_state now = state_at(c);
        is_same &= now == c->state && (now != CONTACT_SLIDES || c->friction * c->load == 0.0);
        c->state = now;
    }
    if (is_same) return;
    set_matrix(s, g);
    factor(g);
    g->factored = rigid;
    s->direct.work += g->work;
}

// x: the step of Newton's method.
static void find_step(const eri_contacts *s, eri_contact_island *g)
{
    int n = 6 * g->body_count;
    for (int b = 0; b < g->body_count; ++b)
        momentum_of(s, g, b, g->change + 6 * (size_t)b, g->x + 6 * (size_t)b);
    for (int r = 0; r < n; ++r)
        g->x[r] = -g->x[r];
    for (int i = 0; i < g->contact_count; ++i) {
        const eri_island_contact *c = &g->contact[i];
        er_vec3 extra = er_v3_sub(c->force, c->impulse);
        for (int e = 0; e < 2; ++e) {
            if (c->row[e] < 0) continue;
            double *x = g->x + 6 * (size_t)c->row[e];
            er_vec3 f = er_v3_scale(e == 0 ? -1.0 : 1.0, extra), t = er_v3_cross(c->arm[e], f);
            x[0] += t.x, x[1] += t.y, x[2] += t.z, x[3] += f.x, x[4] += f.y, x[5] += f.z;
        }
    }
    for (int r = 0; r < n; ++r) {
        int first = 6 * g->first[r / 6];
        g->x[r] = (g->x[r] - inner(g->row[r], g->x + first, r - first)) / g->row[r][r - first];
    }
    for (int r = n - 1; r >= 0; --r) {
        int first = 6 * g->first[r / 6];
        const double *row = g->row[r];
        g->x[r] /= row[r - first];
        for (int c = first; c < r; ++c)
            g->x[c] -= row[c - first] * g->x[r];
    }
}

// ---- Newton's method

// The slope of the function along the step.
typedef struct descent {
    double begin, curve; // of the kinetic part
} descent;

static double slope_at(const eri_contact_island *g, const descent *a, double t)
{
    double sum = a->begin + t * a->curve;
    for (int i = 0; i < g->contact_count; ++i) {
        const eri_island_contact *c = &g->contact[i];
        sum -= er_v3_dot(er_v3_sub(force_at(c, er_v3_madd(c->w, t, c->dw)), c->impulse), c->dw);
    }
    return sum;
}

static er_vec3 change_at(const eri_island_contact *c, const double *x)
{
    er_vec3 w = {0, 0, 0};
    if (c->row[1] >= 0) w = point_velocity(x + 6 * (size_t)c->row[1], c->arm[1]);
    if (c->row[0] >= 0) w = er_v3_sub(w, point_velocity(x + 6 * (size_t)c->row[0], c->arm[0]));
    return w;
}

// The share of the step that minimises the function, to a tenth of its slope at the beginning.
static double search(const eri_contact_island *g, const descent *a)
{
    double begin = slope_at(g, a, 0.0), low = 0.0, high = 1.0, at_low = begin, at_high = slope_at(g, a, 1.0), t = 1.0;
    if (at_high <= 0.1 * fabs(begin)) return 1.0;
    for (int k = 0; k < MAX_SEARCH; ++k) {
        t = low + (high - low) * fmin(fmax(at_low / (at_low - at_high), 0.05), 0.95);
        double at = slope_at(g, a, t);
        if (fabs(at) <= 0.1 * fabs(begin)) break;
        if (at < 0.0)
            low = t, at_low = at;
        else
            high = t, at_high = at;
    }
    return t;
}

// One step; returns the largest change of a contact's speed.
static double step(eri_contacts *s, eri_contact_island *g, double rigid)
{
    descent a = {0.0, 0.0};
    double most = 0.0;
    prepare_factor(s, g, rigid);
    find_step(s, g);
    for (int b = 0; b < g->body_count; ++b) {
        const double *x = g->x + 6 * (size_t)b;
        double p[6];
        momentum_of(s, g, b, x, p);
        a.begin += inner(p, g->change + 6 * (size_t)b, 6);
        a.curve += inner(p, x, 6);
    }
    for (int i = 0; i < g->contact_count; ++i)
        g->contact[i].dw = change_at(&g->contact[i], g->x);
    double t = search(g, &a);
    for (int i = 0; i < 6 * g->body_count; ++i)
        g->change[i] += t * g->x[i];
    for (int i = 0; i < g->contact_count; ++i) {
        eri_island_contact *c = &g->contact[i];
        c->w = er_v3_madd(c->w, t, c->dw);
        c->force = force_at(c, c->w);
        most = fmax(most, t * er_v3_norm(c->dw));
    }
    return most;
}

// Minimises the function, with friction bounded by the present load. @return false, and no change, if it fails
static bool minimize(eri_contacts *s, eri_contact_island *g, double rigid, double tolerance)
{
    memset(g->change, 0, 6 * (size_t)g->body_count * sizeof *g->change);
    for (int i = 0; i < g->contact_count; ++i) {
        eri_island_contact *c = &g->contact[i];
        c->base = c->impulse;
        c->normal_stiff = rigid * c->normal_mass;
        c->tangent_stiff = rigid * c->tangent_mass;
        c->load = er_v3_dot(c->n, c->impulse);
        c->w = relative_velocity(s, c);
        c->force = force_at(c, c->w);
    }
    int k = 0;
    while (k < MAX_STEPS && s->direct.work < max_step_work && rigid * step(s, g, rigid) > tolerance)
        ++k;
    if (k == MAX_STEPS || s->direct.work >= max_step_work) return false;
    for (int i = 0; i < g->contact_count; ++i)
        apply(s, &g->contact[i], g->contact[i].force);
    return true;
}

static void solve_island(eri_contacts *s, eri_contact_island *g, double speed)
{
    double rigid = rigidity;
    bool is_near = residual(s, g) <= tolerated * speed;
    sweep(s, g); // alone it settles what is near
    for (int round = 0; !is_near && round < MAX_ROUNDS && residual(s, g) > converged * speed; ++round) {
        bool is_solved = minimize(s, g, rigid, converged * speed);
        rigid = is_solved ? fmin(10.0 * rigid, most_rigidity) : least_rigidity;
        if (!is_solved) sweep(s, g);
    }
}

// ---- Passes

static void set_bias(const eri_contacts *s, eri_island_contact *c, const eri_worker_context *p, eri_softness soft,
                     bool use_bias)
{
    if (use_bias) {
        er_vec3 run = er_v3(0, 0, 0);
        if (s->narrow.drive != NULL) {
            const eri_contact_drive *d = &s->narrow.drive[c->point - s->narrow.now.point];
            c->driven = er_v3_madd(d->velocity, p->middle, d->acceleration);
            run = er_v3_scale(p->begin, er_v3_madd(d->velocity, 0.5 * p->begin, d->acceleration));
        }
        const double *D = s->state.displacement;
        er_vec3 moved = er_v3_sub(point_velocity(D + ERI_LANE_COUNT * (size_t)c->slot[1], c->arm[1]),
                                  point_velocity(D + ERI_LANE_COUNT * (size_t)c->slot[0], c->arm[0]));
        c->distance = c->point->distance + er_v3_dot(c->n, er_v3_add(moved, run));
    }
    c->bias = c->distance / p->h;
    if (c->distance < 0.0) c->bias = use_bias ? fmax(soft.bias_rate * c->distance, -soft.push_out) : 0.0;
}

void eri_island_solver_solve(eri_contacts *s, const eri_worker_context *p, eri_softness soft, bool use_bias)
{
    for (int i = 0; i < s->direct.count; ++i) {
        eri_contact_island *g = &s->direct.island[i];
        for (int k = 0; k < g->contact_count; ++k)
            set_bias(s, &g->contact[k], p, soft, use_bias);
        solve_island(s, g, p->gravity_speed);
        for (int k = 0; k < g->contact_count && !use_bias; ++k)
            g->contact[k].total = er_v3_add(g->contact[k].total, g->contact[k].impulse);
    }
}

void eri_island_solver_warm_start(eri_contacts *s)
{
    for (int i = 0; i < s->direct.count; ++i)
        for (int k = 0; k < s->direct.island[i].contact_count; ++k) {
            eri_island_contact *c = &s->direct.island[i].contact[k];
            er_vec3 impulse = c->impulse;
            c->impulse = er_v3(0, 0, 0);
            apply(s, c, impulse);
        }
}

void eri_island_solver_store(eri_contacts *s)
{
    for (int i = 0; i < s->direct.count; ++i)
        for (int k = 0; k < s->direct.island[i].contact_count; ++k) {
            const eri_island_contact *c = &s->direct.island[i].contact[k];
            const eri_contact_frame frame = eri_contact_frame_of(c->point);
            c->point->distance = c->distance;
            for (int d = 0; d < 3; ++d) {
                c->point->impulse[d] = er_v3_dot(frame.axis[d], c->impulse);
                c->point->total[d] = er_v3_dot(frame.axis[d], c->total);
            }
        }
}

// ---- Prepare

// The slot of an island, by a contact of it; -1 if none of its sides moves.   @param root  the island of each slot
static int root_of(const eri_contacts *s, const int *root, const eri_contact_point *c)
{
    int a = eri_moving_slot(&s->bodies, c->shape[0]), b = eri_moving_slot(&s->bodies, c->shape[1]);
    return a >= 0 ? root[a] : b >= 0 ? root[b] : -1;
}

typedef struct island_counts {
    int bodies, contacts;
} island_counts;

// Counts the bodies and contacts of each island, at its root. Articulations count as too many.
static void count_islands(const eri_contacts *s, const int *root, island_counts *count)
{
    for (int i = s->bodies.static_count; i < s->bodies.width / ERI_LANE_COUNT; ++i)
        count[root[i]].bodies += i < s->bodies.count ? 1 : MAX_BODIES + 1;
    for (int i = 0; i < s->narrow.now.point_count; ++i) {
        int at = root_of(s, root, &s->narrow.now.point[i]);
        if (at >= 0) ++count[at].contacts;
    }
}

// Small and, unlike heaps of balls, with so many contacts for its bodies that sweeps do not settle it.
static bool is_small(const eri_contacts *s, const island_counts *count, int slot)
{
    return count[slot].contacts >= MIN_CONTACTS * count[slot].bodies && count[slot].bodies <= MAX_BODIES &&
           !eri_slot_is_asleep(&s->sleep, slot);
}

static void set_contact(const er_world *w, eri_contact_island *g, eri_contact_point *point)
{
    eri_contact_constraint k = eri_contact_constraint_of(w, point);
    eri_contact_constraint_prepare(w, &k);
    eri_island_contact *c = &g->contact[g->contact_count++];
    *c = (eri_island_contact){.point = point, .friction = point->friction, .n = point->normal};
    c->grain = eri_grain_at(w->contacts, point);
    if (c->grain != NULL) c->friction = fmax(c->grain->friction[0], c->grain->friction[1]);
    c->impulse = eri_contact_frame_sum(&k.frame, point->impulse);
    c->distance = point->distance;
    c->normal_mass = 1.0 / k.K[0][0];
    c->tangent_mass = 1.0 / k.tangent_k;
    for (int e = 0; e < 2; ++e) {
        c->slot[e] = k.offset[e] / ERI_LANE_COUNT;
        c->arm[e] = k.arm[e];
    }
}

// The bodies that touch each body: start[i] .. start[i + 1] of `next`.
typedef struct neighbours {
    int *start, *next;
} neighbours;

static er_result list_neighbours(er_arena *arena, const eri_contact_island *g, neighbours *out)
{
    er_result r = ER_OK;
    ERI_TRY_NEW(out->start, arena, int, g->body_count + 2);
    ERI_TRY_NEW(out->next, arena, int, 2 * g->contact_count + 1);
    for (int i = 0; i < g->contact_count; ++i) {
        const int *row = g->contact[i].row;
        if (row[0] >= 0 && row[1] >= 0) ++out->start[row[0] + 2], ++out->start[row[1] + 2];
    }
    for (int i = 0; i < g->body_count; ++i)
        out->start[i + 2] += out->start[i + 1];
    for (int i = 0; i < g->contact_count; ++i) {
        const int *row = g->contact[i].row;
        if (row[0] < 0 || row[1] < 0) continue;
        out->next[out->start[row[0] + 1]++] = row[1];
        out->next[out->start[row[1] + 1]++] = row[0];
    }
done:
    return r;
}

// Lists bodies by their distance from one of them, in contacts.   @param is_listed  work space
static void breadth_first(const neighbours *n, int count, int from, bool *is_listed, int *order)
{
    int listed = 1;
    memset(is_listed, 0, (size_t)count * sizeof *is_listed);
    order[0] = from;
    is_listed[from] = true;
    for (int at = 0; at < listed; ++at)
        for (int k = n->start[order[at]]; k < n->start[order[at] + 1]; ++k) {
            if (is_listed[n->next[k]]) continue;
            is_listed[n->next[k]] = true;
            order[listed++] = n->next[k];
        }
}

static void set_rows(const eri_contacts *s, eri_contact_island *g, int *row_of)
{
    for (int i = 0; i < g->body_count; ++i)
        row_of[g->slot[i]] = i;
    for (int i = 0; i < g->contact_count; ++i)
        for (int e = 0; e < 2; ++e) {
            int slot = g->contact[i].slot[e];
            g->contact[i].row[e] = slot >= s->bodies.static_count ? row_of[slot] : -1;
        }
}

// Orders the bodies so that those that touch are near each other: the rows of the factor are short then.
static er_result order_bodies(eri_contacts *s, eri_contact_island *g, int *row_of)
{
    er_result r = ER_OK;
    er_arena *arena = s->narrow.now.arena;
    neighbours near;
    int *order, *slot;
    bool *is_listed;
    set_rows(s, g, row_of);
    ERI_TRY(list_neighbours(arena, g, &near));
    ERI_TRY_NEW(order, arena, int, g->body_count);
    ERI_TRY_NEW(slot, arena, int, g->body_count);
    ERI_TRY_NEW(is_listed, arena, bool, g->body_count);
    ERI_TRY_NEW(g->first, arena, int, g->body_count);
    breadth_first(&near, g->body_count, 0, is_listed, order);
    breadth_first(&near, g->body_count, order[g->body_count - 1], is_listed, order);
    for (int i = 0; i < g->body_count; ++i) {
        slot[i] = g->slot[order[i]];
        g->first[i] = i;
    }
    g->slot = slot;
    set_rows(s, g, row_of);
    for (int i = 0; i < g->contact_count; ++i) {
        int a = g->contact[i].row[0], b = g->contact[i].row[1];
        if (a >= 0 && b >= 0 && a < g->first[b]) g->first[b] = a;
        if (a >= 0 && b >= 0 && b < g->first[a]) g->first[a] = b;
    }
    for (int i = 0; i < g->body_count; ++i)
        g->work += 108.0 * (i - g->first[i] + 1) * (i - g->first[i] + 1);
done:
    return r;
}

static er_result allocate_matrix(eri_contacts *s, eri_contact_island *g)
{
    er_result r = ER_OK;
    er_arena *arena = s->narrow.now.arena;
    size_t size = 0;
    double *at;
    for (int i = 0; i < g->body_count; ++i)
        size += 36 * (size_t)(i - g->first[i] + 1);
    ERI_TRY_RESERVE(at, arena, double, size);
    ERI_TRY_RESERVE(g->row, arena, double *, 6 * (size_t)g->body_count);
    ERI_TRY_RESERVE(g->x, arena, double, 6 * (size_t)g->body_count);
    ERI_TRY_RESERVE(g->change, arena, double, 6 * (size_t)g->body_count);
    ERI_TRY_RESERVE(g->inertia, arena, er_mat3, g->body_count);
    for (int i = 0; i < g->body_count; ++i) {
        const double *I = s->bodies.body[g->slot[i]].inverse_inertia;
        const er_mat3 inverse = {{{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}}};
        g->inertia[i] = er_m3_inverse(inverse);
        for (int k = 0; k < 6; ++k) {
            g->row[6 * i + k] = at;
            at += 6 * (i - g->first[i] + 1);
        }
    }
done:
    return r;
}

// Allocates the islands, and lists their bodies and contacts.
static er_result list_islands(er_world *w, const int *root, const island_counts *count, int *index_of)
{
    er_result r = ER_OK;
    eri_contacts *s = w->contacts;
    er_arena *arena = s->narrow.now.arena;
    int islands = 0;
    for (int i = s->bodies.static_count; i < s->bodies.count; ++i)
        islands += root[i] == i && is_small(s, count, i);
    if (islands == 0) return ER_OK;
    ERI_TRY_NEW(s->direct.island, arena, eri_contact_island, islands);
    for (int i = s->bodies.static_count; i < s->bodies.count; ++i) {
        if (root[i] != i || !is_small(s, count, i)) continue;
        eri_contact_island *g = &s->direct.island[s->direct.count];
        index_of[i] = s->direct.count++;
        ERI_TRY_RESERVE(g->contact, arena, eri_island_contact, count[i].contacts);
        ERI_TRY_RESERVE(g->slot, arena, int, count[i].bodies);
    }
    for (int i = s->bodies.static_count; i < s->bodies.count; ++i) {
        int at = root[i];
        if (!is_small(s, count, at)) continue;
        eri_contact_island *g = &s->direct.island[index_of[at]];
        g->slot[g->body_count++] = i;
    }
    for (int i = 0; i < s->narrow.now.point_count; ++i) {
        int at = root_of(s, root, &s->narrow.now.point[i]);
        if (at >= 0 && is_small(s, count, at)) set_contact(w, &s->direct.island[index_of[at]], &s->narrow.now.point[i]);
    }
done:
    return r;
}

er_result eri_island_solver_prepare(er_world *w)
{
    er_result r = ER_OK;
    eri_contacts *s = w->contacts;
    er_arena *arena = s->narrow.now.arena;
    int slots = s->bodies.width / ERI_LANE_COUNT, kept = 0, *root, *work;
    island_counts *count;
    s->direct = (eri_island_solver){0};
    if (s->narrow.now.point_count == 0) return ER_OK;
    ERI_TRY_RESERVE(root, arena, int, slots);
    ERI_TRY_NEW(work, arena, int, slots);
    ERI_TRY_NEW(count, arena, island_counts, slots);
    ERI_TRY_NEW(s->direct.owns, arena, bool, slots);
    eri_islands_find(s, root);
    count_islands(s, root, count);
    ERI_TRY(list_islands(w, root, count, work));
    for (int i = 0; i < s->direct.count; ++i) {
        eri_contact_island *g = &s->direct.island[i];
        ERI_TRY(order_bodies(s, g, work));
        if (g->work > max_island_work) continue;
        ERI_TRY(allocate_matrix(s, g));
        for (int k = 0; k < g->body_count; ++k)
            s->direct.owns[g->slot[k]] = true;
        s->direct.island[kept++] = *g;
    }
    s->direct.count = kept;
done:
    return r;
}
