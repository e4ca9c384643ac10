"""The module by what its numbers mean, and by what scripts may do to it."""
import csv
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

import walkers
from lua import ENVIRONMENT, Folder, draws, fails, palette_of, rig_of, run, script, works, write, wrong
from tap import BUILD, SOURCE, every, promise, run as judge, skip

CHAIN, HORSE = SOURCE / 'models' / 'chain_20.json', SOURCE / 'models' / 'horse.glb'
NEAR = 'local function near(a, b, e) assert(math.abs(a - b) <= (e or 1e-9) * math.abs(b), a .. " is not " .. b) end\n'


def passes(text, *words, **how):
    with Folder() as folder:
        return script(NEAR + text, *words, cwd=folder, **how)


@promise
def modes_are_those_of_the_program():
    with Folder() as folder:
        printed = script('for i, m in pairs(eigenrig.load(arg[1]):modes()) do print(i, m.kind, ("%.17g"):format(m.frequency_hz)) end',
                         'two.glb', cwd=folder)
        palette = palette_of('two.glb', cwd=folder)['modes']
        assert [line.split('\t') for line in printed.splitlines()] == \
            [[str(m['index']), m['kind'], f'{m["frequency_hz"]:.17g}'] for m in palette]


@promise
def options_are_those_of_the_command_line():
    with Folder() as folder:
        for table, words in (('{root = "fixed"}', ['--root', 'fixed']), ('{mass = 3, damping = 0.1}', ['--mass', '3', '--damping', '0.1']),
                             ('{stiffness = "graded:3:0.2", density = 500}', ['--stiffness', 'graded:3:0.2', '--density', '500']),
                             ('{joints = "revolute", height = 2}', ['--joints', 'revolute', '--height', '2']),
                             ('{rayleigh = {0.1, 0.2}, pose = "bind"}', ['--damping', 'rayleigh:0.1:0.2', '--pose', 'bind'])):
            script(f'eigenrig.load("two.glb", {table}):save("rig.json")', cwd=folder)
            rig = rig_of('two.glb', *words, cwd=folder)
            del rig['report']  # of the program alone
            assert json.loads((folder / 'rig.json').read_text()) == rig, table


@promise
def what_lua_writes_is_what_the_program_writes():
    if os.environ.get('EIGENRIG_SANITIZED') == '1':
        skip('searches of 24 modes take minutes under sanitizers')
    with Folder() as folder:
        shutil.copy(HORSE, folder)
        walkers.write(folder, 'gnome')
        best = script("""
            local m = eigenrig.load("horse.glb")
            for _, ending in ipairs{"glb", "fbx", "dae", "bvh", "csv", "npz", "svg"} do m:export("lua." .. ending, "9:14@2,13:14@2+180", {fps = 24}) end
            m = eigenrig.load("gnome.glb")
            local gaits = m:gaits{best = 2}
            gaits:footfalls("lua_feet.svg")
            gaits:strip("lua_strip.svg")
            assert(not pcall(gaits.strip, gaits, "lua_strip.png") and not pcall(gaits.footfalls, gaits, "lua_feet.png"))
            m:export("lua_gaits.glb", gaits)
            m:export("lua_gait.csv", gaits[1])
            m:export("lua_long.glb", gaits[1], {travels = false, duration = 2, mix = "9:6"})
            for _, gait in ipairs(gaits) do gait.mix:save("lua_" .. gait.name:gsub(" ", "_") .. ".json") end
            print(gaits[1].name)
        """, cwd=folder).strip()
        names = [f'program.{ending}' for ending in ('glb', 'fbx', 'dae', 'bvh', 'csv', 'npz', 'svg')]
        works('animate', 'horse.glb', '--mix', '9:14@2,13:14@2+180', '--fps', '24', *[word for name in names for word in ('-o', name)], cwd=folder)
        works('gait', 'gnome.glb', '--best', '2', '-o', 'program_gaits.glb', '--footfalls', 'program_feet.svg', '--strip', 'program_strip.svg',
              '--mixes', 'mixes', cwd=folder)
        works('animate', 'gnome.glb', '--gait', best, '-o', 'program_gait.csv', cwd=folder)
        works('animate', 'gnome.glb', '--gait', best, '--duration', '2', '--mix', '9:6', '-o', 'program_long.glb', cwd=folder)
        for name in names + ['program_long.glb', 'program_gaits.glb', 'program_feet.svg', 'program_strip.svg', 'program_gait.csv']:
            assert (folder / name.replace('program', 'lua')).read_bytes() == (folder / name).read_bytes(), name
        mixes = sorted((folder / 'mixes').iterdir())
        assert len(mixes) == 2
        for mix in mixes:
            assert (folder / f'lua_{mix.name}').read_bytes() == mix.read_bytes(), mix.name


