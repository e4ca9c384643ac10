/// @file
/// GLSL programs: built from the sources in shaders.c.
#ifndef ERI_VIEWER_DRAW_PROGRAM_H
#define ERI_VIEWER_DRAW_PROGRAM_H

#include <eigenrig/base.h>

/// A program's name in messages, and the text of its stages. `defined` is put between it and the common head
/// (shaders.c).
typedef struct shader_text {
    const char *name, *vertex, *fragment, *defined;
} shader_text;

enum {
    PROGRAM_BACKGROUND,
    PROGRAM_SURFACE, ///< meshes
    PROGRAM_SURFACE_DRAFT,
    PROGRAM_POINTS, ///< their vertices
    PROGRAM_DEPTH,  ///< meshes, depth alone
    PROGRAM_SHAPE,  ///< bones and balls
    PROGRAM_CAST,   ///< bones and balls, depth alone
    PROGRAM_HIDDEN, ///< the sun as the floor sees it
    PROGRAM_LINE,
    PROGRAM_FLOOR,
    PROGRAM_FLOOR_DRAFT,
    PROGRAM_COUNT
};

extern const char *const shader_head;
extern const char background_vertex[]; ///< one triangle over the whole picture
extern const shader_text shader_texts[PROGRAM_COUNT];

/// Texture units, by the samplers' names.
enum { UNIT_PALETTE, UNIT_BASE, UNIT_EMISSIVE, UNIT_NORMAL, UNIT_SHADOW, UNIT_HIDDEN, UNIT_SURROUNDING, UNIT_COUNT };

/// Compiles and links; samplers are set to their units, the block of the frame to 0 and that of a stage to 1.
/// @param out  ER_OK: a program for glDeleteProgram(); 0 otherwise
/// Errors   ER_ERROR_SYSTEM: names the shader and the driver's first words on it
er_result program_build(er_context *context, const shader_text *text, unsigned *out);

#endif
