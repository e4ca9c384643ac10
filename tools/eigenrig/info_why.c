// Why a bone hangs where it does, in words.
#include "tools/eigenrig/info.h"

void info_why(const er_scene *scene, const er_rig *rig, int node, char *out, size_t size)
{
    const er_link *link = &rig->link[node];
    int up = scene->node[node].parent;
    const char *const why[] = {
        [ER_EVIDENCE_NONE] = "",
        [ER_EVIDENCE_NODE] = "",
        [ER_EVIDENCE_END] = "begins at its end",
        [ER_EVIDENCE_SKIN] = "shares most skin with it",
        [ER_EVIDENCE_NEAR] = "touches nothing, and that is nearest",
        [ER_EVIDENCE_PLACE] = "hangs on a bone in its place",
        [ER_EVIDENCE_DISTANCE] = "nearest of its siblings",
        [ER_EVIDENCE_SAID] = "the description says so",
    };
    int used = 0;
    *out = '\0';
    if (*why[link->by] != '\0') used = snprintf(out, size, "; %s", why[link->by]);
    if (used > 0 && (size_t)used < size && up >= 0 && *scene->node[up].name != '\0')
        used += snprintf(out + used, size - (size_t)used, " (the node hangs on %.80s)", plain(scene->node[up].name));
    if (link->share > 0.0 && (size_t)used < size)
        snprintf(out + used, size - (size_t)used, "; %.0f %% of its skin", 100.0 * link->share);
}
