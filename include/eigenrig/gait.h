/// @file
/// Gaits: finds mixes of modes by which a rig travels, and makes those motions with the feet held to the ground.
///
/// A gait is a mix of a few elastic modes. Each swings once or twice per stride. The paths of the feet over a stride
/// show when each foot stands; this gives the height of the body, its speed, and the slip of standing feet. The search
/// keeps the mixes with the best score and names them by their footfalls. er_gait_move() then makes a motion in which
/// standing feet stand still. Rigs without legs travel by a wave along the body. Rigs with wings beat them.
///
/// Units: m, s, rad. Directions are unit vectors in the model's axes; those of er_gait_def may have any length. Phases
/// are fractions of a stride, in [0, 1). Source: docs/math/gait.md. Limits: docs/gaits.md.
#ifndef EIGENRIG_GAIT_H
#define EIGENRIG_GAIT_H

#include <eigenrig/motion.h>
#include <eigenrig/rig.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A foot and its leg.
typedef struct er_gait_foot {
    const char *name; ///< two feet: "L", "R"; four: "LF", "RF", "LH", "RH"; one: "foot"; more: "L1", "R1", ... from
                      ///< the front, "M1", ... in the middle. If some feet have no twin, one count runs over all
    int body;         ///< last body of the leg: the one below the ankle, or the whole leg if there is no ankle
    int sole;         ///< body that touches the ground: `body`, or a body at the same place elsewhere in the rig, such
                      ///< as a target of inverse kinematics. Motions carry it along with `body`
    int trunk;        ///< body that the leg is attached to
    int joint_count;  ///< joints of the leg, >= 1
    const int *joint; ///< [joint_count], from the trunk down to the joint of `body`
    int side;         ///< 1 left, -1 right, 0 in the middle
    int mirror;       ///< the foot of the other side, -1 for none
    bool named;       ///< a word for a foot or leg in the names of its limb, or er_gait_def.feet; false: by its form
    bool flat;        ///< the leg has an ankle, so a standing sole keeps its orientation at rest
    er_vec3 heel;     ///< point that stands still, frame of `body`, m: the ankle of a flat foot, otherwise the middle
                      ///< of the sole
    double rest;      ///< height of `heel` above the ground while the foot stands, m
    double reach;     ///< length of the leg, summed from joint to joint down to `heel`, m
    int point_count;  ///< >= 1
    const er_vec3 *point;  ///< [point_count], corners of the sole at equilibrium, model's axes, m
    const int *point_body; ///< [point_count], body that each corner moves with
} er_gait_foot;

/// A wing: one of a pair of limbs that have a body named wing or feather, or three fingers or more, each at least half
/// as long as the arm that bears them, and no foot.
typedef struct er_gait_wing {
    int body;    ///< first body of the limb
    int trunk;   ///< body in the middle that the limb is attached to
    int tip;     ///< body of the limb's farthest point
    er_vec3 end; ///< that point, frame of `tip`, m
    double span; ///< distance of that point from the limb's joint, m
    int side;    ///< 1 left, -1 right
    int mirror;  ///< the wing of the other side
} er_gait_wing;

/// The sides, feet and wings of a rig. Read-only; freed by er_gait_body_destroy().
typedef struct er_gait_body {
    er_vec3 up, forward, left; ///< right-handed: left = up x forward
    double facing;             ///< probability that `forward` is right: 0.5: a guess; 1: given by the caller
    double ground;             ///< height of the ground along `up`, m
    double height;             ///< height of the body above the ground, m
    double leg;     ///< leg length, m: the larger of the mean hip height and 0.6 of the mean distance from hip to foot;
                    ///< without feet a quarter of the body's length
    double gravity; ///< m/s^2; it sets the pace (er_gait_def)
    double stance;  ///< how well the body can stand in this pose, 0 to 1; 1: symmetric, feet level, legs stretched
    double symmetry;          ///< mean distance of bodies from their mirror images, over er_model.size; 0: symmetric
    const int *mirror;        ///< [body_count], the mirror image of each body: itself if in the middle, -1 for none
    int foot_count;           ///< 0: no legs
    const er_gait_foot *foot; ///< [foot_count], from front to back, left first
    int wing_count;           ///< even, 0 for none
    const er_gait_wing *wing; ///< [wing_count], pair by pair, left first
    bool waves[2];            ///< without feet: whether waves may bend the body [0] sideways, [1] up and down
    bool lies;                ///< without feet: true if the body slithers on the ground, false if it swims
    int note_count;
    const er_note *note;    ///< [note_count], assumptions made
    struct er_arena *arena; ///< private
} er_gait_body;

