// Worlds: JSON, or a Bacin set whose files follow each other, separated by form feeds. A world that is read is written,
// reads back and is written the same; a set that can be written can be read. A small world also runs for some steps:
// it advances to the time asked for, with finite poses, or fails with a message.
#include "tests/fuzz/fuzz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed)
{
    return fuzz_mutate_json(data, size, room, seed);
}

static void write_twice(er_context *context, const er_world_file *world)
{
    const char *first = fuzz_path("first.json"), *second = fuzz_path("second.json");
    er_world_file *back = NULL;
    er_result r = er_world_file_write(context, world, first);
    fuzz_promise(r == ER_OK || r == ER_ERROR_MEMORY, context, "a world that was read is written");
    if (r == ER_OK) r = er_world_file_read(context, first, &back);
    fuzz_promise(r == ER_OK || r == ER_ERROR_MEMORY, context, "a world that was written is read");
    if (r == ER_OK && er_world_file_write(context, back, second) == ER_OK)
        fuzz_promise(fuzz_same_files(first, second), context, "a world read back is written the same");
    er_world_file_destroy(back);
}

static const char *const parts[] = {"s.cfg", "s.bds", "s.ste", "box.shp", "s.ctr", "s.for"};
static const char *const written[] = {"w.bds", "w.ste", "w.ctr", "w.for", "w-1.shp", "w-2.shp", "w-3.shp", "w-4.shp"};

// At most four bodies, so that all files of the set are known and can go again.
static void write_set(er_context *context, const er_world_file *world)
{
    const char *path = fuzz_path("w.cfg");
    er_world_file *back = NULL;
    if (world->model->body_count > 4) return;
    if (er_world_file_write(context, world, path) == ER_OK) {
        er_result r = er_world_file_read(context, path, &back);
        fuzz_promise(r == ER_OK || r == ER_ERROR_MEMORY || r == ER_ERROR_FORMAT, context,
                     "a set that was written is read");
        er_world_file_destroy(back);
    }
    for (size_t i = 0; i < sizeof written / sizeof *written; ++i)
        unlink(fuzz_path(written[i]));
}

static const char *lay_out_set(const uint8_t *data, size_t size)
{
    for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i) {
        const uint8_t *stop = size > 0 ? memchr(data, '\f', size) : NULL;
        size_t length = stop != NULL ? (size_t)(stop - data) : size;
        if (length > 0 || i < 2)
            fuzz_file(parts[i], data, length);
        else
            unlink(fuzz_path(parts[i]));
        size_t used = length + (stop != NULL);
        data += used;
        size -= used;
    }
    return fuzz_path("s.cfg");
}

static bool is_finite(const er_world *w, int bodies)
{
    double sum = 0.0;
    for (int b = 0; b < bodies; ++b) {
        const er_pose *p = &er_world_pose(w)[b];
        sum += p->p.x + p->p.y + p->p.z + p->q.w + p->q.x + p->q.y + p->q.z;
    }
    return isfinite(sum);
}

// A few frames, with steps that are long enough for them to be few.
static void simulate(er_context *context, const er_world_file *file)
{
    er_world *w = NULL;
    er_world_def def = file->def;
    double frame = fmin(file->duration / file->frame_count, 0.05);
    if (file->model->body_count > 8 || !(frame > 1e-6)) return;
    def.min_step = fmax(def.min_step, 1e-3 * frame);
    def.max_step = fmax(def.max_step, 0.1 * frame);
    def.most_impacts = def.most_impacts < 1000 ? def.most_impacts : 1000;
    er_result r = er_world_create(context, &def, &w);
    if (r == ER_OK) r = er_world_set_state(w, file->time, file->pose, file->twist);
    for (int k = 1; k <= 3 && r == ER_OK; ++k) {
        double until = file->time + k * frame;
        r = er_world_advance(w, until, NULL);
        fuzz_promise(r != ER_OK || (er_world_time(w) == until && is_finite(w, file->model->body_count)), context,
                     "a world that advances is at the time, and finite");
    }
    fuzz_promise(r == ER_OK || *er_context_error(context) != '\0', context, "a world that fails says why");
    er_world_destroy(w);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    er_context *context = fuzz_context();
    er_world_file *world = NULL;
    bool json = size > 0 && data[0] == '{';
    const char *path = json ? fuzz_file("world.json", data, size) : lay_out_set(data, size);
    er_file_is_world(context, path);
    if (er_world_file_read(context, path, &world) == ER_OK) {
        write_twice(context, world);
        write_set(context, world);
        simulate(context, world);
        er_world_file_write_surface(context, world, fuzz_path("s.sur"));
        er_world_file_write_frame(context, world, world->time, world->pose, world->twist, fuzz_path("s0.ste"));
    }
    er_world_file_destroy(world);
    er_context_destroy(context);
    return 0;
}
