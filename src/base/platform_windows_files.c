// Files, folders and paths on Windows.
#include "base/platform_windows.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <windows.h>

#include "base/platform.h"

// ---- Opening and closing. Files may be replaced and removed while they are open, as on POSIX.

int eri_platform_open(const char *path, unsigned flags)
{
    bool reads = (flags & ERI_OPEN_READ) != 0, writes = (flags & (ERI_OPEN_WRITE | ERI_OPEN_APPEND)) != 0;
    bool folder = (flags & (ERI_OPEN_FOLDER | ERI_OPEN_NAME)) != 0;
    wchar_t *wide = eri_windows_path(path);
    if (wide == NULL) return -1;
    DWORD access = (reads || !writes ? GENERIC_READ : 0) | (writes ? GENERIC_WRITE : 0);
    DWORD how = (flags & ERI_OPEN_CREATE) == 0 ? OPEN_EXISTING : (flags & ERI_OPEN_NEW) != 0 ? CREATE_NEW : OPEN_ALWAYS;
    HANDLE handle = CreateFileW(wide, access, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, how,
                                folder ? FILE_FLAG_BACKUP_SEMANTICS : FILE_ATTRIBUTE_NORMAL, NULL);
    free(wide);
    if (handle == INVALID_HANDLE_VALUE) {
        eri_windows_failed();
        if (errno == EACCES && eri_platform_is_folder(path)) errno = EISDIR;
        return -1;
    }
    return _open_osfhandle((intptr_t)handle,
                           _O_BINARY | _O_NOINHERIT | ((flags & ERI_OPEN_APPEND) != 0 ? _O_APPEND : 0));
}

int eri_platform_reopen(int file)
{
    HANDLE handle = ReOpenFile((HANDLE)_get_osfhandle(file), GENERIC_READ,
                               FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, 0);
    if (handle == INVALID_HANDLE_VALUE) return eri_windows_failed();
    return _open_osfhandle((intptr_t)handle, _O_BINARY | _O_NOINHERIT | _O_RDONLY);
}

int eri_platform_close(int file)
{
    return _close(file);
}

int eri_platform_duplicate(int file)
{
    return _dup(file);
}

FILE *eri_platform_stream(int file, const char *mode)
{
    return _fdopen(file, mode);
}

// ---- Reading and writing

static unsigned at_most(size_t size)
{
    return size < INT32_MAX ? (unsigned)size : INT32_MAX;
}

ptrdiff_t eri_platform_read(int file, void *bytes, size_t size)
{
    return _read(file, bytes, at_most(size));
}

ptrdiff_t eri_platform_read_at(int file, void *bytes, size_t size, int64_t offset)
{
    OVERLAPPED at = {.Offset = (DWORD)offset, .OffsetHigh = (DWORD)(offset >> 32)};
    int64_t before = _lseeki64(file, 0, SEEK_CUR);
    DWORD count = 0;
    bool done = ReadFile((HANDLE)_get_osfhandle(file), bytes, at_most(size), &count, &at);
    if (!done && GetLastError() != ERROR_HANDLE_EOF) return eri_windows_failed();
    _lseeki64(file, before, SEEK_SET);
    return (ptrdiff_t)count;
}

ptrdiff_t eri_platform_write(int file, const void *bytes, size_t size)
{
    return _write(file, bytes, at_most(size));
}

int eri_platform_write_all(int file, const void *bytes, size_t size)
{
    for (const char *at = bytes; size > 0;) {
        ptrdiff_t count = eri_platform_write(file, at, size);
        if (count < 0) return errno;
        at += count;
        size -= (size_t)count;
    }
    return 0;
}

int eri_platform_seek(int file, int64_t offset)
{
    return _lseeki64(file, offset, SEEK_SET) < 0 ? -1 : 0;
}

int eri_platform_truncate(int file, int64_t size)
{
    errno_t error = _chsize_s(file, size);
    if (error != 0) errno = error;
    return error == 0 ? 0 : -1;
}

int eri_platform_flush(int file)
{
    return _commit(file);
}

int eri_platform_flush_stream(FILE *stream)
{
    return fflush(stream) == 0 && !ferror(stream) ? _commit(_fileno(stream)) : -1;
}

int eri_platform_flush_disk(int file)
{
    return _commit(file);
}

void eri_platform_flush_soon(int file)
{
    (void)file;
}

int eri_platform_set_mode(int file, unsigned mode)
{
    (void)file;
    (void)mode;
    return 0; // files get the rights of their folder
}

