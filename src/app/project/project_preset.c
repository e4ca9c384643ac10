// Finds a preset in the user's file or the library, and makes its mix from a rig's modes.
#include "app/project/project_preset.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/project/project_names.h"
#include "base/failure.h"
#include "base/letters.h"
#include "base/platform.h"
#include "base/suggest.h"
#include "base/text.h"

enum { LONGEST_LINE = 4096 };

static const char *const form =
    "expected NAME SECONDS PLANT MOVES, such as \"peer 4 feet head:side:6@1,trunk:side:1@1\"";

// The path of the user's file; false if there is none.
static bool find_file(char path[LONGEST_LINE])
{
    char config[ER_FILE_NAME_MAX];
    return eri_platform_user_folder(ERI_FOLDER_CONFIG, config) &&
           snprintf(path, LONGEST_LINE, "%s/eigenrig/presets", config) < LONGEST_LINE;
}

/// A search for a preset by name, or a listing of all names.
typedef struct preset_finder {
    er_context *context;
    const project_listener *listener;
    const char *name;                           // NULL: a listing
    void (*each)(void *user, const char *name); // NULL, or receives all names
    void *user;
    suggestion nearest;
    char path[LONGEST_LINE], line[LONGEST_LINE], kept[LONGEST_LINE], near[256]; // near: the nearest name
    er_preset found;                                                            // in kept; name NULL for none
    int number;                                                                 // of its line; 0: of the library
} preset_finder;

// NAME SECONDS PLANT MOVES, cut up in place.
// @param out  its name is set, or NULL, in any case
// @return whether it is one
static bool read_line(char *line, er_preset *out)
{
    char *rest = NULL, *word[4], *end;
    *out = (er_preset){0};
    for (int i = 0; i < 4; ++i) {
        word[i] = strtok_r(i == 0 ? line : NULL, " \t\r\n", &rest);
        if (i == 0) out->name = word[0];
        if (word[i] == NULL) return false;
    }
    *out = (er_preset){word[0], strtod(word[1], &end), word[2], word[3]};
    return *end == '\0' && out->seconds > 0.0 && strtok_r(NULL, " \t\r\n", &rest) == NULL;
}

static void remember(preset_finder *f, const char *name)
{
    const char *before = f->nearest.best;
    suggestion_try(&f->nearest, name);
    if (f->nearest.best == before) return;
    snprintf(f->near, sizeof f->near, "%s", name);
    f->nearest.best = f->near;
}

static er_result take_line(preset_finder *f, int number)
{
    er_preset own;
    char *text = f->line + (number == 1 ? eri_utf8_mark(f->line, strlen(f->line)) : 0);
    const char *first = text + strspn(text, " \t\r\n");
    if (*first == '\0' || *first == '#') return ER_OK;
    bool good = read_line(text, &own);
    bool request = own.name != NULL && f->name != NULL && eri_same_letters(own.name, f->name);
    if (!good && request && f->number == 0)
        return er_fail(f->context, ER_ERROR_FORMAT, "%s:%d: %s", f->path, number, form);
    if (!good)
        project_notify(f->listener, ER_NOTE_WARNING, "%s:%d: %s; the line is left out", f->path, number, form);
    else if (request && f->number > 0)
        project_notify(f->listener, ER_NOTE_WARNING, "%s:%d: \"%s\" again; that of line %d is taken", f->path, number,
                       own.name, f->number);
    else if (f->each != NULL)
        f->each(f->user, own.name);
    else if (!request)
        remember(f, own.name);
    if (!good || !request || f->number > 0) return ER_OK;
    memcpy(f->kept, f->line, sizeof f->kept);
    const ptrdiff_t moved = f->kept - f->line;
    f->found = (er_preset){own.name + moved, own.seconds, own.plant + moved, own.moves + moved};
    f->number = number;
    return ER_OK;
}

