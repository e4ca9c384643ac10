// The numbers that must be the same on every system: numbers MODEL... prints for each model the masses of its bodies
// and its modes. A line is what it is, the size that its numbers are measured by, and the numbers.
// Models are read in this process, so that no other program needs to run where this one does.
#include <eigenrig/eigenrig.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_row(const char *model, const char *what, int index, double size, const double *x, int count)
{
    printf("%s:%s:%d %.17g", model, what, index, size);
    for (int i = 0; i < count; ++i)
        printf(" %.17g", x[i]);
    putchar('\n');
}

static void print_masses(const char *name, const er_model *model)
{
    for (int b = 0; b < model->body_count; ++b) {
        const er_body *body = &model->body[b];
        double trace = body->inertia.m[0][0] + body->inertia.m[1][1] + body->inertia.m[2][2];
        print_row(name, "mass", b, body->mass, &body->mass, 1);
        print_row(name, "centre", b, model->size, (const double[]){body->com.x, body->com.y, body->com.z}, 3);
        print_row(name, "inertia", b, trace, &body->inertia.m[0][0], 9);
    }
}

static double largest(const double *x, int count)
{
    double size = 0.0;
    for (int i = 0; i < count; ++i)
        size = fmax(size, fabs(x[i]));
    return size;
}

static void print_modes(const char *name, const er_model *model, const er_modes *modes)
{
    int rows = 6 * model->body_count;
    for (int k = 0; k < modes->count; ++k) {
        const er_mode *mode = &modes->mode[k];
        print_row(name, "hz", k, mode->frequency_hz, &mode->frequency_hz, 1);
        if (mode->kind == ER_MODE_ELASTIC) // the others are any basis of theirs where joints close loops
            print_row(name, "shape", k, largest(mode->body, rows), mode->body, rows);
    }
}

// The bytes of a file; NULL: it cannot be read.
static void *read_whole(const char *path, size_t *size)
{
    enum { MOST = 1 << 24 };
    FILE *file = fopen(path, "rb");
    void *bytes = file != NULL ? malloc(MOST) : NULL;
    *size = bytes != NULL ? fread(bytes, 1, MOST, file) : 0;
    if (file != NULL) fclose(file);
    return bytes;
}

static er_result open_scene(er_context *context, const char *path, er_scene **scene, er_rig **rig)
{
    size_t size;
    void *bytes = read_whole(path, &size);
    er_result r = er_import_bytes(context, path, bytes, size, 0, NULL, scene);
    free(bytes);
    return r == ER_OK ? er_rig_build(context, *scene, NULL, rig) : r;
}

static er_result print_model(er_context *context, const char *path)
{
    er_scene *scene = NULL;
    er_rig *rig = NULL;
    er_model *read = NULL;
    er_modes *modes = NULL;
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path, *end = strrchr(name, '.');
    bool is_rig = end != NULL && strcmp(end, ".json") == 0;
    er_result r = is_rig ? er_rig_file_read(context, path, NULL, NULL, &read) : open_scene(context, path, &scene, &rig);
    const er_model *model = is_rig || r != ER_OK ? read : rig->model;
    if (r == ER_OK) r = er_modal_solve(context, model, NULL, &modes);
    if (r == ER_OK) {
        print_masses(name, model);
        print_modes(name, model, modes);
    }
    er_modes_destroy(modes);
    er_model_destroy(read);
    er_rig_destroy(rig);
    er_scene_destroy(scene);
    return r;
}

int main(int argc, char **argv)
{
    er_context *context = NULL;
    if (er_context_create(NULL, &context) != ER_OK) return 1;
    for (int i = 1; i < argc; ++i)
        if (print_model(context, argv[i]) != ER_OK) {
            fprintf(stderr, "%s\n", er_context_error(context));
            return 1;
        }
    er_context_destroy(context);
    return 0;
}
