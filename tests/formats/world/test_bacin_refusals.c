// Bacin's sets that are wrong: one sentence with file and line, nothing kept.
#include "set.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"

enum { CFG, BDS, SHP, STE, CTR, FOR };

// Reads the set; a failure leaves nothing, and one line that names a file of the set and, where asked for, a line.
static er_result try_to_read(const char *expected_place)
{
    er_world_file *w = NULL;
    long held = books.held;
    er_result r = er_world_file_read(context, sample_path("s.cfg"), &w);
    assert_int_equal(r == ER_OK, w != NULL);
    er_world_file_destroy(w);
    const char *why = er_context_error(context);
    if (r != ER_OK) {
        assert_null(strchr(why, '\n'));
        assert_int_equal(strncmp(why, sample_folder(), strlen(sample_folder())), 0);
        assert_refusal(context, r, r, expected_place != NULL ? expected_place : "");
    }
    assert_true(books.held <= held + 2); // blocks that the context keeps for the next
    return r;
}

// A copy of a text with `from` at its k-th place replaced.
static char *replaced(const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    if (at == NULL) fail_msg("\"%s\" is not in the set", from);
    char *out = malloc(strlen(text) + strlen(to) + 1);
    sprintf(out, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    return out;
}

static const struct {
    int file;
    const char *from, *to;
    int line;
    const char *named;
} faults[] = {
    // the configuration
    {CFG, "begin animation", "begin motion", 2, ""},
    {CFG, "95-01-09", "99-12-31", 2, "99-12-31"},
    {CFG, "duration = 2.5", "duration = -2.5", 3, ""},
    {CFG, "duration = 2.5", "duration = 0,5", 3, "0,5"},
    {CFG, "duration = 2.5", "duration = nan", 3, "nan"},
    {CFG, "duration = 2.5", "duration = 1e60", 3, "1e60"},
    {CFG, "duration = 2.5", "duration 2.5", 3, ""},
    {CFG, "  duration = 2.5\n", "", 10, "duration"},
    {CFG, "frames = 75", "frames = 7.5", 4, ""},
    {CFG, "frames = 75", "frames = 0", 4, ""},
    {CFG, "tolerance = 1e-7", "tolerance = 2", 5, ""},
    {CFG, "tolerance = 1e-7", "tolerance = 1e-7 tolerance = 1e-8", 5, ""},
    {CFG, "tolerance = 1e-7", "toleranze = 1e-7", 5, "toleranze"},
    {CFG, "min_step = 1e-6", "min_step = 1", 11, "max_step"},
    {CFG, "max_step = 0.01", "max_step = 0", 7, ""},
    {CFG, "gravity = off", "gravity = yes", 9, ""},
    {CFG, "frames = 75", "frames = 1000001", 4, ""},
    {CFG, "tolerance = 1e-7", "tolerance = 9e-15", 5, ""},
    {CFG, "min_step = 1e-6", "min_step = -1e-6", 6, ""},
    {CFG, "frames = 75", "  ", 11, "frames"},
    {CFG, "max_step = 0.01", "  ", 11, "max_step"},
    {CFG, "end animation", "end animation now", 11, ""},
    // bodies
    {BDS, "bodies = 6", "bodies = 5", 13, ""},
    {BDS, "bodies = 6", "bodies = 7", 15, ""},
    {BDS, "bodies = 6", "bodies = 1000000", 3, ""},
    {BDS, "bodies = 6", "bodies = 0", 3, ""},
    {BDS, "bodies = 6", "bodies = -6", 3, "-6"},
    {BDS, "ball box", "base box", 11, ""},
    {BDS, "slider box   2 3 0.5 1.5", "slider box   2 -3 0.5 1.5", 6, ""},
    {BDS, "slider box   2 3 0.5 1.5", "slider box   2 3 0.5 0", 6, ""},
    {BDS, "base box", "base crate", 4, "crate.shp"},
    {BDS, "base box", "base ../box", 4, ""},
    {BDS, "base box", "base /etc/passwd", 4, ""},
    // the shape
    {SHP, "mass = 12", "mass = 0", 2, ""},
    {SHP, "mass = 12", "mass = -1", 2, ""},
    {SHP, "moments = 13 10 5", "moments = 13 10 0", 3, ""},
    {SHP, "moments = 13 10 5", "moments = 16 10 5", 3, ""},
    {SHP, "moments = 13 10 5", "moments = 10 16 5", 3, ""},
    {SHP, "moments = 13 10 5", "moments = 5 10 16", 3, ""},
    {SHP, "1 a b d", "1 a a d", 14, ""},
    {SHP, "1 a b d", "1 b a a", 14, ""},
    {SHP, "moments = 13 10 5", "moments = 13 10", 4, "moments"},
    {SHP, "vertices = 8", "vertices = 80000", 4, ""},
    {SHP, "vertices = 8", "vertices = 9", 14, ""},
    {SHP, "faces = 12", "faces = 11", 25, ""},
    {SHP, "b -0.5", "a -0.5", 7, ""},
    {SHP, "1 a b d", "1 a b z", 14, ""},
    {SHP, "1 a b d", "1 a b a", 14, ""},
    // the state
    {STE, "bodies = 6", "bodies = 5", 2, ""},
    {STE, "time = 0.25", "time = soon", 3, "soon"},
    {STE, "skate  9", "wheel  9", 14, ""},
    {STE, "skate  9", "ghost  9", 14, "ghost"},
    {STE, "0.6 0.8 0 0", "0.6 0.9 0 0", 5, "1.17"},
    {STE, "0.6 0.8 0 0", "0 0 0 0", 5, ""},
    {STE, "0.6 0.8 0 0", "0.6 0.815 0 0", 5, "1.0242"},
    {STE, "0 0 0.25 0", "0.0052 0 0.25 0", 11, ""},
    {STE, "0 0 0.25 0", "0.25 0 0.25 0", 11, ""},
    {STE, "rod    0 4 5", "rod    0 4 5.5", 0, ""},
    // joints
    {CTR, "constraints = 9", "constraints = 8", 24, ""},
    {CTR, "constraints = 9", "constraints = 10", 27, ""},
    {CTR, "constraints = 9", "constraints = 900000", 2, ""},
    {CTR, "rail Prismatic", "rail Screw", 5, "Screw"},
    {CTR, "rod 1 0 0\n  ball", "nobody 1 0 0\n  ball", 19, "nobody"},
    {CTR, "ball 0 0 0\n", "rod 0 0 0\n", 20, ""},
    {CTR, "ankle Universal\n  rod 1 0 0", "ankle Universal\n  rod 1 0.5 0", 20, "0.5"},
    {CTR, "wheel 0 0 0  -1 0 0", "wheel 0 0 0  1 0.1 0", 14, ""},
    {CTR, "wheel 0 0 0  -1 0 0", "wheel 0 0 0  0 0 0", 14, ""},
    {CTR, "2 0 0  0.5 3 0", "2 0 0  3 0 0", 7, ""},
    {CTR, "2 0 0  0.5 3 0", "2 0 0  0 3 3", 7, ""},
    {CTR, "World 0 0 2 -1", "World 0 0 2 1", 23, ""},
    {CTR, "ice Plane\n  skate 0 0 -0.5", "ice Plane\n  World 0 0 -0.5", 23, ""},
    {CTR, "World 0 4 5  0 1 0", "World 0 4 5  1 0 0", 17, ""},
    // forces
    {FOR, "forces = 3", "forces = 4", 17, ""},
    {FOR, "coil Spring", "coil Sprung", 3, "Sprung"},
    {FOR, "120 1.5", "-120 1.5", 4, ""},
    {FOR, "120 1.5", "120 -1.5", 4, ""},
    {FOR, "base 0 1 0", "slider 0 1 0", 6, ""},
    {FOR, "ball 0 0 0", "World 0 0 0", 10, ""},
    {FOR, "skate 0 0 0.25", "World 0 0 0.25", 12, ""},
    {FOR, "  3\n  0.25 1", "  1\n  0.25 1", 13, ""},
    {FOR, "  3\n  0.25 1", "  2000000\n  0.25 1", 13, ""},
    {FOR, "  1 5 -1", "  0.25 5 -1", 15, "0.25"},
    {FOR, "  2 0 0 0", "  0.5 0 0 0", 16, "0.5"},
    {FOR, "end forces", "end force", 17, ""},
};

static void each_fault_is_told_with_its_place(void **state)
{
    for (size_t i = 0; i < ERI_COUNT(faults); ++i) {
        char where[64], *text = replaced(set_text[faults[i].file], faults[i].from, faults[i].to);
        write_set();
        write_text(set_name[faults[i].file], text);
        snprintf(where, sizeof where, faults[i].line > 0 ? "/%s:%d: " : "/", set_name[faults[i].file], faults[i].line);
        er_result r = try_to_read(where);
        if (r != ER_ERROR_FORMAT && r != ER_ERROR_FILE)
            fail_msg("\"%s\" for \"%s\" is taken", faults[i].to, faults[i].from);
        assert_refusal(context, r, r, faults[i].named);
        free(text);
    }
}

// Each thing takes some letters of a file: more of them than could stand there are told where they are announced.
static void counts_beyond_the_file_are_told_at_once(void **state)
{
    static const struct {
        int file;
        const char *key, *was;
        int letters, line; // that one takes at least
    } cases[] = {{BDS, "bodies = ", "6", 12, 3},          {SHP, "vertices = ", "8", 8, 4},
                 {SHP, "faces = ", "12", 8, 5},           {STE, "bodies = ", "6", 30, 2},
                 {CTR, "constraints = ", "9", 16, 2},     {FOR, "forces = ", "3", 20, 2},
                 {FOR, "skate 0 0 0.25\n  ", "3", 14, 13}};
    for (size_t i = 0; i < ERI_COUNT(cases); ++i)
        for (int beyond = 0; beyond < 2; ++beyond) {
            const char *text = set_text[cases[i].file], *at = strstr(text, cases[i].key) + strlen(cases[i].key);
            char from[64], to[64], where[64];
            int left = (int)strlen(at + strlen(cases[i].was)), most = left / cases[i].letters + 1;
            snprintf(from, sizeof from, "%s%s", cases[i].key, cases[i].was);
            snprintf(to, sizeof to, "%s%d", cases[i].key, beyond ? most + 1 : most - 1);
            char *changed = replaced(text, from, to);
            write_set();
            write_text(set_name[cases[i].file], changed);
            snprintf(where, sizeof where, "/%s:%d: ", set_name[cases[i].file], cases[i].line);
            assert_int_equal(try_to_read(beyond ? where : NULL), ER_ERROR_FORMAT);
            // fewer of them are told where the first is missing, or by the 6 bodies that there are
            const char *why = er_context_error(context);
            bool early = cases[i].file == STE ? strstr(why, " 6 ") == NULL : strstr(why, where) != NULL;
            assert_int_equal(early, beyond);
            free(changed);
        }
}

// The last values that are taken, what a configuration need not say, and files longer than most.
static void bounds_and_what_is_usual_are_taken(void **state)
{
    static const struct {
        int file;
        const char *from, *to;
    } taken[] = {{CFG, "frames = 75", "frames = 1000000"},
                 {CFG, "tolerance = 1e-7", "tolerance = 1"},
                 {CFG, "tolerance = 1e-7", "tolerance = 1e-14"},
                 {CFG, "min_step = 1e-6", "min_step = 0.01"},
                 {CFG, "min_step = 1e-6", "min_step = 0"},
                 {STE, "0.6 0.8 0 0", "0.6 0.81 0 0"},
                 {STE, "0 0 0.25 0", "0.0049 0 0.25 0"},
                 {SHP, "moments = 13 10 5", "moments = 15 10 5"},
                 {FOR, "120 1.5", "0 0"},
                 {FOR, "  3\n  0.25 1 0 0 0 0 0\n", "  2\n"}};
    write_set();
    for (size_t i = 0; i < ERI_COUNT(taken); ++i) {
        char *text = replaced(set_text[taken[i].file], taken[i].from, taken[i].to);
        write_text(set_name[taken[i].file], text);
        if (try_to_read(NULL) != ER_OK) fail_msg("%s: %s", taken[i].to, er_context_error(context));
        write_text(set_name[taken[i].file], set_text[taken[i].file]);
        free(text);
    }
    char *heavy = replaced(set_text[BDS], "slider box   2 3 0.5 1.5", "slider box   1e20 1e20 1e20 1e40");
    write_text("s.bds", heavy); // more than bodies may weigh
    assert_int_equal(try_to_read("/s.cfg: "), ER_ERROR_RIG);
    assert_refusal(context, ER_ERROR_RIG, ER_ERROR_RIG, "\"slider\"");
    write_text("s.bds", set_text[BDS]);
    free(heavy);
    char *long_one = malloc(40000); // a comment of many letters
    memset(long_one, 'x', 40000);
    memcpy(long_one, "#", 1);
    strcpy(long_one + 30000, "\nbegin animation (format of 95-01-09) duration = 1 frames = 1 tolerance = 1e-7\n"
                             "min_step = 0 max_step = 0.5 end animation\n");
    write_text("s.cfg", long_one);
    er_world_file *w = read_world(sample_path("s.cfg"));
    assert_true(w->collide && w->def.gravity.z == -9.81 && w->def.drift_tolerance != HUGE_VAL);
    assert_true(w->duration == 1.0 && w->frame_count == 1 && w->def.tolerance == 1e-7 && w->def.max_step == 0.5);
    assert_string_equal(w->name, "s");
    er_world_file_destroy(w);
    for (int count = 200; count <= 201; ++count) { // samples of a force
        size_t used = (size_t)sprintf(
            long_one, "begin forces (format of 95-01-09)\nforces = 1\npush Interpolated skate 0 0 0 %d\n", count);
        for (int i = 0; i < count; ++i)
            used += (size_t)sprintf(long_one + used, "%d 0 0 0 0 0 0\n", i);
        strcpy(long_one + used, "end forces\n");
        write_text("s.for", long_one);
        assert_int_equal(try_to_read(count > 200 ? "/s.for:3: " : NULL), count > 200 ? ER_ERROR_FORMAT : ER_OK);
    }
    free(long_one);
}

static void velocities_that_tear_joints_are_told(void **state)
{
    const char *const changes[][2] = {
        {"0 0 -0.5  0 0 0 0", "0 0 0  0 0 0 0"},    // the ankle
        {"0.5 0 0  0 0 0 0", "0.5 0 0.5  0 0 0 0"}, // off the rail
        {"0 0 0  0 0 0.25 0", "0 0 0  0 0 0.25 0.25"},
        {"0 0 0  0 0 0.25 0", "0 0 0  0 0.25 0.25 0"}, // about another axis than the sleeve's
        {"1 2 0  0 0 0 0.5", "1 2 0.25  0 0 0 0.5"},   // off the ice
        {"base   0 0 0  1 0 0 0\n      0 0 0", "base   0 0 0  1 0 0 0\n      0 0 1"}};
    for (size_t i = 0; i < ERI_COUNT(changes); ++i) {
        char *text = replaced(set_text[STE], changes[i][0], changes[i][1]);
        write_set();
        write_text("s.ste", text);
        assert_int_equal(try_to_read("/s.ctr:"), ER_ERROR_FORMAT);
        free(text);
    }
}

static void missing_files_are_named(void **state)
{
    static const char *const needed[] = {"s.cfg", "s.bds", "s.ste", "box.shp"};
    for (size_t i = 0; i < 4; ++i) {
        write_set();
        unlink(sample_path(needed[i]));
        assert_int_equal(try_to_read(needed[i]), ER_ERROR_FILE);
    }
    write_set();
    unlink(sample_path("s.ctr"));
    unlink(sample_path("s.for"));
    assert_int_equal(try_to_read(NULL), ER_OK); // these two may be missing
}

// Files of a set must lie in its folder. A pipe is refused without waiting.
static void links_and_pipes_are_not_followed(void **state)
{
    write_set();
    unlink(sample_path("s.for"));
    assert_int_equal(symlink("/etc/passwd", sample_path("s.for")), 0);
    assert_int_equal(try_to_read("s.for"), ER_ERROR_FILE);
    unlink(sample_path("s.for"));
    assert_int_equal(mkfifo(sample_path("s.for"), 0600), 0);
    assert_int_equal(try_to_read("s.for"), ER_ERROR_FILE);
}

static void a_shape_that_collides_is_a_convex_solid(void **state)
{
    static const struct {
        const char *from, *to;
    } faults_of_faces[] = {{"1 a b d", "1 a d b"}, {"h 0.5 1 1.5", "h 0.1 0.1 0.1"}, {"12 b h d", "12 b h a"}};
    char *on = replaced(set_text[CFG], "collision_test = off", "collision_test = on");
    for (size_t i = 0; i < 3; ++i) {
        char *text = replaced(set_text[SHP], faults_of_faces[i].from, faults_of_faces[i].to);
        write_set();
        write_text("box.shp", text);
        assert_int_equal(try_to_read(NULL), ER_OK); // what is only looked at may have any faces
        write_text("s.cfg", on);
        assert_int_equal(try_to_read("/box.shp:5: "), ER_ERROR_FORMAT);
        free(text);
    }
    write_set();
    write_text("s.cfg", on);
    assert_int_equal(try_to_read(NULL), ER_OK);
    free(on);
}

// Whether a word is a number, and no name of a face.
static bool is_number(const char *word)
{
    char *end;
    strtod(word, &end);
    return end != word && *end == '\0';
}

static void every_number_has_to_be_one(void **state)
{
    static const char *const wrong[] = {"x", "nan", "inf", "1e400", "-", "0x1p3", "1..2"};
    int tried = 0;
    for (int file = 0; file < SET_FILES; ++file) {
        const char *text = set_text[file], *stop = file == SHP ? strstr(text, "1 a b d") : text + strlen(text);
        write_set();
        for (const char *at = text; (at += strspn(at, " \n")) < stop;) {
            size_t length = strcspn(at, " \n");
            char word[32], changed[4096];
            snprintf(word, sizeof word, "%.*s", (int)length, at);
            if (is_number(word)) {
                snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, wrong[tried++ % 7], at + length);
                write_text(set_name[file], changed);
                if (try_to_read(set_name[file]) != ER_ERROR_FORMAT)
                    fail_msg("%s is taken in %s", wrong[(tried - 1) % 7], set_name[file]);
            }
            at += length;
        }
    }
    assert_true(tried > 250);
}

