// The library's half of an import: check the file, start the importer, take its answer under a deadline, and say what
// went wrong when there is none.
#include <eigenrig/scene.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/platform.h"
#include "base/suggest.h"
#include "base/text.h"
#include "scene/import/wire.h"
#include "scene/install.h"

#define IMPORTER "eigenrig-import"
#define MIB (1024.0 * 1024.0)
#define TRY_GLTF "try converting it to glTF"

// The importer's answer, or how it ended.
typedef struct answer {
    eri_wire_header header;
    char *payload; // [header.payload_size], in the scene's arena
    bool whole;    // header and payload are all there
    bool garbage;  // it wrote something else
    bool late;     // the deadline passed
    eri_process_end end;
} answer;

er_import_def er_default_import_def(void)
{
    er_import_def def = {60.0, 4096.0 * MIB, NULL, NULL, false, ER_DEF_TAG};
    return def;
}

static er_result check_arguments(er_context *context, const char *path, const er_import_def *def)
{
    if (path == NULL || path[0] == '\0') return er_fail(context, ER_ERROR_ARGUMENT, "no file to import is named");
    if (def->tag != ER_DEF_TAG)
        return er_fail(context, ER_ERROR_ARGUMENT, "the import def was not made by er_default_import_def()");
    if (!(def->time_limit > 0.0 && def->time_limit <= 1e6))
        return er_fail(context, ER_ERROR_ARGUMENT, "time limit %g s is not in (0, 1e6]", def->time_limit);
    if (!(def->memory_limit >= 64 * MIB && def->memory_limit <= 1e15))
        return er_fail(context, ER_ERROR_ARGUMENT, "memory limit %g bytes is not in [64 MiB, 1e15]", def->memory_limit);
    return ER_OK;
}

// With the name in its folder that is nearest, where there is one.
static er_result fail_missing(er_context *context, const char *path)
{
    char best[256] = "";
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    size_t folder = (size_t)(name - path);
    char place[ER_FILE_NAME_MAX];
    snprintf(place, sizeof place, "%.*s", slash != NULL ? (int)folder : 1, slash != NULL ? path : ".");
    eri_listing *list = eri_listing_open(place);
    suggestion meant = {.word = name};
    for (const char *e; list != NULL && (e = eri_listing_next(list)) != NULL;) {
        suggestion other = {.word = name};
        suggestion_try(&other, e);
        size_t stem = strlen(name);
        bool begins = strncmp(e, name, stem) == 0 && e[stem] == '.'; // its ending was left out
        if (other.best == NULL && !begins) continue;
        if (begins) other.off = 1;
        bool first = other.off == meant.off && strcmp(e, best) < 0; // whatever the folder's order is
        if (meant.best != NULL && other.off >= meant.off && !first) continue;
        snprintf(best, sizeof best, "%s", e);
        meant.best = best;
        meant.off = other.off;
    }
    eri_listing_close(list);
    if (meant.best == NULL) return er_fail(context, ER_ERROR_FILE, "%s: no such file; check the path", path);
    return er_fail(context, ER_ERROR_FILE, "%s: no such file; did you mean %.*s%s", path, (int)folder, path, best);
}

static er_result check_file(er_context *context, const char *path)
{
    eri_file_info info;
    if (eri_platform_stat(path, &info) != 0 && errno == ENOENT)
        return eri_platform_stat_link(path, &info) != 0
                   ? fail_missing(context, path)
                   : er_fail(context, ER_ERROR_FILE, "%s: a link to a file that is not there; mend it", path);
    if (eri_platform_stat(path, &info) != 0)
        return er_fail(context, ER_ERROR_FILE, "%s: cannot be accessed (%s); check the path and its permissions", path,
                       eri_platform_error_text(errno));
    if (info.kind == ERI_FILE_FOLDER)
        return er_fail(context, ER_ERROR_FILE, "%s: is a folder; name a model file in it", path);
    if (info.kind != ERI_FILE_REGULAR)
        return er_fail(context, ER_ERROR_FILE, "%s: is not a regular file; save the model to a file first", path);
    if (info.size == 0)
        return er_fail(context, ER_ERROR_FORMAT, "%s: the file is empty; export or download the model again", path);
    if (!eri_platform_access(path, ERI_CAN_READ))
        return er_fail(context, ER_ERROR_FILE, "%s: cannot be read (%s); check its permissions", path,
                       eri_platform_error_text(errno));
    return ER_OK;
}

// ---- where the importer is ----

static bool runnable(const char *path)
{
    return eri_platform_is_regular(path) && eri_platform_access(path, ERI_CAN_RUN);
}

// `file` cut before its last slash.
static void cut_name(char *file)
{
    char *slash = strrchr(file, '/');
    if (slash != NULL) *slash = '\0';
}

// Beside a program or library, where an installed one would have it however the whole was moved, or in the build tree.
static er_result look_beside(er_arena *arena, const char *folder, const char **found)
{
    static const char *const places[] = {"", "../libexec/eigenrig/", "../../libexec/eigenrig/", "../importer/"};
    er_result r = ER_OK;
    for (size_t i = 0; i < ERI_COUNT(places) && *found == NULL; ++i) {
        char *path = eri_arena_printf(arena, "%s/%s" IMPORTER, folder, places[i]);
        if (path == NULL) return ER_ERROR_MEMORY;
        if (runnable(path)) *found = path;
    }
    return r;
}

