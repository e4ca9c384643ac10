"""A scene in a real window, with real keys and a real mouse."""
import pathlib
import subprocess
import sys
import time

from tap import promise, run

sys.path.append(str(pathlib.Path(__file__).parents[1] / 'window'))
from window import PROGRAM, SECONDS, Screen, changed

SCENE = """local eigenrig = require("eigenrig")
local scene = eigenrig.scene{gravity = {0, 0, 0}, camera = {eye = {0, 0, 6}, target = {0, 0, 0}}}
local ball = scene:actor{sphere = 1, material = scene:material{colour = {1, 0, 0}}}
scene:on("key_down", function(e) if e.key == "up" then ball.position = {0, 50, 0} end end)
return scene
"""


def until(screen, window, judge):
    """Looks until a picture is as it should be."""
    for _ in range(SECONDS // 4):
        time.sleep(0.5)  # before a window is there, X has no picture of it
        picture = screen.look(window)
        if judge(picture):
            return picture
    raise AssertionError('the window did not show it')


@promise
def keys_and_mouse_reach_the_scene_and_its_camera():
    with Screen() as screen:
        scene, events = screen.path / 'ball.scene.lua', screen.path / 'hands.events'
        scene.write_text(SCENE)
        process, window = screen.start('--record', events, scene, command='play')

        def hands(*words):
            screen.tool(*[window if word is None else word for word in words])

        def red(picture):
            return sum(row[3 * x] > row[3 * x + 2] + 60 for row in picture.rows[::8] for x in range(0, picture.width, 8))

        ball = until(screen, window, lambda picture: red(picture) > 50)
        hands('key', '--window', None, 'ctrl+p')
        hands('key', '--window', None, 'ctrl+v')
        wires = until(screen, window, lambda picture: red(picture) < red(ball) / 3)
        hands('mousemove', '--window', None, 500, 300, 'mousedown', 3, 'mousemove', '--window', None, 600, 300, 'mouseup', 3)
        until(screen, window, lambda picture: changed(picture, wires) > 0.001)
        hands('key', '--window', None, 'ctrl+v', 'ctrl+p')
        until(screen, window, lambda picture: red(picture) > 50)
        hands('key', '--window', None, 'Up')
        until(screen, window, lambda picture: red(picture) == 0)
        screen.close(window)
        process.wait(SECONDS)
        assert process.returncode == 0, process.stderr.read().decode()
        assert 'key_down' in events.read_text()
        again = subprocess.run([PROGRAM, 'play', '--headless', '--replay', events, scene], env=screen.environment, capture_output=True)
        assert again.returncode == 0, again.stderr.decode()


run()
