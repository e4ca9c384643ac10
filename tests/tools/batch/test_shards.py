"""Shards: no model twice, none left out, and together the same bytes as one run."""
import hashlib
import shutil
import subprocess

from batches import Folder, batch, fill, limbs, lines, manifest, program, samples, tree
from tap import SOURCE, promise, run, skip

SHARDS = 4


def shard_of(name, shards):
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], 'big') % shards + 1


def inputs(folder):
    fill(folder / 'in', 13)
    (folder / 'in' / 'bad.glb').write_bytes(b'no model')
    batch('in', '-o', 'whole', status=1, cwd=folder)
    return tree(folder / 'whole')


@promise
def shards_of_one_folder_become_the_whole():
    with Folder() as folder:
        whole = inputs(folder)
        for shard in range(1, SHARDS + 1):
            program.run('batch', 'in', '-o', 'out', '--shard', f'{shard}/{SHARDS}', cwd=folder)
            for entry in lines(folder / 'out' / f'manifest.{shard}-of-{SHARDS}.jsonl')[1:]:
                assert shard_of(entry['input'], SHARDS) == shard
        batch('--merge', 'out', '-o', 'out', status=1, cwd=folder)  # as the whole does, since one model failed
        assert tree(folder / 'out') == whole
        batch('--merge', 'out', '-o', 'out', status=1, cwd=folder)
        assert tree(folder / 'out') == whole


@promise
def shards_of_many_folders_become_the_whole():
    with Folder() as folder:
        whole = inputs(folder)
        for shard in range(1, SHARDS + 1):
            program.run('batch', 'in', '-o', f'part{shard}', '--shard', f'{shard}/{SHARDS}', cwd=folder)
        parts = [f'part{shard}' for shard in range(1, SHARDS + 1)]
        told, _ = batch('--merge', *parts, '-o', 'out', status=1, cwd=folder)
        assert tree(folder / 'out') == whole and '15 models: 14 done, 1 failed' in told
        for part in parts:
            shutil.rmtree(folder / part)
        assert tree(folder / 'out') == whole, 'files of the shards were borrowed'


@promise
def what_cannot_be_joined_is_said():
    with Folder() as folder:
        inputs(folder)
        for shard in (1, 3):
            program.run('batch', 'in', '-o', 'out', '--shard', f'{shard}/3', cwd=folder)

        def refused(*words):
            return batch('--merge', *words, '-o', 'joined', status=3, cwd=folder)[1]
        assert 'shard 2 of 3 is missing' in refused('out')
        assert 'no shards' in refused('whole')
        assert 'nowhere' in refused('nowhere')
        program.run('batch', 'in', '-o', 'out', '--shard', '2/3', cwd=folder)
        program.run('batch', 'in', '-o', 'other', '--shard', '2/3', cwd=folder)
        assert 'twice' in refused('out', 'other')
        program.run('batch', 'in', '-o', 'other', '--shard', '1/2', cwd=folder)
        assert 'different runs' in refused('other', 'out')
        program.run('batch', 'in', '-o', 'mixed', '--shard', '1/2', '--count', '8', cwd=folder)
        program.run('batch', 'in', '-o', 'mixed', '--shard', '2/2', '--count', '9', cwd=folder)
        assert '--count 8' in refused('mixed') and 'different runs' in refused('mixed')
        own = folder / 'out' / '.batch' / '2-of-3' / 'journal.jsonl'
        own.write_text('')
        assert '--shard 2/3 --resume' in refused('out')
        assert not (folder / 'joined').exists()
        program.run('batch', 'in', '-o', 'out', '--shard', '2/3', '--resume', cwd=folder)
        batch('--merge', 'out', '-o', 'joined', status=1, cwd=folder)


@promise
def shards_of_other_inputs_are_not_joined():
    with Folder() as folder:
        fill(folder / 'in', 3)
        fill(folder / 'more', 4)
        batch('in', '-o', 'out', '--shard', '1/2', cwd=folder)
        batch('more', '-o', 'out', '--shard', '2/2', cwd=folder)
        program.fails(3, 'batch', '--merge', 'out', '-o', 'joined', says='shard 2 of 2', cwd=folder)
        assert not (folder / 'joined').exists()
        batch('in', '-o', 'out', '--shard', '2/2', '--resume', cwd=folder)
        batch('--merge', 'out', '-o', 'joined', cwd=folder)


@promise
def a_merge_brings_nothing_from_outside_of_the_shards():
    with Folder() as folder:
        (folder / 'bar.glb').write_bytes(samples.glb(*samples.bar()))
        batch('bar.glb', '-o', 'out', '--shard', '1/1', cwd=folder)
        path, own = folder / 'out' / 'manifest.1-of-1.jsonl', folder / 'out' / 'bar.glb.json'
        told = path.read_text()
        for outside in ('../bar.glb', str(folder / 'bar.glb')):
            path.write_text(told.replace('"bar.glb.json"', f'"{outside}"'))
            batch('--merge', 'out', '-o', 'deep/joined', cwd=folder)
            found = sorted(x.name for x in (folder / 'deep').rglob('*') if x.is_file() and '.batch' not in x.parts)
            assert found == ['index.html', 'manifest.jsonl', 'timings.jsonl'], (outside, found)
        path.write_text(told)
        batch('--merge', 'out', '-o', 'deep/joined', cwd=folder)
        assert (folder / 'deep' / 'joined' / 'bar.glb.json').read_bytes() == own.read_bytes()


@promise
def a_manifest_that_lost_lines_is_told():
    with Folder() as folder:
        inputs(folder)
        for shard in (1, 2):
            program.run('batch', 'in', '-o', 'out', '--shard', f'{shard}/2', cwd=folder)
        path = folder / 'out' / 'manifest.1-of-2.jsonl'
        whole = path.read_bytes()
        lines = whole.splitlines(keepends=True)
        for left in (whole[:-9], b''.join(lines[:-1]), b''):  # within a line, between two, and all of it
            path.write_bytes(left)
            program.fails(3, 'batch', '--merge', 'out', '-o', 'joined', says='--shard 1/2 --resume', cwd=folder)
            assert not (folder / 'joined' / 'manifest.jsonl').exists()
        program.run('batch', 'in', '-o', 'out', '--shard', '1/2', '--resume', cwd=folder)
        assert path.read_bytes() == whole


@promise
def shards_work_in_one_folder_at_the_same_time():
    with Folder() as folder:
        whole = inputs(folder)
        running = [subprocess.Popen([program.PROGRAM, 'batch', 'in', '-o', 'out', '--shard', f'{shard}/3', '--jobs', '1', '-q'],
                                    cwd=folder, env=program.ENVIRONMENT) for shard in (1, 2, 3)]
        assert {process.wait(timeout=60) for process in running} <= {0, 1}
        batch('--merge', 'out', '-o', 'out', status=1, cwd=folder)
        assert tree(folder / 'out') == whole


@promise
def our_own_models_in_shards_are_those_of_one_run():
    with Folder() as folder:
        words = [SOURCE / 'models', '--count', '12']
        batch(*words, '-o', 'whole', cwd=folder)
        for shard in (1, 2):
            batch(*words, '-o', 'out', '--shard', f'{shard}/2', cwd=folder)
        batch('--merge', 'out', '-o', 'out', cwd=folder)
        assert tree(folder / 'out') == tree(folder / 'whole')


run()
