// Scenes of solids that touch, for the tests of contact.
#ifndef TESTS_DYNAMICS_SCENES_H
#define TESTS_DYNAMICS_SCENES_H

#include <eigenrig/dynamics.h>

#include "support/judge.h"

enum { SCENE_MOST = 256 };

static const double g = 9.81, hz = 60.0;

// A scene under construction; scene_begin() makes a world of it.
typedef struct scene {
    rig rig;
    er_world_shape shape[SCENE_MOST];
    int shape_count;
    er_world_def def; // gravity downwards along z, lasting contact, steps of 1/60 s
    er_model *model;
} scene;

void scene_clear(scene *s);

// A body of one shape; returns its index.
int scene_add(scene *s, er_shape solid, double mass, er_pose pose, double friction, double restitution);

// Ground that rebounds as what falls on it does; its normal is z, tilted.
void scene_add_plane(scene *s, er_vec3 through, er_quat tilt, double friction);

// A solid that stands in the world.
void scene_add_fixed(scene *s, er_shape solid, er_pose pose, double friction);

er_shape scene_ball(double radius);
er_shape scene_brick(double x, double y, double z); // half extents
er_shape scene_pill(double radius, double length);

er_world *scene_begin(scene *s); // fails the test where it is refused; of one scene one at a time has its model
er_world *scene_another(scene *s);
void scene_end(scene *s, er_world *w);
void scene_advance(er_world *w, double until);

double scene_energy(er_world *w);
double scene_fastest(const scene *s, const er_world *w);
double scene_deepest(const er_world *w);

// Links of pills along x that fall, tied by ball joints and hinges in turn; returns the last body.
int scene_chain(scene *s, int links, double height, double last_mass);

// A body of ten pills, on its feet at a height, tilted.
void scene_ragdoll(scene *s, double height, er_quat tilt, er_vec3 at);

#endif
