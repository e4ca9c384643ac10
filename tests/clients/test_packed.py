"""A character weighs and swings the same however its file is cut and packed: as two objects, as three materials, by
Draco, by meshopt, with quantized positions. glTF Transform cuts and packs."""
import json
import os
import pathlib
import subprocess
import tempfile

from program import some, works
from tap import RIGS, SOURCE, promise, run, skip

HERE = pathlib.Path(__file__).parent
MODELS = [SOURCE / 'models' / f'{name}.glb' for name in ('gnome', 'fox', 'hand', 'horse')]
REAL = sorted(path for path in RIGS.rglob('*') if path.suffix in ('.glb', '.gltf', '.vrm'))
BITS = 14  # of positions, the default of glTF Transform
MASS, FREQUENCY = 0.01, 0.005  # shares
LIGHT = 1e-4  # of the whole: lighter bodies are smaller than the steps


def pack(model, folder):
    if os.environ.get('EIGENRIG_SANITIZED') == '1':
        skip('the build has sanitizers, and the files are those of a build without')
    if not (HERE / 'node_modules' / '@gltf-transform' / 'functions').is_dir():
        skip('npm ci in tests/clients brings glTF Transform; it is not there')
    done = subprocess.run(['node', HERE / 'pack.mjs', model, folder, str(BITS)], capture_output=True, text=True,
                          timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
    return {path.stem: path for path in sorted(pathlib.Path(folder).glob('*.glb'))}


def measure(path):
    palette = json.loads(works('modes', '--json', path, '-q', '--count', 24))
    bodies = {body['name']: body['mass'] for body in palette['rig']['bodies']}
    return bodies, [mode['frequency_hz'] for mode in palette['modes']]


def misses(model):
    found = []
    with tempfile.TemporaryDirectory() as folder:
        ways = pack(model, folder)
        assert set(ways) == {'plain', 'objects', 'materials', 'draco', 'meshopt', 'quantized'}
        bodies, frequencies = measure(ways.pop('plain'))
        whole = sum(bodies.values())
        for way, path in ways.items():
            own, tuned = measure(path)
            if set(own) != set(bodies) or len(tuned) != len(frequencies):
                found.append(f'{model.name} {way}: {len(own)} bodies, not {len(bodies)}')
                continue
            mass, name = max((abs(own[name] / mass - 1), name) for name, mass in bodies.items() if mass > LIGHT * whole)
            frequency = max(abs(a - b) / b if b > 1e-6 else 0 for a, b in zip(tuned, frequencies))
            if mass > MASS or frequency > FREQUENCY:
                found.append(f'{model.name} {way}: mass of {name} by {mass:.2%}, a frequency by {frequency:.2%}')
    return found


@promise
def a_character_weighs_the_same_however_it_is_cut_and_packed():
    found = [miss for model in some(MODELS + REAL, ['hand.glb']) for miss in misses(model)]
    assert not found, '\n'.join(found)


run()
