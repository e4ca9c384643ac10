"""Rigs and their modes."""
from __future__ import annotations

import ctypes
import html
import importlib
import os
import pathlib
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np
import numpy.typing as npt

from . import lib
from ._calls import Call, direct
from ._library import ERRORS, RESULTS, ArgumentError, here
from ._views import FIELDS, Keeper, Owner, Table, View, array, class_of

if TYPE_CHECKING:
    from .gait import Gaits
    from .lib import er_mode, er_modal_matrices, er_model, er_modes, er_rig, er_scene
    from .motion import Kinematics, Mix, Motion, Trajectory
    from .world import Inverse, World
else:
    er_mode, er_modal_matrices, er_model, er_modes, er_rig, er_scene = map(
        class_of, ('er_mode', 'er_modal_matrices', 'er_model', 'er_modes', 'er_rig', 'er_scene'))

Array = npt.NDArray[np.float64]
Path = str | os.PathLike[str]


def open(path: Path, **options: Any) -> Model:
    """Opens a model file (glTF, FBX, Collada, BVH and more), a rig file or a palette file.

    Options are the fields of er_rig_def: root="fixed", height=1.7, mass=70, change={...}. time_limit, memory_limit,
    importer and allow_outside are those of er_import_def.
    """
    limits: dict[str, Any] = {name: options.pop(name) for name in ('time_limit', 'memory_limit', 'importer', 'allow_outside')
              if name in options}
    opened = lib.file_open(os.fspath(path), limits or None, options or None)
    return Model._of(opened.model, opened.rig, [note.text for note in opened.note or ()])


def open_bytes(data: bytes, name: str = 'model', beside: Mapping[str, bytes] = {}, **options: Any) -> Model:
    """Reads glTF, GLB, VRM or BVH bytes in this process. `beside` are the files that the model refers to."""
    held = [(os.fsencode(each), bytes(value)) for each, value in beside.items()]
    scene = lib.import_bytes(name, data, [_named(*each) for each in held])
    rig = lib.rig_build(scene, options or None)
    return Model._of(rig.model, rig, [note.text for note in [*(scene.note or ()), *(rig.note or ())]])


def _named(name: bytes, data: bytes) -> Any:
    return lib.new('er_named_bytes', name=name.decode(), bytes=data, size=len(data))


def build(bodies: Sequence[Any], joints: Sequence[Any] = (), **fields: Any) -> Model:
    """Makes a model of bodies and joints: dicts of fields of er_body and er_joint."""
    made: Model = lib.model_create({'body': list(bodies), 'joint': list(joints), **fields})
    return made


