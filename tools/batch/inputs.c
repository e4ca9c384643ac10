// Words of a command line to models: files, folders walked, lists, patterns.
#include "tools/batch/inputs.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/failure.h"
#include "base/letters.h"
#include "base/platform.h"
#include "base/text.h"
#include "tools/batch/digest.h"
#include "tools/batch/folder.h"

// Formats that may hold a skeleton and are read (tools/importer/importer.c refuses some that Assimp lists).
static const char *const endings[] = {".glb", ".gltf", ".vrm", ".fbx", ".dae",     ".zae",  ".bvh", ".x",
                                      ".b3d", ".smd",  ".mdl", ".pmx", ".md5mesh", ".ms3d", ".lws", ".ase"};

typedef struct finder {
    er_context *context;
    batch_inputs *inputs;
    eri_file_info output; // number 0: not there yet
} finder;

// A palette is JSON too and holds a rig, so the file's own format name comes first.
static bool is_rig_file(const char *path)
{
    static const char mark[] = "\"eigenrig-";
    char text[4096];
    int file = batch_open_regular(path);
    if (file < 0) return false;
    ptrdiff_t size = eri_platform_read(file, text, sizeof text);
    eri_platform_close(file);
    const char *at = size > 0 ? eri_platform_find(text, (size_t)size, mark, sizeof mark - 1) : NULL;
    return at != NULL && (size_t)(text + size - at) >= sizeof "\"eigenrig-rig\"" - 1 &&
           memcmp(at, "\"eigenrig-rig\"", sizeof "\"eigenrig-rig\"" - 1) == 0;
}

static bool is_model(const char *path, const char *name)
{
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; ++i)
        if (er_path_ends_in(name, endings[i])) return true;
    return er_path_ends_in(name, ".json") && is_rig_file(path);
}

// Takes both strings, also on failure.
static er_result add(finder *f, char *path, char *absolute)
{
    batch_inputs *in = f->inputs;
    if (path != NULL && absolute != NULL && in->count == in->room) {
        int room = in->room > 0 ? 2 * in->room : 64;
        batch_input *grown = realloc(in->item, (size_t)room * sizeof *grown);
        if (grown != NULL) {
            in->item = grown;
            in->room = room;
        }
    }
    if (path == NULL || absolute == NULL || in->count == in->room) {
        free(path);
        free(absolute);
        return eri_no_memory_for(f->context, "the list of models");
    }
    in->item[in->count++] = (batch_input){path, absolute, NULL, NULL, false};
    return ER_OK;
}

static char *join(const char *folder, const char *name)
{
    char *path = NULL;
    size_t length = strlen(folder);
    const char *slash = length > 0 && folder[length - 1] == '/' ? "" : "/";
    return asprintf(&path, "%s%s%s", folder, slash, name) < 0 ? NULL : path;
}

// The common folder shrinks to hold one more path.
static er_result widen_root(finder *f, const char *folder)
{
    char **root = &f->inputs->root;
    if (*root == NULL) {
        *root = strdup(folder);
        return *root != NULL ? ER_OK : eri_no_memory_for(f->context, "the list of models");
    }
    size_t same = 0, whole = 0;
    for (; (*root)[same] != '\0' && (*root)[same] == folder[same]; ++same)
        if ((*root)[same] == '/') whole = same;
    bool root_ends = (*root)[same] == '\0', folder_ends = folder[same] == '\0';
    if ((root_ends && (folder_ends || folder[same] == '/')) || (folder_ends && (*root)[same] == '/')) whole = same;
    (*root)[whole > 0 ? whole : 1] = '\0'; // "/" is the widest
    return ER_OK;
}

// Takes all files of a folder, and closes it. An unreadable folder below it becomes an input that fails alone.
static er_result walk(finder *f, eri_listing *folder, const char *path, const char *absolute)
{
    er_result r = ER_OK;
    for (const char *e; r == ER_OK && (e = eri_listing_next(folder)) != NULL;) {
        if (e[0] == '.') continue;
        char *below = join(path, e), *real = join(absolute, e);
        eri_file_info info;
        if (below == NULL || real == NULL) {
            r = eri_no_memory_for(f->context, "the list of models");
        } else if (eri_platform_stat_link(below, &info) == 0 && info.kind == ERI_FILE_FOLDER) {
            bool own = info.number == f->output.number && info.device == f->output.device;
            eri_listing *inner = own ? NULL : eri_listing_open(below);
            if (inner != NULL) {
                r = walk(f, inner, below, real);
            } else if (!own) {
                r = add(f, below, real);
                below = real = NULL;
            }
        } else if (is_model(below, e)) {
            r = add(f, below, real);
            below = real = NULL;
        }
        free(below);
        free(real);
    }
    eri_listing_close(folder);
    return r;
}

