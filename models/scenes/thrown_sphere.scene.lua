-- A sphere is thrown at two puppets on a stage, and all of them at a block of boxes.
--
--     eigenrig play models/scenes/thrown_sphere.scene.lua

local parts = dofile(eigenrig.files.beside("parts.lua"))

scene = eigenrig.scene {
    name = "thrown sphere",
    length = 5,
    substeps = 8,
    background = {top = "#203050", bottom = "#8090a0"},
    camera = {eye = {7, 3.5, 3.5}, target = {0, 1.2, -1}, fov = 45},
}
scene:light {at = {5, 12, 6}}

local stone = scene:material {colour = "#70757c", friction = 0.7}
local wood = scene:material {colour = "#9a6a3c", friction = 0.6}
local cloth = scene:material {colour = "#3060b0", friction = 0.6}
local wool = scene:material {colour = "#b04050", friction = 0.6}
local skin = scene:material {colour = "#e0b090", friction = 0.6}
local iron = scene:material {colour = "#50545a", specular = 0.9, shine = 80}

scene:actor {name = "ground", motion = "still", plane = 30, material = stone}
scene:actor {name = "stage", motion = "still", at = {0, 0.25, 0}, box = {4, 0.5, 2}, material = wood}

-- One behind the other; they look at the sphere.
puppets = {
    parts.puppet(scene, {at = {0, 0.5, 0.3}, material = cloth, skin = skin, name = "first"}),
    parts.puppet(scene, {at = {0, 0.5, -0.5}, material = wool, skin = skin, name = "second"}),
}

boxes = parts.stack(scene, {at = {0, 0, -2.4}, count = {5, 7, 2}, size = {0.5, 0.4, 0.4}, mass = 3, material = wood, name = "box"})

-- It comes from below, 45 degrees up, and meets the first one's chest after 1.35 m.
ball = scene:actor {name = "ball", sphere = 0.25, mass = 120, material = iron, at = {0, 0.3, 2}, velocity = {0, 8.5, -8.5}}

return scene
