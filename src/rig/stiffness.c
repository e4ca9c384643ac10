// Effective inertias of joints by subtree sums, and the law that grades stiffness by them (docs/math/stiffness.md).
#include <eigenrig/rig.h>

#include <string.h>

#include "base/number.h"
#include "math/dense/dense.h"

typedef double matrix6[36]; // column-major

static bool is_valid(const er_stiffness *s)
{
    return s->uniform ? s->k >= 0.0 && isfinite(s->k)
                      : s->hz > 0.0 && isfinite(s->hz) && s->alpha >= 0.0 && s->alpha <= 1.0;
}

static bool skip(const char **at, const char *word)
{
    size_t length = strlen(word);
    bool there = strncmp(*at, word, length) == 0;
    if (there) *at += length;
    return there;
}

er_result er_stiffness_parse(er_context *context, const char *text, er_stiffness *out)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (text == NULL || out == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "er_stiffness_parse needs a text and a place for the law");
    const char *at = text;
    er_stiffness s = {.uniform = skip(&at, "uniform:"), .hz = 2.0, .alpha = 0.5};
    bool read = s.uniform ? eri_take_number(&at, &s.k)
                          : skip(&at, "graded:") && eri_take_number(&at, &s.hz) &&
                                (!skip(&at, ":") || eri_take_number(&at, &s.alpha));
    if (!read || *at != '\0' || !is_valid(&s))
        return er_fail(
            context, ER_ERROR_ARGUMENT,
            "stiffness \"%s\" is neither uniform:K (K in N m/rad, 0 or more) nor graded:HZ[:ALPHA] (HZ above 0, "
            "ALPHA 0 to 1)",
            text);
    *out = s;
    return ER_OK;
}

// The spatial inertia of a body carried to the frame `at`: Ad' M Ad, in `at`'s axes (theory 1).
static void add_inertia_at(const er_body *b, er_pose at, matrix6 sum)
{
    er_pose chi = er_pose_mul(er_pose_inverse(at), b->pose);
    er_vec3 c = er_pose_point(chi, b->com);
    er_mat3 turn = er_m3_from_q(chi.q), skew = er_m3_skew(c), square = er_m3_mul(skew, skew);
    er_mat3 central = er_m3_mul(er_m3_mul(turn, b->inertia), er_m3_transpose(turn));
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            sum[i + 6 * j] += central.m[i][j] - b->mass * square.m[i][j];
            sum[i + 6 * (j + 3)] += b->mass * skew.m[i][j];
            sum[i + 3 + 6 * j] -= b->mass * skew.m[i][j];
            sum[i + 3 + 6 * (j + 3)] += i == j ? b->mass : 0.0;
        }
}

// All that moves on one side of a tree joint, as one rigid body in world axes: mass, centre, inertia about it. Sums of
// these stay exact far from the origin, where 6x6 sums about one point would cancel.
typedef struct lump {
    double mass;
    er_vec3 centre;
    er_mat3 inertia;
    bool anchored; // joined to the world: immovable
} lump;

static lump lump_of(const er_body *b)
{
    er_mat3 turn = er_m3_from_q(b->pose.q);
    lump l = {b->mass, er_pose_point(b->pose, b->com), er_m3_mul(er_m3_mul(turn, b->inertia), er_m3_transpose(turn)),
              false};
    return l;
}

static lump joined(lump a, lump b)
{
    if (a.mass == 0.0 || b.mass == 0.0) {
        lump one = a.mass > 0.0 ? a : b;
        one.anchored = a.anchored || b.anchored;
        return one;
    }
    // parallel axes about the common centre: J = J_a + J_b + mu (|d|^2 I - d d'), mu the reduced mass
    double mass = a.mass + b.mass, reduced = a.mass * b.mass / mass;
    er_vec3 d = er_v3_sub(b.centre, a.centre);
    er_mat3 spread = er_m3_mul(er_m3_skew(d), er_m3_skew(d)); // d d' - |d|^2 I
    lump r = {mass, er_v3_madd(a.centre, b.mass / mass, d),
              er_m3_madd(er_m3_madd(a.inertia, 1.0, b.inertia), -reduced, spread), a.anchored || b.anchored};
    return r;
}

