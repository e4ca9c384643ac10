// Worlds as JSON: what is written reads back to the bit, and what is wrong is told with its place.
#include "set.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"

// Everything the format has, no value a default.
static const char everything[] =
    "{\"format\": \"eigenrig-world\", \"version\": 1, \"name\": \"all of it\",\n"
    " \"rig\": {\"format\": \"eigenrig-rig\", \"version\": 1, \"name\": \"r\", \"source\": \"\", \"bodies\": [\n"
    "   {\"name\": \"trunk\", \"mass\": 3.5, \"com\": [0.1, 0, 0], \"inertia\": [[1, 0.1, 0], [0.1, 2, 0], [0, 0, "
    "2]],\n"
    "    \"position\": [0, 0, 1], \"orientation\": [1, 0, 0, 0]},\n"
    "   {\"name\": \"arm\", \"mass\": 0.5, \"com\": [0, 0.1, 0], \"inertia\": [[0.1, 0, 0], [0, 0.1, 0], [0, 0, "
    "0.1]],\n"
    "    \"position\": [0, 1, 1], \"orientation\": [0.6, 0, 0.8, 0]}],\n"
    "  \"joints\": [{\"name\": \"shoulder\", \"parent\": 0, \"child\": 1, \"type\": \"spherical\", \"position\": [0, "
    "1, 1],\n"
    "    \"orientation\": [1, 0, 0, 0], \"stiffness\": [1, 2, 3], \"damping\": [0.1, 0.2, 0.3], \"limits\": [null, "
    "[-1, 1], [0, null]]}]},\n"
    " \"gravity\": [0, -9.81, 0.1], \"time\": -0.5, \"duration\": 3.3, \"frames\": 99, \"collide\": true,\n"
    " \"collide_connected\": true, \"friction_rule\": \"maximum\", \"restitution_rule\": \"average\",\n"
    " \"apart\": [[0, 1]], \"most_impacts\": 77, \"impact_tolerance\": 1e-7,\n"
    " \"contact\": {\"substeps\": 7, \"threads\": 3, \"iterations\": 99, \"frequency\": 21, \"damping\": 4, "
    "\"push_out\": 2.5,\n"
    "   \"sleep_time\": 0.25, \"sleep_speed\": 0.125, \"accuracy\": 1e-5, \"relaxation\": 1.3, \"erp\": 0.6, \"cfm\": "
    "1e-4,\n"
    "   \"solver\": \"direct\", \"cone\": true},\n"
    " \"enforce_limits\": true, \"route\": \"multipliers\", \"rotation_state\": \"matrix\", \"integrator\": "
    "\"implicit\",\n"
    " \"tolerance\": 1e-9, \"min_step\": 1e-8, \"max_step\": 0.0123, \"drift_tolerance\": 1e-7, \"rest\": [0.1, 0.2, "
    "0.3],\n"
    " \"held\": [1],\n"
    " \"state\": [{\"position\": [0.3, 0, 1], \"orientation\": [0.8, 0, 0, 0.6], \"twist\": [1, 2, 3, 4, 5, 6]},\n"
    "   {\"position\": [0.1, 0.7, 1], \"orientation\": [-0.4518569101145194, -0.3425780439695208, 0.8228861655346195, "
    "0.03638646923661805], \"twist\": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]}],\n"
    " \"shapes\": [{\"name\": \"wedge\", \"body\": 1, \"position\": [0, 0, 0.1], \"orientation\": [0.6, 0.8, 0, 0], "
    "\"restitution\": 0.25,\n"
    "    \"vertices\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], \"faces\": [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, "
    "3, 2]]},\n"
    "   {\"name\": \"floor\", \"body\": -1, \"vertices\": [[-9, -9, 0], [9, -9, 0], [9, 9, 0], [-9, 9, 0], [0, 0, -1], "
    "[0, 0, -0.5]]},\n"
    "   {\"kind\": \"sphere\", \"body\": 0, \"radius\": 0.5, \"friction\": 0.75, \"rolling\": 0.03, \"spinning\": "
    "0.02, \"grain\": [0, 3, 4], \"grain_friction\": 0.125, \"surface_velocity\": [0, 0, 2], \"surface_spin\": [5, 0, "
    "0], \"groups\": 6, \"ignores\": "
    "4294967295}, {\"kind\": \"capsule\", \"body\": 0, "
    "\"radius\": 0.25, \"length\": 2},\n"
    "   {\"kind\": \"cylinder\", \"body\": 1, \"radius\": 0.125, \"length\": 3}, {\"kind\": \"box\", \"half\": [1, 2, "
    "3]}, {\"kind\": \"plane\", \"position\": [0, 0, -7]}],\n"
    " \"forces\": [{\"name\": \"wind\", \"kind\": \"constant\", \"body\": 0, \"point\": [0, 0, 1], \"force\": [1, 0, "
    "0], \"torque\": [0, 2, 0], \"axes\": \"body\"},\n"
    "   {\"name\": \"push\", \"kind\": \"schedule\", \"body\": 1, \"point\": [1, 0, 0], \"axes\": \"world\", "
    "\"samples\": [[0, 1, 2, 3, 4, 5, 6], [0.5, 6, 5, 4, 3, 2, 1]]},\n"
    "   {\"name\": \"rope\", \"kind\": \"spring\", \"body\": 1, \"point\": [1, 1, 0], \"other\": 0, \"other_point\": "
    "[0, 0, 2], \"stiffness\": 7, \"damping\": 0.7, \"rest\": 0.5},\n"
    "   {\"name\": \"air\", \"kind\": \"drag\", \"body\": 0, \"point\": [0, 0, 0.5], \"linear_drag\": 0.1, "
    "\"quadratic_drag\": 0.2, \"angular_drag\": 0.3}],\n"
    " \"motors\": [{\"coordinate\": 2, \"stiffness\": 10, \"position\": 0.5, \"damping\": 1, \"velocity\": -0.5, "
    "\"most\": 20},\n"
    "   {\"coordinate\": 0, \"damping\": 3}],\n"
    " \"ties\": [{\"name\": \"cord\", \"body\": [-1, 1], \"point\": [[0, 0, 9], [0, 0, 1]], \"least\": 1, \"most\": 8, "
    "\"stiffness\": 60, \"damping\": 2, \"break_force\": 99},\n"
    "   {\"kind\": \"pulley\", \"body\": [0, 1], \"wheel\": [[0, 0, 8], [1, 0, 8]], \"ratio\": 2.5, \"most\": 20},\n"
    "   {\"kind\": \"gear\", \"coordinate\": [2, 0], \"ratio\": -3}],\n"
    " \"joint_break\": [[500, null]]}\n";

