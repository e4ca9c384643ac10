"""eigenrig: natural modes, gaits and dynamics of rigged characters.

    import eigenrig
    model = eigenrig.open('horse.glb')
    modes = model.modes(12)
    print(modes.frequency_hz, modes.names)

Units are m, kg, s, rad and Hz. Poses are rows of seven numbers: unit quaternion w x y z, then the place. Twists are six:
angular, then linear. `eigenrig.lib` has every function of the C library.
"""
from . import lib
from ._library import (ArgumentError, Error, FileError, FormatError, ImporterError, NoConvergence, NotPositiveDefinite,
                       OutOfMemory, RigError, SystemFailure)
from .gait import Gait, GaitMotion, Gaits, Walker, find_stand, measure_preset, sequence
from .model import Matrices, Mode, Model, Modes, Snapshot, Solver, bone_scene, build, open, open_bytes, solve_batch
from .motion import Kinematics, Mix, Motion, Trajectory, read_mix
from .program import command, picture
from .world import (Frames, Inverse, Loads, Ode, Sweep, World, WorldFile, constraint_errors, integrate, open_world, skin,
                    sweep)

__all__ = [
    'ArgumentError', 'Error', 'FileError', 'FormatError', 'Frames', 'Gait', 'GaitMotion', 'Gaits', 'ImporterError', 'Inverse',
    'Kinematics', 'Loads', 'Matrices', 'Mix', 'Mode', 'Model', 'Modes', 'Motion', 'NoConvergence', 'NotPositiveDefinite',
    'Ode', 'OutOfMemory', 'RigError', 'Snapshot', 'Solver', 'Sweep', 'SystemFailure', 'Trajectory', 'Walker', 'World',
    'WorldFile', 'bone_scene', 'build', 'command', 'constraint_errors', 'find_stand', 'integrate', 'lib', 'measure_preset',
    'open', 'open_bytes', 'open_world', 'picture', 'read_mix', 'sequence', 'skin', 'solve_batch', 'sweep',
]


def __getattr__(name: str) -> str:
    if name == '__version__':
        return str(lib.version())
    raise AttributeError(name)
