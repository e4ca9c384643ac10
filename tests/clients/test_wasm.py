"""The module for WebAssembly, in Node, beside the command: the same masses, frequencies, names and gaits, and files that
the command reads. EIGENRIG_WASM names its folder, else build-wasm/tools/wasm; docs/web.md says how it is built."""
import functools
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

from program import works
from tap import EVERY, SOURCE, promise, run, skip

HERE = pathlib.Path(__file__).parent
PACKAGE = pathlib.Path(os.environ.get('EIGENRIG_WASM', SOURCE / 'build-wasm' / 'tools' / 'wasm'))
FOLDER = tempfile.TemporaryDirectory()
MODELS = [SOURCE / 'models' / f'{name}.glb' for name in (['horse', 'fox', 'gnome', 'hand'] if EVERY else ['hand'])]
TOLERANCE = 1e-9
MOST_BYTES = 900_000  # of the module with its JavaScript, compressed by gzip


@functools.cache
def node():
    if not (PACKAGE / 'eigenrig_glue.wasm').exists():
        skip(f'the module is not in {PACKAGE}: docs/web.md says how it is built')
    if shutil.which('node') is None:
        skip('node is not installed')
    done = subprocess.run(['node', HERE / 'wasm_jobs.mjs', PACKAGE, FOLDER.name, *MODELS], capture_output=True, text=True,
                          timeout=1000 if EVERY else 100)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


@functools.cache
def palette(model):
    return json.loads(works('modes', model, '--json', '-q'))


def assert_near(ours, theirs, what):
    assert len(ours) == len(theirs), f'{what}: {len(ours)}, {len(theirs)}'
    off = max(abs(a - b) / max(abs(b), 1e-3) for a, b in zip(ours, theirs))
    assert off < TOLERANCE, f'{what}: off by {off}'


@promise
def masses_frequencies_and_names_are_those_of_the_command():
    for model, answer in zip(MODELS, node()['answers']):
        native = palette(model)
        bodies = native['rig']['bodies']
        assert [name for name, _ in answer['mass']] == [body['name'] for body in bodies]
        assert_near([mass for _, mass in answer['mass']], [body['mass'] for body in bodies], f'{model.name}: masses')
        assert_near(answer['hz'], [mode['frequency_hz'] for mode in native['modes']], f'{model.name}: frequencies')
        assert answer['names'] == [mode['name'] for mode in native['modes']]
        assert answer['palette'] == len(native['modes'])


@promise
def four_times_the_stiffness_is_twice_the_frequency():
    for answer in node()['answers']:
        assert_near(answer['stiffer'], [2.0 * hz for hz in answer['hz']], answer['name'])


@promise
def clips_are_read_by_the_command():
    for answer in node()['answers']:
        written = pathlib.Path(FOLDER.name) / f'{answer["name"]}.mix.glb'
        assert 'mix' in works('info', written)
        assert_near([mode['frequency_hz'] for mode in palette(written)['modes']], answer['hz'], written.name)


@promise
def bytes_that_are_no_model_are_one_error():
    for name, said in zip(['three.bin', 'empty.glb'], node()['refused']):
        assert said.startswith(f'{name}: ') and '\n' not in said, said


@promise
def a_page_loads_it_quickly():
    node()
    size = sum(len(subprocess.run(['gzip', '-9c', PACKAGE / name], capture_output=True, check=True).stdout)
               for name in ('eigenrig_glue.wasm', 'eigenrig_glue.mjs', 'index.mjs'))
    assert size < MOST_BYTES, size


@promise
def gaits_loose_parts_worlds_and_skins_are_there():
    horse = next((answer for answer in node()['answers'] if answer['name'] == 'horse.glb'), None)
    if horse is None:
        skip('the horse takes seconds: clients_wasm_every')
    seconds, travel, loops = horse['stride']
    name, hz, speed = horse['gaits'][0]
    assert loops and abs(seconds * hz - 1.0) < 1e-9 and abs(travel - speed / hz) < 0.1 * speed / hz, horse['gaits'][0]
    assert 1e-6 < horse['follow'] < 3.0, horse['follow']
    assert horse['fallen'] == [0.5, True] and horse['bvh'] == 'HIERARCHY'
    assert horse['skin'][0] and horse['skin'][1] >= 0.9 * horse['skin'][2], horse['skin']
    print(f'# horse: opened in {horse["open"]:.0f} ms, solved in {horse["solve"]:.2f} ms')


run()
