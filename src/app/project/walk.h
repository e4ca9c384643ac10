/// @file
/// Gaits in full dynamics, on the ground under gravity. A gait with feet is walked by its own torques (control.h); one
/// without is driven towards its angles.
#ifndef ERI_APP_PROJECT_WALK_H
#define ERI_APP_PROJECT_WALK_H

#include <eigenrig/control.h>

#include "app/project/project_simulate.h"

enum { PROJECT_WALK_PUSHES = 4 }; // left, right, ahead, back

#define PROJECT_WALK_PERFECT 2.0 ///< the best project_walk_score()

/// Heights of the ground on a grid. The walk begins two body lengths from the last row, in the middle, and goes towards
/// the first one. Outside the ground goes on as at the edge.
typedef struct project_heights {
    int columns, rows;  ///< >= 2, left to right and from the far end
    const float *value; ///< [rows x columns], 0 to 1
    double length;      ///< m, from the last row to the first; 0: four body lengths more than the walk
    double rise;        ///< m, of a value of 1 over one of 0; negative: 0.15 of the leg
} project_heights;

/// How a gait with feet is walked: dimensionless parameters, as of er_walker_def where they have its names.
typedef struct project_walk_style {
    double speed;     ///< factor on the gait's speed, [0.2, 2]; the strides are as many                            [1]
    double tempo;     ///< factor on its strides per second, [0.5, 2]                                               [1]
    double duty;      ///< [0.25, 0.9]                                                                            [0.5]
    double lowering;  ///< [0, 0.3]                                                                              [0.07]
    double clearance; ///< [0, 0.4]                                                                              [0.12]
    double width;     ///< [0.5, 3]                                                                                 [1]
    double sway;      ///< er_walker_def.style, [0, 1]                                                            [0.7]
    double even;      ///< [0, 1]                                                                                   [0]
} project_walk_style;

enum { PROJECT_WALK_NUMBERS = 8 }; ///< of a style, all of them doubles

/// Names, ranges and defaults of a style's numbers, in order.
typedef struct project_walk_number {
    const char *name;
    double least, most, usual;
} project_walk_number;
extern const project_walk_number project_walk_numbers[PROJECT_WALK_NUMBERS];

/// Reads "speed=0.8,duty=0.6" over a style.
/// Errors   ER_ERROR_ARGUMENT (an unknown name, a number out of its range): the style is unchanged
er_result project_walk_read_style(er_context *context, const char *text, project_walk_style *style);

/// Writes the numbers that differ from the defaults, with four digits, as project_walk_read_style() reads them.
void project_walk_write_style(const project_walk_style *style, char *text, size_t size);

/// How a gait is tried. Take project_default_walk_def(), then change fields.
typedef struct project_walk_def {
    double seconds; ///< s, >= 0: the longest duration; 0: half as much again as `lengths` take at the gait's speed [0]
    double lengths; ///< > 0: body lengths after which the walk ends                                              [10]
    double push;    ///< >= 0: force of each push over the weight; 0: it is not pushed. For gaits with feet        [0.1]
    double fps;     ///< frames a second at least, > 0, at most 1e4                                               [60]
    double gain;    ///< > 0: factor on the rig's springs; dampers scale with its root. For gaits without feet     [1]
    double friction; ///< of the ground, >= 0                                                                     [0.8]
    double slope;    ///< rad, in [-pi/4, pi/4]: the ground climbs ahead by it. For gaits with feet                 [0]
    const char *terrain; ///< a scene file whose meshes are the ground, its origin at the start; NULL: a plane. For
                         ///< gaits with feet, without `slope` and `heights`                                     [NULL]
    const project_heights *heights; ///< heights as the ground; NULL: none. Likewise                             [NULL]
    project_walk_style style;       ///< of gaits with feet
    /// Asked at every step, NULL: never. false ends the run and those after it                                 [NULL]
    bool (*goes_on)(void *user);
    void *user; ///< passed to `goes_on`                                                                        [NULL]
} project_walk_def;

project_walk_def project_default_walk_def(void);

/// The result. A character has fallen as er_walker_fall says. One without feet lies and cannot fall.
typedef struct project_walk {
    project_simulation simulation; ///< its frames; owned. A second after a fall is among them
    double time;                   ///< s, until the fall or the end
    double distance;               ///< m, that its centre of mass moved forward until then
    double length;                 ///< m, of the body: the larger of its height and its extent ahead
    er_walker_fall fell;
    project_walk_style style; ///< how it walks; that of the def without feet
    bool stopped;             ///< by project_walk_def.goes_on
    bool late;                ///< it did not go its way in the time that it had
    int touches;              ///< the body that bore most at a fall by ER_WALKER_TOUCHES; -1
    int passing;              ///< shapes that the gait drags along the ground, and that pass through it here
    int pushes, survived;     ///< walks that were pushed for a tenth of a second, and those of them that did not fall
    double slip;   ///< speed of loaded contact points over the speed of the walk; 0 without feet or way ahead
    double cost;   ///< positive work of the joints over weight times distance; 0 likewise
    double animal; ///< cost of transport of a running animal of this mass (Taylor, Heglund, Maloiy 1982), that is
                   ///< the energy that it takes in; 0 likewise
    double torque; ///< the largest torque of a joint over m g L; 0 without feet
    double stride; ///< s; 0 without feet
    double phase;  ///< of the stride at the first frame, if it had walked then as it did at the end
    bool *stands;  ///< [frames x feet], owned: feet bear load; NULL without feet
} project_walk;

/// Simulates a gait in the def's style. It starts on the ground in the gait's pose, with the gait's velocities. At two
/// fifths of its time it is pushed, in runs of their own, left, right, ahead and back.
/// @param model  as the gaits had it; must outlive the result
/// @param rig    the model's rig; NULL: of a rig file
/// @param out    ER_OK: for project_walk_clear(); otherwise all zeros
/// Errors   ER_ERROR_ARGUMENT (def; a gait that flies or swims), and as er_gait_move(), er_walker_create(),
///          project_ground_create(), er_world_create() and er_world_advance()
er_result project_walk_simulate(er_context *context, const er_model *model, const er_rig *rig, const er_modes *modes,
                                const er_gaits *gaits, const er_gait *gait, const project_walk_def *def,
                                project_walk *out);

/// Does the same. If the gait has feet and falls, is late or does not bear all pushes, it is simulated in some other
/// styles: slower, slower with wider steps, with quicker and even steps. The best result counts, the first among
/// equals.
er_result project_walk_carefully(er_context *context, const er_model *model, const er_rig *rig, const er_modes *modes,
                                 const er_gaits *gaits, const er_gait *gait, const project_walk_def *def,
                                 project_walk *out);

/// How good a walk is: 2 at best; 1 if it goes its way, and a quarter more for each push that it bears of four; the
/// part of its way if it falls or is late.
double project_walk_score(const project_walk *walk, const project_walk_def *def);

/// Makes a stride of a walk that loops.
/// @param model  as project_walk_simulate() had it
/// @param fps    frames a second at least
/// @param out    ER_OK: for er_gait_motion_destroy(); NULL if the walk has no feet or too few strides until its end
/// Errors   as er_gait_loop()
er_result project_walk_loop(er_context *context, const er_model *model, const er_gait_body *body,
                            const project_walk *walk, double fps, er_gait_motion **out);

/// Writes why a walk ended: "the end", "the trunk leans", "head bears weight".
void project_walk_explain_end(const project_walk *walk, char *text, size_t size);

void project_walk_clear(project_walk *walk); ///< all zeros are fine

#endif
