-- Situations of what hangs, is hinged or is driven.
local eigenrig = require "eigenrig"
local G = 9.81

for number, solver in pairs{[24] = "fast", [25] = "reference"} do
    local heavy = number == 25
    situation{number = number, what = heavy and "a hinge stops 100 kg on an arm of 0.1 kg, reference, degrees"
            or "a hinge stops an arm of 10 kg at -20 degrees", solver = solver, right = -20, rivals = true,
        test = heavy and "`reality_reference`: a_limit_holds_a_heavy_end" or "`reality_hanging`: a_hinge_stops_at_its_limits", run = function(scene)
            local s = scene()
            local arm = s:actor{box = {1, 0.1, 0.1}, at = {0.5, 0, 0}, mass = heavy and 0.1 or 10}
            s:joint("hinge", nil, arm, {at = {0, 0, 0}, axis = {0, 0, 1}, limits = {-20, 20}})
            if heavy then
                local load = s:actor{box = {0.3, 0.3, 0.3}, at = {1.15, 0, 0}, mass = 100}
                s:joint("fixed", arm, load, {at = {1, 0, 0}})
            end
            s:run(5)
            local way = arm.orientation * eigenrig.vec3(1, 0, 0)
            return math.deg(math.atan(way.y, way.x))
        end}
end

situation{number = 28, what = "a motor of at most 81 N m on 0.135 kg m^2: spin after 1 s", right = 600, rivals = true,
    test = "`reality_motors`: a_bounded_motor_gives_all_of_its_bound", run = function(scene)
        local s = scene{gravity = {0, 0, 0}}
        local wheel = s:actor{cylinder = {0.3, 0.1}, along = "z", mass = 3}
        s:joint("hinge", nil, wheel, {at = {0, 0, 0}, axis = {0, 0, 1}, speed = 1e4, most = 81})
        s:run(1)
        return wheel.spin.z
    end}

-- A rope of n links of 10 cm, tilted, with a ball at its end.   @return the ball, the length
local function rope(s, n, link_mass, ball_mass, tilt, hook)
    local way = eigenrig.vec3(math.sin(tilt), -math.cos(tilt), 0)
    local last = hook
    for i = 1, n do
        local link = s:actor{capsule = {0.01, 0.05}, at = ((i - 0.5) * 0.1 * way):totable(), turn = {0, 0, math.deg(tilt)}, mass = link_mass}
        s:joint("ball", last, link, {at = ((i - 1) * 0.1 * way):totable()})
        last = link
    end
    local ball = s:actor{sphere = 0.05, at = (n * 0.1 * way):totable(), mass = ball_mass}
    s:joint("ball", last, ball, {at = (n * 0.1 * way):totable()})
    return ball, n * 0.1
end

local function swing_of(s, ball, from, to)
    local most, length = 0, ball.position:length()
    s:run(from)
    if ball.position:length() > 1.2 * length then return "comes apart" end
    for _ = 1, math.floor((to - from) / s.step) do
        s:frame()
        local p = ball.position
        most = math.max(most, math.deg(math.atan(math.abs(p.x), -p.y)))
    end
    return most
end

for number, solver in pairs{[29] = "fast", [31] = "reference"} do
    situation{number = number, what = number == 29 and "a rope of 20 links bears 1000 times a link: longest, m" or "the same with the reference solver",
        solver = solver, right = 2, rivals = true, format = "%.5g",
        test = number == 29 and "`reality_hanging`: a_rope_keeps_its_length_under_a_thousand_times_its_mass" or "`reality_reference`: a_rope_bears_a_heavy_load",
        run = function(scene)
            local s, longest = scene(), 0
            local ball = rope(s, 20, 0.1, 100, math.rad(10))
            for _ = 1, 300 do
                s:frame()
                longest = math.max(longest, ball.position:length())
            end
            return longest
        end}
end

situation{number = 30, what = "a bob of 20 times its rope: swing after 20 s, degrees", right = 11.46, rivals = true,
    test = "`reality_hanging`: a_rope_keeps_its_swing_whatever_its_load", run = function(scene)
        local s = scene()
        return swing_of(s, rope(s, 20, 0.1, 40, math.rad(11.46)), 17, 20)
    end}

local function pendulum(s, degrees, at)
    local a = math.rad(degrees)
    local p = eigenrig.vec3(table.unpack(at or {0, 0, 0}))
    local way = eigenrig.vec3(math.sin(a), -math.cos(a), 0)
    local bar = s:actor{box = {0.1, 1, 0.1}, at = (p + 0.5 * way):totable(), turn = {0, 0, degrees}, mass = 1}
    s:joint("hinge", nil, bar, {at = p:totable(), axis = {0, 0, 1}})
    return bar, function()
        local u = bar.orientation * eigenrig.vec3(0, -1, 0)
        return math.deg(math.atan(math.abs(u.x), -u.y))
    end
end

local function widest(s, angle, from, to)
    local most = 0
    s:run(from)
    for _ = 1, math.floor((to - from) / s.step) do
        s:frame()
        most = math.max(most, angle())
    end
    return most
end

