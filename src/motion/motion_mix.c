// Mixes: checked, read from a line of text, and fitted to a rig by their shapes.
#include <eigenrig/motion.h>

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/number.h"
#include "base/text.h"
#include "motion/signal.h"

enum { MOST_DEGREES = 3600 };
#define LEAST_LIKENESS 0.7 // below, another mode could be as similar

er_mix_component er_default_mix_component(void)
{
    return (er_mix_component){.degrees = 20.0, .tag = ER_DEF_TAG};
}

// --- checks

static bool within(double x, double least, double most)
{
    return x >= least && x <= most;
}

static er_result check_component(er_context *context, const er_mix *mix, int index)
{
    const er_mix_component *v = &mix->component[index];
    if (v->tag != ER_DEF_TAG)
        return er_fail(context, ER_ERROR_ARGUMENT, "component %d of a mix was not made by er_default_mix_component()",
                       index);
    const struct {
        const char *what, *unit;
        double value, least, most;
    } bounds[] = {{"index", "", v->mode, 0, 1e9},
                  {"amplitude", " degrees", v->degrees, 0, MOST_DEGREES},
                  {"amplitude", " cm", 100.0 * v->metres, 0, 1e7},
                  {"frequency", " Hz", v->hz, 0, 1e6},
                  {"harmonic", "", v->harmonic, 0, 10000},
                  {"phase", " rad", v->phase, -1e9, 1e9},
                  {"attack", " s", v->attack, 0, 1e5},
                  {"decay", " s", v->decay, 0, 1e5},
                  {"damping ratio", "", v->damping, -HUGE_VAL, 10},
                  {"shape's frequency", " Hz", v->shape_hz, 0, HUGE_VAL}};
    for (size_t i = 0; i < ERI_COUNT(bounds); ++i)
        if (!within(bounds[i].value, bounds[i].least, bounds[i].most))
            return er_fail(context, ER_ERROR_ARGUMENT, "mode %d of the mix: %s %g%s is not between %g and %g", v->mode,
                           bounds[i].what, bounds[i].value, bounds[i].unit, bounds[i].least, bounds[i].most);
    if (v->at != NULL && (!(v->metres > 0.0) || !eri_utf8_valid(v->at)))
        return er_fail(context, ER_ERROR_ARGUMENT,
                       "mode %d of the mix: an amplitude at a body is a length, and the name is UTF-8 text", v->mode);
    if (v->hz > 0.0 && v->harmonic > 0)
        return er_fail(context, ER_ERROR_ARGUMENT,
                       "mode %d of the mix has a frequency and a harmonic; give one of them", v->mode);
    if (v->shape != NULL && mix->body_count < 1)
        return er_fail(context, ER_ERROR_ARGUMENT, "mode %d of the mix has a shape, but the mix has no bodies",
                       v->mode);
    for (int i = 0; v->shape != NULL && i < 6 * mix->body_count; ++i)
        if (!isfinite(v->shape[i]))
            return er_fail(context, ER_ERROR_ARGUMENT, "mode %d of the mix: its shape is not finite", v->mode);
    return ER_OK;
}

static er_result check_mix(er_context *context, const er_mix *mix)
{
    er_result r = ER_OK;
    if (mix == NULL || mix->component == NULL || mix->component_count < 1)
        return er_fail(context, ER_ERROR_ARGUMENT, "a mix needs a mode at least");
    if (mix->component_count > ER_MIX_MAX_COMPONENTS)
        return er_fail(context, ER_ERROR_ARGUMENT, "a mix of %d modes: %d are the most", mix->component_count,
                       ER_MIX_MAX_COMPONENTS);
    if (!within(mix->cycle, 0.0, 1e5))
        return er_fail(context, ER_ERROR_ARGUMENT, "a cycle of %g s is not between 0 and 100000", mix->cycle);
    if (!(mix->size >= 0.0 && mix->size <= 1e50))
        return er_fail(context, ER_ERROR_ARGUMENT, "a size of %g m is not that of a rig", mix->size);
    if (mix->name != NULL && !eri_utf8_valid(mix->name))
        return er_fail(context, ER_ERROR_ARGUMENT, "the mix's name is not UTF-8 text");
    for (int i = 0; r == ER_OK && i < mix->component_count; ++i)
        r = check_component(context, mix, i);
    return r;
}