/// Families of gaits.
typedef enum er_gait_family {
    ER_GAIT_WALK,     ///< feet one after the other, each on the ground for more than half of the stride
    ER_GAIT_RUN,      ///< two feet in turn, with flight between
    ER_GAIT_AMBLE,    ///< four feet one after the other, each on the ground for less than half of the stride
    ER_GAIT_TROT,     ///< diagonal pairs
    ER_GAIT_PACE,     ///< pairs of one side
    ER_GAIT_BOUND,    ///< front pair, hind pair
    ER_GAIT_CANTER,   ///< a diagonal pair between two single feet
    ER_GAIT_GALLOP,   ///< front feet a little apart, then hind feet a little apart
    ER_GAIT_PRONK,    ///< four feet or more at once
    ER_GAIT_HOP,      ///< two feet at once
    ER_GAIT_WADDLE,   ///< a walk that rolls from side to side
    ER_GAIT_SKIP,     ///< two feet, one shortly after the other
    ER_GAIT_TRIPOD,   ///< six feet, or ten and more, in two alternating sets
    ER_GAIT_TETRAPOD, ///< four feet stand while the others step: six feet in three pairs, or eight in two sets
    ER_GAIT_WAVE,     ///< six feet or more: steps run along each side from a foot to its neighbour (metachronal)
    ER_GAIT_RIPPLE,   ///< six feet or more in any other order
    ER_GAIT_SLITHER,  ///< no feet, on the ground
    ER_GAIT_SWIM,     ///< no feet, in water
    ER_GAIT_FLAP      ///< wings beat in phase; feet, if any, hang
} er_gait_family;

enum { ER_GAIT_FAMILY_COUNT = 19 };

/// The name of a family: "walk", "run", ...; "unknown" for other values.   Memory: static.
ER_API const char *er_gait_family_name(er_gait_family family);

/// The step of one foot.
typedef struct er_gait_step {
    double duty;      ///< duty factor: fraction of the stride that the foot stands, 0 to 1
    double phase;     ///< time of touchdown after the reference foot, the first foot of the hindmost pair; in strides
    double clearance; ///< largest lift above the standing height, m
} er_gait_step;

/// One gait.
typedef struct er_gait {
    const char *name; ///< its family's; the second of a family is "walk 2", and so on
    er_gait_family family;
    const er_mix *mix; ///< components with mode shapes, harmonics of the cycle; owned by the er_gaits
    double hz;         ///< strides per second; the mix's cycle is 1 / hz
    double own_hz;     ///< strides per second if the modes swing at the frequencies that the rig's stiffness gives
    double speed;      ///< m/s along `forward`, > 0
    double froude;     ///< speed^2 / (gravity leg)
    double stride;     ///< m per cycle: speed / hz
    double slip;       ///< rms speed of standing feet over `speed`, in the mix before feet are held. Without feet:
                       ///< 1 - the travelling index of the wave. With wings: the fraction of their motion that is
                       ///< not a beat in phase
    double clearance;  ///< smallest clearance of its feet, m
    double bob;        ///< range of the body's height over a stride, m
    double flight;     ///< fraction of the stride without a foot on the ground; 1 with wings
    double duty;       ///< mean duty factor of its feet
    double cost;       ///< cost of transport: mean spring energy q'Kq / 2 over weight times stride, with K scaled
                       ///< by (hz / own_hz)^2, as if the modes swung at this pace by themselves
    double score;      ///< 0 to 1, higher is better; measured at the gait's own pace (er_gait_def.hz)
    const er_gait_step *step; ///< [foot_count]
} er_gait;

/// Gaits of a rig: the best gait of each family first (flapping last among them), then the second best of each.
/// Read-only; freed by er_gaits_destroy().
typedef struct er_gaits {
    const er_gait_body *body; ///< owned
    int count;                ///< 0 if no mix of modes moves the body forward, or if all gaits are `lost`
    const er_gait *gait;      ///< [count]
    int lost;                 ///< gaits left out because they do not travel at the requested pace
    long long tried;          ///< mixes evaluated, most of them approximately (by polynomials)
    long long posed;          ///< mixes among these that were also evaluated exactly
    struct er_arena *arena;   ///< private
} er_gaits;

/// Limits: bodies of a rig; degrees of one component of a mix (er_gait_of_mix()).
enum { ER_GAIT_MAX_BODIES = 2000, ER_GAIT_MAX_DEGREES = 90 };

