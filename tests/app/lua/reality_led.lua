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
