-- A character is dropped, can be pulled about with the mouse, and vibrates about the pose that it came to rest in.
--
--     eigenrig play models/scenes/dropped.scene.lua
--     eigenrig play models/scenes/dropped.scene.lua --arg horse.glb
--
-- Take it by any part with the left button and pull. Whenever it lies still its modes are printed, of the model with its
-- springs slack in that pose, and a second one beside it shows the lowest three, two seconds each.

local file = arg and arg[1] or eigenrig.files.beside("../gnome.glb")

scene = eigenrig.scene {
    name = "dropped",
    length = 12,
    substeps = 8,
    background = {top = "#506880", bottom = "#c8d0d4"},
    camera = {eye = {1.2, 1.4, 3.2}, target = {0.4, 0.3, 0}, fov = 40},
}
scene:light {at = {2, 5, 3}}
scene:actor {name = "ground", motion = "still", plane = 20, material = scene:material {colour = "#5a7a40", friction = 0.9}}

local model = eigenrig.load(file, {height = 0.9})
-- Half a metre up, tipped forwards by 50 degrees.
local up, tipped = 0.5, {50, 0, 0}
dropped = scene:add(model, {name = "dropped", at = {0, up, 0}, turn = tipped})

-- ---- The mouse

-- The held point: an actor, a point of it, and its distance from the eye.
local held

scene:on("mouse_down", function(event)
    if event.button ~= "left" then return end
    local eye = scene.camera.eye
    local actor, point = scene:ray(eye, event.way)
    if actor and actor.motion == "moved" then
        held = {actor = actor, own = actor:to_own(point), depth = (point - eye):length(), goal = point}
    end
end)
scene:on("mouse_drag", function(event)
    if held then held.goal = scene.camera.eye + held.depth * event.way end
end)
scene:on("mouse_up", function() held = nil end)

-- A spring and a damper between the point that was taken and the pointer: 3 turns a second for the weight of all.
local weight = model.mass
scene:action {
    name = "pull",
    update = function()
        if not held then return end
        local actor = held.actor
        local point = actor:to_world(held.own)
        local speed = actor.velocity + actor.spin:cross(point - actor.position)
        local stiff, damp = weight * (2 * math.pi * 3) ^ 2, weight * 2 * math.pi * 3
        local force = stiff * (held.goal - point) - damp * speed
        local most = 30 * weight -- three times what it weighs
        if force:length() > most then force = most * force:unit() end
        actor:force(force, held.own)
    end,
}:start()

-- ---- Its modes

-- Still for half a second.
local since
local function rests()
    local fastest = 0
    for _, bone in ipairs(dropped:actors()) do fastest = math.max(fastest, bone.velocity:length()) end
    if held or fastest > 0.05 then since = nil else since = since or scene.time end
    return since and scene.time - since > 0.5
end

found = {}
scene:script {
    name = "modes",
    run = function(self)
        while true do
            since = nil
            self:wait(rests)
            -- the same model, with all springs at rest as it lies
            local lies = model:build {pose = dropped:pose()}
            local modes = lies:modes {count = 3}
            found = {}
            for _, mode in pairs(modes) do
                if mode.kind == "elastic" then found[#found + 1] = mode end
            end
            table.sort(found, function(a, b) return a.index < b.index end)
            for _, mode in ipairs(found) do
                print(("%5.2f s: mode %d of how it lies, %.3f Hz: %s"):format(scene.time, mode.index, mode.frequency_hz, table.concat(mode:movers(3), ", ")))
                shown = scene:add(lies, {name = "shown", at = {1.1, up, 0}, turn = tipped, mix = {{mode = mode.index, degrees = 20, hz = 1}}})
                self:wait(2)
                shown:remove()
            end
            self:wait(function() return not rests() end) -- until somebody pulls
        end
    end,
}:start()

return scene
