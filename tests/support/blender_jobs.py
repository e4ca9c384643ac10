"""Runs inside Blender: the common start of drivers, and their jobs.

    blender -b --factory-startup --python-exit-code 1 --python DRIVER.py -- JOBS.json ANSWERS.jsonl

JOBS.json is a list; ANSWERS.jsonl gets a line a job as soon as it is done: what the driver answers, or {"error": text}.
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
    if old not in numpy.__dict__:  # the names that the readers of glTF and FBX use
        setattr(numpy, old, new)


def show(time, first_frame):
    """Goes to a time in s."""
    render = bpy.context.scene.render
    whole, part = divmod(first_frame + time * render.fps / render.fps_base, 1.0)
    bpy.context.scene.frame_set(int(whole), subframe=part)


def do_jobs(answer):
    """Answers every job, each in an empty Blender."""
    jobs_path, answers_path = sys.argv[sys.argv.index('--') + 1:]
    with open(jobs_path) as jobs, open(answers_path, 'a') as answers:
        for job in json.load(jobs):
            try:
                bpy.ops.wm.read_factory_settings(use_empty=True)
                line = answer(job)
            except Exception:  # whatever one file does to Blender, the others are still read
                line = {'error': traceback.format_exc()}
            print(json.dumps(line), file=answers, flush=True)