static void every_field_is_read(void **state)
{
    write_text("w.json", everything);
    assert_true(er_file_is_world(context, sample_path("w.json")));
    er_world_file *w = read_world(sample_path("w.json"));
    const er_world_def *d = &w->def;
    assert_string_equal(w->name, "all of it");
    assert_ptr_equal(d->model, w->model);
    assert_true(d->gravity.y == -9.81 && w->time == -0.5 && w->duration == 3.3 && w->frame_count == 99);
    assert_true(d->enforce_limits && d->route == ER_ROUTE_MULTIPLIERS && d->rotation_state == ER_ROTATION_MATRIX);
    assert_true(d->collide_connected && d->friction_rule == ER_COMBINE_MAXIMUM);
    assert_int_equal(d->restitution_rule, ER_COMBINE_AVERAGE);
    const er_contact_def *c = &d->contact;
    const er_reference_def *reference = &d->reference;
    assert_true(d->apart_count == 1 && d->apart[0].a == 0 && d->apart[0].b == 1 && d->most_impacts == 77);
    assert_true(d->impact_tolerance == 1e-7 && c->substeps == 7 && c->threads == 3 && reference->iterations == 99);
    assert_true(c->frequency == 21.0 && c->damping == 4.0 && c->push_out == 2.5 && c->sleep_time == 0.25);
    assert_true(c->sleep_speed == 0.125 && reference->accuracy == 1e-5 && reference->relaxation == 1.3);
    assert_true(reference->erp == 0.6 && reference->cfm == 1e-4);
    assert_true(reference->solver == ER_REFERENCE_DIRECT && reference->cone);
    assert_true(w->solid[2].groups == 6 && w->solid[2].ignores == 4294967295u && w->solid[3].groups == 0);
    assert_true(d->shape[2].groups == 6 && d->shape[2].ignores == 4294967295u && d->shape[1].ignores == 0);
    assert_true(d->integrator == ER_INTEGRATE_IMPLICIT && d->tolerance == 1e-9 && d->min_step == 1e-8);
    assert_true(d->max_step == 0.0123 && d->drift_tolerance == 1e-7 && d->rest[2] == 0.3 && d->held[1] && !d->held[0]);
    assert_true(w->pose[0].q.z == 0.6 && w->twist[0].angular.y == 2.0 && w->twist[1].linear.z == 0.6);
    // unit to rounding, but not to the last bit: it stays as it is written
    assert_true(w->pose[1].q.w == -0.4518569101145194 && w->pose[1].q.y == 0.8228861655346195);
    assert_true(w->solid_count == 7 && w->solid[0].restitution == 0.25 && w->solid[1].restitution == 1.0);
    assert_true(w->solid[0].body == 1 && w->solid[1].body == -1 && w->solid[0].pose.q.x == 0.8);
    assert_true(fabs(w->solid[0].hull->volume - 1.0 / 6.0) < 1e-15);
    assert_true(fabs(w->solid[1].hull->volume - 108.0) < 1e-12); // 18 x 18 x 1 / 3: the point inside is no corner
    assert_int_equal(w->solid[1].triangle_count, 6);             // four sides, and the square in two
    assert_true(w->solid[1].shape.kind == ER_SHAPE_HULL && w->solid[1].friction == 0.5 && w->solid[2].friction == 0.75);
    assert_true(w->solid[2].shape.kind == ER_SHAPE_SPHERE && w->solid[2].shape.radius == 0.5);
    assert_true(w->solid[3].shape.kind == ER_SHAPE_CAPSULE && w->solid[3].shape.length == 2.0);
    assert_true(w->solid[4].shape.kind == ER_SHAPE_CYLINDER && w->solid[4].shape.length == 3.0);
    assert_true(w->solid[5].shape.kind == ER_SHAPE_BOX && w->solid[5].shape.half.z == 3.0);
    assert_true(w->solid[6].shape.kind == ER_SHAPE_PLANE && d->shape[6].pose.p.z == -7.0);
    assert_true(d->shape_count == 7 && d->shape[0].shape.hull == w->solid[0].hull && d->shape[2].friction == 0.75);
    assert_true(d->force_count == 4 && d->force[0].body_axes && d->force[0].torque.y == 2.0);
    assert_true(d->force[1].sample[1].time == 0.5 && d->force[1].sample[1].torque.z == 1.0 && !d->force[1].body_axes);
    assert_true(d->force[2].other == 0 && d->force[2].damping == 0.7 && d->force[3].quadratic_drag == 0.2);
    assert_true(d->motor_count == 2 && d->motor[0].coordinate == 2 && d->motor[0].most == 20.0);
    assert_true(d->motor[1].most == HUGE_VAL && d->motor[1].damping == 3.0);
    const er_tie *cord = &d->tie[0], *pulley = &d->tie[1], *gear = &d->tie[2];
    assert_true(d->tie_count == 3 && cord->kind == ER_TIE_DISTANCE && cord->body[0] == -1 && cord->body[1] == 1);
    assert_true(cord->point[0].z == 9.0 && cord->point[1].z == 1.0 && cord->least == 1.0 && cord->most == 8.0);
    assert_true(cord->stiffness == 60.0 && cord->damping == 2.0 && cord->break_force == 99.0);
    assert_true(pulley->kind == ER_TIE_PULLEY && pulley->wheel[1].x == 1.0 && pulley->ratio == 2.5);
    assert_true(gear->kind == ER_TIE_GEAR && gear->coordinate[0] == 2 && gear->coordinate[1] == 0);
    assert_true(gear->ratio == -3.0 && gear->most == HUGE_VAL && gear->break_force == HUGE_VAL);
    assert_true(d->joint_break[0].force == 500.0 && d->joint_break[0].torque == HUGE_VAL);
    assert_true(d->shape[2].rolling == 0.03 && d->shape[2].spinning == 0.02 && d->shape[1].rolling == 0.0);
    const er_world_shape *ball = &d->shape[2], *floor = &d->shape[1];
    assert_true(ball->grain.y == 3.0 && ball->grain.z == 4.0 && ball->grain_friction == 0.125);
    assert_true(ball->surface.linear.z == 2.0 && ball->surface.angular.x == 5.0);
    assert_true(er_v3_norm(floor->grain) + floor->grain_friction + er_v3_norm(floor->surface.linear) == 0.0);
    er_world_file_destroy(w);
}

