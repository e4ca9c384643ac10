// From shapes in scaled spring coordinates to modes: sweeps carry eight of them at a time.
#include "modal/reduced.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "modal/halves.h"
#include "modal/mode_shape.h"

static eri_station station_of(const eri_forest *t, int link)
{
    const eri_forest_link *l = &t->link[link];
    er_pose pose = t->model->body[t->tree.link[link].body].pose;
    eri_station s = {er_m3_from_q(pose.q), er_v3_sub(pose.p, er_v3(l->point[0], l->point[1], l->point[2]))};
    return s;
}

// Rows of the longest shape that any stiffness can make.
static int longest_shape(const eri_reduced *s)
{
    int rows = s->tree->spring_count + s->tree->unsprung_count;
    for (int k = 0; k < s->tree->loop_count; ++k)
        rows += er_joint_type_freedom(s->model->joint[s->tree->loop[k]].type, NULL);
    return rows;
}

int eri_modal_columns(const er_model *model)
{
    int columns = model->coordinate_count;
    for (int i = 0; i < model->body_count; ++i)
        columns += model->tree_joint[i] < 0 ? 6 : 0;
    return columns;
}

void eri_reduced_fit(eri_reduced *s)
{
    eri_modal_units(s->model, s->unit);
    for (int i = 0; i < s->model->body_count; ++i)
        s->station[i] = station_of(s->tree, i);
}

er_result eri_reduced_create(er_arena *arena, er_arena *result, const er_model *model, const er_modal_def *def,
                             eri_reduced **out)
{
    er_result r = ER_OK;
    eri_reduced *s;
    ERI_TRY_NEW(s, arena, eri_reduced, 1);
    *out = s;
    s->context = eri_arena_context(arena);
    s->arena = arena;
    s->model = model;
    s->def = *def;
    ERI_TRY(eri_forest_create(arena, model, &s->tree));
    ERI_TRY(eri_condensed_create(arena, s->tree, &s->condensed));
    if (s->tree->loop_count > 0) ERI_TRY(eri_loop_pencil_create(arena, result, s->tree, def->rank_tol, &s->pencil));
    int columns = s->tree->spring_count + s->tree->unsprung_count; // whichever they turn out to be
    int rows = s->rows = longest_shape(s);
    int dof = columns - (s->pencil != NULL ? s->pencil->loops->kept_count : 0);
    int most = s->most = def->mode_count > 0 && def->mode_count < dof ? def->mode_count : dof;
    ERI_TRY(dof > 0 ? ER_OK : er_fail(s->context, ER_ERROR_RIG, "the joints leave no motion: every body is held"));
    eri_extent extent = {{model->body_count, model->joint_count, model->coordinate_count}, columns, rows, most};
    ERI_TRY(eri_reduced_reserve(s, arena, &extent));
    ERI_TRY_RESERVE(s->loop_rates, arena, eri_lanes, 6 * (size_t)s->tree->loop_count);
    eri_reduced_fit(s);
    if (!def->whole) ERI_TRY(eri_halves_create(s));
    if (s->halves == NULL)
        ERI_TRY(def->method == ER_MODAL_TREE ? eri_reduced_reserve_tree(s, columns) : eri_slices_create(s, NULL));
    ERI_TRY(eri_reduced_reserve_modes(s, result, model->body_count, model->coordinate_count, rows, most));
done:
    return r;
}

// Twists at reference points in world axes become those of body frames in body axes, lane by lane a mode.
ERI_LANES_DO(turn_bodies, (const eri_reduced *s, const eri_lanes *twist, eri_lanes *shape), (s, twist, shape))
{
    for (int i = 0; i < s->tree->link_count; ++i) {
        const eri_lanes *a = twist + 6 * (size_t)i;
        eri_station at = s->station[i];
        eri_lanes v[3] = {a[3] + a[1] * at.step.z - a[2] * at.step.y, a[4] + a[2] * at.step.x - a[0] * at.step.z,
                          a[5] + a[0] * at.step.y - a[1] * at.step.x};
        eri_lanes *out = shape + 6 * (size_t)s->tree->tree.link[i].body;
        for (int k = 0; k < 3; ++k) { // by R'
            out[k] = at.R.m[0][k] * a[0] + at.R.m[1][k] * a[1] + at.R.m[2][k] * a[2];
            out[k + 3] = at.R.m[0][k] * v[0] + at.R.m[1][k] * v[1] + at.R.m[2][k] * v[2];
        }
    }
}

