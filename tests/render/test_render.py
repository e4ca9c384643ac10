"""`eigenrig render` judged by its pictures, which a reader of PNG of our own reads: what they show, that they move as
they should, and that nothing needs a display."""
import functools
import json
import os
import pathlib
import re
import subprocess
import tempfile

import png_reader
import references
from references import PROGRAM
from tap import SOURCE, promise, run, skip

MODELS = SOURCE / 'models'
RIGS = pathlib.Path(os.environ.get('EIGENRIG_RIGS', SOURCE.parent / 'shared' / 'rigs'))
SLOW = 4 if os.environ.get('EIGENRIG_SANITIZED') == '1' else 1
HORSE, CHAIN = MODELS / 'horse.glb', MODELS / 'chain_20.json'
SMALL = ['--size', '160x120']


class Folder(tempfile.TemporaryDirectory):
    def __enter__(self):
        return pathlib.Path(super().__enter__())


def start(*words, more={}, **how):
    return subprocess.run([PROGRAM, 'render', *map(str, words)], env=references.ENVIRONMENT | more, capture_output=True,
                          timeout=60 * SLOW, **how)


@functools.cache
def need_opengl():
    done = start(CHAIN, '--size', '16x16', '-o', '-')
    if done.returncode == 1 and b'no picture can be drawn here' in done.stderr:
        skip(done.stderr.decode().strip())


def works(*words, **how):
    need_opengl()
    done = start(*words, **how)
    assert done.returncode == 0, (words, done.returncode, done.stderr[-2000:])
    return done.stdout


def fails(status, *words, says='', **how):
    done = start(*words, **how)
    text = done.stderr.decode()
    assert done.returncode == status, (words, done.returncode, text[-2000:])
    assert re.fullmatch(r'eigenrig: error: \S.*\n', text.splitlines(keepends=True)[-1]), text
    assert says in text, (says, text)


@functools.cache
def draw(*words):
    """A picture, from standard output."""
    return png_reader.read(works(*words, '-o', '-'))


def solid(picture, opaque=128):
    """Which pixels are covered."""
    return [[row[4 * x + 3] >= opaque for x in range(picture.width)] for row in picture.rows]


def share(mask):
    return sum(map(sum, mask)) / (len(mask) * len(mask[0]))


def unlike(a, b):
    """Share of the pixels of either mask that are not in both."""
    pairs = [(x, y) for s, t in zip(a, b) for x, y in zip(s, t)]
    return sum(x != y for x, y in pairs) / max(1, sum(x or y for x, y in pairs))


def blocks(picture, side=8):
    """Mean colours of blocks, over white."""
    means = []
    for top in range(0, picture.height, side):
        for left in range(0, picture.width, side):
            sums, count = [0.0] * 3, 0
            for row in picture.rows[top:top + side]:
                for at in range(4 * left, 4 * min(left + side, picture.width), 4):
                    for k in range(3):
                        sums[k] += 255 - (255 - row[at + k]) * row[at + 3] / 255
                    count += 1
            means.append([s / count for s in sums])
    return means


# --- what there is to see

@promise
def every_model_shows_and_fits():
    for model in sorted([*MODELS.glob('*.glb'), *MODELS.glob('*.json')]):
        covered = solid(draw(model, *SMALL, '--transparent'))
        assert 0.001 < share(covered) < 0.8, (model.name, share(covered))
        edges = covered[0] + covered[-1] + [row[0] for row in covered] + [row[-1] for row in covered]
        assert not any(edges), f'{model.name} is cut off'


@promise
def real_rigs_show_and_fit_in_every_mode():
    rigs = sorted(path for path in RIGS.glob('*') if path.suffix in ('.glb', '.gltf', '.fbx', '.dae', '.bvh'))
    if not rigs:
        skip(f'there are no rigs in {RIGS}; EIGENRIG_RIGS names their folder')
    for rig in rigs:
        rest, moved = [solid(draw(rig, *SMALL, '--transparent', '--view', 'three-quarter', *words), 32)
                       for words in ([], ['--mode', '6', '--phase', '60'])]
        for covered in (rest, moved):
            assert 0.005 < share(covered) < 0.95, (rig.name, share(covered))
        assert unlike(rest, moved) > 0.01, f'{rig.name} does not move'


@promise
def pictures_have_the_size_that_was_asked_for():
    for size in ('16x16', '333x77', '640x480'):
        picture = draw(CHAIN, '--size', size)
        assert f'{picture.width}x{picture.height}' == size
    assert (draw(CHAIN).width, draw(CHAIN).height) == (960, 720)


@promise
def the_same_words_give_the_same_bytes():
    words = [HORSE, *SMALL, '--mode', '8', '--ghosts', '-o', '-']
    assert works(*words) == works(*words)


