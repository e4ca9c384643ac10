// Reads and checks the command line by the table of options.
#include <assert.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "base/platform.h"
#include "tools/eigenrig/options.h"
#include "tools/program/option_help.h"

enum { MOST_LETTERS = 32, MOST_SAID = 64, NO_LETTER = 256 };

void print_command_help(const command *c, FILE *out)
{
    bool first = strchr(c->letters, 's') != NULL; // words after a script belong to the script
    fprintf(out, "eigenrig %s: %s\n\nUsage: eigenrig %s %s%s%s\n\n", c->name, c->summary, c->name,
            first ? "[options] " : "", c->usage, first ? "" : " [options]");
    for (const option_row *row = option_table; row < option_table + option_count; ++row) {
        if (!option_taken(row, c) || *row->help == '\0') continue;
        print_option_help(row->letter, row->name, row->value, row->help, out);
    }
    print_limits(c, out);
    fprintf(out, "\nExample:\n  %s\n", c->example);
}

// ---- the given options

// The given options that change results, with their values as text.
typedef struct given_options {
    int count;
    const option_row *row[MOST_SAID];
    const char *value[MOST_SAID];
} given_options;

static void add_given(given_options *list, const given_option *s)
{
    bool results = s->row->results || strchr("rmpf", s->row->group) != NULL;
    if (!results || list->count == MOST_SAID) return;
    list->row[list->count] = s->row;
    list->value[list->count++] = s->text;
}

// Writes them in the table's order, so that the order on the command line does not matter. If an option is repeated,
// the last value counts.
static char *write_given(const given_options *s)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = eri_platform_text_stream(&text, &size);
    if (out == NULL) return NULL;
    for (const option_row *row = option_table; row < option_table + option_count; ++row)
        for (int k = 0; k < s->count; ++k)
            if (s->row[k] == row)
                fprintf(out, "%s--%s%s%s", ftell(out) > 0 ? " " : "", row->name, s->value[k] != NULL ? " " : "",
                        s->value[k] != NULL ? s->value[k] : "");
    eri_platform_text_end(out, &text, &size);
    return text;
}

// ---- one option

static bool set_option(const given_option *s)
{
    options *o = s->o;
    const option_row *row = s->row;
    o->asked.given |= row->bit;
    bool weighs = row->group == 'b' && strchr(s->of->letters, 'i') != NULL; // inverse dynamics needs no gait for these
    if ((row->group == 'f' || row->group == 'b') && !weighs) o->of_gait = row->name;
    if (row->given != 0) *(bool *)((char *)o + row->given) = true;
    if (row->read != NULL) return row->read(s);
    return setting_read(option_setting(row), s->text, row->of != NULL ? (void *)o : &o->asked.rig);
}

static int fail_value(const command *c, const given_option *s)
{
    const char *result = er_context_error(s->context);
    if (*result != '\0') return fail_usage(c->name, "%s", result);
    return fail_usage(c->name, "--%s does not take \"%s\" (%s: %s)", s->row->name, s->text, s->row->value,
                      s->row->help);
}

// The number that getopt() has for an option.
static int sign_of(const option_row *row)
{
    return row->letter != 0 ? row->letter : NO_LETTER + (int)(row - option_table);
}

static const option_row *find_row(const command *c, int sign)
{
    for (const option_row *row = option_table; row < option_table + option_count; ++row)
        if (option_taken(row, c) && sign_of(row) == sign) return row;
    return NULL;
}

static int fail_option(const command *c, const options *o, const char *text)
{
    char word[64];
    snprintf(word, sizeof word, "%.*s", (int)strcspn(text + strspn(text, "-"), "="), text + strspn(text, "-"));
    if (strcmp(c->name, "simulate") == 0 && strcmp(word, "gait") == 0)
        return fail_usage(c->name, "use eigenrig gait MODEL --simulate -o OUT.glb to simulate gaits");
    const char *other = suggest_option(c, word);
    char takers[256];
    if (other != NULL) return fail_usage(c->name, "%s has no option \"%s\"; did you mean --%s", c->name, text, other);
    if (!option_named(c, word) && write_commands_with(o, word, takers, sizeof takers))
        return fail_usage(c->name, "%s has no option \"%s\"; these commands have it: %s", c->name, text, takers);
    suggestion closest = {.word = word};
    for (const option_row *row = option_table; row < option_table + option_count; ++row)
        if (option_taken(row, c) && *row->help != '\0') suggestion_try(&closest, row->name);
    if (closest.best == NULL || closest.off == 0)
        return fail_usage(c->name, "%s has no option \"%s\", or it takes no value", c->name, text);
    return fail_usage(c->name, "%s has no option \"%s\"; did you mean --%s", c->name, text, closest.best);
}

