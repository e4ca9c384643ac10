// What pictures and films show at a time: poses, ghosts, cameras and the size of it all, by what is written down of
// them.
#include "paper.h"

#include <math.h>
#include <png.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "viewer/render/aim.h"
#include "viewer/render/cell.h"

static paper *const p = &sheet_of_paper;
static char path[64], film_path[64];

static int begin_all(void **state)
{
    snprintf(path, sizeof path, "/tmp/eigenrig_pictures_%d.png", (int)getpid());
    snprintf(film_path, sizeof film_path, "/tmp/eigenrig_pictures_%d.apng", (int)getpid());
    return paper_begin(state);
}

static int end_all(void **state)
{
    unlink(path);
    unlink(film_path);
    return paper_end(state);
}

static void same_pose(const er_pose *is, const er_pose *wanted, int count, double within)
{
    for (int b = 0; b < count; ++b) {
        near(er_v3_distance(is[b].p, wanted[b].p), 0.0, within);
        near(er_v3_norm(er_q_log(er_q_mul(er_q_conj(is[b].q), wanted[b].q))), 0.0, 10.0 * within);
    }
}

static er_pose *room(const er_model *model)
{
    er_pose *pose = malloc((size_t)model->body_count * sizeof *pose);
    assert_non_null(pose);
    return pose;
}

static int first_elastic(const render_subject *s)
{
    int k = 0;
    while (s->modes->mode[k].kind != ER_MODE_ELASTIC)
        ++k;
    return k;
}

// ---- swings

