// Words of other programs, and the words that eigenrig has for them.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/platform.h"
#include "tools/eigenrig/options.h"

// Both in small letters.
static const struct {
    const char *word, *closest;
} other_commands[] = {
    {"animation", "animate"}, {"clip", "animate"},      {"convert", "palette"},  {"export", "palette"},
    {"inspect", "info"},      {"list", "info"},         {"stats", "info"},       {"eigen", "modes"},
    {"solve", "modes"},       {"frequencies", "modes"}, {"spectrum", "modes"},   {"walk", "gait"},
    {"walks", "gait"},        {"draw", "render"},       {"picture", "render"},   {"image", "render"},
    {"film", "render"},       {"video", "render"},      {"open", "view"},        {"show", "view"},
    {"gui", "view"},          {"viewer", "view"},       {"physics", "simulate"}, {"dynamics", "simulate"},
    {"drop", "simulate"},     {"torques", "inverse"},   {"forces", "inverse"},   {"check", "validate"},
    {"lua", "run"},           {"script", "run"},        {"folder", "batch"},     {"all", "batch"},
    {"benchmark", "bench"},   {"secondary", "follow"},  {"jiggle", "follow"},    {"wiggle", "follow"},
    {"springbones", "follow"}};

// Options by other names; if a name has several, the one that the command takes.
static const struct {
    const char *word, *closest;
} other_options[] = {{"n", "count"},         {"num", "count"},         {"number", "count"},
                     {"modes", "count"},     {"limit", "count"},       {"mode", "mix"},
                     {"mode", "count"},      {"modes", "mix"},         {"width", "size"},
                     {"height", "size"},     {"resolution", "size"},   {"format", "output"},
                     {"out", "output"},      {"out-dir", "output"},    {"outdir", "output"},
                     {"dest", "output"},     {"seconds", "duration"},  {"length", "duration"},
                     {"time", "duration"},   {"framerate", "fps"},     {"rate", "fps"},
                     {"angle", "amplitude"}, {"degrees", "amplitude"}, {"scale", "height"},
                     {"weight", "mass"},     {"camera", "view"},       {"speed", "tempo"},
                     {"hz", "tempo"},        {"frequency", "max-hz"},  {"lowpass", "cutoff"},
                     {"filter", "cutoff"},   {"feet", "plant"},        {"hold", "plant"},
                     {"description", "rig"}, {"filter", "only"},       {"include", "only"},
                     {"parallel", "jobs"},   {"workers", "jobs"},      {"processes", "jobs"},
                     {"continue", "resume"}, {"silent", "quiet"},      {"log", "errors"},
                     {"werror", "strict"},   {"floor", "ground"},      {"self", "self-collision"}};

const char *suggest_command(const char *word)
{
    for (size_t i = 0; i < sizeof other_commands / sizeof *other_commands; ++i)
        if (strcmp(word, other_commands[i].word) == 0) return other_commands[i].closest;
    return NULL;
}

const char *suggest_option(const command *c, const char *word)
{
    for (size_t i = 0; i < sizeof other_options / sizeof *other_options; ++i)
        if (strcmp(word, other_options[i].word) == 0 && option_named(c, other_options[i].closest))
            return other_options[i].closest;
    return NULL;
}

static bool is_number(const char *word)
{
    return isdigit((unsigned char)*word) && word[strspn(word, "0123456789")] == '\0';
}

const char *missing_option(const command *c, const char *word)
{
    if (eri_platform_access(word, ERI_EXISTS)) return NULL;
    if (is_number(word) && option_named(c, "count")) return "--count";
    if (isdigit((unsigned char)*word) && strchr(word, ':') != NULL && option_named(c, "mix")) return "--mix";
    return strchr(word, '.') != NULL && option_named(c, "output") ? "-o" : NULL;
}

bool write_commands_with(const options *o, const char *option, char *text, size_t size)
{
    size_t used = 0;
    *text = '\0';
    for (int i = 0; i < o->command_count; ++i)
        if (option_named(&o->commands[i], option) && used < size)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", o->commands[i].name);
    return used > 0;
}
