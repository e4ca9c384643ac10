"""CSV and NPZ of motions, read back by Python's csv, by numpy, and by a reader of .npy that stands on the standard
library, and judged by what was asked for."""
import ast
import collections
import csv
import functools
import json
import math
import pathlib
import struct
import subprocess
import sys
import tempfile
import zipfile

from tap import BUILD, promise, run, skip

SAMPLES = BUILD / 'tests' / 'formats' / 'curves' / 'motion_samples'
FREE = {'revolute': ['tz'], 'universal': ['tx', 'ty'], 'spherical': ['tx', 'ty', 'tz'], 'prismatic': ['z'],
        'cylindrical': ['tz', 'z'], 'planar': ['tz', 'x', 'y'], 'point_on_plane': ['tx', 'ty', 'tz', 'x', 'y'],
        'fixed': [], 'free': ['tx', 'ty', 'tz', 'x', 'y', 'z']}
CASES = ['plain', 'names', 'still', 'crowd']
FOLDER = tempfile.TemporaryDirectory()


@functools.cache
def write(case, ending):
    path = pathlib.Path(FOLDER.name) / f'{case}.{ending}'
    done = subprocess.run([SAMPLES, case, path], capture_output=True, text=True)
    assert done.returncode == 0 and 'Sanitizer' not in done.stderr, done.stderr
    return path


@functools.cache
def asked(case):
    """What the writers were given."""
    motion = json.loads(write(case, 'json').read_text())
    for thing in motion['joints']:
        thing['name'] = bytes.fromhex(thing['name'])
    motion['bodies'] = [bytes.fromhex(name) for name in motion['bodies']]
    motion['columns'] = [(k, free) for k, joint in enumerate(motion['joints']) for free in FREE[joint['type']]]
    width = len(motion['columns'])
    motion['rows'] = [motion['q'][f * width:(f + 1) * width] for f in range(len(motion['time']))]
    return motion


def distinct(names, kind):
    """Names by the words of formats.h."""
    names = [name.decode('utf-8', 'replace') or f'{kind} {i}' for i, name in enumerate(names)]
    given, number, out = set(names), collections.Counter(), []
    for name in names:
        number[name] += 1
        made = name
        while number[name] > 1 and (made := f'{name} ({number[name]})') in given:
            number[name] += 1
        out.append(made)
    return out


def joint_names(case):
    return distinct([joint['name'] for joint in asked(case)['joints']], 'joint')


def npy(data):
    """(type, shape, values) of a .npy file."""
    assert data[:8] == b'\x93NUMPY\x01\x00', data[:10]
    start = 10 + struct.unpack('<H', data[8:10])[0]
    assert start % 64 == 0 and data[start - 1:start] == b'\n'
    head = ast.literal_eval(data[10:start].decode('ascii'))
    assert set(head) == {'descr', 'fortran_order', 'shape'} and head['fortran_order'] is False
    kind, shape, body = head['descr'], head['shape'], data[start:]
    count = math.prod(shape)
    if kind[1] == 'U':
        size = 4 * int(kind[2:])
        assert len(body) == count * size
        codec = 'utf-32-le' if kind[0] == '<' else 'utf-32-be'
        return kind, shape, [body[i * size:(i + 1) * size].decode(codec).rstrip('\0') for i in range(count)]
    letter = {'f8': 'd', 'i4': 'i'}[kind[1:]]
    return kind, shape, list(struct.unpack(f'{kind[0]}{count}{letter}', body))


@functools.cache
def plain_arrays(case):
    with zipfile.ZipFile(write(case, 'npz')) as archive:
        assert archive.testzip() is None
        return {info.filename: npy(archive.read(info)) for info in archive.infolist()}


def same(a, b):
    return len(a) == len(b) and all(x == y and math.copysign(1, x) == math.copysign(1, y) for x, y in zip(a, b))


FORMULA = tuple('=+-@\t\r')  # what a spreadsheet takes for one begins so


