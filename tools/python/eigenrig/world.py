"""Models in motion by forces, and the forces of motions."""
from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from . import lib
from ._calls import Call, direct
from ._library import TYPES, ArgumentError
from ._views import View, array, class_of, given, look

if TYPE_CHECKING:
    from .lib import er_inverse, er_ode, er_sweep, er_world, er_world_file
    from .model import Model
else:
    er_inverse, er_ode, er_sweep, er_world, er_world_file = map(
        class_of, ('er_inverse', 'er_ode', 'er_sweep', 'er_world', 'er_world_file'))

Array = npt.NDArray[np.float64]


class Frames(NamedTuple):
    """A simulation frame by frame."""

    time: Array
    pose: Array  # (t, n, 7)
    twist: Array  # (t, n, 6)
    energy: Array  # (t,), J


class World(er_world):
    """A model in motion. time, pose and twist are its state."""

    @classmethod
    def _make(cls, model: Model, options: dict[str, Any]) -> World:
        asked: dict[str, Any] = {'model': model, **options}
        wraps: dict[str, Callable[..., Any]] = {'apply': _apply, 'guide': _guide}
        for name, wrap in wraps.items():
            if name in asked:
                asked[name] = wrap(asked[name], model.body_count)
        found: World = lib.world_create(asked)
        return found

    @property
    def model(self) -> Model:
        found: Model = self._from('er_model')
        return found

    @property
    def time(self) -> float:  # type: ignore[override]
        return float(direct('er_world_time', self._address))

    @property
    def pose(self) -> Array:
        """World poses (n, 7), a copy."""
        return array(direct('er_world_pose', self._address), 'er_pose', (self.model.body_count,), self).copy()

    @property
    def twist(self) -> Array:
        """Twists (n, 6), body axes, a copy."""
        return array(direct('er_world_twist', self._address), 'er_twist', (self.model.body_count,), self).copy()

    @property
    def energy(self) -> Any:
        """er_world_energy: kinetic, potential, elastic, mechanical, work and heat, J."""
        return lib.world_measure_energy(self)

    @property
    def contacts(self) -> list[View]:
        """er_contact of each contact point of the last step."""
        return [lib.world_contact(self, k) for k in range(direct('er_world_contact_count', self._address))]

    def run(self, times: npt.ArrayLike, each: Callable[[World], Any] | None = None) -> Frames:
        """Advances to each time and keeps the state there. each(world) is called before every frame; Ctrl+C ends it."""
        at = np.atleast_1d(np.asarray(times, float))
        pose, twist, energy = (np.zeros((len(at), *more)) for more in ((self.model.body_count, 7), (self.model.body_count, 6), ()))
        for k, time in enumerate(at):
            if each is not None:
                each(self)
            lib.world_advance(self, float(time))
            pose[k], twist[k], energy[k] = self.pose, self.twist, self.energy.mechanical
        return Frames(at, pose, twist, energy)

    def set_state(self, time: float = 0, pose: npt.ArrayLike | None = None, twist: npt.ArrayLike | None = None) -> None:
        """Sets poses (n, 7) and twists (n, 6). Default: the equilibrium, at rest."""
        lib.world_set_state(self, time, pose, twist)

    def save(self) -> bytes:
        """The whole state; after restore() the motion goes on to the last bit."""
        kept = ctypes.create_string_buffer(direct('er_world_state_size', self._address, holder=self))
        direct('er_world_save', self._address, ctypes.addressof(kept), holder=self)
        return len(kept).to_bytes(8, 'little') + kept.raw

    def restore(self, state: bytes) -> None:
        """Restores what save() gave."""
        if len(state) < 8 or int.from_bytes(state[:8], 'little') != len(state) - 8:  # C reads as much as its bytes say
            raise ArgumentError('these bytes are no state of a world')
        direct('er_world_restore', self._address, state[8:], holder=self)


def _apply(function: Callable[[float, Array, Array, Array], None], n: int) -> Callable[..., None]:
    def run(time: float, pose: int, twist: int, wrench: int) -> None:
        function(time, array(pose, 'er_pose', (n,), None), array(twist, 'er_twist', (n,), None),
                 array(wrench, 'er_wrench', (n,), None, writable=True))
    return run


def _guide(function: Callable[[float, int], tuple[Any, Any, Any]], _: int) -> Callable[..., None]:
    def run(time: float, body: int, *outs: int) -> None:
        for at, kind, value in zip(outs, ('er_pose', 'er_twist', 'er_twist'), function(time, body)):
            array(at, kind, (), None, writable=True)[...] = value
    return run


class Loads(NamedTuple):
    """The forces of one instant of a motion."""

    joint: Array  # (joints, 6): wrench on the child, world axes
    force: Array  # (coordinates,): N m and N
    passive: Array  # (coordinates,): of springs and dampers
    power: Array  # (coordinates,): W
    ground: Array  # (contacts, 3): N
    residual: Array  # (n, 6): what no contact can give


class Inverse(er_inverse):
    """Inverse dynamics of a model."""

    def solve(self, pose: npt.ArrayLike, twist: npt.ArrayLike, rate: npt.ArrayLike, stands: npt.ArrayLike | None = None,
              applied: npt.ArrayLike | None = None) -> Loads:
        """The forces of one instant: pose (n, 7), twist and rate (n, 6), stands (contacts,), applied (n, 6)."""
        model, contacts = self._from('er_model'), look(self, 'contact_count') or 0
        n, asked = model.body_count, {'pose': (pose, 7), 'twist': (twist, 6), 'rate': (rate, 6), 'applied': (applied, 6)}
        fields = {name: np.broadcast_to(value, (n, width)) for name, (value, width) in asked.items() if value is not None}
        if stands is not None:
            fields['stands'] = np.broadcast_to(np.asarray(stands, bool), contacts)
        outs = Loads(*(np.zeros(shape) for shape in ((model.joint_count, 6), model.coordinate_count, model.coordinate_count,
                                                     model.coordinate_count, (contacts, 3), (n, 6))))
        call = Call([self])
        frame = call.filled('er_inverse_frame', fields)
        for name, value in outs._asdict().items():
            setattr(frame, name, value.ctypes.data)
        direct('er_inverse_solve', self._address, ctypes.addressof(frame), holder=self)
        return outs