// Two bodies, one of them held, and seven solids, of which the plane stands in the world.
static void a_world_is_a_scene_of_its_solids(void **state)
{
    er_world_file *w = read_world(write_text("w.json", everything));
    const int *node_body = NULL;
    er_scene *scene = NULL;
    assert_int_equal(er_world_file_scene(context, w, &scene, &node_body), ER_OK);
    assert_int_equal(er_scene_validate(context, scene), ER_OK);
    assert_true(er_v3_distance(scene->up, er_v3_unit(er_v3_scale(-1.0, w->def.gravity), er_v3(0, 0, 1))) < 1e-15);
    assert_true(scene->node_count == w->model->body_count + w->solid_count);
    for (int i = 0; i < scene->node_count; ++i) {
        const er_solid *s = i >= w->model->body_count ? &w->solid[i - w->model->body_count] : NULL;
        int body = s == NULL ? w->model->order[i] : s->body;
        assert_int_equal(node_body[i], body >= 0 && !w->def.held[body] ? body : -1);
        if (s != NULL) assert_int_equal(scene->node[i].parent < 0, s->body < 0);
    }
    er_scene_destroy(scene);
    w->def.gravity = er_v3(0, 0, 0);
    assert_true(er_world_file_up(w).z == 1.0);
    assert_int_equal(er_world_file_scene(context, NULL, &scene, &node_body), ER_ERROR_ARGUMENT);
    assert_true(scene == NULL && node_body == NULL);
    er_world_file_destroy(w);
}

// docs/formats.md says of each value what it is when left out.
static void what_is_left_out_is_as_the_manual_says(void **state)
{
    const char *rig = strstr(everything, "\"rig\""), *end = strstr(everything, " \"gravity\"");
    char text[8192];
    snprintf(text, sizeof text,
             "{\"format\": \"eigenrig-world\", \"version\": 1, %.*s \"duration\": 2, \"frames\": 3,\n"
             "\"shapes\": [{\"kind\": \"sphere\", \"radius\": 1}],\n"
             "\"forces\": [{\"kind\": \"spring\", \"body\": 1}, {\"kind\": \"constant\", \"body\": 0}],\n"
             "\"motors\": [{\"coordinate\": 1}], \"state\": [{}, {\"twist\": [1, 0, 0, 0, 0, 0]}]}",
             (int)(end - rig), rig);
    er_world_file *w = read_world(write_text("w.json", text));
    er_world_def usual = er_default_world_def();
    const er_world_def *d = &w->def;
    assert_true(d->gravity.x == 0.0 && d->gravity.y == 0.0 && d->gravity.z == 0.0 && w->time == 0.0);
    assert_true(d->route == usual.route && d->rotation_state == usual.rotation_state &&
                d->integrator == ER_INTEGRATE_FEHLBERG);
    assert_true(d->tolerance == usual.tolerance && d->min_step == usual.min_step && d->max_step == usual.max_step);
    assert_true(d->drift_tolerance == usual.drift_tolerance && !d->enforce_limits && d->collide_connected == false);
    assert_true(d->rest == NULL && d->held == NULL && d->apart_count == 0);
    assert_true(d->most_impacts == usual.most_impacts && d->impact_tolerance == usual.impact_tolerance);
    assert_true(d->friction_rule == usual.friction_rule && d->restitution_rule == usual.restitution_rule);
    const er_contact_def *c = &d->contact, *own = &usual.contact;
    const er_reference_def *s = &d->reference, *usual_s = &usual.reference;
    assert_true(c->substeps == own->substeps && c->frequency == own->frequency && c->damping == own->damping);
    assert_true(c->push_out == own->push_out && c->threads == own->threads && s->solver == usual_s->solver);
    assert_true(c->sleep_time == own->sleep_time && c->sleep_speed == own->sleep_speed);
    assert_true(s->iterations == usual_s->iterations && s->accuracy == usual_s->accuracy &&
                s->relaxation == usual_s->relaxation);
    assert_true(s->erp == usual_s->erp && s->cfm == usual_s->cfm && s->joint_erp == NULL && s->joint_cfm == NULL &&
                !s->cone);
    assert_true(d->shape_count == 1 && w->solid[0].body == -1 && w->solid[0].pose.q.w == 1.0);
    assert_true(w->solid[0].restitution == 1.0 && w->solid[0].friction == 0.5);
    assert_true(w->solid[0].groups == 0 && w->solid[0].ignores == 0);
    assert_true(d->force[0].other == -1 && d->force[0].stiffness == 0.0 && d->force[0].rest == 0.0);
    assert_true(!d->force[1].body_axes && er_v3_norm(d->force[1].force) == 0.0 && er_v3_norm(d->force[1].point) == 0.0);
    assert_true(d->motor[0].coordinate == 1 && d->motor[0].most == HUGE_VAL && d->motor[0].stiffness == 0.0);
    for (int b = 0; b < 2; ++b) {
        const er_pose *rest = &w->model->body[b].pose;
        assert_true(er_v3_distance(w->pose[b].p, rest->p) == 0.0 && w->pose[b].q.w == rest->q.w);
        assert_true(w->twist[b].angular.x == b && er_v3_norm(w->twist[b].linear) == 0.0);
    }
    er_world_file_destroy(w);
}

