// Writes the sample scenes: the five experiments of Bacin, Animacao Dinamica de Corpos Rigidos Articulados, Unicamp
// 1999, in his own files, and a hovercraft. Usage: make_scenes DIRECTORY
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "turn.h"

static const char *directory;

_Noreturn static void stop(const char *path, const char *why)
{
    fprintf(stderr, "make_scenes: error: %s: %s\n", path, why);
    exit(1);
}

static void make_folder(const char *name)
{
    char path[4096];
    if (snprintf(path, sizeof path, "%s/%s", directory, name) >= (int)sizeof path) stop(directory, "path too long");
    if (mkdir(path, 0777) != 0 && errno != EEXIST) stop(path, strerror(errno));
}

static FILE *begin(const char *name)
{
    char path[4096];
    if (snprintf(path, sizeof path, "%s/%s", directory, name) >= (int)sizeof path) stop(directory, "path too long");
    FILE *f = fopen(path, "wb");
    if (f == NULL) stop(path, strerror(errno));
    return f;
}

static void end(FILE *f, const char *name)
{
    bool failed = ferror(f) != 0;
    if (fclose(f) != 0 || failed) stop(name, "cannot be written whole");
}

// A file of one text.
__attribute__((format(printf, 2, 3))) static void write_file(const char *name, const char *format, ...)
{
    va_list arguments;
    FILE *f = begin(name);
    va_start(arguments, format);
    vfprintf(f, format, arguments);
    va_end(arguments);
    end(f, name);
}

// ---- shapes

// Triangles of a box with corners 1 to 8: x slowest, then y, then z, low before high; counter-clockwise from outside.
static const int box[6][4] = {{1, 2, 4, 3}, {5, 7, 8, 6}, {1, 5, 6, 2}, {3, 4, 8, 7}, {1, 3, 7, 5}, {2, 6, 8, 4}};

static void put_corners(FILE *f, er_vec3 low, er_vec3 high)
{
    for (int i = 0; i < 8; ++i)
        fprintf(f, "v%d %g %g %g\n", i + 1, i & 4 ? high.x : low.x, i & 2 ? high.y : low.y, i & 1 ? high.z : low.z);
}

static void write_box(const char *name, const char *about, const char *properties, er_vec3 low, er_vec3 high)
{
    FILE *f = begin(name);
    fprintf(f, "%sbegin shape (format of 95-01-09)\n%svertices = 8\nfaces = 12\n", about, properties);
    put_corners(f, low, high);
    for (int i = 0; i < 6; ++i) {
        const int *c = box[i];
        fprintf(f, "f%d v%d v%d v%d\nf%d v%d v%d v%d\n", 2 * i + 1, c[0], c[1], c[2], 2 * i + 2, c[0], c[2], c[3]);
    }
    fprintf(f, "end shape\n");
    end(f, name);
}

// A box along x whose square ends carry pyramids.
static void write_tipped_bar(const char *name)
{
    FILE *f = begin(name);
    fprintf(f, "# A bar of 10 x 2 x 2 with a pyramid of height 1 on each square end: 12 m from tip to tip.\n"
               "begin shape (format of 95-01-09)\nmass = 10\nmoments = 1.71 31.71 31.71\nvertices = 10\nfaces = 16\n");
    put_corners(f, er_v3(-5, -1, -1), er_v3(5, 1, 1));
    fprintf(f, "v9 -6 0 0\nv10 6 0 0\n");
    int face = 0;
    for (int i = 0; i < 6; ++i) {
        const int *c = box[i];
        if (i >= 2) { // a side
            fprintf(f, "f%d v%d v%d v%d\n", face + 1, c[0], c[1], c[2]);
            fprintf(f, "f%d v%d v%d v%d\n", face + 2, c[0], c[2], c[3]);
            face += 2;
            continue;
        }
        for (int k = 0; k < 4; ++k)
            fprintf(f, "f%d v%d v%d v%d\n", ++face, c[k], c[(k + 1) % 4], 9 + i);
    }
    fprintf(f, "end shape\n");
    end(f, name);
}

