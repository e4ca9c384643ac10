// Notes of what viewer/draw and viewer/gui would draw; letters have one width.
#include "paper.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/failure.h"
#include "viewer/gui/gui.h"

paper sheet_of_paper;
static paper *const p = &sheet_of_paper;

void paper_clear(int body_count)
{
    for (int i = 0; i < p->picture_count && i < MOST_PICTURES; ++i)
        for (int k = 0; k < p->picture[i].figure_count; ++k)
            free(p->picture[i].figure[k].pose);
    memset(p, 0, sizeof *p);
    p->body_count = body_count;
    p->pixel[3] = 255;
}

void begin_canvas(canvas *e, const render_subject *s, const render_def *d, int width, int height, double scale)
{
    paper_clear(s->model->body_count);
    if (canvas_init(paper_context, s, d, width, height, scale, e) != ER_OK)
        fail_msg("%s", er_context_error(paper_context));
}

const mark *find_text_at(const char *text, double y)
{
    const mark *found = NULL;
    for (int i = 0; i < p->mark_count; ++i) {
        const mark *m = &p->mark[i];
        if (m->kind != MARK_TEXT || strcmp(m->text, text) != 0 || (!isnan(y) && fabs(m->y - y) > 1e-6)) continue;
        if (found != NULL) fail_msg("\"%s\" is written twice", text);
        found = m;
    }
    if (found == NULL) fail_msg("\"%s\" is not written at %g", text, y);
    return found;
}

const mark *find_text(const char *text)
{
    return find_text_at(text, NAN);
}

int count_marks(mark_kind kind)
{
    int count = 0;
    for (int i = 0; i < p->mark_count; ++i)
        count += p->mark[i].kind == kind;
    return count;
}

static bool is_like(double is, double wanted)
{
    return isnan(wanted) || fabs(is - wanted) < 1e-6;
}

int count_like(mark_kind kind, double x, double y, double to_x, double to_y, double size)
{
    int count = 0;
    for (const mark *m = p->mark; m < p->mark + p->mark_count; ++m)
        count += m->kind == kind && is_like(m->x, x) && is_like(m->y, y) && is_like(m->to[0], to_x) &&
                 is_like(m->to[1], to_y) && is_like(m->size, size);
    return count;
}

double width_of(double size, const char *text)
{
    return 0.5 * size * (double)strlen(text);
}

// ---- things that are made

static er_result make(er_context *context, void **out)
{
    *out = NULL;
    if (++p->made == p->refuses) return er_fail(context, ER_ERROR_SYSTEM, "thing %d is not to be had", p->made);
    *out = malloc(1);
    assert_non_null(*out);
    ++p->alive;
    return ER_OK;
}

static void end(void *thing)
{
    p->alive -= thing != NULL;
    free(thing);
}

er_result draw_offscreen_create(er_context *context, draw_offscreen **out)
{
    return make(context, (void **)out);
}

void draw_offscreen_destroy(draw_offscreen *offscreen)
{
    end(offscreen);
}

static er_context *of_painter;

er_result painter_create(er_context *context, painter **out)
{
    of_painter = context;
    return make(context, (void **)out);
}

void painter_destroy(painter *by)
{
    end(by);
}

er_result draw_model_create(painter *by, const er_recording_target *target, const er_model *model, draw_model **out)
{
    assert_true(by != NULL && target != NULL && model != NULL);
    return make(of_painter, (void **)out);
}

void draw_model_destroy(draw_model *m)
{
    end(m);
}

int draw_model_texture_side(const draw_model *m)
{
    assert_non_null(m);
    return p->texture_side;
}

// Bones go up by a tenth of a metre from where bodies are.
void draw_bones(const draw_model *m, const er_pose *pose, er_vec3 *head, er_vec3 *tip)
{
    assert_non_null(m);
    for (int b = 0; b < p->body_count; ++b) {
        er_vec3 at = pose != NULL ? pose[b].p : er_v3(b, 0, 0);
        if (head != NULL) head[b] = at;
        if (tip != NULL) tip[b] = er_v3_add(at, er_v3(0, 0.1, 0));
    }
}

