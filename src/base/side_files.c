// Files that go with a document, and the folders on their way: all of them made, or none.
#include "base/side_files.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/platform.h"

char *eri_beside_path(er_arena *arena, const char *file, const char *name)
{
    const char *slash = strrchr(file, '/');
    return eri_arena_printf(arena, "%.*s%s", slash != NULL ? (int)(slash - file) + 1 : 0, file, name);
}

static er_result remember(eri_beside *beside, const char *path)
{
    er_result r = ER_OK;
    eri_beside_made *made;
    ERI_TRY_NEW(made, beside->arena, eri_beside_made, 1);
    *made = (eri_beside_made){beside->made, path};
    beside->made = made;
done:
    return r;
}

// The folders between the document's and the file's.
static er_result make_folders(eri_beside *beside, const char *path)
{
    er_result r = ER_OK;
    const char *last = strrchr(beside->path, '/');
    size_t folder_size = last != NULL ? (size_t)(last - beside->path) + 1 : 0;
    for (const char *slash = strchr(path + folder_size, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        char *folder = eri_arena_printf(beside->arena, "%.*s", (int)(slash - path), path);
        if (folder == NULL) return ER_ERROR_MEMORY;
        if (eri_platform_make_folder(folder) != 0) continue;
        if ((r = remember(beside, folder)) != ER_OK) return remove(folder), r;
    }
    return ER_OK;
}

er_result eri_beside_put(eri_beside *beside, const char *to, const uint8_t *bytes, size_t size, const char *from)
{
    er_result r = ER_OK;
    er_context *context = eri_arena_context(beside->arena);
    eri_file_info info;
    if (eri_platform_stat(to, &info) == 0) {
        uint8_t *old = NULL;
        size_t old_size = 0;
        if (info.kind == ERI_FILE_REGULAR && (size_t)info.size == size)
            ERI_TRY(eri_file_read(beside->arena, to, size, &old, &old_size));
        if (old == NULL || old_size != size || memcmp(old, bytes, size) != 0)
            r = er_fail(context, ER_ERROR_FILE,
                        "%s: differs from %s, which would be written there; move it away, or write to another folder",
                        to, from);
        goto done;
    }
    ERI_TRY(make_folders(beside, to));
    ERI_TRY(er_file_write(context, to, bytes, size));
    r = remember(beside, to);
    if (r != ER_OK) remove(to);
done:
    return r;
}

void eri_beside_keep(eri_beside *beside)
{
    beside->made = NULL;
}

void eri_beside_remove(eri_beside *beside)
{
    for (; beside->made != NULL; beside->made = beside->made->next)
        remove(beside->made->path);
}
