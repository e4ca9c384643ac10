/// @file
/// What a shape is: its numbers, its box, its mass.
#include "base/arena.h"
#include "base/failure.h"
#include "collide/shape/surface.h"

#define SMALLEST 1e-50 // m, and
#define LARGEST 1e50   // products of five lengths are numbers

static er_result check_length(er_context *context, const char *solid, const char *what, double length, bool zero)
{
    if ((zero && length == 0.0) || (length >= SMALLEST && length <= LARGEST)) return ER_OK;
    return er_fail(context, ER_ERROR_ARGUMENT, "a %s whose %s is %g m: %s %g to %g m", solid, what, length,
                   zero ? "give it 0, or" : "give it", SMALLEST, LARGEST);
}

er_result er_shape_check(er_context *context, const er_shape *shape)
{
    if (context == NULL) return ER_ERROR_ARGUMENT;
    if (shape == NULL) return er_fail(context, ER_ERROR_ARGUMENT, "a shape at NULL");
    er_result r = ER_OK;
    switch (shape->kind) {
    case ER_SHAPE_SPHERE:
        return check_length(context, "sphere", "radius", shape->radius, false);
    case ER_SHAPE_CAPSULE:
        ERI_TRY(check_length(context, "capsule", "radius", shape->radius, false));
        return check_length(context, "capsule", "length", shape->length, true);
    case ER_SHAPE_CYLINDER:
        ERI_TRY(check_length(context, "cylinder", "radius", shape->radius, false));
        return check_length(context, "cylinder", "length", shape->length, false);
    case ER_SHAPE_BOX:
        ERI_TRY(check_length(context, "box", "half edge along x", shape->half.x, false));
        ERI_TRY(check_length(context, "box", "half edge along y", shape->half.y, false));
        return check_length(context, "box", "half edge along z", shape->half.z, false);
    case ER_SHAPE_HULL:
        if (shape->hull == NULL) return er_fail(context, ER_ERROR_ARGUMENT, "a shape of a hull that is NULL");
        return ER_OK;
    case ER_SHAPE_PLANE:
        return ER_OK;
    case ER_SHAPE_MESH:
        if (shape->surface == NULL) return er_fail(context, ER_ERROR_ARGUMENT, "a shape of a surface that is NULL");
        return ER_OK;
    }
    return er_fail(context, ER_ERROR_ARGUMENT, "a shape of kind %d: kinds are 0 to %d", (int)shape->kind,
                   (int)ER_SHAPE_MESH);
done:
    return r;
}

// ---- Boxes around

/// The box around a point that reaches as far along each axis of the world.
static void box_around(er_vec3 at, er_vec3 reach, er_vec3 *low, er_vec3 *high)
{
    *low = er_v3_sub(at, reach);
    *high = er_v3_add(at, reach);
}

/// How far the middle of a shape is from the sides of the box around it, for shapes that are the same around it.
static er_vec3 reach_of(const er_shape *shape, er_quat q)
{
    if (shape->kind == ER_SHAPE_SPHERE) return er_v3(shape->radius, shape->radius, shape->radius);
    er_mat3 turn = er_m3_from_q(q);
    double reach[3];
    for (int k = 0; k < 3; ++k) {
        const double *row = turn.m[k];
        double r = shape->radius, half = 0.5 * shape->length;
        reach[k] = shape->kind == ER_SHAPE_BOX
                       ? fabs(row[0]) * shape->half.x + fabs(row[1]) * shape->half.y + fabs(row[2]) * shape->half.z
                   : shape->kind == ER_SHAPE_CAPSULE ? r + half * fabs(row[2])
                                                     : r * hypot(row[0], row[1]) + half * fabs(row[2]);
    }
    return er_v3(reach[0], reach[1], reach[2]);
}

void er_shape_box(const er_shape *shape, er_pose pose, er_vec3 *low, er_vec3 *high)
{
    if (shape->kind == ER_SHAPE_HULL)
        er_hull_box(shape->hull, pose, low, high);
    else if (shape->kind == ER_SHAPE_MESH)
        eri_surface_box(shape->surface, pose, low, high);
    else if (shape->kind == ER_SHAPE_PLANE)
        box_around(er_v3(0, 0, 0), er_v3(HUGE_VAL, HUGE_VAL, HUGE_VAL), low, high);
    else
        box_around(pose.p, reach_of(shape, pose.q), low, high);
}

// ---- Mass

static er_mat3 diagonal(double x, double y, double z)
{
    return (er_mat3){{{x, 0, 0}, {0, y, 0}, {0, 0, z}}};
}

/// Volume and inertia per density of what has its centre at the origin.
static double weigh(const er_shape *shape, er_mat3 *inertia)
{
    double r = shape->radius, r2 = r * r, l = shape->length, x = shape->half.x, y = shape->half.y, z = shape->half.z;
    double cylinder = ER_PI * r2 * l, ball = 4.0 / 3.0 * ER_PI * r * r2, volume;
    switch (shape->kind) {
    case ER_SHAPE_SPHERE:
        *inertia = diagonal(0.4 * ball * r2, 0.4 * ball * r2, 0.4 * ball * r2);
        return ball;
    case ER_SHAPE_BOX:
        volume = 8.0 * x * y * z;
        *inertia = diagonal(volume * (y * y + z * z) / 3, volume * (z * z + x * x) / 3, volume * (x * x + y * y) / 3);
        return volume;
    default: // a cylinder, with halves of a ball at the ends of a capsule, their centres 3/8 r out
        if (shape->kind == ER_SHAPE_CYLINDER) ball = 0.0;
        double across = cylinder * (r2 / 4 + l * l / 12) + ball * (0.4 * r2 + l * l / 4 + 3.0 / 8.0 * l * r);
        *inertia = diagonal(across, across, cylinder * r2 / 2 + ball * 0.4 * r2);
        return cylinder + ball;
    }
}

er_result er_shape_mass(er_context *context, const er_shape *shape, double density, double *mass, er_vec3 *centre,
                        er_mat3 *inertia)
{
    er_result r = er_shape_check(context, shape);
    if (r != ER_OK) return r;
    if (mass == NULL || centre == NULL || inertia == NULL)
        return er_fail(context, ER_ERROR_ARGUMENT, "mass properties to be written at NULL");
    if (!(density > 0.0 && isfinite(density)))
        return er_fail(context, ER_ERROR_ARGUMENT, "a density of %g kg/m^3: more than 0 is wanted", density);
    if (shape->kind == ER_SHAPE_PLANE || shape->kind == ER_SHAPE_MESH)
        return er_fail(context, ER_ERROR_ARGUMENT, "a %s has no mass: it stands still; give mass to a solid",
                       shape->kind == ER_SHAPE_PLANE ? "plane" : "surface of triangles");
    er_mat3 about = {{{0}}};
    bool hull = shape->kind == ER_SHAPE_HULL;
    double volume = hull ? shape->hull->volume : weigh(shape, &about);
    *mass = density * volume;
    *centre = hull ? shape->hull->centre : er_v3(0, 0, 0);
    *inertia = er_m3_madd((er_mat3){{{0}}}, density, hull ? shape->hull->inertia : about);
    return ER_OK;
}
