"""What `animate` writes as glTF is valid, and keeps all of a glTF source."""
import functools
import pathlib
import subprocess
import tempfile

from motions import Gltf, animate, need_animate, sources
from lossless import same_data, same_elements
from program import rigs, validator
from tap import promise, run

FOLDER = tempfile.TemporaryDirectory()
GLTF = ('.glb', '.gltf')


@functools.cache
def written():
    """[(source, motion)], every source in both kinds of glTF."""
    need_animate()
    folder = pathlib.Path(FOLDER.name)
    return [(source, path) for source in sources() for path in animate(source, folder, 'glb', 'gltf').values()]


@promise
def real_rigs_are_among_the_models():
    assert set(rigs()) & set(sources())


@promise
def motions_are_valid():
    command = validator()
    done = subprocess.run([*command, *[path for _, path in written()]], capture_output=True, text=True)
    errors = [line for line in done.stdout.splitlines() if ': error ' in line]
    assert done.returncode == 0, '\n'.join(errors) + done.stderr


@promise
def motions_differ_from_their_sources_by_one_clip_alone():
    for source, path in written():
        if source.suffix not in GLTF:
            continue
        same_elements(source, path)
        same_data(source, path)
        old, new = Gltf(source), Gltf(path)
        assert len(new.list('animations')) == len(old.list('animations')) + 1, path
        if source.suffix == path.suffix == '.glb':
            assert new.bin().startswith(old.bin()), f'{path}: the BIN chunk does not begin with the bytes of the source'


run()
