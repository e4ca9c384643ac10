// A Collada file as a tree of elements, read strictly.
#ifndef TESTS_FORMATS_COLLADA_TREE_H
#define TESTS_FORMATS_COLLADA_TREE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <eigenrig/math.h>

#include "base/arena.h"

typedef struct dae_element {
    const char *name, *text; // what stands in it besides elements
    const struct dae_element *parent;
    int attribute_count;
    const char *attribute[5][2];             // name, value
    struct dae_element *first, *last, *next; // children, and the next of its own parent
} dae_element;

/// The root; fails the test where the file is no XML.
dae_element *dae_read(er_arena *arena, const char *path);

/// An attribute; NULL where there is none.
const char *dae_attribute(const dae_element *of, const char *name);

/// The only child of a name, which must be there.
const dae_element *dae_one(const dae_element *of, const char *name);

/// The first element of a name below, in the order of the text, that comes behind another (NULL: the first); NULL.
const dae_element *dae_next(const dae_element *root, const char *name, const dae_element *behind);
int dae_count(const dae_element *root, const char *name);

/// The element of a reference, "#id", which must be there and have a name.
const dae_element *dae_referred(const dae_element *root, const char *reference, const char *name);

/// Sixteen numbers by rows.
er_affine dae_affine(const double *row);

/// The source that an input of a semantic refers to: its parts' names "X Y Z", their type, and how many elements.
typedef struct dae_source {
    const char *names, *type, *id;
    int count, stride;
    const double *value; // [count * stride], of floats
    const char **word;   // likewise, of names
} dae_source;

dae_source dae_input(er_arena *arena, const dae_element *root, const dae_element *of, const char *semantic);

#endif