/// Weights of the terms of a gait's score, which is 1 / (1 + sum of weight times term). Each term is 0 at its best, and
/// about 1 if it makes a gait useless (docs/math/gait.md). Each weight is 0 to 1e6.
typedef struct er_gait_weights {
    double progress;  ///< short strides                                                                      [1]
    double drift;     ///< sideways motion                                                                    [1]
    double slip;      ///< sliding of standing feet                                                           [1]
    double clearance; ///< swinging feet that scrape the ground                                               [1]
    double share;     ///< feet that hardly stand, or hardly swing                                            [1]
    double effort;    ///< cost of transport                                                                  [1]
    double attitude;  ///< pitch, roll and bob of the trunk                                                   [1]
    double excursion; ///< large joint angles                                                                 [1]
    double symmetry;  ///< differences between left and right feet                                            [1]
} er_gait_weights;

enum { ER_GAIT_WEIGHT_COUNT = 9 };

/// The name of a weight: the name of its field, such as "progress".
/// @param which  0 to ER_GAIT_WEIGHT_COUNT - 1, in the order of er_gait_weights
/// @return  NULL for other values.   Memory: static.
ER_API const char *er_gait_weight_name(int which);

/// A pointer to a weight, to read or set it.
/// @param which  as for er_gait_weight_name()
/// @return  borrowed from `weights`; NULL for other values.
ER_API double *er_gait_weight(er_gait_weights *weights, int which);

/// Options for er_gaits_find() and er_gait_body_read(). Take er_default_gait_def(), then change fields.
typedef struct er_gait_def {
    er_vec3 up;       ///< in the model's axes, any length; zero: the scene's, or +Y without a scene           [zero]
    er_vec3 forward;  ///< direction the rig faces, in the same way, not along `up`; zero: guessed             [zero]
    const char *feet; ///< bodies that are feet: patterns of names with * and ?, separated by commas. "none": there are
                      ///< no feet. NULL: bodies with names of feet, or low ones                               [NULL]
    double gravity;   ///< m/s^2. 0: 9.81 for rigs from 2 cm to 10 m long. Other rigs are assumed to be in other units:
                      ///< gravity is scaled as for a body of 0.3 to 3 m                                       [0]
    int best;         ///< most gaits to return, 1 to 100                                                      [6]
    int mode_count;   ///< number of elastic modes to mix, 1 to 64, chosen among the 64 lowest: those that move the feet
                      ///< most relative to the trunk; without feet the lowest. Modes of one frequency are taken
                      ///< together, so there may be a few more                                                [24]
    er_gait_weights weights; ///< see er_gait_weights                                                        [1]
    double hz; ///< strides per second, 0 to 1000; 0: from speed, from the mix, or from gravity. Gaits are found, named
               ///< and ordered at their own pace, then measured again at this one                        [0]
    double speed; ///< m/s, 0 to 1e6; sets the strides per second if hz is 0; 0: free. The speed is met approximately,
                  ///< because the length of a stride changes with its pace                                  [0]
    double fps;   ///< frames per second, 0 to 1e5. A stride then lasts a whole number of frames, at least one; hz and
                  ///< speed are rounded to match. 0: any                                                    [0]
    /// Called by er_gaits_find() with progress: `done` of `all` parts, from 0 to all, never decreasing. It runs in the
    /// caller's thread during the call and must not use the context. NULL: not called                       [NULL]
    void (*progress)(void *user, int done, int all);
    /// Called by er_gaits_find() from any of its threads before each task. Return true to end the search at once with
    /// ER_ERROR_NO_CONVERGENCE; NULL: not called                                                            [NULL]
    bool (*stop)(void *user);
    void *user;   ///< passed to both                                                                       [NULL]
    uint32_t tag; ///< set by er_default_gait_def(); leave alone
} er_gait_def;

/// The defaults in brackets above.
ER_API er_gait_def er_default_gait_def(void);

/// Reads the body of a rig: its sides, its feet and wings, and the direction it faces.
/// @param rig  the rig from which the model was built, for its meshes and up axis; NULL: each body is the box that has
///             its inertia
/// @param def  made by er_default_gait_def(), or NULL for the defaults
/// @param out  ER_OK: a new object for er_gait_body_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT (def; a rig with another number of bodies; forward along up; `feet` that match no body,
///          a body without a joint, or one foot alone), ER_ERROR_NO_CONVERGENCE (an inertia), ER_ERROR_MEMORY
/// Memory   allocates the result.   Threads: one call per context at a time.
ER_API er_result er_gait_body_read(er_context *context, const er_model *model, const er_rig *rig,
                                   const er_gait_def *def, er_gait_body **out);

