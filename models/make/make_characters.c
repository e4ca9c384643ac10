// Writes the sample characters: a hand, a horse, a gnome and a fox. Usage: make_characters DIRECTORY [NAME]
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "glb.h"
#include "paint.h"
#include "util.h"

// Positions as the file will have them: multiples of 2^-20 m are floats up to 16 m.
static void round_positions(surface *s)
{
    const double steps = 1048576.0;
    for (int i = 0; i < s->vertex_count; ++i) {
        er_vec3 *p = &s->position[i];
        *p = er_v3(floor(p->x * steps + 0.5) / steps, floor(p->y * steps + 0.5) / steps,
                   floor(p->z * steps + 0.5) / steps);
    }
}

static void make(const char *directory, const figure *f)
{
    char path[4096];
    if (snprintf(path, sizeof path, "%s/%s.glb", directory, f->name) >= (int)sizeof path)
        stop("%s: path too long", directory);
    surface s = surface_march(f);
    surface_check(f, &s);
    surface_remesh(f, &s);
    int *region = paint_regions(f, &s);
    surface_check(f, &s);
    round_positions(&s);
    influence *influences = skin_weights(f, &s);
    glb_write(path, f, &s, region, influences);
    printf("%s: %d bones, %d vertices, %d triangles\n", path, f->bone_count, s.vertex_count, s.triangle_count);
    free(region);
    free(influences);
    surface_free(&s);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*design)(figure *f);
    } designs[] = {{"hand", design_hand}, {"horse", design_horse}, {"gnome", design_gnome}, {"fox", design_fox}};
    if (argc != 2 && argc != 3) {
        fprintf(stderr, "usage: make_characters DIRECTORY [hand|horse|gnome|fox]\n");
        return 2;
    }
    bool known = argc == 2;
    for (int i = 0; i < (int)(sizeof designs / sizeof designs[0]); ++i) {
        if (argc == 3 && strcmp(argv[2], designs[i].name) != 0) continue;
        figure *f = NEW(figure, 1);
        designs[i].design(f);
        figure_finish(f);
        make(argv[1], f);
        free(f);
        known = true;
    }
    if (!known) stop("no design is called %s", argv[2]);
    return 0;
}
