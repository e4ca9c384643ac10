// The state of a scene as bytes: what its actors do, the contacts, and the bytes of its world.
#include <string.h>

#include "app/engine/engine_inside.h"
#include "base/failure.h"
#include "base/hash.h"

typedef struct state_header {
    char magic[16];
    uint64_t size, hash; ///< of all bytes; of those after the header
    uint64_t world_size; ///< of the last bytes; 0 without a world
    int last_id, material_count, actor_count, joint_count, pair_count, point_count;
} state_header;

static const char magic[16] = "eigenrig scene 1";

// Identifies an object, so that a state is restored only to a scene of the same objects.
typedef struct saved_name {
    uint64_t hash; ///< of an actor's solids, or of a joint's sides
    int64_t id;
} saved_name;

typedef struct saved_scene {
    engine_settings settings;
    er_vec3 weight;
    double since;
    int64_t steps, counted, parts;
    int has_reactions;
} saved_scene;

// ---- Names

static uint64_t hash_number(uint64_t hash, double x)
{
    return eri_hash_bytes(hash, &x, sizeof x);
}

static uint64_t hash_parts(const engine_actor *a)
{
    uint64_t hash = ERI_HASH_BEGIN;
    for (int i = 0; i < a->part_count; ++i) {
        const engine_part *p = &a->part[i];
        const double number[] = {p->shape.kind,   p->shape.radius, p->shape.length, p->shape.half.x, p->shape.half.y,
                                 p->shape.half.z, p->pose.p.x,     p->pose.p.y,     p->pose.p.z,     p->pose.q.w,
                                 p->pose.q.x,     p->pose.q.y,     p->pose.q.z,     p->passes};
        for (size_t k = 0; k < sizeof number / sizeof number[0]; ++k)
            hash = hash_number(hash, number[k]);
        if (p->shape.kind != ER_SHAPE_HULL) continue;
        for (int k = 0; k < p->shape.hull->vertex_count; ++k)
            hash = eri_hash_bytes(hash, &p->shape.hull->vertex[k], sizeof p->shape.hull->vertex[k]);
    }
    return hash;
}

static saved_name name_of_actor(const engine_actor *a)
{
    return (saved_name){hash_parts(a), a->id};
}

static saved_name name_of_joint(const engine_joint *j)
{
    return (saved_name){eri_hash_bytes(ERI_HASH_BEGIN, j->actor, sizeof j->actor), j->id};
}

// ---- Written

/// Bytes that are written, or counted.
typedef struct state_writer {
    char *bytes; ///< NULL: they are counted alone
    size_t used;
} state_writer;

static void put(state_writer *w, const void *from, size_t size)
{
    if (w->bytes != NULL && size > 0) memcpy(w->bytes + w->used, from, size);
    w->used += size;
}

static void put_actor(state_writer *w, const actor *a)
{
    actor saved = *a;
    saved.state.name = NULL;
    saved.state.part = NULL;
    put(w, &saved, sizeof saved);
    for (int i = 0; i < a->state.part_count; ++i)
        put(w, &a->state.part[i].material, sizeof a->state.part[i].material);
}

static void put_joint(state_writer *w, const joint *j)
{
    joint saved = *j;
    saved.state.name = NULL;
    put(w, &saved, sizeof saved);
}

static void put_walker(state_writer *w, const engine_character *c)
{
    const er_walker *walker = engine_walker_of(c);
    size_t size = walker != NULL ? er_walker_state_size(walker) : 0;
    put(w, &c->walking, sizeof c->walking);
    put(w, &c->next_walking, sizeof c->next_walking);
    put(w, &c->asked, sizeof c->asked);
    put(w, &c->by_speed, sizeof c->by_speed);
    put(w, &c->wish, sizeof c->wish);
    if (w->bytes != NULL && walker != NULL) er_walker_save(walker, w->bytes + w->used);
    w->used += size;
}

static void put_scene(state_writer *w, const engine *e)
{
    saved_scene s;
    memset(&s, 0, sizeof s);
    s.settings = e->settings;
    s.weight = e->weight;
    s.since = e->since;
    s.steps = e->steps;
    s.counted = e->counted;
    s.parts = e->parts;
    s.has_reactions = e->has_reactions;
    put(w, &s, sizeof s);
}

