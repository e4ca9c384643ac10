// Pose files, for three nodes, two of them with one name. A pose that is written reads back the same.
#include "tests/fuzz/fuzz.h"

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed)
{
    return fuzz_mutate_json(data, size, room, seed);
}

static er_node node[] = {{.name = "hip", .parent = -1}, {.name = "leg", .parent = 0}, {.name = "leg", .parent = 1}};
static const er_scene scene = {
    .path = "", .format = ER_FORMAT_OTHER, .metres_per_unit = 1.0, .node_count = ERI_COUNT(node), .node = node};

static void write_twice(er_context *context, const er_affine *local)
{
    const char *first = fuzz_path("first.json"), *second = fuzz_path("second.json");
    er_affine back[ERI_COUNT(node)];
    if (er_pose_file_write(context, &scene, local, first) != ER_OK) return; // numbers may grow beyond all bounds
    er_result r = er_pose_file_read(context, first, &scene, back);
    fuzz_promise(r == ER_OK || r == ER_ERROR_MEMORY, context, "a pose that was written is read");
    if (r == ER_OK && er_pose_file_write(context, &scene, back, second) == ER_OK)
        for (int i = 0; i < (int)ERI_COUNT(node); ++i)
            fuzz_promise(eri_affine_near(back[i], local[i], 1e-9), context, "a pose read back is the same");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    er_affine local[ERI_COUNT(node)];
    for (int i = 0; i < (int)ERI_COUNT(node); ++i)
        node[i].local = er_affine_identity();
    er_context *context = fuzz_context();
    if (er_pose_file_parse(context, "fuzz", (const char *)data, size, &scene, local) == ER_OK)
        write_twice(context, local);
    er_context_destroy(context);
    return 0;
}