er_result draw_target_create(painter *by, int width, int height, int samples, draw_target **out)
{
    assert_non_null(by);
    p->width = width;
    p->height = height;
    p->samples = samples;
    return make(of_painter, (void **)out);
}

void draw_target_destroy(draw_target *t)
{
    end(t);
}

void draw_target_bind(draw_target *t)
{
    assert_non_null(t);
}

void draw_target_read(draw_target *t, uint8_t *rgba)
{
    assert_non_null(t);
    for (int i = 0; i < p->width * p->height; ++i) {
        memcpy(rgba + 4 * i, p->pixel, 4);
        rgba[4 * i] = (uint8_t)(p->pixel[0] + i);
    }
}

gui *gui_create(double scale, bool dark)
{
    void *made;
    p->scale = scale;
    p->dark = dark;
    make(of_painter, &made);
    return made;
}

void gui_destroy(gui *g)
{
    end(g);
}

// ---- pictures

static noted_picture *last_picture(void)
{
    assert_in_range(p->picture_count, 1, MOST_PICTURES);
    return &p->picture[p->picture_count - 1];
}

void painter_begin(painter *by, draw_target *t, int x, int y, int width, int height, const draw_camera *camera,
                   const draw_style *style)
{
    assert_true(by != NULL && t != NULL && p->picture_count < MOST_PICTURES);
    p->picture[p->picture_count++] =
        (noted_picture){.x = x, .y = y, .width = width, .height = height, .camera = *camera, .style = *style};
}

void painter_add(painter *by, draw_model *m, const draw_figure *figure)
{
    assert_true(by != NULL && m != NULL);
    noted_picture *of = last_picture();
    assert_true(of->figure_count < MOST_FIGURES);
    noted_figure *f = &of->figure[of->figure_count++];
    f->figure = *figure;
    if (figure->pose == NULL) return;
    f->pose = malloc((size_t)p->body_count * sizeof *f->pose);
    assert_non_null(f->pose);
    memcpy(f->pose, figure->pose, (size_t)p->body_count * sizeof *f->pose);
}

void painter_lines(painter *by, int count, const er_vec3 *point, const float rgba[4], float width)
{
    assert_non_null(by);
    noted_picture *of = last_picture();
    for (int i = 0; i < count; ++i) {
        assert_true(of->line_count < MOST_LINES);
        noted_line *l = &of->line[of->line_count++];
        *l = (noted_line){.from = point[2 * i], .to = point[2 * i + 1], .width = width};
        memcpy(l->rgba, rgba, sizeof l->rgba);
    }
}

bool painter_end(painter *by)
{
    assert_non_null(by);
    return true;
}

// ---- letters

static mark *note(mark_kind kind, const float rgba[4])
{
    if (p->mark_count == MOST_MARKS) --p->mark_count; // of a film nobody looks for the last
    mark *m = &p->mark[p->mark_count++];
    *m = (mark){.kind = kind};
    memcpy(m->rgba, rgba, sizeof m->rgba);
    return m;
}

void gui_begin(gui *g, int width, int height, double seconds)
{
    assert_true(g != NULL && width == p->width && height == p->height && seconds > 0.0);
}

void gui_end(gui *g)
{
    assert_non_null(g);
}

void gui_paint(gui *g)
{
    assert_non_null(g);
}

void gui_draw_text(gui *g, double x, double y, double size, const float rgba[4], const char *text)
{
    assert_non_null(g);
    mark *m = note(MARK_TEXT, rgba);
    m->x = x;
    m->y = y;
    m->size = size;
    strncpy(m->text, text, sizeof m->text - 1);
}

void gui_draw_line(gui *g, const double from[2], const double to[2], double width, const float rgba[4])
{
    assert_non_null(g);
    mark *m = note(MARK_LINE, rgba);
    m->x = from[0];
    m->y = from[1];
    memcpy(m->to, to, sizeof m->to);
    m->size = width;
}

void gui_draw_box(gui *g, double x, double y, double width, double height, const float rgba[4], double rounding)
{
    assert_non_null(g);
    mark *m = note(MARK_BOX, rgba);
    m->x = x;
    m->y = y;
    m->to[0] = width;
    m->to[1] = height;
    m->size = rounding;
}

