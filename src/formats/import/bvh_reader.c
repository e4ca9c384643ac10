// Reads Biovision BVH without Assimp, so that numbers arrive as they are in the file. A joint's rotation is the product
// of its rotation channels in their order; position channels replace components of the offset. Source: M. Meredith and
// S. Maddock, "Motion capture file formats explained" (2001), section 3.
#include "formats/import/scene_reader.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/letters.h"
#include "base/text.h"

// Skeletons of people: none is 20 m across, few are below 20 cm.
#define METRES_ACROSS 20.0
#define MOST_CHANNELS 12
enum { OTHER_CHANNEL = 6 }; // an unknown channel, which still takes a column

typedef struct bvh_joint {
    int column, listed; // in a frame's numbers
    int kind[MOST_CHANNELS];
} bvh_joint;

typedef struct bvh_reader {
    imp_reader *reader;
    const char *at;
    int line;
    er_node *node;    // [count]
    bvh_joint *joint; // [count]
    int count, columns;
} bvh_reader;

static er_result broken(const bvh_reader *b, const char *what)
{
    return er_fail(b->reader->context, ER_ERROR_FORMAT, "line %d: %s; export the motion again", b->line, what);
}

static void skip_space(bvh_reader *b)
{
    for (; isspace((unsigned char)*b->at); ++b->at)
        b->line += *b->at == '\n';
}

// Takes a word if it is next, ignoring letter case.
static bool take(bvh_reader *b, const char *word)
{
    skip_space(b);
    size_t n = strlen(word);
    bool ends =
        eri_same_start(b->at, word, n) && (!isalnum((unsigned char)word[n - 1]) || !isalnum((unsigned char)b->at[n]));
    if (ends) b->at += n;
    return ends;
}

static bool take_number(bvh_reader *b, double *out)
{
    skip_space(b);
    char *end;
    *out = strtod(b->at, &end);
    bool taken = end != b->at && isfinite(*out);
    if (taken) b->at = end;
    return taken;
}

// Reads the rest of the line up to a brace, because names may have spaces.
static er_result take_name(bvh_reader *b, const char **out)
{
    while (*b->at == ' ' || *b->at == '\t')
        ++b->at;
    size_t n = strcspn(b->at, "\r\n{");
    const char *start = b->at;
    b->at += n;
    while (n > 0 && isspace((unsigned char)start[n - 1]))
        --n;
    char *name = eri_arena_printf(b->reader->arena, "%.*s", (int)n, start);
    *out = name != NULL ? imp_reader_text(b->reader, name) : NULL;
    return *out != NULL ? ER_OK : ER_ERROR_MEMORY;
}

static er_result take_channels(bvh_reader *b, int index)
{
    static const char *const names[] = {"Xposition", "Yposition", "Zposition", "Xrotation", "Yrotation", "Zrotation"};
    er_node *node = &b->node[index];
    bvh_joint *joint = &b->joint[index];
    double count;
    if (!take_number(b, &count) || !(count >= 0 && count <= MOST_CHANNELS))
        return broken(b, "CHANNELS is not followed by a count from 0 to 12");
    joint->column = b->columns;
    joint->listed = (int)count;
    b->columns += joint->listed;
    if (joint->listed > 0) node->flags = ER_NODE_JOINT; // an End Site with channels is a joint
    unsigned seen = 0;
    for (int k = 0; k < joint->listed; ++k) {
        int kind = 0;
        while (kind < OTHER_CHANNEL && !take(b, names[kind]))
            ++kind;
        joint->kind[k] = kind;
        if (kind == OTHER_CHANNEL) {
            size_t n = strcspn(b->at, " \t\r\n");
            er_result r = n == 0
                              ? broken(b, "the file ends amid CHANNELS")
                              : imp_reader_note(b->reader, ER_NOTE_WARNING,
                                                "the channel \"%.*s\" of \"%s\" is neither a position nor a rotation "
                                                "and is left out",
                                                (int)(n < 40 ? n : 40), b->at, node->name);
            if (r != ER_OK) return r;
            b->at += n;
            continue;
        }
        if ((seen & 1u << kind) != 0) return broken(b, "a joint has a channel twice");
        seen |= 1u << kind;
        node->channels[node->channel_count++] = (uint8_t)kind;
    }
    return ER_OK;
}

static er_result open_node(bvh_reader *b, int parent, bool end_site)
{
    er_node *node = &b->node[b->count++]; // each node has a brace, and the array has room for every brace
    er_result r = ER_OK;
    node->parent = parent;
    node->source_index = -1;
    node->local = er_affine_identity();
    node->flags = end_site ? ER_NODE_END_SITE : ER_NODE_JOINT;
    if (parent >= 0) b->node[parent].flags = ER_NODE_JOINT; // an End Site with children is a joint
    if (end_site) {
        node->name = eri_arena_printf(b->reader->arena, "EndSite_%s", b->node[parent].name);
        b->at += strcspn(b->at, "\r\n{");
    } else {
        ERI_TRY(take_name(b, &node->name));
    }
    if (node->name == NULL) ERI_TRY(ER_ERROR_MEMORY);
    if (!take(b, "{")) ERI_TRY(broken(b, "a joint has no \"{\""));
done:
    return r;
}

