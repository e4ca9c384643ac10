// `animate --from`: mixes and gaits of another model, carried to this one.
#include "app/project/project_carry.h"
#include "tools/eigenrig/animate.h"

// The other model is read with the same options, but for those that name bodies or directions of this one.
static options options_of_other(const options *o)
{
    options other = *o;
    other.model = o->from;
    other.output_count = 0;
    other.output = other.save_mix = other.plot = NULL;
    other.asked.feet = other.gait.feet = NULL;
    other.asked.description = NULL;
    other.asked.forward = other.gait.forward = er_v3(0, 0, 0);
    return other;
}

// The models on both sides.
typedef struct both_models {
    project_carry_rig from, to;
    er_carry_def def;
} both_models;

static both_models pair_models(const animation *a, const options *other, const loaded *l, const er_modes *modes)
{
    both_models both = {.from = {l->model, l->rig, &other->gait, modes},
                        .to = {a->l.model, a->l.rig, &a->o->gait, a->modes},
                        .def = er_default_carry_def()};
    both.def.pace = a->o->from_pace;
    return both;
}

static er_result carry_gait(animation *a, const options *other, const loaded *l, const er_modes *modes)
{
    const er_gait *gait = NULL;
    er_gaits *gaits = NULL;
    er_result r = find_gait(a->context, other, l, modes, &gaits, &gait, &a->travels);
    const er_gait_def paces = gait_def_of(a->o);
    const both_models both = pair_models(a, other, l, modes);
    if (r == ER_OK)
        r = project_carry_gait(a->context, &both.from, gait, &both.to, &paces, &both.def, &a->listener, &a->gaits);
    er_gaits_destroy(gaits);
    return r;
}

static int carry_mixes(animation *a, options *other, loaded *l)
{
    er_modes *modes = NULL;
    int status = options_name_modes(other) ? take_mode_names(a->context, "animate", other, l) : EXIT_DONE;
    for (int i = 0; i < other->mix_count && status == EXIT_DONE; ++i)
        status = read_mix(a->context, "animate", other->mixes[i], &a->mix[i]);
    if (status == EXIT_DONE && a->o->gait_name == NULL)
        other->count = modes_of_mixes(other, l->model, a->mix, other->mix_count);
    if (status == EXIT_DONE) status = solve(a->context, other, l->model, &modes);
    er_result r = ER_OK;
    const both_models both = pair_models(a, other, l, modes);
    if (status == EXIT_DONE && a->o->gait_name != NULL) r = carry_gait(a, other, l, modes);
    for (int i = 0; i < other->mix_count && status == EXIT_DONE && r == ER_OK; ++i) {
        er_mix *carried = NULL;
        r = project_carry_mix(a->context, &both.from, a->mix[i], &both.to, &both.def, &a->listener, &carried);
        if (r != ER_OK) break;
        er_mix_destroy(a->mix[i]);
        a->mix[i] = carried;
    }
    er_modes_destroy(modes);
    return r == ER_OK ? status : fail_work(a->context, r, a->o->from);
}

int carry_from(animation *a)
{
    options other = options_of_other(a->o);
    loaded l = {0};
    int status = load(a->context, &other, &l);
    if (status == EXIT_DONE) status = carry_mixes(a, &other, &l);
    unload(&l);
    return status;
}
