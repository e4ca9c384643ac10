"""The documentation as a site: every link and picture of it leads somewhere, and the C reference is whole."""
import functools
import html.parser
import json
import pathlib
import re
import shutil
import subprocess
import tempfile
import urllib.parse

from program import ENVIRONMENT, PROGRAM
from tap import SOURCE, promise, run, skip

FOLDER = tempfile.TemporaryDirectory()


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.ids, self.targets = set(), []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.ids.add(given.get('id'))
        self.targets += [given[key] for key in ('href', 'src') if given.get(key)]


@functools.cache
def site():
    missing = [name for name in ('mkdocs', 'pandoc') if shutil.which(name) is None]
    if missing:
        skip(f'{missing[0]} is not installed')
    out = pathlib.Path(FOLDER.name) / 'site'
    subprocess.run([SOURCE / 'tools/site/build', out, PROGRAM], env=ENVIRONMENT, check=True)
    return out.resolve()


@functools.cache
def pages():
    return {file: Page(file.read_text()) for file in site().rglob('*.html')}


def is_dead(file, target):
    url = urllib.parse.urlparse(target)
    if url.scheme or target.startswith('/'):  # another site; the page for what is not found, which any folder may show
        return False
    there = (file.parent / urllib.parse.unquote(url.path)).resolve() if url.path else file
    lost = there in pages() and url.fragment and urllib.parse.unquote(url.fragment) not in pages()[there].ids
    return not there.exists() or lost


@promise
def every_link_leads_to_a_place_on_the_site():
    dead = [f'{file.relative_to(site())}: {target}' for file, page in pages().items() for target in page.targets
            if is_dead(file, target)]
    assert not dead, '\n'.join(dead)


@promise
def every_page_of_the_repository_is_in_the_contents():
    listed = {(site() / target).resolve() for target in pages()[site() / 'contents.html'].targets}
    lost = [str(page) for page in SOURCE.glob('docs/**/*.md') if page.parent.name in ('docs', 'math')
            and (site() / page.relative_to(SOURCE)).with_suffix('.html') not in listed]
    assert not lost, '\n'.join(lost)


@promise
def every_function_of_the_library_is_in_the_reference():
    lost = [f'{header.name}: {name}' for header in SOURCE.glob('include/eigenrig/*.h')
            for name in re.findall(r'^ER_API[^;]*?(\w+)\(', header.read_text(), re.M)
            if name not in pages()[site() / 'reference' / f'{header.stem}.html'].ids]
    assert not lost, '\n'.join(lost)


@promise
def every_option_of_a_command_is_on_the_page_of_commands():
    text = (site() / 'commands.html').read_text()
    for command in ('palette', 'gait', 'batch'):
        shown = subprocess.run([PROGRAM, command, '--help'], env=ENVIRONMENT, capture_output=True, text=True, check=True)
        options = re.findall(r'^ {2,6}.*?(--[a-z-]+)', shown.stdout, re.M)
        assert options and not [option for option in options if option not in text]


@promise
def formulas_are_drawn_without_a_program():
    text = (site() / 'docs/math/gait.html').read_text()
    assert text.count('<math') > 50 and '$' not in text


@promise
def the_search_knows_pages_and_functions():
    with open(site() / 'search/search_index.json') as file:
        found = {entry['location'] for entry in json.load(file)['docs']}
    assert {'docs/animate.html', 'reference/modal.html#er_modal_solve'} <= found


run()
