// Characters that walk: their walkers, the ground that they see, and steps under control.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/engine/engine_inside.h"
#include "base/failure.h"

#define LIGHT 0.02   // of a walker's mass: lighter actors that move are no ground
#define UPRIGHT 1e-6 // between a walker's up and gravity, 1 - cosine
#define GRIPS 0.9    // of its material's friction that a walker counts on
#define MOST_GRIP 0.6
#define FITS 0.08 // legs: a gait that is so near is changed to at once;
#define LETS 0.12 // and so much is added for each stride of waiting

// Speeds at which animals change their gait, as Froude numbers v^2 / (g leg): walk to trot or run at 0.5 (Alexander,
// Optimization and gaits in the locomotion of vertebrates, 1989); trot to canter or gallop between 2 and 3 (Alexander &
// Jayes, A dynamic similarity hypothesis for the gaits of quadrupedal mammals, 1983).
static const double changes[2] = {0.5, 2.5};

#define HYSTERESIS 1.1 // factor on a speed of change on the way up; over it on the way down
#define FASTER 1.2     // times a gait's own speed: a faster kind takes over there at the latest
#define FASTEST 1.5    // times a gait's own speed: no gait that is chosen by speed goes faster
#define CALM 2.0       // strides between two changes by speed

/// The ground as a walker sees it.
typedef struct engine_footing {
    engine *e;
    int character;
    double mass;   ///< kg, of the walker
    double leg;    ///< m, of the walker
    double floor;  ///< m, the ground's height where there is nothing
    double deep;   ///< m, as far as it looks down
    er_vec3 place; ///< the rest of what a later gait needs
    er_quat turn;
    double weight;
    int material;
} engine_footing;

// ---- The ground

static bool is_ground(const engine_footing *f, const engine_actor *a)
{
    bool moves = a->motion == ENGINE_DYNAMIC;
    if (!a->active || a->sensor || a->character == f->character) return false;
    return !moves || (a->character == 0 && a->mass > LIGHT * f->mass);
}

// The first solid below a point.
static double ground_below(void *user, er_vec3 at, er_vec3 *normal)
{
    const engine_footing *f = user;
    double least = f->deep;
    er_vec3 down = er_v3(0, -1, 0);
    for (int i = 0; i < f->e->actor_count; ++i) {
        const engine_actor *a = &f->e->actor[i].state;
        if (!is_ground(f, a)) continue;
        for (int k = 0; k < a->part_count; ++k) {
            double distance;
            er_vec3 face;
            er_pose pose = er_pose_mul(a->pose, a->part[k].pose);
            if (a->part[k].passes || !er_shape_ray(&a->part[k].shape, pose, at, down, least, &distance, &face) ||
                !(face.y > 0.0))
                continue;
            least = distance;
            *normal = face;
        }
    }
    return least < f->deep ? at.y - least : f->floor;
}

// ---- Walkers

static engine_character *character_of(engine *e, int id)
{
    return (engine_character *)(uintptr_t)engine_find_character(e, id);
}

er_walker *engine_walker(engine *e, int id)
{
    const engine_character *c = character_of(e, id);
    return c != NULL ? engine_walker_of(c) : NULL;
}

static int rank_of(er_gait_family family)
{
    switch (family) {
    case ER_GAIT_RUN:
    case ER_GAIT_TROT:
    case ER_GAIT_PACE:
    case ER_GAIT_HOP:
    case ER_GAIT_SKIP:
        return 1;
    case ER_GAIT_BOUND:
    case ER_GAIT_CANTER:
    case ER_GAIT_GALLOP:
    case ER_GAIT_PRONK:
        return 2;
    default:
        return 0;
    }
}