static void put_all(state_writer *w, const engine *e)
{
    for (int i = 0; i < e->actor_count; ++i) {
        saved_name n = name_of_actor(&e->actor[i].state);
        put(w, &n, sizeof n);
    }
    for (int i = 0; i < e->joint_count; ++i) {
        saved_name n = name_of_joint(&e->joint[i].state);
        put(w, &n, sizeof n);
    }
    put_scene(w, e);
    put(w, e->material, (size_t)e->material_count * sizeof *e->material);
    for (int i = 0; i < e->actor_count; ++i)
        put_actor(w, &e->actor[i]);
    for (int i = 0; i < e->joint_count; ++i)
        put_joint(w, &e->joint[i]);
    for (int i = 0; i < e->character_count; ++i)
        put_walker(w, &e->character[i]);
    put(w, e->contact, (size_t)e->contact_count * sizeof *e->contact);
    put(w, e->point, (size_t)e->point_count * sizeof *e->point);
}

er_result engine_save(engine *e, void *bytes, size_t *size)
{
    *size = 0;
    er_result r = e->stale ? engine_build_world(e) : engine_update_world(e);
    if (r != ER_OK) return r;
    state_writer w = {.bytes = bytes, .used = sizeof(state_header)};
    state_header h;
    memset(&h, 0, sizeof h);
    memcpy(h.magic, magic, sizeof magic);
    h.world_size = e->world != NULL ? er_world_state_size(e->world) : 0;
    h.last_id = e->last_id;
    h.material_count = e->material_count;
    h.actor_count = e->actor_count;
    h.joint_count = e->joint_count;
    h.pair_count = e->contact_count;
    h.point_count = e->point_count;
    put_all(&w, e);
    h.size = *size = w.used + h.world_size;
    if (bytes == NULL) return ER_OK;
    if (e->world != NULL) er_world_save(e->world, w.bytes + w.used);
    h.hash = eri_hash_bytes(ERI_HASH_BEGIN, w.bytes + sizeof h, *size - sizeof h);
    memcpy(w.bytes, &h, sizeof h);
    return ER_OK;
}

// ---- Checked

static er_result refuse(engine *e, const char *what)
{
    return er_fail(e->context, ER_ERROR_ARGUMENT, "these bytes are no state of this scene: %s", what);
}

static bool is_complete(const char *bytes, size_t size, state_header *h)
{
    if (size < sizeof *h) return false;
    memcpy(h, bytes, sizeof *h);
    return memcmp(h->magic, magic, sizeof magic) == 0 && h->size == size &&
           h->hash == eri_hash_bytes(ERI_HASH_BEGIN, bytes + sizeof *h, size - sizeof *h);
}

static er_result check_actors(engine *e, const state_header *h, const char *at)
{
    int old = 0;
    for (int i = 0; i < h->actor_count; ++i) {
        saved_name n;
        memcpy(&n, at + (size_t)i * sizeof n, sizeof n);
        const engine_actor *a = engine_find_actor(e, (int)n.id);
        if (a == NULL)
            return er_fail(e->context, ER_ERROR_ARGUMENT,
                           "actor %d of the state is not in the scene any more; do not remove an actor that may be "
                           "restored, but make it inactive and hide it",
                           (int)n.id);
        if (name_of_actor(a).hash != n.hash)
            return er_fail(e->context, ER_ERROR_ARGUMENT,
                           "actor %d \"%s\" has other shapes than in the state; give it those of then first", a->id,
                           a->name);
    }
    while (old < e->actor_count && e->actor[old].state.id <= h->last_id)
        ++old;
    return old == h->actor_count ? ER_OK : refuse(e, "it has actors that they lack");
}

static er_result check_joints(engine *e, const state_header *h, const char *at)
{
    int old = 0;
    for (int i = 0; i < h->joint_count; ++i) {
        saved_name n;
        memcpy(&n, at + (size_t)i * sizeof n, sizeof n);
        const engine_joint *j = engine_find_joint(e, (int)n.id);
        if (j == NULL || name_of_joint(j).hash != n.hash)
            return er_fail(e->context, ER_ERROR_ARGUMENT, "joint %d of the state is not in the scene any more",
                           (int)n.id);
    }
    while (old < e->joint_count && e->joint[old].state.id <= h->last_id)
        ++old;
    return old == h->joint_count ? ER_OK : refuse(e, "it has joints that they lack");
}

