// Reads the CSV of force plates.
#include "app/project/force_plate.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/settings/setting.h"
#include "base/failure.h"
#include "base/text.h"

enum { PARTS = 7 };

static const char *const part_name[PARTS] = {"force_x",  "force_y",  "force_z", "centre_x",
                                             "centre_y", "centre_z", "twist"};

typedef struct plate_reader {
    er_context *context;
    const er_model *model;
    const char *path, *at;
    er_vec3 up;
    int column_count, time; // time: its column, -1 before it was found
    int *slot, *part;       // [column_count], of each column: the index of its body, -1 for others; its part
    bool (*has)[PARTS];     // [body_count of the plate]
    char cell[512];
    force_plate *out;
} plate_reader;

// Reads a cell into `cell` and moves behind it and its comma.   @return whether the line goes on
static bool take_cell(plate_reader *s)
{
    size_t size = 0;
    bool quoted = *s->at == '"';
    const char *at = s->at + quoted;
    for (; *at != '\0' && *at != '\n' && (quoted || *at != ','); ++at) { // a cell ends with its line
        if (quoted && *at == '"' && at[1] != '"') {
            quoted = false;
            continue;
        }
        if (quoted && *at == '"') ++at;
        if (*at != '\r' && size + 1 < sizeof s->cell) s->cell[size++] = *at;
    }
    s->cell[size] = '\0';
    bool more = *at == ',';
    s->at = at + (*at != '\0');
    return more;
}

static int find_body(const er_model *model, const char *name, size_t length)
{
    for (int b = 0; b < model->body_count; ++b)
        if (strlen(model->body[b].name) == length && strncmp(model->body[b].name, name, length) == 0) return b;
    return -1;
}

// Finds the body and the part that a column holds.
static void read_column(plate_reader *s, int column)
{
    const char *dot = strrchr(s->cell, '.');
    s->slot[column] = -1;
    if (strcmp(s->cell, "time_s") == 0) s->time = column;
    if (dot == NULL) return;
    int part = 0, i = 0;
    while (part < PARTS && strcmp(dot + 1, part_name[part]) != 0)
        ++part;
    int body = part < PARTS ? find_body(s->model, s->cell, (size_t)(dot - s->cell)) : -1;
    if (body < 0) return;
    while (i < s->out->body_count && s->out->body[i] != body)
        ++i;
    if (i == s->out->body_count) s->out->body[s->out->body_count++] = body;
    s->slot[column] = i;
    s->part[column] = part;
    s->has[i][part] = true;
}

static er_result read_head(plate_reader *s)
{
    s->time = -1;
    for (bool more = true; more; ++s->column_count) {
        more = take_cell(s);
        read_column(s, s->column_count);
    }
    if (s->time < 0)
        return er_fail(s->context, ER_ERROR_FORMAT, "%s: there is no column time_s; the first line names the columns",
                       s->path);
    if (s->out->body_count == 0)
        return er_fail(s->context, ER_ERROR_FORMAT,
                       "%s: no column is named after a body of the model; they are BODY.force_x, BODY.centre_x, ...",
                       s->path);
    for (int i = 0; i < s->out->body_count; ++i)
        for (int p = 0; p < PARTS - 1; ++p)
            if (!s->has[i][p])
                return er_fail(s->context, ER_ERROR_FORMAT, "%s: there is no column %s.%s", s->path,
                               s->model->body[s->out->body[i]].name, part_name[p]);
    return ER_OK;
}

static er_result read_row(plate_reader *s, int line, double (*part)[PARTS])
{
    force_plate *out = s->out;
    int row = out->row_count, column = 0;
    for (bool more = true; more; ++column) {
        double number = 0.0;
        more = take_cell(s);
        if (column >= s->column_count || (column != s->time && s->slot[column] < 0)) continue;
        if (!setting_number(s->cell, &number))
            return er_fail(s->context, ER_ERROR_FORMAT, "%s:%d: \"%s\" is no number", s->path, line, s->cell);
        if (column == s->time)
            out->time[row] = number;
        else
            part[s->slot[column]][s->part[column]] = number;
    }
    if (column != s->column_count)
        return er_fail(s->context, ER_ERROR_FORMAT, "%s:%d: it has %d columns, and the first line %d", s->path, line,
                       column, s->column_count);
    if (row > 0 && !(out->time[row] > out->time[row - 1]))
        return er_fail(s->context, ER_ERROR_FORMAT, "%s:%d: time_s does not ascend", s->path, line);
    for (int i = 0; i < out->body_count; ++i) {
        const double *v = part[i];
        er_vec3 force = er_v3(v[0], v[1], v[2]), centre = er_v3(v[3], v[4], v[5]);
        out->load[(size_t)row * (size_t)out->body_count + (size_t)i] =
            (er_wrench){er_v3_madd(er_v3_cross(centre, force), v[6], s->up), force};
    }
    ++out->row_count;
    return ER_OK;
}

