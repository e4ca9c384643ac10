"""Input that is no model, and output that cannot be written: one line about it, and nothing left behind."""
import base64
import copy
import csv
import json
import os
import random
import resource
import shutil
import signal
import struct
import subprocess
import unicodedata

import samples
from program import COMMANDS, ENVIRONMENT, NEEDS, PROGRAM, Folder, RIGS, fails, judge_failure, rig_of, run, works
from tap import EVERY, promise, run as judge, skip



def sanitized():
    return os.environ.get('EIGENRIG_SANITIZED') == '1'


ENDINGS = ['.glb', '.gltf', '.fbx', '.dae', '.bvh', '.x', '.obj', '.3ds', '.blend', '.json', '.ms3d', '.md5mesh',
           '.smd', '.b3d',
           '.ply', '.stl', '.lwo', '.mdl', '.ase', '.ac', '.xml', '.iqm', '.md2', '.md3', '.nothing', '']


def listing(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob('*') if path.is_file()}


def judge_either(done, words, says):
    """Damage that is not seen is no failure; one that is gets one line."""
    if done.returncode != 0:
        return judge_failure(done, 1, words, says)
    return None


@promise
def files_that_cannot_be_read_are_named():
    with Folder() as folder:
        (folder / 'empty.glb').write_bytes(b'')
        (folder / 'folder.glb').mkdir()
        (folder / 'nowhere.glb').symlink_to('missing.glb')
        (folder / 'circle.glb').symlink_to('circle.glb')
        for name in ('missing.glb', 'empty.glb', 'folder.glb', 'nowhere.glb', 'circle.glb', 'bar.glb/below', '',
                     'missing/x.glb', 'x' * 300 + '.glb'):
            for command in COMMANDS:
                before = listing(folder)
                fails(1, command, name, *NEEDS.get(command, []), says=name, cwd=folder)
                assert listing(folder) == before, f'{command} {name!r} left something behind'


@promise
def devices_and_pipes_are_no_models():
    with Folder() as folder:
        os.mkfifo(folder / 'pipe.glb')
        for name in ('/dev/null', '/dev/zero', str(folder / 'pipe.glb')):
            fails(1, 'info', name, says=name, timeout=30)


@promise
def files_without_permission_are_named():
    if os.geteuid() == 0:
        skip('root reads every file')
    with Folder() as folder:
        (folder / 'bar.glb').chmod(0)
        fails(1, 'info', 'bar.glb', says='bar.glb', cwd=folder)


@promise
def names_with_control_characters_make_one_line():
    with Folder() as folder:
        for name in ('two\nlines.glb', 'escape\33[31m.glb', 'tab\t.glb'):
            line = fails(1, 'info', name, cwd=folder)
            assert '.glb' in line and not any(ord(c) < 32 for c in line)
        fails(2, 'info', 'bar.glb', '--no\nsuch', cwd=folder)


@promise
def names_inside_a_model_make_no_lines_of_their_own():
    with Folder() as folder:
        text = (folder / 'bar.gltf').read_text().replace('bone1', 'bo\\nne\\u001b[31m\\u00e91')
        (folder / 'odd.gltf').write_text(text)
        for command in ('info', 'modes'):
            plain, odd = [works(command, name, cwd=folder) for name in ('bar.gltf', 'odd.gltf')]
            assert len(odd.splitlines()) == len(plain.splitlines()) and '\33' not in odd, f'{command}: {odd}'


def unseen():
    """Characters that do something in place of being seen."""
    ways = ('LRE', 'RLE', 'LRO', 'RLO', 'PDF', 'LRI', 'RLI', 'FSI', 'PDI', 'BN', 'B')
    seen = {0x070F, 0x08E2, 0x110BD, 0x110CD}  # signs before Arabic, Syriac and Kaithi numbers
    return [chr(c) for c in range(1, 0xE0080) if c not in seen and not 0xD800 <= c < 0xE000
            and (unicodedata.category(chr(c)) in ('Cc', 'Zl', 'Zp') or unicodedata.category(chr(c)) != 'Cn'
                 and unicodedata.bidirectional(chr(c)) in ways)]


