// Films frame by frame: animated PNG unpacked and laid over again, numbered files, and what ffmpeg is told, by a
// program of its name that writes down its words.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <png.h>
#include <zlib.h>

#include "support/context.h"
#include "support/sample.h"
#include "viewer/render/film.h"
#include "viewer/render/png.h"
#include "viewer/render/sequence.h"

enum { WIDE = 21, HIGH = 13, SIZE = 4 * WIDE * HIGH, MOST_FRAMES = 8 };

static bool is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

static uint8_t *read_whole(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = calloc(1, 1 << 20);
    assert_true(file != NULL && bytes != NULL);
    *size = fread(bytes, 1, (1 << 20) - 1, file);
    fclose(file);
    return bytes;
}

// ---- animated PNG

static uint32_t get(const uint8_t *at, int bytes)
{
    uint32_t value = 0;
    for (int i = 0; i < bytes; ++i)
        value = value << 8 | at[i];
    return value;
}

typedef struct shown {
    int width, height, count; // frames
    int told;                 // as acTL tells
    uint32_t delay[2];        // of all frames
    struct {
        int x, y, width, height, blend;
    } part[MOST_FRAMES];
    uint8_t rgba[MOST_FRAMES][SIZE];
} shown;

static size_t put_chunk(uint8_t *to, const char *type, const uint8_t *data, uint32_t size)
{
    for (int i = 0; i < 4; ++i)
        to[i] = (uint8_t)(size >> (24 - 8 * i));
    memcpy(to + 4, type, 4);
    if (size > 0) memcpy(to + 8, data, size);
    uint32_t sum = (uint32_t)crc32(0, to + 4, size + 4);
    for (int i = 0; i < 4; ++i)
        to[8 + size + (uint32_t)i] = (uint8_t)(sum >> (24 - 8 * i));
    return size + 12;
}

// A frame's data as a PNG of its own, laid over the frame before.
static void lay(shown *s, const uint8_t *header, const uint8_t *data, uint32_t size)
{
    static uint8_t png[1 << 16], part[SIZE];
    uint8_t own[13];
    int k = s->count - 1, wide = s->part[k].width, high = s->part[k].height;
    memcpy(own, header, sizeof own);
    for (int i = 0; i < 4; ++i) {
        own[i] = (uint8_t)(wide >> (24 - 8 * i));
        own[4 + i] = (uint8_t)(high >> (24 - 8 * i));
    }
    size_t used = 8;
    memcpy(png, "\x89PNG\r\n\x1a\n", 8);
    used += put_chunk(png + used, "IHDR", own, 13);
    used += put_chunk(png + used, "IDAT", data, size);
    used += put_chunk(png + used, "IEND", NULL, 0);
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_memory(&image, png, used));
    image.format = PNG_FORMAT_RGBA;
    assert_true(png_image_finish_read(&image, NULL, part, 0, NULL));
    if (k > 0) memcpy(s->rgba[k], s->rgba[k - 1], SIZE);
    for (int y = 0; y < high; ++y)
        for (int x = 0; x < wide; ++x) {
            const uint8_t *from = part + 4 * (y * wide + x);
            if (s->part[k].blend == 1 && from[3] == 0) continue; // over: what is clear leaves what was
            memcpy(s->rgba[k] + 4 * ((s->part[k].y + y) * s->width + s->part[k].x + x), from, 4);
        }
}

static void read_control(shown *s, const uint8_t *data)
{
    assert_true(s->count < MOST_FRAMES);
    int k = s->count++;
    s->part[k].width = (int)get(data + 4, 4);
    s->part[k].height = (int)get(data + 8, 4);
    s->part[k].x = (int)get(data + 12, 4);
    s->part[k].y = (int)get(data + 16, 4);
    s->part[k].blend = data[25];
    assert_true(s->part[k].x + s->part[k].width <= s->width && s->part[k].y + s->part[k].height <= s->height);
    for (int i = 0; i < 2; ++i) {
        if (k == 0) s->delay[i] = get(data + 20 + 2 * i, 2);
        assert_int_equal(get(data + 20 + 2 * i, 2), s->delay[i]);
    }
    assert_int_equal(data[24], 0); // it stays
}

