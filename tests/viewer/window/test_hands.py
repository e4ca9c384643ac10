"""Real keys and clicks reach the viewer as those of scripts do."""
import time

from tap import EVERY, every, promise, run
from window import GNOME, HAND, HORSE, SECONDS, Picture, Screen, changed


SIMULATE, GROUND, RUN = (896, 44), (778, 324), (812, 72)  # a tab, a box to tick in it, a button, points


def ends(process):
    process.wait(SECONDS)
    said = process.stderr.read().decode()
    assert process.returncode == 0 and not said, said


# What a hand does, and the same as a word of a script. All of it shows in the view.
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


@every
def what_lies_on_the_floor_is_lifted_with_the_mouse():
    with Screen() as screen:
        process, window = screen.start(GNOME)

        def still():
            """A picture of the window once nothing moves."""
            before = screen.look(window)
            for _ in range(SECONDS):
                time.sleep(1.0)
                after = screen.look(window)
                if changed(before, after) < 0.002:
                    return after
                before = after
            raise AssertionError('it does not come to rest')

        def click(x, y):
            screen.tool('mousemove', '--window', window, x, y)
            time.sleep(0.5)
            screen.tool('click', 1)
            time.sleep(0.5)

        time.sleep(2.0)
        screen.tool('key', '--window', window, 'BackSpace')
        standing = still()
        for place in SIMULATE, GROUND, RUN:
            click(*place)
        time.sleep(3.0)
        lying = still()
        assert changed(standing, lying) > 0.05, 'it fell'
        screen.tool('mousemove', '--window', window, 570, 250)
        time.sleep(0.5)
        screen.tool('mousedown', 1)
        for k in range(20):
            screen.tool('mousemove', '--window', window, 570, 250 - 9 * k)
            time.sleep(0.05)
        time.sleep(1.0)
        lifted = screen.look(window)
        screen.tool('mouseup', 1)
        time.sleep(3.0)
        landed = still()
        screen.tool('key', '--window', window, 'ctrl+q')
        ends(process)
        assert changed(lying, lifted) > 0.05 and changed(lifted, landed) > 0.05, (changed(lying, lifted), changed(lifted, landed))


@promise
def feet_are_planted_by_a_click_and_let_go_by_undo():
    with Screen() as screen:
        screen.play(HORSE, 'click:"mode 7"', 'click:Plant', 'wait:2', 'expect:"##planted"', 'key:Ctrl+Z', 'wait:2', 'shot:free.png')
        screen.play(HAND, 'click:"mode 7"', 'click:Plant', 'expect:"none that could be found"')


@promise
def what_was_opened_is_offered_again():
    with Screen() as screen:
        process, window = screen.start(HAND)
        time.sleep(1)
        screen.tool('key', '--window', window, 'ctrl+q')
        ends(process)
        assert str(HAND.resolve()) in (screen.path / 'state' / 'eigenrig' / 'recent').read_text()


@promise
def a_closed_window_ends_the_program():
    with Screen() as screen:
        process, window = screen.start()
        screen.close(window)
        ends(process)


run()
