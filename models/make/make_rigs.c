// Writes the sample rig files: planar loops of bars, a chain and a four-bar linkage. Usage: make_rigs DIRECTORY
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "turn.h"

enum { WORLD = -1, MAX_BARS = 32 };

// A straight bar of uniform density: its frame at the head, x along it, z across the width.
typedef struct bar {
    char name[32];
    er_vec3 head, tail; // metres, in the plane z = 0
} bar;

typedef struct joint {
    char name[32];
    int parent, child;
    er_vec3 position;
    bool closes_loop;
} joint;

typedef struct rig {
    const char *name, *joint_type;
    int coordinates;       // of each joint
    double stiffness;      // N m/rad, the same for all of them
    double width, density; // of the bars: a square cross-section, m and kg/m^3
    int bar_count, joint_count;
    bar bars[MAX_BARS];
    joint joints[MAX_BARS + 1];
} rig;

static const double steel = 7850.0, beech = 700.0; // kg/m^3

static void add_bar(rig *r, const char *name, er_vec3 head, er_vec3 tail)
{
    bar *b = &r->bars[r->bar_count++];
    snprintf(b->name, sizeof b->name, "%s", name);
    b->head = head;
    b->tail = tail;
}

static void add_joint(rig *r, const char *name, int parent, int child, er_vec3 position)
{
    joint *j = &r->joints[r->joint_count++];
    snprintf(j->name, sizeof j->name, "%s", name);
    j->parent = parent;
    j->child = child;
    j->position = position;
}

static void add_numbered_bar(rig *r, const char *word, er_vec3 head, er_vec3 tail)
{
    char name[32];
    snprintf(name, sizeof name, "%s_%02d", word, r->bar_count + 1);
    add_bar(r, name, head, tail);
}

static void add_numbered_joint(rig *r, int parent, int child, er_vec3 position)
{
    char name[32];
    snprintf(name, sizeof name, "joint_%02d", r->joint_count + 1);
    add_joint(r, name, parent, child, position);
}

// Bars along the sides of a polygon, hinged at its corners; the hinge at corner 0 closes the loop.
static rig loop(const char *name, int n, const er_vec3 *corner)
{
    rig r = {
        .name = name, .joint_type = "revolute", .coordinates = 1, .stiffness = 0.5, .width = 0.02, .density = beech};
    for (int i = 0; i < n; ++i)
        add_numbered_bar(&r, "bar", corner[i], corner[(i + 1) % n]);
    for (int i = 1; i <= n; ++i)
        add_numbered_joint(&r, i - 1, i % n, corner[i % n]);
    r.joints[n - 1].closes_loop = true;
    return r;
}

static rig regular_loop(const char *name, int n, double side)
{
    er_vec3 corner[MAX_BARS];
    double radius = side / (2.0 * turn(0.5 / n).sine);
    for (int i = 0; i < n; ++i) {
        cos_sin d = turn((double)i / n);
        corner[i] = er_v3(radius * d.cosine, radius * d.sine, 0.0);
    }
    return loop(name, n, corner);
}

// No two sides and no two angles alike.
static rig asymmetric_loop(void)
{
    static const er_vec3 corner[8] = {{0.00, 0.00, 0}, {0.31, -0.07, 0}, {0.50, 0.08, 0}, {0.56, 0.33, 0},
                                      {0.41, 0.53, 0}, {0.19, 0.48, 0},  {0.02, 0.60, 0}, {-0.14, 0.26, 0}};
    return loop("asymmetric loop of 8 bars", 8, corner);
}

// Twenty links under a fixed point, straight down.
static rig chain(void)
{
    rig r = {.name = "hanging chain of 20 links",
             .joint_type = "spherical",
             .coordinates = 3,
             .stiffness = 2.0,
             .width = 0.01,
             .density = steel};
    for (int i = 0; i < 20; ++i) {
        er_vec3 head = er_v3(0.0, 2.0 - 0.1 * i, 0.0), tail = er_v3(0.0, 2.0 - 0.1 * (i + 1), 0.0);
        add_numbered_bar(&r, "link", head, tail);
        add_numbered_joint(&r, i - 1, i, head); // link 0 hangs from WORLD
    }
    return r;
}

// Crank and rocker (Grashof: 0.10 + 0.28 < 0.26 + 0.22), the crank at 53 degrees. The ground link is the world.
static rig four_bar(void)
{
    const double ground = 0.28, coupler = 0.26, rocker = 0.22;
    er_vec3 o2 = er_v3(0, 0, 0), a = er_v3(0.06, 0.08, 0), o4 = er_v3(ground, 0, 0); // crank: 3-4-5 triangle

    // b where the circles round a (coupler) and o4 (rocker) meet, on the upper side
    er_vec3 along = er_v3_sub(o4, a);
    double d = er_v3_norm(along);
    double foot = (d * d + coupler * coupler - rocker * rocker) / (2.0 * d);
    double height = sqrt(coupler * coupler - foot * foot);
    er_vec3 up = er_v3(-along.y / d, along.x / d, 0);
    er_vec3 b = er_v3_madd(er_v3_madd(a, foot / d, along), height, up);

    rig r = {.name = "four-bar linkage",
             .joint_type = "revolute",
             .coordinates = 1,
             .stiffness = 0.2,
             .width = 0.01,
             .density = steel};
    add_bar(&r, "crank", o2, a);
    add_bar(&r, "coupler", a, b);
    add_bar(&r, "rocker", b, o4);
    add_joint(&r, "ground_to_crank", WORLD, 0, o2);
    add_joint(&r, "crank_to_coupler", 0, 1, a);
    add_joint(&r, "coupler_to_rocker", 1, 2, b);
    add_joint(&r, "ground_to_rocker", WORLD, 2, o4);
    r.joints[3].closes_loop = true;
    return r;
}

