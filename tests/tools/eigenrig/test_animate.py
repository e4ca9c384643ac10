"""Mixes as clips and curves: the files of `animate`, and the words that it refuses."""
import csv
import io
import json
import math
import os
import pty
import re
import struct

from program import Folder, SOURCE, fails, hertz, palette_of, run, works
from tap import promise, run as judge

from gltf_reader import Gltf, transform  # noqa: E402
from samples import glb  # noqa: E402

NEW, BEND = 0, 1  # ours, and the bar's own clip


def animate(folder, *words, out='out.glb', model='bar.glb'):
    said = works('animate', model, *words, '-o', out, cwd=folder)
    return said, (Gltf(folder / out) if out.endswith(('.glb', '.gltf')) else (folder / out).read_bytes())


def clip_names(written):
    return [clip['name'] for clip in written.list('animations')]


def curves(folder, *words, model='bar.glb'):
    """The header's names, and rows of numbers, of joint curves."""
    text = animate(folder, *words, out='out.csv', model=model)[1].decode()
    rows = list(csv.reader(io.StringIO(text)))
    return rows[0], [[float(x) for x in row] for row in rows[1:]]


def turn(row, names, joint):
    return math.sqrt(sum(x * x for x, name in zip(row, names) if name.startswith(joint + '.t')))


@promise
def a_mode_swings_by_its_amplitude_at_its_frequency():
    with Folder() as folder:
        hz = hertz(palette_of('bar.glb', cwd=folder))[6]
        names, rows = curves(folder, '--mix', '6:12', '--fps', '240')
        joints = {name.rsplit('.', 1)[0] for name in names[1:]}
        assert names[0] == 'time_s' and joints == {'bone1', 'bone2'}, names
        most = max(turn(row, names, joint) for row in rows for joint in joints)
        assert abs(most - 12.0) < 12.0 * 2e-3, most  # a frame may miss the crest
        assert abs(rows[-1][0] * hz - 1.0) < 0.02, (rows[-1][0], hz)
        assert rows[0][1:] == rows[-1][1:]


@promise
def frequencies_move_to_whole_cycles_and_the_program_says_by_how_much():
    with Folder() as folder:
        hz = hertz(palette_of('bar.glb', cwd=folder))
        said, _ = animate(folder, '--mix', '6:12,8:5@1.3', '--loop', '--duration', '2')
        lines = re.findall(r'mode (\d+) +([\d.]+) Hz.*?(?:from ([\d.]+) Hz by ([-+][\d.]+) %)?\n', said)
        assert [int(line[0]) for line in lines] == [6, 8], said
        for (mode, now, was, percent), own in zip(lines, (hz[6], 1.3)):
            cycles = float(now) * 2.0
            assert abs(cycles - round(cycles)) < 1e-3, said
            if was:
                assert abs(float(was) - own) < 1e-4, said
                assert abs(float(percent) - 100 * (float(now) / own - 1)) < 0.02, said
        assert 'loops' in said and 'does not' not in said
        assert 'does not loop' in animate(folder, '--mix', '6:12', '--duration', '0.77')[0]


@promise
def every_mix_is_a_clip_of_its_own():
    with Folder() as folder:
        _, written = animate(folder, '--mix', '6:12', '--mix', '8:5+90')
        assert clip_names(written) == ['mix 6', 'mix 8', 'bend']
        _, written = animate(folder, '--mix', '6:12@1,8:3', '--mix', '6:5,8:7cm', '--mix', ','.join(f'{k}:1' for k in range(6, 36)), model=SOURCE / 'models' / 'horse.glb')
        assert clip_names(written)[:3] == ['mix 6 8', 'mix 6 8 (2)', 'mix of 30']
        _, written = animate(folder, '--mix', '6:12', '--name', 'nod')
        assert clip_names(written) == ['nod', 'bend']
        assert clip_names(animate(folder, '--mix', '6:12', '--name', 'bend')[1]) == ['bend (2)', 'bend']
        assert clip_names(animate(folder, '--mix', '6:12', '--name', 'bend', '--only-new')[1]) == ['bend']
        for out in ('out.dae', 'out.bvh', 'out.csv', 'out.npz'):
            fails(2, 'animate', 'bar.glb', '--mix', '6:12', '--mix', '8:5', '-o', out, says='--mix', cwd=folder)


