#include "studio/studio.h"
