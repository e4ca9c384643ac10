"""An installed copy serves a program that knows nothing of the sources."""
import atexit
import functools
import json
import os
import re
import shlex
import shutil
import subprocess
import tempfile
import xml.etree.ElementTree as ET
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
    """Its output; a variable of None is removed from its environment."""
    result = subprocess.run(command, capture_output=True, text=True, env={k: v for k, v in {**os.environ, **environment}.items() if v is not None})
    assert result.returncode == 0, f'{command}:\n{result.stderr}'
    return result.stdout.strip()


def pkg_config(*options):
    pc = find('pkgconfig/eigenrig.pc')
    if not pc:
        skip('no pkg-config file is installed')
    return output(['pkg-config', *options, 'eigenrig'], PKG_CONFIG_PATH=str(pc[0].parent),
                  PKG_CONFIG_SYSROOT_DIR=installed()).split()


def say_version(*link, libraries=None):
    """Compiles PROGRAM with these words, runs it, and gives what it prints."""
    with tempfile.TemporaryDirectory() as folder:
        source, program = f'{folder}/a.c', f'{folder}/a'
        with open(source, 'w') as file:
            file.write(PROGRAM)
        output([*shlex.split(os.environ.get('CC', 'cc')), '-std=c17', '-Wall', '-Wextra', '-Werror', source, '-o', program, *link])
        where = next(libraries.glob('**/libeigenrig.so')) if libraries else find('libeigenrig.so')[0]
        return output([program], LD_LIBRARY_PATH=str(where.parent))


@promise
def every_public_header_is_installed():
    here = {path.name for path in (SOURCE / 'include' / 'eigenrig').glob('*.h')}
    there = {path.name for path in find('include/eigenrig/*.h')}
    assert there == here, f'{sorted(here ^ there)}; they are listed in include/meson.build'


@promise
def pkg_config_knows_the_version():
    assert pkg_config('--modversion') == [version()]


@promise
def an_installed_tree_can_be_moved():
    pc = find('pkgconfig/eigenrig.pc')
    if not pc:
        skip('no pkg-config file is installed')
    with tempfile.TemporaryDirectory() as folder:
        root = next(up for up in pc[0].parents if (up / 'include').is_dir())
        shutil.copytree(root, f'{folder}/moved', symlinks=True)
        there = Path(f'{folder}/moved') / pc[0].relative_to(root)
        for words in [], ['--define-prefix'], ['--dont-define-prefix']:
            flags = output(['pkg-config', *words, '--cflags', '--libs', 'eigenrig'], PKG_CONFIG_PATH=str(there.parent)).split()
            for letter, file in ('-I', 'eigenrig/base.h'), ('-L', 'libeigenrig.so'):
                place = next(flag[2:] for flag in flags if flag.startswith(letter))  # before what was there first
                assert os.path.realpath(place).startswith(os.path.realpath(folder)) and (Path(place) / file).exists(), (words, flags)
            assert say_version(*flags, libraries=Path(folder)) == version()
        program = Path(folder) / 'moved' / 'bin' / 'eigenrig'
        if program.exists():
            rig = output([str(program), 'info', str(SOURCE / 'models' / 'hand.glb'), '--json', '-q'], EIGENRIG_IMPORTER=None)
            assert json.loads(rig)['bodies']


@promise
def a_program_links_the_shared_library():
    assert say_version(*pkg_config('--cflags', '--libs')) == version()


@promise
def a_program_links_the_static_library():
    words = pkg_config('--static', '--cflags', '--libs')
    archive = str(find('libeigenrig.a')[0])
    words = [word for word in words if word != '-lgfortran']  # OpenBLAS names it for its archive; its shared library has it
    assert say_version(*[archive if word == '-leigenrig' else word for word in words]) == version()


def commands():
    """Those of the program, and their options as the help lists them."""
    program = find('bin/eigenrig')
    if not program:
        skip('no program is installed')
    names = re.findall(r'^  ([a-z]+) +[a-z]', output([program[0], '--help']).split('Example:')[0], re.MULTILINE)
    return {name: re.findall(r'^  (?:-\w, |    )--([\w-]+)', output([program[0], name, '--help']), re.MULTILINE) for name in names}


@promise
def manual_pages_have_every_command_and_option():
    all_of = commands()
    pages = {page.name: page for page in find('man1/*.1')}
    assert set(pages) == {'eigenrig.1', 'eigenrig-bench.1'} | {f'eigenrig-{name}.1' for name in all_of}
    assert all(f'eigenrig\\-{name} (1)' in pages['eigenrig.1'].read_text() for name in all_of)
    for name, options in all_of.items():
        text = pages[f'eigenrig-{name}.1'].read_text().replace('\\-', '-')
        assert all(re.search(rf'^\.B[IR] .*--{option}\b', text, re.MULTILINE) for option in options), name
    if shutil.which('mandoc'):
        output(['mandoc', '-T', 'lint', '-W', 'warning', *pages.values()])
    if shutil.which('groff'):
        for page in pages.values():
            done = subprocess.run(['groff', '-man', '-ww', '-z', '-Tutf8', page], capture_output=True, text=True)
            assert done.returncode == 0 and done.stderr == '', f'{page}: {done.stderr}'


COMPLETE = r"""
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _eigenrig; printf '%s\n' "${COMPREPLY[@]}"
"""


