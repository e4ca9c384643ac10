// `eigenrig info`: the rig of a model as a report, or as a rig file.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/project/explain_parent.h"
#include "app/project/project_modes.h"
#include "app/project/project_pose.h"
#include "app/project/write_description.h"
#include "tools/eigenrig/cli.h"

static void print_notes(const char *title, er_note_kind kind, const loaded *l)
{
    bool any = false;
    for (int pass = 0; pass < 2; ++pass) {
        const er_note *note = pass == 0 ? l->scene->note : l->rig->note;
        int count = pass == 0 ? l->scene->note_count : l->rig->note_count;
        for (int i = 0; i < count; ++i) {
            if (note[i].kind != kind) continue;
            if (!any) printf("\n%s\n", title);
            any = true;
            printf("  %s\n", plain(note[i].text));
        }
    }
}

static void print_damping(const er_model *m)
{
    int dampers = 0;
    for (int k = 0; k < m->joint_count; ++k)
        for (int i = 0; i < er_joint_type_freedom(m->joint[k].type, NULL); ++i)
            dampers += m->joint[k].damping[i] > 0.0;
    if (m->damping_ratio > 0.0 || m->rayleigh_mass > 0.0 || m->rayleigh_stiffness > 0.0 || dampers > 0)
        printf(
            "  damping      ratio %g of every mode; Rayleigh factors %g 1/s, %g s; dampers on %d joint coordinates\n",
            m->damping_ratio, m->rayleigh_mass, m->rayleigh_stiffness, dampers);
}

static void print_bodies(const loaded *l, const er_redundancy *redundancy)
{
    const er_model *m = l->model;
    printf("\nBodies\n  %4s  %-28s %10s  %s\n", "", "name", "mass kg", "joint to its parent");
    for (int b = 0; b < m->body_count; ++b) {
        int t = m->tree_joint[b], p = m->tree_parent[b];
        printf("  %4d  %-28.28s %10.4g  ", b, plain(m->body[b].name), m->body[b].mass);
        if (t < 0) {
            printf("free root\n");
            continue;
        }
        const er_joint *j = &m->joint[t];
        int count = er_joint_type_freedom(j->type, NULL);
        printf("%s to %s", er_joint_type_name(j->type), p >= 0 ? plain(m->body[p].name) : "the world");
        if (count > 0) printf(", %.4g N m/rad", j->stiffness[0]);
        char why[300] = "";
        if (l->rig != NULL) project_explain_parent(l->rig, l->rig->body_node[b], why, sizeof why);
        printf("%s%s\n", *why != '\0' ? "; " : "", why);
    }
    for (int k = 0; k < m->joint_count; ++k) {
        const er_joint *j = &m->joint[k];
        char redundant[80];
        if (!j->closes_loop) continue;
        if (redundancy != NULL) write_redundant(m, k, redundancy->row, redundancy->count, redundant);
        printf("  loop  %-28.28s closes %s with %s, %s%s%s\n", plain(j->name), plain(m->body[j->child].name),
               j->parent >= 0 ? plain(m->body[j->parent].name) : "the world", er_joint_type_name(j->type),
               redundancy != NULL ? "; " : "", redundancy != NULL ? redundant : "");
    }
}

// Lists the trees of bodies that no joint connects, if there are several.
static void print_characters(const er_model *m)
{
    int count = 0, number = 0;
    for (int b = 0; b < m->body_count; ++b)
        count += m->tree_joint[b] < 0;
    if (count < 2) return;
    printf("  characters   %d that no joint connects; --character takes one", count);
    for (int b = 0; b < m->body_count; ++b) {
        if (m->tree_joint[b] >= 0) continue;
        int bodies = 0;
        double mass = 0.0;
        for (int i = 0; i < m->body_count; ++i) {
            int top = i;
            while (m->tree_parent[top] >= 0)
                top = m->tree_parent[top];
            bodies += top == b;
            mass += top == b ? m->body[i].mass : 0.0;
        }
        printf("\n    %d  %s, %d %s, %.4g kg", ++number, plain(m->body[b].name), bodies, eri_bodies(bodies), mass);
    }
    printf("\n");
}

