// Pages: where cells, stems, figures and words lie, by what is written down of them.
#include "paper.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/project/moving_joints.h"
#include "support/context.h"
#include "viewer/render/label.h"
#include "viewer/render/rig_sheet.h"
#include "viewer/render/sheet.h"
#include "viewer/render/spectrum.h"
#include "viewer/render/strip.h"

static paper *const p = &sheet_of_paper;

static void same_colour(const float is[4], const float wanted[4])
{
    for (int k = 0; k < 4; ++k)
        near((double)is[k], (double)wanted[k], 1e-6);
}

static void expect_text(const char *text, double x, double y, double size, const float rgba[4])
{
    const mark *m = find_text_at(text, y);
    near(m->x, x, 1e-9);
    near(m->size, size, 0.0);
    same_colour(m->rgba, rgba);
}

// ---- letters

static void lines_are_cut_where_they_have_no_room(void **state)
{
    static const struct {
        const char *text, *drawn;
        double room; // in bytes
    } cases[] = {{"abcdefgh", "abcdefgh", 8.0},
                 {"abcdefgh", "abcd\xE2\x80\xA6", 7.5},
                 {"abc, def", "abc\xE2\x80\xA6", 7.9},                          // no comma before it
                 {"ab\xC3\xA4\xC3\xA4\xC3\xA4", "ab\xC3\xA4\xE2\x80\xA6", 7.0}, // a letter of two bytes goes whole
                 {"ab\xE2\x82\xAC\xE2\x82\xAC", "ab\xE2\x80\xA6", 6.0},
                 {"abcdefgh", "\xE2\x80\xA6", 2.0},
                 {"a\tb\x01\x7f", "a b  ", 9.0},
                 {"", "", 0.0}};
    const render_subject s = subject_of(bar);
    render_def d = render_default_def();
    d.what = RENDER_SHEET;
    canvas e;
    begin_canvas(&e, &s, &d, 100, 100, 1.0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        for (int k = 0; k < 3; ++k) {
            double align = 0.5 * k;
            p->mark_count = 0;
            label_draw(&e, 70.0, 20.0, 10.0, align, 5.0 * cases[i].room, e.colours.accent, cases[i].text);
            assert_int_equal(p->mark_count, 1);
            expect_text(cases[i].drawn, 70.0 - align * width_of(10.0, cases[i].drawn), 20.0, 10.0, e.colours.accent);
        }
    canvas_finish(&e);
}

static void a_page_is_called_after_its_model(void **state)
{
    static const struct {
        const char *path, *title, *drawn;
    } cases[] = {{"models/dragon/scene.gltf", NULL, "dragon/scene.gltf"},
                 {"dragon/Model.glb", NULL, "dragon/Model.glb"},
                 {"a/dragon/untitled.fbx", NULL, "dragon/untitled.fbx"},
                 {"a/dragon/source.x", NULL, "dragon/source.x"},
                 {"a/dragon/scenery.x", NULL, "the model"},
                 {"a/dragon/sourc.x", NULL, "the model"},
                 {"scene.gltf", NULL, "the model"},
                 {"/scene.gltf", NULL, "the model"},
                 {"./scene.gltf", NULL, "the model"},
                 {"a/../scene.gltf", NULL, "the model"},
                 {NULL, NULL, "the model"},
                 {"models/dragon/scene.gltf", "said", "said"}};
    er_model model = *session_model(bar);
    er_scene scene = *session_target(bar)->scene;
    er_recording_target target = *session_target(bar);
    render_def d = render_default_def();
    model.name = "the model";
    target.scene = &scene;
    const render_subject s = {&target, &model, session_modes(bar)};
    d.what = RENDER_SHEET;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        canvas e;
        scene.path = cases[i].path;
        d.title = cases[i].title;
        begin_canvas(&e, &s, &d, 640, 100, 1.0);
        label_title(&e, 640.0, &d, NULL);
        assert_int_equal(p->mark_count, 1);
        expect_text(cases[i].drawn, 24.0, 18.0, 26.0, e.colours.text);
        label_title(&e, 640.0, &d, "beside it");
        expect_text("beside it", 24.0 + width_of(26.0, cases[i].drawn) + 18.0, 29.0, 14.0, e.colours.dim);
        canvas_finish(&e);
    }
    canvas e; // a long one takes half of the page, and what is beside it the rest
    d.title = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx";
    begin_canvas(&e, &s, &d, 640, 100, 1.0);
    label_title(&e, 640.0, &d, d.title);
    assert_int_equal(p->mark_count, 2);
    near(p->mark[1].x, 24.0 + 296.0 + 18.0, 1e-9);
    near(width_of(26.0, p->mark[0].text), 296.0, 13.0);
    near(width_of(14.0, p->mark[1].text), 640.0 - 24.0 - p->mark[1].x, 7.0);
    assert_true(width_of(14.0, p->mark[1].text) <= 640.0 - 24.0 - p->mark[1].x);
    canvas_finish(&e);
}

// ---- what is drawn upon

