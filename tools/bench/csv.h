/// @file
/// Room `bench`: the file that figures are written to.
#ifndef ERI_TOOLS_BENCH_CSV_H
#define ERI_TOOLS_BENCH_CSV_H

#include <stdbool.h>
#include <stdio.h>

/// A file is written beside its place and renamed at the end; a pipe or a device is written directly.
typedef struct bench_csv {
    FILE *file;
    const char *path; ///< NULL for standard output
    char *part;       ///< NULL if the path itself is written
} bench_csv;

/// @param path  NULL or "-" is standard output
/// @return false with errno set where the file cannot be opened
bool bench_csv_open(const char *path, bench_csv *out);

/// Moves the file to its place. Does not close standard output, which the program checks at its end.
/// @return false with errno set if anything could not be written; there is no file then
bool bench_csv_close(bench_csv *c);

/// The stream of the table for people: standard output, or standard error if the CSV goes to standard output.
/// @param path  of the CSV, as bench_csv_open() takes it
FILE *bench_table_stream(const char *path);

#endif
