/// @file
/// Room `bench`, contacts: scenes that fall, hang and pile up, and the engines that run them from the same bits.
#ifndef ERI_TOOLS_BENCH_CONTACTS_H
#define ERI_TOOLS_BENCH_CONTACTS_H

#include <eigenrig/dynamics.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The contact scenes.
typedef enum bench_scene_kind {
    BENCH_SPHERES, ///< of radius 0.5 m and 1 kg, jittered by 0.08 m on a cubic grid of 1.1 m, 1 m above the floor of an
                   ///< open box 0.05 m wider than the grid on each side; gravity 0.9 m/s^2, friction 0.5
    BENCH_BRIDGE,  ///< planks of 1 m and 1 kg, hinged to each other and to anchors 0.8 m a plank apart, a V at first, a
                   ///< weight of 20 kg 1.5 m below a ball joint in the middle. Nothing in it touches: it has no shapes
    BENCH_RAGDOLLS ///< people of 16 capsules and 75 kg, hinges at elbows and knees, else ball joints, no limits, own
                   ///< parts pass through each other; pitched by 0.3 to 0.8 rad, feet 1.5 m above the floor
} bench_scene_kind;

enum { BENCH_SCENE_COUNT = 3, BENCH_ENGINE_COUNT = 4 };

/// "spheres", "bridge" or "ragdolls".   Memory: static.   Threads: any.
const char *bench_scene_name(bench_scene_kind kind);

/// "eigenrig", "bullet", "ode" or "mujoco".   Memory: static.   Threads: any.
const char *bench_engine_name(int engine);

/// A scene at rest at time 0, at the model's equilibrium. All body frames are in centres of mass.
typedef struct bench_contact_scene {
    er_model *model;       ///< joints revolute or spherical, without springs
    er_vec3 gravity;       ///< m/s^2
    er_world_shape *shape; ///< [shape_count]: spheres, capsules and planes
    int shape_count;
    int threads; ///< >= 1: that our world shares a step by; others have one      [1]
} bench_contact_scene;

/// @param count  spheres, planks or people, >= 2
/// @param out    written; for bench_scene_end(), after a failure too
/// Errors   ER_ERROR_MEMORY, and as er_model_create()
er_result bench_scene_begin(er_context *context, bench_scene_kind kind, int count, bench_contact_scene *out);
void bench_scene_end(bench_contact_scene *scene);

/// Whether two shapes never meet: of one body, both of the world, or of groups that ignore each other.
static inline bool bench_shapes_pass(const er_world_shape *a, const er_world_shape *b)
{
    return a->body == b->body || (a->groups & b->ignores) != 0 || (b->groups & a->ignores) != 0;
}

/// A simulator. One thread, no sleeping, no continuous collision detection; engines other than ours make ten
/// iterations.
typedef struct bench_engine {
    const char *name;

    /// @param scene  borrowed
    /// @param step   s, of each step to come
    /// @param why    [size], written where NULL is returned
    void *(*create)(er_context *context, const bench_contact_scene *scene, double step, char *why, size_t size);
    void (*destroy)(void *self);

    bool (*advance)(void *self);              ///< by one step; false where it cannot
    void (*poses)(void *self, er_pose *pose); ///< [body_count], written: of the body frames

    /// The parts of the time of all steps so far, s, and the number of contact rows in the last step; NULL if the
    /// engine does not report them.
    er_contact_times (*times)(void *self, int *rows);
} bench_engine;

/// Ours; Bullet (libbullet-dev), a module of ours that is built where its headers are; ODE (libode-dev) and
/// MuJoCo 2 (libmujoco-dev), whose headers are needed when this is built and their libraries when it runs.
extern const bench_engine bench_contacts_ours, bench_contacts_bullet, bench_contacts_ode, bench_contacts_mujoco;
extern const bench_engine bench_contacts_module; ///< in that module

/// Measures how far shapes overlap and joints stand apart, by poses alone.
typedef struct bench_gauge bench_gauge;

bench_gauge *bench_gauge_create(er_context *context, const bench_contact_scene *scene);
void bench_gauge_destroy(bench_gauge *gauge);

/// @param pose         [body_count]
/// @param penetration  written, m: the deepest overlap of two shapes, >= 0
/// @param separation   written, m: the largest distance of the points of a joint's two sides that should be one
/// Errors   ER_ERROR_ARGUMENT (a pose that is not finite), ER_ERROR_MEMORY
er_result bench_gauge_read(bench_gauge *gauge, const er_pose *pose, double *penetration, double *separation);

#ifdef __cplusplus
}
#endif
#endif
