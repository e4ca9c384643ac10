"""Full dynamics by `simulate`: what its tables and clips hold, judged by laws that hold whatever the joints do."""
import csv
import itertools
import json
import math
import re
import signal
import statistics
import subprocess
import time

from program import ENVIRONMENT, Folder, PROGRAM, SOURCE, fails, python_with_numpy, rig_of, run, works
from tap import promise, run as judge

from floor import write_floor
from gltf_reader import Gltf

MODELS = SOURCE / 'models'
TABLES = {'energy.csv', 'momentum.csv', 'bodies.csv', 'joints.csv', 'reactions.csv', 'contacts.csv', 'frames.npz', 'energy.svg'}


def table(path):
    """A CSV's rows as dictionaries of numbers."""
    with open(path, newline='') as file:
        return [{name: float(value) for name, value in row.items()} for row in csv.DictReader(file)]


def mass_of(model, folder):
    return sum(body['mass'] for body in rig_of(model, cwd=folder)['bodies'])


def balance(rows):
    """Mechanical energy less work, and heat, at each frame."""
    return [row['mechanical'] - row['work'] + row['heat'] for row in rows]


@promise
def what_falls_freely_keeps_energy_and_gains_momentum():
    with Folder() as folder:
        works('simulate', 'bar.glb', '--pose', 'bend@1', '--push', 'bone2:3,1,2@0', '--duration', '1', '-o', 'out', '-q', cwd=folder)
        assert {path.name for path in (folder / 'out').iterdir()} == TABLES
        energy, momentum = table(folder / 'out/energy.csv'), table(folder / 'out/momentum.csv')
        assert list(energy[0])[:5] == ['time_s', 'kinetic', 'potential', 'elastic', 'mechanical']
        assert len(energy) == 61 and energy[-1]['time_s'] == 1
        most = max(row['kinetic'] for row in energy)
        assert all(abs(x - balance(energy)[0]) < 1e-5 * most for x in balance(energy))
        mass = mass_of('bar.glb', folder)
        for row in momentum[1:]:
            assert abs(row['px'] - 3) < 1e-6 and abs(row['pz'] - 2) < 1e-6, row
            assert abs(row['py'] - (1 - mass * 9.81 * row['time_s'])) < 1e-6 * mass, row
        assert max(row['elastic'] for row in energy) > 1e-3  # joints do move


@promise
def a_clip_stands_where_the_bodies_stood():
    with Folder() as folder:
        works('simulate', 'bar.glb', '--push', 'bone2:40@0.1', '--duration', '0.5', '--fps', '30', '-o', 'out.glb', '-o', 'out',
              '-o', 'out.bvh', '-o', 'out.csv', '-o', 'out.npz', '-o', 'out.svg', '-q', cwd=folder)
        told = run('simulate', 'bar.glb', '--duration', '0.1', '-o', 'contacts.csv', '-o', 'tables', cwd=folder).stderr.decode()
        assert 'contacts.csv: coordinates of joints' in told and 'tables: tables' in told and '-o FOLDER writes a table of that name' in told, told
        written, rows = Gltf(folder / 'out.glb'), table(folder / 'out/bodies.csv')
        clips = written.list('animations')
        assert [clip['name'] for clip in clips] == ['simulation', 'bend']
        channels = written.clip(0)
        names = [node['name'] for node in written.list('nodes')]
        for row in rows:
            worlds = written.worlds(channels, row['time_s'])
            for bone in ('bone0', 'bone1', 'bone2'):
                at = [line[3] for line in worlds[names.index(bone)]]
                assert math.dist(at, [row[f'{bone}.{axis}'] for axis in 'xyz']) < 1e-5, (bone, row['time_s'])
        assert (folder / 'out.csv').read_text() == (folder / 'out/joints.csv').read_text()
        assert math.dist([rows[0]['bone2.x'], rows[0]['bone2.y']], [rows[-1]['bone2.x'], rows[-1]['bone2.y']]) > 0.5


