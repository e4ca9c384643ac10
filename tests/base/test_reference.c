// References: what they mean however they are spelt, and that no file is read that lies elsewhere or is no regular one.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>
#include <unistd.h>

#include "base/reference.h"
#include "support/context.h"

typedef struct place {
    er_context *context;
    er_arena *arena;
    char root[64];  // holds "secret", "aside" and the model's folder
    char file[128]; // root/model/scene.gltf
} place;

static const char *at(const place *p, const char *name)
{
    static char path[2][256];
    static int turn;
    turn = !turn;
    snprintf(path[turn], sizeof path[turn], "%s/%s", p->root, name);
    return path[turn];
}

static void put(const place *p, const char *name, const char *text)
{
    assert_int_equal(er_file_write(p->context, at(p, name), text, strlen(text)), ER_OK);
}

static int open_place(void **state)
{
    place *p = calloc(1, sizeof *p);
    *state = p;
    strcpy(p->root, "/tmp/eigenrig-reference-XXXXXX");
    if (er_context_create(NULL, &p->context) != ER_OK || eri_arena_create(p->context, &p->arena) != ER_OK) return -1;
    if (mkdtemp(p->root) == NULL) return -1;
    snprintf(p->file, sizeof p->file, "%s/model/scene.gltf", p->root);
    static const char *const folders[] = {"model", "model/in", "modelled"};
    for (size_t i = 0; i < ERI_COUNT(folders); ++i)
        assert_int_equal(mkdir(at(p, folders[i]), 0777), 0);
    put(p, "secret", "TOP");
    put(p, "modelled/secret", "TOP");
    put(p, "model/a b.bin", "0123456789");
    put(p, "model/in/skin.png", "picture");
    put(p, "model/50%25.bin", "odd");
    assert_int_equal(symlink("../secret", at(p, "model/link")), 0);
    assert_int_equal(symlink("..", at(p, "model/up")), 0);
    assert_int_equal(symlink("../modelled", at(p, "model/aside")), 0);
    assert_int_equal(symlink("in/skin.png", at(p, "model/same.png")), 0);
    assert_int_equal(symlink(at(p, "model/in"), at(p, "model/whole")), 0);
    assert_int_equal(mkfifo(at(p, "model/pipe"), 0666), 0);
    assert_int_equal(symlink("/dev/zero", at(p, "model/zero")), 0);
    return 0;
}

static int close_place(void **state)
{
    place *p = *state;
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", p->root);
    eri_arena_destroy(p->arena);
    er_context_destroy(p->context);
    int status = system(command);
    free(p);
    return status;
}

