// Mix files, and what is written in the format that a path ends in.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "studio/inside.h"
#include "studio/outputs.h"
#include "studio/record.h"

studio_export studio_default_export(void)
{
    return (studio_export){.degrees = er_default_voice().degrees, .fps = FRAMES_A_SECOND};
}

static er_result nothing_open(const studio *s)
{
    return er_fail(s->context, ER_ERROR_ARGUMENT, "no model is open");
}

static er_result silence(const studio *s)
{
    return er_fail(s->context, ER_ERROR_ARGUMENT, "nothing sounds: choose a mode first");
}

// --- mixes

er_result studio_save_mix(studio *s, const char *path)
{
    er_mix *mix = NULL;
    if (!studio_is_open(s)) return nothing_open(s);
    er_result r = studio_mix_of(s->context, studio_model(s), studio_modes(s), &s->now.setup, 1.0, &mix);
    if (r == ER_OK) r = mix != NULL ? er_file_write_mix(s->context, mix, path) : silence(s);
    er_mix_destroy(mix);
    return r;
}

static er_result take_voices(studio *s, const er_mix *mix, studio_setup *setup, bool *shaped)
{
    if (mix->voice_count > STUDIO_MOST_VOICES)
        return er_fail(s->context, ER_ERROR_ARGUMENT, "the mix has %d modes; %d are the most here", mix->voice_count,
                       STUDIO_MOST_VOICES);
    *shaped = false;
    setup->voice_count = mix->voice_count;
    for (int i = 0; i < mix->voice_count; ++i) {
        const er_voice *v = &mix->voice[i];
        if (v->harmonic > 0 && mix->cycle == 0.0)
            return er_fail(s->context, ER_ERROR_ARGUMENT,
                           "mode %d of the mix is harmonic %d of a cycle that is not given", v->mode, v->harmonic);
        double hz = v->harmonic > 0 ? v->harmonic / mix->cycle : v->hz;
        setup->voice[i] = (studio_voice){.mode = v->mode, .degrees = v->degrees, .hz = hz, .phase = v->phase};
        *shaped |= v->attack > 0.0 || v->decay > 0.0 || v->damping != 0.0;
    }
    snprintf(setup->mix_name, sizeof setup->mix_name, "%s", mix->name);
    size_t end = strlen(setup->mix_name);
    while (end > 0 && strlen(mix->name) > end && ((unsigned char)mix->name[end] & 0xc0) == 0x80)
        setup->mix_name[--end] = '\0'; // cut between characters
    return ER_OK;
}

er_result studio_load_mix(studio *s, const char *path)
{
    er_mix *mix = NULL, *fitted = NULL;
    studio_setup setup = s->now.setup;
    bool shaped = false;
    if (!studio_is_open(s)) return nothing_open(s);
    studio_step(s);
    er_result r = er_file_read_mix(s->context, path, &mix);
    if (r == ER_OK) r = er_mix_fit(s->context, studio_model(s), studio_modes(s), mix, NULL, &fitted);
    if (r == ER_OK) r = take_voices(s, fitted, &setup, &shaped);
    if (r == ER_OK) r = studio_set(s, &setup, true);
    if (r == ER_OK && shaped)
        snprintf(s->message, sizeof s->message,
                 "the mix swells or dies away; here it goes on, and an export can do so");
    er_mix_destroy(mix);
    er_mix_destroy(fitted);
    return r;
}

// --- exports

// All elastic modes as clips.
static er_result write_palette(studio *s, const studio_export *def, const char *path)
{
    studio_palette palette = {0};
    if (!studio_holds_clips(studio_find_format(path)))
        return er_fail(s->context, ER_ERROR_ARGUMENT, "a palette goes to a file that ends in %s",
                       studio_format_endings(true));
    er_result r = studio_record_palette(s->context, studio_model(s), studio_modes(s), def->degrees, studio_target(s),
                                        NULL, NULL, &palette);
    if (r == ER_OK) r = studio_write_takes(s->context, studio_target(s), palette.count, palette.take, path);
    studio_palette_clear(&palette);
    return r;
}

// The mix as it sounds, with the envelope of the export.
static er_result shaped_mix(studio *s, const studio_export *def, er_mix **out)
{
    er_mix *plain = NULL;
    er_voice voice[STUDIO_MOST_VOICES];
    *out = NULL;
    er_result r = studio_mix_of(s->context, studio_model(s), studio_modes(s), &s->now.setup, 1.0, &plain);
    if (r != ER_OK) return r;
    if (plain == NULL) return silence(s);
    er_mix mix = *plain;
    for (int i = 0; i < mix.voice_count; ++i) {
        voice[i] = plain->voice[i];
        voice[i].attack = def->attack;
        voice[i].decay = def->decay;
    }
    mix.voice = voice;
    if (def->name != NULL) mix.name = def->name;
    r = er_mix_create(s->context, &mix, out);
    er_mix_destroy(plain);
    return r;
}

static er_result write_mix(studio *s, const studio_export *def, const char *path)
{
    const er_model *model = studio_model(s);
    er_mix *mix = NULL;
    er_motion *motion = NULL;
    er_take *take = NULL;
    er_motion_def motion_def = er_default_motion_def();
    er_take_def take_def = er_default_take_def();
    er_result r = studio_find_over(s->context, s->file.scene, def->over, NULL, &take_def.over);
    if (r == ER_OK) r = shaped_mix(s, def, &mix);
    motion_def.duration = take_def.over != NULL ? take_def.over->duration : def->duration;
    motion_def.loop = def->duration == 0.0 && def->attack == 0.0 && def->decay == 0.0;
    motion_def.fps = take_def.fps = def->fps;
    take_def.tolerance = def->tolerance * ER_PI / 180.0;
    take_def.cubic = def->splines;
    double share;
    if (r == ER_OK)
        r = studio_reach_motion(s->context, model, studio_modes(s), mix, &motion_def, def->fps, &share, &motion);
    if (r == ER_OK && !studio_find_format(path)->curves) {
        take_def.name = mix->name;
        r = studio_record_motion(s->context, motion, studio_target(s), &take_def, NULL, &take);
    }
    const studio_recording recording = {model,   studio_modes(s), s->file.scene, studio_target(s), def->fps, 1, &mix,
                                        &motion, &take,           NULL,          take_def.over,    false};
    if (r == ER_OK) r = studio_write_recording(s->context, &recording, NULL, path);
    er_take_destroy(take);
    er_motion_destroy(motion);
    er_mix_destroy(mix);
    return r;
}

er_result studio_write(studio *s, const studio_export *def, const char *path)
{
    if (!studio_is_open(s)) return nothing_open(s);
    if (er_path_ends_in(path, ".json")) return er_file_write_rig(s->context, studio_model(s), path);
    if (def->palette) return write_palette(s, def, path);
    if (studio_find_format(path) != NULL) return write_mix(s, def, path);
    return er_fail(s->context, ER_ERROR_ARGUMENT, "the file's name must end in %s; or in .json for the rig file",
                   studio_format_endings(false));
}
