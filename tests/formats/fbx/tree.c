// Binary FBX 7.4 from its bytes, and what its objects say.
#include "tree.h"

#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "support/pieces.h"
#include "support/sample.h"

typedef struct reader {
    er_arena *arena;
    const uint8_t *bytes;
    size_t size;
} reader;

enum { HEAD = 13 }; // of a record, its name left out

static uint32_t u32(const reader *r, size_t at)
{
    uint32_t value;
    assert_true(at + sizeof value <= r->size);
    memcpy(&value, r->bytes + at, sizeof value);
    return value;
}

static void expect_zeros(const reader *r, size_t at, size_t count)
{
    assert_true(at + count <= r->size);
    for (size_t i = 0; i < count; ++i)
        assert_int_equal(r->bytes[at + i], 0);
}

static const char *text_at(const reader *r, size_t at, size_t count)
{
    char *text = ERI_NEW(r->arena, char, count + 1);
    assert_true(at + count <= r->size);
    memcpy(text, r->bytes + at, count);
    return text;
}

// --- values

static size_t width_of(char kind)
{
    return kind == 'i' || kind == 'f' ? 4 : 8;
}

static void take_elements(const reader *r, fbx_value *v, const uint8_t *from)
{
    double *of = ERI_NEW(r->arena, double, v->count + 1);
    int64_t *whole = ERI_NEW(r->arena, int64_t, v->count + 1);
    for (size_t i = 0; i < v->count; ++i, from += width_of(v->kind)) {
        int32_t narrow;
        float single;
        memcpy(&narrow, from, sizeof narrow);
        memcpy(&single, from, sizeof single);
        if (v->kind == 'd') memcpy(&of[i], from, sizeof of[i]);
        if (v->kind == 'l') memcpy(&whole[i], from, sizeof whole[i]);
        if (v->kind == 'i') whole[i] = narrow;
        if (v->kind == 'f') of[i] = (double)single;
        if (v->kind == 'i' || v->kind == 'l') of[i] = (double)whole[i];
    }
    v->of = of;
    v->whole = whole;
}

// Small arrays gain nothing by being deflated: 128 bytes, a matrix, are small.
static size_t read_array(const reader *r, size_t at, fbx_value *v)
{
    uint32_t deflated = u32(r, at + 4), size = u32(r, at + 8);
    v->count = u32(r, at);
    uLongf bytes = v->count * width_of(v->kind);
    assert_int_equal(deflated, bytes > 128);
    assert_true(at + 12 + size <= r->size);
    if (deflated) {
        uint8_t *room = ERI_NEW(r->arena, uint8_t, bytes);
        uLongf got = bytes;
        assert_int_equal(uncompress(room, &got, r->bytes + at + 12, size), Z_OK);
        assert_int_equal(got, bytes);
        take_elements(r, v, room);
    } else {
        assert_int_equal(size, bytes);
        take_elements(r, v, r->bytes + at + 12);
    }
    return at + 12 + size;
}

static size_t read_value(const reader *r, size_t at, fbx_value *v)
{
    int32_t narrow;
    assert_true(at < r->size);
    v->kind = (char)r->bytes[at++];
    switch (v->kind) {
    case 'C':
        v->integer = r->bytes[at];
        v->number = (double)v->integer;
        return at + 1;
    case 'I':
        narrow = (int32_t)u32(r, at);
        v->integer = narrow;
        v->number = narrow;
        return at + 4;
    case 'L':
        memcpy(&v->integer, r->bytes + at, sizeof v->integer);
        v->number = (double)v->integer;
        return at + 8;
    case 'D':
        memcpy(&v->number, r->bytes + at, sizeof v->number);
        return at + 8;
    case 'S':
    case 'R':
        v->count = u32(r, at);
        v->text = text_at(r, at + 4, v->count);
        return at + 4 + v->count;
    default:
        if (strchr("ilfd", v->kind) == NULL) fail_msg("a value of kind %c", v->kind);
        return read_array(r, at, v);
    }
}

// --- records

static size_t read_list(const reader *r, size_t at, fbx_record *of);

static size_t read_record(const reader *r, size_t at, fbx_record *record)
{
    size_t end = u32(r, at), count = u32(r, at + 4), size = u32(r, at + 8), length = r->bytes[at + 12];
    fbx_value *value = ERI_NEW(r->arena, fbx_value, count + 1);
    record->name = text_at(r, at + HEAD, length);
    record->value = value;
    record->value_count = (int)count;
    size_t begin = at += HEAD + length;
    for (size_t i = 0; i < count; ++i)
        at = read_value(r, at, &value[i]);
    assert_int_equal(at - begin, size);
    assert_true(end >= at && end <= r->size);
    record->lists = end > at;
    if (record->lists) at = read_list(r, at, record);
    assert_int_equal(at, end);
    return at;
}

