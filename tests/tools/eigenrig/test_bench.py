"""eigenrig-bench: its command line, its CSV and its tables for people."""
import csv
import functools
import io
import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml
from pathlib import Path

import walkers
import program
from program import ENVIRONMENT, PROGRAM
from tap import SOURCE, every, promise, run as judge

BENCH = PROGRAM.with_name('eigenrig-bench')
run, works, fails = (functools.partial(f, program=BENCH) for f in (program.run, program.works, program.fails))
SANITIZED = os.environ.get('EIGENRIG_SANITIZED') == '1'
HEADER = ('rig,bodies,dof,route,threads,count,best_ms,median_ms,peak_mib,lowest_hz,highest_hz,'
          'worst_relative_difference_to_reference,note').split(',')


def rows(text):
    read = csv.DictReader(io.StringIO(text))
    assert read.fieldnames == HEADER, read.fieldnames
    return list(read)


@promise
def help_names_every_option_and_an_example_that_works():
    text = works('--help')
    assert text == works('-h') == program.works('bench', '--help')  # which starts the program beside it
    assert set(re.findall(r'^  (?:-\w, |    )(--[\w-]+)', text, re.MULTILINE)) == {
        '--help', '--quiet', '--errors', '--version', '--threads', '--output', '--sizes', '--rigs', '--routes', '--scenes', '--engines',
        '--count', '--budget'}
    assert re.fullmatch(r'eigenrig-bench \d+\.\d+\.\d+\n', works('--version'))
    example = text.split('Example:\n')[1].split()
    with tempfile.TemporaryDirectory() as folder:
        said = works(*example[1:], cwd=folder)
        found = rows((Path(folder) / example[-1]).read_text())
        assert [path.name for path in Path(folder).iterdir()] == [example[-1]]
    assert [row['route'] for row in found] == ['qr', 'dsyevd'] and found[0]['note'] == 'reference'
    for row in found:
        assert (row['rig'], row['bodies'], row['dof'], row['threads'], row['count']) == ('character', '60', '129', '1', '64')
        assert 0 < float(row['best_ms']) <= float(row['median_ms']) and 1 < float(row['peak_mib']) < 2000
        assert 0 < float(row['lowest_hz']) < float(row['highest_hz'])
        assert float(row['worst_relative_difference_to_reference']) < 1e-9
        assert re.search(rf'^character +{row["route"]} +\S', said, re.MULTILINE), said


@promise
def without_modes_it_runs_what_there_is_and_says_why_a_route_is_missing():
    done = run('--rigs', 'net', '--sizes', '4,5', '--routes', 'dsyevd')
    assert re.match(rb'eigenrig-bench: this takes about 1 s', done.stderr)  # before anything is measured
    first, second = rows(done.stdout.decode())
    assert done.returncode == 0 and first['note'] == 'the rig has loops' and first['best_ms'] == ''
    assert second['note'] == 'left out; at 4 bodies: the rig has loops'
    assert b'net            4 bodies  dsyevd' in done.stderr and b'growth' in done.stderr


@promise
def what_takes_longer_than_the_budget_is_ended():
    row, = rows(works('--rigs', 'chain', '--sizes', '400', '--routes', 'source', '--budget', '0.3', '-q'))
    assert row['note'] == 'took more than 0.3 s' and row['best_ms'] == row['peak_mib'] == ''


@promise
def batches_are_measured_beside_rigs_one_by_one():
    table = list(csv.DictReader(io.StringIO(works('batch', '--sizes', '10', '--count', '9', '--threads', '2', '-q'))))
    row, = table
    assert (row['bodies'], row['rigs'], row['threads'], row['count']) == ('10', '64', '2', '9')
    assert 0 < float(row['together_ms']) and 0 < float(row['one_by_one_ms']) and float(row['ratio']) > 0
    assert float(row['worst_relative_difference']) < 1e-9
    with tempfile.TemporaryDirectory() as folder:
        said = works('batch', '--sizes', '4', '-o', 'batch.csv', cwd=folder)
        assert re.fullmatch(r' 64 characters of +4 bodies, .*x\n', said), said
        assert [path.name for path in Path(folder).iterdir()] == ['batch.csv']
    fails(1, 'batch', '--sizes', '4', '-q', '-o', 'missing/batch.csv', says='missing/batch.csv')