static int fail_letter(const command *c, int letter)
{
    const char *other = suggest_option(c, (const char[]){(char)letter, '\0'});
    if (other == NULL) return fail_usage(c->name, "%s has no option \"-%c\"", c->name, letter);
    return fail_usage(c->name, "%s has no option \"-%c\"; did you mean --%s", c->name, letter, other);
}

// Refuses a word that getopt() could not take; `sign` is its reason.
static int fail_sign(const command *c, const options *o, int sign, const char *word)
{
    if (sign == ':') return fail_usage(c->name, "option \"%s\" needs a value", word);
    // optind has not moved on yet inside a cluster of letters.
    if (optopt > 0 && optopt < NO_LETTER && find_row(c, optopt) == NULL) return fail_letter(c, optopt);
    return fail_option(c, o, word);
}

// ---- the whole line

// The options of a command in the form of getopt(). `+` leaves the words after SCRIPT to the script.
static void list_options(const command *c, struct option *names, char *letters)
{
    if (strchr(c->letters, 's') != NULL) *letters++ = '+';
    *letters++ = ':';
    for (const option_row *row = option_table; row < option_table + option_count; ++row) {
        if (!option_taken(row, c)) continue;
        bool valued = *row->value != '\0';
        *names++ = (struct option){row->name, valued ? required_argument : no_argument, NULL, sign_of(row)};
        if (row->letter != 0) *letters++ = row->letter;
        if (row->letter != 0 && valued) *letters++ = ':';
    }
    *names = (struct option){0};
    *letters = '\0';
}

static int answer(const command *c, const options *o)
{
    if (o->help)
        print_command_help(c, stdout);
    else
        printf("eigenrig %s\n", er_version());
    return -1;
}

static int read_options(const command *c, int argc, char **argv, er_context *context, options *o, given_options *list)
{
    struct option names[MOST_OPTIONS + 1];
    char letters[MOST_LETTERS];
    const char *before[MOST_OPTIONS] = {0}; // values, by row
    assert(option_count <= MOST_OPTIONS);
    list_options(c, names, letters);
    opterr = 0;
    for (int sign; (sign = getopt_long(argc, argv, letters, names, NULL)) != -1;) {
        if (sign == ':' || sign == '?') return fail_sign(c, o, sign, argv[optind - 1]);
        const given_option s = {context, o, find_row(c, sign), optarg, c};
        const char **first = &before[s.row - option_table];
        if (*first != NULL && s.row->once)
            return fail_usage(c->name, "--%s can be given only once, not \"%s\" and \"%s\"", s.row->name, *first,
                              optarg);
        *first = optarg; // NULL of those without a value
        if (!set_option(&s)) return fail_value(c, &s);
        bool written = s.row->read == read_output || (s.row->once && s.row->of != NULL);
        if (optarg != NULL) name_file(optarg, written);
        if (o->help || o->version) return answer(c, o);
        o->given[s.row - option_table] = true;
        add_given(list, &s);
    }
    return EXIT_DONE;
}

// Words after SCRIPT belong to the script, options too.
static int take_script(options *o, int argc, char **argv)
{
    for (int i = optind + 1; i < argc; ++i)
        name_file(argv[i], false);
    if (optind == argc && !o->prompt) return fail_usage("run", "no SCRIPT was given; use -i for a prompt");
    o->script = optind + 1; // among all words
    return EXIT_DONE;
}

