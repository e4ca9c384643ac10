/// @file
/// Tables and drawings of motions, modes, simulations and gaits: CSV (spreadsheets), NPZ (numpy), JSON, SVG and PDF.
///
/// Every function writes its file whole or not at all and replaces an existing file; the path "-" is standard output.
/// The same input gives the same bytes. CSV is RFC 4180 with lines that end in LF; its numbers have as many digits as
/// are needed to read back the same double.
///
/// Names of joints and bodies are those of the model, made unique: "joint 3" or "body 3" (its index) if there is none,
/// and " (2)", " (3)", ... appended from the second of a name on. Bytes that are not UTF-8 become U+FFFD. Coordinates
/// are named tx ty tz (rotations about the axes of the joint's frame) and x y z (translations along them).
#ifndef EIGENRIG_PLOTS_H
#define EIGENRIG_PLOTS_H

#include <eigenrig/dynamics.h>
#include <eigenrig/gait.h>
#include <eigenrig/modal.h>
#include <eigenrig/model.h>
#include <eigenrig/motion.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- Motions

/// A motion. Everything is borrowed for the call. Numbers are finite, at most 1e50 in size.
typedef struct er_curves {
    const er_model *model; ///< names of joints and bodies
    int frame_count;       ///< >= 1
    const double *time;    ///< [frame_count], s, strictly ascending
    const double *q;       ///< [frame_count x coordinate_count], a row per frame: displacements from equilibrium, rad,
                           ///< m. A row of er_motion_poses() begins with these; it is longer if a root floats
    const er_pose *pose;   ///< [frame_count x body_count], a row per frame: world poses, m; NULL for none
} er_curves;

/// Writes joint coordinates as CSV, a line per frame: "time_s", then a column "JOINT.COORDINATE" for each coordinate in
/// the order of q. Units are seconds, degrees and metres.
/// Errors   ER_ERROR_ARGUMENT (NULL; names a time, a coordinate or a pose that is out of range), ER_ERROR_FILE,
///          ER_ERROR_MEMORY
/// Memory   scratch: about twice the file.   Threads: one call per context at a time.
ER_API er_result er_curves_write_csv(er_context *context, const er_curves *curves, const char *path);

/// Writes an archive for numpy.load(), not compressed, in C order. With F frames, J joints, C coordinates and B bodies:
///   time              [F]          float64, s
///   q                 [F x C]      float64, displacements from equilibrium, rad and m
///   joint_names       [J]          text
///   coordinate_names  [C]          text, "tx" ... "z"
///   coordinate_joint  [C]          int32, index into joint_names
///   body_names        [B]          text; this and the next two only if there are poses
///   position          [F x B x 3]  float64, of body frames in the world, m
///   orientation       [F x B x 4]  float64, w x y z
/// Errors   as er_curves_write_csv()
/// Memory   scratch: the file and its poses; libzip holds the file once more, from malloc.
/// Threads  one call per context at a time.
/// Source   numpy's format .npy 1.0 (numpy.lib.format), in a ZIP archive of stored entries (PKWARE APPNOTE 6.3).
ER_API er_result er_curves_write_npz(er_context *context, const er_curves *curves, const char *path);

/// Trajectories of objects that are added and removed. Everything is borrowed for the call. Numbers are finite.
typedef struct er_trajectories {
    int count;               ///< number of objects
    const char *const *name; ///< [count], UTF-8; equal names are fine
    int frame_count;         ///< >= 1
    const double *time;      ///< [frame_count], s
    const er_pose *pose;     ///< [frame_count x count], a row per frame: world, m
    const er_vec3 *velocity; ///< [frame_count x count], m/s, of the poses' origins, world axes
    const er_vec3 *spin;     ///< [frame_count x count], angular velocity, rad/s, world axes
    const int *present;      ///< [frame_count x count]: 1 if the object exists; 0 if not: its numbers have no meaning
} er_trajectories;

/// Writes an archive in the format of er_curves_write_npz(): name [N], time [F], position [F x N x 3], orientation
/// [F x N x 4] (w x y z), velocity [F x N x 3], spin [F x N x 3], present [F x N].
/// Errors, memory, threads   as er_curves_write_npz().
ER_API er_result er_trajectories_write_npz(er_context *context, const er_trajectories *trajectories, const char *path);

/// A mode in the spectrum of a motion.
typedef struct er_spectrum_line {
    double hz;         ///< frequency, >= 0, at most 1e50
    double degrees;    ///< amplitude in the mix, at most 1e50; 0 if the mix does not use the mode
    const char *label; ///< name of the mode, UTF-8; NULL or "": its place in the array, from 0
} er_spectrum_line;

