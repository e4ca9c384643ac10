"""A parameter study on all cores: the lowest frequency over stiffness and mass of the limbs, by multiprocessing.

    python3 study.py [RIGS [MODEL]]
"""
import multiprocessing
import sys

import numpy as np

import eigenrig

MODEL: eigenrig.Model


def begin(path: str) -> None:
    global MODEL
    MODEL = eigenrig.open(path)


def lowest(factors: tuple[float, float]) -> float:
    stiffness, mass = factors
    changed = MODEL.change(bodies={'*': {'density': mass}}).scaled(stiffness)
    return float(changed.modes(8).frequency_hz[6])


def main(rigs: str = '1000', path: str = 'models/hand.glb') -> None:
    random = np.random.default_rng(1)
    asked = [(stiffness, mass) for stiffness, mass in np.exp(random.normal(0, 0.5, (int(rigs), 2)))]
    with multiprocessing.get_context('spawn').Pool(initializer=begin, initargs=(path,)) as pool:
        found = np.array(pool.map(lowest, asked, chunksize=16))
    slope = np.polyfit(np.log([a / b for a, b in asked]), np.log(found), 1)[0]
    print(f'{rigs} rigs, {found.min():.3f} to {found.max():.3f} Hz; the slope over stiffness / mass is {slope:.3f}')


if __name__ == '__main__':
    main(*sys.argv[1:])
