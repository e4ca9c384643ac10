// The two processes: an importer that crashes, hangs, floods, lies or is not there, an allocator that fails, and an
// answer with bytes changed on the way.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <eigenrig/scene.h>

#include "base/arena.h"
#include "base/platform.h"
#include "base/sanitizer.h"
#include "scene/import/wire.h"
#include "scene/scene_source.h"
#include "support/context.h"
#include "support/ledger.h"
#include "support/sample.h"

static char model[512];

static int open_model(void **state)
{
    uint8_t buffer[SAMPLE_SIZE];
    size_t size;
    sample_buffer(buffer);
    uint8_t *glb = sample_glb(buffer, &size);
    snprintf(model, sizeof model, "%s", sample_write("strip.glb", glb, size));
    free(glb);
    return set_up(state);
}

// A file that may be run.
static const char *program_of(const char *name, const void *bytes, size_t size)
{
    const char *path = sample_write(name, bytes, size);
    assert_int_equal(chmod(path, 0755), 0);
    return path;
}

// Imports the model with a shell script in the importer's place.
static er_result import_by(const char *script, double time_limit, er_import_end *end, er_scene **scene)
{
    char text[2048];
    int length = snprintf(text, sizeof text, "#!/bin/sh\n%s\n", script);
    er_import_def def = er_default_import_def();
    def.importer = program_of("importer.sh", text, (size_t)length);
    def.time_limit = time_limit;
    def.end = end;
    return er_import_file(context, model, &def, scene);
}

static void whatever_the_importer_does_is_one_error(void **state)
{
    static const struct {
        const char *script;
        er_import_end end;
        const char *named;
    } cases[] = {
        {"kill -SEGV $$", ER_IMPORT_CRASHED, "signal 11, Segmentation fault"},
        {"kill -ABRT $$", ER_IMPORT_CRASHED, "signal 6"},
        {"kill -XCPU $$", ER_IMPORT_LATE, ""},
        {"kill -KILL $$", ER_IMPORT_STARVED, "signal 9"},
        {"exit 0", ER_IMPORT_ANSWERED, ""},
        {"exit 7", ER_IMPORT_ANSWERED, "exit status 7"},
        {"sleep 100", ER_IMPORT_LATE, "0.4 s"},
        {"exec >&-; sleep 100", ER_IMPORT_LATE, "0.4 s"},
        {"trap '' TERM INT HUP; sleep 100 & sleep 100", ER_IMPORT_LATE, "0.4 s"},
        {"yes", ER_IMPORT_ANSWERED, ""},
        {"cat /dev/zero", ER_IMPORT_ANSWERED, ""},
        {"echo What a fine model", ER_IMPORT_ANSWERED, ""},
        {"echo What a fine model this is, I like it so much", ER_IMPORT_ANSWERED, ""},
        {"printf 'eigrig\\n1\\0\\0\\0\\0\\0\\0\\0\\0\\377\\377\\377\\377\\377\\377\\377\\377'; cat /dev/zero",
         ER_IMPORT_ANSWERED, ""},
        {"printf 'eigrig\\n1\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\1\\0\\0\\0\\0\\0'; cat /dev/zero", ER_IMPORT_ANSWERED, ""},
        // eight bytes more than the memory that the importer may take, and 65,544 for a failure's sentence
        {"printf 'eigrig\\n1\\0\\0\\0\\0\\0\\0\\0\\0\\10\\0\\0\\0\\1\\0\\0\\0'; sleep 100", ER_IMPORT_ANSWERED, ""},
        {"printf 'eigrig\\n1\\4\\0\\0\\0\\0\\0\\0\\0\\10\\0\\1\\0\\0\\0\\0\\0'; sleep 100", ER_IMPORT_ANSWERED, ""},
        {"printf 'eigrig\\n1\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\1\\0\\0\\0\\0\\0'; kill -SEGV $$", ER_IMPORT_CRASHED,
         "signal 11"},
        {"printf 'eigrig\\n1\\0\\0\\0\\0\\0\\0\\0\\0\\10\\0\\0\\0\\0\\0\\0\\0aaaaaaaa'", ER_IMPORT_ANSWERED, ""},
        {"printf 'eigrig\\n1\\143\\0\\0\\0\\0\\0\\0\\0\\10\\0\\0\\0\\0\\0\\0\\0a\\0\\0\\0\\0\\0\\0\\0'",
         ER_IMPORT_ANSWERED, ""},
        {"printf 'eigrig\\n1\\2\\0\\0\\0\\0\\0\\0\\0\\10\\0\\0\\0\\0\\0\\0\\0memory\\0\\0'", ER_IMPORT_STARVED, ""},
        {"printf 'eigrig\\n1\\4\\0\\0\\0\\0\\0\\0\\0\\10\\0\\0\\0\\0\\0\\0\\0\\377\\377\\0\\0\\0\\0\\0\\0'",
         ER_IMPORT_ANSWERED, ""},
    };
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        er_scene *scene = NULL;
        double start = eri_seconds();
        er_import_end end = ER_IMPORT_STARVED + 1;
        er_result r = import_by(cases[i].script, strcmp(cases[i].named, "0.4 s") == 0 ? 0.4 : 20.0, &end, &scene);
        if (end != cases[i].end) fail_msg("%s: end %d", cases[i].script, (int)end);
        assert_refusal(context, r, ER_ERROR_IMPORT, cases[i].named);
        assert_null(scene);
        assert_true(eri_seconds() - start < 10.0);
    }
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); // no child is left over
}

