/// @file
/// The folder that a batch writes to: made, locked, cleaned; files in it written whole or not at all.
#ifndef ERI_TOOLS_BATCH_FOLDER_H
#define ERI_TOOLS_BATCH_FOLDER_H

#include <stdio.h>

#include <eigenrig/base.h>

/// A path as printf() says. To be freed; NULL without memory.
char *batch_path(const char *format, ...) ER_PRINTF(1, 2);

/// Makes a folder and those above it.   @return 0, or the error number
int batch_make_folder(const char *path);

/// Makes the folder that a file lies in, likewise.
int batch_make_folder_of(const char *file);

/// Opens a regular file to read: a pipe would wait for a writer.   @return -1 where there is none
int batch_open_regular(const char *path);

/// Removes a folder and all below it, as far as possible. Links are removed, not followed.
void batch_empty_folder(const char *path);
void batch_remove_folder(const char *path);

/// Opens a lock file and locks it, alone or shared.
/// @param file  written: the lock lasts until it is closed
/// Errors   ER_ERROR_SYSTEM: somebody else has it, or the file system has no locks; ER_ERROR_FILE
er_result batch_lock(er_context *context, const char *path, bool shared, int *file);

/// A file that gets its name when it is whole.
typedef struct batch_file {
    FILE *stream; ///< write to it
    char *path, *temporary;
} batch_file;

/// Errors   ER_ERROR_FILE, ER_ERROR_MEMORY
er_result batch_file_begin(er_context *context, const char *path, batch_file *out);

/// Flushes it to the disk and renames it; removes it when `result` is a failure already, which is then returned.
/// Errors   ER_ERROR_FILE
er_result batch_file_end(er_context *context, batch_file *file, er_result result);

#endif
