// The two halves of a mirror symmetric rig (docs/math/identity.md, 2).
#include "modal/halves.h"

#include <math.h>
#include <string.h>

#include "modal/planes.h"
#include "model/forest/forest_sweep.h"

static const double rounding = 1e-11; // relative: the two sides differ by no more

// A link across the plane. `map` takes rates of the link's columns (springs scaled by K^1/2 as everywhere) to the rates
// that mirror them in the columns of its image.
typedef struct twin_link {
    int image; // of the same tree, itself in the middle
    double map[6][6];
} twin_link;

// Coordinates of the whole by those of a half.
typedef struct half_rates {
    int from, columns;    // of the half's link
    int into, rows;       // of the image, in the middle of the link itself, by `weight`
    int same;             // of the link, which are those of the half times `part`; -1 in the middle
    double part, sign;    // of what is the same; of `weight` times `part`
    const double *weight; // [rows][columns]
} half_rates;

// The link of the whole that a link of a half stands for.
typedef struct half_link {
    int link, image;
    double arm[3]; // from the mirror image of the link's reference point to the image's
    half_rates spring, unsprung;
} half_link;

// A motion of unsprung coordinates that is of one half: of a link, and of its image.
typedef struct half_zero {
    int at, image_at, count; // unsprung coordinates of the whole; image_at -1 in the middle
    double rate[6], image_rate[6];
} half_zero;

struct eri_halves {
    eri_reduced *half[2]; // symmetric, antisymmetric
    half_link *link[2];   // [links of a half]
    int taken[2];         // modes of each that are wanted
    er_mat3 mirror;       // reflects vectors
    er_vec3 on_plane;     // a point
    twin_link *twin;      // [link_count]
    half_zero *zero;      // [unsprung_count], rigid ones first
    void (*progress)(void *user, int found, int wanted);
    void *user;
    int found, wanted; // told so far, and in all
};

// ---- Symmetry of the forest

typedef struct mirror_plane {
    er_vec3 normal;
    double offset, size; // size of the rig
} mirror_plane;

static er_vec3 turned_back(const mirror_plane *p, er_vec3 x)
{
    return er_v3_madd(x, -2.0 * er_v3_dot(p->normal, x), p->normal);
}

static er_vec3 reflected(const mirror_plane *p, er_vec3 x)
{
    return er_v3_madd(x, -2.0 * (er_v3_dot(p->normal, x) - p->offset), p->normal);
}

static er_vec3 vector_of(const double x[3])
{
    return er_v3(x[0], x[1], x[2]);
}

static bool is_near(er_vec3 a, er_vec3 b, double tolerance)
{
    return er_v3_distance(a, b) <= tolerance;
}

static er_mat3 inertia_of(const eri_forest_link *l)
{
    const double *J = l->inertia;
    return (er_mat3){{{J[0], J[3], J[4]}, {J[3], J[1], J[5]}, {J[4], J[5], J[2]}}};
}

static bool is_image_body(const mirror_plane *p, const eri_forest_link *from, const eri_forest_link *to)
{
    er_vec3 here = er_v3_add(vector_of(from->point), vector_of(from->c)),
            there = er_v3_add(vector_of(to->point), vector_of(to->c));
    if (fabs(from->mass - to->mass) > rounding * from->mass) return false;
    if (!is_near(reflected(p, here), there, rounding * p->size)) return false;
    er_mat3 a = inertia_of(from), b = inertia_of(to);
    double trace = a.m[0][0] + a.m[1][1] + a.m[2][2];
    for (int k = 0; k < 3; ++k) {
        er_vec3 e = er_v3(k == 0, k == 1, k == 2), image = er_m3_mul_v(a, turned_back(p, e));
        if (!is_near(turned_back(p, image), er_m3_mul_v(b, e), rounding * trace)) return false;
    }
    return true;
}

// A twist in comparable numbers: shifts over the size.
static void comparable(const mirror_plane *p, const double twist[6], double out[6])
{
    for (int i = 0; i < 6; ++i)
        out[i] = i < 3 ? twist[i] : twist[i] / p->size;
}

