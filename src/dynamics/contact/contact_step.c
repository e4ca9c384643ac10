/// @file
/// Steps with lasting contact: what touches, what other forces do, what contacts do, and where all goes by that.
#include "dynamics/contact/contact_step.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "dynamics/contact/contact.h"
#include "dynamics/contact/reference_solver.h"

// rad in a part of a step; and such parts: what swings faster yet is left to gain.
static const double most_turn = 1.5, most_parts = 32.0;

// ---- Making

static er_result copy_shapes(er_world *w, eri_contacts *s)
{
    er_result r = ER_OK;
    er_world_shape *shape;
    size_t n = (size_t)s->shape_count;
    ERI_TRY_NEW(shape, w->arena, er_world_shape, n);
    ERI_TRY_NEW(s->radius, w->arena, double, n);
    ERI_TRY_NEW(s->pose, w->arena, er_pose, n);
    ERI_TRY_NEW(s->reach, w->arena, double, n);
    ERI_TRY_NEW(s->thickness, w->arena, double, n);
    ERI_TRY_NEW(s->bounded, w->arena, int, n);
    ERI_TRY_NEW(s->boundless, w->arena, int, n);
    ERI_TRY_NEW(s->low, w->arena, er_vec3, n);
    ERI_TRY_NEW(s->high, w->arena, er_vec3, n);
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
    eri_swift_measure(s);
    ERI_TRY(er_sweep_create(w->context, s->bounded_count, &s->sweep));
done:
    return r;
}

// Threads, where there are to be several, and memory of each.
static er_result create_team(er_world *w, eri_contacts *s)
{
    er_result r = ER_OK;
    if (w->def.contact.threads == 1 || !eri_world_is_reduced(w)) return ER_OK;
    ERI_TRY(eri_team_create(w->context, w->def.contact.threads, &s->team));
    ERI_TRY(eri_crew_create(w->context, eri_team_count(s->team), &s->crew));
    for (int i = 0; i < eri_team_count(s->team); ++i)
        ERI_TRY(eri_arena_create(eri_crew_context(s->crew, i), &s->own[i]));
done:
    return r;
}

er_result eri_contacts_create(er_world *w, eri_contacts **out)
{
    er_result r = ER_OK;
    eri_contacts *s;
    *out = NULL;
    if (w->def.integrator != ER_INTEGRATE_CONTACT) return ER_OK;
    ERI_TRY_NEW(s, w->arena, eri_contacts, 1);
    *out = s; // for eri_contacts_destroy(), whatever follows
    s->shape_count = w->def.shape_count;
    ERI_TRY(eri_arena_create(w->context, &s->now.arena));
    ERI_TRY(eri_arena_create(w->context, &s->before.arena));
    ERI_TRY(create_team(w, s));
    ERI_TRY(copy_shapes(w, s));
    ERI_TRY(eri_tied_create(w->arena, &w->def, &s->tied));
    ERI_TRY(eri_movers_create(w, s));
    ERI_TRY(eri_reference_create(w, &s->reference));
    ERI_TRY(eri_islands_create(w, s));
    if (s->reference != NULL) {
        s->kept = eri_reference_kept(s->reference);
        s->kept_count = 6 * (size_t)w->model->joint_count;
    }
    ERI_TRY_NEW(s->q, w->arena, double, w->position_count);
    ERI_TRY_NEW(s->u, w->arena, double, w->velocity_count);
    ERI_TRY_NEW(s->du, w->arena, double, w->velocity_count);
done:
    return r;
}

void eri_contacts_destroy(eri_contacts *s)
{
    if (s == NULL) return;
    eri_team_destroy(s->team);
    for (int i = 0; i < ERI_THREADS_MOST; ++i)
        eri_arena_destroy(s->own[i]);
    eri_crew_destroy(s->crew);
    er_sweep_destroy(s->sweep);
    eri_arena_destroy(s->now.arena);
    eri_arena_destroy(s->before.arena);
}

void eri_contacts_forget(eri_contacts *s)
{
    s->now.count = s->now.bounded_count = s->now.meeting_count = 0;
    s->swing = 0.0;
    if (s->reference != NULL) eri_reference_forget(s->reference);
    eri_contacts_wake(s, -1);
}

long eri_contacts_steps(const eri_contacts *s)
{
    return s->steps;
}

// ---- Bytes

size_t eri_contacts_size(const eri_contacts *s)
{
    return 3 * sizeof(int) + sizeof(double) + (size_t)s->now.count * sizeof(eri_touching) +
           (size_t)s->now.meeting_count * sizeof(eri_meeting) + s->kept_count * sizeof(double);
}

void eri_contacts_save(const eri_contacts *s, void *bytes)
{
    const int count[3] = {s->now.count, s->now.bounded_count, s->now.meeting_count};
    char *at = bytes;
    memcpy(at, count, sizeof count);
    at += sizeof count;
    memcpy(at, &s->swing, sizeof s->swing);
    at += sizeof s->swing;
    if (s->now.count > 0) memcpy(at, s->now.item, (size_t)s->now.count * sizeof(eri_touching));
    at += (size_t)s->now.count * sizeof(eri_touching);
    if (s->now.meeting_count > 0) memcpy(at, s->now.meeting, (size_t)s->now.meeting_count * sizeof(eri_meeting));
    at += (size_t)s->now.meeting_count * sizeof(eri_meeting);
    if (s->kept_count > 0) memcpy(at, s->kept, s->kept_count * sizeof(double));
}