static void pages_are_flat_paper_and_pictures_are_not(void **state)
{
    for (int what = 0; what < RENDER_WHAT_COUNT; ++what)
        for (int k = 0; k < 16; ++k) {
            bool page = what == RENDER_SHEET || what == RENDER_STRIP || what == RENDER_RIG;
            er_scene scene = *session_target(gnome)->scene;
            er_recording_target target = *session_target(gnome);
            target.scene = &scene;
            scene.forward = k & 8 ? er_v3(1, 0, 0) : er_v3(0, 0, 0);
            const render_subject s = {&target, session_model(gnome), session_modes(gnome)};
            render_def d = render_default_def();
            canvas e;
            d.what = (render_what)what;
            d.dark = k & 1;
            d.transparent = k & 2;
            d.scenery = k & 4;
            d.surface = DRAW_POINTS;
            d.mesh = false;
            d.skeleton = true;
            begin_canvas(&e, &s, &d, 40, 30, 1.5);
            const draw_style *style = &e.style, usual = draw_default_style(d.dark);
            assert_true(style->surface == DRAW_POINTS && !style->mesh && style->skeleton);
            assert_true(style->floor == !d.transparent && style->shadow == !d.transparent);
            near((double)style->scenery, d.scenery ? 1.0 : page ? 0.0 : (double)usual.scenery, 0.0);
            assert_int_equal(style->transparent, page || d.transparent);
            assert_int_equal(e.paper, page && !d.transparent);
            near(e.front, k & 8 ? 0.5 * ER_PI : 0.0, 1e-12);
            near((double)style->light_yaw, (page ? 0.35 : (double)usual.light_yaw) + e.front, 1e-6);
            near((double)style->light_pitch, page ? 1.05 : (double)usual.light_pitch, 1e-6);
            for (int i = 0; i < 3; ++i)
                near((double)style->grid[i], (double)(page ? e.colours.grid[i] : usual.grid[i]), 1e-6);
            assert_true((e.overlay != NULL) == page && p->samples == 4 && p->width == 40 && p->height == 30);
            if (page) assert_true(p->scale == 1.5 && p->dark == d.dark);
            assert_true(er_v3_distance(e.up, scene.up) == 0.0);
            // Letters are dark on light paper, or light on dark.
            double paper_light = (double)e.colours.paper[1], text_light = (double)e.colours.text[1];
            assert_true(d.dark ? paper_light < 0.2 && text_light > 0.9 : paper_light > 0.9 && text_light < 0.2);
            canvas_clear(&e);
            const noted_picture *blank = &p->picture[0];
            assert_true(blank->x == 0 && blank->y == 0 && blank->width == 40 && blank->height == 30);
            assert_true(!blank->style.floor && !blank->style.shadow && blank->figure_count == 0);
            canvas_finish(&e);
        }
}

static void what_is_drawn_is_laid_on_paper(void **state)
{
    const render_subject s = subject_of(bar);
    for (int page = 0; page < 2; ++page)
        for (int k = 0; k < 3; ++k) {
            render_def d = render_default_def();
            canvas e;
            d.what = page ? RENDER_SHEET : RENDER_REST;
            begin_canvas(&e, &s, &d, 5, 3, 1.0);
            const uint8_t drawn[4] = {100, 30, 200, (uint8_t)(k == 0 ? 0 : k == 1 ? 255 : 77)};
            memcpy(p->pixel, drawn, 4);
            canvas_read(&e);
            for (int i = 0; i < 15; ++i)
                for (int c = 0; c < 3; ++c) {
                    double own = c == 0 ? drawn[0] + i : drawn[c], share = drawn[3] / 255.0;
                    double over = own * share + 255.0 * (double)e.colours.paper[c] * (1.0 - share);
                    near(e.rgba[4 * i + c], page ? over : own, 0.51);
                }
            assert_int_equal(e.rgba[4 * 14 + 3], page ? 255 : drawn[3]);
            canvas_finish(&e);
        }
}

static void whatever_cannot_be_made_ends_it(void **state)
{
    const render_subject s = subject_of(bar);
    render_def d = render_default_def();
    d.what = RENDER_SHEET;
    for (int k = 1; k <= 5; ++k) {
        canvas e;
        paper_clear(s.model->body_count);
        p->refuses = k;
        assert_int_equal(canvas_init(paper_context, &s, &d, 40, 30, 1.0, &e), ER_ERROR_SYSTEM);
        canvas_finish(&e);
        assert_true(p->made == k && p->alive == 0);
    }
}

// ---- spectra

enum { SPECTRUM_MODES = 9 };

typedef struct spectrum {
    render_subject s;
    er_mode mode[SPECTRUM_MODES];
    er_modes modes;
    double *share;
    double joints[SPECTRUM_MODES]; // as many as take part
    double most;
    canvas e;
} spectrum;

// Modes of the gnome at frequencies of one's own, drawn from x 10, y 20, 700 points wide and 120 high.
static void draw_spectrum(spectrum *t, int count, const double *hz, int first, int named)
{
    render_def d = render_default_def();
    t->s = subject_of(gnome);
    t->modes = *t->s.modes;
    t->modes.mode = t->mode;
    t->modes.count = count;
    t->modes.first = 0;
    t->share = calloc((size_t)t->s.model->joint_count, sizeof *t->share);
    assert_non_null(t->share);
    t->most = 1.0;
    for (int k = 0; k < count; ++k) {
        double sum = 0.0;
        t->mode[k] = t->s.modes->mode[k + (first == 0 ? 6 : 0)];
        t->mode[k].frequency_hz = hz[k];
        er_mode_joint_shares(t->s.model, &t->mode[k], t->share);
        for (int j = 0; j < t->s.model->joint_count; ++j)
            sum += t->share[j] * t->share[j];
        t->joints[k] = sum > 0.0 ? 1.0 / sum : 1.0;
        if (k >= first) t->most = fmax(t->most, t->joints[k]);
    }
    d.what = RENDER_SHEET;
    begin_canvas(&t->e, &t->s, &d, 800, 200, 1.0);
    spectrum_draw(&t->e, t->s.model, &t->modes, first, named, 10.0, 20.0, 700.0, 120.0, t->share);
}

static void end_spectrum(spectrum *t)
{
    free(t->share);
    canvas_finish(&t->e);
}

// The stem that stands at a place of the axis.
static const mark *find_stem(double x)
{
    for (int i = 0; i < p->mark_count; ++i) {
        const mark *m = &p->mark[i];
        if (m->kind == MARK_LINE && fabs(m->x - x) < 1e-6 && fabs(m->to[0] - x) < 1e-6 && m->y - m->to[1] > 1.0)
            return m;
    }
    fail_msg("no stem stands at %g", x);
    return NULL;
}

