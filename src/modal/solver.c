// From shapes in scaled spring coordinates to modes: sweeps carry eight of them at a time.
#include "modal/solver.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "modal/shape.h"

static er_station station_of(const er_forest *t, const er_link *l)
{
    er_pose pose = t->model->body[l->body].pose;
    er_station s = {er_m3_from_q(pose.q), er_v3_sub(pose.p, er_v3(l->point[0], l->point[1], l->point[2]))};
    return s;
}

// Rows of the longest shape that any stiffness can make.
static int longest_shape(const er_reduced *s)
{
    int rows = s->tree->spring_count + s->tree->unsprung_count;
    for (int k = 0; k < s->tree->loop_count; ++k)
        rows += er_joint_type_freedom(s->model->joint[s->tree->loop[k]].type, NULL);
    return rows;
}

int er_modal_columns(const er_model *model)
{
    int columns = model->coordinate_count;
    for (int i = 0; i < model->body_count; ++i)
        columns += model->tree_joint[i] < 0 ? 6 : 0;
    return columns;
}

er_result er_reduced_reserve(er_reduced *s, er_arena *arena, const er_extent *e)
{
    er_result r = ER_OK;
    for (int i = 0; i < 2; ++i)
        ER_TRY_RESERVE(s->panel[i], arena, er_lanes, e->rows);
    ER_TRY_RESERVE(s->unsprung, arena, er_lanes, e->columns);
    ER_TRY_RESERVE(s->twist, arena, er_lanes, 6 * (size_t)e->tree.bodies);
    ER_TRY_RESERVE(s->shape, arena, er_lanes, 6 * (size_t)e->tree.bodies);
    ER_TRY_RESERVE(s->force, arena, er_lanes, e->columns);
    ER_TRY_NEW(s->unsprung_order, arena, int, e->columns);
    ER_TRY_NEW(s->momentum, arena, double, 6 * (size_t)e->tree.bodies);
    ER_TRY_NEW(s->eigenvalue, arena, double, e->modes + SPARE_SHAPES);
    ER_TRY_RESERVE(s->unit, arena, double, e->tree.coordinates);
    ER_TRY_RESERVE(s->factor, arena, er_mass_factor, e->tree.bodies);
    ER_TRY_RESERVE(s->station, arena, er_station, e->tree.bodies);
    ER_TRY(er_matrix_reserve(arena, MEASURED_ROWS, e->modes + SPARE_SHAPES, &s->chunk));
    int whole = e->modes + ER_LANE_COUNT - 1; // room for whole panels
    ER_TRY(er_matrix_reserve(arena, whole, 2 * whole, &s->gram));
done:
    return r;
}

er_result er_reduced_reserve_modes(er_reduced *s, er_arena *result, int bodies, int coordinates, int rows, int most)
{
    er_result r = ER_OK;
    size_t twists = 6 * (size_t)bodies * (size_t)most, shapes = (size_t)rows * (size_t)(most + SPARE_SHAPES);
    s->most = most;
    ER_TRY_RESERVE(s->body.a, result, double, twists > shapes ? twists : shapes);
    s->body = (er_matrix){6 * bodies, most, s->body.a};
    s->Y = (er_matrix){rows, most + SPARE_SHAPES, s->body.a};
    if (rows > s->body.rows) ER_TRY(er_matrix_reserve(result, rows, most + SPARE_SHAPES, &s->Y)); // memory of its own
    ER_TRY(er_matrix_reserve(result, coordinates, most, &s->joint));
    ER_TRY_NEW(s->mode, result, er_mode, most);
done:
    return r;
}

void er_reduced_fit(er_reduced *s)
{
    er_modal_units(s->model, s->unit);
    for (int i = 0; i < s->model->body_count; ++i)
        s->station[i] = station_of(s->tree, &s->tree->link[i]);
}

