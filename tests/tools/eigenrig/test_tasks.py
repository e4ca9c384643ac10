"""Tasks of an animator, a technical director and a researcher, done with what the README and the help name.

Each is marked by how newcomers once got on with it. Tasks that other programs judge are listed with their promises."""
import functools
import json
import re
import shutil
import sqlite3
import subprocess

from gltf_reader import Gltf
from program import ENVIRONMENT, PROGRAM, Folder, fails, hertz, near, palette_of, python_with_numpy, rig_of, run, works
from tap import SOURCE, promise, run as judge, skip

FIRST, STUMBLED, FAILED = 'at first try', 'with stumbles', 'not'
FOX, GNOME, HORSE = (SOURCE / 'models' / f'{name}.glb' for name in ('fox', 'gnome', 'horse'))
FEW = ['--count', '4', '--fps', '15', '--only-new']
IN = Folder()
HERE = IN.__enter__()
tasks = {}

# Who, what, how it once went: the program and the promise that judge it.
ELSEWHERE = {
    ('animator', 'blends two gaits', FAILED): ('tools/eigenrig/test_animate.py', 'blends_of_two_gaits_are_clips_and_blend_spaces_share_phase_and_frames'),
    ('animator', 'uses the viewer', FIRST): ('tools/first_hour/test_animator.py', 'the_viewer_plays_the_files_own_clip'),
    ('director', 'splits a batch into shards and merges them', FIRST): ('tools/batch/test_shards.py', 'shards_of_many_folders_become_the_whole'),
    ('director', 'browses the page of a batch', FIRST): ('tools/batch/test_page.py', 'every_model_has_a_row_and_nothing_comes_from_elsewhere'),
    ('director', 'fails a build by exit codes', FIRST): ('tools/eigenrig/test_words.py', 'errors_are_objects_for_programs'),
    ('director', 'fails on a suspicious facing', STUMBLED): ('tools/eigenrig/test_report.py', 'a_doubtful_facing_is_a_warning'),
    ('director', 'compares two versions of a rig', STUMBLED): ('tools/eigenrig/test_compare.py', 'what_was_changed_is_told'),
    ('director', 'names outputs by a template', FAILED): ('tools/batch/test_runs.py', 'a_template_names_the_outputs'),
    ('director', 'reads the licence', FIRST): ('house/test_install.py', 'licences_cover_every_library_that_is_linked'),
    ('director', 'collects notices of third parties', FAILED): ('house/test_install.py', 'licences_cover_every_library_that_is_linked'),
    ('researcher', 'cites it', FIRST): ('house/test_install.py', 'citations_are_of_this_version'),
    ('researcher', 'follows frequencies over a stiffness', FIRST): ('tools/eigenrig/test_compare.py', 'tracks_begin_and_end_where_the_modes_are'),
    ('researcher', 'reads the theory', STUMBLED): ('house/test_links.py', 'every_page_that_code_cites_is_there'),
}
# The project has no add-on for Blender, no image of a container and no build for other systems than Linux.
# A joint type of one's own is a change of the sources (CONTRIBUTING.md).
NOT_HERE = 4


def task(who, what, once):
    """Makes a function the promise of a task."""
    def take(function):
        tasks[who, what, once] = function
        function.__name__ = f'{who} {what} (once {once})'.replace(' ', '_')
        return promise(function)
    return take


def made(name):
    return Gltf(HERE / name)


def clip_of(written, name=None):
    names = [clip.get('name') for clip in written.list('animations')]
    return written.clip(names.index(name) if name is not None else 0)


def times_of(channels):
    return max((times for times, _, _ in channels.values()), key=len)


def place(written, channels, name, time):
    node = [node.get('name') for node in written.list('nodes')].index(name)
    return [row[3] for row in written.worlds(channels, time)[node][:3]]


def heights(written, channels, name):
    return [place(written, channels, name, time)[1] for time in times_of(channels)]


def near_ends(channels):
    """Whether every channel ends as it begins."""
    return all(abs(a - b) < 1e-5 for _, _, values in channels.values() for a, b in zip(values[0], values[-1]))


def ask(*words):
    return works(*words, cwd=HERE)


@functools.cache
def walk_from_idle():
    ask('animate', GNOME, '--sequence', 'idle 1s, walk 2s', '--root-motion', 'root', *FEW, '-o', 'go.glb')
    return made('go.glb')


# ---- Animator


@task('animator', 'opens eight kinds of character', FIRST)
def _():
    ask('animate', 'bar.glb', '--mix', '7:10', '--fps', 10, *(word for end in ('gltf', 'fbx', 'dae', 'bvh') for word in ('-o', f'kind.{end}')))
    for model in (FOX, GNOME, HORSE, 'limbs.bvh', 'kind.gltf', 'kind.fbx', 'kind.dae', 'kind.bvh'):
        assert re.search(r'rig +\d+ bod', ask('info', model)), model


