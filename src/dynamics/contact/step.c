/// @file
/// Steps with lasting contact: what touches, what other forces do, what contacts do, and where all goes by that.
#include "dynamics/contact/step.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "dynamics/contact/contact.h"
#include "dynamics/contact/reference.h"

// rad in a part of a step; and such parts: what swings faster yet is left to gain.
static const double most_turn = 1.5, most_parts = 32.0;

// ---- Making

static er_result copy_shapes(er_world *w, er_contacts *s)
{
    er_result r = ER_OK;
    er_world_shape *shape;
    size_t n = (size_t)s->shape_count;
    ER_TRY_NEW(shape, w->arena, er_world_shape, n);
    ER_TRY_NEW(s->radius, w->arena, double, n);
    ER_TRY_NEW(s->pose, w->arena, er_pose, n);
    ER_TRY_NEW(s->reach, w->arena, double, n);
    ER_TRY_NEW(s->thickness, w->arena, double, n);
    ER_TRY_NEW(s->bounded, w->arena, int, n);
    ER_TRY_NEW(s->boundless, w->arena, int, n);
    ER_TRY_NEW(s->low, w->arena, er_vec3, n);
    ER_TRY_NEW(s->high, w->arena, er_vec3, n);
    for (int i = 0; i < s->shape_count; ++i) {
        er_vec3 low, high;
        shape[i] = w->def.shape[i];
        shape[i].pose.q = er_q_unit(shape[i].pose.q);
        shape[i].name = NULL;
        s->rebounds |= shape[i].restitution > 0.0;
        er_shape_box(&shape[i].shape, er_pose_identity(), &low, &high);
        bool bounded = er_v3_finite(low) && er_v3_finite(high);
        if (bounded) {
            er_vec3 far = er_v3(fmax(-low.x, high.x), fmax(-low.y, high.y), fmax(-low.z, high.z));
            s->radius[i] = er_v3_norm(far);
            s->bounded[s->bounded_count++] = i;
        } else {
            s->boundless[s->boundless_count++] = i;
        }
    }
    s->shape = shape;
    er_swift_measure(s);
    ER_TRY(er_sweep_create(w->context, s->bounded_count, &s->sweep));
done:
    return r;
}

// Threads, where there are to be several, and memory of each.
static er_result create_team(er_world *w, er_contacts *s)
{
    er_result r = ER_OK;
    if (w->def.contact.threads == 1 || !er_world_is_reduced(w)) return ER_OK;
    ER_TRY(er_team_create(w->context, w->def.contact.threads, &s->team));
    ER_TRY(er_crew_create(w->context, er_team_count(s->team), &s->crew));
    for (int i = 0; i < er_team_count(s->team); ++i)
        ER_TRY(er_arena_create(er_crew_context(s->crew, i), &s->own[i]));
done:
    return r;
}

er_result er_contacts_create(er_world *w, er_contacts **out)
{
    er_result r = ER_OK;
    er_contacts *s;
    *out = NULL;
    if (w->def.integrator != ER_INTEGRATE_CONTACT) return ER_OK;
    ER_TRY_NEW(s, w->arena, er_contacts, 1);
    *out = s; // for er_contacts_destroy(), whatever follows
    s->shape_count = w->def.shape_count;
    ER_TRY(er_arena_create(w->context, &s->now.arena));
    ER_TRY(er_arena_create(w->context, &s->before.arena));
    ER_TRY(create_team(w, s));
    ER_TRY(copy_shapes(w, s));
    ER_TRY(er_tied_create(w->arena, &w->def, &s->tied));
    ER_TRY(er_movers_create(w, s));
    ER_TRY(er_reference_create(w, &s->reference));
    ER_TRY(er_islands_create(w, s));
    if (s->reference != NULL) {
        s->kept = er_reference_kept(s->reference);
        s->kept_count = 6 * (size_t)w->model->joint_count;
    }
    ER_TRY_NEW(s->q, w->arena, double, w->position_count);
    ER_TRY_NEW(s->u, w->arena, double, w->velocity_count);
    ER_TRY_NEW(s->du, w->arena, double, w->velocity_count);
done:
    return r;
}

