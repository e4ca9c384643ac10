// The two processes: an importer that crashes, hangs, floods, lies or is not there, an allocator that fails, and an
// answer with bytes changed on the way.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <eigenrig/scene.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/sanitizer.h"
#include "scene/import/wire.h"
#include "scene/source.h"
#include "support/ledger.h"
#include "support/sample.h"

static er_context *context;
static char model[512];

static int set_up(void **state)
{
    (void)state;
    uint8_t buffer[SAMPLE_SIZE];
    size_t size;
    sample_buffer(buffer);
    uint8_t *glb = sample_glb(buffer, &size);
    snprintf(model, sizeof model, "%s", sample_write("strip.glb", glb, size));
    free(glb);
    return er_context_create(NULL, &context) == ER_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    er_context_destroy(context);
    sample_remove_folder();
    return 0;
}

// Imports the model with a shell script in the importer's place.
static er_result import_by(const char *script, double time_limit, er_import_end *end, er_scene **scene)
{
    char program[512], text[2048];
    snprintf(text, sizeof text, "#!/bin/sh\n%s\n", script);
    snprintf(program, sizeof program, "%s", sample_write("importer.sh", text, strlen(text)));
    assert_int_equal(chmod(program, 0755), 0);
    er_import_def def = er_default_import_def();
    def.importer = program;
    def.time_limit = time_limit;
    def.end = end;
    return er_import_file(context, model, &def, scene);
}

static er_import_end end_in_words(const char *words)
{
    if (strstr(words, "killed") != NULL || strstr(words, "memory") != NULL) return ER_IMPORT_STARVED;
    if (strstr(words, "signal") != NULL) return ER_IMPORT_CRASHED;
    return strstr(words, "not done") != NULL ? ER_IMPORT_LATE : ER_IMPORT_ANSWERED;
}

static void whatever_the_importer_does_is_one_error(void **state)
{
    (void)state;
    static const struct {
        const char *script, *words;
    } cases[] = {
        {"kill -SEGV $$", "crashed on this file (signal 11"},
        {"kill -ABRT $$", "crashed on this file (signal 6"},
        {"kill -XCPU $$", "was not done"},
        {"kill -KILL $$", "killed from outside"},
        {"exit 0", "without an answer"},
        {"exit 7", "exit status 7"},
        {"sleep 100", "was not done after 0.4 s"},
        {"exec >&-; sleep 100", "was not done after 0.4 s"},
        {"trap '' TERM INT HUP; sleep 100 & sleep 100", "was not done after 0.4 s"},
        {"yes", "makes no sense"},
        {"cat /dev/zero", "makes no sense"},
        {"echo What a fine model", "without an answer"},
        {"echo What a fine model this is, I like it so much", "makes no sense"},
        {"printf 'eigrig\\n1\\0\\0\\0\\0\\0\\0\\0\\0\\377\\377\\377\\377\\377\\377\\377\\377'; cat /dev/zero",
         "makes no sense"},
        {"printf 'eigrig\\n1\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\1\\0\\0\\0\\0\\0'; cat /dev/zero", "makes no sense"},
        // eight bytes more than the memory that the importer may take, and 65,544 for a failure's sentence
        {"printf 'eigrig\\n1\\0\\0\\0\\0\\0\\0\\0\\0\\10\\0\\0\\0\\1\\0\\0\\0'; sleep 100", "makes no sense"},
        {"printf 'eigrig\\n1\\4\\0\\0\\0\\0\\0\\0\\0\\10\\0\\1\\0\\0\\0\\0\\0'; sleep 100", "makes no sense"},
        {"printf 'eigrig\\n1\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\1\\0\\0\\0\\0\\0'; kill -SEGV $$", "signal 11"},
        {"printf 'eigrig\\n1\\0\\0\\0\\0\\0\\0\\0\\0\\10\\0\\0\\0\\0\\0\\0\\0aaaaaaaa'", "makes no sense"},
        {"printf 'eigrig\\n1\\143\\0\\0\\0\\0\\0\\0\\0\\10\\0\\0\\0\\0\\0\\0\\0a\\0\\0\\0\\0\\0\\0\\0'",
         "makes no sense"},
        {"printf 'eigrig\\n1\\2\\0\\0\\0\\0\\0\\0\\0\\10\\0\\0\\0\\0\\0\\0\\0memory\\0\\0'", "memory"},
        {"printf 'eigrig\\n1\\4\\0\\0\\0\\0\\0\\0\\0\\10\\0\\0\\0\\0\\0\\0\\0\\377\\377\\0\\0\\0\\0\\0\\0'",
         "makes no sense"},
    };
    for (size_t i = 0; i < ER_COUNT(cases); ++i) {
        er_scene *scene = NULL;
        double start = er_seconds();
        er_import_end end = ER_IMPORT_STARVED + 1;
        er_result r = import_by(cases[i].script, strstr(cases[i].words, "0.4") != NULL ? 0.4 : 20.0, &end, &scene);
        assert_int_equal(end, end_in_words(cases[i].words));
        assert_null(scene);
        if (r != ER_ERROR_IMPORT || strstr(er_context_error(context), cases[i].words) == NULL)
            fail_msg("%s: %s", cases[i].script, er_context_error(context));
        assert_true(er_seconds() - start < 10.0);
    }
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); // no child is left over
}

