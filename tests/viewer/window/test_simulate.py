"""The tab of the simulation, and how far modes are true, driven by scripts."""
import math
import subprocess

from gltf_reader import Gltf
from tap import every, promise, run
from window import ENVIRONMENT, GNOME, HAND, HORSE, LOOP, PROGRAM, Screen

HELD = 'click:"What it meets"', 'click:"Body##to hold"', 'click:hand', 'click:"is held"'


@promise
def the_mix_and_the_pose_are_as_they_were():
    with Screen() as screen:
        screen.play(HAND, 'click:Simulate', *HELD, 'click:Run', 'wait:5', 'click:"Back to the mix"', 'expect:Run', 'click:Mix',
                    'expect:"mode 06   1.81 Hz"', 'click:Simulate', 'click:"Show it"', 'expect:"Back to the mix"', 'click:"mode 7"', 'expect:"Show it"',
                    'click:Mix', 'expect:"mode 07   1.90 Hz"', 'key:Ctrl+Z', 'expect:"mode 06   1.81 Hz"')


@promise
def what_is_recorded_is_written_as_the_mixes_are():
    with Screen() as screen:
        steps = 12 * ['key:Right']  # a free rig falls as a stone
        screen.play(HAND, 'key:Backspace', 'click:Simulate', 'click:Step', *steps, 'expect:"0.22 of 0.22 s"', 'click:"Export ..."',
                    'click:Write', 'expect:"hand_simulation.glb: "', 'click:Format', 'click:"joint curves, .csv"', 'click:Write',
                    'expect:"hand_simulation.csv: "')
        gltf = Gltf(screen.path / 'hand_simulation.glb')
        names = [clip['name'] for clip in gltf.list('animations')]
        channels = gltf.clip(names.index('simulation'))
        first, last = (gltf.worlds(channels, time) for time in (0, 13 / 60))
        fall = [[last[n][row][3] - first[n][row][3] for row in range(3)] for n in range(len(first))]
        moved = [way for way in fall if max(map(abs, way)) > 1e-6]
        wanted = -0.5 * 9.81 * (13 / 60)**2
        assert len(moved) > 15 and all(math.dist(way, (0, wanted, 0)) < 1e-4 for way in moved), (wanted, fall)
        assert len((screen.path / 'hand_simulation.csv').read_text().splitlines()) == 1 + 14


@every
def what_falls_on_the_floor_is_written_as_simulate_writes_it():
    with Screen() as screen:
        steps = 17 * ['key:Right']
        screen.play(GNOME, 'key:Backspace', 'click:Simulate', 'click:Ground', 'Ctrl+click:Drop', 'type:0.1', 'key:Enter', 'click:Step',
                    *steps, 'expect:"0.30 of 0.30 s"', 'click:"Export ..."', 'click:Write', 'expect:"gnome_simulation.glb: "')
        done = subprocess.run([PROGRAM, 'simulate', GNOME, '--ground', '--drop', '0.1', '--duration', '0.3', '-o', screen.path / 'told.glb',
                               '-q'], env=ENVIRONMENT, capture_output=True)
        assert done.returncode == 0, done.stderr
        seen, told = (Gltf(screen.path / name) for name in ('gnome_simulation.glb', 'told.glb'))
        for time, near in ((0, 1e-6), (8 / 60, 1e-6), (18 / 60, 0.02)):  # contacts magnify rounding
            one, other = (g.worlds(g.clip([clip['name'] for clip in g.list('animations')].index('simulation')), time) for g in (seen, told))
            assert all(math.dist(a[row], b[row]) < near for a, b in zip(one, other) for row in range(3)), time


@every
def modes_are_judged_when_asked_and_until_they_change():
    with Screen() as screen:
        screen.play(HAND, 'expect-not:"of 48 modes"', 'click:"How far true?"', 'expect:" of 48 modes"', 'expect:"elastic, true beyond 60°"',
                    'click:"How far true?"', 'wait:2', 'click:Tuning', 'drag:Grading,20', 'expect-not:", true "',
                    'expect-not:" of 48 modes"')


@promise
def a_palette_file_says_how_far_its_modes_are_true():
    with Screen() as screen:
        done = subprocess.run([PROGRAM, 'validate', LOOP, '--palette', screen.path / 'palette.json'], env=ENVIRONMENT,
                              capture_output=True)
        assert done.returncode == 0, done.stderr
        told = next(line.split()[2] for line in done.stdout.decode().splitlines() if line.split()[:1] == ['0'])
        screen.play('palette.json', f'expect:"elastic, true to {told}°"', 'expect:"1 of 1 mode"')


def hips_of(path):
    """Where the hips of the horse are, at the start and at the end of the simulation, and how long it is."""
    gltf = Gltf(path)
    names = [clip['name'] for clip in gltf.list('animations')]
    channels = gltf.clip(names.index('simulation'))
    end = max(times[-1] for times, _, _ in channels.values())
    hips = [node['name'] for node in gltf.list('nodes')].index('hips')
    return [[gltf.worlds(channels, time)[hips][row][3] for row in range(3)] for time in (0, end)], end


def way_of(screen, *events):
    """The way of the horse's hips in four seconds: to the left, up, ahead."""
    screen.play(HORSE, 'click:Gaits', 'click:"Find gaits"', 'expect:Travels', 'click:Walk', 'click:"Set off"', *events,
                'click:"Pause"', 'expect:"Go on"', 'expect:"steps where it does not fall"', 'key:Ctrl+E', 'click:Write', 'expect:"horse_simulation.glb: "')
    (first, last), end = hips_of(screen.path / 'horse_simulation.glb')
    assert abs(end - 4) < 0.3, end
    return [b - a for a, b in zip(first, last)]


@promise
def a_character_walks():
    with Screen() as screen:
        aside, up, ahead = way_of(screen, 'wait:240')
        assert ahead > 2 and abs(aside) < 0.2 * ahead and abs(up) < 0.2, (aside, up, ahead)


@every
def a_character_is_steered_and_stands():
    with Screen() as screen:
        left, up, ahead = way_of(screen, 'key:Shift+Left', 'key:Shift+Left', 'key:Shift+Down', 'wait:240')
        assert left > 0.5 and ahead > 1 and abs(up) < 0.2, (left, up, ahead)
    with Screen() as screen:
        _, up, little = way_of(screen, 'click:"Stand still"', 'wait:240')
        assert abs(little) < 0.1 * ahead and abs(up) < 0.2, (up, little)


run()
