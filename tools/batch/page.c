// Writes index.html: one file that needs no network. The rows need no script; a script sorts and filters them.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/letters.h"
#include "tools/batch/folder.h"
#include "tools/batch/inputs.h"
#include "tools/batch/run.h"

// Decades of the spectra, aligned so that rows compare: pixels, and the frequencies at both ends as powers of ten.
enum { SPECTRUM_WIDTH = 240, SPECTRUM_HEIGHT = 18, LOWEST_DECADE = -1, DECADES = 3, MOST_TICKS = 64, MOST_WAYS = 4 };

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width\">\n<title>eigenrig: %d model%s</title>\n<style>\n"
    ":root { color-scheme: light dark; --line: #8884; --quiet: #888; --tick: #2a6fb0; --bad: #c0392b }\n"
    "@media (prefers-color-scheme: dark) { :root { --tick: #7db8ee; --bad: #ff8a7a } }\n"
    "body { font: 14px/1.4 system-ui, sans-serif; margin: 0 }\n"
    "header { display: flex; flex-wrap: wrap; gap: .6em 1.2em; align-items: baseline; padding: .9em 1.2em; "
    "position: sticky; top: 0; height: 2em; background: Canvas; border-bottom: 1px solid var(--line); z-index: 1 }\n"
    "h1 { font-size: 1.15em; margin: 0 } input, select { font: inherit; padding: .15em .4em }\n"
    "table { border-collapse: collapse; width: 100%%; table-layout: fixed }\n"
    "th, td { padding: .35em .6em; text-align: right; vertical-align: middle; overflow-wrap: anywhere }\n"
    "tr { border-bottom: 1px solid var(--line) } th { cursor: pointer; user-select: none; white-space: nowrap; "
    "position: sticky; top: 3.8em; background: Canvas; border-bottom: 1px solid var(--line) }\n"
    "th[data-up]::after { content: ' \\25B2' } th[data-down]::after { content: ' \\25BC' }\n"
    "th:first-child, td:first-child, .words { text-align: left } td { font-variant-numeric: tabular-nums }\n"
    "small { color: var(--quiet) } .failed { color: var(--bad) } svg { display: block }\n"
    "path { stroke: var(--tick); stroke-width: 1.2 } line { stroke: var(--line) } text { fill: var(--quiet) }\n"
    "img { display: block; max-width: 100%%; height: 12em; object-fit: contain; object-position: left; margin-top: "
    ".3em }\n"
    "@media (max-width: 1000px) { col:nth-child(7), th:nth-child(7), td:nth-child(7) { display: none } }\n"
    "@media (max-width: 760px) { :is(col, th, td):is(:nth-child(3), :nth-child(5)) { display: none } }\n"
    "tr[hidden] { display: none } .made { margin: .6em 1.2em; color: var(--quiet) } code { overflow-wrap: anywhere }\n"
    "</style>\n</head>\n<body>\n<header><h1>%d model%s</h1><span>%d done, <span class=\"failed\">%d "
    "failed</span></span>\n"
    "<input id=\"find\" type=\"search\" placeholder=\"filter by any word\" size=\"28\" autofocus>\n"
    "<select id=\"kind\"><option value=\"\">all</option><option value=\"done\">done</option>"
    "<option value=\"failed\">failed</option><option value=\"warned\">with warnings</option></select>\n"
    "<span id=\"shown\"></span></header>\n";

static const char table[] =
    "<table>\n<colgroup><col><col style=\"width:5em\"><col style=\"width:5em\">"
    "<col style=\"width:7em\"><col style=\"width:6em\"><col style=\"width:6em\"><col style=\"width:%dpx\">"
    "<col style=\"width:26%%\"></colgroup>\n<thead><tr><th>model</th><th>bodies</th><th>dof</th><th>mass</th>"
    "<th>height</th><th>lowest Hz</th><th class=\"words\">spectrum, 0.1 to 100 Hz</th><th "
    "class=\"words\">notes</th></tr></thead>\n<tbody>\n";

