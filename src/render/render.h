/// @file
/// Pictures, sheets and films without a window.
#ifndef ER_RENDER_RENDER_H
#define ER_RENDER_RENDER_H

#include "draw/draw.h"
#include "gui/gui.h"

#endif
