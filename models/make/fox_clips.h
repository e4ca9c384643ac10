/// @file
/// The clips of the fox.
#ifndef ERI_MAKE_FOX_CLIPS_H
#define ERI_MAKE_FOX_CLIPS_H

#include "figure.h"

/// Adds `run`, a rotary gallop on the spot, 0.5 s a stride: hind feet, a flight stretched, front feet, a flight
/// gathered; feet that stand go back at 3.2 m/s. And `idle`, 4 s: the fox stands, breathes, looks about, and moves ears
/// and tail.
void add_fox_clips(figure *f);

#endif
