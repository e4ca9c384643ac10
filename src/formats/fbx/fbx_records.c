// A binary FBX document being written: nested records, objects, connections.
// A record is: where it ends, how many values, their bytes, its name, the values, and, where it holds records, those
// and thirteen zeros. Numbers are little-endian.
#include "formats/fbx/fbx_records.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"

#define VERSION 7400
#define HEAD_SIZE 13     // of a record, up to and with the length of its name
#define DEFLATE_FROM 128 // bytes; smaller arrays gain nothing
#define LIMIT ((size_t)INT32_MAX)
#define USUAL_FPS 30.0
#define CUSTOM_RATE 14 // a TimeMode

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "a big-endian machine needs byte swaps here");

// Autodesk's readers check these against each other: a creation time, and what they make of it.
static const char creation_time[] = "1970-01-01 10:00:00:000";
static const uint8_t file_id[16] = {0x28, 0xb3, 0x2a, 0xeb, 0xb6, 0x24, 0xcc, 0xc2,
                                    0xbf, 0xc8, 0xb0, 0x2a, 0xa9, 0x2b, 0xfc, 0xf1};
static const uint8_t foot_id[16] = {0xfa, 0xbc, 0xab, 0x09, 0xd0, 0xc8, 0xd4, 0x66,
                                    0xb1, 0x76, 0xfb, 0x83, 0x1c, 0xf7, 0x26, 0x7e};
static const uint8_t foot_magic[16] = {0xf8, 0x5a, 0x8c, 0x6a, 0xde, 0xf5, 0xd9, 0x7e,
                                       0xec, 0xe9, 0x0c, 0xe3, 0x75, 0x8f, 0x29, 0x0b};

static const char *const kind_names[ERI_FBX_KINDS] = {
    "Model", "NodeAttribute",  "Geometry",       "Material",           "Texture",       "Video", "Deformer",
    "Pose",  "AnimationStack", "AnimationLayer", "AnimationCurveNode", "AnimationCurve"};

void eri_fbx_fail(eri_fbx_document *document, er_result failure, const char *format, ...)
{
    if (document->failure != ER_OK) return;
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    document->failure =
        er_fail(eri_arena_context(document->arena), failure, "%s: cannot be written: %s", document->path, text);
}

// --- bytes

// Room for `count` more bytes at the end; NULL after a failure.
static uint8_t *grow(eri_fbx_document *d, size_t count)
{
    if (d->failure == ER_OK && count > LIMIT - d->file.size)
        eri_fbx_fail(d, ER_ERROR_FILE, "it would need more than 2 GiB; use a smaller model");
    if (d->failure != ER_OK) return NULL;
    uint8_t *room = eri_buffer_grow(&d->file, count);
    d->failure = d->file.failure;
    return room;
}

static void add(eri_fbx_document *d, const void *bytes, size_t size)
{
    uint8_t *room = grow(d, size);
    if (room != NULL && size > 0) memcpy(room, bytes, size);
}

static void add_zeros(eri_fbx_document *d, size_t count)
{
    uint8_t *room = grow(d, count);
    if (room != NULL) memset(room, 0, count);
}

static void add_u32(eri_fbx_document *d, size_t value)
{
    uint32_t narrow = (uint32_t)value;
    add(d, &narrow, sizeof narrow);
}

static void set_u32(eri_fbx_document *d, size_t at, size_t value)
{
    uint32_t narrow = (uint32_t)value;
    assert(at + sizeof narrow <= d->file.size);
    memcpy(d->file.bytes + at, &narrow, sizeof narrow);
}

// --- records

static void end_values(eri_fbx_document *d, const eri_fbx_record *record)
{
    set_u32(d, record->start + 4, record->value_count);
    set_u32(d, record->start + 8, d->file.size - record->values);
}

void eri_fbx_open(eri_fbx_document *document, const char *name)
{
    if (document->failure != ER_OK) return;
    if (document->depth > 0) {
        eri_fbx_record *above = &document->record[document->depth - 1];
        if (!above->nests) end_values(document, above);
        above->nests = true;
    }
    size_t length = strlen(name);
    assert(document->depth < ERI_FBX_DEPTH && length <= UINT8_MAX);
    eri_fbx_record *record = &document->record[document->depth++];
    *record = (eri_fbx_record){.start = document->file.size, .values = document->file.size + HEAD_SIZE + length};
    add_zeros(document, HEAD_SIZE - 1);
    add(document, &(uint8_t){(uint8_t)length}, 1);
    add(document, name, length);
}

