/// @file
/// Private to the platform of POSIX: signals that wait.
#ifndef ERI_BASE_PLATFORM_SIGNALS_H
#define ERI_BASE_PLATFORM_SIGNALS_H

#include <signal.h>

/// The signals that were blocked before eri_platform_hold_ends(); NULL when nothing is held.
const sigset_t *eri_signals_before_hold(void);

#endif
