"""The add-on in Blender: keys put bones where the library has the bodies, and nothing of the artist's is lost."""
import functools
import json
import os
import subprocess
import tempfile

from clients import found, need_plain_build
from program import rigs, works
from python_package import environment, package
from tap import EVERY, SOURCE, promise, run

TOLERANCE = 1e-5  # of the size; Blender computes in 32-bit floats: 5e-7 seen, 3e-6 in 4.5 and 5.0
MODELS = [str(SOURCE / 'models' / name) for name in (('horse.glb', 'gnome.glb', 'fox.glb') if EVERY else ('horse.glb',))]


@functools.cache
def answer(model):
    """The answers of addon_jobs.py on a model. $EIGENRIG_BPY is a Python with Blender as a module, in place of Debian's Blender."""
    need_plain_build()
    package()
    job = SOURCE / 'tests/clients/addon_jobs.py'
    blender = [os.environ['EIGENRIG_BPY'], job] if 'EIGENRIG_BPY' in os.environ else [
        found('blender', 'blender'), '-b', '--factory-startup', '--python-use-system-env', '--python-exit-code', '1', '--python',
        job, '--']
    with tempfile.TemporaryDirectory() as home:
        done = subprocess.run([*blender, SOURCE / 'tools/blender', model], env=environment(HOME=home), cwd=home,
                              capture_output=True, text=True)
    told = [line for line in done.stdout.splitlines() if line.startswith('ANSWER ')]
    assert done.returncode == 0 and told, done.stdout[-2000:] + done.stderr[-2000:]
    return json.loads(told[0][len('ANSWER '):])


def models():
    return MODELS + [path for path in rigs() if EVERY and str(path).endswith('.glb') and 'field' not in str(path)]


@promise
def an_armature_has_the_modes_of_its_file():
    for model in MODELS:
        rig, modes = (json.loads(works(command, model, '--json')) for command in ('info', 'modes'))
        mass, got, elastic = sum(body['mass'] for body in rig['bodies']), answer(model), [mode for mode in modes['modes'] if mode['kind'] != 'rigid']
        assert abs(got['mass'] - mass) < 1e-5 * mass, model
        assert len(got['hz']) == len(elastic)
        for hz, mode in zip(got['hz'], elastic):  # vertices are rounded along other axes, and cells of mass feel that
            assert abs(hz - mode['frequency_hz']) < 5e-3 * mode['frequency_hz'], (model, hz, mode['frequency_hz'])


@promise
def keys_put_bones_where_the_library_has_them():
    for model in models():
        for motion in ('mix', 'gait', 'nod'):
            assert answer(model)[motion] < TOLERANCE, (model, motion, answer(model)[motion])


@promise
def loose_bones_swing_and_the_others_keep_to_the_clip():
    for model in MODELS:
        follow = answer(model)['follow']
        assert follow['loose'] > 1e-3 and follow['others'] < TOLERANCE and follow['seam'] < TOLERANCE, follow


@promise
def what_was_there_stays():
    for model in MODELS:
        got = answer(model)
        assert got['strip'] == [1, True]
        assert got['live'] > 0.01 and got['back'] < 1e-6, (got['live'], got['back'])


@promise
def bones_can_be_welded_and_uneven_scale_is_refused():
    for model in MODELS:
        got = answer(model)
        assert got['welded'][1] < len(got['hz']) and 'scale' in got['refused']


run()