// What the importer started ends with it.
static void nothing_is_left_running(void **state)
{
    (void)state;
    char script[600], path[512], text[40] = "";
    er_scene *scene = NULL;
    snprintf(path, sizeof path, "%s/child", sample_folder());
    snprintf(script, sizeof script, "sleep 100 & echo $! > %s; wait", path);
    assert_int_equal(import_by(script, 1.0, NULL, &scene), ER_ERROR_IMPORT);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    int child = 0;
    assert_int_equal(fscanf(file, "%d", &child), 1);
    fclose(file);
    assert_true(child > 0);
    snprintf(path, sizeof path, "/proc/%d/stat", child);
    char is = 'Z'; // gone, or dead and waiting for somebody to ask how
    for (int i = 0; i < 100 && (i == 0 || is != 'Z'); ++i) {
        is = 'Z';
        if ((file = fopen(path, "r")) == NULL) break;
        if (fgets(text, sizeof text, file) != NULL && strrchr(text, ')') != NULL) is = strrchr(text, ')')[2];
        fclose(file);
        nanosleep(&(struct timespec){0, 10000000}, NULL);
    }
    assert_int_equal(is, 'Z');
}

// The importer counts whole seconds of its own work, and no fewer than it was given.
static void the_importer_is_told_its_limits(void **state)
{
    (void)state;
    er_scene *scene = NULL;
    er_result r = import_by("[ \"$2 $3 $4 $5\" = '--memory 4294967296 --time 3' ] && exit 7", 2.5, NULL, &scene);
    assert_int_equal(r, ER_ERROR_IMPORT);
    assert_non_null(strstr(er_context_error(context), "exit status 7"));
}

static void an_answer_that_is_a_failure_is_passed_on(void **state)
{
    (void)state;
    er_scene *scene = NULL;
    char want[700];
    er_result r = import_by("printf 'eigrig\\n1\\4\\0\\0\\0\\0\\0\\0\\0\\10\\0\\0\\0\\0\\0\\0\\0is bad\\0\\0'", 20.0,
                            NULL, &scene);
    snprintf(want, sizeof want, "%s: is bad", model);
    assert_int_equal(r, ER_ERROR_FORMAT);
    assert_string_equal(er_context_error(context), want);
}

// What is no file to read is told before an importer is looked for.
static void what_is_no_file_is_one_sentence(void **state)
{
    (void)state;
    char missing[600], link[600], within[600], pipe[600];
    const char *folder = sample_folder();
    snprintf(missing, sizeof missing, "%s/stripe.glb", folder);
    snprintf(link, sizeof link, "%s/link.glb", folder);
    snprintf(within, sizeof within, "%s/within.glb", model);
    snprintf(pipe, sizeof pipe, "%s/pipe.glb", folder);
    assert_int_equal(symlink("nowhere.glb", link), 0);
    assert_int_equal(mkfifo(pipe, 0600), 0);
    char *empty = strdup(sample_write("empty.glb", "", 0));
    const struct {
        const char *path, *words;
        er_result result;
    } cases[] = {
        {missing, "no such file; did you mean", ER_ERROR_FILE},
        {"/nowhere/at/all.glb", "no such file; check the path", ER_ERROR_FILE},
        {link, "a link to a file that is not there", ER_ERROR_FILE},
        {within, "cannot be looked at (Not a directory)", ER_ERROR_FILE},
        {folder, "is a folder", ER_ERROR_FILE},
        {pipe, "is not a regular file", ER_ERROR_FILE},
        {empty, "the file is empty", ER_ERROR_FORMAT},
        {"", "no file to import is named", ER_ERROR_ARGUMENT},
        {NULL, "no file to import is named", ER_ERROR_ARGUMENT},
    };
    er_import_def def = er_default_import_def();
    def.importer = "/nowhere/eigenrig-import";
    for (size_t i = 0; i < ER_COUNT(cases); ++i) {
        er_scene *scene = NULL;
        er_result r = er_import_file(context, cases[i].path, &def, &scene);
        if (r != cases[i].result || strstr(er_context_error(context), cases[i].words) == NULL)
            fail_msg("%s: %s, not \"%s\"", er_result_name(r), er_context_error(context), cases[i].words);
        assert_null(scene);
    }
    free(empty);
}