situation{number = 34, what = "a pendulum from 150 degrees: swing after 60 s, degrees", right = 150, rivals = true,
    test = "`reality_hanging`: a_pendulum_keeps_its_swing_from_any_angle", run = function(scene)
        local s = scene()
        local _, angle = pendulum(s, 150)
        return widest(s, angle, 55, 60)
    end}

situation{number = 38, what = "a pendulum, a led box 100 m away: swing after 30 s, degrees", right = 120, rivals = true,
    test = "`reality_hanging`: a_led_body_far_away_takes_nothing_from_a_pendulum", run = function(scene)
        local s = scene()
        s:actor{box = {1, 1, 1}, at = {100, 0, 0}, motion = "led"}
        local _, angle = pendulum(s, 120)
        return widest(s, angle, 26, 30)
    end}

-- A thin rod on a ball joint, let go at 30 degrees: its swing after some seconds, on the world or on a still actor.
for number, hook in pairs{[35] = false, [36] = true} do
    situation{number = number, what = hook and "the same on a still actor" or "a thin rod on a ball joint: swing after 10 s, degrees",
        right = 30, rivals = true, test = hook and "`reality_hanging`: a_rope_swings_alike_on_the_world_a_still_and_a_led_hook"
            or "`reality_hanging`: a_thin_rod_on_a_ball_joint_does_not_spin_itself_up", run = function(scene)
            local s = scene()
            local still = hook and s:actor{box = {0.1, 0.1, 0.1}, at = {0, 0.2, 0}, motion = "still"} or nil
            local a = math.rad(30)
            local rod = s:actor{cylinder = {0.01, 1}, at = {0.5 * math.sin(a), -0.5 * math.cos(a), 0}, turn = {0, 0, 30}, mass = 1}
            s:joint("ball", still, rod, {at = {0, 0, 0}})
            return swing_of(s, rod, 7, 10)
        end}
end

situation{number = 37, what = "a crane turns 500 kg on a chain: their swing, degrees", right = "< 25", limit = 25, rivals = true,
    test = "`reality_hanging`: a_crane_swings_its_load_and_does_not_fall_over", run = function(scene)
        local s = scene()
        local mast = s:actor{box = {0.5, 10, 0.5}, at = {0, 5, 0}, motion = "still"}
        local jib = s:actor{box = {6, 0.4, 0.4}, at = {3, 10.3, 0}, mass = 400}
        s:joint("hinge", mast, jib, {at = {0, 10.3, 0}, axis = {0, 1, 0}, speed = 0.3, most = 5000})
        local last, most = jib, 0
        for i = 1, 10 do
            local link = s:actor{capsule = {0.03, 0.3}, at = {5.8, 10.3 - 0.4 * (i - 0.5), 0}, mass = 2}
            s:joint("ball", last, link, {at = {5.8, 10.3 - 0.4 * (i - 1), 0}})
            last = link
        end
        local load = s:actor{box = {0.6, 0.6, 0.6}, at = {5.8, 5.9, 0}, mass = 500}
        s:joint("ball", last, load, {at = {5.8, 6.3, 0}})
        for _ = 1, 1200 do
            s:frame()
            local hook = jib.position + jib.orientation * eigenrig.vec3(2.8, 0, 0)
            local d = load.position - hook
            most = math.max(most, math.deg(math.atan(math.sqrt(d.x ^ 2 + d.z ^ 2), -d.y)))
        end
        return most
    end}

-- A thin bar on a pivot that is shaken by 0.1 m at 60 rad/s: upright is stable from a w > sqrt(2 g l).
situation{number = 43, what = "Kapitza's pendulum: farthest from upright, degrees", right = "< 20", limit = 20, rivals = true,
    test = "`reality_hanging`: a_shaken_pendulum_stands_upright_above_the_threshold", run = function(scene)
        local s = scene{step = 1 / 240}
        local pivot = s:actor{box = {0.1, 0.1, 0.1}, motion = "led"}
        local a, most = math.rad(10), 0
        local bar = s:actor{box = {0.05, 1, 0.05}, at = {-0.5 * math.sin(a), 0.5 * math.cos(a), 0}, turn = {0, 0, 10}, mass = 1}
        s:joint("hinge", pivot, bar, {at = {0, 0, 0}, axis = {0, 0, 1}})
        for i = 1, 1200 do
            pivot.position = {0, 0.1 * math.sin(80 * i * s.step), 0}
            s:frame()
            local u = bar.orientation * eigenrig.vec3(0, 1, 0)
            most = math.max(most, math.deg(math.acos(math.max(-1, math.min(1, u.y)))))
        end
        return most
    end}

