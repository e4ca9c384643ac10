// `eigenrig info --save-description`: the rig as it was understood, as a description that a person corrects.
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "tools/eigenrig/info.h"

// A text of Lua's: what could end it, and what nobody sees, escaped.
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

static int bones_called(const loaded *l, const char *name)
{
    int count = 0;
    for (int i = 0; i < l->scene->node_count; ++i)
        count += l->rig->bone[i] && strcmp(l->scene->node[i].name, name) == 0;
    return count;
}

// Names of props as patterns, each a name alone. Whether they can be told so: a comma parts patterns.
static bool list_props(const loaded *l, char *out, size_t size)
{
    size_t used = 0;
    bool told = true;
    for (int i = 0; i < l->scene->node_count; ++i) {
        const char *name = l->scene->node[i].name;
        if (!l->rig->prop[i]) continue;
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

// The pose file as the description finds it, below its own folder; false where it does not lie there.
static bool find_pose_file(const options *o, char *out, size_t size)
{
    char *file = realpath(o->asked.pose_file, NULL), folder[PATH_MAX];
    const char *slash = strrchr(o->save_description, '/');
    snprintf(folder, sizeof folder, "%.*s", slash != NULL ? (int)(slash - o->save_description) : 1,
             slash != NULL ? o->save_description : ".");
    char *whole = realpath(*folder != '\0' ? folder : "/", NULL);
    size_t n = whole != NULL ? strlen(whole) : 0;
    bool below = file != NULL && n > 0 && strncmp(file, whole, n) == 0 && (file[n] == '/' || n == 1);
    if (below) snprintf(out, size, "%s", file + n + (n > 1));
    free(whole);
    free(file);
    return below;
}

static void put_pose(FILE *f, const options *o)
{
    const er_rig_def *d = &o->asked.rig;
    char text[PATH_MAX];
    if (d->pose == ER_POSE_CLIP)
        snprintf(text, sizeof text, "%s@%.17g", d->pose_clip, d->pose_time);
    else if (o->asked.pose_file == NULL || !find_pose_file(o, text, sizeof text))
        snprintf(text, sizeof text, "%s", d->pose == ER_POSE_BIND ? "bind" : "rest");
    fputs("    pose = ", f);
    put_text(f, text);
    fputs(",\n", f);
}

// What the command line said, in a description's words.
static void put_settings(FILE *f, const options *o)
{
    static const char *const rules[] = {"auto", "spherical", "revolute"};
    const er_rig_def *d = &o->asked.rig;
    unsigned given = o->asked.given;
    if ((given & DESCRIPTION_ROOT) != 0)
        fprintf(f, "    root = \"%s\",\n", d->root == ER_ROOT_FIXED ? "fixed" : "free");
    if ((given & DESCRIPTION_JOINTS) != 0) fprintf(f, "    joints = \"%s\",\n", rules[d->joints]);
    if ((given & DESCRIPTION_STIFFNESS) != 0 && d->stiffness.uniform)
        fprintf(f, "    stiffness = \"uniform:%.17g\",\n", d->stiffness.k);
    else if ((given & DESCRIPTION_STIFFNESS) != 0)
        fprintf(f, "    stiffness = \"graded:%.17g:%.17g\",\n", d->stiffness.hz, d->stiffness.alpha);
    if ((given & DESCRIPTION_DAMPING) != 0) put_setting(f, "damping", d->damping_ratio);
    if ((given & DESCRIPTION_RAYLEIGH) != 0)
        fprintf(f, "    rayleigh = {%.17g, %.17g},\n", d->rayleigh_mass, d->rayleigh_stiffness);
    if ((given & DESCRIPTION_DENSITY) != 0) put_setting(f, "density", d->density);
    if ((given & DESCRIPTION_MASS) != 0) put_setting(f, "mass", d->mass);
    if ((given & DESCRIPTION_HEIGHT) != 0) put_setting(f, "height", d->height);
    if ((given & DESCRIPTION_POSE) != 0) put_pose(f, o);
    if ((given & DESCRIPTION_SKELETON) != 0) {
        fputs("    skeleton = ", f);
        put_text(f, d->skeleton);
        fputs(",\n", f);
    }
    if ((given & DESCRIPTION_INFER) != 0) fprintf(f, "    infer_parents = %s,\n", d->infer_parents ? "true" : "false");
}

static void put_bodies(FILE *f, const loaded *l)
{
    const er_model *m = l->model;
    fputs("    -- what each body hangs on: a bone's name, or false where it is a root\n    hang = {\n", f);
    for (int b = 0; b < m->body_count; ++b) {
        int up = m->tree_parent[b];
        const char *name = m->body[b].name, *on = up >= 0 ? m->body[up].name : "";
        bool told = up >= 0 && bones_called(l, name) == 1 && bones_called(l, on) == 1;
        fputs(told ? "        [" : "        -- [", f);
        put_text(f, name);
        fputs("] = ", f);
        if (up >= 0)
            put_text(f, on);
        else
            fputs("false", f);
        fprintf(f, ", -- %.4g kg", m->body[b].mass);
        char why[300];
        info_why(l->scene, l->rig, l->rig->body_node[b], why, sizeof why);
        fprintf(f, "%s%s\n", why, up < 0 ? "; a root" : told ? "" : "; several bones share a name, so nothing is said");
    }
    fputs("    },\n", f);
}

static void put_description(FILE *f, const options *o, const loaded *l)
{
    char props[8192];
    fputs("-- The rig as eigenrig understood it. Correct what is wrong, delete what may be found anew.\nreturn {\n", f);
    put_settings(f, o);
    fputs("    -- what is carried, and light: names of meshes and bones, with commas between; \"none\"; \"auto\"\n    "
          "props = ",
          f);
    put_text(f, list_props(l, props, sizeof props) ? props : "auto");
    fputs(",\n", f);
    put_bodies(f, l);
    fputs("}\n", f);
}

bool can_describe_pose(const options *o)
{
    char text[PATH_MAX];
    return o->asked.pose_file == NULL || find_pose_file(o, text, sizeof text);
}

er_result save_description(er_context *context, const options *o, const loaded *l)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (f == NULL) return ER_ERROR_MEMORY;
    put_description(f, o, l);
    bool whole = ferror(f) == 0;
    whole &= fclose(f) == 0;
    er_result r = whole ? er_file_write(context, o->save_description, text, size) : ER_ERROR_MEMORY;
    free(text);
    return r;
}
