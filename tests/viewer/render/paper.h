// Paper that writes down what is drawn upon it: the painter, its targets and the gui's letters are the test's own here.
#ifndef TESTS_VIEWER_RENDER_PAPER_H
#define TESTS_VIEWER_RENDER_PAPER_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "app/session/session.h"
#include "support/near.h"
#include "viewer/draw/draw.h"
#include "viewer/render/canvas.h"
#include "viewer/render/render.h"

enum { MOST_MARKS = 2048, MOST_PICTURES = 64, MOST_FIGURES = 16, MOST_LINES = 512 };

typedef enum mark_kind { MARK_TEXT, MARK_LINE, MARK_BOX } mark_kind;

// A word, a line or a box upon the page, points.
typedef struct mark {
    mark_kind kind;
    double x, y, to[2]; // of a box: its width and height
    double size;        // of letters, of a line; the rounding of a box
    float rgba[4];
    char text[256];
} mark;

typedef struct noted_line {
    er_vec3 from, to;
    float rgba[4], width;
} noted_line;

typedef struct noted_figure {
    draw_figure figure;
    er_pose *pose; // a copy; NULL at equilibrium
} noted_figure;

typedef struct noted_picture {
    int x, y, width, height;
    draw_camera camera;
    draw_style style;
    int figure_count, line_count;
    noted_figure figure[MOST_FIGURES];
    noted_line line[MOST_LINES];
} noted_picture;

typedef struct paper {
    int body_count;   // of figures' poses
    int refuses;      // the so-manieth thing that is to be made cannot be: offscreen, painter, model, target, letters
    uint8_t pixel[4]; // read of a target; its red counts up
    int texture_side;

    int width, height, samples; // of the target
    double scale;               // of the letters
    bool dark;
    int made, alive; // things
    int mark_count, picture_count;
    mark mark[MOST_MARKS];
    noted_picture picture[MOST_PICTURES];
} paper;

extern paper sheet_of_paper;

void paper_clear(int body_count); // and of what is drawn then so many bodies move
// A canvas of so many pixels, for what is asked, upon clear paper.
void begin_canvas(canvas *e, const render_subject *s, const render_def *d, int width, int height, double scale);
// The one mark of a text; fails where there is none, or several.
const mark *find_text(const char *text);
const mark *find_text_at(const char *text, double y); // of those at a height
int count_marks(mark_kind kind);
// NAN stands for any number.
int count_like(mark_kind kind, double x, double y, double to_x, double to_y, double size);
double width_of(double size, const char *text); // as letters are wide here: half as wide as high, by bytes

// The models of these tests, and the context of all.
extern er_context *paper_context;
extern session *gnome, *bar; // a character with feet, and a linkage that closes a loop
int paper_begin(void **state);
int paper_end(void **state);
render_subject subject_of(const session *s);
er_pose *room_for(const er_model *model); // a pose of each body, for free()
void same_pose(const er_pose *is, const er_pose *wanted, int count, double within);
// The pose of a mode of the gnome.
void expect_mode(const noted_figure *f, int mode, double degrees, double phase, double within);

enum { FRAMES = 17 };

// Gaits made by hand: the gnome goes 0.6 m forward in 0.8 s, a little up and down, and its feet stand by turns.
typedef struct stride {
    er_gait gait[2];
    er_gait_motion motion[2];
    const er_gait_motion *each[2];
    er_gait_body body;
    er_gaits gaits;
    double time[FRAMES];
    er_vec3 travel[FRAMES];
    er_pose *pose;
    bool *stands;
} stride;

void make_stride(stride *g, render_def *d, int count); // and the definition shows it
void free_stride(stride *g);

#endif