-- Two bars, from the horizontal: where the lower end is after 3 s, by Runge and Kutta's rule on Lagrange's equations.
local function double_pendulum(seconds)
    local m, l = 1, 1
    local J = m * (l ^ 2 + 0.1 ^ 2) / 12
    local function f(x)
        local a, b, p, q = table.unpack(x)
        local A, B, C = J + m * l ^ 2 / 4 + m * l ^ 2, 0.5 * m * l ^ 2 * math.cos(a - b), J + m * l ^ 2 / 4
        local s = 0.5 * m * l ^ 2 * math.sin(a - b)
        local r, t = -s * q ^ 2 - 1.5 * m * G * l * math.sin(a), s * p ^ 2 - 0.5 * m * G * l * math.sin(b)
        local det = A * C - B * B
        return {p, q, (r * C - B * t) / det, (A * t - B * r) / det}
    end
    local function add(x, k, c) return {x[1] + c * k[1], x[2] + c * k[2], x[3] + c * k[3], x[4] + c * k[4]} end
    local x, h = {math.pi / 2, math.pi / 2, 0, 0}, 1e-4
    for _ = 1, math.floor(seconds / h + 0.5) do
        local k1 = f(x)
        local k2 = f(add(x, k1, h / 2))
        local k3 = f(add(x, k2, h / 2))
        local k4 = f(add(x, k3, h))
        for i = 1, 4 do x[i] = x[i] + h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]) end
    end
    return math.deg(x[2])
end

situation{number = 62, what = "a double pendulum at 1/1000 s: angle after 2 s, degrees",
    right = double_pendulum(2), near = 1, rivals = true, test = "`tests/dynamics/test_motions.c`: a_double_pendulum_swings_as_lagrange_says", run = function(scene)
        local s = scene{step = 1 / 1000}
        local a = s:actor{box = {1, 0.1, 0.1}, at = {0.5, 0, 0}, mass = 1}
        local b = s:actor{box = {1, 0.1, 0.1}, at = {1.5, 0, 0}, mass = 1}
        s:joint("hinge", nil, a, {at = {0, 0, 0}, axis = {0, 0, 1}})
        s:joint("hinge", a, b, {at = {1, 0, 0}, axis = {0, 0, 1}})
        local turned, before = 90, 90
        for _ = 1, 2000 do
            s:frame()
            local u = b.orientation * eigenrig.vec3(1, 0, 0)
            local now = math.deg(math.atan(u.x, -u.y))
            turned = turned + (now - before + 180) % 360 - 180
            before = now
        end
        return turned
    end}

-- Two equal cranks and a coupler, in a plane.   @return a function that gives the energy
local function four_bar(s, angle, spin, lengths)
    local a = math.rad(angle)
    local way = eigenrig.vec3(math.cos(a), math.sin(a), 0)
    local left = s:actor{box = {1, 0.05, 0.05}, at = (0.5 * way):totable(), turn = {0, 0, angle}, mass = 1, spin = {0, 0, spin},
        velocity = {-0.5 * spin * math.sin(a), 0.5 * spin * math.cos(a), 0}}
    local right = s:actor{box = {1, 0.05, 0.05}, at = (0.5 * way + eigenrig.vec3(2, 0, 0)):totable(), turn = {0, 0, angle}, mass = 1,
        spin = {0, 0, spin}, velocity = {-0.5 * spin * math.sin(a), 0.5 * spin * math.cos(a), 0}}
    local coupler = s:actor{box = {2, 0.05, 0.05}, at = (way + eigenrig.vec3(1, 0, 0)):totable(), mass = 2,
        velocity = {-spin * math.sin(a), spin * math.cos(a), 0}}
    local axis = {0, 0, 1}
    s:joint("hinge", nil, left, {at = {0, 0, 0}, axis = axis})
    s:joint("hinge", left, coupler, {at = way:totable(), axis = axis})
    s:joint("hinge", nil, right, {at = {2, 0, 0}, axis = axis})
    s:joint("hinge", right, coupler, {at = (way + eigenrig.vec3(2, 0, 0)):totable(), axis = axis})
    return function()
        local e = 0
        for i, b in ipairs{left, right, coupler} do
            local m, I = i == 3 and 2 or 1, (i == 3 and 2 * (4 + 0.0025) or 1.0025) / 12
            e = e + 0.5 * m * b.velocity:dot(b.velocity) + 0.5 * I * b.spin.z ^ 2 + m * G * b.position.y
        end
        return e
    end, left, right
end

situation{number = 63, what = "a four-bar swings: change of its energy in 10 s, share", right = 0, near = 0.01, rivals = true,
    test = "`reality_joints`: linkages_keep_their_energy", run = function(scene)
        local s = scene()
        local energy = four_bar(s, -60, 0)
        local before = energy()
        s:run(10)
        local change = (energy() - before) / (4 * G * 1 * (1 - math.sin(math.rad(60))) * 0.75)
        return math.floor(1e6 * change + 0.5) / 1e6
    end}

situation{number = 64, what = "a parallelogram passes its flat pose: turn in 3 s, degrees", right = math.deg(9), rivals = true,
    test = "`reality_hanging`: a_parallelogram_passes_its_flat_pose", run = function(scene)
        local s = scene{gravity = {0, 0, 0}}
        local _, left = four_bar(s, 90, -3)
        local turned, before = 0, 90
        for _ = 1, 180 do
            s:frame()
            local u = left.orientation * eigenrig.vec3(1, 0, 0)
            local now = math.deg(math.atan(u.y, u.x))
            turned = turned + (now - before + 180) % 360 - 180
            before = now
        end
        return -turned
    end}
