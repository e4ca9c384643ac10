"""Files that are dropped, and the dialog of exports, by scripts."""

from tap import every, promise, run
from window import HAND, LOOP, NARROW, UNSEEN, Screen


@every
def esc_closes_what_has_unfolded_before_the_dialog():
    with Screen() as screen:
        screen.play(HAND, 'key:Ctrl+E', 'click:Format', 'expect:"BVH, .bvh"', 'key:Esc', 'wait:2', 'click:Contents',
                    'expect:"the mix"', 'key:Escape', 'wait:2', 'expect:Write', 'key:Esc', 'wait:2', 'click:Tuning', 'expect:"Swings at"')
        script = [*UNSEEN, 'key:Ctrl+E', 'click:Format', 'key:Esc', 'wait:2', 'key:Esc', 'wait:2', 'click:Write']
        done = screen.view(HAND, '--script', ' '.join(script), width=NARROW)
        assert done.returncode == 1 and 'Write' in done.stderr.decode()


@promise
def what_is_wrong_with_a_file_is_said_and_the_model_stays():
    with Screen() as screen:
        (screen.path / 'broken.glb').write_bytes(b'glTF' + bytes(40))
        screen.play(HAND, 'drop:broken.glb', 'expect:broken.glb', 'expect:"mode 6"', f'drop:{LOOP}', 'expect:"mode 00"')
        done = screen.view('broken.glb', '--script', 'expect:broken.glb expect:"Open a model"')
        said = done.stderr.decode().splitlines()
        assert done.returncode == 1 and len(said) == 1 and said[0].startswith('eigenrig: error: broken.glb: '), said


run()
