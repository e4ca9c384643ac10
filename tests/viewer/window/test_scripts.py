"""Every panel of the viewer, driven by scripts."""

import random

import samples
from harm import harm
from program import judge_failure
from tap import every, promise, run
from window import HAND, HORSE, Picture, Screen, changed

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
        screen.play('nod.bvh', *FLOORLESS, 'click:Clips', 'click:"clip 0"', 'wait:2', 'click:Modes',
                    'click:"+mode 8"', 'expect:"mute 8"', 'expect-not:"mute 6"', 'key:Ctrl+Z', 'expect-not:"mute 8"', 'key:Ctrl+Z',
                    'expect:"mute 6"', 'key:Home', 'wait:2', 'shot:mix.png', 'click:Gaits', 'click:"Find gaits"', 'expect:Travels',
                    'click:"gait 0"', 'wait:2', 'shot:gait.png', 'click:"Export ..."', 'click:Write',
                    'expect:written', 'click:Close', 'click:Presets', 'expect:"presets:3: "', 'expect-not:"the tail, quickly"',
                    'click:idle', 'expect:"##planted"', 'key:Ctrl+Z', 'expect-not:"##planted"', 'click:peer', 'expect:"##planted"',
                    'click:poke', 'expect:"is no part of a preset"')
        assert changed(Picture(screen.path / 'mix.png'), Picture(screen.path / 'gait.png')) > 0.01
        assert b'walk' in (screen.path / 'nod_gait.glb').read_bytes()


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
        for script, named in (('wait:1 clik:File', '"clik:File"'), ('expect-not:Help', '"expect-not:Help"')):
            judge_failure(screen.view('--script', script), 1, script, named)
        (screen.path / 'words.txt').write_text('wait:1\nkey:T\nshot:said.png\n')
        screen.play(None, '@words.txt')
        assert (screen.path / 'said.png').exists()


def random_word(dice):
    """An event that hits anything, or nothing."""
    x, y = dice.randint(-50, 500), dice.randint(-50, 400)
    to = f'{dice.randint(-50, 500)},{dice.randint(-50, 400)}'
    return dice.choice([
        f'click:{x},{y}', f'click:{x},{y}', f'rclick:{x},{y}', f'dclick:{x},{y}', f'drag:{x},{y},{to}', f'rdrag:{x},{y},{to}',
        f'scroll:{x},{y},{dice.randint(-20, 20)}', 'type:' + dice.choice(['-1e9', 'nan', '%s%n', '"a b"', '..']),
        'key:' + dice.choice(['Space', 'Esc', 'Enter', 'Tab', 'Delete', 'Home', 'F11', 'G', '7', 'Ctrl+Z', 'Ctrl+Y', 'Ctrl+O']),
        f'resize:{dice.choice([0, 1, 64, 300, 500])}x{dice.choice([0, 1, 64, 300, 400])}',
        'drop:' + dice.choice(['bar.glb', 'limbs.bvh', 'two.glb', 'nothing.glb']), f'wait:{dice.randint(1, 3)}'])


@every
def random_events_do_no_harm():
    for seed in range(8):
        dice = random.Random(seed)
        with Screen() as screen:
            samples.write(screen.path)
            done = screen.view('bar.glb', '--script', ' '.join(['resize:420x320'] + [random_word(dice) for _ in range(100)]))
            assert done.returncode == 0, f'{seed}: {done.returncode}: {done.stderr[-500:]!r}'


@promise
def a_model_that_cannot_be_opened_is_an_error_where_nobody_looks():
    with Screen() as screen:
        missing = screen.path / 'missing.glb'
        for words in (['--frames', '2'], ['--script', 'wait:2'], ['--frames', '2', '--screenshot', screen.path / 'shot.png']):
            judge_failure(screen.view(missing, *words), 1, words, 'missing.glb')
        assert not (screen.path / 'shot.png').exists()


@promise
def models_that_mean_harm_are_an_error_at_first_and_a_message_later():
    with Screen() as screen:
        samples.write(screen.path)
        harmful = harm(screen.path)
        for name in harmful:
            judge_failure(screen.view(name, '--script', 'wait:1'), 1, 'view', name)
        screen.play(HAND, *[f'drop:{name}' for name in harmful], 'wait:2', 'expect:"1.81 Hz"')


run()
