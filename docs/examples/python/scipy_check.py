"""K phi = omega^2 M phi, by SciPy from the matrices alone.

    python3 scipy_check.py [MODEL]
"""
import sys

import numpy as np
from scipy.linalg import eigh

import eigenrig


def main(path: str = 'models/hand.glb') -> None:
    model = eigenrig.open(path)
    stiffness, mass = (matrix.toarray() for matrix in model.matrices().pencil())
    omega = np.sqrt(np.maximum(eigh(stiffness, mass, eigvals_only=True), 0))
    ours = model.modes().frequency_hz
    print(f'{len(ours)} modes, largest difference {np.abs(omega / (2 * np.pi) - ours).max():.1e} Hz')


main(*sys.argv[1:])
