/// @file
/// Gaits: how a rig can travel by its own modes, and those motions with the feet held to the ground.
///
/// A gait is a mix of a few elastic modes, all at whole multiples of one stride. Its feet, looked at over a stride, say
/// when each stands; from that follow how high the body rides, how fast it goes and how far feet would slide. The best
/// mixes by that measure are kept, named by their footfalls, and made into motions whose standing feet stand still.
/// Rigs without legs go by a wave along the body. Source: docs/math/gait.md; what it cannot do: docs/gaits.md.
///
/// Lengths are m, times s, directions unit vectors (er_gait_def: of any length) in the model's axes. Phases are parts
/// of a stride, in [0, 1).
#ifndef EIGENRIG_GAIT_H
#define EIGENRIG_GAIT_H

#include <eigenrig/motion.h>
#include <eigenrig/rig.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a foot is, and the leg it ends.
typedef struct er_gait_foot {
    const char *name; ///< "L", "R" of two; "LF", "RF", "LH", "RH" of four; "foot" of one; else "L1", "R1", ... from
                      ///< the front, "M1", ... in the middle. Where not all are in pairs, numbers count all feet
    int body;         ///< body that the leg ends with: the one below the ankle, or the whole leg where there is none
    int sole;        ///< body that stands: `body`, or one that lies there but hangs elsewhere in the rig, as targets of
                     ///< inverse kinematics do; motions carry it along
    int trunk;       ///< body that the leg hangs on
    int joint_count; ///< joints of the leg, >= 1
    const int *joint;      ///< [joint_count], from the trunk down to that of `body`
    int side;              ///< 1 left, -1 right, 0 in the middle
    int mirror;            ///< the foot of the other side, -1 for none
    bool flat;             ///< there is an ankle, so that the sole stays as it is at rest while it stands
    er_vec3 heel;          ///< what stands, frame of `body`: the ankle of a flat foot, the sole's middle of another
    double rest;           ///< how high that is above the ground while the foot stands, m
    double reach;          ///< length of the leg, joint by joint down to `heel`, m
    int point_count;       ///< >= 1
    const er_vec3 *point;  ///< [point_count], corners of the sole, at equilibrium in the model's axes
    const int *point_body; ///< [point_count], the body that each goes with
} er_gait_foot;

/// A wing: a limb in a pair of which something is called a wing or a feather.
typedef struct er_gait_wing {
    int body;    ///< the first of the limb, which turns on `trunk`
    int trunk;   ///< body in the middle that it hangs on
    int tip;     ///< body of the limb's farthest point
    er_vec3 end; ///< that point, frame of `tip`, m
    double span; ///< of it from the limb's joint, m
    int side;    ///< 1 left, -1 right
    int mirror;  ///< the wing of the other side
} er_gait_wing;

/// A body as a traveller sees it. Read-only; freed by er_gait_body_destroy().
typedef struct er_gait_body {
    er_vec3 up, forward, left; ///< right-handed: left = up x forward
    double facing;             ///< how likely `forward` is right, 0.5 (a guess) to 1 (said by the caller)
    double ground;             ///< height of the ground along `up`, m
    double height;             ///< of the body above it, m
    double leg;                ///< mean height of the hips above the ground, or 0.6 of how far feet are from them where
                               ///< that is more, m; without feet a quarter of the length
    double gravity;            ///< m/s^2 that time is kept by (er_gait_def)
    double stance;     ///< how well the pose is one to stand in, 0 to 1: alike on both sides, feet level, legs long
    double symmetry;   ///< mean distance of bodies from their mirror images, over er_model.size: 0 is perfect
    const int *mirror; ///< [body_count], a body's mirror image: itself in the middle, -1 for none
    int foot_count;    ///< 0: no legs
    const er_gait_foot *foot; ///< [foot_count], from the front to the back, left first
    int wing_count;           ///< 0: none; else even, pair by pair, left first
    const er_gait_wing *wing; ///< [wing_count]
    bool waves[2];            ///< without feet: whether waves along it bend to the sides; up and down
    bool lies;                ///< without feet: it lies on the ground, and slithers; else it swims
    int note_count;
    const er_note *note;    ///< [note_count], what was assumed
    struct er_arena *arena; ///< private
} er_gait_body;

