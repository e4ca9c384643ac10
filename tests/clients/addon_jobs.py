"""Runs inside Blender: uses the add-on on a model, and says how far the armature is from what the library computed.

    blender -b --factory-startup --python-use-system-env --python-exit-code 1 --python addon_jobs.py -- ADDONS MODEL
"""
import json
import sys

import bpy
import numpy as np

for old, new in (('bool', bool), ('int', int), ('float', float), ('object', object)):
    if old not in np.__dict__:  # the names that Blender 3.4's reader of glTF uses
        setattr(np, old, new)
ADDONS, MODEL = sys.argv[-2:]
sys.path.insert(0, ADDONS)
import eigenrig_modes  # noqa: E402
from eigenrig_modes import character, motions, panel  # noqa: E402


def off(armature, found, poses, first):
    """The largest distance of a bone's head from where the library puts it, over the armature's size."""
    want, worst = found.bone_matrices(poses), 0.0
    for k in range(len(poses)):
        bpy.context.scene.frame_set(first + k)
        got = character.matrices(armature.pose.bones[name].matrix for name in found.names)
        worst = max(worst, float(np.abs(got - want[k])[:, :3, 3].max()))
    bpy.context.scene.frame_set(first)
    return worst / max(armature.dimensions)


bpy.ops.wm.read_factory_settings(use_empty=True)
eigenrig_modes.register()
bpy.ops.import_scene.gltf(filepath=MODEL)
armature = next(each for each in bpy.data.objects if each.type == 'ARMATURE')
bpy.context.view_layer.objects.active = armature
scene, settings = bpy.context.scene, armature.eigenrig
scene.render.fps, scene.frame_current = 24, 5
answer = {'version': bpy.app.version_string}

bpy.ops.eigenrig.compute()
found = panel.character_of(bpy.context)
answer['hz'] = [item.hz for item in settings.modes]
answer['names'] = [item.name for item in settings.modes]
answer['mass'] = found.model.rig.total_mass

settings.modes[1].amplitude, settings.modes[2].amplitude, settings.modes[2].phase = 12, 8, 90
bpy.ops.eigenrig.bake()
answer['mix'] = off(armature, found, motions.mixed(found, panel.components(settings), 24), 5)
bpy.ops.eigenrig.gaits()
answer['gaits'] = [item.name for item in settings.gaits]
bpy.ops.eigenrig.bake_gait()
answer['gait'] = off(armature, found, motions.walked(found, found.gaits[0], 24, True), 5)
settings.preset = 'nod'
bpy.ops.eigenrig.preset()
answer['nod'] = off(armature, found, motions.preset(found, 'nod', 24), 5)

# Loose bones move against the clip; the others follow it.
settings.travels = False
bpy.ops.eigenrig.bake_gait()
tail = {bone for name, bones in motions.region_bones(found).items() if name in ('tail', 'head') for bone in bones}
for bone in tail:
    armature.data.bones[bone].eigenrig.loose = True
first, last = map(round, armature.animation_data.action.frame_range)
before = motions.present(bpy.context, armature, found.names, first, last)
bpy.ops.eigenrig.follow()
after = motions.present(bpy.context, armature, found.names, first, last)
moved = np.abs(after - before)[:, :, :3, :3].max(axis=(0, 2, 3))
loose = np.array([name in tail for name in found.names])
answer['follow'] = {'loose': float(moved[loose].max()), 'others': float(moved[~loose].max()),
                    'seam': float(np.abs(after[0] - after[-1]).max())}

# A strip leaves the action as it was; live motion leaves the pose as it was.
action, settings.strip = armature.animation_data.action, True
bpy.ops.eigenrig.bake()
answer['strip'] = [len(armature.animation_data.nla_tracks), armature.animation_data.action == action]
pose = [bone.matrix_basis.copy() for bone in armature.pose.bones]
bpy.ops.eigenrig.play()
panel.LIVE[panel.key_of(armature)].show(0.1)
answer['live'] = max(float(np.abs(np.array(bone.matrix_basis) - np.array(was)).max()) for bone, was in zip(armature.pose.bones, pose))
bpy.ops.eigenrig.play()
answer['back'] = max(float(np.abs(np.array(bone.matrix_basis) - np.array(was)).max()) for bone, was in zip(armature.pose.bones, pose))

# Settings of bones act; what cannot be computed is refused.
armature.data.bones[found.names[-1]].eigenrig.joint = 'FIXED'
bpy.ops.eigenrig.compute()
answer['welded'] = [found.model.body_count, len(settings.modes)]
armature.scale = (1, 2, 1)
bpy.context.view_layer.update()
try:
    bpy.ops.eigenrig.compute()
    answer['refused'] = ''
except RuntimeError as problem:
    answer['refused'] = str(problem)
eigenrig_modes.unregister()
print('ANSWER ' + json.dumps(answer))