static void reflect_column(const mirror_plane *p, const eri_forest_link *from, const eri_forest_link *to, int column,
                           double out[6])
{
    const double *S = from->S[column];
    er_vec3 turn = er_v3_scale(-1.0, turned_back(p, vector_of(S))), shift = turned_back(p, vector_of(S + 3));
    er_vec3 arm = er_v3_sub(vector_of(to->point), reflected(p, vector_of(from->point)));
    shift = er_v3_add(shift, er_v3_cross(turn, arm));
    const double twist[6] = {turn.x, turn.y, turn.z, shift.x, shift.y, shift.z};
    comparable(p, twist, out);
}

static double dot(const double x[6], const double y[6])
{
    double sum = 0.0;
    for (int i = 0; i < 6; ++i)
        sum += x[i] * y[i];
    return sum;
}

// A = L U, A symmetric positive definite, n <= 6; L below the diagonal.   @return false if it is not, to rounding
static bool factor_small(int n, double A[6][6], double LU[6][6])
{
    for (int i = 0; i < n; ++i)
        memcpy(LU[i], A[i], (size_t)n * sizeof(double));
    for (int k = 0; k < n; ++k) {
        if (!(LU[k][k] > 1e-12 * A[k][k])) return false;
        for (int i = k + 1; i < n; ++i) {
            LU[i][k] /= LU[k][k];
            for (int j = k + 1; j < n; ++j)
                LU[i][j] -= LU[i][k] * LU[k][j];
        }
    }
    return true;
}

static void solve_small(int n, double LU[6][6], double x[6])
{
    for (int k = 0; k < n; ++k)
        for (int i = k + 1; i < n; ++i)
            x[i] -= LU[i][k] * x[k];
    for (int k = n - 1; k >= 0; --k) {
        for (int j = k + 1; j < n; ++j)
            x[k] -= LU[k][j] * x[j];
        x[k] /= LU[k][k];
    }
}

static double snapped(double x)
{
    return fabs(x) <= rounding ? 0.0 : fabs(fabs(x) - 1.0) <= rounding ? (x < 0.0 ? -1.0 : 1.0) : x;
}

// Sets map, of columns alone: rates of model coordinates.   @return false if the columns are no mirror images
static bool map_columns(const mirror_plane *p, const eri_forest_link *from, const eri_forest_link *to, double map[6][6])
{
    int n = from->freedom;
    double S[6][6], A[6][6], LU[6][6];
    for (int c = 0; c < n; ++c)
        comparable(p, to->S[c], S[c]);
    for (int a = 0; a < n; ++a)
        for (int b = 0; b < n; ++b)
            A[a][b] = dot(S[a], S[b]);
    if (!factor_small(n, A, LU)) return false;
    for (int c = 0; c < n; ++c) {
        double image[6], x[6], whole;
        reflect_column(p, from, to, c, image);
        whole = sqrt(dot(image, image));
        for (int a = 0; a < n; ++a)
            x[a] = dot(S[a], image);
        solve_small(n, LU, x);
        for (int a = 0; a < n; ++a) {
            map[a][c] = x[a];
            bool apart = (a < from->spring_count) != (c < from->spring_count);
            if (apart && fabs(x[a]) * sqrt(A[a][a]) > rounding * whole) return false;
            if (apart) map[a][c] = 0.0;
            for (int i = 0; i < 6; ++i)
                image[i] -= x[a] * S[a][i];
        }
        if (dot(image, image) > rounding * rounding * whole * whole) return false;
    }
    return true;
}

// Whether springs are alike: in coordinates K^1/2 q the map is orthogonal.
static bool map_springs(const eri_forest *t, const eri_forest_link *from, const eri_forest_link *to, double map[6][6])
{
    int n = from->spring_count;
    for (int a = 0; a < from->freedom; ++a)
        for (int c = 0; c < from->freedom; ++c)
            map[a][c] =
                snapped(a < n && c < n ? map[a][c] * t->scale[from->spring + c] / t->scale[to->spring + a] : map[a][c]);
    for (int a = 0; a < n; ++a)
        for (int b = 0; b < n; ++b) {
            double sum = a == b ? -1.0 : 0.0;
            for (int k = 0; k < n; ++k)
                sum += map[k][a] * map[k][b];
            if (fabs(sum) > 4.0 * rounding) return false;
        }
    return true;
}

