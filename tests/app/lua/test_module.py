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
def matrices_are_those_of_the_program_at_any_pose():
    leak = '''
        local function leak(m) -- the largest entry of G N, of turns
            local columns, product, most = {}, {}, 0
            for k, row in ipairs(m.N.row) do
                columns[row] = columns[row] or {}
                table.insert(columns[row], {m.N.column[k], m.N.value[k]})
            end
            for k, row in ipairs(m.G.row) do
                for _, entry in ipairs(columns[m.G.column[k]] or {}) do
                    local key = row .. " " .. entry[1]
                    product[key] = (product[key] or 0) + m.G.value[k] * entry[2]
                end
            end
            for _, x in pairs(product) do most = math.max(most, math.abs(x)) end
            return most
        end'''
    with Folder() as folder:
        script(leak + '''
            local model = eigenrig.load("limbs.bvh", {root = "fixed"})
            model:save_matrices("own.npz")
            local swung = model:mix("0:30,2:20"):motion():pose(0.1)
            for _, pose in ipairs{model:pose(), swung} do
                local m = model:matrices(pose)
                assert(m.M.rows == 6 * model.body_count and m.N.columns == model:modes().dof and #m.motions == m.N.columns)
                assert(#m.rates == m.R.rows and #m.constraints == m.G.rows and m.K.rows == m.R.rows)
                assert(leak(m) < 1e-12, leak(m))
            end
            local still, moved = model:matrices(), model:matrices(swung)
            local wide = 0
            for k, x in ipairs(moved.N.value) do wide = math.max(wide, math.abs(x - (still.N.value[k] or 0))) end
            assert(wide > 1e-3)
            for _, wrong in ipairs{{}, {1, 2}, {{}}} do assert(not pcall(model.matrices, model, wrong)) end
        ''', cwd=folder)
        works('modes', 'limbs.bvh', '--root', 'fixed', '--matrices', 'theirs.npz', cwd=folder)
        for call, known in (('modes():save("a.foo")', '.json, .csv or .npz'), ('save_matrices("a.csv")', '.npz'), ('modes():plot("a.png")', '.svg or .pdf')):
            wrong(f'eigenrig.load("limbs.bvh"):{call}', cwd=folder, says=known)
        assert (folder / 'own.npz').read_bytes() == (folder / 'theirs.npz').read_bytes()


@promise
def options_are_those_of_the_command_line():
    with Folder() as folder:
        for table, words in (('{root = "fixed"}', ['--root', 'fixed']), ('{mass = 3, damping = 0.1}', ['--mass', '3', '--damping', '0.1']),
                             ('{stiffness = "graded:3:0.2", density = 500}', ['--stiffness', 'graded:3:0.2', '--density', '500']),
                             ('{joints = "revolute", height = 2}', ['--joints', 'revolute', '--height', '2']),
                             ('{rayleigh = {0.1, 0.2}, pose = "bind"}', ['--damping', 'rayleigh:0.1:0.2', '--pose', 'bind'])):
            script(f'eigenrig.load("two.glb", {table}):save("rig.json")', cwd=folder)
            assert json.loads((folder / 'rig.json').read_text()) == rig_of('two.glb', *words, cwd=folder), table


@promise
def bodies_and_joints_say_what_the_rig_file_says():
    rig = json.loads(CHAIN.read_text())
    printed = passes('''
        local m = eigenrig.load(arg[1])
        for _, b in ipairs(m:bodies()) do print(b.index, b.name, b.mass, b.position.x, b.orientation.w) end
        for _, j in ipairs(m:joints()) do print(j.index, j.type, j.parent and j.parent.index or -1, j.child.index, j.stiffness[1]) end
    ''', CHAIN)
    rows = [line.split('\t') for line in printed.splitlines()]
    bodies, joints = rows[:len(rig['bodies'])], rows[len(rig['bodies']):]
    for i, (row, body) in enumerate(zip(bodies, rig['bodies'], strict=True)):
        assert row[:2] == [str(i), body.get('name', '')]
        assert abs(float(row[2]) - body['mass']) < 1e-9 and abs(float(row[3]) - body['position'][0]) < 1e-9
    for i, (row, joint) in enumerate(zip(joints, rig['joints'], strict=True)):
        assert row[:4] == [str(i), joint['type'], str(joint['parent']), str(joint['child'])]
        assert abs(float(row[4]) - joint['stiffness'][0]) < 1e-9 * joint['stiffness'][0]


