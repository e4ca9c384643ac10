"""Runs inside Blender (blender_jobs.py): what its Collada importer made of files, at times.

A job is {"path": "a.dae", "times": [seconds]}; its answer {"frames": per time, the heads of bones by name, and the
vertices of meshes; metres, Z up}.
"""
import pathlib
import sys

import bpy

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / 'support'))
from blender_jobs import do_jobs, show  # noqa: E402


def frame(time):
    show(time, 0)
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


def answer(job):
    if not bpy.app.build_options.collada:
        return {'lacks': 'Collada'}
    bpy.ops.wm.collada_import(filepath=job['path'])
    return {'frames': [frame(time) for time in job['times']]}


do_jobs(answer)
