"""numpy moves the bodies of a rig where our clips and curves say they stand: forward.py, from rig and palette alone."""
import json
import pathlib
import subprocess
import tempfile

from clients import HERE
from motions import (COUNT, DURATION, FPS, animate, body_motion, difference, is_alone, key_times, mix_of, need_animate,
                     node_motion, palette, sources, tell, upright)
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


def write_palette(source, folder):
    path = folder / (source.name + '.palette.json')
    works('modes', source, '-q', '-o', path, '--count', COUNT)
    return path


def clip_jobs(source, folder):
    """The job for forward.py on a palette's clips, and the clips' own motions at those times, on keys."""
    path = write_palette(source, folder)
    modes = {mode['index']: mode['frequency_hz'] for mode in json.loads(path.read_text())['modes']}
    gltf, clips = palette(source, folder)
    for clip in clips:
        index = int(clip.split()[1])
        times = key_times(gltf, clip)[::5]
        mix = [[index, 20, modes[index], 0]]
        yield {'palette': str(path), 'mix': mix, 'times': times}, node_motion(gltf, clip, times)


@promise
def real_rigs_are_among_the_models():
    assert set(rigs()) & set(sources())


@promise
def bodies_of_palettes_stand_where_their_modes_put_them():
    python_with_numpy()
    cases = []
    for source in sources():
        rig = palette_of(source, '--count', 1)['rig']
        if has_loops(rig):  # what closes a loop is no formula
            continue
        cases += [(source, rig, *case) for case in clip_jobs(source, pathlib.Path(FOLDER.name))]
    found = [(difference(body_motion(rig, theirs['times'], upright(source, at)), theirs['tracks']), source.name)
             for at, (source, rig, _, theirs) in zip(ask_numpy([job for _, _, job, _ in cases]), cases, strict=True)]
    tell(found, 1e-5, 'palettes, numpy')


def judge_curves(found, source):
    """Judges forward.py's answer on one model's curves."""
    shapes, frames, bodies = found['shapes'], len(found['time']), found['bodies']
    assert shapes['q'] == [frames, found['columns']] and shapes['position'] == [frames, bodies, 3], source
    assert shapes['orientation'] == [frames, bodies, 4] and shapes['body_names'] == [bodies], source
    assert found['time'] == [k / FPS for k in range(DURATION * FPS + 1)], source
    assert found['header'] == found['header_wanted'], source
    assert found['csv'] < 1e-12, f'{source}: csv and npz differ by {found["csv"]}'
    assert found['unit'] < 1e-12, f'{source}: quaternions are off by {found["unit"]}'
    for what, far in found['far'].items():
        yield far, f'{source}, {what}'


def known_mix(source, palette):
    """The mix, if formulas can predict it: no loop to be closed, no two modes of one frequency."""
    modes = {mode['index']: mode for mode in palette['modes']}
    mix = mix_of(source)
    alone = all(is_alone(modes[index], palette['modes']) for index, *_ in mix)
    return mix if alone and not has_loops(palette['rig']) else []


@promise
def curves_follow_from_the_rig_and_the_mix():
    python_with_numpy()
    need_animate()
    jobs = []
    for source in sources():
        folder = pathlib.Path(FOLDER.name)
        path = write_palette(source, folder)
        curves = {ending: str(path) for ending, path in animate(source, folder, 'npz', 'csv').items()}
        jobs.append({'palette': str(path), 'mix': known_mix(source, json.loads(path.read_text()))} | curves)
    found = [far for said, source in zip(ask_numpy(jobs), sources(), strict=True) for far in judge_curves(said, source.name)]
    tell(found, 1e-9, 'curves, numpy')


run()
