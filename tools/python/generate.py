"""Makes what Python knows of the library from its public headers.

    python3 generate.py API  OUT.py   HEADER...   # structs, enums and functions with their comments, as data
    python3 generate.py STUB OUT.pyi  HEADER...   # the same for type checkers
    python3 generate.py LAYOUT OUT.c  HEADER...   # C that compiles only if ctypes lays structs out as the compiler does
"""
import ctypes
import pathlib
import sys

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE / 'eigenrig')]
import headers  # noqa: E402
import stubs  # noqa: E402
from _types import Types  # noqa: E402


def api(found):
    structs = {name: (each['doc'], tuple(each['fields'])) for name, each in found.structs.items()}
    functions = {name: (each['doc'], each['result'], each['constant'], tuple(each['params']))
                 for name, each in found.functions.items()}
    enums = {name: (each['doc'], tuple(each['values'])) for name, each in found.enums.items()}
    names = {'STRUCTS': structs, 'OPAQUE': found.opaque, 'ENUMS': enums, 'CALLBACKS': found.callbacks,
             'CONSTANTS': found.constants, 'FUNCTIONS': functions, 'INLINES': found.inlines}
    return '"""Made by generate.py from the public headers."""\n' + ''.join(f'{name} = {data!r}\n' for name, data in names.items())


def layout(found):
    structs = {name: (each['doc'], each['fields']) for name, each in found.structs.items()}
    types = Types(structs, found.enums, found.constants)
    lines = ['#include <eigenrig/eigenrig.h>', '#include <stddef.h>', '']
    for name in structs:
        made = types.of(name)
        lines.append(f'_Static_assert(sizeof({name}) == {ctypes.sizeof(made)}, "{name}");')
        lines += [f'_Static_assert(offsetof({name}, {field[0]}) == {getattr(made, field[0]).offset}, "{name}.{field[0]}");'
                  for field in structs[name][1]]
    lines += [f'_Static_assert((int){name} == {value}, "{name}");' for each in found.enums.values()
              for name, value, _ in each['values']]
    return '\n'.join(lines) + '\n'


def main(kind, out, *paths):
    found = headers.Headers([pathlib.Path(path) for path in paths])
    pathlib.Path(out).write_text({'API': api, 'STUB': stubs.text, 'LAYOUT': layout}[kind](found))


main(*sys.argv[1:])