static er_body body_of(lump l)
{
    er_body b = {.mass = l.mass, .com = l.centre, .inertia = l.inertia, .pose = er_pose_identity()};
    return b;
}

// Inertia of the relative motion of two halves at a joint: M_red = (M_a^-1 + M_b^-1)^-1, M_a where b cannot move.
static er_result reduced_inertia(er_context *context, lump a, lump b, er_pose frame, matrix6 out)
{
    er_result r = ER_OK;
    if (a.anchored || a.mass == 0.0) { // the half that moves comes first
        lump other = a;
        a = b;
        b = other;
    }
    er_body body = body_of(a);
    memset(out, 0, sizeof(matrix6));
    add_inertia_at(&body, frame, out);
    if (b.anchored || b.mass == 0.0) return ER_OK;
    matrix6 other = {0};
    body = body_of(b);
    add_inertia_at(&body, frame, other);
    ERI_TRY(eri_linalg_small_inverse(context, 6, out));
    ERI_TRY(eri_linalg_small_inverse(context, 6, other));
    for (int i = 0; i < 36; ++i)
        out[i] += other[i];
    ERI_TRY(eri_linalg_small_inverse(context, 6, out));
done:
    return r;
}

// 1 / the smallest acceleration per unit effort over the coordinates [first, first + count) of H^-1.
static er_result effective_inertia(er_context *context, const double *inverse, int n, int first, int count, double *out)
{
    double block[36], values[6];
    for (int j = 0; j < count; ++j)
        for (int i = 0; i < count; ++i)
            block[i + count * j] = inverse[first + i + n * (first + j)];
    *out = 0.0;
    if (count == 0) return ER_OK;
    er_result r = eri_linalg_small_eigen(context, count, block, values);
    if (r == ER_OK) *out = 1.0 / values[0];
    return r;
}

typedef struct effective {
    double turn;  // kg m^2 over the free rotations; 0 where there are none
    double shift; // kg over the free shifts
} effective;

static er_result joint_inertia(er_context *context, const er_joint *j, lump a, lump b, effective *out)
{
    er_result r = ER_OK;
    matrix6 whole;
    double h[36];
    int axis[6], n = er_joint_type_freedom(j->type, axis), turns = 0;
    *out = (effective){0};
    if (n == 0) return ER_OK;
    ERI_TRY(reduced_inertia(context, a, b, j->frame, whole));
    if (j->pitch != 0.0) // the rate of a screw moves along z too
        whole[14] += j->pitch * (whole[17] + whole[32] + j->pitch * whole[35]);
    for (int c = 0; c < n; ++c) {
        turns += axis[c] < 3;
        for (int i = 0; i < n; ++i)
            h[i + n * c] = whole[axis[i] + 6 * axis[c]];
    }
    ERI_TRY(eri_linalg_small_inverse(context, n, h));
    ERI_TRY(effective_inertia(context, h, n, 0, turns, &out->turn));
    ERI_TRY(effective_inertia(context, h, n, turns, n - turns, &out->shift));
done:
    return r;
}

static bool is_free_root(const er_joint *j)
{
    return j->type == ER_JOINT_FREE && j->parent < 0;
}

