// Files, folders and paths on POSIX, with /proc of Linux.
#include "base/platform.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/platform_signals.h"

_Static_assert(ER_FILE_NAME_MAX >= PATH_MAX, "names that the system can hold");

// ---- Opening and closing

int eri_platform_open(const char *path, unsigned flags)
{
    static const struct {
        unsigned ours;
        int theirs;
    } pairs[] = {{ERI_OPEN_APPEND, O_APPEND},    {ERI_OPEN_CREATE, O_CREAT},     {ERI_OPEN_NEW, O_EXCL},
                 {ERI_OPEN_NO_WAIT, O_NONBLOCK}, {ERI_OPEN_FOLDER, O_DIRECTORY}, {ERI_OPEN_NAME, O_PATH}};
    bool reads = (flags & ERI_OPEN_READ) != 0, writes = (flags & (ERI_OPEN_WRITE | ERI_OPEN_APPEND)) != 0;
    int how = O_CLOEXEC | (reads && writes ? O_RDWR : writes ? O_WRONLY : O_RDONLY);
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; ++i)
        if ((flags & pairs[i].ours) != 0) how |= pairs[i].theirs;
    return open(path, how, 0666);
}

static void link_of(int file, char link[64])
{
    snprintf(link, 64, "/proc/self/fd/%d", file);
}