@promise
def poses_are_measured_beside_a_rival_and_held_against_exact_ones():
    words = ['motion', '--rigs', 'character', '--sizes', '6,20', '--count', '16']
    table = list(csv.DictReader(io.StringIO(works(*words, '-q'))))
    assert [(row['bodies'], row['route']) for row in table] == [
        (n, route) for n in ('6', '20') for route in ('rival', 'single', 'double')]
    for row in table:
        assert row['rig'] == 'character' and float(row['poses_per_second']) > 0 and float(row['ratio_to_rival']) > 0
        assert row['bodies'] == '6' or row['modes'] == '10'  # the other six are rigid
        assert float(row['ratio_to_rival']) == 1 or row['route'] != 'rival'
        assert float(row['worst_difference']) < (1e-12 if row['route'] == 'double' else 1e-5)  # 5.6e-15, 4.3e-7
    with tempfile.TemporaryDirectory() as folder:
        said = works(*words, '-o', 'motion.csv', cwd=folder)
        assert re.search(r'^character +20 bodies, +10 modes  single ', said, re.MULTILINE), said
        assert [path.name for path in Path(folder).iterdir()] == ['motion.csv']
    fails(1, 'motion', '--rigs', 'net', '--sizes', '4', '-q', says='loops')
    fails(1, 'motion', '--rigs', 'chain', '--sizes', '4', '-q', '-o', 'missing/motion.csv', says='missing/motion.csv')


@every
def accelerations_and_a_second_simulated_are_measured_as_rigs_grow():
    words = ['dynamics', '--rigs', 'chain,character', '--sizes', '4,16', '--budget', '0.1']
    table = list(csv.DictReader(io.StringIO(works(*words, '-q'))))
    assert [(row['rig'], row['bodies']) for row in table] == [(rig, n) for rig in ('chain', 'character') for n in ('4', '16')]
    for row in table:
        assert list(row) == ['rig', 'bodies', 'reduced_us', 'multipliers_us', 'integrator_us', 'lanes_us', 'lanes_integrator_us',
                             'mj_forward_us', 'second_ms', 'evaluations_a_second']
        assert all(float(value) > 0 for column, value in row.items() if column not in ('rig', 'mj_forward_us'))
        assert row['mj_forward_us'] == '' or float(row['mj_forward_us']) > 0
    with tempfile.TemporaryDirectory() as folder:
        said = works(*words, '-o', 'dynamics.csv', cwd=folder)
        assert re.search(r'^character growth with bodies  reduced_us \d', said, re.MULTILINE), said
        assert [path.name for path in Path(folder).iterdir()] == ['dynamics.csv']
    fails(1, 'dynamics', '--rigs', 'net', '--sizes', '4', '-q', says='loops')
    fails(1, 'dynamics', '--sizes', '4', '-q', '-o', 'missing/dynamics.csv', says='missing/dynamics.csv')


