"""Batches of sound models: the same files and the same manifest, however they ran."""
import hashlib
import json
import os
import re
import shutil

from batches import Folder, batch, fill, limbs, lines, manifest, program, samples, tree
from gltf_reader import Gltf
from program import palette_of, run as program_run
from tap import SOURCE, every, promise, run


@promise
def outputs_mirror_the_inputs_and_are_those_of_modes():
    with Folder() as folder:
        fill(folder / 'in')
        batch('in', '-o', 'out', '--write', 'json,glb', cwd=folder)
        entries = manifest(folder / 'out')
        assert set(entries) == {'bar.glb'} | {f'set{k % 2}/limbs{k:03}.bvh' for k in range(6)}
        for name, entry in entries.items():
            made = json.loads((folder / 'out' / f'{name}.json').read_text())
            assert made == palette_of(f'in/{name}', cwd=folder)
            assert entry['status'] == 'done' and entry['reason'] is None and entry['error'] is None
            assert entry['bodies'] == len(made['rig']['bodies']) and entry['dof'] == made['dof']
            assert entry['rigid'] == made['rigid_modes'] and entry['elastic'] + entry['rigid'] == entry['dof']
            mass = sum(body['mass'] for body in made['rig']['bodies'])
            assert abs(entry['mass_kg'] - mass) <= 1e-8 * mass
            assert all(abs(a - b['frequency_hz']) <= 1e-8 * a for a, b in zip(entry['frequencies_hz'], made['modes']))
            assert entry['sha256'] == hashlib.sha256((folder / 'in' / name).read_bytes()).hexdigest()
            for output in entry['outputs']:
                assert (folder / 'out' / output['path']).stat().st_size == output['bytes']
            assert [output['path'] for output in entry['outputs']] == [f'{name}.glb', f'{name}.json']
        assert any('BVH has no unit' in text for text in entries['set0/limbs000.bvh']['warnings'])
        assert ['--forward' in text for text in entries['bar.glb']['warnings']] == [True], 'it may face either way'
        palette = program_run('palette', 'in/bar.glb', '-o', '-', cwd=folder).stdout
        assert (folder / 'out' / 'bar.glb.glb').read_bytes() == palette


@promise
def results_do_not_depend_on_the_number_of_processes():
    with Folder() as folder:
        fill(folder / 'in', 9)
        for jobs in (1, 2, 5):
            batch('in', '-o', f'out{jobs}', '--jobs', jobs, '--write', 'json,glb', cwd=folder)
        assert tree(folder / 'out1') == tree(folder / 'out2') == tree(folder / 'out5')
        assert [x['input'] for x in lines(folder / 'out5' / 'timings.jsonl')] == list(manifest(folder / 'out5'))
        for x in lines(folder / 'out5' / 'timings.jsonl'):
            stages = [x[f'{stage}_s'] for stage in ('import', 'rig', 'solve', 'write')]
            assert min(stages) > 0 and sum(stages) <= x['seconds'] and x['peak_mib'] > 0, x


@promise
def a_template_names_the_outputs():
    with Folder() as folder:
        fill(folder / 'in', 2)
        words = ['in', '-o', 'out', '--write', 'json,glb', '--count', '2', '--forward', 'x']
        batch(*words, '--name', 'v2-{stem}-{ending}', cwd=folder)
        paths = {name: [output['path'] for output in entry['outputs']] for name, entry in manifest(folder / 'out').items()}
        assert paths['bar.glb'] == ['v2-bar-glb.glb', 'v2-bar-glb.json'] and paths['set0/limbs000.bvh'][1] == 'set0/v2-limbs000-bvh.json', paths
        assert (folder / 'out' / 'v2-bar-glb.json').read_bytes() == program_run('modes', 'in/bar.glb', '-q', '--forward', 'x', '--count', '2', '-o', '-', cwd=folder).stdout
        told, _ = batch(*words, '--name', 'v2-{stem}-{ending}', '--resume', cwd=folder)
        assert '3 of them as they were' in told, told
        batch(*words, '--name', '{stem}_{clip}', '--resume', cwd=folder)  # what had the old names is gone
        here = {str(path.relative_to(folder / 'out')) for path in (folder / 'out').rglob('*') if path.is_file() and '.batch' not in path.parts}
        outputs = {output['path'] for entry in manifest(folder / 'out').values() for output in entry['outputs']}
        assert here == outputs | {'index.html', 'manifest.jsonl', 'timings.jsonl'}
        clips = sorted(path.name for path in (folder / 'out').glob('bar_mode_*.glb'))
        assert len(clips) == 2 and 'bar_modes.json' in outputs and all(re.fullmatch(r'[\w.-]+', name) for name in clips), outputs
        for name in clips:
            assert len(Gltf(folder / 'out' / name).list('animations')) == 1
        for path in outputs:
            assert f'href="./{path}"' in (folder / 'out' / 'index.html').read_text()


