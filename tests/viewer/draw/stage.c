// The chain and the stage of stage.h are made, and pictures of them read back.
#include "stage.h"

#include <math.h>

#include <png.h>

static shot only;

int stage_begin(void **state)
{
    stage *s = calloc(1, sizeof *s);
    if (s == NULL || er_context_create(NULL, &s->context) != ER_OK) return -1;
    *state = s;
    if (draw_offscreen_create(s->context, &s->offscreen) != ER_OK) return 0;
    if (painter_create(s->context, &s->painter) != ER_OK ||
        draw_target_create(s->painter, SIDE, SIDE, 4, &s->target) != ER_OK) {
        print_error("%s\n", er_context_error(s->context));
        return -1;
    }
    s->rgba = calloc(SIDE * SIDE, 4);
    return s->rgba == NULL ? -1 : 0;
}

int stage_end(void **state)
{
    stage *s = *state;
    if (only.s != NULL) shot_end(&only);
    draw_target_destroy(s->target);
    painter_destroy(s->painter);
    draw_offscreen_destroy(s->offscreen);
    er_context_destroy(s->context);
    free(s->rgba);
    free(s);
    return 0;
}

stage *need_stage(void **state)
{
    stage *s = *state;
    if (s->offscreen == NULL) {
        print_message("%s\n", er_context_error(s->context));
        skip();
    }
    return s;
}

static void make_nodes(chain *c)
{
    for (int i = 0; i < c->count; ++i) {
        er_affine local = er_affine_identity();
        local.translation = er_v3(0, i == 0 ? 0 : 1, 0);
        c->node[i] = (er_node){.name = "", .parent = i - 1, .local = local, .flags = ER_NODE_JOINT, .source_index = -1};
        c->world[i] = er_affine_identity();
        c->world[i].translation = er_v3(0, i, 0);
        c->inverse_bind[i] = er_affine_identity();
        c->inverse_bind[i].translation = er_v3(0, -i, 0);
        c->joint[i] = c->node_body[i] = i;
    }
}

// Triangle t has its first corner at 0.2 beside the chain, one pixel or less in size.
static void make_mesh(chain *c, int triangles)
{
    int n = 3 * triangles;
    float *position = calloc((size_t)n * 3, sizeof *position), *weight = calloc((size_t)n * 2, sizeof *weight);
    int *index = calloc((size_t)n, sizeof *index), *start = calloc((size_t)n + 1, sizeof *start);
    int *joint = calloc((size_t)n * 2, sizeof *joint);
    assert_true(position != NULL && weight != NULL && index != NULL && start != NULL && joint != NULL);
    for (int v = 0; v < n; ++v) {
        double along = (v / 3 + 0.5) / triangles * c->count, part = along - floor(along), side = v / 3 % 2 ? 0.2 : -0.2;
        int bone = (int)along < c->count ? (int)along : c->count - 1;
        position[3 * v] = (float)(side + 0.002 * (v % 3 == 1));
        position[3 * v + 1] = (float)(along + 0.002 * (v % 3 == 2));
        position[3 * v + 2] = (float)(0.1 * cos(v / 3));
        index[v] = v;
        start[v + 1] = 2 * v + 2;
        joint[2 * v] = bone;
        joint[2 * v + 1] = bone > 0 ? bone - 1 : bone;
        weight[2 * v] = (float)(0.5 + 0.5 * part);
        weight[2 * v + 1] = (float)(0.5 - 0.5 * part);
    }
    c->mesh = (er_mesh){.name = "",
                        .vertex_count = n,
                        .triangle_count = triangles,
                        .position = position,
                        .index = index,
                        .material = -1,
                        .influence_start = start,
                        .influence_joint = joint,
                        .influence_weight = weight};
}

