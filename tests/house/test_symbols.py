"""The exported symbols of the shared library."""
import re
import subprocess

from tap import BUILD, SOURCE, promise, run, skip


def exported():
    libraries = [path for path in sorted(BUILD.glob('src/**/libeigenrig.so*')) if path.is_file() and not path.is_symlink()]
    if not libraries:
        skip('there is no shared library')
    listing = subprocess.run(['nm', '-D', '--defined-only', '--format=posix', libraries[0]], capture_output=True,
                             text=True, check=True).stdout
    return {line.split()[0].split('@')[0] for line in listing.splitlines()}


def declared():
    headers = (SOURCE / 'include' / 'eigenrig').glob('*.h')
    return {name for path in headers for name in re.findall(r'^ER_API [^(;]*?\b(\w+)\(', path.read_text(), re.MULTILINE)}


@promise
def every_exported_name_starts_with_er():
    assert all(name.startswith('er_') for name in exported()), sorted(n for n in exported() if not n.startswith('er_'))


@promise
def public_headers_declare_every_exported_name():
    assert exported() <= declared(), sorted(exported() - declared())


@promise
def the_library_defines_every_declared_function():
    assert declared() <= exported(), sorted(declared() - exported())


run()
