"""Calls of the C library as its headers describe them.

Each C function er_X is `lib.X`. Contexts, counts, output arrays and new objects are not arguments: results are returned.
A failure raises an Error.
"""
from __future__ import annotations

import ctypes
import functools
import os
import signal
import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from . import _api
from ._library import ERRORS, RESULTS, TYPES, ArgumentError, Context, here, native
from ._plan import REASONS, Plan
from ._types import SCALARS
from ._views import (DEFAULTS, FIELDS, METHODS, VECTORS, Keeper, Owner, Table, View, array, as_enum, class_of,
                     dims_of, dtype_of, enumeration, given, hidden, measure)


# ---- Structs from Python's values

PENDING: dict[int, Call] = {}


class Interrupts:
    """While C works, Ctrl+C is noted instead of raised, so that callbacks can end the work; afterwards it is raised."""

    noted = False

    def __enter__(self) -> None:
        self.taken = threading.current_thread() is threading.main_thread() and \
            signal.getsignal(signal.SIGINT) is signal.default_int_handler
        if self.taken:
            signal.signal(signal.SIGINT, self.note)

    @staticmethod
    def note(*_: Any) -> None:
        Interrupts.noted = True

    def __exit__(self, *_: Any) -> None:
        if self.taken:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            if Interrupts.noted:
                Interrupts.noted = False
                raise KeyboardInterrupt


