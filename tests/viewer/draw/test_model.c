// Vertices and their joints, materials and images as they are made for the graphics card; and solids as they are
// placed.
#include <math.h>

#include <epoxy/gl.h>

#include "stage.h"
#include "viewer/draw/forms.h"
#include "viewer/draw/images.h"
#include "viewer/draw/model.h"
#include "viewer/draw/solid.h"

// ---- vertices

// Ten joints: the eight heaviest are kept, heaviest first, and their weights add up to one.
static void the_heaviest_joints_carry_a_vertex(void **state)
{
    enum { JOINTS = 10 };
    static const float weight[JOINTS] = {0.02f, 0.2f, 0.05f, 0.15f, 0.03f, 0.11f, 0.01f, 0.13f, 0.21f, 0.09f};
    static const int heaviest[8] = {8, 1, 3, 7, 5, 9, 2, 4};
    stage *s = need_stage(state);
    chain c = chain_make(s->context, JOINTS, 1);
    float colour[12] = {0.5f, -1.0f, 2.0f, 0.25f, 1, 1, 1, 1, 1, 1, 1, 1}, normal[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    float uv[6] = {0.1f, 0.2f, 0.3f, 0.4f, 0.5f, 0.6f}, all[JOINTS + 2];
    int start[4] = {0, JOINTS, JOINTS + 2, JOINTS + 2}, joint[JOINTS + 2];
    for (int k = 0; k < JOINTS; ++k) {
        joint[k] = k;
        all[k] = weight[k];
    }
    joint[JOINTS] = 4;
    joint[JOINTS + 1] = 2;
    all[JOINTS] = 1.5f;
    all[JOINTS + 1] = 0.5f;
    const int *was[2] = {c.mesh.influence_start, c.mesh.influence_joint};
    const float *weights = c.mesh.influence_weight;
    c.mesh.influence_start = start;
    c.mesh.influence_joint = joint;
    c.mesh.influence_weight = all;
    c.mesh.color = colour;
    c.mesh.normal = normal;
    c.mesh.uv = uv;
    c.instance.node = 6;
    shot *p = shot_of(s, c, DRAW_SHADED);
    const vertex *v = p->m->vertex;
    double sum = 0.0;
    for (int k = 0; k < 8; ++k)
        sum += (double)weight[heaviest[k]];
    for (int k = 0; k < 8; ++k) {
        assert_int_equal(p->m->slot[v[0].slot[k]].node, heaviest[k]);
        near(v[0].weight[k], 65535.0 * (double)weight[heaviest[k]] / sum, 1.0);
    }
    assert_true(p->m->slot[v[1].slot[0]].node == 4 && p->m->slot[v[1].slot[1]].node == 2);
    near(v[1].weight[0], 0.75 * 65535.0, 1.0);
    assert_int_equal(v[1].weight[2], 0);
    assert_true(p->m->slot[v[2].slot[0]].node == 6 && v[2].weight[0] == 65535 && v[2].weight[1] == 0); // its node's
    static const int wanted[4] = {32768, 0, 65535, 16384};
    for (int k = 0; k < 4; ++k)
        near(v[0].colour[k], wanted[k], 1.0);
    for (int i = 0; i < 3; ++i) {
        assert_memory_equal(v[i].normal, normal + 3 * i, sizeof v[i].normal);
        assert_memory_equal(v[i].uv, uv + 2 * i, sizeof v[i].uv);
        assert_memory_equal(v[i].position, c.mesh.position + 3 * i, sizeof v[i].position);
    }
    assert_false(p->m->plain); // it has a colour of its own
    p->c.mesh.influence_start = was[0];
    p->c.mesh.influence_joint = was[1];
    p->c.mesh.influence_weight = weights;
}

static void numbers_that_are_too_large_become_nothing(void **state)
{
    static const double cases[][2] = {{9e14, 1}, {1.1e15, 0}, {-1.1e15, 0}, {NAN, 0}, {HUGE_VAL, 0}};
    stage *s = need_stage(state);
    chain c = chain_make(s->context, 2, 2);
    shot *p = shot_of(s, c, DRAW_SHADED);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        for (int k = 0; k < 12; ++k) {
            slot one = {.node = 1, .bind = er_affine_identity()};
            er_affine world = er_affine_identity();
            er_affine *kept = &p->c.world[1];
            if (k < 9)
                world.linear.m[k / 3][k % 3] = 2.0 * cases[i][0]; // half a metre a unit
            else
                (&world.translation.x)[k - 9] = 2.0 * cases[i][0];
            *kept = world;
            er_affine rest = slot_rest(&one, &p->c.target);
            double is = k < 9 ? rest.linear.m[k / 3][k % 3] : (&rest.translation.x)[k - 9];
            near(is, cases[i][1] > 0.0 ? cases[i][0] : 0.0, 1e9);
            near(rest.linear.m[2][2], k == 8 ? is : cases[i][1] > 0.0 ? 0.5 : 0.0, 1e9);
        }
}

// Batches are by material, those that blend last; what no body moves is scenery beside what some do.
static void batches_go_by_material_and_blend_last(void **state)
{
    stage *s = need_stage(state);
    shot *p = shot_of(s, chain_make(s->context, 2, 4), DRAW_SHADED);
    const er_mesh meshes[4] = {p->c.mesh, p->c.mesh, p->c.mesh, p->c.mesh};
    er_mesh mesh[4];
    memcpy(mesh, meshes, sizeof mesh);
    er_material material[2] = {p->c.material, p->c.material};
    material[0].alpha_mode = ER_ALPHA_BLEND;
    mesh[0].material = 0;
    mesh[1].material = 1;
    mesh[3].material = 1;
    const er_node node[3] = {p->c.node[0], p->c.node[1], {.name = "", .parent = -1, .source_index = -1}};
    er_affine world[3] = {p->c.world[0], p->c.world[1], er_affine_identity()};
    int body[3] = {0, 1, -1};
    const er_instance instance[4] = {{.mesh = 0, .node = 0, .skin = 0},
                                     {.mesh = 1, .node = 0, .skin = 0},
                                     {.mesh = 2, .node = 1, .skin = -1},
                                     {.mesh = 3, .node = 2, .skin = -1}};
    p->c.scene.node_count = 3;
    p->c.scene.node = node;
    p->c.scene.mesh_count = p->c.scene.instance_count = 4;
    p->c.scene.mesh = mesh;
    p->c.scene.instance = instance;
    p->c.scene.material_count = 2;
    p->c.scene.material = material;
    p->c.target = (er_recording_target){&p->c.scene, body, NULL, world, 0.5};
    for (int still = 0; still < 2; ++still) { // nothing is scenery if nothing moves
        if (still) body[0] = body[1] = -1;
        shot_remake(p);
        static const int order[4] = {-1, 1, 1, 0};
        const batch *b = p->m->batch;
        assert_int_equal(p->m->batch_count, still ? 3 : 4);
        for (int i = 0; i < p->m->batch_count; ++i) {
            assert_int_equal(b[i].material, still && i > 0 ? order[i + 1] : order[i]);
            assert_int_equal(b[i].scenery, !still && i == 2);
            int meshes_of = still && b[i].material == 1 ? 2 : 1;
            assert_true(b[i].count == 12 * meshes_of && b[i].vertex_count == 12 * meshes_of);
            assert_int_equal(b[i].start, i > 0 ? b[i - 1].start + b[i - 1].count : 0);
            assert_int_equal(b[i].first_vertex, i > 0 ? b[i - 1].first_vertex + b[i - 1].vertex_count : 0);
        }
        assert_true(p->m->vertex_count == 48 && p->m->index_count == 48 && p->m->some_move == !still);
        assert_int_equal(draw_model_has_scenery(p->m), !still);
        assert_int_equal(p->m->reach[2].radius >= 0.0, still);
        for (int i = 0; i < 48; ++i)
            assert_int_equal(p->m->index[i], i); // of meshes whose corners follow each other
    }
}

static void without_what_it_takes_nothing_is_made(void **state)
{
    stage *s = need_stage(state);
    shot *p = shot_of(s, chain_make(s->context, 2, 4), DRAW_SHADED);
    draw_model *m = p->m;
    const er_recording_target whole = p->c.target;
    assert_int_equal(draw_model_create(s->painter, &whole, p->c.model, NULL), ER_ERROR_ARGUMENT);
    for (int k = 0; k < 6; ++k) {
        er_recording_target t = whole;
        if (k == 0) t.scene = NULL;
        if (k == 1) t.node_body = NULL;
        if (k == 2) t.world = NULL;
        m = p->m;
        er_result r = draw_model_create(k == 3 ? NULL : s->painter, k == 4 ? NULL : &t, k == 5 ? NULL : p->c.model, &m);
        assert_true(r == ER_ERROR_ARGUMENT && m == NULL);
    }
    draw_target *target = s->target;
    assert_int_equal(draw_target_create(NULL, 4, 4, 1, &target), ER_ERROR_ARGUMENT);
    assert_null(target);
    draw_image *image = (draw_image *)s;
    const uint8_t byte = 0;
    assert_int_equal(draw_image_create(s->painter, 1, NULL, &image), ER_ERROR_ARGUMENT);
    assert_null(image);
    assert_int_equal(draw_image_create(NULL, 1, &byte, &image), ER_ERROR_ARGUMENT);
    assert_int_equal(draw_image_create(s->painter, 1, &byte, NULL), ER_ERROR_ARGUMENT);
    draw_form *form = (draw_form *)s;
    assert_int_equal(draw_form_create(s->painter, NULL, &form), ER_ERROR_ARGUMENT);
    assert_null(form);
}

// ---- materials

static void images_are_the_means_of_fours(void **state)
{
    enum { WIDE = 7, HIGH = 4 };
    uint8_t rgba[4 * WIDE * HIGH];
    size_t size;
    int width, height;
    for (int i = 0; i < 4 * WIDE * HIGH; ++i)
        rgba[i] = (uint8_t)(i * 37 % 251);
    uint8_t *bytes = encode_png(WIDE, HIGH, true, rgba, &size);
    const er_image image = {.bytes = bytes, .size = size};
    assert_true(image_size(&image, &width, &height) && width == WIDE && height == HIGH);
    uint8_t *whole = image_decode(&image, WIDE, &width, &height);
    assert_true(whole != NULL && width == WIDE && height == HIGH);
    assert_memory_equal(whole, rgba, sizeof rgba);
    free(whole);
    uint8_t *half = image_decode(&image, 6, &width, &height);
    assert_true(half != NULL && width == 3 && height == 2);
    for (int y = 0; y < 2; ++y)
        for (int x = 0; x < 3; ++x)
            for (int k = 0; k < 4; ++k) {
                const uint8_t *from = rgba + 4 * (2 * y * WIDE + 2 * x) + k;
                near(half[4 * (3 * y + x) + k], (from[0] + from[4] + from[4 * WIDE] + from[4 * WIDE + 4]) / 4.0, 0.51);
            }
    free(half);
    uint8_t *row = image_decode(&image, 1, &width, &height); // one of a side stays one
    assert_true(row != NULL && width == 1 && height == 1);
    free(row);
    const er_image cut = {.bytes = bytes, .size = 3};
    assert_false(image_size(&cut, &width, &height));
    assert_null(image_decode(&cut, 8, &width, &height));
    bytes[0] = 'x';
    assert_false(image_size(&image, &width, &height));
    free(bytes);
}

static void materials_are_as_the_scene_says(void **state)
{
    stage *s = need_stage(state);
    uint8_t rgba[64];
    size_t size;
    memset(rgba, 200, sizeof rgba);
    uint8_t *bytes = encode_png(4, 4, true, rgba, &size);
    const er_image image = {"", "image/png", bytes, size};
    for (int k = 0; k < 6; ++k) {
        chain c = chain_make(s->context, 2, 2);
        er_material *m = &c.material;
        float base[4] = {0.1f, 0.2f, 0.3f, 0.4f}, glow[3] = {0.5f, 0.6f, 0.7f};
        c.mesh.material = 0;
        memcpy(m->base_color, base, sizeof base);
        memcpy(m->emissive, glow, sizeof glow);
        m->metallic = 0.3f;
        m->roughness = 0.6f;
        m->alpha_mode = k == 1 ? ER_ALPHA_MASK : k == 2 ? ER_ALPHA_BLEND : ER_ALPHA_OPAQUE;
        m->alpha_cutoff = 0.35f;
        m->double_sided = k == 3;
        if (k == 4) m->base_color_image = m->normal_image = 0;
        if (k == 5) m->emissive_image = 0;
        c.scene.image_count = 1;
        c.scene.image = &image;
        shot *p = shot_of(s, c, DRAW_SHADED);
        p->c.scene.format = ER_FORMAT_GLTF;
        int before = painter_uploads(s->painter).textures;
        shot_remake(p);
        const surface *is = p->m->surface;
        assert_memory_equal(is->base, base, sizeof base);
        assert_memory_equal(is->emissive, glow, sizeof glow);
        assert_true(is->metallic == 0.3f && is->roughness == 0.6f && is->blend == (k == 2) && is->cull == (k != 3));
        near((double)is->cutoff, k == 1 ? (double)0.35f : -1.0, 0.0);
        assert_true((is->base_texture != 0) == (k == 4) && (is->normal_texture != 0) == (k == 4) &&
                    (is->emissive_texture != 0) == (k == 5));
        if (k == 4) assert_true(is->base_texture != is->normal_texture); // colours are no numbers
        assert_int_equal(painter_uploads(s->painter).textures - before, k == 4 ? 2 : k == 5 ? 1 : 0);
        assert_int_equal(draw_model_texture_side(p->m), 0);
    }
    free(bytes);
}

// All of one grey is clay: whatever has a colour, glows, blends or has a picture is not.
static void greys_alone_are_clay(void **state)
{
    static const struct {
        float base[2][3], emissive[3];
        er_alpha_mode mode;
        bool plain;
    } cases[] = {{{{0.5f, 0.5f, 0.5f}, {0.5f, 0.5f, 0.5f}}, {0}, ER_ALPHA_OPAQUE, true},
                 {{{0.5f, 0.515f, 0.5f}, {0.515f, 0.515f, 0.5f}}, {0}, ER_ALPHA_OPAQUE, true},
                 {{{0.5f, 0.53f, 0.53f}, {0.5f, 0.5f, 0.5f}}, {0}, ER_ALPHA_OPAQUE, false},
                 {{{0.5f, 0.5f, 0.53f}, {0.5f, 0.5f, 0.5f}}, {0}, ER_ALPHA_OPAQUE, false},
                 {{{0.5f, 0.5f, 0.5f}, {0.6f, 0.6f, 0.6f}}, {0}, ER_ALPHA_OPAQUE, false},
                 {{{0.5f, 0.5f, 0.5f}, {0.5f, 0.5f, 0.5f}}, {0.1f, 0, 0}, ER_ALPHA_OPAQUE, false},
                 {{{0.5f, 0.5f, 0.5f}, {0.5f, 0.5f, 0.5f}}, {0, 0.1f, 0}, ER_ALPHA_OPAQUE, false},
                 {{{0.5f, 0.5f, 0.5f}, {0.5f, 0.5f, 0.5f}}, {0, 0, 0.1f}, ER_ALPHA_OPAQUE, false},
                 {{{0.5f, 0.5f, 0.5f}, {0.5f, 0.5f, 0.5f}}, {0}, ER_ALPHA_BLEND, false}};
    stage *s = need_stage(state);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        shot *p = shot_of(s, chain_make(s->context, 2, 2), DRAW_SHADED);
        er_mesh mesh[2] = {p->c.mesh, p->c.mesh};
        er_material material[2] = {p->c.material, p->c.material};
        const er_instance instance[2] = {{.mesh = 0, .skin = 0}, {.mesh = 1, .skin = 0}};
        for (int k = 0; k < 2; ++k) {
            mesh[k].material = k;
            memcpy(material[k].base_color, cases[i].base[k], sizeof cases[i].base[k]);
        }
        memcpy(material[1].emissive, cases[i].emissive, sizeof cases[i].emissive);
        material[1].alpha_mode = cases[i].mode;
        p->c.scene.mesh_count = p->c.scene.instance_count = p->c.scene.material_count = 2;
        p->c.scene.mesh = mesh;
        p->c.scene.instance = instance;
        p->c.scene.material = material;
        shot_remake(p);
        if (p->m->plain != cases[i].plain) fail_msg("case %zu", i);
    }
}

