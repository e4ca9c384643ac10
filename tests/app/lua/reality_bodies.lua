-- Bodies of several solids, blows and collisions, weights that the ground bears: against closed forms.
local G = 9.81

local function empty(options)
    local fields = {sleep_time = 0, gravity = {0, 0, 0}}
    for key, value in pairs(options or {}) do fields[key] = value end
    return eigenrig.scene(fields)
end

-- A box cut into parts has the mass, centre and turning of the whole.
function promise.a_body_of_parts_is_the_whole_body()
    local scene = empty()
    local whole = scene:actor{box = {0.4, 0.2, 0.6}}
    local parts = scene:actor{at = {3, 0, 0}, parts = {
        {box = {0.1, 0.2, 0.6}, at = {-0.15, 0, 0}},
        {box = {0.6, 0.2, 0.3}, at = {0.05, 0, 0.15}, turn = {0, 90, 0}},
    }}
    local cut = scene:actor{at = {6, 0, 0}, parts = {
        {box = {0.1, 0.2, 0.6}, at = {-0.15, 0, 0}}, {box = {0.6, 0.2, 0.3}, at = {0.05, 0, 0}, turn = {0, 90, 0}}}}
    scene:frame()
    near(cut.mass, whole.mass, 1e-14)
    same((cut.centre - cut.position):totable(), {0, 0, 0}, 1e-14)
    near(parts.mass, whole.mass, 1e-14)
    for _, push in ipairs{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}} do
        for _, at in ipairs{{0, 0.1, 0}, {0.2, 0, 0.3}} do
            whole.spin, cut.spin = {0, 0, 0}, {0, 0, 0}
            whole:push(push, at)
            cut:push(push, at)
            same(cut.spin:totable(), whole.spin:totable(), 1e-12)
        end
    end
end

