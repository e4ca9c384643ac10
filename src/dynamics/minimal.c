/// @file
/// Accelerations in joint coordinates: articulated bodies over the tree, loops by multipliers on top
/// (docs/math/dynamics.md). With C the loops' constraint rows on the tree's rates,
///   H u' = force + C' lambda,   C u' = -C' u   (what C u changes by, at the rates u, is taken off)
/// so S lambda = b with S = C H^-1 C', whose columns H^-1 C' come from as many solves of the tree.
#include <math.h>
#include <string.h>

#include "dynamics/world.h"

enum { MOST_CORRECTIONS = 40, MOST_ROUNDS = 20, MOST_FIRMER = 8, MOST_HALVINGS = 8 };

// Of C C', each loop's largest diagonal entry 1: a constraint counts
// that adds 3e-5 to those before it. It has to be above the gap that joints may have: where bodies are off by e, what
// is redundant may seem to add sqrt(e).
static const double closed = 1e-10;                         // gap, in rad and sizes of the rig
static const double enough = 1e-3;                          // of the rows' errors: the next step finds the rest
static const double most_turn = 1.0;                        // rad, of a ball joint in a step with contact
static const double rank_tol = 1e-9, loose_rank_tol = 1e-3; // far from closed

struct eri_minimal {
    eri_limbs *limbs;
    int first_limb, limb_count; // [first_limb, limb_count) are looked at: all but where eri_minimal_focus() says
                                // otherwise, or one group
    int first_loop, last_loop;  // likewise
    int velocity_count;         // of the tree
    double mass;                // of all limbs
    double *armature, *force, *rate, *trial; // [velocity_count]
    double *products; // [3 limb_count], of the armature of ball joints; NULL: their swing and twist have no limits
    double *needed, *wrench, *twist;       // [6 limb_count]
    er_vec3 *borne;                        // [limb_count], work space of eri_minimal_swing()
    double *pull;                          // likewise
    bool *looped;                          // [limb_count]: whether a loop closes the limb's tree
    double *positions;                     // [position_count]
    bool is_shown;                         // limbs are placed as bodies were last asked for:
    double shown_time, *shown_q, *shown_u; // [position_count], [velocity_count]
    int shown_count;
    eri_ground_state *was; // [body_count], as bodies were first asked for at a time; NULL where nothing is led
    double was_time;
    bool is_factored; // limbs and rows are factored where eri_minimal_keep() went:
    int factored_count;
    double *factored_q;         // [position_count]
    eri_rows *rows;             // [loop_count]
    er_wrench *loop_wrench;     // [loop_count], of their own springs
    int row_count;              // constraints of the loops that are looked at
    int *row_loop, *row_axis;   // [row_count]
    int *loop_row;              // [loop_count + 1]: the first row of each loop, among all
    bool has_factors;           // of the rows of all loops
    double *row_scale, *lambda; // [row_count]
    double *C, *X;              // [row_count x velocity_count], rows, H^-1 C'
    double *CX;                 // [row_count x row_count], of the limbs as placed
    double *row_wrench;         // [row_count x 2 x 6], of unit forces on the child's end and the parent's
    eri_lanes *feel, *left;     // [velocity_count], of eight rows: what coordinates feel, and columns of X
    eri_lanes *twist8;          // [6 limb_count]
    double *error;              // [row_count]
    double rank_tol;            // of the call
    eri_semidefinite S;
    bool is_nearly_flat;  // a loop has all but lost a row where it was factored last
    er_wrench *redundant; // [row_count x joint_count]
};

static int root_of(const eri_tree *t, int link)
{
    while (link >= 0 && t->link[link].parent >= 0)
        link = t->link[link].parent;
    return link;
}

static void find_looped(const eri_multibody *m, bool *looped)
{
    const eri_tree *t = &m->tree;
    for (int k = 0; k < m->loop_count; ++k) {
        const int end[] = {root_of(t, m->loop[k].parent.limb), root_of(t, m->loop[k].child.limb)};
        for (int e = 0; e < 2; ++e)
            if (end[e] >= 0) looped[end[e]] = true;
    }
    for (int i = 0; i < t->link_count; ++i)
        if (t->link[i].parent >= 0) looped[i] = looped[t->link[i].parent];
}

er_result eri_minimal_create(er_arena *arena, er_world *w, eri_minimal **out)
{
    er_result r = ER_OK;
    eri_minimal *s;
    const eri_multibody *t = w->multibody;
    size_t limbs = (size_t)t->tree.link_count;
    int row = 0;
    ERI_TRY_NEW(s, arena, eri_minimal, 1);
    ERI_TRY(eri_limbs_create(arena, t, &s->limbs));
    s->limb_count = t->tree.link_count;
    s->velocity_count = t->velocity_count;
    for (int i = 0; i < t->tree.link_count; ++i)
        s->mass += t->limb[i].mass;
    s->was_time = NAN;
    if (w->held != NULL && w->def.guide != NULL) ERI_TRY_NEW(s->was, arena, eri_ground_state, w->model->body_count);
    ERI_TRY_NEW(s->borne, arena, er_vec3, limbs);
    ERI_TRY_NEW(s->pull, arena, double, limbs);
    ERI_TRY_NEW(s->looped, arena, bool, limbs);
    find_looped(t, s->looped);
    ERI_TRY_NEW(s->armature, arena, double, s->velocity_count);
    if (w->laws->ball != NULL) ERI_TRY_NEW(s->products, arena, double, 3 * limbs);
    eri_limbs_set_products(s->limbs, s->products);
    ERI_TRY_NEW(s->force, arena, double, s->velocity_count);
    ERI_TRY_NEW(s->rate, arena, double, s->velocity_count);
    ERI_TRY_NEW(s->trial, arena, double, s->velocity_count);
    ERI_TRY_NEW(s->needed, arena, double, 6 * limbs);
    ERI_TRY_NEW(s->wrench, arena, double, 6 * limbs);
    ERI_TRY_NEW(s->twist, arena, double, 6 * limbs);
    ERI_TRY_NEW(s->positions, arena, double, t->position_count);
    ERI_TRY_NEW(s->shown_q, arena, double, t->position_count);
    ERI_TRY_NEW(s->shown_u, arena, double, s->velocity_count);
    ERI_TRY_NEW(s->factored_q, arena, double, t->position_count);
    ERI_TRY_NEW(s->rows, arena, eri_rows, t->loop_count);
    ERI_TRY_NEW(s->loop_wrench, arena, er_wrench, t->loop_count);
    s->last_loop = t->loop_count;
    ERI_TRY_NEW(s->loop_row, arena, int, t->loop_count + 1);
    for (int l = 0; l < t->loop_count; ++l)
        s->loop_row[l + 1] = s->row_count += 6 - er_joint_type_freedom(w->model->joint[t->loop[l].joint].type, NULL);
    ERI_TRY_NEW(s->row_loop, arena, int, s->row_count);
    ERI_TRY_NEW(s->row_axis, arena, int, s->row_count);
    ERI_TRY_NEW(s->row_scale, arena, double, s->row_count);
    ERI_TRY_NEW(s->lambda, arena, double, s->row_count);
    ERI_TRY_NEW(s->error, arena, double, s->row_count);
    size_t velocities = s->row_count > 0 ? (size_t)s->velocity_count : 0;
    s->C = eri_arena_alloc(arena, (size_t)s->row_count, velocities * sizeof(double));
    s->X = eri_arena_alloc(arena, (size_t)s->row_count, velocities * sizeof(double));
    s->CX = eri_arena_alloc(arena, (size_t)s->row_count, (size_t)s->row_count * sizeof(double));
    ERI_TRY_NEW(s->row_wrench, arena, double, 12 * (size_t)s->row_count);
    ERI_TRY_NEW(s->feel, arena, eri_lanes, velocities);
    ERI_TRY_NEW(s->left, arena, eri_lanes, velocities);
    ERI_TRY_NEW(s->twist8, arena, eri_lanes, s->row_count > 0 ? 6 * limbs : 0);
    s->redundant = eri_arena_alloc(arena, (size_t)s->row_count, (size_t)w->model->joint_count * sizeof(er_wrench));
    ERI_TRY(s->C != NULL && s->X != NULL && s->CX != NULL && s->redundant != NULL ? ER_OK : ER_ERROR_MEMORY);
    ERI_TRY(eri_semidefinite_create(arena, s->row_count, &s->S));
    for (int l = 0; l < t->loop_count; ++l) {
        int axis[6], count = er_joint_type_freedom(w->model->joint[t->loop[l].joint].type, axis);
        for (int a = 0, c = 0; a < 6; ++a) {
            if (c < count && axis[c] == a) {
                ++c;
                continue;
            }
            s->row_loop[row] = l;
            s->row_axis[row++] = a;
        }
    }
    *out = s;
done:
    return r;
}