/// Footfalls that have a name.
typedef enum er_gait_family {
    ER_GAIT_WALK,     ///< feet one after the other, each on the ground for more than half of the stride
    ER_GAIT_RUN,      ///< two feet in turn with flight between
    ER_GAIT_AMBLE,    ///< four feet one after the other, each on the ground for less than half
    ER_GAIT_TROT,     ///< diagonal pairs
    ER_GAIT_PACE,     ///< pairs of one side
    ER_GAIT_BOUND,    ///< front pair, hind pair
    ER_GAIT_CANTER,   ///< a diagonal pair between two single feet
    ER_GAIT_GALLOP,   ///< fore feet and hind feet each a little apart
    ER_GAIT_PRONK,    ///< four feet or more at once
    ER_GAIT_HOP,      ///< two feet at once
    ER_GAIT_WADDLE,   ///< a walk that rocks from side to side more than it steps
    ER_GAIT_SKIP,     ///< two feet a little apart
    ER_GAIT_TRIPOD,   ///< six feet, or ten and more: two sets in turn
    ER_GAIT_TETRAPOD, ///< four feet stand, others step: six in three pairs, eight in two sets
    ER_GAIT_WAVE,     ///< six feet or more: steps run along each side, from a foot to its neighbour (metachronal)
    ER_GAIT_RIPPLE,   ///< likewise, in any other turn
    ER_GAIT_SLITHER,  ///< no feet, on the ground
    ER_GAIT_SWIM,     ///< no feet, in water
    ER_GAIT_FLAP      ///< wings that beat in phase; feet, where there are any, hang
} er_gait_family;

enum { ER_GAIT_FAMILY_COUNT = 19 };

/// "walk", "run", ...; "unknown" for another value.   Memory: static.
ER_API const char *er_gait_family_name(er_gait_family family);

/// What one foot does in a stride.
typedef struct er_gait_step {
    double duty;      ///< part of the stride that it stands, 0 to 1
    double phase;     ///< part of the stride, 0 to 1, by which it comes down after the first foot of the hindmost pair
    double clearance; ///< highest above where it stands, m
} er_gait_step;

/// A gait that was found.
typedef struct er_gait {
    const char *name; ///< of its family, " 2", " 3", ... appended from the second of a name on
    er_gait_family family;
    const er_mix *mix;        ///< components with their modes' shapes, harmonics of the cycle; owned by the er_gaits
    double hz;                ///< strides a second; the mix's cycle is 1 / hz
    double own_hz;            ///< at which its modes would swing by themselves with the stiffness that the rig has
    double speed;             ///< m/s, > 0, along `forward`
    double froude;            ///< speed^2 / (gravity leg)
    double stride;            ///< m a cycle: speed / hz
    double slip;              ///< rms speed of standing feet in the mix itself, before they are held, over `speed`;
                              ///< without feet, the part of the wave's speed that is lost; of wings, the part of
                              ///< their motion that is no beat in phase
    double clearance;         ///< m, the least of its feet
    double bob;               ///< m, how far the body rides up and down
    double flight;            ///< part of the stride without a foot on the ground; 1 of wings
    double duty;              ///< mean of its feet
    double cost;              ///< of transport: mean energy q'Kq / 2 in the springs over weight times stride, K scaled
                              ///< by (hz / own_hz)^2, so that the modes swing at this pace by themselves
    double score;             ///< what gaits are ordered by, at their own pace (er_gait_def.hz), 0 to 1
    const er_gait_step *step; ///< [foot_count]
} er_gait;

/// Gaits of a rig, the best of each family first, those of wings last, then others. Read-only; freed by
/// er_gaits_destroy().
typedef struct er_gaits {
    const er_gait_body *body; ///< owned
    int count;                ///< 0 where nothing in the modes carries the body along, or all are `lost`
    const er_gait *gait;      ///< [count]
    int lost;                 ///< gaits that were found, and lead nowhere at the pace that was asked for
    long long tried;          ///< mixes that were looked at, most by polynomials of their feet's paths alone
    long long posed;          ///< mixes whose poses were looked at
    struct er_arena *arena;   ///< private
} er_gaits;

