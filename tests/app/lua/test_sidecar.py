"""Descriptions of rigs: what they say is done, what they cannot say is refused, and they can do nothing else."""
import os
import shutil
import time

from lua import Folder, fails, rig_of, run, script, works, write, wrong
from tap import SOURCE, promise, run as judge

BOMBS = ['while true do end', 'local s = "x" while true do s = s .. s end', 'local t = {} while true do t[#t + 1] = {} end',
         'local function f() return f() end return f()', 'local function f() return 1 + f() end return f()',
         'return ("x"):rep(1e9)', 'return string.rep("", 1e15)', 'table.move({}, 1, 1e15, 2)', 'pcall(error)',
         'return ("a"):find((".-"):rep(20))', 'os.exit()', 'io.open("x", "w")', 'require("os")', 'load("x=1")',
         'dofile("x.lua")', 'setmetatable({}, {__gc = print})', 'coroutine.create(print)', 'debug.getregistry()', 'print(1)',
         'return getmetatable("").__index', 'eigenrig.load("two.glb")', 'collectgarbage()', 'table.sort({})']
WRONG = [('return 5', 'number'), ('return', 'nothing'), ('return {mirror = {"left", "right"}}', 'mirror'), ('x = = 3', ':1: '), ('error("mine")', ':1: mine'),
         ('return {\n rot = 1}', ':2: rot'), ('return {zebra = 1}', 'zebra'),
         ('return {dampng = 1}', 'damping'), ('return {welds = {{optional = true}}}', 'pattern'),
         ('return {optional = true, joints = {nobody = {hz = 2, optional = false}}}', 'nobody'), ('return {joints = {\n["*"] = {\nhzz = 1}}}', ':3: joints.*.hzz'),
         ('return {mass = -1}', 'mass'), ('return {stiffness = "soft"}', 'soft'),
         ('return {joints = {["*"] = {type = "ball"}}}', 'ball'), ('return {joints = {{hz = 2}}}', 'joints[1]'),
         ('return {joints = {["*"] = {axis = {0, 0, 0}}}}', 'axis'), ('return {welds = {5}}', 'welds'),
         ('return {welds = {jaw = true}}', 'welds'),
         ('return {joints = {["*"] = {limits = {30, -30}}}}', 'limits'), ('return {mirror = {{"a", "a"}}}', 'mirror'),
         ('return {loops = {{parent = "x"}}}', 'loops[1]'), ('return {joints = {nobody = {hz = 2}}}', 'nobody'),
         ('return {loops = {{child = "nobody", at = {0, 0, 0}}}}', 'nobody'), ('return {pose = "missing.json"}', 'missing.json'),
         ('return {pose = {nobody = {}}}', 'nobody'), ('return {pose = {\nhead = {turn = 5}}}', ':2: pose.head.turn'),
         ('return {forward = "up"}', 'forward'), ('return {feet = {"hoof"}}', 'feet'),
         ('return {joints = {["' + 'x' * 300 + '"] = {hz = 1}}}', 'd.lua')]


def joints(rig):
    return {joint['name']: joint for joint in rig['joints']}


def bodies(rig):
    return {body['name']: body for body in rig['bodies']}


class Horse:
    """A folder with the horse and its description."""

    def __init__(self, text):
        self.text, self.folder = text, Folder()

    def __enter__(self):
        path = self.folder.__enter__()
        shutil.copy(SOURCE / 'models' / 'horse.glb', path)
        write(path, self.text, 'horse.rig.lua')
        return path

    def __exit__(self, *problem):
        return self.folder.__exit__(*problem)


@promise
def a_description_beside_a_model_is_found_and_said():
    with Folder() as folder:
        plain = rig_of('two.glb', cwd=folder)
        write(folder, 'return {mass = 7}', 'two.rig.lua')
        report = works('info', 'two.glb', cwd=folder)
        assert 'described    by two.rig.lua\n' in report and ' 7 kg' in report
        assert run('modes', 'two.glb', cwd=folder).stderr == b'eigenrig: two.glb: described by two.rig.lua\n'
        assert run('modes', 'two.glb', '-q', cwd=folder).stderr == b''
        assert rig_of('two.glb', '--rig', 'none', cwd=folder) == plain
        assert abs(sum(b['mass'] for b in rig_of('two.glb', cwd=folder)['bodies']) - 7) < 1e-9
        assert abs(sum(b['mass'] for b in rig_of('two.glb', '--mass', '9', cwd=folder)['bodies']) - 9) < 1e-9
        write(folder, 'return {mass = 5}', 'other.lua')
        assert abs(sum(b['mass'] for b in rig_of('two.glb', '--rig', 'other.lua', cwd=folder)['bodies']) - 5) < 1e-9


