"""Where nothing can be written but the output, at a terminal, and with models that mean harm: one sentence, nothing left."""
import json
import os
import pty
import resource
import signal
import struct
import time
import zlib

from harm import harm
from program import ENVIRONMENT, PROGRAM, SOURCE, Folder, fails, judge_failure, run, works
from tap import promise, run as judge

HORSE = SOURCE / 'models' / 'horse.glb'
GNOME = SOURCE / 'models' / 'gnome.glb'


# ---- no place for temporary files

@promise
def commands_need_no_temporary_folder():
    """Files grow beside their place. A folder below /proc is not to be written to by root either."""
    with Folder() as folder:
        env = dict(ENVIRONMENT, TMPDIR='/proc/none', HOME='/proc/none')
        (folder / 'models').mkdir()
        (folder / 'bar.glb').rename(folder / 'models' / 'bar.glb')
        (folder / 'script.lua').write_text('eigenrig.load(arg[1]):export("s.glb", "7:5")')
        for words in (['info', 'models/bar.glb'], ['modes', 'models/bar.glb', '-o', 'm.json'],
                      ['palette', 'models/bar.glb', '-o', 'p.glb'], ['animate', 'models/bar.glb', '--mix', '7:5', '-o', 'a.fbx'],
                      ['animate', 'models/bar.glb', '--mix', '7:5', '-o', 'a.npz'], ['run', 'script.lua', 'models/bar.glb'],
                      ['batch', 'models', '-o', 'out']):
            works(*words, cwd=folder, env=env)
        fails(1, 'folder', '-q', '--count', '2', '--sizes', '20', says='TMPDIR', cwd=folder, env=env, program=PROGRAM.with_name('eigenrig-bench'))


# ---- texts as editors on Windows save them

BALL = """{"format": "eigenrig-world", "version": 1, "name": "w", "duration": 0.1, "frames": 6, "gravity": [0, 0, -9.81],
 "rig": {"format": "eigenrig-rig", "version": 1, "name": "r", "joints": [], "bodies": [{"name": "a", "mass": 1, "com": [0, 0, 0],
 "inertia": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "position": [0, 0, 1], "orientation": [1, 0, 0, 0]}]}}"""
SCENE = ('local eigenrig = require "eigenrig" local s = eigenrig.scene{length = 0.2} local b = s:actor{sphere = 1} '
         's:on("key_down", function() b:push({1, 0, 0}) end) return s')


@promise
def a_byte_order_mark_changes_nothing():
    with Folder() as folder:
        works('info', 'bar.glb', '-q', '--save-pose', 'p.pose.json', '-o', 'rig.json', cwd=folder)
        works('animate', 'bar.glb', '-q', '--mix', '7:5', '--save-mix', 'mix.json', '-o', 'a.bvh', cwd=folder)
        env = dict(ENVIRONMENT, XDG_CONFIG_HOME=str(folder / 'config'))
        (folder / 'config' / 'eigenrig').mkdir(parents=True)
        for path in (SOURCE / 'models' / 'bacin').iterdir():
            (folder / path.name).write_bytes(path.read_bytes())
        texts = {'bar.rig.lua': 'return {density = 500}', 'ball.json': BALL, 'a.scene.lua': SCENE, 'list.txt': 'bar.glb\n',
                 'script.lua': 'print(eigenrig.json.decode(arg[1])[1])', 'keys.txt': '3 key_down a 97 0\n',
                 'plate.csv': 'time_s,bone0.force_x,bone0.force_y,bone0.force_z,bone0.centre_x,bone0.centre_y,bone0.centre_z\n0,0,9,0,0,0,0\n1,0,9,0,0,0,0\n',
                 'config/eigenrig/presets': 'nod 1 none trunk:side:6\n'}
        for name, text in texts.items():
            (folder / name).write_text(text)
        commands = [['info', 'bar.glb'], ['info', 'rig.json'], ['modes', 'bar.gltf'], ['info', 'a.bvh'], ['simulate', 'ball.json', '-o', 'b.csv'],
                    ['simulate', '9.2.cfg', '--duration', '0.1', '-o', 'c.csv'], ['info', 'bar.glb', '--pose', 'p.pose.json'],
                    ['animate', 'bar.glb', '--mix', 'mix.json', '-o', 'm.csv'], ['run', 'script.lua', '\ufeff[3]'],
                    ['play', 'a.scene.lua', '--headless', '--replay', 'keys.txt'], ['batch', '@list.txt', '-q', '--resume', '-o', 'out'],
                    ['inverse', 'bar.glb', '--clip', 'bend', '--plate', 'plate.csv', '-q', '-o', 'i.csv'],
                    ['animate', GNOME, '--preset', 'nod', '-o', 'n.csv']]

        def results():
            done = [run(*words, cwd=folder, env=env) for words in commands]
            return [(d.returncode, d.stdout, d.stderr) for d in done], [(folder / f'{n}.csv').read_bytes() for n in 'bcmin' if (folder / f'{n}.csv').exists()]
        plain = results()
        for words, (status, _, error) in zip(commands, plain[0]):
            assert status == 0, (words, error)
        for path in folder.rglob('*'):
            if path.suffix in ('.lua', '.json', '.txt', '.gltf', '.bvh', '.cfg', '.bds', '.ctr', '.shp', '.ste', '') and path.is_file():
                path.write_bytes(b'\xef\xbb\xbf' + path.read_bytes())
        for words, one, other in zip(commands, plain[0], results()[0]):
            assert one == other, (words, one, other)
        assert results()[1] == plain[1]