static er_result read_hierarchy(bvh_reader *b)
{
    er_result r = ER_OK;
    int open = -1; // the node of the current braces
    if (!take(b, "HIERARCHY")) return broken(b, "a BVH file starts with HIERARCHY");
    for (;;) {
        skip_space(b);
        if (open < 0) {
            if (!take(b, "ROOT")) break;
            ERI_TRY(open_node(b, -1, false));
            open = b->count - 1;
        } else if (take(b, "OFFSET")) {
            er_vec3 *t = &b->node[open].local.translation;
            if (!take_number(b, &t->x) || !take_number(b, &t->y) || !take_number(b, &t->z))
                ERI_TRY(broken(b, "OFFSET is not followed by three numbers"));
        } else if (take(b, "CHANNELS")) {
            if (b->joint[open].listed > 0) ERI_TRY(broken(b, "a joint has CHANNELS twice"));
            ERI_TRY(take_channels(b, open));
        } else if (take(b, "JOINT")) {
            ERI_TRY(open_node(b, open, false));
            open = b->count - 1;
        } else if (take(b, "End")) {
            ERI_TRY(open_node(b, open, true));
            open = b->count - 1;
        } else if (take(b, "}")) {
            open = b->node[open].parent;
        } else {
            ERI_TRY(broken(b, *b->at == '\0' ? "the file ends amid the hierarchy" : "this word is not expected here"));
        }
    }
    if (b->count == 0) ERI_TRY(broken(b, "the hierarchy has no ROOT"));
done:
    return r;
}

// ---- motion ----

static er_result new_channel(bvh_reader *b, int node, er_path path, int frames, const double *time, er_channel *out,
                             double **value)
{
    *value = ERI_NEW(b->reader->arena, double, (size_t)frames *(path == ER_PATH_ROTATION ? 4 : 3));
    if (*value == NULL) return ER_ERROR_MEMORY;
    *out = (er_channel){node, path, ER_LINEAR, frames, time, *value};
    return ER_OK;
}

static void translation_of(const bvh_joint *joint, er_vec3 offset, const double *row, double *out)
{
    out[0] = offset.x, out[1] = offset.y, out[2] = offset.z;
    for (int k = 0; k < joint->listed; ++k)
        if (joint->kind[k] <= ER_BVH_Z_POSITION) out[joint->kind[k]] = row[joint->column + k];
}

static void rotation_of(const bvh_joint *joint, const double *row, double *out)
{
    er_quat q = er_q_identity();
    for (int k = 0; k < joint->listed; ++k) {
        int axis = joint->kind[k] - ER_BVH_X_ROTATION;
        if (axis < 0 || joint->kind[k] == OTHER_CHANNEL) continue;
        double half = 0.5 * remainder(row[joint->column + k], 720.0) * ER_PI / 180.0, s = sin(half);
        q = er_q_mul(q, er_q(cos(half), axis == 0 ? s : 0, axis == 1 ? s : 0, axis == 2 ? s : 0));
    }
    q = er_q_unit(q);
    out[0] = q.x, out[1] = q.y, out[2] = q.z, out[3] = q.w;
}

// `row`: [frames x columns]
static er_result build_channels(bvh_reader *b, int frames, const double *time, const double *row, er_channel *channel,
                                int *channel_count)
{
    er_result r = ER_OK;
    for (int i = 0; i < b->count; ++i) {
        bool moves = false, turns = false;
        double *value;
        for (int k = 0; k < b->node[i].channel_count; ++k) {
            moves = moves || b->node[i].channels[k] <= ER_BVH_Z_POSITION;
            turns = turns || b->node[i].channels[k] >= ER_BVH_X_ROTATION;
        }
        if (moves) {
            ERI_TRY(new_channel(b, i, ER_PATH_TRANSLATION, frames, time, &channel[(*channel_count)++], &value));
            for (int f = 0; f < frames; ++f)
                translation_of(&b->joint[i], b->node[i].local.translation, row + (size_t)f * (size_t)b->columns,
                               value + 3 * (ptrdiff_t)f);
        }
        if (turns) {
            ERI_TRY(new_channel(b, i, ER_PATH_ROTATION, frames, time, &channel[(*channel_count)++], &value));
            for (int f = 0; f < frames; ++f)
                rotation_of(&b->joint[i], row + (size_t)f * (size_t)b->columns, value + 4 * (ptrdiff_t)f);
        }
    }
done:
    return r;
}

// Reads the numbers of all whole frames; fewer than announced if the file is cut short.
static er_result read_rows(bvh_reader *b, er_arena *scratch, double announced, int *frames, double **row)
{
    er_result r = ER_OK;
    size_t columns = (size_t)b->columns, left = strlen(b->at);
    size_t most = left / (2 * columns) + 1; // a number takes two bytes at least, with its space
    *frames = 0;
    if (announced < (double)most) most = (size_t)announced;
    if (most > INT_MAX / 4) ERI_TRY(broken(b, "there are too many frames"));
    ERI_TRY_NEW(*row, scratch, double, most *columns);
    for (bool whole = true; whole && (size_t)*frames < most; *frames += whole)
        for (size_t k = 0; k < columns && whole; ++k)
            whole = take_number(b, &(*row)[(size_t)*frames * columns + k]);
    if (*frames < announced)
        ERI_TRY(imp_reader_note(b->reader, ER_NOTE_WARNING,
                                "the motion should have %.0f frames, but has only %d that are whole", announced,
                                *frames));
done:
    return r;
}

