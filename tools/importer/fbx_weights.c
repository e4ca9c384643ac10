// Weights of blend shapes at rest. Assimp drops them, so they are looked for in the bytes of the FBX file.
#include "tools/importer/assimp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char field[] = "DeformPercent";

// The number behind the field's name: a property of type D in a binary file, text after a colon in a text file.
static double percent_at(const uint8_t *at, size_t left)
{
    double percent = 0.0;
    char text[32] = "";
    if (left > sizeof percent && at[0] == 'D') {
        memcpy(&percent, at + 1, sizeof percent);
    } else if (left > 1 && at[0] == ':') {
        memcpy(text, at + 1, left - 1 < sizeof text - 1 ? left - 1 : sizeof text - 1);
        percent = strtod(text, NULL);
    }
    return isfinite(percent) ? percent : 0.0;
}

er_result imp_fbx_note_weights(imp_reader *reader, imp_bytes file)
{
    const size_t length = sizeof field - 1;
    int weighted = 0;
    if (!imp_ends_in(reader->path, ".fbx")) return ER_OK;
    for (size_t i = 0; i + length < file.size; ++i) {
        const uint8_t *at = memchr(file.at + i, field[0], file.size - length - i);
        if (at == NULL) break;
        i = (size_t)(at - file.at);
        if (memcmp(at, field, length) == 0) weighted += fabs(percent_at(at + length, file.size - i - length)) > 1e-6;
    }
    if (weighted == 0) return ER_OK;
    return imp_reader_note(reader, ER_NOTE_WARNING,
                           "%d blend shapes have a weight at rest, which is left out: the mesh has its basic shape; "
                           "export as glTF, or apply the shapes, to keep it",
                           weighted);
}
