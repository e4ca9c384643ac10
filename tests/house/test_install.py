"""What is installed serves a program that knows nothing of the sources."""
import atexit
import functools
import os
import re
import subprocess
import tempfile
from pathlib import Path

from tap import BUILD, SOURCE, promise, run, skip

PROGRAM = r'''
#include <stdio.h>
#include <eigenrig/base.h>

int main(void)
{
    er_context *context = NULL;
    if (er_context_create(NULL, &context) != ER_OK) return 1;
    printf("%s\n", er_version());
    er_context_destroy(context);
    return 0;
}
'''


def version():
    return re.search(r"^ *version: '([^']+)'", (SOURCE / 'meson.build').read_text(), re.MULTILINE)[1]


@functools.cache
def installed():
    """A folder with everything installed below it."""
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    subprocess.run(['meson', 'install', '-C', BUILD, '--no-rebuild', '--quiet', '--destdir', folder.name], check=True,
                   capture_output=True)
    return folder.name


def find(pattern):
    return sorted(Path(installed()).glob('**/' + pattern))


def output(command, **environment):
    result = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment})
    assert result.returncode == 0, f'{command}:\n{result.stderr}'
    return result.stdout.strip()


def pkg_config(*options):
    pc = find('pkgconfig/eigenrig.pc')
    if not pc:
        skip('no pkg-config file is installed')
    return output(['pkg-config', *options, 'eigenrig'], PKG_CONFIG_PATH=str(pc[0].parent),
                  PKG_CONFIG_SYSROOT_DIR=installed()).split()


def say_version(*link):
    """Compiles PROGRAM with these words, runs it, and gives what it prints."""
    with tempfile.TemporaryDirectory() as folder:
        source, program = f'{folder}/a.c', f'{folder}/a'
        with open(source, 'w') as file:
            file.write(PROGRAM)
        output([os.environ.get('CC', 'cc'), '-std=c17', '-Wall', '-Wextra', '-Werror', source, '-o', program, *link])
        return output([program], LD_LIBRARY_PATH=str(find('libeigenrig.so')[0].parent))


@promise
def every_public_header_is_installed():
    here = {path.name for path in (SOURCE / 'include' / 'eigenrig').glob('*.h')}
    there = {path.name for path in find('include/eigenrig/*.h')}
    assert there == here, f'{sorted(here ^ there)}; they are listed in include/meson.build'


@promise
def pkg_config_knows_the_version():
    assert pkg_config('--modversion') == [version()]


@promise
def a_program_links_the_shared_library():
    assert say_version(*pkg_config('--cflags', '--libs')) == version()


@promise
def a_program_links_the_static_library():
    words = pkg_config('--static', '--cflags', '--libs')
    archive = str(find('libeigenrig.a')[0])
    words = [word for word in words if word != '-lgfortran']  # OpenBLAS names it for its archive; its shared library has it
    assert say_version(*[archive if word == '-leigenrig' else word for word in words]) == version()


@promise
def the_installed_program_runs():
    program = find('bin/eigenrig')
    if not program:
        skip('no program is installed')
    assert version() in output([str(program[0]), '--version'])
    assert 'eigenrig' in output([str(program[0]), '--help'])


run()
