/// @file
/// Private: what every writer of a motion's forces needs.
#ifndef ERI_FORMATS_CURVES_LOADS_H
#define ERI_FORMATS_CURVES_LOADS_H

#include <eigenrig/plots.h>

/// Refuses forces with something missing, with times that do not ascend and with numbers that may not be.
/// @param what  the function that was called, for the message
/// Errors   ER_ERROR_ARGUMENT
er_result eri_loads_check(er_context *context, const er_loads *loads, const char *path, const char *what);

#endif
