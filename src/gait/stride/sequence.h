/// @file
/// Private: sequences of gaits, mixes and clips on one grid of frames.
#ifndef ERI_GAIT_STRIDE_SEQUENCE_H
#define ERI_GAIT_STRIDE_SEQUENCE_H

#include <stdint.h>

#include "gait/stride/reach.h"

enum { ERI_SEQUENCE_MOST = ER_SEQUENCE_MOST_ITEMS };

/// An item sampled: rows at equal steps over a stride or a clip; one row, set anew at each frame, of a mix.
typedef struct eri_sequence_source {
    int rows;
    bool repeats;    ///< row `rows` is row 0 again
    bool stands;     ///< feet keep their place in it
    double seconds;  ///< a stride, or a clip
    er_vec3 travel;  ///< m in that time
    double *x;       ///< [rows x width], displacements: joint coordinates, then six numbers a root
    er_twist *apart; ///< [rows x body_count], from where `x` places bodies to where they are, body axes
    er_vec3 *heel;   ///< [foot_count x rows], m, for a body in place
    er_quat *sole;   ///< [foot_count x rows]
    double *touch;   ///< [foot_count], phase of touchdown of a gait, strides
    double *duty;    ///< [foot_count]
    er_vec3 *print;  ///< [foot_count], heel in mid-stance, m
    double offset;   ///< of a gait's phase from the sequence's, strides
    double at;       ///< row at the current frame
    bool *met;       ///< [width], the rotation that begins with a coordinate was asked for in an earlier frame, as
    er_quat *last;   ///< [width]; an angle is the w of it
} eri_sequence_source;

/// A sequence and its work space.
typedef struct eri_sequence {
    er_context *context;
    const er_model *model;
    const er_gait_body *body;
    er_arena *scratch;
    er_kinematics *kinematics;
    int count, width, frames;
    const er_sequence_item *item;  ///< [count]
    double *begin, *blend;         ///< [count], s: where an item begins, and the transition about that
    double (*span)[2];             ///< [count x foot_count], s: the transition of a foot into an item
    eri_sequence_source *source;   ///< [count]
    int *leg_of;                   ///< [width], foot of the leg that a coordinate belongs to; -1: none
    uint8_t *turn;                 ///< [width], ERI_SEQUENCE_TURN_*
    eri_leg *leg;                  ///< [foot_count]
    const double *fixed;           ///< [count], weights that do not change; NULL: items follow one another
    double *time, *phase, *steady; ///< [frames]; steady: 1 outside transitions
    er_vec3 *travel;               ///< [frames], m
    double *weight;                ///< [count], at the current frame
    double *foot_weight;           ///< [foot_count x count], likewise
    double *row;                   ///< [frames x width]
    er_twist *row_apart;           ///< [frames x body_count]
    eri_target *target;            ///< [foot_count x frames], for a body in place
    er_vec3 *print;                ///< [foot_count x frames], footprints of the blend, m
    bool *stance;                  ///< [foot_count x frames]
    bool is_apart;                 ///< some body is not where coordinates place it
    double *x;                     ///< [width], work space, as are
    er_quat *sum;                  ///< [width], of the rotations that begin with a coordinate
    er_twist *apart;               ///< [body_count]
    er_pose *pose;                 ///< [body_count]
    er_pose *open;                 ///< [body_count]
    er_vec3 *heel;                 ///< [foot_count]
    er_quat *sole;                 ///< [foot_count]
    er_pose *out_pose;             ///< [frames x body_count], the result
    double slide, sink, correction;
} eri_sequence;

/// Kinds of coordinates.
enum {
    ERI_SEQUENCE_TURN_NONE,   ///< a shift
    ERI_SEQUENCE_TURN_ANGLE,  ///< rad
    ERI_SEQUENCE_TURN_VECTOR, ///< the first number of a rotation vector
    ERI_SEQUENCE_TURN_REST    ///< another number of one
};

/// Whether a foot leaves the ground and comes back in a gait.
static inline bool eri_sequence_steps(const eri_sequence_source *g, int f)
{
    return g->duty[f] > 0.0 && g->duty[f] < 1.0;
}

/// The phase at which a gait begins after an item that is none: that of a foot's lift-off after which all feet have
/// left the ground soonest.
double eri_sequence_first_phase(const eri_sequence *s, int i);

/// Sets the transitions of all feet. Feet that stand before a gait keep standing until the gait lifts them; feet that
/// stand after it keep standing once its last step puts them down. Other feet change with the body.
void eri_sequence_set_spans(eri_sequence *s);

/// Adds a source's coordinates at a row, times a weight, to s->x and s->sum.
/// @param leg  the foot of whose leg; -1: of all else
void eri_sequence_add(eri_sequence *s, eri_sequence_source *g, double at, double weight, int leg);

/// Sets s->x where it comes from s->sum.
void eri_sequence_finish(eri_sequence *s);

/// Catmull and Rom's weights between the rows of a source.
void eri_sequence_weigh_rows(const eri_sequence_source *g, double at, int row[4], double weight[4]);

/// Sets a row of a source from poses of a body in place.
void eri_sequence_read(eri_sequence *s, const er_pose *pose, eri_sequence_source *g, int row);

/// Sets all frames.
/// Errors   ER_ERROR_MEMORY; ER_ERROR_NO_CONVERGENCE, as er_motion_poses()
er_result eri_sequence_run(eri_sequence *s);

#endif
