// The present state of a session: its model, rig, scene and modes, and queries about them.
#include <stdio.h>

#include "app/project/moving_joints.h"
#include "app/session/session_inside.h"

bool session_is_open(const session *s)
{
    return s->in.untuned != NULL;
}

er_result session_check_open(const session *s)
{
    return session_is_open(s) ? ER_OK : er_fail(s->context, ER_ERROR_ARGUMENT, "no model is open");
}

const char *session_path(const session *s)
{
    return s->path != NULL ? s->path : "";
}

const char *session_description_path(const session *s)
{
    return s->described != NULL ? s->described->path : "";
}

const er_model *session_model(const session *s)
{
    return s->in.tuned != NULL ? s->in.tuned->model : NULL;
}

bool session_is_world(const session *s)
{
    return s->file.world != NULL;
}

const er_rig *session_rig(const session *s)
{
    return s->in.untuned != NULL ? s->in.untuned->rig : NULL;
}

const er_recording_target *session_target(const session *s)
{
    return s->in.untuned != NULL ? &s->in.untuned->shown.target : NULL;
}

const er_scene *session_scene(const session *s)
{
    return s->file.scene;
}

const er_modes *session_modes(const session *s)
{
    return s->in.solution.modes;
}

int session_note_count(const session *s)
{
    return session_rig(s) != NULL ? s->file.scene->note_count + session_rig(s)->note_count : 0;
}

static const er_note *note_of(const session *s, int i)
{
    if (i < 0 || i >= session_note_count(s)) return NULL;
    int first = s->file.scene->note_count;
    return i < first ? &s->file.scene->note[i] : &session_rig(s)->note[i - first];
}

const char *session_note(const session *s, int i)
{
    const er_note *note = note_of(s, i);
    return note != NULL ? note->text : "";
}

bool session_note_warns(const session *s, int i)
{
    const er_note *note = note_of(s, i);
    return note != NULL && note->kind == ER_NOTE_WARNING;
}

unsigned session_scene_version(const session *s)
{
    return s->scene_version;
}

unsigned session_shape_version(const session *s)
{
    return s->shape_version;
}

unsigned session_modes_version(const session *s)
{
    return s->modes_version;
}

const char *session_message(const session *s)
{
    return s->message;
}

const er_mode *session_mode(const session *s, int index)
{
    return er_modes_find(s->in.solution.modes, index);
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
        length += snprintf(size > 0 ? text + used : NULL, size - used, "%s%s", i > 0 ? ", " : "",
                           t->model->joint[joint[i]].name);
    }
    return length;
}

double session_joint_hz(const session *s, int joint)
{
    if (!session_is_open(s) || joint < 0 || joint >= s->in.tuned->model->joint_count) return 0.0;
    const er_model *model = s->in.tuned->model;
    int at = model->coordinate[joint];
    if (at == model->coordinate[joint + 1] || s->in.tuned->unit[at] == 0.0) return 0.0;
    return sqrt(model->joint[joint].stiffness[0] / s->in.tuned->unit[at]);
}

const session_setup *session_get(const session *s)
{
    return &s->now.setup;
}
