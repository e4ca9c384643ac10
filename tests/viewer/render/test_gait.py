"""Gaits as strips and films, judged by their pictures: feet, and ghosts of a body that goes."""
import functools
import itertools
import pathlib
import shutil
import subprocess
import tempfile
import xml.etree.ElementTree

import png_reader
import references
import walkers
from pictures import MODELS, SLOW, SMALL, Folder, draw, fails, need_opengl, solid, unlike
from references import PROGRAM
from tap import every, promise, run, skip

KEPT = tempfile.TemporaryDirectory()
GNOME = MODELS / 'gnome.glb'
WALKER, HORSE = (walkers.write(pathlib.Path(KEPT.name), name) for name in ('gnome', 'horse'))
FIGURES, PAGE = 8, 24  # of a row of a strip; points


def brief():
    """Left out where every search takes a minute: the plain build judges it."""
    if SLOW > 1:
        skip('searches take minutes under sanitizers')


def gait(model, *words, more={}):
    done = subprocess.run([PROGRAM, 'gait', model, '--count', '8', *map(str, words)], capture_output=True, text=True,
                          env=references.ENVIRONMENT | more, timeout=120 * SLOW)
    return done


def strip_file(model, *words):
    """A strip's bytes, the table of its gaits, and when feet stand."""
    need_opengl()
    with Folder() as folder:
        done = gait(model, '--strip', folder / 'strip.png', '--footfalls', folder / 'falls.svg', *words)
        assert done.returncode == 0, done.stderr
        return (folder / 'strip.png').read_bytes(), done.stdout.splitlines()[1:], falls_of(folder / 'falls.svg')


kept_strip = functools.cache(strip_file)


@functools.cache
def strip(model, *words):
    """The same, with a picture for its bytes."""
    data, table, falls = kept_strip(model, *words)
    return png_reader.read(data), table, falls


def falls_of(path):
    """For each gait and foot the parts of a stride that it stands: {name: {foot: [(from, to)]}}."""
    found, foot, name = {}, None, None
    for element in xml.etree.ElementTree.parse(path).getroot():
        kind = element.tag.split('}')[1]
        if kind == 'text' and element.get('font-weight') == 'bold':
            name = element.text
        elif kind == 'text' and element.text in ('L', 'R'):
            foot = found.setdefault(name, {}).setdefault(element.text, [])
        elif kind == 'rect' and foot is not None:
            x, wide = float(element.get('x')), float(element.get('width'))
            if element.get('fill') == '#f1f1f1':
                left, whole = x, wide / 2  # two strides
            else:
                foot.append(((x - left) / whole, (x + wide - left) / whole))
    return found


def is_blue(r, g, b):
    return abs(r - 33) + abs(g - 97) + abs(b - 191) < 24


def is_grey(r, g, b):
    return abs(r - 107) + abs(g - 110) + abs(b - 117) < 24


def bars(picture, row_count, row):
    """For each figure the middle of the blue bar and of the grey one below it, in points from its own middle; None."""
    top, each = 76, (picture.height - 76 - PAGE) / row_count
    spacing = (picture.width - 2 * PAGE) / FIGURES
    lines = range(int(top + (row + 1) * each) - 34, int(top + (row + 1) * each))
    found = []
    for k in range(FIGURES):
        pair = []
        for wanted in (is_blue, is_grey):
            columns = set()
            for y in lines:
                inside = [x for x in range(int(PAGE + k * spacing), int(PAGE + (k + 1) * spacing))
                          if wanted(*picture.pixel(x, y)[:3])]
                if 8 <= len(inside) < 0.9 * spacing:  # neither letters nor the ground
                    columns.update(inside)
            pair.append(sum(columns) / len(columns) - PAGE - (k + 0.5) * spacing if columns else None)
        found.append(pair)
    return found


# --- strips

