// Writes a rig as a description that a person can correct.
#include "app/project/write_description.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <eigenrig/formats.h>

#include "app/project/explain_parent.h"
#include "base/failure.h"
#include "base/platform.h"

// A text as a literal of Lua: quotes, backslashes and control characters are escaped.
static void put_text(FILE *f, const char *text)
{
    fputc('"', f);
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; ++c)
        if (*c == '"' || *c == '\\')
            fprintf(f, "\\%c", *c);
        else if (*c < 32 || *c == 127)
            fprintf(f, "\\%03u", (unsigned)*c);
        else
            fputc(*c, f);
    fputc('"', f);
}

const char *project_node_name(const er_scene *scene, int node, char own[PROJECT_NODE_NAME])
{
    snprintf(own, PROJECT_NODE_NAME, "node %d", node);
    return scene->node[node].name[0] != '\0' ? scene->node[node].name : own;
}

static int bones_called(const er_rig *rig, const char *name)
{
    int count = 0;
    char own[PROJECT_NODE_NAME];
    for (int i = 0; i < rig->scene->node_count; ++i)
        count += rig->bone[i] && strcmp(project_node_name(rig->scene, i, own), name) == 0;
    return count;
}

bool project_list_props(const er_scene *scene, const bool *prop, char *out, size_t size)
{
    size_t used = 0;
    bool told = true;
    for (int i = 0; i < scene->node_count; ++i) {
        const char *name = scene->node[i].name;
        if (!prop[i]) continue;
        told &= *name != '\0' && strchr(name, ',') == NULL && used + 2 * strlen(name) + 2 < size;
        if (!told) return false;
        if (used > 0) out[used++] = ',';
        for (const char *c = name; *c != '\0'; ++c) {
            if (strchr("*?[\\", *c) != NULL) out[used++] = '\\';
            out[used++] = *c;
        }
    }
    out[used] = '\0';
    if (used == 0) snprintf(out, size, "none");
    return true;
}

static void put_setting(FILE *f, const char *key, double value)
{
    fprintf(f, "    %s = %.17g,\n", key, value);
}

// The path of the pose file relative to the description's folder; false if it is not below it.
static bool find_pose_file(const project_request *request, const char *path, char *out, size_t size)
{
    char *file = eri_platform_real_path(request->pose_file, NULL), folder[ER_FILE_NAME_MAX];
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash != NULL ? (int)(slash - path) : 1, slash != NULL ? path : ".");
    char *whole = eri_platform_real_path(*folder != '\0' ? folder : "/", NULL);
    size_t n = whole != NULL ? strlen(whole) : 0;
    bool below = file != NULL && n > 0 && strncmp(file, whole, n) == 0 && (file[n] == '/' || n == 1);
    if (below) snprintf(out, size, "%s", file + n + (n > 1));
    free(whole);
    free(file);
    return below;
}

static void put_word(FILE *f, const char *key, const char *text)
{
    fprintf(f, "    %s = ", key);
    put_text(f, text);
    fputs(",\n", f);
}

static void put_pose(FILE *f, const project_request *request, const char *path)
{
    const er_rig_def *d = &request->rig;
    char text[ER_FILE_NAME_MAX];
    if (d->pose == ER_POSE_CLIP)
        snprintf(text, sizeof text, "%s@%.17g", d->pose_clip, d->pose_time);
    else if (request->pose_file == NULL || !find_pose_file(request, path, text, sizeof text))
        snprintf(text, sizeof text, "%s", d->pose == ER_POSE_BIND ? "bind" : "rest");
    put_word(f, "pose", text);
}

