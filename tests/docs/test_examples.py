"""The examples do what they say, and README's is the one that is tested."""
import json
import pathlib
import subprocess
import tempfile

from program import ENVIRONMENT, PROGRAM
from tap import BUILD, SOURCE, promise, run

HORSE = SOURCE / 'models' / 'horse.glb'


def example(name, *arguments, folder=None):
    return subprocess.run([BUILD / 'docs' / 'examples' / f'example_{name}', *arguments], env=ENVIRONMENT, cwd=folder,
                          capture_output=True, text=True)


@promise
def modes_prints_the_frequencies_of_the_palette():
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([PROGRAM, 'modes', HORSE, '-o', 'p.json'], cwd=folder, env=ENVIRONMENT, check=True, capture_output=True)
        with open(folder + '/p.json') as file:
            palette = json.load(file)
    done = example('modes', HORSE)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [f'{m["index"]}  {m["frequency_hz"]:.3f} Hz' for m in palette['modes']]


@promise
def modes_says_what_is_wrong():
    done = example('modes', 'nothing.glb')
    assert done.returncode == 1 and 'nothing.glb' in done.stderr and not done.stdout, done


@promise
def trot_adds_its_clip_to_the_file():
    with tempfile.TemporaryDirectory() as folder:
        done = example('trot', HORSE, '9:14@2,13:14@2+180', 'trot.glb', folder=folder)
        assert done.returncode == 0, done.stderr
        with open(folder + '/trot.glb', 'rb') as file:
            data = file.read()
    size = int.from_bytes(data[12:16], 'little')
    clips = [clip['name'] for clip in json.loads(data[20:20 + size])['animations']]
    assert clips[-1] == 'trot', clips


@promise
def pendulum_meets_the_closed_form():
    done = example('pendulum')
    lines = [line.split() for line in done.stdout.splitlines()]
    assert len(lines) == 5 and done.returncode == 0, done
    for _, found, _, exact in lines:
        assert abs(float(found) / float(exact) - 1) < 1e-11, done.stdout  # 2e-12 is the last digit printed


@promise
def world_writes_a_file_a_frame():
    with tempfile.TemporaryDirectory() as folder:
        done = example('world', SOURCE / 'models' / 'bacin' / '9.2.cfg', 'out', folder=folder)
        assert done.returncode == 0, done.stderr
        files = {path.name: path.read_text() for path in pathlib.Path(folder).iterdir()}
    frames = json.loads(files.pop('out.json'))['frames']
    assert files.pop('out.sur').startswith('begin surface') and len(files) == frames + 1, files.keys()
    assert files['out0.ste'] != files[f'out{frames}.ste']


@promise
def readme_shows_the_first_example():
    code = (SOURCE / 'docs' / 'examples' / 'modes.c').read_text().split('\n', 1)[1]
    assert code.strip() in (SOURCE / 'README.md').read_text()


run()
