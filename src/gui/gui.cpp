#include "gui/gui.h"