@promise
def what_is_not_seen_in_names_does_nothing_to_a_terminal():
    strange = unseen()
    assert {'\x1b', '\x9b', '\u202e', '\u2028', '\u200b', '\u2066', '\ufeff'} <= set(strange)
    with Folder() as folder:
        works('info', 'bar.glb', '-o', 'rig.json', cwd=folder)
        rig = json.loads((folder / 'rig.json').read_text())
        body, joint = rig['bodies'][1], rig['joints'][-1]
        rig['bodies'] += [dict(body, name=f'<{c}>') for c in strange]
        rig['joints'] += [dict(joint, name=f'<{c}>', parent=len(rig['bodies']) - len(strange) + k - 1, child=len(rig['bodies']) - len(strange) + k)
                          for k, c in enumerate(strange)]
        (folder / 'odd.json').write_text(json.dumps(rig))
        told = works('info', 'odd.json', cwd=folder) + works('modes', 'odd.json', '--count', '40', cwd=folder)
        assert told.count('<?>') > len(strange) and not set(told) & (set(strange) - {'\n'}), set(told) & set(strange)
        for name in (b'ri\xe2\x80\xaeght.glb', b'csi\x9b31m.glb', b'c1\xc2\x9b31m.glb'):
            done = run('info', os.fsdecode(name), cwd=folder)
            assert judge_failure(done, 1, name, '.glb') and not set(done.stderr.decode()) & (set(strange) - {'\n'}), done.stderr
        works('animate', 'bar.glb', '--mix', '7:5', '-o', 'o.csv', cwd=folder)
        works('animate', 'odd.json', '--mix', '7:5', '-o', 'o.csv', '--plot', 'o.svg', cwd=folder)
        assert not set((folder / 'o.svg').read_text()) & (set(strange) - {'\n'})


def damaged(folder, data, ending, places):
    """Cuts at places of a file, one at a time; how many were refused."""
    refused = 0
    for place in places:
        (folder / f'cut{ending}').write_bytes(data[:place])
        done = run('modes', f'cut{ending}', '-q', cwd=folder)
        refused += judge_either(done, ('modes', f'cut{ending}', place), f'cut{ending}') is not None
    return refused