@promise
def every_command_and_the_module_go_by_it():
    with Folder() as folder:
        free = works('modes', 'two.glb', cwd=folder)
        write(folder, 'return {root = "fixed"}', 'two.rig.lua')
        assert works('modes', 'two.glb', cwd=folder) != free
        for words in (['palette', 'two.glb', '-o', 'p.glb'], ['animate', 'two.glb', '--mix', '1:5', '-o', 'a.glb'],
                      ['render', 'two.glb', '-o', 'p.png']):
            assert b'described by' in run(*words, cwd=folder).stderr
        count = 'print(eigenrig.load("two.glb"{}):modes().rigid_count)'
        assert script(count.format(''), cwd=folder) == '0\n' and script(count.format(', {rig = "none"}'), cwd=folder) == '12\n'
        assert script(count.format(', {root = "free"}'), cwd=folder) == '12\n'
        told = 'print(eigenrig.load("two.glb").described, eigenrig.load("two.glb", {rig = "none"}).described)'
        assert script(told, cwd=folder) == 'two.rig.lua\tnil\n'
        for text in ('return {joints = {nobody = {hz = 2}}}', 'return {pose = {nobody = {}}}'):
            write(folder, text, 'two.rig.lua')
            wrong('eigenrig.load("two.glb")', cwd=folder, says='two.rig.lua')


@promise
def what_a_model_lacks_is_left_out_where_that_is_said():
    text = '''return {%s joints = {["tail_*"] = {stiffness = 33}, ["wing_*"] = {hz = 2%s}}, bodies = {saddle = {mass = 9%s}},
        welds = {"jaw", {pattern = "*_twist"%s}}, pose = {rider = {turn = {5, 0, 0}%s}},
        loops = {{child = "saddle", at = "head"%s}, {child = "head", parent = "hips", at = "head"}}}'''
    each, every = text % ('', *[', optional = true'] * 5), text % ('optional = true,', *[''] * 5)
    with Horse(each) as folder:
        rig = rig_of('horse.glb', cwd=folder)
        joint = joints(rig)
        assert joint['tail_2']['stiffness'] == [33] * 3 and joint['jaw']['type'] == 'fixed'
        assert [joint['closes_loop'] for joint in rig['joints']].count(True) == 1
        write(folder, every, 'horse.rig.lua')
        assert rig_of('horse.glb', cwd=folder) == rig
        for name in ('pose = {rider = {}}', 'hang = {rider = "head"}', 'welds = {"*_twist"}'):
            write(folder, f'return {{optional = false, {name}}}', 'horse.rig.lua')
            fails(1, 'info', 'horse.glb', says='horse.rig.lua', cwd=folder)
    with Horse('return {optional = true, hang = {rider = "head"}, feet = "*wheel*", plant = "rider,head", joints = {["tail_*"] = {hz = 3}, ["wing_*"] = {hz = 2}}}') as folder:
        report = works('info', 'horse.glb', cwd=folder)
        assert ('joints "tail_*" in 5: tail_1, tail_2, tail_3 ...\n' in report and 'joints "wing_*" in 0\n' in report), report
        assert 'joints "wing_*"' in run('modes', 'horse.glb', '-v', cwd=folder).stderr.decode()
        works('animate', 'horse.glb', '--mix', '7:5', '--fps', '5', '--duration', '1', '-o', 'a.glb', cwd=folder)
        assert script('print(eigenrig.load("horse.glb"):gaits{best = 1, modes = 6} ~= nil)', cwd=folder) == 'true\n'
        write(folder, 'return {optional = true, joints = {["wing_*"] = {hz = 2}}}', 'horse.rig.lua')
        assert 'horse.rig.lua' in run('modes', 'horse.glb', cwd=folder).stderr.decode()
        write(folder, 'return {joints = {tail_1 = {hz = 2}}, mirror = {{"lefft", "right"}}}', 'mirror.lua')
        write(folder, 'for _, rig in ipairs{"horse.rig.lua", "mirror.lua"} do eigenrig.load("horse.glb", {rig = rig}) end')
        told = run('run', 'script.lua', cwd=folder).stderr.decode()
        assert 'horse.rig.lua: ' in told, told
        assert 'mirror.lua: mirror "lefft": ' in told and told.count('warning') == 2, told


