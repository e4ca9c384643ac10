#include "viewer/viewer.h"
