"""Plots as their readers see them: sound XML, small, drawn by rsvg-convert."""
import functools
import pathlib
import re
import shutil
import subprocess
import tempfile
import xml.etree.ElementTree as ET

from tap import BUILD, promise, run, skip

SAMPLES = BUILD / 'tests' / 'formats' / 'curves' / 'motion_samples'
CASES = ['plain', 'names', 'sine', 'crowd', 'close', 'wide', 'huge', 'extreme', 'epoch', 'still', 'frame']
SVG = '{http://www.w3.org/2000/svg}'
FOLDER = tempfile.TemporaryDirectory()


@functools.cache
def path_of(case):
    path = pathlib.Path(FOLDER.name) / f'{case}.svg'
    done = subprocess.run([SAMPLES, case, path], capture_output=True, text=True)
    assert done.returncode == 0 and 'Sanitizer' not in done.stderr, done.stderr
    return path


@functools.cache
def drawing(case):
    return ET.parse(path_of(case)).getroot()


@promise
def every_plot_is_sound_xml_without_a_strange_number():
    for case in CASES:
        assert drawing(case).tag == f'{SVG}svg'
        for element in drawing(case).iter():
            for name in ('x', 'y', 'cx', 'cy', 'r', 'd', 'points', 'viewBox'):
                assert re.fullmatch(r'[0-9MVHLvhm ,.-]*', element.get(name, '')), (case, element.get(name))


@promise
def files_stay_small():
    for case in CASES:
        assert path_of(case).stat().st_size < 1e6, case


@promise
def a_renderer_draws_it():
    if not shutil.which('rsvg-convert'):
        skip('there is no rsvg-convert')
    for case in CASES:
        picture = subprocess.run(['rsvg-convert', path_of(case)], capture_output=True)
        assert picture.returncode == 0 and picture.stdout[:8] == b'\x89PNG\r\n\x1a\n', picture.stderr


run()
