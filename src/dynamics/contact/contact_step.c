/// @file
/// The phases of a step of ER_INTEGRATE_CONTACT.
#include "dynamics/contact/contact_step.h"

#include <math.h>
#include <string.h>

#include "base/platform.h"
#include "dynamics/contact/contact_solver.h"
#include "dynamics/reference/reference_solver.h"
#include "dynamics/ties.h"

static const double max_turn =
    1.1; // rad, of a limb's swing in a part of a step: two limbs at a joint have up to 1.42 of it
static const double max_parts = 64.0;

enum { MAX_HALVINGS = 6 }; // of a step of the reference solver

// ---- Making

static er_result create_workers(er_world *w, eri_contact_workers *workers)
{
    er_result r = ER_OK;
    if (w->def.contact.threads == 1 || !eri_world_is_reduced(w)) return ER_OK;
    ERI_TRY(eri_team_create(w->context, w->def.contact.threads, &workers->team));
    ERI_TRY(eri_contexts_create(w->context, eri_team_count(workers->team), &workers->crew));
    for (int i = 0; i < eri_team_count(workers->team); ++i)
        ERI_TRY(eri_arena_create(eri_contexts_of(workers->crew, i), &workers->arena[i]));
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
    *out = s; // the caller destroys it after a failure too
    ERI_TRY(eri_arena_create(w->context, &s->narrow.now.arena));
    ERI_TRY(eri_arena_create(w->context, &s->narrow.before.arena));
    ERI_TRY(create_workers(w, &s->workers));
    ERI_TRY(eri_broad_phase_create(w, &s->broad));
    for (int i = 0; i < s->broad.shape_count; ++i)
        s->restitution.is_any |= s->broad.shape[i].restitution > 0.0;
    ERI_TRY(eri_solver_bodies_create(w, &s->broad, &s->bodies));
    ERI_TRY(eri_internal_edges_create(w, s));
    ERI_TRY(eri_solver_state_create(w, s));
    ERI_TRY(eri_reference_create(w, &s->reference));
    ERI_TRY(eri_islands_create(w, s));
    eri_tree_motors_create(w);
    ERI_TRY(eri_bounded_rows_create(w, s));
    ERI_TRY(eri_rolling_motions_create(w));
    ERI_TRY(eri_joint_loads_create(w));
    ERI_TRY(eri_tree_flights_create(w));
done:
    return r;
}

void eri_contacts_destroy(eri_contacts *s)
{
    if (s == NULL) return;
    eri_tree_flights_destroy(s);
    eri_team_destroy(s->workers.team);
    for (int i = 0; i < ERI_THREADS_MOST; ++i)
        eri_arena_destroy(s->workers.arena[i]);
    eri_contexts_destroy(s->workers.crew);
    er_sweep_destroy(s->broad.sweep);
    eri_arena_destroy(s->narrow.now.arena);
    eri_arena_destroy(s->narrow.before.arena);
}

void eri_contacts_clear(eri_contacts *s)
{
    s->narrow.now.point_count = s->narrow.now.bounded_count = s->narrow.now.manifold_count = 0;
    s->state.swing_speed = 0.0;
    if (s->reference != NULL) eri_reference_clear(s->reference);
    eri_contacts_wake(s, -1);
}

long eri_contacts_steps(const eri_contacts *s)
{
    return s->steps;
}

// ---- Bytes

static size_t course_size(const eri_contacts *s)
{
    return (size_t)s->bodies.articulation_count * sizeof *s->state.course;
}

size_t eri_contacts_size(const eri_contacts *s)
{
    return 4 * sizeof(int) + sizeof(double) + (size_t)s->narrow.now.point_count * sizeof(eri_contact_point) +
           (size_t)s->narrow.now.manifold_count * sizeof(eri_manifold) + s->persistent_count * sizeof(double) +
           (size_t)s->motor_count + course_size(s);
}

void eri_contacts_save(const eri_contacts *s, void *bytes)
{
    const int count[4] = {s->narrow.now.point_count, s->narrow.now.bounded_count, s->narrow.now.manifold_count,
                          s->state.substeps};
    char *at = bytes;
    memcpy(at, count, sizeof count);
    at += sizeof count;
    memcpy(at, &s->state.swing_speed, sizeof s->state.swing_speed);
    at += sizeof s->state.swing_speed;
    if (s->narrow.now.point_count > 0)
        memcpy(at, s->narrow.now.point, (size_t)s->narrow.now.point_count * sizeof(eri_contact_point));
    at += (size_t)s->narrow.now.point_count * sizeof(eri_contact_point);
    if (s->narrow.now.manifold_count > 0)
        memcpy(at, s->narrow.now.manifold, (size_t)s->narrow.now.manifold_count * sizeof(eri_manifold));
    at += (size_t)s->narrow.now.manifold_count * sizeof(eri_manifold);
    if (s->persistent_count > 0) memcpy(at, s->persistent, s->persistent_count * sizeof(double));
    at += s->persistent_count * sizeof(double);
    if (s->motor_count > 0) memcpy(at, s->motor_state, (size_t)s->motor_count);
    at += s->motor_count;
    if (course_size(s) > 0) memcpy(at, s->state.course, course_size(s));
}