static void expect_same_when_written(const char *path)
{
    er_world_file *w = read_world(path);
    const char *first = sample_path("first.json"), *second = sample_path("second.json");
    if (er_world_file_write(context, w, first) != ER_OK) fail_msg("%s", er_context_error(context));
    er_world_file *back = read_world(first);
    expect_same_world(w, back, 0.0);
    assert_string_equal(w->name, back->name);
    assert_int_equal(er_world_file_write(context, back, second), ER_OK);
    size_t a, b;
    char *x = read_bytes(first, &a), *y = read_bytes(second, &b);
    assert_int_equal(a, b);
    assert_memory_equal(x, y, a);
    free(x);
    free(y);
    er_world_file_destroy(back);
    er_world_file_destroy(w);
}

static void what_is_written_reads_back_to_the_bit(void **state)
{
    static const char *const models[] = {"bacin/9.2.cfg",      "bacin/9.3.cfg", "bacin/9.4.cfg",
                                         "bacin/9.5.cfg",      "bacin/9.6.cfg", "scenes/hovercraft.json",
                                         "scenes/ragdoll.json"};
    expect_same_when_written(write_text("w.json", everything));
    write_set();
    expect_same_when_written(sample_path("s.cfg"));
    for (size_t i = 0; i < ERI_COUNT(models); ++i) {
        char path[4096];
        snprintf(path, sizeof path, "%s/models/%s", getenv("EIGENRIG_SOURCE"), models[i]);
        expect_same_when_written(path);
    }
}

// A world's rig is a model like another.
static void a_world_is_a_rig_too(void **state)
{
    er_model *model = NULL;
    assert_int_equal(er_rig_file_read(context, write_text("w.json", everything), NULL, NULL, &model), ER_OK);
    assert_int_equal(model->body_count, 2);
    er_model_destroy(model);
    assert_false(er_file_is_world(context, write_text("r.json", "{\"format\": \"eigenrig-rig\"}")));
    assert_false(er_file_is_world(context, sample_path("none.json")));
}

// ---- refusals

static void expect_refused(const char *text, const char *where, const char *what)
{
    er_world_file *w = NULL;
    er_result r = er_world_file_read(context, write_text("w.json", text), &w);
    const char *why = er_context_error(context);
    if (w != NULL) fail_msg("%s is taken", what);
    assert_refusal(context, r, r == ER_ERROR_RIG ? r : ER_ERROR_FORMAT, where);
    assert_int_equal(strncmp(why, sample_folder(), strlen(sample_folder())), 0);
    assert_null(strchr(why, '\n'));
}

// The text with one value put in the place of another; a path of keys and indices leads there.
static char *changed(json_t *root, json_t *parent, const char *key, size_t index, json_t *value)
{
    json_t *old = json_incref(key != NULL ? json_object_get(parent, key) : json_array_get(parent, index));
    if (key != NULL)
        json_object_set_new(parent, key, value);
    else
        json_array_set_new(parent, index, value);
    char *text = json_dumps(root, 0);
    if (key != NULL)
        json_object_set_new(parent, key, old);
    else
        json_array_set_new(parent, index, old);
    return text;
}

static int tried;