// The turn about z that takes x to the bar's direction (c, s), from half-angle formulas that do not cancel.
static er_quat bar_orientation(er_vec3 unit)
{
    if (unit.x >= 0.0) {
        double w = sqrt(0.5 * (1.0 + unit.x));
        return er_q(w, 0, 0, unit.y / (2.0 * w));
    }
    double z = sqrt(0.5 * (1.0 - unit.x));
    return er_q(unit.y / (2.0 * z), 0, 0, z);
}

static void write_body(FILE *f, const rig *r, const bar *b)
{
    er_vec3 along = er_v3_sub(b->tail, b->head);
    double length = er_v3_norm(along), w = r->width;
    double mass = r->density * w * w * length;
    double ix = mass * (w * w + w * w) / 12.0, iyz = mass * (length * length + w * w) / 12.0; // of a box
    er_quat q = bar_orientation(er_v3_scale(1.0 / length, along));
    fprintf(f, "    {\"name\": \"%s\", \"mass\": %.17g, \"com\": [%.17g, 0, 0],\n", b->name, mass, 0.5 * length);
    fprintf(f, "     \"inertia\": [[%.17g, 0, 0], [0, %.17g, 0], [0, 0, %.17g]],\n", ix, iyz, iyz);
    fprintf(f, "     \"position\": [%.17g, %.17g, 0], \"orientation\": [%.17g, 0, 0, %.17g]}", b->head.x, b->head.y,
            q.w, q.z);
}

// `count` times the same number, as a JSON array.
static void write_repeated(FILE *f, double value, int count)
{
    for (int i = 0; i < count; ++i)
        fprintf(f, "%s%.17g", i == 0 ? "[" : ", ", value);
    fprintf(f, "]");
}

static void write_joint(FILE *f, const rig *r, const joint *j)
{
    fprintf(f, "    {\"name\": \"%s\", \"parent\": %d, \"child\": %d, \"type\": \"%s\",\n", j->name, j->parent,
            j->child, r->joint_type);
    fprintf(f, "     \"position\": [%.17g, %.17g, 0], \"orientation\": [1, 0, 0, 0],\n", j->position.x, j->position.y);
    fprintf(f, "     \"stiffness\": ");
    write_repeated(f, r->stiffness, r->coordinates);
    fprintf(f, ", \"damping\": ");
    write_repeated(f, 0.0, r->coordinates);
    fprintf(f, ", \"limits\": null, \"closes_loop\": %s}", j->closes_loop ? "true" : "false");
}

static void write_rig(const char *directory, const char *file, rig r)
{
    char path[4096];
    if (snprintf(path, sizeof path, "%s/%s", directory, file) >= (int)sizeof path) {
        fprintf(stderr, "make_rigs: error: %s: path too long\n", directory);
        exit(1);
    }
    FILE *f = fopen(path, "wb");
    if (f == NULL) {
        fprintf(stderr, "make_rigs: error: %s: %s\n", path, strerror(errno));
        exit(1);
    }
    fprintf(f, "{\"format\": \"eigenrig-rig\", \"version\": 1, \"name\": \"%s\", \"source\": \"\",\n", r.name);
    fprintf(f, "  \"bodies\": [\n");
    for (int i = 0; i < r.bar_count; ++i) {
        write_body(f, &r, &r.bars[i]);
        fprintf(f, i + 1 < r.bar_count ? ",\n" : "],\n");
    }
    fprintf(f, "  \"joints\": [\n");
    for (int i = 0; i < r.joint_count; ++i) {
        write_joint(f, &r, &r.joints[i]);
        fprintf(f, i + 1 < r.joint_count ? ",\n" : "]}\n");
    }
    bool failed = ferror(f) != 0;
    if (fclose(f) != 0 || failed) {
        fprintf(stderr, "make_rigs: error: %s: cannot be written whole\n", path);
        exit(1);
    }
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: make_rigs DIRECTORY\n");
        return 2;
    }
    write_rig(argv[1], "loop_4.json", regular_loop("symmetric loop of 4 bars", 4, 0.3));
    write_rig(argv[1], "loop_9.json", regular_loop("symmetric loop of 9 bars", 9, 0.2));
    write_rig(argv[1], "loop_8_asymmetric.json", asymmetric_loop());
    write_rig(argv[1], "loop_16.json", regular_loop("symmetric loop of 16 bars", 16, 0.15));
    write_rig(argv[1], "chain_20.json", chain());
    write_rig(argv[1], "four_bar.json", four_bar());
    return 0;
}
