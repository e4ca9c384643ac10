"""What the tab of the rig says of bodies, and what is said of them there, by scripts."""
import shutil
import subprocess

from tap import every, promise, run
from window import ENVIRONMENT, HORSE, PROGRAM, Screen

JAW = ('click:Rig', 'click:Body', 'click:jaw')


def info(folder, *words):
    done = subprocess.run([PROGRAM, 'info', 'horse.glb', *words], cwd=folder, env=ENVIRONMENT, capture_output=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.decode()


def frequencies(folder):
    done = subprocess.run([PROGRAM, 'modes', 'horse.glb', '-q'], cwd=folder, env=ENVIRONMENT, capture_output=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@promise
def a_body_says_why_and_is_hung_elsewhere_and_welded_with_undo():
    with Screen() as screen:
        screen.play(HORSE, *JAW, 'expect:"a bone of the skin"', 'expect:"It hangs on head, as its node does; 57 % of its skin."',
                    'click:"Hangs on"', 'click:neck_3', 'expect:"It hangs on neck_3: as somebody says (the node hangs on head)."',
                    'key:Ctrl+Z', 'expect:"It hangs on head"', 'key:Ctrl+Y', 'expect:"It hangs on neck_3"', 'key:Ctrl+Z',
                    'click:"Hangs on"', 'click:"nothing: a root"', 'expect:"A root: it hangs on nothing."', 'key:Ctrl+Z',
                    'click:"welded to it"', 'click:Tuning', 'expect:"jaw: fixed"', 'key:Ctrl+Z', 'expect:"jaw: spherical"')


@promise
def what_hangs_on_a_body_is_not_offered_to_it():
    with Screen() as screen:
        screen.play(HORSE, 'click:Rig', 'click:Body', 'click:neck_3', 'wait:2', 'click:"Hangs on"', 'wait:2', 'expect:spine_1',
                    'expect-not:left_ear', 'key:Esc')


@every
def the_description_that_is_saved_makes_the_same_rig():
    with Screen() as screen:
        shutil.copy(HORSE, screen.path)
        plain = frequencies(screen.path)
        screen.play('horse.glb', *JAW, 'click:"Hangs on"', 'click:neck_3', 'expect:"It hangs on neck_3"', 'click:"welded to it"',
                    'click:Faces', 'click:+X', 'click:"Save description"', 'click:Save', 'expect:"horse.rig.lua: written"')
        report = info(screen.path)
        assert 'fixed to neck_3; as somebody says (the node hangs on head)' in report, report
        assert 'faces        (1, 0, 0), sure by 100 %' in report, report
        said = frequencies(screen.path)
        assert said != plain
        first = (screen.path / 'horse.rig.lua').read_text()
        screen.play('horse.glb', *JAW, 'expect:"It hangs on neck_3"', 'expect:"It faces (1, 0, 0), as was said."',
                    'click:"Save description"', 'click:Save', 'expect:"There is a file of this name already."', 'click:Replace',
                    'expect:written')
        assert (screen.path / 'horse.rig.lua').read_text() == first
        assert frequencies(screen.path) == said


run()
