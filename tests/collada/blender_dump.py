"""Run by Blender: what its Collada importer made of files, at times, as one JSON file.
usage: blender -b --factory-startup --python blender_dump.py -- JOBS OUT
JOBS: [{"path": "a.dae", "times": [seconds]}]; OUT: the same with "frames": per time, the heads of bones by name, and
the vertices of meshes; metres, Z up."""
import json
import sys

import bpy


def frame(rate, time):
    bpy.context.scene.frame_set(int(time * rate // 1), subframe=time * rate % 1)
    graph = bpy.context.evaluated_depsgraph_get()
    bones = {}
    for armature in bpy.data.objects:
        if armature.type == 'ARMATURE':
            armature = armature.evaluated_get(graph)
            bones.update((bone.name, list(armature.matrix_world @ bone.head)) for bone in armature.pose.bones)
    meshes = []
    for thing in bpy.data.objects:
        if thing.type == 'MESH':
            thing = thing.evaluated_get(graph)
            meshes.append({'name': thing.name, 'mesh': thing.data.name,
                           'vertices': [list(thing.matrix_world @ v.co) for v in thing.data.vertices]})
    return {'bones': bones, 'meshes': meshes}


def dump(job):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.wm.collada_import(filepath=job['path'])
    render = bpy.context.scene.render
    job['frames'] = [frame(render.fps / render.fps_base, time) for time in job['times']]
    return job


if not bpy.app.build_options.collada:
    sys.exit('no Collada')
jobs, out = sys.argv[sys.argv.index('--') + 1:]
with open(jobs) as file:
    results = [dump(job) for job in json.load(file)]
with open(out, 'w') as file:
    json.dump(results, file)