@promise
def names_that_cannot_tell_outputs_apart_are_refused():
    with Folder() as folder:
        fill(folder / 'in', 1)
        shutil.copy(folder / 'in' / 'bar.glb', folder / 'in' / 'bar.gltf')
        for name, says in (('x', '{stem}'), ('{stem}{clop}', '{clip}'), ('a/{stem}', 'slash'), ('{stem}', 'bar.gltf')):
            _, said = batch('in', '-o', 'out', '--name', name, status=3 if says == 'bar.gltf' else 2, cwd=folder)
            assert '--name' in said and says in said and not (folder / 'out' / 'manifest.jsonl').exists(), said
        (folder / 'measure.lua').write_text('')
        assert '{clip}' in batch('in', '-o', 'out', '--name', '{stem}{clip}', '--script', 'measure.lua', status=2, cwd=folder)[1]
        (folder / 'pair').mkdir()  # a_ and clip b: a and clip _b
        for stem in ('a', 'a_'):
            shutil.copy(folder / 'in' / 'bar.glb', folder / 'pair' / f'{stem}.glb')
        (folder / 'pair.lua').write_text('io.open(arg[2] .. (arg[1]:find("a_") and "b" or "_b"), "w"):write(arg[1])')
        batch('pair', '-o', 'pairs', '--name', '{stem}', '--script', 'pair.lua', '--jobs', 1, '--forward', 'x', status=1, cwd=folder)
        found = manifest(folder / 'pairs')
        assert sorted((entry['status'], entry['reason']) for entry in found.values()) == [('done', None), ('failed', 'write')], found
        kept = next(name for name, entry in found.items() if entry['status'] == 'done')
        assert (folder / 'pairs' / 'a_b').read_text().endswith(kept)


@promise
def a_run_again_changes_nothing():
    with Folder() as folder:
        fill(folder / 'in')
        batch('in', '-o', 'out', cwd=folder)
        before, times = tree(folder / 'out'), (folder / 'out' / 'timings.jsonl').read_bytes()
        told, _ = batch('in', '-o', 'out', '--resume', cwd=folder)
        assert '7 models: 7 done, 0 failed; 7 of them as they were' in told, told
        assert tree(folder / 'out') == before and (folder / 'out' / 'timings.jsonl').read_bytes() == times
        _, said = batch('in', '-o', 'out', cwd=folder, status=3)
        assert '--resume' in said


