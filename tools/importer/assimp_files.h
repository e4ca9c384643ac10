/// @file
/// Private to the Assimp reader: the files that Assimp may open.
#ifndef ERI_TOOLS_IMPORTER_ASSIMP_FILES_H
#define ERI_TOOLS_IMPORTER_ASSIMP_FILES_H

#include <assimp/cfileio.h>

#include "tools/importer/reader.h"

/// Assimp's way to files. It stays where it is while Assimp reads.
typedef struct imp_assimp_files {
    struct aiFileIO io; ///< for Assimp
    imp_reader *reader;
    const char *name; ///< what the model is called there
    imp_bytes model;
    const char *refused; ///< the first reference that led elsewhere; NULL for none
    int refused_count;
} imp_assimp_files;

/// @param model  the model's bytes, which outlive the reading
void imp_assimp_files_begin(imp_assimp_files *files, imp_reader *reader, imp_bytes model);

/// Tells of references that were refused for where they lead.   Errors: ER_ERROR_MEMORY.
er_result imp_assimp_files_note(imp_assimp_files *files);

#endif
