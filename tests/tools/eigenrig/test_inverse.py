"""Forces of motions by `inverse`: judged by momentum, by Galileo, by its own files read again, and on real rigs."""
import csv
import functools
import math
import subprocess
import tempfile

from program import Folder, SOURCE, fails, near, python_with_numpy, rig_of, run, works
from tap import RIGS, promise, run as judge, skip

GNOME = SOURCE / 'models' / 'gnome.glb'
FEET = ('left_foot', 'right_foot')


def table(path):
    """A CSV's rows as dictionaries of numbers."""
    with open(path, newline='') as file:
        return [{name: float(value) for name, value in row.items()} for row in csv.DictReader(file)]


def vector(row, name):
    return [row[f'{name}_{axis}'] for axis in 'xyz']


def weight_of(model, folder, *words):
    return 9.81 * sum(body['mass'] for body in rig_of(model, *words, cwd=folder)['bodies'])


@functools.cache
def gaits():
    """A folder with gaits.glb, and the name of its walk in place; "NAME travels" is the same walk across the ground."""
    folder = tempfile.TemporaryDirectory()
    works('gait', GNOME, '--best', '1', '-o', 'gaits.glb', '-q', cwd=folder.name)
    clips = [line.split(None, 1)[1].rsplit(None, 2)[0].strip() for line in works('info', 'gaits.glb', cwd=folder.name).split('Clips\n')[1].split('\n\n')[0].splitlines()]
    return folder, next(name for name in clips if f'{name} travels' in clips)


def same_forces(a, b, within):
    """Rows that differ by no more than a share of the largest number of their kind."""
    assert len(a) == len(b) and list(a[0]) == list(b[0])
    for kind in ('force', 'passive', 'power', 'force_x', 'force_y', 'force_z', 'torque_x', 'torque_y', 'torque_z'):
        names = [name for name in a[0] if name.endswith('.' + kind)]
        most = max(max(abs(row[name]) for name in names) for row in a)
        for x, y in zip(a, b):
            for name in names:
                assert abs(x[name] - y[name]) <= within * most + 1e-6, (name, x['time_s'], x[name], y[name])


@promise
def the_ground_carries_a_walk():
    with Folder() as folder:
        told = run('inverse', GNOME, '--gait', 'walk', '--friction', '0.6', '-o', 'walk.csv', '-o', 'walk.npz', '-o', 'walk.svg', cwd=folder).stderr.decode()
        rows, weight = table(folder / 'walk.csv'), weight_of(GNOME, folder)
        assert 'left_foot, right_foot' in told and f'weight {weight:.4g} N' in told and 'walk.svg: a drawing' in told, told
        up = [sum(row[f'{foot}.force_y'] for foot in FEET) + row['residual.force_y'] for row in rows[:-1]]
        assert abs(sum(up) / len(up) - weight) < 0.01 * weight, sum(up) / len(up)  # a stride ends as fast as it began
        assert max(up) > 1.05 * weight > 0.95 * weight > min(up)
        for row in rows:
            for foot in FEET:
                x, y, z = vector(row, f'{foot}.force')
                assert math.hypot(x, z) <= 0.6 * y + 1e-6 * weight, (foot, row['time_s'])
                if y > 0.01 * weight:
                    assert abs(row[f'{foot}.centre_y']) < 1e-3, (foot, row['time_s'])
        code = ('import numpy as np, csv; z = np.load("walk.npz"); rows = list(csv.reader(open("walk.csv"))); '
                'n = len(z["coordinate_names"]); data = np.array(rows[1:], float); '
                'assert (data[:, 1:1 + n] == z["force"]).all() and (data[:, 1 + 2 * n:1 + 3 * n] == z["power"]).all(); '
                'assert list(z["foot_names"]) == ["left_foot", "right_foot"]; '
                'assert (data[:, -6:] == z["residual"]).all() and z["ground_force"].shape == (len(data), 2, 3)')
        subprocess.run([python_with_numpy(), '-c', code], cwd=folder, check=True)


