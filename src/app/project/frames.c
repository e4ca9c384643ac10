// Rows of all that is looked at in a world, frame after frame.
#include "app/project/frames.h"

#include <stdlib.h>
#include <string.h>

#include "base/failure.h"

enum { COLUMNS = 8 };

// A column: where its array hangs in the frames, and the bytes of a frame's part.
typedef struct column {
    void **array;
    size_t size;
} column;

// The arrays are this file's own, which shows them as read-only.
#define ARRAY(array) ((void **)(uintptr_t) & (array))

static void list_columns(er_world_frames *f, column out[COLUMNS])
{
    const er_model *m = f->model;
    size_t bodies = (size_t)m->body_count, coordinates = (size_t)m->coordinate_count, joints = (size_t)m->joint_count;
    const column all[COLUMNS] = {{ARRAY(f->time), sizeof *f->time},
                                 {ARRAY(f->pose), bodies * sizeof *f->pose},
                                 {ARRAY(f->twist), bodies * sizeof *f->twist},
                                 {ARRAY(f->q), coordinates * sizeof *f->q},
                                 {ARRAY(f->rate), coordinates * sizeof *f->rate},
                                 {ARRAY(f->energy), sizeof *f->energy},
                                 {ARRAY(f->momentum), 2 * sizeof *f->momentum},
                                 {ARRAY(f->reaction), joints * sizeof *f->reaction}};
    memcpy(out, all, sizeof all);
}

double project_frame_bytes(const er_model *model)
{
    er_world_frames frames = {.model = model};
    column all[COLUMNS];
    double sum = 0.0;
    list_columns(&frames, all);
    for (int i = 0; i < COLUMNS; ++i)
        sum += (double)all[i].size;
    return sum;
}

er_result project_frames_reserve(er_context *context, er_world_frames *frames, int room)
{
    column all[COLUMNS];
    list_columns(frames, all);
    for (int i = 0; i < COLUMNS; ++i) {
        void *more = realloc(*all[i].array, (size_t)room * all[i].size + 1);
        if (more == NULL) return er_no_memory(context);
        *all[i].array = more;
    }
    return ER_OK;
}

// Where the next frame of an array is written, `width` numbers a frame.
#define NEXT(type, array, width) ((type *)(uintptr_t)(array) + (size_t)f->frame_count * (size_t)(width))

er_result project_frames_take(er_world *world, er_dynamics_route route, er_world_frames *f)
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
    if (r == ER_OK) ++f->frame_count;
    return r;
}

void project_frames_clear(er_world_frames *frames)
{
    column all[COLUMNS];
    if (frames->model != NULL) list_columns(frames, all);
    for (int i = 0; frames->model != NULL && i < COLUMNS; ++i)
        free(*all[i].array);
    *frames = (er_world_frames){0};
}
