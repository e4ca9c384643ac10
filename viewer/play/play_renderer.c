// Draws a scene. Its hulls and surfaces, meshes of characters and the background are kept on the graphics card.
#include "viewer/play/play_renderer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A form by the address of its hull or surface, which outlives the scene.
typedef struct cached_form {
    const void *of;
    draw_form *form;
} cached_form;

typedef struct cached_model {
    int character;
    draw_model *model; // NULL: the graphics card has no room for it
    int bodies;
} cached_model;

struct play_renderer {
    er_context *context;
    painter *painter;
    engine *scene;
    int form_count, form_room;
    cached_form *form; // by address
    int model_count, model_room;
    cached_model *model; // by age
    int pose_room;
    er_pose *pose;
    draw_image *image; // the background
    char picture[sizeof((engine_view *)0)->picture];
};

er_result play_renderer_create(er_context *context, painter *p, engine *e, play_renderer **out)
{
    *out = calloc(1, sizeof **out);
    if (*out == NULL) return er_fail(context, ER_ERROR_MEMORY, "out of memory");
    (*out)->context = context;
    (*out)->painter = p;
    (*out)->scene = e;
    return ER_OK;
}

void play_renderer_destroy(play_renderer *s)
{
    if (s == NULL) return;
    for (int i = 0; i < s->form_count; ++i)
        draw_form_destroy(s->form[i].form);
    for (int i = 0; i < s->model_count; ++i)
        draw_model_destroy(s->model[i].model);
    draw_image_destroy(s->image);
    free(s->form);
    free(s->model);
    free(s->pose);
    free(s);
}

// Room for one more of an array.   @return false: no memory
static bool grow(void **array, int count, int *room, size_t size)
{
    if (count < *room) return true;
    void *grown = realloc(*array, (size_t)(2 * *room + 16) * size);
    if (grown == NULL) return false;
    *array = grown;
    *room = 2 * *room + 16;
    return true;
}

// ---- solids