@promise
def no_display_is_needed():
    assert 'DISPLAY' not in references.ENVIRONMENT
    draw(HORSE, *SMALL)


@promise
def pictures_are_as_they_were():
    # Drivers differ along edges, by a share of a block; a limb elsewhere or another light makes whole blocks differ.
    for name in references.PICTURES:
        with Folder() as folder:
            need_opengl()
            done = references.draw(name, folder / 'now.png')
            assert done.returncode == 0, done.stderr
            now, then = [blocks(png_reader.read(path)) for path in (folder / 'now.png', references.FOLDER / f'{name}.png')]
        assert len(now) == len(then), name
        apart = sorted(max(abs(a - b) for a, b in zip(x, y)) for x, y in zip(now, then))
        assert sum(apart) / len(apart) < 4, f'{name}: blocks differ by {sum(apart) / len(apart):.1f} of 255 on average'
        assert apart[-len(apart) // 50] < 40, f'{name}: a fiftieth of the blocks differ by {apart[-len(apart) // 50]:.0f}'


# --- looks

@promise
def transparent_pictures_have_no_ground_and_others_no_holes():
    clear, full = draw(HORSE, *SMALL, '--transparent'), draw(HORSE, *SMALL)
    assert clear.pixel(0, 0)[3] == 0 and share(solid(clear, 1)) < 0.7
    assert share(solid(full, 255)) == 1


@promise
def looks_differ():
    seen = [draw(HORSE, *SMALL, *words).rows for words in
            ([], ['--theme', 'dark'], ['--show', 'joints'], ['--show', 'both'], ['--surface', 'wireframe'],
             ['--surface', 'points'], ['--view', 'front'], ['--view', 'side'], ['--view', 'top'], ['--view', '200,-10'])]
    assert len({b''.join(rows) for rows in seen}) == len(seen)


@promise
def views_are_where_they_say():
    def extent(view):
        covered = solid(draw(HORSE, '--size', '200x200', '--transparent', '--show', 'joints', '--view', view))
        wide = [x for x in range(200) if any(row[x] for row in covered)]
        high = [y for y in range(200) if any(covered[y])]
        return (wide[-1] - wide[0]) / (high[-1] - high[0])
    assert extent('front') < 0.6 < extent('side')  # it is long, and looks along z
    assert extent('top') < 0.6
    assert draw(HORSE, *SMALL, '--view', 'side').rows != draw(HORSE, *SMALL, '--view', '-90,6').rows


# --- modes and mixes

def silhouette(*words):
    return solid(draw(HORSE, *SMALL, '--transparent', '--view', 'front', '--mode', '7', *words))


@promise
def a_mode_moves_with_its_phase():
    rest, end, other = [silhouette('--phase', phase) for phase in ('0', '90', '270')]
    assert unlike(rest, end) > 0.2 and unlike(rest, other) > 0.2 and unlike(end, other) > 0.2
    assert unlike(end, silhouette('--phase', '450')) == 0
    assert unlike(rest, silhouette('--phase', '180')) < 0.01
    assert end == silhouette()  # the end of its swing is what a mode is known by


@promise
def a_sideways_mode_of_a_symmetric_horse_is_its_own_mirror_half_a_cycle_later():
    end, other = silhouette('--phase', '90'), silhouette('--phase', '270')
    assert unlike(end, [row[::-1] for row in other]) < 0.1


@promise
def ghosts_are_the_ends_of_the_swing():
    both = draw(HORSE, *SMALL, '--transparent', '--view', 'front', '--mode', '7', '--ghosts')
    rest, end, other = [silhouette('--phase', phase) for phase in ('0', '90', '270')]
    blue = orange = 0
    for y in range(both.height):
        for x in range(both.width):
            r, _, b, a = both.pixel(x, y)
            if a < 64 or rest[y][x] or end[y][x] == other[y][x]:
                continue
            blue += end[y][x] and b > r
            orange += other[y][x] and r > b
            assert (b > r) == end[y][x] or a < 160, (x, y, both.pixel(x, y))
    assert blue > 100 and orange > 100, (blue, orange)


@promise
def more_amplitude_moves_further():
    rest = silhouette('--phase', '0')
    assert unlike(rest, silhouette('--amplitude', '30')) > unlike(rest, silhouette('--amplitude', '10')) > 0.02


@promise
def frames_of_a_film_are_pictures_at_their_times():
    words = [HORSE, *SMALL, '--mix', '9:14@2,13:14@2+180']
    with Folder() as folder:
        works(*words, '--fps', '8', '-o', folder / '%d.png')
        frames = [png_reader.read(folder / f'{k}.png') for k in range(len(list(folder.iterdir())))]
    assert len(frames) == 4  # a cycle of half a second
    for k, frame in enumerate(frames):
        apart = [abs(a - b) for s, t in zip(frame.rows, draw(*words, '--time', k / 8).rows) for a, b in zip(s, t)]
        assert max(apart) <= 2, k


def masks_of_film(*words):
    with Folder() as folder:
        works(*words, '--transparent', '-o', folder / '%04d.png')
        return [solid(png_reader.read(path)) for path in sorted(folder.iterdir())]


@promise
def films_loop_without_a_jump():
    for words in (['--mode', '7', '--duration', '1', '--fps', '12'], ['--mix', '9:14,13:14+90', '--duration', '2', '--fps', '12']):
        masks = masks_of_film(HORSE, '--size', '96x72', *words)
        assert len(masks) == 12 * int(words[3])
        steps = [unlike(a, b) for a, b in zip(masks, masks[1:])]
        assert unlike(masks[-1], masks[0]) <= 1.2 * max(steps) and max(steps) > 0.02, (steps, unlike(masks[-1], masks[0]))


@promise
def a_mode_lasts_two_seconds_or_more_in_whole_cycles():
    with Folder() as folder:
        hertz = {int(line.split()[0]): float(line.split()[1]) for line in subprocess.run(
            [PROGRAM, 'modes', HORSE, '-q'], env=references.ENVIRONMENT, capture_output=True, text=True,
            check=True).stdout.splitlines()[1:]}
        for mode in (6, 20):
            said = works(HORSE, '--size', '16x16', '--mode', mode, '--fps', '20', '-o', folder / 'a.apng').decode()
            frames, seconds = [float(x) for x in re.search(r'(\d+) frames, (\S+) s', said).groups()]
            assert len(png_reader.read_animation(folder / 'a.apng')[0]) == frames == round(20 * seconds)
            assert 2 <= seconds < 2 + 1 / hertz[mode] + 0.05
            assert abs(seconds * hertz[mode] - round(seconds * hertz[mode])) < hertz[mode] / 20


@promise
def fast_modes_play_slower_and_say_so():
    with Folder() as folder:
        done = start(HORSE, '--size', '16x16', '--mode', '100', '--fps', '24', '--duration', '1', '-o', folder / 'a.apng')
        need_opengl()
        assert done.returncode == 0 and b'too fast for 24 frames a second' in done.stderr, done.stderr


# --- sheets

@promise
def a_sheet_has_a_cell_a_mode_and_cells_of_its_size():
    with Folder() as folder:
        for words, says in ((['--count', '6'], '6 modes'), ([], '20 modes'), (['--count', '1'], '1 mode')):
            said = works(HORSE, '--sheet', *words, '-o', folder / 'a.png').decode()
            assert says in said, said
            width, height = [int(x) for x in re.search(r'(\d+) x (\d+)', said).groups()]
            cells = int(says.split()[0])
            assert width * height >= cells * 360 * 300 and 0.9 < width / height < 2.6, said


@promise
def a_rig_with_few_modes_has_a_sheet_of_them():
    with Folder() as folder:
        assert '1 mode\n' in works(MODELS / 'four_bar.json', '--sheet', '-o', folder / 'a.png').decode()


@promise
def a_sheet_shows_both_colours_of_ghosts_and_is_no_blank_page():
    sheet = draw(HORSE, '--sheet', '--count', '4', '--size', '480x400')
    counts = {'blue': 0, 'orange': 0, 'dark': 0}
    for row in sheet.rows:
        for x in range(0, len(row), 4):
            r, g, b = row[x:x + 3]
            counts['blue'] += b > r + 25
            counts['orange'] += r > b + 45
            counts['dark'] += r + g + b < 240
    assert min(counts.values()) > 100, counts


@promise
def every_cell_of_a_moving_sheet_plays():
    with Folder() as folder:
        works(HORSE, '--sheet', '--count', '2', '--size', '640x300', '--fps', '5', '--duration', '1', '-o', folder / 'a.apng')
        frames, delays, _ = png_reader.read_animation(folder / 'a.apng')
    assert len(frames) == 5 and all(abs(d - 1 / 5) < 1e-6 for d in delays)
    changed = [[any(a.pixel(x, y) != b.pixel(x, y) for y in range(100, 200, 3)) for x in range(0, 640, 4)]
               for a, b in zip(frames, frames[1:])]
    assert all(any(row[:80]) and any(row[80:]) for row in changed)


@promise
def names_of_any_length_and_script_are_clipped():
    rig = json.loads(CHAIN.read_text())
    rig['name'] = 'Ein sehr langer Name ' * 20
    for joint, name in zip(rig['joints'], ('Gelenk mit \u00e4\u00f6\u00fc ' * 12, '\u8857' * 200, 'a\tb', '')):
        joint['name'] = name
    with Folder() as folder:
        (folder / 'names.json').write_text(json.dumps(rig))
        works(folder / 'names.json', '--sheet', '--count', '2', '--size', '420x320', '-o', folder / 'a.png')
        png_reader.read(folder / 'a.png')


# --- what cannot be

@promise
def wrong_words_are_errors_of_usage():
    with Folder() as folder:
        out = folder / 'out.png'
        wrong = [([], 'no output'), (['-o', folder / 'a.jpg'], 'must end in'), (['-o', folder / 'a'], 'a folder that is there'),
                 (['-o', folder / 'a.avi'], '.webm'),
                 (['-o', out, '--mode', '7', '--sheet'], 'one of them'), (['-o', out, '--mode', '7', '--mix', '7:3'], 'one of them'),
                 (['-o', out, '--mix', '7:3', '--mix', '8:3'], 'one --mix'), (['-o', out, '--mix', '7'], '"7"'),
                 (['-o', out, '--phase', '3'], '--mode'), (['-o', out, '--time', '3'], '--mix'),
                 (['-o', out, '--mode', '7', '--time', '3'], '--mix'), (['-o', out, '--count', '3'], '--sheet'),
                 (['-o', out, '--sheet', '--count', '401'], '400'),
                 (['-o', out, '--ghosts'], '--mode'), (['-o', out, '--fps', '3'], 'films'), (['-o', out, '--duration', '3'], 'films'),
                 (['-o', folder / 'a.apng', '--mode', '7', '--fps', '2000'], '1000'),
                 (['-o', folder / 'a.apng', '--mode', '7', '--duration', '2000'], '1000'),
                 (['-o', folder / 'a.mp4', '--mode', '7', '--transparent'], 'transparency')]
        values = {'--size': ['', '160', '160x', 'x120', '15x120', '160x8193', '160x120x3', '1e2xnan'],
                  '--view': ['', 'back', '3', '3,', ',3', '3,91', 'nan,0', '1,2,3'], '--show': ['', 'bones'],
                  '--surface': ['', 'glass'], '--theme': ['', 'grey'], '--mode': ['', '-1', '1.5', 'x'],
                  '--phase': ['', 'x', 'nan'], '--time': ['', 'inf'], '--amplitude': ['', '0', '181']}
        wrong += [(['-o', out, f'{option}={value}'], option) for option in values for value in values[option]]
        for words, says in wrong:
            fails(2, HORSE, *words, says=says)
        assert not list(folder.iterdir())


@promise
def the_model_is_not_drawn_over():
    fails(2, HORSE, '--mode', '7', '-o', MODELS / '..' / 'models' / 'horse.glb', says='must end in')


@promise
def what_is_not_there_is_told():
    with Folder() as folder:
        need_opengl()
        fails(1, folder / 'missing.glb', '-o', folder / 'a.png', says='missing.glb')
        fails(1, HORSE, '--mode', '9999', '-o', folder / 'a.png', says='there is no mode 9999')
        fails(1, HORSE, '--mix', '9999:3', '-o', folder / 'a.png', says='9999')
        fails(1, HORSE, *SMALL, '-o', folder / 'missing' / 'a.png', says='create its folder')
        rig = json.loads((MODELS / 'chain_20.json').read_text())
        for joint in rig['joints']:
            joint['stiffness'] = [0] * len(joint['stiffness'])
        (folder / 'loose.json').write_text(json.dumps(rig))
        fails(1, folder / 'loose.json', '--sheet', '-o', folder / 'a.png', says='no elastic mode')
        fails(1, HORSE, '--sheet', '--count', '40', '--size', '300x200', '-o', folder / 'a.png', says='no room')
        assert [path.name for path in folder.iterdir()] == ['loose.json']


@promise
def without_opengl_the_way_out_is_named():
    with Folder() as folder:
        done = start(HORSE, '-o', folder / 'a.png', more={'__EGL_VENDOR_LIBRARY_FILENAMES': '/nonexistent'})
        if done.returncode == 0:
            skip('EGL here does not ask where its drivers are')
        assert done.returncode == 1 and b'libegl1' in done.stderr and not list(folder.iterdir()), done.stderr


@promise
def a_closed_pipe_is_an_error_and_no_crash():
    need_opengl()
    ends = os.pipe()
    os.close(ends[0])
    try:
        done = subprocess.run([PROGRAM, 'render', HORSE, *SMALL, '-o', '-'], stdout=ends[1], stderr=subprocess.PIPE,
                              env=references.ENVIRONMENT, timeout=60 * SLOW)
    finally:
        os.close(ends[1])
    assert done.returncode in (1, -13), done


run()