er_result eri_contacts_restore(eri_contacts *s, const void *bytes)
{
    er_result r = ER_OK;
    int count[4];
    const char *at = bytes;
    memcpy(count, at, sizeof count);
    at += sizeof count;
    memcpy(&s->state.swing_speed, at, sizeof s->state.swing_speed);
    at += sizeof s->state.swing_speed;
    eri_arena_reset(s->narrow.now.arena);
    s->narrow.now = (eri_manifolds){.arena = s->narrow.now.arena};
    ERI_TRY_NEW(s->narrow.now.point, s->narrow.now.arena, eri_contact_point, count[0]);
    ERI_TRY_NEW(s->narrow.now.manifold, s->narrow.now.arena, eri_manifold, count[2]);
    memcpy(s->narrow.now.point, at, (size_t)count[0] * sizeof(eri_contact_point));
    at += (size_t)count[0] * sizeof(eri_contact_point);
    memcpy(s->narrow.now.manifold, at, (size_t)count[2] * sizeof(eri_manifold));
    at += (size_t)count[2] * sizeof(eri_manifold);
    if (s->reference != NULL) eri_reference_clear(s->reference);
    if (s->persistent_count > 0) memcpy(s->persistent, at, s->persistent_count * sizeof(double));
    at += s->persistent_count * sizeof(double);
    if (s->motor_count > 0) memcpy(s->motor_state, at, (size_t)s->motor_count);
    at += s->motor_count;
    if (course_size(s) > 0) memcpy(s->state.course, at, course_size(s));
    s->narrow.now.point_count = count[0];
    s->narrow.now.bounded_count = count[1];
    s->narrow.now.manifold_count = count[2];
    s->state.substeps = count[3];
done:
    return r;
}

// ---- Steps

// Adds the time since `from`, and sets `from` to now.
static void count_time(double *sum, double *from)
{
    double now = eri_seconds();
    *sum += now - *from;
    *from = now;
}

static er_result solve_reduced(er_world *w, double t, double h, eri_account *account, double *heat)
{
    er_result r = ER_OK;
    eri_contacts *s = w->contacts;
    double from = eri_seconds();
    eri_solver_update_motion(w);
    eri_minimal_focus(w, true);
    eri_tree_flights_begin(w);
    ERI_TRY(eri_tree_motors_impel(w, t, h, account, s->state.du));
    eri_joint_loads_add_loops(w, h, true);
    eri_islands_wake(w, s->state.du);
    eri_solver_load_velocities(w, s->state.du);
    eri_rolling_motions_find(w, h);
    ERI_TRY(eri_surface_motion_find(w, t, h));
    ERI_TRY(eri_grains_find(w));
    count_time(&s->times.motion, &from);
    ERI_TRY(eri_bounded_rows_list(w));
    ERI_TRY(eri_tree_constraints_prepare(w));
    ERI_TRY(eri_island_solver_prepare(w));
    eri_contacts_choose_substeps(w, h);
    eri_bounded_rows_prepare(w);
    ERI_TRY(eri_contacts_apply_restitution(w, h));
    ERI_TRY(eri_body_constraints_prepare(w));
    eri_contacts_solve(w, h);
    *heat = s->restitution.heat + eri_solver_body_heat(w, h);
    ERI_TRY(eri_tree_constraints_finish(w, h, heat));
    eri_tree_motors_finish(w, h, account);
    eri_contacts_add_restitution(s);
    eri_rolling_motions_finish(s);
    eri_surface_motion_account(w, h, account, heat);
    eri_bounded_rows_account(w, h, account, heat);
    count_time(&s->times.solver, &from);
    ERI_TRY(eri_solver_integrate_positions(w, t + h, s->state.q, s->state.u));
    eri_joint_loads_add_loops(w, 1.0, false);
    eri_solver_restore_sleeping(w, s->state.q, s->state.u);
    count_time(&s->times.motion, &from);
done:
    eri_minimal_focus(w, false);
    return r;
}

