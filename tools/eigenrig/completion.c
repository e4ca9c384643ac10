// `eigenrig completion`: completion scripts for bash, zsh and fish, from the tables of commands and options.
#include <ctype.h>
#include <string.h>

#include "tools/eigenrig/options.h"

static bool shown(const option_row *row, const command *c)
{
    return option_taken(row, c) && row->help[0] != '\0';
}

static const char *const *choices_of(const option_row *row)
{
    if (row->of == NULL && row->bit == 0) return NULL; // read by a function of its own
    const setting *s = option_setting(row);
    return s->kind == SETTING_CHOICE ? s->choices : NULL;
}

static void print_choices(const char *const *choice)
{
    for (int i = 0; choice[i] != NULL; ++i)
        printf("%s%s", i > 0 ? " " : "", choice[i]);
}

// The words that may follow the command instead of a model: from a usage like "[text|bibtex]", or commands.   @return
// whether there are any
static bool print_topics(const options *o, const command *c)
{
    const char *word = c->usage + strspn(c->usage, "[");
    if (strncmp(word, "COMMAND", 7) == 0) {
        for (int i = 0; i < o->command_count; ++i)
            printf("%s%s", i > 0 ? " " : "", o->commands[i].name);
        return true;
    }
    size_t length = strcspn(word, "] ");
    if (!islower((unsigned char)word[0]) || memchr(word, '|', length) == NULL) return false;
    for (size_t i = 0; i < length; ++i)
        putchar(word[i] == '|' ? ' ' : word[i]);
    return true;
}

// A text within single quotes, for a shell; characters in `special` get a backslash too.
static void print_quoted(const char *text, const char *special)
{
    for (; *text != '\0'; ++text) {
        if (strchr(special, *text) != NULL) putchar('\\');
        fputs(*text == '\'' ? "'\\''" : (const char[]){*text, '\0'}, stdout);
    }
}

// ---- bash

static void print_bash(const options *o)
{
    printf("# Completion of eigenrig for bash, made by: eigenrig completion bash\n_eigenrig()\n{\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]} "
           "words=\n"
           "    COMPREPLY=()\n    if ((COMP_CWORD == 1)); then\n        words='--help --version");
    for (int i = 0; i < o->command_count; ++i)
        printf(" %s", o->commands[i].name);
    printf("'\n    else\n        case \"$command $before\" in\n");
    for (const command *c = o->commands; c < o->commands + o->command_count; ++c)
        for (const option_row *row = option_table; row < option_table + option_count; ++row)
            if (shown(row, c) && choices_of(row) != NULL) {
                printf("        '%s --%s') words='", c->name, row->name);
                print_choices(choices_of(row));
                printf("' ;;\n");
            }
    printf("        esac\n        if [[ -z $words ]]; then\n            case \"$command ${word:0:1}\" in\n");
    for (const command *c = o->commands; c < o->commands + o->command_count; ++c) {
        printf("            '%s -') words='", c->name);
        for (const option_row *row = option_table; row < option_table + option_count; ++row)
            if (shown(row, c)) printf("--%s ", row->name);
        printf("' ;;\n            '%s '*) words='", c->name);
        print_topics(o, c);
        printf("' ;;\n");
    }
    printf("            esac\n        fi\n    fi\n"
           "    [[ -n $words ]] && COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n    return 0\n}\n"
           "complete -o default -F _eigenrig eigenrig\n");
}

// ---- zsh

static void print_zsh_option(const option_row *row)
{
    static const char special[] = "[]:\\";
    bool valued = row->value[0] != '\0';
    printf("            ");
    if (row->letter != 0)
        printf("'(-%c --%s)'{-%c%s,--%s%s}'[", row->letter, row->name, row->letter, valued ? "+" : "", row->name,
               valued ? "=" : "");
    else
        printf("'*--%s%s[", row->name, valued ? "=" : "");
    print_quoted(row->help, special);
    printf("]");
    if (valued) {
        printf(":");
        print_quoted(row->value, special);
        printf(":");
        if (choices_of(row) != NULL) {
            printf("(");
            print_choices(choices_of(row));
            printf(")");
        } else
            printf("_files");
    }
    printf("' \\\n");
}

static void print_zsh(const options *o)
{
    printf("#compdef eigenrig\n# Completion of eigenrig for zsh, made by: eigenrig completion zsh\n_eigenrig()\n{\n"
           "    local -a commands=(\n");
    for (int i = 0; i < o->command_count; ++i) {
        printf("        '%s:", o->commands[i].name);
        print_quoted(o->commands[i].summary, ":\\");
        printf("'\n");
    }
    printf("    )\n    if ((CURRENT == 2)); then\n        _describe command commands\n        return\n    fi\n"
           "    shift words\n    ((--CURRENT))\n    case $words[1] in\n");
    for (const command *c = o->commands; c < o->commands + o->command_count; ++c) {
        printf("    %s)\n        _arguments \\\n", c->name);
        for (const option_row *row = option_table; row < option_table + option_count; ++row)
            if (shown(row, c)) print_zsh_option(row);
        printf("            '*:word:{ _alternative \"words:word:(");
        print_topics(o, c);
        printf(")\" \"files:file:_files\" }'\n        ;;\n");
    }
    printf("    esac\n}\n_eigenrig \"$@\"\n");
}

// ---- fish

static void print_fish(const options *o)
{
    static const char special[] = "\\";
    printf("# Completion of eigenrig for fish, made by: eigenrig completion fish\n");
    for (const command *c = o->commands; c < o->commands + o->command_count; ++c) {
        printf("complete -c eigenrig -n __fish_use_subcommand -f -a %s -d '", c->name);
        print_quoted(c->summary, special);
        printf("'\ncomplete -c eigenrig -n '__fish_seen_subcommand_from %s' -a '", c->name);
        print_topics(o, c);
        printf("'\n");
        for (const option_row *row = option_table; row < option_table + option_count; ++row) {
            if (!shown(row, c)) continue;
            printf("complete -c eigenrig -n '__fish_seen_subcommand_from %s' -l %s", c->name, row->name);
            if (row->letter != 0) printf(" -s %c", row->letter);
            if (choices_of(row) != NULL) {
                printf(" -x -a '");
                print_choices(choices_of(row));
                printf("'");
            } else if (row->value[0] != '\0')
                printf(" -r");
            printf(" -d '");
            print_quoted(row->help, special);
            printf("'\n");
        }
    }
}

int run_completion(er_context *context, options *o)
{
    static const char *const shells[] = {"bash", "zsh", "fish", NULL};
    static void (*const print[])(const options *) = {print_bash, print_zsh, print_fish};
    (void)context;
    int shell = o->topic != NULL ? setting_choice(o->topic, shells) : -1;
    if (shell < 0) return fail_usage("completion", "there is completion for bash, zsh and fish; name one of them");
    print[shell](o);
    return EXIT_DONE;
}
