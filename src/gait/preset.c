// Presets: mixes that are told by what they move, a tail to the sides, the trunk up and down, and made of whichever
// modes of a rig do that.
#include <string.h>

#include "base/arena.h"
#include "base/letters.h"
#include "base/number.h"
#include "gait/body/names.h"
#include "gait/stride.h"

enum { PART_TRUNK, PART_HEAD, PART_TAIL, PART_ARMS, PART_LEGS, PART_WINGS, PART_COUNT };
static const char *const part_names[PART_COUNT] = {"trunk", "head", "tail", "arms", "legs", "wings"};

enum { WAY_SIDE, WAY_UP, WAY_AHEAD, WAY_ANY, WAY_COUNT };
static const char *const way_names[WAY_COUNT] = {"side", "up", "ahead", "any"};

enum { MOST_WISHES = 32, MOST_MODES = 256, MOST_TRIES = 8, MOST_SECONDS = 600 };

#define LEAST_SCORE 0.1    // of a mode that does much else
#define LEAST_SHARE 1e-5   // of the mass, of a body that is looked at by itself
#define FARTHER 3.0        // than the part is meant to go, that anything may
#define BUCKLES 2.0        // times as far as at little degrees
#define LITTLE_DEGREES 2.0 // at which modes are looked at

/// What a component is to do.
typedef struct wish {
    int part, way, cycles;
    double percent, phase;
} wish;

typedef struct maker {
    er_context *context;
    const er_model *model;
    const er_modes *modes;
    er_gait_body *body;
    int *part;         // [body_count], what a body is of; -1 for none
    er_vec3 *middle;   // [body_count], centres of mass
    double mass;       // of all, kg
    int mode_count;    // of the slowest
    er_vec3 *moves;    // [mode_count x body_count], how centres of mass go a factor, seen from what the part hangs on
    er_vec3 *goes;     // [mode_count x body_count], the same seen from the world
    bool *seen, *used; // [mode_count]
    er_kinematics *kinematics;
    double *x;     // [width], work space
    er_pose *pose; // [body_count], likewise
} maker;

// --- parts

static bool is_below(const er_model *model, int above, int body)
{
    while (body >= 0 && body != above)
        body = model->tree_parent[body];
    return body >= 0;
}

static unsigned named_parts(const er_model *model, int body)
{
    return er_gait_read_name(model->body[body].name).parts;
}

// What names of a body, or of what it hangs on, say it is of; 0 where they say nothing.
static unsigned parts_above(const er_model *model, int body, unsigned wanted)
{
    unsigned all = 0;
    for (; body >= 0; body = model->tree_parent[body])
        all |= named_parts(model, body);
    return all & wanted;
}

static void mark(maker *m, int top, int part)
{
    for (int b = 0; b < m->model->body_count; ++b)
        if (m->part[b] < 0 && is_below(m->model, top, b)) m->part[b] = part;
}

static bool is_in_middle(const maker *m, int body)
{
    return m->body->mirror[body] == body;
}

// The body in the middle that a limb hangs on; -1: the world.
static int holder_of(const maker *m, int body)
{
    while (body >= 0 && !is_in_middle(m, body))
        body = m->model->tree_parent[body];
    return body;
}

// The end in the middle that is farthest along a direction: without names, the head is ahead and above, the tail
// behind.
static int farthest_end(const maker *m, er_vec3 along)
{
    int best = -1;
    for (int b = 0; b < m->model->body_count; ++b) {
        if (m->part[b] >= 0 || !is_in_middle(m, b)) continue;
        if (best < 0 || er_v3_dot(m->middle[b], along) > er_v3_dot(m->middle[best], along)) best = b;
    }
    return best;
}

static bool any_of(const maker *m, int part)
{
    for (int b = 0; b < m->model->body_count; ++b)
        if (m->part[b] == part) return true;
    return false;
}

// A chain to an end: up from it as long as nothing else branches off but the small.
static void mark_chain(maker *m, int end, int part)
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
static bool has_limbs(const maker *m)
{
    const unsigned limbs = ER_PART_FOOT | ER_PART_TOE | ER_PART_LEG | ER_PART_ARM | ER_PART_HAND | ER_PART_FINGER;
    unsigned all = 0;
    for (int b = 0; b < m->model->body_count; ++b)
        all |= named_parts(m->model, b);
    return (all & limbs) != 0;
}

// Without limbs, as of a fish or a snake, the last third of the body is its tail, the first sixth its head.
static void mark_lengthwise(maker *m)
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

