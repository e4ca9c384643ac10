"""What eigenrig says about the motions it writes, and how far a client may be from it.

A motion is {"times": [s, ...], "tracks": [(name, [[x, y, z] per time]), ...], "size": length}, tracks in the axes of the
source, +Y up in all our rigs: a GLB palette as gltf_reader.py, a reader of the tests' own, evaluates it.
"""
import math
import pathlib
import re
import sys

from tap import SOURCE

sys.path[1:1] = [str(SOURCE / 'tests' / room) for room in ('cli', 'gltf')]
from gltf_reader import Gltf  # noqa: E402
from program import RIGS, rigs, works  # noqa: E402

HERE = pathlib.Path(__file__).parent
TIMES = 10


def sources():
    """Our models, and the real rigs where they are."""
    ours = sorted(path for path in (SOURCE / 'models').iterdir() if path.suffix in ('.glb', '.json'))
    return ours + (rigs() if RIGS.is_dir() else [])


def written_name(source, ending):
    return f'{source.stem}-{source.suffix[1:]}.{ending}'


def size_of(tracks):
    """The diagonal of the box round all points of a motion."""
    points = [point for _, track in tracks for point in track]
    return math.dist([max(c) for c in zip(*points)], [min(c) for c in zip(*points)])


def motion(times, tracks):
    return {'times': times, 'tracks': tracks, 'size': size_of(tracks)}


def clip_names(gltf):
    return [clip.get('name', '') for clip in gltf.list('animations')]


def key_times(gltf, clip):
    return max((times for times, _, _ in gltf.clip(clip_names(gltf).index(clip)).values()), key=len)


def between_keys(gltf, clip):
    """Ten times, none of them on a key of a palette's clip."""
    return [key_times(gltf, clip)[-1] * (k + 0.37) / TIMES for k in range(TIMES)]


def node_motion(gltf, clip, times, name=None):
    """The nodes that a clip turns, under the names the file has for them, or name(index)."""
    channels = gltf.clip(clip_names(gltf).index(clip))
    worlds = [gltf.worlds(channels, time) for time in times]
    nodes = sorted({node for node, path in channels if path == 'rotation'})
    name = name or (lambda node: gltf.json['nodes'][node].get('name', ''))
    return motion(times, [(name(n), [[row[3] for row in world[n]] for world in worlds]) for n in nodes])


def body_motion(rig, times, at):
    """Bodies of a rig, at[time][body]; a name that the rig made up for a node without one is none."""
    names = [re.sub(r'^node \d+$', '', body['name']) for body in rig['bodies']]
    return motion(times, [(name, [moment[b] for moment in at]) for b, name in enumerate(names)])


def palette(source, folder):
    """Writes a palette; it as a Gltf, and the clips of its first and its last mode."""
    path = folder / written_name(source, 'glb')
    works('palette', source, '-q', '-o', path, '--count', 12)
    gltf = Gltf(path)
    modes = [name for name in clip_names(gltf) if name.startswith('mode ')]
    return gltf, list(dict.fromkeys([modes[0], modes[-1]]))


def palette_motions(source, folder, name=None):
    gltf, clips = palette(source, folder)
    return gltf.path, {clip: node_motion(gltf, clip, between_keys(gltf, clip), name) for clip in clips}


def same(point):
    return point


def counterparts(name, ours, theirs):
    """The client's tracks that a name of ours may have become: equal names are made distinct by ".001", and a client
    invents names where there are none."""
    exact = [track for other, track in theirs if other == name]
    if name and exact and ours.count(name) == 1:
        return exact
    plain = [(re.sub(r'\.\d{3}$', '', other), track) for other, track in theirs]
    return [track for other, track in plain if (other == name if name else not other or other not in ours)]


def difference(motion, theirs, turn=same):
    """The largest distance between tracks of ours and a client's counterparts, the nearest where several may be it,
    relative to the size; `turn` takes our axes to the client's."""
    ours = [name for name, _ in motion['tracks']]
    worst = 0.0
    for name, track in motion['tracks']:
        others = counterparts(name, ours, theirs)
        assert others, f'{name!r} is not among {[other for other, _ in theirs]}'
        turned = [turn(point) for point in track]
        worst = max(worst, min(max(map(math.dist, turned, other)) for other in others))
    return worst / motion['size']


def tell(found, tolerance, what):
    """Judges differences, (relative to the size, where); prints the largest."""
    worst, where = max(found)
    print(f'# {what}: {len(found)} motions, largest difference {worst:.2g} of the size ({where})')
    errors = [f'{where}: {far:.3g} of the size' for far, where in found if not far <= tolerance]
    assert not errors, f'{what}: ' + '\n'.join(errors)


def judge(cases, answers, tolerance, turn, what):
    """Every case, (source, {clip: motion}), against a client's answer to it."""
    errors = [f'{source.name}: {answer["error"]}' for (source, _), answer in zip(cases, answers) if 'error' in answer]
    assert not errors, f'{what}: ' + '\n'.join(errors)
    tell([(difference(motion, answer['clips'][clip], turn), f'{source.name}, {clip!r}')
          for (source, motions), answer in zip(cases, answers) for clip, motion in motions.items()], tolerance, what)