er_result er_reduced_create(er_arena *arena, er_arena *result, const er_model *model, const er_modal_def *def,
                            er_reduced **out)
{
    er_result r = ER_OK;
    er_reduced *s;
    ER_TRY_NEW(s, arena, er_reduced, 1);
    *out = s;
    s->context = er_arena_context(arena);
    s->arena = arena;
    s->model = model;
    s->def = *def;
    ER_TRY(er_forest_create(arena, model, &s->tree));
    ER_TRY(er_condensed_create(arena, s->tree, &s->condensed));
    if (s->tree->loop_count > 0) ER_TRY(er_closed_create(arena, result, s->tree, def->rank_tol, &s->closed));
    int columns = s->tree->spring_count + s->tree->unsprung_count; // whichever they turn out to be
    int rows = s->rows = longest_shape(s);
    int dof = columns - (s->closed != NULL ? s->closed->loops->kept_count : 0);
    int most = s->most = def->mode_count > 0 && def->mode_count < dof ? def->mode_count : dof;
    ER_TRY(dof > 0 ? ER_OK : er_fail(s->context, ER_ERROR_RIG, "the joints leave no motion: every body is held"));
    er_extent extent = {{model->body_count, model->joint_count, model->coordinate_count}, columns, rows, most};
    ER_TRY(er_reduced_reserve(s, arena, &extent));
    ER_TRY_RESERVE(s->loop_rates, arena, er_lanes, 6 * (size_t)s->tree->loop_count);
    er_reduced_fit(s);
    if (def->method == ER_MODAL_TREE) {
        ER_TRY(columns <= ER_MODAL_MAX_COORDINATES
                   ? ER_OK
                   : er_fail(s->context, ER_ERROR_RIG,
                             "%d coordinates are too many for route tree, which takes up to %d; sparse takes them",
                             columns, ER_MODAL_MAX_COORDINATES));
        ER_TRY(er_eigen_create(arena, columns, &s->eigen));
        ER_TRY_RESERVE(s->A, arena, double, (size_t)columns *(size_t)columns);
        ER_TRY_NEW(s->theta, arena, double, columns);
    } else {
        ER_TRY(er_slices_create(s));
    }
    ER_TRY(er_reduced_reserve_modes(s, result, model->body_count, model->coordinate_count, rows, most));
done:
    return r;
}

// Twists at reference points in world axes become those of body frames in body axes, lane by lane a mode.
ER_LANES static void turn_bodies(const er_reduced *s, const er_lanes *twist, er_lanes *shape)
{
    for (int i = 0; i < s->tree->link_count; ++i) {
        const er_link *l = &s->tree->link[i];
        const er_lanes *a = twist + 6 * (size_t)i;
        er_station at = s->station[i];
        er_lanes v[3] = {a[3] + a[1] * at.step.z - a[2] * at.step.y, a[4] + a[2] * at.step.x - a[0] * at.step.z,
                         a[5] + a[0] * at.step.y - a[1] * at.step.x};
        er_lanes *out = shape + 6 * (size_t)l->body;
        for (int k = 0; k < 3; ++k) { // by R'
            out[k] = at.R.m[0][k] * a[0] + at.R.m[1][k] * a[1] + at.R.m[2][k] * a[2];
            out[k + 3] = at.R.m[0][k] * v[0] + at.R.m[1][k] * v[1] + at.R.m[2][k] * v[2];
        }
    }
}

static void write_joints(const er_reduced *s, const er_lanes *y, const er_lanes *unsprung, int count,
                         double *const *joint)
{
    for (int i = 0; i < s->tree->link_count; ++i) {
        const er_link *l = &s->tree->link[i];
        for (int c = 0; c < l->freedom; ++c) {
            if (l->coordinate[c] < 0) continue;
            bool spring = c < l->spring_count;
            const er_lanes *rate = spring ? &y[l->spring + c] : &unsprung[l->unsprung + c - l->spring_count];
            double scale = spring ? s->tree->scale[l->spring + c] : 1.0;
            for (int k = 0; k < count; ++k)
                joint[k][l->coordinate[c]] = (*rate)[k] * scale;
        }
    }
}

// eta' M eta of the twists: at each centre of mass m v^2 + w.J w, a sum of squares.
ER_LANES static void kinetic(const er_forest *t, const er_lanes *twist, er_lanes *sum)
{
    *sum = (er_lanes){0};
    for (int i = 0; i < t->link_count; ++i) {
        const er_link *l = &t->link[i];
        const er_lanes *a = twist + 6 * (size_t)i;
        const double *c = l->c, *J = l->inertia;
        er_lanes x = a[3] + a[1] * c[2] - a[2] * c[1], y = a[4] + a[2] * c[0] - a[0] * c[2],
                 z = a[5] + a[0] * c[1] - a[1] * c[0];
        *sum += l->mass * (x * x + y * y + z * z);
        *sum += a[0] * (J[0] * a[0] + 2.0 * (J[3] * a[1] + J[4] * a[2])) + a[1] * (J[1] * a[1] + 2.0 * J[5] * a[2]) +
                J[2] * a[2] * a[2];
    }
}