void eri_fbx_close(eri_fbx_document *document)
{
    if (document->failure != ER_OK) return;
    assert(document->depth > 0);
    const eri_fbx_record *record = &document->record[document->depth - 1];
    if (record->nests)
        add_zeros(document, HEAD_SIZE);
    else
        end_values(document, record);
    if (document->failure != ER_OK) return;
    set_u32(document, record->start, document->file.size);
    --document->depth;
}

// A record that holds none, and says so.
static void put_empty(eri_fbx_document *d, const char *name)
{
    eri_fbx_open(d, name);
    if (d->failure != ER_OK) return;
    eri_fbx_record *record = &d->record[d->depth - 1];
    end_values(d, record);
    record->nests = true;
    eri_fbx_close(d);
}

// --- values

static void add_value(eri_fbx_document *d, char type, const void *value, size_t size)
{
    if (d->failure != ER_OK) return;
    assert(d->depth > 0 && !d->record[d->depth - 1].nests); // values come before records
    ++d->record[d->depth - 1].value_count;
    add(d, &type, 1);
    add(d, value, size);
}

void eri_fbx_add_int(eri_fbx_document *document, int32_t value)
{
    add_value(document, 'I', &value, sizeof value);
}

void eri_fbx_add_long(eri_fbx_document *document, int64_t value)
{
    add_value(document, 'L', &value, sizeof value);
}

void eri_fbx_add_double(eri_fbx_document *document, double value)
{
    add_value(document, 'D', &value, sizeof value);
}

void eri_fbx_add_bool(eri_fbx_document *document, bool value)
{
    add_value(document, 'C', &(uint8_t){value ? 1 : 0}, 1);
}

static void add_counted(eri_fbx_document *d, char type, const void *bytes, size_t size)
{
    add_value(d, type, &(uint32_t){(uint32_t)size}, sizeof(uint32_t));
    add(d, bytes, size);
}

void eri_fbx_add_text(eri_fbx_document *document, const char *text)
{
    add_counted(document, 'S', text, strlen(text));
}

void eri_fbx_add_bytes(eri_fbx_document *document, const void *bytes, size_t size)
{
    add_counted(document, 'R', bytes, size);
}

// --- arrays

static voidpf zlib_alloc(voidpf arena, uInt count, uInt size)
{
    return eri_arena_reserve((er_arena *)arena, count, size);
}

static void zlib_free(voidpf arena, voidpf memory)
{
    (void)arena; // the arena gives all back at once
    (void)memory;
}

static bool start_deflate(eri_fbx_document *d)
{
    if (d->zlib_memory != NULL) return deflateReset(&d->deflate_stream) == Z_OK;
    if (eri_arena_create(eri_arena_context(d->arena), &d->zlib_memory) != ER_OK) return false;
    d->deflate_stream = (z_stream){.zalloc = zlib_alloc, .zfree = zlib_free, .opaque = d->zlib_memory};
    return deflateInit(&d->deflate_stream, Z_DEFAULT_COMPRESSION) == Z_OK;
}

// Adds an array's bytes deflated; its size then.
static size_t add_deflated(eri_fbx_document *d, const void *bytes, size_t size)
{
    if (d->failure != ER_OK) return 0;
    if (!start_deflate(d)) {
        d->failure = ER_ERROR_MEMORY;
        return 0;
    }
    size_t bound = deflateBound(&d->deflate_stream, size);
    uint8_t *room = grow(d, bound);
    if (room == NULL) return 0;
    d->deflate_stream.next_in = (z_const Bytef *)(uintptr_t)bytes;
    d->deflate_stream.avail_in = (uInt)size;
    d->deflate_stream.next_out = room;
    d->deflate_stream.avail_out = (uInt)bound;
    deflate(&d->deflate_stream, Z_FINISH); // cannot fail within the bound
    size_t written = bound - d->deflate_stream.avail_out;
    d->file.size -= bound - written;
    return written;
}

static void add_array(eri_fbx_document *d, char type, const void *bytes, size_t count, size_t size)
{
    if (count > LIMIT / size) {
        eri_fbx_fail(d, ER_ERROR_FILE, "it would need more than 2 GiB; use a smaller model");
        return;
    }
    bool deflated = count * size > DEFLATE_FROM;
    add_value(d, type, &(uint32_t){(uint32_t)count}, sizeof(uint32_t));
    add_u32(d, deflated);
    add_u32(d, count * size);
    if (!deflated) {
        add(d, bytes, count * size);
        return;
    }
    size_t at = d->file.size - sizeof(uint32_t), written = add_deflated(d, bytes, count * size);
    if (d->failure == ER_OK) set_u32(d, at, written);
}

