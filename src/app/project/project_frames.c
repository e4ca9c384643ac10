// Frames of a world: arrays of its state with one row a frame.
#include "app/project/project_frames.h"

#include <stdlib.h>
#include <string.h>

#include "base/failure.h"

enum { COLUMNS = 9, FIRST_CONTACTS = 64 };

// Others see the arrays as read-only; this file writes them.
#define ARRAY(array) ((void **)(uintptr_t) & (array))

static void list_arrays(er_world_frames *f, void **out[COLUMNS])
{
    void **const all[COLUMNS] = {ARRAY(f->time),     ARRAY(f->pose),     ARRAY(f->twist),
                                 ARRAY(f->q),        ARRAY(f->rate),     ARRAY(f->energy),
                                 ARRAY(f->momentum), ARRAY(f->reaction), ARRAY(f->contact_end)};
    memcpy(out, all, sizeof all);
}

// Bytes of a frame in each array.
static void list_sizes(const er_model *m, size_t out[COLUMNS])
{
    size_t bodies = (size_t)m->body_count, coordinates = (size_t)m->coordinate_count, joints = (size_t)m->joint_count;
    const size_t all[COLUMNS] = {sizeof(double),
                                 bodies * sizeof(er_pose),
                                 bodies * sizeof(er_twist),
                                 coordinates * sizeof(double),
                                 coordinates * sizeof(double),
                                 sizeof(er_world_energy),
                                 2 * sizeof(er_vec3),
                                 joints * sizeof(er_wrench),
                                 sizeof(int)};
    memcpy(out, all, sizeof all);
}

double project_frame_bytes(const er_model *model)
{
    size_t size[COLUMNS];
    double sum = 0.0;
    list_sizes(model, size);
    for (int i = 0; i < COLUMNS; ++i)
        sum += (double)size[i];
    return sum;
}

er_result project_frames_reserve(er_context *context, er_world_frames *frames, int room)
{
    void **array[COLUMNS];
    size_t size[COLUMNS];
    list_arrays(frames, array);
    list_sizes(frames->model, size);
    for (int i = 0; i < COLUMNS; ++i) {
        void *more = realloc(*array[i], (size_t)room * size[i] + 1);
        if (more == NULL) return eri_no_memory(context);
        *array[i] = more;
    }
    return ER_OK;
}

// The next frame of an array with `width` elements a frame.
#define NEXT(type, array, width) ((type *)(uintptr_t)(array) + (size_t)f->frame_count * (size_t)(width))

// --- contacts

int project_frames_contacts(const er_world_frames *f, int frame, const er_frame_contact **out)
{
    int first = frame > 0 ? f->contact_end[frame - 1] : 0;
    *out = f->contact != NULL ? f->contact + first : NULL;
    return f->contact_end[frame] - first;
}

double project_frames_contact_bytes(const er_world_frames *f)
{
    return f->frame_count > 0 ? f->contact_end[f->frame_count - 1] * (double)sizeof *f->contact : 0.0;
}

// Makes room for more contacts. The room doubles when a power of two is full.
static er_result reserve_contacts(er_context *context, er_world_frames *f, int count, int more)
{
    int room = FIRST_CONTACTS, had = count > 0 ? FIRST_CONTACTS : 0;
    while (had > 0 && had < count)
        had *= 2;
    while (room < count + more)
        room *= 2;
    if (more == 0 || room == had) return ER_OK;
    void *list = realloc(*ARRAY(f->contact), (size_t)room * sizeof *f->contact);
    if (list == NULL) return eri_no_memory(context);
    *ARRAY(f->contact) = list;
    return ER_OK;
}

// Takes the contacts of all steps since the last frame, with their mean forces.
static er_result take_contacts(er_context *context, project_contact_sums *sums, er_world_frames *f)
{
    int count = f->frame_count > 0 ? f->contact_end[f->frame_count - 1] : 0, more = sums != NULL ? sums->count : 0;
    er_result r = reserve_contacts(context, f, count, more);
    if (r != ER_OK) return r;
    for (int k = 0; k < more; ++k) {
        er_frame_contact *contact = (er_frame_contact *)(uintptr_t)f->contact + count++;
        *contact = sums->sum[k].contact;
        contact->force = er_v3_scale(1.0 / sums->seconds, contact->force);
    }
    if (sums != NULL) project_contact_sums_restart(sums);
    *NEXT(int, f->contact_end, 1) = count;
    return ER_OK;
}

er_result project_frames_take_impacts(er_context *context, const er_world *world, const er_world_shape *shape,
                                      er_world_frames *f)
{
    int64_t count = er_world_impact_count(world);
    void *more =
        count > 0 ? realloc(*ARRAY(f->impact), ((size_t)f->impact_count + (size_t)count) * sizeof *f->impact) : NULL;
    if (count == 0) return ER_OK;
    if (more == NULL) return eri_no_memory(context);
    *ARRAY(f->impact) = more;
    for (int64_t k = 0; k < count; ++k) {
        er_impact i;
        if (!er_world_impact(world, k, &i)) continue;
        ((er_frame_impact *)(uintptr_t)f->impact)[f->impact_count++] =
            (er_frame_impact){.time = i.time,
                              .body = {shape[i.shape[0]].body, shape[i.shape[1]].body},
                              .point = i.point,
                              .normal = i.normal,
                              .impulse = i.impulse,
                              .before = i.before,
                              .after = i.after};
    }
    return ER_OK;
}

// ---

er_result project_frames_take(er_context *context, er_world *world, er_dynamics_route route, project_contact_sums *sums,
                              er_world_frames *f)
{
    const er_model *m = f->model;
    size_t bodies = (size_t)m->body_count;
    *NEXT(double, f->time, 1) = er_world_time(world);
    memcpy(NEXT(er_pose, f->pose, bodies), er_world_pose(world), bodies * sizeof(er_pose));
    memcpy(NEXT(er_twist, f->twist, bodies), er_world_twist(world), bodies * sizeof(er_twist));
    er_world_coordinates(world, NEXT(double, f->q, m->coordinate_count), NEXT(double, f->rate, m->coordinate_count));
    *NEXT(er_world_energy, f->energy, 1) = er_world_measure_energy(world);
    er_vec3 *momentum = NEXT(er_vec3, f->momentum, 2);
    er_world_measure_momentum(world, &momentum[0], &momentum[1]);
    er_result r = er_world_accelerations(world, route, NULL, NEXT(er_wrench, f->reaction, m->joint_count));
    if (r == ER_OK) r = take_contacts(context, sums, f);
    if (r == ER_OK) ++f->frame_count;
    return r;
}

void project_frames_clear(er_world_frames *frames)
{
    void **array[COLUMNS];
    list_arrays(frames, array);
    for (int i = 0; i < COLUMNS; ++i)
        free(*array[i]);
    free(*ARRAY(frames->contact));
    free(*ARRAY(frames->impact));
    *frames = (er_world_frames){0};
}