static shown *read_animation(const char *path)
{
    size_t size, at = 8;
    uint8_t *bytes = read_whole(path, &size), *header = NULL;
    shown *s = calloc(1, sizeof *s);
    uint32_t sequence = 0;
    char before[5] = "";
    assert_non_null(s);
    assert_memory_equal(bytes, "\x89PNG\r\n\x1a\n", 8);
    while (at < size) {
        uint32_t length = get(bytes + at, 4);
        const uint8_t *data = bytes + at + 8;
        char type[5] = "";
        memcpy(type, bytes + at + 4, 4);
        assert_true(at + 12 + length <= size);
        assert_int_equal(get(data + length, 4), crc32(0, bytes + at + 4, length + 4));
        if (strcmp(type, "IHDR") == 0) {
            header = bytes + at + 8;
            s->width = (int)get(data, 4);
            s->height = (int)get(data + 4, 4);
        } else if (strcmp(type, "acTL") == 0) {
            assert_string_equal(before, "IHDR");
            s->told = (int)get(data, 4);
            assert_int_equal(get(data + 4, 4), 0); // for ever
        } else if (strcmp(type, "fcTL") == 0 || strcmp(type, "fdAT") == 0) {
            assert_int_equal(get(data, 4), sequence++);
        }
        if (strcmp(type, "fcTL") == 0) read_control(s, data);
        if (strcmp(type, "IDAT") == 0) {
            assert_int_equal(s->count, 1);
            lay(s, header, data, length);
        }
        if (strcmp(type, "fdAT") == 0) lay(s, header, data + 4, length - 4);
        memcpy(before, type, sizeof before);
        at += 12 + length;
    }
    assert_string_equal(before, "IEND");
    assert_int_equal(at, size);
    free(bytes);
    return s;
}

static void write_film(const char *path, double fps, bool transparent, int count, uint8_t (*frame)[SIZE])
{
    film *f = NULL;
    const film_def def = {path, WIDE, HIGH, fps, transparent};
    if (film_open(context, &def, &f) != ER_OK) fail_msg("%s", er_context_error(context));
    for (int k = 0; k < count; ++k)
        if (film_frame(f, frame[k]) != ER_OK) fail_msg("%s", er_context_error(context));
    if (film_close(f, true) != ER_OK) fail_msg("%s", er_context_error(context));
}

static void set_pixel(uint8_t *rgba, int x, int y, int red, int opacity)
{
    uint8_t *p = rgba + 4 * (y * WIDE + x);
    p[0] = (uint8_t)red;
    p[3] = (uint8_t)opacity;
}

static void plain(uint8_t *rgba)
{
    for (int i = 0; i < WIDE * HIGH; ++i) {
        const uint8_t colour[4] = {(uint8_t)(40 + i % 3), 90, 160, 255};
        memcpy(rgba + 4 * i, colour, 4);
    }
}

// One pixel in each corner, none, two far apart, a thing that becomes clear, and clear ones that stay so.
static void frames_of_an_animation_hold_what_changed(void **state)
{
    static uint8_t frame[7][SIZE];
    static const int part[7][4] = {{0, 0, WIDE, HIGH}, {0, 0, 1, 1}, {WIDE - 1, HIGH - 1, 1, 1},
                                   {0, 0, 1, 1},       {2, 3, 9, 6}, {4, 4, 1, 1},
                                   {3, 4, 2, 1}};
    static const int blend[7] = {0, 1, 1, 1, 1, 0, 1};
    for (int k = 0; k < 7; ++k)
        plain(frame[k]);
    for (int k = 1; k < 7; ++k) {
        set_pixel(frame[k], 0, 0, 200, 255);
        if (k > 1) set_pixel(frame[k], WIDE - 1, HIGH - 1, 210, 255);
        if (k > 3) {
            set_pixel(frame[k], 2, 8, 220, 255);
            set_pixel(frame[k], 10, 3, 230, 255);
        }
        if (k > 4) set_pixel(frame[k], 4, 4, 40, k == 5 ? 100 : 255);
        if (k > 5) set_pixel(frame[k], 3, 4, 17, 255);
    }
    const char *path = sample_path("parts.apng");
    write_film(path, 25.0, true, 7, frame);
    shown *s = read_animation(path);
    assert_true(s->width == WIDE && s->height == HIGH && s->count == 7 && s->told == 7);
    for (int k = 0; k < 7; ++k) {
        assert_memory_equal(s->rgba[k], frame[k], SIZE);
        const int is[4] = {s->part[k].x, s->part[k].y, s->part[k].width, s->part[k].height};
        assert_memory_equal(is, part[k], sizeof is);
        assert_int_equal(s->part[k].blend, blend[k]);
    }
    free(s);
}

