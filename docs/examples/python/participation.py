"""Participation: how much of the mass of a rig that is held moves with each mode, along x, y and z.

    python3 participation.py [MODEL]
"""
import sys

import numpy as np

import eigenrig


def main(path: str = 'models/horse.glb') -> None:
    model = eigenrig.open(path, root='fixed')
    modes = model.modes()
    share = modes.effective_mass[:, 3:] / model.body.mass.sum()
    for k in np.argsort(share.max(axis=1))[:-9:-1]:
        print(f'mode {modes.index[k]:3} {modes.frequency_hz[k]:8.3f} Hz  ' + '  '.join(f'{100 * part:5.1f} %' for part in share[k]))
    print('all modes together:', np.round(100 * share.sum(axis=0), 1), '%')


main(*sys.argv[1:])
