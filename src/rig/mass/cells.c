// An octree of cubes over one region. A cube that the surface does not pass has one winding number; it is dropped
// outside, and taken whole once the weights cannot vary much in it. Where the surface passes, cubes are split down to
// the cell_size of the bodies near, and then measured along a few lines: what lies between two crossings becomes
// cuboids. The lines run along the axis that the surface faces most, so thin sheets are crossed squarely.
#include "rig/mass/cells.h"

#include <stdlib.h>

#include "rig/mass/box.h"

#define LINES 4     // along each side of a cube that the surface passes
#define LENGTH 2.0  // largest length of a piece of a line over its width
#define PIECES 3    // along each side of a cube that is taken whole
#define GRAINS 2.0  // largest width of a cube over the cell_size there
#define FINE 1.0    // of a cube's half side: below, it does not matter which place of the surface is nearest
#define BESIDE 0.25 // of its width: a piece no longer than this is of the face that it ends on
#define ROOT 1.0625 // side of the first cube; the region's box has 1
#define LARGEST 0.5 // of the region's box: no cube that the surface passes is measured before it is so small
#define DEEPEST 14  // lists: cubes are halved until they are no larger than the finest cell_size, at most
#define CLOSE 1e-9  // of a cube's half side: a place so close to the surface has no winding number to go by

typedef struct cell_walk {
    const eri_face_tree *tree;
    eri_cells *out;
    eri_crossing *crossing; // [face_count], scratch
    int *leaf;              // [face_count], scratch
    eri_face_balls balls;
    double largest;
} cell_walk;

// Facts about a cube that also hold for the cubes in it.
typedef struct known {
    eri_near near;
    int *room; // for the lists of cubes in it
    int seed;  // a face near its centre
    er_vec3 centre;
    int winding; // at the centre
    bool sure;   // whether `winding` is known
    bool whole;  // whether that is the winding number of the whole cube
} known;

// A cuboid of density w: second moment V (c c' + diag(h^2) / 3) for half sides h.
static void add_cuboid(cell_walk *w, const eri_nearest *at, er_vec3 centre, er_vec3 half, int winding)
{
    const eri_mass_solid *solid = w->tree->solid;
    double volume = 8.0 * half.x * half.y * half.z * abs(winding);
    if (!(volume > 0.0)) return;
    er_vec3 moment = er_v3_scale(volume, centre);
    er_mat3 second = er_m3_outer(moment, centre);
    second.m[0][0] += volume * half.x * half.x / 3.0;
    second.m[1][1] += volume * half.y * half.y / 3.0;
    second.m[2][2] += volume * half.z * half.z / 3.0;
    for (int corner = 0; corner < 3; ++corner) {
        int v = solid->face[at->face].skin[corner];
        for (int i = solid->influence_start[v]; i < solid->influence_start[v + 1]; ++i) {
            double weight = at->share[corner] * solid->influence_weight[i];
            if (!(weight > 0.0)) continue;
            eri_mass *mass = &w->out->mass[solid->influence_body[i]];
            mass->mass += weight * volume;
            mass->moment = er_v3_madd(mass->moment, weight, moment);
            mass->second = er_m3_madd(mass->second, weight, second);
        }
    }
    w->out->volume += volume;
    w->out->signed_volume += winding > 0 ? volume : -volume;
    ++w->out->count;
}

static void add_whole_cube(cell_walk *w, const known *cube, int owner, const eri_nearest *nearest, double half)
{
    double h = half / PIECES;
    if (owner >= 0) {
        add_cuboid(w, nearest, cube->centre, er_v3(half, half, half), cube->winding);
        return;
    }
    eri_face_balls_fill(&w->balls, w->tree, cube->near, (eri_cube){cube->centre, half}, nearest, FINE * half);
    for (int i = 0; i < PIECES * PIECES * PIECES; ++i) {
        er_vec3 step = er_v3(2 * (i % PIECES) + 1 - PIECES, 2 * (i / PIECES % PIECES) + 1 - PIECES,
                             2 * (i / PIECES / PIECES) + 1 - PIECES);
        er_vec3 x = er_v3_madd(cube->centre, h, step);
        eri_nearest own = eri_face_balls_nearest(&w->balls, x);
        add_cuboid(w, &own, x, er_v3(h, h, h), cube->winding);
    }
}