@promise
def a_walk_in_place_has_the_forces_of_the_walk_that_travels():
    with Folder() as folder:
        made, place = gaits()
        model = f'{made.name}/gaits.glb'
        told = run('inverse', model, '--clip', place, '--cutoff', '10', '-o', 'place.csv', cwd=folder).stderr.decode()
        assert 'walks in place' in told and 'repeating, smoothed' in told, told
        told = run('inverse', model, '--clip', f'{place} travels', '--cutoff', '10', '-o', 'travels.csv', cwd=folder).stderr.decode()
        assert 'walks in place' not in told and 'repeating, smoothed' in told, told
        same_forces(table(folder / 'place.csv'), table(folder / 'travels.csv'), 0.02)


@promise
def a_plate_that_measured_what_was_computed_changes_nothing():
    with Folder() as folder:
        made, place = gaits()
        words = ['inverse', f'{made.name}/gaits.glb', '--clip', f'{place} travels']
        works(*words, '-o', 'computed.csv', '-q', cwd=folder)
        works(*words, '--plate', 'computed.csv', '-o', 'measured.csv', '-q', cwd=folder)
        computed, measured = table(folder / 'computed.csv'), table(folder / 'measured.csv')
        for row in computed + measured:  # the plate pushes the foot, not the toes
            for name in [name for name in row if 'toes' in name]:
                del row[name]
        same_forces(computed, measured, 1e-6)
        for a, b in zip(computed, measured):
            for foot in FEET:
                near(vector(a, f'{foot}.centre'), vector(b, f'{foot}.centre'), 1e-6, foot, 1e-6)
        with open(folder / 'half.csv', 'w', newline='') as file:  # one foot alone, its force halved, columns in another order
            names = [f'left_foot.{part}_{axis}' for part in ('centre', 'force') for axis in 'xyz'] + ['time_s', 'left_foot.twist']
            rows = csv.writer(file)
            rows.writerow(names)
            for row in computed:
                rows.writerow([row[name] * (0.5 if 'force' in name or 'twist' in name else 1) for name in names])
        works(*words, '--plate', 'half.csv', '-o', 'half_out.csv', '-q', cwd=folder)
        left = table(folder / 'half_out.csv')
        assert all(abs(b['left_foot.force_y'] - 0.5 * a['left_foot.force_y']) < 1e-6 * (1 + a['left_foot.force_y']) for a, b in zip(computed, left))
        lone = max(range(len(computed)), key=lambda k: computed[k]['left_foot.force_y'] - 1e3 * computed[k]['right_foot.force_y'])
        assert left[lone]['residual.force_y'] > 0.4 * computed[lone]['left_foot.force_y'], left[lone]  # that the plate did not give


@promise
def plates_that_are_none_are_refused():
    with Folder() as folder:
        head = 'time_s,' + ','.join(f'left_foot.{part}_{axis}' for part in ('force', 'centre') for axis in 'xyz')
        for text, says in [('', 'time_s'), ('time_s,a\n0,1\n', 'BODY.force_x'), (head.replace('left_foot.centre_z', 'z') + '\n', 'left_foot.centre_z'),
                           (head + '\n', 'below'), (head + '\n0,1,2,x,4,5,6\n', 'plate.csv:2'), (head + '\n0,1,2\n', 'plate.csv:2'),
                           (head + '\n0,1,2,3,4,5,6\n0,1,2,3,4,5,6\n', 'plate.csv:3'), (head + '\n0,1,2,3,4,5,6\n0.1,1,2,3,4,5,6\n', 'from 0 to 0.1 s')]:
            (folder / 'plate.csv').write_text(text)
            fails(1, 'inverse', GNOME, '--clip', 'idle', '--plate', 'plate.csv', '-o', 'o.csv', says=says, cwd=folder)
        fails(1, 'inverse', GNOME, '--plate', 'nowhere.csv', '-o', 'o.csv', says='nowhere.csv', cwd=folder)