static void a_reference_means_one_path(void **state)
{
    static const struct {
        const char *reference, *path, *uri; // "" where it means none; as a URI, where that is another
    } cases[] = {
        {"skin.png", "skin.png", NULL},
        {"./in//skin.png", "in/skin.png", NULL},
        {"in\\skin.png", "in/skin.png", NULL},
        {"in/../skin.png", "skin.png", NULL},
        {"in/deep/../../skin.png/", "skin.png", NULL},
        {"../skin.png", "../skin.png", NULL},
        {"in/../../../skin.png", "../../skin.png", NULL},
        {"../../in/../skin.png", "../../skin.png", NULL},
        {"..", "..", NULL},
        {".", "", NULL},
        {"", "", NULL},
        {"a..b/..c/d..", "a..b/..c/d..", NULL},
        {"my%20skin%2Epng", "my%20skin%2Epng", "my skin.png"},
        {"tab%09.png", "tab%09.png", "tab\t.png"},
        {"%2e%2E/skin.png", "%2e%2E/skin.png", "../skin.png"},
        {"%252e%252e/skin.png", "%252e%252e/skin.png", "%2e%2e/skin.png"}, // decoded once
        {"in%5C..%5c..%5Cskin.png", "in%5C..%5c..%5Cskin.png", "../skin.png"},
        {"50%.png%0", "50%.png%0", NULL},
        {"a%00b", "a%00b", NULL},
        {"a%4Gb%g4c%/4d%4`e", "a%4Gb%g4c%/4d%4`e", NULL}, // digits end at 9 and f
        {"%aF%Fa", "%aF%Fa", "\xaf\xfa"},
        {"/etc/passwd", "", NULL},
        {"%2Fetc/passwd", "%2Fetc/passwd", ""},
        {"\\\\server\\share\\skin.png", "", NULL},
        {"%5Cskin.png", "%5Cskin.png", ""},
        {"C:\\skin.png", "", NULL},
        {"c:skin.png", "", NULL},
        {"c%3Askin.png", "c%3Askin.png", ""},
        {"file:skin.png", "", NULL},
        {"FILE:///etc/passwd", "", NULL},
        {"%66ile:passwd", "%66ile:passwd", ""},
        {"https://example.org/skin.png", "", NULL},
        {"hero:skin.png", "hero:skin.png", NULL}, // a name that Maya gives
    };
    for (size_t i = 0; i < ERI_COUNT(cases); ++i)
        for (unsigned uri = 0; uri <= ER_REFERENCE_URI; ++uri) {
            char path[ER_FILE_NAME_MAX];
            const char *want = uri != 0 && cases[i].uri != NULL ? cases[i].uri : cases[i].path;
            assert_int_equal(eri_reference_path(cases[i].reference, uri, path), *want != '\0');
            assert_string_equal(path, want);
            assert_int_equal(eri_reference_climbs(path), strncmp(want, "..", 2) == 0);
        }
}

static void a_path_too_long_means_none(void **state)
{
    static char text[2 * ER_FILE_NAME_MAX];
    char path[ER_FILE_NAME_MAX];
    memset(text, 'a', ER_FILE_NAME_MAX);
    assert_false(eri_reference_path(text, 0, path));
    text[ER_FILE_NAME_MAX - 1] = '\0';
    assert_true(eri_reference_path(text, 0, path));
    assert_string_equal(path, text);
}

static void reads(place *p, const char *reference, unsigned flags, size_t most, const char *want)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    er_result r = eri_reference_read(p->arena, p->file, reference, flags, most, &bytes, &size);
    if (r != ER_OK) fail_msg("%s: %s", reference, er_context_error(p->context));
    assert_int_equal(size, strlen(want));
    assert_string_equal((const char *)bytes, want);
}

static void refuses(place *p, const char *reference, unsigned flags, const char *why)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    char quoted[256];
    snprintf(quoted, sizeof quoted, "\"%s\"", reference);
    er_result r = eri_reference_read(p->arena, p->file, reference, flags, SIZE_MAX, &bytes, &size);
    assert_refusal(p->context, r, ER_ERROR_FILE, why);
    assert_refusal(p->context, r, ER_ERROR_FILE, quoted);
}

static void what_lies_below_is_read_and_no_more_than_asked_for(void **state)
{
    place *p = *state;
    reads(p, "a b.bin", 0, SIZE_MAX, "0123456789");
    reads(p, "a%20b.bin", ER_REFERENCE_URI, 4, "0123");
    reads(p, "a b.bin", 0, 0, "");
    reads(p, "in\\skin.png", 0, SIZE_MAX, "picture");
    reads(p, "50%25.bin", 0, SIZE_MAX, "odd");
    reads(p, "50%2525.bin", ER_REFERENCE_URI, SIZE_MAX, "odd");
    reads(p, "same.png", 0, SIZE_MAX, "picture"); // links that stay in the folder
    reads(p, "whole/skin.png", 0, SIZE_MAX, "picture");
    char here[ER_FILE_NAME_MAX];
    assert_non_null(getcwd(here, sizeof here)); // however the file is named
    assert_int_equal(chdir(at(p, "model")), 0);
    strcpy(p->file, "scene.gltf");
    reads(p, "in/skin.png", 0, SIZE_MAX, "picture");
    refuses(p, "link", 0, "outside");
    assert_int_equal(chdir(here), 0);
}

