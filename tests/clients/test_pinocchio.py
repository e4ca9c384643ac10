"""Pinocchio finds the same mechanics of our rigs at random states (pip install pin)."""
import json
import shutil
import subprocess
import tempfile
from pathlib import Path

from clients import HERE, need_plain_build
from program import SOURCE, works
from tap import BUILD, promise, run, skip

NEAR = 1e-10  # of the largest entry


@promise
def mechanics_of_rigs_are_those_of_pinocchio():
    need_plain_build()
    python = shutil.which('python3') or skip('there is no python3')  # that of a virtual environment, where one is active
    if subprocess.run([python, '-c', 'import pinocchio'], capture_output=True).returncode != 0:
        skip('Pinocchio is not there for Python (pip install pin)')
    library = Path(BUILD, 'src', 'libeigenrig.so')
    if not library.exists():
        skip('the build has no shared library')
    with tempfile.TemporaryDirectory() as folder:
        rigs = [SOURCE / 'models' / 'chain_20.json']
        for name in ('horse', 'gnome', 'hand', 'fox'):
            rigs.append(Path(folder, f'{name}.json'))
            works('info', SOURCE / 'models' / f'{name}.glb', '-q', '-o', rigs[-1])
        done = subprocess.run([python, HERE / 'pinocchio_rigs.py', library, *rigs], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for path, states in json.loads(done.stdout).items():
        for off in states:
            assert len(off) == 6 and max(off.values()) < NEAR, f'{path}: {off}'


run()
