// A BVH file's text: the hierarchy of joints, then a line of numbers a frame.
#include <eigenrig/bvh.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bvh/motion.h"
#include "bvh/skeleton.h"
#include "file/atomic.h"
#include "scene/writing.h"

#define SLOWEST 1e-3 // frames a second
#define FASTEST 1e4
#define MOST_FRAMES 1000000
#define SAME_FRAME 1e-6  // of a frame: above the rounding of a duration times a rate
#define PLACE_DIGITS 9   // behind the point, for a size of 1
#define MOST_DIGITS 40   // for skeletons below 1e-31 units
#define ANGLE_DIGITS 9   // degrees
#define DEEPEST 64       // tabs at the front of a line, so that a long chain's file does not grow by its square
#define NUMBER_SIZE 512  // a coordinate below 1e101 and 40 digits behind the point, a point of some locale
#define FIRST_SIZE 65536 // bytes of text

// ---- text ----

typedef struct text {
    er_arena *arena;
    char *bytes;
    size_t size, capacity;
    er_result result; // the first failure; what comes after it is not kept
} text;

static void put_bytes(text *t, const char *bytes, size_t count)
{
    if (t->result == ER_OK && t->capacity - t->size < count) {
        size_t capacity = 2 * (t->size + count) + FIRST_SIZE;
        char *grown = er_arena_reserve(t->arena, capacity, 1);
        if (grown == NULL) {
            t->result = ER_ERROR_MEMORY;
        } else {
            if (t->size > 0) memcpy(grown, t->bytes, t->size);
            t->bytes = grown;
            t->capacity = capacity;
        }
    }
    if (t->result != ER_OK) return;
    memcpy(t->bytes + t->size, bytes, count);
    t->size += count;
}

static void put(text *t, const char *words)
{
    put_bytes(t, words, strlen(words));
}

// A line's beginning, `depth` tabs in.
static void put_line(text *t, int depth, const char *words)
{
    for (int i = 0; i < depth && i < DEEPEST; ++i)
        put(t, "\t");
    put(t, words);
}

static void put_count(text *t, int count)
{
    char digits[16];
    snprintf(digits, sizeof digits, "%d", count);
    put(t, digits);
}

// Rounded to `digits` behind the point, which is a point in every locale; no zeros at the end, no minus before 0.
static void put_number(text *t, double value, int digits)
{
    char number[NUMBER_SIZE];
    size_t length = (size_t)snprintf(number, sizeof number, "%.*f", digits, value);
    if (digits > 0) {
        size_t whole = strspn(number, "-0123456789"), fraction = (size_t)digits;
        memmove(number + whole + 1, number + length - fraction, fraction);
        number[whole] = '.';
        length = whole + 1 + fraction;
        while (number[length - 1] == '0')
            --length;
        length -= number[length - 1] == '.';
    }
    bool zero = length == 2 && memcmp(number, "-0", 2) == 0;
    put_bytes(t, zero ? "0" : number, zero ? 1 : length);
}

static void put_place(text *t, er_vec3 place, int digits)
{
    const double value[3] = {place.x, place.y, place.z};
    for (int i = 0; i < 3; ++i) {
        put(t, " ");
        put_number(t, value[i], digits);
    }
    put(t, "\n");
}

// ---- the file ----

static int place_digits(double size)
{
    double digits = PLACE_DIGITS - floor(log10(size));
    return digits < 0.0 ? 0 : digits > MOST_DIGITS ? MOST_DIGITS : (int)digits;
}

static void put_channels(text *t, int depth, const er_bvh_channels *channels)
{
    static const char *const names[] = {" Xposition", " Yposition", " Zposition",
                                        " Xrotation", " Yrotation", " Zrotation"};
    put_line(t, depth, "CHANNELS ");
    put_count(t, channels->count);
    for (int k = 0; k < channels->count; ++k)
        put(t, names[channels->kind[k]]);
    put(t, "\n");
}

// One word a line where readers count lines (Blender).
static void put_hierarchy(text *t, const er_bvh_skeleton *s, const er_bvh_motion *m)
{
    put(t, "HIERARCHY\n");
    for (int j = 0; j < s->count; ++j) {
        const er_bvh_joint *joint = &s->joint[j];
        int depth = joint->depth;
        put_line(t, depth, joint->is_end ? "End Site" : joint->parent < 0 ? "ROOT " : "JOINT ");
        if (!joint->is_end) put(t, joint->name);
        put(t, "\n");
        put_line(t, depth, "{\n");
        put_line(t, depth + 1, "OFFSET");
        put_place(t, joint->offset, place_digits(s->size));
        if (!joint->is_end) put_channels(t, depth + 1, &m->channels[j]);
        for (int next = j + 1 < s->count ? s->joint[j + 1].depth : 0; depth >= next; --depth)
            put_line(t, depth, "}\n");
    }
}

