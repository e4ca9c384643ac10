// A world as JSON, both ways (docs/formats.md): the rig file's bodies and joints, and all that makes them move.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "formats/json/json.h"
#include "formats/json/rig_json.h"
#include "formats/world/world_file.h"

enum { MOST_SAMPLES = 200 }; // as er_force has them
static const double largest = 1e50;

// ---- words of the file

// A number of a struct: its key, where it is, the least it may be.
typedef struct number_field {
    const char *key;
    size_t at;
    double least;
} number_field;

static const number_field options[] = {{"tolerance", offsetof(er_world_def, tolerance), 1e-14},
                                       {"min_step", offsetof(er_world_def, min_step), 0.0},
                                       {"max_step", offsetof(er_world_def, max_step), 1e-300},
                                       {"impact_tolerance", offsetof(er_world_def, impact_tolerance), 1e-13}};

static const number_field contact_numbers[] = {{"frequency", offsetof(er_contact_def, frequency), 1e-300},
                                               {"damping", offsetof(er_contact_def, damping), 1e-300},
                                               {"push_out", offsetof(er_contact_def, push_out), 1e-300},
                                               {"sleep_time", offsetof(er_contact_def, sleep_time), 0.0},
                                               {"sleep_speed", offsetof(er_contact_def, sleep_speed), 0.0}};

// Options of the reference route stand in `contact` too.
static const number_field reference_numbers[] = {{"accuracy", offsetof(er_reference_def, accuracy), 0.0},
                                                 {"relaxation", offsetof(er_reference_def, relaxation), 1e-300},
                                                 {"erp", offsetof(er_reference_def, erp), 0.0},
                                                 {"cfm", offsetof(er_reference_def, cfm), 0.0}};

// Whole numbers of a struct.
typedef struct whole {
    const char *key;
    size_t at;
    int most; // the least is 1
} whole;

static const whole contact_wholes[] = {{"substeps", offsetof(er_contact_def, substeps), 1000},
                                       {"threads", offsetof(er_contact_def, threads), 8}};
static const whole iterations = {"iterations", offsetof(er_reference_def, iterations), 1000000};
static const whole impacts = {"most_impacts", offsetof(er_world_def, most_impacts), 1000000000};
static const char *const solvers[] = {
    [ER_REFERENCE_PROJECTED] = "projected", [ER_REFERENCE_DIRECT] = "direct", [ER_REFERENCE_DIRECT + 1] = NULL};

static const number_field motor_numbers[] = {{"stiffness", offsetof(er_motor, stiffness), 0.0},
                                             {"position", offsetof(er_motor, position), -HUGE_VAL},
                                             {"damping", offsetof(er_motor, damping), 0.0},
                                             {"velocity", offsetof(er_motor, velocity), -HUGE_VAL},
                                             {"most", offsetof(er_motor, most), 1e-300}};

static const number_field spring_numbers[] = {{"stiffness", offsetof(er_force, stiffness), 0.0},
                                              {"damping", offsetof(er_force, damping), 0.0},
                                              {"rest", offsetof(er_force, rest), 0.0}};

static const number_field drag_numbers[] = {{"linear_drag", offsetof(er_force, linear_drag), 0.0},
                                            {"quadratic_drag", offsetof(er_force, quadratic_drag), 0.0},
                                            {"angular_drag", offsetof(er_force, angular_drag), 0.0}};

// The keys of each kind of force, besides name, kind, body and point.
static const struct {
    const char *word;
    const number_field *numbers;
    size_t count;
    const char *others[4];
} kinds[] = {[ER_FORCE_CONSTANT] = {"constant", NULL, 0, {"axes", "force", "torque"}},
             [ER_FORCE_SCHEDULE] = {"schedule", NULL, 0, {"axes", "samples"}},
             [ER_FORCE_SPRING] = {"spring", spring_numbers, ERI_COUNT(spring_numbers), {"other", "other_point"}},
             [ER_FORCE_DRAG] = {"drag", drag_numbers, ERI_COUNT(drag_numbers), {NULL}}};

static const number_field resistances[] = {{"rolling", offsetof(er_solid, rolling), 0.0},
                                           {"spinning", offsetof(er_solid, spinning), 0.0},
                                           {"grain_friction", offsetof(er_solid, grain_friction), 0.0}};
// Vectors of shapes that are left out where they are 0.
static const struct {
    const char *key;
    size_t at;
} shape_vectors[] = {{"grain", offsetof(er_solid, grain)},
                     {"surface_velocity", offsetof(er_solid, surface.linear)},
                     {"surface_spin", offsetof(er_solid, surface.angular)}};

// The last two are left out where there is no bound.
static const number_field tie_numbers[] = {
    {"ratio", offsetof(er_tie, ratio), -HUGE_VAL},   {"least", offsetof(er_tie, least), 0.0},
    {"stiffness", offsetof(er_tie, stiffness), 0.0}, {"damping", offsetof(er_tie, damping), 0.0},
    {"most", offsetof(er_tie, most), 0.0},           {"break_force", offsetof(er_tie, break_force), 1e-300}};
static const char *const ties[] = {
    [ER_TIE_DISTANCE] = "distance", [ER_TIE_PULLEY] = "pulley", [ER_TIE_GEAR] = "gear", [ER_TIE_GEAR + 1] = NULL};

static const char *const routes[] = {
    [ER_ROUTE_REDUCED] = "reduced", [ER_ROUTE_MULTIPLIERS] = "multipliers", [ER_ROUTE_MULTIPLIERS + 1] = NULL};
static const char *const rotations[] = {
    [ER_ROTATION_QUATERNION] = "quaternion", [ER_ROTATION_MATRIX] = "matrix", [ER_ROTATION_MATRIX + 1] = NULL};
static const char *const integrators[] = {
    [ER_INTEGRATE_EULER] = "euler",       [ER_INTEGRATE_SEMI_IMPLICIT] = "semi_implicit",
    [ER_INTEGRATE_HEUN] = "heun",         [ER_INTEGRATE_RK4] = "rk4",
    [ER_INTEGRATE_FEHLBERG] = "fehlberg", [ER_INTEGRATE_IMPLICIT] = "implicit",
    [ER_INTEGRATE_CONTACT] = "contact",   [ER_INTEGRATE_CONTACT + 1] = NULL};

static const char *const combinations[] = {
    [ER_COMBINE_AVERAGE] = "average",   [ER_COMBINE_GEOMETRIC_MEAN] = "geometric_mean",
    [ER_COMBINE_MINIMUM] = "minimum",   [ER_COMBINE_MAXIMUM] = "maximum",
    [ER_COMBINE_MULTIPLY] = "multiply", [ER_COMBINE_MULTIPLY + 1] = NULL};

// Kinds of shapes; of each its numbers, or half its edges' lengths where it has none and is no hull or plane.
static const char *const shapes[] = {
    [ER_SHAPE_SPHERE] = "sphere",     [ER_SHAPE_CAPSULE] = "capsule", [ER_SHAPE_BOX] = "box",
    [ER_SHAPE_CYLINDER] = "cylinder", [ER_SHAPE_HULL] = "hull",       [ER_SHAPE_PLANE] = "plane",
    [ER_SHAPE_PLANE + 1] = NULL};