// "mix 7 9", of its modes; "mix of 40" where they are too many. Other programs drop : , / [ and @, and names longer
// than 63 bytes, so it has none of these.
static const char *name_by_modes(er_arena *arena, const er_mix *mix)
{
    char text[48] = "mix";
    size_t length = 3;
    for (int i = 0; i < mix->component_count && length < sizeof text; ++i)
        length += (size_t)snprintf(text + length, sizeof text - length, " %d", mix->component[i].mode);
    if (length >= sizeof text) snprintf(text, sizeof text, "mix of %d", mix->component_count);
    return eri_arena_string(arena, text);
}

er_result er_mix_create(er_context *context, const er_mix *mix, er_mix **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    er_result r = ER_OK;
    er_arena *arena = NULL;
    er_mix *copy;
    er_mix_component *component;
    ERI_TRY(check_mix(context, mix));
    ERI_TRY(eri_arena_create(context, &arena));
    ERI_TRY_NEW(copy, arena, er_mix, 1);
    ERI_TRY_NEW(component, arena, er_mix_component, mix->component_count);
    *copy = *mix;
    copy->name = mix->name != NULL ? eri_arena_string(arena, mix->name) : name_by_modes(arena, mix);
    ERI_TRY(copy->name != NULL ? ER_OK : ER_ERROR_MEMORY);
    for (int i = 0; i < mix->component_count; ++i) {
        component[i] = mix->component[i];
        if (component[i].at != NULL) component[i].at = eri_arena_string(arena, component[i].at);
        ERI_TRY((component[i].at != NULL) == (mix->component[i].at != NULL) ? ER_OK : ER_ERROR_MEMORY);
        if (component[i].shape == NULL) continue;
        size_t count = 6 * (size_t)mix->body_count;
        double *shape;
        ERI_TRY_NEW(shape, arena, double, count);
        memcpy(shape, mix->component[i].shape, count * sizeof *shape);
        component[i].shape = shape;
    }
    copy->component = component;
    copy->arena = arena;
    *out = copy;
    arena = NULL;
done:
    eri_arena_destroy(arena);
    return r;
}

void er_mix_destroy(er_mix *mix)
{
    if (mix != NULL) eri_arena_destroy(mix->arena);
}

// --- text

static bool take_whole(const char **at, int *out)
{
    double x;
    const char *start = *at;
    if (!eri_take_number(at, &x) || x != floor(x) || !within(x, 0.0, 1e9)) {
        *at = start;
        return false;
    }
    *out = (int)x;
    return true;
}

static bool take_character(const char **at, char c)
{
    if (**at != c) return false;
    ++*at;
    return true;
}

// A length's unit, in m; 0 where there is none.
static double take_unit(const char **at)
{
    static const struct {
        const char *name;
        double metres;
    } units[] = {{"mm", 1e-3}, {"cm", 1e-2}, {"m", 1.0}};
    for (size_t i = 0; i < ERI_COUNT(units); ++i) {
        size_t length = strlen(units[i].name);
        if (strncmp(*at, units[i].name, length) != 0) continue;
        *at += length;
        return units[i].metres;
    }
    return 0.0;
}

// [@HZ|@Nx][+PHASE|-PHASE], up to a comma or the end.
static bool parse_time(const char **at, er_mix_component *v)
{
    double number;
    if (take_character(at, '@')) {
        if (!eri_take_number(at, &number)) return false;
        if (take_character(at, 'x')) {
            if (number != floor(number) || !within(number, 1, 10000)) return false;
            v->harmonic = (int)number;
        } else {
            if (!(number > 0.0)) return false;
            v->hz = number;
        }
    }
    if (**at == '+' || **at == '-') {
        if (!eri_take_number(at, &number)) return false;
        v->phase = number * ER_PI / 180.0;
        if (strncmp(*at, "\xc2\xb0", 2) == 0) *at += 2; // the degree sign
    }
    *at += strspn(*at, " ");
    return **at == ',' || **at == '\0';
}

// A body's name, which may contain @ + and -: it ends at a comma, or where the rest can be parsed.
static er_result parse_name(er_arena *arena, const char **at, er_mix_component *v)
{
    const char *end = *at, *stop = *at + strcspn(*at, ",");
    for (; end < stop; ++end) {
        const char *rest = end;
        er_mix_component own = *v;
        if (strchr("@+-", *end) != NULL && parse_time(&rest, &own)) break;
    }
    size_t length = (size_t)(end - *at);
    char *name = eri_arena_alloc(arena, length + 1, 1);
    if (name == NULL) return ER_ERROR_MEMORY;
    memcpy(name, *at, length);
    name[length] = '\0';
    v->at = name;
    *at = end;
    return ER_OK;
}

