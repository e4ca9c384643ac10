"""Links between the project's own pages lead somewhere, and so do the pages that headers and code cite."""
import re

from tap import SOURCE, promise, run

PAGES = [page for page in SOURCE.rglob('*.md') if not {'node_modules', 'out'} & set(page.parts)
         and not any(part.startswith('build') for part in page.relative_to(SOURCE).parts)]


@promise
def every_link_leads_to_a_file():
    dead = [f'{page.relative_to(SOURCE)}: {target}' for page in PAGES
            for target in re.findall(r'\]\(([^)#\s]+)', page.read_text())
            if not target.startswith(('http:', 'https:')) and not (page.parent / target).exists()]
    assert not dead, '\n'.join(dead)


@promise
def every_page_that_code_cites_is_there():
    files = [file for folder in ('include', 'src', 'viewer', 'tools', 'tests', 'models') for file in (SOURCE / folder).rglob('*.[ch]')]
    dead = [f'{file.relative_to(SOURCE)}: {cited}' for file in files
            for cited in re.findall(r'\bdocs/[\w/]+\.md', file.read_text()) if not (SOURCE / cited).exists()]
    assert not dead, '\n'.join(dead)


run()
