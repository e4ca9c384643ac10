"""The library's types for ctypes, from what generate.py read in its headers. Pointers are addresses."""
from __future__ import annotations

import ctypes
import functools
from collections.abc import Mapping
from typing import Any

SCALARS: dict[str, Any] = {
    'int': ctypes.c_int, 'unsigned int': ctypes.c_uint, 'long long': ctypes.c_longlong, 'bool': ctypes.c_bool,
    'double': ctypes.c_double, 'float': ctypes.c_float, 'size_t': ctypes.c_size_t, 'uint8_t': ctypes.c_uint8,
    'uint32_t': ctypes.c_uint32, 'uint64_t': ctypes.c_uint64, 'int64_t': ctypes.c_int64, 'void': None,
}


class Types:
    """ctypes of the words that headers.py has for types."""

    def __init__(self, structs: Mapping[str, Any], enums: Mapping[str, Any], constants: Mapping[str, Any]):
        self.structs, self.enums, self.constants = structs, enums, constants

    @functools.cache
    def of(self, kind: str) -> Any:
        if kind.startswith('callback:'):
            return ctypes.c_void_p
        if kind.endswith(']'):
            base, _, dims = kind.partition('[')
            made: Any = self.of(base)
            for dim in reversed(dims[:-1].split('][')):
                made = made * int(self.constants.get(dim, dim))
            return made
        if kind == 'char*':
            return ctypes.c_char_p
        if kind.endswith('*'):
            return ctypes.c_void_p
        if kind in SCALARS:
            return SCALARS[kind]
        if kind in self.enums:
            return ctypes.c_int
        fields = [(field[0], self.of(field[1])) for field in self.structs[kind][1]]
        return type(kind, (ctypes.Structure,), {'_fields_': fields})

    @functools.cache
    def callback(self, kind: str) -> Any:
        result, _, inside = kind[len('callback:'):].partition('(')
        return ctypes.CFUNCTYPE(self.of(result), *(self.of(each) for each in inside[:-1].split(',')))
