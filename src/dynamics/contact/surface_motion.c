/// @file
/// How the surfaces of held bodies move in a step, and how surfaces run over their shapes (docs/math/contact.md): what
/// stands on them is carried without slip as long as its friction suffices.
#include <math.h>

#include "dynamics/contact/contact_solver.h"

// How long after the middle of a sub-step the lowest point of a rim is taken, in halves of the sub-step. The end, 1,
// keeps the energy to second order, but some motions gain. The middle, 0, loses.
static const double rim_late = 0.4;
static const double followed = 2.0; // of the acceleration that friction gives by weight

// A held body's motion in a step.
typedef struct held_motion {
    er_pose from, to;
    er_vec3 angular_rate, linear_rate; // at the begin, world axes, of its origin
} held_motion;

static er_vec3 get(const double *x)
{
    return er_v3(x[0], x[1], x[2]);
}

static void put(er_vec3 a, double *x)
{
    x[0] = a.x, x[1] = a.y, x[2] = a.z;
}

static held_motion held_motion_of(const er_world *w, int body, double time, double h)
{
    held_motion m;
    er_twist twist, rate;
    eri_world_guide(w, time + h, body, &m.to, &twist, &rate);
    eri_world_guide(w, time, body, &m.from, &twist, &rate);
    er_vec3 spin = er_q_rotate(m.from.q, twist.angular), velocity = er_q_rotate(m.from.q, twist.linear);
    m.angular_rate = er_q_rotate(m.from.q, rate.angular);
    m.linear_rate = er_v3_add(er_q_rotate(m.from.q, rate.linear), er_v3_cross(spin, velocity));
    return m;
}

// Sets a held body's slot to its mean velocity.
static void set_mean_velocity(eri_contacts *s, int slot, const held_motion *m, er_vec3 com, double h)
{
    double *V = s->state.V + ERI_LANE_COUNT * (size_t)slot;
    er_vec3 turn = er_q_log(er_q_mul(m->to.q, er_q_conj(m->from.q)));
    er_vec3 way = er_v3_sub(er_pose_point(m->to, com), er_pose_point(m->from, com));
    put(er_v3_scale(1.0 / h, turn), V);
    put(er_v3_scale(1.0 / h, way), V + 3);
}

static er_vec3 along(er_vec3 a, er_vec3 normal)
{
    return er_v3_madd(a, -er_v3_dot(a, normal), normal);
}

// The acceleration of a surface without its part along the surface, if that is more than friction can follow. Such a
// change of velocity is a jump, as that of a body that is led from its first step on.
static er_vec3 without_jump(const er_world *w, const eri_contact_point *c, er_vec3 rate)
{
    er_vec3 across = along(rate, c->normal);
    double load = er_v3_norm(w->def.gravity) + er_v3_norm(er_v3_sub(rate, across));
    return er_v3_norm(across) <= followed * c->friction * load ? rate : er_v3_sub(rate, across);
}

// How a held body moves at a contact, less what its slot in V says.
// @param about  the centre of the body on it. All contacts of that body see the chord of this point: chords of their
//               own would strain a rigid body, and take its friction for that
static eri_contact_drive held_drive(const er_world *w, int slot, const held_motion *m, er_vec3 about,
                                    const eri_contact_point *c, double h)
{
    const eri_contacts *s = w->contacts;
    const double *V = s->state.V + ERI_LANE_COUNT * (size_t)slot;
    er_vec3 arm = er_v3_sub(about, m->from.p), own = er_q_rotate(er_q_conj(m->from.q), arm);
    er_vec3 to = er_pose_point(m->to, own), chord = er_v3_scale(1.0 / h, er_v3_sub(to, about));
    er_vec3 middle = er_v3_scale(0.5, er_v3_add(arm, er_v3_sub(to, m->to.p)));
    er_vec3 swing = er_v3_cross(get(V), er_v3_cross(get(V), middle));
    er_vec3 turning = er_v3_cross(m->angular_rate, er_v3_sub(c->point, m->from.p));
    er_vec3 rate = without_jump(w, c, er_v3_add(er_v3_add(m->linear_rate, turning), swing));
    er_vec3 slot_velocity = er_v3_add(get(V + 3), er_v3_cross(get(V), er_v3_sub(about, s->bodies.body[slot].com)));
    return (eri_contact_drive){er_v3_madd(er_v3_sub(chord, slot_velocity), -0.5 * h, rate), rate};
}