void er_contacts_destroy(er_contacts *s)
{
    if (s == NULL) return;
    er_team_destroy(s->team);
    for (int i = 0; i < ER_THREADS_MOST; ++i)
        er_arena_destroy(s->own[i]);
    er_crew_destroy(s->crew);
    er_sweep_destroy(s->sweep);
    er_arena_destroy(s->now.arena);
    er_arena_destroy(s->before.arena);
}

void er_contacts_forget(er_contacts *s)
{
    s->now.count = s->now.bounded_count = s->now.meeting_count = 0;
    s->swing = 0.0;
    if (s->reference != NULL) er_reference_forget(s->reference);
    er_contacts_wake(s, -1);
}

long er_contacts_steps(const er_contacts *s)
{
    return s->steps;
}

// ---- Bytes

size_t er_contacts_size(const er_contacts *s)
{
    return 3 * sizeof(int) + sizeof(double) + (size_t)s->now.count * sizeof(er_touching) +
           (size_t)s->now.meeting_count * sizeof(er_meeting) + s->kept_count * sizeof(double);
}

void er_contacts_save(const er_contacts *s, void *bytes)
{
    const int count[3] = {s->now.count, s->now.bounded_count, s->now.meeting_count};
    char *at = bytes;
    memcpy(at, count, sizeof count);
    at += sizeof count;
    memcpy(at, &s->swing, sizeof s->swing);
    at += sizeof s->swing;
    if (s->now.count > 0) memcpy(at, s->now.item, (size_t)s->now.count * sizeof(er_touching));
    at += (size_t)s->now.count * sizeof(er_touching);
    if (s->now.meeting_count > 0) memcpy(at, s->now.meeting, (size_t)s->now.meeting_count * sizeof(er_meeting));
    at += (size_t)s->now.meeting_count * sizeof(er_meeting);
    if (s->kept_count > 0) memcpy(at, s->kept, s->kept_count * sizeof(double));
}

er_result er_contacts_restore(er_contacts *s, const void *bytes)
{
    er_result r = ER_OK;
    int count[3];
    const char *at = bytes;
    memcpy(count, at, sizeof count);
    at += sizeof count;
    memcpy(&s->swing, at, sizeof s->swing);
    at += sizeof s->swing;
    er_arena_reset(s->now.arena);
    s->now = (er_touchings){.arena = s->now.arena};
    ER_TRY_NEW(s->now.item, s->now.arena, er_touching, count[0]);
    ER_TRY_NEW(s->now.meeting, s->now.arena, er_meeting, count[2]);
    memcpy(s->now.item, at, (size_t)count[0] * sizeof(er_touching));
    at += (size_t)count[0] * sizeof(er_touching);
    memcpy(s->now.meeting, at, (size_t)count[2] * sizeof(er_meeting));
    at += (size_t)count[2] * sizeof(er_meeting);
    if (s->reference != NULL) er_reference_forget(s->reference);
    if (s->kept_count > 0) memcpy(s->kept, at, s->kept_count * sizeof(double));
    s->now.count = count[0];
    s->now.bounded_count = count[1];
    s->now.meeting_count = count[2];
done:
    return r;
}

// ---- Steps

// The time since `from`, which becomes now, counts.
static void count_time(double *sum, double *from)
{
    double now = er_seconds();
    *sum += now - *from;
    *from = now;
}