static er_result add_folder(finder *f, const char *path)
{
    char real[ER_FILE_NAME_MAX];
    if (eri_platform_real_path(path, real) == NULL)
        return er_fail(f->context, ER_ERROR_FILE, "%s: cannot be accessed (%s)", path, eri_platform_error_text(errno));
    er_result r = widen_root(f, real);
    if (r != ER_OK) return r;
    eri_listing *folder = eri_listing_open(path);
    if (folder == NULL)
        return er_fail(f->context, ER_ERROR_FILE, "%s: the folder cannot be read (%s); check its permissions", path,
                       eri_platform_error_text(errno));
    return walk(f, folder, path, real);
}

// A missing file, or one whose path is too long, becomes an input that fails alone.
static er_result add_file(finder *f, const char *path)
{
    char real[ER_FILE_NAME_MAX];
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    char *folder = slash == NULL ? strdup(".") : strndup(path, slash == path ? 1 : (size_t)(slash - path));
    if (folder == NULL) return eri_no_memory_for(f->context, "the list of models");
    bool found = eri_platform_real_path(folder, real) != NULL || eri_platform_real_path(".", real) != NULL;
    free(folder);
    if (!found)
        return er_fail(f->context, ER_ERROR_FILE, "the current folder cannot be found (%s)",
                       eri_platform_error_text(errno));
    er_result r = widen_root(f, real);
    return r == ER_OK ? add(f, strdup(path), join(real, name)) : r;
}

static er_result add_path(finder *f, const char *path)
{
    return eri_platform_is_folder(path) ? add_folder(f, path) : add_file(f, path);
}

static er_result add_list(finder *f, const char *path)
{
    bool standard = strcmp(path, "-") == 0;
    FILE *file = standard ? stdin : fopen(path, "r");
    if (file == NULL)
        return er_fail(f->context, ER_ERROR_FILE, "%s: the list cannot be read (%s)", path,
                       eri_platform_error_text(errno));
    er_result r = ER_OK;
    char *line = NULL;
    size_t room = 0;
    bool first = true;
    for (ptrdiff_t length; r == ER_OK && (length = eri_platform_read_line(&line, &room, '\n', file)) >= 0;) {
        const char *model = line + (first ? eri_utf8_mark(line, (size_t)length) : 0);
        first = false;
        while (length > 0 && (line[length - 1] == '\n' || line[length - 1] == '\r'))
            line[--length] = '\0';
        if (*model != '\0') r = add_path(f, model);
    }
    if (r == ER_OK && ferror(file)) r = er_fail(f->context, ER_ERROR_FILE, "%s: the list cannot be read", path);
    free(line);
    if (!standard) fclose(file);
    return r;
}

typedef struct finding {
    finder *finder;
    er_result result;
} finding;

static bool add_found(void *user, const char *path)
{
    finding *f = user;
    f->result = add_path(f->finder, path);
    return f->result == ER_OK;
}

static er_result add_glob(finder *f, const char *word)
{
    finding found = {f, ER_OK};
    int any = eri_platform_glob(word, add_found, &found);
    if (any < 0) return eri_no_memory_for(f->context, "the list of models");
    if (any == 0)
        return er_fail(f->context, ER_ERROR_ARGUMENT, "%s: there is no such file or folder; check the path", word);
    return found.result;
}

static er_result add_word(finder *f, const char *word)
{
    if (strcmp(word, "-") == 0) return add_list(f, word);
    if (eri_platform_access(word, ERI_EXISTS)) return add_path(f, word);
    return word[0] == '@' ? add_list(f, word + 1) : add_glob(f, word);
}

static void free_input(batch_input *input)
{
    free(input->path);
    free(input->absolute);
    free(input->key);
}

static er_result name_all(finder *f)
{
    batch_inputs *in = f->inputs;
    size_t root = in->root != NULL ? strlen(in->root) : 0;
    if (root == 1) root = 0; // "/" has its slash already
    for (int i = 0; i < in->count; ++i) {
        in->item[i].relative = in->item[i].absolute + root + 1;
        in->item[i].key = batch_utf8(in->item[i].relative);
        if (in->item[i].key == NULL) return eri_no_memory_for(f->context, "the list of models");
    }
    batch_inputs_sort(in);
    int kept = 0;
    for (int i = 0; i < in->count; ++i)
        if (kept > 0 && strcmp(in->item[kept - 1].key, in->item[i].key) == 0)
            free_input(&in->item[i]); // named twice
        else
            in->item[kept++] = in->item[i];
    in->count = kept;
    return ER_OK;
}

