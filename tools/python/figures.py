"""Times that docs/python.md quotes: importing, modes and poses of 60 bodies. C and Python call the same library.

    PYTHONPATH=BUILD/tools/python EIGENRIG_LIBRARY=BUILD/src/libeigenrig.so.0 python3 tools/python/figures.py
"""
import ctypes
import subprocess
import sys
import time

import numpy as np

del sys.path[0]  # the sources of the package, which lack what the build makes
import eigenrig  # noqa: E402
from eigenrig._library import here, native  # noqa: E402


def best(work, times, rounds=7):
    """The least time of one call, s of processor time: the machine may be busy."""
    found = []
    for _ in range(rounds):
        begin = time.process_time()
        for _ in range(times):
            work()
        found.append((time.process_time() - begin) / times)
    return min(found)


def imported(words):
    """The least time of a Python that imports, s of processor time."""
    code = f'import time; {words}; print(time.process_time())'
    return min(float(subprocess.run([sys.executable, '-c', code], capture_output=True, text=True, check=True).stdout)
               for _ in range(7))


def chain(n):
    bodies = [{'name': f'link {k}', 'mass': 1, 'com': (0, -0.05, 0), 'inertia': np.eye(3) * 1e-3, 'pose': (1, 0, 0, 0, 0, -0.1 * k, 0)}
              for k in range(n)]
    joints = [{'parent': k - 1, 'child': k, 'type': 'spherical', 'frame': (1, 0, 0, 0, 0, -0.1 * k, 0), 'stiffness': 10}
              for k in range(1, n)]
    return eigenrig.build(bodies, joints)


def main():
    numpy = imported('import numpy')
    print(f'import: {1e3 * (imported("import numpy, eigenrig") - numpy):.0f} ms after NumPy; '
          f'with the first call {1e3 * (imported("import numpy, eigenrig; eigenrig.lib.version()") - numpy):.0f} ms')
    model = chain(60)
    context, out, solve, free = here(), ctypes.c_void_p(), native('er_modal_solve'), native('er_modes_destroy')

    def plain():
        solve(context.address, model._address, None, ctypes.byref(out))
        free(out.value)
    times = [best(plain, 5), best(lambda: model.modes(), 5)]
    print(f'modes of 60 bodies: C {1e3 * times[0]:.3f} ms, Python {1e3 * times[1]:.3f} ms, {100 * (times[1] / times[0] - 1):+.1f} %')
    kinematics, modes = model.kinematics(), model.modes()
    x, pose = kinematics.mode(modes[10], 20), np.zeros((60, 7))
    motion = model.motion('10:20', modes, duration=10)
    at = np.linspace(0, 10, 1000)
    print(f'a pose of 60 bodies: poser {1e6 * best(kinematics.poser(x, pose), 500):.1f} us, '
          f'one of 1000 by motion.poses() {1e6 * best(lambda: motion.poses(at), 1) / 1000:.1f} us, '
          f'kinematics.pose() {1e6 * best(lambda: kinematics.pose(x), 100):.0f} us')


main()
