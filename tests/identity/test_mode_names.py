"""Names of the modes of the sample characters: right, unique, and the same however the rig is put."""
import json
import random
import re

from altered import exchanged, mirrored, shuffled
from gltf_reader import Gltf
from program import Folder, fails, models, palette_of, rig_of, works
from tap import SOURCE, promise, run as judge

MODELS = {name: SOURCE / 'models' / f'{name}.glb' for name in ('horse', 'fox', 'gnome')}
COUNT = 18


def named(folder, rig, *words):
    """Name and parity of the lowest modes of a rig."""
    path = folder / 'rig.json'
    path.write_text(json.dumps(rig))
    modes = palette_of(path, '--count', COUNT, *words)['modes']
    return [(mode['name'], mode['parity']) for mode in modes if mode['kind'] == 'elastic']


def names(folder, rig, *words):
    return [name for name, _ in named(folder, rig, *words)]


def noisy(rig, rng):
    for body in rig['bodies']:
        factor = 1 + rng.uniform(-0.01, 0.01)
        body['mass'] *= factor
        body['inertia'] = [[x * factor for x in row] for row in body['inertia']]
    for joint in rig['joints']:
        factor = 1 + rng.uniform(-0.01, 0.01)
        joint['stiffness'] = [k * factor for k in joint['stiffness']]
    return rig


@promise
def the_lowest_modes_of_characters_are_called_what_they_are():
    first = {'horse': ['trunk bends up and down', 'trunk twists', 'trunk bends sideways, with fore legs',
                       'fore legs swing, alternating', 'fore legs spread'],
             'fox': ['trunk bends up and down, with tail', 'tail sways, with trunk', 'trunk twists',
                     'tail swings up and down, with trunk'],
             'gnome': ['trunk bends sideways', 'trunk bends fore and aft', 'arms lift, alternating, with trunk',
                       'trunk twists, with arms', 'arms swing, together', 'arms lift, together']}
    for model, want in first.items():
        modes = [mode for mode in palette_of(MODELS[model], '--count', COUNT)['modes'] if mode['kind'] == 'elastic']
        got = [mode['name'] for mode in modes]
        assert got[:len(want)] == want, f'{model}: {got}'
        assert len(set(got)) == len(got), f'{model}: {got}'
        for mode in modes:
            assert -1 <= mode['parity'] <= 1 and 0 <= mode['sure'] <= 1
            assert 0.9 < sum(mode['regions'].values()) < 1 + 1e-9
        spread = [mode for mode in modes if mode['name'].endswith('legs spread')]
        assert spread
        for mode in modes:
            judge_parity(model, mode)
            judge_told(model, mode)


def judge_parity(model, mode):
    """A mode that is its own mirror image, or the reverse of it, has a name that allows for this."""
    name = re.split(', with |, [a-z ]+ against', mode['name'])[0]
    if abs(mode['parity']) < 0.9 or re.match('left|right|hair|beard|hat', name):
        return
    if re.search(r'^[a-z ]*(legs|arms|hands|feet|ears|wings|fins)\b', name):
        even, odd = 'together|spread', 'alternating|swing sideways'
    else:
        even, odd = 'up and down|fore and aft|nods', 'sideways|sways|twists|tilts|turns'
    assert not re.search(odd if mode['parity'] > 0 else even, name), f'{model}: {mode["name"]}: {mode["parity"]}'


def judge_told(model, mode):
    """A name tells every part that strains nearly as much as the one that it begins with; necks go with trunks."""
    name, shares = mode['name'], mode['regions']
    lead = max((part for part in shares if re.match(f'((left|right) )?{part[:-1]}', name)), key=len)
    for part, share in shares.items():
        ends = {'head', 'neck', 'feet', 'hands', 'fingers', 'fore feet', 'hind feet'}
        told = part in name or part in ends or ('legs' in part and 'and legs' in name)
        assert told or share < 0.75 * max(shares[lead], 0.16), f'{model}: {name}: {shares}'


@promise
def a_tail_on_a_hip_bone_is_a_tail():
    with Folder() as folder:
        rig = rig_of(MODELS['horse'])
        index = {body['name']: k for k, body in enumerate(rig['bodies'])}
        hip = next(k for name, k in index.items() if re.search('left.*thigh', name))
        root = next(joint for joint in rig['joints'] if 'tail' in rig['bodies'][joint['child']]['name'] and
                    'tail' not in rig['bodies'][joint['parent']]['name'])
        root['parent'] = hip
        found = [name for name in names(folder, rig) if 'tail' in name]
        assert found and not any('middle' in name for name in names(folder, rig)), found


@promise
def names_do_not_depend_on_order_or_route():
    with Folder() as folder:
        for model, path in MODELS.items():
            rig, rng = rig_of(path), random.Random(7)
            want = named(folder, rig)
            ways = [named(folder, rig, '--method', route) for route in ('tree', 'sparse', 'qr')]
            ways.append(named(folder, shuffled(json.loads(json.dumps(rig)), rng)))
            for got in ways:
                assert [name for name, _ in got] == [name for name, _ in want], f'{model}: {got}'
                assert all(abs(a - b) < 1e-9 for (_, a), (_, b) in zip(got, want)), model


