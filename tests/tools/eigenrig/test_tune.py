"""Modes get the frequencies asked for, by every route, and all else is said."""
import json
import os
import pathlib

from program import Folder, fails, near, palette_of, rig_of, run, works
from tap import promise, run as judge

MODELS = pathlib.Path(os.environ['EIGENRIG_SOURCE']) / 'models'
AIMS = {'tail sways': 1.2, 'trunk twists': '1.5+'}
WORDS = ','.join(f'{name}:{hz}' for name, hz in AIMS.items())


def hz_of(modes, name):
    return next(mode['frequency_hz'] for mode in modes if mode['name'].startswith(name))


def near_aims(modes, what):
    near([hz_of(modes, 'tail sways')], [1.2], 1e-9, what)
    assert hz_of(modes, 'trunk twists') > 1.5 - 1e-9, what


@promise
def a_command_a_description_and_a_script_tune_alike():
    with Folder() as folder:
        model = MODELS / 'horse.glb'
        near_aims(palette_of(model, '--tune', WORDS, cwd=folder)['modes'], 'option')
        (folder / 'own.lua').write_text('return {tune = {["tail sways"] = 1.2, ["trunk twists"] = "1.5+"}}')
        described = rig_of(model, '--rig', 'own.lua', cwd=folder)
        (folder / 'rig.json').write_text(json.dumps(described))
        near_aims(palette_of('rig.json', cwd=folder)['modes'], 'saved rig file')
        assert described == rig_of(model, '--tune', WORDS, cwd=folder), 'description'
        (folder / 'tune.lua').write_text('''
            local eigenrig = require "eigenrig"
            local aims = {["tail sways"] = 1.2, ["trunk twists"] = "1.5+"}
            local changed = eigenrig.load(arg[1])
            local mass = changed.mass
            assert(not pcall(changed.change, changed, {mass = 3, tune = {["no such mode"] = 1}}))
            assert(changed.mass == mass)
            changed:change{tune = aims}
            changed:save("changed.json")
            eigenrig.load(arg[1], {tune = aims}):save("loaded.json")
        ''')
        works('run', 'tune.lua', model, cwd=folder)
        for name in ('changed.json', 'loaded.json'):
            near_aims(palette_of(name, cwd=folder)['modes'], name)
            assert json.loads((folder / name).read_text())['joints'] == described['joints'], name
        works('info', model, '--tune', WORDS, '--save-description', 'saved.rig.lua', '-q', cwd=folder)
        assert rig_of(model, '--rig', 'saved.rig.lua', cwd=folder)['joints'] == described['joints']


@promise
def a_rig_file_is_tuned_too_and_what_changed_is_said():
    with Folder() as folder:
        rig = rig_of(MODELS / 'horse.glb', cwd=folder)
        (folder / 'rig.json').write_text(json.dumps(rig))
        before = palette_of('rig.json', cwd=folder)['modes']
        done = run('modes', 'rig.json', '--tune', 'tail:1', '--json', cwd=folder)
        told = done.stderr.decode()
        first = next(mode['name'] for mode in before if mode['name'].startswith('tail'))
        assert f'"{first}"' in told and ' 1 Hz' in told and f'{hz_of(before, first):.6g} Hz' in told, told
        after = json.loads(done.stdout)
        ratio = [now / was for k, joint in enumerate(after['rig']['joints'])
                 for now, was in zip(joint['stiffness'], rig['joints'][k]['stiffness'])]
        names = [joint['name'] for joint in rig['joints'] for _ in joint['stiffness']]
        most = max(range(len(ratio)), key=lambda k: max(ratio[k], 1 / ratio[k]))
        assert f'"{names[most]}" by {ratio[most]:.4g}' in told, told
        assert 'by' not in run('modes', 'rig.json', '--tune', 'tail:1', '-q', cwd=folder).stderr.decode()


@promise
def the_lowest_mode_of_a_region_has_the_frequency_or_a_warning_says_otherwise():
    """Frequencies that the region's own springs allow and others; no other spring changes."""
    with Folder() as folder:
        met = 0
        for model in ('horse.glb', 'fox.glb'):
            stiff = {joint['name']: joint['stiffness'] for joint in rig_of(MODELS / model, cwd=folder)['joints']}
            for hz in (0.5, 1.2, 3):
                done = run('modes', MODELS / model, '--tune', f'tail:{hz}', '--strict', '--json', cwd=folder)
                if done.returncode != 0:
                    assert done.returncode == 1 and b'tail' in done.stderr and b'-1' not in done.stderr, done.stderr
                    continue
                met += 1
                tuned = json.loads(done.stdout)
                near([hz_of(tuned['modes'], 'tail')], [hz], 1e-8, (model, hz))
                for joint in tuned['rig']['joints']:
                    same = joint['stiffness'] == stiff[joint['name']]
                    assert same or 'tail' in joint['name'].lower(), (model, hz, joint['name'])
        assert met >= 3, met


@promise
def what_cannot_be_met_is_said_with_the_nearest():
    with Folder() as folder:
        (folder / 'two.json').write_text(json.dumps(chain()))
        modes = palette_of('two.json', cwd=folder)['modes']
        low, high = [mode['frequency_hz'] for mode in modes if mode['kind'] == 'elastic'][:2]
        index = len(modes) - 2
        aims = f'{index}:{low},{index + 1}:{1.02 * low}'
        fails(1, 'modes', 'two.json', '--tune', aims, says='together', cwd=folder)


def chain():
    """Two equal masses on equal springs: their frequencies cannot nearly meet while both springs stay."""
    bodies = [{'name': name, 'mass': 1, 'com': [0, 0, 0], 'inertia': [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
               'position': [x, 0, 0], 'orientation': [1, 0, 0, 0]} for name, x in (('a', 0), ('b', 1))]
    joints = [{'type': 'prismatic', 'parent': parent, 'child': child, 'position': [child, 0, 0],
               'orientation': [1, 0, 0, 0], 'stiffness': [50]} for parent, child in ((-1, 0), (0, 1))]
    return {'format': 'eigenrig-rig', 'version': 1, 'name': 'two', 'bodies': bodies, 'joints': joints}


@promise
def wrong_aims_are_refused():
    with Folder() as folder:
        for text in ('tail', 'tail:', 'tail:0', 'tail:-1', 'tail:x', ':2', 'tail:1,', 'tail:1e9', ''):
            fails(2, 'modes', 'bar.glb', '--tune', text, says='--tune', cwd=folder)
        fails(1, 'modes', MODELS / 'fox.glb', '--tune', 'tial sways:1', says='tial', cwd=folder)
        fails(1, 'modes', 'bar.glb', '--tune', '6:1,6:2', says='mode 6', cwd=folder)
        for text in ('{tune = 3}', '{tune = {tail = true}}', '{tune = {1.2}}', '{tune = "tail"}', '{tune = {}}'):
            (folder / 'wrong.lua').write_text('return ' + text)
            fails(1, 'modes', 'bar.glb', '--rig', 'wrong.lua', says='tune', cwd=folder)


judge()
