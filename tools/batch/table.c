// The table of a batch in the terminal, and its counts.
#include <string.h>

#include "tools/batch/run.h"

static double number(const json_t *line, const char *name)
{
    return json_number_value(json_object_get(line, name));
}

double batch_line_lowest_hz(const json_t *line)
{
    size_t i;
    json_t *hz;
    json_array_foreach(json_object_get(line, "frequencies_hz"), i,
                       hz) if (json_number_value(hz) > 0.0) return json_number_value(hz);
    return 0.0;
}

static void print_plain(const char *text, FILE *out)
{
    char plain[BATCH_TEXT_SIZE];
    er_text_plain(text, plain, sizeof plain);
    fputs(plain, out);
}

// The number of terminal cells that a name takes, if each code point takes one.
static int cells(const char *text)
{
    int count = 0;
    for (; *text != '\0'; ++text)
        count += ((unsigned char)*text & 0xc0) != 0x80;
    return count;
}

static void print_row(const json_t *line, int width, FILE *out)
{
    const char *key = json_string_value(json_object_get(line, "input"));
    const char *reason = json_string_value(json_object_get(line, "reason"));
    const char *error = json_string_value(json_object_get(line, "error"));
    print_plain(key, out);
    for (int n = cells(key); n < width; ++n)
        fputc(' ', out);
    if (reason == NULL) {
        fprintf(out, "  %6.0f  %6.0f  %9.4g  %9.4g\n", number(line, "bodies"), number(line, "dof"),
                number(line, "mass_kg"), batch_line_lowest_hz(line));
        return;
    }
    fprintf(out, "  %s: ", reason);
    print_plain(error != NULL ? error : "", out);
    fputc('\n', out);
}

void batch_lines_count(const batch_lines *lines, batch_outcome *outcome)
{
    outcome->count = lines->count;
    outcome->done = outcome->failed = 0;
    for (int i = 0; i < lines->count; ++i) {
        json_t *line = batch_lines_json(lines, lines->entry[i].manifest);
        bool failed = json_is_string(json_object_get(line, "reason"));
        outcome->done += line != NULL && !failed;
        outcome->failed += failed;
        json_decref(line);
    }
}

void batch_table_print(const batch_lines *lines, FILE *out)
{
    int width = (int)strlen("model");
    for (int i = 0; i < lines->count; ++i) {
        int length = cells(lines->entry[i].key);
        width = length > width && length <= 60 ? length : width; // longer ones push their own row aside
    }
    fprintf(out, "%-*s  %6s  %6s  %9s  %9s\n", width, "model", "bodies", "dof", "kg", "lowest Hz");
    for (int i = 0; i < lines->count; ++i) {
        json_t *line = batch_lines_json(lines, lines->entry[i].manifest);
        if (line != NULL) print_row(line, width, out);
        json_decref(line);
    }
}
