"""pinocchio_rigs.py LIBRARY RIG.json...: the largest differences of er_mechanics from Pinocchio at random states, as JSON."""
import ctypes
import json
import sys

import numpy as np
import pinocchio as pin


class Vec3(ctypes.Structure):
    _fields_ = [(name, ctypes.c_double) for name in 'xyz']


class Momentum(ctypes.Structure):
    _fields_ = [('numbers', ctypes.c_double * 16)]


class Motion(ctypes.Structure):
    _fields_ = [('numbers', ctypes.c_double * 15)]


def placed(thing):
    w, x, y, z = thing['orientation']
    return pin.SE3(pin.Quaternion(w, x, y, z).normalized().matrix(), np.array(thing['position'], float))


def model_of(rig):
    """Pinocchio's model; of each body its joint there and its frame in that; of each joint in the file the same joint."""
    model, home, frames, joints = pin.Model(), {}, {0: pin.SE3.Identity()}, {}
    model.gravity.linear = np.array([0.5, -9.81, 0.2])
    hung = {joint['child'] for joint in rig['joints']}

    def add(body, parent, kind, frame):
        j = model.addJoint(parent, kind, frames[parent].inverse() * frame, str(model.njoints))
        frames[j] = frame
        b = rig['bodies'][body]
        home[body] = (j, frame.inverse() * placed(b))
        model.appendBodyToJoint(j, pin.Inertia(b['mass'], np.array(b['com'], float), np.array(b['inertia'])), home[body][1])
        return j

    roots = [body for body in range(len(rig['bodies'])) if body not in hung]
    for body in roots:
        add(body, 0, pin.JointModelFreeFlyer(), placed(rig['bodies'][body]))
    left = list(enumerate(rig['joints']))
    while left:
        for entry in list(left):
            k, joint = entry
            if joint['parent'] < 0 or joint['parent'] in home:
                kind = {'spherical': pin.JointModelSpherical, 'revolute': pin.JointModelRZ}[joint['type']]()
                joints[k] = add(joint['child'], home[joint['parent']][0] if joint['parent'] >= 0 else 0, kind, placed(joint))
                left.remove(entry)
    return model, home, joints, roots


def judge(library, context, path, dice):
    rig = json.load(open(path))
    model, home, joints, roots = model_of(rig)
    data, n = model.createData(), model.nv
    own, mechanics = ctypes.c_void_p(), ctypes.c_void_p()
    assert library.er_rig_file_read(context, path.encode(), None, None, ctypes.byref(own)) == 0, path
    assert library.er_mechanics_create(context, own, Vec3(0.5, -9.81, 0.2), ctypes.byref(mechanics)) == 0
    assert library.er_mechanics_width(mechanics) == n
    q = pin.integrate(model, pin.neutral(model), dice.uniform(-1, 1, n))
    v, a = dice.uniform(-2, 2, n), dice.uniform(-5, 5, n)
    pin.forwardKinematics(model, data, q, v)
    pose, twist = [], []
    for body in range(len(rig['bodies'])):
        j, place = home[body]
        at, motion = data.oMi[j] * place, place.actInv(data.v[j])
        x, y, z, w = pin.Quaternion(at.rotation).coeffs()
        pose += [w, x, y, z, *at.translation]
        twist += [*motion.angular, *motion.linear]
    T, slide = np.zeros((n, n)), np.zeros(n)  # our velocities are T v, our accelerations T a + slide
    at = 0
    for k in range(len(rig['joints'])):
        j = joints[k]
        i, size, first = model.joints[j].idx_v, model.joints[j].nv, model.joints[j].idx_q
        x = q[first:first + model.joints[j].nq]
        T[at:at + size, i:i + size] = pin.Quaternion(x[3], x[0], x[1], x[2]).matrix() if size == 3 else 1
        at += size
    for body in roots:
        i, E = model.joints[home[body][0]].idx_v, data.oMi[home[body][0]].rotation
        E = placed(rig['bodies'][body]).rotation.T @ E
        T[at:at + 3, i + 3:i + 6] = T[at + 3:at + 6, i:i + 3] = E
        slide[at + 3:at + 6] = E @ np.cross(v[i + 3:i + 6], v[i:i + 3])
        at += 6
    array = lambda numbers: np.ascontiguousarray(numbers, float).ctypes.data_as(ctypes.c_void_p)
    P, W, ours, M, A = np.array(pose), np.array(twist), np.zeros(n), np.zeros((n, n)), np.zeros((6, n))
    assert library.er_mechanics_set(mechanics, array(P), array(W)) == 0
    off = {}

    def compare(name, mine, theirs):
        off[name] = float(np.abs(mine - theirs).max() / np.abs(theirs).max())

    library.er_mechanics_velocity(mechanics, array(ours))
    compare('velocity', ours, T @ v)
    rates = T @ a + slide
    library.er_mechanics_forces(mechanics, array(rates), None, array(ours))
    tau = pin.rnea(model, data, q, v, a).copy()
    compare('forces', T.T @ ours, tau)
    library.er_mechanics_accelerations(mechanics, array(ours.copy()), None, array(ours))
    library.er_mechanics_mass_matrix(mechanics, array(M))
    compare('accelerations', M @ ours, M @ rates)  # those of light bodies are ill determined, not what they need
    H = pin.crba(model, data, q).copy()
    compare('mass matrix', T.T @ M @ T, np.triu(H) + np.triu(H, 1).T)
    body = len(rig['bodies']) - 1
    j, place = home[body]
    point = dice.uniform(-0.2, 0.2, 3)
    library.er_mechanics_point(mechanics, body, Vec3(*point), array(A))
    pin.computeJointJacobians(model, data, q)
    J = pin.getJointJacobian(model, data, j, pin.LOCAL_WORLD_ALIGNED)
    arm = data.oMi[j].rotation @ (place.act(point))
    compare('Jacobian', A @ T, np.vstack([J[3:], J[:3] - pin.skew(arm) @ J[3:]]))
    library.er_mechanics_momentum(mechanics, array(A))
    pin.ccrba(model, data, q, v)
    compare('momentum map', A @ T, np.vstack([data.Ag[3:], data.Ag[:3]]))
    library.er_mechanics_destroy(mechanics)
    library.er_model_destroy(own)
    return off


def main():
    library, context = ctypes.CDLL(sys.argv[1]), ctypes.c_void_p()
    library.er_mechanics_create.argtypes = [ctypes.c_void_p, ctypes.c_void_p, Vec3, ctypes.c_void_p]
    library.er_mechanics_point.argtypes = [ctypes.c_void_p, ctypes.c_int, Vec3, ctypes.c_void_p]
    library.er_mechanics_momentum.restype = Momentum
    library.er_mechanics_point.restype = Motion
    for name in ('er_mechanics_width', 'er_mechanics_destroy', 'er_model_destroy'):
        getattr(library, name).argtypes = [ctypes.c_void_p]
    for name, count in {'set': 3, 'velocity': 2, 'forces': 4, 'accelerations': 4, 'mass_matrix': 2, 'momentum': 2}.items():
        getattr(library, f'er_mechanics_{name}').argtypes = [ctypes.c_void_p] * count
    library.er_rig_file_read.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
    assert library.er_context_create(None, ctypes.byref(context)) == 0
    dice = np.random.default_rng(1)
    print(json.dumps({path: [judge(library, context, path, dice) for _ in range(5)] for path in sys.argv[2:]}))


main()