static void find_parts(maker *m)
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
        if (parts_above(model, b, ER_PART_TAIL) != 0)
            m->part[b] = PART_TAIL;
        else if (parts_above(model, b, ER_PART_HEAD) != 0)
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

// --- what modes do to them

// Feet hold while a preset of feet plays, and so they do here: legs give, and what floats does not swing.
static er_result hold_feet(maker *m, const er_mode *slowest, er_arena *scratch)
{
    er_result r = ER_OK;
    er_hold *hold = er_arena_alloc(scratch, (size_t)m->body->foot_count, sizeof *hold);
    ER_TRY(hold != NULL ? ER_OK : ER_ERROR_MEMORY);
    for (int i = 0; i < m->body->foot_count; ++i)
        hold[i] = er_gait_hold_of(&m->body->foot[i]);
    r = er_kinematics_hold(m->kinematics, m->context, m->body->foot_count, hold, 2.0 * ER_PI * slowest->frequency_hz);
done:
    return r;
}

// The trunk is seen from the feet, all else from the body of another part that it hangs on.
static void watch(maker *m, double factor, int k)
{
    const er_pose *pose = m->pose;
    const er_model *model = m->model;
    size_t row = (size_t)k * (size_t)model->body_count;
    er_vec3 feet = {0, 0, 0};
    for (int i = 0; i < m->body->foot_count; ++i) {
        const er_gait_foot *foot = &m->body->foot[i];
        er_vec3 went = er_v3_sub(er_pose_point(pose[foot->body], foot->heel),
                                 er_pose_point(model->body[foot->body].pose, foot->heel));
        feet = er_v3_madd(feet, 1.0 / m->body->foot_count, went);
    }
    for (int b = 0; b < model->body_count; ++b) {
        int from = b;
        while (from >= 0 && m->part[from] == m->part[b])
            from = model->tree_parent[from];
        er_vec3 now = er_pose_point(pose[b], model->body[b].com), base = er_v3_add(m->middle[b], feet);
        if (m->part[b] != PART_TRUNK)
            base = from >= 0 ? er_pose_point(pose[from], er_pose_point_inverse(model->body[from].pose, m->middle[b]))
                             : m->middle[b];
        m->goes[row + (size_t)b] = er_v3_scale(1.0 / factor, er_v3_sub(now, m->middle[b]));
        m->moves[row + (size_t)b] = er_v3_scale(1.0 / factor, er_v3_sub(now, base));
    }
}

// Errors   ER_ERROR_NO_CONVERGENCE: loops, or feet, do not follow.
static er_result pose_mode(maker *m, int k, double factor)
{
    er_kinematics_mode(m->kinematics, &m->modes->mode[k], m->x);
    for (int c = 0; c < m->kinematics->width; ++c)
        m->x[c] *= factor;
    return er_kinematics_pose(m->kinematics, m->x, m->pose);
}

static er_result watch_modes(maker *m, bool planted, er_arena *scratch)
{
    er_result r = ER_OK;
    const er_mode *slowest = NULL;
    for (int k = 0; k < m->mode_count && slowest == NULL; ++k)
        if (m->modes->mode[k].kind == ER_MODE_ELASTIC) slowest = &m->modes->mode[k];
    if (slowest == NULL) return r;
    ER_TRY(er_kinematics_create(m->context, m->model, &m->kinematics));
    if (planted && m->body->foot_count > 0) ER_TRY(hold_feet(m, slowest, scratch));
    ER_TRY_NEW(m->x, scratch, double, m->kinematics->width);
    ER_TRY_NEW(m->pose, scratch, er_pose, m->model->body_count);
    for (int k = 0; k < m->mode_count; ++k) {
        const er_mode *mode = &m->modes->mode[k];
        double factor = er_pose_amplitude(m->model, mode, LITTLE_DEGREES);
        if (mode->kind != ER_MODE_ELASTIC || !(factor > 0.0)) continue;
        r = pose_mode(m, k, factor);
        m->seen[k] = r == ER_OK;
        if (r == ER_ERROR_NO_CONVERGENCE) continue;
        ER_TRY(r);
        watch(m, factor, k);
    }
    r = ER_OK;
done:
    return r;
}

static double along(const maker *m, int way, er_vec3 v)
{
    return way == WAY_SIDE    ? er_v3_dot(v, m->body->left)
           : way == WAY_UP    ? er_v3_dot(v, m->body->up)
           : way == WAY_AHEAD ? er_v3_dot(v, m->body->forward)
                              : er_v3_norm(v);
}

/// What a mode is worth for a wish.
typedef struct merit {
    double score;
    double most;    ///< m, the farthest that the part goes that way, at unit factor
    double all;     ///< m, the farthest that anything goes
    double degrees; ///< that the wish takes
    double sense;   ///< 1 or -1: which way first
} merit;

