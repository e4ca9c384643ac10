// JSON as it goes to the file: no tree of it is ever made, since palettes hold numbers by the hundred thousand.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "formats/json/json.h"

enum { ROOM = 1 << 16 };

static void flush(eri_json_out *out)
{
    eri_stream_put(&out->stream, out->text, out->used);
    out->used = 0;
}

static void put(eri_json_out *out, const char *text, size_t size)
{
    while (size > 0) {
        if (out->used == ROOM) flush(out);
        size_t part = size < ROOM - out->used ? size : ROOM - out->used;
        memcpy(out->text + out->used, text, part);
        out->used += part;
        text += part;
        size -= part;
    }
}

static void put_text(eri_json_out *out, const char *text)
{
    out->wrong |= !eri_utf8_valid(text);
    put(out, "\"", 1);
    while (*text != '\0') {
        size_t plain = 0;
        while ((unsigned char)text[plain] >= ' ' && text[plain] != '"' && text[plain] != '\\')
            ++plain;
        put(out, text, plain);
        text += plain;
        if (*text == '\0') break;
        char escaped[8];
        int length = snprintf(escaped, sizeof escaped, *text < ' ' ? "\\u%04x" : "\\%c", *text);
        put(out, escaped, (size_t)length);
        ++text;
    }
    put(out, "\"", 1);
}

// 0 for zero; else with a point or an exponent, so that readers take none for an integer, which may not hold it.
static void put_number(eri_json_out *out, double x)
{
    if (ROOM - out->used < ERI_NUMBER_ROOM + 2) flush(out);
    char *text = out->text + out->used;
    int length = eri_number_text(x, text);
    if (x == trunc(x) && memcmp(text, "0", 2) != 0 && strchr(text, 'e') == NULL) {
        text[length++] = '.';
        text[length++] = '0';
    }
    out->wrong |= !isfinite(x);
    out->used += (size_t)length;
}

static void begin_value(eri_json_out *out, const char *key)
{
    static const char line[] = "\n                ";
    put(out, ",", out->begun ? 1 : 0);
    put(out, line, 1 + (size_t)out->depth);
    out->begun = true;
    if (key == NULL) return;
    put_text(out, key);
    put(out, ": ", 2);
}

er_result eri_json_begin(er_context *context, const char *path, eri_json_out **result)
{
    er_result r = ER_OK;
    er_arena *arena = NULL;
    eri_json_out *out;
    ERI_TRY(eri_arena_create(context, &arena));
    ERI_TRY_NEW(out, arena, eri_json_out, 1);
    ERI_TRY_RESERVE(out->text, arena, char, ROOM);
    ERI_TRY(eri_stream_open(&out->stream, context, path));
    out->arena = arena;
    out->depth = 1;
    put(out, "{", 1);
    arena = NULL;
    *result = out;
done:
    eri_arena_destroy(arena);
    return r;
}

er_result eri_json_end(eri_json_out *out)
{
    er_context *context = out->stream.context;
    eri_json_close(out, '}');
    put(out, "\n", 1);
    flush(out);
    bool wrong = out->wrong;
    const char *path = out->stream.path;
    if (wrong && out->stream.error == 0) out->stream.error = EINVAL;
    er_result r = eri_stream_close(&out->stream);
    eri_arena_destroy(out->arena);
    if (!wrong) return r;
    return er_fail(context, ER_ERROR_ARGUMENT,
                   "%s: cannot be written: a number is not finite, or a name is not UTF-8 text", path);
}

void eri_json_open(eri_json_out *out, const char *key, char bracket)
{
    begin_value(out, key);
    put(out, &bracket, 1);
    ++out->depth;
    out->begun = false;
}

void eri_json_close(eri_json_out *out, char bracket)
{
    --out->depth;
    if (out->begun) {
        out->begun = false;
        begin_value(out, NULL);
    }
    put(out, &bracket, 1);
    out->begun = true;
}

void eri_json_text(eri_json_out *out, const char *key, const char *text)
{
    begin_value(out, key);
    put_text(out, text);
}

void eri_json_integer(eri_json_out *out, const char *key, int x)
{
    char text[16];
    snprintf(text, sizeof text, "%d", x);
    eri_json_word(out, key, text);
}

void eri_json_number(eri_json_out *out, const char *key, double x)
{
    begin_value(out, key);
    put_number(out, x);
}

void eri_json_numbers(eri_json_out *out, const char *key, const double *x, int count)
{
    begin_value(out, key);
    put(out, "[", 1);
    for (int i = 0; i < count; ++i) {
        put(out, ", ", i > 0 ? 2 : 0);
        put_number(out, x[i]);
    }
    put(out, "]", 1);
}

void eri_json_vec3(eri_json_out *out, const char *key, er_vec3 v)
{
    const double x[3] = {v.x, v.y, v.z};
    eri_json_numbers(out, key, x, 3);
}

void eri_json_pose(eri_json_out *out, er_pose pose)
{
    const double q[4] = {pose.q.w, pose.q.x, pose.q.y, pose.q.z};
    eri_json_vec3(out, "position", pose.p);
    eri_json_numbers(out, "orientation", q, 4);
}

void eri_json_word(eri_json_out *out, const char *key, const char *word)
{
    begin_value(out, key);
    put(out, word, strlen(word));
}

void eri_json_flag(eri_json_out *out, const char *key, bool flag)
{
    eri_json_word(out, key, flag ? "true" : "false");
}