class Model(er_model):
    """A rig: bodies, joints, and the pose of equilibrium."""

    _rig: Any = None
    notes: list[str] = []

    @classmethod
    def _of(cls, model: Any, rig: Any, notes: list[str]) -> Model:
        model._rig, model.notes = rig, notes
        made: Model = model
        return made

    @property
    def rig(self) -> er_rig | None:
        """How the model was made of its scene; None for a rig file."""
        found: er_rig | None = self._rig
        return found

    @property
    def scene(self) -> er_scene | None:
        """Nodes, meshes, skins, materials and clips of the file; None for a rig file."""
        return None if self._rig is None else self._rig.scene

    # ---- Modes

    def modes(self, count: int = 0, **options: Any) -> Modes:
        """Natural modes, the `count` lowest or all. Options are the fields of er_modal_def, such as method="qr"."""
        found: Modes = lib.modal_solve(self, {'mode_count': count, **options})
        return found

    def solver(self, count: int = 0, **options: Any) -> Solver:
        """Solves again and again while stiffness, damping or masses change."""
        found: Solver = lib.modal_solver_create(self, {'mode_count': count, **options})
        return found

    def matrices(self, pose: npt.ArrayLike | None = None) -> Matrices:
        """M, K, C, G, R and N about a pose (n, 7), or about the equilibrium."""
        found: Matrices = lib.modal_matrices_create(self, pose)
        return found

    def regions(self) -> Any:
        """Parts of the body with their names: er_regions."""
        return lib.regions_create(self, self._rig)

    def mirror(self, up: npt.ArrayLike = (0, 0, 0)) -> Any:
        """The plane between left and right, and twins: er_mirror."""
        return lib.mirror_find(self, self._rig, up)

    # ---- Changes

    @property
    def stiffness(self) -> Array:
        """Springs of all free coordinates, N m/rad and N/m: (coordinate_count,), a copy."""
        return self._of_coordinates('stiffness')

    @property
    def damping(self) -> Array:
        """Dampers of all free coordinates, N m s/rad and N s/m: (coordinate_count,), a copy."""
        return self._of_coordinates('damping')

    def _of_coordinates(self, field: str) -> Array:
        values, counts = getattr(self.joint, field), np.diff(self.coordinate)
        return np.asarray(values[np.arange(6) < counts[:, None]])

    def change(self, joints: Mapping[str, Mapping[str, Any]] = {}, bodies: Mapping[str, Mapping[str, Any]] = {},
               **fields: Any) -> Model:
        """A changed copy. `joints` and `bodies` map name patterns to fields of er_joint_change and er_body_change; other
        options are fields of er_rig_change: change({"*Arm*": {"hz": 3}}, mass=70)."""
        asked = dict(fields)
        if joints:
            asked['joint'] = [{'pattern': name, **each} for name, each in joints.items()]
        if bodies:
            asked['body'] = [{'pattern': name, **each} for name, each in bodies.items()]
        return Model._of(lib.rig_change_model(self, asked), self._rig, self.notes)

    def found_by(self, change: Mapping[str, Any], which: int = 0, bodies: bool = False) -> npt.NDArray[np.bool_]:
        """Which joints, or bodies, an entry of a change applies to, twins included: change is as er_rig_change."""
        call = Call([self])
        found = np.zeros(self.body_count if bodies else self.joint_count, bool)
        direct('er_body_change_find' if bodies else 'er_joint_change_find', self._address,
               call.struct('er_rig_change', dict(change)), which, found.ctypes.data)
        return found

    def scaled(self, factor: npt.ArrayLike) -> Model:
        """A copy with the stiffness of each joint multiplied by a factor: (joint_count,)."""
        return self.change(factor=np.broadcast_to(np.asarray(factor, float), self.joint_count))

    def tune(self, frequencies: Mapping[int, float], joints: npt.ArrayLike | None = None,
             modes: Modes | None = None) -> tuple[Model, Any]:
        """Springs by result: modes by index get frequencies, Hz. (tuned model, er_tuning)"""
        held = self.modes() if modes is None else modes
        aims = [{'mode': mode, 'hz': hz} for mode, hz in frequencies.items()]
        asked: dict[str, Any] = {'modes': held, 'aim': aims}
        if joints is not None:
            asked['joint'] = np.asarray(joints, bool)
        tuning = lib.tuning_create(self, asked)
        return self.scaled(tuning.factor), tuning

    # ---- Motion

    def pose(self, q: npt.ArrayLike | None = None, root: npt.ArrayLike | None = None) -> Array:
        """World poses (n, 7) of joint coordinates: quaternion w x y z, then m. Loops stay open. Default: equilibrium."""
        found: Array = lib.model_pose(self, np.zeros(self.coordinate_count) if q is None else q, root)
        return found

    def coordinates(self, pose: npt.ArrayLike, root: npt.NDArray[Any] | None = None) -> Array:
        """The joint coordinates of poses (n, 7): (coordinate_count,), rad and m. `root` (n, 7) is written for roots."""
        return lib.model_coordinates(self, pose, root)

    def kinematics(self) -> Kinematics:
        """Exact poses at any displacement, with loops closed."""
        found: Kinematics = lib.kinematics_create(self)
        return found

    def mix(self, text: str | Sequence[Any], modes: Modes | None = None, **fields: Any) -> Mix:
        """A mix of modes: "7:12, 9:5cm@1.1+90", with names of `modes` too, or dicts of er_mix_component."""
        found: Mix
        if not isinstance(text, str):
            found = lib.mix_create({'component': list(text), **fields})
        else:
            found = lib.mix_parse(lib.mode_names_in_mix(modes.naming, text) if modes is not None else text)
        return found

    def motion(self, mix: Any, modes: Modes | None = None, **options: Any) -> Motion:
        """A mix in time. Options are the fields of er_motion_def: loop=True, duration=2."""
        held = self.modes() if modes is None else modes
        made: Any = mix if isinstance(mix, View) else self.mix(mix, modes)
        found: Motion = lib.motion_create(self, held, made, options)
        return found

    def trajectory(self, time: npt.ArrayLike, pose: npt.ArrayLike) -> Trajectory:
        """Smooth poses through given ones: time (t,), pose (t, n, 7)."""
        found: Trajectory = lib.trajectory_create(time, self.body_count, pose)
        found.body_count = self.body_count
        return found

    def follow(self, trajectory: Trajectory, loose: npt.ArrayLike, *, duration: float, count: int, repeats: bool = False,
               **options: Any) -> Any:
        """Loose bodies swing along a motion: er_follow with `time` and `pose`. Options are those of er_follow_def."""
        return lib.follow_create(self, trajectory, duration, count, repeats, {'loose': np.asarray(loose, bool), **options})

    def clip_poses(self, name: str, times: npt.ArrayLike | None = None, fps: float = 30) -> tuple[Array, Array]:
        """A clip of the scene as poses of bodies: times (t,) and (t, n, 7)."""
        rig = self._needs_rig()
        clip = lib.scene_find_clip(rig.scene, name)
        at = np.arange(0, clip.duration + 0.5 / fps, 1 / fps) if times is None else np.asarray(times, float)
        target = lib.rig_target(rig)
        poses = [lib.poses_of_nodes(self, target, rig.body_node, lib.scene_sample(rig.scene, clip, t)) for t in at]
        return at, np.array(poses)

    def gaits(self, modes: Modes | None = None, **options: Any) -> Gaits:
        """Mixes of modes that walk. Options are the fields of er_gait_def. progress(done, all) is called if given; an
        exception in it, or Ctrl+C, ends the search."""
        options = {'progress': lambda done, all: None, 'stop': lambda: False} | options
        found: Gaits = lib.gaits_find(self, self._rig, self.modes() if modes is None else modes, options)
        return found

    def preset(self, name: str, modes: Modes | None = None, fps: float = 30) -> Any:
        """A built-in preset: a Mix ("idle", "wag", ...), or a GaitMotion of one in time ("jump", "nod", ...)."""
        preset, held = lib.preset_named(name), self.modes() if modes is None else modes
        if preset is None:
            raise ArgumentError(f'there is no preset "{name}"')
        if lib.preset_is_timed(preset):
            return lib.preset_move(self, self._rig, held, None, preset, fps)
        return lib.preset_mix(self, self._rig, held, None, preset)

    # ---- Dynamics

    def world(self, **options: Any) -> World:
        """The model in motion, with gravity, contacts, motors and forces: fields of er_world_def."""
        from .world import World
        return World._make(self, options)

    def mechanics(self, gravity: npt.ArrayLike = (0, 0, 0)) -> Any:
        """Mass matrix, momentum, Jacobians and forces at a state: er_mechanics."""
        return lib.mechanics_create(self, gravity)

    def inverse(self, **options: Any) -> Inverse:
        """Forces that make a motion: fields of er_inverse_def, such as gravity and contact."""
        found: Inverse = lib.inverse_create({'model': self, **options})
        return found

    # ---- Files and pictures

    def _needs_rig(self) -> Any:
        if self._rig is None:
            raise ArgumentError('this model was not made from a scene')
        return self._rig

    def target(self) -> Any:
        """The nodes that the bodies move: of the scene, or of one made of bones."""
        if self._rig is not None and self._rig.scene.mesh_count:
            return lib.rig_target(self._rig)
        scene, node_body = bone_scene(self, self._rig)
        world = lib.scene_world(scene, lib.scene_sample(scene, None, 0))
        rig = {} if self._rig is None else {'keyed': np.append(self._rig.bone, np.zeros(scene.node_count - len(self._rig.bone), bool))}
        unit = scene.metres_per_unit if self._rig is None else self._rig.metres_per_unit
        return lib.new('er_recording_target', scene=scene, node_body=node_body, world=world, metres_per_unit=unit, **rig)

    def write(self, path: Path, *clips: Any, fps: float = 30, **options: Any) -> None:
        """Writes the model with clips: .glb, .gltf, .vrm, .vrma, .fbx, .dae, .bvh, or a rig file (.json). A clip is a
        Motion, a GaitMotion, a recording, or (times, poses, name). Options are the fields of er_export_def."""
        ending = pathlib.Path(path).suffix.lower()
        if ending == '.json':
            return lib.rig_file_write(self, os.fspath(path))
        target = self.target()
        kept = [record(self, clip, target, fps) for clip in clips]
        scene = target.scene
        if ending == '.bvh':
            bone = None if self._rig is None else self._rig.bone
            return lib.bvh_write(scene, bone, kept[0].clip if kept else None, fps, os.fspath(path))
        writers: dict[str, Any] = {'.fbx': lib.fbx_write, '.dae': lib.collada_write, '.vrma': lib.vrma_write}
        writers.get(ending, lib.gltf_write)(scene, [each.clip for each in kept], options, os.fspath(path))

    def _repr_html_(self) -> str:
        rows = ''.join(f'<tr><td>{k}</td><td>{html.escape(str(body.name))}</td><td>{body.mass:.4g} kg</td></tr>'
                       for k, body in enumerate(self.body))
        return f'<b>{html.escape(str(self.name))}</b>: {self.body_count} bodies, {self.joint_count} joints<table>{rows}</table>'


