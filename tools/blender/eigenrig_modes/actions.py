"""Poses of bones as keys: actions, strips, and the present pose."""
import bpy
import numpy as np
from mathutils import Matrix


def curves_of(action, thing):
    """The curves of an action for an object, in a Blender that has slots and in one that has none."""
    if hasattr(action, 'fcurves'):
        return action.fcurves
    slot = action.slots[0] if action.slots else action.slots.new('OBJECT', thing.name)
    layer = action.layers[0] if action.layers else action.layers.new('Layer')
    strip = layer.strips[0] if layer.strips else layer.strips.new(type='KEYFRAME')
    return strip.channelbag(slot, ensure=True).fcurves


def assign(thing, action):
    """Makes an action the object's own."""
    data = thing.animation_data or thing.animation_data_create()
    data.action = action
    if hasattr(data, 'action_slot') and action is not None and data.action_slot is None and action.slots:
        data.action_slot = action.slots[0]


def channels(pose_bone, bases):
    """Keys of a bone by its rotation mode: (name of the property, values (frames, width))."""
    parts = [Matrix(each).decompose() for each in bases]
    place = np.array([each[0] for each in parts])
    if pose_bone.rotation_mode == 'QUATERNION':
        turn = np.array([each[1] for each in parts])
        flips = np.cumprod(np.where(np.einsum('ij,ij->i', turn[1:], turn[:-1]) < 0, -1, 1))
        return [('location', place), ('rotation_quaternion', turn * np.concatenate([[1], flips])[:, None])]
    if pose_bone.rotation_mode == 'AXIS_ANGLE':
        found = [each[1].to_axis_angle() for each in parts]
        return [('location', place), ('rotation_axis_angle', np.array([(angle, *axis) for axis, angle in found]))]
    turns, last = [], None
    for each in parts:
        last = each[1].to_euler(pose_bone.rotation_mode, last) if last is not None else each[1].to_euler(pose_bone.rotation_mode)
        turns.append(last)
    return [('location', place), ('rotation_euler', np.array(turns))]


def write(armature, name, bone_names, bases, first):
    """A new action, the armature's own, with a key of all bones a frame. Scale is not keyed: bones are rigid."""
    action = bpy.data.actions.new(name)
    action.use_fake_user = True
    curves, frames = curves_of(action, armature), first + np.arange(len(bases))
    for k, bone in enumerate(bone_names):
        pose_bone = armature.pose.bones[bone]
        pose_bone.matrix_basis = Matrix()  # for channels without a key
        for prop, values in channels(pose_bone, bases[:, k]):
            if prop == 'location' and np.abs(values).max() < 1e-7 * max(armature.dimensions) and pose_bone.parent is not None:
                continue
            for axis in range(values.shape[1]):
                curve = curves.new(pose_bone.path_from_id(prop), index=axis)
                curve.keyframe_points.add(len(frames))
                curve.keyframe_points.foreach_set('co', np.column_stack([frames, values[:, axis]]).ravel())
                curve.keyframe_points.foreach_set('interpolation', np.full(len(frames), 1, np.int32))  # linear
                curve.update()
    assign(armature, action)
    return action


def push_down(armature, action, former):
    """Lays the action on a track of its own above the others, and gives the armature its former one back."""
    data = armature.animation_data
    track = data.nla_tracks.new()
    track.name = action.name
    track.strips.new(action.name, int(action.frame_range[0]), action)
    data.action = former


def show(armature, bone_names, bases):
    """Poses the bones: bases (bones, 4, 4)."""
    for name, basis in zip(bone_names, bases):
        armature.pose.bones[name].matrix_basis = Matrix(basis)
