/// @file
/// The basis of every other header: results, contexts, the version, endings of paths, notes, and files.
///
/// Order of use:
/// - er_file_open() (formats.h) reads a model file or a rig file and makes a model. Step by step: scene.h reads a model
///   file, and rig.h makes a model from it. Or make a model from bodies and joints (model.h).
/// - modal.h computes modes; motion.h mixes them in time and makes clips; gait.h searches for mixes that walk.
/// - dynamics.h simulates; collide.h measures distances and contacts; math.h has vectors and poses.
/// - formats.h writes files. eigenrig.h includes everything.
///
/// Errors: fallible functions return an er_result. On failure a new object is NULL, an output array has no meaning, and
/// the context keeps a one-line message: what is wrong, the value, what to do. If the context is NULL, or the pointer
/// for the new object, the result is ER_ERROR_ARGUMENT without a message. The library never exits, and prints only
/// files whose path is "-". It has no global state, except er_modal_set_threads().
///
/// Pointers: NULL is allowed only if the comment says so, or for arrays without elements. Otherwise fallible functions
/// refuse it (ER_ERROR_ARGUMENT). Arguments are borrowed for the call unless the comment says longer. Objects own
/// everything that they point to, and must be destroyed before their context. Numbers in text have a decimal point in
/// every locale.
///
/// Unless the comment says otherwise, a function has no errors and does not check its arguments, allocates nothing, and
/// may be called from any thread. "Threads: any" means that calls may run at once if they do not write to the same
/// memory. "Threads: the context's" means the one thread that uses the context at that time.
#ifndef EIGENRIG_BASE_H
#define EIGENRIG_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(ER_BUILD)
#define ER_API __attribute__((visibility("default")))
#else
#define ER_API
#endif

#if defined(__MINGW32__)
#define ER_PRINTF(text, first) __attribute__((format(gnu_printf, text, first)))
#elif defined(__GNUC__)
#define ER_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define ER_PRINTF(text, first)
#endif

// ---- Results and contexts

/// The `tag` that er_default_*() sets in every struct of options (bodies, joints and mixes have
/// none). Options without it are refused (ER_ERROR_ARGUMENT),
/// because zero is a real value of most physical settings.
#define ER_DEF_TAG 0x45724431u

/// The result of a call.
typedef enum er_result {
    ER_OK = 0,
    ER_ERROR_ARGUMENT,       ///< a wrong argument: NULL, NaN, out of range, or an unknown name
    ER_ERROR_MEMORY,         ///< the allocator returned NULL
    ER_ERROR_FILE,           ///< a file cannot be opened, read or written
    ER_ERROR_FORMAT,         ///< a file was read, but its contents are wrong
    ER_ERROR_IMPORT,         ///< the importer process crashed, hung or exceeded its limits on this file
    ER_ERROR_RIG,            ///< a rig that cannot be used: no skeleton, no mass, no motion, too many bodies or loops,
                             ///< or impossible bodies or joints
    ER_ERROR_NOT_POSDEF,     ///< a mass matrix is not positive definite
    ER_ERROR_NO_CONVERGENCE, ///< an iteration did not converge
    ER_ERROR_SYSTEM          ///< the machine lacks something: a display, a graphics driver, another program
} er_result;

/// Holds the last error and the memory of objects. One thread at a time may use a context; contexts are independent. A
/// context keeps up to 128 MiB of freed memory, in large blocks, for later objects.
typedef struct er_context er_context;

/// Options for er_context_create(). Take er_default_context_def(), then change fields.
///
/// Without `flush`, files are whole or absent after a crash of the program, but may be damaged after a crash of the
/// machine. Programs that write many files may prefer one syncfs() at the end.
typedef struct er_context_def {
    void *(*allocate)(void *user, size_t size); ///< like malloc, with its alignment; may return NULL   [malloc]
    void (*release)(void *user, void *memory);  ///< like free; never called with NULL                   [free]
    void *user;                                 ///< passed to both, untouched                           [NULL]
    bool flush;                                 ///< a file is on the disk before it is renamed           [true]
    uint32_t tag;                               ///< set by er_default_context_def(); leave alone
} er_context_def;

/// The defaults in brackets above.
ER_API er_context_def er_default_context_def(void);

/// Creates a context.
/// @param def  made by er_default_context_def(), or NULL for the defaults; copied
/// @param out  ER_OK: a new object for er_context_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_MEMORY
/// Memory   allocates through `def`.
ER_API er_result er_context_create(const er_context_def *def, er_context **out);

/// Destroys a context. Destroy every object made with it first. NULL is fine.
/// Threads  no other thread may use it during the call.
ER_API void er_context_destroy(er_context *context);

/// The message of the last failure; "" if there was none or `context` is NULL. A success does not clear it. It is one
/// line without a full stop, cut at 1023 bytes; UTF-8, except for bytes of a path.
/// Memory   borrowed until the next call with this context.   Threads: the context's.
ER_API const char *er_context_error(const er_context *context);

