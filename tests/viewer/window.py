"""A screen without a monitor, and the viewer upon it."""
import glob
import os
import pathlib
import shutil
import struct
import subprocess
import tempfile
import time
import zlib

from tap import BUILD, SOURCE, skip

PROGRAM = BUILD / 'src' / 'cli' / 'eigenrig'
ENVIRONMENT = dict(os.environ, EIGENRIG_IMPORTER=str(BUILD / 'src' / 'importer' / 'eigenrig-import'),
                   LSAN_OPTIONS=f'suppressions={SOURCE / "tests" / "gl.supp"}:print_suppressions=0')

if os.environ.get('EIGENRIG_SANITIZED') == '1':
    # A driver that is unloaded before leaks are looked for has no name to be suppressed by: it is kept.
    drivers = glob.glob('/usr/lib/*/dri/swrast_dri.so')
    library = subprocess.run(['cc', '-print-file-name=libasan.so'], capture_output=True, text=True).stdout.strip()
    PRELOAD = {'LD_PRELOAD': ' '.join([library, *drivers])}
else:
    PRELOAD = {}

HORSE = SOURCE / 'models' / 'horse.glb'
GNOME = SOURCE / 'models' / 'gnome.glb'
HAND = SOURCE / 'models' / 'hand.glb'
LOOP = SOURCE / 'models' / 'four_bar.json'
SECONDS = 240  # a picture takes a tenth of a second where OpenGL is software, ten times that under sanitizers
WIDTH, HEIGHT = 1100, 640


class Screen:
    """An X server of its own; what runs on it gets its name as DISPLAY."""

    def __enter__(self):
        if not shutil.which('Xvfb'):
            skip('there is no Xvfb')
        reader, writer = os.pipe()
        self.server = subprocess.Popen(['Xvfb', '-displayfd', str(writer), '-screen', '0', '1600x1000x24', '-nolisten', 'tcp'],
                                       pass_fds=[writer], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(writer)
        with os.fdopen(reader) as answer:
            number = answer.readline().strip()
        if not number:
            self.server.wait()
            skip('Xvfb does not start')
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name)
        self.environment = dict(ENVIRONMENT, DISPLAY=f':{number}', XDG_STATE_HOME=str(self.path / 'state'),
                                HOME=str(self.path))
        return self

    def __exit__(self, *_):
        self.server.terminate()
        self.server.wait()
        self.folder.cleanup()

    def view(self, *words, **how):
        how = {'cwd': self.path, 'env': self.environment | PRELOAD, 'capture_output': True, 'timeout': SECONDS} | how
        return subprocess.run([PROGRAM, 'view', '--size', f'{WIDTH}x{HEIGHT}', *map(str, words)], **how)

    def play(self, model, *events):
        """A script that must go well, upon a model or none."""
        words = [model] if model else []
        done = self.view(*words, '--script', ' '.join(events))
        assert done.returncode == 0, f'{events}: status {done.returncode}: {done.stderr.decode()[-3000:]}'
        assert not done.stderr, done.stderr.decode()

    def start(self, *words):
        """The viewer as a user has it, left running; once its window is there."""
        process = subprocess.Popen([PROGRAM, 'view', '--size', f'{WIDTH}x{HEIGHT}', *map(str, words)], cwd=self.path,
                                   env=self.environment | PRELOAD, stderr=subprocess.PIPE)
        for _ in range(300):
            if process.poll() is not None:
                raise AssertionError(process.stderr.read().decode())
            found = self.tool('search', '--name', 'eigenrig', check=False).stdout.split()
            if found:
                return process, found[0].decode()
            time.sleep(0.1)
        process.kill()
        raise AssertionError('no window in 30 s')

    def tool(self, *words, check=True):
        if not shutil.which('xdotool'):
            skip('there is no xdotool')
        return subprocess.run(['xdotool', *map(str, words)], env=self.environment, check=check, capture_output=True)


class Picture:
    """A PNG of 8 bits a channel, as rows of bytes."""

    def __init__(self, path):
        data = path.read_bytes()
        assert data[:8] == b'\x89PNG\r\n\x1a\n', path
        at, packed = 8, b''
        while at < len(data):
            length, kind = struct.unpack('>I4s', data[at:at + 8])
            body = data[at + 8:at + 8 + length]
            if kind == b'IHDR':
                self.width, self.height, depth, colour = struct.unpack('>IIBB', body[:10])
            packed += body if kind == b'IDAT' else b''
            at += 12 + length
        assert depth == 8 and colour in (2, 6)
        self.channels = 3 if colour == 2 else 4
        self.rows = self._unfilter(zlib.decompress(packed))

    def _unfilter(self, raw):
        step, stride, rows = self.channels, self.width * self.channels, []
        before = bytearray(stride)
        for y in range(self.height):
            kind, row = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
            for x in range(stride if kind else 0):
                left = row[x - step] if x >= step else 0
                up, corner = before[x], before[x - step] if x >= step else 0
                if kind == 4:
                    p = left + up - corner
                    a, b, c = abs(p - left), abs(p - up), abs(p - corner)
                    guess = left if a <= b and a <= c else up if b <= c else corner
                else:
                    guess = (left, up, (left + up) // 2)[kind - 1]
                row[x] = (row[x] + guess) & 255
            rows.append(row)
            before = row
        return rows

    def view(self):
        """The part between the panels."""
        return [row[330 * self.channels:740 * self.channels] for row in self.rows[90:490]]

    def brightness(self):
        return sum(map(sum, self.rows)) / sum(map(len, self.rows))


def changed(a, b):
    """The share of pixels' channels in the view that two pictures do not have alike."""
    one, other = a.view(), b.view()
    return sum(abs(x - y) > 12 for r, s in zip(one, other) for x, y in zip(r, s)) / sum(map(len, one))
