"""Machines reached by ssh, of this machine alone: Debian's sshd on a port of its own, with keys made for the test."""
import getpass
import os
import pathlib
import shutil
import socket
import subprocess
import time

from tap import skip

CONFIGURATION = '''
Port {port}
ListenAddress 127.0.0.1
HostKey {folder}/host_key
PidFile {folder}/sshd.pid
AuthorizedKeysFile {folder}/key.pub
PubkeyAuthentication yes
PasswordAuthentication no
KbdInteractiveAuthentication no
UsePAM no
StrictModes no
MaxStartups 100
'''
CLIENT = '''
Host *
    HostName 127.0.0.1
    Port {port}
    User {user}
    IdentityFile {folder}/key
    IdentitiesOnly yes
    StrictHostKeyChecking no
    UserKnownHostsFile /dev/null
    LogLevel ERROR
'''


def find(program):
    return shutil.which(program, path=os.environ.get('PATH', '') + ':/usr/sbin:/sbin')


def free_port():
    with socket.socket() as any_port:
        any_port.bind(('127.0.0.1', 0))
        return any_port.getsockname()[1]


class Machines:
    """with Machines(folder) as machines: any name is a host of `ssh -F machines.config NAME`."""

    def __init__(self, folder):
        missing = [program for program in ('sshd', 'ssh', 'ssh-keygen') if find(program) is None]
        if missing:
            skip(f'there is no {", ".join(missing)} (Debian: openssh-server)')
        self.folder, self.server = pathlib.Path(folder), None
        self.folder.mkdir()
        for key in ('host_key', 'key'):
            subprocess.run([find('ssh-keygen'), '-q', '-t', 'ed25519', '-N', '', '-f', self.folder / key], check=True)
        self.port = free_port()
        words = {'port': self.port, 'folder': self.folder, 'user': getpass.getuser()}
        (self.folder / 'sshd_config').write_text(CONFIGURATION.format(**words))
        self.config = self.folder / 'config'
        self.config.write_text(CLIENT.format(**words))

    def __enter__(self):
        if os.getuid() == 0:
            os.makedirs('/run/sshd', exist_ok=True)  # where sshd locks itself up before a user is known
        log = self.folder / 'sshd.log'
        self.server = subprocess.Popen([find('sshd'), '-D', '-f', self.folder / 'sshd_config', '-E', log],
                                       stdin=subprocess.DEVNULL)
        end = time.monotonic() + 20
        while subprocess.run([find('ssh'), '-F', self.config, 'any', 'true'], stdin=subprocess.DEVNULL,
                             capture_output=True).returncode != 0:
            if self.server.poll() is not None or time.monotonic() > end:
                said = log.read_text(errors='replace').splitlines() if log.exists() else []
                self.__exit__()
                skip(f'sshd does not work here: {said[-1:]}')
            time.sleep(0.1)
        return self

    def __exit__(self, *_):
        self.server.terminate()
        self.server.wait()
