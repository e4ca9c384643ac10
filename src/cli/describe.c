// A model's description in Lua: beside it, or named by --rig. The command line wins over it.
#include <string.h>

#include "cli/cli.h"

static unsigned given_bits(const options *o)
{
    unsigned bits = 0;
    for (unsigned i = 0; i <= GIVEN_POSE; ++i) // in the order of SCRIPT_ROOT and so on
        bits |= o->rig_given[i] ? 1u << i : 0u;
    return bits | (o->rig.skeleton != NULL ? SCRIPT_SKELETON : 0u) | (o->rig.infer_parents ? SCRIPT_INFER : 0u);
}

static void take_pose(options *o, const script_settings *s)
{
    o->rig.pose = s->rig.pose;
    o->rig.pose_clip = s->rig.pose_clip;
    o->rig.pose_time = s->rig.pose_time;
    o->pose_file = s->pose_file;
}

// What the description says and the command line does not.
static void lay_under(options *o, const script_settings *s)
{
    unsigned bits = s->given & ~given_bits(o);
    const er_rig_def *rig = &s->rig;
    if ((bits & SCRIPT_ROOT) != 0) o->rig.root = rig->root;
    if ((bits & SCRIPT_JOINTS) != 0) o->rig.joints = rig->joints;
    if ((bits & SCRIPT_STIFFNESS) != 0) o->rig.stiffness = rig->stiffness;
    if ((bits & SCRIPT_DAMPING) != 0) o->rig.damping_ratio = rig->damping_ratio;
    if ((bits & SCRIPT_RAYLEIGH) != 0) o->rig.rayleigh_mass = rig->rayleigh_mass;
    if ((bits & SCRIPT_RAYLEIGH) != 0) o->rig.rayleigh_stiffness = rig->rayleigh_stiffness;
    if ((bits & SCRIPT_DENSITY) != 0) o->rig.density = rig->density;
    if ((bits & SCRIPT_MASS) != 0) o->rig.mass = rig->mass;
    if ((bits & SCRIPT_HEIGHT) != 0) o->rig.height = rig->height;
    if ((bits & SCRIPT_POSE) != 0) take_pose(o, s);
    if ((bits & SCRIPT_SKELETON) != 0) o->rig.skeleton = rig->skeleton;
    if ((bits & SCRIPT_INFER) != 0) o->rig.infer_parents = rig->infer_parents;
    for (unsigned i = 0; i <= GIVEN_POSE; ++i)
        o->rig_given[i] |= (bits >> i & 1u) != 0;
}

int open_description(er_context *context, options *o, bool is_rig, script_sidecar *out)
{
    *out = (script_sidecar){0};
    if (o->description == NULL && strcmp(o->model, "-") != 0 &&
        script_find_sidecar(o->model, o->beside, sizeof o->beside)) {
        o->description = o->beside;
        if (!o->quiet) say("%s: described by %s", o->model, o->beside);
    }
    if (o->description == NULL || strcmp(o->description, "none") == 0) return EXIT_DONE;
    er_result r = script_open_sidecar(context, o->description, out);
    if (r != ER_OK) return fail_work(context, r, o->description);
    lay_under(o, &out->settings);
    r = script_set_densities(context, &out->settings, is_rig ? 0.0 : o->rig.density);
    return r == ER_OK ? EXIT_DONE : fail_work(context, r, o->description);
}