void eri_fbx_add_ints(eri_fbx_document *document, const int32_t *value, size_t count)
{
    add_array(document, 'i', value, count, sizeof *value);
}

void eri_fbx_add_longs(eri_fbx_document *document, const int64_t *value, size_t count)
{
    add_array(document, 'l', value, count, sizeof *value);
}

void eri_fbx_add_floats(eri_fbx_document *document, const float *value, size_t count)
{
    add_array(document, 'f', value, count, sizeof *value);
}

void eri_fbx_add_doubles(eri_fbx_document *document, const double *value, size_t count)
{
    add_array(document, 'd', value, count, sizeof *value);
}

// --- whole records

void eri_fbx_put_int(eri_fbx_document *document, const char *name, int32_t value)
{
    eri_fbx_open(document, name);
    eri_fbx_add_int(document, value);
    eri_fbx_close(document);
}

void eri_fbx_put_text(eri_fbx_document *document, const char *name, const char *text)
{
    eri_fbx_open(document, name);
    eri_fbx_add_text(document, text);
    eri_fbx_close(document);
}

void eri_fbx_put_doubles(eri_fbx_document *document, const char *name, const double *value, size_t count)
{
    eri_fbx_open(document, name);
    eri_fbx_add_doubles(document, value, count);
    eri_fbx_close(document);
}

void eri_fbx_put_affine(eri_fbx_document *document, const char *name, er_affine a)
{
    er_vec3 t = a.translation;
    double column[16] = {[12] = t.x, [13] = t.y, [14] = t.z, [15] = 1.0};
    for (int i = 0; i < 9; ++i)
        column[4 * (i % 3) + i / 3] = a.linear.m[i / 3][i % 3];
    eri_fbx_put_doubles(document, name, column, 16);
}

static void open_property(eri_fbx_document *d, const char *name, const char *type, const char *label, const char *flags)
{
    eri_fbx_open(d, "P");
    eri_fbx_add_text(d, name);
    eri_fbx_add_text(d, type);
    eri_fbx_add_text(d, label);
    eri_fbx_add_text(d, flags);
}

void eri_fbx_property_int(eri_fbx_document *document, const char *name, const char *type, int32_t value)
{
    open_property(document, name, type, strcmp(type, "int") == 0 ? "Integer" : "", "");
    eri_fbx_add_int(document, value);
    eri_fbx_close(document);
}

void eri_fbx_property_ticks(eri_fbx_document *document, const char *name, int64_t value)
{
    open_property(document, name, "KTime", "Time", "");
    eri_fbx_add_long(document, value);
    eri_fbx_close(document);
}

void eri_fbx_property_number(eri_fbx_document *document, const char *name, double value)
{
    bool animated = strncmp(name, "d|", 2) == 0;
    open_property(document, name, animated ? "Number" : "double", animated ? "" : "Number", animated ? "A" : "");
    eri_fbx_add_double(document, value);
    eri_fbx_close(document);
}

void eri_fbx_property_vector(eri_fbx_document *document, const char *name, const char *type, er_vec3 value)
{
    open_property(document, name, type, "", "A");
    eri_fbx_add_double(document, value.x);
    eri_fbx_add_double(document, value.y);
    eri_fbx_add_double(document, value.z);
    eri_fbx_close(document);
}

// --- objects

int64_t eri_fbx_new_id(eri_fbx_document *document)
{
    return ++document->last_id;
}

void eri_fbx_open_object(eri_fbx_document *document, eri_fbx_kind kind, int64_t id, const char *name, const char *class,
                         const char *type)
{
    ++document->count[kind];
    eri_fbx_open(document, kind_names[kind]);
    eri_fbx_add_long(document, id);
    // the name, a zero and a one, the class
    size_t length = strlen(name), tail = strlen(class);
    add_value(document, 'S', &(uint32_t){(uint32_t)(length + 2 + tail)}, sizeof(uint32_t));
    add(document, name, length);
    add(document, "\0\1", 2);
    add(document, class, tail);
    eri_fbx_add_text(document, type);
}

void eri_fbx_connect(eri_fbx_document *document, int64_t child, int64_t parent, const char *property)
{
    eri_fbx_document *d = document;
    if (d->failure != ER_OK) return;
    const eri_fbx_link link = {child, parent, property};
    eri_buffer_add(&d->links, &link, sizeof link);
    d->failure = d->links.failure;
}