@every
def work_and_precision_stand_beside_peers_that_are_installed():
    with tempfile.TemporaryDirectory() as folder:
        said = works('peers', '--budget', '0.02', '-o', 'peers.csv', cwd=folder)
        with open(Path(folder) / 'peers.csv', encoding='utf-8', newline='') as file:
            table = list(csv.DictReader(file))
        subprocess.run([sys.executable, SOURCE / 'tools' / 'bench_plot', 'peers.csv', '-o', 'peers.svg'], cwd=folder, check=True)
        drawn = xml.parse(Path(folder) / 'peers.svg')
        assert len(list(drawn.iter('{http://www.w3.org/2000/svg}polyline'))) == len(
            {(row['scene'], row['simulator'], row['method']) for row in table})
    for scene in ('pendulum', 'ragdoll'):
        for peer in ('MuJoCo', 'ODE'):
            assert any(row['simulator'] == peer for row in table) or f'{scene:9} {peer}: ' in said, said
        for row in (row for row in table if row['scene'] == scene):
            assert float(row['reference_error']) < 1e-11 and float(row['ms']) > 0  # two routes agree: 1e-12, 1e-13
        best = {(row['simulator'], row['method']): float(row['error']) for row in table if row['scene'] == scene}
        for route in ('reduced', 'multipliers'):
            assert best['eigenrig', f'Fehlberg, {route}'] < 1e-6 and best['eigenrig', f'RK4, {route}'] < 1e-5, best
        # the same motion, found by others, however many steps the budget lets them take: 1.6e-4 and 0.6 of ragdolls by 240
        for simulator, method, most, order in (('MuJoCo', 'RK4', 1e-3, 4), ('ODE', 'semi-implicit Euler', 1.0, 1)):
            for row in table:
                if (row['scene'], row['simulator'], row['method']) == (scene, simulator, method):
                    assert float(row['error']) < most * (240 / int(row['steps'])) ** order, row
    fails(1, 'peers', '-q', '--budget', '0.001', '-o', 'missing/peers.csv', says='missing/peers.csv')


@promise
def living_scenes_have_rows_for_what_is_not_physics_nor_opengl():
    done = run('play', '--sizes', '8')
    rows = list(csv.DictReader(done.stdout.decode().splitlines()))
    spheres = [row['what'] for row in rows if row['what'].startswith('spheres')]
    assert rows[0]['what'] == 'scripts and actions' and spheres[:2] == ['spheres: a step', 'spheres: a step besides physics'], rows
    assert all(row['count'] == '8' and float(row['ms_per_frame']) > 0 for row in rows), rows
    if done.returncode == 0:
        assert spheres[2:] == ['spheres: a picture', 'spheres: a picture besides OpenGL'], rows
    else:  # where there is no OpenGL
        assert b'OpenGL' in done.stderr, done.stderr


@every
def scenes_of_contact_come_to_rest_with_joints_that_hold():
    words = ['contacts', '--sizes', '8,27', '--engines', 'eigenrig']
    with tempfile.TemporaryDirectory() as folder:
        said = works(*words, '-o', 'contacts.csv', cwd=folder)
        with open(Path(folder) / 'contacts.csv', encoding='utf-8', newline='') as file:
            table = list(csv.DictReader(file))
        assert [path.name for path in Path(folder).iterdir()] == ['contacts.csv']
    assert list(table[0])[:7] == ['scene', 'count', 'engine', 'threads', 'ms_per_step', 'max_penetration', 'max_separation']
    assert [(row['scene'], row['count'], row['engine'], row['threads']) for row in table] == [
        (scene, n, 'eigenrig', '1') for scene in ('spheres', 'bridge', 'ragdolls') for n in ('8', '27')]
    for row in table:
        assert float(row['ms_per_step']) > 0, row
        assert SANITIZED or float(row['memory_mib']) > 0, row  # whose memory the C library does not count
        assert 0 <= float(row['max_penetration']) <= float(row['worst_penetration']), row
        assert float(row['max_penetration']) < {'spheres': 1e-3, 'bridge': 1e-9, 'ragdolls': 0.1}[row['scene']], row
        assert float(row['settled_separation']) <= float(row['max_separation']) < 1e-9, row
        parts = [float(row[part]) for part in ('collision_ms', 'solver_ms', 'motion_ms')]
        assert min(parts) > 0 and sum(parts) <= float(row['ms_per_step']) * 1.001, row  # four digits are written
        assert int(row['rows']) % 3 == 0 and (int(row['rows']) > 0) == (row['scene'] != 'bridge'), row
        assert re.search(rf'^{row["scene"]} +{row["count"]}  eigenrig ', said, re.MULTILINE), said
    said = run('contacts', '--sizes', '6', '--engines', 'bullet,ode,mujoco')
    others = list(csv.DictReader(io.StringIO(said.stdout.decode())))
    assert said.returncode == 0, said
    for scene in ('spheres', 'bridge', 'ragdolls'):
        for engine in ('bullet', 'ode', 'mujoco'):
            row = next((row for row in others if (row['scene'], row['engine']) == (scene, engine)), None)
            if row is None:
                assert re.search(rf'^{scene} +6  {engine} +not ', said.stderr.decode(), re.MULTILINE), said.stderr
                continue
            assert (scene == 'bridge') == (float(row['worst_penetration']) == 0), row
            assert (scene == 'spheres') == (float(row['max_separation']) == 0), row
            assert float(row['max_penetration']) < 0.05 and float(row['max_separation']) < 0.3, row
    late = run(*words[:1], '--scenes', 'spheres', '--sizes', '8', '--budget', '1e-9')
    assert late.returncode == 0 and late.stdout.count(b'\n') == 1 and b'would take more than 1e-09 s' in late.stderr
    fails(1, *words, '-q', '-o', 'missing/contacts.csv', says='missing/contacts.csv')