static bool find_twins(const eri_forest *t, const mirror_plane *p, const int *image, twin_link *twin)
{
    for (int i = 0; i < t->link_count; ++i) {
        int at = twin[i].image = t->tree.link_of_body[image[t->tree.link[i].body]], up = t->tree.link[i].parent,
            image_up = t->tree.link[at].parent;
        const eri_forest_link *from = &t->link[i], *to = &t->link[at];
        if (up < 0 ? image_up >= 0 : image_up != twin[up].image) return false;
        if (from->freedom != to->freedom || from->spring_count != to->spring_count) return false;
        if (at < i) continue; // compared the other way round
        if (!is_image_body(p, from, to) || !map_columns(p, from, to, twin[i].map) ||
            !map_springs(t, from, to, twin[i].map))
            return false;
    }
    return true;
}

// ---- Half a forest

// An orthonormal basis of the vectors x = sign * map x of rows [first, first + n), by columns.   @return how many
static int own_vectors(double map[6][6], int first, int n, double sign, double basis[6][6])
{
    double column[6][6];
    int count = 0;
    for (int c = 0; c < n; ++c)
        for (int i = 0; i < n; ++i)
            column[c][i] = 0.5 * ((i == c ? 1.0 : 0.0) + sign * map[first + i][first + c]);
    for (;;) {
        int best = -1;
        double most = 0.1;
        for (int c = 0; c < n; ++c) {
            double square = 0.0;
            for (int i = 0; i < n; ++i)
                square += column[c][i] * column[c][i];
            if (square <= most * (1.0 + 1e-9)) continue;
            best = c;
            most = square;
        }
        if (best < 0) return count;
        for (int i = 0; i < n; ++i)
            basis[i][count] = column[best][i] / sqrt(most);
        for (int c = 0; c < n; ++c) {
            double share = 0.0;
            for (int i = 0; i < n; ++i)
                share += basis[i][count] * column[c][i];
            for (int i = 0; i < n; ++i)
                column[c][i] -= share * basis[i][count];
        }
        ++count;
    }
}

// Columns of the half: sums of the link's own.   @param first  the link's first column; `into` the half's
static void combine_columns(const eri_forest *whole, const eri_forest_link *from, int first, int n, double basis[6][6],
                            int count, eri_forest_link *half, int into)
{
    for (int a = 0; a < count; ++a)
        for (int i = 0; i < 6; ++i) {
            double sum = 0.0;
            for (int c = 0; c < n; ++c) {
                double S[6];
                eri_scaled_direction(whole, from, first + c, S);
                sum += S[i] * basis[c][a];
            }
            half->S[into + a][i] = sum;
        }
}

static void make_middle(const eri_forest *whole, const twin_link *twin, int link, double sign, double basis[6][6],
                        double unsprung[6][6], eri_forest_link *half)
{
    const eri_forest_link *from = &whole->link[link];
    double map[6][6];
    int s = from->spring_count;
    memcpy(map, twin[link].map, sizeof map);
    half->spring_count = own_vectors(map, 0, s, sign, basis);
    int zeros = own_vectors(map, s, from->freedom - s, sign, unsprung);
    half->freedom = half->spring_count + zeros;
    combine_columns(whole, from, 0, s, basis, half->spring_count, half, 0);
    combine_columns(whole, from, s, from->freedom - s, unsprung, zeros, half, half->spring_count);
}

// A link of the side stands for its image too.
static void make_side(const eri_forest *whole, eri_forest_link *half)
{
    for (int c = 0; c < half->spring_count; ++c)
        for (int i = 0; i < 6; ++i)
            half->S[c][i] *= sqrt(0.5) * whole->scale[half->spring + c];
    half->mass *= 2.0;
    for (int i = 0; i < 6; ++i)
        half->inertia[i] *= 2.0;
}

