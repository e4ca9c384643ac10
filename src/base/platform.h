/// @file
/// Private: the only door to the operating system. No other file includes a system header; another system is another
/// set of platform_*.c. The code stands in a library of its own, which the library and the programs link.
/// Unless a comment says otherwise, functions that fail return -1, false or NULL and set errno.   Threads: any.
#ifndef ERI_BASE_PLATFORM_H
#define ERI_BASE_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <eigenrig/base.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- Text

/// Whether a name matches a pattern of the shell: `*`, `?`, `[a-z]`; `*` matches `/` too.
bool eri_platform_match(const char *pattern, const char *name);

/// The first place in `bytes` where `wanted` stands; NULL when there is none.
const void *eri_platform_find(const void *bytes, size_t size, const void *wanted, size_t wanted_size);

/// qsort() whose comparison gets `user`.
void eri_platform_sort(void *items, size_t count, size_t size, int (*compare)(const void *, const void *, void *user),
                       void *user);

/// Reads up to and including the byte `end`, or to the end of the file.
/// @param line  NULL or from malloc(), [room]; grows by realloc() and is to be freed
/// @return      bytes read, without the NUL behind them; -1 at the end of the file or on an error
ptrdiff_t eri_platform_read_line(char **line, size_t *room, int end, FILE *file);

/// A stream whose text is in memory. Only eri_platform_text_end() may close it, with the same arguments.
/// @param text  written; free() it whatever happens
FILE *eri_platform_text_stream(char **text, size_t *size);
/// Closes it: `*text` is then `*size` bytes and a NUL.   @return 0; -1 where the text is not whole
int eri_platform_text_end(FILE *stream, char **text, size_t *size);

/// A stream for writing that discards what is written.
FILE *eri_platform_null_stream(void);

/// Text of an error number, in English. Never NULL.
const char *eri_platform_error_text(int error);

/// Text of a signal, in English. Never NULL.
const char *eri_platform_signal_text(int signal);

/// The locale that a thread had before eri_point_begin(). All zeros: none.
typedef struct eri_point_locale {
    void *plain, *before;
} eri_point_locale;

/// From here on this thread prints and reads numbers with a point, until eri_point_end().
bool eri_point_begin(eri_point_locale *locale);

/// Restores the thread's locale. Does nothing for all zeros, so it may be called twice.
void eri_point_end(eri_point_locale *locale);

// ---- Files. A file is a small number, as in er_file_open_reference(). None stays open in programs that are started.

enum { ERI_INPUT, ERI_OUTPUT, ERI_ERRORS }; ///< the standard streams

enum {
    ERI_OPEN_READ = 1,
    ERI_OPEN_WRITE = 2,
    ERI_OPEN_APPEND = 4,   ///< each write goes to the end
    ERI_OPEN_CREATE = 8,   ///< makes the file if it is missing, with the permissions that the user's umask leaves
    ERI_OPEN_NEW = 16,     ///< with CREATE: fails with EEXIST if the file exists
    ERI_OPEN_NO_WAIT = 32, ///< does not wait for the other end of a pipe, and takes no terminal
    ERI_OPEN_FOLDER = 64,  ///< fails if it is no folder
    ERI_OPEN_NAME = 128    ///< the place alone, which cannot be read: nothing happens to pipes and devices
};

typedef enum eri_file_kind { ERI_FILE_OTHER, ERI_FILE_REGULAR, ERI_FILE_FOLDER, ERI_FILE_LINK } eri_file_kind;

typedef struct eri_file_info {
    eri_file_kind kind;
    unsigned mode;           ///< permissions, for eri_platform_set_mode()
    int64_t size;            ///< bytes
    int64_t changed;         ///< when it was written last, ns
    uint64_t device, number; ///< two files are one if both agree; number is not 0
} eri_file_info;

typedef enum eri_access { ERI_EXISTS, ERI_CAN_READ, ERI_CAN_WRITE, ERI_CAN_RUN } eri_access;

/// @param flags  ERI_OPEN_*
/// @return       a file for eri_platform_close(), or -1
int eri_platform_open(const char *path, unsigned flags);
/// Opens for reading what a file from ERI_OPEN_NAME stands for, without waiting.
int eri_platform_reopen(int file);
int eri_platform_close(int file);
/// A second number for the same file and position.
int eri_platform_duplicate(int file);
/// The file as a stream, which closes it.
FILE *eri_platform_stream(int file, const char *mode);