@promise
def what_is_printed_says_what_it_is():
    rig, solved = rig_of(CHAIN), palette_of(CHAIN, '--count', '3')['modes']
    printed = passes('''
        local m = eigenrig.load(arg[1])
        local modes = m:modes{count = 3}
        local mix = m:mix("0:10@1,1:5@2")
        local motion = mix:motion{duration = 3}
        local simulation = m:simulate{duration = 0.1}
        local all = {m, m:bodies()[2], m:joints()[2], modes, modes[modes.first], mix, motion, simulation}
        for _, thing in ipairs(all) do print(thing) end
        for _, thing in ipairs{simulation, motion, mix, modes, m} do thing:close() print(thing) end
    ''', CHAIN).splitlines()
    body, joint, mode = rig['bodies'][1], rig['joints'][1], solved[0]
    assert printed[0].startswith('model "') and printed[0].endswith(f'": {len(rig["bodies"])} bodies, {len(rig["joints"])} joints'), printed
    assert re.fullmatch(rf'body "{body["name"]}": {body["mass"]:.10g}\d* kg', printed[1]), printed
    assert printed[2] == f'joint "{joint["name"]}": {joint["type"]}', printed
    assert re.fullmatch(rf'modes {solved[0]["index"]} to {solved[-1]["index"]} of \d+', printed[3]), printed
    assert printed[4] == f'mode {mode["index"]}: {mode["kind"]}, {mode["frequency_hz"]:.4f} Hz', printed
    assert printed[5:7] == ['mix "mix 0 1": 2 components', 'motion: 3.0 s, 2 components'], printed
    assert printed[7] == 'simulation: 7 frames, 60.0 a second', printed
    assert printed[8:] == [f'{name} (closed)' for name in ('simulation', 'motion', 'mix', 'modes', 'model')], printed


@promise
def what_people_type_first_works():
    with tempfile.TemporaryDirectory() as elsewhere:
        passes('''
            local m = eigenrig.load(arg[1])
            local function written(mix) mix:save("mix.json") return (io.open("mix.json"):read("a"):gsub('"name": "7:12"', '"name": ""')) end
            assert(written(m:mix(7, 12)) == written(m:mix("7:12")) and written(m:mix{mode = 7, degrees = 12}) == written(m:mix("7:12")))
            local short = written(m:mix{[9] = 5, [7] = 12, name = "two", cycle = 3})
            assert(select(2, pcall(m.mix, m, {[9] = 5, cycel = 3})):find("did you mean cycle"))
            assert(short == written(m:mix{name = "two", cycle = 3, {mode = 7, degrees = 12}, {mode = 9, degrees = 5}}) and short:find('"cycle": 3'))
            local two, all = m:gaits(2), m:gaits{best = 2}
            assert(#two == #all and two[1].name == all[1].name and #m:simulate(0.1) == #m:simulate{duration = 0.1})
            assert(#two[1]:simulate(0.1) == #two[1]:simulate{duration = 0.1})
            assert(m.height > 0.5 and m.height < 1.5)
            m:save("rig.json")
            assert(eigenrig.load("rig.json").height == nil)
        ''', walkers.write(pathlib.Path(elsewhere), 'gnome'))
    with Folder() as folder:
        for text, says in (('m:mode(7)', 'model:modes()[INDEX]'), ('m.stiffness = "graded:3"', 'model:change{stiffness'), ('print(m:modes()[2].hz)', 'did you mean frequency_hz'),
                           ('eigenrig.open("x.glb")', 'eigenrig has no field "open"; did you mean load'), ('eigenrig.zebra()', 'eigenrig has no field "zebra"'),
                           ('eigenrig.lod("x.glb")', 'did you mean load'), ('print(m.joints[1])', 'methods are called'), ('m.modes()', 'with a colon'),
                           ('for j in m:joints() do end', 'ipairs'), ('m:save("x.glb")', 'model:export("x.glb")'), ('m:mix{7.5}', '{[7] = 12} is of mode 7'),
                           ('m:mix{[7] = 12, [9] = {}}', 'says no more than degrees'), ('m:mix{[9] = {degrees = 3}}', 'says no more than degrees'), ('m:mix{[9] = "3"}', 'expected degrees by mode'), ('eigenrig.load("two.gbl")', 'no such file; did you mean two.glb'),
                           ('eigenrig.load("two")', 'did you mean two.glb'), ('m:gaits("2")', 'expected a table')):
            wrong('local m = eigenrig.load("two.glb") ' + text, says=says, cwd=folder)


