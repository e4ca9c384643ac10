// The part of GLFW that the window takes, without a screen.
#include "fake_glfw.h"

#include <epoxy/gl.h>
#include <stdio.h>

fake_screen screen;
static GLuint bound, buffer;

void screen_begin(int width, int height)
{
    screen = (fake_screen){.scale = 1.0f, .pixels = 1, .frame_seconds = 0.004, .interval = -1};
    glGenFramebuffers(1, &bound);
    glGenRenderbuffers(1, &buffer);
    glBindFramebuffer(GL_FRAMEBUFFER, bound);
    glBindRenderbuffer(GL_RENDERBUFFER, buffer);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, buffer);
    glViewport(0, 0, width, height);
}

void screen_end(void)
{
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &bound);
    glDeleteRenderbuffers(1, &buffer);
}

int hint_of(int name)
{
    for (int i = 0; i < screen.hint_count; ++i)
        if (screen.hint[i][0] == name) return screen.hint[i][1];
    return -1;
}

int glfwInit(void)
{
    screen.initialised = screen.no_display == NULL;
    return screen.initialised;
}

void glfwTerminate(void)
{
    ++screen.ends;
}

int glfwGetError(const char **description)
{
    const char *why = screen.initialised ? screen.no_window : screen.no_display;
    *description = why != NULL && *why != '\0' ? why : NULL;
    return 1;
}

void glfwWindowHint(int hint, int value)
{
    assert_true(screen.hint_count < MOST_HINTS);
    screen.hint[screen.hint_count][0] = hint;
    screen.hint[screen.hint_count++][1] = value;
}

GLFWwindow *glfwCreateWindow(int width, int height, const char *title, GLFWmonitor *monitor, GLFWwindow *share)
{
    assert_true(monitor == NULL && share == NULL);
    if (screen.no_window != NULL) return NULL;
    screen.width = width;
    screen.height = height;
    screen.opened = true;
    snprintf(screen.title, sizeof screen.title, "%s", title);
    return WINDOW;
}

void glfwDestroyWindow(GLFWwindow *window)
{
    assert_true(window == WINDOW && screen.opened);
    screen.opened = false;
}

void glfwSetWindowUserPointer(GLFWwindow *window, void *pointer)
{
    assert_ptr_equal(window, WINDOW);
    screen.user = pointer;
}

void *glfwGetWindowUserPointer(GLFWwindow *window)
{
    assert_ptr_equal(window, WINDOW);
    return screen.user;
}

void glfwMakeContextCurrent(GLFWwindow *window)
{
    assert_ptr_equal(window, WINDOW);
}

void glfwSwapInterval(int interval)
{
    screen.interval = interval;
}

void glfwGetWindowContentScale(GLFWwindow *window, float *x, float *y)
{
    assert_ptr_equal(window, WINDOW);
    *x = *y = screen.scale;
}

void glfwGetWindowSize(GLFWwindow *window, int *width, int *height)
{
    assert_ptr_equal(window, WINDOW);
    *width = screen.width;
    *height = screen.height;
}

void glfwSetWindowSize(GLFWwindow *window, int width, int height)
{
    assert_ptr_equal(window, WINDOW);
    screen.width = width;
    screen.height = height;
}

void glfwGetFramebufferSize(GLFWwindow *window, int *width, int *height)
{
    assert_ptr_equal(window, WINDOW);
    *width = screen.pixels * screen.width;
    *height = screen.pixels * screen.height;
}

int glfwGetWindowAttrib(GLFWwindow *window, int attribute)
{
    assert_ptr_equal(window, WINDOW);
    return attribute == GLFW_ICONIFIED && screen.iconified;
}

int glfwWindowShouldClose(GLFWwindow *window)
{
    assert_ptr_equal(window, WINDOW);
    return screen.closes;
}

void glfwSetWindowTitle(GLFWwindow *window, const char *title)
{
    assert_ptr_equal(window, WINDOW);
    snprintf(screen.title, sizeof screen.title, "%s", title);
    ++screen.titles;
}

const char *glfwGetClipboardString(GLFWwindow *window)
{
    assert_ptr_equal(window, WINDOW);
    return screen.clipboard;
}

void glfwSetClipboardString(GLFWwindow *window, const char *text)
{
    assert_ptr_equal(window, WINDOW);
    snprintf(screen.clipboard, sizeof screen.clipboard, "%s", text);
}

void glfwSwapBuffers(GLFWwindow *window)
{
    assert_ptr_equal(window, WINDOW);
    ++screen.swaps;
}

void glfwPollEvents(void)
{
    if (screen.at_poll != NULL) screen.at_poll(screen.polls);
    ++screen.polls;
}

void glfwWaitEventsTimeout(double seconds)
{
    if (screen.waits < (int)(sizeof screen.waited / sizeof *screen.waited)) screen.waited[screen.waits++] = seconds;
    screen.time += seconds;
}

double glfwGetTime(void)
{
    return screen.time += screen.frame_seconds;
}

#define SETTER(type, name, field)                                                                                      \
    type glfwSet##name##Callback(GLFWwindow *window, type callback)                                                    \
    {                                                                                                                  \
        assert_ptr_equal(window, WINDOW);                                                                              \
        screen.field = callback;                                                                                       \
        return NULL;                                                                                                   \
    }
SETTER(GLFWcursorposfun, CursorPos, move)
SETTER(GLFWmousebuttonfun, MouseButton, button)
SETTER(GLFWscrollfun, Scroll, scroll)
SETTER(GLFWkeyfun, Key, key)
SETTER(GLFWcharfun, Char, character)
SETTER(GLFWdropfun, Drop, drop)
SETTER(GLFWwindowfocusfun, WindowFocus, focus)
SETTER(GLFWwindowrefreshfun, WindowRefresh, refresh)
