"""Files of Debian's package assimp-testmodels go through `info`: no crash, no hang, one line when it fails. Every tenth of
them, or all."""
import collections
import concurrent.futures
import json
import pathlib
import re
import shutil
import subprocess

import endings
from program import Folder, judge_failure, run, works
from tap import BUILD, EVERY, SOURCE, promise, run as judge, skip

SECONDS = 10  # for one file; the slowest takes 0.3 s alone


def files():
    if shutil.which('dpkg') is None:
        skip('there is no dpkg')
    listing = subprocess.run(['dpkg', '-L', 'assimp-testmodels'], capture_output=True, text=True)
    if listing.returncode != 0:
        skip('the package assimp-testmodels is not installed')
    return sorted(path for path in map(pathlib.Path, listing.stdout.splitlines())
                  if path.is_file() and 'doc' not in path.parts)


def is_sanitized():
    told = subprocess.run(['meson', 'introspect', '--buildoptions', BUILD], capture_output=True, text=True)
    options = json.loads(told.stdout) if told.returncode == 0 else []
    return any(option['name'] == 'b_sanitize' and option['value'] not in ('none', []) for option in options)


def examine(path):
    """The result of a file; a broken promise as a text."""
    try:
        done = run('info', path, '-q', '--json', timeout=SECONDS)
        if done.returncode != 0:
            judge_failure(done, 1, ('info', path), path)
            return 'refused', None
        bodies = json.loads(done.stdout)['bodies']
        assert bodies and all(body['mass'] > 0 for body in bodies), f'{path}: {len(bodies)} bodies'
        return 'rigs', None
    except (AssertionError, ValueError, subprocess.TimeoutExpired) as problem:
        return 'broken', f'{path}: {problem}'


@promise
def every_test_model_of_assimp_is_a_rig_or_one_line():
    if is_sanitized():
        skip('the plain build judges this; sanitizers take too long')
    paths = files()[::1 if EVERY else 10]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        came = list(pool.map(examine, paths))
    print('#', dict(collections.Counter(kind for kind, _ in came)))
    problems = [problem for _, problem in came if problem]
    assert not problems, '\n'.join(problems)
    assert sum(kind == 'rigs' for kind, _ in came) > 0.06 * len(came), 'hardly any model is a rig'  # of 595 files 53 are


@promise
def each_kind_of_model_that_the_manual_lists_opens():
    manual = (SOURCE / 'docs' / 'batch.md').read_text()
    listed = re.search(r'models are files ending in\n`([^`]*)`', manual)[1].split()
    made = {'.b3d': endings.b3d, '.ms3d': endings.ms3d, '.pmx': endings.pmx, '.smd': endings.smd, '.md5mesh': endings.md5mesh,
            '.x': endings.x, '.ase': endings.ase, '.lws': endings.lws}
    with Folder() as folder:
        models = folder / 'models'
        models.mkdir()
        for name in ('bar.fbx', 'bar.dae', 'limbs.bvh'):
            works('animate', name if name == 'limbs.bvh' else 'bar.glb', '--mix', '7:5', '-q', '-o', models / name, cwd=folder)
        for name in ('bar.glb', 'bar.gltf'):
            shutil.copy(folder / name, models / name)
        shutil.copy(folder / 'bar.glb', models / 'bar.vrm')
        (models / 'bar.zae').write_bytes(endings.zae((models / 'bar.dae').read_bytes()))
        for ending, write in made.items():
            (models / f'chain{ending}').write_bytes(write())
        shutil.copy(next(path for path in files() if path.name == 'alpha_test.mdl'), models / 'alpha_test.mdl')
        assert sorted(path.suffix for path in models.iterdir()) == sorted(listed)
        run('batch', 'models', '-q', '-o', 'out', cwd=folder)
        lines = [json.loads(line) for line in (folder / 'out' / 'manifest.jsonl').read_text().splitlines()]
        assert {pathlib.Path(line['input']).suffix: line['error'] for line in lines} == dict.fromkeys(listed)


judge()