def simulated_alike(folder, call, words, endings):
    """That the files of a script's simulation `s` are those of the program; the script's lines, which may print."""
    exports = ' '.join(f's:export("lua{ending}")' for ending in endings)
    printed = script(f'local s = {call}\n{exports}\n{NUMBERS}', cwd=folder)
    works('simulate', *words, *[word for ending in endings for word in ('-o', f'program{ending}')], '-q', cwd=folder)
    for ending in endings:
        mine, theirs = folder / f'lua{ending}', folder / f'program{ending}'
        for one, other in zip(sorted(mine.iterdir()), sorted(theirs.iterdir()), strict=True) if mine.is_dir() else [(mine, theirs)]:
            assert one.name.replace('lua', '') == other.name.replace('program', ''), (one, other)
            assert one.read_bytes() == other.read_bytes(), (one, words)
    return [[float(word) for word in line.split()] for line in printed.splitlines()]


# Time, energies, and where body 1 is, twice: a line a frame.
NUMBERS = """
local positions, orientations = s:body(1)
assert(#s == s.frames and #s == #s.time and #s == #s.energy and #s == #positions and #s == #orientations)
for k, e in ipairs(s.energy) do
    local p, q = s:pose(k, 1)
    assert(p == positions[k] and q == orientations[k] and s:pose(k)[2].position == p and s:pose(k)[2].orientation == q)
    for _, x in ipairs{s.time[k], e.kinetic, e.potential, e.elastic, e.mechanical, e.work, e.heat, p.x, p.y, p.z, q.w, q.x, q.y, q.z} do
        io.write(("%.17g "):format(x))
    end
    print()
end
"""


def numbers_of(path, columns):
    with open(path, newline='') as file:
        return [[float(cell) for cell in row[columns]] for row in list(csv.reader(file))[1:]]


@promise
def what_lua_simulates_is_what_the_program_simulates():
    common, every = {'duration': 0.3, 'fps': 20}, ['', '.glb', '.gltf', '.fbx', '.dae', '.bvh', '.csv', '.npz', '.svg']
    for path, options, endings in (
            ('two.glb', {'push': ['bone1:3@0.1', 'bone1:0,0,2@0']}, every),
            ('bar.glb', {'from': 'bend@0.5', 'hold': 'bone0', 'gravity': 3, 'limits': True}, ['', '.glb', '.bvh']),
            ('bar.glb', {'route': 'multipliers', 'integrator': 'rk4', 'push': ['bone2:9@0']}, ['']),
            (CHAIN, {'integrator': 'implicit', 'tolerance': 1e-3}, ['', '.glb'])):
        with Folder() as folder:
            said = {**common, **options}
            words = [word for name, value in said.items() for one in (value if isinstance(value, list) else [value])
                     for word in ([f'--{name}'] if one is True else [f'--{name}', str(one)])]
            table = f'eigenrig.json.decode[==[{json.dumps(said)}]==]'
            rows = simulated_alike(folder, f'eigenrig.load("{path}"):simulate({table})', [path, *words], endings)
            energy = numbers_of(folder / 'program' / 'energy.csv', slice(0, 7))
            bodies = numbers_of(folder / 'program' / 'bodies.csv', slice(14, 21))
            assert len(rows) == 7
            for row, said in zip(rows, [e + b for e, b in zip(energy, bodies, strict=True)], strict=True):
                assert row[:10] == said[:10], (path, options)
                assert all(abs(x - y) < 1e-15 for x, y in zip(row[10:], said[10:], strict=True)), (path, options)  # made unit when read


