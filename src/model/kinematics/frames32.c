// Poses side by side in single precision.
#define REAL float
#define VEC eri_vec32
#define TERMS 7
#define FRAMES(name) eri_frames32##name
#include "model/kinematics/frames_sweep.h"