// The rest of a line that is longer than any preset.   @return whether there was one
static bool skip_rest(const preset_finder *f, FILE *file)
{
    if (strchr(f->line, '\n') != NULL || feof(file)) return false;
    for (int c = fgetc(file); c != '\n' && c != EOF; c = fgetc(file)) {
    }
    return true;
}

static er_result look_in_file(preset_finder *f)
{
    er_result r = ER_OK;
    if (!find_file(f->path)) return ER_OK;
    FILE *file = fopen(f->path, "r");
    if (file == NULL && errno != ENOENT)
        project_notify(f->listener, ER_NOTE_WARNING, "%s cannot be read: %s", f->path, strerror(errno));
    if (file == NULL) return ER_OK;
    for (int number = 1; r == ER_OK && fgets(f->line, sizeof f->line, file) != NULL; ++number)
        if (skip_rest(f, file))
            project_notify(f->listener, ER_NOTE_WARNING, "%s:%d: the line is too long, and left out", f->path, number);
        else
            r = take_line(f, number);
    fclose(file);
    return r;
}

static er_result find(preset_finder *f)
{
    er_result r = look_in_file(f);
    if (r != ER_OK || f->number > 0) return r;
    const er_preset *own = er_preset_named(f->name);
    if (own != NULL) f->found = *own;
    for (int i = 0; er_preset_name(i) != NULL; ++i)
        remember(f, er_preset_name(i));
    if (own != NULL) return ER_OK;
    if (f->nearest.best != NULL)
        return er_fail(f->context, ER_ERROR_ARGUMENT, "there is no preset \"%s\"; did you mean \"%s\"", f->name,
                       f->near);
    char names[256] = "";
    for (int i = 0; er_preset_name(i) != NULL; ++i)
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s, ", er_preset_name(i));
    return er_fail(f->context, ER_ERROR_ARGUMENT, "there is no preset \"%s\"; there are %sand those of %s", f->name,
                   names, *f->path != '\0' ? f->path : "~/.config/eigenrig/presets");
}

static er_result plant(er_context *context, const er_model *model, const er_rig *rig, const er_gait_def *gait,
                       const char *names, project_plants *out)
{
    er_result r = project_find_plants(context, model, rig, names, gait, out);
    return r == ER_ERROR_ARGUMENT && strcmp(names, "feet") == 0 ? ER_OK : r; // a rig without feet plants none
}

// Adds the line of the user's file to the error.
static er_result blame_line(const preset_finder *f)
{
    char why[1024];
    snprintf(why, sizeof why, "%s", er_context_error(f->context));
    return er_fail(f->context, ER_ERROR_FORMAT, "%s:%d: %s", f->path, f->number, why);
}

// The share of a mix that planted legs can follow.
static er_result find_reach(const preset_finder *f, const er_model *model, const er_modes *modes,
                            const project_plants *plants, const er_mix *mix, double *share)
{
    er_motion_def def = er_default_motion_def();
    er_motion *motion = NULL;
    def.loop = true;
    def.plant = plants->hold;
    def.plant_count = plants->count;
    er_result r = er_motion_create(f->context, model, modes, mix, &def, &motion);
    if (r == ER_OK) r = er_motion_reach(motion, def.fps, share);
    er_motion_destroy(motion);
    return r;
}

// Reduces the mix until planted legs can follow: straight ones do not reach far. Less of a mix is another one to loops
// of joints, so it is tried again.
static er_result keep_in_reach(const preset_finder *f, const er_model *model, const er_modes *modes,
                               const project_plants *plants, er_mix **mix)
{
    enum { TRIES = 4 };
    const double margin = 0.98; // for frames between
    double all = 1.0, share = 1.0;
    er_result r = find_reach(f, model, modes, plants, *mix, &share);
    for (int i = 0; i < TRIES && r == ER_OK && share < 1.0; ++i) {
        er_mix *less = NULL;
        all *= margin * share;
        r = project_scale_mix(f->context, *mix, margin * share, &less);
        if (r != ER_OK) return r;
        er_mix_destroy(*mix);
        *mix = less;
        r = find_reach(f, model, modes, plants, *mix, &share);
    }
    if (all < 1.0)
        project_notify(f->listener, ER_NOTE_WARNING, "preset %s: what is planted follows only %.0f %% of it",
                       f->found.name, 100.0 * all);
    return r;
}

