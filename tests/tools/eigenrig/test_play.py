"""Living scenes played without a window: what is written, what hands did again, and mistakes."""
import json
import math
import re
import signal
import struct
import subprocess
import sys

from program import ENVIRONMENT, PROGRAM, SOURCE, Folder, fails, run, works
from tap import promise, run as judge

sys.path.insert(0, str(SOURCE / 'tests' / 'clients'))
import npz  # noqa: E402

SCENE = '''
local eigenrig = require "eigenrig"
local scene = eigenrig.scene{name = "fall", length = 1, gravity = {0, -10, 0}}
scene:actor{name = "ground", motion = "still", plane = 5}
scene:actor{name = "ball", sphere = 0.5, at = {0, 20, 0}, velocity = {1, 0, 0}}
local gnome = scene:add(eigenrig.load(arg[1]), {name = "gnome", at = {0, 3, 0}, scale = 2})
local brief = scene:actor{name = "brief", box = {1, 2, 3}, at = {9, 9, 9}, motion = "led"}
scene:script(function(self)
    self:wait(0.5)
    brief:remove()
    scene:actor{name = "late", capsule = {0.1, 0.4}, at = {3, 5, 0}}
end):start()
scene:on("key_down", function(event) scene:actors()[2]:push({0, 0, event.code}) end)
return scene
'''
GNOME = SOURCE / 'models' / 'gnome.glb'


def scene(folder, text=SCENE):
    (folder / 'fall.scene.lua').write_text(text)
    return ['play', 'fall.scene.lua', '--headless', '--arg', GNOME]


def state(*words, cwd):
    done = run(*words, cwd=cwd)
    assert done.returncode == 0, done.stderr
    return re.search(rb'state (\w{16})', done.stderr)[1]


@promise
def what_moved_is_written_as_arrays_and_as_a_scene():
    with Folder() as folder:
        works(*scene(folder), '-o', 'fall.npz', '-o', 'fall.glb', cwd=folder)
        arrays = npz.read(folder / 'fall.npz')
        (frames,), time = arrays['time']
        (count,), names = arrays['name']
        ball = names.index('ball')
        assert frames == 61 and abs(time[-1] - 1) < 1e-9 and names.count('late') == names.count('brief') == 1
        position, present = arrays['position'][1], arrays['present'][1]
        for k in (0, 30, 60):  # four semi-implicit sub-steps of 1/240 s a frame, or more where the gnome's fingers need them
            x, y, z = position[3 * (k * count + ball):][:3]
            lowest, highest = 20 - 10 / 240 ** 2 * 4 * k * (4 * k + 1) / 2, 20 - 5 * (k / 60) ** 2
            assert math.isclose(x, k / 60, abs_tol=1e-9) and lowest - 1e-9 < y < highest + 1e-9, (k, x, y)
        late, brief = names.index('late'), names.index('brief')
        assert [present[k * count + late] for k in (0, 29, 32, 60)] == [0, 0, 1, 1]
        assert [present[k * count + brief] for k in (0, 29, 32, 60)] == [1, 1, 0, 0]
        data = (folder / 'fall.glb').read_bytes()
        document = json.loads(data[20:20 + struct.unpack_from('<I', data, 12)[0]])
        assert [clip['name'] for clip in document['animations']] == ['fall']
        nodes = {node.get('name'): node for node in document['nodes']}
        assert {'ground', 'ball', 'late', 'brief', 'gnome'} <= set(nodes) and len(document['skins']) == 1
        assert [node['scale'] for node in document['nodes'] if node.get('name') == 'gnome' and 'scale' in node] == [[2, 2, 2]]
        longest = max(document['accessors'][s['input']]['max'][0] for s in document['animations'][0]['samplers'])
        assert abs(longest - 1) < 1e-6
        # the ball's last key is where the arrays have it
        node = document['nodes'].index(nodes['ball'])
        channel = next(c for c in document['animations'][0]['channels'] if c['target'] == {'node': node, 'path': 'translation'})
        accessor = document['accessors'][document['animations'][0]['samplers'][channel['sampler']]['output']]
        view = document['bufferViews'][accessor['bufferView']]
        start = 28 + struct.unpack_from('<I', data, 12)[0] + view.get('byteOffset', 0) + accessor.get('byteOffset', 0)
        last = struct.unpack_from('<3f', data, start + 12 * (accessor['count'] - 1))
        assert all(abs(a - b) < 1e-5 for a, b in zip(last, position[3 * (60 * count + ball):]))


