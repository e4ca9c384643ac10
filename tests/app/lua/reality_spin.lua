-- Free bodies, tops, gyroscopes and wheels that spin, against Euler's equations.
local G = 9.81

-- A box of 0.3 x 0.1 x 0.5 m and 1 kg that spins freely, and its moments.
local Ix, Iy, Iz = (0.1 ^ 2 + 0.5 ^ 2) / 12, (0.3 ^ 2 + 0.5 ^ 2) / 12, (0.3 ^ 2 + 0.1 ^ 2) / 12

local function thrown(spin, step, solver)
    local scene = eigenrig.scene{sleep_time = 0, gravity = {0, 0, 0}, step = step, solver = solver}
    return scene, scene:actor{box = {0.3, 0.1, 0.5}, mass = 1, spin = spin}
end

-- Dzhanibekov: spun about its middle axis it turns over again and again; by Runge and Kutta's rule in steps of 0.1 ms,
-- every 2.680 s.
function promise.a_box_spun_about_its_middle_axis_turns_over_in_time()
    for _, solver in ipairs{"fast", "reference"} do
        local scene, box = thrown({10, 0, 0.01}, 1 / 60, solver)
        local flips, before = {}, 1
        for _ = 1, 1200 do
            scene:frame()
            local now = (box.orientation:inverse() * box.spin).x
            if before * now < 0 then flips[#flips + 1] = scene.time end
            before = now
        end
        near((flips[#flips] - flips[1]) / (#flips - 1), 2.680, 0.05)
    end
end

function promise.free_spin_keeps_its_energy_and_momentum()
    for _, spin in ipairs{10, 30, 60} do
        for _, step in ipairs{1 / 60, 1 / 240} do
            for _, solver in ipairs{"fast", "reference"} do
                local scene, box = thrown({spin, spin / 10, spin / 20}, step, solver)
                local energy = (Ix + Iy / 100 + Iz / 400) * spin ^ 2 / 2
                local function momentum()
                    local own = box.orientation:inverse() * box.spin
                    return (box.orientation * eigenrig.vec3(Ix * own.x, Iy * own.y, Iz * own.z)):totable()
                end
                local start, most = momentum(), 0
                for _ = 1, 600 do
                    scene:frame()
                    most = math.max(most, math.abs(scene.energy.kinetic / energy - 1))
                end
                assert(most < 0.05, most)
                same(momentum(), start, 1e-9 * spin)
            end
        end
    end
end

-- A heavy top precesses by m g l / (I w) while it spins fast.
function promise.a_gyroscope_precesses_and_keeps_its_height()
    local scene = eigenrig.scene{sleep_time = 0}
    local top = scene:actor{cylinder = {0.3, 0.05}, along = "x", mass = 1, at = {0.2, 0, 0}}
    scene:joint("ball", nil, top, {at = {0, 0, 0}})
    scene:frame()
    local spin, own = 40, 0.5 * 0.3 ^ 2
    local rate = G * 0.2 / (own * spin)
    top.spin = {spin, rate, 0}
    local turned, before = 0, 0
    for _ = 1, 300 do
        scene:frame()
        local angle = math.atan(-top.position.z, top.position.x)
        turned = turned + (angle - before + math.pi) % (2 * math.pi) - math.pi
        before = angle
        assert(math.abs(top.position.y) < 0.02, top.position.y)
    end
    near(turned / 5, rate, 0.01)
end

function promise.a_fast_gyroscope_precesses_in_shorter_steps()
    local scene = eigenrig.scene{sleep_time = 0, step = 1 / 240}
    local top = scene:actor{cylinder = {0.3, 0.05}, along = "x", mass = 1, at = {0.2, 0, 0}}
    scene:joint("ball", nil, top, {at = {0, 0, 0}})
    scene:frame()
    local rate = G * 0.2 / (0.5 * 0.3 ^ 2 * 100)
    top.spin = {100, rate, 0}
    scene:run(3)
    near(math.atan(-top.position.z, top.position.x), rate * 3 % (2 * math.pi), 0.02)
    near(top.spin:length(), 100, 1e-3)
end

function promise.a_wheel_on_its_axle_turns_on_for_minutes()
    for _, spin in ipairs{10, 500} do
        local scene = eigenrig.scene{sleep_time = 0}
        local wheel = scene:actor{cylinder = {0.3, 0.1}, along = "z", mass = 3}
        scene:joint("hinge", nil, wheel, {axis = {0, 0, 1}})
        scene:frame()
        wheel.spin = {0, 0, spin}
        scene:run(120)
        near(wheel.spin.z, spin, 1e-9)
    end
end

-- A tippe top turns over on its stem: its centre of mass lies below the centre of its sphere.
function promise.a_tippe_top_turns_over()
    local scene = eigenrig.scene{sleep_time = 0, step = 1 / 240}
    local stuff = scene:material{friction = 0.3}
    scene:actor{plane = true, motion = "still", material = stuff}
    local top = scene:actor{material = stuff, at = {0, 0.1, 0}, turn = {0, 0, 5}, parts = {
        {sphere = 0.1}, {sphere = 0.03, at = {0, -0.05, 0}, material = scene:material{density = 30000, friction = 0.3}}}}
    scene:frame()
    top.spin = {0, 150, 0}
    local lowest = 1
    for _ = 1, 240 * 8 do
        scene:frame()
        lowest = math.min(lowest, (top.orientation * eigenrig.vec3(0, 1, 0)).y)
    end
    close(math.deg(math.acos(lowest)), 140, 2) -- 139.3 at 1/3840 s
end

-- A bar that is hinged at its end turns on without weight.
function promise.a_propeller_keeps_its_spin()
    for _, spin in ipairs{20, 40, 100} do
        local scene = eigenrig.scene{gravity = {0, 0, 0}, sleep_time = 0}
        local bar = scene:actor{box = {1, 0.1, 0.1}, at = {0.5, 0, 0}, mass = 3}
        scene:joint("hinge", nil, bar, {at = {0, 0, 0}, axis = {0, 0, 1}})
        scene:frame()
        bar.spin = {0, 0, spin}
        scene:run(10)
        near(bar.spin.z, spin, 1e-9)
    end
end

-- The spin with which a disc of radius r and height h rolls round at the tilt a about its resting centre, by the balance
-- of moments: its rate about the vertical.
local function steady_rate(r, h, a)
    local across, along = r * r / 4 + h * h / 12, r * r / 2
    local arm = r * math.cos(a) - h / 2 * math.sin(a)
    return math.sqrt(G * arm / (math.sin(a) * (across * math.cos(a) - along * h * math.sin(a) / (2 * r))))
end

-- A disc at the tilt a with its lowest point on the ground, below it on the side of +x. It turns about the line to that point.
local function rolling_disc(scene, r, h, tilt, ground, rolling)
    local stuff, a = scene:material{friction = 0.8, rolling = rolling}, math.rad(tilt)
    ground.material, ground.motion = stuff, "still"
    scene:actor(ground)
    local arm = eigenrig.vec3(r * math.cos(a) - h / 2 * math.sin(a), -r * math.sin(a) - h / 2 * math.cos(a), 0)
    local rate = steady_rate(r, h, a)
    return scene:actor{cylinder = {r, h}, at = {0, -arm.y, 0}, turn = {0, 0, -tilt}, material = stuff,
        spin = -rate * math.sin(a) / r * arm}, rate
end

local function tilt_of(body) return math.deg(math.acos((body.orientation * eigenrig.vec3(0, 1, 0)).y)) end

-- Euler's disc: it keeps its tilt and goes round at a steady rate, for ten seconds at the default step.
function promise.a_disc_rolls_round_without_loss()
    local tile = {box = {4, 1, 4}, at = {0, -0.5, 0}}
    for _, case in ipairs{{20, 0.5, 0.05}, {40, 0.5, 0.05}, {5, 0.5, 0.01}, {70, 0.2, 0.05}, {40, 0.5, 0.05, tile}} do
        local tilt, r, h, ground = table.unpack(case)
        local scene = eigenrig.scene{sleep_time = 0}
        local disc, rate = rolling_disc(scene, r, h, tilt, ground or {plane = true})
        local energy, angle, last
        for k = 0, 600 do
            scene:frame()
            near(tilt_of(disc), tilt, 1e-5)
            local up = disc.orientation * eigenrig.vec3(0, 1, 0)
            local now = math.atan(-up.z, up.x)
            angle = k == 0 and 0 or angle + (now - last) % (2 * math.pi)
            energy, last = energy or scene.energy.mechanical, now
        end
        near(scene.energy.mechanical, energy, 1e-6)
        near(angle, 10 * rate, 1e-5)
        close(disc.position.x, 0, 1e-3)
    end
end

-- A disc that does not go round steadily nods, and rolls away: its energy stays, and so it does on a slope.
function promise.a_disc_that_nods_keeps_its_energy()
    for _, slope in ipairs{0, 5} do
        local lean = math.rad(slope)
        local scene = eigenrig.scene{sleep_time = 0, gravity = {G * math.sin(lean), -G * math.cos(lean), 0}}
        local disc, rate = rolling_disc(scene, 0.5, 0.05, 40, {plane = true})
        disc.spin = 1.2 * disc.spin
        scene:frame()
        local energy, least, most = scene.energy.mechanical, 90, 0
        for _ = 1, 300 do
            scene:frame()
            least, most = math.min(least, tilt_of(disc)), math.max(most, tilt_of(disc))
        end
        near(scene.energy.mechanical, energy, 1e-5)
        assert(most > least + 5, most - least)
    end
end

-- Rolling friction stops a disc, and it comes to lie.
function promise.a_disc_with_rolling_friction_comes_to_lie()
    local scene = eigenrig.scene{}
    local disc = rolling_disc(scene, 0.5, 0.05, 20, {plane = true}, 0.005)
    scene:run(20)
    assert(disc.sleeps and tilt_of(disc) < 0.1, tilt_of(disc))
end

-- Thrown cylinders lose energy and come to lie, or roll on.
function promise.thrown_cylinders_gain_no_energy()
    for k = 1, 12 do
        local scene = eigenrig.scene{}
        local stuff = scene:material{friction = 0.2 + 0.08 * k}
        scene:actor{plane = true, motion = "still", material = stuff}
        local cylinder = scene:actor{cylinder = {0.5, k % 2 == 0 and 0.05 or 0.5}, at = {0, 1.2, 0}, material = stuff,
            orientation = eigenrig.quat({math.sin(k), math.cos(2 * k), math.sin(3 * k)}, 37 * k),
            velocity = {3 * math.sin(5 * k), 0, 3 * math.sin(7 * k)}, spin = {20 * math.sin(11 * k), 20 * math.sin(13 * k), 0}}
        scene:frame()
        local start = scene.energy.mechanical
        local before = start
        for _ = 1, 5 do
            scene:run(1)
            assert(scene.energy.mechanical < before + 0.01 * start, scene.energy.mechanical / before)
            before = scene.energy.mechanical
        end
        assert(before < 0.9 * start and cylinder.position.y > 0.02)
    end
end

-- A coin falls through half its thickness in a step.
function promise.a_thrown_coin_lies_down()
    for _, radius in ipairs{0.012, 0.05} do
        for k = 1, 4 do
            local scene = eigenrig.scene{}
            scene:actor{plane = true, motion = "still"}
            local coin = scene:actor{cylinder = {radius, radius / 6}, at = {0, 4 * radius, 0}, turn = {30 * k, 0, 20}, spin = {2, 15, k},
                velocity = {0.3, 0, 0}}
            scene:run(4)
            local tilt = math.deg(math.acos(math.min(1, math.abs((coin.orientation * eigenrig.vec3(0, 1, 0)).y))))
            assert(coin.sleeps and tilt < 0.1, tilt)
        end
    end
end

-- A disc of 5 cm goes round by 1.9 rad in a step.
function promise.a_small_disc_keeps_its_energy()
    local scene, tilt, radius = eigenrig.scene{sleep_time = 0}, math.rad(20), 0.05
    scene:actor{plane = true, motion = "still"}
    local disc = scene:actor{cylinder = {radius, radius / 10}, turn = {0, 0, 20},
        at = {0, radius * math.sin(tilt) + radius / 20 * math.cos(tilt), 0}}
    scene:frame()
    disc.spin = disc.orientation * eigenrig.vec3(math.sqrt(4 * G * math.sin(tilt) / radius), 0, 0)
    local start = scene.energy.mechanical
    for _ = 1, 600 do
        scene:frame()
        near(scene.energy.mechanical, start, 0.01)
    end
end

-- Thin ones turn by a radian and more in a step, and a blow of the floor turns a part of their spin to their own axis, about
-- which the same momentum would have a thousand times the energy.
function promise.thrown_sticks_gain_no_energy()
    for _, shape in ipairs{{box = {0.02, 1, 0.02}}, {capsule = {0.01, 1}}, {cylinder = {0.01, 1}}} do
        for k, spin in ipairs{20, 60, 200, 600} do
            local scene = eigenrig.scene{sleep_time = 0}
            local stuff = scene:material{friction = 0.5}
            scene:actor{plane = true, motion = "still", material = stuff}
            shape.at, shape.mass, shape.material, shape.velocity = {0, 1.2, 0}, 1, stuff, {2 * math.sin(5 * k), -3, 0}
            shape.orientation = eigenrig.quat({math.sin(k), math.cos(2 * k), math.sin(3 * k)}, 37 * k)
            shape.spin = {spin * math.sin(11 * k), spin * math.sin(13 * k), spin * math.cos(k)}
            local stick = scene:actor(shape)
            scene:frame()
            local start, most = scene.energy.mechanical, 0
            for _ = 1, 180 do
                scene:frame()
                most = math.max(most, scene.energy.mechanical / start)
            end
            assert(most < 1.001, most)
            assert(scene.energy.mechanical < 0.9 * start and stick.position.y > 0)
        end
    end
end

-- A rattleback has a round foot whose axes lie across those of its inertia: it turns on in one sense, and in the other one it
-- stops, rattles and turns back. Its image in a mirror does the reverse.
function promise.a_rattleback_turns_back_in_one_sense()
    for _, skew in ipairs{8, -8} do
        for _, spin in ipairs{5, -5} do
            local scene = eigenrig.scene{sleep_time = 0, step = 1 / 240}
            local wood, lead = scene:material{friction = 0.8}, scene:material{friction = 0.8, density = 8000}
            scene:actor{plane = true, motion = "still", material = wood}
            local points, x, z = {}, 0.07 * math.cos(math.rad(skew)), 0.07 * math.sin(math.rad(skew))
            for i = 0, 24 do
                for j = 0, 31 do
                    local a, b = math.pi * i / 48, math.pi * j / 16
                    points[#points + 1] = {0.1 * math.sin(a) * math.cos(b), -0.02 * math.cos(a), 0.02 * math.sin(a) * math.sin(b)}
                end
            end
            local top = scene:actor{material = wood, at = {0, 0.02, 0}, parts = {{hull = points},
                {sphere = 0.012, at = {x, 0.002, z}, material = lead}, {sphere = 0.012, at = {-x, 0.002, -z}, material = lead}}}
            scene:frame()
            top.spin = {0.01, spin, 0.01}
            scene:run(2)
            assert((top.spin.y * spin < 0) == (spin * skew > 0), top.spin.y)
            assert(math.abs(top.spin.y) > 3, top.spin.y)
        end
    end
end

-- Bodies have moved when they touch within a step: those that strike each other keep their angular momentum nevertheless.
function promise.bodies_that_collide_keep_their_angular_momentum()
    for _, pair in ipairs{{{box = {0.4, 0.1, 0.3}}, {box = {0.1, 0.3, 0.2}}}, {{sphere = 0.2}, {sphere = 0.2}}} do
        for _, restitution in ipairs{0, 0.3, 1} do
            for _, solver in ipairs{"fast", "reference"} do
                local spin = restitution < 1 and 10 or 0
                local scene = eigenrig.scene{sleep_time = 0, gravity = {0, 0, 0}, solver = solver}
                local stuff = scene:material{friction = 0.5, restitution = restitution}
                local bodies = {}
                for k, shape in ipairs(pair) do
                    shape.material, shape.mass = stuff, k
                    shape.at = k == 2 and {0.15, 0.6, 0.05} or nil
                    shape.velocity = k == 2 and {0.3, -5, 0} or nil
                    shape.spin = k == 2 and {spin / 3, 0, 0} or {0, 0, spin}
                    bodies[k] = scene:actor(shape)
                end
                local function momentum()
                    local sum = eigenrig.vec3(0, 0, 0)
                    for _, body in ipairs(bodies) do
                        local own, I = body.orientation:inverse() * body.spin, body.inertia
                        local spin = body.orientation * eigenrig.vec3(I[1][1] * own.x, I[2][2] * own.y, I[3][3] * own.z)
                        sum = sum + spin + body.position:cross(body.velocity) * body.mass
                    end
                    return sum
                end
                scene:frame()
                local start, before = momentum(), bodies[1].velocity
                scene:run(2)
                assert((bodies[1].velocity - before):length() > 1)
                assert((momentum() - start):length() < 0.005 * start:length(), (momentum() - start):length())
            end
        end
    end
end
