"""Real keys and clicks reach the viewer as those of scripts do."""
import time

from tap import promise, run
from window import HAND, SECONDS, Screen


def ends(process):
    process.wait(SECONDS)
    said = process.stderr.read().decode()
    assert process.returncode == 0 and not said, said


@promise
def keys_and_clicks_reach_the_panels():
    with Screen() as screen:
        process, window = screen.start(HAND)
        screen.tool('mousemove', '--window', window, 120, 250, 'click', 1)
        time.sleep(2)
        for key in ('a', 'm', 'space', 'Right', 'Left', 'g', 't', '2', '1', 'w', 'question', 'Escape', 'ctrl+z', 'ctrl+y'):
            screen.tool('key', '--window', window, key)
            time.sleep(0.3)
        screen.tool('mousemove', '--window', window, 520, 250, 'mousedown', 1, 'mousemove', '--window', window, 560, 280, 'mouseup', 1)
        screen.tool('key', '--window', window, 'ctrl+q')
        ends(process)


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
        screen.tool('windowquit', window, check=False)
        screen.tool('key', '--window', window, 'ctrl+q', check=False)
        ends(process)


run()