@promise
def one_run_writes_every_format():
    outputs = ['out.glb', 'out.gltf', 'out.fbx', 'out.dae', 'out.bvh', 'out.csv', 'out.npz']
    with Folder() as folder:
        for model in ('bar.glb', 'limbs.bvh', SOURCE / 'models' / 'four_bar.json'):
            mix = '0:10' if str(model).endswith('.json') else '7:10'
            works('animate', model, '-q', '--mix', mix, *[word for out in outputs for word in ('-o', out)],
                  '--plot', 'out.svg', '--save-mix', 'mix.json', cwd=folder)
            for out in outputs + ['out.svg', 'mix.json']:
                assert (folder / out).stat().st_size > 100, out
                (folder / out).unlink()
        assert run('animate', 'bar.glb', '--mix', '7:10', '-o', '-', cwd=folder).stdout[:4] == b'glTF'
        terminal, inside = pty.openpty()
        for words in (('animate', 'bar.glb', '--mix', '7:10'), ('palette', 'bar.glb'), ('gait', 'bar.glb'), ('simulate', 'bar.glb'), ('render', 'bar.glb')):
            fails(2, *words, '-o', '-', says='terminal', cwd=folder, stdout=inside)
        os.close(terminal)
        os.close(inside)


@promise
def a_saved_mix_finds_its_modes_after_a_change_of_stiffness():
    with Folder() as folder:
        works('animate', 'bar.glb', '-q', '--mix', '7:12+30,9:4@2', '--save-mix', 'mix.json', cwd=folder)
        mix = json.loads((folder / 'mix.json').read_text())
        assert [voice['mode'] for voice in mix['modes']] == [7, 9] and mix['bodies'] == 3
        assert abs(mix['modes'][0]['phase'] - 30) < 1e-12 and mix['modes'][1]['hz'] == 2.0
        assert all(len(voice['shape']) == 3 for voice in mix['modes'])
        same = animate(folder, '-q', '--mix', 'mix.json', out='same.csv')[1]
        assert same == animate(folder, '-q', '--mix', '7:12+30,9:4@2', out='words.csv')[1]
        mix['modes'][0]['mode'] = 8  # a stale index: the shape knows better
        (folder / 'stale.json').write_text(json.dumps(mix))
        done = run('animate', 'bar.glb', '-v', '--mix', 'stale.json', '-o', 'stale.csv', cwd=folder)
        assert b'mode 8 of the mix is mode 7 of this rig' in done.stderr, done.stderr
        works('animate', 'bar.glb', '-q', '--mix', 'mix.json', '--height', '0.3', '-o', 'small.csv', cwd=folder)
        assert (folder / 'stale.csv').read_bytes() == same
        fails(1, 'animate', 'two.glb', '--mix', 'mix.json', '-o', 'out.glb', says='3 bodies', cwd=folder)


@promise
def a_mix_over_a_clip_adds_to_it_and_leaves_other_bones_alone():
    with Folder() as folder:
        _, written = animate(folder, '--mix', '6:0', '--over', 'bend')
        old, new = (written.json['animations'][k] for k in (BEND, NEW))
        assert [old['samplers'][c['sampler']]['output'] for c in old['channels']] == \
            [new['samplers'][c['sampler']]['output'] for c in new['channels']]  # no motion: the source's own numbers
        _, written = animate(folder, '--mix', '6:10', '--over', '0')
        base, layered = written.clip(BEND), written.clip(NEW)
        assert {path for node, path in layered} >= {'rotation'} and len(layered) > len(base)
        times = layered[1, 'rotation'][0]
        assert times[0] == 0.0 and abs(times[-1] - 1.0) < 1e-6  # as long as the clip
        fails(1, 'animate', 'bar.glb', '--mix', '6:10', '--over', 'run', '-o', 'out.glb', says='"run"', cwd=folder)
        fails(1, 'animate', 'bar.glb', '--mix', '6:10', '--over', 'bnd', '-o', 'out.glb', says='"bend"', cwd=folder)
        works('animate', 'bar.glb', '--mix', '6:10', '--over', 'BEND', '-o', 'out.glb', cwd=folder)
        fails(2, 'animate', SOURCE / 'models' / 'four_bar.json', '--mix', '0:10', '--over', 'run', '-o', 'out.glb',
              says='--over', cwd=folder)


@promise
def a_tolerance_leaves_out_keys():
    with Folder() as folder:
        keys = [int(re.search(r'(\d+) keys', animate(folder, '--mix', '6:20,8:10', *more)[0])[1])
                for more in ([], ['--tolerance', '0.1'], ['--tolerance', '2'], ['--tolerance', '0.1', '--splines'])]
        assert keys[0] > keys[1] > 3 * keys[2] and keys[1] > 3 * keys[3], keys
        _, written = animate(folder, '--mix', '6:20', '--tolerance', '0.5')
        assert all(kind == 'LINEAR' for _, kind, _ in written.clip(NEW).values())
        fails(2, 'animate', 'bar.glb', '--mix', '6:20', '--splines', '-o', 'out.glb', says='--tolerance', cwd=folder)
        _, written = animate(folder, '--mix', '6:20', '--tolerance', '0.5', '--splines')
        assert any(kind == 'CUBICSPLINE' for _, kind, _ in written.clip(NEW).values())