static const number_field shape_numbers[] = {{"radius", offsetof(er_shape, radius), 0.0},
                                             {"length", offsetof(er_shape, length), 0.0}};

static size_t count_of_numbers(er_shape_kind kind)
{
    return kind == ER_SHAPE_SPHERE ? 1 : kind == ER_SHAPE_CAPSULE || kind == ER_SHAPE_CYLINDER ? 2 : 0;
}

static double *place(void *object, const number_field *n)
{
    return (double *)(void *)((char *)object + n->at);
}

// ---- reading

// Where a reader stands, so that a message can name the place: PATH: forces[3].point: ...
typedef struct world_reader {
    er_context *context;
    const char *path;
    er_arena *arena;
    er_world_file *file;
    const char *list; // NULL at the top
    size_t index;
    bool single; // the list is no list, but one object
    eri_notes notes;
    er_result heard; // of the last note
} world_reader;

static er_result wrong(const world_reader *at, const char *key, const char *expected)
{
    if (at->list == NULL)
        return er_fail(at->context, ER_ERROR_FORMAT, "%s: \"%s\": expected %s", at->path, key, expected);
    if (at->single)
        return er_fail(at->context, ER_ERROR_FORMAT, "%s: %s.%s: expected %s", at->path, at->list, key, expected);
    return er_fail(at->context, ER_ERROR_FORMAT, "%s: %s[%zu].%s: expected %s", at->path, at->list, at->index, key,
                   expected);
}

static er_result unknown_word(const world_reader *at, const char *word)
{
    char plain[64];
    er_text_plain(word, plain, sizeof plain);
    return wrong(at, plain, "no such word; docs/formats.md has those there are");
}

static er_result slip(const world_reader *at, const char *word, const char *meant)
{
    char plain[64], expected[128];
    er_text_plain(word, plain, sizeof plain);
    snprintf(expected, sizeof expected, "no such word; did you mean %s", meant);
    return wrong(at, plain, expected);
}

// Returns the nearest of the words, the numbers' keys and the others; NULL if none is near.
static const char *nearest(const char *key, const char *const *words, const number_field *numbers, size_t number_count,
                           const char *const *others)
{
    suggestion meant = {.word = key};
    for (int i = 0; words[i] != NULL; ++i)
        suggestion_try(&meant, words[i]);
    for (size_t i = 0; i < number_count; ++i)
        suggestion_try(&meant, numbers[i].key);
    for (int i = 0; others != NULL && others[i] != NULL; ++i)
        suggestion_try(&meant, others[i]);
    return meant.best;
}

static bool is_number(const json_t *value, double least)
{
    double x = json_number_value(value);
    return json_is_number(value) && fabs(x) <= largest && x >= least;
}

static er_result read_number(const world_reader *at, const json_t *object, const number_field *n, void *out)
{
    const json_t *value = json_object_get(object, n->key);
    char expected[80];
    if (!eri_json_is_given(value)) return ER_OK;
    snprintf(expected, sizeof expected, "a number from %g to %g", fmax(n->least, -largest), largest);
    if (!is_number(value, n->least)) return wrong(at, n->key, expected);
    *place(out, n) = json_number_value(value);
    return ER_OK;
}

// Numbers of a list, none of them beyond `largest`.
static bool take_numbers(const json_t *array, double *x, size_t count)
{
    bool sound = eri_json_read_numbers(array, x, count);
    for (size_t i = 0; sound && i < count; ++i)
        sound = fabs(x[i]) <= largest;
    return sound;
}

// Three numbers; where they are left out the value stays.
static er_result read_vec3(const world_reader *at, const json_t *object, const char *key, er_vec3 *out)
{
    const json_t *value = json_object_get(object, key);
    double x[3];
    if (!eri_json_is_given(value)) return ER_OK;
    if (!take_numbers(value, x, 3)) return wrong(at, key, "three numbers");
    *out = er_v3(x[0], x[1], x[2]);
    return ER_OK;
}

static er_result read_pose(const world_reader *at, const json_t *object, er_pose *out)
{
    er_result r = ER_OK;
    const json_t *value = json_object_get(object, "orientation");
    double q[4];
    ERI_TRY(read_vec3(at, object, "position", &out->p));
    if (!eri_json_is_given(value)) return ER_OK;
    bool sound = take_numbers(value, q, 4);
    double off = sound ? fabs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1.0) : HUGE_VAL;
    if (!(off <= 1e-3)) return wrong(at, "orientation", "a unit quaternion [w, x, y, z]");
    out->q = er_q(q[0], q[1], q[2], q[3]);
    if (off > 4e-15) out->q = er_q_unit(out->q); // one that is unit to rounding reads back as it was written
done:
    return r;
}

static er_result read_name(const world_reader *at, const json_t *object, const char **out)
{
    const json_t *name = json_object_get(object, "name");
    if (eri_json_is_given(name) && !json_is_string(name)) return wrong(at, "name", "text");
    *out = eri_arena_string(at->arena, json_string_value(name));
    return *out != NULL ? ER_OK : ER_ERROR_MEMORY;
}

static er_result read_flag(const world_reader *at, const json_t *object, const char *key, bool *out)
{
    const json_t *value = json_object_get(object, key);
    if (!eri_json_is_given(value)) return ER_OK;
    if (!json_is_boolean(value)) return wrong(at, key, "true or false");
    *out = json_is_true(value);
    return ER_OK;
}

// One of some words; its index.
static er_result read_word(const world_reader *at, const json_t *object, const char *key, const char *const *words,
                           const char *expected, int *out)
{
    const json_t *value = json_object_get(object, key);
    const char *word = json_string_value(value);
    if (!eri_json_is_given(value)) return ER_OK;
    for (int i = 0; word != NULL && words[i] != NULL; ++i)
        if (strcmp(word, words[i]) == 0) return *out = i, ER_OK;
    return wrong(at, key, expected);
}

static er_result read_index(const world_reader *at, const json_t *object, const char *key, int least, int count,
                            int *out)
{
    const json_t *value = json_object_get(object, key);
    json_int_t i = json_integer_value(value);
    char expected[80];
    if (!eri_json_is_given(value)) return ER_OK;
    snprintf(expected, sizeof expected, "an index from %d to %d", least, count - 1);
    if (!json_is_integer(value) || i < least || i >= count) return wrong(at, key, expected);
    *out = (int)i;
    return ER_OK;
}

static er_result read_whole(const world_reader *at, const json_t *object, const whole *n, void *out)
{
    const json_t *value = json_object_get(object, n->key);
    char expected[80];
    if (!eri_json_is_given(value)) return ER_OK;
    snprintf(expected, sizeof expected, "a whole number from 1 to %d", n->most);
    if (!json_is_integer(value) || json_integer_value(value) < 1 || json_integer_value(value) > n->most)
        return wrong(at, n->key, expected);
    *(int *)(void *)((char *)out + n->at) = (int)json_integer_value(value);
    return ER_OK;
}

// A bit for each group.
static er_result read_bits(const world_reader *at, const json_t *object, const char *key, uint32_t *out)
{
    const json_t *value = json_object_get(object, key);
    if (!eri_json_is_given(value)) return ER_OK;
    if (!json_is_integer(value) || json_integer_value(value) < 0 || json_integer_value(value) > UINT32_MAX)
        return wrong(at, key, "a whole number from 0 to 4294967295, a bit for each group");
    *out = (uint32_t)json_integer_value(value);
    return ER_OK;
}

