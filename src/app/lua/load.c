// eigenrig.load(): files become models.
#include <stdlib.h>
#include <string.h>

#include "app/description/description_settings.h"
#include "app/lua/lua_inside.h"
#include "app/project/apply_description.h"
#include "app/project/project_open.h"
#include "app/project/project_tune.h"
#include "app/project/up_axis.h"

SCRIPT_DESTROYS(destroy_scene, er_scene_destroy)
SCRIPT_DESTROYS(destroy_rig, er_rig_destroy)
SCRIPT_DESTROYS(destroy_model, er_model_destroy)
SCRIPT_DESTROYS(destroy_world, er_world_file_destroy)
SCRIPT_DESTROYS(close_description, project_description_close)

// Whether the options at an index allow files elsewhere, which no description does.
static bool allows_outside(lua_State *L, int options)
{
    reader r = {.L = L};
    return reader_flag(&r, options, "allow_outside", false);
}

// The feet or plants of a description. If they are optional, only those that the model has; NULL for none.
static const char *known_names(const script_model *m, const rig_settings *s, const char *names,
                               char known[PROJECT_NAMES_SIZE])
{
    if (!s->optional) return names;
    return project_known_names(script_model_of(m), script_rig_of(m), names, known);
}

static void keep_stand(lua_State *L, int model, const rig_settings *s)
{
    char known[PROJECT_NAMES_SIZE];
    script_model *m = lua_touserdata(L, model);
    if ((s->given & GIVEN_FORWARD) != 0) m->forward = s->forward;
    if ((s->given & GIVEN_FEET) != 0) {
        m->feet = lua_pushstring(L, known_names(m, s, s->feet, known));
        lua_setiuservalue(L, model, MODEL_FEET);
    }
    if ((s->given & GIVEN_PLANT) != 0) {
        m->plant = lua_pushstring(L, known_names(m, s, s->plant, known));
        lua_setiuservalue(L, model, MODEL_PLANT);
    }
}

// Gives modes the frequencies asked for, after all other changes. If that fails, the model is again the one whose
// handle is at `was`; 0: it stays.
static void tune_model(lua_State *L, int model, const rig_settings *s, const project_description *described, int was)
{
    if ((s->given & GIVEN_TUNE) == 0) return;
    script_model *m = lua_touserdata(L, model);
    const er_rig *rig = script_rig_of(m);
    const er_model *before = script_model_of(m);
    er_gait_def def = er_default_gait_def();
    er_model *tuned;
    script_warner ear = {L, m->path};
    const project_listener listener = script_listener(&ear);
    def.feet = m->feet;
    def.forward = m->forward;
    if (rig != NULL && rig->model->body_count != before->body_count) rig = NULL;
    handle *made = script_push_handle(L, destroy_model);
    er_result r = project_tuned_model(script_context(L), before, rig, &def, s->tune, &listener, &tuned);
    r = project_cite_description(script_context(L), r, described);
    if (r != ER_OK && was > 0) {
        lua_pushvalue(L, was);
        m->model = lua_touserdata(L, was);
        lua_setiuservalue(L, model, MODEL_MODEL);
    }
    script_check(L, r);
    made->object = tuned;
    m->model = made;
    lua_setiuservalue(L, model, MODEL_MODEL);
    lua_pushnil(L);
    lua_setiuservalue(L, model, MODEL_MODES);
}