/// A drawing of a motion: curves of its joints and the spectrum of the modes in its mix. Everything is borrowed for the
/// call.
typedef struct er_curves_figure {
    const char *title;            ///< UTF-8; NULL is ""
    const char *subtitle;         ///< UTF-8, a second line; NULL or "" for none
    er_curves curves;             ///< poses are ignored
    int line_count;               ///< >= 0; 0 for no spectrum
    const er_spectrum_line *line; ///< [line_count], in any order; NULL if there are none
} er_curves_figure;

/// Draws a motion as SVG 1.1, less than 1 MB for any length: white background, colours safe for colour-blind eyes, text
/// as text. It is a column 960 pixels wide with up to three panels:
///   angles    degrees over seconds, at most 12 joints: those that turn most, each by the coordinate that moves most
///             ("shin_l tx")
///   lengths   metres over seconds, in the same way, for joints that slide
///   spectrum  a stem per mode over Hz (logarithmic if frequencies are far apart). Modes of the mix are as high as
///             their amplitude, and the 48 largest are named; other modes are short and grey
/// A panel states the number of joints or names that it leaves out. Long names are cut in the middle; the tool tip of a
/// curve has the whole name. Control characters are left out.
/// Errors   ER_ERROR_ARGUMENT (NULL; names a time, a coordinate, a frequency or an amplitude that is out of range),
///          ER_ERROR_FILE, ER_ERROR_MEMORY
/// Memory   scratch.   Threads: one call per context at a time.
ER_API er_result er_curves_plot(er_context *context, const er_curves_figure *figure, const char *path);

// ---- Modes and matrices

/// Writes modes as CSV, a line per mode: mode (its index), kind, frequency_Hz, eigenvalue (s^-2), damped_Hz,
/// damping_ratio, as in er_mode. The shape follows: a column "JOINT.COORDINATE" for each coordinate, er_mode.joint, rad
/// and m, scaled so that eta' M eta = 1. Then effective masses (er_mode_effective_mass()) in six columns
/// "effective_mass.COORDINATE", and "JOINT.strain_share" and "BODY.motion_share" (er_mode_joint_shares(),
/// er_mode_body_shares()).
/// @param modes  of this model: other counts of bodies or coordinates are refused
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_FILE, ER_ERROR_MEMORY.   Memory: scratch, about twice the file.
/// Threads  one call per context at a time.
ER_API er_result er_modes_write_csv(er_context *context, const er_model *model, const er_modes *modes,
                                    const char *path);

/// Writes modes as an archive in the format of er_curves_write_npz(). With k modes, B bodies, J joints and C
/// coordinates:
///   mode              [k]          int32, indices
///   kind              [k]          text, "rigid", "mechanism" or "elastic"
///   frequency         [k]          float64, Hz
///   eigenvalue        [k]          float64, omega^2, s^-2
///   damped_frequency  [k]          float64, Hz
///   damping_ratio     [k]          float64
///   body              [k x B x 6]  float64, eta: (omega; v) of body frames, body axes; eta' M eta = 1
///   joint             [k x C]      float64, R eta, rad and m at that scale
///   body_share        [k x B]      float64, of the kinetic energy (er_mode_body_shares())
///   joint_share       [k x J]      float64, of the potential energy (er_mode_joint_shares())
///   effective_mass    [k x 6]      float64, about x y z, kg m^2, and along them, kg (er_mode_effective_mass())
///   root              [k x 2]      complex128, 1/s: mu of both roots (er_damped_mode), only if something damps
///   damped_shape      [k x 2 x k]  complex128, shapes of the roots over the modes, only if dampers couple modes:
///                                  tensordot(damped_shape[i, 0], body, 1) is how mode i moves while it decays
///   body_names        [B]          text
///   joint_names, coordinate_names, coordinate_joint   as in er_curves_write_npz()
/// @param modes  of this model: other counts of bodies or coordinates are refused
/// Errors, memory, threads   as er_curves_write_npz().
ER_API er_result er_modes_write_npz(er_context *context, const er_model *model, const er_modes *modes,
                                    const char *path);

