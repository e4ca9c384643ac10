"""Every function and struct of the C library has its place in Python, and its documentation is that of the headers."""
import functools
import inspect
import re
import subprocess
import sys

from python_package import PACKAGE, environment, package
from tap import SOURCE, promise, run, skip

HEADERS = sorted((SOURCE / 'include' / 'eigenrig').glob('*.h'))


@functools.cache
def exported():
    """Names of functions, by a reading of the headers that is not generate.py's."""
    text = '\n'.join(path.read_text() for path in HEADERS)
    return re.findall(r'^ER_API [^;(]*?\b(er_\w+)\(', text, re.MULTILINE)


@promise
def every_c_function_has_its_counterpart_or_a_reason():
    eigenrig, _ = package()
    lib = eigenrig.lib
    assert len(exported()) > 300 and len(set(exported())) == len(exported())
    for name in exported():
        if name.endswith('_destroy'):
            continue
        if name in lib.REASONS:
            assert len(lib.REASONS[name].split()) > 1, name
            continue
        function = getattr(lib, name[len('er_'):])
        assert function.__doc__ and callable(function), name
        outputs = [param for param, role in zip(function.plan.params, function.plan.roles) if role == 'out array']
        assert all(param[3] for param in outputs), f'{name}: an output whose length nobody knows'
    strange = set(lib.REASONS) - set(exported())
    assert not strange, strange


@promise
def what_stands_in_for_a_c_function_is_there():
    eigenrig, _ = package()
    for name, reason in eigenrig.lib.REASONS.items():
        named = re.search(r'\b(Model|World|Walker|Ode|Solver|Inverse|Sweep|Scene|WorldFile|Modes|GaitWeights|Symmetry)\.(\w+)', reason)
        if named:
            assert hasattr(getattr(eigenrig, named[1]), named[2]), f'{name}: {reason}'
        plain = re.match(r'(\w+)\(\) (?!has that)', reason)
        if plain:
            assert hasattr(eigenrig, plain[1]) or hasattr(eigenrig.lib, plain[1]), f'{name}: {reason}'


def walk(view, seen, depth=0):
    """Reads every field of a struct and of what it points to."""
    kind = type(view).__name__
    if depth > 6 or (kind, view._address) in seen:
        return
    seen.add((kind, view._address))
    from eigenrig._views import FIELDS, Table, View, hidden
    for name, field in FIELDS.get(view._kind, {}).items():
        if hidden(field[4]) or field[1].startswith('callback:') or field[1] == 'void*':
            continue
        value = view._named(name)
        for each in value[:3] if isinstance(value, Table) else [value]:
            if isinstance(each, View):
                walk(each, seen, depth + 1)


@promise
def every_field_of_what_the_library_gives_can_be_read():
    eigenrig, np = package()
    model = eigenrig.open(SOURCE / 'models' / 'horse.glb')
    modes, lib, seen = model.modes(30), eigenrig.lib, set()
    gaits = model.gaits(modes, best=2)
    loop = eigenrig.open(SOURCE / 'models' / 'four_bar.json')
    world = eigenrig.open_world(sorted((SOURCE / 'models' / 'bacin').glob('**/*.cfg'))[0])
    for view in (model, modes, model.rig, model.scene, lib.modal_matrices_create(model), model.regions(), modes.naming,
                 gaits, gaits[0].move(), loop, loop.modes(), lib.redundancy_create(loop, 1e-10), world,
                 lib.bones_create(model), lib.rig_shapes_create(model, model.rig), model.motion('7:10', modes),
                 model.tune({7: 1.2}, modes=modes)[1], modes.bound()[7], model.mirror(), model.preset('idle', modes),
                 lib.motion_record(model.motion('7:10', modes), model.target())):
        walk(view, seen)
    assert len({kind for kind, _ in seen}) > 40, sorted({kind for kind, _ in seen})


@promise
def documentation_is_that_of_the_headers():
    eigenrig, _ = package()
    assert 'Golub' in eigenrig.lib.modal_matrices_create.__doc__ or 'matrices' in eigenrig.lib.modal_matrices_create.__doc__
    assert 'sqrt(lambda) / 2 pi' in inspect.getdoc(eigenrig.Mode)
    stub = (PACKAGE / 'eigenrig' / 'lib.pyi').read_text()
    for name in exported():
        if name not in eigenrig.lib.REASONS and not name.endswith('_destroy'):
            assert f'\ndef {name[3:]}(' in stub, name


@promise
def enumerations_take_names():
    eigenrig, np = package()
    model = eigenrig.open(SOURCE / 'models' / 'hand.glb')
    assert model.modes(method='svd').method == eigenrig.lib.er_modal_method.SVD
    assert eigenrig.lib.ER_MODAL_MAX_BODIES == 2000 and eigenrig.lib.er_joint_type.SCREW == 9
    try:
        model.modes(method='fastest')
    except eigenrig.ArgumentError as problem:
        assert 'sparse' in str(problem)
    else:
        raise AssertionError('a method that does not exist was taken')


@promise
def stubs_and_package_pass_mypy():
    package()
    if subprocess.run([sys.executable, '-m', 'mypy', '--version'], capture_output=True).returncode != 0:
        skip('there is no mypy (Debian: mypy)')
    done = subprocess.run([sys.executable, '-m', 'mypy', '--strict', '--ignore-missing-imports', '--cache-dir=/dev/null', PACKAGE / 'eigenrig',
                           *sorted((SOURCE / 'docs' / 'examples' / 'python').glob('*.py'))], text=True, capture_output=True,
                          env=environment(MYPYPATH=str(PACKAGE)), cwd=PACKAGE)
    assert done.returncode == 0, done.stdout[-3000:]


@promise
def a_layout_that_differs_does_not_compile():
    package()
    checked = (PACKAGE / 'layout.c').read_text()
    broken = checked.replace('offsetof(er_mode, frequency_hz) == ', 'offsetof(er_mode, frequency_hz) == 8 + ')
    assert broken != checked and checked.count('_Static_assert') > 1000
    for text, fine in ((checked, True), (broken, False)):
        done = subprocess.run(['cc', '-std=c17', '-fsyntax-only', '-I', SOURCE / 'include', '-x', 'c', '-'], input=text, text=True,
                              capture_output=True)
        assert (done.returncode == 0) == fine, done.stderr[-1000:]


run()
