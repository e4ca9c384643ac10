"""three.js puts every node of our glTF files where we say it stands."""
import pathlib
import tempfile

from clients import ask_three
from motions import judge, palette_motions, same, sources
from program import rigs
from tap import promise, run

TOLERANCE = 1e-5  # of the size; keys are 32-bit floats, three.js computes in doubles
FOLDER = tempfile.TemporaryDirectory()


@promise
def nodes_of_palettes_stand_where_their_keys_put_them():
    folder = pathlib.Path(FOLDER.name)
    written = [(source, *palette_motions(source, folder, str)) for source in sources()]
    jobs = [{'path': str(path), 'clips': {clip: m['times'] for clip, m in motions.items()}}
            for _, path, motions in written]
    cases = [(source, motions) for source, _, motions in written]
    judge(cases, ask_three(jobs), TOLERANCE, same, 'palettes, glb')


run()