// @param first  of rows and columns of `rates`
static double *pack(half_rates *r, double *weight, double rates[6][6], int first)
{
    r->weight = weight;
    for (int c = 0; c < r->rows; ++c)
        for (int a = 0; a < r->columns; ++a)
            *weight++ = rates[first + c][first + a];
    return weight;
}

// Rates of a link and its image by those of the half's link, whose places in the half are known.
static double *pair_rates(const eri_forest *whole, const eri_halves *h, double sign, const eri_forest_link *l,
                          half_link *of, double *weight, double springs[6][6], double zeros[6][6])
{
    const eri_forest_link *here = &whole->link[of->link], *there = &whole->link[of->image];
    bool side = of->link != of->image;
    int s = here->spring_count;
    of->spring = (half_rates){.from = l->spring,
                              .columns = l->spring_count,
                              .into = there->spring,
                              .rows = s,
                              .same = side ? here->spring : -1,
                              .part = side ? sqrt(0.5) : 1.0,
                              .sign = side ? sign : 1.0};
    of->unsprung = (half_rates){.from = l->unsprung,
                                .columns = l->freedom - l->spring_count,
                                .into = there->unsprung,
                                .rows = here->freedom - s,
                                .same = side ? here->unsprung : -1,
                                .part = 1.0,
                                .sign = side ? sign : 1.0};
    er_vec3 point = er_m3_mul_v(h->mirror, er_v3_sub(vector_of(here->point), h->on_plane)),
            arm = er_v3_sub(er_v3_sub(vector_of(there->point), h->on_plane), point);
    of->arm[0] = arm.x;
    of->arm[1] = arm.y;
    of->arm[2] = arm.z;
    weight = pack(&of->spring, weight, springs, 0);
    return pack(&of->unsprung, weight, zeros, side ? s : 0);
}

static er_result make_forest(eri_reduced *s, const bool *kept, int sign, eri_forest **out)
{
    er_result r = ER_OK;
    eri_halves *h = s->halves;
    const eri_forest *whole = s->tree;
    eri_forest *t;
    int *link, k = sign > 0 ? 0 : 1;
    double *weight;
    ERI_TRY_NEW(link, s->arena, int, whole->link_count);
    ERI_TRY(eri_forest_select(s->arena, whole, kept, link, &t));
    ERI_TRY_RESERVE(h->link[k], s->arena, half_link, t->link_count);
    ERI_TRY_RESERVE(weight, s->arena, double, 6 * (size_t)(whole->spring_count + whole->unsprung_count));
    for (int i = 0; i < t->link_count; ++i) {
        eri_forest_link *l = &t->link[i];
        half_link *of = &h->link[k][i];
        double basis[6][6], zeros[6][6], (*map)[6] = h->twin[link[i]].map;
        bool middle = h->twin[link[i]].image == link[i];
        *of = (half_link){.link = link[i], .image = h->twin[link[i]].image};
        if (middle)
            make_middle(whole, h->twin, link[i], sign, basis, zeros, l);
        else
            make_side(whole, l);
        l->spring = t->spring_count;
        l->unsprung = t->unsprung_count;
        weight = pair_rates(whole, h, sign, l, of, weight, middle ? basis : map, middle ? zeros : map);
        t->spring_count += l->spring_count;
        t->unsprung_count += l->freedom - l->spring_count;
    }
    for (int i = 0; i < t->spring_count; ++i)
        t->stiffness[i] = t->scale[i] = 1.0;
    *out = t;
done:
    return r;
}

// Links of the middle, and of each pair of branches the first.
static int choose_links(const eri_forest *t, const twin_link *twin, bool *kept)
{
    int count = 0;
    for (int i = 0; i < t->link_count; ++i) {
        int up = t->tree.link[i].parent;
        bool branch = up >= 0 && twin[up].image != up;
        kept[i] = branch ? kept[up] : i <= twin[i].image;
        count += kept[i];
    }
    return count;
}

// ---- Zero modes