// What makes the part go as far as was asked, and nothing much farther.
static double degrees_of(const maker *m, int k, const wish *w, const merit *how)
{
    double way = 0.01 * w->percent * fmax(m->body->height, 0.5 * m->model->size),
           one = er_pose_amplitude(m->model, &m->modes->mode[k], 1.0);
    return fmin(way / how->most, FARTHER * way / how->all) / one;
}

// The part's share of all that moves, times the share of its motion that goes that way; less where something that is
// too light to count goes much farther than the part.
static merit judge(const maker *m, int k, const wish *w)
{
    double wanted = 0.0, part = 0.0, all = 0.0, sum = 0.0;
    merit out = {.sense = 1.0};
    size_t row = (size_t)k * (size_t)m->model->body_count;
    for (int b = 0; b < m->model->body_count; ++b) {
        er_vec3 goes = m->goes[row + (size_t)b], moves = m->moves[row + (size_t)b];
        double mass = m->model->body[b].mass, way = along(m, w->way, moves);
        if (m->part[b] != PART_LEGS || w->part == PART_LEGS) all += mass * er_v3_dot(moves, moves); // legs give
        if (mass > LEAST_SHARE * m->mass) out.all = fmax(out.all, er_v3_norm(goes));
        if (m->part[b] != w->part) continue;
        part += mass * er_v3_dot(moves, moves);
        wanted += mass * way * way;
        sum += mass * way;
        if (mass > LEAST_SHARE * m->mass) out.most = fmax(out.most, fabs(way));
    }
    if (!(part > 0.0) || !(all > 0.0) || !(out.most > 0.0)) return (merit){.sense = 1.0};
    out.degrees = degrees_of(m, k, w, &out);
    out.score = wanted / all * (wanted / part) * fmin(1.0, FARTHER * out.most / out.all);
    out.sense = sum < 0.0 ? -1.0 : 1.0;
    return out;
}

// Of modes that do it as well those that reach as far, and the slower: whole gestures before trembling.
static int choose(const maker *m, const wish *w, merit *best)
{
    int found = -1;
    double slowest = 0.0, score = 0.0;
    for (int k = 0; k < m->mode_count; ++k) {
        if (!m->seen[k]) continue;
        double hz = m->modes->mode[k].frequency_hz;
        if (slowest == 0.0) slowest = hz;
        merit own = judge(m, k, w);
        double reach = fmin(1.0, ER_PRESET_MOST_DEGREES / own.degrees);
        double worth = own.score * reach * slowest / hz * (m->used[k] ? 0.1 : 1.0);
        if (!(worth > score) || own.score < LEAST_SCORE) continue;
        score = worth;
        found = k;
        *best = own;
    }
    return found;
}

// Whether feet follow a mode as far as is wished, to both sides: legs that are straight cannot, or buckle.
static er_result follows(maker *m, int k, const merit *how, bool *out)
{
    double factor = er_pose_amplitude(m->model, &m->modes->mode[k], fmin(how->degrees, ER_PRESET_MOST_DEGREES));
    *out = true;
    for (int side = -1; side <= 1 && *out; side += 2) {
        er_result r = pose_mode(m, k, side * factor);
        if (r != ER_OK && r != ER_ERROR_NO_CONVERGENCE) return r;
        *out = r == ER_OK;
        for (int b = 0; b < m->model->body_count && *out; ++b)
            *out = er_v3_distance(er_pose_point(m->pose[b], m->model->body[b].com), m->middle[b]) <=
                   BUCKLES * factor * how->all;
    }
    return ER_OK;
}