def record(model: Model, clip: Any, target: Any, fps: float) -> Any:
    """A clip of any kind as an er_recording."""
    if isinstance(clip, tuple):
        times, poses, *name = clip
        made = {'model': model, 'time': np.asarray(times, float), 'pose': np.asarray(poses, float)}
        return lib.poses_record(made, target, {'name': name[0] if name else 'clip'})
    if clip._kind == 'er_motion':
        return lib.motion_record(clip, target, {'name': clip.name, 'fps': fps})
    if clip._kind == 'er_gait_motion':
        return lib.gait_record(clip, True, target, {'name': clip.name})
    return clip


def bone_scene(model: Model, rig: Any = None) -> tuple[er_scene, npt.NDArray[np.int32]]:
    """A scene that draws a rig without a mesh, and the body of each of its nodes."""
    return _with_nodes('er_rig_bone_scene', [model] if rig is None else [model, rig],
                       model._address, None if rig is None else rig._address)


def _with_nodes(name: str, things: Sequence[Any], *words: Any) -> tuple[er_scene, npt.NDArray[np.int32]]:
    out, nodes, context = ctypes.c_void_p(), ctypes.c_void_p(), here()
    direct(name, *words, ctypes.byref(out), ctypes.byref(nodes))
    scene = class_of('er_scene')._at(out.value or 0, Owner(out.value or 0, 'er_scene', context, things))
    return scene, array(nodes.value, 'int', (scene.node_count,), scene)


