-- Led actors carry what stands on them while friction suffices, and running surfaces drive it.

local g, mu = 9.81, 0.5

local function begin(fields)
    local scene = eigenrig.scene(fields or {sleep_time = 0})
    return scene, scene:material{friction = mu}
end

function promise.a_platform_carries_a_box_below_the_limit_of_friction()
    for _, share in ipairs{0.8, 0.95, 1.5} do
        local scene, m = begin()
        local platform = scene:actor{box = {6, 0.2, 6}, at = {0, -0.1, 0}, motion = "led", material = m}
        local box = scene:actor{box = {0.4, 0.4, 0.4}, at = {0, 0.2, 0}, material = m}
        local rate, most = 3, 0
        local reach = share * mu * g / rate ^ 2
        for i = 1, 600 do
            platform.position = {reach * (1 - math.cos(rate * i * scene.step)), -0.1, 0}
            scene:frame()
            most = math.max(most, math.abs(box.position.x - platform.position.x))
        end
        if share < 1 then assert(most < 2e-3, share .. ": " .. most) else assert(most > 0.1, most) end
    end
end

function promise.a_lift_keeps_its_load_on_its_floor()
    local scene, m = begin()
    local lift = scene:actor{box = {4, 0.2, 4}, at = {0, -0.1, 0}, motion = "led", material = m}
    local box, ball = scene:actor{box = {0.4, 0.4, 0.4}, at = {0, 0.2, 0}, material = m},
        scene:actor{sphere = 0.2, at = {1, 0.2, 0}, material = m}
    for i = 1, 300 do
        lift.position = {0, -0.1 + 1 - math.cos(2 * i * scene.step), 0}
        scene:frame()
        if i > 30 then
            close(box.position.y - lift.position.y, 0.3, 1e-3)
            close(ball.position.y - lift.position.y, 0.3, 1e-3)
        end
    end
end

-- A box goes round with a turntable and stays at its distance while w^2 r < mu g.
function promise.a_turntable_carries_a_box_round()
    for _, share in ipairs{0.1, 0.3, 0.7, 1.3} do
        local scene, m = begin()
        local table_ = scene:actor{cylinder = {3, 0.2}, at = {0, -0.1, 0}, motion = "led", material = m}
        local away = 1.5
        local rate, angle = math.sqrt(share * mu * g / away), 0
        local box = scene:actor{box = {0.2, 0.2, 0.2}, at = {away, 0.1, 0}, material = m}
        for i = 1, 900 do
            angle = angle + rate * math.min(i / 300, 1) * scene.step
            table_.orientation = eigenrig.quat({0, 1, 0}, math.deg(angle))
            scene:frame()
        end
        local now = math.sqrt(box.position.x ^ 2 + box.position.z ^ 2)
        if share < 1 then
            close(now, away, 3e-3)
            close(box.position.x, away * math.cos(angle), 0.02)
        else
            assert(now > 2, now)
        end
    end
end

-- A box that is set on a belt slides until it has the belt's speed: v / (mu g) seconds, v^2 / (2 mu g) behind the belt.
function promise.a_conveyor_brings_a_box_to_its_speed()
    for _, motion in ipairs{"still", "led"} do
        local scene, m = begin{sleep_time = 0, solver = motion == "led" and "reference" or "fast"}
        local belt = scene:actor{box = {40, 0.2, 2}, at = {0, -0.1, 0}, motion = motion, material = m,
            surface_velocity = {2, 0, 0}}
        same(belt.surface_velocity, {2, 0, 0})
        local box = scene:actor{box = {0.4, 0.4, 0.4}, at = {0, 0.2, 0}, material = m}
        scene:run(0.2)
        near(box.velocity.x, mu * g * 0.2, 0.01)
        scene:run(3.8)
        near(box.velocity.x, 2, 1e-6)
        near(box.position.x, 2 * 4 - 2 ^ 2 / (2 * mu * g), 0.01)
        close(box.position.y, 0.2, 1e-3)
        -- half of the belt's work becomes heat
        near(scene.energy.work, 2 * scene.energy.kinetic, 0.05)
        belt.surface_velocity = {0, 0, 0}
        scene:run(2)
        close(box.velocity.x, 0, 1e-6)
    end
