-- Hundreds of coloured spheres in a transparent box, and a white one that keys push through them.
--
--     eigenrig play models/scenes/coloured_spheres.scene.lua
--
-- D and A: along x and back, R and F: up and down, S and W: along z and back.
-- How many there are is the first word after the file: `--arg 2000`; else 500.

local count = tonumber(arg and arg[1]) or 500

scene = eigenrig.scene {
    name = "coloured spheres",
    length = 8,
    gravity = {0, -0.9, 0},
    background = {colour = "#181c24"},
}

local radius = 0.1
-- The box: so many lie side by side, in so many layers, and fall from half its height.
local across = math.ceil((1.5 * count) ^ (1 / 3))
local layers = math.ceil(count / across ^ 2)
local side, high = 2.3 * radius * across, 4.6 * radius * (layers + 2)

local clear = scene:material {colour = "#90b0d0", opacity = 0.15, specular = 1, friction = 0.5}
local function wall(at, size)
    scene:actor {name = "wall", motion = "still", at = at, box = size, material = clear}
end
local thick = 0.5
wall({0, -thick / 2, 0}, {side + 2 * thick, thick, side + 2 * thick})
wall({0, high + thick / 2, 0}, {side + 2 * thick, thick, side + 2 * thick})
for _, way in ipairs {-1, 1} do
    wall({way * (side + thick) / 2, high / 2, 0}, {thick, high, side})
    wall({0, high / 2, way * (side + thick) / 2}, {side + 2 * thick, high, thick})
end

local colours = {}
for i, hex in ipairs {"#d02020", "#e08020", "#e0d030", "#30a040", "#2060c0", "#7030a0"} do
    colours[i] = scene:material {colour = hex, specular = 0.6, shine = 40, friction = 0.5}
end

-- Layer on layer, each a little aside of the one below it.
local gap = (side - 2 * radius) / across
spheres = {}
for i = 0, count - 1 do
    local layer, place = i // (across * across), i % (across * across)
    local aside = (layer % 2) * 0.3 * gap
    spheres[i + 1] = scene:actor {
        name = "sphere", sphere = radius, material = colours[i % #colours + 1],
        at = {-side / 2 + radius + aside + (place % across + 0.3) * gap, high / 2 - 2 * radius + 2.2 * radius * layer, -side / 2 + radius + aside + (place // across + 0.3) * gap},
    }
end
white = scene:actor {
    name = "white", sphere = 1.5 * radius, at = {0, 2 * radius, 0},
    material = scene:material {colour = "#ffffff", specular = 1, shine = 100, friction = 0.5},
}

scene:light {at = {side, 2 * high, side}}
scene.camera = {eye = {0.9 * side + 0.9 * high, 0.9 * high, 1.2 * side + 1.2 * high}, target = {0, 0.42 * high, 0}, fov = 40}

-- One key for each way; it pushes as long as it is held down.
local ways = {d = {1, 0, 0}, a = {-1, 0, 0}, r = {0, 1, 0}, f = {0, -1, 0}, s = {0, 0, 1}, w = {0, 0, -1}}
local held = {}
scene:on("key_down", function(event) held[event.key] = true end)
scene:on("key_up", function(event) held[event.key] = nil end)
scene:action {
    name = "steering",
    update = function()
        for key, way in pairs(ways) do
            if held[key] then white:force(20 * white.mass * eigenrig.vec3(way)) end
        end
    end,
}:start()

return scene
