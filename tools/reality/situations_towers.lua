-- Situations of stacks, heaps and sizes.
local eigenrig = require "eigenrig"
local G = 9.81

-- A tower of boxes of side a on a still plane, at x.
local function tower(s, count, a, masses, material, x)
    local m = s:material(material or {friction = 0.5})
    s:actor{plane = true, motion = "still", material = m, at = {x or 0, 0, 0}}
    local boxes = {}
    for i = 1, count do
        boxes[i] = s:actor{box = {a, a, a}, at = {x or 0, (i - 0.5) * a, 0}, mass = masses and masses[i], material = m}
    end
    return boxes
end

situation{number = 1, what = "a box on one of a hundredth of its mass: its height, m", right = 1.5, rivals = true,
    test = "`reality_towers`: a_light_box_bears_one_of_a_hundred_times_its_mass", run = function(scene)
        local s = scene()
        local boxes = tower(s, 2, 1, {1, 100})
        s:run(10)
        return boxes[2].position.y
    end}

situation{number = 48, what = "ten boxes of 10 cm: height of the top one after 10 s, m", right = 0.95, rivals = true,
    test = "`reality_towers`: a_tower_of_ten_stands_at_any_size", run = function(scene)
        local s = scene()
        local boxes = tower(s, 10, 0.1)
        s:run(10)
        return boxes[10].position.y
    end}

situation{number = 49, what = "g = 100, e = 0.5, five boxes: speed of the top one, mm/s", right = 0, near = 0.1, rivals = true,
    test = "`reality_towers`: bouncing_boxes_under_ten_times_the_weight_come_to_rest", run = function(scene)
        local s = scene{gravity = {0, -100, 0}}
        local boxes = tower(s, 5, 1, nil, {friction = 0.5, restitution = 0.5})
        s:run(10)
        return 1000 * boxes[5].velocity:length()
    end}

situation{number = 50, what = "four boxes 1000 km from the origin: height of the top one, m", right = 3.5, rivals = true,
    test = "`reality_sameness`: a_million_metres_from_the_origin_nothing_changes", run = function(scene)
        local s = scene()
        local boxes = tower(s, 4, 1, nil, nil, 1048576)
        s:run(5)
        return boxes[4].position.y
    end}

situation{number = 51, what = "six boxes of 1 km: height of the top one, of their side", right = 5.5, rivals = true,
    test = "`reality_sameness`: larger_worlds_move_as_small_ones_in_slower_time", run = function(scene)
        local s = scene()
        local boxes = tower(s, 6, 1000)
        s:run(60)
        return boxes[6].position.y / 1000
    end}

situation{number = 52, what = "six boxes of 1 mm: height of the top one, of their side", right = 5.5, rivals = true,
    test = "`reality_towers`: a_tower_of_ten_stands_at_any_size", run = function(scene)
        local s = scene()
        local boxes = tower(s, 6, 0.001)
        s:run(5)
        return boxes[6].position.y / 0.001
    end}

situation{number = 55, what = "a stick falls on its end, e = 1: spin after, rad/s",
    right = 2 * 6 * 2 * math.cos(math.rad(30)) / (1 + 3 * math.cos(math.rad(30)) ^ 2), rivals = true,
    test = "`reality_bodies`: a_stick_dropped_on_its_end_turns", run = function(scene)
        local s = scene{gravity = {0, 0, 0}}
        local m = s:material{restitution = 1, friction = 0}
        s:actor{plane = true, motion = "still", material = m}
        local stick = s:actor{capsule = {0.005, 1}, along = "x", material = m, turn = {0, 0, 30},
            at = {0, 0.25 + 0.005 + 0.02, 0}, velocity = {0, -2, 0}}
        s:run(0.1)
        return math.abs(stick.spin.z)
    end}

