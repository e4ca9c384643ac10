/// @file
/// A world of another simulator, with as much of it as the situations of docs/reality.md need.
#ifndef ERI_TOOLS_REALITY_RIVALS_HPP
#define ERI_TOOLS_REALITY_RIVALS_HPP

#include <array>
#include <memory>
#include <string>
#include <vector>

/// Three numbers along x, y and z.
using vector3 = std::array<double, 3>;
/// A unit quaternion: w, x, y, z.
using quaternion = std::array<double, 4>;

/// A shape about the origin of its body.
struct rival_shape {
    std::string kind;            ///< sphere, box, capsule, cylinder, plane (normal y) or mesh
    vector3 size = {0, 0, 0};    ///< m: edges of a box; radius, length (of a capsule between its caps' centres)
    int along = 1;               ///< axis of a capsule or cylinder: 0 for x to 2 for z
    std::vector<vector3> points; ///< m, of a mesh
    std::vector<int> corners;    ///< three a triangle, from 0
};

/// A body at the beginning.
struct rival_body {
    rival_shape shape;
    std::string motion = "moved"; ///< moved, still or led
    double mass = 1;              ///< kg
    vector3 inertia = {1, 1, 1};  ///< kg m^2, about its own axes
    vector3 p = {0, 0, 0};        ///< m
    quaternion q = {1, 0, 0, 0};  ///< its orientation
    vector3 velocity = {0, 0, 0}; ///< m/s
    vector3 spin = {0, 0, 0};     ///< rad/s, world axes
    double friction = 0.5;        ///< of a pair: the geometric mean
    double restitution = 0;       ///< of a pair: the geometric mean
    double swept_radius = 0;      ///< m: of the sphere that Bullet sweeps for it; 0: none
};

/// A joint at the bodies' present poses. -1 stands for the world.
struct rival_joint {
    std::string kind;           ///< hinge, ball, prismatic or fixed
    int a = -1, b = -1;         ///< bodies
    vector3 at = {0, 0, 0};     ///< m, world
    vector3 axis = {0, 0, 1};   ///< world
    bool is_limited = false;    ///< of a hinge
    double low = 0, high = 0;   ///< rad: of b against a
    bool is_driven = false;     ///< of a hinge
    double speed = 0, most = 0; ///< rad/s; N m
};

/// The state of a body, world axes.
struct rival_state {
    vector3 p;        ///< m
    quaternion q;     ///< its orientation
    vector3 velocity; ///< m/s, of the centre of mass
    vector3 spin;     ///< rad/s
};

/// A world of a simulator.
class rival_world
{
  public:
    virtual ~rival_world() = default;
    /// Adds a body.   @return its index, from 0
    virtual int add(const rival_body &body) = 0;
    /// Adds a joint. Its bodies do not collide.
    virtual void join(const rival_joint &joint) = 0;
    /// Moves a led body within the next step.
    virtual void lead(int body, const vector3 &p, const quaternion &q) = 0;
    /// Sets velocities, m/s and rad/s.
    virtual void set(int body, const vector3 &velocity, const vector3 &spin) = 0;
    virtual rival_state state(int body) const = 0;
    virtual void step() = 0;
};

/// Bullet with sequential impulses, all settings its defaults, nothing asleep.   @param step  s   @param gravity  m/s^2
std::unique_ptr<rival_world> make_bullet(double step, const vector3 &gravity);
/// ODE, all settings its defaults, nothing asleep.
/// @param is_quick  dWorldQuickStep() with 50 sweeps instead of dWorldStep(), for hundreds of contacts
std::unique_ptr<rival_world> make_ode(double step, const vector3 &gravity, bool is_quick);

#endif
