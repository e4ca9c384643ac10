"""One name, one thing: no two types and no two files of the library share a name, and the prefix tells public from private."""
import functools
import re

from rooms import CODE
from tap import SOURCE, promise, run

LIBRARY = [SOURCE / 'include', SOURCE / 'src']
TYPE = re.compile(r'^(?:typedef )?(?:struct|union|enum) (\w+) \{|^\} (\w+);|^typedef [^{;]*?\b(\w+)(?:\[[^\]]*\])?;', re.MULTILINE)
OPAQUE = re.compile(r'^typedef (?:struct|union) (\w+) (\w+);', re.MULTILINE)
PREFIXED = re.compile(r'\b(?:eri?|ERI?)_\w+')


def files(*tops):
    return [path for top in tops for path in sorted(top.glob('**/*.[ch]'))]


@functools.cache
def types():
    """Name of a type to the files that define it; one that is only declared does not count."""
    found = {}
    for path in files(*LIBRARY):
        text = path.read_text()
        declared = {name for pair in OPAQUE.findall(text) for name in pair}
        for names in TYPE.findall(text):
            name = next(filter(None, names))
            if name not in declared or re.search(rf'^struct {name} \{{', text, re.MULTILINE):
                found.setdefault(name, set()).add(str(path.relative_to(SOURCE)))
    return found


@promise
def each_type_has_one_definition():
    shared = {name: sorted(paths) for name, paths in types().items() if len(paths) > 1}
    assert len(types()) > 300 and not shared, '\n' + '\n'.join(f'{name}: {", ".join(shared[name])}' for name in sorted(shared))


@promise
def each_file_has_a_name_of_its_own():
    for top in ('src', 'viewer'):
        found = {}
        for path in files(SOURCE / top):
            found.setdefault(path.stem, set()).add(path.parent.relative_to(SOURCE))
        shared = {stem: sorted(map(str, folders)) for stem, folders in found.items() if len(folders) > 1}
        assert found and not shared, shared


@promise
def the_prefix_tells_public_from_private():
    public = {name for path in files(SOURCE / 'include') for name in PREFIXED.findall(path.read_text())}
    wrong = {name for name in public if name.lower().startswith('eri_')}
    assert not wrong, f'private names in public headers: {sorted(wrong)}'
    used = {}
    for path in files(*(SOURCE / top for top in CODE)):
        for name in PREFIXED.findall(path.read_text()):
            used.setdefault(name, path.relative_to(SOURCE))
    wrong = {name: path for name, path in used.items() if name.lower().startswith('er_') and name not in public
             and not any(whole.startswith(name) for whole in public)}
    assert not wrong, f'names that look public and stand in no public header: {wrong}'


run()