class Ode(er_ode):
    """A solver of ordinary differential equations by the integrators that worlds use. Its functions take arrays."""

    @property
    def positions(self) -> Array:
        """q, a copy."""
        return self._state('positions', 'position_count')

    @property
    def velocities(self) -> Array:
        """u, a copy."""
        return self._state('velocities', 'velocity_count')

    def _state(self, name: str, count: str) -> Array:
        raw = next(each for each in self._owner.keeps if isinstance(each, ctypes.Structure))
        return array(direct('er_ode_' + name, self._address), 'double', (getattr(raw, count),), self).copy()


def integrate(accelerate: Callable[[float, Array, Array], npt.ArrayLike], q: npt.ArrayLike, u: npt.ArrayLike,
              until: float, **options: Any) -> Ode:
    """Solves q' = u, u' = accelerate(t, q, u) from 0 to a time. Options are the fields of er_ode_def."""
    first, rate = np.atleast_1d(np.asarray(q, float)), np.atleast_1d(np.asarray(u, float))

    def run(time: float, at: int, speed: int, out: int) -> int:
        array(out, 'double', rate.shape, None, writable=True)[...] = accelerate(
            time, array(at, 'double', first.shape, None), array(speed, 'double', rate.shape, None))
        return 0
    ode: Ode = lib.ode_create({'position_count': len(first), 'velocity_count': len(rate), 'accelerate': run, **options})
    lib.ode_start(ode, 0, first, rate, 0)
    lib.ode_advance(ode, until)
    return ode


class Sweep(er_sweep):
    """Moving boxes and the pairs of them that overlap."""

    _count = 0

    def update(self, low: npt.ArrayLike, high: npt.ArrayLike, margin: float = 0) -> npt.NDArray[np.int32]:
        """The pairs (pairs, 2) of boxes low, high (count, 3), a copy."""
        boxes = [np.ascontiguousarray(each, float) for each in (low, high)]
        if any(each.shape != (self._count, 3) for each in boxes):
            raise ArgumentError(f'there are {self._count} boxes: low and high have the shape ({self._count}, 3)')
        pairs, count = ctypes.c_void_p(), ctypes.c_int()
        direct('er_sweep_update', self._address, boxes[0].ctypes.data, boxes[1].ctypes.data, ctypes.c_double(margin),
               ctypes.byref(pairs), ctypes.byref(count), holder=self)
        return array(pairs.value, 'int', (count.value, 2), self).copy()

    def over(self, low: npt.ArrayLike, high: npt.ArrayLike) -> npt.NDArray[np.int32]:
        """The boxes that overlap one."""
        box = np.zeros(self._count, np.int32)
        corners = [TYPES.of('er_vec3').from_buffer_copy(given(each, 'er_vec3', (), 'box')) for each in (low, high)]
        return box[:direct('er_sweep_over', self._address, *corners, box.ctypes.data, holder=self)]


def sweep(count: int) -> Sweep:
    """A broad phase for a number of boxes."""
    made: Sweep = lib.sweep_create(count)
    made._count = count
    return made


class WorldFile(er_world_file):
    """A world as a file describes it."""

    def world(self) -> World:
        """The world at its initial state."""
        made: World = lib.world_create(self._definition())
        lib.world_set_state(made, self.time, self.pose, self.twist)
        return made

    def _definition(self) -> Any:
        return getattr(self, 'def')

    def scene(self) -> tuple[Any, npt.NDArray[np.int32]]:
        """A scene that draws it, and the body of each node."""
        from .model import _with_nodes
        return _with_nodes('er_world_file_scene', [self], self._address)


def open_world(path: str | os.PathLike[str]) -> WorldFile:
    """Opens a world file."""
    found: WorldFile = lib.world_file_read(os.fspath(path))
    return found


def skin(scene: Any, instance: int, world: npt.ArrayLike) -> Array:
    """World positions (vertices, 3) of an instance of a scene, file units; world (nodes, 4, 3) as scene.world() gives."""
    at, mesh = np.ascontiguousarray(world, float), scene.mesh[scene.instance[instance].mesh]
    if at.shape != (scene.node_count, 4, 3):
        raise ArgumentError(f'world has the shape {at.shape}, not ({scene.node_count}, 4, 3)')
    position = np.zeros((mesh.vertex_count, 3))
    direct('er_scene_skin', scene._address, instance, at.ctypes.data, position.ctypes.data)
    return position


def constraint_errors(model: Model, pose: npt.ArrayLike) -> Array:
    """The errors of the rows of G at poses (n, 7)."""
    rows = sum(6 - lib.joint_type_freedom(joint.type)[0] for joint in model.joint)
    at, error = np.ascontiguousarray(pose, float), np.zeros(rows)
    if at.shape != (model.body_count, 7):
        raise ArgumentError(f'pose has the shape {at.shape}, not ({model.body_count}, 7)')
    direct('er_constraint_errors', model._address, at.ctypes.data, error.ctypes.data)
    return error