/// The most bodies of a rig that gaits are searched for, and the most degrees of a component of a mix taken as one.
enum { ER_GAIT_MAX_BODIES = 2000, ER_GAIT_MAX_DEGREES = 90 };

/// What counts how much in a gait's score, 1 / (1 + the sum of weights times terms); each term is 0 at its best and
/// about 1 where a gait is no use for it (docs/math/gait.md). All 0 to 1e6.
typedef struct er_gait_weights {
    double progress;  ///< strides that lead nowhere                                                          [1]
    double drift;     ///< going sideways                                                                     [1]
    double slip;      ///< standing feet that slide                                                           [1]
    double clearance; ///< swinging feet that scrape                                                          [1]
    double share;     ///< feet that never stand, or never swing                                              [1]
    double effort;    ///< cost of transport                                                                  [1]
    double attitude;  ///< a trunk that pitches, rolls, or bobs                                               [1]
    double excursion; ///< joints that bend too far                                                           [1]
    double symmetry;  ///< left and right feet that do not do the same                                        [1]
} er_gait_weights;

enum { ER_GAIT_WEIGHT_COUNT = 9 };

/// The name of a weight, that of its field: "progress".
/// @param which  0 to ER_GAIT_WEIGHT_COUNT - 1, in the order of er_gait_weights
/// @return  NULL for another.   Memory: static.
ER_API const char *er_gait_weight_name(int which);

/// The place of a weight, to be read or set.
/// @param which  as er_gait_weight_name()
/// @return  borrowed from `weights`; NULL for another.
ER_API double *er_gait_weight(er_gait_weights *weights, int which);

/// Options for er_gaits_find() and er_gait_body_read(). Take er_default_gait_def(), then change fields.
typedef struct er_gait_def {
    er_vec3 up;       ///< the model's axes, any length; zero: the scene's, +Y without one                     [zero]
    er_vec3 forward;  ///< which way it faces, likewise, not along `up`; zero: read off its shape              [zero]
    const char *feet; ///< bodies that are feet: patterns of names with * and ?, commas between; "none": it has none, as
                      ///< a fish whose fins are low; NULL: what is called so, or low                           [NULL]
    double gravity;   ///< m/s^2, > 0; 0: 9.81, as for a body of 0.3 to 3 m where the rig is longer than 10 m or
                      ///< shorter than 2 cm, which nobody means                                               [0]
    int best;         ///< gaits wanted, 1 to 100                                                              [6]
    int mode_count;   ///< elastic modes that may take part, 1 to 64: of the 64 lowest those that move feet most, seen
                      ///< from what their legs hang on; the lowest where there are no feet                    [24]
    er_gait_weights weights; ///< see er_gait_weights                                                        [1]
    double hz;    ///< strides a second, 0 to 1000; 0: as speed, the mix or gravity says. Gaits are found, named and
                  ///< put in order at their own pace; at another what it changes is measured anew, and those that lead
                  ///< nowhere are left out                                                                  [0]
    double speed; ///< m/s, 0 to 1e6, that sets strides a second where hz is 0: met as nearly as some rounds come, for
                  ///< a stride's length changes with its pace; 0: free                                      [0]
    double fps;   ///< frames a second, 0 to 1e5, of which a stride lasts a whole number, one at least: hz and speed
                  ///< give way to that; 0: any                                                              [0]
    /// Called by er_gaits_find() now and then: `done` of `all` parts, 0 to all, never fewer than before. It runs in the
    /// caller's thread, within the call, and may not use the context; NULL for nobody                      [NULL]
    void (*progress)(void *user, int done, int all);
    /// Asked by er_gaits_find() before each thing that it tries, in any of its threads: true ends the search at once,
    /// with ER_ERROR_NO_CONVERGENCE; NULL for nobody                                                       [NULL]
    bool (*stop)(void *user);
    void *user;   ///< handed to both                                                                       [NULL]
    uint32_t tag; ///< set by er_default_gait_def(); leave alone
} er_gait_def;

