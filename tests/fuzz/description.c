// Descriptions of rigs: Lua in a sandbox.
#include "app/description/description.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    er_context *context = fuzz_context();
    open_description description = {0};
    const char *path = fuzz_file("m.rig.lua", data, size);
    if (description_open(context, path, size % 2 ? DESCRIPTION_BESIDE : 0, &description) == ER_OK)
        rig_settings_set_densities(context, &description.settings, 1000.0);
    description_close(&description);
    er_context_destroy(context);
    return 0;
}