// Regular, its corners 2 m from the centre: one above, three on a circle below.
static void write_tetrahedron(const char *name)
{
    FILE *f = begin(name);
    fprintf(f, "# A regular tetrahedron, its corners 2 m from its centre.\n"
               "begin shape (format of 95-01-09)\nmass = 1.5\nmoments = 0.75 0.75 0.46\nvertices = 4\nfaces = 4\n"
               "v1 0 0 2\n");
    double radius = 4.0 * sqrt(2.0) / 3.0, below = -2.0 / 3.0;
    for (int k = 0; k < 3; ++k) {
        cos_sin d = turn(k / 3.0);
        fprintf(f, "v%d %.17g %.17g %.17g\n", k + 2, radius * d.cosine, radius * d.sine, below);
    }
    fprintf(f, "f1 v1 v2 v3\nf2 v1 v3 v4\nf3 v1 v4 v2\nf4 v2 v4 v3\nend shape\n");
    end(f, name);
}

static void write_shapes(void)
{
    write_box(
        "bacin/bar.shp",
        "# A bar of 10 x 4 x 2. The moments are those printed; a box of these sides and 1 kg has 1.67 8.67 9.67.\n",
        "mass = 10\nmoments = 1.66 9.66 8.66\n", er_v3(-5, -2, -1), er_v3(5, 2, 1));
    write_tipped_bar("bacin/tipped_bar.shp");
    write_tetrahedron("bacin/tetrahedron.shp");
    write_box(
        "bacin/slab.shp",
        "# The body that falling ones rebound from. No shape is printed for it: this one has its top in the plane\n"
        "# z = 0 of its frame. It never moves, so that mass and moments are of no account.\n",
        "mass = 1\nmoments = 1 1 1\n", er_v3(-100, -100, -10), er_v3(100, 100, 0));
}

// ---- experiments

static void write_animation(const char *name, const char *about, double duration, int frames, const char *more)
{
    write_file(name,
               "# %s\n"
               "begin animation (format of 95-01-09)\n"
               "  duration = %g\n  frames = %d\n  tolerance = 1e-4\n"
               "  min_step = 1e-8 # the print has no bounds of the step: these are ours\n"
               "  max_step = 0.005\n%s"
               "end animation\n",
               about, duration, frames, more);
}

static void write_free_bar(const char *experiment, const char *about, const char *rates)
{
    char name[64];
    snprintf(name, sizeof name, "bacin/%s.cfg", experiment);
    write_animation(name, about, 10, 300, "  gravity = off\n");
    snprintf(name, sizeof name, "bacin/%s.bds", experiment);
    write_file(name, "begin bodies (format of 95-01-09)\nbodies = 1\nbar bar\n  1 1 1 1\nend bodies\n");
    snprintf(name, sizeof name, "bacin/%s.ste", experiment);
    write_file(
        name,
        "begin state (format of 95-01-09)\nbodies = 1\ntime = 0\nbar  0 0 0  1 0 0 0\n     0 0 0  %s\nend state\n",
        rates);
}

static void write_hanging_bars(void)
{
    cos_sin quarter = turn(0.125); // half the angle
    write_animation("bacin/9.4.cfg",
                    "Two bars, the first hung from a point in space. The print has the first one's\n"
                    "# orientation among its velocities: it stands upright, a quarter turn about y.",
                    15, 450, "");
    write_file("bacin/9.4.bds",
               "begin bodies (format of 95-01-09)\nbodies = 2\nbar1 tipped_bar\n  1 1 1 1\nbar2 tipped_bar\n  1 1 1 1\n"
               "end bodies\n");
    write_file("bacin/9.4.ste",
               "begin state (format of 95-01-09)\nbodies = 2\ntime = 0\n"
               "bar1  0 0 19  %.17g 0 %.17g 0\n      0 0 0  0 0 0 0\n"
               "bar2  6 0 13  1 0 0 0\n      0 0 0  0 0 0 0\nend state\n",
               quarter.cosine, quarter.sine);
    write_file("bacin/9.4.ctr", "begin constraints (format of 95-01-09)\nconstraints = 2\n"
                                "hook Fixed\n  bar1 -6 0 0\n"
                                "elbow Universal\n  bar1 6 0 0\n  bar2 -6 0 0\nend constraints\n");
}

// A body of which three points are fixed does not move.
#define SLAB_IS_FIXED                                                                                                  \
    "slab_a Fixed\n  slab 0 0 0\n"                                                                                     \
    "slab_b Fixed\n  slab 1 0 0\n"                                                                                     \
    "slab_c Fixed\n  slab 0 1 0\n"