// Puts each wrong value in the place of each value below `at`, but of names and sources.
static void spoil(json_t *root, json_t *at)
{
    const char *key = NULL;
    json_t *value;
    void *next = json_object_iter(at);
    size_t count = json_is_array(at) ? json_array_size(at) : json_object_size(at);
    for (size_t i = 0; i < count; ++i) {
        if (json_is_object(at)) {
            key = json_object_iter_key(next);
            value = json_object_iter_value(next);
            next = json_object_iter_next(at, next);
        } else {
            value = json_array_get(at, i);
        }
        json_t *wrong[] = {json_string("?"), json_real(1e60), json_object()};
        for (size_t k = 0; k < 3; ++k) {
            bool name = k == 0 && key != NULL && (strcmp(key, "name") == 0 || strcmp(key, "source") == 0);
            bool limit =
                k == 1 && strstr(key != NULL ? key : "", "limits") == NULL && json_array_size(at) == 2 && key == NULL;
            bool rest = k == 2 && (json_object_get(value, "twist") != NULL || json_object_get(value, "erp") != NULL);
            // a body may be at rest where it is, and contact be as usual
            if (name || limit || rest) {
                json_decref(wrong[k]);
                continue;
            }
            char *text = changed(root, at, key, i, wrong[k]);
            expect_refused(text, "", key != NULL ? key : "an entry");
            free(text);
            ++tried;
        }
        if (json_is_array(value) || json_is_object(value)) spoil(root, value);
    }
}

static void every_value_of_another_kind_is_refused(void **state)
{
    json_t *root = json_loads(everything, 0, NULL);
    assert_non_null(root);
    spoil(root, root);
    assert_true(tried > 500);
    json_decref(root);
}

static const struct {
    const char *from, *to, *where;
} faults[] = {
    {"eigenrig-world", "eigenrig-scene", "eigenrig-world"},
    {"\"version\": 1, \"name\": \"all", "\"version\": 2, \"name\": \"all", "version"},
    {"\"gravity\"", "\"gravitation\"", "gravitation"},
    {"\"gravity\"", "\"gravty\"", "gravty"},
    {"\"sleep_time\"", "\"sleeptime\"", "contact.sleeptime"},
    {"\"solver\": \"direct\"", "\"solver\": \"magic\"", "contact.solver"},
    {"\"apart\": [[0, 1]]", "\"apart\": [[1, 0]]", "apart"},
    {"\"apart\": [[0, 1]]", "\"apart\": [[0, 2]]", "apart"},
    {"\"duration\": 3.3", "\"duration\": 0", "duration"},
    {"\"frames\": 99", "\"frames\": 99.5", "frames"},
    {"\"max_step\": 0.0123", "\"max_step\": 0", "max_step"},
    {"\"route\": \"multipliers\"", "\"route\": \"scenic\"", "route"},
    {"\"rest\": [0.1, 0.2, 0.3]", "\"rest\": [0.1, 0.2]", "rest"},
    {"\"held\": [1]", "\"held\": [2]", "held"},
    {"\"orientation\": [0.8, 0, 0, 0.6]", "\"orientation\": [0.8, 0, 0, 0.5]", "state[0].orientation"},
    {"\"twist\": [1, 2, 3, 4, 5, 6]", "\"twist\": [1, 2, 3]", "state[0].twist"},
    {"\"body\": 1, \"position\"", "\"body\": 2, \"position\"", "shapes[0].body"},
    {"\"kind\": \"sphere\"", "\"kind\": \"torus\"", "shapes[2].kind"},
    {"\"radius\": 0.5", "\"radius\": 0", "shapes[2]"},
    {"\"radius\": 0.5", "\"length\": 0.5", "shapes[2].length"},
    {"\"half\": [1, 2, 3]", "\"half\": [1, 2]", "shapes[5].half"},
    {"\"half\": [1, 2, 3]", "\"name\": \"\"", "shapes[5]"},
    {"[0, 3, 2]]", "[0, 3, 4]]", "shapes[0].faces"},
    {"[0, 3, 2]]", "[0, 2, 3]]", "shapes[0]"},
    {"[0, 0, 1]], \"faces\"", "[1, 1, 0]], \"faces\"", "shapes[0]"},
    {"\"kind\": \"constant\", ", "", "forces[0].kind"},
    {"\"kind\": \"drag\"", "\"kind\": \"lift\"", "forces[3].kind"},
    {"\"angular_drag\": 0.3", "\"stiffness\": 0.3", "forces[3].stiffness"},
    {"\"linear_drag\": 0.1", "\"linear_drag\": -0.1", "forces[3].linear_drag"},
    {"\"kind\": \"spring\", \"body\": 1", "\"kind\": \"spring\", \"body\": 0", "forces[2].other"},
    {"\"kind\": \"schedule\", \"body\": 1", "\"kind\": \"schedule\"", "forces[1].body"},
    {"[0.5, 6, 5,", "[0, 6, 5,", "forces[1].samples"},
    {"\"coordinate\": 2", "\"coordinate\": 3", "motors[0].coordinate"},
    {"\"coordinate\": 0, ", "", "motors[1].coordinate"},
    {"\"most\": 20", "\"most\": 0", "motors[0].most"},
    {"\"body\": [-1, 1]", "\"body\": [-1, 2]", "ties[0].body"},
    {"\"kind\": \"pulley\"", "\"kind\": \"crane\"", "ties[1].kind"},
    {"[[0, 0, 8], [1, 0, 8]]", "[[0, 0, 8]]", "ties[1].wheel"},
    {"\"coordinate\": [2, 0]", "\"coordinate\": [2, 3]", "ties[2].coordinate"},
    {"\"break_force\": 99", "\"break_force\": 0", "ties[0].break_force"},
    {"[[500, null]]", "[[0, null]]", "joint_break"},
    {"\"rolling\": 0.03", "\"rolling\": -1", "shapes[2].rolling"},
    {"\"grain\": [0, 3, 4]", "\"grain\": [0, 3]", "shapes[2].grain"},
    {"\"grain_friction\": 0.125", "\"grain_friction\": -1", "shapes[2].grain_friction"},
    {"\"surface_velocity\": [0, 0, 2]", "\"surface_velocity\": 2", "shapes[2].surface_velocity"},
    {"\"surface_spin\": [5, 0, 0]", "\"surface_spin\": \"x\"", "shapes[2].surface_spin"},
    {"\"mass\": 3.5", "\"mass\": 0", "trunk"},
    {"]}\n", "]", "w.json"},
};

