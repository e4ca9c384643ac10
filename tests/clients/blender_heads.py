"""Runs inside Blender: where the bones of files stand at given times.

    blender -b --factory-startup --python-exit-code 1 --python blender_heads.py -- JOBS.json ANSWERS.jsonl

JOBS.json is a list of {"path", "fps", "clips": {name: [time, ...]}}, times in s. ANSWERS.jsonl gets a line a job as
soon as it is done: {"clips": {name: [[bone or object, [[x, y, z] per time]], ...]}} in Blender's world (m, +Z up), or
{"error": text}. Collada and BVH carry one clip; its name is not looked at. Blender has `fps` frames a second, and keys
of glTF, FBX and Collada stand between frames where their times do; a BVH brings a rate of its own.
"""
import json
import sys
import traceback

import bpy
import io_anim_bvh.import_bvh
import numpy

# Debian 12 has Blender 3.4 on a Python and a numpy that are newer than its readers.
io_anim_bvh.import_bvh.open = lambda path, mode: open(path)  # asks for the mode "rU"
for old, new in (('bool', bool), ('int', int), ('float', float), ('object', object)):
    if old not in numpy.__dict__:  # the glTF reader's names
        setattr(numpy, old, new)


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
    scene = bpy.context.scene
    fps = scene.render.fps / scene.render.fps_base
    tracks = None
    for time in times:
        whole, part = divmod(first_frame + time * fps, 1.0)
        scene.frame_set(int(whole), subframe=part)
        now = list(heads())
        tracks = tracks or [[name, []] for name, _ in now]
        for (_, track), (_, where) in zip(tracks, now):
            track.append(list(where))
    return tracks


def answer(job):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps, scene.render.fps_base = job['fps'], 1.0
    read, choose, first_frame = IMPORTERS[job['path'].rsplit('.', 1)[1]]
    read(job['path'])
    clips = {}
    for clip, times in job['clips'].items():
        assert choose(clip), f'there is no clip {clip!r} in {[action.name for action in bpy.data.actions]}'
        clips[clip] = follow(times, first_frame)
    return {'clips': clips}


jobs_path, answers_path = sys.argv[sys.argv.index('--') + 1:]
with open(jobs_path) as jobs, open(answers_path, 'a') as answers:
    for job in json.load(jobs):
        try:
            line = answer(job)
        except Exception:  # whatever one file does to Blender, the others are still read
            line = {'error': traceback.format_exc()}
        print(json.dumps(line), file=answers, flush=True)
