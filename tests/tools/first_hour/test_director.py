"""A technical director's first hour: sixteen tasks."""
import json
import os
import re
import shutil
import subprocess

from gltf_reader import Gltf
from hour import clip_names, failed, task
from program import ENVIRONMENT, PROGRAM, Folder, SOURCE, fails, hertz, palette_of, rig_of, run as ask, works
from tap import run


def studio(folder):
    """A mixed folder: a bar, a BVH and a linkage; a file that is broken too, apart."""
    (folder / 'in').mkdir()
    for name in ('bar.glb', 'limbs.bvh'):
        shutil.copy(folder / name, folder / 'in')
    shutil.copy(SOURCE / 'models' / 'four_bar.json', folder / 'in')
    (folder / 'broken.glb').write_bytes(b'glTF' + bytes(40))


def batch(folder, *words, status=0):
    done = ask('batch', *words, cwd=folder)
    assert done.returncode == status, f'{words}: {done.returncode}: {done.stderr.decode()}'
    return done


def manifest(out):
    return {entry['input']: entry for entry in map(json.loads, (out / 'manifest.jsonl').read_text().splitlines())}


@failed
def a_mixed_folder_is_made_into_palettes_with_one_description():
    with Folder() as folder:
        studio(folder)
        (folder / 'studio.lua').write_text('return {optional = true, joints = {["bone*"] = {hz = 3}, leg = {hz = 4}}}')
        batch(folder, 'in', '-o', 'out', '--rig', 'studio.lua', '--write', 'json,glb')
        made = manifest(folder / 'out')
        assert {name: entry['status'] for name, entry in made.items()} == dict.fromkeys(['bar.glb', 'limbs.bvh', 'four_bar.json'], 'done')
        assert clip_names(Gltf(folder / 'out' / 'bar.glb.glb'))[0].startswith('mode')
        plain = hertz(palette_of('bar.glb', cwd=folder))
        assert made['bar.glb']['frequencies_hz'][6] > 1.2 * plain[6]


@task
def what_each_pattern_matched_is_in_the_manifest():
    with Folder() as folder:
        studio(folder)
        (folder / 'studio.lua').write_text('return {optional = true, joints = {["bone*"] = {hz = 3}, leg = {hz = 4}}}')
        batch(folder, 'in/bar.glb', 'in/limbs.bvh', '-o', 'out', '--rig', 'studio.lua')
        made = manifest(folder / 'out')
        assert made['bar.glb']['matched']['joints'] == {'bone*': ['bone1', 'bone2'], 'leg': []}
        assert made['limbs.bvh']['matched']['joints'] == {'bone*': [], 'leg': ['leg']}


@failed
def a_broken_model_fails_alone_and_the_log_and_status_tell():
    with Folder() as folder:
        studio(folder)
        done = batch(folder, 'in', 'broken.glb', '-o', 'out', status=1)
        lines = done.stderr.decode().splitlines()
        assert len(lines) == 4 and sum('failed, format' in line for line in lines) == 1, lines
        assert '4 models: 3 done, 1 failed' in done.stdout.decode()
        batch(folder, 'in', '-o', '/proc/nowhere', status=3)


@failed
def errors_are_read_by_a_program():
    with Folder() as folder:
        done = ask('modes', 'bar.glb', '--errors', 'json', '--mass', 'heavy', cwd=folder)
        error = json.loads(done.stderr)
        assert done.returncode == 2 and error['kind'] == 'error' and error['command'] == 'modes' and '--mass' in error['message']
        assert [mode['frequency_hz'] for mode in json.loads(works('modes', 'bar.glb', '--json', cwd=folder))['modes']] == hertz(palette_of('bar.glb', cwd=folder))


@task
def a_run_that_was_cut_short_goes_on():
    with Folder() as folder:
        studio(folder)
        batch(folder, 'in', '-o', 'out', '--only', 'bar*')
        said = batch(folder, 'in', '-o', 'out', '--resume').stdout.decode()
        assert '3 models: 3 done, 0 failed; 1 of them as they were' in said, said


@task
def some_of_the_models_are_taken_by_a_pattern():
    with Folder() as folder:
        studio(folder)
        batch(folder, 'in', '-o', 'out', '--only', '*.glb,limbs*')
        assert sorted(path.name for path in (folder / 'out').glob('*.json')) == ['bar.glb.json', 'limbs.bvh.json']
        fails(3, 'batch', 'in', '-o', 'out2', '--only', '*.fbx', says='none of the 3 models', cwd=folder)


