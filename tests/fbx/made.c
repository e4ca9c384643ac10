#include "made.h"

#include <string.h>

#include "base/text.h"

er_scene *made_scene(er_arena *arena, const char *name)
{
    er_scene *scene = make_scene(arena, name);
    for (int i = 0; scene != NULL && i < scene->node_count; ++i) {
        er_node *node = (er_node *)(uintptr_t)&scene->node[i];
        node->name = er_utf8_repair(arena, node->name);
    }
    for (int i = 0; scene != NULL && i < scene->clip_count; ++i) {
        er_clip *clip = (er_clip *)(uintptr_t)&scene->clip[i];
        clip->name = er_utf8_repair(arena, clip->name);
    }
    return scene;
}

er_clip made_clip(er_arena *arena, const er_scene *scene, const char *name)
{
    er_clip clip = make_clip(arena, scene, name);
    er_channel *sorted = ER_NEW(arena, er_channel, clip.channel_count + 1);
    int count = 0;
    for (int node = 0; node < scene->node_count; ++node)
        for (int i = 0; i < clip.channel_count; ++i)
            if (clip.channel[i].node == node) sorted[count++] = clip.channel[i];
    clip.channel = sorted;
    return clip;
}
