/// @file
/// Writing XML into memory.
///
/// A document takes hundreds of calls that can fail in the same few ways, so the writer keeps its first failure: after
/// it every call here does nothing, and eri_xml_check() tells.
#ifndef ERI_FORMATS_COLLADA_XML_H
#define ERI_FORMATS_COLLADA_XML_H

#include <eigenrig/math.h>

#include "base/buffer.h"
#include "base/names.h"

/// Made with eri_xml_start(). All memory is the arena's.
typedef struct eri_xml {
    er_arena *arena;  ///< borrowed
    const char *path; ///< of the file to write, for messages
    eri_names ids;    ///< those taken
    eri_buffer text;
    const char **open; ///< [depth], names of the elements that are open; literals
    int depth, open_room;
    bool tag;          ///< the last one's start tag is
    er_result failure; ///< the first, or ER_OK
} eri_xml;

/// An empty document, ready for its root element.
void eri_xml_start(eri_xml *xml, er_arena *arena, const char *path);

/// The first failure, or ER_OK.
er_result eri_xml_check(const eri_xml *xml);

void eri_xml_open(eri_xml *xml, const char *element);
void eri_xml_close(eri_xml *xml);

/// An attribute of the element that was opened last. Texts may be any bytes: what XML cannot hold becomes U+FFFD.
void eri_xml_attribute(eri_xml *xml, const char *name, const char *value);
void eri_xml_attribute_f(eri_xml *xml, const char *name, const char *format, ...) ER_PRINTF(3, 4);
void eri_xml_attribute_number(eri_xml *xml, const char *name, double value);

/// Content of the open element.
void eri_xml_text(eri_xml *xml, const char *text);

/// An element that holds nothing but a text.
void eri_xml_leaf(eri_xml *xml, const char *element, const char *text);

/// Numbers, `width` a line, that read back to nine digits, whatever the locale.
/// They fail with ER_ERROR_ARGUMENT where no float holds one.
void eri_xml_doubles(eri_xml *xml, const double *value, size_t count, size_t width);
void eri_xml_floats(eri_xml *xml, const float *value, size_t count, size_t width);
void eri_xml_ints(eri_xml *xml, const int *value, size_t count, size_t width);

/// A matrix by rows, the sixteen numbers of a <matrix>.
void eri_xml_affine(eri_xml *xml, er_affine a);
void eri_xml_rows(er_affine a, double row[16]);

/// An id nobody has: `wanted` where that is legal and free, else one like it of at most 63 bytes. NULL when there is no
/// memory.
const char *eri_xml_id(eri_xml *xml, const char *wanted);

/// An id nobody has, for a part of the element `owner`: "<owner>-<part>", or one like it.
const char *eri_xml_part_id(eri_xml *xml, const char *owner, const char *part);

#endif
