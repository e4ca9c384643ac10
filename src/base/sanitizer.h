/// @file
/// Private: marks memory between two uses for the address sanitizer. Does nothing without it.
#ifndef ERI_BASE_SANITIZER_H
#define ERI_BASE_SANITIZER_H

#include <stddef.h>

/// 1 where the address sanitizer is compiled in, 0 elsewhere.
#if defined(__SANITIZE_ADDRESS__)
#define ERI_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ERI_SANITIZED 1
#endif
#endif
#ifndef ERI_SANITIZED
#define ERI_SANITIZED 0
#endif

#if ERI_SANITIZED
#include <sanitizer/asan_interface.h>
#endif

/// Reading or writing these bytes is an error until eri_unpoison().
static inline void eri_poison(const void *memory, size_t size)
{
#if ERI_SANITIZED
    __asan_poison_memory_region(memory, size);
#else
    (void)memory;
    (void)size;
#endif
}

/// These bytes may be used.
static inline void eri_unpoison(const void *memory, size_t size)
{
#if ERI_SANITIZED
    __asan_unpoison_memory_region(memory, size);
#else
    (void)memory;
    (void)size;
#endif
}

#endif
