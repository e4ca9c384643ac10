// An octree of cubes. A cube that the surface does not pass has one winding number; it is dropped outside, and taken
// whole once the weights cannot vary much in it. Where the surface passes, cubes are split down to the grain of the
// bodies near, and then measured along a few lines: what lies between two crossings becomes cuboids. The lines run
// along the axis that the surface faces most, so thin sheets are crossed squarely.
#include "mass/cells.h"

#include <stdlib.h>

#define LINES 2     // along each side of a cube that the surface passes
#define ROOT 1.0625 // side of the first cube; the surface's box has 1

typedef struct walk {
    const er_tree *tree;
    er_cells *out;
    er_crossing *crossing; // [face_count], scratch
} walk;

// A cuboid of density w: second moment V (c c' + diag(h^2) / 3) for half sides h.
static void add_cuboid(walk *w, const er_nearest *at, er_vec3 centre, er_vec3 half, int winding)
{
    const er_solid *solid = w->tree->solid;
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
            er_mass *mass = &w->out->mass[solid->influence_body[i]];
            mass->mass += weight * volume;
            mass->moment = er_v3_madd(mass->moment, weight, moment);
            mass->second = er_m3_madd(mass->second, weight, second);
        }
    }
    w->out->volume += volume;
    w->out->signed_volume += winding > 0 ? volume : -volume;
    ++w->out->count;
}

static int winding_at(walk *w, er_vec3 x)
{
    int winding = 0, crossings = er_tree_line(w->tree, 0, x, x.x, w->crossing);
    for (int i = 0; i < crossings; ++i)
        winding += w->crossing[i].step;
    return winding;
}

// Shell's sort: a handful as a rule, but garbage may pile up any number.
static void sort_crossings(er_crossing *crossing, int count)
{
    for (int gap = count / 2; gap > 0; gap /= 2)
        for (int i = gap; i < count; ++i) {
            er_crossing moving = crossing[i];
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

// The stretch of a line from `low` to `high`, in `pieces` equal pieces. A stretch between two sheets is halved, since
// its middle is as near to one as to the other.
static void add_stretch(walk *w, const er_nearest *near, int owner, int axis, er_vec3 line, double half_width,
                        double low, double high, int pieces, int winding)
{
    double half = 0.5 * (high - low) / pieces;
    er_vec3 box = with_axis(er_v3(half_width, half_width, half_width), axis, half);
    for (int i = 0; i < pieces; ++i) {
        er_vec3 x = with_axis(line, axis, low + (2 * i + 1) * half);
        er_nearest own = owner >= 0 ? *near : er_tree_nearest(w->tree, x, near->face);
        add_cuboid(w, &own, x, box, winding);
    }
}

static void add_line(walk *w, const er_nearest *near, int owner, int axis, er_vec3 line, double half_width, double low,
                     double high)
{
    int crossings = er_tree_line(w->tree, axis, line, high, w->crossing), winding = 0, inner = 0;
    for (int i = 0; i < crossings; ++i) {
        if (w->crossing[i].at > low)
            w->crossing[inner++] = w->crossing[i];
        else
            winding += w->crossing[i].step;
    }
    sort_crossings(w->crossing, inner);
    double from = low;
    for (int i = 0; i <= inner; ++i) {
        double to = i < inner ? w->crossing[i].at : high;
        if (winding != 0)
            add_stretch(w, near, owner, axis, line, half_width, from, to, i > 0 && i < inner ? 2 : 1, winding);
        if (i < inner) winding += w->crossing[i].step;
        from = to;
    }
}

static int facing_axis(const er_solid *solid, int face)
{
    const int *vertex = solid->face[face].vertex;
    er_vec3 a = solid->position[vertex[0]];
    er_vec3 n = er_v3_cross(er_v3_sub(solid->position[vertex[1]], a), er_v3_sub(solid->position[vertex[2]], a));
    return fabs(n.x) >= fabs(n.y) && fabs(n.x) >= fabs(n.z) ? 0 : fabs(n.y) >= fabs(n.z) ? 1 : 2;
}

static void add_passed_cube(walk *w, const er_nearest *near, int owner, er_vec3 centre, double half)
{
    int axis = facing_axis(w->tree->solid, near->face), ku = (axis + 1) % 3, kv = (axis + 2) % 3;
    double width = half / LINES, middle = er_axis(centre, axis);
    for (int i = 0; i < LINES; ++i)
        for (int j = 0; j < LINES; ++j) {
            er_vec3 line = with_axis(centre, ku, er_axis(centre, ku) - half + (2 * i + 1) * width);
            line = with_axis(line, kv, er_axis(centre, kv) - half + (2 * j + 1) * width);
            add_line(w, near, owner, axis, line, width, middle - half, middle + half);
        }
}

// winding: that of the whole cube where the surface does not pass it, as far as the cube around it knew
static void visit(walk *w, er_vec3 centre, double half, int seed, const int *winding)
{
    er_nearest near = er_tree_nearest(w->tree, centre, seed);
    double distance = sqrt(near.distance2), radius = sqrt(3.0) * half;
    bool whole = winding != NULL || distance > radius;
    int own = winding != NULL ? *winding : whole ? winding_at(w, centre) : 0;
    if (whole && own == 0) return;
    // no point of the cube has its nearest point farther from the centre than this
    er_vicinity vicinity = er_tree_vicinity(w->tree, centre, distance + 2.0 * radius, 2.0 * half);
    // far from the surface its nearest point turns slowly; this also bounds the cost under a very small patch
    double wanted = fmax(vicinity.finest, w->tree->solid->slope * distance);
    if (whole && (vicinity.owner >= 0 || 2.0 * half <= wanted)) {
        add_cuboid(w, &near, centre, er_v3(half, half, half), own);
    } else if (!whole && 2.0 * half <= wanted) {
        add_passed_cube(w, &near, vicinity.owner, centre, half);
    } else {
        double h = 0.5 * half;
        for (int i = 0; i < 8; ++i)
            visit(w, er_v3_add(centre, er_v3(i & 1 ? h : -h, i & 2 ? h : -h, i & 4 ? h : -h)), h, near.face,
                  whole ? &own : NULL);
    }
}

er_result er_cells_integrate(er_arena *arena, const er_tree *tree, er_cells *out)
{
    er_result r = ER_OK;
    walk w = {tree, out, NULL};
    *out = (er_cells){0};
    ER_TRY_NEW(out->mass, arena, er_mass, (size_t)tree->solid->body_count + 1);
    ER_TRY_NEW(w.crossing, arena, er_crossing, tree->solid->face_count);
    // centred on the box, so that a symmetric model's plane of symmetry runs between cubes
    visit(&w, er_v3(0, 0, 0), 0.5 * ROOT, 0, NULL);
done:
    return r;
}
