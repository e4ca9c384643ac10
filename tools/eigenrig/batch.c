// Many models: the work on each of them, and the report on all.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "app/description/description.h"
#include "base/failure.h"
#include "base/platform.h"
#include "tools/eigenrig/options.h"
#include "tools/program/openblas_threads.h"

// The files that --write may name.
typedef enum written { WRITE_JSON, WRITE_GLB, WRITE_FBX, WRITE_PAGE, WRITE_SHEET, WRITE_GAITS } written;

static const struct {
    const char *word, *end;
} writable[] = {
    [WRITE_JSON] = {"json", ".json"}, [WRITE_GLB] = {"glb", ".glb"},     [WRITE_FBX] = {"fbx", ".fbx"},
    [WRITE_PAGE] = {"page", ".html"}, [WRITE_SHEET] = {"sheet", ".png"}, [WRITE_GAITS] = {"gaits", ".gaits.glb"}};
enum { WRITABLE_COUNT = (int)(sizeof writable / sizeof writable[0]) };

typedef struct work {
    const options *o;
    bool write[WRITABLE_COUNT];
    progress bar;
} work;

static bool parse_write(const char *list, bool write[WRITABLE_COUNT])
{
    const char *words[WRITABLE_COUNT + 1] = {NULL};
    for (int i = 0; i < WRITABLE_COUNT; ++i)
        words[i] = writable[i].word;
    return setting_names(list, words, write);
}

// ---- one model, in its process

// Adds the pose file that was asked for, unless it is one that a description may not name.
static void add_pose_file(er_context *context, const project_request *asked, batch_dependencies *dependencies)
{
    int file = -1;
    unsigned flags = asked->allow_outside ? ER_REFERENCE_OUTSIDE : 0u;
    bool named = asked->pose_in == NULL ||
                 er_file_open_reference(context, asked->pose_in, asked->pose_named, flags, &file) == ER_OK;
    if (file >= 0) eri_platform_close(file);
    if (named) batch_add_dependency(dependencies, asked->pose_file);
}

// The files that a model's rig depends on, and the script.
static void find_dependencies(void *user, const char *path, batch_dependencies *dependencies)
{
    const options *o = ((const work *)user)->o;
    project_request asked = o->asked;
    project_description *described = NULL;
    er_context *context = NULL;
    char file[4096];
    if (o->each != NULL) batch_add_dependency(dependencies, o->each);
    if (project_find_description(path, &asked, file, sizeof file)) batch_add_dependency(dependencies, file);
    if (er_context_create(NULL, &context) == ER_OK) project_apply_description(context, path, &asked, &described);
    if (asked.pose_file != NULL) add_pose_file(context, &asked, dependencies);
    if (asked.allow_outside) batch_allow_outside(dependencies);
    project_description_close(described);
    er_context_destroy(context);
}

// The receiver of a model's warnings, and their number.
typedef struct hearing {
    batch_report *report;
    eri_said said;
    int warnings;
    char first[512];
} hearing;

static void on_note(void *user, const char *warning)
{
    hearing *h = user;
    if (eri_said_before(&h->said, warning)) return; // as other commands
    if (h->warnings++ == 0) snprintf(h->first, sizeof h->first, "%s", warning);
    batch_warn(h->report, warning);
}

static void note_match(void *report, const char *kind, const char *word, int count, const char *const *name)
{
    batch_match(report, kind, word, NULL);
    for (int i = 0; i < count; ++i)
        batch_match(report, kind, word, name[i]);
}

static void name_gait(void *report, const char *gait)
{
    batch_name(report, "gaits", gait);
}

