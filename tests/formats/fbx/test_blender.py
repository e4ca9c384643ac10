"""Blender reads the FBX files that er_fbx_write() writes: bones and skins are where they are to be, at rest and in every
clip.

Blender poses are float, and so are keys: a chain of joints rounds to a few 1e-6 of the rig's size, splines and turns may
leave the clip by 1e-5 of their range (formats.h); what is asked for is 1e-4 of the size.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

from clients import ask_blender
from program import rigs, some
from tap import SOURCE, promise, run

SAMPLES = sys.argv[1]
HERE = pathlib.Path(__file__).parent
TOLERANCE = 1e-4
MADE = ['strip', 'parts', 'tumble']


def write(source, folder):
    """A job: the FBX file of a scene or model, and what a reader is to find in it."""
    out = folder / (pathlib.Path(source).name + '.fbx')
    told = subprocess.run([SAMPLES, source, out], capture_output=True, timeout=60)
    assert told.returncode == 0, f'{source}: {told.stderr.decode()}'
    return {'path': str(out), 'wanted': by_name(json.loads(told.stdout))}


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def to_blender(wanted):
    """From the scene's units and axes to metres with Z up: X to the right, which is X unless that is up."""
    up = wanted['up']
    right = [0.0, 1.0, 0.0] if abs(up[0]) > 0.5 else [1.0, 0.0, 0.0]
    front = cross(right, up)
    scale = wanted['metres_per_unit']
    return lambda p: [scale * dot(right, p), -scale * dot(front, p), scale * dot(up, p)]


def names(wanted):
    """The names that nodes have in Blender, as far as it shows them: the second of a name is "name (2)"."""
    seen = {}
    for index, node in enumerate(wanted['nodes']):
        name = node['name'] or f'node {index}'
        seen[name] = seen.get(name, 0) + 1
        full = name if seen[name] == 1 else f'{name} ({seen[name]})'
        yield full.encode()[:63].decode(errors='ignore')


def by_name(wanted):
    """A description with names in place of the nodes' indices."""
    known = list(names(wanted))
    for moment in [wanted['rest']] + [moment for clip in wanted['clips'] for moment in clip['times']]:
        moment['heads'] = dict(zip(known, moment['heads']))
        moment['vertices'] = {known[int(index)]: points for index, points in moment['vertices'].items()}
    return wanted


def distance(a, b):
    return max(abs(x - y) for x, y in zip(a, b))


def worst(wanted, found, place):
    """The largest distances of heads and of vertices from where they are to be, over what Blender has."""
    heads = max((distance(place(point), found['heads'][name])
                 for name, point in wanted['heads'].items() if name in found['heads']), default=0.0)
    skin = max((distance(place(point), found['vertices'][name][index])
                for name, points in wanted['vertices'].items() if name in found['vertices']
                for index, point in points.items()), default=0.0)
    return heads, skin


def judge(job, found):
    path, wanted = pathlib.Path(job['path']), job['wanted']
    assert 'error' not in found, f'{path.name}: {found["error"]}'
    place = to_blender(wanted)
    points = list(wanted['rest']['heads'].values())
    points += [point for mesh in wanted['rest']['vertices'].values() for point in mesh.values()]
    size = max(max(axis) - min(axis) for axis in zip(*map(place, points)))
    count = sum(name in found['rest']['heads'] for name in wanted['rest']['heads'])
    joints = sum(node['joint'] for node in wanted['nodes'])
    assert count >= joints, f'{path.name}: Blender has {count} of {joints} joints'
    errors = {'rest': worst(wanted['rest'], found['rest'], place)}
    for clip in wanted['clips']:
        pairs = [worst(moment, there, place) for moment, there in zip(clip['times'], found['clips'][clip['name']])]
        errors[clip['name']] = [max(kind) for kind in zip(*pairs)]
    heads, skin = [max(kind) / size for kind in zip(*errors.values())]
    print(f'# {path.name}: {count} nodes, {len(found["rest"]["vertices"])} of {len(wanted["rest"]["vertices"])} meshes, '
          f'{len(wanted["clips"])} clips; heads off by {heads:.1e}, vertices by {skin:.1e}')
    for name, pair in errors.items():
        assert max(pair) <= TOLERANCE * size, f'{path.name}: {name} is off by {pair} of {size}'


def judge_all(sources):
    with tempfile.TemporaryDirectory() as folder:
        jobs = [write(source, pathlib.Path(folder)) for source in sources]
        failures = []
        for job, found in zip(jobs, ask_blender(jobs, HERE / 'in_blender.py')):
            try:
                judge(job, found)
            except AssertionError as problem:
                failures.append(str(problem))
        assert not failures, '\n'.join(failures)


@promise
def scenes_made_by_hand_move_in_blender_as_they_do_here():
    judge_all(MADE)


@promise
def the_models_and_their_modes_move_in_blender_as_they_do_here():
    judge_all(some(sorted((SOURCE / 'models').glob('*.glb')), ('fox.glb',)))


@promise
def real_rigs_and_their_modes_move_in_blender_as_they_do_here():
    judge_all(rigs())


run()
