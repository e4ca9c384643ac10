// Meshes compressed by libdraco's own encoder, for the tests of the decoder.
#include "encode.h"

#include <cstdlib>
#include <cstring>

#include <draco/compression/expert_encode.h>

static void add(draco::Mesh &mesh, const encode_attribute &from, uint32_t vertex_count)
{
    static const draco::GeometryAttribute::Type kinds[] = {
        draco::GeometryAttribute::POSITION, draco::GeometryAttribute::NORMAL, draco::GeometryAttribute::COLOR,
        draco::GeometryAttribute::TEX_COORD, draco::GeometryAttribute::GENERIC};
    draco::DataType type = from.type == 5121   ? draco::DT_UINT8
                           : from.type == 5123 ? draco::DT_UINT16
                                               : draco::DT_FLOAT32;
    int64_t stride = draco::DataTypeLength(type) * from.components;
    draco::GeometryAttribute form;
    form.Init(kinds[from.kind], nullptr, static_cast<uint8_t>(from.components), type, from.kind == ENCODE_COLOR, stride,
              0);
    int at = mesh.AddAttribute(form, true, vertex_count);
    mesh.attribute(at)->set_unique_id(from.id);
    for (draco::AttributeValueIndex i(0); i < vertex_count; ++i)
        mesh.attribute(at)->SetAttributeValue(i, static_cast<const char *>(from.values) + stride * i.value());
}

uint8_t *encode(encode_method method, int vertex_count, int triangle_count, const int *corner, int attribute_count,
                const encode_attribute *attribute, size_t *size)
{
    draco::Mesh mesh;
    mesh.set_num_points(static_cast<uint32_t>(vertex_count));
    for (int i = 0; i < triangle_count; ++i) {
        draco::Mesh::Face face;
        for (size_t k = 0; k < 3; ++k)
            face[k] = static_cast<uint32_t>(*corner++);
        mesh.AddFace(face);
    }
    for (int k = 0; k < attribute_count; ++k)
        add(mesh, attribute[k], static_cast<uint32_t>(vertex_count));
    const draco::PointCloud &points = mesh;
    draco::ExpertEncoder encoder = method == ENCODE_POINTS ? draco::ExpertEncoder(points) : draco::ExpertEncoder(mesh);
    encoder.SetEncodingMethod(method == ENCODE_EDGEBREAKER ? draco::MESH_EDGEBREAKER_ENCODING
                                                           : draco::MESH_SEQUENTIAL_ENCODING); // 0 for points too
    draco::EncoderBuffer out;
    if (!encoder.EncodeToBuffer(&out).ok()) abort();
    *size = out.size();
    void *bytes = malloc(out.size());
    if (bytes == nullptr) abort();
    memcpy(bytes, out.data(), out.size());
    return static_cast<uint8_t *>(bytes);
}