// ---- solids

// A set in other numbers, so that nothing is 0 or 1 by chance.
static void small_set(set *t, stage *s, er_shape_kind kind)
{
    set_begin(t, s, kind);
    t->camera.target = er_v3(0.5, 0, 0);
    t->material = (draw_material){{0.1f, 0.2f, 0.3f}, {0.4f, 0.5f, 0.6f}, {0.7f, 0.8f, 0.9f}, 11.0f, 1.0f, 0.25f};
    t->shape = (er_shape){.kind = kind, .radius = 0.4, .length = 1.2, .half = {0.3, 0.5, 0.7}};
    t->solid.pose = (er_pose){er_q_exp(er_v3(0.3, 0.2, 0.1)), {1, 2, 3}};
}

// As fine as a quarter of a pixel asks; edges and facets that are seen, and drafts, are coarser.
static void round_forms_are_as_fine_as_they_are_seen(void **state)
{
    for (int k = 0; k < 40; ++k) {
        set t;
        small_set(&t, need_stage(state), ER_SHAPE_SPHERE);
        t.solid.pose.p = t.camera.target;
        t.shape.radius = 0.0004 * pow(1.3, k);
        if (k % 3 == 1) t.camera.fov = 0.0;
        t.style.draft = k % 4 == 3;
        if (k == 5) t.stage.shading = DRAW_FLAT;
        if (k == 6) t.stage.facets = DRAW_LINE;
        painter *g = set_open(&t);
        double pixel = 2.0 * 6.0 * tan(t.camera.fov > 0.0 ? 0.25 : 0.3) / SIDE;
        near(g->solids->pixel * (t.camera.fov > 0.0 ? 6.0 : 1.0), pixel, 1e-9);
        painter_solid(g, &t.solid);
        int level = 0; // the first whose arcs are as near to their chords, or the last
        while (level < LEVELS - 1 && (8 << level) < (t.style.draft ? 2.22 : 4.44) * sqrt(t.shape.radius / pixel))
            ++level;
        if (k == 5 || k == 6) level = LEVEL_OF_FACETS;
        draw_form *wanted = g->solids->form[ER_SHAPE_SPHERE][level];
        if (wanted == NULL || g->solids->first != wanted)
            fail_msg("radius %g is of no level %d", t.shape.radius, level);
        assert_ptr_equal(wanted->coarse, level > 0 ? g->solids->form[ER_SHAPE_SPHERE][level - 1] : NULL);
        int facets = 8 << level;
        assert_int_equal(wanted->corner_count, (facets / 2 + 1) * (facets + 1));
        assert_int_equal(wanted->triangle_corners, 6 * facets / 2 * facets);
        near(wanted->radius, 1.0, 1e-6);
        painter_end(g);
    }
}

