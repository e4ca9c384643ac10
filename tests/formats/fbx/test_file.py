"""The bytes of FBX files by a reader of their own: offsets, counts, ids, connections, and curves that run on."""
import json
import math
import pathlib
import subprocess
import sys
import tempfile

import fbx_reader
from tap import SOURCE, promise, run

SAMPLES = sys.argv[1]
TICKS = 46186158000
SOURCES = ['strip', 'parts', 'crowd', 'bones', 'blank', 'tumble',
           SOURCE / 'models' / 'hand.glb', SOURCE / 'models' / 'horse.glb']


def sample(source, *fps):
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / 'out.fbx'
        told = subprocess.run([SAMPLES, source, out, *map(str, fps)], capture_output=True, timeout=60)
        assert told.returncode == 0, f'{source}: {told.stderr.decode()}'
        return str(source), fbx_reader.read(out.read_bytes()), json.loads(told.stdout)


ALL = [sample(source) for source in SOURCES]


def objects(root):
    return root.one('Objects').records


def links(root):
    return [link.values for link in root.one('Connections').records]


@promise
def every_object_has_an_id_of_its_own_and_is_counted():
    for name, root, _ in ALL:
        ids = [thing.values[0] for thing in objects(root)]
        assert len(set(ids)) == len(ids) and all(i > 0 for i in ids), name
        counts = {kind.values[0]: kind.value('Count') for kind in root.one('Definitions').all('ObjectType')}
        assert counts.pop('GlobalSettings') == 1, name
        for kind, count in counts.items():
            assert count == sum(thing.name == kind for thing in objects(root)), f'{name}: {kind}'
        assert root.one('Definitions').value('Count') == len(ids) + 1, name


@promise
def connections_join_objects_that_are_there_and_every_object_is_joined():
    for name, root, _ in ALL:
        kinds = {thing.values[0]: thing.name for thing in objects(root)} | {0: 'root'}
        joined = set()
        for link in links(root):
            assert link[1] in kinds and link[2] in kinds, f'{name}: {link}'
            assert len(link) == (4 if link[0] == 'OP' else 3), f'{name}: {link}'
            joined.update(link[1:3])
        loose = {kind for i, kind in kinds.items() if i not in joined and i != 0}
        assert loose <= {'Pose', 'AnimationStack', 'Material'}, f'{name}: {loose}'


@promise
def models_have_names_of_their_own():
    for name, root, _ in ALL:
        names = [thing.values[1] for thing in objects(root) if thing.name == 'Model']
        assert all(text.endswith('\0\1Model') for text in names) and len(set(names)) == len(names), name


@promise
def clips_are_told_with_their_lengths():
    for name, root, wanted in ALL:
        stacks = [thing for thing in objects(root) if thing.name == 'AnimationStack']
        assert len(stacks) == len(wanted['clips']), name
        for stack, clip in zip(stacks, wanted['clips']):
            properties = stack.properties()
            for kind in ('Local', 'Reference'):
                assert properties[kind + 'Start'] == [0]
                stop = properties[kind + 'Stop'][0] / TICKS
                assert abs(stop - clip['duration']) < 1e-9, f'{name}: {stop}, not {clip["duration"]}'


@promise
def takes_tell_the_same_clips():
    for name, root, wanted in ALL:
        takes = root.one('Takes').all('Take')
        names = [take.values[0] for take in takes]
        assert [text.removesuffix(' (2)') for text in names] == [
            clip['name'].removesuffix(' (2)') for clip in wanted['clips']] and len(set(names)) == len(names), names
        for take, clip in zip(takes, wanted['clips']):
            for kind in ('LocalTime', 'ReferenceTime'):
                start, stop = take.one(kind).values
                assert start == 0 and abs(stop / TICKS - clip['duration']) < 1e-9, f'{name}: {start} to {stop}'


@promise
def the_frame_rate_is_the_scenes():
    for fps, mode, custom in ((0, 6, -1.0), (60, 3, -1.0), (24, 11, -1.0), (12.5, 14, 12.5)):
        settings = sample('strip', fps)[1].one('GlobalSettings').properties()
        found = settings['TimeMode'] + settings['CustomFrameRate']
        assert found == [mode, custom], f'{fps} frames a second are {found}'