class Mode(er_mode):
    """A natural mode. `body` is its shape, `joint` its joint coordinates, both read from the library's memory."""

    @property
    def modes(self) -> Modes:
        found: Modes = self._from('er_modes')
        return found

    @property
    def index(self) -> int:
        """Its index, as mixes and tables count: from 0 over all modes of the rig."""
        found: int = direct('er_modes_index', self.modes._address, self._address)
        return found

    @property
    def shape(self) -> Array:
        """Twists of the bodies (n, 6): angular, then linear; body axes, of the body frames' origins."""
        found: Array = self.body
        return found.reshape(-1, 6)

    def amplitude(self, degrees: float) -> float:
        """The factor of the shape at which no joint rotates by more than `degrees`."""
        found: float = lib.mode_amplitude(self.modes.model, self, degrees)
        return found


class Modes(er_modes):
    """Natural modes: a sequence of Mode, and arrays of all. modes[7] is the mode of index 7, modes["tail"] one by name."""

    @property
    def model(self) -> Model:
        found: Model = self._from('er_model')
        return found

    @property
    def frequency_hz(self) -> Array:
        """(count,), Hz, ascending; 0 for rigid modes and mechanisms. A view."""
        found: Array = self.mode.frequency_hz
        return found

    @property
    def omega(self) -> Array:
        """(count,), rad/s."""
        found: Array = np.sqrt(self.mode.eigenvalue)
        return found

    @property
    def damping_ratio(self) -> Array:
        """(count,), of er_mode.damping_ratio. A view."""
        found: Array = self.mode.damping_ratio
        return found

    @property
    def index(self) -> npt.NDArray[np.int64]:
        """(count,), the index of each mode held."""
        return np.arange(self.first, self.first + self.count)

    @property
    def shape(self) -> Array:
        """(count, n, 6): twists of the bodies, angular first; body axes, body frames' origins. shape' M shape = 1."""
        return self._stacked('body').reshape(self.count, -1, 6)

    @property
    def joint_shape(self) -> Array:
        """(count, coordinate_count): free coordinates of the joints."""
        return self._stacked('joint')

    def _stacked(self, field: str) -> Array:
        """Rows of one field of all modes: a view if they lie at equal steps in memory, otherwise a copy."""
        rows = getattr(self.mode, field)
        if not rows:
            return np.zeros((0, 0))
        at = np.array([row.ctypes.data for row in rows])
        steps = np.diff(at)
        if len(rows) > 1 and rows[0].size and np.all(steps == steps[0]) and steps[0] >= rows[0].nbytes:
            return array(int(at[0]), 'double', (len(rows), rows[0].size), self, int(steps[0]))
        return np.array(rows)

    @property
    def naming(self) -> Any:
        """er_mode_names: plain names, brief ones, parity and regions."""
        if '_naming' not in self.__dict__:
            self._naming: Any = lib.mode_names_create(self.model, self.model.regions(), self)
        return self._naming

    @property
    def names(self) -> list[str]:
        """Plain words for each mode: "hind legs swing, alternating"."""
        return [each.name for each in self.naming.mode]

    @property
    def parity(self) -> Array:
        """(count,): 1: both sides move alike; -1: against each other."""
        found: Array = self.naming.mode.parity
        return found

    @property
    def effective_mass(self) -> Array:
        """(count, 6): participation; about x, y, z in kg m^2, along x, y, z in kg."""
        return np.array([lib.mode_effective_mass(self.model, mode) for mode in self.mode]).reshape(-1, 6)

    @property
    def joint_shares(self) -> Array:
        """(count, joint_count): the share of each joint in a mode's energy."""
        return np.array([lib.mode_joint_shares(self.model, mode) for mode in self.mode])

    @property
    def body_shares(self) -> Array:
        """(count, body_count): the share of each body in a mode's kinetic energy."""
        return np.array([lib.mode_body_shares(self.model, mode) for mode in self.mode])

    def bound(self, degrees: float = 20, shapes: bool = True) -> Table[Any]:
        """How far each mode may swing: er_mode_bound."""
        found: Table[Any] = lib.modes_bound(self.model, self, lib.rig_shapes_create(self.model, self.model.rig) if shapes else None,
                                       degrees)
        return found

    def validate(self, **options: Any) -> Any:
        """Up to which amplitude full dynamics agree with each mode: er_validity. progress(done, all) may return False to
        end it; Ctrl+C ends it too."""
        options.setdefault('progress', lambda done, all: True)
        return lib.modes_validate(self.model, self, options)

    def project(self, x: npt.ArrayLike) -> tuple[Array, Array]:
        """A motion as a sum of modes: x (frames, width or coordinate_count) from equilibrium. (coefficients (frames,
        count), share (count,))"""
        frames, width = np.atleast_2d(np.asarray(x, float)), self.model.kinematics().width()
        wide = np.zeros((len(frames), width))
        wide[:, :frames.shape[1]] = frames
        coefficient, share = lib.modes_project(self.model, self, wide)
        return coefficient, share

    def match(self, now: Modes) -> Table[Any]:
        """Where each mode is among those of an edited rig: er_mode_match."""
        found: Table[Any] = lib.modes_match(self.model, self, now.model, now)
        return found

    def write(self, path: Path) -> None:
        """Writes them: .csv, .npz, or a palette file (.json)."""
        ending = pathlib.Path(path).suffix.lower()
        if ending == '.json':
            lib.palette_file_write(self.model, self, self.naming, None, None, os.fspath(path))
        else:
            (lib.modes_write_csv if ending == '.csv' else lib.modes_write_npz)(self.model, self, os.fspath(path))

    def plot(self, ax: Any = None) -> Any:
        """A spectrum on matplotlib axes: a line at each frequency."""
        if ax is None:
            ax = importlib.import_module('matplotlib.pyplot').gca()
        ax.vlines(self.frequency_hz, 0, 1)
        ax.set(xlabel='frequency (Hz)', ylim=(0, 1.1), title=self.model.name)
        return ax

    def __len__(self) -> int:
        return int(self.count)

    def __iter__(self) -> Iterator[Mode]:
        return iter(self.mode)

    @overload
    def __getitem__(self, which: int | str) -> Mode: ...
    @overload
    def __getitem__(self, which: slice) -> list[Mode]: ...

    def __getitem__(self, which: Any) -> Any:
        if isinstance(which, slice):
            return self.mode[which]
        index = lib.mode_names_find(self.naming, which) if isinstance(which, str) else int(which)
        found = lib.modes_find(self, index)
        if found is None:
            raise (KeyError if isinstance(which, str) else IndexError)(which)
        return found

    def __repr__(self) -> str:
        return f'<{self.count} of {self.dof} modes of {self.model.name}: {np.array2string(self.frequency_hz, precision=4)} Hz>'

    def _repr_html_(self) -> str:
        rows = ''.join(f'<tr><td>{k}</td><td>{mode.frequency_hz:.4g}</td><td>{mode.kind.name.lower()}</td><td>{html.escape(name)}</td>'
                       f'<td><meter max="{max(self.frequency_hz[-1], 1e-9):g}" value="{mode.frequency_hz:g}"></meter></td></tr>'
                       for k, mode, name in zip(self.index, self.mode, self.names))
        return f'<table><tr><th>mode</th><th>Hz</th><th>kind</th><th>name</th><th></th></tr>{rows}</table>'