static void expect_stems(const spectrum *t, int first, int named, bool logarithmic)
{
    const double from = 106.0, to = 698.0, bottom = 120.0, high = 82.0;
    double low = t->mode[first].frequency_hz, highest = t->mode[t->modes.count - 1].frequency_hz;
    for (int k = first; k < t->modes.count; ++k) {
        double hz = t->mode[k].frequency_hz;
        double share = logarithmic ? log(hz / (low / 1.1)) / log(1.21 * highest / low) : hz / (1.06 * highest);
        double x = from + share * (to - from);
        const mark *m = find_stem(x);
        bool has_cell = k < first + named;
        near(m->y, bottom, 1e-9);
        near(m->to[1], bottom - high * t->joints[k] / t->most, 1e-9);
        near(m->size, has_cell ? 2.0 : 1.0, 0.0);
        same_colour(m->rgba, has_cell ? t->e.colours.accent : t->e.colours.line);
        assert_int_equal(count_like(MARK_BOX, x - 3.0, m->to[1] - 3.0, 6.0, 6.0, 3.0), has_cell);
    }
    assert_int_equal(count_marks(MARK_BOX), named);
    const mark *base = &p->mark[0];
    assert_true(base->kind == MARK_LINE);
    near(base->x, from, 1e-9);
    near(base->to[0], to, 1e-9);
    near(base->y, bottom, 1e-9);
    near(base->to[1], bottom, 1e-9);
}

static int count_ticks(double x)
{
    return count_like(MARK_LINE, x, 120.0, x, 124.0, NAN);
}

static void expect_number(const char *text, double x)
{
    const mark *m = find_text_at(text, 125.0);
    near(m->x, x - 0.5 * width_of(12.0, text), 1e-6);
    near(m->size, 12.0, 0.0);
    assert_int_equal(count_ticks(x), 1);
}

static void stems_stand_at_their_frequencies(void **state)
{
    static const double hz[] = {0.5, 1.0, 1.6, 2.2, 2.9, 3.3, 4.4};
    spectrum t;
    draw_spectrum(&t, 7, hz, 0, 4);
    expect_stems(&t, 0, 4, false);
    for (int i = 0; i <= 4; ++i) { // an eighth of 4.664 Hz is more than a half
        char text[16];
        snprintf(text, sizeof text, "%d", i);
        expect_number(text, 106.0 + 592.0 * i / (1.06 * 4.4));
    }
    const mark *unit = find_text("Hz");
    assert_true(unit->x == 10.0 && unit->y == 86.0 && unit->size == 12.0);
    expect_text("height: joints", 10.0, 103.0, 12.0, t.e.colours.dim);
    expect_text("that take part", 10.0, 118.0, 12.0, t.e.colours.dim);
    end_spectrum(&t);
}