ER_LANES static void scale_panel(int rows, er_lanes *x, const er_lanes *factor)
{
    for (int i = 0; i < rows; ++i)
        x[i] *= *factor;
}

// The joints that close loops; and what loops lock is 0 in all.
static void write_loops(const er_reduced *s, const er_lanes *y, const er_lanes *unsprung, int count,
                        double *const *joint)
{
    const er_loops *loops = s->closed->loops;
    er_loops_rates(loops, s->tree, y, unsprung, s->loop_rates);
    for (int i = 0; i < 6 * loops->loop_count; ++i)
        for (int k = 0; k < count && loops->loop[i / 6].coordinate[i % 6] >= 0; ++k)
            joint[k][loops->loop[i / 6].coordinate[i % 6]] = s->loop_rates[i][k] * loops->loop[i / 6].unit[i % 6];
    for (int i = 0; i < s->model->coordinate_count; ++i)
        for (int k = 0; k < count && s->closed->still[i]; ++k)
            joint[k][i] = 0.0;
}

static void write_shapes(er_reduced *s, const er_lanes *y, const er_lanes *unsprung, const er_lanes *twist, int count,
                         const er_matrix *body, const er_matrix *joint, int first)
{
    double *joints[ER_LANE_COUNT];
    for (int k = 0; k < count; ++k)
        joints[k] = er_matrix_column(*joint, first + k);
    turn_bodies(s, twist, s->shape);
    er_lanes_scatter(body->rows, count, s->shape, er_matrix_column(*body, first), body->rows);
    write_joints(s, y, unsprung, count, joints);
    if (s->closed != NULL) write_loops(s, y, unsprung, count, joints);
}

// Rayleigh's quotient y'y / energy, and y - lambda A y in place of A y.
ER_LANES static void quotient(int rows, const er_lanes *y, const er_lanes *energy, er_lanes *Ay, er_lanes *lambda,
                              er_lanes *strain)
{
    er_lanes whole = {0};
    for (int i = 0; i < rows; ++i)
        whole += y[i] * y[i];
    *strain = whole;
    *lambda = whole / *energy;
    for (int i = 0; i < rows; ++i)
        Ay[i] = y[i] - *lambda * Ay[i];
}

ER_LANES static void squares(int rows, const er_lanes *x, er_lanes *sum)
{
    er_lanes whole = {0};
    for (int i = 0; i < rows; ++i)
        whole += x[i] * x[i];
    *sum = whole;
}

// Columns [first, first + count) of Y as shapes, spring rates as they are, unsprung coordinates free of force.
static void elastic_panel(er_reduced *s, int first, int count, double *eigenvalue, double *pencil)
{
    int rows = s->rows;
    er_lanes *y = s->panel[0], *Ay = s->panel[1], energy, lambda, strain, off, factor = {0};
    er_lanes_gather(rows, count, er_matrix_column(s->Y, first), rows, y);
    er_reduced_apply(s, y, NULL, Ay, s->unsprung, s->twist);
    kinetic(s->tree, s->twist, &energy);
    quotient(rows, y, &energy, Ay, &lambda, &strain);
    if (s->closed != NULL) er_closed_project(s->closed, s->tree, Ay);
    squares(rows, Ay, &off);
    for (int k = 0; k < count; ++k) {
        factor[k] = 1.0 / sqrt(energy[k]);
        eigenvalue[k] = lambda[k];
        *pencil = er_worse(*pencil, sqrt(off[k] / strain[k]));
    }
    scale_panel(rows, y, &factor);
    scale_panel(s->tree->unsprung_count, s->unsprung, &factor);
    scale_panel(6 * s->tree->link_count, s->twist, &factor);
    write_shapes(s, y, s->unsprung, s->twist, count, &s->body, &s->joint, s->zeros + first);
}

// Slack coordinates in the order of the zero modes that stand for them: those of rigid modes, then the mechanisms'.
static void list_unsprung(er_reduced *s)
{
    int rigid = 0, mechanism = s->tree->rigid_count;
    for (int i = 0; i < s->tree->link_count; ++i) {
        const er_link *l = &s->tree->link[i];
        int *next = er_link_roots(s->tree, l) ? &rigid : &mechanism;
        for (int c = l->spring_count; c < l->freedom; ++c)
            s->unsprung_order[(*next)++] = l->unsprung + c - l->spring_count;
    }
}