static size_t read_list(const reader *r, size_t at, fbx_record *of)
{
    int count = 0;
    for (size_t next = at; u32(r, next) != 0; next = u32(r, next)) {
        assert_true(u32(r, next) > next);
        ++count;
    }
    fbx_record *record = ERI_NEW(r->arena, fbx_record, (size_t)count + 1);
    of->record = record;
    of->record_count = count;
    for (int i = 0; i < count; ++i)
        at = read_record(r, at, &record[i]);
    expect_zeros(r, at, HEAD);
    return at + HEAD;
}

// The end of the file: at least one zero, up to a multiple of 16; the version; zeros; 16 bytes.
static void expect_foot(const reader *r, size_t at)
{
    static const uint8_t last[16] = {0xf8, 0x5a, 0x8c, 0x6a, 0xde, 0xf5, 0xd9, 0x7e,
                                     0xec, 0xe9, 0x0c, 0xe3, 0x75, 0x8f, 0x29, 0x0b};
    size_t fill = at + 16 + 4, aligned = fill / 16 * 16 + 16;
    expect_zeros(r, at + 16, aligned - at - 16);
    assert_int_equal(u32(r, aligned), 7400);
    expect_zeros(r, aligned + 4, 120);
    assert_int_equal(r->size, aligned + 4 + 120 + 16);
    assert_memory_equal(r->bytes + aligned + 4 + 120, last, sizeof last);
}

static void take_links(er_arena *arena, fbx_file *file)
{
    const fbx_record *list = fbx_one(&file->root, "Connections");
    fbx_link *link = ERI_NEW(arena, fbx_link, (size_t)list->record_count + 1);
    for (int i = 0; i < list->record_count; ++i) {
        const fbx_record *c = &list->record[i];
        bool property = strcmp(c->value[0].text, "OP") == 0;
        assert_string_equal(c->name, "C");
        assert_true(property || strcmp(c->value[0].text, "OO") == 0);
        assert_int_equal(c->value_count, property ? 4 : 3);
        assert_true(c->value[1].kind == 'L' && c->value[2].kind == 'L' && !c->lists);
        link[i] = (fbx_link){c->value[1].integer, c->value[2].integer, property ? c->value[3].text : NULL};
    }
    file->link = link;
    file->link_count = list->record_count;
}

static void find_above(er_arena *arena, fbx_file *file)
{
    const fbx_record **above = ERI_NEW(arena, const fbx_record *, (size_t)file->last_id + 1);
    for (int i = 0; i < file->link_count; ++i) {
        const fbx_record *child = fbx_object(file, file->link[i].child), *on = fbx_object(file, file->link[i].parent);
        if (child == NULL || on == NULL || strcmp(child->name, "Model") != 0 || strcmp(on->name, "Model") != 0)
            continue;
        assert_null(above[fbx_id(child)]);
        above[fbx_id(child)] = on;
    }
    file->above = above;
}

static void index_objects(er_arena *arena, fbx_file *file)
{
    for (int i = 0; i < file->objects->record_count; ++i)
        if (fbx_id(&file->objects->record[i]) > file->last_id) file->last_id = fbx_id(&file->objects->record[i]);
    const fbx_record **of_id = ERI_NEW(arena, const fbx_record *, (size_t)file->last_id + 1);
    for (int i = 0; i < file->objects->record_count; ++i) {
        int64_t id = fbx_id(&file->objects->record[i]);
        assert_true(id > 0 && of_id[id] == NULL);
        of_id[id] = &file->objects->record[i];
    }
    file->of_id = of_id;
}

fbx_file fbx_read(er_arena *arena, const char *path)
{
    size_t size;
    char *whole = read_bytes(path, &size);
    const uint8_t *bytes = copy(arena, whole, size);
    reader r = {arena, bytes, size};
    free(whole);
    fbx_file file = {.root = {.name = "", .lists = true}};
    assert_memory_equal(bytes, "Kaydara FBX Binary  \0\x1a\0", 23);
    assert_int_equal(u32(&r, 23), 7400);
    expect_foot(&r, read_list(&r, 27, &file.root));
    file.objects = fbx_one(&file.root, "Objects");
    index_objects(arena, &file);
    take_links(arena, &file);
    find_above(arena, &file);
    return file;
}

// --- what they say

const fbx_record *fbx_find(const fbx_record *of, const char *name)
{
    const fbx_record *found = NULL;
    for (int i = 0; i < of->record_count; ++i) {
        if (strcmp(of->record[i].name, name) != 0) continue;
        if (found != NULL) fail_msg("%s has two of %s", of->name, name);
        found = &of->record[i];
    }
    return found;
}

const fbx_record *fbx_one(const fbx_record *of, const char *name)
{
    const fbx_record *found = fbx_find(of, name);
    if (found == NULL) fail_msg("%s has no %s", of->name, name);
    return found;
}

