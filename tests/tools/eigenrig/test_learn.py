"""Joints learnt from clips: hinges, limits, and stiffness where a joint hardly moves."""
import math
import os
import pathlib
import shutil

from program import Folder, fails, near, rig_of, works
from tap import RIGS, promise, run as judge, skip

MODELS = pathlib.Path(os.environ['EIGENRIG_SOURCE']) / 'models'


def learnt(model, clips, folder, name='own.rig.lua'):
    works('info', model, '--learn', clips, '-o', name, '-q', cwd=folder)
    return {joint['name']: joint for joint in rig_of(model, '--rig', name, cwd=folder)['joints']}


def joint_axis(joint):
    w, x, y, z = joint['orientation']
    return [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)]


@promise
def a_hinge_has_its_axis_its_limits_and_the_softer_spring():
    with Folder() as folder:
        plain = {joint['name']: joint for joint in rig_of('bar.glb', cwd=folder)['joints']}
        bar = learnt('bar.glb', 'all', folder)
        assert bar['bone1']['type'] == 'revolute' and bar['bone2']['type'] == 'spherical'
        axis = joint_axis(bar['bone1'])
        near([abs(axis[2])], [1], 1e-9, 'axis')
        turned = [math.degrees(x) * math.copysign(1, axis[2]) for x in bar['bone1']['limits'][0]]
        near(sorted(turned), [-9, 99], 1e-6, 'limits')
        ratio = {name: bar[name]['stiffness'][0] / plain[name]['stiffness'][0] for name in plain}
        near([ratio['bone1'], ratio['bone2']], [1, 9], 1e-6, 'stiffness')
        assert learnt('bar.glb', 'bend', folder) == bar


@promise
def a_fox_learns_its_knees_from_its_clips_or_from_a_folder():
    fox = MODELS / 'fox.glb'
    with Folder() as folder:
        joints = learnt(fox, 'all', folder)
        for knee in ('left_shin', 'right_forearm'):
            assert joints[knee]['type'] == 'revolute', knee
            near([abs(joint_axis(joints[knee])[0])], [1], 1e-6, knee)
            low, high = joints[knee]['limits'][0]
            assert low < 0 < high and high - low > math.radians(20), knee
        assert joints['tail_1']['type'] == 'spherical'
        (folder / 'clips').mkdir()
        shutil.copy(fox, folder / 'clips' / 'motion.glb')
        assert learnt(fox, 'clips', folder, 'again.rig.lua') == joints


@promise
def a_person_learns_knees_and_elbows_from_motion_capture():
    person = RIGS / 'cmu_jumping_jacks.bvh'
    if not person.is_file():
        skip(f'there is no {person}')
    with Folder() as folder:
        joints = learnt(person, 'all', folder)
        hinges = {name for name, joint in joints.items() if joint['type'] == 'revolute'}
        assert hinges >= {'LeftKnee', 'RightKnee', 'LeftElbow', 'RightElbow'}, hinges
        assert not hinges & {'LeftHip', 'RightHip', 'LeftShoulder', 'RightShoulder'}, hinges
        left, right = [joint_axis(joints[side + 'Knee']) for side in ('Left', 'Right')]
        near([left[0], -left[1]], right[:2], 1e-5, 'knees are mirror images')


@promise
def what_cannot_be_learnt_is_refused():
    with Folder() as folder:
        fails(1, 'info', 'bar.glb', '--learn', 'no such clip', '-o', 'o.rig.lua', says='no such clip', cwd=folder)
        fails(2, 'info', 'bar.glb', '--learn', 'all', says='-o', cwd=folder)
        fails(2, 'info', 'bar.glb', '--learn', 'all', '-o', 'o.json', says='.lua', cwd=folder)
        (folder / 'empty').mkdir()
        fails(1, 'info', 'bar.glb', '--learn', 'empty', '-o', 'o.rig.lua', says='0 clips', cwd=folder)
        assert not (folder / 'o.rig.lua').exists()


judge()