/// The defaults in brackets above.
ER_API er_gait_def er_default_gait_def(void);

/// Reads a body: its sides, its feet, which way it faces.
/// @param rig  whose model it is, or was before it was changed, for its meshes and its up; NULL: bodies are boxes of
///             their inertia
/// @param def  made by er_default_gait_def(), or NULL for the defaults
/// @param out  ER_OK: a new object for er_gait_body_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT (def; a rig with another number of bodies; forward along up; feet that no body is named
///          like, or that hang on nothing, or one alone), ER_ERROR_NO_CONVERGENCE (an inertia), ER_ERROR_MEMORY
/// Memory   allocates the result.   Threads: one call per context at a time.
ER_API er_result er_gait_body_read(er_context *context, const er_model *model, const er_rig *rig,
                                   const er_gait_def *def, er_gait_body **out);

/// Frees a body. NULL is fine.   Threads: the context's.
ER_API void er_gait_body_destroy(er_gait_body *body);

/// The pose that a rig stands in best.
typedef struct er_gait_stand {
    er_rig *rig;         ///< in that pose, the caller's, for er_rig_destroy(); NULL where that is rest
    er_pose_source pose; ///< ER_POSE_REST, ER_POSE_BIND or ER_POSE_CLIP
    const char *clip;    ///< of ER_POSE_CLIP, at its beginning: its name, the scene's; else NULL
    double stance;       ///< er_gait_body.stance in it
    double at_rest;      ///< and at rest
} er_gait_stand;

/// Looks for a pose to stand in: rest, the bind pose, and the beginnings of clips named for standing (idle, stand,
/// T-pose); of equal ones the first.
/// @param rest  a rig in its rest pose; its scene must outlive the result
/// @param rig   what it was built of, or NULL for the defaults
/// @param def   as er_gait_body_read() takes it
/// @param out   written
/// Errors   as er_gait_body_read(); ER_ERROR_MEMORY. A pose that makes no rig is left out, and a rig of more than
///          ER_GAIT_MAX_BODIES is not looked at.
/// Memory   allocates the rig.   Threads: one call per context at a time.
ER_API er_result er_gait_find_stand(er_context *context, const er_rig *rest, const er_rig_def *rig,
                                    const er_gait_def *def, er_gait_stand *out);

/// Finds the gaits of a rig; the same ones for the same input.
/// @param rig    as er_gait_body_read() takes it
/// @param modes  of this model
/// @param def    made by er_default_gait_def(), or NULL for the defaults
/// @param out    ER_OK: a new object for er_gaits_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_RIG (a root that is held to the world; no elastic mode; one foot alone; more
///          than 32 feet; too many bodies), as er_gait_body_read() and er_kinematics_create()
/// Memory   allocates the result.   Threads: one call per context at a time.
/// Source   docs/math/gait.md.
ER_API er_result er_gaits_find(er_context *context, const er_model *model, const er_rig *rig, const er_modes *modes,
                               const er_gait_def *def, er_gaits **out);

/// A mix as it stands, looked at as a gait: what it is called and how good it is; for mixes that were edited.
/// @param rig    as er_gait_body_read() takes it
/// @param modes  of this model
/// @param mix    its modes are found by their shapes (er_mix_fit()); components without harmonic count as 1, envelopes
///               and damping are left out. The stride is mix->cycle, where that is > 0; else a cycle of the lowest
///               frequency among the components; else it follows from gravity. def->hz and def->speed go before all
/// @param def    as er_gaits_find() takes it; mode_count and progress are not looked at
/// @param out    ER_OK: a new object for er_gaits_destroy(), of one gait; otherwise NULL
/// Errors   as er_gaits_find(), er_mix_fit(); ER_ERROR_ARGUMENT: more than three components (eight of six feet and
///          more), one of more than ER_GAIT_MAX_DEGREES, one that swings neither once nor twice a stride, to 5 %, or a
///          mode that is not among the 64 lowest elastic ones; ER_ERROR_RIG: the mix does not carry the body along
/// Memory   allocates the result.   Threads: one call per context at a time.
ER_API er_result er_gait_of_mix(er_context *context, const er_model *model, const er_rig *rig, const er_modes *modes,
                                const er_mix *mix, const er_gait_def *def, er_gaits **out);

