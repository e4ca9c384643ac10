"""Runs inside Blender (blender_jobs.py): imports BVH files and tells where the heads of their bones are.

A job is {"file", "frames": from 0}; its answer, per rotation mode, a list, per frame, of {bone name: head}, in the
file's axes (+Y up).
"""
import pathlib
import sys

import bpy

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / 'support'))
from blender_jobs import do_jobs  # noqa: E402


def heads(armature, frame):
    bpy.context.scene.frame_set(frame + 1)  # frame 0 of the file is Blender's first
    world = {bone.name: armature.matrix_world @ bone.head for bone in armature.pose.bones}
    return {name: [p.x, p.z, -p.y] for name, p in world.items()}


def read(sample, rotate_mode):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_anim.bvh(filepath=sample['file'], rotate_mode=rotate_mode)
    return [heads(bpy.context.object, frame) for frame in sample['frames']]


do_jobs(lambda sample: {mode: read(sample, mode) for mode in ('NATIVE', 'QUATERNION')})