// ---- Bodies

static void move(er_world *w, double time, const double *q, const double *u)
{
    eri_world_move_ground(w, time);
    eri_limbs_move(w->minimal->limbs, q, u, w->ground, w->minimal->needed);
    w->minimal->is_shown = w->minimal->is_factored = false;
}

static int first_velocity(const er_world *w)
{
    return w->minimal->first_limb > 0 ? w->multibody->limb[w->minimal->first_limb].u : 0;
}

static int first_position(const er_world *w)
{
    return w->minimal->first_limb > 0 ? w->multibody->limb[w->minimal->first_limb].q : 0;
}

static int focused_velocities(const er_world *w)
{
    int count = w->minimal->limb_count;
    return count < w->tree->link_count ? w->multibody->limb[count].u : w->minimal->velocity_count;
}

static int focused_positions(const er_world *w)
{
    int count = w->minimal->limb_count;
    return count < w->tree->link_count ? w->multibody->limb[count].q : w->multibody->position_count;
}

// Limbs have just been moved to a state: the step that begins there need not move them again.
static void remember_shown(er_world *w, double time, const double *q, const double *u)
{
    eri_minimal *s = w->minimal;
    s->is_shown = true;
    s->shown_time = time;
    s->shown_count = s->limb_count;
    memcpy(s->shown_q, q, (size_t)focused_positions(w) * sizeof(double));
    memcpy(s->shown_u, u, (size_t)focused_velocities(w) * sizeof(double));
}

// At the end of a step. Caches the ground's state so that repeated queries return the same
// bits.
static void remember_ground(er_world *w, double time)
{
    eri_minimal *s = w->minimal;
    if (s->was == NULL || time == s->was_time) return;
    memcpy(s->was, w->ground, (size_t)w->model->body_count * sizeof *s->was);
    s->was_time = time;
}

void eri_minimal_forget_ground(er_world *w)
{
    w->minimal->was_time = NAN;
}

// Never where bodies are guided: from one step to the next their guide may have been told anew.
static bool is_shown(const er_world *w, double time, const double *q, const double *u)
{
    const eri_minimal *s = w->minimal;
    return s->is_shown && w->def.guide == NULL && time == s->shown_time && s->limb_count == s->shown_count &&
           memcmp(q, s->shown_q, (size_t)focused_positions(w) * sizeof(double)) == 0 &&
           memcmp(u, s->shown_u, (size_t)focused_velocities(w) * sizeof(double)) == 0;
}

static void remember_factored(er_world *w, const double *q)
{
    eri_minimal *s = w->minimal;
    s->is_factored = w->def.guide == NULL;
    s->factored_count = s->limb_count;
    memcpy(s->factored_q, q, (size_t)focused_positions(w) * sizeof(double));
}

// Whether a limb's positions are those of the factors. Where a whole tree is makes no difference but to loops, whose
// rows are found in the world.
static bool is_alike(const er_world *w, int limb, const double *q)
{
    const eri_limb *l = &w->multibody->limb[limb];
    bool floats = w->tree->link[limb].joint < 0 && w->minimal->row_count == 0;
    int count = floats ? 4 : l->freedom + l->turns_freely;
    return memcmp(q + l->q, w->minimal->factored_q + l->q, (size_t)count * sizeof *q) == 0;
}

static bool is_factored(const er_world *w, const double *q)
{
    const eri_minimal *s = w->minimal;
    bool alike = s->is_factored && w->def.guide == NULL && s->limb_count == s->factored_count;
    for (int i = 0; i < s->limb_count && alike; ++i)
        alike = is_alike(w, i, q);
    return alike;
}

static void tell(const er_world *w, int body, er_pose *pose, er_twist *twist)
{
    pose[body] = eri_body_motion_pose(&w->motion[body]);
    twist[body] = eri_body_motion_twist(&w->model->body[body], &w->motion[body]);
}

void eri_minimal_bodies(er_world *w, double time, const double *q, const double *u, er_pose *pose, er_twist *twist)
{
    if (is_factored(w, q))
        eri_limbs_ride(w->minimal->limbs, q, u, w->ground);
    else
        move(w, time, q, u);
    remember_shown(w, time, q, u);
    remember_ground(w, time);
    eri_limbs_bodies(w->minimal->limbs, w->motion);
    for (int i = 0; i < w->minimal->limb_count; ++i)
        tell(w, w->tree->link[i].body, pose, twist);
    for (int b = 0; b < w->model->body_count && w->held != NULL; ++b)
        if (w->held[b]) tell(w, b, pose, twist);
}

void eri_minimal_set_bodies(const eri_multibody *m, const er_pose *pose, const er_twist *twist, double *q, double *u)
{
    for (int i = 0; i < m->tree.link_count; ++i) {
        const eri_limb *l = &m->limb[i];
        const eri_link *link = &m->tree.link[i];
        er_pose P = m->model->body[link->body].pose, Q = pose[link->body];
        eri_motion_at parent = {.point = P.p}, child;
        if (link->joint >= 0) {
            eri_joint_ends ends = eri_joint_ends_at(m->model, link->joint, pose, twist);
            P = ends.P, Q = ends.Q, parent = ends.parent, child = ends.child;
        } else {
            er_vec3 spin = er_q_rotate(Q.q, twist[link->body].angular), v = er_q_rotate(Q.q, twist[link->body].linear);
            child = (eri_motion_at){.point = Q.p, .angular = spin, .linear = v};
        }
        eri_rows rows = eri_rows_at(link->type, link->pitch, P, Q);
        double rate[6];
        eri_rows_rates(&rows, &parent, &child, rate);
        eri_limb_set_displacement(m, i, rows.X, q + l->q);
        for (int c = 0; c < l->freedom; ++c)
            u[l->u + c] = rate[l->axis[c]];
    }
}

// ---- Loops

static er_pose end_frame(const er_world *w, const eri_end *end)
{
    if (end->limb < 0) return eri_ground_frame(w, end);
    eri_limb_motion m = eri_limbs_motion(w->minimal->limbs, end->limb);
    er_pose limb = {er_q_from_m3(m.axes), m.origin};
    return er_pose_mul(limb, end->frame);
}

static eri_motion_at end_motion(const er_world *w, const eri_end *end)
{
    if (end->limb < 0) return eri_ground_motion(w, end->ground);
    eri_limb_motion m = eri_limbs_motion(w->minimal->limbs, end->limb);
    return (eri_motion_at){m.origin, m.angular, m.linear, m.angular_rate, m.linear_rate};
}

// The motion of a joint's end by the rates of the tree alone, with the ground at rest.
static eri_motion_at end_change(const er_world *w, const eri_end *end)
{
    eri_motion_at change = {.point = er_v3(0, 0, 0)};
    if (end->limb < 0) return change;
    const double *v = w->minimal->twist + 6 * (size_t)end->limb;
    change.point = eri_limbs_motion(w->minimal->limbs, end->limb).origin;
    change.angular = er_v3(v[0], v[1], v[2]);
    change.linear = er_v3(v[3], v[4], v[5]);
    return change;
}

// Takes a wrench about a point from what a limb needs.
static void act_on(er_world *w, int limb, er_wrench f, er_vec3 point, double *needed)
{
    if (limb < 0) return;
    er_vec3 arm = er_v3_sub(point, eri_limbs_motion(w->minimal->limbs, limb).origin);
    er_vec3 torque = er_v3_add(f.torque, er_v3_cross(arm, f.force));
    double *n = needed + 6 * (size_t)limb;
    n[0] -= torque.x, n[1] -= torque.y, n[2] -= torque.z;
    n[3] -= f.force.x, n[4] -= f.force.y, n[5] -= f.force.z;
}

static void act_between(er_world *w, int loop, er_wrench on_child, double *needed)
{
    const eri_closure *l = &w->multibody->loop[loop];
    er_vec3 at = w->minimal->rows[loop].origin;
    er_wrench back = {er_v3_scale(-1.0, on_child.torque), er_v3_scale(-1.0, on_child.force)};
    act_on(w, l->child.limb, on_child, at, needed);
    act_on(w, l->parent.limb, back, at, needed);
}

static void place_loops(er_world *w)
{
    for (int l = w->minimal->first_loop; l < w->minimal->last_loop; ++l) {
        const eri_closure *j = &w->multibody->loop[l];
        w->minimal->rows[l] = eri_rows_at(w->model->joint[j->joint].type, w->model->joint[j->joint].pitch,
                                          end_frame(w, &j->parent), end_frame(w, &j->child));
    }
}