// subtree[b]: b and all below it. rest[b]: the rest of its tree, the world if that is where the tree hangs.
static er_result halves(er_arena *scratch, const er_model *model, lump **subtree, lump **rest)
{
    er_result r = ER_OK;
    int n = model->body_count;
    ERI_TRY_NEW(*subtree, scratch, lump, n);
    ERI_TRY_NEW(*rest, scratch, lump, n);
    for (int b = 0; b < n; ++b)
        (*subtree)[b] = lump_of(&model->body[b]);
    for (int i = n - 1; i >= 0; --i) {
        int b = model->order[i], p = model->tree_parent[b];
        if (p >= 0) (*subtree)[p] = joined((*subtree)[p], (*subtree)[b]);
    }
    // rest[b] = rest[p] + body p + subtrees of b's siblings, siblings by running sums from both ends of the order
    lump *before, *after;
    ERI_TRY_NEW(before, scratch, lump, n);
    ERI_TRY_NEW(after, scratch, lump, n);
    for (int i = 0; i < n; ++i) {
        int b = model->order[i], p = model->tree_parent[b], t = model->tree_joint[b];
        if (p < 0) {
            (*rest)[b].anchored = t >= 0 && !is_free_root(&model->joint[t]);
            continue;
        }
        (*rest)[b] = before[p];
        before[p] = joined(before[p], (*subtree)[b]);
    }
    for (int i = n - 1; i >= 0; --i) {
        int b = model->order[i], p = model->tree_parent[b];
        if (p < 0) continue;
        (*rest)[b] = joined((*rest)[b], after[p]);
        after[p] = joined(after[p], (*subtree)[b]);
    }
    for (int i = 0; i < n; ++i) {
        int b = model->order[i], p = model->tree_parent[b];
        if (p >= 0) (*rest)[b] = joined(joined((*rest)[b], lump_of(&model->body[p])), (*rest)[p]);
    }
done:
    return r;
}

static er_result effective_inertias(er_context *context, er_arena *scratch, const er_model *model, effective *out)
{
    er_result r = ER_OK;
    lump *subtree, *rest, world = {.anchored = true};
    ERI_TRY(halves(scratch, model, &subtree, &rest));
    for (int b = 0; b < model->body_count; ++b) {
        int t = model->tree_joint[b];
        if (t >= 0 && !is_free_root(&model->joint[t]))
            ERI_TRY(joint_inertia(context, &model->joint[t], subtree[b], rest[b], &out[t]));
    }
    for (int k = 0; k < model->joint_count; ++k) {
        const er_joint *j = &model->joint[k];
        if (j->closes_loop)
            ERI_TRY(joint_inertia(context, j, lump_of(&model->body[j->child]),
                                  j->parent >= 0 ? lump_of(&model->body[j->parent]) : world, &out[k]));
    }
done:
    return r;
}

// k = (2 pi hz)^2 I_max^(1 - alpha) I^alpha
static double graded(const er_stiffness *law, double largest, double inertia)
{
    double omega = 2.0 * ER_PI * law->hz;
    return inertia > 0.0 ? omega * omega * pow(largest, 1.0 - law->alpha) * pow(inertia, law->alpha) : 0.0;
}

er_result er_stiffness_apply(er_context *context, const er_model *model, const er_stiffness *law, double *stiffness)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (model == NULL || law == NULL || stiffness == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT,
                       "er_stiffness_apply needs a model, a law and a place for the result");
    if (!is_valid(law) && law->uniform)
        return er_fail(context, ER_ERROR_ARGUMENT, "uniform stiffness %g is not a number of 0 or more", law->k);
    if (!is_valid(law))
        return er_fail(context, ER_ERROR_ARGUMENT,
                       "graded stiffness: %g Hz is not above 0, or alpha %g is not from 0 to 1", law->hz, law->alpha);
    er_result r = ER_OK;
    er_arena *scratch = NULL;
    effective *inertia, largest = {0};
    ERI_TRY(eri_arena_create(context, &scratch));
    ERI_TRY_NEW(inertia, scratch, effective, model->joint_count);
    if (!law->uniform) ERI_TRY(effective_inertias(context, scratch, model, inertia));
    for (int k = 0; k < model->joint_count; ++k) {
        largest.turn = fmax(largest.turn, inertia[k].turn);
        largest.shift = fmax(largest.shift, inertia[k].shift);
    }
    for (int k = 0; k < model->joint_count; ++k) {
        const er_joint *j = &model->joint[k];
        int axis[6], count = er_joint_type_freedom(j->type, axis);
        for (int c = 0; c < count; ++c)
            stiffness[model->coordinate[k] + c] = is_free_root(j) ? 0.0
                                                  : law->uniform  ? law->k
                                                  : axis[c] < 3   ? graded(law, largest.turn, inertia[k].turn)
                                                                  : graded(law, largest.shift, inertia[k].shift);
    }
done:
    eri_arena_destroy(scratch);
    return r;
}