@promise
def poses_come_from_files_too():
    with Folder() as folder:
        works('info', 'bar.glb', '-q', '--pose', 'bend@0.5', '--save-pose', 'bent.json', cwd=folder)
        bent, clip, rest = (palette_of('bar.glb', *words, cwd=folder)
                            for words in (['--pose', 'bent.json'], ['--pose', 'bend@0.5'], []))
        for a, b in zip(hertz(bent), hertz(clip)):
            assert abs(a - b) <= 1e-9 * b
        assert any(abs(a - b) > 1e-3 * b for a, b in zip(hertz(rest)[6:], hertz(clip)[6:]))
        pose = json.loads((folder / 'bent.json').read_text())
        pose['nodes'] = [{'name': 'bone1', 'rotation': pose['nodes'][1]['rotation']}]
        (folder / 'one.json').write_text(json.dumps(pose))
        for a, b in zip(hertz(palette_of('bar.glb', '--pose', 'one.json', cwd=folder)), hertz(clip)):
            assert abs(a - b) <= 1e-9 * b
        for text, says in (('{', 'pose file'), ('{"format": "eigenrig-rig"}', 'eigenrig-pose'),
                           ('{"format": "eigenrig-pose", "version": 2, "nodes": []}', 'version'),
                           ('{"format": "eigenrig-pose", "version": 1, "nodes": [{"name": "tail"}]}', 'tail'),
                           ('{"format": "eigenrig-pose", "version": 1, "nodes": [{"name": "bone1", "turn": 1}]}', 'turn'),
                           ('{"format": "eigenrig-pose", "version": 1, "nodes": [{"name": "bone1", "rotation": [1, 1, 0, 0]}]}',
                            'rotation')):
            (folder / 'bad.json').write_text(text)
            fails(1, 'modes', 'bar.glb', '--pose', 'bad.json', says=says, cwd=folder)
        fails(1, 'modes', 'bar.glb', '--pose', 'missing.json', says='missing.json', cwd=folder)


@promise
def what_a_loop_moved_and_the_linear_form_are_told():
    with Folder() as folder:
        told = works('animate', 'bar.glb', '--mix', '7:10@2', '--loop', '--duration', '10.05', '-o', 'out.glb', cwd=folder)
        assert 'moved from 2.0000 Hz by -0.50 %' in told, told  # twenty cycles in 10.05 s
        said = run('animate', 'bar.glb', '--mix', '6:10@1,7:10@2,8:10@3', '-v', '-o', 'out.glb', cwd=folder).stderr.decode()
        off = re.search(r'linear form is off by up to (\S+) % of the size and (\S+) degrees', said)
        assert off and all(0.01 < float(x) < 10 for x in off.groups()), said


