"""`validate`: how far modes are true, as a table, a CSV, a drawing and a field of the palette file."""
import csv
import json
import re
import signal
import subprocess
import xml.etree.ElementTree

from program import ENVIRONMENT, PROGRAM, Folder, fails, palette_of, works
from tap import SOURCE, promise, run as judge

HAND = SOURCE / 'models' / 'hand.glb'
CHAIN = SOURCE / 'models' / 'chain_20.json'
ODD = ['--min-hz', '7.6']  # the first of them loses its shape before its time
STIFF = ['--min-hz', '12']  # high modes are soon tried: steps go by the highest


def trials_of(path):
    lines = list(csv.reader(path.read_text().splitlines()))
    assert lines[0] == ['mode', 'amplitude_degrees', 'frequency_shift', 'leakage'], lines[0]
    trials = {}
    for mode, *numbers in lines[1:]:
        trials.setdefault(int(mode), []).append(list(map(float, numbers)))
    return trials


@promise
def table_csv_palette_and_drawing_agree():
    with Folder() as folder:
        out, palette, plot = folder / 'v.csv', folder / 'p.json', folder / 'v.svg'
        table = works('validate', HAND, *ODD, '--count', '3', '-o', out, '--palette', palette, '--plot', plot)
        trials = trials_of(out)
        document = json.loads(works('validate', HAND, *ODD, '--count', '3', '--json'))
        assert (document['format'], document['shift']) == ('eigenrig-validity', 0.02)
        assert trials == {mode['mode']: [[trial[key] for key in ('amplitude_degrees', 'frequency_shift', 'leakage')]
                                         for trial in mode['trials']] for mode in document['modes']}
        modes = {mode['index']: mode for mode in json.loads(palette.read_text())['modes']}
        assert len(trials) == 3 and set(trials) == set(modes) and list(trials) == sorted(trials)
        rows = {int(line.split()[0]): line for line in table.splitlines()[1:4]}
        for index, tried in trials.items():
            amplitudes = [trial[0] for trial in tried]
            assert amplitudes == sorted(amplitudes) and amplitudes[0] == 0.01
            assert abs(tried[0][1]) < 1e-4 and 0 <= tried[0][2] < 1e-3, tried[0]
            good = modes[index]['true_to_degrees']
            assert good in amplitudes and all((abs(shift) < 0.02) == (at <= good) for at, shift, _ in tried), tried
            assert f'{good:.3g}' in rows[index] and (good == 60) == ('>=' in rows[index]), rows[index]
            assert f"{modes[index]['frequency_hz']:.4f}" in rows[index]
            judged = next(mode for mode in document['modes'] if mode['mode'] == index)
            assert judged['true_to_degrees'] == good and judged['at_least'] == (good == 60)
            assert judged['frequency_hz'] == modes[index]['frequency_hz']
            one = next(trial for trial in tried if trial[0] == 1)
            found = re.findall(r'([-+]?[\d.e-]+)%', rows[index])
            assert abs(float(found[0]) - 100 * one[1]) <= 0.06 * abs(100 * one[1]), (rows[index], one)
        leaks = [(index, next((at for at, _, lost in tried if lost > 0.5 and at <= modes[index]['true_to_degrees']), 0)) for index, tried in trials.items()]
        assert any(at for _, at in leaks)  # in time, with its energy elsewhere
        for index, at in leaks:
            assert bool(re.search(rf'in shape.*[e,] {index} from {at:.3g}', table)) == (at > 0), (index, at, table)
        drawn = xml.etree.ElementTree.parse(plot).getroot()
        lines = drawn.findall('{http://www.w3.org/2000/svg}polyline')
        assert len(lines) == 6 and 'true to' in plot.read_text()


@promise
def what_nobody_judged_has_no_field():
    assert not any('true_to_degrees' in mode for mode in palette_of(CHAIN)['modes'])


@promise
def a_hinge_alone_is_true_as_far_as_is_tried():
    with Folder() as folder:
        rig = json.loads(works('info', CHAIN, '--json'))
        rig['bodies'], rig['joints'] = rig['bodies'][:1], rig['joints'][:1]
        rig['joints'][0] |= {'parent': -1, 'child': 0, 'type': 'revolute', 'stiffness': [5.0], 'damping': [0.2],
                             'limits': None}
        (folder / 'hinge.json').write_text(json.dumps(rig))
        table = works('validate', folder / 'hinge.json')
        assert len(re.findall(r'^ +[0-9]', table, re.M)) == 1 and '>= 60' in table, table


@promise
def the_csv_alone_goes_to_standard_output():
    text = works('validate', HAND, *STIFF, '--count', '1', '-o', '-')
    assert text.startswith('mode,amplitude_degrees,') and 'true' not in text
    assert len({line.split(',')[0] for line in text.splitlines()[1:]}) == 1


@promise
def words_that_are_off_are_refused_before_the_work():
    with Folder() as folder:
        fails(2, 'validate', HAND, '-o', folder / 'v.txt', says='.csv')
        fails(2, 'validate', HAND, '--plot', folder / 'v.png', says='.svg')
        fails(2, 'validate', HAND, '--palette', folder / 'v.glb', says='.json')
        fails(2, 'validate', HAND, '-o', '-', '--plot', '-', says='"-"')
        fails(1, 'validate', HAND, '-o', folder / 'nowhere' / 'v.csv', says='nowhere')
        fails(2, 'validate', says='MODEL')
        assert not list(folder.glob('v.*'))


@promise
def what_is_done_when_it_is_stopped_is_written_whole():
    with Folder() as folder:
        out = folder / 'v.csv'
        running = subprocess.Popen([PROGRAM, 'validate', HAND, '-o', out, '--progress', 'always'],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT)
        shown = b''
        while not re.search(rb'modes  [1-9]', shown):  # the first mode is done
            shown += running.stderr.read(1)
        running.send_signal(signal.SIGINT)
        text, _ = running.communicate(timeout=60)
        assert running.returncode == -signal.SIGINT, running.returncode
        assert b'stopped after' in text and trials_of(out), text


judge()