// The fewest digits that read back as the same double.
static void put_step(text *t, double step)
{
    char number[NUMBER_SIZE];
    int digits = 0;
    while (snprintf(number, sizeof number, "%.*f", digits, step) > 0 && strtod(number, NULL) != step)
        ++digits;
    put_number(t, step, digits);
}

static void put_motion(text *t, const er_bvh_skeleton *s, const er_bvh_motion *m, double fps)
{
    put(t, "MOTION\nFrames: ");
    put_count(t, m->frame_count);
    put(t, "\nFrame Time: ");
    put_step(t, 1.0 / fps);
    put(t, "\n");
    int digits = place_digits(s->size);
    for (int f = 0; f < m->frame_count; ++f) {
        double *const *column = m->column;
        for (int j = 0; j < s->count; ++j)
            for (int k = 0; k < m->channels[j].count; ++k, ++column) {
                if (column != m->column) put(t, " ");
                put_number(t, (*column)[f], m->channels[j].kind[k] <= ER_BVH_Z_POSITION ? digits : ANGLE_DIGITS);
            }
        put(t, "\n");
    }
}

// ---- arguments ----

static er_result check_path(er_context *context, const char *path)
{
    if (strcmp(path, "-") == 0 || er_path_ends_in(path, ".bvh")) return ER_OK;
    return er_fail(context, ER_ERROR_ARGUMENT, "%s: cannot be written: BVH files end in .bvh", path);
}

// The nodes and the clip alone: the rest of the scene is not read.
static er_result check_scene(er_context *context, const er_scene *scene, const er_clip *clip, const char *path)
{
    er_scene bare = {.path = path,
                     .format = scene->format,
                     .format_name = "",
                     .metres_per_unit = scene->metres_per_unit,
                     .up = scene->up,
                     .node_count = scene->node_count,
                     .node = scene->node,
                     .clip_count = clip != NULL ? 1 : 0,
                     .clip = clip};
    return er_scene_check(context, &bare, path);
}

static er_result count_frames(er_context *context, const er_clip *clip, double fps, const char *path, int *count)
{
    double duration = clip != NULL ? fmax(clip->duration, 0.0) : 0.0;
    if (!(fps >= SLOWEST && fps <= FASTEST))
        return er_fail(context, ER_ERROR_ARGUMENT, "%s: cannot be written: %g frames a second are not from %g to %g",
                       path, fps, SLOWEST, FASTEST);
    double frames = 1.0 + fmax(0.0, ceil(duration * fps - SAME_FRAME));
    if (frames > MOST_FRAMES)
        return er_fail(context, ER_ERROR_ARGUMENT,
                       "%s: cannot be written: %g s are %.0f frames, more than %d; write fewer a second", path,
                       duration, frames, MOST_FRAMES);
    *count = (int)frames;
    return ER_OK;
}

er_result er_bvh_write(er_context *context, const er_scene *scene, const bool *bone, const er_clip *clip, double fps,
                       const char *path)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (scene == NULL || path == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "er_bvh_write needs a scene and a path");
    er_result r = ER_OK;
    er_arena *arena = NULL;
    er_bvh_skeleton skeleton;
    er_bvh_motion motion;
    int frames = 0;
    ER_TRY(check_path(context, path));
    ER_TRY(check_scene(context, scene, clip, path));
    ER_TRY(count_frames(context, clip, fps, path, &frames));
    ER_TRY(er_arena_create(context, &arena));
    ER_TRY(er_bvh_skeleton_build(arena, scene, bone, path, &skeleton));
    ER_TRY(er_bvh_motion_build(arena, scene, &skeleton, clip, fps, frames, path, &motion));
    text t = {.arena = arena};
    put_hierarchy(&t, &skeleton, &motion);
    put_motion(&t, &skeleton, &motion, fps);
    ER_TRY(t.result);
    ER_TRY(er_file_write(context, path, t.bytes, t.size));
done:
    er_arena_destroy(arena);
    return r;
}
