// A JSON file read strictly, and its errors as one line with a place.
#include "formats/json/json.h"

#include <string.h>

#include "base/file.h"
#include "base/suggest.h"
#include "base/text.h"

er_result eri_json_read(er_context *context, const char *path, const char *what, json_t **out)
{
    er_result r = ER_OK;
    er_arena *scratch = NULL;
    uint8_t *bytes = NULL;
    size_t size = 0;
    json_error_t error;
    *out = NULL;
    ERI_TRY(eri_arena_create(context, &scratch));
    ERI_TRY(eri_file_read(scratch, path, ERI_JSON_SIZE_LIMIT, &bytes, &size));
    if (size == 0) ERI_TRY(er_fail(context, ER_ERROR_FORMAT, "%s: the file is empty, and not %s", path, what));
    size_t mark = eri_utf8_mark(bytes, size);
    *out = json_loadb((const char *)bytes + mark, size - mark, JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES, &error);
    // without a word where memory ran out before the first
    if (*out == NULL && (json_error_code(&error) == json_error_out_of_memory || error.text[0] == '\0'))
        r = er_fail(context, ER_ERROR_MEMORY, "%s: out of memory", path);
    else if (*out == NULL)
        r = er_fail(context, ER_ERROR_FORMAT, "%s: not %s: line %d, column %d: %s", path, what, error.line,
                    error.column, error.text);
done:
    eri_arena_destroy(scratch);
    return r;
}

bool eri_json_has_format(const json_t *json, const char *format)
{
    const char *found = json_string_value(json_object_get(json, "format"));
    return found != NULL && strcmp(found, format) == 0;
}

const char *eri_json_nearest(const char *key, const char *const *words)
{
    suggestion meant = {.word = key};
    for (int i = 0; words[i] != NULL; ++i)
        suggestion_try(&meant, words[i]);
    return meant.best;
}

bool eri_json_is_given(const json_t *value)
{
    return value != NULL && !json_is_null(value);
}

bool eri_json_read_numbers(const json_t *array, double *x, size_t count)
{
    if (!json_is_array(array) || json_array_size(array) != count) return false;
    for (size_t i = 0; i < count; ++i) {
        const json_t *number = json_array_get(array, i);
        if (!json_is_number(number)) return false;
        x[i] = json_number_value(number);
    }
    return true;
}