static void put_connections(eri_fbx_document *d)
{
    const eri_fbx_link *link = (const eri_fbx_link *)(const void *)d->links.bytes;
    size_t count = d->links.size / sizeof *link;
    if (count == 0) {
        put_empty(d, "Connections");
        return;
    }
    eri_fbx_open(d, "Connections");
    for (size_t i = 0; i < count; ++i, ++link) {
        eri_fbx_open(d, "C");
        eri_fbx_add_text(d, link->property != NULL ? "OP" : "OO");
        eri_fbx_add_long(d, link->child);
        eri_fbx_add_long(d, link->parent);
        if (link->property != NULL) eri_fbx_add_text(d, link->property);
        eri_fbx_close(d);
    }
    eri_fbx_close(d);
}

static void put_span(eri_fbx_document *d, const char *name, int64_t stop)
{
    eri_fbx_open(d, name);
    eri_fbx_add_long(d, 0);
    eri_fbx_add_long(d, stop);
    eri_fbx_close(d);
}

// The list of clips that older readers use; they show the first.
static void put_takes(eri_fbx_document *d)
{
    eri_fbx_open(d, "Takes");
    eri_fbx_put_text(d, "Current", d->take_count > 0 ? d->take[0].name : "");
    for (int i = 0; i < d->take_count; ++i) {
        eri_fbx_open(d, "Take");
        eri_fbx_add_text(d, d->take[i].name);
        eri_fbx_put_text(d, "FileName", "");
        put_span(d, "LocalTime", d->take[i].stop);
        put_span(d, "ReferenceTime", d->take[i].stop);
        eri_fbx_close(d);
    }
    eri_fbx_close(d);
}

// --- head and foot

static void put_header(eri_fbx_document *d)
{
    static const char *const parts[] = {"Year", "Month", "Day", "Hour", "Minute", "Second", "Millisecond"};
    static const int values[] = {1970, 1, 1, 10, 0, 0, 0};
    eri_fbx_open(d, "FBXHeaderExtension");
    eri_fbx_put_int(d, "FBXHeaderVersion", 1003);
    eri_fbx_put_int(d, "FBXVersion", VERSION);
    eri_fbx_put_int(d, "EncryptionType", 0);
    eri_fbx_open(d, "CreationTimeStamp");
    eri_fbx_put_int(d, "Version", 1000);
    for (size_t i = 0; i < ERI_COUNT(parts); ++i)
        eri_fbx_put_int(d, parts[i], values[i]);
    eri_fbx_close(d);
    eri_fbx_put_text(d, "Creator", "eigenrig " ERI_VERSION);
    eri_fbx_close(d);
    eri_fbx_open(d, "FileId");
    eri_fbx_add_bytes(d, file_id, sizeof file_id);
    eri_fbx_close(d);
    eri_fbx_put_text(d, "CreationTime", creation_time);
    eri_fbx_put_text(d, "Creator", "eigenrig " ERI_VERSION);
}

// A right-handed set: the axis to the right, crossed with up, is the one to the front.
static void put_axes(eri_fbx_document *d, int up, int up_sign)
{
    int right = up == 0 ? 1 : 0, front = 3 - up - right;
    int even = (right + 1) % 3 == up ? 1 : -1; // the sign of e_right x e_up
    eri_fbx_property_int(d, "UpAxis", "int", up);
    eri_fbx_property_int(d, "UpAxisSign", "int", up_sign);
    eri_fbx_property_int(d, "FrontAxis", "int", front);
    eri_fbx_property_int(d, "FrontAxisSign", "int", even * up_sign);
    eri_fbx_property_int(d, "CoordAxis", "int", right);
    eri_fbx_property_int(d, "CoordAxisSign", "int", 1);
    eri_fbx_property_int(d, "OriginalUpAxis", "int", -1);
    eri_fbx_property_int(d, "OriginalUpAxisSign", "int", 1);
}

// FBX's number for a rate, which readers go by, or that of a "custom" one.
static int time_mode(double fps)
{
    static const struct {
        double fps;
        int mode;
    } known[] = {{120, 1}, {100, 2},   {60, 3},      {50, 4},  {48, 5},  {30, 6},     {29.97, 9},  {25, 10},
                 {24, 11}, {1000, 12}, {23.976, 13}, {96, 15}, {72, 16}, {59.94, 17}, {119.88, 18}};
    for (size_t i = 0; i < ERI_COUNT(known); ++i)
        if (fps == known[i].fps) return known[i].mode;
    return CUSTOM_RATE;
}

