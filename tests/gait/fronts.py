"""How often each evidence of a body's front is right, and what `sure by` means: prints both for the models given.

    PYTHONPATH=tests/support EIGENRIG_BUILD=build python3 tests/gait/fronts.py MODEL... MODEL=-z MODEL=x

A model looks along +z unless its name is followed by another axis. Certainties are looked at with all evidence, and with
every part of it, since most rigs have more than they need."""
import itertools
import math
import pathlib
import re
import sys

from program import run

AXES = {'x': (1, 0, 0), '-x': (-1, 0, 0), 'z': (0, 0, 1), '-z': (0, 0, -1), 'y': (0, 1, 0), '-y': (0, -1, 0)}
BINS = (0.5, 0.7, 0.9, 0.95, 0.99, 1.01)


def read(model, axis='z'):
    """The cosine between the front read and the true one; the certainty; evidence for the front read, by its name."""
    done = run('info', model)
    text = done.stdout.decode()
    faces = re.search(r'faces +\(([^)]*)\), sure by (\d+) %', text)
    if faces is None:
        return None
    forward = [float(x) for x in faces[1].split(',')]
    told = re.search(r'the front by (.*)', text)[1]
    evidence = {name: float(odds) for name, odds in re.findall(r'([a-z ]+?) ([+-][\d.]+)(?:, |$)', told)}
    return sum(a * b for a, b in zip(forward, AXES[axis])), float(faces[2]) / 100, evidence


def judge(models):
    """Counts of right and wrong by evidence; by bin of certainty the rigs' mean parts that are right."""
    by_name, by_bin, wrong = {}, {}, []
    for model, axis in models:
        found = read(model, axis)
        if found is None or abs(found[0]) < 0.7:
            wrong.append(f'{pathlib.Path(model).name}: {found}')
            continue
        right = math.copysign(1, found[0])
        if right < 0:
            wrong.append(f'{pathlib.Path(model).name}: sure by {found[1]:.2f}')
        for name, odds in found[2].items():
            by_name.setdefault(name, [0, 0])[odds * right < 0] += 1
        seen = {}
        for count in range(1, len(found[2]) + 1):
            for part in itertools.combinations(found[2].values(), count):
                total = sum(part)
                sure = 1 / (1 + math.exp(-abs(total)))
                if total != 0:
                    seen.setdefault(max(low for low in BINS if low <= sure), []).append(total * right > 0)
        for low, hits in seen.items():
            by_bin.setdefault(low, []).append(sum(hits) / len(hits))
    return by_name, by_bin, wrong


def main():
    models = [(path, 'z') if '=' not in path else tuple(path.rsplit('=', 1)) for path in sys.argv[1:]]
    by_name, by_bin, wrong = judge(models)
    for name, (right, missed) in sorted(by_name.items(), key=lambda item: -sum(item[1])):
        print(f'{name:16s} {right:3d} right {missed:3d} wrong')
    for low, high in zip(BINS, BINS[1:]):
        parts = by_bin.get(low, [])
        if parts:
            print(f'sure by {100 * low:.0f} to {min(100 * high, 100):.0f} %: right {100 * sum(parts) / len(parts):5.1f} % '
                  f'of the times, over {len(parts)} rigs')
    print(f'{len(models) - len(wrong)} of {len(models)} fronts are right', *wrong, sep='\n  ')


if __name__ == '__main__':
    main()
