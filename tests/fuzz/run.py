"""Runs one harness: run.py NAME PROGRAM IMPORTER. First the inputs once found, then new inputs from the seeds on.

EIGENRIG_FUZZ_SECONDS is the time; without it the same few thousand inputs are made each time, so that the same code
passes or fails alike. An input that breaks a promise is kept in the build's folder, which is printed.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import seeds
from tap import SOURCE, promise, run

NAME, PROGRAM, IMPORTER = sys.argv[1:]
SECONDS = int(os.environ.get('EIGENRIG_FUZZ_SECONDS', 0))
EXTENT = [f'-max_total_time={SECONDS}'] if SECONDS else ['-seed=1', '-runs=10000', '-max_total_time=1']
FOUND = sorted((SOURCE / 'tests' / 'fuzz' / 'found').glob(f'{NAME}-*'))
KEPT = pathlib.Path(PROGRAM).parent / 'found'
STATES = ['-timeout=20', '-rss_limit_mb=3000', '-max_len=32768', '-print_final_stats=1', '-verbosity=1']
ENVIRONMENT = dict(os.environ, UBSAN_OPTIONS='halt_on_error=1:print_stacktrace=1',
                   ASAN_OPTIONS='detect_leaks=1:allocator_may_return_null=1:detect_stack_use_after_return=1')


def harness(*words):
    """Its output; it must succeed."""
    done = subprocess.run([PROGRAM, *STATES, *map(str, words)], stdin=subprocess.DEVNULL, capture_output=True,
                          env=ENVIRONMENT, timeout=SECONDS + 600)
    said = done.stderr.decode(errors='replace')
    assert done.returncode == 0, f'status {done.returncode}:\n{said[-6000:]}'
    return said


@promise
def what_was_found_is_mended():
    if FOUND:
        harness(*FOUND)


@promise
def new_inputs_break_no_promise():
    KEPT.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        seeds.main(folder, IMPORTER)
        words = pathlib.Path(folder, f'{NAME}.words')
        known = [f'-dict={words}'] if words.stat().st_size > 0 else []
        said = harness(*EXTENT, f'-artifact_prefix={KEPT}/{NAME}-', *known, pathlib.Path(folder, NAME))
    inputs = int(re.search(r'number_of_executed_units: (\d+)', said)[1])
    print(f'# {NAME}: {inputs} inputs')
    assert inputs > 1, 'the harness made no input'


run()
