"""The program as these tests run it, and the models they run it on."""
import functools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import samples
from tap import BUILD, EVERY, RIGS, SOURCE, skip

PROGRAM = BUILD / 'tools' / 'eigenrig' / 'eigenrig'
ENVIRONMENT = dict(os.environ, EIGENRIG_IMPORTER=str(BUILD / 'tools' / 'importer' / 'eigenrig-import'))
COMMANDS = ['info', 'modes', 'palette', 'animate', 'render', 'validate', 'gait']
NEEDS = {'palette': ['-o', 'out.glb'], 'animate': ['--mix', '7:10', '-o', 'out.glb'], 'render': ['-o', 'out.png']}  # words that a command insists on
MODEL_ENDINGS = {'.glb', '.gltf', '.fbx', '.dae', '.bvh'}
FEW = {'Fox.glb', 'SimpleSkin.gltf', 'maya_sausage.fbx', 'double_skeleton.dae', 'cmu_jumping_jacks.bvh'}
SECONDS = 60  # beyond, a run hangs; the slowest takes 2 s, 20 s under sanitizers


class Folder(tempfile.TemporaryDirectory):
    """A folder of its own for a promise, with the samples in it."""

    def __enter__(self):
        path = pathlib.Path(super().__enter__())
        samples.write(path)
        return path


def run(*words, program=PROGRAM, **how):
    """Runs a program; a CompletedProcess with bytes."""
    how = {'stdin': subprocess.DEVNULL, 'env': ENVIRONMENT, 'timeout': SECONDS} | how
    if 'input' in how:
        del how['stdin']
    streams = {name: how.pop(name, subprocess.PIPE) for name in ('stdout', 'stderr')}
    done = subprocess.run([program, *map(str, words)], **streams, **how)
    if b'LeakSanitizer has encountered a fatal error' in (done.stderr or b''):  # its tracer fell over threads that end
        done = subprocess.run([program, *map(str, words)], **streams, **how)
    return done


def works(*words, **how):
    """Runs what must succeed; what it printed."""
    done = run(*words, **how)
    assert done.returncode == 0, f'{words}: status {done.returncode}: {done.stderr[-2000:]!r}'
    return done.stdout.decode() if done.stdout is not None else ''


def fails(status, *words, says='', program=PROGRAM, **how):
    """Runs what must fail, with one line about it, after warnings alone; that line."""
    done = run(*words, program=program, **how)
    return judge_failure(done, status, words, says, program.name)


def judge_failure(done, status, words, says='', name=PROGRAM.name):
    text = done.stderr.decode(errors='replace')
    assert done.returncode == status, f'{words}: status {done.returncode}, not {status}: {text[-2000:]}'
    lines = text.splitlines()
    assert text.endswith('\n') and lines, f'{words}: no message: {text!r}'
    assert all(line.startswith(f'{name}: warning: ') for line in lines[:-1]), f'{words}: {text!r}'
    assert re.fullmatch(rf'{name}: error: \S.*', lines[-1]), f'{words}: {text!r}'
    assert str(says) in lines[-1], f'{words}: {says!r} is not in {lines[-1]!r}'
    return lines[-1]


def rig_of(model, *words, **how):
    return json.loads(works('info', model, '--json', '-q', *words, **how))


def palette_of(model, *words, **how):
    return json.loads(works('modes', model, '-q', '-o', '-', *words, **how))


def hertz(palette):
    return [mode['frequency_hz'] for mode in palette['modes']]


def models():
    return sorted((SOURCE / 'models').glob('*.json'))


def some(sources, few):
    """All sources if all real rigs are tested, else the few of these names."""
    return [source for source in sources if EVERY or pathlib.Path(source).name in few]


def rigs():
    """Real rigs, which lie beside the project: all of them, or one of each format."""
    found = sorted(path for path in RIGS.glob('*') if path.suffix in MODEL_ENDINGS) if RIGS.is_dir() else []
    if not found:
        skip(f'there are no rigs in {RIGS}; EIGENRIG_RIGS names their folder')
    return some(found, FEW)


def near(a, b, relative, what, absolute=0.0):
    assert len(a) == len(b), f'{what}: {len(a)} numbers, not {len(b)}'
    for i, (x, y) in enumerate(zip(a, b)):
        assert abs(x - y) <= relative * abs(y) + absolute, f'{what}: number {i} is {x!r}, not {y!r}'


def validator():
    """The command that runs Khronos' validator."""
    tools = SOURCE / 'tests' / 'clients'
    if not (tools / 'node_modules' / 'gltf-validator').is_dir() or shutil.which('node') is None:
        skip('npm ci in tests/clients brings the glTF validator; it is not there')
    return ['node', str(tools / 'validate.mjs')]


@functools.cache
def python_with_numpy():
    for python in (sys.executable, '/usr/bin/python3'):
        if subprocess.run([python, '-c', 'import numpy'], capture_output=True).returncode == 0:
            return python
    skip('no Python here has numpy (Debian: python3-numpy)')
