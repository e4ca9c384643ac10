"""The library's memory as Python sees it: arrays, structs and objects, and who owns whom.

A view keeps the object that owns its memory, and an object everything that it was made from.
"""
from __future__ import annotations

import ctypes
import enum
import functools
import os
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from . import _api
from ._library import TYPES, ArgumentError, Context, native
from ._types import SCALARS

VECTORS = {'er_vec3': (3,), 'er_quat': (4,), 'er_mat3': (3, 3), 'er_pose': (7,), 'er_twist': (6,), 'er_wrench': (6,),
           'er_affine': (4, 3)}
OBJECTS = {name[:-len('_destroy')] for name in _api.FUNCTIONS if name.endswith('_destroy')}
FIELDS = {name: {field[0]: field for field in struct[1]} for name, struct in _api.STRUCTS.items()}
DEFAULTS = {name.replace('_default_', '_') for name in _api.FUNCTIONS if '_default_' in name}
ALIASES = {'n': 'body_count', 'F': 'frame_count', 'm': 'constraint_count'}


# ---- Owners

class Owner:
    """Memory of the library, freed when nobody uses it and nothing that was made from it lives."""

    def __init__(self, address: int, kind: str, context: Context, keeps: Sequence[Any]):
        self.address, self.context, self.keeps = address, context, tuple(keeps)
        self.parents = [parent for each in keeps for parent in owners(each)]
        self.users, self.dead = 0, False
        self._destroy = native(kind + '_destroy')
        for parent in self.parents:
            parent.users += 1

    def __del__(self) -> None:
        self.dead = True
        self.leave()

    def leave(self) -> None:
        if self.dead and self.users == 0 and self.address:
            self.context.destroy(self._destroy, self.address)
            self.address = 0
            for parent in self.parents:
                parent.users -= 1
                parent.leave()


class Keeper:
    """Memory of ours, and what it points to."""

    def __init__(self, memory: Any, keeps: list[Any]):
        self.memory, self.keeps = memory, keeps


def owners(thing: Any) -> list[Owner]:
    """The objects of the library that a value stands on."""
    if isinstance(thing, Owner):
        return [thing]
    if isinstance(thing, (View, Table)):
        return owners(thing._owner)
    if isinstance(thing, (Keeper, list, tuple)):
        return [owner for each in (thing.keeps if isinstance(thing, Keeper) else thing) for owner in owners(each)]
    return owners(thing.base) if isinstance(thing, np.ndarray) and isinstance(thing.base, _Memory) else []


# ---- Arrays

class _Memory:
    __slots__ = ('__array_interface__', '_owner')

    def __init__(self, interface: dict[str, Any], owner: Any):
        self.__array_interface__, self._owner = interface, owner


def dtype_of(kind: str) -> np.dtype[Any]:
    return np.dtype(float) if kind in VECTORS else np.dtype(TYPES.of(kind))


def array(address: int | None, kind: str, shape: Sequence[int], owner: Any, stride: int = 0,
          writable: bool = False) -> np.ndarray[Any, Any]:
    """A view of memory that `owner` holds; `stride` is the bytes from one row to the next."""
    dtype, inner = dtype_of(kind), VECTORS.get(kind, ())
    shape = (*map(int, shape), *inner)
    if not address or 0 in shape:
        return np.zeros(shape if address else (0, *shape[1:]), dtype)
    strides = (stride, *np.empty((1, *shape[1:]), dtype).strides[1:]) if stride else None
    found = np.asarray(_Memory({'shape': shape, 'typestr': dtype.str, 'data': (address, not writable), 'strides': strides,
                                'version': 3}, owner))
    return found


def given(value: Any, kind: str, shape: Sequence[int] | None, name: str) -> np.ndarray[Any, Any]:
    """A value as a contiguous array of a C type, of a shape or of as many numbers."""
    found = np.ascontiguousarray(value, dtype_of(kind))
    inner = VECTORS.get(kind, ())
    if shape is not None and found.size != int(np.prod((*shape, *inner))):
        raise ArgumentError(f'{name} has the shape {found.shape}, not {tuple(map(int, (*shape, *inner)))}')
    if shape is None and found.shape[found.ndim - len(inner):] != inner:
        raise ArgumentError(f'{name} has the shape {found.shape}, which does not end in {inner}')
    return found


