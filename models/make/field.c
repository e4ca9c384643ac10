// Signed distances of the solid shapes that sample characters are melted from.
// Round cones: with c(t) = a + t (b - a) and r(t) = ra + t (rb - ra), the distance is min over t of |x - c(t)| - r(t).
// A linear map before it stretches the shape; dividing by the gradient's length makes the value a distance again.
// Smooth minimum: min(a, b) - max(k - |a - b|, 0)^2 / 4k, the parabola that joins both branches with equal slopes.
#include "field.h"

static double clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

static double smooth_min(double a, double b, double k)
{
    double h = k - fabs(a - b);
    return fmin(a, b) - (h > 0.0 ? h * h / (4.0 * k) : 0.0);
}

// The ball of the shape that is nearest to p (mapped): its centre, and its radius as the return value.
static double nearest_ball(const shape *s, er_vec3 p, er_vec3 *centre)
{
    if (s->ring) {
        double planar = sqrt(p.x * p.x + p.z * p.z), scale = planar > 0.0 ? s->rb / planar : 0.0;
        *centre = er_v3(scale * p.x, 0.0, scale * p.z);
        return s->ra;
    }
    er_vec3 axis = s->axis;
    double length2 = er_v3_dot(axis, axis), grow = s->rb - s->ra;
    if (length2 <= grow * grow) { // one ball holds the other
        *centre = grow > 0.0 ? axis : er_v3(0, 0, 0);
        return grow > 0.0 ? s->rb : s->ra;
    }
    double length = sqrt(length2), slope = grow / length;
    double along = er_v3_dot(p, axis) / length;
    double across = sqrt(fmax(er_v3_dot(p, p) - along * along, 0.0));
    double t = clamp((along + across * slope / sqrt(1.0 - slope * slope)) / length, 0.0, 1.0);
    *centre = er_v3_scale(t, axis);
    return s->ra + t * grow;
}

// Never below the distance to the ball that bounds the shape, so that far shapes can be left out unseen.
static double shape_distance(const shape *s, er_vec3 x)
{
    er_vec3 p = er_m3_mul_v(s->map, er_v3_sub(x, s->a)), centre;
    double radius = nearest_ball(s, p, &centre);
    er_vec3 out = er_v3_sub(p, centre);
    double distance = er_v3_norm(out);
    er_vec3 unit = er_v3_unit(out, er_v3(0, 1, 0));
    er_vec3 gradient = er_m3_mul_v(er_m3_transpose(s->map), unit);
    double first_order = (distance - radius) / er_v3_norm(gradient);
    return fmax(first_order, er_v3_distance(x, s->middle) - s->reach);
}

// Is x so far from the shape that the shape is farther than `distance`?
static bool beyond(const shape *s, er_vec3 x, double distance)
{
    er_vec3 d = er_v3_sub(x, s->middle);
    double radius = s->reach + distance;
    return radius <= 0.0 || er_v3_dot(d, d) >= radius * radius;
}

// Each part by itself, then every part melted into its parent, last first.
double field_at(const figure *f, er_vec3 x)
{
    double part[MAX_PARTS];
    for (int i = 0; i < f->part_count; ++i)
        part[i] = HUGE_VAL;
    for (int i = 0; i < f->shape_count; ++i) {
        const shape *s = &f->shapes[i];
        double *d = &part[s->part];
        if (beyond(s, x, (s->use == SHAPE_JOIN ? *d : -*d) + s->blend)) continue;
        if (s->use == SHAPE_JOIN) *d = smooth_min(*d, shape_distance(s, x), s->blend);
        if (s->use == SHAPE_CARVE) *d = -smooth_min(-*d, shape_distance(s, x), s->blend);
    }
    for (int i = f->part_count - 1; i > 0; --i) {
        double *into = &part[f->parts[i].parent];
        *into = smooth_min(*into, part[i], f->parts[i].blend);
    }
    return part[0];
}

// Four samples at the corners of a tetrahedron; their mean is the value, but for the step's square.
static er_vec3 gradient_at(const figure *f, er_vec3 x, double *value)
{
    static const er_vec3 corner[4] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    double step = 0.05 * f->cell;
    er_vec3 sum = er_v3(0, 0, 0);
    *value = 0.0;
    for (int i = 0; i < 4; ++i) {
        double d = field_at(f, er_v3_madd(x, step, corner[i]));
        sum = er_v3_madd(sum, d, corner[i]);
        *value += 0.25 * d;
    }
    return er_v3_scale(0.25 / step, sum);
}

er_vec3 field_gradient(const figure *f, er_vec3 x)
{
    double value;
    return gradient_at(f, x, &value);
}

er_vec3 field_project(const figure *f, er_vec3 x, er_vec3 *normal)
{
    double step = HUGE_VAL, value;
    er_vec3 g = er_v3(0, 1, 0);
    for (int i = 0; i < 4 && fabs(step) > 1e-3 * f->cell; ++i) { // quadratic: the last step leaves a millionth
        g = gradient_at(f, x, &value);
        step = value / fmax(er_v3_dot(g, g), 0.25); // creases have short gradients
        x = er_v3_madd(x, -clamp(step, -f->cell, f->cell), g);
    }
    if (normal != NULL) *normal = er_v3_unit(g, er_v3(0, 1, 0));
    return x;
}