@promise
def models_cut_short_are_errors():
    with Folder() as folder:
        rig = json.dumps(rig_of(folder / 'two.glb')).encode()
        for ending, data in (('.glb', (folder / 'bar.glb').read_bytes()), ('.gltf', (folder / 'bar.gltf').read_bytes()),
                             ('.json', rig)):
            places = sorted({1, 3, 4, 11, 12, 19, 20, *range(40, len(data), len(data) // (25 if EVERY else 10)), len(data) - 5})
            assert damaged(folder, data, ending, places) == len(places), f'a part of a {ending} passes for a whole'
        bvh = (folder / 'limbs.bvh').read_bytes()
        skeleton = range(1, bvh.index(b'MOTION'), 23 if EVERY else 61)
        assert damaged(folder, bvh, '.bvh', skeleton) == len(skeleton)
        damaged(folder, bvh, '.bvh', range(bvh.index(b'MOTION'), len(bvh), 1 if EVERY else 3))


@promise
def real_models_cut_short_are_errors():
    names = ['Fox.glb', 'hand_glove_low_L.gltf', 'double_skeleton.dae', 'maya_sausage.fbx', 'cmu_jumping_jacks.bvh']
    if not all((RIGS / name).is_file() for name in names):
        skip(f'there are no rigs in {RIGS}; EIGENRIG_RIGS names their folder')
    with Folder() as folder:
        for name in names:
            data = (RIGS / name).read_bytes()
            refused = damaged(folder, data, (RIGS / name).suffix, [len(data) * k // 12 for k in range(1, 12)])
            assert refused >= (0 if name.endswith('bvh') else 10), f'{name}: {refused} of 11'


@promise
def models_with_flipped_bytes_never_crash():
    dice = random.Random(7)
    with Folder() as folder:
        for name in ('bar.glb', 'limbs.bvh'):
            data = (folder / name).read_bytes()
            for _ in range(40 if EVERY else 20):
                broken = bytearray(data)
                for _ in range(dice.randint(1, 6)):
                    broken[dice.randrange(len(broken))] = dice.randrange(256)
                odd = folder / ('odd' + name[name.index('.'):])
                odd.write_bytes(broken)
                judge_either(run('modes', odd, '-q'), (name, odd), odd)


@promise
def bytes_that_mean_nothing_are_errors_whatever_the_ending():
    dice = random.Random(11)
    text = b'This is a letter, and no model.\nIt has two lines.\n'
    with Folder() as folder:
        for ending in ENDINGS:
            path = folder / f'odd{ending}'
            odd = [dice.randbytes(3000), text, b'\0' * 64, b'{}', b'[' * 100000, b'"eigenrig-' + text]
            for data in odd if EVERY else dice.sample(odd, 2):
                path.write_bytes(data)
                judge_either(run('info', path, '-q'), (ending, data[:16]), path)
        for ending in ('.glb', '.gltf', '.fbx', '.dae', '.bvh', '.json', ''):
            path = folder / f'odd{ending}'
            for data in (dice.randbytes(3000), text, b'{}', b'[' * 100000):
                path.write_bytes(data)
                fails(1, 'info', path, says=path)


@promise
def output_that_cannot_be_written_is_named_and_nothing_is_left():
    with Folder() as folder:
        for command, model, end in (('info', 'bar.glb', '.json'), ('modes', 'bar.glb', '.json'),
                                    ('palette', 'bar.glb', '.glb'), ('palette', 'limbs.bvh', '.glb')):
            (folder / f'folder{end}').mkdir(exist_ok=True)
            (folder / f'folder{end}' / 'kept').write_text('kept')
            for output in (f'missing/out{end}', f'folder{end}', f'bar.glb/out{end}', 'x' * 300 + end):
                before = listing(folder)
                fails(1, command, model, '-o', output, says=output, cwd=folder)
                assert listing(folder) == before, f'{command} -o {output} left something behind'
            if not (folder / f'full{end}').is_symlink():
                (folder / f'full{end}').symlink_to('/dev/full')
            fails(1, command, 'bar.glb', '-o', f'full{end}', says=f'full{end}', cwd=folder)
            assert (folder / f'full{end}').is_symlink()


@promise
def json_is_not_written_under_the_ending_of_something_else():
    with Folder() as folder:
        before = listing(folder)
        for command, says in (('info', '.json or .png'), ('modes', '.json, .csv or .npz')):
            for end in ('.glb', '.gltf', '.fbx', '.dae', '.bvh', '.gif', '.jpg', '.svg', '.apng', '.txt', ''):
                assert says in fails(2, command, 'bar.glb', '-o', 'out' + end, says='out' + end, cwd=folder)
        fails(2, 'modes', 'bar.glb', '-o', 'out.png', says='out.png', cwd=folder)
        assert listing(folder) == before


@promise
def standard_output_that_is_full_is_an_error():
    with Folder() as folder:
        for words in (['info', 'bar.glb'], ['info', 'bar.glb', '--json'], ['modes', 'bar.glb'],
                      ['modes', 'bar.glb', '-o', '-'], ['palette', 'bar.glb', '-o', 'out.glb']):
            with open('/dev/full', 'wb') as full:
                fails(1, *words, says='standard output', cwd=folder, stdout=full)


@promise
def a_model_may_be_its_own_output():
    with Folder() as folder:
        works('palette', 'bar.glb', '-o', 'apart.glb', cwd=folder)
        works('palette', 'bar.glb', '-o', 'bar.glb', cwd=folder)
        assert (folder / 'bar.glb').read_bytes() == (folder / 'apart.glb').read_bytes()
        works('info', 'two.glb', '-o', 'rig.json', cwd=folder)
        before = json.loads((folder / 'rig.json').read_text())
        works('info', 'rig.json', '-o', 'rig.json', cwd=folder)
        again = (folder / 'rig.json').read_bytes()
        assert before.pop('report')['format'] == 'eigenrig-report' and json.loads(again) == before
        works('info', 'rig.json', '-o', 'rig.json', cwd=folder)
        assert (folder / 'rig.json').read_bytes() == again


@promise
def a_run_that_fails_leaves_the_old_output_alone():
    with Folder() as folder:
        for name in ('out.glb', 'out.json'):
            (folder / name).write_text('old')
        fails(1, 'palette', 'missing.glb', '-o', 'out.glb', cwd=folder)
        fails(1, 'modes', 'missing.glb', '-o', 'out.json', cwd=folder)
        fails(1, 'info', 'bar.glb', '--pose', 'dance@1', '-o', 'out.json', cwd=folder)
        for name in ('out.glb', 'out.json'):
            assert (folder / name).read_text() == 'old'


@promise
def a_run_that_is_killed_leaves_no_half_file():
    with Folder() as folder:
        whole = works('info', 'two.glb', '--json', cwd=folder)
        for wait in (0.0, 0.002, 0.005, 0.01, 0.02):
            run_ = subprocess.Popen([PROGRAM, 'info', 'two.glb', '-o', 'out.json'], cwd=folder, env=ENVIRONMENT)
            try:
                run_.wait(wait)
            except subprocess.TimeoutExpired:
                run_.send_signal(signal.SIGKILL)
                run_.wait()
            if (folder / 'out.json').exists():
                assert (folder / 'out.json').read_text() == whole
                (folder / 'out.json').unlink()


def referring(folder, uri, size, used):
    """A bar with a second buffer, which a view uses or nothing does; in a folder of its own, a secret beside that."""
    (folder / 'model').mkdir()
    (folder / 'secret.txt').write_text(SECRET)
    (folder / 'model' / 'link').symlink_to('../secret.txt')
    document = json.loads((folder / 'bar.gltf').read_text())
    document['buffers'].append({'byteLength': size, 'uri': uri})
    if used:
        document['bufferViews'].append({'buffer': 1, 'byteLength': size})
    (folder / 'model' / 'bar.gltf').write_text(json.dumps(document))


SECRET = 'TOPSECRET' * 20
REFERENCES = ['../secret.txt', '%2e%2e/secret.txt', 'link', '%2Fetc/passwd', '/etc/passwd', 'file:///etc/passwd', 'missing.bin']


@promise
def no_file_comes_along_that_a_model_only_names():
    """Nothing uses the buffer: neither a missing file nor one that lies elsewhere is in the way, or comes along."""
    for uri in REFERENCES:
        for model, cwd in (('bar.gltf', 'model'), ('model/bar.gltf', '.')):
            with Folder() as folder:
                referring(folder, uri, 4, used=False)
                for ending in ('glb', 'gltf', 'fbx'):
                    works('palette', model, '-o', f'{folder}/out.{ending}', '--count', '2', cwd=folder / cwd)
                    found = (folder / f'out.{ending}').read_bytes()
                    assert b'TOPSECRET' not in found and base64.b64encode(b'TOPSECRET') not in found, (uri, ending)
                assert sorted(path.name for path in folder.glob('out*')) == ['out.fbx', 'out.glb', 'out.gltf'], uri


@promise
def files_outside_a_models_folder_are_read_where_that_is_allowed():
    with Folder() as folder:
        referring(folder, '../secret.txt', 12, used=True)
        before = listing(folder)
        fails(1, 'palette', 'model/bar.gltf', '-o', 'out.glb', cwd=folder, says='--allow-outside')
        assert listing(folder) == before
        works('palette', 'model/bar.gltf', '-o', 'out.glb', '--allow-outside', cwd=folder)
        assert base64.b64encode(SECRET[:12].encode()) in (folder / 'out.glb').read_bytes()
        assert base64.b64encode(SECRET[:15].encode()) not in (folder / 'out.glb').read_bytes()
        write = 'model = eigenrig.load("model/bar.gltf", {%s}) model:export("again.glb", "6:8")'
        (folder / 'a.lua').write_text(write % '')
        fails(1, 'run', 'a.lua', cwd=folder, says='--allow-outside')
        (folder / 'a.lua').write_text(write % 'allow_outside = true')
        works('run', 'a.lua', cwd=folder)
        assert base64.b64encode(SECRET[:12].encode()) in (folder / 'again.glb').read_bytes()


def fbx_records(data, at, last):
    """(place, end, name) of the records of a binary FBX 7.4 that follow each other, those in them too."""
    while at < last and struct.unpack_from('<I', data, at)[0] > 0:
        end, _, size, letters = struct.unpack_from('<IIIB', data, at)
        yield at, end, bytes(data[at + 13:at + 13 + letters])
        yield from fbx_records(data, at + 13 + letters + size, end)
        at = end


def fbx_record(at, name, values, children=b''):
    """A record for that place, which must be known, since records say where they end."""
    head = 13 + len(name) + len(values[1]) + len(children) + (13 if children else 0)
    return struct.pack('<IIIB', at + head, values[0], len(values[1]), len(name)) + name + values[1] + children + (
        bytes(13) if children else b'')


def with_blend_shape(fbx, percent):
    """The file with a channel of a blend shape at the end of its objects."""
    data = bytearray(fbx)
    records = list(fbx_records(data, 27, len(data)))
    place = next(end for _, end, name in records if name == b'Objects') - 13

    def text(value):
        return b'S' + struct.pack('<I', len(value)) + value

    values = b'L' + struct.pack('<q', 987654321) + text(b'tall\0\1SubDeformer') + text(b'BlendShapeChannel')
    inner = fbx_record(place + 13 + len(b'Deformer') + len(values), b'DeformPercent',
                       (1, b'D' + struct.pack('<d', percent)))
    channel = fbx_record(place, b'Deformer', (3, values), inner)
    for at, end, _ in records:
        if end > place:
            struct.pack_into('<I', data, at, end + len(channel))
    return bytes(data[:place]) + channel + bytes(data[place:])


@promise
def weights_of_blend_shapes_in_binary_fbx_are_warned_of():
    with Folder() as folder:
        works('palette', folder / 'bar.glb', '--count', 1, '-o', folder / 'plain.fbx', '-q')
        plain = (folder / 'plain.fbx').read_bytes()
        for percent, warned in ((0, False), (40, True), (-100, True), (1e-9, False)):
            (folder / 'shape.fbx').write_bytes(with_blend_shape(plain, percent))
            said = run('info', folder / 'shape.fbx')
            assert said.returncode == 0, said.stderr[-500:]
            assert (b'1 blend shapes have a weight at rest' in said.stdout + said.stderr) == warned, percent


@promise
def a_limit_on_the_size_of_files_is_one_error_and_the_old_file_stays():
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
    with Folder() as folder:
        for command, end, words in (('palette', '.glb', []), ('palette', '.fbx', []), ('modes', '.json', []),
                                    ('animate', '.csv', ['--mix', '7:5']), ('animate', '.bvh', ['--mix', '7:5'])):
            (folder / f'out{end}').write_text('old')
            before = listing(folder)
            fails(1, command, 'bar.glb', *words, '-o', f'out{end}', says=f'out{end}', cwd=folder, preexec_fn=limit)
            assert listing(folder) == before, f'{command} -o out{end}'
        with open(folder / 'printed', 'wb') as printed:
            fails(1, 'info', 'bar.glb', '--json', says='standard output', cwd=folder, preexec_fn=limit, stdout=printed)


@promise
def skins_drawn_at_one_place_take_time_in_proportion():
    document, data = samples.bar()
    bar = dict(next(node for node in document['nodes'] if 'skin' in node), mesh=len(document['meshes']))
    stiff = copy.deepcopy(document['meshes'][0])  # of one bone alone, so that its mass is exact
    joints = document['accessors'][stiff['primitives'][0]['attributes']['JOINTS_0']]
    document['accessors'].append({key: joints[key] for key in ('componentType', 'type', 'count')})  # zeros
    stiff['primitives'][0]['attributes']['JOINTS_0'] = len(document['accessors']) - 1
    document['meshes'].append(stiff)
    for _ in range(40000):
        document['scenes'][0]['nodes'].append(len(document['nodes']))
        document['nodes'].append(dict(bar))

    def limit():  # a way that is quadratic takes a minute; this one a second
        resource.setrlimit(resource.RLIMIT_CPU, (180, 180) if sanitized() else (15, 15))
    with Folder() as folder:
        (folder / 'many.glb').write_bytes(samples.glb(document, data))
        works('modes', 'many.glb', '--count', '2', cwd=folder, preexec_fn=limit, timeout=300)


@promise
def addresses_that_end_are_an_error_whatever_the_limit():
    if sanitized():
        skip('a sanitizer maps more than any limit')
    environment = {name: value for name, value in ENVIRONMENT.items() if name != 'OPENBLAS_NUM_THREADS'}
    with Folder() as folder:
        ends = {}
        for limit in range(80, 400, 10):
            def low():
                resource.setrlimit(resource.RLIMIT_AS, (limit << 20, limit << 20))
            done = run('modes', 'bar.glb', '-q', cwd=folder, env=environment, preexec_fn=low, timeout=20)
            ends[limit] = done.returncode
            # the loader and OpenBLAS's first threads come before the program
            begins = b'error while loading shared libraries' not in done.stderr and b'blas_thread_init' not in done.stderr
            if begins and done.returncode != 0:
                assert 'out of memory' in judge_failure(done, 1, (limit,)), limit
        assert ends[390] == 0 and 1 in ends.values(), ends


@promise
def an_importer_that_is_missing_is_one_line():
    with Folder() as folder:
        fails(1, 'info', 'bar.glb', cwd=folder, env=ENVIRONMENT | {'EIGENRIG_IMPORTER': '/nowhere'}, says='bar.glb')
        shutil.copy('/bin/true', folder / 'importer')
        fails(1, 'info', 'bar.glb', cwd=folder, env=ENVIRONMENT | {'EIGENRIG_IMPORTER': str(folder / 'importer')},
              says='bar.glb')


judge()
