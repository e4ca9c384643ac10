// Surfaces put together by tests: boxes, tori, solids of revolution, and who their vertices belong to.
#ifndef TESTS_RIG_MESHES_H
#define TESTS_RIG_MESHES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "rig/mass/mass.h"

enum { BODIES = 64 };

/// A surface being put together; its parts move with `place`.
typedef struct mesh {
    eri_skin_surface surface;
    double *position, *weight;
    int *index, *start, *body;
    er_affine place;
} mesh;

mesh mesh_create(void);

void mesh_destroy(mesh *m);

/// A vertex of body 0.
int add_vertex(mesh *m, er_vec3 x);

er_vec3 vertex(const mesh *m, int v);

void add_triangle(mesh *m, int a, int b, int c);

void turn_triangle(mesh *m, int t);

void turn_from(mesh *m, int first);

/// A patch of n x k quads: corner + i u / n + j v / k, its front where u x v points.
void add_patch(mesh *m, er_vec3 corner, er_vec3 u, er_vec3 v, int n, int k);

/// A box of half sides h about the origin, n quads along x; the last patch is its end at +x.
void add_box(mesh *m, er_vec3 h, int n);

void add_torus(mesh *m, double ring, double tube, int n, int k);

/// The solid of revolution about z of the profile (r[i], z[i]), i = 0 .. rings - 1, closed at both ends on the axis.
void add_revolved(mesh *m, const double *r, const double *z, int rings, int k);

double random_unit(unsigned *seed);

er_vec3 random_vec(unsigned *seed);

er_quat random_quat(unsigned *seed);

/// A bumpy ball, star-shaped about the origin.
void add_star(mesh *m, unsigned seed, int rings, int k);

/// Skins every vertex by weights that depend on where it is.
void skin(mesh *m, int bodies, void (*weights)(er_vec3 x, double *weight));

/// Triangles to bodies as the side of x = 0 they lie on says; each side has vertices of its own there.
void split_at_x(mesh *m, er_affine place);

er_affine placed(unsigned seed, double scale);

#endif
