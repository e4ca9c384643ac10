"""The options that say how a model becomes a rig do what they say."""
import json
import math

import samples
from program import Folder, fails, hertz, near, palette_of, rig_of, run, works
from samples import VOLUME
from tap import promise, run as judge


def mass(rig):
    return sum(body['mass'] for body in rig['bodies'])


def stiffness(rig):
    return [k for joint in rig['joints'] for k in joint['stiffness']]


def matrix(q):
    w, x, y, z = q
    return [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]


def centre(rig):
    """The centre of mass in the world."""
    total = [0.0, 0.0, 0.0]
    for body in rig['bodies']:
        r = matrix(body['orientation'])
        for i in range(3):
            at = body['position'][i] + sum(r[i][j] * body['com'][j] for j in range(3))
            total[i] += body['mass'] * at / mass(rig)
    return total


def named(rig, kind, name):
    return next(item for item in rig[kind] if item['name'] == name)


@promise
def density_and_mass_scale_the_bodies():
    with Folder() as folder:
        plain = rig_of('bar.glb', cwd=folder)
        dense, heavy, both = [rig_of('bar.glb', *words, cwd=folder) for words in (
            ['--density', 250], ['--mass', 7], ['--density', 250, '--mass', 7])]
        near([mass(dense), mass(heavy), mass(both)], [250 * VOLUME, 7, 7], 1e-7, 'mass')
        for rig, factor in ((dense, 0.25), (heavy, 7 / mass(plain)), (both, 7 / mass(plain))):
            for body, was in zip(rig['bodies'], plain['bodies']):
                near([body['mass']], [factor * was['mass']], 1e-12, 'mass')
                near(sum(body['inertia'], []), [factor * x for x in sum(was['inertia'], [])], 1e-12, 'inertia', 1e-12)
                near(body['com'], was['com'], 1e-12, 'com', 1e-12)


@promise
def height_scales_lengths_and_leaves_graded_frequencies():
    with Folder() as folder:
        plain, tall = [rig_of('bar.glb', *words, cwd=folder) for words in ([], ['--height', 6])]
        near([mass(tall)], [8 * mass(plain)], 1e-9, 'mass')
        near(centre(tall), [0, 3, 0], 1e-7, 'centre', 1e-6)
        for a, b in zip(tall['bodies'], plain['bodies']):
            near(a['position'], [2 * x for x in b['position']], 1e-12, 'position', 1e-12)
        small, large = [hertz(palette_of('bar.glb', *words, cwd=folder)) for words in ([], ['--height', 6])]
        near(large, small, 1e-9, 'Hz', 1e-12)


@promise
def a_fixed_root_is_held():
    with Folder() as folder:
        free, held = [palette_of('bar.glb', '--root', how, cwd=folder) for how in ('free', 'fixed')]
        assert (free['dof'], free['rigid_modes'], held['dof'], held['rigid_modes']) == (12, 6, 6, 0)
        roots = [joint for joint in held['rig']['joints'] if joint['parent'] == -1]
        assert [(joint['type'], joint['child']) for joint in roots] == [('fixed', 0)]
        for mode in held['modes']:
            assert mode['kind'] == 'elastic' and all(abs(x) < 1e-12 for x in mode['body'][0])
        # The law weighs the halves of a joint otherwise when one is the world; one given stiffness is the same in both.
        rig = works('info', 'bar.glb', '--json', '--stiffness', 'uniform:100', cwd=folder)
        (folder / 'rig.json').write_text(rig)
        near(hertz(palette_of('rig.json', '--root', 'fixed', cwd=folder)),
             hertz(palette_of('bar.glb', '--root', 'fixed', '--stiffness', 'uniform:100', cwd=folder)), 1e-9, 'fixed')


@promise
def joints_are_of_the_type_that_is_asked():
    with Folder() as folder:
        def types(*words):
            return [joint['type'] for joint in rig_of(*words, cwd=folder)['joints']]
        assert types('bar.glb') == types('bar.glb', '--joints', 'spherical') == ['spherical'] * 2
        assert types('bar.glb', '--joints', 'revolute') == ['revolute'] * 2
        assert types('limbs.bvh') == types('limbs.bvh', '--joints', 'auto') == ['spherical', 'revolute']
        assert types('limbs.bvh', '--joints', 'spherical') == ['spherical'] * 2
        assert palette_of('bar.glb', '--joints', 'revolute', cwd=folder)['dof'] == 8