double gui_text_width(gui *g, double size, const char *text)
{
    assert_non_null(g);
    return width_of(size, text);
}

// ---- models and gaits

er_context *paper_context;
session *gnome, *bar;

static session *open_model(const char *name)
{
    char path[4096];
    session *s = NULL;
    snprintf(path, sizeof path, "%s/models/%s", getenv("EIGENRIG_SOURCE"), name);
    assert_int_equal(session_create(paper_context, &s), ER_OK);
    if (session_open(s, path, NULL) != ER_OK) fail_msg("%s", er_context_error(paper_context));
    return s;
}

int paper_begin(void **state)
{
    if (er_context_create(NULL, &paper_context) != ER_OK) return -1;
    gnome = open_model("gnome.glb");
    bar = open_model("four_bar.json");
    return 0;
}

int paper_end(void **state)
{
    paper_clear(0);
    session_destroy(gnome);
    session_destroy(bar);
    er_context_destroy(paper_context);
    return 0;
}

render_subject subject_of(const session *s)
{
    return (render_subject){session_target(s), session_model(s), session_modes(s)};
}

er_pose *room_for(const er_model *model)
{
    er_pose *pose = malloc((size_t)model->body_count * sizeof *pose);
    assert_non_null(pose);
    return pose;
}

void same_pose(const er_pose *is, const er_pose *wanted, int count, double within)
{
    for (int b = 0; b < count; ++b) {
        near(er_v3_distance(is[b].p, wanted[b].p), 0.0, within);
        near(er_v3_norm(er_q_log(er_q_mul(er_q_conj(is[b].q), wanted[b].q))), 0.0, 10.0 * within);
    }
}

void expect_mode(const noted_figure *f, int mode, double degrees, double phase, double within)
{
    er_pose *wanted = room_for(session_model(gnome));
    assert_int_equal(session_mode_pose(gnome, mode, degrees, phase, wanted), ER_OK);
    same_pose(f->pose, wanted, session_model(gnome)->body_count, within);
    free(wanted);
}

void make_stride(stride *g, render_def *d, int count)
{
    const er_model *model = session_model(gnome);
    size_t n = (size_t)model->body_count;
    *g = (stride){.body = *session_gait_body(gnome)};
    g->pose = malloc(FRAMES * n * sizeof *g->pose);
    g->stands = calloc((size_t)(FRAMES * g->body.foot_count) + 1, sizeof *g->stands);
    assert_true(g->pose != NULL && g->stands != NULL);
    for (int f = 0; f < FRAMES; ++f) {
        g->time[f] = 0.8 * f / (FRAMES - 1);
        g->travel[f] = er_v3_scale(0.6 * f / (FRAMES - 1), g->body.forward);
        for (size_t b = 0; b < n; ++b) {
            g->pose[(size_t)f * n + b] = model->body[b].pose;
            g->pose[(size_t)f * n + b].p =
                er_v3_madd(model->body[b].pose.p, 0.02 * sin(2.0 * ER_PI * f / (FRAMES - 1)), g->body.up);
        }
        for (int k = 0; k < g->body.foot_count; ++k)
            g->stands[f * g->body.foot_count + k] = k == 0 ? f < 9 : f >= 6;
    }
    for (int i = 0; i < 2; ++i) {
        g->motion[i] = (er_gait_motion){.model = model,
                                        .frame_count = FRAMES,
                                        .time = g->time,
                                        .pose = g->pose,
                                        .travel = g->travel,
                                        .foot_count = g->body.foot_count,
                                        .stands = g->stands};
        g->each[i] = &g->motion[i];
        g->gait[i] = (er_gait){.name = i == 0 ? "walk" : "a gait of a long name",
                               .hz = 1.25,
                               .speed = 0.75,
                               .froude = 0.125,
                               .stride = 0.6,
                               .score = 0.5 + 0.25 * i};
    }
    g->gaits = (er_gaits){.body = &g->body, .count = count, .gait = g->gait};
    d->gaits = &g->gaits;
    d->motion = g->each;
}

void free_stride(stride *g)
{
    free(g->pose);
    free(g->stands);
}