@promise
def control_c_leaves_the_rows_that_are_whole():
    with tempfile.TemporaryDirectory() as folder:
        part, words = Path(folder) / 'contacts.csv.part', ['--scenes', 'spheres', '--sizes', '2,100000', '-o', 'contacts.csv']
        with subprocess.Popen([BENCH, 'contacts', *words, '--engines', 'eigenrig'], cwd=folder, env=ENVIRONMENT,
                              stdout=subprocess.PIPE, text=True) as going:
            assert going.stdout.readline().startswith('spheres '), 'no row came'
            going.send_signal(signal.SIGINT)
        rows = part.read_text().splitlines(keepends=True)
    assert going.returncode == -signal.SIGINT and len(rows) == 2, rows
    assert all(row.count(',') == rows[0].count(',') and row.endswith('\n') for row in rows), rows


@promise
def wrong_words_are_errors_of_usage():
    fails(2, 'palette', says='palette')
    fails(2, 'modes', '--method', 'qr', says='--method')
    for option, wrong in {'--sizes': ['', '1', '20,', ',20', '20,x', '2.5', '20;60', ','.join(['2'] * 33), '1e8'],
                          '--rigs': ['', 'chains', 'chain,', 'chain,,net'], '--routes': ['', 'guess', 'qr,auto'], '--scenes': ['', 'sphere', 'bridge,'], '--engines': ['', 'ours'],
                          '--count': ['0', 'x'], '--budget': ['0', '-1', 'nan', 'x'], '--threads': ['0']}.items():
        for value in wrong:
            fails(2, f'{option}={value}', says=option)


@promise
def errors_are_json_where_a_program_reads_them():
    wrong = run('--errors', 'json', '--sizes', 'x')
    assert wrong.returncode == 2 and json.loads(wrong.stderr).items() >= {
        'kind': 'error', 'command': 'bench', 'code': 'usage', 'exit': 2}.items(), wrong
    words = ['--errors=json', '--rigs', 'net', '--sizes', '4', '--routes', 'dsyevd']
    lost = run(*words, '-o', 'missing/bench.csv')
    said = json.loads(lost.stderr)
    assert lost.returncode == said['exit'] == 1 and 'missing/bench.csv' in said['message'], lost
    done = run(*words)
    assert done.returncode == 0 and done.stderr == b'' and len(rows(done.stdout.decode())) == 1, done


@promise
def low_limits_of_addresses_leave_one_thread():
    environment = {name: value for name, value in ENVIRONMENT.items() if name != 'OPENBLAS_NUM_THREADS'}
    def low():
        resource.setrlimit(resource.RLIMIT_AS, (1000 << 20, 1000 << 20))
    if not SANITIZED:
        works('--rigs', 'chain', '--sizes', '4', '--routes', 'qr', '-q', env=environment, preexec_fn=low, timeout=20)


