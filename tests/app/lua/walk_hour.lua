-- A horse is steered at random on flat ground: a minute by default, an hour where all is tried. It does not fall, its
-- energy and the ground's force stay bounded, and the same bits come of two threads and of a state that is restored.
local every = os.getenv("EIGENRIG_EVERY") == "1"
local seconds, shared = every and 3600 or 20, every and 60 or 4

local function dice(seed) -- of its own, so that it is the same everywhere
    return function(low, high)
        seed = (seed * 16807) % 2147483647
        return low + (high - low) * seed / 2147483647
    end
end

local function ride(threads)
    local horse = eigenrig.load(models .. "horse.glb")
    local gait = horse:gaits {mix = "9:7.83@1x-9,13:11.6@1x+21,12:2.5@2x+23"}[1]
    local scene = eigenrig.scene {threads = threads}
    local grip = scene:material {friction = 0.8}
    scene:actor {name = "ground", motion = "still", plane = 40, material = grip}
    local ridden = {scene = scene, walker = scene:add(horse, {walks = gait, material = grip}), speed = gait.speed}
    ridden.mass, ridden.chance, ridden.kinetic, ridden.load = 0, dice(5), 0, 0
    for _, bone in ipairs(ridden.walker:actors()) do ridden.mass = ridden.mass + bone.mass end
    return ridden
end

-- Rides on for two seconds, to a new wish: ahead, aside and about, or now and then a stand.
local function steer(ridden)
    local chance, v = ridden.chance, ridden.speed
    local ahead, aside, turn = chance(0, 1.2) * v, chance(-0.15, 0.15) * v, chance(-15, 15)
    if chance(0, 1) < 0.1 then ahead, aside, turn = 0, 0, 0 end
    ridden.walker:go {velocity = ahead, aside = aside, turn = turn}
    local step = ridden.scene.step
    for i = 1, math.floor(2 / step + 0.5) do
        local before = ridden.walker.velocity
        ridden.scene:frame()
        local force = (ridden.walker.velocity - before):length() / step / 9.81
        if ridden.scene.steps > 1 then ridden.load = math.max(ridden.load, force) end -- nothing is known before the first
        if i % 30 == 0 then ridden.kinetic = math.max(ridden.kinetic, ridden.scene.energy.kinetic) end
    end
    equal(ridden.walker.walking ~= "fell", true)
end

function promise.it_does_not_fall_and_energy_and_forces_stay_bounded()
    local ridden = ride(1)
    for i = 1, seconds / 2 do
        steer(ridden)
    end
    assert(ridden.kinetic < 2 * 0.5 * ridden.mass * (1.2 * ridden.speed) ^ 2, ridden.kinetic / ridden.mass)
    assert(ridden.load < 4, ridden.load) -- weights
end

function promise.it_is_the_same_on_two_threads_and_when_it_is_restored()
    local one, two = ride(1), ride(2)
    for _ = 1, shared / 2 do steer(one) end
    for _ = 1, shared / 2 do steer(two) end
    equal(one.scene.hash, two.scene.hash)
    local state = one.scene:save()
    one.chance = dice(9)
    for _ = 1, 2 do steer(one) end
    local hash = one.scene.hash
    one.scene:restore(state)
    one.chance = dice(9)
    for _ = 1, 2 do steer(one) end
    equal(one.scene.hash, hash)
end
