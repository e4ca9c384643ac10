-- A herd of horses and a gnome walk, by gaits that are found among their own vibrations, through falling spheres.
--
--     eigenrig play models/scenes/herd.scene.lua

local parts = dofile(eigenrig.files.beside("parts.lua"))

scene = eigenrig.scene {
    name = "herd",
    length = 8,
    background = {sky = true},
}
scene:light {at = {6, 14, 8}}

local grass = scene:material {colour = "#5a7a40", friction = 0.8}
local hail = scene:material {colour = "#d8e0f0", specular = 0.8, shine = 60, restitution = 0.3, friction = 0.4, density = 200}
scene:actor {name = "ground", motion = "still", plane = 40, material = grass}

-- Walking characters are led: their bones follow the gait, push obstacles, and feel no forces themselves.
local horse = eigenrig.load(eigenrig.files.beside("../horse.glb"))
local gnome = eigenrig.load(eigenrig.files.beside("../gnome.glb"))
local trots, walks = horse:gaits {best = 3, modes = 8}, gnome:gaits {best = 1, modes = 8}

herd = {}
local pace = 2 -- m/s, of all of them, each by a gait of its own
for i, place in ipairs {{-2.2, 0, -3}, {0, 0, -2}, {2.2, 0, -3.5}} do
    local gait, scale = trots[(i - 1) % #trots + 1], 1.1 - 0.1 * i
    herd[i] = scene:add(horse, {
        name = "horse " .. i, at = place, floor = 0, scale = scale, gait = gait, speed = pace / (scale * gait.speed),
    })
end
herd[4] = scene:add(gnome, {name = "gnome", at = {1.1, 0, 0.5}, floor = 0, gait = walks[1]})

-- Spheres rain on their way. When all have fallen, the first is lifted up again.
local chance = parts.dice(1)
local function above()
    local ahead = herd[2].centre.z + 2
    return {chance(-3.5, 3.5), chance(4, 6), ahead + chance(-2.5, 2.5)}
end

hailstones = {}
local most = 80
scene:script {
    name = "hail",
    run = function(self)
        for i = 1, most do
            hailstones[i] = scene:actor {name = "hailstone", sphere = 0.12, at = above(), material = hail}
            self:wait(0.02)
        end
        for i = 0, math.huge do
            local stone = hailstones[i % most + 1]
            stone.position, stone.velocity, stone.spin = above(), {0, 0, 0}, {0, 0, 0}
            self:wait(0.05)
        end
    end,
}:start()

scene.camera = {eye = {6, 2.6, 5}, target = {0, 0.9, 0}, follow = herd[2]:actor("hips")}

-- How many stones a horse has hit.
hits = 0
for i = 1, 3 do
    for _, bone in ipairs(herd[i]:actors()) do
        bone:on("contact_begins", function(event)
            if event.other.name == "hailstone" then hits = hits + 1 end
        end)
    end
end

return scene
