// The evidence for a bone's parent, in words.
#include "app/project/explain_parent.h"

#include <stdio.h>

void project_explain_parent(const er_rig *rig, int node, char *out, size_t size)
{
    const er_attachment *attachment = &rig->attachment[node];
    const er_node *all = rig->scene->node;
    int up = all[node].parent, used = 0;
    char name[84];
    const char *const why[] = {
        [ER_EVIDENCE_NONE] = "",
        [ER_EVIDENCE_NODE] = "",
        [ER_EVIDENCE_END] = "begins at its end",
        [ER_EVIDENCE_SKIN] = "shares most skin with it",
        [ER_EVIDENCE_NEAR] = "touches nothing, and that is nearest",
        [ER_EVIDENCE_PLACE] = "hangs on a bone in its place",
        [ER_EVIDENCE_DISTANCE] = "nearest of its siblings",
        [ER_EVIDENCE_GIVEN] = "as somebody says",
    };
    *out = '\0';
    if (*why[attachment->evidence] != '\0') used = snprintf(out, size, "%s", why[attachment->evidence]);
    if (used > 0 && (size_t)used < size && up >= 0 && *all[up].name != '\0') {
        er_text_plain(all[up].name, name, sizeof name);
        used += snprintf(out + used, size - (size_t)used, " (the node hangs on %s)", name);
    }
    if (attachment->share > 0.0 && (size_t)used < size)
        snprintf(out + used, size - (size_t)used, "%s%.0f %% of its skin", used > 0 ? "; " : "",
                 100.0 * attachment->share);
}
