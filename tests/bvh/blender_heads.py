"""Run by Blender: imports BVH files and writes where the heads of their bones are.
usage: blender -b --factory-startup --python blender_heads.py -- WANTED.json FOUND.json

WANTED: a list of {"file", "frames": from 0}. FOUND: per file and rotation mode a list, per frame, of {bone name: head},
in the file's axes (+Y up).
"""
import json
import sys

import bpy
from io_anim_bvh import import_bvh

# Debian's Blender 3.4 runs Python 3.11, which refuses the mode 'rU' that this importer opens files with.
import_bvh.open = lambda path, mode: open(path)


def heads(armature, frame):
    bpy.context.scene.frame_set(frame + 1)  # frame 0 of the file is Blender's first
    world = {bone.name: armature.matrix_world @ bone.head for bone in armature.pose.bones}
    return {name: [p.x, p.z, -p.y] for name, p in world.items()}


def read(sample, rotate_mode):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_anim.bvh(filepath=sample['file'], rotate_mode=rotate_mode)
    return [heads(bpy.context.object, frame) for frame in sample['frames']]


wanted, found = sys.argv[sys.argv.index('--') + 1:]
with open(wanted) as file:
    samples = json.load(file)
result = [{mode: read(sample, mode) for mode in ('NATIVE', 'QUATERNION')} for sample in samples]
with open(found, 'w') as file:
    json.dump(result, file)