@promise
def a_change_makes_modes_anew_and_leaves_the_old_ones():
    passes('''
        local m = eigenrig.load(arg[1])
        local old = m:modes()
        local hz = old[old.count - 1].frequency_hz
        assert(not old.stale and rawequal(m:modes(), old))
        for _, j in ipairs(m:joints()) do j.stiffness = 4 * j.stiffness[1] end
        assert(old.stale)
        near(old[old.count - 1].frequency_hz, hz, 0)
        near(m:modes()[old.count - 1].frequency_hz, 2 * hz, 1e-6)
        m.mass = 4 * m.mass
        near(m:modes()[old.count - 1].frequency_hz, hz, 1e-6)
        m:close()
        assert(not pcall(m.modes, m))
    ''', CHAIN)


@promise
def a_joint_swings_at_the_hz_it_is_given():
    passes('''
        local m = eigenrig.load("two.glb")
        for _, j in ipairs(m:joints()) do
            if j.type ~= "fixed" then
                m:change{joints = {["*"] = {type = "fixed"}}}
                j.type = "spherical"
                j.hz = 3.25
                near(j.hz, 3.25)
                local modes = m:modes()
                near(modes[modes.rigid_count].frequency_hz, 3.25)
            end
        end
    ''')


@promise
def shares_of_energy_sum_to_one():
    passes('''
        for _, path in ipairs{"two.glb", arg[1]} do
            for _, mode in pairs(eigenrig.load(path):modes()) do
                for _, shares in ipairs{mode:joint_shares(), mode:body_shares()} do
                    local sum = 0
                    for _, s in ipairs(shares) do assert(s >= 0) sum = sum + s end
                    if mode.kind == "elastic" then near(sum, 1) end
                end
            end
        end
    ''', CHAIN)


@promise
def mixes_keep_their_modes_through_changes():
    passes('''
        local m = eigenrig.load(arg[1])
        local mix = m:mix("14:10@2+90, 15:4")
        assert(mix.voices[1].mode == 14 and mix.voices[1].hz == 2 and mix.voices[2].degrees == 4)
        near(mix.voices[1].phase, 90)
        m.mass = 2 * m.mass
        assert(m:mix(mix).voices[2].mode == 15)
        mix:save("mix.json")
        assert(m:mix("mix.json").voices[2].mode == 15)
        local voices = m:mix{name = "two", cycle = 2, {mode = 14, harmonic = 3, damping = "own"}, {mode = 15, degrees = 3, phase = -45}}
        assert(voices.name == "two" and voices.cycle == 2 and voices.voices[1].damping == "own")
    ''', HORSE)  # not the two bars, which are alike: their modes may come out mixed


@promise
def poses_agree_with_the_curves_that_are_written():
    passes('''
        local m = eigenrig.load("two.glb")
        m:export("c.csv", "14:20", {fps = 10, duration = 1})
        local motion = m:mix("14:20"):motion{duration = 1, fps = 10}
        local rows = {}
        for line in io.lines("c.csv") do rows[#rows + 1] = line end
        for i = 2, #rows do
            local time = tonumber(rows[i]:match("^[^,]+"))
            local all, at = {}, 0
            for _, joint in ipairs(motion:coordinates(time)) do for _, x in ipairs(joint) do all[#all + 1] = x end end
            for cell in rows[i]:gmatch(",([^,]+)") do
                at = at + 1
                assert(math.abs(all[at] - tonumber(cell)) < 1e-9)
            end
            assert(at == #all)
        end
        local position, orientation = motion:pose(0.3, 1)
        assert(motion:pose(0.3)[2].position == position and motion:poses{0, 0.3}[2][2].orientation == orientation)
    ''')


