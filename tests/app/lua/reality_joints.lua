-- Ropes, rods, pulleys, gears, linkages, joints that break and surfaces that resist rolling, in scenes: their right
-- values.

local g = 9.81

local function near(value, want, share, what)
    assert(math.abs(value - want) <= share * math.abs(want), ("%s: %.9g for %.9g"):format(what, value, want))
end

local function begin(given)
    given = given or {}
    return eigenrig.scene(given)
end

local function ball(scene, at, mass)
    return scene:actor{sphere = 0.1, at = at, mass = mass}
end

-- A ball falls freely until its rope is taut, then swings: at the lowest point the rope carries m g + m v^2 / L.
function promise.a_ball_on_a_rope_falls_freely_and_then_swings()
    local scene = begin{step = 1 / 240}
    local b = ball(scene, {1.2, 0, 0}, 2)
    local rope = scene:rope(nil, b, {at = {0, 0, 0}, length = 2, name = "rope"})
    local taut = math.sqrt(2 * 1.6 / g)
    scene:run(taut - 0.02)
    near(b.velocity.y, -g * scene.time, 1e-9, "speed of a free fall")
    assert(rope.force == 0 and rope.name == "rope" and rope.type == "rope" and not rope.removed)
    scene:run(0.05)
    near(b.velocity:length() ^ 2, (0.6 * g * taut) ^ 2 + 2 * g * (-1.6 - b.position.y), 0.01, "speed after the jerk")
    local most, fastest, longest = 0, 0, 0
    for _ = 1, 240 * 5 do
        scene:frame()
        most, fastest = math.max(most, rope.force), math.max(fastest, b.velocity:length())
        longest = math.max(longest, rope.length)
    end
    near(most, 2 * g + 2 * fastest ^ 2 / 2, 0.01, "tension at the lowest point")
    near(longest, 2, 1e-4, "length")
    local from, to = rope:ends()
    assert((from - eigenrig.vec3(0, 0, 0)):length() == 0 and (to - b.position):length() < 1e-12)
    rope:remove()
    assert(rope.removed)
end

function promise.a_rod_is_as_long_as_it_is()
    local scene = begin()
    local a, b = ball(scene, {0, 5, 0}, 1), ball(scene, {1, 5, 0}, 3)
    a.spin = {0, 0, 5}
    b.velocity = {0, 3, 1}
    local rod = scene:rod(a, b)
    for _ = 1, 300 do
        scene:frame()
        near((a.position - b.position):length(), 1, 2e-3, "length of a rod in free flight")
    end
    near(rod.length, 1, 2e-3, "length of a rod")
end

function promise.atwoods_machine_falls_as_it_should()
    for _, m in ipairs{{1, 2, 1}, {1, 3, 1}, {1, 2, 2}} do
        local scene = begin()
        local a, b = ball(scene, {-1, -3, 0}, m[1]), ball(scene, {1, -3, 0}, m[2])
        local rope = scene:pulley(a, b, {wheels = {{-1, 0, 0}, {1, 0, 0}}, ratio = m[3]})
        scene:run(0.5)
        local tension = g * (1 + m[3]) / (1 / m[1] + m[3] ^ 2 / m[2])
        near(a.velocity.y, (tension / m[1] - g) * 0.5, 1e-4, "Atwood's machine")
        near(rope.force, tension, 1e-4, "the tension in it")
        if m[3] == 1 then near(a.velocity.y, g * (m[2] - m[1]) / (m[1] + m[2]) * 0.5, 1e-4, "with plain wheels") end
    end
end