class Call:
    """The needs of one call of the library: values that must live, and what its callbacks raised."""

    def __init__(self, things: Sequence[Any] = ()) -> None:
        self.keeps: list[Any] = []
        self.raised: list[BaseException] = []
        self.things: list[Any] = list(things)

    def guard(self, kind: str, function: Callable[..., Any], name: str) -> Any:
        """A C callback. An exception in it stops the work, where the work can be stopped, and is raised after the call."""
        made = TYPES.callback(kind)
        failed: Any = {'v': None, 'b': name == 'stop', 'e': 1, 'd': 0.0}[kind[len('callback:')]]

        def run(_: Any, *args: Any) -> Any:
            if self.raised or Interrupts.noted:
                return failed
            try:
                answer = function(*args)
                return True if failed is False and answer is None else answer if failed is None else answer or type(failed)()
            except BaseException as problem:
                self.raised.append(problem)
                PENDING[threading.get_ident()] = self
                return failed
        held = made(run)
        self.keeps.append(held)
        return ctypes.cast(held, ctypes.c_void_p).value

    def struct(self, kind: str, value: Any) -> int:
        """The address of a struct: of a View, or of a new one with the defaults and the fields of a dict."""
        if isinstance(value, View):
            if value._kind != kind:
                raise ArgumentError(f'{value!r} is no {kind}')
            self.keeps.append(value)
            return value._address
        raw = self.filled(kind, value)
        return ctypes.addressof(raw)

    def filled(self, kind: str, value: dict[str, Any]) -> Any:
        raw = native(kind.replace('er_', 'er_default_', 1))() if kind in DEFAULTS else TYPES.of(kind)()
        self.keeps.append(raw)
        self.fill(kind, raw, value)
        return raw

    def fill(self, kind: str, raw: Any, value: dict[str, Any]) -> None:
        self.things.insert(0, value)
        known = {name: each for name, each in value.items() if np.isscalar(each) or isinstance(each, np.ndarray)}
        for name, each in value.items():
            field = FIELDS[kind].get(name)
            if field is None or hidden(field[4]) or field[1] == 'void*':
                near = [other for other in FIELDS[kind] if not hidden(FIELDS[kind][other][4])]
                raise ArgumentError(f'{kind} has no field "{name}" but {", ".join(near)}')
            self.put(kind, raw, field, each, known)
        self.things.pop(0)

    def put(self, struct: str, raw: Any, field: tuple[Any, ...], value: Any, known: dict[str, Any]) -> None:
        name, kind, _, shape, _ = field
        base, _, dims = kind.partition('[')
        if dims or kind in VECTORS:
            self.put_inside(raw, field, value)
        elif kind in _api.ENUMS or name == 'type':
            setattr(raw, name, as_enum(kind if kind in _api.ENUMS else 'er_joint_type', value))
        elif kind == 'char*':
            setattr(raw, name, None if value is None else text(value))
        elif kind in SCALARS:
            setattr(raw, name, value)
        elif kind.startswith('callback:'):
            setattr(raw, name, None if value is None else self.guard(kind, value, name))
        elif '*' not in kind:
            self.put_struct(kind, getattr(raw, name), value)
        elif value is not None:
            count = shape[1:].split(',')[0]
            own = count in FIELDS[struct] and count not in known
            address = self.pointer(kind, shape, value, name, known, own)
            setattr(raw, name, address)
            if own and count in known:
                setattr(raw, count, known[count])

    def put_struct(self, kind: str, raw: Any, value: Any) -> None:
        if isinstance(value, View):
            self.keeps.append(value)
            ctypes.memmove(ctypes.addressof(raw), value._address, ctypes.sizeof(raw))
        else:
            self.fill(kind, raw, value)

    def put_inside(self, raw: Any, field: tuple[Any, ...], value: Any) -> None:
        name, kind, *_ = field
        base = kind.partition('[')[0]
        at = ctypes.addressof(raw) + getattr(type(raw), name).offset
        if base.endswith('*'):
            for k, each in enumerate(value):
                getattr(raw, name)[k] = self.pointer(base, '', each, name, {}, False)
            return
        inner = () if base == kind else dims_of(getattr(raw, name))
        found = given(np.broadcast_to(value, (*inner, *VECTORS.get(base, ()))), base, inner, name)
        ctypes.memmove(at, found.ctypes.data, found.nbytes)

    def pointer(self, kind: str, shape: str, value: Any, name: str, known: dict[str, Any], counts: bool) -> int | None:
        """The address of an array or a struct. If it counts itself, its first dimension becomes known."""
        base, first = kind[:-1], 1
        address: int | None
        if isinstance(value, (View, Table)) and value._kind == base:
            self.keeps.append(value)
            address, first = value._address, len(value) if isinstance(value, Table) else 1
        elif base in _api.CALLBACKS:
            return int(self.guard(_api.CALLBACKS[base], value, name))
        elif base == 'void':
            held = (ctypes.c_char * len(value)).from_buffer_copy(value)
            self.keeps.append(held)
            address, first = ctypes.addressof(held), len(value)
        elif base in VECTORS or base in SCALARS:
            return self.numbers(base, shape, value, name, known, counts)
        elif base.endswith('*'):
            address, first = self.pointers(base, value)
        elif not shape:
            return self.struct(base, value)
        else:
            address, first = self.structs(base, value)
        self.judge(shape, (first,), name, known, counts, ())
        return address

    def numbers(self, base: str, shape: str, value: Any, name: str, known: dict[str, Any], counts: bool) -> int:
        found = given(value, base, None if shape else (), name)
        inner = VECTORS.get(base, ())
        self.judge(shape, found.shape[:found.ndim - len(inner)], name, known, counts, inner)
        self.keeps.append(found)
        return int(found.ctypes.data)

    def judge(self, shape: str, size: tuple[int, ...], name: str, known: dict[str, Any], counts: bool, inner: tuple[int, ...]) -> None:
        """An array must have as many entries as the library will read."""
        if not shape:
            return
        if counts:
            known[shape[1:].split(',')[0]] = size[0] if size else 1
        wanted = measure(shape, known, self.things)
        if wanted is None:
            raise ArgumentError(f'{name} is an array {shape}, whose size is not known here')
        if int(np.prod(size)) != int(np.prod(wanted)):
            raise ArgumentError(f'{name} has the shape {(*size, *inner)}, not {(*wanted, *inner)}: {shape}')

    def pointers(self, base: str, value: Any) -> tuple[int, int]:
        values: Any = [text(each) for each in value] if base == 'char*' else [self.struct(base[:-1], each) for each in value]
        word: Any = ctypes.c_char_p if base == 'char*' else ctypes.c_void_p
        made = (word * len(values))(*values)
        self.keeps.append(made)
        return ctypes.addressof(made), len(values)

    def structs(self, base: str, value: Any) -> tuple[int, int]:
        values = [value] if isinstance(value, (dict, View)) else list(value)
        made = (TYPES.of(base) * len(values))()
        self.keeps += [made, *values]
        size = ctypes.sizeof(TYPES.of(base))
        for k, each in enumerate(values):
            ctypes.memmove(ctypes.addressof(made) + k * size, self.struct(base, each), size)
        return ctypes.addressof(made), len(values)

    def check(self) -> None:
        """Raises what a callback of this call raised, or one that an object in it has kept, such as a world's."""
        for call in (self, PENDING.pop(threading.get_ident(), self)):
            if call.raised:
                problem = call.raised[0]
                call.raised.clear()
                raise problem


def text(value: Any) -> bytes:
    return os.fsencode(value) if isinstance(value, (str, os.PathLike)) else bytes(value)


