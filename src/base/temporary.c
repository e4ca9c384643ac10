// Temporary files, named by the system and the process that write them: .eigenrig-SYSTEM-PROCESS-NUMBER.tmp.
#include "base/temporary.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/hash.h"

enum { TRIES = 1000 };

// A hash of a start of the machine and of what numbers processes in it: where both are the same, a number means the
// same process. 0 where the system does not tell.
static uint64_t system_number(void)
{
    char text[64] = "", space[64] = "";
    int file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    ssize_t got = file >= 0 ? read(file, text, sizeof text - 1) : -1;
    if (file >= 0) close(file);
    if (got <= 0 || readlink("/proc/self/ns/pid", space, sizeof space - 1) <= 0) return 0;
    return eri_hash_bytes(eri_hash_bytes(ERI_HASH_BEGIN, text, sizeof text), space, sizeof space);
}

static bool is_of_the_dead(const char *name, uint64_t here)
{
    uint64_t system;
    int process, number, end = 0;
    return sscanf(name, ".eigenrig-%16" SCNx64 "-%d-%d.tmp%n", &system, &process, &number, &end) == 3 && end > 0 &&
           name[end] == '\0' && system == here && process > 0 && kill(process, 0) != 0 && errno == ESRCH;
}

// Looks through a folder, once for all files that a context writes there one after the other.
static void sweep(er_context *context, const char *folder, uint64_t here)
{
    struct stat info;
    DIR *list = here != 0 ? opendir(folder) : NULL;
    if (list == NULL) return;
    if (fstat(dirfd(list), &info) == 0 && eri_context_enters(context, (uint64_t)info.st_dev, (uint64_t)info.st_ino))
        for (struct dirent *e; (e = readdir(list)) != NULL;)
            if (is_of_the_dead(e->d_name, here)) unlinkat(dirfd(list), e->d_name, 0);
    closedir(list);
}

// Made by open() itself, so that the process's umask shapes its permissions: reading the umask would race with other
// threads.
int eri_temporary_open(er_context *context, const char *path, char name[PATH_MAX])
{
    uint64_t here = system_number();
    const char *slash = strrchr(path, '/');
    int folder = slash != NULL ? (int)(slash - path) + 1 : 0;
    snprintf(name, PATH_MAX, "%.*s", folder, path);
    sweep(context, folder > 0 ? name : ".", here);
    for (int i = 0; i < TRIES; ++i) {
        int length =
            snprintf(name, PATH_MAX, "%.*s.eigenrig-%016" PRIx64 "-%d-%d.tmp", folder, path, here, (int)getpid(), i);
        if (length < 0 || length >= PATH_MAX) {
            errno = ENAMETOOLONG;
            return -1;
        }
        int file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file >= 0 || errno != EEXIST) return file;
    }
    return -1;
}
