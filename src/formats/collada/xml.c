// An XML document being written: elements, attributes, text and numbers, and ids that no two share.
#include "formats/collada/xml.h"

#include <assert.h>
#include <float.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"

enum { DIGITS = 9, ID_SIZE = 63 }; // that tell floats apart; bytes

static void keep(eri_xml *xml, er_result failure)
{
    if (xml->failure == ER_OK) xml->failure = failure;
}

void eri_xml_start(eri_xml *xml, er_arena *arena, const char *path)
{
    *xml = (eri_xml){.arena = arena, .path = path, .ids = {.arena = arena}, .text = {.arena = arena}};
}

er_result eri_xml_check(const eri_xml *xml)
{
    return xml->failure;
}

// --- bytes

static void put(eri_xml *xml, const char *bytes, size_t size)
{
    if (xml->failure != ER_OK) return;
    eri_buffer_add(&xml->text, bytes, size);
    keep(xml, xml->text.failure);
}

static void put_text(eri_xml *xml, const char *text)
{
    put(xml, text, strlen(text));
}

// Returns the replacement of a character of `length` bytes in text or an attribute's value; NULL if it needs none. XML
// 1.0 (2.2, 2.4) has no control characters, U+FFFE or U+FFFF; attributes need line ends and tabs as numbers.
static const char *stand_in(const char *c, size_t length)
{
    static const char replacement[] = "\xEF\xBF\xBD";
    switch (*c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\t':
        return "&#9;";
    case '\n':
        return "&#10;";
    case '\r':
        return "&#13;";
    default:
        break;
    }
    bool nothing = length == 3 && (memcmp(c, "\xEF\xBF\xBE", 3) == 0 || memcmp(c, "\xEF\xBF\xBF", 3) == 0);
    return length == 0 || (unsigned char)*c < 0x20 || nothing ? replacement : NULL;
}

static void put_escaped(eri_xml *xml, const char *text)
{
    while (*text != '\0') {
        size_t length = eri_utf8_length(text);
        const char *instead = stand_in(text, length);
        if (instead != NULL)
            put_text(xml, instead);
        else
            put(xml, text, length);
        text += length > 0 ? length : 1;
    }
}

// --- elements

static er_result push(eri_xml *xml, const char *element)
{
    er_result r = ER_OK;
    if (xml->depth == xml->open_room) {
        int room = 2 * xml->open_room + 64;
        const char **grown;
        ERI_TRY_NEW(grown, xml->arena, const char *, room);
        for (int i = 0; i < xml->depth; ++i)
            grown[i] = xml->open[i];
        xml->open = grown;
        xml->open_room = room;
    }
    xml->open[xml->depth++] = element;
done:
    return r;
}

