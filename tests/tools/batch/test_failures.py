"""One bad model costs that model alone, and is a line that says why."""
import json
import resource
import subprocess

from batches import Folder, alive, batch, fill, importer, limbs, manifest, sanitized, samples, tree
from program import fails
from tap import promise, run, skip


def reasons(out):
    return {name: entry['reason'] for name, entry in manifest(out).items() if entry['status'] == 'failed'}


@promise
def broken_files_are_lines_of_the_manifest():
    with Folder() as folder:
        fill(folder / 'in', 2)
        inside = folder / 'in'
        (inside / 'empty.glb').write_bytes(b'')
        (inside / 'junk.fbx').write_bytes(b'nothing of an FBX')
        (inside / 'cut.glb').write_bytes((inside / 'bar.glb').read_bytes()[:300])
        (inside / 'gone.bvh').symlink_to('nowhere')
        (inside / 'folder.glb').mkdir()
        document, data = samples.bar()
        del document['skins'], document['animations'], document['meshes'][0]
        for node in document['nodes']:
            node.pop('skin', None), node.pop('mesh', None), node.pop('children', None)
        (inside / 'bare.glb').write_bytes(samples.glb(document, data))
        with open(inside / 'huge.glb', 'wb') as file:
            file.truncate(1 << 27)
        told, said = batch('in', '-o', 'out', status=1, cwd=folder)
        found = reasons(folder / 'out')
        assert found == {'empty.glb': 'format', 'junk.fbx': 'format', 'cut.glb': 'format', 'gone.bvh': 'file',
                         'huge.glb': 'format', 'bare.glb': found['bare.glb']}, found
        assert found['bare.glb'] in ('rig', 'format')
        for name in found:
            entry = manifest(folder / 'out')[name]
            assert entry['outputs'] == [] and entry['error'] and 'in/' not in entry['error'], entry
            assert f'{name} ' in told.replace(':', ' ') and not (folder / 'out' / f'{name}.json').exists()
        assert '9 models: 3 done, 6 failed' in told, told
        again, _ = batch('in', '-o', 'out', '--resume', status=1, cwd=folder)
        assert '9 models: 3 done, 6 failed; 8 of them as they were' in again, again  # a missing file may come back
        (inside / 'gone.bvh').unlink()
        (inside / 'gone.bvh').write_bytes(limbs(9))
        assert '9 models: 4 done, 5 failed' in batch('in', '-o', 'out', '--resume', status=1, cwd=folder)[0]


@promise
def what_is_in_one_models_way_is_not_in_the_others():
    with Folder() as folder:
        fill(folder / 'in', 4)
        whole = fill(folder / 'whole', 4)
        document, data = samples.bar()
        document['buffers'].append({'byteLength': 4, 'uri': 'missing.bin'})  # of no use to the bar
        (folder / 'in' / 'bar2.glb').write_bytes(samples.glb(document, data))
        (folder / 'in' / ('n' * 248 + '.bvh')).write_bytes(limbs(1))
        (folder / 'in' / 'bar.glb.json').mkdir()
        (folder / 'in' / 'bar.glb.json' / 'limbs.bvh').write_bytes(limbs(2))
        (folder / 'list').write_text('\n'.join(['in', 'in/' + 'deep/' * 2000 + 'x.bvh']))
        batch(whole, '-o', 'fine', '--write', 'json,glb', cwd=folder)
        for jobs in ('1', '3'):
            batch('@list', '-o', f'out{jobs}', '--write', 'json,glb', '--jobs', jobs, status=1, cwd=folder)
            found = reasons(folder / f'out{jobs}')
            found.pop('in/bar2.glb', None)  # which may be done without it
            assert set(found.values()) == {'write', 'file'} and len(found) == 3, found
            assert found['in/bar.glb'] == 'write' and not (folder / f'out{jobs}' / 'in' / 'bar.glb.glb').exists()
            for name in manifest(folder / 'fine'):
                if name != 'bar.glb':
                    assert (folder / f'out{jobs}' / 'in' / f'{name}.glb').exists(), name
        assert (folder / 'out1' / 'manifest.jsonl').read_bytes() == (folder / 'out3' / 'manifest.jsonl').read_bytes()
        again, _ = batch('@list', '-o', 'out1', '--write', 'json,glb', '--resume', status=1, cwd=folder)
        assert f'{len(manifest(folder / "out1"))} models' in again, again


@promise
def a_run_that_cannot_go_on_leaves_the_manifest_of_what_is_done():
    with Folder() as folder:
        fill(folder / 'in', 3)
        (folder / 'away.lua').write_text('if arg[1]:find("bar") then return end\n'
                                         'os.execute("mv out/.batch/whole/work away; touch out/.batch/whole/work") io.open(arg[2] .. ".txt", "w"):close()')
        _, said = batch('in', '-o', 'out', '--script', 'away.lua', '--jobs', '1', status=3, cwd=folder)
        assert '1 of 4 models are done' in said or '2 of 4 models are done' in said, said
        assert manifest(folder / 'out')['bar.glb']['status'] == 'done'