void project_write_preset_part(const er_preset_part *part, char *text, size_t size)
{
    const char *unit = part->degrees ? "degrees" : "% of the height";
    double reached = fabs(part->reached) < 1e-3 * fabs(part->asked) ? 0.0 : part->reached; // without rounding errors
    int n = snprintf(text, size, "%s %s: %.3g %s, of %.3g asked", part->part, part->way, reached, unit, part->asked);
    if (part->why != NULL && n > 0 && (size_t)n < size) snprintf(text + n, size - (size_t)n, "; %s", part->why);
}

// Warns of parts that fall short: of the body itself, and of the first if none gets half of what was asked.
static void tell_of_parts(const preset_finder *f, const project_preset_parts *parts)
{
    char text[256];
    bool any = false;
    for (int i = 0; i < parts->count; ++i)
        any |= fabs(parts->part[i].reached) >= 0.5 * fabs(parts->part[i].asked);
    for (int i = 0; i < parts->count; ++i) {
        if (parts->part[i].why == NULL || ((any || i > 0) && strcmp(parts->part[i].part, "body") != 0)) continue;
        project_write_preset_part(&parts->part[i], text, sizeof text);
        project_notify(f->listener, ER_NOTE_WARNING, "preset %s: %s", f->found.name, text);
    }
}

static er_result measure_poses(const preset_finder *f, const er_model *model, const er_rig *rig,
                               const er_gait_def *gait, int count, const er_pose *pose, project_preset_parts *out)
{
    project_preset_parts own;
    project_preset_parts *parts = out != NULL ? out : &own;
    er_result r = er_preset_measure(f->context, model, rig, gait, &f->found, count, pose, parts->part, &parts->count);
    if (r == ER_OK) tell_of_parts(f, parts);
    return r;
}

// Poses a mix over its cycle as it will play, and measures that.
static er_result measure_mix(const preset_finder *f, const er_model *model, const er_rig *rig, const er_modes *modes,
                             const er_gait_def *gait, const project_plants *plants, const er_mix *mix,
                             project_preset_parts *parts)
{
    enum { TIMES = 24 };
    er_motion_def def = er_default_motion_def();
    er_motion *motion = NULL;
    double time[TIMES];
    er_pose *pose = malloc(TIMES * (size_t)model->body_count * sizeof *pose);
    if (pose == NULL) return eri_no_memory(f->context);
    def.loop = true;
    def.plant = plants->hold;
    def.plant_count = plants->count;
    er_result r = er_motion_create(f->context, model, modes, mix, &def, &motion);
    for (int i = 0; i < TIMES && r == ER_OK; ++i)
        time[i] = motion->duration * i / TIMES;
    if (r == ER_OK) r = er_motion_poses(motion, TIMES, time, NULL, pose);
    if (r == ER_OK) r = measure_poses(f, model, rig, gait, TIMES, pose, parts);
    er_motion_destroy(motion);
    free(pose);
    return r;
}

static void tell_of_most(const er_mix *mix, const project_listener *listener)
{
    for (int v = 0; v < mix->component_count; ++v)
        if (mix->component[v].degrees >= ER_PRESET_MOST_DEGREES)
            project_notify(
                listener, ER_NOTE_WARNING,
                "mode %d is taken with %d degrees, the most in a preset, which is less than was asked; for more, "
                "write the mix with animate --save-mix MIX.json, raise its degrees, and play it with --mix",
                mix->component[v].mode, ER_PRESET_MOST_DEGREES);
}

