// Runs processes side by side, each under a deadline; reads their answers and reports their ends.
#include "tools/batch/pool.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/platform.h"
#include "tools/batch/folder.h"
#include "tools/batch/report.h"

enum { CHUNK = 1 << 16 };

// A process at work; pid 0: none.
typedef struct slot {
    int pid;
    int task, answer;
    double start;
    bool late;
    char *text, *folder;
    size_t size, room;
} slot;

typedef struct workers {
    er_context *context;
    const batch_pool *pool;
    slot *slot;     // [jobs]
    eri_wait *wait; // [jobs]
    int next, running;
} workers;

static volatile sig_atomic_t interrupted_by;

static void note_signal(int number)
{
    interrupted_by = number;
}

static _Noreturn void be_child(const workers *c, const slot *s, int answer)
{
    eri_platform_obey_ends();
    for (int i = 0; i < c->pool->jobs; ++i)
        if (c->slot[i].pid != 0) eri_platform_close(c->slot[i].answer);
    c->pool->work(c->pool->user, s->task, s->folder, answer);
    _Exit(1);
}

static er_result start(workers *c, slot *s)
{
    int pipe_ends[2];
    int error = batch_make_folder(s->folder);
    if (error != 0)
        return er_fail(c->context, ER_ERROR_FILE, "%s: cannot be made (%s)", s->folder, eri_platform_error_text(error));
    if (eri_platform_pipe(pipe_ends) != 0)
        return er_fail(c->context, ER_ERROR_SYSTEM, "no pipe for another process (%s); use fewer --jobs",
                       eri_platform_error_text(errno));
    s->task = c->next;
    s->size = 0;
    s->late = false;
    s->start = eri_seconds();
    int pid = eri_process_fork();
    if (pid == 0) {
        eri_platform_close(pipe_ends[0]);
        be_child(c, s, pipe_ends[1]);
    }
    error = errno;
    eri_platform_close(pipe_ends[1]);
    if (pid < 0) {
        eri_platform_close(pipe_ends[0]);
        return er_fail(c->context, ER_ERROR_SYSTEM, "no process for a model (%s); use fewer --jobs",
                       eri_platform_error_text(error));
    }
    eri_process_make_group(pid); // the child does the same; the first one wins
    s->pid = pid;
    s->answer = pipe_ends[0];
    ++c->next;
    ++c->running;
    return ER_OK;
}

static bool is_slot(const workers *c, int pid)
{
    for (int i = 0; i < c->pool->jobs; ++i)
        if (c->slot[i].pid == pid) return true;
    return false;
}

// Ends orphaned descendants, which became our children (eri_platform_adopt()).
static void kill_orphans(const workers *c)
{
    enum { MOST = 256 };
    int pid[MOST];
    for (bool any = true; any;) {
        int count = eri_process_children(pid, MOST);
        any = false;
        for (int i = 0; i < count; ++i) {
            eri_process_end end;
            if (is_slot(c, pid[i])) continue;
            eri_process_kill(pid[i]);
            any |= eri_process_wait(pid[i], &end); // its own children may arrive now
        }
    }
}

// Waits for it to end, ends processes that it started, and reaps it.
static void reap(const workers *c, slot *s, batch_exit *end)
{
    eri_process_end how;
    eri_process_await(s->pid);
    eri_process_kill_group(s->pid); // its group keeps the number until it is reaped
    eri_process_wait(s->pid, &how);
    eri_platform_close(s->answer);
    s->pid = 0;
    kill_orphans(c);
    *end = (batch_exit){.task = s->task,
                        .text = s->text,
                        .size = s->size,
                        .signal = how.signal,
                        .killed = how.killed,
                        .status = how.status,
                        .late = s->late,
                        .seconds = eri_seconds() - s->start,
                        .peak_mib = how.peak / (1024.0 * 1024.0),
                        .folder = s->folder};
}

static er_result finish(workers *c, slot *s)
{
    batch_exit end;
    reap(c, s, &end);
    --c->running;
    er_result r = c->pool->ended(c->pool->user, &end);
    batch_empty_folder(s->folder);
    return r;
}

