/// @file
/// Rows of the reference solver, and how bodies respond to their impulses.
#ifndef ERI_DYNAMICS_REFERENCE_REFERENCE_ROWS_H
#define ERI_DYNAMICS_REFERENCE_REFERENCE_ROWS_H

#include "dynamics/contact/contact_solver.h"
#include "dynamics/reference/complementarity.h"
#include "dynamics/reference/joint_response.h"

enum { ERI_REFERENCE_ENDS = 4 }; ///< bodies of a gear; other rows have two at most

/// The twists that a unit impulse gives to bodies in succession, their joints holding.
typedef struct eri_reference_span {
    int limb, count;
    double *twist; ///< [6 count]
} eri_reference_span;

/// Kinds of rows.
typedef enum eri_reference_kind {
    ERI_REFERENCE_JOINT,
    ERI_REFERENCE_CONTACT, ///< the first of a contact's three rows: the others follow it
    ERI_REFERENCE_TIE,
    ERI_REFERENCE_ROLL, ///< two rows follow each other
    ERI_REFERENCE_SPIN
} eri_reference_kind;

/// A row: at the impulse x its speed is w = J V + bias + compliance x.
typedef struct eri_reference_row {
    eri_reference_kind kind;
    int end_count, span_count;
    int limb[ERI_REFERENCE_ENDS];                              ///< bodies that move
    double J[ERI_REFERENCE_ENDS][6], Y[ERI_REFERENCE_ENDS][6]; ///< Y = M^-1 J'
    eri_reference_span response[ERI_REFERENCE_ENDS];           ///< of all but joints
    double given, bias; ///< given: of its speed, what the ground and running surfaces make
    double compliance;
    double diagonal;      ///< of A, compliance added
    double initial_speed; ///< its speed at the step's begin
    double block[3];      ///< within the cone: of A, with the contact's rows
    double tangents;      ///< within the cone, of a normal row or the first row of rolling: the largest eigenvalue of A
                          ///< along the tangents; 0: joints hold the contact, or one of both rows of rolling
    double impact_time;   ///< s: of a contact's normal row that rebounds in the step; 0: it does not
    int normal;           ///< as of eri_complementarity
    double friction;
    int joint, at;  ///< of a joint; 6 joint + row
    int tie;        ///< of a tie
    bool pushes;    ///< of a tie: its second row
    double bend;    ///< m, of a tie: what it becomes longer in the step than its rate says
    double stretch; ///< m, of a tie that is a spring: at the step's begin
    double x;
    double *stored; ///< where x of a contact or a tie is for the next step; NULL: x starts at 0
} eri_reference_row;

/// How a joint is drawn together, and gives way.
typedef struct eri_joint_softness {
    double erp, cfm;
} eri_joint_softness;

struct eri_reference_solver {
    int limb_count, joint_count, row_count, joint_row_count;
    double *V, *displacement;     ///< [6 limb_count]
    double *before_joints;        ///< [6 limb_count]: V by forces alone, then V by joints that do not turn in the step
    double *shift;                ///< [6 limb_count]: what impacts within the step take from the displacement
    double *impulse, *twist;      ///< [6 limb_count], work space
    double *q;                    ///< [position_count], work space
    er_mat3 *axes, *inertia;      ///< [limb_count], world axes, at the step's begin
    eri_joint_softness *softness; ///< [joint_count]
    double *compliance, *soft;    ///< [6 joint_count], by row: of the step; of the rows that are not corrected
    double *rate, *error;         ///< [6 joint_count], by row: wanted
    double *loop_impulse;         ///< [6 joint_count], by row: of joints that close loops, in the step
    double *loop_before;          ///< [6 joint_count]: the same before joints are corrected
    eri_joint_response *response; ///< [articulation_count]
    eri_reference_row *row;       ///< [row_count], of the step: joints first
    er_reference_report report;
};

// ---- reference_rows.c

/// Adds a wrench about a body's centre of mass to a row's J.   @param limb  -1, the ground: adds nothing
void eri_reference_add_part(eri_reference_row *a, int limb, er_vec3 torque, er_vec3 force);

/// J V.
double eri_reference_rate(const eri_reference_row *a, const double *V);

/// w.
double eri_reference_speed(const eri_reference_row *a, const double *V);

/// The sum of the magnitudes that add up to a row's speed at no impulse.
double eri_reference_speed_bound(const eri_reference_row *a, const double *V);

/// Entry of A: the change of a's speed by a unit impulse along b, each body alone.
double eri_reference_coupling(const eri_reference_row *a, const eri_reference_row *b);

/// The same with joints holding.
double eri_reference_response(const eri_reference_row *a, const eri_reference_row *b);

/// Changes the velocities of bodies, each alone.
void eri_reference_apply_alone(const eri_reference_row *a, double impulse, double *V);

/// The same with joints holding.
void eri_reference_apply(const eri_reference_row *a, double impulse, double *V);

/// Adds a row's impulse on the bodies of an articulation.   @param out  [6 limbs of the articulation], added to
void eri_reference_add_impulse(const eri_reference_row *a, double impulse, const eri_joint_response *g, double *out);

/// Finds Y and the compliance of a row whose J is known.   @return its own entry of A, each body alone
double eri_reference_set_masses(er_world *w, eri_reference_row *a, double cfm);

/// Finds the response and the diagonal of a row whose J is known, and the impulse that it starts from.
/// Errors   ER_ERROR_MEMORY
er_result eri_reference_finish_row(er_world *w, eri_reference_row *a);

// ---- reference_ties.c

/// The most rows that ties and rolling friction can have in the step.
size_t eri_reference_most_ties(const er_world *w);

/// Adds the rows of ties to the solver's rows. Call after those of joints.   Errors: ER_ERROR_MEMORY
er_result eri_reference_add_ties(er_world *w, double h);

/// Adds the rows of rolling and spinning friction.   Errors: ER_ERROR_MEMORY
/// @param first  the first contact's first row
er_result eri_reference_add_rolling(er_world *w, int first);

/// The energy that a spring gains in the step, J; 0 of other ties. Call before joints are corrected.
double eri_reference_tie_energy(const er_world *w, const eri_reference_row *a, double h);

/// Gives the step's forces to ties, and breaks them. Call once a step is made.
void eri_reference_store_ties(er_world *w, double h);

// ---- reference_ties.c: loads of joints. They do nothing if no joint can break.

/// Adds the springs, dampers and motors of joints that close loops. Call after eri_maximal_impel().
void eri_reference_begin_loads(er_world *w, double h);

/// Adds the impulses of loops that eri_joint_response_solve() found last to loop_impulse.
void eri_reference_add_loop_impulses(eri_reference_solver *s, const eri_joint_response *g);

/// Adds the impulses by which loops respond to the rows' impulses to loop_impulse.
void eri_reference_respond_loops(er_world *w);

/// Gives the impulses of loops, ties and rolling friction to the loads. Call once a step is made.
void eri_reference_store_loads(er_world *w);

#endif