static const char tail[] =
    "</tbody>\n</table>\n<script>\n"
    "const body = document.querySelector('tbody'), find = document.getElementById('find'),\n"
    "  kind = document.getElementById('kind'), shown = document.getElementById('shown'), rows = [...body.rows];\n"
    "const words = new Map(rows.map(row => [row, row.textContent.toLowerCase()]));\n"
    "function filter() {\n"
    "  const wanted = find.value.toLowerCase().split(/\\s+/);\n  let count = 0;\n"
    "  for (const row of rows) {\n"
    "    row.hidden = !row.classList.contains('row' + (kind.value ? '-' + kind.value : ''))\n"
    "      || !wanted.every(word => words.get(row).includes(word));\n"
    "    count += !row.hidden;\n  }\n"
    "  shown.textContent = count < rows.length ? count + ' shown' : '';\n}\n"
    "find.oninput = kind.onchange = filter;\n"
    "document.querySelectorAll('th').forEach((head, column) => head.onclick = () => {\n"
    "  const down = head.dataset.up !== undefined;\n"
    "  document.querySelectorAll('th').forEach(other => { delete other.dataset.up; delete other.dataset.down; });\n"
    "  head.dataset[down ? 'down' : 'up'] = '';\n"
    "  const key = row => { const cell = row.cells[column]; return cell.dataset.value ?? cell.textContent; };\n"
    "  const compare = (a, b) => {\n"
    "    const x = key(a), y = key(b);\n"
    "    if (x === '' || y === '') return (x === '') - (y === '');\n"
    "    const order = isNaN(x) || isNaN(y) ? x.localeCompare(y, undefined, {numeric: true}) : x - y;\n"
    "    return down ? -order : order;\n  };\n"
    "  body.append(...rows.sort(compare));\n});\n</script>\n</body>\n</html>\n";

static void print_text(const char *words, FILE *out)
{
    char plain[BATCH_TEXT_SIZE];
    er_text_plain(words, plain, sizeof plain);
    for (const char *text = plain; *text != '\0'; ++text)
        switch (*text) {
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        case '&':
            fputs("&amp;", out);
            break;
        case '"':
            fputs("&quot;", out);
            break;
        default:
            fputc(*text, out);
        }
}

// A path of the manifest as an address relative to the page, made of the bytes that it has on disk.
static void print_address(const char *written, FILE *out)
{
    char path[BATCH_TEXT_SIZE]; // \xNN for every byte of the longest path
    snprintf(path, sizeof path, "%s", written);
    batch_bytes(path);
    fputs("./", out); // so that a colon makes no scheme
    for (const char *at = path; *at != '\0'; ++at)
        if (strchr("/-_.~", *at) != NULL || (*at >= '0' && *at <= '9') || (*at >= 'A' && *at <= 'Z') ||
            (*at >= 'a' && *at <= 'z'))
            fputc(*at, out);
        else
            fprintf(out, "%%%02X", (unsigned char)*at);
}

static const char *text_of(const json_t *line, const char *name)
{
    const char *text = json_string_value(json_object_get(line, name));
    return text != NULL ? text : "";
}

static void print_count(const json_t *value, FILE *out)
{
    double x = json_number_value(value);
    fprintf(out, json_is_number(value) ? "<td data-value=\"%.9g\">%.0f</td>" : "<td></td>", x, x);
}

// A unit that people use for sizes from `least` on; the first of a list also serves smaller sizes.
typedef struct unit {
    double least; // in SI
    const char *name;
} unit;

static const unit masses[] = {{1e-6, "mg"}, {1e-3, "g"}, {1.0, "kg"}, {1e3, "t"}, {0.0, NULL}};
static const unit lengths[] = {{1e-3, "mm"}, {1e-2, "cm"}, {1.0, "m"}, {1e3, "km"}, {0.0, NULL}};
static const unit sizes[] = {{1.0, "B"}, {1e3, "kB"}, {1e6, "MB"}, {1e9, "GB"}, {0.0, NULL}};

static void print_human(double x, const unit *units, FILE *out)
{
    while (units[1].name != NULL && x >= units[1].least)
        ++units;
    x /= units->least;
    fprintf(out, x < 999.5 ? "%.3g&nbsp;%s" : "%.0f&nbsp;%s", x, units->name); // never 1e+03
}

