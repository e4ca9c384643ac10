// Buffer views compressed by EXT_meshopt_compression: vertex and key numbers, some of them filtered, and triangles. An
// uncompressed fallback buffer is ignored. Source: Khronos, EXT_meshopt_compression; meshoptimizer's decoders rely on
// the checks made here.
#include <string.h>

#include "formats/import/gltf_reader.h"

#define EXTENSION "EXT_meshopt_compression"
#define ADVICE "decompress the model first, for example with \"gltf-transform copy\""

static const char *const mode_names[IMP_MESHOPT_MODES] = {"ATTRIBUTES", "TRIANGLES", "INDICES"};
static const char *const filter_names[IMP_MESHOPT_FILTERS] = {"NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL"};

// The index of a name; `count` if it is unknown.
static int find_name(const char *const *names, int count, const char *name)
{
    int i = 0;
    while (i < count && strcmp(names[i], name) != 0)
        ++i;
    return i;
}

static const json_t *extension_of(const imp_gltf *gltf, int view)
{
    return json_object_get(json_object_get(imp_gltf_item(gltf, "bufferViews", view), "extensions"), EXTENSION);
}

bool imp_gltf_is_compressed(const imp_gltf *gltf, int view)
{
    return extension_of(gltf, view) != NULL;
}

// Whether stride and count suit the mode and the filter.
static bool is_shaped(const imp_meshopt *c)
{
    uint64_t stride = c->stride;
    if (c->mode != IMP_MESHOPT_ATTRIBUTES)
        return (stride == 2 || stride == 4) && c->filter == IMP_MESHOPT_NONE &&
               (c->mode == IMP_MESHOPT_INDICES || c->count % 3 == 0);
    if (stride == 0 || stride > 256 || stride % 4 != 0) return false;
    return c->filter == IMP_MESHOPT_OCTAHEDRAL ? stride == 4 || stride == 8
                                               : c->filter != IMP_MESHOPT_QUATERNION || stride == 8;
}

static er_result describe(imp_gltf *gltf, int view, imp_meshopt *out)
{
    const json_t *extension = extension_of(gltf, view), *named = json_object_get(extension, "filter");
    imp_bytes bytes = {0};
    uint64_t length = 0;
    er_result r = ER_OK;
    *out = (imp_meshopt){
        .mode = (imp_meshopt_mode)find_name(mode_names, IMP_MESHOPT_MODES, imp_gltf_string(extension, "mode"))};
    if (named != NULL)
        out->filter =
            (imp_meshopt_filter)find_name(filter_names, IMP_MESHOPT_FILTERS, imp_gltf_string(extension, "filter"));
    ERI_TRY(imp_gltf_buffer_bytes(gltf, extension, EXTENSION, view, &bytes));
    out->bytes = bytes.at;
    out->size = bytes.size;
    ERI_TRY(imp_gltf_size(gltf, extension, "byteStride", 0, EXTENSION, view, &out->stride));
    ERI_TRY(imp_gltf_size(gltf, extension, "count", 0, EXTENSION, view, &out->count));
    ERI_TRY(
        imp_gltf_size(gltf, imp_gltf_item(gltf, "bufferViews", view), "byteLength", 0, "bufferViews", view, &length));
    if (out->mode == IMP_MESHOPT_MODES || out->filter == IMP_MESHOPT_FILTERS || !is_shaped(out))
        ERI_TRY(imp_gltf_broken(
            gltf, "bufferViews[%d] is compressed with a mode and filter that are not those of " EXTENSION " can be",
            view));
    if (out->count > UINT32_MAX || out->count * out->stride != length)
        ERI_TRY(imp_gltf_broken(gltf, "bufferViews[%d] has %llu bytes, but %llu compressed elements of %llu", view,
                                (unsigned long long)length, (unsigned long long)out->count,
                                (unsigned long long)out->stride));
    // a 2-bit header covers 16 bytes; a triangle and an index take a byte or more
    if (length / 64 > out->size)
        ERI_TRY(imp_gltf_broken(gltf, "bufferViews[%d] claims %llu bytes from %zu compressed ones, which is impossible",
                                view, (unsigned long long)length, out->size));
done:
    return r;
}

er_result imp_gltf_decompress_view(imp_gltf *gltf, int view, imp_bytes *out)
{
    imp_meshopt c;
    uint8_t *bytes;
    er_result r = ER_OK;
    *out = gltf->view[view];
    if (out->at != NULL) return ER_OK;
    const imp_decoders *decoders = gltf->reader->decoders;
    if (decoders == NULL)
        ERI_TRY(er_fail(gltf->reader->context, ER_ERROR_FORMAT,
                        "bufferViews[%d] is compressed with " EXTENSION ", which is not decoded here; " ADVICE, view));
    ERI_TRY(describe(gltf, view, &c));
    ERI_TRY_NEW(bytes, gltf->reader->arena, uint8_t, c.count * c.stride);
    if (!decoders->meshopt_decode(&c, bytes))
        ERI_TRY(er_fail(gltf->reader->context, ER_ERROR_FORMAT,
                        "bufferViews[%d] is compressed with " EXTENSION " and could not be decoded; " ADVICE, view));
    *out = gltf->view[view] = (imp_bytes){bytes, (size_t)(c.count * c.stride)};
done:
    return r;
}
