// A preset found, in the user's file or the library, and made of a rig's modes.
#include "app/project/preset.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/failure.h"
#include "base/suggest.h"

enum { LONGEST_LINE = 4096 };

static const char *const known[] = {"idle", "breathe", "wag", "sway", "nervous"};

// Where the user's are; false where there is no such place.
static bool find_file(char path[LONGEST_LINE])
{
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    if (config != NULL && *config == '/')
        return snprintf(path, LONGEST_LINE, "%s/eigenrig/presets", config) < LONGEST_LINE;
    if (home == NULL || *home != '/') return false;
    return snprintf(path, LONGEST_LINE, "%s/.config/eigenrig/presets", home) < LONGEST_LINE;
}

/// What is looked for, and where.
typedef struct finder {
    er_context *context;
    const char *name;
    suggestion meant;
    char path[LONGEST_LINE], line[LONGEST_LINE], near[256]; // near: the name that meant is like
    er_preset found;                                        // of the line; name NULL for none
} finder;

// NAME SECONDS PLANT MOVES, cut up in place.   @return whether it is one
static bool read_line(char *line, er_preset *out)
{
    char *rest, *word[4];
    for (int i = 0; i < 4; ++i) {
        word[i] = strtok_r(i == 0 ? line : NULL, " \t\r\n", &rest);
        if (word[i] == NULL) return false;
    }
    char *end;
    *out = (er_preset){word[0], strtod(word[1], &end), word[2], word[3]};
    return *end == '\0' && out->seconds > 0.0 && strtok_r(NULL, " \t\r\n", &rest) == NULL;
}

static void remember(finder *f, const char *name)
{
    const char *before = f->meant.best;
    suggestion_try(&f->meant, name);
    if (f->meant.best == before) return;
    snprintf(f->near, sizeof f->near, "%s", name);
    f->meant.best = f->near;
}

static er_result look_in_file(finder *f)
{
    er_result r = ER_OK;
    FILE *file = find_file(f->path) ? fopen(f->path, "r") : NULL;
    if (file == NULL) return ER_OK;
    for (int number = 1; r == ER_OK && f->found.name == NULL && fgets(f->line, sizeof f->line, file) != NULL;
         ++number) {
        er_preset own;
        const char *first = f->line + strspn(f->line, " \t\r\n");
        if (*first == '\0' || *first == '#') continue;
        if (!read_line(f->line, &own))
            r = er_fail(f->context, ER_ERROR_FORMAT,
                        "%s:%d: expected NAME SECONDS PLANT MOVES, such as \"peer 4 feet "
                        "head:side:6@1,trunk:side:1@1\"",
                        f->path, number);
        else if (strcmp(own.name, f->name) == 0)
            f->found = own;
        else
            remember(f, own.name);
    }
    fclose(file);
    return r;
}

static er_result find(finder *f)
{
    er_result r = look_in_file(f);
    if (r != ER_OK || f->found.name != NULL) return r;
    const er_preset *own = er_preset_named(f->name);
    if (own != NULL) f->found = *own;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i)
        remember(f, known[i]);
    if (own != NULL) return ER_OK;
    if (f->meant.best != NULL)
        return er_fail(f->context, ER_ERROR_ARGUMENT, "there is no preset \"%s\"; did you mean \"%s\"", f->name,
                       f->near);
    return er_fail(f->context, ER_ERROR_ARGUMENT,
                   "there is no preset \"%s\"; there are idle, breathe, wag, sway, nervous, and those of %s", f->name,
                   f->path);
}

static er_result plant(er_context *context, const er_model *model, const er_rig *rig, const er_gait_def *gait,
                       const char *names, project_plants *out)
{
    er_result r = project_find_plants(context, model, rig, names, gait, out);
    return r == ER_ERROR_ARGUMENT && strcmp(names, "feet") == 0 ? ER_OK : r; // what has none stands on none
}

er_result project_make_preset(er_context *context, const er_model *model, const er_rig *rig, const er_modes *modes,
                              const er_gait_def *gait, const char *name, project_plants *plants, er_mix **out)
{
    *out = NULL;
    if (plants != NULL) *plants = (project_plants){0};
    finder *f = calloc(1, sizeof *f);
    if (f == NULL) return er_no_memory(context);
    f->context = context;
    f->name = f->meant.word = name;
    er_result r = find(f);
    if (r == ER_OK) r = er_preset_mix(context, model, rig, modes, gait, &f->found, out);
    if (r == ER_OK && plants != NULL) r = plant(context, model, rig, gait, f->found.plant, plants);
    if (r != ER_OK) {
        er_mix_destroy(*out);
        *out = NULL;
    }
    free(f);
    return r;
}