static er_wrench row_wrench(const eri_minimal *s, int row, double force)
{
    double unit[6] = {0};
    unit[s->row_axis[row]] = force;
    return eri_rows_wrench(&s->rows[s->row_loop[row]], unit);
}

// Rates of all loops' constraints under the tree's present change.
static void constraint_changes(const er_world *w, double *out)
{
    const eri_minimal *s = w->minimal;
    double rate[6];
    for (int r = 0, last = -1; r < s->row_count; ++r) {
        int loop = s->row_loop[r];
        if (loop != last) {
            eri_motion_at parent = end_change(w, &w->multibody->loop[loop].parent),
                          child = end_change(w, &w->multibody->loop[loop].child);
            eri_rows_rates(&s->rows[loop], &parent, &child, rate);
            last = loop;
        }
        out[r] = rate[s->row_axis[r]];
    }
}

static double *S_entry(const eri_minimal *s, int i, int j)
{
    return &s->S.S[(size_t)i * (size_t)s->row_count + (size_t)j];
}

// In rad and sizes of the rig.
static double row_unit(const er_world *w, int row)
{
    return w->minimal->row_axis[row] < 3 ? 1.0 : w->model->size;
}

// The limb at a loop's child's end or its parent's; -1: the ground.
static int row_limb(const er_world *w, int row, int end)
{
    const eri_closure *j = &w->multibody->loop[w->minimal->row_loop[row]];
    return end == 0 ? j->child.limb : j->parent.limb;
}

static double *row_of(const eri_minimal *s, double *matrix, int row)
{
    return matrix + (size_t)row * (size_t)s->velocity_count;
}

static double inner(int count, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < count; ++i)
        sum += a[i] * b[i];
    return sum;
}

// The largest diagonal entry of each loop to 1, but where there is nothing but rounding.
static void find_scales(eri_minimal *s)
{
    for (int first = 0, end; first < s->row_count; first = end) {
        double most = 0.0;
        for (end = first; end < s->row_count && s->row_loop[end] == s->row_loop[first]; ++end)
            most = fmax(most, *S_entry(s, end, end));
        for (int r = first; r < end; ++r)
            s->row_scale[r] = most > rank_tol ? 1.0 / sqrt(most) : 1.0;
    }
}

static void scale_rows(eri_minimal *s)
{
    for (int i = 0; i < s->row_count; ++i)
        for (int j = 0; j <= i; ++j)
            *S_entry(s, i, j) = *S_entry(s, j, i) =
                0.5 * s->row_scale[i] * s->row_scale[j] * (*S_entry(s, i, j) + *S_entry(s, j, i));
}

// The wrench of a unit force along a row, turns in rad and shifts in sizes of the rig, on one end of its loop.
static void wrench_at(const er_world *w, int row, int end, double *out)
{
    const eri_minimal *s = w->minimal;
    int limb = row_limb(w, row, end);
    er_wrench f = row_wrench(s, row, (end == 0 ? 1.0 : -1.0) / row_unit(w, row));
    memset(out, 0, 6 * sizeof *out);
    if (limb < 0) return;
    er_vec3 arm = er_v3_sub(s->rows[s->row_loop[row]].origin, eri_limbs_origin(s->limbs, limb));
    er_vec3 torque = er_v3_add(f.torque, er_v3_cross(arm, f.force));
    out[0] = torque.x, out[1] = torque.y, out[2] = torque.z;
    out[3] = f.force.x, out[4] = f.force.y, out[5] = f.force.z;
}

// Blows along up to eight rows go down to the roots: what coordinates feel of them, and what is left to respond to.
static void strike_rows(er_world *w, int first, int last)
{
    eri_minimal *s = w->minimal;
    int begin = first_velocity(w);
    size_t count = (size_t)(focused_velocities(w) - begin);
    memset(s->feel + begin, 0, count * sizeof *s->feel);
    memset(s->left + begin, 0, count * sizeof *s->left);
    for (int r = first, next; r < last; r = next)
        for (int end = 0; end < 2; ++end) {
            eri_lanes wrench[6] = {{0}};
            for (next = r; next < last && s->row_loop[next] == s->row_loop[r]; ++next)
                for (int i = 0; i < 6; ++i)
                    wrench[i][next - first] = s->row_wrench[12 * next + 6 * end + i];
            if (row_limb(w, r, end) >= 0) eri_limbs_strike(s->limbs, row_limb(w, r, end), wrench, s->feel, s->left);
        }
}

// Which constraints are independent is a question of geometry: C C', turns in rad and shifts in sizes of the rig.
static void choose_rows(er_world *w)
{
    eri_minimal *s = w->minimal;
    int begin = first_velocity(w), count = focused_velocities(w) - begin;
    for (int r = 0; r < s->row_count; ++r)
        for (int i = 0; i <= r; ++i)
            *S_entry(s, i, r) = *S_entry(s, r, i) =
                inner(count, row_of(s, s->C, r) + begin, row_of(s, s->C, i) + begin);
    s->S.count = s->row_count;
    find_scales(s);
    scale_rows(s);
    int rank = s->S.rank;
    eri_semidefinite_factor(&s->S, s->rank_tol);
    s->is_nearly_flat = eri_semidefinite_least(&s->S) < ERI_NEARLY_FLAT;
    w->rank_changes += s->S.rank != rank || eri_semidefinite_least(&s->S) < ERI_FLAT;
}

static void measure_in_sizes(const er_world *w, eri_lanes *feel)
{
    for (int i = w->minimal->first_limb; i < w->minimal->limb_count; ++i)
        for (int c = 0; c < w->multibody->limb[i].freedom; ++c)
            if (w->multibody->limb[i].axis[c] >= 3) feel[w->multibody->limb[i].u + c] *= w->model->size;
}

static void find_row_wrenches(er_world *w)
{
    eri_minimal *s = w->minimal;
    for (int r = 0; r < s->row_count; ++r)
        for (int end = 0; end < 2; ++end)
            wrench_at(w, r, end, s->row_wrench + 12 * r + 6 * end);
}

// The values of some rows at all rates; the twists of limbs are known.
static void rates_by_rows(er_world *w, int first, int last)
{
    eri_minimal *s = w->minimal;
    for (int r = 0; r < s->row_count; ++r) {
        eri_lanes rate = {0};
        for (int end = 0; end < 2; ++end)
            for (int i = 0; i < 6 && row_limb(w, r, end) >= 0; ++i)
                rate += s->row_wrench[12 * r + 6 * end + i] * s->twist8[6 * row_limb(w, r, end) + i];
        for (int k = first; k < last; ++k)
            s->CX[r * s->row_count + k] = rate[k - first];
    }
}

// C, X and the limbs' twists of X, eight rows at a time; the twists are handed over as what rows make of each other.
static void respond_rows(er_world *w)
{
    eri_minimal *s = w->minimal;
    int begin = first_velocity(w), count = focused_velocities(w) - begin;
    find_row_wrenches(w);
    for (int first = 0; first < s->row_count; first += ERI_LANE_COUNT) {
        int last = first + ERI_LANE_COUNT < s->row_count ? first + ERI_LANE_COUNT : s->row_count;
        strike_rows(w, first, last);
        measure_in_sizes(w, s->feel);
        eri_lanes_scatter(count, last - first, s->feel + begin, row_of(s, s->C, first) + begin, s->velocity_count);
        eri_limbs_respond(s->limbs, s->left, s->twist8);
        eri_lanes_scatter(count, last - first, s->left + begin, row_of(s, s->X, first) + begin, s->velocity_count);
        rates_by_rows(w, first, last);
    }
}

// S factored, columns of X beside it; the limbs are factored.
static void factor_loops(er_world *w)
{
    eri_minimal *s = w->minimal;
    respond_rows(w);
    choose_rows(w);
    memcpy(s->S.S, s->CX, (size_t)s->row_count * (size_t)s->row_count * sizeof(double));
    scale_rows(s);
    eri_semidefinite_factor_again(&s->S);
    s->has_factors = s->row_count == s->loop_row[w->multibody->loop_count];
}

void eri_minimal_row_forces(const er_world *w, double *rate)
{
    const eri_minimal *s = w->minimal;
    for (int r = 0; r < s->row_count; ++r)
        rate[r] *= s->row_scale[r];
    eri_semidefinite_solve(&s->S, rate);
    for (int r = 0; r < s->row_count; ++r)
        rate[r] *= s->row_scale[r];
}

// Adds to x the least change, in the mass norm, that gives the rows the rates b (in their units); lambda is kept.
static void add_multipliers(er_world *w, const double *b, double *x)
{
    eri_minimal *s = w->minimal;
    for (int r = 0; r < s->row_count; ++r)
        s->lambda[r] = b[r] / row_unit(w, r);
    eri_minimal_row_forces(w, s->lambda);
    for (int r = 0; r < s->row_count; ++r) {
        const double *column = s->X + (size_t)r * (size_t)s->velocity_count;
        for (int i = first_velocity(w); i < focused_velocities(w); ++i)
            x[i] += s->lambda[r] * column[i];
        s->lambda[r] /= row_unit(w, r);
    }
}