# ---- standard streams that are closed

def close_streams():
    for number in range(3):
        os.close(number)


@promise
def messages_do_not_get_into_files_where_streams_are_closed():
    with Folder() as folder:
        (folder / 'bad.glb').write_bytes(b'glTF')
        done = run('batch', 'bad.glb', 'bar.glb', '-o', 'out', '--write', 'json,glb', cwd=folder, preexec_fn=close_streams)
        assert done.returncode == 1 and done.stdout + done.stderr == b'', done
        lines = (folder / 'out' / 'manifest.jsonl').read_text().splitlines()
        assert len(lines) >= 2 and all(isinstance(json.loads(line), dict) for line in lines), lines
        works('palette', 'bar.glb', '-q', '-o', 'p.glb', cwd=folder, preexec_fn=close_streams)
        works('modes', 'p.glb', '-q', '-o', 'm.json', cwd=folder, preexec_fn=close_streams)
        for words in (['info', 'bar.glb'], ['modes', 'bar.glb', '-o', '-']):
            fails(1, *words, says='standard output', cwd=folder, preexec_fn=lambda: os.close(1))


# ---- bombs of compressed bytes

HEAD = struct.Struct('<IIIB')  # a record of binary FBX 7.4: its end, how many properties, their bytes, its name's


def read_records(data, at):
    """The records from a place on to the one of zeros, as name, number of properties, their bytes, children; its end."""
    records = []
    while True:
        end, number, size, length = HEAD.unpack_from(data, at)
        at += HEAD.size
        if end == 0:
            return records, at
        name, at = data[at:at + length], at + length
        inside, _ = read_records(data, at + size) if at + size < end else (None, 0)
        records.append([name, number, data[at:at + size], inside])
        at = end


def write_records(records, at):
    out = b''
    for name, number, properties, inside in records:
        begin = at + len(out) + HEAD.size + len(name) + len(properties)
        body = b'' if inside is None else write_records(inside, begin)
        out += HEAD.pack(begin + len(body), number, len(properties), len(name)) + name + properties + body
    return out + bytes(HEAD.size)