/// Reads once; waits for the first byte. Signals do not interrupt it.
/// @return  bytes read; 0 at the end; -1
ptrdiff_t eri_platform_read(int file, void *bytes, size_t size);
ptrdiff_t eri_platform_read_at(int file, void *bytes, size_t size, int64_t offset);
/// Writes once.   @return bytes written, or -1
ptrdiff_t eri_platform_write(int file, const void *bytes, size_t size);
/// Writes all.   @return 0, or the error number
int eri_platform_write_all(int file, const void *bytes, size_t size);
/// Sets the position for reading and writing.
int eri_platform_seek(int file, int64_t offset);
int eri_platform_truncate(int file, int64_t size);
/// Returns when the disk has all of it.
int eri_platform_flush(int file);
/// Returns when the disk has all that was written to a stream.
int eri_platform_flush_stream(FILE *stream);
/// Returns when the disk has all of the file system that a file is on.
int eri_platform_flush_disk(int file);
/// Has the disk begin to write.
void eri_platform_flush_soon(int file);
int eri_platform_set_mode(int file, unsigned mode);
/// Locks a file until it is closed, for this process alone or with others that share. Fails with EWOULDBLOCK at once
/// if another process holds it.
int eri_platform_lock(int file, bool shared);

int eri_platform_stat(const char *path, eri_file_info *info);      ///< follows links
int eri_platform_stat_link(const char *path, eri_file_info *info); ///< of a link itself
int eri_platform_stat_open(int file, eri_file_info *info);
bool eri_platform_access(const char *path, eri_access wanted);

/// Follows links.
static inline bool eri_platform_is_regular(const char *path)
{
    eri_file_info info;
    return eri_platform_stat(path, &info) == 0 && info.kind == ERI_FILE_REGULAR;
}

/// Follows links.
static inline bool eri_platform_is_folder(const char *path)
{
    eri_file_info info;
    return eri_platform_stat(path, &info) == 0 && info.kind == ERI_FILE_FOLDER;
}

int eri_platform_unlink(const char *path);                 ///< EISDIR for folders
int eri_platform_rename(const char *from, const char *to); ///< replaces a file at `to` in one step
int eri_platform_link(const char *from, const char *to);   ///< a second name for a file
int eri_platform_make_folder(const char *path);
int eri_platform_make_private_folder(const char *path); ///< for the user alone
int eri_platform_remove_folder(const char *path);       ///< an empty one

/// A new file that only the user may read.   @param path  ends in XXXXXX, which is replaced
FILE *eri_platform_temporary_file(char *path);
/// A new folder that only the user may read.   @param path  ends in XXXXXX, which is replaced
bool eri_platform_temporary_folder(char *path);

/// A file in memory, without a name.
int eri_platform_memory_file(const char *label);
/// Two ends of a stream, for eri_platform_send(): end 0 to write, end 1 to read.
int eri_platform_socket(int ends[2]);
/// Writes to a socket. Unlike eri_platform_write(), fails with EPIPE when the reader is gone, and raises no signal.
ptrdiff_t eri_platform_send(int socket, const void *bytes, size_t size);
/// A pipe: end 0 to read, end 1 to write.
int eri_platform_pipe(int ends[2]);

/// Waits until a file can be read or has ended.   @return 1; 0 when time is up or a signal came; -1
int eri_platform_wait_readable(int file, double seconds);

/// One of several files to wait for.
typedef struct eri_wait {
    int file;   ///< -1: none
    bool ready; ///< written: can be read, or has ended
} eri_wait;

/// Waits for any of several files. Requests to end that eri_platform_hold_ends() holds back come meanwhile.
/// @param wait  [count]
/// @return      how many are ready; 0 when time is up; -1: EINTR when a signal came
int eri_platform_wait_any(eri_wait *wait, int count, double seconds);

/// Whether a standard stream, or another file, is a terminal.
bool eri_platform_is_terminal(int file);

// ---- Folders

typedef struct eri_listing eri_listing; ///< names in a folder, in no order

eri_listing *eri_listing_open(const char *folder);
/// The next name, "." and ".." among them, good until the next call; NULL at the end.
const char *eri_listing_next(eri_listing *listing);
/// NULL is fine.
void eri_listing_close(eri_listing *listing);
/// Follows links.   @param name  in the folder; "." is the folder itself
int eri_listing_stat(eri_listing *listing, const char *name, eri_file_info *info);
int eri_listing_unlink(eri_listing *listing, const char *name);

