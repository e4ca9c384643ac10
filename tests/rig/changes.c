// Changes of rigs made and refused, and what comes of a joint.
#include "changes.h"

#include <string.h>

er_context *context;

int set_up(void **state)
{
    return er_context_create(NULL, &context) == ER_OK ? 0 : -1;
}

int tear_down(void **state)
{
    measured_report();
    er_context_destroy(context);
    return 0;
}

er_model *changed(const er_model *model, const er_rig_change *change)
{
    er_model *out = NULL;
    if (er_rig_change_model(context, model, change, &out) != ER_OK) fail_msg("%s", er_context_error(context));
    return out;
}

void refused(const er_model *model, const er_rig_change *change, const char *word)
{
    er_model *out = (er_model *)&change;
    assert_int_equal(er_rig_change_model(context, model, change, &out), ER_ERROR_ARGUMENT);
    assert_null(out);
    if (strstr(er_context_error(context), word) == NULL)
        fail_msg("\"%s\" lacks \"%s\"", er_context_error(context), word);
}

er_rig_change of_joints(int count, const er_joint_change *joint)
{
    er_rig_change change = er_default_rig_change();
    change.joint_count = count;
    change.joint = joint;
    return change;
}

er_joint_change joints(const char *pattern)
{
    er_joint_change change = er_default_joint_change();
    change.pattern = pattern;
    return change;
}

void starved(const er_model *model, const er_rig_change *change)
{
    er_result r = ER_ERROR_MEMORY;
    for (long k = 1; r != ER_OK; ++k) {
        ledger l = {.left = k};
        er_context *own = ledger_context(&l);
        l.left = k;
        er_model *out = (er_model *)&l;
        r = er_rig_change_model(own, model, change, &out);
        assert_true(r == ER_OK || (r == ER_ERROR_MEMORY && out == NULL));
        if (r == ER_OK) er_model_destroy(out);
        ledger_end(&l, own);
    }
}