static void the_importer_is_looked_for(void **state)
{
    (void)state;
    er_scene *scene = NULL;
    er_import_def def = er_default_import_def();
    def.importer = "/nowhere/eigenrig-import";
    assert_int_equal(er_import_file(context, model, &def, &scene), ER_ERROR_IMPORT);
    assert_non_null(strstr(er_context_error(context), "/nowhere/eigenrig-import"));
    def.importer = sample_write("not_a_program", "hello", 5);
    assert_int_equal(er_import_file(context, model, &def, &scene), ER_ERROR_IMPORT);
    assert_null(scene);
}

static void an_importer_that_is_nowhere_is_told(void **state)
{
    (void)state;
    er_scene *scene = NULL;
    char *known = strdup(getenv("EIGENRIG_IMPORTER"));
    assert_int_equal(unsetenv("EIGENRIG_IMPORTER"), 0);
    er_result r = er_import_file(context, model, NULL, &scene); // nothing lies beside this test
    assert_int_equal(setenv("EIGENRIG_IMPORTER", known, 1), 0);
    free(known);
    er_scene_destroy(scene);
    if (r == ER_OK) {
        print_message("an importer is installed on this machine\n");
        skip();
    }
    assert_int_equal(r, ER_ERROR_IMPORT);
    assert_non_null(strstr(er_context_error(context), "install it or set EIGENRIG_IMPORTER to its path"));
}

static void each_bad_setting_is_refused(void **state)
{
    (void)state;
    er_scene *scene = NULL;
    const double bad_times[] = {0, -1, NAN, HUGE_VAL}, bad_memories[] = {0, 1, -1e9, NAN, HUGE_VAL};
    for (size_t i = 0; i < ER_COUNT(bad_times); ++i) {
        er_import_def def = er_default_import_def();
        def.time_limit = bad_times[i];
        assert_int_equal(er_import_file(context, model, &def, &scene), ER_ERROR_ARGUMENT);
    }
    for (size_t i = 0; i < ER_COUNT(bad_memories); ++i) {
        er_import_def def = er_default_import_def();
        def.memory_limit = bad_memories[i];
        assert_int_equal(er_import_file(context, model, &def, &scene), ER_ERROR_ARGUMENT);
    }
    const double mib = 1024.0 * 1024.0, ends[][2] = {{1e6, 64 * mib}, {1e6, 1e15}}; // the last that may be said
    for (size_t i = 0; i < ER_COUNT(ends); ++i) {
        er_import_def def = er_default_import_def();
        def.importer = "/nowhere/eigenrig-import";
        def.time_limit = ends[i][0];
        def.memory_limit = ends[i][1];
        assert_int_equal(er_import_file(context, model, &def, &scene), ER_ERROR_IMPORT);
        def.time_limit *= 1.001;
        assert_int_equal(er_import_file(context, model, &def, &scene), ER_ERROR_ARGUMENT);
        def.time_limit = 1.0;
        def.memory_limit *= i == 0 ? 0.999 : 1.001;
        assert_int_equal(er_import_file(context, model, &def, &scene), ER_ERROR_ARGUMENT);
    }
    er_import_def def = er_default_import_def();
    def.tag = 0;
    assert_int_equal(er_import_file(context, model, &def, &scene), ER_ERROR_ARGUMENT);
    assert_int_equal(er_import_file(context, model, NULL, NULL), ER_ERROR_ARGUMENT);
}

