// The context of a program's tests that need no other: made before the first test, destroyed after the last.
#ifndef TESTS_SUPPORT_CONTEXT_H
#define TESTS_SUPPORT_CONTEXT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <eigenrig/base.h>

#include "trials.h"

extern er_context *context;

/// Before and after all tests. The end prints measured values and removes the folder of samples.
int set_up(void **state);
int tear_down(void **state);

/// Destroys an object after the last test, the newest first.
void at_end(void (*destroy)(void *object), void *object);

/// Fails unless the call was refused with this code and the message names the field, value or place. Wording is free.
void assert_refusal(er_context *of, er_result result, er_result code, const char *named);

#endif
