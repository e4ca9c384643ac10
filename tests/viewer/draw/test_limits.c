// Meshes, figures and pictures that are large, empty, broken or missing.
#include <math.h>
#include <stdio.h>

#include <turbojpeg.h>

#include "stage.h"

static void more_vertices_than_16_bits_count_are_drawn(void **state)
{
    stage *s = need_stage(state);
    shot *p = shot_of(s, chain_make(s->context, 2, 30000), DRAW_POINTS);
    er_pose pose[2];
    shot_pose(p, 0.3, pose);
    shoot(p);
    double *vertex = chain_vertices(&p->c, pose);
    assert_int_equal(pixel_at(p, vertex_at(vertex, p->c.mesh.vertex_count - 1))[3], 255);
    free(vertex);
}

// So many that their matrices take more than one texture buffer's worth.
static void hundreds_of_figures_of_thousands_of_joints_are_all_drawn(void **state)
{
    enum { JOINTS = 3000, FIGURES = 400, ACROSS = 20 };
    stage *s = need_stage(state);
    chain c = chain_make(s->context, JOINTS, 1);
    for (int k = 0; k < 6; ++k)
        ((int *)c.mesh.influence_joint)[k] = JOINTS - 1; // the last joint carries it
    shot *p = shot_of(s, c, DRAW_POINTS);
    p->camera = (draw_camera){.up = {0, 1, 0}, .distance = 30.0, .fov = 0.0};
    er_pose *pose = calloc(JOINTS, sizeof *pose);
    assert_non_null(pose);
    shot_pose(p, 0.0, pose);
    double *at = chain_vertices(&p->c, pose), step = 30.0 * tan(0.3) * 2.0 / (ACROSS + 1);
    shot_open(p);
    for (int i = 0; i < FIGURES; ++i) {
        p->f.shift = er_v3((i % ACROSS - 9.5) * step - at[0], (i / ACROSS - 9.5) * step - at[1], -at[2]);
        painter_add(s->painter, p->m, &p->f);
    }
    read_back(s);
    for (int i = 0; i < FIGURES; ++i)
        if (pixel_at(p, er_v3((i % ACROSS - 9.5) * step, (i / ACROSS - 9.5) * step, 0))[3] == 0)
            fail_msg("figure %d is missing", i);
    free(at);
    free(pose);
}

static void nothing_to_show_is_no_failure(void **state)
{
    stage *s = need_stage(state);
    for (int k = 0; k < 2; ++k) {
        chain c = chain_make(s->context, 3, 3);
        if (k == 0) c.mesh.triangle_count = 0;
        shot *p = shot_of(s, c, DRAW_SHADED);
        if (k == 1) {
            p->c.scene.instance_count = 0;
            shot_remake(p);
        }
        p->style.skeleton = false;
        shoot(p);
        assert_int_equal(count_drawn(s), 0);
        p->style.skeleton = true;
        shoot(p);
        assert_true(count_drawn(s) > 100);
        draw_bounds b = draw_model_bounds(p->m, NULL); // of bones
        assert_true(fabs(b.radius - 0.75) < 1e-9 && fabs(b.floor) < 1e-9);
    }
    draw_camera camera = {.up = {0, 1, 0}, .distance = 1.0, .fov = 0.5};
    draw_style style = draw_default_style(false);
    painter_begin(s->painter, s->target, 0, 0, SIDE, SIDE, &camera, &style);
    read_back(s);
    assert_int_equal(count_drawn(s), SIDE * SIDE);
}

static void flat_and_lost_matrices_leave_the_rest_of_the_picture(void **state)
{
    stage *s = need_stage(state);
    for (int k = 0; k < 3; ++k) {
        chain c = chain_make(s->context, BONES, TRIANGLES);
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                if (k == 0 || i == 1) c.world[3].linear.m[i][j] = k == 2 ? NAN : 0.0;
        shot *p = shot_of(s, c, DRAW_POINTS);
        p->style = draw_default_style(false);
        shoot(p);
        assert_int_equal(count_drawn(s), SIDE * SIDE);
        p->style = bare_look(DRAW_POINTS);
        shoot(p);
        const float *x = p->c.mesh.position;
        assert_int_equal(pixel_at(p, er_v3(0.5 * x[0], 0.5 * x[1], 0.5 * x[2]))[3], 255);
    }
}