@promise
def bad_mixes_get_one_clear_error():
    with Folder() as folder:
        def refused(status, *words, says):
            before = sorted(path.name for path in folder.iterdir())
            fails(status, 'animate', 'bar.glb', *words, '-o', 'out.glb', says=says, cwd=folder)
            assert sorted(path.name for path in folder.iterdir()) == before
        for word in ('', '7', '7:', ':12', '7:12,', '7:12@', '7:12@0', '7:12@-1', '7:12+', '7:nan', '7:12@nan', '7:1e999',
                     '-1:12', '7.5:12', '7:12@1.5x', '7:12@0x', '7:12;8:3', '7 :12', '7:12 8:3', '7:-12', '7:12@1e9', '7:1e9', 'x' * 5000):
            refused(2, '--mix', word, says='')
        refused(2, '--mix', ','.join(['7:1'] * 1001), says='1000')
        refused(2, '--mix', '7:1,' * 1000000 + '7:1', says='1000') if len('7:1,' * 1000000) < 100000 else None
        refused(1, '--mix', '99:12', says='99')
        refused(1, '--mix', '0:12', says='0:12@1')
        refused(1, '--mix', '0:12@2x', says='mode 0')
        refused(1, '--mix', '7:12@2x', '--cycle', '1e-310', says='1e6')
        refused(1, '--mix', '7:12', '--attack', '1', '--loop', says='mode 7')
        refused(2, '--mix', '7:12', '--over', 'bend', '--duration', '2', says='--over')
        refused(2, '--mix', '7:12', '--plot', 'bar.glb', says='bar.glb')
        refused(2, '--mix', '7:12', '--gravity', '9', says='--gravity')
        refused(2, '--gait', 'walk', '--gait', 'trot', says='"trot"')
        refused(2, '--mix', '7:12', '--plot', 'plot.png', says='.svg')
        refused(2, '--mix', '7:12', '--save-mix', 'mix.glb', says='.json')
        refused(2, '--mix', '7:12', '-o', './out.glb', '-o', './out.glb', says='twice')
        refused(1, '--mix', '7:12', '--attack', '9', '--duration', '1', says='longer')
        for option, values in {'--fps': ['0', '-1', 'nan', '1e9', ''], '--duration': ['0', '-1', 'nan', '1e9'],
                               '--tolerance': ['0', '-1', 'nan', '60'], '--cycle': ['0', '-1', 'inf'],
                               '--attack': ['-1', 'nan'], '--decay': ['-1', 'x']}.items():
            for value in values:
                refused(2, '--mix', '7:12', f'{option}={value}', says=option)
        refused(1, '--mix', '7:12', '--duration', '100000', '--fps', '100000', says='frames')
        voice = '{"mode": 7, "degrees": 12'
        for text, says in (('[]', 'mix file'), ('{"format": "eigenrig-mix", "version": 1}', 'modes'),
                           ('%s, "hertz": 3}', 'hertz'), ('%s, "hz": "3"}', 'hz'), ('%s, "phase": 1e400}', ''),
                           ('%s, "shape": [[1]]}', 'shape'), ('%s, "attack": -1}', 'attack'),
                           ('%s, "hz": 1, "harmonic": 2}', 'harmonic'), ('%s, "mode": 8}', 'duplicate'), ('{"degrees": 12}', 'mode')):
            if text.startswith(('%s', '{"degrees')):
                text = '{"format": "eigenrig-mix", "version": 1, "modes": [%s]}' % text.replace('%s', voice)
            (folder / 'bad.json').write_text(text)
            refused(1, '--mix', 'bad.json', says='bad.json')
            refused(1, '--mix', 'bad.json', says=says)
        refused(1, '--mix', 'missing.json', says='missing.json')
        fails(2, 'animate', 'bar.glb', '-o', 'out.glb', says='--mix', cwd=folder)
        fails(2, 'animate', 'bar.glb', '--mix', '7:12', says='-o OUT.glb', cwd=folder)
        fails(2, 'animate', 'bar.glb', '--mix', '7:12', '-o', 'out.obj', says='.glb', cwd=folder)


def bone_places(written, names):
    """Where nodes are at the frames of the written clip, world, a list of frames each."""
    channels = written.clip(NEW)
    times = max((times for times, _, _ in channels.values()), key=len)
    index = [[node.get('name') for node in written.list('nodes')].index(name) for name in names]
    worlds = [written.worlds(channels, time[0] if isinstance(time, (list, tuple)) else time) for time in times]
    return [[world[i] for world in worlds] for i in index]


def furthest(places):
    return max(abs(a - b) for place in places for row, other in zip(place, places[0]) for a, b in zip(row, other))


@promise
def what_is_planted_stays_and_the_rest_moves():
    horse = SOURCE / 'models' / 'horse.glb'
    feet = [body['name'] for body in json.loads(works('info', horse, '--json'))['bodies'] if 'hoof' in body['name'] or 'foot' in body['name'].lower()]
    with Folder() as folder:
        free = animate(folder, '--mix', '7:12,9:8', '--fps', '24', model=horse)[1]
        kept = animate(folder, '--mix', '7:12,9:8', '--fps', '24', '--plant', 'feet', model=horse)[1]
        named = animate(folder, '--mix', '7:12,9:8', '--fps', '24', '--plant', ','.join(feet), model=horse)[1]
        assert len(feet) == 4, feet
        assert all(furthest(place) < 2e-6 for place in bone_places(kept, feet))  # floats
        assert any(furthest(place) > 0.02 for place in bone_places(free, feet))
        assert bone_places(kept, feet) == bone_places(named, feet)
        assert furthest(bone_places(kept, ['head'])[0]) > 0.02
        (folder / 'bar.rig.lua').write_text('return {plant = {"bone0"}}')
        names, rows = curves(folder, '--mix', '6:12', '--fps', '24', '--plant', 'none')
        described = curves(folder, '--mix', '6:12', '--fps', '24')[1]
        assert rows == described  # of the root alone, joints know nothing
        still, moving = (furthest(bone_places(animate(folder, '--mix', '7:12', *words)[1], ['bone0'])[0]) for words in ((), ('--plant', 'none')))
        assert still < 1e-6 and moving > 1e-3, (still, moving)
        (folder / 'bar.rig.lua').unlink()
        fails(1, 'animate', 'bar.glb', '--mix', '6:12', '--plant', 'bone9', '-o', 'x.glb', says='"bone', cwd=folder)
        kept = animate(folder, '--mix', '7:12,20:20', '--fps', '12', '--plant', 'feet', model=SOURCE / 'models' / 'gnome.glb')[1]
        toes = [node for node, thing in enumerate(kept.list('nodes')) if 'toe' in thing.get('name', '')]
        turns = [kept.clip(NEW)[toe, 'rotation'][2] for toe in toes]
        assert len(toes) == 2 and all(max(abs(a - b) for row in turn for a, b in zip(row, turn[0])) < 1e-6 for turn in turns)
        fails(1, 'animate', 'bar.glb', '--mix', '6:12', '--plant', '*', '-o', 'x.glb', says='plant *', cwd=folder)
        fails(2, 'animate', 'bar.glb', '--mix', '6:12', '--plant', '', '-o', 'x.glb', says='--plant', cwd=folder)
        said = run('animate', 'bar.glb', '--mix', '7:20m', '-o', 'x.glb', cwd=folder)
        assert '2000 cm to each side of the bone that moves most' in said.stdout.decode() and "more than the model's size" in said.stderr.decode(), said
        fails(1, 'animate', 'bar.glb', '--mix', '7:9000m', '-o', 'x.glb', says='3600', cwd=folder)
        fails(1, 'animate', 'bar.glb', '--mix', '6:12', '--plant', 'feet', '-o', 'x.glb', says='plant feet', cwd=folder)