// ---- Accelerations

// Forces on the tree's coordinates, and on loop joints' own.
static void joint_forces(er_world *w, const double *q, const double *u, const eri_evaluation *e, eri_account *account)
{
    eri_minimal *s = w->minimal;
    eri_account sum = {0};
    for (int i = 0; i < s->limb_count; ++i) {
        const eri_link *link = &w->tree->link[i];
        const eri_limb *l = &w->multibody->limb[i];
        double *force = s->force + l->u, *armature = s->armature + l->u, turned[6];
        const double *x = q + l->q;
        for (int c = 0; c < l->freedom; ++c)
            force[c] = armature[c] = 0.0;
        for (int c = 0; c < 3 && s->products != NULL; ++c)
            s->products[3 * i + c] = 0.0;
        if (link->joint < 0 || !w->laws->acts[link->joint]) continue;
        if (l->turns_freely) {
            er_vec3 turn = er_q_log(er_q(x[0], x[1], x[2], x[3])); // whatever its norm
            turned[0] = turn.x, turned[1] = turn.y, turned[2] = turn.z;
            for (int c = 3; c < l->freedom; ++c)
                turned[c] = x[1 + c];
            x = turned;
        }
        if (w->laws->linear[link->joint])
            eri_laws_linear(&w->laws->law[link->coordinate], l->freedom, x, u + l->u, force, &sum);
        else
            eri_laws_force(w->laws, link->joint, x, u + l->u, force, &sum);
        for (int c = 0; c < l->freedom && e->step > 0.0; ++c) {
            const eri_law *law = &w->laws->law[link->coordinate + c];
            eri_law acting = *law; // without motors at their bounds
            eri_law_implicit(w->laws, law, &acting.stiff, &acting.damped);
            eri_implicit_law in = eri_law_in_step(&acting, e->step, w->contacts != NULL);
            force[c] -= in.drag * u[l->u + c];
            armature[c] = in.armature;
            if (w->contacts != NULL && !l->turns_freely)
                eri_law_stop(law, x[c], u[l->u + c], e->step, &force[c], &armature[c]);
        }
        if (s->products != NULL && w->contacts != NULL && e->step > 0.0)
            eri_ball_stop(&w->laws->ball[link->joint], x, u + l->u, e->step, force, armature, s->products + 3 * i);
    }
    for (int k = 0; k < w->multibody->loop_count; ++k) {
        const eri_closure *j = &w->multibody->loop[k];
        s->loop_wrench[k] = (er_wrench){{0, 0, 0}, {0, 0, 0}};
        if (!w->laws->acts[j->joint]) continue;
        const eri_rows *rows = &s->rows[k];
        eri_motion_at parent = end_motion(w, &j->parent), child = end_motion(w, &j->child);
        double rate[6], x[6], own[6], force[6], all[6] = {0};
        int axis[6], count = er_joint_type_freedom(rows->type, axis);
        eri_rows_rates(rows, &parent, &child, rate);
        eri_joint_coordinates(rows->type, rows->pitch, rows->X, w->near + w->model->coordinate[j->joint], x);
        for (int c = 0; c < count; ++c)
            own[c] = rate[axis[c]];
        eri_laws_force(w->laws, j->joint, x, own, force, &sum);
        for (int c = 0; c < count; ++c)
            all[axis[c]] = force[c];
        s->loop_wrench[k] = eri_rows_wrench(rows, all);
        act_between(w, k, s->loop_wrench[k], s->needed);
    }
    if (account == NULL) return;
    account->elastic += sum.elastic;
    account->work += sum.work;
    account->heat += sum.heat;
}

static void body_forces(er_world *w, double time, eri_account *account)
{
    if (!w->forces->any) return;
    eri_limbs_bodies(w->minimal->limbs, w->motion);
    eri_forces_wrenches(w->forces, time, w->motion, w->wrench, account);
    for (int i = 0; i < w->minimal->limb_count; ++i) {
        int body = w->tree->link[i].body;
        act_on(w, i, w->wrench[body], w->motion[body].com, w->minimal->needed);
    }
}

// Subtracts the rates of the loops' constraints at the rates u and the accelerations of the tree alone.
static void close_accelerations(er_world *w, double *du)
{
    eri_minimal *s = w->minimal;
    factor_loops(w);
    eri_limbs_twists(s->limbs, du, s->twist);
    constraint_changes(w, s->error);
    double rate[6];
    for (int r = 0, last = -1; r < s->row_count; ++r) {
        int loop = s->row_loop[r];
        if (loop != last) {
            eri_motion_at parent = end_motion(w, &w->multibody->loop[loop].parent),
                          child = end_motion(w, &w->multibody->loop[loop].child);
            eri_rows_second_rates(&s->rows[loop], &parent, &child, rate);
            last = loop;
        }
        s->error[r] = -(s->error[r] + rate[s->row_axis[r]]);
    }
    add_multipliers(w, s->error, du);
}

// The wrench that changes a limb's twist by `rate`.
static void add_inertia(const er_world *w, int limb, const double *rate, double *needed)
{
    const eri_limb *l = &w->multibody->limb[limb];
    eri_limb_motion m = eri_limbs_motion(w->minimal->limbs, limb);
    er_vec3 turn = er_v3(rate[0], rate[1], rate[2]), own = er_m3_mul_v(er_m3_transpose(m.axes), turn);
    const double *J = l->inertia;
    er_vec3 spin = er_v3(J[0] * own.x + J[3] * own.y + J[4] * own.z, J[3] * own.x + J[1] * own.y + J[5] * own.z,
                         J[4] * own.x + J[5] * own.y + J[2] * own.z);
    er_vec3 force = er_v3_scale(l->mass, er_v3_add(er_v3(rate[3], rate[4], rate[5]), er_v3_cross(turn, m.com)));
    er_vec3 torque = er_v3_add(er_m3_mul_v(m.axes, spin), er_v3_cross(m.com, force));
    needed[0] += torque.x, needed[1] += torque.y, needed[2] += torque.z;
    needed[3] += force.x, needed[4] += force.y, needed[5] += force.z;
}

// The wrenches of joints on their limbs, about the reference points, go to s->needed.   @param du  rates, the limbs' in
// s->twist
static void hand_down(er_world *w)
{
    eri_minimal *s = w->minimal;
    for (int r = 0; r < s->row_count; ++r)
        act_between(w, s->row_loop[r], row_wrench(s, r, s->lambda[r]), s->needed);
    for (int i = 0; i < w->tree->link_count; ++i)
        add_inertia(w, i, s->twist + 6 * (size_t)i, s->needed + 6 * (size_t)i);
    eri_limbs_force(s->limbs, s->needed, s->force);
}

// The wrench on a tree joint's child about its own side's origin, of what its limb gets.
static er_wrench on_child(const er_world *w, int limb, const double *given)
{
    er_wrench f = {er_v3(given[0], given[1], given[2]), er_v3(given[3], given[4], given[5])};
    if (!w->tree->link[limb].inverse) return f;
    eri_limb_motion m = eri_limbs_motion(w->minimal->limbs, limb);
    er_vec3 apart = er_m3_mul_v(
        m.axes, eri_limb_displacement(w->multibody, limb, w->minimal->positions + w->multibody->limb[limb].q).p);
    er_vec3 torque = er_v3_sub(f.torque, er_v3_cross(apart, f.force));
    return (er_wrench){er_v3_scale(-1.0, torque), er_v3_scale(-1.0, f.force)};
}

// All joints' wrenches of what limbs get and loops give.
static void gather_reactions(const er_world *w, const double *given, const er_wrench *loop, er_wrench *out)
{
    memset(out, 0, (size_t)w->model->joint_count * sizeof *out);
    for (int i = 0; i < w->tree->link_count; ++i)
        if (w->tree->link[i].joint >= 0) out[w->tree->link[i].joint] = on_child(w, i, given + 6 * (size_t)i);
    for (int l = 0; l < w->multibody->loop_count; ++l)
        out[w->multibody->loop[l].joint] = loop[l];
}

static void add_wrench(er_wrench *sum, double factor, er_wrench f)
{
    sum->torque = er_v3_madd(sum->torque, factor, f.torque);
    sum->force = er_v3_madd(sum->force, factor, f.force);
}

