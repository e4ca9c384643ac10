/// @file
/// Scenes and skeletons drawn with OpenGL 3.3 core, in a window or without one.
///
/// Text is not drawn here: labels are the gui's, at places that draw_camera_project() gives.
///
/// All functions want the thread on which the OpenGL context is current. World coordinates are the model's: metres, in
/// the file's axes (er_recording_target.scene->up tells which way is up). Pixels count from the top left, y down.
/// Colours are sRGB in [0, 1] unless said otherwise, opacity straight.
#ifndef ERI_VIEWER_DRAW_DRAW_H
#define ERI_VIEWER_DRAW_DRAW_H

#include <eigenrig/base.h>
#include <eigenrig/model.h>
#include <eigenrig/motion.h>

/// An OpenGL context without a window: EGL, surfaceless, current on this thread.
typedef struct draw_offscreen draw_offscreen;

/// @param out  ER_OK: for draw_offscreen_destroy(); otherwise NULL
/// Errors   ER_ERROR_SYSTEM: no EGL here, or no OpenGL 3.3 in it (says which package brings it); ER_ERROR_MEMORY
er_result draw_offscreen_create(er_context *context, draw_offscreen **out);
void draw_offscreen_destroy(draw_offscreen *offscreen);

/// The renderer: programs, shadow map, floor, bone shapes. One per OpenGL context.
typedef struct painter painter;

/// Errors   ER_ERROR_SYSTEM (the current context is below OpenGL 3.3, or a shader does not build: names it),
///          ER_ERROR_MEMORY
er_result painter_create(er_context *context, painter **out);
void painter_destroy(painter *p);
/// Whether the processor draws instead of a graphics card: a picture of a window's size then takes a tenth of a second.
bool painter_is_software(const painter *p);

/// A model on the graphics card: meshes, skins, materials, textures, and the skeleton of its rig.
typedef struct draw_model draw_model;

/// @param target  target->scene is what is drawn (bones if it has no mesh); borrowed for the call
/// @param model   borrowed as long as the result lives
/// @param out     ER_OK: for draw_model_destroy(); otherwise NULL. A texture that cannot be read is left out, and the
///                material's plain colour is drawn
/// Errors   ER_ERROR_ARGUMENT, ER_ERROR_MEMORY
er_result draw_model_create(painter *p, const er_recording_target *target, const er_model *model, draw_model **out);
void draw_model_destroy(draw_model *m);
/// The side that textures were limited to because all of them would take more than 256 MiB, pixels; 0 if they have
/// their own size.
int draw_model_texture_side(const draw_model *m);
/// The warning about it, for printf() and that number.
#define DRAW_SMALLER_TEXTURES                                                                                          \
    "textures are drawn with %d pixels a side at most: all of them would take more than 256 MiB"

/// Takes another model of the same bodies, and borrows it from now on: other springs, joint types or masses, or another
/// equilibrium. Meshes and textures stay where they are.
/// @param target  of the scene it was made with, after its nodes have moved; borrowed for the call. NULL: they have not
/// @return false: the drawn model must be made anew, because the number of bodies is another, a mesh begins or ceases
///         to be mirrored or to move, or there is no memory
bool draw_model_follow(draw_model *m, const er_recording_target *target, const er_model *model);
/// Meshes and textures sent to the graphics card so far, for all models.
typedef struct draw_uploads {
    int meshes, textures;
} draw_uploads;
draw_uploads painter_uploads(const painter *p);

/// Bounds of all vertices at a pose; NULL is equilibrium. Vertices that no body moves count only if no body moves any.
/// A model without vertices has the bounds of its bones. The floor lies at the lowest point at equilibrium.
typedef struct draw_bounds {
    er_vec3 centre, low, high; ///< m, world axes: centre and box
    double radius;             ///< m, > 0
    double floor;              ///< m along up
} draw_bounds;
draw_bounds draw_model_bounds(const draw_model *m, const er_pose *pose);
/// Whether it has scenery: meshes that no body moves, beside meshes that bodies move.
bool draw_model_has_scenery(const draw_model *m);

