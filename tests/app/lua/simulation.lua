-- Models and worlds in full dynamics.
local vec3 = eigenrig.vec3

local function stone()
    return eigenrig.load(write_rig("stone", {{name = "a", mass = 2}, {name = "b", mass = 3, position = {5, 1, 0}}},
        {{child = 1, type = "revolute",
        position = {5, 1, 0}, stiffness = {12}}}))
end

-- A free body falls and the other one stands still: closed forms of each frame.
function promise.what_is_let_go_falls_as_all_things_do()
    local m = stone()
    local seen = {}
    local s = m:simulate{duration = 0.5, fps = 20, gravity = 4,
        progress = function(done, all) seen[#seen + 1] = done .. "/" .. all end}
    equal(#s, 11) equal(s.frames, 11) equal(s.fps, 20) equal(tostring(s), "simulation: 11 frames, 20.0 a second")
    equal(seen[#seen], "10/10")
    equal(#s.time, 11) equal(#s.energy, 11)
    local positions, orientations = s:body("a")
    equal(#positions, 11) equal(#orientations, 11)
    for k, t in ipairs(s.time) do
        close(t, (k - 1) / 20)
        local all = s:pose(k)
        equal(#all, 2) equal(all[1].name, "a") equal(all[2].index, 1)
        close(all[1].position.y, -2 * t * t, 1e-9) close(all[2].position.y, 1, 1e-9)
        equal(positions[k], all[1].position) equal(orientations[k], all[1].orientation)
        equal((s:pose(k, 0)), all[1].position) equal((s:pose(k, "b")), all[2].position)
        local e = s.energy[k]
        close(e.kinetic, 2 * (4 * t) ^ 2 / 2, 1e-9) close(e.potential - s.energy[1].potential, -2 * 4 * 2 * t * t, 1e-9)
        equal(e.elastic, 0)
        close(e.mechanical, e.kinetic + e.potential + e.elastic) equal(e.work, 0) equal(e.heat, 0)
    end
    local report = s.report
    assert(report.steps > 0 and report.evaluations > report.steps and report.rejected >= 0 and report.corrections >= 0
        and report.gap < 1e-9)
    fails("1 to 11", s.pose, s, 0) fails("1 to 11", s.pose, s, 12)
    fails("index", s.body, s, 2)
    fails("c", s.pose, s, 1, "c")
    wrong(s, "return it.enrgy", "energy")
    equal(#m:simulate(0.1), 7) equal(m:simulate(0.1).fps, 60)
    near(-m:simulate{duration = 0.5, fps = 2}:pose(2)[1].position.y, 0.5 * 9.81 * 0.25, 1e-6) -- gravity, where nobody says
end

-- A spring's energy is k q^2 / 2, and what a blow does is work.
function promise.blows_springs_and_dampers_are_accounted_for()
    local m = stone()
    m:joint(0).damping = 0.5
    local s = m:simulate{duration = 0.5, gravity = 0, push = {"joint 0:0,0,0@0", "joint 0:3@0.25"}}
    for k, e in ipairs(s.energy) do assert(s.time[k] > 0.25 + 1e-9
        or e.kinetic == 0) close(e.mechanical - s.energy[1].mechanical + e.heat, e.work, 1e-6) end
    equal(s.energy[1].work, 0)
    fails("tail_1:20@0.5", m.simulate, m, {push = {}})
    fails("1 to 64", m.simulate, m, {push = "joint 0:3@0"})
    local many = {}
    for i = 1, 64 do many[i] = "joint 0:0.01@0" end
    equal(#m:simulate{duration = 0.1, push = many}, 7)
    many[65] = many[1]
    fails("1 to 64", m.simulate, m, {push = many}) fails("push", m.simulate, m, {push = {7}})
    fails("nobody", m.simulate, m, {push = {"nobody:1@0"}})
end

function promise.options_that_are_none_are_refused()
    local m = stone()
    for key, bad in pairs{integrator = "euclid", route = "x", duration = 0, fps = 0, gravity = -1, tolerance = 2, drop = 0,
        friction = -1, restitution = 1.5, sleep = -1, limits = 3, ground = 3, self_collision = 1, static = 3, progress = 3} do
        fails(key .. ": ", m.simulate, m, {[key] = bad})
    end
    fails("from", m.simulate, m, {form = "x"}) fails("duration: ", m.simulate, m, {duration = 100001})
    fails("nobody", m.simulate, m, {hold = "nobody"}) fails("from", m.simulate, m, {from = "x@0"})
    fails("mine", m.simulate, m, {progress = function() error("mine") end})
    fails("callback", m.simulate, m, {progress = function() m:close() end})
    fails("table", m.simulate, m, "3")
    equal(#m:simulate{duration = 0.1}, 7) -- the context is free again
end

function promise.options_change_what_happens()
    local m = stone()
    local held = m:simulate{duration = 0.2, hold = "a"}
    close(held:pose(#held)[1].position.y, 0, 1e-9)
    for _, integrator in ipairs{"euler", "semi-implicit", "heun", "rk4", "fehlberg", "implicit"} do
        local s = m:simulate{duration = 0.1, gravity = 4, integrator = integrator}
        close(s:pose(#s)[1].position.y, -0.02, 0.01)
    end
    local s = m:simulate{duration = 0.1, gravity = 4, route = "multipliers"}
    close(s:pose(#s)[1].position.y, -0.02, 1e-6)
end

function promise.a_simulation_is_exported_by_its_path()
    local m = stone()
    local s = m:simulate{duration = 0.25, fps = 20}
    s:export(folder .. "/s.glb")
    local clips = clips_of(folder .. "/s.glb")
    equal(#clips, 1) near(clips[1].seconds, 0.25, 1e-6) assert(clips[1].keys >= 6)
    s:export(folder .. "/s.csv") s:export(folder .. "/s.svg") s:export(folder .. "/s")
    equal(#cells_of(folder .. "/s.csv"), 7) assert(read(folder .. "/s.svg"):find("<svg"))
    local energy = cells_of(folder .. "/s/energy.csv")
    equal(#energy, 7)
    for k = 1, 6 do close(energy[k + 1][1], s.time[k]) close(energy[k + 1][2], s.energy[k].kinetic) end
    fails("nosuch/x.glb", s.export, s, folder .. "/nosuch/x.glb") fails("nosuch/x", s.export, s, folder .. "/nosuch/x")
    -- it is of the model as it was
    local was = s:pose(3, 0)
    m.mass = 50
    collectgarbage() collectgarbage()
    equal(s:pose(3, 0), was)
    s:export(folder .. "/s2.glb")
    m = stone()
    s = m:simulate(0.1)
    m:close()
    wrong(s, "return it.fps", "model") wrong(s, "return #it", "closed")
    fails("closed", s.export, s, folder .. "/late.glb")
    assert(not eigenrig.files.exists(folder .. "/late.glb"))
    s:close()
    equal(tostring(s), "simulation (closed)")
    local one = stone():simulate{duration = 0.05, fps = 20}
    equal(tostring(one), "simulation: 2 frames, 20.0 a second")
    one:close()
    wrong(one, "return it.fps", "model")
end

function promise.a_world_in_a_file_is_simulated()
    local world = models .. "bacin/9.4.cfg"
    local seen = 0
    local s = eigenrig.simulate(world, {duration = 0.3, tolerance = 1e-5, progress = function(done, all) seen = done / all end})
    equal(seen, 1) near(s.time[#s], 0.3) near(s.fps, 30) equal(#s, 10)
    equal(#s:pose(1), 2) assert(s.report.steps > 0)
    s:export(folder .. "/world.glb")
    assert(#clips_of(folder .. "/world.glb") == 1)
    fails("hold", eigenrig.simulate, world, {hold = "*"}) fails("missing.cfg", eigenrig.simulate, "missing.cfg")
    for _, key in ipairs{"from", "ground", "drop", "static", "self_collision", "friction", "restitution", "sleep"} do
        fails(key .. ": ", eigenrig.simulate, world, {[key] = 1})
    end
    fails("mine", eigenrig.simulate, world, {duration = 0.1, progress = function() error("mine") end})
    s:close()
    wrong(s, "return #it", "closed")
end

function promise.what_is_collected_meanwhile_is_held()
    local path = write_arm()
    for _ = 1, 5 do
        local m = eigenrig.load(path)
        local function mine() setmetatable({}, {__gc = function() m:close() mine() end}) end
        mine()
        collectgarbage("generational")
        pcall(function() for _ = 1,
            40 do m:bodies() m:joints() m:modes{count = 3} m:mix("7:5") m:matrices() m:pose() local _ = m.notes, m.clips end end)
        collectgarbage("incremental")
    end
    -- what stops the collector starts it again, and not where it was stopped before
    local m = eigenrig.load(path)
    m:bodies()
    assert(collectgarbage("isrunning"))
    pcall(m.matrices, m, 3)
    assert(collectgarbage("isrunning"))
    collectgarbage("stop")
    m:bodies()
    assert(not collectgarbage("isrunning"))
    collectgarbage("restart")
    late = setmetatable({}, {__gc = function() assert(eigenrig.load(path):modes()) end})
end

function promise.callbacks_may_throw_and_wait_for_nothing()
    local m = eigenrig.load(models .. "chain_20.json")
    fails("mine", m.modes, m, {count = 4, method = "sparse", progress = function() error("mine") end})
    for _, act in ipairs{function() m:modes(2) end, function() m:close() end, function() m.mass = 1 end} do
        fails("callback", m.modes, m, {count = 4, method = "sparse", progress = act})
    end
    fails("yield", m.modes, m, {count = 4, method = "sparse", progress = coroutine.yield})
    local count = 0
    pcall(m.modes, m, {count = 4, method = "sparse", progress = function() count = count + 1 error("once") end})
    equal(count, 1)
    equal(m:modes{count = 4, method = "sparse", progress = function() collectgarbage() end}.count, 4)
    assert(m.mass > 0)
end
