"""A clip as a sum of modes: the modes that make most of its motion.

    python3 project_clip.py [MODEL CLIP]
"""
import sys

import numpy as np

import eigenrig


def main(path: str = 'models/fox.glb', clip: str = '0') -> None:
    model = eigenrig.open(path)
    modes = model.modes()
    _, poses = model.clip_poses(clip, fps=30)
    coefficients, share = modes.project(np.array([model.coordinates(pose) for pose in poses]))
    for k in np.argsort(share)[:-7:-1]:
        print(f'{100 * share[k]:5.1f} %  mode {modes.index[k]:3}  {modes.frequency_hz[k]:7.3f} Hz  {modes.names[k]}')
    print(f'{coefficients.shape[0]} frames, {100 * share.sum():.1f} % of the motion is in the modes')


main(*sys.argv[1:])
