"""World files on screen and as files: solids at their size, up as the file has it, frames, impacts, and runs that end early."""
import csv
import json
import math
import re
import resource
import subprocess

from program import ENVIRONMENT, Folder, PROGRAM, SOURCE, fails, python_with_numpy, rig_of, run, works
from tap import promise, run as judge, skip

import png_rows
from gltf_reader import Gltf

BACIN, SCENES = SOURCE / 'models' / 'bacin', SOURCE / 'models' / 'scenes'
CUBE = [[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]


def table(path):
    with open(path, newline='') as file:
        return [{name: value if name.startswith('body_') else float(value) for name, value in row.items()} for row in csv.DictReader(file)]


def world(**more):
    """A cube of 1 kg, a metre wide, whose middle is two metres over the origin, along z."""
    sixth = 1 / 6
    body = {'name': 'cube', 'mass': 1, 'com': [0, 0, 0], 'inertia': [[sixth, 0, 0], [0, sixth, 0], [0, 0, sixth]],
            'position': [0, 0, 2], 'orientation': [1, 0, 0, 0]}
    return {'format': 'eigenrig-world', 'version': 1, 'duration': 1, 'frames': 10, 'gravity': [0, 0, -9.81],
            'rig': {'format': 'eigenrig-rig', 'version': 1, 'bodies': [body], 'joints': []},
            'shapes': [{'name': 'cube', 'body': 0, 'vertices': CUBE}]} | more


def covered(*words, cwd=None):
    """The rows of a picture's opacity, as lists of truth."""
    done = run('render', *words, '--transparent', '-o', '-', '-q', cwd=cwd)
    if b'no picture can be drawn here' in done.stderr:
        skip(done.stderr.decode().strip())
    assert done.returncode == 0, done.stderr
    width, _, rows = png_rows.read(done.stdout, 4)
    return [[row[4 * x + 3] > 128 for x in range(width)] for row in rows]


def extent(rows):
    """Width and height of what is covered, in pixels."""
    lines = [y for y, row in enumerate(rows) if any(row)]
    columns = [x for x in range(len(rows[0])) if any(row[x] for row in rows)]
    return columns[-1] - columns[0] + 1, lines[-1] - lines[0] + 1


@promise
def steps_that_no_number_tells_apart_are_refused():
    with Folder() as folder:
        for more in ({'duration': 1e50}, {'max_step': 1e-300, 'min_step': 0}):
            (folder / 'w.json').write_text(json.dumps(world(integrator='contact') | more))
            fails(1, 'simulate', 'w.json', '-o', 'w.csv', says='steps of', cwd=folder, timeout=20)


@promise
def solids_are_drawn_at_their_size_and_up_is_up():
    front = ['--size', '160x120', '--view', 'front']
    wide, high = extent(covered(SCENES / 'ragdoll.json', *front))
    assert high > 2.5 * wide, (wide, high)  # it stands
    rows = covered(BACIN / '9.5.cfg', *front)
    ground = [y for y, row in enumerate(rows) if all(row)]
    assert 20 < len(ground) and ground[-1] == 119 and not any(rows[0]), ground  # a slab of 200 m goes beyond both sides
    with Folder() as folder:
        for name, half, least, most in (('cube', [0.5, 0.5, 0.5], 0.8, 1.25), ('bar', [2, 0.5, 0.5], 2.5, 5)):
            box = {'name': name, 'body': 0, 'kind': 'box', 'half': half}
            (folder / 'w.json').write_text(json.dumps(world(shapes=[box], collide=False)))
            wide, high = extent(covered('w.json', '--size', '160x120', '--view', '0,0', cwd=folder))
            assert least < wide / high < most, (name, wide, high)
        for kind in ({'kind': 'sphere', 'radius': 1}, {'kind': 'cylinder', 'radius': 0.2, 'length': 4}, {'kind': 'capsule', 'radius': 0.2, 'length': 4}):
            (folder / 'w.json').write_text(json.dumps(world(shapes=[{'body': 0} | kind], collide=False)))
            wide, high = extent(covered('w.json', '--size', '160x120', '--view', '0,0', cwd=folder))
            assert (abs(wide - high) <= 2) if kind['kind'] == 'sphere' else high > 7 * wide, (kind, wide, high)  # along z


@promise
def a_picture_and_a_film_show_the_run():
    with Folder() as folder:
        (folder / 'w.json').write_text(json.dumps(world()))
        covered('w.json', cwd=folder)  # or skip
        works('render', 'w.json', '--fps', '5', '--size', '48x36', '--transparent', '-o', 'f%d.png', cwd=folder)
        tops = []
        for k in range(5):
            _, _, rows = png_rows.read((folder / f'f{k}.png').read_bytes(), 4)
            tops.append(next(y for y, row in enumerate(rows) if any(row[3::4])))
        assert tops == sorted(tops) and tops[-1] > tops[0] + 10, tops  # it falls
        fails(2, 'render', 'bar.glb', '--time', '1', '-o', 'x.png', says='--time', cwd=folder)


@promise
def a_clip_has_the_solids_where_the_bodies_are():
    with Folder() as folder:
        works('simulate', BACIN / '9.5.cfg', '--duration', '1', '-o', 'o.glb', '-o', 'o', '-q', cwd=folder)
        written, rows = Gltf(folder / 'o.glb'), table(folder / 'o/bodies.csv')
        names = [node['name'] for node in written.list('nodes')]
        sizes = {}
        for node in written.list('nodes'):
            if 'mesh' in node:
                accessor = written.list('accessors')[written.list('meshes')[node['mesh']]['primitives'][0]['attributes']['POSITION']]
                sizes[node['name']] = [high - low for low, high in zip(accessor['min'], accessor['max'])]
        assert any(math.dist(size, (200, 200, 10)) < 1e-3 for size in sizes.values()), sizes
        for row in rows[::10]:
            at = [line[3] for line in written.worlds(written.clip(0), row['time_s'])[names.index('tetra')]]
            assert math.dist(at, (row['tetra.x'], row['tetra.z'], -row['tetra.y'])) < 1e-5, row  # y is up in the file


@promise
def play_shows_a_world_with_y_up():
    with Folder() as folder:
        (folder / 'w.json').write_text(json.dumps(world(shapes=world()['shapes'] + [{'name': 'ground', 'body': -1, 'kind': 'plane'}], collide=False)))
        works('play', 'w.json', '--headless', '-o', 'p.npz', cwd=folder)
        code = ('import numpy as np; z = np.load("p.npz"); p = z["position"]; n = list(z["name"]); i = n.index("cube"); t = z["time"]; '
                'assert len(n) == 2 and abs(p[:, i, 1] - (2 - 4.905 * t ** 2)).max() < 1e-6 and abs(p[:, i, [0, 2]]).max() < 1e-9; '
                'assert len(t) == 61, len(t)')
        subprocess.run([python_with_numpy(), '-c', code], cwd=folder, check=True)


@promise
def worlds_go_from_one_format_to_the_other_and_back():
    with Folder() as folder:
        works('simulate', BACIN / '9.5.cfg', '-o', 'a.cfg', '-o', 'a.json', '-q', cwd=folder)
        works('simulate', 'a.json', '-o', 'b.cfg', '-o', 'b.json', '-q', cwd=folder)
        assert (folder / 'a.json').read_bytes() == (folder / 'b.json').read_bytes()
        for ending in ('cfg', 'bds', 'ste', 'ctr', 'for'):
            a, b = ((folder / f'{stem}.{ending}').read_text().replace(f'{stem}-', '-') for stem in 'ab')
            assert a == b, ending
        for name in ('a.json', BACIN / '9.5.cfg'):
            works('simulate', name, '--duration', '1', '-o', 'one' if name == 'a.json' else 'two', '-q', cwd=folder)
        assert (folder / 'one/bodies.csv').read_bytes() == (folder / 'two/bodies.csv').read_bytes()
        works('simulate', 'a.json', '--gravity', '1', '--duration', '2', '-o', 'c.json', '-q', cwd=folder)
        changed = json.loads((folder / 'c.json').read_text())
        assert changed['gravity'] == [0, 0, -1] and changed['duration'] == 2, changed
        fails(2, 'simulate', 'a.json', '--push', 'slab_a:1@0', '-o', 'd.json', says='--push', cwd=folder)
        fails(2, 'simulate', 'a.json', '-o', 'a.json', says='a.json', cwd=folder)
        for name in ('x.sur', 'x.ste', 'x.cfg', 'x.json'):
            fails(2, 'simulate', 'bar.glb', '-o', name, says=name, cwd=folder)


@promise
def surfaces_and_frames_are_those_of_the_run():
    with Folder() as folder:
        works('simulate', BACIN / '9.5.cfg', '--duration', '1', '-o', 'f.ste', '-o', 'f.sur', '-o', 'o', '-q', cwd=folder)
        surface = (folder / 'f.sur').read_text().split('\n')
        assert surface[1] == 'faces = 16', surface[:2]  # 4 of the tetrahedron, 12 of the slab
        rows = table(folder / 'o/bodies.csv')
        assert sorted(path.name for path in folder.glob('f*.ste')) == sorted(f'f{k}.ste' for k in range(len(rows)))
        shape = [[float(x) for x in line.split()[1:4]] for line in (BACIN / 'tetrahedron.shp').read_text().splitlines() if re.match(r'v\d', line)]
        for k in (0, 17, len(rows) - 1):
            lines = (folder / f'f{k}.ste').read_text().split('\n')
            first = [float(x) for x in lines[3].split(':')[1].split()]
            row = rows[k]
            w, *q = (row[f'tetra.{name}'] for name in ('qw', 'qx', 'qy', 'qz'))
            x = shape[0]
            cross = [q[1] * x[2] - q[2] * x[1], q[2] * x[0] - q[0] * x[2], q[0] * x[1] - q[1] * x[0]]
            turned = [x[i] + 2 * (w * cross[i] + q[(i + 1) % 3] * cross[(i + 2) % 3] - q[(i + 2) % 3] * cross[(i + 1) % 3]) for i in range(3)]
            assert math.dist(first[:3], [turned[i] + row[f'tetra.{"xyz"[i]}'] for i in range(3)]) < 1e-9, k
            assert float(re.search(r't = (\S+)', lines[2])[1]) == row['time_s']


@promise
def impacts_account_for_the_momentum():
    with Folder() as folder:
        works('simulate', BACIN / '9.5.cfg', '-o', 'o', '-q', cwd=folder)
        mass = next(b['mass'] for b in rig_of(BACIN / '9.5.cfg', cwd=folder)['bodies'] if b['name'] == 'tetra')
        impacts, momentum = table(folder / 'o/contacts.csv'), table(folder / 'o/momentum.csv')
        assert len(impacts) > 3 and all({row['body_1'], row['body_2']} == {'tetra', 'slab'} for row in impacts)
        for row in momentum:
            up = sum(i['impulse_N_s'] * (-1 if i['body_1'] == 'tetra' else 1) * i['normal_z'] for i in impacts if i['time_s'] <= row['time_s'])
            assert abs(row['pz'] - momentum[0]['pz'] + mass * 9.81 * row['time_s'] - up) < 1e-6, row
        assert all(abs(i['z_m']) < 1e-6 for i in impacts)


@promise
def a_run_that_ends_early_leaves_its_frames():
    with Folder() as folder:
        floor = {'name': 'floor', 'body': -1, 'restitution': 0.5, 'vertices': [[10 * x, 10 * y, z - 0.5] for x, y, z in CUBE]}
        (folder / 'w.json').write_text(json.dumps(world(duration=5, frames=50, shapes=[world()['shapes'][0] | {'restitution': 0.5}, floor], most_impacts=200)))
        done = run('simulate', 'w.json', '-o', 'o', '-o', 'o.glb', cwd=folder)
        told, rows = done.stderr.decode(), table(folder / 'o/energy.csv')
        assert done.returncode == 1 and 'contact' in told.splitlines()[-1] and (folder / 'o.glb').exists(), told
        assert 5 < len(rows) < 50 and abs(rows[-1]['mechanical'] + rows[-1]['heat'] - rows[0]['mechanical']) < 1e-9, rows[-1]


@promise
def a_folder_gets_all_tables_or_none():
    with Folder() as folder:
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (30000, 30000))  # energy.csv fits, frames.npz does not
        done = subprocess.run([PROGRAM, 'simulate', BACIN / '9.5.cfg', '-o', 'o', '-q'], cwd=folder, env=ENVIRONMENT, capture_output=True, preexec_fn=limit)
        assert done.returncode == 1 and b'cannot be written' in done.stderr and not (folder / 'o').exists(), done.stderr


judge()
