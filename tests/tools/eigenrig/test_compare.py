"""Two versions of a rig, and modes followed over a change of stiffness."""
import csv
import json
import math
import xml.etree.ElementTree as ET

from program import Folder, fails, models, palette_of, rig_of, run, works
from tap import SOURCE, promise, run as judge

HORSE = SOURCE / 'models' / 'horse.glb'
SVG = '{http://www.w3.org/2000/svg}'


def write_rig(folder, name, rig):
    (folder / name).write_text(json.dumps(rig))
    return name


def compared(*words, cwd):
    return json.loads(works('compare', *words, '--json', cwd=cwd))


@promise
def a_rig_is_like_itself():
    with Folder() as folder:
        for model in models():
            told = compared(model, model, cwd=folder)
            assert told['format'] == 'eigenrig-comparison' and not told['appeared'], model
            for row in told['modes']:
                assert row['old'] == row['new'] or row['old_hz'] == row['new_hz'], (model, row)
                assert row['group_likeness'] > 1 - 1e-9 and row['old_hz'] == row['new_hz'], (model, row)
        works('compare', HORSE, HORSE, '--tolerance', '0.001', cwd=folder)


@promise
def what_was_changed_is_told():
    with Folder() as folder:
        rig = rig_of(HORSE)
        joint = next(j for j in rig['joints'] if j['name'] == 'tail_2')
        joint['stiffness'] = [4 * k for k in joint['stiffness']]
        head = next(b for b in rig['bodies'] if b['name'] == 'head')
        head['mass'] *= 1.5
        head['inertia'] = [[1.5 * x for x in row] for row in head['inertia']]
        name = write_rig(folder, 'edited.json', rig)
        table = works('compare', HORSE, name, cwd=folder)
        assert 'tail_2 +300 %' in table and 'head +50 %' in table, table
        fails(4, 'compare', HORSE, name, '--tolerance', '1', says='edited.json', cwd=folder)
        works('compare', HORSE, name, '--tolerance', '99', cwd=folder)
        rows = compared(HORSE, name, cwd=folder)['modes']
        assert sorted(row['new'] for row in rows) == sorted(row['old'] for row in rows)
        works('compare', HORSE, name, '-o', 'told.json', cwd=folder)
        assert json.loads((folder / 'told.json').read_text())['modes'] == rows


@promise
def a_difference_has_a_verdict_of_its_own():
    """A program tells a difference from a broken input, and reads which modes differ and what was edited."""
    with Folder() as folder:
        rig = rig_of(HORSE)
        joints = {joint['name']: joint for joint in rig['joints']}
        joints['tail_2']['damping'] = [0.5 for _ in joints['tail_2']['stiffness']]
        joints['tail_3']['stiffness'] = [1.1 * k for k in joints['tail_3']['stiffness']]
        name = write_rig(folder, 'edited.json', rig)
        assert 'tail_2' in next(line for line in works('compare', HORSE, name, cwd=folder).splitlines() if 'damping' in line)
        done = run('compare', HORSE, name, '--tolerance', '0', '--json', '--errors', 'json', cwd=folder)
        told, said = json.loads(done.stdout), json.loads(done.stderr.splitlines()[-1])
        assert done.returncode == 4 and (said['code'], said['exit'], said['file']) == ('differs', 4, name), said
        assert told['same'] is False and told['tolerance_percent'] == 0
        changes = {(change['what'], change['name']): (change['old'], change['new']) for change in told['changes']}
        was = {joint['name']: joint for joint in rig_of(HORSE)['joints']}
        assert changes == {(key, name): (was[name][key], joints[name][key])
                           for key, name in (('damping', 'tail_2'), ('stiffness', 'tail_3'))}, changes
        differing = [row['old'] for row in told['modes'] if row['differs']]
        table = run('compare', HORSE, name, '--tolerance', '0', cwd=folder).stdout.decode().splitlines()
        assert differing == [int(line.split()[0]) for line in table if line.endswith('differs')] and differing
        broken = run('compare', HORSE, 'nosuch.glb', '--tolerance', '0', '--errors', 'json', cwd=folder)
        assert broken.returncode == 1 and json.loads(broken.stderr.splitlines()[-1])['code'] == 'file'
        for same in (HORSE, write_rig(folder, 'same.json', rig_of(HORSE))):
            told = compared(HORSE, same, '--tolerance', '0', cwd=folder)
            assert told['same'] and not told['changes'] and not any(row['differs'] for row in told['modes'])