static void steps_of_an_axis_are_one_two_or_five(void **state)
{
    static const struct {
        double highest, step; // of an axis of 1.06 times that
    } cases[] = {{7.0, 1.0}, {14.0, 2.0}, {30.0, 5.0}, {8.5, 2.0}, {0.7, 0.1}, {70.0, 10.0}, {15.5, 5.0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const double hz[] = {0.5 * cases[i].highest, cases[i].highest};
        spectrum t;
        draw_spectrum(&t, 2, hz, 0, 1);
        for (double at = 0.0; at <= 1.06 * cases[i].highest; at += cases[i].step) {
            char text[16];
            snprintf(text, sizeof text, "%.4g", at);
            expect_number(text, 106.0 + 592.0 * at / (1.06 * cases[i].highest));
        }
        assert_int_equal(count_ticks(NAN), (int)floor(1.06 * cases[i].highest / cases[i].step + 1e-9) + 1);
        end_spectrum(&t);
    }
}

static void wide_ranges_are_logarithmic(void **state)
{
    static const double hz[] = {0.31, 2.0, 9.0, 30.0, 42.0};
    static const struct {
        const char *text;
        double hz;
    } numbers[] = {{"0.5", 0.5}, {"20", 20.0}, {"10", 10.0}};
    spectrum t;
    draw_spectrum(&t, 5, hz, 0, 5);
    expect_stems(&t, 0, 5, true);
    for (int i = 0; i < 3; ++i)
        expect_number(numbers[i].text, 106.0 + 592.0 * log(numbers[i].hz * 1.1 / 0.31) / log(1.21 * 42.0 / 0.31));
    assert_int_equal(count_ticks(NAN), 6); // 0.5 1 2 5 10 20: those of 0.28 to 46.2 that do not touch
    end_spectrum(&t);
    const double ten[] = {1.0, 10.0};
    draw_spectrum(&t, 2, ten, 0, 2);
    expect_stems(&t, 0, 2, false);
    end_spectrum(&t);
}

// Modes whose names would touch share one, over the highest of their stems.
static void stems_that_are_near_each_other_share_a_name(void **state)
{
    static const double hz[] = {1.0, 1.02, 1.04, 2.0, 3.0, 3.2};
    spectrum t;
    draw_spectrum(&t, 6, hz, 0, 6);
    double unit = 592.0 / (1.06 * 3.2), highest = 0.0;
    for (int k = 0; k < 3; ++k)
        highest = fmax(highest, t.joints[k]);
    expect_text("0-2", 106.0 + unit * 1.02 - 0.5 * width_of(12.0, "0-2"), 120.0 - 82.0 * highest / t.most - 18.0, 12.0,
                t.e.colours.text);
    expect_text("4", 106.0 + unit * 3.0 - 3.0, 120.0 - 82.0 * t.joints[4] / t.most - 18.0, 12.0, t.e.colours.text);
    expect_text("5", 106.0 + unit * 3.2 - 3.0, 120.0 - 82.0 * t.joints[5] / t.most - 18.0, 12.0, t.e.colours.text);
    end_spectrum(&t);
    // Names of one figure are 6 wide, so that stems closer than 6 and a gap of 3 share one.
    for (int k = 0; k < 2; ++k) {
        double gap = k == 0 ? 8.9 : 9.1;
        const double pair[] = {1.0, 1.0 + gap / 592.0 * 1.06 * 3.2, 3.2};
        draw_spectrum(&t, 3, pair, 0, 3);
        int shared = 0;
        for (int i = 0; i < p->mark_count; ++i)
            shared += strcmp(p->mark[i].text, "0-1") == 0;
        assert_int_equal(shared, k == 0);
        end_spectrum(&t);
    }
}

// ---- sheets

static void cells_of_a_sheet_fill_the_page(void **state)
{
    static const struct {
        int count, width, height;
    } cases[] = {{6, 1300, 900}, {5, 700, 1600}, {1, 0, 0}, {7, 4000, 3000}};
    const render_subject s = subject_of(gnome);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        render_def d = render_default_def();
        canvas e;
        sheet cells;
        int first;
        d.what = RENDER_SHEET;
        d.width = cases[i].width;
        d.height = cases[i].height;
        d.subtitle = "what it is of";
        d.title = "a title";
        const sheet_plan plan = sheet_layout(&d, cases[i].count);
        double unit = plan.scale;
        begin_canvas(&e, &s, &d, plan.width, plan.height, unit);
        assert_int_equal(sheet_init(&e, &s, &d, &plan, 1.0, 0, &cells), ER_OK);
        assert_int_equal(sheet_draw(&e, &cells, 0.0), ER_OK);
        assert_int_equal(p->picture_count, 1 + plan.count); // the page, then its cells
        sheet_modes(s.modes, &first);
        double right = 0.0, bottom = 0.0;
        for (int k = 0; k < plan.count; ++k) {
            const noted_picture *of = &p->picture[1 + k];
            int column = k % plan.columns, row = k / plan.columns;
            const noted_picture *left = column > 0 ? of - 1 : NULL, *above = row > 0 ? of - plan.columns : NULL;
            near(of->x, left != NULL ? left->x + left->width + 16.0 * unit : 24.0 * unit, 2.0);
            near(of->y, above != NULL ? above->y + above->height + (16.0 + 50.0) * unit : (68.0 + 50.0) * unit, 3.0);
            right = fmax(right, of->x + of->width);
            bottom = fmax(bottom, of->y + of->height);
            assert_int_equal(of->figure_count, 3); // with both ends of the swing
            // The words above it.
            char text[LABEL_SIZE], movers[LABEL_SIZE];
            const er_mode *mode = &s.modes->mode[first + k];
            double x = of->x / unit, y = (of->y - (int)(50.0 * unit)) / unit, wide = of->width / unit;
            snprintf(text, sizeof text, "%d", first + k);
            const mark *m = NULL; // the spectrum has such names too
            for (int n = 0; n < p->mark_count && m == NULL; ++n)
                if (p->mark[n].kind == MARK_TEXT && p->mark[n].size == 18.0 && strcmp(p->mark[n].text, text) == 0)
                    m = &p->mark[n];
            assert_non_null(m);
            near(m->x, x, 1e-9);
            near(m->y, y + 7.0, 1e-9);
            same_colour(m->rgba, e.colours.accent);
            double index = width_of(18.0, text);
            label_hz(mode->frequency_hz, text);
            expect_text(text, x + index + 10.0, y + 7.0, 18.0, e.colours.text);
            assert_int_equal(count_like(MARK_LINE, x, y, x + wide, y, 1.0), 1);
            int kinds = 0, views = 0, names = 0;
            label_joints(s.model, mode, cells.joints, movers);
            const char *view = render_view_name(cells.cell[k].view);
            for (int n = 0; n < p->mark_count; ++n) {
                const mark *w = &p->mark[n];
                bool at_right = w->kind == MARK_TEXT && fabs(w->x + width_of(13.0, w->text) - x - wide) < 1e-6;
                kinds +=
                    at_right && fabs(w->y - y - 11.0) < 1e-6 && w->size == 13.0 && strncmp(w->text, "elastic", 3) == 0;
                views += at_right && fabs(w->y - y - 30.0) < 1e-6 && strcmp(w->text, view) == 0;
                names += w->kind == MARK_TEXT && fabs(w->x - x) < 1e-6 && fabs(w->y - y - 30.0) < 1e-6 &&
                         strncmp(w->text, movers, 8) == 0 &&
                         width_of(13.0, w->text) <= wide - width_of(13.0, view) - 12.0 + 1e-6;
            }
            assert_true(kinds == 1 && views == 1 && names == 1);
        }
        near(right, plan.width - 24.0 * unit, 4.0);
        near(bottom, plan.height - (132.0 + 24.0) * unit, 4.0);
        // The spectrum lies below, 16 points from the cells, as wide as they are.
        const mark *base = NULL;
        for (int n = 0; n < p->mark_count && base == NULL; ++n)
            if (p->mark[n].kind == MARK_LINE && p->mark[n].y > bottom / unit + 20.0 && p->mark[n].y == p->mark[n].to[1])
                base = &p->mark[n];
        assert_non_null(base);
        double wide = plan.width / unit, high = plan.height / unit;
        near(base->y, high - (132.0 + 24.0 - 16.0) + (132.0 - 16.0) - 20.0, 1e-6);
        near(base->x, 24.0 + 96.0, 1e-6);
        near(base->to[0], wide - 24.0 - 12.0, 1e-6);
        expect_text("a title", 24.0, 18.0, 26.0, e.colours.text);
        expect_text("what it is of", 24.0 + width_of(26.0, "a title") + 18.0, 29.0, 14.0, e.colours.dim);
        sheet_finish(&cells);
        canvas_finish(&e);
    }
}