def product(a, b):
    """Of matrices as FBX has them, column by column."""
    return [sum(a[4 * k + i] * b[4 * j + k] for k in range(4)) for j in range(4) for i in range(4)]


def turn(axis, degrees):
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    i, j = (axis + 1) % 3, (axis + 2) % 3
    m = [float(k % 5 == 0) for k in range(16)]
    m[5 * i], m[4 * i + j], m[4 * j + i], m[5 * j] = c, s, -s, c
    return m


def local(model):
    """The transform of a Model: translation, rotation in its order, scale."""
    p = model.properties()
    orders = ['xyz', 'xzy', 'yzx', 'yxz', 'zxy', 'zyx']
    m = [float(k % 5 == 0) for k in range(16)]
    m[12:15] = p['Lcl Translation']
    for axis in reversed(['xyz'.index(c) for c in orders[p.get('RotationOrder', [0])[0]]]):
        m = product(m, turn(axis, p['Lcl Rotation'][axis]))
    scale = [*p['Lcl Scaling'], 1.0]
    return [m[k] * scale[k // 4] for k in range(16)]


@promise
def a_skin_is_drawn_where_its_clusters_were_bound():
    for name, root, _ in ALL:
        things = {thing.values[0]: thing for thing in objects(root)}
        # a limb hangs on a Model, and its clusters have it too
        above = {link[1]: link[2] for link in links(root) if link[0] == 'OO' and not (
            things[link[1]].name == 'Model' and link[2] in things and things[link[2]].name == 'Deformer')}

        def world(model):
            on = above[model]
            return product(world(on), local(things[model])) if on else local(things[model])
        for index, thing in things.items():
            if thing.name != 'Deformer' or thing.values[2] != 'Cluster':
                continue
            model = above[above[above[index]]]  # of the skin's Geometry
            bound = product(thing.value('TransformLink'), thing.value('Transform'))
            gap = max(abs(a - b) for a, b in zip(bound, world(model)))
            size = max(map(abs, thing.value('TransformLink')))
            assert gap <= 1e-6 * size, f'{name}: {things[model].values[1]!r} stands {gap / size:.1g} from its bind place'


@promise
def curves_ascend_and_angles_never_jump():
    for name, root, _ in ALL:
        turns = {thing.values[0] for thing in objects(root)
                 if thing.name == 'AnimationCurveNode' and thing.values[1].startswith('R\0')}
        turning = {link[1] for link in links(root) if link[2] in turns}
        for thing in objects(root):
            if thing.name != 'AnimationCurve':
                continue
            times, values = thing.value('KeyTime'), thing.value('KeyValueFloat')
            assert len(times) == len(values) >= 2 and times[0] == 0, name
            assert all(a < b for a, b in zip(times, times[1:])), name
            assert thing.value('KeyAttrRefCount') == [len(times)], name
            if thing.values[0] in turning:
                jump = max(abs(a - b) for a, b in zip(values, values[1:]))
                assert jump < 180.0, f'{name}: an angle jumps by {jump} degrees'


@promise
def the_curves_of_a_property_share_their_times():
    for name, root, _ in ALL:
        times = {thing.values[0]: tuple(thing.value('KeyTime')) for thing in objects(root)
                 if thing.name == 'AnimationCurve'}
        shared = {}
        for link in links(root):
            if link[1] in times:
                shared.setdefault(link[2], []).append(times[link[1]])
        assert all(len(of) == 3 and len(set(of)) == 1 for of in shared.values()), name


@promise
def every_stack_keys_the_same_properties():
    for name, root, _ in ALL:
        kinds = {thing.values[0]: thing.name for thing in objects(root)}
        layers, targets = {}, {}
        for link in links(root):
            if kinds.get(link[1]) == 'AnimationCurveNode' and link[0] == 'OO':
                layers[link[1]] = link[2]
            elif kinds.get(link[1]) == 'AnimationCurveNode':
                targets[link[1]] = (link[2], link[3])
        sets = {}
        for node, layer in layers.items():
            sets.setdefault(layer, set()).add(targets[node])
        assert len(set(map(frozenset, sets.values()))) <= 1, name


run()
