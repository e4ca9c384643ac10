// A table's fields to er_rig_def.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sidecar/settings.h"

static const char *const setting_keys[] = {"root",  "joints", "stiffness", "damping",  "rayleigh",      "density",
                                           "mass",  "height", "pose",      "skeleton", "infer_parents", "bodies",
                                           "welds", "mirror", "loops",     NULL};

static const double most = 1e50; // as er_model_create() has it

// "rest", "bind", "CLIP@SECONDS", a pose file, or places of bodies. What is needed of these stays below the top.
static void read_pose(reader *r, sidecar_settings *out)
{
    out->place_count = 0;
    out->pose_file = NULL;
    if (lua_istable(r->L, -1)) {
        sidecar_read_places(r, out);
        out->rig.pose = ER_POSE_GIVEN;
        return;
    }
    const char *text = reader_top_text(r), *at = strrchr(text, '@');
    char *end = NULL;
    if (strcmp(text, "rest") == 0 || strcmp(text, "bind") == 0) {
        out->rig.pose = *text == 'r' ? ER_POSE_REST : ER_POSE_BIND;
        return;
    }
    double time = at != NULL ? strtod(at + 1, &end) : NAN;
    if (at == NULL || end == at + 1 || *end != '\0' || !isfinite(time)) {
        out->rig.pose = ER_POSE_GIVEN;
        out->pose_file = text;
        return;
    }
    if ((size_t)(at - text) >= sizeof out->clip) reader_wrong(r, "a clip's name of %d bytes", (int)(at - text));
    memcpy(out->clip, text, (size_t)(at - text));
    out->clip[at - text] = '\0';
    out->rig.pose = ER_POSE_CLIP;
    out->rig.pose_clip = out->clip;
    out->rig.pose_time = time;
}

static void read_rayleigh(reader *r, sidecar_settings *out)
{
    double *factor[] = {&out->rig.rayleigh_mass, &out->rig.rayleigh_stiffness};
    if (!lua_istable(r->L, -1) || lua_rawlen(r->L, -1) != 2) reader_wrong(r, "expected two numbers: {1/s, s}");
    for (int i = 0; i < 2; ++i) {
        lua_rawgeti(r->L, -1, i + 1);
        *factor[i] = reader_top_number(r, 0.0, most);
        lua_pop(r->L, 1);
    }
}

static bool gives(reader *r, int table, const char *key, unsigned bit, sidecar_settings *out)
{
    bool there = reader_field(r, table, key);
    if (there) out->given |= bit;
    return there;
}

static void read_positive(reader *r, int table, const char *key, unsigned bit, sidecar_settings *out, double *value)
{
    if (!gives(r, table, key, bit, out)) return;
    *value = reader_top_number(r, 0.0, most);
    if (*value == 0.0) reader_wrong(r, "expected a number above 0, not 0");
    reader_done(r);
}