@promise
def a_rig_without_feet_keeps_all_as_its_residual():
    with Folder() as folder:
        done = run('inverse', 'bar.glb', '--feet', 'none', '-o', '-', cwd=folder)  # its only clip
        assert done.returncode == 0 and '--feet' not in done.stderr.decode(), done.stderr
        assert '--feet' in run('inverse', 'bar.glb', '-o', 'o.csv', cwd=folder).stderr.decode()
        rows = list(csv.DictReader(done.stdout.decode().splitlines()))
        weight = weight_of('bar.glb', folder)
        assert 'residual.force_y' in rows[0] and not any('centre' in name for name in rows[0])
        assert abs(float(rows[0]['residual.force_y']) - weight) < 0.5 * weight


@promise
def words_that_name_no_motion_are_refused():
    with Folder() as folder:
        for status, words, says in [
                (2, ['--clip', 'bend'], '-o'), (2, ['--clip', 'bend', '-o', 'o.glb'], '.csv'),
                (2, ['--clip', 'bend', '--mix', '7:10', '-o', 'o.csv'], '--clip'), (2, ['-o', 'o.csv', '-o', 'o.csv'], 'twice'), (2, ['--tempo', '2Hz', '-o', 'o.csv'], '--gait'),
                (2, ['--cutoff', '-1', '-o', 'o.csv'], '--cutoff'), (1, ['--clip', 'fly', '-o', 'o.csv'], 'fly'),
                (1, ['--clip', 'bend', '--cutoff', '40', '-o', 'o.csv'], '40 Hz'), (2, ['--mix', '7x', '-o', 'o.csv'], '7x')]:
            done = run('inverse', 'bar.glb', *words, cwd=folder)
            assert done.returncode == status and says in done.stderr.decode(), (words, done.returncode, done.stderr)
            assert not (folder / 'o.csv').exists(), words
        fails(1, 'inverse', SOURCE / 'models' / 'hand.glb', '-o', 'o.csv', says='--mix', cwd=folder)


@promise
def without_gravity_the_weight_alone_is_missing():
    """A body that nothing bears: gravity adds its weight to the residual of each frame, and nothing else."""
    model = SOURCE / 'models' / 'horse.glb'
    with Folder() as folder:
        for gravity in ('0', '9.81'):
            done = run('inverse', model, '--mix', '7:10', '--feet', 'none', '--gravity', gravity, '-o', f'{gravity}.csv', cwd=folder)
            assert done.returncode == 0 and b'warning' not in done.stderr, done.stderr
        weight, pairs = weight_of(model, folder), list(zip(table(folder / '0.csv'), table(folder / '9.81.csv')))
        for without, with_it in pairs:
            added = [b - a for a, b in zip(vector(without, 'residual.force'), vector(with_it, 'residual.force'))]
            assert abs(math.hypot(*added) / weight - 1) < 1e-6, added
        fails(2, 'gait', model, '--gravity', '0', says='--gravity', cwd=folder)
        fails(2, 'inverse', model, '--gait', 'swim', '--gravity', '0', '-o', 'o.csv', says='--gravity', cwd=folder)


WALKS = {  # recorded or animated walks, and the most residual: a share of the weight, as root of the mean square
    'walk.dae': ('0', ['--height', '1.8', '--cutoff', '6'], 0.01),
    'Fox.glb': ('Walk', ['--height', '0.4', '--cutoff', '8'], 0.05),
    'quaternius_horse.fbx': ('Armature|WalkSlow', ['--height', '2.4', '--cutoff', '6'], 0.05),
    'field/lumberjack_rigify.glb': ('Walk', ['--cutoff', '6'], 0.03),
}


@promise
def walks_of_real_rigs_leave_little():
    present = {name: walk for name, walk in WALKS.items() if (RIGS / name).exists()}
    if not present:
        skip(f'there are no rigs in {RIGS}; EIGENRIG_RIGS names their folder')
    with Folder() as folder:
        for name, (clip, words, most) in present.items():
            works('inverse', RIGS / name, '--clip', clip, *words, '-o', 'walk.csv', '-q', cwd=folder)
            rows, weight = table(folder / 'walk.csv'), weight_of(RIGS / name, folder, *words[:2] if words[0] == '--height' else [])
            left = math.sqrt(sum(math.hypot(*vector(row, 'residual.force')) ** 2 for row in rows) / len(rows)) / weight
            print(f'# {name}: residual {100 * left:.2g} % of the weight')
            assert left < most, (name, left)


judge()