class Matrices(er_modal_matrices):
    """M, K, C, G, R and N as scipy.sparse arrays. Velocities v = N p', G v = 0; N'R'KRN u = omega^2 N'MN u."""

    def _sparse(self, name: str) -> Any:
        kept = self._get(*FIELDS['er_modal_matrices'][name])
        sparse = importlib.import_module('scipy.sparse')
        return sparse.coo_array((kept.value, (kept.row, kept.column)), shape=(kept.row_count, kept.column_count)).tocsc()

    @property
    def M(self) -> Any:
        """(6n, 6n): spatial inertias of the bodies."""
        return self._sparse('M')

    @property
    def K(self) -> Any:
        """(coordinate_count, coordinate_count), diagonal: springs."""
        return self._sparse('K')

    @property
    def C(self) -> Any:
        """(coordinate_count, coordinate_count), diagonal: dampers."""
        return self._sparse('C')

    @property
    def G(self) -> Any:
        """(constraint_count, 6n): what joints forbid."""
        return self._sparse('G')

    @property
    def R(self) -> Any:
        """(coordinate_count, 6n): rates of the free coordinates."""
        return self._sparse('R')

    @property
    def N(self) -> Any:
        """(6n, dof): motions that the joints allow."""
        return self._sparse('N')

    def pencil(self) -> tuple[Any, Any]:
        """(N'R'KRN, N'MN), sparse: the eigenproblem in the coordinates of N."""
        stretch = self.R @ self.N
        return stretch.T @ self.K @ stretch, self.N.T @ self.M @ self.N

    def damping(self) -> Any:
        """N'(R'CR + alpha M + beta R'KR)N, sparse, without er_model.damping_ratio."""
        model, stretch = self._from('er_model'), self.R @ self.N
        stiffness, mass = self.pencil()
        return stretch.T @ self.C @ stretch + model.rayleigh_mass * mass + model.rayleigh_stiffness * stiffness


