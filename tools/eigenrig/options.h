/// @file
/// The table of options: what they are called, which values they take and where these go. Reading the command line,
/// checking it, its help and its errors follow the table.
#ifndef ERI_TOOLS_EIGENRIG_OPTIONS_H
#define ERI_TOOLS_EIGENRIG_OPTIONS_H

#include "app/settings/setting.h"
#include "tools/eigenrig/cli.h"

typedef struct option_row option_row;

/// An option as somebody said it.
typedef struct given_option {
    er_context *context; // says what is wrong, where the table does not tell
    options *o;
    const option_row *row;
    const char *text; // the value
    const command *of;
} given_option;

/// Reads a value that is no plain setting.   @return whether it is allowed
typedef bool option_reader(const given_option *s);

struct option_row {
    char group; // decides which commands take it: see command.letters; c: all
    const char *name;
    char letter;         // 0: none
    const char *value;   // its name in the help; "" for an option without
    const char *help;    // "": not in the help
    const setting *of;   // of `options`
    option_reader *read; // NULL: by the setting alone
    unsigned bit;        // of asked.given, which gets it; where `of` and `read` are NULL, the setting is of asked.rig
    size_t given;        // the place of a bool of `options` that tells whether it was said; 0: nobody asks
    bool once;           // nobody says it twice but by mistake; of others the last counts
    bool results;        // it changes results, as all options of a rig and of modes do
};

extern const option_row option_table[];
extern const int option_count;

bool option_taken(const option_row *row, const command *c);

/// The place of the value in `options`.
void *option_field(const given_option *s);

/// Kind, range and place of an option's value.
const setting *option_setting(const option_row *row);

option_reader read_errors, read_output, read_mix_word, read_push, read_gait, read_damping, read_pose, read_stiffness,
    read_window_size, read_axis, read_weights, read_tempo, read_shard, read_play_word, read_play_size;
option_reader read_picture_size, read_view, read_show, read_theme; // of pictures

/// Whether a command has an option of this name, which its help tells.
bool option_named(const command *c, const char *name);

/// The commands that have it, with commas between.   @return whether there are any
bool write_commands_with(const options *o, const char *option, char *text, size_t size);

/// What is meant by a word of another program: a command, or an option that the command takes; NULL: nobody knows.
const char *suggest_command(const char *word);
const char *suggest_option(const command *c, const char *word);

/// The option that a word stands without, such as "-o" before "out.glb"; NULL: none.
const char *missing_option(const command *c, const char *word);

/// Two numbers with a sign between: "960x720", "3/8", "-30,15".   @return whether they are numbers
bool read_pair(const char *text, char between, double pair[2]);

/// WxH, both sides in a range.
bool read_sides(const char *text, int least, int most, int *width, int *height);

#endif
