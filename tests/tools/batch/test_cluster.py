"""The scripts for clusters, on clusters of this machine alone: what they write is what one run writes."""
import contextlib
import os
import pathlib
import shutil
import subprocess
import time

from batches import Folder, batch, descendants, fill, importer, program, tree
from slurm import Cluster
from sshd import Machines
from tap import RIGS, SOURCE, every, promise, run, skip

SCRIPTS = SOURCE / 'tools' / 'batch' / 'cluster'
WORDS = ['--count', '20']
SHARDS = 4


def environment(**more):
    return dict(program.ENVIRONMENT, EIGENRIG=str(program.PROGRAM)) | more


def inputs():
    """Our own models, and real rigs where they are."""
    return [str(SOURCE / 'models')] + ([str(program.RIGS)] if program.RIGS.is_dir() else [])


def whole(folder, *names):
    batch(*names, '-o', 'whole', *WORDS, cwd=folder)
    return tree(folder / 'whole')


def working_in(folder):
    """Processes that work there."""
    found = []
    for link in pathlib.Path('/proc').glob('[0-9]*/cwd'):
        try:
            if pathlib.Path(os.readlink(link)) == folder:
                found.append(int(link.parent.name))
        except OSError:
            pass
    return found


def shard_at_work(folder):
    """A process of eigenrig batch that works there, and on a model; or None."""
    for pid in working_in(folder):
        try:
            command = pathlib.Path(f'/proc/{pid}/cmdline').read_bytes().split(b'\0')
            if b'--shard' in command and command[0].endswith(b'eigenrig') and descendants(pid):
                return pid
        except OSError:
            pass


def some_done(out):
    """Whether a shard is done with a model."""
    return any(path.stat().st_size > 0 for path in (out / '.batch').glob('*/journal.jsonl'))


def wait_for(what, process=None, seconds=60):
    """Waits for something that a process is to do, and gives it."""
    end = time.monotonic() + seconds
    while not (found := what()):
        assert time.monotonic() < end and (process is None or process.poll() is None), 'it never came to that'
        time.sleep(0.05)
    return found


@every
def a_slurm_array_writes_what_one_run_writes():
    with Folder() as folder, Cluster(folder / 'slurm') as cluster:
        def submit(array, **more):
            return cluster.run('sbatch', '--parsable', f'--array={array}', '--cpus-per-task=1', SCRIPTS / 'slurm.sh', SHARDS,
                               *inputs(), '-o', folder / 'out', *WORDS, cwd=folder,
                               env=cluster.environment | environment(**more)).strip()
        # Some tasks are killed in the middle; started again, they go on.
        slow = importer(folder, 'sleep 0.3')['EIGENRIG_IMPORTER']
        job = submit(f'1-{SHARDS}', EIGENRIG_IMPORTER=slow)
        wait_for(lambda: some_done(folder / 'out'))
        cluster.run('scancel', '--signal=KILL', '--full', job)
        cluster.finish(job)
        _, said = batch('--merge', 'out', '-o', 'out', status=3, cwd=folder)
        assert 'shard' in said, said
        job = submit('2,3')
        cluster.finish(job)
        job = submit(f'1-{SHARDS}')
        cluster.finish(job)
        batch('--merge', 'out', '-o', 'out', cwd=folder)
        assert tree(folder / 'out') == whole(folder, *inputs())


