"""Frequencies of a rig file, found by a program of its own: M, G, R and K built by the definitions in docs/theory.md, the
algebra by numpy. It shares no code with the library.

Twists are (omega; v) of a body frame's origin, in body axes; a joint frame is fixed in both its bodies.
As a program: reads a rig file on standard input and prints its frequencies.
"""
import json
import math
import sys

FREE = {'revolute': [2], 'universal': [0, 1], 'spherical': [0, 1, 2], 'prismatic': [5], 'cylindrical': [2, 5],
        'planar': [2, 3, 4], 'point_on_plane': [0, 1, 2, 3, 4], 'fixed': [], 'free': [0, 1, 2, 3, 4, 5]}


def matrix(q):
    w, x, y, z = q
    return [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]


def cross(a):
    return [[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]]


def multiply(a, b):
    columns = list(zip(*b))
    return [[sum(x * y for x, y in zip(row, column)) for column in columns] for row in a]


def transpose(a):
    return [list(column) for column in zip(*a)]


def inertia(body):
    """(4-6): [J - m [c][c], m [c]; -m [c], m 1]"""
    c, m = cross(body['com']), body['mass']
    cc = multiply(c, c)
    top = [[body['inertia'][i][j] - m * cc[i][j] for j in range(3)] + [m * x for x in c[i]] for i in range(3)]
    return top + [[-m * x for x in c[i]] + [m * (i == j) for j in range(3)] for i in range(3)]


def adjoint(body, joint):
    """(4-11): twists of the body, as the joint frame has them; x_joint = turn x_body + shift."""
    to_joint = transpose(matrix(joint['orientation']))
    turn = multiply(to_joint, matrix(body['orientation']))
    apart = [[body['position'][i] - joint['position'][i]] for i in range(3)]
    shift = [row[0] for row in multiply(to_joint, apart)]
    lower = multiply(cross(shift), turn)
    return [turn[i] + [0.0] * 3 for i in range(3)] + [lower[i] + turn[i] for i in range(3)]


def assemble(rig):
    """Blocks of M; rows of G and R, dense; the diagonal K."""
    bodies, joints = rig['bodies'], rig['joints']
    held, free, k = [], [], []
    for joint in joints:
        rows = [[0.0] * (6 * len(bodies)) for _ in range(6)]
        for body, sign in ((joint['child'], 1), (joint['parent'], -1)):
            if body >= 0:
                ad = adjoint(bodies[body], joint)
                for i in range(6):
                    for j in range(6):
                        rows[i][6 * body + j] += sign * ad[i][j]
        coordinates = FREE[joint['type']]
        free += [rows[i] for i in coordinates]
        held += [rows[i] for i in range(6) if i not in coordinates]
        k += joint['stiffness']
    return [inertia(body) for body in bodies], held, free, k


def size_of(rig):
    """A length to weigh shifts against turns with: the spread of the frames, their matter included."""
    points = [body['position'] for body in rig['bodies']] + [joint['position'] for joint in rig['joints']]
    box = max(max(column) - min(column) for column in zip(*points))
    reach = max(math.sqrt(sum(c * c for c in body['com'])) for body in rig['bodies'])
    gyration = max(math.sqrt(max(body['inertia'][i][i] for i in range(3)) / body['mass']) for body in rig['bodies'])
    return max(box, reach, gyration)


def times_mass(blocks, basis):
    out = []
    for b, block in enumerate(blocks):
        out += multiply(block, basis[6 * b:6 * b + 6])
    return out


def numpy_frequencies(rig):
    import numpy
    blocks, held, free, k = assemble(rig)
    n, size = 6 * len(blocks), size_of(rig)
    unit = numpy.array([1.0, 1.0, 1.0, size, size, size] * len(blocks))
    mass = numpy.zeros((n, n))
    for b, block in enumerate(blocks):
        mass[6 * b:6 * b + 6, 6 * b:6 * b + 6] = block
    g = numpy.array(held).reshape(-1, n) * unit
    g = g / numpy.linalg.norm(g, axis=1)[:, None]
    _, s, vt = numpy.linalg.svd(g)
    rank = int((s > 1e-10 * s[0]).sum())
    basis = unit[:, None] * vt[rank:].T
    low = numpy.linalg.cholesky(basis.T @ mass @ basis)
    b = numpy.sqrt(numpy.array(k))[:, None] * (numpy.array(free).reshape(-1, n) @ basis)
    return sorted(numpy.linalg.svd(numpy.linalg.solve(low, b.T), compute_uv=False) / (2 * math.pi)), rank


if __name__ == '__main__':
    frequencies, rank = numpy_frequencies(json.load(sys.stdin))
    json.dump({'frequencies': frequencies, 'rank': rank}, sys.stdout)