end

function promise.a_belt_that_is_turned_runs_along_its_own_axis()
    local scene, m = begin()
    scene:actor{box = {40, 0.2, 2}, at = {0, -0.1, 0}, turn = {0, 90, 0}, motion = "still", material = m,
        surface_velocity = {2, 0, 0}}
    local ball = scene:actor{sphere = 0.2, at = {0, 0.2, 0}, material = m}
    scene:run(3)
    close(ball.velocity.x, 0, 1e-6)
    near(ball.velocity.z, -2 * 2 / 7, 1e-3) -- it slides, then rolls: a free ball takes 2/7 of the belt's speed
end

-- A disc whose surface spins carries a box round without turning itself.
function promise.a_disc_that_turns_carries_a_box_round()
    local scene, m = begin()
    scene:actor{cylinder = {3, 0.2}, at = {5, -0.1, 0}, motion = "still", material = m, surface_spin = {0, 1, 0}}
    local box = scene:actor{box = {0.2, 0.2, 0.2}, at = {6, 0.1, 0}, material = m, velocity = {0, 0, -1}, spin = {0, 1, 0}}
    scene:run(2 * math.pi)
    local dx, dz = box.position.x - 5, box.position.z
    near(math.sqrt(dx * dx + dz * dz), 1, 0.02)
    close(math.atan(-dz, dx), 0, 0.05)
end

-- Tracks on both sides of a hull drive it ahead, and against each other turn it.
function promise.tank_tracks_drive_and_turn()
    local scene, m = begin()
    scene:actor{plane = true, motion = "still", material = m}
    local hull = scene:actor{box = {1.2, 0.3, 1}, at = {0, 0.35, 0}, mass = 500, material = m}
    local tracks = {}
    for i = 1, 2 do
        tracks[i] = scene:actor{box = {2, 0.4, 0.3}, at = {0, 0.2, i == 1 and -0.7 or 0.7}, mass = 100, material = m}
        scene:joint("fixed", hull, tracks[i], {at = {0, 0.3, i == 1 and -0.6 or 0.6}})
        tracks[i].surface_velocity = {-3, 0, 0}
    end
    scene:run(2)
    near(hull.velocity.x, 3, 1e-3)
    tracks[1].surface_velocity = {3, 0, 0}
    scene:run(1)
    assert(math.abs(hull.spin.y) > 0.5, hull.spin.y)
end

function promise.velocities_of_what_does_not_move_are_refused()
    local scene = begin()
    for _, motion in ipairs{"still", "led"} do
        fails("fence", scene.actor, scene, {name = "fence", box = {1, 1, 1}, motion = motion, velocity = {1, 0, 0}})
        fails("fence", scene.actor, scene, {name = "fence", box = {1, 1, 1}, motion = motion, spin = {1, 0, 0}})
        local actor = scene:actor{name = "fence", box = {1, 1, 1}, motion = motion}
        fails("fence", function() actor.velocity = {1, 0, 0} end)
    end
    local body = scene:actor{sphere = 1}
    fails("axis", scene.joint, scene, "hinge", nil, body, {axis = {0, 0, 0}})
end

-- A ball that rolls on a turntable goes in circles, at 2/7 of the table's rate and at its speed, wherever it is.
function promise.a_ball_on_a_turntable_goes_in_circles()
    for _, solid in ipairs{{cylinder = {5, 0.2}}, {box = {8, 0.2, 8}}} do
        local scene, m = begin()
        solid.at, solid.motion, solid.material = {0, -0.1, 0}, "led", m
        local table_, rate, angle = scene:actor(solid), 2, 0
        local function step()
            angle = angle + rate * scene.step
            table_.orientation = eigenrig.quat({0, 1, 0}, math.deg(angle))
            scene:frame()
        end
        for _ = 1, 6 do step() end
        local ball = scene:actor{sphere = 0.1, at = {1, 0.1, 0}, material = m, velocity = {0.3, 0, 0}, spin = {20, 0, -3}}
        local turned, before = 0, 0
        for _ = 1, 480 do
            step()
            local v = ball.velocity
            local now = math.atan(-v.z, v.x)
            turned = turned + (now - before + math.pi) % (2 * math.pi) - math.pi
            before = now
        end
        near(turned, 2 / 7 * rate * 8, 0.01)
        near(ball.velocity:length(), 0.3, 0.03)
        close(ball.position.y, 0.1, 1e-3)
    end