static void frames_last_as_long_as_fractions_of_16_bits_say(void **state)
{
    static const double fps[] = {25.0, 30000.0 / 1001.0, 1000.0, 1e-3, 0.7, 59.94, 7.3333333, 0.00314159};
    static uint8_t frame[1][SIZE];
    for (size_t i = 0; i < sizeof fps / sizeof *fps; ++i) {
        const char *path = sample_path("pace.apng");
        double nearest = HUGE_VAL;
        write_film(path, fps[i], false, 1, frame);
        shown *s = read_animation(path);
        for (double n = 1.0; n <= 65535.0; n += 1.0) {
            double d = round(n * fps[i]);
            if (d >= 1.0 && d <= 65535.0) nearest = fmin(nearest, fabs(n * fps[i] / d - 1.0));
        }
        assert_true(s->delay[0] > 0 && s->delay[1] > 0);
        double off = fabs(s->delay[0] * fps[i] / s->delay[1] - 1.0);
        if (off > nearest + 1e-12) fail_msg("%g: %u / %u", fps[i], s->delay[0], s->delay[1]);
        free(s);
    }
}

static void films_that_are_given_up_leave_nothing(void **state)
{
    static uint8_t frame[1][SIZE];
    for (int frames = 0; frames < 2; ++frames)
        for (int keep = 0; keep < 2; ++keep) {
            film *f = NULL;
            const film_def def = {sample_path("left.apng"), WIDE, HIGH, 25.0, false};
            unlink(def.path);
            assert_int_equal(film_open(context, &def, &f), ER_OK);
            if (frames > 0) assert_int_equal(film_frame(f, frame[0]), ER_OK);
            assert_int_equal(film_close(f, keep == 1), ER_OK);
            assert_int_equal(is_there(def.path), frames > 0 && keep > 0);
        }
    film *f = NULL;
    const film_def def = {"/no/where/left.apng", WIDE, HIGH, 25.0, false};
    assert_int_equal(film_open(context, &def, &f), ER_OK);
    assert_int_equal(film_frame(f, frame[0]), ER_OK);
    assert_int_equal(film_close(f, true), ER_ERROR_FILE);
}

// ---- numbered files