static void cells_that_would_be_too_small_are_refused(void **state)
{
    const render_subject s = subject_of(bar);
    // In points of 0.75, the least that letters are: the room around a picture, then its own size.
    static const struct {
        int width, height;
        bool fits;
    } cases[] = {{(int)(48 * 0.75) + 32, 400, true},
                 {(int)(48 * 0.75) + 31, 400, false},
                 {400, (int)(274 * 0.75) + 33, true},
                 {400, (int)(274 * 0.75) + 31, false}};
    for (int i = 0; i < 4; ++i) {
        render_def d = render_default_def();
        canvas e;
        sheet cells;
        char size[32];
        d.what = RENDER_SHEET;
        d.width = cases[i].width;
        d.height = cases[i].height;
        const sheet_plan plan = sheet_layout(&d, 1);
        begin_canvas(&e, &s, &d, plan.width, plan.height, plan.scale);
        er_result r = sheet_init(&e, &s, &d, &plan, 1.0, 0, &cells);
        assert_int_equal(r, cases[i].fits ? ER_OK : ER_ERROR_ARGUMENT);
        if (!cases[i].fits) {
            snprintf(size, sizeof size, "%d x %d", plan.width, plan.height);
            assert_refusal(paper_context, r, ER_ERROR_ARGUMENT, size);
        }
        sheet_finish(&cells);
        canvas_finish(&e);
    }
}

// ---- rigs

// The place of the page at which a point is seen in a picture.
static void seen_at(const noted_picture *of, er_vec3 point, double at[2])
{
    assert_true(draw_camera_project(&of->camera, of->width, of->height, point, at));
    at[0] += of->x;
    at[1] += of->y;
}

static int lines_like(const noted_picture *of, er_vec3 from, er_vec3 to, const float rgba[4], double width)
{
    int count = 0;
    for (int i = 0; i < of->line_count; ++i) {
        const noted_line *l = &of->line[i];
        count += er_v3_distance(l->from, from) < 1e-9 && er_v3_distance(l->to, to) < 1e-9 &&
                 fabs((double)l->width - width) < 1e-6 && (rgba == NULL || memcmp(l->rgba, rgba, sizeof l->rgba) == 0);
    }
    return count;
}

typedef struct rig_page {
    render_subject s;
    render_def d;
    canvas e;
    rig_sheet sheet;
    const er_gait_body *body;
} rig_page;

static void lay_rig(canvas *e, const render_subject *s, const render_def *d, rig_sheet *page)
{
    paper_clear(s->model->body_count);
    assert_int_equal(rig_sheet_layout(paper_context, s, d, page), ER_OK);
    assert_int_equal(canvas_init(paper_context, s, d, page->width, page->height, 1.0, e), ER_OK);
    rig_sheet_draw(e, page);
}

static void draw_rig(rig_page *t)
{
    t->s = subject_of(gnome);
    t->body = session_gait_body(gnome);
    t->d = render_default_def();
    t->d.what = RENDER_RIG;
    t->d.body = t->body;
    t->d.title = "the rig";
    lay_rig(&t->e, &t->s, &t->d, &t->sheet);
    assert_int_equal(p->picture_count, 4);
}

static void end_rig(rig_page *t)
{
    rig_sheet_finish(&t->sheet);
    canvas_finish(&t->e);
}

static void a_rig_is_seen_from_three_sides_on_one_scale(void **state)
{
    rig_page t;
    draw_rig(&t);
    const er_vec3 axis[3] = {t.body->forward, t.body->left, t.body->up};
    static const int along[3] = {1, 0, 0}, upward[3] = {2, 2, 1};
    static const double sign[3] = {1.0, -1.0, 1.0}; // from its left it goes to the left
    static const char *const names[3] = {"from the front", "from its left", "from above"};
    assert_true(t.sheet.width == 1480);
    near(t.sheet.height, 76.0 + 26.0 + t.sheet.high + 24.0 + 19.0 * t.sheet.rows + 24.0, 0.0);
    assert_int_equal(t.sheet.rows, (t.s.model->body_count + 3) / 4);
    assert_in_range(t.sheet.high, 240, 620);
    double gap = (1480.0 - 48.0) / 3.0;
    for (int v = 0; v < 3; ++v)
        gap -= t.sheet.unit * 1.12 * 2.0 * (&t.sheet.half.x)[along[v]] / 3.0;
    double left = 24.0 + 0.5 * gap, tallest = 0.0;
    for (int v = 0; v < 3; ++v) {
        const noted_picture *of = &p->picture[1 + v];
        double wide = t.sheet.unit * 1.12 * 2.0 * (&t.sheet.half.x)[along[v]], at[2], to[2];
        tallest = fmax(tallest, 1.12 * 2.0 * (&t.sheet.half.x)[upward[v]]);
        near(of->x, left, 1.0);
        near(of->y, 76.0 + 26.0, 0.0);
        near(of->width, wide, 1.0);
        near(of->height, t.sheet.high, 0.0);
        assert_true(of->style.mesh && !of->style.skeleton && !of->style.floor && of->figure_count == 1);
        near((double)of->figure[0].figure.opacity, 0.35, 1e-6);
        // A metre along the page and one up it are so many pixels; the middle is in the middle.
        er_vec3 middle = er_v3(0, 0, 0);
        for (int i = 0; i < 3; ++i)
            middle = er_v3_madd(middle, (&t.sheet.middle.x)[i], axis[i]);
        seen_at(of, middle, at);
        near(at[0], of->x + 0.5 * of->width, 1e-6);
        near(at[1], of->y + 0.5 * of->height, 1e-6);
        seen_at(of, er_v3_madd(middle, 0.1, axis[along[v]]), to);
        near(to[0] - at[0], sign[v] * 0.1 * t.sheet.unit, 1e-6);
        near(to[1] - at[1], 0.0, 1e-6);
        seen_at(of, er_v3_madd(middle, 0.1, axis[upward[v]]), to);
        near(to[1] - at[1], -0.1 * t.sheet.unit, 1e-6);
        const mark *m = find_text(names[v]);
        near(m->x + 0.5 * width_of(15.0, names[v]), left + 0.5 * wide, 1e-6);
        near(m->y, 76.0, 0.0);
        near(m->size, 15.0, 0.0);
        left += wide + gap;
    }
    double across = 0.0;
    for (int v = 0; v < 3; ++v)
        across += 1.12 * 2.0 * (&t.sheet.half.x)[along[v]];
    near(t.sheet.unit, fmin(1432.0 / across, 620.0 / tallest), 1e-9);
    near(t.sheet.high, fmax(240.0, ceil(t.sheet.unit * tallest)), 0.0);
    end_rig(&t);
}