/// Writes the matrices of a rig as an archive in the format of er_curves_write_npz(). For at most 100 bodies M, K, C,
/// G, R and N are float64 arrays of two dimensions. For more bodies each is NAME_shape [2], NAME_row and NAME_column,
/// int32, and NAME_value, float64: scipy.sparse.coo_array((value, (row, column)), shape). With B bodies, the further
/// arrays are:
///   twist_names       [6B]         text, "BODY.wx" wy wz vx vy vz: of M, columns of G and R, rows of N
///   rate_names        [rows of R]  text, "JOINT.tz": rows and columns of K and C too
///   constraint_names  [rows of G]  text, "JOINT.x": the direction that the joint constrains
///   motion_names      [dof]        text, columns of N: "root BODY.tx", "JOINT.tz", "loops 0" (er_admissible)
///   body_names        [B]          text
///   position          [B x 3]      float64, m, of body frames in the world: the pose of the matrices
///   orientation       [B x 4]      float64, w x y z
///   rayleigh_mass, rayleigh_stiffness, damping_ratio   one number each, as in er_model
/// @param matrices  of this model: other counts of bodies, joints or coordinates are refused
/// Errors, memory, threads   as er_curves_write_npz().
ER_API er_result er_modal_matrices_write_npz(er_context *context, const er_model *model,
                                             const er_modal_matrices *matrices, const char *path);

/// A mode in a figure. Everything is borrowed for the call.
typedef struct er_mode_shape {
    int mode;              ///< index of a mode in er_modes_figure.modes
    const char *label;     ///< UTF-8, a caption, such as the joints that move most, separated by commas
    const er_pose *end[2]; ///< [body_count] each, world: both ends of its swing
} er_mode_shape;

/// A figure of modes for print. Everything is borrowed for the call.
typedef struct er_modes_figure {
    const char *title;    ///< UTF-8; NULL is ""
    const char *subtitle; ///< UTF-8, a second line; NULL or "" for none
    const er_model *model;
    const er_modes *modes;      ///< of this model: the spectrum shows the elastic ones
    er_vec3 up;                 ///< world, not 0: the coordinate axis nearest to it is up on paper
    int shape_count;            ///< >= 0
    const er_mode_shape *shape; ///< [shape_count], modes ascending
} er_modes_figure;

/// Draws a figure of modes as SVG 1.1, or as PDF if the path ends in .pdf: 170 mm wide, the text width of an A4 page,
/// black and greys on white.
///   spectrum  a stem per mode over Hz (logarithmic if frequencies are far apart). Modes with a shape are named by
///             index and the first word of their label
///   shapes    four per row, to one scale. Each is seen along the coordinate axis that shows its motion best; the axes
///             to the right and up are drawn beside it. A body is drawn as lines from its parent joint to its child
///             joints; the end of a limb reaches twice as far as its centre of mass
/// @param path  "-" writes SVG to standard output
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_FILE, ER_ERROR_MEMORY; ER_ERROR_SYSTEM: PDF needs the program rsvg-convert,
///          for which the call waits.   Memory: scratch.   Threads: one call per context at a time.
ER_API er_result er_modes_plot(er_context *context, const er_modes_figure *figure, const char *path);

/// A quantity of a body or joint that an edit changed. A side that is missing has neither numbers nor a word.
typedef struct er_edit {
    const char *what;                ///< "mass", "stiffness", "damping", "type", "place", "body"
    const char *name;                ///< of the body or joint
    const char *was_word, *now_word; ///< a value in words; NULL: none
    const double *was, *now;         ///< [was_count], [now_count], in SI units and radians; NULL: none
    int was_count, now_count;
} er_edit;

/// Two versions of a rig, as er_mode_matches_write_json() writes them. All fields must be set; NULL where it says so.
typedef struct er_comparison {
    const char *name;           ///< of the model, UTF-8; NULL is ""
    const er_modes *was, *now;  ///< the modes before and after
    const er_mode_match *match; ///< [was->count], from er_modes_match()
    const bool *differs;        ///< [was->count]: by more than the tolerance; NULL: not judged
    double tolerance;           ///< a share, likewise
    bool same;                  ///< the verdict, likewise
    int edit_count;
    const er_edit *edit; ///< [edit_count]; NULL: none
} er_comparison;

/// Writes how modes went through an edit as one JSON document (docs/messages.md).
/// Errors   ER_ERROR_ARGUMENT (NULL; a name that is not UTF-8), ER_ERROR_FILE, ER_ERROR_MEMORY.   Memory: scratch.
/// Threads  one call per context at a time.
ER_API er_result er_mode_matches_write_json(er_context *context, const er_comparison *comparison, const char *path);