@promise
def held_bodies_follow_the_clip_and_lead_the_others():
    with Folder() as folder:
        works('simulate', 'bar.glb', '--from', 'bend@0.25', '--hold', 'bone0,bone1', '--duration', '0.5', '-o', 'out.glb', '-q',
              cwd=folder)
        source, written = Gltf(folder / 'bar.glb'), Gltf(folder / 'out.glb')
        bend, simulated, apart = source.clip(0), written.clip(0), 0.0
        for k in range(31):
            x, y = source.worlds(bend, 0.25 + k / 60), written.worlds(simulated, k / 60)
            for node in (0, 1):
                for line, other in zip(x[node], y[node]):
                    assert math.dist(line, other) < 1e-4, (k, node)  # between the clip's samples lies a spline
            apart = max(apart, max(math.dist(line, other) for line, other in zip(x[2], y[2])))
        assert apart > 0.01, apart  # what is not held lags behind


@promise
def cycles_run_until_one_ends_as_it_began():
    fox = SOURCE / 'models' / 'fox.glb'
    lead = ['--from', 'run@0', '--hold', 'trunk,neck,head,left*,right*', '--loop', '--gravity', '0']
    with Folder() as folder:
        done = run('simulate', fox, *lead, '--damping', '0.3', '-o', 'out', '-o', 'out.glb', cwd=folder)
        assert done.returncode == 0 and b'repeats after' in done.stderr, done.stderr
        rows = table(folder / 'out/joints.csv')
        moving = [key for key in rows[0] if key.startswith('tail') and '_rate' not in key]
        assert moving and abs(rows[-1]['time_s'] - 0.5) < 1e-9, (moving, rows[-1]['time_s'])
        apart = max(abs(rows[0][key] - rows[-1][key]) for key in moving)
        swing = max(max(row[key] for row in rows) - min(row[key] for row in rows) for key in moving)
        assert apart < 0.01 and swing > 2, (apart, swing)  # degrees
        assert b'does not become periodic' in run('simulate', fox, *lead, '--stiffness', 'uniform:1', '--fps', '20', '-o', 'off.glb', cwd=folder).stderr
        assert b'springs begin with' in run('simulate', fox, '--from', 'run@0.1', '--duration', '0.1', '-o', 'off.glb', cwd=folder).stderr
        for words, says in ((['--duration', '1'], 'duration'), (['--push', 'tail_1:1@0'], 'push'), (['--ground'], 'ground')):
            fails(1, 'simulate', fox, *lead, *words, '-o', 'o.glb', says=says, cwd=folder)


@promise
def springs_rest_in_a_clip():
    fox = SOURCE / 'models' / 'fox.glb'
    lead = ['--from', 'run@0', '--hold', 'trunk,neck,head,left*,right*', '--rest', 'clip', '--fps', '30']
    with Folder() as folder:
        def bends(*words):  # degrees, of tail joints, a row a frame
            works('simulate', fox, *lead, *words, '-q', '-o', 'out', cwd=folder)
            return [[row[key] for key in row if key.startswith('tail') and '_rate' not in key] for row in table(folder / 'out/joints.csv')]
        stiff = ['--stiffness', 'graded:60', '--damping', '1', '--duration', '0.5']
        keyed = bends(*stiff)  # springs of 60 Hz leave the tail where the run has it
        works('simulate', fox, *lead[:4], '--hold', 'trunk,neck,head,left*,right*,tail_1', '--fps', '30', '--duration', '0.5', '-q', '-o', 'own', cwd=folder)
        first = [key for key in table(folder / 'own/joints.csv')[0] if key.startswith('tail_1') and '_rate' not in key]
        run_has = [[row[key] for key in first] for row in table(folder / 'own/joints.csv')]
        assert max(math.dist(a[:3], b) for a, b in zip(keyed, run_has)) < 1.5, 'degrees'
        assert max(abs(a) for row in run_has for a in row) > 5  # which the equilibrium is far from
        loose = bends('--damping', '0.3', '--loop')
        assert math.dist(loose[0], loose[-1]) < 0.05 and max(math.dist(a, b) for a, b in zip(keyed, loose)) > 3
        fails(1, 'simulate', fox, *lead, '--ground', '-o', 'o.glb', says='contacts', cwd=folder)