@promise
def only_what_changed_is_done_again():
    with Folder() as folder:
        fill(folder / 'in')
        document, data = samples.bar()
        document['buffers'][0]['uri'] = 'bar data.bin'
        (folder / 'in' / 'far.gltf').write_text(json.dumps(document).replace('bar data', 'bar%20data'))
        (folder / 'in' / 'bar data.bin').write_bytes(data)

        def kept(*words):
            told, _ = batch('in', '-o', 'out', '--resume', *words, cwd=folder)
            return int(told.split(' of them as they were')[0].split()[-1]) if 'as they were' in told else 0
        assert kept() == 0 and kept() == 8
        (folder / 'in' / 'set1' / 'limbs001.bvh').write_bytes(limbs(50))
        assert kept() == 7
        (folder / 'in' / 'bar data.bin').write_bytes(data + b'\0\0\0\0')
        assert kept() == 7
        (folder / 'out' / 'bar.glb.json').unlink()
        assert kept() == 7
        (folder / 'out' / 'bar.glb.json').write_text('{')
        assert kept() == 7
        assert json.loads((folder / 'out' / 'bar.glb.json').read_text())['format'] == 'eigenrig-palette'
        assert kept('--root', 'fixed', '--count', '3') == 0
        assert kept('--count', '3', '--root', 'fixed') == 8
        shutil.copy(folder / 'in' / 'bar.glb', folder / 'in' / 'new.glb')
        (folder / 'in' / 'set0' / 'limbs000.bvh').unlink()
        assert kept('--count', '3', '--root', 'fixed') == 7
        for words in (['--count', '3'], ['--count', '3', '--amplitude', '30'], ['--count', '3', '--write', 'glb'], ['--count', '3', '--damping', '0.1'],
                      ['--max-hz', '5']):
            assert (kept(*words), kept(*words)) == (0, 8), words
        assert 'new.glb' in manifest(folder / 'out') and 'set0/limbs000.bvh' not in manifest(folder / 'out')


@promise
def a_change_of_a_pose_file_is_seen():
    with Folder() as folder:
        (folder / 'a.glb').write_bytes(samples.glb(*samples.bar()))
        program_run('info', 'a.glb', '--pose', 'bend@0.5', '--save-pose', 'pose.json', cwd=folder)
        batch('a.glb', '-o', 'out', '--pose', 'pose.json', cwd=folder)
        first = tree(folder / 'out')['a.glb.json']
        program_run('info', 'a.glb', '--pose', 'bend@1', '--save-pose', 'pose.json', cwd=folder)
        told, _ = batch('a.glb', '-o', 'out', '--pose', 'pose.json', '--resume', cwd=folder)
        assert 'as they were' not in told and tree(folder / 'out')['a.glb.json'] != first


@promise
def files_that_a_model_may_not_refer_to_are_not_looked_at():
    """A picture and a description's pose outside the model's folder change nothing, unless they are allowed there."""
    with Folder() as folder:
        (folder / 'in').mkdir()
        document, data = samples.bar()
        document['images'] = [{'uri': '../skin.png'}]
        (folder / 'in' / 'bar.gltf').write_bytes(samples.gltf(document, data))
        (folder / 'in' / 'bar.rig.lua').write_text('return {pose = "../pose.json"}')

        def beside(*words):
            batch('in', '-o', 'out', '--resume', '--pose', 'rest', *words, cwd=folder)
            return manifest(folder / 'out')['bar.gltf']['beside']

        seen = []
        for content in ('one', 'two'):
            (folder / 'skin.png').write_text(content)
            seen += [(beside(), beside('--allow-outside'))]
        assert seen[0][0] == seen[1][0] and seen[0][1] != seen[1][1], seen
        (folder / 'in' / 'bar.gltf').write_bytes(samples.gltf(*samples.bar()))
        seen = set()
        for content in ('one', 'two'):
            (folder / 'pose.json').write_text(content)
            batch('in', '-o', 'out', '--resume', cwd=folder, status=1)
            seen.add(manifest(folder / 'out')['bar.gltf']['beside'])
        assert len(seen) == 1, seen


@promise
def outputs_no_longer_asked_for_go():
    with Folder() as folder:
        fill(folder / 'in', 2)
        batch('in', '-o', 'out', '--write', 'json,glb', cwd=folder)
        batch('in', '-o', 'out', '--write', 'json', '--resume', cwd=folder)
        assert not [name for name in tree(folder / 'out') if name.endswith('.glb')]


