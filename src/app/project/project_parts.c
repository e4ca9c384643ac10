// Bodies by the names of regions and by patterns.
#include "app/project/project_parts.h"

#include <stdio.h>
#include <string.h>

#include "app/settings/setting.h"
#include "base/platform.h"
#include "base/suggest.h"

typedef struct part_search {
    const er_model *model;
    suggestion nearest;
    int count;
    bool *found;
} part_search;

static void take_region(part_search *s, const er_regions *regions, int region)
{
    for (int i = 0; i < regions->region[region].body_count; ++i)
        s->found[regions->region[region].body[i]] = true;
    ++s->count;
}

static void search_regions(part_search *s, const er_regions *regions, const char *word)
{
    for (int i = 0; i < regions->count; ++i) {
        suggestion_try(&s->nearest, regions->region[i].name);
        if (strcmp(regions->region[i].name, word) == 0) take_region(s, regions, i);
    }
    for (int g = 0; g < regions->group_count && s->count == 0; ++g) {
        const er_region_group *group = &regions->group[g];
        suggestion_try(&s->nearest, group->name);
        for (int i = 0; i < group->region_count && strcmp(group->name, word) == 0; ++i)
            take_region(s, regions, group->region[i]);
    }
}

static void search_bodies(part_search *s, const char *pattern)
{
    for (int b = 0; b < s->model->body_count; ++b) {
        suggestion_try(&s->nearest, s->model->body[b].name);
        if (!eri_platform_match(pattern, s->model->body[b].name)) continue;
        s->found[b] = true;
        ++s->count;
    }
}

// The names of all parts: groups, and regions that stand alone.
static void list_parts(const er_regions *regions, char *text, size_t size)
{
    size_t length = 0;
    *text = '\0';
    for (int i = 0; i < regions->group_count + regions->count; ++i) {
        bool group = i < regions->group_count, grouped = false;
        const char *name = group ? regions->group[i].name : regions->region[i - regions->group_count].name;
        for (int g = 0; g < regions->group_count && !group; ++g)
            for (int k = 0; k < regions->group[g].region_count; ++k)
                grouped |= regions->group[g].region[k] == i - regions->group_count;
        if (grouped || length + strlen(name) + 3 > size) continue;
        length += (size_t)snprintf(text + length, size - length, "%s%s", length > 0 ? ", " : "", name);
    }
}

er_result project_find_parts(er_context *context, const er_model *model, const er_regions *regions, const char *option,
                             const char *names, bool hanging, bool *found)
{
    int words = 0;
    char word[256], text[SUGGESTION_TEXT], parts[512];
    memset(found, 0, (size_t)model->body_count * sizeof *found);
    for (const char *rest = names; setting_next_word(&rest, word, sizeof word) != NULL;) {
        if (*word == '\0') continue;
        part_search s = {.model = model, .nearest = {.word = word}, .found = found};
        if (regions != NULL) search_regions(&s, regions, word);
        if (s.count == 0) search_bodies(&s, word);
        if (s.count == 0 && regions != NULL) {
            list_parts(regions, parts, sizeof parts);
            return er_fail(context, ER_ERROR_ARGUMENT,
                           "%s %s: no body and no part of the body has this name%s; its parts are %s", option, word,
                           suggestion_text(&s.nearest, text), *parts != '\0' ? parts : "unknown");
        }
        if (s.count == 0)
            return er_fail(context, ER_ERROR_ARGUMENT, "%s %s: no body has this name%s", option, word,
                           suggestion_text(&s.nearest, text));
        ++words;
    }
    if (words == 0) return er_fail(context, ER_ERROR_ARGUMENT, "%s \"%s\" names no body", option, names);
    for (int i = 0; i < model->body_count && hanging; ++i) {
        int b = model->order[i], parent = model->tree_parent[b];
        found[b] |= parent >= 0 && found[parent];
    }
    return ER_OK;
}
