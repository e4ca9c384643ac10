-- The reference solver in scenes, against closed forms.
local function scene(settings)
    settings.solver, settings.sleep_time = "reference", 0
    return eigenrig.scene(settings)
end

-- A brick slides straight ahead for v^2 / (2 mu g), in any direction.
function promise.friction_is_the_same_in_all_directions()
    local mu, v = 0.5, 5
    for _, degrees in ipairs{0, 15, 30, 45, 75} do
        local s = scene{step = 1 / 240}
        local m = s:material{friction = mu}
        s:actor{plane = true, motion = "still", material = m}
        local a = math.rad(degrees)
        local b = s:actor{box = {1, 0.2, 0.5}, at = {0, 0.1, 0}, material = m,
                          velocity = {v * math.cos(a), 0, v * math.sin(a)}}
        s:run(2)
        local p = b.position
        close(math.sqrt(p.x ^ 2 + p.z ^ 2) / (v ^ 2 / (2 * mu * 9.81)), 1, 0.01)
        close(math.atan(p.z, p.x), a, 1e-4)
    end
end

-- Within a pyramid friction half way between both tangents is sqrt(2) times as large.
function promise.a_pyramid_brakes_more_between_its_tangents()
    local function way(cone)
        local s = scene{cone = cone, step = 1 / 240}
        local m = s:material{friction = 0.5}
        s:actor{plane = true, motion = "still", material = m}
        local b = s:actor{box = {1, 0.2, 1}, at = {0, 0.1, 0}, material = m, velocity = {3, 0, 3}}
        s:run(2)
        return b.position:length()
    end
    close(way(false) / way(true), math.sqrt(0.5), 0.02)
end

-- From 2 m a ball rises to 2 e^2, 2 e^4 and 2 e^6 m.
function promise.a_ball_rebounds_to_e_squared()
    for _, e in ipairs{0.5, 0.8, 1} do
        local s = scene{}
        local m = s:material{restitution = e}
        s:actor{plane = true, motion = "still", material = m}
        local ball = s:actor{sphere = 0.1, at = {0, 2.1, 0}, material = m}
        local bounces, last, before = 0, 2, 2
        for _ = 1, 400 do
            s:frame()
            local now = ball.position.y - 0.1
            if last > before and last >= now and bounces < 3 then
                bounces = bounces + 1
                close(last / (2 * e ^ (2 * bounces)), 1, 0.01)
            end
            before, last = last, now
        end
        assert(bounces == 3, bounces)
    end
end

-- A spin that is set stays: of a bar that is hinged at its end, in a scene that moves and in one that begins.
function promise.a_set_spin_is_kept()
    for _, w in ipairs{5, 40} do
        local s = scene{gravity = {0, 0, 0}}
        local bar = s:actor{box = {1, 0.1, 0.1}, at = {0.5, 0, 0}, mass = 3}
        s:joint("hinge", nil, bar, {at = {0, 0, 0}, axis = {0, 0, 1}})
        s:frame()
        bar.spin = {0, 0, w}
        s:run(10)
        close(bar.spin.z / w, 1, 1e-6)
        local other = scene{gravity = {0, 0, 0}}
        bar = other:actor{box = {1, 0.1, 0.1}, at = {0.5, 0, 0}, mass = 3, spin = {0, 0, w}}
        other:joint("hinge", nil, bar, {at = {0, 0, 0}, axis = {0, 0, 1}})
        other:run(1)
        close(bar.spin.z / w, 1, 1e-6)
    end
end

-- A heavy end on a light arm stays at the hinge's limit, with few sweeps too.
function promise.a_limit_holds_a_heavy_end()
    for _, iterations in ipairs{50, 10000} do
        local s = scene{iterations = iterations}
        local arm = s:actor{box = {1, 0.1, 0.1}, at = {0.5, 0, 0}, mass = 0.1}
        local load = s:actor{box = {0.3, 0.3, 0.3}, at = {1.15, 0, 0}, mass = 100}
        local hinge = s:joint("hinge", nil, arm, {at = {0, 0, 0}, axis = {0, 0, 1}, limits = {-20, 20}})
        s:joint("fixed", arm, load, {at = {1, 0, 0}})
        local lowest = 0
        for _ = 1, 600 do
            s:frame()
            lowest = math.min(lowest, hinge.angle)
        end
        close(hinge.angle, -20, 0.2)
        close(lowest, -20, 3)
    end
end

-- A rope of 20 links keeps its length under a load of 1000 links, and its swing.
function promise.a_rope_bears_a_heavy_load()
    local s = scene{}
    local last, length, tilt = nil, 0.1, math.rad(10)
    local way = eigenrig.vec3(math.sin(tilt), -math.cos(tilt), 0)
    for i = 1, 20 do
        local link = s:actor{capsule = {0.01, 0.05}, at = ((i - 0.5) * length * way):totable(), turn = {0, 0, 10},
                             mass = 0.1}
        s:joint("ball", last, link, {at = ((i - 1) * length * way):totable()})
        last = link
    end
    local load = s:actor{sphere = 0.05, at = (2 * way):totable(), mass = 100}
    s:joint("ball", last, load, {at = (2 * way):totable()})
    local farthest, swing = 0, 0
    for i = 1, 600 do
        s:frame()
        farthest = math.max(farthest, math.abs(load.position:length() - 2))
        if i > 400 then swing = math.max(swing, math.deg(math.atan(math.abs(load.position.x), -load.position.y))) end
    end
    assert(farthest < 1e-3, farthest)
    close(swing, 10, 0.5)
end

-- A tower stands, and a heavy box stands on a light one.
function promise.towers_stand_under_heavy_loads()
    local s = scene{}
    s:actor{plane = true, motion = "still"}
    local top
    for i = 1, 8 do top = s:actor{box = {1, 1, 1}, at = {0, i - 0.5, 0}} end
    local heavy = s:actor{box = {1, 1, 1}, at = {0, 8.5, 0}, mass = 1e5}
    s:run(3)
    close(top.position.y, 7.5, 1e-3)
    close(heavy.position.y, 8.5, 1e-3)
end

-- A residual that is asked for and not reached stops the scene.
function promise.too_few_sweeps_are_told()
    local s = scene{iterations = 2, accuracy = 1e-9}
    s:actor{plane = true, motion = "still"}
    for i = 1, 5 do s:actor{box = {1, 1, 1}, at = {0.1 * i, i - 0.5, 0}} end
    local ok = pcall(function() s:run(0.5) end)
    assert(not ok or s.time < 0.5, s.time)
end
