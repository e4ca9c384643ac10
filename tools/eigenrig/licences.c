// `eigenrig licences`: what the programs and the library link or embed, under which licences, and their texts.
#include <string.h>

#include "tools/eigenrig/cli.h"
#include <licence_texts.h>

enum { MOST_LICENCES = 3 };

// A component that is not ours. `file` begins the name of its shared library; NULL: it is compiled into the program.
static const struct {
    const char *name, *file, *use, *notice, *licence[MOST_LICENCES]; // of the texts that are printed
} components[] = {
    {"Dear ImGui", NULL, "widgets and text of the window", "Copyright (c) 2014-2021 Omar Cornut", {"MIT"}},
    {"stb", "libstb", "letters and packing in Dear ImGui", "Copyright (c) 2017 Sean Barrett", {"MIT"}},
    {"GLFW",
     "libglfw",
     "the window and its events",
     "Copyright (c) 2002-2006 Marcus Geelnard\nCopyright (c) 2006-2019 Camilla Löwy",
     {"Zlib"}},
    {"libepoxy", "libepoxy", "functions of OpenGL and EGL", "Copyright (c) 2013-2014 Intel Corporation", {"MIT"}},
    {"Lua", "liblua", "scripts and descriptions", "Copyright (C) 1994-2020 Lua.org, PUC-Rio", {"MIT"}},
    {"Jansson", "libjansson", "JSON", "Copyright (c) 2009-2020 Petri Lehtinen", {"MIT"}},
    {"libpng", "libpng", "PNG", "Copyright (c) 1995-2022 The PNG Reference Library Authors", {"libpng-2.0"}},
    {"libjpeg-turbo",
     "libturbojpeg",
     "JPEG textures",
     "Copyright (C) 1991-2020 Thomas G. Lane, Guido Vollbeding\nCopyright (C) 2009-2022 D. R. Commander\n"
     "Copyright (C) 2015, 2020 Google, Inc.\nThis software is based in part on the work of the Independent JPEG Group.",
     {"IJG", "BSD-3-Clause", "Zlib"}},
    {"zlib",
     "libz.",
     "compressed arrays and checksums",
     "Copyright (C) 1995-2022 Jean-loup Gailly and Mark Adler",
     {"Zlib"}},
    {"libzip",
     "libzip",
     "archives of arrays",
     "Copyright (C) 1999-2022 Dieter Baron and Thomas Klausner",
     {"BSD-3-Clause"}},
    {"Nettle", "libnettle", "SHA-256", "Copyright (C) 2001-2022 Niels Möller and others", {"LGPL-3.0", "GPL-3.0"}},
    {"OpenBLAS", "libopenblas", "linear algebra", "Copyright (c) 2011-2022 The OpenBLAS Project", {"BSD-3-Clause"}},
    {"LAPACK",
     "liblapacke",
     "linear algebra",
     "Copyright (c) 1992-2022 The University of Tennessee and The University of Tennessee Research Foundation\n"
     "Copyright (c) 2010-2022 Intel Corp.",
     {"BSD-3-Clause"}},
    {"Qhull", "libqhull", "convex hulls", "Copyright (c) 1993-2020 C.B. Barber, http://www.qhull.org", {"Qhull"}},
    {"Assimp", "libassimp", "scene files, in the importer", "Copyright (c) 2006-2022, assimp team", {"BSD-3-Clause"}},
    {"Draco", "libdraco", "compressed meshes, in the importer", "Copyright 2020 Google Inc.", {"Apache-2.0"}},
    {"meshoptimizer",
     "libmeshoptimizer",
     "compressed buffers, in the importer",
     "Copyright (c) 2016-2022 Arseny Kapoulkine",
     {"MIT"}},
    {"libseccomp",
     "libseccomp",
     "the sandbox of the importer",
     "Copyright (c) 2012 Paul Moore and others",
     {"LGPL-2.1"}},
    {"libstdc++ and libgcc",
     "libstdc++ libgcc_s",
     "numbers as text, Assimp",
     "Copyright (C) Free Software Foundation, Inc.",
     {"GPL-3.0", "GCC-exception-3.1"}},
    {"GNU C Library",
     "libm. libc. ld-linux",
     "the C library",
     "Copyright (C) Free Software Foundation, Inc.",
     {"LGPL-2.1"}},
};
enum { COMPONENT_COUNT = (int)(sizeof components / sizeof components[0]) };

// SPDX expressions of components whose licences are not just all of their texts, by the copyright files of Debian.
static const struct {
    const char *name, *spdx;
} expressions[] = {{"Nettle", "LGPL-3.0-or-later OR GPL-2.0-or-later"},
                   {"libseccomp", "LGPL-2.1-only"},
                   {"libstdc++ and libgcc", "GPL-3.0-or-later WITH GCC-exception-3.1"},
                   {"GNU C Library", "LGPL-2.1-or-later"}};

static int licence_count(int i)
{
    int count = 0;
    while (count < MOST_LICENCES && components[i].licence[count] != NULL)
        ++count;
    return count;
}

static void print_expression(int i)
{
    for (size_t k = 0; k < sizeof expressions / sizeof expressions[0]; ++k)
        if (strcmp(expressions[k].name, components[i].name) == 0) {
            printf("%s", expressions[k].spdx);
            return;
        }
    for (int k = 0; k < licence_count(i); ++k)
        printf("%s%s", k > 0 ? " AND " : "", components[i].licence[k]);
}

static void print_list(void)
{
    for (int i = 0; i < COMPONENT_COUNT; ++i) {
        printf("%-21s ", components[i].name);
        print_expression(i);
        printf("; %s; %s\n", components[i].file != NULL ? components[i].file : "compiled in", components[i].use);
    }
}

static bool is_used(const char *licence)
{
    for (int i = 0; i < COMPONENT_COUNT; ++i)
        for (int k = 0; k < licence_count(i); ++k)
            if (strcmp(components[i].licence[k], licence) == 0) return true;
    return false;
}

static void print_all(void)
{
    printf("eigenrig %s is under the MIT licence: Copyright (c) 2026 the eigenrig authors.\n"
           "It links or contains:\n",
           er_version());
    for (int i = 0; i < COMPONENT_COUNT; ++i) {
        printf("\n%s: %s. %s; licence ", components[i].name, components[i].use,
               components[i].file != NULL ? "Shared library" : "Compiled into the program");
        print_expression(i);
        printf("\n%s\n", components[i].notice);
    }
    for (size_t i = 0; i < sizeof licence_texts / sizeof licence_texts[0]; ++i) {
        if (!is_used(licence_texts[i].name)) continue;
        printf("\n======== %s ========\n\n", licence_texts[i].name);
        for (const char *const *line = licence_texts[i].line; *line != NULL; ++line)
            fputs(*line, stdout);
    }
}

int run_licences(er_context *context, options *o)
{
    (void)context;
    if (o->topic == NULL)
        print_all();
    else if (strcmp(o->topic, "list") == 0)
        print_list();
    else
        return fail_usage("licences", "there is no \"%s\"; leave it out for the texts, or write list", o->topic);
    return EXIT_DONE;
}
