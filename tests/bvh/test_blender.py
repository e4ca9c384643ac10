"""Blender reads our BVH files, and puts every bone's head where the clip has it."""
import json
import math
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from tap import SOURCE, promise, run, skip

SAMPLES = sys.argv[1]
RIGS = pathlib.Path(os.environ.get('EIGENRIG_RIGS', SOURCE / '..' / 'shared' / 'rigs'))
MODELS = ('.glb', '.gltf', '.fbx', '.dae', '.bvh')
TOLERANCE = 1e-4  # of the size: Blender's floats, down a chain of matrices
SYSTEM = '/usr/bin:/bin'  # Blender runs the system's Python, whatever else the path has


def rigs():
    return sorted(path for path in RIGS.iterdir() if path.suffix in MODELS) if RIGS.is_dir() else []


def read_by_blender(models, folder):
    """(what was wanted, what Blender found) for the scenes made by hand and for models."""
    blender = shutil.which('blender', path=SYSTEM)
    if blender is None:
        skip('there is no Blender')
    made = subprocess.run([SAMPLES, folder, *models], capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    wanted, found = pathlib.Path(folder, 'wanted.json'), pathlib.Path(folder, 'found.json')
    wanted.write_text(made.stdout)
    script = pathlib.Path(__file__).with_name('blender_heads.py')
    ran = subprocess.run([blender, '-b', '--factory-startup', '--python-exit-code', '1', '--python', script, '--', wanted,
                          found], capture_output=True, text=True, env={**os.environ, 'PATH': SYSTEM, 'HOME': folder})
    assert ran.returncode == 0, ran.stdout[-3000:] + ran.stderr[-3000:]
    return json.loads(made.stdout), json.loads(found.read_text())


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
            worst = max(judge(sample, mode, frames) for mode, frames in modes.items())
            print(f'# {pathlib.Path(sample["file"]).stem}: {worst:.1e} of the size')


@promise
def blender_puts_heads_of_our_scenes_and_models_where_they_are():
    judge_all(sorted((SOURCE / 'models').glob('*.glb')))


@promise
def blender_puts_heads_of_real_rigs_where_they_are():
    if not rigs():
        skip(f'there is no folder {RIGS}; EIGENRIG_RIGS names one')
    judge_all(rigs())


run()
