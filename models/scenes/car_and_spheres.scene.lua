-- A car drives into a block of 360 glass spheres.
--
--     eigenrig play models/scenes/car_and_spheres.scene.lua

-- The prompt (`eigenrig play -i`) can use names without `local`: car.body:push{0, 5000, 0}
local parts = dofile(eigenrig.files.beside("parts.lua"))

scene = eigenrig.scene {
    name = "car and spheres",
    length = 8,
    substeps = 8,              -- of each sixtieth of a second: 7 m/s is fast for small spheres
    stiffness = 60,            -- and presses them together hard
    gravity = {0, -0.9, 0},    -- a tenth of the earth's: slow enough to watch
    background = {sky = true}, -- a picture surrounds the scene, and smooth things mirror it
    camera = {eye = {10, 4, 7}, target = {0, 0.5, 0.5}, fov = 45},
}
scene:light {at = {6, 12, 6}}

local mirror = scene:material {colour = "#404850", reflection = 0.5, opacity = 0.85, specular = 0.8, friction = 0.8}
local glass = scene:material {colour = "#a8d8e8", opacity = 0.35, reflection = 0.3, specular = 1, shine = 120, friction = 0.2, density = 250}
local paint = scene:material {colour = "#c02020", specular = 0.9, shine = 60, reflection = 0.15}
local rubber = scene:material {colour = "#181818", specular = 0.1, friction = 1}

scene:actor {name = "ground", motion = "still", plane = 30, material = mirror}

-- Six layers of ten by six spheres.
spheres = parts.stack(scene, {at = {0, 0, 2}, radius = 0.15, count = {10, 6, 6}, gap = 0.001, material = glass, name = "glass"})

car = parts.car(scene, {at = {0, 0, -6}, material = paint, rubber = rubber})

-- Actions are called in each step. This one pushes the car for its first second and a half: 4 kN on 800 kg.
scene:action {
    name = "push", life = 1.5,
    update = function() car.body:force {0, 0, 4000} end,
}:start()

return scene