-- A crank turns a wheel with three times as many teeth; a rack falls and turns its pinion.
function promise.gears_turn_in_their_ratio()
    local scene = begin()
    local small, large = scene:actor{cylinder = {0.1, 0.05}, along = "z", at = {0, 0, 0}, mass = 1},
        scene:actor{cylinder = {0.3, 0.05}, along = "z", at = {0.6, 0, 0}, mass = 9}
    local a, b = scene:joint("hinge", nil, small), scene:joint("hinge", nil, large)
    local gear = scene:gear(a, b, {ratio = -3})
    scene:action(function() small:torque{0, 0, 2} end):start()
    scene:run(0.5)
    local I0, I1 = 0.5 * 0.1 ^ 2, 0.5 * 9 * 0.3 ^ 2
    near(small.spin.z, 2 / (I0 + I1 / 9) * 0.5, 0.01, "acceleration of a geared wheel")
    near(small.spin.z, -3 * large.spin.z, 1e-6, "ratio of a gear")
    near(gear.force, -I1 / 9 * 2 / (I0 + I1 / 9), 0.01, "torque of a gear on its first joint")
    assert(gear.length == nil)
    a:remove()
    assert(gear.removed)

    scene = begin()
    local rack, pinion = scene:actor{box = {0.1, 1, 0.1}, at = {0, 0, 0}, mass = 2},
        scene:actor{cylinder = {0.1, 0.05}, along = "z", at = {0.5, 0, 0}, mass = 4}
    scene:gear(scene:joint("prismatic", nil, rack, {axis = {0, 1, 0}}), scene:joint("hinge", nil, pinion), {ratio = 0.1})
    scene:run(0.5)
    near(rack.velocity.y, -g * 0.5 * 2 / (2 + 0.5 * 4), 0.01, "fall of a rack")
    near(pinion.spin.z, rack.velocity.y / 0.1, 1e-6, "turn of a pinion")
end

-- A weight hangs at rest: ropes and joints hold at 1.01 of it, and break at 0.99.
function promise.what_is_overloaded_breaks()
    for _, share in ipairs{0.99, 1.01} do
        for _, kind in ipairs{"rope", "joint"} do
            local scene, told_of = begin()
            local weight = ball(scene, {0, -1, 0}, 5)
            local hook = kind == "rope" and scene:rope(nil, weight, {at = {0, 0, 0}, break_force = share * 5 * g}) or
                scene:joint("ball", nil, weight, {at = {0, 0, 0}, break_force = share * 5 * g})
            scene:on("joint_breaks", function(e)
                assert(not told_of and e.joint == hook and hook.removed and e.time == scene.time)
                near(e.force, 5 * g, 1e-6, "the load that broke it")
                told_of = true
            end)
            scene:run(1)
            assert((told_of == true) == (share < 1))
            assert((weight.position.y < -3) == (share < 1), weight.position.y)
        end
    end
    equal(told(), "")
end