@promise
def a_model_that_is_listed_and_missing_fails_alone():
    with Folder() as folder:
        fill(folder, 1)
        (folder / 'list').write_text('bar.glb\nno/such.glb\nmissing.glb\n')
        batch('@list', '-o', 'out', status=1, cwd=folder)
        assert [entry['reason'] for entry in manifest(folder / 'out').values()].count('file') == 2


@promise
def a_model_that_takes_too_long_is_ended():
    with Folder() as folder:
        fill(folder / 'in', 4)
        (folder / 'in' / 'slow.bvh').write_bytes(limbs(7))
        pids = folder / 'pids'
        environment = importer(folder, f'case "$1" in *slow*) echo $$ >{pids}; exec sleep 100;; esac')
        batch('in', '-o', 'out', '--timeout', '3' if not sanitized() else '15', status=1, cwd=folder, env=environment)
        assert reasons(folder / 'out') == {'slow.bvh': 'import-timeout'}
        assert not alive(pids.read_text().strip()), 'the importer outlived its model'
        batch('in', '-o', 'out', '--resume', cwd=folder)  # the true importer is quick
        assert reasons(folder / 'out') == {}


@promise
def a_model_that_takes_too_long_once_it_is_read_is_told_apart():
    with Folder() as folder:
        fill(folder / 'in', 1)
        (folder / 'slow.lua').write_text('if arg[1]:find("bar") then while true do end end')
        batch('in', '-o', 'out', '--script', folder / 'slow.lua', '--timeout', '2' if not sanitized() else '10', status=1, cwd=folder)
        assert reasons(folder / 'out') == {'bar.glb': 'timeout'}


@promise
def a_crash_costs_one_model():
    with Folder() as folder:
        fill(folder / 'in', 4)
        for name in ('crash', 'abort', 'outside', 'importer', 'killed', 'nothing'):
            (folder / 'in' / f'{name}.bvh').write_bytes(limbs(7))
        environment = importer(folder, 'case "$1" in *crash*) kill -SEGV $PPID; sleep 9;; *abort*) kill -ABRT $PPID; sleep 9;; '
                                       '*outside*) kill -KILL $PPID; sleep 9;; *importer*) kill -SEGV $$;; *killed*) kill -KILL $$;; '
                                       '*nothing*) exit 0;; esac')
        batch('in', '-o', 'out', status=1, cwd=folder, env=environment)
        wanted = {'crash.bvh': 'crash', 'abort.bvh': 'crash', 'outside.bvh': 'memory', 'importer.bvh': 'import-crash',
                  'killed.bvh': 'import-memory', 'nothing.bvh': 'import'}
        assert reasons(folder / 'out') == wanted | ({'crash.bvh': 'crash'} if sanitized() else {}), reasons(folder / 'out')
        assert manifest(folder / 'out')['crash.bvh']['sha256'] is not None


@promise
def a_model_too_large_for_the_importer_fails_for_its_memory():
    if sanitized():
        skip('a sanitizer maps more than any limit')
    with Folder() as folder:
        fill(folder / 'in', 1)
        joints = b''.join(b'JOINT j%d { OFFSET 1 0 0 CHANNELS 3 Zrotation Xrotation Yrotation ' % k for k in range(50))
        (folder / 'in' / 'long.bvh').write_bytes(
            b'HIERARCHY ROOT hip { OFFSET 0 0 0 CHANNELS 3 Zrotation Xrotation Yrotation ' + joints
            + b'End Site { OFFSET 1 0 0 } ' + b'} ' * 51 + b'MOTION\nFrames: 40000\nFrame Time: 0.01\n' + (b'0 ' * 153 + b'\n') * 40000)
        batch('in', '-o', 'out', '--memory', '64', status=1, cwd=folder)
        assert reasons(folder / 'out') == {'long.bvh': 'import-memory'}, manifest(folder / 'out')['long.bvh']
        assert 'limit of 64 MiB' in manifest(folder / 'out')['long.bvh']['error']