// Payloads of the sizes that just may be are waited for, so that the importer's end is what is told; those that are 8
// bytes more or less make no sense.
static void sizes_of_answers_have_their_bounds(void **state)
{
    enum { LIMIT = 64 << 20 };
    static const struct {
        uint32_t result;
        uint64_t size;
        bool waits;
    } cases[] = {{ER_OK, 0, false},
                 {ER_OK, 4, false},
                 {ER_OK, 8, true},
                 {ER_OK, 12, false},
                 {ER_OK, LIMIT, true},
                 {ER_OK, LIMIT + 8, false},
                 {ER_ERROR_FORMAT, 8, true},
                 {ER_ERROR_FORMAT, 65536, true},
                 {ER_ERROR_FORMAT, 65544, false}};
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        eri_wire_header header = {.result = cases[i].result, .payload_size = cases[i].size};
        memcpy(header.magic, ERI_WIRE_MAGIC, sizeof header.magic);
        char text[700];
        int length = snprintf(text, sizeof text, "#!/bin/sh\ncat %s; kill -SEGV $$\n",
                              sample_write("header", &header, sizeof header));
        er_import_def def = er_default_import_def();
        er_scene *scene = NULL;
        er_import_end end;
        def.importer = program_of("sized.sh", text, (size_t)length);
        def.memory_limit = LIMIT;
        def.end = &end;
        assert_int_equal(er_import_file(context, model, &def, &scene), ER_ERROR_IMPORT);
        if (end != (cases[i].waits ? ER_IMPORT_CRASHED : ER_IMPORT_ANSWERED)) fail_msg("case %zu", i);
    }
}

// Processes that the importer started end with it.
static void nothing_is_left_running(void **state)
{
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
    er_scene *scene = NULL;
    er_result r = import_by("[ \"$2 $3 $4 $5\" = '--memory 4294967296 --time 3' ] && exit 7", 2.5, NULL, &scene);
    assert_refusal(context, r, ER_ERROR_IMPORT, "exit status 7");
}

// A process of its own: no input, no words on the host's terminal, none of the host's files, signals as they are by
// default, and a group that can be ended as one. Each script ends with 7 where all is so.
static void the_importer_inherits_nothing(void **state)
{
    static const char *const scripts[] = {
        "read word && exit 1; [ /proc/$$/fd/0 -ef /dev/null ] && exit 7",
        "[ /proc/$$/fd/2 -ef /dev/null ] && exit 7",
        "[ -p /proc/$$/fd/1 ] && exit 7",
        "[ -e /proc/$$/fd/77 ] || exit 7",
        "grep -q '^SigBlk:.0*$' /proc/self/status && exit 7",
        "grep -q '^SigIgn:.*0000000$' /proc/self/status && exit 7", // the C library has some from the 32nd on
        "set -- $(cat /proc/$$/stat); [ \"$5\" = $$ ] && exit 7",
    };
    sigset_t block, mask;
    sigemptyset(&block);
    sigaddset(&block, SIGUSR1);
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    sigaction(SIGUSR2, &ignore, &before);
    sigprocmask(SIG_BLOCK, &block, &mask);
    int null = open("/dev/null", O_RDONLY), input = dup(STDIN_FILENO), ends[2];
    assert_true(null >= 0 && pipe(ends) == 0 && dup2(null, 77) == 77);
    assert_int_equal(write(ends[1], "word\n", 5), 5);
    assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    char told[ERI_COUNT(scripts)][600];
    for (size_t i = 0; i < ERI_COUNT(scripts); ++i) {
        er_scene *scene = NULL;
        import_by(scripts[i], 20.0, NULL, &scene);
        snprintf(told[i], sizeof told[i], "%s", er_context_error(context));
    }
    if (input >= 0) dup2(input, STDIN_FILENO);
    const int opened[] = {77, null, input, ends[0], ends[1]};
    for (size_t i = 0; i < ERI_COUNT(opened); ++i)
        close(opened[i]);
    sigprocmask(SIG_SETMASK, &mask, NULL);
    sigaction(SIGUSR2, &before, NULL);
    for (size_t i = 0; i < ERI_COUNT(scripts); ++i)
        if (strstr(told[i], "exit status 7") == NULL) fail_msg("%s: %s", scripts[i], told[i]);
}

