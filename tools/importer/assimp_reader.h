/// @file
/// Private to the importer: the reader of all formats that have no reader of ours.
#ifndef ERI_TOOLS_IMPORTER_ASSIMP_READER_H
#define ERI_TOOLS_IMPORTER_ASSIMP_READER_H

#include "formats/import/scene_reader.h"

/// Reads a file through Assimp: fills all of reader->scene but path, notes and arena.   @param file  the whole file
er_result imp_read_assimp(imp_reader *reader, imp_bytes file);

#endif
