"""Poses, mixes in time, and trajectories."""
from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import lib
from ._library import ERRORS, RESULTS, native
from ._views import class_of

if TYPE_CHECKING:
    from .lib import er_kinematics, er_mix, er_motion, er_trajectory
    from .model import Model
else:
    er_kinematics, er_mix, er_motion, er_trajectory = map(
        class_of, ('er_kinematics', 'er_mix', 'er_motion', 'er_trajectory'))

Array = npt.NDArray[np.float64]


class Kinematics(er_kinematics):
    """Exact poses of a model at any displacement."""

    def pose(self, x: npt.ArrayLike) -> tuple[Array, Array]:  # type: ignore[override]
        """(x after loops are closed (width,), world poses (n, 7))."""
        closed = np.array(x, float)
        pose: Array = lib.kinematics_pose(self, closed)
        return closed, pose

    def mode(self, mode: Any, degrees: float | None = None) -> Array:
        """The displacement along a mode at unit factor, or at an amplitude in degrees: (width,)."""
        x: Array = lib.kinematics_mode(self, mode)
        if degrees is not None:
            x *= mode.amplitude(degrees)
        return x

    def poser(self, x: Array, pose: Array) -> Callable[[], None]:
        """A function that computes the poses of what is in x (width,) into pose (n, 7), for loops: it checks nothing
        again and makes nothing. One thread at a time may call it, and nothing else with this object meanwhile."""
        lib.kinematics_pose(self, x)  # checks that x fits
        if pose.shape != (self._from('er_model').body_count, 7) or pose.dtype != float or not pose.flags.c_contiguous \
                or not pose.flags.writeable:
            raise ValueError('pose must be a writable, contiguous array (body_count, 7) of float64')
        function, words, context = native('er_kinematics_pose'), (self._address, x.ctypes.data, pose.ctypes.data), self._owner.context

        def run(_keeps: Any = (self, x, pose)) -> None:
            if answer := function(*words):
                raise ERRORS[RESULTS[answer]](context.error())
        return run


class Mix(er_mix):
    """Modes that act together."""

    def fit(self, model: Model, modes: Any) -> tuple[Any, Mix]:
        """The same modes among those of a changed rig: (er_mix_match of each, mix)."""
        match, mix = lib.mix_fit(model, modes, self)
        return match, mix

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes a mix file."""
        lib.mix_file_write(self, os.fspath(path))


def read_mix(path: str | os.PathLike[str]) -> Mix:
    """Reads a mix file."""
    found: Mix = lib.mix_file_read(os.fspath(path))
    return found


class Motion(er_motion):
    """A mix bound to the modes of a rig."""

    @property
    def name(self) -> str:
        return str(self._from('er_mix').name)

    def times(self, fps: float = 60) -> Array:
        """Instants from 0 to the end, at about fps."""
        return np.linspace(0, self.duration, max(2, round(self.duration * fps) + 1))

    def poses(self, times: npt.ArrayLike) -> tuple[Array, Array]:
        """(displacements (t, width), world poses (t, n, 7))"""
        x, pose = lib.motion_poses(self, np.atleast_1d(np.asarray(times, float)))
        return x, pose

    def reach(self, fps: float = 60) -> float:
        """The largest share of the amplitudes at which loops close and planted bodies stay."""
        return float(lib.motion_reach(self, fps))


class Trajectory(er_trajectory):
    """Poses of bodies as smooth functions of time."""

    body_count = 0

    def sample(self, times: npt.ArrayLike) -> tuple[Array, Array, Array]:
        """(poses (t, n, 7), twists (t, n, 6) in body axes, their rates (t, n, 6))"""
        at, bodies = np.atleast_1d(np.asarray(times, float)), range(self.body_count)
        function, found = native('er_trajectory_at'), [np.zeros((len(at), len(bodies), width)) for width in (7, 6, 6)]
        for k, time in enumerate(at):
            for body in bodies:
                function(self._address, time, body, *(each[k, body].ctypes.data for each in found))
        return found[0], found[1], found[2]
