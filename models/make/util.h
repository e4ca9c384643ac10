/// @file
/// Shared by all stages of the generators: memory allocation that ends the program on failure, and fatal errors.
#ifndef ERI_MAKE_UTIL_H
#define ERI_MAKE_UTIL_H

#include <stddef.h>

/// Prints "make_characters: error: ..." and ends the program with status 1.
_Noreturn void stop(const char *format, ...) __attribute__((format(printf, 1, 2)));

/// `count` zeroed elements of `size` bytes, for free().
void *make_array(size_t count, size_t size);

/// The array with room for `count` elements of `size` bytes.
void *grow_array(void *array, size_t count, size_t size);

#define NEW(type, count) ((type *)make_array((size_t)(count), sizeof(type)))

/// Room for one more element after `count`: capacity doubles at powers of two.
#define ROOM(array, count)                                                                                             \
    (((count) & ((count)-1)) == 0                                                                                      \
         ? (array) = grow_array((array), (count) == 0 ? 1 : 2 * (size_t)(count), sizeof *(array))                      \
         : (array))

#endif
