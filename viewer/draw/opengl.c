// Calls of OpenGL that several files make: its errors, a strip without vertices, waiting for it.
#include <epoxy/gl.h>

#include "viewer/draw/painter.h"

bool painter_has_failed(void)
{
    bool failed = false;
    while (glGetError() != GL_NO_ERROR)
        failed = true;
    return failed;
}

void painter_cull(bool backs)
{
    if (backs)
        glEnable(GL_CULL_FACE);
    else
        glDisable(GL_CULL_FACE);
}

void painter_strip(const painter *p, unsigned program, int corners)
{
    glUseProgram(program);
    glBindVertexArray(p->empty_array);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, corners);
    glBindVertexArray(0);
}

void draw_finish(void)
{
    glFinish();
}
