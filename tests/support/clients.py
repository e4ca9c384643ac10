"""Other people's programs, asked what they read in our files: where they are, or why they are missing; each runs in a
clean folder, under a limit on time, and answers every job (what a job and its answer are, blender_heads.py and other
drivers say)."""
import contextlib
import functools
import http.server
import json
import os
import pathlib
import queue
import shutil
import signal
import subprocess
import tempfile
import threading

from tap import SOURCE, skip

HERE = pathlib.Path(__file__).parents[1] / 'clients'
THREE = SOURCE / 'tests' / 'clients' / 'node_modules' / 'three'
SECONDS = 200  # beyond, a client hangs; the slowest call takes 30 s
SYSTEM = '/usr/bin:/bin'  # Debian's programs want Debian's Python


@contextlib.contextmanager
def started(command, folder):
    """A client at work in a folder that is its home; it ends with the block, whatever it has started too."""
    environment = {'PATH': SYSTEM, 'HOME': str(folder), 'TMPDIR': str(folder), 'LANG': 'C.UTF-8'}
    with open(folder / 'log', 'ab') as log:
        client = subprocess.Popen(list(map(str, command)), cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                                  stdout=log, stderr=log, start_new_session=True)
    try:
        yield client
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(client.pid, signal.SIGKILL)
        client.wait()


def last_words(folder):
    return (folder / 'log').read_text(errors='replace')[-2000:]


@functools.cache
def found(name, package):
    path = shutil.which(name, path=SYSTEM)
    return path or skip(f'there is no {name} (Debian: {package})')


def need_plain_build():
    """Other people's programs find the same in files that a build with sanitizers has written."""
    if os.environ.get('EIGENRIG_SANITIZED') == '1':
        skip('the build has sanitizers, and the files are those of a build without')


def ask_blender(jobs, driver=HERE / 'blender_heads.py'):
    """Answers of one Blender to a driver's jobs; of another one from where the last died."""
    need_plain_build()
    blender = found('blender', 'blender')
    answers = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        while len(answers) < len(jobs):
            (folder / 'jobs.json').write_text(json.dumps(jobs[len(answers):]))
            (folder / 'answers').write_text('')
            with started([blender, '-b', '--factory-startup', '--python-exit-code', '1', '--python',
                          driver, '--', 'jobs.json', 'answers'], folder) as client:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    client.wait(timeout=SECONDS)
            answers += map(json.loads, (folder / 'answers').read_text().splitlines())
            if len(answers) < len(jobs):
                answers.append({'error': f'Blender ended, status {client.returncode}: {last_words(folder)}'})
    return answers


class _Site(http.server.SimpleHTTPRequestHandler):
    """A folder, and a place to post answers to."""

    def do_POST(self):
        self.server.answers.put(self.rfile.read(int(self.headers['Content-Length'])))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def site(folder):
    """A server of a folder on this machine alone: its address, and what is posted to it."""
    with http.server.ThreadingHTTPServer(('127.0.0.1', 0), functools.partial(_Site, directory=folder)) as server:
        server.answers = queue.Queue()
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f'http://127.0.0.1:{server.server_port}', server.answers
        server.shutdown()


def ask_three(jobs):
    """Answers of three.js in one Chromium that has no other network."""
    need_plain_build()
    chromium = found('chromium', 'chromium')
    if not THREE.is_dir():
        skip('npm ci in tests/clients brings three.js; it is not there')
    with tempfile.TemporaryDirectory() as name:
        www, home = pathlib.Path(name, 'www'), pathlib.Path(name, 'home')
        www.mkdir()
        home.mkdir()
        shutil.copy(HERE / 'three_nodes.html', www / 'index.html')
        (www / 'three').symlink_to(THREE)
        for k, job in enumerate(jobs):
            (www / str(k)).symlink_to(pathlib.Path(job['path']).parent)
        (www / 'jobs').write_text(json.dumps(
            [job | {'path': f'/{k}/{pathlib.Path(job["path"]).name}'} for k, job in enumerate(jobs)]))
        with site(www) as (address, answers):
            words = ['--headless', '--disable-gpu', '--no-first-run', '--disable-background-networking',
                     f'--user-data-dir={home}', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1']
            if os.geteuid() == 0:
                words.append('--no-sandbox')  # root may not have one
            with started([chromium, *words, address + '/'], home) as client:
                for _ in range(SECONDS):
                    with contextlib.suppress(queue.Empty):
                        return json.loads(answers.get(timeout=1))
                    assert client.poll() is None, f'Chromium ended, status {client.returncode}: {last_words(home)}'
                raise AssertionError(f'no answer within {SECONDS} s: {last_words(home)}')