/// A camera that looks at a point.
typedef struct draw_camera {
    er_vec3 up;      ///< unit, world: the model's up
    er_vec3 target;  ///< m
    double distance; ///< m, > 0
    double yaw;      ///< rad about up; 0 looks at the front (from +z where y is up, from -y where z is up)
    double pitch;    ///< rad above the horizon, in [-pi/2, pi/2]
    double fov;      ///< rad, vertical; 0: parallel projection of the height that 0.6 rad would show
} draw_camera;

/// A camera that shows all of the bounding sphere in a picture of this shape, in three-quarter view.
draw_camera draw_camera_frame(const draw_bounds *bounds, er_vec3 up, double aspect);

/// A camera at `eye` that looks at `target`. If the two coincide, it looks at the front of the target from 1 m away.
draw_camera draw_camera_look(er_vec3 eye, er_vec3 target, er_vec3 up, double fov);

/// The pixel at which a world point is seen; false behind the camera.
bool draw_camera_project(const draw_camera *c, int width, int height, er_vec3 point, double pixel[2]);
/// The ray through a pixel: origin, and unit direction.
void draw_camera_ray(const draw_camera *c, int width, int height, double x, double y, er_vec3 *origin,
                     er_vec3 *direction);
/// Axes of the camera: right, up, towards the viewer.
void draw_camera_axes(const draw_camera *c, er_vec3 axis[3]);

typedef enum draw_surface { DRAW_SHADED, DRAW_WIREFRAME, DRAW_POINTS } draw_surface;

/// How things look.
typedef struct draw_style {
    draw_surface surface;         ///< of meshes                                                      [DRAW_SHADED]
    bool mesh, skeleton;          ///< what is drawn; with both the mesh is see-through                [true, false]
    bool axes;                    ///< joint axes, those free in colour (x red, y green, z blue)      [false]
    bool loops;                   ///< loop-closing joints as dashed lines between their two anchors  [true]
    bool mass_centre;             ///< the centre of mass, its drop line and foot on the floor        [false]
    bool floor, shadow;           ///< grid, and soft shadow                                          [true, true]
    float scenery;                ///< opacity; below 1 it is drawn behind all else, without shadow [0.25]
    bool textures;                ///< false: one plain material (clay)                               [true]
    bool transparent;             ///< the background keeps opacity 0, for pictures                   [false]
    bool draft;                   ///< quick rather than fine: shadows of a coarse map, edges hard       [false]
    bool lines;                   ///< of the grid; without them only shadows lie on the floor        [true]
    double floor_height;          ///< m along up, of the floor; NAN: at the lowest of the figures  [NAN]
    er_vec3 floor_step;           ///< m, level: the floor's lines run along it and repeat after it, so that films of
                                  ///< walks loop; zero: lines along the axes, spaced by the model's size      [zero]
    float light_yaw, light_pitch; ///< rad, where the sun stands, measured as draw_camera's       [0.6, 0.9]
    float exposure;               ///< >= 0                                                           [1]
    float clay[3];                ///< colour of the plain material
    float background[2][3];       ///< top and bottom
    float grid[3], wire[3], bone[3], selected[3]; ///< of the floor's lines, wireframes, bones, the selected body
                                                  ///< (on meshes by its weights)
} draw_style;
draw_style draw_default_style(bool dark);

/// A model in a pose.
typedef struct draw_figure {
    const er_pose *pose; ///< [body_count]; NULL for equilibrium
    float tint[3];       ///< multiplies colours                                      [1, 1, 1]
    float opacity;       ///< below 1: a ghost, see-through and without shadow         [1]
    int selected;        ///< body drawn in look.selected, -1 for none                [-1]
    er_vec3 shift;       ///< m, world: draws it elsewhere                            [0]
    double scale;        ///< > 0, of all lengths, about the world's origin, before the shift    [1]
} draw_figure;
draw_figure draw_default_figure(void);