// From outside along a line.
static int winding_from_outside(cell_walk *w, int axis, er_vec3 x, double at)
{
    int winding = 0, crossings = eri_face_tree_line(w->tree, axis, x, at, w->crossing);
    for (int i = 0; i < crossings; ++i)
        winding += w->crossing[i].step;
    return winding;
}

// Shell's sort: a handful as a rule, but garbage may pile up any number.
static void sort_crossings(eri_crossing *crossing, int count)
{
    for (int gap = count / 2; gap > 0; gap /= 2)
        for (int i = gap; i < count; ++i) {
            eri_crossing moving = crossing[i];
            int j = i;
            for (; j >= gap && crossing[j - gap].at > moving.at; j -= gap)
                crossing[j] = crossing[j - gap];
            crossing[j] = moving;
        }
}

static er_vec3 with_axis(er_vec3 v, int axis, double value)
{
    return er_v3(axis == 0 ? value : v.x, axis == 1 ? value : v.y, axis == 2 ? value : v.z);
}

// A cube that the surface passes, being measured along lines.
typedef struct passage {
    const known *cube;
    eri_nearest nearest;
    int owner; // of everything near, or -1
    int axis, count;
    double low, high, half_width;
} passage;

// The stretch of a line from `low` to `high`, in equal pieces, and the crossings that it lies between, NULL where the
// cube ends. A stretch between two sheets is halved, since its middle is as near to one as to the other.
static void add_stretch(cell_walk *w, const passage *p, er_vec3 line, double low, double high,
                        const eri_crossing *before, const eri_crossing *after, int winding)
{
    int pieces = p->owner >= 0 ? 1 : (int)ceil((high - low) / (LENGTH * 2.0 * p->half_width));
    if (before != NULL && after != NULL && pieces < 2) pieces = 2;
    double half = 0.5 * (high - low) / pieces;
    er_vec3 box = with_axis(er_v3(p->half_width, p->half_width, p->half_width), p->axis, half);
    for (int i = 0; i < pieces; ++i) {
        er_vec3 x = with_axis(line, p->axis, low + (2 * i + 1) * half);
        const eri_crossing *end = after == NULL || (before != NULL && 2 * i < pieces) ? before : after;
        eri_nearest own = p->nearest;
        if (p->owner < 0 && end != NULL && half <= BESIDE * p->half_width) {
            own = (eri_nearest){end->face, {1.0, 0.0, 0.0}, DBL_MAX};
            eri_face_plane_try(&w->tree->plane[end->face], x, &own);
        } else if (p->owner < 0) {
            own = eri_face_balls_nearest(&w->balls, x);
        }
        add_cuboid(w, &own, x, box, winding);
    }
}

// Where the line enters the cube its winding number is known from the centre over the line's middle, or from outside.
static void add_line(cell_walk *w, const passage *p, er_vec3 line)
{
    double middle = 0.5 * (p->low + p->high);
    int winding = p->cube->sure ? p->cube->winding + eri_leaves_step(w->tree, p->count, w->leaf, p->cube->centre, line)
                                : winding_from_outside(w, p->axis, line, p->low);
    int inner = eri_leaves_line(w->tree, p->count, w->leaf, p->axis, line, p->low, p->high, w->crossing);
    for (int i = 0; i < inner && p->cube->sure; ++i)
        if (w->crossing[i].at <= middle) winding -= w->crossing[i].step;
    sort_crossings(w->crossing, inner);
    double from = p->low;
    for (int i = 0; i <= inner; ++i) {
        double to = i < inner ? w->crossing[i].at : p->high;
        const eri_crossing *before = i > 0 ? &w->crossing[i - 1] : NULL, *after = i < inner ? &w->crossing[i] : NULL;
        if (winding != 0) add_stretch(w, p, line, from, to, before, after, winding);
        if (i < inner) winding += w->crossing[i].step;
        from = to;
    }
}

static int facing_axis(const eri_mass_solid *solid, int face)
{
    const int *vertex = solid->face[face].vertex;
    er_vec3 a = solid->position[vertex[0]];
    er_vec3 n = er_v3_cross(er_v3_sub(solid->position[vertex[1]], a), er_v3_sub(solid->position[vertex[2]], a));
    return fabs(n.x) >= fabs(n.y) && fabs(n.x) >= fabs(n.z) ? 0 : fabs(n.y) >= fabs(n.z) ? 1 : 2;
}