@promise
def bodies_that_came_and_went_are_told():
    with Folder() as folder:
        rig = rig_of(HORSE)
        leaf = len(rig['bodies']) - 1
        while any(j['parent'] == leaf for j in rig['joints']):
            leaf -= 1
        gone = rig['bodies'][leaf]['name']
        last = len(rig['bodies']) - 1
        rig['joints'] = [j for j in rig['joints'] if j['child'] != leaf]
        rig['bodies'][leaf] = rig['bodies'][last]
        del rig['bodies'][last]
        for j in rig['joints']:
            for end in ('parent', 'child'):
                j[end] = leaf if j[end] == last else j[end]
        name = write_rig(folder, 'less.json', rig)
        assert gone in works('compare', HORSE, name, cwd=folder)
        rows = compared(HORSE, name, '--count', '12', cwd=folder)['modes']
        assert all(abs(row['likeness']) > 0.7 for row in rows if row['old_hz'] > 0), rows


@promise
def two_models_are_needed():
    with Folder() as folder:
        fails(2, 'compare', HORSE, says='OLD', cwd=folder)
        fails(2, 'compare', HORSE, HORSE, HORSE, says='leave out', cwd=folder)
        fails(1, 'compare', HORSE, 'nosuch.glb', says='nosuch.glb', cwd=folder)
        fails(1, 'compare', 'nosuch.glb', HORSE, says='nosuch.glb', cwd=folder)
        fails(2, 'compare', HORSE, HORSE, '-o', 'x.csv', says='x.csv', cwd=folder)
        fails(2, 'compare', HORSE, HORSE, '--tolerance', '-1', says='tolerance', cwd=folder)


@promise
def tracks_begin_and_end_where_the_modes_are():
    """At each factor the frequencies are those of a rig with that stiffness, in any order."""
    with Folder() as folder:
        works('modes', HORSE, '--track', 'tail*=0.25..4:5', '-o', 'track.csv', '--plot', 'track.svg', cwd=folder)
        rows = list(csv.DictReader((folder / 'track.csv').open()))
        assert [round(math.log2(float(row['stiffness_factor'])), 9) for row in rows] == [-2, -1, 0, 1, 2]
        for row in rows:
            rig = rig_of(HORSE)
            for joint in rig['joints']:
                if joint['name'].startswith('tail'):
                    joint['stiffness'] = [float(row['stiffness_factor']) * k for k in joint['stiffness']]
            hz = [mode['frequency_hz'] for mode in palette_of(folder / write_rig(folder, 'tail.json', rig))['modes']]
            for key, text in row.items():
                if key.endswith('_hz'):
                    assert min(abs(f / float(text) - 1) for f in hz if f > 0) < 1e-9, (key, text)
        drawn = ET.parse(folder / 'track.svg').getroot()
        assert len([g for g in drawn.iter(SVG + 'g')]) == 12
        table = works('modes', HORSE, '--track', 'tail*=0.25..4', '--count', '4', cwd=folder)
        assert len(table.splitlines()) == 5


@promise
def wrong_tracks_are_refused():
    with Folder() as folder:
        for text in ('tail*', 'tail*=', '=1..2', 'tail*=2..1', 'tail*=0..1', 'tail*=1..2:1', 'tail*=1..2:x', 'tail*=1..2:3:4', 'tail*=nan..2'):
            fails(2, 'modes', HORSE, '--track', text, says='--track', cwd=folder)
        fails(1, 'modes', HORSE, '--track', 'wings=1..2', says='wings', cwd=folder)
        fails(2, 'modes', HORSE, '--track', 'tail*=1..2', '-o', 'x.json', says='x.json', cwd=folder)
        fails(2, 'modes', HORSE, '--track', 'tail*=1..2', '--plot', 'x.pdf', says='x.pdf', cwd=folder)
        fails(2, 'modes', HORSE, '--track', 'tail*=1..2', '--json', says='--json', cwd=folder)


@promise
def a_clip_of_two_modes_consists_of_them():
    """Small angles add up; amplitudes count by their squares and inertia, so the shares of a swapped pair differ."""
    with Folder() as folder:
        works('animate', HORSE, '--mix', '7:1@1,9:0.5@2', '--duration', '1', '--name', 'both', '-o', 'both.glb', cwd=folder)
        rows = [line.split() for line in works('modes', 'both.glb', '--explain', 'both', cwd=folder).splitlines()[1:]]
        assert {row[0] for row in rows[:2]} == {'7', '9'} and float(rows[1][4]) > 99, rows
        works('animate', HORSE, '--mix', '9:1@2', '--duration', '1', '--name', 'one', '-o', 'one.glb', cwd=folder)
        rows = [line.split() for line in works('modes', 'one.glb', '--explain', 'one', cwd=folder).splitlines()[1:]]
        assert rows[0][0] == '9' and float(rows[0][2]) > 99, rows
        fails(1, 'modes', 'one.glb', '--explain', 'nosuch', says='nosuch', cwd=folder)
        fails(1, 'modes', SOURCE / 'models' / 'chain_20.json', '--explain', '0', says='rig file', cwd=folder)
        fails(2, 'modes', 'one.glb', '--explain', 'one', '-o', 'x.csv', says='--explain', cwd=folder)
        fails(2, 'modes', 'one.glb', '--explain', 'one', '--track', 'tail*=1..2', says='--track', cwd=folder)


judge()
