// Finds files that batches wrote beside models, so that the next run does not read them as models.
#include <stdlib.h>
#include <string.h>

#include "base/platform.h"
#include "tools/batch/folder.h"
#include "tools/batch/inputs.h"
#include "tools/batch/lines.h"

typedef struct outputs {
    er_context *context;
    const batch_inputs *inputs;
    char *prefix; // of keys below the folder of outputs: "" or "palettes/"
    batch_lines lines;
    bool *own; // [inputs->count]
} outputs;

// NULL where no input lies below that folder, or without memory.
static char *prefix_of(const batch_inputs *inputs, const char *output)
{
    char real[ER_FILE_NAME_MAX];
    size_t root = strlen(inputs->root);
    if (eri_platform_real_path(output, real) == NULL || strncmp(real, inputs->root, root) != 0) return NULL;
    if (real[root] != '/' && real[root] != '\0' && root > 1) return NULL;
    const char *below = real + root + (real[root] == '/');
    char *path = batch_path("%s%s", below, *below != '\0' ? "/" : "");
    char *prefix = path != NULL ? batch_utf8(path) : NULL;
    free(path);
    return prefix;
}

static void mark(outputs *o, const char *path)
{
    char *key = batch_path("%s%s", o->prefix, path);
    int i = key != NULL ? batch_inputs_index(o->inputs, key) : -1;
    if (i >= 0) o->own[i] = true;
    free(key);
}

static er_result take_line(void *user, const char *key, batch_line line)
{
    (void)key;
    outputs *o = user;
    size_t i;
    json_t *all = batch_lines_json(&o->lines, line), *output;
    json_array_foreach(json_object_get(all, "outputs"), i, output)
    {
        const char *path = json_string_value(json_object_get(output, "path"));
        if (path != NULL) mark(o, path);
    }
    json_decref(all);
    return ER_OK;
}

// Reads a manifest or a journal; a missing one lists nothing.
static er_result read_lines(outputs *o, const char *folder, const char *name)
{
    int index;
    char *path = batch_path("%s/%s", folder, name);
    if (path == NULL) return er_fail(o->context, ER_ERROR_MEMORY, "out of memory for the manifest");
    int file = eri_platform_open(path, ERI_OPEN_READ);
    free(path);
    if (file < 0) return ER_OK;
    er_result r = batch_lines_take(o->context, &o->lines, file, &index);
    return r == ER_OK ? batch_lines_read(o->context, &o->lines, index, take_line, o, NULL) : r;
}

static er_result read_manifests(outputs *o, const char *folder)
{
    er_result r = ER_OK;
    eri_listing *list = eri_listing_open(folder);
    for (const char *e; list != NULL && r == ER_OK && (e = eri_listing_next(list)) != NULL;)
        if (strncmp(e, "manifest.", 9) == 0 && er_path_ends_in(e, ".jsonl")) r = read_lines(o, folder, e);
    eri_listing_close(list);
    return r;
}

// Reads manifests of unfinished runs, shards included, and lists of outputs whose models are gone.
static er_result read_journals(outputs *o, const char *folder)
{
    static const char *const kept[] = {"journal.jsonl", "ledger.jsonl"};
    er_result r = ER_OK;
    char *hidden = batch_path("%s/.batch", folder);
    eri_listing *list = hidden != NULL ? eri_listing_open(hidden) : NULL;
    for (const char *e; list != NULL && r == ER_OK && (e = eri_listing_next(list)) != NULL;) {
        for (int i = 0; i < 2 && r == ER_OK && e[0] != '.'; ++i) {
            char *name = batch_path("%s/%s", e, kept[i]);
            if (name != NULL) r = read_lines(o, hidden, name);
            free(name);
        }
    }
    eri_listing_close(list);
    free(hidden);
    return r;
}

er_result batch_mark_outputs(er_context *context, const batch_inputs *inputs, const char *output, bool *own)
{
    outputs o = {context, inputs, prefix_of(inputs, output), {0}, own};
    er_result r = o.prefix != NULL ? read_manifests(&o, output) : ER_OK;
    if (r == ER_OK && o.prefix != NULL) r = read_journals(&o, output);
    batch_lines_free(&o.lines);
    free(o.prefix);
    return r;
}
