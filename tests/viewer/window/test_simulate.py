"""The tab of the simulation, and how far modes are true, driven by scripts."""
import math
import subprocess

from gltf_reader import Gltf
from tap import promise, run
from window import ENVIRONMENT, HAND, LOOP, PROGRAM, Screen

HELD = 'click:"Body##to hold"', 'click:hand', 'click:"is held"'


@promise
def it_runs_pauses_steps_goes_back_and_begins_anew():
    with Screen() as screen:
        screen.play(HAND, 'click:Simulate', 'expect:"Run lets go"', 'click:Step', 'expect:"0.02 of 0.02 s"', 'key:Right',
                    'expect:"0.03 of 0.03 s"', 'click:"step back"', 'expect:"0.02 of 0.03 s"', 'key:Home', 'expect:"0.00 of 0.03 s"',
                    'click:Run', 'wait:9', 'key:Space', 'expect-not:"of 0.03 s"', 'key:Home', 'expect:"0.00 of 0."', 'expect:Run',
                    'click:Reset', 'expect:"Run lets go"', 'expect-not:"0.00 of 0."', 'key:P', 'wait:2', 'expect:Pause', 'key:Shift+P',
                    'expect:"Run lets go"')


@promise
def the_mix_and_the_pose_are_as_they_were():
    with Screen() as screen:
        screen.play(HAND, 'click:Simulate', *HELD, 'click:Run', 'wait:5', 'click:"Back to the mix"', 'expect:Run', 'click:Mix',
                    'expect:"mode 06   1.81 Hz"', 'click:Simulate', 'click:"Show it"', 'expect:"Back to the mix"', 'click:"mode 7"', 'expect:"Show it"',
                    'click:Mix', 'expect:"mode 07   1.90 Hz"', 'key:Ctrl+Z', 'expect:"mode 06   1.81 Hz"')


@promise
def tuning_goes_on_under_it_and_another_rig_ends_it():
    with Screen() as screen:
        screen.play(HAND, 'click:Simulate', *HELD, 'expect:"nothing damps them"', 'click:Run', 'wait:3', 'click:Tuning',
                    'drag:Damping,30', 'drag:HZ,20', 'wait:3', 'click:Simulate', 'expect:"Springs and dampers are"', 'expect:Pause',
                    'expect:"✕  hand"', 'drag:g,30', 'click:"✕  hand"', 'expect-not:"✕  hand"', 'click:Pause', 'expect:Reset',
                    'click:Tuning', 'click:Root', 'click:fixed', 'expect:"its simulation has ended"', 'click:Simulate',
                    'expect:"Run lets go"', 'click:Run', 'wait:3', f'drop:{LOOP}', 'expect:"Run lets go"', 'click:Run', 'wait:3',
                    'expect:"kinetic "')


@promise
def what_is_recorded_is_written_as_the_mixes_are():
    with Screen() as screen:
        steps = 12 * ['key:Right']  # a free rig falls as a stone
        screen.play(HAND, 'key:Backspace', 'click:Simulate', 'click:Step', *steps, 'expect:"0.22 of 0.22 s"', 'click:"Export ..."',
                    'click:Write', 'expect:"hand_simulation.glb: written"', 'click:Format', 'click:"joint curves, .csv"',
                    'click:Write', 'expect:"hand_simulation.csv: written"', 'click:Contents', 'click:"the mix"', 'click:Write',
                    'expect:"nothing sounds"')
        gltf = Gltf(screen.path / 'hand_simulation.glb')
        names = [clip['name'] for clip in gltf.list('animations')]
        channels = gltf.clip(names.index('simulation'))
        first, last = (gltf.worlds(channels, time) for time in (0, 13 / 60))
        fall = [[last[n][row][3] - first[n][row][3] for row in range(3)] for n in range(len(first))]
        moved = [way for way in fall if max(map(abs, way)) > 1e-6]
        wanted = -0.5 * 9.81 * (13 / 60)**2
        assert len(moved) > 15 and all(math.dist(way, (0, wanted, 0)) < 1e-4 for way in moved), (wanted, fall)
        assert len((screen.path / 'hand_simulation.csv').read_text().splitlines()) == 1 + 14


@promise
def modes_are_judged_when_asked_and_until_they_change():
    with Screen() as screen:
        screen.play(HAND, 'expect-not:"of 48 modes"', 'click:"How far true?"', 'expect:" of 48 modes"', 'expect:"elastic, true beyond 60°"',
                    'click:"How far true?"', 'wait:2', 'click:Tuning', 'drag:ALPHA,20', 'expect-not:", true "',
                    'expect-not:" of 48 modes"')


@promise
def a_palette_file_says_how_far_its_modes_are_true():
    with Screen() as screen:
        done = subprocess.run([PROGRAM, 'validate', LOOP, '--palette', screen.path / 'palette.json', '-q'], env=ENVIRONMENT,
                              capture_output=True)
        assert done.returncode == 0, done.stderr
        told = next(line.split()[2] for line in done.stdout.decode().splitlines() if line.split()[:1] == ['0'])
        screen.play('palette.json', f'expect:"elastic, true to {told}°"', 'expect:"1 of 1 modes"')


run()
