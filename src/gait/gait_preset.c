// Presets: mixes described by the parts that they move, made of the modes of a rig that move them so.
#include <string.h>

#include "base/arena.h"
#include "base/letters.h"
#include "base/number.h"
#include "gait/gesture.h"
#include "rig/mirror/bone_names.h"

static const char *const part_names[PART_COUNT] = {"trunk", "head", "tail", "arms", "legs", "wings"};
static const char *const way_names[WAY_COUNT] = {"side", "up", "ahead", "any"};

enum { MOST_GOALS = 32, MOST_MODES = 256, MOST_SECONDS = 600 };

// --- parts

static bool is_below(const er_model *model, int above, int body)
{
    while (body >= 0 && body != above)
        body = model->tree_parent[body];
    return body >= 0;
}

static unsigned named_parts(const er_model *model, int body)
{
    return eri_read_bone_name(model->body[body].name).parts;
}

// The wanted parts that the names of a body and its ancestors tell; 0 for none.
static unsigned parts_above(const er_model *model, int body, unsigned wanted)
{
    unsigned all = 0;
    for (; body >= 0; body = model->tree_parent[body])
        all |= named_parts(model, body);
    return all & wanted;
}

static void mark(eri_gesture_search *m, int top, int part)
{
    for (int b = 0; b < m->model->body_count; ++b)
        if (m->part[b] < 0 && is_below(m->model, top, b)) m->part[b] = part;
}

static bool is_in_middle(const eri_gesture_search *m, int body)
{
    return m->body->mirror[body] == body;
}

// The body in the middle that a limb hangs on, or -1 for the world.
static int holder_of(const eri_gesture_search *m, int body)
{
    while (body >= 0 && !is_in_middle(m, body))
        body = m->model->tree_parent[body];
    return body;
}

// The end in the middle farthest along a direction. Without names the head is in front and above, the tail behind.
static int farthest_end(const eri_gesture_search *m, er_vec3 along)
{
    int best = -1;
    for (int b = 0; b < m->model->body_count; ++b) {
        if (m->part[b] >= 0 || !is_in_middle(m, b)) continue;
        if (best < 0 || er_v3_dot(m->middle[b], along) > er_v3_dot(m->middle[best], along)) best = b;
    }
    return best;
}

static bool any_of(const eri_gesture_search *m, int part)
{
    for (int b = 0; b < m->model->body_count; ++b)
        if (m->part[b] == part) return true;
    return false;
}

// The chain that leads to an end, up to the first branch that is not small.
static void mark_chain(eri_gesture_search *m, int end, int part)
{
    const er_model *model = m->model;
    int top = end;
    for (int up = model->tree_parent[end]; up >= 0 && model->tree_parent[up] >= 0; up = model->tree_parent[up]) {
        int branches = 0;
        for (int b = 0; b < model->body_count; ++b)
            branches += model->tree_parent[b] == up;
        if (branches > 1) break;
        top = up;
    }
    mark(m, top, part);
}

// Whether names tell of limbs: a hand has no tail.
static bool has_limbs(const eri_gesture_search *m)
{
    const unsigned limbs = ERI_PART_FOOT | ERI_PART_TOE | ERI_PART_LEG | ERI_PART_ARM | ERI_PART_HAND | ERI_PART_FINGER;
    unsigned all = 0;
    for (int b = 0; b < m->model->body_count; ++b)
        all |= named_parts(m->model, b);
    return (all & limbs) != 0;
}

// Without limbs (fish, snakes) the last third of the body is its tail, and the first sixth its head.
static void mark_lengthwise(eri_gesture_search *m)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int b = 0; b < m->model->body_count; ++b) {
        low = fmin(low, er_v3_dot(m->middle[b], m->body->forward));
        high = fmax(high, er_v3_dot(m->middle[b], m->body->forward));
    }
    for (int b = 0; b < m->model->body_count; ++b) {
        double at = (er_v3_dot(m->middle[b], m->body->forward) - low) / fmax(high - low, 1e-12);
        if (m->part[b] < 0 && at < 1.0 / 3.0 && !any_of(m, PART_TAIL)) m->part[b] = PART_COUNT;
        if (m->part[b] < 0 && at > 5.0 / 6.0 && !any_of(m, PART_HEAD)) m->part[b] = PART_COUNT + 1;
    }
    for (int b = 0; b < m->model->body_count; ++b)
        if (m->part[b] >= PART_COUNT) m->part[b] = m->part[b] == PART_COUNT ? PART_TAIL : PART_HEAD;
}

