/// @file
/// What contacts move: bodies without joints, and trees whole, joints exact (contact.h).
#include <math.h>
#include <string.h>

#include "dynamics/contact/contact.h"

static const double alike = 1e-12; // of an inertia: the same about all axes
static const double noise = 1e-9;  // of a tree's energy: a step may add so much

// ---- Which

// The last limb that a loop ties to those up to a limb, or the limb.
static int tied_last(const eri_tree *t, int first, int last)
{
    for (int k = 0; k < t->loop_count; ++k) {
        int a = t->loop[k].parent.limb, b = t->loop[k].child.limb;
        if (a >= first && a < last && b >= last) last = b + 1;
        if (b >= first && b < last && a >= last) last = a + 1;
    }
    return last;
}

// Where trees end that begin at a limb: with the subtree, and all that loops tie to it and what stands between.
static int trees_end(const eri_tree *t, int first)
{
    int last = first, tied = first + 1;
    while (tied > last) {
        last = tied;
        while (last < t->jointed_count && t->limb[last].up >= 0)
            ++last;
        tied = tied_last(t, first, last);
    }
    return last;
}

static bool is_floating(const eri_tree *t, int first, int last)
{
    for (int i = first + 1; i < last; ++i)
        if (t->limb[i].up < 0) return false;
    for (int k = 0; k < t->loop_count; ++k) {
        int a = t->loop[k].parent.limb, b = t->loop[k].child.limb;
        if ((a < 0 && b >= first && b < last) || (b < 0 && a >= first && a < last)) return false;
    }
    return t->limb[first].joint < 0;
}

static bool is_sprung(const er_world *w, int first, int last)
{
    for (int i = first; i < last; ++i) {
        const eri_limb *l = &w->tree->limb[i];
        if (l->joint < 0 || !w->laws->acts[l->joint]) continue;
        for (int c = 0; c < l->freedom; ++c)
            if (w->laws->law[l->coordinate + c].stiff > 0.0) return true;
    }
    return false;
}

static void list_singles(er_world *w, eri_contacts *s)
{
    const eri_tree *t = w->tree;
    s->single_body[s->single_count++] = -1;
    for (int b = 0; b < w->model->body_count; ++b)
        if (t->limb_of_body[b] < 0) s->single_body[s->single_count++] = b;
    s->still_count = s->single_count;
    for (int i = t->jointed_count; i < t->limb_count; ++i)
        s->single_body[s->single_count++] = t->limb[i].body;
    for (int i = 1; i < s->single_count; ++i) {
        const er_body *b = &w->model->body[s->single_body[i]];
        const er_mat3 *J = &b->inertia;
        double x = J->m[0][0], most = fmax(fabs(J->m[0][1]), fmax(fabs(J->m[0][2]), fabs(J->m[1][2])));
        s->single[i].round = fmax(most, fmax(fabs(J->m[1][1] - x), fabs(J->m[2][2] - x))) <= alike * x;
        s->single[i].inverse_mass = i < s->still_count ? 0.0 : 1.0 / b->mass;
        s->mover[s->single_body[i]] = (eri_mover){i, -1};
    }
    for (int i = 0; i < s->still_count; ++i)
        s->single[i].round = true;
    s->width = ERI_LANE_COUNT * s->single_count;
}

static bool is_ball(const er_world *w, const eri_contacts *s, const er_world_shape *a)
{
    if (a->body < 0) return true;
    if (a->shape.kind != ER_SHAPE_SPHERE || s->mover[a->body].grove >= 0 || eri_contacts_is_ground(s, a->body))
        return false;
    double off = er_v3_distance(a->pose.p, w->model->body[a->body].com);
    return s->single[s->mover[a->body].single].round && off <= alike * a->shape.radius;
}

