#include "collada/xml.h"

#include <float.h>
#include <libxml/tree.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

enum { NUMBER_SIZE = 40, LINES_SIZE = 8192, ID_SIZE = 63 };

static void keep(er_xml *xml, er_result failure)
{
    if (xml->failure == ER_OK) xml->failure = failure;
}

static er_result no_memory(er_xml *xml)
{
    return er_fail(er_arena_context(xml->arena), ER_ERROR_MEMORY, "%s: cannot be written: there is no memory for it",
                   xml->path);
}

// libxml2's calls give bytes written, or less than 0 when memory ends or passes 2 GiB.
static void expect(er_xml *xml, int written)
{
    if (written < 0 && xml->failure == ER_OK) xml->failure = no_memory(xml);
}

er_result er_xml_start(er_xml *xml, er_arena *arena, const char *path)
{
    *xml = (er_xml){.arena = arena, .path = path, .buffer = xmlBufferCreate(), .ids = xmlHashCreate(0)};
    if (xml->buffer == NULL || xml->ids == NULL) return no_memory(xml);
    xmlBufferSetAllocationScheme(xml->buffer, XML_BUFFER_ALLOC_DOUBLEIT);
    xml->writer = xmlNewTextWriterMemory(xml->buffer, 0);
    if (xml->writer == NULL) return no_memory(xml);
    expect(xml, xmlTextWriterSetIndent(xml->writer, 1)); // line ends; no blanks, which deep trees would drown in
    expect(xml, xmlTextWriterSetIndentString(xml->writer, (const xmlChar *)""));
    expect(xml, xmlTextWriterStartDocument(xml->writer, NULL, "UTF-8", NULL));
    return xml->failure;
}

er_result er_xml_end(er_xml *xml, const uint8_t **bytes, size_t *size)
{
    if (xml->failure != ER_OK) return xml->failure;
    expect(xml, xmlTextWriterEndDocument(xml->writer));
    expect(xml, xmlTextWriterFlush(xml->writer));
    *bytes = xmlBufferContent(xml->buffer);
    *size = (size_t)xmlBufferLength(xml->buffer);
    return xml->failure;
}

void er_xml_finish(er_xml *xml)
{
    xmlFreeTextWriter(xml->writer);
    xmlBufferFree(xml->buffer);
    xmlHashFree(xml->ids, NULL);
    *xml = (er_xml){0};
}

er_result er_xml_check(const er_xml *xml)
{
    return xml->failure;
}

// --- elements

static const xmlChar *bytes_of(const char *text)
{
    return (const xmlChar *)text;
}

// A text that XML can hold (XML 1.0, 2.2: no control characters but tab and line ends, no U+FFFE, no U+FFFF).
static const char *legal(er_xml *xml, const char *text)
{
    static const char replacement[] = "\xEF\xBF\xBD";
    char *copy = er_utf8_repair(xml->arena, text);
    char *out = copy != NULL ? ER_NEW(xml->arena, char, 3 * strlen(copy) + 1) : NULL;
    if (out == NULL) {
        keep(xml, ER_ERROR_MEMORY);
        return "";
    }
    char *end = out;
    for (const char *c = copy; *c != '\0';) {
        size_t length = er_utf8_length(c);
        bool control = (unsigned char)*c < 0x20 && strchr("\t\n\r", *c) == NULL;
        bool nothing = memcmp(c, "\xEF\xBF\xBE", length) == 0 || memcmp(c, "\xEF\xBF\xBF", length) == 0;
        bool bad = control || (length == 3 && nothing);
        end = bad ? stpcpy(end, replacement) : mempcpy(end, c, length);
        c += length;
    }
    *end = '\0';
    return out;
}

void er_xml_open(er_xml *xml, const char *element)
{
    if (xml->failure == ER_OK) expect(xml, xmlTextWriterStartElement(xml->writer, bytes_of(element)));
}

void er_xml_close(er_xml *xml)
{
    if (xml->failure == ER_OK) expect(xml, xmlTextWriterEndElement(xml->writer));
}

void er_xml_attribute(er_xml *xml, const char *name, const char *value)
{
    if (xml->failure != ER_OK) return;
    const char *text = legal(xml, value);
    expect(xml, xmlTextWriterWriteAttribute(xml->writer, bytes_of(name), bytes_of(text)));
}

void er_xml_attribute_f(er_xml *xml, const char *name, const char *format, ...)
{
    if (xml->failure != ER_OK) return;
    va_list arguments;
    va_start(arguments, format);
    const char *value = er_arena_vprintf(xml->arena, format, arguments);
    va_end(arguments);
    if (value == NULL)
        keep(xml, ER_ERROR_MEMORY);
    else
        er_xml_attribute(xml, name, value);
}

void er_xml_text(er_xml *xml, const char *text)
{
    if (xml->failure != ER_OK) return;
    const char *clean = legal(xml, text);
    expect(xml, xmlTextWriterWriteString(xml->writer, bytes_of(clean)));
}

void er_xml_leaf(er_xml *xml, const char *element, const char *text)
{
    er_xml_open(xml, element);
    er_xml_text(xml, text);
    er_xml_close(xml);
}

// --- numbers

// Lines of numbers on their way to libxml2, which is slow on small pieces.
typedef struct lines {
    er_xml *xml;
    size_t count, width; // numbers so far, and of a line
    size_t used;
    char text[LINES_SIZE];
} lines;