@promise
def lengths_are_at_bones_patterns_and_nodes():
    horse = SOURCE / 'models' / 'horse.glb'
    with Folder() as folder:
        def degrees(where):
            told = works('animate', 'horse.glb', '--mix', f'13:3cm:{where}', '-o', 'out.csv', cwd=folder)
            return float(re.search(r'(\S+) degrees', told)[1])
        read = Gltf(horse)
        document = read.json
        tail = next(node for node in document['nodes'] if node.get('name') == 'tail_5')
        tail['children'] = [len(document['nodes'])]
        document['nodes'].append({'name': 'tip', 'translation': [0, 0.1, 0]})  # no bone, as exporters end chains
        (folder / 'horse.glb').write_bytes(glb(document, read.bin()))
        most = degrees('tail*')
        assert most == min(degrees('tail_4'), degrees('tail_5')) and degrees('ti?') == degrees('tail_5')  # the one that moves most
        fails(1, 'animate', horse, '--mix', '13:3cm:tale*', '-o', 'out.csv', says='"tale*"', cwd=folder)


@promise
def what_planting_leaves_is_told_and_nothing_twice():
    with Folder() as folder:
        horse = SOURCE / 'models' / 'horse.glb'
        told = run('animate', horse, '--mix', '10:8', '--mix', '10:4', '--mix', '16:8', '--plant', 'feet', '--duration', '0.5', '--loop', '-o', 'out.glb', cwd=folder).stderr.decode()
        assert re.findall(r'mix \d+: with what is planted only (\d+) % of the motion is left', told) == ['14'], told  # hooves' swing; 16 moves the tail
        assert told.count('mode 10 plays at') == 1, told


@promise
def hips_that_sit_stay_where_the_clip_has_them():
    gnome = SOURCE / 'models' / 'gnome.glb'
    with Folder() as folder:
        works('animate', gnome, '--preset', 'sit', '--only-new', '-q', '-o', 'sit.glb', cwd=folder)
        places = {}
        for name, words in (('breathes', ['--over', 'sit']), ('stands', [])):
            works('animate', 'sit.glb', '--preset', 'sway', *words, '--only-new', '-q', '-o', f'{name}.glb', cwd=folder)
            written = Gltf(folder / f'{name}.glb')
            source = Gltf(folder / 'sit.glb')
            node = {n.get('name'): i for i, n in enumerate(written.list('nodes'))}
            for bone in ('hips', 'chest'):
                places[name, bone] = max(math.dist(transform(written.worlds(written.clip(0), t)[node[bone]], (0, 0, 0)),
                                                   transform(source.worlds(source.clip(0) if words else None, t)[node[bone]], (0, 0, 0))) for t in (0.2, 0.6, 1.0, 1.4))
        assert places['breathes', 'hips'] < 1e-5 < 1e-3 < places['breathes', 'chest'], places
        assert places['stands', 'hips'] > 1e-3, places  # standing hips sway
        (folder / 'sit.lua').write_text('eigenrig.load("sit.glb"):export("lua.glb", "6:6", {over = "sit", plant = "feet"})')
        works('run', 'sit.lua', cwd=folder)
        works('animate', 'sit.glb', '--mix', '6:6', '--over', 'sit', '--plant', 'feet', '-q', '-o', 'animate.glb', cwd=folder)
        assert (folder / 'lua.glb').read_bytes() == (folder / 'animate.glb').read_bytes()


