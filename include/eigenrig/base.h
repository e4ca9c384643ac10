/// @file
/// Results, the context that keeps errors and memory, the version, endings of paths, notes, files written whole, and
/// files that other files name: what every other header builds on.
///
/// The way through: scene.h reads a scene and rig.h makes a model of it (or model.h, of bodies and joints by hand, or
/// formats.h, of a rig file); modal.h finds its modes; motion.h mixes them in time and makes clips of that; gait.h
/// finds mixes that walk; formats.h writes it all. math.h has the vectors and poses that they are written in; collide.h
/// says how far solids are from each other.
/// eigenrig.h includes everything.
///
/// Every fallible function returns an er_result. On failure an object it would have made is NULL, an array it writes is
/// of no use, and the context keeps one sentence: what is wrong, with the offending value, and what to do. Without a
/// context, or a place for the object, there is nothing but ER_ERROR_ARGUMENT. The library never exits, never prints
/// (but for a file asked for as "-"), and holds no global state (but see er_modal_set_threads()).
///
/// Pointers may be NULL only where it is said, or where an array has no elements; fallible functions refuse them
/// elsewhere (ER_ERROR_ARGUMENT). Arguments are borrowed for the call unless it says longer, objects own all they point
/// to, and an object lives no longer than the context it was made with. Numbers in files and words have a point,
/// whatever the locale.
///
/// A function that says nothing of errors has none, and leaves its arguments to the caller; one that says nothing of
/// memory takes none; one that says nothing of threads may be called from any. "Threads: any" is about calls that do
/// not write to the same memory; "the context's" means the thread that uses the context then.
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

#if defined(__GNUC__)
#define ER_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define ER_PRINTF(text, first)
#endif

// ---- Results and contexts

/// Set in the `tag` of every struct of options by its er_default_*(). Options without it were not made there and are
/// refused (ER_ERROR_ARGUMENT), because zero is a real value for most physical settings.
#define ER_DEF_TAG 0x45724431u

/// What a call came to.
typedef enum er_result {
    ER_OK = 0,
    ER_ERROR_ARGUMENT,   ///< the caller's words are off: NULL, NaN, out of range, an unknown name
    ER_ERROR_MEMORY,     ///< the allocator returned NULL
    ER_ERROR_FILE,       ///< a file cannot be opened, read or written
    ER_ERROR_FORMAT,     ///< a file was read but its contents are not what they should be
    ER_ERROR_IMPORT,     ///< the importer process crashed, hung or passed its limits on this file
    ER_ERROR_RIG,        ///< a rig that the work cannot be done on: no skeleton, no mass, no motion, too many bodies
                         ///< or loops, or bodies and joints that cannot be
    ER_ERROR_NOT_POSDEF, ///< a mass matrix is not positive definite
    ER_ERROR_NO_CONVERGENCE, ///< an iteration did not converge
    ER_ERROR_SYSTEM          ///< the machine lacks what the work needs: a display, a graphics driver, another program
} er_result;

/// Where errors and memory live. One context serves one thread at a time; several contexts are independent. It keeps up
/// to 128 MiB of what its objects gave back, in large blocks, for the next ones.
typedef struct er_context er_context;

/// Options for er_context_create(). Take er_default_context_def(), then change fields. Without `flush` files are whole
/// or not there whatever becomes of the program, but not of the machine: for one who writes many, and then calls
/// syncfs().
typedef struct er_context_def {
    void *(*allocate)(void *user, size_t size); ///< like malloc, alignment too; may return NULL        [malloc]
    void (*release)(void *user, void *memory);  ///< like free; never called with NULL                   [free]
    void *user;                                 ///< passed to both, untouched                           [NULL]
    bool flush;                                 ///< a file is on the disk before it gets to its place   [true]
    uint32_t tag;                               ///< set by er_default_context_def(); leave alone
} er_context_def;

/// The defaults in brackets above.
ER_API er_context_def er_default_context_def(void);

/// A new context.
/// @param def  made by er_default_context_def(), or NULL for the defaults; copied
/// @param out  ER_OK: a new object for er_context_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_MEMORY
/// Memory   allocates through `def`.
ER_API er_result er_context_create(const er_context_def *def, er_context **out);

/// Ends a context. Every object made with it must have been destroyed before. NULL is fine.
/// Threads  none may be using it.
ER_API void er_context_destroy(er_context *context);

/// The last failure's sentence, "" when there was none (or no context); a success leaves it. One line, no trailing
/// stop, at most 1023 bytes (what is longer is cut); UTF-8 but for the bytes of a path.
/// Memory   borrowed until the next call with this context.   Threads: the context's.
ER_API const char *er_context_error(const er_context *context);

