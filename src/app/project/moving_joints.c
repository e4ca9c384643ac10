// The joints that a mode moves most.
#include "app/project/moving_joints.h"

static bool is_among(const int *list, int count, int k)
{
    bool found = false;
    for (int i = 0; i < count; ++i)
        found |= list[i] == k;
    return found;
}

int project_moving_joints(const er_model *model, const er_mode *mode, double *travel, int most, int *joint)
{
    int count = 0;
    er_mode_joint_travel(model, mode, travel);
    for (; count < most; ++count) {
        int best = -1;
        for (int k = 0; k < model->joint_count; ++k)
            if (travel[k] > 0.0 && !is_among(joint, count, k) && (best < 0 || travel[k] > travel[best] * (1.0 + 1e-9)))
                best = k;
        if (best < 0 || (count > 0 && travel[best] < 0.25 * travel[joint[0]])) break;
        joint[count] = best;
    }
    return count;
}