static void a_rig_shows_nodes_bodies_soles_and_where_it_goes(void **state)
{
    rig_page t;
    draw_rig(&t);
    const er_model *m = t.s.model;
    const er_recording_target *target = t.s.target;
    for (int v = 0; v < 3; ++v) {
        const noted_picture *of = &p->picture[1 + v];
        int count = 0;
        for (int i = 0; i < target->scene->node_count; ++i) {
            int up = target->scene->node[i].parent;
            if (up < 0 || target->node_body[i] < 0 || target->node_body[up] < 0) continue;
            assert_true(lines_like(of, er_v3_scale(target->metres_per_unit, target->world[up].translation),
                                   er_v3_scale(target->metres_per_unit, target->world[i].translation), t.e.colours.dim,
                                   1.0) > 0);
            ++count;
        }
        for (int b = 0; b < m->body_count; ++b) { // the bones of paper.c
            er_vec3 head = er_v3(b, 0, 0);
            assert_int_equal(lines_like(of, head, er_v3(b, 0.1, 0), NULL, 5.0), 1);
            ++count;
            if (m->tree_parent[b] < 0) continue;
            assert_int_equal(lines_like(of, er_v3(m->tree_parent[b], 0, 0), head, NULL, 1.5), 1);
            ++count;
        }
        for (int f = 0; f < t.body->foot_count; ++f) { // soles go round: each corner is left once, and come to once
            const er_gait_foot *foot = &t.body->foot[f];
            for (int k = 0; k < foot->point_count; ++k) {
                int left = 0, come = 0;
                for (int i = 0; i < of->line_count; ++i) {
                    const noted_line *l = &of->line[i];
                    if (fabs((double)l->width - 2.5) > 1e-6) continue;
                    left += er_v3_distance(l->from, foot->point[k]) < 1e-12;
                    come += er_v3_distance(l->to, foot->point[k]) < 1e-12;
                    if (er_v3_distance(l->from, foot->point[k]) < 1e-12) // to the left about up
                        assert_true(er_v3_distance(l->from, l->to) > 0.0);
                }
                assert_true(left == 1 && come == 1);
            }
            count += foot->point_count;
        }
        er_vec3 ground = er_v3_scale(t.body->ground, t.body->up);
        ground = er_v3_madd(er_v3_madd(ground, t.sheet.middle.x, t.body->forward), t.sheet.middle.y, t.body->left);
        if (v == 0) {
            assert_int_equal(
                lines_like(of, ground, er_v3_madd(ground, 2.0 * t.sheet.half.z, t.body->up), t.e.colours.accent, 1.0),
                1);
            ++count;
        } else {
            double reach = 0.98 * t.sheet.half.x;
            double barb = 0.12 * fmin(t.sheet.half.x, fmax(t.sheet.half.y, 0.3 * t.sheet.half.x));
            er_vec3 tip = er_v3_madd(ground, reach, t.body->forward);
            assert_int_equal(lines_like(of, er_v3_madd(ground, -reach, t.body->forward), tip, t.e.colours.accent, 2.0),
                             1);
            for (int side = -1; side <= 1; side += 2)
                assert_int_equal(
                    lines_like(of, tip, er_v3_madd(er_v3_madd(tip, -barb, t.body->forward), side * barb, t.body->left),
                               t.e.colours.accent, 2.0),
                    1);
            count += 3;
        }
        assert_int_equal(of->line_count, count);
    }
    end_rig(&t);
}

static void names_of_bodies_stand_in_four_columns(void **state)
{
    rig_page t;
    draw_rig(&t);
    const er_model *m = t.s.model;
    double top = 76.0 + 26.0 + t.sheet.high + 24.0, column = (1480.0 - 48.0) / 4.0;
    int box = 0;
    for (int i = 0; i < p->mark_count; ++i) {
        if (p->mark[i].kind != MARK_BOX) continue;
        double x = 24.0 + column * (box / t.sheet.rows), y = top + 19.0 * (box % t.sheet.rows);
        char text[256];
        near(p->mark[i].x, x, 1e-9);
        near(p->mark[i].y, y + 3.0, 1e-9);
        assert_true(p->mark[i].to[0] == 12.0 && p->mark[i].to[1] == 12.0 && p->mark[i].size == 3.0);
        int up = m->tree_parent[box];
        snprintf(text, sizeof text, up >= 0 ? "%s  \xE2\x86\x90 %s" : "%s, a root", m->body[box].name,
                 up >= 0 ? m->body[up].name : "");
        const mark *w = &p->mark[i + 1];
        assert_string_equal(w->text, text);
        near(w->x, x + 20.0, 1e-9);
        near(w->y, y, 1e-9);
        near(w->size, 13.0, 0.0);
        ++box;
    }
    char text[256];
    snprintf(
        text, sizeof text,
        "%d bodies \xC2\xB7 %d feet \xC2\xB7 faces the arrow, sure by %.0f %% \xC2\xB7 grey: as nodes hang in the file",
        m->body_count, t.body->foot_count, 100.0 * t.body->facing);
    expect_text(text, 24.0 + width_of(26.0, "the rig") + 18.0, 29.0, 14.0, t.e.colours.dim);
    // Feet are named where they are seen: each from above and from the front, those of the left from there.
    for (int f = 0; f < t.body->foot_count; ++f) {
        const er_gait_foot *foot = &t.body->foot[f];
        er_vec3 sum = er_v3(0, 0, 0);
        double at[3][2];
        int seen[3] = {0};
        for (int k = 0; k < foot->point_count; ++k)
            sum = er_v3_madd(sum, 1.0 / foot->point_count, foot->point[k]);
        for (int v = 0; v < 3; ++v)
            seen_at(&p->picture[1 + v], sum, at[v]);
        for (int i = 0; i < p->mark_count; ++i)
            for (int v = 0; v < 3; ++v)
                seen[v] += p->mark[i].kind == MARK_TEXT && p->mark[i].size == 13.0 &&
                           strcmp(p->mark[i].text, foot->name) == 0 &&
                           fabs(p->mark[i].x + 0.5 * width_of(13.0, foot->name) - at[v][0]) < 1.0 &&
                           fabs(p->mark[i].y - at[v][1] - (v == 2 ? -7.0 : 6.0)) < 1e-6;
        assert_true(seen[0] == 1 && seen[1] == (foot->side >= 0) && seen[2] == 1);
    }
    end_rig(&t);
}

