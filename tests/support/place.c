// Places to write to, and what is found there.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/sanitizer.h"
#include "context.h"
#include "place.h"
#include "sample.h"

int place_open(void **state, const char *out, const char *again, const char *beside)
{
    place *p = calloc(1, sizeof *p);
    *state = p;
    p->ledger.left = LEDGER_ALL;
    er_context_def def = ledger_def(&p->ledger), own = er_default_context_def();
    def.flush = own.flush = false;
    strcpy(p->folder, "/tmp/eigenrig-writer-XXXXXX");
    if (mkdtemp(p->folder) == NULL || er_context_create(&def, &p->context) != ER_OK) return -1;
    if (er_context_create(&own, &p->own) != ER_OK || eri_arena_create(p->own, &p->arena) != ER_OK) return -1;
    snprintf(p->out, sizeof p->out, "%s/%s", p->folder, out);
    snprintf(p->again, sizeof p->again, "%s/%s", p->folder, again);
    snprintf(p->beside, sizeof p->beside, "%s/%s", p->folder, beside);
    return 0;
}

int files(const place *p, bool sweep)
{
    int count = 0;
    DIR *d = opendir(p->folder);
    for (struct dirent *e; (e = readdir(d)) != NULL;) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) continue;
        ++count;
        if (sweep) unlinkat(dirfd(d), e->d_name, 0);
    }
    closedir(d);
    return count;
}

int place_close(void **state)
{
    place *p = *state;
    files(p, true);
    rmdir(p->folder);
    eri_arena_destroy(p->arena);
    er_context_destroy(p->own);
    er_context_destroy(p->context);
    long held = p->ledger.held;
    free(p);
    return held == 0 ? 0 : -1;
}

void assert_refused(place *p, er_scene_writer *write, const er_scene *scene, const er_clip *clip, const char *path,
                    er_result expected, const char *named)
{
    int before = files(p, false);
    assert_int_equal(write(p->context, scene, clip != NULL, clip, NULL, path), expected);
    assert_refusal(p->context, expected, expected, named);
    if (expected == ER_ERROR_ARGUMENT) assert_refusal(p->context, expected, expected, path);
    assert_null(strchr(er_context_error(p->context), '\n'));
    assert_int_equal(files(p, false), before);
}

void assert_arguments_refused(place *p, er_scene_writer *write, const er_scene *scene, const char *ending)
{
    assert_int_equal(write(NULL, scene, 0, NULL, NULL, p->out), ER_ERROR_ARGUMENT);
    assert_int_equal(write(p->context, NULL, 0, NULL, NULL, p->out), ER_ERROR_ARGUMENT);
    assert_int_equal(write(p->context, scene, 1, NULL, NULL, p->out), ER_ERROR_ARGUMENT);
    assert_int_equal(write(p->context, scene, -1, NULL, NULL, p->out), ER_ERROR_ARGUMENT);
    assert_int_equal(write(p->context, scene, 0, NULL, NULL, NULL), ER_ERROR_ARGUMENT);
    assert_refused(p, write, scene, NULL, "out.obj", ER_ERROR_ARGUMENT, ending);
    assert_refused(p, write, scene, NULL, ending, ER_ERROR_ARGUMENT, ending);
    assert_refused(p, write, scene, NULL, ending + 1, ER_ERROR_ARGUMENT, ending);
    char path[32];
    snprintf(path, sizeof path, "/nowhere/at/all%s", ending);
    assert_refused(p, write, scene, NULL, path, ER_ERROR_FILE, path);
}

void assert_broken_refused(place *p, er_scene_writer *write, er_scene *scene)
{
    static const double time[] = {0, 1}, turn[] = {0, 0, 0, 1, 0, 0, 0, 1};
    const er_channel channel = {99, ER_PATH_ROTATION, ER_LINEAR, 2, time, turn};
    const er_clip clip = {"bad", 1.0, 1, &channel};
    double *y = (double *)(uintptr_t)&scene->node[1].local.translation.y, was = *y;
    assert_refused(p, write, scene, &clip, p->out, ER_ERROR_ARGUMENT, "99");
    *y = NAN;
    assert_refused(p, write, scene, NULL, p->out, ER_ERROR_ARGUMENT, "node 1");
    *y = was;
}

void assert_goes_to_standard_output(place *p, er_scene_writer *write, const er_scene *scene, const char *path)
{
    char taken[128];
    size_t size, want;
    int before = files(p, false);
    snprintf(taken, sizeof taken, "%s/taken", p->folder);
    fflush(stdout);
    int kept = dup(STDOUT_FILENO), to = open(taken, O_WRONLY | O_CREAT, 0600);
    assert_true(kept >= 0 && to >= 0 && dup2(to, STDOUT_FILENO) >= 0);
    er_result r = write(p->own, scene, 0, NULL, NULL, "-");
    assert_true(dup2(kept, STDOUT_FILENO) >= 0 && close(to) == 0 && close(kept) == 0);
    if (r != ER_OK) fail_msg("%s", er_context_error(p->own));
    char *bytes = read_bytes(taken, &size);
    assert_int_equal(unlink(taken), 0);
    assert_int_equal(files(p, false), before);
    assert_int_equal(write(p->own, scene, 0, NULL, NULL, path), ER_OK);
    char *wanted = read_bytes(path, &want);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(size, want);
    assert_memory_equal(bytes, wanted, size);
    free(bytes);
    free(wanted);
}

void assert_outlasts_memory(place *p, er_scene_writer *write, ledger *fails, const er_scene *scene, int clip_count,
                            const er_clip *clip, const char *path, er_result other)
{
    int before = files(p, false);
    long k = 0;
    for (;; k += ERI_SANITIZED ? 1 + k / 16 : 1) { // which take their time: fewer of the late ones
        long held = fails->held;
        er_context *fresh = ledger_context(&p->ledger); // one that keeps no memory of earlier calls
        fails->left = k;
        er_result r = write(fresh, scene, clip_count, clip, NULL, path);
        fails->left = LEDGER_ALL;
        bool said = strlen(er_context_error(fresh)) > 0;
        er_context_destroy(fresh);
        assert_int_equal(fails->held, held);
        if (r == ER_OK) break;
        assert_true(r == ER_ERROR_MEMORY || r == other);
        assert_true(said);
        assert_int_equal(files(p, false), before);
    }
    assert_true(k >= 2);
    assert_true(files(p, false) > before);
    unlink(path);
}
