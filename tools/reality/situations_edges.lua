-- Situations of seams, walls, bats and hills.
local eigenrig = require "eigenrig"

-- A square of n by n cells of side w.
local function field(n, w)
    local points, triangles = {}, {}
    for i = 0, n do for j = 0, n do points[#points + 1] = {i * w, 0, j * w} end end
    for i = 0, n - 1 do
        for j = 0, n - 1 do
            local k = i * (n + 1) + j + 1
            triangles[#triangles + 1] = {k, k + 1, k + n + 1}
            triangles[#triangles + 1] = {k + n + 1, k + 1, k + n + 2}
        end
    end
    return {points = points, triangles = triangles}
end

for number, what in pairs{[16] = "a box slides over a mesh at 4 m/s, mu = 0: speed after, m/s",
    [17] = "the same over boxes that lie flush"} do
    situation{number = number, what = what, right = 4, rivals = true,
        test = "`reality_edges`: a_slide_over_flush_shapes_keeps_its_speed", run = function(scene)
            local s = scene()
            local m = s:material{friction = 0}
            if number == 16 then s:actor{mesh = field(40, 0.5), motion = "still", material = m}
            else
                for i = 0, 19 do s:actor{box = {1, 1, 20}, at = {i + 0.5, -0.5, 10}, motion = "still", material = m} end
            end
            local box = s:actor{box = {0.6, 0.6, 0.6}, at = {1, 0.3, 1}, velocity = {4, 0, 3}, mass = 1, material = m}
            s:run(3.8)
            return box.velocity.x
        end}
end

-- How many of 200 pass a wall.
local function thrown(scene, shape, thick, speed, spin)
    local seed, passed = 1, 0
    local function random()
        seed = seed * 16807 % 2147483647
        return seed / 2147483647
    end
    local function about(most) return most * (2 * random() - 1) end
    for _ = 1, 20 do
        local s, all = scene{gravity = {0, 0, 0}, swept = true}, {}
        for i = 1, 10 do
            s:actor{box = {thick, 3, 3}, motion = "still", at = {1, 0, 5 * i}}
            local d = {mass = 0.1, at = {-0.5 * random(), about(0.5), 5 * i + about(0.5)}, velocity = {speed, 0, 0},
                orientation = eigenrig.quat({about(1), about(1), about(1)}, 360 * random()),
                spin = {about(spin), about(spin), about(spin)}}
            for k, x in pairs(shape) do d[k] = x end
            all[i] = s:actor(d)
        end
        s:run(2.4 / speed + 0.1)
        for _, a in ipairs(all) do if a.position.x > 1 then passed = passed + 1 end end
    end
    return passed
end

situation{number = 18, what = "balls at 200 m/s through a wall of 1 cm, of 200", right = 0, rivals = true,
    test = "`reality_walls`: nothing_passes_walls", run = function(scene) return thrown(scene, {sphere = 0.05}, 0.01, 200, 0) end}
situation{number = 19, what = "whirling sticks at 20 m/s through a wall of 1 cm, of 200", right = 0, rivals = true,
    test = "`reality_walls`: nothing_passes_walls", run = function(scene) return thrown(scene, {capsule = {0.01, 0.1}}, 0.01, 20, 20) end}

situation{number = 20, what = "balls that a hinged bat at 100 rad/s passes, of 10", right = 0, rivals = true,
    test = "`reality_walls`: a_bat_does_not_pass_a_ball", run = function(scene)
        local passed = 0
        for k = 0, 9 do
            local s = scene{gravity = {0, 0, 0}, swept = true}
            local bat = s:actor{box = {1, 0.05, 0.05}, at = {0.5, 0, 0}, mass = 1}
            s:joint("hinge", nil, bat, {at = {0, 0, 0}, axis = {0, 0, 1}})
            bat.spin = {0, 0, 100}
            local angle, r = math.rad(15 + 33 * k), 0.4 + 0.05 * k
            local ball = s:actor{sphere = 0.04, mass = 1, at = {r * math.cos(angle), r * math.sin(angle), 0}}
            local x, y, z
            for _ = 1, 30 do
                s:frame()
                local p = bat.orientation:inverse() * (ball.centre - bat.centre)
                if y and p.y * y < 0 and math.max(math.abs(p.x), math.abs(x)) < 0.5 and math.max(math.abs(p.z), math.abs(z)) < 0.06 then
                    passed = passed + 1
                    break
                end
                x, y, z = p.x, p.y, p.z
            end
        end
        return passed
    end}

-- A half pipe of radius 1 m along z, of 384 facets.
local function pipe()
    local points, triangles = {}, {}
    for i = 0, 384 do
        local a = math.pi * (i / 384 - 0.5)
        points[#points + 1] = {math.sin(a), 1 - math.cos(a), -2}
        points[#points + 1] = {math.sin(a), 1 - math.cos(a), 2}
        local n = 2 * i
        if i > 0 then
            triangles[#triangles + 1] = {n - 1, n, n + 1}
            triangles[#triangles + 1] = {n, n + 2, n + 1}
        end
    end
    return {points = points, triangles = triangles}
end

situation{number = 46, what = "a ball in a half pipe: its swing after a minute, m", right = 0.27, rivals = true,
    test = "`reality_hills`: a_ball_in_a_half_pipe_does_not_climb", run = function(scene)
        local s = scene()
        local m = s:material{friction = 1}
        s:actor{mesh = pipe(), motion = "still", material = m}
        local ball = s:actor{sphere = 0.1, at = {0.27, 1 - math.sqrt(0.9 ^ 2 - 0.27 ^ 2), 0}, material = m}
        local most = 0
        for i = 1, 3600 do
            s:frame()
            if i > 3400 then most = math.max(most, math.abs(ball.position.x)) end
            if ball.position.y < -1 then return 1 / 0 end
        end
        return most
    end}

situation{number = 47, what = "a ball in a trough of radius 1 m: period, s", right = 2 * math.pi * math.sqrt(1.4 * 0.9 / 9.81), rivals = true,
    test = "`reality_hills`: a_ball_swings_with_its_period", run = function(scene)
        local s = scene()
        local m = s:material{friction = 1}
        s:actor{mesh = pipe(), motion = "still", material = m}
        local ball = s:actor{sphere = 0.1, at = {0.08, 1 - math.sqrt(0.9 ^ 2 - 0.08 ^ 2), 0}, material = m}
        local passes, before = {}, 1
        for _ = 1, 900 do
            s:frame()
            local x = ball.position.x
            if before < 0 and x >= 0 then passes[#passes + 1] = s.time - s.step * x / (x - before) end
            before = x
        end
        return #passes > 1 and (passes[#passes] - passes[1]) / (#passes - 1) or "no swing"
    end}
