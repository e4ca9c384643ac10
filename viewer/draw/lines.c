// Lines of any width, anti-aliased, over everything.
#include <stddef.h>
#include <string.h>

#include <epoxy/gl.h>

#include "viewer/draw/painter.h"

void lines_create(painter *p)
{
    glGenVertexArrays(1, &p->line_array);
    glBindVertexArray(p->line_array);
    for (GLuint k = 0; k < 4; ++k) {
        glEnableVertexAttribArray(k);
        glVertexAttribDivisor(k, 1);
    }
    glBindVertexArray(0);
}

void add_line(painter *p, er_vec3 from, er_vec3 to, const float rgba[4], double width, double dash)
{
    line *l = stream_take(&p->lines, sizeof *l);
    if (l == NULL) return;
    er_vec3 a = painter_place(p, from), b = painter_place(p, to);
    *l = (line){.from = {(float)a.x, (float)a.y, (float)a.z},
                .to = {(float)b.x, (float)b.y, (float)b.z},
                .width = (float)width,
                .dash = (float)dash};
    memcpy(l->colour, rgba, sizeof l->colour);
}

void painter_lines(painter *p, int count, const er_vec3 *point, const float rgba[4], float width)
{
    for (int i = 0; i < count; ++i)
        add_line(p, point[2 * i], point[2 * i + 1], rgba, width, 0.0);
}

static void attribute(GLuint place, int count, size_t offset)
{
    glVertexAttribPointer(place, count, GL_FLOAT, GL_FALSE, sizeof(line), (const void *)offset);
}

void lines_draw(painter *p)
{
    if (p->lines.size == 0) return;
    glUseProgram(p->program[PROGRAM_LINE]);
    glBindVertexArray(p->line_array);
    stream_send(&p->lines, GL_ARRAY_BUFFER);
    attribute(0, 3, offsetof(line, from));
    attribute(1, 3, offsetof(line, to));
    attribute(2, 4, offsetof(line, colour));
    attribute(3, 2, offsetof(line, width));
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, (GLsizei)(p->lines.size / sizeof(line)));
    glBindVertexArray(0);
}
