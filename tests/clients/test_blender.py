"""Blender puts every bone of our files where we say it stands."""
import functools
import pathlib
import re
import tempfile

from clients import ask_blender
from motions import FPS, Gltf, animate, clip_names, curve_motion, judge, need_animate, palette_motions, sources
from program import rigs, works
from tap import promise, run

TOLERANCE = 1e-5  # of the size; Blender computes in 32-bit floats: 2.2e-6 seen
FOLDER = tempfile.TemporaryDirectory()
ENDINGS = ('glb', 'gltf', 'bvh', 'dae', 'fbx')


def metres_of_unit(source):
    """The unit of a model's file, m; BVH has none and is written in the model's."""
    told = re.search(r'one unit of the file is (\S+) m\b', works('info', source, '-q'))
    return float(told[1]) if told else 1.0


def y_up_to_z_up(point):
    """What Blender's importers do with +Y up, -Z forward: a quarter turn about x."""
    x, y, z = point
    return [x, -z, y]


@promise
def real_rigs_are_among_the_models():
    assert set(rigs()) & set(sources())


@promise
def bones_of_palettes_stand_where_their_keys_put_them():
    folder = pathlib.Path(FOLDER.name)
    written = [(source, *palette_motions(source, folder)) for source in sources()]
    jobs = [{'path': str(path), 'fps': 1000, 'clips': {clip: m['times'] for clip, m in motions.items()}}
            for _, path, motions in written]
    cases = [(source, motions) for source, _, motions in written]
    judge(cases, ask_blender(jobs), TOLERANCE, y_up_to_z_up, 'palettes, glb')


@functools.cache
def motions():
    """Models' mixes in every format: cases to judge, and jobs for Blender."""
    need_animate()
    cases, jobs = [], []
    for source in sources():
        paths = animate(source, pathlib.Path(FOLDER.name), 'npz', *ENDINGS)
        clip = clip_names(Gltf(paths['glb']))[0]
        metric, metres = curve_motion(source, paths['npz']), metres_of_unit(source)
        own = curve_motion(source, paths['npz'], metres) if metres != 1.0 else metric
        for ending in ENDINGS:
            motion = own if ending == 'bvh' else metric
            jobs.append({'path': str(paths[ending]), 'fps': FPS, 'clips': {clip: motion['times']}})
            cases.append((source, {clip: motion}))
    return cases, jobs


@functools.cache
def answers():
    """The answers of one Blender to all jobs."""
    return ask_blender(motions()[1])


def judge_motions(ending):
    k, count = ENDINGS.index(ending), len(ENDINGS)
    cases, _ = motions()
    judge(cases[k::count], answers()[k::count], TOLERANCE, y_up_to_z_up, f'motions, {ending}')


@promise
def bones_of_glb_motions_stand_where_the_curves_put_them():
    judge_motions('glb')


@promise
def bones_of_gltf_motions_stand_where_the_curves_put_them():
    judge_motions('gltf')


@promise
def bones_of_bvh_motions_stand_where_the_curves_put_them():
    judge_motions('bvh')


@promise
def bones_of_collada_motions_stand_where_the_curves_put_them():
    judge_motions('dae')


@promise
def bones_of_fbx_motions_stand_where_the_curves_put_them():
    judge_motions('fbx')


run()