/// Calls `each` for each path that a pattern matches, in order, until it returns false.
/// @return  1; 0 when there is none; -1 when there is no memory
int eri_platform_glob(const char *pattern, bool (*each)(void *user, const char *path), void *user);

// ---- Paths

/// The absolute path without links.   @param out  [ER_FILE_NAME_MAX], or NULL: from malloc()
char *eri_platform_real_path(const char *path, char *out);
/// Target of a symbolic link, not NUL-terminated.   @return its length
ptrdiff_t eri_platform_read_link(const char *path, char *out, size_t size);
/// The path of a file that is open.   @param out  [ER_FILE_NAME_MAX]
bool eri_platform_path_of(int file, char *out);
bool eri_platform_current_folder(char *out, size_t size);
/// The path of this program.   @param out  [ER_FILE_NAME_MAX]
bool eri_platform_program(char *out);
/// The path of the library, or program, that an address is in; NULL when it is unknown.
const char *eri_platform_library_of(const void *address);

typedef enum eri_user_folder {
    ERI_FOLDER_CONFIG,   ///< the user's settings
    ERI_FOLDER_STATE,    ///< what programs remember between runs
    ERI_FOLDER_TEMPORARY ///< files that need not outlive the program
} eri_user_folder;

/// A folder of the user's, which may not exist.   @param out  [ER_FILE_NAME_MAX]   @return false where there is none
bool eri_platform_user_folder(eri_user_folder folder, char *out);

// ---- Processes. A process is a number > 0.

typedef struct eri_spawn_def {
    const char *program;      ///< a path, or with `search` a name to be found in PATH
    const char *const *words; ///< arguments, the program's name first, ended by NULL
    bool search;
    bool alone;                ///< default signals, a group of its own, no files but the standard streams
    bool quiet;                ///< standard input and standard error lead nowhere
    int input, output, errors; ///< files for its standard streams; -1: those of this process
} eri_spawn_def;

/// A def that changes nothing: no streams, no flags.
static inline eri_spawn_def eri_default_spawn_def(const char *program, const char *const *words)
{
    eri_spawn_def def = {program, words, false, false, false, -1, -1, -1};
    return def;
}

/// How a process ended.
typedef struct eri_process_end {
    bool known;     ///< false: somebody else collected it
    int status;     ///< exit status; 0 where a signal ended it
    int signal;     ///< that ended it; 0 for none
    bool killed;    ///< by eri_process_kill(), or for lack of memory
    bool timed_out; ///< by its limit of processor time
    double peak;    ///< bytes of memory at most; 0 where unknown
} eri_process_end;

/// Starts a program.   @return 0, or the error number
int eri_process_spawn(const eri_spawn_def *def, int *process);
/// Splits this process in two.   @return 0 in the new one; its number in the old one
int eri_process_fork(void);
/// Waits until a child has ended, but leaves it to be collected, so that its number stays its own.
void eri_process_await(int process);
/// Waits for a child and collects it.   @return end->known
bool eri_process_wait(int process, eri_process_end *end);
/// Collects a child if it has ended.   @return false while it runs
bool eri_process_has_ended(int process, eri_process_end *end);
void eri_process_kill(int process);
void eri_process_kill_group(int process);
bool eri_process_exists(int process);
/// Gives a process a group of its own.   @param process  0: this one
void eri_process_make_group(int process);
/// The children of this thread.   @return how many are in child[most]
int eri_process_children(int *child, int most);
/// Whether children of children that have ended become ours.
void eri_platform_adopt(bool adopt);
/// Has the system kill this process when its parent ends.
void eri_platform_end_with_parent(void);
int eri_platform_process(void); ///< the number of this process
/// A hash of the system's start and of what numbers its processes: where both agree, a number means the same process.
/// 0 where unknown.
uint64_t eri_platform_system_number(void);
/// Runs a program in this process's place. Returns if it cannot.
/// @param program  a path; NULL: this program, from its beginning
/// @param words    its arguments, the program's name first, ended by NULL
void eri_process_become(const char *program, char **words);