@promise
def bars_are_where_the_footfall_diagram_has_feet_stand():
    picture, table, falls = strip(GNOME)
    for row, line in enumerate(table):
        name = line.split('  ')[0]
        seen = [[at is not None for at in pair] for pair in bars(picture, len(table), row)]

        def agrees(start, order):
            for k, foot in itertools.product(range(FIGURES), range(2)):
                at = (start + k / FIGURES) % 1.0 + 0.5
                edges = falls[name][order[foot]]
                if all(abs(at - edge) > 0.04 for span in edges for edge in span):
                    if seen[k][foot] != any(a < at < b for a, b in edges):
                        return False
            return True
        starts = [i / 64 for i in range(64)]  # the diagram begins when a foot comes down, the mix where it does
        assert any(agrees(start, 'RL') for start in starts), (name, seen, falls[name])


@promise
def a_body_without_gaits_gets_nothing_written_and_an_error():
    with Folder() as folder:
        done = gait(GNOME, '--up', 'x', '--strip', folder / 'a.png', '-o', folder / 'a.glb', '--mixes', folder / 'mixes')
        assert done.returncode == 1 and done.stderr.count('error: ') == 1 and not list(folder.iterdir()), done.stderr


@promise
def without_opengl_the_other_strip_is_named():
    with Folder() as folder:
        off = {'__EGL_VENDOR_LIBRARY_FILENAMES': '/nonexistent'}
        done = gait(WALKER, '--strip', folder / 'a.png', more=off)
        if done.returncode == 0:
            skip('EGL here does not ask where its drivers are')
        assert done.returncode == 1 and '.svg' in done.stderr and done.stderr.count('\n') == 1, done.stderr
        assert not list(folder.iterdir())
        assert gait(WALKER, '--strip', folder / 'a.svg', more=off).returncode == 0


# --- pictures and films

@promise
def a_gait_is_drawn_as_it_is_at_a_time_and_ghosts_as_it_was_and_will_be():
    masks = [solid(draw(WALKER, *SMALL, '--transparent', '--gait', 'walk', '--time', time)) for time in ('0', '0.14', '0.28')]
    assert all(unlike(a, b) > 0.02 for a, b in itertools.combinations(masks, 2))
    both = draw(HORSE, *SMALL, '--transparent', '--gait', 'amble', '--ghosts')
    sides = {'blue': [], 'orange': []}
    for y in range(both.height):
        for x in range(both.width):
            r, _, b, a = both.pixel(x, y)
            if a > 100 and abs(b - r) > 60:
                sides['blue' if b > r else 'orange'].append(x)
    mean = {side: sum(xs) / len(xs) for side, xs in sides.items()}
    assert mean['blue'] > mean['orange'] + 5, mean  # it will be farther to the right


@every
def a_mix_on_top_of_a_gait_looks_as_it_is_written():
    brief()
    words, how = ['--gait', 'walk', '--mix', '6:25', '--tempo', '1.5'], [*SMALL, '--transparent', '--view', 'side', '--time', '0.2']
    with Folder() as folder:
        model = shutil.copy(GNOME, folder)
        (folder / 'gnome.rig.lua').write_text(walkers.FAST['gnome'].replace('}}}', '}, head = {type = "spherical"}}}'))  # it nods, in mode 6
        subprocess.run([PROGRAM, 'animate', model, *words, '--name', 'Both', '-o', folder / 'both.glb', '-q'], env=references.ENVIRONMENT, check=True)
        written = solid(draw(folder / 'both.glb', '--clip', 'Both', *how))
        both, alone = (solid(draw(model, *some, *how)) for some in (words, words[:2] + words[4:]))
    assert unlike(both, written) < 0.02 < unlike(both, alone), (unlike(both, written), unlike(both, alone))  # 0.004 and 0.043; cameras fit to frames of their own


@promise
def words_about_gaits_are_judged():
    with Folder() as folder:
        out = folder / 'a.png'
        fails(2, WALKER, '--gait', 'walk', '--mode', '7', '-o', out, says='--mode')
        fails(2, WALKER, '--gait', 'walk', '--preset', 'idle', '-o', out, says='--preset')
        fails(2, WALKER, '--gait', 'walk', '--phase', '7', '-o', out, says='--phase')
        fails(2, WALKER, '--gait', 'walk', '--time', '1', '-o', folder / 'a.apng', says='--time')
        fails(1, WALKER, '--gait', 'moonwalk', '-o', out, says='walk')
        fails(1, MODELS / 'chain_20.json', '--gait', 'walk', '-o', out, says='"joint_01"')
        assert not list(folder.iterdir())


run()
