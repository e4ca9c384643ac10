-- Situations of balls, slides and floors.
local eigenrig = require "eigenrig"
local G = 9.81

local function court(scene, friction, restitution, d)
    local s = scene(d)
    local m = s:material{friction = friction, restitution = restitution}
    s:actor{plane = true, motion = "still", material = m}
    return s, m
end

-- The height of the n-th apex of a ball dropped from 1 m; of the last one within the time if n is nil.
local function apex(s, ball, seconds, n)
    local before, last, count, height = 0, 0, 0, 0
    for _ = 1, math.floor(seconds / s.step) do
        s:frame()
        local now = ball.position.y - 0.1
        if last > before and last >= now and s.steps > 2 then
            count, height = count + 1, last
            if count == n then return height end
        end
        before, last = last, now
    end
    return height
end

situation{number = 2, what = "a perfect ball, dropped from 1 m: apex after 60 s, m", right = 1, rivals = true,
    test = "`reality_balls`: a_perfect_ball_bounces_to_its_height_for_minutes", run = function(scene)
        local s, m = court(scene, 0.5, 1)
        return apex(s, s:actor{sphere = 0.1, at = {0, 1.1, 0}, material = m}, 60)
    end}

for _, row in ipairs{{3, "e = 0.5, dropped from 2 m: second apex, m", nil, "`reality_balls`: each_bounce_keeps_the_square_of_the_restitution"},
    {5, "the same with the reference solver", "reference", "`reality_reference`: a_ball_rebounds_to_e_squared"}} do
    situation{number = row[1], what = row[2], right = 0.125, solver = row[3], rivals = true, test = row[4], run = function(scene)
        local s, m = court(scene, 0.5, 0.5)
        return apex(s, s:actor{sphere = 0.1, at = {0, 2.1, 0}, material = m}, 4, 2)
    end}
end

situation{number = 4, what = "e = 0.9 at 1 cm/s, no gravity: speed after, cm/s", right = 0.9, rivals = true,
    test = "`reality_balls`: restitution_holds_at_low_speed_without_weight", run = function(scene)
        local s = scene{gravity = {0, 0, 0}}
        local m = s:material{restitution = 0.9}
        s:actor{box = {1, 1, 1}, motion = "still", material = m}
        local ball = s:actor{sphere = 0.1, at = {0, 0.605, 0}, velocity = {0, -0.01, 0}, material = m}
        s:run(2)
        return 100 * ball.velocity.y
    end}

situation{number = 8, what = "a cylinder rolls down 20 degrees: speed after 2 s, m/s", right = 2 / 3 * G * math.sin(math.rad(20)) * 2,
    rivals = true, test = "`reality_balls`: balls_cylinders_and_capsules_roll_down_by_their_inertia", run = function(scene)
        local s = scene()
        local a = math.rad(20)
        s:actor{plane = true, motion = "still", turn = {0, 0, -20}}
        local roller = s:actor{cylinder = {0.2, 0.6}, along = "z", at = {0.2 * math.sin(a), 0.2 * math.cos(a), 0}}
        s:run(2)
        return roller.velocity:length()
    end}

situation{number = 9, what = "a ball rolls on the level at 2 m/s: speed after 60 s, m/s", right = 2, rivals = true, format = "%.5g",
    test = "`reality_balls`: a_ball_on_level_ground_rolls_on", run = function(scene)
        local s = court(scene, 0.5, 0)
        local ball = s:actor{sphere = 0.2, at = {0, 0.2, 0}, velocity = {2, 0, 0}, spin = {0, 0, -10}}
        s:run(60)
        return ball.velocity.x
    end}