@promise
def a_model_too_large_for_the_limit_fails_for_memory():
    if sanitized():
        skip('a sanitizer maps more than any limit')
    with Folder() as folder:
        fill(folder / 'in', 2)
        bodies = [{'name': f'b{k}', 'mass': 1.0, 'com': [0, 0, 0], 'inertia': [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
                   'position': [k, 0, 0], 'orientation': [1, 0, 0, 0]} for k in range(2000)]
        joints = [{'name': f'j{k}', 'parent': k, 'child': k + 1, 'type': 'spherical', 'position': [k + 0.5, 0, 0],
                   'orientation': [1, 0, 0, 0], 'stiffness': [1, 1, 1], 'damping': [0, 0, 0], 'limits': None,
                   'closes_loop': False} for k in range(1999)]
        rig = {'format': 'eigenrig-rig', 'version': 1, 'name': 'large', 'source': '', 'bodies': bodies, 'joints': joints}
        (folder / 'in' / 'large.json').write_text(json.dumps(rig))
        batch('in', '-o', 'out', '--memory', '64', '--method', 'tree', status=1, cwd=folder)
        assert reasons(folder / 'out') == {'large.json': 'memory'}, manifest(folder / 'out')['large.json']
        assert 'raise --memory' in manifest(folder / 'out')['large.json']['error']


@promise
def a_full_disk_ends_the_batch_and_it_goes_on_later():
    with Folder() as folder:
        fill(folder / 'in', 8)
        batch('in', '-o', 'whole', '--write', 'json,glb', cwd=folder)
        sizes = sorted(len(bytes_) for bytes_ in tree(folder / 'whole').values())

        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (sizes[-2], sizes[-2]))
        _, said = batch('in', '-o', 'out', '--write', 'json,glb', '--jobs', '1', status=3, cwd=folder, preexec_fn=limit)
        assert 'error: ' in said and '--resume' in said, said
        assert not [path for path in (folder / 'out').rglob('*') if path.suffix in ('.part', '.tmp')]
        batch('in', '-o', 'out', '--write', 'json,glb', '--resume', cwd=folder)
        assert tree(folder / 'out') == tree(folder / 'whole')


@promise
def a_small_disk_fills_and_is_a_clear_error():
    with Folder() as folder:
        fill(folder / 'in', 40)
        disk = folder / 'disk'
        disk.mkdir()
        if subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=100k', 'tmpfs', disk], capture_output=True).returncode:
            skip('no file system can be mounted here')
        try:
            _, said = batch('in', '-o', 'disk/out', status=3, cwd=folder)
            assert 'No space left on device' in said and '--resume' in said, said
            subprocess.run(['mount', '-o', 'remount,size=50m', disk], check=True)
            batch('in', '-o', 'disk/out', '--resume', cwd=folder)
            batch('in', '-o', 'whole', cwd=folder)
            assert tree(disk / 'out') == tree(folder / 'whole')
        finally:
            subprocess.run(['umount', disk], check=True)


@promise
def what_a_run_ends_with_and_cannot_be_written_is_one_error():
    with Folder() as folder:
        fill(folder / 'in', 1)
        for name in ('manifest.jsonl', 'timings.jsonl', 'index.html'):
            out = folder / f'out of {name}'
            (out / f'{name}.part').mkdir(parents=True)  # where it is made
            _, said = batch('in', '-o', out, cwd=folder, status=3)
            assert f'{name}: cannot be written' in said and '--resume' in said, said
            (out / f'{name}.part').rmdir()
            told, _ = batch('in', '-o', out, '--resume', cwd=folder)
            assert '2 models: 2 done, 0 failed; 2 of them as they were' in told, told


@promise
def words_that_make_no_sense_are_errors_at_once():
    with Folder() as folder:
        fill(folder / 'in', 1)
        def wrong(status, *words, says):
            fails(status, 'batch', *words, says=says, cwd=folder)
            assert not (folder / 'out').exists(), words
        wrong(2, says='INPUT')
        wrong(2, 'in', says='-o DIR')
        wrong(2, 'in', '-o', 'out', '--write', 'json,pdf', says='--write')
        wrong(2, 'in', '-o', 'out', '--write', '', says='--write')
        for option, values in {'--jobs': ['0', '-1', 'x'], '--timeout': ['0', '-1', 'nan'], '--memory': ['1', 'x'],
                               '--shard': ['0/3', '4/3', '1', '1/', '/3', 'a/b', '1/3/5']}.items():
            for value in values:
                wrong(2, 'in', '-o', 'out', f'{option}={value}', says=option)
        wrong(2, 'in', '-o', 'out', '--merge', '--shard', '1/2', says='--merge')
        wrong(2, 'in', '-o', 'out', '--gravity', '9', says='--write gaits')
        wrong(3, 'in', '-o', 'out', '--only', 'x*,*.fbx', says='--only "x*,*.fbx"')
        wrong(3, 'nowhere', '-o', 'out', says='nowhere')
        wrong(3, 'in/*.xyz', '-o', 'out', says='*.xyz')
        wrong(3, '@nolist', '-o', 'out', says='nolist')
        (folder / 'broken.lua').write_text('return {density = = 3}')
        (folder / 'wrong.lua').write_text('return {densty = 3}')
        wrong(3, 'in', '-o', 'out', '--rig', 'broken.lua', says='broken.lua:1: ')  # for every model alike
        wrong(3, 'in', '-o', 'out', '--rig', 'wrong.lua', says='densty')
        wrong(3, 'in', '-o', 'out', '--rig', 'nosuch.lua', says='nosuch.lua')
        wrong(3, 'in', '-o', 'out', '--pose', 'nosuch.json', says='nosuch.json')
        wrong(3, 'in', '-o', 'out', '--script', 'broken.lua', says='broken.lua:1: ')
        (folder / 'none').mkdir()
        wrong(3, 'none', '-o', 'out', says='.glb')
        fails(3, 'batch', 'in', '-o', 'in/bar.glb', says='bar.glb', cwd=folder)


run()