er_result engine_check_state(engine *e, const void *bytes, size_t size, int *last)
{
    state_header h;
    *last = 0;
    if (!is_complete(bytes, size, &h)) return refuse(e, "they are cut short, changed, or of another version");
    const char *at = (const char *)bytes + sizeof h;
    er_result r = check_actors(e, &h, at);
    if (r == ER_OK) r = check_joints(e, &h, at + (size_t)h.actor_count * sizeof(saved_name));
    if (r == ER_OK && h.material_count > e->material_count) r = refuse(e, "it lacks materials that they have");
    *last = h.last_id;
    return r;
}

// ---- Read

static void get(const char **at, void *to, size_t size)
{
    if (size > 0) memcpy(to, *at, size);
    *at += size;
}

static void get_actor(const char **at, actor *a)
{
    const char *name = a->state.name;
    engine_part *part = (engine_part *)(uintptr_t)a->state.part;
    get(at, a, sizeof *a);
    a->state.name = name;
    a->state.part = part;
    for (int i = 0; i < a->state.part_count; ++i)
        get(at, &part[i].material, sizeof part[i].material);
}

static void get_joint(const char **at, joint *j)
{
    const char *name = j->state.name;
    get(at, j, sizeof *j);
    j->state.name = name;
}

static void get_walker(const char **at, engine_character *c)
{
    get(at, &c->walking, sizeof c->walking);
    get(at, &c->next_walking, sizeof c->next_walking);
    get(at, &c->asked, sizeof c->asked);
    get(at, &c->by_speed, sizeof c->by_speed);
    get(at, &c->wish, sizeof c->wish);
    if (c->walking < 0) return;
    er_walker_restore(c->walker[c->walking], *at);
    *at += er_walker_state_size(c->walker[c->walking]);
}

static void get_scene(const char **at, engine *e)
{
    saved_scene s;
    get(at, &s, sizeof s);
    e->settings = s.settings;
    e->weight = s.weight;
    e->since = s.since;
    e->steps = (long)s.steps;
    e->counted = (long)s.counted;
    e->parts = (long)s.parts;
    e->has_reactions = s.has_reactions;
}

// Makes room for the contacts that are about to be read.
static bool make_room(engine *e, const state_header *h)
{
    bool room = true;
    while (room && e->contact_room < h->pair_count)
        room = engine_grow(&e->contact, &e->contact_room, e->contact_room, sizeof *e->contact);
    while (room && e->point_room < h->point_count)
        room = engine_grow(&e->point, &e->point_room, e->point_room, sizeof *e->point);
    return room;
}

// Ids are given again as after the saving, but for those of lights, which are no part of a state.
static void forget_newer(engine *e, int last)
{
    while (e->character_count > 0 && e->character[e->character_count - 1].id > last)
        engine_remove_character(e, e->character[e->character_count - 1].id);
    while (e->joint_count > 0 && e->joint[e->joint_count - 1].state.id > last)
        engine_remove_joint(e, e->joint[e->joint_count - 1].state.id);
    while (e->actor_count > 0 && e->actor[e->actor_count - 1].state.id > last)
        engine_remove_actor(e, e->actor[e->actor_count - 1].state.id);
    e->last_id = last;
    for (int i = 0; i < e->light_count; ++i)
        if (e->light[i].id > e->last_id) e->last_id = e->light[i].id;
}

er_result engine_restore(engine *e, const void *bytes, size_t size)
{
    state_header h;
    int last;
    er_result r = engine_check_state(e, bytes, size, &last);
    if (r != ER_OK) return r;
    memcpy(&h, bytes, sizeof h);
    if (!make_room(e, &h)) return eri_no_memory_for(e->context, "a scene's state");
    forget_newer(e, last);
    const char *at = (const char *)bytes + sizeof h;
    at += (size_t)(h.actor_count + h.joint_count) * sizeof(saved_name);
    get_scene(&at, e);
    get(&at, e->material, (size_t)h.material_count * sizeof *e->material);
    for (int i = 0; i < h.actor_count; ++i)
        get_actor(&at, &e->actor[i]);
    for (int i = 0; i < h.joint_count; ++i)
        get_joint(&at, &e->joint[i]);
    for (int i = 0; i < e->character_count; ++i)
        get_walker(&at, &e->character[i]);
    get(&at, e->contact, (size_t)h.pair_count * sizeof *e->contact);
    get(&at, e->point, (size_t)h.point_count * sizeof *e->point);
    e->contact_count = h.pair_count;
    e->point_count = h.point_count;
    e->event_count = 0;
    r = engine_build_world(e);
    if (r != ER_OK || e->world == NULL) return r;
    return h.world_size > 0 ? er_world_restore(e->world, at) : refuse(e, "they have no moving actors");
}
