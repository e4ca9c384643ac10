"""Motions as eigenrig reports them, and the comparison with those of a client.

A motion is {"times": [s, ...], "tracks": [(name, [[x, y, z] per time]), ...], "size": length}, tracks in the axes of
the source, but +Y up. That of a palette is its GLB as gltf_reader.py evaluates it, that of `animate` its NPZ.
"""
import functools
import math
import re

import npz
from tap import SOURCE, skip

from gltf_reader import Gltf  # noqa: E402
from program import RIGS, palette_of, rig_of, rigs, some, works  # noqa: E402

TIMES = 10
COUNT = 10  # elastic modes


def sources():
    """Our models, of each kind one or all, and the real rigs where they are."""
    ours = sorted(path for path in (SOURCE / 'models').iterdir() if path.suffix in ('.glb', '.json'))
    real = some(rigs(), ('Fox.glb', 'maya_sausage.fbx', 'cmu_jumping_jacks.bvh')) if RIGS.is_dir() else []
    return some(ours, ('gnome.glb', 'loop_8_asymmetric.json')) + real


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
    works('palette', source, '-q', '-o', path, '--count', COUNT, '--amplitude', 20)
    gltf = Gltf(path)
    modes = [name for name in clip_names(gltf) if name.startswith('mode ')]
    return gltf, list(dict.fromkeys([modes[0], modes[-1]]))


def palette_motions(source, folder, name=None):
    gltf, clips = palette(source, folder)
    return gltf.path, {clip: node_motion(gltf, clip, between_keys(gltf, clip), name) for clip in clips}


FPS, DURATION = 30, 1  # of two seconds Blender reads Collada in three times the time
MIX = [(12, 0), (5, 90)]  # degrees and phase of a model's first elastic modes


def need_animate():
    if not re.search(r'^ +animate\b', works('--help'), re.MULTILINE):
        skip('this eigenrig has no command "animate"')


def is_alone(mode, modes):
    """Whether a mode has its frequency alone. Modes of equal frequency may be turned into each other, so programs may
    differ."""
    hz = mode['frequency_hz']
    return sum(abs(other['frequency_hz'] - hz) <= 1e-6 * hz for other in modes) == 1


@functools.cache
def mix_of(source):
    """Elastic modes as forward.py takes them: mode, degrees, Hz, phase in degrees."""
    modes = palette_of(source, '--count', COUNT)['modes']
    elastic = [mode for mode in modes if mode['kind'] == 'elastic']
    alone = [mode for mode in elastic if is_alone(mode, modes)]
    return [[mode['index'], degrees, mode['frequency_hz'], phase]
            for mode, (degrees, phase) in zip(alone or elastic, MIX)]


def animate(source, folder, *endings):
    """A mix in several formats, in one call: {ending: path}."""
    paths = {ending: folder / written_name(source, ending) for ending in endings}
    words = ','.join(f'{mode}:{degrees}+{phase}' for mode, degrees, _, phase in mix_of(source))
    outputs = [word for path in paths.values() for word in ('-o', path)]
    works('animate', source, '-q', '--mix', words, '--duration', DURATION, '--fps', FPS, *outputs)
    return paths


@functools.cache
def is_z_up(source):
    """Whether a model counts as Z up, as a BVH may; its files are turned to Y up."""
    return 'up is (0, 0, 1)' in works('info', source, '-q')


def upright(source, frames):
    """The points of each frame, turned to +Y up."""
    return [[[x, z, -y] for x, y, z in points] for points in frames] if is_z_up(source) else frames


def curve_motion(source, path, metres=1.0):
    """The bodies of a model at ten frames of an NPZ, turned to +Y up; lengths in units of so many metres."""
    arrays = npz.read(path)
    (frames, bodies, _), numbers = arrays['position']
    chosen = [round(k * (frames - 1) / (TIMES - 1)) for k in range(TIMES)]
    at = [[[x / metres for x in numbers[3 * (f * bodies + b):][:3]] for b in range(bodies)] for f in chosen]
    return body_motion(rig_of(source), [arrays['time'][1][f] for f in chosen], upright(source, at))


def same(point):
    return point


def counterparts(name, ours, theirs):
    """The client's tracks that a name of ours may have become: spaces may be "_" there, equal names are told apart by
    ".001", "_2" or " (2)", and unnamed nodes get a name."""
    name = name.replace(' ', '_')
    theirs = [(other.replace(' ', '_'), track) for other, track in theirs]
    if not name:
        return [track for other, track in theirs if other not in ours or not other]
    if ours.count(name) > 1:
        theirs = [(re.sub(r'(\.\d{3}|_\d+|_\(\d+\))$', '', other), track) for other, track in theirs]
    return [track for other, track in theirs if other == name]


def difference(motion, theirs, turn=same):
    """The largest distance between our tracks and a client's counterparts, relative to the size. If a track has several
    counterparts, the nearest counts. `turn` maps our axes to the client's."""
    ours = [name.replace(' ', '_') for name, _ in motion['tracks']]
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
