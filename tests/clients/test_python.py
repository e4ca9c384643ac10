"""The package eigenrig for Python, beside the command, SciPy and closed forms."""
import functools
import gc
import json
import math
import pathlib
import resource
import subprocess
import sys
import tempfile
import threading
import time

from program import works
from python_package import environment, package
from tap import EVERY, SOURCE, promise, run, skip

FOLDER = tempfile.TemporaryDirectory()
OUT = pathlib.Path(FOLDER.name)
MODELS = [SOURCE / 'models' / name for name in ['hand.glb', 'four_bar.json', 'loop_9.json', *(['horse.glb', 'fox.glb', 'gnome.glb'] if EVERY else [])]]
G = 9.81
SECONDS = 100  # beyond, a Python of its own hangs


@functools.cache
def opened(name='hand.glb'):
    return package()[0].open(SOURCE / 'models' / name)


@functools.cache
def palette(model):
    return json.loads(works('modes', model, '--json', '-q'))


def near(ours, theirs, tolerance, what=''):
    np = package()[1]
    ours, theirs = np.asarray(ours, float), np.asarray(theirs, float)
    assert ours.shape == theirs.shape, f'{what}: {ours.shape}, {theirs.shape}'
    off = np.max(np.abs(ours - theirs), initial=0.0)
    assert off <= tolerance * max(1.0, np.max(np.abs(theirs), initial=0.0)), f'{what}: off by {off}'


def raises(kind, function, *args, **options):
    try:
        function(*args, **options)
    except kind as problem:
        return problem
    raise AssertionError(f'{kind.__name__} was not raised')


@promise
def frequencies_names_and_residuals_are_those_of_the_command():
    eigenrig, np = package()
    for path in MODELS:
        theirs, modes = palette(path), eigenrig.open(path).modes()
        near(modes.frequency_hz, [mode['frequency_hz'] for mode in theirs['modes']], 1e-9, path.name)
        assert [mode.kind.name.lower() for mode in modes] == [mode['kind'] for mode in theirs['modes']]
        assert [body.name for body in modes.model.body] == [body['name'] for body in theirs['rig']['bodies']]
        if path.suffix == '.glb':
            assert modes.names == [mode['name'] for mode in theirs['modes']]
        for value in (modes.residuals.constraint, modes.residuals.gram, modes.residuals.pencil):
            assert 0 <= value < 1e-9, (path.name, modes.residuals)


@promise
def scipy_finds_the_same_modes():
    eigenrig, np = package()
    try:
        from scipy.linalg import eigh
    except ImportError:
        skip('there is no scipy (Debian: python3-scipy)')
    for path in MODELS:
        model = eigenrig.open(path)
        modes, matrices = model.modes(method='qr'), model.matrices()
        stiffness, mass = (each.toarray() for each in matrices.pencil())
        omega = np.sqrt(np.maximum(eigh(stiffness, mass, eigvals_only=True), 0))
        near(omega / 2 / math.pi, modes.frequency_hz, 1e-6, path.name)
        shapes = modes.shape.reshape(len(modes), -1).T
        pushed = (matrices.R.T @ matrices.K @ matrices.R @ shapes - matrices.M @ shapes * modes.omega**2)
        assert abs(matrices.N.T @ pushed).max() < 1e-8 * abs(matrices.N.T @ (matrices.M @ shapes * modes.omega**2)).max()
        near(shapes.T @ (matrices.M @ shapes), np.eye(len(modes)), 1e-9, 'gram')
        assert abs(matrices.G @ matrices.N).max() < 1e-10
        near(matrices.R @ shapes, modes.joint_shape.T, 1e-9, 'R eta')
        dense = eigenrig.lib.constraints_create(model)
        near(dense.G, matrices.G.toarray(), 1e-12, 'G')
        near(dense.R, matrices.R.toarray(), 1e-12, 'R')


