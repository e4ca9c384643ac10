// Mixes: texts of command lines, and files, which are JSON. A mix that is written reads back the same.
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed)
{
    return fuzz_mutate_json(data, size, room, seed);
}

static void write_twice(er_context *context, const er_mix *mix)
{
    const char *first = fuzz_path("first.json"), *second = fuzz_path("second.json");
    er_mix *back = NULL;
    er_result r = er_mix_file_write(context, mix, first);
    if (r != ER_OK) return; // the name of a mix may be no UTF-8
    r = er_mix_file_read(context, first, &back);
    fuzz_promise(r == ER_OK || r == ER_ERROR_MEMORY, context, "a mix that was written is read");
    if (r == ER_OK && er_mix_file_write(context, back, second) == ER_OK)
        fuzz_promise(fuzz_same_files(first, second), context, "a mix read back is written the same");
    er_mix_destroy(back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    er_context *context = fuzz_context();
    er_mix *mix = NULL;
    char *text = strndup((const char *)data, size);
    er_result r = size > 0 && data[0] == '{' ? er_mix_file_read(context, fuzz_file("mix.json", data, size), &mix)
                                             : er_mix_parse(context, text, &mix);
    if (r == ER_OK) write_twice(context, mix);
    er_mix_destroy(mix);
    free(text);
    er_context_destroy(context);
    return 0;
}