def completed(script, *words):
    return output(['bash', '-c', COMPLETE, 'bash', script, 'eigenrig', *words]).split()


@promise
def shells_complete_commands_options_and_words():
    all_of = commands()
    bash, = find('bash-completion/completions/eigenrig')
    assert set(completed(bash, '')) == set(all_of) | {'--help', '--version'}
    for name, options in all_of.items():
        assert sorted(completed(bash, name, '--')) == sorted(f'--{option}' for option in options), name
    assert sorted(completed(bash, 'modes', '--method', 's')) == ['sparse', 'svd']
    assert completed(bash, 'cite', 'b') == ['bibtex'] and completed(bash, 'manual', 'pal') == ['palette']
    assert completed(bash, 'modes', '--root', 'f') == ['free', 'fixed']
    for words in (['modes', 'horse'], ['modes', '--errors', 'f'], ['render', '--theme', 'f'], ['gait', '--output', 'f']):
        assert completed(bash, *words) == [], words  # then bash completes files
    zsh, fish = *find('zsh/site-functions/_eigenrig'), *find('fish/vendor_completions.d/eigenrig.fish')
    for shell, script in ('zsh', zsh), ('fish', fish):
        for name, options in all_of.items():
            assert all(option in script.read_text() for option in options), (shell, name)
        if shutil.which(shell):
            output([shell, '-n', script])
    if shutil.which('fish'):
        asked = output(['fish', '--no-config', '-c', f'source {fish}; complete -C "eigenrig modes --method s"; complete -C "eigenrig gai"'])
        assert [line.split('\t')[0] for line in asked.splitlines()] == ['sparse', 'svd', 'gait']


@promise
def desktops_know_the_viewer():
    if not find('bin/eigenrig'):
        skip('no program is installed')
    desktop, types, icon = *find('applications/eigenrig.desktop'), *find('mime/packages/eigenrig.xml'), *find('apps/eigenrig.svg')
    share = SOURCE / 'tools' / 'eigenrig' / 'share'
    assert output([share / 'icon']) == icon.read_text().strip(), 'tools/eigenrig/share/icon draws another one'
    ours = {kind.get('type') for kind in ET.parse(types).getroot()}
    assert {'model/x-bvh', 'model/x-fbx', 'model/vnd.collada+xml'} <= ours
    if shutil.which('desktop-file-validate'):
        assert output(['desktop-file-validate', desktop]) == ''
    if shutil.which('update-mime-database'):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(types.parent, f'{folder}/packages')
            output(['update-mime-database', folder])
            assert 'model/x-bvh:*.bvh' in Path(f'{folder}/globs').read_text()


@promise
def citations_are_of_this_version():
    text = (SOURCE / 'CITATION.cff').read_text()
    words = dict(re.findall(r'^([\w-]+): (.+)$', text, re.MULTILINE))
    assert words['cff-version'] == '1.2.0' and words['version'] == version() and words['type'] == 'software'
    assert {'message', 'title', 'license'} <= set(words) and re.search(r'^authors:\n  - ', text, re.MULTILINE)
    page, (program,) = (SOURCE / 'docs' / 'references.md').read_text(), find('bin/eigenrig') or [skip('no program is installed')]
    plain, bibtex = output([program, 'cite']), output([program, 'cite', 'bibtex'])
    dois = set(re.findall(r'10\.\d{4,}/[^\s{}]+', plain))
    assert version() in plain and version() in bibtex and dois
    for doi in dois:
        assert all(doi.removeprefix('https://doi.org/') in where for where in (text, page, bibtex)), doi
    assert bibtex.count('{') == bibtex.count('}') and re.findall(r'^@(\w+)', bibtex, re.MULTILINE) == ['software', 'article', 'book']


@promise
def licences_cover_every_library_that_is_linked():
    (program,) = find('bin/eigenrig') or [skip('no program is installed')]
    linked = set()
    for file in [program, *find('eigenrig-import'), *find('libeigenrig.so*'), *find('eigenrig.so')]:
        linked |= set(re.findall(r'NEEDED.*\[([^\]]+)\]', output(['readelf', '-d', file])))
    rows = [line.split('; ') for line in output([program, 'licences', 'list']).splitlines()]
    files = [word for _, file, _ in rows if file != 'compiled in' for word in file.split()]
    assert rows and all(len(row) == 3 for row in rows)
    unlisted = {name for name in linked if not name.startswith(('libeigenrig', *files))}
    assert not unlisted, f'no row of licences.c: {unlisted}'
    assert all(any(name.startswith(file) for name in linked) for file in files), 'a row that nothing links'
    text, (installed_text,) = output([program, 'licences']), find('doc/eigenrig/licences.txt')
    assert installed_text.read_text().strip() == text
    for name, _, _ in rows:
        for each in re.split(r'  +| AND ', name)[1:]:  # one of several to choose from is enough
            choices = [[re.sub('-(only|or-later)$', '', part) for part in choice.split(' WITH ')] for choice in each.split(' OR ')]
            assert any(all(f'\n======== {part} ========\n\n' in text for part in choice) for choice in choices), each


@promise
def the_installed_program_runs():
    program = find('bin/eigenrig')
    if not program:
        skip('no program is installed')
    assert version() in output([str(program[0]), '--version'])
    assert 'eigenrig' in output([str(program[0]), '--help'])


run()
