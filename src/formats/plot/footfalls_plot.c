// Gaits as drawings: when feet stand, and stick figures over a stride.
#include <stdio.h>

#include <eigenrig/plots.h>
#include <string.h>

#include <eigenrig/gait.h>

#include "formats/plot/svg.h"

enum { WIDE = 960, EDGE = 24, LINE = 18 }; // pixels

// Bodies go to the right, so they are seen from their right.
static const char *const ink = "#222", *const near_ink = "#1f5fa8", *const far_ink = "#b4b4b4",
                         *const other = "#d07a1c";

static void begin_svg(eri_out *out, int height, const char *title)
{
    eri_out_printf(out,
                   "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
                   "version=\"1.1\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" "
                   "font-size=\"%d\" fill=\"%s\">\n<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n",
                   WIDE, height, WIDE, height, ERI_SVG_FONT, ink, WIDE, height);
    eri_svg_text(out, EDGE, 26, " font-size=\"15\" font-weight=\"bold\"", title != NULL ? title : "");
}

static er_result check(er_context *context, const er_gaits *gaits, const char *path)
{
    if (gaits != NULL && path != NULL) return ER_OK;
    return er_fail(context, ER_ERROR_ARGUMENT, "a drawing of gaits needs gaits and a path");
}

static void write_head(eri_out *out, double y, const er_gait *gait, double height)
{
    char text[160];
    eri_svg_text(out, EDGE, y, " font-size=\"13\" font-weight=\"bold\"", gait->name);
    snprintf(text, sizeof text, "%.2f strides a second, %.3g m/s, %.2g body heights a stride, Froude %.2f", gait->hz,
             gait->speed, gait->stride / height, gait->froude);
    eri_svg_text(out, EDGE + 110, y, " fill=\"#666\"", text);
}

// --- footfalls

static const char *ink_of(const er_gait_foot *foot)
{
    return foot->side < 0 ? near_ink : foot->side > 0 ? "#8a8a8a" : other;
}

// A foot's stances over two strides, those that begin before or end after cut off.
static void write_row(eri_out *out, double y, const er_gait_foot *foot, const er_gait_step *step)
{
    const double x0 = EDGE + 60, wide = WIDE - 2 * EDGE - 60;
    eri_svg_text(out, EDGE, y + 10, "", foot->name);
    eri_out_printf(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"12\" fill=\"#f1f1f1\"/>\n", x0, y, wide);
    for (int turn = -1; turn < 2 && step->duty > 0.0; ++turn) {
        double from = turn + step->phase, to = from + step->duty;
        from = from < 0.0 ? 0.0 : from;
        to = to > 2.0 ? 2.0 : to;
        if (to <= from) continue;
        eri_out_printf(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"12\" fill=\"%s\"/>\n",
                       x0 + 0.5 * wide * from, y, 0.5 * wide * (to - from), ink_of(foot));
    }
}

er_result er_gaits_plot_footfalls(er_context *context, const er_gaits *gaits, const char *title, const char *path)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    er_result r = check(context, gaits, path);
    if (r != ER_OK) return r;
    eri_out out = {0};
    int feet = gaits->body->foot_count, each = feet * LINE + 48;
    double y = 56;
    ERI_TRY(eri_out_begin(&out, context));
    begin_svg(&out, 64 + gaits->count * each, title);
    if (gaits->count == 0) eri_svg_text(&out, EDGE, 48, "", "no gait");
    for (int i = 0; i < gaits->count; ++i, y += each) {
        const er_gait *gait = &gaits->gait[i];
        write_head(&out, y, gait, gaits->body->height);
        if (feet == 0) eri_svg_text(&out, EDGE, y + 18, "", "no feet: a wave along the body");
        for (int f = 0; f < feet; ++f)
            write_row(&out, y + 10 + LINE * f, &gaits->body->foot[f], &gait->step[f]);
    }
    eri_out_text(&out, "</svg>\n");
    r = eri_out_write(&out, path);
done:
    eri_out_end(&out);
    return r;
}

// --- stick figures

enum { FIGURES = 8, CELL = (WIDE - 2 * EDGE) / FIGURES };

typedef struct strip {
    eri_out *out;
    const er_gait_body *body;
    const er_model *model;
    const char **colour; // [body_count]
    er_vec3 across;      // up on paper
    double scale;        // pixels a metre
    double top, high;    // of a cell, pixels
    er_vec3 centre;      // that is in the middle of a cell's width and on its ground line
} strip;

static void put(const strip *s, double x0, er_vec3 at)
{
    er_vec3 d = er_v3_sub(at, s->centre);
    eri_out_printf(s->out, "%.1f %.1f ", x0 + 0.5 * CELL + s->scale * er_v3_dot(d, s->body->forward),
                   s->top + s->high - s->scale * er_v3_dot(d, s->across));
}

static void bone(const strip *s, double x0, er_vec3 from, er_vec3 to, const char *colour)
{
    eri_out_text(s->out, "<path d=\"M");
    put(s, x0, from);
    eri_out_text(s->out, "L");
    put(s, x0, to);
    eri_out_printf(s->out, "\" stroke=\"%s\"/>\n", colour);
}