@promise
def a_world_of_files_moves_as_its_author_measured():
    with Folder() as folder:
        works('simulate', MODELS / 'bacin/9.4.cfg', '-o', folder / '9.4', '-q')
        energy = table(folder / '9.4/energy.csv')
        assert len(energy) == 451 and energy[-1]['time_s'] == 15
        assert statistics.pstdev(row['mechanical'] for row in energy) < 1.32e-4  # what he printed; 2.0e-7 here
        code = ('import numpy as np; z = np.load("9.4/frames.npz"); e = z["energy"]; p = z["position"]; '
                'assert e.shape == (451, 6) and z["orientation"].shape == p.shape[:2] + (4,) and '
                'z["reaction"].shape == (451, len(z["joint_names"]), 6); '
                'assert abs(e[:, :3].sum(axis=1) - e[:, 3]).max() < 1e-9')
        subprocess.run([python_with_numpy(), '-c', code], cwd=folder, check=True)


@promise
def a_run_that_is_stopped_leaves_whole_what_was_finished():
    with Folder() as folder:
        with subprocess.Popen([PROGRAM, 'simulate', MODELS / 'horse.glb', '--duration', '2000', '--fps', '1', '--damping', '0.1',
                               '-o', 'out', '-q'], cwd=folder, env=ENVIRONMENT) as process:
            time.sleep(1.0)
            process.send_signal(signal.SIGINT)
            process.wait(60)
        rows = table(folder / 'out/energy.csv')
        assert 2 <= len(rows) < 2001 and {path.name for path in (folder / 'out').iterdir()} == TABLES, len(rows)
        assert process.returncode == -signal.SIGINT


def contacts_of(path):
    """The rows of contacts.csv: numbers, and the names of two bodies."""
    with open(path, newline='') as file:
        return [{name: value if name.startswith('body') else float(value) for name, value in row.items()}
                for row in csv.DictReader(file)]


@promise
def what_touches_bears_the_weight_within_the_cone():
    with Folder() as folder:
        works('simulate', MODELS / 'gnome.glb', '--drop', '0.1', '--friction', '0.5', '--duration', '6', '--fps', '30', '-o', 'out',
              '-q', cwd=folder)
        weight = 9.81 * mass_of(MODELS / 'gnome.glb', folder)
        names = {body['name'] for body in rig_of(MODELS / 'gnome.glb', cwd=folder)['bodies']}
        rows = contacts_of(folder / 'out/contacts.csv')
        assert min(row['time_s'] for row in rows) > math.sqrt(2 * 0.1 / 9.81) - 1 / 30, rows[0]
        push = {axis: sum(row[f'force_{axis}_N'] for row in rows if row['time_s'] == 6) for axis in 'xyz'}
        assert abs(push['y'] + weight) < 0.02 * weight and abs(push['x']) + abs(push['z']) < 0.02 * weight, (push, weight)
        for row in rows:  # of the second, which is the floor: it is pushed down
            force, normal = ([row[f'{kind}_{axis}{unit}'] for axis in 'xyz'] for kind, unit in (('force', '_N'), ('normal', '')))
            along = sum(map(float.__mul__, force, normal))
            aside = math.sqrt(max(sum(f * f for f in force) - along * along, 0.0))
            assert row['body_1'] in names and row['body_2'] == '' and math.dist(normal, (0, -1, 0)) < 1e-9, row
            assert along > -1e-9 and aside < 0.5 * along + 1e-6 * weight, row
            assert abs(row['y_m']) < 0.02 and row['distance_m'] < 0.02, row
        code = ('import numpy as np, csv; z = np.load("out/frames.npz"); rows = list(csv.reader(open("out/contacts.csv")))[1:]; '
                'names = list(z["body_names"]) + [""]; '
                'assert [list(map(float, row[3:])) for row in rows] == [row + [0] for row in z["contact"].tolist()]; '
                'assert [float(row[0]) for row in rows] == z["time"][z["contact_frame"]].tolist(); '
                'assert [row[1:3] for row in rows] == [[names[i] for i in pair] for pair in z["contact_body"]]')
        subprocess.run([python_with_numpy(), '-c', code], cwd=folder, check=True)