static void put_settings(eri_fbx_document *d, int up, int up_sign, int64_t stop, double fps)
{
    double rate = fps > 0.0 ? fps : USUAL_FPS;
    if (fabs(rate - round(rate)) < 1e-6 * rate) rate = round(rate); // frames counted by their times
    int mode = time_mode(rate);
    eri_fbx_open(d, "GlobalSettings");
    eri_fbx_put_int(d, "Version", 1000);
    eri_fbx_open(d, "Properties70");
    put_axes(d, up, up_sign);
    eri_fbx_property_number(d, "UnitScaleFactor", 1.0);
    eri_fbx_property_number(d, "OriginalUnitScaleFactor", 1.0);
    eri_fbx_property_int(d, "TimeMode", "enum", mode);
    eri_fbx_property_ticks(d, "TimeSpanStart", 0);
    eri_fbx_property_ticks(d, "TimeSpanStop", stop);
    eri_fbx_property_number(d, "CustomFrameRate", mode == CUSTOM_RATE ? rate : -1.0);
    eri_fbx_close(d);
    eri_fbx_close(d);
}

static void put_documents(eri_fbx_document *d)
{
    eri_fbx_open(d, "Documents");
    eri_fbx_put_int(d, "Count", 1);
    eri_fbx_open(d, "Document");
    eri_fbx_add_long(d, eri_fbx_new_id(d));
    eri_fbx_add_text(d, "Scene");
    eri_fbx_add_text(d, "Scene");
    eri_fbx_open(d, "RootNode");
    eri_fbx_add_long(d, 0);
    eri_fbx_close(d);
    eri_fbx_close(d);
    eri_fbx_close(d);
    put_empty(d, "References");
}

// An int that is known at the end.
static size_t put_count(eri_fbx_document *d)
{
    eri_fbx_put_int(d, "Count", 0);
    return d->file.size - sizeof(int32_t);
}

static void put_definitions(eri_fbx_document *d)
{
    eri_fbx_open(d, "Definitions");
    eri_fbx_put_int(d, "Version", 100);
    d->count_at[ERI_FBX_KINDS] = put_count(d);
    eri_fbx_open(d, "ObjectType");
    eri_fbx_add_text(d, "GlobalSettings");
    eri_fbx_put_int(d, "Count", 1);
    eri_fbx_close(d);
    for (int kind = 0; kind < ERI_FBX_KINDS; ++kind) {
        eri_fbx_open(d, "ObjectType");
        eri_fbx_add_text(d, kind_names[kind]);
        d->count_at[kind] = put_count(d);
        eri_fbx_close(d);
    }
    eri_fbx_close(d);
}

static void set_counts(eri_fbx_document *d)
{
    if (d->failure != ER_OK) return;
    int all = 1; // the settings
    for (int kind = 0; kind < ERI_FBX_KINDS; ++kind) {
        set_u32(d, d->count_at[kind], (size_t)d->count[kind]);
        all += d->count[kind];
    }
    set_u32(d, d->count_at[ERI_FBX_KINDS], (size_t)all);
}

void eri_fbx_begin(eri_fbx_document *document, er_arena *arena, const char *path)
{
    *document = (eri_fbx_document){.arena = arena, .path = path, .file = {.arena = arena}, .links = {.arena = arena}};
}

void eri_fbx_put_head(eri_fbx_document *document, int up, int up_sign, int64_t stop, double fps)
{
    add(document, "Kaydara FBX Binary  \0\x1a\0", 23);
    add_u32(document, VERSION);
    put_header(document);
    put_settings(document, up, up_sign, stop, fps);
    put_documents(document);
    put_definitions(document);
    eri_fbx_open(document, "Objects");
}

static void put_foot(eri_fbx_document *d)
{
    add_zeros(d, HEAD_SIZE); // the end of the records
    add(d, foot_id, sizeof foot_id);
    add_zeros(d, 4);
    add_zeros(d, 16 - d->file.size % 16);
    add_u32(d, VERSION);
    add_zeros(d, 120);
    add(d, foot_magic, sizeof foot_magic);
}

er_result eri_fbx_save(eri_fbx_document *document)
{
    eri_fbx_document *d = document;
    if (d->failure == ER_OK && !d->record[0].nests) { // no object at all
        end_values(d, &d->record[0]);
        d->record[0].nests = true;
    }
    eri_fbx_close(d);
    put_connections(d);
    put_takes(d);
    set_counts(d);
    put_foot(d);
    if (d->failure != ER_OK) return d->failure;
    return er_file_write(eri_arena_context(d->arena), d->path, d->file.bytes, d->file.size);
}

void eri_fbx_finish(eri_fbx_document *document)
{
    eri_arena_destroy(document->zlib_memory); // all that the compressor ever had
    document->zlib_memory = NULL;
}