@promise
def a_world_in_a_file_is_simulated_as_the_program_does():
    bacin = SOURCE / 'models' / 'bacin' / '9.4.cfg'
    with Folder() as folder:
        rows = simulated_alike(folder, f'eigenrig.simulate({str(bacin)!r}, {{duration = 0.5, tolerance = 1e-5}})',
                               [bacin, '--duration', '0.5', '--tolerance', '1e-5'], ['', '.glb', '.csv'])
        assert rows[-1][0] == 0.5
        own = script(f'local s = eigenrig.simulate({str(bacin)!r}) print(#s, s.time[#s])', cwd=folder).split()
        works('simulate', bacin, '-o', 'own', '-q', cwd=folder)
        time = numbers_of(folder / 'own' / 'energy.csv', slice(0, 1))
        assert (int(own[0]), float(own[1])) == (len(time), time[-1][0])


@promise
def a_simulation_stays_what_it_was_until_its_model_is_closed():
    passes("""
        local function far(change)
            local m = eigenrig.load("bar.glb", {damping = 0.1})
            m:change(change)
            return m:simulate{duration = 0.2}
        end
        local plain, changed = far{}, far{mass = 3}
        collectgarbage() collectgarbage()
        plain:export("plain.glb")
        changed:export("changed.bvh")
        local s
        local m = eigenrig.load("bar.glb")
        s = m:simulate{duration = 0.2, push = {"bone2:3@0"}}
        local was = s:pose(#s, 2)
        m.mass = 2 * m.mass
        m:joint("bone1").hz = 9
        collectgarbage() collectgarbage()
        assert(s:pose(#s, 2) == was)
        s:export("before.glb")
        m:close()
        for _, act in ipairs{function() return s.fps end, function() return #s end, function() s:export("after.glb") end} do
            local ok, why = pcall(act)
            assert(not ok and why:find("simulation"), why)
        end
        assert(not eigenrig.files.exists("after.glb"))
        s:close()
        local w = eigenrig.simulate(arg[1], {duration = 0.1})
        collectgarbage()
        w:export("world.glb")
        for i = 1, 20 do
            setmetatable({}, {__gc = function() w:close() end})
            collectgarbage("generational")
            pcall(function() for _ = 1, 40 do local t, e, p = w.time, w.energy, w:body(0) end end)
            collectgarbage("incremental")
        end
    """, SOURCE / 'models' / 'bacin' / '9.4.cfg')


@promise
def what_lua_draws_is_what_the_program_draws():
    with Folder() as folder:
        if not draws(folder):
            skip('no OpenGL here')
        script("""
            local m = eigenrig.load("two.glb")
            m:render("rest.png", nil, {size = {160, 120}, theme = "dark", show = "joints"})
            m:render("mode.png", 14, {size = {160, 120}, ghosts = true, view = {20, 10}, amplitude = 12})
            m:render("end.png", m:modes()[14], {size = {160, 120}, phase = 30, view = "side", surface = "wireframe"})
            m:render("mix.png", "14:20@2", {size = {160, 120}, time = 0.1, transparent = true})
            assert(m:render("sheet.png", "sheet", {count = 2}).cells == 2)
            local film = m:render("film.apng", "14:20@2", {size = {32, 32}, fps = 12, duration = 1})
            assert(film.frames == 12 and film.duration == 1 and film.width == 32)
        """, cwd=folder)
        size = ['--size', '160x120']
        for name, words in (('rest.png', [*size, '--theme', 'dark', '--show', 'joints']),
                            ('mode.png', [*size, '--mode', '14', '--ghosts', '--view', '20,10', '--amplitude', '12']),
                            ('end.png', [*size, '--mode', '14', '--phase', '30', '--view', 'side', '--surface', 'wireframe']),
                            ('mix.png', [*size, '--mix', '14:20@2', '--time', '0.1', '--transparent']), ('sheet.png', ['--sheet', '--count', '2']),
                            ('film.apng', ['--mix', '14:20@2', '--size', '32x32', '--fps', '12', '--duration', '1'])):
            works('render', 'two.glb', *words, '-o', 'again_' + name, cwd=folder)
            assert (folder / name).read_bytes() == (folder / f'again_{name}').read_bytes(), name


