/// @file
/// Writing XML into memory.
///
/// A document takes hundreds of calls that can fail in the same few ways, so the writer keeps its first failure: after
/// it every call here does nothing, and er_xml_check() tells.
#ifndef ER_FORMATS_COLLADA_XML_H
#define ER_FORMATS_COLLADA_XML_H

#include <eigenrig/math.h>

#include "base/buffer.h"
#include "base/names.h"

/// Made with er_xml_start(). All memory is the arena's.
typedef struct er_xml {
    er_arena *arena;  ///< borrowed
    const char *path; ///< of the file to write, for messages
    er_names ids;     ///< those taken
    er_buffer text;
    const char **open; ///< [depth], names of the elements that are open; literals
    int depth, open_room;
    bool tag;          ///< the last one's start tag is
    er_result failure; ///< the first, or ER_OK
} er_xml;

/// An empty document, ready for its root element.
void er_xml_start(er_xml *xml, er_arena *arena, const char *path);

/// The first failure, or ER_OK.
er_result er_xml_check(const er_xml *xml);

void er_xml_open(er_xml *xml, const char *element);
void er_xml_close(er_xml *xml);

/// An attribute of the element that was opened last. Texts may be any bytes: what XML cannot hold becomes U+FFFD.
void er_xml_attribute(er_xml *xml, const char *name, const char *value);
void er_xml_attribute_f(er_xml *xml, const char *name, const char *format, ...) ER_PRINTF(3, 4);
void er_xml_attribute_number(er_xml *xml, const char *name, double value);

/// Content of the open element.
void er_xml_text(er_xml *xml, const char *text);

/// An element that holds nothing but a text.
void er_xml_leaf(er_xml *xml, const char *element, const char *text);

/// Numbers, `width` a line, that read back to nine digits, whatever the locale.
/// They fail with ER_ERROR_ARGUMENT where no float holds one.
void er_xml_doubles(er_xml *xml, const double *value, size_t count, size_t width);
void er_xml_floats(er_xml *xml, const float *value, size_t count, size_t width);
void er_xml_ints(er_xml *xml, const int *value, size_t count, size_t width);

/// A matrix by rows, the sixteen numbers of a <matrix>.
void er_xml_affine(er_xml *xml, er_affine a);
void er_xml_rows(er_affine a, double row[16]);

/// An id nobody has: `wanted` where that is legal and free, else one like it of at most 63 bytes. NULL when there is no
/// memory.
const char *er_xml_id(er_xml *xml, const char *wanted);

/// An id nobody has, for a part of the element `owner`: "<owner>-<part>", or one like it.
const char *er_xml_part_id(er_xml *xml, const char *owner, const char *part);

#endif
