// Text in SVG: escaped, and cut to the width there is.
#include "formats/plot/svg.h"

#include <string.h>

#include "base/text.h"

static const char *entity(char c)
{
    switch (c) {
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '&':
        return "&amp;";
    case '"':
        return "&quot;";
    default:
        return NULL;
    }
}

void eri_svg_escaped(eri_out *out, const char *words)
{
    while (*words != '\0') {
        size_t length = eri_utf8_length(words);
        if (length == 0)
            eri_out_text(out, "\xEF\xBF\xBD");
        else if (length == 1 && entity(*words) != NULL)
            eri_out_text(out, entity(*words));
        else if (eri_utf8_visible(words, length)) // or it is no XML either
            eri_out_bytes(out, words, length);
        words += length > 0 ? length : 1;
    }
}

void eri_svg_begin(eri_out *out, double width, double height, const char *title)
{
    eri_out_printf(out,
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\" "
                   "font-family=\"sans-serif\" font-size=\"%d\" fill=\"#333\" role=\"img\">\n<title>",
                   width, height, width, height, ERI_SVG_FONT);
    eri_svg_escaped(out, title);
    eri_out_text(out, "</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
}

void eri_svg_text(eri_out *out, double x, double y, const char *more, const char *words)
{
    eri_out_printf(out, "<text x=\"%.1f\" y=\"%.1f\"%s>", x, y, more);
    eri_svg_escaped(out, words);
    eri_out_text(out, "</text>\n");
}

// In units of the font size: no less than in DejaVu Sans, the widest of the usual fonts.
static double character_width(const char *c, size_t length)
{
    if (length > 1) return 1.0; // up to CJK, as wide as it is high
    if (strchr("fijlrtI.,:;'|!()[]/\\ -", *c) != NULL) return 0.42;
    if (strchr("mwMW@%", *c) != NULL) return 1.0;
    return (*c >= 'A' && *c <= 'Z') || strchr("+=<>~^#_&", *c) != NULL ? 0.84 : 0.65;
}

static double step_width(const char *words, size_t *length)
{
    *length = eri_utf8_length(words);
    if (*length == 0) *length = 1;
    return character_width(words, *length);
}

double eri_svg_width(const char *words, double size)
{
    double sum = 0.0;
    for (size_t length; *words != '\0'; words += length)
        sum += step_width(words, &length);
    return sum * size;
}

// Where the last characters start that fit a width.
static const char *tail(const char *words, double size, double width)
{
    double rest = eri_svg_width(words, size);
    for (size_t length; rest > width && *words != '\0'; words += length)
        rest -= size * step_width(words, &length);
    return words;
}

static size_t head_length(const char *words, double size, double width)
{
    const char *at = words;
    for (size_t length; *at != '\0'; at += length) {
        width -= size * step_width(at, &length);
        if (width < 0.0) break;
    }
    return (size_t)(at - words);
}

const char *eri_svg_fit(er_arena *arena, const char *words, double size, double width)
{
    if (eri_svg_width(words, size) <= width) return words;
    double half = (width - size) / 2.0; // the ellipsis counts as one character of full width
    return eri_arena_printf(arena, "%.*s\xE2\x80\xA6%s", (int)head_length(words, size, half), words,
                            tail(words, size, half));
}
