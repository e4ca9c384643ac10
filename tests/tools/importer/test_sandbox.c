// The sandbox of the process that reads models: a child enters it and tries what an exploited parser would.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/context.h"
#include "support/sample.h"
#include "tools/importer/sandbox.h"

static char inside[512], below[512], outside[512], link_out[512], fresh[512];

static void write_file(char path[512], const char *name)
{
    snprintf(path, 512, "%s", sample_write(name, "x", 1));
}

static int lay_out(void **state)
{
    int failed = set_up(state);
    write_file(outside, "outside");
    snprintf(fresh, sizeof fresh, "%s/model", sample_folder());
    assert_int_equal(mkdir(fresh, 0777), 0);
    snprintf(fresh, sizeof fresh, "%s/model/in", sample_folder());
    assert_int_equal(mkdir(fresh, 0777), 0);
    snprintf(fresh, sizeof fresh, "%s/model/fresh", sample_folder());
    write_file(inside, "model/inside");
    write_file(below, "model/in/below");
    snprintf(link_out, sizeof link_out, "%s/model/link", sample_folder());
    assert_int_equal(symlink("../outside", link_out), 0);
    return failed;
}

// The result of a try by a child inside the sandbox with this model: true, or errno.
static int shut_in(const char *model, bool anywhere, unsigned need, bool (*attempt)(const char *), const char *path)
{
    int status = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        if ((imp_sandbox_enter(model, anywhere) & need) != need) _exit(254);
        errno = 0;
        _exit(attempt(path) ? 0 : errno);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == 254) {
        print_message("# the kernel has no %s\n", need == SANDBOX_FILES ? "Landlock" : "seccomp");
        skip();
    }
    return WEXITSTATUS(status);
}

static bool can_read(const char *path)
{
    char c;
    int fd = open(path, O_RDONLY);
    return fd >= 0 && read(fd, &c, 1) == 1;
}

static bool can_write(const char *path)
{
    return open(path, O_WRONLY) >= 0;
}

static bool can_create(const char *path)
{
    return open(path, O_WRONLY | O_CREAT, 0666) >= 0;
}

static bool can_unlink(const char *path)
{
    return unlink(path) == 0;
}

static bool can_connect(const char *path)
{
    (void)path;
    return socket(AF_INET, SOCK_STREAM, 0) >= 0 || socket(AF_UNIX, SOCK_STREAM, 0) >= 0;
}

static bool can_start(const char *path)
{
    char *const words[] = {(char *)(uintptr_t)path, NULL};
    return execv(path, words) == 0;
}

static bool can_fork(const char *path)
{
    (void)path;
    return fork() >= 0;
}

static bool can_kill(const char *path)
{
    (void)path;
    return kill(getppid(), 0) == 0;
}

static bool can_abort(const char *path)
{
    (void)path;
    signal(SIGABRT, SIG_IGN);
    raise(SIGABRT);
    void *large = malloc(1 << 24);
    free(large);
    return large != NULL;
}

static void the_folder_of_the_model_can_be_read(void **state)
{
    (void)state;
    assert_int_equal(shut_in(inside, false, SANDBOX_FILES, can_read, inside), 0);
    assert_int_equal(shut_in(inside, false, SANDBOX_FILES, can_read, below), 0);
}

static void nothing_else_can_be_read(void **state)
{
    (void)state;
    assert_int_equal(shut_in(inside, false, SANDBOX_FILES, can_read, outside), EACCES);
    assert_int_equal(shut_in(inside, false, SANDBOX_FILES, can_read, link_out), EACCES);
    assert_int_equal(shut_in(inside, false, SANDBOX_FILES, can_read, "/etc/passwd"), EACCES);
}

static void a_model_behind_a_link_can_be_read_itself(void **state)
{
    (void)state;
    assert_int_equal(shut_in(link_out, false, SANDBOX_FILES, can_read, link_out), 0);
    assert_int_equal(shut_in(link_out, false, SANDBOX_FILES, can_read, "/etc/passwd"), EACCES);
}

static void a_model_without_a_folder_lies_in_this_one(void **state)
{
    (void)state;
    char here[512];
    assert_non_null(getcwd(here, sizeof here));
    snprintf(fresh, sizeof fresh, "%s/model", sample_folder());
    assert_int_equal(chdir(fresh), 0);
    assert_int_equal(shut_in("inside", false, SANDBOX_FILES, can_read, "in/below"), 0);
    assert_int_equal(shut_in("inside", false, SANDBOX_FILES, can_read, "../outside"), EACCES);
    assert_int_equal(chdir(here), 0);
}

static void where_files_may_lie_anywhere_all_can_be_read(void **state)
{
    (void)state;
    assert_int_equal(shut_in(inside, true, SANDBOX_FILES, can_read, outside), 0);
    assert_int_equal(shut_in(inside, true, SANDBOX_FILES, can_read, "/etc/passwd"), 0);
}

static void nothing_can_be_written(void **state)
{
    (void)state;
    for (int anywhere = 0; anywhere < 2; ++anywhere)
        for (unsigned wall = SANDBOX_FILES; wall <= SANDBOX_CALLS; ++wall) {
            assert_int_not_equal(shut_in(inside, anywhere, wall, can_write, inside), 0);
            assert_int_not_equal(shut_in(inside, anywhere, wall, can_create, fresh), 0);
            assert_int_not_equal(shut_in(inside, anywhere, wall, can_unlink, inside), 0);
        }
}

static void no_network_no_program_no_process_no_signal(void **state)
{
    (void)state;
    assert_int_equal(shut_in(inside, false, SANDBOX_CALLS, can_connect, NULL), EPERM);
    assert_int_equal(shut_in(inside, true, SANDBOX_CALLS, can_start, "/bin/true"), EPERM);
    assert_int_equal(shut_in(inside, false, SANDBOX_CALLS, can_fork, NULL), EPERM);
    assert_int_equal(shut_in(inside, false, SANDBOX_CALLS, can_kill, NULL), EPERM);
}

static void memory_and_ones_own_signals_stay(void **state)
{
    (void)state;
    assert_int_equal(shut_in(inside, false, SANDBOX_CALLS, can_abort, NULL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_folder_of_the_model_can_be_read),
        cmocka_unit_test(nothing_else_can_be_read),
        cmocka_unit_test(a_model_behind_a_link_can_be_read_itself),
        cmocka_unit_test(a_model_without_a_folder_lies_in_this_one),
        cmocka_unit_test(where_files_may_lie_anywhere_all_can_be_read),
        cmocka_unit_test(nothing_can_be_written),
        cmocka_unit_test(no_network_no_program_no_process_no_signal),
        cmocka_unit_test(memory_and_ones_own_signals_stay),
    };
    return cmocka_run_group_tests_name("sandbox", tests, lay_out, tear_down);
}