end

-- A bar that hangs from a cart, whose way is A (1 - cos(W t)): its angle by Runge and Kutta's rule.
local function hung_from_a_cart(A, W, from, seconds)
    local I, h = (1 + 0.01) / 12 + 0.25, 1e-3
    local function f(t, a) return -0.5 * (g * math.sin(a) + A * W * W * math.cos(W * t) * math.cos(a)) / I end
    local a, w = from, 0
    for i = 0, math.floor(seconds / h + 0.5) - 1 do
        local t = i * h
        local k1 = f(t, a)
        local k2 = f(t + h / 2, a + h / 2 * w)
        local k3 = f(t + h / 2, a + h / 2 * w + h * h / 4 * k1)
        local k4 = f(t + h, a + h * w + h * h / 2 * k2)
        a, w = a + h * w + h * h / 6 * (k1 + k2 + k3), w + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    end
    return a
end

function promise.a_pendulum_swings_from_a_led_cart_as_it_should()
    local from = math.rad(30)
    for _, step in ipairs{1 / 60, 1 / 120} do
        local scene = eigenrig.scene{sleep_time = 0, step = step}
        local cart = scene:actor{box = {0.2, 0.2, 0.2}, motion = "led"}
        local bar = scene:actor{box = {0.1, 1, 0.1}, at = {0.5 * math.sin(from), -0.5 * math.cos(from), 0}, turn = {0, 0, 30}, mass = 1}
        scene:joint("hinge", cart, bar, {at = {0, 0, 0}, axis = {0, 0, 1}})
        local function off() -- from where it should be, rad
            local down = bar.orientation * eigenrig.vec3(0, -1, 0)
            return math.abs(math.atan(down.x, -down.y) - hung_from_a_cart(0.5, 3, from, scene.time))
        end
        local most = 0
        for i = 1, 2 / step do
            cart.position = {0.5 * (1 - math.cos(3 * i * step)), 0, 0}
            scene:frame()
            if i % 30 == 0 then most = math.max(most, off()) end
        end
        assert(most < 4 * step ^ 2, most)
        local e = scene.energy -- let go at rest, the height of the hinge being 0
        close(e.mechanical - e.work + e.heat, -0.5 * g * math.cos(from), 1e-6)
        assert(e.work > 1 and e.heat == 0, e.work)
    end
end

-- A bar on a hinge that a turntable carries round hangs where W^2 (R + 0.5 sin a) is as steep as it: here at 40 degrees.
function promise.a_bar_hangs_out_from_a_turntable()
    local scene, R, a = eigenrig.scene{sleep_time = 0}, 1, math.rad(40)
    local I = 1.01 / 12 + 0.25 - 0.01 / 6 -- of a bar that turns about the upright: along it less its thickness
    local W = math.sqrt(0.5 * g * math.sin(a) / (0.5 * R * math.cos(a) + I * math.sin(a) * math.cos(a)))
    local disc = scene:actor{cylinder = {R, 0.1}, at = {0, 0.5, 0}, motion = "led"}
    local bar = scene:actor{box = {0.1, 1, 0.1}, at = {R + 0.5 * math.sin(a), -0.5 * math.cos(a), 0}, turn = {0, 0, 40}, mass = 1}
    local joint = scene:joint("hinge", disc, bar, {at = {R, 0, 0}, axis = {0, 0, 1}})
    for i = 1, 600 do
        disc.orientation = eigenrig.quat({0, 1, 0}, math.deg(W * i * scene.step))
        scene:frame()
        if i == 1 then bar.spin, bar.velocity = {0, W, 0}, eigenrig.vec3(0, W, 0):cross(bar.position) end
        if i > 1 then close(joint.angle, 0, 1) end -- degrees
    end
