// eigenrig.load(): files become models.
#include <stdlib.h>
#include <string.h>

#include <eigenrig/file.h>
#include <eigenrig/import.h>

#include "script/inside.h"
#include "sidecar/settings.h"
#include "studio/describe.h"

static void warn_notes(lua_State *L, const char *path, const er_note *note, int count)
{
    for (int i = 0; i < count; ++i) {
        if (note[i].kind != ER_NOTE_WARNING) continue;
        lua_pushfstring(L, "%s: %s", path, note[i].text);
        lua_warning(L, lua_tostring(L, -1), 0);
        lua_pop(L, 1);
    }
}

// The pose's local transforms; they stay on the stack.
static void read_pose(lua_State *L, const er_scene *scene, sidecar_settings *s)
{
    const studio_asked asked = {
        .rig = s->rig, .pose_file = s->pose_file, .place_count = s->place_count, .place = s->place};
    er_affine *local = NULL;
    handle *h = script_push_handle(L, free);
    script_check(L, studio_read_pose(script_context(L), scene, &asked, &local));
    h->object = local;
    s->rig.pose_local = local;
}

// The rig of a scene that the model at `model` has; the options' table is at the top of the stack.
static void build_rig(lua_State *L, int model, sidecar_settings *s)
{
    script_model *m = lua_touserdata(L, model);
    er_rig *rig = NULL;
    int top = lua_gettop(L);
    handle *made = script_push_handle(L, script_destroy_rig);
    if (s->rig.pose == ER_POSE_GIVEN) read_pose(L, m->scene->object, s);
    script_check(L, sidecar_set_densities(script_context(L), s, s->rig.density));
    s->rig.change = &s->change;
    script_check(L, er_rig_build(script_context(L), m->scene->object, &s->rig, &rig));
    made->object = rig;
    m->rig = made;
    lua_pushvalue(L, top + 1);
    lua_setiuservalue(L, model, MODEL_RIG);
    m->density = s->rig.density;
    m->law = s->rig.stiffness;
    m->has_law = true;
    lua_settop(L, top);
    warn_notes(L, ((const er_scene *)m->scene->object)->path, rig->note, rig->note_count);
}

// What of the options can be changed in a rig that stands.
static void change_rig(lua_State *L, int model, sidecar_settings *s, double density)
{
    er_rig_change change;
    script_check(L, sidecar_change_of(script_context(L), s, density, &change));
    script_change_model(L, model, &change);
    if (change.stiffness == NULL) return;
    script_model *m = lua_touserdata(L, model);
    m->law = *change.stiffness;
    m->has_law = true;
}

static void load_rig_file(lua_State *L, int model, const char *path)
{
    script_model *m = lua_touserdata(L, model);
    er_model *read = NULL;
    handle *made = script_push_handle(L, script_destroy_model);
    script_check(L, er_file_read_rig(script_context(L), path, &read));
    made->object = read;
    m->model = made;
    lua_setiuservalue(L, model, MODEL_MODEL);
}

static void load_scene(lua_State *L, int model, const char *path)
{
    script_model *m = lua_touserdata(L, model);
    er_scene *scene = NULL;
    handle *made = script_push_handle(L, script_destroy_scene);
    script_check(L, er_import_file(script_context(L), path, NULL, &scene));
    made->object = scene;
    made->users = 1;
    m->scene = made;
    lua_setiuservalue(L, model, MODEL_SCENE);
    warn_notes(L, path, scene->note, scene->note_count);
}

static script_model *push_model(lua_State *L)
{
    script_model *m = lua_newuserdatauv(L, sizeof *m, MODEL_VALUES);
    *m = (script_model){0};
    luaL_setmetatable(L, script_model_class.name);
    return m;
}

// The fields of the table at one index laid over a copy of that at another (0, or no table: none); pushes the copy.
static void push_merged(lua_State *L, int under, int over)
{
    int from[] = {under, over};
    lua_newtable(L);
    for (int i = 0; i < 2; ++i) {
        if (from[i] == 0 || !lua_istable(L, from[i])) continue;
        for (lua_pushnil(L); lua_next(L, from[i]);) {
            lua_pushvalue(L, -2);
            lua_insert(L, -2);
            lua_rawset(L, -4);
        }
    }
}