static er_result find_importer(er_arena *arena, const er_import_def *def, const char **found)
{
    er_context *context = eri_arena_context(arena);
    er_result r = ER_OK;
    *found = NULL;
    const char *named = def->importer != NULL ? def->importer : eri_platform_trusted_variable("EIGENRIG_IMPORTER");
    if (named != NULL) {
        if (!runnable(named))
            return er_fail(context, ER_ERROR_IMPORT,
                           "the importer \"%s\" is not a program that can be run; correct its path%s", named,
                           def->importer != NULL ? "" : " in EIGENRIG_IMPORTER");
        *found = named;
        return ER_OK;
    }
    char folder[ER_FILE_NAME_MAX];
    if (eri_platform_program(folder)) {
        cut_name(folder);
        ERI_TRY(look_beside(arena, folder, found));
    }
    const char *library = eri_platform_library_of(ERI_LIBEXECDIR); // a string of this very library
    if (*found == NULL && library != NULL && strchr(library, '/') != NULL) {
        char *beside = eri_arena_string(arena, library);
        if (beside == NULL) return ER_ERROR_MEMORY;
        cut_name(beside);
        ERI_TRY(look_beside(arena, beside, found));
    }
    if (*found == NULL && runnable(ERI_LIBEXECDIR "/" IMPORTER)) *found = ERI_LIBEXECDIR "/" IMPORTER;
    if (*found == NULL)
        return er_fail(context, ER_ERROR_IMPORT,
                       "the importer program " IMPORTER " was not found beside the program, beside the library or in "
                       "%s; install it or set EIGENRIG_IMPORTER to its path",
                       ERI_LIBEXECDIR);
done:
    return r;
}

// ---- running it ----

static er_result start(er_context *context, const char *importer, const char *path, const er_import_def *def,
                       int *child, int *answer_fd)
{
    int ends[2];
    if (eri_platform_pipe(ends) != 0)
        return er_fail(context, ER_ERROR_IMPORT, "no pipe for the importer (%s)", eri_platform_error_text(errno));
    char memory[32], seconds[32];
    snprintf(memory, sizeof memory, "%.0f", def->memory_limit);
    snprintf(seconds, sizeof seconds, "%.0f", ceil(def->time_limit));
    const char *words[] = {
        importer, path, "--memory", memory, "--time", seconds, def->allow_outside ? "--allow-outside" : NULL, NULL};
    eri_spawn_def how = eri_default_spawn_def(importer, words);
    how.alone = how.quiet = true;
    how.output = ends[1];
    int error = eri_process_spawn(&how, child);
    eri_platform_close(ends[1]);
    if (error != 0) {
        eri_platform_close(ends[0]);
        return er_fail(context, ER_ERROR_IMPORT, "the importer %s could not be started (%s)", importer,
                       eri_platform_error_text(error));
    }
    *answer_fd = ends[0];
    return ER_OK;
}

// Reads exactly `size` bytes.   @return  false at the end of the stream or the deadline, which sets `late`.
static bool take(int fd, void *bytes, size_t size, double deadline, bool *late)
{
    char *at = bytes;
    while (size > 0) {
        double left = deadline - eri_seconds();
        int ready = eri_platform_wait_readable(fd, left);
        if (ready == 0 && eri_seconds() >= deadline) {
            *late = true;
            return false;
        }
        if (ready <= 0) continue; // a signal came, or the longest wait is over
        ptrdiff_t got = eri_platform_read(fd, at, size);
        if (got <= 0) return false;
        at += got;
        size -= (size_t)got;
    }
    return true;
}

static void end(int child, double deadline, answer *a)
{
    // Without an answer the cause of death matters, so it may take a moment to die of it.
    bool ended = false;
    while (!a->whole && !a->garbage && !a->late && !(ended = eri_process_has_ended(child, &a->end))) {
        eri_platform_sleep(0.002);
        if (eri_seconds() >= deadline) a->late = true;
    }
    eri_process_kill_group(child); // and whatever it started
    if (!ended) eri_process_wait(child, &a->end);
}

static er_result run(er_arena *arena, const char *importer, const char *path, const er_import_def *def, answer *a)
{
    er_context *context = eri_arena_context(arena);
    double deadline = eri_seconds() + def->time_limit;
    int child = -1;
    int fd = -1;
    er_result r = start(context, importer, path, def, &child, &fd);
    if (r != ER_OK) return r;
    eri_wire_header *header = &a->header;
    if (take(fd, header, sizeof *header, deadline, &a->late)) {
        // A scene that the importer could hold is smaller than the memory it was allowed.
        a->garbage = memcmp(header->magic, ERI_WIRE_MAGIC, sizeof header->magic) != 0 ||
                     header->payload_size % 8 != 0 || header->payload_size == 0 ||
                     (double)header->payload_size > def->memory_limit ||
                     (header->result != ER_OK && header->payload_size > 65536);
        if (!a->garbage) a->payload = ERI_NEW(arena, char, header->payload_size);
        if (!a->garbage && a->payload == NULL) r = ER_ERROR_MEMORY;
        if (a->payload != NULL) a->whole = take(fd, a->payload, (size_t)header->payload_size, deadline, &a->late);
        a->garbage = a->garbage || r != ER_OK; // its fate does not matter any more
    }
    eri_platform_close(fd);
    end(child, deadline, a);
    return r;
}

