"""Gaits: mixes of modes by which a rig travels."""
from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import lib
from ._calls import Call, direct
from ._library import here
from ._views import Owner, Table, View, class_of

if TYPE_CHECKING:
    from .lib import er_gait, er_gait_motion, er_gaits, er_walker
    from .model import Model
else:
    er_gait, er_gait_motion, er_gaits, er_walker = map(class_of, ('er_gait', 'er_gait_motion', 'er_gaits', 'er_walker'))

Array = npt.NDArray[np.float64]


class Gait(er_gait):
    """One gait of a rig."""

    def move(self, fps: float = 30) -> GaitMotion:
        """One stride with the feet held."""
        gaits = self._from('er_gaits')
        found: GaitMotion = lib.gait_move(gaits._from('er_model'), gaits._from('er_modes'), gaits, self, fps)
        return found


class Gaits(er_gaits):
    """Gaits of a rig, the best of each family first; gaits["trot"] is one by name."""

    def __len__(self) -> int:
        return int(self.count)

    def __iter__(self) -> Iterator[Gait]:
        return iter(self.gait)

    def __getitem__(self, which: int | str) -> Gait:
        found: Gait = self.gait[which]
        return found

    @property
    def names(self) -> list[str]:
        return [each.name for each in self.gait]


class GaitMotion(er_gait_motion):
    """Frames of a gait, or of a preset in time: time, q, pose, travel, stands."""

    name = 'gait'

    @property
    def world_pose(self) -> Array:
        """(frames, n, 7): poses that travel."""
        pose: Array = self.pose.copy()
        pose[:, :, 4:] += self.travel[:, None, :]
        return pose


class Walker(er_walker):
    """A character that walks a stride by its own torques."""

    @property
    def motors(self) -> Table[Any]:
        """er_motor of each driven coordinate, for World."""
        count = ctypes.c_int()
        address = direct('er_walker_motors', self._address, ctypes.byref(count))
        return Table('er_motor', address or 0, count.value, self)

    def save(self) -> bytes:
        """The state that it remembers."""
        kept = ctypes.create_string_buffer(direct('er_walker_state_size', self._address))
        direct('er_walker_save', self._address, ctypes.addressof(kept))
        return kept.raw

    def restore(self, state: bytes) -> None:
        """Restores what save() gave."""
        if len(state) != direct('er_walker_state_size', self._address):
            raise ValueError('these bytes are no state of this walker')
        direct('er_walker_restore', self._address, state)


def find_stand(model: Model, **options: Any) -> tuple[Model, float]:
    """The model in the pose in which it stands best, and how well, 0 to 1. Options are those of er_gait_def."""
    from .model import Model
    rig, call, context = model._needs_rig(), Call(), here()
    found = class_of('er_gait_stand')._at(ctypes.addressof(raw := (ctypes.c_char * 64)()), raw)
    direct('er_gait_find_stand', rig._address, None, call.struct('er_gait_def', options), found._address)
    call.check()
    address = ctypes.c_void_p.from_address(found._address).value
    if not address:
        return model, found.stance
    other = class_of('er_rig')._at(address, Owner(address, 'er_rig', context, [model]))
    return Model._of(other.model, other, model.notes), found.stance


def measure_preset(model: Model, preset: str, pose: npt.ArrayLike, **options: Any) -> list[View]:
    """How far a preset's parts go in poses (frames, n, 7): er_preset_part of each move."""
    frames, call, count = np.ascontiguousarray(pose, float), Call(), ctypes.c_int()
    if frames.shape[1:] != (model.body_count, 7):
        raise ValueError(f'pose has the shape {frames.shape}, not (frames, {model.body_count}, 7)')
    parts = (ctypes.c_char * (64 * 32))()
    rig, chosen = model.rig, lib.preset_named(preset)
    if chosen is None:
        raise ValueError(f'there is no preset "{preset}"')
    direct('er_preset_measure', model._address, rig._address if rig else None, call.struct('er_gait_def', options),
           chosen._address, len(frames), frames.ctypes.data, ctypes.addressof(parts), ctypes.byref(count))
    return list(Table('er_preset_part', ctypes.addressof(parts), count.value, parts))


def sequence(model: Model, gaits: Gaits, items: Sequence[dict[str, Any]], fps: float = 30) -> GaitMotion:
    """Gaits, mixes and clips one after the other: dicts of er_sequence_item."""
    found: GaitMotion = lib.gait_sequence(model, gaits.body, list(items), fps)
    return found