@promise
def uniform_stiffness_is_one_number_everywhere():
    with Folder() as folder:
        for k in (0.25, 100):
            assert set(stiffness(rig_of('bar.glb', '--stiffness', f'uniform:{k}', cwd=folder))) == {k}
        soft, hard = [hertz(palette_of('bar.glb', '--stiffness', f'uniform:{k}', cwd=folder)) for k in (25, 100)]
        near(hard, [2 * f for f in soft], 1e-9, 'frequencies go with the root of the stiffness', 1e-9)
        none = palette_of('bar.glb', '--stiffness', 'uniform:0', cwd=folder)
        assert [mode['kind'] for mode in none['modes']] == ['rigid'] * 6 + ['mechanism'] * 6


@promise
def damping_is_every_elastic_modes():
    with Folder() as folder:
        for source in ('bar.glb', 'rig.json'):
            if source == 'rig.json':
                (folder / source).write_text(works('info', 'bar.glb', '--json', cwd=folder))
            palette = palette_of(source, '--damping', 0.125, cwd=folder)
            assert [mode['damping_ratio'] for mode in palette['modes']] == [0.0] * 6 + [0.125] * 6
            assert '0.1250' in works('modes', source, '--damping', 0.125, cwd=folder)
            near(hertz(palette), hertz(palette_of(source, cwd=folder)), 1e-12, 'Hz')


@promise
def rayleigh_factors_damp_by_mass_and_stiffness():
    alpha, beta = 0.5, 0.01
    with Folder() as folder:
        rig = works('info', 'bar.glb', '--json', '--damping', f'rayleigh:{alpha}:{beta}', cwd=folder)
        assert json.loads(rig)['rayleigh'] == [alpha, beta]
        assert 'rayleigh' not in rig_of('bar.glb', cwd=folder)
        assert f'Rayleigh factors {alpha} 1/s, {beta} s' in works(
            'info', 'bar.glb', '--damping', f'rayleigh:{alpha}:{beta}', cwd=folder)
        (folder / 'rig.json').write_text(rig)
        # a rig file keeps its factors when the ratio is changed
        for words in (['bar.glb', '--damping', f'rayleigh:{alpha}:{beta}', '--damping', 0.02],
                      ['rig.json', '--damping', 0.02]):
            palette = palette_of(*words, cwd=folder)
            assert palette['rig']['rayleigh'] == [alpha, beta] and palette['rig']['damping_ratio'] == 0.02
            for mode in palette['modes']:
                if mode['kind'] == 'rigid':
                    assert (mode['damping_ratio'], mode['damped_hz'], mode['decay']) == (0, 0, [0, alpha])
                    continue
                omega = 2 * math.pi * mode['frequency_hz']
                zeta = 0.02 + alpha / (2 * omega) + beta * omega / 2
                near([mode['damping_ratio'], mode['damped_hz'], *mode['decay']],
                     [zeta, mode['frequency_hz'] * math.sqrt(1 - zeta * zeta), zeta * omega, zeta * omega],
                     1e-12, 'Rayleigh')
                assert 'damped_shape' not in mode


@promise
def dampers_of_joints_are_columns_of_the_table():
    with Folder() as folder:
        assert 'damp' not in works('modes', 'bar.glb', cwd=folder)
        rig = rig_of('bar.glb', cwd=folder)
        rig['joints'][1]['damping'] = [0.3 * k for k in rig['joints'][1]['stiffness']]
        (folder / 'rig.json').write_text(json.dumps(rig))
        head, *rows = works('modes', 'rig.json', cwd=folder).splitlines()
        assert head.split()[:6] == ['mode', 'Hz', 'kind', 'damped', 'Hz', 'damping']
        assert rows[0].split()[:6] == ['0-5', '0', 'rigid', '-', '-', 'the']
        palette = palette_of('rig.json', cwd=folder)
        assert any('damped_shape' in mode for mode in palette['modes'])
        for row, mode in zip(rows[1:], palette['modes'][6:]):
            hz, ratio = map(float, row.split()[3:5])
            assert abs(hz - mode['damped_hz']) < 1e-4 and abs(ratio / mode['damping_ratio'] - 1) < 1e-2, row
        # more than doubles can hold is one clear error
        rig['joints'][1]['damping'] = [1e45] * 3
        rig['joints'][0]['damping'] = [1e-3] * len(rig['joints'][0]['stiffness'])
        (folder / 'rig.json').write_text(json.dumps(rig))
        fails(1, 'modes', 'rig.json', '-o', 'p.json', says='dampers', cwd=folder)
        assert not (folder / 'p.json').exists()
        text = works('modes', 'bar.glb', '--damping', '1e30', '-o', '-', cwd=folder)
        assert 'inf' not in text and 'nan' not in text.replace('eigenrig', '')
        assert '1e+30' in works('modes', 'bar.glb', '--damping', '1e30', cwd=folder)