// Adds a walker by a definition at the model's own size.
static er_result add_walker(engine *e, engine_character *c, const er_walker_def *own, er_gait_family family)
{
    engine_footing *f = c->footing;
    double g = er_v3_norm(e->settings.gravity), s = c->scale, slower = g / own->body->gravity;
    er_walker_def def = *own;
    er_walker **list = realloc(c->walker, ((size_t)c->walker_count + 1) * sizeof *list);
    if (list == NULL) return eri_no_memory_for(e->context, "a walker");
    c->walker = list;
    engine_gait_pace *pace = realloc(c->pace, ((size_t)c->walker_count + 1) * sizeof *pace);
    if (pace == NULL) return eri_no_memory_for(e->context, "a walker");
    c->pace = pace;
    if (!(g > 0.0)) return er_fail(e->context, ER_ERROR_ARGUMENT, "a walker needs gravity, and the scene has none");
    def.place = (er_pose){f->turn, f->place};
    def.scale = s;
    def.weight = f->weight;
    def.gravity = g;
    def.speed *= sqrt(s * slower);
    def.hz *= sqrt(slower / s);
    def.ground = ground_below;
    def.user = f;
    def.friction = fmax(fmin(MOST_GRIP, GRIPS * e->material[f->material].friction), 1e-3);
    pace[c->walker_count] = (engine_gait_pace){def.speed, rank_of(family)};
    er_result r = er_walker_create(e->context, &def, &c->walker[c->walker_count]);
    if (r == ER_OK) c->walker_count++;
    return r;
}

er_result engine_begin_walk(engine *e, const engine_character_def *def, engine_character *c, er_pose *pose,
                            er_twist *twist)
{
    double s = def->scale, high = s * def->walker->body->height;
    er_vec3 up = er_q_rotate(def->place.q, def->walker->body->up);
    if (er_v3_dot(up, er_v3_unit(e->settings.gravity, er_v3(0, 0, 0))) > UPRIGHT - 1.0)
        return er_fail(e->context, ER_ERROR_ARGUMENT,
                       "character \"%s\" does not stand upright in the scene's gravity, so it cannot walk",
                       def->name != NULL ? def->name : "");
    c->footing = malloc(sizeof *c->footing);
    if (c->footing == NULL) return eri_no_memory_for(e->context, "a walker");
    *c->footing = (engine_footing){.e = e,
                                   .character = c->id,
                                   .leg = s * def->walker->body->leg,
                                   .floor = def->place.p.y,
                                   .deep = 3.0 * high,
                                   .place = def->place.p,
                                   .turn = def->place.q,
                                   .weight = def->weight,
                                   .material = def->material};
    for (int b = 0; b < def->model->body_count; ++b)
        c->footing->mass += s * s * s * def->weight * def->model->body[b].mass;
    er_result r = add_walker(e, c, def->walker, def->family);
    if (r != ER_OK) return r;
    er_walker *w = c->walker[0];
    c->walking = 0;
    er_walker_place(w, er_v3_madd(def->place.p, high, up), 0.0, def->stands ? -1.0 : er_walker_calm_phase(w), pose,
                    twist);
    return r;
}

er_result engine_add_walker(engine *e, int id, const er_walker_def *def, er_gait_family family, int *index)
{
    engine_character *c = character_of(e, id);
    *index = -1;
    if (c == NULL || c->footing == NULL)
        return er_fail(e->context, ER_ERROR_ARGUMENT, "there is no character %d that walks", id);
    er_result r = add_walker(e, c, def, family);
    if (r == ER_OK) *index = c->walker_count - 1;
    return r;
}

er_result engine_walk(engine *e, int id, int index)
{
    engine_character *c = character_of(e, id);
    if (c == NULL || engine_walker_of(c) == NULL || index < 0 || index >= c->walker_count)
        return er_fail(e->context, ER_ERROR_ARGUMENT, "character %d does not walk, or has no gait %d", id, index);
    c->next_walking = index != c->walking ? index : -1;
    c->asked = engine_time(e);
    c->by_speed = false;
    return ER_OK;
}

static double length_of(er_walker_wish wish)
{
    return hypot(wish.ahead, wish.aside);
}

// Asks the present walker for the wish, as far as a gait that is chosen by speed goes.
static er_result pass_wish(const engine_character *c)
{
    er_walker_wish wish = c->wish;
    double fast = length_of(wish), most = FASTEST * c->pace[c->walking].speed, part = fast > most ? most / fast : 1.0;
    wish.ahead *= part;
    wish.aside *= part;
    return er_walker_go(engine_walker_of(c), wish);
}