static void find_parts(eri_gesture_search *m)
{
    const er_model *model = m->model;
    const er_gait_body *body = m->body;
    for (int b = 0; b < model->body_count; ++b)
        m->part[b] = -1;
    for (int i = 0; i < body->foot_count; ++i) {
        const er_gait_foot *foot = &body->foot[i];
        int top = foot->body;
        for (int k = 1; k < foot->joint_count; ++k)
            top = model->tree_parent[top];
        mark(m, top, PART_LEGS);
        mark(m, foot->sole, PART_LEGS);
    }
    for (int i = 0; i < body->wing_count; ++i)
        mark(m, body->wing[i].body, PART_WINGS);
    for (int b = 0; b < model->body_count; ++b) {
        if (m->part[b] >= 0) continue;
        if (parts_above(model, b, ERI_PART_TAIL) != 0)
            m->part[b] = PART_TAIL;
        else if (parts_above(model, b, ERI_PART_HEAD) != 0)
            m->part[b] = PART_HEAD;
    }
    if (body->foot_count == 0 && body->wing_count == 0 && !has_limbs(m)) mark_lengthwise(m);
    if (!any_of(m, PART_HEAD)) {
        int end = farthest_end(m, er_v3_add(body->up, er_v3_scale(body->foot_count > 2 ? 1.0 : 0.2, body->forward)));
        if (end >= 0 && model->tree_parent[end] >= 0) mark_chain(m, end, PART_HEAD);
    }
    for (int b = 0; b < model->body_count; ++b) { // limbs to the sides
        if (m->part[b] >= 0 || is_in_middle(m, b)) continue;
        int holder = holder_of(m, b);
        m->part[b] = holder >= 0 && m->part[holder] >= 0 ? m->part[holder] : PART_ARMS;
    }
    for (int b = 0; b < model->body_count; ++b)
        if (m->part[b] < 0) m->part[b] = PART_TRUNK;
}

// --- words

static bool take_word(const char **at, int count, const char *const *names, int *out)
{
    size_t length = strcspn(*at, ":");
    for (*out = 0; *out < count; ++*out)
        if (strlen(names[*out]) == length && strncmp(*at, names[*out], length) == 0) break;
    *at += length;
    return *out < count && *(*at)++ == ':';
}

static bool parse_wish(const char **at, eri_gesture_goal *w)
{
    double number;
    *w = (eri_gesture_goal){.cycles = 1};
    *at += strspn(*at, " ");
    if (!take_word(at, PART_COUNT, part_names, &w->part) || !take_word(at, WAY_COUNT, way_names, &w->way)) return false;
    if (!eri_take_number(at, &w->percent) || !(w->percent >= 0.0 && w->percent <= 100.0)) return false;
    if (**at == '@') {
        ++*at;
        if (!eri_take_number(at, &number) || number != floor(number) || !(number >= 1.0 && number <= 1000.0))
            return false;
        w->cycles = (int)number;
    }
    if (**at == '+' || **at == '-') {
        if (!eri_take_number(at, &number) || !(fabs(number) <= 1e6)) return false;
        w->phase = number * ER_PI / 180.0;
    }
    *at += strspn(*at, " ");
    return **at == ',' || **at == '\0';
}

static er_result parse(er_context *context, const char *text, eri_gesture_goal *out, int *count)
{
    *count = 0;
    for (const char *at = text;; ++at) {
        const char *word = at;
        if (*count == MOST_GOALS || !parse_wish(&at, &out[*count]))
            return er_fail(
                context, ER_ERROR_ARGUMENT,
                "\"%.*s\" is no part of a preset: PART:WAY:PERCENT[@CYCLES][+PHASE] such as tail:side:8@2+90, "
                "of trunk, head, tail, arms, legs, wings and side, up, ahead, any; %d at most",
                (int)strcspn(word, ","), word, MOST_GOALS);
        ++*count;
        if (*at == '\0') return ER_OK;
    }
}

// --- the mix

static er_mix_component component_of(const eri_gesture_search *m, const eri_gesture_goal *w, const eri_gesture *g,
                                     int i, const eri_gesture_fit *how)
{
    const er_mode *mode = &m->modes->mode[g->mode[i]];
    er_mix_component v = er_default_mix_component();
    v.mode = er_modes_index(m->modes, mode);
    v.degrees = eri_gesture_degrees(m, g, i, how);
    v.harmonic = w->cycles;
    v.phase = remainder(w->phase + (how->sense * g->factor[i] < 0.0 ? ER_PI : 0.0), 2.0 * ER_PI);
    v.shape_hz = mode->frequency_hz;
    v.shape = mode->body;
    return v;
}

// Reports that the rig has none of the parts, or that no mode moves them.
static er_result fail_parts(const eri_gesture_search *m, const char *name, int count, const eri_gesture_goal *goals)
{
    for (int i = 0; i < count; ++i)
        if (any_of(m, goals[i].part))
            return er_fail(m->context, ER_ERROR_RIG, "preset %s: no mode of the rig moves its %s %s well enough", name,
                           part_names[goals[i].part],
                           (const char *[]){"to the side", "up", "ahead", "at all"}[goals[i].way]);
    return er_fail(m->context, ER_ERROR_RIG, "preset %s: the rig has no %s", name, part_names[goals[0].part]);
}

