// Reads values of options that are no plain settings: lists, pairs, words that set several fields.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/eigenrig/options.h"

const setting *option_setting(const option_row *row)
{
    return row->of != NULL ? row->of : rig_setting(row->bit);
}

static void *option_field(const given_option *s)
{
    return setting_field(option_setting(s->row), s->row->of != NULL ? (void *)s->o : &s->o->asked.rig);
}

// ---- pairs

bool read_pair(const char *text, char between, double pair[2])
{
    char first[64];
    const char *sign = strchr(text, between);
    if (sign == NULL || (size_t)(sign - text) >= sizeof first) return false;
    snprintf(first, sizeof first, "%.*s", (int)(sign - text), text);
    return setting_number(first, &pair[0]) && setting_number(sign + 1, &pair[1]);
}

static bool is_whole(double x, double least, double most)
{
    return x == floor(x) && x >= least && x <= most;
}

bool read_errors(const given_option *s)
{
    int how = setting_choice(s->text, (const char *const[]){"text", "json", NULL});
    if (how >= 0) messages_begin("eigenrig", s->of->name, how == ERRORS_JSON);
    return how >= 0;
}

bool read_sides(const char *text, int least, int most, int *width, int *height)
{
    double side[2];
    if (!read_pair(text, 'x', side) || !is_whole(side[0], least, most) || !is_whole(side[1], least, most)) return false;
    *width = (int)side[0];
    *height = (int)side[1];
    return true;
}

bool read_terrain_size(const given_option *s)
{
    double size[2]; // m
    if (!read_pair(s->text, ',', size) || !(size[0] > 0.0 && size[0] <= 1e5) || !(size[1] >= 0.0 && size[1] <= 1e5))
        return false;
    s->o->terrain_length = size[0];
    s->o->terrain_rise = size[1];
    return true;
}

// ---- outputs and mixes

bool read_output(const given_option *s)
{
    options *o = s->o;
    if (o->output_count == MOST_OUTPUTS) return false;
    if (o->output_count == 0) o->output = s->text;
    o->outputs[o->output_count++] = s->text;
    return true;
}

bool read_mix_word(const given_option *s)
{
    options *o = s->o;
    if (o->mix_count == MOST_MIXES) return false;
    o->mixes[o->mix_count++] = s->text;
    return true;
}

// Names begin with a letter.
bool read_mode_word(const given_option *s)
{
    options *o = s->o;
    char *end;
    long index = strtol(s->text, &end, 10);
    bool number = *s->text != '\0' && *end == '\0';
    o->mode_name = number ? NULL : s->text;
    if (number && (index < 0 || index > 1000000000)) return false;
    if (number) o->picture.mode = (int)index;
    o->mode_given = true;
    return *s->text != '\0';
}

bool read_push(const given_option *s)
{
    project_simulation_def *def = &s->o->simulation;
    if (def->push_count == PROJECT_MOST_PUSHES) return false;
    def->push[def->push_count++] = s->text;
    return true;
}

bool read_gait(const given_option *s)
{
    s->o->gait_name = s->text;
    return true;
}

// ---- rigs

bool read_stiffness(const given_option *s)
{
    return er_stiffness_parse(s->context, s->text, &s->o->asked.rig.stiffness) == ER_OK;
}

bool read_tune(const given_option *s)
{
    s->o->asked.tune = s->text;
    return rig_settings_are_aims(s->text);
}

// Reads ZETA or rayleigh:ALPHA:BETA, which may both be given.
bool read_damping(const given_option *s)
{
    static const char word[] = "rayleigh:";
    project_request *asked = &s->o->asked;
    bool rayleigh = strncmp(s->text, word, sizeof word - 1) == 0;
    asked->given |= rayleigh ? GIVEN_RAYLEIGH : GIVEN_DAMPING;
    if (!rayleigh) return setting_read(rig_setting(GIVEN_DAMPING), s->text, &asked->rig);
    double factor[2];
    if (!read_pair(s->text + sizeof word - 1, ':', factor) || factor[0] < 0.0 || factor[1] < 0.0) return false;
    asked->rig.rayleigh_mass = factor[0];
    asked->rig.rayleigh_stiffness = factor[1];
    return true;
}

