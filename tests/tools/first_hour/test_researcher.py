"""A researcher's first hour: twelve tasks."""
import csv
import json
import math
import pathlib
import re
import subprocess
import xml.dom.minidom

from hour import failed, task
from program import Folder, SOURCE, fails, hertz, palette_of, python_with_numpy, run as ask, works
from tap import run

LINKAGE, CHAIN = SOURCE / 'models' / 'four_bar.json', SOURCE / 'models' / 'chain_20.json'
MATRICES = pathlib.Path(__file__).parents[1] / 'eigenrig' / 'matrices.py'
MASS, ARM, INERTIA, STIFFNESS, RATIO = 2.0, 0.5, 0.1, 30.0, 0.05


def pendulum(path, **more):
    """A body of one joint to the world, and a spring in it."""
    body = {'name': 'bob', 'mass': MASS, 'com': [ARM, 0, 0], 'inertia': [[INERTIA, 0, 0], [0, INERTIA, 0], [0, 0, INERTIA]],
            'position': [0, 0, 0], 'orientation': [1, 0, 0, 0]}
    joint = {'name': 'hinge', 'parent': -1, 'child': 0, 'type': 'revolute', 'position': [0, 0, 0], 'orientation': [1, 0, 0, 0],
             'stiffness': [STIFFNESS]} | more
    path.write_text(json.dumps({'format': 'eigenrig-rig', 'version': 1, 'bodies': [body], 'joints': [joint]}))
    return math.sqrt(STIFFNESS / (INERTIA + MASS * ARM ** 2)) / (2 * math.pi)


@task
def a_pendulum_has_its_textbook_frequency():
    with Folder() as folder:
        exact = pendulum(folder / 'rig.json')
        assert abs(hertz(palette_of('rig.json', cwd=folder))[0] / exact - 1) < 1e-12


@failed
def frequencies_go_to_a_table():
    with Folder() as folder:
        works('modes', LINKAGE, '-o', 'modes.csv', cwd=folder)
        rows = list(csv.DictReader((folder / 'modes.csv').open()))
        assert [float(row['frequency_Hz']) for row in rows] == hertz(palette_of(LINKAGE))


@failed
def matrices_and_modes_in_numpy_are_one_eigenproblem():
    with Folder() as folder:
        works('modes', CHAIN, '--count', '20', '-o', 'modes.npz', '--matrices', 'matrices.npz', cwd=folder)
        told = json.loads(subprocess.run([python_with_numpy(), MATRICES, folder / 'modes.npz', folder / 'matrices.npz'], capture_output=True, text=True, check=True).stdout)[0]
        assert told['modes'] == 20 and told['frequency'] < 1e-9 and told['gram'] < 1e-9 and told['mode_leak'] < 1e-9, told


@failed
def a_figure_for_print_is_drawn():
    with Folder() as folder:
        works('modes', LINKAGE, '--plot', 'figure.svg', cwd=folder)
        text = ''.join(node.firstChild.data for node in xml.dom.minidom.parse(str(folder / 'figure.svg')).getElementsByTagName('text'))
        assert 'Hz' in text and 'crank' in text, text
        fails(2, 'modes', LINKAGE, '--plot', 'figure.tiff', says='.svg', cwd=folder)


@failed
def modes_by_their_number_work_in_lua_and_a_wrong_word_is_answered():
    with Folder() as folder:
        (folder / 'a.lua').write_text('local modes = eigenrig.load(arg[1]):modes(8) for k = 0, #modes - 1 do print(string.format("%.9g", modes[k].frequency_hz)) end')
        printed = [float(line) for line in works('run', 'a.lua', CHAIN, cwd=folder).split()]
        wanted = hertz(palette_of(CHAIN, '--count', '8'))
        assert len(printed) == len(wanted) and all(abs(a - b) <= 1e-8 * b for a, b in zip(printed, wanted))
        (folder / 'b.lua').write_text('print(eigenrig.load(arg[1]):modes()[1].hz)')
        fails(1, 'run', 'b.lua', CHAIN, says='did you mean frequency_hz', cwd=folder)


@task
def a_mistyped_key_of_a_rig_file_is_named():
    with Folder() as folder:
        pendulum(folder / 'rig.json', dampng=[1.0])
        assert 'did you mean damping' in ask('modes', 'rig.json', cwd=folder).stderr.decode()
        fails(1, 'modes', 'rig.json', '--strict', cwd=folder, says='')
        pendulum(folder / 'rig.json', stiffness=None, stifness=[1.0])
        assert 'stiffness' in fails(1, 'modes', 'rig.json', cwd=folder)


@task
def damping_lowers_the_frequency_as_it_should():
    with Folder() as folder:
        exact = pendulum(folder / 'rig.json')
        works('modes', 'rig.json', '--damping', RATIO, '-o', 'modes.csv', cwd=folder)
        row = next(csv.DictReader((folder / 'modes.csv').open()))
        assert abs(float(row['damped_Hz']) / (exact * math.sqrt(1 - RATIO ** 2)) - 1) < 1e-12 and float(row['damping_ratio']) == RATIO


@task
def four_times_the_stiffness_is_twice_the_frequency():
    with Folder() as folder:
        soft, stiff = (hertz(palette_of('bar.glb', '--stiffness', f'uniform:{k}', cwd=folder)) for k in (10, 40))
        assert all(abs(b / a - 2) < 1e-9 for a, b in zip(soft[6:], stiff[6:])) and len(soft) > 6


@task
def full_dynamics_swing_at_the_modes_frequency_and_keep_their_energy():
    with Folder() as folder:
        exact = pendulum(folder / 'rig.json')
        works('simulate', 'rig.json', '--gravity', '0', '--push', 'hinge:0,0.01,0@0', '--duration', '2', '--fps', '500', '--tolerance', '1e-9', '-o', 'q.csv', cwd=folder)
        rows = [[float(x) for x in row] for row in list(csv.reader((folder / 'q.csv').open()))[1:]]
        angle = [(row[0], row[1]) for row in rows]
        zeros = [a + (b - a) * x / (x - y) for (a, x), (b, y) in zip(angle, angle[1:]) if x < 0 <= y]
        found = (len(zeros) - 1) / (zeros[-1] - zeros[0])
        assert abs(found / exact - 1) < 1e-5, (found, exact)
        most = [max(abs(x) for t, x in angle if begin <= t < begin + 0.5) for begin in (0.0, 1.5)]
        assert abs(most[1] / most[0] - 1) < 1e-3, most


@task
def how_far_a_mode_is_true_is_told():
    told = json.loads(works('validate', LINKAGE, '--json'))
    mode = told['modes'][0]
    beyond = [trial for trial in mode['trials'] if trial['amplitude_degrees'] > mode['true_to_degrees'] + 0.5]
    assert 1 < mode['true_to_degrees'] < 60 and all(abs(trial['frequency_shift']) > told['shift'] for trial in beyond) and beyond


@task
def every_route_gives_the_same_modes():
    first, *others = (hertz(palette_of(LINKAGE, '--method', method)) for method in ('svd', 'qr', 'tree'))
    assert first and all(abs(a / b - 1) < 1e-9 for other in others for a, b in zip(first, other))


@task
def the_program_and_its_method_are_cited():
    text = works('cite', 'bibtex')
    assert text.count('@') >= 2 and 'eigenrig' in text and (SOURCE / 'CITATION.cff').is_file()
    known = (SOURCE / 'docs' / 'references.md').read_text()
    assert all(doi in known for doi in re.findall(r'doi *= *\{([^}]+)\}', text))


run()
