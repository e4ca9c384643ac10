-- Ride a horse over hills, through a crowd that walks by its own torques and is pushed.
--
--     eigenrig play models/scenes/ride.scene.lua
--
-- W and S, or the arrows, change the speed, A and D turn, space stops. 1, 2 and 3 choose amble, trot and pace.

local parts = dofile(eigenrig.files.beside("parts.lua"))

scene = eigenrig.scene {name = "ride", length = 12, background = {sky = true}}
scene:light {at = {6, 14, 8}}

-- Hills of sixteen metres from top to top, with slopes of at most twelve degrees.
local grass = scene:material {colour = "#5a7a40", friction = 0.8}
local cells, step, values = 50, 2, {}
local half = step * cells / 2
local function height(x, z) return 0.3 * math.sin(x * math.pi / 8) * (1 - math.cos(z * math.pi / 8)) end
for row = 0, cells do
    for column = 0, cells do values[#values + 1] = height(step * column - half, half - step * row) end
end
scene:actor {
    name = "hills", motion = "still", material = grass, at = {-half, 0, half},
    heights = {columns = cells + 1, step = step, values = values},
}

-- Gaits that `eigenrig gait` found, as mixes of modes.
local hide = scene:material {friction = 0.8}
local function breed(file, mixes)
    local model = eigenrig.load(eigenrig.files.beside("../" .. file))
    local gaits = {}
    for i, mix in ipairs(mixes) do gaits[i] = model:gaits {mix = mix}[1] end
    return {model = model, gaits = gaits}
end
local horses = breed("horse.glb", {
    "9:7.83@1x-9,13:11.6@1x+21,12:2.5@2x+23", "9:7.06@1x-174,13:12.6@1x+17,27:9.93@2x+19",
    "9:7.38@1x-3,13:11.5@1x+3,27:10.9@2x-5",
})
local gnomes = breed("gnome.glb", {"6:2.98@1x+18,9:15.6@1x+90,10:7.49@2x-3"})
local foxes = breed("fox.glb", {"11:10.5@1x-74,15:10.9@1x+28,24:6.88@1x+69"})

local function walker(name, kind, x, z, turn, scale, weight)
    return scene:add(kind.model, {
        name = name, walks = kind.gaits[1], at = {x, height(x, z) + 0.1, z}, turn = {0, turn, 0}, scale = scale,
        weight = weight, material = hide,
    })
end

-- ---- The crowd

crowd = {}
local place = {
    {"mare", horses, -5, 0, 0, 1.1, 1}, {"foal", horses, 4, -2, 0, 0.6, 1}, {"fox", foxes, 7, 2, 0, 2, 1},
    {"gnome", gnomes, 2, 0, 0, 2, 1},
}
for i, p in ipairs(place) do crowd[i] = walker(table.unpack(p)) end

-- They wander, each about a line of its own, so that few meet.
local chance = parts.dice(7)
local function limited(x, most) return math.max(-most, math.min(x, most)) end
scene:script(function(self)
    while true do
        for i, one in ipairs(crowd) do
            if one.walking == "walks" then
                local fast = math.sqrt(place[i][6]) * place[i][2].gaits[1].speed
                local heading = limited(15 * (place[i][3] - one.centre.x), 25) + chance(-10, 10)
                one:go {velocity = fast * chance(0.6, 1), turn = limited(heading - one.heading, 15)}
            end
        end
        self:wait(1)
    end
end):start()

-- Every other second one of them is pushed for a tenth of a second, with a tenth of its weight.
scene:script(function(self)
    while true do
        self:wait(2)
        local one = crowd[math.floor(chance(1, #crowd + 0.999))]
        local heaviest, weight = nil, 0
        for _, bone in ipairs(one:actors()) do
            weight = weight + 9.81 * bone.mass
            if not heaviest or bone.mass > heaviest.mass then heaviest = bone end
        end
        local angle = chance(0, 2 * math.pi)
        local force = {0.1 * weight * math.cos(angle), 0, 0.1 * weight * math.sin(angle)}
        scene:action {life = 0.1, update = function() heaviest:force(force) end}:start()
    end
end):start()

fallen = {}
scene:on("falls", function(event) fallen[#fallen + 1] = event.walker end)

-- ---- The rider

rider = walker("rider", horses, 0, -6, 0, 1, 1)
local speed, turn = 0, 0
local keys = {
    w = {1, 0}, up = {1, 0}, s = {-1, 0}, down = {-1, 0}, a = {0, 1}, left = {0, 1}, d = {0, -1}, right = {0, -1},
}
local held = {}
scene:on("key_down", function(event)
    held[event.key] = true
    local gait = horses.gaits[tonumber(event.key)]
    if gait and rider.walking ~= "fell" then rider:gait(gait) end
    if event.key == "space" then speed = 0 end
end)
scene:on("key_up", function(event) held[event.key] = nil end)
speed = horses.gaits[1].speed
scene:action {
    update = function(self, dt)
        turn = 0
        for key, way in pairs(keys) do
            if held[key] then
                speed = speed + way[1] * dt
                turn = turn + 25 * way[2]
            end
        end
        speed = math.max(0, math.min(speed, 2.5))
        if rider.walking ~= "fell" then rider:go {velocity = speed, turn = turn} end
    end,
}:start()

scene.camera = {eye = {5, 3, -11}, target = {0, 0.9, -6}, follow = rider:actor("hips")}

return scene
