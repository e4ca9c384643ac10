// Files written whole or not at all, judged by what lies in the folder afterwards.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/side_files.h"
#include "base/temporary.h"
#include "support/context.h"

#define NOBODY 65534

typedef struct place {
    er_context *context;
    er_arena *arena;
    char folder[64];
    char path[128];
} place;

static int open_place(void **state)
{
    place *p = calloc(1, sizeof *p);
    *state = p;
    strcpy(p->folder, "/tmp/eigenrig-file-XXXXXX");
    if (er_context_create(NULL, &p->context) != ER_OK || eri_arena_create(p->context, &p->arena) != ER_OK) return -1;
    if (mkdtemp(p->folder) == NULL || chmod(p->folder, 0777) != 0) return -1;
    snprintf(p->path, sizeof p->path, "%s/out.bin", p->folder);
    return 0;
}

static int entries(const char *folder)
{
    int count = 0;
    DIR *d = opendir(folder);
    for (struct dirent *e; (e = readdir(d)) != NULL;)
        count += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
    closedir(d);
    return count;
}

static int close_place(void **state)
{
    place *p = *state;
    DIR *d = opendir(p->folder);
    for (struct dirent *e; (e = readdir(d)) != NULL;)
        if (e->d_name[0] != '.' || strlen(e->d_name) > 2)
            unlinkat(dirfd(d), e->d_name, e->d_type == DT_DIR ? AT_REMOVEDIR : 0);
    closedir(d);
    int status = rmdir(p->folder);
    eri_arena_destroy(p->arena);
    er_context_destroy(p->context);
    free(p);
    return status;
}

static void assert_holds(place *p, const char *path, const char *text)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    assert_int_equal(eri_file_read(p->arena, path, 1 << 20, &bytes, &size), ER_OK);
    assert_int_equal(size, strlen(text));
    assert_string_equal((char *)bytes, text);
}

// Refused as a file, in one line that begins with its path and says what to do.
static void assert_refused(const place *p, er_result result, const char *path)
{
    const char *sentence = er_context_error(p->context);
    assert_refusal(p->context, result, ER_ERROR_FILE, path);
    assert_true(strncmp(sentence, path, strlen(path)) == 0 && strchr(sentence, '\n') == NULL);
    assert_non_null(strchr(sentence, ';'));
}

static void a_file_appears_and_is_replaced(void **state)
{
    place *p = *state;
    assert_int_equal(er_file_write(p->context, p->path, "first", 5), ER_OK);
    assert_holds(p, p->path, "first");
    assert_int_equal(er_file_write(p->context, p->path, "", 0), ER_OK);
    assert_holds(p, p->path, "");
    assert_int_equal(entries(p->folder), 1);
}

static void a_path_without_a_folder_is_written_here(void **state)
{
    place *p = *state;
    char old[PATH_MAX];
    assert_non_null(getcwd(old, sizeof old));
    assert_int_equal(chdir(p->folder), 0);
    er_result r = er_file_write(p->context, "out.bin", "here", 4);
    assert_int_equal(chdir(old), 0);
    assert_int_equal(r, ER_OK);
    assert_holds(p, p->path, "here");
}

static mode_t mode_of(const char *path)
{
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    return info.st_mode & 07777;
}

static void new_files_follow_the_umask_and_old_ones_keep_their_permissions(void **state)
{
    place *p = *state;
    mode_t old = umask(027);
    assert_int_equal(er_file_write(p->context, p->path, "x", 1), ER_OK);
    umask(old);
    assert_int_equal(mode_of(p->path), 0640);
    assert_int_equal(chmod(p->path, 0604), 0);
    assert_int_equal(er_file_write(p->context, p->path, "y", 1), ER_OK);
    assert_int_equal(mode_of(p->path), 0604);
}