static void list_middle_zeros(eri_halves *h, const eri_forest_link *l, double map[6][6], int *count)
{
    int s = l->spring_count, n = l->freedom - s, first = *count;
    for (int k = 0; k < 2; ++k) {
        double basis[6][6];
        int own = own_vectors(map, s, n, k == 0 ? 1.0 : -1.0, basis);
        for (int a = 0; a < own; ++a) {
            half_zero *z = &h->zero[(*count)++];
            *z = (half_zero){.at = l->unsprung, .image_at = -1, .count = n};
            for (int c = 0; c < n; ++c)
                z->rate[c] = basis[c][a];
        }
    }
    for (int i = first + 1; i < *count; ++i) // in the order of the coordinates that they move most
        for (int k = i; k > first; --k) {
            int lead[2] = {0, 0};
            for (int c = 0; c < n; ++c)
                for (int e = 0; e < 2; ++e)
                    if (fabs(h->zero[k - 1 + e].rate[c]) > fabs(h->zero[k - 1 + e].rate[lead[e]])) lead[e] = c;
            if (lead[0] <= lead[1]) break;
            half_zero later = h->zero[k];
            h->zero[k] = h->zero[k - 1];
            h->zero[k - 1] = later;
        }
}

static void list_side_zeros(eri_halves *h, const eri_forest_link *l, const eri_forest_link *image, double map[6][6],
                            int *count)
{
    int s = l->spring_count, n = l->freedom - s;
    for (int c = 0; c < n; ++c)
        for (int k = 0; k < 2; ++k) {
            half_zero *z = &h->zero[(*count)++];
            *z = (half_zero){.at = l->unsprung, .image_at = image->unsprung, .count = n};
            z->rate[c] = 1.0;
            for (int a = 0; a < n; ++a)
                z->image_rate[a] = (k == 0 ? 1.0 : -1.0) * map[s + a][s + c];
        }
}

static void list_zeros(eri_halves *h, const eri_forest *t, const bool *kept)
{
    int count = 0;
    for (int rigid = 1; rigid >= 0; --rigid)
        for (int i = 0; i < t->link_count; ++i) {
            const eri_forest_link *l = &t->link[i];
            if (!kept[i] || eri_forest_link_roots(t, i) != (rigid != 0)) continue;
            int image = h->twin[i].image;
            if (image == i)
                list_middle_zeros(h, l, h->twin[i].map, &count);
            else
                list_side_zeros(h, l, &t->link[image], h->twin[i].map, &count);
        }
}

void eri_halves_zero(const eri_halves *h, int k, int lane, eri_lanes *force)
{
    const half_zero *z = &h->zero[k];
    for (int c = 0; c < z->count; ++c) {
        force[z->at + c][lane] = z->rate[c];
        if (z->image_at >= 0) force[z->image_at + c][lane] = z->image_rate[c];
    }
}

// ---- Making

static er_result create_half(const eri_reduced *s, eri_forest *tree, eri_reduced **out)
{
    er_result r = ER_OK;
    eri_reduced *h;
    int rows = tree->spring_count, columns = rows + tree->unsprung_count, most = rows < s->most ? rows : s->most;
    ERI_TRY_NEW(h, s->arena, eri_reduced, 1);
    *h = (eri_reduced){.context = s->context, .arena = s->arena, .model = s->model, .def = s->def, .tree = tree};
    h->rows = h->elastic_count = rows;
    h->zero_count = tree->unsprung_count;
    h->most = most;
    *out = h;
    if (rows == 0) return ER_OK;
    eri_extent extent = {{tree->link_count, 0, 0}, columns, rows, most};
    ERI_TRY(eri_condensed_create(s->arena, tree, &h->condensed));
    ERI_TRY(eri_reduced_reserve(h, s->arena, &extent));
    if (s->def.method == ER_MODAL_TREE) ERI_TRY(eri_reduced_reserve_tree(h, rows));
    ERI_TRY(eri_reduced_reserve_modes(h, s->arena, (rows + 5) / 6, rows, rows, most));
done:
    return r;
}

// Dense problems gain by fewer columns; sweeps by fewer links, where there are more modes to find than lanes hold at
// ease, since each half takes a run of its own.
static bool pays(const eri_reduced *s, int kept)
{
    bool few = s->def.min_hz > 0.0 || s->most < 48;
    return s->def.method == ER_MODAL_TREE || (!few && kept <= 0.75 * s->tree->link_count);
}