// The constraint forces that are in balance among themselves, joint by joint.
static void balanced_forces(er_world *w)
{
    eri_minimal *s = w->minimal;
    for (int k = 0; k < s->S.count - s->S.rank; ++k) {
        eri_semidefinite_null(&s->S, k, s->error);
        memset(s->wrench, 0, 6 * (size_t)w->tree->link_count * sizeof(double));
        memset(s->loop_wrench, 0, (size_t)w->multibody->loop_count * sizeof(er_wrench));
        for (int r = 0; r < s->row_count; ++r) {
            er_wrench f = row_wrench(s, r, s->error[r] * s->row_scale[r] / row_unit(w, r));
            act_between(w, s->row_loop[r], f, s->wrench);
            add_wrench(&s->loop_wrench[s->row_loop[r]], 1.0, f);
        }
        eri_limbs_force(s->limbs, s->wrench, s->force);
        gather_reactions(w, s->wrench, s->loop_wrench, s->redundant + (size_t)k * (size_t)w->model->joint_count);
    }
}

static void find_reactions(er_world *w, er_wrench *reaction)
{
    eri_minimal *s = w->minimal;
    for (int r = 0; r < s->row_count; ++r)
        add_wrench(&s->loop_wrench[s->row_loop[r]], 1.0, row_wrench(s, r, s->lambda[r]));
    gather_reactions(w, s->needed, s->loop_wrench, reaction);
    if (s->row_count == 0) return;
    balanced_forces(w);
    eri_world_least_reactions(w, s->S.count - s->S.rank, s->redundant, reaction);
}

er_wrench eri_minimal_loop_wrench(const er_world *w, int loop, bool with_springs)
{
    const eri_minimal *s = w->minimal;
    er_wrench sum = {{0, 0, 0}, {0, 0, 0}};
    for (int r = 0; r < s->row_count; ++r)
        if (s->row_loop[r] == loop) add_wrench(&sum, 1.0, row_wrench(s, r, s->lambda[r]));
    if (with_springs) add_wrench(&sum, 1.0, s->loop_wrench[loop]);
    return sum;
}

static double power_at(const eri_motion_at *m, er_wrench f, er_vec3 point)
{
    er_vec3 v = er_v3_add(m->linear, er_v3_cross(m->angular, er_v3_sub(point, m->point)));
    return er_v3_dot(f.torque, m->angular) + er_v3_dot(f.force, v);
}

// The power of the ground's motion on all attached bodies.
static double guide_power(const er_world *w)
{
    const eri_minimal *s = w->minimal;
    double power = 0.0;
    for (int i = 0; i < w->tree->link_count; ++i) {
        const eri_link *l = &w->tree->link[i];
        if (l->parent >= 0 || l->above < 0) continue;
        const double *f = s->needed + 6 * (size_t)i;
        er_wrench given = {er_v3(f[0], f[1], f[2]), er_v3(f[3], f[4], f[5])};
        eri_motion_at m = eri_ground_motion(w, l->above);
        power += power_at(&m, given, eri_limbs_motion(s->limbs, i).origin);
    }
    for (int r = 0; r < s->row_count; ++r) {
        const eri_closure *j = &w->multibody->loop[s->row_loop[r]];
        er_vec3 at = s->rows[s->row_loop[r]].origin;
        eri_motion_at parent = eri_ground_motion(w, j->parent.ground), child = eri_ground_motion(w, j->child.ground);
        if (j->parent.limb < 0) power += power_at(&parent, row_wrench(s, r, s->lambda[r]), at);
        if (j->child.limb < 0) power -= power_at(&child, row_wrench(s, r, s->lambda[r]), at);
    }
    for (int l = 0; l < w->multibody->loop_count; ++l) {
        const eri_closure *j = &w->multibody->loop[l];
        eri_motion_at parent = eri_ground_motion(w, j->parent.ground), child = eri_ground_motion(w, j->child.ground);
        if (j->parent.limb < 0) power += power_at(&parent, s->loop_wrench[l], s->rows[l].origin);
        if (j->child.limb < 0) power -= power_at(&child, s->loop_wrench[l], s->rows[l].origin);
    }
    return power;
}

er_result eri_minimal_evaluate(er_world *w, double time, const double *q, const double *u, const eri_evaluation *e,
                               double *du)
{
    eri_minimal *s = w->minimal;
    s->rank_tol = rank_tol;
    bool handed = e->reaction != NULL || (e->account != NULL && w->def.guide != NULL && w->held != NULL);
    move(w, time, q, u);
    place_loops(w);
    joint_forces(w, q, u, e, e->account);
    body_forces(w, time, e->account);
    bool kept = handed || s->row_count > 0; // what limbs need is asked for again
    if (kept) memcpy(s->wrench, s->needed, 6 * (size_t)w->tree->link_count * sizeof(double));
    eri_limbs_factor_and_solve(s->limbs, e->step > 0.0 ? s->armature : NULL, s->force, kept ? s->wrench : s->needed, du,
                               s->twist);
    if (s->row_count > 0) {
        close_accelerations(w, du);
        eri_limbs_twists(s->limbs, du, s->twist);
    }
    for (int i = 0; i < s->velocity_count; ++i)
        if (!isfinite(du[i])) return eri_world_not_finite(w, time);
    if (e->rate != NULL) eri_limbs_rates(s->limbs, s->twist, w->def.gravity, e->rate);
    if (handed) {
        memcpy(s->positions, q, (size_t)w->multibody->position_count * sizeof *q);
        hand_down(w);
    }
    if (e->account != NULL && w->def.guide != NULL && w->held != NULL) e->account->work += guide_power(w);
    if (e->reaction != NULL) find_reactions(w, e->reaction);
    return ER_OK;
}

// ---- Corrections

// The loops' errors, rad and m; returns the largest, shifts over the rig's size.
static double loop_errors(const er_world *w, double *out)
{
    const eri_minimal *s = w->minimal;
    double error[6], gap = 0.0;
    for (int r = 0, last = -1; r < s->row_count; ++r) {
        if (s->row_loop[r] != last)
            eri_joint_violation(s->rows[s->row_loop[r]].type, s->rows[s->row_loop[r]].pitch, s->rows[s->row_loop[r]].X,
                                error);
        last = s->row_loop[r];
        out[r] = error[s->row_axis[r]];
        gap = fmax(gap, fabs(out[r]) / row_unit(w, r));
    }
    return gap;
}

static double place(er_world *w, double time, const double *q, const double *u)
{
    move(w, time, q, u);
    place_loops(w);
    return loop_errors(w, w->minimal->error);
}

// The changes of rows that are asked of the factors to remove the rows' errors.
static void ask_as_factored(eri_minimal *s)
{
    for (int r = 0; r < s->row_count; ++r)
        s->error[r] = -s->error[r];
}

// The same by factors of a nearby state, whose answers are not exact here: each round asks for what the last one
// missed. For eight rows at most, which one sweep answers.
static void ask_from_here(er_world *w)
{
    eri_minimal *s = w->minimal;
    double asked[ERI_LANE_COUNT], most = 0.0, left = HUGE_VAL;
    find_row_wrenches(w);
    eri_limbs_twists8(s->limbs, s->left, s->twist8);
    rates_by_rows(w, 0, s->row_count);
    for (int r = 0; r < s->row_count; ++r) {
        asked[r] = -s->error[r] / row_unit(w, r);
        most = fmax(most, fabs(asked[r]));
    }
    for (int n = 0; n < MOST_ROUNDS && left > enough * most; ++n) {
        memcpy(s->lambda, asked, (size_t)s->row_count * sizeof *asked);
        eri_minimal_row_forces(w, s->lambda);
        left = 0.0;
        for (int r = 0; r < s->row_count; ++r) {
            double missed = -s->error[r] / row_unit(w, r) - inner(s->row_count, s->CX + r * s->row_count, s->lambda);
            asked[r] += missed;
            left = fmax(left, fabs(missed));
        }
    }
    for (int r = 0; r < s->row_count; ++r)
        s->error[r] = asked[r] * row_unit(w, r);
}

static void begin_closing(er_world *w, const double *q)
{
    eri_minimal *s = w->minimal;
    int rate = first_velocity(w), place = first_position(w);
    memset(s->trial + rate, 0, (size_t)(focused_velocities(w) - rate) * sizeof(double));
    memcpy(s->positions + place, q + place, (size_t)(focused_positions(w) - place) * sizeof(double));
    add_multipliers(w, s->error, s->trial);
}

static double go_and_place(er_world *w, bool goes, double *q)
{
    eri_minimal *s = w->minimal;
    int first = first_position(w);
    s->is_factored = false;
    memcpy(q + first, s->positions + first, (size_t)(focused_positions(w) - first) * sizeof(double));
    if (goes) eri_multibody_move(w->multibody, s->first_limb, s->limb_count, s->trial, q);
    eri_limbs_place(s->limbs, q, w->ground);
    place_loops(w);
    return loop_errors(w, s->error);
}