// The rig of a scene that the model at `model` has; the options' table is at the top of the stack.
static void build_rig(lua_State *L, int model, int options, rig_settings *s, const project_description *described)
{
    script_model *m = lua_touserdata(L, model);
    er_rig *rig = NULL;
    handle *made = script_push_handle(L, destroy_rig);
    er_context *context = script_context(L);
    script_warner ear = {L, m->path};
    project_listener listener = script_listener(&ear);
    script_check(L, project_check_patterns(context, described, m->scene->object, NULL));
    script_check(L,
                 project_cite_description(context, rig_settings_set_densities(context, s, s->rig.density), described));
    s->rig.change = &s->change;
    const project_request asked = {.rig = s->rig,
                                   .given = s->given,
                                   .pose_file = s->pose_file,
                                   .pose_in = s->pose_in,
                                   .pose_named = s->pose_named,
                                   .place_count = s->place_count,
                                   .place = s->place,
                                   .allow_outside = allows_outside(L, options)};
    er_result r = project_build_rig(context, m->scene->object, &asked, described, &listener, &rig);
    made->object = rig;
    script_check(L, r);
    m->rig = made;
    lua_setiuservalue(L, model, MODEL_RIG);
    script_check(L, project_check_matches(context, described, rig->model, &listener));
    m->density = s->rig.density;
    m->law = s->rig.stiffness;
    m->has_law = true;
    keep_stand(L, model, s);
    tune_model(L, model, s, described, 0);
}

// Applies the options that can change a finished rig.
static void change_rig(lua_State *L, int model, rig_settings *s, double density, const project_description *described)
{
    er_rig_change change;
    script_check(L,
                 project_check_patterns(script_context(L), described, NULL, script_model_of(lua_touserdata(L, model))));
    er_result r = rig_settings_change(script_context(L), s, density, &change);
    script_check(L, project_cite_description(script_context(L), r, described));
    lua_getiuservalue(L, model, MODEL_MODEL);
    int was = lua_gettop(L);
    script_change_model(L, model, &change);
    keep_stand(L, model, s);
    script_model *m = lua_touserdata(L, model);
    script_warner ear = {L, m->path};
    project_listener listener = script_listener(&ear);
    script_check(L, project_check_matches(script_context(L), described, script_model_of(m), &listener));
    if (change.stiffness != NULL) {
        m->law = *change.stiffness;
        m->has_law = true;
    }
    tune_model(L, model, s, described, was);
}

// Reads the file; it is a model or a scene of the one at `model`.
static void open_file(lua_State *L, int model, int options)
{
    script_model *m = lua_touserdata(L, model);
    er_import_def import = er_default_import_def();
    import.allow_outside = allows_outside(L, options);
    project_file file;
    script_warner ear = {L, m->path};
    project_listener listener = script_listener(&ear);
    handle *world = script_push_handle(L, destroy_world);
    lua_setiuservalue(L, model, MODEL_WORLD);
    handle *rig_file = script_push_handle(L, destroy_model), *scene = script_push_handle(L, destroy_scene);
    er_result r = project_file_open(script_context(L), m->path, &import, &listener, &file);
    if (file.scene != NULL) project_set_up_axis(file.scene, NULL, &listener);
    rig_file->object = file.model;
    scene->object = file.scene;
    world->object = file.world;
    m->world = file.world != NULL ? world : NULL;
    script_check(L, r);
    if (file.scene != NULL) {
        scene->users = 1;
        m->scene = scene;
        lua_setiuservalue(L, model, MODEL_SCENE);
        lua_pop(L, 1);
    } else {
        m->model = rig_file;
        lua_pop(L, 1);
        lua_setiuservalue(L, model, MODEL_MODEL);
    }
}