class Snapshot(NamedTuple):
    """Copies of what a Solver found; they outlive its next solve."""

    frequency_hz: Array
    shape: Array
    joint_shape: Array
    damping_ratio: Array


class Match(NamedTuple):
    """Where the modes of the solve before are now."""

    now: npt.NDArray[np.int32]
    likeness: Array


class Solver(class_of('er_modal_solver')):  # type: ignore[misc]
    """Modes while a rig is edited: set_stiffness(), set_damping(), set_bodies(), set_model(), then solve()."""

    def solve(self) -> Snapshot:
        """The modes with the present numbers, copied."""
        return self._solved('er_modal_solver_solve', [])

    def follow(self) -> tuple[Snapshot, Match]:
        """The modes, and where those of the solve before are among them."""
        match, count = ctypes.c_void_p(), ctypes.c_int()
        found = self._solved('er_modal_solver_follow', [match, count])
        table: Table[Any] = Table('er_mode_match', match.value or 0, count.value, Keeper(None, []))
        kept = Match(table.now.copy(), table.likeness.copy()) if count.value else Match(np.zeros(0, np.int32), np.zeros(0))
        return found, kept

    def _solved(self, name: str, more: list[Any]) -> Snapshot:
        out = ctypes.c_void_p()
        direct(name, self._address, ctypes.byref(out), *(ctypes.byref(each) for each in more), holder=self)
        modes = class_of('er_modes')._at(out.value or 0, self)
        return Snapshot(modes.frequency_hz.copy(), modes.shape.copy(), modes.joint_shape.copy(), modes.damping_ratio.copy())


def solve_batch(models: Sequence[Model], **options: Any) -> list[Any]:
    """Modes of many rigs on all cores; an Error stands where a rig failed. Options are those of er_modal_def."""
    count, call, context = len(models), Call(), here()
    outs, results = (ctypes.c_void_p * count)(), (ctypes.c_int * count)()
    addresses = (ctypes.c_void_p * count)(*(model._address for model in models))
    direct('er_modal_solve_batch', count, addresses, call.struct('er_modal_def', options), outs, results)
    call.check()
    return [class_of('er_modes')._at(at, Owner(at, 'er_modes', context, [model])) if at else
            ERRORS[RESULTS[code]](f"{model.name}: {context.error()}") for at, code, model in zip(outs, results, models)]