@promise
def contacts_give_the_momentum_at_any_frame_rate():
    with Folder() as folder:
        mass = mass_of(MODELS / 'gnome.glb', folder)
        for fps in (17, 60, 240):
            works('simulate', MODELS / 'gnome.glb', '--drop', '0.5', '--duration', '1.5', '--fps', fps, '-o', f'at{fps}', '-q', cwd=folder)
            momentum = table(folder / f'at{fps}/momentum.csv')
            frame, seconds = (momentum[k]['time_s'] - momentum[0]['time_s'] for k in (1, -1))
            rows = contacts_of(folder / f'at{fps}/contacts.csv')
            for axis in 'xyz':
                pushed = frame * sum((1 if row['body_2'] else -1) * row[f'force_{axis}_N'] for row in rows)
                change = momentum[-1][f'p{axis}'] - momentum[0][f'p{axis}'] + (mass * 9.81 * seconds if axis == 'y' else 0)
                assert abs(pushed - change) < 1e-6 * mass * 9.81, (fps, axis, pushed, change)


@promise
def a_giant_is_told_to_fall_slowly():
    with Folder() as folder:
        for height, told in (('1.8', ''), ('45', 'it is 45 m high, so that all takes 5 times as long as for a person')):
            done = run('simulate', 'bar.glb', '--height', height, '--ground', '--duration', '0.1', '-o', 'out.csv', cwd=folder)
            assert done.returncode == 0 and ('as for a person' in done.stderr.decode()) == bool(told) and told in done.stderr.decode(), done.stderr


@promise
def a_scene_is_fallen_on_as_a_floor_is():
    with Folder() as folder:
        low = {}
        for name, height in (('near', -1.0), ('far', -3.0)):
            write_floor(folder / f'{name}.gltf', height)
            works('simulate', MODELS / 'gnome.glb', '--static', f'{name}.gltf', '--duration', '5', '--fps', '10', '-o', name, '-q', cwd=folder)
            last = table(folder / name / 'energy.csv')[-1]
            assert last['kinetic'] < 1e-2, last
            low[name] = last['potential'] / (mass_of(MODELS / 'gnome.glb', folder) * 9.81)
        assert abs(low['near'] - low['far'] - 2.0) < 0.3, low  # it lies as high as it did, this way or that
        (folder / 'none.gltf').write_text('{"asset": {"version": "2.0"}, "scenes": [{"nodes": []}]}')
        fails(1, 'simulate', 'bar.glb', '--static', 'none.gltf', '-o', 'o', says='none.gltf', cwd=folder)
        fails(1, 'simulate', 'bar.glb', '--static', 'nowhere.glb', '-o', 'o', says='nowhere.glb', cwd=folder)


