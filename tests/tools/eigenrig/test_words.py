"""The program's words: help, versions, errors of usage, warnings; and its behaviour when nobody reads them."""
import json
import os
import re
import shutil
import subprocess

from program import COMMANDS, ENVIRONMENT, PROGRAM, Folder, fails, models, palette_of, run, works
from tap import SOURCE, promise, run as judge

WARNS = 'limbs.bvh'  # a BVH has no unit, which is worth a warning



@promise
def help_is_printed_and_is_no_error():
    assert 'Usage: eigenrig COMMAND' in works('--help') == works('-h') == works('help')
    for command in COMMANDS:
        assert command in works('--help')
        assert f'Usage: eigenrig {command}' in works(command, '--help') == works(command, '-h')


@promise
def mistyped_words_are_answered_with_known_ones():
    fails(2, 'annimate', 'x.glb', says='animate')
    fails(2, 'gait', 'x.glb', '--strp', 'a.svg', says='--strip')
    fails(2, 'walk', 'x.glb', says='gait')  # by other programs' names
    fails(2, 'modes', 'x.glb', '-n', '8', says='--count')
    fails(2, 'animate', 'x.glb', '--mode', '7', says='--mix')
    fails(2, 'modes', 'x.glb', '--weights', 'slip:2', says='animate, render, gait, inverse, batch')
    fails(2, 'animate', 'x.glb', '7:12', says='--mix 7:12')
    fails(2, 'modes', 'x.glb', '8', says='--count 8')
    fails(2, 'palette', 'x.glb', 'none.glb', says='-o none.glb')
    fails(2, 'run', 'x.glb', says='eigenrig info x.glb')
    with Folder() as folder:
        fails(1, 'modes', 'br.glb', says=' bar.glb', cwd=folder)
        fails(1, 'modes', folder / 'two', says=f'{folder}/two.glb', cwd=folder)
        fails(1, 'modes', 'nowhere/zebra.glb', says='nowhere/zebra.glb', cwd=folder)
    assert works('help', 'modes') == works('modes', '--help') and works('version') == works('--version') == works('-V')
    assert 'did you mean' not in fails(2, 'zebra', says='"zebra"') + fails(2, 'modes', '--zebra', says='--zebra')


@promise
def mistyped_names_of_a_model_are_answered_with_the_nearest():
    horse = SOURCE / 'models' / 'horse.glb'
    meant = '"head"'
    with Folder() as folder:
        pose = json.loads(works('info', horse, '--save-pose', '-', '-q'))
        pose['nodes'][[node['name'] for node in pose['nodes']].index('head')]['name'] = 'haed'
        (folder / 'pose.json').write_text(json.dumps(pose))
        fails(1, 'simulate', horse, '--hold', 'trunk,haed', '-o', 'x.glb', says='hold haed: ', cwd=folder)
        for words in (['simulate', '--hold', 'tail_1,haed'], ['simulate', '--push', 'haed:20@0.1'], ['animate', '--mix', '7:12cm:haed'], ['animate', '--mix', '7:12', '--pose', 'pose.json']):
            fails(1, words[0], horse, *words[1:], '-o', 'x.glb', says=meant, cwd=folder)
        for text, says in (('pose = {haed = {turn = {0, 10, 0}}}', meant), ('hang = {haed = "neck_2"}', meant)):
            (folder / 'wrong.lua').write_text(f'return {{{text}}}')
            fails(1, 'info', horse, '--rig', 'wrong.lua', says=says, cwd=folder)
        rig = json.loads((SOURCE / 'models' / 'four_bar.json').read_text())
        rig['joints'][1]['stifness'] = rig['joints'][1].pop('stiffness')
        (folder / 'rig.json').write_text(json.dumps(rig))
        fails(1, 'info', 'rig.json', says='stiffness', cwd=folder)
        world = {'format': 'eigenrig-world', 'version': 1, 'duration': 0.1, 'frames': 1, 'rig': json.loads((SOURCE / 'models' / 'four_bar.json').read_text())}
        world['rig']['joints'][0]['dampng'] = [1]
        (folder / 'world.json').write_text(json.dumps(world))
        done = run('simulate', 'world.json', '--strict', '-o', 'world.csv', cwd=folder)
        assert done.returncode == 1 and re.search(rb'warning: world.json: .*rig.joints\[0\].dampng.*damping', done.stderr)
        assert not (folder / 'world.csv').exists()
        fails(2, 'manual', 'mods', says='"modes"')
        assert 'did you mean' not in fails(1, 'simulate', horse, '--hold', 'zebra', '-o', 'x.glb', says='zebra', cwd=folder)