static void print_measure(const json_t *value, const unit *units, FILE *out)
{
    double x = json_number_value(value);
    if (x > 0.0) fprintf(out, "<td data-value=\"%.9g\">", x);
    if (x > 0.0) print_human(x, units, out);
    fputs(x > 0.0 ? "</td>" : "<td></td>", out);
}

static void print_spectrum(const json_t *hz, double lowest, FILE *out)
{
    if (lowest == 0.0) {
        fputs("<td></td>", out);
        return;
    }
    size_t i;
    json_t *value;
    int ticks = 0;
    double step = (double)SPECTRUM_WIDTH / DECADES;
    fprintf(out, "<td data-value=\"%.9g\"><svg width=\"%d\" height=\"%d\">", lowest, SPECTRUM_WIDTH, SPECTRUM_HEIGHT);
    for (int k = 1; k < DECADES; ++k)
        fprintf(out, "<line x1=\"%g\" x2=\"%g\" y2=\"%d\"/>", k * step, k * step, SPECTRUM_HEIGHT);
    fputs("<path d=\"", out);
    json_array_foreach(hz, i, value)
    {
        double f = json_number_value(value);
        double x = f > 0.0 ? (log10(f) - LOWEST_DECADE) * step : -1.0;
        if (x < 0.0 || x > SPECTRUM_WIDTH || ++ticks > MOST_TICKS) continue;
        fprintf(out, "M%.1f 3v12", x);
    }
    fputs("\"/></svg></td>", out);
}

// The endings that files add to the model's name, or their own names, and their sizes.
static void print_outputs(const json_t *outputs, const char *input, FILE *out)
{
    size_t i;
    json_t *output;
    size_t name = strlen(input);
    const char *picture = NULL;
    json_array_foreach(outputs, i, output)
    {
        const char *path = text_of(output, "path"), *end = strrchr(path, '.');
        if (end != NULL && er_path_ends_in(path, ".png")) picture = path;
        fputs(i == 0 ? "<br><small>" : " ", out);
        fputs("<a href=\"", out);
        print_address(path, out);
        fputs("\">", out);
        bool longer = strncmp(path, input, name) == 0 && strlen(path) > name + 1;
        const char *slash = strrchr(path, '/');
        print_text(longer ? path + name + 1 : slash != NULL ? slash + 1 : path, out);
        fputs("</a>&nbsp;", out);
        print_human(json_number_value(json_object_get(output, "bytes")), sizes, out);
    }
    if (json_array_size(outputs) > 0) fputs("</small>", out);
    if (picture == NULL) return;
    fputs("<a href=\"", out);
    print_address(picture, out);
    fputs("\"><img loading=\"lazy\" alt=\"\" src=\"", out);
    print_address(picture, out);
    fputs("\"></a>", out);
}

static void print_notes(const json_t *line, FILE *out)
{
    size_t i;
    json_t *gait, *warning;
    const char *reason = text_of(line, "reason");
    fputs("<td class=\"words\">", out);
    if (*reason != '\0') {
        fputs("<span class=\"failed\">", out);
        print_text(reason, out);
        fputs("</span>: ", out);
        print_text(text_of(line, "error"), out);
    }
    json_array_foreach(json_object_get(line, "gaits"), i, gait)
    {
        fputs(i == 0 ? "gaits: " : ", ", out);
        print_text(json_string_value(gait), out);
    }
    json_array_foreach(json_object_get(line, "warnings"), i, warning)
    {
        fputs("<div><small>", out);
        print_text(json_string_value(warning), out);
        fputs("</small></div>", out);
    }
    fputs("</td>", out);
}

// The input's name, which opens the model's page if there is one.
static void print_name(const json_t *line, FILE *out)
{
    size_t i;
    json_t *output;
    const char *page = NULL;
    json_array_foreach(json_object_get(line, "outputs"), i, output)
    {
        const char *path = text_of(output, "path");
        if (er_path_ends_in(path, ".html")) page = path;
    }
    if (page != NULL) fputs("<a href=\"", out);
    if (page != NULL) print_address(page, out);
    if (page != NULL) fputs("\">", out);
    print_text(text_of(line, "input"), out);
    if (page != NULL) fputs("</a>", out);
}