@promise
def events_of_a_file_happen_again_to_the_bit():
    with Folder() as folder:
        words = scene(folder)
        (folder / 'keys.txt').write_text('# by hand\n20 key_down a 97 0\n\n40 mouse_move none 1 2 0 0 0\n')
        without = state(*words, cwd=folder)
        assert state(*words, '--replay', 'keys.txt', cwd=folder) == state(*words, '--replay', 'keys.txt', cwd=folder) != without
        assert state(*words, cwd=folder) == without
        works(*words, '--replay', 'keys.txt', '-o', 'pushed.npz', '-q', cwd=folder)
        arrays = npz.read(folder / 'pushed.npz')
        count, ball = arrays['name'][0][0], arrays['name'][1].index('ball')
        z = [arrays['velocity'][1][3 * (k * count + ball) + 2] for k in range(61)]
        mass = 1000 * 4 / 3 * math.pi / 8
        assert z[20] == 0 and abs(z[21] - 97 / mass) < 1e-12, z[18:24]


@promise
def lines_of_the_terminal_run_against_the_scene():
    with Folder() as folder:
        lines = ['scene.time', 'scene:run(0.5)', 'scene.steps, #scene:actors() > 3', 'nothing.here', 'sum = 0', 'for i = 1, 4 do',
                 '  sum = sum + i', 'end', 'sum', 'while true do', '', 'scene.state', 'if sum']
        done = run(*scene(folder), '-i', cwd=folder, input='\n'.join(lines).encode())
        assert done.returncode == 0 and done.stdout.decode().splitlines() == ['0.0', '30, true', '10', 'running'], done.stdout
        assert b"attempt to index a nil value (global 'nothing')" in done.stderr
        assert b"'end' expected (to close 'while' at line 1)" in done.stderr and b"'then' expected near <eof>" in done.stderr


@promise
def what_cannot_be_played_is_one_clear_error():
    with Folder() as folder:
        words = scene(folder)
        (folder / 'bad.txt').write_text('20 key_down a 97 0\n10 key_down a 97 0\n')
        (folder / 'none.lua').write_text('local x = 1')
        (folder / 'wrong.lua').write_text('local eigenrig = require "eigenrig"\neigenrig.scene{gravty = 3}')
        fails(1, 'play', 'missing.lua', '--headless', says='missing.lua: ', cwd=folder)
        blind = {key: value for key, value in ENVIRONMENT.items() if key not in ('DISPLAY', 'WAYLAND_DISPLAY')}
        fails(1, 'play', 'missing.lua', says='missing.lua: ', cwd=folder, env=blind)
        fails(1, 'play', 'none.lua', '--replay', 'missing.txt', says='missing.txt: ', cwd=folder, env=blind)
        fails(1, 'play', 'none.lua', '--headless', says='none.lua', cwd=folder)
        fails(1, 'play', 'wrong.lua', '--headless', says='wrong.lua:2: ', cwd=folder)
        (folder / 'parted.lua').write_text('local parts = dofile("parts.lua")')
        fails(1, 'play', 'parted.lua', '--headless', says='parts.lua', cwd=folder)
        fails(1, *words, '--replay', 'bad.txt', says='bad.txt:2: ', cwd=folder)
        fails(2, *words, '-o', 'out.xyz', says='out.xyz', cwd=folder)
        fails(2, 'play', 'fall.scene.lua', '-o', 'out.glb', says='--headless -o out.glb', cwd=folder)
        fails(2, *words, '--frames', '3', '--duration', '3', says='--duration', cwd=folder)
        fails(1, *words, '-o', 'missing/out.npz', says='missing/out.npz', cwd=folder)
        fails(2, 'play', says='SCENE', cwd=folder)
        assert sorted(path.name for path in folder.iterdir() if path.suffix in ('.npz', '.glb') and 'out' in path.name) == []


@promise
def what_goes_wrong_belongs_to_the_exit_status():
    with Folder() as folder:
        for text, says in (('error("lost")', 'fall.scene.lua:1: lost'), ('while true do end', 'fall.scene.lua:1: ran 50 million')):
            words = scene(folder, f'local s = eigenrig.scene{{length = 0.1}} s:script(function() {text} end):start() return s')
            done = run(*words, '-q', '-o', 'fall.npz', cwd=folder)
            assert done.returncode == 1 and says in done.stderr.decode() and done.stderr.count(b'\n') == 1, done
            assert npz.read(folder / 'fall.npz')['time'][0] == (7,)


@promise
def one_signal_ends_a_scene_that_hangs():
    with Folder() as folder:
        words = scene(folder, 'local s = eigenrig.scene{length = 9} s:script(function() io.stderr:write("hangs") os.execute("sleep 9") '
                              'end):start() return s')
        with subprocess.Popen([PROGRAM, *map(str, words), '-o', 'fall.npz'], cwd=folder, env=ENVIRONMENT, stderr=subprocess.PIPE) as play:
            assert play.stderr.read(5) == b'hangs'
            play.send_signal(signal.SIGTERM)
            assert play.wait(8) == -signal.SIGTERM
        assert not (folder / 'fall.npz').exists()


judge()
