"""Runs inside Blender (blender_jobs.py): where the bones of files stand at given times.

A job is {"path", "fps", "clips": {name: [time, ...]}}, times in s; its answer {"clips": {name: [[bone or object,
[[x, y, z] per time]], ...]}} in Blender's world (m, +Z up). Collada and BVH carry one clip; its name is not looked at.
Blender has `fps` frames a second, and keys of glTF, FBX and Collada stand between frames where their times do; a BVH
brings a rate of its own.
"""
import pathlib
import sys

import bpy

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / 'support'))
from blender_jobs import do_jobs, show  # noqa: E402


def choose_track(clip):
    """glTF: a clip is the NLA tracks of its name, one an object."""
    chosen = 0
    for thing in (*bpy.data.objects, *bpy.data.shape_keys):
        if thing.animation_data is None:
            continue
        strips = [track.strips[0] for track in thing.animation_data.nla_tracks if track.name == clip]
        for track in thing.animation_data.nla_tracks:
            track.mute = True
        thing.animation_data.action = strips[0].action if strips else None
        chosen += len(strips)
    return chosen


def choose_stack(clip):
    """FBX: a clip is the actions "object|clip|layer"."""
    chosen = 0
    for action in bpy.data.actions:
        thing, stack = action.name.split('|')[:2]
        if stack == clip and thing in bpy.data.objects:
            bpy.data.objects[thing].animation_data.action = action
            chosen += 1
    return chosen


def choose_all(_):
    return len(bpy.data.actions)


IMPORTERS = {  # what reads it, what chooses a clip, the frame of 0 s
    'glb': (lambda path: bpy.ops.import_scene.gltf(filepath=path), choose_track, 0),
    'gltf': (lambda path: bpy.ops.import_scene.gltf(filepath=path), choose_track, 0),
    'fbx': (lambda path: bpy.ops.import_scene.fbx(filepath=path, anim_offset=0.0), choose_stack, 0),
    'dae': (lambda path: bpy.ops.wm.collada_import(filepath=path), choose_all, 0),
    'bvh': (lambda path: bpy.ops.import_anim.bvh(filepath=path, update_scene_fps=True), choose_all, 1),
}


def heads():
    """(name, where) of every bone and of every object."""
    bpy.context.view_layer.update()
    for thing in bpy.context.scene.objects:
        for bone in thing.pose.bones if thing.pose else ():
            yield bone.name, thing.matrix_world @ bone.head
        yield thing.name, thing.matrix_world.translation


def follow(times, first_frame):
    tracks = None
    for time in times:
        show(time, first_frame)
        now = list(heads())
        tracks = tracks or [[name, []] for name, _ in now]
        for (_, track), (_, where) in zip(tracks, now):
            track.append(list(where))
    return tracks


def answer(job):
    scene = bpy.context.scene
    scene.render.fps, scene.render.fps_base = job['fps'], 1.0
    read, choose, first_frame = IMPORTERS[job['path'].rsplit('.', 1)[1]]
    read(job['path'])
    clips = {}
    for clip, times in job['clips'].items():
        assert choose(clip), f'there is no clip {clip!r} in {[action.name for action in bpy.data.actions]}'
        clips[clip] = follow(times, first_frame)
    return {'clips': clips}


do_jobs(answer)
