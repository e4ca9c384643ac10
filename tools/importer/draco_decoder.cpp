// Draco's decoder for C. Exceptions can only be thrown in imp_draco_decode(), which catches them. Lack of memory never
// throws: it ends the importer (new_handler.h).
#include "tools/importer/draco_decoder.h"

#include <climits>
#include <memory>

#include <draco/compression/decode.h>

struct imp_draco {
    std::unique_ptr<draco::Mesh> mesh;
};

imp_draco *imp_draco_decode(const uint8_t *bytes, size_t size)
try {
    draco::DecoderBuffer buffer;
    buffer.Init(reinterpret_cast<const char *>(bytes), size);
    auto decoded = draco::Decoder().DecodeMeshFromBuffer(&buffer);
    if (!decoded.ok()) return nullptr;
    auto mesh = std::move(decoded).value();
    if (mesh->num_points() > INT_MAX || mesh->num_faces() > INT_MAX / 3) return nullptr;
    for (int i = 0; i < mesh->num_attributes(); ++i)
        mesh->attribute(i)->set_normalized(false); // glTF's accessors decide that
    return new imp_draco{std::move(mesh)};
} catch (...) {
    return nullptr;
}

void imp_draco_destroy(imp_draco *mesh)
{
    delete mesh;
}

int imp_draco_vertex_count(const imp_draco *mesh)
{
    return static_cast<int>(mesh->mesh->num_points());
}

int imp_draco_triangle_count(const imp_draco *mesh)
{
    return static_cast<int>(mesh->mesh->num_faces());
}

void imp_draco_corners(const imp_draco *mesh, double *corner)
{
    for (draco::FaceIndex i(0); i < mesh->mesh->num_faces(); ++i)
        for (draco::PointIndex vertex : mesh->mesh->face(i))
            *corner++ = vertex.value();
}

bool imp_draco_values(const imp_draco *mesh, uint32_t id, int components, double *value)
{
    const draco::PointAttribute *from = mesh->mesh->GetAttributeByUniqueId(id);
    uint32_t n = mesh->mesh->num_points();
    if (from == nullptr || from->num_components() != components) return false;
    if (!from->is_mapping_identity() && from->indices_map_size() < n) return false;
    for (draco::PointIndex i(0); i < n; ++i, value += components) {
        draco::AttributeValueIndex at = from->mapped_index(i);
        if (at >= static_cast<uint32_t>(from->size()) || !from->ConvertValue(at, value)) return false;
    }
    return true;
}
