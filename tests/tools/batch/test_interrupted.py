"""A batch may end at any moment: nothing is half there, nothing runs on, and --resume does the rest."""
import os
import signal
import time

from batches import Folder, alive, batch, descendants, fill, importer, manifest, start, tree
from tap import promise, run

SLOW = 'sleep 0.3'  # every model takes that long


def wait_for(what, seconds=60):
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, 'it never came to that'
        time.sleep(0.02)


def some_done(out):
    journal = out / '.batch' / 'whole' / 'journal.jsonl'
    return lambda: journal.exists() and journal.read_bytes().count(b'\n') >= 4


def stop_in_the_middle(folder, number, out='out'):
    """Starts a slow batch, and ends it by a signal when some models are done."""
    process = start('in', '-o', out, '--jobs', '2', cwd=folder, env=importer(folder, SLOW))
    wait_for(some_done(folder / out))
    below = descendants(process.pid)
    process.send_signal(number)
    told, said = process.communicate(timeout=30)
    wait_for(lambda: not any(alive(pid) for pid in below if 'sleep' not in command(pid)), 10)
    return process.returncode, said.decode()


def command(pid):
    try:
        return open(f'/proc/{pid}/comm').read()
    except FileNotFoundError:
        return ''


def whole(folder):
    batch('in', '-o', 'whole', cwd=folder)
    return tree(folder / 'whole')


@promise
def a_kill_in_the_middle_loses_nothing_that_was_done():
    with Folder() as folder:
        fill(folder / 'in', 12)
        status, _ = stop_in_the_middle(folder, signal.SIGKILL)
        assert status == -signal.SIGKILL
        done = (folder / 'out' / '.batch' / 'whole' / 'journal.jsonl').read_bytes().count(b'\n') // 2
        told, _ = batch('in', '-o', 'out', '--resume', cwd=folder)
        assert f'; {done} of them as they were' in told, (done, told)
        assert tree(folder / 'out') == whole(folder)


@promise
def a_torn_journal_is_read_as_far_as_it_goes():
    with Folder() as folder:
        fill(folder / 'in', 8)
        stop_in_the_middle(folder, signal.SIGKILL)
        journal = folder / 'out' / '.batch' / 'whole' / 'journal.jsonl'
        text = journal.read_bytes()
        for cut in (1, 40, 200):
            journal.write_bytes(text[:-cut])
            stop = start('in', '-o', 'out', '--resume', cwd=folder, env=importer(folder, 'sleep 5'))
            latest = time.monotonic() + 30
            while not journal.read_bytes().endswith(b'\n') and time.monotonic() < latest:
                time.sleep(0.05)
            stop.kill()
            stop.communicate()
            left = journal.read_bytes()
            assert text.startswith(left) and left.endswith(b'\n') and left.count(b'\n') % 2 == 0, left
        journal.write_bytes(text[:-60] + b'\x00\xff{"input":')
        batch('in', '-o', 'out', '--resume', cwd=folder)
        assert tree(folder / 'out') == whole(folder)


@promise
def an_interrupt_ends_it_cleanly_and_says_how_to_go_on():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        with Folder() as folder:
            fill(folder / 'in', 8)
            status, said = stop_in_the_middle(folder, number)
            assert status == 3 and '--resume' in said, (status, said)
            entries = manifest(folder / 'out')
            assert 0 < len(entries) < 9 and all(entry['status'] == 'done' for entry in entries.values())
            assert not list((folder / 'out' / '.batch').rglob('work'))
            batch('in', '-o', 'out', '--resume', cwd=folder)
            assert tree(folder / 'out') == whole(folder)


@promise
def two_batches_do_not_share_a_folder():
    with Folder() as folder:
        fill(folder / 'in', 6)
        first = start('in', '-o', 'out', cwd=folder, env=importer(folder, SLOW))
        wait_for((folder / 'out' / '.batch' / 'whole' / 'journal.jsonl').exists)
        for words in ([], ['--resume'], ['--shard', '1/2']):
            _, said = batch('in', '-o', 'out', *words, status=3, cwd=folder)
            assert 'another batch' in said, said
        told, said = first.communicate(timeout=60)
        assert first.returncode == 0, said
        assert tree(folder / 'out') == whole(folder)


@promise
def a_parent_that_ignores_the_hangup_is_heeded():
    with Folder() as folder:
        fill(folder / 'in', 6)
        process = start('in', '-o', 'out', cwd=folder, env=importer(folder, SLOW),
                        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))  # nohup
        wait_for(some_done(folder / 'out'))
        os.kill(process.pid, signal.SIGHUP)
        _, said = process.communicate(timeout=60)
        assert process.returncode == 0, said


run()
