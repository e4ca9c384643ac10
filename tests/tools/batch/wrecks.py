"""Models that fail, each in another way."""
import copy
import json
import os
import socket

from batches import limbs, samples


def rig(bodies=2):
    """A rig file that is read: a chain of rods."""
    return {'format': 'eigenrig-rig', 'version': 1, 'name': 'rods', 'source': '',
            'bodies': [{'name': f'b{k}', 'mass': 1.0, 'com': [0, 0, 0], 'inertia': [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
                        'position': [k, 0, 0], 'orientation': [1, 0, 0, 0]} for k in range(bodies)],
            'joints': [{'name': f'j{k}', 'parent': k, 'child': k + 1, 'type': 'spherical', 'position': [k + 0.5, 0, 0],
                        'orientation': [1, 0, 0, 0], 'stiffness': [1, 1, 1], 'damping': [0, 0, 0], 'limits': None,
                        'closes_loop': False} for k in range(bodies - 1)]}


def places(value, path=()):
    """The way to every value in a document."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, below in items:
        yield from places(below, path + (key,))


def changed(document, path, value):
    """A copy with another value at one place."""
    copied = copy.deepcopy(document)
    at = copied
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return copied


def broken_rigs():
    """Rig files with one number, word or list that cannot be, called rig files all the same."""
    document = rig()
    wrong = {float: [-1e300, 'heavy', None, [1]], int: [1e300, 'near', None, {}], str: [7, []],
             list: [7, 'list', {}], dict: [7, 'body', []], bool: ['maybe']}
    for path in places(document):
        value = document
        for key in path:
            value = value[key]
        if path and path != ('format',) and value is not None:
            yield from (json.dumps(changed(document, path, bad)).encode() for bad in wrong[type(value)])


def broken_gltfs():
    """The bar with one index or count that leads nowhere."""
    document, data = samples.bar()
    for path in places(document):
        if path and path[-1] in ('mesh', 'skin', 'bufferView', 'buffer', 'byteLength', 'byteOffset', 'POSITION',
                                 'indices', 'inverseBindMatrices', 'componentType', 'scene'):
            for bad in (10 ** 9, -3):
                yield samples.glb(changed(document, path, bad), data)


def in_the_way(folder):
    """What a file system can put in a model's way."""
    os.mkfifo(folder / 'pipe.glb')
    os.mkfifo(folder / 'pipe.json')  # asked whether it is a rig file
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(folder / 'socket.fbx'))
    (folder / 'nowhere.bvh').symlink_to('nowhere')
    (folder / 'round.bvh').symlink_to('round.bvh')
    (folder / 'device.dae').symlink_to('/dev/zero')
    (folder / ('n' * 248 + '.bvh')).write_bytes(limbs(1))  # its palette's name would be too long
    (folder / 'taken.bvh').write_bytes(limbs(2))
    (folder / 'taken.bvh.json').mkdir()  # where its palette belongs
    (folder / 'taken.bvh.json' / 'empty.glb').write_bytes(b'')
    document, data = samples.bar()
    document['buffers'].append({'byteLength': 4, 'uri': 'missing.bin'})
    document['accessors'][0]['bufferView'] = len(document['bufferViews'])
    document['bufferViews'].append({'buffer': 1, 'byteLength': 4})
    (folder / 'missing.glb').write_bytes(samples.glb(document, data))
    os.mkfifo(folder / 'pipe.bin')
    document['buffers'][1]['uri'] = 'pipe.bin'
    (folder / 'piped.glb').write_bytes(samples.glb(document, data))


def fill(folder, count):
    """So many of them; a model that is whole is not among them."""
    folder.mkdir()
    in_the_way(folder)
    made = len([path for path in folder.rglob('*') if path.is_symlink() or not path.is_dir()]) - 2  # the pipes beside

    def put(ending, data):
        nonlocal made
        if made < count:
            (folder / f'wreck{made:04}{ending}').write_bytes(data)
            made += 1
    for data in broken_rigs():
        put('.json', data)
    for data in broken_gltfs():
        put('.glb', data)
    whole = {'.bvh': limbs(3), '.glb': samples.glb(*samples.bar())}
    for k in range(count):
        ending = '.bvh' if k % 2 else '.glb'
        put(ending, whole[ending][:k * len(whole[ending]) // count])
    assert made == count, made
