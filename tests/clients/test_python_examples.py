"""The examples in Python do what they say: each as a script, its numbers beside the command's or a law's."""
import functools
import json
import re
import subprocess
import sys

from program import works
from python_package import environment, package
from tap import EVERY, SOURCE, promise, run, skip

FOLDER = SOURCE / 'docs' / 'examples' / 'python'
NUMBER = re.compile(r'-?\d+\.\d+(?:e-?\d+)?')


def said(name, *words, needs=()):
    package()
    for each in needs:
        if subprocess.run([sys.executable, '-c', f'import {each}'], capture_output=True).returncode != 0:
            skip(f'there is no {each} (Debian: python3-{each})')
    done = subprocess.run([sys.executable, FOLDER / f'{name}.py', *map(str, words)], text=True, capture_output=True,
                          env=environment(), cwd=SOURCE, timeout=1000 if EVERY else 200)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


@functools.cache
def hertz(model, *words):
    return [mode['frequency_hz'] for mode in json.loads(works('modes', SOURCE / 'models' / model, '--json', '-q', *words))['modes']]


@promise
def every_example_is_judged_here():
    text = (SOURCE / 'tests' / 'clients' / 'test_python_examples.py').read_text()
    names = [path.stem for path in FOLDER.glob('*.py')]
    assert len(names) > 7 and not [name for name in names if f"said('{name}'" not in text], names


@promise
def the_table_of_the_hand_has_the_frequencies_of_the_command():
    rows = [float(line.split()[1]) for line in said('hand_table').splitlines()]
    assert len(rows) == 12 and all(abs(a - b) < 1e-4 for a, b in zip(rows, hertz('hand.glb')))


@promise
def scipy_agrees():
    count, off = re.match(r'(\d+) modes, largest difference (\S+) Hz', said('scipy_check', needs=['scipy'])).groups()
    assert int(count) == len(hertz('hand.glb')) and float(off) < 1e-5


@promise
def fitted_springs_have_the_frequencies():
    text, before = said('fit_stiffness', needs=['scipy']), hertz('hand.glb')
    found = [float(each) for each in NUMBER.findall(text.splitlines()[0])[:2]]
    assert abs(found[0] - 1.1 * before[6]) < 1e-5 and abs(found[1] - 1.1 * before[7]) < 1e-5, text
    assert float(text.split('largest miss is ')[1]) < 1e-4, text


@promise
def a_clip_is_a_sum_of_modes():
    text = said('project_clip')
    assert abs(float(NUMBER.findall(text.splitlines()[-1])[-1]) - 100) < 0.2
    theirs = works('modes', SOURCE / 'models' / 'fox.glb', '--explain', 0, '-q')
    first = re.search(r'mode +(\d+)', text)[1]
    assert re.search(rf'^ *{first}\b', theirs, re.MULTILINE), theirs[:500]


@promise
def frequencies_scale_as_the_root_of_stiffness_over_mass():
    text = said('study', 1000 if EVERY else 40)
    assert text.endswith('is 0.500\n'), text


@promise
def the_joints_that_bear_most_are_those_of_legs_and_trunk():
    text = said('walk_torques')
    torques = [float(line.split()[0]) for line in text.splitlines()[1:]]
    assert torques and torques == sorted(torques, reverse=True) and 10 < torques[-1] and torques[0] < 1e5, text


@promise
def participation_adds_up():
    lines = said('participation').splitlines()
    whole = [float(each) for each in NUMBER.findall(lines[-1].replace('. ', '.0 ').replace('.]', '.0]'))]
    assert len(whole) == 3 and all(0 < each <= 100.001 for each in whole), lines[-1]
    assert abs(float(lines[0].split()[2]) - hertz('horse.glb', '--root', 'fixed')[int(lines[0].split()[1])]) < 1e-3, lines[0]


@promise
def the_response_is_largest_at_a_mode():
    peak, near = map(float, NUMBER.findall(said('frequency_response', needs=['scipy'])))
    assert abs(peak / near - 1) < 0.03 and any(abs(near - hz) < 1e-3 for hz in hertz('chain_20.json', '--root', 'fixed'))


run()
