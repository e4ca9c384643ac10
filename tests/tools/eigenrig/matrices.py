"""Recomputes the modes of rigs from their matrices alone: N'R'KRN u = lambda N'MN u, by numpy.

Reads pairs of files (what `modes -o` and `modes --matrices` wrote) from the command line; prints a JSON list of what is
off, by pair."""
import json
import sys

import numpy


def read(path):
    """The six matrices, dense, and all else that the file holds."""
    file = dict(numpy.load(path))
    for name in 'MKCGRN':
        if name not in file:
            file[name] = dense = numpy.zeros(file[name + '_shape'])
            place = file[name + '_row'], file[name + '_column']
            assert len(set(zip(*map(tuple, place)))) == len(place[0]), f'{name} has an entry twice'
            dense[place] = file[name + '_value']
    return file


def eigenvalues(m):
    """Those of the pencil on N: the squares of the singular values of K^1/2 R L'^-1 Q, where L L' = M and Q is an
    orthonormal basis of L'N. So neither N'MN nor N'R'KRN is formed, and small ones keep their digits."""
    chol = numpy.linalg.cholesky(m['M'])
    basis = numpy.linalg.qr(chol.T @ m['N'])[0]
    rates = numpy.sqrt(numpy.diag(m['K']))[:, None] * (m['R'] @ numpy.linalg.solve(chol.T, basis))
    return numpy.sort(numpy.linalg.svd(rates, compute_uv=False) ** 2)


def compare(modes_path, matrices_path):
    modes, m = dict(numpy.load(modes_path)), read(matrices_path)
    count, dof = len(modes['mode']), m['N'].shape[1]
    elastic = modes['kind'] == 'elastic'
    found, wanted = eigenvalues(m), modes['eigenvalue'][elastic]
    found = found[len(found) - len(wanted):] if count == dof else found[-(dof - (~elastic).sum()):][:len(wanted)]
    eta = modes['body'].reshape(count, -1).T
    size = numpy.linalg.norm(numpy.ptp(m['position'], axis=0)) + 1e-300
    unit = numpy.tile([1, 1, 1, size, size, size], len(m['body_names']))
    names = {'M': (m['twist_names'],) * 2, 'K': (m['rate_names'],) * 2, 'C': (m['rate_names'],) * 2,
             'G': (m['constraint_names'], m['twist_names']), 'R': (m['rate_names'], m['twist_names']),
             'N': (m['twist_names'], m['motion_names'])}
    for name, (rows, columns) in names.items():
        assert m[name].shape == (len(rows), len(columns)), f'{matrices_path}: {name}'
        assert len(set(rows)) == len(rows) and len(set(columns)) == len(columns)
    scaled = m['N'] / numpy.abs(m['N'] / unit[:, None]).max(axis=0)
    return {
        'modes': count, 'dof': dof, 'rank': int(numpy.linalg.matrix_rank(scaled)),
        'frequency': float(numpy.abs(numpy.sqrt(found / wanted) - 1).max()) if len(wanted) else 0.0,
        'leak': float(numpy.abs(m['G'] @ scaled).max() / max(1, size)) if len(m['G']) else 0.0,
        'mode_leak': float(numpy.abs(m['G'] @ (eta / numpy.abs(eta / unit[:, None]).max(axis=0))).max() / max(1, size)) if len(m['G']) else 0.0,
        'gram': float(numpy.abs(eta.T @ m['M'] @ eta - numpy.eye(count)).max()),
        'rates': float(numpy.abs(m['R'] @ eta - modes['joint'].T).max() / max(numpy.abs(modes['joint']).max(), 1e-300)),
        'symmetric': bool((m['M'] == m['M'].T).all()),
    }


if __name__ == '__main__':
    print(json.dumps([compare(*pair) for pair in zip(sys.argv[1::2], sys.argv[2::2])]))
