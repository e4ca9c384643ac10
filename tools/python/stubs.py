"""lib.pyi: what lib.py makes of the headers at run time, for type checkers and editors."""
import keyword
import os
import pathlib
import re
import textwrap
import types

from _plan import REASONS, Plan

HERE = pathlib.Path(__file__).parent / 'eigenrig'
NUMBERS = {'int': 'int', 'unsigned int': 'int', 'long long': 'int', 'size_t': 'int', 'uint8_t': 'int', 'uint32_t': 'int',
           'uint64_t': 'int', 'int64_t': 'int', 'double': 'float', 'float': 'float', 'bool': 'bool', 'void': 'None'}
ARRAYS = {'double': 'float64', 'float': 'float32', 'int': 'int32', 'bool': 'bool_', 'uint8_t': 'uint8', 'int64_t': 'int64',
          'uint32_t': 'uint32', 'unsigned int': 'uint32', 'size_t': 'uint64', 'er_result': 'int32'}
VECTORS = ('er_vec3', 'er_quat', 'er_mat3', 'er_pose', 'er_twist', 'er_wrench', 'er_affine')
HEAD = '''"""Made by generate.py from the public headers."""
import enum
from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import Any

import numpy as np
import numpy.typing as npt

from ._calls import new as new
from ._plan import REASONS as REASONS
from ._views import Table, View
'''


def classes():
    """{C name: (module, class)} of what the package adds to a kind."""
    found = {}
    for path in sorted(HERE.glob('[a-z]*.py')):
        for name, kind in re.findall(r'^class (\w+)\((?:class_of\(.)?(er_\w+)', path.read_text(), re.MULTILINE):
            found[kind] = (path.stem, name)
    return found


class Stub:
    def __init__(self, found):
        self.found, self.classes = found, classes()

    def name(self, kind):
        return self.classes.get(kind, ('', kind))[1]

    def given(self, kind, shape, doc):
        """The type of what a function or a field gives."""
        base, stars = kind.partition('[')[0].rstrip('*'), kind.count('*')
        none = ' | None' if 'NULL' in doc and stars else ''
        if kind == 'char*':
            return 'str' + none
        if kind.startswith('callback:') or base in ('char', 'void') and stars:
            return 'list[str]' if base == 'char' else 'Any'
        if base in VECTORS or (base in ARRAYS and (stars or '[' in kind)):
            made = f'npt.NDArray[np.{ARRAYS.get(base, "float64")}]'
            return (f'list[{made}]' if stars and '[' in kind else made) + none
        if base in NUMBERS:
            return NUMBERS[base]
        if base in self.found.enums:
            return base
        return (f'Table[{self.name(base)}]' if shape or '[' in kind else self.name(base)) + none

    def taken(self, kind, shape, constant):
        """The type of what a function takes."""
        base, stars = kind.rstrip('*'), kind.count('*')
        if kind == 'char*':
            return 'str | PathLike[str]'
        if kind == 'void*':
            return 'bytes'
        if base in self.found.callbacks or kind.startswith('callback:'):
            return 'Callable[..., Any]'
        if base == 'char':
            return 'Sequence[str]'
        if base in VECTORS or (base in NUMBERS and stars):
            return 'npt.ArrayLike' if constant or not stars else 'npt.NDArray[Any]'
        if base in NUMBERS:
            return NUMBERS[base]
        if base in self.found.enums:
            return f'{base} | str | int'
        one = f'{base} | Mapping[str, Any]'
        return f'{one} | Sequence[{one}]' if shape or stars == 2 else one

    def function(self, plan, name, method):
        parts, open_end = ['self'] if method else [], False
        for param in plan.visible[1:] if method else plan.visible:
            kind = self.taken(param[1], param[3], param[2])
            optional = plan.optional(param)
            open_end = open_end or optional
            word = param[0] + '_' if keyword.iskeyword(param[0]) else param[0]
            parts.append(f'{word}: {kind}{" | None" if optional else ""}{" = ..." if open_end else ""}')
        if plan.options:
            parts.append('**options: Any')
        gives = [] if plan.result in ('er_result', 'void') else [self.given(plan.result, '', 'NULL' if plan.result.endswith('*') and plan.result != 'char*' else '')]
        for param, role in zip(plan.params, plan.roles):
            if role in ('new', 'borrowed', 'string', 'out', 'out array'):
                kind = param[1][:-1] if role in ('out', 'new', 'borrowed', 'string') else param[1]
                kind = kind.rstrip('*') if role in ('new', 'borrowed') else kind
                gives.append(self.given(kind, param[3] if role == 'out array' else '', ''))
        result = 'None' if not gives else gives[0] if len(gives) == 1 else f'tuple[{", ".join(gives)}]'
        return f'def {name}({", ".join(parts)}) -> {result}:\n' + doc_of(plan.doc, 4)


def doc_of(text, indent):
    text = text.replace('\\', '\\\\').replace('"""', "'''")
    return textwrap.indent(f'"""{text}{" " if text.endswith(chr(34)) else ""}"""\n' if text else '...\n', ' ' * indent)


def api_of(found):
    functions = {name: (each['doc'], each['result'], each['constant'], tuple(each['params']))
                 for name, each in found.functions.items()}
    return types.SimpleNamespace(FUNCTIONS=functions, OPAQUE=found.opaque, CALLBACKS=found.callbacks)


def methods_of(kind, plans):
    """What View gives each object: er_KIND_NAME that takes it first."""
    for name, plan in plans.items():
        if name.startswith(kind + '_') and plan.visible and plan.visible[0][1] == kind + '*':
            first = next(param[1] for param in plan.params if param[1] != 'er_context*')
            if first == kind + '*':
                yield name[len(kind) + 1:], plan


def text(found):
    stub, api = Stub(found), api_of(found)
    plans = {name: Plan(name, api) for name in found.functions if name not in REASONS and not name.endswith('_destroy')}
    out = [HEAD] + [f'from .{module} import {name}\n' for module, name in sorted(stub.classes.values())]
    out += [f'{name}: int\n' for name in found.constants]
    for kind, each in found.enums.items():
        start = common([name for name, _, _ in each['values']])
        out.append(f'class {kind}(enum.IntEnum):\n' + doc_of(each['doc'], 4)
                   + ''.join(f'    {name[len(start):]} = {value}\n' for name, value, _ in each['values']))
    for kind in [*found.structs, *found.opaque]:
        if kind in VECTORS or kind == 'er_context':
            continue
        fields = found.structs.get(kind, {'fields': []})['fields']

        body = doc_of(found.structs[kind]['doc'] if fields else found.opaque[kind], 4)
        for name, word, _, shape, doc in fields:
            if not doc.startswith(('private', 'set by er_default')) and not keyword.iskeyword(name):
                body += f'    @property\n    def {name}(self) -> {stub.given(word, shape, doc)}:\n' + doc_of(doc, 8)
        names = {field[0] for field in fields}
        for name, plan in methods_of(kind, plans):
            if name not in names:
                body += textwrap.indent(stub.function(plan, name, True), '    ')
        out.append(f'class {kind}(View):\n{body}')
    out += [stub.function(plan, name[len('er_'):], False) for name, plan in plans.items()]
    return '\n'.join(out)


def common(names):
    return os.path.commonprefix(names).rpartition('_')[0] + '_'
