// Displacements at random, and the norms and centres of mass that poses are judged by.
#ifndef TESTS_MODEL_DISPLACEMENTS_H
#define TESTS_MODEL_DISPLACEMENTS_H

#include <eigenrig/model.h>

#include "support/judge.h"

#define HELD_PACE 3.0 // rad/s, that what floats is weighed at where bodies are held

er_kinematics *kinematics_of(const er_model *m);

void random_displacement(const er_model *m, er_kinematics *k, dice *d, double size, double *x);

/// The group of each body, by all joints that hold or spring: a body's index, or -1 for the world.
void find_groups(const er_model *m, int *group);

/// The centre of mass of a group in a pose, or of its velocity (body twists), weighed.
er_vec3 group_centre(const er_model *m, const int *group, int g, const er_pose *pose, const double *twist);

void rest_poses(const er_model *m, er_pose *pose);

/// Twice the kinetic energy of the rate x: sum of m v.v + w.J w, the square of the norm that corrections are least in.
double energy_norm(er_kinematics *k, const er_model *m, const double *x);

/// sqrt(x' W x), W = K + pace^2 M: the springs' energy, and that of trees without springs to the world moving rigidly.
double held_norm(er_kinematics *k, const er_model *m, const double *x);

#endif