static void write_falling_tetrahedron(void)
{
    write_animation("bacin/9.5.cfg", "A tetrahedron falls on a fixed body and rebounds without loss.", 3.3, 100, "");
    write_file("bacin/9.5.bds",
               "begin bodies (format of 95-01-09)\nbodies = 2\ntetra tetrahedron\n  1 1 1 1\nslab slab\n  1 1 1 1\n"
               "end bodies\n");
    write_file("bacin/9.5.ste",
               "# The orientation of the tetrahedron is printed with two digits; readers make it unit.\n"
               "begin state (format of 95-01-09)\nbodies = 2\ntime = 0\n"
               "tetra  0 3 4  0.97 0.11 0.11 0.21\n       0 0 0  0 0 0 0\n"
               "slab   0 0 0  1 0 0 0\n       0 0 0  0 0 0 0\nend state\n");
    write_file("bacin/9.5.ctr",
               "begin constraints (format of 95-01-09)\nconstraints = 3\n" SLAB_IS_FIXED "end constraints\n");
}

static void write_falling_bars(void)
{
    cos_sin eighth = turn(0.0625), twelfth = turn(1.0 / 24.0), tilt = turn(1.0 / 12.0); // half angles, and 30 degrees
    write_animation("bacin/9.6.cfg", "Two bars that are joined fall on a fixed body and rebound without loss.", 10, 300,
                    "");
    write_file("bacin/9.6.bds",
               "begin bodies (format of 95-01-09)\nbodies = 3\nbar1 tipped_bar\n  1 1 1 1\nbar2 tipped_bar\n  1 1 1 1\n"
               "slab slab\n  1 1 1 1\nend bodies\n");
    write_file(
        "bacin/9.6.ste",
        "# The print has the second bar's tilt with its whole angle, 30 degrees, where half of it belongs, and at\n"
        "# (7.28 0 8.45). Here it is a turn about y, and the bar stands so that its end meets the first one's at (2 0 "
        "11.5).\n"
        "begin state (format of 95-01-09)\nbodies = 3\ntime = 0\n"
        "bar1  -4 0 11.5  %.17g %.17g 0 0\n      0 0 0  0 0 0 0\n"
        "bar2  %.17g 0 %.17g  %.17g 0 %.17g 0\n      0 0 0  0 0 0 0\n"
        "slab  0 0 0  1 0 0 0\n      0 0 0  0 0 0 0\nend state\n",
        eighth.cosine, eighth.sine, 2.0 + 6.0 * tilt.cosine, 11.5 - 6.0 * tilt.sine, twelfth.cosine, twelfth.sine);
    write_file("bacin/9.6.ctr", "begin constraints (format of 95-01-09)\nconstraints = 4\n"
                                "elbow Universal\n  bar1 6 0 0\n  bar2 -6 0 0\n" SLAB_IS_FIXED "end constraints\n");
}

// ---- the hovercraft

// A box of 1.2 x 0.8 x 0.3 m that slides and turns in the plane, seen from its centre of mass: x ahead, y to the left.
static void write_hovercraft(void)
{
    const double mass = 5.0, length = 1.2, width = 0.8, height = 0.3;
    FILE *f = begin("scenes/hovercraft.json");
    fprintf(f,
            "{\"format\": \"eigenrig-world\", \"version\": 1, \"name\": \"hovercraft\",\n"
            "  \"rig\": {\"format\": \"eigenrig-rig\", \"version\": 1, \"name\": \"hovercraft\",\n"
            "    \"bodies\": [{\"name\": \"hull\", \"mass\": %g, \"com\": [0, 0, 0],\n"
            "      \"inertia\": [[%.17g, 0, 0], [0, %.17g, 0], [0, 0, %.17g]],\n"
            "      \"position\": [0, 0, %g], \"orientation\": [1, 0, 0, 0]}],\n"
            "    \"joints\": [{\"name\": \"cushion\", \"parent\": -1, \"child\": 0, \"type\": \"planar\",\n"
            "      \"position\": [0, 0, 0], \"orientation\": [1, 0, 0, 0], \"stiffness\": [0, 0, 0]}]},\n"
            "  \"gravity\": [0, 0, -9.81], \"duration\": 12, \"frames\": 360,\n",
            mass, mass * (width * width + height * height) / 12.0, mass * (length * length + height * height) / 12.0,
            mass * (length * length + width * width) / 12.0, 0.5 * height);
    fprintf(f, "  \"shapes\": [{\"name\": \"box\", \"body\": 0, \"vertices\": [");
    for (int i = 0; i < 8; ++i)
        fprintf(f, "%s[%g, %g, %g]", i == 0 ? "" : ", ", i & 4 ? 0.5 * length : -0.5 * length,
                i & 2 ? 0.5 * width : -0.5 * width, i & 1 ? 0.5 * height : -0.5 * height);
    fprintf(f,
            "]}],\n  \"forces\": [\n"
            "    {\"name\": \"rear thruster\", \"kind\": \"schedule\", \"body\": 0, \"point\": [-0.6, 0, 0], \"axes\": "
            "\"body\",\n"
            "      \"samples\": [[0, 0, 0, 0, 0, 0, 0], [2, 20, 0, 0, 0, 0, 0], [10, 20, 0, 0, 0, 0, 0],\n"
            "                  [12, 0, 0, 0, 0, 0, 0]]},\n"
            "    {\"name\": \"left thruster\", \"kind\": \"schedule\", \"body\": 0, \"point\": [0.4, 0.4, 0], "
            "\"axes\": \"body\",\n"
            "      \"samples\": [[2, 0, 0, 0, 0, 0, 0], [3, 0, -6, 0, 0, 0, 0], [5, 0, 0, 0, 0, 0, 0]]},\n"
            "    {\"name\": \"right thruster\", \"kind\": \"schedule\", \"body\": 0, \"point\": [0.4, -0.4, 0], "
            "\"axes\": \"body\",\n"
            "      \"samples\": [[6, 0, 0, 0, 0, 0, 0], [7, 0, 6, 0, 0, 0, 0], [9, 0, 0, 0, 0, 0, 0]]},\n"
            "    {\"name\": \"air\", \"kind\": \"drag\", \"body\": 0, \"linear_drag\": 0.5, \"quadratic_drag\": 0.8,\n"
            "      \"angular_drag\": 0.4}]}\n");
    end(f, "scenes/hovercraft.json");
}