static er_result parse_component(er_arena *arena, const char **at, er_mix_component *v, bool *sound)
{
    *v = er_default_mix_component();
    *at += strspn(*at, " ");
    *sound = take_whole(at, &v->mode) && take_character(at, ':') && eri_take_number(at, &v->degrees);
    if (!*sound) return ER_OK;
    v->metres = v->degrees * take_unit(at);
    bool long_one = v->metres != 0.0; // a negative one is refused as a length
    if (long_one) v->degrees = er_default_mix_component().degrees;
    er_result r = long_one && take_character(at, ':') ? parse_name(arena, at, v) : ER_OK;
    *sound = parse_time(at, v) && (v->at == NULL || *v->at != '\0');
    return r;
}

er_result er_mix_parse(er_context *context, const char *text, er_mix **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (text == NULL) return er_fail(context, ER_ERROR_ARGUMENT, "er_mix_parse needs a text");
    er_result r = ER_OK;
    er_arena *scratch = NULL;
    er_mix_component *component;
    int count = 0;
    size_t most = 1;
    for (const char *c = text; *c != '\0'; ++c)
        most += *c == ',';
    ERI_TRY(eri_arena_create(context, &scratch));
    if (most > ER_MIX_MAX_COMPONENTS)
        ERI_TRY(
            er_fail(context, ER_ERROR_ARGUMENT, "a mix of %zu modes: %d are the most", most, ER_MIX_MAX_COMPONENTS));
    ERI_TRY_NEW(component, scratch, er_mix_component, most);
    for (const char *at = text;;) {
        const char *word = at;
        bool sound;
        ERI_TRY(parse_component(scratch, &at, &component[count++], &sound));
        if (!sound)
            ERI_TRY(er_fail(
                context, ER_ERROR_ARGUMENT,
                "\"%.*s\" is no part of a mix: MODE:AMPLITUDE[@HZ or @Nx][+PHASE], such as 7:12 or 9:5@1.1+90, 7:12cm "
                "or 7:12cm:Tail3",
                (int)strcspn(word, ","), word));
        if (*at++ == '\0') break;
    }
    r = er_mix_create(context, &(er_mix){.component_count = count, .component = component}, out);
done:
    eri_arena_destroy(scratch);
    return r;
}

// --- fitting

// a' M b of one body, twists at the body frame's origin; those of a of a rig `scale` times smaller.
static double body_product(const er_body *body, double scale, const double *a, const double *b)
{
    er_vec3 c = body->com, wa = er_v3(a[0], a[1], a[2]), wb = er_v3(b[0], b[1], b[2]);
    er_vec3 va = er_v3_madd(er_v3_cross(wa, c), scale, er_v3(a[3], a[4], a[5])); // of the centre of mass
    er_vec3 vb = er_v3_add(er_v3(b[3], b[4], b[5]), er_v3_cross(wb, c));
    return body->mass * er_v3_dot(va, vb) + er_v3_dot(wa, er_m3_mul_v(body->inertia, wb));
}

static double product(const er_model *model, double scale, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < model->body_count; ++i)
        sum += body_product(&model->body[i], scale, a + 6 * (ptrdiff_t)i, b + 6 * (ptrdiff_t)i);
    return sum;
}

double er_mode_likeness(const er_model *model, double scale, const double *a, const double *b)
{
    double squared = 0.0;
    for (int i = 0; i < model->body_count; ++i) {
        const double *v = a + 6 * (ptrdiff_t)i, own[6] = {v[0], v[1], v[2], scale * v[3], scale * v[4], scale * v[5]};
        squared += body_product(&model->body[i], 1.0, own, own);
    }
    double norm = sqrt(squared * product(model, 1.0, b, b));
    return norm > 0.0 ? product(model, scale, a, b) / norm : 0.0;
}