static char *replaced(const char *from, const char *to)
{
    static char text[8192];
    const char *at = strstr(everything, from);
    if (at == NULL) fail_msg("\"%s\" is not there", from);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - everything), everything, to, at + strlen(from));
    return text;
}

static void faults_are_told_with_their_place(void **state)
{
    for (size_t i = 0; i < ERI_COUNT(faults); ++i)
        expect_refused(replaced(faults[i].from, faults[i].to), faults[i].where, faults[i].to);
}

static er_world_file *read_replaced(const char *from, const char *to)
{
    return read_world(write_text("w.json", replaced(from, to)));
}

// The last value of each that is taken, and the next one, which is not.
static void bounds_are_where_the_manual_has_them(void **state)
{
    static const struct {
        const char *from, *taken, *refused;
    } cases[] = {{"\"groups\": 6", "\"groups\": 0", "\"groups\": -1"},
                 {"\"groups\": 6", "\"groups\": 4294967295", "\"groups\": 4294967296"},
                 {"\"substeps\": 7", "\"substeps\": 1", "\"substeps\": 0"},
                 {"\"substeps\": 7", "\"substeps\": 1000", "\"substeps\": 1001"},
                 {"\"threads\": 3", "\"threads\": 8", "\"threads\": 9"},
                 {"\"iterations\": 99", "\"iterations\": 1000000", "\"iterations\": 1000001"},
                 {"\"most_impacts\": 77", "\"most_impacts\": 1000000000", "\"most_impacts\": 1000000001"},
                 {"\"most_impacts\": 77", "\"most_impacts\": null", "\"most_impacts\": 1.5"},
                 {"\"frames\": 99", "\"frames\": 1", "\"frames\": 0"},
                 {"\"frames\": 99", "\"frames\": 1000000", "\"frames\": 1000001"},
                 {"\"tolerance\": 1e-9", "\"tolerance\": 1", "\"tolerance\": 1.001"},
                 {"\"tolerance\": 1e-9", "\"tolerance\": 1e-14", "\"tolerance\": 9e-15"},
                 {"\"impact_tolerance\": 1e-7", "\"impact_tolerance\": 1e-3", "\"impact_tolerance\": 1.001e-3"},
                 {"\"impact_tolerance\": 1e-7", "\"impact_tolerance\": 1e-13", "\"impact_tolerance\": 9e-14"},
                 {"\"min_step\": 1e-8", "\"min_step\": 0.0123", "\"min_step\": 0.0124"},
                 {"\"min_step\": 1e-8", "\"min_step\": 0", "\"min_step\": -1e-9"},
                 {"\"erp\": 0.6", "\"erp\": 1", "\"erp\": 1.001"},
                 {"\"erp\": 0.6", "\"erp\": 0", "\"erp\": -0.001"},
                 {"\"relaxation\": 1.3", "\"relaxation\": 1.999", "\"relaxation\": 2"},
                 {"\"relaxation\": 1.3", "\"relaxation\": 0.001", "\"relaxation\": 0"},
                 {"\"restitution\": 0.25", "\"restitution\": 0", "\"restitution\": -0.001"},
                 {"\"restitution\": 0.25", "\"restitution\": 1", "\"restitution\": 1.001"},
                 {"\"friction\": 0.75", "\"friction\": 0", "\"friction\": -0.001"},
                 {"\"drift_tolerance\": 1e-7", "\"drift_tolerance\": 1e-300", "\"drift_tolerance\": 0"},
                 {"\"gravity\": [0,", "\"gravity\": [1e50,", "\"gravity\": [1.1e50,"},
                 {"\"time\": -0.5", "\"time\": -1e50", "\"time\": -1.1e50"},
                 {"\"time\": -0.5", "\"time\": null", "\"time\": []"},
                 {"\"held\": [1]", "\"held\": [0, 1]", "\"held\": [-1]"},
                 {"\"held\": [1]", "\"held\": []", "\"held\": 1"},
                 {"\"apart\": [[0, 1]]", "\"apart\": []", "\"apart\": [[0, 1, 1]]"},
                 {"\"apart\": [[0, 1]]", "\"apart\": null", "\"apart\": [[0, 0]]"},
                 {"\"apart\": [[0, 1]]", "\"apart\": [[0, 1], [0, 1]]", "\"apart\": [[-1, 1]]"},
                 {"\"body\": 1, \"position\"", "\"body\": -1, \"position\"", "\"body\": -2, \"position\""},
                 {"\"other\": 0", "\"other\": -1", "\"other\": -2"},
                 {"\"coordinate\": 0", "\"coordinate\": 1", "\"coordinate\": -1"},
                 {"\"stiffness\": 7", "\"stiffness\": 0", "\"stiffness\": -0.001"},
                 {"\"position\": 0.5", "\"position\": -1e50", "\"position\": 1.1e50"},
                 {"\"orientation\": [0.8, 0, 0, 0.6]", "\"orientation\": [0.8, 0, 0, 0.6007]",
                  "\"orientation\": [0.8, 0, 0, 0.601]"},
                 {"[0, 3, 2]]", "[0, 3, 2]]", "[0, 3, -1]]"},
                 {"[0, 3, 2]]", "[0, 3, 2]]", "[0, 3, 2, 1]]"},
                 {"\"faces\": [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]", "\"faces\": null",
                  "\"faces\": [[0, 2, 1], [0, 1, 3], [1, 2, 3]]"},
                 {"[[0, 1, 2, 3, 4, 5, 6], [0.5, 6, 5, 4, 3, 2, 1]]",
                  "[[0, 1, 2, 3, 4, 5, 6], [0.5, 6, 5, 4, 3, 2, 1]]", "[[0, 1, 2, 3, 4, 5, 6]]"},
                 {"\"name\": \"wedge\"", "\"name\": null", "\"name\": 1"}};
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        char field[40]; // is named
        er_world_file_destroy(read_replaced(cases[i].from, cases[i].taken));
        snprintf(field, sizeof field, "%.*s", (int)strcspn(cases[i].refused + 1, "\""), cases[i].refused + 1);
        expect_refused(replaced(cases[i].from, cases[i].refused), cases[i].refused[0] == '"' ? field : "",
                       cases[i].refused);
    }
}