// Reads the available answer.   @return  whether more may come; a process that closed its end is done
static bool take(slot *s)
{
    if (s->room - s->size < CHUNK) {
        char *grown = realloc(s->text, s->room + 2 * CHUNK);
        if (grown == NULL) return false;
        s->text = grown;
        s->room += 2 * CHUNK;
    }
    ptrdiff_t got = eri_platform_read(s->answer, s->text + s->size, CHUNK);
    if (got > 0) s->size += (size_t)got;
    return got > 0;
}

static void stop_all(workers *c)
{
    batch_exit end;
    for (int i = 0; i < c->pool->jobs; ++i) {
        slot *s = &c->slot[i];
        if (s->pid == 0) continue;
        eri_process_kill_group(s->pid);
        eri_process_kill(s->pid); // before it made its group
        reap(c, s, &end);
        batch_remove_folder(s->folder);
    }
    c->running = 0;
}

static er_result wait_for_some(workers *c)
{
    const batch_pool *pool = c->pool;
    double next = HUGE_VAL, now = eri_seconds();
    for (int i = 0; i < pool->jobs; ++i) {
        const slot *s = &c->slot[i];
        c->wait[i] = (eri_wait){s->pid != 0 ? s->answer : -1, false};
        if (s->pid != 0 && !s->late) next = fmin(next, s->start + pool->timeout);
    }
    double left = fmin(fmax(next - now, 0.0), 1e6);
    int ready = eri_platform_wait_any(c->wait, pool->jobs, left);
    if (ready < 0 && errno != EINTR)
        return er_fail(c->context, ER_ERROR_SYSTEM, "processes cannot be waited for (%s)",
                       eri_platform_error_text(errno));
    er_result r = ER_OK;
    now = eri_seconds();
    for (int i = 0; i < pool->jobs && r == ER_OK; ++i) {
        slot *s = &c->slot[i];
        if (s->pid == 0) continue;
        if (c->wait[i].ready && !take(s)) {
            r = finish(c, s);
        } else if (!s->late && now >= s->start + pool->timeout) {
            s->late = true;
            eri_process_kill_group(s->pid);
            eri_process_kill(s->pid);
        }
    }
    return r;
}

static er_result make_slots(workers *c)
{
    size_t jobs = (size_t)c->pool->jobs;
    c->slot = calloc(jobs, sizeof *c->slot);
    c->wait = calloc(jobs, sizeof *c->wait);
    bool whole = c->slot != NULL && c->wait != NULL;
    for (size_t i = 0; whole && i < jobs; ++i)
        whole = (c->slot[i].folder = batch_path("%s/%zu", c->pool->folder, i)) != NULL;
    return whole ? ER_OK : er_fail(c->context, ER_ERROR_MEMORY, "out of memory for %zu processes", jobs);
}

static void free_slots(workers *c)
{
    for (int i = 0; c->slot != NULL && i < c->pool->jobs; ++i) {
        free(c->slot[i].text);
        free(c->slot[i].folder);
    }
    free(c->slot);
    free(c->wait);
}

er_result batch_pool_run(er_context *context, const batch_pool *pool, bool *interrupted)
{
    workers c = {.context = context, .pool = pool};
    er_result r = make_slots(&c);
    interrupted_by = 0;
    eri_platform_catch_ends(note_signal);
    eri_platform_hold_ends(); // signals arrive only while waiting, so that none is lost between a check and the wait
    eri_platform_adopt(true);
    batch_remove_folder(pool->folder); // an earlier run may have left files
    while (r == ER_OK && interrupted_by == 0 && (c.next < pool->count || c.running > 0)) {
        for (int i = 0; i < pool->jobs && c.next < pool->count && r == ER_OK; ++i)
            if (c.slot[i].pid == 0) r = start(&c, &c.slot[i]);
        if (r == ER_ERROR_SYSTEM && c.running > 0) r = ER_OK; // continue once one of those has ended
        if (r == ER_OK) r = wait_for_some(&c);
    }
    if (c.slot != NULL) stop_all(&c);
    batch_remove_folder(pool->folder);
    *interrupted = interrupted_by != 0;
    eri_platform_adopt(false);
    eri_platform_release_ends();
    free_slots(&c);
    return r;
}
