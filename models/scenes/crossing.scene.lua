-- Ten unlike characters cross a swinging bridge while spheres fall on it.
--
--     eigenrig play models/scenes/crossing.scene.lua

local parts = dofile(eigenrig.files.beside("parts.lua"))

scene = eigenrig.scene {name = "crossing", length = 6, background = {sky = true}}
scene:light {at = {8, 14, 4}}
local stone = scene:material {colour = "#88847c", friction = 0.8}
local wood = scene:material {colour = "#9a6a3c", friction = 0.8}
local hide = scene:material {friction = 0.8}
local hail = scene:material {colour = "#d8e0f0", specular = 0.8, shine = 60, restitution = 0.3, density = 200}

-- The deck hangs on four long ropes between two blocks, and swings where it is trodden on and hit.
local long, wide, high = 14, 14, 6
for side = -1, 1, 2 do
    scene:actor {motion = "still", at = {0, -3, side * (long / 2 + 8.1)}, box = {wide + 4, 6, 16}, material = stone}
end
scene:actor {motion = "still", at = {0, -6, 0}, plane = 30, material = stone}
deck = scene:actor {name = "deck", at = {0, -0.15, 0}, box = {wide, 0.3, long}, mass = 12000, material = wood}
for x = -1, 1, 2 do
    for z = -1, 1, 2 do
        local corner = eigenrig.vec3(x * wide / 2, 0, z * (long / 2 - 0.5))
        scene:rope(nil, deck, {at = corner + eigenrig.vec3(0, high, 0), to = corner})
    end
end

-- Gaits that `eigenrig gait` found, as mixes of modes.
local function breed(file, mix)
    local model = eigenrig.load(eigenrig.files.beside("../" .. file))
    return {model = model, gait = model:gaits {mix = mix}[1]}
end
local ambler = breed("horse.glb", "9:7.83@1x-9,13:11.6@1x+21,12:2.5@2x+23")
local trotter = breed("horse.glb", "9:7.06@1x-174,13:12.6@1x+17,27:9.93@2x+19")
local gnome = breed("gnome.glb", "6:2.98@1x+18,9:15.6@1x+90,10:7.49@2x-3")
local fox = breed("fox.glb", "11:10.5@1x-74,15:10.9@1x+28,24:6.88@1x+69")

-- A row is a breed, a place across and along, a size, and a factor on the weight of that size.
crowd = {}
for i, p in ipairs {
    {ambler, -6, -9, 1.1, 1}, {ambler, -4, -5, 0.9, 1.5}, {ambler, 6, -9, 0.6, 1}, {trotter, 4, -5, 1, 0.7},
    {trotter, 2, -9, 0.7, 2}, {gnome, -2, -9, 2, 1}, {gnome, 0, -5, 1.6, 2}, {gnome, 0.6, -9, 2.4, 0.7},
    {fox, -2.4, -5, 2, 1}, {fox, 2, -5, 2.6, 1},
} do
    crowd[i] = scene:add(p[1].model, {
        name = "walker " .. i, walks = p[1].gait, at = {p[2], 0, p[3]}, scale = p[4], weight = p[5], material = hide,
    })
end
fallen = {}
scene:on("falls", function(event) fallen[#fallen + 1] = event.walker end)

-- Spheres fall on the bridge; each is lifted again in its turn.
local chance = parts.dice(3)
stones = {}
scene:script(function(self)
    for i = 0, math.huge do
        local at = {chance(-wide / 2, wide / 2), chance(5, 7), chance(-long / 2, long / 2)}
        local stone = stones[i % 20 + 1]
        if stone then
            stone.position, stone.velocity, stone.spin = at, {0, 0, 0}, {0, 0, 0}
        else
            stones[i + 1] = scene:actor {name = "stone", sphere = 0.12, at = at, material = hail}
        end
        self:wait(0.15)
    end
end):start()

scene.camera = {eye = {16, 7, -8}, target = {0, 0.5, -2}}

return scene