/// A picture to draw into. Its samples are resolved when it is read.
typedef struct draw_target draw_target;
/// @param width,height  1 to 16384 pixels
/// @param samples       per pixel, 1 to 4; fewer if the card has fewer
/// Errors   ER_ERROR_ARGUMENT (larger than the card takes: says how much), ER_ERROR_MEMORY
er_result draw_target_create(painter *p, int width, int height, int samples, draw_target **out);
/// Other size; the same size does nothing.   Errors as above; the target keeps its size then.
er_result draw_target_resize(draw_target *t, int width, int height);
void draw_target_destroy(draw_target *t);
/// Binds it as OpenGL's framebuffer and sets the viewport to all of it: for widgets and text on a picture.
void draw_target_bind(draw_target *t);
/// The resolved picture as an OpenGL texture (first row at the bottom), for gui_image(); valid until resize or destroy.
unsigned draw_target_texture(draw_target *t);
/// @param rgba  [4 width height], written, 8 bits, rows from the top, sRGB, straight alpha
void draw_target_read(draw_target *t, uint8_t *rgba);
/// Reads the bound framebuffer (a window's) in the same way, from its lower left corner.
void draw_read_bound(int width, int height, uint8_t *rgba);

/// Begins a picture: sets camera and style. Figures are collected until painter_end(), which clears and draws.
/// @param t       NULL: the bound framebuffer, in OpenGL's viewport
/// @param x,y,width,height  the part that is drawn, pixels from the top left, > 0; the rest stays as it is
void painter_begin(painter *p, draw_target *t, int x, int y, int width, int height, const draw_camera *camera,
                   const draw_style *style);
/// Adds a figure; its pose is read at once. Successive figures of one model are drawn together. Solid figures hide
/// ghosts, even those in front of them, so that each is seen whole. The nearest ghost hides the others, so opacities do
/// not add up. A figure is left out if memory runs out.
void painter_add(painter *p, draw_model *m, const draw_figure *figure);
/// Adds lines over everything: [2 count] points in the world, one colour, width in pixels.
void painter_lines(painter *p, int count, const er_vec3 *point, const float rgba[4], float width);
/// Adds the rotation gizmo: three rings about a frame. Ring `hot` (0 to 2, -1 none) is bright.
void painter_gizmo(painter *p, const er_pose *frame, int hot);
/// Draws what was collected, unless the target shows the same picture already. Leaves framebuffer and viewport as they
/// were, with all tests, blending and programs off.
/// @return whether it was drawn
bool painter_end(painter *p);
/// Processor time spent in OpenGL by all painter_end() so far, s. Benchmarks subtract it from a frame's time.
double painter_gl_seconds(const painter *p);
/// Returns when the graphics card has drawn everything.
void draw_finish(void);

/// The body whose bone is nearest to a pixel, within 12 pixels (the front one of several); -1.
int draw_pick_body(const draw_model *m, const draw_camera *c, int width, int height, double x, double y,
                   const er_pose *pose);
/// The nearest point of a model under a pixel, and the body that carries most of it. The point lies on the mesh; faded
/// scenery is ignored. If no mesh is drawn it lies on a bone within 12 pixels.
/// @param style  what is drawn of it
/// @param pose   [body_count]; NULL: equilibrium
/// @param point  written: m, world
/// @return the body; -1 if there is nothing, or a mesh that no body moves
int draw_pick_point(const draw_model *m, const draw_camera *c, int width, int height, double x, double y,
                    const er_pose *pose, const draw_style *style, er_vec3 *point);
/// The ring of a gizmo under a pixel, 0 to 2, or -1.
int draw_pick_gizmo(const draw_camera *c, int width, int height, double x, double y, const er_pose *frame);
/// The angle about `axis` of the gizmo's frame that a drag from one pixel to another means, rad.
double draw_gizmo_angle(const draw_camera *c, int width, int height, const er_pose *frame, int axis,
                        const double from[2], const double to[2]);

/// Bones as the skeleton draws them: both ends of the octahedron of each body, m, world.
/// @param pose      [body_count], NULL for equilibrium
/// @param head,tip  [body_count], written; either may be NULL
void draw_bones(const draw_model *m, const er_pose *pose, er_vec3 *head, er_vec3 *tip);

#endif
