// Follow-through of clips: model:follow(path, {parts=, ...}).
#include "app/lua/lua_inside.h"
#include "app/project/outputs.h"
#include "app/project/project_follow.h"
#include "app/project/target.h"

SCRIPT_DESTROYS(clear_follow, project_follow_clear)

static void clear_spring_bones(er_spring_bones **bones)
{
    er_spring_bones_destroy(*bones);
}

static project_follow_def read_def(lua_State *L, reader *r, int table, const script_model *m)
{
    static const char *const keys[] = {"parts",    "clip",     "looseness",    "bounce", "weight",    "amount",
                                       "rest",     "gravity",  "feet",         "fps",    "tolerance", "name",
                                       "only_new", "progress", "spring_bones", "check",  NULL};
    static const char *const rests[] = {"clip", "pose"};
    project_follow_def def = project_default_follow_def();
    reader_check_keys(r, table, keys);
    def.parts = reader_text(r, table, "parts", NULL);
    if (def.parts == NULL) luaL_error(L, "parts: name what is loose, as in \"tail,ears\"");
    def.clip = reader_text(r, table, "clip", NULL);
    def.only_new = reader_flag(r, table, "only_new", false);
    def.follow.hz = reader_number(r, table, "looseness", 1e-6, 1e6, 0.0);
    double bounce = reader_number(r, table, "bounce", 0.0, 0.999, -1.0);
    def.own_bounce = bounce < 0.0;
    if (bounce >= 0.0) def.follow.bounce = bounce;
    def.follow.weight = reader_number(r, table, "weight", 0.0, 10.0, def.follow.weight);
    def.follow.amount = reader_number(r, table, "amount", 0.0, 10.0, def.follow.amount);
    def.follow.rest_pose = reader_choice(r, table, "rest", rests, 2, 0) == 1;
    def.body.gravity = reader_number(r, table, "gravity", 0.0, 1e6, def.body.gravity);
    def.body.feet = reader_text(r, table, "feet", m->feet);
    def.body.forward = m->forward;
    def.check = reader_flag(r, table, "check", false);
    def.recording.fps = reader_number(r, table, "fps", 1e-3, 1e5, def.recording.fps);
    def.recording.tolerance = reader_number(r, table, "tolerance", 0.0, 57.0, 0.0) * ER_PI / 180.0;
    def.recording.name = reader_text(r, table, "name", "");
    return def;
}

static void push_part(lua_State *L, const er_model *model, const char *clip, bool loops, const er_follow_part *part)
{
    lua_createtable(L, 0, 10);
    script_set_text(L, "clip", clip);
    script_set_flag(L, "loops", loops);
    script_set_text(L, "body", model->body[part->body].name);
    script_set_integer(L, "bodies", part->body_count);
    script_set_number(L, "hz", part->hz);
    script_set_number(L, "damping", part->zeta);
    script_set_number(L, "swing", part->swing * 180.0 / ER_PI);
    script_set_flag(L, "exact", part->exact);
    script_set_number(L, "correction", part->correction);
}

SCRIPT_DESTROYS(clear_springs, clear_spring_bones)

// Writes spring bones instead of clips: a list of the parts.
static int write_springs(lua_State *L, const script_model *m, const project_follow_def *def, const char *path)
{
    const project_format *format = project_find_format(path);
    if (format->scene != er_gltf_write)
        luaL_error(L, "\"%s\" cannot hold spring bones: write .glb, .gltf or .vrm", path);
    er_context *context = script_context(L);
    script_warner ear = {L, m->path};
    project_listener listener = script_listener(&ear);
    const er_model *model = script_model_of(m);
    er_spring_bones **bones = script_push_room(L, sizeof *bones, clear_springs);
    script_check(L, project_fit_springs(context, model, script_rig_of(m), def, &listener, bones));
    const project_target *shown = script_push_target(L, model, script_rig_of(m), script_world_of(m))->object;
    script_check(L, project_write_springs(context, &shown->target, *bones, def->only_new, path));
    lua_newtable(L);
    for (int i = 0; i < (*bones)->fit_count; ++i) {
        const er_spring_fit *fit = &(*bones)->fit[i];
        lua_createtable(L, 0, 7);
        script_set_text(L, "body", model->body[fit->body].name);
        script_set_number(L, "hz", fit->hz);
        script_set_number(L, "damping", fit->zeta);
        script_set_number(L, "rule_hz", fit->rule_hz);
        script_set_number(L, "rule_damping", fit->rule_zeta);
        script_set_number(L, "shape", fit->shape);
        script_set_number(L, "across_hz", fit->across_hz);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

// model:follow(path, {parts=, clip=, ...}): a list of the parts of each clip
int script_model_follow(lua_State *L)
{
    const script_model *m = script_check_model(L, 1);
    const char *path = luaL_checkstring(L, 2);
    luaL_checktype(L, 3, LUA_TTABLE);
    lua_settop(L, 3);
    script_pause_gc(L);
    const project_format *format = project_find_format(path);
    if (!project_holds_clips(format)) luaL_error(L, "\"%s\" must end in %s", path, project_format_endings(true));
    reader r = {.L = L};
    const project_follow_def def = read_def(L, &r, 3, m);
    if (reader_flag(&r, 3, "spring_bones", false)) return write_springs(L, m, &def, path);
    er_context *context = script_context(L);
    script_warner ear = {L, m->path};
    project_listener listener = script_listener(&ear);
    const er_model *model = script_model_of(m);
    project_follow *done = script_push_room(L, sizeof *done, clear_follow);
    script_progress watch = script_progress_begin(L, script_read_progress(&r, 3));
    const project_progress progress = {script_progress_step, &watch};
    er_result result = project_follow_clips(context, model, script_rig_of(m), &def, &listener, &progress, done);
    script_progress_end(&watch, result);
    const project_target *shown = script_push_target(L, model, script_rig_of(m), script_world_of(m))->object;
    script_check(L, project_write_takes(context, &shown->target, done->count, done->recording, def.only_new, path));
    lua_newtable(L);
    for (int i = 0, n = 0; i < done->count; ++i)
        for (int p = 0; p < done->follow[i]->part_count; ++p) {
            push_part(L, model, done->recording[i]->clip.name, done->follow[i]->repeats, &done->follow[i]->part[p]);
            if (done->off != NULL) {
                script_set_number(L, "off", done->off[i][p].angle * 180.0 / ER_PI);
                script_set_integer(L, "cycles", done->cycles[i]);
            }
            lua_rawseti(L, -2, ++n);
        }
    return 1;
}
