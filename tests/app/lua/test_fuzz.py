"""No call of a script can do more than raise a Lua error."""
import os

from lua import HERE, Folder, run
from tap import SOURCE, promise, run as judge

SEEDS = int(os.environ.get('EIGENRIG_FUZZ_SEEDS', 1))
# Sanitizers take ten times as long: fewer calls do where no more seeds are asked for.
CALLS = 250 if os.environ.get('EIGENRIG_SANITIZED') == '1' and SEEDS == 1 else 750


@promise
def random_calls_do_nothing_worse_than_fail():
    models = [SOURCE / 'models' / 'gnome.glb', SOURCE / 'models' / 'bacin' / '9.4.cfg', 'two.glb', SOURCE / 'models' / 'chain_20.json', SOURCE / 'models' / 'four_bar.json']
    for seed in range(SEEDS):
        with Folder() as folder:
            done = run('run', '-q', HERE / 'fuzz.lua', seed, CALLS, *models, cwd=folder, timeout=250)
            assert done.returncode == 0 and done.stdout.endswith(b'survived\n'), (seed, done.returncode, done.stderr[-3000:])


judge()