static void add_passed_cube(cell_walk *w, const known *cube, const eri_nearest *nearest, int owner, double half)
{
    int axis = facing_axis(w->tree->solid, nearest->face), ku = (axis + 1) % 3, kv = (axis + 2) % 3;
    double middle = eri_axis(cube->centre, axis), width = half / LINES;
    passage p = {cube, *nearest, owner, axis, 0, middle - half, middle + half, width};
    if (owner < 0)
        eri_face_balls_fill(&w->balls, w->tree, cube->near, (eri_cube){cube->centre, half}, nearest, FINE * half);
    p.count = eri_face_tree_passing(w->tree, cube->near, (eri_cube){cube->centre, half}, w->leaf);
    for (int i = 0; i < LINES; ++i)
        for (int j = 0; j < LINES; ++j) {
            er_vec3 line = with_axis(cube->centre, ku, eri_axis(cube->centre, ku) - half + (2 * i + 1) * width);
            add_line(w, &p, with_axis(line, kv, eri_axis(cube->centre, kv) - half + (2 * j + 1) * width));
        }
}

static void visit(cell_walk *w, er_vec3 centre, double half, const known *around)
{
    eri_nearest nearest = eri_face_tree_nearest(w->tree, around->near, centre, around->seed);
    double distance = sqrt(nearest.distance2);
    eri_vicinity vicinity;
    known cube = {.room = around->room, .seed = nearest.face, .centre = centre, .whole = around->whole};
    cube.near.node = around->room;
    cube.near.count =
        eri_face_tree_narrow(w->tree, around->near, (eri_cube){centre, half}, &nearest, around->room, &vicinity);
    cube.room += cube.near.count;
    cube.sure = cube.whole || distance > CLOSE * half;
    cube.winding = around->winding;
    if (!cube.whole) {
        cube.whole = cube.sure && (!vicinity.passed || distance > sqrt(3.0) * half);
        if (cube.sure)
            cube.winding = around->sure
                               ? around->winding + eri_face_tree_step(w->tree, around->near, around->centre, centre)
                               : winding_from_outside(w, 0, centre, centre.x);
    }
    if (cube.whole && cube.winding == 0) return;
    // far from the surface its nearest point turns slowly; this also bounds the cost under a very small patch
    double wanted = GRAINS * fmax(vicinity.finest, w->tree->solid->slope * distance);
    if (cube.whole && (vicinity.owner >= 0 || 2.0 * half <= wanted)) {
        add_whole_cube(w, &cube, vicinity.owner, &nearest, half);
    } else if (!cube.whole && 2.0 * half <= fmin(wanted, w->largest)) {
        add_passed_cube(w, &cube, &nearest, vicinity.owner, half);
    } else {
        for (int i = 0; i < 8; ++i) {
            double h = 0.5 * half;
            visit(w, er_v3_add(centre, er_v3(i & 1 ? h : -h, i & 2 ? h : -h, i & 4 ? h : -h)), h, &cube);
        }
    }
}

er_result eri_cells_integrate(er_arena *arena, const eri_face_tree *tree, const eri_region *region, eri_cells *out)
{
    er_result r = ER_OK;
    const eri_face_tree_node *box = &tree->node[0];
    cell_walk w = {.tree = tree, .out = out, .largest = LARGEST * box->extent};
    int root = 0, *room = NULL;
    ERI_TRY_NEW(w.crossing, arena, eri_crossing, region->count);
    ERI_TRY(eri_face_balls_create(arena, region->count, &w.balls));
    ERI_TRY_NEW(w.leaf, arena, int, region->count);
    room = eri_arena_reserve(arena, (size_t)region->count * DEEPEST, sizeof *room);
    if (room == NULL) return ER_ERROR_MEMORY;
    // centred on the box, so that a symmetric region's plane of symmetry runs between cubes
    er_vec3 centre = er_v3(0.5 * (box->low[0] + box->high[0]), 0.5 * (box->low[1] + box->high[1]),
                           0.5 * (box->low[2] + box->high[2]));
    known all = {.near = {1, &root}, .room = room, .seed = w.tree->solid->order[region->first], .centre = centre};
    visit(&w, centre, 0.5 * ROOT * box->extent, &all);
done:
    return r;
}
