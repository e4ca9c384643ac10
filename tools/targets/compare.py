"""Compares two tables of tools/targets/numbers: compare.py OURS THEIRS, the largest difference of each kind of number.

Differences are over the size that stands in a line. Exit status 1 where one is larger than 1e-9.
"""
import math
import sys

BOUND = 1e-9


def table(path):
    rows = {}
    with open(path) as file:
        for line in file:
            name, *numbers = line.split()
            rows[name] = [float(number) for number in numbers]
    return rows


def difference(ours, theirs):
    """0 where both are the same; not a number, or of another length, is no number that is small."""
    if len(ours) != len(theirs):
        return math.inf
    size = ours[0] or 1.0
    far = [abs(a - b) / size for a, b in zip(ours[1:], theirs[1:])]
    return math.inf if any(math.isnan(x) for x in far) else max(far)


def main(ours, theirs):
    ours, theirs = table(ours), table(theirs)
    if not ours or ours.keys() != theirs.keys():
        print('the tables have other rows:', *sorted(ours.keys() ^ theirs.keys())[:9])
        return 1
    worst = {}
    for name, row in ours.items():
        model, what, _ = name.split(':')
        worst[what] = max(worst.get(what, (0.0, name)), (difference(row, theirs[name]), name))
    for what, (far, name) in worst.items():
        print(f'{what}: {far:.1e} at most ({name})')
    return 1 if any(far > BOUND for far, _ in worst.values()) else 0


sys.exit(main(*sys.argv[1:]))
