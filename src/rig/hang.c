// Parents of bones that the caller gives (er_rig_def.hang).
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "rig/build.h"

static er_result find_bone(const builder *b, const char *name, int *out)
{
    int found = 0;
    char text[SUGGESTION_TEXT];
    suggestion meant = {.word = name};
    for (int i = 0; i < b->scene->node_count; ++i) {
        if (!b->bone[i]) continue;
        suggestion_try(&meant, b->name[i]);
        if (strcmp(b->name[i], name) != 0) continue;
        *out = i;
        ++found;
    }
    if (found == 1) return ER_OK;
    return er_fail(b->context, ER_ERROR_ARGUMENT, "hang: %s called \"%s\"%s",
                   found == 0 ? "no bone is" : "several bones are", name,
                   found == 0 ? suggestion_text(&meant, text) : "");
}

// The bone of the parent of a bone's body, or -1.
static int parent_body(const builder *b, int bone)
{
    int up = b->weights->parent[bone]; // as it was found
    while (up >= 0 && b->body[up] == bone)
        up = b->weights->parent[up];
    return up >= 0 ? b->body[up] : -1;
}

static bool has_bone(const builder *b, const char *name)
{
    int i = 0;
    while (i < b->scene->node_count && !(b->bone[i] && strcmp(b->name[i], name) == 0))
        ++i;
    return i < b->scene->node_count;
}

static er_result apply_hang(builder *b, const er_hang *hang)
{
    er_result r = ER_OK;
    int bone = -1, on = -1;
    if (hang->optional && !(has_bone(b, hang->bone) && (hang->on == NULL || has_bone(b, hang->on)))) return ER_OK;
    ERI_TRY(find_bone(b, hang->bone, &bone));
    if (hang->on != NULL) ERI_TRY(find_bone(b, hang->on, &on));
    if (parent_body(b, bone) == on) return ER_OK;
    b->parent[bone] = on;
    b->attachment[bone] = (er_attachment){on, ER_EVIDENCE_GIVEN, 0.0};
done:
    return r;
}

// Each walk up stops where an earlier one went, so all of them together are as long as the tree.
static er_result refuse_cycles(builder *b)
{
    er_result r = ER_OK;
    int *way;
    ERI_TRY_NEW(way, b->scratch, int, b->scene->node_count);
    for (int i = 0; i < b->scene->node_count; ++i) {
        int at = i;
        for (; at >= 0 && way[at] == 0; at = b->parent[at])
            way[at] = i + 1;
        if (at >= 0 && way[at] == i + 1)
            ERI_TRY(er_fail(b->context, ER_ERROR_ARGUMENT, "hang: \"%s\" would be its own ancestor", b->name[i]));
    }
done:
    return r;
}

// Corrects the parents that were found, which are kept for rigs like this one.
er_result eri_rig_apply_hangs(builder *b)
{
    er_result r = ER_OK;
    size_t n = (size_t)b->scene->node_count;
    int *parent, dropped;
    er_attachment *attachment;
    ERI_TRY_NEW(parent, b->notes.arena, int, n);
    ERI_TRY_NEW(attachment, b->notes.arena, er_attachment, n);
    memcpy(parent, b->parent, n * sizeof *parent);
    memcpy(attachment, b->attachment, n * sizeof *attachment);
    b->weights->parent = parent;
    b->weights->attachment = attachment;
    if (b->def.hang_count > 0) ERI_TRY(eri_rig_find_bodies(b, &dropped));
    for (int i = 0; i < b->def.hang_count; ++i)
        ERI_TRY(apply_hang(b, &b->def.hang[i]));
    ERI_TRY(refuse_cycles(b));
done:
    return r;
}
