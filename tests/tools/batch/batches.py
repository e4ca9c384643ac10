"""Folders of models, batches of them, and what they wrote."""
import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile

from tap import BUILD, SOURCE

import program  # noqa: E402
import samples  # noqa: E402

IMPORTER = BUILD / 'tools' / 'importer' / 'eigenrig-import'
VARIES = {'timings.jsonl'}  # seconds and peaks of memory


class Folder(tempfile.TemporaryDirectory):
    """An empty folder for a promise."""

    def __enter__(self):
        return pathlib.Path(super().__enter__())


def limbs(seed):
    """A BVH of its own for each seed."""
    return samples.BVH.replace(b'OFFSET 0 -90 0', b'OFFSET 0 -%d 0' % (50 + seed))


def fill(folder, count=6):
    """Models in folders of folders."""
    for k in range(count):
        path = folder / f'set{k % 2}' / f'limbs{k:03}.bvh'
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(limbs(k))
    (folder / 'bar.glb').write_bytes(samples.glb(*samples.bar()))
    return folder


def importer(folder, script):
    """An environment whose importer is a shell script: $1 is the model, $IMPORTER the true one."""
    path = folder / 'importer.sh'
    path.write_text(f'#!/bin/sh\nIMPORTER={IMPORTER}\n{script}\nexec "$IMPORTER" "$@"\n')
    path.chmod(0o755)
    return dict(program.ENVIRONMENT, EIGENRIG_IMPORTER=str(path))


def batch(*words, status=0, **how):
    """Runs one; what it printed."""
    done = program.run('batch', *words, **how)
    assert done.returncode == status, f'{words}: status {done.returncode}: {done.stdout!r} {done.stderr[-2000:]!r}'
    return done.stdout.decode(), done.stderr.decode()


def lines(path):
    return [json.loads(line) for line in path.read_text().split('\n')[:-1]]


def manifest(out):
    """Its lines by input."""
    entries = lines(out / 'manifest.jsonl')
    names = [entry['input'] for entry in entries]
    assert names == sorted(names, key=str.encode) and len(set(names)) == len(names), names
    return {entry['input']: entry for entry in entries}


def tree(out):
    """Every file's bytes by its path, but for what varies, such as the page's date, and the batch's own."""
    return {str(path.relative_to(out)): re.sub(rb'<time>.*?</time>', b'', path.read_bytes()) for path in sorted(out.rglob('*'))
            if path.is_file() and '.batch' not in path.parts and path.name not in VARIES
            and not re.match(r'(timings|manifest)\.\d+-of-\d+', path.name)}


def heed_hangups():
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # which tests under nohup are born to ignore


def start(*words, **how):
    """One in the background."""
    how = {'env': program.ENVIRONMENT, 'stdin': subprocess.DEVNULL, 'stdout': subprocess.PIPE, 'stderr': subprocess.PIPE,
           'preexec_fn': heed_hangups} | how
    return subprocess.Popen([program.PROGRAM, 'batch', *map(str, words)], **how)


def descendants(pid):
    """Processes below one."""
    found = []
    for task in pathlib.Path(f'/proc/{pid}/task').glob('*/children'):
        for child in task.read_text().split():
            found += [int(child)] + descendants(int(child))
    return found


def alive(pid):
    try:
        return open(f'/proc/{pid}/stat').read().rsplit(')', 1)[1].split()[0] != 'Z'
    except FileNotFoundError:
        return False


def sanitized():
    return os.environ.get('EIGENRIG_SANITIZED') == '1'
