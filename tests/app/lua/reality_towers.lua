-- Stacks stand and sleep with the default settings, at any size.

local function ground(material)
    local scene = eigenrig.scene{}
    local m = scene:material(material or {friction = 0.5})
    scene:actor{plane = true, motion = "still", material = m}
    return scene, m
end

-- Runs until all sleep. Returns the seconds, and how far the farthest body has moved.
local function settle(scene, actors, seconds)
    local start, moved = {}, 0
    for i, a in ipairs(actors) do start[i] = a.position end
    local function sleep()
        for _, a in ipairs(actors) do if not a.sleeps then return false end end
        return true
    end
    repeat scene:frame() until sleep() or scene.time >= seconds
    assert(sleep(), "awake after " .. scene.time .. " s")
    for i, a in ipairs(actors) do moved = math.max(moved, (a.position - start[i]):length()) end
    return scene.time, moved
end

-- A wall of `rows` and `columns` of bricks of twice the height `a`; half bricks end every other row.
local function wall(scene, m, a, rows, columns)
    local all = {}
    local function brick(wide, x, row)
        all[#all + 1] = scene:actor{box = {wide, a, a}, at = {x, (row + 0.5) * a, 0}, material = m}
    end
    for row = 0, rows - 1 do
        if row % 2 == 0 then
            for i = 0, columns - 1 do brick(2 * a, 2 * a * i, row) end
        else
            brick(a, -0.5 * a, row)
            for i = 0, columns - 2 do brick(2 * a, 2 * a * i + a, row) end
            brick(a, 2 * a * (columns - 1) + 0.5 * a, row)
        end
    end
    return all
end

function promise.a_wall_of_a_hundred_bricks_stands_at_any_size()
    for _, a in ipairs{0.001, 0.002, 0.02, 0.2, 2, 20} do
        local scene, m = ground()
        local bricks = wall(scene, m, a, 10, 10)
        assert(#bricks == 105)
        local _, moved = settle(scene, bricks, 10)
        assert(moved < 0.1 * a, a .. " m: " .. moved / a)
    end
end

function promise.a_tower_of_ten_stands_at_any_size()
    for _, a in ipairs{0.001, 0.01, 0.1, 1, 10, 100} do
        local scene, m = ground()
        local tower = {}
        for i = 1, 10 do tower[i] = scene:actor{box = {a, a, a}, at = {0, (i - 0.5) * a, 0}, material = m} end
        local time, moved = settle(scene, tower, 5)
        assert(time < 1 and moved < 1e-4 * a, a .. " m: " .. moved / a)
    end
end

-- Pairs of cards that lean on each other, with cards across them, in three floors.
function promise.a_house_of_fifteen_cards_stands_at_any_size()
    for _, tall in ipairs{0.1, 1, 10} do
        local scene, m = ground{friction = 0.8}
        local thin, deep, lean, cards = 0.02 * tall, 0.7 * tall, 20, {}
        local sine, cosine = math.sin(math.rad(lean)), math.cos(math.rad(lean))
        local half, height = 0.5 * (tall * sine + thin * cosine), tall * cosine + thin * sine
        local function card(size, x, y, turn)
            cards[#cards + 1] = scene:actor{box = size, at = {x, y, 0}, material = m,
                orientation = eigenrig.quat({0, 0, 1}, turn)}
        end
        for floor = 0, 2 do
            local y, pairs_of = floor * (height + thin), 3 - floor
            for i = 1, pairs_of do
                local x = (i - 0.5 * (pairs_of + 1)) * 4 * half
                for side = -1, 1, 2 do card({thin, tall, deep}, x + side * half, y + 0.5 * height, side * lean) end
            end
            for i = 1, pairs_of - 1 do
                card({0.98 * 4 * half, thin, deep}, (i - 0.5 * pairs_of) * 4 * half, y + height + 0.5 * thin, 0)
            end
        end
        assert(#cards == 15)
        local _, moved = settle(scene, cards, 10)
        assert(moved < 0.01 * tall, tall .. " m: " .. moved / tall)
    end
end

function promise.a_light_box_bears_one_of_a_hundred_times_its_mass()
    for _, a in ipairs{0.01, 1, 100} do
        local scene, m = ground()
        local light = scene:actor{box = {a, a, a}, at = {0, 0.5 * a, 0}, mass = 1, material = m}
        local heavy = scene:actor{box = {a, a, a}, at = {0, 1.5 * a, 0}, mass = 100, material = m}
        local time, moved = settle(scene, {light, heavy}, 5)
        assert(time < 1 and moved < 1e-4 * a, a .. " m: " .. moved / a)
    end
end

function promise.bouncing_boxes_under_ten_times_the_weight_come_to_rest()
    local scene, m = ground{friction = 0.5, restitution = 0.5}
    scene.gravity = {0, -100, 0}
    local boxes = {}
    for i = 1, 5 do boxes[i] = scene:actor{box = {1, 1, 1}, at = {0, 1.01 * i - 0.5, 0}, material = m} end
    assert(settle(scene, boxes, 10) < 2)
    near(boxes[5].position.y, 4.5, 1e-3)
end