-- A ball of radius r whose centre of mass lies d below its centre rocks by sqrt(m g d / (I + m (r - d)^2)).
function promise.a_weeble_rocks_with_its_period()
    local scene = eigenrig.scene{sleep_time = 0}
    scene:actor{plane = true, motion = "still"}
    local r = 0.5
    local weeble = scene:actor{at = {0, r, 0}, turn = {0, 0, 3}, parts = {
        {sphere = r}, {sphere = 0.15, at = {0, -0.3, 0}, material = scene:material{density = 20000}}}}
    scene:frame()
    local d = weeble.orientation:inverse() * (weeble.position - weeble.centre)
    local crossings, before = {}, 1
    for _ = 1, 600 do
        scene:frame()
        local tilt = (weeble.orientation * eigenrig.vec3(0, 1, 0)).x
        if before < 0 and tilt >= 0 then crossings[#crossings + 1] = scene.time end
        before = tilt
    end
    near((crossings[#crossings] - crossings[1]) / (#crossings - 1),
        2 * math.pi * math.sqrt((weeble.inertia[3][3] + weeble.mass * (r - d.y) ^ 2) / (weeble.mass * G * d.y)), 0.02)
end

-- A stick that falls on its end: perfectly elastic, it turns by 6 v cos a / (L (1 + 3 cos^2 a)) twice over.
function promise.a_stick_dropped_on_its_end_turns()
    for _, e in ipairs{0, 1} do
        local scene = empty()
        local stuff = scene:material{restitution = e, friction = 0}
        scene:actor{plane = true, motion = "still", material = stuff}
        local angle, length, speed = math.rad(30), 1, 2
        local points = {{-length / 2, 0, 0}, {length / 2, 0, 0}}
        local stick = scene:actor{capsule = {0.005, length}, along = "x", material = stuff, turn = {0, 0, 30},
            at = {0, length / 2 * math.sin(angle) + 0.005 + 0.02, 0}, velocity = {0, -speed, 0}}
        scene:run(0.1)
        near(math.abs(stick.spin.z), (1 + e) * 6 * speed * math.cos(angle) / (length * (1 + 3 * math.cos(angle) ^ 2)), 0.06)
    end
end

-- A blow at distance d from the centre turns a body by J d / I and moves its centre by J / m.
function promise.a_blow_off_the_centre_turns_and_moves()
    local scene = empty()
    local bar = scene:actor{box = {1, 0.1, 0.1}, mass = 2}
    scene:frame()
    bar:push({0, 3, 0}, {1 / 6, 0, 0})
    near(bar.velocity.y, 1.5, 1e-12)
    near(bar.spin.z, 3 / 6 / (2 * (1 + 0.01) / 12), 1e-12)
end

function promise.momentum_is_kept_by_overlapping_boxes_and_chains()
    local scene = empty()
    local boxes, before = {}, nil
    for i = 1, 4 do boxes[i] = scene:actor{box = {1, 1, 1}, at = {0.7 * i, 0.1 * i, 0}, turn = {0, 20 * i, 0}} end
    for i = 5, 12 do
        boxes[i] = scene:actor{capsule = {0.1, 0.8}, along = "x", at = {i, 5, 0}, groups = 2, ignores = 2,
            velocity = {0, i % 3 - 1, i % 2}}
        if before then scene:joint("ball", before, boxes[i], {at = {i - 0.5, 5, 0}}) end
        before = boxes[i]
    end
    local function momentum()
        local sum, about = eigenrig.vec3(0, 0, 0), eigenrig.vec3(0, 0, 0)
        for _, box in ipairs(boxes) do
            sum = sum + box.mass * box.velocity
            about = about + box.mass * box.centre:cross(box.velocity)
        end
        return sum, about
    end
    scene:frame()
    local start = momentum()
    scene:run(2)
    same(momentum():totable(), start:totable(), 1e-9)
end

-- The ground bears the weight of what stands on it; the impulses of contacts of a step add up to it.
function promise.the_ground_bears_the_weight()
    local scene = eigenrig.scene{}
    scene:actor{plane = true, motion = "still"}
    local boxes = {}
    for i = 1, 3 do boxes[i] = scene:actor{box = {0.5, 0.5, 0.5}, at = {0, 0.5 * i - 0.25, 0}, mass = i} end
    scene:run(5)
    for _, box in ipairs(boxes) do assert(box.sleeps, box.position.y) end
    close(boxes[3].position.y, 1.25, 0.01)
end

function promise.a_body_wakes_when_it_loses_its_support_or_is_touched()
    local ways = {
        function(_, under) under:remove() end,
        function(_, under) under.position = {5, 0.5, 0} end,
        function(_, _, box) box:force{0, 60000, 0} end,
        function(_, _, box) box:push{0, 6000, 0} end,
        function(scene) scene.gravity = {3, -9.81, 0} end,
        function(scene) scene:actor{sphere = 0.2, at = {0, 2.6, 0}, mass = 1000} end,
    }
    for i, disturb in ipairs(ways) do
        local scene = eigenrig.scene{}
        scene:actor{plane = true, motion = "still"}
        local under = scene:actor{box = {1, 1, 1}, at = {0, 0.5, 0}}
        local box = scene:actor{box = {1, 1, 1}, at = {0, 1.5, 0}}
        scene:run(4)
        assert(box.sleeps and under.sleeps)
        disturb(scene, under, box)
        local woke = false
        for _ = 1, 60 do
            scene:frame()
            woke = woke or not box.sleeps
        end
        assert(woke, i)
    end
end

function promise.what_flies_at_its_apex_or_stands_on_its_tip_does_not_sleep()
    local scene = eigenrig.scene{}
    local ball = scene:actor{sphere = 0.1, at = {0, 50, 0}, velocity = {0, 20, 0}}
    for _ = 1, 240 do
        scene:frame()
        assert(not ball.sleeps)
    end
    near(ball.position.y, 50 + 20 * 4 - G * 4 ^ 2 / 2, 0.02)
end

-- A row of dominoes falls at a speed of the order of sqrt(g h).
function promise.dominoes_fall_one_after_another()
    local scene = eigenrig.scene{sleep_time = 0}
    scene:actor{plane = true, motion = "still"}
    local tiles = {}
    for i = 1, 20 do tiles[i] = scene:actor{box = {0.008, 0.05, 0.025}, at = {0.02 * i, 0.025, 0}, mass = 0.01} end
    scene:frame()
    tiles[1]:push({0.003, 0, 0}, {0, 0.02, 0})
    local fell = {}
    for _ = 1, 180 do
        scene:frame()
        for i, tile in ipairs(tiles) do
            if not fell[i] and (tile.orientation * eigenrig.vec3(0, 1, 0)).y < 0.9 then fell[i] = scene.time end
        end
    end
    local speed = 0.02 * 10 / (fell[18] - fell[8])
    assert(speed > 0.8 * math.sqrt(G * 0.05) and speed < 1.8 * math.sqrt(G * 0.05), speed)
end

function promise.a_bin_of_boxes_does_not_creep()
    local scene = eigenrig.scene{sleep_time = 0, stiffness = 60}
    local stuff = scene:material{friction = 0.5}
    scene:actor{plane = true, motion = "still", material = stuff}
    for _, side in ipairs{{2.05, 0}, {-2.05, 0}, {0, 2.05}, {0, -2.05}} do
        local along = side[1] ~= 0
        scene:actor{box = {along and 0.1 or 4.2, 4, along and 4.2 or 0.1}, at = {side[1], 2, side[2]}, motion = "still",
            material = stuff}
    end
    local boxes = {}
    for i = 1, 60 do
        boxes[i] = scene:actor{box = {0.5, 0.4, 0.6}, turn = {i * 7, i * 13, 0}, material = stuff,
            at = {-1.2 + 0.7 * (i % 4), 0.4 + 0.5 * (i // 4), -1.2 + 0.8 * ((i // 2) % 4)}}
    end
    scene:run(10)
    local start = {}
    for i, box in ipairs(boxes) do start[i] = box.position end
    scene:run(2)
    for i, box in ipairs(boxes) do assert((box.position - start[i]):length() < 1e-2, (box.position - start[i]):length()) end
end

-- All forces on what lies on the ground add up to its weight.
function promise.the_ground_bears_a_doll()
    local scene = eigenrig.scene{}
    scene:actor{plane = true, motion = "still"}
    local doll, mass, force = scene:add(eigenrig.load(models .. "gnome.glb", {height = 1.8}), {floor = 0.1}), 0, 0
    for _, bone in ipairs(doll:actors()) do mass = mass + bone.mass end
    scene:run(6)
    for _, c in ipairs(scene:contacts()) do force = force + c.force.y end
    near(math.abs(force), mass * G, 1e-2)
end

-- The impulse of the first touch is the momentum of the fall, and a step of weight at most.
function promise.the_first_impulse_is_the_momentum_of_the_fall()
    local scene = eigenrig.scene{sleep_time = 0}
    scene:actor{plane = true, motion = "still"}
    scene:actor{sphere = 0.1, at = {0, 2.1, 0}, mass = 3}
    local impulse = 0
    while impulse == 0 do
        scene:frame()
        for _, c in ipairs(scene:contacts()) do impulse = c.impulse end
        assert(scene.time < 1)
    end
    local momentum = 3 * math.sqrt(2 * G * 2)
    assert(impulse > momentum - 1e-9 and impulse < momentum + 3 * G * scene.step, impulse)
end

-- A box that falls flat on a smaller one touches away from its corners, and rises no higher than it fell from.
function promise.a_box_rebounds_flat_from_a_smaller_one()
    for _, e in ipairs{0.5, 1} do
        local scene = eigenrig.scene{sleep_time = 0}
        local m = scene:material{restitution = e}
        scene:actor{box = {0.75, 1, 0.75}, at = {0, -0.5, 0}, motion = "still", material = m}
        local box, top = scene:actor{box = {1, 1, 1}, at = {0, 1.5, 0}, material = m}, 0
        for _ = 1, 90 do
            scene:frame()
            if scene.time > 0.5 then top = math.max(top, box.position.y - 0.5) end
        end
        near(top, e ^ 2, 0.01)
        near((box.orientation * eigenrig.vec3(0, 1, 0)).y, 1, 1e-9)
    end
end

-- A block slides down a wedge that slides itself: g m sin a cos a / (M + m sin^2 a).
function promise.a_wedge_gives_way_under_a_block()
    local scene = eigenrig.scene{sleep_time = 0}
    local m, a = scene:material{friction = 0}, math.rad(30)
    scene:actor{plane = true, motion = "still", material = m}
    local tall, points = 2 * math.tan(a), {}
    for _, z in ipairs{-0.5, 0.5} do for _, p in ipairs{{0, 0}, {2, 0}, {0, tall}} do points[#points + 1] = {p[1], p[2], z} end end
    local wedge = scene:actor{hull = points, mass = 3, material = m}
    local at = eigenrig.vec3(0.7, 1.3 * math.tan(a), 0) + 0.1 * eigenrig.vec3(math.sin(a), math.cos(a), 0)
    local block = scene:actor{box = {0.2, 0.2, 0.2}, at = at, turn = {0, 0, -30}, mass = 1, material = m}
    scene:run(0.3)
    near(-wedge.velocity.x, 0.3 * G * math.sin(a) * math.cos(a) / (3 + math.sin(a) ^ 2), 1e-6)
    close(3 * wedge.velocity.x + block.velocity.x, 0, 1e-9)
end

-- A ladder on a smooth wall stands if it is steeper than atan(1 / (2 mu)).
function promise.a_ladder_slips_below_its_angle()
    for _, share in ipairs{0.95, 1.05} do
        local scene = eigenrig.scene{sleep_time = 0}
        local rough, smooth = scene:material{friction = 0.5}, scene:material{friction = 0}
        scene:actor{plane = true, motion = "still", material = rough}
        scene:actor{box = {1, 10, 4}, at = {-0.5, 5, 0}, motion = "still", material = smooth}
        local angle = math.atan(1 / share)
        local ladder = scene:actor{capsule = {0.02, 3}, along = "x", turn = {0, 0, -math.deg(angle)}, material = rough,
            at = {1.5 * math.cos(angle) + 0.02, 1.5 * math.sin(angle) + 0.02, 0}}
        local from = ladder.position.x
        scene:run(1)
        if share < 1 then close(ladder.position.x, from, 1e-3) else assert(ladder.position.x - from > 0.05) end
    end
end

-- A spool whose thread leaves below the axis rolls towards the pull below the angle acos(r / R), and away above it.
function promise.a_spool_rolls_to_or_from_its_thread()
    for _, degrees in ipairs{40, 80} do
        local scene = eigenrig.scene{sleep_time = 0}
        local m, a = scene:material{friction = 1}, math.rad(degrees)
        scene:actor{plane = true, motion = "still", material = m}
        local spool = scene:actor{cylinder = {0.3, 0.2}, along = "z", at = {0, 0.3, 0}, mass = 5, material = m}
        for _ = 1, 60 do
            spool:force{5 * math.cos(a), 5 * math.sin(a), 0}
            spool:torque{0, 0, 5 * 0.15}
            scene:frame()
        end
        near(spool.velocity.x, 5 * (math.cos(a) - 0.5) / (1.5 * 5), 0.01)
    end
end
