"""The page: one file that opens from disk, with a row a model; it sorts and filters."""
import html.parser
import json
import math
import os
import re
import shutil
import subprocess

from batches import Folder, batch, fill, limbs, manifest, program, tree
from tap import promise, run, skip

NAME = 'q"uo\'te <b>&amp; 漢.bvh'


def mechanism():
    """A pendulum without a spring: it has no elastic mode."""
    inertia = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    body = {'name': 'bob', 'mass': 1, 'com': [0, -1, 0], 'inertia': inertia, 'position': [0, 0, 0], 'orientation': [1, 0, 0, 0]}
    joint = {'name': 'pin', 'parent': -1, 'child': 0, 'type': 'spherical', 'position': [0, 0, 0], 'orientation': [1, 0, 0, 0],
             'stiffness': [0, 0, 0], 'damping': [0, 0, 0], 'limits': None, 'closes_loop': False}
    return {'format': 'eigenrig-rig', 'version': 1, 'name': 'pendulum', 'source': '', 'bodies': [body], 'joints': [joint]}


def chain(count):
    """Pendulums below each other, on springs."""
    rig = mechanism()
    body, joint = rig['bodies'][0], rig['joints'][0]
    rig['bodies'] = [body | {'name': f'bob{k}', 'position': [0, -2 * k, 0]} for k in range(count)]
    rig['joints'] = [joint | {'name': f'pin{k}', 'parent': k - 1, 'child': k, 'position': [0, -2 * k, 0], 'stiffness': [50, 70, 90 if k > 0 else 1e8]}
                     for k in range(count)]
    return rig


def page(folder):
    fill(folder / 'in', 4)
    (folder / 'in' / NAME).write_bytes(limbs(9))
    (folder / 'in' / 'bad <i>.glb').write_bytes(b'<script>')
    batch('in', '-o', 'out', status=1, cwd=folder)
    return folder / 'out' / 'index.html'


@promise
def what_is_not_seen_in_names_does_nothing_to_a_page_or_a_table():
    with Folder() as folder:
        (folder / 'in').mkdir()
        for name in ('ri\u202eght.bvh', 'c1\u009b31m.bvh', 'line\u2028.bvh', 'no\u200bwidth.bvh', 'tab\t.bvh'):
            (folder / 'in' / name).write_bytes(limbs(1))
            (folder / 'in' / f'bad{name}').write_bytes(b'')
        told, _ = batch('in', '-o', 'out', status=1, cwd=folder)
        _, log = batch('in', '-o', 'out2', '--errors', 'json', status=1, cwd=folder)
        lines = [json.loads(line) for line in log.split('\n')[:-1]]
        assert sorted(line['input'] for line in lines if line['kind'] == 'model') == sorted(manifest(folder / 'out'))  # as they are, for programs
        for text in (told, (folder / 'out' / 'index.html').read_text()):
            assert not set(text) & set('\u202e\u009b\u2028\u200b\t') and 'no?width.bvh' in text, text
        assert 'no\u200bwidth.bvh' in manifest(folder / 'out')  # which is for programs


