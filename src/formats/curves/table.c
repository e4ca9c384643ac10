// Tables of numbers as CSV: cells of words, and of numbers.
#include "formats/curves/table.h"

#include <string.h>

#include "formats/curves/motion.h"

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

er_result er_table_coordinates(er_out *out, const er_model *m)
{
    const char **name = er_joint_names(out->text.arena, m);
    if (name == NULL) return ER_ERROR_MEMORY;
    for (int k = 0; k < m->joint_count; ++k) {
        int axis[6], count = er_joint_type_freedom(m->joint[k].type, axis);
        for (int i = 0; i < count; ++i) {
            er_result r = er_table_head(out, name[k], er_coordinate_name(axis[i]));
            if (r != ER_OK) return r;
        }
    }
    er_out_text(out, "\n");
    return ER_OK;
}

void er_table_numbers(er_out *out, const double *number, int count)
{
    for (int i = 0; i < count; ++i) {
        er_out_text(out, ",");
        er_out_exact(out, number[i]);
    }
}