er_result eri_movers_create(er_world *w, eri_contacts *s)
{
    er_result r = ER_OK;
    const eri_tree *t = w->tree;
    ERI_TRY_NEW(s->single, w->arena, eri_single, w->model->body_count + 1);
    ERI_TRY_NEW(s->single_body, w->arena, int, w->model->body_count + 1);
    ERI_TRY_NEW(s->grove, w->arena, eri_grove, t->jointed_count);
    ERI_TRY_NEW(s->mover, w->arena, eri_mover, w->model->body_count);
    list_singles(w, s);
    s->limbs_at = s->width;
    for (int first = 0, last; first < t->jointed_count; first = last) {
        last = trees_end(t, first);
        int begin = t->limb[first].u, end = last < t->limb_count ? t->limb[last].u : t->velocity_count;
        s->grove[s->grove_count] = (eri_grove){.first_limb = first,
                                               .last_limb = last,
                                               .at = s->width,
                                               .count = end - begin,
                                               .velocity = begin,
                                               .floats = is_floating(t, first, last),
                                               .sprung = is_sprung(w, first, last)};
        s->width += ERI_LANE_COUNT * (last - first);
        for (int i = first; i < last; ++i)
            s->mover[t->limb[i].body] = (eri_mover){-1, s->grove_count};
        ++s->grove_count;
    }
    ERI_TRY_NEW(s->ball, w->arena, bool, s->shape_count);
    ERI_TRY_NEW(s->place, w->arena, int, s->shape_count);
    ERI_TRY_NEW(s->limb, w->arena, int, s->shape_count);
    for (int i = 0; i < s->shape_count; ++i) {
        int body = s->shape[i].body;
        eri_mover m = body >= 0 ? s->mover[body] : (eri_mover){0, -1};
        s->place[i] = m.grove >= 0 ? s->grove[m.grove].at / ERI_LANE_COUNT : m.single;
        s->limb[i] = m.grove >= 0 ? t->limb_of_body[body] : -1;
        s->ball[i] = is_ball(w, s, &s->shape[i]);
    }
    ERI_TRY_NEW(s->change, w->arena, double, t->velocity_count);
    ERI_TRY_NEW(s->shift, w->arena, double, t->velocity_count);
    double **vectors[] = {&s->V, &s->dV, &s->way, &s->loose, &s->begin, &s->late};
    for (size_t i = 0; i < ERI_COUNT(vectors); ++i)
        ERI_TRY_NEW(*vectors[i], w->arena, double, s->width);
done:
    return r;
}

// ---- Bodies without joints

static er_vec3 get(const double *x)
{
    return er_v3(x[0], x[1], x[2]);
}

static void put(er_vec3 a, double *x)
{
    x[0] = a.x, x[1] = a.y, x[2] = a.z;
}

static er_mat3 turned(er_mat3 axes, er_mat3 inertia)
{
    return er_m3_mul(er_m3_mul(axes, inertia), er_m3_transpose(axes));
}

// Where a body without joints is, and how it moves, by its positions and rates among the tree's.
static void show_lone(er_world *w, const eri_limb *l, const double *q, const double *u)
{
    const er_pose rest = w->model->body[l->body].pose;
    er_quat turn = er_q_unit(er_q(q[l->q], q[l->q + 1], q[l->q + 2], q[l->q + 3]));
    er_pose pose = {er_q_mul(rest.q, turn), er_v3_add(rest.p, er_m3_mul_v(l->near_axes, get(q + l->q + 4)))};
    er_quat back = er_q_conj(turn);
    w->pose[l->body] = pose;
    w->twist[l->body] = (er_twist){er_q_rotate(back, get(u + l->u)), er_q_rotate(back, get(u + l->u + 3))};
}

// A state to be shown, by workers.
typedef struct showing {
    er_world *w;
    const double *q, *u;
    bool all;
} showing;

static void show_some(void *job, int worker, int count)
{
    const showing *x = job;
    const eri_contacts *s = x->w->contacts;
    int end = eri_team_share(s->single_count, worker + 1, count);
    for (int i = eri_team_share(s->single_count, worker, count); i < end; ++i) {
        if (i < s->still_count || (!x->all && eri_contacts_sleeps(s, i))) continue;
        show_lone(x->w, &x->w->tree->limb[x->w->tree->limb_of_body[s->single_body[i]]], x->q, x->u);
    }
}