/// Writes tracks as CSV, a line per point: stiffness_factor, then mode_K_hz and mode_K_certainty for each mode K. The
/// frequency of a mode that was lost is empty, and its certainty 0.
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_FILE, ER_ERROR_MEMORY.   Memory: scratch, about twice the file.
/// Threads  one call per context at a time.
ER_API er_result er_mode_tracks_write_csv(er_context *context, const er_mode_tracks *tracks, const char *path);

/// Draws tracks as SVG 1.1: frequency over the factor of stiffness (logarithmic; frequencies too, if they are far
/// apart), a line per mode. A line is dashed where its certainty is below 0.8. The first 28 modes are named beside the
/// drawing; the tool tip of a line names it.
/// @param name   [count], UTF-8: of the modes
/// @param title  UTF-8; NULL is ""
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_FILE, ER_ERROR_MEMORY.   Memory: scratch.
/// Threads  one call per context at a time.
ER_API er_result er_mode_tracks_plot(er_context *context, const er_mode_tracks *tracks, const char *const *name,
                                     const char *title, const char *path);

// ---- Inverse dynamics (er_inverse_solve())

/// The ground's force on one foot in one frame.
typedef struct er_foot_load {
    er_vec3 force;  ///< N, world, on the foot
    er_vec3 centre; ///< m, world: the centre of pressure. If the foot does not press, the origin
    double twist;   ///< N m, torque about the ground's normal at the centre of pressure
} er_foot_load;

/// Forces of a motion; all of it borrowed. Numbers are finite, at most 1e50 in size.
typedef struct er_loads {
    const er_model *model;     ///< names of joints and bodies
    int frame_count;           ///< >= 1
    const double *time;        ///< [frame_count], s, strictly ascending
    const double *force;       ///< [frame_count x coordinate_count], N m and N, as er_inverse_frame has them
    const double *passive;     ///< likewise
    const double *power;       ///< likewise, W
    const er_wrench *joint;    ///< [frame_count x joint_count]
    const er_wrench *residual; ///< [frame_count]: of all floating roots together, about their common centre of mass
    int foot_count;            ///< >= 0
    const int *foot;           ///< [foot_count], bodies
    const er_foot_load *load;  ///< [frame_count x foot_count], a row a frame
    er_vec3 up;                ///< unit, world
    double weight;             ///< N, of the model, for the drawing's second axis; 0: unknown
} er_loads;

/// Writes forces as CSV, a line a frame: "time_s"; "JOINT.COORDINATE.force" for each coordinate, N m or N, and likewise
/// ".passive" (its springs' and dampers' share) and ".power", W; for each foot "BODY.force_x" y z, "BODY.centre_x" y z,
/// "BODY.twist"; "residual.torque_x" y z and "residual.force_x" y z.
/// Errors   ER_ERROR_ARGUMENT (NULL; names a time or a number that is out of range), ER_ERROR_FILE, ER_ERROR_MEMORY
/// Memory   scratch: about twice the file.   Threads: one call per context at a time.
ER_API er_result er_loads_write_csv(er_context *context, const er_loads *loads, const char *path);

/// Writes an archive as er_curves_write_npz() does. With F frames, C coordinates, J joints and P feet:
///   time, joint_names, coordinate_names, coordinate_joint   as there
///   force, passive, power   [F x C]      float64, N m and N, W
///   reaction                [F x J x 6]  float64, torque and force of the joint on its child, world axes
///   foot_names              [P]          text
///   ground_force            [F x P x 3]  float64, N
///   ground_centre           [F x P x 3]  float64, m
///   ground_twist            [F x P]      float64, N m
///   residual                [F x 6]      float64, torque and force
/// Errors, memory, threads   as er_loads_write_csv().
ER_API er_result er_loads_write_npz(er_context *context, const er_loads *loads, const char *path);

/// Draws forces as SVG 1.1, as er_curves_plot() draws motions: torques, forces along shifts and powers of the joints
/// that have most of them, the ground's force on each foot along `up`, and the size of the residual.
/// @param title  UTF-8; NULL is ""
/// Errors, memory, threads   as er_loads_write_csv().
ER_API er_result er_loads_plot(er_context *context, const er_loads *loads, const char *title, const char *path);

// ---- Validity of modes (er_modes_validate())

/// Writes trials as CSV: mode (its index), amplitude_degrees, frequency_shift (relative), leakage (of energy).
/// Amplitudes of a mode ascend.
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_FILE, ER_ERROR_MEMORY.   Memory: scratch.
/// Threads  one call per context at a time.
ER_API er_result er_validity_write_csv(er_context *context, const er_validity *validity, const char *path);

