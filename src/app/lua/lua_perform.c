// Presets in time as clips, and how far presets move their parts: model:perform(name, path, options).
#include "app/lua/lua_inside.h"
#include "app/project/outputs.h"
#include "app/project/project_preset.h"
#include "app/project/target.h"

SCRIPT_DESTROYS(destroy_mix, er_mix_destroy)
SCRIPT_DESTROYS(destroy_moved, er_gait_motion_destroy)
SCRIPT_DESTROYS(destroy_recording, er_recording_destroy)

// A list of the parts of a preset.
static void push_parts(lua_State *L, const project_preset_parts *parts)
{
    lua_createtable(L, parts->count, 0);
    for (int i = 0; i < parts->count; ++i) {
        const er_preset_part *part = &parts->part[i];
        lua_createtable(L, 0, 6);
        script_set_text(L, "part", part->part);
        script_set_text(L, "way", part->way);
        script_set_text(L, "unit", part->degrees ? "degrees" : "%");
        script_set_number(L, "asked", part->asked);
        script_set_number(L, "reached", part->reached);
        if (part->why != NULL) script_set_text(L, "why", part->why);
        lua_rawseti(L, -2, i + 1);
    }
}

static er_recording_def read_def(lua_State *L, int table, const char *name, bool *only_new)
{
    static const char *const keys[] = {"fps", "name", "tolerance", "only_new", NULL};
    reader r = {.L = L};
    er_recording_def def = er_default_recording_def();
    def.name = name;
    if (lua_isnil(L, table)) return def;
    reader_check_keys(&r, table, keys);
    def.fps = reader_number(&r, table, "fps", 1e-3, 1e3, def.fps);
    def.tolerance = reader_number(&r, table, "tolerance", 0.0, 57.0, 0.0) * ER_PI / 180.0;
    def.name = reader_text(&r, table, "name", name);
    *only_new = reader_flag(&r, table, "only_new", false);
    return def;
}

static void write_motion(lua_State *L, const script_model *m, const er_model *model, const er_gait_motion *moved,
                         const er_recording_def *def, bool only_new, const char *path)
{
    er_recording *recording = NULL;
    handle *kept = script_push_handle(L, destroy_recording);
    const project_target *shown = script_push_target(L, model, script_rig_of(m), script_world_of(m))->object;
    script_check(L, er_gait_record(script_context(L), moved, false, &shown->target, def, &recording));
    kept->object = recording;
    script_check(L, project_write_takes(script_context(L), &shown->target, 1, &recording, only_new, path));
}

// model:perform(name, path, {fps=, name=, tolerance=, only_new=}): writes a preset in time; a list of its parts.
// Without a path nothing is written, and mixes are measured too.
int script_model_perform(lua_State *L)
{
    const script_model *m = script_check_model(L, 1);
    const char *name = luaL_checkstring(L, 2), *path = luaL_optstring(L, 3, NULL);
    bool only_new = false, timed = path != NULL || project_preset_is_timed(name);
    lua_settop(L, 4);
    script_pause_gc(L);
    const er_recording_def def = read_def(L, 4, name, &only_new);
    if (path != NULL && !project_holds_clips(project_find_format(path)))
        luaL_error(L, "\"%s\" must end in %s", path, project_format_endings(true));
    script_push_modes(L, 1, 0);
    const script_modes *modes = lua_touserdata(L, -1);
    er_gait_def gait = er_default_gait_def();
    gait.feet = m->feet;
    gait.forward = m->forward;
    script_warner ear = {L, m->path};
    project_listener listener = script_listener(&ear);
    project_preset_parts parts;
    er_gait_motion *moved = NULL;
    er_mix *mix = NULL;
    handle *h = script_push_handle(L, timed ? destroy_moved : destroy_mix);
    if (timed)
        script_check(L, project_move_preset(script_context(L), modes->model, script_rig_of(m), modes->modes->object,
                                            &gait, name, def.fps, &listener, &parts, &moved));
    else
        script_check(L, project_make_preset(script_context(L), modes->model, script_rig_of(m), modes->modes->object,
                                            &gait, name, &listener, NULL, &parts, &mix));
    h->object = timed ? (void *)moved : (void *)mix;
    if (path != NULL) write_motion(L, m, modes->model, moved, &def, only_new, path);
    push_parts(L, &parts);
    return 1;
}