bool read_pose(const given_option *s)
{
    options *o = s->o;
    er_rig_def *rig = &o->asked.rig;
    const char *text = s->text, *at = strrchr(text, '@');
    if (strcmp(text, "rest") == 0 || strcmp(text, "bind") == 0) {
        rig->pose = *text == 'r' ? ER_POSE_REST : ER_POSE_BIND;
        return true;
    }
    if (at == NULL || (size_t)(at - text) >= sizeof o->clip || !setting_number(at + 1, &rig->pose_time)) {
        rig->pose = ER_POSE_GIVEN;
        o->asked.pose_file = text;
        return project_names_file(text);
    }
    snprintf(o->clip, sizeof o->clip, "%.*s", (int)(at - text), text);
    rig->pose = ER_POSE_CLIP;
    rig->pose_clip = o->clip;
    return true;
}

// ---- gaits

bool read_axis(const given_option *s)
{
    static const char *const names[] = {"x", "y", "z", "-x", "-y", "-z", NULL};
    const char *text = s->text;
    er_vec3 *out = option_field(s);
    int which = setting_choice(*text == '+' ? text + 1 : text, names);
    double sign = which < 3 ? 1.0 : -1.0;
    *out = er_v3(which % 3 == 0 ? sign : 0.0, which % 3 == 1 ? sign : 0.0, which % 3 == 2 ? sign : 0.0);
    if (which >= 0) return true;
    char word[64];
    double *axis[] = {&out->x, &out->y, &out->z};
    for (int i = 0; i < 3; ++i)
        if (setting_next_word(&text, word, sizeof word) == NULL || !setting_number(word, axis[i])) return false;
    return text == NULL && er_v3_norm(*out) > 0.0;
}

// NAME:W,...
bool read_weights(const given_option *s)
{
    static const struct {
        const char *name;
        setting of;
    } weight[] = {
#define WEIGHT(field)                                                                                                  \
    {                                                                                                                  \
#field,                                                                                                        \
        {                                                                                                              \
            SETTING_NUMBER, .place = offsetof(er_gait_weights, field), .most = 1e6                                     \
        }                                                                                                              \
    }
        WEIGHT(progress), WEIGHT(drift),    WEIGHT(slip),      WEIGHT(clearance), WEIGHT(share),
        WEIGHT(effort),   WEIGHT(attitude), WEIGHT(excursion), WEIGHT(symmetry),
    };
    char word[64];
    for (const char *list = s->text; setting_next_word(&list, word, sizeof word) != NULL;) {
        size_t length = strcspn(word, ":"), i = 0;
        if (word[length] == '\0') return false;
        word[length] = '\0';
        while (i < sizeof weight / sizeof weight[0] && strcmp(word, weight[i].name) != 0)
            ++i;
        if (i == sizeof weight / sizeof weight[0]) return false;
        if (!setting_read(&weight[i].of, word + length + 1, &s->o->gait.weights)) return false;
    }
    return true;
}

// ---- the window, batches

bool read_window_size(const given_option *s)
{
    return read_sides(s->text, 64, 16384, &s->o->view.width, &s->o->view.height);
}

bool read_play_size(const given_option *s)
{
    return read_sides(s->text, 64, 16384, &s->o->play.width, &s->o->play.height);
}

bool read_play_word(const given_option *s)
{
    play_options *p = &s->o->play;
    if (p->word_count == MOST_OUTPUTS) return false;
    p->words[p->word_count++] = s->text;
    return true;
}

// "3/8"
bool read_shard(const given_option *s)
{
    batch_def *b = &s->o->batch;
    double part[2];
    if (!read_pair(s->text, '/', part) || !is_whole(part[1], 1, 1e9) || !is_whole(part[0], 1, part[1])) return false;
    b->shard = (int)part[0];
    b->shards = (int)part[1];
    return true;
}

// Reads one of 1.2, 1.2Hz, 1.5m/s and 24f.
bool read_tempo(const given_option *s)
{
    static const struct {
        const char *unit;
        bool whole;
        double most;
        size_t at;
    } units[] = {{"m/s", false, 1e6, offsetof(options, gait.speed)},
                 {"f", true, 1e6, offsetof(options, stride_frames)},
                 {"Hz", false, 1e3, offsetof(options, gait.hz)},
                 {"", false, 1e3, offsetof(options, gait.hz)}};
    char number[64];
    size_t length = strcspn(s->text, "mfH");
    double value;
    if (length >= sizeof number) return false;
    memcpy(number, s->text, length);
    number[length] = '\0';
    if (!setting_number(number, &value)) return false;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; ++i) {
        if (strcmp(s->text + length, units[i].unit) != 0) continue;
        *(double *)(void *)((char *)s->o + units[i].at) = value;
        return value > 0.0 && value <= units[i].most && (!units[i].whole || value == floor(value));
    }
    return false;
}
