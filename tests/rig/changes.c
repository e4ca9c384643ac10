// Changes of rigs made and refused, and what comes of a joint.
#include "changes.h"

er_model *changed(const er_model *model, const er_rig_change *change)
{
    er_model *out = NULL;
    if (er_rig_change_model(context, model, change, &out) != ER_OK) fail_msg("%s", er_context_error(context));
    return out;
}

void refused(const er_model *model, const er_rig_change *change, const char *named)
{
    er_model *out = (er_model *)&change;
    assert_refusal(context, er_rig_change_model(context, model, change, &out), ER_ERROR_ARGUMENT, named);
    assert_null(out);
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