static bool ends(const er_model *model, int body)
{
    for (int i = 0; i < model->body_count; ++i)
        if (model->tree_parent[i] == body) return false;
    return true;
}

static void draw_figure(const strip *s, double x0, const er_pose *pose)
{
    for (int near = 0; near < 2; ++near) // over what is far
        for (int i = 0; i < s->model->body_count; ++i) {
            int up = s->model->tree_parent[i];
            if ((s->colour[i] == far_ink) == (near != 0)) continue;
            if (up >= 0) bone(s, x0, pose[up].p, pose[i].p, s->colour[i]);
            er_vec3 tip = er_v3_scale(2.0, s->model->body[i].com);
            if (ends(s->model, i)) bone(s, x0, pose[i].p, er_pose_point(pose[i], tip), s->colour[i]);
        }
    for (int f = 0; f < s->body->foot_count; ++f) {
        const er_gait_foot *foot = &s->body->foot[f];
        for (int k = 0; k < foot->point_count; ++k) {
            int b = foot->point_body[k];
            er_vec3 at = er_pose_point_inverse(s->model->body[b].pose, foot->point[k]);
            bone(s, x0, pose[b].p, er_pose_point(pose[b], at), s->colour[b]);
        }
    }
}

static er_result choose_colours(er_arena *arena, strip *s)
{
    er_result r = ER_OK;
    ERI_TRY_NEW(s->colour, arena, const char *, s->model->body_count);
    for (int i = 0; i < s->model->body_count; ++i) {
        int mirror = s->body->mirror[i];
        s->colour[i] = ink;
        if (mirror < 0 || mirror == i) continue;
        double side = er_v3_dot(er_v3_sub(s->model->body[i].pose.p, s->model->body[mirror].pose.p), s->body->left);
        s->colour[i] = side < 0.0 ? near_ink : far_ink;
    }
done:
    return r;
}

static void draw_row(const strip *s, const er_gait_motion *m)
{
    eri_out_printf(s->out,
                   "<g fill=\"none\" stroke-width=\"2\" stroke-linecap=\"round\">\n<path d=\"M%d %.1fH%d\" "
                   "stroke=\"#ddd\" stroke-width=\"1\"/>\n",
                   EDGE, s->top + s->high, WIDE - EDGE);
    for (int k = 0; k < FIGURES; ++k) {
        size_t frame = (size_t)((m->frame_count - 1) * k / FIGURES);
        draw_figure(s, EDGE + CELL * k, m->pose + frame * (size_t)m->model->body_count);
    }
    eri_out_text(s->out, "</g>\n");
}

static void set_scale(strip *s)
{
    double low = HUGE_VAL, high = -HUGE_VAL, sum = 0.0, mass = 0.0;
    bool above = s->body->foot_count + s->body->wing_count == 0;
    s->across = above ? s->body->left : s->body->up;
    for (int i = 0; i < s->model->body_count; ++i) {
        const er_body *body = &s->model->body[i];
        er_vec3 middle = er_pose_point(body->pose, body->com);
        double x = er_v3_dot(middle, s->body->forward);
        low = fmin(low, x);
        high = fmax(high, x);
        sum += body->mass * er_v3_dot(middle, s->across);
        mass += body->mass;
    }
    double tall = above ? 0.5 * s->model->size : 1.1 * s->body->height,
           wide = 1.5 * (high - low) + 0.1 * s->model->size;
    s->scale = fmin(CELL / fmax(wide, 1e-9), 130.0 / tall);
    s->high = above ? 40.0 : fmax(50.0, s->scale * tall);
    double base = above ? sum / mass - s->high / s->scale * 0.5 : s->body->ground;
    s->centre = er_v3_add(er_v3_scale(0.5 * (low + high), s->body->forward), er_v3_scale(base, s->across));
}

er_result er_gaits_plot_strides(er_context *context, const er_gaits *gaits, const er_gait_motion *const *motion,
                                const char *title, const char *path)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    er_result r = check(context, gaits, path);
    if (r == ER_OK && gaits->count > 0 && motion == NULL)
        r = er_fail(context, ER_ERROR_ARGUMENT, "a strip of gaits needs their motions");
    if (r != ER_OK) return r;
    eri_out out = {0};
    strip s = {.out = &out, .body = gaits->body};
    ERI_TRY(eri_out_begin(&out, context));
    if (gaits->count > 0) {
        s.model = motion[0]->model;
        set_scale(&s);
        ERI_TRY(choose_colours(out.text.arena, &s));
    }
    int each = (int)s.high + 44;
    begin_svg(&out, 64 + gaits->count * each, title);
    if (gaits->count == 0) eri_svg_text(&out, EDGE, 48, "", "no gait");
    for (int i = 0; i < gaits->count; ++i) {
        s.top = 66 + i * each;
        write_head(&out, s.top - 10, &gaits->gait[i], gaits->body->height);
        draw_row(&s, motion[i]);
    }
    eri_out_text(&out, "</svg>\n");
    r = eri_out_write(&out, path);
done:
    eri_out_end(&out);
    return r;
}
