"""VTK draws the skins of our GLB where they are, at keys of a clip."""
import json
import math
import subprocess
import tempfile
from pathlib import Path

from clients import HERE, found
from gltf_reader import Gltf
from program import SOURCE, works
from tap import promise, run, skip

PYTHON = found('python3', 'python3')  # Debian's, which python3-vtk9 is of
NEAR = 1e-5  # of the size: single precision


@promise
def skins_stand_where_they_are_at_keys_of_a_clip():
    if subprocess.run([PYTHON, '-c', 'import vtkmodules.vtkIOGeometry'], capture_output=True).returncode != 0:
        skip('VTK is not there for Python (Debian: python3-vtk9)')
    with tempfile.TemporaryDirectory() as folder:
        for model in ('horse', 'gnome'):
            path = Path(folder, f'{model}.glb')
            works('animate', SOURCE / 'models' / f'{model}.glb', '--mix', '7:12,9:9', '--fps', '60', '-o', path)
            written = Gltf(path)
            clip, times = written.clip(0), [0.0, 0.25, 0.5]
            done = subprocess.run([PYTHON, HERE / 'vtk_points.py', path, 'mix 7 9', *map(str, times)], capture_output=True, text=True)
            assert done.returncode == 0, done.stderr
            told = json.loads(done.stdout)
            assert told['names'] == [animation['name'] for animation in written.list('animations')]
            for time, read in zip(times, told['points']):
                worlds, judged = written.worlds(clip, time), 0
                for node, thing in enumerate(written.list('nodes')):
                    for k, primitive in enumerate(written.list('meshes')[thing['mesh']]['primitives'] if 'mesh' in thing else []):
                        points = written.positions(node, primitive, worlds)
                        size = max(math.dist(points[0], point) for point in points)
                        off = max(math.dist(*pair) for pair in zip(points, read[f'{node} {k}'], strict=True))
                        assert off < NEAR * max(size, 0.1), f'{path.name}, {time} s, node {node}, part {k}: {off} off'
                        judged += len(points)
                assert judged > 1000


run()