// The place of an address, or the place to insert it.
static int find_form(const play_renderer *s, const void *of)
{
    int low = 0, high = s->form_count;
    while (low < high) {
        int middle = (low + high) / 2;
        if ((uintptr_t)s->form[middle].of < (uintptr_t)of)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// The form of a hull or a surface, made when first used; NULL: no memory.
static draw_form *form_of(play_renderer *s, const er_shape *shape)
{
    const void *of = shape->kind == ER_SHAPE_HULL ? (const void *)shape->hull : (const void *)shape->surface;
    int at = find_form(s, of);
    if (at < s->form_count && s->form[at].of == of) return s->form[at].form;
    draw_form *form = NULL;
    if (!grow((void **)&s->form, s->form_count, &s->form_room, sizeof *s->form)) return NULL;
    if (draw_form_create(s->painter, shape, &form) != ER_OK) return NULL;
    memmove(s->form + at + 1, s->form + at, (size_t)(s->form_count - at) * sizeof *s->form);
    s->form[at] = (cached_form){of, form};
    s->form_count++;
    return form;
}

static draw_material material_of(const engine_material *m)
{
    draw_material to = {.shine = m->shine, .opacity = m->opacity, .reflection = m->reflection};
    memcpy(to.ambient, m->ambient, sizeof to.ambient);
    memcpy(to.diffuse, m->diffuse, sizeof to.diffuse);
    memcpy(to.specular, m->specular, sizeof to.specular);
    return to;
}

static void add_actor(play_renderer *s, const engine_actor *a, double between)
{
    er_pose pose = engine_interpolate(a, between);
    for (int i = 0; i < a->part_count; ++i) {
        const engine_part *part = &a->part[i];
        if (a->hidden || part->hidden) continue;
        bool formed = part->shape.kind == ER_SHAPE_HULL || part->shape.kind == ER_SHAPE_MESH;
        draw_material material = material_of(engine_material_at(s->scene, part->material));
        draw_solid solid = {.shape = &part->shape,
                            .pose = er_pose_mul(pose, part->pose),
                            .material = &material,
                            .tint = {1, 1, 1},
                            .form = formed ? form_of(s, &part->shape) : NULL,
                            .reach = part->face};
        painter_solid(s->painter, &solid);
    }
}

// ---- joints

static er_pose pose_of(const play_renderer *s, int actor, double between)
{
    const engine_actor *a = engine_find_actor(s->scene, actor);
    return a != NULL ? engine_interpolate(a, between) : er_pose_identity();
}

static bool has_axis(er_joint_type type)
{
    return type != ER_JOINT_SPHERICAL && type != ER_JOINT_FIXED && type != ER_JOINT_FREE;
}

static void add_joint(play_renderer *s, const engine_joint *j, double between)
{
    er_pose frame = er_pose_mul(pose_of(s, j->actor[0], between), j->own[0]);
    draw_joint sign = {.anchor = frame.p};
    for (int i = 0; i < 2; ++i) {
        const engine_actor *a = engine_find_actor(s->scene, j->actor[i]);
        if (a != NULL) sign.end[sign.end_count++] = er_pose_point(engine_interpolate(a, between), a->centre);
    }
    if (has_axis(j->type)) sign.axis = er_q_rotate(frame.q, er_v3(0, 0, 1));
    painter_joint(s->painter, &sign);
}

// A rope is a line from its first point, or from each wheel of a pulley.
static void add_tie(play_renderer *s, const engine_tie *t, double between)
{
    er_vec3 point[2];
    for (int i = 0; i < 2; ++i)
        point[i] = er_pose_point(pose_of(s, t->actor[i], between), t->own[i]);
    if (t->kind == ER_TIE_DISTANCE) {
        painter_joint(s->painter, &(draw_joint){.anchor = point[0], .end_count = 1, .end = {point[1]}});
        return;
    }
    for (int i = 0; i < 2 && t->kind == ER_TIE_PULLEY; ++i) {
        draw_joint sign = {.anchor = t->wheel[i], .end_count = 2, .end = {point[i], t->wheel[1 - i]}};
        painter_joint(s->painter, &sign);
    }
}

// ---- characters

static cached_model *find_model(const play_renderer *s, int character)
{
    for (int i = 0; i < s->model_count; ++i)
        if (s->model[i].character == character) return &s->model[i];
    return NULL;
}

static void make_model(play_renderer *s, const engine_character *c)
{
    if (!grow((void **)&s->model, s->model_count, &s->model_room, sizeof *s->model)) return;
    cached_model *m = &s->model[s->model_count++];
    *m = (cached_model){c->id, NULL, c->model->body_count};
    draw_model_create(s->painter, c->target, c->model, &m->model);
    if (m->bodies <= s->pose_room) return;
    er_pose *pose = realloc(s->pose, (size_t)m->bodies * sizeof *pose);
    if (pose == NULL) {
        draw_model_destroy(m->model);
        m->model = NULL;
        return;
    }
    s->pose = pose;
    s->pose_room = m->bodies;
}

// Makes models of new characters, and destroys those of characters that are gone.
static void cache_models(play_renderer *s)
{
    int kept = 0;
    for (int i = 0; i < s->model_count; ++i)
        if (engine_find_character(s->scene, s->model[i].character) != NULL)
            s->model[kept++] = s->model[i];
        else
            draw_model_destroy(s->model[i].model);
    s->model_count = kept;
    for (int i = 0; i < engine_character_count(s->scene); ++i) {
        const engine_character *c = engine_character_at(s->scene, i);
        if (find_model(s, c->id) == NULL) make_model(s, c);
    }
}

static void add_character(play_renderer *s, const engine_character *c, double between)
{
    const cached_model *m = find_model(s, c->id);
    const engine_actor *shown = engine_find_actor(s->scene, c->look_of);
    if (m == NULL || m->model == NULL || (shown != NULL && shown->hidden)) return;
    engine_character_pose(s->scene, c, between, s->pose);
    draw_figure figure = draw_default_figure();
    figure.pose = s->pose;
    figure.scale = c->scale;
    painter_add(s->painter, m->model, &figure);
}

// ---- the view

draw_camera play_renderer_camera(const engine *e)
{
    const engine_view *v = engine_get_view((engine *)e); // nothing is written
    return draw_camera_look(v->eye, v->target, er_v3(0, 1, 0), v->fov);
}

static float srgb_of(float linear)
{
    return linear <= 0.0031308f ? 12.92f * linear : 1.055f * powf(linear, 1.0f / 2.4f) - 0.055f;
}

static draw_style style_of(const engine_view *v, bool draft)
{
    draw_style style = draw_default_style(false);
    style.shadow = v->shadows;
    style.draft = draft;
    for (int k = 0; k < 3; ++k) {
        style.background[0][k] = srgb_of(v->top[k]);
        style.background[1][k] = srgb_of(v->bottom[k]);
    }
    return style;
}

static uint8_t *read_whole(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    long end = file != NULL && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    uint8_t *bytes = end > 0 ? malloc((size_t)end) : NULL;
    if (bytes != NULL) rewind(file);
    if (bytes != NULL && fread(bytes, 1, (size_t)end, file) != (size_t)end) {
        free(bytes);
        bytes = NULL;
    }
    if (file != NULL) fclose(file);
    *size = end > 0 ? (size_t)end : 0;
    return bytes;
}

// Reads the background picture when its name changes.
static er_result cache_image(play_renderer *s, const engine_view *v)
{
    if (strcmp(s->picture, v->picture) == 0) return ER_OK;
    snprintf(s->picture, sizeof s->picture, "%s", v->picture);
    draw_image_destroy(s->image);
    s->image = NULL;
    if (s->picture[0] == '\0') return ER_OK;
    size_t size;
    uint8_t *bytes = read_whole(s->picture, &size);
    if (bytes == NULL)
        return er_fail(s->context, ER_ERROR_FILE, "%s: the background cannot be read; check the path", s->picture);
    er_result r = draw_image_create(s->painter, size, bytes, &s->image);
    free(bytes);
    if (r == ER_ERROR_FORMAT)
        r = er_fail(s->context, r, "%s: not a complete PNG or JPEG, which a background needs", s->picture);
    return r;
}

static draw_background background_of(const engine_view *v)
{
    if (v->background == ENGINE_BITMAP) return DRAW_BITMAP;
    if (v->background == ENGINE_COLOUR) return DRAW_COLOURS;
    return v->picture[0] != '\0' ? DRAW_SURROUNDING : DRAW_SKY;
}

static draw_light light_of(const engine_light *l)
{
    draw_light to = {.position = l->position};
    memcpy(to.ambient, l->ambient, sizeof to.ambient);
    memcpy(to.diffuse, l->diffuse, sizeof to.diffuse);
    memcpy(to.specular, l->specular, sizeof to.specular);
    return to;
}

static void set_lights(const play_renderer *s, const draw_camera *c, draw_stage *stage)
{
    er_vec3 axis[3];
    draw_camera_axes(c, axis);
    stage->light_count = engine_light_count(s->scene);
    for (int i = 0; i < stage->light_count; ++i)
        stage->light[i] = light_of(engine_light_at(s->scene, i));
    if (stage->light_count > 0) return;
    er_vec3 aside = er_v3_add(er_v3_scale(0.8, axis[0]), er_v3_scale(0.8, axis[2]));
    stage->light[0] = draw_default_light();
    stage->light[0].position = er_v3_madd(er_v3_madd(c->target, 2.0 * c->distance, c->up), 2.0 * c->distance, aside);
    stage->light_count = 1;
}

static draw_stage stage_of(const play_renderer *s, const draw_camera *c)
{
    static const draw_shading shading[ENGINE_SHADINGS] = {DRAW_FLAT, DRAW_GOURAUD, DRAW_PHONG, DRAW_WIRE};
    static const draw_facets facets[ENGINE_POLYGONS] = {DRAW_FILL, DRAW_LINE, DRAW_POINT};
    static const draw_visible shown[ENGINE_SHOWN] = {DRAW_ACTORS, DRAW_JOINTS, DRAW_ACTORS_AND_JOINTS};
    const engine_view *v = engine_get_view(s->scene);
    draw_stage stage = {.shading = shading[v->shading],
                        .facets = facets[v->polygons],
                        .shown = shown[v->shown],
                        .background = background_of(v),
                        .image = s->image};
    memcpy(stage.ambient, v->ambient, sizeof stage.ambient);
    set_lights(s, c, &stage);
    return stage;
}

er_result play_renderer_draw(play_renderer *s, double between, draw_target *t, int width, int height, bool draft)
{
    engine *e = s->scene;
    engine_follow(e, between);
    const engine_view *v = engine_get_view(e);
    er_result image = cache_image(s, v);
    cache_models(s);
    draw_camera camera = play_renderer_camera(e);
    draw_style style = style_of(v, draft);
    draw_stage stage = stage_of(s, &camera);
    painter_begin(s->painter, t, 0, 0, width, height, &camera, &style);
    er_result r = painter_stage(s->painter, &stage);
    for (int i = 0; i < engine_actor_count(e); ++i)
        add_actor(s, engine_actor_at(e, i), between);
    for (int i = 0; i < engine_joint_count(e); ++i)
        add_joint(s, engine_joint_at(e, i), between);
    for (int i = 0; i < engine_tie_count(e); ++i)
        add_tie(s, engine_tie_at(e, i), between);
    for (int i = 0; i < engine_character_count(e); ++i)
        add_character(s, engine_character_at(e, i), between);
    painter_end(s->painter);
    return r != ER_OK ? r : image;
}