/// Stores a message in the context and returns `result`, so that a failure is one line: return er_fail(...). Use it in
/// programs that report errors as the library does. If the context is NULL the message is dropped.
/// @param format  as for printf(): one line without a full stop; er_context_error() may be an argument
/// Errors   none of its own.   Memory: none.   Threads: the context's.
ER_API er_result er_fail(er_context *context, er_result result, const char *format, ...) ER_PRINTF(3, 4);

/// The name of a result, such as "ER_ERROR_RIG"; "unknown result" for other values.   Memory: static.
ER_API const char *er_result_name(er_result result);

// ---- Versions, paths and notes

/// The library's version, such as "0.1.0".   Memory: static.
ER_API const char *er_version(void);

/// Whether a path ends in `ending`, such as ".glb", in any letter case, and is longer than it. All writers and the
/// program choose the format of a file in this way.
ER_API bool er_path_ends_in(const char *path, const char *ending);

/// Makes a text from a file safe to print on one line. Each of these becomes `?`: control characters (C0, C1), line and
/// paragraph separators, direction marks, zero-width characters, and bytes that are not UTF-8.
/// @param out   [size], written, zero-terminated; a longer text is cut between characters
/// @param size  >= 1; strlen(text) + 1 is always enough
/// @return      the length of `out`
ER_API size_t er_text_plain(const char *text, char *out, size_t size);

/// How much a note matters.
typedef enum er_note_kind {
    ER_NOTE_FACT,   ///< a decision in reading the input; only `info` shows it
    ER_NOTE_WARNING ///< an assumption or a loss that a user should know about
} er_note_kind;

/// A remark about an input. Notes are in the order in which they were made.
typedef struct er_note {
    er_note_kind kind;
    const char *text; ///< UTF-8, one line; owned by the object that holds the note
} er_note;

// ---- Files written whole

/// Writes a file whole or not at all: under a temporary name in the same folder, flushed to the disk (see
/// er_context_def), then renamed.
/// - An existing file is replaced and keeps its permissions. Links are followed, even to a file that does not exist.
/// - Pipes and devices (/dev/stdout) are written to directly.
/// - Temporary files of killed runs in that folder are removed.
/// - A process with a limit on file sizes must ignore SIGXFSZ, or the signal ends it here.
/// @param path   "-" writes to standard output
/// @param bytes  [size]
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_FILE (names the path, the reason and what to do; nothing is left behind)
/// Memory   none.   Threads: one call per context at a time.
ER_API er_result er_file_write(er_context *context, const char *path, const void *bytes, size_t size);

/// Checks whether er_file_write() can begin a file, for use before long work: creates its temporary file and removes
/// it. Pipes and devices are not opened.
/// @param path   "-" is fine
/// Errors   as er_file_write().   Memory: none.   Threads: one call per context at a time.
ER_API er_result er_file_check_place(er_context *context, const char *path);

/// The size of the longest path in bytes, including its NUL.
enum { ER_FILE_NAME_MAX = 4096 };

/// Begins a file that another program will write: makes an empty one beside `path`.
/// @param path  a regular file, which need not exist
/// @param name  [ER_FILE_NAME_MAX], written: the temporary path, for er_file_finish(), also after a failure
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_FILE (as er_file_write(); not a regular file)
/// Threads  one call per context at a time.
ER_API er_result er_file_begin(er_context *context, const char *path, char *name);

/// Renames a file from er_file_begin() to `path`, or removes it.
/// @param name  from er_file_begin()
/// @param keep  false: removes it and never fails
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_FILE: nothing is left behind.
/// Threads  one call per context at a time.
ER_API er_result er_file_finish(er_context *context, const char *path, const char *name, bool keep);

// ---- References

/// How to read a reference; flags.
enum {
    ER_REFERENCE_URI = 1,     ///< "%20" is a space (RFC 3986, 2.1)
    ER_REFERENCE_OUTSIDE = 2, ///< the file may be outside the folder of the referring file
    ER_REFERENCE_PLAIN = 4    ///< a path that was written on this machine: used without decoding
};

/// Opens a file that another file refers to, such as a buffer, a picture or a pose. References in files are not
/// trusted:
/// - A reference is decoded once. Backslashes count as slashes.
/// - Absolute paths, drives and network addresses are refused.
/// - With links resolved, the file must be below the folder of the referring file.
/// - It must be a regular file, so that opening never waits.
/// @param file       the referring file, which need not exist
/// @param reference  as written in that file
/// @param flags      ER_REFERENCE_* or 0
/// @param out        ER_OK: a descriptor to read from, for close(2); otherwise -1
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_FILE (the message begins with the reference, in quotes)
/// Memory   none.   Threads: one call per context at a time.
/// Source   RFC 3986, 5.2.4 (".." is resolved as text).
ER_API er_result er_file_open_reference(er_context *context, const char *file, const char *reference, unsigned flags,
                                        int *out);

#ifdef __cplusplus
}
#endif
#endif
