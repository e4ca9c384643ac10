-- Pendulums, ropes and cranes keep their swing, and a body far away takes nothing from them.
local G = 9.81

local function degrees_off(position)
    return math.deg(math.acos(math.max(-1, math.min(1, -position.y / position:length()))))
end

-- The largest angle from the plumb line in some seconds, degrees.
local function swing(scene, body, seconds)
    local most = 0
    for _ = 1, math.floor(seconds / scene.step) do
        scene:frame()
        most = math.max(most, degrees_off(body.position))
    end
    return most
end

-- A rope of `links` rods, 6 m long and of 60 kg, with a load on its end, at 30 degrees; `hook` says what it hangs on.
local function rope(options)
    local scene = eigenrig.scene{sleep_time = 0, step = options.step}
    local hook = options.hook and scene:actor{box = {0.2, 0.2, 0.2}, motion = options.hook} or nil
    local angle, length = math.rad(options.angle or 30), 6 / options.links
    local way = eigenrig.vec3(math.sin(angle), -math.cos(angle), 0)
    local before, load = hook, nil
    for i = 1, options.links do
        local link = scene:actor{capsule = {options.radius or 0.03, length - 0.06}, at = (length * (i - 0.5) * way):totable(),
            turn = {0, 0, math.deg(angle)}, mass = 60 / options.links, groups = 2, ignores = 0xff}
        scene:joint(options.kind, before, link, {at = (length * (i - 1) * way):totable(), axis = {0, 0, 1}})
        before = link
    end
    if options.load then
        load = scene:actor{sphere = 0.3, at = (6 * way):totable(), mass = options.load, groups = 2, ignores = 0xff}
        scene:joint(options.kind == "ball" and "ball" or "fixed", before, load, {at = (6 * way):totable()})
    end
    return scene, load or before
end

function promise.a_rope_swings_alike_on_the_world_a_still_and_a_led_hook()
    for _, kind in ipairs{"hinge", "ball"} do
        for _, load in ipairs{5, 500} do
            for _, hook in ipairs{false, "still", "led"} do
                local scene, bob = rope{links = 3, kind = kind, load = load, hook = hook or nil}
                scene:frame()
                local energy = scene.energy.mechanical
                swing(scene, bob, 15)
                local most = swing(scene, bob, 5)
                if load == 500 then assert(most > 29 and most < 31, most) end
                assert(scene.energy.mechanical < energy + 1, scene.energy.mechanical - energy)
            end
        end
    end
end

function promise.a_rope_keeps_its_swing_whatever_its_load()
    for _, load in ipairs{60, 1200} do
        local scene, bob = rope{links = 20, kind = "hinge", load = load, angle = 11.46}
        swing(scene, bob, 15)
        close(swing(scene, bob, 5), 11.46, 0.3)
    end
end

function promise.a_rope_keeps_its_length_under_a_thousand_times_its_mass()
    local scene, bob = rope{links = 20, kind = "hinge", load = 60000, angle = 40}
    for _ = 1, 300 do
        scene:frame()
        near(bob.position:length(), 6, 1e-4) -- it bends a little as it swings
    end
end

-- A thin rod on a ball joint never turns about its own axis while it swings in a plane.
function promise.a_thin_rod_on_a_ball_joint_does_not_spin_itself_up()
    for _, radius in ipairs{0.01, 0.03, 0.3} do
        local scene, rod = rope{links = 1, kind = "ball", radius = radius}
        local spun, most = 0, 0
        for _ = 1, 600 do
            scene:frame()
            local axis = rod.orientation * eigenrig.vec3(0, -1, 0)
            spun, most = math.max(spun, math.abs(axis:dot(rod.spin))), math.max(most, degrees_off(axis))
        end
        assert(spun < 1e-3, spun)
        close(most, 30, 0.5)
    end
end