-- A bridge of planks between two towers holds its own weight. A heavy ball breaks it, and it falls.
function promise.a_bridge_breaks_under_a_wrecking_ball()
    local scene, broken, before = begin(), 0, nil
    for _, x in ipairs{-2.75, 2.75} do scene:actor{box = {0.5, 1, 1}, at = {x, 0, 0}, motion = "still"} end
    for i = -2, 2 do
        local plank = scene:actor{box = {0.96, 0.1, 1}, at = {i, 0, 0}, mass = 5, groups = 2, ignores = 2}
        scene:joint("fixed", before, plank, {at = {i - 0.5, 0, 0}, break_force = 3000})
        before = plank
    end
    scene:joint("fixed", before, nil, {at = {2.5, 0, 0}, break_force = 3000})
    scene:on("joint_breaks", function() broken = broken + 1 end)
    scene:run(2)
    equal(broken, 0)
    scene:actor{sphere = 0.4, at = {0, 6, 0}, mass = 200}
    scene:run(3)
    assert(broken >= 1 and #scene:joints() == 6 - broken, broken)
    equal(told(), "")
end

-- A ball slows down on the level by 5/7 g c / r, and its spin in place by c m g / I.
function promise.surfaces_resist_rolling_and_spinning()
    local scene = begin{sleep_time = 0}
    local carpet = scene:material{friction = 1, rolling = 0.005, spinning = 0.004}
    scene:actor{plane = true, motion = "still", material = carpet}
    local b = scene:actor{sphere = 0.1, at = {0, 0.1, 0}, mass = 3, velocity = {2, 0, 0}, spin = {0, 0, -20}}
    local top = scene:actor{sphere = 0.1, at = {0, 0.1, 5}, mass = 3, spin = {0, 40, 0}}
    scene:run(2)
    near(b.velocity.x, 2 - 5 / 7 * g * 0.005 / 0.1 * 2, 0.01, "a ball on a carpet")
    near(top.spin.y, 40 - 2 * 0.004 * g / (0.4 * 0.1 ^ 2), 0.02, "a spinning ball on a carpet")
    scene:run(6)
    assert(b.velocity:length() < 1e-6 and top.spin:length() < 1e-6)
end

-- It rests on a slope below c / r, and rolls above it.
function promise.a_ball_rests_on_a_slope_that_is_flat_enough()
    for _, share in ipairs{0.9, 1.2} do
        local slope = math.atan(share * 0.1)
        local scene = begin{gravity = {g * math.sin(slope), -g * math.cos(slope), 0}, sleep_time = 0}
        scene:actor{plane = true, motion = "still", material = scene:material{friction = 1, rolling = 0.01}}
        local b = ball(scene, {0, 0.1, 0}, 1)
        scene:run(1)
        local x = b.position.x
        scene:run(5)
        assert((b.position.x - x < 1e-4) == (share < 1), b.position.x - x)
    end
end

function promise.ties_are_refused_that_cannot_be()
    local scene = begin()
    local a, still = ball(scene, {0, 0, 0}, 1), scene:actor{plane = true, motion = "still"}
    local function refused(f, word)
        local ok, text = pcall(f)
        assert(not ok and text:find(word, 1, true), text)
    end
    refused(function() scene:rope(nil, a) end, "at")
    refused(function() scene:rope(still, nil, {to = {0, 0, 0}}) end, "moves")
    refused(function() scene:rope(a, a) end, "itself")
    refused(function() scene:rope(nil, a, {at = {0, 1, 0}, length = 1, least = 2}) end, "shortest")
    refused(function() scene:rope(nil, a, {at = {0, 1, 0}, lenght = 1}) end, "length")
    refused(function() scene:rope(nil, a, {at = {0, 1, 0}, damping = 1}) end, "stiffness")
    refused(function() scene:pulley(nil, a, {at = {0, 1, 0}}) end, "wheels")
    refused(function() scene:pulley(nil, a, {at = {0, 1, 0}, wheels = {{0, 1, 0}, {0, 1, 0}}, ratio = 0}) end, "ratio")
    local j = scene:joint("ball", nil, a)
    refused(function() scene:gear(j, j) end, "two joints")
    refused(function() scene:gear(j, scene:joint("fixed", nil, ball(scene, {5, 0, 0}, 1))) end, "fixed")
    refused(function() scene:joint("ball", nil, ball(scene, {9, 0, 0}, 1), {break_force = 0}) end, "above 0")
    equal(told(), "")
end

-- Sleep, and what wakes: a weight on a rope falls asleep with the box that it holds, and wakes with it.
function promise.ropes_connect_islands()
    local scene = begin()
    local upper = ball(scene, {0, 0, 0}, 1)
    scene:rope(nil, upper, {at = {0, 1, 0}})
    local lower = ball(scene, {0, -1, 0}, 1)
    scene:rope(upper, lower)
    scene:run(2)
    assert(upper.sleeps and lower.sleeps)
    lower:push{0.5, 0, 0}
    scene:run(0.1)
    assert(not upper.sleeps and not lower.sleeps)
end

-- A flat linkage of hinges: bars between points, the k-th from point b[1] to b[2] with the mass b[3].
-- @param joints  {a, b, point}: bars, 0 for the world
local function linkage(scene, points, bars, joints)
    local actors = {}
    for i, b in ipairs(bars) do
        local from, to = eigenrig.vec3(table.unpack(points[b[1]])), eigenrig.vec3(table.unpack(points[b[2]]))
        local along = to - from
        actors[i] = scene:actor{box = {along:length(), 0.05, 0.05}, at = 0.5 * (from + to), mass = b[3],
            turn = {0, 0, math.deg(math.atan(along.y, along.x))}}
    end
    for _, j in ipairs(joints) do
        scene:joint(j.type or "hinge", actors[j[1]], actors[j[2]], {at = points[j[3]], axis = j.axis or {0, 0, 1}})
    end
    scene:frame()
    return actors
end

local four_bar = {{0, 1, 1}, {1, 2, 2}, {0, 3, 4}, {3, 2, 3}}

-- At 7 rad/s a parallelogram passes its flat pose 22 times in 10 s.
function promise.a_parallelogram_turns_on_and_keeps_its_energy()
    for _, rate in ipairs{2, 7, 20} do
        local scene = begin{gravity = {0, 0, 0}, sleep_time = 0}
        local bars = linkage(scene, {{0, 0, 0}, {0, 1, 0}, {2, 1, 0}, {2, 0, 0}}, {{1, 2, 1}, {2, 3, 2}, {4, 3, 1}}, four_bar)
        for i = 1, 3, 2 do bars[i].spin = {0, 0, 2 * rate} end
        scene:frame()
        local function angle()
            local along = bars[1].orientation * eigenrig.vec3(1, 0, 0)
            return math.atan(along.y, along.x)
        end
        local spin, energy, turned, before = bars[1].spin.z, scene.energy.mechanical, 0, angle()
        assert(spin > rate, spin)
        for _ = 1, 600 do
            scene:frame()
            turned, before = turned + (angle() - before + math.pi) % (2 * math.pi) - math.pi, angle()
            near(scene.energy.mechanical, energy, 1e-9, "energy of a parallelogram")
            near(bars[1].spin.z, spin, 1e-6, "its rate")
            assert(math.abs(bars[2].spin.z) < 1e-5 * spin, "its coupler turns")
        end
        near(turned, 10 * spin, 1e-5, "its turns")
    end
end

-- Linkages of other kinds under weight: a swing, a crank and a rocker, a slider, a gate on two hinges.
function promise.linkages_keep_their_energy()
    local r = math.sqrt(0.75)
    local kinds = {
        {"swing", {{0, 0, 0}, {0.5, -r, 0}, {2.5, -r, 0}, {2, 0, 0}}, {{1, 2, 1}, {2, 3, 2}, {4, 3, 1}}, four_bar, 0},
        {"crank and rocker", {{0, 0, 0}, {0, 0.5, 0}, {1.6, 1.7, 0}, {2, 0, 0}}, {{1, 2, 1}, {2, 3, 2}, {4, 3, 1.5}}, four_bar, 9},
        {"slider", {{0, 0, 0}, {0, 0.5, 0}, {1.4, 0, 0}, {1.6, 0, 0}}, {{1, 2, 1}, {2, 3, 1}, {3, 4, 2}},
            {{0, 1, 1}, {1, 2, 2}, {2, 3, 3}, {0, 3, 3, type = "prismatic", axis = {1, 0, 0}}}, 9},
        {"gate", {{0, 0.5, 0}, {2, 0.5, 0}, {0, -0.5, 0}}, {{1, 2, 3}},
            {{0, 1, 1, axis = {0, 1, 0}}, {0, 1, 3, axis = {0, 1, 0}}}, {0, 4, 0}},
    }
    for _, k in ipairs(kinds) do
        local scene = begin{sleep_time = 0}
        local bars = linkage(scene, k[2], k[3], k[4])
        if k[5] ~= 0 then bars[1].spin = type(k[5]) == "table" and k[5] or {0, 0, k[5]} end
        scene:frame()
        local energy, most, least = scene.energy, 0, math.huge
        for _ = 1, 600 do
            scene:frame()
            local now = scene.energy
            assert(math.abs(now.mechanical - energy.mechanical) < 1e-9 * (energy.kinetic + 9), k[1] .. ": " ..
                now.mechanical - energy.mechanical)
            most, least = math.max(most, now.kinetic), math.min(least, now.kinetic)
        end
        assert(most > (k[1] == "gate" and 1 or 1.1) * least, k[1] .. " does not move")
    end
end

-- A ring of bars on ball joints, floating: its momenta stay too, and so does where its centre of mass goes.
function promise.a_ring_that_floats_keeps_its_momenta()
    local scene, bars = begin{gravity = {0, 0, 0}, sleep_time = 0}, {}
    for i = 1, 5 do
        local a = 2 * math.pi * i / 5
        bars[i] = scene:actor{box = {0.9, 0.1, 0.1}, at = {math.cos(a), math.sin(a), 0}, turn = {0, 0, 72 * i + 90}, mass = i}
    end
    for i = 1, 5 do
        local a = 2 * math.pi * (i + 0.5) / 5
        scene:joint("ball", bars[i], bars[i % 5 + 1], {at = {1.2 * math.cos(a), 1.2 * math.sin(a), 0}})
    end
    scene:frame()
    bars[1].spin, bars[3].velocity = {0.5, 1, 3}, {0, 0, 2}
    scene:frame()
    local function momentum()
        local sum = eigenrig.vec3(0, 0, 0)
        for i, b in ipairs(bars) do sum = sum + i * b.velocity end
        return sum
    end
    local energy, before = scene.energy.mechanical, momentum()
    for _ = 1, 600 do
        scene:frame()
        near(scene.energy.mechanical, energy, 1e-9, "energy of a ring")
        assert((momentum() - before):length() < 1e-9, "its momentum")
    end
end