// A step towards closed loops by the rows' factors of near by, where that closes most of the gap.
static bool close_by_what_was(er_world *w, double *q, double *gap)
{
    double was = *gap;
    if (w->minimal->row_count <= ERI_LANE_COUNT)
        ask_from_here(w);
    else
        ask_as_factored(w->minimal);
    begin_closing(w, q);
    *gap = go_and_place(w, true, q);
    if (*gap < 0.1 * was) return true;
    *gap = go_and_place(w, false, q);
    return false;
}

// One step of Gauss and Newton towards closed loops, in the norm of the tree's mass and as much on each coordinate.
static void step_to_closing(er_world *w, double time, double firmness, double *q, const double *u, double *gap)
{
    eri_minimal *s = w->minimal;
    double was = place(w, time, q, u);
    for (int i = first_velocity(w); i < focused_velocities(w); ++i)
        s->armature[i] = firmness;
    if (s->products != NULL) memset(s->products, 0, 3 * (size_t)s->limb_count * sizeof *s->products);
    s->rank_tol = fmax(rank_tol, fmin(was, loose_rank_tol));
    eri_limbs_factor(s->limbs, firmness > 0.0 ? s->armature : NULL);
    factor_loops(w);
    ask_as_factored(s);
    begin_closing(w, q);
    *gap = go_and_place(w, true, q);
}

// A step that gets nearer. Least mass may be a few light limbs' at a loop's end, turned too far to be right: then all
// coordinates are made to share; what is left is to go less far.
static bool close_further(er_world *w, double time, double *q, const double *u, double *gap)
{
    eri_minimal *s = w->minimal;
    int limbs = s->limb_count - s->first_limb;
    double was = *gap, length = w->model->size / limbs, firmness = 0.0;
    for (int n = 0; n < MOST_FIRMER; ++n) {
        step_to_closing(w, time, firmness, q, u, gap);
        if (*gap < 0.5 * was || (*gap < was && was <= closed)) return true;
        *gap = go_and_place(w, false, q);
        if (was <= closed) return false;
        firmness = firmness > 0.0 ? 10.0 * firmness : s->mass / limbs * length * length;
    }
    for (int n = 0; n < MOST_HALVINGS; ++n) {
        *gap = go_and_place(w, true, q);
        if (*gap < was) return true;
        for (int i = first_velocity(w); i < focused_velocities(w); ++i)
            s->trial[i] *= 0.5;
    }
    *gap = go_and_place(w, false, q);
    return false;
}

// Closes loops by the smallest changes of q in the mass norm; limbs are placed there in the end.
// @param gap       as it is
// @param factored  whether the rows' factors are those of near by
static er_result close_positions(er_world *w, double time, double gap, bool factored, double *q, const double *u)
{
    double most = fmin(w->def.drift_tolerance, closed), began = gap;
    for (int n = 0; n < MOST_CORRECTIONS && gap > 1e-3 * most; ++n) {
        if (factored && close_by_what_was(w, q, &gap)) continue;
        factored = close_further(w, time, q, u, &gap);
        if (!factored) break;
    }
    place(w, time, q, u);
    bool may_stay = began <= w->def.drift_tolerance && gap <= began; // no step of it has come nearer
    return gap <= most || may_stay ? ER_OK : eri_world_not_closed(w, time, gap);
}

// Rates of all loops' constraints by the limbs' own motion and the ground's.
static void constraint_rates(const er_world *w, double *out)
{
    const eri_minimal *s = w->minimal;
    double rate[6];
    for (int r = 0, last = -1; r < s->row_count; ++r) {
        const eri_closure *j = &w->multibody->loop[s->row_loop[r]];
        if (s->row_loop[r] != last) {
            eri_motion_at parent = end_motion(w, &j->parent), child = end_motion(w, &j->child);
            eri_rows_rates(&s->rows[s->row_loop[r]], &parent, &child, rate);
            last = s->row_loop[r];
        }
        out[r] = rate[s->row_axis[r]];
    }
}

// Closes positions and then rates.   @param gap  as it is, limbs placed
static er_result close_state(er_world *w, double time, double gap, double *q, double *u)
{
    eri_minimal *s = w->minimal;
    er_result r = close_positions(w, time, gap, false, q, u);
    if (r != ER_OK) return r;
    s->rank_tol = rank_tol;
    eri_limbs_factor(s->limbs, NULL);
    factor_loops(w);
    constraint_rates(w, s->error);
    for (int i = 0; i < s->row_count; ++i)
        s->error[i] = -s->error[i];
    add_multipliers(w, s->error, u);
    return ER_OK;
}

er_result eri_minimal_restore(er_world *w, double time, bool always, double *q, double *u)
{
    eri_multibody_normalise(w->multibody, 0, w->tree->link_count, q);
    if (w->minimal->row_count == 0) return ER_OK;
    double gap = place(w, time, q, u);
    w->gap = fmax(w->gap, gap);
    if (!always && !(gap > w->def.drift_tolerance) && !w->minimal->is_nearly_flat) return ER_OK;
    ++w->corrections;
    return close_state(w, time, gap, q, u);
}

// Takes from a change of rates, at fixed positions, what opens loops.
static void close_change(er_world *w, double *change)
{
    eri_minimal *s = w->minimal;
    if (s->row_count == 0) return;
    eri_limbs_twists(s->limbs, change, s->twist);
    constraint_changes(w, s->error);
    for (int r = 0; r < s->row_count; ++r)
        s->error[r] = -s->error[r];
    add_multipliers(w, s->error, change);
}

static void hold_loops(er_world *w, double *change)
{
    if (w->minimal->row_count > 0) factor_loops(w);
    close_change(w, change);
}

void eri_minimal_push(er_world *w, double time, const double *q, int body, er_wrench impulse, double *u)
{
    eri_minimal *s = w->minimal;
    int limb = w->tree->link_of_body[body];
    s->rank_tol = rank_tol;
    move(w, time, q, u);
    place_loops(w);
    memset(s->wrench, 0, 6 * (size_t)w->tree->link_count * sizeof(double));
    memset(s->force, 0, (size_t)s->velocity_count * sizeof(double));
    eri_limb_motion m = eri_limbs_motion(s->limbs, limb);
    act_on(w, limb, impulse, er_v3_add(m.origin, m.com), s->wrench);
    eri_limbs_factor_and_solve(s->limbs, NULL, s->force, s->wrench, s->trial, s->twist);
    hold_loops(w, s->trial);
    for (int i = 0; i < s->velocity_count; ++i)
        u[i] += s->trial[i];
}

// ---- Steps at velocity level

void eri_minimal_focus(er_world *w, bool jointed)
{
    w->minimal->limb_count = jointed ? w->multibody->jointed_count : w->tree->link_count;
    eri_limbs_focus(w->minimal->limbs, 0, w->minimal->limb_count);
}

// Weight alone: what velocities change by themselves is left to eri_minimal_keep().
static void weigh_limbs(er_world *w)
{
    for (int i = 0; i < w->minimal->limb_count; ++i) {
        er_vec3 weight = er_v3_scale(w->multibody->limb[i].mass, w->def.gravity);
        er_vec3 com = er_v3_sub(eri_limbs_com(w->minimal->limbs, i), eri_limbs_origin(w->minimal->limbs, i));
        er_vec3 torque = er_v3_cross(com, weight);
        double *n = w->minimal->needed + 6 * (size_t)i;
        n[0] = -torque.x, n[1] = -torque.y, n[2] = -torque.z;
        n[3] = -weight.x, n[4] = -weight.y, n[5] = -weight.z;
    }
}

// A limb's moment of inertia about its joint along a spin, limb axes.
static double moment_about_joint(const eri_limb *l, er_vec3 spin)
{
    const double *I = l->inertia;
    er_vec3 n = er_v3_unit(spin, spin), off = er_v3_cross(n, l->com);
    return I[0] * n.x * n.x + I[1] * n.y * n.y + I[2] * n.z * n.z +
           2.0 * (I[3] * n.x * n.y + I[4] * n.x * n.z + I[5] * n.y * n.z) + l->mass * er_v3_dot(off, off);
}