// Each of some words is what it says.
static void choices_are_what_they_say(void **state)
{
    static const struct {
        const char *from, *key, *word[8];
        size_t at;
    } cases[] = {
        {"\"route\": \"multipliers\"", "route", {"reduced", "multipliers"}, offsetof(er_world_def, route)},
        {"\"rotation_state\": \"matrix\"",
         "rotation_state",
         {"quaternion", "matrix"},
         offsetof(er_world_def, rotation_state)},
        {"\"integrator\": \"implicit\"",
         "integrator",
         {[ER_INTEGRATE_EULER] = "euler",
          [ER_INTEGRATE_SEMI_IMPLICIT] = "semi_implicit",
          [ER_INTEGRATE_HEUN] = "heun",
          [ER_INTEGRATE_RK4] = "rk4",
          [ER_INTEGRATE_FEHLBERG] = "fehlberg",
          [ER_INTEGRATE_IMPLICIT] = "implicit",
          [ER_INTEGRATE_CONTACT] = "contact"},
         offsetof(er_world_def, integrator)},
        {"\"friction_rule\": \"maximum\"",
         "friction_rule",
         {[ER_COMBINE_AVERAGE] = "average",
          [ER_COMBINE_GEOMETRIC_MEAN] = "geometric_mean",
          [ER_COMBINE_MINIMUM] = "minimum",
          [ER_COMBINE_MAXIMUM] = "maximum",
          [ER_COMBINE_MULTIPLY] = "multiply"},
         offsetof(er_world_def, friction_rule)},
        {"\"restitution_rule\": \"average\"",
         "restitution_rule",
         {[ER_COMBINE_AVERAGE] = "average",
          [ER_COMBINE_GEOMETRIC_MEAN] = "geometric_mean",
          [ER_COMBINE_MINIMUM] = "minimum",
          [ER_COMBINE_MAXIMUM] = "maximum",
          [ER_COMBINE_MULTIPLY] = "multiply"},
         offsetof(er_world_def, restitution_rule)},
        {"\"solver\": \"direct\"", "solver", {"projected", "direct"}, offsetof(er_world_def, reference.solver)}};
    for (size_t i = 0; i < ERI_COUNT(cases); ++i)
        for (int k = 0; k < 8 && cases[i].word[k] != NULL; ++k) {
            char to[80];
            snprintf(to, sizeof to, "\"%s\": \"%s\"", cases[i].key, cases[i].word[k]);
            er_world_file *w = read_replaced(cases[i].from, to), *back;
            assert_int_equal(*(const int *)(const void *)((const char *)&w->def + cases[i].at), k);
            assert_int_equal(er_world_file_write(context, w, sample_path("out.json")), ER_OK);
            back = read_world(sample_path("out.json"));
            expect_same_world(w, back, 0.0);
            er_world_file_destroy(back);
            er_world_file_destroy(w);
        }
}

// A letter too many in any word is told with the word that is meant.
static void mistype(json_t *root, json_t *at)
{
    if (json_is_array(at)) {
        for (size_t i = 0; i < json_array_size(at); ++i)
            mistype(root, json_array_get(at, i));
        return;
    }
    size_t count = json_object_size(at), n = 0;
    const char *keys[64], *key;
    json_t *value;
    json_object_foreach(at, key, value) keys[n++] = key;
    for (size_t i = 0; i < count; ++i) {
        char word[80];
        if (strcmp(keys[i], "rig") != 0) mistype(root, json_object_get(at, keys[i]));
        snprintf(word, sizeof word, "%s%c", keys[i], keys[i][strlen(keys[i]) - 1]);
        json_object_set_new(at, word, json_integer(1));
        char *text = json_dumps(root, 0);
        expect_refused(text, word, keys[i]);
        free(text);
        json_object_del(at, word);
        ++tried;
    }
}

static void every_word_is_known(void **state)
{
    json_t *root = json_loads(everything, 0, NULL);
    assert_non_null(root);
    tried = 0;
    mistype(root, root);
    assert_true(tried > 90);
    json_decref(root);
}

// Slips in the rig are told, as of a rig file; words of other programs are not.
static void slips_in_the_rig_are_told(void **state)
{
    static const struct {
        const char *from, *to, *told; // NULL: nothing
    } cases[] = {
        {"\"mass\": 3.5", "\"massa\": 1, \"mass\": 3.5", "rig.bodies[0].massa"},
        {"\"source\": \"\"", "\"coat\": 7, \"source\": \"\"", NULL},
    };
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        er_world_file *w = read_replaced(cases[i].from, cases[i].to);
        assert_int_equal(w->note_count, cases[i].told != NULL);
        if (w->note_count > 0) assert_true(w->note[0].kind == ER_NOTE_WARNING);
        if (w->note_count > 0) assert_non_null(strstr(w->note[0].text, cases[i].told));
        er_world_file_destroy(w);
    }
}

