// The window, by GLFW. The client does the rest.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "viewer/window/parts.h"
#include "viewer/window/window.h"

typedef struct window {
    GLFWwindow *handle;
    const window_client *client;
    bool nothing; // a script gave it the size 0
    int quiet;    // frames since the last event
} window;

// ---- callbacks of GLFW

static window *window_of(GLFWwindow *handle)
{
    window *w = glfwGetWindowUserPointer(handle);
    w->quiet = 0;
    return w;
}

static void tell(GLFWwindow *handle, const gui_event *event)
{
    const window_client *g = window_of(handle)->client;
    g->event(g->user, event);
}

// Pixels a point on this screen.
static double scale_of(GLFWwindow *handle)
{
    float x = 1.0f, y = 1.0f;
    glfwGetWindowContentScale(handle, &x, &y);
    return fmin(fmax((double)x, 0.5), 4.0);
}

// Points a unit of GLFW's coordinates, which are pixels on X11.
static double points_of(GLFWwindow *handle)
{
    int window_width, window_height, width, height;
    glfwGetWindowSize(handle, &window_width, &window_height);
    glfwGetFramebufferSize(handle, &width, &height);
    return window_width > 0 ? (double)width / window_width / scale_of(handle) : 1.0;
}

static int modifiers_of(int mods)
{
    return ((mods & GLFW_MOD_SHIFT) != 0 ? GUI_SHIFT : 0) | ((mods & GLFW_MOD_CONTROL) != 0 ? GUI_CONTROL : 0) |
           ((mods & GLFW_MOD_ALT) != 0 ? GUI_ALT : 0);
}

static void on_move(GLFWwindow *handle, double x, double y)
{
    double s = points_of(handle);
    tell(handle, &(gui_event){.kind = GUI_MOUSE_MOVE, .x = s * x, .y = s * y});
}

static void on_button(GLFWwindow *handle, int button, int action, int mods)
{
    tell(handle, &(gui_event){.kind = GUI_MOUSE_BUTTON,
                              .button = button,
                              .modifiers = modifiers_of(mods),
                              .down = action == GLFW_PRESS});
}

static void on_scroll(GLFWwindow *handle, double x, double y)
{
    tell(handle, &(gui_event){.kind = GUI_SCROLL, .x = x, .y = y});
}

// GLFW does not report the modifier of a modifier key itself.
static int with_itself(int key, int mods, bool down)
{
    int bit = key == GLFW_KEY_LEFT_SHIFT || key == GLFW_KEY_RIGHT_SHIFT       ? GUI_SHIFT
              : key == GLFW_KEY_LEFT_CONTROL || key == GLFW_KEY_RIGHT_CONTROL ? GUI_CONTROL
              : key == GLFW_KEY_LEFT_ALT || key == GLFW_KEY_RIGHT_ALT         ? GUI_ALT
                                                                              : 0;
    return down ? mods | bit : mods & ~bit;
}

static void on_key(GLFWwindow *handle, int key, int scancode, int action, int mods)
{
    (void)scancode;
    bool walks = key == GLFW_KEY_LEFT || key == GLFW_KEY_RIGHT || key == GLFW_KEY_UP || key == GLFW_KEY_DOWN;
    window_of(handle);
    if (action == GLFW_REPEAT && !walks) return; // a held key does not toggle again and again
    bool down = action != GLFW_RELEASE;
    tell(handle,
         &(gui_event){
             .kind = GUI_KEY, .key = key, .modifiers = with_itself(key, modifiers_of(mods), down), .down = down});
}

static void on_character(GLFWwindow *handle, unsigned character)
{
    tell(handle, &(gui_event){.kind = GUI_CHARACTER, .character = character});
}

static void on_drop(GLFWwindow *handle, int count, const char **path)
{
    const window_client *g = window_of(handle)->client;
    if (count > 0 && g->drop != NULL) g->drop(g->user, path[0]);
}

static void on_focus(GLFWwindow *handle, int focused)
{
    const window_client *g = window_of(handle)->client;
    g->focus(g->user, focused != 0);
}

static void on_refresh(GLFWwindow *handle)
{
    window_of(handle);
}

static void listen(GLFWwindow *handle)
{
    glfwSetCursorPosCallback(handle, on_move);
    glfwSetMouseButtonCallback(handle, on_button);
    glfwSetScrollCallback(handle, on_scroll);
    glfwSetKeyCallback(handle, on_key);
    glfwSetCharCallback(handle, on_character);
    glfwSetDropCallback(handle, on_drop);
    glfwSetWindowFocusCallback(handle, on_focus);
    glfwSetWindowRefreshCallback(handle, on_refresh);
}

