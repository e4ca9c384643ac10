/// @file
/// Private to the Assimp reader: the files that Assimp may open.
#ifndef ER_TOOLS_IMPORTER_ASSIMP_FILES_H
#define ER_TOOLS_IMPORTER_ASSIMP_FILES_H

#include <assimp/cfileio.h>

#include "tools/importer/reader.h"

/// Assimp's way to files. It stays where it is while Assimp reads.
typedef struct er_assimp_files {
    struct aiFileIO io; ///< for Assimp
    er_reader *reader;
    const char *name; ///< what the model is called there
    er_bytes model;
    const char *refused; ///< the first reference that led elsewhere; NULL for none
    int refused_count;
} er_assimp_files;

/// @param model  the model's bytes, which outlive the reading
void er_assimp_files_begin(er_assimp_files *files, er_reader *reader, er_bytes model);

/// Tells of references that were refused for where they lead.   Errors: ER_ERROR_MEMORY.
er_result er_assimp_files_note(er_assimp_files *files);

#endif