@promise
def files_folders_globs_and_lists_name_the_same_models():
    with Folder() as folder:
        fill(folder / 'in')
        names = sorted(str(path.relative_to(folder)) for path in (folder / 'in').rglob('*.*'))
        (folder / 'list').write_text('\r\n'.join(names) + '\n\n')
        batch('in', '-o', 'whole', cwd=folder)
        whole = tree(folder / 'whole')
        batch(*names, names[0], './' + names[1], '-o', 'files', cwd=folder)
        batch('@list', '-o', 'list_out', cwd=folder)
        batch('-', '-o', 'pipe', cwd=folder, input='\n'.join(names).encode())
        batch('in/*', '-o', 'glob', cwd=folder)
        for out in ('files', 'list_out', 'pipe', 'glob'):
            assert tree(folder / out) == whole, out


@promise
def names_that_clash_or_are_no_text_are_told_apart():
    with Folder() as folder:
        inside = folder / 'in'
        inside.mkdir()
        bar = samples.glb(*samples.bar())
        names = ['a.glb', 'ä ö 漢字.glb', 'q"uo\'te<&>.glb', 'per%20cent.glb', 'new\nline.glb', 'hash#?.glb', '@at.glb', '-dash.glb']
        for name in names:
            (inside / name).write_bytes(bar)
        (inside / 'a.gltf').write_bytes(samples.gltf(*samples.bar()))
        (inside / 'a.bvh').write_bytes(limbs(1))
        with open(os.fsencode(inside) + b'/caf\xe9.bvh', 'wb') as file:
            file.write(limbs(2))
        batch('in', '-o', 'out', '--write', 'json,glb', cwd=folder)
        entries = manifest(folder / 'out')
        assert set(entries) == set(names) | {'a.gltf', 'a.bvh', 'caf\\xe9.bvh'}
        assert all(entry['status'] == 'done' for entry in entries.values()), entries
        for name in names + ['a.gltf', 'a.bvh']:
            assert (folder / 'out' / f'{name}.json').is_file(), name
        assert os.path.isfile(os.fsencode(folder) + b'/out/caf\xe9.bvh.glb')
        told, _ = batch('in', '-o', 'out', '--write', 'json,glb', '--resume', cwd=folder)
        assert '11 of them as they were' in told, told


@promise
def a_folder_gives_its_models_and_not_its_other_files():
    with Folder() as folder:
        fill(folder / 'in', 2)
        (folder / 'in' / 'readme.txt').write_text('no model')
        (folder / 'in' / 'package.json').write_text('{"name": "no rig"}')
        (folder / 'in' / '.hidden.glb').write_bytes(b'')
        (folder / 'in' / 'loop').symlink_to('.')
        rig = program_run('info', 'in/bar.glb', '--json', cwd=folder).stdout
        (folder / 'in' / 'rig.json').write_bytes(rig)
        (folder / 'in' / 'UPPER.GLB').write_bytes((folder / 'in' / 'bar.glb').read_bytes())
        batch('in', '-o', 'in/out', '--write', 'json,glb', cwd=folder)
        wanted = {'UPPER.GLB', 'bar.glb', 'rig.json', 'set0/limbs000.bvh', 'set1/limbs001.bvh'}
        assert set(manifest(folder / 'in' / 'out')) == wanted
        told, _ = batch('in', '-o', 'in/out', '--write', 'json,glb', '--resume', cwd=folder)
        assert '5 of them as they were' in told, 'outputs were taken for inputs'


