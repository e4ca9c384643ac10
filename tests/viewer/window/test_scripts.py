"""Every panel of the viewer, driven by scripts."""
import subprocess

import samples
from harm import harm
from program import judge_failure
from tap import every, promise, run
from window import ENVIRONMENT, GNOME, HAND, HORSE, LOOP, PROGRAM, WIDTH, Picture, Screen, changed

FLOORLESS = ('key:Space', 'key:G')  # at rest, where the floor and its shadows, which take half of a picture's time, are not judged


@promise
def a_mode_moves_and_the_same_time_is_the_same_picture():
    with Screen() as screen:
        for name, script in (('two.png', []), ('again.png', ['--script', 'shot:one.png'])):
            done = screen.view(HORSE, *script, '--frames', 9, '--screenshot', name)
            assert done.returncode == 0, done.stderr
        one, two = Picture(screen.path / 'one.png'), Picture(screen.path / 'two.png')
        assert (two.width, two.height) == (1100, 640)
        assert changed(one, two) > 0.02, changed(one, two)
        assert (screen.path / 'two.png').read_bytes() == (screen.path / 'again.png').read_bytes()


@promise
def modes_are_walked_found_and_mixed():
    with Screen() as screen:
        screen.play(HORSE, 'click:"mode 8"', 'expect:"mode 08"', 'key:Down', 'expect:"mode 09"', 'key:Up', 'expect:"mode 08"',
                    'expect-not:"mode 09"', 'click:"+mode 7"', 'expect:"mute 8"', 'expect:"mute 7"', 'click:"mute 7"', 'key:S',
                    'click:"remove 8"', 'expect-not:"remove 8"', 'key:Ctrl+Z', 'expect:"remove 8"', 'key:Ctrl+Y',
                    'expect-not:"remove 8"', 'expect:"mute 7"', 'click:Find', 'type:nothing', 'expect:"no mode is like that"')


@every
def sliders_of_a_component_change_the_motion():
    with Screen() as screen:
        screen.play(HORSE, *FLOORLESS, 'key:Home', *8 * ['key:Right'], 'wait:2', 'shot:before.png',
                    'drag:"Amplitude##amplitude 6",40', 'wait:3', 'shot:after.png')
        before, after = Picture(screen.path / 'before.png'), Picture(screen.path / 'after.png')
        assert changed(before, after) > 0.01


@every
def tuning_solves_the_modes_anew_and_is_undone():
    with Screen() as screen:
        screen.play(LOOP, 'click:Mix', 'expect:"3.24 Hz"', 'click:Tuning', 'drag:"Swings at",30', 'click:Mix', 'expect-not:"3.24 Hz"',
                    'key:Ctrl+Z', 'expect:"3.24 Hz"')
        screen.play(HAND, 'expect:"1.81 Hz"', 'click:Tuning', 'click:Root', 'click:fixed', 'click:Mix', 'expect-not:"1.81 Hz"',
                    'key:Ctrl+Z', 'expect:"1.81 Hz"', 'click:Tuning', 'expect-not:"take out"', 'click:"add a rule"',
                    'click:"frequency of its own"', 'click:Mix', 'expect-not:"1.81 Hz"', 'click:Tuning', 'click:"All joints"', 'click:"take out"',
                    'expect-not:"take out"', 'click:Mix', 'expect:"1.81 Hz"')


@every
def a_given_pose_is_the_first_model_s_alone():
    with Screen() as screen:
        (screen.path / 'pose.json').write_text('{"format": "eigenrig-pose", "version": 1, "nodes": []}')
        still = 'key:G wait:2 key:Tab key:Backspace wait:3 shot:'
        for name, words in (('alone', [GNOME, '--script', still + 'alone.png']),
                            ('after', [HORSE, '--pose', 'pose.json', '--script', f'drop:{GNOME} {still}after.png'])):
            done = screen.view(*words)
            assert done.returncode == 0, done.stderr
        assert changed(Picture(screen.path / 'alone.png'), Picture(screen.path / 'after.png')) < 0.005


@every
def joints_are_turned_by_hand_and_undone():
    with Screen() as screen:
        screen.play(GNOME, 'key:G', 'resize:1440x900', 'key:R', 'wait:3', 'click:806,462', 'wait:3',
                    'shot:before.png', 'drag:867,426,850,490', 'wait:3', 'shot:turned.png', 'key:Ctrl+Z', 'wait:3', 'shot:undone.png')
        before, turned, undone = (Picture(screen.path / f'{name}.png') for name in ('before', 'turned', 'undone'))
        assert changed(before, turned) > 0.01
        assert changed(before, undone) < 0.005