er_result engine_go(engine *e, int id, er_walker_wish wish, bool by_speed)
{
    engine_character *c = character_of(e, id);
    double fastest = 0.0;
    if (c == NULL || engine_walker_of(c) == NULL)
        return er_fail(e->context, ER_ERROR_ARGUMENT, "character %d does not walk", id);
    for (int i = 0; i < c->walker_count; ++i)
        fastest = fmax(fastest, c->pace[i].speed);
    if (by_speed && !(length_of(wish) <= 3.0 * fastest))
        return er_fail(e->context, ER_ERROR_ARGUMENT, "the wish is faster than %g m/s, three times its fastest gait",
                       3.0 * fastest);
    er_walker_wish before = c->wish;
    c->wish = wish;
    er_result r = by_speed ? pass_wish(c) : er_walker_go(engine_walker_of(c), wish);
    if (r == ER_OK)
        c->by_speed = by_speed;
    else
        c->wish = before;
    return r;
}

void engine_free_walkers(engine_character *c)
{
    for (int i = 0; i < c->walker_count; ++i)
        er_walker_destroy(c->walker[i]);
    free(c->walker);
    free(c->pace);
    free(c->footing);
}

// ---- The world

int engine_walker_parts(const engine *e)
{
    double least = e->settings.step;
    for (int i = 0; i < e->character_count; ++i)
        for (int k = 0; k < e->character[i].walker_count; ++k)
            least = fmin(least, er_walker_step(e->character[i].walker[k]));
    return (int)ceil(e->settings.step / least - 1e-9);
}

int engine_walker_motors(const engine *e)
{
    int sum = 0, count;
    for (int i = 0; i < e->character_count; ++i) {
        const er_walker *w = engine_walker_of(&e->character[i]);
        if (w != NULL && er_walker_motors(w, &count) != NULL) sum += count;
    }
    return sum;
}

// The places of a character's bones and joints in the world; false if one of them is not there.
static bool find_places(engine *e, const engine_character *c, int *first, int *coordinate)
{
    *first = 0;
    for (int b = 0; b < c->model->body_count; ++b) {
        const actor *a = engine_actor_of(e, c->actor[b]);
        if (a == NULL || a->body < 0 || a->state.motion != ENGINE_DYNAMIC) return false;
        if (b == 0) *first = a->body;
        if (a->body != *first + b) return false;
    }
    for (int k = 0; k < c->model->joint_count; ++k) {
        const joint *j = engine_joint_of(e, c->joint[k]);
        coordinate[k] = j != NULL ? j->coordinate : 0;
        if (c->model->joint[k].parent >= 0 && (j == NULL || j->index < 0)) return false;
    }
    return true;
}

int engine_bind_walkers(engine *e, er_motor *out)
{
    double step = e->settings.step / engine_walker_parts(e);
    int written = 0;
    for (int i = 0; i < e->character_count; ++i) {
        engine_character *c = &e->character[i];
        if (c->walking < 0) continue;
        int first, count, *coordinate = malloc(((size_t)c->model->joint_count + 1) * sizeof *coordinate);
        if (coordinate == NULL || !find_places(e, c, &first, coordinate)) {
            c->walking = -1;
            free(coordinate);
            continue;
        }
        er_walker_bind(engine_walker_of(c), first, coordinate, step);
        free(coordinate);
        const er_motor *motor = er_walker_motors(engine_walker_of(c), &count);
        memcpy(out + written, motor, (size_t)count * sizeof *motor);
        written += count;
    }
    return written;
}

// ---- A step

static er_result note_fall(engine *e, const engine_character *c, er_walker_fall before)
{
    er_walker_state now = er_walker_measure(engine_walker_of(c));
    if (before != ER_WALKER_UPRIGHT || now.fallen == ER_WALKER_UPRIGHT) return ER_OK;
    if (!engine_grow(&e->fall, &e->fall_room, e->fall_count, sizeof *e->fall))
        return eri_no_memory_for(e->context, "a fall");
    e->fall[e->fall_count++] = (engine_fall_event){c->id, now.fallen, now.touches >= 0 ? c->actor[now.touches] : 0};
    return ER_OK;
}