@promise
def words_that_make_no_simulation_are_refused():
    with Folder() as folder:
        for status, words, says in [
                (2, [], '-o'), (2, ['-o', 'out.xyz'], '.glb'), (2, ['-o', 'a.glb', '-o', 'a.glb'], 'twice'),
                (2, ['-o', 'o', '--integrator', 'rk5'], 'rk4'), (2, ['-o', 'o', '--duration', '0'], '--duration'),
                (1, ['-o', 'o', '--push', 'nose:1@0'], 'nose'), (1, ['-o', 'o', '--push', 'bone1'], 'JOINT:NS@S'),
                (1, ['-o', 'o', '--push', 'bone1:1,2@0'], 'JOINT:NS@S'), (1, ['-o', 'o', '--hold', 'nose'], 'nose'),
                (1, ['-o', 'o', '--hold', '*'], 'every body'), (1, ['-o', 'o', '--from', 'bend@7'], 'from 0 to 1'),
                (1, ['-o', 'o', '--from', 'fly@0'], 'fly'), (1, ['-o', 'o', '--from', 'nowhere.json'], 'nowhere.json'),
                (1, ['-o', 'no/where/o.glb'], 'no/where')]:
            fails(status, 'simulate', 'bar.glb', *words, says=says, cwd=folder)
            assert not (folder / 'o').exists(), words
        for more, says in [(['--integrator', 'rk4'], 'contact'), (['--drop', '1', '--root', 'fixed'], 'world'),
                           (['--drop', '1', '--hold', 'bone1'], 'held')]:
            fails(1, 'simulate', 'bar.glb', '--ground', *more, '-o', 'o', says=says, cwd=folder)
        fails(1, 'simulate', 'nothing.cfg', '-o', 'o', says='nothing.cfg', cwd=folder)


EVERY_KIND = {'duration': '0.2', 'fps': '200', 'gravity': '3', 'integrator': 'rk4', 'route': 'multipliers', 'tolerance': '1e-9',
              'limits': '', 'push': ''}  # --push: a joint of the input
RIGGED = {'hold': '', 'ground': '', 'drop': '0.5', 'static': 'floor.gltf', 'self-collision': '', 'root': 'fixed',
          'stiffness': 'uniform:40', 'damping': '0.3', 'mass': '2', 'rig': 'own.lua', 'symmetrize': '', 'tune': '6:3'}  # --hold: a body of the input
TOUCHING = {'friction': '0.1', 'restitution': '0.9', 'sleep': '0'}
MODELS_ONLY = {'from': 'bend@0.5', 'loop': '', 'rest': 'clip', 'joints': 'revolute', 'density': '300', 'height': '5', 'up': 'x', 'forward': 'x', 'pose': 'bend@0.5',
               'skeleton': 'bone1', 'character': '1', 'props': 'none', 'infer-parents': ''}
# Pairs that apply, but change nothing on these small inputs: they have no limits, no side files, no props, no loose bones.
UNSEEN = {('bar.glb', name) for name in ('limits', 'forward', 'allow-outside', 'props', 'infer-parents', 'sleep', 'character')} | {
    ('bar.json', name) for name in ('allow-outside', 'sleep')}
SHARED = {'help', 'quiet', 'verbose', 'version', 'errors', 'strict', 'threads', 'progress', 'output'}


def write_inputs(folder):
    """A rig of two bodies with limits, and a world of it in motion."""
    bar = rig_of('bar.glb', cwd=folder)
    for joint in bar['joints']:
        joint['limits'] = [[-1e-2, 1e-2]] * len(joint['stiffness'])
    (folder / 'bar.json').write_text(json.dumps(bar))
    state = [{'position': body['position'], 'orientation': body['orientation'], 'twist': [0, 0, k, 0, 0, 0]}
             for k, body in enumerate(bar['bodies'])]
    (folder / 'world.json').write_text(json.dumps({'format': 'eigenrig-world', 'version': 1, 'duration': 0.1, 'frames': 5, 'rig': bar,
                                                   'gravity': [0, -9.81, 0], 'state': state}))
    (folder / 'own.lua').write_text('return {mass = 3}')
    write_floor(folder / 'floor.gltf', -0.01)
    return bar


