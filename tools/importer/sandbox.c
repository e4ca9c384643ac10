// Restricts the process that reads models: Landlock for files, seccomp for system calls.
#include "tools/importer/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/landlock.h>
#include <seccomp.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/arena.h"

// ---- files

// All rights that this version of Landlock can deny.
static __u64 file_rights(long abi)
{
    __u64 rights = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1; // all of the first version
#ifdef LANDLOCK_ACCESS_FS_REFER
    if (abi >= 2) rights |= LANDLOCK_ACCESS_FS_REFER;
#endif
#ifdef LANDLOCK_ACCESS_FS_TRUNCATE
    if (abi >= 3) rights |= LANDLOCK_ACCESS_FS_TRUNCATE;
#endif
    return rights;
}

static bool allow_reading(int rules, const char *path)
{
    struct landlock_path_beneath_attr below = {.allowed_access = LANDLOCK_ACCESS_FS_READ_FILE};
    below.parent_fd = open(path, O_PATH | O_CLOEXEC);
    if (below.parent_fd < 0) return false;
    bool added = syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &below, 0) == 0;
    close(below.parent_fd);
    return added;
}

static const char *folder_of(const char *model, char folder[PATH_MAX])
{
    const char *slash = strrchr(model, '/');
    if (slash == NULL) return ".";
    size_t length = slash == model ? 1 : (size_t)(slash - model);
    if (length >= PATH_MAX) return model;
    memcpy(folder, model, length);
    folder[length] = '\0';
    return folder;
}

static bool shut_files(const char *model, bool anywhere)
{
    char folder[PATH_MAX];
    long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (abi < 1) return false;
    struct landlock_ruleset_attr asked = {.handled_access_fs = file_rights(abi)};
    int rules = (int)syscall(SYS_landlock_create_ruleset, &asked, sizeof asked, 0);
    if (rules < 0) return false;
    allow_reading(rules, model); // may be a link out of its folder; a missing file is reported when it is opened
    allow_reading(rules, anywhere ? "/" : folder_of(model, folder));
    bool shut = syscall(SYS_landlock_restrict_self, rules, 0) == 0;
    close(rules);
    return shut;
}

// ---- system calls

// System calls of the C library, Assimp and our own code between opening a model and the end of the answer, and of
// abort().
static const int harmless[] = {
    SCMP_SYS(access),
    SCMP_SYS(brk),
    SCMP_SYS(clock_gettime),
    SCMP_SYS(clock_nanosleep),
    SCMP_SYS(close),
    SCMP_SYS(dup),
    SCMP_SYS(exit),
    SCMP_SYS(exit_group),
    SCMP_SYS(faccessat),
    SCMP_SYS(faccessat2),
    SCMP_SYS(fcntl),
    SCMP_SYS(fstat),
    SCMP_SYS(fstatfs),
    SCMP_SYS(futex),
    SCMP_SYS(getcwd),
    SCMP_SYS(getpid),
    SCMP_SYS(getrandom),
    SCMP_SYS(getrlimit),
    SCMP_SYS(gettid),
    SCMP_SYS(gettimeofday),
    SCMP_SYS(getuid),
    SCMP_SYS(lseek),
    SCMP_SYS(lstat),
    SCMP_SYS(madvise),
    SCMP_SYS(mmap),
    SCMP_SYS(mprotect),
    SCMP_SYS(mremap),
    SCMP_SYS(munmap),
    SCMP_SYS(newfstatat),
    SCMP_SYS(pread64),
    SCMP_SYS(read),
    SCMP_SYS(readlink),
    SCMP_SYS(readlinkat),
    SCMP_SYS(readv),
    SCMP_SYS(restart_syscall),
    SCMP_SYS(rt_sigaction),
    SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigreturn),
    SCMP_SYS(sched_getaffinity),
    SCMP_SYS(sched_yield),
    SCMP_SYS(stat),
    SCMP_SYS(statx),
    SCMP_SYS(sysinfo),
    SCMP_SYS(time),
    SCMP_SYS(uname),
    SCMP_SYS(write),
    SCMP_SYS(writev),
};

// Opens for reading only.
static int allow_opening(scmp_filter_ctx filter)
{
    const unsigned long changes = O_ACCMODE | O_CREAT | O_TRUNC;
    int failed =
        seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(openat), 1, SCMP_A2(SCMP_CMP_MASKED_EQ, changes, O_RDONLY));
    return failed |
           seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(open), 1, SCMP_A1(SCMP_CMP_MASKED_EQ, changes, O_RDONLY));
}

// Signals and limits of this process only.
static int allow_own(scmp_filter_ctx filter)
{
    scmp_datum_t self = (scmp_datum_t)getpid();
    int failed = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1, SCMP_A0(SCMP_CMP_EQ, self, 0));
    return failed | seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 1, SCMP_A0(SCMP_CMP_EQ, 0, 0));
}

// Calls that are not listed fail with EPERM, so that a library that asks for more can go on without them.
static bool shut_calls(void)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    if (filter == NULL) return false;
    int failed = allow_opening(filter) | allow_own(filter);
    for (size_t i = 0; i < ERI_COUNT(harmless); ++i)
        failed |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, harmless[i], 0);
    bool shut = failed == 0 && seccomp_load(filter) == 0;
    seccomp_release(filter);
    return shut;
}

unsigned imp_sandbox_enter(const char *model, bool anywhere)
{
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return 0;
    return (shut_files(model, anywhere) ? SANDBOX_FILES : 0) | (shut_calls() ? SANDBOX_CALLS : 0);
}
