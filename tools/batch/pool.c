// Processes side by side, each under a deadline; their answers are read and their ends reported.
#include "tools/batch/pool.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/platform.h"
#include "tools/batch/folder.h"
#include "tools/batch/report.h"

enum { CHUNK = 1 << 16 };

// A process at work; pid 0: none.
typedef struct slot {
    pid_t pid;
    int task, answer;
    double start;
    bool late;
    char *text, *folder;
    size_t size, room;
} slot;

typedef struct workers {
    er_context *context;
    const batch_pool *pool;
    slot *slot;          // [jobs]
    struct pollfd *wait; // [jobs]
    int next, running;
    sigset_t before; // the signals blocked outside
} workers;

static volatile sig_atomic_t interrupted_by;

static void note_signal(int number)
{
    interrupted_by = number;
}

static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
enum { END_COUNT = (int)(sizeof ends / sizeof ends[0]) };

// Ends are taken while waiting alone, so that none is lost between a look and the wait. What was ignored stays ignored.
static void take_signals(sigset_t *before, struct sigaction old[END_COUNT])
{
    struct sigaction action = {.sa_handler = note_signal};
    sigset_t blocked;
    interrupted_by = 0;
    sigemptyset(&blocked);
    for (int i = 0; i < END_COUNT; ++i) {
        sigaction(ends[i], NULL, &old[i]);
        if (old[i].sa_handler != SIG_IGN) sigaction(ends[i], &action, NULL);
        sigaddset(&blocked, ends[i]);
    }
    sigprocmask(SIG_BLOCK, &blocked, before);
}

static void give_signals_back(const sigset_t *before, const struct sigaction old[END_COUNT])
{
    for (int i = 0; i < END_COUNT; ++i)
        sigaction(ends[i], &old[i], NULL);
    sigprocmask(SIG_SETMASK, before, NULL);
}

static _Noreturn void be_child(const workers *c, const slot *s, int answer)
{
    for (int i = 0; i < END_COUNT; ++i)
        signal(ends[i], SIG_DFL);
    sigprocmask(SIG_SETMASK, &c->before, NULL);
    for (int i = 0; i < c->pool->jobs; ++i)
        if (c->slot[i].pid != 0) close(c->slot[i].answer);
    c->pool->work(c->pool->user, s->task, s->folder, answer);
    _exit(1);
}

static er_result start(workers *c, slot *s)
{
    int pipe_ends[2];
    int error = batch_make_folder(s->folder);
    if (error != 0)
        return er_fail(c->context, ER_ERROR_FILE, "%s: cannot be made (%s)", s->folder, eri_platform_error_text(error));
    if (pipe2(pipe_ends, O_CLOEXEC) != 0)
        return er_fail(c->context, ER_ERROR_SYSTEM, "no pipe for another process (%s); use fewer --jobs",
                       eri_platform_error_text(errno));
    s->task = c->next;
    s->size = 0;
    s->late = false;
    s->start = eri_seconds();
    pid_t pid = fork();
    if (pid == 0) {
        close(pipe_ends[0]);
        be_child(c, s, pipe_ends[1]);
    }
    error = errno;
    close(pipe_ends[1]);
    if (pid < 0) {
        close(pipe_ends[0]);
        return er_fail(c->context, ER_ERROR_SYSTEM, "no process for a model (%s); use fewer --jobs",
                       eri_platform_error_text(error));
    }
    setpgid(pid, pid); // as the child does: whoever comes first
    s->pid = pid;
    s->answer = pipe_ends[0];
    ++c->next;
    ++c->running;
    return ER_OK;
}

// Processes that lost their parents become ours (PR_SET_CHILD_SUBREAPER): those that are none of the slots are ended.
static void kill_orphans(const workers *c)
{
    int pid;
    for (bool any = true; any;) {
        FILE *list = fopen("/proc/thread-self/children", "re");
        any = false;
        while (list != NULL && fscanf(list, "%d", &pid) == 1) {
            bool known = false;
            for (int i = 0; i < c->pool->jobs; ++i)
                known |= c->slot[i].pid == pid;
            if (known) continue;
            kill(pid, SIGKILL);
            any |= waitpid(pid, NULL, 0) == pid; // its own may come now
        }
        if (list != NULL) fclose(list);
    }
}

