/// @file
/// Room `program`: the help of an option.
#ifndef ERI_TOOLS_PROGRAM_OPTION_HELP_H
#define ERI_TOOLS_PROGRAM_OPTION_HELP_H

#include <stdio.h>

/// Prints an option and its help, wrapped to 100 columns.
/// @param letter  0: none
/// @param value   its name; "" for an option without
void print_option_help(char letter, const char *name, const char *value, const char *help, FILE *out);

#endif