static er_result solve_reference(er_world *w, double t, double h, int depth, eri_account *account, double *heat,
                                 bool *holds)
{
    double from = eri_seconds();
    er_result r = eri_reference_step(w, t, h, depth == MAX_HALVINGS, account, heat, holds);
    count_time(&w->contacts->times.solver, &from);
    return r;
}

// Shows the end of a step, and stops bodies there that would pass others.
static er_result show_reduced(er_world *w, double t, double h)
{
    er_result r = ER_OK;
    eri_contacts *s = w->contacts;
    bool is_fast = eri_swept_bodies_any(w), changed = false;
    size_t bodies = is_fast ? (size_t)w->model->body_count : 0;
    er_pose *pose;
    er_twist *twist;
    ERI_TRY_RESERVE(pose, s->narrow.now.arena, er_pose, bodies);
    ERI_TRY_RESERVE(twist, s->narrow.now.arena, er_twist, bodies);
    memcpy(pose, w->pose, bodies * sizeof *pose);
    memcpy(twist, w->twist, bodies * sizeof *twist);
    eri_contacts_show(w, t + h, s->state.q, s->state.u, false);
    if (is_fast) ERI_TRY(eri_swept_bodies_stop(w, h, pose, twist, s->state.q, s->state.u, &changed));
    if (changed) eri_contacts_show(w, t + h, s->state.q, s->state.u, false);
done:
    return r;
}

static er_result step(er_world *w, double h, int depth)
{
    er_result r = ER_OK;
    bool holds = true;
    eri_contacts *s = w->contacts;
    double t = eri_ode_time(w->solver), heat = 0.0;
    eri_account account = {0};
    memcpy(s->state.q, eri_ode_positions(w->solver), (size_t)w->position_count * sizeof(double));
    memcpy(s->state.u, eri_ode_velocities(w->solver), (size_t)w->velocity_count * sizeof(double));
    if (eri_islands_sleep(w, h)) {
        ++s->steps;
        return eri_ode_start(w->solver, t + h, s->state.q, s->state.u, 0.0);
    }
    eri_joint_loads_begin(w, t);
    double from = eri_seconds();
    ERI_TRY(eri_contacts_collide(w, h));
    count_time(&s->times.collision, &from);
    ERI_TRY(s->reference != NULL ? solve_reference(w, t, h, depth, &account, &heat, &holds)
                                 : solve_reduced(w, t, h, &account, &heat));
    if (!holds) { // bodies turn too far for their joints
        ERI_TRY(step(w, 0.5 * h, depth + 1));
        return step(w, t + h - eri_ode_time(w->solver), depth + 1);
    }
    from = eri_seconds();
    if (s->reference == NULL)
        ERI_TRY(show_reduced(w, t, h));
    else
        eri_world_show(w, t + h, s->state.q, s->state.u); // joints' laws follow their angles
    s->state.u[w->velocity_count - 2] += h * account.work + eri_joint_loads_end(w, h);
    s->state.u[w->velocity_count - 1] += h * account.heat + heat;
    ERI_TRY(eri_ode_start(w->solver, t + h, s->state.q, s->state.u, 0.0));
    count_time(&s->times.motion, &from);
    ++s->steps;
done:
    return r;
}

// Divides a step in which a limb swings fast under its load.
static er_result step_parts(er_world *w, double to)
{
    er_result r = ER_OK;
    double from = eri_ode_time(w->solver), h = to - from;
    double parts = fmin(fmax(ceil(h * w->contacts->state.swing_speed / max_turn), 1.0), max_parts);
    for (double i = 1.0; i <= parts; ++i)
        ERI_TRY(step(w, (i < parts ? from + i / parts * h : to) - eri_ode_time(w->solver), 0));
done:
    return r;
}

er_result eri_contacts_advance(er_world *w, double to)
{
    er_result r = ER_OK;
    double from = eri_ode_time(w->solver), longest = w->def.max_step;
    double count = ceil((to - from) / longest * (1.0 - 1e-9)), last = to - (to - from) / count;
    if (count > 1.0 && !(last < to))
        return er_fail(w->context, ER_ERROR_ARGUMENT,
                       "at t = %.9g s numbers cannot tell steps of %.3g s apart; allow longer steps, or take a shorter "
                       "time",
                       to, longest);
    for (double k = 1.0; k <= count; ++k)
        ERI_TRY(step_parts(w, k < count ? from + k / count * (to - from) : to));
done:
    return r;
}

er_reference_report er_world_reference_report(const er_world *w)
{
    bool has = w->contacts != NULL && w->contacts->reference != NULL;
    return has ? eri_reference_report(w->contacts->reference) : (er_reference_report){0};
}

er_contact_times er_world_contact_times(const er_world *w)
{
    return w->contacts != NULL ? w->contacts->times : (er_contact_times){0};
}
