// Poses side by side in single precision.
#define REAL float
#define VEC er_vec32
#define TERMS 7
#define FRAMES(name) er_frames32##name
#include "model/kinematics/frames_sweep.h"