@task('animator', 'understands the palette by its sheet', FIRST)
def _():
    ask('render', FOX, '--sheet', '--count', 2, '-o', 'sheet.png')
    assert (HERE / 'sheet.png').read_bytes()[:4] == b'\x89PNG'


@task('animator', 'finds the mode that wags the tail', FIRST)
def _():
    row = next(line for line in ask('modes', FOX, '--count', 6).splitlines() if 'tail sways' in line)
    ask('animate', FOX, '--mix', 'tail sways:12', '--fps', 10, '--only-new', '-o', 'tail.glb')
    assert made('tail.glb').list('animations')[0]['name'] == 'mix ' + row.split()[0]


@task('animator', 'makes a nervous idle', FIRST)
def _():
    said = ask('animate', GNOME, '--preset', 'nervous', '--fps', 10, '--only-new', '-o', 'nervous.glb')
    assert 'loops' in said and near_ends(clip_of(made('nervous.glb')))


@task('animator', 'lets a tail follow through on a run, in a loop', STUMBLED)
def _():
    ask('follow', FOX, '--clip', 'run', '--parts', 'tail,ears', '--only-new', '-o', 'follow.glb')
    written = made('follow.glb')
    assert near_ends(clip_of(written)) and abs(times_of(clip_of(written))[-1] - 0.5) < 1e-6


@task('animator', 'walks with root motion', STUMBLED)
def _():
    written = walk_from_idle()
    clip = clip_of(written)
    path = [place(written, clip, 'root', time) for time in times_of(clip)]
    assert path[-1][2] - path[0][2] > 0.1 and all(abs(p[0] - path[0][0]) + abs(p[1] - path[0][1]) < 1e-6 for p in path), path
    sways = [place(written, clip, 'hips', time)[2] - at[2] for time, at in zip(times_of(clip), path)]
    assert max(sways) - min(sways) < 0.1 * (path[-1][2] - path[0][2]), 'the hips travel, not the root'


@task('animator', 'lands with a crouch and an overshoot', STUMBLED)
def _():
    said = ask('animate', HORSE, '--preset', 'land', '--fps', 20, '--only-new', '-o', 'land.glb')
    hips = heights(made('land.glb'), clip_of(made('land.glb')), 'hips')
    assert min(hips) < hips[-1] - 0.01 < hips[0] and 'asked' in said, hips
    said = ask('animate', FOX, '--preset', 'land', '--fps', 20, '--only-new', '-o', 'fox_land.glb')  # on legs that end in toes
    assert 'asked;' not in said, said


@task('animator', 'lets a seated character breathe', STUMBLED)
def _():
    ask('animate', GNOME, '--preset', 'sit', '--fps', 12, '--only-new', '-o', 'sit.glb')
    ask('animate', 'sit.glb', '--preset', 'breathe', '--pose', 'sit@1', '--fps', 12, '--only-new', '-o', 'breathe.glb')
    sat, hips = (heights(made(name), clip_of(made(name)), 'hips') for name in ('sit.glb', 'breathe.glb'))
    assert max(hips) < min(sat) + 0.3 * (max(sat) - min(sat)), 'it does not sit'


@task('animator', 'reacts to a hit within an idle', STUMBLED)
def _():
    told = fails(2, 'animate', GNOME, '--preset', 'hit', '--over', 'idle', '-o', 'hit.glb', says='--sequence', cwd=HERE)
    sequence = re.search(r'--sequence "([^"]+)"', told)[1]  # as the message says it
    ask('animate', GNOME, '--sequence', sequence, *FEW, '-o', 'hit.glb')
    assert abs(times_of(clip_of(made('hit.glb')))[-1] - 5) < 1e-6


@task('animator', 'moves a beard over an idle', STUMBLED)
def _():
    ask('follow', GNOME, '--clip', 'idle', '--parts', 'beard_*', '--fps', 12, '--only-new', '-o', 'beard.glb')
    assert near_ends(clip_of(made('beard.glb')))


@task('animator', 'carries an idle to another character', STUMBLED)
def _():
    ask('animate', FOX, '--preset', 'idle', '--save-mix', 'idle.mix.json', '--fps', 10, '--only-new', '-o', 'idle.glb')
    fails(1, 'animate', HORSE, '--mix', 'idle.mix.json', '-o', 'carried.glb', says='--from', cwd=HERE)
    ask('animate', HORSE, '--from', FOX, '--mix', 'idle.mix.json', '--fps', 10, '--only-new', '-o', 'carried.glb')
    written = made('carried.glb')
    tail = [place(written, clip_of(written), 'tail_5', time) for time in times_of(clip_of(written))]
    assert max(abs(p[0]) for p in tail) > 0.01, 'the tail does not sway'