class Scope(dict[str, Any]):
    """The names in a shape: counts beside an array, and of the objects that it belongs to."""

    def __init__(self, names: dict[str, Any], things: Sequence[Any]):
        super().__init__(names)
        self.things = things

    def __missing__(self, name: str) -> Any:
        if name in _api.CONSTANTS:
            return _api.CONSTANTS[name]
        for thing in self.things:
            value = look(thing, name)
            if value is None and name in ALIASES:
                value = look(thing, ALIASES[name])
            if value is not None:
                return value
        aims = next((each for thing in self.things for each in structures(thing) if name == 'aims' and hasattr(each, 'aim')), None)
        if aims is None:
            raise KeyError(name)
        return aims


def structures(thing: Any) -> Iterator[Any]:
    """The structs of ours that an object was made from."""
    if isinstance(thing, ctypes.Structure):
        yield thing
    elif isinstance(thing, (View, Keeper, Owner)):
        yield from structures(thing._owner if isinstance(thing, View) else list(thing.keeps))
    elif isinstance(thing, list):
        for each in thing:
            yield from structures(each)


def values_per_key(channel: Any) -> int:
    path, interpolation = channel.path.name, channel.interpolation.name
    return {'MORPH': 0, 'ROTATION': 4}.get(path, 3) * (3 if interpolation == 'CUBIC' else 1)


#: Counts that are no field, and shapes that their comments say in words.
DERIVED: dict[tuple[str, str], Callable[[Any], int]] = {
    ('er_modal_matrices', 'rows'): lambda view: int(view._raw.G.row_count),
    ('er_modal_matrices', 'dof'): lambda view: int(view._raw.N.column_count),
    ('er_channel', 'values_per_key'): values_per_key,
}
SHAPES = {('er_channel', 'value'): '(key_count, values_per_key,)'}


def look(thing: Any, name: str) -> Any:
    """A count of an object, or of what it was made from."""
    if isinstance(thing, View):
        if name in FIELDS.get(thing._kind, ()):
            return getattr(thing, name)
        if (thing._kind, name) in DERIVED:
            return DERIVED[thing._kind, name](thing)
        width = {'width': thing._kind + '_width', 'er_kinematics_width': 'er_kinematics_width'}.get(name, name)
        if width in _api.FUNCTIONS and _api.FUNCTIONS[width][3][0][1] == thing._kind + '*':
            return native(width)(thing._address)
        if name.endswith('_width') and 'coordinate_count' in FIELDS.get(thing._kind, ()):
            model: Any = thing
            return model.coordinate_count + 6 * int(np.sum(model.tree_joint < 0))
        for field, kind, _, shape, doc in FIELDS.get(thing._kind, {}).values():
            if not shape and kind[:-1] in FIELDS and name in FIELDS[kind[:-1]] and not hidden(doc):
                return look(getattr(thing, field), name)
        return look(thing._owner, name)
    if isinstance(thing, (Owner, Keeper)):
        return look(thing.keeps, name)
    if isinstance(thing, Table):
        return look(thing._owner, name)
    if isinstance(thing, ctypes.Structure):
        return getattr(thing, name, None) if 'count' in name else None
    if isinstance(thing, dict):
        return thing[name] if np.isscalar(thing.get(name)) else look([each for each in thing.values() if isinstance(each, View)], name)
    if isinstance(thing, (list, tuple)):
        for each in thing:
            value = look(each, name)
            if value is not None:
                return value
    return None


@functools.cache
def compiled(shape: str) -> Any:
    return compile(shape, shape, 'eval')


def measure(shape: str, names: dict[str, Any], things: Sequence[Any]) -> tuple[int, ...] | None:
    """The numbers of a shape; None if a name in it is not known."""
    try:
        found = eval(compiled(shape), {'__builtins__': {}}, Scope(names, things))
    except (NameError, AttributeError):
        return None
    return tuple(int(each) for each in found)


# ---- Structs