// Files outside the model's folder are allowed when the caller says so, and then alone.
static void the_importer_is_told_what_it_may_read(void **state)
{
    er_import_def def = er_default_import_def();
    static const char script[] = "#!/bin/sh\n[ \"$1\" = \"${0%/*}/strip.glb\" ] || exit 1\n"
                                 "[ $# = 5 ] && exit 8\n[ \"$6\" = --allow-outside ] && [ $# = 6 ] && exit 9\n";
    def.importer = program_of("told.sh", script, sizeof script - 1);
    er_scene *scene = NULL;
    assert_refusal(context, er_import_file(context, model, &def, &scene), ER_ERROR_IMPORT, "exit status 8");
    def.allow_outside = true;
    assert_refusal(context, er_import_file(context, model, &def, &scene), ER_ERROR_IMPORT, "exit status 9");
}

// An answer that can be read and is no scene that keeps its promises: up is no direction.
static void a_broken_scene_is_refused(void **state)
{
    er_scene broken = {.path = "", .format_name = "by hand", .metres_per_unit = 1, .up = {0, 2, 0}}, *scene = NULL;
    char *bytes = NULL, script[700];
    size_t size = 0;
    FILE *stream = open_memstream(&bytes, &size);
    assert_true(eri_wire_write_scene(stream, &broken));
    fclose(stream);
    snprintf(script, sizeof script, "cat %s", sample_write("answer", bytes, size));
    free(bytes);
    assert_refusal(context, import_by(script, 20.0, NULL, &scene), ER_ERROR_IMPORT, "(0, 2, 0)");
    assert_memory_equal(er_context_error(context), model, strlen(model));
    assert_null(scene);
}

static void an_answer_that_is_a_failure_is_passed_on(void **state)
{
    er_scene *scene = NULL;
    char want[700];
    er_result r = import_by("printf 'eigrig\\n1\\4\\0\\0\\0\\0\\0\\0\\0\\10\\0\\0\\0\\0\\0\\0\\0is bad\\0\\0'", 20.0,
                            NULL, &scene);
    snprintf(want, sizeof want, "%s: is bad", model);
    assert_int_equal(r, ER_ERROR_FORMAT);
    assert_string_equal(er_context_error(context), want);
    r = import_by("printf 'eigrig\\n1\\3\\0\\0\\0\\0\\0\\0\\0\\10\\0\\0\\0\\0\\0\\0\\0is badly'", 20.0, NULL, &scene);
    snprintf(want, sizeof want, "%s: is badl", model); // ends in any case
    assert_int_equal(r, ER_ERROR_FILE);
    assert_string_equal(er_context_error(context), want);
}

// A path that is no readable file is refused before an importer is looked for.
static void what_is_no_file_is_one_sentence(void **state)
{
    const char *folder = sample_folder(), *missing = sample_path("stripe.glb"), *link = sample_path("link.glb"),
               *pipe = sample_path("pipe.glb"), *empty = sample_write("empty.glb", "", 0);
    char within[600];
    snprintf(within, sizeof within, "%s/within.glb", model);
    assert_int_equal(symlink("nowhere.glb", link), 0);
    assert_int_equal(mkfifo(pipe, 0600), 0);
    const struct {
        const char *path, *named;
        er_result result;
    } cases[] = {{missing, "strip.glb", ER_ERROR_FILE}, {"/nowhere/at/all.glb", "/nowhere/at/all.glb", ER_ERROR_FILE},
                 {link, link, ER_ERROR_FILE},           {within, strerror(ENOTDIR), ER_ERROR_FILE},
                 {folder, folder, ER_ERROR_FILE},       {pipe, pipe, ER_ERROR_FILE},
                 {empty, empty, ER_ERROR_FORMAT},       {"", "", ER_ERROR_ARGUMENT},
                 {NULL, "", ER_ERROR_ARGUMENT}};
    er_import_def def = er_default_import_def();
    def.importer = "/nowhere/eigenrig-import";
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        er_scene *scene = NULL;
        er_result r = er_import_file(context, cases[i].path, &def, &scene);
        assert_refusal(context, r, cases[i].result, cases[i].named);
        assert_null(scene);
    }
}