@every
def gaits_are_drawn_as_the_program_draws_them():
    if os.environ.get('EIGENRIG_SANITIZED') == '1':
        skip('searches of 24 modes take minutes under sanitizers')
    with Folder() as folder:
        if not draws(folder):
            skip('no OpenGL here')
        walkers.write(folder, 'gnome')
        name = script("""
            local m = eigenrig.load("gnome.glb")
            local gaits = m:gaits{best = 2}
            m:render("strip.png", gaits, {show = "both"})
            m:render("gait.png", gaits[1], {size = {160, 120}, time = 0.1, ghosts = true})
            m:render("gait.apng", gaits[1], {size = {32, 32}, fps = 60, duration = 0.5})
            for _, wrong in ipairs{{"x.mp4", gaits}, {"x.png", gaits, {view = "side"}}, {"x.png", gaits[1], {title = "x"}}} do
                assert(not pcall(m.render, m, table.unpack(wrong)))
            end
            m:joint("left_thigh").hz = 3
            assert(select(2, pcall(m.render, m, "x.png", gaits)):find("model"))
            print(gaits[1].name)
        """, cwd=folder).strip()
        assert not list(folder.glob('x.*'))
        works('gait', 'gnome.glb', '--best', '2', '--strip', 'again_strip.png', '--show', 'both', cwd=folder)
        for path, words in (('gait.png', ['--size', '160x120', '--time', '0.1', '--ghosts']), ('gait.apng', ['--size', '32x32', '--fps', '60', '--duration', '0.5'])):
            works('render', 'gnome.glb', '--gait', name, *words, '-o', 'again_' + path, cwd=folder)
        for path in ('strip.png', 'gait.png', 'gait.apng'):
            assert (folder / path).read_bytes() == (folder / f'again_{path}').read_bytes(), path


@promise
def a_picture_that_fails_leaves_nothing():
    with Folder() as folder:
        if not draws(folder):
            skip('no OpenGL here')
        path, before = write(folder, ''), sorted(folder.iterdir())
        for call, says in (('"x.jpg"', '.png'), ('"x.png", 999', 'mode 999'), ('"x.mp4", 14, {transparent = true}', 'transparen'),
                           ('"x.png", 14, {time = 1}', 'time'), ('"x.png", nil, {ghosts = true}', 'ghosts'),
                           ('"x.png", 14, {fps = 3}', 'fps'), ('"x.png", 14, {size = {8, 8}}', 'size'),
                           ('"nosuch/x.png"', 'nosuch'), ('"x.png", "sheet", {view = "below"}', 'view'),
                           ('"x.apng", 14, {size = {16, 16}, progress = function() error("mine") end}', 'mine')):
            wrong(f'local m = eigenrig.load("two.glb")\nm:render({call})', cwd=folder, says=says)
            assert sorted(folder.iterdir()) == before, call
        environment = dict(ENVIRONMENT, __EGL_VENDOR_LIBRARY_FILENAMES='/nonexistent')
        done = run('run', write(folder, 'eigenrig.load("two.glb"):render("x.png")'), cwd=folder, env=environment)
        assert done.returncode == 0 or (done.returncode == 1 and b'picture' in done.stderr), done