/// Frees a body. NULL is fine.   Threads: the context's.
ER_API void er_gait_body_destroy(er_gait_body *body);

/// The pose in which a rig stands best.
typedef struct er_gait_stand {
    er_rig *rig;         ///< the rig in that pose, to be freed by er_rig_destroy(); NULL if it is the rest pose
    er_pose_source pose; ///< ER_POSE_REST, ER_POSE_BIND or ER_POSE_CLIP
    const char *clip;    ///< ER_POSE_CLIP: name of the clip (its first frame), owned by the scene; otherwise NULL
    double stance;       ///< er_gait_body.stance in that pose
    double at_rest;      ///< er_gait_body.stance in the rest pose
} er_gait_stand;

/// Looks for the pose in which a rig stands best: the rest pose, the bind pose, or the first frame of a clip that is
/// named idle, stand, T-pose or the like. A pose in which feet are found is better than one without; else the stance
/// decides. If poses are equally good, the first is taken.
/// @param rest  a rig in its rest pose; its scene must outlive the result
/// @param rig   the options that `rest` was built with, or NULL for the defaults
/// @param def   as for er_gait_body_read()
/// @param out   written
/// Errors   as er_gait_body_read(); ER_ERROR_MEMORY. Poses that make no rig are skipped. Rigs of more than
///          ER_GAIT_MAX_BODIES keep their rest pose.
/// Memory   allocates the rig.   Threads: one call per context at a time.
ER_API er_result er_gait_find_stand(er_context *context, const er_rig *rest, const er_rig_def *rig,
                                    const er_gait_def *def, er_gait_stand *out);

/// Finds the gaits of a rig. The same input gives the same gaits.
/// @param rig    as for er_gait_body_read()
/// @param modes  of this model
/// @param def    made by er_default_gait_def(), or NULL for the defaults
/// @param out    ER_OK: a new object for er_gaits_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_RIG (a root held to the world; no elastic mode; one foot alone; more than 32
///          feet; too many bodies), as er_gait_body_read() and er_kinematics_create()
/// Memory   allocates the result.   Threads: one call per context at a time.
/// Source   docs/math/gait.md.
ER_API er_result er_gaits_find(er_context *context, const er_model *model, const er_rig *rig, const er_modes *modes,
                               const er_gait_def *def, er_gaits **out);

/// Measures a given mix as a gait: its family, speed, steps and score. Use it for mixes that were edited.
/// @param rig    as for er_gait_body_read()
/// @param modes  of this model
/// @param mix    its modes are found by their shapes (er_mix_fit()). Components without harmonic count as 1; envelopes
///               and damping are ignored
/// @param def    as for er_gaits_find(); mode_count and progress are not used
/// @param out    ER_OK: a new object of one gait for er_gaits_destroy(); otherwise NULL
///
/// The pace is set by the first of these that is given: def->hz; def->speed; mix->cycle; the lowest frequency among the
/// components; gravity.
///
/// Errors   as er_gaits_find() and er_mix_fit(); ER_ERROR_ARGUMENT: more than three components (eight with six feet or
///          more); a component above ER_GAIT_MAX_DEGREES; one that does not swing once or twice per stride, to 5 %; a
///          mode above the 64 lowest elastic ones; ER_ERROR_RIG: the mix does not move the body forward
/// Memory   allocates the result.   Threads: one call per context at a time.
ER_API er_result er_gait_of_mix(er_context *context, const er_model *model, const er_rig *rig, const er_modes *modes,
                                const er_mix *mix, const er_gait_def *def, er_gaits **out);

/// Frees gaits. NULL is fine.   Threads: the context's.
ER_API void er_gaits_destroy(er_gaits *gaits);

/// Finds a gait by its name, ignoring the case of ASCII letters. NULL for either is fine.
/// @return  borrowed from `gaits`, the first of that name; NULL for none
ER_API const er_gait *er_gaits_named(const er_gaits *gaits, const char *name);

// ---- Presets

