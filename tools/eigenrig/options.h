/// @file
/// The table of options: names, values, destinations. Parsing, checks, help and errors all use it.
#ifndef ERI_TOOLS_EIGENRIG_OPTIONS_H
#define ERI_TOOLS_EIGENRIG_OPTIONS_H

#include "app/settings/setting.h"
#include "tools/eigenrig/cli.h"

typedef struct option_row option_row;

/// An option as given on the command line.
typedef struct given_option {
    er_context *context; // writes the reason of a refusal if the table's help is not enough
    options *o;
    const option_row *row;
    const char *text; // the value
    const command *of;
} given_option;

/// Reads a value that is no plain setting.   @return whether it is allowed
typedef bool option_reader(const given_option *s);

struct option_row {
    char group; // selects the commands that take it: see command.letters; c: all
    const char *name;
    char letter;         // 0: none
    const char *value;   // its name in the help; "" for an option without
    const char *help;    // "": not in the help
    const setting *of;   // of `options`
    option_reader *read; // NULL: by the setting alone
    unsigned bit;        // of asked.given, which gets it; if `of` and `read` are NULL, the setting is of asked.rig
    size_t given;        // the place of a bool of `options` that records whether it was given; 0: none
    bool once;           // refused when given twice; for other options the last value counts
    bool results;        // changes results, as all options of a rig and of modes do
};

extern const option_row option_table[];
extern const int option_count;

bool option_taken(const option_row *row, const command *c);

/// Kind, range and place of an option's value.
const setting *option_setting(const option_row *row);

option_reader read_errors, read_output, read_mix_word, read_mode_word, read_push, read_gait, read_damping, read_pose,
    read_stiffness, read_tune, read_window_size, read_axis, read_weights, read_tempo, read_shard, read_play_word,
    read_play_size, read_track;
option_reader read_terrain_size;                                   // of the ground of gaits
option_reader read_picture_size, read_view, read_show, read_theme; // of pictures

/// Lists the options of a command that rig files and world files refuse.
void print_limits(const command *c, FILE *out);

/// Whether a command has a documented option of this name.
bool option_named(const command *c, const char *name);

/// Writes the commands that have it, with commas between.   @return whether there are any
bool write_commands_with(const options *o, const char *option, char *text, size_t size);

/// The command or option that a word of another program corresponds to; NULL if none is known.
const char *suggest_command(const char *word);
const char *suggest_option(const command *c, const char *word);

/// The option that may be missing before a word, such as "-o" before "out.glb"; NULL: none.
const char *missing_option(const command *c, const char *word);

/// Two numbers with a sign between: "960x720", "3/8", "-30,15".   @return whether they are numbers
bool read_pair(const char *text, char between, double pair[2]);

/// WxH, both sides in a range.
bool read_sides(const char *text, int least, int most, int *width, int *height);

#endif