/// Frees gaits. NULL is fine.   Threads: the context's.
ER_API void er_gaits_destroy(er_gaits *gaits);

/// A gait by its name, the case of ASCII's letters aside; NULL for either is fine.
/// @return  borrowed from `gaits`, the first of that name; NULL for none
ER_API const er_gait *er_gaits_named(const er_gaits *gaits, const char *name);

// ---- Presets: mixes told by what they move

/// A mix of whatever modes of a rig move its parts so.
typedef struct er_preset {
    const char *name;  ///< UTF-8, of the mix too
    double seconds;    ///< the cycle of a body of 1.7 m, > 0, at most 600; others' goes with the root of their height
                       ///< over gravity (er_gait_body), 0.6 to 1.6 times that
    const char *plant; ///< what stays: names of bodies, "feet", or "none", for who binds the mix (er_motion_def.plant);
                       ///< er_preset_mix() looks only whether it is "none"; NULL is "feet"
    const char *moves; ///< 1 to 32 of PART:WAY:PERCENT[@CYCLES][+PHASE|-PHASE], commas between: "trunk", "head",
                       ///< "tail", "arms", "legs" or "wings" goes to the "side", "up", "ahead" or "any" way, by so
                       ///< much, 0 to 100, of the body's height (of half its size, where that is more), 1 to 1000
                       ///< times a cycle [1], the phase in degrees, 1e6 at most [0]: "tail:side:8@2+90"
} er_preset;

enum { ER_PRESET_MOST_DEGREES = 20 }; ///< of a mode in a preset (er_mode_amplitude()), whatever was asked

/// A preset that is built in: "idle", "breathe", "wag", "sway" or "nervous", the case of letters aside.
/// @return  NULL for another name, or NULL.   Memory: static.
ER_API const er_preset *er_preset_named(const char *name);

/// Makes the mix: for each part the mode, of the 256 slowest, whose motion is most that part going that way, of those
/// that do it as well the slower; one that a part before it took counts a tenth. Modes are looked at as they come to
/// play, feet held unless the preset plants "none": the trunk seen from the feet, all else from what it hangs on. So
/// much is taken as makes the part go as far as was asked, unless something then goes more than three times as far, or
/// a mode would pass ER_PRESET_MOST_DEGREES. Parts that a rig lacks, or no mode moves so, are left out.
/// @param rig    as er_gait_body_read() takes it
/// @param modes  of this model
/// @param def    as er_gait_body_read() takes it
/// @param preset  of er_preset_named(), or made by hand; borrowed for the call
/// @param out    ER_OK: a new object for er_mix_destroy(), its components harmonics with shapes; otherwise NULL
/// Errors   ER_ERROR_ARGUMENT (name, seconds, or a word of `moves` that is off; says which), ER_ERROR_RIG (the rig has
///          none of the parts, or no mode that moves one so), ER_ERROR_MEMORY, as er_gait_body_read(), er_mix_create()
///          and er_kinematics_create() with feet held
/// Memory   allocates the result.   Threads: one call per context at a time.   Source: docs/math/gait.md.
ER_API er_result er_preset_mix(er_context *context, const er_model *model, const er_rig *rig, const er_modes *modes,
                               const er_gait_def *def, const er_preset *preset, er_mix **out);

/// One stride of a gait, or several in a row (er_gait_layer()), feet held: frames from 0 to the end, which is the first
/// again. Read-only; freed by er_gait_motion_destroy().
typedef struct er_gait_motion {
    const er_model *model; ///< borrowed
    int frame_count;       ///< >= 17
    const double *time;    ///< [frame_count], s, from 0 to 1 / hz of the gait a stride
    const double *q;       ///< [frame_count x coordinate_count], joint coordinates, rad, m
    const er_pose *pose;   ///< [frame_count x body_count], world, m; on the spot, while the ground goes backward
    const er_vec3 *travel; ///< [frame_count], m, the model's axes: added to positions, for the body to travel over
                           ///< ground at rest
    int foot_count;
    const bool *stands;     ///< [frame_count x foot_count]
    double slide;           ///< m, the farthest a standing heel is from where it was to be, along the ground
    double sink;            ///< m, the deepest a corner of a sole is below the ground
    double correction;      ///< rad, the largest change of a joint that holding the feet asked for
    struct er_arena *arena; ///< private
} er_gait_motion;