// ---- the ragdoll

// A box of water, hung by a ball joint.
typedef struct part {
    const char *name;
    int parent; // -1 for the one that floats
    er_vec3 joint, centre, half;
    double stiffness; // N m/rad, about each axis
} part;

enum { PARTS = 16 };

static const part parts[PARTS] = {
    {"pelvis", -1, {0, 0, 1}, {0, 0, 1}, {0.1, 0.16, 0.08}, 0},
    {"abdomen", 0, {0, 0, 1.08}, {0, 0, 1.16}, {0.09, 0.13, 0.08}, 120},
    {"chest", 1, {0, 0, 1.24}, {0, 0, 1.38}, {0.11, 0.17, 0.14}, 120},
    {"head", 2, {0, 0, 1.53}, {0, 0, 1.66}, {0.1, 0.08, 0.12}, 30},
    {"left_upper_arm", 2, {0, 0.22, 1.48}, {0, 0.22, 1.33}, {0.045, 0.045, 0.15}, 20},
    {"left_forearm", 4, {0, 0.22, 1.18}, {0, 0.22, 1.05}, {0.04, 0.04, 0.13}, 10},
    {"left_hand", 5, {0, 0.22, 0.92}, {0, 0.22, 0.84}, {0.02, 0.045, 0.08}, 2},
    {"right_upper_arm", 2, {0, -0.22, 1.48}, {0, -0.22, 1.33}, {0.045, 0.045, 0.15}, 20},
    {"right_forearm", 7, {0, -0.22, 1.18}, {0, -0.22, 1.05}, {0.04, 0.04, 0.13}, 10},
    {"right_hand", 8, {0, -0.22, 0.92}, {0, -0.22, 0.84}, {0.02, 0.045, 0.08}, 2},
    {"left_thigh", 0, {0, 0.09, 0.92}, {0, 0.09, 0.72}, {0.07, 0.07, 0.2}, 60},
    {"left_shin", 10, {0, 0.09, 0.51}, {0, 0.09, 0.3}, {0.05, 0.05, 0.21}, 30},
    {"left_foot", 11, {0, 0.09, 0.09}, {0.06, 0.09, 0.045}, {0.12, 0.045, 0.04}, 10},
    {"right_thigh", 0, {0, -0.09, 0.92}, {0, -0.09, 0.72}, {0.07, 0.07, 0.2}, 60},
    {"right_shin", 13, {0, -0.09, 0.51}, {0, -0.09, 0.3}, {0.05, 0.05, 0.21}, 30},
    {"right_foot", 14, {0, -0.09, 0.09}, {0.06, -0.09, 0.045}, {0.12, 0.045, 0.04}, 10},
};

static void put_vec3(FILE *f, const char *key, er_vec3 v)
{
    fprintf(f, "\"%s\": [%.15g, %.15g, %.15g]", key, v.x, v.y, v.z);
}

