"""The page: one file that opens from disk, with a row a model; it sorts and filters."""
import html.parser
import json
import re
import shutil
import subprocess

from batches import Folder, batch, fill, limbs, manifest
from tap import promise, run, skip

NAME = 'q"uo\'te <b>&amp; 漢.bvh'


def page(folder):
    fill(folder / 'in', 4)
    (folder / 'in' / NAME).write_bytes(limbs(9))
    (folder / 'in' / 'bad <i>.glb').write_bytes(b'<script>')
    batch('in', '-o', 'out', status=1, cwd=folder)
    return folder / 'out' / 'index.html'


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
        for row, entry in zip(found, entries):
            assert row[0].startswith(entry['input']) and (entry['error'] or '') in row[7], row
        from urllib.parse import unquote
        assert all((folder / 'out' / unquote(link)).is_file() for link in rows.links) and len(rows.links) == 6


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
        assert told['all'] == list(entries)
        mass = {name: entry.get('mass_kg') for name, entry in entries.items()}
        weighed = [mass[name] for name in told['up'] if mass[name] is not None]
        assert weighed == sorted(weighed) and told['up'][-1] == told['down'][-1] == 'bad <i>.glb'
        assert [mass[name] for name in told['down'][:-1]] == weighed[::-1]
        assert sorted(told['found']) == ['set1/limbs001.bvh', 'set1/limbs003.bvh']
        assert told['failed'] == ['bad <i>.glb']
        assert sorted(told['warned']) == sorted(name for name, entry in entries.items() if entry['warnings'])


run()
