"""Films, read back by ffmpeg; and what is left when they cannot be written."""
import json
import shutil
import subprocess

from pictures import Folder
from tap import BUILD, EVERY, promise, run, skip

SAMPLES = BUILD / 'tests' / 'viewer' / 'render' / 'film_samples'
WIDTH, HEIGHT, COUNT = 61, 33, 6
GROUND, SQUARE = (40, 90, 160, 255), (230, 120, 40, 255)


def make(path, *, width=WIDTH, height=HEIGHT, fps=25, count=COUNT, kind='opaque', more=(), **how):
    return subprocess.run([SAMPLES, path, str(width), str(height), str(fps), str(count), kind, *more],
                          capture_output=True, text=True, **how)


def works(path, **how):
    done = make(path, **how)
    assert done.returncode == 0, done.stderr
    return path


def fails(path, result, **how):
    done = make(path, **how)
    assert done.returncode == 1 and done.stderr.startswith(result) and path.suffix in done.stderr, done.stderr


def left(frame):
    return 4 * (1 if frame == 2 else frame)


def expected(x, y, frame):
    inside = left(frame) <= x < left(frame) + 8 and HEIGHT // 2 - 4 <= y < HEIGHT // 2 + 4
    return SQUARE if inside else GROUND


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
def ffmpeg_reads_an_animated_png_alike():
    with Folder() as folder:
        frames = decode(works(folder / 'a.apng'))
        assert len(frames) == COUNT and [path.name for path in folder.iterdir()] == ['a.apng']
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
        fails(folder / 'a.mp4', 'ER_ERROR_ARGUMENT', kind='clear')
        need('ffmpeg')
        stream = probe(works(folder / 'a.webm', kind='clear'))
        assert stream.get('tags', {}).get('alpha_mode', stream.get('tags', {}).get('ALPHA_MODE')) == '1', stream
        frame = decode(works(folder / 'a.gif', kind='clear'))[0]
        assert frame(WIDTH - 4, 3)[3] == 0 and frame(4, HEIGHT // 2)[3] == 255


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