static void what_lies_outside_is_read_where_it_is_allowed_alone(void **state)
{
    place *p = *state;
    static const char *const outside[] = {"../secret", "in/../../secret", "link",
                                          "up/secret", "aside/secret",    "../modelled/secret"};
    for (size_t i = 0; i < ERI_COUNT(outside); ++i) {
        refuses(p, outside[i], 0, "lies outside");
        reads(p, outside[i], ER_REFERENCE_OUTSIDE, SIZE_MAX, "TOP");
    }
    refuses(p, "%2E./secret", ER_REFERENCE_URI, "lies outside");
    refuses(p, "../nowhere", 0, "lies outside"); // and nobody learns whether it is there
}

static void no_absolute_path_is_followed(void **state)
{
    place *p = *state;
    char uri[256];
    snprintf(uri, sizeof uri, "%%2F%s", at(p, "model/in/skin.png") + 1);
    refuses(p, at(p, "model/in/skin.png"), ER_REFERENCE_OUTSIDE, "no path from the folder");
    refuses(p, uri, ER_REFERENCE_OUTSIDE | ER_REFERENCE_URI, "no path from the folder");
    refuses(p, "https://example.org/skin.png", ER_REFERENCE_OUTSIDE | ER_REFERENCE_URI, "no path from the folder");
}

static void nothing_but_a_regular_file_is_opened(void **state)
{
    place *p = *state;
    refuses(p, "pipe", 0, "not a regular file"); // and not waited for
    refuses(p, "in", 0, "not a regular file");
    refuses(p, "zero", ER_REFERENCE_OUTSIDE, "not a regular file");
    refuses(p, "zero", 0, "lies outside");
    refuses(p, "nowhere", 0, "No such file");
}

static void a_plain_name_is_taken_as_it_stands(void **state)
{
    place *p = *state;
    static const char *const names[] = {"C:odd", "file:odd", "o\\dd", "a%20b", "https:"};
    for (size_t i = 0; i < ERI_COUNT(names); ++i) {
        char name[64];
        snprintf(name, sizeof name, "model/%s", names[i]);
        put(p, name, "plain");
        reads(p, names[i], ER_REFERENCE_PLAIN, SIZE_MAX, "plain");
    }
    refuses(p, "link", ER_REFERENCE_PLAIN, "lies outside");
    refuses(p, "pipe", ER_REFERENCE_PLAIN, "not a regular file");
}

// Messages quote at most 200 bytes of a reference, and give the system's reason.
static void a_refusal_names_the_reference(void **state)
{
    place *p = *state;
    static const struct {
        const char *reference, *named;
    } cases[] = {{"nowhere", "No such file or directory"},
                 {"a b.bin/c", "Not a directory"},
                 {"in", "\"in\""},
                 {"/in", "\"/in\""},
                 {"link", "--allow-outside"}};
    int out = 7;
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        er_result r = er_file_open_reference(p->context, p->file, cases[i].reference, 0, &out);
        assert_refusal(p->context, r, ER_ERROR_FILE, cases[i].named);
        assert_int_equal(out, -1);
    }
    char name[241] = "/", want[240];
    memset(name + 1, 'y', sizeof name - 2);
    snprintf(want, sizeof want, "\"%.200s\"", name);
    assert_refusal(p->context, er_file_open_reference(p->context, p->file, name, 0, &out), ER_ERROR_FILE, want);
}

// Nothing but the file handed out stays open.
static void what_was_looked_at_is_closed(void **state)
{
    place *p = *state;
    static const char *const references[] = {"a b.bin", "in", "link", "nowhere", "pipe", "/in"};
    int next = dup(STDERR_FILENO);
    close(next);
    for (size_t i = 0; i < ERI_COUNT(references); ++i) {
        uint8_t *bytes = NULL;
        size_t size = 0;
        er_result r = eri_reference_read(p->arena, p->file, references[i], 0, SIZE_MAX, &bytes, &size);
        assert_int_equal(r, i == 0 ? ER_OK : ER_ERROR_FILE);
    }
    int out = -1;
    assert_int_equal(er_file_open_reference(p->context, p->file, "a b.bin", 0, &out), ER_OK);
    assert_int_equal(close(out), 0);
    assert_int_equal(dup(STDERR_FILENO), next);
    close(next);
}