static er_result read_rows(plate_reader *s)
{
    size_t rows = 1;
    for (const char *c = s->at; *c != '\0'; ++c)
        rows += *c == '\n';
    size_t bodies = (size_t)s->out->body_count;
    double(*part)[PARTS] = calloc(bodies, sizeof *part);
    s->out->time = calloc(rows, sizeof *s->out->time);
    s->out->load = calloc(rows * bodies, sizeof *s->out->load);
    er_result r = part != NULL && s->out->time != NULL && s->out->load != NULL ? ER_OK : eri_no_memory(s->context);
    for (int line = 2; *s->at != '\0' && r == ER_OK;)
        if (*s->at == '\n' || *s->at == '\r')
            line += *s->at++ == '\n';
        else
            r = read_row(s, line++, part);
    free(part);
    if (r == ER_OK && s->out->row_count == 0)
        r = er_fail(s->context, ER_ERROR_FORMAT, "%s: there is no line below the names of the columns", s->path);
    return r;
}

// The whole file as a text, to be freed; NULL when it cannot be read.
static char *read_text(er_context *context, const char *path)
{
    size_t size = 0, room = 1 << 16;
    char *text = NULL;
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        er_fail(context, ER_ERROR_FILE, "%s: the force plate's file cannot be read: %s", path, strerror(errno));
        return NULL;
    }
    for (bool more = true; more; room *= 2) {
        char *grown = realloc(text, room + 1);
        if (grown == NULL) {
            eri_no_memory(context);
            break;
        }
        text = grown;
        size += fread(text + size, 1, room - size, file);
        text[size] = '\0';
        more = size == room;
    }
    bool whole = feof(file) != 0;
    if (ferror(file)) er_fail(context, ER_ERROR_FILE, "%s: the force plate's file cannot be read", path);
    fclose(file);
    if (whole) return text;
    free(text);
    return NULL;
}

er_result force_plate_read(er_context *context, const er_model *model, er_vec3 up, const char *path, force_plate *out)
{
    *out = (force_plate){0};
    plate_reader s = {.context = context, .model = model, .path = path, .up = up, .out = out};
    char *text = read_text(context, path);
    if (text == NULL) return ER_ERROR_FILE;
    size_t columns = 1;
    for (const char *c = text; *c != '\0' && *c != '\n'; ++c)
        columns += *c == ',';
    s.at = text + eri_utf8_mark(text, strlen(text));
    out->body = malloc(columns * sizeof *out->body);
    s.slot = malloc(columns * sizeof *s.slot);
    s.part = malloc(columns * sizeof *s.part);
    s.has = calloc(columns, sizeof *s.has);
    er_result r =
        out->body != NULL && s.slot != NULL && s.part != NULL && s.has != NULL ? ER_OK : eri_no_memory(context);
    if (r == ER_OK) r = read_head(&s);
    if (r == ER_OK) r = read_rows(&s);
    free(s.has);
    free(s.part);
    free(s.slot);
    free(text);
    return r;
}

er_wrench force_plate_at(const force_plate *p, int i, double time)
{
    size_t bodies = (size_t)p->body_count, at = (size_t)i;
    int before = 0, row = p->row_count - 1;
    if (row == 0) return p->load[at];
    while (row - before > 1) {
        int middle = (before + row) / 2;
        *(p->time[middle] < time ? &before : &row) = middle;
    }
    double t = (time - p->time[row - 1]) / (p->time[row] - p->time[row - 1]);
    t = fmin(fmax(t, 0.0), 1.0);
    er_wrench a = p->load[(size_t)(row - 1) * bodies + at], b = p->load[(size_t)row * bodies + at];
    return (er_wrench){er_v3_madd(a.torque, t, er_v3_sub(b.torque, a.torque)),
                       er_v3_madd(a.force, t, er_v3_sub(b.force, a.force))};
}

void force_plate_clear(force_plate *plate)
{
    free(plate->load);
    free(plate->time);
    free(plate->body);
    *plate = (force_plate){0};
}
