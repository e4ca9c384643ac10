"""Frequency response: how far the last body moves when it is pushed, by sparse solves with SciPy.

    python3 frequency_response.py [MODEL]
"""
import sys

import numpy as np
from scipy.sparse.linalg import splu

import eigenrig


def main(path: str = 'models/chain_20.json') -> None:
    model = eigenrig.open(path).change(fix_root=True, rayleigh_stiffness=0.02)
    matrices, modes = model.matrices(), model.modes()
    stiffness, mass = matrices.pencil()
    damping, motion = matrices.damping(), matrices.N.tocsr()
    elastic = modes.frequency_hz[modes.frequency_hz > 0]
    hz = np.geomspace(elastic[0] / 4, 4 * elastic[2], 400)
    tip = motion[[6 * model.body_count - 1], :].toarray().ravel()  # its velocity along z
    response = np.array([abs(tip @ splu((stiffness + 2j * np.pi * f * damping - (2 * np.pi * f) ** 2 * mass).tocsc())
                              .solve(tip.astype(complex))) for f in hz])
    peak = hz[response.argmax()]
    near = elastic[np.abs(elastic - peak).argmin()]
    print(f'the largest response is at {peak:.3f} Hz; the nearest mode is at {near:.3f} Hz')


main(*sys.argv[1:])
