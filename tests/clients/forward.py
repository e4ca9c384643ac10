"""Runs where numpy is: computes motions by docs/theory.md 2 and 6, from rig and palette files alone.

Reads a list of jobs (JSON) on standard input and writes a list of answers:
{"palette": path, "mix": [[mode, degrees, Hz, phase in degrees], ...], "times": [s, ...]}
    where the bodies stand, [times x bodies x 3]
{"palette": path, "mix": ..., "npz": path, "csv": path}
    how far curves are from the rig, the mix and each other; no mix where loops change what was asked for
"""
import csv
import json
import sys

import numpy as np

FREE = {'revolute': [2], 'universal': [0, 1], 'spherical': [0, 1, 2], 'prismatic': [5], 'cylindrical': [2, 5],
        'planar': [2, 3, 4], 'point_on_plane': [0, 1, 2, 3, 4], 'fixed': [], 'free': [0, 1, 2, 3, 4, 5]}


def turn(vector):
    """Rodrigues' formula: the rotation matrix of a rotation vector."""
    x, y, z = vector
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    angle = np.linalg.norm(vector)  # np.sinc(x) is sin(pi x) / (pi x)
    return np.eye(3) + np.sinc(angle / np.pi) * cross + np.sinc(angle / 2 / np.pi) ** 2 / 2 * cross @ cross


def pose(rotation, position):
    out = np.eye(4)
    out[:3, :3], out[:3, 3] = rotation, position
    return out