/// A motion described by the parts of the body that it moves. There are two kinds:
///   - mixes, such as "idle": er_preset_mix() chooses modes that swing again and again;
///   - presets in time, such as "jump": er_preset_move() takes each part from key to key (er_preset_is_timed()).
typedef struct er_preset {
    const char *name;  ///< UTF-8; also the name of the mix
    double seconds;    ///< cycle for a body 1.7 m tall, s, > 0, at most 600. It scales with the square root of height
                       ///< over gravity (er_gait_body), by a factor of 0.6 to 1.6
    const char *plant; ///< bodies to hold still while it plays: names, "feet", or "none"; NULL is "feet". The caller
                       ///< passes them to er_motion_def.plant; er_preset_mix() only checks for "none". Presets in time
                       ///< plant the feet
    const char *moves; ///< 1 to ER_PRESET_MOST_MOVES moves, separated by commas.
                       ///< Moves of a mix are PART:WAY:PERCENT[@CYCLES][+PHASE|-PHASE], such as "tail:side:8@2+90":
                       ///<   PART     "trunk", "head", "tail", "arms", "legs" or "wings"
                       ///<   WAY      "side", "up", "ahead" or "any"
                       ///<   PERCENT  displacement, 0 to 100 % of the body's height, or of half its size if larger
                       ///<   CYCLES   swings per cycle, 1 to 1000 [1]
                       ///<   PHASE    degrees, at most 1e6 [0]
                       ///< Moves in time are PART:WAY:VALUE@FRACTION/VALUE@FRACTION..., such as "head:turn:40@0.3/0@1":
                       ///<   PART      as above, or "body": all of it, over feet that stay
                       ///<   WAY       "side", "up", "ahead": VALUE is in per cent as above; to the left, up, forward
                       ///<             is positive. Body, head and trunk also have "nod", "tilt", "turn": VALUE in
                       ///<             degrees, positive if the front goes down, the top to the left, the front to the
                       ///<             left. The body also has "jump" and "fall": see er_preset_move()
                       ///<   VALUE     at most 180 in size
                       ///<   FRACTION  of the preset's time, 0 to 1, ascending; at most 16 keys. Without a key at 0
                       ///<             the value is 0 there; the last value stays
                       ///<   a bar "|" ends the moves for up to two feet; those for more feet follow
} er_preset;

enum {
    ER_PRESET_MOST_DEGREES = 20, ///< most degrees of one mode in a preset (er_mode_amplitude())
    ER_PRESET_MOST_MOVES = 32    ///< of one preset
};

/// A built-in preset, ignoring case. Mixes: "idle", "breathe", "wag", "sway", "nervous". In time: "squash", "land",
/// "jump", "sit", "hit", "turn_head", "look_around", "nod", "shake".
/// @return  NULL for another name, or NULL.   Memory: static.
ER_API const er_preset *er_preset_named(const char *name);

/// Names of the built-in presets, in this order.
/// @param i  >= 0
/// @return  NULL beyond the last.   Memory: static.
ER_API const char *er_preset_name(int i);

/// Whether a preset is one in time: its moves have keys, so there is a "/" in them. False for NULL.
ER_API bool er_preset_is_timed(const er_preset *preset);

/// Makes the mix of a preset. For each move it chooses, of the 256 slowest modes, the one whose motion is mostly that
/// part moving that way.
///   - If modes are equally good, the slowest is taken. The score of a mode that an earlier move uses is multiplied by
///     0.1.
///   - Modes are judged as they will play: with the feet held, unless the preset plants "none".
///   - The motion of the trunk is measured relative to the feet, that of other parts relative to their parents.
///   - The amplitude moves the part by PERCENT, but no body more than three times as far, and no mode above
///     ER_PRESET_MOST_DEGREES.
///   - A move is left out if the rig lacks the part, or if no mode moves it that way.
/// @param rig    as for er_gait_body_read()
/// @param modes  of this model
/// @param def    as for er_gait_body_read()
/// @param preset  from er_preset_named(), or your own; borrowed for the call
/// @param out    ER_OK: a new object for er_mix_destroy(), its components harmonics with shapes; otherwise NULL
/// Errors   ER_ERROR_ARGUMENT (name, seconds, or a word of `moves`, which the message quotes), ER_ERROR_RIG (no move is
///          possible), ER_ERROR_MEMORY, as er_gait_body_read(), er_mix_create(), and er_kinematics_create() with feet
///          held
/// Memory   allocates the result.   Threads: one call per context at a time.   Source: docs/math/gait.md.
ER_API er_result er_preset_mix(er_context *context, const er_model *model, const er_rig *rig, const er_modes *modes,
                               const er_gait_def *def, const er_preset *preset, er_mix **out);

// ---- Motions

