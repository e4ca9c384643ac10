// The report: the understanding of a model as JSON for pipelines, with how sure it is.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <eigenrig/gait.h>

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

static void put_notes(FILE *f, const char *key, er_note_kind kind, const loaded *l, const er_gait_body *body)
{
    const er_note *const note[] = {l->scene != NULL ? l->scene->note : NULL, l->rig != NULL ? l->rig->note : NULL,
                                   body != NULL ? body->note : NULL};
    const int count[] = {l->scene != NULL ? l->scene->note_count : 0, l->rig != NULL ? l->rig->note_count : 0,
                         body != NULL ? body->note_count : 0};
    const char *between = "\n    ";
    fprintf(f, ",\n  \"%s\": [", key);
    for (int part = 0; part < 3; ++part)
        for (int i = 0; i < count[part]; ++i) {
            if (note[part][i].kind != kind) continue;
            fputs(between, f);
            put_text(f, note[part][i].text);
            between = ",\n    ";
        }
    fputs("]", f);
}

// Whether the file's format says how long its unit is.
static bool has_unit(const er_scene *scene)
{
    return scene->format == ER_FORMAT_GLTF || scene->format == ER_FORMAT_FBX ||
           strstr(scene->format_name, "Collada") != NULL;
}

static void put_units(FILE *f, const options *o, const loaded *l)
{
    const double largest = 20.0, smallest = 0.02; // m, as er_rig_build() takes it
    double mass = 0.0;
    for (int b = 0; b < l->model->body_count; ++b)
        mass += l->model->body[b].mass;
    fprintf(f, ",\n  \"mass\": %.9g", mass);
    if (l->rig == NULL) return;
    fputs(",\n  \"mass_source\": ", f);
    put_text(f, (o->asked.given & GIVEN_MASS) != 0 ? "given" : l->rig->mass_source);
    fprintf(f, ",\n  \"units\": {\"height\": %.9g, \"metres_per_unit\": %.9g, \"by\": \"%s\", \"likely\": %s}",
            l->rig->height, l->rig->metres_per_unit,
            (o->asked.given & GIVEN_HEIGHT) != 0 ? "given"
            : has_unit(l->scene)                 ? "format"
                                                 : "guess",
            l->rig->extent >= smallest && l->rig->extent <= largest ? "true" : "false");
}

// How the feet were found; without feet, how it moves follows from its form unless the caller said so.
static const char *evidence_of_feet(const options *o, const er_gait_body *body)
{
    bool named = body->foot_count > 0 || body->wing_count > 0;
    for (int i = 0; i < body->foot_count; ++i)
        named &= body->foot[i].named;
    return (o->asked.given & GIVEN_FEET) != 0 || o->gait.feet != NULL ? "given" : named ? "names" : "form";
}

static const char *evidence_of_pose(const options *o, const er_rig *rig)
{
    return (o->asked.given & GIVEN_POSE) != 0 ? "given" : rig->pose == ER_POSE_REST ? "file" : "guess";
}

static void put_body(FILE *f, const options *o, const loaded *l, const er_gait_body *body)
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
        fprintf(f, ", \"by\": \"%s\", \"stance\": %.4g}", evidence_of_pose(o, l->rig), body->stance);
    }
    fprintf(f, ",\n  \"family\": {\"kind\": \"%s\", \"by\": \"%s\"},\n  \"feet\": [",
            body->foot_count > 0   ? "walks"
            : body->wing_count > 0 ? "flies"
            : body->lies           ? "slithers"
                                   : "swims",
            evidence_of_feet(o, body));
    for (int i = 0; i < body->foot_count; ++i) {
        const er_gait_foot *foot = &body->foot[i];
        fprintf(f, "%s\n    {\"name\": ", i > 0 ? "," : "");
        put_text(f, foot->name);
        fputs(", \"body\": ", f);
        put_text(f, m->body[foot->sole].name);
        fprintf(f, ", \"side\": \"%s\", \"joints\": %d, \"by\": \"%s\"}", sides[foot->side + 1], foot->joint_count,
                (o->asked.given & GIVEN_FEET) != 0 || o->gait.feet != NULL ? "given"
                : foot->named                                              ? "names"
                                                                           : "form");
    }
    fputs("]", f);
}

static void put_report(FILE *f, const options *o, const loaded *l, const er_gait_body *body)
{
    fprintf(f,
            "{\n  \"format\": \"eigenrig-report\",\n  \"version\": 1,\n  \"bodies\": %d,\n  \"joints\": %d,\n"
            "  \"loops\": %d",
            l->model->body_count, l->model->joint_count, l->model->loop_count);
    put_units(f, o, l);
    if (body != NULL) put_body(f, o, l, body);
    fputs(",\n  \"clips\": [", f);
    for (int c = 0; l->scene != NULL && c < l->scene->clip_count; ++c) {
        fprintf(f, "%s\n    {\"name\": ", c > 0 ? "," : "");
        put_text(f, l->scene->clip[c].name);
        fprintf(f, ", \"duration\": %.9g}", l->scene->clip[c].duration);
    }
    fputs("]", f);
    put_notes(f, "warnings", ER_NOTE_WARNING, l, body);
    put_notes(f, "facts", ER_NOTE_FACT, l, body);
    fputs("\n}\n", f);
}

er_result report_text(er_context *context, const options *o, const loaded *l, const er_gait_body *body, char **out)
{
    size_t size = 0;
    *out = NULL;
    FILE *f = eri_platform_text_stream(out, &size);
    if (f == NULL) return eri_no_memory(context);
    put_report(f, o, l, body);
    if (eri_platform_text_end(f, out, &size) == 0) return ER_OK;
    free(*out);
    *out = NULL;
    return eri_no_memory(context);
}

er_result read_gait_body(er_context *context, const options *o, const loaded *l, er_gait_body **out)
{
    *out = NULL;
    if (l->model->body_count > ER_GAIT_MAX_BODIES) return ER_OK;
    return er_gait_body_read(context, l->model, l->rig, &o->gait, out);
}

void warn_of_facing(const options *o, const loaded *l, const er_gait_body *body)
{
    const double doubtful = 0.9; // as gaits take it
    if (l->rig != NULL && body != NULL && body->facing < doubtful)
        print_warning(o, "the direction that the body faces is a guess, sure by %.0f %%; --forward AXIS gives it",
                      100.0 * body->facing);
}