/// Makes a gait's motion. Knees bend to their side; joints of standing legs change by what costs the least energy in
/// their springs from there; legs that swing ease from one place to the next, above the ground. Soles roll over their
/// corners where they come down and leave. The body turns to and fro as standing soles slip least. Each frame stands by
/// itself, so motions of any fps agree but for what is softened over parts of the stride.
/// @param model  as er_gaits_find() had it; must outlive the result
/// @param modes  as er_gaits_find() had them
/// @param gaits  of this model, by er_gaits_find() or er_gait_of_mix()
/// @param gait   one of `gaits`
/// @param fps    frames a second at least, > 0, at most 1e5: a stride has a whole number of them, 16 at least
/// @param out    ER_OK: a new object for er_gait_motion_destroy(); otherwise NULL
/// Errors   ER_ERROR_ARGUMENT (a stride of more than 1e6 frames too), ER_ERROR_NOT_POSDEF (as er_kinematics_create()),
///          ER_ERROR_NO_CONVERGENCE (a loop cannot follow), ER_ERROR_MEMORY
/// Memory   allocates the result.   Threads: one call per context at a time.
ER_API er_result er_gait_move(er_context *context, const er_model *model, const er_modes *modes, const er_gaits *gaits,
                              const er_gait *gait, double fps, er_gait_motion **out);

/// A gait's motion over several strides, with a mix on top. Feet go where the gait has them, held as er_motion_create()
/// holds what is planted, and so does what is planted besides: neither the mix nor `over` moves it. Without both the
/// strides are repeated as they are.
/// @param motion  as er_gait_move() made it, not looked at after the call; `slide`, `sink` and `correction` of the
///                result are those of it, whatever the mix does
/// @param body    of the gaits that it is of
/// @param strides 1 to 10,000, with 1e6 frames in all at most
/// @param mix     of the same model, added to the gait; `strides` strides long and looping, not checked. NULL: none
/// @param over    [strides x (frame_count - 1) x coordinate_count], joint coordinates, rad and m, at the frames of
///                `motion`, that all joints but the legs' have in place of the gait's, such as a clip's, the mix being
///                added; not checked. NULL: none
/// @param plant   [plant_count], each body once: they go where the gait has them too; feet and soles among
///                them are left out
/// @param out     ER_OK: a new object for er_gait_motion_destroy(), of the gait's model; otherwise NULL
/// Errors   ER_ERROR_ARGUMENT (strides; a mix of another model; plants as er_motion_create() refuses them),
///          ER_ERROR_NO_CONVERGENCE (feet, what is planted, or a
///          loop cannot follow), as er_kinematics_create(); ER_ERROR_MEMORY
/// Memory   allocates the result.   Threads: one call per motion, mix and context at a time.
ER_API er_result er_gait_layer(er_context *context, const er_gait_motion *motion, const er_gait_body *body, int strides,
                               er_motion *mix, const double *over, int plant_count, const er_hold *plant,
                               er_gait_motion **out);

/// Frees a motion. NULL is fine.   Threads: the context's.
ER_API void er_gait_motion_destroy(er_gait_motion *motion);

/// Records a motion as a clip, over all its strides.
/// @param travels  true: the body travels; false: it stays on the spot, and the clip loops
/// @param target   of the model, as er_motion_record() takes it
/// @param def      as er_motion_record() takes it, but def->over must be NULL; def->fps is checked but not used
/// @param out      ER_OK: a new object for er_recording_destroy(); otherwise NULL
/// Errors   as er_poses_record().   Memory: allocates the result.   Threads: one call per context at a time.
ER_API er_result er_gait_record(er_context *context, const er_gait_motion *motion, bool travels,
                                const er_recording_target *target, const er_recording_def *def, er_recording **out);

#ifdef __cplusplus
}
#endif
#endif