@promise
def every_format_is_written_and_palettes_are_the_programs():
    with Folder() as folder:
        script('''
            local m = eigenrig.load("two.glb")
            for _, ending in ipairs{"glb", "gltf", "fbx", "dae", "bvh", "csv", "npz"} do m:export("mix." .. ending, "14:10") end
            m:export("palette.glb")
            eigenrig.load(arg[1]):export("loop.glb", "0:10")
        ''', SOURCE / 'models' / 'four_bar.json', cwd=folder)
        works('palette', 'two.glb', '-o', 'other.glb', cwd=folder)
        assert (folder / 'palette.glb').read_bytes() == (folder / 'other.glb').read_bytes()
        works('animate', 'two.glb', '--mix', '14:10', '-o', 'again.glb', cwd=folder)
        assert (folder / 'mix.glb').read_bytes() == (folder / 'again.glb').read_bytes()


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
def what_is_let_go_falls_as_all_things_do():
    passes("""
        local m = eigenrig.load("two.glb")
        local seen = 0
        local s = m:simulate{duration = 1, fps = 30, gravity = 4, progress = function(done, all)
            assert(all == 30 and done >= seen and done <= all)
            seen = done
        end}
        assert(seen == 30 and s.fps == 30 and s.report.steps > 0 and s.report.evaluations > s.report.steps)
        for k, t in ipairs(s.time) do
            near(t, (k - 1) / 30, 1e-12)
            for b, place in ipairs(s:pose(k)) do -- joints bear nothing, so all of it falls alike
                local fallen = m:pose()[b].position - place.position
                assert((fallen - {0, 2 * t * t, 0}):length() < 1e-9, place.name)
            end
            assert(math.abs(s.energy[k].kinetic - m.mass * (4 * t) ^ 2 / 2) < 1e-9 * m.mass)
            assert(math.abs(s.energy[k].mechanical - s.energy[1].mechanical) < 1e-9 * m.mass)
        end
        local pushed = m:simulate{duration = 0.5, gravity = 0, push = {"bone1:0,0,2@0.25"}}
        for k, e in ipairs(pushed.energy) do
            assert((e.kinetic > 0) == (pushed.time[k] >= 0.25 + 1e-9), k)
            assert(math.abs(e.mechanical - e.work) < 1e-5 * pushed.energy[#pushed].work)
        end
    """)


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
            assert(not ok and why:find("the simulation, or its model, is closed"), why)
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
def a_simulation_that_fails_leaves_nothing():
    with Folder() as folder:
        path, before = write(folder, ''), sorted(folder.iterdir())
        for call, says in (('m:simulate{form = "bend@0"}', 'form: not known here; did you mean from'),
                           ('m:simulate{push = "bone1:1@0"}', 'push: expected a list'), ('m:simulate{push = {7}}', 'push: expected a text'),
                           ('m:simulate{push = {"nobody:1@0"}}', 'nobody'), ('m:simulate{integrator = "euclid"}', 'integrator: expected euler'),
                           ('m:simulate{duration = 0}', 'duration: expected a number above 0'), ('m:simulate{tolerance = 2}', 'tolerance: expected'),
                           ('m:simulate{from = "bend@99"}', 'bend@99'), ('m:simulate{hold = "nobody"}', ' hold nobody: no body is called so'), ('m:simulate("3")', 'expected a table'),
                           ('m:simulate{progress = function() error("mine") end}', 'mine'), ('m:simulate{progress = function() m:close() end}', 'may not call it'),
                           ('eigenrig.simulate("bar.glb")', 'not a world file'), ('eigenrig.simulate("missing.cfg")', 'missing.cfg'),
                           (f'eigenrig.simulate({str(SOURCE / "models/bacin/9.4.cfg")!r}, {{hold = "*"}})', 'hold: not known here'),
                           ('m:simulate{duration = 0.1}:pose(0)', 'there is no frame 0, but 1 to 7'),
                           ('m:simulate{duration = 0.1}:pose(1, "nobody")', 'nobody'), ('m:simulate{duration = 0.1}:body(99)', 'no body has this index'),
                           ('m:simulate{duration = 0.1}:export("nosuch/x.glb")', 'nosuch/x.glb'), ('m:simulate{duration = 0.1}:export("nosuch/x")', 'nosuch/x'),
                           ('print(m:simulate{duration = 0.1}.enrgy)', 'a simulation has no field "enrgy"; did you mean "energy"')):
            wrong(f'local m = eigenrig.load("bar.glb")\n{call}', cwd=folder, says=says)
            assert sorted(folder.iterdir()) == before, call


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
            assert(select(2, pcall(m.render, m, "x.png", gaits)):find("search again"))
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
        for call, says in (('"x.jpg"', 'must end in .png'), ('"x.png", 999', 'mode 999'), ('"x.mp4", 14, {transparent = true}', 'no transparency'),
                           ('"x.png", 14, {time = 1}', 'time: not known here'), ('"x.png", nil, {ghosts = true}', 'ghosts: not known here'),
                           ('"x.png", 14, {fps = 3}', 'fps: not known here'), ('"x.png", 14, {size = {8, 8}}', 'size: expected'),
                           ('"nosuch/x.png"', 'nosuch'), ('"x.png", "sheet", {view = "below"}', 'view: expected'),
                           ('"x.apng", 14, {size = {16, 16}, progress = function() error("mine") end}', 'mine')):
            wrong(f'local m = eigenrig.load("two.glb")\nm:render({call})', cwd=folder, says=says)
            assert sorted(folder.iterdir()) == before, call
        environment = dict(ENVIRONMENT, __EGL_VENDOR_LIBRARY_FILENAMES='/nonexistent')
        done = run('run', write(folder, 'eigenrig.load("two.glb"):render("x.png")'), cwd=folder, env=environment)
        assert done.returncode == 0 or (done.returncode == 1 and b'no picture can be drawn here' in done.stderr), done


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
def a_turn_carries_what_hangs_on_a_body_and_nothing_else():
    passes("""
        local m = eigenrig.load(arg[1])
        local turned = m:build{pose = {neck_1 = {turn = {0, 40, 0}}, {index = m:body("tail_1").index, position = {0, 2, -2}}}}
        local turn, about = eigenrig.quat({0, 1, 0}, 40), m:pose("neck_1")
        local head, faces = turned:pose("head")
        local was, faced = m:pose("head")
        assert((head - (about + turn * (was - about))):length() < 1e-12)
        assert(select(2, (faces * (turn * faced):inverse()):turn()) < 1e-5)
        assert((turned:pose("hips") - m:pose("hips")):length() < 1e-12)
        local shift = eigenrig.vec3(0, 2, -2) - m:pose("tail_1")
        assert((turned:pose("tail_3") - m:pose("tail_3") - shift):length() < 1e-12)
        for _, bad in ipairs{{nobody = {}}, {{}}, {{index = 0, name = "head"}}, {{index = 999}}, {head = {position = {1}}}, {head = {turn = {0, 0, 0 / 0}}},
                {head = 3}, {[1.5] = {}}, {head = {orientation = {0 / 0, 0, 0, 0}}}} do assert(not pcall(m.build, m, {pose = bad})) end
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
def gaits_of_a_model_that_changed_are_refused():
    passes("""
        local m = eigenrig.load(arg[1])
        local gaits = m:gaits{best = 1, mix = arg[2]}
        m:joint("head").hz = 3
        local ok, why = pcall(m.export, m, "x.glb", gaits)
        assert(not ok and why:find("changed"), why)
        assert(m:export("x.glb", m:gaits{best = 1, mix = arg[2]}) == 2)
        assert(m:export("x.glb", m:gaits{best = 1, mix = arg[2]}, {travels = false}) == 1)
        m:close()
        assert(not pcall(function() return gaits[1].hz end))
    """, SOURCE / 'models' / 'gnome.glb', '9:12.3@1x+180,7:2.52@2x-39,16:10.6@1x-61')


@promise
def a_gait_that_is_simulated_tells_how_it_went():
    passes("""
        local m = eigenrig.load(arg[1])
        local gait, options = m:gaits{best = 1, mix = arg[2]}[1], {duration = 1.5}
        local walk, told = gait:simulate(options)
        assert(told.fell == (told.time < 1.5) and told.time > 0 and told.time <= 1.5, told.time)
        assert(walk.time[#walk] >= told.time - 0.02 and walk.time[#walk] <= told.time + 1.02)
        assert(math.abs(told.distance) < 10 and told.off >= 0 and told.off < 180)
        assert(told.bears == nil or (told.fell and m:body(told.bears)))
        assert(next(options) == "duration" and next(options, "duration") == nil)
        local _, long = gait:simulate()
        assert(type(long.fell) == "boolean" and (long.fell or not told.fell))
    """, SOURCE / 'models' / 'gnome.glb', '9:12.3@1x+180,7:2.52@2x-39,16:10.6@1x-61')


@promise
def errors_name_the_line_and_the_field():
    with Folder() as folder:
        for text, says in (('eigenrig.load("missing.glb")', 'script.lua:1: missing.glb'),
                           ('\n\neigenrig.load("two.glb", {rot = 1})', 'script.lua:3: rot: not known'),
                           ('eigenrig.load("two.glb"):joint("nobody")', 'no joint is called "nobody"'),
                           ('eigenrig.load("two.glb"):change{joints = {["*"] = {hz = "x"}}}', 'joints.*.hz: expected a number'),
                           ('local m = eigenrig.load("two.glb")\nm.colour = 1', 'script.lua:2: a model has no field "colour"'),
                           ('print(eigenrig.load("two.glb").mas)', 'no field "mas"; did you mean "mass"'),
                           ('eigenrig.load("two.glb"):jonits()', 'no field "jonits"; did you mean "joints"'),
                           ('eigenrig.load("two.glb"):joint("*")', 'patterns are for'),
                           ('print(eigenrig.load("two.glb"):modes().frist)', 'modes has no field "frist"; did you mean "first"'),
                           ('eigenrig.json.encode{[1] = 1, [3] = 2}', 'is no text, in a table'),
                           ('eigenrig.load("two.glb"):export("x.glb", 7)', 'script.lua:1: a mix is a text as "7:20"'),
                           ('eigenrig.load("two.glb"):mix(true)', 'made before, not true'),
                           ('eigenrig.load("two.glb"):mix("99:1")', 'script.lua:1: there is no mode 99'),
                           ('error{}', 'an error that is a table'), ('x = = 1', "script.lua:1: unexpected symbol"),
                           ('local m = eigenrig.load("two.glb")\nm:close()\nprint(m.mass)', 'the model is closed'),
                           ('eigenrig.load(1, 2)', "bad argument #2 to 'load'")):
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
def callbacks_may_throw_but_not_call_back():
    passes('''
        local m = eigenrig.load(arg[1])
        local ok, problem = pcall(m.modes, m, {count = 4, method = "sparse", progress = function() error("mine") end})
        assert(not ok and problem:find("mine"), problem)
        for _, act in ipairs{function() m:modes() end, function() m:close() end, function() m.mass = 1 end, coroutine.yield} do
            local ok = pcall(m.modes, m, {count = 4, method = "sparse", progress = act})
            assert(not ok)
        end
        assert(m:modes{count = 4, method = "sparse", progress = function() collectgarbage() end}.count == m:modes().rigid_count + 4)
        assert(not pcall(m.export, m, "x.glb", {"3:4"}, {progress = function() m:close() end}))
        assert(m.mass > 0)
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
def arguments_and_status_are_as_luas():
    with Folder() as folder:
        assert script('print(arg[0], arg[1], #arg, ...)', '-x', '--help', cwd=folder).split() == \
            [str(folder / 'script.lua'), '-x', '2', '-x', '--help']
        write(folder, 'os.exit(7)')
        assert run('run', 'script.lua', cwd=folder).returncode == 7
        done = run('run', '-v', write(folder, 'local function f() error("deep") end\nf()'), cwd=folder)
        assert done.returncode == 1 and b'stack traceback' in done.stderr
        assert run('run', '-', cwd=folder, input=b'print(1 + 1)').stdout == b'2\n'


@promise
def the_prompt_shows_values_and_goes_on_after_errors():
    with Folder() as folder:
        done = run('run', '-i', write(folder, 'x = 5'), cwd=folder, input=b'x + 1\nfor i = 1, 2 do\nprint(i)\nend\nerror("no")\nx, nil\n')
        assert done.stdout == b'6\n1\n2\n5\tnil\n' and b'no' in done.stderr and done.returncode == 0, done


@promise
def warnings_are_the_programs_and_quiet_silences_them():
    with Folder() as folder:
        path = write(folder, 'eigenrig.load("limbs.bvh") warn("own ", "words")')
        said = run('run', path, cwd=folder).stderr.decode()
        assert said.startswith('eigenrig: warning: limbs.bvh: ') and said.endswith('eigenrig: warning: own words\n'), said
        assert run('run', '-q', path, cwd=folder).stderr == b''


@promise
def json_goes_there_and_back():
    passes('''
        local j = eigenrig.json
        local text = j.encode({b = {1, 2.5, true, eigenrig.null}, a = "\\u{e9}", c = {}})
        assert(text == '{"a":"\\u{e9}","b":[1,2.5,true,null],"c":[]}', text)
        for x, says in pairs{[0.1] = "0.1", [-0.3] = "-0.3", [1 / 3] = "0.3333333333333333", [1e300] = "1e+300", [1e23] = "1e+23",
                [math.pi] = "3.141592653589793", [0.1 + 0.2] = "0.30000000000000004"} do
            assert(j.encode(x) == says, j.encode(x))
            assert(j.encode{["0.10000000000000001\\""] = {x, 7}} == '{"0.10000000000000001\\\\"":[' .. says .. ",7]}")
        end
        assert(j.encode(2.0) == "2.0")
        for _ = 1, 2000 do
            local x = string.unpack("d", string.pack("I8", math.random(0)))
            if x == x and x - x == 0 then assert(math.type(j.decode(j.encode(x))) == "float" and j.decode(j.encode(x)) == x, x) end
        end
        local t = j.decode(text)
        assert(t.b[2] == 2.5 and t.b[4] == eigenrig.null and math.type(t.b[1]) == "integer")
        local deep = {} deep[1] = deep
        for _, bad in ipairs{deep, {[1.5] = 1}, {1, nil, 3, x = 1}, 0 / 0, print, "\\xff", {["\\xff"] = 1}} do assert(not pcall(j.encode, bad)) end
        for _, bad in ipairs{"", "{", '{"a":1,"a":2}', "[1,]", "nul", ("["):rep(5000)} do assert(not pcall(j.decode, bad)) end
    ''')


@promise
def vectors_and_quaternions_calculate():
    passes('''
        local v, q = eigenrig.vec3, eigenrig.quat
        assert(v(1, 2, 3) + {1, 1, 1} == v(2, 3, 4) and 2 * v(1, 2, 3) == v(1, 2, 3) * 2 and -v(1, 0, 0) == v{-1, 0, 0})
        assert(v(1, 0, 0):cross{0, 1, 0} == v(0, 0, 1) and v(3, 4, 0):length() == 5 and v(1, 2, 3):dot{1, 1, 1} == 6)
        local turned = q({0, 0, 1}, 90) * v(1, 0, 0)
        assert((turned - v(0, 1, 0)):length() < 1e-15)
        local axis, degrees = (q({0, 0, 1}, 30) * q({0, 0, 1}, 40)):turn()
        near(degrees, 70) near(axis.z, 1)
        near(select(2, q({1, 0, 0}, 0):slerp(q({1, 0, 0}, 80), 0.25):turn()), 20)
        for _, bad in ipairs{function() return v(1, 0, 0) .. "" end, function() v(1, 0, 0).x = 2 end, function() return v("a", 1, 2) end,
                function() return v(0, 0, 0):unit() end, function() return v(1, 2, 3) + 1 end} do assert(not pcall(bad)) end
    ''')


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