@functools.cache
def enumeration(kind: str) -> Any:
    """The IntEnum of an er_ enumeration; names are without their common beginning."""
    values = _api.ENUMS[kind][1]
    start = os.path.commonprefix([name for name, _, _ in values]).rpartition('_')[0] + '_'
    made = enum.IntEnum(kind, [(name[len(start):], value) for name, value, _ in values])  # type: ignore[misc]
    made.__doc__ = _api.ENUMS[kind][0]
    return made


def as_enum(kind: str, value: Any) -> int:
    """A member, a number, or a name in any case: "sparse"."""
    if isinstance(value, str):
        members = enumeration(kind).__members__
        if value.upper().replace(' ', '_') not in members:
            raise ArgumentError(f'"{value}" is none of {", ".join(map(str.lower, members))}')
        return int(members[value.upper().replace(' ', '_')])
    return int(value)


CLASSES: dict[str, type[View]] = {}


def class_of(kind: str) -> type[View]:
    if kind not in CLASSES:
        type(kind, (View,), {'__slots__': (), '_kind': kind})
    return CLASSES[kind]


def describe(kind: str) -> str:
    if kind in _api.OPAQUE:
        return _api.OPAQUE[kind]
    doc, fields = _api.STRUCTS[kind]
    return '\n'.join([doc, '', *(f'{name}: {said}' for name, _, _, _, said in fields if not hidden(said))])


def hidden(doc: str) -> bool:
    return doc.startswith(('private', 'set by er_default'))


class View:
    """A struct or an object of the library. Attributes are its fields, as the headers name and describe them."""

    __slots__ = ('_address', '_owner', '_raw', '__weakref__')
    _kind = ''
    _address: int
    _owner: Any
    _raw: Any

    def __init_subclass__(cls, **_: Any) -> None:
        CLASSES[cls._kind] = cls
        cls.__doc__ = f'{cls.__doc__ or ""}\n\n{describe(cls._kind)}'.strip()

    def __new__(cls, *_: Any, **__: Any) -> Any:
        return super().__new__(cls)

    @classmethod
    def _at(cls, address: int, owner: Any) -> Any:
        made = View.__new__(cls)
        made._address, made._owner = address, owner
        if cls._kind in _api.STRUCTS:
            made._raw = TYPES.of(cls._kind).from_address(address)
        return made

    def _named(self, name: str) -> Any:
        field = FIELDS.get(self._kind, {}).get(name)
        if field is not None and not hidden(field[4]):
            return self._get(*field)
        if is_method(self._kind, name):
            return functools.partial(METHODS[0](self._kind + '_' + name), self)
        raise AttributeError(f'{type(self).__name__} has no {name!r}')

    if not TYPE_CHECKING:  # lib.pyi has the fields and the functions of each kind
        __getattr__ = _named

    def _get(self, name: str, kind: str, constant: bool, shape: str, doc: str) -> Any:
        raw = getattr(self._raw, name)
        base = kind.partition('[')[0]
        if kind == 'char*':
            return None if raw is None else raw.decode(errors='surrogateescape')
        if kind in _api.ENUMS:
            return enumeration(kind)(raw)
        if kind in SCALARS or kind.startswith('callback:'):
            return raw
        if '*' not in kind:
            return self._inside(name, kind, base, raw)
        if raw is None or base != kind:
            return None if base == kind else [self._behind(each, base[:-1], shape, doc) for each in raw]
        return self._behind(raw, kind[:-1], SHAPES.get((self._kind, name), shape), doc)

    def _inside(self, name: str, kind: str, base: str, raw: Any) -> Any:
        address = ctypes.addressof(self._raw) + getattr(type(self._raw), name).offset
        if kind in VECTORS:
            return array(address, kind, (), self)
        if base == kind:
            return class_of(kind)._at(address, self)
        shape = dims_of(raw)
        if base in VECTORS or base in SCALARS:
            return array(address, base, shape, self)
        return Table(base, address, shape[0], self)

    def _behind(self, address: int | None, base: str, shape: str, doc: str) -> Any:
        if address is None:
            return None
        if base.startswith(('char*', 'er_')) and base.endswith('*'):
            count = measure(shape, {}, [self])
            return [text.decode() for text in (ctypes.c_char_p * (count or [0])[0]).from_address(address) if text is not None]
        if not shape:
            if base in VECTORS:
                return array(address, base, (), self)
            if base in SCALARS:
                raise AttributeError('the length of this field is not known')
            return class_of(base)._at(address, self)
        size = measure(shape, {}, [self])
        if size is None:
            raise AttributeError(f'the shape {shape} of this field is not known')
        if base not in VECTORS and base not in SCALARS and base not in _api.ENUMS:
            return Table(base, address, size[0], self)
        if 'column-major' in doc:
            return array(address, base, size[::-1], self).T
        return array(address, base, size, self)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(name for name, field in FIELDS.get(self._kind, {}).items() if not hidden(field[4])),
                *(name[len(self._kind) + 1:] for name in _api.FUNCTIONS if is_method(self._kind, name[len(self._kind) + 1:]))]

    def _from(self, kind: str) -> Any:
        """The object of a kind that this one was made from."""
        found = origin(self._owner, kind)
        if found is None:
            raise ArgumentError(f'this {type(self).__name__} was not made from an {kind}')
        return found

    def __repr__(self) -> str:
        said = [f'{name}={getattr(self, name)!r}' for name, field in FIELDS.get(self._kind, {}).items()
                if field[1] in ('int', 'double', 'bool', 'char*') or field[1] in _api.ENUMS]
        return f'<{type(self).__name__} {" ".join(said)}>'


