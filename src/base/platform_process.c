// Processes on POSIX, with /proc and prctl() of Linux.
#include "base/platform.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/hash.h"

// ---- Starting

// Has the new program close all files but the standard streams. Ours close themselves, a host's may not.
static int close_rest(posix_spawn_file_actions_t *files)
{
#ifdef __GLIBC__
    return posix_spawn_file_actions_addclosefrom_np(files, 3);
#else
    DIR *open_files = opendir("/proc/self/fd");
    const struct dirent *entry;
    int error = 0;
    while (open_files != NULL && error == 0 && (entry = readdir(open_files)) != NULL) {
        int file = atoi(entry->d_name);
        if (file >= 3) error = posix_spawn_file_actions_addclose(files, file);
    }
    if (open_files != NULL) closedir(open_files);
    return error;
#endif
}

static int set_streams(posix_spawn_file_actions_t *files, const eri_spawn_def *def)
{
    const int stream[] = {def->input, def->output, def->errors};
    int error = 0;
    for (int i = 0; i < 3 && error == 0; ++i)
        if (stream[i] >= 0) error = posix_spawn_file_actions_adddup2(files, stream[i], i);
    if (def->quiet && error == 0) error = posix_spawn_file_actions_addopen(files, 0, "/dev/null", O_RDONLY, 0);
    if (def->quiet && error == 0) error = posix_spawn_file_actions_addopen(files, 2, "/dev/null", O_WRONLY, 0);
    if (def->alone && error == 0) error = close_rest(files);
    return error;
}

static void set_alone(posix_spawnattr_t *how)
{
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(how, &none);
    posix_spawnattr_setsigdefault(how, &all);
    posix_spawnattr_setpgroup(how, 0);
    posix_spawnattr_setflags(how, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
}

int eri_process_spawn(const eri_spawn_def *def, int *process)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    char *const *words = (char *const *)(uintptr_t)def->words;
    int error = posix_spawn_file_actions_init(&files);
    if (error != 0) return error;
    error = posix_spawnattr_init(&how);
    if (error == 0) {
        error = set_streams(&files, def);
        if (def->alone) set_alone(&how);
        if (error == 0)
            error = def->search ? posix_spawnp(process, def->program, &files, &how, words, environ)
                                : posix_spawn(process, def->program, &files, &how, words, environ);
        posix_spawnattr_destroy(&how);
    }
    posix_spawn_file_actions_destroy(&files);
    return error;
}

int eri_process_fork(void)
{
    return fork();
}

void eri_process_become(const char *program, char **words)
{
    execv(program != NULL ? program : "/proc/self/exe", words);
}

// ---- Ending

void eri_process_await(int process)
{
    siginfo_t info;
    while (waitid(P_PID, (id_t)process, &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
    }
}

static bool collect(int process, int flags, eri_process_end *end)
{
    struct rusage use = {0};
    int status = 0, got;
    while ((got = wait4(process, &status, flags, &use)) < 0 && errno == EINTR) {
    }
    *end = (eri_process_end){.known = got == process};
    if (!end->known) return got != 0; // ECHILD where this program ignores SIGCHLD
    end->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    end->status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    end->killed = end->signal == SIGKILL;
    end->timed_out = end->signal == SIGXCPU;
    end->peak = 1024.0 * (double)use.ru_maxrss;
    return true;
}

bool eri_process_wait(int process, eri_process_end *end)
{
    collect(process, 0, end);
    return end->known;
}

bool eri_process_has_ended(int process, eri_process_end *end)
{
    return collect(process, WNOHANG, end);
}

void eri_process_kill(int process)
{
    kill(process, SIGKILL);
}

void eri_process_kill_group(int process)
{
    kill(-process, SIGKILL);
}

bool eri_process_exists(int process)
{
    return kill(process, 0) == 0 || errno != ESRCH;
}

// ---- Families

void eri_process_make_group(int process)
{
    setpgid(process, process);
}

int eri_process_children(int *child, int most)
{
    FILE *list = fopen("/proc/thread-self/children", "re");
    int count = 0;
    while (list != NULL && count < most && fscanf(list, "%d", &child[count]) == 1)
        ++count;
    if (list != NULL) fclose(list);
    return count;
}

void eri_platform_adopt(bool adopt)
{
    prctl(PR_SET_CHILD_SUBREAPER, adopt);
}

void eri_platform_end_with_parent(void)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
}

int eri_platform_process(void)
{
    return getpid();
}

uint64_t eri_platform_system_number(void)
{
    char text[64] = "", space[64] = "";
    int file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    ssize_t got = file >= 0 ? read(file, text, sizeof text - 1) : -1;
    if (file >= 0) close(file);
    if (got <= 0 || readlink("/proc/self/ns/pid", space, sizeof space - 1) <= 0) return 0;
    return eri_hash_bytes(eri_hash_bytes(ERI_HASH_BEGIN, text, sizeof text), space, sizeof space);
}

// ---- Streams and environment

void eri_platform_fill_streams(void)
{
    for (int file = ERI_INPUT; file <= ERI_ERRORS; ++file)
        if (fcntl(file, F_GETFD) < 0 && open("/dev/null", file == ERI_INPUT ? O_WRONLY : O_RDONLY) < 0) return;
}

void eri_platform_close_streams(void)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int file = ERI_INPUT; null >= 0 && file <= ERI_ERRORS; ++file)
        dup2(null, file);
}

FILE *eri_platform_take_output(void)
{
    int file = fcntl(ERI_OUTPUT, F_DUPFD_CLOEXEC, 3), null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    FILE *output = file >= 0 ? fdopen(file, "wb") : NULL;
    bool done = output != NULL && null >= 0 && dup2(null, ERI_OUTPUT) >= 0 && dup2(null, ERI_ERRORS) >= 0;
    if (null > ERI_ERRORS) close(null);
    return done ? output : NULL;
}

const char *eri_platform_trusted_variable(const char *name)
{
    return secure_getenv(name);
}

void eri_platform_set_variable(const char *name, const char *value, bool replace)
{
    setenv(name, value, replace);
}