static er_result check_words(const world_reader *at, const json_t *object, const char *const *words,
                             const number_field *numbers, size_t number_count, const char *const *others)
{
    const char *key;
    json_t *value;
    if (!json_is_object(object))
        return er_fail(at->context, ER_ERROR_FORMAT, "%s: %s[%zu] is not an object", at->path,
                       at->list != NULL ? at->list : "", at->index);
    json_object_foreach((json_t *)object, key, value)
    {
        bool known = false;
        for (int i = 0; words[i] != NULL; ++i)
            known |= strcmp(key, words[i]) == 0;
        for (size_t i = 0; i < number_count; ++i)
            known |= strcmp(key, numbers[i].key) == 0;
        for (int i = 0; others != NULL && others[i] != NULL; ++i)
            known |= strcmp(key, others[i]) == 0;
        if (known) continue;
        const char *meant = nearest(key, words, numbers, number_count, others);
        return meant != NULL ? slip(at, key, meant) : unknown_word(at, key);
    }
    return ER_OK;
}

// A list of the top, which may be left out; its objects are read one by one.
static er_result begin_list(world_reader *at, const json_t *json, const char *key, const json_t **out, size_t *count)
{
    at->list = NULL;
    *out = json_object_get(json, key);
    *count = json_array_size(*out);
    if (eri_json_is_given(*out) && !json_is_array(*out)) return wrong(at, key, "a list");
    if (*count > 10000000) return wrong(at, key, "at most ten million entries");
    at->list = key;
    return ER_OK;
}

// ---- shapes

// Rows of three numbers.
static er_result read_vertices(const world_reader *at, const json_t *array, er_solid *s)
{
    er_result r = ER_OK;
    er_vec3 *vertex;
    size_t count = json_array_size(array);
    if (!json_is_array(array) || count < 4 || count > 10000000)
        return wrong(at, "vertices", "four or more rows of three numbers");
    ERI_TRY_NEW(vertex, at->arena, er_vec3, count);
    for (size_t i = 0; i < count; ++i) {
        double x[3];
        if (!take_numbers(json_array_get(array, i), x, 3))
            return wrong(at, "vertices", "four or more rows of three numbers");
        vertex[i] = er_v3(x[0], x[1], x[2]);
    }
    s->vertex = vertex;
    s->vertex_count = (int)count;
done:
    return r;
}

static er_result read_faces(const world_reader *at, const json_t *array, er_solid *s)
{
    er_result r = ER_OK;
    int *triangle;
    size_t count = json_array_size(array);
    if (!eri_json_is_given(array)) return ER_OK;
    if (!json_is_array(array) || count < 4 || count > 10000000)
        return wrong(at, "faces", "four or more rows of three indices of vertices");
    ERI_TRY_NEW(triangle, at->arena, int, 3 * count);
    for (size_t i = 0; i < 3 * count; ++i) {
        const json_t *row = json_array_get(array, i / 3), *corner = json_array_get(row, i % 3);
        json_int_t v = json_integer_value(corner);
        if (json_array_size(row) != 3 || !json_is_integer(corner) || v < 0 || v >= s->vertex_count)
            return wrong(at, "faces", "four or more rows of three indices of vertices");
        triangle[i] = (int)v;
    }
    s->triangle = triangle;
    s->triangle_count = (int)count;
done:
    return r;
}

static er_result read_shape(const world_reader *at, const json_t *object, er_solid *s)
{
    static const char *const words[] = {"name",         "kind",        "body",           "position",
                                        "orientation",  "restitution", "friction",       "rolling",
                                        "spinning",     "grain",       "grain_friction", "surface_velocity",
                                        "surface_spin", "groups",      "ignores",        NULL},
                             *const of_hulls[] = {"vertices", "faces", NULL}, *const of_boxes[] = {"half", NULL};
    static const number_field friction = {"friction", offsetof(er_solid, friction), 0.0};
    er_result r = ER_OK;
    const json_t *restitution = json_object_get(object, "restitution");
    int kind = ER_SHAPE_HULL;
    *s = (er_solid){.body = -1, .pose = er_pose_identity(), .restitution = 1.0, .friction = 0.5};
    ERI_TRY(read_word(at, object, "kind", shapes, "hull, sphere, capsule, box, cylinder or plane", &kind));
    s->shape.kind = (er_shape_kind)kind;
    const char *const *others = kind == ER_SHAPE_HULL ? of_hulls : kind == ER_SHAPE_BOX ? of_boxes : NULL;
    ERI_TRY(check_words(at, object, words, shape_numbers, count_of_numbers(s->shape.kind), others));
    for (size_t i = 0; i < ERI_COUNT(resistances); ++i)
        ERI_TRY(read_number(at, object, &resistances[i], s));
    for (size_t i = 0; i < ERI_COUNT(shape_vectors); ++i)
        ERI_TRY(read_vec3(at, object, shape_vectors[i].key, (er_vec3 *)(void *)((char *)s + shape_vectors[i].at)));
    ERI_TRY(read_name(at, object, &s->name));
    ERI_TRY(read_index(at, object, "body", -1, at->file->model->body_count, &s->body));
    ERI_TRY(read_pose(at, object, &s->pose));
    if (eri_json_is_given(restitution)) {
        if (!is_number(restitution, 0.0) || json_number_value(restitution) > 1.0)
            return wrong(at, "restitution", "a number from 0 to 1");
        s->restitution = json_number_value(restitution);
    }
    ERI_TRY(read_number(at, object, &friction, s));
    ERI_TRY(read_bits(at, object, "groups", &s->groups));
    ERI_TRY(read_bits(at, object, "ignores", &s->ignores));
    if (kind == ER_SHAPE_HULL) {
        ERI_TRY(read_vertices(at, json_object_get(object, "vertices"), s));
        ERI_TRY(read_faces(at, json_object_get(object, "faces"), s));
        r = eri_solid_complete(at->arena, at->file->collide, s);
    } else {
        for (size_t i = 0; i < count_of_numbers(s->shape.kind); ++i)
            ERI_TRY(read_number(at, object, &shape_numbers[i], &s->shape));
        ERI_TRY(read_vec3(at, object, "half", &s->shape.half));
        r = er_shape_check(at->context, &s->shape);
    }
    if (r != ER_ERROR_ARGUMENT) goto done;
    char *why = eri_arena_string(at->arena, er_context_error(at->context));
    if (why == NULL) return ER_ERROR_MEMORY;
    return er_fail(at->context, ER_ERROR_FORMAT, "%s: %s[%zu]: %s", at->path, at->list, at->index, why);
done:
    return r;
}

static er_result read_shapes(world_reader *at, const json_t *json)
{
    er_result r = ER_OK;
    const json_t *list;
    er_solid *solid;
    size_t count;
    ERI_TRY(begin_list(at, json, "shapes", &list, &count));
    ERI_TRY_NEW(solid, at->arena, er_solid, count);
    at->file->solid = solid;
    for (at->index = 0; at->index < count; ++at->index) {
        ++at->file->solid_count;
        ERI_TRY(read_shape(at, json_array_get(list, at->index), &solid[at->index]));
    }
done:
    return r;
}