// The error names the nearest file; of equally near ones the first by its letters. A missing ending is no difference.
static void a_file_that_is_missing_brings_the_nearest(void **state)
{
    static const char *const files[] = {"horse_c.fbx", "horse_b.fbx", "horse_a.fbx",   "hors.fbx",  "zebra.bvh",
                                        "zebra.glb",   "zebra.dae",   "zebrapart.glb", "okapi.glb", "okap1"};
    static const struct {
        const char *name, *best;
    } cases[] = {{"horse_d.fbx", "horse_a.fbx"},
                 {"horse_bb.fbx", "horse_b.fbx"},
                 {"horse_C.fb", "horse_c.fbx"},
                 {"horse.fbx", "hors.fbx"},
                 {"zebra", "zebra.bvh"},
                 {"zebra.", "zebra.bvh"},
                 {"zebr", NULL},
                 {"okapi", "okap1"}, // an ending that was left out counts as one letter
                 {"unicorn", NULL},
                 {"ebra.dae", "zebra.dae"}};
    char folder[600], path[700], best[700];
    snprintf(folder, sizeof folder, "%s/near", sample_folder());
    assert_int_equal(mkdir(folder, 0700), 0);
    for (size_t i = 0; i < ERI_COUNT(files); ++i) {
        snprintf(path, sizeof path, "near/%s", files[i]);
        sample_write(path, "x", 1);
    }
    char *here = realpath(".", NULL);
    for (int within = 0; within < 2; ++within) { // the folder is named, or it is where we are
        if (within) assert_int_equal(chdir(folder), 0);
        for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
            er_scene *scene = NULL;
            snprintf(path, sizeof path, "%s%s%s", within ? "" : folder, within ? "" : "/", cases[i].name);
            er_result r = er_import_file(context, path, NULL, &scene);
            snprintf(best, sizeof best, "%s%s%s", within ? "" : folder, within ? " " : "/",
                     cases[i].best != NULL ? cases[i].best : cases[i].name);
            assert_refusal(context, r, ER_ERROR_FILE, within && cases[i].best == NULL ? path : best);
            for (size_t k = 0; cases[i].best == NULL && k < ERI_COUNT(files); ++k)
                assert_null(strstr(er_context_error(context), files[k]));
        }
    }
    assert_int_equal(chdir(here), 0);
    free(here);
}

// Root reads whatever it likes, so somebody else asks, in a process of its own.
static void a_file_that_may_not_be_read_is_told(void **state)
{
    char told[900] = "";
    assert_int_equal(chmod(sample_write("closed.glb", "glTF", 4), 0), 0);
    assert_int_equal(chmod(sample_folder(), 0711), 0);
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        er_scene *scene = NULL;
        if (chdir(sample_folder()) != 0 || (geteuid() == 0 && setuid(65534) != 0)) _exit(1);
        if (er_import_file(context, "closed.glb", NULL, &scene) != ER_ERROR_FILE) _exit(2);
        const char *words = er_context_error(context);
        _exit(write(ends[1], words, strlen(words)) > 0 ? 0 : 3);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    close(ends[1]);
    ssize_t got = status == 0 ? read(ends[0], told, sizeof told - 1) : 0;
    close(ends[0]);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 1) skip(); // root that may become nobody else
    assert_int_equal(status, 0);
    assert_true(got > 0);
    assert_memory_equal(told, "closed.glb: ", 12);
    assert_non_null(strstr(told, strerror(EACCES)));
}

// A program by its name and permissions that the kernel cannot start, and a host that may open no more files.
static void an_importer_that_cannot_be_started_is_told(void **state)
{
    er_scene *scene = NULL;
    int next = open("/dev/null", O_RDONLY);
    assert_true(next >= 0);
    close(next);
    er_import_def def = er_default_import_def();
    def.importer = program_of("rubbish", "\1\2\3\4", 4);
    assert_refusal(context, er_import_file(context, model, &def, &scene), ER_ERROR_IMPORT, strerror(ENOEXEC));
    assert_non_null(strstr(er_context_error(context), def.importer));
    struct rlimit files, fewer;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &files), 0);
    assert_int_equal(open("/dev/null", O_RDONLY), next); // nothing was left open
    fewer = files;
    fewer.rlim_cur = (rlim_t)next + 1;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &fewer), 0);
    er_result r = er_import_file(context, model, &def, &scene);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &files), 0);
    close(next);
    assert_refusal(context, r, ER_ERROR_IMPORT, strerror(EMFILE));
    assert_int_equal(open("/dev/null", O_RDONLY), next); // nothing was left open
    close(next);
}