static void paths_say_whether_they_are_films(void **state)
{
    static const struct {
        const char *path;
        bool film;
    } cases[] = {{"a.apng", true},    {"a.APNG", true},       {"a.mp4", true},      {"a.webm", true},
                 {"a.gif", true},     {"a.png", false},       {"a%d.png", true},    {"a%04d.png", true},
                 {"a%4d.png", false}, {"a%0d.png", false},    {"%%d.png", true},    {"%x%d.png", true},
                 {"a%04dpng", false}, {"a%d.jpg", false},     {"/no/where", false}, {"%0xd.png", false},
                 {"50%.png", false},  {"a%05x%9d.png", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        if (film_is_path(cases[i].path) != cases[i].film) fail_msg("%s", cases[i].path);
    assert_true(film_is_path(sample_folder()));
    film *f = (film *)&cases;
    const film_def def = {"a.png", WIDE, HIGH, 25.0, false};
    assert_refusal(context, film_open(context, &def, &f), ER_ERROR_ARGUMENT, "a.png");
    assert_null(f);
}

static void expect_picture(const char *path, const uint8_t *rgba, bool alpha)
{
    static uint8_t read[SIZE];
    png_image image = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_file(&image, path)) fail_msg("%s is no picture", path);
    assert_true(image.width == WIDE && image.height == HIGH);
    assert_int_equal((image.format & PNG_FORMAT_FLAG_ALPHA) != 0, alpha);
    image.format = PNG_FORMAT_RGBA;
    assert_true(png_image_finish_read(&image, NULL, read, 0, NULL));
    assert_memory_equal(read, rgba, SIZE);
}

static void pictures_have_opacity_where_one_pixel_has(void **state)
{
    static const int place[3][2] = {{0, 0}, {WIDE - 1, HIGH - 1}, {5, 5}};
    uint8_t rgba[SIZE];
    const char *path = sample_path("one.png");
    for (int k = 0; k < 4; ++k) {
        plain(rgba);
        if (k < 3) set_pixel(rgba, place[k][0], place[k][1], 9, 254);
        assert_int_equal(png_write(context, WIDE, HIGH, rgba, path), ER_OK);
        expect_picture(path, rgba, k < 3);
    }
    assert_int_equal(png_write(context, WIDE, HIGH, rgba, "/no/where/one.png"), ER_ERROR_FILE);
}

static void frames_are_numbered_as_the_path_says(void **state)
{
    static const struct {
        const char *path, *first, *third;
    } cases[] = {{"a%d.png", "a0.png", "a2.png"},
                 {"b%03d.png", "b000.png", "b002.png"},
                 {"%x_%05d_.png", "%x_00000_.png", "%x_00002_.png"},
                 {"there", "there/frame_0000.png", "there/frame_0002.png"},
                 {"there/", "there/frame_0000.png", "there/frame_0002.png"}};
    static uint8_t frame[3][SIZE];
    mkdir(sample_path("there"), 0700);
    for (int k = 0; k < 3; ++k) {
        plain(frame[k]);
        set_pixel(frame[k], 7, 7, 3 * k, 255);
    }
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const char *path = sample_path(cases[i].path);
        write_film(path, 25.0, false, 3, frame);
        expect_picture(sample_path(cases[i].first), frame[0], false);
        expect_picture(sample_path(cases[i].third), frame[2], false);
        assert_true(sequence_goes_on(path, 2) && !sequence_goes_on(path, 3));
        film *f = NULL;
        const film_def def = {path, WIDE, HIGH, 25.0, false};
        assert_int_equal(film_open(context, &def, &f), ER_OK);
        for (int k = 0; k < 2; ++k)
            assert_int_equal(film_frame(f, frame[k]), ER_OK);
        assert_int_equal(film_close(f, false), ER_OK); // new frames go, older ones stay
        assert_false(is_there(sample_path(cases[i].first)));
        assert_true(is_there(sample_path(cases[i].third)));
        unlink(sample_path(cases[i].third));
    }
    assert_false(sequence_goes_on(sample_path("one.png"), 0));
}

static void names_that_are_too_long_are_refused(void **state)
{
    static uint8_t frame[1][SIZE];
    char path[5000];
    film *f = NULL;
    memset(path, 'x', sizeof path);
    path[0] = '/';
    strcpy(path + 4097, "%d.png");
    film_def def = {path, WIDE, HIGH, 25.0, false};
    assert_int_equal(film_open(context, &def, &f), ER_ERROR_FILE);
    assert_null(f);
    memset(path + 4050, 'x', 50);
    strcpy(path + 4083, "%09d.png"); // 4091 letters, 4096 with its number
    assert_int_equal(strlen(path), 4091);
    assert_int_equal(film_open(context, &def, &f), ER_OK);
    assert_int_equal(film_frame(f, frame[0]), ER_ERROR_FILE);
    assert_int_equal(film_close(f, true), ER_OK);
}