static er_result leave_outputs(finder *f, const char *output)
{
    batch_inputs *in = f->inputs;
    bool *own = calloc((size_t)in->count + 1, sizeof *own);
    if (own == NULL) return eri_no_memory_for(f->context, "the list of models");
    er_result r = in->count > 0 ? batch_mark_outputs(f->context, in, output, own) : ER_OK;
    int kept = 0;
    for (int i = 0; i < in->count; ++i)
        if (own[i])
            free_input(&in->item[i]);
        else
            in->item[kept++] = in->item[i];
    in->count = kept;
    free(own);
    return r;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

// Every folder on the way to a model is one.
static er_result list_folders(finder *f)
{
    batch_inputs *in = f->inputs;
    int room = 0, kept = 0;
    for (int i = 0; i < in->count; ++i)
        for (const char *slash = in->item[i].relative; (slash = strchr(slash, '/')) != NULL; ++slash) {
            if (in->folder_count == room) {
                char **grown = realloc(in->folder, (size_t)(room = 2 * room + 64) * sizeof *grown);
                if (grown == NULL) return eri_no_memory_for(f->context, "the list of folders");
                in->folder = grown;
            }
            char *name = strndup(in->item[i].relative, (size_t)(slash - in->item[i].relative));
            if (name == NULL) return eri_no_memory_for(f->context, "the list of folders");
            in->folder[in->folder_count++] = name;
        }
    if (in->folder_count > 0) qsort(in->folder, (size_t)in->folder_count, sizeof *in->folder, by_name);
    for (int i = 0; i < in->folder_count; ++i)
        if (kept > 0 && strcmp(in->folder[kept - 1], in->folder[i]) == 0)
            free(in->folder[i]);
        else
            in->folder[kept++] = in->folder[i];
    in->folder_count = kept;
    return ER_OK;
}

bool batch_inputs_in(const batch_inputs *inputs, const char *folder)
{
    return inputs->folder_count > 0 &&
           bsearch(&folder, inputs->folder, (size_t)inputs->folder_count, sizeof *inputs->folder, by_name) != NULL;
}

er_result batch_inputs_find(er_context *context, int count, const char *const *word, const char *output,
                            batch_inputs *out)
{
    *out = (batch_inputs){0};
    finder f = {.context = context, .inputs = out};
    er_result r = ER_OK;
    if (eri_platform_stat(output, &f.output) != 0) f.output = (eri_file_info){0};
    for (int i = 0; i < count && r == ER_OK; ++i)
        r = add_word(&f, word[i]);
    if (r == ER_OK) r = name_all(&f);
    if (r == ER_OK) r = leave_outputs(&f, output);
    if (r == ER_OK) r = list_folders(&f);
    if (r == ER_OK && out->count == 0)
        r = er_fail(context, ER_ERROR_ARGUMENT,
                    "there is no model among the inputs; in folders, files that end in .glb, .gltf, .fbx, .dae, .bvh "
                    "and others with skeletons are taken");
    return r;
}

static bool is_like(const batch_input *input, const char *only)
{
    const char *name = strrchr(input->absolute, '/') + 1;
    for (const char *end; *only != '\0'; only = *end == ',' ? end + 1 : end) {
        end = only + strcspn(only, ",");
        char pattern[ER_FILE_NAME_MAX];
        snprintf(pattern, sizeof pattern, "%.*s", (int)(end - only), only);
        if (eri_platform_match(pattern, input->relative) || eri_platform_match(pattern, name)) return true;
    }
    return false;
}

er_result batch_inputs_choose(er_context *context, batch_inputs *inputs, const char *only)
{
    int left = 0;
    for (int i = 0; i < inputs->count; ++i)
        left += inputs->item[i].left = !is_like(&inputs->item[i], only);
    if (left < inputs->count) return ER_OK;
    return er_fail(context, ER_ERROR_ARGUMENT, "none of the %d model%s matches --only \"%s\"; the first is \"%s\"",
                   left, eri_plural(left), only, inputs->item[0].key);
}

void batch_inputs_drop(batch_inputs *inputs, const bool *keep)
{
    int kept = 0;
    for (int i = 0; i < inputs->count; ++i)
        if (inputs->item[i].left && (keep == NULL || !keep[i]))
            free_input(&inputs->item[i]);
        else
            inputs->item[kept++] = inputs->item[i];
    inputs->count = kept;
}

void batch_inputs_shard(batch_inputs *inputs, int shard, int shards)
{
    int kept = 0;
    for (int i = 0; i < inputs->count; ++i)
        if (batch_digest_number(inputs->item[i].key) % (uint64_t)shards == (uint64_t)(shard - 1))
            inputs->item[kept++] = inputs->item[i];
        else
            free_input(&inputs->item[i]);
    inputs->count = kept;
}

void batch_inputs_free(batch_inputs *inputs)
{
    for (int i = 0; i < inputs->count; ++i)
        free_input(&inputs->item[i]);
    for (int i = 0; i < inputs->folder_count; ++i)
        free(inputs->folder[i]);
    free(inputs->folder);
    free(inputs->item);
    free(inputs->root);
    *inputs = (batch_inputs){0};
}