@promise
def outputs_beside_their_models_are_no_models():
    with Folder() as folder:
        (folder / 'in' / 'deep').mkdir(parents=True)
        for path in ('in/bar.glb', 'in/deep/bar.glb'):
            (folder / path).write_bytes(samples.glb(*samples.bar()))
        batch('in', '-o', 'in', '--write', 'glb', cwd=folder)
        told, _ = batch('in', '-o', 'in', '--write', 'glb', '--resume', cwd=folder)
        assert '2 models: 2 done, 0 failed; 2 of them as they were' in told
        (folder / 'in' / 'manifest.jsonl').rename(folder / 'in' / '.batch' / 'whole' / 'journal.jsonl')  # of a run that was ended
        told, _ = batch('in', '-o', 'in', '--write', 'glb', '--resume', cwd=folder)
        assert '2 models: 2 done' in told and sorted(manifest(folder / 'in')) == ['bar.glb', 'deep/bar.glb']
        told, _ = batch('in', '-o', 'out', cwd=folder)  # for another folder they are models like any
        assert '4 models: 4 done' in told
        (folder / 'limbs.bvh').write_bytes(limbs(1))
        batch('in/bar.glb', 'in/bar.glb.glb', 'limbs.bvh', '-o', 'in', '--resume', cwd=folder)
        assert sorted(manifest(folder / 'in')) == ['in/bar.glb', 'limbs.bvh']


@promise
def outputs_of_models_that_went_are_no_models_either():
    with Folder() as folder:
        (folder / 'in').mkdir()
        for name in ('bar.glb', 'bar2.glb'):
            (folder / 'in' / name).write_bytes(samples.glb(*samples.bar()))
        batch('in', '-o', 'in', '--write', 'glb', cwd=folder)
        (folder / 'in' / 'bar.glb').unlink()
        for _ in range(3):
            batch('in', '-o', 'in', '--write', 'glb', '--resume', cwd=folder)
            assert sorted(manifest(folder / 'in')) == ['bar2.glb']
        assert (folder / 'in' / 'bar.glb.glb').exists()


@promise
def the_table_has_a_row_a_model_and_quiet_prints_nothing():
    with Folder() as folder:
        fill(folder / 'in', 2)
        told, said = batch('in', '-o', 'out', '--forward', 'x', cwd=folder)
        assert [line.split()[0] for line in told.splitlines()] == ['model', 'bar.glb', 'set0/limbs000.bvh', 'set1/limbs001.bvh', '3']
        assert sorted(re.sub(r'\d of 3|[\d.e-]+ s', '_', line) for line in said.splitlines()) == [
            'eigenrig: _: bar.glb: done in _, 3 bodies, lowest 1.69 Hz', 'eigenrig: _: set0/limbs000.bvh: done in _, 3 bodies, lowest 1.659 Hz, 1 warning',
            'eigenrig: _: set1/limbs001.bvh: done in _, 3 bodies, lowest 1.659 Hz, 1 warning'], said
        told = [json.loads(line) for line in batch('in', '-o', 'out3', '--strict', '--forward', 'x', '--errors', 'json', status=1, cwd=folder)[1].splitlines()]
        warned, told = [[line for line in told if line['kind'] == kind] for kind in ('warning', 'model')]
        assert sorted(line['file'] for line in warned) == ['set0/limbs000.bvh', 'set1/limbs001.bvh'] and all('BVH' in line['message'] for line in warned)
        assert sorted((line['input'], line['status'], line.get('reason'), line['warnings']) for line in told) == [
            ('bar.glb', 'done', None, 0), ('set0/limbs000.bvh', 'failed', 'warnings', 1), ('set1/limbs001.bvh', 'failed', 'warnings', 1)], told
        assert [line['ended'] for line in told] == [1, 2, 3] and not list((folder / 'out3').glob('set*/*'))
        assert batch('in', '-o', 'out2', '-q', cwd=folder) == ('', '')
        (folder / 'in' / 'bad.glb').write_bytes(b'no model')
        for again, count in (([], 2), (['--resume'], 1)):  # what failed before fails again, and is not tried
            told, said = batch('in', '-o', 'out4', '-q', *again, status=1, cwd=folder)
            said = said.splitlines()
            assert told == '' and len(said) == count and said[-1].startswith('eigenrig: error: out4: 1 of 4 models failed; '), said
            assert said[0].startswith('eigenrig: error: bad.glb: failed, format: ') == (count == 2), said