#: The function that gives a C function as Python calls it; set by the module of calls.
METHODS: list[Any] = []


@functools.cache
def is_method(kind: str, name: str) -> bool:
    """Whether there is an er_KIND_NAME that takes such an object first."""
    params = _api.FUNCTIONS.get(f'{kind}_{name}', ('', '', False, ()))[3]
    first = [param[1] for param in params if param[1] != 'er_context*'][:1]
    return first == [kind + '*'] and name != 'destroy'


def origin(thing: Any, kind: str) -> Any:
    """The first object of a kind in what a value stands on."""
    if isinstance(thing, View) and thing._kind == kind:
        return thing
    if isinstance(thing, (View, Table)):
        return origin(thing._owner, kind)
    inside = thing.keeps if isinstance(thing, (Owner, Keeper)) else thing if isinstance(thing, (list, tuple)) else ()
    return next((found for found in (origin(each, kind) for each in inside) if found is not None), None)


def dims_of(raw: Any) -> tuple[int, ...]:
    return (len(raw), *dims_of(raw[0])) if isinstance(raw, ctypes.Array) else ()


T = TypeVar('T')


class Table(Sequence[T]):
    """Structs side by side. table[3] and table["name"] are one of them; table.field is that field of all, as an array
    without a copy where it is of numbers."""

    def __init__(self, kind: str, address: int, count: int, owner: Any):
        self._kind, self._address, self._count, self._owner = kind, address, count, owner
        self._size = ctypes.sizeof(TYPES.of(kind))

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, which: Any) -> Any:
        if isinstance(which, str):
            return self[self.index_of(which)]
        if isinstance(which, slice):
            return [self[k] for k in range(*which.indices(self._count))]
        k = int(which)
        if not -self._count <= k < self._count:
            raise IndexError(f'{k} of {self._count}')
        return class_of(self._kind)._at(self._address + (k % self._count) * self._size, self._owner)

    def index_of(self, name: str) -> int:
        """The place of the first of that name."""
        names = self.name
        if name not in names:
            raise KeyError(name)
        return int(names.index(name))

    def __getattr__(self, name: str) -> Any:
        field = FIELDS[self._kind].get(name)
        if field is None or hidden(field[4]):
            raise AttributeError(f'{self._kind} has no {name!r}')
        _, kind, _, _, _ = field
        base, _, dims = kind.partition('[')
        offset = getattr(TYPES.of(self._kind), name).offset
        if base in VECTORS or base in SCALARS or base in _api.ENUMS:
            inner = dims_of(getattr(TYPES.of(self._kind).from_address(self._address), name)) if dims and self._count else ()
            return array(self._address + offset, base, (self._count, *inner), self._owner, self._size)
        return [getattr(each, name) for each in self]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(name for name, field in FIELDS[self._kind].items() if not hidden(field[4]))]

    def __iter__(self) -> Iterator[Any]:
        return (self[k] for k in range(self._count))

    def __repr__(self) -> str:
        return f'<{self._count} {self._kind}>'
