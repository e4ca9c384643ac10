// EGL without a surface. Missing libraries are found here first, because libepoxy aborts on them.
#include <stdlib.h>
#include <string.h>

#include <epoxy/egl.h>
#include <epoxy/gl.h>

#include "base/platform.h"
#include "viewer/draw/draw.h"

struct draw_offscreen {
    EGLDisplay display;
    EGLContext egl;
};

static bool has_library(const char *name)
{
    void *library = eri_library_load(name, false);
    if (library != NULL) eri_library_unload(library);
    return library != NULL;
}

static er_result fail(er_context *context, const char *what)
{
    return er_fail(context, ER_ERROR_SYSTEM,
                   "no picture can be drawn here: %s; install Mesa (Debian: libegl1, libgl1, libgl1-mesa-dri), which "
                   "needs no graphics card",
                   what);
}

static er_result open_display(er_context *context, EGLDisplay *out)
{
    if (!has_library("libEGL.so.1")) return fail(context, "there is no libEGL.so.1");
    if (!has_library("libGL.so.1") && !has_library("libOpenGL.so.0")) return fail(context, "there is no libGL.so.1");
    const char *client = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    if (client == NULL || strstr(client, "EGL_EXT_platform_base") == NULL ||
        strstr(client, "EGL_MESA_platform_surfaceless") == NULL)
        return fail(context, "EGL knows no displays without a surface");
    *out = eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    if (*out == EGL_NO_DISPLAY || !eglInitialize(*out, NULL, NULL)) return fail(context, "EGL does not start");
    return ER_OK;
}

static er_result make_current(er_context *context, draw_offscreen *o)
{
    static const EGLint wanted[] = {
        EGL_CONTEXT_MAJOR_VERSION,           3,       EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
        EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
    static const EGLint kind[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, EGL_DONT_CARE, EGL_NONE};
    EGLConfig config = NULL;
    EGLint count = 0;
    if (!eglBindAPI(EGL_OPENGL_API) || !eglChooseConfig(o->display, kind, &config, 1, &count) || count < 1)
        return fail(context, "EGL has no OpenGL");
    o->egl = eglCreateContext(o->display, config, EGL_NO_CONTEXT, wanted);
    if (o->egl == EGL_NO_CONTEXT) return fail(context, "EGL has no OpenGL 3.3");
    if (!eglMakeCurrent(o->display, EGL_NO_SURFACE, EGL_NO_SURFACE, o->egl))
        return fail(context, "EGL wants a surface for OpenGL");
    return ER_OK;
}

er_result draw_offscreen_create(er_context *context, draw_offscreen **out)
{
    if (out == NULL) return ER_ERROR_ARGUMENT;
    *out = NULL;
    draw_offscreen *o = malloc(sizeof *o);
    if (o == NULL) return er_fail(context, ER_ERROR_MEMORY, "out of memory");
    *o = (draw_offscreen){EGL_NO_DISPLAY, EGL_NO_CONTEXT};
    er_result r = open_display(context, &o->display);
    if (r == ER_OK) r = make_current(context, o);
    if (r != ER_OK) {
        draw_offscreen_destroy(o);
        return r;
    }
    *out = o;
    return ER_OK;
}

void draw_offscreen_destroy(draw_offscreen *o)
{
    if (o == NULL) return;
    if (o->egl != EGL_NO_CONTEXT) {
        eglMakeCurrent(o->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        eglDestroyContext(o->display, o->egl);
    }
    free(o); // EGL's display belongs to the process: others may use it, and unloading a driver leaks
}
