"""Run by Blender: what its Collada importer made of files, at times, as one JSON file.
usage: blender -b --factory-startup --python blender_dump.py -- JOBS OUT
JOBS: [{"path": "a.dae", "times": [seconds]}]; OUT: the same with "frames": per time, places of bones and objects by
name, and vertices of meshes by the object's name; metres, Z up."""
import json
import sys

import bpy


def frame(times_per_second, time):
    scene = bpy.context.scene
    at = time * times_per_second
    scene.frame_set(int(at // 1), subframe=at % 1)
    graph = bpy.context.evaluated_depsgraph_get()
    places, meshes = {}, []
    for thing in bpy.data.objects:
        thing = thing.evaluated_get(graph)
        if thing.type == 'ARMATURE':
            for bone in thing.pose.bones:
                places[bone.name] = list(thing.matrix_world @ bone.head)
        else:
            places.setdefault(thing.name, list(thing.matrix_world.translation))
        if thing.type == 'MESH':
            meshes.append({'name': thing.name, 'vertices': [list(thing.matrix_world @ v.co) for v in thing.data.vertices]})
    return {'places': places, 'meshes': meshes}


def dump(job):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.wm.collada_import(filepath=job['path'])
    render = bpy.context.scene.render
    job['frames'] = [frame(render.fps / render.fps_base, time) for time in job['times']]
    job['actions'] = [list(action.frame_range) for action in bpy.data.actions]
    return job


jobs, out = sys.argv[sys.argv.index('--') + 1:]
with open(jobs) as file:
    results = [dump(job) for job in json.load(file)]
with open(out, 'w') as file:
    json.dump(results, file)