// ---- forces and motors

static er_result read_samples(const world_reader *at, const json_t *array, er_force *f)
{
    static const char expected[] = "2 to 200 rows [time, force x y z, torque x y z], times ascending";
    er_result r = ER_OK;
    er_force_sample *sample;
    size_t count = json_array_size(array);
    if (!json_is_array(array) || count < 2 || count > MOST_SAMPLES) return wrong(at, "samples", expected);
    ERI_TRY_NEW(sample, at->arena, er_force_sample, count);
    for (size_t i = 0; i < count; ++i) {
        double x[7];
        if (!take_numbers(json_array_get(array, i), x, 7) || (i > 0 && !(x[0] > sample[i - 1].time)))
            return wrong(at, "samples", expected);
        sample[i] = (er_force_sample){x[0], {x[1], x[2], x[3]}, {x[4], x[5], x[6]}};
    }
    f->sample = sample;
    f->sample_count = (int)count;
done:
    return r;
}

static er_result read_force(const world_reader *at, const json_t *object, er_force *f)
{
    static const char *const words[] = {"name", "kind", "body", "point", NULL},
                             *const names[] = {"constant", "schedule", "spring", "drag", NULL},
                             *const axes[] = {"world", "body", NULL};
    er_result r = ER_OK;
    int kind = -1, frame = 0;
    *f = er_default_force();
    ERI_TRY(read_word(at, object, "kind", names, "constant, schedule, spring or drag", &kind));
    if (kind < 0) return wrong(at, "kind", "constant, schedule, spring or drag");
    f->kind = (er_force_kind)kind;
    ERI_TRY(check_words(at, object, words, kinds[kind].numbers, kinds[kind].count, kinds[kind].others));
    ERI_TRY(read_name(at, object, &f->name));
    f->body = -1;
    ERI_TRY(read_index(at, object, "body", 0, at->file->model->body_count, &f->body));
    if (f->body < 0) return wrong(at, "body", "the index of a body");
    ERI_TRY(read_index(at, object, "other", -1, at->file->model->body_count, &f->other));
    if (f->kind == ER_FORCE_SPRING && f->other == f->body) return wrong(at, "other", "another body, or -1");
    ERI_TRY(read_vec3(at, object, "point", &f->point));
    ERI_TRY(read_vec3(at, object, "other_point", &f->other_point));
    ERI_TRY(read_vec3(at, object, "force", &f->force));
    ERI_TRY(read_vec3(at, object, "torque", &f->torque));
    ERI_TRY(read_word(at, object, "axes", axes, "world or body", &frame));
    f->body_axes = frame == 1;
    for (size_t i = 0; i < kinds[kind].count; ++i)
        ERI_TRY(read_number(at, object, &kinds[kind].numbers[i], f));
    if (f->kind == ER_FORCE_SCHEDULE) ERI_TRY(read_samples(at, json_object_get(object, "samples"), f));
done:
    return r;
}

static er_result read_forces(world_reader *at, const json_t *json)
{
    er_result r = ER_OK;
    const json_t *list;
    er_force *force;
    size_t count;
    ERI_TRY(begin_list(at, json, "forces", &list, &count));
    ERI_TRY_NEW(force, at->arena, er_force, count);
    for (at->index = 0; at->index < count; ++at->index)
        ERI_TRY(read_force(at, json_array_get(list, at->index), &force[at->index]));
    at->file->def.force_count = (int)count;
    at->file->def.force = force;
done:
    return r;
}

static er_result read_motors(world_reader *at, const json_t *json)
{
    static const char *const words[] = {"coordinate", NULL};
    er_result r = ER_OK;
    const json_t *list;
    er_motor *motor;
    size_t count;
    ERI_TRY(begin_list(at, json, "motors", &list, &count));
    ERI_TRY_NEW(motor, at->arena, er_motor, count);
    for (at->index = 0; at->index < count; ++at->index) {
        const json_t *object = json_array_get(list, at->index);
        er_motor *m = &motor[at->index];
        *m = er_default_motor();
        m->coordinate = -1;
        ERI_TRY(check_words(at, object, words, motor_numbers, ERI_COUNT(motor_numbers), NULL));
        ERI_TRY(read_index(at, object, "coordinate", 0, at->file->model->coordinate_count, &m->coordinate));
        if (m->coordinate < 0) return wrong(at, "coordinate", "the index of a free coordinate");
        for (size_t i = 0; i < ERI_COUNT(motor_numbers); ++i)
            ERI_TRY(read_number(at, object, &motor_numbers[i], m));
    }
    at->file->def.motor_count = (int)count;
    at->file->def.motor = motor;
done:
    return r;
}

// ---- ties

// A list of two indices.
static er_result read_two(const world_reader *at, const json_t *object, const char *key, int least, int count,
                          int out[2])
{
    const json_t *list = json_object_get(object, key);
    if (!eri_json_is_given(list)) return ER_OK;
    for (size_t k = 0; k < 2; ++k) {
        const json_t *value = json_array_get(list, k);
        json_int_t i = json_integer_value(value);
        if (json_array_size(list) != 2 || !json_is_integer(value) || i < least || i >= count)
            return wrong(at, key, "a list of two indices");
        out[k] = (int)i;
    }
    return ER_OK;
}

static er_result read_two_points(const world_reader *at, const json_t *object, const char *key, er_vec3 out[2])
{
    const json_t *list = json_object_get(object, key);
    if (!eri_json_is_given(list)) return ER_OK;
    for (size_t k = 0; k < 2; ++k) {
        double x[3];
        if (json_array_size(list) != 2 || !take_numbers(json_array_get(list, k), x, 3))
            return wrong(at, key, "two rows of three numbers");
        out[k] = er_v3(x[0], x[1], x[2]);
    }
    return ER_OK;
}

static er_result read_ties(world_reader *at, const json_t *json)
{
    static const char *const words[] = {"name", "kind", "body", "point", "wheel", "coordinate", NULL};
    er_result r = ER_OK;
    const json_t *list;
    er_tie *tie;
    size_t count;
    const er_model *m = at->file->model;
    ERI_TRY(begin_list(at, json, "ties", &list, &count));
    ERI_TRY_NEW(tie, at->arena, er_tie, count);
    for (at->index = 0; at->index < count; ++at->index) {
        const json_t *object = json_array_get(list, at->index);
        er_tie *t = &tie[at->index];
        int kind = ER_TIE_DISTANCE;
        *t = er_default_tie();
        ERI_TRY(check_words(at, object, words, tie_numbers, ERI_COUNT(tie_numbers), NULL));
        ERI_TRY(read_name(at, object, &t->name));
        ERI_TRY(read_word(at, object, "kind", ties, "distance, pulley or gear", &kind));
        t->kind = (er_tie_kind)kind;
        ERI_TRY(read_two(at, object, "body", -1, m->body_count, t->body));
        ERI_TRY(read_two(at, object, "coordinate", 0, m->coordinate_count, t->coordinate));
        if (t->kind == ER_TIE_GEAR && t->coordinate[0] == t->coordinate[1])
            return wrong(at, "coordinate", "two free coordinates");
        if (t->kind != ER_TIE_GEAR && t->body[0] < 0 && t->body[1] < 0) return wrong(at, "body", "a body at least");
        ERI_TRY(read_two_points(at, object, "point", t->point));
        ERI_TRY(read_two_points(at, object, "wheel", t->wheel));
        for (size_t i = 0; i < ERI_COUNT(tie_numbers); ++i)
            ERI_TRY(read_number(at, object, &tie_numbers[i], t));
    }
    at->file->def.tie_count = (int)count;
    at->file->def.tie = tie;
done:
    return r;
}