// Raw shapes of zero modes: a rigid one moves its root alone; a mechanism is the motion that a force on its coordinate
// starts, so it has no momentum.
static void zero_panel(er_reduced *s, int first, int count)
{
    int rigid = s->rigid_count;
    er_lanes *y = s->panel[0], *force = s->force;
    memset(y, 0, (size_t)s->rows * sizeof *y);
    memset(force, 0, (size_t)s->tree->unsprung_count * sizeof *force);
    for (int k = 0; k < count; ++k)
        if (s->closed != NULL)
            er_closed_zero(s->closed, first + k, k, force);
        else
            force[s->unsprung_order[first + k]][k] = 1.0;
    er_lanes *unsprung = first < rigid ? force : s->unsprung;
    if (first < rigid)
        er_forest_twists(s->tree, y, unsprung, s->twist);
    else
        er_reduced_apply(s, y, force, s->panel[1], unsprung, s->twist);
    write_shapes(s, y, unsprung, s->twist, count, &s->body, &s->joint, first);
}

ER_LANES static double dot(const double *x, const double *y, int count)
{
    er_lanes part = {0};
    int i = 0;
    for (; i + ER_LANE_COUNT <= count; i += ER_LANE_COUNT)
        part += *(const er_lanes_loose *)(x + i) * *(const er_lanes_loose *)(y + i);
    double sum = er_lanes_sum(part);
    for (; i < count; ++i)
        sum += x[i] * y[i];
    return sum;
}

ER_LANES static void subtract(double *x, double factor, const double *y, int count)
{
    for (int i = 0; i < count; ++i)
        x[i] -= factor * y[i];
}

static void divide(double *x, double by, int count)
{
    for (int i = 0; i < count; ++i)
        x[i] /= by;
}

// Modified Gram-Schmidt in the mass metric, twice over where the first pass loses digits.
static void orthonormalise_zeros(er_reduced *s, int count)
{
    const er_model *model = s->model;
    int n = 6 * model->body_count;
    for (int k = 0; k < count; ++k)
        for (int pass = 0; pass < 2; ++pass) {
            double *eta = er_matrix_column(s->body, k), *q = er_matrix_column(s->joint, k);
            er_mass_times(model, eta, s->momentum);
            double square = dot(eta, s->momentum, n), whole = square;
            for (int j = 0; j < k; ++j) {
                double share = dot(er_matrix_column(s->body, j), s->momentum, n);
                subtract(eta, share, er_matrix_column(s->body, j), n);
                subtract(q, share, er_matrix_column(s->joint, j), model->coordinate_count);
                square -= share * share;
            }
            if (pass == 0 && square < 0.5 * whole) continue;
            double norm = sqrt(square);
            divide(eta, norm, n);
            divide(q, norm, model->coordinate_count);
            break;
        }
}

// By insertion: they are in order but for rounding.
static void sort_modes(er_mode *mode, int count)
{
    for (int i = 1; i < count; ++i)
        for (int k = i; k > 0 && mode[k - 1].eigenvalue > mode[k].eigenvalue; --k) {
            er_mode later = mode[k];
            mode[k] = mode[k - 1];
            mode[k - 1] = later;
        }
}