static const char *why_not_a_body(const er_scene *scene, const er_rig *rig, int node)
{
    static char text[256];
    unsigned flags = scene->node[node].flags;
    int body = rig->node_body[node];
    if (rig->role[node] == ER_ROLE_WELDED && rig->prop[node]) {
        snprintf(text, sizeof text, "prop: light, welded to \"%s\"", plain(rig->model->body[body].name));
        return text;
    }
    if (rig->prop[node] && body < 0) return "prop: light, goes with the bone it is skinned to";
    if (rig->prop[node]) {
        snprintf(text, sizeof text, "prop: light, goes with \"%s\"", plain(rig->model->body[body].name));
        return text;
    }
    if (rig->role[node] == ER_ROLE_WELDED) {
        snprintf(text, sizeof text, "bone without volume or freedom, welded to \"%s\"%s",
                 plain(rig->model->body[body].name),
                 rig->attachment[node].evidence == ER_EVIDENCE_PLACE ? ", in whose place it is" : "");
        return text;
    }
    if (flags & ER_NODE_CAMERA) return "camera";
    if (flags & ER_NODE_LIGHT) return "light";
    if (flags & ER_NODE_END_SITE) return "end of a bone: gives its length";
    for (int i = 0; i < scene->instance_count; ++i)
        if (scene->instance[i].node == node)
            return scene->instance[i].skin >= 0         ? "skinned mesh"
                   : rig->role[node] == ER_ROLE_CARRIED ? "mesh that goes with its bone"
                                                        : "mesh that hangs on no bone";
    return rig->role[node] == ER_ROLE_CARRIED ? "goes with its bone" : "above or beside the skeleton";
}

static void print_others(const er_scene *scene, const er_rig *rig)
{
    bool any = false;
    for (int i = 0; i < scene->node_count; ++i) {
        if (rig->role[i] == ER_ROLE_BODY) continue;
        if (!any) printf("\nNodes that are no bodies\n");
        any = true;
        printf("  %-34.34s %s\n", *scene->node[i].name != '\0' ? plain(scene->node[i].name) : "(no name)",
               why_not_a_body(scene, rig, i));
    }
}

static void print_clips(const er_scene *scene)
{
    if (scene->clip_count > 0) printf("\nClips\n");
    for (int c = 0; c < scene->clip_count; ++c)
        printf("  %4d  %-34.34s %.3g s\n", c, plain(scene->clip[c].name), scene->clip[c].duration);
}

static double tail_length(const er_rig *rig, const er_spring_joint *joint)
{
    const er_affine *world = &rig->world[joint->node];
    return er_v3_distance(er_affine_point(*world, joint->tail), world->translation);
}

// Chains of spring bones, each with the swing of its first joint.
static void print_springs(er_context *context, const loaded *l)
{
    const double fps = 60.0;
    er_spring_bones *bones = NULL;
    if (er_spring_bones_read(context, l->scene, &bones) != ER_OK) return;
    if (bones->chain_count > 0) printf("\nSpring bones (VRM %d), loose by follow --parts springs\n", bones->version);
    for (int i = 0; i < bones->chain_count; ++i) {
        const er_spring_chain *chain = &bones->chain[i];
        const er_spring_joint *first = &chain->joint[0];
        double hz, zeta, length = tail_length(l->rig, first);
        printf("  %-28.28s %2d joint%s stiffness %.3g, drag %.3g, gravity %.3g, radius %.3g",
               plain(l->scene->node[first->node].name), chain->joint_count, chain->joint_count == 1 ? ", " : "s,",
               first->stiffness, first->drag, first->gravity_power, first->hit_radius);
        if (length > 0.0 && first->stiffness > 0.0) {
            er_spring_joint_swing(first, length, fps, &hz, &zeta);
            printf(": %.3g Hz, damping %.2f at %g frames a second", hz, zeta, fps);
        }
        printf("\n");
    }
    if (bones->chain_count > 0) printf("  %d collider%s\n", bones->collider_count, eri_plural(bones->collider_count));
    er_spring_bones_destroy(bones);
}

