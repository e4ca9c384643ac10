"""Plots as their readers see them: parsed by Python's XML, measured by the ticks they print."""
import functools
import itertools
import json
import math
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
def path_of(case, ending='svg'):
    path = pathlib.Path(FOLDER.name) / f'{case}.{ending}'
    done = subprocess.run([SAMPLES, case, path], capture_output=True, text=True)
    assert done.returncode == 0 and 'Sanitizer' not in done.stderr, done.stderr
    return path


@functools.cache
def drawing(case):
    return ET.parse(path_of(case)).getroot()


def panel(case, name):
    found = drawing(case).findall(f"{SVG}g[@id='{name}']")
    assert len(found) <= 1
    return found[0] if found else None


def words(element):
    return ''.join(element.itertext())


def size_of(case):
    _, _, width, height = map(float, drawing(case).get('viewBox').split())
    return width, height


def number(text):
    return float(text.replace('\u2212', '-'))


def ticks(group, axis):
    """(pixel, value) of the ticks of an axis."""
    return [(float(t.get(axis)) - (4 if axis == 'y' else 0), number(words(t))) for t in group.findall(f'{SVG}text')
            if t.get('class') == axis]


def scale(group, axis, of=lambda value: value):
    """Pixels of values, as the outermost two ticks of an axis have it."""
    marks = sorted(ticks(group, axis), key=lambda mark: mark[1])
    (a, low), (b, high) = marks[0], marks[-1]
    return lambda value: a + (of(value) - of(low)) / (of(high) - of(low)) * (b - a)


def points(polyline):
    return [tuple(map(float, pair.split(','))) for pair in polyline.get('points').split()]


def boxes(case):
    """(left, top, right, bottom, words) of every text, in DejaVu Sans, roughly: the widest of the usual fonts."""
    narrow, wide = "iIljtfr.,:;'|!()[] -", 'mwMW@%'
    for text in drawing(case).iter(f'{SVG}text'):
        size = float(text.get('font-size', 11))
        said = words(text)
        width = size * sum(0.4 if c in narrow else 0.99 if c in wide or ord(c) > 0x2fff else 0.64 for c in said)
        width *= 1.1 if 'bold' in ET.tostring(text, 'unicode') else 1.0
        x, y = float(text.get('x')), float(text.get('y'))
        left = {'end': x - width, 'middle': x - width / 2}.get(text.get('text-anchor'), x)
        yield left, y - 0.76 * size, left + width, y + 0.2 * size, said


@promise
def every_plot_is_sound_xml_without_a_strange_number():
    for case in CASES:
        assert drawing(case).tag == f'{SVG}svg'
        for element in drawing(case).iter():
            for name in ('x', 'y', 'cx', 'cy', 'r', 'd', 'points', 'viewBox'):
                assert re.fullmatch(r'[0-9MVHLvhm ,.-]*', element.get(name, '')), (case, element.get(name))


@promise
def a_white_sheet_lies_under_everything():
    for case in CASES:
        first = [child for child in drawing(case) if child.tag != f'{SVG}title'][0]
        assert first.tag == f'{SVG}rect' and first.attrib == {'width': '100%', 'height': '100%', 'fill': '#fff'}


@promise
def everything_lies_in_the_picture():
    for case in CASES:
        width, height = size_of(case)
        assert width == 960 and 100 < height < 2500
        for left, top, right, bottom, said in boxes(case):
            assert left >= 0 and top >= 0 and right <= width and bottom <= height, (case, said, left, right)
        for line in drawing(case).iter(f'{SVG}polyline'):
            assert all(0 <= x <= width and 0 <= y <= height for x, y in points(line)), case
        for path in drawing(case).iter(f'{SVG}path'):
            for x, y in re.findall(r'M([\d.-]+) ([\d.-]+)', path.get('d')):
                assert 0 <= float(x) <= width and 0 <= float(y) <= height, case


@promise
def no_text_lies_on_another():
    for case in CASES:
        for a, b in itertools.combinations(boxes(case), 2):
            apart = a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
            assert apart, (case, a, b)


@promise
def files_stay_small():
    for case in CASES:
        assert path_of(case).stat().st_size < 1e6, case


@promise
def ticks_are_round_and_evenly_set():
    for case in CASES:
        for group in drawing(case).findall(f'{SVG}g'):
            for axis in 'xy':
                marks = ticks(group, axis)
                assert len(marks) >= 2, (case, group.get('id'), axis)
                for _, value in marks:
                    if case != 'epoch' or axis == 'y':
                        assert len(f'{value:.12e}'.split('e')[0].rstrip('0')) <= 9, (case, value)
                if 'logarithmic' in words(group) and axis == 'x':
                    continue
                at = scale(group, axis)
                for pixel, value in marks:
                    assert abs(at(value) - pixel) <= 0.11, (case, group.get('id'), axis, value)