// The requested settings.
static void put_settings(FILE *f, const project_request *request, const char *path)
{
    const er_rig_def *d = &request->rig;
    unsigned given = request->given;
    if ((given & GIVEN_ROOT) != 0) fprintf(f, "    root = \"%s\",\n", d->root == ER_ROOT_FIXED ? "fixed" : "free");
    if ((given & GIVEN_STIFFNESS) != 0 && d->stiffness.uniform)
        fprintf(f, "    stiffness = \"uniform:%.17g\",\n", d->stiffness.k);
    else if ((given & GIVEN_STIFFNESS) != 0)
        fprintf(f, "    stiffness = \"graded:%.17g:%.17g\",\n", d->stiffness.hz, d->stiffness.alpha);
    if ((given & GIVEN_DAMPING) != 0) put_setting(f, "damping", d->damping_ratio);
    if ((given & GIVEN_RAYLEIGH) != 0)
        fprintf(f, "    rayleigh = {%.17g, %.17g},\n", d->rayleigh_mass, d->rayleigh_stiffness);
    if ((given & GIVEN_DENSITY) != 0) put_setting(f, "density", d->density);
    if ((given & GIVEN_MASS) != 0) put_setting(f, "mass", d->mass);
    if ((given & GIVEN_HEIGHT) != 0) put_setting(f, "height", d->height);
    if ((given & GIVEN_POSE) != 0) put_pose(f, request, path);
    if ((given & GIVEN_SKELETON) != 0) put_word(f, "skeleton", d->skeleton);
    if ((given & GIVEN_CHARACTER) != 0) put_word(f, "character", d->character);
    if ((given & GIVEN_FEET) != 0) put_word(f, "feet", request->feet);
    if ((given & GIVEN_PLANT) != 0) put_word(f, "plant", request->plant);
    if ((given & GIVEN_FORWARD) != 0)
        fprintf(f, "    forward = {%.17g, %.17g, %.17g},\n", request->forward.x, request->forward.y,
                request->forward.z);
    if ((given & GIVEN_SYMMETRIZE) != 0) fprintf(f, "    symmetrize = %s,\n", d->symmetrize ? "true" : "false");
    if ((given & GIVEN_TUNE) != 0) put_word(f, "tune", request->tune);
    if ((given & GIVEN_INFER) != 0) fprintf(f, "    infer_parents = %s,\n", d->infer_parents ? "true" : "false");
}

static void put_hang(FILE *f, bool told, const char *name, const char *on)
{
    fputs(told ? "        [" : "        -- [", f);
    put_text(f, name);
    fputs("] = ", f);
    if (on != NULL)
        put_text(f, on);
    else
        fputs("false", f);
}

// Bones that are not bodies, if their parent was given.
static void put_said(FILE *f, const er_rig *rig)
{
    for (int i = 0; i < rig->scene->node_count; ++i) {
        const er_attachment *attachment = &rig->attachment[i];
        char own[2][PROJECT_NODE_NAME];
        if (attachment->evidence != ER_EVIDENCE_GIVEN || rig->role[i] == ER_ROLE_BODY) continue;
        put_hang(f, true, project_node_name(rig->scene, i, own[0]),
                 attachment->parent >= 0 ? project_node_name(rig->scene, attachment->parent, own[1]) : NULL);
        fputs(", -- one with a body\n", f);
    }
}

static void put_bodies(FILE *f, const er_rig *rig, const er_model *masses)
{
    const er_model *m = rig->model;
    fputs("    -- what each body hangs on: a bone's name, or false where it is a root\n    hang = {\n", f);
    for (int b = 0; b < m->body_count; ++b) {
        int up = m->tree_parent[b];
        const char *name = m->body[b].name, *on = up >= 0 ? m->body[up].name : NULL;
        bool root = up < 0 && rig->attachment[rig->body_node[b]].evidence != ER_EVIDENCE_GIVEN;
        bool told = !root && bones_called(rig, name) == 1 && (on == NULL || bones_called(rig, on) == 1);
        char why[300];
        put_hang(f, told, name, on);
        project_explain_parent(rig, rig->body_node[b], why, sizeof why);
        fprintf(f, ", -- %.4g kg%s%s%s\n", masses->body[b].mass, *why != '\0' ? "; " : "", why,
                up < 0  ? "; a root"
                : !told ? "; several bones share a name, so nothing is said"
                        : "");
    }
    put_said(f, rig);
    fputs("    },\n", f);
}

// --- single joints and bodies, and loops

static void put_number(FILE *f, double value)
{
    if (isinf(value))
        fputs(value > 0.0 ? "1/0" : "-1/0", f);
    else
        fprintf(f, "%.17g", value);
}

static void put_vector(FILE *f, const char *key, er_vec3 v)
{
    fprintf(f, ", %s = {%.17g, %.17g, %.17g}", key, v.x, v.y, v.z);
}

static const char *const coordinates[] = {"tx", "ty", "tz", "x", "y", "z"};

static void put_values(FILE *f, const char *key, const double value[6])
{
    const char *between = "";
    for (int i = 0; i < 6; ++i) {
        if (isnan(value[i])) continue;
        if (*between == '\0') fprintf(f, ", %s = {", key);
        fprintf(f, "%s%s = %.17g", between, coordinates[i], value[i]);
        between = ", ";
    }
    if (*between != '\0') fputc('}', f);
}

