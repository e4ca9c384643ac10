"""The tab of the rig: bodies are hung elsewhere and welded there, by scripts."""
import re
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
def what_hangs_on_a_body_is_not_offered_to_it():
    with Screen() as screen:
        screen.play(HORSE, 'click:Rig', 'click:Body', 'click:neck_3', 'wait:2', 'click:"Hangs on"', 'wait:2', 'expect:spine_1',
                    'expect-not:left_ear', 'key:Esc')


@every
def the_description_that_is_saved_makes_the_same_rig():
    with Screen() as screen:
        shutil.copy(HORSE, screen.path)
        plain = frequencies(screen.path)
        screen.play('horse.glb', *JAW, 'click:"Hangs on"', 'click:neck_3', 'wait:2', 'click:"welded to it"', 'click:Faces', 'click:+X',
                    'click:"Save description"', 'click:Save', 'expect:"horse.rig.lua: "')
        report = info(screen.path)
        assert re.search(r'jaw\b.* neck_3\b', report) and re.search(r'faces +\(1, 0, 0\)', report), report
        said = frequencies(screen.path)
        assert said != plain
        first = (screen.path / 'horse.rig.lua').read_text()
        screen.play('horse.glb', *JAW, 'click:"Save description"', 'click:Save', 'click:Replace', 'expect:"horse.rig.lua: "')
        assert (screen.path / 'horse.rig.lua').read_text() == first
        assert frequencies(screen.path) == said


run()