@promise
def a_file_that_cannot_be_written_is_one_error():
    words = ['--rigs', 'net', '--sizes', '4', '--routes', 'dsyevd', '-q', '-o']
    fails(1, *words, 'missing/bench.csv', says='missing/bench.csv')
    with tempfile.TemporaryDirectory() as folder:
        fails(1, *words, folder, says=folder)
    if Path('/dev/full').exists():
        fails(1, *words, '/dev/full', says='/dev/full')
        assert Path('/dev/full').is_char_device()


@promise
def the_plot_has_a_panel_a_rig_and_refuses_other_files():
    plot = [sys.executable, SOURCE / 'tools' / 'bench_plot']
    lines = [f'{rig},{n},{3 * n},{route},1,64,{n * 0.1},{n * 0.2},{5 + n * 0.01},1,2,,""'
             for rig in ('chain', 'net') for route in ('sparse', 'source') for n in (20, 200, 2000)]
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / 'bench.csv').write_text('\n'.join([','.join(HEADER), *lines]) + '\n')
        subprocess.run([*plot, 'bench.csv', '-o', 'out.svg'], cwd=folder, check=True)
        words = [text.text for text in xml.parse(Path(folder) / 'out.svg').iter('{http://www.w3.org/2000/svg}text')]
        assert words.count('chain') == words.count('net') == 1  # a panel above the other: time, memory
        assert words.count('sparse') == words.count('source') == 4
        for wrong in ('missing.csv', 'out.svg'):
            done = subprocess.run([*plot, wrong, '-o', 'no.svg'], cwd=folder, capture_output=True)
            assert done.returncode == 1 and wrong.encode() in done.stderr and b'Traceback' not in done.stderr
        assert not (Path(folder) / 'no.svg').exists()


@every
def searches_for_gaits_are_set_beside_another_programs():
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / 'rigs').mkdir()
        walkers.write(Path(folder) / 'rigs', 'gnome')
        (Path(folder) / 'rigs' / 'notes.txt').write_text('no rig')
        words = [sys.executable, SOURCE / 'tools' / 'bench_gaits', PROGRAM, '--against', PROGRAM, 'rigs', '-o', 'out.csv']
        said = subprocess.run(words, cwd=folder, check=True, capture_output=True, text=True).stderr
        rows = list(csv.DictReader((Path(folder) / 'out.csv').open()))
        wrong = subprocess.run([*words[:2], PROGRAM, Path(folder) / 'rigs' / 'notes.txt'], capture_output=True, text=True)
    assert [row['rig'] for row in rows] == ['gnome.glb'] and rows[0]['lost'] == '', rows
    assert float(rows[0]['score']) == float(rows[0]['against_score']) > 0.3, rows
    assert float(rows[0]['seconds']) > 0 and float(rows[0]['ratio']) > 0, rows
    assert re.search(r'^1 rigs: median ', said, re.MULTILINE), said
    assert wrong.returncode == 1 and 'no rig was searched' in wrong.stderr and 'Traceback' not in wrong.stderr


@promise
def a_folder_is_measured_at_one_process_and_at_many():
    with tempfile.TemporaryDirectory() as folder:
        said = works('folder', '--count', '8', '--sizes', '3,5', '--threads', '2', '-o', 'out.csv', cwd=folder,
                     env=dict(ENVIRONMENT, TMPDIR=folder))
        assert [path.name for path in Path(folder).iterdir()] == ['out.csv'], 'models were left behind'
        found = list(csv.DictReader((Path(folder) / 'out.csv').open()))
    assert [(row['jobs'], row['bodies'], row['format'], row['models']) for row in found] == [
        (jobs, bodies, kind, '2') for jobs in '12' for bodies in '35' for kind in ('glb', 'bvh')]
    for row in found:
        assert all(float(row[name]) > 0 for name in ('models_a_second', 'import_ms', 'rig_ms', 'solve_ms', 'write_ms',
                                                       'palette_kib')), row
    assert re.search(r'^8 models, 2 at a time: ', said, re.MULTILINE), said


judge()