int eri_platform_lock(int file, bool shared)
{
    OVERLAPPED at = {.OffsetHigh = 0x7fffffff}; // past all bytes, which others may still read
    DWORD how = LOCKFILE_FAIL_IMMEDIATELY | (shared ? 0 : LOCKFILE_EXCLUSIVE_LOCK);
    return LockFileEx((HANDLE)_get_osfhandle(file), how, 0, 1, 0, &at) ? 0 : eri_windows_failed();
}

// ---- Facts

static int fill_info(HANDLE handle, eri_file_info *info)
{
    BY_HANDLE_FILE_INFORMATION found;
    *info = (eri_file_info){0};
    if (!GetFileInformationByHandle(handle, &found)) {
        if (GetFileType(handle) == FILE_TYPE_DISK) return eri_windows_failed();
        info->number = 1; // a pipe or a console
        return 0;
    }
    int64_t ticks = (int64_t)found.ftLastWriteTime.dwHighDateTime << 32 | found.ftLastWriteTime.dwLowDateTime;
    info->kind = (found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0 ? ERI_FILE_FOLDER : ERI_FILE_REGULAR;
    info->mode = (found.dwFileAttributes & FILE_ATTRIBUTE_READONLY) != 0 ? 0444 : 0644;
    info->size = (int64_t)found.nFileSizeHigh << 32 | found.nFileSizeLow;
    info->changed = (ticks - INT64_C(116444736000000000)) * 100; // from 1601 to 1970
    info->device = found.dwVolumeSerialNumber;
    info->number = (uint64_t)found.nFileIndexHigh << 32 | found.nFileIndexLow;
    if (info->number == 0) info->number = 1;
    return 0;
}

static int stat_path(const char *path, DWORD flags, eri_file_info *info)
{
    *info = (eri_file_info){0};
    wchar_t *wide = eri_windows_path(path);
    if (wide == NULL) return -1;
    HANDLE handle = CreateFileW(wide, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, OPEN_EXISTING,
                                FILE_FLAG_BACKUP_SEMANTICS | flags, NULL);
    free(wide);
    if (handle == INVALID_HANDLE_VALUE) return eri_windows_failed();
    int result = fill_info(handle, info);
    CloseHandle(handle);
    return result;
}

int eri_platform_stat(const char *path, eri_file_info *info)
{
    return stat_path(path, 0, info);
}

int eri_platform_stat_link(const char *path, eri_file_info *info)
{
    return stat_path(path, FILE_FLAG_OPEN_REPARSE_POINT, info);
}

int eri_platform_stat_open(int file, eri_file_info *info)
{
    return fill_info((HANDLE)_get_osfhandle(file), info);
}

bool eri_platform_access(const char *path, eri_access wanted)
{
    wchar_t *wide = eri_windows_path(path);
    DWORD found = wide != NULL ? GetFileAttributesW(wide) : INVALID_FILE_ATTRIBUTES;
    free(wide);
    if (found == INVALID_FILE_ATTRIBUTES) {
        eri_windows_failed();
        return false;
    }
    errno = EACCES;
    return wanted != ERI_CAN_WRITE || (found & FILE_ATTRIBUTE_READONLY) == 0 || (found & FILE_ATTRIBUTE_DIRECTORY) != 0;
}

// ---- Names

// Calls a function of Windows with one or two paths.
static int with_paths(const char *path, const char *second, BOOL (*call)(const wchar_t *, const wchar_t *))
{
    wchar_t *wide = eri_windows_path(path), *other = second != NULL ? eri_windows_path(second) : NULL;
    int result = wide == NULL || (second != NULL && other == NULL) ? -1 : call(wide, other) ? 0 : eri_windows_failed();
    free(wide);
    free(other);
    return result;
}

static BOOL delete_file(const wchar_t *path, const wchar_t *unused)
{
    (void)unused;
    return DeleteFileW(path);
}

static BOOL move_file(const wchar_t *from, const wchar_t *to)
{
    return MoveFileExW(from, to, MOVEFILE_REPLACE_EXISTING);
}

// Replaces a file that others have open. Needs Windows 10.
static BOOL move_over(const wchar_t *from, const wchar_t *to)
{
    static const int RENAME_INFO_EX = 22;         // FileRenameInfoEx
    static const DWORD REPLACE = 1, AS_POSIX = 2; // FILE_RENAME_FLAG_*
    size_t length = wcslen(to) * sizeof *to;
    FILE_RENAME_INFO *info = calloc(1, sizeof *info + length);
    HANDLE handle = CreateFileW(from, DELETE, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                                OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    BOOL done = FALSE;
    if (info != NULL && handle != INVALID_HANDLE_VALUE) {
        DWORD flags = REPLACE | AS_POSIX;
        memcpy(info, &flags, sizeof flags);
        info->FileNameLength = (DWORD)length;
        memcpy(info->FileName, to, length);
        done = SetFileInformationByHandle(handle, (FILE_INFO_BY_HANDLE_CLASS)RENAME_INFO_EX, info,
                                          (DWORD)(sizeof *info + length));
    }
    if (handle != INVALID_HANDLE_VALUE) CloseHandle(handle);
    free(info);
    return done;
}

static BOOL link_file(const wchar_t *from, const wchar_t *to)
{
    return CreateHardLinkW(to, from, NULL);
}

static BOOL make_folder(const wchar_t *path, const wchar_t *unused)
{
    (void)unused;
    return CreateDirectoryW(path, NULL);
}

static BOOL remove_folder(const wchar_t *path, const wchar_t *unused)
{
    (void)unused;
    return RemoveDirectoryW(path);
}

int eri_platform_unlink(const char *path)
{
    int result = with_paths(path, NULL, delete_file);
    if (result != 0 && errno == EACCES && eri_platform_is_folder(path)) errno = EISDIR;
    return result;
}

int eri_platform_rename(const char *from, const char *to)
{
    int result = with_paths(from, to, move_file);
    if (result == 0 || errno != EACCES) return result;
    if (with_paths(from, to, move_over) == 0) return 0;
    errno = EACCES; // older systems do not know that call
    return -1;
}

int eri_platform_link(const char *from, const char *to)
{
    return with_paths(from, to, link_file);
}

int eri_platform_make_folder(const char *path)
{
    return with_paths(path, NULL, make_folder);
}

int eri_platform_make_private_folder(const char *path)
{
    return eri_platform_make_folder(path); // the user's own folders are the user's alone
}

int eri_platform_remove_folder(const char *path)
{
    return with_paths(path, NULL, remove_folder);
}

// Tries names in place of XXXXXX until `make` makes one.   @return what it returned
static int make_temporary(char *path, int (*make)(const char *path))
{
    enum { TRIES = 1000 };
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz012345";
    char *at = path + strlen(path) - 6;
    LARGE_INTEGER now;
    QueryPerformanceCounter(&now);
    uint64_t number = (uint64_t)now.QuadPart * 0x9E3779B97F4A7C15u ^ GetCurrentProcessId();
    int made = -1;
    for (int i = 0; i < TRIES && made < 0; ++i, number = number * 0x5851F42D4C957F2Du + 1) {
        for (int k = 0; k < 6; ++k)
            at[k] = letters[number >> (34 + 5 * k) & 31];
        made = make(path);
        if (made < 0 && errno != EEXIST) break;
    }
    return made;
}

static int make_file(const char *path)
{
    return eri_platform_open(path, ERI_OPEN_READ | ERI_OPEN_WRITE | ERI_OPEN_CREATE | ERI_OPEN_NEW);
}

FILE *eri_platform_temporary_file(char *path)
{
    int file = make_temporary(path, make_file);
    return file >= 0 ? _fdopen(file, "wb") : NULL;
}

bool eri_platform_temporary_folder(char *path)
{
    return make_temporary(path, eri_platform_make_private_folder) == 0;
}

// ---- Files without a name, and waiting

// A file that is removed when it is closed.   @param path  [ER_FILE_NAME_MAX], written
static int unnamed(char *path)
{
    if (!eri_platform_user_folder(ERI_FOLDER_TEMPORARY, path)) return -1;
    size_t length = strlen(path);
    if (length + sizeof "/eigenrig-XXXXXX" > ER_FILE_NAME_MAX) return -1;
    memcpy(path + length, "/eigenrig-XXXXXX", sizeof "/eigenrig-XXXXXX");
    int file = make_temporary(path, make_file);
    if (file < 0) return -1;
    wchar_t *wide = eri_windows_path(path);
    HANDLE handle = wide != NULL
                        ? CreateFileW(wide, GENERIC_READ | GENERIC_WRITE | DELETE,
                                      FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, OPEN_EXISTING,
                                      FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, NULL)
                        : INVALID_HANDLE_VALUE;
    free(wide);
    _close(file);
    if (handle == INVALID_HANDLE_VALUE) return eri_windows_failed();
    return _open_osfhandle((intptr_t)handle, _O_BINARY | _O_NOINHERIT | _O_RDWR);
}

int eri_platform_memory_file(const char *label)
{
    char path[ER_FILE_NAME_MAX];
    (void)label;
    return unnamed(path);
}

FILE *eri_platform_text_stream(char **text, size_t *size)
{
    *text = NULL; // no stream of Windows writes to memory, so a file has it until the end
    *size = 0;
    int file = eri_platform_memory_file("text");
    return file >= 0 ? _fdopen(file, "w+b") : NULL;
}

int eri_platform_text_end(FILE *stream, char **text, size_t *size)
{
    int64_t length = _fseeki64(stream, 0, SEEK_END) == 0 ? _ftelli64(stream) : -1;
    bool whole = ferror(stream) == 0 && length >= 0;
    *text = whole ? malloc((size_t)length + 1) : NULL;
    whole = *text != NULL && _fseeki64(stream, 0, SEEK_SET) == 0 &&
            fread(*text, 1, (size_t)length, stream) == (size_t)length;
    if (whole) {
        (*text)[length] = '\0';
        *size = (size_t)length;
    }
    fclose(stream);
    return whole ? 0 : -1;
}

int eri_platform_pipe(int ends[2])
{
    return _pipe(ends, 1 << 16, _O_BINARY | _O_NOINHERIT);
}

int eri_platform_socket(int ends[2])
{
    int both[2];
    if (eri_platform_pipe(both) != 0) return -1;
    ends[0] = both[1];
    ends[1] = both[0];
    return 0;
}

ptrdiff_t eri_platform_send(int socket, const void *bytes, size_t size)
{
    return eri_platform_write(socket, bytes, size);
}

static bool is_readable(int file)
{
    HANDLE handle = (HANDLE)_get_osfhandle(file);
    DWORD ready = 0;
    if (GetFileType(handle) != FILE_TYPE_PIPE) return true;
    return !PeekNamedPipe(handle, NULL, 0, NULL, &ready, NULL) || ready > 0; // a pipe without writers has ended
}

int eri_platform_wait_any(eri_wait *wait, int count, double seconds)
{
    double until = eri_seconds() + seconds;
    for (DWORD nap = 0;; nap = nap < 10 ? nap + 1 : nap) {
        int ready = 0;
        for (int i = 0; i < count; ++i)
            ready += wait[i].ready = wait[i].file >= 0 && is_readable(wait[i].file);
        if (ready > 0 || eri_seconds() >= until) return ready;
        Sleep(nap);
    }
}

int eri_platform_wait_readable(int file, double seconds)
{
    eri_wait wait = {file, false};
    return eri_platform_wait_any(&wait, 1, seconds);
}

bool eri_platform_is_terminal(int file)
{
    return _isatty(file) != 0;
}

// ---- Folders

struct eri_listing {
    HANDLE find;
    bool begun;
    WIN32_FIND_DATAW found;
    char name[3 * MAX_PATH + 1];
    char folder[]; // ends in a slash
};

eri_listing *eri_listing_open(const char *folder)
{
    size_t length = strlen(folder);
    eri_listing *l = calloc(1, sizeof *l + length + 3);
    if (l == NULL) return NULL;
    snprintf(l->folder, length + 3, "%s/*", folder);
    wchar_t *wide = eri_windows_path(l->folder);
    l->folder[length + 1] = '\0';
    l->find = wide != NULL ? FindFirstFileW(wide, &l->found) : INVALID_HANDLE_VALUE;
    free(wide);
    if (l->find != INVALID_HANDLE_VALUE) return l;
    if (wide != NULL) eri_windows_failed();
    free(l);
    return NULL;
}

const char *eri_listing_next(eri_listing *listing)
{
    if (listing->begun && !FindNextFileW(listing->find, &listing->found)) return NULL;
    listing->begun = true;
    return eri_windows_utf8(listing->found.cFileName, listing->name, sizeof listing->name) ? listing->name : NULL;
}

void eri_listing_close(eri_listing *listing)
{
    if (listing != NULL) FindClose(listing->find);
    free(listing);
}

// Calls a function with the path of a name in the folder.
static int in_folder(const eri_listing *listing, const char *name, int (*call)(const char *path, void *user),
                     void *user)
{
    size_t size = strlen(listing->folder) + strlen(name) + 1;
    char *path = malloc(size);
    if (path == NULL) return -1;
    snprintf(path, size, "%s%s", listing->folder, name);
    int result = call(path, user);
    free(path);
    return result;
}

static int stat_one(const char *path, void *info)
{
    return eri_platform_stat(path, info);
}

static int unlink_one(const char *path, void *unused)
{
    (void)unused;
    return eri_platform_unlink(path);
}

int eri_listing_stat(eri_listing *listing, const char *name, eri_file_info *info)
{
    return in_folder(listing, name, stat_one, info);
}

int eri_listing_unlink(eri_listing *listing, const char *name)
{
    return in_folder(listing, name, unlink_one, NULL);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

int eri_platform_glob(const char *pattern, bool (*each)(void *user, const char *path), void *user)
{
    const char *slash = strrchr(pattern, '/'), *wanted = slash != NULL ? slash + 1 : pattern;
    char folder[ER_FILE_NAME_MAX], path[ER_FILE_NAME_MAX], **names = NULL;
    int length = (int)(wanted - pattern), count = 0;
    snprintf(folder, sizeof folder, "%.*s", length, pattern);
    eri_listing *list = eri_listing_open(length > 0 ? folder : ".");
    bool enough = true;
    for (const char *name; list != NULL && enough && (name = eri_listing_next(list)) != NULL;) {
        if (name[0] == '.' || !eri_platform_match(wanted, name)) continue;
        char **more = realloc(names, (size_t)(count + 1) * sizeof *more);
        if (more != NULL) names = more;
        enough = more != NULL && (names[count] = _strdup(name)) != NULL;
        count += enough;
    }
    eri_listing_close(list);
    if (names != NULL) qsort(names, (size_t)count, sizeof *names, compare_names);
    bool goes_on = enough;
    for (int i = 0; i < count; ++i) {
        snprintf(path, sizeof path, "%s%s", folder, names[i]);
        goes_on = goes_on && each(user, path);
        free(names[i]);
    }
    free(names);
    return !enough ? -1 : count > 0;
}

// ---- Paths

char *eri_platform_real_path(const char *path, char *out)
{
    int file = eri_platform_open(path, ERI_OPEN_READ | ERI_OPEN_NAME);
    char *place = out != NULL ? out : malloc(ER_FILE_NAME_MAX);
    bool done = file >= 0 && place != NULL && eri_platform_path_of(file, place);
    if (file >= 0) _close(file);
    if (!done && out == NULL) free(place);
    return done ? place : NULL;
}

ptrdiff_t eri_platform_read_link(const char *path, char *out, size_t size)
{
    eri_file_info info;
    (void)out;
    (void)size;
    if (eri_platform_stat_link(path, &info) == 0) errno = EINVAL; // links are followed, but not taken apart
    return -1;
}

bool eri_platform_path_of(int file, char *out)
{
    wchar_t *wide = malloc(ER_FILE_NAME_MAX * sizeof *wide);
    DWORD length =
        wide != NULL ? GetFinalPathNameByHandleW((HANDLE)_get_osfhandle(file), wide, ER_FILE_NAME_MAX, 0) : 0;
    bool done = length > 0 && length < ER_FILE_NAME_MAX && eri_windows_utf8(wide, out, ER_FILE_NAME_MAX);
    free(wide);
    return done;
}

bool eri_platform_current_folder(char *out, size_t size)
{
    wchar_t wide[MAX_PATH + 1];
    DWORD length = GetCurrentDirectoryW(MAX_PATH + 1, wide);
    return length > 0 && length <= MAX_PATH && eri_windows_utf8(wide, out, size);
}

static bool module_path(HMODULE module, char *out)
{
    wchar_t *wide = malloc(ER_FILE_NAME_MAX * sizeof *wide);
    DWORD length = wide != NULL ? GetModuleFileNameW(module, wide, ER_FILE_NAME_MAX) : 0;
    bool done = length > 0 && length < ER_FILE_NAME_MAX && eri_windows_utf8(wide, out, ER_FILE_NAME_MAX);
    free(wide);
    return done;
}

bool eri_platform_program(char *out)
{
    return module_path(NULL, out);
}

const char *eri_platform_library_of(const void *address)
{
    static _Thread_local char path[ER_FILE_NAME_MAX];
    HMODULE module;
    DWORD how = GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT;
    return GetModuleHandleExW(how, (const wchar_t *)address, &module) && module_path(module, path) ? path : NULL;
}

bool eri_platform_user_folder(eri_user_folder folder, char *out)
{
    static const wchar_t *const variables[] = {L"APPDATA", L"LOCALAPPDATA", L"TEMP"};
    wchar_t wide[MAX_PATH + 1];
    DWORD length = GetEnvironmentVariableW(variables[folder], wide, MAX_PATH + 1);
    return length > 0 && length <= MAX_PATH && eri_windows_utf8(wide, out, ER_FILE_NAME_MAX);
}