@promise
def parts_of_a_body_take_a_mix_or_a_clip_over_a_gait():
    gnome, few = SOURCE / 'models' / 'gnome.glb', ('--gait', 'walk', '--count', 16, '--fps', '20', '--only-new', '-q')
    with Folder() as folder:
        def turns(name, *words):
            works('animate', gnome, *few, *words, '-o', f'{name}.glb', cwd=folder)
            written = Gltf(folder / f'{name}.glb')
            names = [node.get('name') for node in written.list('nodes')]
            return {names[node]: values for (node, path), (_, _, values) in written.clip(0).items() if path == 'rotation'}

        def apart(a, b, bone):
            return max(abs(x - y) for p, q in zip(a[bone], b[bone]) for x, y in zip(p, q))

        walk, waves, all_ = turns('walk'), turns('waves', '--mix', '10:40@2x', '--parts', 'left arm'), turns('all', '--mix', '10:40@2x')
        assert apart(walk, waves, 'left_upper_arm') > 0.05 > 1e-5 > apart(waves, all_, 'left_upper_arm')
        assert apart(walk, waves, 'right_upper_arm') < 1e-5 < 0.05 < apart(walk, all_, 'right_upper_arm')
        long = ('--duration', '4.1')
        walk, idle, arms = turns('walk', *long), turns('idle', '--over', 'idle'), turns('arms', '--over', 'idle', '--parts', 'arms')
        assert apart(idle, arms, 'right_upper_arm') < 1e-5 < 0.02 < apart(walk, arms, 'right_upper_arm')
        assert apart(walk, arms, 'spine') < 1e-5 < 1e-3 < apart(walk, idle, 'spine')
        fails(2, 'animate', gnome, '--mix', '10:40', '--parts', 'arms', '-o', 'x.glb', says='--gait', cwd=folder)
        fails(1, 'animate', gnome, *few, '--mix', '10:40', '--parts', 'nose', '-o', 'x.glb', says='hat', cwd=folder)


@promise
def presets_are_made_of_modes_and_users_add_their_own():
    horse = SOURCE / 'models' / 'horse.glb'
    with Folder() as folder:
        config = folder / 'config' / 'eigenrig'
        config.mkdir(parents=True)
        env = dict(os.environ, XDG_CONFIG_HOME=str(folder / 'config'))
        works('animate', horse, '--preset', 'wag', '--fps', '24', '-o', 'wag.glb', cwd=folder)
        written = Gltf(folder / 'wag.glb')
        feet = [name for name in (node.get('name', '') for node in written.list('nodes')) if name.endswith('_hoof')]
        assert clip_names(written) == ['wag'] and len(feet) == 4
        assert all(furthest(place) < 2e-6 for place in bone_places(written, feet))
        assert all(abs(times[-1] * 24 - round(times[-1] * 24)) < 1e-4 for times, _, _ in written.clip(NEW).values())  # a loop of whole frames
        said = works('animate', horse, '--preset', 'wag', '--duration', '3.02', '--fps', '24', '-o', 'wag.glb', cwd=folder)
        assert said.startswith('wag: 3 s, 72 frames in place of 3.02 s, loops'), said
        fails(1, 'animate', horse, '--preset', 'wag', '--duration', '0.001', '-o', 'wag.glb', says='2 frames', cwd=folder)
        tail, spine = (furthest(bone_places(written, [name])[0]) for name in ('tail_5', 'spine_2'))
        assert tail > 0.05 and tail > 4 * spine, (tail, spine)
        (config / 'presets').write_text('# ours\npeer 4 feet head:side:6@1,trunk:side:1@1\n')
        said = works('animate', horse, '--preset', 'peer', '-o', 'peer.glb', cwd=folder, env=env)
        assert said.startswith('peer: ') and 3 <= len(said.splitlines()) <= 9, said  # of each part up to four modes
        for name, text, says in (('per', None, 'did you mean "peer"'), ('wga', None, 'did you mean "wag"'), ('x', None, 'no preset "x"'),
                                 ('PEER', '\npeer 4 feet', 'presets:2: expected NAME'), ('peer', 'peer 4 feet a:b:c', 'presets:1: "a:b:c" is no part of a preset'),
                                 ('peer', 'peer 4 paw* head:side:1', 'presets:1: plant paw*: no body'), ('peer', 'peer 1e5 feet head:side:1', 'presets:1: preset peer: 100000 seconds')):
            if text:
                (config / 'presets').write_text(text)
            fails(1, 'animate', horse, '--preset', name, '-o', 'x.glb', says=says, cwd=folder, env=env)
        (config / 'presets').write_text('junk\npeer 3 none tail:side:1@1\n' + 'x' * 9000 + '\nPeer 5 none head:side:1')
        for name in ('Wag', 'peer'):  # what is wrong with others is told, and no more
            done = run('animate', horse, '--preset', name, '--fps', '8', '-o', 'wag.glb', cwd=folder, env=env)
            told = done.stderr.decode()
            assert done.returncode == 0 and 'presets:1: expected NAME' in told and 'presets:3: the line is too long' in told, told
            assert ('presets:4: "Peer" again; that of line 2 is taken' in told) == (name == 'peer'), told
        fails(2, 'animate', horse, '--preset', 'wag', '--mix', '7:3', '-o', 'x.glb', says='--preset', cwd=folder)