/// One stride of a gait, or several (er_gait_layer()), with the feet held. The last frame repeats the first. Read-only;
/// freed by er_gait_motion_destroy().
typedef struct er_gait_motion {
    const er_model *model; ///< borrowed
    int frame_count;       ///< >= 17
    const double *time;    ///< [frame_count], s, from 0; a stride takes 1 / hz of the gait
    const double *q;       ///< [frame_count x coordinate_count], joint coordinates, rad, m
    const er_pose *pose;   ///< [frame_count x body_count], world, m; the body stays in place, the ground moves backward
    const er_vec3 *travel; ///< [frame_count], m, model's axes; add it to positions so that the body travels
    int foot_count;
    const bool *stands;     ///< [frame_count x foot_count]
    double slide;           ///< m, largest distance along the ground of a standing heel from its footprint
    double sink;            ///< m, largest depth of a sole's corner below the ground
    double correction;      ///< rad, largest change of a joint made to hold the feet
    bool once;              ///< made by er_gait_sequence(): the last frame is not the first again
    struct er_arena *arena; ///< private
} er_gait_motion;

/// Makes one stride of a gait with the feet held.
///   - Standing feet stay on their footprints. The joints of their legs change by the least energy in the springs.
///   - Swinging feet move above the ground from one footprint to the next. Knees bend only to their own side.
///   - Soles roll over their corners at touchdown and lift-off.
///   - The body moves forward and back within the stride so that standing soles slip least.
/// Motions at different fps differ slightly, because smoothing covers a fraction of the stride.
/// @param model  as for er_gaits_find(); must outlive the result
/// @param modes  as for er_gaits_find()
/// @param gaits  of this model, by er_gaits_find() or er_gait_of_mix()
/// @param gait   one of `gaits`
/// @param fps    least frames per second, > 0, at most 1e5; a stride has a whole number of frames, at least 16
/// @param out    ER_OK: a new object for er_gait_motion_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT (also for a stride of more than 1e6 frames), ER_ERROR_NOT_POSDEF (as
///          er_kinematics_create()), ER_ERROR_NO_CONVERGENCE (a loop cannot be closed), ER_ERROR_MEMORY
/// Memory   allocates the result.   Threads: one call per context at a time.
ER_API er_result er_gait_move(er_context *context, const er_model *model, const er_modes *modes, const er_gaits *gaits,
                              const er_gait *gait, double fps, er_gait_motion **out);

/// Repeats a stride and adds a mix. The feet and the bodies of `plant` stay where the gait puts them: they are held as
/// by er_motion_create(), and neither `mix` nor `over` moves them. Without `mix` and `over` the strides are repeated
/// unchanged.
/// @param motion  made by er_gait_move(), not used after the call; the result copies its `slide`, `sink` and
///                `correction`
/// @param body    er_gaits.body of the gaits that the motion was made from
/// @param strides 1 to 10,000; at most 1e6 frames in all
/// @param mix     of the same model, added to the gait. It must last `strides` strides and loop, which is not checked.
///                NULL: none
/// @param over    [strides x (frame_count - 1) x coordinate_count], rad and m: joint coordinates at the frames of
///                `motion`, such as a clip's. They replace the gait's in all joints but those of the legs; `mix` is
///                added. Not checked. NULL: none
/// @param plant   [plant_count], each body once; feet and soles among them are ignored
/// @param out     ER_OK: a new object for er_gait_motion_destroy(), of the gait's model; otherwise NULL
/// Errors   ER_ERROR_ARGUMENT (strides; a mix of another model; plants that er_motion_create() refuses),
///          ER_ERROR_NO_CONVERGENCE (feet, plants or a loop cannot be held), as er_kinematics_create(); ER_ERROR_MEMORY
/// Memory   allocates the result.   Threads: one call per motion, mix and context at a time.
ER_API er_result er_gait_layer(er_context *context, const er_gait_motion *motion, const er_gait_body *body, int strides,
                               er_motion *mix, const double *over, int plant_count, const er_hold *plant,
                               er_gait_motion **out);

/// Frees a motion. NULL is fine.   Threads: the context's.
ER_API void er_gait_motion_destroy(er_gait_motion *motion);