@promise
def a_sine_stands_where_its_axes_say():
    group = panel('sine', 'angles')
    across, up = scale(group, 'x'), scale(group, 'y')
    line, = group.iter(f'{SVG}polyline')
    drawn = points(line)
    assert len(drawn) == 121  # frames are further apart than pixels
    for frame, (x, y) in enumerate(drawn):
        time = frame / 60
        assert abs(x - across(time)) <= 0.15 and abs(y - up(30 * math.sin(2 * math.pi * time))) <= 0.15, frame
    assert 'hinge tz' in words(group)
    zero, = [path for path in group.findall(f'{SVG}path') if path.get('class') == 'zero']
    assert abs(float(re.match(r'M\d+ ([\d.]+)', zero.get('d'))[1]) - up(0)) <= 0.11


@promise
def the_period_of_the_main_mode_is_marked():
    group = panel('sine', 'angles')
    across = scale(group, 'x')
    ruler, = [path for path in group.findall(f'{SVG}path') if path.get('class') == 'period']
    start, end = re.match(r'M([\d.]+) .*H([\d.]+)', ruler.get('d')).groups()
    assert abs(float(start) - across(0)) <= 0.15 and abs(float(end) - across(1)) <= 0.15
    assert '1 s, one period of mode 00' in words(group)


@promise
def a_period_is_marked_once_where_a_mode_swings_and_nowhere_else():
    for case in CASES:
        marked = [path for path in drawing(case).iter(f'{SVG}path') if path.get('class') == 'period']
        assert len(marked) == (case in ('sine', 'close', 'wide', 'huge', 'extreme')), (case, len(marked))  # others use none, or end before


@promise
def curves_and_zero_leave_a_little_air():
    for case in CASES:
        for group in filter(None, (panel(case, 'angles'), panel(case, 'lengths'))):
            frame = [re.fullmatch(r'M60 ([\d.]+)V([\d.]+)H740', path.get('d')) for path in group.findall(f'{SVG}path')]
            (top, bottom), = [map(float, found.groups()) for found in frame if found]
            at = [y for line in group.iter(f'{SVG}polyline') for _, y in points(line)]
            at += [float(re.match(r'M\d+ ([\d.]+)', path.get('d'))[1]) for path in group.findall(f'{SVG}path') if path.get('class') == 'zero']
            if len(set(at)) > 1:  # 4 % of what they span
                assert 0.02 < (bottom - max(at)) / (bottom - top) < 0.05, (case, bottom, max(at))


@promise
def thinned_curves_keep_their_ends_and_their_extremes():
    group = panel('huge', 'angles')
    across, up = scale(group, 'x'), scale(group, 'y')
    lines = list(group.iter(f'{SVG}polyline'))
    assert len(lines) == 12
    for g in group.findall(f'{SVG}g'):
        joint, axis = re.match(r'joint (\d+) (t[xyz])', words(g)).groups()
        column = 3 * int(joint) + 'xyz'.index(axis[1])
        curve = [math.degrees((f * 7919 + column * 104729) % 10007 * 1e-4 / (1 + column % 50)) for f in range(10000)]
        drawn = points(g.find(f'{SVG}polyline'))
        assert abs(drawn[0][1] - up(curve[0])) <= 0.2 and abs(drawn[-1][1] - up(curve[-1])) <= 0.2
        assert abs(drawn[0][0] - across(0)) <= 0.2 and abs(drawn[-1][0] - across(9999 / 60)) <= 0.2
        for least, mark in ((min, max), (max, min)):  # pixels grow downwards
            assert abs(mark(y for _, y in drawn) - up(least(curve))) <= 0.2
        assert all(a[0] <= b[0] for a, b in zip(drawn, drawn[1:]))


@promise
def joints_that_move_most_are_shown_by_what_moves_most():
    for case in ('crowd', 'plain'):
        motion = json.loads(path_of(case, 'json').read_text())
        free = {'spherical': ['tx', 'ty', 'tz'], 'planar': ['tz', 'x', 'y'], 'prismatic': ['z'], 'fixed': [],
                'cylindrical': ['tz', 'z'], 'universal': ['tx', 'ty'], 'free': ['tx', 'ty', 'tz', 'x', 'y', 'z']}
        columns = [(k, axis) for k, joint in enumerate(motion['joints']) for axis in free[joint['type']]]
        peak = [max(abs(q) for q in motion['q'][i::len(columns)]) for i in range(len(columns))]
        for name, kind in (('angles', lambda axis: axis[0] == 't'), ('lengths', lambda axis: axis[0] != 't')):
            best = {}
            for (k, axis), p in zip(columns, peak):
                if kind(axis) and p > best.get(k, (-1,))[0]:
                    best[k] = (p, axis)
            most = sorted(best, key=lambda k: -best[k][0])[:12]
            most = [k for k in most if best[k][0] > 0.002 * best[most[0]][0]]
            wanted = {f"{bytes.fromhex(motion['joints'][k]['name']).decode()} {best[k][1]}" for k in most}
            titles = {words(title).split(', up to')[0] for title in panel(case, name).iter(f'{SVG}title')}
            assert titles == wanted, (case, name, titles ^ wanted)
            left = len(best) - len(most)
            assert left == 0 or re.search(rf'\b{left}\b.*left out', words(panel(case, name))), (case, name)


