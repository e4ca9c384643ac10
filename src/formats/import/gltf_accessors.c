// The arrays of a glTF document: buffer views, and accessors as numbers. Source: Khronos glTF 2.0 specification, 3.6.
#include "formats/import/gltf_reader.h"

#include <limits.h>
#include <string.h>

// An accessor without a buffer view is all zeros and needs no bytes in the file, so memory needs a limit.
#define MOST_ELEMENTS 100000000u

er_result imp_gltf_view_bytes(imp_gltf *gltf, int view, imp_bytes *out)
{
    if (imp_gltf_is_compressed(gltf, view)) return imp_gltf_decompress_view(gltf, view, out);
    return imp_gltf_buffer_bytes(gltf, imp_gltf_item(gltf, "bufferViews", view), "bufferViews", view, out);
}

// ---- accessors ----

static int component_size(int type)
{
    return type == 5120 || type == 5121 ? 1 : type == 5122 || type == 5123 ? 2 : type == 5125 || type == 5126 ? 4 : 0;
}

static double component(const uint8_t *at, int type)
{
    uint32_t w;
    float f;
    switch (type) {
    case 5120:
        return (int8_t)at[0];
    case 5121:
        return at[0];
    case 5122:
        return (int16_t)imp_half_word(at);
    case 5123:
        return imp_half_word(at);
    case 5125:
        return imp_word(at);
    default:
        w = imp_word(at);
        memcpy(&f, &w, 4);
        return f;
    }
}

// 3.11: integers that stand for [0, 1] or [-1, 1].
double imp_gltf_value(const imp_gltf_form *form, double stored)
{
    if (!form->normalized) return stored;
    switch (form->type) {
    case 5120:
        return fmax(stored / 127.0, -1.0);
    case 5121:
        return stored / 255.0;
    case 5122:
        return fmax(stored / 32767.0, -1.0);
    case 5123:
        return stored / 65535.0;
    case 5125:
        return stored / 4294967295.0;
    default:
        return stored;
    }
}

static const struct {
    const char *name;
    int components;
} accessor_types[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}}; // the rest is not used

static int components_of(const char *type, const char *accepted)
{
    for (size_t i = 0; i < ERI_COUNT(accessor_types); ++i) {
        const char *name = accessor_types[i].name;
        if (strcmp(type, name) == 0 && strstr(accepted, name) != NULL) return accessor_types[i].components;
    }
    return 0;
}

er_result imp_gltf_form_of(const imp_gltf *gltf, int accessor, const char *types, const char *what, imp_gltf_form *out)
{
    const json_t *object = imp_gltf_item(gltf, "accessors", accessor);
    const char *type = imp_gltf_string(object, "type");
    uint64_t component_type = 0;
    er_result r = imp_gltf_size(gltf, object, "componentType", 0, "accessors", accessor, &component_type);
    if (r != ER_OK) return r;
    *out = (imp_gltf_form){.type = component_type <= 5126 ? (int)component_type : 0,
                           .components = components_of(type, types),
                           .normalized = json_is_true(json_object_get(object, "normalized"))};
    if (component_size(out->type) == 0)
        return imp_gltf_broken(gltf, "accessors[%d].componentType is %llu, which does not exist", accessor,
                               (unsigned long long)component_type);
    if (out->components == 0)
        return imp_gltf_broken(gltf, "accessors[%d] holds %s and is of type \"%s\", not %s", accessor, what, type,
                               types);
    return ER_OK;
}

// Numbers that lie at regular steps in a buffer view.
typedef struct array_view {
    imp_bytes bytes;
    uint64_t offset, stride;
    uint64_t count;
    imp_gltf_form form;
} array_view;

// Sets bytes and stride, and checks that the last element ends inside.
static er_result locate(imp_gltf *gltf, array_view *a, int view, int accessor)
{
    er_result r = ER_OK;
    uint64_t element = (uint64_t)(component_size(a->form.type) * a->form.components), last;
    ERI_TRY(imp_gltf_view_bytes(gltf, view, &a->bytes));
    ERI_TRY(imp_gltf_size(gltf, imp_gltf_item(gltf, "bufferViews", view), "byteStride", element, "bufferViews", view,
                          &a->stride));
    if (a->stride < element || a->stride > 65535)
        ERI_TRY(imp_gltf_broken(gltf, "bufferViews[%d].byteStride is %llu, not between the element's size %llu and 252",
                                view, (unsigned long long)a->stride, (unsigned long long)element));
    last = a->count == 0 ? 0 : (a->count - 1) * a->stride + element; // at most 1e8 x 65535
    if (a->offset > a->bytes.size || last > a->bytes.size - a->offset)
        ERI_TRY(imp_gltf_broken(gltf, "accessors[%d] reaches to byte %llu of a buffer view of %zu", accessor,
                                (unsigned long long)(a->offset + last), a->bytes.size));
done:
    return r;
}