@promise
def a_clip_at_a_time_is_the_equilibrium():
    with Folder() as folder:
        rest, bind, bent, half = [rig_of('bar.glb', *words, cwd=folder) for words in (
            ['--pose', 'rest'], ['--pose', 'bind'], ['--pose', 'bend@1'], ['--pose', 'bend@0.5'])]
        for a, b in zip(rest['bodies'], bind['bodies']):
            near(a['position'], b['position'], 1e-12, 'bind', 1e-6)
        document, data = samples.bar()
        node = next(node for node in document['nodes'] if node.get('name') == 'bone1')
        node['rotation'] = [0, 0, math.sqrt(0.5), math.sqrt(0.5)]
        (folder / 'turned.glb').write_bytes(samples.glb(document, data))
        for how, same in ('rest', bent), ('bind', bind):
            turned = rig_of('turned.glb', '--pose', how, cwd=folder)
            for name in ('bone1', 'bone2'):
                near(named(turned, 'bodies', name)['position'], named(same, 'bodies', name)['position'], 0, how, 1e-6)
        # bone1 turned by 90 degrees about z: bone2, 1 m along its y, comes to lie 1 m aside in -x.
        near(named(bent, 'bodies', 'bone2')['position'], [-1, 1, 0], 0, 'bent', 1e-6)
        # Keys are interpolated along the great arc: half the time is half the turn.
        near(named(half, 'bodies', 'bone2')['position'], [-math.sqrt(0.5), 1 + math.sqrt(0.5), 0], 0, 'half', 1e-6)
        assert rig_of('bar.glb', '--pose', '0@1', cwd=folder)['bodies'] == bent['bodies']
        near([mass(bent)], [mass(rest)], 1e-9, 'a pose weighs the same')
        assert abs(hertz(palette_of('bar.glb', '--pose', 'bend@1', cwd=folder))[6] -
                   hertz(palette_of('bar.glb', cwd=folder))[6]) > 1e-3, 'another pose has other modes'


@promise
def a_clip_or_time_that_is_not_there_is_an_error():
    with Folder() as folder:
        line = fails(1, 'modes', 'bar.glb', '--pose', 'dance@0', says='dance', cwd=folder)
        assert 'bar.glb' in line and 'bend' in line, f'{line!r} does not say which clips there are'
        for pose in ('bend@1.5', 'bend@-0.5', '7@0', '-1@0', '@0'):
            line = fails(1, 'modes', 'bar.glb', '--pose', pose, cwd=folder)
            assert 'bar.glb' in line, line


@promise
def a_skeleton_can_be_picked_by_node_or_skin():
    with Folder() as folder:
        for name in ('otherbone0', 'otherskin'):
            rig = rig_of('two.glb', '--skeleton', name, cwd=folder)
            assert [body['name'] for body in rig['bodies']] == ['otherbone0', 'otherbone1', 'otherbone2'], name
            near([mass(rig)], [1000 * VOLUME], 1e-7, name)
        assert len(rig_of('two.glb', cwd=folder)['bodies']) == 6
        assert 'bar.glb' in fails(1, 'info', 'bar.glb', '--skeleton', 'nobody', says='nobody', cwd=folder)


@promise
def options_that_read_a_model_are_refused_on_a_rig_file():
    with Folder() as folder:
        (folder / 'rig.json').write_text(works('info', 'bar.glb', '--json', cwd=folder))
        for words in (['--joints', 'revolute'], ['--density', 500], ['--height', 2], ['--pose', 'bind'],
                      ['--skeleton', 'bone0'], ['--infer-parents']):
            fails(2, 'modes', 'rig.json', *words, says='rig.json', cwd=folder)
        rig = rig_of('rig.json', '--mass', 7, '--stiffness', 'uniform:5', cwd=folder)
        near([mass(rig)], [7], 1e-12, 'mass')
        assert set(stiffness(rig)) == {5}


