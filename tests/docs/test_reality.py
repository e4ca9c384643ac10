"""docs/reality.md: its 74 rows have tests that are there, and the figures of its table are those that the program prints."""
import os
import re
import subprocess

from program import ENVIRONMENT, PROGRAM
from tap import BUILD, EVERY, SOURCE, promise, run, skip

PAGE = (SOURCE / 'docs/reality.md').read_text()
FIGURES = {int(row[0]): [cell.strip() for cell in row[1:]] for row in re.findall(r'^\| (\d+) \|' + r'([^|\n]*)\|' * 5 + '$', PAGE, re.M)}
TESTS = {int(number): tests for number, tests in re.findall(r'^\| (\d+) \| (`[^|\n]*) \|$', PAGE, re.M)}
QUICK = [3, 4, 8, 11, 12, 13, 14, 15, 24, 28, 42, 55, 56, 72]  # seconds together


def printed(*words):
    return subprocess.run([PROGRAM, 'run', SOURCE / 'tools/reality/reality.lua', '--table', *map(str, words)],
                          env=dict(ENVIRONMENT, EIGENRIG_BUILD=str(BUILD)), capture_output=True, text=True, timeout=1200)


@promise
def every_situation_has_a_test():
    assert sorted(FIGURES) == list(range(1, 75)) and sorted(TESTS) == sorted(FIGURES), (len(FIGURES), len(TESTS))
    for number, cell in TESTS.items():
        for file, names in re.findall(r'`([^`]+)`((?:,? [a-z_]+)*)', cell):
            path = SOURCE / file if '/' in file else SOURCE / f'tests/app/lua/{file}.lua'
            assert path.exists(), (number, file)
            for name in re.findall(r'[a-z_]+', names):
                assert re.search(rf'\b{name}\(', path.read_text()), (number, name)


@promise
def figures_are_those_that_the_program_prints():
    done = printed('--ours', *QUICK)
    assert done.returncode == 0, done.stderr
    for row in done.stdout.splitlines():
        cells = [cell.strip() for cell in row.strip('|').split('|')]
        assert cells[1:4] == FIGURES[int(cells[0])][:3], (row, FIGURES[int(cells[0])])


@promise
def each_figure_is_right_or_nearer_than_those_of_others():
    if not EVERY or not (BUILD / 'tools/reality/rivals.so').exists():
        skip('it takes minutes, and Bullet and ODE')
    done = printed()
    assert done.returncode == 0, done.stdout + done.stderr


run()