// How a shape's surface runs at a contact, along the surface.   @param about  as of held_drive()
static eri_contact_drive running_drive(const er_world *w, const er_world_shape *shape, er_vec3 about, er_vec3 point,
                                       er_vec3 normal)
{
    er_pose frame = shape->body >= 0 ? w->pose[shape->body] : er_pose_identity();
    er_vec3 spin = er_q_rotate(frame.q, shape->surface.angular), way = er_q_rotate(frame.q, shape->surface.linear);
    er_vec3 velocity = er_v3_add(way, er_v3_cross(spin, er_v3_sub(point, frame.p)));
    er_vec3 carried = er_v3_add(way, er_v3_cross(spin, er_v3_sub(about, frame.p)));
    return (eri_contact_drive){along(velocity, normal), along(er_v3_cross(spin, carried), normal)};
}

static void add(eri_contact_drive *sum, double sign, eri_contact_drive d)
{
    sum->velocity = er_v3_madd(sum->velocity, sign, d.velocity);
    sum->acceleration = er_v3_madd(sum->acceleration, sign, d.acceleration);
}

static er_vec3 centre_of(const er_world *w, int shape, er_vec3 point)
{
    int body = w->contacts->broad.shape[shape].body;
    return body >= 0 ? er_pose_point(w->pose[body], w->model->body[body].com) : point;
}

static double rim_sign(const eri_contacts *s, const eri_contact_point *c)
{
    return s->broad.shape[c->shape[0]].shape.kind == ER_SHAPE_CYLINDER ? -1.0 : 1.0;
}

// A cylinder rolls on the point of its rim that is lowest at a time of the sub-step, not on the one half way.
static eri_contact_drive rim_drive(const er_world *w, const eri_contact_point *c, double h)
{
    er_vec3 rate = eri_rim_acceleration(w, c);
    return (eri_contact_drive){er_v3_scale(-0.5 * h * (1.0 - rim_late / w->contacts->state.substeps), rate), rate};
}

// How fast the place of a contact moves over a surface: with a point of the other body, or with the centre of one that
// rolls. The drives above take that place to move with the surface.
static er_vec3 place_velocity(const er_world *w, const eri_contact_point *c, int side)
{
    const eri_broad_phase *broad = &w->contacts->broad;
    int other = c->shape[1 - side];
    er_vec3 at = eri_shape_is_round(&broad->shape[other]) ? broad->pose[other].p : c->point;
    return er_v3_sub(eri_shape_velocity_at(w, other, at), eri_shape_velocity_at(w, c->shape[side], c->point));
}

// A surface that turns moves otherwise at the next place of the contact.
static eri_contact_drive place_drive(const er_world *w, const eri_contact_point *c, int side)
{
    const er_world_shape *shape = &w->contacts->broad.shape[c->shape[side]];
    er_pose frame = shape->body >= 0 ? w->pose[shape->body] : er_pose_identity();
    er_vec3 runs = er_q_rotate(frame.q, shape->surface.angular), spin = runs, place = place_velocity(w, c, side);
    er_vec3 carried = er_v3_cross(runs, er_v3_sub(c->point, frame.p));
    place = er_v3_sub(place, er_v3_add(er_q_rotate(frame.q, shape->surface.linear), carried));
    if (shape->body >= 0) spin = er_v3_add(spin, er_q_rotate(frame.q, w->twist[shape->body].angular));
    return (eri_contact_drive){er_v3(0, 0, 0), along(er_v3_cross(spin, along(place, c->normal)), c->normal)};
}