// A preset moves a body about the pose that it is in, which many files leave with the arms stretched out.
static er_result tell_of_arms(const preset_finder *f, const er_model *model, const er_rig *rig, const er_gait_def *gait)
{
    const double sideways = 0.8; // cosine
    er_regions *regions = NULL;
    er_result r = project_read_regions(f->context, model, rig, gait, &regions);
    int arms = 0, out = 0;
    for (int i = 0; regions != NULL && i < regions->count; ++i) {
        if (regions->region[i].kind != ER_REGION_ARM) continue;
        ++arms;
        out += fabs(er_v3_dot(regions->region[i].along, regions->body->left)) > sideways;
    }
    if (arms > 1 && out == arms)
        project_notify(f->listener, ER_NOTE_WARNING,
                       "preset %s: the arms stand out to the sides, as in a T-pose, and stay so; --pose CLIP@0 takes "
                       "the pose of a clip, --pose FILE.json a pose file",
                       f->found.name);
    er_regions_destroy(regions);
    return r;
}

static preset_finder *finder_of(er_context *context, const char *name, const project_listener *listener)
{
    preset_finder *f = calloc(1, sizeof *f);
    if (f == NULL) return NULL;
    f->context = context;
    f->listener = listener;
    f->name = f->nearest.word = name;
    return f;
}

bool project_preset_is_timed(const char *name)
{
    const project_listener nobody = {0};
    er_context *own = NULL;
    if (er_context_create(NULL, &own) != ER_OK) return false;
    preset_finder *f = finder_of(own, name, &nobody);
    bool timed = f != NULL && find(f) == ER_OK && er_preset_is_timed(&f->found);
    free(f);
    er_context_destroy(own);
    return timed;
}

er_result project_move_preset(er_context *context, const er_model *model, const er_rig *rig, const er_modes *modes,
                              const er_gait_def *gait, const char *name, double fps, const project_listener *listener,
                              project_preset_parts *parts, er_gait_motion **out)
{
    *out = NULL;
    preset_finder *f = finder_of(context, name, listener);
    if (f == NULL) return eri_no_memory(context);
    er_result r = find(f);
    bool found = r == ER_OK;
    if (found) r = er_preset_move(context, model, rig, modes, gait, &f->found, fps, out);
    if (r == ER_OK) r = measure_poses(f, model, rig, gait, (*out)->frame_count, (*out)->pose, parts);
    if (r == ER_OK) r = tell_of_arms(f, model, rig, gait);
    if (r == ER_ERROR_ARGUMENT && found && f->number > 0) r = blame_line(f);
    free(f);
    return r;
}

er_result project_make_preset(er_context *context, const er_model *model, const er_rig *rig, const er_modes *modes,
                              const er_gait_def *gait, const char *name, const project_listener *listener,
                              project_plants *plants, project_preset_parts *parts, er_mix **out)
{
    *out = NULL;
    if (plants != NULL) *plants = (project_plants){0};
    preset_finder *f = finder_of(context, name, listener);
    if (f == NULL) return eri_no_memory(context);
    er_result r = find(f);
    bool found = r == ER_OK;
    project_plants planted = {0};
    if (r == ER_OK) r = er_preset_mix(context, model, rig, modes, gait, &f->found, out);
    if (r == ER_OK) r = plant(context, model, rig, gait, f->found.plant, &planted);
    if (r == ER_ERROR_ARGUMENT && found && f->number > 0) r = blame_line(f);
    if (r == ER_OK) tell_of_most(*out, listener);
    if (r == ER_OK) r = keep_in_reach(f, model, modes, &planted, out);
    if (r == ER_OK) r = measure_mix(f, model, rig, modes, gait, &planted, *out, parts);
    if (r == ER_OK) r = tell_of_arms(f, model, rig, gait);
    if (r != ER_OK) {
        er_mix_destroy(*out);
        *out = NULL;
    }
    if (r == ER_OK && plants != NULL)
        *plants = planted;
    else
        project_plants_clear(&planted);
    free(f);
    return r;
}

void project_list_presets(const project_listener *listener, void (*each)(void *user, const char *name), void *user)
{
    preset_finder *f = calloc(1, sizeof *f);
    if (f == NULL) return;
    f->listener = listener;
    f->each = each;
    f->user = user;
    look_in_file(f);
    free(f);
}
