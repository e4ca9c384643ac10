// Residuals of modes in tree coordinates, from the numbers handed out: G eta, and eta' M eta.
#include <math.h>
#include <string.h>

#include "modal/reduced.h"

static const double MOST_GRAM = 1e-6, MOST_CONSTRAINT = 1e-6, MOST_PENCIL = 1e-3;

bool eri_residuals_are_small(const er_modal_residuals *r)
{
    return r->gram < MOST_GRAM && r->constraint < MOST_CONSTRAINT && r->pencil < MOST_PENCIL;
}

er_result eri_refuse_residuals(er_context *context, er_modal_method method, const er_modal_residuals *r)
{
    return er_fail(context, ER_ERROR_NO_CONVERGENCE,
                   "route %s loses too many digits, because masses or stiffnesses are too far apart in size: "
                   "|eta'M eta - 1| is %.1g (at most %g), |G eta| is %.1g (at most %g), |K eta - lambda M eta| is %.1g "
                   "(at most %g); bring them closer, or ask for fewer modes",
                   er_modal_method_name(method), r->gram, MOST_GRAM, r->constraint, MOST_CONSTRAINT, r->pencil,
                   MOST_PENCIL);
}

// Twists of body frames in world axes, a mode a lane.
ERI_LANES_DO(turn_bodies, (const er_model *model, const eri_lanes *shape, eri_lanes *twist, eri_lanes *largest),
             (model, shape, twist, largest))
{
    eri_lanes most = {0};
    for (int b = 0; b < model->body_count; ++b) {
        const eri_lanes *x = shape + 6 * (size_t)b;
        eri_lanes *out = twist + 6 * (size_t)b;
        er_mat3 R = er_m3_from_q(model->body[b].pose.q);
        for (int k = 0; k < 6; ++k) {
            const eri_lanes *v = x + (k < 3 ? 0 : 3);
            out[k] = R.m[k % 3][0] * v[0] + R.m[k % 3][1] * v[1] + R.m[k % 3][2] * v[2];
            most = eri_lanes_larger(most, eri_lanes_magnitude(x[k]) * (k < 3 ? 1.0 : 1.0 / model->size));
        }
    }
    *largest = most;
}

// Adds sign times the twist, at the joint's origin, of one of its ends.
ERI_LANES_INLINE void add_end(const er_model *model, const eri_lanes *twist, int body, er_vec3 origin, double sign,
                              eri_lanes sum[6])
{
    if (body < 0) return;
    const eri_lanes *a = twist + 6 * (size_t)body;
    er_vec3 r = er_v3_sub(origin, model->body[body].pose.p);
    sum[0] += sign * a[0];
    sum[1] += sign * a[1];
    sum[2] += sign * a[2];
    sum[3] += sign * (a[3] + a[1] * r.z - a[2] * r.y);
    sum[4] += sign * (a[4] + a[2] * r.x - a[0] * r.z);
    sum[5] += sign * (a[5] + a[0] * r.y - a[1] * r.x);
}

// max |G eta|, lengths in units of the rig's size.
ERI_LANES_DO(joint_leak, (const er_model *model, const eri_lanes *twist, eri_lanes *leak), (model, twist, leak))
{
    eri_lanes most = {0};
    for (int k = 0; k < model->joint_count; ++k) {
        const er_joint *j = &model->joint[k];
        int axis[6], count = er_joint_type_freedom(j->type, axis);
        bool is_free[6] = {false};
        for (int i = 0; i < count; ++i)
            is_free[axis[i]] = true;
        eri_lanes apart[6] = {{0}};
        add_end(model, twist, j->child, j->frame.p, 1.0, apart);
        add_end(model, twist, j->parent, j->frame.p, -1.0, apart);
        er_mat3 R = er_m3_from_q(j->frame.q);
        for (int i = 0; i < 6; ++i) {
            if (is_free[i]) continue;
            const eri_lanes *v = apart + (i < 3 ? 0 : 3);
            eri_lanes held = R.m[0][i % 3] * v[0] + R.m[1][i % 3] * v[1] + R.m[2][i % 3] * v[2];
            if (i == 5 && j->pitch != 0.0)
                held -= j->pitch * (R.m[0][2] * apart[0] + R.m[1][2] * apart[1] + R.m[2][2] * apart[2]);
            most = eri_lanes_larger(most, eri_lanes_magnitude(held) * (i < 3 ? 1.0 : 1.0 / model->size));
        }
    }
    *leak = most;
}

static int panels_of(const er_modes *modes)
{
    return (modes->count + ERI_LANE_COUNT - 1) / ERI_LANE_COUNT;
}

