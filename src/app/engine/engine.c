// A living scene, from its begin to its end.
#include <stdlib.h>

#include "app/engine/engine_inside.h"
#include "base/failure.h"

static engine_view default_view(void)
{
    return (engine_view){.eye = {0, 2, 8},
                         .fov = 0.8,
                         .ambient = {0.25f, 0.25f, 0.25f},
                         .top = {0.35f, 0.35f, 0.38f},
                         .bottom = {0.15f, 0.15f, 0.17f},
                         .shading = ENGINE_PHONG,
                         .shadows = true};
}

er_result engine_create(er_context *context, engine **out)
{
    *out = NULL;
    engine *e = calloc(1, sizeof *e);
    if (e == NULL) return eri_no_memory_for(context, "a scene");
    *e = (engine){.context = context, .settings = engine_default_settings(), .view = default_view()};
    const engine_material plain = engine_default_material();
    if (engine_add_material(e, &plain) < 0) {
        engine_destroy(e);
        return eri_no_memory_for(context, "a scene");
    }
    *out = e;
    return ER_OK;
}

void engine_destroy(engine *e)
{
    if (e == NULL) return;
    engine_destroy_world(e);
    for (int i = 0; i < e->actor_count; ++i)
        engine_free_actor(&e->actor[i]);
    for (int i = 0; i < e->joint_count; ++i)
        engine_free_joint(&e->joint[i]);
    for (int i = 0; i < e->tie_count; ++i)
        engine_free_tie(&e->tie[i]);
    for (int i = 0; i < e->character_count; ++i)
        engine_free_character(e->character[i]);
    free(e->actor);
    free(e->joint);
    free(e->tie);
    free(e->broken);
    free(e->fall);
    free(e->character);
    for (int i = 0; i < e->hull_count; ++i)
        er_hull_destroy(e->hull[i]);
    free(e->hull);
    free(e->apart);
    free(e->material);
    free(e->point);
    free(e->contact);
    free(e->contact_before);
    free(e->event);
    free(e);
}
