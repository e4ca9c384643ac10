// Mix files, presets and exports.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/project/outputs.h"
#include "app/project/project_motion.h"
#include "app/project/project_page.h"
#include "app/project/project_preset.h"
#include "app/session/session_inside.h"

session_export session_default_export(void)
{
    return (session_export){.fps = FRAMES_A_SECOND};
}

static er_result nothing_plays(const session *s)
{
    return er_fail(s->context, ER_ERROR_ARGUMENT, "nothing plays: choose a mode first");
}

// --- mixes

er_result session_save_mix(session *s, const char *path)
{
    er_mix *mix = NULL;
    er_result r = session_check_open(s);
    if (r != ER_OK) return r;
    r = session_make_mix(s->context, session_model(s), session_modes(s), &s->now.setup, 1.0, &mix);
    if (r == ER_OK) r = mix != NULL ? er_mix_file_write(s->context, mix, path) : nothing_plays(s);
    er_mix_destroy(mix);
    return r;
}

static er_result take_components(session *s, const er_mix *mix, session_setup *setup, bool *shaped)
{
    if (mix->component_count > SESSION_MAX_COMPONENTS)
        return er_fail(s->context, ER_ERROR_ARGUMENT, "the mix has %d modes; %d are the most here",
                       mix->component_count, SESSION_MAX_COMPONENTS);
    *shaped = false;
    setup->component_count = mix->component_count;
    for (int i = 0; i < mix->component_count; ++i) {
        const er_mix_component *v = &mix->component[i];
        if (v->harmonic > 0 && mix->cycle == 0.0)
            return er_fail(s->context, ER_ERROR_ARGUMENT,
                           "mode %d of the mix is harmonic %d of a cycle that is not given", v->mode, v->harmonic);
        double hz = v->harmonic > 0 ? v->harmonic / mix->cycle : v->hz;
        setup->component[i] = (session_component){.mode = v->mode, .degrees = v->degrees, .hz = hz, .phase = v->phase};
        *shaped |= v->attack > 0.0 || v->decay > 0.0 || v->damping != 0.0;
    }
    session_show_mix(setup);
    snprintf(setup->mix_name, sizeof setup->mix_name, "%s", mix->name);
    size_t end = strlen(setup->mix_name);
    while (end > 0 && strlen(mix->name) > end && ((unsigned char)mix->name[end] & 0xc0) == 0x80)
        setup->mix_name[--end] = '\0'; // cut between characters
    return ER_OK;
}

// Puts the plants of a preset into the setup.
static er_result name_plants(const session *s, const project_plants *plants, session_setup *setup)
{
    const char *names = plants->count > 0 ? plants->names : "";
    if (strlen(names) >= sizeof setup->plant)
        return er_fail(s->context, ER_ERROR_ARGUMENT,
                       "the preset's list of planted bodies has %zu letters; %zu are the most", strlen(names),
                       sizeof setup->plant - 1);
    snprintf(setup->plant, sizeof setup->plant, "%s", names);
    return ER_OK;
}

er_result session_take_preset(session *s, const char *name)
{
    const project_listener listener = session_listen(s);
    er_mix *mix = NULL;
    project_plants plants = {0};
    bool shaped;
    er_result r = session_check_open(s);
    if (r != ER_OK) return r;
    session_commit(s);
    session_setup setup = s->now.setup;
    er_gait_def gait = session_gait_def(&setup);
    r = project_make_preset(s->context, session_model(s), session_rig(s), session_modes(s), &gait, name, &listener,
                            &plants, NULL, &mix);
    if (r == ER_OK) r = take_components(s, mix, &setup, &shaped);
    setup.over[0] = '\0';
    if (r == ER_OK) r = name_plants(s, &plants, &setup);
    if (r == ER_OK) r = session_set(s, &setup, true);
    if (r == ER_OK && s->warnings[0] != '\0') snprintf(s->message, sizeof s->message, "%.255s", s->warnings);
    project_plants_clear(&plants);
    er_mix_destroy(mix);
    return r;
}

er_result session_load_mix(session *s, const char *path)
{
    er_mix *mix = NULL, *fitted = NULL;
    session_setup setup = s->now.setup;
    bool shaped = false;
    er_result r = session_check_open(s);
    if (r != ER_OK) return r;
    session_commit(s);
    r = er_mix_file_read(s->context, path, &mix);
    if (r == ER_OK)
        r = project_fit_mix(s->context, session_model(s), session_rig(s), session_modes(s), mix, NULL, &fitted);
    if (r == ER_OK) r = take_components(s, fitted, &setup, &shaped);
    if (r == ER_OK) r = session_set(s, &setup, true);
    if (r == ER_OK && shaped)
        snprintf(s->message, sizeof s->message,
                 "the mix swells or dies away; here it goes on, and an export can do so");
    er_mix_destroy(mix);
    er_mix_destroy(fitted);
    return r;
}

er_result session_played(session *s, er_mix **mix, const er_clip **clip, const er_hold **plant, int *plant_count)
{
    const session_setup *setup = &s->now.setup;
    const char *over = setup->over[0] != '\0' ? setup->over : NULL;
    *mix = NULL;
    *clip = NULL;
    er_result r = session_check_open(s);
    if (r != ER_OK) return r;
    const project_follow *followed = &s->in.playback->followed;
    *plant = s->in.plants != NULL ? s->in.plants->hold : NULL;
    *plant_count = s->in.plants != NULL ? s->in.plants->count : 0;
    r = session_make_mix(s->context, session_model(s), session_modes(s), setup, s->in.playback->share, mix);
    if (r == ER_OK && followed->count > 0)
        *clip = &followed->recording[0]->clip;
    else if (r == ER_OK)
        r = project_find_over(s->context, s->file.scene, over, NULL, clip);
    return r;
}