// Rows [6 first, 6 (first + bodies)) of the shapes of eight modes, a mode a lane.
static void read_panel(const eri_reduced *s, const er_modes *modes, int panel, int first, int bodies, eri_lanes *out)
{
    int at = panel * ERI_LANE_COUNT, left = modes->count - at, count = left < ERI_LANE_COUNT ? left : ERI_LANE_COUNT;
    eri_lanes_gather(6 * bodies, count, eri_matrix_column(s->body, at) + 6 * (size_t)first, s->body.rows, out);
}

// A few bodies of all modes: as many as are measured at a time, or all of a small rig.
static eri_lanes *chunk_panel(const eri_reduced *s, int panel)
{
    return (eri_lanes *)s->chunk.a + panel * MEASURED_ROWS;
}

static bool fits_chunk(const eri_reduced *s)
{
    return 6 * s->model->body_count <= MEASURED_ROWS;
}

// The shapes of a small rig stay in the chunk.
static double worst_leak(eri_reduced *s, const er_modes *modes)
{
    double worst = 0.0;
    for (int panel = 0; panel < panels_of(modes); ++panel) {
        eri_lanes largest, leak, *shape = fits_chunk(s) ? chunk_panel(s, panel) : s->shape;
        read_panel(s, modes, panel, 0, s->model->body_count, shape);
        turn_bodies(s->model, shape, s->twist, &largest);
        joint_leak(s->model, s->twist, &leak);
        int left = modes->count - panel * ERI_LANE_COUNT;
        for (int k = 0; k < left && k < ERI_LANE_COUNT; ++k)
            worst = eri_worse(worst, leak[k] / largest[k]);
    }
    return worst;
}

// x <- L' x, body by body (eri_mass_multiply_transposed()).
ERI_LANES_DO(multiply_root, (const eri_mass_factor *factor, int bodies, eri_lanes *x), (factor, bodies, x))
{
    for (const eri_mass_factor *f = factor; f < factor + bodies; ++f, x += 6) {
        double m = f->root_mass;
        er_vec3 c = f->com;
        x[3] = m * (x[3] + (x[1] * c.z - x[2] * c.y));
        x[4] = m * (x[4] + (x[2] * c.x - x[0] * c.z));
        x[5] = m * (x[5] + (x[0] * c.y - x[1] * c.x));
        x[0] = f->c[0][0] * x[0] + f->c[1][0] * x[1] + f->c[2][0] * x[2];
        x[1] = f->c[1][1] * x[1] + f->c[2][1] * x[2];
        x[2] = f->c[2][2] * x[2];
    }
}

// Adds x' y of two panels: row j of the sum holds the products of y's lane j with all of x's.
ERI_LANES_DO(add_products, (int rows, const eri_lanes *x, const eri_lanes *y, eri_lanes sum[ERI_LANE_COUNT]),
             (rows, x, y, sum))
{
    eri_lanes part[ERI_LANE_COUNT];
    memcpy(part, sum, sizeof part);
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < ERI_LANE_COUNT; ++j)
            part[j] += x[i] * y[i][j];
    memcpy(sum, part, sizeof part);
}

ERI_LANES(double, largest, (const double *x, int count), (x, count))
{
    return eri_lanes_largest(x, count);
}

// max |eta_i' M eta_j - delta_ij|, a few bodies at a time.
static double worst_gram(eri_reduced *s, const er_modes *modes)
{
    int bodies = s->model->body_count, step = MEASURED_ROWS / 6, panels = panels_of(modes);
    eri_lanes *gram = (eri_lanes *)s->gram.a;
    memset(gram, 0, (size_t)(panels * panels) * ERI_LANE_COUNT * sizeof *gram);
    for (int first = 0; first < bodies; first += step) {
        int count = bodies - first < step ? bodies - first : step;
        for (int j = 0; j < panels; ++j) {
            eri_lanes *x = chunk_panel(s, j);
            if (!fits_chunk(s)) read_panel(s, modes, j, first, count, x);
            multiply_root(s->factor + first, count, x);
            for (int i = 0; i <= j; ++i)
                add_products(6 * count, chunk_panel(s, i), x, gram + (i + j * panels) * ERI_LANE_COUNT);
        }
    }
    for (int k = 0; k < modes->count; ++k)
        gram[k / ERI_LANE_COUNT * (panels + 1) * ERI_LANE_COUNT + k % ERI_LANE_COUNT][k % ERI_LANE_COUNT] -= 1.0;
    return largest((double *)gram, panels * panels * ERI_LANE_COUNT * ERI_LANE_COUNT);
}

void eri_reduced_measure(eri_reduced *s, er_modes *modes)
{
    if (modes->count == 0) return;
    for (int b = 0; b < s->model->body_count; ++b)
        s->factor[b] = eri_mass_factor_of(&s->model->body[b]);
    modes->residuals.constraint = worst_leak(s, modes);
    modes->residuals.gram = worst_gram(s, modes);
}
