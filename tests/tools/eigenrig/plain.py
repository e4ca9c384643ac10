"""Frequencies of a rig file, found by a program of its own: M, G, R and K built by the definitions in docs/theory.md, a
null space by elimination with full pivoting, eigenvalues by Jacobi's rotations. It shares no code with the library.

Twists are (omega; v) of a body frame's origin, in body axes; a joint frame is fixed in both its bodies.
As a program: reads a rig file on standard input and lets numpy do the algebra, for rigs that are too large for Python.
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


def null_space(g, columns):
    """A basis, as columns of an orthogonality-free matrix [columns][dim], and the rank."""
    rows = [[x / max(map(abs, row)) for x in row] for row in g if any(row)]
    order, rank = list(range(columns)), 0
    while rank < len(rows):
        best, i, j = max((abs(rows[i][j]), i, j) for i in range(rank, len(rows)) for j in range(rank, columns))
        if best < 1e-9:  # pivots of these rigs are above 1e-3 or below 1e-13
            break
        rows[rank], rows[i] = rows[i], rows[rank]
        if j != rank:
            order[rank], order[j] = order[j], order[rank]
            for row in rows:
                row[rank], row[j] = row[j], row[rank]
        pivot = rows[rank]
        scale = 1 / pivot[rank]
        pivot[rank:] = [x * scale for x in pivot[rank:]]
        for other in rows:
            if other is not pivot and other[rank] != 0.0:
                factor = other[rank]
                other[rank:] = [x - factor * y for x, y in zip(other[rank:], pivot[rank:])]
        rank += 1
    basis = [[0.0] * (columns - rank) for _ in range(columns)]
    for c in range(columns - rank):
        basis[order[rank + c]][c] = 1.0
        for r in range(rank):
            basis[order[r]][c] = -rows[r][rank + c]
    return basis, rank


def cholesky(a):
    n = len(a)
    low = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(i + 1):
            rest = a[i][j] - sum(x * y for x, y in zip(low[i][:j], low[j][:j]))
            low[i][j] = math.sqrt(rest) if i == j else rest / low[j][j]
    return low


def solve_lower(low, b):
    """low^-1 b, row by row."""
    out = []
    for i, row in enumerate(b):
        row = list(row)
        for j in range(i):
            row = [x - low[i][j] * y for x, y in zip(row, out[j])]
        out.append([x / low[i][i] for x in row])
    return out


def jacobi(a):
    """Eigenvalues of a symmetric matrix: every entry off the diagonal rotated away in turn."""
    n = len(a)
    total = sum(x * x for row in a for x in row)
    for _ in range(60):
        if sum(a[i][j] ** 2 for i in range(n) for j in range(i)) <= 1e-30 * total:
            break
        for p in range(n):
            for q in range(p + 1, n):
                if abs(a[p][q]) <= 1e-18 * math.sqrt(abs(a[p][p] * a[q][q])) or a[p][q] == 0.0:
                    continue
                theta = (a[q][q] - a[p][p]) / (2 * a[p][q])
                t = math.copysign(1, theta) / (abs(theta) + math.hypot(theta, 1))
                c = 1 / math.hypot(t, 1)
                s = t * c
                a[p], a[q] = ([c * x - s * y for x, y in zip(a[p], a[q])], [s * x + c * y for x, y in zip(a[p], a[q])])
                for row in a:
                    row[p], row[q] = c * row[p] - s * row[q], s * row[p] + c * row[q]
    return sorted(a[i][i] for i in range(n))


def times_mass(blocks, basis):
    out = []
    for b, block in enumerate(blocks):
        out += multiply(block, basis[6 * b:6 * b + 6])
    return out


def plain_frequencies(rig):
    """Hz of all modes ascending, and rank(G), by plain Python."""
    blocks, held, free, k = assemble(rig)
    size = size_of(rig)
    # Lengths in units of the size, so that pivots compare turns with shifts; the modes do not notice.
    unit = [1.0 if c % 6 < 3 else size for c in range(6 * len(blocks))]
    basis, rank = null_space([[x * u for x, u in zip(row, unit)] for row in held], 6 * len(blocks))
    basis = [[x * u for x in row] for row, u in zip(basis, unit)]
    columns = transpose(basis)
    low = cholesky(multiply(columns, times_mass(blocks, basis)))
    # N' R' K R N = B' B with B = sqrt(K) R N, and the pencil as (B L^-T)' (B L^-T)
    b = [[math.sqrt(stiff) * x for x in row] for stiff, row in zip(k, multiply(free, basis))]
    scaled = solve_lower(low, transpose(b))
    return [math.sqrt(max(x, 0.0)) / (2 * math.pi) for x in jacobi(multiply(scaled, transpose(scaled)))], rank


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
