// The twin of a name, by pairs of texts that tell left from right.
#include <string.h>

#include "base/suggest.h"
#include "rig/change.h"

er_result eri_names_fail(er_context *context, const er_model *model, const char *what, const char *name, int count,
                         eri_name_of known)
{
    suggestion meant = {.word = name};
    for (int i = 0; i < count; ++i)
        suggestion_try(&meant, known(model, i));
    if (meant.best == NULL) return er_fail(context, ER_ERROR_ARGUMENT, "no %s of the rig is called \"%s\"", what, name);
    return er_fail(context, ER_ERROR_ARGUMENT, "no %s of the rig is called \"%s\"; did you mean \"%s\"", what, name,
                   meant.best);
}

static er_result check_pairs(er_context *context, const er_rig_change *change)
{
    if (change->pair_count < 0 || (change->pair_count > 0 && change->pair == NULL))
        return er_fail(context, ER_ERROR_ARGUMENT, "%d pairs of names were not given", change->pair_count);
    for (int i = 0; i < change->pair_count; ++i) {
        const char *left = change->pair[i].left, *right = change->pair[i].right;
        if (left == NULL || right == NULL || *left == '\0' || *right == '\0' || strcmp(left, right) == 0)
            return er_fail(context, ER_ERROR_ARGUMENT, "a pair of names needs two texts that differ");
    }
    return ER_OK;
}

// The name with the first text of the pair in it replaced by the other; NULL where it has none.
static er_result twin_name(er_arena *scratch, const er_name_pair *pair, const char *name, const char **out)
{
    const char *left = strstr(name, pair->left), *right = strstr(name, pair->right);
    bool is_left = left != NULL && (right == NULL || left <= right);
    const char *at = is_left ? left : right;
    *out = NULL;
    if (at == NULL) return ER_OK;
    *out = eri_arena_printf(scratch, "%.*s%s%s", (int)(at - name), name, is_left ? pair->right : pair->left,
                            at + strlen(is_left ? pair->left : pair->right));
    return *out != NULL ? ER_OK : ER_ERROR_MEMORY;
}

static int find_name(const er_model *model, int count, eri_name_of name, const char *wanted)
{
    int i = 0;
    while (i < count && strcmp(name(model, i), wanted) != 0)
        ++i;
    return i < count ? i : -1;
}

er_result eri_twins_find(er_arena *scratch, const er_model *model, const er_rig_change *change, int count,
                         eri_name_of name, int *twin)
{
    er_result r = ER_OK;
    ERI_TRY(check_pairs(eri_arena_context(scratch), change));
    for (int k = 0; k < count; ++k) {
        twin[k] = -1;
        for (int i = 0; i < change->pair_count && twin[k] < 0; ++i) {
            const char *other;
            ERI_TRY(twin_name(scratch, &change->pair[i], name(model, k), &other));
            if (other != NULL) twin[k] = find_name(model, count, name, other);
        }
    }
done:
    return r;
}