int eri_platform_reopen(int file)
{
    char link[64];
    link_of(file, link);
    return open(link, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

int eri_platform_close(int file)
{
    return close(file);
}

int eri_platform_duplicate(int file)
{
    return fcntl(file, F_DUPFD_CLOEXEC, 0);
}

FILE *eri_platform_stream(int file, const char *mode)
{
    return fdopen(file, mode);
}

// ---- Reading and writing

ptrdiff_t eri_platform_read(int file, void *bytes, size_t size)
{
    ssize_t count;
    while ((count = read(file, bytes, size)) < 0 && errno == EINTR) {
    }
    return count;
}

ptrdiff_t eri_platform_read_at(int file, void *bytes, size_t size, int64_t offset)
{
    return pread(file, bytes, size, offset);
}

ptrdiff_t eri_platform_write(int file, const void *bytes, size_t size)
{
    return write(file, bytes, size);
}

int eri_platform_write_all(int file, const void *bytes, size_t size)
{
    for (const char *at = bytes; size > 0;) {
        ssize_t count = write(file, at, size);
        if (count < 0 && errno != EINTR) return errno;
        if (count > 0) {
            at += count;
            size -= (size_t)count;
        }
    }
    return 0;
}

int eri_platform_seek(int file, int64_t offset)
{
    return lseek(file, offset, SEEK_SET) < 0 ? -1 : 0;
}

int eri_platform_truncate(int file, int64_t size)
{
    return ftruncate(file, size);
}

int eri_platform_flush(int file)
{
    return fsync(file);
}

int eri_platform_flush_stream(FILE *stream)
{
    return fflush(stream) == 0 && !ferror(stream) ? fsync(fileno(stream)) : -1;
}

int eri_platform_flush_disk(int file)
{
    return syncfs(file);
}

void eri_platform_flush_soon(int file)
{
    sync_file_range(file, 0, 0, SYNC_FILE_RANGE_WRITE);
}

int eri_platform_set_mode(int file, unsigned mode)
{
    return fchmod(file, mode);
}

int eri_platform_lock(int file, bool shared)
{
    return flock(file, (shared ? LOCK_SH : LOCK_EX) | LOCK_NB);
}

// ---- Facts

static int fill_info(int result, const struct stat *from, eri_file_info *info)
{
    *info = (eri_file_info){0};
    if (result != 0) return result;
    info->kind = S_ISREG(from->st_mode)   ? ERI_FILE_REGULAR
                 : S_ISDIR(from->st_mode) ? ERI_FILE_FOLDER
                 : S_ISLNK(from->st_mode) ? ERI_FILE_LINK
                                          : ERI_FILE_OTHER;
    info->mode = from->st_mode & 07777;
    info->size = from->st_size;
    info->changed = from->st_mtim.tv_sec * INT64_C(1000000000) + from->st_mtim.tv_nsec;
    info->device = from->st_dev;
    info->number = from->st_ino;
    return 0;
}

int eri_platform_stat(const char *path, eri_file_info *info)
{
    struct stat found;
    return fill_info(stat(path, &found), &found, info);
}

int eri_platform_stat_link(const char *path, eri_file_info *info)
{
    struct stat found;
    return fill_info(lstat(path, &found), &found, info);
}

int eri_platform_stat_open(int file, eri_file_info *info)
{
    struct stat found;
    return fill_info(fstat(file, &found), &found, info);
}

bool eri_platform_access(const char *path, eri_access wanted)
{
    static const int modes[] = {F_OK, R_OK, W_OK, X_OK};
    return faccessat(AT_FDCWD, path, modes[wanted], AT_EACCESS) == 0;
}

// ---- Names

int eri_platform_unlink(const char *path)
{
    return unlink(path);
}

int eri_platform_rename(const char *from, const char *to)
{
    return rename(from, to);
}

int eri_platform_link(const char *from, const char *to)
{
    return link(from, to);
}

int eri_platform_make_folder(const char *path)
{
    return mkdir(path, 0777);
}

int eri_platform_make_private_folder(const char *path)
{
    return mkdir(path, 0700);
}

int eri_platform_remove_folder(const char *path)
{
    return rmdir(path);
}

FILE *eri_platform_temporary_file(char *path)
{
    int file = mkostemp(path, O_CLOEXEC);
    FILE *stream = file >= 0 ? fdopen(file, "wb") : NULL;
    if (stream == NULL && file >= 0) {
        close(file);
        unlink(path);
    }
    return stream;
}

bool eri_platform_temporary_folder(char *path)
{
    return mkdtemp(path) != NULL;
}

// ---- Files without a name, and waiting

int eri_platform_memory_file(const char *label)
{
    return memfd_create(label, MFD_CLOEXEC);
}

int eri_platform_socket(int ends[2])
{
    return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends);
}

ptrdiff_t eri_platform_send(int socket, const void *bytes, size_t size)
{
    ssize_t count;
    while ((count = send(socket, bytes, size, MSG_NOSIGNAL)) < 0 && errno == EINTR) {
    }
    return count;
}

int eri_platform_pipe(int ends[2])
{
    return pipe2(ends, O_CLOEXEC);
}

int eri_platform_wait_readable(int file, double seconds)
{
    struct pollfd wait = {file, POLLIN, 0};
    int ready = poll(&wait, 1, seconds > 0.0 ? (int)fmin(seconds * 1000.0 + 1.0, 1e6) : 0);
    return ready < 0 && errno == EINTR ? 0 : ready;
}

int eri_platform_wait_any(eri_wait *wait, int count, double seconds)
{
    struct pollfd *list = calloc((size_t)count + 1, sizeof *list);
    if (list == NULL) return -1;
    for (int i = 0; i < count; ++i)
        list[i] = (struct pollfd){wait[i].file, POLLIN, 0};
    struct timespec most = {(time_t)seconds, (long)(1e9 * (seconds - floor(seconds)))};
    int ready = ppoll(list, (nfds_t)count, &most, eri_signals_before_hold()), error = errno;
    for (int i = 0; i < count; ++i)
        wait[i].ready = ready > 0 && list[i].revents != 0;
    free(list);
    errno = error;
    return ready;
}

bool eri_platform_is_terminal(int file)
{
    return isatty(file) != 0;
}

// ---- Folders. A listing is the system's own.

eri_listing *eri_listing_open(const char *folder)
{
    return (eri_listing *)opendir(folder);
}

const char *eri_listing_next(eri_listing *listing)
{
    const struct dirent *entry = readdir((DIR *)listing);
    return entry != NULL ? entry->d_name : NULL;
}

void eri_listing_close(eri_listing *listing)
{
    if (listing != NULL) closedir((DIR *)listing);
}

int eri_listing_stat(eri_listing *listing, const char *name, eri_file_info *info)
{
    struct stat found;
    return fill_info(fstatat(dirfd((DIR *)listing), name, &found, 0), &found, info);
}

int eri_listing_unlink(eri_listing *listing, const char *name)
{
    return unlinkat(dirfd((DIR *)listing), name, 0);
}

int eri_platform_glob(const char *pattern, bool (*each)(void *user, const char *path), void *user)
{
    glob_t found;
    int error = glob(pattern, 0, NULL, &found);
    if (error != 0) return error == GLOB_NOSPACE ? -1 : 0;
    for (size_t i = 0; i < found.gl_pathc && each(user, found.gl_pathv[i]);)
        ++i;
    globfree(&found);
    return 1;
}

// ---- Paths

char *eri_platform_real_path(const char *path, char *out)
{
    return realpath(path, out);
}

ptrdiff_t eri_platform_read_link(const char *path, char *out, size_t size)
{
    return readlink(path, out, size);
}

static bool read_whole_link(const char *path, char *out)
{
    ssize_t length = readlink(path, out, ER_FILE_NAME_MAX);
    if (length < 0 || length == ER_FILE_NAME_MAX) return false;
    out[length] = '\0';
    return true;
}

bool eri_platform_path_of(int file, char *out)
{
    char link[64];
    link_of(file, link);
    return read_whole_link(link, out);
}

bool eri_platform_current_folder(char *out, size_t size)
{
    return getcwd(out, size) != NULL;
}

bool eri_platform_program(char *out)
{
    return read_whole_link("/proc/self/exe", out);
}

const char *eri_platform_library_of(const void *address)
{
    Dl_info library;
    return dladdr(address, &library) != 0 ? library.dli_fname : NULL;
}

bool eri_platform_user_folder(eri_user_folder folder, char *out)
{
    static const struct {
        const char *variable, *below;
    } places[] = {{"XDG_CONFIG_HOME", ".config"}, {"XDG_STATE_HOME", ".local/state"}, {"TMPDIR", NULL}};
    const char *set = getenv(places[folder].variable), *home = getenv("HOME");
    int length = -1;
    if (folder == ERI_FOLDER_TEMPORARY)
        length = snprintf(out, ER_FILE_NAME_MAX, "%s", set != NULL && *set != '\0' ? set : "/tmp");
    else if (set != NULL && *set == '/')
        length = snprintf(out, ER_FILE_NAME_MAX, "%s", set);
    else if (home != NULL && *home == '/')
        length = snprintf(out, ER_FILE_NAME_MAX, "%s/%s", home, places[folder].below);
    return length >= 0 && length < ER_FILE_NAME_MAX;
}
