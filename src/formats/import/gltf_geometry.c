// The numbers of a primitive. KHR_draco_mesh_compression may keep some of them in a block of bytes of its own: the
// triangles, and attributes by unique ids. Accessors still define their types, but not their places. Source: Khronos,
// KHR_draco_mesh_compression.
#include "formats/import/gltf_reader.h"

#define EXTENSION "KHR_draco_mesh_compression"
#define ADVICE "decompress the model first, for example with \"gltf-transform copy\""

// Whether an accessor member has a buffer view, and so data of its own.
static bool has_data(const imp_gltf *gltf, const json_t *object, const char *key)
{
    const json_t *accessor = json_object_get(object, key);
    double index = json_is_number(accessor) ? json_number_value(accessor) : -1.0;
    return index >= 0.0 && index < gltf->accessor_count &&
           json_object_get(imp_gltf_item(gltf, "accessors", (int)index), "bufferView") != NULL;
}

er_result imp_gltf_open_geometry(imp_gltf *gltf, const json_t *primitive, const char *mesh, imp_gltf_geometry *out)
{
    const json_t *extension = json_object_get(json_object_get(primitive, "extensions"), EXTENSION);
    imp_bytes bytes = {0};
    int view = -1;
    er_result r = ER_OK;
    *out = (imp_gltf_geometry){.primitive = primitive};
    if (extension == NULL || has_data(gltf, json_object_get(primitive, "attributes"), "POSITION")) goto done;
    ERI_TRY(imp_gltf_index(gltf, extension, "bufferView", gltf->view_count, EXTENSION, 0, &view));
    if (view < 0) ERI_TRY(imp_gltf_broken(gltf, "a primitive that is compressed with Draco has no buffer view"));
    ERI_TRY(imp_gltf_view_bytes(gltf, view, &bytes));
    out->id = json_object_get(extension, "attributes");
    const imp_decoders *decoders = gltf->reader->decoders;
    if (decoders == NULL)
        ERI_TRY(er_fail(gltf->reader->context, ER_ERROR_FORMAT,
                        "the mesh \"%.100s\" is compressed with Draco, which is not decoded here; " ADVICE, mesh));
    out->mesh = decoders->draco_decode(bytes.at, bytes.size);
    out->decoders = decoders;
    if (out->mesh == NULL)
        ERI_TRY(er_fail(gltf->reader->context, ER_ERROR_FORMAT,
                        "the mesh \"%.100s\" is compressed with Draco and could not be decoded; " ADVICE, mesh));
done:
    return r;
}

void imp_gltf_close_geometry(imp_gltf_geometry *geometry)
{
    if (geometry->mesh != NULL) geometry->decoders->draco_destroy(geometry->mesh);
    geometry->mesh = NULL;
}

er_result imp_gltf_attribute(imp_gltf *gltf, const imp_gltf_geometry *from, const char *name, const char *types,
                             er_arena *scratch, int *count, int *components, double **out)
{
    const json_t *attributes = json_object_get(from->primitive, "attributes");
    int accessor = -1;
    uint64_t id = 0;
    imp_gltf_form form;
    er_result r = ER_OK;
    *count = 0;
    *out = NULL;
    ERI_TRY(imp_gltf_index(gltf, attributes, name, gltf->accessor_count, "attributes", 0, &accessor));
    if (accessor < 0) goto done;
    if (from->mesh == NULL || (json_object_get(from->id, name) == NULL && has_data(gltf, attributes, name)))
        return imp_gltf_accessor_numbers(gltf, accessor, types, name, scratch, count, components, out);
    ERI_TRY(imp_gltf_form_of(gltf, accessor, types, name, &form));
    ERI_TRY(imp_gltf_size(gltf, from->id, name, UINT64_MAX, EXTENSION, 0, &id));
    size_t n = (size_t)from->decoders->draco_vertex_count(from->mesh) * (size_t)form.components;
    ERI_TRY_NEW(*out, scratch, double, n);
    if (id > UINT32_MAX || !from->decoders->draco_values(from->mesh, (uint32_t)id, form.components, *out))
        ERI_TRY(imp_gltf_broken(gltf, "a mesh that is compressed with Draco has no %s of %d numbers a vertex", name,
                                form.components));
    for (size_t i = 0; i < n; ++i)
        (*out)[i] = imp_gltf_value(&form, (*out)[i]);
    *count = from->decoders->draco_vertex_count(from->mesh);
    if (components != NULL) *components = form.components;
done:
    return r;
}

er_result imp_gltf_corners(imp_gltf *gltf, const imp_gltf_geometry *from, er_arena *scratch, int *count, double **out)
{
    int accessor = -1;
    er_result r = ER_OK;
    *count = 0;
    *out = NULL;
    if (from->mesh != NULL) {
        *count = 3 * from->decoders->draco_triangle_count(from->mesh);
        ERI_TRY_NEW(*out, scratch, double, *count);
        from->decoders->draco_corners(from->mesh, *out);
        goto done;
    }
    ERI_TRY(imp_gltf_index(gltf, from->primitive, "indices", gltf->accessor_count, "primitives", 0, &accessor));
    if (accessor >= 0) r = imp_gltf_accessor_numbers(gltf, accessor, "SCALAR", "indices", scratch, count, NULL, out);
done:
    return r;
}