static er_result read_motion(bvh_reader *b)
{
    double announced = 0.0, step = 0.0, *row = NULL, *time = NULL;
    int frames = 0, count = 0;
    er_arena *scratch = NULL;
    er_channel *channel = NULL;
    er_clip *clip = NULL;
    er_result r = ER_OK;
    if (!take(b, "MOTION")) return imp_reader_note(b->reader, ER_NOTE_FACT, "the file has a skeleton, but no motion");
    if (!take(b, "Frames:") || !take_number(b, &announced) || !(announced >= 0.0))
        return broken(b, "MOTION is not followed by \"Frames:\" and their number");
    if (!take(b, "Frame") || !take(b, "Time:") || !take_number(b, &step))
        return broken(b, "\"Frames:\" is not followed by \"Frame Time:\" and seconds");
    if (b->columns == 0 || announced < 1.0) return ER_OK;
    if (!(step > 0.0)) {
        ERI_TRY(imp_reader_note(b->reader, ER_NOTE_WARNING, "the frame time is %g s; 25 frames a second are assumed",
                                step));
        step = 0.04;
    }
    ERI_TRY(eri_arena_create(b->reader->context, &scratch));
    ERI_TRY(read_rows(b, scratch, announced, &frames, &row));
    if (frames == 0) goto done;
    ERI_TRY_NEW(time, b->reader->arena, double, frames);
    ERI_TRY_NEW(channel, b->reader->arena, er_channel, 2 * (size_t)b->count);
    ERI_TRY_NEW(clip, b->reader->arena, er_clip, 1);
    for (int f = 0; f < frames; ++f)
        time[f] = f * step;
    ERI_TRY(build_channels(b, frames, time, row, channel, &count));
    clip->name = "motion";
    ERI_TRY(imp_reader_finish_clip(b->reader, clip, channel, count, NULL));
    b->reader->scene->clip = clip;
    b->reader->scene->clip_count = 1;
done:
    eri_arena_destroy(scratch);
    return r;
}

// ---- units ----

// The largest extent of the rest pose along an axis.
static er_result measure(const bvh_reader *b, double *out)
{
    er_result r = ER_OK;
    er_arena *scratch = NULL;
    er_vec3 *p = NULL, low = b->node[0].local.translation, high = low;
    ERI_TRY(eri_arena_create(b->reader->context, &scratch));
    ERI_TRY_NEW(p, scratch, er_vec3, b->count);
    for (int i = 0; i < b->count; ++i) {
        er_vec3 t = b->node[i].local.translation;
        p[i] = b->node[i].parent < 0 ? t : er_v3_add(p[b->node[i].parent], t);
        low = er_v3(fmin(low.x, p[i].x), fmin(low.y, p[i].y), fmin(low.z, p[i].z));
        high = er_v3(fmax(high.x, p[i].x), fmax(high.y, p[i].y), fmax(high.z, p[i].z));
    }
    *out = fmax(high.x - low.x, fmax(high.y - low.y, high.z - low.z));
done:
    eri_arena_destroy(scratch);
    return r;
}

static er_result guess_unit(bvh_reader *b)
{
    double across = 0.0;
    er_result r = measure(b, &across);
    if (r != ER_OK) return r;
    bool centimetres = across > METRES_ACROSS;
    b->reader->scene->metres_per_unit = centimetres ? 0.01 : 1.0;
    return imp_reader_note(b->reader, ER_NOTE_WARNING,
                           "BVH has no unit: the skeleton is %.4g units across and taken to be in %s; --height sets "
                           "its true size",
                           across, centimetres ? "centimetres" : "metres");
}

er_result imp_read_bvh(imp_reader *reader, imp_bytes file)
{
    bvh_reader b = {.reader = reader, .at = (const char *)file.at, .line = 1};
    er_scene *scene = reader->scene;
    er_result r = ER_OK;
    size_t braces = 0;
    for (size_t i = 0; i < file.size; ++i)
        braces += file.at[i] == '{';
    if (braces >= INT_MAX / 4) ERI_TRY(broken(&b, "there are too many joints"));
    ERI_TRY_NEW(b.node, reader->arena, er_node, braces + 1); // one more for a joint that lacks its brace
    ERI_TRY_NEW(b.joint, reader->arena, bvh_joint, braces + 1);
    b.at += eri_utf8_mark(b.at, file.size);
    ERI_TRY(read_hierarchy(&b));
    scene->format = ER_FORMAT_BVH;
    scene->format_name = "Biovision BVH";
    scene->node = b.node;
    scene->node_count = b.count;
    ERI_TRY(guess_unit(&b));
    ERI_TRY(read_motion(&b));
done:
    return r;
}
