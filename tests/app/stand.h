// Shared by the tests of the session: paths of models, and differences of two states.
#ifndef TESTS_APP_STAND_H
#define TESTS_APP_STAND_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "app/session/session.h"

/// A model of the project by its file name.   Memory: static, for four calls.
const char *stand_path(const char *file);

/// Fails the test with the context's sentence.
void stand_ok(er_context *context, er_result r);

/// A session with a model of the project open.
session *stand_open(er_context *context, const char *file);

/// A session with a walker open that no mesh makes slow: hips, a spine, and so many pairs of legs, "LeftFoot0" and on.
session *stand_open_walker(er_context *context, int pairs);
/// Its file, for sessions that open it again.   Memory: static, until the next call.
const char *stand_write_walker(int pairs);

/// The index of the first mode that swings.
int stand_first_elastic(const session *s);

/// The largest distance between where two poses have bodies' frames, of the rig's size, or turn between them, rad.
double stand_apart(const er_model *model, const er_pose *a, const er_pose *b);

/// All that a session says of its modes, kept. Freed by stand_free().
typedef struct stand_modes {
    int count, bodies, coordinates;
    double *number; ///< eigenvalue, damping ratio, then body and joint entries of each mode
    session_setup setup;
} stand_modes;
stand_modes stand_keep(const session *s);
void stand_free(stand_modes *kept);

/// Fails unless modes and components are the same to the bit.
void stand_expect(const session *s, const stand_modes *kept);

/// A rig of six boxes in a row that floats: hips, belly, chest, neck, head, hat; a "lamp" goes with the neck, a "rock"
/// with none. The scene is the hand's.
struct hand;
er_rig *stand_chain(er_context *context, struct hand *h);

/// Makes the user's presets file in a folder that the test's end removes; NULL: no file.   @return its path
const char *stand_write_presets(const char *text);

/// A body on one hinge to the world, which swings at a frequency.
er_model *stand_pendulum(er_context *context, double hz);

/// Notes to a listener: { stand_hear, &heard }.
typedef struct stand_heard {
    char text[8][300];
    er_note_kind kind[8];
    int count;
} stand_heard;
void stand_hear(void *user, er_note_kind kind, const char *text);

/// Fails the test unless a note of this kind names the field, value or place. Its wording is not looked at.
void stand_expect_heard(const stand_heard *heard, er_note_kind kind, const char *named);

/// |a'Mb| / |a| |b| by the sums over bodies, from the definition.
double stand_likeness(const er_model *model, const double *a, const double *b);

#endif