static void write_joints(const eri_reduced *s, const eri_lanes *y, const eri_lanes *unsprung, int count,
                         double *const *joint)
{
    for (int i = 0; i < s->tree->link_count; ++i) {
        const eri_forest_link *l = &s->tree->link[i];
        for (int c = 0; c < l->freedom; ++c) {
            if (l->coordinate[c] < 0) continue;
            bool spring = c < l->spring_count;
            const eri_lanes *rate = spring ? &y[l->spring + c] : &unsprung[l->unsprung + c - l->spring_count];
            double scale = spring ? s->tree->scale[l->spring + c] : 1.0;
            for (int k = 0; k < count; ++k)
                joint[k][l->coordinate[c]] = (*rate)[k] * scale;
        }
    }
}

// eta' M eta of the twists: at each centre of mass m v^2 + w.J w, a sum of squares.
ERI_LANES_DO(kinetic, (const eri_forest *t, const eri_lanes *twist, eri_lanes *sum), (t, twist, sum))
{
    *sum = (eri_lanes){0};
    for (int i = 0; i < t->link_count; ++i) {
        const eri_forest_link *l = &t->link[i];
        const eri_lanes *a = twist + 6 * (size_t)i;
        const double *c = l->c, *J = l->inertia;
        eri_lanes x = a[3] + a[1] * c[2] - a[2] * c[1], y = a[4] + a[2] * c[0] - a[0] * c[2],
                  z = a[5] + a[0] * c[1] - a[1] * c[0];
        *sum += l->mass * (x * x + y * y + z * z);
        *sum += a[0] * (J[0] * a[0] + 2.0 * (J[3] * a[1] + J[4] * a[2])) + a[1] * (J[1] * a[1] + 2.0 * J[5] * a[2]) +
                J[2] * a[2] * a[2];
    }
}

ERI_LANES_DO(scale_panel, (int rows, eri_lanes *x, const eri_lanes *factor), (rows, x, factor))
{
    for (int i = 0; i < rows; ++i)
        x[i] *= *factor;
}

// Sets the joints that close loops. Coordinates that loops lock are 0 in all modes.
static void write_loops(const eri_reduced *s, const eri_lanes *y, const eri_lanes *unsprung, int count,
                        double *const *joint)
{
    const eri_loops *loops = s->pencil->loops;
    eri_loops_rates(loops, s->tree, y, unsprung, s->loop_rates);
    for (int i = 0; i < 6 * loops->loop_count; ++i)
        for (int k = 0; k < count && loops->loop[i / 6].coordinate[i % 6] >= 0; ++k)
            joint[k][loops->loop[i / 6].coordinate[i % 6]] = s->loop_rates[i][k] * loops->loop[i / 6].unit[i % 6];
    for (int i = 0; i < s->model->coordinate_count; ++i)
        for (int k = 0; k < count && s->pencil->still[i]; ++k)
            joint[k][i] = 0.0;
}

static void write_shapes(eri_reduced *s, const eri_lanes *y, const eri_lanes *unsprung, const eri_lanes *twist,
                         int count, const eri_matrix *body, const eri_matrix *joint, int first)
{
    double *joints[ERI_LANE_COUNT];
    for (int k = 0; k < count; ++k)
        joints[k] = eri_matrix_column(*joint, first + k);
    turn_bodies(s, twist, s->shape);
    eri_lanes_scatter(body->rows, count, s->shape, eri_matrix_column(*body, first), body->rows);
    write_joints(s, y, unsprung, count, joints);
    if (s->pencil != NULL) write_loops(s, y, unsprung, count, joints);
}

// Rayleigh's quotient y'y / energy, and y - lambda A y in place of A y.
ERI_LANES_DO(quotient,
             (int rows, const eri_lanes *y, const eri_lanes *energy, eri_lanes *Ay, eri_lanes *lambda,
              eri_lanes *strain),
             (rows, y, energy, Ay, lambda, strain))
{
    eri_lanes whole = {0};
    for (int i = 0; i < rows; ++i)
        whole += y[i] * y[i];
    *strain = whole;
    *lambda = whole / *energy;
    for (int i = 0; i < rows; ++i)
        Ay[i] = y[i] - *lambda * Ay[i];
}

ERI_LANES_DO(squares, (int rows, const eri_lanes *x, eri_lanes *sum), (rows, x, sum))
{
    eri_lanes whole = {0};
    for (int i = 0; i < rows; ++i)
        whole += x[i] * x[i];
    *sum = whole;
}