VIEWS = '''
import gc
import eigenrig
import numpy as np

def views(path):
    model = eigenrig.open(path)
    modes, matrices = model.modes(20), model.matrices()
    return [modes.frequency_hz, modes.mode[9].body, modes.mode.eigenvalue, modes.shape, model.body.mass, model.body.inertia,
            model.joint.frame, model.tree_joint, matrices.pose, model.scene.mesh[0].position, model.rig.world,
            model.modes(9)[8].joint, eigenrig.lib.constraints_create(model).G]

kept, copies = views({path!r}), [each.copy() for each in views({path!r})]
for _ in range(5):
    gc.collect()
    eigenrig.open({path!r}).modes()
for view, copy in zip(kept, copies, strict=True):
    assert view.size and np.array_equal(view, copy), view
    try:
        view[...] = 0
    except ValueError:
        continue
    raise AssertionError('a view of memory of the library can be written')
'''


@promise
def views_outlive_what_they_were_taken_from():
    package()
    path = str(SOURCE / 'models' / 'hand.glb')
    for debug in ({'PYTHONMALLOC': 'debug', 'MALLOC_PERTURB_': '165'}, {}):
        done = subprocess.run([sys.executable, '-X', 'dev', '-c', VIEWS.replace('{path!r}', repr(path))], text=True,
                              capture_output=True, env=environment(**debug), timeout=SECONDS)
        assert done.returncode == 0, done.stderr[-2000:]


ORDERS = '''
import gc, itertools
import eigenrig
path = {path!r}
for order in itertools.permutations(range(4)):
    model = eigenrig.open(path)
    modes = model.modes(12)
    kinematics = model.kinematics()
    motion = model.motion('7:10', modes)
    things = [model, modes, kinematics, motion]
    del model, modes, kinematics, motion
    for k in order:
        things[k] = None
        gc.collect()
for _ in range(20):  # circles: a world whose force holds it
    model, kept = eigenrig.open(path), []
    world = model.world(apply=lambda time, pose, twist, wrench, kept=kept: kept)
    kept += [world, model, model.motion('7:10')]
    world.advance(0.01)
    del model, world, kept
gc.collect()
'''


@promise
def objects_end_in_any_order():
    package()
    path = str(SOURCE / 'models' / 'hand.glb')
    done = subprocess.run([sys.executable, '-X', 'faulthandler', '-c', ORDERS.replace('{path!r}', repr(path))], text=True,
                          capture_output=True, env=environment(MALLOC_PERTURB_='165'), timeout=SECONDS)
    assert done.returncode == 0, done.stderr[-2000:]