er_result eri_surface_motion_find(er_world *w, double time, double h)
{
    er_result r = ER_OK;
    eri_contacts *s = w->contacts;
    held_motion *held;
    bool is_led = w->def.guide != NULL && s->bodies.static_count > 1;
    s->narrow.drive = NULL;
    if (!is_led && !s->broad.runs && !s->narrow.rolls_on_rim) return ER_OK;
    ERI_TRY_RESERVE(held, s->narrow.now.arena, held_motion, s->bodies.static_count);
    for (int i = 1; i < s->bodies.static_count && is_led; ++i) {
        int body = s->bodies.model_body[i];
        held[i] = held_motion_of(w, body, time, h);
        set_mean_velocity(s, i, &held[i], w->model->body[body].com, h);
    }
    ERI_TRY_NEW(s->narrow.drive, s->narrow.now.arena, eri_contact_drive, s->narrow.now.point_count);
    for (int i = 0; i < s->narrow.now.point_count; ++i) {
        const eri_contact_point *c = &s->narrow.now.point[i];
        eri_contact_drive *out = &s->narrow.drive[i];
        if (c->feature == ERI_FEATURE_RIM) add(out, rim_sign(s, c), rim_drive(w, c, h));
        for (int side = 0; side < 2; ++side) {
            double sign = side == 0 ? -1.0 : 1.0;
            int slot = s->bodies.slot[c->shape[side]];
            const er_world_shape *shape = &s->broad.shape[c->shape[side]];
            er_vec3 about = centre_of(w, c->shape[1 - side], c->point);
            bool is_held = is_led && slot >= 1 && slot < s->bodies.static_count;
            if (eri_surface_runs(shape) || is_held) add(out, sign, place_drive(w, c, side));
            if (eri_surface_runs(shape)) add(out, sign, running_drive(w, shape, about, c->point, c->normal));
            if (is_held) add(out, sign, held_drive(w, slot, &held[slot], about, c, h));
        }
    }
done:
    return r;
}

// The mean velocity of the second side against the first by the slots of held bodies.
static er_vec3 slot_velocity(const eri_contacts *s, const eri_contact_point *c)
{
    er_vec3 sum = {0, 0, 0};
    for (int side = 0; side < 2; ++side) {
        int slot = s->bodies.slot[c->shape[side]];
        const double *V = s->state.V + ERI_LANE_COUNT * (size_t)slot;
        if (slot < 1 || slot >= s->bodies.static_count) continue;
        er_vec3 arm = er_v3_sub(c->point, s->bodies.body[slot].com);
        sum = er_v3_madd(sum, side == 0 ? -1.0 : 1.0, er_v3_add(get(V + 3), er_v3_cross(get(V), arm)));
    }
    return sum;
}

// The drive by surfaces: a rim's drive corrects the place of the contact, and no surface moves by it.
static er_vec3 mean_drive(const er_world *w, int point, double h)
{
    const eri_contacts *s = w->contacts;
    const eri_contact_point *c = &s->narrow.now.point[point];
    eri_contact_drive d = s->narrow.drive[point];
    if (c->feature == ERI_FEATURE_RIM) add(&d, -rim_sign(s, c), rim_drive(w, c, h));
    return er_v3_madd(d.velocity, 0.5 * h, d.acceleration);
}

er_vec3 eri_surface_mean_velocity(const er_world *w, int point, double h)
{
    const eri_contacts *s = w->contacts;
    if (s->narrow.drive == NULL) return er_v3(0, 0, 0);
    return er_v3_add(mean_drive(w, point, h), slot_velocity(s, &s->narrow.now.point[point]));
}

void eri_surface_motion_account(const er_world *w, double h, eri_account *account, double *heat)
{
    const eri_contacts *s = w->contacts;
    for (int i = 0; i < s->narrow.now.point_count && s->narrow.drive != NULL; ++i) {
        const eri_contact_point *c = &s->narrow.now.point[i];
        const eri_contact_frame frame = eri_contact_frame_of(c);
        er_vec3 impulse = eri_contact_frame_sum(&frame, c->total);
        bool on_tree = s->bodies.limb[c->shape[0]] >= 0 || s->bodies.limb[c->shape[1]] >= 0;
        // an impulse works on the other side by as much as the slip leaves
        double driven = er_v3_dot(impulse, mean_drive(w, i, h)), held = er_v3_dot(impulse, slot_velocity(s, c));
        account->work -= (driven + held) / h;
        *heat -= driven + (on_tree ? 0.0 : held);
    }
}