@task
def two_machines_do_what_one_does():
    with Folder() as folder:
        studio(folder)
        for part in (1, 2):
            batch(folder, 'in', '-o', f'part{part}', '--shard', f'{part}/2')
        batch(folder, 'part1', 'part2', '-o', 'both', '--merge')
        batch(folder, 'in', '-o', 'one')
        assert (folder / 'both' / 'manifest.jsonl').read_bytes() == (folder / 'one' / 'manifest.jsonl').read_bytes()


@task
def warnings_stop_what_must_be_clean():
    with Folder() as folder:
        works('modes', 'bar.glb', '--strict', '-q', '-o', 'clean.json', cwd=folder)
        done = ask('modes', 'limbs.bvh', '--strict', '-q', '-o', 'unclean.json', cwd=folder)
        assert done.returncode == 1 and not (folder / 'unclean.json').exists() and (folder / 'clean.json').exists()


@task
def the_page_shows_failures_first_and_needs_no_network():
    with Folder() as folder:
        studio(folder)
        batch(folder, 'in', 'broken.glb', '-o', 'out', '--mass', '3', status=1)
        page = (folder / 'out' / 'index.html').read_text()
        rows = re.findall(r'<tr class="row row-(\w+)', page)
        assert rows == ['failed', 'done', 'done', 'done'] and '--mass 3' in page and not re.search('(src|href)="https?:', page)


@task
def a_script_measures_each_model():
    with Folder() as folder:
        studio(folder)
        (folder / 'measure.lua').write_text('local m, f = eigenrig.load(arg[1]), io.open(arg[2] .. ".txt", "w")\nf:write(#m:bodies())\nf:close()')
        batch(folder, 'in', '-o', 'out', '--script', 'measure.lua')
        assert {path.name: path.read_text() for path in (folder / 'out').glob('*.txt')} == {'bar.glb.txt': '3', 'limbs.bvh.txt': '3', 'four_bar.json.txt': '3'}


@task
def a_rig_is_written_down_and_corrected():
    with Folder() as folder:
        works('info', 'bar.glb', '--save-description', 'bar.rig.lua', '-q', cwd=folder)
        text = (folder / 'bar.rig.lua').read_text()
        (folder / 'bar.rig.lua').write_text(text.replace('["bone2"] = "bone1"', '["bone2"] = "bone0"'))
        joints = {joint['child']: joint['parent'] for joint in rig_of('bar.glb', cwd=folder)['joints']}
        assert joints == {1: 0, 2: 0}, joints


@task
def size_and_weight_are_set():
    with Folder() as folder:
        rig = rig_of('bar.glb', '--height', '180cm', '--mass', '70', cwd=folder)
        places = [body['position'][1] for body in rig['bodies']]
        assert abs(sum(body['mass'] for body in rig['bodies']) - 70) < 1e-9 and abs(places[2] - 1.2) < 1e-6, places


@task
def a_model_goes_to_another_format_whole():
    with Folder() as folder:
        works('palette', 'bar.glb', '-o', 'out.fbx', cwd=folder)
        was, now = ({body['name']: body['position'] for body in rig_of(name, '-q', cwd=folder)['bodies']} for name in ('bar.glb', 'out.fbx'))
        assert was.keys() == now.keys() and all(abs(a - b) < 1e-5 for name in was for a, b in zip(was[name], now[name]))


@task
def gaits_of_a_folder_keep_the_palettes_of_what_cannot_walk():
    with Folder() as folder:
        studio(folder)
        batch(folder, 'in', '-o', 'out', '--write', 'json,gaits')
        assert len(list((folder / 'out').glob('*.json'))) == 3
        assert any('cannot travel' in text for text in manifest(folder / 'out')['four_bar.json']['warnings'])


@task
def a_pipeline_step_in_lua_writes_what_the_command_writes():
    with Folder() as folder:
        (folder / 'step.lua').write_text('eigenrig.load(arg[1]):export("script.glb")')
        works('run', 'step.lua', 'bar.glb', cwd=folder)
        works('palette', 'bar.glb', '-o', 'command.glb', cwd=folder)
        assert (folder / 'script.glb').read_bytes() == (folder / 'command.glb').read_bytes()


@task
def the_shell_completes_and_the_manual_lists_what_help_does():
    words = set(re.findall(r'--[a-z-]+', works('batch', '--help')))
    assert words and words <= set(re.findall(r'--[a-z-]+', works('manual', 'batch').replace('\\-', '-')))
    script = works('completion', 'bash') + '\nCOMP_WORDS=(eigenrig bat); COMP_CWORD=1; _eigenrig; printf "%s " "${COMPREPLY[@]}"'
    told = subprocess.run(['bash', '-c', script], capture_output=True, text=True, env=dict(ENVIRONMENT, PATH=f'{PROGRAM.parent}:{os.environ["PATH"]}'))
    assert 'batch' in told.stdout, told


run()
