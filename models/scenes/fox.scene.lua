-- A character plays its own clip, while its tail and ears swing by physics.
--
--     eigenrig play models/scenes/fox.scene.lua
--     eigenrig play models/scenes/fox.scene.lua --arg Fox.glb --arg Run --arg 'b_Tail*'
--
-- The words after the file are a model, one of its clips, and which bones are simulated, with commas between. Without
-- any it is the fox of this project, running.

local parts = dofile(eigenrig.files.beside("parts.lua"))

local file = arg and arg[1] or eigenrig.files.beside("../fox.glb")
local clip = arg and arg[2] or "run"
local swings = arg and arg[3] or "tail_*,*_ear_*"

scene = eigenrig.scene {
    name = "fox",
    length = 8,
    substeps = 8,
    background = {top = "#506880", bottom = "#c8d0d4"},
}

local grass = scene:material {colour = "#5a7a40", friction = 0.8}
scene:actor {name = "ground", motion = "still", plane = 20, material = grass}

-- 0.6 m high with its ears, in whichever unit the file is.
local model = eigenrig.load(file, {height = 0.62, stiffness = "graded:4"})

-- The same character twice: beside the one that swings runs one that the clip leads altogether.
swinging = scene:add(model, {name = "swinging", at = {0.25, 0, -0.6}, floor = 0, clip = clip, simulate = swings})
stiff = scene:add(model, {name = "stiff", at = {-0.25, 0, 0.6}, floor = 0, clip = clip})

-- They run on the spot, so the ground comes to them: tufts go by as fast as the fox's feet do.
local speed, reach = 3.2, 6
local tuft = scene:material {colour = "#3f6a2c"}
local chance = parts.dice(1)
tufts = {}
for i = 1, 80 do
    local high = chance(0.04, 0.1)
    tufts[i] = scene:actor {
        name = "tuft", motion = "led", passes = true, material = tuft,
        hull = {{0, high, -high / 3}, {0.012, 0, 0}, {-0.012, 0, 0}, {0, 0, -0.012}, {0, 0, 0.012}},
        at = {chance(-3, 2), 0, chance(-reach, reach)}, turn = {0, chance(-40, 40), 0},
    }
end
scene:action {
    update = function(self, dt)
        for _, t in ipairs(tufts) do
            local p = t.position
            t.position = {p.x, p.y, p.z - speed * dt + (p.z < -reach and 2 * reach or 0)}
        end
    end,
}:start()

scene:light {at = {2, 4, 3}}
scene.camera = {eye = {3, 0.9, 0.9}, target = {0, 0.28, -0.1}, fov = 29}

-- A stroke of wind each two seconds, from the left.
scene:script {
    name = "wind",
    run = function(self)
        while true do
            self:wait(2)
            for _, bone in ipairs(swinging:actors()) do
                if bone.motion == "moved" then bone:push {2 * bone.mass, 0, 0} end
            end
        end
    end,
}:start()

return scene
