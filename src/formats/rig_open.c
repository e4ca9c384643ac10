/// @file
/// Any file that holds a rig, opened by one call: a model, whose rig is built, a rig file, or a palette's rig.
#include <eigenrig/formats.h>

#include "base/arena.h"

/// The caller's struct, with its private parts behind it.
typedef struct rig_opening {
    er_opened out; // first, so that a pointer to it is one to all
    er_arena *arena;
    er_model *own;   // of a rig file
    er_scene *scene; // of a model, as its rig
    er_rig *rig;
    eri_notes notes;
    er_result heard; // of the last note
} rig_opening;

static void hear(void *user, const char *text)
{
    rig_opening *o = user;
    if (o->heard == ER_OK) o->heard = eri_notes_add(&o->notes, ER_NOTE_WARNING, "%s", text);
}

static er_result take_notes(rig_opening *o, int count, const er_note *note)
{
    er_result r = ER_OK;
    for (int i = 0; i < count && r == ER_OK; ++i)
        r = eri_notes_add(&o->notes, note[i].kind, "%s", note[i].text);
    return r;
}

static er_result open_rig_file(er_context *context, const char *path, const er_rig_def *def, rig_opening *o)
{
    er_result r = ER_OK;
    er_model *changed = NULL;
    ERI_TRY(er_rig_file_read(context, path, hear, o, &o->own));
    ERI_TRY(o->heard);
    if (def != NULL && def->change != NULL) {
        ERI_TRY(er_rig_change_model(context, o->own, def->change, &changed));
        er_model_destroy(o->own);
        o->own = changed;
    }
    o->out.model = o->own;
done:
    return r;
}

static er_result open_model(er_context *context, const char *path, const er_import_def *import, const er_rig_def *def,
                            rig_opening *o)
{
    er_result r = ER_OK;
    if (def != NULL && def->pose == ER_POSE_GIVEN)
        return er_fail(context, ER_ERROR_ARGUMENT, "%s: a given pose needs the scene: import it, then build the rig",
                       path);
    ERI_TRY(er_import_file(context, path, import, &o->scene));
    ERI_TRY(take_notes(o, o->scene->note_count, o->scene->note));
    ERI_TRY(er_rig_build(context, o->scene, def, &o->rig));
    ERI_TRY(take_notes(o, o->rig->note_count, o->rig->note));
    o->out.scene = o->scene;
    o->out.rig = o->rig;
    o->out.model = o->rig->model;
done:
    return r;
}

er_result er_file_open(er_context *context, const char *path, const er_import_def *import, const er_rig_def *def,
                       er_opened **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (path == NULL) return er_fail(context, ER_ERROR_ARGUMENT, "er_file_open needs a path");
    er_result r = ER_OK;
    er_arena *arena = NULL;
    rig_opening *o = NULL;
    ERI_TRY(eri_arena_create(context, &arena));
    ERI_TRY_NEW(o, arena, rig_opening, 1);
    o->arena = arena;
    o->notes.arena = arena;
    r = er_file_is_rig(context, path) ? open_rig_file(context, path, def, o)
                                      : open_model(context, path, import, def, o);
    o->out.note_count = o->notes.count;
    o->out.note = o->notes.items;
    if (r == ER_OK) *out = &o->out;
done:
    if (r != ER_OK && o != NULL)
        er_opened_destroy(&o->out);
    else if (r != ER_OK)
        eri_arena_destroy(arena);
    return r;
}

void er_opened_destroy(er_opened *opened)
{
    if (opened == NULL) return;
    rig_opening *o = (rig_opening *)(void *)opened;
    er_model_destroy(o->own);
    er_rig_destroy(o->rig);
    er_scene_destroy(o->scene);
    eri_arena_destroy(o->arena);
}
