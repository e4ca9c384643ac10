// Drawings read back, by what their own lines and letters say.
#include "drawing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "formats/plot/svg.h"

static const double rounding = 0.0501; // places are written to a tenth of a pixel

const char *drawing_text(const char *from, const char *to, drawn_text *out)
{
    const char *at = strstr(from, "<text x=\"");
    if (at == NULL || at >= to) return NULL;
    const char *begin = strchr(at, '>'), *end = strstr(begin, "</text>");
    int used = 0;
    size_t count = 0;
    assert_int_equal(sscanf(at, "<text x=\"%lf\" y=\"%lf\"%n", &out->x, &out->y, &used), 2);
    snprintf(out->style, sizeof out->style, "%.*s", (int)(begin - at) - used, at + used);
    for (const char *c = begin + 1; c < end; ++c) {
        if (*c == '<') c = strchr(c, '>');
        if (*c != '>' && count + 1 < sizeof out->words) out->words[count++] = *c;
    }
    out->words[count] = '\0';
    return end;
}

drawn_text drawing_find(const char *from, const char *to, const char *words)
{
    drawn_text text;
    while ((from = drawing_text(from, to, &text)) != NULL)
        if (strcmp(text.words, words) == 0) return text;
    fail_msg("there is no \"%s\"", words);
    return text;
}

const char *drawing_mark(const char *from, const char *to, const char *mark)
{
    const char *at = strstr(from, mark);
    if (at == NULL || at >= to) fail_msg("there is no %s", mark);
    return at;
}

int drawing_count(const char *from, const char *to, const char *mark)
{
    int count = 0;
    for (const char *at = from; (at = strstr(at, mark)) != NULL && at < to; ++at)
        ++count;
    return count;
}

double drawing_place(const eri_axis *axis, double value)
{
    double part = axis->logarithmic ? log(value / axis->low) / log(axis->high / axis->low)
                                    : (value - axis->low) / (axis->high - axis->low);
    return axis->first + part * (axis->last - axis->first);
}

static void expect_place(double is, double want)
{
    if (!(fabs(is - want) <= rounding)) fail_msg("something stands at %g, not at %g", is, want);
}

// Numbers of an axis, each at a line of the grid: across below the frame, their middles on the lines; up left of it,
// half a letter lower, their ends beside it.
static double expect_numbers(const char *from, const char *to, const eri_axis *axis, bool across, double top,
                             double bottom, const char **grid)
{
    const char *class = across ? " class=\"x\" text-anchor=\"middle\"" : " class=\"y\" text-anchor=\"end\"";
    drawn_text text;
    double end = PAPER_RIGHT;
    int count = 0, used;
    while ((from = drawing_text(from, to, &text)) != NULL) {
        if (strncmp(text.style, class, strlen(class)) != 0) continue;
        bool minus = strncmp(text.words, "\xE2\x88\x92", 3) == 0;
        double value = minus ? -strtod(text.words + 3, NULL) : strtod(text.words, NULL),
               want = drawing_place(axis, value), line[3];
        if (across) {
            assert_int_equal(sscanf(*grid, "M%lf %lfV%lf%n", &line[0], &line[1], &line[2], &used), 3);
            expect_place(line[0], want);
            expect_place(line[1], top);
            expect_place(line[2], bottom);
            expect_place(text.x, want);
            expect_place(text.y, bottom + 15.0);
            end = want + 0.5 * eri_svg_width(text.words, ERI_SVG_FONT);
        } else {
            assert_int_equal(sscanf(*grid, "M%lf %lfH%lf%n", &line[0], &line[1], &line[2], &used), 3);
            expect_place(line[1], want);
            assert_true(line[0] == PAPER_LEFT && line[2] == PAPER_RIGHT);
            expect_place(text.x, PAPER_LEFT - 6.0);
            expect_place(text.y, want + 4.0);
        }
        *grid += used;
        ++count;
    }
    assert_true(count > 1);
    return end;
}

void drawing_expect_panel(const char *from, const char *to, double top, const eri_axis *across, const eri_axis *up,
                          const char *name, const char *besides, const char *unit)
{
    char want[400];
    double bottom = up->first;
    snprintf(
        want, sizeof want,
        "<text x=\"60\" y=\"%.1f\"><tspan font-weight=\"bold\">%s</tspan><tspan dx=\"10\" fill=\"#666\">%s</tspan>",
        top - 10.0, name, besides);
    const char *at = drawing_mark(from, to, want), *grid = drawing_mark(at, to, "<path d=\"M") + strlen("<path d=\"");
    double end = expect_numbers(at, to, across, true, top, bottom, &grid);
    expect_numbers(at, to, up, false, top, bottom, &grid);
    assert_int_equal(strncmp(grid, "\" stroke=\"#e4e4e4\"/>", 20), 0); // no line more
    snprintf(want, sizeof want, "<path d=\"M60 %.1fV%.1fH740\" stroke=\"#999\" fill=\"none\"/>", top, bottom);
    drawing_mark(grid, to, want);
    bool crosses = !up->logarithmic && up->low < 0.0 && up->high > 0.0;
    assert_int_equal(drawing_count(grid, to, "class=\"zero\""), crosses);
    if (crosses) {
        snprintf(want, sizeof want, "<path class=\"zero\" d=\"M60 %.1fH740\"", drawing_place(up, 0.0));
        drawing_mark(grid, to, want);
    }
    drawn_text text = drawing_find(grid, to, unit); // beside the numbers, clear of the last one
    expect_place(text.x, fmax(PAPER_RIGHT + 24.0, end + 10.0));
    expect_place(text.y, bottom + 15.0);
}