end

-- A led body works by what it lifts and speeds up, through a joint and through a rope, by both solvers.
function promise.a_led_body_works_through_what_hangs_on_it()
    for _, solver in ipairs{"fast", "reference"} do
        local near_by = solver == "fast" and 1e-9 or 1e-2 -- its weight acts a step late
        for _, way in ipairs{"fixed", "rope"} do
            local scene = eigenrig.scene{sleep_time = 0, solver = solver}
            local hook = scene:actor{box = {0.1, 0.1, 0.1}, motion = "led"}
            local load = scene:actor{box = {0.2, 0.2, 0.2}, at = {0, -1, 0}, mass = 3}
            if way == "rope" then scene:rope(hook, load, {at = {0, 0, 0}, length = 1}) else scene:joint("fixed", hook, load) end
            scene:run(0.2)
            equal(scene.energy.work, 0)
            for i = 1, 120 do
                hook.position = {0, i * scene.step, 0}
                scene:frame()
            end
            -- a rope jerks: half of m v^2 is heat
            near(scene.energy.work, 3 * g * 2 + (way == "rope" and 3 or 1.5), near_by)
            if way == "rope" then close(scene.energy.heat, 1.5, 0.3) else close(scene.energy.heat, 0, 1e-12) end
        end
        local scene = eigenrig.scene{sleep_time = 0, solver = solver, gravity = {0, 0, 0}}
        local base = scene:actor{cylinder = {0.5, 0.1}, motion = "led"}
        scene:joint("fixed", base, scene:actor{box = {1, 0.1, 0.1}, at = {1, 0, 0}, mass = 2}, {at = {0.5, 0, 0}})
        for i = 1, 120 do
            base.orientation = eigenrig.quat({0, 1, 0}, math.deg((i * scene.step) ^ 2))
            scene:frame()
        end
        near(scene.energy.work, 0.5 * 2 * (1 + 1.01 / 12) * (2 * 119.5 * scene.step) ^ 2, 1e-9)
    end
end

-- A linkage on a led body: what the body gives through the joint that closes the loop is booked too.
function promise.a_swing_on_a_led_body_keeps_its_account()
    local scene, axis, bars = eigenrig.scene{sleep_time = 0}, {0, 0, 1}, {}
    local base = scene:actor{box = {0.1, 0.1, 0.1}, motion = "led"}
    for i = 1, 2 do
        bars[i] = scene:actor{box = {0.05, 1, 0.05}, at = {2 * i - 2, -0.5, 0}, mass = 1}
        scene:joint("hinge", base, bars[i], {at = {2 * i - 2, 0, 0}, axis = axis})
    end
    local coupler = scene:actor{box = {2, 0.05, 0.05}, at = {1, -1, 0}, mass = 2}
    for i = 1, 2 do scene:joint("hinge", bars[i], coupler, {at = {2 * i - 2, -1, 0}, axis = axis}) end
    for i = 1, 90 do
        base.position = {0.5 * (1 - math.cos(3 * i * scene.step)), 0.2 * math.sin(2 * i * scene.step), 0}
        scene:frame()
    end
    local e = scene.energy
    close(e.mechanical - e.work + e.heat, -3 * g, 1e-6)
    assert(e.work > 10 and e.heat == 0, e.work)
end

-- A train has its speed from the first step on, and so have four boxes on it.
function promise.a_load_on_a_train_stays()
    local scene = eigenrig.scene{sleep_time = 0}
    local train, boxes = scene:actor{box = {40, 1, 40}, at = {0, -0.5, 0}, motion = "led"}, {}
    for i = 1, 4 do boxes[i] = scene:actor{box = {1, 1, 1}, at = {0, i - 0.5, 0}, velocity = {300, 0, 0}} end
    for i = 1, 60 do
        train.position = {300 * i * scene.step, -0.5, 0}
        scene:frame()
    end
    for i = 1, 4 do close(boxes[i].position.x, 300, 1e-7) end
end