// The path of an output. In files without clips "{clip}" is their kind.
static char *path_of(const char *stem, int which)
{
    static const char word[] = "{clip}";
    const char *end = writable[which].end, *clip = strstr(stem, word);
    const char *kind = which == WRITE_JSON    ? "modes"
                       : which == WRITE_SHEET ? "sheet"
                       : which == WRITE_PAGE  ? "page"
                                              : word;
    char *path = NULL;
    if (clip != NULL && which == WRITE_GAITS) end = writable[WRITE_GLB].end;
    int length = clip == NULL ? asprintf(&path, "%s%s", stem, end)
                              : asprintf(&path, "%.*s%s%s%s", (int)(clip - stem), stem, kind, clip + strlen(word), end);
    return length >= 0 ? path : NULL;
}

static er_result write_one(er_context *context, const options *o, const loaded *l, const er_modes *modes,
                           const char *stem, int which, batch_report *report)
{
    char *path = path_of(stem, which);
    if (path == NULL) return ER_ERROR_MEMORY;
    er_result r = ER_OK;
    if (which == WRITE_JSON)
        r = write_palette_file(context, o, l, modes, NULL, path);
    else if (which == WRITE_SHEET)
        r = write_sheet(context, o, l, modes, path);
    else if (which == WRITE_GAITS)
        r = write_gait_clips(context, o, l, modes, path, name_gait, report);
    else
        r = write_palette_clips(context, o, l, modes, path, NULL);
    free(path);
    return r;
}

// Calls the script with the model and the stem of all files that it may write.
static er_result run_script_on(er_context *context, const options *o, const char *path, const char *stem)
{
    char *words[] = {(char *)(uintptr_t)o->each, (char *)(uintptr_t)path, (char *)(uintptr_t)stem};
    script_def def = {.path = o->each, .words = words, .word_count = 3, .hosted = true, .open = luaopen_eigenrig};
    return script_run(context, &def);
}

// The understanding of the model. Gaits warn of a doubtful facing themselves.
static er_result report_model(er_context *context, const options *o, const loaded *l, bool warns, batch_report *report)
{
    er_gait_body *body = NULL;
    char *text = NULL;
    er_result r = read_gait_body(context, o, l, &body);
    if (r == ER_OK) r = report_text(context, o, l, body, &text);
    if (r == ER_OK) batch_put(report, "report", text);
    if (r == ER_OK && warns) warn_of_facing(o, l, body);
    free(text);
    er_gait_body_destroy(body);
    return r;
}

// The reasons of docs/batch.md for failures of the importer.
static const char *const blamed[] = {
    [ER_IMPORT_CRASHED] = "import-crash", [ER_IMPORT_LATE] = "import-timeout", [ER_IMPORT_STARVED] = "import-memory"};

static er_result do_model(void *user, er_context *context, const char *path, const char *stem, batch_report *report)
{
    const work *w = user;
    options o = *w->o;
    loaded l;
    er_modes *modes = NULL;
    er_import_def import = er_default_import_def();
    er_import_end end = ER_IMPORT_ANSWERED;
    o.model = path;
    o.asked.walks = w->write[WRITE_GAITS];
    hearing on_warning = {.report = report};
    o.on_warning = on_note;
    o.warning_user = &on_warning;
    o.progress = PROGRESS_NEVER;
    if (w->write[WRITE_GAITS]) batch_name(report, "gaits", NULL);
    import.time_limit = o.batch.timeout + 1.0; // the batch's own limit comes first
    import.memory_limit = o.batch.memory;
    import.end = &end;
    er_result r = describe_rig(context, &o, &l);
    if (r == ER_OK) r = open_scene(context, &o, &import, &l);
    if (r != ER_OK) batch_set_reason(report, blamed[end]);
    batch_begin_stage(report, BATCH_RIG);
    if (r == ER_OK) r = open_rig(context, &o, &l);
    if (r == ER_OK && l.described != NULL) r = project_list_matches(context, l.described, l.model, note_match, report);
    if (r == ER_OK) r = report_model(context, &o, &l, !w->write[WRITE_GAITS], report);
    if (r == ER_OK) batch_begin_stage(report, BATCH_SOLVE);
    if (r == ER_OK) r = project_solve_modes(context, l.model, &o.modal, modes_wanted(&o, l.model), &modes);
    if (r == ER_OK) {
        batch_measure(report, l.model, modes, l.rig != NULL ? l.rig->height : 0.0);
        batch_begin_stage(report, BATCH_WRITE);
    }
    for (int i = 0; i < WRITABLE_COUNT && r == ER_OK; ++i)
        if (w->write[i]) r = write_one(context, &o, &l, modes, stem, i, report);
    if (r == ER_OK && o.each != NULL) r = run_script_on(context, &o, path, stem);
    if (r == ER_OK && o.strict && on_warning.warnings > 0) {
        batch_set_reason(report, "warnings");
        r = er_fail(context, ER_ERROR_RIG, "it has %d warning%s, and --strict takes warnings as errors: %s",
                    on_warning.warnings, eri_plural(on_warning.warnings), on_warning.first);
    }
    er_modes_destroy(modes);
    unload(&l);
    return r;
}