static er_result make_room(er_arena *arena, eri_gesture_search *m)
{
    er_result r = ER_OK;
    int n = m->model->body_count;
    ERI_TRY_NEW(m->part, arena, int, n);
    ERI_TRY_NEW(m->middle, arena, er_vec3, n);
    m->mode_count = m->modes->count < MOST_MODES ? m->modes->count : MOST_MODES;
    ERI_TRY_NEW(m->moves, arena, er_vec3, (size_t)n * (size_t)m->mode_count);
    ERI_TRY_NEW(m->goes, arena, er_vec3, (size_t)n * (size_t)m->mode_count);
    ERI_TRY_NEW(m->used, arena, bool, m->mode_count);
    ERI_TRY_NEW(m->seen, arena, bool, m->mode_count);
    for (int b = 0; b < n; ++b) {
        m->middle[b] = er_pose_point(m->model->body[b].pose, m->model->body[b].com);
        m->mass += m->model->body[b].mass;
    }
done:
    return r;
}

// The cycle scales like a pendulum's period.
static double pace(const er_gait_body *body)
{
    return fmin(fmax(sqrt(body->height / 1.7 * 9.81 / body->gravity), 0.6), 1.6);
}

er_result er_preset_mix(er_context *context, const er_model *model, const er_rig *rig, const er_modes *modes,
                        const er_gait_def *def, const er_preset *preset, er_mix **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (model == NULL || modes == NULL || preset == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "er_preset_mix needs a model, its modes and a preset");
    if (preset->name == NULL || preset->moves == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "a preset needs a name and what it moves");
    if (!(preset->seconds > 0.0 && preset->seconds <= MOST_SECONDS))
        return er_fail(context, ER_ERROR_ARGUMENT, "preset %s: %g seconds are not between 0 and %d", preset->name,
                       preset->seconds, MOST_SECONDS);
    er_result r = ER_OK;
    er_arena *scratch = NULL;
    eri_gesture_goal goals[MOST_GOALS];
    er_mix_component component[MOST_GOALS * ERI_GESTURE_MOST_TOGETHER];
    eri_gesture_search m = {.context = context, .model = model, .modes = modes};
    int count, made = 0;
    ERI_TRY(parse(context, preset->moves, goals, &count));
    ERI_TRY(eri_arena_create(context, &scratch));
    ERI_TRY(er_gait_body_read(context, model, rig, def, &m.body));
    ERI_TRY(make_room(scratch, &m));
    find_parts(&m);
    ERI_TRY(eri_gesture_sample_modes(&m, preset->plant == NULL || strcmp(preset->plant, "none") != 0, scratch));
    for (int i = 0; i < count; ++i) {
        eri_gesture_fit how = {0};
        eri_gesture g = {0};
        if (any_of(&m, goals[i].part)) ERI_TRY(eri_gesture_find(&m, &goals[i], &how, &g));
        if (g.count > 0) m.used[g.mode[0]] = true;
        for (int k = 0; k < g.count; ++k)
            component[made++] = component_of(&m, &goals[i], &g, k, &how);
    }
    if (made == 0) ERI_TRY(fail_parts(&m, preset->name, count, goals));
    r = er_mix_create(context,
                      &(er_mix){.name = preset->name,
                                .cycle = preset->seconds * pace(m.body),
                                .body_count = model->body_count,
                                .size = model->size,
                                .component_count = made,
                                .component = component},
                      out);
done:
    er_kinematics_destroy(m.kinematics);
    er_gait_body_destroy(m.body);
    eri_arena_destroy(scratch);
    return r;
}

const er_preset *er_preset_named(const char *name)
{
    static const er_preset presets[] = {
        {"idle", 7.0, "feet",
         "trunk:side:1.8@1,trunk:ahead:0.7@2+60,head:side:1@1-70,tail:side:4@2+40,arms:any:1@2+100"},
        {"breathe", 4.0, "feet", "trunk:ahead:0.5@1,trunk:up:0.35@1+20,head:up:0.4@1+60,arms:any:0.8@1+40"},
        {"wag", 1.2, "feet", "tail:side:14@2"},
        {"sway", 3.5, "feet", "trunk:side:4@1,head:side:1.5@1-60"},
        {"nervous", 3.0, "feet",
         "trunk:side:0.5@11,head:side:1@7+50,head:up:0.7@10+130,trunk:ahead:0.4@8+200,tail:side:2@13,arms:any:0.7@12+"
         "80"}};
    for (size_t i = 0; i < ERI_COUNT(presets); ++i)
        if (name != NULL && eri_same_letters(presets[i].name, name)) return &presets[i];
    return NULL;
}
