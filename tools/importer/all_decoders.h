/// @file
/// Private to the importer: the decoders of compressed glTF.
#ifndef ERI_TOOLS_IMPORTER_ALL_DECODERS_H
#define ERI_TOOLS_IMPORTER_ALL_DECODERS_H

#include "formats/import/decoders.h"

/// Draco's and meshoptimizer's.
extern const imp_decoders imp_all_decoders;

#endif