/// Writes trials as one JSON document (docs/messages.md): the CSV's numbers, and the frequency and amplitude limit of
/// each mode.
/// @param modes  the modes that were tested; a mode that it does not hold gets no frequency
/// @param name   name of the rig, UTF-8; NULL is ""
/// Errors, memory, threads   as er_validity_write_csv(); ER_ERROR_ARGUMENT if the name is not UTF-8.
ER_API er_result er_validity_write_json(er_context *context, const er_validity *validity, const er_modes *modes,
                                        const char *name, const char *path);

/// Draws the magnitude of the frequency shift, and the leakage, over amplitude as SVG 1.1: a line per mode, logarithmic
/// axes.
/// @param title  UTF-8; NULL is ""
/// Errors, memory, threads   as er_validity_write_csv().
ER_API er_result er_validity_plot(er_context *context, const er_validity *validity, const char *title,
                                  const char *path);

// ---- Simulations

/// A contact point in a frame of a simulation.
typedef struct er_frame_contact {
    int body[2];     ///< indices, in [0, body_count); -1 for the world
    er_vec3 point;   ///< m, world
    er_vec3 normal;  ///< unit, world, from the first to the second
    double distance; ///< m, between their shapes, at the last step in which they touched; < 0: overlap
    er_vec3 force;   ///< N, world, on the second at the point; the first gets the opposite. Mean since the last frame:
                     ///< the sum of er_contact.impulse over that time. Times it, all frames give the change of momentum
} er_frame_contact;

/// An impact between frames of a simulation, as er_impact.
typedef struct er_frame_impact {
    double time;    ///< s
    int body[2];    ///< indices, in [0, body_count); -1 for the world
    er_vec3 point;  ///< m, world
    er_vec3 normal; ///< unit, world, from the first to the second
    double impulse; ///< N s, on the second along the normal; the first gets the opposite
    double before;  ///< m/s, normal velocity of the second relative to the first, < 0: they approached
    double after;   ///< m/s
} er_frame_impact;

/// Frames of a simulation. Everything is borrowed for the call. Rows are frames.
typedef struct er_world_frames {
    const er_model *model;           ///< names of joints and bodies
    int frame_count;                 ///< F >= 1
    const double *time;              ///< [F], s, strictly ascending
    const er_pose *pose;             ///< [F x body_count], world poses of body frames
    const er_twist *twist;           ///< [F x body_count], body axes, of the frame's origin
    const double *q;                 ///< [F x coordinate_count], er_world_coordinates()
    const double *rate;              ///< [F x coordinate_count]
    const er_world_energy *energy;   ///< [F]
    const er_vec3 *momentum;         ///< [F x 2], linear, then angular about the world's origin
    const er_wrench *reaction;       ///< [F x joint_count], er_world_accelerations()
    const int *contact_end;          ///< [F], ascending: contacts of frame f are contact_end[f - 1] (0 for the first
                                     ///< frame) to contact_end[f] - 1; not checked. NULL: no contacts
    const er_frame_contact *contact; ///< [contact_end[F - 1]], frame by frame; not checked
    int impact_count;                ///< >= 0
    const er_frame_impact *impact;   ///< [impact_count], by time; not checked
} er_world_frames;

/// Write tables as CSV: a header that begins with "time_s", then a line per frame.
///   energy     kinetic, potential, elastic, mechanical, work, heat: J
///   momentum   px py pz lx ly lz: kg m/s, kg m^2/s
///   bodies     "BODY." and: x y z m, qw qx qy qz, wx wy wz rad/s, vx vy vz m/s; world axes, of the frame's origin
///   reactions  "JOINT." and: tx ty tz N m, fx fy fz N; world axes, about the joint's origin
///   contacts   a line per contact: body_1, body_2 by name (empty for the world), x_m y_m z_m, normal_x normal_y
///              normal_z, distance_m, force_x_N force_y_N force_z_N, as in er_frame_contact, impulse_N_s = 0; and, by
///              time among them, a line per impact (er_frame_impact) with its time and impulse, distance and force = 0
/// Errors   ER_ERROR_ARGUMENT (NULL; names a time or a pose that is out of range), ER_ERROR_FILE, ER_ERROR_MEMORY
/// Memory   scratch: about twice the file.   Threads: one call per context at a time.
ER_API er_result er_frames_write_energy(er_context *context, const er_world_frames *frames, const char *path);
ER_API er_result er_frames_write_momentum(er_context *context, const er_world_frames *frames, const char *path);
ER_API er_result er_frames_write_bodies(er_context *context, const er_world_frames *frames, const char *path);
ER_API er_result er_frames_write_reactions(er_context *context, const er_world_frames *frames, const char *path);
ER_API er_result er_frames_write_contacts(er_context *context, const er_world_frames *frames, const char *path);

