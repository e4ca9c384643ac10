// model:render(): pictures, sheets, strips and films; and the module with it.
#include "viewer/render/lua.h"

#include <string.h>

#include "app/lua/lua_inside.h"
#include "app/lua/script.h"
#include "app/project/target.h"
#include "viewer/render/film.h"
#include "viewer/render/render.h"

static const double degree = ER_PI / 180.0;

enum { AT_REST = 1, OF_MODE = 2, OF_MIX = 4, OF_SHEET = 8, OF_GAIT = 16, OF_STRIP = 32, STILL = 64, FILM = 128 };
enum { OF_TIME = OF_MODE | OF_MIX | OF_GAIT, OF_VIEW = AT_REST | OF_TIME | OF_SHEET, OF_ALL = OF_VIEW | OF_STRIP };

// ---- options

static unsigned kind_of(render_what what)
{
    static const unsigned kinds[RENDER_WHAT_COUNT] = {
        [RENDER_REST] = AT_REST,   [RENDER_MODE] = OF_MODE, [RENDER_MIX] = OF_MIX,
        [RENDER_SHEET] = OF_SHEET, [RENDER_GAIT] = OF_GAIT, [RENDER_STRIP] = OF_STRIP};
    return kinds[what];
}

// Refuses options that have no meaning for what is drawn.
static void check_options(reader *r, int table, unsigned kind)
{
    static const struct {
        const char *key;
        unsigned of, as;
    } known[] = {{"size", OF_VIEW, STILL | FILM},
                 {"view", OF_VIEW, STILL | FILM},
                 {"show", OF_ALL, STILL | FILM},
                 {"surface", OF_ALL, STILL | FILM},
                 {"theme", OF_ALL, STILL | FILM},
                 {"transparent", OF_VIEW, STILL | FILM},
                 {"fps", OF_VIEW, FILM},
                 {"duration", OF_VIEW, FILM},
                 {"progress", OF_VIEW, FILM},
                 {"amplitude", OF_MODE | OF_SHEET, STILL | FILM},
                 {"time", OF_MIX | OF_GAIT, STILL},
                 {"plant", OF_MIX, STILL | FILM},
                 {"phase", OF_MODE | OF_SHEET, STILL | FILM},
                 {"count", OF_SHEET, STILL | FILM},
                 {"ghosts", OF_TIME, STILL | FILM},
                 {"title", OF_SHEET | OF_STRIP, STILL | FILM}};
    const char *keys[sizeof known / sizeof known[0] + 1];
    int count = 0;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i)
        if ((known[i].of & kind) != 0 && (known[i].as & kind) != 0) keys[count++] = known[i].key;
    keys[count] = NULL;
    reader_check_keys(r, table, keys);
}

static void read_size(reader *r, int table, render_def *def)
{
    int *side[] = {&def->width, &def->height};
    if (!reader_field(r, table, "size")) return;
    if (!lua_istable(r->L, -1) || lua_rawlen(r->L, -1) != 2) reader_wrong(r, "expected {width, height} in pixels");
    for (int i = 0; i < 2; ++i) {
        lua_rawgeti(r->L, -1, i + 1);
        *side[i] = (int)reader_top_number(r, 16, 8192);
        lua_pop(r->L, 1);
    }
    reader_done(r);
}

// A name, or {yaw, pitch} in degrees.
static void read_view(reader *r, int table, render_def *def)
{
    const char *names[RENDER_VIEW_GIVEN];
    if (!reader_field(r, table, "view")) return;
    if (lua_istable(r->L, -1) && lua_rawlen(r->L, -1) == 2) {
        def->view = RENDER_VIEW_GIVEN;
        lua_rawgeti(r->L, -1, 1);
        def->yaw = degree * reader_top_number(r, -1e6, 1e6);
        lua_rawgeti(r->L, -2, 2);
        def->pitch = degree * reader_top_number(r, -90.0, 90.0);
        lua_pop(r->L, 2);
        reader_done(r);
        return;
    }
    reader_done(r);
    for (render_view view = 0; view < RENDER_VIEW_GIVEN; ++view)
        names[view] = render_view_name(view);
    def->view = (render_view)reader_choice(r, table, "view", names, RENDER_VIEW_GIVEN, 0);
}