@promise
def a_linkage_that_cannot_follow_says_how_far_it_can():
    with Folder() as folder:
        line = fails(1, 'animate', SOURCE / 'models' / 'four_bar.json', '--mix', '0:1000', '-o', 'out.glb', says='loop', cwd=folder)
        works('animate', SOURCE / 'models' / 'four_bar.json', '--mix', '0:5@0.5+90', '--duration', '3', '--attack', '0.05', '-o',
              'out.glb', cwd=folder)  # fast, but no leap
        reach = float(re.search(r'([\d.]+) degrees of mode 0', line)[1])
        assert 20 < reach < 1000
        works('animate', SOURCE / 'models' / 'four_bar.json', '--mix', f'0:{0.98 * reach}', '-o', 'out.glb', cwd=folder)


def rooted(folder):
    """The gnome below a node of its own, as engines want it: its path."""
    source = Gltf(SOURCE / 'models' / 'gnome.glb')
    scene = source.json['scenes'][source.json.get('scene', 0)]
    source.json['nodes'].append({'name': 'root', 'children': scene['nodes']})
    scene['nodes'] = [len(source.json['nodes']) - 1]
    text = json.dumps(source.json).encode()
    chunks = [(0x4E4F534A, text + b' ' * (-len(text) % 4)), *source.chunks]
    body = b''.join(struct.pack('<II', len(data), kind) + data for kind, data in chunks)
    (folder / 'rooted.glb').write_bytes(struct.pack('<4sII', b'glTF', 2, 12 + len(body)) + body)
    return folder / 'rooted.glb'


@promise
def root_motion_moves_a_node_and_not_the_feet():
    with Folder() as folder:
        gnome, model = SOURCE / 'models' / 'gnome.glb', rooted(folder)

        def walk(model, *words):
            works('animate', model, '--gait', 'walk travels', '--count', 4, *words, '-o', 'walk.glb', '--only-new', cwd=folder)
            return Gltf(folder / 'walk.glb')

        plain = walk(model)
        named = {node.get('name'): i for i, node in enumerate(plain.list('nodes'))}
        for moved in (walk(model, '--root-motion', 'root'), walk(gnome, '--root-motion', 'flat')):  # there, and added
            nodes = {node.get('name'): i for i, node in enumerate(moved.list('nodes'))}
            root = moved.clip(0)[nodes['root'], 'translation']
            times, way = root[0], root[2]
            assert (named['root'], 'translation') not in plain.clip(0)
            for t, p in zip(times, way):  # a constant velocity along the ground
                assert all(abs(a - t / times[-1] * b) < 1e-5 for a, b in zip(p, way[-1])) and abs(p[1]) < 1e-6
            for t in times[::5]:
                a, b = plain.worlds(plain.clip(0), t), moved.worlds(moved.clip(0), t)
                for bone in ('hips', 'left_foot', 'head'):
                    assert math.dist(transform(a[named[bone]], (0, 0, 0)), transform(b[nodes[bone]], (0, 0, 0))) < 1e-4
        skin = moved.list('skins')[0]  # of the added root
        assert nodes['root'] in skin['joints'] and moved.list('accessors')[skin['inverseBindMatrices']]['count'] == len(skin['joints'])
        assert nodes['hips'] in moved.list('nodes')[nodes['root']]['children']
        still = walk(gnome, '--root-motion', 'none')
        first, end = (transform(still.worlds(still.clip(0), t)[nodes['hips']], (0, 0, 0)) for t in (0.0, times[-1]))
        assert math.dist(first, end) < 1e-6
        fails(1, 'animate', model, '--gait', 'walk', '--count', 4, '--root-motion', 'roof', '-o', 'x.glb', says='roof', cwd=folder)
        fails(1, 'animate', model, '--gait', 'walk', '--count', 4, '--root-motion', 'head', '-o', 'x.glb', says='body', cwd=folder)
        fails(2, 'animate', model, '--mix', '7:5', '--root-motion', 'root', '-o', 'x.glb', says='--root-motion', cwd=folder)


