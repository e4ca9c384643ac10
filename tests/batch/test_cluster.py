"""The scripts for clusters, on clusters of this machine alone: what they write is what one run writes."""
import os
import pathlib
import shutil
import subprocess
import time

from batches import Folder, batch, fill, importer, program, tree
from slurm import Cluster
from tap import SOURCE, promise, run, skip

SCRIPTS = SOURCE / 'share' / 'cluster'
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
    """Whether any process works there."""
    for link in pathlib.Path('/proc').glob('[0-9]*/cwd'):
        try:
            if pathlib.Path(os.readlink(link)) == folder:
                return True
        except OSError:
            pass
    return False


@promise
def a_slurm_array_writes_what_one_run_writes():
    with Folder() as folder, Cluster(folder / 'slurm') as cluster:
        def submit(array, **more):
            return cluster.run('sbatch', '--parsable', f'--array={array}', '--cpus-per-task=1', SCRIPTS / 'slurm.sh', SHARDS,
                               *inputs(), '-o', folder / 'out', *WORDS, cwd=folder,
                               env=cluster.environment | environment(**more)).strip()
        # Some tasks are killed in the middle; started again, they go on.
        slow = importer(folder, 'sleep 0.3')['EIGENRIG_IMPORTER']
        job = submit(f'1-{SHARDS}', EIGENRIG_IMPORTER=slow)
        time.sleep(2)
        cluster.run('scancel', '--signal=KILL', '--full', job)
        cluster.finish(job)
        _, said = batch('--merge', 'out', '-o', 'out', status=1, cwd=folder)
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
        time.sleep(1.5)
        os.killpg(first.pid, 9)
        first.wait()
        while working_in(folder):  # parallel's own may outlive it
            time.sleep(0.1)
        done = subprocess.run(words, cwd=folder, env=environment(PARALLEL_HOME=str(folder)), capture_output=True, text=True,
                              timeout=120)
        assert done.returncode == 0, done.stderr
        assert tree(folder / 'out put') == whole(folder, 'in put')


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


run()