def new(kind: str, **fields: Any) -> Any:
    """A struct with the library's defaults and these fields: new('er_joint', type='revolute')."""
    call = Call()
    raw = call.filled(kind, fields)
    call.check()
    return class_of(kind)._at(ctypes.addressof(raw), Keeper(raw, call.keeps))


# ---- Functions

def bind(plan: Plan, args: tuple[Any, ...], options: dict[str, Any]) -> dict[str, Any]:
    """Arguments by parameter; what is no parameter is a field of the def."""
    names = [param[0] for param in plan.visible]
    if len(args) > len(names):
        raise TypeError(f'{plan.name} takes {len(names)} arguments: {", ".join(names)}')
    values: dict[str, Any] = dict(zip(names, args))
    rest: dict[str, Any] = {}
    for key, value in options.items():
        key = key.removesuffix('_')  # def_, from_
        if key in values:
            raise TypeError(f'{plan.name}: {key} is given twice')
        (values if key in names else rest)[key] = value
    if plan.options and (rest or isinstance(values.get(plan.options), dict)):
        values[plan.options] = (values.get(plan.options) or {}) | rest
    elif rest:
        raise TypeError(f'{plan.name} takes {", ".join(names)}, not {", ".join(rest)}')
    for param in plan.visible:
        if param[0] not in values and not plan.optional(param):
            raise TypeError(f'{plan.name} needs {param[0]}: {param[4]}')
    return values


class Function:
    """er_X of the library as Python calls it."""

    def __init__(self, name: str):
        self.plan = Plan(name, _api)
        self.__name__ = name[len('er_'):]
        self.__doc__ = self.plan.doc

    def __repr__(self) -> str:
        return f'<{self.plan.name}({", ".join(param[0] for param in self.plan.visible)})>'

    def __call__(self, *args: Any, **options: Any) -> Any:
        plan = self.plan
        values = bind(plan, args, options)
        things = [values[name] for name in values if isinstance(values[name], (View, Table))]
        call = Call(things)
        made: dict[str, Any] = {}
        names = dict(values)
        for param, role in zip(plan.params, plan.roles):
            if role in ('in', 'in and out'):
                made[param[0]] = self.take(call, param, role, values.get(param[0]), names, things)
        outs = {param[0]: self.room(call, param, role, names, things) for param, role in zip(plan.params, plan.roles)
                if role in ('new', 'borrowed', 'out', 'out array', 'string')}
        context = here()
        locks = {id(context): context} if 'context' in plan.roles else {}
        if plan.locks:
            locks |= {id(thing._owner.context): thing._owner.context for thing in things if isinstance(thing._owner, Owner)
                      and thing._kind in _api.OPAQUE or isinstance(thing._owner, Owner) and thing._kind == 'er_motion'}
        words = [made.get(param[0]) if role in ('in', 'in and out') else outs[param[0]][0] if param[0] in outs
                 else context.address if role == 'context' else names.get(param[0], 0) if role == 'count' else None
                 for param, role in zip(plan.params, plan.roles)]
        with Interrupts():
            answer = self.enter(call, words, [locks[key] for key in sorted(locks)], context)
        call.check()
        return self.returned(call, answer, outs, things, context)

    def enter(self, call: Call, words: list[Any], locks: list[Context], context: Context) -> Any:
        if not locks:
            return native(self.plan.name)(*words)
        with locks[0]:
            if len(locks) > 1:
                return self.enter(call, words, locks[1:], context)
            answer = native(self.plan.name)(*words)
            if self.plan.result == 'er_result' and answer and not call.raised and threading.get_ident() not in PENDING:
                at = context if 'context' in self.plan.roles else locks[0]
                raise ERRORS[RESULTS[answer]](at.error())
            return answer

    def take(self, call: Call, param: tuple[Any, ...], role: str, value: Any, names: dict[str, Any], things: list[Any]) -> Any:
        name, kind, constant, shape, doc = param
        if value is None:
            return None
        if kind in VECTORS:
            return TYPES.of(kind).from_buffer_copy(given(value, kind, (), name))
        if kind in _api.ENUMS:
            return as_enum(kind, value)
        if kind == 'char*':
            call.keeps.append(text(value))
            return call.keeps[-1]
        if kind in SCALARS:
            return value
        if not kind.endswith('*'):
            call.keeps.append(call.struct(kind, value))
            return TYPES.of(kind).from_address(call.keeps[-1])
        if role == 'in and out':
            return self.changed(call, param, value, names, things)
        count = shape[1:].split(',')[0] if shape else ''
        counts = [each[0] for each, role in zip(self.plan.params, self.plan.roles) if role == 'count']
        return call.pointer(kind, shape, value, name, names, count in counts and count not in names)

    def changed(self, call: Call, param: tuple[Any, ...], value: Any, names: dict[str, Any], things: list[Any]) -> Any:
        name, kind, _, shape, _ = param
        if isinstance(value, View):
            return call.struct(kind[:-1], value)
        size = measure(shape, names, things)
        if size is None or not isinstance(value, np.ndarray) or value.dtype != dtype_of(kind[:-1]) or \
                not value.flags.c_contiguous or not value.flags.writeable or \
                value.size != int(np.prod((*size, *VECTORS.get(kind[:-1], ())))):
            raise ArgumentError(f'{name} must be a writable, contiguous array of {shape} {dtype_of(kind[:-1])}')
        call.keeps.append(value)
        return value.ctypes.data

    def room(self, call: Call, param: tuple[Any, ...], role: str, names: dict[str, Any], things: list[Any]) -> tuple[Any, Any]:
        """(what C gets, what holds it) of an output."""
        name, kind, _, shape, _ = param
        base = kind[:-1]
        if role in ('new', 'borrowed', 'string'):
            held: Any = ctypes.c_void_p() if role != 'string' else ctypes.c_char_p()
            return ctypes.addressof(held), held
        if role == 'out':
            held = TYPES.of(base)()
            return ctypes.addressof(held), held
        size = measure(shape, names, [*things, *call.keeps])
        if size is None:
            raise ArgumentError(f'{self.plan.name}: the shape {shape} of {name} is not known')
        if base in VECTORS or base in SCALARS or base in _api.ENUMS:
            held = np.zeros((*size, *VECTORS.get(base, ())), dtype_of(base))
            return held.ctypes.data, held
        held = (TYPES.of(base) * size[0])()
        return ctypes.addressof(held), held

    def returned(self, call: Call, answer: Any, outs: dict[str, Any], things: list[Any], context: Context) -> Any:
        plan = self.plan
        keeps = [*things, *call.keeps]
        found = [] if plan.result in ('er_result', 'void') else [value_of(plan.result, answer, keeps)]
        for param, role in zip(plan.params, plan.roles):
            if param[0] in outs:
                found.append(self.made(param, role, outs[param[0]][1], keeps, context))
        return None if not found else found[0] if len(found) == 1 else tuple(found)

    def made(self, param: tuple[Any, ...], role: str, held: Any, keeps: list[Any], context: Context) -> Any:
        base = param[1].rstrip('*')
        if role == 'new':
            return class_of(base)._at(held.value, Owner(held.value, base, context, keeps)) if held.value else None
        if role == 'borrowed':
            return None if held.value is None else class_of(base)._at(held.value, Keeper(held, keeps))
        if role == 'string':
            return held.value.decode()
        if isinstance(held, np.ndarray):
            return held
        if isinstance(held, ctypes.Array):
            return Table(base, ctypes.addressof(held), len(held), Keeper(held, keeps))
        return value_of(base, held, keeps)


