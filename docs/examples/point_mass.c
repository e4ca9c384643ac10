// An equation of motion of one's own: a point of 2 kg, thrown at (8, 6) m/s, with drag of 0.5 N s/m.
#include <eigenrig/eigenrig.h>
#include <stdio.h>

static er_result accelerate(void *user, double t, const double *q, const double *u, double *du)
{
    (void)user, (void)t, (void)q;
    du[0] = -0.5 * u[0] / 2.0;
    du[1] = -0.5 * u[1] / 2.0 - 9.81;
    return ER_OK;
}

int main(void)
{
    er_context *context = NULL;
    er_ode *ode = NULL;
    er_ode_def def = er_default_ode_def();
    def.position_count = def.velocity_count = 2;
    def.accelerate = accelerate;
    if (er_context_create(NULL, &context) != ER_OK) return 1;
    bool ok = er_ode_create(context, &def, &ode) == ER_OK;
    ok = ok && er_ode_start(ode, 0.0, (double[]){0, 0}, (double[]){8, 6}, 0.0) == ER_OK;
    for (int k = 0; ok && k <= 10; ++k) {
        ok = er_ode_advance(ode, 0.1 * k) == ER_OK;
        printf("%.1f s  %.9f m  %.9f m\n", er_ode_time(ode), er_ode_positions(ode)[0], er_ode_positions(ode)[1]);
    }
    er_ode_destroy(ode);
    er_context_destroy(context);
    return !ok;
}
