"""The tab of the simulation, and how far modes are true, driven by scripts."""
import math
import subprocess

from floor import write_floor
from gltf_reader import Gltf
from tap import every, promise, run
from window import ENVIRONMENT, GNOME, HAND, LOOP, PROGRAM, UNSEEN, Picture, Screen, changed

HELD = 'click:"What it meets"', 'click:"Body##to hold"', 'click:hand', 'click:"is held"'


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


@every
def tuning_goes_on_under_it_and_another_rig_ends_it():
    with Screen() as screen:
        screen.play(HAND, 'click:Simulate', *HELD, 'expect:"nothing damps them"', 'click:Run', 'wait:3', 'click:Tuning',
                    'drag:Damping,30', 'drag:"Swings at",20', 'wait:3', 'click:Simulate', 'expect:"Springs and dampers are"', 'expect:Pause',
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
                    'expect:"nothing plays"')
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
                    *steps, 'expect:"0.30 of 0.30 s"', 'expect:"points press with "', 'expect-not:"0 points press"',
                    'expect:"each joint has a damper"', 'click:"Export ..."', 'click:Write', 'expect:"gnome_simulation.glb: written"')
        done = subprocess.run([PROGRAM, 'simulate', GNOME, '--ground', '--drop', '0.1', '--duration', '0.3', '-o', screen.path / 'told.glb',
                               '-q'], env=ENVIRONMENT, capture_output=True)
        assert done.returncode == 0, done.stderr
        seen, told = (Gltf(screen.path / name) for name in ('gnome_simulation.glb', 'told.glb'))
        for time, near in ((0, 1e-6), (8 / 60, 1e-6), (18 / 60, 0.02)):  # contacts magnify rounding
            one, other = (g.worlds(g.clip([clip['name'] for clip in g.list('animations')].index('simulation')), time) for g in (seen, told))
            assert all(math.dist(a[row], b[row]) < near for a, b in zip(one, other) for row in range(3)), time


@every
def a_scene_is_fallen_on_and_shapes_are_drawn():
    with Screen() as screen:
        write_floor(screen.path / 'floor.gltf', -0.1)
        screen.play(GNOME, *UNSEEN, 'key:Backspace', 'click:Simulate', 'click:"Scene to fall on ..."', 'click:Path', 'type:floor.gltf', 'key:Enter',
                    'expect:"✕  floor.gltf"', 'click:Run', 'wait:40', 'expect:"points press with "', 'expect-not:"0 points press"', 'key:P',
                    'click:"Contacts shown"', 'key:1', 'wait:1', 'shot:bare.png', 'click:"Contacts shown"', 'wait:1',
                    'shot:contacts.png', 'click:"Solids shown"', 'wait:1', 'shot:solids.png', 'key:2', 'click:"✕  floor.gltf"', 'click:Reset',
                    'click:Run', 'wait:30', 'expect:"0 points press"')
        bare, contacts, solids = (Picture(screen.path / f'{name}.png') for name in ('bare', 'contacts', 'solids'))
        assert 0.0003 < changed(bare, contacts) < 0.2 and changed(contacts, solids) > 0.01, (changed(bare, contacts), changed(contacts, solids))


STICK = 'HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\nJOINT B\n{\n' \
        'OFFSET 50 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 50 0 0\n}\n}\n}\n' \
        'MOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0 0 0 0 0 0 0\n'


@every
def what_lies_falls_asleep_unless_it_shall_not():
    with Screen() as screen:
        (screen.path / 'stick.bvh').write_text(STICK)
        screen.play('stick.bvh', *UNSEEN, 'key:Backspace', 'click:Simulate', 'click:Ground', 'click:"Contacts shown"', 'click:"Solids shown"',
                    'click:Run', 'wait:2', 'expect:"it is awake"', 'key:P', 'move:10,10', 'wait:2', 'shot:awake.png', 'key:P',
                    'wait:50', 'expect:"it is asleep"', 'key:P', 'move:10,10', 'wait:2', 'shot:asleep.png', 'key:P',
                    'click:"Falls asleep"', 'wait:50', 'expect:"it is awake"')
        awake, asleep = (Picture(screen.path / f'{name}.png') for name in ('awake', 'asleep'))
        assert changed(awake, asleep) > 0.001, changed(awake, asleep)


@promise
def what_cannot_fall_is_said():
    with Screen() as screen:
        screen.play(HAND, 'click:Simulate', *HELD, 'click:"What it meets"', 'Ctrl+click:Drop', 'type:0.1', 'key:Enter', 'click:Run', 'expect:"bodies that are held do not fall"',
                    'expect:"Run lets go"')


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


run()
