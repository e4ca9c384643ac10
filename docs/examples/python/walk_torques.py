"""Torques of the joints that bear most while a rig walks: a gait, smooth in time, and inverse dynamics.

    python3 walk_torques.py [MODEL]
"""
import sys

import numpy as np

import eigenrig


def main(path: str = 'models/horse.glb') -> None:
    model = eigenrig.open(path)
    gaits = model.gaits(best=1)
    gait, body = gaits[0], gaits.body
    stride = gait.move(fps=60)
    contacts = [{'body': foot.body, 'point': foot.heel} for foot in body.foot]
    inverse = model.inverse(gravity=-body.gravity * body.up, normal=body.up, contact=contacts)
    trajectory = model.trajectory(stride.time[::4], stride.world_pose[::4])  # knots at 15 Hz: a filter
    frames = slice(4, -8)  # a spline is least certain at its ends
    poses, twists, rates = trajectory.sample(stride.time[frames])
    loads = [inverse.solve(*state) for state in zip(poses, twists, rates, stride.stands[frames])]
    torque = np.abs([load.force for load in loads]).max(axis=0)
    joint_of = np.repeat(np.arange(model.joint_count), np.diff(model.coordinate))
    print(f'{gait.name} at {gait.speed:.2f} m/s, {gait.hz:.2f} strides per second')
    for k in np.argsort(torque)[:-7:-1]:
        if model.joint[int(joint_of[k])].parent >= 0:
            print(f'{torque[k]:9.1f} N m  {model.joint[int(joint_of[k])].name}')


main(*sys.argv[1:])
