"""three.js puts every node of our glTF files where we say it stands."""
import pathlib
import tempfile

from clients import ask_three
from motions import Gltf, animate, clip_names, curve_motion, judge, need_animate, palette_motions, same, sources
from program import rigs
from tap import promise, run

TOLERANCE = 1e-5  # of the size; keys are 32-bit floats: 7.3e-7 seen
FOLDER = tempfile.TemporaryDirectory()


@promise
def real_rigs_are_among_the_models():
    assert set(rigs()) & set(sources())


@promise
def nodes_of_palettes_stand_where_their_keys_put_them():
    folder = pathlib.Path(FOLDER.name)
    written = [(source, *palette_motions(source, folder, str)) for source in sources()]
    jobs = [{'path': str(path), 'clips': {clip: m['times'] for clip, m in motions.items()}}
            for _, path, motions in written]
    cases = [(source, motions) for source, _, motions in written]
    judge(cases, ask_three(jobs), TOLERANCE, same, 'palettes, glb')


@promise
def nodes_of_motions_stand_where_the_curves_put_them():
    need_animate()
    cases, jobs, files = [], [], []
    for source in sources():
        paths = animate(source, pathlib.Path(FOLDER.name), 'npz', 'glb', 'gltf')
        motion = curve_motion(source, paths['npz'])
        for ending in ('glb', 'gltf'):
            files.append(Gltf(paths[ending]))
            clip = clip_names(files[-1])[0]
            jobs.append({'path': str(paths[ending]), 'clips': {clip: motion['times']}})
            cases.append((paths[ending], {clip: motion}))
    answers = ask_three(jobs)
    for gltf, answer in zip(files, answers):  # from indices to names
        nodes = gltf.list('nodes')
        answer['clips'] = {clip: [(nodes[int(index)].get('name', ''), track) for index, track in tracks]
                           for clip, tracks in answer.get('clips', {}).items()}
    judge(cases, answers, TOLERANCE, same, 'motions, glb and gltf')


run()