/// Keeps a sentence on the context and returns `result`, so that a failure is one line: return er_fail(...). For code
/// above the library that reports as it does; without a context the sentence is dropped.
/// @param format  as printf's: one line, no trailing stop; er_context_error() may be among what it prints
/// Errors   none of its own.   Memory none.   Threads: the context's.
ER_API er_result er_fail(er_context *context, er_result result, const char *format, ...) ER_PRINTF(3, 4);

/// The name of a result, e.g. "ER_ERROR_RIG"; "unknown result" for another value.   Memory: static.
ER_API const char *er_result_name(er_result result);

// ---- Versions, paths and notes

/// The library's version, e.g. "0.1.0".   Memory: static.
ER_API const char *er_version(void);

/// Whether a path ends in `ending`, such as ".glb", letter case aside, and has more before it: how all writers, and the
/// program, tell a format.
ER_API bool er_path_ends_in(const char *path, const char *ending);

/// A text as people may be shown it, names in files above all: one line, without what is not seen but done by a
/// terminal or a page. Control characters (C0, C1), separators of lines and paragraphs, marks of direction and of no
/// width, and bytes that are no UTF-8 become `?`.
/// @param out   [size], written, zero-terminated; what does not fit is cut off between characters
/// @param size  >= 1; strlen(text) + 1 is always enough
/// @return      the length of `out`
ER_API size_t er_text_plain(const char *text, char *out, size_t size);

/// How much a note matters.
typedef enum er_note_kind {
    ER_NOTE_FACT,   ///< how the input was read; only `info` shows it
    ER_NOTE_WARNING ///< an assumption or a loss that a user should know about
} er_note_kind;

/// One thing said about an input, in the order it was noticed.
typedef struct er_note {
    er_note_kind kind;
    const char *text; ///< UTF-8, one line; owned by the object that holds the note
} er_note;

// ---- Files written whole

/// Writes bytes as a file, whole or not at all: under a temporary name in the same folder, flushed to the disk (but see
/// er_context_def), then renamed. An existing file is replaced and keeps its permissions; a link is followed, to where
/// nothing is yet too; what is no regular file (a pipe, /dev/stdout) is written to directly. What runs that were killed
/// left in that folder under such names is removed. A process under a limit on the size of files ignores SIGXFSZ, or
/// dies of it here.
/// @param path   "-" writes to standard output
/// @param bytes  [size]
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_FILE (names the path, the reason and what to do; nothing is left behind)
/// Memory   none.   Threads: one call per context at a time.
ER_API er_result er_file_write(er_context *context, const char *path, const void *bytes, size_t size);

/// Whether er_file_write() can begin a file there, to be asked before long work: makes its temporary file, and removes
/// it. What is no regular file is not opened.
/// @param path   "-" is fine
/// Errors   as er_file_write().   Memory: none.   Threads: one call per context at a time.
ER_API er_result er_file_check_place(er_context *context, const char *path);

/// The most bytes of a temporary name, the NUL at its end counted.
enum { ER_FILE_NAME_MAX = 4096 };

/// Begins a file that another program writes: makes a new, empty one beside `path` for it.
/// @param path  a regular file, or none yet
/// @param name  [ER_FILE_NAME_MAX], written: its temporary name; for er_file_finish(), in any case
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_FILE (as er_file_write(); no regular file)
/// Threads  one call per context at a time.
ER_API er_result er_file_begin(er_context *context, const char *path, char *name);

/// Puts a file that er_file_begin() made in its place, or removes it.
/// @param name  as er_file_begin() wrote it
/// @param keep  false: removes it, and fails never
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_FILE: nothing is left behind.
/// Threads  one call per context at a time.
ER_API er_result er_file_finish(er_context *context, const char *path, const char *name, bool keep);

// ---- Files that other files name

/// How a reference is taken; flags.
enum {
    ER_REFERENCE_URI = 1,     ///< "%20" is a space (RFC 3986, 2.1)
    ER_REFERENCE_OUTSIDE = 2, ///< the file may lie outside the folder of the one that names it
    ER_REFERENCE_PLAIN = 4    ///< a path of this machine that nobody wrote elsewhere: taken as it stands
};

/// Opens a file that another file names: a buffer, a picture, a pose. Whoever sends a file writes its references too,
/// so all that is read for one goes this way. A reference is decoded once; backslashes are slashes. An absolute path, a
/// drive and a network are never followed. The file has to lie below the folder of the one that names it, links
/// resolved, and has to be a regular one: nothing is waited for.
/// @param file       the file that names it, which need not be there
/// @param reference  as it stands in the file
/// @param flags      ER_REFERENCE_* or 0
/// @param out        ER_OK: a descriptor to read from, for close(2); otherwise -1
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_FILE (the sentence begins with the reference, in quotes)
/// Memory   none.   Threads: one call per context at a time.
/// Source   RFC 3986, 5.2.4 (".." is gone back over as text).
ER_API er_result er_file_open_reference(er_context *context, const char *file, const char *reference, unsigned flags,
                                        int *out);

#ifdef __cplusplus
}
#endif
#endif
