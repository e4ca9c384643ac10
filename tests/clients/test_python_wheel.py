"""The wheel, in a virtual environment that knows nothing of the build, serves a program of five lines."""
import functools
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import zipfile

from program import works
from python_package import package
from tap import BUILD, SOURCE, promise, run, skip

FOLDER = tempfile.TemporaryDirectory()
PLACE = pathlib.Path(FOLDER.name)
MOST_BYTES = 40_000_000
PROGRAM = '''
import json, sys
import eigenrig
modes = eigenrig.open(sys.argv[1]).modes()
loaded = {line.split()[-1] for line in open('/proc/self/maps') if '.so' in line}
print(json.dumps([list(modes.frequency_hz), modes.names, eigenrig.command('--version'), sorted(loaded), eigenrig.__file__]))
'''


@functools.cache
def wheel():
    package()
    if shutil.which('patchelf') is None:
        skip('there is no patchelf (Debian: patchelf)')
    done = subprocess.run([sys.executable, SOURCE / 'tools' / 'python' / 'wheel.py', BUILD, PLACE / 'dist'], text=True,
                          capture_output=True)
    assert done.returncode == 0, done.stderr
    return pathlib.Path(done.stdout.strip())


@functools.cache
def place():
    """A virtual environment with the wheel. NumPy is that of the system: tests have no network."""
    made = PLACE / 'venv'
    done = subprocess.run([sys.executable, '-m', 'venv', '--system-site-packages', made], text=True, capture_output=True)
    if done.returncode != 0:
        skip('this Python makes no virtual environments (Debian: python3-venv)')
    done = subprocess.run([made / 'bin' / 'pip', 'install', '--no-index', '--no-deps', '-q', wheel()], text=True,
                          capture_output=True)
    assert done.returncode == 0, done.stderr
    return made


def clean():
    """An environment with nothing of the build in it."""
    return {name: value for name, value in os.environ.items() if not name.startswith(('EIGENRIG', 'PYTHON', 'LD_'))} | {'PATH': '/usr/bin:/bin'}


@promise
def the_wheel_is_small_and_whole():
    assert wheel().stat().st_size < MOST_BYTES
    assert wheel().name.split('-')[2:4] == ['py3', 'none'] and 'manylinux_2_' in wheel().name
    names = zipfile.ZipFile(wheel()).namelist()
    for wanted in ('eigenrig/bin/libeigenrig.so.0', 'eigenrig/bin/eigenrig-import', 'eigenrig/bin/eigenrig',
                   'eigenrig/lib.pyi', 'eigenrig/py.typed'):
        assert wanted in names, wanted
    assert [name for name in names if name.endswith('licenses/LICENSE')]


@promise
def a_program_of_five_lines_runs_in_a_place_of_its_own():
    model = SOURCE / 'models' / 'hand.glb'
    done = subprocess.run([place() / 'bin' / 'python', '-c', PROGRAM, model], text=True, capture_output=True, env=clean(), cwd=PLACE)
    assert done.returncode == 0, done.stderr[-2000:]
    hertz, names, version, loaded, where = json.loads(done.stdout)
    theirs = json.loads(works('modes', model, '--json', '-q'))['modes']
    assert names == [mode['name'] for mode in theirs]
    assert max(abs(a - mode['frequency_hz']) for a, mode in zip(hertz, theirs, strict=True)) < 1e-9
    assert version == works('--version') and where.startswith(str(place()))
    ours = [path for path in loaded if any(word in path for word in ('eigenrig', 'jansson', 'libzip', 'qhull'))]
    assert len(ours) >= 4 and all(path.startswith(str(place())) for path in ours), ours
    assert not [path for path in loaded if path.startswith(str(BUILD))]


@promise
def the_command_comes_with_it():
    for words in ([place() / 'bin' / 'eigenrig'], [place() / 'bin' / 'python', '-m', 'eigenrig']):
        said = subprocess.run([*words, 'info', SOURCE / 'models' / 'hand.glb'], text=True, capture_output=True, env=clean(), cwd=PLACE)
        assert said.returncode == 0 and said.stdout == works('info', SOURCE / 'models' / 'hand.glb'), said.stderr


@promise
def auditwheel_knows_the_platform():
    auditwheel = shutil.which('auditwheel')
    if auditwheel is None:
        skip('there is no auditwheel (pip install auditwheel)')
    said = subprocess.run([auditwheel, 'show', wheel()], text=True, capture_output=True)
    assert said.returncode == 0 and 'manylinux_2_' in said.stdout, said.stdout + said.stderr


run()
