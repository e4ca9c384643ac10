"""Scripts, as these tests run them."""
import pathlib

from tap import SOURCE

from program import ENVIRONMENT, Folder, fails, palette_of, rig_of, run, works  # noqa: E402,F401

HERE = SOURCE / 'tests' / 'app' / 'lua'


def write(folder, text, name='script.lua'):
    path = pathlib.Path(folder) / name
    path.write_text(text)
    return path


def script(text, *words, cwd, **how):
    """Runs a script; what it printed."""
    return works('run', write(cwd, text), *words, cwd=cwd, **how)


def draws(cwd):
    """Whether there is an OpenGL to draw with."""
    return run('render', 'two.glb', '--size', '16x16', '-o', 'drawn.png', cwd=cwd).returncode == 0


def wrong(text, *words, cwd, says, **how):
    """Runs a script that must fail with one line that says so; that line."""
    return fails(1, 'run', write(cwd, text), *words, says=says, cwd=cwd, **how)
