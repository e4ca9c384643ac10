"""Files of Debian's package assimp-testmodels go through `info`: no crash, no hang, one line when it fails. Every tenth of
them, or all."""
import collections
import concurrent.futures
import json
import pathlib
import shutil
import subprocess

from program import judge_failure, run
from tap import BUILD, EVERY, promise, run as judge, skip

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


judge()
