"""Shared by the Python tests: promises, and TAP on standard output.

    from tap import promise, run, skip

    @promise
    def zero_is_refused():
        assert ...                      # or skip('why this cannot be judged here')

    run()

meson test sets PYTHONPATH to this folder; by hand: PYTHONPATH=tests/support python3 tests/room/file.py
"""
import os
import pathlib
import signal
import sys
import traceback

SOURCE = pathlib.Path(os.environ.get('EIGENRIG_SOURCE', pathlib.Path(__file__).parents[2]))
RIGS = pathlib.Path(os.environ.get('EIGENRIG_RIGS', SOURCE.parent / 'shared' / 'rigs'))
BUILD = pathlib.Path(os.environ.get('EIGENRIG_BUILD', SOURCE / 'build'))
EVERY = os.environ.get('EIGENRIG_EVERY') == '1'  # a test labelled `slow`, of every real rig; others take a few

_promises = []


class _Skip(Exception):
    pass


def skip(reason):
    """Ends a promise that cannot be judged here."""
    raise _Skip(reason)


def promise(function):
    """Makes a function a test; its name says what it promises."""
    _promises.append(function)
    return function


def every(function):
    """A promise that takes seconds, of a kind that shorter ones judge too: only `NAME_every` runs it."""
    return promise(function) if EVERY else function


def run():
    """Judges every promise of the program, in order, and ends it."""
    failed = 0
    signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell's script takes from what it runs in the background
    print(f'1..{len(_promises)}')
    for number, function in enumerate(_promises, 1):
        try:
            function()
            print(f'ok {number} - {function.__name__}', flush=True)
        except _Skip as reason:
            print(f'ok {number} - {function.__name__} # SKIP {reason}', flush=True)
        except Exception:  # whatever went wrong, the promise is broken and the others are still judged
            failed += 1
            print(f'not ok {number} - {function.__name__}', flush=True)
            for line in traceback.format_exc().splitlines():
                print(f'# {line}', flush=True)
    sys.exit(1 if failed else 0)
