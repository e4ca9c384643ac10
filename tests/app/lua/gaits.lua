-- Gaits of a walker of five bodies, and what is made of them.
local vec3 = eigenrig.vec3

local steps = "7:7.2256853459538@1x+2.97,13:25.404490269865@1x-2.97,12:16.042818263663@2x+180"

local function walker()
    local m = eigenrig.load(write_walker())
    told()
    return m
end

function promise.a_search_finds_a_walk_and_tells_how_far_it_is()
    local m, seen, last = walker(), 0, 0
    local gaits = m:gaits{best = 3, modes = 12, progress = function(done, all)
        assert(done >= last and done <= all)
        last, seen = done, seen + 1
    end}
    assert(#gaits >= 1 and #gaits <= 3 and gaits[1].family == "walk" and gaits.tried > 1000 and seen > 1)
    equal(gaits:named(gaits[1].name).score, gaits[1].score) equal(gaits:named("canter"), nil)
    local mix = gaits[1].mix
    near(mix.cycle, 1 / gaits[1].hz)
    fails("best", m.gaits, m, 101)
end

function promise.a_gait_measures_up_to_its_own_numbers()
    local m = walker()
    local gaits = m:gaits{mix = steps}
    equal(#gaits, 1) equal(gaits.count, 1) equal(tostring(gaits), "1 gait") equal(gaits.tried, 1)
    same(gaits.up, {0, 1, 0}) same(gaits.forward, {0, 0, 1})
    assert(gaits.facing > 0.5 and gaits.facing <= 1 and gaits.symmetry < 1e-6)
    near(gaits.leg, 0.87731579349, 0.1) assert(#gaits.notes >= 1 and type(gaits.notes[1]) == "string")
    equal(#gaits.feet, 2)
    for i, side in ipairs{"Left", "Right"} do
        local foot = gaits.feet[i]
        equal(foot.name, side:sub(1, 1)) equal(foot.body, side .. "Foot") equal(foot.sole, side .. "Foot")
        equal(foot.trunk, "Hips") near(foot.reach, 0.82, 0.1)
    end
    local g = gaits[1]
    equal(gaits[0], nil) equal(gaits[2], nil) equal(gaits[1.5], nil) equal(gaits:named(g.name).hz, g.hz)
    equal(g.family, "walk") equal(tostring(g), ('gait "%s": %.14g m/s'):format(g.name, g.speed))
    near(g.speed, g.stride * g.hz) near(g.froude, g.speed ^ 2 / (9.81 * gaits.leg))
    near(60 / g.hz, math.floor(60 / g.hz + 0.5), 1e-9)
    near(g.duty, (g.steps[1].duty + g.steps[2].duty) / 2) equal(#g.steps, 2) equal(g.steps[1].foot, "L")
    equal(g.steps[2].foot, "R")
    close(g.steps[2].phase - g.steps[1].phase, 0.5, 1e-3)
    assert(g.steps[1].duty > 0.5 and g.steps[1].clearance > 0 and g.steps[1].clearance < 0.2)
    near(g.clearance, math.min(g.steps[1].clearance, g.steps[2].clearance))
    assert(g.slip > 0 and g.slip < 1 and g.bob > 0 and g.bob < 0.2 and g.flight == 0)
    assert(g.own_hz > g.hz and g.cost > 0 and g.score > 0 and g.score < 1)
    local mix = g.mix
    equal(#mix.components, 3) near(mix.cycle, 1 / g.hz)
    for i, want in ipairs{{7, 7.2256853459538, 1}, {13, 25.404490269865, 1}, {12, 16.042818263663, 2}} do
        equal(mix.components[i].mode, want[1]) near(mix.components[i].degrees, want[2], 1e-6) equal(mix.components[i].harmonic, want[3])
    end
    gaits:close()
    equal(tostring(gaits), "gaits (closed)") wrong(gaits, "return it.count", "closed") wrong(g, "return it.hz", "closed")
end

-- Pace, direction and gravity are as requested.
function promise.options_of_gaits_are_heeded()
    local m = walker()
    local function gait(options)
        options.mix = steps
        local gaits = m:gaits(options)
        return gaits[1], gaits
    end
    near(gait{hz = 2}.hz, 2) near(gait{hz = 1.07, fps = 0}.hz, 1.07) near(gait{hz = 1.07}.hz, 60 / 56)
    near(gait{hz = 1.07, fps = 10}.hz, 10 / 9)
    near(gait{speed = 0.5, fps = 0}.speed, 0.5, 0.05)
    local slow = gait{fps = 0, gravity = 9.81 / 4}
    near(slow.hz, gait{fps = 0}.hz / 2, 1e-6) near(slow.froude, slow.speed ^ 2 / (9.81 / 4 * select(2, gait{}).leg))
    same(select(2, gait{forward = "z"}).forward, {0, 0, 1}) same(select(2, gait{forward = "-z"}).forward, {0, 0, -1})
    same(select(2, gait{forward = {0, 0, 3}, up = "y"}).forward, {0, 0, 1})
    assert(#select(2, gait{feet = "Left*Foot,RightLeg"}).feet == 2
        and select(2, gait{feet = "Left*Foot,RightLeg"}).feet[2].body == "RightLeg")
    local plain = gait{}.score
    for _, word in ipairs{"slip", "effort", "excursion"} do assert(gait{weights = {[word] = 50}}.score ~= plain, word) end
    equal(gait{weights = {slip = 1}}.score, plain)
    same(m:gaits{mix = steps, up = {0, 1, 0.2}}.up, vec3(0, 1, 0.2):unit())
    fails("best", m.gaits, m, {best = 0}) fails("best", m.gaits, m, {best = 101})
    fails("modes", m.gaits, m, {modes = 65})
    fails("modes", m.gaits, m, {modes = 0})
    fails("slip", m.gaits, m, {weights = {slp = 1}})
    fails("weights.slip", m.gaits, m, {weights = {slip = -1}})
    fails("gravity", m.gaits, m, {gravity = 0}) fails("hz", m.gaits, m, {hz = 1001})
    fails("forward", m.gaits, m, {forward = "w"})
    fails("best", m.gaits, m, {bst = 1}) fails("table", m.gaits, m, "2")
    fails("99", m.gaits, m, {mix = "99:1"})
    fails("mine", m.gaits, m, {modes = 4, progress = function() error("mine") end})
    fails("callback", m.gaits, m, {modes = 4, progress = function() m:close() end})
end

function promise.gaits_are_drawn()
    local gaits = walker():gaits{mix = steps}
    gaits:footfalls(folder .. "/feet.svg") gaits:strip(folder .. "/strip.svg")
    local feet, strip = read(folder .. "/feet.svg"), read(folder .. "/strip.svg")
    assert(feet:find("<svg") and strip:find("<svg") and feet ~= strip and feet:find("walk") and strip:find("walk"))
    for _, draw in ipairs{gaits.footfalls, gaits.strip} do fails(".svg", draw, gaits, folder .. "/x.png") end
    assert(not eigenrig.files.exists(folder .. "/x.png"))
end

function promise.gaits_are_exported_on_the_spot_and_travelling()
    local m, path = walker(), folder .. "/g.glb"
    local gaits = m:gaits{mix = steps}
    local g, stride = gaits[1], 1 / gaits[1].hz
    local function clips(count, what, options)
        equal(m:export(path, what, options), count)
        local made = {}
        for _, clip in ipairs(clips_of(path)) do if clip.keys > 3 then made[#made + 1] = clip end end
        equal(#made, count)
        return made
    end
    for _, what in ipairs{gaits, g, {g}} do
        local two = clips(2, what)
        equal(two[1].name, g.name) equal(two[2].name, g.name .. " travels") near(two[1].seconds, stride, 1e-6)
        near(two[2].seconds, stride, 1e-6)
    end
    equal(clips(1, g, {travels = true})[1].name, g.name .. " travels") equal(clips(1, g, {travels = false})[1].name, g.name)
    equal(clips(2, g, {name = "mine"})[2].name, "mine travels")
    near(clips(1, g, {travels = false, duration = 3.2 * stride})[1].seconds, 3 * stride, 1e-6)
    near(clips(1, g, {travels = false, mix = m:modes().rigid_count .. ":5@1x"})[1].seconds, stride, 1e-6)
    near(clips(1, g, {travels = false, over = m.clips[1].name})[1].seconds, stride, 1e-6)
    equal(clips(3, {g, "9:5"}, {fps = 60})[3].seconds, clips(1, "9:5")[1].seconds)
    local keys = clips(1, g, {travels = false, tolerance = 5})[1].keys
    assert(keys < clips(1, g, {travels = false})[1].keys)
    assert(clips(1, g, {travels = false, fps = 30})[1].keys < clips(1, g, {travels = false, fps = 120})[1].keys)
    equal(m:export(folder .. "/g.csv", g), 1) equal(m:export(folder .. "/g.bvh", g, {travels = true}), 1)
    local still, goes = nil, read(folder .. "/g.bvh")
    m:export(folder .. "/g.bvh", g, {travels = false})
    still = read(folder .. "/g.bvh")
    assert(still ~= goes)
    fails("loop", m.export, m, path, g, {loop = true})
    fails("amplitude", m.export, m, path, g, {amplitude = 1})
    fails("name", m.export, m, path, {g, "9:5"}, {name = "x"})
    fails("travels", m.export, m, path, g, {travels = 3})
    m:joint("Spine").hz = 3
    fails(g.name, m.export, m, path, gaits)
    equal(g.family, "walk") equal(g.mix.components[1].harmonic, 1) -- of what they were
    m:close()
    wrong(g, "return it.hz", "model")
    told()
end

function promise.a_preset_is_a_mix_of_the_model()
    local m = walker()
    local sway = m:preset("sway")
    assert(#sway.components >= 1 and sway.cycle > 0)
    fails("nosuch", m.preset, m, "nosuch") fails("#2", m.preset, m)
    -- a model that says what stays says it of mixes too
    local planted = eigenrig.load(write_walker("planted"), {feet = "*Foot", plant = "feet"})
    told()
    local mix = planted:mix("9:10")
    local function foot(motion) return ((motion:pose(motion.duration / 4, "LeftFoot")) - (planted:pose("LeftFoot"))):length() end
    assert(foot(mix:motion()) < 0.2 * foot(mix:motion{plant = "none"}))
    assert(foot(mix:motion{plant = "feet"}) == foot(mix:motion()))
end

function promise.a_gait_is_tried_on_the_ground()
    local m = eigenrig.load(os.getenv("EIGENRIG_SOURCE") .. "/models/horse.glb")
    local g = m:gaits{mix = "9:7.83@1x-9,13:11.6@1x+21,12:2.5@2x+23"}[1]
    local walk, how = g:simulate{duration = 0.3, push = 0}
    equal(#walk, walk.frames) near(walk.time[#walk], 0.3, 0.01) equal(how.fell, false) near(how.time, 0.3, 0.01) equal(how.bears, nil)
    assert(math.abs(how.distance) < 1 and how.cost > 0 and how.torque > 0 and how.pushes == 0)
    near(how.lengths * select(2, g:simulate{duration = 0.3, push = 0}).distance, how.distance * how.lengths)
    assert(#g:simulate{duration = 0.25, fps = 120, push = 0} > 30)
    equal(select(2, g:simulate{lengths = 0.1}).pushes, 4)
    assert(select(2, g:simulate{duration = 0.3, friction = 0, push = 0}).distance ~= how.distance)
    for key, bad in pairs{duration = -1, lengths = 0, push = -1, fps = 1e5, gain = 0, friction = -1} do
        fails(key .. ": ", g.simulate, g, {[key] = bad})
    end
    fails("gain", g.simulate, g, {gain = 2}) -- it has feet
    fails("table", g.simulate, g, "x") fails("gain", g.simulate, g, {gian = 2})
    equal(m:export(folder .. "/again.glb", g), 2)
    local position, orientation = walk:pose(3, "chest")
    equal(walk:body("chest")[3], position) equal(select(2, walk:body("chest"))[3], orientation)
    walk:export(folder .. "/walk.glb")
    assert(#clips_of(folder .. "/walk.glb") >= 1)
end

-- ---- In a living scene

function promise.a_clip_leads_a_character_again_and_again()
    local m = walker()
    local s = eigenrig.scene{gravity = {0, 0, 0}}
    local c, clip = s:add(m, {clip = m.clips[1].name}), m.clips[1].name -- a second: the spine turns by ten degrees, and back
    local function bend() return select(2, (c:actor("Hips").orientation:inverse() * c:actor("Spine").orientation):turn()) end
    for k = 1, 150 do
        s:frame()
        local t = k / 60 % 1
        close(bend(), t < 0.5 and 20 * t or 20 * (1 - t), 0.2)
        same(c:actor("Hips").position, m:body("Hips").position, 1e-6)
    end
    fails("mix", s.add, s, m, {clip = clip, mix = steps})
    fails("nosuch", s.add, s, m, {clip = "nosuch"})
    fails("mix", s.add, s, m, {mix = steps, gait = m:gaits{mix = steps}[1]})
    fails(".gait", s.add, s, m, {gait = 3})
    equal(s:add(m, {floor = 0, clip = clip}):actor("Hips").position.y > 0.5, true)
end

function promise.a_gait_leads_a_character_along()
    local m = walker()
    local g = m:gaits{mix = steps}[1]
    local frames = math.floor(60 / g.hz + 0.5)
    local s = eigenrig.scene{gravity = {0, 0, 0}}
    local c, big = s:add(m, {gait = g}), s:add(m, {gait = g, scale = 2, at = {50, 0, 0}})
    s:frame()
    local rows, wide = {}, {}
    for k = 1, 2 * frames do
        rows[k], wide[k] = {}, {}
        for i, a in ipairs(c:actors()) do rows[k][i], wide[k][i] = a.position, big:actors()[i].position end
        s:frame()
    end
    for k = 1, frames do
        for i = 1, #rows[k] do
            same(rows[k + frames][i] - rows[k][i], {0, 0, g.stride}, 2e-3)
            same(wide[k][i] - vec3(50, 0, 0), 2 * rows[k][i], 1e-6)
        end
    end
    assert((rows[frames // 2][4] - rows[1][4]):length() > 0.05)
end

function promise.a_model_that_stands_along_z_stands_upright_in_a_scene()
    local text = read(write_walker()):gsub("OFFSET (%S+) (%S+) (%S+)", "OFFSET %1 %3 %2"):gsub("\n0 90 0 ", "\n0 0 90 ")
    local lying = eigenrig.load(write("lying.bvh", text))
    told()
    local s = eigenrig.scene{gravity = {0, 0, 0}}
    local c = s:add(lying, {clip = lying.clips[1].name, at = {1, 2, 3}})
    for i, a in ipairs(c:actors()) do
        local p = lying:body(i - 1).position -- z is up, and so -y forward
        same(a.position, {p.x + 1, p.z + 2, 3 - p.y}, 1e-6)
    end
    s:run(0.25)
    same(c:actor("Hips").position, lying:body(0).position.x * vec3(1, 0, 0) + vec3(1, lying:body(0).position.z + 2,
        3 - lying:body(0).position.y), 1e-6)
    local floor = s:add(lying, {floor = 0.5})
    local lowest = math.huge
    for _, a in ipairs(floor:actors()) do
        local low, high = a:box()
        for _, x in ipairs{low.x, high.x} do for _, y in ipairs{low.y, high.y} do for _, z in ipairs{low.z, high.z} do
            lowest = math.min(lowest, a:to_world({x, y, z}).y)
        end end end
    end
    close(lowest, 0.5, 0.05)
    -- whoever is taken out is led no more, and leads nobody else astray
    c:actor("Spine"):remove()
    s:frame()
    c:remove()
    s:frame()
    equal(#s:actors(), 8) equal(told(), "")
end