void eri_xml_open(eri_xml *xml, const char *element)
{
    if (xml->failure != ER_OK) return;
    if (xml->depth == 0) put_text(xml, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    if (xml->tag) put_text(xml, ">\n");
    put_text(xml, "<");
    put_text(xml, element);
    xml->tag = true;
    keep(xml, push(xml, element));
}

void eri_xml_close(eri_xml *xml)
{
    if (xml->failure != ER_OK) return;
    assert(xml->depth > 0);
    const char *element = xml->open[--xml->depth];
    if (xml->tag) {
        put_text(xml, "/>\n");
    } else {
        put_text(xml, "</");
        put_text(xml, element);
        put_text(xml, ">\n");
    }
    xml->tag = false;
}

void eri_xml_attribute(eri_xml *xml, const char *name, const char *value)
{
    assert(xml->failure != ER_OK || xml->tag); // before any content
    put_text(xml, " ");
    put_text(xml, name);
    put_text(xml, "=\"");
    put_escaped(xml, value);
    put_text(xml, "\"");
}

void eri_xml_attribute_f(eri_xml *xml, const char *name, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *value = eri_arena_vprintf(xml->arena, format, arguments);
    va_end(arguments);
    if (value == NULL)
        keep(xml, ER_ERROR_MEMORY);
    else
        eri_xml_attribute(xml, name, value);
}

// Content follows the start tag.
static void end_tag(eri_xml *xml)
{
    if (xml->tag) put_text(xml, ">");
    xml->tag = false;
}

void eri_xml_text(eri_xml *xml, const char *text)
{
    end_tag(xml);
    put_escaped(xml, text);
}

void eri_xml_leaf(eri_xml *xml, const char *element, const char *text)
{
    eri_xml_open(xml, element);
    eri_xml_text(xml, text);
    eri_xml_close(xml);
}

// --- numbers

static void print_double(char number[ERI_NUMBER_ROOM], double value)
{
    eri_number_digits(value + 0.0, DIGITS, number); // + 0.0: no -0
}

void eri_xml_attribute_number(eri_xml *xml, const char *name, double value)
{
    char number[ERI_NUMBER_ROOM];
    print_double(number, value);
    eri_xml_attribute(xml, name, number);
}

// The i-th number of a list, after what parts it from the one before.
static void put_number(eri_xml *xml, const char *number, size_t i, size_t width)
{
    if (i > 0) put_text(xml, i % width == 0 ? "\n" : " ");
    put_text(xml, number);
}

static void put_double(eri_xml *xml, double value, size_t i, size_t width)
{
    char number[ERI_NUMBER_ROOM];
    if (fabs(value) <= (double)FLT_MAX) {
        print_double(number, value);
        put_number(xml, number, i, width);
    } else if (xml->failure == ER_OK) {
        xml->failure = er_fail(eri_arena_context(xml->arena), ER_ERROR_ARGUMENT,
                               "%s: cannot be written: it comes to the number %g, which no float holds; scale the "
                               "model down",
                               xml->path, value);
    }
}

void eri_xml_doubles(eri_xml *xml, const double *value, size_t count, size_t width)
{
    end_tag(xml);
    for (size_t i = 0; i < count && xml->failure == ER_OK; ++i)
        put_double(xml, value[i], i, width);
}

void eri_xml_floats(eri_xml *xml, const float *value, size_t count, size_t width)
{
    end_tag(xml);
    for (size_t i = 0; i < count && xml->failure == ER_OK; ++i)
        put_double(xml, (double)value[i], i, width);
}

void eri_xml_ints(eri_xml *xml, const int *value, size_t count, size_t width)
{
    end_tag(xml);
    for (size_t i = 0; i < count && xml->failure == ER_OK; ++i) {
        char number[ERI_NUMBER_ROOM];
        snprintf(number, sizeof number, "%d", value[i]);
        put_number(xml, number, i, width);
    }
}

void eri_xml_rows(er_affine a, double row[16])
{
    const double shift[3] = {a.translation.x, a.translation.y, a.translation.z};
    for (int i = 0; i < 3; ++i) {
        memcpy(row + 4 * i, a.linear.m[i], sizeof a.linear.m[i]);
        row[4 * i + 3] = shift[i];
        row[12 + i] = 0.0;
    }
    row[15] = 1.0;
}

void eri_xml_affine(eri_xml *xml, er_affine a)
{
    double row[16];
    eri_xml_rows(a, row);
    eri_xml_doubles(xml, row, 16, 16);
}

// --- ids

// Collada's ids are NCNames; letters beyond ASCII would be legal, but some readers lose them in URIs.
static void make_legal(char *id)
{
    for (char *c = id; *c != '\0'; ++c) {
        bool letter = (*c >= 'A' && *c <= 'Z') || (*c >= 'a' && *c <= 'z') || *c == '_';
        bool later = c > id && ((*c >= '0' && *c <= '9') || *c == '-');
        if (!letter && !later) *c = '_';
    }
}

const char *eri_xml_id(eri_xml *xml, const char *wanted)
{
    char base[ID_SIZE + 1];
    snprintf(base, sizeof base, "%s", wanted[0] != '\0' ? wanted : "node");
    make_legal(base);
    const char *id = eri_arena_string(xml->arena, base);
    eri_name *like = eri_names_find(&xml->ids, base);
    while (id != NULL && eri_names_find(&xml->ids, id) != NULL) {
        char ending[16];
        int length = snprintf(ending, sizeof ending, "-%d", ++like->number);
        id = eri_arena_printf(xml->arena, "%.*s%s", ID_SIZE - length, base, ending);
    }
    if (id == NULL || eri_names_add(&xml->ids, id) != ER_OK) {
        keep(xml, ER_ERROR_MEMORY);
        return NULL;
    }
    return id;
}

const char *eri_xml_part_id(eri_xml *xml, const char *owner, const char *part)
{
    char wanted[ID_SIZE + 1];
    snprintf(wanted, sizeof wanted, "%.*s-%s", ID_SIZE - 1 - (int)strlen(part), owner, part);
    return eri_xml_id(xml, wanted);
}