// ---- ffmpeg

static char was_path[8192];

// A program of its name; NULL: none.
static void set_ffmpeg(const char *script, int mode)
{
    const char *path = sample_path("bin/ffmpeg");
    char both[9000];
    mkdir(sample_path("bin"), 0700);
    unlink(path);
    if (script != NULL) {
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fprintf(file, "#!/bin/sh\ncd '%s'\n%s\n", sample_folder(), script);
        fclose(file);
        chmod(path, (mode_t)mode);
    }
    snprintf(both, sizeof both, "%s:%s", sample_path("bin"), script != NULL && mode == 0700 ? was_path : "/no/where");
    setenv("PATH", both, 1);
}

static const char keeps[] = "printf '%s\\n' \"$@\" > words\nfor last; do :; done\ncat > \"${last#file:}\"";

static er_result write_two(const char *path, bool transparent, bool keep)
{
    static uint8_t frame[2][SIZE];
    film *f = NULL;
    const film_def def = {path, WIDE, HIGH, 12.5, transparent};
    plain(frame[0]);
    plain(frame[1]);
    set_pixel(frame[1], 2, 2, 99, 255);
    er_result r = film_open(context, &def, &f);
    for (int k = 0; k < 2 && r == ER_OK; ++k)
        r = film_frame(f, frame[k]);
    er_result closed = f != NULL ? film_close(f, keep && r == ER_OK) : ER_OK;
    if (r != ER_OK || closed != ER_OK || !keep) return r != ER_OK ? r : closed;
    size_t size;
    uint8_t *bytes = read_whole(path, &size);
    assert_int_equal(size, sizeof frame); // the program's output is its input
    assert_memory_equal(bytes, frame, sizeof frame);
    free(bytes);
    return r;
}

// The words but the last: a file that takes the film's place when it is whole.
static void expect_words(const char *wanted)
{
    size_t size;
    char *words = (char *)read_whole(sample_path("words"), &size);
    char *last = strstr(words, "file:");
    assert_non_null(last);
    *last = '\0';
    for (char *c = words; *c != '\0'; ++c)
        if (*c == '\n') *c = ' ';
    assert_string_equal(words, wanted);
    free(words);
}

#define INPUT "-hide_banner -loglevel error -y -f rawvideo -pix_fmt rgba -video_size 21x13 -framerate 12.5 -i pipe:0 "
#define TOLD "-colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv "

static void ffmpeg_is_told_what_a_film_is_to_be(void **state)
{
    set_ffmpeg(keeps, 0700);
    assert_int_equal(write_two(sample_path("a.mp4"), false, true), ER_OK);
    expect_words(INPUT
                 "-vf pad=22:14,fillborders=right=1:bottom=1:mode=smear,scale=out_color_matrix=bt709:out_range=tv " TOLD
                 "-c:v libx264 -preset medium -crf 18 -pix_fmt yuv420p -movflags +faststart -f mp4 ");
    for (int transparent = 0; transparent < 2; ++transparent) {
        assert_int_equal(write_two(sample_path("a.webm"), transparent == 1, true), ER_OK);
        char wanted[1024];
        snprintf(wanted, sizeof wanted,
                 INPUT "-vf scale=out_color_matrix=bt709:out_range=tv " TOLD
                       "-c:v libvpx-vp9 -crf 24 -b:v 0 -deadline good -cpu-used 4 -row-mt 1 -pix_fmt %s -f webm ",
                 transparent ? "yuva420p" : "yuv420p");
        expect_words(wanted);
    }
    assert_int_equal(write_two(sample_path("a.gif"), true, true), ER_OK);
    expect_words(INPUT "-filter_complex split[a][b];[a]palettegen=stats_mode=diff[p];[b][p]paletteuse=dither=bayer:"
                       "bayer_scale=4:diff_mode=rectangle -loop 0 -f gif ");
    assert_refusal(context, write_two(sample_path("t.mp4"), true, true), ER_ERROR_ARGUMENT, "t.mp4");
    assert_int_equal(write_two("/no/where/a.mp4", false, true), ER_ERROR_FILE);
    setenv("PATH", was_path, 1);
}