static void the_importer_is_looked_for(void **state)
{
    er_scene *scene = NULL;
    er_import_def def = er_default_import_def();
    def.importer = "/nowhere/eigenrig-import";
    er_import_end end = ER_IMPORT_STARVED;
    def.end = &end;
    assert_refusal(context, er_import_file(context, model, &def, &scene), ER_ERROR_IMPORT, def.importer);
    assert_int_equal(end, ER_IMPORT_ANSWERED); // there was none
    end = ER_IMPORT_STARVED;
    assert_int_equal(er_import_file(context, "/nowhere/at/all.glb", &def, &scene), ER_ERROR_FILE);
    assert_int_equal(end, ER_IMPORT_ANSWERED);
    def.importer = sample_write("not_a_program", "hello", 5);
    assert_int_equal(er_import_file(context, model, &def, &scene), ER_ERROR_IMPORT);
    assert_null(scene);
    def.importer = sample_folder(); // which may be entered, and not run
    assert_refusal(context, er_import_file(context, model, &def, &scene), ER_ERROR_IMPORT, def.importer);
    char *known = strdup(getenv("EIGENRIG_IMPORTER"));
    assert_int_equal(setenv("EIGENRIG_IMPORTER", "/nowhere/else", 1), 0);
    assert_refusal(context, er_import_file(context, model, NULL, &scene), ER_ERROR_IMPORT, "/nowhere/else");
    assert_non_null(strstr(er_context_error(context), "EIGENRIG_IMPORTER"));
    assert_int_equal(setenv("EIGENRIG_IMPORTER", known, 1), 0);
    free(known);
}

static void an_importer_that_is_nowhere_is_told(void **state)
{
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
    assert_refusal(context, r, ER_ERROR_IMPORT, "EIGENRIG_IMPORTER");
}

// ---- Where the importer is looked for, by a copy of this program at other places

// Run by the copy: imports the model and prints the error.
static int import_alone(const char *path)
{
    er_scene *scene = NULL;
    if (er_context_create(NULL, &context) != ER_OK) return 1;
    er_result r = er_import_file(context, path, NULL, &scene);
    printf("%s\n", r == ER_OK ? "imported" : er_context_error(context));
    er_scene_destroy(scene);
    er_context_destroy(context);
    return 0;
}

static void copy_this_program(const char *to)
{
    static char block[65536];
    FILE *in = fopen("/proc/self/exe", "rb"), *out = fopen(to, "wb");
    assert_true(in != NULL && out != NULL);
    for (size_t got; (got = fread(block, 1, sizeof block, in)) > 0;)
        assert_int_equal(fwrite(block, 1, got, out), got);
    fclose(in);
    assert_int_equal(fclose(out), 0);
    assert_int_equal(chmod(to, 0755), 0);
}

// Runs the copy by a name of our choice, without a word of where the importer is.
static void import_elsewhere(const char *program, const char *name, const char *file, char told[900])
{
    char *words[] = {(char *)(uintptr_t)name, (char *)(uintptr_t) "--import", (char *)(uintptr_t)file, NULL};
    int ends[2], status = -1;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        unsetenv("EIGENRIG_IMPORTER");
        if (chdir(sample_folder()) != 0) _exit(1);
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        execv(program, words);
        _exit(1);
    }
    close(ends[1]);
    FILE *out = fdopen(ends[0], "r");
    told[0] = '\0';
    if (fgets(told, 900, out) == NULL) told[0] = '\0';
    fclose(out);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