static void print_row(const json_t *line, FILE *out)
{
    const json_t *hz = json_object_get(line, "frequencies_hz"), *warnings = json_object_get(line, "warnings");
    double lowest = batch_line_lowest_hz(line);
    fprintf(out, "<tr class=\"row row-%s%s\"><td data-value=\"", text_of(line, "status"),
            json_array_size(warnings) > 0 ? " row-warned" : "");
    print_text(text_of(line, "input"), out);
    fputs("\">", out);
    print_name(line, out);
    print_outputs(json_object_get(line, "outputs"), text_of(line, "input"), out);
    fputs("</td>", out);
    print_count(json_object_get(line, "bodies"), out);
    print_count(json_object_get(line, "dof"), out);
    print_measure(json_object_get(line, "mass_kg"), masses, out);
    print_measure(json_object_get(line, "height_m"), lengths, out);
    fprintf(out, lowest > 0.0 ? "<td data-value=\"%.9g\">%.3f</td>" : "<td></td>", lowest, lowest);
    print_spectrum(hz, lowest, out);
    print_notes(line, out);
    fputs("</tr>\n", out);
}

// The time of writing: now, or SOURCE_DATE_EPOCH (reproducible-builds.org).
static void print_date(FILE *out)
{
    const char *said = getenv("SOURCE_DATE_EPOCH");
    time_t now = said != NULL ? (time_t)strtoll(said, NULL, 10) : time(NULL);
    struct tm at;
    char text[64];
    if (gmtime_r(&now, &at) == NULL || strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", &at) == 0) return;
    fprintf(out, "<time>%s</time>", text);
}

static void print_way(const json_t *line, FILE *out)
{
    const char *options = text_of(line, "options");
    fputs("<br>eigenrig ", out);
    print_text(text_of(line, "version"), out);
    fputs(*options != '\0' ? " <code>" : ", no options", out);
    print_text(options, out);
    if (*options != '\0') fputs("</code>", out);
}

// The versions and options of the lines. Usually one; several if some models were done again with others.
static void print_made(const batch_lines *lines, FILE *out)
{
    json_t *ways = json_object();
    fputs("<p class=\"made\">", out);
    print_date(out);
    for (int i = 0; i < lines->count; ++i) {
        json_t *line = batch_lines_json(lines, lines->entry[i].manifest);
        char *way = line != NULL ? batch_path("%s %s", text_of(line, "version"), text_of(line, "options")) : NULL;
        bool said = way == NULL || json_object_get(ways, way) != NULL;
        if (!said && json_object_size(ways) < MOST_WAYS) print_way(line, out);
        if (!said) json_object_set_new(ways, way, json_true());
        free(way);
        json_decref(line);
    }
    if (json_object_size(ways) > MOST_WAYS)
        fprintf(out, "<br>and %zu other ways; the manifest tells", json_object_size(ways) - MOST_WAYS);
    fputs("</p>\n", out);
    json_decref(ways);
}

er_result batch_page_write(er_context *context, const batch_lines *lines, const char *path)
{
    batch_file file;
    batch_outcome c;
    er_result r = batch_file_begin(context, path, &file);
    if (r != ER_OK) return r;
    batch_lines_count(lines, &c);
    fprintf(file.stream, head, c.count, eri_plural(c.count), c.count, eri_plural(c.count), c.done, c.failed);
    print_made(lines, file.stream);
    fprintf(file.stream, table, SPECTRUM_WIDTH + 20);
    for (int done = 0; done < 2; ++done) // failures first
        for (int i = 0; i < lines->count; ++i) {
            json_t *line = batch_lines_json(lines, lines->entry[i].manifest);
            if (line != NULL && (*text_of(line, "reason") == '\0') == done) print_row(line, file.stream);
            json_decref(line);
        }
    fputs(tail, file.stream);
    return batch_file_end(context, &file, r);
}
