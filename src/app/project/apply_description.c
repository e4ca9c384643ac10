// A model's description: found beside it, read, and laid under what the caller asked for.
#include "app/project/apply_description.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <eigenrig/formats.h>

#include "base/failure.h"
#include "base/platform.h"

project_request project_default_request(void)
{
    return (project_request){.rig = er_default_rig_def()};
}

static void take_pose(project_request *request, const rig_settings *s)
{
    request->rig.pose = s->rig.pose;
    request->rig.pose_clip = s->rig.pose_clip;
    request->rig.pose_time = s->rig.pose_time;
    request->pose_file = s->pose_file;
    request->pose_in = s->pose_in;
    request->pose_named = s->pose_named;
    request->place = s->place;
    request->place_count = s->place_count;
}

// @return the bits of the settings that it gives
static unsigned lay_under(project_request *request, const rig_settings *s)
{
    unsigned bits = s->given & ~request->given;
    const er_rig_def *from = &s->rig;
    er_rig_def *to = &request->rig;
    if ((bits & GIVEN_ROOT) != 0) to->root = from->root;
    if ((bits & GIVEN_JOINTS) != 0) to->joints = from->joints;
    if ((bits & GIVEN_STIFFNESS) != 0) to->stiffness = from->stiffness;
    if ((bits & GIVEN_DAMPING) != 0) to->damping_ratio = from->damping_ratio;
    if ((bits & GIVEN_RAYLEIGH) != 0) to->rayleigh_mass = from->rayleigh_mass;
    if ((bits & GIVEN_RAYLEIGH) != 0) to->rayleigh_stiffness = from->rayleigh_stiffness;
    if ((bits & GIVEN_DENSITY) != 0) to->density = from->density;
    if ((bits & GIVEN_MASS) != 0) to->mass = from->mass;
    if ((bits & GIVEN_HEIGHT) != 0) to->height = from->height;
    if ((bits & GIVEN_POSE) != 0) take_pose(request, s);
    if ((bits & GIVEN_SKELETON) != 0) to->skeleton = from->skeleton;
    if ((bits & GIVEN_CHARACTER) != 0) to->character = from->character;
    if ((bits & GIVEN_INFER) != 0) to->infer_parents = from->infer_parents;
    if ((bits & GIVEN_PROPS) != 0) to->props = from->props;
    if ((bits & GIVEN_SYMMETRIZE) != 0) to->symmetrize = from->symmetrize;
    if ((bits & GIVEN_FEET) != 0) request->feet = s->feet;
    if ((bits & GIVEN_PLANT) != 0) request->plant = s->plant;
    if ((bits & GIVEN_FORWARD) != 0) request->forward = s->forward;
    if ((bits & GIVEN_TUNE) != 0) request->tune = s->tune;
    if ((bits & GIVEN_HANG) != 0) {
        to->hang = from->hang;
        to->hang_count = from->hang_count;
    }
    request->given |= bits;
    return bits;
}

bool project_find_description(const char *path, const project_request *request, char *out, size_t size)
{
    if (request->description == NULL) return strcmp(path, "-") != 0 && description_find(path, out, size);
    snprintf(out, size, "%s", request->description);
    return strcmp(out, "none") != 0;
}

er_result project_read_description(er_context *context, const char *path, const project_request *request,
                                   project_description **out)
{
    *out = NULL;
    project_description *d = calloc(1, sizeof *d);
    if (d == NULL) return eri_no_memory(context);
    bool there = project_find_description(path, request, d->path, sizeof d->path);
    unsigned how =
        (request->description == NULL ? DESCRIPTION_BESIDE : 0u) | (request->allow_outside ? DESCRIPTION_OUTSIDE : 0u);
    er_result r = there ? description_open(context, d->path, how, &d->open_description) : ER_OK;
    if (there && r == ER_OK)
        *out = d;
    else
        free(d);
    return r;
}

er_result project_apply_description(er_context *context, const char *path, project_request *request,
                                    project_description **out)
{
    project_description *d = NULL;
    *out = NULL;
    er_result r = project_read_description(context, path, request, &d);
    if (d == NULL) return r;
    d->gives = lay_under(request, &d->open_description.settings);
    double density = er_file_is_rig(context, path) ? 0.0 : request->rig.density;
    r = project_cite_description(context, rig_settings_set_densities(context, &d->open_description.settings, density),
                                 d);
    if (r != ER_OK) {
        project_description_close(d);
        return r;
    }
    request->rig.change = &d->open_description.settings.change;
    *out = d;
    return ER_OK;
}