// The distance of x to each joined shape, without what is carved from it; to other shapes as they are.
// @return the index of the nearest joined one
static int all_distances(const figure *f, er_vec3 x, double *distance)
{
    int nearest = 0;
    for (int i = 0; i < f->shape_count; ++i) {
        const shape *s = &f->shapes[i];
        distance[i] = shape_distance(s, x);
        for (int j = 0; j < i && s->use == SHAPE_CARVE; ++j)
            if (f->shapes[j].part == s->part && f->shapes[j].use == SHAPE_JOIN)
                distance[j] = fmax(distance[j], -distance[i]);
    }
    for (int i = 0; i < f->shape_count; ++i)
        if (f->shapes[i].use == SHAPE_JOIN && distance[i] < distance[nearest]) nearest = i;
    return nearest;
}

int field_region(const figure *f, er_vec3 x, double *detail)
{
    double distance[MAX_SHAPES];
    const shape *owner = &f->shapes[all_distances(f, x, distance)];
    int region = owner->region;
    if (detail != NULL) *detail = owner->detail;
    for (int i = 0; i < f->shape_count; ++i) {
        const shape *s = &f->shapes[i];
        if (s->use == SHAPE_PAINT && (s->over < 0 || s->over == region) && distance[i] < 0.0) region = s->region;
    }
    return region;
}

// Light that reaches a point from above its surface: the free distance at a few heights against the height itself.
static double ambient(const figure *f, er_vec3 x, er_vec3 normal)
{
    double dark = 0.0;
    for (int i = 1; i <= 4; ++i) {
        double height = f->shade * i / 4.0;
        dark += (height - fmin(field_at(f, er_v3_madd(x, height, normal)), height)) / (height * 4.0);
    }
    return clamp(1.0 - 0.75 * dark, 0.0, 1.0);
}

void field_tint(const figure *f, er_vec3 x, er_vec3 normal, int region, double *tint)
{
    double nearest = HUGE_VAL, sum = 0.0, mean[3] = {0, 0, 0};
    double distance[MAX_SHAPES];
    all_distances(f, x, distance);
    for (int i = 0; i < f->shape_count; ++i)
        if (f->shapes[i].use == SHAPE_JOIN && f->shapes[i].region == region) nearest = fmin(nearest, distance[i]);
    for (int i = 0; i < f->shape_count; ++i) { // mean over the region's shapes, those beyond a seam's width left out
        const shape *s = &f->shapes[i];
        if (s->use != SHAPE_JOIN || s->region != region) continue;
        double w = fmax(0.0, 1.0 - (distance[i] - nearest) / fmax(s->blend, f->cell));
        sum += w * w;
        for (int c = 0; c < 3; ++c)
            mean[c] += w * w * s->tint[c];
    }
    double light = ambient(f, x, normal);
    for (int c = 0; c < 3; ++c)
        tint[c] = light * (sum > 0.0 ? mean[c] / sum : 1.0);
    for (int i = 0; i < f->shape_count; ++i) {
        const shape *s = &f->shapes[i];
        if (s->use != SHAPE_TINT || (s->over >= 0 && s->over != region)) continue;
        double t = clamp(0.5 - distance[i] / s->blend, 0.0, 1.0), amount = t * t * (3.0 - 2.0 * t);
        for (int c = 0; c < 3; ++c)
            tint[c] *= 1.0 + amount * (s->tint[c] - 1.0);
    }
}

static double segment_distance(const bone_def *b, er_vec3 x)
{
    er_vec3 along = er_v3_sub(b->tail, b->head), from = er_v3_sub(x, b->head);
    double t = clamp(er_v3_dot(from, along) / er_v3_dot(along, along), 0.0, 1.0);
    return er_v3_norm(er_v3_madd(from, -t, along));
}

// A shape's share of a point falls to zero within a quarter of its distance to the bone beyond the nearest shape; the
// shares of a shape's bones likewise.
double field_bones(const figure *f, er_vec3 x, double *share)
{
    double distance[MAX_SHAPES], bone_distance = HUGE_VAL, sum = 0.0;
    for (int i = 0; i < f->bone_count; ++i)
        share[i] = 0.0;
    int nearest = all_distances(f, x, distance);
    const shape *owner = &f->shapes[nearest];
    for (int i = owner->first_bone; i <= owner->last_bone; ++i)
        bone_distance = fmin(bone_distance, segment_distance(&f->bones[i], x));
    double width = fmax(0.25 * bone_distance, f->cell);
    for (int i = 0; i < f->shape_count; ++i) {
        const shape *s = &f->shapes[i];
        double say = s->use == SHAPE_JOIN ? fmax(0.0, 1.0 - (distance[i] - distance[nearest]) / width) : 0.0;
        if (say == 0.0) continue;
        double least = HUGE_VAL;
        for (int j = s->first_bone; j <= s->last_bone; ++j)
            least = fmin(least, segment_distance(&f->bones[j], x));
        for (int j = s->first_bone; j <= s->last_bone; ++j) {
            double w = say * fmax(0.0, 1.0 - (segment_distance(&f->bones[j], x) - least) / width);
            share[j] += w;
            sum += w;
        }
    }
    for (int i = 0; i < f->bone_count; ++i)
        share[i] /= sum;
    return bone_distance;
}
