// The names in a folder.
#include "viewer/window/listing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/letters.h"
#include "base/platform.h"

static int by_kind_and_name(const void *a, const void *b)
{
    const listing_entry *x = a, *y = b;
    return x->folder != y->folder ? y->folder - x->folder : eri_compare_letters(x->name, y->name);
}

static bool is_folder(const char *folder, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return eri_platform_is_folder(path);
}

static bool add(listing *l, const char *folder, const char *name)
{
    if ((l->count & (l->count - 1)) == 0) { // full at every power of two
        size_t room = l->count > 0 ? 2 * (size_t)l->count : 1;
        listing_entry *entry = realloc(l->entry, room * sizeof *entry);
        if (entry == NULL) return false;
        l->entry = entry;
    }
    char *copy = strdup(name);
    if (copy == NULL) return false;
    l->entry[l->count++] = (listing_entry){copy, is_folder(folder, name)};
    return true;
}

listing *listing_create(const char *folder)
{
    eri_listing *directory = eri_listing_open(folder);
    if (directory == NULL) return NULL;
    listing *l = calloc(1, sizeof *l);
    for (const char *d; l != NULL && (d = eri_listing_next(directory)) != NULL;)
        if (d[0] != '.' && !add(l, folder, d)) {
            listing_destroy(l);
            l = NULL;
        }
    eri_listing_close(directory);
    if (l != NULL && l->count > 1) qsort(l->entry, (size_t)l->count, sizeof *l->entry, by_kind_and_name);
    return l;
}

void listing_destroy(listing *l)
{
    if (l == NULL) return;
    for (int i = 0; i < l->count; ++i)
        free(l->entry[i].name);
    free(l->entry);
    free(l);
}