@promise
def a_sequence_plays_one_motion_after_the_other():
    with Folder() as folder:
        fox, few = SOURCE / 'models' / 'fox.glb', ('--count', 5)
        told = works('animate', fox, '--sequence', 'idle 2s, clip:run 1s, bound 2s', *few, '-o', 'out.glb', cwd=folder)
        assert clip_names(Gltf(folder / 'out.glb'))[0] == 'sequence' and '5 s' in told, told
        for items, spot in (('clip:run 1s, bound 2s', True), ('clip:idle 1s, bound 2s', False), ('clip:run 1s, wag 2s', False)):
            told = run('animate', fox, '--sequence', items, *few, '--errors', 'json', '-o', 'spot.glb', cwd=folder).stderr.decode()
            assert ('"clip:run\\"' in told) == spot, told  # it runs on the spot beside a gait that travels
        for status, says, words in ((1, 'gallopp', ['idle 1s, gallopp 2s']), (2, '--sequence', ['idle 1s', '--mix', '7:5'])):
            fails(status, 'animate', fox, '--sequence', *words, *few, '-o', 'x.glb', says=says, cwd=folder)
        assert not (folder / 'x.glb').exists()


@promise
def blends_of_two_gaits_are_clips_and_blend_spaces_share_phase_and_frames():
    with Folder() as folder:
        gnome = SOURCE / 'models' / 'gnome.glb'
        few = ('--count', 4)
        works('animate', gnome, '--gait', 'walk:0.3+skip travels', *few, '-o', 'blend.glb', '--only-new', cwd=folder)
        said = works('animate', gnome, '--blend-space', 'walk, walk:0.3+skip, skip', *few, '--fps', 30, '--root-motion', 'root', '-o', 'space.glb', '-o', 'space.fbx', '--only-new', cwd=folder)
        rows = {' '.join(line.split()[:-4]): [float(x) for x in line.split()[-4:]] for line in said.splitlines()[1:]}
        space = Gltf(folder / 'space.glb')
        assert clip_names(space) == list(rows) and len(rows) == 3
        speed, seconds, frames, stride = zip(*rows.values())
        assert len(set(frames)) == 1 and speed[0] < speed[1] < speed[2]
        assert abs(1 / seconds[1] - (0.3 / seconds[0] + 0.7 / seconds[2])) < 1e-3  # strides a second
        assert abs(stride[1] - (0.3 * stride[0] + 0.7 * stride[2])) < 2e-3
        for i in range(3):
            assert all(len(times) in (2, frames[0] + 1) for times, *_ in space.clip(i).values())
        # what engines expect: centimetres, +Y up, +Z forward, the frame rate, the root at the origin
        fbx = (folder / 'space.fbx').read_bytes()

        def setting(name, kind, form):
            found = re.search(name + b'S.*?' + kind + rb'(?:S\0{4})+[DI](.{8})', fbx, re.S)
            return struct.unpack_from(form, found[1])[0]

        assert setting(b'UnitScaleFactor', b'Number', '<d') == 1.0
        assert [setting(name, b'Integer', '<i') for name in (b'UpAxis', b'FrontAxis', b'CoordAxis')] == [1, 2, 0]
        assert setting(b'TimeMode', b'enum', '<i') == 6  # 30 a second
        names = [node.get('name') for node in space.list('nodes')]
        rest = {name: json.loads(works('info', f'space.{name}', '--save-pose', '-', '-q', cwd=folder))['nodes'] for name in ('glb', 'fbx')}
        glb, bones = ({node['name']: node for node in rest[name]} for name in ('glb', 'fbx'))
        assert bones['root']['translation'] == [0, 0, 0] and all(abs(x - 1) < 1e-6 for bone in bones.values() for x in bone['scale'])
        assert all(abs(a - 100 * b) < 1e-3 for name in ('hips', 'head') for a, b in zip(bones[name]['translation'], glb[name]['translation']))
        assert names.index('root') in space.list('skins')[0]['joints']
        for i in range(3):
            way = space.clip(i)[names.index('root'), 'translation'][2]
            assert math.dist(way[0], (0, 0, 0)) < 1e-6 and abs(math.dist(way[-1], way[0]) - stride[i]) < 2e-3
        alone = Gltf(folder / 'blend.glb')
        hips = [node.get('name') for node in alone.list('nodes')].index('hips')
        way = alone.clip(0)[hips, 'translation'][2]
        assert abs(math.dist(way[0], way[-1]) - stride[1]) < 2e-3
        for words, says in ((['--gait', 'walk:1.5+skip'], '1.5'), (['--blend-space', 'walk,walk:0.5+walkk'], 'walkk')):
            fails(1, 'animate', gnome, *words, *few, '-o', 'x.glb', says=says, cwd=folder)
        for words in (['--gait', 'walk:0.5+skip', '--over', 'idle'], ['--blend-space', 'walk,skip', '--gait', 'walk']):
            fails(2, 'animate', gnome, *words, '-o', 'x.glb', cwd=folder)
        assert not (folder / 'x.glb').exists()


judge()