// More bodies than 60 rows of four have room for.
static void rigs_of_many_bodies_end_with_how_many_more_there_are(void **state)
{
    enum { BODIES = 245 };
    render_subject s = subject_of(gnome);
    er_body *body = calloc(BODIES, sizeof *body);
    int *parent = malloc(BODIES * sizeof *parent);
    assert_true(body != NULL && parent != NULL);
    for (int b = 0; b < BODIES; ++b) {
        body[b] = s.model->body[b % s.model->body_count];
        parent[b] = b - 1;
    }
    er_scene scene = *s.target->scene;
    er_recording_target target = *s.target;
    scene.instance_count = scene.node_count = 0;
    target.scene = &scene;
    for (int count = 240; count <= BODIES; count += 5) {
        const er_model many = {.name = "many", .size = 1.0, .body_count = count, .body = body, .tree_parent = parent};
        const render_subject of = {&target, &many, NULL};
        render_def d = render_default_def();
        canvas e;
        rig_sheet page;
        d.what = RENDER_RIG;
        d.body = session_gait_body(gnome);
        lay_rig(&e, &of, &d, &page);
        assert_int_equal(page.rows, 60);
        assert_int_equal(count_marks(MARK_BOX), count == 240 ? 240 : 239);
        assert_int_equal(p->picture[1].figure_count, 0); // there is no mesh
        if (count > 240)
            expect_text("and 6 more", 24.0 + 3.0 * 358.0, 126.0 + page.high + 19.0 * 59.0, 13.0, e.colours.dim);
        rig_sheet_finish(&page);
        canvas_finish(&e);
    }
    free(body);
    free(parent);
}

// ---- strips

typedef struct strip_page {
    render_subject s;
    render_def d;
    stride g;
    canvas e;
    strip strip;
} strip_page;

static void plan_strip(strip_page *t, int count)
{
    t->s = subject_of(gnome);
    t->d = render_default_def();
    make_stride(&t->g, &t->d, count);
    t->d.what = RENDER_STRIP;
    t->d.title = "a strip";
    paper_clear(t->s.model->body_count);
}

static void draw_strip(strip_page *t)
{
    assert_int_equal(strip_layout(paper_context, &t->s, &t->d, &t->strip), ER_OK);
    assert_int_equal(canvas_init(paper_context, &t->s, &t->d, t->strip.width, t->strip.height, 1.0, &t->e), ER_OK);
    strip_draw(&t->e, &t->strip);
}

static void end_strip(strip_page *t)
{
    strip_finish(&t->strip);
    canvas_finish(&t->e);
    free_stride(&t->g);
}

static void a_stride_is_eight_figures_side_by_side(void **state)
{
    strip_page t;
    plan_strip(&t, 2);
    draw_strip(&t);
    const strip *s = &t.strip;
    const er_gait_body *body = &t.g.body;
    double spacing = (s->width - 48.0) / 8.0;
    assert_in_range(s->width, 1080, 1690);
    assert_int_equal(s->height, 76 + 2 * (40 + s->high + 30) + 24);
    assert_int_equal(p->picture_count, 3);
    for (int row = 0; row < 2; ++row) {
        const noted_picture *of = &p->picture[1 + row];
        assert_true(of->x == 24 && of->width == s->width - 48 && of->height == s->high);
        assert_int_equal(of->y, 76 + row * (40 + s->high + 30) + 40);
        assert_int_equal(of->figure_count, 8);
        assert_true(!of->style.lines && of->style.floor && of->camera.fov == 0.0);
        near(of->camera.pitch, 0.07, 1e-12);
        near((double)of->style.light_yaw, of->camera.yaw - 0.5, 1e-6);
        er_vec3 axis[3];
        draw_camera_axes(&of->camera, axis);
        near(er_v3_dot(axis[0], body->forward), 1.0, 1e-9); // it goes to the right
        for (int k = 0; k < 8; ++k) {
            const noted_figure *f = &of->figure[k];
            double at[2], to[2];
            // Eighths of a stride: of 16 frames every second one.
            for (int b = 0; b < t.s.model->body_count; ++b)
                near(er_v3_distance(f->pose[b].p, t.g.pose[2 * k * t.s.model->body_count + b].p), 0.0, 1e-12);
            seen_at(of, of->camera.target, at);
            seen_at(of, er_v3_add(of->camera.target, f->figure.shift), to);
            near(to[0] - at[0], (k - 3.5) * spacing, 1e-6);
            near(to[1] - at[1], 0.0, 1e-6);
        }
        // A metre is so many pixels.
        double at[2], to[2];
        seen_at(of, of->camera.target, at);
        seen_at(of, er_v3_madd(of->camera.target, 0.1, axis[1]), to);
        near(at[1] - to[1], 0.1 * s->unit, 1e-6);
    }
    end_strip(&t);
}