-- A strip of triangles along x, of cells of a metre.
local function strip()
    local points, triangles = {}, {}
    for i = 0, 40 do
        points[#points + 1] = {i - 20, 0, -2}
        points[#points + 1] = {i - 20, 0, 2}
        local n = 2 * i
        if i > 0 then
            triangles[#triangles + 1] = {n - 1, n, n + 1}
            triangles[#triangles + 1] = {n, n + 2, n + 1}
        end
    end
    return {points = points, triangles = triangles}
end

situation{number = 10, what = "a ball rolls over triangles at 5 m/s: largest rise, mm", right = 0, near = 1, rivals = true,
    test = "`reality_balls`: a_rolling_ball_feels_no_bumps_on_boxes_and_meshes", run = function(scene)
        local s = scene()
        s:actor{mesh = strip(), motion = "still"}
        local ball = s:actor{sphere = 0.2, at = {-15, 0.2, 0.31}, velocity = {5, 0, 0}, spin = {0, 0, -25}}
        s:run(0.5)
        local low, high = 9, -9
        for _ = 1, 270 do
            s:frame()
            local y = ball.position.y
            low, high = math.min(low, y), math.max(high, y)
        end
        return 1000 * (high - low)
    end}

for _, row in ipairs{{11, "a box slides at 45 degrees at 5 m/s: way, m", nil, "`reality_balls`: friction_has_no_direction_of_its_own"},
    {12, "at 30 degrees, reference solver: off its course, degrees", "reference", "`reality_reference`: friction_is_the_same_in_all_directions"}} do
    local course = row[1] == 11 and 45 or 30
    situation{number = row[1], what = row[2], right = row[1] == 11 and 25 / (2 * 0.5 * G) or 0, near = row[1] == 12 and 0.1 or nil, solver = row[3], rivals = true, test = row[4],
        run = function(scene)
            local s, m = court(scene, 0.5, 0)
            local a = math.rad(course)
            local box = s:actor{box = {1, 0.2, 0.5}, at = {0, 0.1, 0}, material = m, velocity = {5 * math.cos(a), 0, 5 * math.sin(a)}}
            s:run(2)
            local p = box.position
            if row[1] == 11 then return math.sqrt(p.x ^ 2 + p.z ^ 2) end
            return math.abs(math.deg(math.atan(p.z, p.x)) - course)
        end}
end

situation{number = 13, what = "mu = 0.5, slope of 27.5 degrees: way in 2 s, m",
    right = 2 * G * (math.sin(math.rad(27.5)) - 0.5 * math.cos(math.rad(27.5))), rivals = true,
    test = "`reality_balls`: a_box_on_a_slope_stays_up_to_the_angle_of_friction", run = function(scene)
        local s = scene()
        local m, a = s:material{friction = 0.5}, math.rad(27.5)
        s:actor{plane = true, motion = "still", material = m, turn = {0, 0, -27.5}}
        local at = eigenrig.vec3(0.1 * math.sin(a), 0.1 * math.cos(a), 0)
        local box = s:actor{box = {1, 0.2, 0.5}, at = at:totable(), turn = {0, 0, -27.5}, material = m}
        s:run(2)
        return (box.position - at):length()
    end}

situation{number = 14, what = "a billiard ball slides at 3 m/s: speed once it rolls, m/s", right = 15 / 7, rivals = true,
    test = "`reality_balls`: a_sliding_ball_comes_to_roll_and_backspin_stops_it", run = function(scene)
        local s, m = court(scene, 0.2, 0)
        local ball = s:actor{sphere = 0.0286, mass = 0.17, at = {0, 0.0286, 0}, velocity = {3, 0, 0}, material = m}
        s:run(2)
        return ball.velocity.x
    end}

situation{number = 15, what = "Newton's cradle, 2 of 5 balls fall: rise of the third, degrees", right = 0, near = 1.5, rivals = true,
    test = "`reality_balls`: a_cradle_hands_on_as_many_balls_as_it_gets", run = function(scene)
        local s = scene()
        local steel = s:material{restitution = 1, friction = 0}
        local balls, most = {}, 0
        for i = 1, 5 do
            local x, angle = 0.2 * (i - 3), i <= 2 and math.rad(40) or 0
            balls[i] = s:actor{sphere = 0.1, material = steel, at = {x - 2 * math.sin(angle), -2 * math.cos(angle), 0},
                turn = {0, 0, -math.deg(angle)}}
            s:joint("hinge", nil, balls[i], {at = {x, 0, 0}, axis = {0, 0, 1}})
        end
        for _ = 1, 120 do
            s:frame()
            most = math.max(most, math.deg(math.asin(math.min(1, math.max(0, balls[3].position.x / 2)))))
        end
        return most
    end}


-- Led and running floors

situation{number = 21, what = "a platform with 0.8 mu g: slip in 10 s, mm", right = 0, near = 0.5, rivals = true,
    test = "`reality_led`: a_platform_carries_a_box_below_the_limit_of_friction", run = function(scene)
        local s = scene()
        local m = s:material{friction = 0.5}
        local platform = s:actor{box = {6, 0.2, 6}, at = {0, -0.1, 0}, motion = "led", material = m}
        local box = s:actor{box = {0.4, 0.4, 0.4}, at = {0, 0.2, 0}, material = m}
        local reach = 0.8 * 0.5 * G / 9
        for i = 1, 600 do
            platform.position = {reach * (1 - math.cos(3 * i * s.step)), -0.1, 0}
            s:frame()
        end
        return 1000 * math.abs(box.position.x - reach * (1 - math.cos(3 * 600 * s.step)))
    end}

situation{number = 22, what = "a turntable with 0.3 mu g: outward creep in 15 s, mm", right = 0, near = 0.5, rivals = true,
    test = "`reality_led`: a_turntable_carries_a_box_round", run = function(scene)
        local s = scene()
        local m = s:material{friction = 0.5}
        local disc = s:actor{cylinder = {3, 0.2}, at = {0, -0.1, 0}, motion = "led", material = m}
        local rate, angle = math.sqrt(0.3 * 0.5 * G / 1.5), 0
        local box = s:actor{box = {0.2, 0.2, 0.2}, at = {1.5, 0.1, 0}, material = m}
        for i = 1, 900 do
            angle = angle + rate * math.min(i / 300, 1) * s.step
            disc.orientation = eigenrig.quat({0, 1, 0}, math.deg(angle))
            s:frame()
        end
        return 1000 * (math.sqrt(box.position.x ^ 2 + box.position.z ^ 2) - 1.5)
    end}

situation{number = 23, what = "a box set on a belt of 2 m/s: place after 4 s, m", right = 8 - 4 / (2 * 0.5 * G),
    test = "`reality_led`: a_conveyor_brings_a_box_to_its_speed", run = function(scene)
        local s = scene()
        local m = s:material{friction = 0.5}
        s:actor{box = {40, 0.2, 2}, at = {0, -0.1, 0}, motion = "still", material = m, surface_velocity = {2, 0, 0}}
        local box = s:actor{box = {0.4, 0.4, 0.4}, at = {0, 0.2, 0}, material = m}
        s:run(4)
        return box.position.x
    end}
