/// @file
/// The names in a folder, folders first, both in order.
#ifndef ERI_VIEWER_WINDOW_LISTING_H
#define ERI_VIEWER_WINDOW_LISTING_H

#include <stdbool.h>

typedef struct listing_entry {
    char *name;
    bool folder;
} listing_entry;

typedef struct listing {
    int count;
    listing_entry *entry; ///< [count], hidden ones left out
} listing;

/// @return for listing_destroy(); NULL: the folder cannot be read (errno tells), or no memory
listing *listing_create(const char *folder);
void listing_destroy(listing *l);

#endif
