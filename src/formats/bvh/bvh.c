// A BVH file's text: the hierarchy of joints, then a line of numbers a frame.
#include <eigenrig/formats.h>

#include <string.h>

#include "base/buffer.h"
#include "base/file.h"
#include "base/number.h"
#include "formats/bvh/bvh_motion.h"
#include "formats/bvh/bvh_skeleton.h"
#include "scene/writing.h"

#define SLOWEST 1e-3 // frames a second
#define FASTEST 1e4
#define MOST_FRAMES 1000000
#define SAME_FRAME 1e-6 // of a frame: above the rounding of a duration times a rate
#define PLACE_DIGITS 9  // behind the point, for a size of 1
#define MOST_DIGITS 40  // for skeletons below 1e-31 units
#define ANGLE_DIGITS 9  // degrees
#define DEEPEST 64      // tabs at the front of a line, so that a long chain's file does not grow by its square

// ---- text ----

// A line's beginning, `depth` tabs in.
static void put_line(eri_buffer *t, int depth, const char *words)
{
    for (int i = 0; i < depth && i < DEEPEST; ++i)
        eri_buffer_text(t, "\t");
    eri_buffer_text(t, words);
}

static void put_count(eri_buffer *t, int count)
{
    eri_buffer_printf(t, "%d", count);
}

// Rounded to `digits` behind the point; no zeros at the end, no minus before 0.
static void put_number(eri_buffer *t, double value, int digits)
{
    char number[ERI_NUMBER_PLACES_ROOM];
    size_t length = (size_t)eri_number_places(value, digits, number);
    if (digits > 0) {
        while (number[length - 1] == '0')
            --length;
        length -= number[length - 1] == '.';
    }
    bool zero = length == 2 && memcmp(number, "-0", 2) == 0;
    eri_buffer_add(t, zero ? "0" : number, zero ? 1 : length);
}

static void put_place(eri_buffer *t, er_vec3 place, int digits)
{
    const double value[3] = {place.x, place.y, place.z};
    for (int i = 0; i < 3; ++i) {
        eri_buffer_text(t, " ");
        put_number(t, value[i], digits);
    }
    eri_buffer_text(t, "\n");
}

// ---- the file ----

static int place_digits(double size)
{
    double digits = PLACE_DIGITS - floor(log10(size));
    return digits < 0.0 ? 0 : digits > MOST_DIGITS ? MOST_DIGITS : (int)digits;
}

static void put_channels(eri_buffer *t, int depth, const eri_bvh_channels *channels)
{
    static const char *const names[] = {" Xposition", " Yposition", " Zposition",
                                        " Xrotation", " Yrotation", " Zrotation"};
    put_line(t, depth, "CHANNELS ");
    put_count(t, channels->count);
    for (int k = 0; k < channels->count; ++k)
        eri_buffer_text(t, names[channels->kind[k]]);
    eri_buffer_text(t, "\n");
}

// One word a line where readers count lines (Blender).
static void put_hierarchy(eri_buffer *t, const eri_bvh_skeleton *s, const eri_bvh_motion *m)
{
    eri_buffer_text(t, "HIERARCHY\n");
    for (int j = 0; j < s->count; ++j) {
        const eri_bvh_joint *joint = &s->joint[j];
        int depth = joint->depth;
        put_line(t, depth, joint->is_end ? "End Site" : joint->parent < 0 ? "ROOT " : "JOINT ");
        if (!joint->is_end) eri_buffer_text(t, joint->name);
        eri_buffer_text(t, "\n");
        put_line(t, depth, "{\n");
        put_line(t, depth + 1, "OFFSET");
        put_place(t, joint->offset, place_digits(s->size));
        if (!joint->is_end) put_channels(t, depth + 1, &m->channels[j]);
        for (int next = j + 1 < s->count ? s->joint[j + 1].depth : 0; depth >= next; --depth)
            put_line(t, depth, "}\n");
    }
}

static bool reads_back(double value, int digits)
{
    char number[ERI_NUMBER_PLACES_ROOM];
    const char *at = number;
    double read;
    eri_number_places(value, digits, number);
    return eri_take_number(&at, &read) && read == value;
}

static void put_step(eri_buffer *t, double step)
{
    int digits = 0;
    while (!reads_back(step, digits))
        ++digits;
    put_number(t, step, digits);
}

static void put_motion(eri_buffer *t, const eri_bvh_skeleton *s, const eri_bvh_motion *m, double fps)
{
    eri_buffer_text(t, "MOTION\nFrames: ");
    put_count(t, m->frame_count);
    eri_buffer_text(t, "\nFrame Time: ");
    put_step(t, 1.0 / fps);
    eri_buffer_text(t, "\n");
    int digits = place_digits(s->size);
    for (int f = 0; f < m->frame_count; ++f) {
        double *const *column = m->column;
        for (int j = 0; j < s->count; ++j)
            for (int k = 0; k < m->channels[j].count; ++k, ++column) {
                if (column != m->column) eri_buffer_text(t, " ");
                put_number(t, (*column)[f], m->channels[j].kind[k] <= ER_BVH_Z_POSITION ? digits : ANGLE_DIGITS);
            }
        eri_buffer_text(t, "\n");
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
    return eri_scene_check(context, &bare, path);
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
    eri_bvh_skeleton skeleton;
    eri_bvh_motion motion;
    int frames = 0;
    ERI_TRY(check_path(context, path));
    ERI_TRY(check_scene(context, scene, clip, path));
    ERI_TRY(count_frames(context, clip, fps, path, &frames));
    ERI_TRY(eri_arena_create(context, &arena));
    ERI_TRY(eri_bvh_skeleton_build(arena, scene, bone, path, &skeleton));
    ERI_TRY(eri_bvh_motion_build(arena, scene, &skeleton, clip, fps, frames, path, &motion));
    eri_buffer t = {.arena = arena};
    put_hierarchy(&t, &skeleton, &motion);
    put_motion(&t, &skeleton, &motion, fps);
    ERI_TRY(t.failure);
    ERI_TRY(er_file_write(context, path, t.bytes, t.size));
done:
    eri_arena_destroy(arena);
    return r;
}