static er_result move(er_world *w, double t, double h, er_account *account, double *heat)
{
    er_result r = ER_OK;
    er_contacts *s = w->contacts;
    double from = er_seconds();
    er_movers_place(w);
    er_minimal_focus(w, true);
    ER_TRY(er_minimal_impel(w, t, s->q, s->u, h, account, s->du));
    er_islands_wake(w, s->du);
    er_movers_take(w, s->du);
    count_time(&s->times.motion, &from);
    ER_TRY(er_responses_create(w));
    ER_TRY(er_contacts_rebound(w, h));
    ER_TRY(er_blocks_create(w));
    er_contacts_solve(w, h);
    *heat = s->heat + er_movers_heat(w, h);
    ER_TRY(er_responses_end(w, h, heat));
    er_contacts_add_blows(s);
    count_time(&s->times.solver, &from);
    ER_TRY(er_movers_give(w, t + h, s->q, s->u));
    er_movers_keep(w, s->q, s->u);
    count_time(&s->times.motion, &from);
done:
    er_minimal_focus(w, false);
    return r;
}

static er_result solve_joined(er_world *w, double t, double h, er_account *account, double *heat)
{
    double from = er_seconds();
    er_result r = er_reference_step(w, t, h, account, heat);
    count_time(&w->contacts->times.solver, &from);
    return r;
}

static er_result step(er_world *w, double h)
{
    er_result r = ER_OK;
    er_contacts *s = w->contacts;
    double t = er_ode_time(w->solver), heat = 0.0;
    er_account account = {0};
    memcpy(s->q, er_ode_positions(w->solver), (size_t)w->position_count * sizeof(double));
    memcpy(s->u, er_ode_velocities(w->solver), (size_t)w->velocity_count * sizeof(double));
    if (er_islands_rest(w, h)) {
        ++s->steps;
        return er_ode_start(w->solver, t + h, s->q, s->u, 0.0);
    }
    double from = er_seconds();
    ER_TRY(er_contacts_meet(w, h));
    count_time(&s->times.collision, &from);
    ER_TRY(s->reference != NULL ? solve_joined(w, t, h, &account, &heat) : move(w, t, h, &account, &heat));
    from = er_seconds();
    s->u[w->velocity_count - 2] += h * account.work;
    s->u[w->velocity_count - 1] += h * account.heat + heat;
    ER_TRY(er_ode_start(w->solver, t + h, s->q, s->u, 0.0));
    if (s->reference != NULL)
        er_world_show(w, t + h, s->q, s->u); // joints' laws follow their angles
    else
        er_contacts_show(w, t + h, s->q, s->u, false);
    count_time(&s->times.motion, &from);
    ++s->steps;
done:
    return r;
}

// What swings fast under a load is taken in parts of a step: from two radians on it would gain.
static er_result step_parts(er_world *w, double to)
{
    er_result r = ER_OK;
    double from = er_ode_time(w->solver), h = to - from;
    double parts = fmin(fmax(ceil(h * w->contacts->swing / most_turn), 1.0), most_parts);
    for (double i = 1.0; i <= parts; ++i)
        ER_TRY(step(w, (i < parts ? from + i / parts * h : to) - er_ode_time(w->solver)));
done:
    return r;
}

er_result er_contacts_advance(er_world *w, double to)
{
    er_result r = ER_OK;
    double from = er_ode_time(w->solver), longest = w->def.max_step;
    double count = ceil((to - from) / longest * (1.0 - 1e-9));
    for (double k = 1.0; k <= count; ++k)
        ER_TRY(step_parts(w, k < count ? from + k / count * (to - from) : to));
done:
    return r;
}

er_contact er_world_contact(const er_world *w, int index)
{
    const er_touching *c = &w->contacts->now.item[index];
    er_contact out = {
        .shape = {c->shape[0], c->shape[1]}, .point = c->point, .normal = c->normal, .distance = c->distance};
    const er_directions directions = er_touching_directions(c);
    out.impulse = er_directions_sum(&directions, c->total);
    return out;
}

er_contact_report er_world_contact_report(const er_world *w)
{
    bool has = w->contacts != NULL && w->contacts->reference != NULL;
    return has ? er_reference_report(w->contacts->reference) : (er_contact_report){0};
}

er_contact_times er_world_contact_times(const er_world *w)
{
    return w->contacts != NULL ? w->contacts->times : (er_contact_times){0};
}

int er_world_contact_count(const er_world *w)
{
    return w->contacts != NULL ? w->contacts->now.count : 0;
}