def zeros(size):
    """A deflate stream of so many zeros, made of one block again and again."""
    block = 1 << 20
    packer = zlib.compressobj(9)
    first = packer.compress(bytes(block)) + packer.flush(zlib.Z_FULL_FLUSH)
    again = packer.compress(bytes(block)) + packer.flush(zlib.Z_FULL_FLUSH)
    rest = packer.compress(bytes(size % block)) + packer.flush()
    sum = (size % 65521) << 16 | 1  # Adler's
    return first + again * (size // block - 1) + rest[:-4] + struct.pack('>I', sum)


def put_bomb(records, said, size):
    for record in records:
        if record[0] == b'Vertices':
            packed = zeros(size)
            record[2] = b'd' + struct.pack('<III', said // 8, 1, len(packed)) + packed
        put_bomb(record[3] or [], said, size)


def bomb(said, size):
    """bar.fbx with an array of so many zeros, said to take so many bytes."""
    begin = 27  # of the first record
    with Folder() as folder:
        works('animate', 'bar.glb', '--mix', '7:5', '-o', 'bar.fbx', cwd=folder)
        data = (folder / 'bar.fbx').read_bytes()
    records, end = read_records(data, begin)
    put_bomb(records, said, size)
    return data[:begin] + write_records(records, begin) + data[end:]


@promise
def bombs_in_an_fbx_end_in_a_sentence():
    assert zlib.decompress(zeros(5 << 20 | 8)) == bytes(5 << 20 | 8)
    with Folder() as folder:
        (folder / 'bomb.fbx').write_bytes(bomb(3 << 30, 3 << 30))
        fails(1, 'info', 'bomb.fbx', says='memory', cwd=folder, timeout=30,
              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30)))
        for said in (24, 2**32 - 8):  # more than is said, and more than 32 bits hold with what is beside it
            (folder / 'bomb.fbx').write_bytes(bomb(said, 2**32 - 8))
            done = run('info', 'bomb.fbx', cwd=folder, timeout=30)
            assert done.returncode == 0 or judge_failure(done, 1, 'info', 'bomb.fbx')


# ---- a terminal

def interrupted(words, folder, seconds):
    """Runs the program at a terminal, where Ctrl-C is typed; its status as waitpid() has it."""
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(folder)
        os.execve(PROGRAM, ['eigenrig', *map(str, words)], ENVIRONMENT)
    time.sleep(seconds)
    os.write(terminal, b'\x03')
    said = b''
    while True:
        try:
            said += os.read(terminal, 4096)
        except OSError:  # the other end is closed
            break
    os.close(terminal)
    return os.waitpid(child, 0)[1], said


@promise
def ctrl_c_leaves_no_half_of_a_file():
    for words in (['animate', HORSE, '--mix', '7:5', '--duration', '9000', '-o', 'a.bvh'],
                  ['animate', HORSE, '--mix', '7:5', '--duration', '9000', '-o', 'a.fbx'],
                  ['gait', HORSE, '-o', 'a.glb'], ['bench']):
        with Folder() as folder:
            before = {path.name: path.read_bytes() for path in folder.iterdir()}
            status, said = interrupted(words, folder, 1.5)
            assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGINT, (words, status, said)
            assert b'error' not in said, (words, said)
            after = {path.name: path.read_bytes() for path in folder.iterdir() if not path.name.startswith('.eigenrig-')}
            assert after == before, (words, after.keys())
            works('modes', 'bar.glb', '-o', 'm.json', cwd=folder)
            assert not list(folder.glob('.eigenrig-*')), 'the next run leaves what this one left'


# ---- models that mean harm

@promise
def scripts_say_what_is_wrong_with_a_model():
    with Folder() as folder:
        (folder / 'script.lua').write_text('eigenrig.load(arg[1])')
        for name in harm(folder):
            fails(1, 'run', 'script.lua', name, says=name, cwd=folder, timeout=30)


@promise
def a_description_cannot_ask_for_hours_of_matching():
    pattern = f'local s = "*{"a*" * 120}"'
    with Folder() as folder:
        nodes = [{'name': 'a' * 2000 + str(i), 'translation': [0, 0.1, 0], 'children': [i + 1]} for i in range(300)]
        nodes.append({'name': 'end', 'translation': [0, 0.1, 0]})
        (folder / 'm.gltf').write_text(json.dumps({'asset': {'version': '2.0'}, 'scene': 0, 'scenes': [{'nodes': [0]}], 'nodes': nodes}))
        (folder / 'script.lua').write_text('eigenrig.load(arg[1])')
        for keys in ('joints = names', 'bodies = names', 'props = list', 'feet = list', 'plant = list'):
            (folder / 'm.rig.lua').write_text(
                f'{pattern} local names, list = {{}}, {{}} for i = 1, 10000 do names[s .. "b" .. i] = {{mass = 1}} list[i] = s .. "b" .. i end '
                f'return {{{keys}, optional = true}}')
            fails(1, 'info', 'm.gltf', says='m.rig.lua', cwd=folder, timeout=30)
        fails(1, 'run', 'script.lua', 'm.gltf', says='m.rig.lua', cwd=folder, timeout=30)


judge()
