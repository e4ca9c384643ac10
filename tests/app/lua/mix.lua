-- Mixes, their motions, and the clips and curves of these.
local vec3 = eigenrig.vec3

local function pendulums(more)
    return eigenrig.load(write_pendulums(more))
end

function promise.a_mix_is_what_it_was_said_to_be()
    local m = pendulums()
    local mix = m:mix{name = "both", cycle = 4, {mode = 1, degrees = 30, harmonic = 8, phase = 90, attack = 0.5, decay = 2,
        damping = 0.25},
        {mode = 0, metres = 0.125, at = "a", hz = 1.25, phase = -45, damping = "own"}}
    equal(mix.name, "both") equal(mix.cycle, 4) equal(#mix.components, 2) equal(tostring(mix), 'mix "both": 2 components')
    local one, two = table.unpack(mix.components)
    equal(one.mode, 1) equal(one.degrees, 30) equal(one.harmonic, 8) near(one.phase, 90) equal(one.attack, 0.5)
    equal(one.decay, 2) equal(one.damping, 0.25)
    equal(one.metres, 0) equal(one.at, nil) equal(one.hz, 0)
    equal(two.mode, 0) equal(two.metres, 0.125) equal(two.at, "a") equal(two.hz, 1.25) near(two.phase, -45)
    equal(two.damping, "own") equal(two.harmonic, 0)
    equal(two.attack, 0) equal(two.decay, 0)
    local copy = m:mix(mix)
    equal(copy.name, "both") equal(copy.components[1].mode, 1) near(copy.components[2].phase, -45)
    mix:save(folder .. "/mix.json")
    equal(m:mix(folder .. "/mix.json").components[2].hz, 1.25)
    local text = m:mix("1:12@2+90,0:5")
    equal(#text.components, 2) equal(text.components[1].mode, 1) equal(text.components[1].hz, 2) near(text.components[1].phase, 90)
    equal(text.components[2].degrees, 5)
    local usual = m:mix{mode = 1}.components[1]
    equal(usual.degrees, 20) equal(usual.damping, 0)
    same({m:mix(1, 12).components[1].mode, m:mix(1, 12).components[1].degrees, m:mix(1).components[1].degrees}, {1, 12, 20}, 0)
end

function promise.degrees_by_mode_are_a_mix_too()
    local m = eigenrig.load(write_arm())
    local mix = m:mix{[9] = 5, [7] = 12, [8] = 1.5, name = "short", cycle = 3}
    equal(mix.name, "short") equal(mix.cycle, 3) equal(#mix.components, 3)
    for i, want in ipairs{{7, 12}, {8, 1.5}, {9, 5}} do equal(mix.components[i].mode, want[1]) equal(mix.components[i].degrees,
        want[2]) end
    equal(m:mix{[9] = 5}.name, m:mix("9:5").name)
    fails("mode 7", m.mix, m, {7.5})
    fails("mode", m.mix, m, {5, [7] = 3})
    fails("9",
        m.mix, m, {[9] = {degrees = 3}})
    fails("7", m.mix, m, {[9] = "3"})
    fails("expected", m.mix, m, {[1000000001] = 3})
    fails("cycle", m.mix, m, {[9] = 5, cycel = 3})
    local many = {}
    for i = 6, 6 + 40000 do many[i] = 1 end
    fails("1 to", m.mix, m, many) fails("1 to", m.mix, m, {})
    fails("1 to", m.mix, m, {name = "none"})
end

function promise.what_is_no_mix_is_answered()
    local m = pendulums()
    fails("[1]", m.mix, m, {{degrees = 3}})
    fails("[2].degrees", m.mix, m, {{mode = 1}, {mode = 0, degrees = -1}})
    fails("[2].mode", m.mix, m, {{mode = 1}, {mode = 1.5}})
    fails("[1].degrees", m.mix, m, {mode = 1, degrees = 3601})
    fails("degrees", m.mix, m, {mode = 1, degres = 3})
    fails("damping", m.mix, m, {mode = 1, damping = "mine"})
    fails("damping", m.mix, m, {mode = 1, damping = 10.5})
    fails("1", m.mix, m, {mode = 1, harmonic = 10001})
    equal(m:mix{mode = 1, damping = 10}.components[1].damping, 10)
    fails("7:20", m.mix, m, true)
    fails("99", m.mix, m, "99:1") fails("missing.json", m.mix, m, "missing.json")
    fails("#2", m.mix, m)
    for key, most in pairs{hz = 1e6, attack = 1e5, decay = 1e5, metres = 1e5, phase = 1e9} do
        fails("[1]." .. key .. ": ", m.mix, m, {mode = 1, [key] = 1.001 * most})
    end
end

-- Each joint turns by its mode alone: degrees times the sine of what has gone by.
function promise.a_motion_is_the_sum_of_its_sines()
    local m = pendulums()
    local motion = m:mix{name = "m", {mode = 0, degrees = 20, phase = 30},
        {mode = 1, degrees = 10, hz = 4}}:motion{duration = 2.125, loop = false}
    equal(motion.duration, 2.125) equal(motion.loops, false) equal(tostring(motion), "motion: 2.125 s, 2 components")
    local v = motion.components
    equal(#v, 2) equal(v[1].mode, 0) equal(v[2].mode, 1) equal(v[1].degrees, 20) equal(v[2].hz, 4) near(v[1].hz, 1)
    near(v[1].phase, 30) equal(v[2].asked_hz, 4)
    equal(v[1].attack, 0) equal(v[1].decay, 0) equal(v[1].damping, 0) assert(v[1].factor > 0)
    local signs
    for _, t in ipairs{0, 0.1, 0.37, 1.9} do
        local slow, fast = math.sin(2 * math.pi * t + math.rad(30)) * 20, math.sin(2 * math.pi * 4 * t) * 10
        local got = motion:coordinates(t)
        equal(#got, 2) equal(#got[1], 1) close(math.abs(got[1][1]), math.abs(slow), 1e-9)
        close(math.abs(got[2][1]), math.abs(fast), 1e-9)
        local pose, turn = motion:pose(t), eigenrig.quat({0, 0, 1}, got[2][1])
        equal(#pose, 2) equal(pose[2].index, 1) equal(pose[2].name, "b") equal(pose[1].name, "a")
        equal(pose[2].position, vec3(4, 0, 0))
        same(pose[2].orientation:totable(), turn:totable(), 1e-9)
        local position, orientation = motion:pose(t, "b")
        equal(position, pose[2].position) equal(orientation, pose[2].orientation) equal(select(2, motion:pose(t, 1)), orientation)
        equal(select(2, motion:pose(t, 0)), pose[1].orientation)
    end
    local all = motion:poses{0.1, 0.37, 0.1}
    equal(#all, 3) equal(all[2][2].orientation, motion:pose(0.37)[2].orientation)
    equal(all[3][1].orientation, all[1][1].orientation)
    assert(all[1][1].orientation ~= all[2][1].orientation)
    equal(#motion:poses{}, 0)
    fails("number", motion.poses, motion, {0, "x"}) fails("table", motion.poses, motion, 3)
    fails("index", motion.pose, motion, 0, 2) fails("c", motion.pose, motion, 0, "c")
    near(motion:reach(), 1)
end

function promise.shifts_are_metres_and_turns_degrees()
    local m = eigenrig.load(write_rig("rail", {{name = "cart"}, {name = "wheel", position = {3, 0, 0}}}, {
        {name = "rail", child = 0, type = "prismatic", stiffness = {1}},
        {name = "axle", child = 1, type = "revolute", position = {3, 0, 0}, stiffness = {9}}}))
    local motion = m:mix{{mode = 0, metres = 0.25, phase = 90}, {mode = 1, degrees = 15, phase = 90}}:motion()
    local at = motion:coordinates(0)
    close(math.abs(at[1][1]), 0.25, 1e-9) close(math.abs(at[2][1]), 15, 1e-9)
    close((motion:pose(0, 0)).z, at[1][1], 1e-9)
end

function promise.what_may_loop_does_unless_it_is_said()
    local m = pendulums(0.5)
    local mix = m:mix("0:10")
    equal(mix:motion().loops, true) near(mix:motion().duration, 1) equal(mix:motion{fps = 30}.loops, true)
    equal(mix:motion{duration = 2.6}.loops, false) equal(mix:motion{duration = 2.6, loop = true}.loops, true)
    near(mix:motion{duration = 2.6, loop = true}.components[1].hz, 3 / 2.6)
    near(mix:motion{duration = 2.6, loop = true}.components[1].asked_hz, 1)
    near(m:mix("0:10,1:5@2.3"):motion{loop = true}.components[2].hz, 2.3, 0.2)
    equal(m:mix("0:10,1:5@2.3"):motion{loop = false}.components[2].hz, 2.3)
    for key, value in pairs{attack = 0.5, decay = 1, damping = 0.125} do
        local shaped = m:mix{mode = 0, [key] = value}:motion()
        equal(shaped.loops, false) equal(shaped.components[1][key], value)
    end
    local own = m:mix{mode = 0, damping = "own"}:motion()
    equal(own.loops, false) near(own.components[1].damping, m:modes()[0].damping_ratio)
    fails("duration", mix.motion, mix, {duratio = 1})
    fails("fps", mix.motion, mix, {fps = 0})
    fails("duration", mix.motion, mix, {duration = 100001}) fails("loop", mix.motion, mix, {loop = 3})
    fails("table", mix.motion, mix, 3)
end

function promise.modes_are_found_again_by_their_shapes()
    local m = pendulums()
    local mix = m:mix{{mode = 0, degrees = 3}, {mode = 1, degrees = 5}}
    m:joint("slow").stiffness = 1000 -- now the faster one
    local again = m:mix(mix)
    equal(again.components[1].mode, 1) equal(again.components[1].degrees, 3) equal(again.components[2].mode, 0)
    local motion = mix:motion()
    equal(motion.components[1].mode, 1)
    equal(mix.components[1].mode, 0) -- it stays what it was
    -- a little of the fast one hangs on the slow one
    local other = eigenrig.load(write_rig("coupled", {{position = {0.5, 0, 0}, inertia = {1, 1, 0.75}},
        {mass = 0.02, inertia = {0.02, 0.02, 0.02}, position = {4, 0, 0}}}, {{child = 0, type = "revolute", stiffness = {40}},
        {parent = 0, child = 1, type = "revolute", position = {4, 0, 0}, stiffness = {3.2}}}))
    other:mix(mix)
    local words = told()
    assert(words:find("coupled.json: mode "), words)
    other:mix(mix)
    equal(told(), "") -- said before
end

function promise.warnings_name_their_model_once_in_a_row()
    local m = pendulums()
    m:export(folder .. "/a.glb", "0:5@37.5,1:5@39", {fps = 60, duration = 1})
    local first, second = told():match("^(.-)\n(.-)\n$")
    assert(first:find("pendulums.json: mode 0 at 37.5 Hz", 1, true) and second:find("^mode 1 at 39 Hz"), first .. second)
    local other = eigenrig.load(write_rig("other", {{}}, {{child = 0, type = "revolute", stiffness = {1}}}))
    other:export(folder .. "/a.glb", "0:5@37.5", {fps = 60, duration = 1})
    m:export(folder .. "/a.glb", "0:5@38", {fps = 60, duration = 1})
    first, second = told():match("^(.-)\n(.-)\n$")
    assert(first:find("other.json: mode 0 at 37.5", 1, true) and second:find("pendulums.json: mode 0 at 38", 1, true),
        first .. second)
end

-- ---- Clips and curves

function promise.curves_are_those_of_the_motion()
    local m = pendulums()
    equal(m:export(folder .. "/c.csv", "0:20,1:10@4", {fps = 10, duration = 1}), 1)
    local rows, motion = cells_of(folder .. "/c.csv"), m:mix("0:20,1:10@4"):motion{fps = 10, duration = 1}
    equal(#rows, 12)
    for i = 2, #rows do
        local at = motion:coordinates(rows[i][1])
        close(rows[i][1], (i - 2) / 10, 1e-9) close(rows[i][2], at[1][1], 1e-9) close(rows[i][3], at[2][1], 1e-9)
    end
end

function promise.clips_are_as_long_and_as_many_as_was_asked()
    local m, path = pendulums(), folder .. "/x.glb"
    equal(m:export(path, "0:20"), 1)
    local one = clips_of(path)
    equal(#one, 1) near(one[1].seconds, 1, 1e-6) equal(one[1].keys, 61) equal(one[1].interpolation, "LINEAR")
    equal(m:export(path, {"0:20", m:mix{name = "mine", {mode = 1, degrees = 3}}, {{mode = 1, degrees = 4}}, {[0] = 3}},
        {fps = 30, duration = 2}), 4)
    local four = clips_of(path)
    equal(#four, 4) equal(four[2].name, "mine")
    for _, clip in ipairs(four) do near(clip.seconds, 2, 1e-6) equal(clip.keys, 61) end
    equal(m:export(path, {{mode = 0, degrees = 3}, {mode = 1, degrees = 3}}), 1) -- components of one
    equal(m:export(path, {mode = 0, degrees = 3}), 1) equal(m:export(path, {[0] = 3}, {name = "called"}), 1)
    equal(clips_of(path)[1].name, "called")
    equal(m:export(path), 2)
    local palette = clips_of(path)
    equal(#palette, 2)
    assert(palette[1].name:find("^mode 00  .*1%.00 Hz$") and palette[2].name:find("^mode 01  .*2%.00 Hz$"),
        palette[1].name)
    near(palette[1].seconds, 1, 1e-6) near(palette[2].seconds, 0.5, 1e-6)
    m:export(path, "0:20", {tolerance = 5})
    local few = clips_of(path)[1].keys
    assert(few < 61 and few > 2, few)
    m:export(path, "0:20", {tolerance = 5, splines = true})
    equal(clips_of(path)[1].interpolation, "CUBICSPLINE")
    m:export(path, "0:20", {tolerance = 1})
    assert(clips_of(path)[1].keys > few)
    local told = {}
    m:export(path, {"0:3", "1:3", "0:4"}, {progress = function(done, all) told[#told + 1] = done .. "/" .. all end})
    equal(table.concat(told, " "), "1/3 2/3 3/3")
    told = {}
    m:export(path, nil, {amplitude = 3, progress = function(done, all) told[#told + 1] = done .. "/" .. all end})
    equal(table.concat(told, " "), "1/2 2/2")
end

function promise.options_that_make_no_sense_are_refused_and_nothing_is_written()
    local m, path = pendulums(), folder .. "/none.glb"
    fails(".glb", m.export, m, folder .. "/x.foo", "0:3") fails("asked", m.export, m, path, {})
    fails("2", m.export, m, folder .. "/none.csv", {"0:3", "1:3"})
    fails("2", m.export, m, folder .. "/none.bvh", {"0:3", "1:3"})
    fails("2", m.export, m, folder .. "/none.csv")
    fails("amplitude", m.export, m, path, "0:3", {amplitude = 3})
    fails("travels", m.export, m, path, "0:3", {travels = true})
    fails("mix", m.export, m, path, "0:3", {mix = "0:3"})
    for _, key in ipairs{"duration", "loop", "over", "plant", "fps", "tolerance", "splines", "name"} do
        fails(key .. ": ", m.export, m, path, nil, {[key] = 1})
    end
    fails("amplitude", m.export, m, path, nil, {amplitude = 181})
    fails("tolerance", m.export, m, path, "0:3", {tolerance = 57.1})
    fails("splines", m.export, m, path, "0:3", {splines = true})
    fails("name", m.export, m, path, {"0:3", "1:3"}, {name = "x"})
    fails("over", m.export, m, path, "0:3", {over = "x", duration = 2})
    fails("mix", m.export, m, path, "0:3", {over = "x"})
    fails("7:20", m.export, m, path, 7) fails("9", m.export, m, path, {"0:3", "9:3"})
    fails("mine", m.export, m, path, {"0:3"}, {progress = function() error("mine") end})
    fails("mine", m.export, m, path, nil, {progress = function() error("mine") end})
    fails("callback", m.export, m, path, {"0:3"}, {progress = function() m:modes(1) end})
    fails("callback", m.export, m, path, nil, {progress = function() m:close() end})
    assert(not eigenrig.files.exists(path))
    equal(m:export(path, "0:3"), 1) -- the context is free again
end

-- ---- A model of a scene

function promise.a_model_of_a_scene_has_clips_notes_and_a_height()
    local path = write("stick.bvh", stick)
    local m = eigenrig.load(path)
    equal(#m.clips, 1) near(m.clips[1].duration, 0.5) assert(#m.clips[1].name > 0)
    assert(m.height > 0.5 and m.height < 2) assert(#m.notes > 0 and m.source:find("stick.bvh"))
    told()
    local path_out, elastic = folder .. "/over.glb", m:modes().rigid_count
    equal(m:export(path_out, elastic .. ":10", {over = m.clips[1].name}), 1)
    local clips = clips_of(path_out)
    local found
    for _, clip in ipairs(clips) do found = found or math.abs(clip.seconds - 0.5) < 1e-6 and clip.keys > 3 end
    assert(found)
    fails("nosuch", m.export, m, path_out, elastic .. ":10", {over = "nosuch"})
    m:save_pose(folder .. "/pose.json")
    local pose = eigenrig.json.decode(read(folder .. "/pose.json"))
    assert(pose.nodes ~= nil)
    local again = eigenrig.load(path, {pose = folder .. "/pose.json"})
    for i, place in ipairs(again:pose()) do same(place.position, m:pose()[i].position, 1e-9) end
    fails("#2", m.save_pose, m)
end

function promise.a_model_is_built_again_with_other_options()
    local m = eigenrig.load(write("stick.bvh", stick), {mass = 40})
    told()
    near(m.mass, 40) equal(m:modes().rigid_count, 6)
    local held = m:build{root = "fixed"}
    local warning = told() -- springs are others than with a free root
    assert(warning:find("root", 1, true) and warning:find("stiffness", 1, true), warning)
    assert(not (m:build{root = "fixed", stiffness = "graded:2"} and told():find("stiffness", 1, true)))
    near(held.mass, 40) equal(held:modes().rigid_count, 0) near(m:build{mass = 20}.mass, 20) near(m.mass, 40)
    held:close()
    equal(m:modes().rigid_count, 6)
    local last = m:build{root = "fixed"}
    m:close()
    equal(#last.clips, 1) -- the file is kept for who is left
    equal(last:build().mass, last.mass)
    local modes, motion, simulation = last:modes(), last:mix("1:5"):motion(), last:simulate(0.02)
    last:close()
    equal(tostring(last), "model (closed)")
    collectgarbage() collectgarbage()
    wrong(modes, "return it.count", "closed") wrong(motion, "return it.duration", "closed")
    wrong(simulation, "return it.fps", "closed")
    fails("table", eigenrig.load(write("stick.bvh", stick)).build, eigenrig.load(write("stick.bvh", stick)), 3)
    told()
end

function promise.a_description_beside_a_model_is_read()
    local path = write("stick.bvh", stick)
    write("stick.rig.lua", 'return {mass = 12, joints = {head = {hz = 5}}, forward = "z", feet = "head", plant = "hips"}')
    local m = eigenrig.load(path)
    equal(m.described, folder .. "/stick.rig.lua") near(m.mass, 12) near(m:joint("head").hz, 5)
    near(eigenrig.load(path, {mass = 9}).mass, 9)
    write("other.rig.lua", "return {mass = 5}")
    local other = eigenrig.load(path, {rig = folder .. "/other.rig.lua"})
    near(other.mass, 5) equal(other.described, folder .. "/other.rig.lua")
    near(other:build{mass = 4}.mass, 4) equal(other:build().described, folder .. "/other.rig.lua")
    -- what the description plants stays where it stands, unless it is said otherwise
    local first = m:modes().rigid_count
    local mix = m:mix(first .. ":20")
    local function moves(motion)
        local most = 0
        for i = 0, 8 do most = math.max(most, ((motion:pose(motion.duration * i / 8, "hips")) - (m:pose("hips"))):length()) end
        return most
    end
    assert(moves(mix:motion()) < 1e-3, moves(mix:motion())) assert(moves(mix:motion{plant = "none"}) > 1e-2)
    assert(moves(mix:motion{plant = {"hips"}}) < 1e-3)
    fails("nosuch", mix.motion, mix, {plant = "nosuch"})
    fails("head", m.preset, m, "sway")
    write("wrong.rig.lua", "return {joints = {nobody = {hz = 5}}}")
    fails("nobody", eigenrig.load, path, {rig = folder .. "/wrong.rig.lua"})
    os.remove(folder .. "/stick.rig.lua")
    told()
end