static int count_moved(const er_recording_target *target)
{
    int moved = 0;
    for (int i = 0; i < target->scene->instance_count; ++i)
        moved += er_recording_moves(target, i);
    return moved;
}

// Reports meshes that no bone moves, if there are others.
static void print_scenery(const er_recording_target *target)
{
    enum { NAMED = 6 };
    const er_scene *scene = target->scene;
    int named = 0, count = scene->instance_count - count_moved(target);
    if (count == 0 || count == scene->instance_count) return;
    printf("  scenery      ");
    for (int i = 0; i < scene->instance_count && named < NAMED; ++i)
        if (!er_recording_moves(target, i))
            printf("%s%s", named++ > 0 ? ", " : "", plain(scene->node[scene->instance[i].node].name));
    if (count > named) printf(" and %d more", count - named);
    printf(": no bone moves %s, and pictures fade %s\n", count == 1 ? "it" : "them", count == 1 ? "it" : "them");
}

static void print_source(const loaded *l, double mass)
{
    if (l->scene == NULL) {
        printf("  format       eigenrig rig file\n  mass         %.4g kg\n", mass);
        return;
    }
    er_recording_target target = er_rig_target(l->rig);
    int moved = count_moved(&target), count = l->scene->instance_count;
    const char *of_what = moved == 0 ? "its joints" : moved < count ? "the meshes that bones move" : "its meshes";
    printf("  format       %s: %d node%s, %d mesh%s, %d skin%s, %d clip%s\n", l->scene->format_name,
           l->scene->node_count, eri_plural(l->scene->node_count), l->scene->mesh_count,
           l->scene->mesh_count == 1 ? "" : "es", l->scene->skin_count, eri_plural(l->scene->skin_count),
           l->scene->clip_count, eri_plural(l->scene->clip_count));
    printf("  size         %.4g m high, largest extent %.4g m, of %s; one unit of the file is %.6g m; up is (%g, "
           "%g, %g)\n",
           l->rig->height, l->rig->extent, of_what, l->rig->metres_per_unit, l->scene->up.x, l->scene->up.y,
           l->scene->up.z);
    print_scenery(&target);
    printf("  mass         %.4g kg from %s", mass, l->rig->mass_source);
    if (l->rig->volume > 0.0) printf(", %.4g m^3", l->rig->volume);
    printf("\n");
}

static const char *const pose_words[] = {"rest", "bind", "clip", "given"}; // as er_pose_source

// Suggests a pose in which the rig stands better than in its rest pose.
static void print_better_pose(er_context *context, const options *o, const loaded *l)
{
    const double better = 0.1; // as gaits take it
    er_gait_stand stand;
    if (er_gait_find_stand(context, l->rig, &o->asked.rig, &o->gait, &stand) != ER_OK || stand.rig == NULL) return;
    if (stand.stance > stand.at_rest + better)
        printf("  better pose  %s%s, %.2f: gaits take it, all else by --pose\n",
               stand.clip != NULL ? plain(stand.clip) : pose_words[stand.pose], stand.clip != NULL ? "@0" : "",
               stand.stance);
    er_rig_destroy(stand.rig);
}

// Reports how gaits read the body.
static void print_stance(er_context *context, const options *o, const er_gait_body *body, const loaded *l)
{
    const er_model *m = l->model;
    static const char *const sides[] = {"right", "middle", "left"};
    printf("\nStance\n  faces        (%.3g, %.3g, %.3g), sure by %.0f %%; up is (%.3g, %.3g, %.3g)\n", body->forward.x,
           body->forward.y, body->forward.z, 100.0 * body->facing, body->up.x, body->up.y, body->up.z);
    if (l->rig != NULL)
        printf("  pose         %s%s%s, %.2f of 1 as one to stand in\n", pose_words[l->rig->pose],
               l->rig->pose_clip != NULL ? " " : "", l->rig->pose_clip != NULL ? plain(l->rig->pose_clip) : "",
               body->stance);
    if (l->rig != NULL && l->rig->pose == ER_POSE_REST) print_better_pose(context, o, l);
    for (int i = 0; i < body->foot_count; ++i) {
        const er_gait_foot *foot = &body->foot[i];
        printf("  foot %-7s %s, %s, a leg of %d joint%s on %s\n", foot->name, plain(m->body[foot->sole].name),
               sides[foot->side + 1], foot->joint_count, foot->joint_count == 1 ? "" : "s",
               plain(m->body[foot->trunk].name));
    }
    for (int i = 0; i < body->wing_count; ++i) {
        const er_gait_wing *wing = &body->wing[i];
        printf("  wing         %s, %s, %.3g m to its tip in %s, on %s\n", plain(m->body[wing->body].name),
               sides[wing->side + 1], wing->span, plain(m->body[wing->tip].name), plain(m->body[wing->trunk].name));
    }
    if (body->foot_count == 0)
        printf("  feet         none: it %s\n", body->wing_count > 0 ? "flies" : body->lies ? "slithers" : "swims");
    for (int i = 0; i < body->note_count; ++i)
        printf("  %s\n", plain(body->note[i].text));
}