void eri_contacts_show(er_world *w, double time, const double *q, const double *u, bool all)
{
    eri_minimal_focus(w, true);
    eri_minimal_bodies(w, time, q, u, w->pose, w->twist);
    eri_minimal_focus(w, false);
    eri_team_run(w->contacts->team, show_some, &(showing){w, q, u, all});
}

static void put_inverse(eri_single *b, er_mat3 axes, const er_body *body)
{
    if (b->round) {
        b->inverse[0] = b->inverse[1] = b->inverse[2] = 1.0 / body->inertia.m[0][0];
        return;
    }
    er_mat3 J = er_m3_inverse(turned(axes, body->inertia));
    const double entry[6] = {J.m[0][0], J.m[1][1], J.m[2][2], J.m[0][1], J.m[0][2], J.m[1][2]};
    memcpy(b->inverse, entry, sizeof entry);
}

static er_vec3 divide(const eri_single *b, er_vec3 a)
{
    const double *J = b->inverse;
    return er_v3(J[0] * a.x + J[3] * a.y + J[4] * a.z, J[3] * a.x + J[1] * a.y + J[5] * a.z,
                 J[4] * a.x + J[5] * a.y + J[2] * a.z);
}

// Held bodies, and those without joints: where they are, and what forces on them do.
static void take_single(er_world *w, int i)
{
    eri_contacts *s = w->contacts;
    eri_single *b = &s->single[i];
    int index = s->single_body[i];
    const er_body *body = &w->model->body[index];
    const er_pose *pose = &w->pose[index];
    double *V = s->V + ERI_LANE_COUNT * i, *dV = s->dV + ERI_LANE_COUNT * i;
    er_vec3 arm = er_q_rotate(pose->q, body->com), spin = er_q_rotate(pose->q, w->twist[index].angular);
    b->com = er_v3_add(pose->p, arm);
    put(spin, V);
    put(er_v3_add(er_q_rotate(pose->q, w->twist[index].linear), er_v3_cross(spin, arm)), V + 3);
    if (i < s->still_count) return;
    put_inverse(b, er_m3_from_q(pose->q), body);
    V[6] = b->inverse_mass, V[7] = b->inverse[0];
    er_vec3 fall = w->def.gravity, turn = er_v3(0, 0, 0);
    if (w->forces->any) {
        fall = er_v3_madd(fall, b->inverse_mass, w->wrench[index].force);
        turn = divide(b, w->wrench[index].torque);
    }
    put(turn, dV);
    put(fall, dV + 3);
}

// Goes by `way`, turned about the angular velocity that the same momentum has half way; the momentum stays.
static void give_lone(er_world *w, int i, double *q, double *u)
{
    eri_contacts *s = w->contacts;
    const eri_single *b = &s->single[i];
    int index = s->single_body[i];
    const eri_limb *l = &w->tree->limb[w->tree->limb_of_body[index]];
    const er_body *body = &w->model->body[index];
    const double *V = s->V + ERI_LANE_COUNT * i, *way = s->way + ERI_LANE_COUNT * i;
    er_quat at = w->pose[index].q;
    er_vec3 turn = get(way), spin = get(V);
    if (!b->round) {
        er_mat3 here = turned(er_m3_from_q(at), body->inertia);
        er_quat half = er_q_mul(er_q_exp(er_v3_scale(0.5, turn)), at);
        er_mat3 there = turned(er_m3_from_q(half), body->inertia);
        turn = er_m3_mul_v(er_m3_inverse(there), er_m3_mul_v(here, turn));
        er_mat3 axes = er_m3_from_q(er_q_mul(er_q_exp(turn), at));
        spin = er_m3_mul_v(er_m3_inverse(turned(axes, body->inertia)), er_m3_mul_v(here, spin));
    }
    at = er_q_unit(er_q_mul(er_q_exp(turn), at));
    er_vec3 arm = er_q_rotate(at, body->com), origin = er_v3_sub(er_v3_add(b->com, get(way + 3)), arm);
    er_mat3 back = er_m3_transpose(l->near_axes);
    er_quat E = er_q_mul(er_q_conj(body->pose.q), at);
    q[l->q] = E.w, q[l->q + 1] = E.x, q[l->q + 2] = E.y, q[l->q + 3] = E.z;
    put(er_m3_mul_v(back, er_v3_sub(origin, body->pose.p)), q + l->q + 4);
    put(er_m3_mul_v(back, spin), u + l->u);
    put(er_m3_mul_v(back, er_v3_sub(get(V + 3), er_v3_cross(spin, arm))), u + l->u + 3);
}