// --- exports

// All elastic modes as clips.
static er_result write_palette(session *s, const session_export *def, const project_listener *listener,
                               const char *path)
{
    project_palette palette = {0};
    if (!project_holds_clips(project_find_format(path)))
        return er_fail(s->context, ER_ERROR_ARGUMENT, "a palette's file must end in %s", project_format_endings(true));
    int count;
    if (project_pages_modes(session_model(s), path))
        return project_write_page(s->context, session_model(s), session_rig(s), session_modes(s), session_names(s),
                                  false, def->degrees, session_target(s), false, path, &count);
    er_result r =
        project_record_palette(s->context, session_model(s), session_rig(s), session_modes(s), session_names(s), false,
                               def->degrees, session_target(s), listener, NULL, &palette);
    if (r == ER_OK)
        r = project_write_takes(s->context, session_target(s), palette.count, palette.recording, false, path);
    project_palette_clear(&palette);
    return r;
}

// The clip that plays, or all of the file, with the loose parts moved.
static er_result write_followed(session *s, const session_export *def, const project_listener *listener,
                                const char *path)
{
    project_follow done = {0};
    const session_setup *setup = &s->now.setup;
    if (!project_holds_clips(project_find_format(path)))
        return er_fail(s->context, ER_ERROR_ARGUMENT, "clips with loose parts are written to files that end in %s",
                       project_format_endings(true));
    er_result r = session_follow_clips(s->context, session_model(s), session_rig(s), setup,
                                       def->every_clip ? NULL : setup->over, def->fps, listener, &done);
    if (r == ER_OK) r = project_write_takes(s->context, session_target(s), done.count, done.recording, false, path);
    project_follow_clear(&done);
    return r;
}

// The components that play, with the envelope of the export.
static er_result shaped_mix(session *s, const session_export *def, er_mix **out)
{
    er_mix *plain = NULL;
    er_mix_component component[SESSION_MAX_COMPONENTS];
    *out = NULL;
    er_result r = session_make_mix(s->context, session_model(s), session_modes(s), &s->now.setup, 1.0, &plain);
    if (r != ER_OK) return r;
    if (plain == NULL) return nothing_plays(s);
    er_mix mix = *plain;
    for (int i = 0; i < mix.component_count; ++i) {
        component[i] = plain->component[i];
        component[i].attack = def->attack;
        component[i].decay = def->decay;
        component[i].damping = def->ring ? -1.0 : 0.0;
    }
    mix.component = component;
    if (def->name != NULL) mix.name = def->name;
    if (*mix.name == '\0') mix.name = NULL; // it is named after its modes
    r = er_mix_create(s->context, &mix, out);
    er_mix_destroy(plain);
    return r;
}

static er_result write_mix(session *s, const session_export *def, const project_listener *listener, const char *path)
{
    const er_model *model = session_model(s);
    er_mix *mix = NULL;
    er_motion *motion = NULL;
    er_recording *recording = NULL;
    er_motion_def motion_def = er_default_motion_def();
    er_recording_def take_def = er_default_recording_def();
    project_follow followed = {0};
    er_result r = project_find_over(s->context, s->file.scene, def->over, NULL, &take_def.over);
    if (r == ER_OK && take_def.over != NULL && s->now.setup.follow.parts[0] != '\0') {
        r = session_follow_clips(s->context, model, session_rig(s), &s->now.setup, def->over, def->fps, listener,
                                 &followed);
        if (r == ER_OK) take_def.over = &followed.recording[0]->clip;
    }
    if (r == ER_OK) r = shaped_mix(s, def, &mix);
    motion_def.duration = take_def.over != NULL ? take_def.over->duration : def->duration;
    motion_def.loop = def->duration == 0.0 && def->attack == 0.0 && def->decay == 0.0 && !def->ring;
    motion_def.fps = take_def.fps = def->fps;
    motion_def.plant_count = s->in.plants != NULL ? s->in.plants->count : 0;
    motion_def.plant = s->in.plants != NULL ? s->in.plants->hold : NULL;
    take_def.tolerance = def->tolerance * ER_PI / 180.0;
    take_def.cubic = def->splines;
    double share;
    if (r == ER_OK)
        r = project_reach_motion(s->context, model, session_modes(s), mix, &motion_def, def->fps, &share, &motion);
    if (r == ER_OK && !project_find_format(path)->curves) {
        take_def.name = mix->name;
        r = project_record_motion(s->context, motion, session_target(s), &take_def, listener, &recording);
    }
    const project_clips clips = {model,   session_modes(s), s->file.scene, session_target(s), def->fps, 1,    &mix,
                                 &motion, &recording,       NULL,          take_def.over,     false,    false};
    if (r == ER_OK) r = project_write_clips(s->context, &clips, listener, path);
    er_recording_destroy(recording);
    er_motion_destroy(motion);
    er_mix_destroy(mix);
    project_follow_clear(&followed);
    return r;
}

er_result session_write(session *s, const session_export *def, const char *path)
{
    const project_listener listener = session_listen(s);
    if (!session_is_open(s)) return session_check_open(s);
    if (er_path_ends_in(path, ".json")) return er_rig_file_write(s->context, session_model(s), path);
    if (def->follow) return write_followed(s, def, &listener, path);
    if (def->palette) return write_palette(s, def, &listener, path);
    if (project_find_format(path) != NULL) return write_mix(s, def, &listener, path);
    return er_fail(s->context, ER_ERROR_ARGUMENT, "the file's name must end in %s; or in .json for the rig file",
                   project_format_endings(false));
}
