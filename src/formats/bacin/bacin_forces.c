// The forces of a set.
#include "formats/bacin/bacin_set.h"

#include <string.h>

enum { MOST_SAMPLES = 200 }; // as er_force has them

static er_result read_point(eri_bacin_text *text, const eri_bacin_set *set, int *body, er_vec3 *point)
{
    er_result r = ER_OK;
    double x[3];
    ERI_TRY(eri_bacin_body_named(text, set, body));
    ERI_TRY(eri_bacin_numbers(text, "a point x y z", 3, x));
    *point = er_v3(x[0], x[1], x[2]);
done:
    return r;
}

static er_result read_spring(eri_bacin_text *text, const eri_bacin_set *set, er_force *f)
{
    er_result r = ER_OK;
    double x[2];
    f->kind = ER_FORCE_SPRING;
    ERI_TRY(eri_bacin_numbers(text, "a spring's stiffness and length at rest", 2, x));
    if (!(x[0] >= 0.0 && x[1] >= 0.0))
        ERI_TRY(eri_bacin_wrong(text, "stiffness %g and length at rest %g must be 0 or more", x[0], x[1]));
    f->stiffness = x[0];
    f->rest = x[1];
    ERI_TRY(read_point(text, set, &f->body, &f->point));
    ERI_TRY(read_point(text, set, &f->other, &f->other_point));
    if (f->body < 0) { // of the two, the world is the other
        int body = f->other;
        er_vec3 point = f->other_point;
        f->other = f->body;
        f->other_point = f->point;
        f->body = body;
        f->point = point;
    }
    if (f->body == f->other) ERI_TRY(eri_bacin_wrong(text, "the spring \"%.60s\" joins a body to itself", f->name));
done:
    return r;
}

static er_result read_interpolated(eri_bacin_text *text, const eri_bacin_set *set, er_force *f)
{
    er_result r = ER_OK;
    er_force_sample *sample;
    f->kind = ER_FORCE_SCHEDULE;
    ERI_TRY(read_point(text, set, &f->body, &f->point));
    if (f->body < 0) ERI_TRY(eri_bacin_wrong(text, "the force \"%.60s\" acts on no body", f->name));
    ERI_TRY(eri_bacin_count(text, "samples", 14, &f->sample_count));
    if (f->sample_count < 2 || f->sample_count > MOST_SAMPLES)
        ERI_TRY(eri_bacin_wrong(text, "the force \"%.60s\" has %d samples; there may be 2 to %d", f->name,
                                f->sample_count, MOST_SAMPLES));
    ERI_TRY_NEW(sample, set->arena, er_force_sample, f->sample_count);
    for (int i = 0; i < f->sample_count; ++i) {
        double x[7];
        ERI_TRY(eri_bacin_numbers(text, "a time, a force and a torque", 7, x));
        sample[i] = (er_force_sample){x[0], {x[1], x[2], x[3]}, {x[4], x[5], x[6]}};
        if (i > 0 && !(x[0] > sample[i - 1].time))
            ERI_TRY(eri_bacin_wrong(text, "the times of the force \"%.60s\" do not ascend: %g after %g", f->name, x[0],
                                    sample[i - 1].time));
    }
    f->sample = sample;
done:
    return r;
}

static er_result read_force(eri_bacin_text *text, const eri_bacin_set *set, er_force *f)
{
    er_result r = ER_OK;
    const char *type;
    *f = er_default_force();
    ERI_TRY(eri_bacin_entry(text, "force", &f->name));
    ERI_TRY(eri_bacin_take(text, "the type of a force", &type));
    if (strcmp(type, "Spring") == 0)
        r = read_spring(text, set, f);
    else if (strcmp(type, "Interpolated") == 0)
        r = read_interpolated(text, set, f);
    else
        r = eri_bacin_wrong(text, "there is no type \"%.60s\" of forces; there are Spring and Interpolated", type);
done:
    return r;
}

er_result eri_bacin_read_forces(eri_bacin_set *set)
{
    er_result r = ER_OK;
    eri_bacin_text text;
    bool missing;
    ERI_TRY(eri_bacin_open_beside(set, ".for", &missing, &text));
    if (missing) return ER_OK;
    ERI_TRY(eri_bacin_begin(&text, "forces", ERI_BACIN_DATE));
    ERI_TRY(eri_bacin_key_count(&text, "forces", 20, &set->force_count));
    ERI_TRY_NEW(set->force, set->arena, er_force, set->force_count);
    for (int i = 0; i < set->force_count; ++i)
        ERI_TRY(read_force(&text, set, &set->force[i]));
    ERI_TRY(eri_bacin_end(&text, "forces", "forces", set->force_count));
done:
    return r;
}