static void a_link_leads_to_the_file_that_is_written(void **state)
{
    place *p = *state;
    char link[160];
    snprintf(link, sizeof link, "%s/link", p->folder);
    assert_int_equal(er_file_write(p->context, p->path, "old", 3), ER_OK);
    assert_int_equal(symlink("out.bin", link), 0);
    assert_int_equal(er_file_write(p->context, link, "new", 3), ER_OK);
    assert_holds(p, p->path, "new");
    struct stat info;
    assert_int_equal(lstat(link, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
}

// A link that leads nowhere yet stays a link, and the file comes to be where it leads.
static void a_link_that_leads_nowhere_is_treated_alike(void **state)
{
    place *p = *state;
    char link[160], chain[160], far[160];
    snprintf(link, sizeof link, "%s/link", p->folder);
    snprintf(chain, sizeof chain, "%s/chain", p->folder);
    snprintf(far, sizeof far, "%s/far", p->folder);
    assert_int_equal(symlink("out.bin", link), 0);
    assert_int_equal(symlink(link, chain), 0); // an absolute one, to a link
    assert_int_equal(symlink("missing/out.bin", far), 0);
    assert_int_equal(er_file_check_place(p->context, chain), ER_OK);
    assert_int_equal(er_file_write(p->context, chain, "new", 3), ER_OK);
    assert_holds(p, p->path, "new");
    struct stat info;
    assert_int_equal(lstat(chain, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_int_equal(lstat(link, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_refused(p, er_file_write(p->context, far, "x", 1), far);
    assert_int_equal(entries(p->folder), 4);
    assert_int_equal(unlink(p->path), 0);
    assert_int_equal(unlink(link), 0);
    assert_int_equal(symlink(chain, link), 0); // in a circle
    assert_refused(p, er_file_write(p->context, chain, "x", 1), chain);
    assert_int_equal(entries(p->folder), 3);
}

// One link to the next, and the last to where nothing is yet.
static void a_long_chain_of_links_is_followed(void **state)
{
    place *p = *state;
    enum { LINKS = 39 };
    char link[160], to[160];
    for (int i = 0; i < LINKS; ++i) {
        snprintf(link, sizeof link, "%s/link %d", p->folder, i);
        snprintf(to, sizeof to, i + 1 < LINKS ? "link %d" : "out.bin", i + 1);
        assert_int_equal(symlink(to, link), 0);
    }
    snprintf(link, sizeof link, "%s/link 0", p->folder);
    assert_int_equal(er_file_write(p->context, link, "far", 3), ER_OK);
    assert_holds(p, p->path, "far");
    assert_int_equal(entries(p->folder), LINKS + 1);
}

// Paths that the system cannot hold, by a link or as they are named.
static void a_path_that_is_too_long_is_told(void **state)
{
    place *p = *state;
    static char path[PATH_MAX + 64];
    char name[ER_FILE_NAME_MAX];
    int used = snprintf(path, sizeof path, "%s/", p->folder);
    while (used < PATH_MAX - 12) // the temporary file's name is longer than this one's
        used += snprintf(path + used, sizeof path - (size_t)used, "./");
    strcpy(path + used, "a");
    assert_int_equal(er_file_write(p->context, path, "x", 1), ER_ERROR_FILE);
    assert_int_equal(er_file_begin(p->context, path, name), ER_ERROR_FILE);
    assert_string_equal(name, "");
    errno = 0;
    assert_int_equal(eri_temporary_open(p->context, path, name), -1);
    assert_int_equal(errno, ENAMETOOLONG);
    memset(path + used, 'a', PATH_MAX + 10 - (size_t)used);
    path[PATH_MAX + 10] = '\0';
    assert_int_equal(er_file_check_place(p->context, path), ER_ERROR_FILE);
    assert_int_equal(entries(p->folder), 0);
}

// A thousand at a time, each by a name of its own.
static void temporary_files_are_numbered(void **state)
{
    place *p = *state;
    enum { MOST = 1000 };
    char name[PATH_MAX], first[PATH_MAX] = "";
    for (int i = 0; i < MOST;
         ++i) { // the first and the last by what is judged, or it would look for each from the first
        snprintf(name, sizeof name, "%.*s-%d.tmp", i > 0 ? (int)strlen(first) - 6 : 0, first, i);
        bool judged = i == 0 || i == MOST - 1;
        int file = judged ? eri_temporary_open(p->context, p->path, i == 0 ? first : name)
                          : open(name, O_WRONLY | O_CREAT | O_EXCL, 0600);
        assert_true(file >= 0);
        close(file);
    }
    assert_int_equal(entries(p->folder), MOST);
    assert_int_equal(strncmp(first, p->folder, strlen(p->folder)), 0);
    assert_string_equal(first + strlen(first) - 6, "-0.tmp");
    assert_string_equal(name + strlen(name) - 8, "-999.tmp");
    assert_int_equal(strncmp(first, name, strlen(first) - 5), 0);
    assert_int_equal(eri_temporary_open(p->context, p->path, name), -1);
    assert_int_equal(errno, EEXIST);
    assert_refused(p, er_file_write(p->context, p->path, "x", 1), p->path);
}

static void a_pipe_is_written_to_directly(void **state)
{
    place *p = *state;
    assert_int_equal(mkfifo(p->path, 0600), 0);
    int reader = open(p->path, O_RDONLY | O_NONBLOCK);
    assert_true(reader >= 0);
    assert_int_equal(er_file_write(p->context, p->path, "through", 7), ER_OK);
    char text[16] = {0};
    assert_int_equal(read(reader, text, sizeof text), 7);
    assert_string_equal(text, "through");
    close(reader);
    struct stat info;
    assert_int_equal(stat(p->path, &info), 0);
    assert_true(S_ISFIFO(info.st_mode));
}

static void a_place_is_checked_and_left_as_it_was(void **state)
{
    place *p = *state;
    char path[160];
    assert_int_equal(er_file_check_place(p->context, p->path), ER_OK);
    assert_int_equal(entries(p->folder), 0);
    assert_int_equal(er_file_write(p->context, p->path, "mine", 4), ER_OK);
    assert_int_equal(er_file_check_place(p->context, p->path), ER_OK);
    assert_holds(p, p->path, "mine");
    assert_int_equal(entries(p->folder), 1);
    assert_int_equal(er_file_check_place(p->context, "-"), ER_OK);
    assert_int_equal(er_file_check_place(p->context, "/dev/null"), ER_OK);
    snprintf(path, sizeof path, "%s/none/out.bin", p->folder);
    assert_refused(p, er_file_check_place(p->context, path), path);
    assert_refused(p, er_file_check_place(p->context, p->folder), p->folder);
    assert_int_equal(er_file_check_place(p->context, NULL), ER_ERROR_ARGUMENT);
}

static void a_place_that_takes_no_file_is_named(void **state)
{
    place *p = *state;
    char path[160];
    snprintf(path, sizeof path, "%s/none/out.bin", p->folder);
    assert_refused(p, er_file_write(p->context, path, "x", 1), path);
    assert_int_equal(er_file_write(p->context, p->path, "x", 1), ER_OK);
    snprintf(path, sizeof path, "%s/out.bin/below", p->folder); // a file where a folder should be
    assert_refused(p, er_file_write(p->context, path, "x", 1), path);
    assert_int_equal(er_file_write(p->context, "", "x", 1), ER_ERROR_FILE);
    assert_refused(p, er_file_write(p->context, p->folder, "x", 1), p->folder);
    assert_int_equal(unlink(p->path), 0);
    assert_int_equal(symlink("/dev/full", p->path), 0);
    assert_refused(p, er_file_write(p->context, p->path, "x", 1), p->path);
    assert_int_equal(entries(p->folder), 1);
}

static void what_may_not_be_written_is_told(void **state)
{
    place *p = *state;
    assert_int_equal(er_file_write(p->context, p->path, "mine", 4), ER_OK);
    assert_int_equal(chmod(p->path, 0444), 0);
    bool root = geteuid() == 0; // who may write anywhere
    if (root) assert_int_equal(seteuid(NOBODY), 0);
    er_result protected_file = er_file_write(p->context, p->path, "x", 1);
    if (root) assert_int_equal(seteuid(0), 0);
    assert_int_equal(chmod(p->folder, 0555), 0);
    if (root) assert_int_equal(seteuid(NOBODY), 0);
    char path[160];
    snprintf(path, sizeof path, "%s/other.bin", p->folder);
    er_result protected_folder = er_file_write(p->context, path, "x", 1);
    if (root) assert_int_equal(seteuid(0), 0);
    assert_int_equal(chmod(p->folder, 0777), 0);
    assert_int_equal(protected_file, ER_ERROR_FILE);
    assert_refused(p, protected_folder, path);
    assert_holds(p, p->path, "mine");
    assert_int_equal(entries(p->folder), 1);
}

static void a_disk_that_fills_up_keeps_the_old_file_and_nothing_else(void **state)
{
    place *p = *state;
    if (mount("eigenrig", p->folder, "tmpfs", 0, "size=64k") != 0) skip(); // needs root and the right to mount
    size_t size = 1 << 20;
    char *large = calloc(1, size);
    er_result first = er_file_write(p->context, p->path, "old", 3);
    er_result second = er_file_write(p->context, p->path, large, size);
    free(large);
    int left = entries(p->folder);
    assert_holds(p, p->path, "old");
    umount(p->folder);
    assert_int_equal(first, ER_OK);
    assert_int_equal(second, ER_ERROR_FILE);
    assert_int_equal(left, 1);
}

static void a_limit_on_sizes_keeps_the_old_file_and_nothing_else(void **state)
{
    place *p = *state;
    struct rlimit old, low;
    assert_int_equal(er_file_write(p->context, p->path, "old", 3), ER_OK);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    low = old;
    low.rlim_cur = 1000;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &low), 0);
    char large[5000] = {0};
    er_result r = er_file_write(p->context, p->path, large, sizeof large); // stops half-way
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    signal(SIGXFSZ, handler);
    assert_refused(p, r, p->path);
    assert_holds(p, p->path, "old");
    assert_int_equal(entries(p->folder), 1);
}

static void write_as_another_program(const char *name, const char *text)
{
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void a_file_of_another_program_is_put_in_place_when_it_is_whole(void **state)
{
    place *p = *state;
    char name[ER_FILE_NAME_MAX];
    assert_int_equal(er_file_write(p->context, p->path, "old", 3), ER_OK);
    assert_int_equal(chmod(p->path, 0604), 0);
    assert_int_equal(er_file_begin(p->context, p->path, name), ER_OK);
    write_as_another_program(name, "new");
    assert_holds(p, p->path, "old");
    assert_int_equal(er_file_finish(p->context, p->path, name, true), ER_OK);
    assert_holds(p, p->path, "new");
    assert_int_equal(mode_of(p->path), 0604);
    assert_int_equal(entries(p->folder), 1);
}

static void a_file_of_another_program_that_is_not_kept_leaves_nothing(void **state)
{
    place *p = *state;
    char name[ER_FILE_NAME_MAX];
    assert_int_equal(er_file_begin(p->context, p->path, name), ER_OK);
    write_as_another_program(name, "half");
    assert_int_equal(er_file_finish(p->context, p->path, name, false), ER_OK);
    assert_int_equal(entries(p->folder), 0);
}

// Makes a temporary file as a process that was killed leaves it, under `name`; or as one that still lives.
static pid_t begin_in_another_process(place *p, const char *path, char name[ER_FILE_NAME_MAX], bool lives)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        er_file_begin(p->context, path, name);
        if (write(ends[1], name, ER_FILE_NAME_MAX) != ER_FILE_NAME_MAX) _exit(1);
        if (lives) pause();
        raise(SIGKILL);
    }
    assert_int_equal(read(ends[0], name, ER_FILE_NAME_MAX), ER_FILE_NAME_MAX);
    close(ends[0]);
    close(ends[1]);
    if (!lives) assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(access(name, F_OK), 0);
    return child;
}

static void what_a_killed_process_left_goes_with_the_next_file_there(void **state)
{
    place *p = *state;
    char dead[ER_FILE_NAME_MAX], alive[ER_FILE_NAME_MAX], foreign[160], ours[ER_FILE_NAME_MAX + 4], other[160];
    pid_t child = begin_in_another_process(p, p->path, alive, true);
    begin_in_another_process(p, p->path, dead, false);
    snprintf(foreign, sizeof foreign, "%s/.eigenrig-0123456789abcdef-%d-0.tmp", p->folder,
             4194303);                           // another machine's
    snprintf(ours, sizeof ours, "%s.bak", dead); // a user's copy
    snprintf(other, sizeof other, "%s/.eigenrig-.tmp", p->folder);
    char group[ER_FILE_NAME_MAX]; // of the same system, and of a number that no process has
    int begin = (int)strlen(p->folder) + (int)strlen("/.eigenrig-0123456789abcdef-");
    snprintf(group, sizeof group, "%.*s-4194303-0.tmp", begin, dead);
    write_as_another_program(group, "");
    write_as_another_program(foreign, "");
    write_as_another_program(ours, "");
    write_as_another_program(other, "");
    assert_int_equal(er_file_write(p->context, p->path, "x", 1), ER_OK);
    assert_int_equal(access(dead, F_OK), -1);
    assert_int_equal(access(alive, F_OK), 0);
    assert_int_equal(entries(p->folder), 6);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(er_file_check_place(p->context, "/tmp/eigenrig-elsewhere"),
                     ER_OK); // it comes back from another folder
    assert_int_equal(er_file_write(p->context, p->path, "x", 1), ER_OK);
    assert_int_equal(access(alive, F_OK), -1);
    assert_int_equal(entries(p->folder), 5);
}

static void no_other_program_writes_what_is_no_regular_file(void **state)
{
    place *p = *state;
    char name[ER_FILE_NAME_MAX], path[160];
    assert_refused(p, er_file_begin(p->context, "/dev/null", name), "/dev/null");
    assert_int_equal(er_file_finish(p->context, "/dev/null", name, false), ER_OK);
    assert_refused(p, er_file_begin(p->context, p->folder, name), p->folder);
    snprintf(path, sizeof path, "%s/missing/out.bin", p->folder);
    assert_refused(p, er_file_begin(p->context, path, name), path);
    assert_int_equal(entries(p->folder), 0);
}

static void what_cannot_be_read_is_told(void **state)
{
    place *p = *state;
    uint8_t *bytes = NULL;
    size_t size = 0;
    assert_refused(p, eri_file_read(p->arena, p->path, 100, &bytes, &size), p->path);
    assert_refused(p, eri_file_read(p->arena, p->folder, 100, &bytes, &size), p->folder);
    assert_int_equal(er_file_write(p->context, p->path, "0123456789", 10), ER_OK);
    assert_refused(p, eri_file_read(p->arena, p->path, 9, &bytes, &size), p->path);
    assert_int_equal(eri_file_read(p->arena, p->path, 10, &bytes, &size), ER_OK);
    assert_refused(p, eri_file_read(p->arena, "/dev/zero", 1 << 20, &bytes, &size), "/dev/zero");
}

static void a_pipe_is_read_to_its_end(void **state)
{
    place *p = *state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    char text[60000];
    memset(text, 'a', sizeof text);
    assert_int_equal(write(ends[1], text, sizeof text), sizeof text);
    close(ends[1]);
    char path[64];
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    uint8_t *bytes = NULL;
    size_t size = 0;
    assert_int_equal(eri_file_read(p->arena, path, SIZE_MAX, &bytes, &size), ER_OK);
    close(ends[0]);
    assert_int_equal(size, sizeof text);
    assert_memory_equal(bytes, text, size);
    assert_int_equal(bytes[size], 0);
}

// Bytes that come bit by bit, and more than are waited for at once: what a pipe holds does not say how many.
static void what_grows_while_it_is_read_is_read_whole(void **state)
{
    place *p = *state;
    enum { SIZE = 300000 };
    static unsigned char want[SIZE];
    for (int i = 0; i < SIZE; ++i)
        want[i] = (unsigned char)(i * 7 + i / 251);
    static const struct {
        size_t limit;
        er_result result;
    } cases[] = {{SIZE_MAX, ER_OK}, {SIZE, ER_OK}, {SIZE - 1, ER_ERROR_FILE}, {70000, ER_ERROR_FILE}};
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        int ends[2];
        assert_int_equal(pipe(ends), 0);
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            close(ends[0]);
            for (ssize_t at = 0, got = 1; at < SIZE && got > 0; at += got)
                got = write(ends[1], want + at, SIZE - (size_t)at > 7777 ? 7777 : SIZE - (size_t)at);
            _exit(0);
        }
        close(ends[1]);
        char path[64];
        snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
        uint8_t *bytes = NULL;
        size_t size = 0;
        assert_int_equal(eri_file_read(p->arena, path, cases[i].limit, &bytes, &size), cases[i].result);
        close(ends[0]);
        assert_int_equal(waitpid(child, NULL, 0), child);
        if (cases[i].result != ER_OK) continue;
        assert_int_equal(size, SIZE);
        assert_memory_equal(bytes, want, SIZE);
        assert_int_equal(bytes[SIZE], 0);
    }
}

// "-" is the standard output, and the standard input; both stay open.
static void a_dash_is_what_the_program_was_started_with(void **state)
{
    place *p = *state;
    uint8_t *bytes = NULL;
    size_t size = 0;
    fflush(stdout);
    int output = dup(STDOUT_FILENO), input = dup(STDIN_FILENO), file = open(p->path, O_RDWR | O_CREAT, 0600);
    int full = open("/dev/full", O_WRONLY), folder = open(p->folder, O_RDONLY);
    assert_true(output >= 0 && file >= 0 && full >= 0 && folder >= 0);
    er_result r[5];
    dup2(file, STDOUT_FILENO);
    r[0] = er_file_write(p->context, "-", "to it", 5);
    r[1] = er_file_write(p->context, "-", ", twice", 7);
    dup2(full, STDOUT_FILENO);
    r[2] = er_file_write(p->context, "-", "x", 1);
    dup2(output, STDOUT_FILENO);
    lseek(file, 0, SEEK_SET);
    dup2(file, STDIN_FILENO);
    r[3] = eri_file_read(p->arena, "-", 100, &bytes, &size);
    lseek(file, 0, SEEK_SET);
    char again[32] = "";
    ssize_t got = read(STDIN_FILENO, again, sizeof again - 1);
    dup2(folder, STDIN_FILENO);
    uint8_t *none = NULL;
    size_t none_size = 0;
    r[4] = eri_file_read(p->arena, "-", 100, &none, &none_size);
    if (input >= 0) dup2(input, STDIN_FILENO);
    const int opened[] = {output, input, file, full, folder};
    for (size_t i = 0; i < ERI_COUNT(opened); ++i)
        close(opened[i]);
    assert_true(r[0] == ER_OK && r[1] == ER_OK && r[2] == ER_ERROR_FILE && r[3] == ER_OK && r[4] == ER_ERROR_FILE);
    assert_int_equal(size, 12);
    assert_string_equal((char *)bytes, "to it, twice");
    assert_int_equal(got, 12);
}

// A file of another program that cannot be moved to its place, or was never begun.
static void a_file_of_another_program_that_cannot_be_put_in_place_goes(void **state)
{
    place *p = *state;
    char name[ER_FILE_NAME_MAX], second[ER_FILE_NAME_MAX];
    assert_int_equal(er_file_begin(p->context, p->path, name), ER_OK);
    assert_int_equal(er_file_begin(p->context, p->path, second), ER_OK); // another, of the same place
    assert_string_not_equal(name, second);
    assert_int_equal(entries(p->folder), 2);
    assert_int_equal(er_file_finish(p->context, p->path, second, false), ER_OK);
    assert_int_equal(mkdir(p->path, 0700), 0); // in between
    assert_refused(p, er_file_finish(p->context, p->path, name, true), p->path);
    assert_int_equal(entries(p->folder), 1);
    assert_int_equal(rmdir(p->path), 0);
    assert_refused(p, er_file_finish(p->context, p->path, name, true), p->path);
    assert_int_equal(er_file_finish(p->context, p->path, "", true), ER_OK); // as of one that was refused
    assert_int_equal(entries(p->folder), 0);
    assert_int_equal(er_file_begin(NULL, p->path, name), ER_ERROR_ARGUMENT);
    assert_int_equal(er_file_begin(p->context, NULL, name), ER_ERROR_ARGUMENT);
    assert_int_equal(er_file_begin(p->context, p->path, NULL), ER_ERROR_ARGUMENT);
    assert_int_equal(er_file_finish(NULL, p->path, name, true), ER_ERROR_ARGUMENT);
    assert_int_equal(er_file_finish(p->context, NULL, name, true), ER_ERROR_ARGUMENT);
    assert_int_equal(er_file_finish(p->context, p->path, NULL, true), ER_ERROR_ARGUMENT);
    assert_int_equal(er_file_check_place(NULL, p->path), ER_ERROR_ARGUMENT);
    assert_int_equal(er_file_write(NULL, p->path, "x", 1), ER_ERROR_ARGUMENT);
    assert_int_equal(er_file_write(p->context, p->path, NULL, 1), ER_ERROR_ARGUMENT);
    assert_int_equal(er_file_write(p->context, p->path, NULL, 0), ER_OK);
    assert_holds(p, p->path, "");
}

// Folders on the way to a file are made, whatever their names are long, and go with it unless it is kept.
static void what_lies_beside_takes_its_folders_along(void **state)
{
    place *p = *state;
    static const char *const names[] = {"a/b/picture", "x/picture", "long name/y/z/picture", "picture"};
    for (size_t i = 0; i < ERI_COUNT(names); ++i)
        for (int keeps = 0; keeps < 2; ++keeps) {
            eri_beside beside = {p->arena, p->path, NULL};
            const char *to = eri_beside_path(p->arena, p->path, names[i]), *bytes = "red";
            char other[160];
            snprintf(other, sizeof other, "%s/%s", p->folder, names[i]);
            assert_string_equal(to, other);
            assert_int_equal(eri_beside_put(&beside, to, (const uint8_t *)bytes, 3, "it"), ER_OK);
            assert_holds(p, to, "red");
            if (keeps == 1) eri_beside_keep(&beside);
            eri_beside_remove(&beside);
            assert_int_equal(access(to, F_OK), keeps - 1);
            assert_int_equal(entries(p->folder), keeps);
            if (keeps == 0) continue;
            // an equal file is left alone, and does not go with a document that fails; another is in the way
            assert_int_equal(eri_beside_put(&beside, to, (const uint8_t *)bytes, 3, "it"), ER_OK);
            eri_beside_remove(&beside);
            assert_holds(p, to, "red");
            assert_refused(p, eri_beside_put(&beside, to, (const uint8_t *)"rod", 3, "it"), to);
            assert_int_equal(eri_beside_put(&beside, to, (const uint8_t *)bytes, 2, "it"), ER_ERROR_FILE);
            assert_holds(p, to, "red");
            for (char *slash; strcmp(other, p->folder) != 0; *slash = '\0') {
                remove(other);
                slash = strrchr(other, '/');
            }
        }
    assert_string_equal(eri_beside_path(p->arena, "here.gltf", "a/b"), "a/b");
    eri_beside beside = {p->arena, p->path, NULL};
    mode_t old = umask(0);
    er_result r = eri_beside_put(&beside, eri_beside_path(p->arena, p->path, "a/b"), (const uint8_t *)"x", 1, "it");
    umask(old);
    assert_int_equal(r, ER_OK);
    char folder[160];
    snprintf(folder, sizeof folder, "%s/a", p->folder);
    assert_int_equal(mode_of(folder), 0777); // less what the umask says
    eri_beside_remove(&beside);
    assert_int_equal(entries(p->folder), 0);
}

static void *take_while_any_is_left(void *left, size_t size)
{
    return --*(int *)left >= 0 ? malloc(size) : NULL;
}

static void give_back(void *left, void *memory)
{
    (void)left;
    free(memory);
}

// Wherever memory ends, folders made on the way are known by then, or gone.
static void folders_made_on_the_way_go_when_memory_ends(void **state)
{
    place *p = *state;
    enum { STEP = 64, BLOCKS = 300 }; // the arena's first blocks end in every place
    int failed = 0;
    for (size_t used = 0; used < (size_t)STEP * BLOCKS; used += STEP) {
        int left = INT_MAX;
        er_context_def def = er_default_context_def();
        def.allocate = take_while_any_is_left;
        def.release = give_back;
        def.user = &left;
        er_context *starved = NULL;
        er_arena *arena = NULL;
        assert_int_equal(er_context_create(&def, &starved), ER_OK);
        assert_int_equal(eri_arena_create(starved, &arena), ER_OK);
        eri_beside beside = {arena, p->path, NULL};
        char *to = eri_beside_path(arena, p->path, "a/b/picture");
        assert_non_null(eri_arena_alloc(arena, used, 1));
        left = 0;
        er_result r = eri_beside_put(&beside, to, (const uint8_t *)"red", 3, "it");
        assert_int_equal(r, left < 0 ? ER_ERROR_MEMORY : ER_OK); // as soon as more was asked for
        failed += r != ER_OK;
        eri_beside_remove(&beside);
        assert_int_equal(entries(p->folder), 0);
        eri_arena_destroy(arena);
        er_context_destroy(starved);
    }
    assert_true(failed > 0);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, open_place, close_place)
    const struct CMUnitTest tests[] = {
        TEST(a_file_appears_and_is_replaced),
        TEST(a_path_without_a_folder_is_written_here),
        TEST(new_files_follow_the_umask_and_old_ones_keep_their_permissions),
        TEST(a_link_leads_to_the_file_that_is_written),
        TEST(a_link_that_leads_nowhere_is_treated_alike),
        TEST(a_long_chain_of_links_is_followed),
        TEST(a_path_that_is_too_long_is_told),
        TEST(temporary_files_are_numbered),
        TEST(a_pipe_is_written_to_directly),
        TEST(a_place_is_checked_and_left_as_it_was),
        TEST(a_place_that_takes_no_file_is_named),
        TEST(what_may_not_be_written_is_told),
        TEST(a_disk_that_fills_up_keeps_the_old_file_and_nothing_else),
        TEST(a_limit_on_sizes_keeps_the_old_file_and_nothing_else),
        TEST(a_file_of_another_program_is_put_in_place_when_it_is_whole),
        TEST(a_file_of_another_program_that_is_not_kept_leaves_nothing),
        TEST(what_a_killed_process_left_goes_with_the_next_file_there),
        TEST(no_other_program_writes_what_is_no_regular_file),
        TEST(what_cannot_be_read_is_told),
        TEST(a_pipe_is_read_to_its_end),
        TEST(what_grows_while_it_is_read_is_read_whole),
        TEST(a_dash_is_what_the_program_was_started_with),
        TEST(a_file_of_another_program_that_cannot_be_put_in_place_goes),
        TEST(what_lies_beside_takes_its_folders_along),
        TEST(folders_made_on_the_way_go_when_memory_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
