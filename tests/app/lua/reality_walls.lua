-- Nothing passes through walls: thrown sticks, bricks, plates, coins and hulls, bats on hinges.

local seed = 1
local function random()
    seed = seed * 16807 % 2147483647
    return seed / 2147483647
end
local function about(most) return most * (2 * random() - 1) end

local missiles = {
    {capsule = {0.01, 0.1}}, {box = {0.2, 0.1, 0.05}}, {box = {0.2, 0.01, 0.2}}, {cylinder = {0.01, 0.2}},
    {cylinder = {0.05, 0.005}}, {sphere = 0.05}, {hull = {{0, 0, 0}, {.1, 0, 0}, {0, .1, 0}, {0, 0, .1}}},
    -- a plate of 3.5 mm along no axis of its frame
    {hull = {{-.1, -.1, -.1}, {.1, -.1, .1}, {.1, .1, .1}, {-.1, .1, -.1}, {-.1, -.1, -.095}, {.1, -.1, .105},
        {.1, .1, .105}, {-.1, .1, -.095}}},
    {parts = {{box = {0.2, 0.02, 0.02}}, {box = {0.02, 0.2, 0.02}, at = {0.1, 0, 0}}}},
}

-- Walls of 3 m square across x, in the scene's own order.
local walls = {}
for _, thick in ipairs{0.01, 0.05, 0.2} do
    walls[#walls + 1] = function(scene, at) return scene:actor{box = {thick, 3, 3}, motion = "still", at = at} end
end
-- A mesh stops from both sides.
for _, turn in ipairs{0, 180} do
    walls[#walls + 1] = function(scene, at)
        return scene:actor{mesh = {
            points = {{0, -1.5, -1.5}, {0, 1.5, -1.5}, {0, 1.5, 1.5}, {0, -1.5, 1.5}, {0, 0.1, 0.05}},
            triangles = {{1, 2, 5}, {2, 3, 5}, {3, 4, 5}, {4, 1, 5}}},
            motion = "still", at = at, orientation = eigenrig.quat({0, 1, 0}, turn)}
    end
end
walls[#walls + 1] = function(scene, at)
    local wall = scene:actor{box = {0.02, 3, 3}, motion = "led", at = at}
    scene:action(function(_, dt) wall.position = wall.position - eigenrig.vec3(10 * dt, 0, 0) end):start()
    return wall
end
for _, mass in ipairs{1, 100} do
    walls[#walls + 1] = function(scene, at) return scene:actor{box = {0.02, 3, 3}, mass = mass, at = at} end
end
walls[#walls + 1] = function(scene, at)
    local door = scene:actor{box = {0.02, 3, 3}, mass = 5, at = at}
    scene:joint("revolute", nil, door, {at = at + eigenrig.vec3(0, 0, -1.5), axis = {0, 1, 0}})
    return door
end

-- Throws a missile at each of many walls.   Returns how many were thrown.
local function throw(missile, wall, speed, spin, count)
    local scene = eigenrig.scene{sleep_time = 0, gravity = {0, 0, 0}}
    local thrown = {}
    for i = 1, count do
        local d = {mass = 0.1, at = {-0.6 * random(), about(0.5), 5 * i + about(0.5)}, velocity = {speed, 0, 0},
            orientation = eigenrig.quat({about(1), about(1), about(1)}, 360 * random()),
            spin = {about(spin), about(spin), about(spin)}}
        for k, x in pairs(missile) do d[k] = x end
        local there = wall(scene, eigenrig.vec3(1, 0, 5 * i))
        thrown[i] = {scene:actor(d), there, (there.orientation * eigenrig.vec3(1, 0, 0)).x > 0 and 1 or -1}
    end
    for _ = 1, math.ceil(2 / speed * 60) + 6 do
        scene:frame()
        for _, t in ipairs(thrown) do
            local p = t[2].orientation:inverse() * (t[1].centre - t[2].position)
            if math.abs(p.y) < 1.4 and math.abs(p.z) < 1.4 and not (p.x * t[3] < 0) then
                error(("%s passed a wall at %g m/s"):format(next(missile), speed))
            end
        end
    end
    return count
end

function promise.nothing_passes_walls()
    local thrown = 0
    local each = os.getenv("EIGENRIG_EVERY") and 44 or 2
    for _, speed in ipairs{5, 30, 200} do
        for _, wall in ipairs(walls) do
            for _, missile in ipairs(missiles) do thrown = thrown + throw(missile, wall, speed, 40, each) end
        end
    end
    assert(thrown >= (each > 2 and 10000 or 400), thrown)
    equal(told(), "")
end

function promise.nothing_passes_a_wall_at_a_thousand_metres_a_second()
    for _, missile in ipairs(missiles) do throw(missile, walls[1], 1000, 100, 4) end
end

-- Terrain of heights, its cells larger than what falls on it.
function promise.nothing_falls_through_heights()
    local scene = eigenrig.scene{sleep_time = 0}
    local values = {}
    for i = 1, 400 do values[i] = 0.3 * random() end
    scene:actor{heights = {columns = 20, step = 2, values = values}, motion = "still"}
    local fallen = {}
    for i, missile in ipairs(missiles) do
        for k = 1, 4 do
            local d = {mass = 0.1, at = {3 * i, 2 + random(), -6 * k}, velocity = {about(20), -60, about(20)},
                spin = {about(60), about(60), about(60)}}
            for key, x in pairs(missile) do d[key] = x end
            fallen[#fallen + 1] = scene:actor(d)
        end
    end
    for _ = 1, 30 do
        scene:frame()
        for _, a in ipairs(fallen) do
            local p = a.centre
            assert(p.y > -0.02 or p.x < 0 or p.z > 0 or p.x > 38 or p.z < -38, p.y)
        end
    end
end

-- A bat of 1 m that turns by up to 1.67 rad in a step. The ball does not come to its other side.
local function swing(bat, half, ball, steps)
    local scene, x, y, z = bat.scene, nil, nil, nil
    for _ = 1, steps do
        scene:frame()
        local p = bat.orientation:inverse() * (ball.centre - bat.centre)
        if y ~= nil and p.y * y < 0 and math.max(math.abs(p.x), math.abs(x)) < half and
            math.max(math.abs(p.z), math.abs(z)) < 0.06 then
            error(("at %g and then %g of the bat"):format(y, p.y))
        end
        x, y, z = p.x, p.y, p.z
    end
end

function promise.a_bat_does_not_pass_a_ball()
    for _, rate in ipairs{20, 60, 100} do
        for _, mass in ipairs{0.05, 1, 20} do
            for k = 0, 9 do
                local scene = eigenrig.scene{sleep_time = 0, gravity = {0, 0, 0}}
                local bat = scene:actor{box = {1, 0.05, 0.05}, at = {0.5, 0, 0}, mass = 1}
                scene:joint("revolute", nil, bat, {at = {0, 0, 0}, axis = {0, 0, 1}})
                bat.spin = {0, 0, rate}
                local angle, r = math.rad(15 + 33 * k), 0.4 + 0.05 * k
                local ball = scene:actor{sphere = 0.04, mass = mass,
                    at = {r * math.cos(angle), r * math.sin(angle), 0}}
                swing(bat, 0.5, ball, 30)
                assert(ball.velocity:length() > 0)
            end
        end
    end
end

function promise.a_whirling_stick_does_not_pass_a_ball_and_gains_no_energy()
    for _, rate in ipairs{20, 60, 100} do
        for k = 0, 9 do
            local scene = eigenrig.scene{sleep_time = 0, gravity = {0, 0, 0}}
            local stick = scene:actor{box = {2, 0.05, 0.05}, mass = 2, spin = {0, 0, rate}}
            local angle, r = math.rad(15 + 33 * k), 0.4 + 0.05 * k
            local ball = scene:actor{sphere = 0.04, mass = 0.05, at = {r * math.cos(angle), r * math.sin(angle), 0}}
            swing(stick, 1, ball, 30)
            local spin = stick.orientation:inverse() * stick.spin
            local across = 2 / 12 * (4 + 0.05 ^ 2)
            local energy = stick.velocity:dot(stick.velocity) + 0.025 * ball.velocity:dot(ball.velocity) +
                0.5 * (2 / 12 * 2 * 0.05 ^ 2 * spin.x ^ 2 + across * (spin.y ^ 2 + spin.z ^ 2))
            assert(energy <= 0.5 * across * rate ^ 2 * (1 + 1e-9), energy)
        end
    end
end

-- A missile that could have reached a wall and misses it feels nothing.
function promise.what_misses_goes_on()
    for i = 1, 6 do
        local missile = missiles[i]
        local scene = eigenrig.scene{sleep_time = 0, gravity = {0, 0, 0}}
        scene:actor{box = {0.01, 3, 3}, motion = "still", at = {1, 0, 0}}
        local d = {mass = 0.1, at = {0, 1.75, 0}, velocity = {50, 0, 0}, spin = {3, 50, 7}}
        for k, x in pairs(missile) do d[k] = x end
        local actor = scene:actor(d)
        local from = actor.centre
        local velocity = actor.velocity
        scene:run(0.1)
        same(actor.velocity, velocity, 1e-9)
        same(actor.centre - from, velocity * 0.1, 1e-6)
    end
end
