"""Descriptions of rigs and scripts in a batch: each model has its own, and both are among its inputs."""
import re

from batches import Folder, batch, fill, manifest, program, tree
from tap import promise, run

SCRIPT = """local model, stem = ...
local file <close> = assert(io.open(stem .. ".txt", "w"))
file:write(arg[0], " ", #arg, " ", math.floor(eigenrig.load(model, {mass = 2}).mass + 0.5), "\\n")
"""


def redone(*words, folder, status=0):
    """How many models a run again does anew."""
    told, _ = batch('in', '-o', 'out', '--resume', *words, cwd=folder, status=status)
    models, kept = int(re.search(r'(\d+) models?:', told)[1]), 0
    if 'as they were' in told:
        kept = int(told.split(' of them as they were')[0].split()[-1])
    return models - kept


@promise
def descriptions_beside_models_are_found_and_are_inputs():
    with Folder() as folder:
        inside = fill(folder / 'in', 2)
        (inside / 'bar.rig.lua').write_text('return {mass = 5, forward = "x"}')
        batch('in', '-o', 'out', cwd=folder)
        found = manifest(folder / 'out')
        assert abs(found['bar.glb']['mass_kg'] - 5) < 1e-9 and not found['bar.glb']['warnings']
        assert (folder / 'out' / 'bar.glb.json').read_bytes() == \
            program.run('modes', 'in/bar.glb', '-q', '-o', '-', cwd=folder).stdout
        assert redone(folder=folder) == 0
        (inside / 'bar.rig.lua').write_text('return {mass = 6}')
        assert redone(folder=folder) == 1
        (inside / 'set0' / 'limbs000.rig.lua').write_text('return {root = "fixed"}')
        assert redone(folder=folder) == 1
        (inside / 'bar.rig.lua').unlink()
        assert redone(folder=folder) == 1 and redone(folder=folder) == 0
        (inside / 'bar.rig.lua').write_text('return {joints = {nobody = {hz = 1}}}')
        assert redone(folder=folder, status=1) == 1
        entry = manifest(folder / 'out')['bar.glb']
        assert entry['reason'] == 'options' and 'bar.rig.lua' in entry['error'] and 'nobody' in entry['error'], entry


@promise
def a_description_for_all_and_its_pose_are_inputs_of_all():
    with Folder() as folder:
        (folder / 'in').mkdir()
        fill(folder / 'in', 0)
        assert program.run('info', 'in/bar.glb', '--save-pose', 'pose.json', cwd=folder).returncode == 0
        (folder / 'all.lua').write_text('return {pose = "pose.json"}')
        batch('in', '-o', 'out', '--rig', 'all.lua', cwd=folder)
        assert redone('--rig', 'all.lua', folder=folder) == 0
        (folder / 'pose.json').write_text((folder / 'pose.json').read_text() + '\n')
        assert redone('--rig', 'all.lua', folder=folder) == 1
        (folder / 'all.lua').write_text('return {pose = "pose.json", mass = 3}')
        assert redone('--rig', 'all.lua', folder=folder) == 1
        assert redone(folder=folder) == 1  # without it


@promise
def a_script_runs_for_each_model_and_its_files_are_outputs():
    with Folder() as folder:
        fill(folder / 'in', 2)
        (folder / 'each.lua').write_text(SCRIPT)
        for jobs in (1, 3):
            batch('in', '-o', f'out{jobs}', '--script', 'each.lua', '--jobs', jobs, cwd=folder)
        assert tree(folder / 'out1') == tree(folder / 'out3')
        entries = manifest(folder / 'out1')
        assert [[output['path'] for output in entry['outputs']] for entry in entries.values()] == [[f'{name}.txt'] for name in entries]
        assert (folder / 'out1' / 'bar.glb.txt').read_text() == 'each.lua 2 2\n'
        batch('in', '-o', 'out', '--script', 'each.lua', '--write', 'json', cwd=folder)
        assert {'bar.glb.txt', 'bar.glb.json'} <= set(tree(folder / 'out'))
        (folder / 'each.lua').write_text(SCRIPT + '-- other\n')
        assert redone('--script', 'each.lua', '--write', 'json', folder=folder) == 3


@promise
def a_script_that_fails_costs_the_model():
    with Folder() as folder:
        fill(folder / 'in', 2)
        (folder / 'each.lua').write_text('if (...):find("bar") then\n error("not this one") end')
        batch('in', '-o', 'out', '--script', 'each.lua', cwd=folder, status=1)
        entry = manifest(folder / 'out')['bar.glb']
        assert (entry['reason'], entry['outputs']) == ('options', []) and 'each.lua:2: not this one' in entry['error'], entry
        assert [entry['status'] for entry in manifest(folder / 'out').values()] == ['failed', 'done', 'done']
        (folder / 'each.lua').write_text('os.exit(true)')
        batch('in/bar.glb', '-o', 'out2', '--script', 'each.lua', cwd=folder, status=1)
        entry = manifest(folder / 'out2')['bar.glb']
        assert entry['reason'] == 'options' and 'each.lua:1: os.exit()' in entry['error'], entry
        _, said = batch('in', '-o', 'out3', '--script', 'nosuch.lua', cwd=folder, status=2)
        assert 'nosuch.lua' in said


@promise
def every_file_of_a_script_gets_to_its_place():
    with Folder() as folder:
        fill(folder / 'in', 1)
        (folder / 'many.lua').write_text('for i = 1, 150 do io.open(select(2, ...) .. "." .. i, "w"):close() end')
        batch('in', '-o', 'out', '--script', 'many.lua', cwd=folder)
        for name, entry in manifest(folder / 'out').items():
            assert len(entry['outputs']) == 150 and all((folder / 'out' / output['path']).exists() for output in entry['outputs'])
        (folder / 'odd.lua').write_text('for i = 1, 2 do io.open(select(2, ...) .. "\\xff" .. i, "w"):close() end')
        batch('in', '-o', 'out2', '--script', 'odd.lua', cwd=folder, status=1)
        assert {(entry['reason'], entry['error']) for entry in manifest(folder / 'out2').values()} == {
            ('options', 'it wrote a file whose name is no UTF-8 text')}


run()