@promise
def help_names_every_option_of_a_command():
    common = {'--help', '--quiet', '--errors', '--strict', '--verbose', '--version', '--threads', '--progress', '--output', '--root',
              '--joints', '--stiffness', '--damping', '--density', '--mass', '--height', '--pose', '--skeleton',
              '--infer-parents', '--rig', '--allow-outside', '--props', '--up', '--forward', '--symmetrize', '--tune', '--character'}
    more = {'info': {'--json', '--save-pose', '--save-description', '--learn', '--report'}, 'modes': {'--json', '--count', '--min-hz', '--max-hz', '--method', '--matrices', '--plot', '--track', '--explain', '--shares', '--bounds', '--only'},
            'palette': {'--count', '--min-hz', '--max-hz', '--method', '--amplitude', '--only-new', '--only'},
            'animate': {'--count', '--min-hz', '--max-hz', '--method', '--mix', '--duration', '--loop', '--cycle', '--fps',
                        '--tolerance', '--splines', '--attack', '--decay', '--ring', '--over', '--name', '--save-mix', '--plot', '--gait', '--feet', '--gravity', '--weights', '--preset', '--plant', '--only-new', '--tempo', '--from', '--from-pace', '--sequence', '--blend', '--root-motion', '--blend-space', '--parts'},
            'gait': {'--json', '--count', '--min-hz', '--max-hz', '--method', '--list', '--best', '--mix', '--weights', '--fps',
                     '--mixes', '--footfalls', '--strip', '--show', '--feet', '--gravity', '--only-new', '--simulate', '--lengths', '--push', '--gain', '--friction',
                     '--slope', '--terrain', '--terrain-size', '--walk', '--tune-walk',
                     '--tempo'},
            'render': {'--mode', '--mix', '--sheet', '--count', '--phase', '--time', '--amplitude', '--ghosts', '--size',
                       '--fps', '--duration', '--view', '--show', '--surface', '--theme', '--transparent', '--gait', '--clip', '--over', '--meshes', '--feet', '--gravity', '--weights', '--preset', '--plant', '--tempo'},
            'validate': {'--json', '--count', '--min-hz', '--max-hz', '--method', '--palette', '--plot'},
            'follow': {'--clip', '--parts', '--spring-bones', '--looseness', '--bounce', '--weight', '--amount', '--rest', '--check', '--fps', '--tolerance', '--name',
                       '--only-new', '--feet', '--gravity'},
            'compare': {'--json', '--count', '--min-hz', '--max-hz', '--method', '--tolerance'},
            'batch': {'--count', '--min-hz', '--max-hz', '--method', '--amplitude', '--write', '--name', '--jobs', '--timeout', '--memory',
                      '--resume', '--shard', '--merge', '--script', '--only-new', '--only', '--feet', '--gravity',
                      '--weights', '--tempo', '--fps'}}
    for command in COMMANDS + ['batch', 'compare', 'follow']:
        named = set(re.findall(r'^  (?:-\w, |    )(--[\w-]+)', works(command, '--help'), re.MULTILINE))
        assert named == common | more[command], (command, named ^ (common | more[command]))
    named = set(re.findall(r'^  (?:-\w, |    )(--[\w-]+)', works('view', '--help'), re.MULTILINE))
    assert named == common - {'--output', '--strict'} | {'--script', '--screenshot', '--frames', '--size'}, named