// Brakes what turns freely at a joint by more than a step can tell: with a damper, implicit, that leaves a limb on
// which nothing hangs just that.
static void brake_spins(er_world *w, const double *q, const double *u, double step, eri_account *account)
{
    eri_minimal *s = w->minimal;
    for (int i = 0; i < s->limb_count; ++i) {
        const eri_limb *l = &w->multibody->limb[i];
        if (w->tree->link[i].joint < 0 || !l->turns_freely || w->flies[i]) continue;
        const double *x = q + l->q;
        er_vec3 spin = er_v3(u[l->u], u[l->u + 1], u[l->u + 2]);
        double over = step * er_v3_norm(spin) / most_turn;
        if (!(over > 1.0)) continue;
        er_quat back = er_q_unit(er_q_conj(er_q(x[0], x[1], x[2], x[3])));
        double moment = moment_about_joint(l, er_q_rotate(back, spin)), damping = moment * (over - 1.0) / step;
        for (int c = 0; c < 3; ++c) {
            s->force[l->u + c] -= damping * u[l->u + c];
            s->armature[l->u + c] += step * damping;
        }
        account->heat += damping * er_v3_dot(spin, spin) * 0.5 * (1.0 + 1.0 / over) / over;
    }
}

// A guide that is told anew from step to step gives the ground another velocity at once: what hangs on it has that
// given over the step, as it would have been by an acceleration.
// @param jolt  [6 limb_count], written: what rates of the limbs' twists that is
static void jolt_limbs(er_world *w, double step, double *jolts)
{
    eri_minimal *s = w->minimal;
    for (int i = s->first_limb; i < s->limb_count; ++i) {
        const eri_link *l = &w->tree->link[i];
        double *jolt = jolts + 6 * (size_t)i;
        er_vec3 turn = {0, 0, 0}, way = turn, from = turn;
        if (l->parent >= 0) {
            const double *above = jolts + 6 * (size_t)l->parent;
            turn = er_v3(above[0], above[1], above[2]);
            way = er_v3(above[3], above[4], above[5]);
            from = eri_limbs_origin(s->limbs, l->parent);
        } else if (l->above >= 0) {
            const eri_ground_state *g = &w->ground[l->above], *was = &s->was[l->above];
            turn = er_v3_scale(1.0 / step, er_v3_sub(g->angular, was->angular));
            way = er_v3_scale(1.0 / step, er_v3_sub(g->linear, was->linear));
            from = g->origin;
        }
        way = er_v3_add(way, er_v3_cross(turn, er_v3_sub(eri_limbs_origin(s->limbs, i), from)));
        jolt[0] = turn.x, jolt[1] = turn.y, jolt[2] = turn.z;
        jolt[3] = way.x, jolt[4] = way.y, jolt[5] = way.z;
        add_inertia(w, i, jolt, s->needed + 6 * (size_t)i);
    }
}

er_result eri_minimal_impel(er_world *w, double time, const double *q, const double *u, double step,
                            eri_account *account, double *du)
{
    eri_minimal *s = w->minimal;
    eri_evaluation e = {.step = step, .account = account};
    s->rank_tol = rank_tol;
    if (!is_shown(w, time, q, u)) move(w, time, q, u);
    place_loops(w);
    weigh_limbs(w);
    if (s->was != NULL && s->was_time == time) jolt_limbs(w, step, s->twist); // it may be led otherwise from now on
    joint_forces(w, q, u, &e, account);
    brake_spins(w, q, u, step, account);
    body_forces(w, time, account);
    bool factored = s->is_factored && eri_lanes_largest(s->armature, focused_velocities(w)) == 0.0;
    if (s->is_factored && !factored) eri_limbs_move(s->limbs, q, u, w->ground, s->wrench); // for the limbs' inertia
    s->is_shown = s->is_factored = false;
    if (factored) {
        eri_limbs_solve(s->limbs, s->force, s->needed, du, s->twist);
        close_change(w, du);
    } else {
        eri_limbs_factor_and_solve(s->limbs, s->armature, s->force, s->needed, du, s->twist);
        hold_loops(w, du);
    }
    for (int i = 0; i < focused_velocities(w); ++i)
        if (!isfinite(du[i])) return eri_world_not_finite(w, time);
    return ER_OK;
}

// Looks at limbs and loops alone.
static void look_at(er_world *w, eri_group g)
{
    eri_minimal *s = w->minimal;
    int was = s->loop_row[s->first_loop], now = s->loop_row[g.first_loop];
    s->first_limb = g.first_limb;
    s->limb_count = g.last_limb;
    s->first_loop = g.first_loop;
    s->last_loop = g.last_loop;
    s->row_loop += now - was;
    s->row_axis += now - was;
    s->row_count = s->loop_row[g.last_loop] - now;
    eri_limbs_focus(s->limbs, g.first_limb, g.last_limb);
}

// Everything that was looked at before one group.
static eri_group all_in_focus(const er_world *w)
{
    const eri_minimal *s = w->minimal;
    return (eri_group){0, s->limb_count, 0, w->multibody->loop_count};
}

void eri_minimal_accelerate(er_world *w, const eri_group *group, const double *q, const double *u, double *du,
                            er_wrench *loop)
{
    eri_minimal *s = w->minimal;
    eri_group all = all_in_focus(w);
    look_at(w, *group);
    int begin = first_velocity(w);
    s->rank_tol = rank_tol;
    eri_limbs_move(s->limbs, q, u, w->ground, s->needed);
    place_loops(w);
    for (int i = s->first_limb; i < s->limb_count && w->forces->any; ++i)
        act_on(w, i, w->wrench[w->tree->link[i].body], eri_limbs_com(s->limbs, i), s->needed);
    memset(s->force + begin, 0, (size_t)(focused_velocities(w) - begin) * sizeof(double));
    eri_limbs_factor_and_solve(s->limbs, NULL, s->force, s->needed, du, s->twist);
    if (s->row_count > 0) close_accelerations(w, du);
    for (int k = s->first_loop; k < s->last_loop && loop != NULL; ++k)
        loop[k - s->first_loop] = eri_minimal_loop_wrench(w, k, false);
    look_at(w, all);
    s->is_shown = s->is_factored = false;
}

er_result eri_minimal_mend(er_world *w, const eri_group *group, double time, double *q, double *u)
{
    er_result r = ER_OK;
    eri_multibody_normalise(w->multibody, group->first_limb, group->last_limb, q);
    if (group->first_loop == group->last_loop) return ER_OK;
    eri_group all = all_in_focus(w);
    look_at(w, *group);
    r = close_state(w, time, place(w, time, q, u), q, u);
    look_at(w, all);
    return r;
}

bool eri_minimal_is_nearly_flat(const er_world *w)
{
    return w->minimal->is_nearly_flat;
}

static bool is_jolted(const er_world *w, int ground)
{
    if (ground < 0) return false;
    const eri_ground_state *now = &w->ground[ground], *was = &w->minimal->was[ground];
    er_vec3 turn = er_v3_sub(now->angular, was->angular), way = er_v3_sub(now->linear, was->linear);
    return er_v3_dot(turn, turn) + er_v3_dot(way, way) > 0.0;
}

static bool is_group_jolted(const er_world *w, const eri_group *g)
{
    for (int i = g->first_limb; i < g->last_limb; ++i)
        if (w->tree->link[i].parent < 0 && is_jolted(w, w->tree->link[i].above)) return true;
    for (int k = g->first_loop; k < g->last_loop; ++k) {
        const eri_closure *l = &w->multibody->loop[k];
        if (l->parent.limb < 0 && is_jolted(w, l->parent.ground)) return true;
        if (l->child.limb < 0 && is_jolted(w, l->child.ground)) return true;
    }
    return false;
}

// The energy of the limbs' twists `a` + `b`.
static double energy_of_sum(const er_world *w, const double *a, const double *b)
{
    const eri_minimal *s = w->minimal;
    double twice = 0.0;
    for (int i = s->first_limb; i < s->limb_count; ++i) {
        double twist[6], momentum[6] = {0};
        for (int c = 0; c < 6; ++c)
            twist[c] = a[6 * i + c] + b[6 * i + c];
        add_inertia(w, i, twist, momentum);
        twice += inner(6, twist, momentum);
    }
    return 0.5 * twice;
}

double eri_minimal_jolt(er_world *w, const eri_group *group, double time, const double *q, double *u)
{
    eri_minimal *s = w->minimal;
    if (s->was == NULL || s->was_time != time || !is_group_jolted(w, group)) return 0.0;
    eri_group all = all_in_focus(w);
    look_at(w, *group);
    int begin = first_velocity(w), end = focused_velocities(w), limbs = s->limb_count - s->first_limb;
    eri_limbs_move(s->limbs, q, u, w->ground, s->needed);
    memset(s->needed + 6 * (size_t)s->first_limb, 0, 6 * (size_t)limbs * sizeof(double));
    memset(s->force + begin, 0, (size_t)(end - begin) * sizeof(double));
    jolt_limbs(w, 1.0, s->wrench);
    eri_limbs_factor_and_solve(s->limbs, NULL, s->force, s->needed, s->trial, s->twist);
    if (s->row_count > 0) {
        s->rank_tol = rank_tol;
        place_loops(w);
        factor_loops(w);
        constraint_changes(w, s->error);
        constraint_rates(w, s->lambda);
        for (int r = 0; r < s->row_count; ++r)
            s->error[r] = -(s->error[r] + s->lambda[r]);
        add_multipliers(w, s->error, s->trial);
        eri_limbs_twists(s->limbs, s->trial, s->twist);
    }
    for (int i = begin; i < end; ++i)
        u[i] += s->trial[i];
    double energy = energy_of_sum(w, s->wrench, s->twist);
    look_at(w, all);
    s->is_shown = s->is_factored = false;
    return energy;
}