static void make_model(er_context *context, chain *c)
{
    er_body *body = calloc((size_t)c->count, sizeof *body);
    er_joint *joint = calloc((size_t)c->count, sizeof *joint);
    assert_true(body != NULL && joint != NULL);
    for (int i = 0; i < c->count; ++i) {
        er_pose frame = {er_q_identity(), {0, 0.5 * i, 0}};
        body[i] = (er_body){.mass = 1, .com = {0, 0.25, 0}, .inertia = er_m3_identity(), .pose = frame};
        joint[i] = (er_joint){.parent = i - 1, .child = i, .type = ER_JOINT_SPHERICAL, .frame = frame};
        for (int k = 0; k < 6; ++k) {
            joint[i].limit[k][0] = -INFINITY;
            joint[i].limit[k][1] = INFINITY;
        }
    }
    er_model_def def = er_default_model_def();
    def.body_count = c->count;
    def.body = body;
    def.joint_count = c->count - 1; // the first body floats
    def.joint = joint + 1;
    er_result r = er_model_create(context, &def, &c->model);
    free(body);
    free(joint);
    if (r != ER_OK) fail_msg("%s", er_context_error(context));
}

chain chain_make(er_context *context, int bones, int triangles)
{
    chain c = {.count = bones};
    size_t n = (size_t)bones;
    c.node = calloc(n, sizeof *c.node);
    c.world = calloc(n, sizeof *c.world);
    c.inverse_bind = calloc(n, sizeof *c.inverse_bind);
    c.joint = calloc(n, sizeof *c.joint);
    c.node_body = calloc(n, sizeof *c.node_body);
    assert_true(c.node != NULL && c.world != NULL && c.inverse_bind != NULL && c.joint != NULL && c.node_body != NULL);
    make_nodes(&c);
    make_mesh(&c, triangles);
    make_model(context, &c);
    c.material = (er_material){.name = "",
                               .base_color = {1, 1, 1, 1},
                               .roughness = 1,
                               .base_color_image = -1,
                               .normal_image = -1,
                               .emissive_image = -1};
    return c;
}

// A chain lies in its caller's frame, so what points into it is set when it is used.
static void connect(chain *c)
{
    c->skin = (er_skin){"", c->count, c->joint, c->inverse_bind};
    c->instance.mesh = 0;
    c->scene.path = c->scene.format_name = "";
    c->scene.format = ER_FORMAT_OTHER;
    c->scene.metres_per_unit = 0.5;
    c->scene.up = er_v3(0, 1, 0);
    c->scene.node_count = c->count;
    c->scene.node = c->node;
    c->scene.mesh_count = c->scene.instance_count = c->scene.skin_count = c->scene.material_count = 1;
    c->scene.mesh = &c->mesh;
    c->scene.instance = &c->instance;
    c->scene.skin = &c->skin;
    c->scene.material = &c->material;
    c->target = (er_recording_target){&c->scene, c->node_body, NULL, c->world, 0.5};
}

static void upload(shot *p)
{
    if (draw_model_create(p->s->painter, &p->c.target, p->c.model, &p->m) != ER_OK)
        fail_msg("%s", er_context_error(p->s->context));
}

static void chain_free(chain *c)
{
    er_model_destroy(c->model);
    free(c->node);
    free(c->world);
    free(c->inverse_bind);
    free(c->joint);
    free(c->node_body);
    free((void *)c->mesh.position);
    free((void *)c->mesh.index);
    free((void *)c->mesh.influence_start);
    free((void *)c->mesh.influence_joint);
    free((void *)c->mesh.influence_weight);
}

void chain_bend(const chain *c, double angle, er_pose *pose)
{
    er_quat turn = er_q_mul(er_q_exp(er_v3(0, 0, angle)), er_q_exp(er_v3(0.7 * angle, 0, 0)));
    for (int i = 0; i < c->count; ++i) {
        er_pose local = {turn, i == 0 ? c->model->body[0].pose.p : er_v3(0, 0.5, 0)};
        pose[i] = i == 0 ? local : er_pose_mul(pose[i - 1], local);
    }
}