@promise
def examples_in_the_help_work():
    texts = [works('--help')] + [works(command, '--help') for command in COMMANDS]
    examples = [line.split() for text in texts for line in text.split('Example:\n')[1].splitlines()
                if line.startswith('  eigenrig ')]
    assert len(examples) == 1 + len(COMMANDS)
    with Folder() as folder:
        for name in ('horse.glb', 'character.glb'):
            shutil.copy(folder / 'bar.glb', folder / name)
        for example in examples:
            walks = example[1] == 'gait'  # which takes a body with feet, and some modes of it do
            if walks:
                shutil.copy(SOURCE / 'models' / 'gnome.glb', folder / 'horse.glb')
            done = run(*example[1:], *(['--count', '8'] if walks else []), cwd=folder)
            if b'no picture can be drawn here' in done.stderr:
                continue
            assert done.returncode == 0, (example, done.stderr)
            if '-o' in example:
                assert (folder / example[example.index('-o') + 1]).is_file()


@promise
def versions_are_printed():
    version = works('--version')
    assert re.fullmatch(r'eigenrig \d+\.\d+\.\d+\n', version)
    assert all(works(command, '--version') == version for command in COMMANDS)


@promise
def no_words_at_all_print_the_help_as_an_error():
    done = run()
    assert (done.returncode, done.stdout) == (2, b'') and done.stderr.decode() == works('--help')


@promise
def wrong_words_are_errors_of_usage():
    with Folder() as folder:
        def wrong(*words, says):
            line = fails(2, *words, says=says, cwd=folder)
            assert '--help' in line, f'{line!r} does not say where to look'
        wrong('frobnicate', 'bar.glb', says='frobnicate')
        wrong('--frobnicate', says='--frobnicate')
        wrong('palette', 'bar.glb', says='-o OUT.glb')
        for command in COMMANDS:
            wrong(command, says='MODEL')
            wrong(command, 'bar.glb', 'two.glb', says='two.glb')
            wrong(command, '--frobnicate', 'bar.glb', says='--frobnicate')
            wrong(command, 'bar.glb', '-z', says='-z')
            wrong(command, '-zq', 'bar.glb', says='-z')
            wrong(command, '-qz', 'bar.glb', says='-z')
            wrong(command, '--quiet=yes', 'bar.glb', says='--quiet')
            for option in ('--stiffness', '--pose', '-o', '--threads'):
                wrong(command, 'bar.glb', option, says=option)
        assert 'did you mean' not in fails(2, 'info', '--quiet=yes', 'bar.glb', says='--quiet', cwd=folder)
        wrong('modes', 'bar.glb', '--min-hz', '2.5', '--max-hz', '2', says='--max-hz 2')
        works('modes', 'bar.glb', '--min-hz', '2', '--max-hz', '2', cwd=folder)
        assert works('modes', 'bar.glb', '--max-hz', '0.01', cwd=folder).endswith('modes, up to 0.01 Hz\n')  # no count shows more
        wrong('info', '--count', '3', 'bar.glb', says='--count')
        wrong('modes', '--amplitude', '3', 'bar.glb', says='--amplitude')
        wrong('palette', '--json', 'bar.glb', says='--json')
        wrong('modes', '--json', '-o', '-', 'bar.glb', says='--json')