/// Makes the motion of a preset in time. It loops if it ends as it begins.
///   - Tracks of "body" place the centre of mass along the ground, and "body:up" the height of the roots. Feet stay on
///     the ground: their legs bend with the least energy in their springs, knees to their own side. If legs do not
///     reach, all tracks of "body" are reduced by one share.
///   - "nod", "tilt" and "turn" turn head and trunk by the joints of neck and spine, with the least energy.
///   - Other moves are made of modes, as er_preset_mix() chooses them. Their part in legs and roots is left out.
///   - "body:jump:HEIGHT@FROM/HEIGHT@TO" is a jump: the centre of mass rises to HEIGHT per cent above its place at
///   rest.
///     "body:up" has keys at FROM and TO, the depths of crouching before and after. Between, the body is pushed off at
///     a constant acceleration, falls freely under er_gait_body.gravity, and is stopped at a constant acceleration.
///     So the flight sets the time from FROM to TO. Legs of one joint leave at once. "body:fall:HEIGHT@TO" begins at
///     the top of a flight.
///   - Turns of the body in flight are not computed from its angular momentum: it keeps its attitude.
/// @param rig    as for er_gait_body_read()
/// @param modes  of this model
/// @param def    as for er_gait_body_read()
/// @param preset  one in time; borrowed for the call
/// @param fps    frames per second at least, > 0; a motion has 16 frames at least
/// @param out    ER_OK: a new object for er_gait_motion_destroy(), without travel; otherwise NULL
/// Errors   ER_ERROR_ARGUMENT (name, seconds, fps, or a word of `moves`, which the message quotes), ER_ERROR_RIG
///          (tracks of the body without feet), ER_ERROR_NO_CONVERGENCE (a loop cannot be closed), ER_ERROR_MEMORY, as
///          er_gait_body_read(), er_kinematics_create()
/// Memory   allocates the result.   Threads: one call per context at a time.   Source: docs/math/gait.md.
ER_API er_result er_preset_move(er_context *context, const er_model *model, const er_rig *rig, const er_modes *modes,
                                const er_gait_def *def, const er_preset *preset, double fps, er_gait_motion **out);

/// How far a preset moves a part.
typedef struct er_preset_part {
    const char *part, *way; ///< words of er_preset.moves; static
    bool degrees;           ///< the unit of `asked` and `reached`: degrees; else per cent, as in er_preset.moves
    double asked;           ///< of keys the one of largest size
    double reached;         ///< the largest displacement of a body of the part, in the direction of `asked`; of turns
                            ///< that of the head against the chest, the chest against the hips, the hips in the world
    const char *why;        ///< the reason if `reached` is below nine tenths of `asked`; NULL: it is not. Static
} er_preset_part;

/// Measures how far the parts of a preset go in poses that were made of it.
/// @param rig,def     as for er_gait_body_read()
/// @param preset      of either kind; borrowed for the call
/// @param pose_count  >= 1
/// @param pose        [pose_count x body_count], a row a time
/// @param part        [ER_PRESET_MOST_MOVES], written: one for each move
/// @param part_count  written
/// Errors   ER_ERROR_ARGUMENT (also a word of `moves`), ER_ERROR_MEMORY, as er_gait_body_read()
/// Memory   scratch.   Threads: one call per context at a time.
ER_API er_result er_preset_measure(er_context *context, const er_model *model, const er_rig *rig,
                                   const er_gait_def *def, const er_preset *preset, int pose_count, const er_pose *pose,
                                   er_preset_part *part, int *part_count);

// ---- Sequences
//
// Items follow one another: gaits, mixes, clips. Each has a weight that rises from 0 to 1 and falls again, with rate
// and acceleration 0 at both ends, over transitions that are centred on the items' borders. Gaits share one phase:
//   - strides per second and the length of a stride are means by weight, so the body travels without a jump;
//   - each foot has a touchdown and a duty that are means by weight, and its leg takes each gait at the part of stance
//     or swing at which the foot is, so that feet stand in both gaits at once and keep their order;
//   - a foot that stands keeps one footprint. Legs reach for it by the least energy in their springs.
// Joint coordinates, and those of roots, are means by weight. Bodies that joints do not place as in a clip (bones that
// are moved by keys) keep their part of that displacement.

enum { ER_SEQUENCE_MOST_ITEMS = 64 };

/// An item of a sequence: a gait, a mix or the poses of a clip. Everything is borrowed for the call.
typedef struct er_sequence_item {
    double seconds;             ///< from the middle of its first transition to that of its last, > 0, at most 1e5
    double blend;               ///< s, the transition from the item before, >= 0; the shorter of both items at most
    const er_gait_motion *gait; ///< one stride of this model: er_gait_move() or er_gait_blend(); NULL: none
    er_motion *mix;             ///< of this model; plays from the beginning of its first transition, again and again
                                ///< if it loops; NULL: none
    bool stands;                ///< feet keep their place in the mix: it plants them
    int pose_count;             ///< of a clip, >= 3
    const er_pose *pose;        ///< [pose_count x body_count], at equal steps of time; NULL: no clip
    double clip_seconds;        ///< from the first pose to the last, > 0, at most 1e5
    bool repeats;               ///< the last pose is the first again, but for a displacement along the ground. A clip
                                ///< that does not repeat slows to its last pose and stays
} er_sequence_item;

