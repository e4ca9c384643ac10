// The kinds of input, and the options that apply to only some of them.
#include <string.h>

#include <eigenrig/worlds.h>

#include "tools/eigenrig/options.h"

enum {
    INPUT_MODEL = 1,
    INPUT_RIG = 2,   // a rig file
    INPUT_GAITS = 4, // a rig file, for a command that looks for gaits
    INPUT_WORLD = 8,
    INPUT_RIGGED = INPUT_MODEL | INPUT_RIG | INPUT_GAITS
};

// An option without a row applies to every kind.
static const struct {
    char group;
    const char *name;
    unsigned kinds;
    bool touches; // it needs contacts
} limited[] = {{'x', "from", INPUT_MODEL, false},
               {'x', "hold", INPUT_RIGGED, false},
               {'x', "rest", INPUT_MODEL, false},
               {'x', "loop", INPUT_MODEL, false},
               {'x', "ground", INPUT_RIGGED, false},
               {'x', "drop", INPUT_RIGGED, false},
               {'x', "static", INPUT_RIGGED, false},
               {'x', "self-collision", INPUT_RIGGED, false},
               {'x', "friction", INPUT_RIGGED, true},
               {'x', "restitution", INPUT_RIGGED, true},
               {'x', "sleep", INPUT_RIGGED, true},
               {'r', "root", INPUT_RIGGED, false},
               {'r', "joints", INPUT_MODEL, false},
               {'r', "stiffness", INPUT_RIGGED, false},
               {'r', "damping", INPUT_RIGGED, false},
               {'r', "density", INPUT_MODEL, false},
               {'r', "mass", INPUT_RIGGED, false},
               {'r', "height", INPUT_MODEL, false},
               {'r', "up", INPUT_MODEL | INPUT_GAITS, false},
               {'r', "forward", INPUT_MODEL | INPUT_GAITS, false},
               {'r', "pose", INPUT_MODEL, false},
               {'r', "skeleton", INPUT_MODEL, false},
               {'r', "character", INPUT_MODEL, false},
               {'r', "rig", INPUT_RIGGED, false},
               {'r', "allow-outside", INPUT_RIGGED, false},
               {'r', "props", INPUT_MODEL, false},
               {'r', "symmetrize", INPUT_RIGGED, false},
               {'r', "tune", INPUT_RIGGED, false},
               {'r', "infer-parents", INPUT_MODEL, false}};

// A line with the command's options that a kind of input refuses; none if it refuses none.
static void print_refused(const command *c, unsigned kind, const char *what, FILE *out)
{
    int column = 0;
    for (size_t i = 0; i < sizeof limited / sizeof *limited; ++i) {
        if ((limited[i].kinds & kind) != 0 || strchr(c->letters, limited[i].group) == NULL) continue;
        if (column == 0) column = fprintf(out, "\n%s:", what);
        if (column + (int)strlen(limited[i].name) + 3 > 90) column = fprintf(out, "\n ") - 1;
        column += fprintf(out, " --%s", limited[i].name);
    }
    if (column > 0) fprintf(out, "\n");
}

void print_limits(const command *c, FILE *out)
{
    if (strchr(c->letters, 'r') == NULL) return;
    bool looks_for_gaits = strchr(c->letters, 'g') != NULL;
    print_refused(c, looks_for_gaits ? INPUT_GAITS : INPUT_RIG, "Not for rig files", out);
    if (strchr(c->letters, 'x') != NULL) print_refused(c, INPUT_WORLD, "Not for world files", out);
}

static unsigned kind_of_input(er_context *context, const command *c, const options *o)
{
    bool world = er_file_is_world(context, o->model), simulates = strchr(c->letters, 'x') != NULL;
    if (simulates && world) return INPUT_WORLD;
    if (!world && !er_file_is_rig(context, o->model)) return INPUT_MODEL; // other commands take the rig of a world
    return strchr(c->letters, 'g') != NULL || o->gait_name != NULL || o->sequence != NULL || o->blend_space != NULL
               ? INPUT_GAITS
               : INPUT_RIG;
}

static bool was_given(const options *o, char group, const char *name)
{
    for (int i = 0; i < option_count; ++i)
        if (o->given[i] && option_table[i].group == group && strcmp(option_table[i].name, name) == 0) return true;
    return false;
}

int check_input(er_context *context, const command *c, const options *o)
{
    if (o->model == NULL || strchr(c->letters, 'r') == NULL) return EXIT_DONE;
    unsigned kind = kind_of_input(context, c, o);
    for (size_t i = 0; i < sizeof limited / sizeof *limited; ++i) {
        if (!was_given(o, limited[i].group, limited[i].name)) continue;
        if ((limited[i].kinds & kind) == 0)
            return fail_usage(c->name, "--%s applies to %s only; \"%s\" is a %s file, so leave the option out",
                              limited[i].name, limited[i].kinds == INPUT_RIGGED ? "models and rig files" : "models",
                              o->model, kind == INPUT_WORLD ? "world" : "rig");
        if (limited[i].touches && !project_has_contacts(&o->simulation.ground))
            return fail_usage(c->name, "--%s needs contacts; add --ground, --drop, --static or --self-collision",
                              limited[i].name);
    }
    return EXIT_DONE;
}