static void what_is_too_far_is_left_out(void **state)
{
    static const struct {
        double away; // of its middle, over the camera's distance
        bool drawn, casts;
    } cases[] = {{11.0, true, true},    {12.05, true, true},   {12.1, true, false},
                 {500.05, true, false}, {500.1, false, false}, {NAN, false, false}};
    stage *s = need_stage(state);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        set t;
        small_set(&t, s, ER_SHAPE_SPHERE); // of a radius of 0.0667 of that
        t.solid.pose.p = er_v3_madd(t.camera.target, 6.0 * cases[i].away, er_v3(0, -1, 0));
        painter *g = set_open(&t);
        painter_solid(g, &t.solid);
        assert_int_equal(g->solids->first != NULL, cases[i].drawn);
        assert_int_equal(g->cast[0].x < HUGE_VAL, cases[i].casts);
        painter_end(g);
    }
}

static void joints_are_as_large_on_every_screen(void **state)
{
    for (int k = 0; k < 4; ++k) {
        set t;
        small_set(&t, need_stage(state), ER_SHAPE_BOX);
        t.stage.shown = DRAW_JOINTS;
        if (k & 1) t.camera.fov = 0.0;
        const draw_joint joint = {.anchor = {0.7, 0.4, 0.3},
                                  .end_count = 1 + (k & 1),
                                  .end = {{1, 1, 1}, {-1, 0, 0}},
                                  .axis = {0, k >> 1, 0}};
        painter *g = set_open(&t);
        painter_joint(g, &joint);
        double depth = 6.0 - er_v3_dot(er_v3_sub(joint.anchor, t.camera.target), g->axis[2]);
        double pixel = k & 1 ? 2.0 * 6.0 * tan(0.3) / SIDE : 2.0 * depth * tan(0.25) / SIDE;
        const shape *ball = (const shape *)(const void *)g->shapes[LAYER_OVER][SHAPE_BALL].data;
        assert_int_equal(g->shapes[LAYER_OVER][SHAPE_BALL].size, sizeof *ball);
        near((double)ball->row[0][0], 5.0 * pixel, 1e-6);
        const line *l = (const line *)(const void *)g->lines.data;
        assert_int_equal(g->lines.size, (size_t)(joint.end_count + (k >> 1)) * sizeof *l);
        for (int i = 0; i < joint.end_count; ++i)
            for (int c = 0; c < 3; ++c) {
                near((double)l[i].from[c], (&joint.anchor.x)[c] - (&t.camera.target.x)[c], 1e-6);
                near((double)l[i].to[c], (&joint.end[i].x)[c] - (&t.camera.target.x)[c], 1e-6);
                near((double)l[i].width, 2.0, 0.0);
            }
        if (k >> 1) {
            const line *axis = &l[joint.end_count];
            near((double)axis->from[1], 0.4 - 26.0 * pixel, 1e-5);
            near((double)axis->to[1], 0.4 + 26.0 * pixel, 1e-5);
            near((double)axis->width, 2.5, 0.0);
        }
        painter_end(g);
    }
}

