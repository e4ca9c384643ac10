-- Characters that walk in scenes by their own torques.
local horse = eigenrig.load(models .. "horse.glb")

-- Its amble and its trot, without a search.
local gaits = {
    horse:gaits {mix = "9:7.83@1x-9,13:11.6@1x+21,12:2.5@2x+23"}[1],
    horse:gaits {mix = "9:7.06@1x-174,13:12.6@1x+17,27:9.93@2x+19"}[1],
}

local grip

-- A scene with a floor and a walker.
local function ride(more, settings)
    local scene = eigenrig.scene(settings or {})
    grip = scene:material {friction = 0.8}
    scene:actor {name = "ground", motion = "still", plane = 40, material = grip}
    local options = {walks = gaits[1], material = grip}
    for key, value in pairs(more or {}) do options[key] = value end
    local walker = scene:add(horse, options)
    local falls = {}
    scene:on("falls", function(event) falls[#falls + 1] = event end)
    return scene, walker, falls
end

function promise.it_walks_turns_stops_and_stands()
    local scene, walker, falls = ride {turn = {0, 90, 0}}
    scene:run(1)
    equal(walker.walking, "walks")
    local from = walker.centre
    scene:run(1)
    near((walker.centre - from).x, gaits[1].speed, 0.2) -- it looks along z, turned to x
    close((walker.centre - from).z, 0, 0.3)
    walker:go {velocity = 0.5 * gaits[1].speed, turn = 20}
    scene:run(2)
    assert(walker.heading > 25 and walker.heading < 41, walker.heading)
    walker:go {}
    scene:run(4)
    equal(walker.walking, "stands")
    from = walker.centre
    scene:run(1)
    assert((walker.centre - from):length() < 0.02)
    equal(#falls, 0)
end

function promise.it_bears_a_push_and_falls_by_a_strong_one()
    local scene, walker, falls = ride()
    local weight = 0
    for _, bone in ipairs(walker:actors()) do weight = weight + 9.81 * bone.mass end
    local function push(part)
        scene:action {life = 0.1, update = function() walker:actor("chest"):force {part * weight, 0, 0} end}:start()
    end
    push(0.1)
    scene:run(1)
    equal(walker.walking, "walks")
    equal(#falls, 0)
    push(5)
    scene:run(2)
    equal(walker.walking, "fell")
    equal(#falls, 1)
    equal(falls[1].walker, walker)
    assert(({leans = true, touches = true, sinks = true})[falls[1].why])
    scene:run(2) -- it lies limp
    assert(walker.velocity:length() < 0.1, walker.velocity:length())
end

-- At whatever moment it is asked, it changes within three strides.
function promise.it_changes_its_gait()
    for from = 1, 2 do
        local to = 3 - from
        local scene, walker, falls = ride {walks = gaits[from]}
        scene:run(0.4 + 0.1 * from)
        walker:gait(gaits[to])
        equal(walker:gait().name, gaits[from].name)
        scene:run(3 / gaits[from].hz)
        equal(walker:gait().name, gaits[to].name)
        walker:gait(gaits[to].name)
        equal(walker.walking, "walks")
        equal(#falls, 0)
    end
end

-- It trots where it is fast, ambles again where it is slow, and does so again from a state in between.
function promise.it_chooses_its_gait_by_speed()
    local scene, walker, falls = ride()
    local quick = horse:gaits {mix = "9:7.06@1x-174,13:12.6@1x+17,27:9.93@2x+19", hz = 1.6}[1]
    local function names(seconds)
        local list = {}
        for _ = 1, seconds / scene.step do
            scene:frame()
            local name = walker:gait().name
            if list[#list] ~= name then list[#list + 1] = name end
        end
        return table.concat(list, " ")
    end
    walker:gait(quick) -- the trot becomes one of its gaits
    walker:gait(gaits[1])
    walker:go {velocity = 3.2, gait = "auto"}
    equal(names(8), "amble trot")
    local state = scene:save()
    walker:go {velocity = 1.8} -- by speed still
    equal(names(4), "trot amble")
    equal(walker.walking, "walks")
    equal(#falls, 0)
    local hash = scene.hash
    scene:restore(state)
    walker:go {velocity = 1.8}
    equal(names(4), "trot amble")
    equal(scene.hash, hash)
    fails("auto", function() walker:go {gait = "trot"} end)
    fails("fast", function() walker:go {velocity = 9, gait = "auto"} end)
end

function promise.it_goes_on_to_the_bit_after_a_restore()
    local scene, walker = ride()
    scene:run(0.5)
    walker:go {velocity = 1, turn = 10}
    local state = scene:save()
    scene:run(0.5)
    local hash = scene.hash
    walker:gait(gaits[2])
    walker:go {}
    scene:run(0.3)
    scene:restore(state)
    equal(walker:gait().name, gaits[1].name)
    scene:run(0.5)
    equal(scene.hash, hash)
end

function promise.it_walks_at_another_size_and_on_two_threads_alike()
    local hash
    for threads = 1, 2 do
        local scene, walker = ride({scale = 0.5, weight = 3}, {threads = threads})
        scene:run(1)
        near(walker.centre.z, math.sqrt(0.5) * gaits[1].speed, 0.2)
        hash = hash or scene.hash
        equal(scene.hash, hash)
    end
end

-- It sees a step ahead: a block as high as a tenth of its legs, on which it goes on.
function promise.it_sees_the_ground()
    local scene, walker, falls = ride()
    scene:actor {motion = "still", box = {4, 0.1, 20}, at = {0, 0.05, 12}, material = grip}
    scene:run(3)
    assert(walker.centre.z > 4)
    equal(#falls, 0)
end

function promise.what_cannot_walk_is_refused()
    local scene, walker = ride()
    fails("walks", function() scene:add(horse, {walks = 3}) end)
    fails("another model", function() scene:add(eigenrig.load(models .. "horse.glb"), {walks = gaits[1]}) end)
    fails("walks", function() scene:add(horse, {walks = gaits[1], gait = gaits[1]}) end)
    fails("upright", function() scene:add(horse, {walks = gaits[1], turn = {30, 0, 0}}) end)
    fails("wish", function() walker:go {velocity = 1000} end)
    fails("fast", function() walker:go {fast = 1} end)
    fails("prance", function() walker:gait("prance") end)
    walker:actor("head"):remove()
    scene:run(0.1)
    equal(walker.walking, nil)
    fails("walk", function() walker:go {} end)
    equal(scene:add(horse).walking, nil)
end