function promise.a_led_body_far_away_takes_nothing_from_a_pendulum()
    local far = {}
    for _, led in ipairs{false, true} do
        local scene = eigenrig.scene{sleep_time = 0}
        if led then
            local box = scene:actor{box = {1, 1, 1}, at = {100, 0, 0}, motion = "led"}
            local tied = scene:actor{box = {0.3, 0.3, 0.3}, at = {101, 0, 0}}
            scene:joint("ball", box, tied, {at = {100.5, 0, 0}})
        end
        local bar = scene:actor{box = {1, 0.1, 0.1}, mass = 3, turn = {0, 0, 30},
            at = {0.5 * math.sin(math.rad(120)), -0.5 * math.cos(math.rad(120)), 0}}
        scene:joint("hinge", nil, bar, {at = {0, 0, 0}, axis = {0, 0, 1}})
        swing(scene, bar, 15)
        far[#far + 1] = swing(scene, bar, 5)
    end
    close(far[1], 120, 1.5)
    close(far[2], far[1], 0.1)
end

function promise.a_pendulum_keeps_its_swing_from_any_angle()
    for _, angle in ipairs{60, 90, 150} do
        local scene = eigenrig.scene{sleep_time = 0}
        local bar = scene:actor{box = {1, 0.1, 0.1}, mass = 3, turn = {0, 0, angle - 90},
            at = {0.5 * math.sin(math.rad(angle)), -0.5 * math.cos(math.rad(angle)), 0}}
        scene:joint("hinge", nil, bar, {at = {0, 0, 0}, axis = {0, 0, 1}})
        scene:frame()
        local energy = scene.energy.mechanical
        swing(scene, bar, 20)
        close(swing(scene, bar, 5), angle, 0.02)
        close(scene.energy.mechanical, energy, 1e-5)
    end
end

function promise.a_propeller_off_its_centre_keeps_its_spin()
    for _, spin in ipairs{2, 20, 40, 100} do
        local scene = eigenrig.scene{sleep_time = 0, gravity = {0, 0, 0}}
        local bar = scene:actor{box = {1, 0.1, 0.1}, mass = 3, at = {0.5, 0, 0}}
        scene:joint("hinge", nil, bar, {at = {0, 0, 0}, axis = {0, 0, 1}})
        scene:frame()
        bar.spin = {0, 0, spin}
        scene:run(10)
        close(bar.spin.z, spin, 1e-9 * spin)
    end
end

-- Links of 1 cm that are thrown round on ball joints keep their energy, whatever the step.
function promise.a_chain_that_whips_round_keeps_its_energy()
    for _, step in ipairs{1 / 30, 1 / 60} do
        local scene, last = rope{links = 4, kind = "ball", radius = 0.005, step = step, angle = 100}
        scene:frame()
        last.spin = {7, 3, 20}
        local energy = scene.energy.mechanical
        scene:run(10)
        close(scene.energy.mechanical, energy, 1e-6 * math.abs(energy) + 1e-6)
    end
end

-- A crane: a motor turns a jib on a still mast, and 500 kg hang from its end by a chain.
function promise.a_crane_swings_its_load_and_does_not_fall_over()
    for _, mast in ipairs{false, "still"} do
        local scene = eigenrig.scene{sleep_time = 0}
        local post = mast and scene:actor{box = {0.6, 10, 0.6}, at = {0, 5, 0}, motion = mast} or nil
        local jib = scene:actor{box = {8, 0.4, 0.4}, at = {3.5, 10.2, 0}, mass = 400, groups = 2, ignores = 0xff}
        scene:joint("hinge", post, jib, {at = {0, 10.2, 0}, axis = {0, 1, 0}, speed = 0.3, most = 20000})
        local before = jib
        for i = 1, 12 do
            local link = scene:actor{capsule = {0.03, 0.44}, at = {7.4, 10.2 - 0.5 * (i - 0.5), 0}, mass = 5, groups = 2,
                ignores = 0xff}
            scene:joint("ball", before, link, {at = {7.4, 10.2 - 0.5 * (i - 1), 0}})
            before = link
        end
        local load = scene:actor{box = {1, 1, 1}, at = {7.4, 3.7, 0}, mass = 500, groups = 2, ignores = 0xff}
        scene:joint("ball", before, load, {at = {7.4, 4.2, 0}})
        local most = 0
        for _ = 1, 1200 do
            scene:frame()
            local top = jib:to_world{3.9, 0, 0}
            most = math.max(most, degrees_off(load.position - top))
        end
        assert(most < 25, most)
    end
end

-- A bead on a rod that turns at w goes out as r cosh(w t).
function promise.a_bead_on_a_turning_rod_goes_out()
    local scene = eigenrig.scene{sleep_time = 0, gravity = {0, 0, 0}, step = 1 / 240}
    local rod = scene:actor{box = {0.2, 0.2, 0.2}, mass = 1e6}
    scene:joint("hinge", nil, rod, {axis = {0, 0, 1}})
    local bead = scene:actor{sphere = 0.05, at = {0.3, 0, 0}, mass = 0.1}
    scene:joint("prismatic", rod, bead, {at = {0.3, 0, 0}, axis = {1, 0, 0}})
    scene:frame()
    rod.spin = {0, 0, 2}
    scene:run(1)
    near(bead.position:length(), 0.3 * (math.exp(2) + math.exp(-2)) / 2, 0.02)
end

-- Kapitza: a pendulum whose foot is shaken stands upright above sqrt(2 g l), and falls below.
function promise.a_shaken_pendulum_stands_upright_above_the_threshold()
    for _, times in ipairs{0.7, 1.5} do
        local scene = eigenrig.scene{sleep_time = 0, step = 1 / 2000}
        local length, shake = 0.5, 0.05
        local rate = times * math.sqrt(2 * G * length * (1 + 0.4 * 0.05 ^ 2 / length ^ 2)) / shake
        local foot = scene:actor{box = {0.05, 0.05, 0.05}, motion = "led"}
        local bob = scene:actor{sphere = 0.05, mass = 1, at = {length * math.sin(0.1), length * math.cos(0.1), 0}}
        scene:joint("hinge", foot, bob, {at = {0, 0, 0}, axis = {0, 0, 1}})
        local lowest = length
        for _ = 1, 6000 do
            scene:frame()
            lowest = math.min(lowest, bob.position.y - foot.position.y)
            foot.position = {0, shake * math.sin(rate * scene.time), 0}
        end
        equal(lowest > 0.3, times > 1)
        if times < 1 then assert(lowest < -0.99 * length, lowest) end
    end
end

function promise.a_servo_turns_past_full_turns_and_sags_by_its_load()
    for _, target in ipairs{90, 180, 720} do
        local scene = eigenrig.scene{sleep_time = 0, gravity = {0, 0, 0}}
        local arm = scene:actor{box = {0.4, 0.1, 0.1}, mass = 1}
        local joint = scene:joint("hinge", nil, arm, {axis = {0, 0, 1}, angle = 0, stiffness = 20, damping = 2})
        joint:drive{angle = target}
        scene:run(8)
        close(joint.angle, target, 0.01)
    end
    local scene = eigenrig.scene{sleep_time = 0}
    local arm = scene:actor{box = {1, 0.1, 0.1}, mass = 2, at = {0.5, 0, 0}}
    local joint = scene:joint("hinge", nil, arm, {at = {0, 0, 0}, axis = {0, 0, 1}, angle = 0, stiffness = 1000, damping = 100})
    scene:run(5)
    local angle = math.rad(-joint.angle)
    near(1000 * angle, 2 * G * 0.5 * math.cos(angle), 1e-4)
end

function promise.a_hinge_stops_at_its_limits()
    for _, mass in ipairs{1, 100} do
        local scene = eigenrig.scene{sleep_time = 0}
        local arm = scene:actor{box = {1, 0.1, 0.1}, mass = mass, at = {0.5, 0, 0}}
        local joint = scene:joint("hinge", nil, arm, {at = {0, 0, 0}, axis = {0, 0, 1}, limits = {-20, 20}})
        scene:run(5)
        close(joint.angle, -20, 0.5)
    end
end

-- A parallelogram of three bars turns on through the pose in which all of them lie in one line.
function promise.a_parallelogram_passes_its_flat_pose()
    local scene, axis, bars = eigenrig.scene{sleep_time = 0, gravity = {0, 0, 0}}, {0, 0, 1}, {}
    for i = 1, 2 do
        bars[i] = scene:actor{box = {0.05, 1, 0.05}, at = {2 * i - 2, 0.5, 0}, mass = 1}
        scene:joint("hinge", nil, bars[i], {at = {2 * i - 2, 0, 0}, axis = axis})
    end
    local coupler = scene:actor{box = {2, 0.05, 0.05}, at = {1, 1, 0}, mass = 2}
    for i = 1, 2 do scene:joint("hinge", bars[i], coupler, {at = {2 * i - 2, 1, 0}, axis = axis}) end
    scene:frame()
    for _, bar in ipairs(bars) do bar.spin = {0, 0, -3} end
    local rate = bars[1].spin.z
    assert(rate < -2, rate)
    local turned, before = 0, 0
    for _ = 1, 180 do
        scene:frame()
        local up = bars[1].orientation * eigenrig.vec3(0, 1, 0)
        local angle = math.deg(math.atan(up.x, up.y))
        turned = turned + (angle - before + 180) % 360 - 180
        before = angle
    end
    near(turned, math.deg(-3 * rate), 0.03)
    near(bars[1].spin.z, bars[2].spin.z, 1e-3)
end

-- Characters with springs next to none, hung up by a led body, gain no energy.
function promise.a_limp_character_gains_no_energy()
    for _, name in ipairs{"gnome", "horse"} do
        local scene = eigenrig.scene{sleep_time = 0}
        local hook = scene:actor{box = {0.1, 0.1, 0.1}, at = {0, 6, 0}, motion = "led"}
        local bones = scene:add(eigenrig.load(models .. name .. ".glb", {height = 1.8, stiffness = "uniform:0.001"}),
            {at = {0, 4, 0}, damping = 0}):actors()
        scene:joint("ball", hook, bones[#bones], {at = bones[#bones].position})
        scene:frame()
        local start, before = scene.energy.mechanical, scene.energy.mechanical
        for _ = 1, 4 do
            scene:run(0.5)
            assert(scene.energy.mechanical < before + 0.01 * start, name .. ": " .. scene.energy.mechanical / before)
            before = scene.energy.mechanical
        end
    end
end
