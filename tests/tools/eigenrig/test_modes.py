"""Modes judged by a program of its own, plain.py; and the files about them."""
import csv
import functools
import json
import math
import os
import pathlib
import re
import zipfile
import shutil
import subprocess
import xml.etree.ElementTree as ET

import plain
from plain import FREE, assemble, multiply, size_of, times_mass, transpose
from program import ENVIRONMENT, Folder, fails, hertz, models, near, palette_of, python_with_numpy, rig_of, rigs, run, works
from tap import SOURCE, promise, run as judge, skip

SVG = '{http://www.w3.org/2000/svg}'

known_rig, known_palette = functools.cache(rig_of), functools.cache(palette_of)  # of models, for all promises; not to be changed


def numpy_frequencies(rig):
    done = subprocess.run([python_with_numpy(), plain.__file__], input=json.dumps(rig), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    return found['frequencies'], found['rank']


def judge_rig(path, relative=1e-6):
    rig, palette = known_rig(path), known_palette(path, '--count', 10**6)
    want, rank = numpy_frequencies(rig)
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
def rigs_have_the_frequencies_that_numpy_finds():
    python_with_numpy()
    with Folder() as folder:
        for path in models() + [folder / name for name in ('bar.glb', 'bar.gltf', 'two.glb', 'limbs.bvh')]:
            judge_rig(path)
    for path in rigs():
        if len(known_rig(path)['bodies']) <= 100:
            judge_rig(path)


@promise
def frequencies_are_the_same_on_processors_of_every_kind():
    for model in ('horse', 'gnome'):
        least, middle, most = (hertz(json.loads(works('modes', SOURCE / 'models' / f'{model}.glb', '-q', '--json',
                                                      env=ENVIRONMENT | {'EIGENRIG_LANES': kind}))) for kind in '134')
        near(least, most, 1e-12, model)
        near(middle, most, 1e-12, model)


@promise
def mode_shapes_of_models_keep_their_promises():
    with Folder() as folder:
        for path in models() + [folder / name for name in ('bar.glb', 'two.glb', 'limbs.bvh')]:
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
        values, masses = 6 + len(names), [f'effective_mass.{axis}' for axis in ('tx', 'ty', 'tz', 'x', 'y', 'z')]
        strain = [f'{joint["name"]}.strain_share' for joint in palette['rig']['joints']]
        motion = [f'{body["name"]}.motion_share' for body in palette['rig']['bodies']]
        assert list(rows[0])[values:] == masses + strain + motion
        for row, mode in zip(rows, palette['modes'], strict=True):
            assert (int(row['mode']), row['kind']) == (mode['index'], mode['kind'])
            assert (float(row['frequency_Hz']), float(row['eigenvalue'])) == (mode['frequency_hz'], mode['eigenvalue'])
            assert [float(x) for x in list(row.values())[6:values]] == [x for q in mode['joint'] for x in q]
            assert abs(sum(float(row[name]) for name in motion) - 1.0) < 1e-9
            if mode['kind'] == 'elastic':
                assert abs(sum(float(row[name]) for name in strain) - 1.0) < 1e-9
        for name, says in ('a.xyz', '.json, .csv or .npz'), ('a', '.json, .csv or .npz'), ('a.glb', 'palette'):
            fails(2, 'modes', bar, '-o', folder / name, says=says)
            assert not (folder / name).exists()
        fails(2, 'modes', bar, '--matrices', folder / 'a.csv', says='.npz')
        fails(2, 'modes', bar, '--matrices', folder / 'a.npz', '-o', folder / 'a.npz', says='a.npz')


def figure_of(path):
    root = ET.parse(path).getroot()
    groups = {group.get('id'): group for group in root.iter(f'{SVG}g') if group.get('id')}
    return root, groups


def corners(path):
    """The points of a path of straight lines, in order."""
    return [tuple(map(float, pair)) for pair in re.findall(r'[ML](-?[\d.]+) (-?[\d.]+)', path.get('d'))]


def limbs(rig):
    """The lines that a rig is drawn as, from its joints alone: of each body from where it hangs to what hangs on it."""
    ends, own = [], {}
    for k, joint in enumerate(rig['joints']):
        own.setdefault(joint['child'], k)
    for b, body in enumerate(rig['bodies']):
        hub = rig['joints'][own[b]]['position'] if b in own else body['position']
        others = [joint['position'] for joint in rig['joints'] if joint['parent'] == b]
        com = [p + x for p, x in zip(body['position'], rotate(body['orientation'], body['com']))]
        for end in others or [[2 * c - h for c, h in zip(com, hub)]]:
            if math.dist(hub, end) > 1e-5:
                ends += [hub, end]
    return ends


def rotate(q, v):
    w, u = q[0], q[1:]
    t = [2 * x for x in cross(u, v)]
    return [a + w * b + c for a, b, c in zip(v, t, cross(u, t))]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


RESIDUAL = """
import sys, numpy
modes, m = dict(numpy.load(sys.argv[1])), dict(numpy.load(sys.argv[2]))
count = len(modes['mode'])
eta, N = modes['body'].reshape(count, -1), m['N']
C, K = (m['R'].T @ m[name] @ m['R'] for name in 'CK')
worst = 0.0
for roots, shapes in zip(modes['root'], modes['damped_shape']):
    for mu, u in zip(roots, shapes):
        parts = [N.T @ (f @ (u @ eta)) for f in (mu ** 2 * m['M'], mu * C, K)]
        worst = max(worst, abs(sum(parts)).max() / max(abs(part).max() for part in parts))
print(worst, int((abs(modes['root'].imag) > 0).sum()), int((abs(modes['damped_shape']).max(axis=2) < 0.99).sum()))
"""


@promise
def damped_modes_obey_their_quadratic_equation_in_numpy():
    with Folder() as folder:
        rig = json.loads((SOURCE / 'models' / 'chain_20.json').read_text())
        for k, joint in enumerate(rig['joints']):
            joint['damping'] = [0.002 * (k % 3) * stiffness for stiffness in joint['stiffness']]
        (folder / 'rig.json').write_text(json.dumps(rig))
        works('modes', 'rig.json', '-o', 'modes.npz', '--matrices', 'matrices.npz', cwd=folder)
        worst, beats, coupled = subprocess.run([python_with_numpy(), '-c', RESIDUAL, folder / 'modes.npz', folder / 'matrices.npz'], capture_output=True, text=True, check=True).stdout.split()
        assert float(worst) < 1e-7 and int(beats) > 20 and int(coupled) > 20, (worst, beats, coupled)
        works('modes', SOURCE / 'models' / 'chain_20.json', '-o', 'plain.npz', cwd=folder)
        assert not {'root.npy', 'damped_shape.npy'} & set(zipfile.ZipFile(folder / 'plain.npz').namelist())


@promise
def names_in_a_spectrum_stand_beside_each_other_however_many():
    with Folder() as folder:
        works('modes', SOURCE / 'models' / 'horse.glb', '--count', 60, '--plot', folder / 'f.svg', '-q')
        _, groups = figure_of(folder / 'f.svg')
        at = [float(re.match(r'translate\(([\d.-]+)', g.get('transform'))[1]) for g in groups['spectrum'].findall(f'{SVG}g')]
        assert len(groups) == 61 and 20 < len(at) < 60 and 0 < at[0] and at[-1] < 482 and all(b - a > 9.9 for a, b in zip(at, at[1:])), at


@promise
def a_figure_has_the_spectrum_and_the_skeleton_in_every_mode():
    with Folder() as folder:
        horse = SOURCE / 'models' / 'horse.glb'
        works('modes', horse, '--count', 9, '-o', folder / 'p.json', '--plot', folder / 'f.svg', '-q')
        palette = json.loads((folder / 'p.json').read_text())
        elastic = [mode for mode in palette['modes'] if mode['kind'] == 'elastic']
        root, groups = figure_of(folder / 'f.svg')
        _, _, wide, tall = map(float, root.get('viewBox').split())
        assert set(groups) == {'spectrum'} | {f'mode_{mode["index"]}' for mode in elastic} and wide == 482
        ink = set(re.findall(r'(?:fill|stroke)="(#[0-9a-f]+)"', (folder / 'f.svg').read_text()))
        assert ink and all(len(set(colour[1:])) == 1 for colour in ink), f'not grey: {ink}'
        spectrum = groups['spectrum']
        marks = [(float(t.get('x')), float(''.join(t.itertext()))) for t in spectrum.findall(f'{SVG}text') if t.get('text-anchor') == 'middle']
        (a, low), (b, high) = marks[0], marks[-1]
        stems = sorted({float(x) for x in re.findall(r'M([\d.]+) [\d.]+v-8', spectrum[0].get('d'))})
        near(stems, sorted({a + (mode['frequency_hz'] - low) / (high - low) * (b - a) for mode in elastic}), 0, 'stems', 0.11)
        assert [t.text.split()[0] for t in spectrum.findall(f'{SVG}g/{SVG}text')] == [str(mode['index']) for mode in elastic]
        rig = palette['rig']
        for mode in elastic:
            group = groups[f'mode_{mode["index"]}']
            rest, minus, plus = (corners(path) for path in group.findall(f'{SVG}g/{SVG}path'))
            names = [''.join(t.itertext()) for t in group.findall(f'{SVG}text')]
            assert str(mode['index']) in names and f'{mode["frequency_hz"]:#.4g} Hz' in names
            right, up = ('xyz'.index(name) for name in names[:2])
            solid = [(point[right], -point[up]) for point in limbs(rig)]
            assert len(rest) == len(plus) == len(minus) == len(solid)
            far = max(range(len(solid)), key=lambda i: math.dist(solid[i], solid[0]))
            scale = math.dist(rest[far], rest[0]) / math.dist(solid[far], solid[0])
            for at, point in zip(rest, solid):
                near([at[0] - rest[0][0], at[1] - rest[0][1]], [scale * (point[0] - solid[0][0]), scale * (point[1] - solid[0][1])], 0, 'rest', 0.03)
            moved = max(math.dist(p, r) for p, r in zip(plus, rest))
            assert 0.02 * scale * size_of(rig) < moved < 0.4 * scale * size_of(rig)  # a quarter, to first order
            together = sum((p[i] - r[i]) * (m[i] - r[i]) for p, m, r in zip(plus, minus, rest) for i in (0, 1))
            assert together < -0.1 * moved ** 2, 'the ends of a swing lie on either side of rest'
            assert all(0 <= x <= wide and 0 <= y <= tall for x, y in rest + plus + minus)


@promise
def a_figure_is_pdf_where_there_is_a_program_for_that():
    with Folder() as folder:
        bar, out = folder / 'bar.glb', folder / 'f.pdf'
        fails(1, 'modes', bar, '--plot', out, env=ENVIRONMENT | {'PATH': str(folder)}, says='rsvg-convert')
        fails(2, 'modes', bar, '--plot', folder / 'f.png', says='.svg or .pdf')
        assert not out.exists()
        (folder / 'rsvg-convert').write_text('#!/bin/sh\necho broken >&2; exit 1\n')
        (folder / 'rsvg-convert').chmod(0o755)
        fails(1, 'modes', bar, '--plot', out, env=ENVIRONMENT | {'PATH': str(folder)}, says='broken')
        assert not out.exists()
        if shutil.which('rsvg-convert') is None:
            skip('rsvg-convert is not installed (Debian: librsvg2-bin)')
        works('modes', bar, '--plot', out)
        page = out.read_bytes()
        assert page.startswith(b'%PDF-') and b'/Subtype /Image' not in page and b'/MediaBox [ 0 0 482 ' in page  # lines, no pixels


@promise
def the_rig_file_of_a_model_has_the_models_modes():
    with Folder() as folder:
        for path in models() + [folder / name for name in ('bar.glb', 'two.glb', 'limbs.bvh')]:
            judge_round_trip(path, folder)


@promise
def files_are_written_though_nobody_reads_the_table():
    """As behind `| head`; several files at once."""
    with Folder() as folder:
        horse = SOURCE / 'models' / 'horse.glb'  # whose tables are longer than what a stream keeps
        for words, files in ((['modes', horse, '-o', 'a.npz', '-o', 'b.csv', '--matrices', 'm.npz'], ['a.npz', 'b.csv', 'm.npz']),
                             (['modes', horse, '--plot', 'm.svg'], ['m.svg']), (['info', horse, '-o', 'rig.png'], ['rig.png'])):
            ends = os.pipe()
            os.close(ends[0])
            run(*words, cwd=folder, stdout=ends[1])
            os.close(ends[1])
            assert all((folder / name).stat().st_size > 0 for name in files), files
        fails(2, 'modes', 'bar.glb', '-o', 'a.npz', '-o', 'a.npz', says='a.npz', cwd=folder)
        fails(2, 'modes', 'bar.glb', '-o', 'a.npz', '-o', 'b.txt', says='b.txt', cwd=folder)


judge()
