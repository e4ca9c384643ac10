"""Springs fitted to wanted frequencies: by the library's Newton method, and by SciPy with a live solver.

    python3 fit_stiffness.py [MODEL]
"""
import sys

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

import eigenrig


def main(path: str = 'models/hand.glb') -> None:
    model = eigenrig.open(path)
    modes = model.modes()
    aims = {6: 1.1 * modes[6].frequency_hz, 7: 1.1 * modes[7].frequency_hz}
    tuned, tuning = model.tune(aims, modes=modes)
    found = [mode.hz for mode in tuning.mode]
    print(f'tuned to {np.round(found, 6)} Hz by factors from {tuning.factor.min():.3f} to {tuning.factor.max():.3f}')

    solver, springs, wanted = model.solver(12), model.stiffness, modes.frequency_hz[6:8] * [1.05, 1.1]
    joint_of = np.repeat(np.arange(model.joint_count), np.diff(model.coordinate))

    def miss(logarithms: NDArray[np.float64]) -> NDArray[np.float64]:
        solver.set_stiffness(springs * np.exp(logarithms)[joint_of])
        return np.append(np.log(solver.solve().frequency_hz[6:8] / wanted), 1e-6 * logarithms)

    best = least_squares(miss, np.zeros(model.joint_count), diff_step=1e-4, max_nfev=20)
    print(f'SciPy: {best.nfev} steps, the largest miss is {np.abs(best.fun[:2]).max():.1e}')


main(*sys.argv[1:])