void eri_minimal_link(const er_world *w, int limb, eri_lanes *across, eri_lanes *own)
{
    eri_limbs_link(w->minimal->limbs, limb, across, own);
}

int eri_minimal_row_count(const er_world *w)
{
    return w->minimal->row_count;
}

int eri_minimal_row_limb(const er_world *w, int row)
{
    const eri_closure *j = &w->multibody->loop[w->minimal->row_loop[row]];
    return j->parent.limb >= 0 ? j->parent.limb : j->child.limb;
}

const double *eri_minimal_row_twists(er_world *w, int row)
{
    eri_minimal *s = w->minimal;
    eri_limbs_twists(s->limbs, s->X + (size_t)row * (size_t)s->velocity_count, s->twist);
    return s->twist;
}

void eri_minimal_yield(er_world *w, double *needed, double *change)
{
    eri_minimal *s = w->minimal;
    memset(s->force, 0, (size_t)s->velocity_count * sizeof(double));
    eri_limbs_solve(s->limbs, s->force, needed, change, s->twist);
    close_change(w, change);
}

void eri_minimal_yield_of(er_world *w, int first, int end, double *needed, double *change)
{
    eri_minimal *s = w->minimal;
    const eri_limb *begin = &w->multibody->limb[first], *last = &w->multibody->limb[end - 1];
    memset(s->force + begin->u, 0, (size_t)(last->u + last->freedom - begin->u) * sizeof(double));
    eri_limbs_focus(s->limbs, first, end);
    eri_limbs_solve(s->limbs, s->force, needed, change, s->twist);
    eri_limbs_focus(s->limbs, 0, s->limb_count);
}

const double *eri_minimal_own_twists(er_world *w)
{
    eri_limbs_own_twists(w->minimal->limbs, w->minimal->twist);
    return w->minimal->twist;
}

void eri_minimal_momenta(er_world *w, const double *change, er_wrench *momentum, double *energy)
{
    eri_minimal *s = w->minimal;
    eri_limbs_twists(s->limbs, change, s->twist);
    eri_limbs_momenta(s->limbs, s->twist, momentum, energy);
}

// Rates at new positions, limbs factored and their twists found: what opens loops is taken off.
static void close_rates(er_world *w, double *u)
{
    eri_minimal *s = w->minimal;
    s->rank_tol = rank_tol;
    factor_loops(w);
    constraint_changes(w, s->error);
    constraint_rates(w, s->lambda); // of the ground's motion: limbs' own rates are 0
    for (int r = 0; r < s->row_count; ++r)
        s->error[r] = -(s->error[r] + s->lambda[r]);
    add_multipliers(w, s->error, u);
}

// Adds what the implicit dampers of the step, the armature, do to momenta on coordinates: they resist a change of rates
// at new positions as they did at the old ones. Without them a thin limb spins itself up between strong motors.
static void resist_change(const er_world *w, const double *rate, double *force)
{
    const eri_minimal *s = w->minimal;
    for (int i = 0; i < s->velocity_count; ++i)
        force[i] = s->armature[i] * rate[i];
    for (int i = 0; i < s->limb_count && s->products != NULL; ++i) {
        const double *p = s->products + 3 * i, *r = rate + w->multibody->limb[i].u;
        double *f = force + w->multibody->limb[i].u;
        if (!w->multibody->limb[i].turns_freely) continue;
        f[0] += p[0] * r[1] + p[1] * r[2];
        f[1] += p[0] * r[0] + p[2] * r[2];
        f[2] += p[1] * r[0] + p[2] * r[1];
    }
}

er_result eri_minimal_keep(er_world *w, double time, double *q, const er_wrench *momentum, const double *rate,
                           double *u)
{
    eri_minimal *s = w->minimal;
    bool resists = eri_lanes_largest(s->armature, focused_velocities(w)) > 0.0;
    memset(s->force, 0, (size_t)s->velocity_count * sizeof(double));
    if (s->row_count > 0) {
        memcpy(s->positions, q, (size_t)w->multibody->position_count * sizeof(double));
        eri_world_move_ground(w, time);
        double gap = go_and_place(w, false, q);
        w->gap = fmax(w->gap, gap);
        ++w->corrections;
        er_result r = close_positions(w, time, gap, s->has_factors, q, s->force);
        if (r != ER_OK) return r;
    } else {
        move(w, time, q, s->force);
    }
    for (int i = 0; i < w->minimal->limb_count; ++i) {
        er_vec3 com = er_v3_sub(eri_limbs_com(s->limbs, i), eri_limbs_origin(s->limbs, i));
        er_vec3 torque = er_v3_add(momentum[i].torque, er_v3_cross(com, momentum[i].force));
        double *n = s->wrench + 6 * (size_t)i;
        n[0] = -torque.x, n[1] = -torque.y, n[2] = -torque.z;
        n[3] = -momentum[i].force.x, n[4] = -momentum[i].force.y, n[5] = -momentum[i].force.z;
    }
    for (int i = 0; i < w->minimal->limb_count && w->def.guide != NULL; ++i) {
        eri_limb_motion m = eri_limbs_motion(s->limbs, i); // what the ground's motion gives it is its own
        const double twist[6] = {m.angular.x, m.angular.y, m.angular.z, m.linear.x, m.linear.y, m.linear.z};
        add_inertia(w, i, twist, s->wrench + 6 * (size_t)i);
    }
    if (resists) resist_change(w, rate, s->force);
    eri_limbs_factor_and_solve(s->limbs, resists ? s->armature : NULL, s->force, s->wrench, u, s->twist);
    if (s->row_count > 0) close_rates(w, u);
    if (!resists) remember_factored(w, q);
    return ER_OK;
}

eri_spin eri_minimal_spin(const er_world *w, int first, int last, bool with_inertia, const er_wrench *momentum,
                          const double *energy)
{
    const eri_limbs *limbs = w->minimal->limbs;
    eri_lump all = eri_limbs_lump(limbs, first, last, with_inertia);
    eri_spin out = {.centre = all.centre, .mass = all.mass, .inertia = all.inertia};
    er_vec3 sum = er_v3(0, 0, 0);
    for (int i = first; i < last; ++i) {
        er_vec3 arm = er_v3_sub(eri_limbs_com(limbs, i), all.centre), force = momentum[i].force;
        out.momentum = er_v3_add(out.momentum, er_v3_add(momentum[i].torque, er_v3_cross(arm, force)));
        sum = er_v3_add(sum, force);
        out.energy += energy[i];
    }
    out.velocity = er_v3_scale(1.0 / all.mass, sum);
    out.energy = fmax(out.energy - 0.5 * er_v3_dot(out.velocity, sum), 0.0); // rounding may leave less
    return out;
}

double eri_minimal_swing(er_world *w, const double *twist)
{
    const eri_minimal *s = w->minimal;
    return eri_limbs_swing(s->limbs, s->looped, w->flies, twist, s->borne, s->pull);
}

er_vec3 eri_minimal_drift(const er_world *w, int first, int last, const double *twist)
{
    er_vec3 sum = er_v3(0, 0, 0);
    double mass = 0.0;
    for (int i = first; i < last; ++i) {
        const double *d = twist + 6 * (size_t)i;
        er_vec3 com = er_v3_sub(eri_limbs_com(w->minimal->limbs, i), eri_limbs_origin(w->minimal->limbs, i));
        er_vec3 turn = er_v3(d[0], d[1], d[2]);
        sum = er_v3_madd(sum, w->multibody->limb[i].mass, er_v3_add(er_v3(d[3], d[4], d[5]), er_v3_cross(turn, com)));
        mass += w->multibody->limb[i].mass;
    }
    return er_v3_scale(1.0 / mass, sum);
}

const double *eri_minimal_twists(er_world *w, const double *rate)
{
    eri_limbs_twists(w->minimal->limbs, rate, w->minimal->twist);
    return w->minimal->twist;
}

eri_limb_motion eri_minimal_motion(const er_world *w, int limb)
{
    return eri_limbs_motion(w->minimal->limbs, limb);
}

er_vec3 eri_minimal_origin(const er_world *w, int limb)
{
    return eri_limbs_origin(w->minimal->limbs, limb);
}
