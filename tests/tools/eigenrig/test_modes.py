"""Modes judged by a program of its own, plain.py; and what the files say about them."""
import csv
import functools
import json
import math
import pathlib
import subprocess

import plain
from plain import FREE, assemble, jacobi, multiply, null_space, plain_frequencies, size_of, times_mass, transpose
from program import Folder, fails, hertz, models, near, palette_of, python_with_numpy, rig_of, rigs, run, works
from tap import SOURCE, promise, run as judge

SMALL = 12  # bodies; plain Python takes a second for 40 degrees of freedom

known_rig, known_palette = functools.cache(rig_of), functools.cache(palette_of)  # of models, for all promises; not to be changed


def numpy_frequencies(rig):
    done = subprocess.run([python_with_numpy(), plain.__file__], input=json.dumps(rig), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    return found['frequencies'], found['rank']


def judge_rig(path, frequencies, relative=1e-6):
    rig, palette = known_rig(path), known_palette(path, '--count', 10**6)
    want, rank = frequencies(rig)
    elastic = [mode['frequency_hz'] for mode in palette['modes'] if mode['kind'] == 'elastic']
    assert palette['rank'] == rank and palette['dof'] == 6 * len(rig['bodies']) - rank, f'{path}: rank {rank}'
    assert len(palette['modes']) == palette['dof']
    assert palette['constraints'] == sum(6 - len(FREE[joint['type']]) for joint in rig['joints'])
    want = [0.0] * (palette['dof'] - len(want)) + list(want)  # svd leaves out what has no joint coordinate
    still = want[:len(want) - len(elastic)]
    assert all(f <= 1e-5 * max(want) for f in still), f'{path}: {still} are not zero'
    near(elastic, want[len(still):], relative, path)


def judge_shapes(path):
    """Every mode shape keeps its promises: closed joints, unit norm, orthogonal, joint entries R eta, sign."""
    palette = known_palette(path)
    rig = palette['rig']
    blocks, held, free, k = assemble(rig)
    size = size_of(rig)
    shapes = [[x for body in mode['body'] for x in body] for mode in palette['modes']]
    eta = transpose(shapes)
    product = multiply(shapes, times_mass(blocks, eta))
    worst = max(abs(x - (i == j)) for i, row in enumerate(product) for j, x in enumerate(row))
    assert worst < 1e-9, f'{path}: eta M eta is off by {worst}'
    leaks, rates = multiply(held, eta), multiply(free, eta)
    for m, mode in enumerate(palette['modes']):
        biggest = max(abs(x) * (1.0 if i % 6 < 3 else 1 / size) for i, x in enumerate(shapes[m]))
        leak = max((abs(row[m]) for row in leaks), default=0.0)
        assert leak <= 1e-9 * biggest * max(1.0, size), f'{path}: mode {m} opens joints by {leak}'
        joint = [x for q in mode['joint'] for x in q]
        near(joint, [row[m] for row in rates], 1e-9, f'{path}: R eta of mode {m}', 1e-9 * biggest * max(1.0, size))
        energy = sum(stiff * q * q for stiff, q in zip(k, joint))
        near([energy], [mode['eigenvalue']], 1e-8, f'{path}: mode {m}', 1e-9 * palette['modes'][-1]['eigenvalue'])
        near([mode['frequency_hz']], [math.sqrt(mode['eigenvalue']) / (2 * math.pi)], 1e-12, f'{path}: mode {m}')
    eigenvalues = [mode['eigenvalue'] for mode in palette['modes']]
    assert eigenvalues == sorted(eigenvalues)
    assert [mode['index'] for mode in palette['modes']] == list(range(len(eigenvalues)))


def judge_round_trip(path, folder):
    straight = known_palette(path)
    piped = json.loads(run('modes', '-', '-q', '-o', '-', input=works('info', path, '--json', '-q').encode()).stdout)
    works('modes', path, '-q', '-o', folder / 'palette.json')
    again = palette_of(folder / 'palette.json')  # the rig inside a palette file is one too
    for other in (piped, again):
        for key in ('method', 'dof', 'constraints', 'rank', 'rigid_modes'):
            assert straight[key] == other[key], f'{path}: {key}'
        assert [m['kind'] for m in straight['modes']] == [m['kind'] for m in other['modes']], path
        near(hertz(other), hertz(straight), 1e-9, path)
        assert [body['name'] for body in straight['rig']['bodies']] == [body['name'] for body in other['rig']['bodies']]
        judge_same_numbers(straight['rig'], other['rig'], path)


def judge_same_numbers(a, b, path):
    """Two rigs that differ by rounding at most."""
    def numbers(value):
        if isinstance(value, dict):
            return [x for key in sorted(value) for x in numbers(value[key])]
        if isinstance(value, list):
            return [x for item in value for x in numbers(item)]
        return [float(value)] if isinstance(value, (int, float)) else []
    near(numbers(b), numbers(a), 1e-14, f'{path}: the rig', absolute=1e-15)


@promise
def jacobi_finds_what_is_known():
    """The judge itself: a chain of n equal springs and masses has eigenvalues 4 sin^2."""
    n = 12
    chain = [[2.0 * (i == j) - (abs(i - j) == 1) for j in range(n)] for i in range(n)]
    near(jacobi(chain), [4 * math.sin(math.pi * k / (2 * (n + 1))) ** 2 for k in range(1, n + 1)], 1e-13, 'chain')
    basis, rank = null_space([[1.0, 1.0, 0.0], [2.0, 2.0, 0.0]], 3)
    assert rank == 1 and all(abs(row[0] + row[1]) < 1e-15 for row in transpose(basis))


@promise
def small_models_have_the_frequencies_of_a_plain_program():
    with Folder() as folder:
        sources = [path for path in models() if len(known_rig(path)['bodies']) <= SMALL]
        assert len(sources) >= 3
        for path in sources + [folder / name for name in ('bar.glb', 'bar.gltf', 'two.glb', 'limbs.bvh')]:
            judge_rig(path, plain_frequencies)


@promise
def small_real_rigs_have_the_frequencies_of_a_plain_program():
    small = [path for path in rigs() if len(known_rig(path)['bodies']) <= SMALL]
    assert small, 'none is small'
    for path in small:
        judge_rig(path, plain_frequencies)


@promise
def large_rigs_have_the_frequencies_that_numpy_finds():
    python_with_numpy()
    for path in models():
        judge_rig(path, numpy_frequencies)
    for path in rigs():
        if len(known_rig(path)['bodies']) <= 100:
            judge_rig(path, numpy_frequencies)


@promise
def mode_shapes_of_models_keep_their_promises():
    with Folder() as folder:
        for path in models() + [folder / name for name in ('bar.glb', 'two.glb', 'limbs.bvh')]:
            judge_shapes(path)


@promise
def mode_shapes_of_small_real_rigs_keep_their_promises():
    for path in rigs():
        if len(known_rig(path)['bodies']) <= SMALL:
            judge_shapes(path)


def long_chain(folder, count):
    """The chain of 20, longer: more bodies than files have dense matrices of."""
    rig = json.loads((SOURCE / 'models' / 'chain_20.json').read_text())
    bodies, joints = rig['bodies'], rig['joints']
    step = [b - a for a, b in zip(bodies[0]['position'], bodies[1]['position'])]

    def move(thing, name, times):
        return thing | {'name': name, 'position': [x + times * s for x, s in zip(thing['position'], step)]}
    for k in range(len(bodies), count):
        bodies.append(move(bodies[-1], f'link_{k}', 1))
        joints.append(move(joints[-1], f'joint_{k}', 1) | {'parent': k - 1, 'child': k})
    path = folder / 'chain.json'
    path.write_text(json.dumps(rig))
    return path


@promise
def matrices_have_the_modes_that_are_written_beside_them():
    python = python_with_numpy()
    with Folder() as folder:
        asked = [[path] for path in models()] + [[SOURCE / 'models' / 'gnome.glb', '--pose', 'idle@0.7'],
                                                 [SOURCE / 'models' / 'horse.glb', '--root', 'fixed'],
                                                 [long_chain(folder, 120)]]
        files = []
        for k, words in enumerate(asked):
            files += [folder / f'modes_{k}.npz', folder / f'matrices_{k}.npz']
            works('modes', *words, '--count', 10**6, '-o', files[-2], '--matrices', files[-1])
        done = subprocess.run([python, pathlib.Path(__file__).with_name('matrices.py'), *files], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        for words, off in zip(asked, json.loads(done.stdout)):
            assert off['symmetric'] and off['rank'] == off['dof'] == off['modes'], f'{words}: {off}'
            assert off['frequency'] < 1e-9 and off['gram'] < 1e-9, f'{words}: {off}'  # measured 2e-12, 5e-13
            assert off['leak'] < 1e-12 and off['mode_leak'] < 1e-9 and off['rates'] < 1e-9, f'{words}: {off}'


@promise
def modes_are_written_by_the_ending_that_is_asked_for():
    with Folder() as folder:
        bar = folder / 'bar.glb'
        works('modes', bar, '-o', folder / 'a.json', '-q')
        works('modes', bar, '-o', folder / 'a.CSV', '-q')
        palette = json.loads((folder / 'a.json').read_text())
        rows = list(csv.DictReader((folder / 'a.CSV').open()))
        names = [f'{joint["name"]}.{axis}' for joint in palette['rig']['joints'] for axis in FREE[joint['type']]]
        assert list(rows[0])[:6] == ['mode', 'kind', 'frequency_Hz', 'eigenvalue', 'damped_Hz', 'damping_ratio']
        assert len(list(rows[0])) == 6 + len(names)
        for row, mode in zip(rows, palette['modes'], strict=True):
            assert (int(row['mode']), row['kind']) == (mode['index'], mode['kind'])
            assert (float(row['frequency_Hz']), float(row['eigenvalue'])) == (mode['frequency_hz'], mode['eigenvalue'])
            assert [float(x) for x in list(row.values())[6:]] == [x for q in mode['joint'] for x in q]
        for name, says in ('a.xyz', '.json, .csv or .npz'), ('a', '.json, .csv or .npz'), ('a.glb', 'come from palette'):
            fails(2, 'modes', bar, '-o', folder / name, says=says)
            assert not (folder / name).exists()
        fails(2, 'modes', bar, '--matrices', folder / 'a.csv', says='--matrices writes .npz')
        fails(2, 'modes', bar, '--matrices', folder / 'a.npz', '-o', folder / 'a.npz', says='to be written twice')


@promise
def the_rig_file_of_a_model_has_the_models_modes():
    with Folder() as folder:
        for path in models() + [folder / name for name in ('bar.glb', 'two.glb', 'limbs.bvh')]:
            judge_round_trip(path, folder)


@promise
def the_rig_file_of_a_real_rig_has_its_modes():
    with Folder() as folder:
        for path in rigs():
            judge_round_trip(path, folder)


judge()
