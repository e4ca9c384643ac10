-- What scripts and commands do alike: poses, descriptions, plants, simulations, presets and files.
local vec3, quat = eigenrig.vec3, eigenrig.quat

local function load_stick(options)
    local m = eigenrig.load(write("stick.bvh", stick), options)
    told()
    return m
end

local function bend(s, frame) -- of the spine against the hips, degrees
    local _, hips = s:pose(frame, "hips")
    local _, spine = s:pose(frame, "spine")
    return select(2, (hips:inverse() * spine):turn())
end

-- ---- Where a simulation begins

function promise.a_simulation_begins_in_a_clip_with_its_speed()
    local m = load_stick()
    local clip = m.clips[1].name
    local s = m:simulate{from = clip .. "@0.125", gravity = 0, duration = 0.01, fps = 1000}
    close(bend(s, 1), 10, 1e-6) near(bend(s, 3) - bend(s, 1), 80 * 0.002, 0.05)
    close((s:pose(1, "hips") - m:pose("hips")):length(), 0, 1e-9)
    local back = m:simulate{from = clip .. "@0.4375", gravity = 0, duration = 0.01, fps = 1000}
    close(bend(back, 1), 5, 1e-6) near(bend(back, 3) - bend(back, 1), -80 * 0.002, 0.05)
    -- a pose has no speed
    m:build{pose = {spine = {turn = {0, 0, 15}}}}:save_pose(folder .. "/bent.json")
    local still = m:simulate{from = folder .. "/bent.json", gravity = 0, duration = 0.002, fps = 1000}
    close(bend(still, 1), 15, 1e-6) close(still.energy[1].kinetic, 0, 1e-12) assert(still.energy[1].elastic > 0)
    fails("the clip has times from 0 to 0.5 s", m.simulate, m, {from = clip .. "@0.6"})
    fails("the clip has times from 0", m.simulate, m, {from = clip .. "@x"})
    fails("the clip has times from 0", m.simulate, m, {from = clip .. "@-0.1"})
    fails("nosuch", m.simulate, m, {from = "nosuch@0"})
    equal(#m:simulate{from = clip .. "@0.5", duration = 0.01, fps = 100}, 2)
end

function promise.what_is_held_follows_the_clip_or_stays()
    local m = load_stick()
    local clip = m.clips[1].name
    local s = m:simulate{from = clip .. "@0.125", hold = "hips,spine", gravity = 0, duration = 1, fps = 40}
    for k = 1, #s do
        local t = (s.time[k] + 0.125) % 0.5
        close(bend(s, k), t < 0.25 and 80 * t or 80 * (0.5 - t), 0.7) -- again and again, by frames of a sixtieth
        close((s:pose(k, "hips") - m:pose("hips")):length(), 0, 1e-6)
    end
    local stays = m:simulate{hold = "sp*", duration = 0.2, fps = 20, push = {"head:0.5@0"}}
    for k = 1, #stays do close((stays:pose(k, "spine") - m:pose("spine")):length(), 0, 1e-9) end
    assert(select(2, stays:pose(#stays, "head")) ~= select(2, m:pose("head")))
    m:build{pose = {spine = {turn = {0, 0, 15}}}}:save_pose(folder .. "/bent.json")
    told()
    m:simulate{from = folder .. "/bent.json", hold = "hips", duration = 0.02}
    assert(told():find("held bodies stay where they are at equilibrium"))
    fails('hold "," names no body', m.simulate, m, {hold = ","})
    fails("hold * holds every body, and none is left to move", m.simulate, m, {hold = "*"})
    fails('hold spin: no body is called so; did you mean "spine"', m.simulate, m, {hold = "hips,spin"})
    equal(#m:simulate{hold = "hips,spine", duration = 0.02, fps = 50}, 2)
end

-- A stone of two kilograms, and one of three on a hinge.
local function stones()
    return eigenrig.load(write_rig("stones", {{name = "a", mass = 2},
        {name = "b", mass = 3, com = {0, 0.5, 0}, position = {5, 1, 0}, inertia = {1, 1, 1}}},
        {{name = "pin", child = 1, type = "revolute", position = {5, 1, 0}, stiffness = {0}}}))
end

function promise.a_blow_is_newton_seconds_at_its_time()
    local m = stones()
    local s = m:simulate{duration = 0.5, fps = 20, gravity = 0, push = {"a:0,0,3@0.4", "a:4@0.1", "pin:1.75,0,0@0.2"}}
    for k, t in ipairs(s.time) do
        local z = 2 * math.max(t - 0.1, 0) + 1.5 * math.max(t - 0.4, 0) -- forward is z
        same(s:pose(k, "a"), {0, 0, z}, 1e-9)
        -- about the pin: a moment of 1 + 3 / 4, and an arm of a half
        local turned = math.max(t - 0.2, 0) * -0.5
        same(select(2, s:pose(k, "b")):totable(), quat({0, 0, 1}, math.deg(turned)):totable(), 1e-5)
    end
    near(s.energy[#s].work, 0.5 * 2 * 3.5 ^ 2 + 0.5 * 1.75 * 0.25, 1e-5)
    local form = "push takes JOINT:NS@S, newton seconds forwards at a time, or JOINT:X,Y,Z@S"
    for _, text in ipairs{"a", "a:3", "a@1:3", "a:x@1", "a:3@x", "a:3@-1", "a:1,2@1", "a:1,2,3,4@1", "a:inf@1", "a:@1",
        ("a"):rep(600) .. ":1@0"} do
        fails(form, m.simulate, m, {push = {text}})
    end
    fails('no joint is called "pim"; did you mean "pin"', m.simulate, m, {push = {"pim:3@0"}})
    local last = m:simulate{duration = 0.5, fps = 20, gravity = 0, push = {"a:4@0.5"}} -- at the very end, which is no more
    equal(last:pose(#last, "a").z, 0)
end

function promise.frames_are_counted()
    local m = stones()
    for _, case in ipairs{{0.5, 20, 11}, {0.51, 20, 12}, {0.01, 1, 2}, {1 / 3, 30, 11}, {0.1, nil, 7}} do
        local s = m:simulate{duration = case[1], fps = case[2]}
        equal(#s, case[3]) near(s.fps, (case[3] - 1) / case[1]) near(s.time[#s], case[1])
    end
    fails("100000 s at 1000 frames a second are more than 10 million frames", m.simulate, m, {duration = 1e5, fps = 1000})
    local wide = {}
    for i = 1, 40 do wide[i] = {name = "b" .. i, position = {3 * i, 0, 0}} end
    local many = eigenrig.load(write_rig("many", wide, {}))
    fails("frames of 40 bodies take", many.simulate, many, {duration = 9e4, fps = 100})
    local seen, s = 0, nil
    s = m:simulate{duration = 0.2, fps = 50, progress = function(done, all) seen = seen + 1 assert(all == 10
        and done == math.min(seen, 10)) end}
    equal(seen, 11) equal(#s, 11) assert(s.report.steps > 0 and s.report.evaluations >= s.report.steps)
end

function promise.a_damping_ratio_becomes_a_damper()
    local m = eigenrig.load(write_pendulums())
    m.damping_ratio = 0.25
    local s = m:simulate{duration = 3, fps = 100, gravity = 0, push = {"slow:0,2,0@0"}}
    local peaks, last, before = {}, 0, 0
    for k = 1, #s do
        local y = s:pose(k, "a").y
        if k > 2 and last > before and last > y and last > 1e-4 then peaks[#peaks + 1] = last end
        before, last = last, y
    end
    near(peaks[2] / peaks[1], math.exp(-2 * math.pi * 0.25 / math.sqrt(1 - 0.25 ^ 2)), 0.03)
end

function promise.joints_end_at_their_limits_where_that_is_asked()
    local function farthest(limits)
        local bar = eigenrig.load(write_rig("bar", {{name = "a", com = {1, 0, 0}}},
            {{name = "pin", child = 0, type = "revolute", limits = {{-0.5, 0.25}}, stiffness = {0}}}))
        local s = bar:simulate{duration = 0.5, fps = 50, gravity = 0, push = {"pin:0,2,0@0"}, limits = limits}
        local most = 0
        for k = 1, #s do most = math.max(most, math.rad(select(2, select(2, s:pose(k, "a")):turn()))) end
        return most
    end
    close(farthest(true), 0.25, 0.02) near(farthest(false), 0.5, 0.02)
end

-- ---- What a model meets

local function ball(more)
    local options = {name = "ball", mass = 1, inertia = {0.01, 0.01, 0.01}}
    return eigenrig.load(write_rig("ball", {options, {name = "other", mass = 1, inertia = {0.01, 0.01, 0.01}, position = {0, 0.3,
        0}}},
        {{name = "joint", parent = 0, child = 1, type = "revolute", position = {0, 0.3, 0}, stiffness = {5}}, more}))
end

function promise.what_is_dropped_falls_freely_and_then_lies()
    local m = ball()
    local s = m:simulate{drop = 0.5, duration = 1.5, fps = 40}
    local impact = math.sqrt(2 * 0.5 / 9.81)
    local low = math.huge
    for k, t in ipairs(s.time) do
        local y = s:pose(k, "ball").y
        if t < impact - 0.02 then close(y, 0.5 - 9.81 * t * t / 2, 0.01) end
        low = math.min(low, y)
    end
    assert(low > -0.35 and low < 0.2, low) -- on the floor, which is at its lowest point
    local moon = m:simulate{drop = 0.5, gravity = 1.6, duration = 0.5, fps = 40}
    close(moon:pose(#moon, "ball").y, 0.5 - 0.2, 0.01)
    local bounces = m:simulate{drop = 0.5, restitution = 1, duration = 0.6, fps = 40}
    assert(bounces:pose(#bounces, "ball").y > s:pose(25, "ball").y + 0.1)
    local ground = m:simulate{ground = true, duration = 0.1, fps = 20}
    close(ground:pose(1, "ball").y, 0, 1e-9)
    local tied = ball({name = "tie", child = 0, type = "revolute"})
    fails('joint 1 "tie" ties the model to the world, so it cannot fall', tied.simulate, tied, {drop = 1})
    fails("bodies that are held do not fall; leave the drop or the holding out", m.simulate, m, {drop = 1, hold = "ball"})
    for _, integrator in ipairs{"euler", "rk4", "implicit"} do
        fails('what touches is integrated by "contact" alone', m.simulate, m, {ground = true, integrator = integrator})
    end
    equal(#m:simulate{ground = true, integrator = "contact", duration = 0.05, fps = 20}, 2)
    fails("triangles to fall on", m.simulate, m, {static = write("stick.bvh", stick)})
    fails("nosuch", m.simulate, m, {static = "nosuch.glb"})
end

function promise.what_falls_on_a_scene_stays_on_it()
    local plate = eigenrig.load(write_rig("plate", {{name = "plate", mass = 100, inertia = {20, 20, 20}, position = {0, -1, 0}},
        {name = "end", position = {0, -1.6, 0}}},
        {{parent = 0, child = 1, type = "fixed", position = {0, -1.6, 0}}}))
    plate:export(folder .. "/plate.glb")
    told()
    local m = ball()
    local s = m:simulate{static = folder .. "/plate.glb", duration = 1, fps = 20}
    local free = m:simulate{duration = 1, fps = 20}
    local fell, stood = free:pose(#free, "ball").y, s:pose(#s, "ball").y
    close(fell, -9.81 / 2, 0.05) assert(stood > fell + 1, stood) -- it met something on its way
    local raised = m:simulate{static = folder .. "/plate.glb", drop = 0.5, duration = 0.1, fps = 20}
    close(raised:pose(1, "ball").y, 0.5, 1e-9)
end

-- ---- Poses

function promise.places_are_set_by_body_and_carry_what_hangs_on_them()
    local m = eigenrig.load(write_walker())
    told()
    local posed = m:build{pose = {Spine = {turn = {0, 0, 30}}, {index = m:body("LeftLeg").index, position = {0.2, 0.5, 0.3}}}}
    same(posed:pose("Hips"), m:pose("Hips"), 1e-9) same(posed:pose("Spine"), m:pose("Spine"), 1e-9)
    close(select(2, (select(2, posed:pose("Spine")) * select(2, m:pose("Spine")):inverse()):turn()), 30, 1e-4)
    same(posed:pose("LeftLeg"), {0.2, 0.5, 0.3}, 1e-9)
    same(posed:pose("LeftFoot") - posed:pose("LeftLeg"), m:pose("LeftFoot") - m:pose("LeftLeg"), 1e-9)
    same(posed:pose("RightFoot"), m:pose("RightFoot"), 1e-9)
    local turned = m:build{pose = {Hips = {position = {1, 2, 3}, turn = {0, 90, 0}}}}
    for i, place in ipairs(m:pose()) do
        same(turned:pose()[i].position, quat({0, 1, 0}, 90) * (place.position - m:pose("Hips")) + vec3(1, 2, 3), 1e-9)
    end
    local faced = m:build{pose = {Spine = {orientation = {0, 1, 0, 0}}}}
    same({math.abs(select(2, faced:pose("Spine")).x)}, {1}, 1e-9)
    fails("pose: there is no body 99, but 0 to 7", m.build, m, {pose = {{index = 99}}})
    fails('pose: body 0 is "Hips", not "Spine"', m.build, m, {pose = {{index = 0, name = "Spine"}}})
    fails('pose: no body is called "Spin"; did you mean "Spine"', m.build, m, {pose = {Spin = {}}})
    equal(m:build{pose = {{index = 7, name = m:body(7).name}}}.body_count, 8)
    local same_again = m:build{pose = m:mix("9:10"):motion():pose(0.2)}
    for i, place in ipairs(same_again:pose()) do same(place.position, m:mix("9:10"):motion():pose(0.2)[i].position, 1e-9) end
    told()
end

-- ---- Plants

function promise.what_is_planted_stays_and_names_that_are_none_are_answered()
    local m = eigenrig.load(write_walker(), {feet = "*Foot"})
    told()
    local mix = m:mix("9:2")
    local function way(plant, body)
        local motion, most = mix:motion{plant = plant}, 0
        for i = 0, 8 do most = math.max(most, (motion:pose(motion.duration * i / 8, body) - m:pose(body)):length()) end
        return most
    end
    local free = way("none", "LeftFoot")
    assert(way("feet", "LeftFoot") < 0.25 * free and way("feet", "RightFoot") < 0.25 * way("none", "RightFoot"))
    assert(way("Hips", "Hips") < 1e-6 and way({"Hips"}, "Hips") < 1e-6 and way("Spine", "LeftFoot") > 0.25 * free)
    equal(way("Sp*", "Spine"), way("Spine", "Spine")) assert(way("Spine", "Spine") ~= way("none", "Spine"))
    close(way("", "LeftFoot"), free, 1e-12)
    fails('plant foot: no body or node is called so; did you mean "feet"', mix.motion, mix, {plant = "foot"})
    fails('plant LeftFot: no body or node is called so; did you mean "LeftFoot"', mix.motion, mix, {plant = "Hips,LeftFot"})
    fails("plant *: that is every body, and nothing could move", mix.motion, mix, {plant = "*"})
    local none = eigenrig.load(write_pendulums())
    local swing = none:mix("0:10")
    fails("plant feet: the rig has none that could be found; name bodies", swing.motion, swing, {plant = "feet"})
end

-- ---- Descriptions

function promise.a_description_that_fits_nothing_is_told_of()
    local path = write("stick.bvh", stick)
    local function tells(text, options)
        told()
        write("told.rig.lua", text)
        options = options or {}
        options.rig = folder .. "/told.rig.lua"
        local m = eigenrig.load(path, options)
        return told(), m
    end
    local text = tells('return {optional = true, joints = {nobody = {hz = 3}}, bodies = {nothing = {mass = 3}}}')
    assert(text:find("told.rig.lua: none of the joints and bodies that it names is here"), text)
    text = tells('return {optional = true, joints = {nobody = {hz = 3}, head = {hz = 3}}}')
    assert(not text:find("none of the joints"), text)
    text = tells('return {mirror = {{"left", "right"}}}')
    assert(text:find('told.rig.lua: mirror "left": no joint or body here has that in its name') and text:find('mirror "right"'),
        text)
    text = tells('return {optional = true, mirror = {{"left", "right"}}}')
    assert(not text:find("mirror"), text)
    text = tells('return {mirror = {{"hea", "spin"}}}')
    assert(not text:find("mirror"), text)
    -- what may lack some takes those that are here
    local _, m = tells('return {optional = true, plant = "nobody,hips"}')
    local mix = m:mix(m:modes().rigid_count .. ":20")
    assert((mix:motion():pose(0.1, "hips") - m:pose("hips")):length() < 1e-6)
    _, m = tells('return {optional = true, plant = "nobody"}')
    equal(#m:mix(m:modes().rigid_count .. ":20"):motion().voices, 1)
    fails("described by " .. folder .. "/told.rig.lua: ", tells, 'return {joints = {nobody = {hz = 3}}}')
    fails("told.rig.lua", tells, 'return {rot = 1}') fails("told.rig.lua:2", tells, 'return {\nrot = 1}')
    _, m = tells('return {mass = 30, density = 500, stiffness = "uniform:2", root = "fixed", joints = "revolute", damping = 0.1, height = 2}')
    near(m.mass, 30) equal(m:modes().rigid_count, 0) equal(m:joint("head").type, "revolute") equal(m.damping_ratio, 0.1)
    near(m.height, 2, 1e-6)
    _, m = tells('return {mass = 30, damping = 0.1, height = 2}', {mass = 20, height = 1})
    near(m.mass, 20) equal(m.damping_ratio, 0.1) near(m.height, 1, 1e-6)
    eigenrig.load(path, {rig = "none"})
    told()
end

-- ---- Up

function promise.legs_say_where_up_is()
    local text = read(write_walker())
    -- the same with y and z changed places: it stands along z
    local turned = text:gsub("OFFSET (%S+) (%S+) (%S+)", "OFFSET %1 %3 %2")
    told()
    local m = eigenrig.load(write("lying.bvh", turned))
    local words = told()
    assert(words:find("its legs stand along z, so that is taken for up, which a BVH does not say; --up y says otherwise", 1,
        true), words)
    local s = m:simulate{duration = 0.1, fps = 10}
    same(s:pose(2, "Hips") - m:pose("Hips"), {0, 0, -9.81 * 0.005}, 1e-4)
    local down = text:gsub("OFFSET (%S+) (%S+) (%S+)", function(x, y, z) return ("OFFSET %s %g %s"):format(x, -tonumber(y),
        z) end)
    eigenrig.load(write("down.bvh", down))
    assert(told():find("its legs stand along -y", 1, true))
    eigenrig.load(write_walker())
    assert(not told():find("its legs", 1, true))
    -- standing in the file and lying in its clip: it may lie, and is only told
    local rows = text:gsub("\n0 90 0 0 0 0 ", "\n0 90 0 0 90 0 ")
    eigenrig.load(write("lies.bvh", rows))
    words = told()
    assert(words:find("its legs point along -z as it moves, up being y: --up -z turns it", 1, true)
        or words:find("its legs point along z as it moves", 1, true), words)
end

-- ---- Presets

function promise.presets_of_the_users_are_read_line_by_line()
    local m = eigenrig.load(write_walker(), {feet = "*Foot"})
    eigenrig.files.make_folder(folder .. "/eigenrig")
    local function presets(text, name)
        told()
        write("eigenrig/presets", text)
        local ok, mix = pcall(m.preset, m, name)
        return ok and mix, told(), mix
    end
    local mix = presets("# mine\n\nnod 2 none trunk:side:2@1\n", "nod")
    assert(mix and #mix.voices >= 1 and mix.cycle > 0)
    local slower = presets("nod 4 none trunk:side:2@1\n", "NOD")
    near(slower.cycle / mix.cycle, 2, 1e-6)
    local _, words = presets("nod 2 none trunk:side:2@1\nbad line\nnod 3 none trunk:side:2@1\n", "nod")
    assert(words:find('presets:2: expected NAME SECONDS PLANT MOVES, such as "peer 4 feet head:side:6@1,trunk:side:1@1"; the line is left out', 1, true), words)
    assert(words:find('presets:3: "nod" again; that of line 1 is taken', 1, true), words)
    for _, line in ipairs{"nod", "nod x none trunk:side:2@1", "nod 0 none trunk:side:2@1", "nod 2s none trunk:side:2@1",
        "nod 2 none", "nod 2 none trunk:side:2@1 more"} do
        local bad, _, why = presets(line .. "\n", "nod")
        assert(not bad and why:find("presets:1: expected NAME SECONDS PLANT MOVES", 1, true), why)
    end
    local bad, _, why = presets("# one\nnod 2 none tronk:side:2@1\n", "nod")
    assert(not bad and why:find("presets:2: ", 1, true), why)
    bad, _, why = presets("nod 2 nobody trunk:side:2@1\n", "nod")
    assert(not bad and why:find("presets:1: plant nobody", 1, true), why)
    bad, _, why = presets("nodding 2 none trunk:side:2@1\n", "noding")
    assert(not bad and why:find('there is no preset "noding"; did you mean "nodding"', 1, true), why)
    bad, _, why = presets("", "zebra")
    assert(not bad
        and why:find('there is no preset "zebra"; there are idle, breathe, wag, sway, nervous, and those of ' .. folder .. "/eigenrig/presets", 1, true), why)
    bad, _, why = presets("", "swey")
    assert(not bad and why:find('did you mean "sway"', 1, true), why)
    _, words = presets("nod 2 none " .. ("x"):rep(5000) .. "\nnod 2 none trunk:side:2@1\n", "nod")
    assert(words:find("presets:1: the line is too long, and left out", 1, true), words)
    assert(presets("nod 2 feet trunk:side:2@1", "nod"))
    os.remove(folder .. "/eigenrig/presets")
    assert(m:preset("sway"))
    told()
end
