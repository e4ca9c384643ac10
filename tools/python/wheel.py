"""Makes a wheel of a build folder: the package, the library, the importer, the command, and the libraries they need.

    python3 tools/python/wheel.py BUILD OUT_FOLDER

One wheel serves every CPython of the platform. Libraries that all desktop systems have (PEP 600) stay outside. Those inside
keep their names: what a process has loaded already under a name is used. patchelf is needed.
"""
import base64
import hashlib
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

SOURCE = pathlib.Path(__file__).parents[2]
OUTSIDE = re.compile(r'^(linux-vdso|ld-linux.*|lib(c|m|dl|rt|pthread|util|gcc_s|stdc\+\+|z|X11|GL|EGL))\.so')
DATE = (1980, 1, 1, 0, 0, 0)  # the same files give the same wheel

METADATA = '''Metadata-Version: 2.1
Name: eigenrig
Version: {version}
Summary: Natural modes, gaits and dynamics of rigged characters
License: MIT
Requires-Python: >=3.10
Requires-Dist: numpy>=1.22
Provides-Extra: all
Requires-Dist: scipy; extra == "all"
Requires-Dist: matplotlib; extra == "all"
Description-Content-Type: text/markdown

{description}
'''


def needed(path):
    """{name: path} of the libraries that a program or library loads."""
    said = subprocess.run(['ldd', path], check=True, capture_output=True, text=True).stdout
    found = dict(re.findall(r'^\s*(\S+) => (\S+) \(', said, re.MULTILINE))
    missing = re.findall(r'^\s*(\S+) => not found', said, re.MULTILINE)
    if missing:
        sys.exit(f'wheel.py: error: {path} needs {", ".join(missing)}; install it')
    return {name: pathlib.Path(where) for name, where in found.items() if not OUTSIDE.match(name)}


def gather(build, folder):
    """Programs and libraries in a folder, each finding the others beside it."""
    ours = {'libeigenrig.so.0': build / 'src' / 'libeigenrig.so.0', 'eigenrig-import': build / 'tools/importer/eigenrig-import',
            'eigenrig': build / 'tools/eigenrig/eigenrig'}
    theirs = {name: where for path in ours.values() for name, where in needed(path).items()}
    for name, path in (ours | theirs).items():
        shutil.copy(path.resolve(), folder / name)
        subprocess.run(['strip', '--strip-unneeded', folder / name], check=True)
        # Removed first: patchelf 0.14 overwrites an old path, which may hold the names of symbols in its tail.
        for words in (['--remove-rpath'], ['--set-rpath', '$ORIGIN']):
            subprocess.run(['patchelf', *words, folder / name], check=True)
    return theirs


def notices(libraries, folder):
    """The licences of what is inside: ours, and those that Debian has for each library."""
    shutil.copy(SOURCE / 'LICENSE', folder / 'LICENSE')
    for name, path in libraries.items():
        for where in (path, path.resolve(), pathlib.Path('/usr') / str(path.resolve()).lstrip('/')):
            owner = subprocess.run(['dpkg', '-S', where], capture_output=True, text=True).stdout.split(':')[0]
            copyright = pathlib.Path('/usr/share/doc') / owner / 'copyright'
            if owner and copyright.is_file():
                shutil.copy(copyright, folder / f'{owner}.txt')
                break
        else:
            print(f'wheel.py: warning: no licence was found for {name}; add it by hand', file=sys.stderr)


def version():
    return re.search(r"^ *version: '([^']+)'", (SOURCE / 'meson.build').read_text(), re.MULTILINE)[1]


def hashed(path):
    return 'sha256=' + base64.urlsafe_b64encode(hashlib.sha256(path.read_bytes()).digest()).rstrip(b'=').decode()


def pack(root, info, out):
    files = sorted(path for path in root.rglob('*') if path.is_file())
    record = ''.join(f'{path.relative_to(root)},{hashed(path)},{path.stat().st_size}\n' for path in files)
    (info / 'RECORD').write_text(f'{record}{info.name}/RECORD,,\n')
    with zipfile.ZipFile(out, 'w', zipfile.ZIP_DEFLATED, compresslevel=9) as wheel:
        for path in [*files, info / 'RECORD']:
            entry = zipfile.ZipInfo(str(path.relative_to(root)), DATE)
            entry.external_attr = (0o100755 if path.parent.name == 'bin' else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, path.read_bytes())


def main(build, out):
    build, out = pathlib.Path(build), pathlib.Path(out)
    libc = '_'.join(platform.libc_ver()[1].split('.'))
    tag = f'py3-none-manylinux_{libc}_{platform.machine()}'
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        info, package = root / f'eigenrig-{version()}.dist-info', root / 'eigenrig'
        shutil.copytree(build / 'tools' / 'python' / 'eigenrig', package, ignore=shutil.ignore_patterns('__pycache__'))
        for each in (package / 'bin', info / 'licenses'):
            each.mkdir(parents=True)
        notices(gather(build, package / 'bin'), info / 'licenses')
        (info / 'METADATA').write_text(METADATA.format(version=version(), description=(SOURCE / 'docs' / 'python.md').read_text()))
        (info / 'WHEEL').write_text(f'Wheel-Version: 1.0\nGenerator: eigenrig\nRoot-Is-Purelib: false\nTag: {tag}\n')
        (info / 'entry_points.txt').write_text('[console_scripts]\neigenrig = eigenrig.__main__:main\n')
        out.mkdir(parents=True, exist_ok=True)
        wheel = out / f'eigenrig-{version()}-{tag}.whl'
        pack(root, info, wheel)
    print(wheel)


main(*sys.argv[1:])
