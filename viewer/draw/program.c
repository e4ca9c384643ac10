// GLSL programs are compiled and linked, their blocks and units bound; the driver says what is wrong.
#include "viewer/draw/program.h"

#include <string.h>

#include <epoxy/gl.h>

enum { LOG = 400 };

static void keep_first_line(char *log)
{
    log[strcspn(log, "\r\n")] = '\0';
}

static er_result compile(er_context *context, const shader_text *s, GLenum stage, GLuint *out)
{
    const char *parts[] = {shader_head, s->defined, stage == GL_VERTEX_SHADER ? s->vertex : s->fragment};
    GLint good = 0;
    *out = glCreateShader(stage);
    glShaderSource(*out, 3, parts, NULL);
    glCompileShader(*out);
    glGetShaderiv(*out, GL_COMPILE_STATUS, &good);
    if (good) return ER_OK;
    char log[LOG] = "";
    glGetShaderInfoLog(*out, LOG, NULL, log);
    keep_first_line(log);
    return er_fail(context, ER_ERROR_SYSTEM, "the graphics driver refuses the %s shader \"%s\": %s",
                   stage == GL_VERTEX_SHADER ? "vertex" : "fragment", s->name, log);
}

static void connect(GLuint program)
{
    static const char *const sampler[UNIT_COUNT] = {"palette",    "base_image", "emissive_image",   "normal_image",
                                                    "shadow_map", "hidden_map", "surrounding_image"};
    glUseProgram(program);
    for (int i = 0; i < UNIT_COUNT; ++i)
        glUniform1i(glGetUniformLocation(program, sampler[i]), i); // -1, not there, does nothing
    glUseProgram(0);
    static const char *const block[2] = {"Frame", "Stage"};
    for (GLuint i = 0; i < 2; ++i) {
        GLuint at = glGetUniformBlockIndex(program, block[i]);
        if (at != GL_INVALID_INDEX) glUniformBlockBinding(program, at, i);
    }
}

er_result program_build(er_context *context, const shader_text *text, unsigned *out)
{
    GLuint vertex = 0, fragment = 0, program = glCreateProgram();
    GLint good = 0;
    *out = 0;
    er_result r = compile(context, text, GL_VERTEX_SHADER, &vertex);
    if (r == ER_OK) r = compile(context, text, GL_FRAGMENT_SHADER, &fragment);
    if (r == ER_OK) {
        glAttachShader(program, vertex);
        glAttachShader(program, fragment);
        glLinkProgram(program);
        glGetProgramiv(program, GL_LINK_STATUS, &good);
        if (!good) {
            char log[LOG] = "";
            glGetProgramInfoLog(program, LOG, NULL, log);
            keep_first_line(log);
            r = er_fail(context, ER_ERROR_SYSTEM, "the graphics driver does not link the shaders \"%s\": %s",
                        text->name, log);
        }
    }
    glDeleteShader(vertex);
    glDeleteShader(fragment);
    if (r != ER_OK) {
        glDeleteProgram(program);
        return r;
    }
    connect(program);
    *out = program;
    return ER_OK;
}
