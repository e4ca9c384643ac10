-- A character plays its own clip, while its tail and ears, or its beard and hat, swing by physics.
--
--     eigenrig play models/scenes/fox.scene.lua
--     eigenrig play models/scenes/fox.scene.lua --arg Fox.glb --arg Run --arg 'b_Tail*'
--
-- The words after the file are a model, one of its clips, and which bones are simulated, with commas between. Without
-- any it is the garden gnome of this project, idling: his beard and his hat swing.

local file = arg and arg[1] or eigenrig.files.beside("../gnome.glb")
local clip = arg and arg[2] or "idle"
local swings = arg and arg[3] or "beard_*,hat_*"

scene = eigenrig.scene {
    name = "fox",
    length = 8,
    substeps = 8,
    background = {top = "#506880", bottom = "#c8d0d4"},
}

local grass = scene:material {colour = "#5a7a40", friction = 0.8}
scene:actor {name = "ground", motion = "still", plane = 20, material = grass}

-- 0.9 m high, in whichever unit the file is.
local model = eigenrig.load(file, {height = 0.9})

-- The same character twice: beside the one that swings stands one that the clip leads altogether.
swinging = scene:add(model, {name = "swinging", at = {-0.6, 0, 0}, floor = 0, clip = clip, simulate = swings})
stiff = scene:add(model, {name = "stiff", at = {0.6, 0, 0}, floor = 0, clip = clip})

scene:light {at = {2, 4, 3}}
scene.camera = {eye = {2, 1.1, 2.3}, target = {0, 0.45, 0}, fov = 40}

-- A stroke of wind each two seconds, from the left.
scene:script {
    name = "wind",
    run = function(self)
        while true do
            self:wait(2)
            for _, bone in ipairs(swinging:actors()) do
                if bone.motion == "moved" then bone:push {3 * bone.mass, 0, 0} end
            end
        end
    end,
}:start()

return scene