static er_result check_index(er_context *context, const er_modes *modes, int mode)
{
    if (er_modes_find(modes, mode) != NULL) return ER_OK;
    if (mode >= modes->dof)
        return er_fail(context, ER_ERROR_ARGUMENT, "there is no mode %d: the rig has %d, from 0 on", mode, modes->dof);
    return er_fail(context, ER_ERROR_ARGUMENT,
                   "mode %d is not among those solved for, %d to %d (--count, --min-hz and --max-hz choose them)", mode,
                   modes->first, modes->first + modes->count - 1);
}

static er_result find_mode(er_context *context, const er_model *model, const er_modes *modes, double scale,
                           const er_mix_component *component, er_mix_match *match, bool *turned)
{
    *match = (er_mix_match){component->mode, component->mode, 1.0};
    *turned = false;
    if (component->shape == NULL) return check_index(context, modes, component->mode);
    match->likeness = -1.0;
    for (int m = 0; m < modes->count; ++m) {
        double c = er_mode_likeness(model, scale, component->shape, modes->mode[m].body);
        if (fabs(c) <= match->likeness) continue;
        match->likeness = fabs(c);
        match->now = er_modes_index(modes, &modes->mode[m]);
        *turned = c < 0.0;
    }
    if (match->likeness >= LEAST_LIKENESS) return ER_OK;
    return er_fail(context, ER_ERROR_ARGUMENT,
                   "mode %d of the mix (%.3g Hz when it was saved) was not found: the nearest of the %d modes solved "
                   "for is mode %d, alike by %.0f %%; make the mix anew, or undo the change of the rig",
                   component->mode, component->shape_hz, modes->count, match->now, 100.0 * fmax(0.0, match->likeness));
}

er_result er_mix_fit(er_context *context, const er_model *model, const er_modes *modes, const er_mix *mix,
                     er_mix_match *match, er_mix **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (model == NULL || modes == NULL || mix == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "er_mix_fit needs a model, its modes and a mix");
    er_result r = check_mix(context, mix);
    if (r != ER_OK) return r;
    if (mix->body_count > 0 && mix->body_count != model->body_count)
        return er_fail(
            context, ER_ERROR_ARGUMENT,
            "the mix was made for a rig of %d bodies; this one has %d; --from its model carries the mix over",
            mix->body_count, model->body_count);
    er_arena *scratch = NULL;
    er_mix_component *component;
    er_mix_match *found;
    ERI_TRY(eri_arena_create(context, &scratch));
    ERI_TRY_NEW(component, scratch, er_mix_component, mix->component_count);
    ERI_TRY_NEW(found, scratch, er_mix_match, mix->component_count);
    for (int i = 0; i < mix->component_count; ++i) {
        bool turned;
        ERI_TRY(find_mode(context, model, modes, mix->size > 0.0 ? model->size / mix->size : 1.0, &mix->component[i],
                          &found[i], &turned));
        for (int j = 0; j < i; ++j)
            if (found[j].now == found[i].now && found[j].was != found[i].was)
                ERI_TRY(er_fail(context, ER_ERROR_ARGUMENT,
                                "modes %d and %d of the mix are both nearest to mode %d of this rig; make the mix anew",
                                found[j].was, found[i].was, found[i].now));
        const er_mode *mode = er_modes_find(modes, found[i].now);
        component[i] = mix->component[i];
        component[i].mode = found[i].now;
        double factor;
        ERI_TRY(eri_component_factor(context, model, mode, &component[i], &factor));
        if (component[i].metres > 0.0) {
            component[i].degrees = eri_factor_degrees(model, mode, factor);
            if (!(component[i].degrees <= MOST_DEGREES))
                ERI_TRY(er_fail(context, ER_ERROR_ARGUMENT,
                                "mode %d: %g cm take %g degrees of a joint, and %d are the most; use a smaller length",
                                found[i].now, 100.0 * component[i].metres, component[i].degrees, MOST_DEGREES));
        }
        component[i].phase += turned ? ER_PI : 0.0;
        component[i].shape_hz = mode->frequency_hz;
        component[i].shape = mode->body;
    }
    ERI_TRY(er_mix_create(context,
                          &(er_mix){.name = mix->name,
                                    .cycle = mix->cycle,
                                    .body_count = model->body_count,
                                    .size = model->size,
                                    .component_count = mix->component_count,
                                    .component = component},
                          out));
    if (match != NULL) memcpy(match, found, (size_t)mix->component_count * sizeof *match);
done:
    eri_arena_destroy(scratch);
    return r;
}