// A row [force, torque] for each joint; null: no bound.
static er_result read_breaks(const world_reader *at, const json_t *json)
{
    static const char expected[] = "a row [force, torque] for each joint, each a number above 0 or null";
    er_result r = ER_OK;
    er_joint_break *load;
    const json_t *list = json_object_get(json, "joint_break");
    size_t count = (size_t)at->file->model->joint_count;
    if (!eri_json_is_given(list)) return ER_OK;
    if (!json_is_array(list) || json_array_size(list) != count) return wrong(at, "joint_break", expected);
    ERI_TRY_NEW(load, at->arena, er_joint_break, count);
    for (size_t i = 0; i < 2 * count; ++i) {
        const json_t *row = json_array_get(list, i / 2), *value = json_array_get(row, i % 2);
        double *out = i % 2 == 0 ? &load[i / 2].force : &load[i / 2].torque;
        *out = json_is_null(value) ? HUGE_VAL : json_number_value(value);
        bool is_load = json_is_null(value) || (is_number(value, 0.0) && json_number_value(value) > 0.0);
        if (json_array_size(row) != 2 || !is_load) return wrong(at, "joint_break", expected);
    }
    at->file->def.joint_break = load;
done:
    return r;
}

// ---- state and settings

// Bodies are at the rig's equilibrium, at rest, where nothing else is said.
static er_result read_state(world_reader *at, const json_t *json)
{
    static const char *const words[] = {"position", "orientation", "twist", NULL};
    er_result r = ER_OK;
    const json_t *list;
    er_pose *pose;
    er_twist *twist;
    size_t count, bodies = (size_t)at->file->model->body_count;
    ERI_TRY(begin_list(at, json, "state", &list, &count));
    if (count != 0 && count != bodies)
        return at->list = NULL, wrong(at, "state", "an object for each body, or none at all");
    ERI_TRY_NEW(pose, at->arena, er_pose, bodies);
    ERI_TRY_NEW(twist, at->arena, er_twist, bodies);
    at->file->pose = pose;
    at->file->twist = twist;
    for (size_t b = 0; b < bodies; ++b)
        pose[b] = at->file->model->body[b].pose;
    for (at->index = 0; at->index < count; ++at->index) {
        const json_t *object = json_array_get(list, at->index), *rate = json_object_get(object, "twist");
        double x[6] = {0};
        ERI_TRY(check_words(at, object, words, NULL, 0, NULL));
        ERI_TRY(read_pose(at, object, &pose[at->index]));
        if (eri_json_is_given(rate) && !take_numbers(rate, x, 6))
            return wrong(at, "twist", "six numbers, angular and linear, along the body's axes");
        twist[at->index] = (er_twist){{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
    }
done:
    return r;
}

static er_result read_rest(const world_reader *at, const json_t *json)
{
    er_result r = ER_OK;
    double *rest;
    const json_t *value = json_object_get(json, "rest");
    size_t count = (size_t)at->file->model->coordinate_count;
    if (!eri_json_is_given(value)) return ER_OK;
    ERI_TRY_NEW(rest, at->arena, double, count);
    if (!take_numbers(value, rest, count)) return wrong(at, "rest", "a number for each free coordinate of the joints");
    at->file->def.rest = rest;
done:
    return r;
}

static er_result read_held(const world_reader *at, const json_t *json)
{
    er_result r = ER_OK;
    bool *held;
    const json_t *value = json_object_get(json, "held");
    int bodies = at->file->model->body_count;
    if (!eri_json_is_given(value)) return ER_OK;
    ERI_TRY_NEW(held, at->arena, bool, bodies);
    if (!json_is_array(value)) return wrong(at, "held", "a list of indices of bodies");
    for (size_t i = 0; i < json_array_size(value); ++i) {
        const json_t *index = json_array_get(value, i);
        json_int_t b = json_integer_value(index);
        if (!json_is_integer(index) || b < 0 || b >= bodies) return wrong(at, "held", "a list of indices of bodies");
        held[b] = true;
    }
    at->file->def.held = held;
done:
    return r;
}

// A number that null lifts.
static er_result read_drift(const world_reader *at, const json_t *json)
{
    const json_t *value = json_object_get(json, "drift_tolerance");
    if (value == NULL) return ER_OK;
    at->file->def.drift_tolerance = json_is_null(value) ? HUGE_VAL : json_number_value(value);
    if (json_is_null(value) || (is_number(value, 0.0) && json_number_value(value) > 0.0)) return ER_OK;
    return wrong(at, "drift_tolerance", "a number above 0, or null to leave joints apart");
}

// How lasting contact is solved.
static er_result read_contact(world_reader *at, const json_t *json)
{
    static const char *const words[] = {"substeps", "threads",    "iterations", "solver", "cone",
                                        "accuracy", "relaxation", "erp",        "cfm",    NULL};
    er_result r = ER_OK;
    er_contact_def *contact = &at->file->def.contact;
    er_reference_def *reference = &at->file->def.reference;
    const json_t *object = json_object_get(json, "contact");
    int solver = (int)reference->solver;
    if (!eri_json_is_given(object)) return ER_OK;
    if (!json_is_object(object)) return wrong(at, "contact", "an object");
    world_reader inside = *at;
    inside.list = "contact";
    inside.single = true;
    ERI_TRY(check_words(&inside, object, words, contact_numbers, ERI_COUNT(contact_numbers), NULL));
    for (size_t i = 0; i < ERI_COUNT(contact_wholes); ++i)
        ERI_TRY(read_whole(&inside, object, &contact_wholes[i], contact));
    for (size_t i = 0; i < ERI_COUNT(contact_numbers); ++i)
        ERI_TRY(read_number(&inside, object, &contact_numbers[i], contact));
    ERI_TRY(read_whole(&inside, object, &iterations, reference));
    for (size_t i = 0; i < ERI_COUNT(reference_numbers); ++i)
        ERI_TRY(read_number(&inside, object, &reference_numbers[i], reference));
    ERI_TRY(read_word(&inside, object, "solver", solvers, "projected or direct", &solver));
    ERI_TRY(read_flag(&inside, object, "cone", &reference->cone));
    reference->solver = (er_reference_solver)solver;
    if (reference->relaxation >= 2.0) return wrong(&inside, "relaxation", "a number above 0 and below 2");
    if (reference->erp > 1.0) return wrong(&inside, "erp", "a number from 0 to 1");
done:
    return r;
}

// Pairs of bodies.
static er_result read_apart(const world_reader *at, const json_t *json)
{
    static const char expected[] = "a list of pairs of indices of bodies, the lesser first";
    er_result r = ER_OK;
    er_body_pair *pair;
    const json_t *list = json_object_get(json, "apart");
    size_t count = json_array_size(list);
    int bodies = at->file->model->body_count;
    if (!eri_json_is_given(list)) return ER_OK;
    if (!json_is_array(list) || count > 10000000) return wrong(at, "apart", expected);
    ERI_TRY_NEW(pair, at->arena, er_body_pair, count);
    for (size_t i = 0; i < count; ++i) {
        const json_t *row = json_array_get(list, i), *first = json_array_get(row, 0), *second = json_array_get(row, 1);
        json_int_t a = json_integer_value(first), b = json_integer_value(second);
        bool sound = json_array_size(row) == 2 && json_is_integer(first) && json_is_integer(second);
        if (!sound || a < 0 || b <= a || b >= bodies) return wrong(at, "apart", expected);
        pair[i] = (er_body_pair){(int)a, (int)b};
    }
    at->file->def.apart_count = (int)count;
    at->file->def.apart = pair;
done:
    return r;
}

// Reads which bodies collide, and how friction and restitution of two materials combine.
static er_result read_meeting(const world_reader *at, const json_t *json)
{
    er_result r = ER_OK;
    er_world_def *def = &at->file->def;
    int friction = (int)def->friction_rule, restitution = (int)def->restitution_rule;
    const char *expected = "average, geometric_mean, minimum, maximum or multiply";
    ERI_TRY(read_flag(at, json, "collide_connected", &def->collide_connected));
    ERI_TRY(read_word(at, json, "friction_rule", combinations, expected, &friction));
    ERI_TRY(read_word(at, json, "restitution_rule", combinations, expected, &restitution));
    def->friction_rule = (er_combination)friction;
    def->restitution_rule = (er_combination)restitution;
done:
    return r;
}

static er_result read_settings(world_reader *at, const json_t *json)
{
    er_result r = ER_OK;
    er_world_def *def = &at->file->def;
    const json_t *duration = json_object_get(json, "duration"), *frames = json_object_get(json, "frames"),
                 *time = json_object_get(json, "time");
    int route = (int)def->route, rotation = (int)def->rotation_state, integrator = (int)def->integrator;
    if (!is_number(duration, 1e-300)) return wrong(at, "duration", "a number of seconds above 0");
    if (!json_is_integer(frames) || json_integer_value(frames) < 1 || json_integer_value(frames) > 1000000)
        return wrong(at, "frames", "a whole number from 1 to a million");
    if (eri_json_is_given(time) && !is_number(time, -HUGE_VAL)) return wrong(at, "time", "a number of seconds");
    at->file->duration = json_number_value(duration);
    at->file->frame_count = (int)json_integer_value(frames);
    at->file->time = json_number_value(time);
    ERI_TRY(read_vec3(at, json, "gravity", &def->gravity));
    ERI_TRY(read_flag(at, json, "enforce_limits", &def->enforce_limits));
    ERI_TRY(read_word(at, json, "route", routes, "reduced or multipliers", &route));
    ERI_TRY(read_word(at, json, "rotation_state", rotations, "quaternion or matrix", &rotation));
    ERI_TRY(read_word(at, json, "integrator", integrators,
                      "euler, semi_implicit, heun, rk4, fehlberg, implicit or contact", &integrator));
    def->route = (er_dynamics_route)route;
    def->rotation_state = (er_rotation_state)rotation;
    def->integrator = (er_integrator)integrator;
    for (size_t i = 0; i < ERI_COUNT(options); ++i)
        ERI_TRY(read_number(at, json, &options[i], def));
    if (def->impact_tolerance > 1e-3) return wrong(at, "impact_tolerance", "a number from 1e-13 to 1e-3");
    if (def->tolerance > 1.0) return wrong(at, "tolerance", "a number from 1e-14 to 1");
    if (def->min_step > def->max_step) return wrong(at, "min_step", "a number of at most max_step");
    ERI_TRY(read_drift(at, json));
    ERI_TRY(read_meeting(at, json));
    ERI_TRY(read_whole(at, json, &impacts, def));
    ERI_TRY(read_contact(at, json));
    ERI_TRY(read_apart(at, json));
    ERI_TRY(read_rest(at, json));
    ERI_TRY(read_held(at, json));
    ERI_TRY(read_breaks(at, json));
done:
    return r;
}

static void hear_slip(void *user, const char *text)
{
    world_reader *at = user;
    if (at->heard == ER_OK) at->heard = eri_notes_add(&at->notes, ER_NOTE_WARNING, "rig.%s", text);
}

// Other programs may add members to a rig, so only those close to one of our words bring a warning, as in rig files.
static er_result read_rig(world_reader *at, const json_t *rig)
{
    er_result r = ER_OK;
    er_model *model;
    if (!eri_json_has_format(rig, "eigenrig-rig")) return wrong(at, "rig", "a rig file, \"format\": \"eigenrig-rig\"");
    r = eri_rig_from_json(at->context, at->path, rig, &model);
    at->file->model = at->file->def.model = model;
    if (r != ER_OK) return r;
    eri_rig_warn_misspelled(rig, hear_slip, at);
    at->file->note_count = at->notes.count;
    at->file->note = at->notes.items;
    return at->heard;
}

static er_result read_head(world_reader *at, const json_t *json)
{
    static const char *const words[] = {"format",
                                        "version",
                                        "name",
                                        "rig",
                                        "gravity",
                                        "time",
                                        "duration",
                                        "frames",
                                        "enforce_limits",
                                        "route",
                                        "rotation_state",
                                        "integrator",
                                        "rest",
                                        "held",
                                        "collide",
                                        "state",
                                        "shapes",
                                        "drift_tolerance",
                                        "forces",
                                        "motors",
                                        "collide_connected",
                                        "friction_rule",
                                        "restitution_rule",
                                        "most_impacts",
                                        "contact",
                                        "apart",
                                        "ties",
                                        "joint_break",
                                        NULL};
    er_result r = ER_OK;
    if (!eri_json_has_format(json, "eigenrig-world"))
        return er_fail(at->context, ER_ERROR_FORMAT, "%s: not a world: it does not say \"format\": \"eigenrig-world\"",
                       at->path);
    if (json_integer_value(json_object_get(json, "version")) != 1)
        return er_fail(at->context, ER_ERROR_FORMAT,
                       "%s: this is not version 1 of the world file, the only one there is", at->path);
    ERI_TRY(check_words(at, json, words, options, ERI_COUNT(options), NULL));
    ERI_TRY(read_name(at, json, &at->file->name));
    ERI_TRY(read_rig(at, json_object_get(json, "rig")));
done:
    return r;
}

er_result eri_world_read_json(er_context *context, const char *path, er_world_file **out)
{
    er_result r = ER_OK;
    json_t *json = NULL;
    ERI_TRY(eri_world_file_begin(context, out));
    er_world_file *file = *out;
    world_reader at = {
        .context = context, .path = path, .arena = file->arena, .file = file, .notes = {.arena = file->arena}};
    file->collide = true;
    ERI_TRY(eri_json_read(context, path, "a world file", &json));
    ERI_TRY(read_head(&at, json));
    ERI_TRY(read_flag(&at, json, "collide", &file->collide));
    ERI_TRY(read_settings(&at, json));
    ERI_TRY(read_state(&at, json));
    ERI_TRY(read_shapes(&at, json));
    ERI_TRY(read_forces(&at, json));
    ERI_TRY(read_motors(&at, json));
    ERI_TRY(read_ties(&at, json));
done:
    json_decref(json);
    return r;
}

// ---- writing

static void put_struct(eri_json_out *out, const number_field *numbers, size_t count, const void *object)
{
    for (size_t i = 0; i < count; ++i)
        eri_json_number(out, numbers[i].key, *(const double *)(const void *)((const char *)object + numbers[i].at));
}

static void put_wholes(eri_json_out *out, const whole *numbers, size_t count, const void *object)
{
    for (size_t i = 0; i < count; ++i)
        eri_json_integer(out, numbers[i].key, *(const int *)(const void *)((const char *)object + numbers[i].at));
}

static void put_contact(eri_json_out *out, const er_contact_def *contact, const er_reference_def *reference)
{
    eri_json_open(out, "contact", '{');
    put_wholes(out, contact_wholes, ERI_COUNT(contact_wholes), contact);
    put_wholes(out, &iterations, 1, reference);
    put_struct(out, contact_numbers, ERI_COUNT(contact_numbers), contact);
    put_struct(out, reference_numbers, ERI_COUNT(reference_numbers), reference);
    eri_json_text(out, "solver", solvers[reference->solver]);
    eri_json_flag(out, "cone", reference->cone);
    eri_json_close(out, '}');
}

static void put_apart(eri_json_out *out, const er_world_def *def)
{
    if (def->apart_count > 0) eri_json_open(out, "apart", '[');
    for (int i = 0; i < def->apart_count; ++i) {
        char row[32];
        snprintf(row, sizeof row, "[%d, %d]", def->apart[i].a, def->apart[i].b);
        eri_json_word(out, NULL, row);
    }
    if (def->apart_count > 0) eri_json_close(out, ']');
}

static void put_bits(eri_json_out *out, const char *key, uint32_t bits)
{
    char text[16];
    snprintf(text, sizeof text, "%u", (unsigned)bits);
    if (bits != 0) eri_json_word(out, key, text);
}

// A file names the integrator that AUTO stands for.
static er_integrator integrator_of(const er_world_file *file)
{
    if (file->def.integrator != ER_INTEGRATE_AUTO) return file->def.integrator;
    bool has_ties = file->def.tie_count > 0 || file->def.joint_break != NULL;
    return file->def.shape_count > 0 || has_ties ? ER_INTEGRATE_CONTACT : ER_INTEGRATE_FEHLBERG;
}

static void put_bounded(eri_json_out *out, const char *key, double x)
{
    if (x < HUGE_VAL)
        eri_json_number(out, key, x);
    else if (key == NULL)
        eri_json_word(out, NULL, "null");
}

static void put_breaks(eri_json_out *out, const er_world_file *file)
{
    const er_joint_break *load = file->def.joint_break;
    if (load == NULL) return;
    eri_json_open(out, "joint_break", '[');
    for (int j = 0; j < file->model->joint_count; ++j) {
        eri_json_open(out, NULL, '[');
        put_bounded(out, NULL, load[j].force);
        put_bounded(out, NULL, load[j].torque);
        eri_json_close(out, ']');
    }
    eri_json_close(out, ']');
}

static void put_two(eri_json_out *out, const char *key, const int index[2])
{
    char text[48];
    snprintf(text, sizeof text, "[%d, %d]", index[0], index[1]);
    eri_json_word(out, key, text);
}

static void put_two_points(eri_json_out *out, const char *key, const er_vec3 point[2])
{
    eri_json_open(out, key, '[');
    for (int k = 0; k < 2; ++k)
        eri_json_vec3(out, NULL, point[k]);
    eri_json_close(out, ']');
}

static void put_tie(eri_json_out *out, const er_tie *t)
{
    eri_json_open(out, NULL, '{');
    eri_json_text(out, "name", t->name != NULL ? t->name : "");
    eri_json_text(out, "kind", ties[t->kind]);
    put_two(out, "body", t->body);
    put_two_points(out, "point", t->point);
    put_two_points(out, "wheel", t->wheel);
    put_two(out, "coordinate", t->coordinate);
    put_struct(out, tie_numbers, ERI_COUNT(tie_numbers) - 2, t);
    put_bounded(out, "most", t->most);
    put_bounded(out, "break_force", t->break_force);
    eri_json_close(out, '}');
}

static void put_settings(eri_json_out *out, const er_world_file *file)
{
    const er_world_def *def = &file->def;
    eri_json_vec3(out, "gravity", def->gravity);
    eri_json_number(out, "time", file->time);
    eri_json_number(out, "duration", file->duration);
    eri_json_integer(out, "frames", file->frame_count);
    eri_json_flag(out, "collide", file->collide);
    eri_json_flag(out, "collide_connected", def->collide_connected);
    eri_json_text(out, "friction_rule", combinations[def->friction_rule]);
    eri_json_text(out, "restitution_rule", combinations[def->restitution_rule]);
    put_apart(out, def);
    put_contact(out, &def->contact, &def->reference);
    put_wholes(out, &impacts, 1, def);
    eri_json_flag(out, "enforce_limits", def->enforce_limits);
    eri_json_text(out, "route", routes[def->route]);
    eri_json_text(out, "rotation_state", rotations[def->rotation_state]);
    eri_json_text(out, "integrator", integrators[integrator_of(file)]);
    put_struct(out, options, ERI_COUNT(options), def);
    if (def->drift_tolerance < HUGE_VAL)
        eri_json_number(out, "drift_tolerance", def->drift_tolerance);
    else
        eri_json_word(out, "drift_tolerance", "null");
    put_breaks(out, file);
    if (def->rest != NULL) eri_json_numbers(out, "rest", def->rest, file->model->coordinate_count);
    if (def->held == NULL) return;
    eri_json_open(out, "held", '[');
    for (int b = 0; b < file->model->body_count; ++b)
        if (def->held[b]) eri_json_integer(out, NULL, b);
    eri_json_close(out, ']');
}

static void put_state(eri_json_out *out, const er_world_file *file)
{
    eri_json_open(out, "state", '[');
    for (int b = 0; b < file->model->body_count; ++b) {
        er_twist v = file->twist[b];
        const double x[6] = {v.angular.x, v.angular.y, v.angular.z, v.linear.x, v.linear.y, v.linear.z};
        eri_json_open(out, NULL, '{');
        eri_json_pose(out, file->pose[b]);
        eri_json_numbers(out, "twist", x, 6);
        eri_json_close(out, '}');
    }
    eri_json_close(out, ']');
}

static void put_surface(eri_json_out *out, const er_solid *s)
{
    eri_json_open(out, "vertices", '[');
    for (int i = 0; i < s->vertex_count; ++i)
        eri_json_vec3(out, NULL, s->vertex[i]);
    eri_json_close(out, ']');
    eri_json_open(out, "faces", '[');
    for (int i = 0; i < s->triangle_count; ++i) {
        const int *corner = s->triangle + 3 * (ptrdiff_t)i;
        char row[48];
        snprintf(row, sizeof row, "[%d, %d, %d]", corner[0], corner[1], corner[2]);
        eri_json_word(out, NULL, row);
    }
    eri_json_close(out, ']');
}

static void put_shape(eri_json_out *out, const er_solid *s)
{
    eri_json_open(out, NULL, '{');
    eri_json_text(out, "name", s->name);
    eri_json_integer(out, "body", s->body);
    eri_json_pose(out, s->pose);
    eri_json_number(out, "restitution", s->restitution);
    eri_json_number(out, "friction", s->friction);
    for (size_t i = 0; i < ERI_COUNT(resistances); ++i)
        if (*(const double *)(const void *)((const char *)s + resistances[i].at) > 0.0)
            put_struct(out, &resistances[i], 1, s);
    for (size_t i = 0; i < ERI_COUNT(shape_vectors); ++i) {
        const er_vec3 *v = (const er_vec3 *)(const void *)((const char *)s + shape_vectors[i].at);
        if (er_v3_norm(*v) > 0.0) eri_json_vec3(out, shape_vectors[i].key, *v);
    }
    put_bits(out, "groups", s->groups);
    put_bits(out, "ignores", s->ignores);
    eri_json_text(out, "kind", shapes[s->shape.kind]);
    put_struct(out, shape_numbers, count_of_numbers(s->shape.kind), &s->shape);
    if (s->shape.kind == ER_SHAPE_BOX) eri_json_vec3(out, "half", s->shape.half);
    if (s->shape.kind == ER_SHAPE_HULL) put_surface(out, s);
    eri_json_close(out, '}');
}

static void put_force(eri_json_out *out, const er_force *f)
{
    eri_json_open(out, NULL, '{');
    eri_json_text(out, "name", f->name != NULL ? f->name : "");
    eri_json_text(out, "kind", kinds[f->kind].word);
    eri_json_integer(out, "body", f->body);
    eri_json_vec3(out, "point", f->point);
    put_struct(out, kinds[f->kind].numbers, kinds[f->kind].count, f);
    if (f->kind == ER_FORCE_CONSTANT || f->kind == ER_FORCE_SCHEDULE)
        eri_json_text(out, "axes", f->body_axes ? "body" : "world");
    if (f->kind == ER_FORCE_CONSTANT) {
        eri_json_vec3(out, "force", f->force);
        eri_json_vec3(out, "torque", f->torque);
    }
    if (f->kind == ER_FORCE_SPRING) {
        eri_json_integer(out, "other", f->other);
        eri_json_vec3(out, "other_point", f->other_point);
    }
    if (f->kind == ER_FORCE_SCHEDULE) {
        eri_json_open(out, "samples", '[');
        for (int i = 0; i < f->sample_count; ++i) {
            er_force_sample s = f->sample[i];
            const double x[7] = {s.time, s.force.x, s.force.y, s.force.z, s.torque.x, s.torque.y, s.torque.z};
            eri_json_numbers(out, NULL, x, 7);
        }
        eri_json_close(out, ']');
    }
    eri_json_close(out, '}');
}

// Without a bound on it, `most` is left out.
static void put_motor(eri_json_out *out, const er_motor *m)
{
    size_t count = ERI_COUNT(motor_numbers) - (m->most < HUGE_VAL ? 0 : 1);
    eri_json_open(out, NULL, '{');
    eri_json_integer(out, "coordinate", m->coordinate);
    put_struct(out, motor_numbers, count, m);
    eri_json_close(out, '}');
}

static int count_words(const char *const *words)
{
    int count = 0;
    while (words[count] != NULL)
        ++count;
    return count;
}

// A choice that is none has no word.
static er_result check_choices(er_context *context, const er_world_file *file)
{
    const er_world_def *def = &file->def;
    const struct {
        const char *field;
        int value;
        const char *const *words;
    } choice[] = {{"friction_rule", (int)def->friction_rule, combinations},
                  {"restitution_rule", (int)def->restitution_rule, combinations},
                  {"route", (int)def->route, routes},
                  {"rotation_state", (int)def->rotation_state, rotations},
                  {"integrator", (int)integrator_of(file), integrators},
                  {"contact.solver", (int)def->reference.solver, solvers}};
    for (size_t i = 0; i < ERI_COUNT(choice); ++i)
        if (choice[i].value < 0 || choice[i].value >= count_words(choice[i].words))
            return er_fail(context, ER_ERROR_ARGUMENT, "%s %d of the world is unknown", choice[i].field,
                           choice[i].value);
    for (int i = 0; i < def->apart_count; ++i)
        if (def->apart == NULL || def->apart[i].a < 0 || def->apart[i].b <= def->apart[i].a ||
            def->apart[i].b >= file->model->body_count)
            return er_fail(context, ER_ERROR_ARGUMENT, "pair %d of bodies kept apart is not the lesser first", i);
    for (int i = 0; i < file->solid_count; ++i)
        if ((int)file->solid[i].shape.kind < 0 || (int)file->solid[i].shape.kind >= count_words(shapes))
            return er_fail(context, ER_ERROR_ARGUMENT, "kind %d of solid %d is none that a file has",
                           (int)file->solid[i].shape.kind, i);
    for (int i = 0; i < def->tie_count; ++i)
        if ((int)def->tie[i].kind < 0 || (int)def->tie[i].kind >= count_words(ties))
            return er_fail(context, ER_ERROR_ARGUMENT, "kind %d of tie %d is unknown", (int)def->tie[i].kind, i);
    for (int i = 0; i < def->force_count; ++i)
        if ((int)def->force[i].kind < 0 || (size_t)def->force[i].kind >= ERI_COUNT(kinds))
            return er_fail(context, ER_ERROR_ARGUMENT, "kind %d of force %d is unknown", (int)def->force[i].kind, i);
    return ER_OK;
}

er_result eri_world_write_json(er_context *context, const er_world_file *file, const char *path)
{
    eri_json_out *out;
    er_result r = check_choices(context, file);
    if (r == ER_OK) r = eri_json_begin(context, path, &out);
    if (r != ER_OK) return r;
    eri_json_text(out, "format", "eigenrig-world");
    eri_json_integer(out, "version", 1);
    eri_json_text(out, "name", file->name);
    eri_json_open(out, "rig", '{');
    eri_rig_to_json(out, file->model);
    eri_json_close(out, '}');
    put_settings(out, file);
    put_state(out, file);
    eri_json_open(out, "shapes", '[');
    for (int i = 0; i < file->solid_count; ++i)
        put_shape(out, &file->solid[i]);
    eri_json_close(out, ']');
    eri_json_open(out, "forces", '[');
    for (int i = 0; i < file->def.force_count; ++i)
        put_force(out, &file->def.force[i]);
    eri_json_close(out, ']');
    eri_json_open(out, "motors", '[');
    for (int i = 0; i < file->def.motor_count; ++i)
        put_motor(out, &file->def.motor[i]);
    eri_json_close(out, ']');
    if (file->def.tie_count > 0) eri_json_open(out, "ties", '[');
    for (int i = 0; i < file->def.tie_count; ++i)
        put_tie(out, &file->def.tie[i]);
    if (file->def.tie_count > 0) eri_json_close(out, ']');
    return eri_json_end(out);
}