@every
def the_equilibrium_is_a_clip_or_the_bind_pose():
    with Screen() as screen:
        done = subprocess.run([PROGRAM, 'animate', HAND, '--mix', '7:60', '-q', '-o', screen.path / 'clip.glb'], env=ENVIRONMENT)
        assert done.returncode == 0
        bent = ('click:Pose', 'click:"Springs rest"', 'click:"a clip at a time"', 'drag:Time,60', 'click:Mix', 'expect-not:"1.81 Hz"',
                'expect-not:"1.90 Hz"', 'click:Pose')
        for back in (['click:"Springs rest"', 'click:"bind pose"'], ['click:Reset']):  # as modes 6 and 7 of the file's own pose were
            screen.play('clip.glb', 'expect:"1.81 Hz"', *bent, *back, 'click:Mix', 'expect:"1.90 Hz"', 'key:Ctrl+Z',
                        'expect-not:"1.90 Hz"', unseen=WIDTH)


def walker(path):
    """Two legs and a spine, the fewest bodies that walk, and a clip in which a leg is lifted."""
    def joint(name, offset, inside):
        return f'JOINT {name}\n{{\nOFFSET {offset}\nCHANNELS 3 Zrotation Xrotation Yrotation\n{inside}}}\n'

    def end(offset):
        return f'End Site\n{{\nOFFSET {offset}\n}}\n'

    def leg(side, x):
        foot = joint(f'{side}Foot', '0 -40 0', end('0 -4 16'))
        return joint(f'{side}UpLeg', f'{x} -4 0', joint(f'{side}Leg', '0 -42 0', foot))
    inside = leg('Left', 10) + leg('Right', -10) + joint('Spine', '0 30 0', end('0 40 0'))
    frames = [' '.join(['0 90 0 0 0 0 0', lift] + 19 * ['0']) for lift in ('0', '10', '0')]
    path.write_text('HIERARCHY\nROOT Hips\n{\nOFFSET 0 90 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n'
                    f'{inside}}}\nMOTION\nFrames: 3\nFrame Time: 0.1\n' + '\n'.join(frames) + '\n')


@every
def clips_gaits_and_presets_are_played_from_the_left():
    with Screen() as screen:
        walker(screen.path / 'nod.bvh')
        (screen.path / 'eigenrig').mkdir()
        (screen.path / 'eigenrig' / 'presets').write_text('peer 4 feet trunk:side:6\nwag 3 none trunk:up:4\njunk\npoke 4 feet nose:up:3\n')
        screen.play('nod.bvh', *FLOORLESS, 'click:Clips', 'click:"clip 0"', 'expect:"The clip plays as it is"', 'click:Modes',
                    'click:"+mode 8"', 'expect:"mute 8"', 'expect-not:"mute 6"', 'key:Ctrl+Z', 'expect-not:"mute 8"', 'key:Ctrl+Z',
                    'expect:"mute 6"', 'key:Home', 'wait:2', 'shot:mix.png', 'click:Gaits', 'click:"Find gaits"', 'expect:Travels',
                    'click:"gait 0"', 'wait:2', 'shot:gait.png', 'click:"Export ..."', 'click:Write',
                    'expect:written', 'click:Close', 'click:Presets', 'expect:"presets:3: expected NAME"', 'expect-not:"the tail, quickly"',
                    'click:idle', 'expect:"##planted"', 'key:Ctrl+Z', 'expect-not:"##planted"', 'click:peer', 'expect:"##planted"',
                    'click:poke', 'expect:"is no part of a preset"')
        assert changed(Picture(screen.path / 'mix.png'), Picture(screen.path / 'gait.png')) > 0.01
        assert b'walk' in (screen.path / 'nod_gait.glb').read_bytes()


@every
def looks_change_the_picture():
    with Screen() as screen:
        screen.play(HAND, 'key:Space', 'key:Home', 'wait:2', 'shot:plain.png', 'key:W', 'wait:2', 'shot:wires.png', 'key:W', 'key:W',
                    'key:2', 'wait:2', 'shot:joints.png', 'key:1', 'key:G', 'wait:2', 'shot:floorless.png', 'key:G', 'key:T',
                    'wait:2', 'shot:light.png', 'click:Look', 'click:Clay', 'wait:2', 'shot:clay.png')
        picture = {name: Picture(screen.path / f'{name}.png') for name in ('plain', 'wires', 'joints', 'floorless', 'light', 'clay')}
        for name in ('wires', 'joints', 'floorless', 'light'):
            assert changed(picture['plain'], picture[name]) > 0.01, name
        assert changed(picture['light'], picture['clay']) > 0.01
        assert picture['light'].brightness() > picture['plain'].brightness() + 60