// Waits for it to end, ends what it may have started, and reaps it.
static void reap(const workers *c, slot *s, batch_exit *end)
{
    siginfo_t info;
    struct rusage use = {0};
    int status = 0;
    while (waitid(P_PID, (id_t)s->pid, &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
    }
    kill(-s->pid, SIGKILL); // its group keeps the number until it is reaped
    while (wait4(s->pid, &status, 0, &use) < 0 && errno == EINTR) {
    }
    close(s->answer);
    s->pid = 0;
    kill_orphans(c);
    *end = (batch_exit){.task = s->task,
                        .text = s->text,
                        .size = s->size,
                        .signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0,
                        .status = WIFEXITED(status) ? WEXITSTATUS(status) : 0,
                        .late = s->late,
                        .seconds = eri_seconds() - s->start,
                        .peak_mib = (double)use.ru_maxrss / 1024.0,
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

// Takes what there is.   @return  whether it goes on; a process that closed its end is at its end
static bool take(slot *s)
{
    if (s->room - s->size < CHUNK) {
        char *grown = realloc(s->text, s->room + 2 * CHUNK);
        if (grown == NULL) return false;
        s->text = grown;
        s->room += 2 * CHUNK;
    }
    ssize_t got = read(s->answer, s->text + s->size, CHUNK);
    if (got > 0) s->size += (size_t)got;
    return got > 0 || (got < 0 && errno == EINTR);
}

static void stop_all(workers *c)
{
    batch_exit end;
    for (int i = 0; i < c->pool->jobs; ++i) {
        slot *s = &c->slot[i];
        if (s->pid == 0) continue;
        kill(-s->pid, SIGKILL);
        kill(s->pid, SIGKILL); // before it made its group
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
        c->wait[i] = (struct pollfd){s->pid != 0 ? s->answer : -1, POLLIN, 0};
        if (s->pid != 0 && !s->late) next = fmin(next, s->start + pool->timeout);
    }
    double left = fmin(fmax(next - now, 0.0), 1e6);
    struct timespec most = {(time_t)left, (long)(1e9 * (left - floor(left)))};
    int ready = ppoll(c->wait, (nfds_t)pool->jobs, &most, &c->before);
    if (ready < 0 && errno != EINTR)
        return er_fail(c->context, ER_ERROR_SYSTEM, "processes cannot be waited for (%s)",
                       eri_platform_error_text(errno));
    er_result r = ER_OK;
    now = eri_seconds();
    for (int i = 0; i < pool->jobs && r == ER_OK; ++i) {
        slot *s = &c->slot[i];
        if (s->pid == 0) continue;
        if (ready > 0 && c->wait[i].revents != 0 && !take(s)) {
            r = finish(c, s);
        } else if (!s->late && now >= s->start + pool->timeout) {
            s->late = true;
            kill(-s->pid, SIGKILL);
            kill(s->pid, SIGKILL);
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
    struct sigaction old[END_COUNT];
    er_result r = make_slots(&c);
    take_signals(&c.before, old);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    batch_remove_folder(pool->folder); // what an earlier run may have left
    while (r == ER_OK && interrupted_by == 0 && (c.next < pool->count || c.running > 0)) {
        for (int i = 0; i < pool->jobs && c.next < pool->count && r == ER_OK; ++i)
            if (c.slot[i].pid == 0) r = start(&c, &c.slot[i]);
        if (r == ER_ERROR_SYSTEM && c.running > 0) r = ER_OK; // there are more when one of those has ended
        if (r == ER_OK) r = wait_for_some(&c);
    }
    if (c.slot != NULL) stop_all(&c);
    batch_remove_folder(pool->folder);
    *interrupted = interrupted_by != 0;
    prctl(PR_SET_CHILD_SUBREAPER, 0);
    give_signals_back(&c.before, old);
    free_slots(&c);
    return r;
}