// Rigid modes and mechanisms, then the elastic ones of Y, as shapes; frequencies, signs, the pencil's residual.
static void finish(er_reduced *s, er_modes *modes)
{
    int rigid = s->rigid_count, zeros = s->zeros;
    double pencil = 0.0;
    if (s->closed == NULL) list_unsprung(s);
    for (int k = (s->elastic - 1) / ER_LANE_COUNT * ER_LANE_COUNT; k >= 0 && s->elastic > 0; k -= ER_LANE_COUNT)
        elastic_panel(s, k, s->elastic - k < ER_LANE_COUNT ? s->elastic - k : ER_LANE_COUNT, s->eigenvalue + k,
                      &pencil);
    for (int k = 0; k < zeros;) {
        int end = k < rigid && rigid < zeros ? rigid : zeros, count = end - k < ER_LANE_COUNT ? end - k : ER_LANE_COUNT;
        zero_panel(s, k, count);
        k += count;
    }
    orthonormalise_zeros(s, zeros);
    for (int k = 0; k < zeros + s->elastic; ++k) {
        er_mode_kind kind = k >= zeros ? ER_MODE_ELASTIC : k < rigid ? ER_MODE_RIGID : ER_MODE_MECHANISM;
        er_mode_finish(s->model, s->unit, kind, k < zeros ? 0.0 : s->eigenvalue[k - zeros],
                       er_matrix_column(s->body, k), er_matrix_column(s->joint, k), &s->mode[k]);
    }
    sort_modes(s->mode + zeros, s->elastic);
    for (int k = 1; k < zeros + s->elastic; ++k)
        assert(s->mode[k - 1].eigenvalue <= s->mode[k].eigenvalue);
    modes->mode = s->mode;
    modes->count = zeros + s->elastic;
    modes->dof = s->elastic_count + s->zero_count;
    modes->rigid_count = rigid;
    modes->mechanism_count = s->zero_count - rigid;
    modes->residuals.pencil = pencil;
}

void er_reduced_destroy(er_reduced *s)
{
    if (s == NULL) return;
    er_arena_destroy(s->slicing);
    er_closed_destroy(s->closed);
}

// Factors, and tells what modes there are.
static er_result prepare(er_reduced *s)
{
    er_result r = ER_OK;
    ER_TRY(er_condensed_factor(s->condensed, s->tree, s->context));
    s->rows = s->elastic_count = s->tree->spring_count;
    s->zero_count = s->tree->unsprung_count;
    s->rigid_count = s->tree->rigid_count;
    if (s->closed == NULL) return ER_OK;
    ER_TRY(er_closed_prepare(s->closed, s->tree, s->condensed));
    s->rows += s->closed->sprung;
    s->elastic_count = s->closed->elastic;
    s->zero_count = s->closed->zeros;
    s->rigid_count = s->closed->rigid;
done:
    return r;
}

static void tell_constraints(const er_reduced *s, er_modes *modes)
{
    modes->constraint_count = 6 * s->model->joint_count - s->model->coordinate_count;
    modes->rank = 6 * s->model->body_count - modes->dof;
    modes->rank_smallest_kept = 1.0;
    if (s->closed == NULL) return;
    const er_loops *loops = s->closed->loops;
    modes->redundant_count = loops->redundant_count;
    modes->redundant = s->closed->redundant;
    modes->rank_smallest_kept = loops->smallest_kept;
    modes->rank_largest_zero = loops->largest_zero;
}

er_result er_reduced_begin(er_reduced *s)
{
    er_result r = ER_OK;
    ER_TRY(prepare(s));
    int all = s->elastic_count + s->zero_count;
    s->wanted = s->most < all ? s->most : all;
    s->zeros = s->def.min_hz > 0.0 ? 0 : s->zero_count < s->wanted ? s->zero_count : s->wanted;
done:
    return r;
}

bool er_reduced_finish(er_reduced *s, er_modes *modes)
{
    finish(s, modes);
    modes->method = s->def.method;
    modes->first = s->skipped + (s->def.min_hz > 0.0 ? s->zero_count : 0);
    tell_constraints(s, modes);
    er_reduced_measure(s, modes);
    return modes->residuals.gram < 1e-6 && modes->residuals.constraint < 1e-6 && modes->residuals.pencil < 1e-3;
}

er_result er_reduced_solve(er_reduced *s, er_modes *modes)
{
    er_result r = ER_OK;
    ER_TRY(er_reduced_begin(s));
    ER_TRY(s->def.method == ER_MODAL_TREE ? er_modal_tree(s) : er_modal_sparse(s));
    if (!s->again) {
        er_arena_destroy(s->slicing);
        s->slicing = NULL;
    }
    if (s->def.method == ER_MODAL_SPARSE) er_reduced_refine(s); // with the slices' memory given back
    if (!er_reduced_finish(s, modes))
        r = er_fail(s->context, ER_ERROR_NO_CONVERGENCE,
                    "masses or stiffnesses are too far apart in size for route %s (|eta'M eta - 1| %.1g, |K eta - "
                    "lambda M eta| %.1g); bring them closer, or ask for fewer modes",
                    er_modal_method_name(s->def.method), modes->residuals.gram, modes->residuals.pencil);
done:
    return r;
}
