"""The rooms of docs/architecture.md, and which of them a file stands in."""
import functools
import re

from tap import SOURCE, skip

CODE = ('src', 'viewer', 'tools')
HEADERS = {'worlds': 'formats', 'plots': 'formats'}  # public headers that are not named after their room
PUBLIC = 'public headers'  # a cell that allows every <eigenrig/...> and no other room's private header


def cells(line):
    return [cell.strip().replace('`', '') for cell in line.strip().strip('|').split('|')]


def read_table(text):
    """Room to the set of rooms it may include, from the one table headed "room | ... | may include"."""
    lines = text.splitlines()
    heads = [i for i, line in enumerate(lines)
             if line.startswith('|') and [c.lower() for c in cells(line)][0::2][:2] == ['room', 'may include']]
    assert len(heads) == 1, f'docs/architecture.md has {len(heads)} tables headed "room | ... | may include"'
    table = {}
    for line in lines[heads[0] + 2:]:
        if not line.startswith('|'):
            break
        row = cells(line)
        assert len(row) >= 3, f'too few columns: {line}'
        room, allowed = row[0], row[2]
        assert re.fullmatch('[a-z]+(/[a-z]+)?', room), f'no room name: "{room}"'
        assert room not in table, f'{room} is in the table twice'
        nothing = allowed in ('', '-', '–', '—')
        table[room] = set() if nothing else {name.strip() for name in allowed.split(',')}
    for room, allowed in table.items():
        strange = allowed - set(table) - {PUBLIC}
        assert not strange, f'{room} may include {sorted(strange)}, which the table does not know'
    return table


@functools.cache
def architecture():
    path = SOURCE / 'docs' / 'architecture.md'
    if not path.exists():
        skip('there is no docs/architecture.md')
    return read_table(path.read_text())


def header_room(path):
    """The room that a public header belongs to."""
    return HEADERS.get(path.stem, path.stem)


def room_of(path):
    """The row of the table that a file below SOURCE belongs to: the longest that its folders begin with."""
    parts = [part for part in path.parts[:-1] if part != 'src']
    names = ['/'.join(parts[:n]) for n in (2, 1)]
    return next((name for name in names if name in architecture()), names[-1])
