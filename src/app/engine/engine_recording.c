// Frames of a living scene, kept.
#include "app/engine/engine_recording.h"

#include <stdlib.h>
#include <string.h>

#include <eigenrig/plots.h>

#include "app/engine/engine_history.h"
#include "app/engine/engine_inside.h"
#include "base/failure.h"

er_result engine_recording_create(engine *e, engine_recording **out)
{
    *out = calloc(1, sizeof **out);
    if (*out == NULL) return eri_no_memory_for(e->context, "a recording");
    (*out)->engine = e;
    return ER_OK;
}

void engine_recording_destroy(engine_recording *r)
{
    if (r == NULL) return;
    for (int i = 0; i < r->actor_count; ++i) {
        free(r->actor[i].name);
        free(r->actor[i].part);
        free(r->actor[i].frame);
    }
    for (int i = 0; i < r->character_count; ++i)
        engine_free_character(r->character[i]);
    free(r->character);
    free(r->actor);
    free(r->time);
    free(r);
}

// ---- Taken

// Beginnings of an actor's history; whether there was memory.
static bool begin(engine_recording *r, const engine_actor *a)
{
    if (!engine_grow(&r->actor, &r->actor_room, r->actor_count, sizeof *r->actor)) return false;
    engine_history h = {.id = a->id,
                        .motion = a->motion,
                        .character = a->character,
                        .part_count = a->part_count,
                        .is_hidden = true,
                        .is_shown = true};
    size_t name = strlen(a->name) + 1, parts = (size_t)a->part_count * sizeof *a->part;
    h.name = malloc(name);
    h.part = malloc(parts + 1);
    if (h.name == NULL || h.part == NULL) {
        free(h.name);
        free(h.part);
        return false;
    }
    memcpy(h.name, a->name, name);
    if (parts > 0) memcpy(h.part, a->part, parts);
    h.first = r->frame_count;
    r->actor[r->actor_count++] = h;
    return true;
}

static bool keep(engine_history *h, const engine_actor *a)
{
    if (!engine_grow(&h->frame, &h->room, h->count, sizeof *h->frame)) return false;
    h->frame[h->count++] = (placed_frame){a->pose, a->velocity, a->spin, a->hidden};
    h->is_hidden = h->is_hidden && a->hidden;
    h->is_shown = h->is_shown && !a->hidden;
    return true;
}

// Characters are known by the actors they had at first.
static bool keep_characters(engine_recording *r)
{
    for (int i = 0; i < r->engine->character_count; ++i) {
        const engine_character *c = &r->engine->character[i];
        bool known = false;
        for (int k = 0; k < r->character_count; ++k)
            known = known || r->character[k].id == c->id;
        if (known) continue;
        bool room = engine_grow(&r->character, &r->character_room, r->character_count, sizeof *r->character);
        size_t bodies = (size_t)c->model->body_count;
        int *own = malloc(bodies * sizeof *own);
        er_pose *place = malloc(bodies * sizeof *place);
        if (!room || own == NULL || place == NULL) {
            free(own);
            free(place);
            return false;
        }
        memcpy(own, c->actor, bodies * sizeof *own);
        for (size_t b = 0; b < bodies; ++b)
            place[b] = c->place != NULL ? c->place[b] : er_pose_identity();
        r->character[r->character_count++] = (engine_character){.id = c->id,
                                                                .model = c->model,
                                                                .target = c->target,
                                                                .scale = c->scale,
                                                                .actor = own,
                                                                .look_of = c->look_of,
                                                                .place = place,
                                                                .walking = -1,
                                                                .next_walking = -1};
    }
    return true;
}

er_result engine_recording_take(engine_recording *r)
{
    const engine *e = r->engine;
    if (r->frame_count > 0 && !(engine_time(e) > r->time[r->frame_count - 1])) return ER_OK; // a step that failed
    bool room = engine_grow(&r->time, &r->time_room, r->frame_count, sizeof *r->time) && keep_characters(r);
    int at = 0; // both rows have ids that ascend
    for (int i = 0; i < e->actor_count && room; ++i) {
        const engine_actor *a = &e->actor[i].state;
        while (at < r->actor_count && r->actor[at].id < a->id)
            ++at;
        if (at == r->actor_count) room = begin(r, a);
        room = room && keep(&r->actor[at], a);
    }
    if (!room) return eri_no_memory_for(e->context, "a recording");
    r->time[r->frame_count++] = engine_time(e);
    return ER_OK;
}

// ---- As arrays

static void fill_row(const engine_history *h, int frame, size_t at, er_pose *pose, er_vec3 *velocity, er_vec3 *spin,
                     int *present)
{
    present[at] = frame >= h->first && frame < h->first + h->count;
    const placed_frame *f = history_at(h, frame);
    pose[at] = f->pose;
    velocity[at] = f->velocity;
    spin[at] = f->spin;
}

er_result engine_recording_write_npz(er_context *context, const engine_recording *r, const char *path)
{
    size_t all = (size_t)r->frame_count * (size_t)r->actor_count + 1;
    const char **name = calloc((size_t)r->actor_count + 1, sizeof *name);
    er_pose *pose = calloc(all, sizeof *pose);
    er_vec3 *velocity = calloc(all, sizeof *velocity), *spin = calloc(all, sizeof *spin);
    int *present = calloc(all, sizeof *present);
    er_result result = eri_no_memory_for(context, "a recording");
    if (name != NULL && pose != NULL && velocity != NULL && spin != NULL && present != NULL) {
        for (int i = 0; i < r->actor_count; ++i)
            name[i] = r->actor[i].name;
        for (int f = 0; f < r->frame_count; ++f)
            for (int i = 0; i < r->actor_count; ++i)
                fill_row(&r->actor[i], f, (size_t)f * (size_t)r->actor_count + (size_t)i, pose, velocity, spin,
                         present);
        const er_trajectories places = {.count = r->actor_count,
                                        .name = name,
                                        .frame_count = r->frame_count,
                                        .time = r->time,
                                        .pose = pose,
                                        .velocity = velocity,
                                        .spin = spin,
                                        .present = present};
        result = er_trajectories_write_npz(context, &places, path);
    }
    free(present);
    free(spin);
    free(velocity);
    free(pose);
    free(name);
    return result;
}
