// The bytes of a .glb, and what its JSON says.
#include "glb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 20 };

glb glb_open(const char *path)
{
    glb g = {.bytes = calloc(MOST, 1)};
    FILE *file = fopen(path, "rb");
    assert_true(g.bytes != NULL && file != NULL);
    size_t size = fread(g.bytes, 1, MOST, file);
    fclose(file);
    uint32_t head[5], chunk[2];
    memcpy(head, g.bytes, sizeof head);
    assert_true(head[0] == 0x46546C67 && head[1] == 2 && head[2] == size && head[3] % 4 == 0 && head[4] == 0x4E4F534A);
    g.root = json_loadb((const char *)g.bytes + 20, head[3], 0, NULL);
    assert_non_null(g.root);
    size_t at = 20 + head[3], end = at;
    while (g.bytes[end - 1] == ' ')
        --end;
    assert_true(at - end < 4 && g.bytes[end - 1] == '}'); // filled with spaces
    while (at < size) {
        memcpy(chunk, g.bytes + at, sizeof chunk);
        assert_true(chunk[0] % 4 == 0 && at + 8 + chunk[0] <= size);
        if (chunk[1] == 0x004E4942 && g.bin == NULL && at == 20 + head[3]) {
            g.bin = g.bytes + at + 8;
            g.bin_size = chunk[0];
            g.after = g.bin + g.bin_size;
        }
        at += 8 + chunk[0];
    }
    assert_int_equal(at, size);
    if (g.after == NULL) g.after = g.bytes + 20 + head[3];
    g.after_size = (size_t)(g.bytes + size - g.after);
    return g;
}

void glb_close(glb *g)
{
    json_decref(g->root);
    free(g->bytes);
}

int64_t glb_number(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

const char *glb_text(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

const json_t *glb_element(const glb *g, const char *list, int64_t index)
{
    return json_array_get(json_object_get(g->root, list), (size_t)index);
}

static const uint8_t *start_of(const glb *g, const json_t *accessor)
{
    const json_t *view = glb_element(g, "bufferViews", glb_number(accessor, "bufferView"));
    return g->bin + glb_number(view, "byteOffset") + glb_number(accessor, "byteOffset");
}

const uint8_t *glb_accessed(const glb *g, int64_t accessor, size_t i, int64_t *type)
{
    const json_t *a = glb_element(g, "accessors", accessor),
                 *view = glb_element(g, "bufferViews", glb_number(a, "bufferView"));
    *type = glb_number(a, "componentType");
    size_t width = *type == 5126 ? 4 : *type == 5123 ? 2 : 1, stride = (size_t)glb_number(view, "byteStride");
    if (stride == 0) stride = 4 * width;
    assert_true((int64_t)i < glb_number(a, "count"));
    return start_of(g, a) + i * stride;
}

const float *glb_floats(const glb *g, int64_t accessor)
{
    const json_t *a = glb_element(g, "accessors", accessor);
    assert_int_equal(glb_number(a, "componentType"), 5126);
    return (const float *)(const void *)start_of(g, a);
}
