/// @file
/// Collada's <source>: an array with an accessor that says what its numbers are.
#ifndef ERI_FORMATS_COLLADA_COLLADA_SOURCE_H
#define ERI_FORMATS_COLLADA_COLLADA_SOURCE_H

#include "formats/collada/xml.h"

/// Opens <source> and its array, `array` being "float_array" or "Name_array", for `size` values to be written.
void eri_dae_open_source(eri_xml *xml, const char *id, const char *array, size_t size);

/// Closes both, with an accessor of `count` elements.
/// @param names  of an element's parts, up to NULL; one for a matrix
/// @param type   of a part: "float", "name", "float4x4"
void eri_dae_close_source(eri_xml *xml, const char *id, int count, const char *const *names, const char *type);

/// An <input>; `offset` and `set` are left out where they are negative.
void eri_dae_put_input(eri_xml *xml, const char *semantic, const char *source, int offset, int set);

#endif
