"""`eigenrig render` judged by what moves in its pictures: modes, mixes, films and sheets."""
import itertools
import json
import re
import shutil
import signal
import subprocess
import time

import png_reader
import references
from pictures import CHAIN, HORSE, MODELS, SLOW, SMALL, Folder, draw, fails, need_opengl, solid, start, unlike, works
from references import PROGRAM
from tap import EVERY, promise, run


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
def a_clip_and_a_mix_over_it_look_as_they_are_written():
    with Folder() as folder:
        below, over = folder / 'below.glb', folder / 'over.glb'
        for words in ((MODELS / 'hand.glb', '--mix', '7:40@2', '--name', 'Below', '-o', below),
                      (below, '--mix', '9:30', '--over', 'Below', '--name', 'Both', '-o', over)):
            subprocess.run([PROGRAM, 'animate', *map(str, words), '-q'], env=references.ENVIRONMENT, check=True)
        how = [*SMALL, '--transparent', '--view', 'side', '--time', '0.125']
        alone = solid(draw(below, '--clip', 'below', *how))
        both = solid(draw(below, '--mix', '9:30', '--over', 'Below', *how))
        assert unlike(both, solid(draw(over, '--clip', 'Both', *how))) < 0.01
        assert unlike(both, alone) > 0.05
        assert unlike(solid(draw(below, '--clip', 'Below', *how[:-1], '0')), alone) > 0.05
        fails(2, below, '--over', 'Below', '-o', folder / 'x.png', says='--over is of a mix')
        fails(1, below, '--clip', 'Belov', '-o', folder / 'x.png', says='did you mean')


@promise
def frames_of_a_film_are_pictures_at_their_times():
    words = [HORSE, *SMALL, '--mix', '9:14@2,13:14@2+180']
    with Folder() as folder:
        works(*words, '--fps', '8', '-o', folder / '%d.png')
        frames = [png_reader.read(folder / f'{k}.png') for k in range(len(list(folder.iterdir())))]
    assert len(frames) == 4  # a cycle of half a second
    for k in range(4) if EVERY else (0, 3):
        apart = [abs(a - b) for s, t in zip(frames[k].rows, draw(*words, '--time', k / 8).rows) for a, b in zip(s, t)]
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
def a_mix_whose_cycle_is_no_whole_number_of_frames_loops_too():
    with Folder() as folder:
        mix = {'format': 'eigenrig-mix', 'version': 1, 'cycle': 0.35, 'modes': [{'mode': 9, 'degrees': 20, 'harmonic': 1}]}
        (folder / 'mix.json').write_text(json.dumps(mix))
        masks = masks_of_film(HORSE, '--size', '96x72', '--fps', '10', '--mix', folder / 'mix.json')
    assert len(masks) == 7  # two cycles
    steps = [unlike(a, b) for a, b in zip(masks, masks[1:])]
    assert unlike(masks[-1], masks[0]) <= 1.2 * max(steps) and min(steps) > 0.01, (steps, unlike(masks[-1], masks[0]))


@promise
def a_mode_lasts_two_seconds_or_more_in_whole_cycles():
    with Folder() as folder:
        table = subprocess.run([PROGRAM, 'modes', CHAIN, '-q'], env=references.ENVIRONMENT, capture_output=True, text=True,
                               check=True).stdout.splitlines()[2:]  # below the line of the rigid modes
        hertz = {int(line.split()[0]): float(line.split()[1]) for line in table}
        for mode in (6, 20) if EVERY else (20,):
            said = works(CHAIN, '--size', '16x16', '--mode', mode, '--fps', '20', '-o', folder / 'a.apng').decode()
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
def a_film_that_is_interrupted_leaves_nothing_behind():
    need_opengl()
    words = [HORSE, '--size', '640x480', '--mode', '7', '--duration', '900', '-q']
    few = (('a.apng', signal.SIGINT), ('a.gif', signal.SIGTERM), ('%04d.png', signal.SIGTERM))
    for name, number in itertools.product(['a.apng', 'a.gif', '%04d.png'], [signal.SIGINT, signal.SIGTERM]) if EVERY else few:
        with Folder() as folder:
            if name == 'a.gif' and shutil.which('ffmpeg') is None:
                continue
            work = subprocess.Popen([PROGRAM, 'render', *map(str, words), '-o', folder / name], env=references.ENVIRONMENT,
                                    stderr=subprocess.PIPE)
            try:
                ready = time.monotonic() + 20 * SLOW
                while name != 'a.apng' and not list(folder.iterdir()) and time.monotonic() < ready:
                    time.sleep(0.05)
                time.sleep(0.3 * SLOW)
                work.send_signal(number)
                said = work.communicate(timeout=30 * SLOW)[1]
            finally:
                work.kill()
            assert work.returncode == -number and not said, (name, work.returncode, said)
            assert not list(folder.iterdir()), (name, number, list(folder.iterdir()))


@promise
def what_is_left_of_an_older_film_is_told():
    words = [CHAIN, '--size', '32x24', '--fps', '8']
    with Folder() as folder:
        for path in (folder, folder / '%d.png'):
            long, short, same = [start(*words, '--duration', seconds, '-o', path) for seconds in ('2', '1', '2')]
            assert not long.stderr and not same.stderr, (long.stderr, same.stderr)
            assert b'number 7' in short.stderr and short.returncode == 0, short.stderr
        assert len(list(folder.glob('frame_*.png'))) == len(list(folder.glob('[0-9]*.png'))) == 16


@promise
def a_sheet_has_a_cell_a_mode_and_cells_of_its_size():
    with Folder() as folder:
        for words, says in ((['--count', '6'], '6 modes'), (['--count', '1'], '1 mode'), *EVERY * [([], '20 modes')]):
            said = works(CHAIN, '--sheet', *words, '-o', folder / 'a.png').decode()
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


run()