@promise
def csv_columns_are_joints_and_coordinates():
    for case in CASES:
        with open(write(case, 'csv'), encoding='utf-8', newline='') as file:
            head = next(csv.reader(file, strict=True))
        names = [f"'{name}" if name[:1] in FORMULA else name for name in joint_names(case)]
        assert head == ['time_s'] + [f'{names[k]}.{free}' for k, free in asked(case)['columns']], head
        assert len(set(head)) == len(head)


@promise
def csv_numbers_read_back_exactly():
    for case in CASES:
        motion = asked(case)
        with open(write(case, 'csv'), encoding='utf-8', newline='') as file:
            rows = [[float(cell) for cell in row] for row in list(csv.reader(file, strict=True))[1:]]
        assert same([row[0] for row in rows], motion['time'])
        for row, q in zip(rows, motion['rows']):
            turned = [x * (180 / math.pi) if free[0] == 't' else x for x, (_, free) in zip(q, motion['columns'])]
            assert same(row[1:], turned)


@promise
def csv_numbers_are_short():
    assert write('sine', 'csv').read_text().splitlines()[1:3][0] == '0,0'
    assert write('sine', 'csv').read_text().splitlines()[31].startswith('0.5,')


@promise
def npz_holds_the_motion():
    for case in CASES:
        motion, arrays = asked(case), plain_arrays(case)
        frames, columns, bodies = len(motion['time']), len(motion['columns']), len(motion['bodies'])
        shapes = {'time': (frames,), 'q': (frames, columns), 'joint_names': (len(motion['joints']),),
                  'coordinate_names': (columns,), 'coordinate_joint': (columns,)}
        if motion['poses']:
            shapes |= {'body_names': (bodies,), 'position': (frames, bodies, 3), 'orientation': (frames, bodies, 4)}
        assert {name: shape for name, (_, shape, _) in arrays.items()} == {f'{k}.npy': v for k, v in shapes.items()}
        value = {name.removesuffix('.npy'): values for name, (_, _, values) in arrays.items()}
        assert same(value['time'], motion['time']) and same(value['q'], motion['q'])
        assert value['joint_names'] == joint_names(case), value['joint_names']
        assert value['coordinate_names'] == [free for _, free in motion['columns']]
        assert value['coordinate_joint'] == [k for k, _ in motion['columns']]
        if motion['poses']:
            assert value['body_names'] == distinct(motion['bodies'], 'body')
            assert same(value['position'], [x for pose in motion['poses'] for x in pose[:3]])
            assert same(value['orientation'], [x for pose in motion['poses'] for x in pose[3:]])


@promise
def npz_entries_are_stored_and_without_a_date():
    with zipfile.ZipFile(write('plain', 'npz')) as archive:
        for info in archive.infolist():
            assert info.compress_type == zipfile.ZIP_STORED and info.date_time == (1980, 1, 1, 0, 0, 0), info


NUMPY = '''
import json, sys, numpy
with numpy.load(sys.argv[1]) as z:
    print(json.dumps({name: [z[name].dtype.str, z[name].shape, z[name].ravel().tolist()] for name in z.files}))
'''


@promise
def numpy_reads_the_same():
    pythons = [python for python in (sys.executable, '/usr/bin/python3')
               if subprocess.run([python, '-c', 'import numpy'], capture_output=True).returncode == 0]
    if not pythons:
        skip('there is no numpy')
    for case in CASES:
        done = subprocess.run([pythons[0], '-c', NUMPY, write(case, 'npz')], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        ours = {name.removesuffix('.npy'): [kind, list(shape), values]
                for name, (kind, shape, values) in plain_arrays(case).items()}
        assert json.loads(done.stdout) == ours


@promise
def standard_output_is_a_path():
    # the program knows endings, so the pipe is named by a link
    for ending in ('csv', 'npz'):
        link = pathlib.Path(FOLDER.name) / f'out.{ending}'
        link.symlink_to('/dev/stdout')
        piped = subprocess.run([SAMPLES, 'plain', link], capture_output=True).stdout
        assert piped == write('plain', ending).read_bytes()


run()
