// XML from its text. test_readers.py holds files against Collada's schema.
#include "tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/sample.h"

// --- text

typedef struct reader {
    er_arena *arena;
    const char *at;
} reader;

static void take(reader *r, const char *what)
{
    size_t length = strlen(what);
    if (strncmp(r->at, what, length) != 0) fail_msg("\"%.40s\" is not \"%s\"", r->at, what);
    r->at += length;
}

static char *word_of(reader *r)
{
    size_t length = strspn(r->at, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");
    char *word = ERI_NEW(r->arena, char, length + 1);
    assert_true(length > 0);
    memcpy(word, r->at, length);
    r->at += length;
    return word;
}

// Up to a character, what stands for others told.
static char *text_until(reader *r, char end)
{
    static const char *const known[][2] = {{"&amp;", "&"}, {"&lt;", "<"},   {"&gt;", ">"},  {"&quot;", "\""},
                                           {"&#9;", "\t"}, {"&#10;", "\n"}, {"&#13;", "\r"}};
    char *text = ERI_NEW(r->arena, char, strcspn(r->at, (const char[2]){end, '\0'}) + 1), *out = text;
    while (*r->at != end) {
        assert_true(*r->at != '\0' && *r->at != '<' && *r->at != '>' && (end != '"' || *r->at >= ' ' || *r->at < 0));
        size_t i = 0;
        while (i < ERI_COUNT(known) && strncmp(r->at, known[i][0], strlen(known[i][0])) != 0)
            ++i;
        assert_true(i < ERI_COUNT(known) || *r->at != '&');
        if (i < ERI_COUNT(known)) {
            out = stpcpy(out, known[i][1]);
            r->at += strlen(known[i][0]);
        } else {
            *out++ = *r->at++;
        }
    }
    return text;
}

// An element without its children; whether it is open.
static bool start_element(reader *r, dae_element *parent, dae_element **out)
{
    dae_element *e = ERI_NEW(r->arena, dae_element, 1);
    take(r, "<");
    e->name = word_of(r);
    e->text = "";
    e->parent = parent;
    while (*r->at == ' ') {
        take(r, " ");
        assert_true(e->attribute_count < 5);
        e->attribute[e->attribute_count][0] = word_of(r);
        take(r, "=\"");
        e->attribute[e->attribute_count++][1] = text_until(r, '"');
        take(r, "\"");
    }
    if (parent != NULL && parent->last != NULL) parent->last->next = e;
    if (parent != NULL && parent->first == NULL) parent->first = e;
    if (parent != NULL) parent->last = e;
    *out = e;
    bool open = *r->at != '/';
    take(r, open ? ">" : "/>\n");
    return open;
}

static dae_element *dae_parse(er_arena *arena, const char *text)
{
    reader r = {arena, text};
    dae_element *root = NULL, *e = NULL, *made;
    take(&r, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    do {
        if (r.at[0] == '<' && r.at[1] == '/') {
            take(&r, "</");
            assert_string_equal(word_of(&r), e->name);
            take(&r, ">\n");
            e = (dae_element *)(uintptr_t)e->parent;
        } else if (*r.at == '<') {
            if (start_element(&r, e, &made)) e = made;
            if (root == NULL) root = made;
        } else {
            const char *own = text_until(&r, '<');
            if (own[strspn(own, "\n")] == '\0') continue; // between a tag and the next one
            assert_true(e->first == NULL && e->text[0] == '\0');
            e->text = own;
        }
    } while (e != NULL);
    assert_int_equal(*r.at, '\0');
    return root;
}

dae_element *dae_read(er_arena *arena, const char *path)
{
    size_t size;
    char *text = read_bytes(path, &size);
    dae_element *root = dae_parse(arena, text);
    free(text);
    return root;
}

// --- what it says

const char *dae_attribute(const dae_element *of, const char *name)
{
    for (int i = 0; i < of->attribute_count; ++i)
        if (strcmp(of->attribute[i][0], name) == 0) return of->attribute[i][1];
    return NULL;
}

static const dae_element *dae_child(const dae_element *of, const char *name, int n)
{
    for (const dae_element *e = of->first; e != NULL; e = e->next)
        if (strcmp(e->name, name) == 0 && n-- == 0) return e;
    return NULL;
}

const dae_element *dae_one(const dae_element *of, const char *name)
{
    const dae_element *one = dae_child(of, name, 0);
    if (one == NULL || dae_child(of, name, 1) != NULL) fail_msg("<%s> has not one <%s>", of->name, name);
    return one;
}

static const dae_element *step(const dae_element *root, const dae_element *e)
{
    if (e->first != NULL) return e->first;
    while (e != root && e->next == NULL)
        e = e->parent;
    return e != root ? e->next : NULL;
}

const dae_element *dae_next(const dae_element *root, const char *name, const dae_element *behind)
{
    for (const dae_element *e = step(root, behind != NULL ? behind : root); e != NULL; e = step(root, e))
        if (strcmp(e->name, name) == 0) return e;
    return NULL;
}

int dae_count(const dae_element *root, const char *name)
{
    int count = 0;
    for (const dae_element *e = NULL; (e = dae_next(root, name, e)) != NULL;)
        ++count;
    return count;
}

static const dae_element *dae_find(const dae_element *root, const char *id)
{
    for (const dae_element *e = root; e != NULL; e = step(root, e)) {
        const char *own = dae_attribute(e, "id");
        if (own != NULL && strcmp(own, id) == 0) return e;
    }
    return NULL;
}

const dae_element *dae_referred(const dae_element *root, const char *reference, const char *name)
{
    assert_true(reference != NULL && reference[0] == '#');
    const dae_element *e = dae_find(root, reference + 1);
    if (e == NULL || strcmp(e->name, name) != 0) fail_msg("there is no <%s> %s", name, reference);
    return e;
}

static int dae_words(er_arena *arena, const dae_element *of, const char ***out)
{
    char *text = eri_arena_string(arena, of->text), *rest;
    int count = 0;
    *out = ERI_NEW(arena, const char *, strlen(text) / 2 + 2);
    for (char *word = strtok_r(text, " \n", &rest); word != NULL; word = strtok_r(NULL, " \n", &rest))
        (*out)[count++] = word;
    return count;
}

static int dae_numbers(er_arena *arena, const dae_element *of, double **out)
{
    const char **word;
    int count = dae_words(arena, of, &word);
    *out = ERI_NEW(arena, double, (size_t)count + 1);
    for (int i = 0; i < count; ++i) {
        char *end;
        (*out)[i] = strtod(word[i], &end);
        assert_true(end > word[i] && *end == '\0');
    }
    return count;
}

er_affine dae_affine(const double *row)
{
    er_affine a = {.translation = {row[3], row[7], row[11]}};
    for (int i = 0; i < 9; ++i)
        a.linear.m[i / 3][i % 3] = row[4 * (i / 3) + i % 3];
    assert_true(row[12] == 0.0 && row[13] == 0.0 && row[14] == 0.0 && row[15] == 1.0);
    return a;
}

dae_source dae_input(er_arena *arena, const dae_element *root, const dae_element *of, const char *semantic)
{
    dae_source s = {0};
    const dae_element *input = NULL, *e;
    for (int i = 0; (e = dae_child(of, "input", i)) != NULL; ++i)
        if (strcmp(dae_attribute(e, "semantic"), semantic) == 0) input = e;
    if (input == NULL) fail_msg("<%s> has no input %s", of->name, semantic);
    bool shared =
        strcmp(of->name, "triangles") == 0 || strcmp(of->name, "vertex_weights") == 0; // by one list of indices
    assert_int_equal(dae_attribute(input, "offset") != NULL, shared);
    assert_true(dae_attribute(input, "set") == NULL || strcmp(of->name, "triangles") == 0);
    const dae_element *source = dae_referred(root, dae_attribute(input, "source"), "source");
    const dae_element *accessor = dae_one(dae_one(source, "technique_common"), "accessor");
    bool floats = dae_child(source, "float_array", 0) != NULL;
    const dae_element *array = dae_one(source, floats ? "float_array" : "Name_array");
    assert_true(dae_referred(root, dae_attribute(accessor, "source"), array->name) == array);
    s.id = dae_attribute(source, "id");
    s.count = atoi(dae_attribute(accessor, "count"));
    s.stride = atoi(dae_attribute(accessor, "stride"));
    double *value = NULL;
    int size = floats ? dae_numbers(arena, array, &value) : dae_words(arena, array, &s.word), parts = 0;
    s.value = value;
    assert_int_equal(size, s.count * s.stride);
    assert_int_equal(size, atoi(dae_attribute(array, "count")));
    char *names = ERI_NEW(arena, char, 64), *out = names;
    for (; (e = dae_child(accessor, "param", parts)) != NULL; ++parts) {
        if (parts > 0) assert_string_equal(dae_attribute(e, "type"), s.type);
        s.type = dae_attribute(e, "type");
        out += snprintf(out, (size_t)(names + 64 - out), parts > 0 ? " %s" : "%s", dae_attribute(e, "name"));
    }
    s.names = names;
    assert_int_equal(s.stride, strcmp(s.type, "float4x4") == 0 ? 16 : parts);
    assert_int_equal(floats, strcmp(s.type, "name") != 0);
    return s;
}