// Beside the program come first the program's folder, then those of an installation, then the build's; beside the
// library, which this program is linked with and known by the name it was started as, the same follow. A static program
// knows no library. The importer at each place ends with a number of its own.
static void the_importer_is_found_wherever_it_was_installed(void **state)
{
    static const char *const places[] = {"a/b/c/bin",      "a/b/c/libexec/eigenrig", "a/b/libexec/eigenrig",
                                         "a/b/c/importer", "a/b/other/lib",          "a/b/other/libexec/eigenrig",
                                         "copy",           "a/b/other/importer"};
    char command[900], program[600], library[600], path[700], text[40], told[900], want[60];
    const char *folder = sample_folder();
    size_t count = eri_platform_library_of(places) != NULL ? ERI_COUNT(places) : 4;
    for (size_t i = 0; i < count; ++i) {
        snprintf(command, sizeof command, "mkdir -p '%s/%s'", folder, places[i]);
        assert_int_equal(system(command), 0);
    }
    snprintf(program, sizeof program, "%s/a/b/c/bin/copy", folder);
    snprintf(library, sizeof library, "%s/a/b/other/lib/copy", folder);
    copy_this_program(program);
    for (size_t i = count; i-- > 0;) { // each comes before those that are there already
        snprintf(path, sizeof path, "%s/%s/eigenrig-import", folder, places[i]);
        snprintf(text, sizeof text, "#!/bin/sh\nexit %zu\n", i + 10);
        FILE *file = fopen(path, "w");
        assert_true(file != NULL && fputs(text, file) >= 0);
        fclose(file);
        snprintf(want, sizeof want, "exit status %zu)", i + 10);
        import_elsewhere(program, library, model, told);
        if (strstr(told, want) != NULL) fail_msg("%s is no program, and was run: %s", path, told);
        assert_int_equal(chmod(path, 0755), 0);
        import_elsewhere(program, library, model, told);
        if (i != 6 && strstr(told, want) == NULL) fail_msg("%s, which %s was not", told, path);
        if (i < 4) continue;
        import_elsewhere(program, "copy", model, told); // a name that is no path, though a folder here is called so
        if (strstr(told, "exit status") != NULL) fail_msg("%s, though nothing lies beside the program", told);
    }
}

static void each_bad_setting_is_refused(void **state)
{
    er_scene *scene = NULL;
    const double bad_times[] = {0, -1, NAN, HUGE_VAL}, bad_memories[] = {0, 1, -1e9, NAN, HUGE_VAL};
    for (size_t i = 0; i < ERI_COUNT(bad_times); ++i) {
        er_import_def def = er_default_import_def();
        def.time_limit = bad_times[i];
        assert_int_equal(er_import_file(context, model, &def, &scene), ER_ERROR_ARGUMENT);
    }
    for (size_t i = 0; i < ERI_COUNT(bad_memories); ++i) {
        er_import_def def = er_default_import_def();
        def.memory_limit = bad_memories[i];
        assert_int_equal(er_import_file(context, model, &def, &scene), ER_ERROR_ARGUMENT);
    }
    const double mib = 1024.0 * 1024.0, ends[][2] = {{1e6, 64 * mib}, {1e6, 1e15}}; // the last that may be said
    for (size_t i = 0; i < ERI_COUNT(ends); ++i) {
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
    assert_true(def.time_limit == 60.0 && def.memory_limit == 4096 * mib && !def.allow_outside);
    assert_true(def.importer == NULL && def.end == NULL);
    def.tag = 0;
    assert_refusal(context, er_import_file(context, model, &def, &scene), ER_ERROR_ARGUMENT, "er_default_import_def");
    def = er_default_import_def();
    def.time_limit = -2.0;
    assert_refusal(context, er_import_file(context, model, &def, &scene), ER_ERROR_ARGUMENT, "time limit -2");
    def.time_limit = 1.0;
    def.memory_limit = 5.0;
    assert_refusal(context, er_import_file(context, model, &def, &scene), ER_ERROR_ARGUMENT, "memory limit 5");
    assert_int_equal(er_import_file(NULL, model, NULL, &scene), ER_ERROR_ARGUMENT);
    assert_int_equal(er_import_file(context, model, NULL, NULL), ER_ERROR_ARGUMENT);
}

// A host that ignores SIGCHLD has its children reaped by the kernel; the import must not depend on their status.
static void an_ignored_sigchld_does_no_harm(void **state)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    sigaction(SIGCHLD, &ignore, &before);
    er_scene *scene = NULL;
    er_result good = er_import_file(context, model, NULL, &scene);
    er_scene_destroy(scene);
    er_result bad = import_by("exit 7", 20.0, NULL, &scene); // of which nothing is known
    sigaction(SIGCHLD, &before, NULL);
    assert_int_equal(good, ER_OK);
    assert_int_equal(bad, ER_ERROR_IMPORT);
}