@promise
def gnu_parallel_writes_what_one_run_writes():
    if shutil.which('parallel') is None:
        skip('there is no GNU parallel (Debian: parallel)')
    with Folder() as folder:
        fill(folder / 'in put', 9)
        words = [SCRIPTS / 'parallel.sh', ':', '3', 'out put', 'in put', *WORDS]
        slow = importer(folder, 'sleep 0.3')['EIGENRIG_IMPORTER']
        first = subprocess.Popen(words, cwd=folder, env=environment(EIGENRIG_IMPORTER=slow, PARALLEL_HOME=str(folder)),
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        wait_for(lambda: some_done(folder / 'out put'), first)
        os.killpg(first.pid, 9)
        first.wait()
        while working_in(folder):  # parallel's own may outlive it
            time.sleep(0.1)
        done = subprocess.run(words, cwd=folder, env=environment(PARALLEL_HOME=str(folder)), capture_output=True, text=True,
                              timeout=120)
        assert done.returncode == 0, done.stderr
        assert tree(folder / 'out put') == whole(folder, 'in put')


@every
def machines_reached_by_ssh_write_what_one_run_writes():
    if shutil.which('parallel') is None:
        skip('there is no GNU parallel (Debian: parallel)')
    with Folder() as folder, Machines(folder / 'ssh') as machines:
        fill(folder / 'in', 9)
        words = [SCRIPTS / 'parallel.sh', 'one,two', '4', 'out', 'in', *WORDS]

        def settings(importer_path):
            # An ssh login has no environment of the test, so the program is wrapped.
            remote = folder / 'eigenrig.sh'
            remote.write_text(f'#!/bin/sh\nEIGENRIG_IMPORTER={importer_path} exec {program.PROGRAM} "$@"\n')
            remote.chmod(0o755)
            return dict(program.ENVIRONMENT, EIGENRIG=str(remote), PARALLEL_HOME=str(folder),
                        PARALLEL_SSH=f'ssh -F {machines.config}')
        slow = importer(folder, f'echo $SSH_CONNECTION >>{folder}/connections; sleep 0.3')['EIGENRIG_IMPORTER']
        first = subprocess.Popen(words, cwd=folder, env=settings(slow), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                 start_new_session=True)
        wait_for(lambda: some_done(folder / 'out'), first)
        os.killpg(first.pid, 9)
        first.wait()
        assert f' {machines.port}' in (folder / 'connections').read_text(), 'it did not go by ssh'
        for pid in working_in(folder):
            with contextlib.suppress(ProcessLookupError):  # those that end by themselves meanwhile
                os.kill(pid, 9)
        while working_in(folder):
            time.sleep(0.1)
        _, said = batch('--merge', 'out', '-o', 'out', status=3, cwd=folder)
        assert 'shard' in said, said
        # One shard of the second run is killed: it is tried again, and a third run has nothing to do.
        second = subprocess.Popen(words, cwd=folder, env=settings(slow), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                  start_new_session=True)
        os.kill(wait_for(lambda: shard_at_work(folder), second), 9)
        _, said = second.communicate(timeout=120)
        assert second.returncode == 0, said
        assert tree(folder / 'out') == whole(folder, 'in')


@promise
def containers_take_their_shard_from_the_environment():
    with Folder() as folder:
        fill(folder / 'in', 9)
        names = [('JOB_COMPLETION_INDEX', 'SHARDS'), ('AWS_BATCH_JOB_ARRAY_INDEX', 'SHARDS'),
                 ('CLOUD_RUN_TASK_INDEX', 'CLOUD_RUN_TASK_COUNT'), ('SHARD', 'SHARDS')]
        for index, (name, count) in enumerate(names):
            subprocess.run([SCRIPTS / 'container.sh', 'in', '-o', 'out', *WORDS], cwd=folder, check=True,
                           env=environment(**{name: str(index), count: str(len(names))}))
        batch('--merge', 'out', '-o', 'out', cwd=folder)
        assert tree(folder / 'out') == whole(folder, 'in')
        done = subprocess.run([SCRIPTS / 'container.sh', 'in', '-o', 'out'], cwd=folder, env=environment(), capture_output=True,
                              text=True)
        assert done.returncode != 0 and 'JOB_COMPLETION_INDEX' in done.stderr


@promise
def the_kubernetes_job_writes_what_one_run_writes():
    try:
        import yaml
    except ImportError:
        skip('there is no yaml (Debian: python3-yaml)')
    job = yaml.safe_load((SCRIPTS / 'kubernetes.yaml').read_text())
    pod = job['spec']['template']['spec']
    container, = pod['containers']
    place, = container['volumeMounts']
    settings = {entry['name']: entry['value'] for entry in container['env']}
    assert job['kind'] == 'Job' and job['spec']['completionMode'] == 'Indexed'  # which sets JOB_COMPLETION_INDEX
    assert settings == {'SHARDS': str(job['spec']['completions'])} and pod['restartPolicy'] == 'Never'
    assert place['name'] in [volume['name'] for volume in pod['volumes']]
    with Folder() as folder:
        data = folder / 'data'
        fill(data / 'models', 9)
        words = [word.replace(place['mountPath'] + '/', f'{data}/') for word in container['command']]
        assert words[1:] == [str(data / 'models'), '-o', str(data / 'palettes')]

        def start(index, **more):
            return subprocess.Popen(words, cwd='/', stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                    env=environment(JOB_COMPLETION_INDEX=str(index), **settings, **more)
                                    | {'PATH': f'{SCRIPTS}:{os.environ["PATH"]}'})
        slow = importer(folder, 'sleep 5')['EIGENRIG_IMPORTER']
        killed = start(0, EIGENRIG_IMPORTER=slow)
        wait_for(lambda: (data / 'palettes' / '.batch').exists(), killed)
        killed.kill()
        killed.communicate()
        for index in reversed(range(job['spec']['completions'])):
            pod = start(index)
            _, said = pod.communicate(timeout=60)
            assert pod.returncode == 0, said
        batch('--merge', 'data/palettes', '-o', 'data/palettes', cwd=folder)
        batch('data/models', '-o', 'whole', cwd=folder)
        found, wanted = tree(data / 'palettes'), tree(folder / 'whole')
        assert set(found) == set(wanted)
        for name in found:  # palettes and manifests name what they are of as it was given
            assert found[name].replace(f'{data}/models'.encode(), b'data/models') == wanted[name], name


run()
