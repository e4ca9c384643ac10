// Temporary files, named by the system and the process that write them: .eigenrig-SYSTEM-PROCESS-NUMBER.tmp.
#include "base/temporary.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/platform.h"

enum { TRIES = 1000 };

static bool is_of_the_dead(const char *name, uint64_t here)
{
    uint64_t system;
    int process, number, end = 0;
    return sscanf(name, ".eigenrig-%16" SCNx64 "-%d-%d.tmp%n", &system, &process, &number, &end) == 3 && end > 0 &&
           name[end] == '\0' && system == here && process > 0 && !eri_process_exists(process);
}

// Looks through a folder, once for all files that a context writes there one after the other.
static void sweep(er_context *context, const char *folder, uint64_t here)
{
    eri_file_info info;
    eri_listing *list = here != 0 ? eri_listing_open(folder) : NULL;
    if (list == NULL) return;
    if (eri_listing_stat(list, ".", &info) == 0 && eri_context_enters(context, info.device, info.number))
        for (const char *e; (e = eri_listing_next(list)) != NULL;)
            if (is_of_the_dead(e, here)) eri_listing_unlink(list, e);
    eri_listing_close(list);
}

// Made by open() itself, so that the process's umask shapes its permissions: reading the umask would race with other
// threads.
int eri_temporary_open(er_context *context, const char *path, char name[ER_FILE_NAME_MAX])
{
    uint64_t here = eri_platform_system_number();
    const char *slash = strrchr(path, '/');
    int folder = slash != NULL ? (int)(slash - path) + 1 : 0;
    snprintf(name, ER_FILE_NAME_MAX, "%.*s", folder, path);
    sweep(context, folder > 0 ? name : ".", here);
    for (int i = 0; i < TRIES; ++i) {
        int length = snprintf(name, ER_FILE_NAME_MAX, "%.*s.eigenrig-%016" PRIx64 "-%d-%d.tmp", folder, path, here,
                              eri_platform_process(), i);
        if (length < 0 || length >= ER_FILE_NAME_MAX) {
            errno = ENAMETOOLONG;
            return -1;
        }
        int file = eri_platform_open(name, ERI_OPEN_WRITE | ERI_OPEN_CREATE | ERI_OPEN_NEW);
        if (file >= 0 || errno != EEXIST) return file;
    }
    return -1;
}
