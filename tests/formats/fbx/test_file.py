"""The bytes of FBX files by a reader of their own: offsets, counts, ids, connections, and curves that run on."""
import json
import pathlib
import subprocess
import sys
import tempfile

import fbx_reader
from tap import SOURCE, promise, run

SAMPLES = sys.argv[1]
TICKS = 46186158000
SOURCES = ['strip', 'parts', 'crowd', 'bones', 'blank', 'tumble', SOURCE / 'models' / 'hand.glb']


def samples():
    with tempfile.TemporaryDirectory() as folder:
        for source in SOURCES:
            out = pathlib.Path(folder) / 'out.fbx'
            told = subprocess.run([SAMPLES, source, out], capture_output=True, timeout=60)
            assert told.returncode == 0, f'{source}: {told.stderr.decode()}'
            yield str(source), fbx_reader.read(out.read_bytes()), json.loads(told.stdout)


ALL = list(samples())


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