er_result eri_contacts_restore(eri_contacts *s, const void *bytes)
{
    er_result r = ER_OK;
    int count[3];
    const char *at = bytes;
    memcpy(count, at, sizeof count);
    at += sizeof count;
    memcpy(&s->swing, at, sizeof s->swing);
    at += sizeof s->swing;
    eri_arena_reset(s->now.arena);
    s->now = (eri_touchings){.arena = s->now.arena};
    ERI_TRY_NEW(s->now.item, s->now.arena, eri_touching, count[0]);
    ERI_TRY_NEW(s->now.meeting, s->now.arena, eri_meeting, count[2]);
    memcpy(s->now.item, at, (size_t)count[0] * sizeof(eri_touching));
    at += (size_t)count[0] * sizeof(eri_touching);
    memcpy(s->now.meeting, at, (size_t)count[2] * sizeof(eri_meeting));
    at += (size_t)count[2] * sizeof(eri_meeting);
    if (s->reference != NULL) eri_reference_forget(s->reference);
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
    double now = eri_seconds();
    *sum += now - *from;
    *from = now;
}

static er_result move(er_world *w, double t, double h, eri_account *account, double *heat)
{
    er_result r = ER_OK;
    eri_contacts *s = w->contacts;
    double from = eri_seconds();
    eri_movers_place(w);
    eri_minimal_focus(w, true);
    ERI_TRY(eri_minimal_impel(w, t, s->q, s->u, h, account, s->du));
    eri_islands_wake(w, s->du);
    eri_movers_take(w, s->du);
    count_time(&s->times.motion, &from);
    ERI_TRY(eri_responses_create(w));
    ERI_TRY(eri_contacts_rebound(w, h));
    ERI_TRY(eri_blocks_create(w));
    eri_contacts_solve(w, h);
    *heat = s->heat + eri_movers_heat(w, h);
    ERI_TRY(eri_responses_end(w, h, heat));
    eri_contacts_add_blows(s);
    count_time(&s->times.solver, &from);
    ERI_TRY(eri_movers_give(w, t + h, s->q, s->u));
    eri_movers_keep(w, s->q, s->u);
    count_time(&s->times.motion, &from);
done:
    eri_minimal_focus(w, false);
    return r;
}

static er_result solve_joined(er_world *w, double t, double h, eri_account *account, double *heat)
{
    double from = eri_seconds();
    er_result r = eri_reference_step(w, t, h, account, heat);
    count_time(&w->contacts->times.solver, &from);
    return r;
}

static er_result step(er_world *w, double h)
{
    er_result r = ER_OK;
    eri_contacts *s = w->contacts;
    double t = eri_ode_time(w->solver), heat = 0.0;
    eri_account account = {0};
    memcpy(s->q, eri_ode_positions(w->solver), (size_t)w->position_count * sizeof(double));
    memcpy(s->u, eri_ode_velocities(w->solver), (size_t)w->velocity_count * sizeof(double));
    if (eri_islands_rest(w, h)) {
        ++s->steps;
        return eri_ode_start(w->solver, t + h, s->q, s->u, 0.0);
    }
    double from = eri_seconds();
    ERI_TRY(eri_contacts_meet(w, h));
    count_time(&s->times.collision, &from);
    ERI_TRY(s->reference != NULL ? solve_joined(w, t, h, &account, &heat) : move(w, t, h, &account, &heat));
    from = eri_seconds();
    s->u[w->velocity_count - 2] += h * account.work;
    s->u[w->velocity_count - 1] += h * account.heat + heat;
    ERI_TRY(eri_ode_start(w->solver, t + h, s->q, s->u, 0.0));
    if (s->reference != NULL)
        eri_world_show(w, t + h, s->q, s->u); // joints' laws follow their angles
    else
        eri_contacts_show(w, t + h, s->q, s->u, false);
    count_time(&s->times.motion, &from);
    ++s->steps;
done:
    return r;
}

// What swings fast under a load is taken in parts of a step: from two radians on it would gain.
static er_result step_parts(er_world *w, double to)
{
    er_result r = ER_OK;
    double from = eri_ode_time(w->solver), h = to - from;
    double parts = fmin(fmax(ceil(h * w->contacts->swing / most_turn), 1.0), most_parts);
    for (double i = 1.0; i <= parts; ++i)
        ERI_TRY(step(w, (i < parts ? from + i / parts * h : to) - eri_ode_time(w->solver)));
done:
    return r;
}

er_result eri_contacts_advance(er_world *w, double to)
{
    er_result r = ER_OK;
    double from = eri_ode_time(w->solver), longest = w->def.max_step;
    double count = ceil((to - from) / longest * (1.0 - 1e-9));
    for (double k = 1.0; k <= count; ++k)
        ERI_TRY(step_parts(w, k < count ? from + k / count * (to - from) : to));
done:
    return r;
}

er_contact er_world_contact(const er_world *w, int index)
{
    const eri_touching *c = &w->contacts->now.item[index];
    er_contact out = {
        .shape = {c->shape[0], c->shape[1]}, .point = c->point, .normal = c->normal, .distance = c->distance};
    const eri_directions directions = eri_touching_directions(c);
    out.impulse = eri_directions_sum(&directions, c->total);
    return out;
}

er_contact_report er_world_contact_report(const er_world *w)
{
    bool has = w->contacts != NULL && w->contacts->reference != NULL;
    return has ? eri_reference_report(w->contacts->reference) : (er_contact_report){0};
}

er_contact_times er_world_contact_times(const er_world *w)
{
    return w->contacts != NULL ? w->contacts->times : (er_contact_times){0};
}

int er_world_contact_count(const er_world *w)
{
    return w->contacts != NULL ? w->contacts->now.count : 0;
}
