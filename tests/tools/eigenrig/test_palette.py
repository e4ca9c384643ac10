"""The clips of `palette`: valid glTF that loops, named as promised, with all of the source kept."""
import json
import math
import re
import subprocess

from program import Folder, SOURCE, fails, hertz, models, near, palette_of, rig_of, rigs, run, validator, works
from tap import EVERY, promise, run as judge

import samples  # noqa: E402
from gltf_reader import Gltf  # noqa: E402
from lossless import same_data, same_elements  # noqa: E402

GLTF = ('.glb', '.gltf')


def samples_in(folder):
    return sorted(path for path in folder.iterdir() if path.suffix in GLTF + ('.bvh',))


def new_clips(source, written):
    """The animations that the source did not have."""
    clips = written.list('animations')
    if source.suffix in GLTF:
        return clips[:len(clips) - len(Gltf(source).list('animations'))]
    return [clip for clip in clips if re.match(r'mode \d+  ', clip['name'])]


def judge_names(source, written, modes, loops):
    """One clip an elastic mode, "mode 03  tail sways  1.42 Hz", ascending, each one period long."""
    clips = new_clips(source, written)
    elastic = [mode for mode in modes if mode['kind'] == 'elastic']
    assert len(clips) == len(elastic), f'{source}: {len(clips)} clips of {len(elastic)} elastic modes'
    for k, (clip, mode) in enumerate(zip(clips, elastic)):
        name = re.fullmatch(r'mode (\d\d+)  (.+)  (\d+\.\d\d) Hz', clip['name'])
        assert name and int(name[1]) == mode['index'], f'{source}: {clip["name"]!r} of mode {mode["index"]}'
        assert name[2] == mode['name'] or len(name[2].encode()) <= 23, f'{source}: {clip["name"]!r} is {mode["name"]!r}'
        assert abs(float(name[3]) - mode['frequency_hz']) < 0.0051, f'{source}: {clip["name"]!r}'
        channels = written.clip(k)
        assert channels, f'{source}: {clip["name"]!r} moves nothing'
        for (node, path), (times, interpolation, values) in channels.items():
            assert times[0] == 0.0
            if loops and interpolation == 'CUBICSPLINE':  # lines would part its joints between keys
                values = values[1::3]
            else:
                assert interpolation == 'LINEAR', f'{source}: {clip["name"]!r}'
            assert all(a < b for a, b in zip(times, times[1:])), f'{source}: {clip["name"]!r}: times'
            assert abs(times[-1] * mode['frequency_hz'] - 1) < 1e-6, f'{source}: {clip["name"]!r} is {times[-1]} s long'
            assert values[0] == values[-1], f'{source}: {clip["name"]!r}: node {node} {path} jumps at the loop'
            if path == 'rotation':
                assert all(sum(x * y for x, y in zip(a, b)) > 0 for a, b in zip(values, values[1:])), 'a sign flip'


def judge_model(source, folder, *words):
    out = folder / 'out.glb'
    works('palette', source, '-q', '-o', out, *words)
    written = Gltf(out)
    palette = palette_of(source, *words)
    judge_names(source, written, palette['modes'], any(j['closes_loop'] for j in palette['rig']['joints']))
    if source.suffix in GLTF:
        same_elements(source, out)
        same_data(source, out)


def judge_valid(sources, folder):
    command, written = validator(), []
    for source in sources:
        for ending in ('.glb', '.gltf'):
            written.append(folder / f'{source.stem}-{source.suffix[1:]}{ending}')
            works('palette', source, '-q', '-o', written[-1], '--count', 10)
    done = subprocess.run([*command, *map(str, written)], capture_output=True, text=True)
    errors = [line for line in done.stdout.splitlines() if ': error ' in line]
    assert done.returncode == 0, '\n'.join(errors) + done.stderr


@promise
def models_get_one_looping_clip_an_elastic_mode():
    with Folder() as folder:
        for source in samples_in(folder) + models():
            judge_model(source, folder)


@promise
def real_rigs_get_one_looping_clip_an_elastic_mode():
    with Folder() as folder:
        for source in rigs():
            judge_model(source, folder, '--count', 24 if EVERY else 8)


@promise
def palettes_of_models_are_valid_gltf():
    with Folder() as folder:
        judge_valid(samples_in(folder) + models()[:: 1 if EVERY else 3], folder)


@promise
def palettes_of_real_rigs_are_valid_gltf():
    with Folder() as folder:
        judge_valid(rigs(), folder)


