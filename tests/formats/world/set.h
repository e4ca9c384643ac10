// Sets of Bacin's files and worlds as JSON for tests; and worlds that are the same.
#ifndef TESTS_FORMATS_WORLD_SET_H
#define TESTS_FORMATS_WORLD_SET_H

#include <eigenrig/formats.h>
#include <eigenrig/worlds.h>

#include "support/context.h"
#include "support/ledger.h"
#include "support/sample.h"

extern ledger books; // of the context of support/context.h

// Before and after all tests: all memory is given back.
int open_set(void **state);
int close_set(void **state);

const char *write_text(const char *name, const char *text);

// A sound set "s" with every type of joint and force, scaled bodies and motion, of these files.
enum { SET_FILES = 6 };
extern const char *const set_name[SET_FILES];
extern const char *const set_text[SET_FILES];
void write_set(void);

er_world_file *read_world(const char *path);

// Fails where the two differ by more than the tolerance, of 1 + the number's size; 0: to the bit.
void expect_same_world(const er_world_file *a, const er_world_file *b, double tolerance);

#endif