static void read_style(reader *r, int table, render_def *def)
{
    static const char *const shows[] = {"mesh", "joints", "both"}, *const themes[] = {"light", "dark"},
                             *const surfaces[] = {"shaded", "wireframe", "points"}; // in the order of draw_surface
    int show = reader_choice(r, table, "show", shows, 3, 0);
    def->mesh = show != 1;
    def->skeleton = show != 0;
    def->surface = (draw_surface)reader_choice(r, table, "surface", surfaces, 3, 0);
    def->dark = reader_choice(r, table, "theme", themes, 2, 0) == 1;
    def->transparent = reader_flag(r, table, "transparent", false);
}

// The callback's place on the stack, 0 for none. Texts are borrowed from the table.
static int read_options(lua_State *L, int table, const char *path, render_def *def, const char **plant)
{
    reader r = {.L = L};
    bool phased = false;
    int callback = 0;
    if (!lua_isnil(L, table)) {
        check_options(&r, table, kind_of(def->what) | (film_is_path(path) ? FILM : STILL));
        read_size(&r, table, def);
        read_view(&r, table, def);
        read_style(&r, table, def);
        def->degrees = reader_number(&r, table, "amplitude", 1e-6, 180.0, def->degrees);
        def->time = reader_number(&r, table, "time", -1e5, 1e5, 0.0);
        def->count = reader_whole(&r, table, "count", 1, 400, def->count);
        def->fps = reader_number(&r, table, "fps", 1e-3, 1000.0, def->fps);
        def->duration = reader_number(&r, table, "duration", 0.0, 1000.0, 0.0);
        def->ghosts = reader_flag(&r, table, "ghosts", false);
        def->title = reader_text(&r, table, "title", NULL);
        if (reader_field(&r, table, "plant")) {
            *plant = reader_top_names(&r);
            reader_leave(&r); // names stay
        }
        phased = reader_field(&r, table, "phase");
        if (phased) reader_done(&r);
        def->phase = degree * reader_number(&r, table, "phase", -1e6, 1e6, 0.0);
        callback = script_read_progress(&r, table);
    }
    if (!phased) def->phase = render_default_phase(def, path);
    return callback;
}

// Gaits of this model, or one of them; their motions stay on the stack.
static const er_modes *read_gaits(lua_State *L, int value, render_def *def)
{
    enum { STRIP_FPS = 60, A_STRIDE = 240 };
    script_gaits *of;
    bool all = luaL_testudata(L, value, script_gaits_class.name) != NULL;
    const er_gait *one = all ? NULL : script_check_gait(L, value, &of);
    def->gaits = all ? script_check_gaits(L, value, &of) : of->gaits->object;
    def->what = all ? RENDER_STRIP : RENDER_GAIT;
    if (of->modes->model != script_model_of(script_check_model(L, 1)))
        luaL_error(L, "the gaits are of another model, or the model changed; search again");
    luaL_argcheck(L, def->gaits->count > 0, value, "there is no gait to draw");
    def->motion = all ? script_push_gait_motions(L, of, 0, def->gaits->count, STRIP_FPS)
                      : script_push_gait_motions(L, of, (int)(one - def->gaits->gait), 1, A_STRIDE * one->hz);
    return of->modes->modes->object;
}

