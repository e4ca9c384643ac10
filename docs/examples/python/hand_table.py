"""The lowest modes of a hand, as the thesis has them: frequency, period, and the joints that move most.

    python3 hand_table.py [MODEL]
"""
import sys

import numpy as np

import eigenrig


def main(path: str = 'models/hand.glb') -> None:
    modes = eigenrig.open(path).modes(12)
    for index, mode, name, shares in zip(modes.index, modes, modes.names, modes.joint_shares):
        most = [modes.model.joint[int(k)].name for k in np.argsort(shares)[:-4:-1] if shares[k] > 0.05]
        period = f'{1 / mode.frequency_hz:8.3f} s' if mode.frequency_hz > 0 else '         -'
        print(f'{index:3} {mode.frequency_hz:9.4f} Hz {period}  {name}: {", ".join(most)}')


main(*sys.argv[1:])
