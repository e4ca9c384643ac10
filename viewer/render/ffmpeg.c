// Films by the program ffmpeg, which reads raw frames from its standard input. That is a socket, because writes to a
// socket can be kept from raising SIGPIPE, and signals belong to the calling program.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/platform.h"
#include "viewer/render/film.h"

enum { MOST_WORDS = 64 };

typedef struct ffmpeg {
    er_context *context;
    film_def def;
    char temporary[ER_FILE_NAME_MAX]; // what ffmpeg writes
    int child;
    int input, messages; // our end of its standard input; a file in memory with its standard error
} ffmpeg;

typedef struct words {
    const char *word[MOST_WORDS + 1];
    int count;
} words;

void film_size(const film_def *def, int *width, int *height)
{
    bool even = er_path_ends_in(def->path, ".mp4");
    *width = def->width + (even && def->width % 2 != 0);
    *height = def->height + (even && def->height % 2 != 0);
}

static void add_words(words *w, const char *const *word)
{
    for (; *word != NULL && w->count < MOST_WORDS; ++word)
        w->word[w->count++] = *word;
    w->word[w->count] = NULL;
}

// Colours are marked as BT.709, which players assume of large pictures. H.264 takes only even sizes: the last row or
// column of odd ones is doubled.
static void add_codec(words *w, const film_def *def, char filter[256])
{
    static const char colours[] = "scale=out_color_matrix=bt709:out_range=tv";
    const char *const told[] = {
        "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv", NULL};
    const char *const filtered[] = {"-vf", filter, NULL};
    if (er_path_ends_in(def->path, ".gif")) {
        const char *const gif[] = {"-filter_complex",
                                   "split[a][b];[a]palettegen=stats_mode=diff[p];"
                                   "[b][p]paletteuse=dither=bayer:bayer_scale=4:diff_mode=rectangle",
                                   "-loop",
                                   "0",
                                   "-f",
                                   "gif",
                                   NULL};
        add_words(w, gif);
        return;
    }
    int width, height;
    film_size(def, &width, &height);
    bool mp4 = er_path_ends_in(def->path, ".mp4");
    if (width != def->width || height != def->height)
        snprintf(filter, 256, "pad=%d:%d,fillborders=right=%d:bottom=%d:mode=smear,%s", width, height,
                 width - def->width, height - def->height, colours);
    else
        snprintf(filter, 256, "%s", colours);
    add_words(w, filtered);
    add_words(w, told);
    if (mp4) {
        const char *const h264[] = {"-c:v",    "libx264",   "-preset",    "medium", "-crf", "18", "-pix_fmt",
                                    "yuv420p", "-movflags", "+faststart", "-f",     "mp4",  NULL};
        add_words(w, h264);
    } else {
        const char *const vp9[] = {
            "-c:v", "libvpx-vp9", "-crf", "24",      "-b:v", "0",        "-deadline",
            "good", "-cpu-used",  "4",    "-row-mt", "1",    "-pix_fmt", def->transparent ? "yuva420p" : "yuv420p",
            "-f",   "webm",       NULL};
        add_words(w, vp9);
    }
}

// 0, or the error number.
static int spawn(ffmpeg *f, const words *w, int input)
{
    eri_spawn_def how = eri_default_spawn_def("ffmpeg", w->word);
    how.search = true;
    how.input = input;
    how.output = how.errors = f->messages;
    return eri_process_spawn(&how, &f->child);
}

static int start(ffmpeg *f)
{
    char size[32], fps[32], filter[256], file[sizeof f->temporary + 8];
    words w = {0};
    snprintf(size, sizeof size, "%dx%d", f->def.width, f->def.height);
    snprintf(fps, sizeof fps, "%.10g", f->def.fps);
    snprintf(file, sizeof file, "file:%s", f->temporary); // else a colon in the name would mean a protocol
    const char *const in[] = {"ffmpeg", "-hide_banner", "-loglevel", "error",      "-y", "-f", "rawvideo", "-pix_fmt",
                              "rgba",   "-video_size",  size,        "-framerate", fps,  "-i", "pipe:0",   NULL};
    const char *const out[] = {file, NULL};
    add_words(&w, in);
    add_codec(&w, &f->def, filter);
    add_words(&w, out);
    int ends[2];
    f->messages = eri_platform_memory_file("ffmpeg");
    if (f->messages < 0 || eri_platform_socket(ends) != 0) return errno;
    f->input = ends[0];
    int error = spawn(f, &w, ends[1]);
    eri_platform_close(ends[1]);
    return error;
}

