// Bones and solid shapes of a figure, added one by one.
#include <stdio.h>
#include <string.h>

#include "figure.h"
#include "turn.h"
#include "util.h"

void figure_start(figure *f, const char *name)
{
    memset(f, 0, sizeof *f);
    f->name = name;
    f->pen.over = -1;
    f->pen.detail = 1.0;
    f->pen.map = er_m3_identity();
    for (int i = 0; i < 3; ++i)
        f->pen.tint[i] = 1.0;
}

// The largest factor by which a matrix lengthens a vector, from above: |A|_2^2 <= |A|_1 |A|_inf.
static double largest_stretch(er_mat3 a)
{
    double row = 0.0, column = 0.0;
    for (int i = 0; i < 3; ++i) {
        row = fmax(row, fabs(a.m[i][0]) + fabs(a.m[i][1]) + fabs(a.m[i][2]));
        column = fmax(column, fabs(a.m[0][i]) + fabs(a.m[1][i]) + fabs(a.m[2][i]));
    }
    return sqrt(row * column);
}

void figure_finish(figure *f)
{
    for (int i = 0; i < f->shape_count; ++i) {
        shape *s = &f->shapes[i];
        double radius = s->ring ? s->ra + s->rb : fmax(s->ra, s->rb);
        s->axis = er_m3_mul_v(s->map, er_v3_sub(s->b, s->a));
        s->middle = er_v3_scale(0.5, er_v3_add(s->a, s->b));
        s->reach = 0.5 * er_v3_distance(s->a, s->b) + radius * largest_stretch(er_m3_inverse(s->map));
    }
}

// The index of a new entry in a table.
static int take(int *count, int limit, const char *table)
{
    if (*count == limit) stop("more than %d %s", limit, table);
    return (*count)++;
}

int find_bone(const figure *f, const char *name)
{
    for (int i = 0; i < f->bone_count; ++i)
        if (strcmp(f->bones[i].name, name) == 0) return i;
    stop("%s has no bone %s", f->name, name);
}

int add_bone(figure *f, const char *name, const char *parent, er_vec3 head, er_vec3 tail)
{
    int up = parent == NULL ? -1 : find_bone(f, parent);
    int i = take(&f->bone_count, MAX_BONES, "bones");
    bone_def *b = &f->bones[i];
    snprintf(b->name, sizeof b->name, "%s", name);
    b->parent = up;
    b->head = head;
    b->tail = tail;
    return i;
}

static double linear_from_srgb(unsigned byte)
{
    double c = byte / 255.0; // the cubic that fits the sRGB curve within half a step of a byte
    return c * (c * (c * 0.305306011 + 0.682171111) + 0.012522878);
}

int add_region(figure *f, const char *name, unsigned srgb, double roughness)
{
    int i = take(&f->region_count, MAX_REGIONS, "regions");
    f->regions[i] =
        (region_def){name,
                     {linear_from_srgb(srgb >> 16), linear_from_srgb(srgb >> 8 & 255u), linear_from_srgb(srgb & 255u)},
                     roughness};
    return i;
}

int add_part(figure *f, int parent, double blend)
{
    int i = take(&f->part_count, MAX_PARTS, "parts");
    f->parts[i] = (part_def){parent, blend};
    return i;
}

static shape *add_shape(figure *f, const char *bone, er_vec3 a, double ra, er_vec3 b, double rb)
{
    shape *s = &f->shapes[take(&f->shape_count, MAX_SHAPES, "shapes")];
    *s = f->pen;
    s->first_bone = s->last_bone = find_bone(f, bone);
    s->a = a;
    s->ra = ra;
    s->b = b;
    s->rb = rb;
    return s;
}

shape *limb(figure *f, const char *bone, er_vec3 a, double ra, er_vec3 b, double rb)
{
    return add_shape(f, bone, a, ra, b, rb);
}

shape *ball(figure *f, const char *bone, er_vec3 centre, double rx, double ry, double rz)
{
    shape *s = add_shape(f, bone, centre, 1.0, centre, 1.0);
    s->map = (er_mat3){{{1.0 / rx, 0, 0}, {0, 1.0 / ry, 0}, {0, 0, 1.0 / rz}}};
    return s;
}

shape *ring(figure *f, const char *bone, er_vec3 centre, double radius, double thickness)
{
    shape *s = add_shape(f, bone, centre, thickness, centre, radius);
    s->ring = true;
    return s;
}

shape *stretch(shape *s, er_vec3 direction, double factor)
{
    er_vec3 n = er_v3_unit(direction, er_v3(0, 1, 0));
    s->map = er_m3_mul(s->map, er_m3_madd(er_m3_identity(), 1.0 / factor - 1.0, er_m3_outer(n, n)));
    return s;
}

er_quat rotation(er_vec3 axis, double degrees)
{
    cos_sin half = turn(degrees / 720.0);
    er_vec3 u = er_v3_unit(axis, er_v3(0, 1, 0));
    return er_q(half.cosine, half.sine * u.x, half.sine * u.y, half.sine * u.z);
}

shape *tilt(shape *s, er_vec3 axis, double degrees)
{
    s->map = er_m3_mul(s->map, er_m3_transpose(er_m3_from_q(rotation(axis, degrees))));
    return s;
}

er_vec3 turned(er_vec3 v, er_vec3 axis, double degrees)
{
    return er_q_rotate(rotation(axis, degrees), v);
}

shape *carried_by(figure *f, shape *s, const char *first, const char *last)
{
    s->first_bone = find_bone(f, first);
    s->last_bone = find_bone(f, last);
    return s;
}

void add_clip(figure *f, clip_def clip)
{
    f->clips[take(&f->clip_count, MAX_CLIPS, "clips")] = clip;
}

void turn_bone(const figure *f, stance *s, const char *bone, er_vec3 axis, double degrees)
{
    er_quat *q = &s->turn[find_bone(f, bone)];
    *q = er_q_mul(*q, rotation(axis, degrees));
}

static er_vec3 mirrored(er_vec3 v)
{
    return er_v3(-v.x, v.y, v.z);
}

static int moved(int index, int first, int offset)
{
    return index >= first ? index + offset : index;
}

void mirror(figure *f, int first_bone, int first_part, int first_shape)
{
    int bones = f->bone_count, parts = f->part_count, shapes = f->shape_count;
    for (int i = first_bone; i < bones; ++i) {
        bone_def *b = &f->bones[take(&f->bone_count, MAX_BONES, "bones")];
        *b = f->bones[i];
        bool left = strncmp(f->bones[i].name, "left_", 5) == 0;
        snprintf(b->name, sizeof b->name, "%s%.25s", left ? "right_" : "left_", f->bones[i].name + (left ? 5 : 6));
        b->parent = moved(b->parent, first_bone, bones - first_bone);
        b->head = mirrored(b->head);
        b->tail = mirrored(b->tail);
    }
    for (int i = first_part; i < parts; ++i)
        add_part(f, moved(f->parts[i].parent, first_part, parts - first_part), f->parts[i].blend);
    er_mat3 flip = {{{-1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    for (int i = first_shape; i < shapes; ++i) {
        shape *s = &f->shapes[take(&f->shape_count, MAX_SHAPES, "shapes")];
        *s = f->shapes[i];
        s->part = moved(s->part, first_part, parts - first_part);
        s->first_bone = moved(s->first_bone, first_bone, bones - first_bone);
        s->last_bone = moved(s->last_bone, first_bone, bones - first_bone);
        s->a = mirrored(s->a);
        s->b = mirrored(s->b);
        s->map = er_m3_mul(s->map, flip);
    }
}
