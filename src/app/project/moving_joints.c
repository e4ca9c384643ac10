#include "app/project/moving_joints.h"

#include <stdio.h>

#include "app/session/inside.h"

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

int session_moving_joints(const session *s, int index, int count, char *text, size_t size)
{
    enum { MOST = 16 };
    int joint[MOST], length = 0;
    const er_mode *mode = session_mode(s, index);
    if (size > 0) text[0] = '\0';
    if (mode == NULL || mode->kind == ER_MODE_RIGID) return 0;
    const tuned *t = s->in.tuned;
    count = project_moving_joints(t->model, mode, t->travel, count < MOST ? count : MOST, joint);
    for (int i = 0; i < count; ++i) {
        size_t used = (size_t)length < size ? (size_t)length : size;
        length += snprintf(text + used, size - used, "%s%s", i > 0 ? ", " : "", t->model->joint[joint[i]].name);
    }
    return length;
}