@every
def the_camera_orbits_pans_zooms_and_frames():
    with Screen() as screen:
        screen.play(HAND, *FLOORLESS, 'key:Home', 'wait:2', 'shot:first.png', 'drag:500,300,600,340', 'wait:1', 'shot:orbit.png',
                    'mdrag:500,300,560,300', 'wait:1', 'shot:pan.png', 'scroll:500,300,5', 'wait:1', 'shot:zoom.png', 'key:F', 'wait:1',
                    'shot:framed.png', 'rdrag:500,300,500,380', 'wait:1', 'shot:near.png')
        names = ('first', 'orbit', 'pan', 'zoom', 'framed', 'near')
        pictures = [Picture(screen.path / f'{name}.png') for name in names]
        for name, a, b in zip(names[1:], pictures, pictures[1:]):
            assert changed(a, b) > 0.01, name


@promise
def what_was_selected_is_typed_over():
    with Screen() as screen:
        screen.play(HORSE, 'click:Find', 'type:spine', 'wait:2', 'key:Ctrl+A', 'type:tail', 'expect:"mode 14"', 'key:Ctrl+A',
                    'type:1', 'expect:"mode 1"', 'expect-not:"mode 9"', 'expect-not:"mode 10"', 'key:Ctrl+A', 'type:1.65', 'expect:"mode 8"')


@promise
def controls_are_within_a_small_window():
    with Screen() as screen:
        screen.play(HORSE, 'resize:800x600', 'wait:3', 'click:"step on"', 'click:Loop', 'drag:speed,20', 'click:"Export ..."',
                    'expect:Write')


@promise
def a_window_goes_to_nothing_and_comes_back():
    with Screen() as screen:
        screen.play(HAND, 'resize:0x0', 'wait:3', 'resize:900x500', 'wait:3', 'shot:small.png', 'resize:64x64', 'wait:3',
                    'resize:1200x700', 'wait:3', 'shot:large.png')
        small, large = Picture(screen.path / 'small.png'), Picture(screen.path / 'large.png')
        assert (small.width, small.height, large.width, large.height) == (900, 500, 1200, 700)


@promise
def scripts_that_cannot_be_followed_name_the_word():
    with Screen() as screen:
        done = screen.view('--script', 'wait:1 clik:File')
        assert done.returncode == 1 and '"clik:File"' in done.stderr.decode(), done.stderr
        done = screen.view('--script', 'expect-not:Help')
        assert done.returncode == 1 and '"expect-not:Help": a widget "Help" is seen' in done.stderr.decode(), done.stderr
        done = screen.view('--script', 'click:nowhere')
        assert done.returncode == 1 and 'nowhere' in done.stderr.decode()
        assert 'there are: File, Edit, Mode, ' in done.stderr.decode(), done.stderr
        done = screen.view('--script', '@missing.txt')
        assert done.returncode == 1 and 'missing.txt' in done.stderr.decode()
        (screen.path / 'words.txt').write_text('wait:1\nkey:T\nshot:said.png\n')
        screen.play(None, '@words.txt')
        assert (screen.path / 'said.png').exists()


@promise
def a_model_that_cannot_be_opened_is_an_error_where_nobody_looks():
    with Screen() as screen:
        missing = screen.path / 'missing.glb'
        for words in (['--frames', '2'], ['--script', 'wait:2'], ['--frames', '2', '--screenshot', screen.path / 'shot.png']):
            done = screen.view(missing, *words)
            assert done.returncode == 1 and 'missing.glb' in done.stderr.decode(), (words, done.stderr)
        assert not (screen.path / 'shot.png').exists()


@promise
def without_a_screen_the_way_without_one_is_named():
    environment = {name: value for name, value in ENVIRONMENT.items() if name not in ('DISPLAY', 'WAYLAND_DISPLAY')}
    done = subprocess.run([PROGRAM, 'view', HAND], env=environment, capture_output=True, timeout=60)
    assert done.returncode == 1 and 'eigenrig render' in done.stderr.decode(), done.stderr
    done = subprocess.run([PROGRAM, 'view'], env=dict(environment, DISPLAY=':9753'), capture_output=True, timeout=60)
    assert done.returncode == 1 and 'eigenrig render' in done.stderr.decode(), done.stderr


@promise
def models_that_mean_harm_are_an_error_at_first_and_a_message_later():
    with Screen() as screen:
        samples.write(screen.path)
        harmful = harm(screen.path)
        for name in harmful:
            judge_failure(screen.view(name, '--script', 'wait:1'), 1, 'view', name)
        screen.play(HAND, *[f'drop:{name}' for name in harmful], 'wait:2', 'expect:"1.81 Hz"')


run()
