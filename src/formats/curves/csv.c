// Curves as a table: CSV, a row a time.
#include <string.h>

#include "formats/curves/motion.h"
#include "formats/curves/out.h"

// A cell of words, in quotes where RFC 4180 asks for them. What spreadsheets would take for a formula, and run, stands
// behind an apostrophe, which makes it text to them.
static void put_cell(er_out *out, const char *text)
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

static er_result put_header(er_out *out, const er_model *m)
{
    const char **name = er_joint_names(out->text.arena, m);
    if (name == NULL) return ER_ERROR_MEMORY;
    er_out_text(out, "time_s");
    for (int k = 0; k < m->joint_count; ++k) {
        int axis[6], count = er_joint_type_freedom(m->joint[k].type, axis);
        for (int i = 0; i < count; ++i) {
            er_out_text(out, ",");
            char *cell = er_arena_printf(out->text.arena, "%s.%s", name[k], er_coordinate_name(axis[i]));
            if (cell == NULL) return ER_ERROR_MEMORY;
            put_cell(out, cell);
        }
    }
    er_out_text(out, "\n");
    return ER_OK;
}

static void put_frame(er_out *out, const er_curves *c, int frame)
{
    const er_model *m = c->model;
    const double *q = c->q + (size_t)frame * (size_t)m->coordinate_count;
    er_out_exact(out, c->time[frame]);
    for (int k = 0; k < m->joint_count; ++k) {
        int axis[6], count = er_joint_type_freedom(m->joint[k].type, axis);
        for (int i = 0; i < count; ++i) {
            double value = q[m->coordinate[k] + i];
            er_out_text(out, ",");
            er_out_exact(out, axis[i] < 3 ? value * (180.0 / ER_PI) : value);
        }
    }
    er_out_text(out, "\n");
}

er_result er_curves_write_csv(er_context *context, const er_curves *curves, const char *path)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    er_result r = ER_OK;
    er_arena *arena = NULL;
    er_out out = {0};
    ER_TRY(er_curves_check(context, curves, path, "er_curves_write_csv"));
    ER_TRY(er_arena_create(context, &arena));
    ER_TRY(er_out_begin(&out, arena));
    ER_TRY(put_header(&out, curves->model));
    for (int f = 0; f < curves->frame_count && out.text.failure == ER_OK; ++f)
        put_frame(&out, curves, f);
    ER_TRY(er_out_write(&out, path));
done:
    er_out_end(&out);
    er_arena_destroy(arena);
    return r;
}
