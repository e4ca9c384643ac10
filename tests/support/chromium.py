"""Chromium over the pipe of its DevTools protocol: pages from disk, without a network, under real input."""
import base64
import contextlib
import fcntl
import json
import os
import pathlib
import select
import subprocess
import tempfile
import time

from clients import SYSTEM, found

SECONDS = 100  # beyond, an answer does not come
KEYS = {'Tab': 9, 'Enter': 13, ' ': 32, 'Home': 36, 'ArrowLeft': 37, 'ArrowUp': 38, 'ArrowRight': 39, 'ArrowDown': 40}


class Chromium:
    """One window without a screen."""

    def __init__(self, home, width, height, words=()):
        low_read, self._to = os.pipe()
        self._from, low_write = os.pipe()
        to_read, to_write = (fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (low_read, low_write))
        words = ['--headless', '--remote-debugging-pipe', '--no-first-run', '--disable-background-networking',
                 '--enable-unsafe-swiftshader', '--use-angle=swiftshader', f'--user-data-dir={home}',
                 f'--window-size={width},{height}', '--host-resolver-rules=MAP * ~NOTFOUND', *words]
        if os.geteuid() == 0:
            words.append('--no-sandbox')  # root may not have one
        environment = {'PATH': SYSTEM, 'HOME': str(home), 'TMPDIR': str(home), 'LANG': 'C.UTF-8'}
        self._log = open(pathlib.Path(home) / 'log', 'wb')
        # the protocol's pipes are descriptors 3 and 4
        self._program = subprocess.Popen(
            ['bash', '-c', f'exec 3<&{to_read} 4>&{to_write} {to_read}<&- {to_write}>&-; exec "$@"', 'bash',
             found('chromium', 'chromium'), *words, 'about:blank'], env=environment, stdin=subprocess.DEVNULL,
            stdout=self._log, stderr=self._log, pass_fds=(to_read, to_write), start_new_session=True)
        for end in (low_read, low_write, to_read, to_write):
            os.close(end)
        self._rest, self._number, self._session = b'', 0, None
        self.failures = []  # exceptions and errors that pages report
        target = next(t for t in self.call('Target.getTargets')['targetInfos'] if t['type'] == 'page')
        self._session = self.call('Target.attachToTarget', targetId=target['targetId'], flatten=True)['sessionId']
        for domain in ('Page', 'Runtime', 'Log', 'Network'):
            self.call(f'{domain}.enable')

    def close(self):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._program.pid, 9)
        self._program.wait()
        os.close(self._to)
        os.close(self._from)
        self._log.close()

    def _receive(self, end):
        while b'\0' not in self._rest:
            left = end - time.monotonic()
            assert left > 0 and select.select([self._from], [], [], left)[0], f'no answer within {SECONDS} s'
            more = os.read(self._from, 1 << 20)
            assert more, 'Chromium ended'
            self._rest += more
        message, self._rest = self._rest.split(b'\0', 1)
        message = json.loads(message)
        method, about = message.get('method'), message.get('params', {})
        if method == 'Runtime.exceptionThrown':
            self.failures.append(about['exceptionDetails'].get('exception', {}).get('description') or str(about))
        elif method == 'Log.entryAdded' and about['entry']['level'] == 'error':
            self.failures.append(about['entry']['text'])
        elif method == 'Network.requestWillBeSent':
            address = about['request']['url']
            if not address.startswith(('file:', 'data:', 'blob:')):
                self.failures.append('asks the network for ' + address)
        return message

    def call(self, method, **about):
        """Calls a method of the protocol: its result."""
        self._number += 1
        message = {'id': self._number, 'method': method, 'params': about}
        if self._session is not None:
            message['sessionId'] = self._session
        os.write(self._to, json.dumps(message).encode() + b'\0')
        end = time.monotonic() + SECONDS
        while True:
            answer = self._receive(end)
            if answer.get('id') == self._number:
                assert 'error' not in answer, f'{method}: {answer["error"]}'
                return answer['result']

    def open(self, path, ready='document.readyState === "complete"'):
        """Opens a file from disk, and waits until an expression holds in it."""
        self.failures.clear()
        self.call('Page.navigate', url=pathlib.Path(path).resolve().as_uri())
        self.wait(ready)

    def wait(self, expression):
        end = time.monotonic() + SECONDS
        while not self.value(f'Boolean({expression})'):
            assert not self.failures, self.failures
            assert time.monotonic() < end, f'{expression} does not come true'

    def value(self, expression):
        """The value of an expression, or of its promise."""
        answer = self.call('Runtime.evaluate', expression=expression, returnByValue=True, awaitPromise=True)
        assert 'exceptionDetails' not in answer, answer['exceptionDetails'].get('exception', {}).get('description')
        return answer['result'].get('value')

    def picture(self, path):
        """Writes the window as PNG."""
        pathlib.Path(path).write_bytes(base64.b64decode(self.call('Page.captureScreenshot')['data']))

    # --- input

    def _mouse(self, kind, x, y, **more):
        self.call('Input.dispatchMouseEvent', type=kind, x=x, y=y, **more)

    def click(self, selector):
        """Clicks into the middle of an element, scrolled into view."""
        x, y = self.value(f'''(() => {{ const e = document.querySelector({json.dumps(selector)}); e.scrollIntoView();
            const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }})()''')
        for kind in ('mousePressed', 'mouseReleased'):
            self._mouse(kind, x, y, button='left', clickCount=1, buttons=1 if kind == 'mousePressed' else 0)

    def drag(self, begin, end):
        self._mouse('mousePressed', *begin, button='left', buttons=1, clickCount=1)
        self._mouse('mouseMoved', *end, button='left', buttons=1)
        self._mouse('mouseReleased', *end, button='left', clickCount=1)

    def touch(self, *paths):
        """Moves as many fingers along straight lines of points."""
        for i, points in enumerate(zip(*paths)):
            fingers = [{'x': x, 'y': y, 'id': k} for k, (x, y) in enumerate(points)]
            self.call('Input.dispatchTouchEvent', type='touchMove' if i else 'touchStart', touchPoints=fingers)
        self.call('Input.dispatchTouchEvent', type='touchEnd', touchPoints=[])

    def key(self, name, text=''):
        code = KEYS.get(name, 0)
        text = {'Enter': '\r', ' ': ' '}.get(name, text)
        self.call('Input.dispatchKeyEvent', type='keyDown' if text else 'rawKeyDown', key=name, text=text,
                  windowsVirtualKeyCode=code)
        self.call('Input.dispatchKeyEvent', type='keyUp', key=name, windowsVirtualKeyCode=code)


@contextlib.contextmanager
def chromium(width=1280, height=800, words=()):
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        client = Chromium(home, width, height, words)
        try:
            yield client
        finally:
            client.close()