// Elastic modes [first, first + count) as shapes, spring rates as they are, unsprung coordinates free of force. All are
// of one half, if there are halves.
static void elastic_panel(eri_reduced *s, int first, int count, double *eigenvalue, double *pencil)
{
    int column = first;
    eri_reduced *of = s->halves != NULL ? eri_halves_of(s->halves, &column) : s;
    eri_lanes *y = of->panel[0], *Ay = of->panel[1], energy, lambda, strain, off, factor = {0};
    eri_lanes_gather(of->rows, count, eri_matrix_column(of->Y, column), of->rows, y);
    if (s->pencil != NULL) eri_loop_pencil_project(s->pencil, s->tree, y);
    eri_reduced_apply(of, y, NULL, Ay, of->unsprung, of->twist);
    kinetic(of->tree, of->twist, &energy);
    quotient(of->rows, y, &energy, Ay, &lambda, &strain);
    if (s->pencil != NULL) eri_loop_pencil_project(s->pencil, s->tree, Ay);
    squares(of->rows, Ay, &off);
    for (int k = 0; k < count; ++k) {
        factor[k] = 1.0 / sqrt(energy[k]);
        eigenvalue[k] = lambda[k];
        *pencil = eri_worse(*pencil, sqrt(off[k] / strain[k]));
    }
    scale_panel(of->rows, y, &factor);
    scale_panel(of->tree->unsprung_count, of->unsprung, &factor);
    scale_panel(6 * of->tree->link_count, of->twist, &factor);
    if (of != s) eri_halves_widen(s->halves, of, s->panel[0], s->unsprung, s->twist);
    write_shapes(s, s->panel[0], s->unsprung, s->twist, count, &s->body, &s->joint, s->zeros + first);
}

// From the last on: shapes take the place of Y.
static void elastic_panels(eri_reduced *s, int begin, int end, double *pencil)
{
    for (int k = begin + (end - begin - 1) / ERI_LANE_COUNT * ERI_LANE_COUNT; k >= begin && end > begin;
         k -= ERI_LANE_COUNT)
        elastic_panel(s, k, end - k < ERI_LANE_COUNT ? end - k : ERI_LANE_COUNT, s->eigenvalue + k, pencil);
}

// Slack coordinates in the order of the zero modes that stand for them: those of rigid modes, then the mechanisms'.
static void list_unsprung(eri_reduced *s)
{
    int rigid = 0, mechanism = s->tree->rigid_count;
    for (int i = 0; i < s->tree->link_count; ++i) {
        const eri_forest_link *l = &s->tree->link[i];
        int *next = eri_forest_link_roots(s->tree, i) ? &rigid : &mechanism;
        for (int c = l->spring_count; c < l->freedom; ++c)
            s->unsprung_order[(*next)++] = l->unsprung + c - l->spring_count;
    }
}

// Raw shapes of zero modes: a rigid one moves its root alone; a mechanism is the motion that a force on its coordinate
// starts, so it has no momentum.
static void zero_panel(eri_reduced *s, int first, int count)
{
    int rigid = s->rigid_count;
    eri_lanes *y = s->panel[0], *force = s->force;
    memset(y, 0, (size_t)s->rows * sizeof *y);
    memset(force, 0, (size_t)s->tree->unsprung_count * sizeof *force);
    for (int k = 0; k < count; ++k)
        if (s->pencil != NULL)
            eri_loop_pencil_zero(s->pencil, first + k, k, force);
        else if (s->halves != NULL)
            eri_halves_zero(s->halves, first + k, k, force);
        else
            force[s->unsprung_order[first + k]][k] = 1.0;
    eri_lanes *unsprung = first < rigid ? force : s->unsprung;
    if (first < rigid)
        eri_forest_twists(s->tree, y, unsprung, s->twist);
    else
        eri_reduced_apply(s, y, force, s->panel[1], unsprung, s->twist);
    write_shapes(s, y, unsprung, s->twist, count, &s->body, &s->joint, first);
}

ERI_LANES(double, dot, (const double *x, const double *y, int count), (x, y, count))
{
    eri_lanes part = {0};
    int i = 0;
    for (; i + ERI_LANE_COUNT <= count; i += ERI_LANE_COUNT)
        part += *(const eri_lanes_loose *)(x + i) * *(const eri_lanes_loose *)(y + i);
    double sum = eri_lanes_sum(part);
    for (; i < count; ++i)
        sum += x[i] * y[i];
    return sum;
}

