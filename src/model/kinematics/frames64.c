// Poses side by side in double precision.
#define REAL double
#define VEC eri_vec64
#define TERMS 11
#define FRAMES(name) eri_frames64##name
#include "model/kinematics/frames_sweep.h"