static const fbx_value *only_value(const fbx_record *of, const char *name)
{
    const fbx_record *one = fbx_one(of, name);
    assert_true(one->value_count == 1 && !one->lists);
    return &one->value[0];
}

int64_t fbx_int(const fbx_record *of, const char *name)
{
    assert_int_equal(only_value(of, name)->kind, 'I');
    return only_value(of, name)->integer;
}

const char *fbx_text(const fbx_record *of, const char *name)
{
    assert_int_equal(only_value(of, name)->kind, 'S');
    return only_value(of, name)->text;
}

const fbx_value *fbx_array(const fbx_record *of, const char *name)
{
    assert_non_null(only_value(of, name)->of);
    return only_value(of, name);
}

// Column by column.
er_affine fbx_matrix(const fbx_record *of, const char *name)
{
    const fbx_value *v = fbx_array(of, name);
    er_affine a = er_affine_identity();
    assert_true(v->kind == 'd' && v->count == 16);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            a.linear.m[i][j] = v->of[4 * j + i];
    a.translation = er_v3(v->of[12], v->of[13], v->of[14]);
    assert_true(v->of[3] == 0.0 && v->of[7] == 0.0 && v->of[11] == 0.0 && v->of[15] == 1.0);
    return a;
}

const fbx_record *fbx_property(const fbx_record *of, const char *name)
{
    const fbx_record *list = fbx_one(of, "Properties70"), *found = NULL;
    for (int i = 0; i < list->record_count; ++i) {
        if (strcmp(list->record[i].value[0].text, name) != 0) continue;
        assert_null(found);
        found = &list->record[i];
    }
    return found;
}

double fbx_number(const fbx_record *of, const char *name)
{
    const fbx_record *p = fbx_property(of, name);
    if (p == NULL) fail_msg("there is no property %s", name);
    assert_int_equal(p->value_count, 5);
    return p->value[4].number;
}

er_vec3 fbx_vector(const fbx_record *of, const char *name)
{
    const fbx_record *p = fbx_property(of, name);
    if (p == NULL) fail_msg("there is no property %s", name);
    assert_int_equal(p->value_count, 7);
    return er_v3(p->value[4].number, p->value[5].number, p->value[6].number);
}

const fbx_record *fbx_object(const fbx_file *file, int64_t id)
{
    return id > 0 && id <= file->last_id ? file->of_id[id] : NULL;
}

const fbx_record *fbx_nth(const fbx_file *file, const char *kind, int n)
{
    for (int i = 0; i < file->objects->record_count; ++i)
        if (strcmp(file->objects->record[i].name, kind) == 0 && n-- == 0) return &file->objects->record[i];
    return NULL;
}

int fbx_count(const fbx_file *file, const char *kind)
{
    int count = 0;
    while (fbx_nth(file, kind, count) != NULL)
        ++count;
    return count;
}

int64_t fbx_id(const fbx_record *object)
{
    return object->value[0].integer;
}

const char *fbx_type(const fbx_record *object)
{
    return object->value[2].text;
}

const fbx_record *fbx_child(const fbx_file *file, int64_t parent, const char *property, const char *kind, int n)
{
    for (int i = 0; i < file->link_count; ++i) {
        const fbx_link *link = &file->link[i];
        if (link->parent != parent || (link->property == NULL) != (property == NULL)) continue;
        if (property != NULL && strcmp(link->property, property) != 0) continue;
        const fbx_record *child = fbx_object(file, link->child);
        if (child != NULL && strcmp(child->name, kind) == 0 && n-- == 0) return child;
    }
    return NULL;
}

const fbx_record *fbx_above(const fbx_file *file, const fbx_record *model)
{
    return file->above[fbx_id(model)];
}

static er_quat about(int axis, double degrees)
{
    double half = degrees * (ER_PI / 360.0), s = sin(half);
    return er_q(cos(half), axis == 0 ? s : 0.0, axis == 1 ? s : 0.0, axis == 2 ? s : 0.0);
}

// Translation, then the axes of the order from the last to the first, then scale.
er_affine fbx_world(const fbx_file *file, const fbx_record *model)
{
    static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 2, 0}, {1, 0, 2}, {2, 0, 1}, {2, 1, 0}};
    const fbx_record *order = fbx_property(model, "RotationOrder");
    er_vec3 turn = fbx_vector(model, "Lcl Rotation");
    const double degrees[3] = {turn.x, turn.y, turn.z};
    er_quat q = er_q_identity();
    for (int n = 0; n < 3; ++n) {
        int axis = orders[order != NULL ? order->value[4].integer : 0][n];
        q = er_q_mul(about(axis, degrees[axis]), q);
    }
    er_affine local = er_affine_from_trs(fbx_vector(model, "Lcl Translation"), q, fbx_vector(model, "Lcl Scaling"));
    const fbx_record *above = fbx_above(file, model);
    return above != NULL ? er_affine_mul(fbx_world(file, above), local) : local;
}