/// Opens /dev/null for each standard stream that is closed, so that no other file gets its number. Reading and writing
/// there fail, as on a closed stream.
void eri_platform_fill_streams(void);
/// The standard streams lead nowhere from here on.
void eri_platform_close_streams(void);
/// A stream to what was standard output; standard output and error lead nowhere from here on.
FILE *eri_platform_take_output(void);

/// An environment variable; NULL where it is not set, or the program has rights that its user lacks.
const char *eri_platform_trusted_variable(const char *name);
/// Sets an environment variable, or leaves it if it is set and `replace` is false.
void eri_platform_set_variable(const char *name, const char *value, bool replace);

/// Calls `note` when this process is asked to end: by Ctrl+C, by kill, by its terminal's end. Requests that whoever
/// started this process ignores stay ignored. One caller at a time.
void eri_platform_catch_ends(void (*note)(int signal));
/// Calls `end` so many seconds from now, once; 0 seconds: not any more. `note` may call this.
void eri_platform_end_later(unsigned seconds, void (*end)(int signal));
/// Holds requests back but in eri_platform_wait_any().
void eri_platform_hold_ends(void);
/// In a new process: undoes catch and hold, so that requests end it.
void eri_platform_obey_ends(void);
/// Undoes catch and hold.
void eri_platform_release_ends(void);
/// Writing past a limit of the size of files is an error, and no signal.
void eri_platform_ignore_file_limit(void);

// ---- Memory and limits

typedef enum eri_limit {
    ERI_LIMIT_MEMORY,  ///< bytes of addresses; has no effect under the address sanitizer
    ERI_LIMIT_SECONDS, ///< of processor time
    ERI_LIMIT_CORE     ///< bytes of a core dump
} eri_limit;

/// Lowers a limit of this process for good, unless it is that low already.
void eri_platform_limit(eri_limit limit, double most);
double eri_platform_memory_limit(void);    ///< bytes of addresses; HUGE_VAL: no limit
double eri_platform_memory_mapped(void);   ///< bytes of addresses in use; 0 where unknown
double eri_platform_memory_physical(void); ///< bytes that the machine has
double eri_platform_heap_used(void);       ///< bytes that malloc() has given; 0 where unknown
bool eri_platform_can_map(size_t bytes);   ///< whether the system would give so many bytes of addresses now
int eri_platform_cores(void);              ///< at least 1

// ---- Clocks

double eri_seconds(void);         ///< seconds since some moment; never set back
double eri_thread_seconds(void);  ///< seconds of processor time that this thread took so far
double eri_process_seconds(void); ///< seconds of processor time that all threads of this process took so far
void eri_platform_sleep(double seconds);

// ---- Threads

typedef struct eri_thread {
    void *room[1];
} eri_thread;

typedef struct eri_mutex {
    void *room[8];
} eri_mutex;

typedef struct eri_condition {
    void *room[8];
} eri_condition;

/// @return  whether the system gave a thread, to be ended by eri_thread_join()
bool eri_thread_begin(eri_thread *thread, void *(*work)(void *user), void *user);
void eri_thread_join(eri_thread *thread);

void eri_mutex_init(eri_mutex *mutex);
void eri_mutex_finish(eri_mutex *mutex);
void eri_mutex_lock(eri_mutex *mutex);
void eri_mutex_unlock(eri_mutex *mutex);

void eri_condition_init(eri_condition *condition);
void eri_condition_finish(eri_condition *condition);
void eri_condition_wait(eri_condition *condition, eri_mutex *mutex);
/// @param until  by eri_seconds()   @return false when time is up
bool eri_condition_wait_until(eri_condition *condition, eri_mutex *mutex, double until);
void eri_condition_wake_all(eri_condition *condition);

/// One mutex that needs no initialization, for state of the whole process.
void eri_platform_lock_process(void);
void eri_platform_unlock_process(void);

/// Something to call when a thread ends.
typedef struct eri_thread_end {
    void (*call)(void);
} eri_thread_end;

/// Has the calling thread call end->call() when it ends. A later call replaces `end`.
bool eri_thread_at_end(const eri_thread_end *end);

// ---- Libraries loaded at run time

/// @param name  a path, or a name to be found where the system looks
/// @param now   resolve all of its symbols at once, not as they are used
/// @return      NULL: eri_library_error() says why
void *eri_library_load(const char *name, bool now);
void *eri_library_symbol(void *library, const char *name);
void eri_library_unload(void *library);
const char *eri_library_error(void);

#ifdef __cplusplus
}
#endif
#endif
