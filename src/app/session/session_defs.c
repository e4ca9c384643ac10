// Parents, feet and facing of the setup as definitions of the library.
#include <stdlib.h>
#include <string.h>

#include "app/project/write_description.h"
#include "app/session/session_inside.h"

static bool is_reparented(const session *s, const session_setup *setup, const char *bone)
{
    char own[PROJECT_NODE_NAME];
    bool is = false;
    for (int i = 0; i < setup->reparent_count; ++i)
        is |= strcmp(project_node_name(s->file.scene, setup->reparent[i].bone, own), bone) == 0;
    return is;
}

er_result session_list_reparents(const session *s, const session_setup *setup, er_hang **out, int *count)
{
    size_t most = (size_t)s->def.hang_count + (size_t)setup->reparent_count + 1;
    er_hang *hang = malloc(most * (sizeof *hang + 2 * PROJECT_NODE_NAME));
    *out = hang;
    *count = 0;
    if (hang == NULL) return eri_no_memory(s->context);
    char(*own)[PROJECT_NODE_NAME] = (char(*)[PROJECT_NODE_NAME])(hang + most);
    for (int i = 0; i < s->def.hang_count; ++i)
        if (!is_reparented(s, setup, s->def.hang[i].bone)) hang[(*count)++] = s->def.hang[i];
    for (int i = 0; i < setup->reparent_count; ++i, own += 2) {
        const session_reparent *h = &setup->reparent[i];
        hang[(*count)++] =
            (er_hang){project_node_name(s->file.scene, h->bone, own[0]),
                      h->parent >= 0 ? project_node_name(s->file.scene, h->parent, own[1]) : NULL, false};
    }
    return ER_OK;
}

er_gait_def session_gait_def(const session_setup *setup)
{
    er_gait_def def = er_default_gait_def();
    def.feet = setup->feet[0] != '\0' ? setup->feet : NULL;
    def.forward = setup->forward;
    return def;
}

er_result session_read_gait_body(session *s, const untuned *f, const session_setup *setup, er_gait_body **out)
{
    er_gait_def def = session_gait_def(setup);
    return er_gait_body_read(s->context, f->model, f->rig, &def, out);
}
