"""The tasks of newcomers' first hours: helpers to see that they are done.

A task is judged by what lies in the folder afterwards, or stands on the screen, as whoever asked for it would. `failed` marks
those that the first newcomers could not do with the manual alone.
"""
import math

from tap import promise


def failed(function):
    """A task that the first newcomers could not do."""
    return promise(function)


task = promise


def clip_names(written):
    return [clip.get('name') for clip in written.list('animations')]


def times_of(channels):
    return max((times for times, _, _ in channels.values()), key=len)


def nodes_like(written, *words):
    return [i for i, node in enumerate(written.list('nodes')) if any(word in node.get('name', '') for word in words)]


def moved(written, channels, nodes, below=None):
    """The farthest that any of these nodes is from where it began, or from where another clip has it; turns count too."""
    times = times_of(channels)
    start = written.worlds(channels, times[0])
    far = 0.0
    for time in times:
        now = written.worlds(channels, time)
        then = written.worlds(below, time) if below is not None else start
        far = max(far, *(abs(a - b) for node in nodes for row, other in zip(now[node], then[node]) for a, b in zip(row, other)))
    return far


def way(written, channels, node, y=0.0):
    """How far a point so high upon a node goes, from one end to the other."""
    places = [[y * row[1] + row[3] for row in written.worlds(channels, time)[node]] for time in times_of(channels)]
    return max(math.dist(a, b) for a in places for b in places)
