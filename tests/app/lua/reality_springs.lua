-- Springs in scenes, against closed forms.
local solvers = {"fast", "reference"}

-- The largest distance from `rest` over the last second of some, and the time between upward passes.
local function swing(s, seconds, rest, read)
    local largest, passes, before = 0, {}, nil
    while s.time < seconds do
        s:frame()
        local x = read() - rest
        if before and before < 0 and x >= 0 then passes[#passes + 1] = s.time - s.step * x / (x - before) end
        if s.time > seconds - 1 then largest = math.max(largest, math.abs(x)) end
        before = x
    end
    return largest, (passes[#passes] - passes[1]) / (#passes - 1)
end

-- A mass on a spring without damper swings as far after 20 s, at 10 rad/s.
function promise.a_spring_without_damper_keeps_its_amplitude()
    for _, solver in ipairs(solvers) do
        for _, step in ipairs{1 / 60, 1 / 240} do
            local s = eigenrig.scene{sleep_time = 0, gravity = {0, 0, 0}, step = step, solver = solver}
            local b = s:actor{box = {0.2, 0.2, 0.2}, mass = 2, at = {0, 0, 0}}
            s:joint("prismatic", nil, b, {at = {0, 0, 0}, axis = {1, 0, 0}, stiffness = 200, rest = 0.1})
            local amplitude, period = swing(s, 20, 0.1, function() return b.position.x end)
            close(amplitude / 0.1, 1, 0.01)
            close(period / (2 * math.pi / 10), 1, 100 * step ^ 2 / 12 * 1.05 + 1e-4)
        end
    end
end

-- A spring far stiffer than a step can follow comes to rest.
function promise.a_stiff_spring_comes_to_rest()
    for _, solver in ipairs(solvers) do
        local s = eigenrig.scene{sleep_time = 0, gravity = {0, 0, 0}, solver = solver}
        local b = s:actor{box = {0.2, 0.2, 0.2}, mass = 2, at = {0, 0, 0}}
        s:joint("prismatic", nil, b, {at = {0, 0, 0}, axis = {1, 0, 0}, stiffness = 1e7, rest = 0.01})
        for _ = 1, 600 do
            s:frame()
            assert(math.abs(b.position.x - 0.01) < 0.0101, b.position.x)
        end
        close(b.position.x, 0.01, 1e-6)
    end
end

-- The energy of a torsion spring in a hinge stays.
function promise.a_torsion_spring_keeps_its_energy()
    for _, solver in ipairs(solvers) do
        local s = eigenrig.scene{sleep_time = 0, gravity = {0, 0, 0}, solver = solver}
        local a = s:actor{box = {1, 0.1, 0.1}, mass = 1, at = {0.5, 0, 0}}
        s:joint("hinge", nil, a, {at = {0, 0, 0}, axis = {0, 0, 1}, stiffness = 20, rest = 20})
        s:frame()
        local E, least, most = s.energy.mechanical, math.huge, -math.huge
        for i = 1, 1200 do
            s:frame()
            if i > 600 then
                least, most = math.min(least, s.energy.mechanical), math.max(most, s.energy.mechanical)
            end
        end
        close(0.5 * (least + most) / E, 1, 0.1)
    end
end

-- With a damper it dies out as exp(-zeta w t).
function promise.a_damper_damps_as_much_as_it_should()
    for _, solver in ipairs(solvers) do
        local s = eigenrig.scene{sleep_time = 0, gravity = {0, 0, 0}, step = 1 / 1000, solver = solver}
        local b = s:actor{box = {0.2, 0.2, 0.2}, mass = 2, at = {0, 0, 0}}
        s:joint("prismatic", nil, b, {at = {0, 0, 0}, axis = {1, 0, 0}, stiffness = 200, damping = 2, rest = 0.1})
        local amplitude = swing(s, 5, 0.1, function() return b.position.x end)
        close(amplitude / (0.1 * math.exp(-0.5 * 4.2)), 1, 0.15)
    end
end
