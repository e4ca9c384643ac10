// Metadata of an Assimp scene and its nodes, by key.
#include "tools/importer/assimp.h"

#include <string.h>

const struct aiMetadataEntry *imp_assimp_metadata(const struct aiMetadata *data, const char *key)
{
    for (unsigned i = 0; data != NULL && i < data->mNumProperties; ++i)
        if (strcmp(data->mKeys[i].data, key) == 0 && data->mValues[i].mData != NULL) return &data->mValues[i];
    return NULL;
}

double imp_assimp_number(const struct aiMetadata *data, const char *key, double fallback)
{
    const struct aiMetadataEntry *entry = imp_assimp_metadata(data, key);
    if (entry == NULL) return fallback;
    switch (entry->mType) {
    case AI_INT32:
        return *(const int32_t *)entry->mData;
    case AI_UINT64:
        return (double)*(const uint64_t *)entry->mData;
    case AI_FLOAT:
        return (double)*(const float *)entry->mData;
    case AI_DOUBLE:
        return *(const double *)entry->mData;
    default:
        return fallback;
    }
}