enum { TEAR_MODES = 12 };
static const double tear_degrees = 15.0;

// Measures how far the lowest modes pull the skin apart: a high number hints at wrong parents.
static void print_tear(er_context *context, const loaded *l)
{
    const er_recording_target target = er_rig_target(l->rig);
    er_modal_def def = er_default_modal_def();
    er_modes *modes = NULL;
    er_tear tear;
    er_result r =
        l->scene->skin_count > 0 ? project_solve_modes(context, l->model, &def, TEAR_MODES, &modes) : ER_ERROR_ARGUMENT;
    if (r == ER_OK) r = er_modes_tear(context, l->model, modes, &target, TEAR_MODES, tear_degrees, &tear);
    er_modes_destroy(modes);
    if (r != ER_OK) return; // there is no skin, or no modes to swing
    printf("  torn         %.3g, %s", tear.torn,
           tear.torn > ER_TORN ? "so something hangs on the wrong bone"
                               : "so the skin holds together when modes swing");
    if (tear.mode >= 0)
        printf("; most in mode %d at %g degrees, by %.3g m between %s and %s", tear.mode, tear_degrees, tear.stretch,
               plain(l->model->body[tear.body[0]].name), plain(l->model->body[tear.body[1]].name));
    printf("\n");
}

// Prints the bodies and joints that a pattern of a description matched.
static void print_match(void *user, const char *kind, const char *word, int count, const char *const *name)
{
    enum { SHOWN = 3 };
    (void)user;
    printf("    %s \"%s\" in %d", kind, plain(word), count);
    for (int i = 0; i < count && i < SHOWN; ++i)
        printf("%s %s", i == 0 ? ":" : ",", plain(name[i]));
    printf(count > SHOWN ? " ...\n" : "\n");
}

static void print_report(er_context *context, const options *o, const loaded *l, const er_redundancy *redundancy,
                         const er_gait_body *body)
{
    const er_model *m = l->model;
    double mass = 0.0;
    for (int b = 0; b < m->body_count; ++b)
        mass += m->body[b].mass;
    printf("%s\n\n", plain(o->model));
    print_source(l, mass);
    if (l->described != NULL) {
        printf("  described    by %s\n", plain(l->described->path));
        project_list_matches(context, l->described, l->model, print_match, NULL);
    }
    printf("  rig          %d %s, %d joint%s, %d joint coordinate%s, %d loop%s; ", m->body_count,
           eri_bodies(m->body_count), m->joint_count, eri_plural(m->joint_count), m->coordinate_count,
           eri_plural(m->coordinate_count), m->loop_count, eri_plural(m->loop_count));
    int freedoms = redundancy != NULL ? 6 * m->body_count - redundancy->rank : 0;
    if (redundancy != NULL)
        printf("%d degree%s of freedom\n", freedoms, eri_plural(freedoms));
    else
        printf("too many to tell which of their constraints are redundant\n");
    if (l->rig != NULL) print_characters(m);
    print_damping(m);
    if (l->rig != NULL) print_tear(context, l);
    print_bodies(l, redundancy);
    if (body != NULL) print_stance(context, o, body, l);
    if (l->symmetry[0] != '\0') printf("\nFacts\n  %s\n", plain(l->symmetry));
    if (l->scene == NULL) return;
    print_others(l->scene, l->rig);
    print_clips(l->scene);
    print_springs(context, l);
    print_notes("Facts", ER_NOTE_FACT, l);
    print_notes("Warnings", ER_NOTE_WARNING, l);
}

