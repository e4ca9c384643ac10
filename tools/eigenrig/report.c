// `info --report`: the understanding of a model as JSON for pipelines, with how sure it is.
#include <stdio.h>
#include <stdlib.h>

#include <eigenrig/formats.h>

#include "base/failure.h"
#include "base/platform.h"
#include "tools/eigenrig/cli.h"

static void put_text(FILE *f, const char *text)
{
    fputc('"', f);
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; ++c)
        if (*c == '"' || *c == '\\')
            fprintf(f, "\\%c", *c);
        else if (*c < 32)
            fprintf(f, "\\u%04x", (unsigned)*c);
        else
            fputc(*c, f);
    fputc('"', f);
}

static void put_vector(FILE *f, const char *key, er_vec3 v)
{
    fprintf(f, "\"%s\": [%.9g, %.9g, %.9g]", key, v.x, v.y, v.z);
}

static void put_notes(FILE *f, const char *key, er_note_kind kind, const loaded *l)
{
    const char *between = "\n    ";
    fprintf(f, ",\n  \"%s\": [", key);
    for (int part = 0; part < 2 && l->scene != NULL; ++part) {
        const er_note *note = part == 0 ? l->scene->note : l->rig->note;
        int count = part == 0 ? l->scene->note_count : l->rig->note_count;
        for (int i = 0; i < count; ++i) {
            if (note[i].kind != kind) continue;
            fputs(between, f);
            put_text(f, note[i].text);
            between = ",\n    ";
        }
    }
    fputs("]", f);
}

static void put_units(FILE *f, const loaded *l)
{
    double mass = 0.0;
    for (int b = 0; b < l->model->body_count; ++b)
        mass += l->model->body[b].mass;
    fprintf(f, ",\n  \"mass\": %.9g", mass);
    if (l->rig == NULL) return;
    fputs(",\n  \"mass_source\": ", f);
    put_text(f, l->rig->mass_source);
    fprintf(f, ",\n  \"height\": %.9g,\n  \"metres_per_unit\": %.9g", l->rig->height, l->rig->metres_per_unit);
}

static void put_body(FILE *f, const loaded *l, const er_gait_body *body)
{
    static const char *const sides[] = {"right", "middle", "left"}, *const poses[] = {"rest", "bind", "clip", "given"};
    const er_model *m = l->model;
    fputs(",\n  \"facing\": {", f);
    put_vector(f, "forward", body->forward);
    fputs(", ", f);
    put_vector(f, "up", body->up);
    fprintf(f, ", \"sure\": %.4g}", body->facing);
    if (l->rig != NULL) {
        fprintf(f, ",\n  \"pose\": {\"kind\": \"%s\"", poses[l->rig->pose]);
        if (l->rig->pose_clip != NULL) fputs(", \"clip\": ", f), put_text(f, l->rig->pose_clip);
        fprintf(f, ", \"stance\": %.4g}", body->stance);
    }
    fprintf(f, ",\n  \"family\": \"%s\",\n  \"feet\": [",
            body->foot_count > 0   ? "walks"
            : body->wing_count > 0 ? "flies"
            : body->lies           ? "slithers"
                                   : "swims");
    for (int i = 0; i < body->foot_count; ++i) {
        const er_gait_foot *foot = &body->foot[i];
        fprintf(f, "%s\n    {\"name\": ", i > 0 ? "," : "");
        put_text(f, foot->name);
        fputs(", \"body\": ", f);
        put_text(f, m->body[foot->sole].name);
        fprintf(f, ", \"side\": \"%s\", \"joints\": %d}", sides[foot->side + 1], foot->joint_count);
    }
    fputs("]", f);
}

static void put_report(FILE *f, const options *o, const loaded *l, const er_gait_body *body)
{
    fputs("{\n  \"format\": \"eigenrig-report\",\n  \"version\": 1,\n  \"model\": ", f);
    put_text(f, o->model);
    fprintf(f, ",\n  \"bodies\": %d,\n  \"joints\": %d,\n  \"loops\": %d", l->model->body_count, l->model->joint_count,
            l->model->loop_count);
    put_units(f, l);
    if (body != NULL) put_body(f, l, body);
    fputs(",\n  \"clips\": [", f);
    for (int c = 0; l->scene != NULL && c < l->scene->clip_count; ++c) {
        fprintf(f, "%s\n    {\"name\": ", c > 0 ? "," : "");
        put_text(f, l->scene->clip[c].name);
        fprintf(f, ", \"duration\": %.9g}", l->scene->clip[c].duration);
    }
    fputs("]", f);
    put_notes(f, "warnings", ER_NOTE_WARNING, l);
    put_notes(f, "facts", ER_NOTE_FACT, l);
    fputs("\n}\n", f);
}

er_result write_report(er_context *context, const options *o, const loaded *l, const er_gait_body *body)
{
    const double doubtful = 0.9; // as gaits take it
    char *text = NULL;
    size_t size = 0;
    FILE *f = eri_platform_text_stream(&text, &size);
    if (f == NULL) return eri_no_memory(context);
    put_report(f, o, l, body);
    bool whole = ferror(f) == 0;
    whole &= fclose(f) == 0;
    er_result r = whole ? er_file_write(context, o->report, text, size) : eri_no_memory(context);
    free(text);
    if (r == ER_OK && body != NULL && body->facing < doubtful)
        print_warning(o, "the direction that the body faces is a guess, sure by %.0f %%; --forward AXIS gives it",
                      100.0 * body->facing);
    return r;
}
