// Rig files: a rig that is read is written, reads back and is written the same; its modes are found or refused.
#include "tests/fuzz/fuzz.h"

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed)
{
    return fuzz_mutate_json(data, size, room, seed);
}

static void write_twice(er_context *context, const er_model *model)
{
    const char *first = fuzz_path("first.json"), *second = fuzz_path("second.json");
    er_model *back = NULL;
    er_result r = er_rig_file_write(context, model, first);
    fuzz_promise(r == ER_OK || r == ER_ERROR_MEMORY, context, "a rig that was read is written");
    if (r == ER_OK) r = er_rig_file_read(context, first, NULL, NULL, &back);
    fuzz_promise(r == ER_OK || r == ER_ERROR_MEMORY, context, "a rig that was written is read");
    if (r == ER_OK && er_rig_file_write(context, back, second) == ER_OK)
        fuzz_promise(fuzz_same_files(first, second), context, "a rig read back is written the same");
    er_model_destroy(back);
}

static void find_modes(er_context *context, const er_model *model, size_t size)
{
    static const er_modal_method methods[] = {ER_MODAL_AUTO, ER_MODAL_QR, ER_MODAL_TREE, ER_MODAL_SPARSE, ER_MODAL_SVD};
    er_modal_def def = er_default_modal_def();
    er_modes *modes = NULL;
    def.method = methods[size % 5];
    def.mode_count = 12;
    if (er_modal_solve(context, model, &def, &modes) == ER_OK)
        er_palette_file_write(context, model, modes, NULL, NULL, NULL, fuzz_path("palette.json"));
    er_modes_destroy(modes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    er_context *context = fuzz_context();
    er_model *model = NULL;
    const char *path = fuzz_file("rig.json", data, size);
    er_file_is_rig(context, path);
    if (er_rig_file_read(context, path, NULL, NULL, &model) == ER_OK) {
        write_twice(context, model);
        if (model->body_count <= 30 && model->joint_count <= 40) find_modes(context, model, size);
    }
    er_model_destroy(model);
    er_context_destroy(context);
    return 0;
}