// ---- the whole batch

enum { BLAS_BUFFER = 128 << 20 }; // of each thread of OpenBLAS, most of it never touched

static int fail_stopped(er_context *context, er_result r)
{
    return fail_with(EXIT_STOPPED, context, r, NULL);
}

// Checks in a process of its own, because a driver's threads would not survive in forked processes.
static int check_pictures(er_context *context)
{
    eri_process_end end;
    eri_platform_set_variable("LP_NUM_THREADS", "0",
                              false); // software drivers start no threads either: there is a process for each core
    int child = eri_process_fork();
    if (child == 0) {
        er_result r = render_check(context);
        _Exit(r == ER_OK ? EXIT_DONE : fail_stopped(context, r));
    }
    if (child < 0) return EXIT_WORK;
    eri_process_wait(child, &end);
    return end.signal == 0 ? end.status : EXIT_WORK;
}

static void step(void *user, int done, int all)
{
    work *w = user;
    progress_step(&w->bar, done, all);
    if (done == all) progress_end(&w->bar); // before the table
}

// Prints a line of the log instead of the bar. A failure is an error and is printed even with --quiet.
static void print_result(void *user, const batch_result *result)
{
    const options *o = ((const work *)user)->o;
    if (!o->quiet)
        print_model_result(result);
    else if (result->reason != NULL)
        print_model_failure(result);
}

// Whether to print a line for each model instead of a bar: if standard error is not a terminal.
static bool is_logged(const options *o)
{
    return o->quiet || (o->progress == PROGRESS_AUTO && (messages_are_json() || !eri_platform_is_terminal(ERI_ERRORS)));
}

static void print_outcome(const options *o, const batch_outcome *c)
{
    if (o->quiet) return;
    printf("%d model%s: %d done, %d failed", c->count, eri_plural(c->count), c->done, c->failed);
    if (c->kept > 0) printf("; %d of them as they were", c->kept);
    if (c->gone > 0) printf("; %d of an earlier run are no longer among the inputs and were left out", c->gone);
    printf("\n");
}

// Prints an error for the failures if no report is printed. Counts earlier runs' failures too.
static int end_failed(er_context *context, const options *o, const batch_outcome *c)
{
    if (!o->quiet) return EXIT_WORK;
    return fail_work(context,
                     er_fail(context, ER_ERROR_RIG, "%d of %d model%s failed; the manifest there has the reasons",
                             c->failed, c->count, eri_plural(c->count)),
                     o->output);
}

static int end_batch(er_context *context, const options *o, er_result r, const batch_outcome *c)
{
    if (r != ER_OK) fail_stopped(context, r);
    bool unfinished = c->interrupted || (r != ER_OK && c->count > 0);
    if (unfinished)
        print_note("%s: %d of %d model%s %s done; run the same command with --resume for the rest", plain(o->output),
                   c->done + c->failed, c->count, eri_plural(c->count), c->done + c->failed == 1 ? "is" : "are");
    if (r == ER_OK && !c->interrupted) print_outcome(o, c);
    if (r != ER_OK || c->interrupted) return EXIT_STOPPED;
    return c->failed == 0 ? EXIT_DONE : end_failed(context, o, c);
}