// A host that ignores SIGCHLD has its children reaped by the kernel; the import must not depend on their status.
static void an_ignored_sigchld_does_no_harm(void **state)
{
    (void)state;
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    sigaction(SIGCHLD, &ignore, &before);
    er_scene *scene = NULL;
    er_result good = er_import_file(context, model, NULL, &scene);
    er_scene_destroy(scene);
    er_result bad = import_by("exit 0", 20.0, NULL, &scene);
    sigaction(SIGCHLD, &before, NULL);
    assert_int_equal(good, ER_OK);
    assert_int_equal(bad, ER_ERROR_IMPORT);
}

static void nothing_to_do(int signal)
{
    (void)signal;
}

// A host's timer that goes off while the importer is waited for, and while its answer comes.
static void signals_that_interrupt_change_nothing(void **state)
{
    (void)state;
    er_scene *quiet = NULL, *disturbed = NULL;
    assert_int_equal(er_import_file(context, model, NULL, &quiet), ER_OK);
    struct sigaction act = {.sa_handler = nothing_to_do}, before; // without SA_RESTART
    struct itimerval often = {{0, 500}, {0, 500}}, never = {{0, 0}, {0, 0}};
    char script[600];
    snprintf(script, sizeof script, "sleep 0.05; \"%s\" \"$@\" | (dd bs=100 count=1; sleep 0.05; cat) 2> /dev/null",
             getenv("EIGENRIG_IMPORTER"));
    sigaction(SIGALRM, &act, &before);
    setitimer(ITIMER_REAL, &often, NULL);
    er_result r = import_by(script, 20.0, NULL, &disturbed);
    setitimer(ITIMER_REAL, &never, NULL);
    sigaction(SIGALRM, &before, NULL);
    assert_int_equal(r, ER_OK);
    assert_int_equal(disturbed->node_count, quiet->node_count);
    assert_int_equal(disturbed->mesh[0].vertex_count, quiet->mesh[0].vertex_count);
    er_scene_destroy(quiet);
    er_scene_destroy(disturbed);
}

// Counts of elements that a few bytes of JSON ask for, beyond the memory allowed.
static void a_greedy_file_runs_out_of_its_own_memory(void **state)
{
    (void)state;
#if ER_SANITIZED
    print_message("# address sanitizer: the memory limit is off\n");
    skip();
#endif
    static const char greedy[] =
        "{\"asset\":{\"version\":\"2.0\"},\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
        "\"nodes\":[{\"mesh\":0}],\"accessors\":[{\"componentType\":5126,\"count\":90000000,\"type\":\"VEC3\"}]}";
    er_import_def def = er_default_import_def();
    er_scene *scene = NULL;
    def.memory_limit = 256.0 * 1024 * 1024;
    er_result r = er_import_file(context, sample_write("greedy.gltf", greedy, sizeof greedy - 1), &def, &scene);
    assert_int_equal(r, ER_ERROR_IMPORT);
    assert_non_null(strstr(er_context_error(context), "limit of 256 MiB"));
}

// ---- allocation ----

static void a_failed_allocation_is_an_error_and_no_leak(void **state)
{
    (void)state;
    er_result r = ER_ERROR_MEMORY;
    long k = 0;
    for (; r != ER_OK && k < 1000; ++k) {
        ledger l = {.left = k};
        er_context_def def = ledger_def(&l);
        er_context *counted = NULL;
        er_scene *scene = NULL;
        r = er_context_create(&def, &counted);
        if (r == ER_OK) r = er_import_file(counted, model, NULL, &scene);
        if (r != ER_OK) assert_null(scene);
        if (r != ER_OK) assert_int_equal(r, ER_ERROR_MEMORY);
        er_scene_destroy(scene);
        ledger_end(&l, counted);
    }
    assert_int_equal(r, ER_OK);
    assert_true(k > 5);
}

// ---- the stream ----

// The payload of a scene's answer, in an arena.
static char *payload_of(er_scene *scene, er_arena *arena, size_t *size)
{
    char *bytes = NULL, *copy;
    size_t total = 0;
    FILE *stream = open_memstream(&bytes, &total);
    assert_true(er_wire_write_scene(stream, scene));
    fclose(stream);
    *size = total - sizeof(er_wire_header);
    assert_int_equal(((er_wire_header *)bytes)->payload_size, *size);
    copy = ER_NEW(arena, char, *size);
    memcpy(copy, bytes + sizeof(er_wire_header), *size);
    free(bytes);
    return copy;
}