@task('animator', 'exports for engines, a clip a file', STUMBLED)
def _():
    done = run('palette', HORSE, '--count', 2, '--height', 1, '-o', 'horse_{clip}.fbx', cwd=HERE)
    assert done.returncode == 0 and re.search(r'[\d.]+ m high in them, and 1 m', done.stderr.decode()), done.stderr
    files = sorted(path.name for path in HERE.glob('horse_mode_*.fbx'))
    assert len(files) == 2 and all('1 clip' in ask('info', name) for name in files), files


@task('animator', 'sends a GIF to a colleague', STUMBLED)
def _():
    if shutil.which('ffmpeg') is None:
        skip('ffmpeg is not installed')
    ask('render', 'bar.glb', '--mode', 7, '--size', '120x120', '--fps', 10, '-o', 'wave.gif')
    assert (HERE / 'wave.gif').read_bytes()[:3] == b'GIF'


@task('animator', 'goes from an idle to a walk', FAILED)
def _():
    written = walk_from_idle()
    clip = clip_of(written)
    path = [place(written, clip, 'root', time)[2] for time in times_of(clip)]
    steps = [b - a for a, b in zip(path, path[1:])]
    assert abs(path[3] - path[0]) < 0.02 < path[-1] - path[0]
    assert max(abs(b - a) for a, b in zip(steps, steps[1:])) < 0.5 * max(steps), 'it starts with a jolt'


# ---- Technical director


@task('director', 'puts palettes into SQLite', FIRST)
def _():
    data = sqlite3.connect(':memory:')
    data.execute('create table mode (model text, number integer, hz real)')
    for model in ('bar.glb', 'two.glb'):
        data.executemany('insert into mode values (?, ?, ?)', [(model, m['index'], m['frequency_hz']) for m in json.loads(ask('modes', model, '--json'))['modes']])
    assert data.execute("select count(*), max(hz) from mode where model = 'bar.glb'").fetchone()[0] == len(hertz(palette_of('bar.glb', cwd=HERE)))


@task('director', 'gives all tails 1.2 Hz', STUMBLED)
def _():
    (HERE / 'studio.lua').write_text('return {tune = {["tail sways"] = 1.2}}')
    for model, words in ((FOX, ['--tune', 'tail sways:1.2']), (HORSE, ['--rig', 'studio.lua'])):
        off = min(abs(hz - 1.2) for hz in hertz(palette_of(model, *words, cwd=HERE)))
        assert off < 1.2e-9, (model, off)


@task('director', 'calls it from Python', STUMBLED)
def _():
    done = subprocess.run([PROGRAM, 'info', FOX, '--json', '--strict', '--errors', 'json'], env=ENVIRONMENT, capture_output=True, text=True)
    assert done.returncode == 0 and json.loads(done.stdout)['report']['facing']['sure'] > 0.9
    done = subprocess.run([PROGRAM, 'info', 'none.glb', '--json', '--errors', 'json'], env=ENVIRONMENT, capture_output=True, text=True)
    assert (done.returncode, json.loads(done.stderr)['code']) == (1, 'file')


# ---- Researcher


@task('researcher', 'finds the motions of a linkage', FIRST)
def _():
    rig = palette_of(SOURCE / 'models' / 'four_bar.json', cwd=HERE)
    assert rig['dof'] == 1 == len(rig['modes']) and rig['rank'] < rig['constraints'], 'a plane linkage has redundant constraints'


@task('researcher', 'gets the modes of a loop by four routes', FIRST)
def _():
    routes = [hertz(palette_of(SOURCE / 'models' / 'loop_9.json', '--method', method, cwd=HERE)) for method in ('tree', 'sparse', 'qr', 'svd')]
    for route in routes[1:]:
        near(route, routes[0], 1e-9, 'a route', 1e-9)


@task('researcher', 'damps modes', FIRST)
def _():
    for mode in palette_of('bar.glb', '--damping', 0.05, cwd=HERE)['modes']:
        if mode['kind'] == 'elastic':
            near([mode['damping_ratio'], mode['damped_hz']], [0.05, mode['frequency_hz'] * (1 - 0.05 ** 2) ** 0.5], 1e-9, 'damping')


@task('researcher', 'solves at a deformed pose', FIRST)
def _():
    rest, run_pose = (rig_of(FOX, '--pose', pose, cwd=HERE) for pose in ('rest', 'run@0.1'))
    assert run_pose['report']['pose']['kind'] == 'clip' and rest['bodies'][14]['position'] != run_pose['bodies'][14]['position']
    assert hertz(palette_of(FOX, '--pose', 'run@0.1', cwd=HERE)) != hertz(palette_of(FOX, cwd=HERE))