static void stages_turn_the_look_along(void **state)
{
    stage *s = need_stage(state);
    for (int shading = 0; shading < DRAW_SHADINGS; ++shading)
        for (int facets = 0; facets < DRAW_FACETS; ++facets)
            for (int shown = 0; shown < DRAW_SHOWN; ++shown) {
                set t;
                small_set(&t, s, ER_SHAPE_BOX);
                t.stage.shading = (draw_shading)shading;
                t.stage.facets = (draw_facets)facets;
                t.stage.shown = (draw_visible)shown;
                t.style.floor = t.style.skeleton = true;
                painter *g = set_open(&t);
                bool lines = shading == DRAW_WIRE || facets == DRAW_LINE;
                assert_int_equal(g->style.surface, facets == DRAW_POINT ? DRAW_POINTS
                                                   : lines              ? DRAW_WIREFRAME
                                                                        : DRAW_SHADED);
                assert_true(!g->style.floor && g->style.mesh == (shown != DRAW_JOINTS) &&
                            g->style.skeleton == (shown != DRAW_JOINTS));
                er_vec3 towards = er_v3_unit(er_v3_sub(er_v3(4, 5, 6), t.camera.target), er_v3(0, 1, 0));
                near(er_v3_distance(g->sun[2], towards), 0.0, 1e-9);
                draw_target_bind(s->target);
                painter_begin(g, s->target, 0, 0, SIDE, SIDE, &t.camera, &t.style); // never ended
            }
    assert_false(solids_active(s->painter));
    painter_end(s->painter);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_heaviest_joints_carry_a_vertex),
        cmocka_unit_test(numbers_that_are_too_large_become_nothing),
        cmocka_unit_test(batches_go_by_material_and_blend_last),
        cmocka_unit_test(without_what_it_takes_nothing_is_made),
        cmocka_unit_test(images_are_the_means_of_fours),
        cmocka_unit_test(materials_are_as_the_scene_says),
        cmocka_unit_test(greys_alone_are_clay),
        cmocka_unit_test(round_forms_are_as_fine_as_they_are_seen),
        cmocka_unit_test(what_is_too_far_is_left_out),
        cmocka_unit_test(joints_are_as_large_on_every_screen),
        cmocka_unit_test(stages_turn_the_look_along),
    };
    return cmocka_run_group_tests(tests, stage_begin, stage_end);
}
