// glTF, .gltf and .glb: a file that is read goes through the pipe unchanged, makes a rig or none, and is written, with
// its first clip once more, to a file that reads the same. Its spring bones are in range.
#include <string.h>

#include <eigenrig/formats.h>
#include <eigenrig/rig.h>

#include "tests/fuzz/fuzz.h"

enum { MOST_NODES = 100, MOST_VERTICES = 10000 };

// The JSON of a .gltf, or of the first chunk of a .glb, which is packed anew.
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed)
{
    uint32_t head[5];
    if (size < sizeof head || memcmp(data, "glTF", 4) != 0) return fuzz_mutate_json(data, size, room, seed);
    memcpy(head, data, sizeof head);
    if (seed % 4 == 0 || head[3] > size - sizeof head) return LLVMFuzzerMutate(data, size, room);
    size_t rest = size - sizeof head - head[3];
    static uint8_t tail[1 << 20];
    if (rest > sizeof tail || rest + sizeof head >= room) return LLVMFuzzerMutate(data, size, room);
    memcpy(tail, data + sizeof head + head[3], rest);
    size_t length = fuzz_mutate_json(data + sizeof head, head[3], (room - rest - sizeof head) & ~(size_t)3, seed);
    for (; length % 4 != 0; ++length)
        data[sizeof head + length] = ' ';
    memcpy(data + sizeof head + length, tail, rest);
    head[3] = (uint32_t)length;
    head[2] = (uint32_t)(sizeof head + length + rest);
    memcpy(data, head, sizeof head);
    return head[2];
}

static bool small(const er_scene *scene)
{
    int vertices = 0;
    for (int i = 0; i < scene->instance_count; ++i) {
        const er_mesh *mesh = &scene->mesh[scene->instance[i].mesh];
        vertices += mesh->vertex_count + mesh->triangle_count;
        if (vertices > MOST_VERTICES) return false;
    }
    return scene->node_count <= MOST_NODES;
}

static void write_and_read(er_context *context, const er_scene *scene, const char *path)
{
    int clips = scene->clip_count > 0;
    er_arena *arena = NULL;
    er_scene *back = NULL;
    if (er_gltf_write(context, scene, clips, scene->clip, NULL, path) != ER_OK) return;
    er_result r = fuzz_read(context, imp_read_gltf, path, &arena, &back);
    fuzz_promise(r == ER_OK || r == ER_ERROR_MEMORY, context, "a glTF that was written is read");
    if (r == ER_OK) {
        fuzz_same_stance(context, scene, NULL, back, NULL, 0.0, 1e-5);
        if (clips > 0 && back->clip_count == scene->clip_count + 1)
            fuzz_same_stance(context, scene, scene->clip, back, &back->clip[scene->clip_count],
                             scene->clip->duration / 3.0, 1e-4);
    }
    eri_arena_destroy(arena);
}

static void make_rig(er_context *context, const er_scene *scene, size_t size)
{
    er_rig *rig = NULL;
    er_rig_def def = er_default_rig_def();
    if (size % 3 == 0) def.pose = ER_POSE_BIND;
    def.infer_parents = size % 5 == 0;
    er_rig_build(context, scene, &def, &rig);
    er_rig_destroy(rig);
}

// Spring bones of VRM are numbers in their range, on nodes that are there.
static void read_springs(er_context *context, const er_scene *scene)
{
    er_spring_bones *bones = NULL;
    if (er_spring_bones_read(context, scene, &bones) != ER_OK) return;
    bool good = true;
    for (int i = 0; i < bones->chain_count; ++i) {
        const er_spring_chain *chain = &bones->chain[i];
        good &= chain->joint_count > 0 && chain->center >= -1 && chain->center < scene->node_count;
        for (int k = 0; k < chain->joint_count; ++k) {
            const er_spring_joint *joint = &chain->joint[k];
            good &= joint->node >= 0 && joint->node < scene->node_count && joint->stiffness >= 0.0 &&
                    joint->drag >= 0.0 && joint->drag <= 1.0 && joint->hit_radius >= 0.0 && er_v3_finite(joint->tail);
        }
        for (int k = 0; k < chain->collider_count; ++k)
            good &= chain->collider[k] >= 0 && chain->collider[k] < bones->collider_count;
    }
    for (int i = 0; i < bones->collider_count; ++i)
        good &= bones->collider[i].node >= 0 && bones->collider[i].node < scene->node_count;
    fuzz_promise(good, context, "spring bones are in range");
    er_spring_bones_destroy(bones);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    er_context *context = fuzz_context();
    er_arena *arena = NULL;
    er_scene *scene = NULL;
    er_result r = fuzz_read(context, imp_read_gltf, fuzz_file("in.gltf", data, size), &arena, &scene);
    if (r == ER_OK && small(scene)) {
        fuzz_cross_wire(context, scene);
        read_springs(context, scene);
        write_and_read(context, scene, fuzz_path(size % 2 == 0 ? "out.glb" : "out.gltf"));
        if (size % 8 == 0) make_rig(context, scene, size); // which takes its time
    }
    eri_arena_destroy(arena);
    if (size > 0 && (data[0] == 'g' || data[0] == '{')) fuzz_import_bytes(context, data, size, r != ER_ERROR_FORMAT);
    er_context_destroy(context);
    return 0;
}