double *chain_vertices(const chain *c, const er_pose *pose)
{
    double *at = calloc(3 * (size_t)c->mesh.vertex_count, sizeof *at);
    er_affine *world = calloc((size_t)c->count, sizeof *world);
    assert_true(at != NULL && world != NULL);
    for (int i = 0; i < c->count; ++i) { // in file units: D W0 with D's shift over the metres of one
        er_pose d = er_pose_mul(pose[i], er_pose_inverse(c->model->body[i].pose));
        d.p = er_v3_scale(2.0, d.p);
        world[i] = er_affine_mul(er_affine_from_pose(d), c->world[i]);
    }
    er_scene_skin(&c->scene, 0, world, at);
    for (int k = 0; k < 3 * c->mesh.vertex_count; ++k)
        at[k] *= 0.5;
    free(world);
    return at;
}

draw_style bare_look(draw_surface surface)
{
    draw_style style = draw_default_style(false);
    style.surface = surface;
    style.floor = style.shadow = false;
    style.transparent = true;
    return style;
}

static draw_camera side_camera(const chain *c)
{
    double half = 0.25 * c->count;
    return (draw_camera){
        .up = {0, 1, 0}, .target = {0.1, half, 0.05}, .distance = 7.0 * half, .yaw = 0.4, .pitch = 0.3, .fov = 0.5};
}

draw_camera front_camera(void)
{
    return (draw_camera){.up = {0, 1, 0}, .target = {0, 0.5, 0}, .distance = 2.5, .fov = 0.6};
}

void shot_begin(shot *p, stage *s, chain c, draw_surface surface)
{
    *p = (shot){.s = s, .c = c, .style = bare_look(surface), .camera = side_camera(&c), .f = draw_default_figure()};
    connect(&p->c);
    upload(p);
}

void shot_remake(shot *p)
{
    draw_model_destroy(p->m);
    upload(p);
}

shot *shot_of(stage *s, chain c, draw_surface surface)
{
    if (only.s != NULL) shot_end(&only);
    shot_begin(&only, s, c, surface);
    return &only;
}

shot *shot_usual(stage *s, draw_surface surface)
{
    return shot_of(s, chain_make(s->context, BONES, TRIANGLES), surface);
}

void shot_pose(shot *p, double angle, er_pose *pose)
{
    chain_bend(&p->c, angle, pose);
    p->f.pose = pose;
}

shot *shot_front(stage *s, chain c)
{
    shot *p = shot_of(s, c, DRAW_SHADED);
    p->camera = front_camera();
    return p;
}

void shot_end(shot *p)
{
    draw_model_destroy(p->m);
    chain_free(&p->c);
    p->s = NULL;
}

painter *shot_open(const shot *p)
{
    draw_target_bind(p->s->target); // so that it is drawn even if the target shows it
    painter_begin(p->s->painter, p->s->target, 0, 0, SIDE, SIDE, &p->camera, &p->style);
    return p->s->painter;
}

void read_back(stage *s)
{
    painter_end(s->painter);
    draw_target_read(s->target, s->rgba);
}

void shoot(const shot *p)
{
    painter_add(shot_open(p), p->m, &p->f);
    read_back(p->s);
}

const uint8_t *pixel(const stage *s, double x, double y)
{
    assert_true(x >= 0 && x < SIDE && y >= 0 && y < SIDE);
    return s->rgba + 4 * ((size_t)y * SIDE + (size_t)x);
}

void project(const shot *p, er_vec3 point, double at[2])
{
    assert_true(draw_camera_project(&p->camera, SIDE, SIDE, point, at));
}

const uint8_t *pixel_at(const shot *p, er_vec3 point)
{
    double at[2];
    project(p, point, at);
    return pixel(p->s, at[0], at[1]);
}

er_vec3 vertex_at(const double *vertices, int i)
{
    return er_v3(vertices[3 * i], vertices[3 * i + 1], vertices[3 * i + 2]);
}

