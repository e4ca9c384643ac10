-- Balls and wheels that bounce, roll, slide and meet, against closed forms.
local G = 9.81

-- A scene whose bodies stay awake, with its ground and a maker of balls on one material.
local function court(friction, restitution)
    local scene = eigenrig.scene{sleep_time = 0}
    local stuff = scene:material{friction = friction, restitution = restitution}
    scene:actor{plane = true, motion = "still", material = stuff}
    return scene, stuff
end

-- The heights of the apexes of a ball of radius 0.1 m.
local function apexes(scene, ball, seconds)
    local found, before, last = {}, 0, 0
    for _ = 1, math.floor(seconds / scene.step) do
        scene:frame()
        local height = ball.position.y - 0.1
        if last > before and last >= height and scene.steps > 2 then found[#found + 1] = last end
        before, last = last, height
    end
    return found
end

function promise.a_perfect_ball_bounces_to_its_height_for_minutes()
    for _, height in ipairs{1, 10} do
        local scene, stuff = court(0.5, 1)
        local ball = scene:actor{sphere = 0.1, at = {0, 0.1 + height, 0}, material = stuff}
        scene:run(58)
        local found = apexes(scene, ball, 10)
        near(found[#found], height, 5e-4) -- as heights are read at steps
    end
end

function promise.each_bounce_keeps_the_square_of_the_restitution()
    for _, e in ipairs{0.2, 0.5, 0.8, 0.95} do
        local scene, stuff = court(0.5, e)
        local ball = scene:actor{sphere = 0.1, at = {0, 2.1, 0}, material = stuff}
        local found = apexes(scene, ball, 4)
        for n = 1, math.min(3, #found) do
            if e ^ (2 * n) > 0.01 then near(found[n], 2 * e ^ (2 * n), 0.01) end
        end
        assert(#found > 0)
    end
end

function promise.restitution_holds_at_low_speed_without_weight()
    for _, speed in ipairs{0.001, 0.01, 0.1} do
        local scene = eigenrig.scene{gravity = {0, 0, 0}, sleep_time = 0}
        local stuff = scene:material{restitution = 0.9}
        scene:actor{box = {1, 1, 1}, motion = "still", material = stuff}
        local ball = scene:actor{sphere = 0.1, at = {0, 0.6 + speed / 2, 0}, velocity = {0, -speed, 0}, material = stuff}
        scene:run(2)
        near(ball.velocity.y, 0.9 * speed, 1e-9)
    end
end

-- A roller on a slope of 20 degrees accelerates by g sin / (1 + I / (m r^2)).
function promise.balls_cylinders_and_capsules_roll_down_by_their_inertia()
    local angle = math.rad(20)
    local normal = eigenrig.vec3(math.sin(angle), math.cos(angle), 0)
    for solid, share in pairs{sphere = 5 / 7, cylinder = 2 / 3} do
        local scene = eigenrig.scene{sleep_time = 0}
        scene:actor{plane = true, motion = "still", turn = {0, 0, -20}}
        local roller = scene:actor{[solid] = solid == "sphere" and 0.2 or {0.2, 0.6}, along = solid ~= "sphere" and "z" or nil,
            at = (0.2 * normal):totable()}
        scene:run(2)
        near((roller.position - 0.2 * normal):length(), share * G * math.sin(angle) * 2 ^ 2 / 2, 0.01)
        near(roller.velocity:length(), share * G * math.sin(angle) * 2, 1e-3)
    end
end

function promise.a_ball_on_level_ground_rolls_on()
    local scene = court(0.5, 0)
    local ball = scene:actor{sphere = 0.2, at = {0, 0.2, 0}, velocity = {2, 0, 0}, spin = {0, 0, -10}}
    scene:run(60)
    near(ball.velocity.x, 2, 1e-4)
    close(ball.position.z, 0, 1e-6)
end

-- Ground of boxes or of triangles is as flat as a plane.
function promise.a_rolling_ball_feels_no_bumps_on_boxes_and_meshes()
    local grounds = {
        function(scene) scene:actor{box = {40, 1, 4}, at = {0, -0.5, 0}, motion = "still"} end,
        function(scene)
            local points, triangles = {}, {}
            for i = 0, 40 do
                points[#points + 1] = {i - 20, 0, -2}
                points[#points + 1] = {i - 20, 0, 2}
                if i > 0 then
                    local n = 2 * i
                    triangles[#triangles + 1] = {n - 1, n, n + 1}
                    triangles[#triangles + 1] = {n, n + 2, n + 1}
                end
            end
            scene:actor{mesh = {points = points, triangles = triangles}, motion = "still"}
        end,
    }
    for _, ground in ipairs(grounds) do
        local scene = eigenrig.scene{sleep_time = 0}
        ground(scene)
        local ball = scene:actor{sphere = 0.2, at = {-15, 0.2, 0.31}, velocity = {5, 0, 0}, spin = {0, 0, -25}}
        local lowest, highest = 1, 0
        for _ = 1, 300 do
            scene:frame()
            lowest, highest = math.min(lowest, ball.position.y), math.max(highest, ball.position.y)
        end
        assert(highest - lowest < 1e-3, highest - lowest)
        near(ball.velocity.x, 5, 1e-3)
        close(ball.position.z, 0.31, 1e-3)
    end
end

-- Coriolis 1835: a ball that slides comes to roll at 5/7 of its speed, after 2 v / (7 mu g); one with as much backspin as
-- a uniform ball can lose stops.
function promise.a_sliding_ball_comes_to_roll_and_backspin_stops_it()
    local scene, stuff = court(0.2, 0)
    local ball = scene:actor{sphere = 0.0286, mass = 0.17, at = {0, 0.0286, 0}, velocity = {3, 0, 0}, material = stuff}
    local back = scene:actor{sphere = 0.0286, mass = 0.17, at = {0, 0.0286, 1}, velocity = {1, 0, 0},
        spin = {0, 0, 2.5 / 0.0286}, material = stuff}
    local rolls
    for _ = 1, 120 do
        scene:frame()
        if not rolls and -ball.spin.z * 0.0286 > 0.999 * ball.velocity.x then rolls = scene.time end
    end
    near(ball.velocity.x, 15 / 7, 0.005)
    near(rolls, 6 / (7 * 0.2 * G), 0.05)
    close(back.velocity.x, 0, 0.01)
end

-- As many balls leave Newton's cradle as fell in, and rise as high.
function promise.a_cradle_hands_on_as_many_balls_as_it_gets()
    for _, gap in ipairs{0, 0.001} do
        for falling = 1, 3 do
            local scene = eigenrig.scene{sleep_time = 0}
            local steel = scene:material{restitution = 1, friction = 0}
            local balls, start = {}, math.rad(40)
            for i = 1, 5 do
                local x, angle = (0.2 + gap) * (i - 3), i <= falling and start or 0
                balls[i] = scene:actor{sphere = 0.1, material = steel, at = {x - 2 * math.sin(angle), -2 * math.cos(angle), 0},
                    turn = {0, 0, -math.deg(angle)}}
                scene:joint("hinge", nil, balls[i], {at = {x, 0, 0}, axis = {0, 0, 1}})
            end
            local highest = {0, 0, 0, 0, 0}
            for _ = 1, 120 do
                scene:frame()
                for i, ball in ipairs(balls) do
                    local x = ball.position.x - (0.2 + gap) * (i - 3)
                    highest[i] = math.max(highest[i], math.deg(math.asin(math.min(1, x / 2))))
                end
            end
            for i = 1, 5 do
                if i > 5 - falling then close(highest[i], 40, 0.5) else assert(highest[i] < 1.5, highest[i]) end
            end
        end
    end
end

-- Friction is the same in all directions: a box slides v^2 / (2 mu g), straight on, and does not turn.
function promise.friction_has_no_direction_of_its_own()
    for _, course in ipairs{0, 15, 30, 45, 90} do
        local scene, stuff = court(0.5, 0)
        local angle = math.rad(course)
        local box = scene:actor{box = {1, 0.2, 0.5}, at = {0, 0.1, 0}, turn = {0, 10, 0}, material = stuff,
            velocity = {5 * math.cos(angle), 0, 5 * math.sin(angle)}}
        scene:run(2)
        local p = box.position
        near(math.sqrt(p.x ^ 2 + p.z ^ 2), 25 / (2 * 0.5 * G), 0.01)
        close(math.deg(math.atan(p.z, p.x)), course, 0.1)
        local _, turned = (box.orientation * eigenrig.quat({0, 1, 0}, -10)):turn()
        close(turned, 0, 0.1)
    end
end

function promise.a_box_on_a_slope_stays_up_to_the_angle_of_friction()
    for _, slope in ipairs{20, 26, 27.5, 35} do
        local scene = eigenrig.scene{sleep_time = 0}
        local stuff, angle = scene:material{friction = 0.5}, math.rad(slope)
        local normal = eigenrig.vec3(math.sin(angle), math.cos(angle), 0)
        scene:actor{plane = true, motion = "still", material = stuff, turn = {0, 0, -slope}}
        local box = scene:actor{box = {1, 0.2, 0.5}, at = (0.1 * normal):totable(), turn = {0, 0, -slope}, material = stuff}
        scene:run(2)
        local slid = math.max(0, G * (math.sin(angle) - 0.5 * math.cos(angle))) * 2
        close((box.position - 0.1 * normal):length(), slid, 0.02 * slid + 2e-3)
    end
end

function promise.balls_on_both_sides_of_a_roof_roll_down_alike()
    local scene = eigenrig.scene{sleep_time = 0}
    scene:actor{box = {2, 2, 2}, turn = {0, 0, 45}, motion = "still"}
    local height = math.sqrt(2) - 0.5 + 0.2 * math.sqrt(2)
    local left = scene:actor{sphere = 0.2, at = {-0.5, height, 0}}
    local right = scene:actor{sphere = 0.2, at = {0.5, height, 0}}
    scene:run(0.5)
    close(left.position.x, -right.position.x, 1e-6)
    near(left.velocity:length(), 5 / 7 * G * math.sin(math.rad(45)) * 0.5, 0.02)
end