static void a_scene_crosses_the_wire_unchanged(void **state)
{
    (void)state;
    er_scene *scene = NULL;
    er_arena *arena = NULL;
    size_t size, again_size;
    assert_int_equal(er_import_file(context, model, NULL, &scene), ER_OK);
    assert_int_equal(er_arena_create(context, &arena), ER_OK);
    char *payload = payload_of(scene, arena, &size);
    er_scene *other = ER_NEW(arena, er_scene, 1);
    assert_int_equal(er_wire_read_scene(arena, payload, size, other), ER_OK);
    other->path = "";
    assert_int_equal(er_scene_validate(context, other), ER_OK);
    char *again = payload_of(other, arena, &again_size);
    assert_int_equal(again_size, size);
    assert_memory_equal(again, payload, size);
    er_arena_destroy(arena);
    er_scene_destroy(scene);
}

// Arrays of any length cross the wire, of a whole number of its blocks or not: the model's strip, cut to fewer
// vertices.
static void meshes_of_any_size_cross_the_wire(void **state)
{
    (void)state;
    er_scene *scene = NULL;
    assert_int_equal(er_import_file(context, model, NULL, &scene), ER_OK);
    er_mesh mesh = scene->mesh[0];
    er_scene cut = *scene;
    cut.mesh = &mesh;
    assert_true(cut.mesh_count == 1 && mesh.vertex_count == 4);
    for (int n = 4; n >= 1; --n) {
        er_arena *arena = NULL;
        size_t size;
        assert_int_equal(er_arena_create(context, &arena), ER_OK);
        mesh.vertex_count = n;
        mesh.triangle_count = n > 2 ? n - 2 : 0;
        char *payload = payload_of(&cut, arena, &size);
        er_scene *other = ER_NEW(arena, er_scene, 1);
        assert_int_equal(er_wire_read_scene(arena, payload, size, other), ER_OK);
        const er_mesh *read = &other->mesh[0];
        int influences = mesh.influence_start[n];
        assert_true(read->vertex_count == n && read->triangle_count == mesh.triangle_count && influences > 0);
        assert_memory_equal(read->position, mesh.position, 3 * (size_t)n * sizeof *read->position);
        assert_memory_equal(read->influence_start, mesh.influence_start,
                            ((size_t)n + 1) * sizeof *read->influence_start);
        assert_memory_equal(read->influence_joint, mesh.influence_joint,
                            (size_t)influences * sizeof *read->influence_joint);
        assert_memory_equal(read->influence_weight, mesh.influence_weight,
                            (size_t)influences * sizeof *read->influence_weight);
        er_arena_destroy(arena);
    }
    er_scene_destroy(scene);
}

// An importer taken over by its file may send anything: it must be refused or be a scene, read without a bad access.
static void a_changed_stream_is_refused_or_valid(void **state)
{
    (void)state;
    er_scene *scene = NULL;
    er_arena *arena = NULL;
    size_t size;
    int refused = 0;
    unsigned seed = 99;
    assert_int_equal(er_import_file(context, model, NULL, &scene), ER_OK);
    assert_int_equal(er_arena_create(context, &arena), ER_OK);
    char *payload = payload_of(scene, arena, &size);
    for (int i = 0; i < 3000; ++i) {
        er_arena *own = NULL;
        assert_int_equal(er_arena_create(context, &own), ER_OK);
        size_t cut = i % 3 == 0 ? (size_t)(seed % (size / 8)) * 8 : size;
        char *bytes = ER_NEW(own, char, size);
        er_scene *other = ER_NEW(own, er_scene, 1);
        memcpy(bytes, payload, size);
        for (int k = 0; k < 1 + i % 3; ++k) {
            seed = seed * 1664525u + 1013904223u;
            bytes[(seed >> 8) % size] = (char)(i % 2 == 0 ? seed >> 24 : 0xFF);
        }
        er_result r = er_wire_read_scene(own, bytes, cut, other);
        other->path = "";
        if (r == ER_OK) r = er_scene_validate(context, other);
        assert_true(r == ER_OK || r == ER_ERROR_FORMAT || r == ER_ERROR_IMPORT);
        refused += r != ER_OK;
        er_arena_destroy(own);
    }
    assert_true(refused > 1000);
    er_arena_destroy(arena);
    er_scene_destroy(scene);
}

