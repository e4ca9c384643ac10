// Left and right: the upright plane by which a body is most like its mirror image.
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "gait/body/body.h"

// --- names

static bool is_letter(const char *name, size_t i)
{
    return isalnum((unsigned char)name[i]) != 0;
}

int er_gait_side_of_name(const char *name)
{
    size_t n = strlen(name);
    for (size_t i = 0; i < n; ++i) {
        if (strncasecmp(name + i, "left", 4) == 0) return 1;
        if (strncasecmp(name + i, "right", 5) == 0) return -1;
    }
    for (size_t i = 0; i < n; ++i) { // a letter by itself, as in leg_L_2 or Foot.R, or a capital at a word's end: FootR
        char c = (char)tolower((unsigned char)name[i]);
        if ((c != 'l' && c != 'r') || (i + 1 < n && is_letter(name, i + 1))) continue;
        bool capital = name[i] != c && i > 0 && islower((unsigned char)name[i - 1]);
        if (capital || i == 0 || !is_letter(name, i - 1)) return c == 'l' ? 1 : -1;
    }
    return 0;
}

// --- planes

typedef struct plane {
    er_vec3 normal;
    double offset;
    double cost;   // mean distance of bodies from their images, over the size; less where names agree
    double misfit; // the same without names
} plane;

static er_vec3 reflect(plane p, er_vec3 x)
{
    return er_v3_madd(x, -2.0 * (er_v3_dot(p.normal, x) - p.offset), p.normal);
}

// The body most like the image of one: near it, and of like mass.
static int find_image(const er_body_reader *b, plane p, int body, double *distance)
{
    er_vec3 image = reflect(p, b->middle[body]);
    int best = -1;
    *distance = HUGE_VAL;
    for (int i = 0; i < b->model->body_count; ++i) {
        double d = er_v3_distance(image, b->middle[i]) / b->model->size +
                   0.02 * fabs(log(b->model->body[i].mass / b->model->body[body].mass));
        if (d >= *distance) continue;
        *distance = d;
        best = i;
    }
    return best;
}

static void weigh_plane(const er_body_reader *b, plane *p)
{
    double sum = 0.0, named = 0.0;
    int n = b->model->body_count;
    for (int i = 0; i < n; ++i) {
        double distance;
        int image = find_image(b, *p, i, &distance);
        sum += fmin(distance, 0.3);
        int here = er_gait_side_of_name(b->model->body[i].name);
        if (here != 0 && here == -er_gait_side_of_name(b->model->body[image].name)) named += 1.0;
    }
    p->misfit = sum / n;
    p->cost = p->misfit - 0.1 * named / n;
}

// Across the way that bodies spread most, or along it: the eigenvector of the horizontal 2 x 2 matrix of second
// moments.
static er_vec3 spread(const er_body_reader *b, er_vec3 u, er_vec3 v)
{
    double uu = 0.0, uv = 0.0, vv = 0.0;
    for (int i = 0; i < b->model->body_count; ++i) {
        er_vec3 d = er_v3_sub(b->middle[i], b->centre);
        double x = er_v3_dot(d, u), y = er_v3_dot(d, v), m = b->model->body[i].mass;
        uu += m * x * x;
        uv += m * x * y;
        vv += m * y * y;
    }
    double angle = 0.5 * atan2(2.0 * uv, uu - vv);
    return er_v3_add(er_v3_scale(cos(angle), u), er_v3_scale(sin(angle), v));
}

er_result er_gait_read_sides(er_body_reader *b)
{
    er_result r = ER_OK;
    enum { MOST = 5 };
    er_gait_body *out = b->out;
    int *mirror, count = 0;
    er_vec3 normal[MOST];
    const er_vec3 axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < 3; ++i) {
        er_vec3 flat = er_v3_madd(axis[i], -er_v3_dot(axis[i], out->up), out->up);
        if (er_v3_norm(flat) > 0.7) normal[count++] = er_v3_unit(flat, axis[i]);
    }
    int axes = count;
    er_vec3 u = er_v3_perpendicular(out->up), v = er_v3_cross(out->up, u);
    normal[count++] = spread(b, u, v);
    normal[count] = er_v3_cross(out->up, normal[count - 1]), ++count;
    plane best = {.cost = HUGE_VAL};
    for (int i = 0; i < count; ++i)
        for (int by_root = 0; by_root < 2; ++by_root) {
            er_vec3 through = by_root != 0 ? er_body_origin(b, b->model->order[0]) : b->centre;
            plane p = {.normal = normal[i], .offset = er_v3_dot(normal[i], through)};
            weigh_plane(b, &p);
            if (i >= axes) p.cost += 0.03; // rigs are made along the axes
            if (p.cost < best.cost - 1e-9) best = p;
        }
    out->left = best.normal;
    out->symmetry = best.misfit;
    b->offset = best.offset;
    ER_TRY_NEW(mirror, b->arena, int, b->model->body_count);
    for (int i = 0; i < b->model->body_count; ++i) {
        double distance;
        int image = find_image(b, best, i, &distance);
        mirror[i] = distance < 0.15 ? image : -1;
    }
    for (int i = 0; i < b->model->body_count; ++i) // both ways or not at all
        if (mirror[i] >= 0 && mirror[mirror[i]] != i) mirror[i] = -1;
    out->mirror = mirror;
done:
    return r;
}