@promise
def warnings_are_the_programs_words():
    with Folder() as folder:
        path = write(folder, 'local m = eigenrig.load("two.glb") m:export("a.glb", "14:5@37.5,15:5@0.1+90", {fps = 60, duration = 3, loop = true})')
        mine = run('run', path, cwd=folder).stderr
        theirs = run('animate', 'two.glb', '--mix', '14:5@37.5,15:5@0.1+90', '--fps', '60', '--duration', '3', '--loop', '-o', 'b.glb', cwd=folder).stderr
        first, second = mine.decode().splitlines()
        assert mine == theirs and first.startswith('eigenrig: warning: two.glb: mode'), (mine, theirs)
        assert second.startswith('eigenrig: warning: mode'), second  # the model is named once


@promise
def poses_that_are_read_can_be_set():
    passes("""
        local function same(a, b)
            assert(#a == #b)
            for i, place in ipairs(a) do
                assert(place.index == b[i].index and place.name == b[i].name)
                assert((place.position - b[i].position):length() < 1e-12, place.name) -- 2e-15 measured
                assert(select(2, (place.orientation * b[i].orientation:inverse()):turn()) < 1e-5, place.name)
            end
        end
        local m = eigenrig.load(arg[1])
        local pose = m:mix("9:14@2,13:14@2+180"):motion():pose(0.13)
        local caught = m:build{pose = pose}
        same(caught:pose(), pose)
        assert((pose[5].position - m:pose()[5].position):length() > 1e-3)
        caught:save_pose("pose.json")
        same(eigenrig.load(arg[1], {pose = "pose.json"}):pose(), pose)
        near(caught.mass, m.mass)
        for i = 0, m.body_count - 1 do near(caught:body(i).mass, m:body(i).mass) end
    """, HORSE)


@promise
def gaits_say_what_the_program_says():
    if os.environ.get('EIGENRIG_SANITIZED') == '1':
        skip('searches of 24 modes take minutes under sanitizers')
    with Folder() as folder:
        rows = script("""
            local gaits = eigenrig.load(arg[1]):gaits{best = 3}
            for _, g in ipairs(gaits) do
                print(("%-12s %5.2f %5.2f %6.3g %6.2f %8.3g %4.0f%% %7.2g %5.0f%% %5.0f%% %5.3f"):format(g.name, g.score, g.hz, g.speed, g.froude, g.stride,
                    100 * g.slip, g.clearance, 100 * g.flight, 100 * g.duty, g.cost))
                assert(#g.steps == #gaits.feet and gaits:named(g.name).hz == g.hz)
                assert(math.abs(g.speed - g.stride * g.hz) < 1e-9 * g.speed and math.abs(g.mix.cycle * g.hz - 1) < 1e-9)
            end
            local again = eigenrig.load(arg[1]):gaits{mix = gaits[1].mix}
            assert(#again == 1 and again[1].family == gaits[1].family)
        """, walkers.write(folder, 'horse'), cwd=folder).splitlines()
        table = works('gait', 'horse.glb', '--best', '3', cwd=folder).splitlines()[1:]
        assert len(rows) == 3 and all(said.startswith(row) for row, said in zip(rows, table, strict=True)), (rows, table)


@promise
def errors_name_the_line_and_the_field():
    with Folder() as folder:
        for text, says in (('eigenrig.load("missing.glb")', 'script.lua:1: missing.glb'),
                           ('\n\neigenrig.load("two.glb", {rot = 1})', 'script.lua:3: rot'),
                           ('eigenrig.load("two.glb"):joint("nobody")', 'nobody'),
                           ('eigenrig.load("two.glb"):change{joints = {["*"] = {hz = "x"}}}', 'joints.*.hz'),
                           ('local m = eigenrig.load("two.glb")\nm.colour = 1', 'script.lua:2:'),
                           ('eigenrig.load("two.glb"):mix("99:1")', 'script.lua:1:'), ('error{}', 'table'),
                           ('x = = 1', 'script.lua:1:')):
            wrong(text, cwd=folder, says=says)
        fails(1, 'run', 'missing.lua', says='missing.lua', cwd=folder)
        fails(2, 'run', says='SCRIPT', cwd=folder)