@promise
def names_stay_under_noise_and_in_a_mirror():
    with Folder() as folder:
        for model, path in MODELS.items():
            rig, rng = rig_of(path), random.Random(3)
            want, lost = names(folder, rig), []
            for _ in range(3):
                got = names(folder, noisy(json.loads(json.dumps(rig)), rng))
                lost += [name for name in want if name not in got]  # modes of nearly equal frequency may change places
            assert len(lost) <= 0.06 * 3 * len(want), f'{model}: {lost}'
            got = [exchanged(name) for name in names(folder, mirrored(json.loads(json.dumps(rig))))]
            assert got == want, f'{model}: {[(a, b) for a, b in zip(want, got) if a != b]}'


@promise
def bones_may_be_called_in_other_languages():
    conventions = [
        {'thigh': 'Oberschenkel', 'shin': 'Unterschenkel', 'foot': 'Fuss', 'upper_arm': 'Oberarm', 'forearm': 'Unterarm',
         'shoulder': 'Schulter', 'neck': 'Hals', 'head': 'Kopf', 'beard': 'Bart_Haar', 'left': 'links', 'right': 'rechts'},
        {'thigh': 'cuisse', 'shin': 'mollet', 'foot': 'pied', 'upper_arm': 'bras', 'forearm': 'bras_bas',
         'shoulder': 'epaule', 'neck': 'cou', 'head': 'tete', 'beard': 'cheveux', 'left_': 'L_', 'right_': 'R_'}]
    with Folder() as folder:
        rig = rig_of(MODELS['gnome'])
        want = named(folder, rig)
        for convention in conventions:
            other = json.loads(json.dumps(rig))
            for part in other['bodies'] + other['joints']:
                for word, foreign in convention.items():
                    part['name'] = part['name'].replace(word, foreign)
            got = named(folder, other)
            same = sum(a == b for (a, _), (b, _) in zip(want, got))
            assert same >= COUNT - 1, f'{[(a, b) for a, b in zip(want, got) if a != b]}'
            assert all(abs(a - b) < 1e-9 for (_, a), (_, b) in zip(want, got)), convention


@promise
def modes_are_chosen_by_name():
    with Folder() as folder:
        by_index, by_name = folder / 'index.csv', folder / 'name.csv'
        palette = palette_of(MODELS['horse'])['modes']
        index = {mode['name']: mode['index'] for mode in palette}
        legs, tail = index['hind legs swing, alternating'], index['tail sways']
        works('animate', MODELS['horse'], '--mix', f'{legs}:14@2,{tail}:5+90', '-o', by_index)
        works('animate', MODELS['horse'], '--mix', 'hind legs swing, alternating:14@2, Tail sways:5+90', '-o', by_name)
        assert by_index.read_bytes() == by_name.read_bytes()
        fails(2, 'animate', MODELS['horse'], '--mix', 'hind legs swin, alternating:14', '-o', by_name,
              says='hind legs swing, alternating')
        one, other = folder / 'one.png', folder / 'other.png'
        works('render', MODELS['horse'], '--mode', index['head nods'], '--size', '64x64', '-o', one)
        works('render', MODELS['horse'], '--mode', 'head nods', '--size', '64x64', '-o', other)
        assert one.read_bytes() == other.read_bytes()
        fails(2, 'render', MODELS['horse'], '--mode', 'wheel', '-o', one, says='wheel')


@promise
def clips_are_called_by_name_and_parts_may_be_left_out():
    with Folder() as folder:
        clips = {}
        for only in ('all', 'whole-body'):
            path = folder / f'{only}.glb'
            works('palette', MODELS['gnome'], '--only', only, '--only-new', '-o', path)
            clips[only] = [clip['name'] for clip in Gltf(path).json['animations']]
        assert clips['all'][0] == 'mode 06  trunk bends sideways  1.06 Hz', clips['all'][0]
        assert all(len(name.encode()) <= 63 for name in clips['all'])
        assert len(set(clips['all'])) == len(clips['all'])
        assert not any(re.search('[][:/@]', name) for name in clips['all']), clips['all']
        left = set(clips['all']) - set(clips['whole-body'])
        assert set(clips['whole-body']) < set(clips['all']) and any('hair' in name for name in left), left
        table = works('modes', MODELS['gnome'], '--only', 'whole-body', '--count', COUNT)
        assert 'hair swings' not in table and 'trunk bends sideways' in table


@promise
def scripts_read_names():
    with Folder() as folder:
        script = folder / 'names.lua'
        script.write_text(f'''local model = require "eigenrig".load("{MODELS['horse']}")
local modes = model:modes(18)
local mode = modes:find("fore legs swing, alternating")
assert(mode.name == "fore legs swing, alternating" and #mode.brief <= 23 and mode.parity < -0.9)
assert(mode.whole_body and mode.sure > 0.5 and mode.regions["fore legs"] > 0.5 and mode.regions.tail < 0.1)
assert(modes:find("no such mode") == nil and modes[0].name ~= modes[1].name)
modes:save("{folder / 'script.json'}")
''')
        works('run', script)
        works('modes', MODELS['horse'], '--count', 18, '-o', folder / 'command.json')
        assert (folder / 'script.json').read_bytes() == (folder / 'command.json').read_bytes()


judge()
