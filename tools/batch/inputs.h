/// @file
/// The models that words on a command line stand for.
#ifndef ERI_TOOLS_BATCH_INPUTS_H
#define ERI_TOOLS_BATCH_INPUTS_H

#include <eigenrig/base.h>

/// A model to be read.
typedef struct batch_input {
    char *path;           ///< as it is opened: the user's word, or a path below the user's folder
    char *absolute;       ///< links resolved, but for the file itself
    const char *relative; ///< below the common folder: part of `absolute`
    char *key;            ///< `relative` as UTF-8, bytes that are none written as \xNN: what the manifest calls it
    bool left;            ///< not asked for: its earlier result stays
} batch_input;

/// All of them, ascending by key (by bytes), none twice.
typedef struct batch_inputs {
    int count, room;
    batch_input *item;
    char *root; ///< the common folder of everything that was named
    int folder_count;
    char **folder; ///< [folder_count], the folders below it that hold models, of all shards, ascending, none twice
} batch_inputs;

/// Finds them: files as named; folders with all files below of known endings (without hidden files and `output`);
/// globs; @LIST and - with a path a line. Links to folders are not followed. Files that earlier batches wrote to
/// `output` are left out.
/// @param output  the folder of outputs, which may lie below an input
/// @param out     to be freed by batch_inputs_free(), after a failure too
/// Errors   ER_ERROR_ARGUMENT (a word that is no file; nothing found), ER_ERROR_FILE, ER_ERROR_MEMORY
er_result batch_inputs_find(er_context *context, int count, const char *const *word, const char *output,
                            batch_inputs *out);

/// Puts them in the order of their keys.
void batch_inputs_sort(batch_inputs *inputs);

/// The index of a key, -1 if absent.
int batch_inputs_index(const batch_inputs *inputs, const char *key);

/// Marks the models as left whose path and name match none of the patterns.
/// @param only  with *, ? and [a-z], commas between them; * stands for slashes too
/// Errors   ER_ERROR_ARGUMENT (all are left)
er_result batch_inputs_choose(er_context *context, batch_inputs *inputs, const char *only);

/// Takes out the models that are left.   @param keep  [count], those that stay all the same; NULL: none
void batch_inputs_drop(batch_inputs *inputs, const bool *keep);

/// The name of an input's outputs without their endings (batch_def.name). To be freed; NULL without memory.
/// @param name  NULL: the input's own
char *batch_input_stem(const batch_input *input, const char *name);

/// Refuses inputs of one folder whose outputs would have the same names.
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_MEMORY
er_result batch_inputs_check_stems(er_context *context, const batch_inputs *inputs, const char *name);

/// The bytes of an output's path below the folder of outputs. To be freed; NULL if the path is not in the folder of the
/// input, and without memory.
/// @param path  as in the manifest
char *batch_output_path(const batch_input *input, const char *path);

/// An output's path as the manifest has it. To be freed; NULL without memory.   @param file  its name, any bytes
char *batch_output_key(const batch_input *input, const char *file);

/// Marks the models that batches wrote to a folder, by the manifests and journals there (outputs.c).
/// @param own  [count], all false; those become true
/// Errors   ER_ERROR_FILE, ER_ERROR_MEMORY
er_result batch_mark_outputs(er_context *context, const batch_inputs *inputs, const char *output, bool *own);

/// Keeps the models of a shard: those where the first 8 bytes of SHA-256 of the key, the highest first, modulo `shards`
/// equal shard - 1.
void batch_inputs_shard(batch_inputs *inputs, int shard, int shards);

/// Whether models of any shard lie in a folder or below it.   @param folder  below the common one, without a slash at
/// its end
bool batch_inputs_in(const batch_inputs *inputs, const char *folder);

void batch_inputs_free(batch_inputs *inputs);

/// A text as UTF-8; other bytes become \xNN. To be freed; NULL without memory.
char *batch_utf8(const char *text);

/// Turns a text of batch_utf8() back, in place.
void batch_bytes(char *text);

#endif