static void a_mode_swings_from_its_phase_on(void **state)
{
    const render_subject s = subject_of(gnome);
    er_pose *is = room(s.model), *wanted = room(s.model);
    int mode = first_elastic(&s) + 1;
    double own = s.modes->mode[mode].frequency_hz;
    const struct {
        double duration;
        int frames;
        double cycles;
        bool slowed;
    } cases[] = {{3.0 / own, 0, 1.0, false},  {3.0 / own, 60, 3.0, false}, {3.0 / own, 23, 2.0, true},
                 {3.0 / own, 24, 3.0, false}, {0.2 / own, 60, 1.0, false}, {0.2 / own, 3, 1.0, false},
                 {3.4 / own, 27, 3.0, false}, {3.6 / own, 27, 3.0, true},  {3.6 / own, 32, 4.0, false},
                 {1.4 / own, 7, 1.0, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        render_def d = render_default_def();
        animation w;
        d.degrees = 15.0;
        d.phase = 0.4;
        assert_int_equal(animation_of_mode(paper_context, &s, &d, mode, cases[i].duration, cases[i].frames, &w), ER_OK);
        near(w.duration, cases[i].duration, 0.0);
        near(w.hz, cases[i].cycles / cases[i].duration, 1e-12);
        near(w.slowed, cases[i].slowed ? own : 0.0, 0.0);
        near(w.share, 1.0, 0.0);
        assert_true(animation_moves(&w) && er_v3_norm(animation_travel(&w, 0.3)) == 0.0);
        for (int k = 0; k < 4; ++k) {
            double time = 0.3 * k * cases[i].duration, phase = 0.4 + 2.0 * ER_PI * w.hz * time;
            assert_int_equal(animation_pose(&w, time, is), ER_OK);
            assert_int_equal(session_mode_pose(gnome, mode, 15.0, phase, wanted), ER_OK);
            same_pose(is, wanted, s.model->body_count, 1e-9);
        }
        for (int sign = -1; sign <= 1; sign += 2)
            near(sin(0.4 + 2.0 * ER_PI * w.hz * animation_peak_time(&w, sign)), sign, 1e-9);
        animation_finish(&w);
    }
    animation w;
    char said[128];
    const render_def d = render_default_def();
    er_modes few = *s.modes;
    few.first = 5;
    few.count = 3;
    const render_subject part = {s.target, s.model, &few};
    assert_int_equal(animation_of_mode(paper_context, &part, &d, 9, 1.0, 0, &w), ER_ERROR_ARGUMENT);
    snprintf(said, sizeof said, "there is no mode 9; there are 5 to 7");
    assert_string_equal(er_context_error(paper_context), said);
    animation_finish(&w);
    free(is);
    free(wanted);
}

static void loops_follow_as_far_as_they_can(void **state)
{
    const render_subject s = subject_of(bar);
    er_pose *is = room(s.model), *wanted = room(s.model);
    render_def d = render_default_def();
    animation w, less;
    int mode = er_modes_index(s.modes, &s.modes->mode[first_elastic(&s)]);
    d.degrees = 800.0;
    assert_int_equal(animation_of_mode(paper_context, &s, &d, mode, 2.0, 60, &w), ER_OK);
    assert_true(w.share > 0.05 && w.share < 0.999);
    d.degrees *= w.share;
    assert_int_equal(animation_of_mode(paper_context, &s, &d, mode, 2.0, 60, &less), ER_OK);
    near(less.share, 1.0, 0.02);
    for (int k = 0; k < 8; ++k) {
        assert_int_equal(animation_pose(&w, 0.1 * k, is), ER_OK);
        assert_int_equal(animation_pose(&less, 0.1 * k, wanted), ER_OK);
        same_pose(is, wanted, s.model->body_count, less.share == 1.0 ? 1e-6 : 2e-3);
    }
    animation_finish(&w);
    animation_finish(&less);
    free(is);
    free(wanted);
}

static er_mix mix_of(er_mix_component component[2], int mode)
{
    for (int k = 0; k < 2; ++k) {
        component[k] = er_default_mix_component();
        component[k].mode = mode + k;
        component[k].hz = 1.0 + k;
        component[k].damping = 0.0;
    }
    return (er_mix){.component_count = 2, .component = component};
}

static void mixes_loop_unless_they_swell_or_die_away(void **state)
{
    const render_subject s = subject_of(gnome);
    for (int k = 0; k < 4; ++k) {
        er_mix_component component[2];
        const er_mix mix = mix_of(component, first_elastic(&s));
        render_def d = render_default_def();
        animation w;
        d.mix = &mix;
        if (k == 1) component[1].attack = 0.5;
        if (k == 2) component[1].decay = 0.5;
        if (k == 3) component[1].damping = 0.1;
        assert_int_equal(animation_of_mix(paper_context, &s, &d, &w), ER_OK);
        assert_int_equal(w.motion->loops, k == 0);
        near(w.duration, k == 0 ? 1.0 : 5.0, 1e-9); // its cycle, or 5 s
        animation_finish(&w);
        d.duration = 3.0;
        assert_int_equal(animation_of_mix(paper_context, &s, &d, &w), ER_OK);
        near(w.duration, 3.0, 1e-9);
        animation_finish(&w);
    }
}

static void what_is_planted_stays(void **state)
{
    const render_subject s = subject_of(gnome);
    const er_gait_body *body = session_gait_body(gnome);
    assert_true(body != NULL && body->foot_count > 0);
    er_mix_component component[2];
    const er_mix mix = mix_of(component, first_elastic(&s));
    int foot = body->foot[0].body;
    const er_hold plant = {.body = foot};
    er_pose *pose = room(s.model);
    for (int planted = 0; planted < 2; ++planted) {
        render_def d = render_default_def();
        animation w;
        double moved = 0.0;
        d.mix = &mix;
        d.plant = &plant;
        d.plant_count = planted;
        assert_int_equal(animation_of_mix(paper_context, &s, &d, &w), ER_OK);
        for (int k = 0; k < 7; ++k) {
            assert_int_equal(animation_pose(&w, 0.13 * k, pose), ER_OK);
            moved = fmax(moved, er_v3_distance(pose[foot].p, s.model->body[foot].pose.p));
        }
        assert_int_equal(moved < 1e-6, planted);
        animation_finish(&w);
    }
    free(pose);
}

// A clip that lifts the first body's node by half a metre in 2 s.
typedef struct lift {
    double time[2], value[6];
    er_channel channel;
    er_clip clip;
} lift;

static void make_lift(lift *l)
{
    const er_rig *rig = session_rig(gnome);
    int node = rig->body_node[0];
    er_vec3 at = rig->scene->node[node].local.translation;
    double unit = session_target(gnome)->metres_per_unit;
    *l = (lift){.time = {0.0, 2.0}, .value = {at.x, at.y, at.z, at.x, at.y + 0.5 / unit, at.z}};
    l->channel =
        (er_channel){.node = node, .path = ER_PATH_TRANSLATION, .key_count = 2, .time = l->time, .value = l->value};
    l->channel.interpolation = ER_LINEAR;
    l->clip = (er_clip){.name = "lift", .duration = 2.0, .channel_count = 1, .channel = &l->channel};
}

static void clips_are_shown_and_mixes_lie_over_them(void **state)
{
    const render_subject s = subject_of(gnome);
    er_pose *is = room(s.model);
    er_mix_component component[2];
    const er_mix mix = mix_of(component, first_elastic(&s));
    lift l;
    render_def d = render_default_def();
    double off[2] = {0.0, 0.0};
    make_lift(&l);
    d.clip = &l.clip;
    d.body_node = session_rig(gnome)->body_node;
    for (int over = 0; over < 2; ++over) {
        animation w;
        d.mix = over ? &mix : NULL;
        if (animation_of_clip(paper_context, &s, &d, &w) != ER_OK) fail_msg("%s", er_context_error(paper_context));
        near(w.duration, 2.0, 1e-12);
        assert_true(animation_moves(&w));
        assert_int_equal(w.motion != NULL, over);
        assert_int_equal(animation_pose(&w, 1.1, is), ER_OK);
        er_vec3 wanted = er_v3_add(s.model->body[0].pose.p, er_v3(0, 0.5 * 1.1 / 2.0, 0));
        off[over] = er_v3_distance(is[0].p, wanted);
        if (over) near(w.motion->duration, 2.0, 1e-9);
        animation_finish(&w);
    }
    near(off[0], 0.0, 1e-6);
    assert_true(off[1] > 1e-4);
    animation w;
    component[0].mode = 1000000;
    assert_int_not_equal(animation_of_clip(paper_context, &s, &d, &w), ER_OK);
    assert_null(w.motion);
    animation_finish(&w);
    free(is);
}

// ---- gaits

static void gaits_go_whole_strides(void **state)
{
    const render_subject s = subject_of(gnome);
    er_pose *is = room(s.model);
    stride g;
    make_stride(&g, s.model, 1);
    static const struct {
        double duration;
        int frames;
        double lasts;
        bool slowed;
    } cases[] = {{0.0, 0, 0.8, false}, {2.4, 72, 0.8, false},    {2.4, 23, 1.2, true}, {2.0, 60, 2.0 / 3, false},
                 {0.3, 9, 0.3, false}, {2.9, 31, 2.9 / 3, true}, {2.7, 31, 0.9, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        animation w = animation_of_gait(&g.motion[0], cases[i].duration, cases[i].frames);
        near(w.duration, cases[i].lasts, 1e-12);
        near(w.hz, 1.0 / cases[i].lasts, 1e-12);
        near(w.slowed, cases[i].slowed ? 1.25 : 0.0, 1e-12);
        assert_true(animation_moves(&w));
        double time = 0.25 * w.duration;
        near(er_v3_distance(animation_travel(&w, time), er_v3_scale(0.15, g.body.forward)), 0.0, 1e-12);
        assert_int_equal(animation_pose(&w, time, is), ER_OK);
        same_pose(is, g.pose + 4 * s.model->body_count, s.model->body_count, 1e-12);
    }
    animation still = animation_at_rest(s.model);
    assert_false(animation_moves(&still));
    assert_int_equal(animation_pose(&still, 3.0, is), ER_OK);
    for (int b = 0; b < s.model->body_count; ++b)
        near(er_v3_distance(is[b].p, s.model->body[b].pose.p), 0.0, 0.0);
    free_stride(&g);
    free(is);
}

// ---- cells

typedef struct one_cell {
    render_subject s;
    canvas e;
    cell c;
} one_cell;

static void begin_cell(one_cell *t, const session *of, const render_def *d, animation w, int mode)
{
    t->s = subject_of(of);
    paper_clear(t->s.model->body_count);
    assert_int_equal(canvas_init(paper_context, &t->s, d, 200, 100, 1.0, &t->e), ER_OK);
    if (cell_init(&t->e, d, w, mode, 2.0, &t->c) != ER_OK) fail_msg("%s", er_context_error(paper_context));
}

static void end_cell(one_cell *t)
{
    cell_finish(&t->c);
    canvas_finish(&t->e);
}

static void ghosts_of_a_mode_are_both_ends_of_its_swing(void **state)
{
    for (int k = 0; k < 3; ++k) { // with ghosts, on a sheet, and without
        render_def d = render_default_def();
        one_cell t;
        animation w;
        const render_subject s = subject_of(gnome);
        er_pose *wanted = room(s.model);
        int mode = first_elastic(&s);
        d.what = k == 1 ? RENDER_SHEET : RENDER_MODE;
        d.ghosts = k == 0;
        d.phase = 0.7;
        assert_int_equal(animation_of_mode(paper_context, &s, &d, mode, 1.0, 0, &w), ER_OK);
        begin_cell(&t, gnome, &d, w, mode);
        assert_int_equal(t.c.ghosts, k < 2);
        assert_int_equal(cell_draw(&t.e, &t.c, 0.2, 3, 5, 70, 50), ER_OK);
        const noted_picture *of = &p->picture[0];
        assert_true(of->x == 3 && of->y == 5 && of->width == 70 && of->height == 50);
        assert_int_equal(of->figure_count, k < 2 ? 3 : 1);
        assert_int_equal(of->style.textures, k == 2);
        assert_int_equal(memcmp(of->style.bone, of->style.clay, sizeof of->style.bone) == 0, k < 2);
        for (int i = 0; i < of->figure_count; ++i) {
            const noted_figure *f = &of->figure[i];
            bool ghost = i + 1 < of->figure_count;
            double phase = ghost ? (i == 0 ? 0.5 : -0.5) * ER_PI : 0.7 + 0.4 * ER_PI;
            assert_int_equal(session_mode_pose(gnome, mode, 20.0, phase, wanted), ER_OK);
            same_pose(f->pose, wanted, s.model->body_count, 1e-9);
            near((double)f->figure.opacity, ghost ? 0.6 : 1.0, 1e-6);
            near(er_v3_norm(f->figure.shift), 0.0, 0.0);
            const float *tint = f->figure.tint; // blue, then orange; and as it is
            assert_true(!ghost   ? tint[0] == 1.0f && tint[2] == 1.0f
                        : i == 0 ? tint[2] > 0.9f && tint[0] < 0.4f
                                 : tint[0] > 0.9f && tint[2] < 0.4f);
        }
        free(wanted);
        end_cell(&t);
    }
}

static void the_camera_goes_with_a_gait(void **state)
{
    const render_subject s = subject_of(gnome);
    stride g;
    make_stride(&g, s.model, 1);
    for (int ghosts = 0; ghosts < 2; ++ghosts) {
        render_def d = render_default_def();
        one_cell t;
        outline shown = {0};
        d.what = RENDER_GAIT;
        d.gaits = &g.gaits;
        d.motion = g.each;
        d.ghosts = ghosts == 1;
        begin_cell(&t, gnome, &d, animation_of_gait(&g.motion[0], 0.0, 0), -1);
        assert_int_equal(t.c.view, RENDER_VIEW_GIVEN);
        near(t.c.camera.yaw, aim_yaw(t.e.up, g.body.forward) + 0.35, 1e-12);
        near(t.c.camera.pitch, 0.14, 1e-12);
        for (int k = 0; k < 12; ++k)
            for (int i = ghosts ? -1 : 0; i <= ghosts; ++i) { // an eighth of a stride before, and after
                er_pose *pose = room(s.model);
                size_t first = shown.count;
                double time = 0.8 * (k / 12.0 + i / 8.0);
                assert_int_equal(animation_pose(&t.c.s, time, pose), ER_OK);
                assert_int_equal(outline_add_meshes(paper_context, &s, pose, &shown), ER_OK);
                for (size_t n = first; n < shown.count; ++n)
                    shown.point[n] = er_v3_madd(shown.point[n], 0.6 * i / 8.0, g.body.forward);
                free(pose);
            }
        draw_camera wanted = aim_camera(&shown, t.e.up, t.e.front, 2.0, RENDER_VIEW_GIVEN, t.c.camera.yaw, 0.14);
        near(er_v3_distance(t.c.camera.target, wanted.target), 0.0, 1e-6);
        near(t.c.camera.distance, wanted.distance, 1e-6);
        assert_int_equal(cell_draw(&t.e, &t.c, 1.0, 0, 0, 70, 50), ER_OK);
        const noted_picture *of = &p->picture[0];
        er_vec3 gone = er_v3_scale(0.75, g.body.forward); // 1.25 strides of 0.6 m
        near(er_v3_distance(er_v3_sub(of->camera.target, t.c.camera.target), gone), 0.0, 1e-9);
        near(er_v3_distance(of->style.floor_step, er_v3_scale(0.6, g.body.forward)), 0.0, 1e-9);
        near((double)of->style.light_yaw, of->camera.yaw - 0.6, 1e-6);
        assert_int_equal(of->figure_count, 1 + 2 * ghosts);
        for (int i = 0; i < of->figure_count; ++i) {
            double ahead = i + 1 == of->figure_count ? 0.0 : i == 0 ? 0.075 : -0.075;
            near(er_v3_distance(of->figure[i].figure.shift, er_v3_madd(gone, ahead, g.body.forward)), 0.0, 1e-9);
        }
        free(shown.point);
        end_cell(&t);
    }
    free_stride(&g);
}

// ---- all of it

static void expect_refusal(const render_def *d, const char *to, const char *said)
{
    const render_subject s = subject_of(gnome);
    paper_clear(s.model->body_count);
    assert_int_equal(render_write(paper_context, &s, d, to, NULL), ER_ERROR_ARGUMENT);
    if (strstr(er_context_error(paper_context), said) == NULL) fail_msg("%s", er_context_error(paper_context));
    assert_int_equal(p->alive, 0);
    assert_int_not_equal(access(to, F_OK), 0);
}

static void what_is_missing_is_named(void **state)
{
    lift l;
    make_lift(&l);
    render_def d = render_default_def();
    d.what = RENDER_MIX;
    expect_refusal(&d, path, "a mix is NULL");
    d.what = RENDER_CLIP;
    expect_refusal(&d, path, "a clip is NULL");
    d.clip = &l.clip;
    expect_refusal(&d, path, "needs nodes of bodies");
    d.body_node = session_rig(gnome)->body_node;
    l.clip.duration = 0.0;
    expect_refusal(&d, path, "lasts some time");
    d = render_default_def();
    for (int k = 0; k < 2; ++k) {
        stride g;
        d.what = k == 0 ? RENDER_GAIT : RENDER_STRIP;
        d.gaits = NULL;
        d.motion = NULL;
        expect_refusal(&d, path, "needs gaits");
        make_stride(&g, session_model(gnome), 1);
        d.gaits = &g.gaits;
        expect_refusal(&d, path, "needs gaits");
        d.gaits = NULL;
        d.motion = g.each;
        expect_refusal(&d, path, "needs gaits");
        free_stride(&g);
    }
    d = render_default_def();
    d.what = RENDER_RIG;
    expect_refusal(&d, path, "needs the body");
    d.what = RENDER_REST;
    d.fps = 1000.0;
    d.duration = 100.0011;
    expect_refusal(&d, film_path, "100001 frames");
}

// A rig without elastic modes has no sheet.
static void a_sheet_takes_elastic_modes(void **state)
{
    render_subject s = subject_of(gnome);
    er_modes rigid = *s.modes;
    render_def d = render_default_def();
    rigid.count = first_elastic(&s);
    s.modes = &rigid;
    d.what = RENDER_SHEET;
    paper_clear(s.model->body_count);
    assert_int_equal(render_write(paper_context, &s, &d, path, NULL), ER_ERROR_ARGUMENT);
    assert_non_null(strstr(er_context_error(paper_context), "no elastic mode"));
}

static render_report write_out(const session *of, const render_def *d, const char *to)
{
    const render_subject s = subject_of(of);
    render_report report;
    paper_clear(s.model->body_count);
    p->texture_side = 256;
    if (render_write(paper_context, &s, d, to, &report) != ER_OK) fail_msg("%s", er_context_error(paper_context));
    assert_int_equal(p->alive, 0);
    return report;
}

static void expect_size(const char *of, int width, int height)
{
    png_image png = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_file(&png, of));
    assert_int_equal(png.width, width);
    assert_int_equal(png.height, height);
    png_image_free(&png);
}

static void pictures_have_the_size_that_was_asked_for(void **state)
{
    static const int sizes[][4] = {{0, 0, 960, 720}, {16, 40, 16, 40}, {70, 20, 70, 20}};
    for (int k = 0; k < 3; ++k) {
        render_def d = render_default_def();
        d.width = sizes[k][0];
        d.height = sizes[k][1];
        render_report r = write_out(gnome, &d, path);
        assert_true(r.width == sizes[k][2] && r.height == sizes[k][3] && r.frames == 1 && r.duration == 0.0);
        assert_true(r.cells == 0 && r.share == 1.0 && r.slowed == 0.0 && r.texture_side == 256 && !r.stale);
        expect_size(path, sizes[k][2], sizes[k][3]);
        assert_int_equal(p->picture_count, 1);
        assert_true(p->picture[0].width == sizes[k][2] && p->picture[0].height == sizes[k][3]);
        assert_true(p->width == sizes[k][2] && p->height == sizes[k][3]);
    }
    render_def d = render_default_def();
    d.what = RENDER_SHEET;
    d.count = 3;
    render_report r = write_out(gnome, &d, path);
    assert_true(r.cells == 3 && r.frames == 1);
    assert_int_equal(p->picture_count, 4);
    expect_size(path, r.width, r.height);
    d.count = 400;
    r = write_out(bar, &d, path);
    const render_subject s = subject_of(bar);
    assert_int_equal(r.cells, s.modes->count - first_elastic(&s));
    stride g;
    make_stride(&g, session_model(gnome), 1);
    d.what = RENDER_STRIP;
    d.gaits = &g.gaits;
    d.motion = g.each;
    r = write_out(gnome, &d, path);
    assert_true(r.cells == 0 && r.width >= 1080 && p->picture_count == 2);
    free_stride(&g);
    d.what = RENDER_RIG;
    d.body = session_gait_body(gnome);
    r = write_out(gnome, &d, film_path); // which is no film
    assert_true(r.width == 1480 && r.frames == 1 && p->picture_count == 4);
    expect_size(film_path, r.width, r.height);
    unlink(film_path);
}

static void pictures_show_their_time(void **state)
{
    const render_subject s = subject_of(gnome);
    er_pose *wanted = room(s.model);
    er_mix_component component[2];
    const er_mix mix = mix_of(component, first_elastic(&s));
    lift l;
    stride g;
    animation w;
    render_def d = render_default_def();
    d.width = d.height = 16;
    d.time = 0.3;
    d.what = RENDER_MIX;
    d.mix = &mix;
    write_out(gnome, &d, path);
    assert_int_equal(animation_of_mix(paper_context, &s, &d, &w), ER_OK);
    assert_int_equal(animation_pose(&w, 0.3, wanted), ER_OK);
    same_pose(p->picture[0].figure[0].pose, wanted, s.model->body_count, 1e-12);
    animation_finish(&w);
    make_lift(&l);
    d.mix = NULL;
    d.what = RENDER_CLIP;
    d.clip = &l.clip;
    d.body_node = session_rig(gnome)->body_node;
    write_out(gnome, &d, path);
    near(p->picture[0].figure[0].pose[0].p.y - s.model->body[0].pose.p.y, 0.5 * 0.15, 1e-6);
    d.what = RENDER_MIX; // over the clip
    d.mix = &mix;
    write_out(gnome, &d, path);
    assert_true(p->picture[0].figure[0].pose[0].p.y - s.model->body[0].pose.p.y > 0.04);
    d.clip = NULL;
    make_stride(&g, s.model, 1);
    d.what = RENDER_GAIT;
    d.gaits = &g.gaits;
    d.motion = g.each;
    write_out(gnome, &d, path);
    near(er_v3_distance(p->picture[0].figure[0].figure.shift, er_v3_scale(0.6 * 0.3 / 0.8, g.body.forward)), 0.0, 1e-9);
    free_stride(&g);
    d = render_default_def(); // a mode, by its phase alone
    d.what = RENDER_MODE;
    d.width = d.height = 16;
    d.mode = first_elastic(&s);
    d.phase = 0.9;
    d.time = 0.3;
    write_out(gnome, &d, path);
    assert_int_equal(session_mode_pose(gnome, d.mode, 20.0, 0.9, wanted), ER_OK);
    same_pose(p->picture[0].figure[0].pose, wanted, s.model->body_count, 1e-9);
    free(wanted);
}

// ---- films

static int told[2], ended_after;

static bool hear(void *user, int done, int all)
{
    assert_ptr_equal(user, told);
    told[0] = done;
    told[1] = all;
    return ended_after == 0 || done < ended_after;
}

static render_def small_film(render_what what)
{
    render_def d = render_default_def();
    d.what = what;
    d.width = d.height = 16;
    d.progress = hear;
    d.user = told;
    ended_after = told[0] = told[1] = 0;
    return d;
}

static void films_have_whole_frames_of_their_time(void **state)
{
    const render_subject s = subject_of(gnome);
    er_pose *wanted = room(s.model);
    render_def d = small_film(RENDER_MODE);
    d.mode = first_elastic(&s);
    d.fps = 10.0;
    d.duration = 2.04;
    render_report r = write_out(gnome, &d, film_path);
    assert_true(r.frames == 20 && told[0] == 20 && told[1] == 20 && p->picture_count == 20);
    near(r.duration, 2.0, 1e-12);
    assert_true(r.width == 16 && r.height == 16);
    double own = s.modes->mode[d.mode].frequency_hz;
    double cycles = fmax(fmin(round(2.0 * own), 2.0), 1.0);
    near(r.slowed, 2.0 * own > cycles + 0.5 ? own : 0.0, 0.0);
    for (int i = 0; i < 20; i += 3) { // a loop of whole cycles
        assert_int_equal(session_mode_pose(gnome, d.mode, 20.0, 2.0 * ER_PI * cycles * i / 20.0, wanted), ER_OK);
        same_pose(p->picture[i].figure[0].pose, wanted, s.model->body_count, 1e-9);
    }
    d.duration = 0.01; // a frame at least
    r = write_out(gnome, &d, film_path);
    assert_true(r.frames == 1 && p->picture_count == 1);
    free(wanted);
}

static void films_last_what_suits_them(void **state)
{
    const render_subject s = subject_of(gnome);
    er_mix_component component[2];
    er_mix mix = mix_of(component, first_elastic(&s));
    lift l;
    stride g;
    render_def d = small_film(RENDER_REST);
    d.fps = 10.0;
    assert_int_equal(write_out(gnome, &d, film_path).frames, 10);
    d.what = RENDER_MODE;
    d.mode = first_elastic(&s);
    near(write_out(gnome, &d, film_path).duration, animation_period(s.modes->mode[d.mode].frequency_hz), 0.051);
    d.what = RENDER_SHEET;
    d.width = 640;
    d.height = 480;
    d.count = 1;
    d.fps = 5.0;
    near(write_out(gnome, &d, film_path).duration, animation_period(s.modes->mode[first_elastic(&s)].frequency_hz),
         0.11);
    d = small_film(RENDER_MIX);
    d.fps = 10.0;
    d.mix = &mix;
    near(write_out(gnome, &d, film_path).duration, 1.0, 1e-9);
    d.duration = 0.52;
    near(write_out(gnome, &d, film_path).duration, 0.5, 1e-9);
    d.duration = 0.0;
    mix.cycle = 1.13; // of its own, that is no whole number of frames
    component[0].hz = component[1].hz = 0.0;
    component[0].harmonic = component[1].harmonic = 1;
    component[0].degrees = component[1].degrees = 1.0; // nearly straight ways
    d.fps = 25.0;
    render_report r = write_out(gnome, &d, film_path);
    near(r.duration, 1.12, 1e-9);
    assert_int_equal(r.frames, 28);
    er_pose *first = p->picture[0].figure[0].pose, *last = p->picture[27].figure[0].pose,
            *before = p->picture[26].figure[0].pose;
    // The first frame follows upon the last without a jump.
    double step = 0.0, bend = 0.0; // of all bodies
    for (int b = 0; b < s.model->body_count; ++b) {
        er_vec3 on = er_v3_sub(first[b].p, last[b].p), back = er_v3_sub(last[b].p, before[b].p);
        step = fmax(step, er_v3_norm(on));
        bend = fmax(bend, er_v3_distance(on, back));
    }
    assert_true(step > 0.0 && bend < 0.12 * step);
    mix.cycle = 0.0;
    component[0].harmonic = component[1].harmonic = 0;
    component[0].hz = component[1].hz = 1.0;
    component[0].decay = component[1].decay = 0.3;
    d.fps = 10.0;
    near(write_out(gnome, &d, film_path).duration, 5.0, 1e-9);
    make_lift(&l);
    d.clip = &l.clip;
    d.body_node = session_rig(gnome)->body_node;
    component[0].decay = component[1].decay = 0.0;
    near(write_out(gnome, &d, film_path).duration, 2.0, 1e-9);
    d.what = RENDER_CLIP;
    d.mix = NULL;
    near(write_out(gnome, &d, film_path).duration, 2.0, 1e-9);
    d.duration = 0.7;
    near(write_out(gnome, &d, film_path).duration, 0.7, 1e-9);
    d.clip = NULL;
    d.duration = 0.0;
    d.what = RENDER_GAIT;
    make_stride(&g, s.model, 1);
    d.gaits = &g.gaits;
    d.motion = g.each;
    r = write_out(gnome, &d, film_path);
    near(r.duration, 2.4, 1e-9);
    near(er_v3_distance(p->picture[23].figure[0].figure.shift, er_v3_scale(1.8 * 23.0 / 24.0, g.body.forward)), 0.0,
         1e-9);
    free_stride(&g);
}

static void a_film_can_be_ended(void **state)
{
    render_def d = small_film(RENDER_REST);
    const render_subject s = subject_of(gnome);
    char said[128];
    d.fps = 10.0;
    ended_after = 4;
    unlink(film_path);
    paper_clear(s.model->body_count);
    assert_int_equal(render_write(paper_context, &s, &d, film_path, NULL), ER_ERROR_ARGUMENT);
    snprintf(said, sizeof said, "%s: the film was ended after 4 of 10 frames", film_path);
    assert_string_equal(er_context_error(paper_context), said);
    assert_true(p->picture_count == 4 && access(film_path, F_OK) != 0);
    d.progress = NULL;
    paper_clear(s.model->body_count);
    assert_int_equal(render_write(paper_context, &s, &d, "/no/where/a.apng", NULL), ER_ERROR_FILE);
    assert_int_equal(render_write(paper_context, &s, &d, "/no/where/a.png", NULL), ER_ERROR_FILE);
}

static void a_report_tells_of_older_frames(void **state)
{
    render_def d = small_film(RENDER_REST);
    char numbered[80], older[80];
    snprintf(numbered, sizeof numbered, "/tmp/eigenrig_pictures_%d_%%d.png", (int)getpid());
    d.fps = 3.0;
    assert_false(write_out(gnome, &d, numbered).stale);
    d.fps = 2.0;
    assert_true(write_out(gnome, &d, numbered).stale);
    for (int i = 0; i < 3; ++i) {
        snprintf(older, sizeof older, "/tmp/eigenrig_pictures_%d_%d.png", (int)getpid(), i);
        assert_int_equal(unlink(older), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mode_swings_from_its_phase_on),
        cmocka_unit_test(loops_follow_as_far_as_they_can),
        cmocka_unit_test(mixes_loop_unless_they_swell_or_die_away),
        cmocka_unit_test(what_is_planted_stays),
        cmocka_unit_test(clips_are_shown_and_mixes_lie_over_them),
        cmocka_unit_test(gaits_go_whole_strides),
        cmocka_unit_test(ghosts_of_a_mode_are_both_ends_of_its_swing),
        cmocka_unit_test(the_camera_goes_with_a_gait),
        cmocka_unit_test(what_is_missing_is_named),
        cmocka_unit_test(a_sheet_takes_elastic_modes),
        cmocka_unit_test(pictures_have_the_size_that_was_asked_for),
        cmocka_unit_test(pictures_show_their_time),
        cmocka_unit_test(films_have_whole_frames_of_their_time),
        cmocka_unit_test(films_last_what_suits_them),
        cmocka_unit_test(a_film_can_be_ended),
        cmocka_unit_test(a_report_tells_of_older_frames),
    };
    return cmocka_run_group_tests(tests, begin_all, end_all);
}
