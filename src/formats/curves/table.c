// Tables of numbers as CSV: cells of words, and of numbers.
#include "formats/curves/table.h"

#include <string.h>

void er_table_word(er_out *out, const char *text)
{
    static const char *const formula[] = {
        "=",           "+", "-", "@", "\t", "\r", "\n", "\xEF\xBC\x9D", "\xEF\xBC\x8B", "\xEF\xBC\x8D",
        "\xEF\xBC\xA0"}; // the last in full width
    bool quoted = strpbrk(text, ",;\"\t\r\n") != NULL, runs = false;
    for (size_t i = 0; i < ER_COUNT(formula); ++i)
        runs |= strncmp(text, formula[i], strlen(formula[i])) == 0;
    if (quoted) er_out_text(out, "\"");
    if (runs) er_out_text(out, "'");
    for (const char *c = text; *c != '\0'; ++c)
        er_out_bytes(out, *c == '"' ? "\"\"" : c, *c == '"' ? 2 : 1);
    if (quoted) er_out_text(out, "\"");
}

er_result er_table_head(er_out *out, const char *name, const char *part)
{
    char *cell = er_arena_printf(out->text.arena, "%s.%s", name, part);
    if (cell == NULL) return ER_ERROR_MEMORY;
    er_out_text(out, ",");
    er_table_word(out, cell);
    return ER_OK;
}

void er_table_numbers(er_out *out, const double *number, int count)
{
    for (int i = 0; i < count; ++i) {
        er_out_text(out, ",");
        er_out_exact(out, number[i]);
    }
}