@promise
def joints_bodies_and_twins_become_what_is_said():
    text = '''return { mass = 500, joints = {
        ["*"] = {damping_ratio = 0.05},
        ["left_*_cannon"] = {type = "revolute", axis = "x", limits = {-30, 60}},
        left_forearm = {stiffness = {tx = 11, tz = 22}},
        {pattern = "tail_*", stiffness = 33},
    }, bodies = {head = {mass = 30}}, welds = {"jaw"}, mirror = {{"left", "right"}},
    loops = {{child = "head", parent = "hips", at = "head", type = "spherical", stiffness = 4}} }'''
    with Horse(text) as folder:
        rig = rig_of('horse.glb', cwd=folder)
        plain = joints(rig_of('horse.glb', '--rig', 'none', cwd=folder))
        joint, body = joints(rig), bodies(rig)
        assert abs(sum(b['mass'] for b in rig['bodies']) - 500) < 1e-6 and abs(body['head']['mass'] - 30) < 1e-9
        for side in ('left', 'right'):
            cannon = joint[f'{side}_front_cannon']
            assert cannon['type'] == 'revolute'
            assert all(abs(a - b) < 1e-9 for a, b in zip(cannon['limits'][0], (-0.5235987755982988, 1.0471975511965976)))
            assert joint[f'{side}_forearm']['stiffness'][0::2] == [11, 22]
        assert joint['tail_3']['stiffness'] == [33] * 3 and all(d > 0 for d in joint['tail_3']['damping'])
        assert joint['jaw']['type'] == 'fixed' and joint['neck_1']['type'] == plain['neck_1']['type']
        assert rig['joints'][-1]['closes_loop'] and rig['joints'][-1]['stiffness'] == [4] * 3


@promise
def a_description_poses_bodies():
    with Horse('return {pose = {neck_1 = {turn = {0, 90, 0}}, head = {position = {1, 2, 3}}}}') as folder:
        posed, plain = bodies(rig_of('horse.glb', cwd=folder)), bodies(rig_of('horse.glb', '--rig', 'none', cwd=folder))
        about, was, now = plain['neck_1']['position'], plain['neck_2']['position'], posed['neck_2']['position']
        turned = [about[0] + was[2] - about[2], was[1], about[2] - (was[0] - about[0])]  # a quarter turn about y takes z to x
        assert all(abs(a - b) < 1e-12 for a, b in zip(now, turned)) and all(abs(a - b) < 1e-12 for a, b in zip(posed['head']['position'], (1, 2, 3)))
        assert posed['hips'] == plain['hips']
        rest = bodies(rig_of('horse.glb', '--pose', 'rest', cwd=folder))
        assert rest == plain
        works('info', 'horse.glb', '--save-pose', 'pose.json', cwd=folder)
        again = bodies(rig_of('horse.glb', '--rig', 'none', '--pose', 'pose.json', cwd=folder))
        assert all(abs(a - b) < 1e-9 for name in posed for a, b in zip(again[name]['position'], posed[name]['position']))


@promise
def a_description_names_a_pose_of_its_folder_and_nothing_else():
    """Nobody waits for a pipe, reads without end, reads standard input or learns a word of another file."""
    secret = 'TOPSECRET: 1\n'
    with Folder() as folder:
        (folder / 'model' / 'in').mkdir(parents=True)
        model = folder / 'model' / 'two.glb'
        shutil.copy(folder / 'two.glb', model)
        works('info', 'two.glb', '--save-pose', 'model/in/pose.json', cwd=folder)
        shutil.copy(folder / 'model' / 'in' / 'pose.json', folder / 'pose.json')
        (folder / 'secret').write_text(secret)
        (folder / 'model' / 'word').write_text(secret)
        (folder / 'model' / 'link').symlink_to('../pose.json')
        (folder / 'model' / 'long').write_text('[' + '1,' * 4000000)
        os.mkfifo(folder / 'model' / 'pipe')
        for pose, says in (('pipe', 'not a regular file'), ('/dev/zero', 'no path from the folder'), ('in', 'not a regular file'),
                           ('/etc/passwd', 'no path from the folder'), (str(folder / 'pose.json'), 'no path from the folder'),
                           ('../pose.json', 'lies outside'), ('../secret', 'lies outside'), ('link', 'lies outside'),
                           ('word', 'word: not a pose file'), ('long', 'long'), ('-', '"-" cannot be read')):
            write(folder, f'return {{pose = "{pose}"}}', 'model/two.rig.lua')
            line = fails(1, 'modes', 'model/two.glb', '-q', says=says, cwd=folder, timeout=30, input=b'TOPSECRET')
            assert 'SECRET' not in line and 'root' not in line and 'two.rig.lua' in line, line
            wrong('eigenrig.load("model/two.glb")', says=says, cwd=folder, timeout=30)
            rig_of('model/two.glb', '--pose', 'rest', cwd=folder)  # who names another needs it not
        for pose, outside in (('in/pose.json', False), ('in\\\\..\\\\in/pose.json', False), ('link', True), ('../pose.json', True)):
            write(folder, f'return {{pose = "{pose}"}}', 'model/two.rig.lua')
            rig_of('model/two.glb', *['--allow-outside'] * outside, cwd=folder)
            script('eigenrig.load("model/two.glb", {allow_outside = %s})' % str(outside).lower(), cwd=folder)
        write(folder, 'return {pose = "pose.json", allow_outside = true}', 'model/two.rig.lua')
        fails(1, 'modes', 'model/two.glb', says='allow_outside', cwd=folder)
        (folder / 'model' / 'two.rig.lua').unlink()
        rig_of('model/two.glb', '--pose', folder / 'pose.json', cwd=folder)  # a user names what he likes


