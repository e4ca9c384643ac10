// Memory allocation that ends the program on failure.
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "util.h"

void stop(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "make_characters: error: ");
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n");
    va_end(arguments);
    exit(1);
}

void *make_array(size_t count, size_t size)
{
    void *array = calloc(count > 0 ? count : 1, size);
    if (array == NULL) stop("out of memory");
    return array;
}

void *grow_array(void *array, size_t count, size_t size)
{
    if (count > SIZE_MAX / size) stop("out of memory");
    array = realloc(array, count * size);
    if (array == NULL) stop("out of memory");
    return array;
}
