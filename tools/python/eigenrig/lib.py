"""Every function, struct and enumeration of the C library: lib.modal_solve() is er_modal_solve(), lib.er_mode and
lib.er_modal_method are types. Their documentation is that of the C headers."""
from typing import Any

from . import _api
from ._calls import function, new
from ._plan import REASONS
from ._views import class_of, enumeration

__all__ = ['REASONS', 'new']


def __getattr__(name: str) -> Any:
    if name in _api.STRUCTS or name in _api.OPAQUE:
        return class_of(name)
    if name in _api.ENUMS:
        return enumeration(name)
    if name in _api.CONSTANTS:
        return _api.CONSTANTS[name]
    if name.startswith('_'):
        raise AttributeError(name)
    return function('er_' + name)


def __dir__() -> list[str]:
    return [*(name[len('er_'):] for name in _api.FUNCTIONS if name not in REASONS and not name.endswith('_destroy')), *_api.STRUCTS, *_api.OPAQUE, *_api.ENUMS]
