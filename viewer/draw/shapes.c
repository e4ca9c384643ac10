// Unit shapes, drawn many at a time.
#include <stddef.h>

#include <epoxy/gl.h>

#include "viewer/draw/painter.h"

enum { RINGS = 10, SEGMENTS = 20, MOST_CORNERS = 24 + 2 * 6 * RINGS * SEGMENTS };

typedef struct corner {
    float position[3], normal[4]; // normal[3]: share of the colour
} corner;

static corner at(er_vec3 x, er_vec3 n, float share)
{
    return (corner){{(float)x.x, (float)x.y, (float)x.z}, {(float)n.x, (float)n.y, (float)n.z, share}};
}

// From 0 to 1 along x, one wide a fifth of the way.
static int bone_corners(corner *out)
{
    static const double turn[5][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 0}};
    int count = 0;
    for (int face = 0; face < 8; ++face) {
        const double *a = turn[face % 4], *b = turn[face % 4 + 1];
        er_vec3 tip = er_v3(face < 4 ? 1 : 0, 0, 0), x = er_v3(0.2, a[0], a[1]), y = er_v3(0.2, b[0], b[1]);
        er_vec3 c[3] = {tip, face < 4 ? x : y, face < 4 ? y : x};
        er_vec3 n = er_v3_unit(er_v3_cross(er_v3_sub(c[1], c[0]), er_v3_sub(c[2], c[0])), er_v3(1, 0, 0));
        for (int k = 0; k < 3; ++k)
            out[count++] = at(c[k], n, 1.0f);
    }
    return count;
}

static er_vec3 on_sphere(int ring, int segment)
{
    double polar = ER_PI * ring / RINGS, around = 2.0 * ER_PI * segment / SEGMENTS;
    return er_v3(sin(polar) * cos(around), cos(polar), sin(polar) * sin(around));
}

// A ball of radius 1; eight fields in turn light and dark where `fields`, the sign of a centre of mass.
static int ball_corners(corner *out, bool fields)
{
    int count = 0;
    for (int r = 0; r < RINGS; ++r)
        for (int s = 0; s < SEGMENTS; ++s) {
            bool dark = fields && (r < RINGS / 2) == (4 * s / SEGMENTS % 2 == 0);
            er_vec3 p[4] = {on_sphere(r, s), on_sphere(r, s + 1), on_sphere(r + 1, s), on_sphere(r + 1, s + 1)};
            static const int order[6] = {0, 1, 2, 1, 3, 2};
            for (int k = 0; k < 6; ++k)
                out[count++] = at(p[order[k]], p[order[k]], dark ? 0.03f : 1.0f);
        }
    return count;
}

void shapes_create(painter *p)
{
    corner corners[MOST_CORNERS];
    int count = 0;
    for (int k = 0; k < SHAPE_COUNT; ++k) {
        p->shape_first[k] = count;
        count += k == SHAPE_BONE ? bone_corners(corners + count) : ball_corners(corners + count, k == SHAPE_MASS);
        p->shape_size[k] = count - p->shape_first[k];
    }
    glGenVertexArrays(1, &p->shape_array);
    glGenBuffers(1, &p->shape_buffer);
    glBindVertexArray(p->shape_array);
    glBindBuffer(GL_ARRAY_BUFFER, p->shape_buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)count * sizeof(corner)), corners, GL_STATIC_DRAW);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, sizeof(corner), (const void *)offsetof(corner, position));
    glVertexAttribPointer(1, 4, GL_FLOAT, GL_FALSE, sizeof(corner), (const void *)offsetof(corner, normal));
    for (GLuint k = 0; k < 6; ++k) {
        glEnableVertexAttribArray(k);
        glVertexAttribDivisor(k, k < 2 ? 0 : 1);
    }
    glBindVertexArray(0);
}

static void add_shape(painter *p, layer l, shape_kind kind, er_mat3 axes, er_vec3 place, const float rgb[3],
                      float opacity)
{
    shape *s = stream_take(&p->shapes[l][kind], sizeof *s);
    if (s == NULL) return;
    put_rows(s->row, &axes, painter_place(p, place));
    for (int i = 0; i < 3; ++i)
        s->colour[i] = linear_of(rgb[i]);
    s->colour[3] = opacity;
}

void add_bone(painter *p, layer l, er_vec3 head, er_vec3 tip, er_vec3 side, double half_width, const float rgb[3],
              float opacity)
{
    er_vec3 along = er_v3_sub(tip, head), x = er_v3_unit(along, er_v3(0, 1, 0));
    er_vec3 y = er_v3_unit(er_v3_madd(side, -er_v3_dot(side, x), x), er_v3_perpendicular(x)), z = er_v3_cross(x, y);
    er_mat3 axes = {{{along.x, half_width * y.x, half_width * z.x},
                     {along.y, half_width * y.y, half_width * z.y},
                     {along.z, half_width * y.z, half_width * z.z}}};
    add_shape(p, l, SHAPE_BONE, axes, head, rgb, opacity);
}

void add_ball(painter *p, layer l, shape_kind kind, er_pose frame, double radius, const float rgb[3], float opacity)
{
    er_mat3 axes = er_m3_from_q(frame.q);
    for (int i = 0; i < 9; ++i)
        axes.m[i / 3][i % 3] *= radius;
    add_shape(p, l, kind, axes, frame.p, rgb, opacity);
}

void shapes_draw(painter *p, layer l, int program, bool from_sun)
{
    glUseProgram(p->program[program]);
    glUniform1i(p->shape_from_sun[program], from_sun);
    glBindVertexArray(p->shape_array);
    for (int kind = 0; kind < SHAPE_COUNT; ++kind) {
        stream *s = &p->shapes[l][kind];
        if (s->size == 0) continue;
        stream_send(s, GL_ARRAY_BUFFER);
        for (GLuint k = 0; k < 4; ++k)
            glVertexAttribPointer(2 + k, 4, GL_FLOAT, GL_FALSE, sizeof(shape),
                                  (const void *)(offsetof(shape, row) + 4 * sizeof(float) * k));
        glDrawArraysInstanced(GL_TRIANGLES, p->shape_first[kind], p->shape_size[kind],
                              (GLsizei)(s->size / sizeof(shape)));
    }
    glBindVertexArray(0);
}
