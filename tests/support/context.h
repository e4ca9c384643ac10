// The context of a program's tests, for those that need no more: it is made before the first and ends after the last.
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

/// Before and after all tests. What was measured is printed at the end, and the folder of samples goes.
int set_up(void **state);
int tear_down(void **state);

/// Destroys an object after the last test, the newest first.
void at_end(void (*destroy)(void *object), void *object);

/// The call was refused with this code, and the message names the field, value or place. Its wording is not looked at.
void assert_refusal(er_context *of, er_result result, er_result code, const char *named);

#endif
