-- The same physics anywhere: far from the origin, on a moving train, at other sizes, with more threads.

-- A scene at a place, speed and scale: a tower that a ball hits. `scale` multiplies lengths, times go with its root.
local function tower(place, speed, scale, options)
    local fields = {sleep_time = 0, step = math.sqrt(scale) / 60}
    for key, value in pairs(options or {}) do fields[key] = value end
    local scene = eigenrig.scene(fields)
    local function at(x, y, z) return {place + x * scale, y * scale, place + z * scale} end
    scene:actor{box = {40 * scale, scale, 40 * scale}, at = at(0, -0.5, 0), motion = speed ~= 0 and "led" or "still"}
    local boxes = {}
    for i = 1, 4 do boxes[i] = scene:actor{box = {scale, scale, scale}, at = at(0, i - 0.5, 0), velocity = {speed, 0, 0}} end
    boxes[5] = scene:actor{sphere = 0.4 * scale, at = at(-3, 3.2, 0.1), velocity = {speed + 6 * math.sqrt(scale), 0, 0}}
    return scene, boxes
end

-- Where they are, less a place in x and z, in units of the scale.
local function places(boxes, x, z, scale)
    local list = {}
    for _, box in ipairs(boxes) do
        local p = box.position
        for _, way in ipairs{(p.x - x) / scale, p.y / scale, (p.z - z) / scale} do list[#list + 1] = way end
    end
    return list
end

function promise.a_million_metres_from_the_origin_nothing_changes()
    local scene, boxes = tower(0, 0, 1)
    scene:run(0.5)
    for _, far in ipairs{1024, 1048576} do
        local there, others = tower(far, 0, 1)
        there:run(0.5)
        same(places(others, far, far, 1), places(boxes, 0, 0, 1), 1e-9 * far)
    end
end

function promise.larger_worlds_move_as_small_ones_in_slower_time()
    for _, scale in ipairs{100, 1000} do
        local there, others = tower(0, 0, scale, {stiffness = 30 / math.sqrt(scale)})
        local here, boxes = tower(0, 0, 1, {stiffness = 30})
        for _ = 1, 60 do
            there:frame()
            here:frame()
        end
        same(places(others, 0, 0, scale), places(boxes, 0, 0, 1), 1e-3)
    end
end

-- Galileo: on a train at constant speed a tower stands and a ball flies as on the platform.
function promise.a_moving_train_changes_nothing()
    local scene, boxes = tower(0, 0, 1)
    scene:run(0.3)
    for _, speed in ipairs{0.5, 30, 300} do
        local train, others = tower(0, speed, 1)
        local ground = train:actors()[1]
        for _ = 1, 18 do
            ground.position = {(train.time + train.step) * speed, -0.5, 0}
            train:frame()
        end
        same(places(others, 0.3 * speed, 0, 1), places(boxes, 0, 0, 1), 5e-3)
    end
end

function promise.threads_change_no_bit()
    local hashes = {}
    for _, threads in ipairs{1, 2, 4} do
        local scene = eigenrig.scene{threads = threads}
        local stuff = scene:material{restitution = 0.3}
        scene:actor{plane = true, motion = "still", material = stuff}
        for i = 1, 100 do
            scene:actor{sphere = 0.2, at = {0.37 * (i % 7), 0.3 + 0.11 * i, 0.41 * (i % 5)}, material = stuff}
        end
        scene:run(2)
        hashes[threads] = scene.hash
    end
    equal(hashes[2], hashes[1])
    equal(hashes[4], hashes[1])
end

function promise.dolls_come_to_sleep()
    for _, name in ipairs{"gnome", "fox", "horse"} do
        local scene = eigenrig.scene{}
        scene:actor{plane = true, motion = "still"}
        local doll = scene:add(eigenrig.load(models .. name .. ".glb", {height = 1.8}), {floor = 1.8})
        local function all_sleep()
            for _, bone in ipairs(doll:actors()) do if not bone.sleeps then return false end end
            return true
        end
        while scene.time < 30 and not all_sleep() do scene:frame() end
        assert(all_sleep(), name)
    end
end