static void put_limits(FILE *f, const double limit[6][2])
{
    const char *between = "";
    for (int i = 0; i < 6; ++i) {
        double unit = i < 3 ? 180.0 / ER_PI : 1.0;
        if (isnan(limit[i][0])) continue;
        fprintf(f, "%s%s = {", *between == '\0' ? ", limits = {" : between, coordinates[i]);
        put_number(f, unit * limit[i][0]);
        fputs(", ", f);
        put_number(f, unit * limit[i][1]);
        fputc('}', f);
        between = ", ";
    }
    if (*between != '\0') fputc('}', f);
}

static void put_ball_limits(FILE *f, const er_joint_change *j)
{
    const double degrees = 180.0 / ER_PI;
    if (!isnan(j->swing)) {
        fputs(", swing = ", f);
        put_number(f, degrees * j->swing);
    }
    if (isnan(j->twist[0])) return;
    fputs(", twist = {", f);
    put_number(f, degrees * j->twist[0]);
    fputs(", ", f);
    put_number(f, degrees * j->twist[1]);
    fputc('}', f);
}

static void put_pattern(FILE *f, const char *pattern)
{
    fputs("        {pattern = ", f);
    put_text(f, pattern);
}

static void put_weight(FILE *f, double mass, double density)
{
    if (mass != 0.0) fprintf(f, ", mass = %.17g", mass);
    if (density != 1.0) fprintf(f, ", density = %.17g", density);
}

static void put_optional(FILE *f, bool optional)
{
    if (optional) fputs(", optional = true", f);
}

// @param remark  NULL: none
static void put_joint(FILE *f, const er_joint_change *j, double density, const char *remark)
{
    put_pattern(f, j->pattern);
    if (j->type >= 0) fprintf(f, ", type = \"%s\"", er_joint_type_name((er_joint_type)j->type));
    if (!isnan(j->pitch)) fprintf(f, ", pitch = %.17g", j->pitch);
    if (er_v3_norm(j->axis) > 0.0) put_vector(f, "axis", j->axis);
    if (j->hz > 0.0) fprintf(f, ", hz = %.17g", j->hz);
    put_values(f, "stiffness", j->spring);
    put_values(f, "damping", j->damper);
    if (j->damping_ratio >= 0.0) fprintf(f, ", damping_ratio = %.17g", j->damping_ratio);
    put_limits(f, j->limit);
    put_ball_limits(f, j);
    put_weight(f, j->mass, j->density == 1.0 ? 1.0 : j->density * density);
    put_optional(f, j->optional);
    fputs("},", f);
    if (remark != NULL) fprintf(f, " -- %s", remark);
    fputs("\n", f);
}

static bool is_weld(const er_joint_change *j)
{
    bool more = j->optional || er_v3_norm(j->axis) > 0.0 || j->hz > 0.0 || j->damping_ratio >= 0.0 || j->mass != 0.0 ||
                j->density != 1.0 || !isnan(j->swing) || !isnan(j->twist[0]);
    for (int i = 0; i < 6; ++i)
        more |= !isnan(j->spring[i]) || !isnan(j->damper[i]) || !isnan(j->limit[i][0]);
    return j->type == ER_JOINT_FIXED && !more;
}

// The number of joints before the welds at the end: those are a list of their own, read after the joints.
static int count_tuned(const er_rig_change *change)
{
    int count = change->joint_count;
    while (count > 0 && is_weld(&change->joint[count - 1]))
        --count;
    return count;
}

// The rule for all joints, changes of single joints, or both.
// @param learnt  whose joints they are; NULL: given
static void put_joints(FILE *f, const char *rule, const er_rig_change *change, double density,
                       const project_learnt *learnt)
{
    int tuned = count_tuned(change);
    if (tuned == 0 && rule != NULL) fprintf(f, "    joints = \"%s\",\n", rule);
    if (tuned > 0) fputs("    joints = {\n", f);
    if (tuned > 0 && rule != NULL) fprintf(f, "        \"%s\",\n", rule);
    for (int i = 0; i < tuned; ++i)
        put_joint(f, &change->joint[i], density, learnt != NULL ? learnt->remark[i] : NULL);
    if (tuned > 0) fputs("    },\n", f);
    for (int i = tuned; i < change->joint_count; ++i) {
        fputs(i == tuned ? "    welds = {" : ", ", f);
        put_text(f, change->joint[i].pattern);
    }
    if (tuned < change->joint_count) fputs("},\n", f);
}