// An empty model of the file whose path is on the top of the stack, which stays.
static script_model *push_model(lua_State *L)
{
    script_model *m = lua_newuserdatauv(L, sizeof *m, MODEL_VALUES);
    *m = (script_model){.path = lua_tostring(L, -2)};
    luaL_setmetatable(L, script_model_class.name);
    lua_pushvalue(L, -2);
    lua_setiuservalue(L, -2, MODEL_PATH);
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

// Reads the table at an index over the settings of `s`, without the fields that only load() has. A copy of the table
// stays on the stack.
static void read_options(lua_State *L, int options, rig_settings *s)
{
    reader r = {.L = L, .context = script_context(L)};
    push_merged(L, 0, options);
    for (const char *const *own = (const char *const[]){"rig", "allow_outside", NULL}; *own != NULL; ++own) {
        lua_pushnil(L);
        lua_setfield(L, -2, *own);
    }
    description_read_settings(&r, -1, s);
}

// The description of the model at an index: the one that the field `rig` of its options names, or the one beside the
// file; NULL for none. It stays on the stack.
static const project_description *read_description(lua_State *L, const char *path, int options, int model,
                                                   rig_settings *s)
{
    reader r = {.L = L};
    const project_request asked = {.description = reader_text(&r, options, "rig", NULL),
                                   .allow_outside = allows_outside(L, options)};
    handle *h = script_push_handle(L, close_description);
    project_description *made = NULL;
    er_result read = project_read_description(script_context(L), path, &asked, &made);
    h->object = made;
    script_check(L, read);
    *s = rig_settings_default();
    if (made == NULL) return NULL;
    *s = made->open_description.settings;
    if (s->rig.pose_clip != NULL) s->rig.pose_clip = s->clip;
    lua_pushstring(L, made->path);
    lua_setiuservalue(L, model, MODEL_DESCRIBED);
    return made;
}

static void check_options(lua_State *L, int argument)
{
    if (!lua_isnoneornil(L, argument)) luaL_checktype(L, argument, LUA_TTABLE);
}

// eigenrig.load(path, options)
static int load(lua_State *L)
{
    rig_settings s;
    luaL_checkstring(L, 1);
    check_options(L, 2);
    lua_settop(L, 2);
    lua_pushvalue(L, 1);
    script_model *m = push_model(L);
    lua_replace(L, 3);
    push_merged(L, 0, 2);
    script_pause_gc(L);
    const project_description *described = read_description(L, m->path, 4, 3, &s);
    lua_pushvalue(L, 4);
    lua_setiuservalue(L, 3, MODEL_OPTIONS);
    read_options(L, 4, &s);
    open_file(L, 3, 4);
    if (m->scene == NULL)
        change_rig(L, 3, &s, 0.0, described);
    else
        build_rig(L, 3, 4, &s, described);
    lua_pushvalue(L, 3);
    return 1;
}

// model:build(options): another model of the same file, which is not read again.
int script_model_build(lua_State *L)
{
    script_model *m = script_check_model(L, 1);
    rig_settings s;
    check_options(L, 2);
    lua_settop(L, 2);
    if (m->scene == NULL) return luaL_error(L, "a rig file is a rig already; use change() to change it");
    lua_getiuservalue(L, 1, MODEL_PATH);
    script_model *built = push_model(L);
    lua_replace(L, 3);
    lua_getiuservalue(L, 1, MODEL_OPTIONS);
    push_merged(L, 4, 2);
    script_pause_gc(L);
    m = script_check_model(L, 1);
    const project_description *described = read_description(L, m->path, 5, 3, &s);
    lua_pushvalue(L, 5);
    lua_setiuservalue(L, 3, MODEL_OPTIONS);
    read_options(L, 5, &s);
    lua_getiuservalue(L, 1, MODEL_SCENE);
    lua_setiuservalue(L, 3, MODEL_SCENE);
    built->scene = m->scene;
    ++m->scene->users;
    build_rig(L, 3, 5, &s, described);
    lua_pushvalue(L, 3);
    return 1;
}

// model:change{...}
int script_model_change(lua_State *L)
{
    rig_settings s;
    reader r = {.L = L, .context = script_context(L)};
    script_check_model(L, 1);
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_settop(L, 2);
    script_pause_gc(L);
    s = rig_settings_default();
    description_read_settings(&r, 2, &s);
    change_rig(L, 1, &s, script_check_model(L, 1)->density, NULL);
    lua_pushvalue(L, 1);
    return 1;
}

const luaL_Reg script_model_functions[] = {{"load", load}, {NULL, NULL}};