situation{number = 57, what = "four boxes overlap in space: speed of their centre, mm/s", right = 0, near = 1e-6, rivals = true,
    test = "`reality_bodies`: momentum_is_kept_by_overlapping_boxes_and_chains", run = function(scene)
        local s = scene{gravity = {0, 0, 0}}
        local sum = eigenrig.vec3(0, 0, 0)
        local boxes = {}
        for i = 1, 4 do boxes[i] = s:actor{box = {1, 1, 1}, at = {0.7 * i, 0.1 * i, 0}, turn = {0, 20 * i, 0}, mass = 1} end
        s:run(2)
        for _, b in ipairs(boxes) do sum = sum + b.velocity end
        return 250 * sum:length()
    end}

situation{number = 58, what = "four boxes on a train of 300 m/s for 1 s: slip, mm", right = 0, near = 0.001, rivals = true,
    test = "`reality_sameness`: a_moving_train_changes_nothing, `reality_led`: a_load_on_a_train_stays", run = function(scene)
        local s = scene()
        local m, boxes = s:material{friction = 0.5}, {}
        local train = s:actor{box = {40, 1, 40}, at = {0, -0.5, 0}, motion = "led", material = m}
        for i = 1, 4 do boxes[i] = s:actor{box = {1, 1, 1}, at = {0, i - 0.5, 0}, velocity = {300, 0, 0}, material = m} end
        for i = 1, 60 do
            train.position = {300 * i * s.step, -0.5, 0}
            s:frame()
        end
        return 1000 * math.abs(boxes[1].position.x - 300 * s.time)
    end}

situation{number = 67, what = "dominoes: speed of their wave, of sqrt(g h)", right = "0.5 to 1.6",
    limit = 1.6, rivals = true, test = "`reality_bodies`: dominoes_fall_one_after_another", run = function(scene)
        local s = scene()
        local m, all, falls = s:material{friction = 0.3}, {}, {}
        s:actor{plane = true, motion = "still", material = m}
        for i = 1, 20 do
            all[i] = s:actor{box = {0.1, 1, 0.5}, at = {0.5 * i, 0.5, 0}, mass = 10, material = m, spin = i == 1 and {0, 0, -2} or nil,
                velocity = i == 1 and {1, 0, 0} or nil}
        end
        for _ = 1, 600 do
            s:frame()
            for i, d in ipairs(all) do
                if not falls[i] and (d.orientation * eigenrig.vec3(0, 1, 0)).x > 0.17 then falls[i] = s.time end
            end
        end
        if not falls[20] then return "stops" end
        return 0.5 * 10 / (falls[20] - falls[10]) / math.sqrt(G)
    end}

situation{number = 70, what = "30 boxes in a bin, awake: fastest creep, mm/s", right = 0, near = 0.05, rivals = true,
    test = "`reality_bodies`: a_bin_of_boxes_does_not_creep", run = function(scene)
        local s = scene{many = true}
        local m = s:material{friction = 0.5}
        s:actor{plane = true, motion = "still", material = m}
        for side = -1, 1, 2 do
            s:actor{box = {0.2, 3, 2.4}, at = {1.1 * side, 1.5, 0}, motion = "still", material = m}
            s:actor{box = {2.4, 3, 0.2}, at = {0, 1.5, 1.1 * side}, motion = "still", material = m}
        end
        local boxes, seed = {}, 5
        local function random()
            seed = seed * 16807 % 2147483647
            return seed / 2147483647
        end
        for i = 0, 29 do
            boxes[i + 1] = s:actor{box = {0.4, 0.3, 0.35}, at = {0.55 * (i % 3 - 1), 0.3 + 0.45 * (i // 9), 0.55 * (i // 3 % 3 - 1)},
                turn = {40 * random(), 40 * random(), 40 * random()}, material = m}
        end
        s:run(6)
        local from, most = {}, 0
        for i, b in ipairs(boxes) do from[i] = b.position end
        s:run(6)
        for i, b in ipairs(boxes) do most = math.max(most, (b.position - from[i]):length()) end
        return 1000 * most / 6
    end}