static void read_elements(const array_view *a, double *out)
{
    int size = component_size(a->form.type);
    for (uint64_t i = 0; i < a->count; ++i) {
        const uint8_t *element = a->bytes.at + a->offset + i * a->stride;
        for (int j = 0; j < a->form.components; ++j)
            *out++ = imp_gltf_value(&a->form, component(element + j * size, a->form.type));
    }
}

// 3.6.2.3: some elements replaced by others.
static er_result read_sparse(imp_gltf *gltf, const json_t *sparse, const array_view *base, int accessor,
                             er_arena *scratch, double *out)
{
    const json_t *indices = json_object_get(sparse, "indices"), *values = json_object_get(sparse, "values");
    array_view where = {.form.components = 1}, what = *base;
    int where_view = -1, what_view = -1;
    uint64_t count = 0, type = 0;
    double *index = NULL, *value = NULL;
    er_result r = ER_OK;
    ERI_TRY(imp_gltf_size(gltf, sparse, "count", 0, "accessors", accessor, &count));
    ERI_TRY(imp_gltf_size(gltf, indices, "componentType", 0, "accessors", accessor, &type));
    ERI_TRY(imp_gltf_size(gltf, indices, "byteOffset", 0, "accessors", accessor, &where.offset));
    ERI_TRY(imp_gltf_size(gltf, values, "byteOffset", 0, "accessors", accessor, &what.offset));
    ERI_TRY(imp_gltf_index(gltf, indices, "bufferView", gltf->view_count, "accessors", accessor, &where_view));
    ERI_TRY(imp_gltf_index(gltf, values, "bufferView", gltf->view_count, "accessors", accessor, &what_view));
    if (count > base->count || where_view < 0 || what_view < 0 || (type != 5121 && type != 5123 && type != 5125))
        ERI_TRY(imp_gltf_broken(gltf, "accessors[%d].sparse is not complete", accessor));
    where.form.type = (int)type;
    where.count = what.count = count;
    ERI_TRY(locate(gltf, &where, where_view, accessor));
    ERI_TRY(locate(gltf, &what, what_view, accessor));
    ERI_TRY_NEW(index, scratch, double, count);
    ERI_TRY_NEW(value, scratch, double, count *(uint64_t)base->form.components);
    read_elements(&where, index);
    read_elements(&what, value);
    for (uint64_t i = 0; i < count; ++i) {
        if (index[i] >= (double)base->count)
            ERI_TRY(imp_gltf_broken(gltf, "accessors[%d].sparse replaces element %.0f of %llu", accessor, index[i],
                                    (unsigned long long)base->count));
        memcpy(out + (uint64_t)index[i] * (uint64_t)base->form.components, value + i * (uint64_t)base->form.components,
               (size_t)base->form.components * sizeof *out);
    }
done:
    return r;
}

er_result imp_gltf_accessor_numbers(imp_gltf *gltf, int accessor, const char *types, const char *what,
                                    er_arena *scratch, int *count, int *components, double **out)
{
    const json_t *object = imp_gltf_item(gltf, "accessors", accessor), *sparse = json_object_get(object, "sparse");
    array_view a = {0};
    int view = -1;
    er_result r = ER_OK;
    ERI_TRY(imp_gltf_form_of(gltf, accessor, types, what, &a.form));
    ERI_TRY(imp_gltf_size(gltf, object, "count", 0, "accessors", accessor, &a.count));
    ERI_TRY(imp_gltf_size(gltf, object, "byteOffset", 0, "accessors", accessor, &a.offset));
    ERI_TRY(imp_gltf_index(gltf, object, "bufferView", gltf->view_count, "accessors", accessor, &view));
    if (a.count > MOST_ELEMENTS)
        ERI_TRY(imp_gltf_broken(gltf, "accessors[%d] says it has %llu elements, more than the %u that are read",
                                accessor, (unsigned long long)a.count, MOST_ELEMENTS));
    if (view >= 0) ERI_TRY(locate(gltf, &a, view, accessor));
    ERI_TRY_NEW(*out, scratch, double, a.count *(uint64_t)a.form.components);
    if (view >= 0) read_elements(&a, *out);
    if (sparse != NULL) ERI_TRY(read_sparse(gltf, sparse, &a, accessor, scratch, *out));
    *count = (int)a.count;
    if (components != NULL) *components = a.form.components;
done:
    return r;
}