// The best mode that also follows; -1: none.
static er_result find_mode(maker *m, const wish *w, merit *best, int *out)
{
    bool well = false;
    *out = -1;
    for (int tries = 0; tries < MOST_TRIES && !well; ++tries) {
        int k = choose(m, w, best);
        if (k < 0) break;
        er_result r = follows(m, k, best, &well);
        if (r != ER_OK) return r;
        if (well) *out = k;
        m->seen[k] = well;
    }
    return ER_OK;
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

static bool parse_wish(const char **at, wish *w)
{
    double number;
    *w = (wish){.cycles = 1};
    *at += strspn(*at, " ");
    if (!take_word(at, PART_COUNT, part_names, &w->part) || !take_word(at, WAY_COUNT, way_names, &w->way)) return false;
    if (!er_take_number(at, &w->percent) || !(w->percent >= 0.0 && w->percent <= 100.0)) return false;
    if (**at == '@') {
        ++*at;
        if (!er_take_number(at, &number) || number != floor(number) || !(number >= 1.0 && number <= 1000.0))
            return false;
        w->cycles = (int)number;
    }
    if (**at == '+' || **at == '-') {
        if (!er_take_number(at, &number) || !(fabs(number) <= 1e6)) return false;
        w->phase = number * ER_PI / 180.0;
    }
    *at += strspn(*at, " ");
    return **at == ',' || **at == '\0';
}

static er_result parse(er_context *context, const char *text, wish *out, int *count)
{
    *count = 0;
    for (const char *at = text;; ++at) {
        const char *word = at;
        if (*count == MOST_WISHES || !parse_wish(&at, &out[*count]))
            return er_fail(
                context, ER_ERROR_ARGUMENT,
                "\"%.*s\" is no part of a preset: PART:WAY:PERCENT[@CYCLES][+PHASE] such as tail:side:8@2+90, "
                "of trunk, head, tail, arms, legs, wings and side, up, ahead, any; %d at most",
                (int)strcspn(word, ","), word, MOST_WISHES);
        ++*count;
        if (*at == '\0') return ER_OK;
    }
}

// --- the mix

static er_mix_component component_of(const maker *m, const wish *w, int k, const merit *how)
{
    const er_mode *mode = &m->modes->mode[k];
    er_mix_component v = er_default_mix_component();
    v.mode = er_modes_index(m->modes, mode);
    v.degrees = fmin(how->degrees, ER_PRESET_MOST_DEGREES);
    v.harmonic = w->cycles;
    v.phase = w->phase + (how->sense < 0.0 ? ER_PI : 0.0);
    v.shape_hz = mode->frequency_hz;
    v.shape = mode->body;
    return v;
}

// None of the parts is there, or none goes as is wished.
static er_result fail_parts(const maker *m, const char *name, int count, const wish *wishes)
{
    for (int i = 0; i < count; ++i)
        if (any_of(m, wishes[i].part))
            return er_fail(m->context, ER_ERROR_RIG, "preset %s: no mode of the rig moves its %s %s well enough", name,
                           part_names[wishes[i].part],
                           (const char *[]){"to the side", "up", "ahead", "at all"}[wishes[i].way]);
    return er_fail(m->context, ER_ERROR_RIG, "preset %s: the rig has no %s", name, part_names[wishes[0].part]);
}

static er_result make_room(er_arena *arena, maker *m)
{
    er_result r = ER_OK;
    int n = m->model->body_count;
    ER_TRY_NEW(m->part, arena, int, n);
    ER_TRY_NEW(m->middle, arena, er_vec3, n);
    m->mode_count = m->modes->count < MOST_MODES ? m->modes->count : MOST_MODES;
    ER_TRY_NEW(m->moves, arena, er_vec3, (size_t)n * (size_t)m->mode_count);
    ER_TRY_NEW(m->goes, arena, er_vec3, (size_t)n * (size_t)m->mode_count);
    ER_TRY_NEW(m->used, arena, bool, m->mode_count);
    ER_TRY_NEW(m->seen, arena, bool, m->mode_count);
    for (int b = 0; b < n; ++b) {
        m->middle[b] = er_pose_point(m->model->body[b].pose, m->model->body[b].com);
        m->mass += m->model->body[b].mass;
    }
done:
    return r;
}

// Small bodies are quick, as pendulums are, by the gravity of their size.
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
    wish wishes[MOST_WISHES];
    er_mix_component component[MOST_WISHES];
    maker m = {.context = context, .model = model, .modes = modes};
    int count, made = 0;
    ER_TRY(parse(context, preset->moves, wishes, &count));
    ER_TRY(er_arena_create(context, &scratch));
    ER_TRY(er_gait_body_read(context, model, rig, def, &m.body));
    ER_TRY(make_room(scratch, &m));
    find_parts(&m);
    ER_TRY(watch_modes(&m, preset->plant == NULL || strcmp(preset->plant, "none") != 0, scratch));
    for (int i = 0; i < count; ++i) {
        merit how = {0};
        int k = -1;
        if (any_of(&m, wishes[i].part)) ER_TRY(find_mode(&m, &wishes[i], &how, &k));
        if (k < 0) continue;
        m.used[k] = true;
        component[made++] = component_of(&m, &wishes[i], k, &how);
    }
    if (made == 0) ER_TRY(fail_parts(&m, preset->name, count, wishes));
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
    er_arena_destroy(scratch);
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
    for (size_t i = 0; i < ER_COUNT(presets); ++i)
        if (name != NULL && er_same_letters(presets[i].name, name)) return &presets[i];
    return NULL;
}
