/// @file
/// Private to the studio room: what is made of a setup, layer upon layer.
///
/// A change makes the layers that it touches anew, beside those in place; when all of them stand they change places,
/// and when one fails nothing has changed.
#ifndef ER_STUDIO_INSIDE_H
#define ER_STUDIO_INSIDE_H

#include "base/failure.h"
#include "studio/describe.h"
#include "studio/open.h"
#include "studio/stage.h"
#include "studio/studio.h"

enum { MOST_STEPS = 200, FRAMES_A_SECOND = 60 };

/// Local transforms of all nodes of the scene, shared by the steps that have them.
typedef struct given_pose {
    int users;
    er_affine local[];
} given_pose;

given_pose *studio_pose_new(const er_affine *local, int count); ///< NULL without memory
given_pose *studio_pose_share(given_pose *pose);                ///< NULL is fine, here and below
void studio_pose_drop(given_pose *pose);

/// All that undo brings back.
typedef struct step {
    studio_setup setup;
    given_pose *pose;
} step;

/// The rig as it stands: hangs on the rule of joints and the equilibrium.
typedef struct form {
    er_rig *rig;           ///< NULL for a rig file
    const er_model *model; ///< with no tuning, roots free where they can be; the rig's, or the file's
    studio_stage stage;
} form;

/// The model as tuned.
typedef struct tuned {
    er_model *model;
    double *unit; ///< [coordinate_count], the stiffness at which each joint alone swings at 1 Hz
    er_kinematics *kinematics;
    double *x;      ///< [width]
    double *travel; ///< [joint_count]
} tuned;

/// Two solvers of models that differ in numbers and places alone: one holds the modes in place, the other makes the
/// next ones.
typedef struct solvers {
    er_model *model;
    er_modal_solver *solver[2]; ///< NULL until needed
    er_modal_def def[2];        ///< what they were made with
} solvers;

typedef struct solution {
    int which;             ///< the solver that holds the modes
    const er_modes *modes; ///< its own
} solution;

/// The mix in time.
typedef struct sound {
    er_motion *motion; ///< NULL in silence
    double share;      ///< of the amplitudes, that loops follow
    bool measured;     ///< or else it is that of the sound before
    er_pose *last;     ///< [body_count], the last one shown; the equilibrium at first
} sound;

typedef struct layers {
    form *form;
    tuned *tuned;
    solvers *solvers;
    solution solution;
    sound *sound;
} layers;

typedef struct history {
    step *past[MOST_STEPS], *future[MOST_STEPS];
    int past_count, future_count;
    bool open; ///< the last of the past began a step that goes on
} history;

struct studio {
    er_context *context;
    studio_file file;
    er_rig_def def;                ///< as it was opened; its words are owned, its pose is the first step's
    studio_description *described; ///< owned, what def.change is of; NULL for none
    char *path;
    step first, now;
    layers in;
    history history;
    unsigned scene_version, shape_version, modes_version;
    char message[256];
    char *recent[STUDIO_MOST_RECENT];
    int recent_count;
    bool recent_read;
};

void studio_drop_recent(studio *s);

/// Makes what a step asks for and puts it in place; the history is the caller's.
/// @param next    its pose is shared when it is put in place
/// @param follow   voices mean modes of the present modes, and are to be found among the new ones
/// @param measure  as for studio_make_sound()
er_result studio_apply(studio *s, const step *next, bool follow, bool measure);
void studio_clear_layers(layers *in);

bool studio_same_rig(const step *a, const step *b); ///< all but the mix
bool studio_same_voices(const studio_setup *a, const studio_setup *b);

/// One layer each: made anew, or NULL.
er_result studio_make_form(studio *s, const step *next, form **out);
er_result studio_make_tuned(studio *s, const form *f, const studio_setup *setup, tuned **out);
void studio_form_destroy(form *f);
void studio_tuned_destroy(tuned *t);

/// Modes of the tuned model.
/// @param in  its form and tuned model are the next ones; solvers and solution are those in place, and become the next
er_result studio_solve(studio *s, layers *next);
void studio_solvers_destroy(solvers *s);

/// @param in       its sound is the one before
/// @param measure  what share of the amplitudes loops follow, which takes its time
er_result studio_make_sound(er_context *context, const layers *in, const studio_setup *setup, bool measure,
                            sound **out);
void studio_sound_destroy(sound *s);

/// Finds the setup's voices, modes of `was`, among the modes that are next.
/// @param message  written: what could not be followed, "" where all is well
er_result studio_follow(er_context *context, const layers *was, const layers *next, studio_setup *setup, char *message,
                        size_t size);

/// The voices that sound, as a mix with the shapes of their modes; NULL in silence.
/// @param share  of the amplitudes
er_result studio_mix_of(er_context *context, const er_model *model, const er_modes *modes, const studio_setup *setup,
                        double share, er_mix **out);

/// Applies a step that the user makes, and keeps the one before for undo.
/// @param end  false: it goes on
er_result studio_change(studio *s, const step *next, bool end);
void studio_clear_history(history *h);

#endif