@promise
def what_is_in_use_outlives_who_held_it():
    passes('''
        local function far() local m = eigenrig.load("two.glb") return m:modes()[14], m:mix("14:5"):motion(), m:joints()[1] end
        local mode, motion, joint = far()
        collectgarbage() collectgarbage()
        assert(mode.frequency_hz > 0 and #motion:pose(0.2) == 6 and joint.child.name ~= nil)
        do local scoped <close> = eigenrig.load("two.glb") mode = scoped:modes()[14] end
        assert(not pcall(function() return mode.kind end))
        local kept = eigenrig.load("two.glb")
        kept:build{root = "fixed"}:close()
        assert(#kept:modes() > 0)
    ''')


@promise
def finalizers_can_close_what_is_being_looked_at():
    passes('''
        for i = 1, 30 do
            local m = eigenrig.load(arg[1])
            local function mine() setmetatable({}, {__gc = function() m:close() mine() end}) end
            mine()
            collectgarbage("generational")
            pcall(function() for _ = 1, 40 do m:bodies() m:joints() m:modes{count = 3} m:mix("3:5") local t = m.notes end end)
            collectgarbage("incremental")
        end
        setmetatable({}, {__gc = function() eigenrig.load("two.glb"):modes() end})
        late = setmetatable({}, {__gc = function() assert(eigenrig.load("two.glb")) end})
    ''', CHAIN)


@promise
def memory_that_ends_is_an_error():
    limit = 'ulimit -v 450000; exec "$0" run script.lua'
    with Folder() as folder:
        if os.environ.get('EIGENRIG_SANITIZED') == '1':
            skip('sanitizers reserve more than any limit')
        write(folder, 'local t = {} while true do t[#t + 1] = ("x"):rep(1 << 20) .. #t end')
        done = subprocess.run(['bash', '-c', limit, BUILD / 'tools' / 'eigenrig' / 'eigenrig'], cwd=folder, capture_output=True)
        assert done.returncode == 1 and done.stderr == b'eigenrig: error: not enough memory\n', done


@promise
def warnings_are_the_programs_and_quiet_silences_them():
    with Folder() as folder:
        path = write(folder, 'eigenrig.load("limbs.bvh") warn("own ", "words")')
        said = run('run', path, cwd=folder).stderr.decode()
        assert said.startswith('eigenrig: warning: limbs.bvh: ') and said.endswith('eigenrig: warning: own words\n'), said
        assert run('run', '-q', path, cwd=folder).stderr == b''


@promise
def any_lua_loads_the_module():
    interpreter, module = shutil.which('lua5.4'), BUILD / 'viewer' / 'render' / 'eigenrig.so'
    if interpreter is None or os.environ.get('EIGENRIG_SANITIZED') == '1':
        skip('Debian: lua5.4; it runs without sanitizers')
    exported = subprocess.run(['nm', '-D', '--defined-only', '--format=posix', module], capture_output=True, text=True, check=True)
    assert [line.split()[0] for line in exported.stdout.splitlines()] == ['luaopen_eigenrig'], exported.stdout
    with Folder() as folder:
        environment = dict(os.environ, LUA_CPATH=f'{module.parent}/?.so', EIGENRIG_IMPORTER=str(BUILD / 'tools' / 'importer' / 'eigenrig-import'))
        done = subprocess.run([interpreter, '-l', 'eigenrig', '-e', 'print(#eigenrig.load("two.glb"):modes())'], cwd=folder,
                              env=environment, capture_output=True, text=True)
        assert (done.returncode, done.stdout) == (0, '24\n'), done
        if draws(folder):
            subprocess.run([interpreter, '-l', 'eigenrig', '-e', 'eigenrig.load("two.glb"):render("again.png", nil, {size = {16, 16}})'], cwd=folder, env=environment, check=True)
            assert (folder / 'again.png').read_bytes() == (folder / 'drawn.png').read_bytes()


judge()