// Draws the rig as it was read, from three sides.
static er_result draw_rig(er_context *context, const options *o, const loaded *l, const er_gait_body *body)
{
    char pose[160];
    render_def def = render_default_def();
    def.what = RENDER_RIG;
    def.body = body;
    def.dark = o->picture.dark;
    snprintf(pose, sizeof pose, "pose: %s%s%.100s", pose_words[l->rig->pose], l->rig->pose_clip != NULL ? " " : "",
             l->rig->pose_clip != NULL ? l->rig->pose_clip : "");
    def.subtitle = pose;
    return draw_picture(context, l, NULL, &def, o->output, NULL);
}

// The equilibrium as a pose file.
static int save_pose(er_context *context, const options *o, const loaded *l)
{
    if (l->scene == NULL) return fail_usage("info", "--save-pose is for models; \"%s\" is a rig already", o->model);
    er_affine *local = calloc((size_t)l->scene->node_count + 1, sizeof *local);
    if (local == NULL) return fail_work(context, ER_ERROR_MEMORY, o->save_pose);
    project_equilibrium(l->rig, local);
    er_result r = er_pose_file_write(context, l->scene, local, o->save_pose);
    free(local);
    return r == ER_OK ? EXIT_DONE : fail_work(context, r, NULL);
}

static int check_description(const options *o, const loaded *l)
{
    if (l->scene == NULL) return fail_usage("info", "a description is for models; \"%s\" is a rig already", o->model);
    if (l->described != NULL)
        return fail_usage("info", "\"%s\" is described by %s already; correct that, or leave it out by --rig none",
                          o->model, l->described->path);
    if (!project_can_name_pose(&o->asked, o->learn != NULL ? o->output : o->save_description))
        return fail_usage("info", "a description names pose files below its own folder; put \"%s\" there",
                          o->asked.pose_file);
    return EXIT_DONE;
}

// Reads the body as gaits do, and makes a doubtful facing a warning; --strict counts it even if a report shows it.
static int read_body(er_context *context, options *o, const loaded *l, er_gait_body **body)
{
    bool quiet = o->quiet;
    er_result r = read_gait_body(context, o, l, body);
    if (r != ER_OK) return fail_work(context, r, o->model);
    if (!o->json && o->report == NULL) o->quiet = true;
    warn_of_facing(o, l, *body);
    o->quiet = quiet;
    return EXIT_DONE;
}

static int write_report(er_context *context, const options *o, const loaded *l, const er_gait_body *body)
{
    char *text;
    er_result r = report_text(context, o, l, body, &text);
    if (r == ER_OK) r = er_file_write(context, o->report, text, strlen(text));
    free(text);
    return r == ER_OK ? EXIT_DONE : fail_work(context, r, NULL);
}

// Writes the rig file; a model's has a report.
static er_result write_rig(er_context *context, const options *o, const loaded *l, const er_gait_body *body)
{
    char *text = NULL;
    er_result r = l->scene != NULL ? report_text(context, o, l, body, &text) : ER_OK;
    if (text != NULL) text[strlen(text) - 1] = '\0'; // a newline
    if (r == ER_OK) r = er_rig_file_write_report(context, l->model, text, o->output != NULL ? o->output : "-");
    free(text);
    return r;
}

// A description of the rig with joints learnt from clips.
static int learn_joints(er_context *context, const options *o, const loaded *l)
{
    int status = check_description(o, l);
    if (status != EXIT_DONE) return status;
    project_learnt learnt;
    const project_listener listener = listener_of(o);
    er_result r = project_learn(context, l->rig, o->learn, &listener, &learnt);
    if (r == ER_OK) r = project_write_learnt(context, &o->asked, l->rig, &learnt, o->output);
    if (r == ER_OK && !o->quiet) print_note("%s", learnt.head);
    project_learnt_clear(&learnt);
    return r == ER_OK ? EXIT_DONE : fail_work(context, r, o->model);
}