static er_result find_symmetry(eri_reduced *s, eri_halves *h, bool *kept, bool *found)
{
    er_result r = ER_OK;
    eri_planes planes;
    *found = false;
    ERI_TRY(eri_planes_find(s->context, s->arena, s->model, &planes));
    for (int i = 0; i < planes.count && !*found; ++i) {
        int axis = planes.plane[i];
        mirror_plane p = {planes.axis[axis], eri_component(planes.centre, axis), s->model->size};
        *found = find_twins(s->tree, &p, planes.image[i], h->twin) && pays(s, choose_links(s->tree, h->twin, kept));
        h->on_plane = er_v3_scale(p.offset, p.normal);
        const er_vec3 columns[3] = {turned_back(&p, er_v3(1, 0, 0)), turned_back(&p, er_v3(0, 1, 0)),
                                    turned_back(&p, er_v3(0, 0, 1))};
        for (int c = 0; c < 3; ++c) {
            h->mirror.m[0][c] = columns[c].x;
            h->mirror.m[1][c] = columns[c].y;
            h->mirror.m[2][c] = columns[c].z;
        }
    }
done:
    return r;
}

er_result eri_halves_create(eri_reduced *s)
{
    er_result r = ER_OK;
    eri_halves *h;
    bool *kept, found;
    int columns = s->tree->spring_count + s->tree->unsprung_count;
    bool too_many =
        s->def.method == ER_MODAL_TREE && columns > ER_MODAL_MAX_COORDINATES; // as a whole, so it is refused
    if (s->tree->loop_count > 0 || too_many) return ER_OK;
    ERI_TRY_NEW(h, s->arena, eri_halves, 1);
    ERI_TRY_RESERVE(h->twin, s->arena, twin_link, s->tree->link_count);
    ERI_TRY_NEW(kept, s->arena, bool, s->tree->link_count);
    ERI_TRY(find_symmetry(s, h, kept, &found));
    if (!found) return ER_OK;
    s->halves = h;
    ERI_TRY_NEW(h->zero, s->arena, half_zero, s->tree->unsprung_count);
    list_zeros(h, s->tree, kept);
    for (int k = 0; k < 2; ++k) {
        eri_forest *tree;
        ERI_TRY(make_forest(s, kept, k == 0 ? 1 : -1, &tree));
        ERI_TRY(create_half(s, tree, &h->half[k]));
    }
    int longer = h->half[0]->rows < h->half[1]->rows;
    if (s->def.method == ER_MODAL_SPARSE && h->half[!longer]->rows > 0) {
        ERI_TRY(eri_slices_create(h->half[longer], NULL));
        ERI_TRY(eri_slices_create(h->half[!longer], h->half[longer]));
    } else if (s->def.method == ER_MODAL_SPARSE) {
        ERI_TRY(eri_slices_create(h->half[longer], NULL));
    }
done:
    return r;
}

void eri_halves_destroy(eri_halves *h)
{
    for (int k = 0; k < 2 && h != NULL; ++k)
        if (h->half[k] != NULL) eri_arena_destroy(h->half[k]->slicing);
}

// ---- Solving

static void tell(void *user, int found, int wanted)
{
    const eri_halves *h = user;
    int all = h->found + found;
    (void)wanted;
    h->progress(h->user, all < h->wanted ? all : h->wanted, h->wanted);
}

static er_result solve_half(eri_reduced *s, eri_reduced *half)
{
    er_result r = ER_OK;
    half->elastic = half->skipped = 0;
    if (half->wanted == 0) return ER_OK;
    half->def.progress = s->def.progress != NULL ? tell : NULL;
    half->def.user = s->halves;
    ERI_TRY(s->def.method == ER_MODAL_TREE ? eri_modal_tree(half) : eri_modal_sparse(half));
    if (s->def.method == ER_MODAL_SPARSE) eri_reduced_refine(half);
    s->halves->found += half->elastic;
done:
    return r;
}