// ---- functions for the client

static void resize(void *user, int width, int height)
{
    window *w = user;
    w->nothing = width <= 0 || height <= 0; // no window can be that small
    if (w->nothing) return;
    double unit = 1.0 / points_of(w->handle); // units of GLFW a point
    glfwSetWindowSize(w->handle, (int)(width * unit + 0.5), (int)(height * unit + 0.5));
}

static const char *get_clipboard(void *user)
{
    return glfwGetClipboardString(((window *)user)->handle);
}

static void set_clipboard(void *user, const char *text)
{
    glfwSetClipboardString(((window *)user)->handle, text);
}

// ---- the loop

static er_result open_window(er_context *context, const window_def *def, window *w)
{
    const char *why = NULL;
    // GLFW keeps the last error.
    if (!glfwInit()) {
        glfwGetError(&why);
        return er_fail(context, ER_ERROR_SYSTEM, "no window can be opened: %s; %s", why != NULL ? why : "no display",
                       def->instead);
    }
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
    glfwWindowHint(GLFW_DEPTH_BITS, 0); // the view has its own depth buffer
    w->handle = glfwCreateWindow(def->width, def->height, "eigenrig", NULL, NULL);
    if (w->handle == NULL) {
        glfwGetError(&why);
        return er_fail(context, ER_ERROR_SYSTEM, "no window with OpenGL 3.3 can be opened: %s; %s",
                       why != NULL ? why : "no reason given", def->instead);
    }
    glfwSetWindowUserPointer(w->handle, w);
    glfwMakeContextCurrent(w->handle);
    return ER_OK;
}

// One frame as large as the window is.
static er_result frame(window *w, double seconds, int *width, int *height)
{
    glfwGetFramebufferSize(w->handle, width, height);
    if (w->nothing || glfwGetWindowAttrib(w->handle, GLFW_ICONIFIED)) *width = *height = 0;
    return w->client->frame(w->client->user, *width, *height, scale_of(w->handle), seconds);
}

static bool is_over(const window *w, const window_def *def, int frames)
{
    if (glfwWindowShouldClose(w->handle) || w->client->is_over(w->client->user)) return true;
    return def->frames > 0 && frames >= def->frames;
}

// If nothing moves, wait for an event, from a few frames after the last one on.
static void pace(window *w, double began, bool scripted)
{
    enum { SETTLED = 4 };
    glfwPollEvents();
    if (scripted) return;
    if (!w->client->is_moving(w->client->user) && ++w->quiet > SETTLED) {
        glfwWaitEventsTimeout(0.25);
        return;
    }
    double left = 1.0 / 60.0 - (glfwGetTime() - began); // if the screen does not set the pace
    if (left > 0.002) glfwWaitEventsTimeout(left - 0.001);
}

static void set_title(const window *w, char *title)
{
    const char *wanted = w->client->title(w->client->user);
    if (strcmp(title, wanted) == 0) return;
    snprintf(title, PATH_SIZE, "%s", wanted);
    glfwSetWindowTitle(w->handle, title);
}

static er_result loop(er_context *context, const window_def *def, window *w)
{
    double before = glfwGetTime();
    char title[PATH_SIZE] = "";
    for (int frames = 0;;) {
        int width, height;
        double now = glfwGetTime();
        er_result r = frame(w, def->scripted ? 1.0 / 60.0 : fmax(now - before, 1e-4), &width, &height);
        before = now;
        if (r != ER_OK) return r;
        if (is_over(w, def, ++frames)) {
            if (def->screenshot == NULL) return ER_OK;
            if (width <= 0 || height <= 0)
                return er_fail(context, ER_ERROR_FILE, "%s: the window has no size to take a picture of",
                               def->screenshot);
            return write_picture(context, width, height, def->screenshot);
        }
        if (width > 0 && height > 0) glfwSwapBuffers(w->handle);
        set_title(w, title);
        pace(w, now, def->scripted);
    }
}

er_result window_run(er_context *context, const window_def *def, const window_client *client)
{
    window w = {.client = client};
    app_host host = {&w, resize, get_clipboard, set_clipboard};
    er_result r = open_window(context, def, &w);
    if (r == ER_OK) {
        glfwSwapInterval(def->scripted ? 0 : 1);
        r = client->begin(client->user, scale_of(w.handle), &host);
    }
    if (r == ER_OK && !def->scripted) listen(w.handle); // keys and mouse are ignored in scripts
    if (r == ER_OK) r = loop(context, def, &w);
    client->end(client->user);
    if (w.handle != NULL) glfwDestroyWindow(w.handle);
    glfwTerminate();
    return r;
}