static void vertices_without_influences_go_with_the_node(void **state)
{
    stage *s = need_stage(state);
    chain c = chain_make(s->context, 2, 2);
    er_pose pose[2];
    for (int v = 0; v <= c.mesh.vertex_count; ++v)
        ((int *)c.mesh.influence_start)[v] = 0;
    c.instance.node = 1;
    shot *p = shot_of(s, c, DRAW_POINTS);
    shot_pose(p, 0.4, pose);
    p->camera.target.y = 1.0;
    shoot(p);
    double *vertex = chain_vertices(&p->c, pose);
    for (int v = 0; v < p->c.mesh.vertex_count; ++v)
        assert_int_equal(pixel_at(p, vertex_at(vertex, v))[3], 255);
    free(vertex);
}

// ---- pictures on a square that fills the middle

static chain square(er_context *context, const er_image *image)
{
    static const float corners[12] = {-1, 0, 0, 1, 0, 0, 1, 2, 0, -1, 2, 0}, uv[8] = {0, 1, 1, 1, 1, 0, 0, 0};
    static const int order[6] = {0, 1, 2, 0, 2, 3};
    chain c = rigid_mesh(context, 4, corners, 2, order);
    c.mesh.uv = uv;
    c.material.base_color_image = 0;
    c.scene.image_count = 1;
    c.scene.image = image;
    return c;
}

static void shoot_square(stage *s, const uint8_t *bytes, size_t size)
{
    er_image image = {"", "image/png", bytes, size};
    shot *p = shot_front(s, square(s->context, &image));
    shoot(p);
}

enum { TEXELS = 64 };

// Red above, blue below.
static void paint(uint8_t *rgb)
{
    for (int i = 0; i < TEXELS * TEXELS; ++i) {
        bool top = i / TEXELS < TEXELS / 2;
        rgb[3 * i] = top ? 220 : 10;
        rgb[3 * i + 1] = 10;
        rgb[3 * i + 2] = top ? 10 : 220;
    }
}

static uint8_t *paint_png(size_t *size)
{
    static uint8_t rgb[3 * TEXELS * TEXELS];
    paint(rgb);
    return encode_png(TEXELS, TEXELS, false, rgb, size);
}

static uint8_t *encode_jpeg(size_t *size)
{
    static uint8_t rgb[3 * TEXELS * TEXELS];
    unsigned char *bytes = NULL;
    unsigned long count = 0;
    tjhandle jpeg = tjInitCompress();
    paint(rgb);
    assert_int_equal(tjCompress2(jpeg, rgb, TEXELS, 0, TEXELS, TJPF_RGB, &bytes, &count, TJSAMP_444, 95, 0), 0);
    tjDestroy(jpeg);
    uint8_t *copy = malloc(count);
    assert_non_null(copy);
    memcpy(copy, bytes, count);
    tjFree(bytes);
    *size = count;
    return copy;
}

static void pictures_cover_the_mesh_the_right_way_up(void **state)
{
    stage *s = need_stage(state);
    for (int k = 0; k < 2; ++k) {
        size_t size;
        uint8_t *bytes = k == 0 ? paint_png(&size) : encode_jpeg(&size);
        shoot_square(s, bytes, size);
        const uint8_t *top = pixel(s, 100, 60), *bottom = pixel(s, 100, 140);
        assert_true(top[0] > 2 * top[2] && top[0] > 100);
        assert_true(bottom[2] > 2 * bottom[0] && bottom[2] > 100);
        free(bytes);
    }
}

static void a_picture_is_sent_once(void **state)
{
    stage *s = need_stage(state);
    size_t size;
    uint8_t *bytes = paint_png(&size);
    er_image image = {"", "image/png", bytes, size};
    int before = painter_uploads(s->painter).textures;
    shot *p = shot_front(s, square(s->context, &image));
    assert_int_equal(painter_uploads(s->painter).textures, before + 1);
    assert_true(draw_model_follow(p->m, &p->c.target, p->c.model));
    assert_int_equal(painter_uploads(s->painter).textures, before + 1);
    free(bytes);
}