@promise
def a_description_that_is_no_regular_file_is_not_waited_for():
    with Folder() as folder:
        os.mkfifo(folder / 'two.rig.lua')
        fails(1, 'modes', 'two.glb', says='two.rig.lua', cwd=folder, timeout=30)
        rig_of('two.glb', '--rig', 'none', cwd=folder)
        (folder / 'two.rig.lua').unlink()
        (folder / 'two.rig.lua').symlink_to('/etc/passwd')
        line = fails(1, 'modes', 'two.glb', says='lies outside', cwd=folder)
        assert 'root' not in line, line


@promise
def rig_files_are_described_too():
    chain = SOURCE / 'models' / 'chain_20.json'
    with Folder() as folder:
        write(folder, 'return {root = "fixed", joints = {["*"] = {stiffness = 5}}}', 'd.lua')
        assert all(j['stiffness'] in ([], [5] * len(j['stiffness'])) for j in rig_of(chain, '--rig', 'd.lua', cwd=folder)['joints'])
        write(folder, 'return {height = 2}', 'd.lua')
        line = fails(2, 'info', chain, '--rig', 'd.lua', says='height', cwd=folder)
        assert '--height' not in line and 'height' in line, line
        fails(2, 'info', chain, '--rig', 'd.lua', '--height', '3', says='--height', cwd=folder)
        write(folder, 'return {bodies = {["*"] = {density = 2}}}', 'd.lua')
        fails(1, 'info', chain, '--rig', 'd.lua', says='density', cwd=folder)


@promise
def feet_and_facing_are_those_that_gaits_have():
    with Horse('return {feet = "*_hind_hoof", forward = "-z"}') as folder:
        report = works('info', 'horse.glb', cwd=folder)
        assert 'faces        (0, 0, -1), sure by 100 %' in report and 'foot L       right_hind_hoof' in report, report
        assert 'left_front_hoof, left' not in report
        printed = script('local m = eigenrig.load("horse.glb")\nlocal g = m:gaits{modes = 4, best = 1}\n'
                         'print(#g.feet, g.forward)\nprint(#m:gaits{modes = 4, best = 1, feet = "*_hoof"}.feet)', cwd=folder)
        assert printed == '2\t(0, 0, -1)\n4\n', printed


@promise
def what_is_wrong_is_said_with_its_line():
    with Folder() as folder:
        for text, says in WRONG:
            line = fails(1, 'info', 'two.glb', '--rig', write(folder, text, 'd.lua'), says=says, cwd=folder)
            assert 'd.lua' in line or 'missing.json' in line, line
        fails(1, 'info', 'two.glb', '--rig', 'nosuch.lua', says='nosuch.lua', cwd=folder)
        (folder / 'd.lua').write_bytes(b'\x1bLua\x54\x00')
        fails(1, 'info', 'two.glb', '--rig', 'd.lua', says='d.lua', cwd=folder)
        (folder / 'd.lua').write_bytes(b'-' * (2 << 20))
        fails(1, 'info', 'two.glb', '--rig', 'd.lua', says='1 MiB', cwd=folder)


@promise
def nothing_escapes_and_nothing_runs_on():
    with Folder() as folder:
        for bomb in BOMBS:
            before, start = sorted(folder.iterdir()), time.monotonic()
            fails(1, 'info', 'two.glb', '--rig', 'd.lua', says='d.lua', cwd=write(folder, bomb, 'd.lua').parent)
            assert time.monotonic() - start < 30, bomb
            assert sorted(folder.iterdir()) == sorted({*before, folder / 'd.lua'}), bomb


judge()
