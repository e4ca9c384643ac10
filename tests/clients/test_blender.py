"""Blender puts every bone of our files where we say it stands."""
import functools
import pathlib
import tempfile

from clients import ask_blender
from motions import judge, palette_motions, sources
from program import rigs
from tap import promise, run

TOLERANCE = 1e-4  # of the size; Blender computes in 32-bit floats and turns between keys along chords
FOLDER = tempfile.TemporaryDirectory()


def y_up_to_z_up(point):
    """What Blender's importers do with +Y up, -Z forward: a quarter turn about x."""
    x, y, z = point
    return [x, -z, y]


@promise
def real_rigs_are_among_the_models():
    rigs()


@promise
def bones_of_palettes_stand_where_their_keys_put_them():
    folder = pathlib.Path(FOLDER.name)
    written = [(source, *palette_motions(source, folder)) for source in sources()]
    jobs = [{'path': str(path), 'fps': 1000, 'clips': {clip: m['times'] for clip, m in motions.items()}}
            for _, path, motions in written]
    cases = [(source, motions) for source, _, motions in written]
    judge(cases, ask_blender(jobs), TOLERANCE, y_up_to_z_up, 'palettes, glb')


run()