void sidecar_read_settings(reader *r, int table, sidecar_settings *out)
{
    static const char *const roots[] = {"free", "fixed"}, *const joints[] = {"auto", "spherical", "revolute"};
    lua_State *L = r->L;
    table = lua_absindex(L, table);
    reader_check_keys(r, table, setting_keys);
    int root = reader_choice(r, table, "root", roots, 2, -1);
    if (root >= 0) {
        out->given |= SIDECAR_ROOT;
        out->rig.root = root == 1 ? ER_ROOT_FIXED : ER_ROOT_FREE;
    }
    lua_pushstring(L, "joints");
    bool rule = lua_rawget(L, table) == LUA_TSTRING;
    lua_pop(L, 1);
    if (rule) {
        out->given |= SIDECAR_JOINTS;
        out->rig.joints = (er_joint_rule)reader_choice(r, table, "joints", joints, 3, 0); // in the order of the names
    }
    if (gives(r, table, "stiffness", SIDECAR_STIFFNESS, out)) {
        if (er_stiffness_parse(r->context, reader_top_text(r), &out->rig.stiffness) != ER_OK)
            reader_wrong(r, "%s", er_context_error(r->context));
        reader_done(r);
    }
    if (gives(r, table, "damping", SIDECAR_DAMPING, out)) {
        out->rig.damping_ratio = reader_top_number(r, 0.0, most);
        reader_done(r);
    }
    if (gives(r, table, "rayleigh", SIDECAR_RAYLEIGH, out)) {
        read_rayleigh(r, out);
        reader_done(r);
    }
    read_positive(r, table, "density", SIDECAR_DENSITY, out, &out->rig.density);
    read_positive(r, table, "mass", SIDECAR_MASS, out, &out->rig.mass);
    read_positive(r, table, "height", SIDECAR_HEIGHT, out, &out->rig.height);
    if (gives(r, table, "pose", SIDECAR_POSE, out)) {
        read_pose(r, out);
        reader_done(r);
    }
    if (gives(r, table, "skeleton", SIDECAR_SKELETON, out)) {
        out->rig.skeleton = reader_top_text(r);
        reader_done(r);
    }
    if (gives(r, table, "infer_parents", SIDECAR_INFER, out)) reader_done(r);
    out->rig.infer_parents = reader_flag(r, table, "infer_parents", out->rig.infer_parents);
    sidecar_read_change(r, table, out);
}

sidecar_settings sidecar_default_settings(void)
{
    sidecar_settings s = {.rig = er_default_rig_def(), .change = er_default_rig_change()};
    return s;
}

er_result sidecar_change_of(er_context *context, sidecar_settings *s, double density, er_rig_change *out)
{
    static const char *const names[] = {"joints", "density", "height", "pose", "skeleton", "infer_parents"};
    static const unsigned bits[] = {SIDECAR_JOINTS, SIDECAR_DENSITY,  SIDECAR_HEIGHT,
                                    SIDECAR_POSE,   SIDECAR_SKELETON, SIDECAR_INFER};
    for (int i = 0; i < 6; ++i)
        if ((s->given & bits[i]) != 0)
            return er_fail(context, ER_ERROR_ARGUMENT, "%s: says how a model becomes a rig; this one is a rig already",
                           names[i]);
    if ((s->given & SIDECAR_ROOT) != 0 && s->rig.root == ER_ROOT_FREE)
        return er_fail(context, ER_ERROR_ARGUMENT, "root: a rig that is held cannot be let go");
    er_result r = sidecar_set_densities(context, s, density);
    if (r != ER_OK) return r;
    *out = s->change;
    if ((s->given & SIDECAR_STIFFNESS) != 0) out->stiffness = &s->rig.stiffness;
    if ((s->given & SIDECAR_DAMPING) != 0) out->damping_ratio = s->rig.damping_ratio;
    if ((s->given & SIDECAR_RAYLEIGH) != 0) {
        out->rayleigh_mass = s->rig.rayleigh_mass;
        out->rayleigh_stiffness = s->rig.rayleigh_stiffness;
    }
    out->mass = s->rig.mass;
    out->fix_root = (s->given & SIDECAR_ROOT) != 0;
    return ER_OK;
}

er_result sidecar_set_densities(er_context *context, sidecar_settings *s, double density)
{
    for (int i = 0; i < s->change.joint_count; ++i)
        if (s->joint[i].density != 1.0 && !(density > 0.0))
            return er_fail(context, ER_ERROR_ARGUMENT,
                           "joint \"%s\": nobody knows the density of a rig file; give a mass", s->joint[i].pattern);
        else if (s->joint[i].density != 1.0)
            s->joint[i].density /= density;
    for (int i = 0; i < s->change.body_count; ++i)
        if (s->body[i].density != 1.0 && !(density > 0.0))
            return er_fail(context, ER_ERROR_ARGUMENT,
                           "body \"%s\": nobody knows the density of a rig file; give a mass", s->body[i].pattern);
        else if (s->body[i].density != 1.0)
            s->body[i].density /= density;
    return ER_OK;
}
