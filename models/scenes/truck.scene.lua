-- A truck with a trailer, driven by keys, and a ramp to jump from.
--
--     eigenrig play models/scenes/truck.scene.lua
--     eigenrig play models/scenes/truck.scene.lua --replay models/scenes/truck.keys
--
-- W and S, or up and down: forwards and backwards; A and D, or left and right: to the left and the right.
-- J shows its joints: the balls are what a joint turns about, the lines go to the two parts that it ties.

local parts = dofile(eigenrig.files.beside("parts.lua"))

scene = eigenrig.scene {
    name = "truck",
    length = 12,
    substeps = 8,
    background = {top = "#4878b0", bottom = "#d0dce8"},
    camera = {eye = {10, 6, -12}, target = {0, 1, 0}, fov = 45},
}
scene:light {at = {10, 20, -5}}

local earth = scene:material {colour = "#707858", friction = 1}
local stone = scene:material {colour = "#88847c", friction = 1}
local red = scene:material {colour = "#b82818", specular = 0.8, shine = 60}
local white = scene:material {colour = "#d0d0c8", specular = 0.4}
local rubber = scene:material {colour = "#181818", friction = 1.2}

scene:actor {name = "ground", motion = "still", plane = 60, material = earth}
-- A slab that lies 8 degrees steep; its lower edge is in the ground.
ramp = scene:actor {name = "ramp", motion = "still", at = {0, 0.15, 18}, turn = {-8, 0, 0}, box = {6, 1, 10}, material = stone}

-- It is made a little above the ground, and drops.
truck = parts.truck(scene, {at = {0, 0.6, 0}, material = red, load = white, rubber = rubber, most = 3500})
scene.camera = {follow = truck.cab}

-- Which way each key goes, and what is held down now.
local forwards = {w = 1, up = 1, s = -1, down = -1}
local sideways = {a = 1, left = 1, d = -1, right = -1}
local held = {}
local fastest, steepest = 9, 30 -- m/s, degrees

local function sum(of)
    local all = 0
    for key, way in pairs(of) do if held[key] then all = all + way end end
    return all
end
local function steer()
    local way = sum(forwards)
    truck:drive(fastest * (way > 0 and 1 or way < 0 and -0.4 or 0))
    truck:steer(steepest * sum(sideways))
end

scene:on("key_down", function(event)
    held[event.key] = true
    steer()
    if event.key == "j" then scene.shown = scene.shown == "actors" and "both" or "actors" end
end)
scene:on("key_up", function(event)
    held[event.key] = nil
    steer()
end)

return scene
