// A file that holds a rig, opened by one call: its notes, what is changed, and what is missing.
#include "support/context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <eigenrig/formats.h>

#include "support/hand.h"
#include "support/sample.h"

// Three joints in glTF, a rotation of which is not unit, as the importer tells; the rig has notes of its own.
static const char *arm(void)
{
    static const char text[] = "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],\"nodes\":["
                               "{\"name\":\"a\",\"rotation\":[0,0,0,2],\"children\":[1]},"
                               "{\"name\":\"b\",\"translation\":[0,1,0],\"children\":[2]},"
                               "{\"name\":\"c\",\"translation\":[0,1,0]}],\"skins\":[{\"joints\":[0,1,2]}]}";
    return sample_write("arm.gltf", text, strlen(text));
}

static const char *stick(void)
{
    return sample_write("stick.bvh", sample_bvh, strlen(sample_bvh));
}

static void notes_of_the_model_come_before_those_of_its_rig(void **state)
{
    const char *(*const makers[])(void) = {arm, stick};
    for (int i = 0; i < 2; ++i) {
        er_opened *opened = NULL;
        er_scene *scene = NULL;
        er_rig *rig = NULL;
        const char *path = makers[i]();
        er_rig_def def = er_default_rig_def();
        def.mass = i == 0 ? 0.0 : 7.0;
        assert_int_equal(er_file_open(context, path, NULL, &def, &opened), ER_OK);
        assert_int_equal(er_import_file(context, path, NULL, &scene), ER_OK);
        rig = hand_rig(context, scene, &def);
        assert_true(scene->note_count > 0);
        assert_true(rig->note_count > 0 && opened->note_count == scene->note_count + rig->note_count);
        for (int k = 0; k < opened->note_count; ++k) {
            const er_note *want = k < scene->note_count ? &scene->note[k] : &rig->note[k - scene->note_count];
            assert_int_equal(opened->note[k].kind, want->kind);
            assert_string_equal(opened->note[k].text, want->text);
        }
        assert_true(opened->model == opened->rig->model && opened->scene != NULL);
        assert_true(opened->model->body[0].mass == rig->model->body[0].mass);
        er_opened_destroy(opened);
        er_rig_destroy(rig);
        er_scene_destroy(scene);
    }
}

static void what_is_missing_is_told(void **state)
{
    er_opened *opened = (er_opened *)&opened;
    assert_int_equal(er_file_open(context, "a", NULL, NULL, NULL), ER_ERROR_ARGUMENT);
    assert_int_equal(er_file_open(NULL, "a", NULL, NULL, &opened), ER_ERROR_ARGUMENT);
    assert_null(opened);
    opened = (er_opened *)&opened;
    assert_int_equal(er_file_open(context, NULL, NULL, NULL, &opened), ER_ERROR_ARGUMENT);
    assert_null(opened);
    er_rig_def def = er_default_rig_def();
    def.pose = ER_POSE_GIVEN;
    assert_int_equal(er_file_open(context, stick(), NULL, &def, &opened), ER_ERROR_ARGUMENT);
    assert_null(opened);
    opened = (er_opened *)&opened;
    assert_int_equal(er_file_open(context, "nowhere.glb", NULL, NULL, &opened), ER_ERROR_FILE);
    assert_null(opened);
    er_opened_destroy(NULL);
}

// A rig file has no scene; a change that fits no joint of it is refused, whatever was opened given back.
static void a_rig_file_is_changed_as_it_is_opened(void **state)
{
    er_opened *opened = NULL, *again = NULL;
    char path[300];
    snprintf(path, sizeof path, "%s/stick.json", sample_folder());
    assert_int_equal(er_file_open(context, stick(), NULL, NULL, &opened), ER_OK);
    assert_int_equal(er_rig_file_write(context, opened->model, path), ER_OK);
    er_joint_change stiff = er_default_joint_change();
    er_rig_change change = er_default_rig_change();
    er_rig_def def = er_default_rig_def();
    stiff.pattern = "*";
    stiff.stiffness = 7.0;
    change.joint_count = 1;
    change.joint = &stiff;
    assert_int_equal(er_file_open(context, path, NULL, &def, &again), ER_OK); // which changes nothing
    assert_true(again->scene == NULL && again->rig == NULL && again->note_count == 0);
    assert_int_equal(again->model->joint_count, opened->model->joint_count);
    assert_true(again->model->joint[1].stiffness[0] == opened->model->joint[1].stiffness[0]);
    er_opened_destroy(again);
    def.change = &change;
    assert_int_equal(er_file_open(context, path, NULL, &def, &again), ER_OK);
    assert_true(again->model->joint[1].stiffness[0] == 7.0 && again->scene == NULL && again->rig == NULL);
    er_opened_destroy(again);
    stiff.pattern = "nothing like it";
    assert_int_not_equal(er_file_open(context, path, NULL, &def, &again), ER_OK);
    assert_null(again);
    er_opened_destroy(opened);
    assert_int_equal(unlink(path), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(notes_of_the_model_come_before_those_of_its_rig),
        cmocka_unit_test(what_is_missing_is_told),
        cmocka_unit_test(a_rig_file_is_changed_as_it_is_opened),
    };
    return cmocka_run_group_tests_name("open", tests, set_up, tear_down);
}
