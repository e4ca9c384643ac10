"""Run by Blender: reads FBX files and prints, for each, what is where at the times that a description asks for.

blender -b --factory-startup -P in_blender.py -- FILE.fbx DESCRIPTION.json [FILE.fbx DESCRIPTION.json ...]

One line of JSON a file, after "READ ": {"rest": MOMENT, "clips": {name: [MOMENT, ...]}} with MOMENT = {"heads": {bone:
point}, "vertices": {mesh: {vertex: point}}} in metres, Z up.
"""
import json
import sys

import numpy

for old in ('bool', 'int', 'float', 'object'):  # Blender 3.4's importers ask a newer numpy for names it dropped
    if old not in numpy.__dict__:
        setattr(numpy, old, {'bool': bool, 'int': int, 'float': float, 'object': object}[old])

import bpy  # noqa: E402


def heads():
    found = {}
    for thing in bpy.data.objects:
        if thing.type == 'ARMATURE':
            for bone in thing.pose.bones:
                found[bone.name] = list((thing.matrix_world @ bone.matrix).translation)
        elif thing.type == 'EMPTY':
            found.setdefault(thing.name, list(thing.matrix_world.translation))
    return found


def vertices(wanted):
    """Where the vertices are that a description names, {mesh: {vertex: point}}, of meshes that are there."""
    found, graph = {}, bpy.context.evaluated_depsgraph_get()
    for name, points in wanted.items():
        thing = bpy.data.objects.get(name)
        if thing is not None and thing.type == 'MESH':
            seen = thing.evaluated_get(graph)
            found[name] = {index: list(seen.matrix_world @ seen.data.vertices[int(index)].co) for index in points}
    return found


def look(wanted):
    bpy.context.view_layer.update()
    return {'heads': heads(), 'vertices': vertices(wanted['vertices'])}


def play(clip, time):
    """Puts the action of a clip on every object that has one, at a time."""
    scene = bpy.context.scene
    for thing in bpy.data.objects:
        action = bpy.data.actions.get(f'{thing.name}|{clip}'[:63])
        if action is not None:
            thing.animation_data.action = action
    frame = 1.0 + time * scene.render.fps / scene.render.fps_base  # FBX begins at frame 1 there
    scene.frame_set(int(frame // 1), subframe=frame % 1)


def read(path, description):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_scene.fbx(filepath=path, use_anim=False)  # with clips, it shows the first frame of the first
    told = {'rest': look(description['rest']), 'clips': {}}
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_scene.fbx(filepath=path)
    for clip in description['clips']:
        poses = []
        for moment in clip['times']:
            play(clip['name'], moment['time'])
            poses.append(look(moment))
        told['clips'][clip['name']] = poses
    print('READ ' + json.dumps(told), flush=True)


words = sys.argv[sys.argv.index('--') + 1:]
for fbx, expected in zip(words[0::2], words[1::2]):
    with open(expected) as file:
        read(fbx, json.load(file))