@promise
def values_out_of_range_are_errors_of_usage():
    nothing = ['', ' ', 'x', 'nan', 'inf', '1x', '1e999']
    rayleigh = [f'rayleigh{x}' for x in ('', ':', ':1', ':1:', '::1', ':-1:0', ':0:-1', ':nan:0', ':0:inf', ':1:2:3')]
    values = {'--count': nothing + ['0', '-1', '1.5', '1e10'], '--threads': nothing + ['0', '-1', '1.5'],
              '--max-hz': nothing[:3] + ['0', '-1', 'nan', '1x'], '--min-hz': nothing[:3] + ['-1', 'nan', '1x'],
              '--density': nothing + ['0', '-1'],
              '--mass': nothing + ['0', '-1'], '--height': nothing + ['0', '-1'], '--damping': nothing + ['-0.1'] + rayleigh,
              '--root': ['', 'loose'], '--joints': ['', 'hinge'], '--method': ['', 'guess'],
              '--progress': ['', 'maybe'],
              '--pose': ['', 'sitting', 'bend@', 'bend@x', 'bend@nan', 'bend@inf'],
              '--stiffness': ['', 'uniform', 'uniform:', 'uniform:-1', 'uniform:nan', 'graded', 'graded:0', 'graded:-2',
                              'graded:2:', 'graded:2:-0.1', 'graded:2:1.1', 'graded:2:0.5:1', 'stiff:3']}
    with Folder() as folder:
        for option, wrong in values.items():
            for value in wrong:
                fails(2, 'modes', 'bar.glb', f'{option}={value}', cwd=folder)
        for value in nothing + ['0', '-5', '181']:
            fails(2, 'palette', 'bar.glb', '-o', 'out.glb', f'--amplitude={value}', cwd=folder)
        assert not (folder / 'out.glb').exists()


@promise
def quiet_silences_warnings_and_changes_nothing_else():
    with Folder() as folder:
        loud, quiet = [run('info', WARNS, '--json', *words, cwd=folder) for words in ([], ['-q'])]
        assert loud.stderr.startswith(b'eigenrig: warning: limbs.bvh: ') and quiet.stderr == b''
        assert loud.stdout == quiet.stdout
        assert run('palette', WARNS, '-o', 'out.glb', '-q', cwd=folder).stderr == b''
        fails(1, 'modes', '-q', 'missing.glb', says='missing.glb', cwd=folder)
        assert works('modes', WARNS, '-q', cwd=folder) and works('modes', WARNS, '-q', '-o', 'out.json', cwd=folder) == ''
        assert works('info', WARNS, '-q', cwd=folder) and works('info', WARNS, '-q', '--save-pose', 'pose.json', cwd=folder) == ''
        assert works('gait', 'bar.glb', '-q', cwd=folder) and works('validate', 'bar.glb', '--count', '1', '-q', '-o', 'v.csv', cwd=folder) == ''


@promise
def strict_makes_warnings_errors_and_writes_nothing():
    with Folder() as folder:
        words = ['palette', WARNS, '-o', 'out.glb', '--strict']
        fails(1, *words, says=f'{WARNS}: 1 warning, and --strict', cwd=folder)
        assert b'warning: limbs.bvh: ' in run(*words, '-q', cwd=folder).stderr and not (folder / 'out.glb').exists()
        works('palette', 'bar.glb', '-o', 'out.glb', '--strict', cwd=folder)


@promise
def info_and_batch_have_the_same_warnings_and_say_each():
    def warnings(*words):
        done = run(*words, '--strict', '--errors', 'json', cwd=folder)
        told = [json.loads(line) for line in done.stderr.splitlines()]
        assert done.returncode == 1, (words, told)
        return [one['message'] for one in told if one['kind'] == 'warning'], told[-1], done.stdout

    with Folder() as folder:
        for name in (WARNS, 'bar.glb'):
            of_info, _, printed = warnings('info', name, '--report', '-')
            of_batch, model, _ = warnings('batch', name, '-o', f'out_{name}')
            assert of_info == of_batch and len(of_info) == model['warnings'] > 0, (of_info, of_batch, model)
            assert model['reason'] == 'warnings' and of_info[0] in model['error'], model
            assert json.loads(printed)['warnings'], printed