double eri_movers_heat(const er_world *w, double h)
{
    const eri_contacts *s = w->contacts;
    double heat = 0.0;
    for (int i = s->still_count; i < s->single_count; ++i) {
        const er_body *body = &w->model->body[s->single_body[i]];
        const double *V = s->V + ERI_LANE_COUNT * i, *V0 = s->begin + ERI_LANE_COUNT * i,
                     *dV = s->dV + ERI_LANE_COUNT * i;
        double change[6], mean[6];
        for (int k = 0; k < 6; ++k)
            change[k] = V[k] - V0[k] - h * dV[k], mean[k] = 0.5 * (V[k] + V0[k]);
        er_quat q = w->pose[s->single_body[i]].q;
        er_vec3 blow = s->single[i].round ? er_v3_scale(body->inertia.m[0][0], get(change))
                                          : er_m3_mul_v(turned(er_m3_from_q(q), body->inertia), get(change));
        heat -= er_v3_dot(blow, get(mean)) + body->mass * er_v3_dot(get(change + 3), get(mean + 3));
    }
    return heat;
}

// ---- Trees that float

// Shifts all of a tree as one to where its centre of mass goes, and turns it as one so that its angular momentum is
// what it was: bodies that go round a joint in steps lose a little of both.
static void keep_spin(const er_world *w, const eri_grove *g, const eri_spin *before, const eri_spin *after, double *q,
                      double *u)
{
    const eri_spin now = *after;
    const eri_limb *root = &w->tree->limb[g->first_limb];
    er_mat3 slack = er_m3_inverse(now.inertia);
    er_vec3 turn = er_m3_mul_v(slack, er_v3_sub(before->momentum, now.momentum));
    er_vec3 slide = er_v3_cross(turn, er_v3_sub(eri_minimal_origin(w, g->first_limb), now.centre));
    er_mat3 back = er_m3_transpose(root->near_axes);
    double *at = u + root->u, *shift = q + root->q + 4;
    put(er_v3_add(get(at), er_m3_mul_v(back, turn)), at);
    put(er_v3_add(get(at + 3), er_m3_mul_v(back, slide)), at + 3);
    put(er_v3_add(get(shift), er_m3_mul_v(back, er_v3_sub(before->centre, now.centre))), shift);
    er_vec3 spin = er_m3_mul_v(slack, before->momentum);
    double rigid = 0.5 * er_v3_dot(spin, before->momentum);
    double energy =
        now.energy + er_v3_dot(turn, now.momentum) + 0.5 * er_v3_dot(turn, er_v3_sub(before->momentum, now.momentum));
    if (energy <= before->energy + noise * fabs(before->energy)) return;
    // the tree's motion in itself, slowed, pays for what the turn adds: momenta know nothing of it; then the turn does
    double share = rigid < before->energy ? sqrt((before->energy - rigid) / (energy - rigid)) : 0.0;
    if (rigid > before->energy) spin = er_v3_scale(sqrt(fmax(before->energy, 0.0) / rigid), spin);
    er_vec3 arm = er_v3_sub(eri_minimal_origin(w, g->first_limb), now.centre);
    er_vec3 along = er_m3_mul_v(back, er_v3_add(now.velocity, er_v3_cross(spin, arm)));
    for (int i = 0; i < g->count; ++i)
        u[g->velocity + i] *= share;
    put(er_v3_madd(get(at), 1.0 - share, er_m3_mul_v(back, spin)), at);
    put(er_v3_madd(get(at + 3), 1.0 - share, along), at + 3);
}

