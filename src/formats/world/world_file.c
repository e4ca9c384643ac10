// A world as files have it: begun, its solids completed, freed.
#include "formats/world/world_file.h"

#include <string.h>

er_result eri_world_file_begin(er_context *context, er_world_file **out)
{
    er_result r = ER_OK;
    er_arena *arena = NULL;
    er_world_file *file;
    ERI_TRY(eri_arena_create(context, &arena));
    ERI_TRY_NEW(file, arena, er_world_file, 1);
    file->arena = arena;
    file->name = "";
    file->def = er_default_world_def();
    file->def.integrator = ER_INTEGRATE_FEHLBERG; // of a file that names none
    *out = file;
    arena = NULL;
done:
    eri_arena_destroy(arena);
    return r;
}

void er_world_file_destroy(er_world_file *file)
{
    if (file == NULL) return;
    for (int i = 0; i < file->solid_count; ++i)
        er_hull_destroy((er_hull *)file->solid[i].hull);
    er_model_destroy((er_model *)file->model);
    eri_arena_destroy(file->arena);
}

er_result eri_world_file_add_shapes(er_world_file *file)
{
    er_result r = ER_OK;
    er_world_shape *shape;
    if (!file->collide) return ER_OK;
    ERI_TRY_NEW(shape, file->arena, er_world_shape, file->solid_count);
    for (int i = 0; i < file->solid_count; ++i) {
        const er_solid *s = &file->solid[i];
        shape[i] = er_default_world_shape();
        shape[i].name = s->name;
        shape[i].shape = s->shape;
        shape[i].shape.hull = s->hull;
        shape[i].body = s->body;
        shape[i].pose = s->pose;
        shape[i].restitution = s->restitution;
        shape[i].friction = s->friction;
        shape[i].rolling = s->rolling;
        shape[i].spinning = s->spinning;
        shape[i].grain = s->grain;
        shape[i].grain_friction = s->grain_friction;
        shape[i].surface = s->surface;
        shape[i].groups = s->groups;
        shape[i].ignores = s->ignores;
    }
    file->def.shape_count = file->solid_count;
    file->def.shape = shape;
done:
    return r;
}

// Each face as a fan; its corners are the hull's vertices, which are some of the solid's.
static er_result fan(er_arena *arena, const er_hull *hull, er_solid *solid)
{
    er_result r = ER_OK;
    int *triangle, count = 0;
    ERI_TRY_NEW(triangle, arena, int, 6 * (size_t)hull->edge_count);
    for (int f = 0; f < hull->face_count; ++f) {
        const int *corner = hull->face_vertex + hull->face_start[f];
        for (int k = 2; k < hull->face_start[f + 1] - hull->face_start[f]; ++k, ++count)
            for (int i = 0; i < 3; ++i)
                triangle[3 * count + i] = hull->source[corner[i == 0 ? 0 : k + i - 2]];
    }
    solid->triangle_count = count;
    solid->triangle = triangle;
done:
    return r;
}

er_result eri_solid_complete(er_arena *arena, bool collide, er_solid *solid)
{
    er_context *context = eri_arena_context(arena);
    bool surface = solid->triangle_count > 0;
    er_hull *hull = NULL;
    er_result r = ER_OK;
    solid->hull = NULL;
    if (surface && collide)
        r = er_hull_create_faces(context, solid->vertex_count, solid->vertex, solid->triangle_count, solid->triangle,
                                 &hull);
    else if (!surface)
        r = er_hull_create(context, solid->vertex_count, solid->vertex, &hull);
    if (r == ER_OK && !surface) r = fan(arena, hull, solid);
    if (collide)
        solid->hull = hull;
    else
        er_hull_destroy(hull);
    return r;
}
