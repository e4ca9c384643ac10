// Names of outputs: templates, and paths of the manifest as bytes.
#include <stdlib.h>
#include <string.h>

#include "base/failure.h"
#include "tools/batch/batch.h"
#include "tools/batch/folder.h"
#include "tools/batch/inputs.h"

static const char *const words[] = {"{stem}", "{ending}", "{clip}"};
enum { STEM, ENDING, CLIP };

er_result batch_check_name(er_context *context, const char *name)
{
    for (const char *at = name; (at = strchr(at, '{')) != NULL; ++at) {
        bool known = false;
        for (int i = 0; i < 3; ++i)
            known |= strncmp(at, words[i], strlen(words[i])) == 0;
        if (!known)
            return er_fail(context, ER_ERROR_ARGUMENT, "\"%s\": the words are {stem}, {ending} and {clip}", name);
    }
    if (strchr(name, '/') != NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "\"%s\" has a slash; outputs lie in the folders of their inputs",
                       name);
    if (strstr(name, words[STEM]) == NULL || name[0] == '.')
        return er_fail(context, ER_ERROR_ARGUMENT, "\"%s\" needs {stem}, and no dot in front", name);
    return ER_OK;
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

// A text with each occurrence of a word replaced; frees the text.
static char *replace(char *text, const char *word, const char *by, size_t length)
{
    char *at = text != NULL ? strstr(text, word) : NULL;
    if (at == NULL) return text;
    char *rest = replace(strdup(at + strlen(word)), word, by, length);
    char *whole = rest != NULL ? batch_path("%.*s%.*s%s", (int)(at - text), text, (int)length, by, rest) : NULL;
    free(rest);
    free(text);
    return whole;
}

char *batch_input_stem(const batch_input *input, const char *name)
{
    const char *file = last_part(input->relative), *dot = strrchr(file, '.');
    if (name == NULL) return strdup(file);
    if (dot == NULL || dot == file) dot = file + strlen(file);
    char *text = replace(strdup(name), words[STEM], file, (size_t)(dot - file));
    return replace(text, words[ENDING], *dot != '\0' ? dot + 1 : "", strlen(*dot != '\0' ? dot + 1 : ""));
}

// The name of an input's outputs, with its folder.
typedef struct named {
    char *path;
    const char *key;
} named;

static int by_path(const void *a, const void *b)
{
    return strcmp(((const named *)a)->path, ((const named *)b)->path);
}

er_result batch_inputs_check_stems(er_context *context, const batch_inputs *inputs, const char *name)
{
    named *all = calloc((size_t)inputs->count + 1, sizeof *all);
    er_result r = all != NULL ? ER_OK : eri_no_memory_for(context, "the names of outputs");
    for (int i = 0; i < inputs->count && r == ER_OK; ++i) {
        const batch_input *input = &inputs->item[i];
        char *stem = batch_input_stem(input, name);
        int folder = (int)(last_part(input->relative) - input->relative);
        all[i] = (named){stem != NULL ? batch_path("%.*s%s", folder, input->relative, stem) : NULL, input->key};
        if (all[i].path == NULL) r = eri_no_memory_for(context, "the names of outputs");
        free(stem);
    }
    if (r == ER_OK) qsort(all, (size_t)inputs->count, sizeof *all, by_path);
    for (int i = 1; i < inputs->count && r == ER_OK; ++i)
        if (strcmp(all[i].path, all[i - 1].path) == 0)
            r = er_fail(context, ER_ERROR_ARGUMENT,
                        "--name gives %s and %s the same outputs; add {ending}, or rename one of them", all[i - 1].key,
                        all[i].key);
    for (int i = 0; all != NULL && i < inputs->count; ++i)
        free(all[i].path);
    free(all);
    return r;
}

char *batch_output_path(const batch_input *input, const char *path)
{
    const char *key = last_part(input->key), *file = last_part(path), *own = last_part(input->relative);
    size_t folder = (size_t)(key - input->key), length = strlen(key);
    if ((size_t)(file - path) != folder || strncmp(path, input->key, folder) != 0) return NULL;
    if (*file == '\0' || strcmp(file, ".") == 0 || strcmp(file, "..") == 0) return NULL;
    int above = (int)(own - input->relative);
    if (strncmp(file, key, length) == 0) return batch_path("%.*s%s%s", above, input->relative, own, file + length);
    char *bytes = strdup(file);
    if (bytes != NULL) batch_bytes(bytes);
    char *whole = bytes != NULL ? batch_path("%.*s%s", above, input->relative, bytes) : NULL;
    free(bytes);
    return whole;
}

char *batch_output_key(const batch_input *input, const char *file)
{
    char *name = batch_utf8(file);
    char *whole =
        name != NULL ? batch_path("%.*s%s", (int)(last_part(input->key) - input->key), input->key, name) : NULL;
    free(name);
    return whole;
}