// The speed at which gaits above a rank begin, m/s.
static double change_speed(const engine *e, const engine_character *c, int rank)
{
    double slower = 0.0, own = sqrt(changes[rank] * er_v3_norm(e->settings.gravity) * c->footing->leg);
    for (int i = 0; i < c->walker_count; ++i)
        if (c->pace[i].rank <= rank) slower = fmax(slower, c->pace[i].speed);
    return slower > 0.0 ? fmin(own, FASTER * slower) : own;
}

// How badly a gait suits a speed for which gaits of a rank are meant.
static double unfitness(engine_gait_pace pace, double speed, int rank)
{
    double off = fabs(log(fmax(speed, 0.1 * pace.speed) / pace.speed));
    return (speed > FASTEST * pace.speed ? 100.0 : 0.0) + 10.0 * abs(pace.rank - rank) + off;
}

// Asks for another gait where the speed has left the range of the present one.
static void choose_gait(const engine *e, engine_character *c)
{
    const er_walker *w = engine_walker_of(c);
    er_walker_state now = er_walker_measure(w);
    if (c->next_walking >= 0 || now.stands || now.fallen != ER_WALKER_UPRIGHT) return;
    if (engine_time(e) - c->asked < CALM * er_walker_stride(w)) return;
    int rank = 0, present = c->pace[c->walking].rank, best = c->walking;
    double speed = hypot(now.velocity.x, now.velocity.z);
    for (int k = 0; k < 2; ++k)
        rank += speed > change_speed(e, c, k) * (present <= k ? HYSTERESIS : 1.0 / HYSTERESIS);
    for (int i = 0; i < c->walker_count && rank != present; ++i)
        if (unfitness(c->pace[i], speed, rank) < unfitness(c->pace[best], speed, rank)) best = i;
    if (best == c->walking) return;
    c->next_walking = best;
    c->asked = engine_time(e);
}

// Changes a gait where the next one fits, which is the less asked of it the longer that takes.
static void change_gait(engine *e, engine_character *c)
{
    const er_walker *now = engine_walker_of(c);
    if (now == NULL || c->next_walking < 0) return;
    double waited = engine_time(e) - c->asked, tolerance = FITS + LETS * waited / er_walker_stride(now);
    if (!er_walker_take_over(c->walker[c->next_walking], now, e->world, tolerance)) return;
    c->walking = c->next_walking;
    c->next_walking = -1;
    c->asked = engine_time(e);
}

static er_result steer(engine *e, engine_character *c)
{
    bool chooses = c->by_speed && engine_walker_of(c) != NULL;
    if (chooses) choose_gait(e, c);
    change_gait(e, c);
    return chooses ? pass_wish(c) : ER_OK;
}

static er_result control(engine *e)
{
    er_result r = ER_OK;
    for (int i = 0; i < e->character_count && r == ER_OK; ++i) {
        const engine_character *c = &e->character[i];
        er_walker *w = engine_walker_of(c);
        if (w == NULL) continue;
        er_walker_fall before = er_walker_measure(w).fallen;
        const actor *bone = engine_actor_of(e, c->actor[0]);
        if (before == ER_WALKER_UPRIGHT) r = er_world_wake(e->world, bone->body);
        if (r == ER_OK) r = er_walker_control(w, e->world);
        if (r == ER_OK) r = note_fall(e, c, before);
    }
    return r;
}

er_result engine_advance(engine *e, long *parts)
{
    int count = engine_walker_parts(e);
    double from = engine_time(e), step = e->settings.step;
    er_result r = ER_OK;
    *parts = 0;
    for (int i = 0; i < e->character_count && r == ER_OK; ++i)
        r = steer(e, &e->character[i]);
    for (int k = 1; k <= count && r == ER_OK; ++k) {
        er_world_report report = {0};
        r = control(e);
        if (r == ER_OK) r = er_world_advance(e->world, k < count ? from + step * k / count : from + step, &report);
        *parts += report.steps;
    }
    if (*parts == 0) *parts = 1;
    return r;
}

int engine_fall_event_count(const engine *e)
{
    return e->fall_count;
}

const engine_fall_event *engine_fall_event_at(const engine *e, int index)
{
    return &e->fall[index];
}