@promise
def errors_are_objects_for_programs():
    def told(status, *words):
        done = run(*words, cwd=folder)
        assert done.returncode == status and done.stderr.endswith(b'\n'), done.stderr
        return [json.loads(line) for line in done.stderr.splitlines()]

    with Folder() as folder:
        warning, error = told(1, 'modes', WARNS, '--strict', '--errors', 'json')
        assert (warning['kind'], warning['command'], warning['file']) == ('warning', 'modes', WARNS) and 'exit' not in warning
        assert (error['kind'], error['code'], error['exit']) == ('error', 'strict', 1)
        error, = told(2, 'mods', 'x.glb', '--errors', 'json')
        assert (error['code'], error['exit'], 'command' in error) == ('usage', 2, False) and 'did you mean modes' in error['message'], error
        (folder / 'script.lua').write_text('print(...)')  # whose words stay its own
        assert works('run', 'script.lua', '--errors', 'json', cwd=folder) == '--errors\tjson\n'
        error, = told(1, 'run', 'none.lua', '--errors', 'json')
        assert (error['command'], error['exit']) == ('run', 1), error
        (folder / 'empty.glb').touch()
        assert told(1, 'info', 'empty.glb', '--errors', 'json')[0]['message'].startswith('the file is empty')
        (folder / 'empty.json').touch()
        fails(1, 'modes', 'empty.json', says='empty.json: the file is empty, and not a rig file', cwd=folder)
        error, = told(1, 'info', 'no "such".glb', '--errors=json')
        assert (error['file'], error['code']) == ('no "such".glb', 'file') and 'glb' not in error['message'], error
        for words in (['modes', 'bar.glb', '-o'], ['modes', 'bar.glb', '--plot'], ['gait', 'bar.glb', '--strip']):
            out = 'none/x.json' if words[-1] == '-o' else 'none/x.svg'
            error, = told(1, *words, out, '--errors', 'json')
            assert (error['file'], error['code']) == (out, 'write'), error
        (folder / 'load.lua').write_text('require "eigenrig".load(arg[1])')
        error, = told(1, 'run', 'load.lua', 'none.glb', '--errors', 'json')
        assert (error['file'], error['code']) == ('none.glb', 'file') and 'load.lua:1' in error['message'], error
        (folder / 'own.lua').write_text('error("none.glb")')
        error, = told(1, 'run', 'own.lua', '--errors', 'json')
        assert error['code'] == 'argument' and 'file' not in error, error
        error, = told(2, 'info', 'bar.glb', '--frobnicate', '--errors', 'json')  # whatever comes first
        assert (error['code'], error['exit']) == ('usage', 2) and '--frobnicate' in error['message']
        fails(2, 'modes', 'bar.glb', '--errors', 'xml', says='--errors', cwd=folder)
        palette = json.loads(works('modes', 'bar.glb', '-q', '-o', '-', cwd=folder))
        assert json.loads(works('modes', 'bar.glb', '--json', '-o', 'p.json', cwd=folder)) == palette == json.loads((folder / 'p.json').read_text())


@promise
def verbose_prints_the_route_and_the_residuals():
    with Folder() as folder:
        for command, more in (('modes', []), ('palette', ['-o', 'out.glb'])):
            said = run(command, '-v', 'bar.glb', *more, cwd=folder).stderr.decode()
            numbers = re.search(r'residuals: \|G eta\| (\S+), .*\| (\S+), .*\| (\S+) \(relative\)', said)
            assert numbers, f'{command}: {said}'
            assert all(0 <= float(x) < 1e-9 for x in numbers.groups()), said
            assert re.search(r'rank 6\b', said), said


@promise
def loops_are_named_with_what_is_redundant_of_them():
    rig = next(path for path in models() if path.name == 'four_bar.json')
    told = '3 of its 5 constraints redundant: tx ty z'
    lines = run('info', rig).stdout.decode().splitlines()
    assert any(re.search(r'\b1 loop; 1 degree of freedom$', line) for line in lines), lines
    assert f'  loop  ground_to_rocker             closes rocker with the world, revolute; {told}' in lines, lines
    said = run('modes', '-v', rig).stderr.decode()
    assert f'eigenrig: loop closed by joint "ground_to_rocker": {told}\n' in said, said
    assert 'loop' not in run('modes', rig).stderr.decode()


@promise
def threads_and_progress_change_no_result():
    with Folder() as folder:
        alone = palette_of('two.glb', cwd=folder)
        assert palette_of('two.glb', '--threads', '2', cwd=folder) == alone
        for threads in '12':
            works('batch', 'two.glb', '-o', f'out{threads}', '--threads', threads, cwd=folder)
        assert (folder / 'out1' / 'manifest.jsonl').read_bytes() == (folder / 'out2' / 'manifest.jsonl').read_bytes()
        for when in ('auto', 'always', 'never'):
            assert palette_of('two.glb', '--progress', when, cwd=folder) == alone