@promise
def nothing_is_left_behind():
    package()
    model = opened()
    for _ in range(30):
        model.modes().shape.sum(), model.kinematics(), model.matrices()
    gc.collect()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    size = model.modes().shape.nbytes
    for _ in range(300):
        model.modes().shape.sum(), model.kinematics(), model.matrices()
    gc.collect()
    grown = 1024 * (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
    assert grown < 100 * size, f'300 solves of {size} bytes left {grown}'


@promise
def failures_are_exceptions_with_sentence_and_code():
    eigenrig, np = package()
    model = opened()
    wrong = raises(eigenrig.ArgumentError, model.modes, rank_tol=2.0)
    assert wrong.code == 'ER_ERROR_ARGUMENT' and '2' in str(wrong) and isinstance(wrong, ValueError)
    missing = raises(eigenrig.FileError, eigenrig.open, OUT / 'nowhere.glb')
    assert missing.code == 'ER_ERROR_FILE' and 'nowhere.glb' in str(missing) and isinstance(missing, OSError)
    (OUT / 'broken.glb').write_bytes(b'glTF' + bytes(40))
    assert raises(eigenrig.FormatError, eigenrig.open, OUT / 'broken.glb').code == 'ER_ERROR_FORMAT'
    assert raises(eigenrig.FormatError, eigenrig.open_bytes, b'glTF' + bytes(40)).code == 'ER_ERROR_FORMAT'
    body = {'mass': -1.0, 'inertia': np.eye(3)}
    assert raises(eigenrig.RigError, eigenrig.build, [body]).code == 'ER_ERROR_RIG'
    raises(AttributeError, lambda: model.no_such_field)
    raises(AttributeError, lambda: eigenrig.lib.no_such_function)
    assert 'rank_tol' in str(raises(eigenrig.ArgumentError, model.modes, rank_tolerance=1e-8))
    raises(TypeError, eigenrig.lib.modal_count, model)


@promise
def arrays_of_a_wrong_length_do_not_reach_the_library():
    eigenrig, np = package()
    model = opened()
    n, q = model.body_count, model.coordinate_count
    kinematics = model.kinematics()
    for call in (lambda: model.pose(np.zeros(q + 1)), lambda: model.pose(np.zeros(q), np.zeros((n - 1, 7))),
                 lambda: model.coordinates(np.zeros((n, 6))), lambda: kinematics.pose(np.zeros(q - 1)),
                 lambda: model.change(factor=np.ones(model.joint_count - 1)), lambda: model.modes()[7].modes.project(np.zeros((2, 1000))),
                 lambda: model.trajectory([0, 1], np.zeros((2, n - 1, 7))), lambda: model.trajectory([0, 1, 2], np.zeros((2, n, 7))),
                 lambda: model.world().set_state(0, np.zeros((n, 6))), lambda: model.world(held=np.zeros(n + 1, bool)),
                 lambda: model.solver().set_stiffness(np.ones(q - 1)), lambda: model.write(OUT / 'x.glb', ([0, 1], np.zeros((2, n - 1, 7)))),
                 lambda: eigenrig.skin(model.scene, 0, np.zeros((1, 4, 3))), lambda: model.world().restore(model.world().save()[:-8])):
        raises((eigenrig.ArgumentError, ValueError), call)


@promise
def poses_are_those_of_clips_and_closed_forms():
    eigenrig, np = package()
    model = opened()
    near(model.pose(), model.body.pose, 1e-14, 'equilibrium')
    path = OUT / 'curves.npz'
    works('animate', SOURCE / 'models' / 'hand.glb', '--mix', '7:25,9:10', '--duration', 2, '--fps', 30, '-q', '-o', path)
    theirs = np.load(path)
    motion = model.motion('7:25,9:10', model.modes(), duration=2)
    x, pose = motion.poses(theirs['time'])
    near(x[:, :model.coordinate_count], theirs['q'], 1e-9, 'q')
    near(pose[:, :, 4:], theirs['position'], 1e-9, 'position')
    kinematics, out = model.kinematics(), np.zeros((model.body_count, 7))
    at = x[7].copy()
    kinematics.poser(at, out)()
    near(out, pose[7], 1e-12, 'poser')
    hinge = eigenrig.build([{'name': 'a', 'mass': 1, 'inertia': np.eye(3)}], [{'child': 0, 'type': 'revolute'}])
    near(hinge.pose([0.4]), [[math.cos(0.2), 0, 0, math.sin(0.2), 0, 0, 0]], 1e-15)


@promise
def changes_move_frequencies_as_they_must():
    eigenrig, np = package()
    model = opened()
    before = model.modes().frequency_hz
    near(model.scaled(4).modes().frequency_hz, 2 * before, 1e-9)
    near(model.change(density=4.0).modes().frequency_hz, before / 2, 1e-9)
    solver = model.solver()
    near(solver.solve().frequency_hz, before, 1e-9)
    first = solver.solve()
    solver.set_stiffness(4 * model.stiffness)
    now, match = solver.follow()
    near(now.frequency_hz, 2 * before, 1e-9)
    near(first.frequency_hz, before, 1e-9, 'the modes before')
    assert list(match.now) == list(range(len(before)))
    aims = {7: 1.2 * before[7], 9: 0.9 * before[9]}
    tuned, tuning = model.tune(aims)
    near([tuned.modes().frequency_hz[mode.now] for mode in tuning.mode], list(aims.values()), 1e-8)
    for modes in eigenrig.solve_batch([model, tuned, model]):
        near(modes.frequency_hz, modes.model.modes().frequency_hz, 1e-9)


@promise
def exceptions_in_callbacks_end_the_work_and_come_out():
    eigenrig, np = package()
    model = opened('horse.glb')
    seen = []

    def stop(done, all):
        seen.append((done, all))
        if done * 10 > all:
            raise KeyError('enough')
    raises(KeyError, model.gaits, progress=stop)
    assert seen and seen[-1][0] < seen[-1][1]
    raises(KeyError, model.modes(9).validate, progress=stop)
    world = model.world(apply=lambda time, pose, twist, wrench: 1 / 0)
    raises(ZeroDivisionError, world.advance, 0.1)
    assert raises(eigenrig.ArgumentError, opened().modes, min_hz=-1).code  # what follows is not disturbed


INTERRUPT = '''
import os, signal, threading, time
import eigenrig

model = eigenrig.open({path!r})
modes = model.modes(30)

class Press:
    pressed = 0.0

    def __call__(self, done, all):
        if not self.pressed:
            self.pressed = time.monotonic()
            threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)).start()
        return True

for work in (model.gaits, modes.validate):
    press = Press()
    try:
        work(progress=press)
        print('finished')
    except KeyboardInterrupt:
        print('stopped')
'''


@promise
def ctrl_c_stops_a_search():
    package()
    done = subprocess.run([sys.executable, '-c', INTERRUPT.replace('{path!r}', repr(str(SOURCE / 'models' / 'horse.glb')))],
                          text=True, capture_output=True, env=environment(), timeout=SECONDS)
    assert done.stdout.split() == ['stopped', 'stopped'], done.stdout + done.stderr[-2000:]


@promise
def threads_solve_side_by_side():
    eigenrig, np = package()
    model, found, counted = opened('horse.glb'), [], []

    def solve():
        for _ in range(5):
            found.append(model.modes(40).frequency_hz)
    threads = [threading.Thread(target=solve) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 20
    for each in found:
        near(each, found[0], 0)
    searching = threading.Thread(target=lambda: eigenrig.lib.gaits_find(model, model.rig, model.modes()))
    searching.start()
    while searching.is_alive():  # the GIL is free: Python runs while C works
        counted.append(time.monotonic())
    assert len(counted) > 1000, len(counted)


@promise
def gaits_are_those_of_the_command():
    eigenrig, np = package()
    path = SOURCE / 'models' / 'horse.glb'
    theirs = json.loads(works('gait', path, '--json', '-q'))['gaits']
    gaits = opened('horse.glb').gaits(fps=60)  # strides of whole frames
    assert gaits.names == [gait['name'] for gait in theirs]
    near([gait.hz for gait in gaits], [gait['hz'] for gait in theirs], 1e-9)
    stride = gaits[0].move()
    assert stride.pose.shape == (stride.frame_count, stride.model.body_count, 7) and stride.slide < 1e-3
    near(stride.pose[0], stride.pose[-1], 1e-9, 'a stride loops')
    near(np.linalg.norm(stride.travel[-1]), gaits[0].speed / gaits[0].hz, 0.1)


@promise
def clips_are_read_by_the_command():
    eigenrig, np = package()
    model = opened()
    motion = model.motion('7:20', model.modes(), loop=True)
    times = motion.times(30)
    for name, clip in [('a.glb', motion), ('a.fbx', motion), ('a.bvh', motion), ('a.dae', motion),
                       ('b.glb', (times, motion.poses(times)[1], 'given'))]:
        model.write(OUT / name, clip)
        said = works('info', OUT / name, '-v')
        assert name.endswith('bvh') or ('given' if name[0] == 'b' else 'mix 7') in said, f'{name}: {said}'
    eigenrig.open(OUT / 'a.glb').write(OUT / 'rig.json')
    near(eigenrig.open(OUT / 'rig.json').modes().frequency_hz, model.modes().frequency_hz, 1e-9)
    read, pose = eigenrig.open(OUT / 'b.glb').clip_poses('given', times)
    near(pose[:, :, 4:], motion.poses(times)[1][:, :, 4:], 1e-5, 'a clip read back')
    bones = eigenrig.open(SOURCE / 'models' / 'chain_20.json')
    bones.write(OUT / 'bones.glb', bones.motion('7:10'))
    assert 'mix 7' in works('info', OUT / 'bones.glb', '-v')


@promise
def worlds_fall_swing_and_repeat_to_the_bit():
    eigenrig, np = package()
    ball = {'name': 'ball', 'mass': 2.0, 'inertia': np.eye(3) * 0.01}
    falling = eigenrig.build([ball]).world(gravity=(0, -G, 0))
    frames = falling.run(np.linspace(0.1, 1, 10))
    near(frames.pose[:, 0, 5], -G * frames.time**2 / 2, 1e-9, 'free fall')
    pushed = eigenrig.build([ball]).world(apply=lambda time, pose, twist, wrench: wrench.__setitem__((0, 3), 4.0))
    pushed.advance(2)
    near(pushed.pose[0, 4], 4.0, 1e-9, 'a constant force')
    hung = eigenrig.build([{**ball, 'com': (0, -1, 0)}], [{'child': 0, 'type': 'revolute'}])
    world = hung.world(gravity=(0, -G, 0))
    world.set_displacement(0, [1e-3])
    period = 2 * math.pi * math.sqrt((2 * 1 + 0.01) / (2 * G))
    world.advance(period)
    near(world.coordinates()[0], [1e-3], 1e-6, 'a pendulum')
    state = world.save()
    world.advance(2 * period)
    after = world.pose
    world.restore(state)
    world.advance(2 * period)
    assert np.array_equal(after, world.pose)
    floor = {'shape': {'kind': 'plane'}, 'pose': (math.sqrt(0.5), -math.sqrt(0.5), 0, 0, 0, -0.5, 0)}
    ground = eigenrig.build([ball]).world(gravity=(0, -G, 0), shape=[floor, {'shape': {'kind': 'sphere', 'radius': 0.1}, 'body': 0}])
    ground.run(np.linspace(0.05, 2, 40))
    near(ground.pose[0, 5], -0.4, 1e-3, 'a ball on the floor')
    assert len(ground.contacts) == 1 and ground.contacts[0].impulse[1] > 0


@promise
def inverse_dynamics_bears_the_weight():
    eigenrig, np = package()
    model = opened('horse.glb')
    weight, n = G * model.body.mass.sum(), model.body_count
    feet = [{'body': foot.body, 'point': foot.heel} for foot in model.regions().body.foot]
    loads = model.inverse(gravity=(0, -G, 0), contact=feet, normal=(0, 1, 0)).solve(model.body.pose, np.zeros((n, 6)), np.zeros((n, 6)))
    near(loads.ground[:, 1].sum() + loads.residual[:, 4].sum(), weight, 1e-6)
    assert loads.ground[:, 1].min() >= 0
    mechanics = model.mechanics((0, -G, 0))
    mass = mechanics.mass_matrix()
    near(mass, mass.T, 1e-12)
    near(mechanics.mass_product(mass[0]), mass @ mass[0], 1e-12)
    force = mechanics.forces(None, None)
    near(mechanics.accelerations(force, None), np.zeros(len(force)), 1e-9)


@promise
def loose_parts_follow_and_modes_project():
    eigenrig, np = package()
    model = opened('horse.glb')
    modes = model.modes()
    x, _ = model.motion([{'mode': 8, 'degrees': 2}, {'mode': 11, 'degrees': 1}], modes, duration=1).poses(np.linspace(0, 1, 30))
    _, share = modes.project(x)
    assert set(np.argsort(share)[-2:]) == {8, 11} and abs(share.sum() - 1) < 1e-9
    motion = model.motion('8:10', modes, loop=True)
    times = motion.times(60)
    trajectory = model.trajectory(times, motion.poses(times)[1])
    loose = np.array([name.startswith('tail') for name in model.body.name])
    follow = model.follow(trajectory, loose, duration=motion.duration, count=40, repeats=True, gravity=(0, -G, 0))
    assert follow.pose.shape == (40, model.body_count, 7) and follow.part[0].swing > 0
    near(follow.pose[:, ~loose], trajectory.sample(follow.time)[0][:, ~loose], 1e-6, 'what is not loose')
    near(modes.effective_mass[:, 3:].sum(axis=0), [model.body.mass.sum()] * 3, 1e-9, 'effective mass')


run()