static double kinetic(const eri_spin *all)
{
    return all->energy + 0.5 * all->mass * er_v3_dot(all->velocity, all->velocity);
}

// What momenta lose where the way of a centre of mass turns: the part across where it goes now, up to as much as is
// left.
static double lost_in_turning(const eri_spin *before, const eri_spin *now)
{
    double all = er_v3_dot(before->velocity, before->velocity);
    double ahead = er_v3_dot(before->velocity, er_v3_unit(now->velocity, er_v3(0, 0, 0)));
    return 0.5 * now->mass * fmin(fmax(all - ahead * ahead, 0.0), ahead * ahead);
}

// The energy of trees that hang on the ground grows by no more than weight gives: a body's momentum is worth more where
// it has come to stand along a smaller moment, and weight has worked along the straight ways that bodies left. What
// swings went by the velocities at the step's end: its fall is that beside the mean of both ends, and what its centre
// lost in turning is given back.
static void keep_energy(const er_world *w, const eri_grove *g, double h, const eri_spin *before, const eri_spin *now,
                        double *u)
{
    bool swings = eri_grove_swings(g);
    er_vec3 aside = er_v3_sub(now->centre, before->centre);
    if (swings) aside = er_v3_madd(aside, 0.5 * h, er_v3_sub(before->velocity, now->velocity));
    double had = kinetic(before) + now->mass * er_v3_dot(w->def.gravity, aside), has = kinetic(now);
    double most = has + (swings ? lost_in_turning(before, now) : 0.0);
    double share = has > 0.0 ? sqrt(fmin(fmax(had, 0.0), most) / has) : 1.0;
    for (int i = 0; i < g->count; ++i)
        u[g->velocity + i] *= share;
}

static er_result give_trees(er_world *w, double time, double *q, double *u)
{
    er_result r = ER_OK;
    eri_contacts *s = w->contacts;
    double h = time - eri_ode_time(w->solver);
    er_wrench *momentum;
    eri_spin *spin;
    double *energy;
    ERI_TRY_RESERVE(momentum, s->now.arena, er_wrench, w->tree->jointed_count);
    ERI_TRY_RESERVE(energy, s->now.arena, double, w->tree->jointed_count);
    ERI_TRY_NEW(spin, s->now.arena, eri_spin, s->grove_count);
    eri_minimal_momenta(w, s->change, momentum, energy);
    for (int i = 0; i < s->grove_count; ++i) {
        const eri_grove *g = &s->grove[i];
        spin[i] = eri_minimal_spin(w, g->first_limb, g->last_limb, false, momentum, energy);
    }
    const double *twist = eri_minimal_twists(w, s->shift);
    for (int i = 0; i < s->grove_count; ++i) {
        const eri_grove *g = &s->grove[i];
        er_vec3 drift = eri_minimal_drift(w, g->first_limb, g->last_limb, twist);
        spin[i].centre = er_v3_add(spin[i].centre, drift);
    }
    eri_tree_move(w->tree, w->tree->jointed_count, s->shift, q);
    ERI_TRY(eri_minimal_keep(w, time, q, momentum, u));
    eri_minimal_momenta(w, u, momentum, energy);
    for (int i = 0; i < s->grove_count; ++i) {
        const eri_grove *g = &s->grove[i];
        if (!g->floats && w->def.guide != NULL) continue; // what is led takes energy from what leads it
        const eri_spin now = eri_minimal_spin(w, g->first_limb, g->last_limb, g->floats, momentum, energy);
        if (g->floats)
            keep_spin(w, g, &spin[i], &now, q, u);
        else
            keep_energy(w, g, h, &spin[i], &now, u);
    }
done:
    return r;
}