er_model *close_loops(const shot *p, int count, const int *child, const er_vec3 *at)
{
    const er_model *open = p->c.model;
    er_joint joint[2 * BONES];
    er_model *closed = NULL;
    int tree = open->joint_count;
    assert_in_range(tree + count, 1, 2 * BONES);
    memcpy(joint, open->joint, (size_t)tree * sizeof *joint);
    for (int k = 0; k < count; ++k) {
        er_joint *j = &joint[tree + k];
        *j = joint[tree - 1];
        j->closes_loop = true;
        j->parent = 0;
        j->child = child[k];
        j->frame.p = at[k];
    }
    er_model_def def = er_default_model_def();
    def.body_count = open->body_count;
    def.body = open->body;
    def.joint_count = tree + count;
    def.joint = joint;
    assert_int_equal(er_model_create(p->s->context, &def, &closed), ER_OK);
    return closed;
}

int count_drawn(const stage *s)
{
    int count = 0;
    for (int i = 0; i < SIDE * SIDE; ++i)
        count += s->rgba[4 * i + 3] > 0;
    return count;
}

chain rigid_mesh(er_context *context, int corners, const float *corner, int triangles, const int *index)
{
    chain c = chain_make(context, 2, triangles);
    memcpy((float *)c.mesh.position, corner, 3 * (size_t)corners * sizeof *corner);
    memcpy((int *)c.mesh.index, index, 3 * (size_t)triangles * sizeof *index);
    c.mesh.vertex_count = corners;
    c.mesh.material = 0;
    c.instance.skin = -1;
    return c;
}

chain leaves(er_context *context)
{
    static const float corners[24] = {-1, 0, 0,    1, 0, 0,    1, 2, 0,    -1, 2, 0,
                                      -1, 0, -.5f, 1, 0, -.5f, 1, 2, -.5f, -1, 2, -.5f};
    static const int order[12] = {0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7};
    return rigid_mesh(context, 8, corners, 4, order);
}

uint8_t *encode_png(int width, int height, bool alpha, const uint8_t *pixels, size_t *size)
{
    png_image png = {.version = PNG_IMAGE_VERSION,
                     .width = (unsigned)width,
                     .height = (unsigned)height,
                     .format = alpha ? PNG_FORMAT_RGBA : PNG_FORMAT_RGB};
    png_alloc_size_t bytes = PNG_IMAGE_PNG_SIZE_MAX(png);
    uint8_t *out = malloc(bytes);
    assert_non_null(out);
    assert_true(png_image_write_to_memory(&png, out, &bytes, 0, pixels, 0, NULL));
    *size = bytes;
    return out;
}

void set_begin(set *t, stage *s, er_shape_kind kind)
{
    *t = (set){.s = s,
               .style = bare_look(DRAW_SHADED),
               .camera = {.up = {0, 1, 0}, .distance = 6.0, .yaw = 0.3, .pitch = 0.2, .fov = 0.5},
               .stage = draw_default_stage(),
               .material = draw_default_material(),
               .shape = {.kind = kind, .radius = 1.0, .length = 1.0, .half = {0.8, 0.8, 0.8}}};
    t->solid = (draw_solid){
        .shape = &t->shape, .pose = er_pose_identity(), .material = &t->material, .tint = {1, 1, 1}, .reach = 20.0};
    t->stage.light_count = 1;
    t->stage.light[0] = draw_default_light();
    t->stage.light[0].position = er_v3(4, 5, 6);
}

painter *set_go_on(const set *t)
{
    painter_begin(t->s->painter, t->s->target, 0, 0, SIDE, SIDE, &t->camera, &t->style);
    if (painter_stage(t->s->painter, &t->stage) != ER_OK) fail_msg("%s", er_context_error(t->s->context));
    return t->s->painter;
}

painter *set_open(const set *t)
{
    draw_target_bind(t->s->target); // so that it is drawn even if the target shows it
    return set_go_on(t);
}
