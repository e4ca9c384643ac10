"""`eigenrig render` judged by what moves in its pictures: modes, mixes, films and sheets."""
import itertools
import json
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
        fails(2, below, '--over', 'Below', '-o', folder / 'x.png', says='--over')
        fails(1, below, '--clip', 'Belov', '-o', folder / 'x.png', says='"Below"')


@promise
def hips_that_sit_are_drawn_as_they_are_written():
    need_opengl()
    with Folder() as folder:
        for words in ((MODELS / 'gnome.glb', '--preset', 'sit', '-o', 'sit.glb'),
                      ('sit.glb', '--mix', '6:12', '--over', 'sit', '--plant', 'feet', '-o', 'both.glb')):
            subprocess.run([PROGRAM, 'animate', *map(str, words), '--only-new', '-q'], cwd=folder, env=references.ENVIRONMENT, check=True)
        how = [*SMALL, '--transparent', '--view', 'side', '--time', '1.2']
        drawn = solid(draw(folder / 'sit.glb', '--mix', '6:12', '--over', 'sit', '--plant', 'feet', *how))
        assert unlike(drawn, solid(draw(folder / 'both.glb', '--clip', 'mix 6', *how))) < 0.01
        assert unlike(drawn, solid(draw(folder / 'sit.glb', '--clip', 'sit', *how))) > 0.03  # the chest moves


def extent(mask):
    """Left, right, top and bottom of what is drawn, as shares of the picture."""
    rows = [y for y, row in enumerate(mask) if any(row)]
    columns = [x for x in range(len(mask[0])) if any(row[x] for row in mask)]
    return columns[0] / len(mask[0]), (columns[-1] + 1) / len(mask[0]), rows[0] / len(mask), (rows[-1] + 1) / len(mask)


@promise
def a_clip_that_travels_stays_in_the_picture():
    need_opengl()
    with Folder() as folder:
        gone = folder / 'gone.glb'
        subprocess.run([PROGRAM, 'animate', str(MODELS / 'fox.glb'), '--sequence', 'idle 1s, trot 6s', '--fps', '20', '--only-new', '-q', '-o', gone],
                       env=references.ENVIRONMENT, check=True)
        for time_ in ('0', '3', '6.9') if EVERY else ('0', '6.9'):  # 12 m for a fox of 1 m
            left, right, top, bottom = extent(solid(draw(gone, '--clip', 'sequence', *SMALL, '--transparent', '--view', 'side', '--time', time_)))
            assert left > 0 and right < 1 and top > 0 and bottom < 1 and right - left > 0.4, (time_, left, right, top, bottom)


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


@promise
def fast_modes_play_slower_and_say_so():
    with Folder() as folder:
        done = start(HORSE, '--size', '16x16', '--mode', '100', '--fps', '24', '--duration', '1', '-o', folder / 'a.apng')
        need_opengl()
        assert done.returncode == 0 and b' 24 ' in done.stderr, done.stderr


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
            assert b' 7,' in short.stderr and short.returncode == 0, short.stderr
        assert len(list(folder.glob('frame_*.png'))) == len(list(folder.glob('[0-9]*.png'))) == 16


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
        page = png_reader.read(folder / 'a.png')
    assert (page.width, page.height) == (420, 320)
    assert len({row[4 * (page.width - 12):] for row in page.rows}) == 1  # nothing is written in the margin


run()