// No file stays open after an import, failed or not.
static void an_import_closes_what_it_opened(void **state)
{
    static const char *const scripts[] = {"exit 0", "kill -SEGV $$", "cat /dev/zero"};
    er_scene *scene = NULL;
    int next = open("/dev/null", O_RDONLY);
    close(next);
    assert_int_equal(er_import_file(context, model, NULL, &scene), ER_OK);
    assert_string_equal(scene->path, model);
    assert_ptr_not_equal(scene->path, model); // its own
    er_scene_destroy(scene);
    for (size_t i = 0; i < ERI_COUNT(scripts); ++i)
        assert_int_equal(import_by(scripts[i], 20.0, NULL, &scene), ER_ERROR_IMPORT);
    assert_int_equal(er_import_file(context, "/nowhere/at/all.glb", NULL, &scene), ER_ERROR_FILE);
    assert_int_equal(open("/dev/null", O_RDONLY), next);
    close(next);
}

static void nothing_to_do(int signal)
{
    (void)signal;
}

// A host's timer that goes off while the importer is waited for, and while its answer comes.
static void signals_that_interrupt_change_nothing(void **state)
{
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
#if ERI_SANITIZED
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
    assert_refusal(context, r, ER_ERROR_IMPORT, "256 MiB");
}

// ---- allocation ----

static er_result import_model(er_context *own, const void *of)
{
    er_scene *scene = (er_scene *)&own;
    er_result r = er_import_file(own, of, NULL, &scene);
    assert_true(r == ER_OK || scene == NULL);
    er_scene_destroy(scene);
    return r;
}

static void any_allocation_may_fail(void **state)
{
    ledger_refuse_each(import_model, model, NULL);
}

// ---- the stream ----

// The payload of a scene's answer, in an arena.
static char *payload_of(er_scene *scene, er_arena *arena, size_t *size)
{
    char *bytes = NULL, *copy;
    size_t total = 0;
    FILE *stream = open_memstream(&bytes, &total);
    assert_true(eri_wire_write_scene(stream, scene));
    fclose(stream);
    *size = total - sizeof(eri_wire_header);
    assert_int_equal(((eri_wire_header *)bytes)->payload_size, *size);
    copy = ERI_NEW(arena, char, *size);
    memcpy(copy, bytes + sizeof(eri_wire_header), *size);
    free(bytes);
    return copy;
}

// An importer taken over by its file may send anything: it must be refused or be a scene, read without a bad access.
static void a_changed_stream_is_refused_or_valid(void **state)
{
    er_scene *scene = NULL;
    er_arena *arena = NULL;
    size_t size;
    int refused = 0;
    unsigned seed = 99;
    assert_int_equal(er_import_file(context, model, NULL, &scene), ER_OK);
    assert_int_equal(eri_arena_create(context, &arena), ER_OK);
    char *payload = payload_of(scene, arena, &size);
    for (int i = 0; i < 3000; ++i) {
        er_arena *own = NULL;
        assert_int_equal(eri_arena_create(context, &own), ER_OK);
        size_t cut = i % 3 == 0 ? (size_t)(seed % (size / 8)) * 8 : size;
        char *bytes = ERI_NEW(own, char, size);
        er_scene *other = ERI_NEW(own, er_scene, 1);
        memcpy(bytes, payload, size);
        for (int k = 0; k < 1 + i % 3; ++k) {
            seed = seed * 1664525u + 1013904223u;
            bytes[(seed >> 8) % size] = (char)(i % 2 == 0 ? seed >> 24 : 0xFF);
        }
        er_result r = eri_wire_read_scene(own, bytes, cut, other);
        other->path = "";
        if (r == ER_OK) r = er_scene_validate(context, other);
        assert_true(r == ER_OK || r == ER_ERROR_FORMAT || r == ER_ERROR_IMPORT);
        refused += r != ER_OK;
        eri_arena_destroy(own);
    }
    assert_true(refused > 1000);
    eri_arena_destroy(arena);
    er_scene_destroy(scene);
}