static void worlds_are_told_apart(void **state)
{
    static const struct {
        const char *text;
        bool world;
    } cases[] = {{"{\"format\": \"eigenrig-world\"}", true},
                 {" \t\r\n{\"eigenrig-world\"", true},
                 {"{\"eigenrig-worlds\"}", false},
                 {"[\"eigenrig-world\"]", false},
                 {"\v{\"eigenrig-world\"}", false},
                 {"", false},
                 {"  ", false}};
    for (size_t i = 0; i < ERI_COUNT(cases); ++i) {
        assert_int_equal(er_file_is_world(context, write_text("any", cases[i].text)), cases[i].world);
    }
    unlink(sample_path("any"));
    assert_int_equal(mkfifo(sample_path("any"), 0600), 0); // nobody waits for a pipe
    assert_false(er_file_is_world(context, sample_path("any")));
    assert_false(er_file_is_world(context, sample_folder()));
    assert_true(er_file_is_world(context, "none.cfg"));
    assert_false(er_file_is_world(NULL, "none.cfg") || er_file_is_world(context, NULL));
}

static void calls_without_sense_are_refused(void **state)
{
    er_world_file *w = NULL;
    assert_int_equal(er_world_file_read(context, NULL, &w), ER_ERROR_ARGUMENT);
    assert_int_equal(er_world_file_read(NULL, "w.json", &w), ER_ERROR_ARGUMENT);
    assert_int_equal(er_world_file_read(context, "w.json", NULL), ER_ERROR_ARGUMENT);
    assert_int_equal(er_world_file_read(context, sample_path("none.json"), &w), ER_ERROR_FILE);
    assert_null(w);
    assert_int_equal(er_world_file_write(context, NULL, "w.json"), ER_ERROR_ARGUMENT);
    w = read_world(write_text("w.json", everything));
    assert_int_equal(er_world_file_write(NULL, w, sample_path("none.json")), ER_ERROR_ARGUMENT);
    assert_int_equal(er_world_file_write(context, w, NULL), ER_ERROR_ARGUMENT);
    assert_int_not_equal(access(sample_path("none.json"), F_OK), 0);
    er_world_file_destroy(w);
    er_world_file_destroy(NULL);
}

// A choice beyond its words was an index beyond a table.
static void choices_and_numbers_that_are_none_are_not_written(void **state)
{
    static const char *const fields[] = {"friction_rule", "restitution_rule", "route",   "rotation_state",
                                         "integrator",    "contact.solver",   "solid 2", "force 1",
                                         "pair 0",        "none.json"};
    er_world_file *w = read_world(write_text("w.json", everything));
    for (int i = 0; i < 10; ++i) {
        er_world_file wrong = *w;
        er_solid solid[7];
        er_force force[4];
        memcpy(solid, w->solid, sizeof solid);
        memcpy(force, w->def.force, sizeof force);
        wrong.solid = solid;
        wrong.def.force = force;
        if (i == 0) wrong.def.friction_rule = (er_combination)5;
        if (i == 1) wrong.def.restitution_rule = (er_combination)-1;
        if (i == 2) wrong.def.route = (er_dynamics_route)2;
        if (i == 3) wrong.def.rotation_state = (er_rotation_state)99;
        if (i == 4) wrong.def.integrator = (er_integrator)99;
        if (i == 5) wrong.def.reference.solver = (er_reference_solver)2;
        if (i == 6) solid[2].shape.kind = ER_SHAPE_MESH;
        if (i == 7) force[1].kind = (er_force_kind)4;
        if (i == 8) wrong.def.apart = NULL;
        if (i == 9) wrong.duration = NAN;
        er_result r = er_world_file_write(context, &wrong, sample_path("none.json"));
        assert_refusal(context, r, ER_ERROR_ARGUMENT, fields[i]);
        assert_int_equal(access(sample_path("none.json"), F_OK), -1);
    }
    er_world_file_destroy(w);
}

static er_result read_one(er_context *own, const void *of)
{
    er_world_file *w = NULL;
    er_result r = er_world_file_read(own, of, &w);
    er_world_file_destroy(w);
    return r;
}

static void any_allocation_may_fail(void **state)
{
    ledger_refuse_each(read_one, write_text("w.json", everything), NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_field_is_read),
        cmocka_unit_test(a_world_is_a_scene_of_its_solids),
        cmocka_unit_test(what_is_left_out_is_as_the_manual_says),
        cmocka_unit_test(what_is_written_reads_back_to_the_bit),
        cmocka_unit_test(a_world_is_a_rig_too),
        cmocka_unit_test(every_value_of_another_kind_is_refused),
        cmocka_unit_test(faults_are_told_with_their_place),
        cmocka_unit_test(bounds_are_where_the_manual_has_them),
        cmocka_unit_test(choices_are_what_they_say),
        cmocka_unit_test(every_word_is_known),
        cmocka_unit_test(slips_in_the_rig_are_told),
        cmocka_unit_test(worlds_are_told_apart),
        cmocka_unit_test(calls_without_sense_are_refused),
        cmocka_unit_test(choices_and_numbers_that_are_none_are_not_written),
        cmocka_unit_test(any_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, open_set, close_set);
}
