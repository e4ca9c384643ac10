"""Blender reads our BVH files, and puts every bone's head where the clip has it."""
import json
import math
import pathlib
import subprocess
import sys
import tempfile

from clients import ask_blender
from program import rigs
from tap import SOURCE, every, promise, run

SAMPLES = sys.argv[1]
TOLERANCE = 1e-4  # of the size: Blender's floats, down a chain of matrices


def read_by_blender(models, folder):
    """(what was wanted, what Blender found) for the scenes made by hand and for models."""
    made = subprocess.run([SAMPLES, folder, *models], capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    wanted = json.loads(made.stdout)
    return wanted, ask_blender(wanted, pathlib.Path(__file__).with_name('blender_heads.py'))


def blender_name(name):
    """Words joined by "_", at most 63 bytes."""
    return '_'.join(name.split()).encode()[:63].decode(errors='ignore')


def judge(sample, mode, frames):
    worst = 0.0
    for heads, bones in zip(sample['heads'], frames, strict=True):
        names = [blender_name(name) for name in sample['names']]
        assert set(names) == set(bones), f'{sample["file"]}: bones {sorted(set(names) ^ set(bones))}'
        worst = max(worst, *(math.dist(head, bones[name]) for name, head in zip(names, heads, strict=True)))
    assert worst <= TOLERANCE * sample['size'], f'{sample["file"]}, {mode}: off by {worst / sample["size"]:.3g} of the size'
    return worst / sample['size']


def judge_all(models):
    with tempfile.TemporaryDirectory() as folder:
        for sample, modes in zip(*read_by_blender(models, folder), strict=True):
            assert 'error' not in modes, f'{sample["file"]}: {modes["error"]}'
            worst = max(judge(sample, mode, frames) for mode, frames in modes.items())
            print(f'# {pathlib.Path(sample["file"]).stem}: {worst:.1e} of the size')


@promise
def blender_puts_heads_of_our_scenes_and_models_where_they_are():
    judge_all(sorted((SOURCE / 'models').glob('*.glb')))


@every
def blender_puts_heads_of_real_rigs_where_they_are():
    judge_all(rigs())


run()
