// Skin weights of the sample characters by the heat of their bones.
// For each bone the temperature w of the skin in equilibrium: (L + D) w = D p, L the cotangent Laplacian, D the area of
// a vertex over the squared distance to its bones, p the bone's share of it. Rows sum to one over the bones because
// L 1 = 0 and the shares do. Solved by conjugate gradients with a diagonal preconditioner.
#include <stdlib.h>
#include <string.h>

#include "field.h"
#include "skin.h"
#include "util.h"

typedef struct link {
    int from, to;
    double conductance;
} link;

typedef struct conductor {
    int count;   // vertices
    link *links; // each edge both ways
    int link_count;
    double *diagonal; // [count], of L + D
    double *source;   // [count], D
} conductor;

// Conducts along the three edges of each triangle; half the cotangent of the angle across, at least a little so that
// obtuse triangles keep the maximum principle.
static void link_vertices(conductor *c, const surface *s)
{
    for (int t = 0; t < s->triangle_count; ++t)
        for (int i = 0; i < 3; ++i) {
            int a = s->triangle[t][i], b = s->triangle[t][(i + 1) % 3], o = s->triangle[t][(i + 2) % 3];
            er_vec3 u = er_v3_sub(s->position[a], s->position[o]), v = er_v3_sub(s->position[b], s->position[o]);
            double area2 = er_v3_norm(er_v3_cross(u, v));
            double half_cotangent = 0.5 * er_v3_dot(u, v) / fmax(area2, 1e-12);
            double k = fmin(fmax(half_cotangent, 0.05), 10.0);
            c->links[c->link_count++] = (link){a, b, k};
            c->links[c->link_count++] = (link){b, a, k};
            c->diagonal[a] += k;
            c->diagonal[b] += k;
            c->source[a] += area2 / 6.0;
        }
}

static void multiply(const conductor *c, const double *x, double *y)
{
    for (int i = 0; i < c->count; ++i)
        y[i] = c->diagonal[i] * x[i];
    for (int k = 0; k < c->link_count; ++k)
        y[c->links[k].from] -= c->links[k].conductance * x[c->links[k].to];
}

static double dot(int n, const double *x, const double *y)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i)
        sum += x[i] * y[i];
    return sum;
}

// x with (L + D) x = b, from x = 0.   @param work [4 count]
static void solve(const conductor *c, const double *b, double *x, double *work)
{
    int n = c->count;
    double *r = work, *z = work + n, *p = work + 2 * n, *q = work + 3 * n;
    for (int i = 0; i < n; ++i) {
        x[i] = 0.0;
        r[i] = b[i];
        p[i] = z[i] = r[i] / c->diagonal[i];
    }
    double rz = dot(n, r, z), stop_at = 1e-14 * rz; // 1e-7 relative: far below a weight step
    while (rz > stop_at) {
        multiply(c, p, q);
        double alpha = rz / dot(n, p, q);
        for (int i = 0; i < n; ++i) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
            z[i] = r[i] / c->diagonal[i];
        }
        double next = dot(n, r, z);
        for (int i = 0; i < n; ++i)
            p[i] = z[i] + next / rz * p[i];
        rz = next;
    }
}

// The four largest, in whole steps that sum to one; below a hundredth nobody sees them.
static influence strongest(int bones, const double *weight)
{
    influence out = {{0}, {0}};
    double kept[INFLUENCES] = {0}, sum = 0.0;
    for (int i = 0; i < bones; ++i) {
        if (weight[i] < 0.01 || weight[i] <= kept[INFLUENCES - 1]) continue;
        int k = INFLUENCES - 1;
        for (; k > 0 && weight[i] > kept[k - 1]; --k) {
            kept[k] = kept[k - 1];
            out.bone[k] = out.bone[k - 1];
        }
        kept[k] = weight[i];
        out.bone[k] = i;
    }
    for (int k = 0; k < INFLUENCES; ++k)
        sum += kept[k];
    out.weight[0] = WEIGHT_ONE;
    for (int k = 1; k < INFLUENCES; ++k) {
        out.weight[k] = (int)(kept[k] / sum * WEIGHT_ONE);
        out.weight[0] -= out.weight[k];
    }
    return out;
}

influence *skin_weights(const figure *f, const surface *s)
{
    int n = s->vertex_count, bones = f->bone_count;
    conductor c = {
        .count = n, .links = NEW(link, 6 * s->triangle_count), .diagonal = NEW(double, n), .source = NEW(double, n)};
    link_vertices(&c, s);
    double *share = NEW(double, (size_t)n *(size_t)bones); // [vertex][bone], becomes the weights
    for (int v = 0; v < n; ++v) {
        double d = field_bones(f, s->position[v], &share[(size_t)v * (size_t)bones]);
        c.source[v] *= 2.0 / fmax(d * d, f->cell * f->cell);
        c.diagonal[v] += c.source[v];
    }
    double *b = NEW(double, n), *x = NEW(double, n), *work = NEW(double, 4 * (size_t)n);
    for (int j = 0; j < bones; ++j) {
        for (int v = 0; v < n; ++v)
            b[v] = c.source[v] * share[(size_t)v * (size_t)bones + (size_t)j];
        solve(&c, b, x, work);
        for (int v = 0; v < n; ++v)
            share[(size_t)v * (size_t)bones + (size_t)j] = x[v];
    }
    influence *out = NEW(influence, n);
    for (int v = 0; v < n; ++v)
        out[v] = strongest(bones, &share[(size_t)v * (size_t)bones]);
    free(c.links);
    free(c.diagonal);
    free(c.source);
    free(share);
    free(b);
    free(x);
    free(work);
    return out;
}
