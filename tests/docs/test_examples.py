"""The examples do what they say, and README's is the one that is tested."""
import json
import math
import pathlib
import re
import struct
import subprocess
import tempfile

from program import ENVIRONMENT, PROGRAM
from tap import BUILD, SOURCE, promise, run

HORSE = SOURCE / 'models' / 'horse.glb'


def example(name, *arguments, folder=None):
    return subprocess.run([BUILD / 'docs' / 'examples' / f'example_{name}', *arguments], env=ENVIRONMENT, cwd=folder,
                          capture_output=True, text=True)


@promise
def modes_prints_the_frequencies_of_the_palette():
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([PROGRAM, 'modes', HORSE, '-o', 'p.json'], cwd=folder, env=ENVIRONMENT, check=True, capture_output=True)
        with open(folder + '/p.json') as file:
            palette = json.load(file)
    done = example('modes', HORSE)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [f'{m["index"]}  {m["frequency_hz"]:.3f} Hz' for m in palette['modes']]


@promise
def modes_says_what_is_wrong():
    done = example('modes', 'nothing.glb')
    assert done.returncode == 1 and 'nothing.glb' in done.stderr and not done.stdout, done


def numbers(done):
    """The numbers of each line that is printed."""
    assert done.returncode == 0, done.stderr
    return [[float(word) for word in re.findall(r'-?\d+\.?\d*', line)] for line in done.stdout.splitlines()]


@promise
def pendulum_keeps_its_energy():
    rows = numbers(example('pendulum'))
    assert len(rows) == 41 and rows[0][1] == 1
    for _, angle, rate, energy in rows:  # J = m l^2 / 3
        exact = 0.5 * 2 / 3 * rate ** 2 - 2 * 9.81 * 0.5 * math.cos(angle)
        assert abs(energy - exact) < 1e-5 and abs(energy - rows[0][3]) < 1e-5, (angle, rate, energy)
    crossing = next(k for k, row in enumerate(rows) if row[1] < 0)
    quarter = rows[crossing][0] - rows[crossing][1] / rows[crossing][2]
    small = math.pi / 2 * math.sqrt(2 / 3 / 9.81)
    assert abs(quarter / (small * (1 + 1 / 16 + 11 / 3072)) - 1) < 1e-3, quarter  # series of the elliptic integral


@promise
def point_mass_flies_as_its_equation_says():
    rows = numbers(example('point_mass'))
    assert len(rows) == 11
    rate = 0.25
    for t, x, y in rows:
        gone = (1 - math.exp(-rate * t)) / rate
        assert abs(x - 8 * gone) < 1e-8, (t, x)
        assert abs(y - ((6 + 9.81 / rate) * gone - 9.81 / rate * t)) < 1e-8, (t, y)


@promise
def box_slides_as_coulomb_says():
    rows = numbers(example('box'))
    assert len(rows) == 11
    assert abs(rows[-1][1] / rows[-1][2] - 1) < 2e-3, rows[-1]  # 1.1e-3: half a step in 1 s
    assert all(a[1] <= b[1] for a, b in zip(rows, rows[1:]))


@promise
def ragdoll_falls_and_lies():
    rows = numbers(example('ragdoll', SOURCE / 'models' / 'gnome.glb'))
    assert len(rows) == 31
    assert abs(rows[3][1] - rows[0][1] + 9.81 * 0.3 ** 2 / 2) < 0.01, rows[3]  # free fall
    assert abs(rows[-1][1] + 1) < 0.015, rows[-1]  # on the ground
    assert all(row[2] <= rows[0][2] + 1e-6 for row in rows) and rows[-1][3] > 0


@promise
def walk_travels_a_stride():
    with tempfile.TemporaryDirectory() as folder:
        done = example('walk', SOURCE / 'models' / 'gnome.glb', 'walk.glb', folder=folder)
        stride, seconds = numbers(done)[0]
        with open(folder + '/walk.glb', 'rb') as file:
            data = file.read()
    size = int.from_bytes(data[12:16], 'little')
    gltf, binary = json.loads(data[20:20 + size]), data[28 + size:]
    clip = next(clip for clip in gltf['animations'] if clip['name'] == 'walk')

    def values(index, width):
        accessor = gltf['accessors'][index]
        start = gltf['bufferViews'][accessor['bufferView']].get('byteOffset', 0) + accessor.get('byteOffset', 0)
        return [struct.unpack_from(f'<{width}f', binary, start + 4 * width * k) for k in range(accessor['count'])]

    moves = [clip['samplers'][c['sampler']] for c in clip['channels'] if c['target']['path'] == 'translation']
    assert len(moves) == 1  # the root
    place, time = values(moves[0]['output'], 3), values(moves[0]['input'], 1)
    assert abs(math.dist(place[0], place[-1]) / stride - 1) < 1e-5 and abs(time[-1][0] / seconds - 1) < 1e-5


@promise
def world_writes_a_file_a_frame():
    with tempfile.TemporaryDirectory() as folder:
        done = example('world', SOURCE / 'models' / 'bacin' / '9.2.cfg', 'out', folder=folder)
        assert done.returncode == 0, done.stderr
        files = {path.name: path.read_text() for path in pathlib.Path(folder).iterdir()}
    frames = json.loads(files.pop('out.json'))['frames']
    assert files.pop('out.sur').startswith('begin surface') and len(files) == frames + 1, files.keys()
    assert files['out0.ste'] != files[f'out{frames}.ste']


@promise
def readme_shows_the_first_example():
    code = (SOURCE / 'docs' / 'examples' / 'modes.c').read_text().split('\n', 1)[1]
    assert code.strip() in (SOURCE / 'README.md').read_text()


run()