@promise
def options_may_stand_anywhere_and_the_last_counts():
    with Folder() as folder:
        want = palette_of('bar.glb', '--mass', 7, cwd=folder)
        assert json.loads(works('modes', '-q', '--mass', 7, '-o', '-', 'bar.glb', cwd=folder)) == want
        assert json.loads(works('modes', '--mass=3', '--mass=7', '-qo-', '--', 'bar.glb', cwd=folder)) == want
        for words in (['animate', '--mix', '6:9', '-o', 'x.glb', '--plot', 'a.svg', '--plot', 'b.svg'], ['modes', '--matrices', 'a.npz', '--matrices=b.npz'], ['gait', '--strip', 'a.svg', '--strip', 'a.svg']):
            fails(2, words[0], 'bar.glb', *words[1:], says='"a.', cwd=folder)  # a file would be lost
        assert hertz(palette_of('bar.glb', '--height', '180cm', cwd=folder)) == hertz(palette_of('bar.glb', '--height', '1.8m', cwd=folder)) == hertz(palette_of('bar.glb', '--height', '1.8', cwd=folder))
        fails(2, 'modes', 'bar.glb', '--height', '6ft', says='1.8 or 180cm', cwd=folder)
        (folder / '-odd.glb').write_bytes((folder / 'bar.glb').read_bytes())
        odd = json.loads(works('modes', '-q', '--mass', 7, '-o', '-', '--', '-odd.glb', cwd=folder))
        assert hertz(odd) == hertz(want)


def arms(heavier):
    """A trunk with two arms, of which the left is heavier."""
    one = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    bodies = [{'name': name, 'mass': mass, 'com': [0, 0, 0], 'inertia': one, 'position': [x, y, 0], 'orientation': [1, 0, 0, 0]}
              for name, mass, x, y in (('trunk', 3, 0, 0), ('arm_L', heavier, 1, 0.5), ('arm_R', 1, -1, 0.5))]
    joints = [{'name': bodies[child]['name'], 'type': 'spherical', 'parent': 0, 'child': child, 'position': [x, 0, 0],
               'orientation': [1, 0, 0, 0], 'stiffness': [5, 5, 5]} for child, x in ((1, 0.4), (2, -0.4))]
    return {'format': 'eigenrig-rig', 'version': 1, 'name': 'arms', 'bodies': bodies, 'joints': joints}


@promise
def symmetrize_makes_twins_equal_and_says_what_it_changed():
    with Folder() as folder:
        (folder / 'arms.json').write_text(json.dumps(arms(1.5)))
        rig = rig_of('arms.json', '--symmetrize', cwd=folder)
        near([body['mass'] for body in rig['bodies']], [3, 1.25, 1.25], 1e-12, 'mass')
        told = run('modes', 'arms.json', '--symmetrize', cwd=folder).stderr.decode()
        report = works('info', 'arms.json', '--symmetrize', cwd=folder)
        for text in (told, report):
            assert '"arm_R" by 20 %' in text and '"arm_L" by 16.7 %' in text, text
        for name, text in (('own.lua', 'return {symmetrize = true}'), ('off.lua', 'return {symmetrize = false}')):
            (folder / name).write_text(text)
            equal = rig_of('arms.json', '--rig', name, cwd=folder)['bodies']
            assert (equal[1]['mass'] == equal[2]['mass']) == (name == 'own.lua'), name
        modes = palette_of('arms.json', '--symmetrize', cwd=folder)['modes']
        near([abs(mode['parity']) for mode in modes], [1] * len(modes), 1e-10, 'parity')


@promise
def a_rig_is_written_down_and_corrected():
    with Folder() as folder:
        works('info', 'bar.glb', '--save-description', 'bar.rig.lua', '-q', cwd=folder)
        text = (folder / 'bar.rig.lua').read_text()
        (folder / 'bar.rig.lua').write_text(text.replace('["bone2"] = "bone1"', '["bone2"] = "bone0"'))
        assert {joint['child']: joint['parent'] for joint in rig_of('bar.glb', cwd=folder)['joints']} == {1: 0, 2: 0}


judge()