void project_description_close(project_description *description)
{
    if (description != NULL) description_close(&description->open_description);
    free(description);
}

// --- the work that patterns make

#define MOST_WORK 4e9 // bytes that are compared, which takes seconds

typedef struct name_list {
    double count, bytes;
} name_list;

static void add_name(name_list *names, const char *name)
{
    names->count += 1.0;
    names->bytes += (double)strlen(name);
}

// The bytes that are compared at most when all names are matched with a pattern of so many bytes.
static double pattern_work(const char *pattern, size_t length, const name_list *names)
{
    double bytes = (double)length;
    if (memchr(pattern, '*', length) == NULL) return 0.25 * bytes * names->count; // most names differ soon
    bool sets = memchr(pattern, '[', length) != NULL || memchr(pattern, '?', length) != NULL;
    return bytes * names->count + names->bytes * (sets ? bytes : 1.0);
}

// The same for patterns with commas; NULL for none.
static double list_work(const char *list, const name_list *names)
{
    double work = 0.0;
    while (list != NULL && *list != '\0') {
        size_t length = strcspn(list, ",");
        work += pattern_work(list, length, names);
        list += length + (list[length] == ',');
    }
    return work;
}

er_result project_check_patterns(er_context *context, const project_description *description, const er_scene *scene,
                                 const er_model *model)
{
    if (description == NULL) return ER_OK;
    const rig_settings *s = &description->open_description.settings;
    name_list names = {0.0, 0.0};
    for (int i = 0; scene != NULL && i < scene->node_count; ++i)
        add_name(&names, scene->node[i].name);
    for (int k = 0; model != NULL && k < model->joint_count; ++k)
        add_name(&names, model->joint[k].name);
    for (int b = 0; model != NULL && b < model->body_count; ++b)
        add_name(&names, model->body[b].name);
    double work = list_work(s->rig.props, &names) + list_work(s->feet, &names) + list_work(s->plant, &names);
    for (int i = 0; i < s->change.joint_count; ++i)
        work += list_work(s->change.joint[i].pattern, &names);
    for (int i = 0; i < s->change.body_count; ++i)
        work += list_work(s->change.body[i].pattern, &names);
    if (work <= MOST_WORK) return ER_OK;
    er_result r = er_fail(context, ER_ERROR_ARGUMENT,
                          "its patterns take too long against %.0f names of %.0f bytes; take fewer patterns, or fewer "
                          "`*` in them",
                          names.count, names.bytes);
    return project_cite_description(context, r, description);
}

// --- matches

// Compacts the names of the matches in place, and reports them.
static void tell(const char *kind, const char *word, int count, const bool *found, const char **name,
                 project_match *hear, void *user)
{
    int kept = 0;
    for (int i = 0; i < count; ++i)
        if (found[i]) name[kept++] = name[i];
    hear(user, kind, word, kept, name);
}

// Reports the matches of all patterns of joints, or of bodies.
static er_result tell_changes(er_context *context, const er_rig_change *change, const er_model *model, bool joints,
                              bool *found, const char **name, project_match *hear, void *user)
{
    int count = joints ? model->joint_count : model->body_count;
    er_result r = ER_OK;
    for (int i = 0; i < (joints ? change->joint_count : change->body_count) && r == ER_OK; ++i) {
        r = joints ? er_joint_change_find(context, model, change, i, found)
                   : er_body_change_find(context, model, change, i, found);
        for (int k = 0; k < count; ++k)
            name[k] = joints ? model->joint[k].name : model->body[k].name;
        const char *pattern = joints ? change->joint[i].pattern : change->body[i].pattern;
        if (r == ER_OK) tell(joints ? "joints" : "bodies", pattern, count, found, name, hear, user);
    }
    return r;
}

// The joints that close a loop, by the child and the name of the description.
static void tell_loops(const er_rig_change *change, const er_model *model, bool *found, const char **name,
                       project_match *hear, void *user)
{
    for (int i = 0; i < change->loop_count; ++i) {
        const er_loop_joint *l = &change->loop[i];
        for (int k = 0; k < model->joint_count; ++k) {
            const er_joint *j = &model->joint[k];
            name[k] = j->name;
            found[k] = j->closes_loop && strcmp(model->body[j->child].name, l->child) == 0 &&
                       (l->name == NULL || strcmp(l->name, j->name) == 0);
        }
        tell("loops", l->child, model->joint_count, found, name, hear, user);
    }
}