// A text says its length first, then its bytes and a zero; no length may lead out of the answer.
static void a_text_of_any_length_stays_within_the_answer(void **state)
{
    const er_note note = {ER_NOTE_FACT, "0123456789"};
    er_scene scene = {
        .path = "", .format_name = "by hand", .metres_per_unit = 1, .up = {0, 1, 0}, .note_count = 1, .note = &note};
    er_arena *arena = NULL;
    size_t size, at = 0;
    assert_int_equal(eri_arena_create(context, &arena), ER_OK);
    char *payload = payload_of(&scene, arena, &size);
    while (at + 8 < size && memcmp(payload + at, note.text, strlen(note.text)) != 0)
        at += 8; // everything is padded to 8 bytes
    const uint64_t lengths[] = {UINT64_MAX, UINT64_MAX - 7, size, 16, 9, 10};
    for (size_t i = 0; i < ERI_COUNT(lengths); ++i) {
        er_scene *other = ERI_NEW(arena, er_scene, 1);
        memcpy(payload + at - 8, &lengths[i], 8);
        er_result want = lengths[i] == 10 ? ER_OK : ER_ERROR_IMPORT;
        assert_int_equal(eri_wire_read_scene(arena, payload, size, other), want);
        if (want == ER_OK) assert_string_equal(other->note[0].text, note.text);
    }
    eri_arena_destroy(arena);
}

// A picture in the BIN chunk is sent as where it lies there, which may be nowhere else.
static void a_picture_lies_within_the_chunk(void **state)
{
    static const uint8_t bytes[64] = {7};
    const eri_source_chunk chunk[2] = {{1, bytes, 0}, {ERI_SOURCE_BIN, bytes, sizeof bytes}};
    const er_source source = {.json = "{}", .json_size = 2, .chunk_count = 2, .chunk = chunk};
    const er_image image = {"skin", "image/png", bytes + 8, 16};
    er_scene scene = {.path = "",
                      .format_name = "by hand",
                      .metres_per_unit = 1,
                      .up = {0, 1, 0},
                      .image_count = 1,
                      .image = &image,
                      .source = &source};
    const uint64_t places[][2] = {{8, 16},  {48, 16},         {0, 64},         {64, 0},
                                  {49, 16}, {UINT64_MAX, 16}, {8, UINT64_MAX}, {65, 0}};
    er_arena *arena = NULL;
    size_t size, at = 0;
    assert_int_equal(eri_arena_create(context, &arena), ER_OK);
    char *payload = payload_of(&scene, arena, &size);
    while (at + 16 < size && memcmp(payload + at, places[0], sizeof places[0]) != 0)
        at += 8;
    assert_true(at + 16 < size);
    for (size_t i = 0; i < ERI_COUNT(places); ++i) {
        er_scene *other = ERI_NEW(arena, er_scene, 1);
        memcpy(payload + at, places[i], sizeof places[i]);
        assert_int_equal(eri_wire_read_scene(arena, payload, size, other), i < 4 ? ER_OK : ER_ERROR_IMPORT);
        if (i >= 4) continue;
        assert_ptr_equal(other->image[0].bytes, other->source->chunk[1].bytes + places[i][0]);
        assert_int_equal(other->image[0].size, places[i][1]);
    }
    eri_arena_destroy(arena);
}

int main(int count, char **words)
{
    if (count == 3 && strcmp(words[1], "--import") == 0) return import_alone(words[2]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whatever_the_importer_does_is_one_error),
        cmocka_unit_test(sizes_of_answers_have_their_bounds),
        cmocka_unit_test(the_importer_is_told_its_limits),
        cmocka_unit_test(the_importer_inherits_nothing),
        cmocka_unit_test(the_importer_is_told_what_it_may_read),
        cmocka_unit_test(nothing_is_left_running),
        cmocka_unit_test(a_broken_scene_is_refused),
        cmocka_unit_test(an_answer_that_is_a_failure_is_passed_on),
        cmocka_unit_test(what_is_no_file_is_one_sentence),
        cmocka_unit_test(a_file_that_is_missing_brings_the_nearest),
        cmocka_unit_test(a_file_that_may_not_be_read_is_told),
        cmocka_unit_test(an_importer_that_cannot_be_started_is_told),
        cmocka_unit_test(the_importer_is_looked_for),
        cmocka_unit_test(the_importer_is_found_wherever_it_was_installed),
        cmocka_unit_test(an_importer_that_is_nowhere_is_told),
        cmocka_unit_test(each_bad_setting_is_refused),
        cmocka_unit_test(an_ignored_sigchld_does_no_harm),
        cmocka_unit_test(an_import_closes_what_it_opened),
        cmocka_unit_test(signals_that_interrupt_change_nothing),
        cmocka_unit_test(a_greedy_file_runs_out_of_its_own_memory),
        cmocka_unit_test(any_allocation_may_fail),
        cmocka_unit_test(a_text_of_any_length_stays_within_the_answer),
        cmocka_unit_test(a_picture_lies_within_the_chunk),
        cmocka_unit_test(a_changed_stream_is_refused_or_valid),
    };
    return cmocka_run_group_tests_name("import_process", tests, open_model, tear_down);
}
