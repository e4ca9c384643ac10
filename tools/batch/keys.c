// Keys of models: paths as UTF-8, and back to bytes; their order; the search for a key.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "tools/batch/inputs.h"

char *batch_utf8(const char *text)
{
    size_t size = strlen(text);
    char *copy = malloc(4 * size + 1), *to = copy;
    if (copy == NULL) return NULL;
    while (size > 0) {
        json_t *whole = NULL;
        size_t n = 0;
        for (n = 1; n <= 4 && n <= size && whole == NULL; ++n) // jansson takes nothing but UTF-8
            whole = json_stringn(text, n);
        if (whole != NULL) {
            memcpy(to, text, --n);
            to += n;
        } else {
            n = 1;
            to += sprintf(to, "\\x%02x", (unsigned char)*text);
        }
        json_decref(whole);
        text += n;
        size -= n;
    }
    *to = '\0';
    return copy;
}

void batch_bytes(char *text)
{
    unsigned byte;
    char *to = text;
    for (const char *from = text; *from != '\0'; ++to)
        if (sscanf(from, "\\x%2x", &byte) == 1 && byte >= 0x80) {
            *to = (char)byte;
            from += 4;
        } else {
            *to = *from++;
        }
    *to = '\0';
}

static int by_key(const void *a, const void *b)
{
    return strcmp(((const batch_input *)a)->key, ((const batch_input *)b)->key);
}

void batch_inputs_sort(batch_inputs *inputs)
{
    if (inputs->count > 0) qsort(inputs->item, (size_t)inputs->count, sizeof *inputs->item, by_key);
}

int batch_inputs_index(const batch_inputs *inputs, const char *key)
{
    const batch_input wanted = {.key = (char *)(uintptr_t)key};
    if (inputs->count == 0) return -1;
    const batch_input *found = bsearch(&wanted, inputs->item, (size_t)inputs->count, sizeof wanted, by_key);
    return found != NULL ? (int)(found - inputs->item) : -1;
}
