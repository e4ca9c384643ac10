// A frame of the viewer that nobody touches takes no memory: every malloc() of this thread is looked at, and those that
// the program itself or the C++ library asks for are counted. The graphics driver's are its own affair.
#include "../draw/stage.h"

#include <dlfcn.h>
#include <stdio.h>

#include "viewer/app.h"

#ifndef __SANITIZE_ADDRESS__
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);

static _Thread_local bool counting;
static _Thread_local int taken;
static const char *program; // as dladdr() calls it

static void note(const void *caller)
{
    Dl_info from;
    if (!counting || dladdr(caller, &from) == 0) return;
    taken += strcmp(from.dli_fname, program) == 0 || strstr(from.dli_fname, "libstdc++") != NULL;
}

__attribute__((noinline)) void *malloc(size_t size) // whose caller is the one that asks
{
    note(__builtin_return_address(0));
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    note(__builtin_return_address(0));
    return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    note(__builtin_return_address(0));
    return __libc_realloc(old, size);
}

enum { WIDTH = 640, HEIGHT = 400, WARM_UP = 30, FRAMES = 20 };

static void draw_frames(stage *s, app *a, int count)
{
    for (int i = 0; i < count; ++i) {
        draw_target_bind(s->target);
        assert_int_equal(app_frame(a, WIDTH, HEIGHT, 1.0, 1.0 / 60.0), ER_OK);
    }
}

static void a_frame_takes_no_memory(void **state)
{
    stage *s = need_stage(state);
    char path[4096];
    Dl_info here;
    viewer_def def = viewer_default_def();
    app *a = NULL;
    snprintf(path, sizeof path, "%s/models/gnome.glb", getenv("EIGENRIG_SOURCE"));
    def.model = path;
    def.frames = 1;
    assert_int_equal(draw_target_resize(s->target, WIDTH, HEIGHT), ER_OK);
    assert_int_equal(app_create(s->context, &def, 1.0, &(app_host){0}, &a), ER_OK);
    draw_frames(s, a, WARM_UP);
    assert_int_not_equal(dladdr((const void *)(uintptr_t)app_frame, &here), 0);
    program = here.dli_fname;
    counting = true;
    void *volatile counted = malloc(1); // the count itself can fail
    draw_frames(s, a, FRAMES);
    counting = false;
    free(counted);
    assert_int_equal(taken, 1);
    app_destroy(a);
}
#else
static void a_frame_takes_no_memory(void **state)
{
    (void)state;
    skip(); // a sanitizer has its own malloc()
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_frame_takes_no_memory, stage_begin, stage_end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