static void sides_of_h264_are_even(void **state)
{
    static const struct {
        const char *path;
        int width, height, to[2];
    } cases[] = {{"a.mp4", 21, 13, {22, 14}},
                 {"a.mp4", 20, 13, {20, 14}},
                 {"a.mp4", 21, 12, {22, 12}},
                 {"a.MP4", 20, 12, {20, 12}},
                 {"a.webm", 21, 13, {21, 13}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        int width, height;
        const film_def def = {cases[i].path, cases[i].width, cases[i].height, 25.0, false};
        film_size(&def, &width, &height);
        assert_true(width == cases[i].to[0] && height == cases[i].to[1]);
    }
}

static void what_ffmpeg_says_is_passed_on(void **state)
{
    static const struct {
        const char *script, *said; // by ffmpeg
    } cases[] = {{"cat > /dev/null; echo 'first line' >&2; echo second >&2; exit 1", "first line"},
                 {"cat > /dev/null; echo 'on the other' ; exit 1", "on the other"},
                 {"cat > /dev/null; exit 3", ""},
                 {"cat > /dev/null; kill -9 $$", ""},
                 {"cat > /dev/null; echo 'disk is full' >&2", "disk is full"},
                 {"echo 'no such codec' >&2; exit 1", "no such codec"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        set_ffmpeg(cases[i].script, 0700);
        const char *path = sample_path("b.webm");
        assert_refusal(context, write_two(path, false, true), ER_ERROR_FILE, cases[i].said);
        assert_null(strstr(er_context_error(context), "second"));
        assert_non_null(strstr(er_context_error(context), path));
        assert_false(is_there(path));
    }
    setenv("PATH", was_path, 1);
}

// One that would never end; the film's temporary file goes with it.
static void a_film_that_is_given_up_ends_ffmpeg(void **state)
{
    set_ffmpeg("echo $$ > words\ncat > /dev/null\nexec sleep 1000", 0700);
    assert_int_equal(write_two(sample_path("c.gif"), false, false), ER_OK);
    assert_false(is_there(sample_path("c.gif")));
    set_ffmpeg(keeps, 0700);
    assert_int_equal(write_two(sample_path("c.gif"), false, false), ER_OK);
    assert_false(is_there(sample_path("c.gif")));
    setenv("PATH", was_path, 1);
}

static void where_there_is_no_ffmpeg_it_is_said(void **state)
{
    set_ffmpeg(NULL, 0);
    assert_refusal(context, write_two(sample_path("d.mp4"), false, true), ER_ERROR_SYSTEM, "d.mp4");
    set_ffmpeg(keeps, 0600); // nobody may run it
    assert_refusal(context, write_two(sample_path("d.mp4"), false, true), ER_ERROR_SYSTEM, strerror(EACCES));
    assert_false(is_there(sample_path("d.mp4")));
    setenv("PATH", was_path, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_of_an_animation_hold_what_changed),
        cmocka_unit_test(frames_last_as_long_as_fractions_of_16_bits_say),
        cmocka_unit_test(films_that_are_given_up_leave_nothing),
        cmocka_unit_test(paths_say_whether_they_are_films),
        cmocka_unit_test(pictures_have_opacity_where_one_pixel_has),
        cmocka_unit_test(frames_are_numbered_as_the_path_says),
        cmocka_unit_test(names_that_are_too_long_are_refused),
        cmocka_unit_test(ffmpeg_is_told_what_a_film_is_to_be),
        cmocka_unit_test(sides_of_h264_are_even),
        cmocka_unit_test(what_ffmpeg_says_is_passed_on),
        cmocka_unit_test(a_film_that_is_given_up_ends_ffmpeg),
        cmocka_unit_test(where_there_is_no_ffmpeg_it_is_said),
    };
    snprintf(was_path, sizeof was_path, "%s", getenv("PATH"));
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