/// Writes all frames as an archive in the format of er_curves_write_npz(). With F frames, C coordinates, B bodies, J
/// joints and N contacts:
///   time         [F]
///   q, rate      [F x C]
///   body_names   [B]          text; joint_names [J], text
///   position     [F x B x 3]
///   orientation  [F x B x 4]  w x y z
///   velocity     [F x B x 6]  (angular; linear), world axes
///   energy       [F x 6]      in the CSV's order
///   momentum     [F x 6]      in the CSV's order
///   reaction     [F x J x 6]  (torque; force)
///   contact_frame [N], contact_body [N x 2]   int32, indices from 0, -1 for the world
///   contact      [N x 10]     (point; normal; distance; force)
///   impact_body  [M x 2]      int32, likewise, of M impacts
///   impact       [M x 10]     (time; point; normal; impulse; velocity before; after)
/// Errors, memory, threads   as er_curves_write_npz().
ER_API er_result er_frames_write_npz(er_context *context, const er_world_frames *frames, const char *path);

/// Draws energies over time and the error of their balance: SVG 1.1.
/// Errors, threads   as er_curves_plot().
ER_API er_result er_frames_plot_energy(er_context *context, const er_world_frames *frames, const char *path);

// ---- Gaits (er_gaits_find())

/// A gait in full dynamics. All zeros: it was not simulated.
typedef struct er_gait_walk {
    double seconds;    ///< s: time until it fell, or the whole simulation; 0: not simulated, and the rest is ignored
    double distance;   ///< m, of the centre of mass along the gait's forward in that time; negative: backwards
    double lengths;    ///< the same in body lengths
    bool fell;         ///< it fell before the end
    const char *until; ///< why it ended, UTF-8; NULL is ""
    int pushes;        ///< runs in which it was pushed
    int survived;      ///< those of them in which it did not fall
    double slip;       ///< >= 0: speed of loaded contact points along the ground over the speed of the walk
    double cost;       ///< >= 0: cost of transport: positive work of the joints over weight times distance
    double animal;     ///< >= 0: the same of a running animal of that mass at that speed, by the energy it takes in
    const char *style; ///< how it walked where that differs from the usual: "speed=0.6", UTF-8; NULL is ""
} er_gait_walk;

/// Writes gaits as one JSON document (docs/messages.md): directions and feet of the body, and for each gait its
/// numbers, the modes of its mix and the steps of each foot; with `walk` a list `simulated`. Shapes of modes are left
/// out; er_mix_file_write() writes them.
/// @param model  the model of the gaits
/// @param walk   [count of gaits]; NULL: none was simulated
/// Errors   ER_ERROR_ARGUMENT (NULL; a number that is not finite, a name that is not UTF-8), ER_ERROR_FILE,
///          ER_ERROR_MEMORY.   Memory: scratch.   Threads: one call per context at a time.
ER_API er_result er_gaits_write_json(er_context *context, const er_model *model, const er_gaits *gaits,
                                     const er_gait_walk *walk, const char *path);

/// Draws the times at which feet stand, gait by gait, over two strides, as SVG 1.1. For a body without feet the drawing
/// has a note instead.
/// @param title  UTF-8; NULL is ""
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_FILE, ER_ERROR_MEMORY.   Memory: scratch.
/// Threads  one call per context at a time.
ER_API er_result er_gaits_plot_footfalls(er_context *context, const er_gaits *gaits, const char *title,
                                         const char *path);

/// Draws each gait's stride as stick figures that move to the right, as SVG 1.1. They are seen from their right side,
/// with the left limbs behind and grey. A body without feet is seen from above.
/// @param motion  [count of gaits], one per gait, from er_gait_move(); none NULL
/// @param title   UTF-8; NULL is ""
/// Errors   as er_gaits_plot_footfalls().   Memory: scratch.   Threads: one call per context at a time.
ER_API er_result er_gaits_plot_strides(er_context *context, const er_gaits *gaits, const er_gait_motion *const *motion,
                                       const char *title, const char *path);

#ifdef __cplusplus
}
#endif
#endif
