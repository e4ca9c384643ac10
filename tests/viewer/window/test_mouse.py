"""Real keys and clicks reach the viewer as those of scripts do."""
import time

from tap import EVERY, promise, run
from window import HAND, SECONDS, Picture, Screen, changed


def ends(process):
    process.wait(SECONDS)
    said = process.stderr.read().decode()
    assert process.returncode == 0 and not said, said


# A deed of a hand, and the same as a word of a script. All of them show in the view.
def key(name, word=None):
    return ['key', '--window', None, name], f'key:{word or name}'


PAUSE = key('space', 'Space')
CLICK = ['mousemove', '--window', None, 650, 587, 'click', 1], 'click:650,587'  # the time, upon the curve
KEYS = [*4 * [key('Right')], *map(key, '2xgt')]
DRAG = (['mousemove', '--window', None, 520, 250, 'mousedown', 1, 'mousemove', '--window', None, 560, 280, 'mouseup', 1],
        'drag:520,250,560,280')
ALL = PAUSE, CLICK, *KEYS, DRAG


def scripted(screen, deeds):
    screen.play(HAND, *[word for _, word in deeds], 'wait:2', 'shot:scripted.png')
    return Picture(screen.path / 'scripted.png')


@promise
def keys_and_clicks_reach_the_view_as_those_of_scripts():
    with Screen() as screen:
        wanted = scripted(screen, ALL)
        for left_out in (CLICK, DRAG) if EVERY else ():
            less = scripted(screen, [deed for deed in ALL if deed is not left_out])
            assert changed(wanted, less) > 0.005, left_out
        began = scripted(screen, [])
        process, window = screen.start(HAND)
        for _ in range(SECONDS):  # until there is something to click
            time.sleep(0.5)
            if changed(began, screen.look(window)) < 0.3:
                break
        for words, _ in ALL:
            screen.tool(*[window if word is None else word for word in words])
        for _ in range(SECONDS):  # until the frames have caught up
            time.sleep(0.5)
            unlike = changed(wanted, screen.look(window))
            if unlike < 0.001:
                break
        screen.tool('key', '--window', window, 'ctrl+q')
        ends(process)
        assert unlike < 0.001, unlike


@promise
def a_window_that_is_closed_remembers_what_was_opened():
    with Screen() as screen:
        process, window = screen.start(HAND)
        time.sleep(1)
        screen.close(window)
        ends(process)
        assert str(HAND.resolve()) in (screen.path / 'state' / 'eigenrig' / 'recent').read_text()


run()
