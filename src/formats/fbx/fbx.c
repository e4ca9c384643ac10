// An FBX file from its parts: what is found out about the scene, then objects and connections.
#include <string.h>

#include "formats/fbx/fbx_writer.h"
#include "formats/scene_writer.h"

// The scene with all clips as its own, which is then a scene that can be checked as any other.
static er_result join_clips(er_arena *arena, const er_scene *scene, int clip_count, const er_clip *clip, bool keep,
                            er_scene *all)
{
    er_result r = ER_OK;
    er_clip *joined;
    size_t own = keep && scene->clip_count > 0 && scene->clip != NULL ? (size_t)scene->clip_count : 0,
           added = (size_t)clip_count;
    ERI_TRY_NEW(joined, arena, er_clip, own + added);
    if (added > 0) memcpy(joined, clip, added * sizeof *joined);
    if (own > 0) memcpy(joined + added, scene->clip, own * sizeof *joined);
    *all = *scene;
    all->clip = joined;
    all->clip_count = (int)(own + added);
done:
    return r;
}

// The axis nearest to a direction.
static int nearest_axis(er_vec3 v, int *sign)
{
    const double a[3] = {v.x, v.y, v.z};
    int axis = 1; // Y, where two are as near
    for (int i = 0; i < 3; ++i)
        if (fabs(a[i]) > fabs(a[axis])) axis = i;
    *sign = a[axis] < 0.0 ? -1 : 1;
    return axis;
}

static er_result put_all(eri_fbx_writer *w)
{
    er_result r = ER_OK;
    ERI_TRY(eri_fbx_put_nodes(w));
    ERI_TRY(eri_fbx_put_materials(w));
    ERI_TRY(eri_fbx_put_draws(w));
    eri_fbx_put_pose(w);
    ERI_TRY(eri_fbx_put_clips(w));
    r = eri_fbx_save(w->document);
done:
    return r;
}

er_result er_fbx_write(er_context *context, const er_scene *scene, int clip_count, const er_clip *clip,
                       const er_export_def *def, const char *path)
{
    er_result r = eri_scene_writer_check(context, "er_fbx_write", scene, clip_count, clip, &def, path);
    if (r != ER_OK) return r;
    if (!er_path_ends_in(path, ".fbx") && strcmp(path, "-") != 0)
        return er_fail(context, ER_ERROR_ARGUMENT, "%s: cannot be written: FBX files end in .fbx", path);
    er_arena *arena = NULL;
    eri_fbx_document document = {0};
    er_scene all;
    int sign;
    ERI_TRY(eri_arena_create(context, &arena));
    ERI_TRY(join_clips(arena, scene, clip_count, clip, !def->drop_clips, &all));
    ERI_TRY(eri_scene_check(context, &all, path));
    eri_fbx_writer writer = {.document = &document,
                             .scene = &all,
                             .added = clip_count,
                             .unit = 100.0 * all.metres_per_unit,
                             .names = {.arena = arena}};
    int up = nearest_axis(all.up, &sign);
    eri_fbx_begin(&document, arena, path);
    ERI_TRY(eri_fbx_survey_clips(&writer));
    eri_fbx_put_head(&document, up, sign, eri_fbx_longest(&all), all.fps);
    ERI_TRY(eri_fbx_find_bones(&writer));
    ERI_TRY(eri_fbx_plan_draws(&writer));
    ERI_TRY(put_all(&writer));
done:
    eri_fbx_finish(&document);
    eri_arena_destroy(arena);
    return r;
}
