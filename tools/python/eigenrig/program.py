"""The command eigenrig: pictures, and everything that a shell can ask for."""
from __future__ import annotations

import os
import pathlib

from ._library import SystemFailure


def program() -> str:
    """The command: in the package, as in a wheel; $EIGENRIG_PROGRAM; on the PATH."""
    import shutil  # here, so that `import eigenrig` is quick
    inside = pathlib.Path(__file__).parent / 'bin' / ('eigenrig.exe' if os.name == 'nt' else 'eigenrig')
    found = os.environ.get('EIGENRIG_PROGRAM') or (str(inside) if inside.is_file() else shutil.which('eigenrig'))
    if not found:
        raise SystemFailure('the command eigenrig is not on the PATH')
    return found


def command(*words: object) -> str:
    """Runs `eigenrig WORD...` and gives what it prints: command("info", "horse.glb"). A failure is a SystemFailure."""
    import subprocess
    done = subprocess.run([program(), *map(str, words)], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode:
        raise SystemFailure(done.stderr.strip().rpartition('error: ')[2] or f'eigenrig ended with {done.returncode}')
    return done.stdout


class Picture(bytes):
    """A PNG that notebooks show."""

    def _repr_png_(self) -> bytes:
        return bytes(self)


def picture(path: str | os.PathLike[str], *words: object) -> Picture:
    """A picture of a model file, as `eigenrig render` makes it; words are its options: picture("fox.glb", "--mode", 7)."""
    import tempfile
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / 'picture.png'
        command('render', os.fspath(path), '-q', '-o', out, *words)
        return Picture(out.read_bytes())