@promise
def an_option_acts_or_is_refused():
    with Folder() as folder:
        bar = write_inputs(folder)
        words = dict(EVERY_KIND | RIGGED | TOUCHING | MODELS_ONLY | {'allow-outside': ''}, push=f'{bar["joints"][-1]["name"]}:1,2,3@0.01',
                     hold=bar['bodies'][0]['name'])
        listed = set(re.findall(r'--([a-z-]+)', '\n'.join(re.findall(r'^  .{0,30}?--[a-z-]+', works('simulate', '--help'), re.M))))
        assert listed - SHARED == set(words), listed ^ set(words)
        lead = {'bar.glb': ['--push', words['push']], 'bar.json': ['--push', words['push']], 'world.json': []}
        told = {kind: set(re.findall(r'--([a-z-]+)', lines)) for kind, lines in re.findall(r'^Not for (rig|world) files:(.*(?:\n  .*)*)', works('simulate', '--help'), re.M)}
        assert told == {'rig': set(MODELS_ONLY), 'world': set(RIGGED) | set(TOUCHING) | set(MODELS_ONLY) | {'allow-outside'}}, told
        idle = set()
        for source, more in lead.items():
            applies = set(EVERY_KIND) | (set() if source == 'world.json' else set(RIGGED) | set(TOUCHING) | {'allow-outside'})
            applies |= set(MODELS_ONLY) if source == 'bar.glb' else set()
            before = None
            for name, value in words.items():
                given = [f'--{name}', *([value] if value else [])]
                if name not in applies:
                    fails(2, 'simulate', source, *given, '-o', 'o.npz', says=f'--{name} ', cwd=folder)
                    continue
                base = ['--push', words['push'].replace('1,2,3', '0,0,60'), '--drop', '0.2', '--duration', '0.5'] if name in TOUCHING else more + ['--duration', '0.1']
                if name in ('loop', 'rest'):  # they need others: cycles_run_until_one_ends_as_it_began(), springs_rest_in_a_clip()
                    fails(1, 'simulate', source, *given, '-o', 'o.npz', says='from', cwd=folder)
                    continue
                if name in TOUCHING:
                    fails(2, 'simulate', source, *given, '-o', 'o.npz', says='--ground', cwd=folder)
                if base != before:
                    works('simulate', source, *base, '-o', 'plain.npz', '-q', cwd=folder)
                before = base
                works('simulate', source, *base, *given, '-o', 'o.npz', '-q', cwd=folder)
                if (folder / 'o.npz').read_bytes() == (folder / 'plain.npz').read_bytes():
                    idle.add((source, name))
        assert idle == UNSEEN, idle ^ UNSEEN


@promise
def a_world_s_own_integrator_gives_way_to_the_default_by_name():
    with Folder() as folder:
        write_inputs(folder)
        world = json.loads((folder / 'world.json').read_text())
        for key, other, usual in (('integrator', 'rk4', 'fehlberg'), ('route', 'multipliers', 'reduced')):
            (folder / 'other.json').write_text(json.dumps(world | {key: other}))
            works('simulate', 'other.json', f'--{key}', usual, '-o', 'named.npz', '-q', cwd=folder)
            works('simulate', 'world.json', '-o', 'usual.npz', '-q', cwd=folder)
            assert (folder / 'named.npz').read_bytes() == (folder / 'usual.npz').read_bytes(), key


@promise
def other_commands_read_the_rig_of_a_world():
    with Folder() as folder:
        write_inputs(folder)
        assert rig_of('world.json', cwd=folder)['bodies']
        assert [body['name'] for body in rig_of(MODELS / 'bacin/9.5.cfg', cwd=folder)['bodies']] == ['tetra', 'slab']
        for words in (['info'], ['modes'], ['render', '-o', 'o.png']):
            for source, option in itertools.product(('bar.json', MODELS / 'bacin/9.4.cfg'), ('--up', '--forward', '--joints')):
                fails(2, words[0], source, *words[1:], option, 'revolute' if option == '--joints' else 'x', says=f'{option} ', cwd=folder)


judge()
