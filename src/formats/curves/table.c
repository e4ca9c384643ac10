// Tables of numbers as CSV: cells of words, and of numbers.
#include "formats/curves/table.h"

#include <stdio.h>
#include <string.h>

#include "formats/curves/curve_names.h"

void eri_table_word(eri_out *out, const char *text)
{
    static const char *const formula[] = {
        "=",           "+", "-", "@", "\t", "\r", "\n", "\xEF\xBC\x9D", "\xEF\xBC\x8B", "\xEF\xBC\x8D",
        "\xEF\xBC\xA0"}; // the last in full width
    bool quoted = strpbrk(text, ",;\"\t\r\n") != NULL, runs = false;
    for (size_t i = 0; i < ERI_COUNT(formula); ++i)
        runs |= strncmp(text, formula[i], strlen(formula[i])) == 0;
    if (quoted) eri_out_text(out, "\"");
    if (runs) eri_out_text(out, "'");
    for (const char *c = text; *c != '\0'; ++c)
        eri_out_bytes(out, *c == '"' ? "\"\"" : c, *c == '"' ? 2 : 1);
    if (quoted) eri_out_text(out, "\"");
}

er_result eri_table_head(eri_out *out, const char *name, const char *part)
{
    char *cell = eri_arena_printf(out->text.arena, "%s.%s", name, part);
    if (cell == NULL) return ER_ERROR_MEMORY;
    eri_out_text(out, ",");
    eri_table_word(out, cell);
    return ER_OK;
}

er_result eri_table_coordinates(eri_out *out, const er_model *m, const char *ending)
{
    const char **name = eri_joint_names(out->text.arena, m);
    if (name == NULL) return ER_ERROR_MEMORY;
    for (int k = 0; k < m->joint_count; ++k) {
        int axis[6], count = er_joint_type_freedom(m->joint[k].type, axis);
        for (int i = 0; i < count; ++i) {
            char part[32];
            snprintf(part, sizeof part, "%s%s", eri_coordinate_name(axis[i]), ending);
            er_result r = eri_table_head(out, name[k], part);
            if (r != ER_OK) return r;
        }
    }
    return ER_OK;
}

void eri_table_numbers(eri_out *out, const double *number, int count)
{
    for (int i = 0; i < count; ++i) {
        eri_out_text(out, ",");
        eri_out_exact(out, number[i]);
    }
}
