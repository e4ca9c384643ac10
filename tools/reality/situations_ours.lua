-- Situations without a counterpart in the rivals, or with one that only their users' code would make.
local eigenrig = require "eigenrig"
local G = 9.81

local function model(name) return eigenrig.files.beside("../../models/" .. name .. ".glb") end

for number, target in pairs{[26] = 720, [27] = 0} do
    situation{number = number, what = number == 26 and "a servo driven by two turns: its angle, degrees"
            or "a servo of 1000 N m/rad bears 2 kg at 0.5 m: sag, degrees",
        right = number == 26 and 720 or math.deg(2 * G * 0.5 / 1000), test = "`reality_hanging`: a_servo_turns_past_full_turns_and_sags_by_its_load",
        run = function(scene)
            local s = scene{gravity = {0, number == 26 and 0 or -G, 0}}
            local arm = s:actor{box = {1, 0.1, 0.1}, mass = 2, at = {0.5, 0, 0}}
            local joint = s:joint("hinge", nil, arm, {at = {0, 0, 0}, axis = {0, 0, 1}, angle = 0, stiffness = 1000, damping = 100})
            joint:drive{angle = target}
            s:run(8)
            return math.abs(joint.angle)
        end}
end

situation{number = 39, what = "a limp gnome hung up by a led body: gain of energy in 2 s", right = "<= 0", limit = 0,
    test = "`reality_hanging`: a_limp_character_gains_no_energy", run = function(scene)
        local s = scene()
        local hook = s:actor{box = {0.1, 0.1, 0.1}, at = {0, 6, 0}, motion = "led"}
        local bones = s:add(eigenrig.load(model("gnome"), {height = 1.8, stiffness = "uniform:0.001"}), {at = {0, 4, 0}, damping = 0}):actors()
        s:joint("ball", hook, bones[#bones], {at = bones[#bones].position})
        s:frame()
        local before = s.energy.mechanical
        s:run(2)
        return s.energy.mechanical / before - 1
    end}

situation{number = 40, what = "a mass on a spring: amplitude after 20 s, share", right = 1,
    test = "`reality_springs`: a_spring_without_damper_keeps_its_amplitude", run = function(scene)
        local s = scene{gravity = {0, 0, 0}}
        local b = s:actor{box = {0.2, 0.2, 0.2}, mass = 2, at = {0, 0, 0}}
        s:joint("prismatic", nil, b, {at = {0, 0, 0}, axis = {1, 0, 0}, stiffness = 200, rest = 0.1})
        local most = 0
        s:run(19)
        for _ = 1, 60 do
            s:frame()
            most = math.max(most, math.abs(b.position.x - 0.1))
        end
        return most / 0.1
    end}

situation{number = 41, what = "a bead on a turning rod: way out after 1 s at 1/240 s, m", right = 0.3 * (math.exp(2) + math.exp(-2)) / 2,
    rivals = true, test = "`reality_hanging`: a_bead_on_a_turning_rod_goes_out", run = function(scene)
        local s = scene{gravity = {0, 0, 0}, step = 1 / 240}
        local rod = s:actor{box = {0.2, 0.2, 0.2}, mass = 1e6, at = {0, 0, 0}}
        s:joint("hinge", nil, rod, {at = {0, 0, 0}, axis = {0, 0, 1}})
        local bead = s:actor{sphere = 0.05, at = {0.3, 0, 0}, mass = 0.1}
        s:joint("prismatic", rod, bead, {at = {0.3, 0, 0}, axis = {1, 0, 0}})
        s:frame()
        rod.spin, bead.spin, bead.velocity = {0, 0, 2}, {0, 0, 2}, {0, 0.6, 0}
        s:run(1)
        return bead.position:length()
    end}

situation{number = 44, what = "a tippe top at 1/240 s: farthest tilt in 8 s, degrees", right = 139.3,
    test = "`reality_spin`: a_tippe_top_turns_over, a_rattleback_turns_back_in_one_sense", run = function(scene)
        local s = scene{step = 1 / 240}
        local m = s:material{friction = 0.3}
        s:actor{plane = true, motion = "still", material = m}
        local top = s:actor{material = m, at = {0, 0.1, 0}, turn = {0, 0, 5}, parts = {
            {sphere = 0.1}, {sphere = 0.03, at = {0, -0.05, 0}, material = s:material{density = 30000, friction = 0.3}}}}
        s:frame()
        top.spin = {0, 150, 0}
        local most = 0
        for _ = 1, 240 * 8 do
            s:frame()
            most = math.max(most, math.deg(math.acos((top.orientation * eigenrig.vec3(0, 1, 0)).y)))
        end
        return most
    end}

situation{number = 53, what = "a box of two parts: moment of inertia, of the whole one", right = 1, format = "%.15g",
    test = "`reality_bodies`: a_body_of_parts_is_the_whole_body", run = function(scene)
        local s = scene{gravity = {0, 0, 0}}
        local whole = s:actor{box = {0.4, 0.2, 0.6}}
        local cut = s:actor{at = {6, 0, 0}, parts = {{box = {0.1, 0.2, 0.6}, at = {-0.15, 0, 0}},
            {box = {0.6, 0.2, 0.3}, at = {0.05, 0, 0}, turn = {0, 90, 0}}}}
        s:frame()
        return cut.inertia[2][2] / whole.inertia[2][2]
    end}

situation{number = 54, what = "a weeble rocks: period, of that of its inertia", right = 1, test = "`reality_bodies`: a_weeble_rocks_with_its_period",
    run = function(scene)
        local s = scene()
        s:actor{plane = true, motion = "still"}
        local r = 0.5
        local top = s:actor{at = {0, r, 0}, turn = {0, 0, 3}, parts = {
            {sphere = r}, {sphere = 0.15, at = {0, -0.3, 0}, material = s:material{density = 20000}}}}
        s:frame()
        local d = (top.orientation:inverse() * (top.position - top.centre)).y
        local passes, before = {}, 1
        for _ = 1, 600 do
            s:frame()
            local tilt = (top.orientation * eigenrig.vec3(0, 1, 0)).x
            if before < 0 and tilt >= 0 then passes[#passes + 1] = s.time end
            before = tilt
        end
        return (passes[#passes] - passes[1]) / (#passes - 1) /
            (2 * math.pi * math.sqrt((top.inertia[3][3] + top.mass * (r - d) ^ 2) / (top.mass * G * d)))
    end}

situation{number = 56, what = "a blow of 3 N s at a sixth of a bar of 1 m and 2 kg: spin, rad/s", right = 3 / 6 / (2 * 1.01 / 12),
    test = "`reality_bodies`: a_blow_off_the_centre_turns_and_moves", run = function(scene)
        local s = scene{gravity = {0, 0, 0}}
        local bar = s:actor{box = {1, 0.1, 0.1}, mass = 2}
        s:frame()
        bar:push({0, 3, 0}, {1 / 6, 0, 0})
        return bar.spin.z
    end}

situation{number = 59, what = "a sleeping box whose support goes: does it wake and fall?", right = "yes",
    test = "`reality_bodies`: a_body_wakes_when_it_loses_its_support_or_is_touched", run = function(scene)
        local s = scene{sleep_time = 0.5}
        s:actor{plane = true, motion = "still"}
        local under, box = s:actor{box = {1, 1, 1}, at = {0, 0.5, 0}}, s:actor{box = {1, 1, 1}, at = {0, 1.5, 0}}
        s:run(4)
        local slept = box.sleeps
        under:remove()
        s:run(1)
        return slept and box.position.y < 0.6 and "yes" or "no"
    end}

situation{number = 60, what = "forces of the ground on a gnome that lies, of its weight", right = 1, test = "`reality_bodies`: the_ground_bears_a_doll",
    run = function(scene)
        local s = scene{sleep_time = 0.5}
        s:actor{plane = true, motion = "still"}
        local doll, mass, force = s:add(eigenrig.load(model("gnome"), {height = 1.8}), {floor = 0.1}), 0, 0
        for _, bone in ipairs(doll:actors()) do mass = mass + bone.mass end
        s:run(6)
        for _, c in ipairs(s:contacts()) do force = force + c.force.y end
        return math.abs(force) / (mass * G)
    end}

situation{number = 61, what = "3 kg fall 2 m: first impulse, N s, with a step of weight", right = 3 * math.sqrt(4 * G), near = 0.5,
    test = "`reality_bodies`: the_first_impulse_is_the_momentum_of_the_fall", run = function(scene)
        local s, impulse = scene(), 0
        s:actor{plane = true, motion = "still"}
        s:actor{sphere = 0.1, at = {0, 2.1, 0}, mass = 3}
        while impulse == 0 do
            s:frame()
            for _, c in ipairs(s:contacts()) do impulse = c.impulse end
        end
        return impulse
    end}

local function heap(s)
    local m = s:material{restitution = 0.3}
    s:actor{plane = true, motion = "still", material = m}
    for i = 1, 100 do s:actor{sphere = 0.2, at = {0.37 * (i % 7), 0.3 + 0.11 * i, 0.41 * (i % 5)}, material = m} end
    return s
end

situation{number = 65, what = "a heap saved, restored and run on: same bits?", right = "yes", test = "`reality_reads`: a_restored_scene_goes_on_to_the_bit",
    run = function(scene)
        local s = heap(scene())
        s:run(1)
        local saved = s:save()
        s:run(1)
        local hash = s.hash
        s:restore(saved)
        s:run(1)
        return s.hash == hash and "yes" or "no"
    end}

situation{number = 66, what = "100 spheres with 1, 2 and 4 threads: same bits?", right = "yes", test = "`reality_sameness`: threads_change_no_bit",
    run = function(scene)
        local hashes = {}
        for i, threads in ipairs{1, 2, 4} do
            local s = heap(scene{threads = threads})
            s:run(2)
            hashes[i] = s.hash
        end
        return hashes[1] == hashes[2] and hashes[1] == hashes[3] and "yes" or "no"
    end}

situation{number = 68, what = "a ragdoll falls: does all of it sleep within 30 s?", right = "yes", test = "`reality_sameness`: dolls_come_to_sleep",
    run = function(scene)
        local s = scene{sleep_time = 0.5}
        s:actor{plane = true, motion = "still"}
        local bones = s:add(eigenrig.load(model("fox"), {height = 1.8}), {floor = 1.8}):actors()
        while s.time < 30 do
            s:run(0.5)
            local all = true
            for _, bone in ipairs(bones) do all = all and bone.sleeps end
            if all then return "yes" end
        end
        return "no"
    end}

situation{number = 71, what = "wrong inputs that pass, of 8", right = 0,
    test = "`reality_led`: velocities_of_what_does_not_move_are_refused, `tests/dynamics/test_world.c`: every_field_wrong_in_turn_is_refused",
    run = function(scene)
        local s = scene()
        local ball, passed = s:actor{sphere = 1, at = {0, 9, 0}}, 0
        for _, d in ipairs{{sphere = 1, mass = 0}, {sphere = 1, mass = 0 / 0}, {sphere = -1}, {sphere = 1, velocity = {1, 0, 0}, motion = "still"},
            {sphere = 1, at = {0 / 0, 0, 0}}, {box = {1, 1}}, {spere = 1}} do
            passed = passed + (pcall(s.actor, s, d) and 1 or 0)
        end
        return passed + (pcall(s.joint, s, "hinge", nil, ball, {axis = {0, 0, 0}}) and 1 or 0)
    end}

situation{number = 72, what = "a ball of 0.2 m on a mesh of one triangle: height, m", right = 0.2, test = "`reality_hills`: one_triangle_is_ground",
    run = function(scene)
        local s = scene()
        s:actor{mesh = {points = {{-2, 0, -2}, {2, 0, -2}, {0, 0, 3}}, triangles = {{1, 3, 2}}}, motion = "still"}
        local ball = s:actor{sphere = 0.2, at = {0, 1, 0}}
        s:run(2)
        return ball.position.y
    end}

situation{number = 73, what = "a cylindrical joint slides to its limit of 10 cm, m", right = 0.1, near = 0.005, test = "`tests/dynamics/test_forces.c`: limits_hold",
    run = function(scene)
        local s = scene{gravity = {G, 0, 0}}
        local joint = s:joint("prismatic", nil, s:actor{sphere = 0.1, mass = 1}, {axis = {1, 0, 0}, limits = {-0.1, 0.1}})
        s:run(3)
        return joint.angle
    end}

situation{number = 74, what = "shift of the modes of two rods with their amplitude", right = "see the test",
    test = "`tests/tools/eigenrig/test_validate.py`", run = function() return "see the test" end}
