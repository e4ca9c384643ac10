"""Gaits of real characters: they get somewhere, feet stand still, nothing sinks, clips loop."""
import os
import re

from tap import SOURCE, every, promise, run as judge, skip

import fronts
from program import RIGS, Folder, run, some, works  # noqa: E402

LEGGED = ['CesiumMan.glb', 'Fox.glb', 'RobotExpressive.glb', 'greenman.glb', 'quaternius_horse.fbx', 'walk.dae']
FOUR = {'Fox.glb', 'quaternius_horse.fbx', 'horse.glb'}
FEW = {'horse.glb', 'Fox.glb', 'CesiumMan.glb', 'Snake.glb', 'kaykit_knight.glb', 'godette.vrm', 'q_dragon.fbx', 'cyborg_female_draco.gltf', 'astro_max.dae'}
HELD = re.compile(r'eigenrig: (.+?): standing feet off by (\S+) % of the stride, soles (\S+) % of the height')


def gaits(path):
    """Rows of the table, and what -v says of held feet, by name."""
    with Folder() as folder:
        done = run('gait', path, '-v', '--count', 16, '-o', folder / 'out.glb', '--mixes', folder / 'mixes')
        text = done.stderr.decode()
        assert done.returncode == 0, text
        assert (folder / 'out.glb').stat().st_size > 1000
    table = {}
    for line in done.stdout.decode().splitlines()[1:]:
        at = re.match(r'(\D+(?: \d+)?) +(\d\.\d\d) +(\S+) +(\S+) +(\S+) +(\S+)', line)
        if at is not None:
            table[at[1].strip()] = float(at[6])
    held = {at[1]: (float(at[2]), float(at[3])) for at in map(HELD.match, text.splitlines()) if at}
    return table, held


def height_of(path):
    return float(re.search(r'size +([\d.e+]+) m high', works('info', path))[1])


def length_of(path):
    return float(re.search(r'largest extent ([\d.e+]+) m', works('info', path))[1])


def judge_walker(path):
    if os.environ.get('EIGENRIG_SANITIZED') == '1':
        skip('searches take minutes under sanitizers')
    table, held = gaits(path)
    height = height_of(path)
    good = [name for name, stride in table.items()
            if stride >= 0.3 * height and held[name][0] < 1.0 and held[name][1] < 0.5]
    print('#', path.name, {name: (round(stride / height, 2), *held[name]) for name, stride in table.items()})
    assert good, f'{path.name}: {table} {held}'
    assert all(sunk < 0.5 for _, sunk in held.values()), held
    if path.name in FOUR:
        names = {name.split()[0] for name in table}
        assert names & {'gallop', 'bound', 'canter'} and names & {'trot', 'pace', 'walk'}, names


@promise
def our_own_models_go():
    for name in some(('horse.glb', 'gnome.glb'), FEW):
        judge_walker(SOURCE / 'models' / name)


@every
def real_rigs_go():
    if not RIGS.is_dir():
        skip(f'there is no {RIGS}')
    for name in some(LEGGED, FEW):
        judge_walker(RIGS / name)


@promise
def real_rigs_without_legs_go_by_waves():
    if not RIGS.is_dir():
        skip(f'there is no {RIGS}')
    families = {'Shark.glb': 'swim', 'Snake.glb': 'slither'}
    for name in some(families, FEW):
        family = families[name]
        table, _ = gaits(RIGS / name)
        print('#', name, family, round(table[family] / length_of(RIGS / name), 2), 'lengths')
        assert family in table and table[family] > 0.0, table


@promise
def fronts_are_right_as_often_as_they_are_sure():
    if not RIGS.is_dir():
        skip(f'there is no {RIGS}')
    other = {'walk.dae': 'x', '.vrm': '-z'}
    rigs = [RIGS / name for name in LEGGED] + sorted(
        path for path in (RIGS / 'field').glob('*') if path.suffix in ('.glb', '.gltf', '.vrm', '.fbx', '.dae'))
    _, by_bin, wrong = fronts.judge((path, other.get(path.name, other.get(path.suffix, 'z'))) for path in some(rigs, FEW))
    assert not wrong, wrong
    for low, parts in by_bin.items():
        print(f'# sure by {low} and more: right {sum(parts) / len(parts):.3f}, {len(parts)} rigs')
        assert low < 0.95 or sum(parts) >= 0.95 * len(parts), (low, parts)


judge()
