"""A character weighs and swings the same however its file is cut and packed: as two objects, as three materials, by
Draco, by meshopt, with quantized positions. glTF Transform cuts and packs."""
import json
import os
import pathlib
import re
import subprocess
import tempfile

from program import some, works
from tap import RIGS, SOURCE, promise, run, skip

HERE = pathlib.Path(__file__).parent
MODELS = [SOURCE / 'models' / f'{name}.glb' for name in ('gnome', 'fox', 'hand', 'horse')]
REAL = sorted(path for path in RIGS.rglob('*') if path.suffix in ('.glb', '.gltf', '.vrm'))
BITS = 14, 12  # of positions: the default of glTF Transform, and small files
MASS, FREQUENCY = 0.01, 0.005  # shares
DENSITY = 1000  # kg/m^3, the default
LIGHT = 1e-4  # of the whole: lighter bodies are smaller than the steps
ROUNDED = 'rounded', 'meshopt', 'quantized'  # weights too, to 8 bits


def pack(model, folder, bits):
    if os.environ.get('EIGENRIG_SANITIZED') == '1':
        skip('the build has sanitizers, and the files are those of a build without')
    if not (HERE / 'node_modules' / '@gltf-transform' / 'functions').is_dir():
        skip('npm ci in tests/clients brings glTF Transform; it is not there')
    done = subprocess.run(['node', HERE / 'pack.mjs', model, folder, str(bits)], capture_output=True, text=True,
                          timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
    return {path.stem: path for path in sorted(pathlib.Path(folder).glob('*.glb'))}


def measure(path):
    palette = json.loads(works('modes', '--json', path, '-q', '--count', 24))
    bodies = {body['name']: body['mass'] for body in palette['rig']['bodies']}
    return bodies, [mode['frequency_hz'] for mode in palette['modes']]


def steps(path, bits):
    """How much of a body's mass a step of its surface is, for a mass in kg. Each side of a cube moves by up to half a
    step, so that its volume changes by three steps of its width."""
    step = float(re.search(r'largest extent ([0-9.e+-]+) m', works('info', path, '-q'))[1]) / 2 ** bits
    return lambda mass: 3 * step / (mass / DENSITY) ** (1 / 3)


def compare(way, one, other, bound):
    """The worst mass and frequency, and whether they are within bounds."""
    (bodies, frequencies), (own, tuned) = one, other
    if set(own) != set(bodies) or len(tuned) != len(frequencies):
        return f'{way}: {len(own)} bodies, not {len(bodies)}', False
    whole = sum(bodies.values())
    masses = [(abs(own[name] / mass - 1), mass, name) for name, mass in bodies.items() if mass > LIGHT * whole]
    share, mass, name = max(masses)
    frequency = max(abs(a - b) / b if b > 1e-6 else 0 for a, b in zip(tuned, frequencies))
    good = frequency <= FREQUENCY and all(share <= bound(mass) for share, mass, _ in masses)
    return f'{way} {share:.2%} {name} ({mass / whole:.2%} of all), {frequency:.2%}', good


def misses(model, bits):
    """Those of one model; says how far each way is. Eight bits of a weight change masses by themselves: what rounds them
    is compared with the whole file that has such weights."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        ways = pack(model, folder, bits)
        assert set(ways) == {'plain', 'rounded', 'objects', 'materials', 'draco', 'meshopt', 'quantized'}
        of_step = steps(ways['plain'], bits)
        measured = {way: measure(path) for way, path in ways.items()}
        for way in [way for way in ways if way != 'plain']:
            exact = way in ('objects', 'materials')
            like = 'rounded' if way in ROUNDED[1:] else 'plain'
            said, good = compare(way, measured[like], measured[way],
                                 lambda mass: MASS if exact else max(MASS, of_step(mass)))
            print(f'# {bits} bits: {model.name} {said}', flush=True)
            if not good and way != 'rounded':
                found.append(f'{bits} bits: {model.name} {said}')
    return found


@promise
def a_character_weighs_the_same_however_it_is_cut_and_packed():
    found = [miss for bits in BITS for model in some(MODELS + REAL, ['hand.glb']) for miss in misses(model, bits)]
    assert not found, '\n'.join(found)


run()
