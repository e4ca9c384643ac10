"""Motions of a character as poses a frame: mixes, gaits, presets, and follow-through on the armature's own action."""
import numpy as np
from eigenrig import lib

from .character import matrices


def whole_frames(duration, fps):
    """Times of a loop, s, whose period becomes a whole number of frames; the last is the first again."""
    return np.linspace(0, duration, max(2, round(duration * fps)) + 1)


def mixed(character, components, fps):
    """Poses of modes that act together: [(index, degrees, phase in degrees, Hz or 0 for the mode's own)]."""
    parts = [f'{index}:{degrees:.9g}' + (f'@{hz:.9g}' if hz > 0 else '') + f'{phase:+.9g}'
             for index, degrees, phase, hz in components]
    motion = character.model.motion(','.join(parts), character.modes, loop=True, fps=fps)
    return motion.poses(whole_frames(motion.duration, fps))[1]


def travelled(motion, travels):
    return motion.world_pose if travels else np.array(motion.pose)


def walked(character, gait, fps, travels):
    """One stride, with the feet held; with `travels` it goes along the ground."""
    return travelled(gait.move(fps), travels)


def preset(character, name, fps):
    made = character.model.preset(name, character.modes, fps)
    if hasattr(made, 'frame_count'):
        return np.array(made.pose)
    motion = character.model.motion(made, character.modes, loop=True, fps=fps)
    return motion.poses(whole_frames(motion.duration, fps))[1]


def present(context, armature, names, first, last):
    """The armature's present motion: matrices (frames, bones, 4, 4) in its axes, constraints and all."""
    scene, found = context.scene, []
    was = scene.frame_current
    for frame in range(first, last + 1):
        scene.frame_set(frame)
        found.append(matrices(armature.pose.bones[name].matrix for name in names))
    scene.frame_set(was)
    return np.array(found)


def followed(character, frames, loose, fps, loops, options):
    """Poses of the character's motion, matrices (frames, bones, 4, 4), with loose bones: they swing as springs let them.
    With `loops` the last frame is the first again."""
    poses = character.poses_of(frames)
    times = np.arange(len(poses)) / fps
    bones = [character.names[node - 1] for node in character.model.rig.body_node]
    trajectory = character.model.trajectory(times, poses)
    answer = character.model.follow(trajectory, [name in loose for name in bones], duration=float(times[-1]), count=len(times),
                                    repeats=loops, gravity=(0, 0, -9.81), **options)
    return np.array(answer.pose).reshape(len(times), -1, 7), list(answer.part)


def is_loop(frames, size):
    return bool(np.abs(frames[0] - frames[-1]).max() < 1e-3 * size)


def region_bones(character):
    """Names of regions, as artists say them, and the bones of each."""
    return {region.name: {character.names[character.model.rig.body_node[body] - 1] for body in region.body}
            for region in character.model.regions().region}


def preset_names():
    names, k = [], 0
    while (name := lib.preset_name(k)) is not None:
        names.append(name)
        k += 1
    return names