@promise
def the_example_in_the_help_works():
    with Folder() as folder:
        fill(folder / 'characters', 2)
        words = batch('--help')[0].split('Example:\n')[1].split()
        assert words[:2] == ['eigenrig', 'batch']
        batch(*words[2:], cwd=folder)
        assert (folder / words[-1] / 'index.html').is_file()


@promise
def only_some_are_done_and_the_others_stay():
    with Folder() as folder:
        fill(folder / 'in', 4)
        batch('in', '-o', 'out', '--only', 'set1/*,b?r.glb', cwd=folder)
        assert list(manifest(folder / 'out')) == ['bar.glb', 'set1/limbs001.bvh', 'set1/limbs003.bvh']
        told, said = batch('in', '-o', 'out', '--only', 'limbs00[03].bvh', '--resume', '--mass', '3', cwd=folder)
        entries = manifest(folder / 'out')
        assert {name: entry['options'] for name, entry in entries.items()} == {
            'bar.glb': '', 'set0/limbs000.bvh': '--mass 3', 'set1/limbs001.bvh': '', 'set1/limbs003.bvh': '--mass 3'}
        assert '4 models: 4 done, 0 failed; 2 of them as they were' in told and len(said.splitlines()) == 2, (told, said)
        assert (folder / 'out' / 'set1' / 'limbs001.bvh.json').is_file() and not (folder / 'out' / 'set0' / 'limbs002.bvh.json').exists()


@every
def gaits_are_those_of_gait_and_none_is_a_warning():
    with Folder() as folder:
        (folder / 'in').mkdir()
        shutil.copy(SOURCE / 'models' / 'gnome.glb', folder / 'in')
        shutil.copy(SOURCE / 'models' / 'four_bar.json', folder / 'in')  # held to the world
        (folder / 'in' / 'bar.glb').write_bytes(samples.glb(*samples.bar()))
        words = ['--count', '8', '--forward', 'z', '--fps', '24']
        batch('in', '-o', 'out', '--write', 'json,gaits', *words, cwd=folder)
        entries = manifest(folder / 'out')
        program.works('gait', 'in/gnome.glb', *words, '-o', 'gnome.glb', cwd=folder)
        assert (folder / 'out' / 'gnome.glb.gaits.glb').read_bytes() == (folder / 'gnome.glb').read_bytes()
        assert [o['path'] for o in entries['gnome.glb']['outputs']] == ['gnome.glb.gaits.glb', 'gnome.glb.json'] and entries['gnome.glb']['options'].count('--forward') == 1
        named = json.loads(program.works('gait', 'in/gnome.glb', *words, '--json', cwd=folder))
        assert entries['gnome.glb']['gaits'] == [gait['name'] for gait in named['gaits']]
        assert f">gaits: {', '.join(entries['gnome.glb']['gaits'])}<" in (folder / 'out' / 'index.html').read_text()
        assert entries['bar.glb']['gaits'] == [] and any('no gait' in text for text in entries['bar.glb']['warnings'])
        held = entries['four_bar.json']
        assert [o['path'] for o in held['outputs']] == ['four_bar.json.json'] and any('cannot travel' in text for text in held['warnings']), held


@promise
def what_patterns_stand_for_is_told():
    with Folder() as folder:
        fill(folder / 'in', 1)
        (folder / 'studio.lua').write_text('return {optional = true, joints = {["bone*"] = {hz = 3}}, bodies = {["*leg*"] = {mass = 2}}}')
        batch('in', '-o', 'out', '--rig', 'studio.lua', cwd=folder)
        matched = {name: entry['matched'] for name, entry in manifest(folder / 'out').items()}
        assert matched['bar.glb'] == {'joints': {'bone*': ['bone1', 'bone2']}, 'bodies': {'*leg*': []}}, matched
        limbs_ = palette_of(folder / 'in' / 'set0' / 'limbs000.bvh')['rig']
        assert matched['set0/limbs000.bvh'] == {'joints': {'bone*': []}, 'bodies': {'*leg*': [body['name'] for body in limbs_['bodies'] if 'leg' in body['name']]}}, matched


run()
