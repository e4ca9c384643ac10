/// @file
/// Private to the Assimp reader: the files that Assimp may open.
#ifndef ERI_TOOLS_IMPORTER_ASSIMP_FILES_H
#define ERI_TOOLS_IMPORTER_ASSIMP_FILES_H

#include <assimp/cfileio.h>

#include "formats/import/scene_reader.h"

/// Assimp's access to files. Must not move while Assimp reads.
typedef struct imp_assimp_files {
    struct aiFileIO io; ///< for Assimp
    imp_reader *reader;
    const char *name; ///< the model's name there
    imp_bytes model;
    const char *refused; ///< the first reference that led elsewhere; NULL for none
    int refused_count;
} imp_assimp_files;

/// @param model  the model's bytes, which outlive the reading
void imp_assimp_files_begin(imp_assimp_files *files, imp_reader *reader, imp_bytes model);

/// Reports references that were refused because of their place.   Errors: ER_ERROR_MEMORY.
er_result imp_assimp_files_note(imp_assimp_files *files);

#endif
