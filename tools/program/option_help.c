// The help of options, wrapped.
#include "tools/program/option_help.h"

#include <stdbool.h>
#include <string.h>

// Prints a text in lines of at most LINE_WIDTH columns. Indents all but the first line, whose indent is already there.
static void print_wrapped(const char *text, int indent, FILE *out)
{
    enum { LINE_WIDTH = 100 };
    for (int column = indent; *text != '\0';) {
        int word = (int)strcspn(text, " ");
        bool breaks = column > indent && column + 1 + word > LINE_WIDTH;
        if (breaks) fprintf(out, "\n%*s", column = indent, "");
        column += fprintf(out, "%s%.*s", column > indent ? " " : "", word, text);
        text += word;
        text += strspn(text, " ");
    }
    fprintf(out, "\n");
}

void print_option_help(char letter, const char *name, const char *value, const char *help, FILE *out)
{
    char words[64], short_name[8] = "    ";
    if (letter != 0) snprintf(short_name, sizeof short_name, "-%c, ", letter);
    snprintf(words, sizeof words, "%s--%s %s", short_name, name, value);
    print_wrapped(help, fprintf(out, "  %-26s ", words), out);
}
