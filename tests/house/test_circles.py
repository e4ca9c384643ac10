"""No files use each other in a circle, and no arrow between rooms runs back up, as the linker sees it.

A file here is a C file with its header. It uses another when its object asks for a symbol that the other's object has.
"""
import functools
import json
import pathlib
import subprocess

from rooms import CODE, architecture, room_of
from tap import BUILD, SOURCE, promise, run, skip

DEFINED = 'TDBRi'  # functions, data, and functions chosen for the processor; not what C++ may have several times


@functools.cache
def objects():
    """Object to the file below SOURCE that it is compiled from."""
    path = BUILD / 'compile_commands.json'
    if not path.exists():
        skip(f'there is no {path}')
    found = {}
    for command in json.loads(path.read_text()):
        folder = pathlib.Path(command['directory'])
        source = pathlib.Path(folder, command['file']).resolve()
        if source.is_relative_to(SOURCE) and source.relative_to(SOURCE).parts[0] in CODE:
            found[str(folder / command['output'])] = source.relative_to(SOURCE)
    missing = [name for name in found if not pathlib.Path(name).exists()]
    if missing:
        skip(f'{len(missing)} objects are not built, {missing[0]} among them')
    return found


@functools.cache
def symbols():
    """(file, symbol, kind) of all objects, kinds as nm has them."""
    command = ['nm', '--extern-only', '--print-file-name', '--format=posix', *objects()]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    split = [line.rpartition(': ') for line in lines]
    return [(objects()[name], *rest.split()[:2]) for name, _, rest in split]


@functools.cache
def owners():
    """Symbol to the files that define it; each program has a main()."""
    found = {}
    for path, symbol, kind in symbols():
        if kind in DEFINED and symbol != 'main':
            found.setdefault(symbol, set()).add(path)
    return found


@functools.cache
def arrows():
    """(user, used) to the symbols that the one file uses of the other."""
    found = {}
    for user, symbol, kind in symbols():
        for used in owners().get(symbol, set()) - {user} if kind == 'U' else ():
            found.setdefault((user, used), set()).add(symbol)
    return found


def judge(wrong):
    assert not wrong, '\n' + '\n'.join(f'{user} uses {used}: {", ".join(sorted(arrows()[user, used])[:4])}'
                                       for user, used in sorted(wrong))


@promise
def each_symbol_has_one_owner():
    shared = {symbol: sorted(map(str, paths)) for symbol, paths in owners().items() if len(paths) > 1}
    assert owners() and not shared, shared


@promise
def no_files_use_each_other_in_a_circle():
    uses = {}
    for user, used in arrows():
        uses.setdefault(user, []).append(used)

    @functools.cache
    def reached(path):
        """All that a file uses, and what that uses in turn."""
        found, ahead = set(), [path]
        while ahead:
            new = set(uses.get(ahead.pop(), [])) - found
            found |= new
            ahead += new
        return found

    judge([(user, used) for user, used in arrows() if user in reached(used)])


@promise
def no_arrow_between_rooms_runs_back_up():
    place = {room: k for k, room in enumerate(architecture())}
    judge([pair for pair in arrows() if place[room_of(pair[0])] < place[room_of(pair[1])]])


run()
