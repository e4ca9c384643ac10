"""Public headers compile alone, in C17 and in C++17, and their types have one size on every system."""
import os
import re
import shutil
import subprocess

from tap import SOURCE, promise, run, skip


def compile_each(compiler, language, standard):
    if not shutil.which(compiler):
        skip(f'there is no {compiler}')
    headers = sorted((SOURCE / 'include' / 'eigenrig').glob('*.h'))
    assert headers
    for header in headers:
        result = subprocess.run(
            [compiler, f'-std={standard}', '-fsyntax-only', '-Wall', '-Wextra', '-Wpedantic', '-Wconversion', '-Wshadow',
             '-Werror', f'-I{SOURCE}/include', '-x', language, '-'],
            input=f'#include <eigenrig/{header.name}>\n', capture_output=True, text=True)
        assert result.returncode == 0, f'{header.name} as {standard}:\n{result.stderr}'


@promise
def every_public_header_is_c17():
    compile_each(os.environ.get('CC', 'cc'), 'c', 'c17')


@promise
def every_public_header_is_cpp17():
    compile_each(os.environ.get('CXX', 'c++'), 'c++', 'c++17')


@promise
def no_public_header_uses_long():
    # It has 32 bits on Windows.
    for header in sorted((SOURCE / 'include' / 'eigenrig').glob('*.h')):
        code = re.sub(r'//.*|"[^"\n]*"', '', header.read_text())
        assert not re.search(r'(?<!long )\blong\b(?! long)', code), header.name


run()
