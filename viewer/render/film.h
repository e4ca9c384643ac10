/// @file
/// Frames become a film in the format that a path ends in.
#ifndef ERI_VIEWER_RENDER_FILM_H
#define ERI_VIEWER_RENDER_FILM_H

#include <eigenrig/base.h>

/// Options of a film.
typedef struct film_def {
    const char *path;  ///< as film_is_path() reads it; borrowed as long as the film lives
    int width, height; ///< pixels, 1 to 16384
    double fps;        ///< frames a second, > 0, at most 1000
    bool transparent;  ///< frames are not opaque
} film_def;

typedef struct film film;

/// Whether a path names a film: it ends in .apng (animated PNG, an endless loop), or .mp4, .webm or .gif (by ffmpeg),
/// is a folder (for frame_0000.png, ...), or ends in .png and holds %d or %04d for the frame number from 0.
bool film_is_path(const char *path);

/// The size that a film gets, pixels: H.264, in .mp4, takes even sides only.
void film_size(const film_def *def, int *width, int *height);

/// @param out  ER_OK: for film_close(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT (no film's path; .mp4 and transparent), ER_ERROR_SYSTEM (ffmpeg is not installed),
///          ER_ERROR_FILE, ER_ERROR_MEMORY
er_result film_open(er_context *context, const film_def *def, film **out);

/// @param rgba  [4 width height], rows from the top, sRGB, straight alpha
/// Errors   ER_ERROR_FILE, ER_ERROR_MEMORY
er_result film_frame(film *f, const uint8_t *rgba);

/// Ends a film and frees it in any case. The file stays only if `keep` is set and all of it was written.
/// Errors   ER_ERROR_FILE (with what ffmpeg says), ER_ERROR_MEMORY
er_result film_close(film *f, bool keep);

/// A format: its film_open(), film_frame() and film_close().
typedef struct film_format {
    er_result (*open)(er_context *context, const film_def *def, void **state);
    er_result (*frame)(void *state, const uint8_t *rgba);
    er_result (*close)(void *state, bool keep);
} film_format;

extern const film_format film_apng, film_ffmpeg, film_sequence;

#endif
