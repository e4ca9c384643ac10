"""Shared by the tests of `eigenrig render`: the program, and what pictures show."""
import functools
import os
import pathlib
import re
import subprocess
import tempfile

import png_reader
import references
from references import PROGRAM
from tap import SOURCE, skip

MODELS = SOURCE / 'models'
SLOW = 4 if os.environ.get('EIGENRIG_SANITIZED') == '1' else 1
HORSE, CHAIN = MODELS / 'horse.glb', MODELS / 'chain_20.json'
SMALL = ['--size', '160x120']


class Folder(tempfile.TemporaryDirectory):
    def __enter__(self):
        return pathlib.Path(super().__enter__())


def start(*words, more={}, **how):
    return subprocess.run([PROGRAM, 'render', *map(str, words)], env=references.ENVIRONMENT | more, capture_output=True,
                          timeout=60 * SLOW, **how)


@functools.cache
def need_opengl():
    done = start(CHAIN, '--size', '16x16', '-o', '-')
    if done.returncode == 1 and b'no picture can be drawn here' in done.stderr:
        skip(done.stderr.decode().strip())


def works(*words, **how):
    need_opengl()
    done = start(*words, **how)
    assert done.returncode == 0, (words, done.returncode, done.stderr[-2000:])
    return done.stdout


def fails(status, *words, says='', **how):  # says: a name, a value or a place
    done = start(*words, **how)
    text = done.stderr.decode()
    assert done.returncode == status, (words, done.returncode, text[-2000:])
    assert re.fullmatch(r'eigenrig: error: \S.*\n', text.splitlines(keepends=True)[-1]), text
    assert says in text, (says, text)


@functools.cache
def draw(*words):
    """A picture, from standard output."""
    return png_reader.read(works(*words, '-o', '-'))


def solid(picture, opaque=128):
    """Whether each pixel is covered."""
    return [[row[4 * x + 3] >= opaque for x in range(picture.width)] for row in picture.rows]


def share(mask):
    return sum(map(sum, mask)) / (len(mask) * len(mask[0]))


def unlike(a, b):
    """Share of the pixels of either mask that are not in both."""
    pairs = [(x, y) for s, t in zip(a, b) for x, y in zip(s, t)]
    return sum(x != y for x, y in pairs) / max(1, sum(x or y for x, y in pairs))


def blocks(picture, side=8):
    """Mean colours of blocks, over white."""
    means = []
    for top in range(0, picture.height, side):
        for left in range(0, picture.width, side):
            sums, count = [0.0] * 3, 0
            for row in picture.rows[top:top + side]:
                for at in range(4 * left, 4 * min(left + side, picture.width), 4):
                    for k in range(3):
                        sums[k] += 255 - (255 - row[at + k]) * row[at + 3] / 255
                    count += 1
            means.append([s / count for s in sums])
    return means