// ---- All

static bool sleeps(const eri_contacts *s, const eri_grove *g)
{
    return eri_contacts_sleeps(s, g->at / ERI_LANE_COUNT);
}

static void lie(eri_contacts *s, int at, int count)
{
    memset(s->V + at, 0, (size_t)count * sizeof(double));
    memset(s->dV + at, 0, (size_t)count * sizeof(double));
}

void eri_movers_place(er_world *w)
{
    for (int i = w->tree->jointed_count; i < w->tree->limb_count && w->forces->any; ++i) {
        int b = w->tree->limb[i].body;
        w->motion[b] = eri_body_motion_of(&w->model->body[b], &w->pose[b], &w->twist[b]);
    }
}

// Twists of limbs, eight numbers each.
static void take_limbs(const eri_contacts *s, const double *twist, double *V)
{
    for (int i = 0; i < (s->width - s->limbs_at) / ERI_LANE_COUNT; ++i)
        memcpy(V + s->limbs_at + ERI_LANE_COUNT * i, twist + 6 * (size_t)i, 6 * sizeof(double));
}

// What workers share of bodies without joints.
typedef struct singles {
    er_world *w;
    double *q, *u;
} singles;

static void take_some(void *job, int worker, int count)
{
    er_world *w = ((const singles *)job)->w;
    eri_contacts *s = w->contacts;
    int end = eri_team_share(s->single_count, worker + 1, count);
    for (int i = eri_team_share(s->single_count, worker, count); i < end; ++i)
        if (eri_contacts_sleeps(s, i))
            lie(s, ERI_LANE_COUNT * i, ERI_LANE_COUNT);
        else if (i > 0)
            take_single(w, i);
}

static void give_some(void *job, int worker, int count)
{
    const singles *all = job;
    const eri_contacts *s = all->w->contacts;
    int end = eri_team_share(s->single_count, worker + 1, count);
    for (int i = eri_team_share(s->single_count, worker, count); i < end; ++i)
        if (i >= s->still_count && !eri_contacts_sleeps(s, i)) give_lone(all->w, i, all->q, all->u);
}

void eri_movers_take(er_world *w, const double *du)
{
    eri_contacts *s = w->contacts;
    eri_team_run(s->team, take_some, &(singles){w, NULL, NULL});
    if (s->grove_count == 0) return;
    take_limbs(s, eri_minimal_own_twists(w), s->V);
    const double *rate = eri_minimal_twists(w, du);
    take_limbs(s, rate, s->dV);
    s->swing = eri_minimal_swing(w, rate);
    for (int i = 0; i < s->grove_count; ++i) {
        const eri_grove *g = &s->grove[i];
        if (sleeps(s, g)) lie(s, g->at, ERI_LANE_COUNT * (g->last_limb - g->first_limb));
    }
}

er_result eri_movers_give(er_world *w, double time, double *q, double *u)
{
    eri_contacts *s = w->contacts;
    er_result r = s->grove_count > 0 ? give_trees(w, time, q, u) : ER_OK;
    if (r == ER_OK) eri_team_run(s->team, give_some, &(singles){w, q, u});
    return r;
}

void eri_movers_keep(const er_world *w, double *q, double *u)
{
    const eri_contacts *s = w->contacts;
    const double *was = eri_ode_positions(w->solver);
    for (int i = 0; i < s->grove_count; ++i) {
        const eri_grove *g = &s->grove[i];
        if (!sleeps(s, g)) continue;
        int begin = w->tree->limb[g->first_limb].q;
        int end = g->last_limb < w->tree->limb_count ? w->tree->limb[g->last_limb].q : w->tree->position_count;
        memcpy(q + begin, was + begin, (size_t)(end - begin) * sizeof *q);
        memset(u + g->velocity, 0, (size_t)g->count * sizeof *u);
    }
}
