"""The package eigenrig as the build has it, for tests in the Python that runs them."""
import functools
import importlib
import os
import sys

from tap import BUILD, skip

PACKAGE = BUILD / 'tools' / 'python'
LIBRARY = BUILD / 'src' / 'libeigenrig.so.0'
PLACES = {'EIGENRIG_LIBRARY': str(LIBRARY), 'EIGENRIG_IMPORTER': str(BUILD / 'tools' / 'importer' / 'eigenrig-import'),
          'EIGENRIG_PROGRAM': str(BUILD / 'tools' / 'eigenrig' / 'eigenrig')}


@functools.cache
def package():
    """(eigenrig, numpy)"""
    if os.environ.get('EIGENRIG_SANITIZED') == '1':
        skip('a library with sanitizers cannot be loaded into Python')
    if not LIBRARY.exists() or not (PACKAGE / 'eigenrig' / '_api.py').exists():
        skip('the package is not built')
    try:
        numpy = importlib.import_module('numpy')
    except ImportError:
        skip(f'{sys.executable} has no numpy (Debian: python3-numpy)')
    os.environ.update(PLACES)
    sys.path.insert(0, str(PACKAGE))
    return importlib.import_module('eigenrig'), numpy


def environment(**more):
    """For a Python of its own with the package on its path."""
    return dict(os.environ, PYTHONPATH=f'{PACKAGE}:{os.environ.get("PYTHONPATH", "")}', **PLACES, **more)
