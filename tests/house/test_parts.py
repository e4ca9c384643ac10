"""Parts are left out by Meson options, and the solver alone stands on Qhull and the C library."""
import atexit
import functools
import os
import subprocess
import tempfile

from tap import SOURCE, promise, run

PROGRAM = r'''
#include <eigenrig/motion.h>
#include <stdio.h>

int main(void)
{
    er_context *context = NULL;
    er_model *model = NULL;
    er_modes *modes = NULL;
    er_body body = {.name = "bar", .mass = 2.0, .inertia = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
                    .pose = {{1, 0, 0, 0}, {0, 0, 0}}};
    er_joint joint = {.name = "slide", .parent = -1, .child = 0, .type = ER_JOINT_PRISMATIC, .frame = {{1, 0, 0, 0}, {0, 0, 0}},
                      .stiffness = {8.0}};
    er_model_def def = er_default_model_def();
    def.body_count = def.joint_count = 1;
    def.body = &body;
    def.joint = &joint;
    if (er_context_create(NULL, &context) != ER_OK || er_model_create(context, &def, &model) != ER_OK ||
        er_modal_solve(context, model, NULL, &modes) != ER_OK) {
        fprintf(stderr, "%s\n", er_context_error(context));
        return 1;
    }
    printf("%.12f\n", modes->mode[0].frequency_hz);
    er_modes_destroy(modes);
    er_model_destroy(model);
    er_context_destroy(context);
    return 0;
}
'''


def output(command, **environment):
    result = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment})
    assert result.returncode == 0, f'{command}:\n{result.stdout}{result.stderr}'
    return result.stdout


@functools.cache
def solver():
    """A build of the solver alone, with our own linear algebra."""
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    build = folder.name + '/build'
    output(['meson', 'setup', build, SOURCE, '--buildtype=plain', '--auto-features=disabled', '-Dlapack=own', f'--prefix={folder.name}/installed'])
    output(['ninja', '-C', build, 'install'])
    return folder.name


@promise
def the_solver_alone_stands_on_qhull_and_libc():
    needed = output(['objdump', '-p', solver() + '/build/src/libeigenrig.so']).split()
    libraries = {needed[k + 1].split('.so')[0] for k, word in enumerate(needed) if word == 'NEEDED'}
    assert libraries <= {'libqhull_r', 'libm', 'libc', 'ld-linux-x86-64'}, libraries


@promise
def the_solver_alone_finds_the_modes_of_a_rig_made_by_hand():
    with open(solver() + '/a.c', 'w') as file:
        file.write(PROGRAM)
    installed = solver() + '/installed'
    pc = output(['find', installed, '-name', 'eigenrig.pc']).strip()
    words = output(['pkg-config', '--cflags', '--libs', 'eigenrig'], PKG_CONFIG_PATH=os.path.dirname(pc)).split()
    library = next(word[2:] for word in words if word.startswith('-L'))
    output([os.environ.get('CC', 'cc').split()[-1], '-std=c17', solver() + '/a.c', '-o', solver() + '/a', *words, '-lm'])
    hz = float(output([solver() + '/a'], LD_LIBRARY_PATH=library))
    assert abs(hz - (8.0 / 2.0) ** 0.5 / 6.283185307179586) < 1e-11, hz


@promise
def a_part_that_another_stands_on_cannot_be_left_out_alone():
    with tempfile.TemporaryDirectory() as build:
        result = subprocess.run(['meson', 'setup', build, SOURCE, '-Dtools=enabled', '-Dviewer=disabled'],
                                capture_output=True, text=True)
        assert result.returncode != 0 and 'it stands on viewer, which is off' in result.stdout, result.stdout


run()
