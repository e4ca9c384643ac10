// `eigenrig manual`: manual pages for man, from the tables of commands and options.
#include <ctype.h>
#include <string.h>

#include "tools/eigenrig/options.h"

// A text in roff; no part of it is read as a request or an escape.
static void print_roff(const char *text)
{
    if (*text == '.' || *text == '\'') fputs("\\&", stdout);
    for (; *text != '\0'; ++text) {
        if (*text == '\\')
            fputs("\\e", stdout);
        else if (*text == '-')
            fputs("\\-", stdout);
        else
            putchar(*text);
    }
    putchar('\n');
}

static const char date[] = "2026-11-23"; // of the pages' last change

static void print_title(const char *name, const char *suffix)
{
    printf(".TH \"");
    for (; *name != '\0'; ++name)
        putchar(toupper((unsigned char)*name));
    for (; *suffix != '\0'; ++suffix)
        putchar(toupper((unsigned char)*suffix));
    printf("\" \"1\" \"%s\" \"eigenrig %s\" \"eigenrig\"\n.SH NAME\n", date, er_version());
}

static void print_option(const option_row *row)
{
    printf(".TP\n");
    if (row->letter != 0) printf(".BR \\-%c \", \" ", row->letter);
    printf(row->letter != 0 ? "\\-\\-" : ".BI \\-\\-");
    char name[64];
    snprintf(name, sizeof name, "%s", row->name);
    for (const char *c = name; *c != '\0'; ++c)
        fputs(*c == '-' ? "\\-" : (const char[]){*c, '\0'}, stdout);
    if (row->value[0] != '\0') printf(" \" %s\"", row->value);
    printf("\n");
    print_roff(row->help);
}

// @param last  the highest of them
static void print_status(int last)
{
    static const char *const status[] = {
        "done", "the work, or a part of it, could not be done; a line on standard error says why",
        "the words of the command line are wrong", "a batch could not begin or go on"};
    printf(".SH EXIT STATUS\n");
    for (int i = EXIT_DONE; i <= last; ++i)
        printf(".TP\n.B %d\n%s\n", i, status[i]);
}

static void print_command(const command *c)
{
    bool first = strchr(c->letters, 's') != NULL; // words after a script belong to the script
    print_title("eigenrig-", c->name);
    printf("eigenrig\\-%s \\- ", c->name);
    print_roff(c->summary);
    printf(".SH SYNOPSIS\n.B eigenrig %s\n", c->name);
    if (first) printf("[options]\n");
    print_roff(c->usage);
    if (!first) printf("[options]\n");
    printf(".SH OPTIONS\n");
    for (const option_row *row = option_table; row < option_table + option_count; ++row)
        if (option_taken(row, c) && row->help[0] != '\0') print_option(row);
    printf(".PP\n.nf\n");
    print_limits(c, stdout);
    printf(".fi\n");
    print_status(strchr(c->letters, 'B') != NULL ? EXIT_STOPPED : EXIT_USAGE);
    printf(".SH EXAMPLES\n.EX\n");
    print_roff(c->example);
    printf(".EE\n.SH SEE ALSO\n.BR eigenrig (1)\n");
}

static void print_program(const options *o)
{
    print_title("eigenrig", "");
    printf(
        "eigenrig \\- the natural vibration modes of a rigged character\n.SH SYNOPSIS\n.B eigenrig\n.I COMMAND MODEL\n"
        "[options]\n.SH DESCRIPTION\nReads a rigged file (glTF, GLB, FBX, Collada, BVH, X, ...), a rig file (JSON), or "
        "\\- for a rig file on\nstandard input; finds its natural modes, and makes numbers, clips, pictures and films "
        "of "
        "them.\n.SH COMMANDS\n");
    for (int i = 0; i < o->command_count; ++i) {
        printf(".TP\n.BR eigenrig\\-%s (1)\n", o->commands[i].name);
        print_roff(o->commands[i].summary);
    }
    print_status(EXIT_STOPPED);
    printf(
        ".SH ENVIRONMENT\n.TP\n.B EIGENRIG_IMPORTER\nthe program that reads models, where it is not the one that was "
        "installed beside this one\n.SH FILES\n.TP\n.I MODEL.rig.lua\na description of the rig, beside its model\n.TP\n"
        ".I ~/.config/eigenrig/presets\npresets of your own\n.SH EXAMPLES\n.EX\n");
    print_roff("eigenrig palette character.glb -o palette.glb");
    printf(".EE\n");
}

int run_manual(er_context *context, options *o)
{
    (void)context;
    if (o->topic == NULL || strcmp(o->topic, "eigenrig") == 0) {
        print_program(o);
        return EXIT_DONE;
    }
    suggestion closest = {.word = o->topic};
    char text[SUGGESTION_TEXT];
    for (int i = 0; i < o->command_count; ++i) {
        suggestion_try(&closest, o->commands[i].name);
        if (strcmp(o->commands[i].name, o->topic) != 0) continue;
        print_command(&o->commands[i]);
        return EXIT_DONE;
    }
    return fail_usage("manual", "there is no command \"%s\"%s", o->topic, suggestion_text(&closest, text));
}
