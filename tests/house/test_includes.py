"""Rooms include only the rooms that docs/architecture.md allows them, and each library has one door."""
import re

from tap import SOURCE, promise, run, skip

INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^">]+)[">]')

# Libraries that only these rooms may know.
DOORS = {
    'assimp/': {'importer'},
    'lapacke.h': {'linalg', 'bench'},
    'cblas.h': {'linalg', 'bench'},
    'jansson.h': {'importer', 'file', 'gltf', 'batch', 'script'},
    'nettle/': {'batch'},
    'zip.h': {'curves'},
    'zlib.h': {'fbx', 'render'},
    'epoxy/': {'draw'},
    'GLFW/': {'viewer'},
    'imgui': {'gui'},
    'backends/imgui': {'gui'},
    'turbojpeg.h': {'draw'},
    'lua.h': {'script', 'sidecar'},
    'lauxlib.h': {'script', 'sidecar'},
    'lualib.h': {'script', 'sidecar'},
}

LIBC = {name + '.h' for name in '''
    assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg stdatomic
    stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar wctype
    dirent dlfcn fcntl fnmatch getopt glob libgen poll pthread sched semaphore spawn strings termios unistd
    sys/file sys/ioctl sys/mman sys/prctl sys/resource sys/stat sys/time sys/types sys/wait'''.split()}

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
        assert re.fullmatch('[a-z]+', room), f'no room name: "{room}"'
        assert room not in table, f'{room} is in the table twice'
        nothing = allowed in ('', '-', '–', '—')
        table[room] = set() if nothing else {name.strip() for name in allowed.split(',')}
    for room, allowed in table.items():
        strange = allowed - set(table) - {PUBLIC}
        assert not strange, f'{room} may include {sorted(strange)}, which the table does not know'
    return table


def architecture():
    path = SOURCE / 'docs' / 'architecture.md'
    if not path.exists():
        skip('there is no docs/architecture.md')
    return read_table(path.read_text())


def rooms():
    return sorted(folder.name for folder in (SOURCE / 'src').iterdir() if folder.is_dir())


def includes(folder, pattern='**/*.[ch]'):
    """(where, bracket, what) of every #include below a folder."""
    for path in sorted(folder.glob(pattern)):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            found = INCLUDE.match(line)
            if found:
                yield f'{path.relative_to(SOURCE)}:{number}', found[1], found[2]


def included_room(bracket, what):
    """The room an include leads to; None for libraries."""
    if bracket == '<' and not what.startswith('eigenrig/'):
        return None
    return what.removeprefix('eigenrig/').split('/')[0].removesuffix('.h')


def allows(allowed, bracket, what):
    room = included_room(bracket, what)
    return room is None or room in allowed or (PUBLIC in allowed and bracket == '<')


def judge(wrong):
    assert not wrong, '\n' + '\n'.join(wrong)


@promise
def every_room_is_in_the_table():
    missing = set(rooms()) - set(architecture())
    assert not missing, f'docs/architecture.md does not list {sorted(missing)}'


@promise
def the_table_has_no_circle():
    table = {room: allowed - {PUBLIC, room} for room, allowed in architecture().items()}
    while table:
        free = {room for room, allowed in table.items() if not allowed}
        assert free, f'each of these builds on another of them: {sorted(table)}'
        table = {room: allowed - free for room, allowed in table.items() if room not in free}


@promise
def private_headers_are_named_with_their_room():
    judge([f'{where}: "{what}" names no room; write "room/{what}"' for where, bracket, what in includes(SOURCE / 'src')
           if bracket == '"' and '/' not in what])


@promise
def rooms_include_only_rooms_they_may():
    table = architecture()
    judge([f'{where}: {room} may not include {what}' for room in rooms()
           for where, bracket, what in includes(SOURCE / 'src' / room)
           if not allows(table.get(room, set()) | {room}, bracket, what)])


@promise
def public_headers_include_only_rooms_they_may():
    table = architecture()
    headers = SOURCE / 'include' / 'eigenrig'
    judge([f'{where}: {path.stem} may not include {what}' for path in sorted(headers.glob('*.h'))
           for where, bracket, what in includes(headers, path.name)
           if not allows(table.get(path.stem, {PUBLIC}) | {path.stem}, bracket, what)])


@promise
def each_library_has_one_door():
    judge([f'{where}: only {sorted(DOORS[library])} may include <{what}>' for library in DOORS for room in rooms()
           for where, _, what in includes(SOURCE / 'src' / room)
           if what.startswith(library) and room not in DOORS[library]])


@promise
def public_headers_need_nothing_but_libc():
    judge([f'{where}: <{what}>' for where, bracket, what in includes(SOURCE / 'include')
           if what not in LIBC and not what.startswith('eigenrig/')])


@promise
def the_program_stands_on_public_headers_and_program_rooms():
    beside = (architecture()['cli'] | {'cli'}) - {PUBLIC}
    judge([f'{where}: {what}' for where, bracket, what in includes(SOURCE / 'src' / 'cli')
           if not (what in LIBC or what.startswith('eigenrig/') or (bracket == '"' and what.split('/')[0] in beside))])


run()