@promise
def two_runs_write_the_same_bytes():
    with Folder() as folder:
        for source in samples_in(folder) + models()[:: 1 if EVERY else 3]:
            once, again = [run('palette', source, '-q', '-o', '-').stdout for _ in range(2)]
            assert once == again and once[:4] == b'glTF', source
            assert run('modes', source, '-q', '-o', '-').stdout == run('modes', source, '-q', '-o', '-').stdout


@promise
def standard_output_gets_what_a_file_gets():
    with Folder() as folder:
        works('palette', 'bar.glb', '-o', 'out.glb', cwd=folder)
        assert run('palette', 'bar.glb', '-o', '-', cwd=folder).stdout == (folder / 'out.glb').read_bytes()
        works('modes', 'bar.glb', '-o', 'out.json', cwd=folder)
        assert run('modes', 'bar.glb', '-o', '-', cwd=folder).stdout == (folder / 'out.json').read_bytes()
        works('info', 'bar.glb', '-o', 'rig.json', cwd=folder)
        assert run('info', 'bar.glb', '--json', cwd=folder).stdout == (folder / 'rig.json').read_bytes()
        assert run('info', 'bar.glb', '-o', '-', cwd=folder).stdout == (folder / 'rig.json').read_bytes()


@promise
def count_is_clamped_to_what_there_is():
    with Folder() as folder:
        every = palette_of('bar.glb', cwd=folder)
        assert palette_of('bar.glb', '--count', 10**9, cwd=folder) == every
        for count in (1, 5, 6, 7):
            some = palette_of('bar.glb', '--count', count, cwd=folder)
            assert [mode['index'] for mode in some['modes']] == list(range(6 + min(count, 6)))
            near(hertz(some), hertz(every)[:6 + count], 1e-12, f'--count {count}')
            assert (some['dof'], some['rigid_modes']) == (12, 6)


@promise
def count_is_of_elastic_modes_of_several_trees_too():
    with Folder() as folder:
        every = palette_of('two.glb', cwd=folder)
        assert every['rigid_modes'] == 12
        some = palette_of('two.glb', '--count', 3, cwd=folder)
        assert [mode['kind'] for mode in some['modes']] == 12 * ['rigid'] + 3 * ['elastic']
        works('palette', 'two.glb', '-q', '-o', 'out.glb', '--count', 3, cwd=folder)
        clips = Gltf(folder / 'out.glb').list('animations')[:3]
        assert [clip['name'].split()[:2] for clip in clips] == [['mode', '12'], ['mode', '13'], ['mode', '14']]
        head, *rows, end = works('modes', 'two.glb', '--count', 3, cwd=folder).splitlines()
        assert rows[0].split()[:4] == ['0-11', '0', 'rigid', 'its'] and len(rows) == 4, rows
        assert [row.split()[0] for row in rows[1:]] == ['12', '13', '14'] and end.startswith('3 of 12 elastic modes'), end


def rigid_robots(folder):
    """Two robots of three rigid parts, 3 m apart under one node; no skin, and every part turns in a clip."""
    document, data = samples.bar()
    animation, = document['animations']
    nodes = [{'name': 'scene', 'children': [1, 5]}]
    for name in 'ab':
        nodes.append({'name': name, 'children': [len(nodes) + 1], 'translation': [3 * (name == 'b'), 0, 0]})
        for k in range(3):
            nodes.append({'name': f'{name}{k}', 'mesh': 0, 'scale': [0.5, 0.5, 0.5], 'translation': [0, 3 * k, 0]})
            if k < 2:
                nodes[-1]['children'] = [len(nodes)]
    del document['skins'], document['cameras']
    attributes = document['meshes'][0]['primitives'][0]['attributes']
    del attributes['JOINTS_0'], attributes['WEIGHTS_0']
    animation['channels'] = [{'sampler': 0, 'target': {'node': i, 'path': 'rotation'}} for i in (2, 3, 4, 6, 7, 8)]
    (folder / 'robots.glb').write_bytes(samples.glb(document | {'nodes': nodes, 'scenes': [{'nodes': [0]}]}, data))


@promise
def rigid_characters_under_one_node_are_apart_and_one_can_be_taken():
    with Folder() as folder:
        rigid_robots(folder)
        assert '  characters   2 ' in works('info', 'robots.glb', '-q', cwd=folder)
        both = palette_of('robots.glb', cwd=folder)
        one, other = (palette_of('robots.glb', '--character', name, cwd=folder) for name in ('1', 'b'))
        assert both['rigid_modes'] == 12 and one['rigid_modes'] == other['rigid_modes'] == 6
        assert [body['name'] for body in rig_of('robots.glb', '--character', 'b', cwd=folder)['bodies']] == ['b0', 'b1', 'b2']
        assert len(one['modes']) == len(other['modes']) == 12
        near(hertz(both)[12:], sorted(hertz(one)[6:] + hertz(other)[6:]), 1e-9, 'modes of both')
        works('palette', 'robots.glb', '-q', '-o', 'out.glb', cwd=folder)
        assert len(Gltf(folder / 'out.glb').list('animations')) == 12 + 1