// A text says its length first, then its bytes and a zero; no length may lead out of the answer.
static void a_text_of_any_length_stays_within_the_answer(void **state)
{
    (void)state;
    const er_note note = {ER_NOTE_FACT, "0123456789"};
    er_scene scene = {
        .path = "", .format_name = "by hand", .metres_per_unit = 1, .up = {0, 1, 0}, .note_count = 1, .note = &note};
    er_arena *arena = NULL;
    size_t size, at = 0;
    assert_int_equal(er_arena_create(context, &arena), ER_OK);
    char *payload = payload_of(&scene, arena, &size);
    while (at + 8 < size && memcmp(payload + at, note.text, strlen(note.text)) != 0)
        at += 8; // everything is padded to 8 bytes
    const uint64_t lengths[] = {UINT64_MAX, UINT64_MAX - 7, size, 16, 9, 10};
    for (size_t i = 0; i < ER_COUNT(lengths); ++i) {
        er_scene *other = ER_NEW(arena, er_scene, 1);
        memcpy(payload + at - 8, &lengths[i], 8);
        er_result want = lengths[i] == 10 ? ER_OK : ER_ERROR_IMPORT;
        assert_int_equal(er_wire_read_scene(arena, payload, size, other), want);
        if (want == ER_OK) assert_string_equal(other->note[0].text, note.text);
    }
    er_arena_destroy(arena);
}

// A picture in the BIN chunk is sent as where it lies there, which may be nowhere else.
static void a_picture_lies_within_the_chunk(void **state)
{
    (void)state;
    static const uint8_t bytes[64] = {7};
    const er_source_chunk chunk[2] = {{1, bytes, 0}, {ER_SOURCE_BIN, bytes, sizeof bytes}};
    const er_source source = {.json = "{}", .json_size = 2, .chunk_count = 2, .chunk = chunk};
    const er_image image = {"skin", "image/png", bytes + 8, 16};
    er_scene scene = {.path = "",
                      .format_name = "by hand",
                      .metres_per_unit = 1,
                      .up = {0, 1, 0},
                      .image_count = 1,
                      .image = &image,
                      .source = &source};
    const uint64_t places[][2] = {{8, 16}, {48, 16}, {0, 64}, {49, 16}, {UINT64_MAX, 16}, {8, UINT64_MAX}, {65, 0}};
    er_arena *arena = NULL;
    size_t size, at = 0;
    assert_int_equal(er_arena_create(context, &arena), ER_OK);
    char *payload = payload_of(&scene, arena, &size);
    while (at + 16 < size && memcmp(payload + at, places[0], sizeof places[0]) != 0)
        at += 8;
    assert_true(at + 16 < size);
    for (size_t i = 0; i < ER_COUNT(places); ++i) {
        er_scene *other = ER_NEW(arena, er_scene, 1);
        memcpy(payload + at, places[i], sizeof places[i]);
        assert_int_equal(er_wire_read_scene(arena, payload, size, other), i < 3 ? ER_OK : ER_ERROR_IMPORT);
        if (i >= 3) continue;
        assert_ptr_equal(other->image[0].bytes, other->source->chunk[1].bytes + places[i][0]);
        assert_int_equal(other->image[0].size, places[i][1]);
    }
    er_arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whatever_the_importer_does_is_one_error),
        cmocka_unit_test(the_importer_is_told_its_limits),
        cmocka_unit_test(nothing_is_left_running),
        cmocka_unit_test(an_answer_that_is_a_failure_is_passed_on),
        cmocka_unit_test(what_is_no_file_is_one_sentence),
        cmocka_unit_test(the_importer_is_looked_for),
        cmocka_unit_test(an_importer_that_is_nowhere_is_told),
        cmocka_unit_test(each_bad_setting_is_refused),
        cmocka_unit_test(an_ignored_sigchld_does_no_harm),
        cmocka_unit_test(signals_that_interrupt_change_nothing),
        cmocka_unit_test(a_greedy_file_runs_out_of_its_own_memory),
        cmocka_unit_test(a_failed_allocation_is_an_error_and_no_leak),
        cmocka_unit_test(a_scene_crosses_the_wire_unchanged),
        cmocka_unit_test(a_text_of_any_length_stays_within_the_answer),
        cmocka_unit_test(a_picture_lies_within_the_chunk),
        cmocka_unit_test(meshes_of_any_size_cross_the_wire),
        cmocka_unit_test(a_changed_stream_is_refused_or_valid),
    };
    return cmocka_run_group_tests_name("import_process", tests, set_up, tear_down);
}
