-- A bridge of planks between two blocks: two puppets stand on it, one of them three times as heavy, and a car comes.
--
--     eigenrig play models/scenes/bridge.scene.lua

local parts = dofile(eigenrig.files.beside("parts.lua"))

scene = eigenrig.scene {
    name = "bridge",
    length = 5,
    substeps = 16,  -- a car hangs on a chain of light planks
    background = {top = "#4878b0", bottom = "#d0dce8"},
    camera = {eye = {11, 4, 4}, target = {0, 0, 0}, fov = 45},
}
scene:light {at = {8, 14, 4}}

local stone = scene:material {colour = "#88847c", friction = 0.8}
local wood = scene:material {colour = "#9a6a3c", friction = 0.8}
local paint = scene:material {colour = "#2060a0", specular = 0.8, shine = 60}
local rubber = scene:material {colour = "#181818", friction = 1}
local cloth = scene:material {colour = "#b04050", friction = 0.6}
local wool = scene:material {colour = "#508040", friction = 0.6}
local skin = scene:material {colour = "#e0b090", friction = 0.6}

local length, depth = 10, 6      -- m, of the gap, and of what is below it
local near = scene:actor {name = "near block", motion = "still", at = {0, -depth / 2, -length / 2 - 4}, box = {6, depth, 8}, material = stone}
local far = scene:actor {name = "far block", motion = "still", at = {0, -depth / 2, length / 2 + 10}, box = {24, depth, 20}, material = stone}
scene:actor {name = "valley", motion = "still", at = {0, -depth, 0}, plane = 30, material = stone}

-- Planks, each on a hinge with the one before, the first and the last with the blocks. They are a little longer than the
-- gap, and sag in an arc: a straight chain between two walls could not give way.
local count, thick, steepest = 20, 0.08, 8
local step = 0
local function slope(i) return steepest * (1 - (2 * i - 1) / count) end -- degrees, downwards
for i = 1, count do step = step + math.cos(math.rad(slope(i))) / length end
step = 1 / step
planks, hinges = {}, {}
local last, edge = near, eigenrig.vec3(0, -thick / 2, -length / 2)
for i = 1, count do
    local lies = eigenrig.quat({1, 0, 0}, slope(i))
    planks[i] = scene:actor {
        name = "plank " .. i, at = edge + lies * eigenrig.vec3(0, 0, step / 2), orientation = lies,
        box = {3.2, thick, 0.96 * step}, mass = 60, material = wood,
    }
    hinges[i] = scene:joint("hinge", last, planks[i], {name = "hinge " .. i, at = edge, axis = {1, 0, 0}, damping = 1500})
    last, edge = planks[i], edge + lies * eigenrig.vec3(0, 0, step)
end
-- The last one hangs on a bearing that slides a little on springs, as ends of true bridges do; they are drawn by as much
-- as the planks pull: their weight times length over 8 sags.
local spring, sag = 1.5e6, length * math.tan(math.rad(steepest)) / 4
local pull = count * planks[1].mass * 9.81 * length / (8 * sag)
local bearing = scene:actor {name = "bearing", at = edge, box = {3.2, thick, 0.1}, mass = 300, material = stone}
scene:joint("prismatic", far, bearing, {name = "bearing", at = edge, axis = {0, 0, 1}, stiffness = spring, damping = 5e4, rest = pull / spring, limits = {-0.5, 0.5}})
hinges[count + 1] = scene:joint("hinge", last, bearing, {name = "hinge " .. count + 1, at = edge, axis = {1, 0, 0}, damping = 1500})

-- The height of the bridge under a puppet.
local function deck(z)
    for _, plank in ipairs(planks) do
        if math.abs(plank.position.z - z) <= step / 2 then return plank:to_world({0, thick / 2, 0}).y end
    end
end

puppets = {
    parts.puppet(scene, {at = {0.3, deck(-1.5) + 0.03, -1.5}, turn = 180, scale = 0.7, stiffness = 200, material = cloth, skin = skin, name = "light"}),
    parts.puppet(scene, {at = {-0.3, deck(2) + 0.03, 2}, turn = 180, scale = 0.7, stiffness = 200, weight = 3, material = wool, skin = skin, name = "heavy"}),
}

car = parts.car(scene, {at = {0, 0.02, -11}, material = paint, rubber = rubber})

-- A push towards the bridge, while it is on the block.
scene:action {name = "push", life = 1.4, update = function() car.body:force {0, 0, 6500} end}:start()

return scene