@promise
def a_palette_without_elastic_modes_is_a_copy_and_says_so():
    with Folder() as folder:
        done = run('palette', 'bar.glb', '-o', 'out.glb', '--max-hz', 1e-3, cwd=folder)
        assert done.returncode == 0 and b'none of the 6 modes in the window of frequencies is elastic' in done.stderr
        assert len(Gltf(folder / 'out.glb').list('animations')) == 1


@promise
def modes_above_the_highest_frequency_are_left_out():
    with Folder() as folder:
        every = palette_of('two.glb', cwd=folder)
        for limit in (0.001, 1.0, 2.0, 5.0, 1e6):
            below = [f for f in hertz(every) if f <= limit]
            near(hertz(palette_of('two.glb', '--max-hz', limit, cwd=folder)), below, 1e-12, f'--max-hz {limit}',
                 absolute=1e-12)


def joint_turns(written, clip):
    """The largest turn of each keyed node from its first key, degrees."""
    turns = {}
    for (node, path), (_, _, values) in written.clip(clip).items():
        if path == 'rotation':
            dots = [min(1.0, abs(sum(x * y for x, y in zip(values[0], v)))) for v in values]
            turns[node] = math.degrees(2 * math.acos(min(dots)))
    return turns


@promise
def amplitude_is_the_turn_of_the_joint_that_turns_most():
    with Folder() as folder:
        for degrees in (0.5, 20, 90, 180):
            words = [] if degrees == 20 else ['--amplitude', degrees]
            works('palette', 'bar.glb', '-o', 'out.glb', *words, cwd=folder)
            written = Gltf(folder / 'out.glb')
            for clip in range(len(written.list('animations')) - 1):
                turns = joint_turns(written, clip)
                joints = max(turn for node, turn in turns.items() if node in (1, 2))  # bone1, bone2; bone0 is the root
                # A float key holds a quaternion to 6e-8; acos near 1 makes 2e-2 degrees of it at the smallest turns.
                assert abs(joints - degrees) < 0.03, f'clip {clip}: {joints} degrees, not {degrees}'


@promise
def a_bvh_and_a_rig_file_get_bodies_to_look_at():
    with Folder() as folder:
        for source in [folder / 'limbs.bvh'] + models():
            works('palette', source, '-q', '-o', folder / 'out.glb')
            written = Gltf(folder / 'out.glb')
            assert written.list('meshes'), source
            names = {node.get('name') for node in written.list('nodes')}
            assert {body['name'] for body in rig_of(source)['bodies']} <= names, source


@promise
def gltf_beside_its_files_works_like_glb():
    with Folder() as folder:
        for name in ('out.glb', 'out.gltf'):
            works('palette', 'bar.gltf', '-o', name, cwd=folder)
        glb, gltf = Gltf(folder / 'out.glb'), Gltf(folder / 'out.gltf')
        assert len(glb.list('animations')) == len(gltf.list('animations')) == 7
        for clip in range(7):
            assert glb.clip(clip) == gltf.clip(clip)
        json.loads((folder / 'out.gltf').read_text())


@promise
def modes_too_fast_for_a_clip_stay_out_with_a_word():
    with Folder() as folder:
        done = run('palette', SOURCE / 'models' / 'chain_20.json', '--stiffness', 'uniform:1e9', '-o', 'out.glb', cwd=folder)
        assert done.returncode == 0 and b'too fast for a clip' in done.stderr, done.stderr[-300:]
        assert 0 < len(Gltf(folder / 'out.glb').list('animations')) < 60


@promise
def fbx_holds_the_clips_too():
    with Folder() as folder:
        works('palette', 'bar.glb', '-o', 'out.fbx', cwd=folder)
        clips = works('info', 'out.fbx', cwd=folder)
        for mode in palette_of('bar.glb', cwd=folder)['modes'][6:]:
            assert f'mode {mode["index"]:02d}  {mode["name"][:15]}' in clips, clips  # which the table cuts
        fails(2, 'palette', 'bar.glb', '-o', 'out.bvh', says='.fbx', cwd=folder)


judge()