int run_info(er_context *context, options *o)
{
    loaded l;
    er_gait_body *body = NULL;
    const char *const *ends =
        o->learn != NULL ? (const char *const[]){".lua", NULL} : (const char *const[]){".json", ".png", NULL};
    int status = check_output_ending("info", ends, o);
    if (status == EXIT_DONE && o->learn != NULL && (o->output == NULL || o->json || o->save_description != NULL))
        status = fail_usage("info", "--learn writes a description; give -o X.rig.lua, without --json and "
                                    "--save-description");
    if (status != EXIT_DONE) return status;
    if (o->save_pose != NULL && !er_path_ends_in(o->save_pose, ".json") && strcmp(o->save_pose, "-") != 0)
        return fail_usage("info", "--save-pose writes JSON, and \"%s\" does not end in .json", o->save_pose);
    if (o->save_pose != NULL && o->output != NULL && strcmp(o->save_pose, o->output) == 0)
        return fail_usage("info", "\"%s\" would be written twice; give each output its own file", o->output);
    if (o->save_description != NULL && !er_path_ends_in(o->save_description, ".lua") &&
        strcmp(o->save_description, "-") != 0)
        return fail_usage("info", "--save-description writes Lua, and \"%s\" does not end in .lua",
                          o->save_description);
    bool quiet = o->quiet;
    if (!o->json) o->quiet = true; // the report has the warnings
    status = load_unjudged(context, o, &l);
    o->quiet = quiet;
    if (status == EXIT_DONE) status = read_body(context, o, &l, &body);
    if (status == EXIT_DONE && o->report != NULL) status = write_report(context, o, &l, body); // it has the warnings
    status = strict_status(o, status);
    if (status == EXIT_DONE && o->save_pose != NULL) {
        status = save_pose(context, o, &l);
        if (strcmp(o->save_pose, "-") == 0) goto done; // a report would mix with the JSON
    }
    if (status == EXIT_DONE && o->save_description != NULL) {
        status = check_description(o, &l);
        er_result r = status == EXIT_DONE
                          ? project_write_description(context, &o->asked, l.rig, l.model, o->save_description)
                          : ER_OK;
        if (r != ER_OK) status = fail_work(context, r, NULL);
        if (status != EXIT_DONE || strcmp(o->save_description, "-") == 0) goto done; // as above
    }
    if (o->report != NULL && strcmp(o->report, "-") == 0) goto done; // as above
    if (status == EXIT_DONE && o->learn != NULL) {
        status = learn_joints(context, o, &l);
        goto done;
    }
    bool drawn = o->output != NULL && er_path_ends_in(o->output, ".png");
    if (status == EXIT_DONE && drawn && l.scene == NULL)
        status = fail_usage("info", "pictures are of models; \"%s\" is a rig already", o->model);
    if (status == EXIT_DONE && (o->json || (o->output != NULL && !drawn))) {
        er_result r = write_rig(context, o, &l, body);
        if (r != ER_OK) status = fail_work(context, r, NULL);
    } else if (status == EXIT_DONE) {
        er_redundancy *redundancy = NULL;
        er_result r = er_redundancy_create(context, l.model, o->modal.rank_tol, &redundancy);
        if (r == ER_ERROR_RIG) r = ER_OK;
        bool written = drawn || o->save_pose != NULL || o->save_description != NULL || o->report != NULL;
        if (r == ER_OK && drawn && body == NULL)
            r = er_fail(context, ER_ERROR_ARGUMENT, "it has too many bodies to draw feet of; the limit is %d",
                        ER_GAIT_MAX_BODIES);
        if (r == ER_OK && drawn) r = draw_rig(context, o, &l, body);
        if (r == ER_OK && shows_results(o, written)) print_report(context, o, &l, redundancy, body);
        if (r != ER_OK) status = fail_work(context, r, o->model);
        er_redundancy_destroy(redundancy);
    }
done:
    er_gait_body_destroy(body);
    unload(&l);
    return status;
}