static void put_masses(FILE *f, const er_rig_change *change, double density)
{
    if (change->body_count > 0) fputs("    bodies = {\n", f);
    for (int i = 0; i < change->body_count; ++i) {
        const er_body_change *b = &change->body[i];
        put_pattern(f, b->pattern);
        put_weight(f, b->mass, b->density == 1.0 ? 1.0 : b->density * density);
        put_optional(f, b->optional);
        fputs("},\n", f);
    }
    if (change->body_count > 0) fputs("    },\n", f);
}

static void put_twins(FILE *f, const er_rig_change *change)
{
    for (int i = 0; i < change->pair_count; ++i) {
        fputs(i == 0 ? "    mirror = {{" : ", {", f);
        put_text(f, change->pair[i].left);
        fputs(", ", f);
        put_text(f, change->pair[i].right);
        fputc('}', f);
    }
    if (change->pair_count > 0) fputs("},\n", f);
}

static void put_name(FILE *f, const char *key, const char *name)
{
    if (name == NULL) return;
    fprintf(f, ", %s = ", key);
    put_text(f, name);
}

static void put_loops(FILE *f, const er_rig_change *change)
{
    if (change->loop_count > 0) fputs("    loops = {\n", f);
    for (int i = 0; i < change->loop_count; ++i) {
        const er_loop_joint *l = &change->loop[i];
        fputs("        {child = ", f);
        put_text(f, l->child);
        put_name(f, "parent", l->parent);
        put_name(f, "name", l->name);
        fprintf(f, ", type = \"%s\"", er_joint_type_name(l->type));
        if (l->at_body != NULL)
            put_name(f, "at", l->at_body);
        else
            put_vector(f, "at", l->at);
        if (er_v3_norm(l->axis) > 0.0) put_vector(f, "axis", l->axis);
        if (l->stiffness > 0.0) fprintf(f, ", stiffness = %.17g", l->stiffness);
        if (l->pitch != 0.0) fprintf(f, ", pitch = %.17g", l->pitch);
        put_optional(f, l->optional);
        fputs("},\n", f);
    }
    if (change->loop_count > 0) fputs("    },\n", f);
}

static void put_description(FILE *f, const project_request *request, const er_rig *rig, const er_model *masses,
                            const project_learnt *learnt, const char *path)
{
    static const char *const rules[] = {"auto", "spherical", "revolute"};
    const er_rig_change plain = er_default_rig_change(),
                        *change = request->rig.change != NULL ? request->rig.change : &plain;
    char props[8192];
    fputs("-- The rig as eigenrig understood it. Correct what is wrong, delete what may be found anew.\n", f);
    if (learnt != NULL) fprintf(f, "-- %s\n", learnt->head);
    fputs("return {\n", f);
    put_settings(f, request, path);
    fputs("    -- what is carried, and light: names of meshes and bones, with commas between; \"none\"; \"auto\"\n", f);
    put_word(f, "props",
             project_list_props(rig->scene, rig->prop, props, sizeof props) ? props
             : request->rig.props != NULL                                   ? request->rig.props
                                                                            : "auto");
    put_bodies(f, rig, masses);
    put_joints(f, (request->given & GIVEN_JOINTS) != 0 ? rules[request->rig.joints] : NULL, change,
               request->rig.density, learnt);
    put_masses(f, change, request->rig.density);
    put_twins(f, change);
    put_loops(f, change);
    fputs("}\n", f);
}

bool project_can_name_pose(const project_request *request, const char *path)
{
    char text[ER_FILE_NAME_MAX];
    return request->pose_file == NULL || find_pose_file(request, path, text, sizeof text);
}

static er_result write_description(er_context *context, const project_request *request, const er_rig *rig,
                                   const er_model *masses, const project_learnt *learnt, const char *path)
{
    char *text = NULL;
    size_t size = 0;
    er_result r;
    FILE *f = eri_platform_text_stream(&text, &size);
    if (f == NULL) return eri_no_memory(context);
    put_description(f, request, rig, masses, learnt, path);
    bool whole = eri_platform_text_end(f, &text, &size) == 0;
    r = whole ? er_file_write(context, path, text, size) : eri_no_memory(context);
    free(text);
    return r;
}

er_result project_write_description(er_context *context, const project_request *request, const er_rig *rig,
                                    const er_model *masses, const char *path)
{
    return write_description(context, request, rig, masses, NULL, path);
}

er_result project_write_learnt(er_context *context, const project_request *request, const er_rig *rig,
                               const project_learnt *learnt, const char *path)
{
    project_request asked = *request;
    er_rig_change change = er_default_rig_change();
    change.joint_count = learnt->count;
    change.joint = learnt->joint;
    asked.rig.change = &change;
    return write_description(context, &asked, rig, rig->model, learnt, path);
}