// ---- what came of it ----

static er_result say_crash(er_context *context, const char *path, const er_import_def *def, const answer *a)
{
    int signal = a->end.signal;
    if (a->late || a->end.timed_out)
        return er_fail(context, ER_ERROR_IMPORT,
                       "%s: the importer was not done after %g s and was ended; the file is damaged or too large for "
                       "the time limit: raise it, or " TRY_GLTF,
                       path, def->time_limit);
    if (a->garbage)
        return er_fail(context, ER_ERROR_IMPORT,
                       "%s: the importer gave an invalid answer; check that its version is that of the library (%s)",
                       path, er_version());
    if (a->end.killed)
        return er_fail(context, ER_ERROR_IMPORT,
                       "%s: the importer was killed from outside (signal 9), most likely for lack of memory; free some "
                       "and try again",
                       path);
    if (signal != 0)
        return er_fail(context, ER_ERROR_IMPORT,
                       "%s: the importer crashed on this file (signal %d, %s); the file is damaged or uses something "
                       "that this importer cannot read: " TRY_GLTF,
                       path, signal, eri_platform_signal_text(signal));
    if (a->end.status != 0)
        return er_fail(context, ER_ERROR_IMPORT,
                       "%s: the importer ended without an answer (exit status %d); check that it is installed whole",
                       path, a->end.status);
    return er_fail(context, ER_ERROR_IMPORT,
                   "%s: the importer ended without an answer; check that it is installed whole", path);
}

static er_import_end end_of(const answer *a)
{
    int signal = a->end.signal;
    if (a->whole) return a->header.result == ER_ERROR_MEMORY ? ER_IMPORT_STARVED : ER_IMPORT_ANSWERED;
    if (a->late || a->end.timed_out) return ER_IMPORT_LATE;
    if (a->garbage || signal == 0) return ER_IMPORT_ANSWERED;
    return a->end.killed ? ER_IMPORT_STARVED : ER_IMPORT_CRASHED;
}

static er_result say_failure(er_context *context, const char *path, const answer *a)
{
    er_result result = a->header.result == ER_ERROR_MEMORY ? ER_ERROR_IMPORT : (er_result)a->header.result;
    bool sensible = result == ER_ERROR_FILE || result == ER_ERROR_FORMAT || result == ER_ERROR_IMPORT;
    a->payload[a->header.payload_size - 1] = '\0';
    if (!sensible || !eri_utf8_valid(a->payload))
        return er_fail(context, ER_ERROR_IMPORT,
                       "%s: the importer gave an invalid failure; check that its version is that of the library", path);
    return er_fail(context, result, "%s: %s", path, a->payload);
}

er_result er_import_file(er_context *context, const char *path, const er_import_def *def, er_scene **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    er_import_def d = def != NULL ? *def : er_default_import_def();
    er_arena *arena = NULL, *scratch = NULL;
    const char *importer = NULL;
    answer a = {0};
    er_scene *scene = NULL;
    er_result r = check_arguments(context, path, &d);
    if (r != ER_OK) return r;
    if (d.end != NULL) *d.end = ER_IMPORT_ANSWERED;
    ERI_TRY(check_file(context, path));
    ERI_TRY(eri_arena_create(context, &arena));
    ERI_TRY(eri_arena_create(context, &scratch));
    ERI_TRY(find_importer(scratch, &d, &importer));
    ERI_TRY(run(arena, importer, path, &d, &a));
    if (d.end != NULL) *d.end = end_of(&a);
    if (!a.whole) ERI_TRY(say_crash(context, path, &d, &a));
    if (a.header.result != ER_OK) ERI_TRY(say_failure(context, path, &a));
    ERI_TRY_NEW(scene, arena, er_scene, 1);
    r = eri_wire_read_scene(arena, a.payload, (size_t)a.header.payload_size, scene);
    a.garbage = r == ER_ERROR_IMPORT;
    if (r != ER_OK) ERI_TRY(a.garbage ? say_crash(context, path, &d, &a) : r);
    scene->path = eri_arena_string(arena, path);
    if (scene->path == NULL) ERI_TRY(ER_ERROR_MEMORY);
    r = er_scene_validate(context, scene);
    if (r == ER_ERROR_FORMAT)
        r = er_fail(context, ER_ERROR_IMPORT, "%s: the importer gave a broken scene (%s); " TRY_GLTF, path,
                    er_context_error(context));
    if (r != ER_OK) goto done;
    scene->arena = arena;
    arena = NULL;
    *out = scene;
done:
    eri_arena_destroy(scratch);
    eri_arena_destroy(arena);
    return r;
}