def value_of(kind: str, raw: Any, keeps: list[Any]) -> Any:
    """A result as Python has it."""
    if kind == 'char*':
        return None if raw is None else raw.decode()
    if kind in _api.ENUMS:
        return enumeration(kind)(raw)
    if kind in SCALARS:
        return getattr(raw, 'value', raw)
    if kind.endswith('*'):
        return None if raw is None else class_of(kind[:-1])._at(raw, Keeper(raw, keeps))
    if kind in VECTORS:
        return array(ctypes.addressof(raw), kind, (), Keeper(raw, [])).copy()
    return class_of(kind)._at(ctypes.addressof(raw), Keeper(raw, keeps))


def function(name: str) -> Function:
    """er_X of the library as Python calls it."""
    if name in REASONS or name.endswith('_destroy'):
        raise AttributeError(f'{name}: {REASONS.get(name, "objects free themselves")}')
    if name not in _api.FUNCTIONS:
        raise AttributeError(f'the library has no {name}')
    return made(name)


@functools.cache
def made(name: str) -> Function:
    return Function(name)


METHODS.append(function)


def direct(name: str, *words: Any, holder: View | None = None) -> Any:
    """A C function with words as C takes them, for what has its own rules in this package. A holder's context is held."""
    _, result, _, params = _api.FUNCTIONS[name]
    context = holder._owner.context if holder is not None else here()
    with context:
        if params and params[0][1] == 'er_context*':
            words = (context.address, *words)
        answer = native(name)(*words)
        Call().check()
        if result == 'er_result' and answer:
            raise ERRORS[RESULTS[answer]](context.error())
        return answer
