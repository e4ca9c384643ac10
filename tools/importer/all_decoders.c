// Draco's and meshoptimizer's decoders.
#include "tools/importer/all_decoders.h"

#include <meshoptimizer.h>

#include "tools/importer/draco_decoder.h"

static bool meshopt_decode(const imp_meshopt *v, uint8_t *out)
{
    size_t count = (size_t)v->count, stride = (size_t)v->stride;
    int failed = v->mode == IMP_MESHOPT_TRIANGLES ? meshopt_decodeIndexBuffer(out, count, stride, v->bytes, v->size)
                 : v->mode == IMP_MESHOPT_INDICES ? meshopt_decodeIndexSequence(out, count, stride, v->bytes, v->size)
                                                  : meshopt_decodeVertexBuffer(out, count, stride, v->bytes, v->size);
    if (failed != 0) return false;
    if (v->filter == IMP_MESHOPT_OCTAHEDRAL) meshopt_decodeFilterOct(out, count, stride);
    if (v->filter == IMP_MESHOPT_QUATERNION) meshopt_decodeFilterQuat(out, count, stride);
    if (v->filter == IMP_MESHOPT_EXPONENTIAL) meshopt_decodeFilterExp(out, count, stride);
    return true;
}

const imp_decoders imp_all_decoders = {
    imp_draco_decode,  imp_draco_destroy, imp_draco_vertex_count, imp_draco_triangle_count,
    imp_draco_corners, imp_draco_values,  meshopt_decode,
};