static void broken_pictures_leave_the_plain_colour(void **state)
{
    stage *s = need_stage(state);
    for (int k = 0; k < 2; ++k) {
        size_t size;
        uint8_t *bytes = k == 0 ? paint_png(&size) : encode_jpeg(&size);
        for (size_t cut = 0; cut < size; cut += 1 + size / 12) { // cut short
            shoot_square(s, bytes, cut);
            const uint8_t *top = pixel(s, 100, 60);
            assert_int_equal(top[3], 255);
            if (cut < size / 2) assert_true(top[0] < 2 * top[2]);
        }
        for (size_t i = 8; i < size; i += 1 + size / 40) { // and damaged
            bytes[i] ^= 0x55;
            shoot_square(s, bytes, size);
            assert_int_equal(pixel(s, 100, 60)[3], 255);
        }
        free(bytes);
    }
}

static void pictures_too_large_are_left_out(void **state)
{
    stage *s = need_stage(state);
    size_t size;
    uint8_t *bytes = paint_png(&size);
    bytes[18] = bytes[22] = 0xff; // width and height of 65344; the checksum of the header is repaired
    uint32_t crc = (uint32_t)~0u;
    for (int i = 12; i < 29; ++i) {
        crc ^= bytes[i];
        for (int k = 0; k < 8; ++k)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    crc = ~crc;
    for (int i = 0; i < 4; ++i)
        bytes[29 + i] = (uint8_t)(crc >> (24 - 8 * i));
    shoot_square(s, bytes, size);
    const uint8_t *top = pixel(s, 100, 60);
    assert_true(top[3] == 255 && top[0] < 2 * top[2]);
    free(bytes);
}

static void targets_say_what_sizes_they_can_have(void **state)
{
    stage *s = need_stage(state);
    draw_target *t = NULL;
    const int bad[][2] = {{0, 10}, {10, 0}, {-1, 5}, {20000, 10}, {10, 1000000}};
    for (int i = 0; i < 5; ++i) {
        char named[32];
        snprintf(named, sizeof named, "%d x %d", bad[i][0], bad[i][1]);
        assert_int_equal(draw_target_create(s->painter, bad[i][0], bad[i][1], 4, &t), ER_ERROR_ARGUMENT);
        assert_null(t);
        assert_non_null(strstr(er_context_error(s->context), named));
    }
    assert_int_equal(draw_target_create(s->painter, 33, 7, 4, &t), ER_OK);
    assert_int_equal(draw_target_resize(t, 40000, 7), ER_ERROR_ARGUMENT);
    uint8_t rgba[4 * 41 * 9];
    unsigned texture = draw_target_texture(t);
    assert_true(texture != 0);
    assert_int_equal(draw_target_resize(t, 33, 7), ER_OK);
    assert_int_equal(draw_target_texture(t), texture);
    assert_int_equal(draw_target_resize(t, 41, 9), ER_OK);
    draw_style style = draw_default_style(true);
    draw_camera camera = {.up = {0, 0, 1}, .distance = 1.0, .fov = 0.5};
    painter_begin(s->painter, t, 0, 0, 41, 9, &camera, &style);
    painter_end(s->painter);
    draw_target_read(t, rgba);
    for (int i = 0; i < 41 * 9; ++i)
        assert_int_equal(rgba[4 * i + 3], 255);
    draw_target_destroy(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(more_vertices_than_16_bits_count_are_drawn),
        cmocka_unit_test(hundreds_of_figures_of_thousands_of_joints_are_all_drawn),
        cmocka_unit_test(nothing_to_show_is_no_failure),
        cmocka_unit_test(flat_and_lost_matrices_leave_the_rest_of_the_picture),
        cmocka_unit_test(vertices_without_influences_go_with_the_node),
        cmocka_unit_test(pictures_cover_the_mesh_the_right_way_up),
        cmocka_unit_test(a_picture_is_sent_once),
        cmocka_unit_test(broken_pictures_leave_the_plain_colour),
        cmocka_unit_test(pictures_too_large_are_left_out),
        cmocka_unit_test(targets_say_what_sizes_they_can_have),
    };
    return cmocka_run_group_tests(tests, stage_begin, stage_end);
}