@promise
def no_bar_is_drawn_where_there_is_no_terminal():
    with Folder() as folder:
        done = run('palette', 'two.glb', '-o', 'out.glb', cwd=folder)
        assert done.returncode == 0 and b'\r' not in done.stderr and b'\33' not in done.stderr


@promise
def the_table_says_what_the_palette_file_says():
    with Folder() as folder:
        palette = palette_of('two.glb', cwd=folder)
        rows = [line.split() for line in works('modes', 'two.glb', cwd=folder).splitlines()[1:]]
        assert len(palette['modes']) == palette['dof'] == 24
        assert rows[0][:3] == ['0-11', '0', 'rigid'] and [mode['kind'] for mode in palette['modes'][:12]] == 12 * ['rigid']
        assert len(rows) == 1 + 12
        for mode, (index, hertz, kind, *_) in zip(palette['modes'][12:], rows[1:]):
            assert (int(index), kind) == (mode['index'], mode['kind'])
            assert abs(float(hertz) - mode['frequency_hz']) <= 0.5001e-4


@promise
def info_says_what_becomes_of_every_node():
    with Folder() as folder:
        text = works('info', 'two.glb', cwd=folder)
        assert 'Nodes that are no bodies\n' in text and 'Warnings' not in text
        others = text.split('Nodes that are no bodies\n')[1].split('\n\n')[0].splitlines()
        assert [line.split(maxsplit=1) for line in others] == [['bar', 'skinned mesh'], ['otherbar', 'skinned mesh'],
                                                              ['eye', 'camera']], others
        assert text.split('\nClips\n')[1].splitlines()[0].split() == ['0', 'bend', '1', 's']
        ends = works('info', 'limbs.bvh', cwd=folder).split('Nodes that are no bodies\n')[1].split('\n\n')[0].splitlines()
        assert [line.split()[0] for line in ends] == ['EndSite_spine', 'EndSite_leg'], ends
        assert all(line.endswith('end of a bone: gives its length') for line in ends), ends
        rig = works('info', SOURCE / 'models' / 'four_bar.json')  # which has no nodes
        assert 'Nodes that' not in rig and 'Clips' not in rig


@promise
def a_reader_that_leaves_early_is_no_crash():
    with Folder() as folder:
        for words in (['info', 'two.glb'], ['info', 'two.glb', '--json'], ['modes', 'two.glb', '-o', '-']):
            ends = os.pipe()
            os.close(ends[0])
            try:
                done = run(*words, cwd=folder, stdout=ends[1])
            finally:
                os.close(ends[1])
            # Like every filter it may end by SIGPIPE; when that is ignored, it says what is wrong.
            assert done.returncode in (1, -13), f'{words}: {done.returncode}: {done.stderr!r}'
        ignoring = 'trap "" PIPE; "$0" info two.glb --json | true; exit ${PIPESTATUS[0]}'
        done = subprocess.run(['bash', '-c', ignoring, PROGRAM], cwd=folder, env=ENVIRONMENT, capture_output=True)
        assert done.returncode in (0, 1), done.stderr


@promise
def standard_streams_that_are_closed_spoil_no_file():
    with Folder() as folder:
        whole = works('modes', 'two.glb', '-q', '-o', '-', cwd=folder)
        for closed in ('>&-', '2>&-', '<&-', '<&- >&- 2>&-'):
            command = f'exec "$0" modes two.glb -o out.json {closed}'
            done = subprocess.run(['bash', '-c', command, PROGRAM], cwd=folder, env=ENVIRONMENT,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            assert done.returncode in (0, 1), f'{closed}: {done.returncode}'
            if (folder / 'out.json').exists():
                assert (folder / 'out.json').read_text() == whole, f'{closed}: a spoilt file'
                (folder / 'out.json').unlink()


judge()
