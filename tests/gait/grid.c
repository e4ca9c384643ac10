// A grid of mixes, which tests of paths and of the search go over.
#include "grid.h"

er_arena *arena;
er_gait_def defaults;

int set_up_grid(void **state)
{
    defaults = er_default_gait_def();
    return set_up(state) == 0 && eri_arena_create(context, &arena) == ER_OK ? 0 : 1;
}

int tear_down_grid(void **state)
{
    eri_arena_destroy(arena);
    return tear_down(state);
}

bench begin(er_model *model, int mode_count)
{
    bench b = {.model = model, .modes = modes_of(model)};
    b.body = read_body(model, NULL);
    ok(eri_mix_sampler_create(context, arena, model, b.body, b.modes, mode_count, false, &b.w));
    ok(eri_evaluator_create(arena, b.w, &defaults.weights, &b.judge));
    return b;
}

bench begin_flying(er_model *model, int mode_count)
{
    bench b = begin(model, mode_count);
    eri_mix_sampler_destroy(b.w);
    ok(eri_mix_sampler_create(context, arena, model, b.body, b.modes, mode_count, true, &b.w));
    return b;
}

void end(bench *b)
{
    eri_mix_sampler_destroy(b->w);
}

static const double angles[] = {0.1, 0.2, 0.4};

bool mix_of_grid(int k, int count, int modes, eri_gait_mix *out)
{
    *out = (eri_gait_mix){.count = count};
    for (int v = 0; v < count; ++v) {
        eri_gait_component *part = &out->component[v];
        part->mode = k % modes;
        part->angle = angles[(k /= modes) % 3];
        k /= 3;
        part->harmonic = v > 0 ? 1 + k % 2 : 1;
        part->phase = v > 0 ? 2.0 * ER_PI * ((k /= 2) % 8) / 8.0 : 0.0;
        if (v > 0) k /= 8;
        for (int u = 0; u < v; ++u)
            if (out->component[u].mode == part->mode) return false;
    }
    return true;
}

double row_of(const eri_path_polynomials *s, int row, int count, const int *mode, const double *out)
{
    double sum = s->rest[row];
    for (int u = 0; u < count; ++u) {
        sum += out[u] * s->first[mode[u] * s->rows + row];
        for (int v = 0; v < count; ++v) {
            int cell = (mode[u] * s->modes + mode[v]) * s->rows + row;
            if (v >= u) sum += out[u] * out[v] * s->second[cell];
            sum += out[u] * out[u] * out[v] * s->third[cell];
            for (int w = v + 1; w < count && v > u; ++w)
                sum += out[u] * out[v] * out[w] *
                       s->mixed[((mode[u] * s->modes + mode[v]) * s->modes + mode[w]) * s->rows + row];
        }
    }
    return sum;
}