class Rows(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.rows, self.links, self.open, self.foreign = [], [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.foreign += [value for name, value in attributes if name in ('src', 'href') and not value.startswith('./')]
        if tag == 'a':
            self.links.append(values['href'])
        if tag == 'tr':
            self.rows.append([])
        if tag == 'td':
            self.rows[-1].append('')
        if tag not in ('meta', 'br', 'col', 'input', 'img', 'line', 'path'):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, (tag, self.open[-3:])
        self.open.pop()

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_data(self, text):
        if self.rows and self.rows[-1]:
            self.rows[-1][-1] += text


@promise
def every_model_has_a_row_and_nothing_comes_from_elsewhere():
    with Folder() as folder:
        text = page(folder).read_text()
        rows = Rows(text)
        assert not rows.open and not rows.foreign and '//' not in re.sub(r'\s//.*', '', text), rows.foreign
        found = [row for row in rows.rows if row]
        entries = list(manifest(folder / 'out').values())
        assert len(found) == len(entries) == 7
        entries.sort(key=lambda entry: entry['status'] != 'failed')  # first, and the others as they were
        assert entries[0]['reason'] == 'format'
        for row, entry in zip(found, entries):
            assert row[0].startswith(entry['input']) and (entry['error'] or '') in row[7], row
        from urllib.parse import unquote
        assert all((folder / 'out' / unquote(link)).is_file() for link in rows.links) and len(rows.links) == 6


def in_si(said):
    """A number with its unit, as people write it, in SI."""
    number, _, unit = said.partition('\xa0')
    return float(number) * {'': 1, 'kg': 1, 'g': 1e-3, 'mg': 1e-6, 't': 1e3, 'm': 1, 'cm': 1e-2, 'mm': 1e-3, 'km': 1e3, 'B': 1, 'kB': 1e3, 'MB': 1e6}[unit]


@promise
def it_says_when_and_how_it_was_made_and_how_large_files_are():
    with Folder() as folder:
        fill(folder / 'in', 2)
        then = dict(program.ENVIRONMENT, SOURCE_DATE_EPOCH='1000000000')
        batch('in', '-o', 'out', '--write', 'glb,json', '--mass', '2500', env=then, cwd=folder)
        batch('in', '-o', 'out', '--resume', '--only', 'set*', '--mass', '3e-4', env=then, cwd=folder)
        path = folder / 'out' / 'index.html'
        made = re.search(r'<p class="made">(.*)</p>', path.read_text())[1]
        version = program.works('--version').strip()
        assert made == f'<time>2001-09-09 01:46 UTC</time><br>{version} <code>--write glb,json --mass 2500</code><br>{version} <code>--mass 3e-4</code>', made
        rows = {row[0].split('.')[0]: row for row in Rows(path.read_text()).rows if row}
        assert rows['bar'][3] == '2.5\xa0t' and rows['set0/limbs000'][3] == '300\xa0mg', rows
        assert abs(in_si(re.search(r'json\xa0(\S+\xa0\w+)', rows['bar'][0])[1]) / (folder / 'out' / 'bar.glb.json').stat().st_size - 1) < 6e-3
        now = path.read_bytes()
        batch('in', '-o', 'out', '--resume', '--only', 'set*', '--mass', '3e-4', cwd=folder)
        assert path.read_bytes() != now and b'<time>20' in path.read_bytes()


@promise
def figures_and_spectra_are_those_of_the_manifest():
    with Folder() as folder:
        fill(folder / 'in', 1)
        (folder / 'in' / 'chain.json').write_text(json.dumps(chain(30)))
        (folder / 'in' / 'stiff.json').write_text(json.dumps(mechanism()))
        batch('in', '-o', 'out', cwd=folder)
        text = (folder / 'out' / 'index.html').read_text()
        rows = [row for row in Rows(text).rows if row]
        paths = re.findall(r'<td(?: data-value="([^"]*)"><svg[^>]*>.*?<path d="([^"]*)"/></svg>|></td><td class="words">)', text)
        for row, (lowest, path), entry in zip(rows, paths, manifest(folder / 'out').values(), strict=True):
            elastic = [f for f in entry['frequencies_hz'] if f > 0]
            want = [entry['bodies'], entry['dof'], entry['mass_kg'], entry['height_m'], min(elastic, default=None)]
            for said, value in zip(row[1:6], want):
                assert said == '' if value is None else abs(in_si(said) - value) <= 6e-3 * value + 6e-4, (said, value)
            places = [80 * (math.log10(f) + 1) for f in elastic]  # 80 pixels a decade from 0.1 Hz on
            places = [x for x in places if 0 <= x <= 240][:64]
            ticks = [float(x) for x in re.findall(r'M([\d.]+) 3v12', path)]
            assert len(ticks) == len(places) and all(abs(x - y) < 0.06 for x, y in zip(ticks, places)), entry['input']
            assert lowest == '' if not elastic else abs(float(lowest) / elastic[0] - 1) < 1e-6
        assert len(rows) == 4 and max(path.count('M') for _, path in paths) == 64


@promise
def names_that_are_no_utf8_are_linked_by_their_bytes():
    with Folder() as folder:
        (folder / 'in').mkdir()
        (folder / 'in' / os.fsdecode(b'odd\xff.bvh')).write_bytes(limbs(3))
        batch('in', '-o', 'out', cwd=folder)
        links = Rows((folder / 'out' / 'index.html').read_text()).links
        assert links == ['./odd%FF.bvh.json'] and (folder / 'out' / os.fsdecode(b'odd\xff.bvh.json')).is_file(), links


@promise
def sheets_are_those_of_render_and_stand_in_their_rows():
    with Folder() as folder:
        fill(folder / 'in', 1)
        (folder / 'in' / 'stiff.json').write_text(json.dumps(mechanism()))
        done = program.run('render', 'in/bar.glb', '--sheet', '--amplitude', 30, '-o', 'bar.png', cwd=folder)
        if b'no picture can be drawn here' in done.stderr:
            skip('no picture can be drawn here')
        for jobs in (1, 3):
            batch('in', '-o', f'out{jobs}', '--jobs', jobs, '--write', 'sheet', '--amplitude', 30, cwd=folder)
        entries = manifest(folder / 'out1')
        assert tree(folder / 'out1') == tree(folder / 'out3')
        assert (folder / 'out1' / 'bar.glb.png').read_bytes() == (folder / 'bar.png').read_bytes()
        assert entries['stiff.json']['outputs'] == [] and 'elastic' in entries['stiff.json']['warnings'][0]
        pictures = re.findall(r'<img[^>]* src="([^"]*)"', (folder / 'out1' / 'index.html').read_text())
        assert pictures == ['./bar.glb.png', './set0/limbs000.bvh.png'], pictures


@promise
def where_no_picture_can_be_drawn_is_said_before_the_first_model():
    with Folder() as folder:
        fill(folder / 'in', 1)
        blind = dict(program.ENVIRONMENT, __EGL_VENDOR_LIBRARY_FILENAMES='/nonexistent')
        _, said = batch('in', '-o', 'out', '--write', 'json,sheet', env=blind, status=3, cwd=folder)
        assert said.count('\n') == 1 and 'no picture can be drawn here' in said, said
        assert not (folder / 'out').exists()


@promise
def it_sorts_and_filters_in_a_browser():
    browser = shutil.which('chromium') or shutil.which('chromium-browser')
    if browser is None:
        skip('there is no chromium')
    with Folder() as folder:
        path = page(folder)
        judge = '''<script>{
            const names = () => [...document.querySelector('tbody').rows].filter(row => !row.hidden)
                .map(row => row.cells[0].dataset.value);
            const heads = [...document.querySelectorAll('th')], told = {};
            const find = document.getElementById('find'), kind = document.getElementById('kind');
            told.all = names();
            heads[3].onclick(); told.up = names();
            heads[3].onclick(); told.down = names();
            find.value = 'LIMBS set1'; find.oninput(); told.found = names();
            find.value = ''; kind.value = 'failed'; kind.onchange(); told.failed = names();
            kind.value = 'warned'; kind.onchange(); told.warned = names();
            const text = document.createElement('pre'); text.id = 'told'; text.textContent = JSON.stringify(told);
            document.body.append(text); }</script></body>'''
        tested = path.with_name('tested.html')
        tested.write_text(path.read_text().replace('</body>', judge))
        done = subprocess.run([browser, '--headless', '--no-sandbox', '--disable-gpu', f'--user-data-dir={folder}/profile',
                               '--dump-dom', tested.as_uri()], capture_output=True, text=True, timeout=120)
        found = re.search(r'<pre id="told">(.*?)</pre>', done.stdout)
        if found is None and not done.stdout:
            skip(f'chromium does not run here: {done.stderr.strip().splitlines()[-1:]}')
        import html
        told = json.loads(html.unescape(found[1]))
        entries = manifest(folder / 'out')
        assert told['all'] == sorted(entries, key=lambda name: entries[name]['status'] != 'failed')
        mass = {name: entry.get('mass_kg') for name, entry in entries.items()}
        weighed = [mass[name] for name in told['up'] if mass[name] is not None]
        assert weighed == sorted(weighed) and told['up'][-1] == told['down'][-1] == 'bad <i>.glb'
        assert [mass[name] for name in told['down'][:-1]] == weighed[::-1]
        assert sorted(told['found']) == ['set1/limbs001.bvh', 'set1/limbs003.bvh']
        assert told['failed'] == ['bad <i>.glb']
        assert sorted(told['warned']) == sorted(name for name, entry in entries.items() if entry['warnings'])


run()
