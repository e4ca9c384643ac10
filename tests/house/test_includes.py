"""Rooms include only the rooms that docs/architecture.md allows them; each library is included by few files."""
import functools
import pathlib
import re

from rooms import CODE, PUBLIC, architecture, header_room, room_of
from tap import SOURCE, promise, run

INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^">]+)[">]')

# Libraries that only these rooms may know.
DOORS = {
    'assimp/': {'tools/importer'},
    'meshoptimizer.h': {'tools/importer'},
    'linux/landlock.h': {'tools/importer'},
    'seccomp.h': {'tools/importer'},
    'lapacke.h': {'math', 'tools/bench'},
    'cblas.h': {'math', 'tools/bench'},
    'mujoco/': {'tools/bench'},
    'ode/': {'tools/bench', 'tools/reality'},
    'btBulletDynamicsCommon.h': {'tools/bench', 'tools/reality'},
    'libqhull_r/': {'collide'},
    'jansson.h': {'tools/importer', 'formats', 'tools/batch', 'app/lua'},
    'nettle/': {'tools/batch'},
    'zip.h': {'formats'},
    'zlib.h': {'formats', 'viewer/render'},
    'epoxy/': {'viewer/draw'},
    'GLFW/': {'viewer/window'},
    'imgui': {'viewer/gui'},
    'backends/imgui': {'viewer/gui'},
    'turbojpeg.h': {'viewer/draw'},
    'lua.h': {'app/lua', 'app/description', 'viewer/render', 'tools/reality'},
    'lauxlib.h': {'app/lua', 'app/description', 'viewer/render'},
    'lualib.h': {'app/lua', 'app/description'},
}

LIBC = {name + '.h' for name in '''
    assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg stdatomic
    stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar wctype
    dirent dlfcn fcntl fnmatch getopt glob libgen poll pthread sched semaphore spawn strings termios unistd
    sys/file sys/ioctl sys/mman sys/prctl sys/resource sys/stat sys/syscall sys/time sys/types sys/wait'''.split()}


PATTERN = '**/*.[ch]*'


@functools.cache
def sources():
    """Every file of C or C++ of the house."""
    return [path for top in CODE for path in sorted((SOURCE / top).glob(PATTERN)) if path.suffix in ('.c', '.h', '.cpp', '.hpp')]


def includes(paths):
    """(path, where, bracket, what) of every #include in these files."""
    for path in paths:
        for number, line in enumerate(path.read_text().splitlines(), 1):
            found = INCLUDE.match(line)
            if found:
                yield path, f'{path.relative_to(SOURCE)}:{number}', found[1], found[2]


def target(bracket, what):
    """The file below SOURCE that an include means; None for libraries and what the build writes."""
    if bracket == '<':
        return pathlib.Path('include', what) if what.startswith('eigenrig/') else None
    folder = '' if what.startswith(('viewer/', 'tools/')) else 'src'
    return pathlib.Path(folder, what)


def allows(room, bracket, what):
    allowed, aim = architecture()[room], target(bracket, what)
    if aim is None:
        return True
    if bracket == '<':
        return PUBLIC in allowed or header_room(aim) in allowed | {room.split('/')[0]}
    return room_of(aim) in allowed | {room}


def judge(wrong):
    assert not wrong, '\n' + '\n'.join(wrong)


@promise
def every_file_is_in_a_room_of_the_table():
    missing = {room_of(path.relative_to(SOURCE)) for path in sources()} - set(architecture())
    assert not missing, f'docs/architecture.md does not list {sorted(missing)}'


@promise
def a_newcomer_draws_src_from_ls():
    folders = [folder.name for folder in (SOURCE / 'src').iterdir() if folder.is_dir()]
    assert len(folders) <= 13, folders


@promise
def rooms_include_only_rooms_above_them_in_the_table():
    order = list(architecture())
    judge([f'{room} may include {name}, which stands below it' for k, room in enumerate(order)
           for name in architecture()[room] - {PUBLIC} if order.index(name) > k])


@promise
def rooms_include_only_rooms_they_may():
    judge([f'{where}: {room_of(path.relative_to(SOURCE))} may not include {what}'
           for path, where, bracket, what in includes(sources())
           if not allows(room_of(path.relative_to(SOURCE)), bracket, what)])


@promise
def public_headers_include_only_rooms_they_may():
    headers = sorted((SOURCE / 'include' / 'eigenrig').glob('*.h'))
    judge([f'{where}: {path.stem}.h may not include {what}' for path, where, bracket, what in includes(headers)
           if path.stem != 'eigenrig' and not allows(header_room(path), bracket, what)])


@promise
def headers_include_each_other_in_no_circle():
    headers = [path for path in sources() if path.suffix in ('.h', '.hpp')]
    above = {path.relative_to(SOURCE): {target(bracket, what) for _, _, bracket, what in includes([path])}
             for path in headers + sorted((SOURCE / 'include' / 'eigenrig').glob('*.h'))}
    while above:
        free = {path for path, aims in above.items() if not aims & set(above)}
        assert free, f'each of these includes another of them: {sorted(map(str, above))}'
        above = {path: aims for path, aims in above.items() if path not in free}


@promise
def each_library_has_one_door():
    judge([f'{where}: only {sorted(DOORS[library])} may include <{what}>' for library in DOORS
           for path, where, _, what in includes(sources())
           if what.startswith(library) and room_of(path.relative_to(SOURCE)) not in DOORS[library]])


@promise
def public_headers_need_nothing_but_libc():
    headers = sorted((SOURCE / 'include').glob('**/*.h'))
    judge([f'{where}: <{what}>' for _, where, _, what in includes(headers)
           if what not in LIBC and not what.startswith('eigenrig/')])


run()