/// Makes a sequence.
/// @param model  must outlive the result
/// @param body   er_gaits.body of the gaits, or er_gait_body_read() of the model
/// @param count  1 to ER_SEQUENCE_MOST_ITEMS
/// @param item   [count]
/// @param fps    frames per second, > 0, at most 1e5; at most 1e6 frames in all
/// @param out    ER_OK: a new object for er_gait_motion_destroy(), `once`; its `slide` counts feet of gaits and of
/// mixes
///               that stand; otherwise NULL
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_NOT_POSDEF (as er_kinematics_create()), ER_ERROR_NO_CONVERGENCE (a loop cannot
///          be closed, or as er_motion_poses()), ER_ERROR_MEMORY
/// Memory   allocates the result.   Threads: one call per mix and context at a time.   Source: docs/math/gait.md.
ER_API er_result er_gait_sequence(er_context *context, const er_model *model, const er_gait_body *body, int count,
                                  const er_sequence_item *item, double fps, er_gait_motion **out);

/// Blends two gaits into one stride that loops, as er_gait_sequence() blends them during a transition. All blends of
/// two gaits begin at the same phase.
/// @param a,b    one stride each, of this model
/// @param share  of `b`, in [0, 1]
/// @param fps    as for er_gait_move()
/// @param out    ER_OK: a new object for er_gait_motion_destroy(); otherwise NULL
/// Errors   as er_gait_sequence().   Memory: allocates the result.   Threads: one call per context at a time.
ER_API er_result er_gait_blend(er_context *context, const er_model *model, const er_gait_body *body,
                               const er_gait_motion *a, const er_gait_motion *b, double share, double fps,
                               er_gait_motion **out);

/// Frames of a walk whose strides are alike, such as a simulated one. Everything is borrowed for the call.
typedef struct er_gait_walk_frames {
    int count;           ///< >= 2
    double step;         ///< s, > 0, from frame to frame
    double stride;       ///< s, at least two steps
    double phase;        ///< of the gait in the first frame, in [0, 1)
    const er_pose *pose; ///< [count x body_count], world, m
    const bool *stands;  ///< [count x foot_count]
} er_gait_walk_frames;

/// Makes a stride that loops of a walk.
///   - It is the stride that is most like the one before it. It begins at phase 0.
///   - Joint coordinates go over smoothly from that stride to the one before, so that
///     places and velocities have no seam.
///   - Standing feet keep one footprint and one heading. Legs reach for it by the least energy in their springs.
/// @param body  of the model, with feet
/// @param fps   least frames per second, > 0, at most 1e5; a stride has a whole number of frames, at least 16
/// @param out   ER_OK: a new object for er_gait_motion_destroy(), which travels at the walk's mean velocity; `sink` and
///              `correction` are 0. Otherwise NULL
/// Errors   ER_ERROR_ARGUMENT (also a walk without two whole strides from phase 0 on), ER_ERROR_NO_CONVERGENCE (a loop
///          cannot be closed), ER_ERROR_NOT_POSDEF (as er_kinematics_create()), ER_ERROR_MEMORY
/// Memory   allocates the result.   Threads: one call per context at a time.   Source: docs/math/walking.md.
ER_API er_result er_gait_loop(er_context *context, const er_model *model, const er_gait_body *body,
                              const er_gait_walk_frames *walk, double fps, er_gait_motion **out);

/// Records a motion as a clip over all its strides.
/// @param travels  true: the body travels; false: it stays in place, and the clip loops unless it is `once`
/// @param target   of the model, as for er_motion_record()
/// @param def      as for er_motion_record(), but def->over must be NULL and def->fps is checked but not used
/// @param out      ER_OK: a new object for er_recording_destroy(); otherwise NULL
/// Errors   as er_poses_record().   Memory: allocates the result.   Threads: one call per context at a time.
ER_API er_result er_gait_record(er_context *context, const er_gait_motion *motion, bool travels,
                                const er_recording_target *target, const er_recording_def *def, er_recording **out);

/// Records a motion that travels, with er_gait_motion.travel on a node: root motion of constant velocity for a gait, of
/// smooth velocity for a sequence. The bodies move in the world as er_gait_record() with `travels` has them, so the
/// nodes below keep what is left: bob, sway and lean.
/// @param node    of the scene, above all bodies' nodes and of no body
/// Errors   ER_ERROR_ARGUMENT (node), and as er_poses_record().   Memory: allocates the result.
/// Threads  one call per context at a time.
ER_API er_result er_gait_record_root(er_context *context, const er_gait_motion *motion, int node,
                                     const er_recording_target *target, const er_recording_def *def,
                                     er_recording **out);

#ifdef __cplusplus
}
#endif
#endif