static void flush(lines *l)
{
    l->text[l->used] = '\0';
    l->used = 0;
    if (l->xml->failure == ER_OK) expect(l->xml, xmlTextWriterWriteRaw(l->xml->writer, bytes_of(l->text)));
}

static void add(lines *l, const char *number)
{
    if (l->used + NUMBER_SIZE > LINES_SIZE) flush(l);
    if (l->count > 0) l->text[l->used++] = l->count % l->width == 0 ? '\n' : ' ';
    l->used = (size_t)(stpcpy(l->text + l->used, number) - l->text);
    ++l->count;
}

// The locale's decimal point may be anything, even several bytes.
static void plain_point(char *number)
{
    char *out = number;
    for (const char *c = number; *c != '\0';) {
        size_t digits = strspn(c, "0123456789+-e");
        memmove(out, c, digits);
        out += digits;
        c += digits;
        if (*c == '\0') break;
        *out++ = '.';
        c += strcspn(c, "0123456789+-e");
    }
    *out = '\0';
}

static void print_double(char number[NUMBER_SIZE], double value)
{
    snprintf(number, NUMBER_SIZE, "%.9g", value + 0.0); // + 0.0: no -0
    plain_point(number);
}

static void add_double(lines *l, double value)
{
    if (!(fabs(value) <= (double)FLT_MAX)) {
        if (l->xml->failure == ER_OK)
            l->xml->failure = er_fail(er_arena_context(l->xml->arena), ER_ERROR_ARGUMENT,
                                      "%s: cannot be written: it comes to the number %g, which no float holds; scale "
                                      "the model down",
                                      l->xml->path, value);
        return;
    }
    char number[NUMBER_SIZE];
    print_double(number, value);
    add(l, number);
}

void er_xml_doubles(er_xml *xml, const double *value, size_t count, size_t width)
{
    lines l = {.xml = xml, .width = width};
    for (size_t i = 0; i < count && xml->failure == ER_OK; ++i)
        add_double(&l, value[i]);
    flush(&l);
}

void er_xml_floats(er_xml *xml, const float *value, size_t count, size_t width)
{
    lines l = {.xml = xml, .width = width};
    for (size_t i = 0; i < count && xml->failure == ER_OK; ++i)
        add_double(&l, (double)value[i]);
    flush(&l);
}

void er_xml_ints(er_xml *xml, const int *value, size_t count, size_t width)
{
    lines l = {.xml = xml, .width = width};
    for (size_t i = 0; i < count && xml->failure == ER_OK; ++i) {
        char number[NUMBER_SIZE];
        snprintf(number, sizeof number, "%d", value[i]);
        add(&l, number);
    }
    flush(&l);
}

void er_xml_rows(er_affine a, double row[16])
{
    const double shift[3] = {a.translation.x, a.translation.y, a.translation.z};
    for (int i = 0; i < 3; ++i) {
        memcpy(row + 4 * i, a.linear.m[i], sizeof a.linear.m[i]);
        row[4 * i + 3] = shift[i];
        row[12 + i] = 0.0;
    }
    row[15] = 1.0;
}

void er_xml_affine(er_xml *xml, er_affine a)
{
    double row[16];
    er_xml_rows(a, row);
    er_xml_doubles(xml, row, 16, 16);
}

void er_xml_attribute_number(er_xml *xml, const char *name, double value)
{
    char number[NUMBER_SIZE];
    print_double(number, value);
    er_xml_attribute(xml, name, number);
}

// --- ids

// Collada's ids are NCNames; letters beyond ASCII would be legal, but are lost in URIs by readers.
static void make_legal(char *id)
{
    for (char *c = id; *c != '\0'; ++c) {
        bool letter = (*c >= 'A' && *c <= 'Z') || (*c >= 'a' && *c <= 'z') || *c == '_';
        bool later = c > id && ((*c >= '0' && *c <= '9') || *c == '-');
        if (!letter && !later) *c = '_';
    }
}

const char *er_xml_id(er_xml *xml, const char *wanted)
{
    char base[ID_SIZE + 1], *id = NULL;
    snprintf(base, sizeof base, "%s", wanted[0] != '\0' ? wanted : "node");
    make_legal(base);
    // an entry counts the ids made of its name, so that thousands of equal names take no longer than others
    uintptr_t number = (uintptr_t)xmlHashLookup(xml->ids, bytes_of(base));
    id = er_arena_string(xml->arena, base);
    while (id != NULL && xmlHashLookup(xml->ids, bytes_of(id)) != NULL) {
        char ending[24];
        int length = snprintf(ending, sizeof ending, "-%zu", (size_t)++number);
        id = er_arena_printf(xml->arena, "%.*s%s", ID_SIZE - length, base, ending);
    }
    bool counted = number == 0 || xmlHashUpdateEntry(xml->ids, bytes_of(base), (void *)number, NULL) == 0;
    if (id == NULL || !counted || xmlHashAddEntry(xml->ids, bytes_of(id), (void *)(uintptr_t)1) != 0) {
        keep(xml, ER_ERROR_MEMORY);
        return NULL;
    }
    return id;
}

const char *er_xml_part_id(er_xml *xml, const char *owner, const char *part)
{
    char wanted[2 * ID_SIZE];
    snprintf(wanted, sizeof wanted, "%.*s-%s", ID_SIZE - 1 - (int)strlen(part), owner, part);
    return er_xml_id(xml, wanted);
}

bool er_xml_id_taken(const er_xml *xml, const char *id)
{
    return xmlHashLookup(xml->ids, bytes_of(id)) != NULL;
}