// Refuses options that are wrong for every model.
static er_result check_asked(er_context *context, const options *o)
{
    const char *description = o->asked.description, *pose = o->asked.pose_file;
    open_description read = {0};
    er_result r = ER_OK;
    if (description != NULL && strcmp(description, "none") != 0) r = description_open(context, description, 0, &read);
    description_close(&read);
    if (r == ER_OK && pose != NULL && !eri_platform_access(pose, ERI_CAN_READ))
        r = er_fail(context, ER_ERROR_FILE, "%s: cannot be read: %s", pose, strerror(errno));
    return r == ER_OK && o->each != NULL ? script_check_file(context, o->each) : r;
}

static int merge(er_context *context, const options *o, FILE *table)
{
    batch_outcome outcome;
    er_result r = batch_merge(context, o->batch.input_count, o->batch.input, o->output, table, &outcome);
    return end_batch(context, o, r, &outcome);
}

// Refuses options that contradict each other.
static int check_words(er_context *context, const options *o, bool write[WRITABLE_COUNT])
{
    if (o->output == NULL) return fail_usage("batch", "no output was named: -o DIR");
    const char *usual = o->each == NULL ? "json" : NULL, *list = o->write != NULL ? o->write : usual;
    if (list != NULL && !parse_write(list, write))
        return fail_usage("batch",
                          "--write does not take \"%s\" (words of json, glb, fbx, page, sheet, gaits, with commas)",
                          o->write);
    if (o->of_gait != NULL && !write[WRITE_GAITS])
        return fail_usage("batch", "--%s needs gaits; add --write gaits", o->of_gait);
    if (o->fps_given && !write[WRITE_GAITS])
        return fail_usage("batch", "--fps is the frame rate of gaits; add --write gaits");
    if (o->merge && (o->batch.shards > 0 || o->batch.resume))
        return fail_usage("batch", "--merge cannot be combined with --shard or --resume; leave them out");
    if (o->batch.name != NULL && batch_check_name(context, o->batch.name) != ER_OK)
        return fail_usage("batch", "--name %s", er_context_error(context));
    if (o->batch.name != NULL && o->each != NULL && strstr(o->batch.name, "{clip}") != NULL)
        return fail_usage("batch", "a script names its own files; leave {clip} out of --name");
    if (o->each != NULL && !eri_platform_access(o->each, ERI_CAN_READ))
        return fail_usage("batch", "--script \"%s\" cannot be read: %s", o->each, strerror(errno));
    return EXIT_DONE;
}

int run_batch(er_context *context, options *o)
{
    work w = {.o = o};
    batch_outcome outcome = {0};
    FILE *table = o->quiet ? NULL : stdout;
    int status = check_words(context, o, w.write);
    if (status != EXIT_DONE) return status;
    if (o->given_option == NULL) return fail_stopped(context, eri_no_memory(context));
    if (o->merge) return merge(context, o, table);
    er_result r = check_asked(context, o);
    if (r != ER_OK) return fail_stopped(context, r);
    load_with_threads(o->words, o->threads > 0 ? o->threads : 1); // many processes of few threads each
    if (w.write[WRITE_SHEET] && check_pictures(context) != EXIT_DONE) return EXIT_STOPPED;
    if (o->threads > 1) o->batch.memory += (o->threads - 1) * BLAS_BUFFER;
    o->batch.output = o->output;
    o->batch.options = o->given_option;
    o->batch.find_dependencies = find_dependencies;
    o->batch.work = do_model;
    o->batch.progress = step;
    if (is_logged(o)) o->batch.finished = print_result;
    o->batch.user = &w;
    w.bar = progress_begin(o, "models");
    r = batch_run(context, &o->batch, table, &outcome);
    if (outcome.done + outcome.failed < outcome.count) progress_end(&w.bar);
    return end_batch(context, o, r, &outcome);
}