er_result project_list_matches(er_context *context, const project_description *description, const er_model *model,
                               project_match *hear, void *user)
{
    const er_rig_change *change = &description->open_description.settings.change;
    size_t most = (size_t)(model->joint_count > model->body_count ? model->joint_count : model->body_count) + 1;
    bool *found = calloc(most, sizeof *found);
    const char **name = calloc(most, sizeof *name);
    er_result r = found != NULL && name != NULL ? ER_OK : eri_no_memory(context);
    if (r == ER_OK) r = tell_changes(context, change, model, true, found, name, hear, user);
    if (r == ER_OK) r = tell_changes(context, change, model, false, found, name, hear, user);
    if (r == ER_OK) tell_loops(change, model, found, name, hear, user);
    free(name);
    free(found);
    return r;
}

// Counts the patterns of a description, and those with a match.
typedef struct finding {
    const project_listener *listener;
    const char *path;
    int words, found;
} finding;

static void count_match(void *user, const char *kind, const char *word, int count, const char *const *name)
{
    (void)name;
    finding *f = user;
    ++f->words;
    f->found += count > 0;
    if (count == 0)
        project_notify(f->listener, ER_NOTE_FACT, "%s: %s \"%s\": nothing here is called so, and it is optional",
                       f->path, kind, word);
}

static bool has_in_a_name(const er_model *model, const char *text)
{
    for (int b = 0; b < model->body_count; ++b)
        if (strstr(model->body[b].name, text) != NULL) return true;
    for (int k = 0; k < model->joint_count; ++k)
        if (strstr(model->joint[k].name, text) != NULL) return true;
    return false;
}

// Reports texts of `mirror` that are in no name.
static void tell_pairs(const project_description *description, const er_model *model, const project_listener *listener)
{
    const rig_settings *s = &description->open_description.settings;
    for (int i = 0; i < s->change.pair_count; ++i) {
        const char *texts[] = {s->change.pair[i].left, s->change.pair[i].right};
        for (int k = 0; k < 2; ++k)
            if (!has_in_a_name(model, texts[k]))
                project_notify(listener, s->optional ? ER_NOTE_FACT : ER_NOTE_WARNING,
                               "%s: mirror \"%s\": no joint or body here has that in its name", description->path,
                               texts[k]);
    }
}

er_result project_check_matches(er_context *context, const project_description *description, const er_model *model,
                                const project_listener *listener)
{
    if (description == NULL) return ER_OK;
    finding f = {.listener = listener, .path = description->path};
    er_result r = project_list_matches(context, description, model, count_match, &f);
    if (r != ER_OK) return r;
    if (f.words > 0 && f.found == 0)
        project_notify(listener, ER_NOTE_WARNING, "%s: none of the joints and bodies that it names is here", f.path);
    tell_pairs(description, model, listener);
    return ER_OK;
}

static bool is_there(const er_model *model, const er_rig *rig, const char *pattern)
{
    if (strcmp(pattern, "feet") == 0 || strcmp(pattern, "none") == 0) return true;
    for (int b = 0; b < model->body_count; ++b)
        if (eri_platform_match(pattern, model->body[b].name)) return true;
    return project_find_node(rig, pattern) >= 0;
}

const char *project_known_names(const er_model *model, const er_rig *rig, const char *names,
                                char out[PROJECT_NAMES_SIZE])
{
    char pattern[256];
    size_t used = 0;
    while (setting_next_word(&names, pattern, sizeof pattern) != NULL) {
        if (used + strlen(pattern) + 2 > PROJECT_NAMES_SIZE || !is_there(model, rig, pattern)) continue;
        used += (size_t)snprintf(out + used, PROJECT_NAMES_SIZE - used, "%s%s", used > 0 ? "," : "", pattern);
    }
    return used > 0 ? out : NULL;
}

void project_drop_unknown(project_request *request, project_description *description, const er_model *model,
                          const er_rig *rig)
{
    if (description == NULL || !description->open_description.settings.optional) return;
    if ((description->gives & GIVEN_FEET) != 0)
        request->feet = project_known_names(model, rig, request->feet, description->feet);
    if ((description->gives & GIVEN_PLANT) != 0)
        request->plant = project_known_names(model, rig, request->plant, description->plant);
}

er_result project_cite_description(er_context *context, er_result r, const project_description *description)
{
    if (r == ER_OK || description == NULL) return r;
    char message[2048];
    snprintf(message, sizeof message, "%s", er_context_error(context));
    return er_fail(context, r, "described by %s: %s", description->path,
                   *message != '\0' ? message : eri_result_text(r));
}
