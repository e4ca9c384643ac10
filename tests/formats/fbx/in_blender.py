"""Runs inside Blender (blender_jobs.py): reads FBX files and tells what is where at the times that are asked for.

A job is {"path", "wanted"}, the description that test_blender.py made; its answer {"rest": MOMENT, "clips": {name:
[MOMENT, ...]}} with MOMENT = {"heads": {bone: point}, "vertices": {mesh: {vertex: point}}} in metres, Z up.
"""
import pathlib
import sys

import bpy

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / 'support'))
from blender_jobs import do_jobs, show  # noqa: E402


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
    for thing in bpy.data.objects:
        action = bpy.data.actions.get(f'{thing.name}|{clip}'[:63])
        if action is not None:
            thing.animation_data.action = action
    show(time, 1)  # FBX begins at frame 1 there


def answer(job):
    path, description = job['path'], job['wanted']
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
    return told


do_jobs(answer)
