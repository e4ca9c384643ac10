"""A cluster of this machine alone: Debian's munged, slurmctld and slurmd in a folder and on ports of their own."""
import os
import pathlib
import shutil
import socket
import subprocess
import time

from tap import skip

PROGRAMS = ('munged', 'slurmctld', 'slurmd', 'sbatch', 'scancel', 'scontrol', 'squeue')
CONFIGURATION = '''
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
KillWait=1
MinJobAge=300
SchedulerParameters=sched_min_interval=100000,batch_sched_delay=0
SlurmctldTimeout=30
SlurmdTimeout=30
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
'''


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(('127.0.0.1', 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def find(program):
    return shutil.which(program, path=os.environ.get('PATH', '') + ':/usr/sbin:/sbin')


class Cluster:
    """with Cluster(folder) as cluster: cluster.run('sbatch', ...)"""

    def __init__(self, folder, cpus=2):
        missing = [program for program in PROGRAMS if find(program) is None]
        if missing:
            skip(f'there is no {", ".join(missing)} (Debian: slurmctld, slurmd, munge)')
        if os.getuid() != 0:
            skip('slurmd wants to be root')
        self.folder, self.processes = pathlib.Path(folder), []
        self.folder.mkdir()
        for name in ('state', 'spool'):
            (self.folder / name).mkdir()
        self.host = socket.gethostname().split('.')[0]
        (self.folder / 'slurm.conf').write_text(CONFIGURATION.format(host=self.host, user='root', ports=free_ports(2),
                                                                     folder=folder, cpus=cpus))
        self.environment = dict(os.environ, SLURM_CONF=str(self.folder / 'slurm.conf'))

    def start(self, program, *words):
        log = open(self.folder / f'{program}.out', 'wb')
        self.processes.append(subprocess.Popen([find(program), *map(str, words)], stdout=log, stderr=log,
                                               stdin=subprocess.DEVNULL, env=self.environment))

    def run(self, program, *words, **how):
        done = subprocess.run([find(program), *map(str, words)], capture_output=True, text=True, timeout=60,
                              **{'env': self.environment} | how)
        assert done.returncode == 0, f'{program} {words}: {done.stderr}'
        return done.stdout

    def __enter__(self):
        key = self.folder / 'munge.key'
        key.write_bytes(os.urandom(128))
        key.chmod(0o600)
        try:
            self.start('munged', '--foreground', '--force', f'--key-file={key}', f'--socket={self.folder}/munge.socket',
                       f'--pid-file={self.folder}/munged.pid', f'--log-file={self.folder}/munged.log',
                       f'--seed-file={self.folder}/munged.seed')
            self.wait(lambda: (self.folder / 'munge.socket').exists(), 10, 'munged')
            self.start('slurmctld', '-D', '-c')
            self.start('slurmd', '-D')
            self.wait(self.is_up, 40, 'slurm')
        except BaseException:
            self.__exit__()
            raise
        return self

    def is_up(self):
        told = subprocess.run([find('scontrol'), '-o', 'show', 'node'], capture_output=True, text=True, env=self.environment)
        return 'State=IDLE' in told.stdout

    def wait(self, what, seconds, name):
        end = time.monotonic() + seconds
        while not what():
            if time.monotonic() > end:
                logs = '\n'.join(path.read_text(errors='replace')[-1500:] for path in self.folder.glob('*.log'))
                skip(f'{name} does not start here: {logs.splitlines()[-1:]}')
            time.sleep(0.1)

    def finish(self, job, seconds=240):
        """Waits until nothing of a job is queued or runs."""
        end = time.monotonic() + seconds
        while self.run('squeue', '-h', '-j', job).strip():
            assert time.monotonic() < end, f'job {job} does not end'
            time.sleep(0.2)

    def __exit__(self, *_):
        for process in reversed(self.processes):
            process.terminate()
        for process in reversed(self.processes):
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
