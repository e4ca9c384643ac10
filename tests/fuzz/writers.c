// Scenes that the input's bytes build, with a clip, in every format: the importer's readers read each written file, and
// its nodes stand as they stood.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "tools/importer/assimp_reader.h"

enum { MOST_NODES = 12, KEYS = 3 };

static const double step = 0.5; // s between keys, which are frames too

typedef struct supply {
    const uint8_t *at;
    size_t left;
} supply;

static uint8_t next(supply *s)
{
    if (s->left == 0) return 0;
    --s->left;
    return *s->at++;
}

static double between(supply *s, double low, double high)
{
    return low + (high - low) * next(s) / 255.0;
}

static er_quat turn(supply *s)
{
    er_vec3 rotation = er_v3(between(s, -2, 2), between(s, -2, 2), between(s, -2, 2));
    return er_q_exp(rotation);
}

typedef struct built {
    er_scene scene;
    er_node node[MOST_NODES];
    char name[MOST_NODES][8];
    er_clip clip;
    er_channel channel[MOST_NODES];
    double value[MOST_NODES][4 * KEYS];
} built;

static const double times[KEYS] = {0.0, step, 2.0 * step};

// A tree of rigid nodes; about every other one turns in the clip.
static void build(supply *s, built *b)
{
    b->scene = (er_scene){.path = "", .format = ER_FORMAT_OTHER, .format_name = "none", .metres_per_unit = 1.0};
    b->scene.up = er_v3(0, 1, 0);
    b->scene.node = b->node;
    b->scene.node_count = 2 + next(s) % (MOST_NODES - 1);
    b->clip = (er_clip){.name = "clip", .duration = times[KEYS - 1], .channel = b->channel};
    for (int i = 0; i < b->scene.node_count; ++i) {
        snprintf(b->name[i], sizeof b->name[i], "n%d", i);
        b->node[i] = (er_node){.name = b->name[i], .role = "", .parent = i == 0 ? -1 : next(s) % i, .source_index = -1};
        b->node[i].flags = ER_NODE_JOINT;
        b->node[i].local =
            (er_affine){er_m3_from_q(turn(s)), er_v3(between(s, -1, 1), between(s, 0, 2), between(s, -1, 1))};
        if (next(s) % 2 == 0) continue;
        er_quat last = {0};
        for (int k = 0; k < KEYS; ++k) {
            er_quat q = turn(s);
            if (k > 0 && er_q_dot(q, last) < 0) q = er_q(-q.w, -q.x, -q.y, -q.z);
            memcpy(b->value[i] + 4 * k, (double[]){q.x, q.y, q.z, q.w}, 4 * sizeof(double));
            last = q;
        }
        b->channel[b->clip.channel_count++] = (er_channel){.node = i,
                                                           .path = ER_PATH_ROTATION,
                                                           .interpolation = ER_LINEAR,
                                                           .key_count = KEYS,
                                                           .time = times,
                                                           .value = b->value[i]};
    }
}

typedef struct format {
    const char *name;
    er_scene_writer *write;
    er_result (*read)(imp_reader *, imp_bytes);
    double tolerance; // glTF and FBX hold keys as floats
} format;

static er_result write_bvh(er_context *context, const er_scene *scene, int count, const er_clip *clip,
                           const er_export_def *def, const char *path)
{
    (void)def;
    return er_bvh_write(context, scene, NULL, count > 0 ? clip : NULL, 1.0 / step, path);
}

static void judge(er_context *context, const built *b, const format *f)
{
    const char *path = fuzz_path(f->name);
    er_arena *arena = NULL;
    er_scene *back = NULL;
    int clips = b->clip.channel_count > 0;
    er_result r = f->write(context, &b->scene, clips, &b->clip, NULL, path);
    fuzz_promise(r == ER_OK, context, "a scene that keeps its promises is written");
    r = fuzz_read(context, f->read, path, &arena, &back);
    fuzz_promise(r == ER_OK, context, "a file that was written is read");
    if (clips == 0)
        fuzz_same_stance(context, &b->scene, NULL, back, back->clip_count > 0 ? back->clip : NULL, 0.0, f->tolerance);
    else
        fuzz_same_stance(context, &b->scene, &b->clip, back, back->clip, step, f->tolerance);
    eri_arena_destroy(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const format formats[] = {{"out.glb", er_gltf_write, imp_read_gltf, 1e-5},
                                     {"out.gltf", er_gltf_write, imp_read_gltf, 1e-5},
                                     {"out.bvh", write_bvh, imp_read_bvh, 1e-6},
                                     {"out.fbx", er_fbx_write, imp_read_assimp, 1e-3},
                                     {"out.dae", er_collada_write, imp_read_assimp, 1e-3}};
    supply s = {data, size};
    built b = {0};
    er_context *context = fuzz_context();
    const format *f = &formats[next(&s) % ERI_COUNT(formats)];
    build(&s, &b);
    judge(context, &b, f);
    er_context_destroy(context);
    return 0;
}
