"""The shared library, its errors, and its contexts."""
from __future__ import annotations

import collections
import ctypes
import functools
import os
import pathlib
import threading
from typing import Any

from . import _api
from ._types import Types

TYPES = Types(_api.STRUCTS, _api.ENUMS, _api.CONSTANTS)


# ---- Errors

class Error(Exception):
    """A failure of the library: its sentence, and `code`, such as "ER_ERROR_RIG"."""

    code = 'ER_OK'

    def __init__(self, text: str, code: str | None = None):
        super().__init__(text)
        self.code = code or type(self).code


class ArgumentError(Error, ValueError):
    """A wrong argument: NULL, NaN, out of range, or an unknown name."""

    code = 'ER_ERROR_ARGUMENT'


class OutOfMemory(Error, MemoryError):
    """The allocator returned NULL."""

    code = 'ER_ERROR_MEMORY'


class FileError(Error, OSError):
    """A file cannot be opened, read or written."""

    code = 'ER_ERROR_FILE'


class FormatError(Error, ValueError):
    """A file was read, but its contents are wrong."""

    code = 'ER_ERROR_FORMAT'


class ImporterError(Error):
    """The importer process crashed, hung or exceeded its limits on this file."""

    code = 'ER_ERROR_IMPORT'


class RigError(Error, ValueError):
    """A rig that cannot be used: no skeleton, no mass, no motion."""

    code = 'ER_ERROR_RIG'


class NotPositiveDefinite(Error, ArithmeticError):
    """A mass matrix is not positive definite."""

    code = 'ER_ERROR_NOT_POSDEF'


class NoConvergence(Error, ArithmeticError):
    """An iteration did not converge."""

    code = 'ER_ERROR_NO_CONVERGENCE'


class SystemFailure(Error):
    """The machine lacks something: a display, a graphics driver, another program."""

    code = 'ER_ERROR_SYSTEM'


ERRORS = {each.code: each for each in Error.__subclasses__()}
RESULTS = {value: name for name, value, _ in _api.ENUMS['er_result'][1]}


# ---- The shared library

def library_path() -> str:
    """The shared library: $EIGENRIG_LIBRARY; inside the package, as in a wheel; below the package's prefix."""
    here = pathlib.Path(__file__).parent
    names = ('eigenrig.dll', 'libeigenrig-0.dll') if os.name == 'nt' else ('libeigenrig.so.0', 'libeigenrig.0.dylib')
    named = os.environ.get('EIGENRIG_LIBRARY')
    if named:
        return named
    for folder in [here / 'bin', *(each / 'lib' for each in here.parents[2:6])]:
        for name in names:
            for found in [folder / name, *sorted(folder.glob(f'*/{name}'))]:
                if found.is_file():
                    return str(found)
    return names[0]


@functools.cache
def library() -> ctypes.CDLL:
    importer = pathlib.Path(__file__).parent / 'bin' / 'eigenrig-import'
    if importer.is_file():
        os.environ.setdefault('EIGENRIG_IMPORTER', str(importer))
    return ctypes.CDLL(library_path())


@functools.cache
def native(name: str) -> Any:
    """A C function with its types. ctypes releases the GIL while it runs."""
    _, result, _, params = _api.FUNCTIONS[name]
    function = getattr(library(), name)
    function.restype = TYPES.of(result)
    function.argtypes = [ctypes.c_void_p if param[1] == 'char*' and not param[2] else TYPES.of(param[1]) for param in params]
    return function


# ---- Contexts

class Context:
    """An er_context. One thread at a time uses it. An object that is collected meanwhile is destroyed later."""

    address: int | None = None

    def __init__(self) -> None:
        out = ctypes.c_void_p()
        if native('er_context_create')(None, ctypes.byref(out)):
            raise OutOfMemory('there is no memory for a context')
        self.address = out.value
        self.lock = threading.Lock()
        self.holder = 0
        self.waiting: collections.deque[tuple[Any, int]] = collections.deque()
        self._destroy = native('er_context_destroy')

    def __enter__(self) -> Context:
        if self.holder == threading.get_ident():
            raise ArgumentError('this object is at work: a callback must not use it')
        self.lock.acquire()
        self.holder = threading.get_ident()
        return self

    def __exit__(self, *_: Any) -> None:
        self.holder = 0
        self.sweep()
        self.lock.release()
        if self.waiting and self.lock.acquire(blocking=False):  # what came in between
            self.sweep()
            self.lock.release()

    def sweep(self) -> None:
        while self.waiting:
            destroy, address = self.waiting.popleft()
            destroy(address)

    def destroy(self, destroy: Any, address: int) -> None:
        self.waiting.append((destroy, address))
        if self.lock.acquire(blocking=False):
            self.sweep()
            self.lock.release()

    def error(self) -> str:
        said: bytes = native('er_context_error')(self.address)
        return said.decode(errors='replace')

    def __del__(self) -> None:
        if self.address:
            self.sweep()
            self._destroy(self.address)


_local = threading.local()


def here() -> Context:
    """A context of this thread that is not at work."""
    contexts: list[Context] = _local.__dict__.setdefault('contexts', [])
    for context in contexts:
        if not context.lock.locked():
            return context
    contexts.append(Context())
    return contexts[-1]