static void put_part(FILE *f, const part *p)
{
    er_vec3 h = p->half;
    double mass = 1000.0 * 8.0 * h.x * h.y * h.z;
    fprintf(f, "      {\"name\": \"%s\", \"mass\": %.15g, ", p->name, mass);
    put_vec3(f, "com", er_v3_sub(p->centre, p->joint));
    fprintf(f, ",\n       \"inertia\": [[%.15g, 0, 0], [0, %.15g, 0], [0, 0, %.15g]],\n       ",
            mass * (h.y * h.y + h.z * h.z) / 3.0, mass * (h.z * h.z + h.x * h.x) / 3.0,
            mass * (h.x * h.x + h.y * h.y) / 3.0);
    put_vec3(f, "position", p->joint);
    fprintf(f, ", \"orientation\": [1, 0, 0, 0]}");
}

static void put_ball(FILE *f, int child)
{
    const part *p = &parts[child];
    fprintf(f, "      {\"name\": \"%s\", \"parent\": %d, \"child\": %d, \"type\": \"spherical\", ", p->name, p->parent,
            child);
    put_vec3(f, "position", p->joint);
    fprintf(f, ",\n       \"orientation\": [1, 0, 0, 0], \"stiffness\": [%g, %g, %g]}", p->stiffness, p->stiffness,
            p->stiffness);
}

// The ragdoll first turns as one body: v = omega x p, of points p from the pelvis.
static void put_motion(FILE *f, const part *p)
{
    er_vec3 omega = er_v3(1.5, 2.5, 0.5), v = er_v3_cross(omega, er_v3_sub(p->joint, parts[0].joint));
    fprintf(f, "    {\"twist\": [%g, %g, %g, %.15g, %.15g, %.15g]}", omega.x, omega.y, omega.z, v.x, v.y, v.z);
}

static void put_box(FILE *f, int body)
{
    const part *p = &parts[body];
    er_vec3 c = er_v3_sub(p->centre, p->joint);
    fprintf(f, "    {\"body\": %d, ", body);
    put_vec3(f, "position", c);
    fprintf(f, ", \"vertices\": [");
    for (int i = 0; i < 8; ++i)
        fprintf(f, "%s[%g, %g, %g]", i == 0 ? "" : ", ", i & 4 ? p->half.x : -p->half.x, i & 2 ? p->half.y : -p->half.y,
                i & 1 ? p->half.z : -p->half.z);
    fprintf(f, "]}");
}

// Sixteen bodies that fall freely, turning, on springs without dampers: energy and momenta are known throughout.
static void write_ragdoll(void)
{
    FILE *f = begin("scenes/ragdoll.json");
    fprintf(f, "{\"format\": \"eigenrig-world\", \"version\": 1, \"name\": \"ragdoll\",\n"
               "  \"rig\": {\"format\": \"eigenrig-rig\", \"version\": 1, \"name\": \"ragdoll\",\n    \"bodies\": [\n");
    for (int b = 0; b < PARTS; ++b) {
        put_part(f, &parts[b]);
        fprintf(f, b + 1 < PARTS ? ",\n" : "],\n    \"joints\": [\n");
    }
    for (int b = 1; b < PARTS; ++b) {
        put_ball(f, b);
        fprintf(f, b + 1 < PARTS ? ",\n" : "]},\n");
    }
    fprintf(f, "  \"gravity\": [0, 0, -9.81], \"duration\": 3, \"frames\": 90, \"collide\": false,\n  \"state\": [\n");
    for (int b = 0; b < PARTS; ++b) {
        put_motion(f, &parts[b]);
        fprintf(f, b + 1 < PARTS ? ",\n" : "],\n  \"shapes\": [\n");
    }
    for (int b = 0; b < PARTS; ++b) {
        put_box(f, b);
        fprintf(f, b + 1 < PARTS ? ",\n" : "]}\n");
    }
    end(f, "scenes/ragdoll.json");
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: make_scenes DIRECTORY\n");
        return 2;
    }
    directory = argv[1];
    make_folder("bacin");
    make_folder("scenes");
    write_shapes();
    write_free_bar("9.2", "A bar in empty space turns about its principal axis z.", "0 0 0 0.2");
    write_free_bar("9.3", "A bar in empty space turns about an axis that is none of its own.", "0 0.20 0.32 0.23");
    write_hanging_bars();
    write_falling_tetrahedron();
    write_falling_bars();
    write_hovercraft();
    write_ragdoll();
    return 0;
}