static int take_topic(const command *c, options *o, int argc, char **argv)
{
    if (optind + 1 < argc) return fail_usage(c->name, "give only one word; leave out \"%s\"", argv[optind + 1]);
    o->topic = argv[optind]; // argv ends in NULL
    return EXIT_DONE;
}

static int take_inputs(options *o, int argc, char **argv)
{
    if (optind == argc) return fail_usage("batch", "no INPUT was given");
    o->batch.input = (const char *const *)&argv[optind];
    o->batch.input_count = argc - optind;
    return EXIT_DONE;
}

static int take_two_models(const command *c, options *o, int argc, char **argv)
{
    if (argc - optind < 2) return fail_usage(c->name, "give two models, OLD and NEW");
    if (argc - optind > 2) return fail_usage(c->name, "give only two models; leave out \"%s\"", argv[optind + 2]);
    o->old_model = argv[optind];
    o->model = argv[optind + 1];
    return EXIT_DONE;
}

static int take_model(const command *c, options *o, int argc, char **argv)
{
    bool window = strchr(c->letters, 'v') != NULL; // the window can open a model itself
    const char *what = strchr(c->letters, 'y') != NULL ? "SCENE" : "MODEL";
    if (optind == argc) return window ? EXIT_DONE : fail_usage(c->name, "no %s was given", what);
    const char *more = optind + 1 < argc ? argv[optind + 1] : NULL,
               *lacks = more != NULL ? missing_option(c, more) : NULL;
    if (lacks != NULL)
        return fail_usage(c->name, "give only one %s, not \"%s\" as well; did you mean %s %s", what, more, lacks, more);
    if (more != NULL) return fail_usage(c->name, "give only one %s; leave out \"%s\"", what, more);
    o->model = argv[optind];
    return EXIT_DONE;
}

static int check_together(const command *c, const options *o)
{
    if (o->modal.min_hz > o->modal.max_hz)
        return fail_usage(c->name, "--min-hz %g is above --max-hz %g", o->modal.min_hz, o->modal.max_hz);
    if (o->output_count > 1 && strpbrk(c->letters, "aixyn") == NULL)
        return fail_usage(c->name, "give only one output; leave out \"%s\"", o->outputs[1]);
    bool falls = strchr(c->letters, 'i') == NULL || o->gait_name != NULL;
    if (o->gravity_given && o->gait.gravity == 0.0 && falls)
        return fail_usage(c->name, "--gravity 0 is for clips and mixes in inverse; gaits need a weight");
    if (o->of_gait != NULL && o->gait_name == NULL && strpbrk(c->letters, "gB") == NULL)
        return fail_usage(c->name, "--%s needs a gait; add --gait NAME", o->of_gait);
    return EXIT_DONE;
}

static options default_options(void)
{
    return (options){.asked = project_default_request(),
                     .modal = er_default_modal_def(),
                     .motion = er_default_motion_def(),
                     .recording = er_default_recording_def(),
                     .blend = -1.0,
                     .change = -1.0,
                     .terrain_rise = -1.0,
                     .simulation = project_default_simulation_def(),
                     .follow = project_default_follow_def(),
                     .inverse = project_default_inverse_def(),
                     .walk = project_default_walk_def(),
                     .picture = render_default_def(),
                     .view = viewer_default_def(),
                     .gait = er_default_gait_def(),
                     .batch = batch_default_def()};
}

int parse_options(const command *c, int argc, char **argv, er_context *context, options *o)
{
    given_options list = {0};
    const options result = *o; // of the program's commands
    *o = default_options();
    o->commands = result.commands;
    o->command_count = result.command_count;
    int status = read_options(c, argc, argv, context, o, &list);
    if (status != EXIT_DONE) return status;
    if (strchr(c->letters, 's') != NULL) return take_script(o, argc, argv);
    if (strchr(c->letters, 'T') != NULL) return take_topic(c, o, argc, argv);
    status = check_together(c, o);
    if (status != EXIT_DONE) return status;
    if (strchr(c->letters, 'C') != NULL) return take_two_models(c, o, argc, argv);
    if (strchr(c->letters, 'B') == NULL) return take_model(c, o, argc, argv);
    o->given_option = write_given(&list);
    return take_inputs(o, argc, argv);
}
