"""Each row of docs/sources.md is shown here: its command runs and prints what the row says, or its file is there."""
import os
import pathlib
import re
import shlex
import subprocess
import tempfile

from program import ENVIRONMENT, PROGRAM
from tap import EVERY, SOURCE, promise, run, skip

ROWS = [re.fullmatch(r'\| (.*\S) +\| (.*\S) +\|', line) for line in (SOURCE / 'docs/sources.md').read_text().splitlines() if re.match(r'\| (?!what)', line)]
ROWS = [(row[1], row[2]) for row in ROWS if row]


@promise
def every_row_has_a_command_or_a_file_or_a_reason():
    assert len(ROWS) > 130, len(ROWS)
    reasons = 0
    for what, shown in ROWS:
        words = re.findall(r'`([^`]+)`', shown)
        if not shown.startswith('`'):
            reasons += 1
            assert len(shown) > 30, what
        elif not words[0].startswith('eigenrig '):
            assert (SOURCE / words[0]).exists(), (what, words[0])
    assert reasons <= 6, reasons


@promise
def every_command_runs_and_prints_what_its_row_says():
    expected = {}
    for what, shown in ROWS:
        words = re.findall(r'`([^`]+)`', shown)
        slow = words and re.search(' render (?!.*9\\.5)|herd|gnome.*--drop', words[0])  # a second each
        if shown.startswith('`eigenrig ') and (EVERY or not slow):
            expected.setdefault(words[0], []).extend(words[1:])
    assert len(expected) > 40, len(expected)
    drawn = True
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(SOURCE / 'models', pathlib.Path(folder) / 'models')
        for command, prints in expected.items():
            words = shlex.split(command)
            done = subprocess.run([PROGRAM, *words[1:]], cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, timeout=120)
            if 'no picture can be drawn here' in done.stderr:
                drawn = False
                continue
            assert done.returncode == 0, (command, done.stderr)
            for text in prints:
                assert text in done.stdout + done.stderr, (command, text, done.stdout + done.stderr)
            for k, word in enumerate(words):
                name = words[k + 1].replace('%d', '0').replace('.ste', '0.ste') if word in ('-o', '--matrices') else None
                assert name is None or (pathlib.Path(folder) / name).exists(), (command, name)
    if not drawn:
        skip('no OpenGL here')


run()
