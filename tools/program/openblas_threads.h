/// @file
/// Room `program`: the number of OpenBLAS threads, which a program chooses by restarting itself.
#ifndef ERI_TOOLS_PROGRAM_OPENBLAS_THREADS_H
#define ERI_TOOLS_PROGRAM_OPENBLAS_THREADS_H

/// Restarts the program with this number of OpenBLAS threads, or one if the address limit is too low. Returns if it
/// already has that number or cannot be restarted.   @param words  argv
void load_with_threads(char **words, int threads);

/// Restarts the program with one thread if the address limit is too low for the current number.
void keep_threads_in_limits(char **words);

#endif
