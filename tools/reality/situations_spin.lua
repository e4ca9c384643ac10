-- Situations of what spins.
local eigenrig = require "eigenrig"
local G = 9.81
local Ix, Iy, Iz = (0.1 ^ 2 + 0.5 ^ 2) / 12, (0.3 ^ 2 + 0.5 ^ 2) / 12, (0.3 ^ 2 + 0.1 ^ 2) / 12

local function energy(box)
    local w = box.orientation:inverse() * box.spin
    return 0.5 * (Ix * w.x ^ 2 + Iy * w.y ^ 2 + Iz * w.z ^ 2)
end

situation{number = 6, what = "Dzhanibekov's box at 10 rad/s: time between two turns, s", right = 2.680, rivals = true,
    test = "`reality_spin`: a_box_spun_about_its_middle_axis_turns_over_in_time", run = function(scene)
        local s = scene{gravity = {0, 0, 0}}
        local box = s:actor{box = {0.3, 0.1, 0.5}, mass = 1, spin = {10, 0, 0.01}}
        local flips, before = {}, 1
        for _ = 1, 1200 do
            s:frame()
            local now = (box.orientation:inverse() * box.spin).x
            if before * now < 0 then flips[#flips + 1] = s.time end
            before = now
        end
        return #flips > 1 and (flips[#flips] - flips[1]) / (#flips - 1) or "does not turn"
    end}

situation{number = 7, what = "the box at 30 rad/s: its energy after 12 s, of that at first", right = 1, rivals = true,
    test = "`reality_spin`: free_spin_keeps_its_energy_and_momentum", run = function(scene)
        local s = scene{gravity = {0, 0, 0}}
        local box = s:actor{box = {0.3, 0.1, 0.5}, mass = 1, spin = {30, 3, 1.5}}
        local before = energy(box)
        s:run(12)
        return energy(box) / before
    end}

situation{number = 42, what = "a gyroscope at 40 rad/s: precession, of m g l / (I w)", right = 1, rivals = true,
    test = "`reality_spin`: a_gyroscope_precesses_and_keeps_its_height", run = function(scene)
        local s = scene()
        local top = s:actor{cylinder = {0.3, 0.05}, along = "x", mass = 1, at = {0.2, 0, 0}}
        s:joint("ball", nil, top, {at = {0, 0, 0}})
        local rate = G * 0.2 / (0.5 * 0.3 ^ 2 * 40)
        s:frame()
        top.spin = {40, rate, 0}
        local turned, before = 0, 0
        for _ = 1, 300 do
            s:frame()
            local angle = math.atan(-top.position.z, top.position.x)
            turned = turned + (angle - before + math.pi) % (2 * math.pi) - math.pi
            before = angle
        end
        return turned / 5 / rate
    end}

-- A disc rolls round with its centre at rest: it turns about the line through the point of contact and its centre, at the
-- rate by the balance of moments.
situation{number = 45, what = "Euler's disc at 20 degrees: its tilt after 10 s, degrees", right = 20, rivals = true,
    test = "`reality_spin`: a_disc_rolls_round_without_loss, thrown_cylinders_gain_no_energy",
    run = function(scene)
        local s = scene()
        local m = s:material{friction = 0.8}
        s:actor{plane = true, motion = "still", material = m}
        local r, h, a = 0.5, 0.05, math.rad(20)
        local x, y = r * math.cos(a) - h / 2 * math.sin(a), r * math.sin(a) + h / 2 * math.cos(a)
        local across, along = r * r / 4 + h * h / 12, r * r / 2
        local rate = math.sqrt(G * x / (math.sin(a) * (across * math.cos(a) - along * h * math.sin(a) / (2 * r))))
        local disc = s:actor{cylinder = {r, h}, at = {0, y, 0}, turn = {0, 0, -20}, material = m,
            spin = {-rate * math.sin(a) / r * x, rate * math.sin(a) / r * y, 0}}
        s:run(10)
        return math.deg(math.acos(math.min(1, (disc.orientation * eigenrig.vec3(0, 1, 0)).y)))
    end}

situation{number = 69, what = "a wheel on its axle at 500 rad/s: spin after 60 s, share", right = 1, rivals = true,
    test = "`reality_spin`: a_wheel_on_its_axle_turns_on_for_minutes", run = function(scene)
        local s = scene()
        local wheel = s:actor{cylinder = {0.3, 0.1}, along = "z", mass = 3}
        s:joint("hinge", nil, wheel, {at = {0, 0, 0}, axis = {0, 0, 1}})
        s:frame()
        wheel.spin = {0, 0, 500}
        s:run(60)
        return wheel.spin.z / 500
    end}

for number, solver in pairs{[32] = "fast", [33] = "reference"} do
    situation{number = number, what = number == 32 and "a bar hinged at its end, 40 rad/s: spin after 10 s, share"
            or "the same with the reference solver", solver = solver, right = 1, rivals = true,
        test = number == 32 and "`reality_spin`: a_propeller_keeps_its_spin" or "`reality_reference`: a_set_spin_is_kept", run = function(scene)
            local s = scene{gravity = {0, 0, 0}}
            local bar = s:actor{box = {1, 0.1, 0.1}, at = {0.5, 0, 0}, mass = 3}
            s:joint("hinge", nil, bar, {at = {0, 0, 0}, axis = {0, 0, 1}})
            s:frame()
            bar.spin, bar.velocity = {0, 0, 40}, {0, 20, 0}
            s:run(10)
            return bar.spin.z / 40
        end}
end