def pose_in(thing):
    w, x, y, z = thing['orientation']
    return pose([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                 [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                 [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]], thing['position'])


def displacement(joint, q):
    """The transform of a joint, on the parent's side."""
    all_six = np.zeros(6)
    all_six[FREE[joint['type']]] = q
    if joint['type'] == 'universal':
        return pose(turn([all_six[0], 0, 0]) @ turn([0, all_six[1], 0]), np.zeros(3))
    return pose(turn(all_six[:3]), all_six[3:])


class Rig:
    def __init__(self, rig):
        self.bodies, self.joints = rig['bodies'], rig['joints']
        self.rest = [pose_in(body) for body in self.bodies]
        self.start = np.cumsum([0] + [len(FREE[joint['type']]) for joint in self.joints])
        centres = [at[:3, :3] @ body['com'] + at[:3, 3] for at, body in zip(self.rest, self.bodies)]
        points = [thing['position'] for thing in self.bodies + self.joints] + centres
        self.size = np.linalg.norm(np.ptp(np.array(points), axis=0))
        self.root = {}  # of every body; -1: the world
        self.order = []  # (body, joint, is it the joint's child), away from the roots
        edges = [(k, joint) for k, joint in enumerate(self.joints) if not joint.get('closes_loop')]
        children = {joint['child'] for _, joint in edges}
        free = [b for b in range(len(self.bodies)) if b not in children]
        for start in [-1] + free + list(range(len(self.bodies))):
            self.grow(start, edges)

    def grow(self, root, edges):
        if root in self.root:
            return
        self.root[root], stack = root, [root]
        while stack:
            here = stack.pop()
            for k, joint in edges:
                for near, far in ((joint['parent'], joint['child']), (joint['child'], joint['parent'])):
                    if near == here and far not in self.root:
                        self.root[far] = root
                        self.order.append((far, k, far == joint['child']))
                        stack.append(far)

    def forward(self, q, roots):
        """World poses; `roots` are those of the roots that float."""
        at = {-1: np.eye(4), **roots}
        rest = dict(enumerate(self.rest)) | {-1: np.eye(4)}
        for body, k, is_child in self.order:
            joint, frame = self.joints[k], pose_in(self.joints[k])
            step = displacement(joint, q[self.start[k]:self.start[k + 1]])
            near = joint['parent'] if is_child else joint['child']
            local = frame @ (step if is_child else np.linalg.inv(step)) @ np.linalg.inv(frame)
            at[body] = at[near] @ np.linalg.inv(rest[near]) @ local @ rest[body]
        return np.array([at[b] for b in range(len(self.bodies))])

    def floating(self):
        return [b for b in range(len(self.bodies)) if self.root[b] == b]

    def centre(self, root, at):
        """The centre of mass of a tree."""
        tree = [b for b in range(len(self.bodies)) if self.root[b] == root]
        mass = np.array([self.bodies[b]['mass'] for b in tree])
        where = [at[b][:3, :3] @ self.bodies[b]['com'] + at[b][:3, 3] for b in tree]
        return mass @ np.array(where) / mass.sum()

    def motion(self, q, turns):
        """Poses at joint coordinates, the roots that float turned, and centres of mass where they were."""
        at = self.forward(q, {b: self.rest[b] @ pose(turn(turns[b]), np.zeros(3)) for b in self.floating()})
        for root in self.floating():
            drift = self.centre(root, at) - self.centre(root, self.rest)
            for b in range(len(self.bodies)):
                if self.root[b] == root:
                    at[b][:3, 3] -= drift
        return at


def mixed(rig, palette, mix, time):
    """Joint coordinates, and rotation vectors of the bodies in their own axes."""
    modes = {mode['index']: mode for mode in palette['modes']}
    q, turns = np.zeros(rig.start[-1]), np.zeros((len(rig.bodies), 3))
    for index, degrees, hz, phase in mix:
        mode = modes[index]
        largest = max(np.linalg.norm(joint) for joint in mode['joint'])
        factor = np.radians(degrees) / largest * np.sin(2 * np.pi * hz * time + np.radians(phase))
        q += factor * np.array([x for joint in mode['joint'] for x in joint])
        turns += factor * np.array(mode['body'])[:, :3]
    return q, turns


def judge_curves(job, rig, palette):
    arrays = np.load(job['npz'])
    time, q, position, orientation = (arrays[name] for name in ('time', 'q', 'position', 'orientation'))
    names, coordinates = arrays['joint_names'], arrays['coordinate_names']
    with open(job['csv'], newline='', encoding='utf-8') as file:
        header, *rows = csv.reader(file)
    table = np.array(rows, float)
    is_turn = np.array([name.startswith('t') for name in coordinates], bool)
    degrees = np.where(is_turn, np.degrees(q), q)
    far = {'curve': 0.0, 'turn': 0.0, 'place': 0.0, 'gap': 0.0, 'drift': 0.0}
    for k, moment in enumerate(time):
        told = [pose_in({'orientation': o, 'position': p}) for o, p in zip(orientation[k], position[k])]
        follows = rig.forward(q[k], {b: told[b] for b in rig.floating()})
        far['place'] = max(far['place'], np.abs(follows[:, :3, 3] - position[k]).max())
        far['turn'] = max(far['turn'], np.abs(follows[:, :3, :3] - np.array(told)[:, :3, :3]).max())
        far['drift'] = max([far['drift']] + [np.linalg.norm(rig.centre(b, told) - rig.centre(b, rig.rest))
                                             for b in rig.floating()])
        if job['mix']:
            wanted, turns = mixed(rig, palette, job['mix'], moment)
            far['curve'] = max(far['curve'], np.abs(wanted - q[k]).max(initial=0.0))
            far['gap'] = max(far['gap'], np.abs(rig.motion(wanted, turns)[:, :3, 3] - position[k]).max())
    for name in ('place', 'gap', 'drift'):
        far[name] /= rig.size
    joint = arrays['coordinate_joint']
    return {'shapes': {name: arrays[name].shape for name in arrays.files},
            'columns': int(rig.start[-1]), 'bodies': len(rig.bodies), 'time': time.tolist(), 'header': header,
            'header_wanted': ['time_s'] + [f'{names[j]}.{c}' for j, c in zip(joint, coordinates)],
            'csv': float(np.abs(table - np.column_stack([time, degrees])).max()),
            'unit': float(np.abs(np.linalg.norm(orientation, axis=2) - 1).max()),
            'far': {name: float(value) for name, value in far.items()}}


def answer(job):
    with open(job['palette'], encoding='utf-8') as file:
        palette = json.load(file)
    rig = Rig(palette['rig'])
    if 'npz' in job:
        return judge_curves(job, rig, palette)
    at = [rig.motion(*mixed(rig, palette, job['mix'], time))[:, :3, 3] for time in job['times']]
    return np.array(at).tolist()


json.dump([answer(job) for job in json.load(sys.stdin)], sys.stdout)