static void files_that_are_cut_are_told(void **state)
{
    for (int file = 0; file < SET_FILES; ++file) {
        size_t size = strlen(set_text[file]);
        write_set();
        for (size_t cut = 0; cut + 1 < size; cut += file == SHP ? 3 : 1) {
            char text[4096];
            snprintf(text, sizeof text, "%.*s", (int)cut, set_text[file]);
            write_text(set_name[file], text);
            if (try_to_read(set_name[file]) != ER_ERROR_FORMAT) fail_msg("%s cut at %zu is taken", set_name[file], cut);
        }
    }
}

static void bytes_that_are_no_text_are_told(void **state)
{
    write_set();
    write_text("s.bds", "begin bodies (format of 95-01-09)\nbodies = 1\nb\xe9 box 1 1 1 1\nend bodies\n");
    assert_int_equal(try_to_read("/s.bds:3: "), ER_ERROR_FORMAT);
    write_text("s.bds", "begin bodies (format of 95-01-09)\nbodies = 1\nb box 1 1 1 \x1b[31m\nend bodies\n");
    assert_int_equal(try_to_read("/s.bds:3: "), ER_ERROR_FORMAT);
    assert_null(strchr(er_context_error(context), '\x1b'));
}

static er_result read_and_write(er_context *own, const void *of)
{
    (void)of;
    er_world_file *w = NULL;
    er_result r = er_world_file_read(own, sample_path("s.cfg"), &w);
    if (r == ER_OK) r = er_world_file_write(own, w, sample_path("out.cfg"));
    if (r != ER_OK) assert_int_not_equal(access(sample_path("out.bds"), F_OK), 0);
    er_world_file_destroy(w);
    return r;
}

static void any_allocation_may_fail(void **state)
{
    char *on = replaced(set_text[CFG], "collision_test = off", "collision_test = on");
    write_set();
    write_text("s.cfg", on);
    unlink(sample_path("out.bds"));
    ledger_refuse_each(read_and_write, NULL, NULL);
    free(on);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_fault_is_told_with_its_place),
        cmocka_unit_test(counts_beyond_the_file_are_told_at_once),
        cmocka_unit_test(bounds_and_what_is_usual_are_taken),
        cmocka_unit_test(velocities_that_tear_joints_are_told),
        cmocka_unit_test(missing_files_are_named),
        cmocka_unit_test(links_and_pipes_are_not_followed),
        cmocka_unit_test(a_shape_that_collides_is_a_convex_solid),
        cmocka_unit_test(every_number_has_to_be_one),
        cmocka_unit_test(files_that_are_cut_are_told),
        cmocka_unit_test(bytes_that_are_no_text_are_told),
        cmocka_unit_test(any_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, open_set, close_set);
}