// Reads the table at an index, but for its field `rig`, over what `s` has. The copy it reads stays on the stack.
static void read_options(lua_State *L, int options, sidecar_settings *s)
{
    reader r = {.L = L, .context = script_context(L)};
    push_merged(L, 0, options);
    lua_pushnil(L);
    lua_setfield(L, -2, "rig");
    sidecar_read_settings(&r, -1, s);
}

static void destroy_sidecar(void *object)
{
    sidecar_close(object);
    free(object);
}

// The description of a model: the one that the field `rig` of the options at an index names, or the one beside it. It
// stays on the stack.
static void read_sidecar(lua_State *L, const char *model, int options, sidecar_settings *s)
{
    char beside[4096];
    reader r = {.L = L, .context = script_context(L)};
    const char *path = reader_text(&r, options, "rig", NULL);
    *s = sidecar_default_settings();
    if (path == NULL && strcmp(model, "-") != 0 && sidecar_find(model, beside, sizeof beside)) path = beside;
    if (path != NULL && strcmp(path, "none") != 0) {
        handle *h = script_push_handle(L, destroy_sidecar);
        sidecar *made = h->object = calloc(1, sizeof *made);
        if (made == NULL) luaL_error(L, "not enough memory");
        script_check(L, sidecar_open(script_context(L), path, made));
        *s = made->settings;
        if (s->rig.pose_clip != NULL) s->rig.pose_clip = s->clip;
    }
}

static void check_options(lua_State *L, int argument)
{
    if (!lua_isnoneornil(L, argument)) luaL_checktype(L, argument, LUA_TTABLE);
}

// eigenrig.load(path, options)
static int load(lua_State *L)
{
    const char *path = luaL_checkstring(L, 1);
    sidecar_settings s;
    check_options(L, 2);
    lua_settop(L, 2);
    push_model(L);
    push_merged(L, 0, 2);
    script_hold(L);
    read_sidecar(L, path, 4, &s);
    lua_pushvalue(L, 4);
    lua_setiuservalue(L, 3, MODEL_OPTIONS);
    read_options(L, 4, &s);
    if (er_file_is_rig(script_context(L), path)) {
        load_rig_file(L, 3, path);
        change_rig(L, 3, &s, 0.0);
    } else {
        load_scene(L, 3, path);
        build_rig(L, 3, &s);
    }
    lua_pushvalue(L, 3);
    return 1;
}

// model:build(options): another model of the same file, which is not read again.
int script_model_build(lua_State *L)
{
    script_model *m = script_check_model(L, 1);
    sidecar_settings s;
    check_options(L, 2);
    lua_settop(L, 2);
    if (m->scene == NULL) return luaL_error(L, "a rig file is a rig already; change() changes it");
    script_model *built = push_model(L);
    lua_getiuservalue(L, 1, MODEL_OPTIONS);
    push_merged(L, 4, 2);
    script_hold(L);
    m = script_check_model(L, 1);
    read_sidecar(L, ((const er_scene *)m->scene->object)->path, 5, &s);
    lua_pushvalue(L, 5);
    lua_setiuservalue(L, 3, MODEL_OPTIONS);
    read_options(L, 5, &s);
    lua_getiuservalue(L, 1, MODEL_SCENE);
    lua_setiuservalue(L, 3, MODEL_SCENE);
    built->scene = m->scene;
    ++m->scene->users;
    build_rig(L, 3, &s);
    lua_pushvalue(L, 3);
    return 1;
}

// model:change{...}
int script_model_change(lua_State *L)
{
    sidecar_settings s;
    reader r = {.L = L, .context = script_context(L)};
    script_check_model(L, 1);
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_settop(L, 2);
    script_hold(L);
    s = sidecar_default_settings();
    sidecar_read_settings(&r, 2, &s);
    change_rig(L, 1, &s, script_check_model(L, 1)->density);
    lua_pushvalue(L, 1);
    return 1;
}

const luaL_Reg script_model_functions[] = {{"load", load}, {NULL, NULL}};