// Either half of a path may be too long for the system: the folder, or what follows.
static void a_path_too_long_is_told(void **state)
{
    place *p = *state;
    static char file[2 * ER_FILE_NAME_MAX], reference[ER_FILE_NAME_MAX];
    int out = 7, root = (int)strlen(p->root) + 1;
    memset(reference, 'r', sizeof reference - 1);
    er_result r = er_file_open_reference(p->context, p->file, reference, 0, &out);
    assert_refusal(p->context, r, ER_ERROR_FILE, "too long a path");
    assert_int_equal(out, -1);
    // root/././/./scene.gltf: its folder with a dot is a byte too long, or just not
    for (int over = 0; over < 2; ++over) {
        int folder = ER_FILE_NAME_MAX - 2 + over;
        memset(file, '/', sizeof file - 1);
        memcpy(file, p->root, strlen(p->root));
        strcpy(file + folder, "scene.gltf");
        assert_true(folder > root && file[folder - 1] == '/');
        r = er_file_open_reference(p->context, file, "s", 0, &out);
        assert_refusal(p->context, r, ER_ERROR_FILE, over ? "too long a path" : "No such file");
    }
    assert_int_equal(er_file_open_reference(p->context, "/scene.gltf", "etc/passwd", 0, &out), ER_OK);
    close(out); // below the root lies everything
}

// Root reads whatever it likes, so somebody else asks.
static void a_file_that_may_not_be_read_is_told(void **state)
{
    place *p = *state;
    int out = 7;
    assert_int_equal(chmod(p->root, 0755), 0);
    assert_int_equal(chmod(at(p, "model/a b.bin"), 0), 0);
    bool root = geteuid() == 0;
    if (root) assert_int_equal(seteuid(65534), 0);
    er_result r = er_file_open_reference(p->context, p->file, "a b.bin", 0, &out);
    if (root) assert_int_equal(seteuid(0), 0);
    assert_refusal(p->context, r, ER_ERROR_FILE, "permissions");
    assert_int_equal(out, -1);
}

static void bad_arguments_are_refused(void **state)
{
    place *p = *state;
    int out = 7;
    assert_int_equal(er_file_open_reference(p->context, p->file, "a b.bin", 0, NULL), ER_ERROR_ARGUMENT);
    assert_int_equal(er_file_open_reference(NULL, p->file, "a b.bin", 0, &out), ER_ERROR_ARGUMENT);
    assert_int_equal(er_file_open_reference(p->context, NULL, "a b.bin", 0, &out), ER_ERROR_ARGUMENT);
    assert_int_equal(er_file_open_reference(p->context, p->file, NULL, 0, &out), ER_ERROR_ARGUMENT);
    assert_int_equal(out, -1);
    assert_int_equal(er_file_open_reference(p->context, p->file, "a b.bin", 0, &out), ER_OK);
    assert_int_equal(close(out), 0);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, open_place, close_place)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_reference_means_one_path),
        cmocka_unit_test(a_path_too_long_means_none),
        TEST(what_lies_below_is_read_and_no_more_than_asked_for),
        TEST(what_lies_outside_is_read_where_it_is_allowed_alone),
        TEST(no_absolute_path_is_followed),
        TEST(nothing_but_a_regular_file_is_opened),
        TEST(a_plain_name_is_taken_as_it_stands),
        TEST(a_refusal_names_the_reference),
        TEST(what_was_looked_at_is_closed),
        TEST(a_path_too_long_is_told),
        TEST(a_file_that_may_not_be_read_is_told),
        TEST(bad_arguments_are_refused),
    };
    return cmocka_run_group_tests_name("reference", tests, NULL, NULL);
}
