// Bullet, which is C++: a module of ours, built if Bullet's headers are there, loaded if it is found.
#include <stdio.h>

#include "base/beside.h"
#include "base/platform.h"
#include "tools/bench/contacts.h"

#define MODULE "eigenrig-bullet.so"

static const bench_engine *bullet;

// Beside the program, in the installed folder, in the build folder.
static void *find(char *why, size_t size)
{
    static const char *const places[] = {"", "../libexec/eigenrig/", "../bench/"};
    char path[4096], name[64];
    snprintf(why, size, "not there: " MODULE ", which is built where libbullet-dev is");
    for (int i = 0; i < 4; ++i) {
        if (i < 3) snprintf(name, sizeof name, "%s" MODULE, places[i]);
        if (i < 3) eri_beside(name, path, sizeof path);
        if (i == 3) snprintf(path, sizeof path, BENCH_MODULES "/" MODULE);
        if (!eri_platform_access(path, ERI_EXISTS)) continue;
        void *found = eri_library_load(path, true);
        if (found == NULL) snprintf(why, size, "%s", eri_library_error());
        return found;
    }
    return NULL;
}

static void *create(er_context *context, const bench_contact_scene *scene, double step, char *why, size_t size)
{
    static void *library;
    if (library == NULL) library = find(why, size);
    if (library == NULL) return NULL;
    bullet = eri_library_symbol(library, "bench_contacts_module");
    return bullet != NULL ? bullet->create(context, scene, step, why, size) : NULL;
}

static void destroy(void *self)
{
    bullet->destroy(self);
}

static bool advance(void *self)
{
    return bullet->advance(self);
}

static void poses(void *self, er_pose *pose)
{
    bullet->poses(self, pose);
}

const bench_engine bench_contacts_bullet = {"bullet", create, destroy, advance, poses, NULL};
