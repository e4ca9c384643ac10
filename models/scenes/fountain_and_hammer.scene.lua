-- A hammer goes round over a fountain of spheres, which uses the same spheres again and again.
--
--     eigenrig play models/scenes/fountain_and_hammer.scene.lua

local parts = dofile(eigenrig.files.beside("parts.lua"))

scene = eigenrig.scene {
    name = "fountain and hammer",
    length = 16,
    background = {top = "#182838", bottom = "#7088a0"},
    camera = {eye = {4, 3.5, 7}, target = {0, 1.4, 0}, fov = 45},
}
scene:light {at = {6, 12, 6}}

local stone = scene:material {colour = "#808078", friction = 0.7}
local iron = scene:material {colour = "#50545a", specular = 0.9, shine = 80}
local water = {}
for i = 1, 5 do
    water[i] = scene:material {colour = {0.15, 0.3 + 0.1 * i, 0.9}, specular = 0.8, friction = 0.2, restitution = 0.4, density = 500}
end
scene:actor {name = "ground", motion = "still", plane = 30, material = stone}

local source = eigenrig.vec3(0, 0.3, 0)
local most, each = 30, 4  -- groups, and spheres of a group

-- A mast, and a hammer that turns about z on it: an arm with a head at its end.
local function make_hammer()
    local height, reach = 2.6, 1.6
    scene:actor {name = "mast", motion = "still", at = {0, height / 2, -0.8}, box = {0.3, height, 0.3}, material = stone}
    local hammer = scene:actor {
        name = "hammer", at = {0, height, -0.2}, mass = 25, material = iron,
        parts = {
            {box = {0.16, reach, 0.16}, at = {0, -reach / 2, 0}},
            {box = {0.9, 0.45, 0.4}, at = {0, -reach, 0}},
        },
    }
    scene:joint("hinge", nil, hammer, {name = "pivot", at = {0, height, -0.2}, axis = {0, 0, 1}, damping = 60})
    return hammer
end

-- An action that turns an actor by a torque, N m, in each step.
local function turn_by(actor, torque)
    return scene:action {name = "torque", update = function() actor:torque(torque) end}
end

-- A group of spheres that an action throws up, and sideways a little: by chance, but by the same one in each run.
local chance = parts.dice(1)
local function make_group(number)
    local group = {spheres = {}}
    for i = 1, each do
        local angle = 2 * math.pi * i / each
        group.spheres[i] = scene:actor {
            name = "drop", sphere = 0.09, material = water[(number + i) % #water + 1],
            at = source + {0.14 * math.cos(angle), 0, 0.14 * math.sin(angle)},
        }
    end
    group.action = scene:action {
        name = "group " .. number,
        update = function()
            for _, drop in ipairs(group.spheres) do
                drop:push(drop.mass * eigenrig.vec3(chance(-0.8, 0.8), chance(6, 8), chance(-0.8, 0.8)))
            end
        end,
    }
    group.action:start()
    return group
end

-- Back to the source, at rest.
local function gather(group)
    for i, drop in ipairs(group.spheres) do
        local angle = 2 * math.pi * i / each
        drop.position = source + {0.14 * math.cos(angle), 0, 0.14 * math.sin(angle)}
        drop.velocity, drop.spin = {0, 0, 0}, {0, 0, 0}
    end
end

groups, thrown = {}, 0
scene:script {
    name = "fountain",
    run = function(self)
        self:wait(5) -- nothing is there for five seconds
        hammer = make_hammer()
        turn_by(hammer, {0, 0, 450}):start()
        while true do
            local group
            if #groups < most then
                group = make_group(#groups + 1)
                groups[#groups + 1] = group
            else -- the one that was thrown longest ago
                group = groups[thrown % most + 1]
                gather(group)
                group.action:resume()
            end
            thrown = thrown + 1
            self:wait(0)             -- the action acts in this step alone,
            group.action:suspend()   -- and rests until it is its group's turn again
            self:wait(0.15)
        end
    end,
}:start()

return scene
