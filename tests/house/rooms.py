"""The rooms of docs/architecture.md, and which of them a file stands in."""
import functools
import re

from tap import SOURCE, skip

CODE = ('src', 'viewer', 'tools')
HEADERS = {'worlds': 'formats', 'plots': 'formats', 'ode': 'dynamics', 'mechanics': 'dynamics', 'control': 'gait'}  # public headers that are not named after their room
PUBLIC = 'public headers'  # a cell that allows every <eigenrig/...> and no other room's private header


def read_rooms(text):
    """Room to the set of rooms it may include, from the list items "- **room**: ... May include a, b. Never touches ..."."""
    table = {}
    for item in re.findall(r'^- \*\*([a-z]+(?:/[a-z]+)?)\*\*: (.*(?:\n  .*)*)', text, re.MULTILINE):
        room, allowed = item[0], re.search(r'May include ([^.]+)\. Never touches ', ' '.join(item[1].split()))
        if not allowed:
            continue
        assert room not in table, f'{room} is in the list twice'
        table[room] = set() if allowed[1] == 'nothing' else {name.strip() for name in allowed[1].split(',')}
    assert table, 'docs/architecture.md has no line "- **room**: ... May include ... Never touches ..."'
    for room, allowed in table.items():
        strange = allowed - set(table) - {PUBLIC}
        assert not strange, f'{room} may include {sorted(strange)}, which the list does not know'
    return table


@functools.cache
def architecture():
    path = SOURCE / 'docs' / 'architecture.md'
    if not path.exists():
        skip('there is no docs/architecture.md')
    return read_rooms(path.read_text())


def header_room(path):
    """The room that a public header belongs to."""
    return HEADERS.get(path.stem, path.stem)


def room_of(path):
    """The row of the table that a file below SOURCE belongs to: the longest that its folders begin with."""
    parts = [part for part in path.parts[:-1] if part != 'src']
    names = ['/'.join(parts[:n]) for n in (2, 1)]
    return next((name for name in names if name in architecture()), names[-1])
