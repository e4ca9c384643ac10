"""Pictures and films, read back by a reader of PNG of our own and by ffmpeg; what is left when they cannot be written."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

import png_reader
from tap import BUILD, EVERY, promise, run, skip

SAMPLES = BUILD / 'tests' / 'viewer' / 'render' / 'film_samples'
WIDTH, HEIGHT, COUNT = 61, 33, 6
GROUND, SQUARE = (40, 90, 160, 255), (230, 120, 40, 255)


class Folder:
    def __enter__(self):
        self.kept = tempfile.TemporaryDirectory()
        return pathlib.Path(self.kept.name)

    def __exit__(self, *_):
        self.kept.cleanup()


def make(path, *, width=WIDTH, height=HEIGHT, fps=25, count=COUNT, kind='opaque', more=(), **how):
    return subprocess.run([SAMPLES, path, str(width), str(height), str(fps), str(count), kind, *more],
                          capture_output=True, text=True, **how)


def works(path, **how):
    done = make(path, **how)
    assert done.returncode == 0, done.stderr
    return path


def fails(path, result, *says, **how):
    done = make(path, **how)
    assert done.returncode == 1 and done.stderr.startswith(result), done.stderr
    for word in says:
        assert word in done.stderr, (word, done.stderr)


def left(frame):
    return 4 * (1 if frame == 2 else frame)


def expected(x, y, frame, clear=False):
    inside = left(frame) <= x < left(frame) + 8 and HEIGHT // 2 - 4 <= y < HEIGHT // 2 + 4
    if clear:
        return SQUARE[:3] + (200,) if inside else GROUND[:3] + (0,)
    return SQUARE if inside else GROUND


def judge(picture, frame, clear=False):
    assert (picture.width, picture.height) == (WIDTH, HEIGHT)
    for y in range(HEIGHT):
        for x in range(WIDTH):
            assert picture.pixel(x, y) == expected(x, y, frame, clear), (frame, x, y, picture.pixel(x, y))


def need(program):
    if shutil.which(program) is None:
        skip(f'there is no {program}')


def probe(path):
    need('ffprobe')
    done = subprocess.run(['ffprobe', '-v', 'error', '-count_frames', '-show_streams', '-show_format', '-of', 'json', path],
                          capture_output=True, text=True, check=True)
    return json.loads(done.stdout)['streams'][0]


def decode(path, width=WIDTH, height=HEIGHT):
    """Frames as ffmpeg has them: functions from x and y to RGBA."""
    need('ffmpeg')
    data = subprocess.run(['ffmpeg', '-v', 'error', '-i', path, '-vsync', 'passthrough', '-f', 'rawvideo', '-pix_fmt',
                           'rgba', '-'], capture_output=True, check=True).stdout
    size = 4 * width * height
    assert len(data) % size == 0
    def frame(k):
        return lambda x, y: tuple(data[k * size + 4 * (y * width + x):][:4])
    return [frame(k) for k in range(len(data) // size)]


@promise
def an_animated_png_holds_every_frame_to_the_pixel():
    with Folder() as folder:
        for kind in ('opaque', 'clear'):
            frames, delays, plays = png_reader.read_animation(works(folder / 'a.apng', kind=kind))
            assert len(frames) == COUNT and plays == 0
            assert all(abs(delay - 1 / 25) < 1e-9 for delay in delays), delays
            for k, frame in enumerate(frames):
                judge(frame, k, kind == 'clear')
        assert [path.name for path in folder.iterdir()] == ['a.apng']


@promise
def its_first_frame_is_a_png_that_any_reader_shows():
    with Folder() as folder:
        judge(png_reader.read(works(folder / 'a.apng')), 0)


@promise
def frames_that_change_little_take_little():
    with Folder() as folder:
        few, many = [works(folder / 'a.apng', width=640, height=480, count=n).stat().st_size for n in (1, 41)]
        assert many - few < 40 * 300, (few, many)


@promise
def odd_rates_are_near_fractions():
    with Folder() as folder:
        for fps in (29.97, 23.976, 60, 0.5, 999.5, 12.3456789):
            _, delays, _ = png_reader.read_animation(works(folder / 'a.apng', fps=fps, count=2))
            assert abs(delays[0] * fps - 1) < 1e-5, (fps, delays)


@promise
def ffmpeg_reads_an_animated_png_alike():
    with Folder() as folder:
        frames = decode(works(folder / 'a.apng'))
        assert len(frames) == COUNT
        for k, frame in enumerate(frames):
            for x in range(0, WIDTH, 3):
                assert frame(x, HEIGHT // 2) == expected(x, HEIGHT // 2, k)


@promise
def films_have_their_size_rate_and_frames():
    need('ffmpeg')
    with Folder() as folder:
        for end, codec, width, height in (('mp4', 'h264', 62, 34), ('webm', 'vp9', 61, 33), ('gif', 'gif', 61, 33)):
            stream = probe(works(folder / f'a.{end}'))
            assert stream['codec_name'] == codec
            assert (stream['width'], stream['height']) == (width, height), (end, stream['width'], stream['height'])
            assert int(stream['nb_read_frames']) == COUNT, (end, stream['nb_read_frames'])
            assert stream['avg_frame_rate'] == '25/1', (end, stream['avg_frame_rate'])
            if end == 'mp4':
                assert stream['pix_fmt'] == 'yuv420p' and stream['color_space'] == 'bt709'
        assert sorted(path.name for path in folder.iterdir()) == ['a.gif', 'a.mp4', 'a.webm']


@promise
def films_show_what_was_drawn():
    with Folder() as folder:
        need('ffmpeg')
        for end, width, height, tolerance in (('mp4', 62, 34, 30), ('webm', 61, 33, 30), ('gif', 61, 33, 2)):
            for k, frame in enumerate(decode(works(folder / f'a.{end}'), width, height)):
                for x, y in ((left(k) + 4, HEIGHT // 2), (WIDTH - 4, 3), (2, HEIGHT - 3)):
                    worst = max(abs(a - b) for a, b in zip(frame(x, y), expected(x, y, k)))
                    assert worst <= tolerance, (end, k, x, y, frame(x, y))


@promise
def an_mp4_begins_with_its_index():
    need('ffmpeg')
    with Folder() as folder:
        data = works(folder / 'a.mp4').read_bytes()
        assert 0 < data.index(b'moov') < data.index(b'mdat'), 'players of streams need the index first'


@promise
def transparency_goes_where_a_format_has_it():
    with Folder() as folder:
        fails(folder / 'a.mp4', 'ER_ERROR_ARGUMENT', 'transparency', '.webm', kind='clear')
        need('ffmpeg')
        stream = probe(works(folder / 'a.webm', kind='clear'))
        assert stream.get('tags', {}).get('alpha_mode', stream.get('tags', {}).get('ALPHA_MODE')) == '1', stream
        frame = decode(works(folder / 'a.gif', kind='clear'))[0]
        assert frame(WIDTH - 4, 3)[3] == 0 and frame(4, HEIGHT // 2)[3] == 255


@promise
def numbered_pictures_are_one_a_frame():
    with Folder() as folder:
        for pattern, names in (('p%d.png', ['p0.png', 'p5.png']), ('q%04d.png', ['q0000.png', 'q0005.png']),
                               ('', ['frame_0000.png', 'frame_0005.png'])):
            (folder / 'in').mkdir()
            works(folder / 'in' / pattern)
            found = sorted(path.name for path in (folder / 'in').iterdir())
            assert len(found) == COUNT and [found[0], found[-1]] == names, found
            for k, name in enumerate(found):
                judge(png_reader.read(folder / 'in' / name), k)
            shutil.rmtree(folder / 'in')


@promise
def opaque_pictures_have_no_alpha():
    with Folder() as folder:
        for kind, depth in (('opaque', 3), ('clear', 4)):
            works(folder / '%d.png', kind=kind)
            assert png_reader.header((folder / '0.png').read_bytes())[2] == depth


@promise
def other_names_are_no_films():
    with Folder() as folder:
        for name in ('a.png', 'a.avi', 'a%s.png', 'a%5d.png', 'mp4', '.mp4', '%d.jpg'):
            fails(folder / name if name != '.mp4' else '.mp4', 'ER_ERROR_ARGUMENT', 'is no film', '.webm', cwd=folder)
        assert not list(folder.iterdir())


@promise
def without_ffmpeg_the_way_out_is_named():
    with Folder() as folder:
        for end in ('mp4', 'webm', 'gif'):
            fails(folder / f'a.{end}', 'ER_ERROR_SYSTEM', 'ffmpeg', '.apng', env=os.environ | {'PATH': str(folder)})
        works(folder / 'a.apng', env=os.environ | {'PATH': str(folder)})
        assert [path.name for path in folder.iterdir()] == ['a.apng']


@promise
def what_ffmpeg_says_is_told_and_nothing_is_left():
    with Folder() as folder:
        program = folder / 'bin' / 'ffmpeg'
        program.parent.mkdir()
        for script in ('echo the disk is on fire >&2; echo so it ends >&2; exit 1',
                       'cat > /dev/null; echo the disk is on fire >&2'):
            program.write_text(f'#!/bin/sh\n{script}\n')
            program.chmod(0o755)
            (folder / 'a.mp4').write_text('old')
            fails(folder / 'a.mp4', 'ER_ERROR_FILE', 'the disk is on fire', count=400,
                  env=os.environ | {'PATH': f'{program.parent}:{os.environ["PATH"]}'})
            assert (folder / 'a.mp4').read_text() == 'old'
            assert sorted(path.name for path in folder.iterdir()) == ['a.mp4', 'bin']


@promise
def a_film_that_is_given_up_leaves_nothing():
    with Folder() as folder:
        for name in ('a.apng', 'p%d.png') + (('a.mp4', 'a.gif') if shutil.which('ffmpeg') else ()):
            works(folder / name, more=['give_up'])
            assert not list(folder.iterdir()), name


@promise
def a_name_that_is_too_long_is_told():
    with Folder() as folder:
        for name in ('x' * 5000 + '_%04d.png', f'{"y/" * 3000}frame_%d.png', 'z' * 5000 + '.apng'):
            fails(folder / name, 'ER_ERROR_FILE')
        assert not list(folder.iterdir())


@promise
def a_missing_folder_is_told():
    with Folder() as folder:
        for name in ('a.apng', 'p%d.png') + (('a.mp4',) if shutil.which('ffmpeg') else ()):
            fails(folder / 'missing' / name, 'ER_ERROR_FILE', 'create its folder')


def fill(path):
    """With all that there is room for."""
    with open(path, 'wb', buffering=0) as file:
        try:
            while file.write(bytes(512)):
                pass
        except OSError:
            pass


@promise
def a_full_disk_keeps_the_old_film_and_nothing_else():
    with Folder() as folder:
        disk = folder / 'disk'
        disk.mkdir()
        if subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=32k', 'eigenrig', disk], capture_output=True).returncode:
            skip('mounting a small disk takes rights that are not here')
        try:
            for name in ('a.apng', 'p%d.png') + (('a.webm', 'a.gif', *EVERY * ['a.mp4']) if shutil.which('ffmpeg') else ()):
                if '%' not in name:
                    (disk / name).write_text('old')
                fill(disk / 'filler')
                fails(disk / name, 'ER_ERROR_FILE', width=1920, height=1080, count=40)
                found = sorted(path.name for path in disk.iterdir())
                assert found == sorted({'filler'} | ({name} if '%' not in name else set())), (name, found)
                for path in disk.iterdir():
                    path.unlink()
        finally:
            subprocess.run(['umount', disk])


run()