ERI_LANES_DO(subtract, (double *x, double factor, const double *y, int count), (x, factor, y, count))
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
static void orthonormalise_zeros(eri_reduced *s, int count)
{
    const er_model *model = s->model;
    int n = 6 * model->body_count;
    for (int k = 0; k < count; ++k)
        for (int pass = 0; pass < 2; ++pass) {
            double *eta = eri_matrix_column(s->body, k), *q = eri_matrix_column(s->joint, k);
            eri_mass_times(model, eta, s->momentum);
            double square = dot(eta, s->momentum, n), whole = square;
            for (int j = 0; j < k; ++j) {
                double share = dot(eri_matrix_column(s->body, j), s->momentum, n);
                subtract(eta, share, eri_matrix_column(s->body, j), n);
                subtract(q, share, eri_matrix_column(s->joint, j), model->coordinate_count);
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
static void finish(eri_reduced *s, er_modes *modes)
{
    int rigid = s->rigid_count, zeros = s->zeros;
    double pencil = 0.0;
    if (s->pencil == NULL) list_unsprung(s);
    int split = s->halves != NULL ? eri_halves_first(s->halves) : 0;
    elastic_panels(s, split, s->elastic, &pencil);
    elastic_panels(s, 0, split, &pencil);
    for (int k = 0; k < zeros;) {
        int end = k < rigid && rigid < zeros ? rigid : zeros,
            count = end - k < ERI_LANE_COUNT ? end - k : ERI_LANE_COUNT;
        zero_panel(s, k, count);
        k += count;
    }
    orthonormalise_zeros(s, zeros);
    for (int k = 0; k < zeros + s->elastic; ++k) {
        er_mode_kind kind = k >= zeros ? ER_MODE_ELASTIC : k < rigid ? ER_MODE_RIGID : ER_MODE_MECHANISM;
        eri_mode_finish(s->model, s->unit, kind, k < zeros ? 0.0 : s->eigenvalue[k - zeros],
                        eri_matrix_column(s->body, k), eri_matrix_column(s->joint, k), &s->mode[k]);
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

void eri_reduced_destroy(eri_reduced *s)
{
    if (s == NULL) return;
    eri_arena_destroy(s->slicing);
    eri_halves_destroy(s->halves);
    eri_loop_pencil_destroy(s->pencil);
}

// Factors, and tells what modes there are.
static er_result prepare(eri_reduced *s)
{
    er_result r = ER_OK;
    s->rows = s->elastic_count = s->tree->spring_count;
    s->zero_count = s->tree->unsprung_count;
    s->rigid_count = s->tree->rigid_count;
    bool halves_do = s->halves != NULL && s->zero_count == s->rigid_count; // only mechanisms need the whole's
    if (!halves_do) ERI_TRY(eri_condensed_factor(s->condensed, s->tree, s->context));
    if (s->pencil == NULL) return ER_OK;
    ERI_TRY(eri_loop_pencil_prepare(s->pencil, s->tree, s->condensed));
    s->rows += s->pencil->sprung;
    s->elastic_count = s->pencil->elastic;
    s->zero_count = s->pencil->zeros;
    s->rigid_count = s->pencil->rigid;
done:
    return r;
}

static void tell_constraints(const eri_reduced *s, er_modes *modes)
{
    modes->constraint_count = 6 * s->model->joint_count - s->model->coordinate_count;
    modes->rank = 6 * s->model->body_count - modes->dof;
    modes->rank_smallest_kept = 1.0;
    if (s->pencil == NULL) return;
    const eri_loops *loops = s->pencil->loops;
    modes->redundant_count = loops->redundant_count;
    modes->redundant = s->pencil->redundant;
    modes->rank_smallest_kept = loops->smallest_kept;
    modes->rank_largest_zero = loops->largest_zero;
}

er_result eri_reduced_begin(eri_reduced *s)
{
    er_result r = ER_OK;
    ERI_TRY(prepare(s));
    int all = s->elastic_count + s->zero_count;
    s->wanted = s->most < all ? s->most : all;
    s->zeros = s->def.min_hz > 0.0 ? 0 : s->zero_count < s->wanted ? s->zero_count : s->wanted;
done:
    return r;
}

bool eri_reduced_finish(eri_reduced *s, er_modes *modes)
{
    finish(s, modes);
    modes->method = s->def.method;
    modes->halves = s->halves != NULL;
    modes->first = s->skipped + (s->def.min_hz > 0.0 ? s->zero_count : 0);
    tell_constraints(s, modes);
    eri_reduced_measure(s, modes);
    return eri_residuals_are_small(&modes->residuals);
}

er_result eri_reduced_solve(eri_reduced *s, er_modes *modes)
{
    er_result r = ER_OK;
    ERI_TRY(eri_reduced_begin(s));
    if (s->halves != NULL)
        ERI_TRY(eri_halves_solve(s));
    else
        ERI_TRY(s->def.method == ER_MODAL_TREE ? eri_modal_tree(s) : eri_modal_sparse(s));
    if (!s->again) {
        eri_arena_destroy(s->slicing);
        s->slicing = NULL;
    }
    if (s->def.method == ER_MODAL_SPARSE && s->halves == NULL)
        eri_reduced_refine(s); // with the slices' memory given back
    if (!eri_reduced_finish(s, modes)) r = eri_refuse_residuals(s->context, s->def.method, &modes->residuals);
done:
    return r;
}