@task('researcher', 'fixes the feet to the ground', FIRST)
def _():
    feet = '{child = "%s_foot", type = "fixed", at = "%s_foot"}'
    (HERE / 'stands.lua').write_text('return {loops = {' + ', '.join(feet % (side, side) for side in ('left', 'right')) + '}}')
    assert all(mode['kind'] == 'elastic' for mode in palette_of(GNOME, '--rig', 'stands.lua', '--count', 4, cwd=HERE)['modes'])


@task('researcher', 'ranks modes by their share in a clip', FIRST)
def _():
    shares = [float(line.split()[2]) for line in ask('modes', FOX, '--explain', 'run').splitlines() if re.match(r' +\d+ +[\d.]+ +[\d.]+ %', line)]
    assert len(shares) > 5 and shares == sorted(shares, reverse=True)


@task('researcher', 'projects motion capture on modes', STUMBLED)
def _():
    ask('animate', GNOME, '--mix', '8:10@1x,13:6@2x', '--duration', 1, '--fps', 30, '--only-new', '-o', 'capture.bvh')
    rows = [line.split() for line in ask('modes', 'capture.bvh', '--explain', 0, '--up', 'y').splitlines() if re.match(r' +\d+ +[\d.]+ +[\d.]+ %', line)]
    assert rows and float(rows[0][2]) > 20, rows


@task('researcher', 'weighs modes by their effective mass', FIRST)
def _():
    palette = palette_of('bar.glb', '--root', 'fixed', '--stiffness', 'graded:2', cwd=HERE)
    mass = sum(body['mass'] for body in palette['rig']['bodies'])
    for axis in range(3):
        share = sum(mode['effective_mass'][axis] for mode in palette['modes']) / mass
        assert 0 <= share <= 1 + 1e-9, share
    assert max(mode['effective_mass'][axis] for mode in palette['modes'] for axis in range(3)) > 0.05 * mass


MATRICES = r'''
import json, numpy
z = numpy.load('fox.npz', allow_pickle=False)
def dense(name):
    out = numpy.zeros(z[name + '_shape'])
    numpy.add.at(out, (z[name + '_row'], z[name + '_column']), z[name + '_value'])
    return out
M, K, R, N = (dense(name) if name + '_value' in z else z[name] for name in 'MKRN')
m, k = N.T @ M @ N, (R @ N).T @ K @ (R @ N)
L = numpy.linalg.inv(numpy.linalg.cholesky(m))
w2, x = numpy.linalg.eigh(L @ k @ L.T)
x = L.T @ x
hz = numpy.sqrt(numpy.maximum(w2, 0)) / (2 * numpy.pi)
'''


def numpy_agrees(script):
    """Runs a script on the matrices of a rig."""
    if not (HERE / 'fox.npz').exists():
        ask('modes', FOX, '--root', 'fixed', '--stiffness', 'graded:2', '-q', '--matrices', 'fox.npz', '-o', 'fox.json')
    done = subprocess.run([python_with_numpy(), '-c', MATRICES + script], cwd=HERE, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-1500:]


@task('researcher', 'takes matrices into numpy', FIRST)
def _():
    numpy_agrees("assert numpy.allclose(hz, [mode['frequency_hz'] for mode in json.load(open('fox.json'))['modes']], rtol=1e-9)")


@task('researcher', 'computes a frequency response', FIRST)
def _():
    numpy_agrees('''
w, force = numpy.pi * hz[0], numpy.ones(len(m))
direct, by_modes = numpy.linalg.solve(k - w * w * m, force), x @ ((x.T @ force) / (w2 - w * w))
assert numpy.allclose(direct, by_modes, rtol=1e-8)
''')


@task('researcher', 'computes how frequencies follow stiffness', FIRST)
def _():
    numpy_agrees('''
slope = numpy.array([x[:, 0] @ (R @ N)[[i]].T @ (R @ N)[[i]] @ x[:, 0] for i in range(len(K))]) / (8 * numpy.pi ** 2 * hz[0])
for i in range(0, len(K), 17):
    more = K.copy()
    more[i, i] *= 1 + 1e-5
    a = L @ (R @ N).T @ more @ (R @ N) @ L.T
    moved = numpy.sqrt(numpy.linalg.eigvalsh(a)[0]) / (2 * numpy.pi) - hz[0]
    assert abs(moved - slope[i] * 1e-5 * K[i, i]) < 1e-4 * abs(moved) + 1e-11 * hz[0], (i, moved, slope[i])
''')


@promise
def tasks_of_other_programs_are_there():
    for (who, what, _), (file, name) in ELSEWHERE.items():
        assert re.search(rf'^def {name}\(', (SOURCE / 'tests' / file).read_text(), re.MULTILINE), (who, what, file, name)
    counted = [who for who, _, _ in [*tasks, *ELSEWHERE]]
    assert len(counted) + NOT_HERE == 45, len(counted)


judge()