@promise
def every_curve_is_named_beside_its_end():
    for case in CASES:
        for name in ('angles', 'lengths'):
            group = panel(case, name)
            if group is None:
                continue
            titles = [words(title).split(', up to')[0] for title in group.iter(f'{SVG}title')]
            labels = [words(t) for t in group.findall(f'{SVG}text')
                      if float(t.get('x')) > 740 and t.get('fill') is None]
            assert len(labels) == len(titles) <= 12
            for title, label in zip(titles, labels):
                head, _, rest = label.partition('\u2026')
                assert title.startswith(head) and title.endswith(rest), (title, label)


@promise
def every_mode_of_the_mix_is_named_at_its_place():
    mixes = {'sine': [(0, 1.0, 30.0)],
             'crowd': [(i, 0.01 + 39.99 * i / 185, 20 / (i + 1)) for i in range(0, 186, 9)],
             'close': [(i, 2 + 2e-5 * (6 if i == 5 else i) / 11, i + 1.0) for i in range(12)]}
    for case, modes in mixes.items():
        group = panel(case, 'spectrum')
        logarithmic = 'logarithmic' in words(group)
        across, up = scale(group, 'x', math.log if logarithmic else float), scale(group, 'y')
        flags = {words(t).split()[1]: t for t in group.findall(f'{SVG}text') if t.get('class') == 'flag'}
        stems = [tuple(map(float, re.match(r'M([\d.]+) [\d.]+V([\d.]+)', p.get('d')).groups()))
                 for p in group.findall(f'{SVG}path') if p.get('class') == 'used']
        assert len(flags) == len(stems) == len(modes)
        for index, hz, degrees in modes:
            found = re.fullmatch(r'mode \d+  (\S+) Hz  (\S+)°', words(flags[f'{index:02d}']))
            assert math.isclose(float(found[1]), hz, rel_tol=5e-4)
            assert math.isclose(float(found[2]), degrees, rel_tol=5e-3)
            x = float(flags[f'{index:02d}'].get('x')) - 5
            assert abs(x - across(hz)) <= 0.3, (case, index, x, across(hz))
            assert any(abs(a - x) <= 0.11 and abs(b - up(degrees)) <= 0.3 for a, b in stems), (case, index)


@promise
def close_frequencies_have_different_names():
    flags = [words(t).split()[2] for t in panel('close', 'spectrum').findall(f'{SVG}text') if t.get('class') == 'flag']
    assert len(flags) == 12 and len(set(flags)) == 11  # two of them are equal


@promise
def every_mode_has_a_stem():
    group = panel('crowd', 'spectrum')
    across = scale(group, 'x', math.log)
    grey, = [p for p in group.findall(f'{SVG}path') if p.get('class') == 'unused']
    places = [float(x) for x in re.findall(r'M([\d.]+)', grey.get('d'))]
    for i in range(186):
        if i % 9:
            assert min(abs(x - across(0.01 + 39.99 * i / 185)) for x in places) <= 0.5, i


@promise
def names_too_many_are_counted():
    text = words(panel('wide', 'spectrum'))
    assert '200 modes, 200 in the mix, the 48 largest named, 152 not' in text
    assert sum(t.get('class') == 'flag' for t in panel('wide', 'spectrum').findall(f'{SVG}text')) == 48


@promise
def names_come_through_as_text():
    text = words(drawing('names'))
    for name in ('say "hi" tz', 'a,b tz', 'Öl 骨 𝄞 tz', 'linebreak tz', 'bad \ufffd\ufffd end', "<a href='x'>&amp;</a>",
                 '[31mred ', 'twin (3) tz'):
        assert name in text, name


@promise
def a_plot_without_motion_says_so():
    assert 'no joint moves' in words(panel('still', 'angles'))
    assert panel('still', 'lengths') is None and panel('still', 'spectrum') is None
    assert panel('sine', 'lengths') is None
    assert panel('epoch', 'angles') is None and panel('epoch', 'lengths') is not None


@promise
def a_renderer_draws_it():
    if not shutil.which('rsvg-convert'):
        skip('there is no rsvg-convert')
    for case in CASES:
        picture = subprocess.run(['rsvg-convert', path_of(case)], capture_output=True)
        assert picture.returncode == 0 and picture.stdout[:8] == b'\x89PNG\r\n\x1a\n', picture.stderr


run()
