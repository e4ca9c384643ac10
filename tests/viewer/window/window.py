"""A screen without a monitor, and the viewer upon it."""
import ctypes
import glob
import os
import pathlib
import shutil
import struct
import subprocess
import tempfile
import time

import png_rows
from tap import BUILD, SOURCE, skip

PROGRAM = BUILD / 'tools' / 'eigenrig' / 'eigenrig'
ENVIRONMENT = dict(os.environ, EIGENRIG_IMPORTER=str(BUILD / 'tools' / 'importer' / 'eigenrig-import'))

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
UNSEEN = ('key:Space', 'key:2', 'key:G')  # nobody looks: at rest, bones alone, no floor, which software draws thrice as fast
SECONDS = 240  # a picture takes a tenth of a second where OpenGL is software, ten times that under sanitizers
WIDTH, HEIGHT = 1100, 640
NARROW = 760  # pixels between panels take most of a frame's time


class Screen:
    """An X server of its own; what runs on it gets its name as DISPLAY."""

    def __enter__(self):
        if not shutil.which('Xvfb'):
            skip('there is no Xvfb')
        reader, writer = os.pipe()
        # A server that starts anew after its last client, as xdotool may be, turns away those who come meanwhile: -noreset.
        self.server = subprocess.Popen(['Xvfb', '-displayfd', str(writer), '-screen', '0', '1600x1000x24', '-nolisten', 'tcp', '-noreset'],
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
                                HOME=str(self.path),
                                XDG_CONFIG_HOME=str(self.path))
        return self

    def __exit__(self, *_):
        self.server.terminate()
        self.server.wait()
        self.folder.cleanup()

    def view(self, *words, width=WIDTH, **how):
        how = {'cwd': self.path, 'env': self.environment | PRELOAD, 'capture_output': True, 'timeout': SECONDS} | how
        return subprocess.run([PROGRAM, 'view', '--size', f'{width}x{HEIGHT}', *map(str, words)], **how)

    def play(self, model, *events, unseen=NARROW):
        """A script that must go well, upon a model or none; where nobody looks, in a window that is so wide."""
        words = [model] if model else []
        looks = any(event.startswith('shot:') or event.startswith('@') for event in events)
        done = self.view(*words, '--script', ' '.join(events if looks else UNSEEN + events), width=WIDTH if looks else unseen)
        assert done.returncode == 0, f'{events}: status {done.returncode}: {done.stderr.decode()[-3000:]}'
        assert not done.stderr, done.stderr.decode()

    def start(self, *words, command='view'):
        """The viewer as a user has it, left running; once its window is there."""
        process = subprocess.Popen([PROGRAM, command, '--size', f'{WIDTH}x{HEIGHT}', *map(str, words)], cwd=self.path,
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

    def display(self):
        x11 = ctypes.CDLL('libX11.so.6')
        x11.XOpenDisplay.restype = x11.XGetImage.restype = ctypes.c_void_p
        x11.XInternAtom.restype = ctypes.c_ulong
        return x11, ctypes.c_void_p(x11.XOpenDisplay(self.environment['DISPLAY'].encode()))

    def look(self, window):
        """The window as it is seen."""
        x11, display = self.display()
        picture = Picture.__new__(Picture)
        picture.width, picture.height = WIDTH, HEIGHT
        image = x11.XGetImage(display, ctypes.c_ulong(int(window)), 0, 0, WIDTH, HEIGHT, ctypes.c_ulong(~0), 2)
        pixels = ctypes.string_at(ctypes.c_void_p.from_address(image + 16).value, 4 * WIDTH * HEIGHT)  # XImage.data, BGRX
        picture.rows = [bytearray(3 * WIDTH) for _ in range(HEIGHT)]
        for y, row in enumerate(picture.rows):
            for k in range(3):
                row[k::3] = pixels[4 * WIDTH * y + 2 - k:4 * WIDTH * (y + 1):4]
        x11.XCloseDisplay(display)
        return picture

    def close(self, window):
        """As a window manager does when the cross of a window is pressed."""
        x11, display = self.display()
        atoms = [x11.XInternAtom(display, name, 0) for name in (b'WM_PROTOCOLS', b'WM_DELETE_WINDOW')]
        message = struct.pack('@iLiPLLi5l', 33, 0, 1, display.value, int(window), atoms[0], 32, atoms[1], 0, 0, 0, 0)
        event = ctypes.create_string_buffer(message, 256)  # an XClientMessageEvent in the room of an XEvent
        assert x11.XSendEvent(display, ctypes.c_ulong(int(window)), 0, ctypes.c_long(0), event)
        x11.XCloseDisplay(display)

    def tool(self, *words, check=True):
        if not shutil.which('xdotool'):
            skip('there is no xdotool')
        return subprocess.run(['xdotool', *map(str, words)], env=self.environment, check=check, capture_output=True)


class Picture:
    """A PNG of 8 bits a channel, as rows of bytes."""

    channels = 3

    def __init__(self, path):
        self.width, self.height, self.rows = png_rows.read(path.read_bytes(), self.channels)

    def view(self):
        """The part between the panels."""
        return [row[330 * self.channels:740 * self.channels] for row in self.rows[90:490]]

    def brightness(self):
        return sum(map(sum, self.rows)) / sum(map(len, self.rows))


def changed(a, b):
    """The share of pixels' channels in the view that two pictures do not have alike."""
    one, other = a.view(), b.view()
    return sum(abs(x - y) > 12 for r, s in zip(one, other) for x, y in zip(r, s)) / sum(map(len, one))
