-- Bounded motors give their bound, no less and no more, and their work is the energy gained.

local inertia, mass = 0.135, 3

-- A wheel on an axle along z, without gravity.
local function wheel(motor, gravity)
    local scene = eigenrig.scene{sleep_time = 0, gravity = gravity or {0, 0, 0}}
    local body = scene:actor{cylinder = {0.3, 0.1}, along = "z", mass = mass}
    motor.at, motor.axis = {0, 0, 0}, {0, 0, 1}
    return scene, body, scene:joint("hinge", nil, body, motor)
end

function promise.a_bounded_motor_gives_all_of_its_bound()
    for _, most in ipairs{0.2, 1, 8.1, 20, 81, 100} do
        local scene, body = wheel{speed = 1e4, most = most}
        scene:run(1)
        near(body.spin.z, most / inertia, 1e-9)
        near(scene.energy.work, scene.energy.kinetic, 1e-9)
        near(scene.energy.kinetic, 0.5 * inertia * body.spin.z ^ 2, 1e-9)
    end
end

function promise.a_motor_at_its_bound_does_not_resist()
    local scene, body = wheel{speed = 1e4, most = 8.1}
    scene:frame()
    local before = body.spin.z
    body:torque{0, 0, 8.1}
    scene:frame()
    near(body.spin.z - before, 16.2 / inertia / 60, 1e-9)
end

function promise.a_bounded_motor_comes_to_its_speed_and_stays()
    for _, most in ipairs{1, 81} do
        local scene, body = wheel{speed = 50, most = most}
        local needed = 50 * inertia / most
        while scene.time < needed - scene.step do
            scene:frame()
            near(body.spin.z, most / inertia * scene.time, 1e-9)
        end
        scene:run(2 * scene.step)
        for _ = 1, 60 do
            scene:frame()
            near(body.spin.z, 50, 1e-5)
        end
        near(scene.energy.work, scene.energy.kinetic, 1e-5)
    end
end

function promise.a_motor_brakes_as_hard_as_it_drives()
    local scene, body, joint = wheel{speed = 1e4, most = 8.1}
    scene:run(0.5)
    local fastest = body.spin.z
    joint:drive{speed = -1e4}
    scene:run(0.25)
    near(body.spin.z, fastest - 0.25 * 8.1 / inertia, 1e-9)
    near(scene.energy.work, scene.energy.kinetic, 1e-9)
end

function promise.a_bounded_slide_gives_all_of_its_force()
    for _, most in ipairs{1, 100} do
        local scene = eigenrig.scene{sleep_time = 0, gravity = {0, 0, 0}}
        local body = scene:actor{box = {1, 1, 1}, mass = 2}
        scene:joint("prismatic", nil, body, {axis = {1, 0, 0}, speed = 1e4, most = most})
        scene:run(1)
        near(body.velocity.x, most / 2, 1e-9)
        near(scene.energy.work, scene.energy.kinetic, 1e-9)
    end
end

-- Far from its angle a servo gives its bound; near, it comes to rest at the angle.
function promise.a_bounded_servo_gives_its_bound_until_it_is_near()
    local scene, body = wheel{angle = 90, stiffness = 200, damping = 20, most = 5}
    for _ = 1, 10 do
        scene:frame()
        near(body.spin.z, 5 / inertia * scene.time, 1e-9)
    end
    scene:run(3)
    close(body.spin.z, 0, 1e-6)
    same(body.orientation * eigenrig.vec3(1, 0, 0), {0, 1, 0}, 1e-5)
end

-- An arm that weighs more than its motor bears falls as if the motor's torque were a part of its weight.
function promise.an_overloaded_motor_gives_way_by_the_rest()
    local scene = eigenrig.scene{sleep_time = 0}
    local arm = scene:actor{box = {1, 0.1, 0.1}, at = {0.5, 0, 0}, mass = 12}
    scene:joint("hinge", nil, arm, {at = {0, 0, 0}, axis = {0, 0, 1}, speed = 0, most = 40})
    local moment, load = 1 * (1 + 0.01) + 12 * 0.25, 12 * 9.81 * 0.5
    scene:frame()
    near(arm.spin.z, -(load - 40) / moment * scene.step, 1e-9)
    local strong = eigenrig.scene{sleep_time = 0}
    local held = strong:actor{box = {1, 0.1, 0.1}, at = {0.5, 0, 0}, mass = 12}
    strong:joint("hinge", nil, held, {at = {0, 0, 0}, axis = {0, 0, 1}, speed = 0, most = 60})
    strong:run(2)
    assert(math.abs(held.position.y) < 0.01, held.position.y)
end

-- Wheels roll without slip while their friction suffices: (m + 4 I / r^2) a = 4 most / r.
function promise.a_car_speeds_up_by_its_motors_and_reaches_its_speed()
    local scene = eigenrig.scene{sleep_time = 0}
    local m, r, most, speed = scene:material{friction = 1}, 0.3, 30, 20
    scene:actor{plane = true, motion = "still", material = m}
    local body, wheels = scene:actor{box = {2, 0.3, 1}, at = {0, r, 0}, mass = 100, material = m}, {}
    for i = 0, 3 do
        local at = {i < 2 and -0.8 or 0.8, r, i % 2 == 0 and -0.7 or 0.7}
        wheels[i + 1] = scene:actor{sphere = r, at = at, mass = 10, material = m}
        scene:joint("hinge", body, wheels[i + 1], {at = at, axis = {0, 0, -1}, speed = speed, most = most})
    end
    local moment = 0.4 * 10 * r ^ 2
    local acceleration = 4 * most / r / (140 + 4 * moment / r ^ 2)
    scene:run(0.2)
    local before, at = body.velocity.x, scene.time
    scene:run(1)
    near((body.velocity.x - before) / (scene.time - at), acceleration, 0.01)
    scene:run(3)
    near(body.velocity.x, speed * r, 0.01)
    for _, w in ipairs(wheels) do near(-w.spin.z, speed, 0.01) end
end