// The value at an index: nil, a mode or its index, "sheet", gaits or one of them, or a mix, which stays on the stack.
// @return  the modes that it brings along, NULL for none
static const er_modes *read_what(lua_State *L, int value, render_def *def)
{
    script_modes *of;
    const char *word = lua_type(L, value) == LUA_TSTRING ? lua_tostring(L, value) : "";
    if (lua_isnil(L, value))
        def->what = RENDER_REST;
    else if (strcmp(word, "sheet") == 0)
        def->what = RENDER_SHEET;
    else if (lua_type(L, value) == LUA_TNUMBER) {
        lua_Integer index = luaL_checkinteger(L, value);
        luaL_argcheck(L, index >= 0 && index < 1000000000, value, "no mode has this index");
        def->what = RENDER_MODE;
        def->mode = (int)index;
    } else if (luaL_testudata(L, value, script_mode_class.name) != NULL) {
        def->what = RENDER_MODE;
        const er_mode *mode = script_check_mode(L, value, &of);
        const er_modes *modes = of->modes->object;
        def->mode = er_modes_index(modes, mode);
    } else if (luaL_testudata(L, value, script_gaits_class.name) != NULL ||
               luaL_testudata(L, value, script_gait_class.name) != NULL) {
        return read_gaits(L, value, def);
    } else {
        script_push_mix(L, 1, value);
        def->what = RENDER_MIX;
        def->mix = script_check_mix(L, -1);
    }
    return NULL;
}

// ---- drawing

// As many modes as are drawn.
static const er_modes *push_modes_for(lua_State *L, const render_def *def)
{
    script_push_modes(L, 1, def->what == RENDER_MODE ? def->mode + 1 : def->what == RENDER_SHEET ? def->count : 0);
    return ((script_modes *)lua_touserdata(L, -1))->modes->object;
}

static void push_report(lua_State *L, const render_report *report)
{
    static const char *const name[] = {"width", "height", "frames", "cells"};
    const int value[] = {report->width, report->height, report->frames, report->cells};
    lua_createtable(L, 0, 5);
    for (int i = 0; i < 4; ++i) {
        lua_pushinteger(L, value[i]);
        lua_setfield(L, -2, name[i]);
    }
    lua_pushnumber(L, report->duration);
    lua_setfield(L, -2, "duration");
}

// model:render(path, what, options)
static int model_render(lua_State *L)
{
    char subtitle[256];
    render_def def = render_default_def();
    def.degrees = 0.0;
    render_report report;
    const char *path = luaL_checkstring(L, 2);
    script_check_model(L, 1);
    lua_settop(L, 4);
    script_pause_gc(L);
    const er_modes *modes = read_what(L, 3, &def);
    const char *plant = NULL;
    int callback = read_options(L, 4, path, &def, &plant);
    script_check(L, render_check_path(script_context(L), &def, path));
    if (modes == NULL && def.what != RENDER_REST) modes = push_modes_for(L, &def);
    if (def.what == RENDER_SHEET) def.names = script_mode_names(L, -1);
    const script_model *m = script_check_model(L, 1);
    const er_model *model = script_model_of(m);
    if (def.degrees == 0.0 && (def.what == RENDER_SHEET || def.what == RENDER_MODE))
        def.bound = script_push_bounds(L, model, script_rig_of(m), modes);
    const project_plants *plants = script_push_plants(L, m, plant, NULL);
    def.plant = plants->hold;
    def.plant_count = plants->count;
    const project_target *shown = script_push_target(L, model, script_rig_of(m), script_world_of(m))->object;
    er_context *context = script_context(L);
    render_subtitle(model, m->rig != NULL ? m->rig->object : NULL, m->has_law ? &m->law : NULL, subtitle);
    def.subtitle = subtitle;
    const render_subject subject = {&shown->target, model, modes};
    script_progress watch = script_progress_begin(L, callback);
    def.progress = script_progress_step;
    def.user = &watch;
    er_result r = render_write(context, &subject, &def, path, &report);
    script_progress_end(&watch, r);
    script_warner ear = {L, m->path};
    project_listener listener = script_listener(&ear);
    render_warn(&def, &report, &listener);
    push_report(L, &report);
    return 1;
}

// ---- the module

static const luaL_Reg model_methods[] = {{"render", model_render}, {NULL, NULL}};

__attribute__((visibility("default"))) int luaopen_eigenrig(lua_State *L)
{
    script_open(L);
    script_add_methods(L, &script_model_class, model_methods);
    return 1;
}
