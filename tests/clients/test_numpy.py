"""numpy moves the bodies of a rig where our clips and curves say they stand: forward.py, from rig and palette alone."""
import json
import pathlib
import subprocess
import tempfile

from motions import HERE, body_motion, difference, key_times, node_motion, palette, sources, tell
from program import palette_of, python_with_numpy, rigs, works
from tap import promise, run

FOLDER = tempfile.TemporaryDirectory()


def ask_numpy(jobs):
    done = subprocess.run([python_with_numpy(), HERE / 'forward.py'], input=json.dumps(jobs), capture_output=True,
                          text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def has_loops(rig):
    return any(joint.get('closes_loop') for joint in rig['joints'])


def clip_jobs(source, folder):
    """What forward.py is to compute of a palette's clips, and the clips' own motions at those times, on keys."""
    path = folder / (source.name + '.palette.json')
    works('modes', source, '-q', '-o', path, '--count', 12)
    modes = {mode['index']: mode['frequency_hz'] for mode in json.loads(path.read_text())['modes']}
    gltf, clips = palette(source, folder)
    for clip in clips:
        index = int(clip.split()[1])
        times = key_times(gltf, clip)[::5]
        mix = [[index, 20, modes[index], 0]]
        yield {'palette': str(path), 'mix': mix, 'times': times}, node_motion(gltf, clip, times)


@promise
def real_rigs_are_among_the_models():
    rigs()


@promise
def bodies_of_palettes_stand_where_their_modes_put_them():
    python_with_numpy()
    found = []
    for source in sources():
        rig = palette_of(source, '--count', 1)['rig']
        if has_loops(rig):  # what closes a loop is no formula
            continue
        jobs, motions = zip(*clip_jobs(source, pathlib.Path(FOLDER.name)))
        for at, theirs in zip(ask_numpy(jobs), motions):
            found.append((difference(body_motion(rig, theirs['times'], at), theirs['tracks']), source.name))
    tell(found, 1e-5, 'palettes, numpy')


run()