static void free_ffmpeg(ffmpeg *f)
{
    if (f->input >= 0) eri_platform_close(f->input);
    if (f->messages >= 0) eri_platform_close(f->messages);
    free(f);
}

static er_result ffmpeg_open(er_context *context, const film_def *def, void **state)
{
    if (def->transparent && er_path_ends_in(def->path, ".mp4"))
        return er_fail(context, ER_ERROR_ARGUMENT, "%s: .mp4 has no transparency; use .webm, .apng, .gif or .png",
                       def->path);
    ffmpeg *f = malloc(sizeof *f);
    if (f == NULL) return er_fail(context, ER_ERROR_MEMORY, "no memory for a film");
    f->context = context;
    f->def = *def;
    f->input = f->messages = -1;
    er_result r = er_file_begin(context, def->path, f->temporary);
    int error = r == ER_OK ? start(f) : 0;
    if (error == ENOENT)
        r = er_fail(context, ER_ERROR_SYSTEM,
                    "%s: needs the program ffmpeg; install the package ffmpeg (apt install ffmpeg), or write .apng",
                    def->path);
    else if (error != 0)
        r = er_fail(context, ER_ERROR_SYSTEM, "%s: ffmpeg cannot be started: %s; write .apng instead", def->path,
                    strerror(error));
    if (r == ER_OK) {
        *state = f;
        return r;
    }
    er_file_finish(context, def->path, f->temporary, false);
    free_ffmpeg(f);
    return r;
}

// The first line of ffmpeg's messages, as later ones only follow from it; false if there is none.
static bool first_message(const ffmpeg *f, char line[256])
{
    ptrdiff_t count = eri_platform_read_at(f->messages, line, 255, 0);
    line[count > 0 ? count : 0] = '\0';
    line[strcspn(line, "\r\n")] = '\0';
    return *line != '\0';
}

static er_result fail_film(const ffmpeg *f)
{
    char line[256];
    return er_fail(f->context, ER_ERROR_FILE, "%s: ffmpeg cannot write it: %s; check the place, or write .apng",
                   f->def.path, first_message(f, line) ? line : "it ended early");
}

// Waits for the child.   @return whether it succeeded
static bool reap(ffmpeg *f, bool stop)
{
    eri_process_end end;
    if (f->input >= 0) eri_platform_close(f->input);
    f->input = -1;
    if (stop) eri_process_kill(f->child);
    eri_process_wait(f->child, &end);
    return end.status == 0 && end.signal == 0;
}

static er_result ffmpeg_frame(void *state, const uint8_t *rgba)
{
    ffmpeg *f = state;
    size_t left = 4 * (size_t)f->def.width * (size_t)f->def.height;
    while (left > 0) {
        ptrdiff_t count = eri_platform_send(f->input, rgba, left);
        if (count < 0) { // it is ending; its message is complete after that
            eri_process_await(f->child);
            return fail_film(f);
        }
        rgba += count;
        left -= (size_t)count;
    }
    return ER_OK;
}

static er_result ffmpeg_close(void *state, bool keep)
{
    ffmpeg *f = state;
    char line[256];
    bool done = reap(f, !keep) && !first_message(f, line); // ffmpeg exits with 0 on a full disk
    er_result r = keep && !done ? fail_film(f) : ER_OK;
    er_result kept = er_file_finish(f->context, f->def.path, f->temporary, keep && done);
    free_ffmpeg(f);
    return r != ER_OK ? r : kept;
}

const film_format film_ffmpeg = {ffmpeg_open, ffmpeg_frame, ffmpeg_close};