static void bars_stand_below_feet_that_stand(void **state)
{
    strip_page t;
    plan_strip(&t, 2);
    draw_strip(&t);
    const strip *s = &t.strip;
    int bars = 0;
    for (int row = 0; row < 2; ++row) {
        const noted_picture *of = &p->picture[1 + row];
        double ground = of->y + s->ground;
        for (int k = 0; k < 8; ++k)
            for (int f = 0; f < t.g.body.foot_count; ++f) {
                const er_gait_foot *foot = &t.g.body.foot[f];
                double from = HUGE_VAL, to = -HUGE_VAL, up = 0.02 * sin(2.0 * ER_PI * 2 * k / (FRAMES - 1));
                for (int i = 0; i < foot->point_count; ++i) {
                    double pixel[2];
                    er_vec3 x = er_v3_madd(foot->point[i], up, t.g.body.up);
                    seen_at(of, er_v3_add(x, of->figure[k].figure.shift), pixel);
                    from = fmin(from, pixel[0]);
                    to = fmax(to, pixel[0]);
                }
                double wide = fmax(to - from, 7.0), y = ground + (foot->side > 0 ? 12.0 : 5.0);
                int there = 0;
                for (int i = 0; i < p->mark_count; ++i) {
                    const mark *m = &p->mark[i];
                    if (m->kind != MARK_BOX || fabs(m->y - y) > 1e-6 || fabs(m->x - 0.5 * (from + to - wide)) > 1e-4)
                        continue;
                    near(m->to[0], wide, 1e-4);
                    assert_true(m->to[1] == 5.0 && m->size == 2.0);
                    same_colour(m->rgba, foot->side > 0 ? t.e.colours.dim : t.e.colours.accent);
                    ++there;
                }
                bool stands = f == 0 ? 2 * k < 9 : 2 * k >= 6;
                assert_int_equal(there, stands);
                bars += stands;
            }
        assert_int_equal(count_like(MARK_LINE, 24.0, ground + 1.0, s->width - 24.0, ground + 1.0, 1.0), 1);
    }
    assert_int_equal(count_marks(MARK_BOX), bars);
    end_strip(&t);
}

// Without feet it is seen from above, and what has wings from the right.
static void bodies_without_feet_are_seen_from_above(void **state)
{
    for (int wings = 0; wings < 2; ++wings) {
        strip_page t;
        plan_strip(&t, 1);
        t.g.body.foot_count = 0;
        t.g.body.wing_count = 2 * wings;
        draw_strip(&t);
        near(p->picture[1].camera.pitch, wings ? 0.07 : 0.5 * ER_PI, 1e-12);
        assert_false(p->picture[1].style.floor);
        find_text(wings ? "eighths of a beat, from the right" : "eighths of a cycle, from above");
        assert_int_equal(count_marks(MARK_BOX), 0);
        assert_int_equal(count_marks(MARK_LINE), 1); // above the row
        end_strip(&t);
    }
}

// With another up in the file the floor would lie askew.
static void a_floor_that_would_be_askew_is_left_out(void **state)
{
    strip_page t;
    plan_strip(&t, 1);
    er_scene scene = *t.s.target->scene;
    er_recording_target target = *t.s.target;
    scene.up = er_v3_unit(er_v3_madd(scene.up, 0.1, t.g.body.forward), scene.up);
    target.scene = &scene;
    t.s.target = &target;
    draw_strip(&t);
    assert_false(p->picture[1].style.floor);
    end_strip(&t);
}

static void strips_hold_so_many_gaits_as_8192_pixels_do(void **state)
{
    strip_page t;
    plan_strip(&t, 1);
    assert_int_equal(strip_layout(paper_context, &t.s, &t.d, &t.strip), ER_OK);
    int row = 40 + t.strip.high + 30, most = (8192 - 76 - 24) / row;
    strip_finish(&t.strip);
    er_gait *gait = calloc((size_t)most + 1, sizeof *gait);
    const er_gait_motion **motion = calloc((size_t)most + 1, sizeof *motion);
    assert_true(gait != NULL && motion != NULL);
    for (int i = 0; i <= most; ++i)
        motion[i] = &t.g.motion[0];
    t.g.gaits.gait = gait;
    t.d.motion = motion;
    for (int more = 0; more < 2; ++more) {
        char number[16];
        t.g.gaits.count = most + more;
        er_result r = strip_layout(paper_context, &t.s, &t.d, &t.strip);
        snprintf(number, sizeof number, "%d", most);
        if (more)
            assert_refusal(paper_context, r, ER_ERROR_ARGUMENT, number);
        else
            assert_int_equal(r, ER_OK);
        strip_finish(&t.strip);
    }
    t.g.gaits.count = 0;
    assert_int_equal(strip_layout(paper_context, &t.s, &t.d, &t.strip), ER_ERROR_ARGUMENT);
    strip_finish(&t.strip);
    free(gait);
    free(motion);
    free_stride(&t.g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_cut_where_they_have_no_room),
        cmocka_unit_test(a_page_is_called_after_its_model),
        cmocka_unit_test(pages_are_flat_paper_and_pictures_are_not),
        cmocka_unit_test(what_is_drawn_is_laid_on_paper),
        cmocka_unit_test(whatever_cannot_be_made_ends_it),
        cmocka_unit_test(stems_stand_at_their_frequencies),
        cmocka_unit_test(steps_of_an_axis_are_one_two_or_five),
        cmocka_unit_test(wide_ranges_are_logarithmic),
        cmocka_unit_test(stems_that_are_near_each_other_share_a_name),
        cmocka_unit_test(cells_of_a_sheet_fill_the_page),
        cmocka_unit_test(cells_that_would_be_too_small_are_refused),
        cmocka_unit_test(a_rig_is_seen_from_three_sides_on_one_scale),
        cmocka_unit_test(a_rig_shows_nodes_bodies_soles_and_where_it_goes),
        cmocka_unit_test(names_of_bodies_stand_in_four_columns),
        cmocka_unit_test(rigs_of_many_bodies_end_with_how_many_more_there_are),
        cmocka_unit_test(a_stride_is_eight_figures_side_by_side),
        cmocka_unit_test(bars_stand_below_feet_that_stand),
        cmocka_unit_test(bodies_without_feet_are_seen_from_above),
        cmocka_unit_test(a_floor_that_would_be_askew_is_left_out),
        cmocka_unit_test(strips_hold_so_many_gaits_as_8192_pixels_do),
    };
    return cmocka_run_group_tests(tests, paper_begin, paper_end);
}
