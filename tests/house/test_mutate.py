"""tests/mutate finds faults that tests do not notice, in a tree of three functions, and leaves the tree as it was."""
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile

from tap import SOURCE, every, promise, run

FILES = {
    'meson.build': '''
project('tiny', 'c')
sum = static_library('sum', 'src/sum/sum.c')
foreach name : ['sum', 'far']
    test(name, executable('test_' + name, 'tests/test_' + name + '.c', link_with: sum), suite: [name, 'unit'])
endforeach
executable('none', 'tests/none.c', link_with: sum)
test('program', find_program('sh'), args: ['-c', meson.current_build_dir() / 'none'], suite: ['sum', 'program'])
''',
    'src/sum/sum.c': '''int own(int a, int b)
{
    return a + b; // of this comment, nothing: 1 + 1
}

int others(int a, int b)
{
    return a - b;
}

int none(int a, int b)
{
    return a && b;
}

int whatever_one_operator_says(void)
{
    return 2 > 1 || 3 > 1;
}
''',
    'tests/test_sum.c': 'int own(int, int);\nint main(void)\n{\n    return own(2, 3) != 5;\n}\n',
    'tests/test_far.c': 'int others(int, int);\nint main(void)\n{\n    return others(2, 3) != -1;\n}\n',
    'tests/none.c': 'int none(int, int);\nint main(void)\n{\n    return none(1, 0);\n}\n',
}
FOUND = '''src/sum/sum.c:3
    return a [-+-]{+-+} b; // of this comment, nothing: 1 + 1
    arithmetic, caught by own: sum
src/sum/sum.c:8
    return a [---]{+++} b;
    arithmetic, caught by others: far
src/sum/sum.c:13
    return a [-&&-]{+||+} b;
    logic, lived
'''
TOTAL = '| **all** | 3 | 1 (33 %) | 1 | 1 | 67 % |'


def mutate(folder, how):
    """Starts it on a small tree, with scratch folders of its own."""
    tree = pathlib.Path(folder, 'tree')
    for name, text in FILES.items():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(text)
    shutil.copy2(SOURCE / 'tests/mutate', tree / 'tests/mutate')
    subprocess.run(['git', 'init', '-q', tree], check=True)
    scratch = pathlib.Path(folder, 'scratch')
    scratch.mkdir()
    process = subprocess.Popen([tree / 'tests/mutate', '--rooms', 'src/sum', how], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True, env={**os.environ, 'TMPDIR': str(scratch)})
    return process, tree, scratch


def assert_nothing_stays(tree, scratch):
    assert not list(scratch.iterdir()), list(scratch.iterdir())
    assert {name: (tree / name).read_text() for name in FILES} == FILES
    assert not (tree / 'build').exists()


@promise
def faults_are_caught_by_the_tests_that_see_them_and_the_others_live():
    with tempfile.TemporaryDirectory() as folder:
        process, tree, scratch = mutate(folder, '--all')
        output, progress = process.communicate(timeout=60)
        found = output.split('\n\n')[0].splitlines()
        results = {'\n'.join(found[k:k + 3]) for k in range(0, len(found), 3)}
        expected = FOUND.splitlines()
        assert results == {'\n'.join(expected[k:k + 3]) for k in range(0, len(expected), 3)}, output + progress
        assert TOTAL in output, output
        assert process.returncode == 0
        assert_nothing_stays(tree, scratch)


@every
def programs_are_asked_what_the_own_c_tests_miss():
    with tempfile.TemporaryDirectory() as folder:
        process, tree, scratch = mutate(folder, '--programs')
        output, progress = process.communicate(timeout=60)
        assert 'logic, caught by own: program' in output and 'arithmetic, caught by own: sum' in output, output + progress
        assert '| **all** | 3 | 2 (67 %) | 1 |' in output, output
        assert_nothing_stays(tree, scratch)


@promise
def control_c_leaves_nothing():
    with tempfile.TemporaryDirectory() as folder:
        process, tree, scratch = mutate(folder, '--all')
        first = process.stderr.readline()
        assert 'building 2 tests' in first, first + process.stderr.read()
        assert list(scratch.iterdir())
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        assert process.returncode == 130, process.returncode
        assert_nothing_stays(tree, scratch)


run()