// How many of each half are among the `want` lowest.
static void share(eri_reduced *s, int want)
{
    eri_halves *h = s->halves;
    eri_reduced *const *half = h->half;
    int *taken = h->taken;
    taken[0] = taken[1] = 0;
    s->elastic = half[0]->elastic + half[1]->elastic < want ? half[0]->elastic + half[1]->elastic : want;
    for (int j = 0; j < s->elastic; ++j) {
        bool left[2] = {taken[0] < half[0]->elastic, taken[1] < half[1]->elastic};
        int k = !left[0] || (left[1] && half[1]->eigenvalue[taken[1]] < half[0]->eigenvalue[taken[0]]);
        ++taken[k];
    }
    s->skipped = half[0]->skipped + half[1]->skipped;
}

er_result eri_halves_solve(eri_reduced *s)
{
    er_result r = ER_OK;
    eri_halves *h = s->halves;
    int want = s->wanted - s->zeros;
    h->progress = s->def.progress;
    h->user = s->def.user;
    h->found = s->zeros;
    h->wanted = s->wanted;
    for (int k = 0; k < 2; ++k) {
        eri_reduced *half = h->half[k];
        half->wanted = want < half->elastic_count ? want : half->elastic_count;
        if (half->elastic_count > 0) ERI_TRY(eri_condensed_factor(half->condensed, half->tree, s->context));
    }
    if (s->def.method == ER_MODAL_SPARSE) eri_slices_share(h->half, want);
    for (int k = 0; k < 2; ++k)
        ERI_TRY(solve_half(s, h->half[k]));
    share(s, want);
done:
    return r;
}

int eri_halves_first(const eri_halves *h)
{
    return h->taken[0];
}

eri_reduced *eri_halves_of(const eri_halves *h, int *column)
{
    if (*column < h->taken[0]) return h->half[0];
    *column -= h->taken[0];
    return h->half[1];
}

ERI_LANES_INLINE void widen_rates(const half_rates *r, const eri_lanes *half, eri_lanes *out)
{
    const eri_lanes *y = half + r->from;
    const double *weight = r->weight;
    for (int c = 0; c < r->rows; ++c, weight += r->columns) {
        eri_lanes sum = {0};
        for (int a = 0; a < r->columns; ++a)
            sum += weight[a] * y[a];
        out[r->into + c] = r->part * r->sign * sum;
    }
    for (int c = 0; r->same >= 0 && c < r->columns; ++c)
        out[r->same + c] = r->part * y[c];
}

// A twist of the image: turns are axial.
ERI_LANES_INLINE void reflect_twist(const er_mat3 *mirror, double sign, const double arm[3], const eri_lanes *x,
                                    eri_lanes *out)
{
    for (int k = 0; k < 3; ++k) {
        const double *row = mirror->m[k];
        out[k] = -sign * (row[0] * x[0] + row[1] * x[1] + row[2] * x[2]);
        out[k + 3] = sign * (row[0] * x[3] + row[1] * x[4] + row[2] * x[5]);
    }
    out[3] += out[1] * arm[2] - out[2] * arm[1];
    out[4] += out[2] * arm[0] - out[0] * arm[2];
    out[5] += out[0] * arm[1] - out[1] * arm[0];
}

ERI_LANES_DO(widen, (const eri_halves *h, int k, eri_lanes *y, eri_lanes *unsprung, eri_lanes *twist),
             (h, k, y, unsprung, twist))
{
    const eri_reduced *half = h->half[k];
    double sign = k == 0 ? 1.0 : -1.0;
    for (int i = 0; i < half->tree->link_count; ++i) {
        const half_link *of = &h->link[k][i];
        const eri_lanes *x = half->twist + 6 * (size_t)i;
        widen_rates(&of->spring, half->panel[0], y);
        widen_rates(&of->unsprung, half->unsprung, unsprung);
        for (int c = 0; c < 6; ++c)
            twist[6 * (size_t)of->link + (size_t)c] = x[c];
        if (of->image != of->link) reflect_twist(&h->mirror, sign, of->arm, x, twist + 6 * (size_t)of->image);
    }
}

void eri_halves_widen(const eri_halves *h, const eri_reduced *half, eri_lanes *y, eri_lanes *unsprung, eri_lanes *twist)
{
    widen(h, half == h->half[0] ? 0 : 1, y, unsprung, twist);
}
