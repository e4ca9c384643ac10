// Writes a motion of motions.c, for the Python tests:
//   motion_samples NAME OUT     OUT ending in .csv, .npz or .svg; its numbers as JSON in .json
#include "motions.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

static json_t *numbers(const double *x, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; ++i)
        json_array_append_new(array, json_real(x[i]));
    return array;
}

// Names as hexadecimal bytes, since not all are text.
static json_t *hex(const char *name)
{
    char text[512] = "";
    for (size_t i = 0; name[i] != '\0' && 2 * i + 2 < sizeof text; ++i)
        sprintf(text + 2 * i, "%02x", (unsigned)(unsigned char)name[i]);
    return json_string(text);
}

static er_result describe(const motion *m, const char *path)
{
    const er_curves *c = &m->plot.curves;
    size_t frames = (size_t)c->frame_count, bodies = (size_t)m->model->body_count;
    json_t *joints = json_array(), *names = json_array(), *poses = json_array();
    for (int k = 0; k < m->model->joint_count; ++k)
        json_array_append_new(joints, json_pack("{s:o,s:s}", "name", hex(m->model->joint[k].name), "type",
                                                er_joint_type_name(m->model->joint[k].type)));
    for (size_t b = 0; b < bodies; ++b)
        json_array_append_new(names, hex(m->model->body[b].name));
    for (size_t i = 0; c->pose != NULL && i < frames * bodies; ++i) {
        const er_pose *p = &c->pose[i];
        json_array_append_new(poses, numbers((double[]){p->p.x, p->p.y, p->p.z, p->q.w, p->q.x, p->q.y, p->q.z}, 7));
    }
    json_t *all =
        json_pack("{s:o,s:o,s:o,s:o,s:o}", "joints", joints, "bodies", names, "time", numbers(c->time, frames), "q",
                  numbers(c->q, frames * (size_t)m->model->coordinate_count), "poses", poses);
    int failed = json_dump_file(all, path, JSON_REAL_PRECISION(17));
    json_decref(all);
    return failed == 0 ? ER_OK : ER_ERROR_FILE;
}

int main(int argc, char **argv)
{
    er_context *context = NULL;
    if (argc != 3 || er_context_create(NULL, &context) != ER_OK) return 2;
    motion m = motion_case(context, argv[1]);
    const char *ending = strrchr(argv[2], '.');
    er_result r = ER_ERROR_ARGUMENT;
    if (ending != NULL && strcmp(ending, ".csv") == 0) r = er_curves_write_csv(context, &m.plot.curves, argv[2]);
    if (ending != NULL && strcmp(ending, ".npz") == 0) r = er_curves_write_npz(context, &m.plot.curves, argv[2]);
    if (ending != NULL && strcmp(ending, ".svg") == 0) r = er_curves_plot(context, &m.plot, argv[2]);
    if (ending != NULL && strcmp(ending, ".json") == 0) r = describe(&m, argv[2]);
    if (r != ER_OK) fprintf(stderr, "%s: %s\n", er_result_name(r), er_context_error(context));
    motion_free(&m);
    er_context_destroy(context);
    return r == ER_OK ? 0 : 1;
}
