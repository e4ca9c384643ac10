// Sets of Bacin's files and worlds as JSON for tests, written into a folder of their own; and worlds that are the same.
#ifndef TESTS_FORMATS_WORLD_SET_H
#define TESTS_FORMATS_WORLD_SET_H

#include <eigenrig/formats.h>
#include <eigenrig/worlds.h>

#include "support/ledger.h"

typedef struct set_place {
    ledger ledger;
    er_context *context; // its memory goes by the ledger
    char folder[64];
} set_place;

extern set_place place;

// Before and after all tests; the folder is empty then, and all memory given back.
int set_up(void **state);
int tear_down(void **state);

// The path of a file in the folder, good until the eighth call from here.
const char *in_folder(const char *name);
void write_text(const char *name, const char *text);
char *read_text(const char *path, size_t *size);
void remove_all(void);

// A sound set "s" with every type of joint and force, scaled bodies and motion, of these files.
enum { SET_FILES = 6 };
extern const char *const set_name[SET_FILES];
extern const char *const set_text[SET_FILES];
void write_set(void);

er_world_file *read_world(const char *path);

// Fails where the two differ by more than the tolerance, of 1 + the number's size; 0: to the bit.
void expect_same_world(const er_world_file *a, const er_world_file *b, double tolerance);

#endif
