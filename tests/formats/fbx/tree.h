// A binary FBX file as a tree of records, read strictly: every offset, count and sentinel is held against the bytes.
#ifndef TESTS_FORMATS_FBX_TREE_H
#define TESTS_FORMATS_FBX_TREE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <eigenrig/math.h>

#include "base/arena.h"

typedef struct fbx_value {
    char kind;            // C I L D, texts S and R, arrays i l f d
    int64_t integer;      // of C, I, L
    double number;        // of these and D
    const char *text;     // of S and R, [count] and a zero
    size_t count;         // bytes, or elements of an array
    const double *of;     // [count], elements
    const int64_t *whole; // [count], those of i and l, which may be larger than a double tells
} fbx_value;

typedef struct fbx_record {
    const char *name;
    int value_count;
    const fbx_value *value;
    bool lists; // records, be it none
    int record_count;
    const struct fbx_record *record;
} fbx_record;

typedef struct fbx_link {
    int64_t child, parent;
    const char *property; // NULL: the parent itself
} fbx_link;

typedef struct fbx_file {
    fbx_record root;
    const fbx_record *objects;
    int link_count;
    const fbx_link *link;
    int64_t last_id;
    const fbx_record *const *of_id; // [last_id + 1], NULL where none has it
    const fbx_record *const *above; // [last_id + 1], the Model that a Model hangs on, NULL
} fbx_file;

/// The file at a path; fails the test where it is broken.
fbx_file fbx_read(er_arena *arena, const char *path);

/// The only record of a name; NULL where `may_lack` and there is none.
const fbx_record *fbx_one(const fbx_record *of, const char *name);
const fbx_record *fbx_find(const fbx_record *of, const char *name);

/// The only value of the only record of a name.
int64_t fbx_int(const fbx_record *of, const char *name);
const char *fbx_text(const fbx_record *of, const char *name);
const fbx_value *fbx_array(const fbx_record *of, const char *name);
er_affine fbx_matrix(const fbx_record *of, const char *name);

/// A property of a record: its first number, or three of them; NULL where it has none of that name.
const fbx_record *fbx_property(const fbx_record *of, const char *name);
double fbx_number(const fbx_record *of, const char *name);
er_vec3 fbx_vector(const fbx_record *of, const char *name);

/// Objects: by id; the n-th of a kind, NULL beyond the last; the id and the type.
const fbx_record *fbx_object(const fbx_file *file, int64_t id);
const fbx_record *fbx_nth(const fbx_file *file, const char *kind, int n);
int fbx_count(const fbx_file *file, const char *kind);
int64_t fbx_id(const fbx_record *object);
const char *fbx_type(const fbx_record *object);

/// The n-th object of a kind that is linked to a parent, at a property or NULL; NULL beyond the last.
const fbx_record *fbx_child(const fbx_file *file, int64_t parent, const char *property, const char *kind, int n);

/// The Model that a Model hangs on, or NULL.
const fbx_record *fbx_above(const fbx_file *file, const fbx_record *model);

/// Where a Model stands by its properties and those of what it hangs on.
er_affine fbx_world(const fbx_file *file, const fbx_record *model);

#endif
